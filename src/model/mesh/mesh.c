#include <float.h>
#include <string.h>
#include <tact/mesh.h>

#include "base/memory.h"
#include "base/status.h"
#include "model/mesh/mesh_edges.h"
#include "model/mesh/mesh_hull.h"

void tact_mesh_destroy(TactMesh *mesh)
{
    if (mesh) {
        tact_release((void *)mesh->vertices);
        tact_release((void *)mesh->triangles);
        tact_release(mesh);
    }
}

// ---------------------------------------------------------------------------------------------
// Checks

TactStatus tact_mesh_check_points(const TactVec3 *points, int count)
{
    for (int i = 0; i < count; i++) {
        double x[3] = {points[i].x, points[i].y, points[i].z};
        for (int k = 0; k < 3; k++) {
            // The negation also catches NaN.
            if (!(fabs(x[k]) <= TACT_MESH_MAX_COORDINATE)) {
                return tact_fail(TACT_BAD_INPUT, "vertex %d: %c is %g, not within %g", i, "xyz"[k],
                                 x[k], TACT_MESH_MAX_COORDINATE);
            }
        }
    }
    return TACT_OK;
}

static TactStatus check_triangles(const TactTriangle *triangles, int count, int vertex_count)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            int vertex = triangles[i].vertex[k];
            if (vertex < 0 || vertex >= vertex_count) {
                return tact_fail(TACT_BAD_INPUT, "triangle %d: there is no vertex %d (0 ... %d)", i,
                                 vertex, vertex_count - 1);
            }
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Cleaning

/// What becomes of the input on the way; the arrays have the size of the input.
typedef struct Draft {
    TactArena         memory;
    TactVec3         *vertices;  // distinct ones
    TactTriangle     *triangles; // those that stay
    int              *image;     // input vertex -> distinct vertex
    int              *place;     // hash table of distinct vertices: index + 1, or 0
    size_t            places;    // a power of two
    int               vertex_count;
    int               triangle_count;
    TactMeshFindings *findings;
} Draft;

static void lay_out(Draft *draft, int vertex_count, int triangle_count)
{
    draft->vertices = tact_arena_take(&draft->memory, (size_t)vertex_count, sizeof(TactVec3));
    draft->triangles =
        tact_arena_take(&draft->memory, (size_t)triangle_count, sizeof(TactTriangle));
    draft->image = tact_arena_take(&draft->memory, (size_t)vertex_count, sizeof(int));
    draft->place = tact_arena_take(&draft->memory, draft->places, sizeof(int));
}

static TactStatus start_draft(Draft *draft, int vertex_count, int triangle_count)
{
    draft->places = 16;
    while (draft->places < 2 * (size_t)vertex_count) {
        draft->places *= 2;
    }
    lay_out(draft, vertex_count, triangle_count);
    TACT_TRY(tact_arena_create(&draft->memory));
    lay_out(draft, vertex_count, triangle_count);
    return TACT_OK;
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static size_t hash(TactVec3 v)
{
    uint64_t key = bits_of(v.x) * 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 29 ^ bits_of(v.y)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 32 ^ bits_of(v.z)) * 0x94d049bb133111ebu;
    return (size_t)(key ^ key >> 31);
}

static bool is_same_point(TactVec3 a, TactVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Vertices with equal coordinates become the first of them; -0 becomes 0.
static void merge_vertices(Draft *draft, const TactVec3 *vertices, int count)
{
    size_t mask = draft->places - 1;
    for (int i = 0; i < count; i++) {
        TactVec3 v = {vertices[i].x + 0.0, vertices[i].y + 0.0, vertices[i].z + 0.0};
        size_t   at = hash(v) & mask;
        while (draft->place[at] && !is_same_point(draft->vertices[draft->place[at] - 1], v)) {
            at = (at + 1) & mask;
        }
        if (!draft->place[at]) {
            draft->vertices[draft->vertex_count] = v;
            draft->place[at] = ++draft->vertex_count;
        }
        draft->image[i] = draft->place[at] - 1;
    }
    draft->findings->merged_vertices = count - draft->vertex_count;
}

/// Renumbers vertices and leaves out triangles of fewer than three.
static void renumber_triangles(Draft *draft, const TactTriangle *triangles, int count)
{
    for (int i = 0; i < count; i++) {
        const int *old = triangles[i].vertex;
        int        a = draft->image[old[0]];
        int        b = draft->image[old[1]];
        int        c = draft->image[old[2]];
        if (a != b && b != c && c != a) {
            draft->triangles[draft->triangle_count++] = (TactTriangle){{a, b, c}};
        }
    }
}

static double largest(TactVec3 a)
{
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

/// Is the normal of a triangle more than the rounding of its coordinates?
static bool has_area(const TactVec3 *vertices, const TactTriangle *triangle)
{
    TactVec3 a = vertices[triangle->vertex[0]];
    TactVec3 b = vertices[triangle->vertex[1]];
    TactVec3 c = vertices[triangle->vertex[2]];
    TactVec3 ab = tact_vec3_subtract(b, a);
    TactVec3 ac = tact_vec3_subtract(c, a);
    double   size = fmax(largest(ab), largest(ac));
    double   place = fmax(largest(a), fmax(largest(b), largest(c)));
    return largest(tact_vec3_cross(ab, ac)) > 8 * DBL_EPSILON * size * place;
}

static void drop_flat_triangles(Draft *draft)
{
    int kept = 0;
    for (int i = 0; i < draft->triangle_count; i++) {
        if (has_area(draft->vertices, &draft->triangles[i])) {
            draft->triangles[kept++] = draft->triangles[i];
        }
    }
    draft->triangle_count = kept;
}

/// Uses the hash table, which has done its work, as a list of marks.
static void count_unused(Draft *draft)
{
    memset(draft->place, 0, draft->places * sizeof(int));
    for (int i = 0; i < draft->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            draft->place[draft->triangles[i].vertex[k]] = 1;
        }
    }
    for (int i = 0; i < draft->vertex_count; i++) {
        draft->findings->unused_vertices += !draft->place[i];
    }
}

static TactStatus clean(Draft *draft, const TactVec3 *vertices, int vertex_count,
                        const TactTriangle *triangles, int triangle_count)
{
    TACT_TRY(start_draft(draft, vertex_count, triangle_count));
    merge_vertices(draft, vertices, vertex_count);
    renumber_triangles(draft, triangles, triangle_count);
    // A sliver between three vertices closes the gap between its neighbours, so edges come first.
    TACT_TRY(tact_mesh_edges_judge(draft->triangles, draft->triangle_count, draft->findings));
    drop_flat_triangles(draft);
    draft->findings->degenerate_triangles = triangle_count - draft->triangle_count;
    if (draft->triangle_count == 0) {
        return tact_fail(TACT_BAD_INPUT, "no triangle has an area: all %d are points or lines",
                         triangle_count);
    }
    count_unused(draft);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Making

static TactStatus copy(const void *array, int count, size_t size, const void **result)
{
    void *block;
    TACT_TRY(tact_allocate((size_t)count, size, &block));
    memcpy(block, array, (size_t)count * size);
    *result = block;
    return TACT_OK;
}

static TactStatus finish_mesh(const Draft *draft, TactMesh *mesh)
{
    const void *vertices = NULL;
    const void *triangles = NULL;
    TactStatus  status = copy(draft->vertices, draft->vertex_count, sizeof(TactVec3), &vertices);
    if (status == TACT_OK) {
        status = copy(draft->triangles, draft->triangle_count, sizeof(TactTriangle), &triangles);
    }
    mesh->vertices = vertices;
    mesh->triangles = triangles;
    mesh->vertex_count = draft->vertex_count;
    mesh->triangle_count = draft->triangle_count;
    return status;
}

static TactStatus make_mesh(const TactVec3 *vertices, int vertex_count,
                            const TactTriangle *triangles, int triangle_count, TactMesh **mesh)
{
    void *block;
    TACT_TRY(tact_allocate(1, sizeof(TactMesh), &block));
    TactMesh  *made = block;
    Draft      draft = {.findings = &made->findings};
    TactStatus status = clean(&draft, vertices, vertex_count, triangles, triangle_count);
    if (status == TACT_OK) {
        status = finish_mesh(&draft, made);
    }
    tact_arena_destroy(&draft.memory);
    if (status != TACT_OK) {
        tact_mesh_destroy(made);
        return status;
    }
    *mesh = made;
    return TACT_OK;
}

static TactStatus make_of_points(const TactVec3 *points, int count, TactMesh **mesh)
{
    TactHullConfig config = tact_hull_config_default();
    TactHull      *hull = NULL;
    TactTriangle  *triangles = NULL;
    int            triangle_count = 0;
    config.merge_tol = 0;
    TACT_TRY(tact_hull_create(points, count, &config, &hull));
    TactStatus status = tact_hull_triangles(hull, hull->source, &triangles, &triangle_count);
    tact_hull_destroy(hull);
    if (status == TACT_OK) {
        status = make_mesh(points, count, triangles, triangle_count, mesh);
    }
    tact_release(triangles);
    return status;
}

TactStatus tact_mesh_create(const TactVec3 *vertices, int vertex_count,
                            const TactTriangle *triangles, int triangle_count, TactMesh **mesh)
{
    if (!mesh || vertex_count < 0 || triangle_count < 0 || (vertex_count > 0 && !vertices) ||
        (triangle_count > 0 && !triangles)) {
        return tact_fail(TACT_BAD_ARGUMENT, "a mesh needs vertices, and a place to be put");
    }
    *mesh = NULL;
    if (vertex_count == 0) {
        return tact_fail(TACT_BAD_INPUT, "the mesh has no vertices");
    }
    TACT_TRY(tact_mesh_check_points(vertices, vertex_count));
    if (!triangles) {
        return make_of_points(vertices, vertex_count, mesh);
    }
    if (triangle_count == 0) {
        return tact_fail(TACT_BAD_INPUT, "the mesh has no triangles");
    }
    TACT_TRY(check_triangles(triangles, triangle_count, vertex_count));
    return make_mesh(vertices, vertex_count, triangles, triangle_count, mesh);
}
