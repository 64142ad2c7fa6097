// Questions to one mesh, in its own frame.
#ifndef TACT_COLLIDE_MESH_MESH_QUERY_H
#define TACT_COLLIDE_MESH_MESH_QUERY_H

#include "collide/mesh/mesh_tree.h"

/// Does the straight way from p to q leave the solid: does it pass a triangle from behind, from
/// more than `before` behind its plane to more than `beyond` in front of it? Edges belong to their
/// triangles to within `beyond`, so that no way slips between two.
bool tact_mesh_tree_leaves(const TactMeshTree *tree, TactVec3 p, TactVec3 q, double before,
                           double beyond);

/// The point of the surface that is nearest to x, given any one of it: the search begins there.
TactVec3 tact_mesh_tree_nearest(const TactMeshTree *tree, TactVec3 x, TactVec3 known);

#endif
