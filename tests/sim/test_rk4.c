// Runge-Kutta with contacts: what rests stays on its surface, what slides follows the exact motion
// to second order, and a blow does not go through.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>

#include "sim/text_scene.h"

static const char *const BLOCK =
    "<mujoco><worldbody><geom type='plane' size='5 5 1' friction='0.3'/>"
    "<body name='block' pos='0 0 0.05'><freejoint/>"
    "<geom type='box' size='0.2 0.2 0.05' mass='1' friction='0.3'/></body></worldbody></mujoco>";

static void at_10_ms(TactSimConfig *config)
{
    config->integrator = TACT_INTEGRATOR_RK4;
    config->timestep = 0.01;
}

static void at_5_ms(TactSimConfig *config)
{
    config->integrator = TACT_INTEGRATOR_RK4;
    config->timestep = 0.005;
}

static void a_body_at_rest_does_not_hover(void **state)
{
    (void)state;
    // Moved by h (v+ - v_free), it would stand g h^2 / 2 = 4.9e-4 m above the floor.
    TactTestScene scene = tact_test_scene_with(BLOCK, at_10_ms);
    double        highest = 0;
    for (int k = 0; k < 1000; k++) {
        tact_test_scene_step(&scene, 1);
        highest = fmax(highest, fabs(scene.state->q[2] - 0.05));
    }
    printf("at rest, 10 s at 10 ms: off by %.1e m at the most\n", highest);
    assert_true(highest < 1e-12);
    tact_test_scene_close(&scene);
}

/// Way of a block sent at 3 m/s after half a second, less the exact one.
static double slide(void (*change)(TactSimConfig *config), int steps)
{
    TactTestScene scene = tact_test_scene_with(BLOCK, change);
    scene.state->v[0] = 3;
    tact_test_scene_step(&scene, steps);
    double time = scene.state->time, x = scene.state->q[0];
    tact_test_scene_close(&scene);
    return x - (3 * time - 0.5 * 0.3 * 9.81 * time * time);
}

static void a_sliding_block_follows_the_exact_motion(void **state)
{
    (void)state;
    double error[2] = {slide(at_10_ms, 50), slide(at_5_ms, 100)};
    printf("sliding 0.5 s: off by %.1e m at 10 ms, %.1e at 5 ms\n", error[0], error[1]);
    assert_true(fabs(error[0]) < 1e-9); // its acceleration is constant: a trapezoid has no error
    assert_true(fabs(error[1]) < 1e-9);
}

static void a_body_that_falls_lands_on_the_floor(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene_with(BLOCK, at_10_ms);
    double        deepest = 0;
    scene.state->q[2] += 0.5;
    for (int k = 0; k < 100; k++) {
        deepest = fmax(deepest, tact_test_scene_step(&scene, 1).penetration);
    }
    printf("fallen 0.5 m at 10 ms: %.1e m deep at the most\n", deepest);
    assert_true(deepest < 1.1e-5); // the slop is 1e-5
    assert_true(fabs(scene.state->q[2] - 0.05) < 1.1e-5);
    assert_true(fabs(scene.state->v[2]) < 1e-12);
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_at_rest_does_not_hover),
        cmocka_unit_test(a_sliding_block_follows_the_exact_motion),
        cmocka_unit_test(a_body_that_falls_lands_on_the_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
