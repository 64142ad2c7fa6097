// Two meshes: both trees at once, then triangle against triangle.
//
// Everything is seen from a. Two triangles touch only if none of the eleven axes that can part them
// (both normals, nine cross products of edges) does so by more than margin; most pairs end there.
// Of those that are left, the direction of least overlap counts that the surfaces of both meshes
// allow (tact_mesh_tree_judge). What triangles found is settled in the end (mesh_settle.c).
#include <math.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "base/status.h"
#include "collide/manifold.h"
#include "collide/mesh/mesh_axes.h"
#include "collide/mesh/mesh_fan.h"
#include "collide/mesh/mesh_pair.h"
#include "collide/mesh/mesh_settle.h"
#include "collide/mesh/mesh_triangles.h"
#include "collide/tolerance.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

enum { MOST_ROUNDS = 8 };
/// Of the size of the meshes.
static const double ROUNDING_OF_BOUNDS = 1e-14; // ten additions and products of a transform
static const double LEAST_REACH = 1e-4;         // the first look beyond what overlaps

typedef TactMeshTriangle Triangle; // in the frame of a

/// The triangles of a leaf of b as a sees them, one a lane: x, y, z of corners, normals and bounds.
typedef struct Seen {
    int    leaf; // -1: none yet
    double corner[3][3][4], normal[3][4], low[3][4], high[3][4];
} Seen;

typedef struct Meshes {
    const TactMeshTree *a, *b;
    TactConvex          convex_a, convex_b;
    TactMat3            R;         // axes of b in a
    double              origin[3]; // of b, in a
    double              margin;
    double              reach; // within which boxes meet: margin or more
    double              level; // depth of the deepest faces that lie level upon each other
    TactTouchList      *touches;
    TactTouch           closest; // of all triangles apart; its depth is -INFINITY before
    Seen                seen;
} Meshes;

// ---------------------------------------------------------------------------------------------
// Two triangles

static double edge_length(const Triangle *t)
{
    double most = 0;
    for (int i = 0; i < 3; i++) {
        TactVec3 e = tact_vec3_subtract(t->v[i < 2 ? i + 1 : 0], t->v[i]);
        double   square = tact_vec3_dot(e, e);
        most = square > most ? square : most;
    }
    return sqrt(most);
}

/// Leaves out cross products of edges that are no normals beside one of these.
static void refuse_edges(const Meshes *m, const Triangle *a, const Triangle *b, TactDirections *d)
{
    for (int k = TACT_AXES_FACES; k < TACT_AXIS_NEAREST; k++) {
        if (d->overlap[k] < INFINITY) {
            TactVec3 n = d->normal[k];
            TactVec3 in_b = tact_mat3_apply_transpose(m->R, tact_vec3_negate(n));
            if (tact_mesh_tree_refuses(m->a, a->index, (k - TACT_AXES_FACES) / 3, n) ||
                tact_mesh_tree_refuses(m->b, b->index, (k - TACT_AXES_FACES) % 3, in_b)) {
                d->overlap[k] = INFINITY;
            }
        }
    }
}

/// The direction of least overlap that both surfaces allow; -1: none, or other triangles have it.
static int find_direction(const Meshes *m, const Triangle *a, const Triangle *b, TactDirections *d)
{
    double size = edge_length(a) + edge_length(b);
    refuse_edges(m, a, b, d);
    for (;;) {
        int    best = -1;
        double least = INFINITY;
        for (int k = 0; k < TACT_DIRECTIONS; k++) {
            if (d->overlap[k] < least - TACT_SAME_DEPTH * size) {
                least = d->overlap[k];
                best = k;
            }
        }
        if (best < 0 || least > size) {
            return -1;
        }
        TactVec3 n = d->normal[best], in_b = tact_mat3_apply_transpose(m->R, tact_vec3_negate(n));
        TactMeshNormal on_a =
            best == 0 ? TACT_MESH_ALLOWED : tact_mesh_tree_judge(m->a, a->index, n);
        TactMeshNormal on_b = on_a == TACT_MESH_REFUSED || best == 1
                                  ? on_a
                                  : tact_mesh_tree_judge(m->b, b->index, in_b);
        if (on_b != TACT_MESH_REFUSED) {
            return on_a == TACT_MESH_ELSEWHERE || on_b == TACT_MESH_ELSEWHERE ? -1 : best;
        }
        d->overlap[best] = INFINITY;
    }
}

// ---------------------------------------------------------------------------------------------
// Triangles that cross

static TactStatus touch_crossing(const Meshes *m, const Triangle *a, const Triangle *b)
{
    TactVec3 middle;
    if (!tact_triangles_cross(a, b, &middle)) {
        return TACT_OK;
    }
    TactTouch touch = {.point = tact_convex_place(&m->convex_a, middle),
                       .feature = tact_crossing_name(a->index, b->index)};
    return tact_touch_list_add(m->touches, touch);
}

// ---------------------------------------------------------------------------------------------
// Points of two triangles

/// Does one of the axes part them?
static bool has_gap(const TactDirections *d)
{
    bool gap = false;
    for (int k = 0; k < TACT_AXES; k++) {
        gap = gap || d->overlap[k] < 0;
    }
    return gap;
}

/// Direction and nearest points of two triangles apart. False: they are not, or along a normal.
static bool find_triangles_nearest(Meshes *m, const Triangle *a, const Triangle *b,
                                   TactDirections *d, TactTouch *closest)
{
    TactVec3 on_a, on_b;
    double   distance = tact_triangles_nearest(a, b, &on_a, &on_b);
    if (!(distance > 0 && distance <= m->margin)) {
        return false;
    }
    TactVec3 n = tact_vec3_scale(1 / distance, tact_vec3_subtract(on_b, on_a));
    uint64_t name = ((uint64_t)a->index << 32 | (uint64_t)b->index) * 0x9e3779b97f4a7c15u;
    TactVec3 middle = tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
    *closest =
        (TactTouch){tact_convex_place(&m->convex_a, middle), tact_convex_turn(&m->convex_a, n),
                    -distance, (uint64_t)1 << 62 | name >> 2};
    if (closest->depth > m->closest.depth) {
        m->closest = *closest;
    }
    if (tact_vec3_dot(n, a->normal) > TACT_SAME_NORMAL ||
        tact_vec3_dot(n, b->normal) < -TACT_SAME_NORMAL) {
        return false; // faces have it
    }
    d->overlap[TACT_AXIS_NEAREST] = -distance;
    d->normal[TACT_AXIS_NEAREST] = n;
    return true;
}

/// Which points are as deep along a direction as what made it: a corner along the normal of the
/// other's face, edges along their cross product.
static unsigned made_by(int direction)
{
    return direction == 0   ? TACT_TOUCH_CORNER_B
           : direction == 1 ? TACT_TOUCH_CORNER_A
                            : TACT_TOUCH_CROSSING;
}

/// Tells the points that made a direction from the others along it; of faces upon each other all
/// did. Where the triangles are inclined to each other the others are deep by accident of where one
/// ends over the other: none of them is deeper than those that made it.
static void tell_makers(Meshes *m, int first, unsigned kind, double overlap, double between)
{
    TactTouchList *list = m->touches;
    double         most = 0, tol = TACT_SAME_DEPTH * (m->convex_a.size + m->convex_b.size);
    bool           level = between<-TACT_SAME_NORMAL, inclined = between> - 0.995;
    int            kept = first;
    m->level = level && overlap > m->level ? overlap : m->level;
    for (int i = first; i < list->count; i++) {
        TactTouch *t = &list->touches[i];
        bool       made = (t->feature >> 62) - 1 == kind;
        most = made && t->depth > most ? t->depth : most;
        made = level || (made && t->depth >= overlap - tol);
        t->feature = made ? t->feature | 1 : t->feature & ~(uint64_t)1;
    }
    for (int i = first; i < list->count; i++) {
        if (!inclined || list->touches[i].depth <= most) {
            list->touches[kept++] = list->touches[i];
        }
    }
    list->count = kept;
}

/// Points along the direction of least overlap; closest: along that of the nearest points.
static TactStatus touch_along(Meshes *m, const Triangle *a, const Triangle *b,
                              TactDirections *directions, const TactTouch *closest)
{
    int best = find_direction(m, a, b, directions), first = m->touches->count;
    if (best < 0) {
        return TACT_OK;
    }
    TactConvex one = tact_convex_make_triangle(&m->convex_a, a->index);
    TactConvex two = tact_convex_make_triangle(&m->convex_b, b->index);
    TactFace   face_a, face_b;
    TactVec3   n = tact_convex_turn(&one, directions->normal[best]);
    tact_convex_face(&one, n, &face_a);
    tact_convex_face(&two, tact_vec3_negate(n), &face_b);
    TACT_TRY(tact_manifold_add(&face_a, &face_b, n, m->margin,
                               best == TACT_AXIS_NEAREST ? closest : NULL, m->touches));
    if (best < TACT_AXES) {
        tell_makers(m, first, made_by(best), directions->overlap[best],
                    tact_vec3_dot(a->normal, b->normal));
    }
    return TACT_OK;
}

/// Triangles within margin of each other.
static TactStatus touch_near(Meshes *m, const Triangle *a, const Triangle *b,
                             TactDirections *directions)
{
    TactTouch closest = {0};
    directions->overlap[TACT_AXIS_NEAREST] = INFINITY;
    if (!has_gap(directions)) {
        TACT_TRY(touch_crossing(m, a, b));
    } else if (m->margin > 0) {
        find_triangles_nearest(m, a, b, directions, &closest);
    }
    return touch_along(m, a, b, directions, &closest);
}

/// Triangles apart that lie on ways out of an overlap.
static TactStatus touch_ways(Meshes *m, const Triangle *a, const Triangle *b,
                             TactDirections *directions)
{
    directions->overlap[TACT_AXIS_NEAREST] = INFINITY;
    return touch_along(m, a, b, directions, NULL);
}

// ---------------------------------------------------------------------------------------------
// Two leaves

#define LESSER(p, q) TACT_LANES_SELECT((p) < (q), p, q)
#define GREATER(p, q) TACT_LANES_SELECT((p) > (q), p, q)

/// Four vectors of b's frame, in that of a.
ALWAYS_INLINE void turn_lanes(const Meshes *m, const double in[3][4], int axis, TactLanes *out)
{
    const double *r = m->R.m[axis];
    *out = r[0] * TACT_LANES_AT(in[0]) + r[1] * TACT_LANES_AT(in[1]) + r[2] * TACT_LANES_AT(in[2]);
}

TACT_CLONES static void see_leaf(Meshes *m, int index)
{
    const TactMeshLeaf *leaf = &m->b->leaves[index];
    Seen               *seen = &m->seen;
    seen->leaf = index;
    for (int axis = 0; axis < 3; axis++) {
        TactLanes v[3], n;
        for (int i = 0; i < 3; i++) {
            turn_lanes(m, leaf->corner[i], axis, &v[i]);
            v[i] += m->origin[axis];
            TACT_LANES_PUT(seen->corner[i][axis]) = v[i];
        }
        turn_lanes(m, leaf->normal, axis, &n);
        TACT_LANES_PUT(seen->normal[axis]) = n;
        TactLanes low = LESSER(v[0], v[1]), high = GREATER(v[0], v[1]);
        TACT_LANES_PUT(seen->low[axis]) = LESSER(low, v[2]) - m->reach;
        TACT_LANES_PUT(seen->high[axis]) = GREATER(high, v[2]) + m->reach;
    }
}

/// Which triangles of the leaf that is seen, as bits, meet the box of one of a.
TACT_CLONES static int meet_box(const Seen *seen, const TactMeshBox *box)
{
    const double middle[3] = {box->middle.x, box->middle.y, box->middle.z};
    const double half[3] = {box->half.x, box->half.y, box->half.z};
    TactMask     meet = {1, 2, 4, 8};
    for (int axis = 0; axis < 3; axis++) {
        meet &= (TACT_LANES_AT(seen->low[axis]) <= middle[axis] + half[axis]) &
                (TACT_LANES_AT(seen->high[axis]) >= middle[axis] - half[axis]);
    }
    return (int)(meet[0] | meet[1] | meet[2] | meet[3]);
}

/// Which triangles of a leaf of a, as bits, triangle k of the leaf that is seen may touch: their
/// boxes meet, it faces them, and is not all in front of them by more than margin.
TACT_CLONES static int meet_leaf(const Meshes *m, const TactMeshLeaf *leaf, int k)
{
    const Seen *seen = &m->seen;
    TactMask    meet = {1, 2, 4, 8};
    TactLanes   n[3], least = TACT_LANES_ALL(INFINITY), facing = {0, 0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        n[axis] = TACT_LANES_AT(leaf->normal[axis]);
        facing += seen->normal[axis][k] * n[axis];
        meet &= (TACT_LANES_AT(leaf->lower[axis]) <= seen->high[axis][k]) &
                (TACT_LANES_AT(leaf->upper[axis]) >= seen->low[axis][k]);
    }
    for (int i = 0; i < 3; i++) {
        TactLanes here = seen->corner[i][0][k] * n[0] + seen->corner[i][1][k] * n[1] +
                         seen->corner[i][2][k] * n[2];
        least = LESSER(here, least);
    }
    meet &= (facing <= 0.05) & (TACT_LANES_AT(leaf->offset) - least >= -m->margin);
    return (int)(meet[0] | meet[1] | meet[2] | meet[3]);
}

static Triangle seen_triangle(const Seen *seen, int k, const Triangle *of)
{
    Triangle t = {.normal = {seen->normal[0][k], seen->normal[1][k], seen->normal[2][k]},
                  .index = of->index,
                  .ridges = of->ridges};
    for (int i = 0; i < 3; i++) {
        const double(*corner)[4] = seen->corner[i];
        t.v[i] = (TactVec3){corner[0][k], corner[1][k], corner[2][k]};
    }
    return t;
}

static TactStatus touch_leaves(void *context, int leaf_a, int leaf_b)
{
    Meshes             *m = context;
    const TactMeshLeaf *a = &m->a->leaves[leaf_a], *b = &m->b->leaves[leaf_b];
    if (m->seen.leaf != leaf_b) {
        see_leaf(m, leaf_b);
    }
    for (int some = meet_box(&m->seen, &a->box) & ((1 << b->count) - 1); some != 0;
         some &= some - 1) {
        int k = __builtin_ctz((unsigned)some), meet = meet_leaf(m, a, k);
        if (meet == 0) {
            continue;
        }
        Triangle       two = seen_triangle(&m->seen, k, &m->b->ordered[b->first + k]);
        TactDirections directions;
        TactEdges      edges;
        bool           set = false;
        for (; meet != 0; meet &= meet - 1) {
            const Triangle *one = &m->a->ordered[a->first + __builtin_ctz((unsigned)meet)];
            if (!tact_axes_try_faces(one, &two, m->margin, &directions)) {
                continue;
            }
            if (!set) {
                tact_edges_set(&two, &edges);
                set = true;
            }
            if (tact_axes_try_edges(one, &edges, m->margin, &directions)) {
                TACT_TRY(touch_near(m, one, &two, &directions));
            } else if (tact_axes_find_ways(one, &two, &edges, &directions)) {
                TACT_TRY(touch_ways(m, one, &two, &directions));
            }
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// All of it

/// Of solids apart the nearest points are among the points, if rounding let no face have them.
static TactStatus add_closest(const Meshes *m, int first)
{
    for (int i = first; i < m->touches->count; i++) {
        if (m->touches->touches[i].depth >
            m->closest.depth - TACT_SAME_DEPTH * (m->convex_a.size + m->convex_b.size)) {
            return TACT_OK;
        }
    }
    return m->closest.depth >= -m->margin ? tact_touch_list_add(m->touches, m->closest) : TACT_OK;
}

/// All touches of triangles whose boxes are within reach of each other, settled.
static TactStatus find_touches(Meshes *m, const TactMeshView *view, int first,
                               TactUnsettled *unsettled)
{
    double size = m->convex_a.size + m->convex_b.size;
    m->touches->count = first;
    m->seen.leaf = -1;
    m->level = 0;
    // What rounding does to boxes that touch must not part them.
    TACT_TRY(tact_mesh_fans_visit(view, m->reach + ROUNDING_OF_BOUNDS * size, touch_leaves, m));
    tact_touches_remove_doubles(m->touches, first, TACT_SAME_POINT * size);
    return tact_mesh_touches_settle(&m->convex_a, &m->convex_b, m->touches, first, unsettled);
}

/// Where triangles cross and none has told the way out, it is between some that are further apart
/// than was looked, but no longer than they cross widely; -1: enough was looked at. Faces that lie
/// level upon each other want all of their triangles looked at. If corners are inside, they will do
/// instead of ways that are as long as triangles are large: these would be between all and all.
static double wider_reach(const Meshes *m, int first, const TactUnsettled *unsettled)
{
    double size = m->convex_a.size + m->convex_b.size, deepest = 0;
    for (int i = first; i < m->touches->count; i++) {
        deepest = fmax(deepest, m->touches->touches[i].depth);
    }
    double level = fmin(m->level, deepest), corner = 4 * unsettled->corner;
    if (level > 0.995 * m->reach) {
        return 1.01 * level;
    }
    if (unsettled->extent > m->reach) {
        return fmin(fmax(8 * m->reach, LEAST_REACH * size), unsettled->extent);
    }
    int triangles = m->a->mesh->triangle_count + m->b->mesh->triangle_count;
    return corner > m->reach && corner < 0.5 * size / sqrt(triangles) ? corner : -1;
}

TactStatus tact_pair_mesh_mesh(const TactShapePair *pair, TactTouchList *touches)
{
    Meshes   m = {.a = pair->a->mesh,
                  .b = pair->b->mesh,
                  .convex_a = tact_convex_make(pair->a, pair->pose_a),
                  .convex_b = tact_convex_make(pair->b, pair->pose_b),
                  .margin = pair->margin,
                  .touches = touches,
                  .closest = {.depth = -INFINITY}};
    int      first = touches->count;
    TactVec3 origin = tact_convex_turn_back(
        &m.convex_a, tact_vec3_subtract(pair->pose_b->position, pair->pose_a->position));
    m.R = tact_mat3_multiply(tact_mat3_transpose(m.convex_a.R), m.convex_b.R);
    m.origin[0] = origin.x;
    m.origin[1] = origin.y;
    m.origin[2] = origin.z;
    TactMeshView  view = {m.a, m.b, m.R, origin};
    TactUnsettled unsettled;
    m.reach = m.margin;
    for (int round = 0; round < MOST_ROUNDS && m.reach >= 0; round++) {
        TACT_TRY(find_touches(&m, &view, first, &unsettled));
        m.reach = wider_reach(&m, first, &unsettled);
    }
    return add_closest(&m, first);
}
