// What follows from the reference: q, anchors, relative poses, rest lengths, damping ratios.
#include "model/made.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-13 * fmax(1, fabs(expected)))) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

static void assert_vec3(TactVec3 value, TactVec3 expected)
{
    assert_near(value.x, expected.x);
    assert_near(value.y, expected.y);
    assert_near(value.z, expected.z);
}

static int add_posed(TactModelBuilder *builder, const char *name, int parent, TactTransform pose)
{
    TactBodyDesc body = made_body(name, parent);
    int          index;
    body.pose = pose;
    assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, &index), TACT_OK);
    return index;
}

static TactTransform pose(double x, double y, double z, double angle)
{
    return (TactTransform){tact_quat_from_axis_angle((TactVec3){1, -2, 3}, angle), {x, y, z}};
}

// ---------------------------------------------------------------------------------------------
// q

static void q_at_the_reference_and_with_springs_at_rest(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactTransform     at = pose(1, 2, 3, 0.5);
    made_add_joint(builder, "", add_posed(builder, "a", 0, at), TACT_JOINT_FREE);
    made_add_joint(builder, "", add_posed(builder, "b", 1, at), TACT_JOINT_BALL);
    TactJoint joint = tact_joint_default(TACT_JOINT_HINGE);
    joint.body = made_add_body(builder, "c", 2);
    joint.reference = 0.25;
    joint.spring_reference = -0.75;
    assert_int_equal(tact_model_builder_add_joint(builder, &joint, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(builder);
    assert_int_equal(model->nq, 12);
    assert_int_equal(model->nv, 10);
    const double expected[12] = {
        1, 2, 3, at.rotation.w, at.rotation.x, at.rotation.y, at.rotation.z, 1, 0, 0, 0, 0.25};
    for (int i = 0; i < 12; i++) {
        assert_near(model->q_reference[i], expected[i]);
        assert_near(model->q_spring[i], i == 11 ? -0.75 : expected[i]);
    }
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Equalities

static void a_connect_finds_its_anchor_in_the_other_body(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactTransform     at_a = pose(1, 2, 3, 0.5), at_b = pose(-1, 0, 2, 1.5),
                  at_c = pose(0.3, 0.1, 0, -2);
    int          a = add_posed(builder, "a", 0, at_a), b = add_posed(builder, "b", 0, at_b);
    int          c = add_posed(builder, "c", b, at_c);
    TactEquality equality = tact_equality_default(TACT_EQUALITY_CONNECT);
    equality.a = a;
    equality.b = c;
    equality.anchor_a = (TactVec3){0.1, 0.2, 0.3};
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
    equality.anchor_b = (TactVec3){5, 6, 7};
    equality.relative = tact_transform_identity(); // both as stated
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(builder);
    assert_vec3(model->equalities[0].anchor_a, (TactVec3){0.1, 0.2, 0.3});
    TactVec3 world = tact_transform_point(at_a, equality.anchor_a);
    assert_vec3(
        tact_transform_point(tact_transform_multiply(at_b, at_c), model->equalities[0].anchor_b),
        world);
    assert_vec3(model->equalities[1].anchor_b, (TactVec3){5, 6, 7});
    tact_model_destroy(model);
}

static void a_weld_keeps_the_pose_of_the_reference_or_the_stated_one(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactTransform     at_a = pose(1, 2, 3, 0.5), at_b = pose(-1, 0, 2, 1.5);
    TactTransform     stated = pose(4, 5, 6, 2);
    TactEquality      equality = tact_equality_default(TACT_EQUALITY_WELD);
    equality.a = add_posed(builder, "a", 0, at_a);
    equality.b = add_posed(builder, "b", 0, at_b);
    equality.anchor_b = (TactVec3){0.1, 0.2, 0.3};
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
    equality.relative = stated;
    equality.relative.rotation.w *= 3; // any length will do
    equality.relative.rotation.x *= 3;
    equality.relative.rotation.y *= 3;
    equality.relative.rotation.z *= 3;
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
    TactModel          *model = made_compile(builder);
    const TactEquality *weld = &model->equalities[0];
    for (int i = 0; i < 3; i++) {
        TactVec3 x = {i == 0, i == 1, i == 2};
        TactVec3 there = tact_transform_point(at_a, tact_transform_point(weld->relative, x));
        assert_vec3(there, tact_transform_point(at_b, x));
        assert_vec3(tact_transform_point(model->equalities[1].relative, x),
                    tact_transform_point(stated, x));
    }
    assert_vec3(tact_transform_point(at_a, weld->anchor_a),
                tact_transform_point(at_b, weld->anchor_b));
    assert_vec3(model->equalities[1].anchor_a, tact_transform_point(stated, equality.anchor_b));
    tact_model_destroy(model);
}

static void a_weld_without_torque_is_a_connect_at_its_anchor(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactTransform     at_a = pose(1, 2, 3, 0.5), at_b = pose(-1, 0, 2, 1.5);
    TactEquality      equality = tact_equality_default(TACT_EQUALITY_WELD);
    equality.a = add_posed(builder, "a", 0, at_a);
    equality.b = add_posed(builder, "b", 0, at_b);
    equality.anchor_b = (TactVec3){0.1, 0.2, 0.3};
    equality.torque_scale = 0;
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
    TactModel          *model = made_compile(builder);
    const TactEquality *joint = &model->equalities[0];
    assert_int_equal(joint->type, TACT_EQUALITY_CONNECT);
    assert_vec3(joint->anchor_b, equality.anchor_b);
    assert_vec3(tact_transform_point(at_a, joint->anchor_a),
                tact_transform_point(at_b, joint->anchor_b));
    tact_model_destroy(model);
}

static void indices_of_equalities_are_those_of_the_model(void **state)
{
    (void)state;
    // Builder: a, b below a, and c below a as second child but first with a joint.
    TactModelBuilder *builder = made_builder();
    int               first = made_add_body(builder, "first", 0);
    int               other = made_add_body(builder, "other", 0);
    int               below = made_add_body(builder, "below", first);
    int               hinge_other = made_add_joint(builder, "other", other, TACT_JOINT_HINGE);
    int               hinge_below = made_add_joint(builder, "below", below, TACT_JOINT_HINGE);
    TactEquality      equality = tact_equality_default(TACT_EQUALITY_WELD);
    equality.a = other;
    equality.b = below;
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
    equality = tact_equality_default(TACT_EQUALITY_JOINT);
    equality.a = hinge_other;
    equality.b = hinge_below;
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
    equality.b = -1;
    assert_int_equal(tact_model_builder_add_equality(builder, &equality, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(builder);
    assert_int_equal(model->equalities[0].a, 3);
    assert_int_equal(model->equalities[0].b, 2);
    assert_int_equal(model->equalities[1].a, 1);
    assert_int_equal(model->equalities[1].b, 0);
    assert_int_equal(model->equalities[2].b, -1);
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Tendons

static void a_tendon_rests_at_the_length_of_its_joints_springs(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    int               joints[2];
    for (int i = 0; i < 2; i++) {
        TactJoint joint = tact_joint_default(TACT_JOINT_SLIDE);
        joint.body = made_add_body(builder, "", 0);
        joint.spring_reference = 0.5 + i;
        joint.reference = 100;
        assert_int_equal(tact_model_builder_add_joint(builder, &joint, nowhere, &joints[i]),
                         TACT_OK);
    }
    TactTendon tendon = tact_tendon_default();
    tendon.count = 2;
    tendon.joints = joints;
    tendon.coefficients = (const double[]){2, -3};
    assert_int_equal(tact_model_builder_add_tendon(builder, &tendon, nowhere, NULL), TACT_OK);
    tendon.spring_range[0] = -1;
    tendon.spring_range[1] = 0.25;
    assert_int_equal(tact_model_builder_add_tendon(builder, &tendon, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(builder);
    assert_near(model->tendons[0].spring_range[0], 2 * 0.5 - 3 * 1.5);
    assert_near(model->tendons[0].spring_range[1], 2 * 0.5 - 3 * 1.5);
    assert_near(model->tendons[1].spring_range[0], -1);
    assert_near(model->tendons[1].spring_range[1], 0.25);
    tact_model_destroy(model);
}

// ---------------------------------------------------------------------------------------------
// Damping ratios

static double damping(TactModelBuilder *builder, TactActuator actuator, double kp, double ratio)
{
    TactActuatorDesc desc = {.actuator = actuator, .damping_ratio = ratio};
    desc.actuator.gain[0] = kp;
    desc.actuator.bias[1] = -kp;
    assert_int_equal(tact_model_builder_add_actuator(builder, &desc, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(builder);
    double     b2 = model->actuators[0].bias[2];
    assert_near(model->actuators[0].bias[1], -kp);
    tact_model_destroy(model);
    return b2;
}

/// A pendulum of two links. Link i: mass 1, unit inertia; the second hangs 2 below the first's
/// axis, each centre of mass 1 below its own axis, axes along y, with armature 0.5.
static TactModelBuilder *double_pendulum(void)
{
    TactModelBuilder *builder = made_builder();
    for (int i = 0; i < 2; i++) {
        TactBodyDesc body = made_body("", i);
        body.pose.position.z = i == 0 ? 0 : -2;
        body.inertia.com.z = -1;
        assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, NULL), TACT_OK);
        TactJoint joint = tact_joint_default(TACT_JOINT_HINGE);
        joint.body = i + 1;
        joint.axis = (TactVec3){0, 2, 0};
        joint.armature = 0.5;
        assert_int_equal(tact_model_builder_add_joint(builder, &joint, nowhere, NULL), TACT_OK);
    }
    return builder;
}

// M_11 = (1 + 1 1^2) + (1 + 1 3^2) + 0.5, M_22 = (1 + 1 1^2) + 0.5
static const double M11 = 12.5, M22 = 2.5;

static void a_joint_is_damped_by_the_inertia_at_its_axis(void **state)
{
    (void)state;
    TactActuator actuator = tact_actuator_default().actuator;
    actuator.gear[0] = 3;
    assert_near(damping(double_pendulum(), actuator, 50, 0.7), -2 * 0.7 * sqrt(50 * M11 / 9));
    actuator.target = 1;
    assert_near(damping(double_pendulum(), actuator, 50, 0.7), -2 * 0.7 * sqrt(50 * M22 / 9));
}

static void a_tendon_is_damped_by_all_its_joints(void **state)
{
    (void)state;
    TactModelBuilder *builder = double_pendulum();
    TactTendon        tendon = tact_tendon_default();
    tendon.count = 3;
    tendon.joints = (const int[]){0, 1, 1};
    tendon.coefficients = (const double[]){2, 1, 3};
    assert_int_equal(tact_model_builder_add_tendon(builder, &tendon, nowhere, NULL), TACT_OK);
    TactActuator actuator = tact_actuator_default().actuator;
    actuator.transmission = TACT_TRANSMISSION_TENDON;
    actuator.gear[0] = 0.5;
    assert_near(damping(builder, actuator, 50, 1), -2 * sqrt(50 * (M11 / 1 + M22 / 4)));
}

static void a_site_is_damped_by_what_its_force_moves(void **state)
{
    (void)state;
    TactModelBuilder *builder = double_pendulum();
    TactSite          site = tact_site_default();
    site.body = 2;
    site.pose.position.z = -1;
    site.pose.rotation = tact_quat_from_axis_angle((TactVec3){0, 1, 0}, 1.5707963267948966);
    assert_int_equal(tact_model_builder_add_site(builder, &site, nowhere, NULL), TACT_OK);
    // The site's z is the world's x; a force along it has the arms 3 and 1 about the axes.
    TactActuator actuator = tact_actuator_default().actuator;
    actuator.transmission = TACT_TRANSMISSION_SITE;
    actuator.gear[0] = 0;
    actuator.gear[2] = 1;
    assert_near(damping(builder, actuator, 50, 1), -2 * sqrt(50 * (M11 / 9 + M22)));
}

static void a_free_body_is_damped_by_its_mass_and_inertia(void **state)
{
    (void)state;
    for (int dof = 0; dof < 6; dof++) {
        TactModelBuilder *builder = made_builder();
        TactBodyDesc      body = made_body("", 0);
        body.pose = pose(1, 2, 3, 0.5);
        body.inertia.mass = 4;
        body.inertia.com.z = -1;
        assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, NULL), TACT_OK);
        made_add_joint(builder, "", 1, TACT_JOINT_FREE);
        TactActuator actuator = tact_actuator_default().actuator;
        actuator.gear[0] = 0;
        actuator.gear[dof] = 2;
        double M = dof < 3 ? 4 : dof < 5 ? 1 + 4 : 1;
        assert_near(damping(builder, actuator, 50, 1), -2 * sqrt(50 * M / 4));
    }
}

static void a_ball_is_damped_about_its_anchor(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    made_add_body(builder, "", 0);
    TactJoint joint = tact_joint_default(TACT_JOINT_BALL);
    joint.body = 1;
    joint.position = (TactVec3){0, 0, 2};
    assert_int_equal(tact_model_builder_add_joint(builder, &joint, nowhere, NULL), TACT_OK);
    TactActuator actuator = tact_actuator_default().actuator;
    actuator.gear[1] = 2;
    actuator.gear[2] = 3;
    assert_near(damping(builder, actuator, 50, 1), -2 * sqrt(50 * (5.0 / 1 + 5.0 / 4 + 1.0 / 9)));
}

static void without_a_ratio_the_damping_stays(void **state)
{
    (void)state;
    TactActuator actuator = tact_actuator_default().actuator;
    actuator.bias[2] = -0.125;
    assert_near(damping(double_pendulum(), actuator, 50, 0), -0.125);
}

// ---------------------------------------------------------------------------------------------
// Sensors, keyframes, free words

static void sensors_stand_one_after_another(void **state)
{
    (void)state;
    TactModelBuilder *builder = double_pendulum();
    TactSite          site = tact_site_default();
    site.body = 2;
    assert_int_equal(tact_model_builder_add_site(builder, &site, nowhere, NULL), TACT_OK);
    const TactSensor sensors[] = {
        {.type = TACT_SENSOR_JOINT_POSITION, .object_type = TACT_OBJECT_JOINT, .object = 1},
        {.type = TACT_SENSOR_FRAME_ORIENTATION,
         .object_type = TACT_OBJECT_XBODY,
         .object = 2,
         .reference_type = TACT_OBJECT_BODY,
         .reference = 1},
        {.type = TACT_SENSOR_GYRO, .object_type = TACT_OBJECT_SITE, .object = 0},
        {.type = TACT_SENSOR_CONTACT, .size = 7},
        {.type = TACT_SENSOR_CLOCK},
    };
    const int sizes[] = {1, 4, 3, 7, 1};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(tact_model_builder_add_sensor(builder, &sensors[i], nowhere, NULL),
                         TACT_OK);
    }
    TactModel *model = made_compile(builder);
    int        address = 0;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(model->sensors[i].address, address);
        assert_int_equal(model->sensors[i].size, sizes[i]);
        address += sizes[i];
    }
    assert_int_equal(model->sensor_size, address);
    assert_int_equal(model->sensors[0].reference, -1);
    assert_int_equal(model->sensors[4].object, -1);
    tact_model_destroy(model);
}

static void a_keyframe_is_completed_and_its_quaternions_normalised(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactTransform     at = pose(1, 2, 3, 0.5);
    made_add_joint(builder, "", add_posed(builder, "a", 0, at), TACT_JOINT_FREE);
    TactActuatorDesc motor = tact_actuator_default();
    assert_int_equal(tact_model_builder_add_actuator(builder, &motor, nowhere, NULL), TACT_OK);
    const double q[7] = {7, 8, 9, 0, 0, 3, 4}, ctrl[1] = {0.5};
    TactKeyframe key = {.name = "home", .time = 2, .q = q, .ctrl = ctrl};
    assert_int_equal(
        tact_model_builder_add_keyframe(builder, &key, (const int[]){7, 0, 1}, nowhere, NULL),
        TACT_OK);
    key = (TactKeyframe){.name = "zero", .q = (const double[7]){0}};
    assert_int_equal(
        tact_model_builder_add_keyframe(builder, &key, (const int[]){7, 0, 0}, nowhere, NULL),
        TACT_OK);
    key = (TactKeyframe){.name = "rest"};
    assert_int_equal(
        tact_model_builder_add_keyframe(builder, &key, (const int[]){0, 0, 0}, nowhere, NULL),
        TACT_OK);
    TactModel          *model = made_compile(builder);
    const TactKeyframe *home = &model->keyframes[0], *rest = &model->keyframes[2];
    assert_int_equal(tact_model_find(model, TACT_OBJECT_KEYFRAME, "rest"), 2);
    assert_true(home->time == 2 && home->q[2] == 9 && home->v[5] == 0 && home->ctrl[0] == 0.5);
    assert_near(home->q[5], 0.6);
    assert_near(home->q[6], 0.8);
    assert_true(model->keyframes[1].q[3] == 1);
    for (int i = 0; i < 7; i++) {
        assert_near(rest->q[i], model->q_reference[i]);
    }
    assert_true(rest->ctrl[0] == 0);
    tact_model_destroy(model);
}

static void free_words_are_kept(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    TactCustom        word = {.name = "tact_method", .text = "reduced"};
    TactCustom        number = {.name = "tact_method", .count = 2, .data = (const double[]){8, 9}};
    assert_int_equal(tact_model_builder_add_custom(builder, &word, nowhere), TACT_OK);
    assert_int_equal(tact_model_builder_add_custom(builder, &number, nowhere), TACT_OK);
    TactModel *model = made_compile(builder);
    assert_int_equal(model->custom_count, 2);
    assert_string_equal(model->customs[0].text, "reduced");
    assert_string_equal(model->customs[1].name, "tact_method");
    assert_string_equal(model->customs[1].text, "");
    assert_true(model->customs[1].data[1] == 9);
    tact_model_destroy(model);
}

static void things_without_a_name_are_called_by_kind_and_number(void **state)
{
    (void)state;
    TactModel *model = made_compile(double_pendulum());
    char       text[64];
    assert_string_equal(tact_model_label(model, TACT_OBJECT_BODY, 0, text), "world");
    assert_string_equal(tact_model_label(model, TACT_OBJECT_XBODY, 1, text), "body 1");
    assert_string_equal(tact_model_label(model, TACT_OBJECT_JOINT, 1, text), "joint 1");
    assert_string_equal(tact_model_label(model, TACT_OBJECT_GEOM, 5, text), "geom 5");
    assert_int_equal(tact_model_find(model, TACT_OBJECT_JOINT, ""), -1);
    assert_int_equal(tact_model_find(model, TACT_OBJECT_BODY, "world"), 0);
    assert_int_equal(tact_model_find(model, TACT_OBJECT_JOINT, "world"), -1);
    // And they are found by it; nothing else is.
    assert_int_equal(tact_model_find(model, TACT_OBJECT_JOINT, "joint 1"), 1);
    assert_int_equal(tact_model_find(model, TACT_OBJECT_XBODY, "body 1"), 1);
    static const char *const others[] = {"joint 2",  "joint -1", "joint 01",
                                         "joint 1 ", "joint",    "body 1"};
    for (int i = 0; i < (int)(sizeof others / sizeof *others); i++) {
        assert_int_equal(tact_model_find(model, TACT_OBJECT_JOINT, others[i]), -1);
    }
    assert_int_equal(tact_model_find(model, TACT_OBJECT_BODY, "body 0"), -1); // the world
    tact_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(q_at_the_reference_and_with_springs_at_rest),
        cmocka_unit_test(a_connect_finds_its_anchor_in_the_other_body),
        cmocka_unit_test(a_weld_keeps_the_pose_of_the_reference_or_the_stated_one),
        cmocka_unit_test(a_weld_without_torque_is_a_connect_at_its_anchor),
        cmocka_unit_test(indices_of_equalities_are_those_of_the_model),
        cmocka_unit_test(a_tendon_rests_at_the_length_of_its_joints_springs),
        cmocka_unit_test(a_joint_is_damped_by_the_inertia_at_its_axis),
        cmocka_unit_test(a_tendon_is_damped_by_all_its_joints),
        cmocka_unit_test(a_site_is_damped_by_what_its_force_moves),
        cmocka_unit_test(a_free_body_is_damped_by_its_mass_and_inertia),
        cmocka_unit_test(a_ball_is_damped_about_its_anchor),
        cmocka_unit_test(without_a_ratio_the_damping_stays),
        cmocka_unit_test(sensors_stand_one_after_another),
        cmocka_unit_test(a_keyframe_is_completed_and_its_quaternions_normalised),
        cmocka_unit_test(free_words_are_kept),
        cmocka_unit_test(things_without_a_name_are_called_by_kind_and_number),
    };
    return cmocka_run_group_tests_name("model/reference", tests, NULL, NULL);
}
