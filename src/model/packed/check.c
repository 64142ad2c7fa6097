#include "model/packed/check.h"

#include <math.h>
#include <stddef.h>

#include "model/build/build.h"
#include "model/motor.h"

static bool is_among(int x, int count)
{
    return x >= 0 && x < count;
}

/// first .. first + count - 1, following what came before.
static bool follows(int first, int count, int *next, int all)
{
    bool fine = count >= 0 && (count == 0 || first == *next) && count <= all - *next;
    *next += fine ? count : 0;
    return fine;
}

// ---------------------------------------------------------------------------------------------
// The tree

static bool is_body_fine(const TactModel *m, int i, int next[4])
{
    const TactBody *body = &m->bodies[i];
    bool            above = i == 0 ? body->parent == -1 : is_among(body->parent, i);
    return above && is_among(body->root, i + 1) && is_among(body->carrier, i + 1) &&
           body->mocap >= -1 && body->mocap < m->mocap_count &&
           follows(body->first_joint, body->joint_count, &next[0], m->joint_count) &&
           follows(body->first_dof, body->dof_count, &next[1], m->nv) &&
           follows(body->first_geom, body->geom_count, &next[2], m->geom_count) &&
           follows(body->first_site, body->site_count, &next[3], m->site_count);
}

static bool are_bodies_fine(const TactModel *m)
{
    int  next[4] = {0};
    bool fine = m->body_count >= 1;
    for (int i = 0; i < m->body_count && fine; i++) {
        fine = is_body_fine(m, i, next);
    }
    return fine && next[0] == m->joint_count && next[1] == m->nv && next[2] == m->geom_count &&
           next[3] == m->site_count;
}

/// Is thing i one of a body's? The body was checked.
static bool is_of_body(const TactModel *m, int body, int i, bool joint)
{
    if (!is_among(body, m->body_count)) {
        return false;
    }
    const TactBody *b = &m->bodies[body];
    return joint ? i >= b->first_joint && i - b->first_joint < b->joint_count
                 : i >= b->first_geom && i - b->first_geom < b->geom_count;
}

static bool are_joints_fine(const TactModel *m)
{
    static const int q[] = {7, 4, 1, 1}, v[] = {6, 3, 1, 1};
    int              nq = 0, nv = 0;
    bool             fine = true;
    for (int i = 0; i < m->joint_count && fine; i++) {
        const TactJoint *joint = &m->joints[i];
        fine = is_among((int)joint->type, 4) && is_of_body(m, joint->body, i, true) &&
               joint->q == nq && joint->dof == nv && v[joint->type] <= m->nv - nv &&
               q[joint->type] <= m->nq - nq;
        nq += fine ? q[joint->type] : 0;
        nv += fine ? v[joint->type] : 0;
    }
    for (int i = 0; i < m->nv && fine; i++) {
        const TactDof *dof = &m->dofs[i];
        fine = is_among(dof->joint, m->joint_count) && is_among(dof->body, m->body_count) &&
               dof->parent >= -1 && dof->parent < i;
        if (fine) {
            const TactJoint *joint = &m->joints[dof->joint];
            fine = dof->body == joint->body && i >= joint->dof && i - joint->dof < v[joint->type];
        }
    }
    for (int i = 0; i < m->body_count && fine; i++) {
        const TactBody *body = &m->bodies[i];
        int             sum = 0;
        for (int k = 0; k < body->joint_count; k++) {
            sum += v[m->joints[body->first_joint + k].type];
        }
        fine = sum == body->dof_count;
    }
    return fine && nq == m->nq && nv == m->nv;
}

static bool is_geom_fine(const TactModel *m, int i)
{
    const TactGeom *geom = &m->geoms[i];
    bool            field = geom->type == TACT_GEOM_HEIGHTFIELD;
    bool            solid = geom->type == TACT_GEOM_CONVEX || geom->type == TACT_GEOM_MESH;
    bool            shape = field   ? is_among(geom->mesh, m->heightfield_count)
                            : solid ? is_among(geom->mesh, m->mesh_count)
                                    : geom->mesh >= -1;
    if (!shape || !is_among((int)geom->type, TACT_GEOM_TYPE_COUNT) ||
        !is_of_body(m, geom->body, i, false)) {
        return false;
    }
    return (geom->type != TACT_GEOM_CONVEX || geom->visual || m->meshes[geom->mesh].hull) &&
           isfinite(geom->size[0] + geom->size[1] + geom->size[2]);
}

static bool are_shapes_fine(const TactModel *m)
{
    bool fine = true;
    for (int i = 0; i < m->heightfield_count && fine; i++) {
        fine = m->heightfields[i].rows >= 2 && m->heightfields[i].columns >= 2;
    }
    for (int i = 0; i < m->geom_count && fine; i++) {
        fine = is_geom_fine(m, i);
    }
    for (int i = 0; i < m->site_count && fine; i++) {
        const TactSite *site = &m->sites[i];
        fine = is_among((int)site->type, TACT_GEOM_TYPE_COUNT) &&
               is_among(site->body, m->body_count) && i - m->bodies[site->body].first_site >= 0 &&
               i - m->bodies[site->body].first_site < m->bodies[site->body].site_count;
    }
    return fine;
}

// ---------------------------------------------------------------------------------------------
// What refers to the tree

static bool is_tendon_fine(const TactModel *m, const TactTendon *tendon)
{
    bool fine = true;
    for (int k = 0; k < tendon->count && fine; k++) {
        fine = is_among(tendon->joints[k], m->joint_count) &&
               m->joints[tendon->joints[k]].type >= TACT_JOINT_HINGE;
    }
    for (int k = 0; k < tendon->part_count && fine; k++) {
        const TactTendonPart *part = &tendon->parts[k];
        int                   type = (int)part->type;
        fine = is_among(type, TACT_TENDON_PART_PULLEY + 1) &&
               (type == TACT_TENDON_PART_PULLEY ||
                is_among(part->object,
                         type == TACT_TENDON_PART_SITE ? m->site_count : m->geom_count)) &&
               part->side >= -1 && part->side < m->site_count;
    }
    return fine;
}

/// Its activations stand where the model has room for them, as many as its kind has.
static bool are_activations_fine(const TactModel *m, const TactActuator *actuator)
{
    int count = actuator->is_motor ? tact_motor_slots(&actuator->motor).count
                : actuator->activation != TACT_ACTIVATION_NONE ? 1
                                                               : 0;
    return is_among((int)actuator->activation, TACT_ACTIVATION_MUSCLE + 1) &&
           is_among((int)actuator->delay_interpolation, TACT_DELAY_INTERPOLATION_CUBIC + 1) &&
           actuator->samples >= 0 && (actuator->samples > 0 || actuator->delay == 0) &&
           is_among((int)actuator->motor.input, TACT_MOTOR_INPUT_FORCE + 1) &&
           actuator->act_size == count &&
           (count == 0 ? actuator->act == -1
                       : actuator->act >= 0 && actuator->act <= m->act_count - count);
}

static bool is_actuator_fine(const TactModel *m, const TactActuator *actuator)
{
    int targets = 0, reference = actuator->reference;
    switch ((int)actuator->transmission) {
    case TACT_TRANSMISSION_JOINT:
    case TACT_TRANSMISSION_JOINT_IN_PARENT: targets = m->joint_count; break;
    case TACT_TRANSMISSION_TENDON: targets = m->tendon_count; break;
    case TACT_TRANSMISSION_SITE:
    case TACT_TRANSMISSION_SITE_TO_SITE:
    case TACT_TRANSMISSION_SLIDER_CRANK: targets = m->site_count; break;
    case TACT_TRANSMISSION_BODY_FORCE:
    case TACT_TRANSMISSION_ADHESION: targets = m->body_count; break;
    case TACT_TRANSMISSION_INPUT: targets = m->actuator_count; break;
    default: return false;
    }
    bool two = actuator->transmission == TACT_TRANSMISSION_SITE_TO_SITE ||
               actuator->transmission == TACT_TRANSMISSION_SLIDER_CRANK;
    return is_among(actuator->target, targets) && actuator->inputs >= 1 &&
           actuator->inputs <= m->actuator_count - (int)(actuator - m->actuators) &&
           (two ? is_among(reference, m->site_count) : reference >= -1) &&
           reference < (m->site_count > 0 ? m->site_count : 1) && are_activations_fine(m, actuator);
}

static bool is_equality_fine(const TactModel *m, const TactEquality *equality)
{
    int  type = (int)equality->type;
    bool bodies = type == TACT_EQUALITY_CONNECT || type == TACT_EQUALITY_WELD;
    int  count = bodies                         ? m->body_count
                 : type == TACT_EQUALITY_JOINT  ? m->joint_count
                 : type == TACT_EQUALITY_TENDON ? m->tendon_count
                                                : 0;
    bool a = is_among(equality->a, count), b = is_among(equality->b, count);
    b = b || (!bodies && equality->b == -1);
    if (!a || !b || !is_among(equality->via, m->body_count)) {
        return false;
    }
    return type != TACT_EQUALITY_JOINT ||
           (m->joints[equality->a].type >= TACT_JOINT_HINGE &&
            (equality->b < 0 || m->joints[equality->b].type >= TACT_JOINT_HINGE));
}

/// How many things of a kind there are; 0: there are none such.
static int count_objects(const TactModel *m, int kind)
{
    switch (kind) {
    case TACT_OBJECT_BODY:
    case TACT_OBJECT_XBODY: return m->body_count;
    case TACT_OBJECT_JOINT: return m->joint_count;
    case TACT_OBJECT_GEOM: return m->geom_count;
    case TACT_OBJECT_SITE: return m->site_count;
    case TACT_OBJECT_TENDON: return m->tendon_count;
    case TACT_OBJECT_ACTUATOR: return m->actuator_count;
    default: return 0;
    }
}

/// The kind of object that a type of sensor is attached to.
static bool is_target_fine(const TactModel *m, const TactSensor *sensor, TactSensorTarget target)
{
    int  kind = (int)sensor->object_type, object = sensor->object;
    bool joint = kind == TACT_OBJECT_JOINT;
    bool body = kind == TACT_OBJECT_BODY || kind == TACT_OBJECT_XBODY;
    switch (target) {
    case TACT_SENSES_SCALAR: return joint && m->joints[object].type >= TACT_JOINT_HINGE;
    case TACT_SENSES_BALL: return joint && m->joints[object].type == TACT_JOINT_BALL;
    case TACT_SENSES_LIMIT: return joint;
    case TACT_SENSES_TENDON: return kind == TACT_OBJECT_TENDON;
    case TACT_SENSES_ACTUATOR: return kind == TACT_OBJECT_ACTUATOR;
    case TACT_SENSES_SITE: return kind == TACT_OBJECT_SITE;
    case TACT_SENSES_SUBTREE: return body;
    case TACT_SENSES_FRAME: return body || kind == TACT_OBJECT_GEOM || kind == TACT_OBJECT_SITE;
    case TACT_SENSES_PAIR: return body || kind == TACT_OBJECT_GEOM;
    default: return true;
    }
}

static bool is_sensor_fine(const TactModel *m, const TactSensor *sensor, int *next)
{
    const TactSensorInfo *info = tact_sensor_info(sensor->type);
    int                   object = (int)sensor->object_type, other = (int)sensor->reference_type;
    if (!is_among((int)sensor->type, TACT_SENSOR_TYPE_COUNT) || !info) {
        return false;
    }
    bool objects =
        (object == TACT_OBJECT_NONE || is_among(sensor->object, count_objects(m, object))) &&
        (other == TACT_OBJECT_NONE || is_among(sensor->reference, count_objects(m, other)));
    bool needs = info->target != TACT_SENSES_NOTHING && info->target != TACT_SENSES_CONTACT &&
                 info->target != TACT_SENSES_ANYTHING;
    if (!objects || (needs && object == TACT_OBJECT_NONE) ||
        !is_target_fine(m, sensor,
                        object == TACT_OBJECT_NONE ? TACT_SENSES_NOTHING : info->target)) {
        return false;
    }
    bool points = sensor->type == TACT_SENSOR_CONTACT_POINTS;
    bool size = sensor->size >= 1 && (info->size == 0 || sensor->size == info->size);
    if (points) {
        static const int each[] = {1, 3, 3, 1, 3, 3, 3};
        int              sum = 0;
        for (int k = 0; k < 7; k++) {
            sum += sensor->contact.data >> k & 1 ? each[k] : 0;
        }
        size = sensor->contact.data <= TACT_CONTACT_DATA_ALL && sensor->contact.places >= 1 &&
               sensor->contact.places <= sensor->size &&
               sensor->size == sum * sensor->contact.places &&
               is_among((int)sensor->contact.reduce, TACT_REDUCE_NET_FORCE + 1);
    }
    return size && follows(sensor->address, sensor->size, next, m->sensor_size);
}

static bool are_links_fine(const TactModel *m)
{
    bool fine = true;
    for (int i = 0; i < m->tendon_count && fine; i++) {
        fine = is_tendon_fine(m, &m->tendons[i]);
    }
    for (int i = 0; i < m->actuator_count && fine; i++) {
        fine = is_actuator_fine(m, &m->actuators[i]);
    }
    for (int i = 0; i < m->equality_count && fine; i++) {
        fine = is_equality_fine(m, &m->equalities[i]);
    }
    for (int i = 0; i < m->exclude_count && fine; i++) {
        fine =
            is_among(m->excludes[i].a, m->body_count) && is_among(m->excludes[i].b, m->body_count);
    }
    for (int i = 0; i < m->pair_count && fine; i++) {
        fine = is_among(m->pairs[i].a, m->geom_count) && is_among(m->pairs[i].b, m->geom_count);
    }
    return fine;
}

static bool are_sensors_fine(const TactModel *m)
{
    int  next = 0;
    bool fine = true;
    for (int i = 0; i < m->sensor_count && fine; i++) {
        fine = is_sensor_fine(m, &m->sensors[i], &next);
    }
    return fine && next == m->sensor_size;
}

const char *tact_packed_find_fault(const TactModel *model)
{
    const TactModelOptions *options = &model->options;
    return !are_bodies_fine(model)   ? "its bodies do not make a tree"
           : !are_joints_fine(model) ? "its joints do not fit its bodies"
           : !are_shapes_fine(model) ? "a geom or site does not fit its body or its mesh"
           : !are_links_fine(model)
               ? "a tendon, actuator, equality, pair or exclude refers to nothing"
           : !are_sensors_fine(model) ? "a sensor refers to nothing, or has another size"
           : !(options->timestep > 0) || !is_among((int)options->integrator, 2)
               ? "its options cannot be"
               : NULL;
}
