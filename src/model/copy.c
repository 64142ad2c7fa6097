// Copies of a model whose parameters can be set: arrays that hold parameters are their own, all
// else is shared with the original.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "model/build/build.h"
#include "model/parameter.h"

static TactModelStore *store_of(const TactModel *model)
{
    return (TactModelStore *)(void *)model;
}

#define COPY(array, count)                                                              \
    do {                                                                                \
        void *own = tact_arena_take(arena, (size_t)model->count, sizeof *model->array); \
        if (own && model->count > 0) {                                                  \
            memcpy(own, model->array, (size_t)model->count * sizeof *model->array);     \
        }                                                                               \
        copy->array = own;                                                              \
    } while (0)

static void layout(TactModel *copy, const TactModel *model, TactArena *arena)
{
    COPY(bodies, body_count);
    COPY(joints, joint_count);
    COPY(dofs, nv);
    COPY(geoms, geom_count);
    COPY(tendons, tendon_count);
    COPY(actuators, actuator_count);
    COPY(pairs, pair_count);
}

TactStatus tact_model_copy(const TactModel *model, TactModel **copy)
{
    TACT_NEED(model && copy, "tact_model_copy");
    *copy = NULL;
    TactModelStore *store = NULL;
    TACT_TRY(tact_allocate(1, sizeof *store, (void **)&store));
    *store = *store_of(model);
    store->arena = (TactArena){0};
    store->original = model;
    layout(&store->model, model, &store->arena);
    TactStatus status = tact_arena_create(&store->arena);
    if (status != TACT_OK) {
        tact_release(store);
        return status;
    }
    layout(&store->model, model, &store->arena);
    *copy = &store->model;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Reading and setting

static TactStatus check_count(const TactParameterPlace *place, const char *path, int count)
{
    int wanted = place->line->parameter.count;
    return count == wanted ? TACT_OK
                           : tact_fail(TACT_BAD_ARGUMENT, "parameter '%s' has %d number%s, not %d",
                                       path, wanted, wanted == 1 ? "" : "s", count);
}

static double sign_of(const TactParameterPlace *place)
{
    return place->line->rule == TACT_RULE_NEGATED ? -1 : 1;
}

static double *numbers_of(const TactModel *model, const TactParameterPlace *place)
{
    return (double *)(void *)((char *)tact_parameter_thing(model, place) + place->line->offset);
}

TactStatus tact_model_get(const TactModel *model, const char *path, double *values, int count)
{
    TACT_NEED(model && path && values, "tact_model_get");
    TactParameterPlace place;
    TACT_TRY(tact_parameter_place(model, path, &place));
    TACT_TRY(check_count(&place, path, count));
    const double *numbers = numbers_of(model, &place);
    for (int i = 0; i < count; i++) {
        values[i] = sign_of(&place) < 0 ? 0 - numbers[i] : numbers[i];
    }
    return TACT_OK;
}

static TactStatus check_values(const TactParameterPlace *place, const char *path,
                               const double *values)
{
    TactParameterRule rule = place->line->rule;
    for (int i = 0; i < place->line->parameter.count; i++) {
        double x = values[i];
        bool   fine = isfinite(x) && (rule != TACT_RULE_POSITIVE || x > 0) &&
                    ((rule != TACT_RULE_NOT_NEGATIVE && rule != TACT_RULE_NEGATED) || x >= 0);
        if (!fine) {
            return tact_fail(TACT_BAD_INPUT, "parameter '%s' cannot be %g%s", path, x,
                             rule == TACT_RULE_POSITIVE ? ": it must be > 0"
                             : isfinite(x)              ? ": it must be >= 0"
                                                        : "");
        }
    }
    if (rule == TACT_RULE_RANGE && values[0] > values[1]) {
        return tact_fail(TACT_BAD_INPUT, "parameter '%s': %g is larger than %g", path, values[0],
                         values[1]);
    }
    return TACT_OK;
}

/// A body as dense as it takes: inertia from the original, masses of all that carry it.
static void weigh(TactModel *copy, const TactModel *original, int body)
{
    TactBody       *bodies = (TactBody *)copy->bodies;
    const TactBody *before = original->bodies;
    double          share = bodies[body].inertia.mass / before[body].inertia.mass;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            bodies[body].inertia.rotary.m[i][j] = share * before[body].inertia.rotary.m[i][j];
        }
    }
    copy->mass = original->mass;
    for (int i = 0; i < copy->body_count; i++) {
        bodies[i].subtree_mass = before[i].subtree_mass;
    }
    for (int i = 0; i < copy->body_count; i++) { // exact where nothing differs
        double more = bodies[i].inertia.mass - before[i].inertia.mass;
        copy->mass += more;
        for (int b = i; b >= 0; b = before[b].parent) {
            bodies[b].subtree_mass += more;
        }
    }
}

/// Dofs have what their joint has.
static void tell_dofs(TactModel *copy, int joint)
{
    const TactJoint *j = &copy->joints[joint];
    for (int i = 0; i < copy->nv; i++) {
        TactDof *dof = (TactDof *)&copy->dofs[i];
        if (dof->joint == joint) {
            dof->damping = j->damping;
            dof->armature = j->armature;
            dof->friction = j->friction;
        }
    }
}

TactStatus tact_model_set(TactModel *copy, const char *path, const double *values, int count)
{
    TACT_NEED(copy && path && values, "tact_model_set");
    const TactModel *original = store_of(copy)->original;
    if (!original) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "parameter '%s': a compiled model never changes; set it in a copy "
                         "(tact_model_copy) or in a simulation",
                         path);
    }
    TactParameterPlace place;
    TACT_TRY(tact_parameter_place(copy, path, &place));
    TACT_TRY(check_count(&place, path, count));
    TACT_TRY(check_values(&place, path, values));
    bool is_mass = place.type == TACT_OBJECT_BODY && place.line->rule == TACT_RULE_POSITIVE;
    if (is_mass && !(original->bodies[place.index].inertia.mass > 0)) {
        return tact_fail(TACT_BAD_INPUT, "parameter '%s': the body has no mass to begin with",
                         path);
    }
    copy->hash ^= tact_parameter_hash(copy, original, &place);
    void *thing = tact_parameter_thing(copy, &place);
    if (place.line->apply) {
        place.line->apply(thing, values);
    } else {
        memcpy((char *)thing + place.line->offset, values, (size_t)count * sizeof *values);
    }
    if (is_mass) {
        weigh(copy, original, place.index);
    } else if (place.type == TACT_OBJECT_JOINT) {
        tell_dofs(copy, place.index);
    }
    copy->hash ^= tact_parameter_hash(copy, original, &place);
    return TACT_OK;
}
