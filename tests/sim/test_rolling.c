// Rolling without slipping.
#include <math.h>
#include <stdio.h>

#include "sim/scene.h"

static const double g = 9.81;

/// A full ball on a slope that it does not slip on gains 5/7 g sin(angle) of speed a second.
static void a_ball_rolls_down_a_slope_as_fast_as_it_should(void **state)
{
    (void)state;
    const double angle = 30 * acos(-1.0) / 180, time = 2;
    TactScene    scene = tact_scene_open("ball.xml", 0);
    tact_scene_run(&scene, time);
    const double  *v = scene.state->v;
    const TactVec3 w = {v[3], v[4], v[5]};
    double         speed = tact_vec3_norm((TactVec3){v[0], v[1], v[2]});
    double         exact = 5.0 / 7 * g * sin(angle) * time, error = fabs(speed / exact - 1);
    printf("ball on a slope of 30 degrees, 2 s: %.6f m/s, exactly %.6f, off by %.1e %%\n", speed,
           exact, 100 * error);
    assert_true(error < 1e-4);
    assert_true(fabs(tact_vec3_norm(w) * 0.1 / speed - 1) < 1e-9); // it rolls
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

/// Friction 0.1 is less than the 2/7 tan(30 degrees) that rolling needs: it slides, and spins up by
/// friction alone.
static void a_ball_slips_where_friction_is_too_small(void **state)
{
    (void)state;
    const double angle = 30 * acos(-1.0) / 180, mu = 0.1, time = 1;
    TactScene    scene = tact_scene_start(
           tact_scene_model("ball.xml", (TactSceneEdit){"friction=\"0.4\"", "friction=\"0.1\""}), 0);
    tact_scene_run(&scene, time);
    const double *v = scene.state->v;
    double        speed = tact_vec3_norm((TactVec3){v[0], v[1], v[2]});
    double        spin = tact_vec3_norm((TactVec3){v[3], v[4], v[5]});
    double        exact = g * (sin(angle) - mu * cos(angle)) * time;
    double        exact_spin = mu * g * cos(angle) / (0.4 * 0.1) * time;
    printf("with friction 0.1: %.6f m/s, exactly %.6f; %.5f rad/s, exactly %.5f\n", speed, exact,
           spin, exact_spin);
    assert_true(fabs(speed / exact - 1) < 1e-4);
    assert_true(fabs(spin / exact_spin - 1) < 1e-4);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_rolls_down_a_slope_as_fast_as_it_should),
        cmocka_unit_test(a_ball_slips_where_friction_is_too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
