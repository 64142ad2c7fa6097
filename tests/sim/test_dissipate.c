// Contacts give no energy to mechanisms that nothing drives. Judged by the states alone.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/text_scene.h"

// Three capsules on a ball joint and a hinge with limits.
#define CHAIN(name, place)                                                                 \
    "<body name='" name "' pos='" place "' euler='30 20 70'><freejoint/>"                  \
    "<geom type='capsule' size='.02' fromto='0 0 0 .1 0 0'/>"                              \
    "<body pos='.12 0 0'><joint type='ball'/>"                                             \
    "<geom type='capsule' size='.015' fromto='0 0 0 .1 0 0'/>"                             \
    "<body pos='.12 0 0'><joint type='hinge' axis='0 1 0' limited='true' range='-60 60'/>" \
    "<geom type='box' size='.05 .02 .02' pos='.06 0 0'/></body></body></body>"
#define DROPPED                                                                                    \
    "<mujoco><compiler angle='degree'/><option timestep='%g'/><worldbody>"                         \
    "<geom type='plane' size='5 5 .1' friction='.6'/>"                                             \
    "<geom type='box' size='.06 .06 .06' pos='.1 0 .06' friction='.4'/>" CHAIN(                    \
        "a",                                                                                       \
        "0 0 .5") "<body pos='.1 .02 .2'><freejoint/><geom type='box' size='.04 .05 .03'/></body>" \
                  "</worldbody></mujoco>"
static TactTestScene open_scene(double h)
{
    char scene[4096];
    int  length = snprintf(scene, sizeof scene, DROPPED, h);
    assert_true(length > 0 && (size_t)length < sizeof scene);
    return tact_test_scene(scene);
}

static double energy_of(const TactTestScene *scene)
{
    TactSimEnergy energy;
    assert_int_equal(tact_sim_compute_energy(scene->sim, &energy), TACT_OK);
    return energy.kinetic + energy.potential;
}

static void energy_never_rises_where_nothing_drives(void **state)
{
    (void)state;
    const double steps[] = {1e-3, 2e-3, 5e-3, 1e-2};
    double       damping = 0;
    for (int k = 0; k < 4; k++) {
        TactTestScene scene = open_scene(steps[k]);
        for (int i = 3; i < 10; i++) {
            scene.state->v[i] = 3 * sin(7.0 * i); // rad/s
        }
        double size = energy_of(&scene) + 9.81 * scene.model->mass, before = energy_of(&scene);
        for (int i = 0; i < (int)lround(1 / steps[k]); i++) {
            TactSimReport report = tact_test_scene_step(&scene, 1);
            double        after = energy_of(&scene);
            assert_int_equal(report.unresolved, 0);
            assert_true(report.damping >= 0);
            assert_true(after - before <= 1e-11 * size);
            damping += report.damping / size;
            before = after;
        }
        tact_test_scene_close(&scene);
    }
    printf("damped by %.1e of the energy\n", damping);
    assert_true(damping > 1e-6); // these scenes need it
    assert_true(damping < 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_never_rises_where_nothing_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
