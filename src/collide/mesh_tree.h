// A mesh made ready for collision.
#ifndef TACT_COLLIDE_MESH_TREE_H
#define TACT_COLLIDE_MESH_TREE_H

#include <tact/collide.h>

/// Most triangles of a leaf.
enum { TACT_MESH_LEAF = 4 };

/// Planes n'x = offset of the triangles of a leaf, one a lane; those past the last face nowhere.
typedef struct TactMeshPlanes {
    double x[4], y[4], z[4], offset[4];
} TactMeshPlanes;

/// Bounds of the triangles order[first] ... order[first + count - 1]; a leaf has count > 0, other
/// nodes have their two parts at first and first + 1.
typedef struct TactMeshNode {
    TactVec3 lower, upper;
    int      first, count;
} TactMeshNode;

/// Edge e of a triangle goes from its vertex e to the next.
typedef struct TactMeshSide {
    int      next;   // triangle beyond it; -1: none, or more than one
    int      across; // its vertex that is not on the edge
    uint32_t id;     // the same for both triangles
    bool     flat;   // both triangles lie in one plane: the edge is no edge of the solid
} TactMeshSide;

/// A triangle with all that a test of two wants, in one place.
typedef struct TactMeshTriangle {
    TactVec3 v[3];
    TactVec3 normal;
    int      index;
} TactMeshTriangle;

struct TactMeshTree {
    const TactMesh   *mesh;
    TactVec3         *normals;    // of length 1                             (triangles)
    TactMeshSide     *sides;      //                                         (3 triangles)
    int              *group;      // number of the flat face it is part of   (triangles)
    bool             *corner;     // a vertex where straight edges end       (vertices)
    int              *ring_first; // of a vertex in ring                     (vertices + 1)
    int              *ring;       // vertices that share a triangle with it  (6 triangles)
    TactMeshNode     *nodes;      //                                         (node_count)
    int               node_count;
    int              *order;   // of triangles                                 (triangles)
    TactMeshTriangle *ordered; // the same, in this order                  (triangles)
    TactMeshPlanes   *planes;  // of leaves                                   (node_count)
    double            size;    // half the diagonal, m
};

/// Calls visit for each triangle whose bounds, in the frame of the mesh, meet a box.
typedef TactStatus TactTriangleVisit(void *context, int triangle);
TactStatus         tact_mesh_tree_visit(const TactMeshTree *tree, TactVec3 lower, TactVec3 upper,
                                        TactTriangleVisit *visit, void *context);

/// What a direction is at the corner or edge of a triangle that is furthest along it.
typedef enum TactMeshNormal {
    TACT_MESH_REFUSED,   // the surface goes on upwards: no normal there
    TACT_MESH_ALLOWED,   // the surface goes down on all sides; or it is the triangle's own normal
    TACT_MESH_ELSEWHERE, // it is level on another triangle, which has this contact
} TactMeshNormal;

TactMeshNormal tact_mesh_tree_judge(const TactMeshTree *tree, int triangle, TactVec3 direction);

#endif
