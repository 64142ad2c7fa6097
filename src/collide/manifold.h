// Manifolds: the corners of the region where two faces lie upon each other.
#ifndef TACT_COLLIDE_MANIFOLD_H
#define TACT_COLLIDE_MANIFOLD_H

#include "collide/convex.h"

TactStatus tact_touch_list_add(TactTouchList *list, TactTouch touch);

/// Adds the corners of the overlap of two faces, seen along the normal from a to b, where they are
/// closer than margin. If there are none, or none as deep, adds `closest`, the nearest points of
/// the two shapes, unless it is NULL.
TactStatus tact_manifold_add(const TactFace *a, const TactFace *b, TactVec3 normal, double margin,
                             const TactTouch *closest, TactTouchList *touches);

#endif
