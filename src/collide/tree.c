// A dynamic tree of bounds.
//
// A leaf goes to where it makes the boxes above it grow least (half their surface is the measure),
// looked for from the root downwards [as in Catto, Dynamic bounding volume hierarchies, 2019]. On
// the way back up heights are kept within one of each other by rotations, as in a tree of
// Adelson-Velsky and Landis: then no sequence of insertions makes it higher than 1.44 log2 n.
#include "collide/tree.h"

#include <math.h>

#include "base/memory.h"
#include "base/status.h"

enum { DEEPEST = 64 }; // 1.44 log2 of 2^31 leaves is 45

static bool is_leaf(const TactTree *tree, int node)
{
    return node < tree->leaves;
}

static double min(double x, double y)
{
    return x < y ? x : y;
}

static double max(double x, double y)
{
    return x > y ? x : y;
}

static TactBounds join_bounds(const TactBounds *a, const TactBounds *b)
{
    TactBounds all = {
        {min(a->lower.x, b->lower.x), min(a->lower.y, b->lower.y), min(a->lower.z, b->lower.z)},
        {max(a->upper.x, b->upper.x), max(a->upper.y, b->upper.y), max(a->upper.z, b->upper.z)}};
    return all;
}

static double half_surface(const TactBounds *b)
{
    TactVec3 d = tact_vec3_subtract(b->upper, b->lower);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

TactStatus tact_tree_create(int leaves, TactTree *tree)
{
    size_t inner = leaves > 0 ? (size_t)leaves - 1 : 0;
    *tree = (TactTree){.leaves = leaves, .root = -1, .unused = -1};
    TACT_TRY(tact_allocate((size_t)leaves + inner, sizeof *tree->nodes, (void **)&tree->nodes));
    for (int i = 0; i < leaves; i++) {
        tree->nodes[i] = (TactTreeNode){.parent = -1, .child = {-1, -1}};
    }
    for (int i = leaves + (int)inner - 1; i >= leaves; i--) {
        tree->nodes[i].parent = tree->unused;
        tree->unused = i;
    }
    return TACT_OK;
}

void tact_tree_destroy(TactTree *tree)
{
    tact_release(tree->nodes);
    *tree = (TactTree){.root = -1, .unused = -1};
}

// ---------------------------------------------------------------------------------------------
// Balance

static void refit(TactTree *tree, int node)
{
    TactTreeNode       *n = &tree->nodes[node];
    const TactTreeNode *a = &tree->nodes[n->child[0]], *b = &tree->nodes[n->child[1]];
    n->bounds = join_bounds(&a->bounds, &b->bounds);
    n->height = 1 + (a->height > b->height ? a->height : b->height);
}

/// Puts another node where a child of parent was; parent -1: at the root.
static void replace_child(TactTree *tree, int parent, int old, int new)
{
    tree->nodes[new].parent = parent;
    if (parent < 0) {
        tree->root = new;
    } else {
        TactTreeNode *p = &tree->nodes[parent];
        p->child[p->child[1] == old] = new;
    }
}

/// The higher child takes the place of the node, which keeps the lower one of its children.
static int rotate(TactTree *tree, int node, int side)
{
    TactTreeNode *n = &tree->nodes[node];
    int           up = n->child[side];
    TactTreeNode *u = &tree->nodes[up];
    int           low = tree->nodes[u->child[0]].height > tree->nodes[u->child[1]].height;
    int           given = u->child[low];
    replace_child(tree, n->parent, node, up);
    u->child[low] = node;
    n->parent = up;
    n->child[side] = given;
    tree->nodes[given].parent = node;
    refit(tree, node);
    refit(tree, up);
    return up;
}

/// From a node up to the root: bounds, heights, rotations.
static void mend(TactTree *tree, int node)
{
    while (node >= 0) {
        const TactTreeNode *n = &tree->nodes[node];
        int lean = tree->nodes[n->child[1]].height - tree->nodes[n->child[0]].height;
        if (lean > 1 || lean < -1) {
            node = rotate(tree, node, lean > 1);
        } else {
            refit(tree, node);
        }
        node = tree->nodes[node].parent;
    }
}

// ---------------------------------------------------------------------------------------------
// Leaves

/// What it costs if the leaf goes to a child or below it: by how much its surface grows, or that of
/// the new node above it.
static double growth(const TactTree *tree, int node, const TactBounds *bounds)
{
    const TactTreeNode *n = &tree->nodes[node];
    TactBounds          all = join_bounds(&n->bounds, bounds);
    double              area = half_surface(&all);
    return is_leaf(tree, node) ? area : area - half_surface(&n->bounds);
}

/// The leaf that becomes the sibling of a new one: always the lowest, so that a height grows by one
/// at most and one rotation mends it.
static int find_sibling(const TactTree *tree, const TactBounds *bounds)
{
    int node = tree->root;
    while (!is_leaf(tree, node)) {
        const int *child = tree->nodes[node].child;
        node = child[growth(tree, child[1], bounds) < growth(tree, child[0], bounds)];
    }
    return node;
}

void tact_tree_insert(TactTree *tree, int leaf, const TactBounds *bounds)
{
    tree->nodes[leaf].bounds = *bounds;
    if (tree->root < 0) {
        tree->root = leaf;
        tree->nodes[leaf].parent = -1;
        return;
    }
    int sibling = find_sibling(tree, bounds), node = tree->unused;
    tree->unused = tree->nodes[node].parent;
    replace_child(tree, tree->nodes[sibling].parent, sibling, node);
    tree->nodes[node].child[0] = sibling;
    tree->nodes[node].child[1] = leaf;
    tree->nodes[sibling].parent = tree->nodes[leaf].parent = node;
    mend(tree, node);
}

void tact_tree_remove(TactTree *tree, int leaf)
{
    int node = tree->nodes[leaf].parent;
    if (node < 0) {
        tree->root = -1;
        return;
    }
    TactTreeNode *n = &tree->nodes[node];
    int           sibling = n->child[n->child[0] == leaf], above = n->parent;
    replace_child(tree, above, node, sibling);
    n->parent = tree->unused;
    tree->unused = node;
    tree->nodes[leaf].parent = -1;
    mend(tree, above);
}

// ---------------------------------------------------------------------------------------------
// Queries

TactStatus tact_tree_visit_box(const TactTree *tree, const TactBounds *box, TactLeafVisit *visit,
                               void *context)
{
    int stack[DEEPEST], depth = 0;
    if (tree->root >= 0) {
        stack[depth++] = tree->root;
    }
    while (depth > 0) {
        int                 node = stack[--depth];
        const TactTreeNode *n = &tree->nodes[node];
        if (!tact_bounds_overlap(&n->bounds, box)) {
            continue;
        }
        if (is_leaf(tree, node)) {
            TACT_TRY(visit(context, node));
        } else {
            stack[depth++] = n->child[0];
            stack[depth++] = n->child[1];
        }
    }
    return TACT_OK;
}

/// Cuts lower <= o + t d <= upper from the span of t.
static void cut(double o, double d, double lower, double upper, double *in, double *out)
{
    if (d == 0) {
        *out = o >= lower && o <= upper ? *out : -INFINITY;
        return;
    }
    double one = (lower - o) / d, two = (upper - o) / d;
    *in = max(*in, min(one, two));
    *out = min(*out, max(one, two));
}

/// Where a ray enters bounds; INFINITY: not before most.
static double enter(const TactBounds *b, TactVec3 o, TactVec3 d, double most)
{
    double in = 0, out = most;
    cut(o.x, d.x, b->lower.x, b->upper.x, &in, &out);
    cut(o.y, d.y, b->lower.y, b->upper.y, &in, &out);
    cut(o.z, d.z, b->lower.z, b->upper.z, &in, &out);
    return in <= out ? in : INFINITY;
}

void tact_tree_visit_ray(const TactTree *tree, TactVec3 origin, TactVec3 direction, double most,
                         TactRayVisit *visit, void *context)
{
    int    stack[DEEPEST], depth = 0;
    double at[DEEPEST]; // where the ray enters them
    if (tree->root >= 0) {
        at[depth] = enter(&tree->nodes[tree->root].bounds, origin, direction, most);
        stack[depth++] = tree->root;
    }
    while (depth > 0) {
        int                 node = stack[--depth];
        const TactTreeNode *n = &tree->nodes[node];
        if (!(at[depth] <= most) || at[depth] == INFINITY) {
            continue;
        }
        if (is_leaf(tree, node)) {
            most = visit(context, node, most);
            continue;
        }
        double enters[2];
        for (int i = 0; i < 2; i++) {
            enters[i] = enter(&tree->nodes[n->child[i]].bounds, origin, direction, most);
        }
        int first = enters[1] < enters[0]; // comes on top
        at[depth] = enters[!first];
        stack[depth++] = n->child[!first];
        at[depth] = enters[first];
        stack[depth++] = n->child[first];
    }
}
