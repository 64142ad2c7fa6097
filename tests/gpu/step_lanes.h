// Whole steps by the GPU's code on a processor: one world after the other, its contact problems by
// the lanes of a warp.
#ifndef TACT_TESTS_GPU_STEP_LANES_H
#define TACT_TESTS_GPU_STEP_LANES_H

#include "gpu/world_batch.h"

typedef struct StepLanes {
    TactStepBlock block;
    void         *memory;
    TactStepBatch step; // its arrays are the host's
} StepLanes;

/// Arrays for worlds of a simulation's model, which must have passed tact_step_check() with the
/// same that is allowed.
void step_lanes_create(const TactSim *sim, int allowed, int worlds, StepLanes *lanes);
void step_lanes_destroy(StepLanes *lanes);

/// One step of all worlds; those that are left keep their state, and worlds.left says why.
void step_lanes_step(StepLanes *lanes, TactStepCounts *counts);

/// The same of a batch, with the list of those that are left.
void step_lanes_run(const TactStepBatch *step, TactStepCounts *counts);

/// Sensors of a batch, after a step or of the states as they are.
void step_lanes_sense(const TactStepBatch *step, int after);

/// The point of an ellipsoid b with a plane, sphere, capsule or box a within a margin; 1 if there
/// is one, -1: left to the processor.
int step_lanes_touch_ellipsoid(const TactStepGeom *a, const TactTransform *pose_a,
                               const TactStepGeom *b, const TactTransform *pose_b, double margin,
                               TactStepHeld *touch);

/// Points of a pair of a model at these poses within a margin, up to 16; -1: left to the processor.
int step_lanes_touch(const TactStepModel *model, int pair, const TactTransform poses[2],
                     double margin, TactStepHeld *touches);

/// A device whose kernels run by lanes on the processor (tact_gpu_use_module()).
extern const TactGpuModule step_lanes_module;

#endif
