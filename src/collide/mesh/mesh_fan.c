// Triangles in leaves of up to four and leaves in fans of up to four parts, one a lane, so that one
// box is asked about four others at a time.
#include "collide/mesh/mesh_fan.h"

#include <math.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "base/status.h"

enum { DEEPEST = 256 };

/// Half-length of a part that is none: it is apart from everything.
static const double NONE = -1e300;

// ---------------------------------------------------------------------------------------------
// Making them

static TactMeshBox box_of(const TactMeshNode *node)
{
    TactVec3 middle = tact_vec3_scale(0.5, tact_vec3_add(node->lower, node->upper));
    TactVec3 half = tact_vec3_scale(0.5, tact_vec3_subtract(node->upper, node->lower));
    return (TactMeshBox){middle, half, half.x + half.y + half.z};
}

static void set_leaf(const TactMeshTree *tree, const TactMeshNode *node, TactMeshLeaf *leaf)
{
    *leaf = (TactMeshLeaf){.box = box_of(node), .first = node->first, .count = node->count};
    for (int k = 0; k < TACT_MESH_LEAF; k++) {
        leaf->offset[k] = -INFINITY;
        for (int axis = 0; axis < 3; axis++) {
            leaf->lower[axis][k] = INFINITY;
            leaf->upper[axis][k] = -INFINITY;
        }
    }
    for (int k = 0; k < node->count; k++) {
        const TactMeshTriangle *t = &tree->ordered[node->first + k];
        leaf->normal[0][k] = t->normal.x;
        leaf->normal[1][k] = t->normal.y;
        leaf->normal[2][k] = t->normal.z;
        leaf->offset[k] = tact_vec3_dot(t->normal, t->v[0]);
        for (int i = 0; i < 3; i++) {
            const double v[3] = {t->v[i].x, t->v[i].y, t->v[i].z};
            for (int axis = 0; axis < 3; axis++) {
                leaf->lower[axis][k] = fmin(leaf->lower[axis][k], v[axis]);
                leaf->upper[axis][k] = fmax(leaf->upper[axis][k], v[axis]);
                leaf->corner[i][axis][k] = v[axis];
            }
        }
    }
}

/// Of up to four nodes below one the largest is opened until there are four, or leaves alone.
static int find_parts(const TactMeshTree *tree, int node, int parts[4])
{
    int count = 1;
    parts[0] = node;
    while (count < 4) {
        int    largest = -1;
        double most = -1;
        for (int k = 0; k < count; k++) {
            const TactMeshNode *part = &tree->nodes[parts[k]];
            double              extent = box_of(part).extent;
            if (part->count == 0 && extent > most) {
                most = extent;
                largest = k;
            }
        }
        if (largest < 0) {
            break;
        }
        int first = tree->nodes[parts[largest]].first;
        parts[largest] = first;
        parts[count++] = first + 1;
    }
    return count;
}

static TactMeshPart add_part(TactMeshTree *tree, int node);

static TactMeshPart add_fan(TactMeshTree *tree, int node)
{
    int          index = tree->fan_count++, parts[4], count = find_parts(tree, node, parts);
    TactMeshFan *fan = &tree->fans[index];
    *fan = (TactMeshFan){.box = box_of(&tree->nodes[node])};
    for (int k = 0; k < 4; k++) {
        TactVec3    none = {NONE, NONE, NONE};
        TactMeshBox box = k < count ? box_of(&tree->nodes[parts[k]]) : (TactMeshBox){.half = none};
        fan->middle[0][k] = box.middle.x;
        fan->middle[1][k] = box.middle.y;
        fan->middle[2][k] = box.middle.z;
        fan->half[0][k] = box.half.x;
        fan->half[1][k] = box.half.y;
        fan->half[2][k] = box.half.z;
        fan->part[k] = k < count ? add_part(tree, parts[k]) : 0;
    }
    return index;
}

static TactMeshPart add_part(TactMeshTree *tree, int node)
{
    if (tree->nodes[node].count == 0) {
        return add_fan(tree, node);
    }
    set_leaf(tree, &tree->nodes[node], &tree->leaves[tree->leaf_count]);
    return ~tree->leaf_count++;
}

TactStatus tact_mesh_fans_create(TactMeshTree *tree)
{
    size_t leaves = 0;
    for (int i = 0; i < tree->node_count; i++) {
        leaves += tree->nodes[i].count > 0;
    }
    TACT_TRY(tact_allocate(leaves, sizeof *tree->leaves, (void **)&tree->leaves));
    TACT_TRY(tact_allocate(leaves, sizeof *tree->fans, (void **)&tree->fans));
    add_fan(tree, 0); // of a single leaf too
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// One tree

TACT_CLONES int tact_mesh_fan_meet(const TactMeshFan *fan, TactVec3 middle, TactVec3 half)
{
    const double x[3] = {middle.x, middle.y, middle.z}, h[3] = {half.x, half.y, half.z};
    TactMask     meet = {1, 2, 4, 8};
    for (int k = 0; k < 3; k++) {
        TactLanes d = x[k] - TACT_LANES_AT(fan->middle[k]);
        meet &= TACT_LANES_ABS(d) <= TACT_LANES_AT(fan->half[k]) + h[k];
    }
    return (int)(meet[0] | meet[1] | meet[2] | meet[3]);
}

TACT_CLONES void tact_mesh_fan_gaps(const TactMeshFan *fan, TactVec3 point, double square[4])
{
    const double x[3] = {point.x, point.y, point.z};
    TactLanes    sum = {0, 0, 0, 0}, zero = {0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        TactLanes d = x[k] - TACT_LANES_AT(fan->middle[k]);
        TactLanes out = TACT_LANES_ABS(d) - TACT_LANES_AT(fan->half[k]);
        out = TACT_LANES_SELECT(out > zero, out, zero);
        sum += out * out;
    }
    TACT_LANES_PUT(square) = sum; // 1e600 is infinite: of a part that is none
}

TACT_CLONES void tact_mesh_leaf_heights(const TactMeshLeaf *leaf, TactVec3 point, double height[4])
{
    TACT_LANES_PUT(height) = point.x * TACT_LANES_AT(leaf->normal[0]) +
                             point.y * TACT_LANES_AT(leaf->normal[1]) +
                             point.z * TACT_LANES_AT(leaf->normal[2]) - TACT_LANES_AT(leaf->offset);
}

// ---------------------------------------------------------------------------------------------
// Two trees

/// The boxes of one mesh seen from the other: x = R y + origin.
typedef struct Frame {
    TactLanes columns[3], origin; // of R
    TactMat3  R;
} Frame;

static Frame make_frame(TactMat3 R, TactVec3 origin)
{
    Frame f = {.R = R, .origin = {origin.x, origin.y, origin.z, 0}};
    for (int i = 0; i < 3; i++) {
        f.columns[i] = (TactLanes){R.m[0][i], R.m[1][i], R.m[2][i], 0};
    }
    return f;
}

/// Which parts of a fan, as bits, are near a box of the other mesh: along the six axes of both.
TACT_CLONES static int find_near(const Frame *f, const TactMeshFan *fan, const TactMeshBox *box,
                                 double distance)
{
    const TactLanes *c = f->columns;
    const double     g[3] = {box->half.x, box->half.y, box->half.z};
    TactLanes at = box->middle.x * c[0] + box->middle.y * c[1] + box->middle.z * c[2] + f->origin;
    TactLanes reach = g[0] * TACT_LANES_ABS(c[0]) + g[1] * TACT_LANES_ABS(c[1]) +
                      g[2] * TACT_LANES_ABS(c[2]) + distance;
    TactLanes d[3], h[3];
    TactMask  apart = {0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        d[k] = at[k] - TACT_LANES_AT(fan->middle[k]);
        h[k] = TACT_LANES_AT(fan->half[k]);
        apart |= TACT_LANES_ABS(d[k]) > h[k] + reach[k];
    }
    for (int j = 0; j < 3; j++) {
        double    x = f->R.m[0][j], y = f->R.m[1][j], z = f->R.m[2][j];
        TactLanes along = x * d[0] + y * d[1] + z * d[2];
        TactLanes most = fabs(x) * h[0] + fabs(y) * h[1] + fabs(z) * h[2] + (g[j] + distance);
        apart |= TACT_LANES_ABS(along) > most;
    }
    const TactMask bit = {1, 2, 4, 8};
    TactMask       near = ~apart & bit;
    return (int)(near[0] | near[1] | near[2] | near[3]);
}

TactStatus tact_mesh_fans_visit(const TactMeshView *view, double distance, TactLeavesVisit *visit,
                                void *context)
{
    TactMeshPart stack[DEEPEST][2] = {{0, 0}};
    int          depth = 1;
    TactMat3     back = tact_mat3_transpose(view->R);
    Frame        from_a = make_frame(view->R, view->origin);
    Frame        from_b = make_frame(back, tact_vec3_negate(tact_mat3_apply(back, view->origin)));
    while (depth > 0) {
        TactMeshPart i = stack[--depth][0], k = stack[depth][1];
        if (i < 0 && k < 0) {
            TACT_TRY(visit(context, ~i, ~k));
            continue;
        }
        const TactMeshBox *a = tact_mesh_part_box(view->a, i), *b = tact_mesh_part_box(view->b, k);
        bool               open_a = k < 0 || (i >= 0 && a->extent >= b->extent);
        const TactMeshFan *fan = open_a ? &view->a->fans[i] : &view->b->fans[k];
        int near = find_near(open_a ? &from_a : &from_b, fan, open_a ? b : a, distance);
        for (; near != 0; near &= near - 1) {
            TactMeshPart part = fan->part[__builtin_ctz((unsigned)near)];
            stack[depth][0] = open_a ? part : i;
            stack[depth++][1] = open_a ? k : part;
        }
    }
    return TACT_OK;
}
