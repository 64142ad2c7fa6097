#include "model/build/builder.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

static const uint32_t config_cookie = 0x6d6f6463;

static const size_t item_sizes[TACT_ITEM_COUNT] = {
    [TACT_OBJECT_BODY] = sizeof(TactBodyItem),
    [TACT_OBJECT_JOINT] = sizeof(TactJointItem),
    [TACT_OBJECT_GEOM] = sizeof(TactGeomItem),
    [TACT_OBJECT_SITE] = sizeof(TactSiteItem),
    [TACT_OBJECT_MESH] = sizeof(TactMeshItem),
    [TACT_OBJECT_HEIGHTFIELD] = sizeof(TactHeightFieldItem),
    [TACT_OBJECT_TENDON] = sizeof(TactTendonItem),
    [TACT_OBJECT_ACTUATOR] = sizeof(TactActuatorItem),
    [TACT_OBJECT_EQUALITY] = sizeof(TactEqualityItem),
    [TACT_OBJECT_SENSOR] = sizeof(TactSensorItem),
    [TACT_OBJECT_PAIR] = sizeof(TactPairItem),
    [TACT_OBJECT_KEYFRAME] = sizeof(TactKeyframeItem),
    [TACT_ITEM_EXCLUDE] = sizeof(TactExcludeItem),
    [TACT_ITEM_TEXT] = sizeof(TactCustomItem),
};

/// Where things of a kind are kept.
static int table_of(int kind)
{
    switch (kind) {
    case TACT_OBJECT_XBODY: return TACT_OBJECT_BODY;
    case TACT_ITEM_NUMERIC: return TACT_ITEM_TEXT;
    default: return kind;
    }
}

TactModelConfig tact_model_config_default(void)
{
    return (TactModelConfig){
        .name = "",
        .options = {.timestep = 0.002, .gravity = {0, 0, -9.81}, .magnetic = {0, -0.5, 0}},
        .inertia_groups = {0, 5},
        .total_mass = -1,
        .cookie = config_cookie,
    };
}

TactStatus tact_model_builder_create(TactModelBuilder **builder)
{
    if (!builder) {
        return tact_fail(TACT_BAD_ARGUMENT, "builder: the pointer for the result is NULL");
    }
    *builder = NULL;
    void *block;
    TACT_TRY(tact_allocate(1, sizeof(TactModelBuilder), &block));
    TactModelBuilder *created = block;
    created->config = tact_model_config_default();
    for (int i = 0; i < TACT_ITEM_COUNT; i++) {
        created->tables[i].size = item_sizes[i];
    }
    TactPlace    place = tact_builder_place(created, TACT_OBJECT_BODY, "world", (TactSource){0});
    TactBodyItem world = {.desc = tact_body_default()};
    world.desc.parent = -1;
    TactStatus status = tact_builder_push(created, &place, &world, NULL);
    if (status != TACT_OK) {
        tact_model_builder_destroy(created);
        return status;
    }
    *builder = created;
    return TACT_OK;
}

void tact_model_builder_destroy(TactModelBuilder *builder)
{
    if (!builder) {
        return;
    }
    for (int i = 0; i < tact_builder_count(builder, TACT_OBJECT_MESH); i++) {
        TactMeshItem *item = tact_builder_at(builder, TACT_OBJECT_MESH, i);
        tact_hull_destroy(item->hull);
        tact_mesh_destroy(item->mesh);
    }
    for (int i = 0; i < TACT_ITEM_COUNT; i++) {
        tact_release(builder->tables[i].items);
    }
    tact_names_destroy(&builder->names);
    tact_pool_destroy(&builder->pool);
    tact_release(builder);
}

TactStatus tact_builder_check(const TactModelBuilder *builder, const void *thing)
{
    if (!builder || !thing) {
        return tact_fail(TACT_BAD_ARGUMENT, "%s is NULL", builder ? "what to add" : "the builder");
    }
    if (builder->used) {
        return tact_fail(TACT_BAD_ARGUMENT, "the builder has been compiled and is used up");
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Config

static TactStatus check_model_config(const TactModelConfig *config)
{
    const TactModelOptions *options = &config->options;
    if (!(options->timestep > 0) || !isfinite(options->timestep)) {
        return tact_fail(TACT_BAD_INPUT, "the timestep is %g", options->timestep);
    }
    if (!isfinite(options->gravity.x) || !isfinite(options->gravity.y) ||
        !isfinite(options->gravity.z)) {
        return tact_fail(TACT_BAD_INPUT, "gravity is not finite");
    }
    if (options->integrator != TACT_INTEGRATOR_EULER &&
        options->integrator != TACT_INTEGRATOR_RK4) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no integrator %d", (int)options->integrator);
    }
    if (config->inertia_rule < TACT_INERTIA_RULE_AUTO ||
        config->inertia_rule > TACT_INERTIA_RULE_AS_STATED) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no inertia rule %d",
                         (int)config->inertia_rule);
    }
    if (!(config->mass_min >= 0) || !(config->inertia_min >= 0) || !isfinite(config->mass_min) ||
        !isfinite(config->inertia_min)) {
        return tact_fail(TACT_BAD_INPUT, "the smallest mass or inertia is negative or not finite");
    }
    if (!isfinite(config->total_mass)) {
        return tact_fail(TACT_BAD_INPUT, "the total mass is %g", config->total_mass);
    }
    return TACT_OK;
}

TactStatus tact_model_builder_set_config(TactModelBuilder *builder, const TactModelConfig *config)
{
    TACT_TRY(tact_builder_check(builder, config));
    if (config->cookie != config_cookie) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "the config does not come from tact_model_config_default()");
    }
    TACT_TRY(check_model_config(config));
    const char *name;
    TACT_TRY(tact_pool_text(&builder->pool, config->name, &name));
    builder->config = *config;
    builder->config.name = name;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Tables

int tact_builder_count(const TactModelBuilder *builder, int kind)
{
    return builder->tables[table_of(kind)].count;
}

void *tact_builder_at(const TactModelBuilder *builder, int kind, int index)
{
    const TactTable *table = &builder->tables[table_of(kind)];
    return (char *)table->items + (size_t)index * table->size;
}

TactPlace tact_builder_place(const TactModelBuilder *builder, int kind, const char *name,
                             TactSource source)
{
    return (TactPlace){source, kind, name, tact_builder_count(builder, kind)};
}

TactPlace tact_builder_place_of(const TactModelBuilder *builder, int kind, int index)
{
    const TactItem *item = tact_builder_at(builder, kind, index);
    return (TactPlace){item->source, kind, item->name, index};
}

static TactStatus reserve_entry(TactTable *table)
{
    if (table->count < table->capacity) {
        return TACT_OK;
    }
    if (table->capacity > INT_MAX / 16) {
        return tact_fail(TACT_NO_MEMORY, "more than %d things of one kind", table->capacity);
    }
    int   capacity = table->capacity > 0 ? 2 * table->capacity : 8;
    void *items;
    TACT_TRY(tact_allocate((size_t)capacity, table->size, &items));
    if (table->count > 0) {
        memcpy(items, table->items, (size_t)table->count * table->size);
    }
    tact_release(table->items);
    table->items = items;
    table->capacity = capacity;
    return TACT_OK;
}

static TactStatus keep_source(TactModelBuilder *builder, TactSource source, TactSource *kept)
{
    *kept = source;
    if (!source.file) {
        return TACT_OK;
    }
    if (!builder->last_file || strcmp(builder->last_file, source.file) != 0) {
        TACT_TRY(tact_pool_text(&builder->pool, source.file, &builder->last_file));
    }
    kept->file = builder->last_file;
    return TACT_OK;
}

TactStatus tact_builder_push(TactModelBuilder *builder, const TactPlace *place, void *item,
                             int *index)
{
    int other = tact_names_find(&builder->names, place->kind, place->name);
    if (other >= 0) {
        TactSource source = tact_builder_place_of(builder, place->kind, other).source;
        return source.file ? tact_place_fail(place, TACT_BAD_INPUT, "the name is taken, at %s:%d",
                                             source.file, source.line)
                           : tact_place_fail(place, TACT_BAD_INPUT, "the name is taken");
    }
    TactItem head;
    TACT_TRY(tact_pool_text(&builder->pool, place->name, &head.name));
    TACT_TRY(keep_source(builder, place->source, &head.source));
    TACT_TRY(tact_names_reserve(&builder->names));
    TactTable *table = &builder->tables[table_of(place->kind)];
    TACT_TRY(reserve_entry(table));

    memcpy(item, &head, sizeof head);
    memcpy((char *)table->items + (size_t)table->count * table->size, item, table->size);
    if (*head.name) {
        tact_names_add(&builder->names, place->kind, head.name, table->count);
    }
    if (index) {
        *index = table->count;
    }
    table->count++;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// What has been added so far

int tact_model_builder_find(const TactModelBuilder *builder, TactObject type, const char *name)
{
    return builder ? tact_names_find(&builder->names, table_of((int)type), name) : -1;
}

int tact_model_builder_count(const TactModelBuilder *builder, TactObject type)
{
    return builder && (int)type >= 0 && type < TACT_OBJECT_COUNT
               ? tact_builder_count(builder, (int)type)
               : 0;
}

const TactJoint *tact_model_builder_view_joint(const TactModelBuilder *builder, int index)
{
    if (!builder || index < 0 || index >= tact_builder_count(builder, TACT_OBJECT_JOINT)) {
        return NULL;
    }
    return &((TactJointItem *)tact_builder_at(builder, TACT_OBJECT_JOINT, index))->joint;
}

const TactGeom *tact_model_builder_view_geom(const TactModelBuilder *builder, int index)
{
    if (!builder || index < 0 || index >= tact_builder_count(builder, TACT_OBJECT_GEOM)) {
        return NULL;
    }
    return &((TactGeomItem *)tact_builder_at(builder, TACT_OBJECT_GEOM, index))->desc.geom;
}

const TactTendon *tact_model_builder_view_tendon(const TactModelBuilder *builder, int index)
{
    if (!builder || index < 0 || index >= tact_builder_count(builder, TACT_OBJECT_TENDON)) {
        return NULL;
    }
    return &((TactTendonItem *)tact_builder_at(builder, TACT_OBJECT_TENDON, index))->tendon;
}
