// Spheres and capsules with each other: the nearest points of two segments.
//
// A sphere is a capsule of length 0. Two capsules touch along a line where they lie beside each
// other (rod.c).
#include <math.h>

#include "base/status.h"
#include "collide/manifold.h"
#include "collide/pair.h"
#include "collide/rod.h"

TactStatus tact_pair_round_round(const TactShapePair *pair, TactTouchList *touches)
{
    TactRod  a = tact_rod_make(pair->a, pair->pose_a), b = tact_rod_make(pair->b, pair->pose_b);
    TactRods rods = tact_rods_make(&a, &b);
    TactVec3 on_a = tact_rod_at(&a, rods.s), on_b = tact_rod_at(&b, rods.t);
    TactVec3 apart = tact_vec3_subtract(on_b, on_a);
    double   round = a.radius + b.radius, square = tact_vec3_dot(apart, apart);
    double   most = round + pair->margin, size = round + a.half + b.half;
    if (square > most * most) {
        return TACT_OK;
    }
    if (!(square > 1e-18 * size * size)) {
        return tact_pair_convex_convex(pair, touches); // cores that cross
    }
    double      length = sqrt(square);
    TactVec3    n = tact_vec3_scale(1 / length, apart);
    TactClosest closest = {n, round - length, tact_vec3_add_scaled(on_a, a.radius, n),
                           tact_vec3_add_scaled(on_b, -b.radius, n)};
    if (a.half > 0 && b.half > 0) {
        return tact_rods_add_line(&rods, &closest, pair->margin, touches);
    }
    TactTouch touch = {tact_vec3_scale(0.5, tact_vec3_add(closest.on_a, closest.on_b)), n,
                       closest.depth, tact_touch_name(TACT_TOUCH_CORNER_A, 1, 0)};
    return tact_touch_list_add(touches, touch);
}
