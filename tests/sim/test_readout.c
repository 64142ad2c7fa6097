// What a step tells: forces that balance, wrenches of pairs and joints, shares of a load.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/text_scene.h"

static const double g = 9.81;

#define HEAD "<mujoco><compiler angle='radian'/><option timestep='0.002'/>"
#define FLOOR "<geom name='floor' type='plane' size='5 5 .1' friction='.5'/>"

// An arm with springs, dampers, motors, a limit, dry friction, a tendon and a closed loop, which
// falls onto the floor together with a box.
static const char *const everything = HEAD
    "<worldbody>" FLOOR
    "<body name='base' pos='0 0 .3'><joint name='turn' axis='0 0 1' damping='.2'"
    " armature='.01'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.03' mass='1'/>"
    "<body name='upper' pos='.3 0 0'><joint name='elbow' axis='0 1 0' stiffness='3' damping='.1'"
    " frictionloss='.3' range='-1 .6' limited='true'/>"
    "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.03' mass='.7'/>"
    "<body name='fixed' pos='.3 0 0'><geom size='.05' mass='.2'/>"
    "<body name='hand' pos='.05 0 0'><joint name='wrist' type='ball' damping='.02'/>"
    "<geom name='hand' type='box' size='.06 .04 .02' pos='.06 0 0' mass='.3'/></body></body></body>"
    "</body>"
    "<body name='rod' pos='0 .3 .6'><joint name='swing' axis='1 0 0'/>"
    "<geom type='capsule' fromto='0 0 0 0 .3 0' size='.02' mass='.4'/>"
    "<body name='rod2' pos='0 .3 0'><joint name='swing2' axis='1 0 0' armature='.002'/>"
    "<geom type='capsule' fromto='0 0 0 0 .3 0' size='.02' mass='.4'/></body></body>"
    "<body name='box' pos='-.5 0 .1001'><freejoint name='box'/>"
    "<geom name='box' type='box' size='.1 .1 .1' mass='2'/></body>"
    "</worldbody>"
    "<equality><connect body1='rod2' anchor='0 .3 0'/></equality>"
    "<actuator><motor joint='turn' name='turn'/><position joint='elbow' kp='20' kv='1' "
    "name='elbow'/>"
    "</actuator></mujoco>";

static double balance(const TactSimForces *f, int i)
{
    double acting = f->actuators[i] + f->passive[i] + f->applied[i] + f->contacts[i] + f->loops[i] +
                    f->limits[i] + f->friction[i];
    return f->inertia[i] + f->bias[i] - acting;
}

static double size_of(const TactSimForces *f, int nv)
{
    double most = 1;
    for (int i = 0; i < nv; i++) {
        most = fmax(most, fmax(fabs(f->bias[i]), fabs(f->contacts[i])));
        most = fmax(most, fmax(fabs(f->inertia[i]), fabs(f->loops[i])));
    }
    return most;
}

static void forces_of_every_step_add_up_to_mass_times_acceleration(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(everything);
    double        worst = 0;
    bool          touched = false, limited = false;
    for (int k = 0; k < 600; k++) {
        scene.state->ctrl[0] = sin(0.02 * k);
        scene.state->ctrl[1] = 2; // into the limit
        scene.state->external[1].force = (TactVec3){0.1, 0.2, 0.3};
        tact_test_scene_step(&scene, 1);
        TactSimForces f;
        assert_int_equal(tact_sim_compute_forces(scene.sim, &f), TACT_OK);
        for (int i = 0; i < scene.model->nv; i++) {
            worst = fmax(worst, fabs(balance(&f, i)) / size_of(&f, scene.model->nv));
            limited = limited || f.limits[i] != 0;
            touched = touched || (i < 5 && f.contacts[i] != 0);
        }
    }
    printf("balance of generalized forces over 600 steps: %.1e of the largest\n", worst);
    assert_true(touched && limited);
    assert_true(worst < 1e-10);
    tact_test_scene_close(&scene);
}

/// The wrench through a joint, seen along the joint's axes, is what acts on these dofs.
static void wrenches_through_joints_do_what_the_dofs_say(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(everything);
    const char   *names[] = {"turn", "elbow", "swing", "swing2"};
    double        worst = 0;
    for (int k = 0; k < 400; k++) {
        scene.state->ctrl[0] = 1;
        TactTransform poses[16];
        tact_model_compute_poses(scene.model, scene.state->q, poses);
        tact_test_scene_step(&scene, 1);
        TactSimForces f;
        assert_int_equal(tact_sim_compute_forces(scene.sim, &f), TACT_OK);
        double size = size_of(&f, scene.model->nv);
        for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
            int              index = tact_model_find(scene.model, TACT_OBJECT_JOINT, names[n]);
            const TactJoint *joint = &scene.model->joints[index];
            TactVec3         axis = tact_quat_rotate(poses[joint->body].rotation, joint->axis);
            int              i = joint->dof;
            double           along = tact_vec3_dot(f.joint[joint->body].torque, axis);
            double           acting = f.actuators[i] + f.passive[i] + f.limits[i] + f.friction[i] -
                            joint->armature * f.acceleration[i];
            worst = fmax(worst, fabs(along - acting) / size);
        }
        // nothing holds a free body, and the loop holds the end of rod2
        int        box = tact_model_find(scene.model, TACT_OBJECT_BODY, "box");
        TactWrench none = f.joint[box];
        worst = fmax(worst, (tact_vec3_norm(none.force) + tact_vec3_norm(none.torque)) / size);
    }
    printf("wrenches through joints over 400 steps: off by %.1e of the largest force\n", worst);
    assert_true(worst < 1e-10);
    tact_test_scene_close(&scene);
}

static void a_free_body_moves_as_newton_says(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        HEAD "<worldbody>" FLOOR "<body name='box' pos='0 0 .3' euler='.3 .2 .1'><freejoint/>"
             "<geom type='box' size='.1 .2 .05' mass='2'/></body></worldbody></mujoco>");
    bool   hit = false;
    double worst = 0;
    for (int k = 0; k < 400; k++) {
        const double *v = scene.state->v;
        TactVec3      before = {v[0], v[1], v[2]};
        tact_test_scene_step(&scene, 1);
        TactWrench net[2];
        assert_int_equal(tact_sim_compute_wrenches(scene.sim, net), TACT_OK);
        TactVec3 change = tact_vec3_subtract((TactVec3){v[0], v[1], v[2]}, before);
        TactVec3 acting = tact_vec3_add(net[1].force, (TactVec3){0, 0, -2 * g});
        TactVec3 off = tact_vec3_add_scaled(acting, -2 / 0.002, change);
        worst = fmax(worst, tact_vec3_norm(off) / (2 * g + tact_vec3_norm(net[1].force)));
        hit = hit || net[1].force.z > 100;
        // what is done to the box is done to the world, the other way
        assert_true(tact_vec3_norm(tact_vec3_add(net[0].force, net[1].force)) < 1e-9);
    }
    printf("m dv/dt against gravity and contacts over 400 steps: %.1e\n", worst);
    assert_true(hit && worst < 1e-10);
    tact_test_scene_close(&scene);
}

static void pairs_act_and_react_about_any_point(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(everything);
    scene.state->ctrl[1] = 2;
    tact_test_scene_step(&scene, 500);
    TactSimPairs  all = {0};
    TactTransform poses[16];
    assert_int_equal(tact_sim_compute_pairs(scene.sim, &all), TACT_OK);
    assert_true(all.count >= 2);
    tact_test_scene_step(&scene, 1); // poses of the beginning of the next step
    tact_model_compute_poses(scene.model, scene.state->q, poses);
    tact_test_scene_step(&scene, 1);
    assert_int_equal(tact_sim_compute_pairs(scene.sim, &all), TACT_OK);
    const TactSimPair *pairs = all.pairs;
    for (int k = 0; k < all.count; k++) {
        TactWrench about_origin[2] = {pairs[k].on_a, pairs[k].on_b};
        for (int side = 0; side < 2; side++) {
            int      b = pairs[k].body[side];
            TactVec3 com = tact_transform_point(poses[b], scene.model->bodies[b].inertia.com);
            about_origin[side].torque = tact_vec3_add(
                about_origin[side].torque, tact_vec3_cross(com, about_origin[side].force));
        }
        TactWrench sum = tact_wrench_add(about_origin[0], about_origin[1]);
        assert_true(pairs[k].body[0] < pairs[k].body[1] && pairs[k].contact_count > 0);
        assert_true(tact_vec3_norm(sum.force) == 0);
        assert_true(tact_vec3_norm(sum.torque) < 1e-10);
    }
    tact_test_scene_close(&scene);
}

static void a_stack_carries_the_weight_of_what_is_above(void **state)
{
    (void)state;
    char text[4096];
    int  used = snprintf(text, sizeof text, HEAD "<worldbody>" FLOOR);
    for (int k = 0; k < 6; k++) {
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<body pos='0 0 %g'><freejoint/><geom type='box' size='.05 .05 .05' "
                         "mass='%d'/></body>",
                         0.05 + 0.1 * k, k + 1);
    }
    snprintf(text + used, sizeof text - (size_t)used, "</worldbody></mujoco>");
    TactTestScene scene = tact_test_scene(text);
    tact_test_scene_step(&scene, 50);
    TactSimPairs all = {0};
    double       above = 0;
    assert_int_equal(tact_sim_compute_pairs(scene.sim, &all), TACT_OK);
    assert_int_equal(all.count, 6);
    const TactSimPair *pairs = all.pairs;
    for (int k = 5; k >= 0; k--) { // pair k: body k under body k + 1, of the mass k + 1
        above += (k + 1) * g;
        assert_true(pairs[k].body[0] == k && pairs[k].body[1] == k + 1);
        assert_true(fabs(pairs[k].on_b.force.z - above) < 1e-10 * above);
        assert_true(fabs(pairs[k].on_b.torque.x) + fabs(pairs[k].on_b.torque.y) < 1e-10 * above);
    }
    tact_test_scene_close(&scene);
}

/// A beam of length l and weight W, hinged at one end, on a peg at the distance d: the peg carries
/// W l / 2d, the hinge the rest.
static void a_beam_on_a_peg_has_the_forces_of_statics(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        HEAD
        "<worldbody><geom name='peg' type='sphere' size='.05' pos='.6 0 -.07' friction='0'/>"
        "<body name='beam'><joint name='pin' axis='0 1 0'/>"
        "<geom name='beam' type='box' size='.4 .02 .02' pos='.4 0 0' mass='3' friction='0'/></body>"
        "</worldbody></mujoco>");
    tact_test_scene_step(&scene, 20);
    int                   count = 0;
    const TactSimContact *contacts = tact_sim_view_contacts(scene.sim, &count);
    double                peg = 3 * g * 0.4 / 0.6;
    assert_int_equal(count, 1);
    assert_true(fabs(contacts[0].force[0] - peg) < 1e-10 * peg);
    TactSimForces f;
    assert_int_equal(tact_sim_compute_forces(scene.sim, &f), TACT_OK);
    TactWrench pin = f.joint[1];
    assert_true(fabs(pin.force.z - (3 * g - peg)) < 1e-10 * peg);
    assert_true(fabs(pin.force.x) + fabs(pin.force.y) + tact_vec3_norm(pin.torque) < 1e-10 * peg);
    TactContactDiagnosis diagnosis;
    assert_int_equal(tact_sim_compute_diagnosis(scene.sim, &diagnosis), TACT_OK);
    assert_true(diagnosis.unique && diagnosis.group == -1);
    tact_test_scene_close(&scene);
}

/// A beam of length 1 hinged to the wall, and a strut from the wall 1 below that is pinned to its
/// end; weights W and w at their middles.
static void a_bracket_has_the_forces_of_statics(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        HEAD
        "<worldbody><body name='beam'><joint axis='0 1 0'/>"
        "<geom type='box' size='.5 .02 .02' pos='.5 0 0' mass='4' contype='0' conaffinity='0'/>"
        "</body><body name='strut' pos='0 0 -1'><joint axis='0 1 0'/>"
        "<geom type='capsule' fromto='0 0 0 1 0 1' size='.02' mass='2' contype='0' "
        "conaffinity='0'/></body></worldbody>"
        "<equality><connect body1='strut' body2='beam' anchor='1 0 1'/></equality></mujoco>");
    tact_test_scene_step(&scene, 20);
    // The pin does (F_x, F_z) to the beam. Beam, about its hinge: F_z = W / 2. Strut, about its
    // own, with -(F_x, F_z) at (1, 1): w / 2 + F_z - F_x = 0.
    double        W = 4 * g, w = 2 * g, F_z = W / 2, F_x = F_z + w / 2;
    TactSimRows   all = {0};
    TactSimForces f;
    assert_int_equal(tact_sim_compute_rows(scene.sim, &all), TACT_OK);
    assert_int_equal(all.count, 3);
    const TactSimRow *rows = all.rows;
    assert_int_equal(rows[2].type, TACT_OBJECT_EQUALITY);
    assert_int_equal(rows[2].part, 2);
    assert_true(fabs(rows[0].force - F_x) < 1e-9 * W && fabs(rows[2].force - F_z) < 1e-9 * W);
    assert_int_equal(tact_sim_compute_forces(scene.sim, &f), TACT_OK);
    TactVec3 beam = f.joint[1].force, strut = f.joint[2].force;
    assert_true(fabs(beam.x + F_x) + fabs(beam.z - (W - F_z)) < 1e-9 * W);
    assert_true(fabs(strut.x - F_x) + fabs(strut.z - (w + F_z)) < 1e-9 * W);
    tact_test_scene_close(&scene);
}

static void three_feet_have_one_answer_and_four_have_many(void **state)
{
    (void)state;
    for (int feet = 3; feet <= 4; feet++) {
        char text[2048];
        snprintf(text, sizeof text,
                 HEAD "<default><geom friction='0' mass='1'/></default>"
                      "<worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .1'><freejoint/>"
                      "<geom size='.02' pos='.2 0 -.08'/><geom size='.02' pos='-.2 .1 -.08'/>"
                      "<geom size='.02' pos='-.2 -.1 -.08'/><geom size='.02' pos='0 .15 %g'/>"
                      "</body></worldbody></mujoco>",
                 feet == 4 ? -0.08 : 0.08);
        TactTestScene scene = tact_test_scene(text);
        tact_test_scene_step(&scene, 2);
        TactContactDiagnosis diagnosis[4];
        TactSimPatches       patches;
        int                  count = 0;
        tact_sim_view_contacts(scene.sim, &count);
        assert_int_equal(count, feet);
        assert_int_equal(tact_sim_compute_diagnosis(scene.sim, diagnosis), TACT_OK);
        assert_int_equal(tact_sim_compute_patches(scene.sim, &patches), TACT_OK);
        assert_int_equal(patches.count, feet);
        for (int k = 0; k < feet; k++) {
            assert_true(diagnosis[k].unique == (feet == 3));
            assert_true(patches.patches[k].unique == (feet == 3));
            assert_true(patches.patches[k].net_unique == (feet == 3));
            assert_true(patches.patches[k].normal_unique == (feet == 3));
        }
        tact_test_scene_close(&scene);
    }
}

// ---------------------------------------------------------------------------------------------
// Shares

#define SLOPE(mu)                                                                                \
    HEAD "<worldbody><geom name='slope' type='plane' size='2 2 .1' euler='0 .3 0' friction='" mu \
         "'/><body name='block' pos='.0147760103330670 0 .0477668244562803' euler='0 .3 0'>"     \
         "<freejoint/><geom name='block' type='box' size='.05 .05 .05' friction='" mu            \
         "' mass='1'/></body></worldbody></mujoco>"

static double sum_of(const double *shares)
{
    double sum = 0;
    for (int k = 0; k < TACT_SIM_LOAD_COUNT; k++) {
        sum += shares[k];
    }
    return sum;
}

static void a_load_is_shared_out_to_where_it_comes_from(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(SLOPE("0.5"));
    // pushed down the slope by 0.7 N, and onto it by 0.4 N
    TactVec3 down = {cos(0.3), 0, -sin(0.3)}, in = {-sin(0.3), 0, -cos(0.3)};
    scene.state->external[1].force = tact_vec3_add_scaled(tact_vec3_scale(0.7, down), 0.4, in);
    tact_test_scene_step(&scene, 5);
    TactSimPatches found;
    assert_int_equal(tact_sim_compute_patches(scene.sim, &found), TACT_OK);
    assert_int_equal(found.count, 1);
    const TactSimPatch *p = &found.patches[0];
    assert_int_equal(p->state, TACT_STATE_STICK);
    assert_int_equal(p->contact_count, 4);
    assert_true(!p->unique && p->net_unique && p->explained);
    double weight = g * sin(0.3), press = g * cos(0.3);
    assert_true(fabs(p->needed - (weight + 0.7)) < 1e-9);
    assert_true(fabs(p->needed_shares[TACT_SIM_LOAD_GRAVITY] - weight) < 1e-9);
    assert_true(fabs(p->needed_shares[TACT_SIM_LOAD_APPLIED] - 0.7) < 1e-9);
    assert_true(fabs(p->normal_shares[TACT_SIM_LOAD_GRAVITY] - press) < 1e-9);
    assert_true(fabs(p->normal_shares[TACT_SIM_LOAD_APPLIED] - 0.4) < 1e-9);
    assert_true(fabs(sum_of(p->needed_shares) - p->needed) < 1e-9);
    assert_true(fabs(sum_of(p->normal_shares) - p->normal_force) < 1e-9);
    assert_true(fabs(p->friction_used - (weight + 0.7) / (0.5 * (press + 0.4))) < 1e-9);
    tact_test_scene_close(&scene);
}

static void what_slides_is_told_what_it_would_take_to_hold(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(SLOPE("0.2"));
    tact_test_scene_step(&scene, 50);
    TactSimPatches found;
    assert_int_equal(tact_sim_compute_patches(scene.sim, &found), TACT_OK);
    const TactSimPatch *p = &found.patches[0];
    assert_int_equal(p->state, TACT_STATE_SLIDE);
    assert_true(fabs(p->needed - g * sin(0.3)) < 1e-9); // whatever its speed
    assert_true(fabs(p->needed_shares[TACT_SIM_LOAD_GRAVITY] - g * sin(0.3)) < 1e-9);
    assert_true(p->needed_shares[TACT_SIM_LOAD_MOTION] == 0);
    assert_true(fabs(p->friction_used - 1) < 1e-9);
    // v = (sin - mu cos) g t, of 50 steps, and the one that is told of ends at the 50th
    assert_true(fabs(p->slip - 0.1 * g * (sin(0.3) - 0.2 * cos(0.3))) < 1e-9);
    tact_test_scene_close(&scene);
}

/// A box between two motors: normal forces come from them, and friction carries the weight.
static void a_grip_is_shared_out_between_motors_and_weight(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        HEAD "<worldbody><body pos='-.2 0 0'><joint name='l' type='slide' axis='1 0 0'/>"
             "<geom type='sphere' size='.1' mass='1'/></body>"
             "<body pos='.2 0 0'><joint name='r' type='slide' axis='-1 0 0'/>"
             "<geom type='sphere' size='.1' mass='1'/></body>"
             "<body name='held'><freejoint/><geom type='box' size='.1 .1 .1' mass='.5'/></body>"
             "</worldbody><actuator><motor joint='l'/><motor joint='r'/></actuator></mujoco>");
    scene.state->ctrl[0] = scene.state->ctrl[1] = 20;
    tact_test_scene_step(&scene, 20);
    TactSimPatches found;
    assert_int_equal(tact_sim_compute_patches(scene.sim, &found), TACT_OK);
    assert_int_equal(found.count, 2);
    double lifted = 0;
    for (int k = 0; k < 2; k++) {
        const TactSimPatch *p = &found.patches[k];
        assert_true(fabs(p->normal_shares[TACT_SIM_LOAD_ACTUATORS] - 20) < 1e-9);
        assert_true(fabs(p->normal_force - 20) < 1e-9);
        lifted += fabs(p->friction.z);
        // moments about the other finger leave each half of the weight
        assert_true(p->normal_unique && p->net_unique);
        assert_true(fabs(p->needed - 0.25 * g) < 1e-9);
        assert_true(fabs(p->needed_shares[TACT_SIM_LOAD_GRAVITY] - p->needed) < 1e-9);
    }
    assert_true(fabs(lifted - 0.5 * g) < 1e-9);
    tact_test_scene_close(&scene);
}

// ---------------------------------------------------------------------------------------------
// Questions

static void energy_is_that_of_the_state(void **state)
{
    (void)state;
    TactTestScene scene = tact_test_scene(
        HEAD "<worldbody><body pos='0 0 2'><freejoint/><geom size='.1' mass='3'/></body>"
             "</worldbody></mujoco>");
    scene.state->v[0] = 2;
    TactSimEnergy energy;
    assert_int_equal(tact_sim_compute_energy(scene.sim, &energy), TACT_OK);
    assert_true(fabs(energy.kinetic - 6) < 1e-12);
    assert_true(fabs(energy.potential - 3 * g * 2) < 1e-12);
    tact_test_scene_close(&scene);
}

static void there_is_nothing_to_tell_before_a_step(void **state)
{
    (void)state;
    TactTestScene  scene = tact_test_scene(everything);
    TactSimForces  forces;
    TactSimPatches patches;
    assert_int_equal(tact_sim_compute_forces(scene.sim, &forces), TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "no step"));
    tact_test_scene_step(&scene, 1);
    assert_int_equal(tact_sim_compute_forces(scene.sim, &forces), TACT_OK);
    assert_int_equal(tact_sim_reset(scene.sim, -1), TACT_OK);
    assert_int_equal(tact_sim_compute_patches(scene.sim, &patches), TACT_BAD_ARGUMENT);
    tact_test_scene_close(&scene);
}

static void asking_does_not_change_the_run(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int asked = 0; asked < 2; asked++) {
        TactTestScene scene = tact_test_scene(everything);
        for (int k = 0; k < 300; k++) {
            hash[asked] = tact_test_scene_step(&scene, 1).hash;
            TactSimForces  forces;
            TactSimPatches patches;
            TactSimEnergy  energy;
            if (asked) {
                assert_int_equal(tact_sim_compute_patches(scene.sim, &patches), TACT_OK);
                assert_int_equal(tact_sim_compute_forces(scene.sim, &forces), TACT_OK);
                assert_int_equal(tact_sim_compute_energy(scene.sim, &energy), TACT_OK);
            }
        }
        tact_test_scene_close(&scene);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_of_every_step_add_up_to_mass_times_acceleration),
        cmocka_unit_test(wrenches_through_joints_do_what_the_dofs_say),
        cmocka_unit_test(a_free_body_moves_as_newton_says),
        cmocka_unit_test(pairs_act_and_react_about_any_point),
        cmocka_unit_test(a_stack_carries_the_weight_of_what_is_above),
        cmocka_unit_test(a_beam_on_a_peg_has_the_forces_of_statics),
        cmocka_unit_test(a_bracket_has_the_forces_of_statics),
        cmocka_unit_test(three_feet_have_one_answer_and_four_have_many),
        cmocka_unit_test(a_load_is_shared_out_to_where_it_comes_from),
        cmocka_unit_test(what_slides_is_told_what_it_would_take_to_hold),
        cmocka_unit_test(a_grip_is_shared_out_between_motors_and_weight),
        cmocka_unit_test(energy_is_that_of_the_state),
        cmocka_unit_test(there_is_nothing_to_tell_before_a_step),
        cmocka_unit_test(asking_does_not_change_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
