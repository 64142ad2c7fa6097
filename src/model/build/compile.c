// Orders, checks and completes what a builder holds. Everything is measured, then one arena is
// made for the model and one for the work, and the steps fill them.
#include "model/build/compile.h"

#include <string.h>

#include "base/status.h"

static size_t count_of(const TactModelBuilder *builder, int kind)
{
    return (size_t)tact_builder_count(builder, kind);
}

/// Numbers of q and v that a type of joint has.
static void count_joint(TactJointType type, size_t *nq, size_t *nv)
{
    static const size_t q[] = {7, 4, 1, 1}, v[] = {6, 3, 1, 1};
    *nq += q[type];
    *nv += v[type];
}

static size_t text_size(const char *text)
{
    return text && *text ? strlen(text) + 1 : 0;
}

static TactCompileSizes measure_builder(const TactModelBuilder *builder)
{
    TactCompileSizes sizes = {
        .bodies = count_of(builder, TACT_OBJECT_BODY),
        .joints = count_of(builder, TACT_OBJECT_JOINT),
        .geoms = count_of(builder, TACT_OBJECT_GEOM),
        .sites = count_of(builder, TACT_OBJECT_SITE),
        .meshes = count_of(builder, TACT_OBJECT_MESH),
        .heightfields = count_of(builder, TACT_OBJECT_HEIGHTFIELD),
        .tendons = count_of(builder, TACT_OBJECT_TENDON),
        .actuators = count_of(builder, TACT_OBJECT_ACTUATOR),
        .equalities = count_of(builder, TACT_OBJECT_EQUALITY),
        .excludes = count_of(builder, TACT_ITEM_EXCLUDE),
        .pairs = count_of(builder, TACT_OBJECT_PAIR),
        .sensors = count_of(builder, TACT_OBJECT_SENSOR),
        .keyframes = count_of(builder, TACT_OBJECT_KEYFRAME),
        .customs = count_of(builder, TACT_ITEM_TEXT),
        .names = tact_names_size(builder->names.count),
        .text = text_size(builder->config.name),
    };
    for (int i = 0; i < (int)sizes.joints; i++) {
        count_joint(tact_model_builder_view_joint(builder, i)->type, &sizes.nq, &sizes.nv);
    }
    for (int i = 0; i < (int)sizes.heightfields; i++) {
        const TactHeightFieldItem *item = tact_builder_at(builder, TACT_OBJECT_HEIGHTFIELD, i);
        sizes.heights += (size_t)item->field.rows * (size_t)item->field.columns;
    }
    for (int i = 0; i < (int)sizes.tendons; i++) {
        const TactTendon *tendon = tact_model_builder_view_tendon(builder, i);
        sizes.tendon_joints += (size_t)tendon->count;
        sizes.tendon_parts += (size_t)tendon->part_count;
    }
    for (int i = 0; i < (int)sizes.customs; i++) {
        const TactCustomItem *item = tact_builder_at(builder, TACT_ITEM_TEXT, i);
        sizes.custom_numbers += (size_t)item->custom.count;
        sizes.text += text_size(item->custom.text) + text_size(item->custom.path);
    }
    for (int kind = 0; kind < TACT_ITEM_COUNT; kind++) {
        for (int i = 0; i < builder->tables[kind].count; i++) {
            sizes.text += text_size(((TactItem *)tact_builder_at(builder, kind, i))->name);
        }
    }
    return sizes;
}

static void layout_model(TactCompile *compile, TactArena *arena)
{
    const TactCompileSizes *n = &compile->sizes;
    TactModelStore         *store = compile->store;
    // an actuator has one control and up to five activations
    size_t key_size = n->nq + n->nv + 6 * n->actuators;
    compile->arrays.bodies = tact_arena_take(arena, n->bodies, sizeof(TactBody));
    compile->arrays.joints = tact_arena_take(arena, n->joints, sizeof(TactJoint));
    compile->arrays.dofs = tact_arena_take(arena, n->nv, sizeof(TactDof));
    compile->arrays.q_reference = tact_arena_take(arena, n->nq, sizeof(double));
    compile->arrays.q_spring = tact_arena_take(arena, n->nq, sizeof(double));
    compile->arrays.geoms = tact_arena_take(arena, n->geoms, sizeof(TactGeom));
    compile->arrays.sites = tact_arena_take(arena, n->sites, sizeof(TactSite));
    compile->arrays.meshes = tact_arena_take(arena, n->meshes, sizeof(TactModelMesh));
    compile->arrays.heightfields = tact_arena_take(arena, n->heightfields, sizeof(TactHeightField));
    compile->arrays.tendons = tact_arena_take(arena, n->tendons, sizeof(TactTendon));
    compile->arrays.actuators = tact_arena_take(arena, n->actuators, sizeof(TactActuator));
    compile->arrays.equalities = tact_arena_take(arena, n->equalities, sizeof(TactEquality));
    compile->arrays.excludes = tact_arena_take(arena, n->excludes, sizeof(TactExclude));
    compile->arrays.pairs = tact_arena_take(arena, n->pairs, sizeof(TactPair));
    compile->arrays.sensors = tact_arena_take(arena, n->sensors, sizeof(TactSensor));
    compile->arrays.keyframes = tact_arena_take(arena, n->keyframes, sizeof(TactKeyframe));
    compile->arrays.customs = tact_arena_take(arena, n->customs, sizeof(TactCustom));
    compile->arrays.heights = tact_arena_take(arena, n->heights, sizeof(double));
    compile->arrays.coefficients = tact_arena_take(arena, n->tendon_joints, sizeof(double));
    compile->arrays.tendon_joints = tact_arena_take(arena, n->tendon_joints, sizeof(int));
    compile->arrays.tendon_parts = tact_arena_take(arena, n->tendon_parts, sizeof(TactTendonPart));
    compile->arrays.key_numbers = tact_arena_take(arena, n->keyframes * key_size, sizeof(double));
    compile->arrays.custom_numbers = tact_arena_take(arena, n->custom_numbers, sizeof(double));
    compile->arrays.text = tact_arena_take(arena, n->text, 1);
    store->names = (TactNames){tact_arena_take(arena, n->names, sizeof(TactNameSlot)), n->names, 0};
    store->pairs = tact_arena_take(arena, n->pairs, sizeof(TactPairKey));
    store->excludes = tact_arena_take(arena, n->excludes, sizeof(TactPairKey));
}

static void layout_scratch(TactCompile *compile, TactArena *arena)
{
    const TactCompileSizes *n = &compile->sizes;
    compile->body_index = tact_arena_take(arena, n->bodies, sizeof(int));
    compile->body_item = tact_arena_take(arena, n->bodies, sizeof(int));
    compile->joint_index = tact_arena_take(arena, n->joints, sizeof(int));
    compile->joint_item = tact_arena_take(arena, n->joints, sizeof(int));
    compile->geom_index = tact_arena_take(arena, n->geoms, sizeof(int));
    compile->geom_item = tact_arena_take(arena, n->geoms, sizeof(int));
    compile->site_index = tact_arena_take(arena, n->sites, sizeof(int));
    compile->site_item = tact_arena_take(arena, n->sites, sizeof(int));
    compile->fill = tact_arena_take(arena, n->bodies + 1, sizeof(int));
    compile->world = tact_arena_take(arena, n->bodies, sizeof(TactTransform));
    compile->composite = tact_arena_take(arena, n->bodies, sizeof(TactInertia));
    compile->M = tact_arena_take(arena, n->nv, sizeof(double));
    compile->moment = tact_arena_take(arena, n->nv, sizeof(double));
    compile->key_room = tact_arena_take(arena, n->nq, sizeof(double));
}

const char *tact_compile_text(TactCompile *compile, const char *text)
{
    size_t size = text_size(text);
    if (size == 0) {
        return "";
    }
    char *copy = compile->arrays.text + compile->arrays.text_used;
    memcpy(copy, text, size);
    compile->arrays.text_used += size;
    return copy;
}

/// The model's own view of the arrays.
static void show(TactCompile *compile)
{
    const TactCompileSizes *n = &compile->sizes;
    compile->store->model = (TactModel){
        .name = tact_compile_text(compile, compile->builder->config.name),
        .options = compile->builder->config.options,
        .nq = (int)n->nq,
        .nv = (int)n->nv,
        .body_count = (int)n->bodies,
        .bodies = compile->arrays.bodies,
        .joint_count = (int)n->joints,
        .joints = compile->arrays.joints,
        .dofs = compile->arrays.dofs,
        .q_reference = compile->arrays.q_reference,
        .q_spring = compile->arrays.q_spring,
        .geom_count = (int)n->geoms,
        .geoms = compile->arrays.geoms,
        .site_count = (int)n->sites,
        .sites = compile->arrays.sites,
        .mesh_count = (int)n->meshes,
        .meshes = compile->arrays.meshes,
        .heightfield_count = (int)n->heightfields,
        .heightfields = compile->arrays.heightfields,
        .tendon_count = (int)n->tendons,
        .tendons = compile->arrays.tendons,
        .actuator_count = (int)n->actuators,
        .actuators = compile->arrays.actuators,
        .equality_count = (int)n->equalities,
        .equalities = compile->arrays.equalities,
        .exclude_count = (int)n->excludes,
        .excludes = compile->arrays.excludes,
        .pair_count = (int)n->pairs,
        .pairs = compile->arrays.pairs,
        .sensor_count = (int)n->sensors,
        .sensors = compile->arrays.sensors,
        .keyframe_count = (int)n->keyframes,
        .keyframes = compile->arrays.keyframes,
        .custom_count = (int)n->customs,
        .customs = compile->arrays.customs,
    };
}

static TactStatus fill_model(TactCompile *compile)
{
    layout_model(compile, &compile->store->arena);
    TACT_TRY(tact_arena_create(&compile->store->arena));
    layout_model(compile, &compile->store->arena);
    layout_scratch(compile, &compile->scratch);
    TACT_TRY(tact_arena_create(&compile->scratch));
    layout_scratch(compile, &compile->scratch);
    show(compile);

    tact_compile_order(compile);
    TACT_TRY(tact_compile_tree(compile));
    TACT_TRY(tact_compile_mass(compile));
    TACT_TRY(tact_compile_links(compile));
    TACT_TRY(tact_compile_reference(compile));
    compile->store->model.hash = tact_model_hash(&compile->store->model);
    return TACT_OK;
}

/// Nothing can fail any more: meshes and their hulls become the model's.
static void take_meshes(TactModelBuilder *builder)
{
    for (int i = 0; i < tact_builder_count(builder, TACT_OBJECT_MESH); i++) {
        TactMeshItem *item = tact_builder_at(builder, TACT_OBJECT_MESH, i);
        item->mesh = NULL;
        item->hull = NULL;
    }
}

TactStatus tact_model_builder_compile(TactModelBuilder *builder, TactModel **model)
{
    if (!model) {
        return tact_fail(TACT_BAD_ARGUMENT, "model: the pointer for the result is NULL");
    }
    *model = NULL;
    TACT_TRY(tact_builder_check(builder, model));
    builder->used = true;

    void *block;
    TACT_TRY(tact_allocate(1, sizeof(TactModelStore), &block));
    TactCompile compile = {.builder = builder, .store = block, .sizes = measure_builder(builder)};
    TactStatus  status = fill_model(&compile);
    tact_arena_destroy(&compile.scratch);
    if (status != TACT_OK) {
        tact_arena_destroy(&compile.store->arena);
        tact_release(compile.store);
        return status;
    }
    take_meshes(builder);
    *model = &compile.store->model;
    return TACT_OK;
}
