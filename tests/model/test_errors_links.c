// What a builder refuses of all that refers to the tree.
#include "model/refused.h"

// ---------------------------------------------------------------------------------------------
// Tendons, actuators, equalities, sensors

static void refuse_tendon(TactTendon tendon, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_tendon(builder, &tendon, here, NULL);
    expect(builder, status, expected, message);
}

static void tendons_are_checked(void **state)
{
    (void)state;
    TactTendon tendon = tact_tendon_default();
    tendon.name = "cord";
    refuse_tendon(tendon, TACT_BAD_INPUT, "robot.xml:12: tendon 'cord': it goes over no joint");
    tendon.count = 2;
    tendon.joints = (const int[]){0, 9};
    tendon.coefficients = (const double[]){1, 1};
    refuse_tendon(tendon, TACT_BAD_ARGUMENT, "robot.xml:12: tendon 'cord': there is no joint 9");
    tendon.joints = (const int[]){0, 1};
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': joint 'floats' (free) is not a hinge or slide");
    tendon.joints = (const int[]){0, 0};
    tendon.coefficients = (const double[]){1, NAN};
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': number 2 of its coefficients is nan");
    tendon.coefficients = (const double[]){1, 1};
    tendon.stiffness = NAN;
    refuse_tendon(tendon, TACT_BAD_INPUT, "robot.xml:12: tendon 'cord': its stiffness is nan");
    tendon.stiffness = 0;
    tendon.spring_range[0] = 2;
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': its spring range is empty: from 2 to -1");
    tendon.spring_range[0] = -1;
    tendon.limited = true;
    tendon.range[0] = 2;
    refuse_tendon(tendon, TACT_BAD_INPUT,
                  "robot.xml:12: tendon 'cord': its range is empty: from 2 to 0");
}

static void refuse_actuator(TactActuatorDesc desc, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_actuator(builder, &desc, here, NULL);
    expect(builder, status, expected, message);
}

static void actuators_are_checked(void **state)
{
    (void)state;
    TactActuatorDesc desc = tact_actuator_default();
    desc.actuator.name = "servo";
    refuse_actuator(desc, TACT_BAD_INPUT, "robot.xml:12: actuator 'servo': the name is taken");
    desc.actuator.name = "pump";
    const struct {
        TactTransmission transmission;
        const char      *message;
    } targets[] = {
        {TACT_TRANSMISSION_JOINT, "robot.xml:12: actuator 'pump': there is no joint 33"},
        {TACT_TRANSMISSION_JOINT_IN_PARENT, "robot.xml:12: actuator 'pump': there is no joint 33"},
        {TACT_TRANSMISSION_TENDON, "robot.xml:12: actuator 'pump': there is no tendon 33"},
        {TACT_TRANSMISSION_SITE, "robot.xml:12: actuator 'pump': there is no site 33"},
        {TACT_TRANSMISSION_BODY_FORCE, "robot.xml:12: actuator 'pump': there is no body 33"},
        {(TactTransmission)33, "robot.xml:12: actuator 'pump': there is no transmission 33"},
    };
    desc.actuator.target = 33;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        desc.actuator.transmission = targets[i].transmission;
        refuse_actuator(desc, TACT_BAD_ARGUMENT, targets[i].message);
    }
    desc = tact_actuator_default();
    desc.actuator.gear[5] = NAN;
    refuse_actuator(desc, TACT_BAD_INPUT, "robot.xml:12: actuator 1: number 6 of its gear is nan");
    desc = tact_actuator_default();
    desc.actuator.gain[2] = INFINITY;
    refuse_actuator(desc, TACT_BAD_INPUT, "robot.xml:12: actuator 1: number 3 of its gain is inf");
    desc = tact_actuator_default();
    desc.actuator.bias[0] = NAN;
    refuse_actuator(desc, TACT_BAD_INPUT, "robot.xml:12: actuator 1: number 1 of its bias is nan");
    desc = tact_actuator_default();
    desc.actuator.ctrl_limited = true;
    desc.actuator.ctrl_range[1] = -1;
    refuse_actuator(desc, TACT_BAD_INPUT,
                    "robot.xml:12: actuator 1: its ctrl range is empty: from 0 to -1");
    desc = tact_actuator_default();
    desc.actuator.force_range[0] = NAN;
    refuse_actuator(desc, TACT_BAD_INPUT,
                    "robot.xml:12: actuator 1: number 1 of its force range is nan");
    desc = tact_actuator_default();
    desc.damping_ratio = -1;
    refuse_actuator(desc, TACT_BAD_INPUT,
                    "robot.xml:12: actuator 1: its damping ratio is -1, negative");
    desc.damping_ratio = 1;
    desc.actuator.gain[0] = -2;
    refuse_actuator(desc, TACT_BAD_INPUT,
                    "robot.xml:12: actuator 1: a damping ratio needs a positive gain, not -2");
}

static void refuse_equality(TactEquality equality, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_equality(builder, &equality, here, NULL);
    expect(builder, status, expected, message);
}

static void equalities_are_checked(void **state)
{
    (void)state;
    TactEquality equality = tact_equality_default(TACT_EQUALITY_CONNECT);
    equality.name = "loop";
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 'loop': it ties body 0 to "
                    "itself");
    equality.b = 99;
    refuse_equality(equality, TACT_BAD_ARGUMENT,
                    "robot.xml:12: equality 'loop': there is no body 99");
    equality.b = 1;
    equality.anchor_a.x = NAN;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 'loop': number 1 of its anchor is nan");
    equality = tact_equality_default(TACT_EQUALITY_WELD);
    equality.b = 1;
    equality.relative.rotation.w = NAN;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 0: number 1 of its relative pose is nan");
    equality.relative.rotation.w = 0;
    equality.torque_scale = -1;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 0: its torque scale is -1, negative");
    equality = tact_equality_default(TACT_EQUALITY_JOINT);
    equality.b = 2;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 0: joint 'neck' (ball) is "
                    "not a hinge or slide");
    equality.b = -2;
    refuse_equality(equality, TACT_BAD_ARGUMENT, "robot.xml:12: equality 0: there is no joint -2");
    equality.b = -1;
    equality.polynomial[4] = NAN;
    refuse_equality(equality, TACT_BAD_INPUT,
                    "robot.xml:12: equality 0: number 5 of its polynomial is nan");
    equality = tact_equality_default(TACT_EQUALITY_TENDON);
    equality.a = 1;
    equality.b = -1;
    refuse_equality(equality, TACT_BAD_ARGUMENT, "robot.xml:12: equality 0: there is no tendon 1");
    equality.type = (TactEqualityType)8;
    refuse_equality(equality, TACT_BAD_ARGUMENT,
                    "robot.xml:12: equality 0: there is no equality type 8");
}

static void refuse_sensor(TactSensor sensor, TactStatus expected, const char *message)
{
    TactModelBuilder *builder = start();
    TactStatus        status = tact_model_builder_add_sensor(builder, &sensor, here, NULL);
    expect(builder, status, expected, message);
}

static void sensors_are_checked(void **state)
{
    (void)state;
    TactSensor sensor = {.name = "eye", .type = TACT_SENSOR_GYRO, .object_type = TACT_OBJECT_BODY};
    refuse_sensor(sensor, TACT_BAD_INPUT,
                  "robot.xml:12: sensor 'eye': a sensor of type 'gyro' cannot measure a body");
    sensor.object_type = TACT_OBJECT_SITE;
    sensor.object = 4;
    refuse_sensor(sensor, TACT_BAD_ARGUMENT, "robot.xml:12: sensor 'eye': there is no site 4");
    sensor.object = 0;
    sensor.reference_type = TACT_OBJECT_BODY;
    refuse_sensor(sensor, TACT_BAD_INPUT,
                  "robot.xml:12: sensor 'eye': a sensor of type 'gyro' "
                  "cannot be measured relative to a body");
    sensor.reference_type = TACT_OBJECT_NONE;
    sensor.cutoff = -1;
    refuse_sensor(sensor, TACT_BAD_INPUT, "robot.xml:12: sensor 'eye': its cutoff is -1, negative");
    sensor = (TactSensor){
        .type = TACT_SENSOR_JOINT_POSITION, .object_type = TACT_OBJECT_JOINT, .object = 2};
    refuse_sensor(sensor, TACT_BAD_INPUT,
                  "robot.xml:12: sensor 0: joint 'neck' (ball) is not a hinge or slide");
    sensor.type = TACT_SENSOR_BALL_VELOCITY;
    sensor.object = 0;
    refuse_sensor(sensor, TACT_BAD_INPUT, "robot.xml:12: sensor 0: joint 0 is not a ball joint");
    sensor = (TactSensor){.type = TACT_SENSOR_CONTACT};
    refuse_sensor(sensor, TACT_BAD_INPUT, "robot.xml:12: sensor 0: its size is 0");
    sensor = (TactSensor){.type = TACT_SENSOR_TYPE_COUNT};
    char text[100];
    snprintf(text, sizeof text, "robot.xml:12: sensor 0: there is no sensor type %d",
             (int)TACT_SENSOR_TYPE_COUNT);
    refuse_sensor(sensor, TACT_BAD_ARGUMENT, text);
    sensor = (TactSensor){.type = TACT_SENSOR_FRAME_POSITION,
                          .object_type = TACT_OBJECT_XBODY,
                          .object = 1,
                          .reference_type = TACT_OBJECT_SITE,
                          .reference = 5};
    refuse_sensor(sensor, TACT_BAD_ARGUMENT, "robot.xml:12: sensor 0: there is no site 5");
}

static void free_words_are_checked(void **state)
{
    (void)state;
    const struct {
        TactCustom  custom;
        TactStatus  status;
        const char *message;
    } cases[] = {
        {{.text = "x"}, TACT_BAD_INPUT, "robot.xml:12: text 0: it has no name"},
        {{.name = "n", .count = 2},
         TACT_BAD_ARGUMENT,
         "robot.xml:12: numeric 'n': it has 2 numbers, but they are missing"},
        {{.name = "n", .count = 1, .data = (const double[]){NAN}},
         TACT_BAD_INPUT,
         "robot.xml:12: numeric 'n': its data is nan"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TactModelBuilder *builder = start();
        TactStatus        status = tact_model_builder_add_custom(builder, &cases[i].custom, here);
        expect(builder, status, cases[i].status, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tendons_are_checked),    cmocka_unit_test(actuators_are_checked),
        cmocka_unit_test(equalities_are_checked), cmocka_unit_test(sensors_are_checked),
        cmocka_unit_test(free_words_are_checked),
    };
    return cmocka_run_group_tests_name("model/errors_links", tests, NULL, NULL);
}
