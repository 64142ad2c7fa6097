// Distance and penetration of convex cores.
#ifndef TACT_COLLIDE_CONVEX_GJK_H
#define TACT_COLLIDE_CONVEX_GJK_H

#include "collide/convex/convex.h"

/// A vertex of the difference a - b, and the points that make it.
typedef struct TactDifference {
    TactVec3 w;    // on_a - on_b
    TactVec3 on_a; //
    TactVec3 on_b; //
} TactDifference;

typedef struct TactSimplex {
    int            count;
    TactDifference vertex[4];
    double         weight[4]; // of the point nearest to the origin
    double         size;      // of the shapes, m: for tolerances
} TactSimplex;

TactDifference tact_difference_support(const TactConvex *a, const TactConvex *b,
                                       TactVec3 direction);

/// Distance of two cores [Gilbert, Johnson, Keerthi 1988]: 0 if they overlap or touch, and then the
/// simplex holds the origin. on_a and on_b are the nearest points. Stops early, with a lower bound
/// of the distance, once it exceeds `enough`.
double tact_gjk(const TactConvex *a, const TactConvex *b, double enough, TactSimplex *simplex,
                TactVec3 *on_a, TactVec3 *on_b);

/// The least overlap h(n) of two cores along a direction, near a direction that is almost that, and
/// the direction: round shapes need it. Negative: they are apart by -h.
double tact_direction_polish(const TactConvex *a, const TactConvex *b, TactVec3 *normal);

/// Nearest points of two cores apart; or of their surfaces, distance < 0, where they overlap.
typedef struct TactNearest {
    double   distance;
    TactVec3 normal; // from a to b
    TactVec3 on_a, on_b;
} TactNearest;

/// From what a simplex near the origin knows to the last digits, where a curved surface takes part
/// (nearest.c). False, and nothing changes: the answer could not be proven.
bool tact_nearest_refine(const TactConvex *a, const TactConvex *b, const TactSimplex *simplex,
                         TactNearest *nearest);

/// The same where polyhedra are all but touching (corners.c).
bool tact_corners_refine(const TactConvex *a, const TactConvex *b, const TactSimplex *simplex,
                         double *distance, TactVec3 *on_a, TactVec3 *on_b);

/// Depth of the overlap of two cores and its direction, from a to b, by expanding a polytope inside
/// their difference [van den Bergen 2001]. The nearest points are those of the
/// surfaces. Negative where rounding took sets for overlapping that are not.
double tact_epa(const TactConvex *a, const TactConvex *b, const TactSimplex *start,
                TactVec3 *normal, TactVec3 *on_a, TactVec3 *on_b);

#endif
