// A mesh made ready for collision.
#ifndef TACT_COLLIDE_MESH_MESH_TREE_H
#define TACT_COLLIDE_MESH_MESH_TREE_H

#include <tact/collide.h>

/// Most triangles of a leaf.
enum { TACT_MESH_LEAF = 4 };

/// Bounds of the triangles order[first] ... order[first + count - 1]; a leaf has count > 0, other
/// nodes have their two parts at first and first + 1.
typedef struct TactMeshNode {
    TactVec3 lower, upper;
    int      first, count;
} TactMeshNode;

/// The same bounds as a descent wants them.
typedef struct TactMeshBox {
    TactVec3 middle, half;
    double   extent; // sum of the half-lengths
} TactMeshBox;

/// Up to four parts of a tree, one a lane; mesh_fan.h tells what a part is.
typedef struct TactMeshFan {
    TactMeshBox box; // of all
    double      middle[3][4], half[3][4];
    int         part[4];
} TactMeshFan;

/// The triangles of a leaf, one a lane: their planes n'x = offset, bounds and corners. Those past
/// the last face nowhere and are nowhere.
typedef struct TactMeshLeaf {
    TactMeshBox box;          // of all
    int         first, count; // in ordered
    double      normal[3][4], offset[4];
    double      lower[3][4], upper[3][4];
    double      corner[3][3][4]; // x, y, z of each
} TactMeshLeaf;

/// Edge e of a triangle goes from its vertex e to the next.
typedef struct TactMeshSide {
    int      next;   // triangle beyond it; -1: none, or more than one
    int      across; // its vertex that is not on the edge
    uint32_t id;     // the same for both triangles
    bool     flat;   // both triangles lie in one plane: the edge is no edge of the solid
    bool     valley; // the other triangle rises above this one's plane
} TactMeshSide;

/// A triangle with all that a test of two wants, in one place.
typedef struct TactMeshTriangle {
    TactVec3 v[3];
    TactVec3 normal;
    int      index;
    unsigned ridges; // bits: edges that are some of the solid and no valleys
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
    int              *order;   // of triangles                               (triangles)
    TactMeshTriangle *ordered; // the same, in this order                    (triangles)
    TactMeshFan      *fans;    // the first is of the whole tree             (fan_count)
    TactMeshLeaf     *leaves;  //                                            (leaf_count)
    int               fan_count, leaf_count;
    double            size; // half the diagonal, m
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

/// Is a direction across an edge of a triangle, along which that is foremost, no normal there? Asks
/// less than judge, and finds most of those that are refused.
bool tact_mesh_tree_refuses(const TactMeshTree *tree, int triangle, int edge, TactVec3 direction);

#endif
