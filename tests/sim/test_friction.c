// Sliding as far as Coulomb's law says. Figures are printed.
#include <math.h>
#include <stdio.h>

#include "sim/scene.h"

static const double g = 9.81;

/// Error of the way that the block of slope.xml slides in 1 s with friction 0.3, of the exact one.
static double sliding_error(double h)
{
    const double angle = 20 * acos(-1.0) / 180, mu = 0.3;
    TactScene    scene = tact_scene_start(
           tact_scene_model("slope.xml", (TactSceneEdit){"friction=\"0.5\"", "friction=\"0.3\""}), h);
    TactVec3 start = tact_scene_place(&scene, "block");
    tact_scene_run(&scene, 1);
    TactVec3 end = tact_scene_place(&scene, "block");
    double   exact = 0.5 * g * (sin(angle) - mu * cos(angle));
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
    return tact_vec3_norm(tact_vec3_subtract(end, start)) / exact - 1;
}

/// Euler is ahead by h / t of it: sums of k h instead of the integral.
static void a_block_slides_as_far_as_coulomb_says(void **state)
{
    (void)state;
    const double steps[] = {4e-3, 2e-3, 1e-3, 5e-4};
    double       error[4];
    for (int i = 0; i < 4; i++) {
        error[i] = sliding_error(steps[i]);
        printf("block on a slope of 20 degrees, friction 0.3, 1 s at %g ms: off by %.4f %%\n",
               1e3 * steps[i], 100 * error[i]);
        assert_true(fabs(error[i] - steps[i]) < 1e-6);
    }
    assert_true(fabs(error[2]) < 1.5e-3);
}

/// Pressed with 0.95 of what it takes, the capsule slides down with what is missing: a = 0.05 g.
static void a_capsule_that_is_pinched_too_little_slides(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("pinch.xml", 1e-3);
    double    press = 0.95 * 0.045 * g / 2;
    scene.state->ctrl[0] = scene.state->ctrl[1] = press;
    tact_scene_run(&scene, 0.3);
    double speed = -scene.state->v[tact_scene_v(&scene, "capsule") + 2], exact = 0.05 * g * 0.3;
    printf("capsule pressed with 0.95 of what it takes: %.6f m/s after 0.3 s, exactly %.6f m/s\n",
           speed, exact);
    assert_true(fabs(speed / exact - 1) < 1e-4);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_as_far_as_coulomb_says),
        cmocka_unit_test(a_capsule_that_is_pinched_too_little_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
