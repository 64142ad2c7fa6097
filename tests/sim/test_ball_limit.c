// The limit of a ball joint: an angle about any axis, which nothing passes and nothing else feels.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "sim/text_scene.h"

static const char ball[] =
    "<mujoco><option timestep='0.001' gravity='0 0 0'/><compiler angle='radian'/><worldbody>"
    "<body><joint type='ball' limited='true' range='0 0.5'/><geom size='.1' mass='1'/></body>"
    "</worldbody></mujoco>";

static double angle_of(const double *q)
{
    return 2 * atan2(sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), fabs(q[0]));
}

/// Turned about an axis at 2 rad/s it stops after 0.25 s, at 0.5 rad about that axis, without a
/// bounce.
static void a_turn_about_any_axis_ends_at_the_limit(void **state)
{
    (void)state;
    static const double axes[][3] = {{1, 0, 0},     {0, 1, 0},          {0, 0, 1},     {0, 0, -1},
                                     {0.6, 0, 0.8}, {-0.48, 0.6, 0.64}, {0, -0.8, 0.6}};
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++) {
        TactTestScene scene = tact_test_scene(ball);
        for (int i = 0; i < 3; i++) {
            scene.state->v[i] = 2 * axes[k][i];
        }
        tact_test_scene_step(&scene, 240); // not there yet
        assert_true(fabs(angle_of(scene.state->q) - 0.48) < 1e-9);
        tact_test_scene_step(&scene, 260);
        assert_true(fabs(angle_of(scene.state->q) - 0.5) < 1e-6);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(scene.state->v[i]) < 1e-9);
            assert_true(fabs(scene.state->q[1 + i] - sin(0.25) * axes[k][i]) < 1e-6);
        }
        tact_test_scene_close(&scene);
    }
}

/// At the limit about x, what turns about y and z goes on; only what leads out is taken.
static void at_the_limit_only_what_leads_out_is_stopped(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        TactTestScene scene = tact_test_scene(ball);
        int           other = (axis + 1) % 3;
        scene.state->q[0] = cos(0.25);
        scene.state->q[1 + axis] = sin(0.25);
        scene.state->v[axis] = 1;
        scene.state->v[other] = 0.5;
        tact_test_scene_step(&scene, 1);
        assert_true(fabs(scene.state->v[axis]) < 1e-3); // the axis turns on the way of the step
        assert_true(fabs(scene.state->v[other] - 0.5) < 1e-3);
        scene.state->v[axis] = -1; // and inwards it is free
        tact_test_scene_step(&scene, 1);
        assert_true(fabs(scene.state->v[axis] + 1) < 1e-3);
        tact_test_scene_close(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_about_any_axis_ends_at_the_limit),
        cmocka_unit_test(at_the_limit_only_what_leads_out_is_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
