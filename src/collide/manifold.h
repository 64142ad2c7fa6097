// Manifolds: the corners of the region where two faces lie upon each other.
#ifndef TACT_COLLIDE_MANIFOLD_H
#define TACT_COLLIDE_MANIFOLD_H

#include "collide/convex/convex.h"

TactStatus tact_touch_list_add(TactTouchList *list, TactTouch touch);

/// Room for more points at the end of a list.
TactStatus tact_touch_list_reserve(TactTouchList *list, int more);

/// What made a point of a manifold.
enum { TACT_TOUCH_CORNER_A, TACT_TOUCH_CORNER_B, TACT_TOUCH_CROSSING };

/// Name of a point made by feature i of a and j of b.
static inline uint64_t tact_touch_name(unsigned kind, uint32_t i, uint32_t j)
{
    return (uint64_t)(kind + 1) << 62 | (uint64_t)(i & 0x7fffffffu) << 31 | (j & 0x7fffffffu);
}

/// Adds the corners of the overlap of two faces, seen along the normal from a to b, where they are
/// closer than margin. If there are none, or none as deep, adds `closest`, the nearest points of
/// the two shapes, unless it is NULL.
TactStatus tact_manifold_add(const TactFace *a, const TactFace *b, TactVec3 normal, double margin,
                             const TactTouch *closest, TactTouchList *touches);

#endif
