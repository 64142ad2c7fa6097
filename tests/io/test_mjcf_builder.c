// A model that is built in C and one that is read from a file are the same, to the hash.
#include <string.h>

#include "io/mjcf_text.h"

static const TactSource code = {NULL, 0};

static void require(TactStatus status)
{
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
}

static int add_body(TactModelBuilder *builder, const char *name, int parent, TactVec3 position)
{
    TactBodyDesc body = tact_body_default();
    int          index;
    body.name = name;
    body.parent = parent;
    body.pose.position = position;
    require(tact_model_builder_add_body(builder, &body, code, &index));
    return index;
}

static int add_geom(TactModelBuilder *builder, int body, TactGeomType type, const double size[3])
{
    TactGeomDesc geom = tact_geom_default(type);
    int          index;
    geom.geom.body = body;
    memcpy(geom.geom.size, size, sizeof geom.geom.size);
    require(tact_model_builder_add_geom(builder, &geom, code, &index));
    return index;
}

static int add_hinge(TactModelBuilder *builder, int body, const char *name)
{
    TactJoint joint = tact_joint_default(TACT_JOINT_HINGE);
    int       index;
    joint.name = name;
    joint.body = body;
    joint.axis = (TactVec3){0, 1, 0};
    joint.damping = 0.5;
    joint.limited = true;
    joint.range[0] = -1;
    joint.range[1] = 2;
    require(tact_model_builder_add_joint(builder, &joint, code, &index));
    return index;
}

static TactModel *build(void)
{
    TactModelBuilder *builder = NULL;
    TactModel        *model = NULL;
    require(tact_model_builder_create(&builder));
    TactModelConfig config = tact_model_config_default();
    config.name = "arm";
    config.options.timestep = 0.002;
    config.options.gravity = (TactVec3){0, 0, -9.81};
    require(tact_model_builder_set_config(builder, &config));

    add_geom(builder, 0, TACT_GEOM_PLANE, (double[]){1, 1, 0.1});
    int upper = add_body(builder, "upper", 0, (TactVec3){0, 0, 1});
    int shoulder = add_hinge(builder, upper, "shoulder");
    add_geom(builder, upper, TACT_GEOM_CAPSULE, (double[]){0.05, 0.2, 0});
    int lower = add_body(builder, "lower", upper, (TactVec3){0, 0, 0.5});
    int elbow = add_hinge(builder, lower, "elbow");
    add_geom(builder, lower, TACT_GEOM_BOX, (double[]){0.1, 0.2, 0.3});

    TactTendon tendon = tact_tendon_default();
    tendon.name = "sum";
    tendon.count = 2;
    tendon.joints = (int[]){shoulder, elbow};
    tendon.coefficients = (double[]){1, -2};
    require(tact_model_builder_add_tendon(builder, &tendon, code, NULL));
    TactEquality equality = tact_equality_default(TACT_EQUALITY_CONNECT);
    equality.a = lower;
    equality.b = 0;
    equality.anchor_a = (TactVec3){0, 0, 0.3};
    require(tact_model_builder_add_equality(builder, &equality, code, NULL));
    TactActuatorDesc servo = tact_actuator_default();
    servo.actuator.name = "servo";
    servo.actuator.target = elbow;
    servo.actuator.gain[0] = 30;
    servo.actuator.bias[1] = -30;
    servo.damping_ratio = 1;
    require(tact_model_builder_add_actuator(builder, &servo, code, NULL));
    TactSensor sensor = {.name = "angle",
                         .type = TACT_SENSOR_JOINT_POSITION,
                         .object_type = TACT_OBJECT_JOINT,
                         .object = elbow,
                         .reference = -1};
    require(tact_model_builder_add_sensor(builder, &sensor, code, NULL));
    TactKeyframe key = {.name = "home", .q = (double[]){0.1, 0.2}};
    require(tact_model_builder_add_keyframe(builder, &key, (int[]){2, 0, 0}, code, NULL));
    TactCustom custom = {.name = "tact_method", .text = "reduced"};
    require(tact_model_builder_add_custom(builder, &custom, code));
    require(tact_model_builder_compile(builder, &model));
    tact_model_builder_destroy(builder);
    return model;
}

static const char file[] =
    "<mujoco model='arm'><compiler angle='radian'/>"
    "<custom><text name='tact_method' data='reduced'/></custom>"
    "<default><joint axis='0 1 0' damping='0.5' range='-1 2'/></default>"
    "<worldbody><geom type='plane' size='1 1 0.1'/>"
    "<body name='upper' pos='0 0 1'><joint name='shoulder'/>"
    "<geom type='capsule' size='0.05 0.2'/>"
    "<body name='lower' pos='0 0 0.5'><joint name='elbow'/>"
    "<geom type='box' size='0.1 0.2 0.3'/></body></body></worldbody>"
    "<tendon><fixed name='sum'><joint joint='shoulder' coef='1'/><joint joint='elbow' coef='-2'/>"
    "</fixed></tendon>"
    "<equality><connect body1='lower' anchor='0 0 0.3'/></equality>"
    "<actuator><position name='servo' joint='elbow' kp='30' dampratio='1'/></actuator>"
    "<sensor><jointpos name='angle' joint='elbow'/></sensor>"
    "<keyframe><key name='home' qpos='0.1 0.2'/></keyframe></mujoco>";

static void code_and_file_make_the_same_model(void **state)
{
    (void)state;
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *read = NULL;
    require(tact_model_load_memory("arm.xml", file, strlen(file), &config, &read, NULL));
    TactModel *built = build();
    assert_int_equal(read->nq, 2);
    assert_int_equal(read->nv, built->nv);
    tact_mjcf_near(read->mass, built->mass);
    assert_true(read->hash == built->hash);
    tact_model_destroy(read);
    tact_model_destroy(built);
}

static void another_number_makes_another_model(void **state)
{
    (void)state;
    char text[sizeof file];
    memcpy(text, file, sizeof file);
    strstr(text, "damping='0.5'")[9] = '1';
    TactModelLoadConfig config = tact_model_load_config_default();
    TactModel          *read = NULL;
    require(tact_model_load_memory("arm.xml", text, strlen(text), &config, &read, NULL));
    TactModel *built = build();
    assert_true(read->hash != built->hash);
    tact_model_destroy(read);
    tact_model_destroy(built);
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_and_file_make_the_same_model),
        cmocka_unit_test(another_number_makes_another_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
