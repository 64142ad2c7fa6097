// Forces of loops and couplings that hold the same thing more than once: the split of least norm,
// whatever the order of bodies and equalities; the motion is not touched.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tact/dynamics.h>

#include "sim/scene.h"

static const double SAME = 1e-9; // N and N m, of loads of a few: the order changes no more

/// What every equality does to one body: force, and moment about the origin of the world.
typedef struct Wrenches {
    TactWrench of[4];
} Wrenches;

/// The last of so many steps of a scene.
static Wrenches measure(const char *xml, const char *body_name, int steps)
{
    TactScene     scene = tact_scene_of_text(xml);
    TactDynamics *d = NULL;
    TactSimRows   rows;
    Wrenches      w = {0};
    int           body = tact_model_find(scene.model, TACT_OBJECT_BODY, body_name);
    assert_true(body > 0);
    assert_int_equal(tact_dynamics_create(scene.model, &d), TACT_OK);
    for (int i = 0; i < steps; i++) {
        assert_int_equal(tact_dynamics_set_position(d, scene.state->q), TACT_OK);
        tact_scene_step(&scene);
    }
    assert_int_equal(tact_sim_compute_rows(scene.sim, &rows), TACT_OK);
    for (int k = 0; k < rows.count; k++) {
        const TactEquality *e = &scene.model->equalities[rows.rows[k].index];
        assert_int_equal(rows.rows[k].type, TACT_OBJECT_EQUALITY);
        assert_true(e->a == body || e->b == body);
        TactTransform a = tact_dynamics_view_poses(d)[e->a], b = tact_dynamics_view_poses(d)[e->b];
        double        axes[6] = {0}, sign = e->b == body ? 1 : -1;
        axes[rows.rows[k].part] = sign * rows.rows[k].force;
        TactVec3    f = tact_quat_rotate(a.rotation, (TactVec3){axes[0], axes[1], axes[2]});
        TactVec3    m = tact_quat_rotate(a.rotation, (TactVec3){axes[3], axes[4], axes[5]});
        TactVec3    at = tact_transform_point(b, e->anchor_b);
        TactWrench *sum = &w.of[rows.rows[k].index];
        sum->force = tact_vec3_add(sum->force, f);
        sum->torque = tact_vec3_add(sum->torque, tact_vec3_add(m, tact_vec3_cross(at, f)));
    }
    tact_dynamics_destroy(d);
    tact_scene_close(&scene);
    return w;
}

static void same_vectors(TactVec3 a, TactVec3 b)
{
    double off = tact_vec3_norm(tact_vec3_subtract(a, b));
    if (!(off <= SAME)) {
        fail_msg("(%.12g %.12g %.12g) is not (%.12g %.12g %.12g)", a.x, a.y, a.z, b.x, b.y, b.z);
    }
}

static void same_wrenches(TactWrench a, TactWrench b)
{
    same_vectors(a.force, b.force);
    same_vectors(a.torque, b.torque);
}

#define HEAD                                             \
    "<mujoco><option timestep='.002' gravity='1 2 -3'/>" \
    "<default><geom contype='0' conaffinity='0'/></default><worldbody>"
#define BODY                                                                                     \
    "<body name='held' pos='.1 .2 .3' euler='20 30 40'><freejoint/><inertial pos='.1 .05 -.02' " \
    "mass='2' diaginertia='.02 .03 .04'/></body>"

/// One point held twice: each of the two bears one half, in every order.
static void what_is_held_twice_bears_halves(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"<connect body1='held' anchor='.05 0 0'/>", "<connect body1='held' anchor='.05 0 0'/>"},
        {"<weld body1='held' body2='post'/>", "<weld body1='held' body2='post'/>"},
    };
    for (int k = 0; k < 2; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 HEAD "<body name='post' pos='0 0 1'/>" BODY
                      "</worldbody><equality>%s%s</equality></mujoco>",
                 pairs[k][0], pairs[k][1]);
        Wrenches w = measure(text, "held", 3);
        same_wrenches(w.of[0], w.of[1]);
        assert_true(tact_vec3_norm(w.of[0].force) > 1);
    }
}

/// A body on two points of an axis: what acts along it, 2 kg at 4 m/s^2, is split into halves,
/// wherever the mass is.
static void a_force_along_two_points_is_split_into_halves(void **state)
{
    (void)state;
    static const char *const orders[] = {
        "<connect site1='a' site2='A'/><connect site1='b' site2='B'/>",
        "<connect site1='A' site2='a'/><connect site1='b' site2='B'/>",
        "<connect site1='a' site2='A'/><connect site1='B' site2='b'/>",
    };
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "<mujoco><option timestep='.002' gravity='4 0 -9'/><worldbody>"
                 "<site name='A' pos='0 0 1'/><site name='B' pos='1 0 1'/>"
                 "<body name='bar' pos='0 0 1'><freejoint/><inertial pos='.2 0 0' mass='2' "
                 "diaginertia='.01 .3 .3'/><site name='a' pos='0 0 0'/><site name='b' "
                 "pos='1 0 0'/></body></worldbody><equality>%s</equality></mujoco>",
                 orders[k]);
        Wrenches w = measure(text, "bar", 2);
        same_vectors(w.of[0].force, (TactVec3){-4, 0, 0.8 * 18});
        same_vectors(w.of[1].force, (TactVec3){-4, 0, 0.2 * 18});
    }
}

#define WELDS                                                                                     \
    HEAD "<body name='post' pos='0 0 1' euler='50 0 10'><joint axis='0 1 0'/><inertial pos='0 0 " \
         ".1' mass='1' diaginertia='.01 .01 .02'/></body>" BODY                                   \
         "<body name='wall' pos='1 0 0' euler='10 20 0'/></worldbody><equality>%s</equality>"     \
         "</mujoco>"

/// Three ties of a body that moves with a post on a hinge: two welds to the post, one connect.
static void the_order_of_bodies_and_of_equalities_changes_no_force(void **state)
{
    (void)state;
    static const struct {
        const char *ties;
        int         place[3]; // of weld, other weld, connect
    } orders[] = {
        {"<weld body1='post' body2='held'/><weld body1='post' body2='held' anchor='.3 .1 0'/>"
         "<connect site1='s' site2='t'/>",
         {0, 1, 2}},
        {"<weld body1='held' body2='post'/><weld body1='post' body2='held' anchor='.3 .1 0'/>"
         "<connect site1='t' site2='s'/>",
         {0, 1, 2}},
        {"<connect site1='t' site2='s'/><weld body1='held' body2='post' anchor='0 0 -.7'/>"
         "<weld body1='held' body2='post'/>",
         {1, 2, 0}},
    };
    Wrenches first = {0};
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(text, sizeof text,
                 HEAD "<body name='post' pos='0 0 1' euler='50 0 10'><joint axis='0 1 0' "
                      "damping='.3'/><inertial pos='0 0 .1' mass='1' diaginertia='.01 .01 .02'/>"
                      "<site name='s' pos='.1 .2 -.7'/></body>"
                      "<body name='held' pos='0 0 1' euler='50 0 10'><freejoint/>"
                      "<inertial pos='.1 .05 -.2' mass='2' diaginertia='.02 .03 .04'/>"
                      "<site name='t' pos='.1 .2 -.7'/></body>"
                      "</worldbody><equality>%s</equality></mujoco>",
                 orders[k].ties);
        Wrenches w = measure(text, "held", 20);
        for (int i = 0; i < 3; i++) {
            same_wrenches(w.of[orders[k].place[i]], k == 0 ? w.of[i] : first.of[i]);
        }
        first = k == 0 ? w : first;
    }
    assert_true(tact_vec3_norm(first.of[2].force) > 0.1); // the connect bears its part
}

/// An arm in a plane, pressed by its springs against two welds and a connect out of its plane: the
/// plane may lie along the axes of the world, where some rows are zeros, or turned.
static void a_plane_that_is_turned_turns_its_forces(void **state)
{
    (void)state;
    TactQuat turn = tact_quat_normalise((TactQuat){0.9, 0.1, 0.3, -0.2});
    Wrenches w[2];
    for (int k = 0; k < 2; k++) {
        TactQuat q = k ? turn : tact_quat_identity();
        char     text[4096];
        snprintf(text, sizeof text,
                 "<mujoco><option gravity='0 0 0'/><worldbody><body name='base' quat='%.17g %.17g "
                 "%.17g %.17g'><body><joint axis='0 1 0' stiffness='3' springref='30'/><inertial "
                 "pos='.2 .1 0' mass='1' diaginertia='.01 .02 .02'/><body name='tip' pos='.4 0 "
                 "0'><joint axis='0 1 0' stiffness='2' springref='-50'/><inertial pos='.1 .2 .1' "
                 "mass='.5' diaginertia='.01 .02 .015'/><site name='s' pos='.3 .1 0'/></body>"
                 "</body><site name='t' pos='.7 .1 0'/></body></worldbody><equality>"
                 "<weld body1='base' body2='tip'/><weld body1='tip' body2='base'/>"
                 "<connect site1='s' site2='t'/></equality></mujoco>",
                 q.w, q.x, q.y, q.z);
        w[k] = measure(text, "tip", 3);
    }
    for (int i = 0; i < 3; i++) {
        w[1].of[i].force = tact_quat_rotate_back(turn, w[1].of[i].force);
        w[1].of[i].torque = tact_quat_rotate_back(turn, w[1].of[i].torque);
        same_wrenches(w[0].of[i], w[1].of[i]);
        assert_true(tact_vec3_norm(w[0].of[i].force) > 0.1);
    }
    same_wrenches(w[0].of[0], w[0].of[1]);
}

/// A coupling of two hinges, given twice, the second time the other way round and by the inverse
/// ratio: the torque that both exert on the first hinge is the same, whatever it is measured in.
static void a_coupling_twice_is_split_into_halves(void **state)
{
    (void)state;
    static const char *const orders[] = {
        "<joint joint1='x' joint2='y' polycoef='0 2 0 0 0'/>"
        "<joint joint1='y' joint2='x' polycoef='0 .5 0 0 0'/>",
        "<joint joint1='y' joint2='x' polycoef='0 .5 0 0 0'/>"
        "<joint joint1='x' joint2='y' polycoef='0 2 0 0 0'/>",
    };
    double torque[2][2];
    for (int k = 0; k < 2; k++) {
        char        text[2048];
        TactSimRows rows;
        snprintf(text, sizeof text,
                 "<mujoco><worldbody>"
                 "<body><joint name='x' axis='0 1 0'/><inertial pos='.3 0 0' mass='1' "
                 "diaginertia='.01 .01 .01'/></body>"
                 "<body pos='0 1 0'><joint name='y' axis='0 1 0'/><inertial pos='.2 0 0' mass='1' "
                 "diaginertia='.01 .02 .01'/></body></worldbody><equality>%s</equality></mujoco>",
                 orders[k]);
        TactScene scene = tact_scene_of_text(text);
        for (int i = 0; i < 10; i++) {
            tact_scene_step(&scene);
        }
        assert_int_equal(tact_sim_compute_rows(scene.sim, &rows), TACT_OK);
        assert_int_equal(rows.count, 2);
        for (int i = 0; i < 2; i++) { // of y = x / 2 the row is y - x / 2
            bool of_x = (rows.rows[i].index == 0) == (k == 0);
            torque[k][of_x ? 0 : 1] = (of_x ? 1 : -0.5) * rows.rows[i].force;
        }
        tact_scene_close(&scene);
    }
    for (int k = 0; k < 2; k++) {
        assert_true(fabs(torque[k][0] - torque[k][1]) <= SAME);
        assert_true(fabs(torque[k][0] - torque[0][0]) <= SAME);
        assert_true(fabs(torque[k][0]) > 0.1);
    }
}

/// Who asks for forces does not touch the motion; who asks again gets the same.
static void asking_changes_no_bit(void **state)
{
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, WELDS,
             "<weld body1='post' body2='held'/><weld body1='held' body2='post'/>"
             "<connect body1='held' body2='post' anchor='.1 0 0'/>");
    TactScene plain = tact_scene_of_text(text), asked = tact_scene_of_text(text);
    for (int i = 0; i < 50; i++) {
        TactSimReport  a, b;
        TactSimRows    rows;
        TactSimSharing sharing;
        assert_int_equal(tact_sim_step(plain.sim, &a), TACT_OK);
        assert_int_equal(tact_sim_step(asked.sim, &b), TACT_OK);
        assert_true(a.hash == b.hash);
        assert_int_equal(tact_sim_compute_rows(asked.sim, &rows), TACT_OK);
        double before = rows.rows[0].force;
        assert_int_equal(tact_sim_compute_rows(asked.sim, &rows), TACT_OK);
        assert_true(rows.rows[0].force == before);
        assert_int_equal(tact_sim_compute_sharing(asked.sim, &sharing), TACT_OK);
        assert_int_equal(sharing.shared, 1);
        assert_int_equal(sharing.kept, 0);
    }
    tact_scene_close(&plain);
    tact_scene_close(&asked);
}

/// Forces that are unique keep their bits.
static void what_is_unique_is_left_alone(void **state)
{
    (void)state;
    static const char *const xml = HEAD BODY "</worldbody><equality><connect body1='held' "
                                             "anchor='.05 0 0'/></equality></mujoco>";
    TactScene                           least = tact_scene_of_text(xml);
    TactSimRows                         rows;
    TactSimSharing                      sharing;
    tact_scene_step(&least);
    assert_int_equal(tact_sim_compute_rows(least.sim, &rows), TACT_OK);
    assert_int_equal(rows.count, 3);
    assert_int_equal(tact_sim_compute_sharing(least.sim, &sharing), TACT_OK);
    assert_int_equal(sharing.shared, 0);
    assert_int_equal(sharing.kept, 0);
    tact_scene_close(&least);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_twice_bears_halves),
        cmocka_unit_test(a_force_along_two_points_is_split_into_halves),
        cmocka_unit_test(the_order_of_bodies_and_of_equalities_changes_no_force),
        cmocka_unit_test(a_plane_that_is_turned_turns_its_forces),
        cmocka_unit_test(a_coupling_twice_is_split_into_halves),
        cmocka_unit_test(asking_changes_no_bit),
        cmocka_unit_test(what_is_unique_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
