// Whole steps by the lanes beside those of the simulation: from the same states, or each by itself.
#ifndef TACT_TESTS_GPU_STEPS_BESIDE_H
#define TACT_TESTS_GPU_STEPS_BESIDE_H

#include "tests/gpu/step_lanes.h"
#include "tests/sim/scene.h"

/// Skips the test in a build without libxml2.
TactModel *steps_read_text(const char *xml);

/// A model of the shared folder; skips the test where it is not there.
TactModel *steps_read_shared(const char *path);

TactSim *steps_make_sim(const TactModel *model, TactContactCone cone);

double steps_draw(uint64_t *seed);

/// The largest difference of a world and a simulation in q, and in h v.
double steps_compare(const TactSim *sim, const StepLanes *lanes, int world);

/// The state of the simulation, to a world.
void steps_take_state(const TactSim *sim, const StepLanes *lanes, int world);

/// How steps from the same states compare. Plain: solved once by both, with so few contacts that
/// their answer is unique; with four and more on a face, sliding ones may share their load in
/// several ways. Loops are closed in several solves by both.
typedef struct StepsCompared {
    int    steps, left, same, plain;
    int    reasons[TACT_STEP_LEFT_REASONS]; // why steps are left
    double worst;                           // of plain ones
    double error;                           // of the processor's certificate
} StepsCompared;

/// Worlds by the lanes, each step of each made by the simulation from the same state as well.
void steps_walk(TactSim *sim, StepLanes *lanes, int steps, double tol, StepsCompared *out);

/// What is asked of these steps.
typedef struct StepsWanted {
    double left;  // part that may be left to the processor
    double same;  // part of the others that agrees with the simulation
    double worst; // of plain ones
} StepsWanted;

/// Prints how they compare, and fails where less is found than is asked for.
void steps_expect(const StepsCompared *found, StepsWanted wanted);

/// A scene by the lanes alone and by the simulation alone, side by side, from its first keyframe.
void steps_run_beside(const char *xml, TactContactCone cone, int steps, double tol);

#endif
