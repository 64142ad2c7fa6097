// Whole steps of contacts that resist spinning and rolling by the code of the GPU, on the
// processor: held against the simulation, and against what is known.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/steps_beside.h"

enum { WORLDS = 2 };

/// Worlds from a keyframe (below 0: the reference) with disturbed velocities, walked beside the
/// simulation. left: the part that may be left to the processor; same: the part of the others that
/// agrees with it to 1e-8.
static void walk(TactModel *model, TactContactCone cone, int key, double fast, int steps,
                 double left, double same)
{
    TactSim      *sim = steps_make_sim(model, cone);
    int           allowed = TACT_STEP_OTHER_SHAPES;
    StepLanes     lanes;
    StepsCompared found = {0};
    uint64_t      seed = 11;
    if (tact_step_check(sim, allowed)) {
        fail_msg("%s", tact_status_message());
    }
    step_lanes_create(sim, allowed, WORLDS, &lanes);
    assert_non_null(lanes.step.worlds.more.turns);
    for (int i = 0; i < WORLDS; i++) {
        assert_int_equal(tact_sim_reset(sim, key), TACT_OK);
        sim->state.q[2] += key >= 0 ? 0.03 : 0; // clear of the floor
        steps_take_state(sim, &lanes, i);
        for (int k = 0; k < model->nv; k++) {
            lanes.step.worlds.v[i * model->nv + k] = fast * i * (steps_draw(&seed) - 0.5);
        }
        for (int k = 0; k < model->actuator_count; k++) {
            lanes.step.worlds.ctrl[i * model->actuator_count + k] =
                sim->state.ctrl[k] + 0.1 * (steps_draw(&seed) - 0.5);
        }
    }
    steps_walk(sim, &lanes, steps, 1e-8, &found);
    steps_expect(&found, (StepsWanted){left, same, 1e-8});
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// A ball of 0.1 m on a slope of 0.1 rad, which rolling friction of 0.02 m holds (0.02 / 0.1 >
/// tan 0.1) and one of 0.005 m does not.
#define SLOPE(roll)                                                                            \
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 0.1' euler='0 " \
    "5.729577951308232 0' friction='0.8 0.01 " roll                                            \
    "' condim='6'/><body pos='0.009983341664682816 0 0.09950041652780258'><freejoint/><geom "  \
    "size='0.1' mass='1' friction='0.8 0.01 " roll "' condim='6'/></body></worldbody></mujoco>"

static void test_a_ball_on_a_slope_stays(void **state)
{
    TactModel     *model = steps_read_text(SLOPE("0.02"));
    TactSim       *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes      lanes;
    TactStepCounts counts;
    double         most = 0;
    (void)state;
    assert_int_equal(tact_step_check(sim, 0), TACT_OK);
    step_lanes_create(sim, 0, 1, &lanes);
    for (int s = 0; s < 500; s++) {
        step_lanes_step(&lanes, &counts);
        assert_int_equal(counts.left, 0);
        for (int k = 0; k < 6; k++) {
            most = fmax(most, fabs(lanes.step.worlds.v[k]));
        }
    }
    print_message("  fastest in 500 steps: %.2g m/s or rad/s\n", most);
    assert_true(most <= 1e-12); // it does not creep
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// a = (g sin - (roll / r) g cos) / (1 + 2/5), less what rolling takes.
static void test_a_ball_on_a_slope_rolls(void **state)
{
    (void)state;
    steps_run_beside(SLOPE("0.005"), TACT_CONE_PYRAMID, 500, 1e-10);
    TactModel     *model = steps_read_text(SLOPE("0.005"));
    TactSim       *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes      lanes;
    TactStepCounts counts;
    step_lanes_create(sim, 0, 1, &lanes);
    for (int s = 0; s < 500; s++) {
        step_lanes_step(&lanes, &counts);
    }
    const double *v = lanes.step.worlds.v;
    double        speed = hypot(v[0], v[2]), g = 9.81;
    double        expected = g * (sin(0.1) - 0.05 * cos(0.1)) / 1.4; // after 1 s
    print_message("  %.9f m/s, expected %.9f\n", speed, expected);
    assert_true(fabs(speed - expected) < 1e-9);
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// A ball that spins about the vertical with 10 rad/s stops after w I / (mu_s m g) = 0.4 s 10 0.1^2
/// / (0.01 9.81) = 0.4077 s, and stays.
static void test_a_spinning_ball_stops(void **state)
{
    static const char *const text =
        "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='5 5 0.1' "
        "friction='0.8 0.01 0.001' condim='4'/><body pos='0 0 0.1'><freejoint/><geom size='0.1' "
        "mass='1' friction='0.8 0.01 0.001' condim='4'/></body></worldbody></mujoco>";
    TactModel     *model = steps_read_text(text);
    TactSim       *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes      lanes;
    TactStepCounts counts;
    int            stopped = -1;
    (void)state;
    assert_int_equal(tact_step_check(sim, 0), TACT_OK);
    step_lanes_create(sim, 0, 1, &lanes);
    lanes.step.worlds.v[5] = sim->state.v[5] = 10;
    for (int s = 0; s < 300; s++) {
        step_lanes_step(&lanes, &counts);
        assert_int_equal(counts.left, 0);
        assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
        double spin = lanes.step.worlds.v[5];
        assert_true(fabs(spin - sim->state.v[5]) < 1e-12);
        assert_true(fabs(spin - fmax(0, 10 - 0.01 * 9.81 / 0.004 * 0.002 * (s + 1))) < 1e-11);
        stopped = stopped < 0 && fabs(spin) < 1e-12 ? s + 1 : stopped;
    }
    print_message("  it stops after %d steps\n", stopped);
    assert_int_equal(stopped, 204); // 0.4077 / 0.002
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// Capsules and a box that fall, roll and spin to rest, on each other and on the floor.
static const char bodies[] =
    "<mujoco><option timestep='0.004'/><default><geom condim='6' friction='0.6 0.02 "
    "0.01'/></default><worldbody><geom type='plane' size='5 5 0.1'/>"
    "<body pos='0 0 0.2' euler='70 20 0'><freejoint/><geom type='capsule' size='0.05 "
    "0.1'/></body><body pos='0.3 0 0.15' euler='10 20 30'><freejoint/><geom type='box' "
    "size='0.05 0.06 0.07'/></body><body pos='0 0.3 0.12'><freejoint/><geom size='0.1' "
    "condim='4'/></body></worldbody></mujoco>";

static void test_bodies_roll_to_rest(void **state)
{
    (void)state;
    walk(steps_read_text(bodies), TACT_CONE_PYRAMID, -1, 2, 80, 0.05, 0.9);
}

static void test_bodies_roll_to_rest_with_the_circle(void **state)
{
    (void)state;
    walk(steps_read_text(bodies), TACT_CONE_CIRCLE, -1, 2, 80, 0.1, 0.9);
}

/// Legs with soft feet: moments beside dry friction and limits.
static void test_legs_with_soft_feet(void **state)
{
    (void)state;
    walk(steps_read_text(
             "<mujoco><option timestep='0.004'/><default><joint damping='0.2' armature='0.01' "
             "frictionloss='0.3' limited='true'/><geom friction='0.8 0.02 0.003' condim='6'/>"
             "</default><worldbody><geom type='plane' size='5 5 0.1'/><body pos='0 0 0.62'>"
             "<freejoint/><geom type='capsule' fromto='0 -0.1 0 0 0.1 0' size='0.07'/>"
             "<body pos='0 0.1 0'><joint name='hip' axis='0 1 0' range='-70 40'/><geom "
             "type='capsule' fromto='0 0 -0.09 0 0 -0.25' size='0.04' condim='1'/><body pos='0 0 "
             "-0.3'><joint axis='0 -1 0' range='-120 3'/><geom type='capsule' fromto='0 0 0 0 0 "
             "-0.24' size='0.04'/></body></body><body pos='0 -0.1 0'><joint axis='0 1 0' "
             "range='-70 40'/><geom type='capsule' fromto='0 0 -0.09 0 0 -0.25' size='0.04' "
             "condim='4'/><body pos='0 0 -0.3'><joint axis='0 -1 0' range='-120 3'/><geom "
             "type='capsule' fromto='0 0 0 0 0 -0.24' size='0.04'/></body></body></body>"
             "</worldbody><actuator><motor joint='hip'/></actuator></mujoco>"),
         TACT_CONE_PYRAMID, -1, 0.2, 80, 0.05, 0.8);
}

/// A robot's own file, with all that its feet resist.
static void test_a_robot_with_soft_feet(void **state)
{
    (void)state;
    walk(steps_read_shared("unitree_go2/scene.xml"), TACT_CONE_PYRAMID, 0, 0.2, 60, 0.05, 0.8);
}

static void test_a_robot_with_soft_feet_on_the_circle(void **state)
{
    (void)state;
    walk(steps_read_shared("unitree_go2/scene.xml"), TACT_CONE_CIRCLE, 0, 0.2, 50, 0.1, 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_on_a_slope_stays),
        cmocka_unit_test(test_a_ball_on_a_slope_rolls),
        cmocka_unit_test(test_a_spinning_ball_stops),
        cmocka_unit_test(test_bodies_roll_to_rest),
        cmocka_unit_test(test_bodies_roll_to_rest_with_the_circle),
        cmocka_unit_test(test_legs_with_soft_feet),
        cmocka_unit_test(test_a_robot_with_soft_feet),
        cmocka_unit_test(test_a_robot_with_soft_feet_on_the_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
