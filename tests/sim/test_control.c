// Control: a callback, motion that is prescribed, and a spring that drags.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "io/scratch.h"
#include "sim/text_scene.h"

static const double g = 9.81, pi = 3.14159265358979323846;

#define PENDULUM                                                                              \
    "<mujoco><compiler angle='radian'/><option timestep='.001'/><worldbody><body name='rod'>" \
    "<joint name='hinge' axis='0 1 0' range='-2 2' limited='true' frictionloss='.2'/>"        \
    "<geom type='sphere' size='.01' pos='.5 0 0' mass='2'/><body name='end' pos='1 0 0'>"     \
    "<joint name='loose' axis='0 1 0'/><geom size='.05' pos='.2 0 0' mass='.1'/></body>"      \
    "</body></worldbody></mujoco>"

// ---------------------------------------------------------------------------------------------
// The callback

typedef struct Counter {
    int        calls;
    TactStatus answer;
} Counter;

static TactStatus push(void *context, TactSim *sim)
{
    Counter *counter = context;
    counter->calls++;
    tact_sim_view_state(sim)->applied[0] = 3; // N on 2 kg
    return counter->answer;
}

static void a_controller_is_asked_before_every_step(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option gravity='0 0 0' timestep='.001'/><worldbody><body><joint type='slide' "
        "axis='1 0 0'/><geom size='.1' mass='2'/></body></worldbody></mujoco>");
    Counter counter = {0, TACT_OK};
    tact_sim_set_controller(scene.sim, push, &counter);
    tact_test_scene_step(&scene, 100);
    assert_int_equal(counter.calls, 100);
    assert_true(fabs(scene.state->v[0] - 0.15) < 1e-12);
    counter.answer = TACT_BAD_INPUT; // the step is not made
    assert_int_equal(tact_sim_step(scene.sim, NULL), TACT_BAD_INPUT);
    assert_true(fabs(scene.state->v[0] - 0.15) < 1e-12);
    tact_sim_set_controller(scene.sim, NULL, NULL);
    scene.state->applied[0] = 0;
    tact_test_scene_step(&scene, 1);
    assert_int_equal(counter.calls, 101);
    tact_test_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------
// Prescribed motion

enum { MOMENTS = 41 };

/// sin(2 pi t) for 1 s.
static TactMotion swing(int *joint, double *time, double *position)
{
    TactMotion motion = {MOMENTS, time, 1, joint, position, TACT_INTERPOLATION_CUBIC};
    for (int k = 0; k < MOMENTS; k++) {
        time[k] = (double)k / (MOMENTS - 1);
        position[k] = sin(2 * pi * time[k]);
    }
    return motion;
}

static void set_rk4(TactSimConfig *config)
{
    config->integrator = TACT_INTEGRATOR_RK4;
}

static void a_joint_follows_its_motion_exactly(void **state)
{
    (void)state;
    for (int rk4 = 0; rk4 < 2; rk4++) {
        TactTestScene scene = tact_test_scene_with(PENDULUM, rk4 ? set_rk4 : NULL);
        double        time[MOMENTS], position[MOMENTS], at_moments = 0, between = 0;
        int           joint = 0;
        TactMotion    motion = swing(&joint, time, position);
        assert_int_equal(tact_sim_set_motion(scene.sim, &motion), TACT_OK);
        // the slope of the natural spline at the start
        assert_true(fabs(scene.state->v[0] - 2 * pi) < 0.01);
        for (int k = 1; k <= 1000; k++) {
            tact_test_scene_step(&scene, 1);
            double off = fabs(scene.state->q[0] - sin(2 * pi * 0.001 * k));
            at_moments = k % 25 == 0 ? fmax(at_moments, off) : at_moments;
            between = fmax(between, off);
        }
        printf("a swing by 41 moments: off by %.1e at them, %.1e between\n", at_moments, between);
        assert_true(at_moments < 1e-12); // there it is given
        assert_true(between < 1e-5);     // l^4 / 384 times the fourth derivative: 1.6e-6
        tact_test_scene_step(&scene, 100);
        assert_true(fabs(scene.state->q[0]) < 1e-12); // stands at the end, whatever swings on it
        assert_true(fabs(scene.state->v[0]) < 1e-9);
        tact_test_scene_close(&scene);
    }
}

/// What it takes is what inverse dynamics says: m r^2 a - m g r cos(q) for a mass on a rod that
/// lies along x at q = 0 and turns downwards.
static void the_force_of_a_motion_is_told(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='.001'/><worldbody><body><joint name='hinge' axis='0 1 0'/>"
        "<inertial pos='.5 0 0' mass='2' diaginertia='1e-9 1e-9 1e-9'/><geom size='.01' "
        "contype='0' conaffinity='0'/></body></worldbody></mujoco>");
    double     time[MOMENTS], position[MOMENTS], worst = 0;
    int        joint = 0;
    TactMotion motion = swing(&joint, time, position);
    assert_int_equal(tact_sim_set_motion(scene.sim, &motion), TACT_OK);
    for (int k = 0; k < 900; k++) {
        double q = scene.state->q[0], v = scene.state->v[0];
        tact_test_scene_step(&scene, 1);
        TactSimRows all = {0};
        assert_int_equal(tact_sim_compute_rows(scene.sim, &all), TACT_OK);
        assert_int_equal(all.count, 1);
        const TactSimRow *rows = all.rows;
        assert_true(rows[0].type == TACT_OBJECT_JOINT && rows[0].index == 0 && rows[0].part == 3);
        double a = (scene.state->v[0] - v) / 0.001;
        worst = fmax(worst, fabs(rows[0].force - (2 * 0.25 * a - 2 * g * 0.5 * cos(q))));
    }
    assert_true(worst < 1e-6);
    tact_test_scene_close(&scene);
}

/// A piston that is driven into a box pushes it along: the box does not push back.
static void contacts_do_not_disturb_a_motion(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='5 5 .1'/>"
        "<body pos='-.3 0 .1'><joint name='piston' type='slide' axis='1 0 0'/>"
        "<geom type='box' size='.1 .1 .05' mass='.01'/></body>"
        "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='50'/></body>"
        "</worldbody></mujoco>");
    double     time[2] = {0, 1}, position[2] = {0, 0.5};
    int        joint = 0;
    TactMotion motion = {2, time, 1, &joint, position, TACT_INTERPOLATION_LINEAR};
    assert_int_equal(tact_sim_set_motion(scene.sim, &motion), TACT_OK);
    for (int k = 1; k <= 900; k++) {
        tact_test_scene_step(&scene, 1);
        assert_true(fabs(scene.state->q[0] - 0.0005 * k) < 1e-12);
    }
    assert_true(fabs(scene.state->q[1] - (0.0005 * 900 - 0.1)) < 1e-5); // pushed ahead of it
    assert_true(fabs(scene.state->v[1] - 0.5) < 1e-9);
    tact_test_scene_close(&scene);
}

static void motions_are_read_from_csv_files(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(PENDULUM);
    TactMotion   *motion = NULL;
    const char   *path = tact_scratch_write(
          "good.csv", "# made by hand\ntime, loose,hinge\n0,0.1,0.2\n0.5 , -1e-1, 0\n"
                        "\n2,0,1.5\n");
    assert_int_equal(tact_motion_read(scene.model, path, &motion), TACT_OK);
    assert_int_equal(motion->count, 3);
    assert_int_equal(motion->joint_count, 2);
    assert_true(motion->joints[0] == 1 && motion->joints[1] == 0);
    assert_true(motion->time[2] == 2 && motion->position[2] == -0.1 && motion->position[5] == 1.5);
    assert_int_equal(tact_sim_set_motion(scene.sim, motion), TACT_OK);
    assert_true(scene.state->q[0] == 0.2 && scene.state->q[1] == 0.1);
    tact_motion_destroy(motion);
    tact_test_scene_close(&scene);
}

static void motions_that_cannot_be_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "bad.csv"},
        {"hinge,time\n", "bad.csv:1: expected 'time'"},
        {"time\n0\n", "there are no joints"},
        {"time,knee\n0,1\n", "bad.csv:1: the model has no joint 'knee'"},
        {"time,hinge,hinge\n0,1,1\n", "bad.csv:1: joint 'hinge' is given twice"},
        {"time,hinge\n", "there are no moments"},
        {"time,hinge\n0,1\n0,1\n", "bad.csv:3: time 0 does not come after 0"},
        {"time,hinge\n0,1\n1\n", "bad.csv:3: there are 0 values for 1 joints"},
        {"time,hinge\n0,1,2\n", "bad.csv:2: there are more than 1 values"},
        {"time,hinge\n0,fast\n", "bad.csv:2: "},
        {"time,hinge\n0,nan\n", "bad.csv:2: "},
        {"time,hinge\n0,2.5\n", "bad.csv:2: joint 'hinge': 2.5 is beyond its limits, -2 .. 2"},
    };
    TactTestScene scene = tact_test_scene(PENDULUM);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        TactMotion *motion = NULL;
        const char *path = tact_scratch_write("bad.csv", cases[k].text);
        assert_int_equal(tact_motion_read(scene.model, path, &motion), TACT_BAD_INPUT);
        assert_null(motion);
        if (!strstr(tact_status_message(), cases[k].words)) {
            fail_msg("'%s' is not in: %s", cases[k].words, tact_status_message());
        }
    }
    TactMotion *motion = NULL;
    assert_int_equal(tact_motion_read(scene.model, "no-such-file.csv", &motion), TACT_IO_ERROR);
    tact_test_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------
// The drag

#define BALL                                                                                 \
    "<mujoco><option timestep='.002'/><worldbody><body name='ball' pos='0 0 1'><freejoint/>" \
    "<geom type='box' size='.1 .1 .1' mass='2'/></body></worldbody></mujoco>"

/// A body that hangs on the spring by its corner comes to rest below it, stretched by m g / k.
static void a_dragged_body_hangs_below_the_hand(void **state)
{
    (void)state;
    for (int rk4 = 0; rk4 < 2; rk4++) {
        TactTestScene scene = tact_test_scene_with(BALL, rk4 ? set_rk4 : NULL);
        TactSimDrag   drag = {1, {0, 0, 0.1}, {0.3, 0, 2}, 200, 20};
        assert_int_equal(tact_sim_set_drag(scene.sim, &drag), TACT_OK);
        tact_test_scene_step(&scene, 15000);
        double z = 2 - 2 * g / 200 - 0.1;
        printf("hangs at %.6f m, exactly %.6f m\n", scene.state->q[2], z);
        assert_true(fabs(scene.state->q[2] - z) < 1e-4);
        assert_true(fabs(scene.state->q[0] - 0.3) < 1e-3);
        tact_test_scene_close(&scene);
    }
}

/// However stiff, it does not blow up, and takes the point to the hand.
static void no_stiffness_blows_up(void **state)
{
    (void)state;
    for (int run = 0; run < 6; run++) {
        TactTestScene scene =
            tact_test_scene_with(run % 2 ? PENDULUM : BALL, run == 0 ? set_rk4 : NULL);
        int         body = run % 2 ? 2 : 1;
        TactSimDrag drag = {body, {0.1, 0, 0.1}, {0.2, 0.1, 0.9}, 1e9, run < 4 ? 0 : 1e6};
        tact_test_scene_leave_certificates(&scene); // its energy is that of a step of 1.2 m
        assert_int_equal(tact_sim_set_drag(scene.sim, &drag), TACT_OK);
        double most = 0;
        for (int k = 0; k < 500; k++) {
            tact_test_scene_step(&scene, 1);
            TactSimEnergy energy;
            assert_int_equal(tact_sim_compute_energy(scene.sim, &energy), TACT_OK);
            most = fmax(most, energy.kinetic);
        }
        // the first step may take it there at once: m (1.2 m / h)^2 / 2
        assert_true(most < 5e6);
        tact_test_scene_close(&scene);
    }
}

static void the_drag_is_among_the_forces(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(PENDULUM);
    TactSimDrag   drag = {2, {0.2, 0, 0}, {0.5, 0, 0.7}, 300, 5};
    assert_int_equal(tact_sim_set_drag(scene.sim, &drag), TACT_OK);
    double worst = 0;
    for (int k = 0; k < 300; k++) {
        tact_test_scene_step(&scene, 1);
        TactSimForces f;
        assert_int_equal(tact_sim_compute_forces(scene.sim, &f), TACT_OK);
        for (int i = 0; i < 2; i++) {
            worst = fmax(worst, fabs(f.inertia[i] + f.bias[i] - f.applied[i] - f.limits[i] -
                                     f.friction[i] - f.passive[i]));
        }
        worst = fmax(worst, fabs(f.joint[2].torque.y)); // nothing acts at the loose joint
    }
    assert_true(worst < 1e-9);
    tact_test_scene_close(&scene);
}

static void a_drag_that_cannot_be_is_refused(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(BALL);
    TactSimDrag   drags[] = {
          {0, {0, 0, 0}, {0, 0, 0}, 1, 1},
          {2, {0, 0, 0}, {0, 0, 0}, 1, 1},
          {1, {NAN, 0, 0}, {0, 0, 0}, 1, 1},
          {1, {0, 0, 0}, {0, 0, 0}, -1, 1},
    };
    for (size_t k = 0; k < sizeof drags / sizeof drags[0]; k++) {
        assert_int_equal(tact_sim_set_drag(scene.sim, &drags[k]), TACT_BAD_ARGUMENT);
    }
    tact_test_scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_controller_is_asked_before_every_step),
        cmocka_unit_test(a_joint_follows_its_motion_exactly),
        cmocka_unit_test(the_force_of_a_motion_is_told),
        cmocka_unit_test(contacts_do_not_disturb_a_motion),
        cmocka_unit_test(motions_are_read_from_csv_files),
        cmocka_unit_test(motions_that_cannot_be_are_refused_with_their_line),
        cmocka_unit_test(a_dragged_body_hangs_below_the_hand),
        cmocka_unit_test(no_stiffness_blows_up),
        cmocka_unit_test(the_drag_is_among_the_forces),
        cmocka_unit_test(a_drag_that_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
