#include "model/build/sensors.h"

#include "base/words.h"

static const TactSensorInfo infos[TACT_SENSOR_TYPE_COUNT] = {
    [TACT_SENSOR_JOINT_POSITION] = {"joint position", TACT_SENSES_SCALAR, 1, false},
    [TACT_SENSOR_JOINT_VELOCITY] = {"joint velocity", TACT_SENSES_SCALAR, 1, false},
    [TACT_SENSOR_BALL_ORIENTATION] = {"ball orientation", TACT_SENSES_BALL, 4, false},
    [TACT_SENSOR_BALL_VELOCITY] = {"ball velocity", TACT_SENSES_BALL, 3, false},
    [TACT_SENSOR_TENDON_POSITION] = {"tendon position", TACT_SENSES_TENDON, 1, false},
    [TACT_SENSOR_TENDON_VELOCITY] = {"tendon velocity", TACT_SENSES_TENDON, 1, false},
    [TACT_SENSOR_ACTUATOR_POSITION] = {"actuator position", TACT_SENSES_ACTUATOR, 1, false},
    [TACT_SENSOR_ACTUATOR_VELOCITY] = {"actuator velocity", TACT_SENSES_ACTUATOR, 1, false},
    [TACT_SENSOR_ACTUATOR_FORCE] = {"actuator force", TACT_SENSES_ACTUATOR, 1, false},
    [TACT_SENSOR_JOINT_ACTUATOR_FORCE] = {"joint actuator force", TACT_SENSES_SCALAR, 1, false},
    [TACT_SENSOR_FRAME_POSITION] = {"frame position", TACT_SENSES_FRAME, 3, true},
    [TACT_SENSOR_FRAME_ORIENTATION] = {"frame orientation", TACT_SENSES_FRAME, 4, true},
    [TACT_SENSOR_FRAME_X_AXIS] = {"frame x axis", TACT_SENSES_FRAME, 3, true},
    [TACT_SENSOR_FRAME_Y_AXIS] = {"frame y axis", TACT_SENSES_FRAME, 3, true},
    [TACT_SENSOR_FRAME_Z_AXIS] = {"frame z axis", TACT_SENSES_FRAME, 3, true},
    [TACT_SENSOR_FRAME_VELOCITY] = {"frame velocity", TACT_SENSES_FRAME, 3, true},
    [TACT_SENSOR_FRAME_ANGULAR_VELOCITY] = {"frame angular velocity", TACT_SENSES_FRAME, 3, true},
    [TACT_SENSOR_FRAME_ACCELERATION] = {"frame acceleration", TACT_SENSES_FRAME, 3, false},
    [TACT_SENSOR_FRAME_ANGULAR_ACCELERATION] = {"frame angular acceleration", TACT_SENSES_FRAME, 3,
                                                false},
    [TACT_SENSOR_SUBTREE_COM] = {"subtree centre of mass", TACT_SENSES_SUBTREE, 3, false},
    [TACT_SENSOR_SUBTREE_VELOCITY] = {"subtree velocity", TACT_SENSES_SUBTREE, 3, false},
    [TACT_SENSOR_SUBTREE_ANGULAR_MOMENTUM] = {"subtree angular momentum", TACT_SENSES_SUBTREE, 3,
                                              false},
    [TACT_SENSOR_ACCELEROMETER] = {"accelerometer", TACT_SENSES_SITE, 3, false},
    [TACT_SENSOR_VELOCIMETER] = {"velocimeter", TACT_SENSES_SITE, 3, false},
    [TACT_SENSOR_GYRO] = {"gyro", TACT_SENSES_SITE, 3, false},
    [TACT_SENSOR_FORCE] = {"force", TACT_SENSES_SITE, 3, false},
    [TACT_SENSOR_TORQUE] = {"torque", TACT_SENSES_SITE, 3, false},
    [TACT_SENSOR_TOUCH] = {"touch", TACT_SENSES_SITE, 1, false},
    [TACT_SENSOR_MAGNETOMETER] = {"magnetometer", TACT_SENSES_SITE, 3, false},
    [TACT_SENSOR_RANGEFINDER] = {"rangefinder", TACT_SENSES_SITE, 1, false},
    [TACT_SENSOR_CONTACT] = {"contact", TACT_SENSES_CONTACT, 0, true},
    [TACT_SENSOR_CLOCK] = {"clock", TACT_SENSES_NOTHING, 1, false},
    [TACT_SENSOR_POTENTIAL_ENERGY] = {"potential energy", TACT_SENSES_NOTHING, 1, false},
    [TACT_SENSOR_KINETIC_ENERGY] = {"kinetic energy", TACT_SENSES_NOTHING, 1, false},
    [TACT_SENSOR_DISTANCE] = {"distance", TACT_SENSES_PAIR, 1, true},
    [TACT_SENSOR_NORMAL] = {"normal", TACT_SENSES_PAIR, 3, true},
    [TACT_SENSOR_FROM_TO] = {"from to", TACT_SENSES_PAIR, 6, true},
    [TACT_SENSOR_JOINT_LIMIT_POSITION] = {"joint limit position", TACT_SENSES_LIMIT, 1, false},
    [TACT_SENSOR_JOINT_LIMIT_VELOCITY] = {"joint limit velocity", TACT_SENSES_LIMIT, 1, false},
    [TACT_SENSOR_JOINT_LIMIT_FORCE] = {"joint limit force", TACT_SENSES_LIMIT, 1, false},
    [TACT_SENSOR_TENDON_LIMIT_POSITION] = {"tendon limit position", TACT_SENSES_TENDON, 1, false},
    [TACT_SENSOR_TENDON_LIMIT_VELOCITY] = {"tendon limit velocity", TACT_SENSES_TENDON, 1, false},
    [TACT_SENSOR_TENDON_LIMIT_FORCE] = {"tendon limit force", TACT_SENSES_TENDON, 1, false},
    [TACT_SENSOR_TENDON_ACTUATOR_FORCE] = {"tendon actuator force", TACT_SENSES_TENDON, 1, false},
    [TACT_SENSOR_INSIDE_SITE] = {"inside site", TACT_SENSES_FRAME, 1, true},
    [TACT_SENSOR_CONTACT_POINTS] = {"contact points", TACT_SENSES_CONTACT, 0, true},
    [TACT_SENSOR_USER] = {"user", TACT_SENSES_ANYTHING, 0, false},
};

const TactSensorInfo *tact_sensor_info(TactSensorType type)
{
    return (int)type >= 0 && type < TACT_SENSOR_TYPE_COUNT ? &infos[type] : NULL;
}

const char *tact_sensor_type_name(TactSensorType type)
{
    const TactSensorInfo *info = tact_sensor_info(type);
    return info ? info->name : "unknown";
}

TactStatus tact_sensor_type_find(const char *name, TactSensorType *value)
{
    const char *words[TACT_SENSOR_TYPE_COUNT];
    for (int i = 0; i < TACT_SENSOR_TYPE_COUNT; i++) {
        words[i] = infos[i].name;
    }
    int        found = 0;
    TactStatus status =
        tact_word_find(words, TACT_SENSOR_TYPE_COUNT, "sensor", name, value ? &found : NULL);
    if (status == TACT_OK) {
        *value = (TactSensorType)found;
    }
    return status;
}
