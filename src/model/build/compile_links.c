// What refers to the tree, in the order of adding, with the model's numbers.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "model/build/compile.h"
#include "model/motor.h"

/// The model's number of a thing that the builder calls index; -1 stays.
static int renumber(const TactCompile *compile, int kind, int index)
{
    if (index < 0) {
        return index;
    }
    switch (kind) {
    case TACT_OBJECT_BODY:
    case TACT_OBJECT_XBODY: return compile->body_index[index];
    case TACT_OBJECT_JOINT: return compile->joint_index[index];
    case TACT_OBJECT_GEOM: return compile->geom_index[index];
    case TACT_OBJECT_SITE: return compile->site_index[index];
    default: return index; // in the order of adding
    }
}

static double *copy_numbers(double **to, const double *from, size_t count)
{
    double *start = *to;
    if (count > 0) {
        memcpy(start, from, count * sizeof *from);
    }
    *to += count;
    return start;
}

// ---------------------------------------------------------------------------------------------
// Meshes and height fields

static TactStatus make_hull(const TactModelBuilder *builder, int mesh)
{
    TactMeshItem *item = tact_builder_at(builder, TACT_OBJECT_MESH, mesh);
    if (item->hull) {
        return TACT_OK;
    }
    TactHullConfig config = tact_hull_config_default();
    TactStatus     status =
        tact_hull_create(item->mesh->vertices, item->mesh->vertex_count, &config, &item->hull);
    if (status != TACT_OK) {
        char text[300];
        strncpy(text, tact_status_message(), sizeof text - 1);
        text[sizeof text - 1] = '\0';
        TactPlace place = tact_builder_place_of(builder, TACT_OBJECT_MESH, mesh);
        return tact_place_fail(&place, status, "its hull: %s", text);
    }
    return TACT_OK;
}

static TactStatus fill_meshes(TactCompile *compile)
{
    for (int i = 0; i < (int)compile->sizes.geoms; i++) {
        if (compile->arrays.geoms[i].type == TACT_GEOM_CONVEX && !compile->arrays.geoms[i].visual) {
            TACT_TRY(make_hull(compile->builder, compile->arrays.geoms[i].mesh));
        }
    }
    for (int i = 0; i < (int)compile->sizes.meshes; i++) {
        const TactMeshItem *item = tact_builder_at(compile->builder, TACT_OBJECT_MESH, i);
        compile->arrays.meshes[i] =
            (TactModelMesh){tact_compile_text(compile, item->head.name), item->mesh, item->hull};
    }
    double *numbers = compile->arrays.heights;
    for (int i = 0; i < (int)compile->sizes.heightfields; i++) {
        const TactHeightFieldItem *item =
            tact_builder_at(compile->builder, TACT_OBJECT_HEIGHTFIELD, i);
        TactHeightField *field = &compile->arrays.heightfields[i];
        *field = item->field;
        field->name = tact_compile_text(compile, item->head.name);
        field->height =
            copy_numbers(&numbers, field->height, (size_t)field->rows * (size_t)field->columns);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Tendons, actuators, equalities, sensors

/// The way of a tendon through space, with the model's numbers.
static const TactTendonPart *copy_parts(const TactCompile *compile, const TactTendon *from,
                                        TactTendonPart **to)
{
    TactTendonPart *start = *to;
    for (int k = 0; k < from->part_count; k++) {
        TactTendonPart part = from->parts[k];
        part.object = part.type == TACT_TENDON_PART_PULLEY ? -1
                      : part.type == TACT_TENDON_PART_SITE
                          ? renumber(compile, TACT_OBJECT_SITE, part.object)
                          : renumber(compile, TACT_OBJECT_GEOM, part.object);
        part.side = renumber(compile, TACT_OBJECT_SITE, part.side);
        *(*to)++ = part;
    }
    return from->part_count > 0 ? start : NULL;
}

static void fill_tendons(TactCompile *compile)
{
    double         *coefficients = compile->arrays.coefficients;
    int            *joints = compile->arrays.tendon_joints;
    TactTendonPart *parts = compile->arrays.tendon_parts;
    for (int i = 0; i < (int)compile->sizes.tendons; i++) {
        const TactTendonItem *item = tact_builder_at(compile->builder, TACT_OBJECT_TENDON, i);
        TactTendon           *tendon = &compile->arrays.tendons[i];
        *tendon = item->tendon;
        tendon->name = tact_compile_text(compile, item->head.name);
        tendon->coefficients =
            copy_numbers(&coefficients, item->tendon.coefficients, (size_t)tendon->count);
        tendon->parts = copy_parts(compile, &item->tendon, &parts);
        tendon->joints = joints;
        for (int k = 0; k < tendon->count; k++) {
            *joints++ = renumber(compile, TACT_OBJECT_JOINT, item->tendon.joints[k]);
        }
    }
}

/// The rotor of an actuator is felt by what it drives.
static void add_rotor(TactCompile *compile, const TactActuatorDesc *desc,
                      const TactActuator *actuator)
{
    double        square = actuator->gear[0] * actuator->gear[0];
    const double *more = desc->damper_more;
    if (!(desc->armature > 0) && desc->damping == 0 && more[0] == 0 && more[1] == 0) {
        return;
    }
    if (actuator->transmission == TACT_TRANSMISSION_TENDON) {
        TactTendon *tendon = &compile->arrays.tendons[actuator->target];
        tendon->armature += square * desc->armature;
        tendon->damping += square * desc->damping;
        tendon->damper_more[0] += square * more[0];
        tendon->damper_more[1] += square * more[1];
        return;
    }
    TactJoint *joint = &compile->arrays.joints[actuator->target];
    TactDof   *dof = &compile->arrays.dofs[joint->dof];
    joint->armature += square * desc->armature;
    joint->damping += square * desc->damping;
    joint->damper_more[0] += square * more[0];
    joint->damper_more[1] += square * more[1];
    dof->armature = joint->armature;
    dof->damping = joint->damping;
}

static void fill_actuators(TactCompile *compile)
{
    for (int i = 0; i < (int)compile->sizes.actuators; i++) {
        const TactActuatorItem *item = tact_builder_at(compile->builder, TACT_OBJECT_ACTUATOR, i);
        TactActuator           *actuator = &compile->arrays.actuators[i];
        *actuator = item->desc.actuator;
        actuator->name = tact_compile_text(compile, item->head.name);
        int kind = TACT_OBJECT_JOINT;
        switch (actuator->transmission) {
        case TACT_TRANSMISSION_TENDON: kind = TACT_OBJECT_TENDON; break;
        case TACT_TRANSMISSION_SITE:
        case TACT_TRANSMISSION_SITE_TO_SITE:
        case TACT_TRANSMISSION_SLIDER_CRANK: kind = TACT_OBJECT_SITE; break;
        case TACT_TRANSMISSION_BODY_FORCE:
        case TACT_TRANSMISSION_ADHESION: kind = TACT_OBJECT_BODY; break;
        case TACT_TRANSMISSION_INPUT: kind = TACT_OBJECT_ACTUATOR; break;
        default: break;
        }
        actuator->target = renumber(compile, kind, actuator->target);
        actuator->reference = renumber(compile, TACT_OBJECT_SITE, actuator->reference);
        add_rotor(compile, &item->desc, actuator);
        actuator->act_size = actuator->is_motor ? tact_motor_slots(&actuator->motor).count
                             : actuator->activation != TACT_ACTIVATION_NONE ? 1
                                                                            : 0;
        if (actuator->act_size > 0) {
            actuator->act = compile->store->model.act_count;
            compile->store->model.act_count += actuator->act_size;
        }
    }
}

static void fill_equalities(TactCompile *compile)
{
    for (int i = 0; i < (int)compile->sizes.equalities; i++) {
        const TactEqualityItem *item = tact_builder_at(compile->builder, TACT_OBJECT_EQUALITY, i);
        TactEquality           *equality = &compile->arrays.equalities[i];
        *equality = item->equality;
        equality->name = tact_compile_text(compile, item->head.name);
        int kind = equality->type == TACT_EQUALITY_JOINT    ? TACT_OBJECT_JOINT
                   : equality->type == TACT_EQUALITY_TENDON ? TACT_OBJECT_TENDON
                                                            : TACT_OBJECT_BODY;
        equality->a = renumber(compile, kind, equality->a);
        equality->b = renumber(compile, kind, equality->b);
        equality->via = equality->type == TACT_EQUALITY_WELD
                            ? renumber(compile, TACT_OBJECT_BODY, equality->via)
                            : 0;
        const TactBody *bodies = compile->arrays.bodies;
        bool drawn = kind == TACT_OBJECT_BODY && (bodies[bodies[equality->a].carrier].mocap >= 0 ||
                                                  bodies[bodies[equality->b].carrier].mocap >= 0);
        double step = compile->store->model.options.timestep;
        equality->time_constant = !drawn                           ? 0
                                  : equality->time_constant > step ? equality->time_constant
                                                                   : step;
    }
}

static TactStatus fill_sensors(TactCompile *compile)
{
    int address = 0;
    for (int i = 0; i < (int)compile->sizes.sensors; i++) {
        const TactSensorItem *item = tact_builder_at(compile->builder, TACT_OBJECT_SENSOR, i);
        TactSensor           *sensor = &compile->arrays.sensors[i];
        *sensor = item->sensor;
        sensor->name = tact_compile_text(compile, item->head.name);
        sensor->object = renumber(compile, (int)sensor->object_type, sensor->object);
        sensor->reference = renumber(compile, (int)sensor->reference_type, sensor->reference);
        sensor->address = address;
        if (sensor->size > INT_MAX - address) {
            TactPlace place = tact_builder_place_of(compile->builder, TACT_OBJECT_SENSOR, i);
            return tact_place_fail(&place, TACT_BAD_INPUT, "all sensors have too many numbers");
        }
        address += sensor->size;
    }
    compile->store->model.sensor_size = address;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Pairs and excludes

static int compare_keys(const void *a, const void *b)
{
    const TactPairKey *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1)
                            : (x->index > y->index) - (x->index < y->index);
}

/// Of two pairs of the same geoms the first one is found.
static void fill_pairs(TactCompile *compile)
{
    TactPairKey *keys = compile->store->pairs;
    int          count = (int)compile->sizes.pairs;
    for (int i = 0; i < count; i++) {
        const TactPairItem *item = tact_builder_at(compile->builder, TACT_OBJECT_PAIR, i);
        TactPair           *pair = &compile->arrays.pairs[i];
        *pair = item->pair;
        pair->name = tact_compile_text(compile, item->head.name);
        pair->a = renumber(compile, TACT_OBJECT_GEOM, pair->a);
        pair->b = renumber(compile, TACT_OBJECT_GEOM, pair->b);
        compile->arrays.geoms[pair->a].visual = false;
        compile->arrays.geoms[pair->b].visual = false;
        keys[i] = (TactPairKey){tact_pair_key(pair->a, pair->b), i};
    }
    if (count > 0) {
        qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    }
}

static void fill_excludes(TactCompile *compile)
{
    TactPairKey *keys = compile->store->excludes;
    int          count = (int)compile->sizes.excludes;
    for (int i = 0; i < count; i++) {
        const TactExcludeItem *item = tact_builder_at(compile->builder, TACT_ITEM_EXCLUDE, i);
        TactExclude           *exclude = &compile->arrays.excludes[i];
        exclude->a = renumber(compile, TACT_OBJECT_BODY, item->exclude.a);
        exclude->b = renumber(compile, TACT_OBJECT_BODY, item->exclude.b);
        keys[i] = (TactPairKey){tact_pair_key(exclude->a, exclude->b), i};
    }
    if (count > 0) {
        qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    }
}

// ---------------------------------------------------------------------------------------------
// Keyframes, free words, names

/// The numbers of a keyframe, or what stands for them (NULL: zeros).
static TactStatus fill_key_part(const TactPlace *place, const char *what, const double *given,
                                int length, const double *instead, size_t count, double **to,
                                const double **part)
{
    if (given && (size_t)length != count) {
        return tact_place_fail(place, TACT_BAD_INPUT, "its %s has %d numbers, the model %zu", what,
                               length, count);
    }
    const double *from = given ? given : instead;
    *part = *to;
    if (from) {
        copy_numbers(to, from, count);
    } else {
        *to += count;
    }
    return TACT_OK;
}

/// Quaternions of free and ball joints get the length 1; zero becomes no rotation, as in MuJoCo.
static void normalise_key(const TactCompile *compile, double *q)
{
    for (int i = 0; i < (int)compile->sizes.joints; i++) {
        const TactJoint *joint = &compile->arrays.joints[i];
        if (joint->type != TACT_JOINT_FREE && joint->type != TACT_JOINT_BALL) {
            continue;
        }
        double  *x = q + joint->q + (joint->type == TACT_JOINT_FREE ? 3 : 0);
        TactQuat unit = tact_check_unit_quat((TactQuat){x[0], x[1], x[2], x[3]});
        x[0] = unit.w;
        x[1] = unit.x;
        x[2] = unit.y;
        x[3] = unit.z;
    }
}

/// Numbers of a keyframe that leave out mocap bodies: puts these in, from the reference or with
/// zeros (NULL). per: numbers of a free joint. NULL: they leave out nothing, or are too few or too
/// many.
static const double *insert_mocaps(const TactCompile *compile, const double *given, int *length,
                                   const double *reference, int per, double *room)
{
    const TactModel *model = &compile->store->model;
    int              all = per == 7 ? (int)compile->sizes.nq : (int)compile->sizes.nv;
    if (!given || model->mocap_count == 0 || *length != all - per * model->mocap_count) {
        return given;
    }
    int to = 0;
    for (int j = 0; j < (int)compile->sizes.joints; j++) {
        const TactJoint *joint = &compile->arrays.joints[j];
        int              start = per == 7 ? joint->q : joint->dof;
        int  end = j + 1 == (int)compile->sizes.joints ? all : per == 7 ? joint[1].q : joint[1].dof;
        bool is_mocap = compile->arrays.bodies[joint->body].mocap >= 0;
        for (to = start; to < end; to++) {
            room[to] = !is_mocap ? *given++ : reference ? reference[to] : 0;
        }
    }
    *length = all;
    return room;
}

/// Mocap bodies of a keyframe where it says they are.
static TactStatus place_mocaps(const TactCompile *compile, const TactPlace *place,
                               const TactKeyframeItem *item, double *q)
{
    if (item->mocap_count > compile->store->model.mocap_count) {
        return tact_place_fail(place, TACT_BAD_INPUT, "it places %d mocap bodies, the model has %d",
                               item->mocap_count, compile->store->model.mocap_count);
    }
    for (int b = 1; b < (int)compile->sizes.bodies; b++) {
        const TactBody *body = &compile->arrays.bodies[b];
        if (body->mocap >= 0 && body->mocap < item->mocap_count) {
            const TactTransform *pose = &item->mocap[body->mocap];
            double              *to = q + compile->arrays.joints[body->first_joint].q;
            const double         seven[7] = {pose->position.x, pose->position.y, pose->position.z,
                                             pose->rotation.w, pose->rotation.x, pose->rotation.y,
                                             pose->rotation.z};
            memcpy(to, seven, sizeof seven);
        }
    }
    return TACT_OK;
}

static TactStatus fill_keyframes(TactCompile *compile)
{
    const TactCompileSizes *n = &compile->sizes;
    double                 *to = compile->arrays.key_numbers;
    for (int i = 0; i < (int)n->keyframes; i++) {
        const TactKeyframeItem *item = tact_builder_at(compile->builder, TACT_OBJECT_KEYFRAME, i);
        TactPlace     place = tact_builder_place_of(compile->builder, TACT_OBJECT_KEYFRAME, i);
        TactKeyframe *key = &compile->arrays.keyframes[i];
        double       *q = to;
        key->name = tact_compile_text(compile, item->head.name);
        key->time = item->key.time;
        int           lengths[2] = {item->lengths[0], item->lengths[1]};
        const double *given_q = insert_mocaps(compile, item->key.q, &lengths[0],
                                              compile->arrays.q_reference, 7, compile->key_room);
        TACT_TRY(fill_key_part(&place, "q", given_q, lengths[0], compile->arrays.q_reference, n->nq,
                               &to, &key->q));
        const double *given_v =
            insert_mocaps(compile, item->key.v, &lengths[1], NULL, 6, compile->key_room);
        TACT_TRY(fill_key_part(&place, "v", given_v, lengths[1], NULL, n->nv, &to, &key->v));
        TACT_TRY(fill_key_part(&place, "ctrl", item->key.ctrl, item->lengths[2], NULL, n->actuators,
                               &to, &key->ctrl));
        TACT_TRY(fill_key_part(&place, "act", item->act, item->act_count, NULL,
                               n->actuators > 0 ? (size_t)compile->store->model.act_count : 0, &to,
                               &key->act));
        TACT_TRY(place_mocaps(compile, &place, item, q));
        normalise_key(compile, q);
    }
    return TACT_OK;
}

static void fill_customs(TactCompile *compile)
{
    double *numbers = compile->arrays.custom_numbers;
    for (int i = 0; i < (int)compile->sizes.customs; i++) {
        const TactCustomItem *item = tact_builder_at(compile->builder, TACT_ITEM_TEXT, i);
        compile->arrays.customs[i] = (TactCustom){
            .name = tact_compile_text(compile, item->head.name),
            .text = tact_compile_text(compile, item->custom.text),
            .path = tact_compile_text(compile, item->custom.path),
            .count = item->custom.count,
            .data = copy_numbers(&numbers, item->custom.data, (size_t)item->custom.count),
        };
    }
}

static void fill_names(TactCompile *compile)
{
    for (int kind = 0; kind < TACT_OBJECT_COUNT; kind++) {
        int count = compile->builder->tables[kind].count;
        for (int i = 0; i < count; i++) {
            const char *name = tact_model_name(&compile->store->model, kind, i);
            if (*name) {
                tact_names_add(&compile->store->names, kind, name, i);
            }
        }
    }
}

TactStatus tact_compile_links(TactCompile *compile)
{
    fill_pairs(compile); // says which geoms are only to be seen, and need no hull
    TACT_TRY(fill_meshes(compile));
    fill_tendons(compile);
    fill_actuators(compile);
    fill_equalities(compile);
    TACT_TRY(fill_sensors(compile));
    fill_excludes(compile);
    TACT_TRY(fill_keyframes(compile));
    fill_customs(compile);
    fill_names(compile);
    return TACT_OK;
}
