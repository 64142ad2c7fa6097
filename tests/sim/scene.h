// For tests of the simulator: a scene of scenes/, stepped and watched.
#ifndef TACT_TESTS_SIM_SCENE_H
#define TACT_TESTS_SIM_SCENE_H

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <tact/load.h>
#include <tact/sim.h>

#include "sim/certify.h"

/// What a test changes in the text of a scene; every place where `from` stands becomes `to`.
typedef struct TactSceneEdit {
    const char *from, *to;
} TactSceneEdit;

typedef struct TactScene {
    TactModel        *model;
    TactSim          *sim;
    TactSimState     *state;
    TactDynamics     *dynamics;    // for energies
    double            penetration; // deepest of all steps, m
    double            loop_error;  // largest of all steps
    double            error;       // of certificates, largest
    int               solves, certified;
    TactSimCertifier *certifier; // of steps; NULL: they are not checked
} TactScene;

/// The model of a scene with one change (from NULL: none). Skips the test in a build without
/// libxml2; fails if the text to change is not there.
TactModel *tact_scene_model(const char *name, TactSceneEdit edit);

/// At the first keyframe, if there is one; h = 0: the scene's step. Takes the model.
TactScene tact_scene_start(TactModel *model, double h);
TactScene tact_scene_start_with(TactModel *model, const TactSimConfig *config);
/// A scene of MJCF text. Skips the test in a build without libxml2.
TactScene tact_scene_of_text(const char *xml);
TactScene tact_scene_open(const char *name, double h);
void      tact_scene_close(TactScene *scene);

/// Steps until this time; fails if a step does.
void tact_scene_run(TactScene *scene, double until);
/// One step, which must be certified where the build checks steps (certify.h).
TactSimReport tact_scene_step(TactScene *scene);

/// From here on steps are not checked: they are outside of the certificate.
void tact_scene_leave_certificates(TactScene *scene);

/// Where the numbers of a free body's joint stand in q and in v.
int tact_scene_q(const TactScene *scene, const char *body);
int tact_scene_v(const TactScene *scene, const char *body);
/// Origin of a free body.
TactVec3 tact_scene_place(const TactScene *scene, const char *body);

double tact_scene_kinetic(TactScene *scene);
/// Kinetic and potential.
double tact_scene_energy(TactScene *scene);

#endif
