// Spheres and capsules with each other: the nearest points of two segments.
//
// A sphere is a capsule of length 0. Two capsules touch along a line where they lie beside each
// other (rod.c).
#include <math.h>

#include "base/status.h"
#include "collide/pair/rod.h"
#include "collide/tolerance.h"

/// Square of TACT_SAME_DEPTH: axes nearer than that cross.
static const double CROSSING = 1e-18;

/// The name of the nearest points of two capsules if they are all that is within most of each
/// other, axis to axis; 0 if ends of the line may be, too. From nearest points at s and t,
///
///     |r + (t + y) v - (s + x) u|^2 >= D^2 + |y v - x u|^2 >= D^2 + max(x^2, y^2) sin^2
///
/// and at an end of the line x or y leads to an end of its rod (rod.c; where it is a mixture of two
/// ends, less by the square of the cosine of half the angle).
static uint64_t name_alone(const TactRods *rods, double sine2, double square, double most)
{
    double s = rods->s, t = rods->uv >= 0 ? rods->t : -rods->t;
    double low_a = rods->a.half + s, low_b = rods->b.half + t;
    double high_a = rods->a.half - s, high_b = rods->b.half - t;
    double low = low_a < low_b ? low_a : low_b, high = high_a < high_b ? high_a : high_b;
    double near = low < high ? low : high, far = low < high ? high : low;
    // All of it, and then the choice: which it is cannot be foretold.
    bool     at_end = near <= 2 * TACT_TOUCH_TOL * (low_a + high_a + low_b + high_b);
    double   room = at_end ? far : near;
    double   aside = 0.5 * (1 + fabs(rods->uv)) * sine2 * room * room;
    bool     apart = square + aside > most * most;
    bool     turned = aside > (1 / (TACT_ROD_SIDEWAYS * TACT_ROD_SIDEWAYS) - 1) * square;
    uint64_t end = low > high ? TACT_ROD_END(1) : TACT_ROD_END(0);
    uint64_t name = at_end ? end : TACT_ROD_BETWEEN;
    return (int)apart | ((int)turned & (int)!at_end) ? name : 0;
}

TactStatus tact_pair_round_round(const TactShapePair *pair, TactTouchList *touches)
{
    TactRods rods;
    tact_rods_make(pair, &rods);
    double         sine2 = tact_rods_find_nearest(&rods);
    const TactRod *a = &rods.a, *b = &rods.b;
    TactVec3       from = tact_rod_at(a, rods.s), to = tact_rod_at(b, rods.t);
    TactVec3       apart = tact_vec3_subtract(to, from);
    double         round = a->radius + b->radius, square = tact_vec3_dot(apart, apart);
    double         most = round + pair->margin, size = round + a->half + b->half;
    if (square > most * most) {
        return TACT_OK;
    }
    if (!(square > CROSSING * size * size)) {
        return tact_pair_convex_convex(pair, touches); // cores that cross
    }
    double   length = sqrt(square), depth = round - length;
    TactVec3 n = tact_vec3_scale(1 / length, apart);
    TactVec3 on_a = tact_vec3_add_scaled(from, a->radius, n);
    TactVec3 on_b = tact_vec3_add_scaled(to, -b->radius, n);
    uint64_t name = TACT_ROD_END(0); // of a sphere
    if (a->half > 0 && b->half > 0) {
        name = name_alone(&rods, sine2, square, most);
    }
    if (name == 0) {
        TactClosest closest = {n, depth, on_a, on_b};
        return tact_rods_add_line(&rods, &closest, pair->margin, touches);
    }
    if (touches->count == touches->capacity) {
        TACT_TRY(tact_touch_list_reserve(touches, 1));
    }
    TactTouch *touch = &touches->touches[touches->count++];
    touch->point = tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
    touch->normal = n;
    touch->depth = depth;
    touch->feature = name;
    return TACT_OK;
}
