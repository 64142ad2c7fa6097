// Furthest vertices of hulls.
#ifndef TACT_COLLIDE_CONVEX_HULL_H
#define TACT_COLLIDE_CONVEX_HULL_H

#include <tact/mesh.h>

/// The vertex that is furthest along d, a direction of any length in the frame of the hull, and how
/// far it is: d'x.
int tact_hull_furthest(const TactHull *hull, TactVec3 d, double *along);

#endif
