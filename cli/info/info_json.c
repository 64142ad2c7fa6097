// What `tact info --json` prints: SI units, radians, quaternions w x y z, in the order of the
// model.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/info/info.h"
#include "cli/json/json.h"

static json_t *matrix(const double *A, int n)
{
    json_t *rows = json_array();
    for (int i = 0; i < n; i++) {
        tact_json_append(rows, tact_json_value_vector(A + (size_t)i * (size_t)n, n));
    }
    return rows;
}

static json_t *quaternion(TactQuat q)
{
    double x[4] = {q.w, q.x, q.y, q.z};
    return tact_json_value_vector(x, 4);
}

/// xx yy zz xy xz yz
static json_t *tensor(TactMat3 I)
{
    double x[6] = {I.m[0][0], I.m[1][1], I.m[2][2], I.m[0][1], I.m[0][2], I.m[1][2]};
    return tact_json_value_vector(x, 6);
}

/// Name of a thing, or its kind and number; null: there is none.
static json_t *label(const TactModel *model, TactObject type, int index)
{
    char text[64];
    return index < 0 ? json_null()
                     : tact_json_value_text(tact_model_label(model, type, index, text));
}

static void set_real(json_t *object, const char *key, double value)
{
    tact_json_set(object, key, tact_json_value_real(value));
}

static void set_pose(json_t *object, TactTransform pose)
{
    tact_json_set(object, "pos", tact_json_value_vec3(pose.position));
    tact_json_set(object, "quat", quaternion(pose.rotation));
}

// ---------------------------------------------------------------------------------------------
// Bodies and what hangs on them

static json_t *describe_body(const TactInfo *info, int i)
{
    const TactBody *body = &info->model->bodies[i];
    json_t         *object = json_object();
    tact_json_set(object, "parent", label(info->model, TACT_OBJECT_XBODY, body->parent));
    set_real(object, "mass", body->inertia.mass);
    tact_json_set(object, "com", tact_json_value_vec3(body->inertia.com));
    tact_json_set(object, "inertia", tensor(body->inertia.rotary));
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
        tact_json_set(object, json_string_value(name), describe_body(info, i));
        json_decref(name);
    }
    return object;
}

static json_t *describe_joint(const TactModel *model, int i)
{
    const TactJoint *joint = &model->joints[i];
    json_t          *object = json_object();
    tact_json_set(object, "name", label(model, TACT_OBJECT_JOINT, i));
    tact_json_set(object, "type", json_string(tact_joint_type_name(joint->type)));
    tact_json_set(object, "body", label(model, TACT_OBJECT_XBODY, joint->body));
    tact_json_set(object, "qposadr", json_integer(joint->q));
    tact_json_set(object, "dofadr", json_integer(joint->dof));
    tact_json_set(object, "pos", tact_json_value_vec3(joint->position));
    tact_json_set(object, "axis", tact_json_value_vec3(joint->axis));
    tact_json_set(object, "limited", json_boolean(joint->limited));
    tact_json_set(object, "range", tact_json_value_vector(joint->range, 2));
    set_real(object, "reference", joint->reference);
    set_real(object, "stiffness", joint->stiffness);
    set_real(object, "spring_reference", joint->spring_reference);
    set_real(object, "damping", joint->damping);
    set_real(object, "armature", joint->armature);
    set_real(object, "friction", joint->friction);
    tact_json_set(object, "force_limited", json_boolean(joint->force_limited));
    tact_json_set(object, "force_range", tact_json_value_vector(joint->force_range, 2));
    return object;
}

static json_t *describe_geom(const TactModel *model, int i)
{
    const TactGeom *geom = &model->geoms[i];
    bool            field = geom->type == TACT_GEOM_HEIGHTFIELD;
    json_t         *object = json_object();
    tact_json_set(object, "name", label(model, TACT_OBJECT_GEOM, i));
    tact_json_set(object, "type", json_string(tact_geom_type_name(geom->type)));
    tact_json_set(object, "body", label(model, TACT_OBJECT_XBODY, geom->body));
    set_pose(object, geom->pose);
    tact_json_set(object, "size", tact_json_value_vector(geom->size, 3));
    tact_json_set(object, "mesh",
                  label(model, field ? TACT_OBJECT_HEIGHTFIELD : TACT_OBJECT_MESH, geom->mesh));
    set_real(object, "mass", geom->mass);
    tact_json_set(object, "contact_type", json_integer(geom->contact_type));
    tact_json_set(object, "contact_affinity", json_integer(geom->contact_affinity));
    tact_json_set(object, "condim", json_integer(geom->condim));
    tact_json_set(object, "priority", json_integer(geom->priority));
    set_real(object, "mu", geom->mu);
    set_real(object, "margin", geom->margin);
    set_real(object, "gap", geom->gap);
    tact_json_set(object, "group", json_integer(geom->group));
    tact_json_set(object, "visual", json_boolean(geom->visual));
    return object;
}

static json_t *describe_site(const TactModel *model, int i)
{
    json_t *object = json_object();
    tact_json_set(object, "name", label(model, TACT_OBJECT_SITE, i));
    tact_json_set(object, "body", label(model, TACT_OBJECT_XBODY, model->sites[i].body));
    set_pose(object, model->sites[i].pose);
    return object;
}

// ---------------------------------------------------------------------------------------------
// What acts on them

static json_t *describe_actuator(const TactModel *model, int i)
{
    static const struct {
        const char *drives;
        TactObject  kind;
    } words[] = {
        [TACT_TRANSMISSION_JOINT] = {"joint", TACT_OBJECT_JOINT},
        [TACT_TRANSMISSION_JOINT_IN_PARENT] = {"joint in parent", TACT_OBJECT_JOINT},
        [TACT_TRANSMISSION_TENDON] = {"tendon", TACT_OBJECT_TENDON},
        [TACT_TRANSMISSION_SITE] = {"site", TACT_OBJECT_SITE},
        [TACT_TRANSMISSION_BODY_FORCE] = {"body", TACT_OBJECT_XBODY},
        [TACT_TRANSMISSION_SITE_TO_SITE] = {"site to site", TACT_OBJECT_SITE},
        [TACT_TRANSMISSION_SLIDER_CRANK] = {"slider-crank", TACT_OBJECT_SITE},
        [TACT_TRANSMISSION_ADHESION] = {"adhesion", TACT_OBJECT_XBODY},
        [TACT_TRANSMISSION_INPUT] = {"input", TACT_OBJECT_ACTUATOR},
    };

    const TactActuator *actuator = &model->actuators[i];
    json_t             *object = json_object();
    tact_json_set(object, "name", label(model, TACT_OBJECT_ACTUATOR, i));
    tact_json_set(object, "drives", json_string(words[actuator->transmission].drives));
    tact_json_set(object, "target",
                  label(model, words[actuator->transmission].kind, actuator->target));
    tact_json_set(object, "gear", tact_json_value_vector(actuator->gear, 6));
    tact_json_set(object, "gain", tact_json_value_vector(actuator->gain, 3));
    tact_json_set(object, "bias", tact_json_value_vector(actuator->bias, 3));
    tact_json_set(object, "ctrl_limited", json_boolean(actuator->ctrl_limited));
    tact_json_set(object, "ctrl_range", tact_json_value_vector(actuator->ctrl_range, 2));
    tact_json_set(object, "force_limited", json_boolean(actuator->force_limited));
    tact_json_set(object, "force_range", tact_json_value_vector(actuator->force_range, 2));
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
    tact_json_set(object, "name", label(model, TACT_OBJECT_TENDON, i));
    tact_json_set(object, "joints", joints);
    tact_json_set(object, "coefficients",
                  tact_json_value_vector(tendon->coefficients, tendon->count));
    tact_json_set(object, "limited", json_boolean(tendon->limited));
    tact_json_set(object, "range", tact_json_value_vector(tendon->range, 2));
    set_real(object, "stiffness", tendon->stiffness);
    set_real(object, "damping", tendon->damping);
    set_real(object, "friction", tendon->friction);
    set_real(object, "armature", tendon->armature);
    return object;
}

static json_t *describe_equality(const TactModel *model, int i)
{
    static const char *const words[] = {"connect", "weld", "joint", "tendon"};
    static const TactObject  kinds[] = {TACT_OBJECT_XBODY, TACT_OBJECT_XBODY, TACT_OBJECT_JOINT,
                                        TACT_OBJECT_TENDON};

    const TactEquality *equality = &model->equalities[i];
    json_t             *object = json_object();
    tact_json_set(object, "name", label(model, TACT_OBJECT_EQUALITY, i));
    tact_json_set(object, "type", json_string(words[equality->type]));
    tact_json_set(object, "a", label(model, kinds[equality->type], equality->a));
    tact_json_set(object, "b", label(model, kinds[equality->type], equality->b));
    tact_json_set(object, "active", json_boolean(equality->active));
    if (equality->type == TACT_EQUALITY_CONNECT || equality->type == TACT_EQUALITY_WELD) {
        tact_json_set(object, "anchor_a", tact_json_value_vec3(equality->anchor_a));
        tact_json_set(object, "anchor_b", tact_json_value_vec3(equality->anchor_b));
    }
    if (equality->type == TACT_EQUALITY_WELD) {
        tact_json_set(object, "relative_pos", tact_json_value_vec3(equality->relative.position));
        tact_json_set(object, "relative_quat", quaternion(equality->relative.rotation));
        set_real(object, "torque_scale", equality->torque_scale);
    }
    if (equality->type == TACT_EQUALITY_JOINT || equality->type == TACT_EQUALITY_TENDON) {
        tact_json_set(object, "polynomial", tact_json_value_vector(equality->polynomial, 5));
    }
    return object;
}

static json_t *describe_sensor(const TactModel *model, int i)
{
    const TactSensor *sensor = &model->sensors[i];
    json_t           *object = json_object();
    tact_json_set(object, "name", label(model, TACT_OBJECT_SENSOR, i));
    tact_json_set(object, "type", json_string(tact_sensor_type_name(sensor->type)));
    tact_json_set(object, "object", label(model, sensor->object_type, sensor->object));
    tact_json_set(object, "size", json_integer(sensor->size));
    return object;
}

static json_t *describe_keyframe(const TactModel *model, int i)
{
    const TactKeyframe *key = &model->keyframes[i];
    json_t             *object = json_object();
    tact_json_set(object, "name", label(model, TACT_OBJECT_KEYFRAME, i));
    set_real(object, "time", key->time);
    tact_json_set(object, "qpos", tact_json_value_vector(key->q, model->nq));
    tact_json_set(object, "qvel", tact_json_value_vector(key->v, model->nv));
    tact_json_set(object, "ctrl", tact_json_value_vector(key->ctrl, model->actuator_count));
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
    tact_json_set(object, key, array);
}

int tact_info_print_json(const TactInfo *info)
{
    const TactModel *model = info->model;
    json_t          *object = json_object();
    char             hash[20];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)model->hash);

    tact_json_set(object, "file", tact_json_value_text(info->path));
    tact_json_set(object, "name", tact_json_value_text(model->name));
    tact_json_set(object, "nq", json_integer(model->nq));
    tact_json_set(object, "nv", json_integer(model->nv));
    tact_json_set(object, "nbody", json_integer(model->body_count));
    set_real(object, "mass", model->mass);
    tact_json_set(object, "hash", json_string(hash));
    set_real(object, "timestep", model->options.timestep);
    tact_json_set(object, "gravity", tact_json_value_vec3(model->options.gravity));
    tact_json_set(object, "approximated",
                  json_integer(tact_info_count_notes(info->notes, TACT_VERDICT_APPROXIMATED)));
    tact_json_set(object, "ignored",
                  json_integer(tact_info_count_notes(info->notes, TACT_VERDICT_IGNORED)));
    tact_json_set(object, "state", tact_json_value_text(info->state));
    tact_json_set(object, "qpos", tact_json_value_vector(info->q, model->nq));
    tact_json_set(object, "qvel", tact_json_value_vector(info->v, model->nv));
    if (info->M) {
        tact_json_set(object, "M", matrix(info->M, model->nv));
        tact_json_set(object, "bias", tact_json_value_vector(info->bias, model->nv));
        tact_json_set(object, "qacc", tact_json_value_vector(info->qacc, model->nv));
    }
    tact_json_set(object, "bodies", describe_bodies(info));
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
