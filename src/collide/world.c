// Many shapes: bounds that overlap, found by sorting along one axis, and their points.
//
// Bounds are kept sorted by their lower end along x from step to step, so that sorting them again
// takes about one pass. Pairs go out in the order of their shapes, whatever the order along x.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/convex.h"
#include "collide/world.h"

typedef struct Bounds {
    TactVec3 lower, upper;
    int      shape;
} Bounds;

struct TactWorld {
    int             count;
    TactWorldShape *shapes; //                                                      (count)
    Bounds         *bounds; // in the order of lower.x                              (count)
    TactPairFilter *filter;
    void           *context;
    const bool     *resting; // lent; NULL: none                                    (count)
    int             pair_count, pair_capacity;
    TactWorldPair  *pairs; //                                                       (capacity)
    TactTouchList   touches;
};

TactStatus tact_world_create(const TactWorldShape *shapes, int count, TactPairFilter *filter,
                             void *context, TactWorld **world)
{
    if (!world || count < 0 || (count > 0 && !shapes)) {
        return tact_fail(TACT_BAD_ARGUMENT, "world: %d shapes, or no result", count);
    }
    *world = NULL;
    for (int i = 0; i < count; i++) {
        TactStatus status = tact_shape_check(&shapes[i].shape);
        if (status != TACT_OK) {
            char why[200];
            strncpy(why, tact_status_message(), sizeof why - 1);
            why[sizeof why - 1] = 0;
            return tact_fail(status, "world: shape %d: %s", i, why);
        }
    }
    TactWorld *w = NULL;
    TACT_TRY(tact_allocate(1, sizeof *w, (void **)&w));
    TactStatus status = tact_allocate((size_t)count, sizeof *w->shapes, (void **)&w->shapes);
    if (status == TACT_OK) {
        status = tact_allocate((size_t)count, sizeof *w->bounds, (void **)&w->bounds);
    }
    if (status != TACT_OK) {
        tact_world_destroy(w);
        return status;
    }
    w->count = count;
    w->filter = filter;
    w->context = context;
    for (int i = 0; i < count; i++) {
        w->shapes[i] = shapes[i];
        w->bounds[i].shape = i;
    }
    *world = w;
    return TACT_OK;
}

void tact_world_destroy(TactWorld *world)
{
    if (world) {
        tact_touch_list_destroy(&world->touches);
        tact_release(world->pairs);
        tact_release(world->bounds);
        tact_release(world->shapes);
        tact_release(world);
    }
}

const TactWorldShape *tact_world_view_shapes(const TactWorld *world, int *count)
{
    *count = world->count;
    return world->shapes;
}

static void find_bounds(TactWorld *world, const TactTransform *poses, const double *reach)
{
    for (int i = 0; i < world->count; i++) {
        Bounds               *bounds = &world->bounds[i];
        const TactWorldShape *shape = &world->shapes[bounds->shape];
        double                wide = shape->margin + (reach ? reach[bounds->shape] : 0);
        TactVec3              rim = {wide, wide, wide};
        tact_shape_bounds(&shape->shape, &poses[bounds->shape], &bounds->lower, &bounds->upper);
        bounds->lower = tact_vec3_subtract(bounds->lower, rim);
        bounds->upper = tact_vec3_add(bounds->upper, rim);
    }
    for (int i = 1; i < world->count; i++) { // insertion sort: nearly in order already
        Bounds moved = world->bounds[i];
        int    k = i;
        while (k > 0 && (world->bounds[k - 1].lower.x > moved.lower.x ||
                         (world->bounds[k - 1].lower.x == moved.lower.x &&
                          world->bounds[k - 1].shape > moved.shape))) {
            world->bounds[k] = world->bounds[k - 1];
            k--;
        }
        world->bounds[k] = moved;
    }
}

static TactStatus add_pair(TactWorld *world, int a, int b)
{
    if (world->pair_count == world->pair_capacity) {
        int            room = world->pair_capacity > 0 ? 2 * world->pair_capacity : 16;
        TactWorldPair *larger = NULL;
        TACT_TRY(tact_allocate((size_t)room, sizeof *larger, (void **)&larger));
        if (world->pair_count > 0) {
            memcpy(larger, world->pairs, (size_t)world->pair_count * sizeof *larger);
        }
        tact_release(world->pairs);
        world->pairs = larger;
        world->pair_capacity = room;
    }
    world->pairs[world->pair_count++] = (TactWorldPair){.a = a < b ? a : b, .b = a < b ? b : a};
    return TACT_OK;
}

static TactStatus find_pairs(TactWorld *world)
{
    world->pair_count = 0;
    for (int i = 0; i < world->count; i++) {
        const Bounds *one = &world->bounds[i];
        for (int k = i + 1; k < world->count && world->bounds[k].lower.x <= one->upper.x; k++) {
            const Bounds *two = &world->bounds[k];
            int           a = one->shape, b = two->shape;
            if (one->lower.y > two->upper.y || two->lower.y > one->upper.y ||
                one->lower.z > two->upper.z || two->lower.z > one->upper.z ||
                (world->shapes[a].fixed && world->shapes[b].fixed)) {
                continue;
            }
            if (!world->filter || world->filter(world->context, a < b ? a : b, a < b ? b : a)) {
                TACT_TRY(add_pair(world, a, b));
            }
        }
    }
    return TACT_OK;
}

static int compare_pairs(const void *left, const void *right)
{
    const TactWorldPair *p = left, *q = right;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

TactStatus tact_world_find_pairs(TactWorld *world, const TactTransform *poses, const double *reach,
                                 TactWorldPairs *pairs)
{
    find_bounds(world, poses, reach);
    TACT_TRY(find_pairs(world));
    if (world->pair_count > 1) {
        qsort(world->pairs, (size_t)world->pair_count, sizeof *world->pairs, compare_pairs);
    }
    *pairs = (TactWorldPairs){world->pair_count, world->pairs};
    return TACT_OK;
}

void tact_world_set_resting(TactWorld *world, const bool *resting)
{
    world->resting = resting;
}

static bool rests(const TactWorld *world, int shape)
{
    return world->resting && (world->resting[shape] || world->shapes[shape].fixed);
}

TactStatus tact_world_collide(TactWorld *world, const TactTransform *poses, const double *reach,
                              TactWorldTouches *touches)
{
    TactWorldPairs pairs;
    TACT_TRY(tact_world_find_pairs(world, poses, reach, &pairs));
    tact_touch_list_clear(&world->touches);
    int kept = 0;
    for (int i = 0; i < world->pair_count; i++) {
        TactWorldPair         pair = world->pairs[i];
        const TactWorldShape *a = &world->shapes[pair.a], *b = &world->shapes[pair.b];
        double                margin = a->margin + b->margin;
        if (rests(world, pair.a) && rests(world, pair.b)) {
            continue;
        }
        margin += reach ? reach[pair.a] + reach[pair.b] : 0;
        pair.first = world->touches.count;
        TACT_TRY(tact_collide(&a->shape, &poses[pair.a], &b->shape, &poses[pair.b], margin,
                              &world->touches));
        pair.count = world->touches.count - pair.first;
        if (pair.count > 0) {
            world->pairs[kept++] = pair;
        }
    }
    *touches = (TactWorldTouches){kept, world->pairs, &world->touches};
    return TACT_OK;
}
