// What should hold, holds: scenes at rest. Figures are printed.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clones.h"
#include "io/mjcf_text.h"
#include "sim/scene.h"

static double apart(TactVec3 a, TactVec3 b)
{
    return tact_vec3_norm(tact_vec3_subtract(a, b));
}

static void a_block_on_a_slope_does_not_creep(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("slope.xml", 0);
    TactVec3  start = tact_scene_place(&scene, "block");
    tact_scene_run(&scene, 10);
    double creep = apart(tact_scene_place(&scene, "block"), start);
    printf("block on a slope of 20 degrees, friction 0.5, 10 s: creeps %.1e m\n", creep);
    assert_true(creep < 1e-9);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void a_pinched_capsule_does_not_creep(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("pinch.xml", 0);
    TactVec3  start = tact_scene_place(&scene, "capsule");
    tact_scene_run(&scene, 10);
    double creep = apart(tact_scene_place(&scene, "capsule"), start);
    printf("capsule between two fingers, 20 times the friction it needs, 10 s: creeps %.1e m\n",
           creep);
    assert_true(creep < 1e-8);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void a_light_cube_carries_a_heavy_one(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("ratio.xml", 0);
    TactVec3  light = tact_scene_place(&scene, "light"), heavy = tact_scene_place(&scene, "heavy");
    tact_scene_run(&scene, 10);
    double drift = fmax(apart(tact_scene_place(&scene, "light"), light),
                        apart(tact_scene_place(&scene, "heavy"), heavy));
    printf("1000 kg on 1 kg, 10 s: drift %.1e m, penetration %.1e m\n", drift, scene.penetration);
    assert_true(drift < 1e-6);
    assert_true(scene.penetration < 1e-4);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

static void a_stack_of_ten_stands(void **state)
{
    (void)state;
#ifdef TACT_SANITIZED
    const double time = 0.5;
#else
    const double time = 10;
#endif
    TactScene scene = tact_scene_open("stack.xml", 0);
    double    drift = 0;
    tact_scene_run(&scene, time);
    for (int i = 0; i < 10; i++) {
        const double *q = scene.state->q + 7 * i;
        TactVec3      now = {q[0], q[1], q[2]}, start = {0, 0, 0.05 + 0.1 * i};
        drift = fmax(drift, apart(now, start));
    }
    printf("stack of ten, %g s: drift %.1e m, penetration %.1e m, worst certificate %.1e\n", time,
           drift, scene.penetration, scene.error);
    assert_true(drift < 1e-6);
    assert_true(scene.penetration < 1e-4);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

/// A cube that starts 10 mm deep in the floor is lifted out of it, and has no speed at any time.
static void what_starts_inside_the_floor_comes_out_without_speed(void **state)
{
    (void)state;
    TactScene scene =
        tact_scene_start(tact_scene_model("slide.xml", (TactSceneEdit){"0 0 0.05", "0 0 0.04"}), 0);
    double kinetic = 0, before = 0.01, jump = 0;
    memset(scene.state->v, 0, 6 * sizeof *scene.state->v);
    for (int k = 0; k < 500; k++) {
        TactSimReport report = tact_scene_step(&scene);
        kinetic = fmax(kinetic, tact_scene_kinetic(&scene));
        jump = fmax(jump, before - report.penetration);
        before = report.penetration;
    }
    double depth = 0.05 - scene.state->q[2];
    printf("cube 10 mm deep in the floor: %.1e m deep after 0.5 s, comes out by at most %.1e m a "
           "step, with %.1e J\n",
           depth, jump, kinetic);
    assert_true(depth < 2e-5 && depth > -1e-9);
    assert_true(jump < 2.1e-3); // the share of 0.2 that the config says
    assert_true(kinetic < 1e-18);
    assert_int_equal(scene.certified, scene.solves);
    tact_scene_close(&scene);
}

/// A body that starts at rest a tenth of a micrometre above the stop of its slide falls onto it
/// within a step: the stop is there, though nothing moves yet.
static void what_falls_onto_a_stop_from_rest_stays_there(void **state)
{
    (void)state;
    TactScene scene = tact_scene_start(
        tact_mjcf_model("<worldbody><body><joint type='slide' axis='0 0 1' limited='true' "
                        "range='0 1'/><geom size='0.1' mass='1'/></body></worldbody>"),
        2e-3);
    scene.state->q[0] = 1e-7;
    for (int k = 0; k < 10; k++) {
        tact_scene_step(&scene);
        assert_true(fabs(scene.state->q[0]) < 1e-15);
        assert_true(fabs(scene.state->v[0]) <= 1.001e-7 / 2e-3);
    }
    tact_scene_close(&scene);
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    TactScene scene = tact_scene_open("pinch.xml", 0);
    scene.state->ctrl[1] = NAN;
    assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "right"));
    scene.state->ctrl[1] = 0;
    scene.state->external[3].torque.y = INFINITY;
    assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "capsule"));
    assert_true(scene.state->time == 0); // a step that is refused leaves the state alone
    scene.state->external[3].torque.y = 0;
    scene.state->q[1] = INFINITY;
    assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "right"));
    tact_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_a_slope_does_not_creep),
        cmocka_unit_test(a_pinched_capsule_does_not_creep),
        cmocka_unit_test(a_light_cube_carries_a_heavy_one),
        cmocka_unit_test(a_stack_of_ten_stands),
        cmocka_unit_test(what_starts_inside_the_floor_comes_out_without_speed),
        cmocka_unit_test(what_falls_onto_a_stop_from_rest_stays_there),
        cmocka_unit_test(numbers_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
