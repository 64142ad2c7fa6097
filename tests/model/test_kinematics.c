// Where bodies stand: closed forms of single joints and of several on one body.
#include <math.h>

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on
#include <tact/model.h>

static TactModelBuilder *builder;
static TactModel        *model;

static int setup(void **state)
{
    (void)state;
    model = NULL;
    return tact_model_builder_create(&builder) == TACT_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    tact_model_builder_destroy(builder);
    tact_model_destroy(model);
    return 0;
}

static const TactSource here = {NULL, 0};

static int add_body(int parent, TactTransform pose)
{
    TactBodyDesc body = tact_body_default();
    int          index;
    body.parent = parent;
    body.pose = pose;
    body.has_inertia = true;
    body.inertia = (TactInertia){1, {0, 0, 0}, tact_mat3_identity()};
    assert_int_equal(tact_model_builder_add_body(builder, &body, here, &index), TACT_OK);
    return index;
}

static void add_joint(int body, TactJointType type, TactVec3 position, TactVec3 axis,
                      double reference)
{
    TactJoint joint = tact_joint_default(type);
    joint.body = body;
    joint.position = position;
    joint.axis = axis;
    joint.reference = reference;
    assert_int_equal(tact_model_builder_add_joint(builder, &joint, here, NULL), TACT_OK);
}

static void compile(void)
{
    if (tact_model_builder_compile(builder, &model) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
}

/// The body's pose takes its origin and its x axis to these.
static void expect(TactTransform pose, TactVec3 origin, TactVec3 x_axis)
{
    TactVec3 e1 = {1, 0, 0};
    TactVec3 error = tact_vec3_subtract(pose.position, origin);
    TactVec3 turned = tact_vec3_subtract(tact_quat_rotate(pose.rotation, e1), x_axis);
    assert_true(tact_vec3_norm(error) < 1e-15);
    assert_true(tact_vec3_norm(turned) < 1e-15);
}

static TactTransform at(double x, double y, double z)
{
    TactTransform pose = tact_transform_identity();
    pose.position = (TactVec3){x, y, z};
    return pose;
}

static void a_hinge_turns_its_body_about_the_anchor(void **state)
{
    (void)state;
    TactTransform poses[2];
    add_joint(add_body(0, at(1, 0, 0)), TACT_JOINT_HINGE, (TactVec3){0, 1, 0}, (TactVec3){0, 0, 3},
              0.25);
    compile();
    tact_model_compute_poses(model, (double[]){0.25}, poses); // at its reference
    expect(poses[1], (TactVec3){1, 0, 0}, (TactVec3){1, 0, 0});
    tact_model_compute_poses(model, (double[]){0.25 + acos(0)}, poses); // a quarter about (1, 1)
    expect(poses[1], (TactVec3){2, 1, 0}, (TactVec3){0, 1, 0});
}

static void a_slide_moves_along_its_axis_as_joints_before_it_turned_it(void **state)
{
    (void)state;
    TactTransform poses[2];
    int           body = add_body(0, at(0, 0, 1));
    add_joint(body, TACT_JOINT_HINGE, (TactVec3){0, 0, 0}, (TactVec3){0, 0, 1}, 0);
    add_joint(body, TACT_JOINT_SLIDE, (TactVec3){0, 0, 0}, (TactVec3){1, 0, 0}, 0.5);
    compile();
    tact_model_compute_poses(model, (double[]){acos(0), 2.5}, poses);
    expect(poses[1], (TactVec3){0, 2, 1}, (TactVec3){0, 1, 0});
}

static void a_ball_turns_about_its_anchor_by_a_quaternion_of_any_length(void **state)
{
    (void)state;
    TactTransform poses[2];
    add_joint(add_body(0, at(0, 0, 0)), TACT_JOINT_BALL, (TactVec3){1, 0, 0}, (TactVec3){0, 0, 1},
              0);
    compile();
    tact_model_compute_poses(model, (double[]){0, 0, 0, 5}, poses); // half a turn about z
    expect(poses[1], (TactVec3){2, 0, 0}, (TactVec3){-1, 0, 0});
}

static void a_free_body_stands_where_q_says_and_carries_the_next(void **state)
{
    (void)state;
    TactTransform poses[3];
    int           body = add_body(0, at(9, 9, 9));
    add_joint(body, TACT_JOINT_FREE, (TactVec3){0, 0, 0}, (TactVec3){0, 0, 1}, 0);
    add_body(body, at(1, 0, 0));
    compile();
    tact_model_compute_poses(model, (double[]){1, 2, 3, sqrt(0.5), 0, 0, sqrt(0.5)}, poses);
    expect(poses[1], (TactVec3){1, 2, 3}, (TactVec3){0, 1, 0});
    expect(poses[2], (TactVec3){1, 3, 3}, (TactVec3){0, 1, 0});
    tact_model_compute_poses(model, model->q_reference, poses);
    expect(poses[1], (TactVec3){9, 9, 9}, (TactVec3){1, 0, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_hinge_turns_its_body_about_the_anchor, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slide_moves_along_its_axis_as_joints_before_it_turned_it,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_ball_turns_about_its_anchor_by_a_quaternion_of_any_length,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_free_body_stands_where_q_says_and_carries_the_next, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
