// Triangle meshes and convex hulls: cleaned, weighed, and read from files.
//
//     TactMesh          *mesh = NULL;
//     TactMeshProperties part;
//     TactVec3           millimetres = {0.001, 0.001, 0.001};
//     if (tact_mesh_read("part.stl", millimetres, &mesh) != TACT_OK ||
//         tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 7800, &part) != TACT_OK) {
//         fprintf(stderr, "%s\n", tact_status_message());
//     }
//     tact_mesh_destroy(mesh);
//
// Lengths are in metres. Hulls need qhull, COLLADA files need assimp; what a build has is in
// tact_version().
#ifndef TACT_MESH_H
#define TACT_MESH_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Largest coordinate of a vertex, so that no product of five of them overflows.
#define TACT_MESH_MAX_COORDINATE 1e30

// ---------------------------------------------------------------------------------------------
// Meshes

/// Three vertices, counter-clockwise seen from outside.
typedef struct TactTriangle {
    int vertex[3];
} TactTriangle;

/// Properties found when a mesh was made. Edges are counted before triangles without area are
/// dropped.
typedef struct TactMeshFindings {
    int  merged_vertices;      // had the same coordinates as an earlier one
    int  unused_vertices;      // in no triangle; kept for the convex hull
    int  degenerate_triangles; // dropped: two vertices are one, or all three on a line
    int  edges;                //
    int  boundary_edges;       // in one triangle only
    int  crowded_edges;        // in more than two triangles
    int  twisted_edges;        // two triangles at it have opposite orientations
    bool watertight;           // every edge is in an even number of triangles
    bool oriented;             // no edge is twisted
} TactMeshFindings;

/// Triangles in space; constant once made. Has at least one triangle, and no vertex twice.
typedef struct TactMesh {
    int                 vertex_count;
    int                 triangle_count;
    const TactVec3     *vertices;  // in the order of the input         (vertex_count)
    const TactTriangle *triangles; // in the order of the input         (triangle_count)
    TactMeshFindings    findings;
} TactMesh;

/// Copies its arguments: vertices with the same coordinates become one, triangles without area
/// are dropped. triangles NULL: those of the convex hull of the vertices, as in MJCF.
/// TACT_BAD_INPUT with the index of a vertex that is not finite or exceeds
/// TACT_MESH_MAX_COORDINATE, of a triangle whose vertex does not exist, or if there is no triangle
/// with an area.
TACT_API TACT_NODISCARD TactStatus tact_mesh_create(const TactVec3 *vertices, int vertex_count,
                                                    const TactTriangle *triangles,
                                                    int triangle_count, TactMesh **mesh);
TACT_API void                      tact_mesh_destroy(TactMesh *mesh);

// ---------------------------------------------------------------------------------------------
// Mass properties

/// How a mesh is filled: MJCF's mesh/inertia.
typedef enum TactMeshInertia {
    TACT_MESH_INERTIA_LEGACY, // each triangle's pyramid to the middle counts positive: MJCF's
                              // default, which counts too much where a mesh is not convex
    TACT_MESH_INERTIA_EXACT,  // the solid inside; the mesh must be watertight and oriented outwards
    TACT_MESH_INERTIA_CONVEX, // the solid inside the convex hull
    TACT_MESH_INERTIA_SHELL,  // the surface alone, of the same thickness everywhere
    TACT_MESH_INERTIA_CLOSED, // as EXACT, but holes are closed towards the middle, which is what
                              // MuJoCo does where 'exact' is asked of an open mesh; the figures
                              // depend on the holes
} TactMeshInertia;

TACT_API const char               *tact_mesh_inertia_name(TactMeshInertia value);
TACT_API TACT_NODISCARD TactStatus tact_mesh_inertia_find(const char *name, TactMeshInertia *value);

typedef struct TactMeshProperties {
    double      volume;  // m^3; 0 for a shell
    double      area;    // m^2, of all triangles (CONVEX: of the hull)
    TactInertia inertia; // in the frame of the mesh; mass = density * volume (shell: area)
} TactMeshProperties;

/// Volume, area, mass, centre and inertia of a mesh of uniform density in kg/m^3 (SHELL: kg/m^2) by
/// integrals that are exact for polyhedra. TACT_BAD_INPUT with the reason if the mesh does not
/// enclose the solid asked for.
TACT_API TACT_NODISCARD TactStatus tact_mesh_compute_properties(const TactMesh     *mesh,
                                                                TactMeshInertia     kind,
                                                                double              density,
                                                                TactMeshProperties *properties);

/// The same shape with another mass: scales mass and rotary inertia. A mass of 0 is allowed.
TACT_API void tact_mesh_properties_set_mass(TactMeshProperties *properties, double mass);

// ---------------------------------------------------------------------------------------------
// Convex hulls

typedef struct TactHullConfig {
    double merge_tol; // triangles within merge_tol * diagonal of one plane become one polygon; 0:
                      // only those that are coplanar up to rounding
    int max_vertices; // 0: all. At least 4: qhull stops there, and points stay outside
                      // (MJCF's mesh/maxhullvert)
    uint32_t cookie;  // set by tact_hull_config_default(); do not write
} TactHullConfig;

/// merge_tol = 1e-6, all vertices.
TACT_API TactHullConfig tact_hull_config_default(void);

/// A side of an edge: starts at a vertex, has its face to the left, seen from outside.
typedef struct TactHullEdge {
    int origin; // vertex
    int twin;   // the same edge, backwards, of the face to the right
    int face;   // face to the left
} TactHullEdge;

/// A polygon; its edges are first ... first + count - 1, counter-clockwise seen from outside.
typedef struct TactHullFace {
    TactVec3 normal; // outwards, of length 1
    double   offset; // normal'x <= offset for every point inside
    int      first;  // edge
    int      count;  // at least 3
} TactHullFace;

/// The vertices once more, in the library's own order.
typedef struct TactHullGroups TactHullGroups;

/// A convex polyhedron as polygons; constant once made. Vertices are in the order of the
/// points, a face starts at its vertex of least index, and faces are in lexicographic order of
/// their vertices. All its arrays are one closed surface: V - E / 2 + F = 2.
typedef struct TactHull {
    int                   vertex_count; // V
    int                   edge_count;   // E: each edge counts twice, once for each side
    int                   face_count;   // F
    const TactVec3       *vertices;     // (V)
    const int            *source;       // index of the point of a vertex     (V)
    const int            *vertex_edge;  // an edge that starts at it          (V)
    const TactHullEdge   *edges;        // (E)
    const TactHullFace   *faces;        // (F)
    double                merge_tol;    // m: how far a point may lie outside of the polygons
    const TactHullGroups *groups;       // internal
} TactHull;

/// The convex hull of points, by qhull. TACT_BAD_INPUT if there are fewer than 4 points, if they
/// lie in a plane or on a line (thinner than merge_tol or 1e-9 of the diagonal), or if one of them
/// is not finite; TACT_UNSUPPORTED if qhull fails, with its message, or in a build without
/// qhull. The same points give the same hull.
TACT_API TACT_NODISCARD TactStatus tact_hull_create(const TactVec3 *points, int point_count,
                                                    const TactHullConfig *config, TactHull **hull);
TACT_API void                      tact_hull_destroy(TactHull *hull);

/// Like TACT_MESH_INERTIA_CONVEX, for an existing hull; the results agree to merge_tol.
TACT_API TACT_NODISCARD TactStatus tact_hull_compute_properties(const TactHull     *hull,
                                                                double              density,
                                                                TactMeshProperties *properties);

/// The polygons cut into triangles: vertices as in the hull.
TACT_API TACT_NODISCARD TactStatus tact_hull_to_mesh(const TactHull *hull, TactMesh **mesh);

/// The next edge of the same face.
static inline int tact_hull_next(const TactHull *hull, int edge)
{
    const TactHullFace *face = &hull->faces[hull->edges[edge].face];
    return edge + 1 < face->first + face->count ? edge + 1 : face->first;
}

/// The next edge, clockwise seen from outside, that starts at the same vertex.
static inline int tact_hull_next_around(const TactHull *hull, int edge)
{
    return tact_hull_next(hull, hull->edges[edge].twin);
}

/// The vertex where an edge ends.
static inline int tact_hull_target(const TactHull *hull, int edge)
{
    return hull->edges[hull->edges[edge].twin].origin;
}

// ---------------------------------------------------------------------------------------------
// Files

/// Reads STL (binary and ASCII), OBJ or COLLADA (.dae), by the file name extension. Everything in
/// the file becomes one mesh. Coordinates are multiplied by scale, whose components must not be 0;
/// the triangles of a mirror image are reversed. COLLADA: transforms of the scene and the unit are
/// applied, so that lengths are metres; up_axis is not. The mesh is not centred. TACT_IO_ERROR if
/// the file cannot be read, TACT_BAD_INPUT with file:line (binary STL: the number of the triangle),
/// TACT_UNSUPPORTED for other files. Doubtful content of a file is logged as a warning.
TACT_API TACT_NODISCARD TactStatus tact_mesh_read(const char *path, TactVec3 scale,
                                                  TactMesh **mesh);

/// The same from memory; name is used as the path, and its extension gives the format.
TACT_API TACT_NODISCARD TactStatus tact_mesh_read_memory(const char *name, const void *bytes,
                                                         size_t size, TactVec3 scale,
                                                         TactMesh **mesh);

#ifdef __cplusplus
}
#endif
#endif
