// Two boxes: the fifteen axes that can part them [Gottschalk et al. 1996].
//
// All axes of a kind are tried at once, three lanes each. The cross product of axis i of a and j of
// b has, in the frame of a, the entries 0, -R_vj, R_uj (u and v follow i), so that its length needs
// no 1 - R_ij^2. Separations along edges are compared by their squares over that length's.
#include "collide/pair/box.h"

#include <math.h>

#include "base/status.h"
#include "collide/manifold.h"
#include "collide/tolerance.h"

/// Of the size: an edge must be that much better than a face.
static const double PREFER_FACES = TACT_SAME_DEPTH;
/// Of the size: corners that reach as deep as the axis says, however they were clipped.
static const double AS_DEEP = 1e-7;
static const double PARALLEL = 1e-6; // sine between edges: a face does as well

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/// Rows or columns of a matrix. What follows names them one by one: an array would be stored by its
/// entries and loaded whole, which is slow.
typedef struct Three {
    TactLanes x, y, z;
} Three;

ALWAYS_INLINE void rows_of(TactQuat q, Three *rows)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    rows->x = (TactLanes){1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), 0};
    rows->y = (TactLanes){2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx), 0};
    rows->z = (TactLanes){2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy), 0};
}

ALWAYS_INLINE void combine(double x, double y, double z, const Three *rows, TactLanes *sum)
{
    *sum = x * rows->x + y * rows->y + z * rows->z;
}

ALWAYS_INLINE double largest_of(const double *x)
{
    double most = x[0] > x[1] ? x[0] : x[1];
    return most > x[2] ? most : x[2];
}

/// Separation along the axes of one box: size + other half-lengths times columns is its reach.
ALWAYS_INLINE void face_separation(const TactLanes *between, const double *own, const double *other,
                                   const Three *columns, TactLanes *separation)
{
    TactLanes reach = {own[0], own[1], own[2], INFINITY};
    reach += other[0] * TACT_LANES_ABS(columns->x) + other[1] * TACT_LANES_ABS(columns->y) +
             other[2] * TACT_LANES_ABS(columns->z);
    *separation = TACT_LANES_ABS(*between) - reach;
}

/// Two numbers of a box, of the axes after the one of an edge.
typedef struct Two {
    double u, v;
} Two;

/// Separation along the edges of an axis of a, given by its row, and all of b, as its square with
/// its sign; u and v are of the two axes that follow.
ALWAYS_INLINE void edge_separation(const TactLanes *row, const TactLanes *row_u,
                                   const TactLanes *row_v, Two s, Two d, const double *t,
                                   TactLanes *separation)
{
    TactLanes r_u = *row_u, r_v = *row_v, m = TACT_LANES_ABS(*row), square = r_u * r_u + r_v * r_v;
    TactLanes after = __builtin_shufflevector(m, m, 1, 2, 0, 3);
    TactLanes before = __builtin_shufflevector(m, m, 2, 0, 1, 3);
    TactLanes t_after = {t[1], t[2], t[0], 0}, t_before = {t[2], t[0], t[1], 0};
    TactLanes along = d.v * r_u - d.u * r_v;
    TactLanes reach =
        s.u * TACT_LANES_ABS(r_v) + s.v * TACT_LANES_ABS(r_u) + t_after * before + t_before * after;
    TactLanes apart = TACT_LANES_ABS(along) - reach;
    TactLanes value = apart * TACT_LANES_ABS(apart) / square;
    *separation = TACT_LANES_SELECT(square > PARALLEL * PARALLEL, value, TACT_LANES_ALL(-INFINITY));
}

ALWAYS_INLINE double with_sign(double size, double sign)
{
    return sign < 0 ? -size : size;
}

/// The face that parts them most; those of b must be better by the bonus. 0 to 2 of a, 3 to 5 of b.
ALWAYS_INLINE int best_face(const TactLanes *a, const TactLanes *b, double bonus, double *most)
{
    TactLanes of_a = *a, of_b = *b;
    int       best_a = of_a[1] > of_a[0], best_b = of_b[1] > of_b[0];
    double    most_a = best_a ? of_a[1] : of_a[0], most_b = best_b ? of_b[1] : of_b[0];
    best_a = of_a[2] > most_a ? 2 : best_a;
    best_b = of_b[2] > most_b ? 2 : best_b;
    most_a = of_a[2] > most_a ? of_a[2] : most_a;
    most_b = of_b[2] > most_b ? of_b[2] : most_b;
    *most = most_b > most_a + bonus ? most_b : most_a;
    return most_b > most_a + bonus ? 3 + best_b : best_a;
}

/// The first of nine values that is no less than the largest by more than a bonus (both squared
/// with their signs).
ALWAYS_INLINE int best_edge(const Three *value, double bonus, double *most)
{
    const TactMask bit = {1, 2, 4, 0};
    TactLanes      top = TACT_LANES_SELECT(value->x > value->y, value->x, value->y);
    top = TACT_LANES_SELECT(top > value->z, top, value->z);
    double largest = top[0] > top[1] ? top[0] : top[1];
    largest = largest > top[2] ? largest : top[2];
    *most = with_sign(sqrt(fabs(largest)), largest);
    double least = *most - bonus;
    least = least * fabs(least);
    TactMask bits = ((value->x >= least) & bit) | ((value->y >= least) & (bit << 3)) |
                    ((value->z >= least) & (bit << 6));
    return __builtin_ctz((unsigned)(bits[0] | bits[1] | bits[2] | 512));
}

TACT_CALLED_BY_CLONES static void set_axis(const TactBoxes *boxes, int face, int edge,
                                           TactBoxAxis *axis)
{
    axis->edge_a = axis->edge_b = -1;
    if (edge < 9) {
        axis->edge_a = edge / 3;
        axis->edge_b = edge % 3;
        axis->normal = tact_vec3_cross(tact_box_axis(boxes->A, axis->edge_a),
                                       tact_box_axis(boxes->B, axis->edge_b));
        axis->normal = tact_vec3_scale(1 / tact_vec3_norm(axis->normal), axis->normal);
    } else {
        axis->normal = face < 3 ? tact_box_axis(boxes->A, face) : tact_box_axis(boxes->B, face - 3);
    }
    if (tact_vec3_dot(axis->normal, boxes->between) < 0) {
        axis->normal = tact_vec3_negate(axis->normal);
    }
}

ALWAYS_INLINE void keep(const Three *rows, TactLanes out[3])
{
    out[0] = rows->x;
    out[1] = rows->y;
    out[2] = rows->z;
}

/// False if some axis parts them by more than margin.
TACT_CLONES static bool find_axis(const TactShapePair *pair, TactBoxes *boxes, TactBoxAxis *axis)
{
    const double *s = pair->a->size, *t = pair->b->size;
    TactVec3      r = tact_vec3_subtract(pair->pose_b->position, pair->pose_a->position);
    TactLanes     d, e, of_a, of_b;
    Three         A, B, R, C, value;
    rows_of(pair->pose_a->rotation, &A);
    rows_of(pair->pose_b->rotation, &B);
    combine(A.x[0], A.y[0], A.z[0], &B, &R.x);
    combine(A.x[1], A.y[1], A.z[1], &B, &R.y);
    combine(A.x[2], A.y[2], A.z[2], &B, &R.z);
    combine(B.x[0], B.y[0], B.z[0], &A, &C.x);
    combine(B.x[1], B.y[1], B.z[1], &A, &C.y);
    combine(B.x[2], B.y[2], B.z[2], &A, &C.z);
    combine(r.x, r.y, r.z, &A, &d);
    combine(r.x, r.y, r.z, &B, &e);
    face_separation(&d, s, t, &C, &of_a);
    face_separation(&e, t, s, &R, &of_b);
    double size = largest_of(s) + largest_of(t), bonus = PREFER_FACES * size, most, most_edge;
    int    face = best_face(&of_a, &of_b, bonus, &most);
    if (most > pair->margin) {
        return false;
    }
    edge_separation(&R.x, &R.y, &R.z, (Two){s[1], s[2]}, (Two){d[1], d[2]}, t, &value.x);
    edge_separation(&R.y, &R.z, &R.x, (Two){s[2], s[0]}, (Two){d[2], d[0]}, t, &value.y);
    edge_separation(&R.z, &R.x, &R.y, (Two){s[0], s[1]}, (Two){d[0], d[1]}, t, &value.z);
    int  edge = best_edge(&value, bonus, &most_edge);
    bool better = most_edge > most + bonus;
    axis->separation = better ? most_edge : most;
    if (axis->separation > pair->margin) {
        return false;
    }
    keep(&A, boxes->A);
    keep(&B, boxes->B);
    keep(&C, boxes->C);
    boxes->d = d;
    boxes->between = r;
    boxes->origin = pair->pose_a->position;
    boxes->s = s;
    boxes->t = t;
    boxes->size = size;
    set_axis(boxes, face, better ? edge : 9, axis);
    return true;
}

/// Midway between the nearest points: of two edges that cross where they do, else the corners that
/// are furthest on.
static TactVec3 find_closest(const TactShapePair *pair, const TactBoxAxis *axis)
{
    TactConvex a = tact_convex_make(pair->a, pair->pose_a);
    TactConvex b = tact_convex_make(pair->b, pair->pose_b);
    TactVec3   on_a = tact_convex_support(&a, axis->normal);
    TactVec3   on_b = tact_convex_support(&b, tact_vec3_negate(axis->normal));
    if (axis->edge_a >= 0) {
        // p + s u nearest to q + t v: (q - p + t v - s u) is along the axis
        int      i = axis->edge_a, j = axis->edge_b;
        TactVec3 u = {a.R.m[0][i], a.R.m[1][i], a.R.m[2][i]};
        TactVec3 v = {b.R.m[0][j], b.R.m[1][j], b.R.m[2][j]};
        TactVec3 r = tact_vec3_subtract(on_b, on_a);
        double   uv = tact_vec3_dot(u, v), ur = tact_vec3_dot(u, r), vr = tact_vec3_dot(v, r);
        double   det = 1 - uv * uv;
        on_a = tact_vec3_add_scaled(on_a, (ur - uv * vr) / det, u);
        on_b = tact_vec3_add_scaled(on_b, (uv * ur - vr) / det, v);
    }
    return tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
}

TactStatus tact_pair_box_box(const TactShapePair *pair, TactTouchList *touches)
{
    TactBoxes   boxes;
    TactBoxAxis axis;
    int         first = touches->count;
    double      deepest;
    if (!find_axis(pair, &boxes, &axis)) {
        return TACT_OK;
    }
    TACT_TRY(tact_boxes_add_faces(&boxes, axis.normal, pair->margin, &deepest, touches));
    if (touches->count > first && deepest >= -axis.separation - AS_DEEP * boxes.size) {
        return TACT_OK;
    }
    if (axis.separation > 0) {
        // Apart, and nearest where no faces or edges lie upon each other: the fifteen axes do not
        // have the distance of corners.
        touches->count = first;
        return tact_pair_convex_convex(pair, touches);
    }
    TactTouch closest = {find_closest(pair, &axis), axis.normal, -axis.separation,
                         TACT_FEATURE_CLOSEST};
    return tact_touch_list_add(touches, closest);
}
