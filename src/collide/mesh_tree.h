// Triangle meshes in collision: a tree of bounds over the triangles.
#ifndef TACT_COLLIDE_MESH_TREE_H
#define TACT_COLLIDE_MESH_TREE_H

#include <tact/collide.h>

/// Box around the whole mesh, in its own frame.
void tact_mesh_tree_bounds(const TactMeshTree *tree, TactVec3 *lower, TactVec3 *upper);

#endif
