// What `tact info --json` prints: SI units, radians, quaternions w x y z, in the order of the
// model.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/info/info.h"
#include "cli/json/json.h"

static json_t *reals(const double *x, int n)
{
    return tact_json_value_vector(x, n);
}

static json_t *matrix(const double *A, int n)
{
    json_t *rows = json_array();
    for (int i = 0; i < n; i++) {
        tact_json_append(rows, reals(A + (size_t)i * (size_t)n, n));
    }
    return rows;
}

static json_t *vector(TactVec3 v)
{
    double x[3] = {v.x, v.y, v.z};
    return reals(x, 3);
}

static json_t *quaternion(TactQuat q)
{
    double x[4] = {q.w, q.x, q.y, q.z};
    return reals(x, 4);
}

/// xx yy zz xy xz yz
static json_t *tensor(TactMat3 I)
{
    double x[6] = {I.m[0][0], I.m[1][1], I.m[2][2], I.m[0][1], I.m[0][2], I.m[1][2]};
    return reals(x, 6);
}

/// Name of a thing, or its kind and number; null: there is none.
static json_t *label(const TactModel *model, TactObject type, int index)
{
    char text[64];
    return index < 0 ? json_null()
                     : tact_json_value_text(tact_model_label(model, type, index, text));
}

static void set(json_t *object, const char *key, json_t *value)
{
    tact_json_set(object, key, value);
}

static void set_real(json_t *object, const char *key, double value)
{
    set(object, key, tact_json_value_real(value));
}

static void set_pose(json_t *object, TactTransform pose)
{
    set(object, "pos", vector(pose.position));
    set(object, "quat", quaternion(pose.rotation));
}

// ---------------------------------------------------------------------------------------------
// Bodies and what hangs on them

static json_t *describe_body(const TactInfo *info, int i)
{
    const TactBody *body = &info->model->bodies[i];
    json_t         *object = json_object();
    set(object, "parent", label(info->model, TACT_OBJECT_XBODY, body->parent));
    set_real(object, "mass", body->inertia.mass);
    set(object, "com", vector(body->inertia.com));
    set(object, "inertia", tensor(body->inertia.rotary));
    set_real(object, "subtree_mass", body->subtree_mass);
    set_real(object, "gravity_compensation", body->gravity_compensation);
    set_pose(object, info->poses[i]);
    return object;
}

/// By name; bodies without one by kind and number, of which the names of others are never two.
static json_t *describe_bodies(const TactInfo *info)
{
    json_t *object = json_object();
    for (int i = 0; i < info->model->body_count; i++) {
        json_t *name = label(info->model, TACT_OBJECT_XBODY, i);
        set(object, json_string_value(name), describe_body(info, i));
        json_decref(name);
    }
    return object;
}

static json_t *describe_joint(const TactModel *model, int i)
{
    const TactJoint *joint = &model->joints[i];
    json_t          *object = json_object();
    set(object, "name", label(model, TACT_OBJECT_JOINT, i));
    set(object, "type", json_string(tact_joint_type_name(joint->type)));
    set(object, "body", label(model, TACT_OBJECT_XBODY, joint->body));
    set(object, "qposadr", json_integer(joint->q));
    set(object, "dofadr", json_integer(joint->dof));
    set(object, "pos", vector(joint->position));
    set(object, "axis", vector(joint->axis));
    set(object, "limited", json_boolean(joint->limited));
    set(object, "range", reals(joint->range, 2));
    set_real(object, "reference", joint->reference);
    set_real(object, "stiffness", joint->stiffness);
    set_real(object, "spring_reference", joint->spring_reference);
    set_real(object, "damping", joint->damping);
    set_real(object, "armature", joint->armature);
    set_real(object, "friction", joint->friction);
    set(object, "force_limited", json_boolean(joint->force_limited));
    set(object, "force_range", reals(joint->force_range, 2));
    return object;
}

static json_t *describe_geom(const TactModel *model, int i)
{
    const TactGeom *geom = &model->geoms[i];
    bool            field = geom->type == TACT_GEOM_HEIGHTFIELD;
    json_t         *object = json_object();
    set(object, "name", label(model, TACT_OBJECT_GEOM, i));
    set(object, "type", json_string(tact_geom_type_name(geom->type)));
    set(object, "body", label(model, TACT_OBJECT_XBODY, geom->body));
    set_pose(object, geom->pose);
    set(object, "size", reals(geom->size, 3));
    set(object, "mesh",
        label(model, field ? TACT_OBJECT_HEIGHTFIELD : TACT_OBJECT_MESH, geom->mesh));
    set_real(object, "mass", geom->mass);
    set(object, "contact_type", json_integer(geom->contact_type));
    set(object, "contact_affinity", json_integer(geom->contact_affinity));
    set(object, "condim", json_integer(geom->condim));
    set(object, "priority", json_integer(geom->priority));
    set_real(object, "mu", geom->mu);
    set_real(object, "margin", geom->margin);
    set_real(object, "gap", geom->gap);
    set(object, "group", json_integer(geom->group));
    set(object, "visual", json_boolean(geom->visual));
    return object;
}

static json_t *describe_site(const TactModel *model, int i)
{
    json_t *object = json_object();
    set(object, "name", label(model, TACT_OBJECT_SITE, i));
    set(object, "body", label(model, TACT_OBJECT_XBODY, model->sites[i].body));
    set_pose(object, model->sites[i].pose);
    return object;
}

// ---------------------------------------------------------------------------------------------
// What acts on them

static json_t *describe_actuator(const TactModel *model, int i)
{
    static const char *const drives[] = {"joint", "joint in parent", "tendon", "site", "body"};
    static const TactObject  kinds[] = {TACT_OBJECT_JOINT, TACT_OBJECT_JOINT, TACT_OBJECT_TENDON,
                                        TACT_OBJECT_SITE, TACT_OBJECT_XBODY};

    const TactActuator *actuator = &model->actuators[i];
    json_t             *object = json_object();
    set(object, "name", label(model, TACT_OBJECT_ACTUATOR, i));
    set(object, "drives", json_string(drives[actuator->transmission]));
    set(object, "target", label(model, kinds[actuator->transmission], actuator->target));
    set(object, "gear", reals(actuator->gear, 6));
    set(object, "gain", reals(actuator->gain, 3));
    set(object, "bias", reals(actuator->bias, 3));
    set(object, "ctrl_limited", json_boolean(actuator->ctrl_limited));
    set(object, "ctrl_range", reals(actuator->ctrl_range, 2));
    set(object, "force_limited", json_boolean(actuator->force_limited));
    set(object, "force_range", reals(actuator->force_range, 2));
    return object;
}

static json_t *describe_tendon(const TactModel *model, int i)
{
    const TactTendon *tendon = &model->tendons[i];
    json_t           *object = json_object();
    json_t           *joints = json_array();
    for (int k = 0; k < tendon->count; k++) {
        tact_json_append(joints, label(model, TACT_OBJECT_JOINT, tendon->joints[k]));
    }
    set(object, "name", label(model, TACT_OBJECT_TENDON, i));
    set(object, "joints", joints);
    set(object, "coefficients", reals(tendon->coefficients, tendon->count));
    set(object, "limited", json_boolean(tendon->limited));
    set(object, "range", reals(tendon->range, 2));
    set_real(object, "stiffness", tendon->stiffness);
    set_real(object, "damping", tendon->damping);
    set_real(object, "friction", tendon->friction);
    return object;
}

static json_t *describe_equality(const TactModel *model, int i)
{
    static const char *const words[] = {"connect", "weld", "joint", "tendon"};
    static const TactObject  kinds[] = {TACT_OBJECT_XBODY, TACT_OBJECT_XBODY, TACT_OBJECT_JOINT,
                                        TACT_OBJECT_TENDON};

    const TactEquality *equality = &model->equalities[i];
    json_t             *object = json_object();
    set(object, "name", label(model, TACT_OBJECT_EQUALITY, i));
    set(object, "type", json_string(words[equality->type]));
    set(object, "a", label(model, kinds[equality->type], equality->a));
    set(object, "b", label(model, kinds[equality->type], equality->b));
    set(object, "active", json_boolean(equality->active));
    if (equality->type == TACT_EQUALITY_CONNECT || equality->type == TACT_EQUALITY_WELD) {
        set(object, "anchor_a", vector(equality->anchor_a));
        set(object, "anchor_b", vector(equality->anchor_b));
    }
    if (equality->type == TACT_EQUALITY_WELD) {
        set(object, "relative_pos", vector(equality->relative.position));
        set(object, "relative_quat", quaternion(equality->relative.rotation));
        set_real(object, "torque_scale", equality->torque_scale);
    }
    if (equality->type == TACT_EQUALITY_JOINT || equality->type == TACT_EQUALITY_TENDON) {
        set(object, "polynomial", reals(equality->polynomial, 5));
    }
    return object;
}

static json_t *describe_sensor(const TactModel *model, int i)
{
    const TactSensor *sensor = &model->sensors[i];
    json_t           *object = json_object();
    set(object, "name", label(model, TACT_OBJECT_SENSOR, i));
    set(object, "type", json_string(tact_sensor_type_name(sensor->type)));
    set(object, "object", label(model, sensor->object_type, sensor->object));
    set(object, "size", json_integer(sensor->size));
    return object;
}

static json_t *describe_keyframe(const TactModel *model, int i)
{
    const TactKeyframe *key = &model->keyframes[i];
    json_t             *object = json_object();
    set(object, "name", label(model, TACT_OBJECT_KEYFRAME, i));
    set_real(object, "time", key->time);
    set(object, "qpos", reals(key->q, model->nq));
    set(object, "qvel", reals(key->v, model->nv));
    set(object, "ctrl", reals(key->ctrl, model->actuator_count));
    return object;
}

// ---------------------------------------------------------------------------------------------

static void set_list(json_t *object, const char *key, const TactModel *model, int count,
                     json_t *(*describe)(const TactModel *, int))
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        tact_json_append(array, describe(model, i));
    }
    set(object, key, array);
}

int tact_info_print_json(const TactInfo *info)
{
    const TactModel *model = info->model;
    json_t          *object = json_object();
    char             hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)model->hash);

    set(object, "file", tact_json_value_text(info->path));
    set(object, "name", tact_json_value_text(model->name));
    set(object, "nq", json_integer(model->nq));
    set(object, "nv", json_integer(model->nv));
    set(object, "nbody", json_integer(model->body_count));
    set_real(object, "mass", model->mass);
    set(object, "hash", json_string(hash));
    set_real(object, "timestep", model->options.timestep);
    set(object, "gravity", vector(model->options.gravity));
    set(object, "approximated",
        json_integer(tact_info_count_notes(info->notes, TACT_VERDICT_APPROXIMATED)));
    set(object, "ignored", json_integer(tact_info_count_notes(info->notes, TACT_VERDICT_IGNORED)));
    set(object, "state", tact_json_value_text(info->state));
    set(object, "qpos", reals(info->q, model->nq));
    set(object, "qvel", reals(info->v, model->nv));
    if (info->M) {
        set(object, "M", matrix(info->M, model->nv));
        set(object, "bias", reals(info->bias, model->nv));
        set(object, "qacc", reals(info->qacc, model->nv));
    }
    set(object, "bodies", describe_bodies(info));
    set_list(object, "joints", model, model->joint_count, describe_joint);
    set_list(object, "geoms", model, model->geom_count, describe_geom);
    set_list(object, "sites", model, model->site_count, describe_site);
    set_list(object, "tendons", model, model->tendon_count, describe_tendon);
    set_list(object, "actuators", model, model->actuator_count, describe_actuator);
    set_list(object, "equalities", model, model->equality_count, describe_equality);
    set_list(object, "sensors", model, model->sensor_count, describe_sensor);
    set_list(object, "keyframes", model, model->keyframe_count, describe_keyframe);

    const char *why = tact_json_print(object, JSON_COMPACT);
    return why ? tact_cli_bad("%s", why) : TACT_EXIT_DONE;
}
