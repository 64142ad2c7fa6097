// Distance where a mesh takes part; a and b in the order of the names.
#ifndef TACT_COLLIDE_MESH_MESH_DISTANCE_H
#define TACT_COLLIDE_MESH_MESH_DISTANCE_H

#include "collide/pair/pair.h"

TactStatus tact_mesh_convex_distance(const TactShapePair *pair, TactDistance *out);
TactStatus tact_mesh_mesh_distance(const TactShapePair *pair, TactDistance *out);
void       tact_plane_mesh_distance(const TactShapePair *pair, TactDistance *out);

/// Is a point of the mesh's frame inside of a closed mesh? Looks at all triangles.
bool tact_mesh_tree_holds(const TactMeshTree *tree, TactVec3 point);

#endif
