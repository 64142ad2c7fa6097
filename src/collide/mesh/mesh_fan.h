// A tree of triangles four parts at a time: what a descent looks at.
#ifndef TACT_COLLIDE_MESH_MESH_FAN_H
#define TACT_COLLIDE_MESH_MESH_FAN_H

#include "collide/mesh/mesh_tree.h"

/// A fan, or the bitwise complement of a leaf.
typedef int TactMeshPart;

static inline const TactMeshBox *tact_mesh_part_box(const TactMeshTree *tree, TactMeshPart part)
{
    return part >= 0 ? &tree->fans[part].box : &tree->leaves[~part].box;
}

/// Makes fans and leaves of the nodes of a tree and its triangles in their order.
TactStatus tact_mesh_fans_create(TactMeshTree *tree);

/// Which parts of a fan, as bits, meet a box.
int tact_mesh_fan_meet(const TactMeshFan *fan, TactVec3 middle, TactVec3 half);

/// Squares of the distances of a point from the boxes of four parts; INFINITY of one that is none.
void tact_mesh_fan_gaps(const TactMeshFan *fan, TactVec3 point, double square[4]);

/// How high a point is above the planes of four triangles; INFINITY above one that is none.
void tact_mesh_leaf_heights(const TactMeshLeaf *leaf, TactVec3 point, double height[4]);

/// Two meshes, b seen from a: x_a = R x_b + origin.
typedef struct TactMeshView {
    const TactMeshTree *a, *b;
    TactMat3            R;
    TactVec3            origin;
} TactMeshView;

/// Calls visit for each pair of leaves whose boxes are within a distance of each other, as far as
/// the axes of both tell.
typedef TactStatus TactLeavesVisit(void *context, int leaf_a, int leaf_b);
TactStatus tact_mesh_fans_visit(const TactMeshView *view, double distance, TactLeavesVisit *visit,
                                void *context);

#endif
