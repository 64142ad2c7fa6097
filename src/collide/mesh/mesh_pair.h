// What pairs with meshes share.
#ifndef TACT_COLLIDE_MESH_MESH_PAIR_H
#define TACT_COLLIDE_MESH_MESH_PAIR_H

#include "collide/pair/pair.h"

/// Keeps one of several points at one place with one normal, from index first on.
void tact_touches_remove_doubles(TactTouchList *list, int first, double tol);

#endif
