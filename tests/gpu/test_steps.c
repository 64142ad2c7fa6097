// Whole steps by the code of the GPU, on the processor: held against the simulation.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gpu/steps_beside.h"

/// A biped of capsules with limits, springs, motors, a tendon and contacts of its own limbs, above
/// a floor.
static const char biped[] =
    "<mujoco><option timestep='0.004'/>"
    "<default><joint damping='0.5' armature='0.01' stiffness='2' limited='true'/>"
    "<geom friction='0.8'/><motor ctrllimited='true' ctrlrange='-1 1'/></default>"
    "<worldbody><geom name='floor' type='plane' size='5 5 0.1' contype='3'/>"
    "<body name='trunk' pos='0 0 0.75'><freejoint/>"
    "<geom type='capsule' fromto='0 -0.1 0 0 0.1 0' size='0.07'/>"
    "<body pos='0 0 0.2'><joint type='ball' limited='false' stiffness='0'/>"
    "<geom type='sphere' size='0.09' condim='1'/></body>"
    "<body pos='0 0.1 -0.08'><joint name='hip_l' axis='0 1 0' range='-70 40'/>"
    "<joint axis='1 0 0' range='-20 30'/><geom type='capsule' fromto='0 0 0 0 0 -0.28' "
    "size='0.045' condim='1'/><body pos='0 0 -0.32'><joint name='knee_l' axis='0 -1 0' "
    "range='-120 3'/><geom type='capsule' fromto='0 0 0 0 0 -0.25' size='0.04'/>"
    "<body pos='0 0 -0.3'><joint axis='0 1 0' range='-40 40'/>"
    "<geom type='box' size='0.09 0.04 0.015' pos='0.03 0 -0.02' contype='0' "
    "conaffinity='2'/></body></body></body>"
    "<body pos='0 -0.1 -0.08'><joint name='hip_r' axis='0 1 0' range='-70 40'/>"
    "<joint axis='-1 0 0' range='-20 30'/><geom type='capsule' fromto='0 0 0 0 0 -0.28' "
    "size='0.045' condim='1'/><body pos='0 0 -0.32'><joint name='knee_r' axis='0 -1 0' "
    "range='-120 3'/><geom type='capsule' fromto='0 0 0 0 0 -0.25' size='0.04'/>"
    "<body pos='0 0 -0.3'><joint axis='0 1 0' range='-40 40'/>"
    "<geom type='sphere' size='0.04'/></body></body></body>"
    "</body></worldbody>"
    "<tendon><fixed name='legs' limited='true' range='-1.5 1.5' stiffness='1' damping='0.2'>"
    "<joint joint='hip_l' coef='1'/><joint joint='hip_r' coef='-1'/></fixed></tendon>"
    "<actuator><motor joint='hip_l' gear='20'/><motor joint='knee_l' gear='15'/>"
    "<position joint='hip_r' kp='30' kv='2'/><motor tendon='legs' gear='5'/></actuator></mujoco>";

// ---------------------------------------------------------------------------------------------

enum { BIPEDS = 6 };

/// Bipeds that fall from different states: plain steps are the simulation's, to what its
/// repetitions leave of velocity products (1e-8 of velocities); of all steps eight in ten are.
static void test_bipeds_step_as_the_simulation(void **state)
{
    TactModel    *model = steps_read_text(biped);
    TactSim      *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes     lanes;
    StepsCompared found = {0};
    uint64_t      seed = 7;
    (void)state;
    if (tact_step_check(sim, false)) {
        fail_msg("%s", tact_status_message());
    }
    step_lanes_create(sim, 0, BIPEDS, &lanes);
    for (int i = 0; i < BIPEDS; i++) {
        double *q = lanes.step.worlds.q + (size_t)i * (size_t)model->nq;
        for (int k = 0; k < model->actuator_count; k++) {
            lanes.step.worlds.ctrl[i * model->actuator_count + k] = steps_draw(&seed) - 0.5;
        }
        for (int k = 11; k < model->nq; k++) { // hinges
            q[k] += 0.2 * (steps_draw(&seed) - 0.5);
        }
        q[4] = 0.4 * (steps_draw(&seed) - 0.5); // not of norm 1: as of no norm
        q[5] = 0.4 * (steps_draw(&seed) - 0.5);
        lanes.step.worlds.v[(size_t)i * (size_t)model->nv] = steps_draw(&seed) - 0.5;
    }
    steps_walk(sim, &lanes, 150, 1e-8, &found);
    print_message("bipeds: %d steps, %d left, %d of %d the same; of %d plain ones worst %.2g\n",
                  found.steps, found.left, found.same, found.steps - found.left, found.plain,
                  found.worst);
    assert_true(found.left <= found.steps / 20);
    assert_true(found.plain >= found.steps / 3);
    assert_true(found.worst <= 1e-8);
    assert_true(found.same >= (found.steps - found.left) * 8 / 10);
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// With the pyramid and with the circle.
static void run_beside(const char *xml, int steps, double tol)
{
    steps_run_beside(xml, TACT_CONE_PYRAMID, steps, tol);
    steps_run_beside(xml, TACT_CONE_CIRCLE, steps, tol);
}

/// friction holds a block on a slope: not one digit of creep beyond rounding.
static void test_a_block_stays_on_a_slope(void **state)
{
    (void)state;
    run_beside("<mujoco><option timestep='0.002'/><worldbody>"
               "<geom type='plane' size='2 2 0.1' euler='0 20 0' friction='0.5'/>"
               "<body pos='0.0171010071662834 0 0.0469846310392954' euler='0 20 0'><freejoint/>"
               "<geom type='box' size='0.05 0.05 0.05' friction='0.5' mass='1'/></body>"
               "</worldbody></mujoco>",
               500, 1e-9);
}

static void test_a_sphere_rolls_down_a_slope(void **state)
{
    (void)state;
    run_beside("<mujoco><option timestep='0.002'/><worldbody>"
               "<geom type='plane' size='2 2 0.1' euler='0 10 0' friction='0.6'/>"
               "<body pos='0.0173648177667 0 0.0984807753012'><freejoint/>"
               "<geom type='sphere' size='0.1' friction='0.6' mass='1'/></body>"
               "</worldbody></mujoco>",
               250, 1e-9);
}

/// A capsule between two fingers that press: it does not creep.
static void test_fingers_hold_a_capsule(void **state)
{
    (void)state;
    run_beside(
        "<mujoco><option timestep='0.002'/><default><geom friction='1'/></default><worldbody>"
        "<body pos='-0.03 0 0.2'><joint name='l' type='slide' axis='1 0 0'/>"
        "<geom type='sphere' size='0.01' mass='0.1'/></body>"
        "<body pos='0.03 0 0.2'><joint name='r' type='slide' axis='-1 0 0'/>"
        "<geom type='sphere' size='0.01' mass='0.1'/></body>"
        "<body pos='0 0 0.2'><freejoint/><geom type='capsule' size='0.02 0.04' mass='0.045'/>"
        "</body></worldbody><actuator><motor joint='l'/><motor joint='r'/></actuator>"
        "<keyframe><key qpos='0 0 0 0 0.2 1 0 0 0' ctrl='4.4145 4.4145'/></keyframe></mujoco>",
        200, 1e-9);
}

/// Kinetic and potential energy of world 0.
static double find_energy(const TactModel *model, const StepLanes *lanes)
{
    TactDynamics *dynamics = NULL;
    assert_int_equal(tact_dynamics_create(model, &dynamics), TACT_OK);
    assert_int_equal(tact_dynamics_set_position(dynamics, lanes->step.worlds.q), TACT_OK);
    assert_int_equal(tact_dynamics_set_velocity(dynamics, lanes->step.worlds.v), TACT_OK);
    double energy = tact_dynamics_compute_kinetic_energy(dynamics) +
                    tact_dynamics_compute_potential_energy(dynamics);
    tact_dynamics_destroy(dynamics);
    return energy;
}

/// A chain of hinges and a ball that swings freely for a second from rest, stretched out: it falls
/// by a metre, and 0.2 % of that energy is what steps of 1 ms may be off.
static void test_a_chain_keeps_its_energy(void **state)
{
    TactModel *model = steps_read_text(
        "<mujoco><option timestep='0.001'/><worldbody>"
        "<body pos='0 0 2'><joint name='top' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0.4 "
        "0 "
        "0' size='0.03'/><body pos='0.4 0 0'><joint axis='0.6 0.8 0'/><geom type='capsule' "
        "fromto='0 0 0 0.3 0 0' size='0.03'/><body pos='0.3 0 0'><joint type='ball'/><geom "
        "type='capsule' fromto='0 0 0 0.3 0 0' size='0.02'/></body></body></body></worldbody>"
        "<actuator><motor joint='top'/></actuator></mujoco>");
    TactSim       *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes      lanes;
    TactStepCounts counts;
    double         worst = 0, scale = model->mass * 9.81 * 1.0;
    (void)state;
    assert_int_equal(tact_step_check(sim, false), TACT_OK);
    step_lanes_create(sim, 0, 1, &lanes);
    double before = find_energy(model, &lanes);
    for (int s = 0; s < 1000; s++) {
        step_lanes_step(&lanes, &counts);
        assert_int_equal(counts.left, 0);
        worst = fmax(worst, fabs(find_energy(model, &lanes) - before));
    }
    print_message("  energy off by %.2g of m g 1 m\n", worst / scale);
    assert_true(worst <= 2e-3 * scale);
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// A humanoid that falls and lands: what a second of steps makes of its energy is what the
/// simulation makes of it, step by step from the same states.
static void test_a_humanoid_loses_as_much_energy(void **state)
{
    TactModel     *model = steps_read_shared("mujoco_humanoid/humanoid.xml");
    TactSim       *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes      lanes;
    TactStepCounts counts;
    int            left = 0, steps = (int)(1 / sim->config.timestep + 0.5);
    double         before, lost = 0, lost_there = 0, most = 0;
    (void)state;
    if (tact_step_check(sim, TACT_STEP_ONLY_SLIDE)) {
        fail_msg("%s", tact_status_message());
    }
    sim->shapes.only_slide = true;
    step_lanes_create(sim, TACT_STEP_ONLY_SLIDE, 1, &lanes);
    assert_int_equal(tact_sim_reset(sim, -1), TACT_OK);
    before = find_energy(model, &lanes);
    for (int s = 0; s < steps; s++) {
        step_lanes_step(&lanes, &counts);
        double after = find_energy(model, &lanes);
        assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
        int    was_left = counts.left;
        double apart = was_left ? 0 : steps_compare(sim, &lanes, 0);
        steps_take_state(sim, &lanes, 0); // the next step begins where the simulation is
        double there = find_energy(model, &lanes);
        lost += was_left ? 0 : before - after;
        lost_there += was_left ? 0 : before - there;
        left += was_left;
        most = fmax(most, apart);
        before = there;
    }
    print_message("  %d steps, %d left: %.9g J by the lanes, %.9g by the simulation; %.2g apart\n",
                  steps, left, lost, lost_there, most);
    assert_true(left <= steps / 20);
    assert_true(fabs(lost - lost_there) <= 1e-6 * fabs(lost_there));
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

/// Blocks that slide along sixteen directions go equally far on the GPU as by the simulation: the
/// pyramid's own anisotropy and no other.
static void test_blocks_slide_as_far_as_the_simulation_in_every_direction(void **state)
{
    TactModel *model = steps_read_text(
        "<mujoco><option timestep='0.002'/><worldbody><geom type='plane' size='2 2 0.1' "
        "friction='0.4'/><body pos='0 0 0.05'><freejoint/><geom type='box' size='0.05 "
        "0.05 0.05' friction='0.4' mass='1'/></body></worldbody></mujoco>");
    TactSim *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    double   worst = 0;
    (void)state;
    assert_int_equal(tact_step_check(sim, 0), TACT_OK);
    for (int k = 0; k < 16; k++) {
        StepLanes      lanes;
        TactStepCounts counts;
        double         angle = k * 3.14159265358979 / 8;
        step_lanes_create(sim, 0, 1, &lanes);
        assert_int_equal(tact_sim_reset(sim, -1), TACT_OK);
        sim->state.v[0] = lanes.step.worlds.v[0] = 0.5 * cos(angle);
        sim->state.v[1] = lanes.step.worlds.v[1] = 0.5 * sin(angle);
        for (int s = 0; s < 40; s++) {
            step_lanes_step(&lanes, &counts);
            assert_int_equal(counts.left, 0);
            assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
        }
        double far = hypot(sim->state.q[0], sim->state.q[1]);
        double own = hypot(lanes.step.worlds.q[0], lanes.step.worlds.q[1]);
        assert_true(far > 0.02); // 80 ms of 0.5 m/s, less what friction takes
        worst = fmax(worst, fabs(far - own));
        step_lanes_destroy(&lanes);
    }
    print_message("  distances differ by %.2g m at the most\n", worst);
    assert_true(worst <= 1e-9);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Points of ellipsoids

/// A geom of the GPU and the shape of the processor.
static void make_geom(TactShapeType type, int own, uint64_t *seed, TactShape *shape,
                      TactStepGeom *geom)
{
    *shape = (TactShape){.type = type};
    *geom = (TactStepGeom){.type = own};
    for (int k = 0; k < 3; k++) {
        shape->size[k] = geom->size[k] = 0.02 + 0.05 * steps_draw(seed);
    }
}

/// Random ellipsoids with planes, spheres, capsules and boxes, apart and overlapping a little: the
/// deepest point is where the processor's collision has it, or the GPU leaves it.
static void test_ellipsoids_touch_where_the_processor_says(void **state)
{
    static const TactShapeType types[4] = {TACT_SHAPE_PLANE, TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE,
                                           TACT_SHAPE_BOX};
    static const int own[4] = {TACT_STEP_PLANE, TACT_STEP_SPHERE, TACT_STEP_CAPSULE, TACT_STEP_BOX};
    uint64_t         seed = 5;
    (void)state;
    for (int type = 0; type < 4; type++) {
        int    touched = 0, left = 0;
        double depth_off = 0, normal_off = 0;
        for (int n = 0; n < 4000; n++) {
            TactShape     a, b;
            TactStepGeom  geom_a, geom_b;
            TactStepHeld  found;
            TactTransform pose[2];
            TactTouchList touches = {0};
            make_geom(types[type], own[type], &seed, &a, &geom_a);
            make_geom(TACT_SHAPE_ELLIPSOID, TACT_STEP_ELLIPSOID, &seed, &b, &geom_b);
            for (int k = 0; k < 2; k++) {
                TactQuat turn = {steps_draw(&seed) - 0.5, steps_draw(&seed) - 0.5,
                                 steps_draw(&seed) - 0.5, steps_draw(&seed) - 0.5};
                pose[k].rotation = tact_quat_normalise(turn);
                pose[k].position = (TactVec3){0.2 * steps_draw(&seed), 0.2 * steps_draw(&seed),
                                              0.2 * steps_draw(&seed)};
            }
            assert_int_equal(tact_collide(&a, &pose[0], &b, &pose[1], 0.01, &touches), TACT_OK);
            double deepest = -INFINITY;
            int    at = 0;
            for (int k = 0; k < touches.count; k++) {
                at = touches.touches[k].depth > deepest ? k : at;
                deepest = fmax(deepest, touches.touches[k].depth);
            }
            if (deepest > 0.005) { // deeper than steps make them
                tact_touch_list_destroy(&touches);
                continue;
            }
            int count =
                step_lanes_touch_ellipsoid(&geom_a, &pose[0], &geom_b, &pose[1], 0.01, &found);
            if (count >= 0 && deepest > -0.0099) {
                assert_int_equal(count, 1);
                TactVec3 apart = tact_vec3_subtract(found.normal, touches.touches[at].normal);
                depth_off = fmax(depth_off, fabs(found.depth - deepest));
                normal_off = fmax(normal_off, tact_vec3_norm(apart));
                touched++;
            } else if (count > 0 && touches.count == 0) {
                assert_true(found.depth < -0.0099);
            }
            left += count < 0;
            tact_touch_list_destroy(&touches);
        }
        print_message("  %d touch, %d are left; depths differ by %.2g m, normals by %.2g\n",
                      touched, left, depth_off, normal_off);
        assert_true(touched > 50 && left <= touched / 20);
        assert_true(depth_off <= 1e-9 && normal_off <= 1e-5);
    }
}

// ---------------------------------------------------------------------------------------------
// What is left

/// A solid with a dent below, as triangles.
#define DENTED                                                                                \
    "<asset><mesh name='dented' vertex='0.1 0 0 0 0.1 0 -0.1 0 0 0 -0.1 0 0 0 0.1 0 0 0.03' " \
    "face='0 1 4 1 2 4 2 3 4 3 0 4 1 0 5 2 1 5 3 2 5 0 3 5'/></asset><custom><text "          \
    "name='tact_mesh' data='dented'/></custom>"

/// A mesh above a plane that it falls onto: points of this pair are the processor's. The GPU steps
/// it while they are apart, and leaves it when they come near.
static void test_other_shapes_are_left_where_they_come_near(void **state)
{
    TactModel *model = steps_read_text(
        "<mujoco><option timestep='0.004'/>" DENTED "<worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 0.12' euler='0 0 30'><freejoint/><geom type='mesh' mesh='dented'/></body>"
        "</worldbody></mujoco>");
    TactSim  *sim = steps_make_sim(model, TACT_CONE_PYRAMID);
    StepLanes lanes;
    int       free_steps = 0;
    (void)state;
    assert_int_equal(tact_step_check(sim, 0), TACT_UNSUPPORTED);
    assert_non_null(strstr(tact_status_message(), "other_shapes"));
    assert_int_equal(tact_step_check(sim, TACT_STEP_OTHER_SHAPES), TACT_OK);
    step_lanes_create(sim, 0, 1, &lanes);
    for (int s = 0; s < 60; s++) {
        TactStepCounts counts;
        step_lanes_step(&lanes, &counts);
        if (counts.left > 0) {
            assert_int_equal(lanes.step.worlds.left[0], TACT_STEP_LEFT_SHAPE);
            break;
        }
        assert_int_equal(tact_sim_step(sim, NULL), TACT_OK);
        free_steps++;
    }
    // 0.12 m take 0.156 s of free fall; it is left a step or two before that.
    print_message("  left after %d steps, %.2g apart until then\n", free_steps,
                  steps_compare(sim, &lanes, 0));
    assert_true(free_steps >= 36 && free_steps <= 39);
    assert_true(steps_compare(sim, &lanes, 0) <= 1e-12);
    step_lanes_destroy(&lanes);
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void test_what_the_gpu_lacks_is_listed(void **state)
{
    TactModel *model = steps_read_text(
        "<mujoco>" DENTED "<worldbody><geom type='plane' size='1 1 1'/>"
        "<body><freejoint/><geom type='mesh' mesh='dented'/></body>"
        "<body><freejoint/><geom type='cylinder' size='0.1 0.1' condim='4'/></body>"
        "<body pos='0 0 2'><joint axis='1 0 0' frictionloss='1'/><geom "
        "type='box' size='1 1 1'/></body><body gravcomp='1'><freejoint/><geom size='1'/></body>"
        "</worldbody></mujoco>");
    TactSim      *sim = NULL;
    TactSimConfig config = tact_sim_config_default(model);
    (void)state;
    config.cone = TACT_CONE_BOX;
    assert_int_equal(tact_sim_create(model, &config, &sim), TACT_OK);
    assert_int_equal(tact_step_check(sim, false), TACT_UNSUPPORTED);
    const char *text = tact_status_message();
    assert_non_null(strstr(text, "the friction box"));
    assert_non_null(strstr(text, "gravity compensation"));
    assert_null(strstr(text, "dry friction"));
    assert_non_null(strstr(text, "plane with mesh"));
    tact_sim_destroy(sim);
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bipeds_step_as_the_simulation),
        cmocka_unit_test(test_a_block_stays_on_a_slope),
        cmocka_unit_test(test_a_sphere_rolls_down_a_slope),
        cmocka_unit_test(test_fingers_hold_a_capsule),
        cmocka_unit_test(test_a_chain_keeps_its_energy),
        cmocka_unit_test(test_a_humanoid_loses_as_much_energy),
        cmocka_unit_test(test_blocks_slide_as_far_as_the_simulation_in_every_direction),
        cmocka_unit_test(test_ellipsoids_touch_where_the_processor_says),
        cmocka_unit_test(test_other_shapes_are_left_where_they_come_near),
        cmocka_unit_test(test_what_the_gpu_lacks_is_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
