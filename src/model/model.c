// Questions to a compiled model.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/build/build.h"

static const TactModelStore *store_of(const TactModel *model)
{
    return (const TactModelStore *)(const void *)model;
}

void tact_model_destroy(TactModel *model)
{
    if (!model) {
        return;
    }
    // The model owns its meshes, and lends them as constant; a copy has those of its original.
    for (int i = 0; i < model->mesh_count && !store_of(model)->original; i++) {
        tact_hull_destroy((TactHull *)model->meshes[i].hull);
        tact_mesh_destroy((TactMesh *)model->meshes[i].mesh);
    }
    TactModelStore *store = (TactModelStore *)(void *)model;
    tact_arena_destroy(&store->arena);
    tact_release(store);
}

// ---------------------------------------------------------------------------------------------
// Names

const char *tact_model_name(const TactModel *model, int kind, int index)
{
    switch (kind) {
    case TACT_OBJECT_BODY: return model->bodies[index].name;
    case TACT_OBJECT_JOINT: return model->joints[index].name;
    case TACT_OBJECT_GEOM: return model->geoms[index].name;
    case TACT_OBJECT_SITE: return model->sites[index].name;
    case TACT_OBJECT_MESH: return model->meshes[index].name;
    case TACT_OBJECT_HEIGHTFIELD: return model->heightfields[index].name;
    case TACT_OBJECT_TENDON: return model->tendons[index].name;
    case TACT_OBJECT_ACTUATOR: return model->actuators[index].name;
    case TACT_OBJECT_EQUALITY: return model->equalities[index].name;
    case TACT_OBJECT_SENSOR: return model->sensors[index].name;
    case TACT_OBJECT_PAIR: return model->pairs[index].name;
    case TACT_OBJECT_KEYFRAME: return model->keyframes[index].name;
    default: return "";
    }
}

static int count_things(const TactModel *model, int kind)
{
    switch (kind) {
    case TACT_OBJECT_BODY: return model->body_count;
    case TACT_OBJECT_JOINT: return model->joint_count;
    case TACT_OBJECT_GEOM: return model->geom_count;
    case TACT_OBJECT_SITE: return model->site_count;
    case TACT_OBJECT_MESH: return model->mesh_count;
    case TACT_OBJECT_HEIGHTFIELD: return model->heightfield_count;
    case TACT_OBJECT_TENDON: return model->tendon_count;
    case TACT_OBJECT_ACTUATOR: return model->actuator_count;
    case TACT_OBJECT_EQUALITY: return model->equality_count;
    case TACT_OBJECT_SENSOR: return model->sensor_count;
    case TACT_OBJECT_PAIR: return model->pair_count;
    case TACT_OBJECT_KEYFRAME: return model->keyframe_count;
    default: return 0;
    }
}

const char *tact_model_label(const TactModel *model, TactObject type, int index,
                             char text[TACT_LABEL_SIZE])
{
    int         kind = type == TACT_OBJECT_XBODY ? TACT_OBJECT_BODY : (int)type;
    const char *name = model && index >= 0 && index < count_things(model, kind)
                           ? tact_model_name(model, kind, index)
                           : "";
    if (*name) {
        snprintf(text, TACT_LABEL_SIZE, "%s", name);
    } else {
        snprintf(text, TACT_LABEL_SIZE, "%s %d", tact_item_kind_name(kind), index);
    }
    return text;
}

/// The index in the label of a thing that has no name; -1: it is no such label.
static int find_label(const TactModel *model, int kind, const char *label)
{
    const char *word = tact_item_kind_name(kind);
    size_t      length = word ? strlen(word) : 0;
    char        again[TACT_LABEL_SIZE];
    if (!word || !label || strncmp(label, word, length) != 0 || label[length] != ' ') {
        return -1;
    }
    long index = strtol(label + length + 1, NULL, 10);
    if (index < 0 || index >= count_things(model, kind)) {
        return -1;
    }
    tact_model_label(model, (TactObject)kind, (int)index, again);
    return strcmp(again, label) == 0 ? (int)index : -1;
}

int tact_model_find(const TactModel *model, TactObject type, const char *name)
{
    int kind = type == TACT_OBJECT_XBODY ? TACT_OBJECT_BODY : (int)type;
    int index = model ? tact_names_find(&store_of(model)->names, kind, name) : -1;
    return index < 0 && model ? find_label(model, kind, name) : index;
}

// ---------------------------------------------------------------------------------------------
// Contact

/// What two indices lead to; -1: nothing.
static int find_key(const TactPairKey *keys, int count, uint64_t key)
{
    int lo = 0, hi = count;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (keys[middle].key < key) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < count && keys[lo].key == key ? keys[lo].index : -1;
}

/// The carrier that a carrier hangs on; 0 for the world and its children.
static int carrier_above(const TactModel *model, int carrier)
{
    return carrier > 0 ? model->bodies[model->bodies[carrier].parent].carrier : 0;
}

/// The world, or a body that is moved from outside.
static bool is_led(const TactModel *model, int carrier)
{
    return carrier == 0 || model->bodies[carrier].mocap >= 0;
}

bool tact_model_may_touch(const TactModel *model, int geom_a, int geom_b, int *pair)
{
    const TactModelStore *store = store_of(model);
    const TactGeom       *a = &model->geoms[geom_a], *b = &model->geoms[geom_b];
    int                   carrier_a = model->bodies[a->body].carrier;
    int                   carrier_b = model->bodies[b->body].carrier;
    int found = find_key(store->pairs, model->pair_count, tact_pair_key(geom_a, geom_b));
    if (pair) {
        bool never =
            carrier_a == carrier_b || (is_led(model, carrier_a) && is_led(model, carrier_b));
        *pair = never ? -1 : found;
    }
    if (carrier_a == carrier_b) {
        return false; // they never move against each other
    }
    if (is_led(model, carrier_a) && is_led(model, carrier_b)) {
        return false; // nothing could push either
    }
    if (found >= 0) {
        return true;
    }
    if (!(a->contact_type & b->contact_affinity) && !(b->contact_type & a->contact_affinity)) {
        return false;
    }
    // Parent and child, counting what is fixed to them; what is fixed to the world touches all.
    if (!model->options.parent_filter_off && carrier_a != 0 && carrier_b != 0 &&
        (carrier_above(model, carrier_a) == carrier_b ||
         carrier_above(model, carrier_b) == carrier_a)) {
        return false;
    }
    return find_key(store->excludes, model->exclude_count, tact_pair_key(a->body, b->body)) < 0;
}

TactGeomFriction tact_model_compute_friction(const TactModel *model, int geom_a, int geom_b,
                                             int pair)
{
    const TactGeom  *a = &model->geoms[geom_a], *b = &model->geoms[geom_b];
    int              condim = a->condim > b->condim ? a->condim : b->condim;
    double           mu = tact_model_get_friction(model, geom_a, geom_b);
    TactGeomFriction out = {mu, mu, fmax(a->torsional, b->torsional), fmax(a->rolling, b->rolling)};
    if (pair >= 0) {
        const TactPair *given = &model->pairs[pair];
        out = (TactGeomFriction){given->mu[0], given->mu[1], given->torsional, given->rolling};
        condim = given->condim;
    } else if (a->priority != b->priority) {
        const TactGeom *first = a->priority > b->priority ? a : b;
        out.mu_spin = first->torsional;
        out.mu_roll = first->rolling;
        condim = first->condim;
    }
    if (model->options.contact_override) {
        const double *f = model->options.override_friction;
        out = (TactGeomFriction){f[0], f[1], f[2], f[3]};
    }
    out.mu = condim == 1 ? 0 : out.mu;
    out.mu2 = condim == 1 ? 0 : out.mu2;
    out.mu_spin = condim < 4 ? 0 : out.mu_spin;
    out.mu_roll = condim < 6 ? 0 : out.mu_roll;
    return out;
}

double tact_model_compute_standoff(const TactModel *model, int geom_a, int geom_b, int pair)
{
    if (model->options.contact_override) {
        return model->options.override_margin;
    }
    return pair >= 0 ? model->pairs[pair].margin
                     : model->geoms[geom_a].margin + model->geoms[geom_b].margin;
}

double tact_model_get_friction(const TactModel *model, int geom_a, int geom_b)
{
    const TactGeom *a = &model->geoms[geom_a], *b = &model->geoms[geom_b];
    if (a->priority != b->priority) {
        const TactGeom *first = a->priority > b->priority ? a : b;
        return first->condim == 1 ? 0 : first->mu;
    }
    return a->condim == 1 && b->condim == 1 ? 0 : fmax(a->mu, b->mu);
}
