// Faces of a hull joined to larger polygons.
//
// qhull joins faces that rounding cannot tell apart. The corners of a flat side that was stored in
// single precision lie farther from one plane than that, and its triangles would stay triangles; a
// contact between two such sides would be clipped triangle by triangle. So faces are joined again,
// within a tolerance that is given.
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "model/mesh/mesh_hull.h"

// Faces are joined only if their normals are less than 60 degrees apart: a plate thinner than the
// tolerance keeps its two sides.
static const double least_cosine = 0.5;

// ---------------------------------------------------------------------------------------------
// Linking

static void lay_out(TactHullGraph *graph)
{
    TactArena *memory = &graph->memory;
    size_t     edges = (size_t)graph->edge_count;
    size_t     faces = (size_t)graph->face_count;
    size_t     points = (size_t)graph->point_count;
    graph->face = tact_arena_take(memory, edges, sizeof(int));
    graph->twin = tact_arena_take(memory, edges, sizeof(int));
    graph->point_edge = tact_arena_take(memory, points, sizeof(int));
    graph->area = tact_arena_take(memory, faces, sizeof(double));
    graph->region = tact_arena_take(memory, faces, sizeof(int));
    graph->length = tact_arena_take(memory, faces, sizeof(int));
    graph->link = tact_arena_take(memory, edges, sizeof(int));
    graph->mate = tact_arena_take(memory, edges, sizeof(int));
    graph->ranked = tact_arena_take(memory, faces, sizeof(TactHullRanked));
    graph->spare = tact_arena_take(memory, edges + faces + 2 * points, sizeof(int));
}

/// Area vector of a polygon, sum of (x_i - x_0) x (x_i+1 - x_0) / 2.
static TactVec3 area_vector(const TactVec3 *points, const int *loop, int count)
{
    TactVec3 sum = {0, 0, 0};
    for (int i = 1; i + 1 < count; i++) {
        TactVec3 a = tact_vec3_subtract(points[loop[i]], points[loop[0]]);
        TactVec3 b = tact_vec3_subtract(points[loop[i + 1]], points[loop[0]]);
        sum = tact_vec3_add(sum, tact_vec3_cross(a, b));
    }
    return tact_vec3_scale(0.5, sum);
}

static void measure_faces(TactHullGraph *graph)
{
    for (int i = 0; i < graph->face_count; i++) {
        int      first = graph->start[i];
        int      count = graph->start[i + 1] - first;
        TactVec3 area = area_vector(graph->points, graph->origin + first, count);
        graph->area[i] = tact_vec3_norm(area);
        for (int k = 0; k < count; k++) {
            graph->face[first + k] = i;
        }
    }
}

/// Twins: the edges that start at a point are few, and in a list.
static bool link_twins(TactHullGraph *graph)
{
    int *next = graph->spare; // in the list of edges that start at the same point
    memset(graph->point_edge, -1, (size_t)graph->point_count * sizeof(int));
    for (int i = graph->edge_count - 1; i >= 0; i--) {
        next[i] = graph->point_edge[graph->origin[i]];
        graph->point_edge[graph->origin[i]] = i;
        graph->twin[i] = -1;
    }
    for (int i = 0; i < graph->edge_count; i++) {
        int target = graph->origin[tact_hull_graph_next(graph, i)];
        int found = -1;
        for (int k = graph->point_edge[target]; k >= 0; k = next[k]) {
            if (graph->origin[tact_hull_graph_next(graph, k)] == graph->origin[i]) {
                if (found >= 0) {
                    return false;
                }
                found = k;
            }
        }
        if (found < 0 || found == i) {
            return false;
        }
        graph->twin[i] = found;
    }
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->twin[graph->twin[i]] != i) {
            return false;
        }
    }
    return true;
}

/// V - E / 2 + F = 2, and every polygon has three sides.
static bool is_closed(const TactHullGraph *graph)
{
    int *met = graph->spare;
    int  vertices = 0;
    int  edges = 0;
    int  faces = 0;
    memset(met, 0, (size_t)graph->point_count * sizeof(int));
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->link[i] >= 0) {
            edges++;
            vertices += !met[graph->origin[i]];
            met[graph->origin[i]] = 1;
        }
    }
    for (int i = 0; i < graph->face_count; i++) {
        if (graph->region[i] == i) {
            faces++;
            if (graph->length[i] < 3) {
                return false;
            }
        }
    }
    return 2 * vertices - edges + 2 * faces == 4;
}

/// Regions are the faces themselves.
static void separate(TactHullGraph *graph)
{
    for (int i = 0; i < graph->face_count; i++) {
        graph->region[i] = i;
        graph->length[i] = graph->start[i + 1] - graph->start[i];
    }
    for (int i = 0; i < graph->edge_count; i++) {
        graph->link[i] = tact_hull_graph_next(graph, i);
        graph->mate[i] = graph->twin[i];
    }
}

TactStatus tact_hull_graph_create(const TactVec3 *points, int point_count,
                                  const TactHullLoops *loops, TactHullGraph *graph)
{
    *graph = (TactHullGraph){
        .points = points,
        .point_count = point_count,
        .edge_count = loops->edge_count,
        .face_count = loops->face_count,
        .start = loops->start,
        .origin = loops->vertex,
        .normal = loops->normal,
    };
    lay_out(graph);
    TACT_TRY(tact_arena_create(&graph->memory));
    lay_out(graph);
    measure_faces(graph);
    bool closed = link_twins(graph);
    if (closed) {
        separate(graph);
        closed = is_closed(graph);
    }
    if (!closed) {
        tact_hull_graph_destroy(graph);
        return tact_fail(TACT_UNSUPPORTED, "qhull leaves the hull of %d points open", point_count);
    }
    return TACT_OK;
}

void tact_hull_graph_destroy(TactHullGraph *graph)
{
    tact_arena_destroy(&graph->memory);
    *graph = (TactHullGraph){0};
}

// ---------------------------------------------------------------------------------------------
// Regions

static int compare_ranked(const void *a, const void *b)
{
    const TactHullRanked *x = a;
    const TactHullRanked *y = b;
    if (x->area != y->area) {
        return x->area > y->area ? -1 : 1;
    }
    return x->face < y->face ? -1 : 1;
}

static bool may_join(const TactHullGraph *graph, int seed, double offset, double tol, int face)
{
    TactVec3 normal = graph->normal[seed];
    if (!(tact_vec3_dot(normal, graph->normal[face]) > least_cosine)) {
        return false;
    }
    for (int i = graph->start[face]; i < graph->start[face + 1]; i++) {
        if (!(offset - tact_vec3_dot(normal, graph->points[graph->origin[i]]) <= tol)) {
            return false;
        }
    }
    return true;
}

static void grow_face(TactHullGraph *graph, int seed, double tol)
{
    int *stack = graph->spare;
    int  depth = 0;
    // The plane of the seed, at its highest corner.
    double offset = -INFINITY;
    for (int i = graph->start[seed]; i < graph->start[seed + 1]; i++) {
        offset = fmax(offset, tact_vec3_dot(graph->normal[seed], graph->points[graph->origin[i]]));
    }
    graph->region[seed] = seed;
    stack[depth++] = seed;
    while (depth > 0) {
        int face = stack[--depth];
        for (int i = graph->start[face]; i < graph->start[face + 1]; i++) {
            int other = graph->face[graph->twin[i]];
            if (graph->region[other] < 0 && may_join(graph, seed, offset, tol, other)) {
                graph->region[other] = seed;
                stack[depth++] = other;
            }
        }
    }
}

static bool is_border(const TactHullGraph *graph, int edge)
{
    return graph->region[graph->face[edge]] != graph->region[graph->face[graph->twin[edge]]];
}

/// The loop of a region: what is inside has no link.
static void link_regions(TactHullGraph *graph)
{
    memset(graph->length, 0, (size_t)graph->face_count * sizeof(int));
    for (int i = 0; i < graph->edge_count; i++) {
        graph->mate[i] = graph->twin[i];
        graph->link[i] = -1;
        if (is_border(graph, i)) {
            int next = tact_hull_graph_next(graph, i);
            while (!is_border(graph, next)) { // turn around the point, over edges inside
                next = tact_hull_graph_next(graph, graph->twin[next]);
            }
            graph->link[i] = next;
            graph->length[graph->region[graph->face[i]]]++;
        }
    }
}

/// Is the border of every region one loop that meets no point twice?
static bool is_simple(const TactHullGraph *graph)
{
    int *met = graph->spare;                         // by which region a point was met last
    int *walked = graph->spare + graph->point_count; // edges of a region's loop
    memset(met, -1, (size_t)graph->point_count * sizeof(int));
    memset(walked, 0, (size_t)graph->face_count * sizeof(int));
    for (int i = 0; i < graph->edge_count; i++) {
        int region = graph->link[i] < 0 ? -1 : graph->region[graph->face[i]];
        if (region < 0 || walked[region]) {
            continue;
        }
        int edge = i;
        do {
            if (met[graph->origin[edge]] == region) {
                return false;
            }
            met[graph->origin[edge]] = region;
            walked[region]++;
            edge = graph->link[edge];
        } while (edge != i);
        if (walked[region] != graph->length[region]) {
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Straight edges

static double distance_to_line(TactVec3 x, TactVec3 a, TactVec3 b)
{
    TactVec3 along = tact_vec3_normalise(tact_vec3_subtract(b, a));
    return tact_vec3_norm(tact_vec3_cross(tact_vec3_subtract(x, a), along));
}

/// Takes a point out of the two loops that it stands in, if it stands on the line of its
/// neighbours:  in face A  b -> v -> a,  in face B  a -> v -> b.
static void drop_point(TactHullGraph *graph, int to_a, int to_b, double tol)
{
    int             from_a = graph->mate[to_a];
    int             from_b = graph->mate[to_b];
    int            *length_a = &graph->length[graph->region[graph->face[to_a]]];
    int            *length_b = &graph->length[graph->region[graph->face[to_b]]];
    const TactVec3 *x = graph->points;
    if (graph->link[from_b] != to_a || graph->link[from_a] != to_b || *length_a <= 3 ||
        *length_b <= 3 ||
        !(distance_to_line(x[graph->origin[to_a]], x[graph->origin[from_a]],
                           x[graph->origin[from_b]]) <= tol)) {
        return;
    }
    graph->link[from_b] = graph->link[to_a];
    graph->link[from_a] = graph->link[to_b];
    graph->mate[from_a] = from_b;
    graph->mate[from_b] = from_a;
    graph->link[to_a] = -1;
    graph->link[to_b] = -1;
    --*length_a;
    --*length_b;
}

static void straighten(TactHullGraph *graph, double tol)
{
    int *one = graph->spare;                         // an edge that starts at a point
    int *degree = graph->spare + graph->point_count; // how many do
    memset(degree, 0, (size_t)graph->point_count * sizeof(int));
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->link[i] >= 0) {
            one[graph->origin[i]] = i;
            degree[graph->origin[i]]++;
        }
    }
    for (int i = 0; i < graph->point_count; i++) {
        if (degree[i] == 2) {
            drop_point(graph, one[i], graph->link[graph->mate[one[i]]], tol);
        }
    }
}

bool tact_hull_graph_join(TactHullGraph *graph, double tol)
{
    TactHullRanked *ranked = graph->ranked;
    for (int i = 0; i < graph->face_count; i++) {
        ranked[i] = (TactHullRanked){graph->area[i], i};
        graph->region[i] = -1;
    }
    qsort(ranked, (size_t)graph->face_count, sizeof *ranked, compare_ranked);
    for (int i = 0; i < graph->face_count; i++) {
        if (graph->region[ranked[i].face] < 0) {
            grow_face(graph, ranked[i].face, tol);
        }
    }
    link_regions(graph);
    bool simple = is_simple(graph);
    if (simple) {
        straighten(graph, tol);
        simple = is_closed(graph);
    }
    if (!simple) {
        separate(graph);
    }
    return simple;
}

// ---------------------------------------------------------------------------------------------
// The highest point

double tact_hull_graph_climb(const TactHullGraph *graph, TactVec3 normal, int point)
{
    double height = tact_vec3_dot(normal, graph->points[point]);
    for (int higher = point; higher >= 0;) {
        int first = graph->point_edge[higher];
        int edge = first;
        higher = -1;
        do {
            int    next = graph->twin[edge];
            int    neighbour = graph->origin[next];
            double there = tact_vec3_dot(normal, graph->points[neighbour]);
            if (there > height) {
                height = there;
                higher = neighbour;
            }
            edge = tact_hull_graph_next(graph, next);
        } while (edge != first);
    }
    return height;
}
