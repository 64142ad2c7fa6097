// Adding what refers to the tree: tendons, actuators, equalities, sensors, keyframes, free words.
#include <math.h>

#include "base/status.h"
#include "model/build/builder.h"
#include "model/build/sensors.h"
#include "model/motor.h"

/// A joint of the builder that has one dof.
static TactStatus check_scalar_joint(const TactModelBuilder *builder, const TactPlace *place,
                                     int index)
{
    TACT_TRY(tact_check_index(place, TACT_OBJECT_JOINT, index,
                              tact_builder_count(builder, TACT_OBJECT_JOINT)));
    const TactJointItem *item = tact_builder_at(builder, TACT_OBJECT_JOINT, index);
    if (item->joint.type != TACT_JOINT_HINGE && item->joint.type != TACT_JOINT_SLIDE) {
        return tact_place_fail(place, TACT_BAD_INPUT, "joint '%.80s' (%s) is not a hinge or slide",
                               item->head.name, tact_joint_type_name(item->joint.type));
    }
    return TACT_OK;
}

static TactStatus check_indices(const TactModelBuilder *builder, const TactPlace *place, int kind,
                                int a, int b)
{
    int count = tact_builder_count(builder, kind);
    TACT_TRY(tact_check_index(place, kind, a, count));
    TACT_TRY(tact_check_index(place, kind, b, count));
    if (a == b) {
        return tact_place_fail(place, TACT_BAD_INPUT, "it ties %s %d to itself",
                               tact_item_kind_name(kind), a);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Tendons

static TactStatus check_tendon_numbers(const TactPlace *place, const TactTendon *tendon)
{
    TACT_TRY(tact_check_range(place, "range", tendon->range, tendon->limited));
    TACT_TRY(tact_check_finite(place, "margin", &tendon->margin, 1));
    TACT_TRY(tact_check_finite(place, "stiffness", &tendon->stiffness, 1));
    TACT_TRY(tact_check_finite(place, "terms of its spring", tendon->spring_more, 2));
    TACT_TRY(tact_check_finite(place, "terms of its damper", tendon->damper_more, 2));
    TACT_TRY(tact_check_finite(place, "damping", &tendon->damping, 1));
    TACT_TRY(tact_check_not_negative(place, "dry friction", tendon->friction));
    TACT_TRY(tact_check_not_negative(place, "armature", tendon->armature));
    TACT_TRY(tact_check_range(place, "spring range", tendon->spring_range, true));
    return tact_check_range(place, "force range", tendon->force_range, tendon->force_limited);
}

/// A geom stands between two sites; a way begins and ends with a site.
static TactStatus check_parts(const TactModelBuilder *builder, const TactPlace *place,
                              const TactTendon *tendon)
{
    const TactTendonPart *parts = tendon->parts;
    int                   count = tendon->part_count, sites = 0;
    TACT_TRY(tact_builder_check(builder, parts));
    for (int i = 0; i < count; i++) {
        TactTendonPartType type = parts[i].type;
        bool around = type == TACT_TENDON_PART_SPHERE || type == TACT_TENDON_PART_CYLINDER;
        bool before = i > 0 && parts[i - 1].type == TACT_TENDON_PART_SITE;
        bool after = i + 1 < count && parts[i + 1].type == TACT_TENDON_PART_SITE;
        if (around && tendon->armature > 0) {
            return tact_place_fail(place, TACT_UNSUPPORTED,
                                   "it goes around a geom, and cannot have armature");
        }
        if (around && !(before && after)) {
            return tact_place_fail(place, TACT_BAD_INPUT,
                                   "part %d goes around a geom, but not from site to site", i);
        }
        if (type == TACT_TENDON_PART_SITE) {
            sites++;
            TACT_TRY(tact_check_index(place, TACT_OBJECT_SITE, parts[i].object,
                                      tact_builder_count(builder, TACT_OBJECT_SITE)));
        } else if (around) {
            TACT_TRY(tact_check_index(place, TACT_OBJECT_GEOM, parts[i].object,
                                      tact_builder_count(builder, TACT_OBJECT_GEOM)));
        } else if (!(parts[i].divisor > 0)) {
            return tact_place_fail(place, TACT_BAD_INPUT, "the divisor of part %d is %g", i,
                                   parts[i].divisor);
        }
        if (around && parts[i].side >= 0) {
            TACT_TRY(tact_check_index(place, TACT_OBJECT_SITE, parts[i].side,
                                      tact_builder_count(builder, TACT_OBJECT_SITE)));
        }
    }
    return sites >= 2 ? TACT_OK
                      : tact_place_fail(place, TACT_BAD_INPUT, "it goes through %d sites", sites);
}

TactStatus tact_model_builder_add_tendon(TactModelBuilder *builder, const TactTendon *tendon,
                                         TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, tendon));
    TactPlace      place = tact_builder_place(builder, TACT_OBJECT_TENDON, tendon->name, source);
    TactTendonItem item = {.tendon = *tendon};
    if (tendon->part_count > 0) {
        TACT_TRY(check_parts(builder, &place, tendon));
        TACT_TRY(check_tendon_numbers(&place, tendon));
        void *parts;
        TACT_TRY(tact_pool_copy(&builder->pool, tendon->parts, (size_t)tendon->part_count,
                                sizeof *tendon->parts, &parts));
        item.tendon.parts = parts;
        item.tendon.count = 0;
        item.tendon.joints = NULL;
        item.tendon.coefficients = NULL;
        TACT_TRY(tact_builder_push(builder, &place, &item, index));
        TactTendonItem *own = tact_builder_at(builder, TACT_OBJECT_TENDON, place.index);
        own->tendon.name = own->head.name;
        return TACT_OK;
    }
    if (tendon->count < 1 || !tendon->joints || !tendon->coefficients) {
        return tact_place_fail(&place, TACT_BAD_INPUT, "it goes over no joint");
    }
    for (int i = 0; i < tendon->count; i++) {
        TACT_TRY(check_scalar_joint(builder, &place, tendon->joints[i]));
    }
    TACT_TRY(tact_check_finite(&place, "coefficients", tendon->coefficients, tendon->count));
    TACT_TRY(check_tendon_numbers(&place, tendon));
    size_t count = (size_t)tendon->count;
    void  *joints;
    void  *coefficients;
    TACT_TRY(tact_pool_copy(&builder->pool, tendon->joints, count, sizeof(int), &joints));
    TACT_TRY(
        tact_pool_copy(&builder->pool, tendon->coefficients, count, sizeof(double), &coefficients));
    item.tendon.joints = joints;
    item.tendon.coefficients = coefficients;
    TACT_TRY(tact_builder_push(builder, &place, &item, index));
    TactTendonItem *kept = tact_builder_at(builder, TACT_OBJECT_TENDON, place.index);
    kept->tendon.name = kept->head.name;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Actuators

/// What the target of a transmission is; TACT_OBJECT_NONE if there is no such transmission.
static int target_kind(TactTransmission transmission)
{
    switch (transmission) {
    case TACT_TRANSMISSION_JOINT:
    case TACT_TRANSMISSION_JOINT_IN_PARENT: return TACT_OBJECT_JOINT;
    case TACT_TRANSMISSION_TENDON: return TACT_OBJECT_TENDON;
    case TACT_TRANSMISSION_SITE:
    case TACT_TRANSMISSION_SITE_TO_SITE:
    case TACT_TRANSMISSION_SLIDER_CRANK: return TACT_OBJECT_SITE;
    case TACT_TRANSMISSION_BODY_FORCE:
    case TACT_TRANSMISSION_ADHESION: return TACT_OBJECT_BODY;
    case TACT_TRANSMISSION_INPUT: return TACT_OBJECT_ACTUATOR;
    }
    return TACT_OBJECT_NONE;
}

/// Does it drive something that can have the inertia of a rotor?
static bool has_rotor(const TactModelBuilder *builder, const TactActuator *a)
{
    if (a->transmission == TACT_TRANSMISSION_TENDON) {
        const TactTendon *tendon = tact_model_builder_view_tendon(builder, a->target);
        for (int i = 0; i < tendon->part_count; i++) {
            if (tendon->parts[i].type == TACT_TENDON_PART_SPHERE ||
                tendon->parts[i].type == TACT_TENDON_PART_CYLINDER) {
                return false;
            }
        }
        return true;
    }
    const TactJoint *joint = a->transmission == TACT_TRANSMISSION_JOINT ||
                                     a->transmission == TACT_TRANSMISSION_JOINT_IN_PARENT
                                 ? tact_model_builder_view_joint(builder, a->target)
                                 : NULL;
    return joint && (joint->type == TACT_JOINT_HINGE || joint->type == TACT_JOINT_SLIDE);
}

static TactStatus check_motor(const TactPlace *place, const TactMotor *m)
{
    const double positive[2] = {m->constant, m->resistance};
    for (int k = 0; k < 2 && !tact_motor_is_controller(m); k++) {
        if (!(positive[k] > 0 && positive[k] < INFINITY)) {
            return tact_place_fail(place, TACT_BAD_INPUT, "the %s of its motor is %g, not positive",
                                   k == 0 ? "constant" : "resistance", positive[k]);
        }
    }
    TACT_TRY(tact_check_not_negative(place, "time constant of its current", m->time));
    TACT_TRY(tact_check_not_negative(place, "largest change of its current", m->current_rate));
    TACT_TRY(tact_check_finite(place, "cogging", m->cogging, 3));
    TACT_TRY(tact_check_finite(place, "heat", m->heat, 5));
    TACT_TRY(tact_check_finite(place, "bristles", m->bristle, 5));
    TACT_TRY(tact_check_finite(place, "controller", m->controller, 6));
    if ((int)m->input < 0 || m->input > TACT_MOTOR_INPUT_FORCE) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "there is no input %d", (int)m->input);
    }
    bool electric = m->time > 0 || m->cogging[0] != 0 || m->heat[0] > 0 || m->bristle[0] > 0;
    if (tact_motor_is_controller(m) ? electric || m->input == TACT_MOTOR_INPUT_VOLTAGE : m->ahead) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT,
                               "a motor without constant and resistance is a controller alone");
    }
    if (m->heat[0] < 0 || (m->heat[0] > 0 && !(m->heat[1] > 0))) {
        return tact_place_fail(place, TACT_BAD_INPUT,
                               "thermal resistance and capacity of its motor are positive");
    }
    return TACT_OK;
}

/// Controls after the first stand in actuators right after it, in its order.
static TactStatus check_inputs(const TactModelBuilder *builder, const TactPlace *place,
                               TactActuator *a)
{
    enum { MOST = 4 };
    if (a->inputs < 1 || a->inputs > MOST || (a->inputs > 1 && !a->is_motor && !a->is_turn)) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "%d controls", a->inputs);
    }
    if (a->is_turn) {
        bool ball = a->transmission == TACT_TRANSMISSION_JOINT &&
                    tact_model_builder_view_joint(builder, a->target)->type == TACT_JOINT_BALL;
        if (a->inputs < 3 || (!ball && a->transmission != TACT_TRANSMISSION_SITE_TO_SITE)) {
            return tact_place_fail(place, TACT_BAD_ARGUMENT,
                                   "what turns a ball, or a site against another, has three "
                                   "controls or four");
        }
    }
    if (a->transmission != TACT_TRANSMISSION_INPUT) {
        return TACT_OK;
    }
    const TactActuatorItem *of = tact_builder_at(builder, TACT_OBJECT_ACTUATOR, a->target);
    if (a->is_motor || a->is_turn || place->index <= a->target ||
        place->index >= a->target + of->desc.actuator.inputs) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT,
                               "actuator %d does not have it among its controls", a->target);
    }
    return TACT_OK;
}

/// A delay keeps samples.
static TactStatus check_delay(const TactPlace *place, const TactActuator *a)
{
    TACT_TRY(tact_check_finite(place, "delay", &a->delay, 1));
    if (a->samples < 0 || (a->delay != 0 && a->samples == 0)) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "a delay with %d samples", a->samples);
    }
    if ((int)a->delay_interpolation < 0 ||
        a->delay_interpolation > TACT_DELAY_INTERPOLATION_CUBIC) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "there is no interpolation %d",
                               (int)a->delay_interpolation);
    }
    return TACT_OK;
}

/// Activation, muscle and second site. What does not apply becomes what stands for nothing.
static TactStatus check_activation(const TactModelBuilder *builder, const TactPlace *place,
                                   TactActuator *a)
{
    const double *p = a->activation_parameters;
    if ((int)a->activation < 0 || a->activation > TACT_ACTIVATION_MUSCLE) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "there is no activation %d",
                               (int)a->activation);
    }
    TACT_TRY(tact_check_finite(place, "parameters of its activation", p, 3));
    if ((a->activation == TACT_ACTIVATION_FILTER ||
         a->activation == TACT_ACTIVATION_FILTER_EXACT) &&
        !(p[0] > 0)) {
        return tact_place_fail(place, TACT_BAD_INPUT, "its time constant is %g, not positive",
                               p[0]);
    }
    a->act = -1;
    a->act_size = 0;
    TACT_TRY(check_inputs(builder, place, a));
    if (a->is_motor) {
        TACT_TRY(check_motor(place, &a->motor));
        if (a->activation != TACT_ACTIVATION_NONE || a->is_muscle) {
            return tact_place_fail(place, TACT_BAD_ARGUMENT,
                                   "a motor has activations of its own, and is no muscle");
        }
    }
    TACT_TRY(tact_check_range(place, "range of its activation", a->act_range, a->act_limited));
    TACT_TRY(tact_check_range(place, "length range", a->length_range, true));
    bool two = a->transmission == TACT_TRANSMISSION_SITE_TO_SITE ||
               a->transmission == TACT_TRANSMISSION_SLIDER_CRANK;
    if (!two) {
        a->reference = -1;
        return TACT_OK;
    }
    if (a->transmission == TACT_TRANSMISSION_SLIDER_CRANK && !(a->crank_length > 0)) {
        return tact_place_fail(place, TACT_BAD_INPUT, "the length of its rod is %g, not positive",
                               a->crank_length);
    }
    return tact_check_index(place, TACT_OBJECT_SITE, a->reference,
                            tact_builder_count(builder, TACT_OBJECT_SITE));
}

TactStatus tact_model_builder_add_actuator(TactModelBuilder *builder, const TactActuatorDesc *desc,
                                           TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, desc));
    const TactActuator *actuator = &desc->actuator;
    TactPlace place = tact_builder_place(builder, TACT_OBJECT_ACTUATOR, actuator->name, source);
    TactActuatorItem item = {.desc = *desc};
    int              kind = target_kind(actuator->transmission);
    if (kind == TACT_OBJECT_NONE) {
        return tact_place_fail(&place, TACT_BAD_ARGUMENT, "there is no transmission %d",
                               (int)actuator->transmission);
    }
    TACT_TRY(tact_check_index(&place, kind, actuator->target, tact_builder_count(builder, kind)));
    TACT_TRY(tact_check_finite(&place, "gear", actuator->gear, 6));
    TACT_TRY(tact_check_finite(&place, "gain", actuator->gain, 3));
    TACT_TRY(tact_check_finite(&place, "bias", actuator->bias, 3));
    TACT_TRY(tact_check_range(&place, "ctrl range", actuator->ctrl_range, actuator->ctrl_limited));
    TACT_TRY(
        tact_check_range(&place, "force range", actuator->force_range, actuator->force_limited));
    TACT_TRY(tact_check_not_negative(&place, "damping ratio", desc->damping_ratio));
    TACT_TRY(tact_check_not_negative(&place, "armature", desc->armature));
    TACT_TRY(tact_check_finite(&place, "damping", &desc->damping, 1));
    TACT_TRY(tact_check_finite(&place, "terms of its damper", desc->damper_more, 2));
    bool more = desc->damper_more[0] != 0 || desc->damper_more[1] != 0;
    if ((desc->armature > 0 || desc->damping != 0 || more) && !has_rotor(builder, actuator)) {
        return tact_place_fail(
            &place, TACT_UNSUPPORTED,
            "armature and damping of what drives no hinge, slide or tendon, or a "
            "tendon around geoms");
    }
    if (desc->damping_ratio > 0 && !(actuator->gain[0] > 0)) {
        return tact_place_fail(&place, TACT_BAD_INPUT,
                               "a damping ratio needs a positive gain, not %g", actuator->gain[0]);
    }
    TACT_TRY(check_delay(&place, &item.desc.actuator));
    TACT_TRY(check_activation(builder, &place, &item.desc.actuator));
    return tact_builder_push(builder, &place, &item, index);
}

// ---------------------------------------------------------------------------------------------
// Equalities

static bool is_zero_quat(TactQuat q)
{
    return q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0;
}

/// Connect and weld: the bodies, the anchors, the pose.
static TactStatus check_tie(const TactModelBuilder *builder, const TactPlace *place,
                            TactEquality *equality)
{
    TACT_TRY(check_indices(builder, place, TACT_OBJECT_BODY, equality->a, equality->b));
    TACT_TRY(tact_check_vec3(place, "anchor", equality->anchor_a));
    TACT_TRY(tact_check_vec3(place, "anchor", equality->anchor_b));
    if (!is_zero_quat(equality->relative.rotation)) {
        TACT_TRY(tact_check_pose(place, "relative pose", &equality->relative));
    }
    if (equality->via != 0) {
        TACT_TRY(tact_check_index(place, TACT_OBJECT_BODY, equality->via,
                                  tact_builder_count(builder, TACT_OBJECT_BODY)));
    }
    return tact_check_not_negative(place, "torque scale", equality->torque_scale);
}

/// Joint and tendon: one, or two of them.
static TactStatus check_coupling(const TactModelBuilder *builder, const TactPlace *place,
                                 const TactEquality *equality, int kind)
{
    if (equality->b == -1) {
        TACT_TRY(tact_check_index(place, kind, equality->a, tact_builder_count(builder, kind)));
    } else {
        TACT_TRY(check_indices(builder, place, kind, equality->a, equality->b));
    }
    if (kind == TACT_OBJECT_JOINT) {
        TACT_TRY(check_scalar_joint(builder, place, equality->a));
        if (equality->b != -1) {
            TACT_TRY(check_scalar_joint(builder, place, equality->b));
        }
    }
    return tact_check_finite(place, "polynomial", equality->polynomial, 5);
}

TactStatus tact_model_builder_add_equality(TactModelBuilder *builder, const TactEquality *equality,
                                           TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, equality));
    TactPlace place = tact_builder_place(builder, TACT_OBJECT_EQUALITY, equality->name, source);
    TactEqualityItem item = {.equality = *equality};
    switch (equality->type) {
    case TACT_EQUALITY_CONNECT:
    case TACT_EQUALITY_WELD: TACT_TRY(check_tie(builder, &place, &item.equality)); break;
    case TACT_EQUALITY_JOINT:
        TACT_TRY(check_coupling(builder, &place, equality, TACT_OBJECT_JOINT));
        break;
    case TACT_EQUALITY_TENDON:
        TACT_TRY(check_coupling(builder, &place, equality, TACT_OBJECT_TENDON));
        break;
    default:
        return tact_place_fail(&place, TACT_BAD_ARGUMENT, "there is no equality type %d",
                               (int)equality->type);
    }
    return tact_builder_push(builder, &place, &item, index);
}

// ---------------------------------------------------------------------------------------------
// Sensors

static bool is_frame(TactObject type)
{
    return type == TACT_OBJECT_BODY || type == TACT_OBJECT_XBODY || type == TACT_OBJECT_GEOM ||
           type == TACT_OBJECT_SITE;
}

/// May a sensor of this kind be attached to an object of this type?
static bool takes(TactSensorTarget target, TactObject type)
{
    switch (target) {
    case TACT_SENSES_NOTHING: return type == TACT_OBJECT_NONE;
    case TACT_SENSES_SCALAR:
    case TACT_SENSES_BALL: return type == TACT_OBJECT_JOINT;
    case TACT_SENSES_TENDON: return type == TACT_OBJECT_TENDON;
    case TACT_SENSES_ACTUATOR: return type == TACT_OBJECT_ACTUATOR;
    case TACT_SENSES_FRAME: return is_frame(type);
    case TACT_SENSES_SUBTREE: return type == TACT_OBJECT_BODY || type == TACT_OBJECT_XBODY;
    case TACT_SENSES_SITE: return type == TACT_OBJECT_SITE;
    case TACT_SENSES_CONTACT: return is_frame(type) || type == TACT_OBJECT_NONE;
    case TACT_SENSES_PAIR: return type == TACT_OBJECT_GEOM || type == TACT_OBJECT_BODY;
    case TACT_SENSES_LIMIT: return type == TACT_OBJECT_JOINT;
    case TACT_SENSES_ANYTHING: return true;
    }
    return false;
}

static TactStatus check_sensor(const TactModelBuilder *builder, const TactPlace *place,
                               const TactSensorInfo *info, TactSensor *sensor)
{
    if (!takes(info->target, sensor->object_type)) {
        return tact_place_fail(place, TACT_BAD_INPUT, "a sensor of type '%s' cannot measure a %s",
                               info->name, tact_item_kind_name((int)sensor->object_type));
    }
    if (sensor->object_type == TACT_OBJECT_NONE) {
        sensor->object = -1;
    } else {
        TACT_TRY(tact_check_index(place, (int)sensor->object_type, sensor->object,
                                  tact_builder_count(builder, (int)sensor->object_type)));
    }
    if (info->target == TACT_SENSES_SCALAR) {
        TACT_TRY(check_scalar_joint(builder, place, sensor->object));
    }
    if (info->target == TACT_SENSES_BALL &&
        tact_model_builder_view_joint(builder, sensor->object)->type != TACT_JOINT_BALL) {
        return tact_place_fail(place, TACT_BAD_INPUT, "joint %d is not a ball joint",
                               sensor->object);
    }
    if (info->target == TACT_SENSES_PAIR && !takes(info->target, sensor->reference_type)) {
        return tact_place_fail(place, TACT_BAD_INPUT, "it needs a second geom or body");
    }
    if (sensor->reference_type == TACT_OBJECT_NONE) {
        sensor->reference = -1;
        return TACT_OK;
    }
    if (!info->reference || !is_frame(sensor->reference_type)) {
        return tact_place_fail(place, TACT_BAD_INPUT,
                               "a sensor of type '%s' cannot be measured relative to a %s",
                               info->name, tact_item_kind_name((int)sensor->reference_type));
    }
    return tact_check_index(place, (int)sensor->reference_type, sensor->reference,
                            tact_builder_count(builder, (int)sensor->reference_type));
}

TactStatus tact_model_builder_add_sensor(TactModelBuilder *builder, const TactSensor *sensor,
                                         TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, sensor));
    TactPlace      place = tact_builder_place(builder, TACT_OBJECT_SENSOR, sensor->name, source);
    TactSensorItem item = {.sensor = *sensor};
    const TactSensorInfo *info = tact_sensor_info(sensor->type);
    if (!info) {
        return tact_place_fail(&place, TACT_BAD_ARGUMENT, "there is no sensor type %d",
                               (int)sensor->type);
    }
    TACT_TRY(check_sensor(builder, &place, info, &item.sensor));
    TACT_TRY(tact_check_not_negative(&place, "cutoff", sensor->cutoff));
    if (info->size > 0) {
        item.sensor.size = info->size;
    } else if (sensor->size < 1 || sensor->size > 1000000) {
        return tact_place_fail(&place, TACT_BAD_INPUT, "its size is %d", sensor->size);
    }
    item.sensor.address = 0;
    return tact_builder_push(builder, &place, &item, index);
}

// ---------------------------------------------------------------------------------------------
// Keyframes and free words

static TactStatus copy_numbers(TactModelBuilder *builder, const TactPlace *place, const char *what,
                               const double *numbers, int count, const double **copy)
{
    *copy = NULL;
    if (!numbers) {
        return TACT_OK;
    }
    if (count < 0) {
        return tact_place_fail(place, TACT_BAD_ARGUMENT, "its %s has %d numbers", what, count);
    }
    TACT_TRY(tact_check_finite(place, what, numbers, count));
    void *block;
    TACT_TRY(tact_pool_copy(&builder->pool, numbers, (size_t)count, sizeof *numbers, &block));
    *copy = block;
    return TACT_OK;
}

TactStatus tact_model_builder_add_keyframe(TactModelBuilder *builder, const TactKeyframe *key,
                                           const int lengths[3], TactSource source, int *index)
{
    TACT_TRY(tact_builder_check(builder, key));
    TACT_TRY(tact_builder_check(builder, lengths));
    TactPlace        place = tact_builder_place(builder, TACT_OBJECT_KEYFRAME, key->name, source);
    TactKeyframeItem item = {.key = *key, .lengths = {lengths[0], lengths[1], lengths[2]}};
    TACT_TRY(tact_check_finite(&place, "time", &key->time, 1));
    TACT_TRY(copy_numbers(builder, &place, "q", key->q, lengths[0], &item.key.q));
    TACT_TRY(copy_numbers(builder, &place, "v", key->v, lengths[1], &item.key.v));
    TACT_TRY(copy_numbers(builder, &place, "ctrl", key->ctrl, lengths[2], &item.key.ctrl));
    return tact_builder_push(builder, &place, &item, index);
}

TactStatus tact_model_builder_set_activations(TactModelBuilder *builder, int keyframe,
                                              const double *act, int count)
{
    TACT_TRY(tact_builder_check(builder, act));
    TactPlace place = tact_builder_place(builder, TACT_OBJECT_KEYFRAME, "", (TactSource){0});
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_KEYFRAME, keyframe, place.index));
    TactKeyframeItem *item = tact_builder_at(builder, TACT_OBJECT_KEYFRAME, keyframe);
    place = tact_builder_place_of(builder, TACT_OBJECT_KEYFRAME, keyframe);
    TACT_TRY(copy_numbers(builder, &place, "act", act, count, &item->act));
    item->act_count = count;
    return TACT_OK;
}

TactStatus tact_model_builder_set_mocap(TactModelBuilder *builder, int keyframe,
                                        const TactTransform *poses, int count)
{
    TACT_TRY(tact_builder_check(builder, poses));
    TactPlace place = tact_builder_place(builder, TACT_OBJECT_KEYFRAME, "", (TactSource){0});
    TACT_TRY(tact_check_index(&place, TACT_OBJECT_KEYFRAME, keyframe, place.index));
    TactKeyframeItem *item = tact_builder_at(builder, TACT_OBJECT_KEYFRAME, keyframe);
    place = tact_builder_place_of(builder, TACT_OBJECT_KEYFRAME, keyframe);
    for (int i = 0; i < count; i++) {
        TactTransform pose = poses[i];
        TACT_TRY(tact_check_pose(&place, "mocap pose", &pose));
    }
    void *copy;
    TACT_TRY(tact_pool_copy(&builder->pool, poses, (size_t)count, sizeof *poses, &copy));
    item->mocap = copy;
    item->mocap_count = count;
    return TACT_OK;
}

TactStatus tact_model_builder_add_custom(TactModelBuilder *builder, const TactCustom *custom,
                                         TactSource source)
{
    TACT_TRY(tact_builder_check(builder, custom));
    int            kind = custom->count > 0 ? TACT_ITEM_NUMERIC : TACT_ITEM_TEXT;
    TactPlace      place = tact_builder_place(builder, kind, custom->name, source);
    TactCustomItem item = {.custom = *custom};
    if (!custom->name || !*custom->name) {
        return tact_place_fail(&place, TACT_BAD_INPUT, "it has no name");
    }
    if (custom->count < 0 || (custom->count > 0 && !custom->data)) {
        return tact_place_fail(&place, TACT_BAD_ARGUMENT, "it has %d numbers%s", custom->count,
                               custom->data ? "" : ", but they are missing");
    }
    TACT_TRY(copy_numbers(builder, &place, "data", custom->data, custom->count, &item.custom.data));
    TACT_TRY(tact_pool_text(&builder->pool, custom->text, &item.custom.text));
    TACT_TRY(tact_pool_text(&builder->pool, custom->path, &item.custom.path));
    return tact_builder_push(builder, &place, &item, NULL);
}
