// Which of the points that triangles of two meshes found are points of contact of the solids.
#ifndef TACT_COLLIDE_MESH_MESH_SETTLE_H
#define TACT_COLLIDE_MESH_MESH_SETTLE_H

#include "collide/pair/pair.h"

/// Two triangles that cross, in a list of touches until it is settled: its point is in the middle
/// of where they do, and it has no normal.
static inline uint64_t tact_crossing_name(int triangle_a, int triangle_b)
{
    return (uint64_t)triangle_a << 32 | ((uint64_t)triangle_b + 1); // never 0
}

static inline bool tact_touch_is_crossing(const TactTouch *touch)
{
    return touch->feature >> 62 == 0;
}

/// Until a list is settled, the lowest bit of a name tells whether a point made its normal, a
/// corner along the normal of the other's face or edges along their cross product, or is one of the
/// others along it.
static inline bool tact_touch_is_maker(const TactTouch *touch)
{
    return touch->feature & 1;
}

/// What is missing where triangles cross: how long the way out may be that was not found.
typedef struct TactUnsettled {
    double corner; // corners are points for want of any way out: the depth of the deepest; or 0
    double extent; // somewhere not even a corner is inside: how widely triangles cross; or 0
} TactUnsettled;

/// From index first on, in the world: see mesh_settle.c.
TactStatus tact_mesh_touches_settle(const TactConvex *a, const TactConvex *b, TactTouchList *list,
                                    int first, TactUnsettled *unsettled);

#endif
