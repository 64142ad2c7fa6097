// Two boxes, three or four numbers at a time.
#ifndef TACT_COLLIDE_PAIR_BOX_H
#define TACT_COLLIDE_PAIR_BOX_H

#include "base/clones.h"
#include "base/lanes.h"
#include "collide/pair/pair.h"

/// Two boxes seen from a. Lanes past the third are 0.
typedef struct TactBoxes {
    TactLanes     A[3], B[3]; // rows of the rotations: entry i is of axis i
    TactLanes     C[3];       // axes of b in a
    TactLanes     d;          // from the centre of a to that of b, in a
    TactVec3      between;    // the same, world
    TactVec3      origin;     // centre of a, world
    const double *s, *t;      // half-lengths of a and b
    double        size;       // the largest of a and of b, together
} TactBoxes;

/// The axis that parts two boxes most.
typedef struct TactBoxAxis {
    TactVec3 normal;         // world, from a to b
    double   separation;     // negative: overlap
    int      edge_a, edge_b; // axes of the edges that cross; -1: a face
} TactBoxAxis;

static inline TactVec3 tact_box_axis(const TactLanes *rows, int i)
{
    TactVec3 axis = {rows[0][i], rows[1][i], rows[2][i]};
    return axis;
}

/// Adds the corners of the region where the two faces that look along a normal, from a to b, and
/// against it overlap, where they are closer than margin. deepest: of the points added, or -margin.
TactStatus tact_boxes_add_faces(const TactBoxes *boxes, TactVec3 normal, double margin,
                                double *deepest, TactTouchList *touches);

#endif
