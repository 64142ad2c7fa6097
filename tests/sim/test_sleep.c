// Sleeping: what rests falls asleep and costs nothing, wakes when it must, and is where it would
// be.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/scene.h"
#include "sim/text_scene.h"

enum { AWAKE, SLEEPY };

static void make_sleepy(TactSimConfig *config)
{
    config->sleep_time = 0.1;
}

static TactScene open_scene(const char *name, int kind)
{
    TactModel    *model = tact_scene_model(name, (TactSceneEdit){0});
    TactSimConfig config = tact_sim_config_default(model);
    if (kind == SLEEPY) {
        make_sleepy(&config);
    }
    return tact_scene_start_with(model, &config);
}

static double largest_difference(const double *a, const double *b, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
    }
    return worst;
}

static void a_stack_that_has_settled_sleeps_and_stays_where_it_is(void **state)
{
    (void)state;
    TactScene     sleepy = open_scene("stack.xml", SLEEPY), awake = open_scene("stack.xml", AWAKE);
    TactSimReport report = {0};
    int           solves = 0, first = 0;
    for (int i = 1; i <= 500; i++) {
        report = tact_scene_step(&sleepy);
        solves += report.islands;
        first = first == 0 && report.asleep > 0 ? i : first;
        tact_scene_step(&awake);
    }
    assert_int_equal(report.asleep, 10);
    assert_int_equal(report.islands, 0); // nothing to solve, nothing to collide
    assert_int_equal(report.contacts, 0);
    assert_int_equal(solves, first - 1);
    assert_in_range(first, 50, 200); // 0.1 s of rest are 50 steps
    double off = largest_difference(sleepy.state->q, awake.state->q, sleepy.model->nq);
    print_message("asleep from step %d on; poses differ by %.1e\n", first, off);
    assert_true(off < 1e-9);
    for (int i = 0; i < sleepy.model->nv; i++) {
        assert_true(sleepy.state->v[i] == 0);
    }
    tact_scene_close(&sleepy);
    tact_scene_close(&awake);
}

static void nothing_sleeps_by_default(void **state)
{
    (void)state;
    TactScene scene = open_scene("stack.xml", AWAKE);
    for (int i = 0; i < 600; i++) {
        assert_int_equal(tact_scene_step(&scene).asleep, 0);
    }
    tact_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------
// Waking

/// Two slabs far from each other, and a ball that falls on the first after 0.45 s.
static const char slabs[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body name='slab' pos='0 0 .05'><freejoint/><geom type='box' size='.2 .2 .05' "
    "mass='4'/></body>"
    "<body name='other' pos='2 0 .05'><freejoint/><geom type='box' size='.2 .2 .05'/></body>"
    "<body name='ball' pos='0.01 0 1.15'><freejoint/><geom size='.05' mass='.5'/></body>"
    "</worldbody></mujoco>";

static void a_ball_that_falls_on_a_sleeper_wakes_it_and_no_other(void **state)
{
    (void)state;
    TactTestScene sleepy = tact_test_scene_with(slabs, make_sleepy), awake = tact_test_scene(slabs);
    bool          slept = false, woken = false;
    int           least = 9;
    for (int i = 0; i < 1000; i++) {
        TactSimReport report = tact_test_scene_step(&sleepy, 1);
        tact_test_scene_step(&awake, 1);
        slept = slept || report.asleep == 2;
        if (slept && !woken && report.asleep < 2) { // the ball is near: slab and ball, one island
            woken = true;
            assert_int_equal(report.islands, 1);
            assert_int_equal(report.contacts, 5);
            assert_true(sleepy.state->q[16] < 0.16); // its height
        }
        least = woken && report.asleep < least ? report.asleep : least;
        // awake or asleep, all is where it would be
        assert_true(largest_difference(sleepy.state->q, awake.state->q, sleepy.model->nq) < 1e-9);
    }
    assert_true(slept && woken);
    assert_int_equal(least, 1); // the other one slept on
    tact_test_scene_close(&sleepy);
    tact_test_scene_close(&awake);
}

/// The same with the ball before the slabs: whichever of a pair comes first in the file.
static const char ball_first[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body name='ball' pos='0.01 0 1.15'><freejoint/><geom size='.05' mass='.5'/></body>"
    "<body name='slab' pos='0 0 .05'><freejoint/><geom type='box' size='.2 .2 .05' "
    "mass='4'/></body>"
    "<body name='other' pos='2 0 .05'><freejoint/><geom type='box' size='.2 .2 .05'/></body>"
    "</worldbody></mujoco>";

static void whichever_body_comes_first_the_sleeper_wakes(void **state)
{
    (void)state;
    TactTestScene sleepy = tact_test_scene_with(ball_first, make_sleepy);
    TactTestScene awake = tact_test_scene(ball_first);
    bool          slept = false, woken = false;
    for (int i = 0; i < 400; i++) { // it lands after 0.45 s
        TactSimReport report = tact_test_scene_step(&sleepy, 1);
        tact_test_scene_step(&awake, 1);
        slept = slept || report.asleep == 2;
        woken = woken || (slept && report.asleep < 2);
        assert_true(largest_difference(sleepy.state->q, awake.state->q, sleepy.model->nq) < 1e-9);
    }
    assert_true(slept && woken);
    tact_test_scene_close(&sleepy);
    tact_test_scene_close(&awake);
}

/// All asleep after half a second; what is done then must act in the very next step.
static TactTestScene asleep(const char *xml, int trees)
{
    TactTestScene scene = tact_test_scene_with(xml, make_sleepy);
    assert_int_equal(tact_test_scene_step(&scene, 250).asleep, trees);
    return scene;
}

static const char block[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body name='block' pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2' "
    "friction='.25'/></body></worldbody></mujoco>";

/// v = h (F/m - mu g) after one step; the default friction of the floor, 1, is the larger: F is
/// 1.5 times what it holds.
static void a_push_acts_in_the_step_in_which_it_begins(void **state)
{
    (void)state;
    double        push = 1.5 * 2 * 9.81, expected = 0.002 * (push / 2 - 9.81);
    TactTestScene scene = asleep(block, 1);
    scene.state->applied[0] = push;
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    assert_true(fabs(scene.state->v[0] - expected) < 1e-12);
    tact_test_scene_close(&scene);

    scene = asleep(block, 1);
    scene.state->external[1].force.y = -push;
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    assert_true(fabs(scene.state->v[1] + expected) < 1e-12);
    // and rests again once it has stopped
    scene.state->external[1].force.y = 0;
    assert_int_equal(tact_test_scene_step(&scene, 250).asleep, 1);
    tact_test_scene_close(&scene);
}

static void a_new_state_is_taken_up(void **state)
{
    (void)state;
    TactTestScene scene = asleep(block, 1);
    scene.state->v[2] = 1;
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    assert_true(fabs(scene.state->v[2] - (1 - 0.002 * 9.81)) < 1e-12);
    tact_test_scene_close(&scene);
    scene = asleep(block, 1);
    scene.state->q[2] += 0.5;
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    assert_true(fabs(scene.state->v[2] + 0.002 * 9.81) < 1e-12);
    tact_test_scene_close(&scene);
    scene = asleep(block, 1);
    assert_int_equal(tact_sim_reset(scene.sim, -1), TACT_OK);
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    tact_test_scene_close(&scene);
}

/// An arm without gravity, at rest until its motor turns: h torque / I with I = m r^2 + 2/5 m R^2.
static void a_motor_wakes_what_it_drives_and_no_other(void **state)
{
    (void)state;
    TactTestScene scene =
        asleep("<mujoco><option timestep='0.002' gravity='0 0 0'/><worldbody>"
               "<body name='a'><joint name='a' axis='0 0 1'/><geom size='.1' pos='1 0 0' mass='2'/>"
               "</body><body name='b' pos='0 5 0'><joint name='b' axis='0 0 1'/>"
               "<geom size='.1' pos='1 0 0' mass='2'/></body></worldbody>"
               "<actuator><motor joint='a'/><motor joint='b'/></actuator></mujoco>",
               2);
    scene.state->ctrl[1] = 3;
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 1);
    assert_true(scene.state->v[0] == 0);
    assert_true(fabs(scene.state->v[1] - 0.002 * 3 / (2 + 0.4 * 2 * 0.01)) < 1e-14);
    tact_test_scene_close(&scene);
}

/// It stands still at both ends of its way, for a moment.
static void what_swings_never_sleeps(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene_with(
        "<mujoco><option timestep='0.002'/><worldbody><body><joint axis='0 1 0'/>"
        "<geom size='.05' pos='.02 0 -1'/></body></worldbody></mujoco>",
        make_sleepy);
    for (int i = 0; i < 3000; i++) {
        assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    }
    tact_test_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------
// A world of which all sleeps

/// A stack, an arm with a filtered motor that holds it up, and a plate that is moved from outside.
static const char room[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body name='low' pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body>"
    "<body name='top' pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body>"
    "<body name='arm' pos='0 3 1'><joint name='arm' axis='0 0 1' damping='1'/>"
    "<geom size='.1' pos='1 0 0' mass='2'/></body>"
    "<body name='plate' mocap='true' pos='.3 0 .1'><geom type='box' size='.1 .1 .05'/></body>"
    "</worldbody><actuator><general name='pull' joint='arm' dyntype='filter' dynprm='.05'/>"
    "</actuator></mujoco>";

static void *save(const TactSim *sim, size_t *size)
{
    *size = tact_sim_snapshot_get_size(sim);
    void *bytes = calloc(1, *size);
    assert_non_null(bytes);
    assert_int_equal(tact_sim_snapshot_save(sim, bytes, *size), TACT_OK);
    return bytes;
}

static TactStatus parts_seen(void *context, TactSim *sim, const TactSimPart *part)
{
    (void)sim;
    (*(int *)context)++;
    assert_true(part->h == 0.002);
    return TACT_OK;
}

/// One that is restored from its own snapshot before every step computes all of it; the other one
/// goes on where nothing changes. They have the same bits, in all that a snapshot has.
static void a_step_of_a_sleeping_world_is_the_one_that_would_be_computed(void **state)
{
    (void)state;
    TactTestScene quick = asleep(room, 4), whole = asleep(room, 4);
    int           seen = 0;
    tact_sim_set_observer(quick.sim, parts_seen, &seen);
    for (int i = 0; i < 40; i++) {
        size_t size, other;
        void  *bytes = save(whole.sim, &size);
        assert_int_equal(tact_sim_snapshot_restore(whole.sim, bytes, size), TACT_OK);
        free(bytes);
        TactSimReport a, b;
        assert_int_equal(tact_sim_step(quick.sim, &a), TACT_OK);
        assert_int_equal(tact_sim_step(whole.sim, &b), TACT_OK);
        assert_int_equal(a.asleep, 4);
        assert_int_equal(b.asleep, 4);
        assert_true(a.hash == b.hash && a.rows == b.rows && a.parts == b.parts);
        assert_true(a.contacts == b.contacts && a.islands == b.islands && a.solves == b.solves);
        assert_true(a.penetration == b.penetration && a.correction == b.correction);
        void *mine = save(quick.sim, &size), *theirs = save(whole.sim, &other);
        assert_int_equal(size, other);
        assert_memory_equal(mine, theirs, size);
        free(mine);
        free(theirs);
    }
    assert_int_equal(seen, 40); // an observer is told of every step
    tact_test_scene_close(&quick);
    tact_test_scene_close(&whole);
}

/// With a push that changes in every step, or none: what stands still unpushed is not computed
/// either (test_still.c).
static double time_steps(TactSim *sim, int steps, double push)
{
    struct timespec before, after;
    TactSimState   *state = tact_sim_view_state(sim);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    for (int i = 0; i < steps; i++) {
        state->applied[0] = push > 0 && i % 2 ? -push : push;
        assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    return ((double)(after.tv_sec - before.tv_sec) +
            1e-9 * (double)(after.tv_nsec - before.tv_nsec)) /
           steps;
}

static void a_sleeping_world_costs_next_to_nothing(void **state)
{
    (void)state;
    TactScene sleepy = open_scene("stack.xml", SLEEPY), awake = open_scene("stack.xml", AWAKE);
    for (int i = 0; i < 500; i++) {
        tact_scene_step(&sleepy);
        tact_scene_step(&awake);
    }
    tact_sim_set_observer(sleepy.sim, NULL, NULL);
    tact_sim_set_observer(awake.sim, NULL, NULL);
    double resting = time_steps(sleepy.sim, 2000, 0), moving = time_steps(awake.sim, 500, 1e-3);
    print_message("a step of a stack: %.2f us asleep, %.1f us awake\n", 1e6 * resting,
                  1e6 * moving);
    assert_true(moving > 20 * resting);
    tact_scene_close(&sleepy);
    tact_scene_close(&awake);
}

/// It comes 0.1 m in 50 steps: the boxes stand 0.1 m away, and are pushed in the steps after.
static void a_plate_that_is_moved_wakes_what_it_comes_to(void **state)
{
    (void)state;
    TactTestScene scene = asleep(room, 4);
    int           least = 9;
    for (int i = 1; i <= 60; i++) {
        scene.state->mocap[0].position.x = 0.3 - 0.002 * i;
        TactSimReport report = tact_test_scene_step(&scene, 1);
        assert_true(report.asleep < 4); // the plate at least
        least = report.asleep < least ? report.asleep : least;
    }
    assert_int_equal(least, 1); // the arm
    assert_true(fabs(scene.state->q[0] + 0.02) < 1e-3);
    tact_test_scene_close(&scene);
}

static void a_control_that_acts_later_is_taken_up(void **state)
{
    (void)state;
    TactTestScene scene = asleep(room, 4);
    scene.state->ctrl[0] = 3;
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 3);
    tact_test_scene_step(&scene, 9);
    assert_true(scene.state->v[12] > 1e-3);
    tact_test_scene_close(&scene);
    scene = asleep(room, 4);
    scene.state->act[0] = 3; // which a user may set as well
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 3);
    assert_true(scene.state->v[12] > 1e-3);
    tact_test_scene_close(&scene);
}

static TactStatus push_later(void *context, TactSim *sim)
{
    TactSimState *state = tact_sim_view_state(sim);
    (void)context;
    state->applied[0] = state->time > 0.6 ? 100 : 0;
    return TACT_OK;
}

static void a_controller_is_asked_while_all_sleeps(void **state)
{
    (void)state;
    TactTestScene scene = asleep(block, 1);
    tact_sim_set_controller(scene.sim, push_later, NULL);
    assert_int_equal(tact_test_scene_step(&scene, 45).asleep, 1); // 0.59 s
    assert_int_equal(tact_test_scene_step(&scene, 10).asleep, 0);
    assert_true(scene.state->v[0] > 0);
    tact_test_scene_close(&scene);
}

/// A given motion begins to move its joint at 0.7 s.
static void a_given_motion_moves_what_sleeps_when_it_is_time(void **state)
{
    (void)state;
    const double  time[] = {0, 0.7, 1}, position[] = {0, 0, 0.3};
    const int     joint = 2;
    TactMotion    motion = {.count = 3,
                            .joint_count = 1,
                            .time = (double *)time,
                            .joints = (int *)&joint,
                            .position = (double *)position,
                            .interpolation = TACT_INTERPOLATION_LINEAR};
    TactTestScene scene = asleep(room, 4);
    assert_int_equal(tact_sim_set_motion(scene.sim, &motion), TACT_OK);
    assert_int_equal(tact_test_scene_step(&scene, 90).asleep, 4); // 0.68 s
    assert_int_equal(tact_test_scene_step(&scene, 60).asleep, 3); // 0.8 s
    assert_true(fabs(scene.state->q[14] - 0.1) < 1e-12);
    tact_test_scene_close(&scene);
}

static void gravity_and_friction_that_change_are_taken_up(void **state)
{
    (void)state;
    TactTestScene scene = asleep(block, 1);
    tact_test_scene_leave_certificates(&scene); // they know the gravity of the file
    assert_int_equal(tact_sim_set(scene.sim, "gravity", (double[]){0, 0, 5}, 3), TACT_OK);
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    assert_true(fabs(scene.state->v[2] - 0.002 * 5) < 1e-12);
    tact_test_scene_close(&scene);

    scene = asleep("<mujoco><option timestep='0.002' gravity='3 0 -9'/><worldbody>"
                   "<geom type='plane' size='5 5 .1'/><body pos='0 0 .1'><freejoint/>"
                   "<geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>",
                   1);
    TactSimConfig config = *tact_sim_view_config(scene.sim);
    assert_int_equal(tact_sim_set_config(scene.sim, &config), TACT_OK);
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 1); // nothing is changed
    config.friction_scale = 0;
    assert_int_equal(tact_sim_set_config(scene.sim, &config), TACT_OK);
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    assert_true(fabs(scene.state->v[0] - 0.002 * 3) < 1e-12);
    tact_test_scene_close(&scene);
}

static void what_is_dragged_wakes(void **state)
{
    (void)state;
    TactTestScene scene = asleep(block, 1);
    TactSimDrag   drag = {.body = 1, .target = {0, 0, 1}, .stiffness = 1000, .damping = 1};
    assert_int_equal(tact_sim_set_drag(scene.sim, &drag), TACT_OK);
    assert_int_equal(tact_test_scene_step(&scene, 1).asleep, 0);
    assert_true(scene.state->v[2] > 0);
    tact_test_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------

static void snapshots_remember_who_sleeps(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene_with(slabs, make_sleepy);
    for (int i = 0; i < 700; i += 70) { // before, while and after it sleeps
        TactTestScene other = tact_test_scene_with(slabs, make_sleepy);
        size_t        size = tact_sim_snapshot_get_size(scene.sim);
        void         *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(tact_sim_snapshot_save(scene.sim, bytes, size), TACT_OK);
        assert_int_equal(tact_sim_snapshot_restore(other.sim, bytes, size), TACT_OK);
        for (int k = 0; k < 70; k++) {
            TactSimReport report = tact_test_scene_step(&scene, 1);
            TactSimReport again = tact_test_scene_step(&other, 1);
            assert_true(report.hash == again.hash);
            assert_int_equal(report.asleep, again.asleep);
        }
        free(bytes);
        tact_test_scene_close(&other);
    }
    tact_test_scene_close(&scene);
}

static void a_config_that_cannot_be_is_refused(void **state)
{
    (void)state;
    TactModel    *model = tact_scene_model("stack.xml", (TactSceneEdit){0});
    TactSimConfig config = tact_sim_config_default(model);
    TactSim      *sim = NULL;
    config.sleep_time = -1;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "asleep after -1 s"));
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_that_has_settled_sleeps_and_stays_where_it_is),
        cmocka_unit_test(nothing_sleeps_by_default),
        cmocka_unit_test(a_ball_that_falls_on_a_sleeper_wakes_it_and_no_other),
        cmocka_unit_test(whichever_body_comes_first_the_sleeper_wakes),
        cmocka_unit_test(a_push_acts_in_the_step_in_which_it_begins),
        cmocka_unit_test(a_new_state_is_taken_up),
        cmocka_unit_test(a_motor_wakes_what_it_drives_and_no_other),
        cmocka_unit_test(what_swings_never_sleeps),
        cmocka_unit_test(a_step_of_a_sleeping_world_is_the_one_that_would_be_computed),
        cmocka_unit_test(a_sleeping_world_costs_next_to_nothing),
        cmocka_unit_test(a_plate_that_is_moved_wakes_what_it_comes_to),
        cmocka_unit_test(a_control_that_acts_later_is_taken_up),
        cmocka_unit_test(a_controller_is_asked_while_all_sleeps),
        cmocka_unit_test(a_given_motion_moves_what_sleeps_when_it_is_time),
        cmocka_unit_test(gravity_and_friction_that_change_are_taken_up),
        cmocka_unit_test(what_is_dragged_wakes),
        cmocka_unit_test(snapshots_remember_who_sleeps),
        cmocka_unit_test(a_config_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
