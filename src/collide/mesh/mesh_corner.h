// A corner of a triangle at a face of a box, in closed form.
#ifndef TACT_COLLIDE_MESH_MESH_CORNER_H
#define TACT_COLLIDE_MESH_MESH_CORNER_H

#include "collide/convex/convex.h"

typedef enum TactCornerFound {
    TACT_CORNER_UNSURE, // nothing is set: the nearest points may be others
    TACT_CORNER_BESIDE, // they are further apart than margin
    TACT_CORNER_TOUCHES // as tact_pair_find_normal() would say, all set
} TactCornerFound;

/// Is what a triangle comes nearest to a box with, or deepest into it, one of its corners, above
/// the inside of a face of the box? on_a is the corner, on_b the foot of it.
TactCornerFound tact_corner_find(const TactConvex *triangle, const TactConvex *box, double margin,
                                 TactVec3 *normal, double *depth, TactVec3 *on_a, TactVec3 *on_b);

#endif
