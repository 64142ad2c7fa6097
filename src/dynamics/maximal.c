// Maximal coordinates: every body that has joints becomes free, with six degrees of freedom, and
// its joints become bilateral rows [Arechavaleta, IV-B].
//
// What the joints do as joints (position, limits, springs, friction, rotor inertia, actuators,
// couplings) stays with them: they move a body of their own, a rotor, which has no geoms and next
// to no mass, from the world instead of from the parent. Where the rotor is in the world is where
// the body belongs in its parent, and a weld via the rotor holds it there:
//
//     pose of body = pose of parent * pose of rotor                    6 bilateral rows
//
// A hinge is thus 5 rows that hold the body and one that turns its rotor with it.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"

// Mass of a rotor, of that of what its joints carry: M must be positive without armature, too.
static const double ROTOR = 1e-6;
static const double ROTOR_RADIUS = 0.1; // m, of a body that has no inertia of its own

typedef struct Maximal {
    const TactModel  *model;
    TactDynamics     *dynamics; // of the model
    TactModelBuilder *builder;
    TactTransform    *home;  // poses of bodies at the reference                        (bodies)
    int              *body;  // builder's body                                          (bodies)
    int              *rotor; // builder's body; 0: none                                 (bodies)
    int              *joint; // builder's joint                                         (joints)
} Maximal;

static const TactSource code = {0};

static bool is_free(const TactModel *model, int body)
{
    const TactBody *b = &model->bodies[body];
    return b->mocap >= 0 ||
           (b->joint_count > 0 && model->joints[b->first_joint].type == TACT_JOINT_FREE);
}

static bool has_rotor(const TactModel *model, int body)
{
    return model->bodies[body].joint_count > 0 && !is_free(model, body);
}

// ---------------------------------------------------------------------------------------------
// The tree

static TactInertia rotor_inertia(const TactBody *body)
{
    TactInertia I = body->inertia;
    double      share = ROTOR;
    double      trace = I.rotary.m[0][0] + I.rotary.m[1][1] + I.rotary.m[2][2];
    if (!(I.mass > 0 && trace > 0)) {
        double moment = body->subtree_mass * ROTOR_RADIUS * ROTOR_RADIUS;
        I = (TactInertia){.mass = body->subtree_mass};
        I.rotary.m[0][0] = I.rotary.m[1][1] = I.rotary.m[2][2] = moment;
    }
    I.mass *= share;
    for (int i = 0; i < 9; i++) {
        I.rotary.m[i / 3][i % 3] *= share;
    }
    return I;
}

static TactStatus keep_joints(Maximal *m, int index, int to)
{
    const TactBody *body = &m->model->bodies[index];
    for (int k = 0; k < body->joint_count && body->mocap < 0; k++) {
        TactJoint joint = m->model->joints[body->first_joint + k];
        joint.body = to;
        joint.carries_gravity = false; // gravity is compensated at the body
        TACT_TRY(tact_model_builder_add_joint(m->builder, &joint, code,
                                              &m->joint[body->first_joint + k]));
    }
    return TACT_OK;
}

static TactStatus add_rotor(Maximal *m, int index)
{
    const TactBody *body = &m->model->bodies[index];
    TactBodyDesc    desc = tact_body_default();
    desc.pose = body->pose;
    desc.has_inertia = true;
    desc.inertia = rotor_inertia(body);
    desc.gravity_compensation = 1;
    TACT_TRY(tact_model_builder_add_body(m->builder, &desc, code, &m->rotor[index]));
    return keep_joints(m, index, m->rotor[index]);
}

static TactStatus keep_body(Maximal *m, int index)
{
    const TactBody *body = &m->model->bodies[index];
    TactBodyDesc    desc = tact_body_default();
    bool            moves = body->joint_count > 0 || body->mocap >= 0;
    desc.name = body->name;
    desc.parent = moves ? 0 : m->body[body->parent];
    desc.pose = moves && body->mocap < 0 ? m->home[index] : body->pose;
    desc.has_inertia = true;
    desc.inertia = body->inertia;
    desc.gravity_compensation = body->gravity_compensation;
    desc.mocap = body->mocap >= 0;
    TACT_TRY(tact_model_builder_add_body(m->builder, &desc, code, &m->body[index]));
    if (!has_rotor(m->model, index)) {
        return keep_joints(m, index, m->body[index]);
    }
    TactJoint joint = tact_joint_default(TACT_JOINT_FREE);
    joint.body = m->body[index];
    TACT_TRY(tact_model_builder_add_joint(m->builder, &joint, code, NULL));
    return add_rotor(m, index);
}

/// Holds a body where its rotor says; the anchor of its first joint is where drift is measured.
static TactStatus add_weld(Maximal *m, int index)
{
    const TactBody *body = &m->model->bodies[index];
    TactEquality    weld = tact_equality_default(TACT_EQUALITY_WELD);
    weld.a = m->body[body->parent];
    weld.b = m->body[index];
    weld.via = m->rotor[index];
    weld.anchor_b = m->model->joints[body->first_joint].position;
    return tact_model_builder_add_equality(m->builder, &weld, code, NULL);
}

/// Geoms of what was parent and child do not touch, as before.
static TactStatus keep_apart(Maximal *m)
{
    const TactModel *model = m->model;
    for (int i = 1; i < model->body_count && !model->options.parent_filter_off; i++) {
        int carrier = model->bodies[i].carrier;
        int above = carrier > 0 ? model->bodies[model->bodies[carrier].parent].carrier : 0;
        for (int k = 1; k < model->body_count && above > 0; k++) {
            if (model->bodies[k].carrier == above && model->bodies[i].geom_count > 0 &&
                model->bodies[k].geom_count > 0) {
                TactExclude pair = {m->body[i], m->body[k]};
                TACT_TRY(tact_model_builder_add_exclude(m->builder, pair, code));
            }
        }
    }
    return TACT_OK;
}

static TactStatus keep_tree(Maximal *m)
{
    const TactModel *model = m->model;
    for (int i = 1; i < model->body_count; i++) {
        TACT_TRY(keep_body(m, i));
    }
    for (int i = 0; i < model->mesh_count; i++) {
        const TactMesh *mesh = model->meshes[i].mesh;
        TactMesh       *copy = NULL;
        TACT_TRY(tact_mesh_create(mesh->vertices, mesh->vertex_count, mesh->triangles,
                                  mesh->triangle_count, &copy));
        TACT_TRY(tact_model_builder_add_mesh(m->builder, model->meshes[i].name, copy, code, NULL));
    }
    for (int i = 0; i < model->heightfield_count; i++) {
        TACT_TRY(
            tact_model_builder_add_heightfield(m->builder, &model->heightfields[i], code, NULL));
    }
    for (int i = 0; i < model->geom_count; i++) {
        TactGeomDesc desc = tact_geom_default(model->geoms[i].type);
        desc.geom = model->geoms[i];
        desc.geom.body = m->body[desc.geom.body];
        desc.mass = model->geoms[i].mass;
        TACT_TRY(tact_model_builder_add_geom(m->builder, &desc, code, NULL));
    }
    for (int i = 0; i < model->site_count; i++) {
        TactSite site = model->sites[i];
        site.body = m->body[site.body];
        TACT_TRY(tact_model_builder_add_site(m->builder, &site, code, NULL));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// What refers to the tree

static TactStatus keep_tendon(Maximal *m, int index)
{
    TactTendon tendon = m->model->tendons[index];
    int       *joints = NULL;
    if (tendon.armature > 0) {
        char label[TACT_LABEL_SIZE];
        return tact_fail(TACT_UNSUPPORTED, "%s has armature, which maximal coordinates do not have",
                         tact_model_label(m->model, TACT_OBJECT_TENDON, index, label));
    }
    TACT_TRY(tact_allocate((size_t)tendon.count + 1, sizeof *joints, (void **)&joints));
    for (int k = 0; k < tendon.count; k++) {
        joints[k] = m->joint[tendon.joints[k]];
    }
    tendon.joints = joints;
    TactStatus status = tact_model_builder_add_tendon(m->builder, &tendon, code, NULL);
    tact_release(joints);
    return status;
}

static TactStatus keep_actuator(Maximal *m, int index)
{
    TactActuatorDesc desc = tact_actuator_default();
    TactActuator    *a = &desc.actuator;
    *a = m->model->actuators[index];
    if (a->transmission == TACT_TRANSMISSION_JOINT ||
        a->transmission == TACT_TRANSMISSION_JOINT_IN_PARENT) {
        a->target = m->joint[a->target];
    } else if (a->transmission == TACT_TRANSMISSION_BODY_FORCE) {
        a->target = m->body[a->target];
    }
    return tact_model_builder_add_actuator(m->builder, &desc, code, NULL);
}

static TactStatus keep_equality(Maximal *m, int index)
{
    TactEquality e = m->model->equalities[index];
    switch (e.type) {
    case TACT_EQUALITY_CONNECT:
    case TACT_EQUALITY_WELD:
        if (e.via) {
            return tact_fail(TACT_UNSUPPORTED, "%s is in maximal coordinates already",
                             m->model->name);
        }
        e.a = m->body[e.a];
        e.b = m->body[e.b];
        break;
    case TACT_EQUALITY_JOINT:
        e.a = m->joint[e.a];
        e.b = e.b >= 0 ? m->joint[e.b] : e.b;
        break;
    case TACT_EQUALITY_TENDON: break;
    }
    return tact_model_builder_add_equality(m->builder, &e, code, NULL);
}

static int moved(const Maximal *m, TactObject type, int index)
{
    switch (type) {
    case TACT_OBJECT_BODY:
    case TACT_OBJECT_XBODY: return m->body[index];
    case TACT_OBJECT_JOINT: return m->joint[index];
    default: return index;
    }
}

static TactStatus keep_sensor(Maximal *m, int index)
{
    TactSensor sensor = m->model->sensors[index];
    char       label[TACT_LABEL_SIZE];
    switch (sensor.type) {
    case TACT_SENSOR_FORCE:
    case TACT_SENSOR_TORQUE:
    case TACT_SENSOR_SUBTREE_COM:
    case TACT_SENSOR_SUBTREE_VELOCITY:
    case TACT_SENSOR_SUBTREE_ANGULAR_MOMENTUM:
        return tact_fail(TACT_UNSUPPORTED,
                         "%s: a sensor of type %s needs the tree of bodies, which maximal "
                         "coordinates do not have",
                         tact_model_label(m->model, TACT_OBJECT_SENSOR, index, label),
                         tact_sensor_type_name(sensor.type));
    default: break;
    }
    sensor.object = moved(m, sensor.object_type, sensor.object);
    sensor.reference = moved(m, sensor.reference_type, sensor.reference);
    return tact_model_builder_add_sensor(m->builder, &sensor, code, NULL);
}

static TactStatus keep_links(Maximal *m)
{
    const TactModel *model = m->model;
    for (int i = 0; i < model->tendon_count; i++) {
        TACT_TRY(keep_tendon(m, i));
    }
    for (int i = 0; i < model->actuator_count; i++) {
        TACT_TRY(keep_actuator(m, i));
    }
    for (int i = 0; i < model->equality_count; i++) {
        TACT_TRY(keep_equality(m, i));
    }
    for (int i = 1; i < model->body_count; i++) {
        if (has_rotor(model, i)) {
            TACT_TRY(add_weld(m, i));
        }
    }
    for (int i = 0; i < model->exclude_count; i++) {
        TactExclude pair = {m->body[model->excludes[i].a], m->body[model->excludes[i].b]};
        TACT_TRY(tact_model_builder_add_exclude(m->builder, pair, code));
    }
    TACT_TRY(keep_apart(m));
    for (int i = 0; i < model->pair_count; i++) {
        TACT_TRY(tact_model_builder_add_pair(m->builder, &model->pairs[i], code, NULL));
    }
    for (int i = 0; i < model->sensor_count; i++) {
        TACT_TRY(keep_sensor(m, i));
    }
    for (int i = 0; i < model->custom_count; i++) {
        TACT_TRY(tact_model_builder_add_custom(m->builder, &model->customs[i], code));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// States

/// Writes the state of a body that is set in the workspace; returns how many numbers of q and v.
static void place_body(const Maximal *m, int index, double *q, double *v)
{
    const TactTransform *pose = &m->dynamics->pose[index];
    TactTwist            t = tact_dynamics_compute_velocity(m->dynamics, index, pose->position);
    TactVec3             turn = tact_quat_rotate_back(pose->rotation, t.angular);
    memcpy(q, &pose->position, sizeof pose->position);
    const double quat[4] = {pose->rotation.w, pose->rotation.x, pose->rotation.y, pose->rotation.z};
    memcpy(q + 3, quat, sizeof quat);
    memcpy(v, &t.linear, sizeof t.linear);
    memcpy(v + 3, &turn, sizeof turn);
}

/// Bodies that move stand in the order of the model, each before its rotor.
static void place_bodies(const Maximal *m, const TactKeyframe *key, double *q, double *v)
{
    const TactModel *model = m->model;
    for (int i = 1; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        if (body->joint_count == 0) {
            continue;
        }
        place_body(m, i, q, v);
        q += 7;
        v += 6;
        if (has_rotor(model, i)) {
            int last = body->first_joint + body->joint_count;
            int first_q = model->joints[body->first_joint].q;
            int end_q = last < model->joint_count ? model->joints[last].q : model->nq;
            memcpy(q, key->q + first_q, (size_t)(end_q - first_q) * sizeof *q);
            memcpy(v, key->v + body->first_dof, (size_t)body->dof_count * sizeof *v);
            q += end_q - first_q;
            v += body->dof_count;
        }
    }
}

static TactStatus keep_keyframe(Maximal *m, int index, int rotors)
{
    const TactModel *model = m->model;
    TactKeyframe     key = model->keyframes[index];
    int     lengths[3] = {model->nq + 7 * rotors, model->nv + 6 * rotors, model->actuator_count};
    double *state = NULL;
    TACT_TRY(tact_dynamics_set_position(m->dynamics, key.q));
    TACT_TRY(tact_dynamics_set_velocity(m->dynamics, key.v));
    TACT_TRY(
        tact_allocate((size_t)lengths[0] + (size_t)lengths[1] + 1, sizeof *state, (void **)&state));
    place_bodies(m, &key, state, state + lengths[0]);
    key.q = state;
    key.v = state + lengths[0];
    int        added = 0;
    TactStatus status = tact_model_builder_add_keyframe(m->builder, &key, lengths, code, &added);
    if (status == TACT_OK && model->act_count > 0) {
        status = tact_model_builder_set_activations(m->builder, added, key.act, model->act_count);
    }
    tact_release(state);
    return status;
}

static TactStatus keep_keyframes(Maximal *m)
{
    int rotors = 0;
    for (int i = 1; i < m->model->body_count; i++) {
        rotors += has_rotor(m->model, i);
    }
    for (int i = 0; i < m->model->keyframe_count; i++) {
        TACT_TRY(keep_keyframe(m, i, rotors));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------

static TactStatus build(Maximal *m, TactModel **maximal)
{
    const TactModel *model = m->model;
    TactModelConfig  config = tact_model_config_default();
    config.name = model->name;
    config.options = model->options;
    config.inertia_rule = TACT_INERTIA_RULE_AS_STATED;
    TACT_TRY(tact_dynamics_create(model, &m->dynamics));
    TACT_TRY(tact_model_builder_create(&m->builder));
    TACT_TRY(tact_model_builder_set_config(m->builder, &config));
    tact_model_compute_poses(model, model->q_reference, m->home);
    TACT_TRY(keep_tree(m));
    TACT_TRY(keep_links(m));
    TACT_TRY(keep_keyframes(m));
    return tact_model_builder_compile(m->builder, maximal);
}

static void layout(Maximal *m, TactArena *arena)
{
    size_t bodies = (size_t)m->model->body_count, joints = (size_t)m->model->joint_count;
    m->home = tact_arena_take(arena, bodies, sizeof *m->home);
    m->body = tact_arena_take(arena, bodies, sizeof *m->body);
    m->rotor = tact_arena_take(arena, bodies, sizeof *m->rotor);
    m->joint = tact_arena_take(arena, joints, sizeof *m->joint);
}

TactStatus tact_model_create_maximal(const TactModel *model, TactModel **maximal)
{
    TACT_NEED(model && maximal, "tact_model_create_maximal");
    Maximal   m = {.model = model};
    TactArena arena = {0};
    *maximal = NULL;
    layout(&m, &arena);
    TACT_TRY(tact_arena_create(&arena));
    layout(&m, &arena);
    TactStatus status = build(&m, maximal);
    tact_model_builder_destroy(m.builder);
    tact_dynamics_destroy(m.dynamics);
    tact_arena_destroy(&arena);
    return status;
}
