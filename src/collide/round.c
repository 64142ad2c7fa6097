// Spheres and capsules with each other: the nearest points of two segments.
//
// With centres p and q, r = q - p, unit axes u and v, the points p + s u and q + t v are nearest
// where
//
//     s = u'r + t u'v,    t = s u'v - v'r,    so    s = (u'r - u'v v'r) / (1 - (u'v)^2),
//
// each kept within the half-length of its capsule [Ericson, Real-Time Collision Detection, 5.1.9].
// A sphere is a capsule of length 0. The point has the name that manifold.c would give it: of the
// ends if the nearest point is one, else of the crossing of the two lines.
#include <math.h>

#include "base/status.h"
#include "collide/manifold.h"
#include "collide/pair.h"

static const double PARALLEL = 1e-6; // sine squared between axes, and of what is seen as one line

/// A segment with a ball rolled along it.
typedef struct Rod {
    TactVec3 middle, axis;
    double   half, radius;
} Rod;

static Rod make_rod(const TactShape *shape, const TactTransform *pose)
{
    TactQuat q = pose->rotation;
    TactVec3 z = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                  1 - 2 * (q.x * q.x + q.y * q.y)};
    Rod      rod = {pose->position, z, shape->type == TACT_SHAPE_CAPSULE ? shape->size[1] : 0,
                    shape->size[0]};
    return rod;
}

static double clamp(double x, double most)
{
    x = x < most ? x : most;
    return x > -most ? x : -most;
}

typedef struct Nearest {
    double s, t;  // along the two axes
    double sine2; // squared, between the axes
} Nearest;

static Nearest find_nearest(const Rod *a, const Rod *b)
{
    TactVec3 r = tact_vec3_subtract(b->middle, a->middle);
    double   uv = tact_vec3_dot(a->axis, b->axis);
    double   ur = tact_vec3_dot(a->axis, r), vr = tact_vec3_dot(b->axis, r);
    TactVec3 across = tact_vec3_cross(a->axis, b->axis);
    Nearest  found = {.sine2 = tact_vec3_dot(across, across)};
    found.s = found.sine2 > 0 ? clamp((ur - uv * vr) / found.sine2, a->half) : 0;
    found.t = clamp(found.s * uv - vr, b->half);
    found.s = clamp(ur + found.t * uv, a->half);
    return found;
}

/// Ends of a capsule are corners 1 and 2, its line is side 3; a sphere is corner 1.
static uint32_t end_id(double along)
{
    return along > 0 ? 2 : 1;
}

static uint64_t find_name(const Rod *a, const Rod *b, const Nearest *nearest)
{
    double tol = 2 * TACT_TOUCH_TOL * (a->half > b->half ? a->half : b->half);
    if (a->half == 0) {
        return tact_touch_name(TACT_TOUCH_CORNER_A, 1, 0);
    }
    if (fabs(nearest->s) >= a->half - tol) {
        return tact_touch_name(TACT_TOUCH_CORNER_A, end_id(nearest->s), 0);
    }
    if (fabs(nearest->t) >= b->half - tol) {
        return tact_touch_name(TACT_TOUCH_CORNER_B, end_id(nearest->t), 0);
    }
    return tact_touch_name(TACT_TOUCH_CROSSING, 3, 3);
}

TactStatus tact_pair_round_round(const TactShapePair *pair, TactTouchList *touches)
{
    Rod      a = make_rod(pair->a, pair->pose_a), b = make_rod(pair->b, pair->pose_b);
    Nearest  nearest = find_nearest(&a, &b);
    TactVec3 on_a = tact_vec3_add_scaled(a.middle, nearest.s, a.axis);
    TactVec3 on_b = tact_vec3_add_scaled(b.middle, nearest.t, b.axis);
    TactVec3 apart = tact_vec3_subtract(on_b, on_a);
    double   round = a.radius + b.radius, square = tact_vec3_dot(apart, apart);
    double   most = round + pair->margin, size = round + a.half + b.half;
    if (square > most * most) {
        return TACT_OK;
    }
    if (!(square > 1e-18 * size * size)) {
        return tact_pair_convex_convex(pair, touches); // cores that cross
    }
    double   length = sqrt(square), depth = round - length;
    TactVec3 n = tact_vec3_scale(1 / length, apart);
    on_a = tact_vec3_add_scaled(on_a, a.radius, n);
    on_b = tact_vec3_add_scaled(on_b, -b.radius, n);
    // Two capsules in one plane with the normal may touch along a line.
    double volume = tact_vec3_dot(n, tact_vec3_cross(a.axis, b.axis));
    if (a.half > 0 && b.half > 0 && volume * volume < PARALLEL) {
        TactConvex convex_a = tact_convex_make(pair->a, pair->pose_a);
        TactConvex convex_b = tact_convex_make(pair->b, pair->pose_b);
        return tact_pair_add_faces(&convex_a, &convex_b, n, depth, on_a, on_b, pair->margin,
                                   touches);
    }
    TactTouch touch = {tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b)), n, depth,
                       find_name(&a, &b, &nearest)};
    return tact_touch_list_add(touches, touch);
}
