// Scenes in words, for tests of what a step can be asked.
#ifndef TACT_TESTS_SIM_TEXT_SCENE_H
#define TACT_TESTS_SIM_TEXT_SCENE_H

#include <tact/load.h>
#include <tact/sim.h>

#include "sim/certify.h"

typedef struct TactTestScene {
    TactModel        *model;
    TactSim          *sim;
    TactSimState     *state;
    TactSimCertifier *certifier; // of steps; NULL: they are not checked
} TactTestScene;

/// A scene from MJCF text, at its first keyframe if it has one. Skips the test without libxml2.
TactTestScene tact_test_scene(const char *xml);
/// The same with a config that `change` has seen.
TactTestScene tact_test_scene_with(const char *xml, void (*change)(TactSimConfig *config));
void          tact_test_scene_close(TactTestScene *scene);

/// Steps; the contact problems of each must be certified, and the step itself where the build
/// checks steps (certify.h). Returns the report of the last one.
TactSimReport tact_test_scene_step(TactTestScene *scene, int steps);

/// From here on steps are not checked: they are outside of the certificate.
void tact_test_scene_leave_certificates(TactTestScene *scene);

#endif
