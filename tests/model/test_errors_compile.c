// What only compiling can see, and calls that are wrong.
#include "model/refused.h"

// ---------------------------------------------------------------------------------------------
// What only compiling can see

static void refuse_model(TactModelBuilder *builder, const char *message)
{
    TactModel *model = NULL;
    TactStatus status = tact_model_builder_compile(builder, &model);
    if (status != TACT_BAD_INPUT || strcmp(tact_status_message(), message) != 0) {
        fail_msg("%s: '%s' instead of '%s'", tact_status_name(status), tact_status_message(),
                 message);
    }
    assert_null(model);
    TactBodyDesc body = made_body("late", 0);
    assert_int_equal(tact_model_builder_add_body(builder, &body, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_compile(builder, &model), TACT_BAD_ARGUMENT);
    assert_string_equal(tact_status_message(), "the builder has been compiled and is used up");
    tact_model_builder_destroy(builder);
}

static void add_here(TactModelBuilder *builder, const char *name, int body, TactJointType type)
{
    TactJoint joint = tact_joint_default(type);
    joint.name = name;
    joint.body = body;
    assert_int_equal(tact_model_builder_add_joint(builder, &joint, here, NULL), TACT_OK);
}

static void joints_of_one_body_must_go_together(void **state)
{
    (void)state;
    TactModelBuilder *builder = start();
    add_here(builder, "slides", 3, TACT_JOINT_SLIDE);
    refuse_model(builder, "joint 'floats': a free joint must be the only joint of its body 'ball'");
    builder = start();
    add_here(builder, "turns", 4, TACT_JOINT_HINGE);
    refuse_model(builder,
                 "robot.xml:12: joint 'turns': a rotation after a ball joint on body 'head'");
    builder = start();
    for (int i = 0; i < 6; i++) {
        add_here(builder, "", 2, TACT_JOINT_SLIDE);
    }
    refuse_model(builder, "robot.xml:12: joint 8: body 'arm' has 7 degrees of freedom");
}

static void keyframes_must_have_the_lengths_of_the_model(void **state)
{
    (void)state;
    const double      numbers[20] = {0};
    TactModelBuilder *builder = start();
    TactKeyframe      key = {.name = "home", .q = numbers};
    assert_int_equal(
        tact_model_builder_add_keyframe(builder, &key, (const int[]){11, 0, 0}, here, NULL),
        TACT_OK);
    refuse_model(builder, "robot.xml:12: keyframe 'home': its q has 11 numbers, the model 12");
    builder = start();
    key = (TactKeyframe){.name = "home", .v = numbers};
    assert_int_equal(
        tact_model_builder_add_keyframe(builder, &key, (const int[]){0, 11, 0}, here, NULL),
        TACT_OK);
    refuse_model(builder, "robot.xml:12: keyframe 'home': its v has 11 numbers, the model 10");
    builder = start();
    key = (TactKeyframe){.name = "home", .ctrl = numbers};
    assert_int_equal(
        tact_model_builder_add_keyframe(builder, &key, (const int[]){0, 0, 2}, here, NULL),
        TACT_OK);
    refuse_model(builder, "robot.xml:12: keyframe 'home': its ctrl has 2 numbers, the model 1");
}

static void sums_that_overflow_are_refused(void **state)
{
    (void)state;
    TactBodyDesc body = made_body("far", 0);
    body.pose.position.x = 1e308;
    TactModelBuilder *builder = start();
    for (int i = 0; i < 2; i++) {
        body.name = i == 0 ? "far" : "farther";
        assert_int_equal(tact_model_builder_add_body(builder, &body, here, &body.parent), TACT_OK);
    }
    refuse_model(builder, "robot.xml:12: body 'farther': its place in the world is not finite");

    // Together with a mass that is fixed to it 1e200 away.
    builder = start();
    body = made_body("swings", 0);
    assert_int_equal(tact_model_builder_add_body(builder, &body, here, &body.parent), TACT_OK);
    add_here(builder, "", body.parent, TACT_JOINT_HINGE);
    body.name = "tip of it";
    body.pose.position.x = 1e200;
    assert_int_equal(tact_model_builder_add_body(builder, &body, here, NULL), TACT_OK);
    refuse_model(builder, "robot.xml:12: body 'swings': its mass or inertia, with what is fixed to "
                          "it, is not finite");

    builder = start();
    TactGeomDesc geom = tact_geom_default(TACT_GEOM_SPHERE);
    body = tact_body_default();
    body.name = "star";
    assert_int_equal(tact_model_builder_add_body(builder, &body, here, &geom.geom.body), TACT_OK);
    geom.geom.size[0] = 1e120;
    assert_int_equal(tact_model_builder_add_geom(builder, &geom, here, NULL), TACT_OK);
    refuse_model(builder, "robot.xml:12: body 'star': its mass or inertia is not finite");

    builder = start();
    for (int i = 0; i < 2; i++) {
        body = made_body(i == 0 ? "heavy" : "as heavy", 0);
        body.inertia.mass = 1e308;
        assert_int_equal(tact_model_builder_add_body(builder, &body, here, NULL), TACT_OK);
    }
    refuse_model(builder, "the mass of all bodies together is not finite");

    builder = start();
    TactSensor sensor = {.type = TACT_SENSOR_CONTACT, .size = 1000000};
    for (int i = 0; i < 2148; i++) {
        assert_int_equal(tact_model_builder_add_sensor(builder, &sensor, here, NULL), TACT_OK);
    }
    refuse_model(builder, "robot.xml:12: sensor 2147: all sensors have too many numbers");
}

static void a_flat_mesh_cannot_be_solid_or_convex(void **state)
{
    (void)state;
    const TactVec3     corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const TactTriangle sides[] = {{{0, 1, 2}}};
    for (int convex = 0; convex < 2; convex++) {
        TactModelBuilder *builder = start();
        TactMesh         *mesh;
        assert_int_equal(tact_mesh_create(corners, 3, sides, 1, &mesh), TACT_OK);
        assert_int_equal(tact_model_builder_add_mesh(builder, "sheet", mesh, here, NULL), TACT_OK);
        TactBodyDesc body = tact_body_default();
        int          b;
        assert_int_equal(tact_model_builder_add_body(builder, &body, nowhere, &b), TACT_OK);
        TactGeomDesc geom = tact_geom_default(convex ? TACT_GEOM_CONVEX : TACT_GEOM_MESH);
        geom.geom.name = "sail";
        geom.geom.body = convex ? 0 : b;
        geom.geom.mesh = 0;
        geom.mesh_inertia = TACT_MESH_INERTIA_EXACT;
        assert_int_equal(tact_model_builder_add_geom(builder, &geom, here, NULL), TACT_OK);
        TactModel *model = NULL;
        assert_int_not_equal(tact_model_builder_compile(builder, &model), TACT_OK);
        assert_non_null(
            strstr(tact_status_message(), convex ? "robot.xml:12: mesh 'sheet': its hull: "
                                                 : "robot.xml:12: geom 'sail': its mesh: "));
        tact_model_builder_destroy(builder);
    }
}

// ---------------------------------------------------------------------------------------------
// Calls

static void configs_are_checked(void **state)
{
    (void)state;
    TactModelConfig good = tact_model_config_default(), bad[8];
    for (int i = 0; i < 8; i++) {
        bad[i] = good;
    }
    bad[0].cookie = 0;
    bad[1].options.timestep = 0;
    bad[2].options.gravity.z = NAN;
    bad[3].options.integrator = (TactIntegrator)5;
    bad[4].inertia_rule = (TactInertiaRule)5;
    bad[5].mass_min = -1;
    bad[6].inertia_min = NAN;
    bad[7].total_mass = INFINITY;
    const char *const messages[8] = {
        "the config does not come from tact_model_config_default()",
        "the timestep is 0",
        "gravity is not finite",
        "there is no integrator 5",
        "there is no inertia rule 5",
        "the smallest mass or inertia is negative or not finite",
        "the smallest mass or inertia is negative or not finite",
        "the total mass is inf",
    };
    TactModelBuilder *builder = start();
    for (int i = 0; i < 8; i++) {
        assert_int_not_equal(tact_model_builder_set_config(builder, &bad[i]), TACT_OK);
        assert_string_equal(tact_status_message(), messages[i]);
    }
    tact_model_builder_destroy(builder);
    builder = made_builder();
    good.total_mass = 5;
    assert_int_equal(tact_model_builder_set_config(builder, &good), TACT_OK);
    refuse_model(builder, "a total mass of 5 kg is asked for, but no body has mass");
}

static void null_is_a_bad_argument_everywhere(void **state)
{
    (void)state;
    TactModelBuilder *builder = start();
    TactModel        *model;
    TactBodyDesc      body = made_body("", 0);
    assert_int_equal(tact_model_builder_create(NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_set_config(builder, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_body(NULL, &body, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_body(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_joint(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_geom(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_site(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_mesh(builder, "", NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_heightfield(builder, NULL, here, NULL),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_tendon(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_actuator(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_equality(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_pair(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_exclude(NULL, (TactExclude){0, 1}, here),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_sensor(builder, NULL, here, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_keyframe(builder, NULL, NULL, here, NULL),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_add_custom(builder, NULL, here), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_compile(builder, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_compile(NULL, &model), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_model_builder_find(NULL, TACT_OBJECT_BODY, "arm"), -1);
    assert_int_equal(tact_model_builder_find(builder, TACT_OBJECT_BODY, NULL), -1);
    assert_null(tact_model_builder_view_joint(builder, 3));
    assert_null(tact_model_builder_view_tendon(builder, -1));
    assert_string_equal(tact_model_builder_view_joint(builder, 2)->name, "neck");
    assert_string_equal(tact_model_builder_view_tendon(builder, 0)->name, "wire");
    assert_int_equal(tact_model_builder_count(builder, TACT_OBJECT_BODY), 5);
    assert_int_equal(tact_model_builder_count(builder, TACT_OBJECT_JOINT), 3);
    tact_model_destroy(NULL);
    tact_model_builder_destroy(NULL);
    tact_model_destroy(made_compile(builder));
}

static void a_long_name_does_not_hide_what_is_wrong(void **state)
{
    (void)state;
    char name[2001];
    memset(name, 'n', 2000);
    name[2000] = '\0';
    TactModelBuilder *builder = start();
    TactBodyDesc      body = made_body(name, 0);
    body.inertia.mass = -1;
    assert_int_equal(tact_model_builder_add_body(builder, &body, (TactSource){name, 3}, NULL),
                     TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "its mass is -1, negative"));
    tact_model_builder_destroy(builder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_of_one_body_must_go_together),
        cmocka_unit_test(keyframes_must_have_the_lengths_of_the_model),
        cmocka_unit_test(sums_that_overflow_are_refused),
        cmocka_unit_test(a_flat_mesh_cannot_be_solid_or_convex),
        cmocka_unit_test(configs_are_checked),
        cmocka_unit_test(null_is_a_bad_argument_everywhere),
        cmocka_unit_test(a_long_name_does_not_hide_what_is_wrong),
    };
    return cmocka_run_group_tests_name("model/errors_compile", tests, NULL, NULL);
}
