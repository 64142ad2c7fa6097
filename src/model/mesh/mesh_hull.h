// Parts of convex hulls: inside the library.
#ifndef TACT_MODEL_MESH_MESH_HULL_H
#define TACT_MODEL_MESH_MESH_HULL_H

#include <tact/mesh.h>

#include "base/memory.h"
#include "base/status.h"
#include "math/hull_groups.h"

/// Refuses coordinates that are not finite or too large, with the index of their vertex.
TactStatus tact_mesh_check_points(const TactVec3 *points, int count);

/// The polygons as fans of triangles, with names[v] for vertex v (NULL: v itself); to be released.
TactStatus tact_hull_triangles(const TactHull *hull, const int *names, TactTriangle **triangles,
                               int *count);

// ---------------------------------------------------------------------------------------------
// Vertices in groups

/// The arrays of TactHullGroups while they are written.
typedef struct TactHullGroupArrays {
    int    *vertex;
    double *x, *y, *z, *box;
} TactHullGroupArrays;

int        tact_hull_group_count(int vertex_count);
TactStatus tact_hull_make_groups(const TactVec3 *vertices, int vertex_count,
                                 const TactHullGroupArrays *arrays);

// ---------------------------------------------------------------------------------------------
// Polygons as qhull finds them

/// Indices of points, counter-clockwise seen from outside; all from tact_allocate().
typedef struct TactHullLoops {
    int       face_count; //
    int       edge_count; //
    int      *start;      // first vertex of each face; the last one is edge_count  (face_count + 1)
    int      *vertex;     // face after face                                        (edge_count)
    TactVec3 *normal;     // outwards, of length 1                                  (face_count)
} TactHullLoops;

/// Runs qhull on points near the origin. max_vertices 0: no limit.
TactStatus tact_hull_loops_create(const TactVec3 *points, int count, int max_vertices,
                                  TactHullLoops *loops);
void       tact_hull_loops_destroy(TactHullLoops *loops);

// ---------------------------------------------------------------------------------------------
// Polygons joined to larger ones

typedef struct TactHullRanked {
    double area;
    int    face;
} TactHullRanked;

/// A closed surface of faces, and over it a partition of the faces into regions that are as good as
/// plane. An edge is one side of an edge: it starts at its origin and has its face to the left.
typedef struct TactHullGraph {
    TactArena       memory;
    const TactVec3 *points;
    int             point_count;
    int             edge_count;
    int             face_count;
    const int      *start;      // first edge of each face                       (face_count + 1)
    const int      *origin;     // point                                         (edge_count)
    int            *face;       // to the left                                   (edge_count)
    int            *twin;       // the way back                                  (edge_count)
    int            *point_edge; // an edge that starts at a point, or -1         (point_count)
    const TactVec3 *normal;     // outwards, of length 1                         (face_count)
    double         *area;       //                                               (face_count)
    int            *region;     // face that the region grew from                (face_count)
    int            *length;     // edges around the region that grew from a face (face_count)
    int            *link;       // next edge around the region, or -1: inside it (edge_count)
    int            *mate;       // twin around the regions                       (edge_count)
    TactHullRanked *ranked;     // largest first                                 (face_count)
    int            *spare;      // for lists and marks (edge_count + face_count + 2 point_count)
} TactHullGraph;

/// Links the faces; the loops and the points must outlive it. TACT_UNSUPPORTED if they are not one
/// closed surface. Regions are single faces.
TactStatus tact_hull_graph_create(const TactVec3 *points, int point_count,
                                  const TactHullLoops *loops, TactHullGraph *graph);
void       tact_hull_graph_destroy(TactHullGraph *graph);

/// Regions of faces within tol of the plane of the largest among them, and straight edges between
/// regions in one piece. false, and regions of single faces, if that makes no closed surface.
bool tact_hull_graph_join(TactHullGraph *graph, double tol);

static inline int tact_hull_graph_next(const TactHullGraph *graph, int edge)
{
    int face = graph->face[edge];
    return edge + 1 < graph->start[face + 1] ? edge + 1 : graph->start[face];
}

/// The largest normal'x of all points, climbing from a point.
double tact_hull_graph_climb(const TactHullGraph *graph, TactVec3 normal, int point);

#endif
