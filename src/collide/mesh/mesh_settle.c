// Triangles know nothing of the solids behind them. A point of overlap found by two of them is
//
//     x on the surface of a,    y on that of b,    x - y = depth n,    n a normal of a in x and
//                                                                      -n one of b in y.
//
// It is one of the solids
//
//   1. if a corner that makes it is inside of the other solid, all of the way to where it comes
//      out; of two edges that cross, one is enough (or has come through a sharp edge: is_through),
//   2. and if no shallower one frees it: were b moved by that one's depth along its normal, x would
//      be outside of b, or y outside of a. Of all ways out of one overlap the shortest remains, as
//      it does of convex shapes; overlaps apart from each other keep theirs (choose_ways).
//
// Other points of two faces along the same normal, less deep, go where that goes.
//
// Where surfaces cross and none remains (corners that meet point to point, where one of them is no
// corner of a convex solid; one solid deep in the other), the corners inside of the other solid are
// the points, each as deep as it is from the nearest point of the surface. As shapes begin to
// touch all of these depths begin at 0, and none changes by more than the shapes move.
#include "collide/mesh/mesh_settle.h"

#include <math.h>

#include "base/status.h"
#include "collide/manifold.h"
#include "collide/mesh/mesh_query.h"
#include "collide/tolerance.h"

/// Length of the sum of two unit normals that cancel each other.
static const double OPPOSED = 1e-6;

typedef struct Settling {
    const TactConvex *a, *b;
    TactTouchList    *list;
    int               first, end; // of the points that triangles found; corners come after
    int               overlaps;   // of these that are left
    double            extent;     // of all places where triangles cross, m
    double            tol;        // m
} Settling;

/// Ends of the way through both: on the surface of a, and on that of b.
static TactVec3 end_of(const TactTouch *t, double share)
{
    return tact_vec3_add_scaled(t->point, share * t->depth, t->normal);
}

static bool leaves(const TactConvex *mesh, TactVec3 p, TactVec3 q, double before, double beyond)
{
    return tact_mesh_tree_leaves(mesh->shape->mesh, tact_transform_point_back(mesh->pose, p),
                                 tact_transform_point_back(mesh->pose, q), before, beyond);
}

static void remove_marked(const Settling *s)
{
    int kept = s->first;
    for (int i = s->first; i < s->list->count; i++) {
        if (s->list->touches[i].feature != 0) {
            s->list->touches[kept++] = s->list->touches[i];
        }
    }
    s->list->count = kept;
}

// ---------------------------------------------------------------------------------------------
// 1. Inside

/// How far outside a point may be that counts as inside: a corner that stands upright on a face has
/// faces beside it that rounding may tilt either way.
static double slack_of(const Settling *s, const TactTouch *t)
{
    return s->tol + TACT_LEVEL * t->depth; // as mesh_tree.c judges slopes
}

static TactVec3 nearest_on(const TactConvex *mesh, TactVec3 x, TactVec3 known)
{
    TactVec3 here = tact_transform_point_back(mesh->pose, x);
    TactVec3 there = tact_transform_point_back(mesh->pose, known);
    return tact_convex_place(mesh, tact_mesh_tree_nearest(mesh->shape->mesh, here, there));
}

/// Is the way from y to x, which begins on the surface of a mesh, inside of it? Where surfaces do
/// not cross, or by rounding alone, one may be all inside of the other, or touch it from outside
/// with x.
static bool is_inside(const Settling *s, const TactConvex *mesh, const TactTouch *t, double side)
{
    TactVec3 y = end_of(t, -side), x = end_of(t, side);
    if (leaves(mesh, y, x, -s->tol, slack_of(s, t))) {
        return false;
    }
    return s->extent > 100 * s->tol ||
           tact_vec3_norm(tact_vec3_subtract(nearest_on(mesh, x, y), x)) > s->tol;
}

static unsigned made_by(const TactTouch *t)
{
    return (unsigned)(t->feature >> 62) - 1;
}

/// Of a corner that made it, that; of two edges, one of them.
static bool is_inside_one(const Settling *s, const TactTouch *t, unsigned made_by)
{
    return (made_by != TACT_TOUCH_CORNER_B && is_inside(s, s->b, t, 0.5)) ||
           (made_by != TACT_TOUCH_CORNER_A && is_inside(s, s->a, t, -0.5));
}

// ---------------------------------------------------------------------------------------------
// 2. The shortest ways

/// Is a point between the two surfaces of a touch, along its normal, or off by no more than tol?
static bool is_between(const TactTouch *t, TactVec3 p, double tol)
{
    double along = tact_vec3_dot(t->normal, tact_vec3_subtract(p, t->point));
    return fabs(along) <= 0.5 * t->depth + tol;
}

/// Is touch j none any more once b is moved by the depth of i?
static bool is_freed(const Settling *s, const TactTouch *i, const TactTouch *j)
{
    TactVec3 x = end_of(j, 0.5), y = end_of(j, -0.5);
    double   way = i->depth + 4 * s->tol, slack = slack_of(s, j);
    return (is_between(i, x, slack) &&
            leaves(s->b, x, tact_vec3_add_scaled(x, -way, i->normal), -slack, s->tol)) ||
           (is_between(i, y, slack) &&
            leaves(s->a, y, tact_vec3_add_scaled(y, way, i->normal), -slack, s->tol));
}

/// What became of a way, among the bits of its name; the others are its index in the list.
static const uint64_t KEPT = (uint64_t)1 << 63, FREED = (uint64_t)1 << 62;

/// Overlaps in rising order of their depths, copies behind the end of the list.
typedef struct Ways {
    TactTouch *way;
    int        count;
} Ways;

static TactStatus sort_overlaps(const Settling *s, Ways *ways)
{
    int n = s->list->count;
    TACT_TRY(tact_touch_list_reserve(s->list, n - s->first));
    *ways = (Ways){&s->list->touches[n], 0};
    for (int i = s->first; i < n; i++) {
        TactTouch t = s->list->touches[i];
        bool      touching = t.depth <= s->tol; // whatever made it, it frees what only touches
        if (t.depth > -s->tol && !tact_touch_is_crossing(&t) &&
            (touching || tact_touch_is_maker(&t))) {
            int k = ways->count++;
            for (; k > 0 && ways->way[k - 1].depth > t.depth; k--) {
                ways->way[k] = ways->way[k - 1];
            }
            t.feature = (uint64_t)i;
            ways->way[k] = t;
        }
    }
    return TACT_OK;
}

/// The shortest way of a kind that is shorter than t and frees it; NULL: none.
static TactTouch *find_freeing(const Settling *s, const Ways *ways, uint64_t kind,
                               const TactTouch *t)
{
    for (int i = 0; i < ways->count; i++) {
        TactTouch *way = &ways->way[i];
        if ((way->feature & kind) && way->depth < t->depth - s->tol &&
            tact_vec3_dot(way->normal, t->normal) < TACT_SAME_NORMAL && is_freed(s, way, t)) {
            return way;
        }
    }
    return NULL;
}

static bool is_between_any(const Settling *s, const Ways *ways, TactVec3 p)
{
    bool some = false;
    for (int i = 0; i < ways->count && !some; i++) {
        some = (ways->way[i].feature & KEPT) && is_between(&ways->way[i], p, s->tol);
    }
    return some;
}

/// A corner that has come out again on the other side of a sharp edge is inside of nothing, and yet
/// the way back is a way out: if the surfaces cross between its ends, as widely as it is deep,
/// where no shorter way is.
static bool is_through(const Settling *s, const Ways *ways, const TactTouch *t)
{
    TactVec3 lower = {INFINITY, INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = s->first; i < s->list->count; i++) {
        TactVec3 p = s->list->touches[i].point;
        if (tact_touch_is_crossing(&s->list->touches[i]) && is_between(t, p, s->tol) &&
            !is_between_any(s, ways, p)) {
            lower = (TactVec3){fmin(lower.x, p.x), fmin(lower.y, p.y), fmin(lower.z, p.z)};
            upper = (TactVec3){fmax(upper.x, p.x), fmax(upper.y, p.y), fmax(upper.z, p.z)};
        }
    }
    return lower.x <= upper.x && tact_vec3_norm(tact_vec3_subtract(upper, lower)) >= t->depth;
}

/// Is there a way along about the same normal?
static bool has_way(const Ways *ways, const TactTouch *t)
{
    bool some = false;
    for (int i = 0; i < ways->count; i++) {
        some = some || ((ways->way[i].feature & KEPT) &&
                        tact_vec3_dot(ways->way[i].normal, t->normal) > 0.995);
    }
    return some;
}

/// Of the ways, from the shortest on, those that none that is kept frees. One that was freed by a
/// way elsewhere, and would free a longer one that is not, stands for an overlap that is still
/// there: it is kept instead of that one.
static void choose_ways(const Settling *s, const Ways *ways)
{
    for (int j = 0; j < ways->count; j++) {
        TactTouch       *way = &ways->way[j];
        const TactTouch *t = &s->list->touches[way->feature];
        bool             real = t->depth <= s->tol || is_inside_one(s, t, made_by(t));
        if (!real && !is_through(s, ways, t)) {
            continue;
        }
        if (find_freeing(s, ways, KEPT, t)) {
            way->feature |= FREED;
            continue;
        }
        TactTouch *shorter = find_freeing(s, ways, FREED, t);
        way->feature |= shorter ? FREED : KEPT;
        if (shorter) {
            shorter->feature ^= FREED | KEPT;
        }
    }
}

static TactStatus mark_freed(const Settling *s)
{
    Ways ways;
    TACT_TRY(sort_overlaps(s, &ways));
    choose_ways(s, &ways);
    for (int j = 0; j < ways.count; j++) {
        if (!(ways.way[j].feature & KEPT)) {
            s->list->touches[ways.way[j].feature & ~FREED].feature = 0;
        }
    }
    for (int i = s->first; i < s->list->count; i++) {
        TactTouch *t = &s->list->touches[i];
        bool       other = t->depth > s->tol && t->feature != 0 && !tact_touch_is_crossing(t) &&
                     !tact_touch_is_maker(t);
        if (other && (!has_way(&ways, t) || !is_inside_one(s, t, made_by(t)) ||
                      find_freeing(s, &ways, KEPT, t))) {
            t->feature = 0;
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// 3. Where there are none

static bool is_overlap(const Settling *s, const TactTouch *t)
{
    return !tact_touch_is_crossing(t) && t->depth > -s->tol;
}

/// Is it part of an overlap that has a point?
static bool is_explained(const Settling *s, const TactTouch *crossing)
{
    for (int i = s->first; i < s->end && s->overlaps > 0; i++) {
        const TactTouch *t = &s->list->touches[i];
        if (is_overlap(s, t) && is_between(t, crossing->point, s->tol)) {
            return true;
        }
    }
    return false;
}

static bool has_corner(const Settling *s, uint64_t name)
{
    for (int i = s->end; i < s->list->count; i++) {
        if (s->list->touches[i].feature == name) {
            return true;
        }
    }
    return false;
}

static TactVec3 normal_of(const TactConvex *mesh, int triangle)
{
    return tact_convex_turn(mesh, mesh->shape->mesh->normals[triangle]);
}

/// The corners of triangle i of one mesh that are inside of the other, seen from where it crosses
/// triangle j of that.
static TactStatus add_inside(const Settling *s, const TactConvex *of, const TactConvex *in, int i,
                             int j, TactVec3 from, int *found)
{
    const TactMesh *mesh = of->shape->mesh->mesh;
    TactVec3        out = normal_of(in, j);
    double          side = of == s->a ? 1 : -1;
    for (int k = 0; k < 3; k++) {
        int      vertex = mesh->triangles[i].vertex[k];
        uint64_t name = (uint64_t)(side > 0 ? 1 : 2) << 62 | (uint64_t)1 << 61 | (uint64_t)vertex;
        if (has_corner(s, name)) {
            (*found)++;
            continue;
        }
        TactVec3 at = tact_convex_place(of, mesh->vertices[vertex]);
        if (tact_vec3_dot(out, tact_vec3_subtract(at, from)) > -s->tol ||
            leaves(in, from, at, -s->tol, s->tol)) {
            continue;
        }
        TactVec3 nearest = nearest_on(in, at, from);
        TactVec3 way = tact_vec3_subtract(at, nearest); // inwards
        double   depth = tact_vec3_norm(way);
        if (depth > s->tol) {
            TactTouch touch = {tact_vec3_scale(0.5, tact_vec3_add(at, nearest)),
                               tact_vec3_scale(side / depth, way), depth, name};
            TACT_TRY(tact_touch_list_add(s->list, touch));
            (*found)++;
        }
    }
    return TACT_OK;
}

/// Adds what is inside. Edges that only pass through each other's faces touch where they do, with
/// the mean of both normals.
static TactStatus settle_crossing(const Settling *s, int index, TactUnsettled *unsettled)
{
    TactTouch crossing = s->list->touches[index];
    int in_a = (int)(crossing.feature >> 32), in_b = (int)(crossing.feature & 0xffffffffu) - 1;
    int found = 0;
    TACT_TRY(add_inside(s, s->a, s->b, in_a, in_b, crossing.point, &found));
    TACT_TRY(add_inside(s, s->b, s->a, in_b, in_a, crossing.point, &found));
    if (found == 0) {
        unsettled->extent = s->extent;
        TactVec3  n = normal_of(s->a, in_a), mean = tact_vec3_subtract(n, normal_of(s->b, in_b));
        uint64_t  name = crossing.feature * 0x9e3779b97f4a7c15u;
        bool      clear = tact_vec3_norm(mean) > OPPOSED;
        TactTouch touch = {crossing.point, clear ? tact_vec3_normalise(mean) : n, 0,
                           (uint64_t)3 << 62 | name >> 2};
        TACT_TRY(tact_touch_list_add(s->list, touch));
    }
    return TACT_OK;
}

static double crossing_extent(const Settling *s)
{
    TactVec3 lower = {INFINITY, INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = s->first; i < s->list->count; i++) {
        TactVec3 p = s->list->touches[i].point;
        if (tact_touch_is_crossing(&s->list->touches[i])) {
            lower = (TactVec3){fmin(lower.x, p.x), fmin(lower.y, p.y), fmin(lower.z, p.z)};
            upper = (TactVec3){fmax(upper.x, p.x), fmax(upper.y, p.y), fmax(upper.z, p.z)};
        }
    }
    return lower.x <= upper.x ? tact_vec3_norm(tact_vec3_subtract(upper, lower)) : 0;
}

TactStatus tact_mesh_touches_settle(const TactConvex *a, const TactConvex *b, TactTouchList *list,
                                    int first, TactUnsettled *unsettled)
{
    Settling s = {
        .a = a, .b = b, .list = list, .first = first, .tol = TACT_SAME_DEPTH * (a->size + b->size)};
    *unsettled = (TactUnsettled){0};
    s.extent = crossing_extent(&s);
    TACT_TRY(mark_freed(&s));
    remove_marked(&s);
    s.end = list->count;
    for (int i = first; i < s.end; i++) {
        s.overlaps += is_overlap(&s, &list->touches[i]);
    }
    for (int i = first; i < s.end; i++) {
        if (tact_touch_is_crossing(&list->touches[i]) && !is_explained(&s, &list->touches[i])) {
            TACT_TRY(settle_crossing(&s, i, unsettled));
        }
    }
    for (int i = s.end; i < list->count && s.overlaps == 0; i++) {
        unsettled->corner = fmax(unsettled->corner, list->touches[i].depth);
    }
    for (int i = first; i < s.end; i++) {
        TactTouch *t = &list->touches[i];
        t->feature = tact_touch_is_crossing(t) ? 0 : t->feature | 1;
    }
    remove_marked(&s);
    return TACT_OK;
}
