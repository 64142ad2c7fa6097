// Two triangles in closed form.
#ifndef TACT_COLLIDE_MESH_MESH_TRIANGLES_H
#define TACT_COLLIDE_MESH_MESH_TRIANGLES_H

#include "collide/mesh/mesh_tree.h"

/// Is a point of a triangle's plane inside of it, or off by no more than tol?
bool tact_triangle_holds(const TactMeshTriangle *t, TactVec3 x, double tol);

/// The point of a triangle that is nearest to x. One whose normal is 0 is an edge or a point.
TactVec3 tact_triangle_nearest(const TactMeshTriangle *t, TactVec3 x);

/// Nearest points of two triangles that do not cross; their distance.
double tact_triangles_nearest(const TactMeshTriangle *a, const TactMeshTriangle *b, TactVec3 *on_a,
                              TactVec3 *on_b);

/// The middle of the line that two triangles share; false: there is none.
bool tact_triangles_cross(const TactMeshTriangle *a, const TactMeshTriangle *b, TactVec3 *middle);

#endif
