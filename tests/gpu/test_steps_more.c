// Whole steps with dry friction of joints, loops and the circle by the code of the GPU, on the
// processor: held against the simulation.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/steps_beside.h"

enum { WORLDS = 2 };

/// Worlds from a keyframe (below 0: the reference) with disturbed velocities, walked beside the
/// simulation.
static void walk(TactModel *model, TactContactCone cone, int allowed, int key, int steps,
                 StepsWanted wanted)
{
    TactSim      *sim = steps_make_sim(model, cone);
    StepLanes     lanes;
    StepsCompared found = {0};
    uint64_t      seed = 11;
    if (tact_step_check(sim, allowed)) {
        fail_msg("%s", tact_status_message());
    }
    sim->shapes.only_slide = (allowed & TACT_STEP_ONLY_SLIDE) != 0;
    step_lanes_create(sim, allowed, WORLDS, &lanes);
    for (int i = 0; i < WORLDS; i++) {
        assert_int_equal(tact_sim_reset(sim, key), TACT_OK);
        if (key >= 0 && model->joints[0].type == TACT_JOINT_FREE) {
            sim->state.q[2] += 0.03; // clear of the floor
        }
        steps_take_state(sim, &lanes, i);
        for (int k = 0; k < model->nv; k++) {
            lanes.step.worlds.v[i * model->nv + k] = 0.2 * i * (steps_draw(&seed) - 0.5);
        }
        for (int k = 0; k < model->actuator_count; k++) {
            lanes.step.worlds.ctrl[i * model->actuator_count + k] =
                sim->state.ctrl[k] + 0.1 * (steps_draw(&seed) - 0.5);
        }
    }
    steps_walk(sim, &lanes, steps, 1e-8, &found);
    steps_expect(&found, wanted);
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Dry friction

/// Two legs that stand and slip, with friction in all joints, in a tendon, and limits.
static const char legs[] =
    "<mujoco><option timestep='0.004'/>"
    "<default><joint damping='0.2' armature='0.01' frictionloss='0.3' limited='true'/>"
    "<geom friction='0.8'/></default>"
    "<worldbody><geom type='plane' size='5 5 0.1'/>"
    "<body pos='0 0 0.62'><freejoint/><geom type='capsule' fromto='0 -0.1 0 0 0.1 0' size='0.07'/>"
    "<body pos='0 0.1 0'><joint name='hip_l' axis='0 1 0' range='-70 40'/><geom type='capsule' "
    "fromto='0 0 -0.09 0 0 -0.25' size='0.04' condim='1'/><body pos='0 0 -0.3'><joint axis='0 -1 "
    "0' "
    "range='-120 3'/><geom type='capsule' fromto='0 0 0 0 0 -0.24' size='0.04'/></body></body>"
    "<body pos='0 -0.1 0'><joint name='hip_r' axis='0 1 0' range='-70 40'/><geom type='capsule' "
    "fromto='0 0 -0.09 0 0 -0.25' size='0.04' condim='1'/><body pos='0 0 -0.3'><joint axis='0 -1 "
    "0' "
    "range='-120 3'/><geom type='capsule' fromto='0 0 0 0 0 -0.24' size='0.04'/></body></body>"
    "</body></worldbody><tendon><fixed name='both' frictionloss='0.1'><joint joint='hip_l' "
    "coef='1'/><joint joint='hip_r' coef='-1'/></fixed></tendon>"
    "<actuator><motor joint='hip_l'/></actuator></mujoco>";

static void test_joints_with_dry_friction(void **state)
{
    (void)state;
    walk(steps_read_text(legs), TACT_CONE_PYRAMID, 0, -1, 150, (StepsWanted){0.05, 0.8, 1e-8});
}

/// A pendulum that hangs at 0.5 rad by its friction alone: not one digit of creep.
static void test_dry_friction_holds(void **state)
{
    (void)state;
    steps_run_beside("<mujoco><option timestep='0.002'/><worldbody><body pos='0 0 1'>"
                     "<joint name='j' axis='0 1 0' frictionloss='5'/><geom type='capsule' "
                     "fromto='0 0 0 0.3 0 -0.4' size='0.03' mass='1'/></body></worldbody>"
                     "<actuator><motor joint='j'/></actuator></mujoco>",
                     TACT_CONE_PYRAMID, 200, 1e-15);
}

/// The same with less friction: it swings, slows down and stops.
static void test_dry_friction_stops(void **state)
{
    (void)state;
    steps_run_beside("<mujoco><option timestep='0.002'/><worldbody><body pos='0 0 1'>"
                     "<joint name='j' axis='0 1 0' frictionloss='0.5'/><geom type='capsule' "
                     "fromto='0 0 0 0.3 0 -0.4' size='0.03' mass='1'/></body></worldbody>"
                     "<actuator><motor joint='j'/></actuator></mujoco>",
                     TACT_CONE_PYRAMID, 1500, 1e-9);
}

/// A robot's own file: 12 joints with dry friction and limits, feet that slide.
static void test_a_robot_with_dry_friction(void **state)
{
    (void)state;
    walk(steps_read_shared("unitree_go2/scene.xml"), TACT_CONE_PYRAMID,
         TACT_STEP_ONLY_SLIDE | TACT_STEP_OTHER_SHAPES, 0, 60, (StepsWanted){0.05, 0.8, 1e-8});
}

// ---------------------------------------------------------------------------------------------
// Loops

/// A four-bar linkage that a motor drives, a weld, a coupling of joints and one of tendons.
static const char linkage[] =
    "<mujoco><option timestep='0.002'/><default><geom contype='0' conaffinity='0'/></default>"
    "<worldbody>"
    "<body name='crank'><joint name='crank' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 "
    "0.1' size='0.01'/><body name='rod' pos='0 0 0.1'><joint axis='0 1 0'/><geom type='capsule' "
    "fromto='0 0 0 0.3 0 0.1' size='0.01'/></body></body>"
    "<body name='rocker' pos='0.3 0 0'><joint name='rocker' axis='0 1 0'/><geom type='capsule' "
    "fromto='0 0 0 0 0 0.2' size='0.01'/></body>"
    "<body name='a' pos='0 1 0'><freejoint/><geom type='sphere' size='0.1'/></body>"
    "<body name='b' pos='0.3 1 0.1'><freejoint/><geom type='box' size='0.1 0.05 0.08'/></body>"
    "<body pos='0 2 0'><joint name='p' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.3 0 0' "
    "size='0.02'/></body>"
    "<body pos='0 3 0'><joint name='s' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.2 0 0' "
    "size='0.02'/></body>"
    "<body pos='0 4 0'><joint name='t' type='slide' axis='0 0 1'/><geom type='sphere' size='0.05'/>"
    "</body></worldbody>"
    "<tendon><fixed name='one'><joint joint='s' coef='0.5'/></fixed><fixed name='two'><joint "
    "joint='t' coef='1'/></fixed></tendon>"
    "<equality><connect body1='rod' body2='rocker' anchor='0.3 0 0.1'/><weld body1='a' body2='b'/>"
    "<joint joint1='p' joint2='s' polycoef='0 0.7 0.2 0 0'/><tendon tendon1='two' tendon2='one' "
    "polycoef='0 0.3 0 0 0'/></equality>"
    "<actuator><motor joint='crank' gear='0.3'/><motor joint='p' gear='2'/></actuator></mujoco>";

static void test_loops_and_couplings(void **state)
{
    (void)state;
    walk(steps_read_text(linkage), TACT_CONE_PYRAMID, 0, -1, 120, (StepsWanted){0.1, 0.99, 1e-8});
}

/// Grippers of two four-bar linkages in space with a coupling, without their meshes' contacts.
static void test_grippers_with_loops(void **state)
{
    static const char *const files[] = {"small/loop-on-hinge.xml", "robotiq_2f85/2f85.xml"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        TactModel *model = steps_read_shared(files[k]);
        model->options.contact_off = true;
        walk(model, TACT_CONE_PYRAMID, 0, -1, 100, (StepsWanted){0.1, 0.99, 1e-8});
    }
}

// ---------------------------------------------------------------------------------------------
// The circle

static const char block[] =
    "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='2 2 0.1' "
    "friction='0.4'/><body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 "
    "0.05 0.05' friction='0.4' mass='1'/></body></worldbody></mujoco>";

/// With the circle blocks slide equally far along all directions, and as far as by the simulation.
static void test_friction_is_the_same_in_all_directions(void **state)
{
    TactModel *model = steps_read_text(block);
    TactSim   *sim = steps_make_sim(model, TACT_CONE_CIRCLE);
    double     worst = 0, least = INFINITY, most = 0;
    (void)state;
    assert_int_equal(tact_step_check(sim, 0), TACT_OK);
    for (int k = 0; k < 16; k++) {
        StepLanes      lanes;
        TactStepCounts counts;
        double         angle = 0.1 + k * 3.14159265358979 / 8;
        step_lanes_create(sim, 0, 1, &lanes);
        assert_int_equal(tact_sim_reset(sim, -1), TACT_OK);
        sim->state.v[0] = lanes.step.worlds.v[0] = 0.5 * cos(angle);
        sim->state.v[1] = lanes.step.worlds.v[1] = 0.5 * sin(angle);
        for (int s = 0; s < 100; s++) {
            step_lanes_step(&lanes, &counts);
            assert_int_equal(counts.left, 0);
            assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
        }
        const double *q = lanes.step.worlds.q;
        worst = fmax(worst, hypot(q[0] - sim->state.q[0], q[1] - sim->state.q[1]));
        least = fmin(least, hypot(q[0], q[1]));
        most = fmax(most, hypot(q[0], q[1]));
        step_lanes_destroy(&lanes);
    }
    print_message("  ways of %.9g m: %.2g apart, %.2g from the simulation's\n", most, most - least,
                  worst);
    assert_true(most - least <= 1e-9 && worst <= 1e-9);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

static void test_steps_with_the_circle(void **state)
{
    (void)state;
    walk(steps_read_text(legs), TACT_CONE_CIRCLE, 0, -1, 100, (StepsWanted){0.1, 0.8, 1e-8});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_with_dry_friction),
        cmocka_unit_test(test_dry_friction_holds),
        cmocka_unit_test(test_dry_friction_stops),
        cmocka_unit_test(test_a_robot_with_dry_friction),
        cmocka_unit_test(test_loops_and_couplings),
        cmocka_unit_test(test_grippers_with_loops),
        cmocka_unit_test(test_friction_is_the_same_in_all_directions),
        cmocka_unit_test(test_steps_with_the_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
