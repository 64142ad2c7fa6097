// One mesh: ways that leave it, and the nearest point of its surface.
#include "collide/mesh/mesh_query.h"

#include <math.h>

#include "collide/mesh/mesh_fan.h"
#include "collide/mesh/mesh_triangles.h"

enum { DEEPEST = 128 };

// ---------------------------------------------------------------------------------------------
// Ways

typedef struct Way {
    TactVec3 p, q;
    double   before, beyond;
} Way;

static bool leaves_here(const TactMeshTree *tree, const TactMeshLeaf *leaf, const Way *way)
{
    double from[4], to[4];
    tact_mesh_leaf_heights(leaf, way->p, from);
    tact_mesh_leaf_heights(leaf, way->q, to);
    for (int k = 0; k < leaf->count; k++) {
        if (from[k] < -way->before && to[k] > way->beyond) {
            TactVec3 all = tact_vec3_subtract(way->q, way->p);
            TactVec3 at = tact_vec3_add_scaled(way->p, from[k] / (from[k] - to[k]), all);
            if (tact_triangle_holds(&tree->ordered[leaf->first + k], at, way->beyond)) {
                return true;
            }
        }
    }
    return false;
}

bool tact_mesh_tree_leaves(const TactMeshTree *tree, TactVec3 p, TactVec3 q, double before,
                           double beyond)
{
    Way          way = {p, q, before, beyond};
    TactVec3     middle = tact_vec3_scale(0.5, tact_vec3_add(p, q));
    TactVec3     half = {0.5 * fabs(q.x - p.x) + beyond, 0.5 * fabs(q.y - p.y) + beyond,
                         0.5 * fabs(q.z - p.z) + beyond};
    TactMeshPart stack[DEEPEST] = {0};
    int          depth = 1;
    while (depth > 0) {
        TactMeshPart part = stack[--depth];
        if (part < 0) {
            if (leaves_here(tree, &tree->leaves[~part], &way)) {
                return true;
            }
            continue;
        }
        const TactMeshFan *fan = &tree->fans[part];
        for (int meet = tact_mesh_fan_meet(fan, middle, half); meet != 0; meet &= meet - 1) {
            stack[depth++] = fan->part[__builtin_ctz((unsigned)meet)];
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Nearest point

typedef struct Nearest {
    TactVec3 x, best;
    double   least; // square of the distance
} Nearest;

static void try_leaf(const TactMeshTree *tree, const TactMeshLeaf *leaf, Nearest *n)
{
    double height[4];
    tact_mesh_leaf_heights(leaf, n->x, height);
    for (int k = 0; k < leaf->count; k++) {
        if (height[k] * height[k] < n->least) {
            TactVec3 here = tact_triangle_nearest(&tree->ordered[leaf->first + k], n->x);
            TactVec3 apart = tact_vec3_subtract(here, n->x);
            double   square = tact_vec3_dot(apart, apart);
            if (square < n->least) {
                n->least = square;
                n->best = here;
            }
        }
    }
}

/// Parts to look at, the nearest on top.
typedef struct Waiting {
    TactMeshPart part[DEEPEST];
    double       square[DEEPEST];
    int          count;
} Waiting;

static void push_parts(const TactMeshFan *fan, const Nearest *n, Waiting *w)
{
    double square[4];
    int    bottom = w->count;
    tact_mesh_fan_gaps(fan, n->x, square);
    for (int k = 0; k < 4; k++) {
        if (square[k] < n->least) {
            int i = w->count++;
            for (; i > bottom && w->square[i - 1] < square[k]; i--) {
                w->square[i] = w->square[i - 1];
                w->part[i] = w->part[i - 1];
            }
            w->square[i] = square[k];
            w->part[i] = fan->part[k];
        }
    }
}

TactVec3 tact_mesh_tree_nearest(const TactMeshTree *tree, TactVec3 x, TactVec3 known)
{
    TactVec3 from = tact_vec3_subtract(known, x);
    Nearest  nearest = {x, known, tact_vec3_dot(from, from)};
    Waiting  waiting;
    waiting.part[0] = 0;
    waiting.square[0] = 0;
    waiting.count = 1;
    while (waiting.count > 0) {
        TactMeshPart part = waiting.part[--waiting.count];
        if (!(waiting.square[waiting.count] < nearest.least)) {
            continue;
        }
        if (part < 0) {
            try_leaf(tree, &tree->leaves[~part], &nearest);
        } else {
            push_parts(&tree->fans[part], &nearest, &waiting);
        }
    }
    return nearest.best;
}
