// Room "mesh": triangle meshes in collision. The tree over a mesh, its triangles, distances and
// pairs.
#ifndef TACT_COLLIDE_MESH_MESH_H
#define TACT_COLLIDE_MESH_MESH_H

#include "collide/mesh/mesh_distance.h"
#include "collide/mesh/mesh_tree.h"
#include "collide/mesh/mesh_triangles.h"

#endif
