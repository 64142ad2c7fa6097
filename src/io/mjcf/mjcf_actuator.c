// Actuators: force = gain * control + bias, on a joint, a tendon or a site.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "io/mjcf/mjcf.h"
#include "io/servo/servo.h"
#include "model/motor.h"

static const char *const kinds[] = {
    "general", "motor",    "position", "velocity",    "damper", "intvelocity", "cylinder",
    "muscle",  "adhesion", "dcmotor",  "orientation", "pid",    "plugin",      NULL,
};

typedef enum Kind {
    GENERAL,
    MOTOR,
    POSITION,
    VELOCITY,
    DAMPER,
    INTVELOCITY,
    CYLINDER,
    MUSCLE,
    ADHESION,
    DCMOTOR,
    ORIENTATION,
    PID,
    PLUGIN,
    OTHER
} Kind;

static bool are_equal(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++) {
        if (a[k] != b[k]) {
            return false;
        }
    }
    return true;
}

static Kind kind_of(const TactXmlNode *node)
{
    for (int i = 0; i < OTHER; i++) {
        if (tact_xml_is(node, kinds[i])) {
            return (Kind)i;
        }
    }
    return OTHER;
}

bool tact_mjcf_is_actuator(const TactXmlNode *node)
{
    for (int i = 0; kinds[i]; i++) {
        if (tact_xml_is(node, kinds[i])) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Attributes

/// As many of ten numbers as are given.
static TactStatus read_parameters(const TactMjcf *mjcf, const TactXmlNode *node, const char *name,
                                  double parameters[TACT_MJCF_PARAMETERS])
{
    double values[TACT_MJCF_PARAMETERS];
    int    count;
    TACT_TRY(tact_xml_reals(mjcf->xml, node, name, 0, TACT_MJCF_PARAMETERS, values, &count));
    memcpy(parameters, values, (size_t)count * sizeof *values);
    return TACT_OK;
}

enum { DYNAMICS_PID = 7, GAIN_PID = 5, GAIN_SO3 = 6 }; // of the words of general

/// The words pid and so3 of general: the same laws as <pid> and <orientation>, by their parameters.
static TactStatus set_general_servo(const TactXmlNode *node, int gain, int dynamics,
                                    TactMjcfActuator *actuator)
{
    bool      pid = gain == GAIN_PID;
    unsigned  inputs = pid ? 3 : TACT_MJCF_INPUT_EXPMAP;
    TactMotor m = {.controller = {-actuator->bias[1], actuator->gain[0], -actuator->bias[2]}};
    TACT_TRY(tact_servo_read_inputs(node, pid ? 7 : 48, &inputs));
    actuator->inputs = inputs;
    actuator->is_turn = !pid;
    if (pid) {
        m.controller[3] = dynamics == DYNAMICS_PID ? actuator->activation[1] : 0;
        m.controller[4] = dynamics == DYNAMICS_PID ? actuator->activation[0] : 0;
        m.input = tact_servo_first_role(inputs);
        actuator->motor = m;
        actuator->is_motor = true;
        actuator->dynamics = TACT_MJCF_DYNAMICS_NONE;
        actuator->damping_ratio = actuator->bias[2] > 0 ? actuator->bias[2] : 0;
        actuator->motor.controller[2] = fmax(0, m.controller[2]);
    }
    actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
    actuator->bias_law = TACT_MJCF_LAW_AFFINE;
    return TACT_OK;
}

static TactStatus read_general(const TactMjcf *mjcf, const TactXmlNode *node,
                               TactMjcfActuator *actuator)
{
    static const char *const dynamics[] = {"none", "integrator", "filter", "filterexact", "muscle",
                                           "user", "dcmotor",    "pid",    NULL};
    static const char *const gains[] = {"fixed",   "affine", "muscle", "user",
                                        "dcmotor", "pid",    "so3",    NULL};
    static const char *const biases[] = {"none",    "affine", "muscle", "user",
                                         "dcmotor", "pid",    "so3",    NULL};
    int                      word = -1, dynamics_word = -1, gain_word = -1;
    TACT_TRY(tact_xml_choice(node, "dyntype", dynamics, &dynamics_word));
    word = dynamics_word;
    if (word >= 0) {
        actuator->dynamics = word <= 4 ? (TactMjcfDynamics)word : TACT_MJCF_DYNAMICS_OTHER;
    }
    TACT_TRY(tact_xml_choice(node, "gaintype", gains, &gain_word));
    word = gain_word;
    if (word >= 0) {
        actuator->gain_law = word == 0   ? TACT_MJCF_LAW_CONSTANT
                             : word == 1 ? TACT_MJCF_LAW_AFFINE
                             : word == 2 ? TACT_MJCF_LAW_MUSCLE
                                         : TACT_MJCF_LAW_OTHER;
    }
    word = -1;
    TACT_TRY(tact_xml_choice(node, "biastype", biases, &word));
    if (word >= 0) {
        actuator->bias_law = word == 0   ? TACT_MJCF_LAW_NONE
                             : word == 1 ? TACT_MJCF_LAW_AFFINE
                             : word == 2 ? TACT_MJCF_LAW_MUSCLE
                                         : TACT_MJCF_LAW_OTHER;
    }
    TACT_TRY(tact_xml_bool(node, "actearly", &actuator->act_early));
    TACT_TRY(read_parameters(mjcf, node, "dynprm", actuator->activation));
    TACT_TRY(read_parameters(mjcf, node, "gainprm", actuator->gain));
    TACT_TRY(read_parameters(mjcf, node, "biasprm", actuator->bias));
    bool pid = gain_word == GAIN_PID && actuator->bias_law == TACT_MJCF_LAW_AFFINE;
    bool so3 = gain_word == GAIN_SO3 && word == GAIN_SO3;
    if (!pid && !so3) {
        return TACT_OK;
    }
    TACT_TRY(tact_xml_range(mjcf->xml, node, "velrange", actuator->vel_range));
    TACT_TRY(tact_xml_range(mjcf->xml, node, "ffrange", actuator->ff_range));
    return set_general_servo(node, gain_word, dynamics_word, actuator);
}

static TactStatus read_position(const TactMjcf *mjcf, const TactXmlNode *node,
                                TactMjcfActuator *actuator)
{
    double kp = actuator->gain[0];
    double value = 0;
    int    damped;
    int    ratio;
    int    filtered;
    TACT_TRY(tact_xml_real(mjcf->xml, node, "kp", &kp));
    actuator->gain[0] = kp;
    actuator->bias[1] = -kp;
    // A ratio is kept as a positive number where damping is a negative one.
    TACT_TRY(tact_servo_read_gain(mjcf, node, "kv", &value, &damped));
    if (damped) {
        actuator->bias[2] = -value;
    }
    TACT_TRY(tact_servo_read_gain(mjcf, node, "dampratio", &value, &ratio));
    if (ratio) {
        actuator->bias[2] = value;
    }
    if (damped && ratio) {
        return tact_xml_fail(node, "dampratio", TACT_BAD_INPUT, "there is a kv too");
    }
    TACT_TRY(tact_servo_read_gain(mjcf, node, "timeconst", &value, &filtered));
    if (filtered) {
        actuator->dynamics = value > 0 ? TACT_MJCF_DYNAMICS_FILTER_EXACT : TACT_MJCF_DYNAMICS_NONE;
        actuator->activation[0] = value > 0 ? value : actuator->activation[0];
    }
    TACT_TRY(tact_xml_real(mjcf->xml, node, "inheritrange", &actuator->inherit_range));
    if (actuator->inherit_range > 0 &&
        (actuator->ctrl_range[0] != 0 || actuator->ctrl_range[1] != 0)) {
        return tact_xml_fail(node, "inheritrange", TACT_BAD_INPUT, "there is a ctrlrange too");
    }
    actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
    actuator->bias_law = TACT_MJCF_LAW_AFFINE;
    return TACT_OK;
}

/// Numbers of a muscle that are still those of an actuator of which nothing is said (1, 0, 0, ...)
/// become the ones that MuJoCo has by itself; what other kinds of the class have set stays, as
/// there.
static void complete_muscle(TactMjcfActuator *actuator)
{
    static const double curves[] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
    static const double times[] = {0.01, 0.04};
    for (int i = 0; i < (int)(sizeof curves / sizeof *curves); i++) {
        actuator->gain[i] = actuator->gain[i] == (i == 0) ? curves[i] : actuator->gain[i];
    }
    for (int i = 0; i < 2; i++) {
        actuator->activation[i] =
            actuator->activation[i] == (i == 0) ? times[i] : actuator->activation[i];
    }
}

static TactStatus read_muscle(const TactMjcf *mjcf, const TactXmlNode *node,
                              TactMjcfActuator *actuator)
{
    static const char *const words[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};

    complete_muscle(actuator);
    actuator->dynamics = TACT_MJCF_DYNAMICS_MUSCLE;
    actuator->gain_law = TACT_MJCF_LAW_MUSCLE;
    actuator->bias_law = TACT_MJCF_LAW_MUSCLE;
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "timeconst", 2, 2, actuator->activation, NULL));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "tausmooth", &actuator->activation[2]));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "range", 2, 2, actuator->gain, NULL));
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++) {
        TACT_TRY(tact_xml_real(mjcf->xml, node, words[i], &actuator->gain[2 + i]));
    }
    memcpy(actuator->bias, actuator->gain, sizeof actuator->bias);
    return TACT_OK;
}

static TactStatus read_cylinder(const TactMjcf *mjcf, const TactXmlNode *node,
                                TactMjcfActuator *actuator)
{
    double diameter = 0;
    int    given;
    actuator->dynamics = TACT_MJCF_DYNAMICS_FILTER;
    actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
    actuator->bias_law = TACT_MJCF_LAW_AFFINE;
    TACT_TRY(tact_xml_real(mjcf->xml, node, "timeconst", &actuator->activation[0]));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "area", &actuator->gain[0]));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "diameter", 1, 1, &diameter, &given));
    if (given > 0) {
        actuator->gain[0] = 3.14159265358979323846 / 4 * diameter * diameter;
    }
    return tact_xml_reals(mjcf->xml, node, "bias", 3, 3, actuator->bias, NULL);
}

static TactStatus read_kind(const TactMjcf *mjcf, const TactXmlNode *node,
                            TactMjcfActuator *actuator)
{
    double kv = actuator->gain[0];
    actuator->is_motor = actuator->is_turn = false;
    switch (kind_of(node)) {
    case GENERAL: return read_general(mjcf, node, actuator);
    case MOTOR:
        actuator->dynamics = TACT_MJCF_DYNAMICS_NONE;
        actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
        actuator->bias_law = TACT_MJCF_LAW_NONE;
        actuator->gain[0] = 1;
        return TACT_OK; // what it does not use is kept for elements that switch it on again
    case POSITION: return read_position(mjcf, node, actuator);
    case VELOCITY:
        TACT_TRY(tact_xml_real(mjcf->xml, node, "kv", &kv));
        actuator->dynamics = TACT_MJCF_DYNAMICS_NONE;
        actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
        actuator->bias_law = TACT_MJCF_LAW_AFFINE;
        actuator->gain[0] = kv;
        tact_servo_set_three(actuator->bias, 0, 0, -kv);
        return TACT_OK;
    case DAMPER:
        kv = actuator->gain_law == TACT_MJCF_LAW_AFFINE ? fmax(0, -actuator->gain[2]) : 0;
        TACT_TRY(tact_xml_real(mjcf->xml, node, "kv", &kv));
        actuator->ctrl_limited = TACT_MJCF_TRUE;
        actuator->dynamics = TACT_MJCF_DYNAMICS_NONE;
        actuator->gain_law = TACT_MJCF_LAW_AFFINE;
        actuator->bias_law = TACT_MJCF_LAW_NONE;
        tact_servo_set_three(actuator->gain, 0, 0, -kv);
        return TACT_OK;
    case INTVELOCITY:
        TACT_TRY(read_position(mjcf, node, actuator));
        actuator->dynamics = TACT_MJCF_DYNAMICS_INTEGRATOR;
        return TACT_OK;
    case CYLINDER: return read_cylinder(mjcf, node, actuator);
    case MUSCLE: return read_muscle(mjcf, node, actuator);
    case ADHESION:
        TACT_TRY(tact_xml_real(mjcf->xml, node, "gain", &kv));
        if (kv < 0) {
            return tact_xml_fail(node, "gain", TACT_BAD_INPUT, "is negative");
        }
        actuator->ctrl_limited = TACT_MJCF_TRUE; // its activation stays that of its class
        actuator->gain_law = TACT_MJCF_LAW_CONSTANT;
        actuator->bias_law = TACT_MJCF_LAW_NONE;
        actuator->gain[0] = kv;
        return TACT_OK;
    case DCMOTOR: return tact_servo_read_dcmotor(mjcf, node, actuator);
    case ORIENTATION: return tact_servo_read_orientation(mjcf, node, actuator);
    case PID: return tact_servo_read_pid(mjcf, node, actuator);
    case PLUGIN: return tact_servo_read_plugin(mjcf, node, actuator);
    case OTHER: actuator->gain_law = TACT_MJCF_LAW_OTHER; return TACT_OK;
    }
    return TACT_OK;
}

enum { MOST_SAMPLES = 1000000 };

static TactStatus read_delay(const TactMjcf *mjcf, const TactXmlNode *node, TactMjcfDelay *delay)
{
    static const char *const words[] = {"zoh", "linear", "cubic", NULL};
    TACT_TRY(tact_xml_real(mjcf->xml, node, "delay", &delay->time));
    TACT_TRY(tact_xml_int(node, "nsample", 0, MOST_SAMPLES, &delay->samples));
    return tact_xml_choice(node, "interp", words, &delay->interpolation);
}

TactStatus tact_mjcf_read_actuator(const TactMjcf *mjcf, const TactXmlNode *node,
                                   TactMjcfActuator *actuator)
{
    TACT_TRY(tact_xml_int(node, "group", 0, 0x7fffffff, &actuator->group));
    TACT_TRY(tact_mjcf_read_limited(node, "ctrllimited", &actuator->ctrl_limited));
    TACT_TRY(tact_mjcf_read_limited(node, "forcelimited", &actuator->force_limited));
    TACT_TRY(tact_xml_range(mjcf->xml, node, "ctrlrange", actuator->ctrl_range));
    TACT_TRY(tact_xml_range(mjcf->xml, node, "forcerange", actuator->force_range));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "gear", 0, 6, actuator->gear, NULL));
    TACT_TRY(tact_mjcf_read_limited(node, "actlimited", &actuator->act_limited));
    TACT_TRY(tact_xml_range(mjcf->xml, node, "actrange", actuator->act_range));
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "lengthrange", 2, 2, actuator->length_range, NULL));
    TACT_TRY(tact_xml_real(mjcf->xml, node, "cranklength", &actuator->crank_length));
    TACT_TRY(read_delay(mjcf, node, &actuator->delay));
    double terms[3] = {actuator->damping, actuator->damper_more[0], actuator->damper_more[1]};
    TACT_TRY(tact_xml_reals(mjcf->xml, node, "damping", 1, 3, terms, NULL));
    actuator->damping = terms[0];
    actuator->damper_more[0] = terms[1];
    actuator->damper_more[1] = terms[2];
    TACT_TRY(tact_xml_real(mjcf->xml, node, "armature", &actuator->armature));
    return read_kind(mjcf, node, actuator);
}

// ---------------------------------------------------------------------------------------------
// To the builder

/// What an actuator drives; kept is false, with a note, if it is nothing that the model has.
static TactStatus find_target(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round,
                              TactActuator *actuator, bool *kept)
{
    static const struct {
        const char      *attribute;
        TactObject       type;
        TactTransmission transmission;
    } targets[] = {
        {"joint", TACT_OBJECT_JOINT, TACT_TRANSMISSION_JOINT},
        {"jointinparent", TACT_OBJECT_JOINT, TACT_TRANSMISSION_JOINT_IN_PARENT},
        {"tendon", TACT_OBJECT_TENDON, TACT_TRANSMISSION_TENDON},
        {"site", TACT_OBJECT_SITE, TACT_TRANSMISSION_SITE},
        {"cranksite", TACT_OBJECT_SITE, TACT_TRANSMISSION_SLIDER_CRANK},
        {"body", TACT_OBJECT_BODY, TACT_TRANSMISSION_ADHESION},
    };
    enum { TARGETS = sizeof targets / sizeof targets[0] };

    int found = -1;
    for (int i = 0; i < TARGETS; i++) {
        if (tact_xml_get(node, targets[i].attribute)) {
            if (found >= 0) {
                return tact_xml_fail(node, targets[i].attribute, TACT_BAD_INPUT,
                                     "there is a %s too", targets[found].attribute);
            }
            found = i;
        }
    }
    if (found < 0) {
        return tact_xml_fail(node, NULL, TACT_BAD_INPUT, "drives nothing");
    }
    const char *attribute = targets[found].attribute;
    *kept = true;
    if (targets[found].type == TACT_OBJECT_TENDON &&
        tact_mjcf_is_left_out(mjcf, TACT_OBJECT_TENDON, tact_xml_get(node, attribute), round)) {
        *kept = false;
        return tact_mjcf_note(mjcf, node, "", TACT_VERDICT_IGNORED,
                              "the actuator is left out: the model has nothing that it drives");
    }
    actuator->transmission = targets[found].transmission;
    if (actuator->transmission == TACT_TRANSMISSION_SLIDER_CRANK) {
        TACT_TRY(tact_mjcf_find(mjcf, node, "slidersite", TACT_OBJECT_SITE, round,
                                &actuator->reference));
    }
    if (actuator->transmission == TACT_TRANSMISSION_SITE && tact_xml_get(node, "refsite")) {
        actuator->transmission = TACT_TRANSMISSION_SITE_TO_SITE;
        TACT_TRY(
            tact_mjcf_find(mjcf, node, "refsite", TACT_OBJECT_SITE, round, &actuator->reference));
    }
    return tact_mjcf_find(mjcf, node, attribute, targets[found].type, round, &actuator->target);
}

/// The range of what is driven, scaled about its middle.
static TactStatus inherit_range(TactMjcf *mjcf, const TactXmlNode *node, double scale,
                                const TactActuator *actuator, double range[2])
{
    const double *from = NULL;
    if (actuator->transmission == TACT_TRANSMISSION_JOINT ||
        actuator->transmission == TACT_TRANSMISSION_JOINT_IN_PARENT) {
        from = tact_model_builder_view_joint(mjcf->reader->builder, actuator->target)->range;
    } else if (actuator->transmission == TACT_TRANSMISSION_TENDON) {
        from = tact_model_builder_view_tendon(mjcf->reader->builder, actuator->target)->range;
    }
    if (!from || !(from[0] < from[1])) {
        return tact_xml_fail(node, "inheritrange", TACT_BAD_INPUT, "what it drives has no range");
    }
    double middle = 0.5 * (from[0] + from[1]);
    double half = 0.5 * (from[1] - from[0]) * scale;
    range[0] = middle - half;
    range[1] = middle + half;
    return TACT_OK;
}

static void set_activation(const TactMjcfActuator *source, TactActuator *actuator)
{
    static const TactActivation activations[] = {
        [TACT_MJCF_DYNAMICS_NONE] = TACT_ACTIVATION_NONE,
        [TACT_MJCF_DYNAMICS_INTEGRATOR] = TACT_ACTIVATION_INTEGRATOR,
        [TACT_MJCF_DYNAMICS_FILTER] = TACT_ACTIVATION_FILTER,
        [TACT_MJCF_DYNAMICS_FILTER_EXACT] = TACT_ACTIVATION_FILTER_EXACT,
        [TACT_MJCF_DYNAMICS_MUSCLE] = TACT_ACTIVATION_MUSCLE,
    };
    actuator->activation = activations[source->dynamics];
    if (actuator->activation != TACT_ACTIVATION_NONE) {
        memcpy(actuator->activation_parameters, source->activation,
               sizeof actuator->activation_parameters);
        actuator->act_early = source->act_early;
    }
}

static TactStatus set_law(TactMjcf *mjcf, const TactMjcfActuator *source, TactActuatorDesc *desc)
{
    TactActuator *actuator = &desc->actuator;
    memset(actuator->gain, 0, sizeof actuator->gain);
    memset(actuator->bias, 0, sizeof actuator->bias);
    if (source->group < 31 && (mjcf->disabled_groups >> (unsigned)source->group & 1U)) {
        return TACT_OK; // switched off
    }
    if (source->is_motor) {
        actuator->is_motor = true;
        actuator->motor = source->motor;
        desc->damping_ratio = tact_motor_is_controller(&source->motor) ? source->damping_ratio : 0;
        actuator->gain[0] = desc->damping_ratio > 0 ? source->motor.controller[0] : 0;
        return TACT_OK;
    }
    actuator->is_turn = source->is_turn;
    set_activation(source, actuator);
    if (source->gain_law == TACT_MJCF_LAW_MUSCLE) {
        const double *p = source->gain;
        actuator->is_muscle = true;
        actuator->muscle = (TactMuscle){{p[0], p[1]}, p[2], p[3], p[4], p[5], p[6], p[7], p[8]};
        return TACT_OK;
    }
    actuator->gain[0] = source->gain[0];
    if (source->gain_law == TACT_MJCF_LAW_AFFINE) {
        memcpy(actuator->gain, source->gain, sizeof actuator->gain);
    }
    if (source->bias_law == TACT_MJCF_LAW_AFFINE) {
        memcpy(actuator->bias, source->bias, sizeof actuator->bias);
        // Positive damping of a position servo is a ratio of the critical one.
        if (source->bias[2] > 0 && source->gain_law == TACT_MJCF_LAW_CONSTANT &&
            source->gain[0] == -source->bias[1]) {
            desc->damping_ratio = source->gain[0] != 0 ? source->bias[2] : 0; // of nothing: nothing
            actuator->bias[2] = 0;
        }
    }
    return TACT_OK;
}

static TactStatus set_ranges(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfActuator *source,
                             TactActuator *actuator)
{
    if (source->inherit_range > 0) {
        bool integrates = source->dynamics == TACT_MJCF_DYNAMICS_INTEGRATOR;
        TACT_TRY(inherit_range(mjcf, node, source->inherit_range, actuator,
                               integrates ? source->act_range : source->ctrl_range));
    }
    if (actuator->activation != TACT_ACTIVATION_NONE) {
        TACT_TRY(tact_mjcf_is_limited(mjcf, node, "actlimited", source->act_limited,
                                      source->act_range, &actuator->act_limited));
        memcpy(actuator->act_range, source->act_range, sizeof actuator->act_range);
    }
    if (actuator->is_muscle) {
        memcpy(actuator->length_range, source->length_range, sizeof actuator->length_range);
    }
    if (actuator->transmission == TACT_TRANSMISSION_SLIDER_CRANK) {
        actuator->crank_length = source->crank_length;
    }
    if (source->delay.time != 0 && source->delay.samples == 0) {
        return tact_xml_fail(node, "delay", TACT_BAD_INPUT, "it needs nsample, at least 1");
    }
    actuator->delay = source->delay.time;
    actuator->samples = source->delay.time != 0 ? source->delay.samples : 0;
    actuator->delay_interpolation = (TactDelayInterpolation)source->delay.interpolation;
    TACT_TRY(tact_mjcf_is_limited(mjcf, node, "ctrllimited", source->ctrl_limited,
                                  source->ctrl_range, &actuator->ctrl_limited));
    TACT_TRY(tact_mjcf_is_limited(mjcf, node, "forcelimited", source->force_limited,
                                  source->force_range, &actuator->force_limited));
    memcpy(actuator->ctrl_range, source->ctrl_range, sizeof actuator->ctrl_range);
    memcpy(actuator->force_range, source->force_range, sizeof actuator->force_range);
    return TACT_OK;
}

/// Armature and damping of the rotor, where what it drives can have them.
static TactStatus set_rotor(TactMjcf *mjcf, const TactXmlNode *node, const TactMjcfActuator *source,
                            TactActuatorDesc *desc)
{
    const TactActuator *a = &desc->actuator;
    TactModelBuilder   *builder = mjcf->reader->builder;
    bool                felt = a->transmission == TACT_TRANSMISSION_TENDON;
    if (felt) {
        const TactTendon *tendon = tact_model_builder_view_tendon(builder, a->target);
        for (int i = 0; i < tendon->part_count; i++) {
            felt = felt && tendon->parts[i].type != TACT_TENDON_PART_SPHERE &&
                   tendon->parts[i].type != TACT_TENDON_PART_CYLINDER;
        }
    }
    if (a->transmission == TACT_TRANSMISSION_JOINT ||
        a->transmission == TACT_TRANSMISSION_JOINT_IN_PARENT) {
        TactJointType type = tact_model_builder_view_joint(builder, a->target)->type;
        felt = type == TACT_JOINT_HINGE || type == TACT_JOINT_SLIDE;
    }
    bool more = source->damper_more[0] != 0 || source->damper_more[1] != 0;
    if (!felt && (source->armature != 0 || source->damping != 0 || more)) {
        return tact_mjcf_note(mjcf, node, source->armature != 0 ? "armature" : "damping",
                              TACT_VERDICT_IGNORED,
                              "it is felt by hinges, slides and tendons along sites alone");
    }
    desc->armature = source->armature;
    desc->damping = mjcf->dampers_off ? 0 : source->damping;
    for (int i = 0; i < 2; i++) {
        desc->damper_more[i] = mjcf->dampers_off ? 0 : source->damper_more[i];
    }
    return TACT_OK;
}

/// Controls of an actuator after its first, each in an actuator of its own, named NAME:vel and so
/// on.
static TactStatus add_inputs(TactMjcf *mjcf, const TactXmlNode *node,
                             const TactMjcfActuator *source, const TactActuator *first, int target)
{
    static const char *const words[2][4] = {{":pos", ":vel", ":ff", ":voltage"},
                                            {":1", ":2", ":3", ":4"}};

    int left = first->inputs - 1;
    for (int k = 1; k < 4 && left > 0; k++) {
        TactActuatorDesc desc = tact_actuator_default();
        TactActuator    *a = &desc.actuator;
        bool             has = source->is_turn || (source->inputs >> (unsigned)k & 1U);
        if (!has ||
            (!source->is_turn && tact_servo_first_role(1U << (unsigned)k) == first->motor.input)) {
            continue;
        }
        const double *range = source->is_turn ? source->ctrl_range
                              : k == 1        ? source->vel_range
                              : k == 2        ? source->ff_range
                                              : NULL;
        a->transmission = TACT_TRANSMISSION_INPUT;
        a->target = target;
        a->gain[0] = 0;
        a->motor.input =
            source->is_turn ? TACT_MOTOR_INPUT_VOLTAGE : tact_servo_first_role(1U << (unsigned)k);
        a->ctrl_limited = range && source->ctrl_limited != TACT_MJCF_FALSE && range[0] < range[1];
        for (int i = 0; i < 2; i++) {
            a->ctrl_range[i] = range ? range[i] : 0;
        }
        a->group = source->group;
        a->delay = first->delay;
        a->samples = first->samples;
        a->delay_interpolation = first->delay_interpolation;
        a->name =
            first->name[0] ? tact_mjcf_suffixed(mjcf, first->name, words[source->is_turn][k]) : "";
        if (!a->name) {
            return TACT_NO_MEMORY;
        }
        TACT_TRY(tact_mjcf_keep(mjcf, TACT_OBJECT_ACTUATOR, node, "", true));
        TACT_TRY(tact_model_builder_add_actuator(mjcf->reader->builder, &desc,
                                                 tact_xml_source(node), NULL));
        left--;
    }
    return TACT_OK;
}

/// How many controls there are.
static int count_inputs(const TactMjcfActuator *source)
{
    int count = 0;
    for (unsigned k = 0; k < 4; k++) {
        count += (int)(source->inputs >> k & 1U);
    }
    return source->is_turn                 ? (source->inputs & TACT_MJCF_INPUT_QUAT ? 4 : 3)
           : source->is_motor && count > 0 ? count
                                           : 1;
}

static TactStatus add_actuator(TactMjcf *mjcf, const TactXmlNode *node, TactMjcfRound round)
{
    const TactMjcfClass *class;
    TactActuatorDesc desc = tact_actuator_default();
    bool             kept = true;
    TACT_TRY(tact_mjcf_class(mjcf, node, "class", tact_mjcf_compiler(mjcf, node)->main, &class));
    TactMjcfActuator source = class->actuator;
    TACT_TRY(tact_mjcf_read_actuator(mjcf, node, &source));
    TACT_TRY(tact_mjcf_name(mjcf, node, TACT_OBJECT_ACTUATOR, round, &desc.actuator.name));
    bool unknown = kind_of(node) == PLUGIN && source.gain_law == TACT_MJCF_LAW_OTHER;
    if (kind_of(node) == OTHER || unknown) {
        return tact_mjcf_keep(mjcf, TACT_OBJECT_ACTUATOR, node, desc.actuator.name, false); // noted
    }
    bool muscles = source.gain_law == TACT_MJCF_LAW_MUSCLE &&
                   source.bias_law == TACT_MJCF_LAW_MUSCLE &&
                   are_equal(source.gain, source.bias, TACT_MJCF_PARAMETERS);
    bool either =
        source.gain_law == TACT_MJCF_LAW_MUSCLE || source.bias_law == TACT_MJCF_LAW_MUSCLE;
    if (source.gain_law == TACT_MJCF_LAW_OTHER || source.bias_law == TACT_MJCF_LAW_OTHER ||
        (either && !muscles) || source.dynamics == TACT_MJCF_DYNAMICS_OTHER) {
        TACT_TRY(tact_mjcf_keep(mjcf, TACT_OBJECT_ACTUATOR, node, desc.actuator.name, false));
        return tact_mjcf_note(mjcf, node, "", TACT_VERDICT_IGNORED,
                              "the actuator is left out: the model has no such law of force");
    }
    TACT_TRY(find_target(mjcf, node, round, &desc.actuator, &kept));
    TACT_TRY(tact_mjcf_keep(mjcf, TACT_OBJECT_ACTUATOR, node, desc.actuator.name, kept));
    if (!kept) {
        return TACT_OK;
    }
    memcpy(desc.actuator.gear, source.gear, sizeof desc.actuator.gear);
    desc.actuator.group = source.group;
    TACT_TRY(set_law(mjcf, &source, &desc));
    TACT_TRY(set_ranges(mjcf, node, &source, &desc.actuator));
    TACT_TRY(set_rotor(mjcf, node, &source, &desc));
    bool winds =
        desc.actuator.transmission == TACT_TRANSMISSION_TENDON &&
        tact_model_builder_view_tendon(mjcf->reader->builder, desc.actuator.target)->part_count > 0;
    if (winds && desc.damping_ratio > 0) {
        TACT_TRY(tact_mjcf_note(mjcf, node, "dampratio", TACT_VERDICT_IGNORED,
                                "of a servo on a tendon through space it gives no damping: "
                                "kv does"));
    }
    int index;
    desc.actuator.inputs = count_inputs(&source);
    TACT_TRY(tact_model_builder_add_actuator(mjcf->reader->builder, &desc, tact_xml_source(node),
                                             &index));
    return add_inputs(mjcf, node, &source, &desc.actuator, index);
}

TactStatus tact_mjcf_actuators(TactMjcf *mjcf)
{
    return tact_mjcf_each(mjcf, "actuator", add_actuator);
}
