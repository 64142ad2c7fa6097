// A dynamic tree of bounds: leaves come, go and move, and what meets a box or a ray is found in
// O(log n).
//
// The leaf of shape i is node i; inner nodes follow. Bounds of leaves are what insert was given:
// the world makes them wider than its shapes (fat), so that a shape that moves a little stays where
// it is.
#ifndef TACT_COLLIDE_TREE_H
#define TACT_COLLIDE_TREE_H

#include <stdbool.h>
#include <tact/math.h>

typedef struct TactBounds {
    TactVec3 lower, upper;
} TactBounds;

static inline bool tact_bounds_overlap(const TactBounds *a, const TactBounds *b)
{
    return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
           b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

static inline bool tact_bounds_contain(const TactBounds *outer, const TactBounds *inner)
{
    return outer->lower.x <= inner->lower.x && inner->upper.x <= outer->upper.x &&
           outer->lower.y <= inner->lower.y && inner->upper.y <= outer->upper.y &&
           outer->lower.z <= inner->lower.z && inner->upper.z <= outer->upper.z;
}

static inline TactBounds tact_bounds_widen(const TactBounds *bounds, double by)
{
    TactVec3   rim = {by, by, by};
    TactBounds wide = {tact_vec3_subtract(bounds->lower, rim), tact_vec3_add(bounds->upper, rim)};
    return wide;
}

typedef struct TactTreeNode {
    TactBounds bounds;
    int        parent;   // -1: the root, or a leaf that is not in the tree
    int        child[2]; // of a leaf -1
    int        height;   // of a leaf 0
} TactTreeNode;

typedef struct TactTree {
    int           leaves; // nodes 0 ... leaves - 1
    int           root;   // -1: empty
    int           unused; // first inner node that is free, linked by parent; -1: none
    TactTreeNode *nodes;  //                                                   (2 leaves - 1)
} TactTree;

TactStatus tact_tree_create(int leaves, TactTree *tree);
void       tact_tree_destroy(TactTree *tree);

/// A leaf that is not in the tree; one that is.
void tact_tree_insert(TactTree *tree, int leaf, const TactBounds *bounds);
void tact_tree_remove(TactTree *tree, int leaf);

static inline bool tact_tree_has(const TactTree *tree, int leaf)
{
    return tree->root == leaf || tree->nodes[leaf].parent >= 0;
}

/// Calls visit for every leaf whose bounds meet a box. The order depends on the history of the
/// tree.
typedef TactStatus TactLeafVisit(void *context, int leaf);
TactStatus tact_tree_visit_box(const TactTree *tree, const TactBounds *box, TactLeafVisit *visit,
                               void *context);

/// Calls visit for the leaves whose bounds origin + t direction meets, 0 <= t <= most. visit
/// returns the largest t that is still of interest: a hit there leaves out all that is behind it.
/// Nearer nodes come first.
typedef double TactRayVisit(void *context, int leaf, double most);
void tact_tree_visit_ray(const TactTree *tree, TactVec3 origin, TactVec3 direction, double most,
                         TactRayVisit *visit, void *context);

#endif
