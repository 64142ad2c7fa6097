// Pairs of shapes: one function a family.
#ifndef TACT_COLLIDE_PAIR_PAIR_H
#define TACT_COLLIDE_PAIR_PAIR_H

#include "collide/convex/convex.h"

/// Two shapes at their places, and within which distance points are wanted.
typedef struct TactShapePair {
    const TactShape     *a, *b;
    const TactTransform *pose_a, *pose_b;
    double               margin;
} TactShapePair;

/// Name of the nearest points of two shapes, where no corners have one.
#define TACT_FEATURE_CLOSEST ((uint64_t)1 << 40)

typedef TactStatus TactPairFunction(const TactShapePair *pair, TactTouchList *touches);

TactPairFunction tact_pair_plane_convex;  // a is the plane
TactPairFunction tact_pair_box_box;       //
TactPairFunction tact_pair_round_round;   // spheres and capsules
TactPairFunction tact_pair_convex_convex; // any two convex shapes
TactPairFunction tact_pair_plane_mesh;    // a is the plane
TactPairFunction tact_pair_mesh_convex;   // a is the mesh
TactPairFunction tact_pair_mesh_mesh;     //

/// Overlap h(n) of two convex shapes along a direction from a to b; negative: it parts them.
double tact_pair_overlap(const TactConvex *a, const TactConvex *b, TactVec3 n);

/// Normal, depth and nearest points of two convex shapes; false if they are further apart than
/// margin.
bool tact_pair_find_normal(const TactConvex *a, const TactConvex *b, double margin,
                           TactVec3 *normal, double *depth, TactVec3 *on_a, TactVec3 *on_b);

/// A normal that all but is that of a face becomes it, if that costs no more depth than tol of the
/// size: rounding does not turn what lies flat.
void tact_pair_snap(const TactConvex *a, const TactConvex *b, double tol, TactVec3 *normal,
                    double *depth);

/// Points of two faces along a known normal from a to b; depth and nearest points are known too.
TactStatus tact_pair_add_faces(const TactConvex *a, const TactConvex *b, TactVec3 normal,
                               double depth, TactVec3 on_a, TactVec3 on_b, double margin,
                               TactTouchList *touches);

#endif
