// Bodies that are moved from outside: they go where they are told with the velocity that it takes.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <string.h>

#include "sim/text_scene.h"

static const char belt[] =
    "<mujoco><option timestep='0.002'/><worldbody>"
    "<geom type='plane' size='5 5 1' pos='0 0 -0.1'/>"
    "<body name='plate' mocap='true'><geom type='box' size='1 1 0.1' friction='0.5'/></body>"
    "<body name='box' pos='0 0 0.2'><freejoint/>"
    "<geom type='box' size='0.1 0.1 0.1' friction='0.5'/></body>"
    "</worldbody></mujoco>";

/// Moves the plate along x to where a motion with this acceleration has it after the next step.
static void lead(TactSim *sim, double acceleration)
{
    const TactModel *model = tact_sim_view_model(sim);
    double           t = tact_sim_view_state(sim)->time + 0.002;
    TactTransform    pose = tact_transform_identity();
    pose.position.x = 0.5 * acceleration * t * t;
    assert_int_equal(
        tact_sim_move_body(sim, tact_model_find(model, TACT_OBJECT_BODY, "plate"), pose), TACT_OK);
}

/// Runs it and returns the velocity of the box along x; the plate is where it has to be.
static double carry(double acceleration, double seconds)
{
    TactTestScene scene = tact_test_scene(belt);
    for (int k = 0; k < (int)(seconds / 0.002 + 0.5); k++) {
        lead(scene.sim, acceleration);
        tact_test_scene_step(&scene, 1);
        const TactSimState *state = tact_sim_view_state(scene.sim);
        assert_true(fabs(state->q[0] - state->mocap[0].position.x) <= 1e-15);
    }
    double v = tact_sim_view_state(scene.sim)->v[6];
    tact_test_scene_close(&scene);
    return v;
}

static void a_box_is_carried_along_as_long_as_friction_holds(void **state)
{
    (void)state;
    // 2 m/s^2 < mu g: the box has the velocity of the plate, the mean of its last step.
    assert_true(fabs(carry(2, 0.5) - 2 * (0.5 - 0.001)) <= 1e-9);
    // 8 m/s^2 > mu g = 4.905 m/s^2: after the first step, in which the plate gets to 0.008 m/s, it
    // slides, and friction alone accelerates it.
    assert_true(fabs(carry(8, 0.5) - (0.008 + 249 * 0.002 * 0.5 * 9.81)) <= 1e-9);
}

static void a_plate_touches_nothing_that_cannot_move(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(belt); // the plate lies in the floor
    TactSimReport report;
    tact_sim_view_state(scene.sim)->q[9] = 5; // the box is far
    assert_int_equal(tact_sim_step(scene.sim, &report), TACT_OK);
    assert_int_equal(report.contacts, 0);
    tact_test_scene_close(&scene);
}

static void what_cannot_be_moved_is_refused(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(belt);
    TactTransform pose = tact_transform_identity();
    assert_int_equal(tact_sim_move_body(scene.sim, 0, pose), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_sim_move_body(scene.sim, 2, pose), TACT_BAD_ARGUMENT); // the box
    pose.position.y = NAN;
    assert_int_equal(tact_sim_move_body(scene.sim, 1, pose), TACT_BAD_ARGUMENT);
    tact_sim_view_state(scene.sim)->mocap[0] = pose;
    assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "plate"));
    tact_test_scene_close(&scene);
}

/// A rod of one metre whose end is asked to be two metres away: every solve is certified all the
/// same.
static void a_tie_that_is_out_of_reach_is_held_as_far_as_it_goes(void **state)
{
    (void)state;
    TactTestScene scene =
        tact_test_scene("<mujoco><option timestep='0.002'/><worldbody>"
                        "<body name='far' mocap='true' pos='0 0 1'/>"
                        "<body name='arm'><joint name='a' axis='0 1 0' damping='0.1'/>"
                        "<geom type='capsule' fromto='0 0 0 0 0 1' size='0.03'/></body>"
                        "</worldbody><equality>"
                        "<connect body1='far' body2='arm' anchor='0 0 0'/>"
                        "</equality></mujoco>");
    for (int k = 0; k < 1000; k++) {
        scene.state->mocap[0].position = (TactVec3){2, 0, 0.5};
        tact_test_scene_step(&scene, 1);
    }
    // every axis pulls by itself, and no more than it may: the height can be had, and is
    assert_true(fabs(cos(scene.state->q[7]) - 0.5) <= 1e-6);
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_carried_along_as_long_as_friction_holds),
        cmocka_unit_test(a_plate_touches_nothing_that_cannot_move),
        cmocka_unit_test(what_cannot_be_moved_is_refused),
        cmocka_unit_test(a_tie_that_is_out_of_reach_is_held_as_far_as_it_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
