// Shapes that do not touch: a direction that proves it.
#include "collide/convex/gjk.h"

double tact_convex_gap_along(const TactConvex *a, const TactConvex *b, TactVec3 n)
{
    return -tact_vec3_dot(tact_difference_support(a, b, n).w, n);
}

bool tact_convex_find_axis(const TactConvex *a, const TactConvex *b, double enough, TactVec3 *n)
{
    TactSimplex simplex;
    TactVec3    on_a, on_b;
    if (!(tact_gjk(a, b, enough, &simplex, &on_a, &on_b) > enough)) {
        return false;
    }
    TactVec3 between = tact_vec3_subtract(on_b, on_a);
    if (!(tact_vec3_dot(between, between) > 0)) {
        return false;
    }
    *n = tact_vec3_normalise(between);
    return tact_convex_gap_along(a, b, *n) > enough;
}
