// Triangles of a mesh: a tree of their bounds, their neighbours, and which edges are none.
#include "collide/mesh/mesh_tree.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/mesh/mesh_fan.h"
#include "collide/tolerance.h"

enum { LEAF = TACT_MESH_LEAF, DEEPEST = 64 };

static TactVec3 vertex_of(const TactMesh *mesh, int triangle, int corner)
{
    return mesh->vertices[mesh->triangles[triangle].vertex[corner]];
}

// ---------------------------------------------------------------------------------------------
// Neighbours

typedef struct HalfEdge {
    int low, high; // vertices
    int side;      // 3 triangle + edge
    int forward;   // from low to high
} HalfEdge;

static int compare_edges(const void *left, const void *right)
{
    const HalfEdge *p = left, *q = right;
    int             order = (p->low > q->low) - (p->low < q->low);
    order = order ? order : (p->high > q->high) - (p->high < q->high);
    return order ? order : (p->side > q->side) - (p->side < q->side);
}

static void join_half_edges(TactMeshTree *tree, const HalfEdge *p, const HalfEdge *q)
{
    int t = p->side / 3, u = q->side / 3;
    tree->sides[p->side].next = u;
    tree->sides[p->side].across = tree->mesh->triangles[u].vertex[(q->side + 2) % 3];
    tree->sides[q->side].next = t;
    tree->sides[q->side].across = tree->mesh->triangles[t].vertex[(p->side + 2) % 3];
    bool flat = tact_vec3_dot(tree->normals[t], tree->normals[u]) > TACT_SAME_NORMAL;
    tree->sides[p->side].flat = tree->sides[q->side].flat = flat;
}

static TactStatus find_neighbours(TactMeshTree *tree)
{
    int       count = 3 * tree->mesh->triangle_count;
    HalfEdge *edges = NULL;
    TACT_TRY(tact_allocate((size_t)count, sizeof *edges, (void **)&edges));
    for (int i = 0; i < count; i++) {
        const int *v = tree->mesh->triangles[i / 3].vertex;
        int        from = v[i % 3], to = v[(i % 3 + 1) % 3];
        edges[i] = (HalfEdge){from < to ? from : to, from < to ? to : from, i, from < to};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
    for (int i = 0, j; i < count; i = j) {
        for (j = i + 1; j < count && edges[j].low == edges[i].low && edges[j].high == edges[i].high;
             j++) {
        }
        for (int k = i; k < j; k++) {
            tree->sides[edges[k].side] = (TactMeshSide){.next = -1, .id = (uint32_t)i};
        }
        if (j == i + 2 && edges[i].forward != edges[i + 1].forward) {
            join_half_edges(tree, &edges[i], &edges[i + 1]);
        }
    }
    tact_release(edges);
    return TACT_OK;
}

/// Faces: triangles joined by flat edges, numbered by their first triangle.
static void number_faces(TactMeshTree *tree)
{
    int count = tree->mesh->triangle_count;
    for (int t = 0; t < count; t++) {
        tree->group[t] = t;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int s = 0; s < 3 * count; s++) {
            const TactMeshSide *side = &tree->sides[s];
            if (side->flat && tree->group[side->next] < tree->group[s / 3]) {
                tree->group[s / 3] = tree->group[side->next];
                changed = true;
            }
        }
    }
}

/// A vertex is a corner unless it lies inside a face or on a straight edge of the solid: then all
/// edges that meet in it are in line, and some go either way.
static TactStatus find_corners(TactMeshTree *tree)
{
    typedef struct Meeting {
        TactVec3 along; // direction of the first edge of the solid that was seen
        bool     some;  // there is one
        bool     back;  // and one the other way
    } Meeting;
    const TactMesh *mesh = tree->mesh;
    Meeting        *meetings = NULL;
    TACT_TRY(tact_allocate((size_t)mesh->vertex_count, sizeof *meetings, (void **)&meetings));
    for (int s = 0; s < 3 * mesh->triangle_count; s++) {
        const int *v = mesh->triangles[s / 3].vertex;
        for (int end = 0; end < 2 && !tree->sides[s].flat; end++) {
            int      at = v[(s % 3 + end) % 3], to = v[(s % 3 + 1 - end) % 3];
            TactVec3 d =
                tact_vec3_normalise(tact_vec3_subtract(mesh->vertices[to], mesh->vertices[at]));
            Meeting *here = &meetings[at];
            here->along = here->some ? here->along : d;
            here->some = true;
            here->back = here->back || tact_vec3_dot(here->along, d) < 0;
            tree->corner[at] =
                tree->corner[at] || fabs(tact_vec3_dot(here->along, d)) < TACT_SAME_NORMAL;
        }
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        tree->corner[i] = tree->corner[i] || (meetings[i].some && !meetings[i].back);
    }
    tact_release(meetings);
    return TACT_OK;
}

static void find_rings(TactMeshTree *tree)
{
    const TactMesh *mesh = tree->mesh;
    int            *first = tree->ring_first;
    for (int s = 0; s < 3 * mesh->triangle_count; s++) {
        first[mesh->triangles[s / 3].vertex[s % 3] + 1] += 2;
    }
    for (int i = 0; i < mesh->vertex_count; i++) {
        first[i + 1] += first[i];
    }
    for (int s = 0; s < 3 * mesh->triangle_count; s++) {
        const int *v = mesh->triangles[s / 3].vertex;
        int        at = v[s % 3];
        tree->ring[first[at]++] = v[(s % 3 + 1) % 3];
        tree->ring[first[at]++] = v[(s % 3 + 2) % 3];
    }
    for (int i = mesh->vertex_count; i > 0; i--) {
        first[i] = first[i - 1];
    }
    first[0] = 0;
}

/// Does the way to a vertex rise along n?
static TactMeshNormal judge_slope(const TactMesh *mesh, TactVec3 n, int from, int to)
{
    TactVec3 way = tact_vec3_subtract(mesh->vertices[to], mesh->vertices[from]);
    double   rise = tact_vec3_dot(n, way);
    if (rise * rise <= TACT_LEVEL * TACT_LEVEL * tact_vec3_dot(way, way)) {
        return TACT_MESH_ELSEWHERE; // level
    }
    return rise > 0 ? TACT_MESH_REFUSED : TACT_MESH_ALLOWED;
}

/// Does the vertex beyond an edge rise along n, seen from either end?
static bool rises_beyond(const TactMeshTree *tree, int side, TactVec3 n)
{
    const int *v = tree->mesh->triangles[side / 3].vertex;
    int        across = tree->sides[side].across;
    return judge_slope(tree->mesh, n, v[side % 3], across) == TACT_MESH_REFUSED &&
           judge_slope(tree->mesh, n, v[(side % 3 + 1) % 3], across) == TACT_MESH_REFUSED;
}

static void find_valleys(TactMeshTree *tree)
{
    for (int s = 0; s < 3 * tree->mesh->triangle_count; s++) {
        TactMeshSide *side = &tree->sides[s];
        side->valley = side->next >= 0 && rises_beyond(tree, s, tree->normals[s / 3]);
    }
}

bool tact_mesh_tree_refuses(const TactMeshTree *tree, int triangle, int edge, TactVec3 n)
{
    const TactMeshSide *side = &tree->sides[3 * triangle + edge];
    return side->valley || (side->next >= 0 && rises_beyond(tree, 3 * triangle + edge, n));
}

TactMeshNormal tact_mesh_tree_judge(const TactMeshTree *tree, int triangle, TactVec3 n)
{
    const TactMesh *mesh = tree->mesh;
    const int      *v = mesh->triangles[triangle].vertex;
    int             top = 0;
    for (int i = 1; i < 3; i++) {
        double here = tact_vec3_dot(n, mesh->vertices[v[i]]);
        top = here > tact_vec3_dot(n, mesh->vertices[v[top]]) ? i : top;
    }
    bool level[3];
    int  count = 0, low = 0;
    for (int i = 0; i < 3; i++) {
        level[i] = i == top || judge_slope(mesh, n, v[top], v[i]) != TACT_MESH_ALLOWED;
        count += level[i];
        low = level[i] ? low : i;
    }
    if (count == 3) {
        return tact_vec3_dot(n, tree->normals[triangle]) > 0 ? TACT_MESH_ALLOWED
                                                             : TACT_MESH_REFUSED;
    }
    if (count == 2) { // the edge opposite to the vertex that is lower
        const TactMeshSide *side = &tree->sides[3 * triangle + (low + 1) % 3];
        if (side->next < 0) {
            return tact_vec3_dot(n, tree->normals[triangle]) > 0 ? TACT_MESH_ALLOWED
                                                                 : TACT_MESH_REFUSED;
        }
        // Of a valley both slopes are below its bottom line only for a direction into the solid.
        return judge_slope(mesh, tree->normals[triangle], v[top], side->across) == TACT_MESH_REFUSED
                   ? TACT_MESH_REFUSED
                   : judge_slope(mesh, n, v[top], side->across);
    }
    TactMeshNormal worst = TACT_MESH_ALLOWED;
    for (int k = tree->ring_first[v[top]]; k < tree->ring_first[v[top] + 1]; k++) {
        TactMeshNormal here = judge_slope(mesh, n, v[top], tree->ring[k]);
        if (here == TACT_MESH_REFUSED) {
            return here;
        }
        worst = here == TACT_MESH_ELSEWHERE ? here : worst;
    }
    // A triangle that faces away from the direction leaves it to the others of its corner, of which
    // there are none if it is the bottom of a pit.
    bool away = tact_vec3_dot(n, tree->normals[triangle]) < 0;
    return away ? TACT_MESH_ELSEWHERE : worst;
}

// ---------------------------------------------------------------------------------------------
// Bounds

static void set_bounds(const TactMeshTree *tree, TactMeshNode *node, int first, int count)
{
    node->lower = (TactVec3){INFINITY, INFINITY, INFINITY};
    node->upper = (TactVec3){-INFINITY, -INFINITY, -INFINITY};
    for (int i = 3 * first; i < 3 * (first + count); i++) {
        TactVec3 v = vertex_of(tree->mesh, tree->order[i / 3], i % 3);
        node->lower = (TactVec3){fmin(node->lower.x, v.x), fmin(node->lower.y, v.y),
                                 fmin(node->lower.z, v.z)};
        node->upper = (TactVec3){fmax(node->upper.x, v.x), fmax(node->upper.y, v.y),
                                 fmax(node->upper.z, v.z)};
    }
}

static double middle(const TactMeshTree *tree, int triangle, int axis)
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        TactVec3 v = vertex_of(tree->mesh, triangle, i);
        sum += axis == 0 ? v.x : axis == 1 ? v.y : v.z;
    }
    return sum;
}

/// Puts the triangles with the least middles along an axis first: the k-th lands in its place.
static void select_middle(TactMeshTree *tree, int first, int count, int axis)
{
    int *t = tree->order, low = first, high = first + count - 1, k = first + count / 2;
    while (low < high) {
        double pivot = middle(tree, t[(low + high) / 2], axis);
        int    i = low, j = high;
        while (i <= j) {
            while (middle(tree, t[i], axis) < pivot) {
                i++;
            }
            while (middle(tree, t[j], axis) > pivot) {
                j--;
            }
            if (i <= j) {
                int other = t[i];
                t[i++] = t[j];
                t[j--] = other;
            }
        }
        if (k <= j) {
            high = j;
        } else if (k >= i) {
            low = i;
        } else {
            break;
        }
    }
}

/// Halves until LEAF triangles are left.
static void split(TactMeshTree *tree, int index, int first, int count)
{
    TactMeshNode *node = &tree->nodes[index];
    set_bounds(tree, node, first, count);
    node->first = first;
    node->count = count;
    if (count <= LEAF) {
        return;
    }
    TactVec3 d = tact_vec3_subtract(node->upper, node->lower);
    int      axis = d.x >= d.y ? 0 : 1;
    axis = (axis == 0 ? d.x : d.y) >= d.z ? axis : 2;
    select_middle(tree, first, count, axis);
    int parts = tree->node_count;
    tree->node_count += 2;
    node->first = parts;
    node->count = 0;
    split(tree, parts, first, count / 2);
    split(tree, parts + 1, first + count / 2, count - count / 2);
}

static bool are_apart(TactVec3 lower, TactVec3 upper, const TactMeshNode *node)
{
    return lower.x > node->upper.x || node->lower.x > upper.x || lower.y > node->upper.y ||
           node->lower.y > upper.y || lower.z > node->upper.z || node->lower.z > upper.z;
}

/// Do the bounds of a triangle along an axis surely not meet those of a window? Rounding of the
/// frame that the window is seen in is not told from a touch.
static bool is_beside(double lower, double upper, double slack, const double x[3])
{
    return (x[0] > upper + slack && x[1] > upper + slack && x[2] > upper + slack) ||
           (x[0] < lower - slack && x[1] < lower - slack && x[2] < lower - slack);
}

static bool is_outside(const TactMeshTriangle *triangle, TactVec3 lower, TactVec3 upper,
                       double slack)
{
    const TactVec3 *v = triangle->v;
    return is_beside(lower.x, upper.x, slack, (const double[]){v[0].x, v[1].x, v[2].x}) ||
           is_beside(lower.y, upper.y, slack, (const double[]){v[0].y, v[1].y, v[2].y}) ||
           is_beside(lower.z, upper.z, slack, (const double[]){v[0].z, v[1].z, v[2].z});
}

TactStatus tact_mesh_tree_visit(const TactMeshTree *tree, TactVec3 lower, TactVec3 upper,
                                TactTriangleVisit *visit, void *context)
{
    int    stack[DEEPEST], depth = 0;
    double slack = TACT_SAME_DEPTH * tree->size;
    stack[depth++] = 0;
    while (depth > 0) {
        const TactMeshNode *node = &tree->nodes[stack[--depth]];
        if (are_apart(lower, upper, node)) {
            continue;
        }
        for (int i = 0; i < node->count; i++) {
            const TactMeshTriangle *triangle = &tree->ordered[node->first + i];
            if (!is_outside(triangle, lower, upper, slack)) {
                TACT_TRY(visit(context, triangle->index));
            }
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// All of it

static TactStatus allocate_tree(TactMeshTree *tree)
{
    size_t triangles = (size_t)tree->mesh->triangle_count;
    size_t vertices = (size_t)tree->mesh->vertex_count;
    TACT_TRY(tact_allocate(triangles, sizeof *tree->normals, (void **)&tree->normals));
    TACT_TRY(tact_allocate(3 * triangles, sizeof *tree->sides, (void **)&tree->sides));
    TACT_TRY(tact_allocate(triangles, sizeof *tree->group, (void **)&tree->group));
    TACT_TRY(tact_allocate(vertices, sizeof *tree->corner, (void **)&tree->corner));
    TACT_TRY(tact_allocate(vertices + 1, sizeof *tree->ring_first, (void **)&tree->ring_first));
    TACT_TRY(tact_allocate(6 * triangles, sizeof *tree->ring, (void **)&tree->ring));
    TACT_TRY(tact_allocate(2 * triangles, sizeof *tree->nodes, (void **)&tree->nodes));
    TACT_TRY(tact_allocate(triangles, sizeof *tree->ordered, (void **)&tree->ordered));
    return tact_allocate(triangles, sizeof *tree->order, (void **)&tree->order);
}

/// Triangles once more, in the order of the leaves.
static void order_triangles(TactMeshTree *tree)
{
    const TactMesh *mesh = tree->mesh;
    for (int i = 0; i < mesh->triangle_count; i++) {
        int      t = tree->order[i];
        unsigned ridges = 0;
        for (int k = 0; k < 3; k++) {
            const TactMeshSide *side = &tree->sides[3 * t + k];
            ridges |= side->flat || side->valley ? 0 : 1u << k;
        }
        tree->ordered[i] = (TactMeshTriangle){
            {vertex_of(mesh, t, 0), vertex_of(mesh, t, 1), vertex_of(mesh, t, 2)},
            tree->normals[t],
            t,
            ridges};
    }
}

static TactStatus fill_tree(TactMeshTree *tree)
{
    const TactMesh *mesh = tree->mesh;
    TACT_TRY(allocate_tree(tree));
    for (int t = 0; t < mesh->triangle_count; t++) {
        TactVec3 a = vertex_of(mesh, t, 0);
        tree->normals[t] =
            tact_vec3_normalise(tact_vec3_cross(tact_vec3_subtract(vertex_of(mesh, t, 1), a),
                                                tact_vec3_subtract(vertex_of(mesh, t, 2), a)));
        tree->order[t] = t;
    }
    TACT_TRY(find_neighbours(tree));
    number_faces(tree);
    find_valleys(tree);
    TACT_TRY(find_corners(tree));
    find_rings(tree);
    tree->node_count = 1;
    split(tree, 0, 0, mesh->triangle_count);
    order_triangles(tree);
    TACT_TRY(tact_mesh_fans_create(tree));
    tree->size =
        0.5 * tact_vec3_norm(tact_vec3_subtract(tree->nodes[0].upper, tree->nodes[0].lower));
    return TACT_OK;
}

TactStatus tact_mesh_tree_create(const TactMesh *mesh, TactMeshTree **tree)
{
    if (!mesh || !tree) {
        return tact_fail(TACT_BAD_ARGUMENT, "mesh tree: no mesh, or no result");
    }
    TactMeshTree *made = NULL;
    *tree = NULL;
    TACT_TRY(tact_allocate(1, sizeof *made, (void **)&made));
    made->mesh = mesh;
    TactStatus status = fill_tree(made);
    if (status != TACT_OK) {
        tact_mesh_tree_destroy(made);
        return status;
    }
    *tree = made;
    return TACT_OK;
}

void tact_mesh_tree_destroy(TactMeshTree *tree)
{
    if (tree) {
        tact_release(tree->normals);
        tact_release(tree->sides);
        tact_release(tree->group);
        tact_release(tree->corner);
        tact_release(tree->ring_first);
        tact_release(tree->ring);
        tact_release(tree->nodes);
        tact_release(tree->order);
        tact_release(tree->ordered);
        tact_release(tree->fans);
        tact_release(tree->leaves);
        tact_release(tree);
    }
}
