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

/// Adds the points where two shapes are closer than the margin, or overlap, at the end of the list
/// (tact_touch_list_add(), collide/manifold.h), and keeps those that are there. Of each point:
///
///     point    midway between the two surfaces
///     normal   of length 1, from a to b; where it is not unique, the same for the same pose
///     depth    > 0: overlap; at least -margin
///     feature  a name that is never 0, differs from those of the pair's other points, and stays
///              while the same features touch: forces of the last step are found by it. A corner,
///              edge or face gets tact_touch_name(), the only point of a pair TACT_FEATURE_CLOSEST
///
/// The deepest point is as deep as tact_shape_compute_distance() says, which goes to
/// tact_pair_find_normal() for every two convex shapes. A case that a function cannot decide it
/// leaves to tact_pair_convex_convex().
typedef TactStatus TactPairFunction(const TactShapePair *pair, TactTouchList *touches);

/// The function for (a, b); NULL if it is to be asked for (b, a), and for two planes.
TactPairFunction *tact_pair_find(TactShapeType a, TactShapeType b);

TactPairFunction tact_pair_plane_convex;  // a is the plane
TactPairFunction tact_pair_box_box;       //
TactPairFunction tact_pair_round_round;   // spheres and capsules
TactPairFunction tact_pair_convex_convex; // any two convex shapes
TactPairFunction tact_pair_plane_mesh;    // a is the plane
TactPairFunction tact_pair_mesh_convex;   // a is the mesh
TactPairFunction tact_pair_mesh_mesh;     //

/// Overlap h(n) of two convex shapes along a direction from a to b; negative: it parts them.
double tact_pair_overlap(const TactConvex *a, const TactConvex *b, TactVec3 n);

/// Where a shape is over a face of a box (over_face.c).
typedef enum TactPairOver {
    TACT_OVER_FACE,    // and that is where they are nearest, or overlap least
    TACT_OVER_APART,   // further apart than is asked for
    TACT_OVER_UNKNOWN, // over none: GJK and EPA decide
} TactPairOver;

typedef struct TactOverFace {
    TactVec3 normal;           // of the face, outwards
    double   depth;            // of the rounded shapes
    TactVec3 on_box, on_other; // of the cores
} TactOverFace;

TactPairOver tact_pair_over_face(const TactConvex *box, const TactConvex *other, double margin,
                                 TactOverFace *over);

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
