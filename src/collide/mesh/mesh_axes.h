// Directions along which two triangles may touch.
#ifndef TACT_COLLIDE_MESH_MESH_AXES_H
#define TACT_COLLIDE_MESH_MESH_AXES_H

#include "base/lanes.h"
#include "collide/mesh/mesh_tree.h"

/// Of a and of b a normal, nine cross products of edges, and one for the nearest points.
enum { TACT_AXES_FACES = 2, TACT_AXES = 11, TACT_AXIS_NEAREST = TACT_AXES, TACT_DIRECTIONS };

/// Directions from a to b with the overlaps along them: a's normal, against b's, and the cross
/// products of edges, turned so that both edges are the foremost part of their triangles; and of
/// triangles apart, that of their nearest points, which may be corners.
typedef struct TactDirections {
    TactVec3 normal[TACT_DIRECTIONS];
    double   overlap[TACT_DIRECTIONS]; // INFINITY: none, or judged already
} TactDirections;

/// Edge j of a triangle in lane j: where it starts, its direction, and the vertex that is not on
/// it.
typedef struct TactEdges {
    TactLanes x, y, z, dx, dy, dz, third_x, third_y, third_z;
    TactLanes square; // of the length
} TactEdges;

void tact_edges_set(const TactMeshTriangle *t, TactEdges *out);

/// How far a triangle reaches against an axis.
static inline double tact_triangle_lowest(const TactMeshTriangle *t, TactVec3 axis)
{
    double x = tact_vec3_dot(t->v[0], axis), y = tact_vec3_dot(t->v[1], axis);
    double z = tact_vec3_dot(t->v[2], axis), least = x < y ? x : y;
    return least < z ? least : z;
}

/// False if b's face parts them by more than margin; a's has been asked.
static inline bool tact_axes_try_faces(const TactMeshTriangle *a, const TactMeshTriangle *b,
                                       double margin, TactDirections *out)
{
    out->overlap[1] = tact_vec3_dot(b->normal, b->v[0]) - tact_triangle_lowest(a, b->normal);
    if (out->overlap[1] < -margin) {
        return false;
    }
    out->overlap[0] = tact_vec3_dot(a->normal, a->v[0]) - tact_triangle_lowest(b, a->normal);
    out->normal[0] = a->normal;
    out->normal[1] = tact_vec3_negate(b->normal);
    return true;
}

/// False if two edges part them by more than margin.
bool tact_axes_try_edges(const TactMeshTriangle *a, const TactEdges *edges_b, double margin,
                         TactDirections *out);

/// Of triangles parted by edges, which need not part what is behind them: the directions that lead
/// out of an overlap right over what makes them, a corner over the other's face, or two edges that
/// cross. False: none. Faces have been tried.
bool tact_axes_find_ways(const TactMeshTriangle *a, const TactMeshTriangle *b,
                         const TactEdges *edges_b, TactDirections *out);

#endif
