// Many shapes: pairs of bounds that overlap, found in a tree, and their points.
//
// Leaves of the tree have fat bounds. A shape that stays within them changes nothing; one that
// leaves them is put in again, and only its pairs are looked for anew. Pairs of fat bounds are kept
// in the order of their shapes from call to call; which of them overlap by their true bounds, and
// so the answer, depends on the poses alone. Planes have no bounds to speak of: they are a
// candidate with everything.
#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "base/memory.h"
#include "base/status.h"
#include "collide/convex/convex.h"
#include "collide/world.h"

static const double FAT = 0.1; // of the extent of a shape: how much wider its leaf is on each side

typedef struct Candidate {
    int      a, b;     // a < b
    bool     has_axis; // the last direction along which they were apart,
    TactVec3 axis;     //   from a to b, in the frame of a
    double   gap;      // by how much, without margin: while they have moved less it need not be
    double   since;    //   asked again. What both had travelled then
} Candidate;

typedef struct Candidates {
    int        count, capacity;
    Candidate *items; //                                                            (capacity)
} Candidates;

struct TactWorld {
    int             count;
    TactWorldShape *shapes;    //                                                      (count)
    TactBounds     *bounds;    // of the shapes, with margin and reach                 (count)
    bool           *rough;     // these are wider than they need be                    (count)
    TactTransform  *placed;    // poses that the leaves are at; of no rotation before  (count)
    double         *extent;    // from the origin of a shape to what is furthest off   (count)
    double         *travel;    // no point of it has moved further so far              (count)
    bool            has_hulls; // travels are kept up: they are asked of pairs with hulls
    bool           *known;     // its leaf is in the tree, and all its pairs are known (count)
    int            *planes;    // shapes that are                                      (plane_count)
    int             plane_count;
    TactTree        tree;       // of all others
    Candidates      candidates; // fat bounds overlap, and the filter agrees
    Candidates      fresh;      // those to be added
    Candidates      merged;
    TactPairFilter *filter;
    void           *context;
    TactPairSkin   *skin;    // NULL: the sum of the shapes' own
    const bool     *resting; // lent; NULL: none                                    (count)
    int             pair_count, pair_capacity;
    TactWorldPair  *pairs; //                                                       (capacity)
    TactTouchList   touches;
};

// ---------------------------------------------------------------------------------------------
// Creation

static TactStatus check_shapes(const TactWorldShape *shapes, int count)
{
    for (int i = 0; i < count; i++) {
        TactStatus status = tact_shape_check(&shapes[i].shape);
        if (status != TACT_OK) {
            char why[200];
            strncpy(why, tact_status_message(), sizeof why - 1);
            why[sizeof why - 1] = 0;
            return tact_fail(status, "world: shape %d: %s", i, why);
        }
    }
    return TACT_OK;
}

/// From the origin of a shape to the corner of its bounds that is furthest off.
static double find_extent(const TactShape *shape)
{
    TactTransform origin = {.rotation = {.w = 1}};
    TactVec3      lower, upper;
    if (shape->type == TACT_SHAPE_PLANE) {
        return INFINITY;
    }
    tact_shape_compute_bounds(shape, &origin, &lower, &upper);
    TactVec3 most = {fmax(fabs(lower.x), fabs(upper.x)), fmax(fabs(lower.y), fabs(upper.y)),
                     fmax(fabs(lower.z), fabs(upper.z))};
    return tact_vec3_norm(most);
}

static TactStatus allocate_world(TactWorld *w, int count)
{
    TACT_TRY(tact_allocate((size_t)count, sizeof *w->shapes, (void **)&w->shapes));
    TACT_TRY(tact_allocate((size_t)count, sizeof *w->bounds, (void **)&w->bounds));
    TACT_TRY(tact_allocate((size_t)count, sizeof *w->rough, (void **)&w->rough));
    TACT_TRY(tact_allocate((size_t)count, sizeof *w->placed, (void **)&w->placed));
    TACT_TRY(tact_allocate((size_t)count, sizeof *w->extent, (void **)&w->extent));
    TACT_TRY(tact_allocate((size_t)count, sizeof *w->travel, (void **)&w->travel));
    TACT_TRY(tact_allocate((size_t)count, sizeof *w->known, (void **)&w->known));
    TACT_TRY(tact_allocate((size_t)count, sizeof *w->planes, (void **)&w->planes));
    return tact_tree_create(count, &w->tree);
}

TactStatus tact_world_create(const TactWorldShape *shapes, int count, TactPairFilter *filter,
                             void *context, TactWorld **world)
{
    if (!world || count < 0 || (count > 0 && !shapes)) {
        return tact_fail(TACT_BAD_ARGUMENT, "world: %d shapes, or no result", count);
    }
    *world = NULL;
    TACT_TRY(check_shapes(shapes, count));
    TactWorld *w = NULL;
    TACT_TRY(tact_allocate(1, sizeof *w, (void **)&w));
    TactStatus status = allocate_world(w, count);
    if (status != TACT_OK) {
        tact_world_destroy(w);
        return status;
    }
    w->count = count;
    w->filter = filter;
    w->context = context;
    for (int i = 0; i < count; i++) {
        w->shapes[i] = shapes[i];
        w->extent[i] = find_extent(&shapes[i].shape);
        w->has_hulls = w->has_hulls || shapes[i].shape.type == TACT_SHAPE_HULL;
        if (shapes[i].shape.type == TACT_SHAPE_PLANE) {
            w->planes[w->plane_count++] = i;
        }
    }
    *world = w;
    return TACT_OK;
}

void tact_world_destroy(TactWorld *world)
{
    if (world) {
        tact_touch_list_destroy(&world->touches);
        tact_tree_destroy(&world->tree);
        tact_release(world->candidates.items);
        tact_release(world->fresh.items);
        tact_release(world->merged.items);
        tact_release(world->pairs);
        tact_release(world->planes);
        tact_release(world->known);
        tact_release(world->placed);
        tact_release(world->extent);
        tact_release(world->travel);
        tact_release(world->rough);
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

// ---------------------------------------------------------------------------------------------
// Bounds

static double largest_extent(const TactBounds *b)
{
    TactVec3 d = tact_vec3_subtract(b->upper, b->lower);
    double   most = d.x > d.y ? d.x : d.y;
    return most > d.z ? most : d.z;
}

/// How far a shape reaches beyond its surface. One with a skin below it may have a pair with more.
static double rim_of(const TactWorldShape *shape)
{
    return shape->margin + tact_larger(0, shape->shape.skin);
}

/// The true bounds of a shape that has been placed.
static void bound_exactly(TactWorld *world, int i, double far)
{
    const TactWorldShape *shape = &world->shapes[i];
    TactBounds           *bounds = &world->bounds[i];
    tact_shape_compute_bounds(&shape->shape, &world->placed[i], &bounds->lower, &bounds->upper);
    *bounds = tact_bounds_widen(bounds, rim_of(shape) + far);
    world->rough[i] = false;
}

static bool stays_in_leaf(const TactWorld *world, int i)
{
    return world->known[i] && tact_bounds_contain(&world->tree.nodes[i].bounds, &world->bounds[i]);
}

/// A point x of a shape moves by |dp + (R+ - R) x| <= |dp| + 2 sin(angle / 2) |x| at the most, and
/// sin(angle / 2) <= |dq|.
static double bound_motion(const TactTransform *from, const TactTransform *to, double extent)
{
    TactVec3 dp = tact_vec3_subtract(to->position, from->position);
    double   w = to->rotation.w - from->rotation.w, x = to->rotation.x - from->rotation.x,
           y = to->rotation.y - from->rotation.y, z = to->rotation.z - from->rotation.z;
    double dq = sqrt((w * w + x * x) + (y * y + z * z));
    return tact_vec3_norm(dp) + 2 * dq * extent;
}

/// Bounds of all shapes; those that left their leaf are put in again, and no longer known. Returns
/// how many are not. Bounds of hulls are those of the box around them, until a pair asks for more:
/// the true ones cost six furthest vertices.
static int move_leaves(TactWorld *world, const TactTransform *poses, const double *reach)
{
    int unknown = 0;
    for (int i = 0; i < world->count; i++) {
        const TactWorldShape *shape = &world->shapes[i];
        TactBounds           *bounds = &world->bounds[i];
        double                far = reach ? reach[i] : 0;
        if (world->has_hulls) {
            world->travel[i] += bound_motion(&world->placed[i], &poses[i], world->extent[i]);
        }
        world->placed[i] = poses[i];
        double rim = rim_of(shape) + far;
        world->rough[i] = !tact_shape_compute_rough_bounds(&shape->shape, &poses[i], rim, bounds);
        if (shape->shape.type == TACT_SHAPE_PLANE || stays_in_leaf(world, i)) {
            continue;
        }
        TactBounds fat = tact_bounds_widen(bounds, FAT * largest_extent(bounds) + 2 * far);
        if (tact_tree_has(&world->tree, i)) {
            tact_tree_remove(&world->tree, i);
        }
        tact_tree_insert(&world->tree, i, &fat);
        world->known[i] = false;
        unknown++;
    }
    return unknown;
}

const int *tact_world_view_planes(const TactWorld *world, int *count)
{
    *count = world->plane_count;
    return world->planes;
}

const TactTree *tact_world_place(TactWorld *world, const TactTransform *poses)
{
    if (memcmp(world->placed, poses, (size_t)world->count * sizeof *poses) != 0) {
        move_leaves(world, poses, NULL);
    }
    return &world->tree;
}

// ---------------------------------------------------------------------------------------------
// Candidates

/// Room for at least so many; what is there stays.
static TactStatus reserve_candidates(Candidates *list, int count)
{
    if (count <= list->capacity) {
        return TACT_OK;
    }
    int        room = count > 2 * list->capacity ? count + 16 : 2 * list->capacity;
    Candidate *larger = NULL;
    TACT_TRY(tact_allocate((size_t)room, sizeof *larger, (void **)&larger));
    if (list->count > 0) {
        memcpy(larger, list->items, (size_t)list->count * sizeof *larger);
    }
    tact_release(list->items);
    list->items = larger;
    list->capacity = room;
    return TACT_OK;
}

static TactStatus add_candidate(TactWorld *world, int i, int j)
{
    Candidate pair = {.a = i < j ? i : j, .b = i < j ? j : i};
    if ((world->shapes[i].fixed && world->shapes[j].fixed) ||
        (world->filter && !world->filter(world->context, pair.a, pair.b))) {
        return TACT_OK;
    }
    TACT_TRY(reserve_candidates(&world->fresh, world->fresh.count + 1));
    world->fresh.items[world->fresh.count++] = pair;
    return TACT_OK;
}

typedef struct Meeting {
    TactWorld *world;
    int        shape;
} Meeting;

/// Of two that are both looked for, the first adds the pair.
static TactStatus meet(void *context, int leaf)
{
    const Meeting *meeting = context;
    bool           other = !meeting->world->known[leaf] && leaf <= meeting->shape;
    return other ? TACT_OK : add_candidate(meeting->world, meeting->shape, leaf);
}

static int compare_candidates(const Candidate *p, const Candidate *q)
{
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/// Merges two runs that follow each other, of `left` and `count - left` candidates.
static void merge_runs(const Candidate *from, int left, int count, Candidate *to)
{
    for (int i = 0, k = left, at = 0; at < count; at++) {
        bool first = k == count || (i < left && compare_candidates(&from[i], &from[k]) <= 0);
        to[at] = first ? from[i++] : from[k++];
    }
}

/// Sorts the fresh pairs; `merged` lends its memory (qsort() may take some from the heap).
static TactStatus sort_fresh(TactWorld *world)
{
    int count = world->fresh.count;
    TACT_TRY(reserve_candidates(&world->merged, count));
    for (int run = 1; run < count; run *= 2) {
        for (int i = 0; i < count; i += 2 * run) {
            int part = count - i < 2 * run ? count - i : 2 * run;
            merge_runs(world->fresh.items + i, part < run ? part : run, part,
                       world->merged.items + i);
        }
        world->merged.count = count;
        Candidates other = world->fresh;
        world->fresh = world->merged;
        world->merged = other;
    }
    return TACT_OK;
}

static bool is_known(const TactWorld *world, int shape)
{
    return world->known[shape] || world->shapes[shape].shape.type == TACT_SHAPE_PLANE;
}

static void forget_unknown(TactWorld *world)
{
    Candidates *list = &world->candidates;
    int         kept = 0;
    for (int i = 0; i < list->count; i++) {
        Candidate pair = list->items[i];
        if (is_known(world, pair.a) && is_known(world, pair.b)) {
            list->items[kept++] = pair;
        }
    }
    list->count = kept;
}

/// The pairs that are still known and the fresh ones, both in order.
static TactStatus merge(TactWorld *world)
{
    Candidates *old = &world->candidates, *fresh = &world->fresh, *out = &world->merged;
    forget_unknown(world);
    TACT_TRY(reserve_candidates(out, old->count + fresh->count));
    out->count = 0;
    for (int i = 0, k = 0; i < old->count || k < fresh->count;) {
        bool first = k == fresh->count ||
                     (i < old->count && compare_candidates(&old->items[i], &fresh->items[k]) < 0);
        out->items[out->count++] = first ? old->items[i++] : fresh->items[k++];
    }
    Candidates other = *old;
    *old = *out;
    *out = other;
    return TACT_OK;
}

/// All candidates of the shapes that are not known, in place of those they had.
static TactStatus find_candidates(TactWorld *world)
{
    world->fresh.count = 0;
    for (int i = 0; i < world->count; i++) {
        if (is_known(world, i)) {
            continue;
        }
        Meeting meeting = {world, i};
        TACT_TRY(tact_tree_visit_box(&world->tree, &world->tree.nodes[i].bounds, meet, &meeting));
        for (int k = 0; k < world->plane_count; k++) {
            TACT_TRY(add_candidate(world, world->planes[k], i));
        }
    }
    TACT_TRY(sort_fresh(world));
    TACT_TRY(merge(world));
    for (int i = 0; i < world->count; i++) {
        world->known[i] = world->shapes[i].shape.type != TACT_SHAPE_PLANE;
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Answers

static TactStatus reserve_pairs(TactWorld *world, int count)
{
    if (count > world->pair_capacity) {
        TactWorldPair *larger = NULL;
        TACT_TRY(tact_allocate(2 * (size_t)count, sizeof *larger, (void **)&larger));
        tact_release(world->pairs);
        world->pairs = larger;
        world->pair_capacity = 2 * count;
    }
    return TACT_OK;
}

/// Do the true bounds of two shapes overlap?
static bool is_pair(TactWorld *world, Candidate pair, const double *reach)
{
    const int shape[2] = {pair.a, pair.b};
    bool      overlap = tact_bounds_overlap(&world->bounds[pair.a], &world->bounds[pair.b]);
    for (int k = 0; k < 2 && overlap; k++) {
        if (world->rough[shape[k]]) {
            bound_exactly(world, shape[k], reach ? reach[shape[k]] : 0);
            overlap = tact_bounds_overlap(&world->bounds[pair.a], &world->bounds[pair.b]);
        }
    }
    return overlap;
}

static TactStatus move_shapes(TactWorld *world, const TactTransform *poses, const double *reach)
{
    if (move_leaves(world, poses, reach) > 0) {
        TACT_TRY(find_candidates(world));
    }
    world->pair_count = 0;
    return reserve_pairs(world, world->candidates.count);
}

TactStatus tact_world_find_pairs(TactWorld *world, const TactTransform *poses, const double *reach,
                                 TactWorldPairs *pairs)
{
    TACT_TRY(move_shapes(world, poses, reach));
    for (int i = 0; i < world->candidates.count; i++) {
        Candidate pair = world->candidates.items[i];
        if (is_pair(world, pair, reach)) {
            world->pairs[world->pair_count++] = (TactWorldPair){.a = pair.a, .b = pair.b};
        }
    }
    *pairs = (TactWorldPairs){world->pair_count, world->pairs};
    return TACT_OK;
}

void tact_world_set_resting(TactWorld *world, const bool *resting)
{
    world->resting = resting;
}

void tact_world_set_skins(TactWorld *world, TactPairSkin *skin)
{
    world->skin = skin;
}

static bool rests(const TactWorld *world, int shape)
{
    return world->resting && (world->resting[shape] || world->shapes[shape].fixed);
}

/// A hull and a convex shape: their narrow phase is a search for the direction between them.
static bool is_searched(const TactWorld *world, Candidate pair)
{
    TactShapeType a = world->shapes[pair.a].shape.type, b = world->shapes[pair.b].shape.type;
    bool          convex = a != TACT_SHAPE_PLANE && a != TACT_SHAPE_MESH && b != TACT_SHAPE_PLANE &&
                  b != TACT_SHAPE_MESH;
    return convex && (a == TACT_SHAPE_HULL || b == TACT_SHAPE_HULL);
}

/// Are two shapes further apart than the margin along the direction that was found last? By as much
/// more as leaves no doubt: whoever does not know that direction comes to the same answer.
static bool is_apart(const TactWorld *world, Candidate *pair, double margin)
{
    const double surely = 1e-9; // of the size, and of the way that was summed
    double       travel = world->travel[pair->a] + world->travel[pair->b];
    if (!pair->has_axis) {
        return false;
    }
    if (pair->gap - (travel - pair->since) > margin + surely * travel) {
        return true;
    }
    TactConvex a = tact_convex_make(&world->shapes[pair->a].shape, &world->placed[pair->a]);
    TactConvex b = tact_convex_make(&world->shapes[pair->b].shape, &world->placed[pair->b]);
    TactVec3   n = tact_convex_turn(&a, pair->axis);
    pair->gap =
        tact_convex_gap_along(&a, &b, n) - (a.radius + b.radius + surely * (a.size + b.size));
    pair->since = travel;
    return pair->gap > margin;
}

/// The direction from one to the other of two shapes that do not touch.
static void find_axis(const TactWorld *world, double margin, Candidate *pair)
{
    margin = tact_larger(0, margin);
    TactConvex a = tact_convex_make(&world->shapes[pair->a].shape, &world->placed[pair->a]);
    TactConvex b = tact_convex_make(&world->shapes[pair->b].shape, &world->placed[pair->b]);
    TactVec3   n;
    pair->has_axis = tact_convex_find_axis(&a, &b, a.radius + b.radius + margin, &n);
    if (pair->has_axis) {
        pair->axis = tact_convex_turn_back(&a, n);
        pair->gap = -INFINITY; // asked when they are met again
    }
}

/// Points of a pair, whose skins may be its own. skin: of both.
static TactStatus find_touches(TactWorld *world, const TactWorldPair *pair, double margin,
                               double skin)
{
    const TactShape     *a = &world->shapes[pair->a].shape, *b = &world->shapes[pair->b].shape;
    const TactTransform *pose_a = &world->placed[pair->a], *pose_b = &world->placed[pair->b];
    if (!world->skin) {
        return tact_collide(a, pose_a, b, pose_b, margin, &world->touches);
    }
    TactShape one = *a, two = *b;
    one.skin = skin;
    two.skin = 0;
    return tact_collide(&one, pose_a, &two, pose_b, margin, &world->touches);
}

/// Touches of a candidate, if it has any.
static TactStatus collide_pair(TactWorld *world, const double *reach, Candidate *candidate)
{
    TactWorldPair         pair = {.a = candidate->a, .b = candidate->b};
    const TactWorldShape *a = &world->shapes[pair.a], *b = &world->shapes[pair.b];
    double                margin = a->margin + b->margin;
    double                skin =
        world->skin ? world->skin(world->context, pair.a, pair.b) : a->shape.skin + b->shape.skin;
    margin += reach ? reach[pair.a] + reach[pair.b] : 0;
    bool rough = world->rough[pair.a] || world->rough[pair.b];
    if (is_apart(world, candidate, margin + skin)) {
        return TACT_OK;
    }
    if (rough && !is_pair(world, *candidate, reach)) {
        if (is_searched(world, *candidate)) { // next time one direction tells, instead of six
            find_axis(world, margin + skin, candidate);
        }
        return TACT_OK;
    }
    pair.first = world->touches.count;
    TACT_TRY(find_touches(world, &pair, margin, skin));
    pair.count = world->touches.count - pair.first;
    if (pair.count > 0) {
        world->pairs[world->pair_count++] = pair;
    } else if (is_searched(world, *candidate)) {
        find_axis(world, margin + skin, candidate);
    }
    return TACT_OK;
}

TactStatus tact_world_collide(TactWorld *world, const TactTransform *poses, const double *reach,
                              TactWorldTouches *touches)
{
    TACT_TRY(move_shapes(world, poses, reach));
    tact_touch_list_clear(&world->touches);
    for (int i = 0; i < world->candidates.count; i++) {
        Candidate *pair = &world->candidates.items[i];
        if (tact_bounds_overlap(&world->bounds[pair->a], &world->bounds[pair->b]) &&
            !(rests(world, pair->a) && rests(world, pair->b))) {
            TACT_TRY(collide_pair(world, reach, pair));
        }
    }
    *touches = (TactWorldTouches){world->pair_count, world->pairs, &world->touches};
    return TACT_OK;
}
