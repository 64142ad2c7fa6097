// Motors, controllers and servos for turns: what their elements say.
#include "io/servo/servo.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "io/plugin/plugin.h"

/// Three numbers, and zeros.
void tact_servo_set_three(double parameters[TACT_MJCF_PARAMETERS], double a, double b, double c)
{
    memset(parameters, 0, TACT_MJCF_PARAMETERS * sizeof *parameters);
    parameters[0] = a;
    parameters[1] = b;
    parameters[2] = c;
}

/// The words of input="...", in their order.
TactStatus tact_servo_read_inputs(const TactXmlNode *node, unsigned allowed, unsigned *inputs)
{
    static const char *const words[] = {"pos", "vel", "ff", "voltage", "expmap", "quat"};

    const char *text = tact_xml_get(node, "input");
    unsigned    found = 0;
    while (text && *(text += strspn(text, " \t\r\n"))) {
        size_t   length = strcspn(text, " \t\r\n");
        unsigned bit = 0;
        for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
            bit =
                strlen(words[i]) == length && strncmp(words[i], text, length) == 0 ? 1U << i : bit;
        }
        if (!(bit & allowed)) {
            return tact_xml_fail(node, "input", TACT_BAD_INPUT, "'%.*s' is no input of it",
                                 (int)(length < 40 ? length : 40), text);
        }
        if (bit <= found) {
            return tact_xml_fail(node, "input", TACT_BAD_INPUT,
                                 "inputs stand in the order pos, vel, ff, voltage");
        }
        found |= bit;
        text += length;
    }
    *inputs = found ? found : *inputs;
    return TACT_OK;
}

/// The role of the first control.
TactMotorInput tact_servo_first_role(unsigned inputs)
{
    return inputs & TACT_MJCF_INPUT_POS   ? TACT_MOTOR_INPUT_POSITION
           : inputs & TACT_MJCF_INPUT_VEL ? TACT_MOTOR_INPUT_VELOCITY
           : inputs & TACT_MJCF_INPUT_FF  ? TACT_MOTOR_INPUT_FORCE
                                          : TACT_MOTOR_INPUT_VOLTAGE;
}

/// A gain that must not be negative; count says whether it is given.
TactStatus tact_servo_read_gain(const TactMjcf *mjcf, const TactXmlNode *node, const char *name,
                                double *value, int *count)
{
    TACT_TRY(tact_xml_reals(mjcf->xml, node, name, 1, 1, value, count));
    return *count > 0 && *value < 0 ? tact_xml_fail(node, name, TACT_BAD_INPUT, "is negative")
                                    : TACT_OK;
}

/// K and R of a motor with brushes: as given, or from the nominal voltage V, stall torque T and
/// speed w without load at the damping d of the rotor,
///     K_e = V / w (1 - d w / T) ,  K = sqrt(K_t K_e) ,  R = K V / T.
static TactStatus read_motor_constants(const TactMjcf *mjcf, const TactXmlNode *node,
                                       TactMjcfActuator *actuator)
{
    TactMotor *motor = &actuator->motor;
    double     K[2] = {0}, R = 0, nominal[3] = {0};
    int        constants, given;
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "motorconst", 1, 2, K, &constants));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "resistance", &R));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "nominal", 3, 3, nominal, &given));
    double V = nominal[0], T = nominal[1], w = nominal[2];
    if (constants < 2 && V > 0 && w > 0) {
        K[1] = V / w * (T > 0 ? 1 - actuator->damping * w / T : 1);
    }
    double k = K[0] > 0 && K[1] > 0 ? sqrt(K[0] * K[1]) : K[0] > 0 ? K[0] : K[1];
    motor->constant = k > 0 ? k : motor->constant;
    R = R > 0 || !(V > 0 && T > 0) ? R : motor->constant * V / T;
    motor->resistance = R > 0 ? R : motor->resistance;
    bool whole = motor->constant > 0 && motor->resistance > 0 && motor->constant < INFINITY &&
                 motor->resistance < INFINITY;
    if (!whole && !tact_xml_is(node->parent, "default")) { // a class may say a part
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT,
                             "needs motorconst and resistance, or three positive nominal numbers");
    }
    return TACT_OK;
}

/// Two of thermal resistance, capacity and time constant give the third.
static TactStatus read_motor_heat(const TactMjcf *mjcf, const TactXmlNode *node, TactMotor *motor)
{
    double heat[6] = {0}; // R, C, R C; of the resistance: change, temperature; that around
    int    given;
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "thermal", 1, 6, heat, &given));
    if (given == 0 || !(heat[0] > 0 || heat[1] > 0 || heat[2] > 0)) {
        return TACT_OK;
    }
    heat[1] = heat[1] > 0 || !(heat[0] > 0) ? heat[1] : heat[2] / heat[0];
    heat[0] = heat[0] > 0 || !(heat[1] > 0) ? heat[0] : heat[2] / heat[1];
    if (!(heat[0] > 0 && heat[1] > 0)) {
        return tact_xml_fail(node, "thermal", TACT_BAD_INPUT,
                             "needs two of resistance, capacity and time constant");
    }
    motor->heat[0] = heat[0];
    motor->heat[1] = heat[1];
    memcpy(motor->heat + 2, heat + 3, 3 * sizeof *heat);
    return TACT_OK;
}

/// What the controls are, and the gains of a controller.
static TactStatus read_motor_controller(const TactMjcf *mjcf, const TactXmlNode *node,
                                        TactMjcfActuator *actuator)
{
    TactMotor  *motor = &actuator->motor;
    const char *input = tact_xml_get(node, "input");
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "controller", 1, 6, motor->controller, NULL));
    for (int k = 0; k < 6; k++) {
        if (motor->controller[k] < 0) {
            return tact_xml_fail(node, "controller", TACT_BAD_INPUT, "is negative");
        }
    }
    if (input && strcmp(input, "none") == 0) {
        actuator->gain_law = TACT_MJCF_LAW_OTHER;
        return TACT_OK;
    }
    TACT_TRY(tact_servo_read_inputs(node, 15, &actuator->inputs));
    motor->input = tact_servo_first_role(actuator->inputs);
    const double *c = motor->controller;
    bool          gains = c[0] > 0 || c[1] > 0 || c[2] > 0 || c[3] > 0;
    if (gains && motor->input == TACT_MOTOR_INPUT_VOLTAGE &&
        !tact_xml_is(node->parent, "default")) {
        return tact_xml_fail(node, "controller", TACT_BAD_INPUT, "needs an input pos, vel or ff");
    }
    if (c[1] > 0 && motor->input != TACT_MOTOR_INPUT_POSITION &&
        motor->input != TACT_MOTOR_INPUT_VOLTAGE) {
        return tact_xml_fail(node, "controller", TACT_BAD_INPUT, "an integral needs the input pos");
    }
    return TACT_OK;
}

/// A motor with brushes, u its voltage, K its constant and R its resistance. Without more it is
///     force = K / R (u - K rate).
TactStatus tact_servo_read_dcmotor(const TactMjcf *mjcf, const TactXmlNode *node,
                                   TactMjcfActuator *actuator)
{
    TactMotor *m = &actuator->motor;
    double     coil[2] = {0}, most[3] = {0};
    int        limits, coils;
    actuator->dynamics = TACT_MJCF_DYNAMICS_NONE;
    actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
    actuator->bias_law = TACT_MJCF_LAW_AFFINE;
    TACT_TRY(read_motor_constants(mjcf, node, actuator));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "inductance", 1, 2, coil, &coils));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "saturation", 1, 3, most, &limits));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "cogging", 1, 3, m->cogging, NULL));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "lugre", 1, 5, m->bristle, NULL));
    TACT_TRY(read_motor_heat(mjcf, node, m));
    TACT_TRY(read_motor_controller(mjcf, node, actuator));
    if (coil[0] < 0 || coil[1] < 0) {
        return tact_xml_fail(node, "inductance", TACT_BAD_INPUT, "is negative");
    }
    double k = m->constant, R = m->resistance;
    if (coils > 0) {
        m->time = coil[0] > 0 ? (R > 0 ? coil[0] / R : 0) : coil[1];
    }
    m->current_rate = limits > 0 ? most[2] : m->current_rate;
    if (R > 0) {
        tact_servo_set_three(actuator->gain, k / R, 0, 0);
        tact_servo_set_three(actuator->bias, 0, 0, -k * k / R);
    }
    double torque = most[0] > 0 ? most[0] : k * most[1];
    if (limits > 0 && torque > 0) {
        actuator->force_limited = TACT_MJCF_TRUE;
        actuator->force_range[0] = -torque;
        actuator->force_range[1] = torque;
    }
    actuator->is_motor = m->time > 0 || m->cogging[0] != 0 || m->heat[0] > 0 || m->bristle[0] > 0 ||
                         m->input != TACT_MOTOR_INPUT_VOLTAGE;
    return TACT_OK;
}

/// k_d, or the ratio of the critical damping in its place.
static TactStatus read_damping(const TactMjcf *mjcf, const TactXmlNode *node, double *kv,
                               double *ratio)
{
    int given, other;
    TACT_TRY(tact_servo_read_gain(mjcf, node, "kv", kv, &given));
    TACT_TRY(tact_servo_read_gain(mjcf, node, "dampratio", ratio, &other));
    if (given && other) {
        return tact_xml_fail(node, "dampratio", TACT_BAD_INPUT, "there is a kv too");
    }
    *ratio = given ? 0 : *ratio;
    *kv = other ? 0 : *kv;
    return TACT_OK;
}

/// force = k_p (l* - l) + k_i x + k_d (w* - w) + f*: a controller alone.
TactStatus tact_servo_read_pid(const TactMjcf *mjcf, const TactXmlNode *node,
                               TactMjcfActuator *actuator)
{
    TactMotor *m = &actuator->motor;
    double    *c = m->controller;
    int        given;
    m->constant = m->resistance = 0;
    actuator->is_motor = true;
    actuator->dynamics = TACT_MJCF_DYNAMICS_NONE;
    actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
    actuator->bias_law = TACT_MJCF_LAW_AFFINE;
    TACT_TRY(tact_servo_read_gain(mjcf, node, "kp", &c[0], &given));
    TACT_TRY(tact_servo_read_gain(mjcf, node, "ki", &c[1], &given));
    TACT_TRY(tact_servo_read_gain(mjcf, node, "slewmax", &c[3], &given));
    TACT_TRY(tact_servo_read_gain(mjcf, node, "imax", &c[4], &given));
    TACT_TRY(read_damping(mjcf, node, &c[2], &actuator->damping_ratio));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "posrange", 2, 2, actuator->ctrl_range, NULL));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "velrange", 2, 2, actuator->vel_range, NULL));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "ffrange", 2, 2, actuator->ff_range, NULL));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "inheritrange", &actuator->inherit_range));
    unsigned inputs = actuator->inputs & 7 ? actuator->inputs & 7 : 3;
    TACT_TRY(tact_servo_read_inputs(node, 7, &inputs));
    actuator->inputs = inputs;
    m->input = tact_servo_first_role(inputs);
    if ((c[1] > 0 || c[3] > 0) && !(inputs & TACT_MJCF_INPUT_POS)) {
        return tact_xml_fail(node, c[1] > 0 ? "ki" : "slewmax", TACT_BAD_INPUT,
                             "needs the input pos");
    }
    return TACT_OK;
}

/// The plugin mujoco.pid: force = k_p e + k_i x + k_d de/dt, e = u - l, x after the step.
TactStatus tact_servo_read_plugin(const TactMjcf *mjcf, const TactXmlNode *node,
                                  TactMjcfActuator *actuator)
{
    static const char *const words[] = {"kp", "ki", "kd", "slewmax", "imax"};

    TactMotor *m = &actuator->motor;
    double    *c = m->controller;
    bool       given = false;
    *m = (TactMotor){.input = TACT_MOTOR_INPUT_POSITION, .ahead = true};
    actuator->gain_law = TACT_MJCF_LAW_OTHER;
    actuator->dynamics = TACT_MJCF_DYNAMICS_NONE;
    const char *dynamics = tact_xml_get(node, "dyntype");
    if (strcmp(tact_mjcf_plugin_name(mjcf, node), TACT_MJCF_PID) != 0 ||
        (dynamics && strcmp(dynamics, "none") != 0)) {
        return TACT_OK; // left out
    }
    TACT_TRY(tact_mjcf_check_plugin(mjcf, node, " kp ki kd slewmax imax"));
    for (int i = 0; i < 5; i++) {
        TACT_TRY(tact_mjcf_plugin_real(mjcf, node, words[i], &c[i], &given));
        if (c[i] < 0 || (given && i >= 3 && c[i] == 0)) {
            return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "its %s is %g, not positive", words[i],
                                 c[i]);
        }
    }
    c[4] = c[1] > 0 ? c[4] / c[1] : 0; // that of the force
    actuator->is_motor = true;
    actuator->inputs = TACT_MJCF_INPUT_POS;
    actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
    actuator->bias_law = TACT_MJCF_LAW_AFFINE;
    return TACT_OK;
}

/// A servo for a whole turn.
TactStatus tact_servo_read_orientation(const TactMjcf *mjcf, const TactXmlNode *node,
                                       TactMjcfActuator *actuator)
{
    double kv = actuator->bias[2] < 0 ? -actuator->bias[2] : 0;
    double ratio = actuator->bias[2] > 0 ? actuator->bias[2] : 0;
    TACT_TRY(tact_xml_real(mjcf->xml, node, "kp", &actuator->gain[0]));
    TACT_TRY(read_damping(mjcf, node, &kv, &ratio));
    tact_servo_set_three(actuator->bias, 0, -actuator->gain[0], ratio > 0 ? ratio : -kv);
    actuator->dynamics = TACT_MJCF_DYNAMICS_NONE;
    actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
    actuator->bias_law = TACT_MJCF_LAW_AFFINE;
    actuator->is_turn = true;
    unsigned inputs = actuator->inputs & 48 ? actuator->inputs & 48 : TACT_MJCF_INPUT_EXPMAP;
    TACT_TRY(tact_servo_read_inputs(node, 48, &inputs));
    actuator->inputs = inputs;
    return TACT_OK;
}
