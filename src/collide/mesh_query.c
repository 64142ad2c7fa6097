// One mesh: ways that leave it, and the nearest point of its surface.
#include "collide/mesh_query.h"

#include "collide/mesh_triangles.h"

enum { DEEPEST = 64 };

// ---------------------------------------------------------------------------------------------
// Ways

/// Are two intervals apart, the first with ends in any order?
static bool is_apart(double p, double q, double lower, double upper)
{
    return (p < q ? p : q) > upper || (p < q ? q : p) < lower;
}

bool tact_mesh_tree_leaves(const TactMeshTree *tree, TactVec3 p, TactVec3 q, double before,
                           double beyond)
{
    int stack[DEEPEST], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const TactMeshNode *node = &tree->nodes[stack[--depth]];
        if (is_apart(p.x, q.x, node->lower.x - beyond, node->upper.x + beyond) ||
            is_apart(p.y, q.y, node->lower.y - beyond, node->upper.y + beyond) ||
            is_apart(p.z, q.z, node->lower.z - beyond, node->upper.z + beyond)) {
            continue;
        }
        for (int i = 0; i < node->count; i++) {
            const TactMeshTriangle *t = &tree->ordered[node->first + i];
            double                  from = tact_vec3_dot(t->normal, tact_vec3_subtract(p, t->v[0]));
            double                  to = tact_vec3_dot(t->normal, tact_vec3_subtract(q, t->v[0]));
            if (from < -before && to > beyond) {
                TactVec3 way = tact_vec3_subtract(q, p);
                TactVec3 at = tact_vec3_add_scaled(p, from / (from - to), way);
                if (tact_triangle_holds(t, at, beyond)) {
                    return true;
                }
            }
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Nearest point

static double outside(double x, double lower, double upper)
{
    return x < lower ? lower - x : x > upper ? x - upper : 0;
}

/// Square of the distance of a point from the bounds of a node.
static double node_gap(const TactMeshNode *node, TactVec3 x)
{
    TactVec3 d = {outside(x.x, node->lower.x, node->upper.x),
                  outside(x.y, node->lower.y, node->upper.y),
                  outside(x.z, node->lower.z, node->upper.z)};
    return tact_vec3_dot(d, d);
}

TactVec3 tact_mesh_tree_nearest(const TactMeshTree *tree, TactVec3 x, TactVec3 known)
{
    int      stack[DEEPEST], depth = 0;
    TactVec3 best = known, from = tact_vec3_subtract(known, x);
    double   least = tact_vec3_dot(from, from);
    stack[depth++] = 0;
    while (depth > 0) {
        const TactMeshNode *node = &tree->nodes[stack[--depth]];
        if (!(node_gap(node, x) < least)) {
            continue;
        }
        for (int i = 0; i < node->count; i++) {
            TactVec3 here = tact_triangle_nearest(&tree->ordered[node->first + i], x);
            TactVec3 apart = tact_vec3_subtract(here, x);
            double   square = tact_vec3_dot(apart, apart);
            if (square < least) {
                least = square;
                best = here;
            }
        }
        if (node->count == 0) { // the nearer part comes on top
            int nearer =
                node_gap(&tree->nodes[node->first], x) <= node_gap(&tree->nodes[node->first + 1], x)
                    ? node->first
                    : node->first + 1;
            stack[depth++] = 2 * node->first + 1 - nearer;
            stack[depth++] = nearer;
        }
    }
    return best;
}
