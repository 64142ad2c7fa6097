#include "model/packed/packed.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "model/build/build.h"
#include "model/packed/check.h"
#include "model/packed/fields.h"
#include "model/packed/meshes.h"

enum { VERSION = 2, ORDER = 0x01020304, HEAD = 32, SUM = 8 };

static const char MAGIC[] = "TACTMODL";

// ---------------------------------------------------------------------------------------------
// All arrays

/// An array of things of one kind; while it is read its memory is taken first.
#define PACK_ALL(array, count, pack_one)                                                     \
    do {                                                                                     \
        if (tact_pack_reads(pack)) {                                                         \
            (array) = tact_pack_take(pack, count, sizeof *(array));                          \
        }                                                                                    \
        for (int k = 0; k < (count) && !pack->wrong; k++) {                                  \
            room = (Room){0};                                                                \
            pack_one(pack, tact_pack_thing(pack, array, (size_t)k, sizeof *(array), &room)); \
        }                                                                                    \
    } while (0)

/// One thing of any kind, where memory is only counted.
typedef union Room {
    TactBody        body;
    TactJoint       joint;
    TactDof         dof;
    TactGeom        geom;
    TactSite        site;
    TactModelMesh   mesh;
    TactHeightField heightfield;
    TactTendon      tendon;
    TactActuator    actuator;
    TactEquality    equality;
    TactExclude     exclude;
    TactPair        pair;
    TactSensor      sensor;
    TactKeyframe    keyframe;
    TactCustom      custom;
} Room;

static void pack_counts(TactPack *pack, TactModel *model)
{
    int *const counts[] = {&model->nq,
                           &model->nv,
                           &model->act_count,
                           &model->mocap_count,
                           &model->body_count,
                           &model->joint_count,
                           &model->geom_count,
                           &model->site_count,
                           &model->mesh_count,
                           &model->heightfield_count,
                           &model->tendon_count,
                           &model->actuator_count,
                           &model->equality_count,
                           &model->exclude_count,
                           &model->pair_count,
                           &model->sensor_count,
                           &model->sensor_size,
                           &model->keyframe_count,
                           &model->custom_count};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        tact_pack_count(pack, counts[k]);
    }
}

static void pack_keyframe(TactPack *pack, const TactModel *model, TactKeyframe *key)
{
    tact_pack_text(pack, &key->name);
    tact_pack_number(pack, &key->time);
    tact_pack_array(pack, &key->q, (size_t)model->nq);
    tact_pack_array(pack, &key->v, (size_t)model->nv);
    tact_pack_array(pack, &key->ctrl, (size_t)model->actuator_count);
    tact_pack_array(pack, &key->act, (size_t)model->act_count);
}

static TactStatus pack_meshes(TactPack *pack, TactModel *model)
{
    if (tact_pack_reads(pack)) {
        model->meshes = tact_pack_take(pack, model->mesh_count, sizeof *model->meshes);
    }
    for (int k = 0; k < model->mesh_count && !pack->wrong; k++) {
        TactModelMesh room = {0};
        TACT_TRY(tact_pack_mesh(
            pack, tact_pack_thing(pack, model->meshes, (size_t)k, sizeof room, &room)));
    }
    return TACT_OK;
}

static TactStatus pack_model(TactPack *pack, TactModel *model)
{
    Room room;
    pack_counts(pack, model);
    tact_pack_text(pack, &model->name);
    tact_pack_options(pack, &model->options);
    tact_pack_number(pack, &model->mass);
    PACK_ALL(model->bodies, model->body_count, tact_pack_body);
    PACK_ALL(model->joints, model->joint_count, tact_pack_joint);
    PACK_ALL(model->dofs, model->nv, tact_pack_dof);
    tact_pack_array(pack, &model->q_reference, (size_t)model->nq);
    tact_pack_array(pack, &model->q_spring, (size_t)model->nq);
    PACK_ALL(model->geoms, model->geom_count, tact_pack_geom);
    PACK_ALL(model->sites, model->site_count, tact_pack_site);
    TACT_TRY(pack_meshes(pack, model));
    PACK_ALL(model->heightfields, model->heightfield_count, tact_pack_heightfield);
    PACK_ALL(model->tendons, model->tendon_count, tact_pack_tendon);
    PACK_ALL(model->actuators, model->actuator_count, tact_pack_actuator);
    PACK_ALL(model->equalities, model->equality_count, tact_pack_equality);
    PACK_ALL(model->excludes, model->exclude_count, tact_pack_exclude);
    PACK_ALL(model->pairs, model->pair_count, tact_pack_pair);
    PACK_ALL(model->sensors, model->sensor_count, tact_pack_sensor);
    if (tact_pack_reads(pack)) {
        model->keyframes = tact_pack_take(pack, model->keyframe_count, sizeof *model->keyframes);
    }
    for (int k = 0; k < model->keyframe_count && !pack->wrong; k++) {
        room = (Room){0};
        pack_keyframe(
            pack, model,
            tact_pack_thing(pack, model->keyframes, (size_t)k, sizeof(TactKeyframe), &room));
    }
    PACK_ALL(model->customs, model->custom_count, tact_pack_custom);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Writing

static void pack_head(TactPack *pack, uint64_t *size, uint64_t *hash)
{
    int version = VERSION, order = ORDER;
    pack->at += 8; // of the magic
    tact_pack_int(pack, &version);
    tact_pack_int(pack, &order);
    tact_pack_u64(pack, size);
    tact_pack_u64(pack, hash);
}

TactStatus tact_model_pack(const TactModel *model, unsigned char **bytes, size_t *size)
{
    TactModel own = *model; // the same calls read and write: nothing is changed
    TactPack  pack = {.mode = TACT_PACK_MEASURE, .at = HEAD};
    void     *block = NULL;
    *bytes = NULL;
    TACT_TRY(pack_model(&pack, &own));
    uint64_t all = pack.at + SUM, hash = model->hash, sum = 0;
    TACT_TRY(tact_allocate((size_t)all, 1, &block));
    pack = (TactPack){.mode = TACT_PACK_WRITE, .bytes = block, .size = (size_t)all};
    memcpy(block, MAGIC, 8);
    pack_head(&pack, &all, &hash);
    TactStatus status = pack_model(&pack, &own);
    sum = tact_pack_sum(block, pack.at);
    tact_pack_u64(&pack, &sum);
    if (status != TACT_OK || pack.wrong) {
        tact_release(block);
        return status != TACT_OK
                   ? status
                   : tact_fail(TACT_BAD_INPUT, "the model cannot be saved: %s", pack.wrong);
    }
    *bytes = block;
    *size = (size_t)all;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Reading

bool tact_model_is_packed(const unsigned char *bytes, size_t size)
{
    return bytes && size >= 8 && memcmp(bytes, MAGIC, 8) == 0;
}

static TactStatus refuse(const char *name, const char *why)
{
    return tact_fail(TACT_BAD_INPUT, "%s: no compiled model: %s", name, why);
}

static TactStatus check_head(const char *name, TactPack *pack, bool judged, uint64_t *hash)
{
    int      version = 0, order = 0;
    uint64_t all = 0, sum = 0;
    if (!tact_model_is_packed(pack->bytes, pack->size) || pack->size < HEAD + SUM) {
        return refuse(name, "it ends too early");
    }
    pack->at = 8;
    tact_pack_int(pack, &version);
    tact_pack_int(pack, &order);
    if (order != ORDER) {
        return refuse(name, "it is damaged");
    }
    if (version != VERSION) {
        return tact_fail(TACT_UNSUPPORTED,
                         "%s: a compiled model of version %d; this library reads version %d: save "
                         "it again from its sources",
                         name, version, VERSION);
    }
    tact_pack_u64(pack, &all);
    tact_pack_u64(pack, hash);
    if (all != pack->size) {
        return refuse(name, all > pack->size ? "it ends too early" : "something follows its end");
    }
    TactPack tail = {
        .mode = TACT_PACK_COUNT, .bytes = pack->bytes, .size = pack->size, .at = pack->size - SUM};
    tact_pack_u64(&tail, &sum);
    if (judged && sum != tact_pack_sum(pack->bytes, pack->size - SUM)) {
        return refuse(name, "it is damaged: the checksum is another one");
    }
    pack->size -= SUM;
    return TACT_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const TactPairKey *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1)
                            : (x->index > y->index) - (x->index < y->index);
}

/// What stands behind a model: names and sorted pairs.
static void lay_out_store(TactModelStore *store, TactPack *pack)
{
    const TactModel *m = &store->model;
    size_t things = (size_t)m->body_count + (size_t)m->joint_count + (size_t)m->geom_count +
                    (size_t)m->site_count + (size_t)m->mesh_count + (size_t)m->heightfield_count +
                    (size_t)m->tendon_count + (size_t)m->actuator_count +
                    (size_t)m->equality_count + (size_t)m->pair_count + (size_t)m->sensor_count +
                    (size_t)m->keyframe_count;
    size_t slots = tact_names_size(things);
    store->names =
        (TactNames){tact_arena_take(&pack->arena, slots, sizeof(TactNameSlot)), slots, 0};
    store->pairs = tact_pack_take(pack, m->pair_count, sizeof *store->pairs);
    store->excludes = tact_pack_take(pack, m->exclude_count, sizeof *store->excludes);
}

static void add_names(TactModelStore *store, int kind, int count)
{
    for (int i = 0; i < count; i++) {
        const char *name = tact_model_name(&store->model, kind, i);
        if (*name) {
            tact_names_add(&store->names, kind, name, i);
        }
    }
}

static void fill_store(TactModelStore *store)
{
    const TactModel *m = &store->model;
    const int        counts[TACT_OBJECT_COUNT] = {
               [TACT_OBJECT_BODY] = m->body_count,
               [TACT_OBJECT_JOINT] = m->joint_count,
               [TACT_OBJECT_GEOM] = m->geom_count,
               [TACT_OBJECT_SITE] = m->site_count,
               [TACT_OBJECT_MESH] = m->mesh_count,
               [TACT_OBJECT_HEIGHTFIELD] = m->heightfield_count,
               [TACT_OBJECT_TENDON] = m->tendon_count,
               [TACT_OBJECT_ACTUATOR] = m->actuator_count,
               [TACT_OBJECT_EQUALITY] = m->equality_count,
               [TACT_OBJECT_SENSOR] = m->sensor_count,
               [TACT_OBJECT_PAIR] = m->pair_count,
               [TACT_OBJECT_KEYFRAME] = m->keyframe_count,
    };
    for (int kind = 0; kind < TACT_OBJECT_COUNT; kind++) {
        add_names(store, kind, counts[kind]);
    }
    for (int i = 0; i < m->pair_count; i++) {
        store->pairs[i] = (TactPairKey){tact_pair_key(m->pairs[i].a, m->pairs[i].b), i};
    }
    for (int i = 0; i < m->exclude_count; i++) {
        store->excludes[i] = (TactPairKey){tact_pair_key(m->excludes[i].a, m->excludes[i].b), i};
    }
    if (m->pair_count > 0) {
        qsort(store->pairs, (size_t)m->pair_count, sizeof *store->pairs, compare_keys);
    }
    if (m->exclude_count > 0) {
        qsort(store->excludes, (size_t)m->exclude_count, sizeof *store->excludes, compare_keys);
    }
}

/// Reads twice: what memory it takes, and into that memory.
static TactStatus read_model(const char *name, TactPack *pack, TactModelStore *store)
{
    size_t begin = pack->at;
    for (int pass = 0; pass < 2; pass++) {
        pack->mode = pass == 0 ? TACT_PACK_COUNT : TACT_PACK_READ;
        pack->at = begin;
        store->model = (TactModel){0};
        TactStatus status = pack_model(pack, &store->model);
        if (status != TACT_OK) {
            return status;
        }
        if (pack->wrong || pack->at != pack->size) {
            return refuse(name, pack->wrong ? pack->wrong : "something follows its end");
        }
        lay_out_store(store, pack);
        TACT_TRY(pass == 0 ? tact_arena_create(&pack->arena) : TACT_OK);
    }
    return TACT_OK;
}

static TactStatus judge_read(const char *name, bool judged, uint64_t hash, TactModelStore *store)
{
    const char *fault = tact_packed_find_fault(&store->model);
    if (fault) {
        return refuse(name, fault);
    }
    fill_store(store);
    store->model.hash = tact_model_hash(&store->model);
    return judged && store->model.hash != hash
               ? refuse(name, "it is damaged: its hash is another one")
               : TACT_OK;
}

TactStatus tact_model_unpack(const char *name, const unsigned char *bytes, size_t size, bool judged,
                             TactModel **model)
{
    TactPack pack = {.mode = TACT_PACK_COUNT, .bytes = (unsigned char *)bytes, .size = size};
    void    *block = NULL;
    uint64_t hash = 0;
    *model = NULL;
    TACT_TRY(check_head(name, &pack, judged, &hash));
    TACT_TRY(tact_allocate(1, sizeof(TactModelStore), &block));
    TactModelStore *store = block;
    TactStatus      status = read_model(name, &pack, store);
    store->arena = pack.arena;
    status = status == TACT_OK ? judge_read(name, judged, hash, store) : status;
    if (status != TACT_OK) {
        bool read = pack.mode == TACT_PACK_READ && store->model.meshes;
        store->model.mesh_count = read ? store->model.mesh_count : 0;
        tact_model_destroy(&store->model);
        return status;
    }
    *model = &store->model;
    return TACT_OK;
}
