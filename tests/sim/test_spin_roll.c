// Contacts that resist spinning and rolling in the simulation: condim 4 and 6, free bodies and
// mechanisms, pairs with two coefficients, robots that ask for them.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/scene.h"
#include "sim/text_scene.h"

static const double g = 9.81, radius = 0.05;

#define GROUND "<geom type='plane' size='9 9 1' friction='0.8 0 0' condim='1'/>"
#define BALL(condim, more)                                                                        \
    "<mujoco><option timestep='0.001'/><worldbody>" GROUND                                        \
    "<body name='ball' pos='0 0 0.05'>" more                                                      \
    "<geom type='sphere' size='0.05' mass='0.3' condim='" condim "' friction='0.8 0.005 0.002'/>" \
    "</body></worldbody>"
#define START(qpos, qvel) "<keyframe><key qpos='" qpos "' qvel='" qvel "'/></keyframe></mujoco>"

/// a = -(5/7) mu_r g / r; after the stop it stays.
static void a_ball_of_condim_6_rolls_to_the_exact_stop(void **state)
{
    (void)state;
    TactTestScene scene =
        tact_test_scene(BALL("6", "<freejoint/>") START("0 0 0.05 1 0 0 0", "0.5 0 0 0 10 0"));
    double slower = 0.001 * 5 / 7.0 * 0.002 * g / radius, way = 0;
    for (int k = 1; k * slower < 0.5 + 20 * slower; k++) {
        double expected = fmax(0.5 - k * slower, 0);
        tact_test_scene_step(&scene, 1);
        way += 0.001 * expected;
        assert_true(fabs(scene.state->v[0] - expected) < 1e-8);
        assert_true(fabs(scene.state->v[4] * radius - expected) < 1e-8);
    }
    assert_true(fabs(scene.state->q[0] - way) < 1e-8);
    assert_true(scene.state->v[0] == 0);
    tact_test_scene_close(&scene);
}

static void a_ball_of_condim_3_rolls_on_and_spins_on(void **state)
{
    (void)state;
    TactTestScene scene =
        tact_test_scene(BALL("3", "<freejoint/>") START("0 0 0.05 1 0 0 0", "0.5 0 0 0 10 5"));
    tact_test_scene_step(&scene, 1000);
    assert_true(fabs(scene.state->v[0] - 0.5) < 1e-9);
    assert_true(fabs(scene.state->v[5] - 5) < 1e-9);
    tact_test_scene_close(&scene);
}

/// I dw/dt = -mu_s m g, of a free ball and of one that a slide and a hinge guide: the same rows
/// through bodies and through a mass matrix.
static void spinning_stops_in_the_same_way_on_bodies_and_on_mechanisms(void **state)
{
    (void)state;
    static const char *const scenes[2] = {
        BALL("4", "<freejoint/>") START("0 0 0.05 1 0 0 0", "0 0 0 0 0 5"),
        BALL("4", "<joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 0 1'/>")
            START("0 0", "0 5"),
    };
    double fall = 0.001 * 0.005 * g / (0.4 * radius * radius);
    for (int s = 0; s < 2; s++) {
        TactTestScene scene = tact_test_scene(scenes[s]);
        int           dof = s == 0 ? 5 : 1;
        for (int k = 1; k * fall < 5 + 5 * fall; k++) {
            double expected = fmax(5 - k * fall, 0);
            tact_test_scene_step(&scene, 1);
            assert_true(fabs(scene.state->v[dof] - expected) < 1e-8);
            int                   count;
            const TactSimContact *c = tact_sim_view_contacts(scene.sim, &count);
            assert_int_equal(count, 1);
            assert_true(fabs(c->spin[0] - scene.state->v[dof]) < 1e-9);
            if (expected > 0) {
                assert_true(fabs(fabs(c->moment[0]) - 0.005 * c->force[0]) < 1e-9);
                assert_true(fabs(c->spin_used - 1) < 1e-9);
            }
        }
        assert_true(fabs(scene.state->v[dof]) < 1e-12);
        tact_test_scene_close(&scene);
    }
}

/// A pair of five numbers: little friction along MuJoCo's first tangent (here y, as the normal is
/// z), much along the second.
static void a_pair_slides_more_easily_along_one_tangent(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='0.001'/><worldbody><geom name='floor' type='plane' size='9 9 "
        "1'/>"
        "<body pos='0 0 0.05'><freejoint/><geom name='ball' type='sphere' size='0.05' mass='0.3'/>"
        "</body></worldbody><contact><pair geom1='floor' geom2='ball' condim='6' "
        "friction='0.1 0.7 0.001 0.01 0.01'/></contact>" START("0 0 0.05 1 0 0 0", "1 1 0 0 0 0"));
    tact_test_scene_step(&scene, 1);
    int                   count;
    const TactSimContact *c = tact_sim_view_contacts(scene.sim, &count);
    assert_int_equal(count, 1);
    assert_true(fabs(fabs(c->tangent[0].y) - 1) < 1e-12);
    assert_true(c->mu == 0.1 && c->mu2 == 0.7 && c->mu_spin == 0.001 && c->mu_roll == 0.01);
    double x = 0.1 * c->velocity[1], y = 0.7 * c->velocity[2], size = hypot(x, y);
    assert_true(fabs(c->force[1] + c->force[0] * 0.1 * x / size) < 1e-7 * c->force[0]);
    assert_true(fabs(c->force[2] + c->force[0] * 0.7 * y / size) < 1e-7 * c->force[0]);
    tact_test_scene_close(&scene);
}

/// Robots whose files ask for condim 4 or 6: every solve certified.
static void robots_with_condim_6_are_certified(void **state)
{
    (void)state;
    static const char *const files[] = {"unitree_go2/scene.xml", "wonik_allegro/scene_right.xml",
                                        "shadow_hand/scene_right.xml"};
    const char              *shared = getenv("TACT_SHARED");
    double                   time = getenv("TACT_LONG") ? 5 : 0.3;
    for (int k = 0; k < 3; k++) {
        char                path[600];
        TactModel          *model = NULL;
        TactModelLoadConfig config = tact_model_load_config_default();
        snprintf(path, sizeof path, "%s/models/%s", shared ? shared : TACT_SOURCE_DIR "/../shared",
                 files[k]);
        TactStatus status = tact_model_load(path, &config, &model, NULL);
        if (status == TACT_UNSUPPORTED || status == TACT_IO_ERROR) {
            printf("skipped: %s\n", tact_status_message());
            skip();
        }
        assert_int_equal(status, TACT_OK);
        TactScene scene = tact_scene_start(model, 0);
        int       patches = 0;
        while (scene.state->time < time - 1e-9) {
            int count;
            tact_scene_step(&scene);
            const TactSimContact *c = tact_sim_view_contacts(scene.sim, &count);
            for (int i = 0; i < count; i++) {
                patches += c[i].mu_roll > 0;
            }
        }
        printf("%s, %g s: %d of %d solves certified, error %.1e, %d contacts that resist rolling\n",
               files[k], time, scene.certified, scene.solves, scene.error, patches);
        assert_int_equal(scene.certified, scene.solves);
        assert_true(patches > 0 || time < 1);
        tact_scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_of_condim_6_rolls_to_the_exact_stop),
        cmocka_unit_test(a_ball_of_condim_3_rolls_on_and_spins_on),
        cmocka_unit_test(spinning_stops_in_the_same_way_on_bodies_and_on_mechanisms),
        cmocka_unit_test(a_pair_slides_more_easily_along_one_tangent),
        cmocka_unit_test(robots_with_condim_6_are_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
