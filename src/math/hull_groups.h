// Vertices of a hull in groups: made by the model, read by collision.
#ifndef TACT_MATH_HULL_GROUPS_H
#define TACT_MATH_HULL_GROUPS_H

#include <tact/math.h>

/// Vertices in a group.
#define TACT_HULL_GROUP 16
/// Groups have their boxes in rows of this length.
#define TACT_HULL_GROUP_ROOM(count) (((count) + 3) / 4 * 4)

/// The vertices once more, in groups that lie near each other, so that the furthest along a
/// direction is found without a look at all. The last group repeats a vertex where it is not full.
struct TactHullGroups {
    int           count;
    const int    *vertex;       // its number                                   (16 count)
    const double *x, *y, *z;    // its coordinates                              (16 count)
    const double *box;          // middle and half-lengths of the boxes around: (6 x room)
    TactVec3      lower, upper; // box around all
};

#endif
