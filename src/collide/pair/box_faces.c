// The region that two rectangles share, seen along a normal.
//
// Both are seen in the plane of a's face, along a's own axes u and v, with the normal as the line
// of sight: then a is the rectangle |x| <= s_u, |y| <= s_v and b the parallelogram
//
//     c + alpha p + beta q,    |alpha| <= 1, |beta| <= 1,
//
// and how deep a stands in b is a linear function of (x, y). The corners of the region are what
// manifold.c says of any two polygons, with the same names and in the same order: four corners of
// a, four of b, and sixteen crossings of a side of a with one of b. All are looked at, in lanes;
// most are none.
#include <math.h>

#include "base/status.h"
#include "collide/manifold.h"
#include "collide/pair/box.h"
#include "collide/tolerance.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

enum { SPOTS = 6 }; // corners of a, corners of b, crossings with side 0 ... 3 of a: four each

// ---------------------------------------------------------------------------------------------
// Faces

/// Face 2 k + (outwards along axis k): corners counter-clockwise seen from outside, each with a
/// number made of the signs of its coordinates.
static const uint8_t corner_ids[6][4] = {
    {2, 0, 4, 6}, {7, 5, 1, 3}, {4, 0, 1, 5}, {7, 3, 2, 6}, {1, 0, 2, 3}, {7, 6, 4, 5},
};
/// Signs of u and v at these corners, for faces against and along their axis.
static const TactLanes sign_u[2] = {{1, -1, -1, 1}, {1, -1, -1, 1}};
static const TactLanes sign_v[2] = {{-1, -1, 1, 1}, {1, 1, -1, -1}};

typedef struct Side {
    int k, u, v, out; // its axis, the two that follow, and 1: along it
} Side;

/// The face that looks along n, given in the axes of the box.
ALWAYS_INLINE Side choose(const TactLanes *normal)
{
    TactLanes n = *normal, m = TACT_LANES_ABS(n);
    int       k = m[0] >= m[1] ? 0 : 1;
    k = m[k] >= m[2] ? k : 2;
    Side side = {k, k == 2 ? 0 : k + 1, k == 0 ? 2 : k - 1, n[k] >= 0};
    return side;
}

static uint32_t corner_id(const Side *side, int i)
{
    return corner_ids[2 * side->k + side->out][i];
}

static uint32_t side_id(const Side *side, int i)
{
    uint32_t a = corner_id(side, i), b = corner_id(side, (i + 1) & 3);
    return 8 + (a < b ? 8 * a + b : 8 * b + a);
}

// ---------------------------------------------------------------------------------------------
// What is seen

typedef struct View {
    Side      a, b;
    double    s_u, s_v;                     // a: half-lengths
    double    c[2];                         // b: middle
    double    p[2], q[2];                   //    half-sides
    double    depth[3];                     // depth = depth[0] + depth[1] x + depth[2] y
    double    tol, margin;                  //
    TactLanes x[SPOTS], y[SPOTS], z[SPOTS]; // of the spots, z is their depth
    TactMask  found; // lane i: bits i + 4 spot of those that are corners of the region
} View;

ALWAYS_INLINE void see(const TactBoxes *boxes, TactVec3 normal, View *view)
{
    TactLanes n = normal.x * boxes->A[0] + normal.y * boxes->A[1] + normal.z * boxes->A[2];
    TactLanes m = -(normal.x * boxes->B[0] + normal.y * boxes->B[1] + normal.z * boxes->B[2]);
    view->a = choose(&n);
    view->b = choose(&m);
    Side          a = view->a, b = view->b;
    const double *s = boxes->s, *t = boxes->t;
    double        sign = b.out ? 1 : -1, top = a.out ? s[a.k] : -s[a.k];
    // Middle and half-sides of b's face in the frame of a, from the middle of a's; then along the
    // line of sight onto a's face.
    TactLanes middle = boxes->d + sign * t[b.k] * boxes->C[b.k], facing = boxes->C[b.k];
    TactLanes p = t[b.u] * boxes->C[b.u], q = t[b.v] * boxes->C[b.v];
    double    high = middle[a.k] - top, slope_u = n[a.u] / n[a.k], slope_v = n[a.v] / n[a.k];
    view->c[0] = middle[a.u] - slope_u * high;
    view->c[1] = middle[a.v] - slope_v * high;
    view->p[0] = p[a.u] - slope_u * p[a.k];
    view->p[1] = p[a.v] - slope_v * p[a.k];
    view->q[0] = q[a.u] - slope_u * q[a.k];
    view->q[1] = q[a.v] - slope_v * q[a.k];
    // A point of a's plane is below that of b by m_b'(point - middle) / m_b'n.
    double out = -1 / m[b.k];
    double along = facing[a.u] * middle[a.u] + facing[a.v] * middle[a.v] + facing[a.k] * high;
    view->depth[0] = -along * out;
    view->depth[1] = facing[a.u] * out;
    view->depth[2] = facing[a.v] * out;
    view->s_u = s[a.u];
    view->s_v = s[a.v];
    double square_a = s[a.u] * s[a.u] + s[a.v] * s[a.v];
    double square_b = t[b.u] * t[b.u] + t[b.v] * t[b.v];
    view->tol = 2 * TACT_TOUCH_TOL * sqrt(square_a > square_b ? square_a : square_b);
}

// ---------------------------------------------------------------------------------------------
// Corners of the region

ALWAYS_INLINE void put(View *view, int spot, const TactLanes *at_x, const TactLanes *at_y,
                       const TactMask *inside)
{
    const TactMask bit = {1, 2, 4, 8};
    TactLanes      x = *at_x, y = *at_y;
    TactLanes      z = view->depth[0] + view->depth[1] * x + view->depth[2] * y;
    view->x[spot] = x;
    view->y[spot] = y;
    view->z[spot] = z;
    view->found |= *inside & (z >= -view->margin) & (bit << (4 * spot));
}

ALWAYS_INLINE void put_corners(View *view, const TactLanes *x, const TactLanes *y)
{
    const double *p = view->p, *q = view->q;
    TactLanes     a_x = view->s_u * sign_u[view->a.out], a_y = view->s_v * sign_v[view->a.out];
    TactLanes     r_x = a_x - view->c[0], r_y = a_y - view->c[1];
    double        area = fabs(p[0] * q[1] - p[1] * q[0]);
    double        most_p = area + view->tol * (fabs(q[0]) + fabs(q[1]));
    double        most_q = area + view->tol * (fabs(p[0]) + fabs(p[1]));
    TactMask      in_p = TACT_LANES_ABS(r_x * q[1] - r_y * q[0]) <= most_p;
    TactMask      in_q = TACT_LANES_ABS(r_x * p[1] - r_y * p[0]) <= most_q;
    in_p &= in_q;
    put(view, 0, &a_x, &a_y, &in_p);
    TactMask in_x = TACT_LANES_ABS(*x) <= view->s_u + view->tol;
    TactMask in_y = TACT_LANES_ABS(*y) <= view->s_v + view->tol;
    in_x &= in_y;
    put(view, 1, x, y, &in_x);
}

/// Sides of b, from u and v by du and dv, that cross the line u = at of a where |v| < half.
ALWAYS_INLINE void cross(const View *view, const TactLanes side[4], double at, double half,
                         TactLanes *crossing, TactMask *inside)
{
    TactLanes u = side[0], v = side[1], du = side[2], dv = side[3];
    TactLanes length = TACT_LANES_ABS(du) + TACT_LANES_ABS(dv), share = (at - u) / du;
    *crossing = v + share * dv;
    *inside = (share * length > view->tol) & ((1 - share) * length > view->tol) &
              (TACT_LANES_ABS(*crossing) < half - view->tol) &
              (TACT_LANES_ABS(du) > TACT_TOUCH_TOL * length);
}

/// Sides of a are y = +-s_v, x = -s_u, y = -+s_v, x = s_u in turn.
ALWAYS_INLINE void put_crossings(View *view, const TactLanes *corner_x, const TactLanes *corner_y)
{
    TactLanes x = *corner_x, y = *corner_y, at, fixed;
    TactLanes dx = __builtin_shufflevector(x, x, 1, 2, 3, 0) - x;
    TactLanes dy = __builtin_shufflevector(y, y, 1, 2, 3, 0) - y;
    TactLanes up[4] = {x, y, dx, dy}, level[4] = {y, x, dy, dx};
    TactMask  inside;
    double    upper = view->a.out ? view->s_v : -view->s_v;
    cross(view, level, upper, view->s_u, &at, &inside);
    fixed = TACT_LANES_ALL(upper);
    put(view, 2, &at, &fixed, &inside);
    cross(view, level, -upper, view->s_u, &at, &inside);
    fixed = -fixed;
    put(view, 4, &at, &fixed, &inside);
    cross(view, up, -view->s_u, view->s_v, &at, &inside);
    fixed = TACT_LANES_ALL(-view->s_u);
    put(view, 3, &fixed, &at, &inside);
    cross(view, up, view->s_u, view->s_v, &at, &inside);
    fixed = -fixed;
    put(view, 5, &fixed, &at, &inside);
}

TACT_CLONES static void find_spots(const TactBoxes *boxes, TactVec3 normal, View *view)
{
    see(boxes, normal, view);
    TactLanes f = sign_u[view->b.out], g = sign_v[view->b.out];
    TactLanes x = view->c[0] + view->p[0] * f + view->q[0] * g;
    TactLanes y = view->c[1] + view->p[1] * f + view->q[1] * g;
    view->found = (TactMask){0};
    put_corners(view, &x, &y);
    put_crossings(view, &x, &y);
}

static uint64_t name_of(const View *view, int spot)
{
    int i = spot & 3;
    return spot < 4   ? tact_touch_name(TACT_TOUCH_CORNER_A, corner_id(&view->a, i), 0)
           : spot < 8 ? tact_touch_name(TACT_TOUCH_CORNER_B, corner_id(&view->b, i), 0)
                      : tact_touch_name(TACT_TOUCH_CROSSING, side_id(&view->a, spot / 4 - 2),
                                        side_id(&view->b, i));
}

/// Corners of both faces may be the same point.
static bool is_there(const TactTouchList *touches, int first, TactVec3 point, double tol)
{
    for (int i = first; i < touches->count; i++) {
        TactVec3 apart = tact_vec3_subtract(touches->touches[i].point, point);
        if (tact_vec3_dot(apart, apart) <= tol * tol) {
            return true;
        }
    }
    return false;
}

TactStatus tact_boxes_add_faces(const TactBoxes *boxes, TactVec3 normal, double margin,
                                double *deepest, TactTouchList *touches)
{
    View view;
    int  first = touches->count;
    view.margin = margin;
    TACT_TRY(tact_touch_list_reserve(touches, 4 * SPOTS));
    find_spots(boxes, normal, &view);
    *deepest = -margin;
    TactVec3 x = tact_box_axis(boxes->A, view.a.u), y = tact_box_axis(boxes->A, view.a.v);
    TactVec3 out = tact_box_axis(boxes->A, view.a.k);
    double   top = view.a.out ? boxes->s[view.a.k] : -boxes->s[view.a.k];
    TactVec3 middle = tact_vec3_add_scaled(boxes->origin, top, out);
    unsigned found = (unsigned)(view.found[0] | view.found[1] | view.found[2] | view.found[3]);
    for (unsigned left = found; left != 0; left &= left - 1) {
        int      spot = __builtin_ctz(left), k = spot / 4, i = spot & 3;
        TactVec3 point = tact_vec3_add_scaled(middle, view.x[k][i], x);
        point = tact_vec3_add_scaled(point, view.y[k][i], y);
        point = tact_vec3_add_scaled(point, -0.5 * view.z[k][i], normal);
        if (!is_there(touches, first, point, 10 * view.tol)) {
            double depth = view.z[k][i];
            *deepest = depth > *deepest ? depth : *deepest;
            touches->touches[touches->count++] =
                (TactTouch){point, normal, depth, name_of(&view, spot)};
        }
    }
    return TACT_OK;
}
