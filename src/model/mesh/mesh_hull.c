#include "model/mesh/mesh_hull.h"

#include "model/mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { COOKIE = 0x68756c6c, FEWEST_POINTS = 4 };

// Thinner than this, relative to its diagonal, a hull is flat.
static const double flat_tol = 1e-9;

TactHullConfig tact_hull_config_default(void)
{
    return (TactHullConfig){.merge_tol = 1e-6, .cookie = COOKIE};
}

static TactStatus check_arguments(const TactVec3 *points, int point_count,
                                  const TactHullConfig *config)
{
    if (!points || point_count < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "a hull needs points");
    }
    if (!config || config->cookie != COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "the config of a hull is not from tact_hull_config_default()");
    }
    if (!(config->merge_tol >= 0 && config->merge_tol <= 0.1)) {
        return tact_fail(TACT_BAD_ARGUMENT, "merge_tol is %g, which is not in 0 ... 0.1",
                         config->merge_tol);
    }
    if (config->max_vertices != 0 && config->max_vertices < FEWEST_POINTS) {
        return tact_fail(TACT_BAD_ARGUMENT, "max_vertices is %d: neither 0 (all) nor at least 4",
                         config->max_vertices);
    }
    if (point_count < FEWEST_POINTS) {
        return tact_fail(TACT_BAD_INPUT, "a hull needs at least 4 points, and there are %d",
                         point_count);
    }
    return tact_mesh_check_points(points, point_count);
}

// ---------------------------------------------------------------------------------------------
// Size and shape of the points

/// Points around the middle of their box, and its diagonal.
static double centre(const TactVec3 *points, int count, TactVec3 *centred)
{
    TactVec3 lo = points[0];
    TactVec3 hi = points[0];
    for (int i = 1; i < count; i++) {
        lo = (TactVec3){fmin(lo.x, points[i].x), fmin(lo.y, points[i].y), fmin(lo.z, points[i].z)};
        hi = (TactVec3){fmax(hi.x, points[i].x), fmax(hi.y, points[i].y), fmax(hi.z, points[i].z)};
    }
    TactVec3 middle = tact_vec3_scale(0.5, tact_vec3_add(lo, hi));
    for (int i = 0; i < count; i++) {
        centred[i] = tact_vec3_subtract(points[i], middle);
    }
    return tact_vec3_norm(tact_vec3_subtract(hi, lo));
}

/// The point farthest from a, from the line a + t n, or from the plane n'(x - a) = 0.
typedef enum Reach { FROM_POINT, FROM_LINE, FROM_PLANE } Reach;

static double farthest(const TactVec3 *points, int count, Reach reach, TactVec3 a, TactVec3 n,
                       TactVec3 *point)
{
    double most = -1;
    *point = points[0];
    for (int i = 0; i < count; i++) {
        TactVec3 to = tact_vec3_subtract(points[i], a);
        double   distance = 0;
        switch (reach) {
        case FROM_POINT: distance = tact_vec3_norm(to); break;
        case FROM_LINE: distance = tact_vec3_norm(tact_vec3_cross(n, to)); break;
        case FROM_PLANE: distance = fabs(tact_vec3_dot(n, to)); break;
        }
        if (distance > most) {
            most = distance;
            *point = points[i];
        }
    }
    return most;
}

/// Refuses points that span no volume: two of them far apart give a line, a third a plane.
static TactStatus check_shape(const TactVec3 *points, int count, double diagonal, double tol)
{
    TactVec3 none = {0, 0, 0};
    TactVec3 a;
    TactVec3 b;
    TactVec3 c;
    TactVec3 d;
    if (diagonal <= 1e-100) {
        return tact_fail(TACT_BAD_INPUT, "no hull: all %d points are at one place", count);
    }
    farthest(points, count, FROM_POINT, none, none, &a);
    farthest(points, count, FROM_POINT, a, none, &b);
    TactVec3 along = tact_vec3_normalise(tact_vec3_subtract(b, a));
    double   width = farthest(points, count, FROM_LINE, a, along, &c);
    if (!(width > tol)) {
        return tact_fail(TACT_BAD_INPUT, "no hull: the %d points lie on a line (%g wide, %g long)",
                         count, width, diagonal);
    }
    TactVec3 across = tact_vec3_cross(along, tact_vec3_subtract(c, a));
    double   height = farthest(points, count, FROM_PLANE, a, tact_vec3_normalise(across), &d);
    if (!(height > tol)) {
        return tact_fail(TACT_BAD_INPUT,
                         "no hull: the %d points lie in a plane (%g thick, %g wide)", count, height,
                         diagonal);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// From the graph to the hull

/// A polygon of the result, by the edge of the graph that it starts with.
typedef struct Polygon {
    const int *loop;  // vertices of the hull
    int        count; //
    int        start; // edge of the graph
} Polygon;

/// The hull with the memory behind it; the public struct is the first member.
typedef struct Hull {
    TactHull      hull;
    TactArena     memory;
    TactVec3     *vertices;
    int          *source;
    int          *vertex_edge;
    TactHullEdge *edges;
    TactHullFace *faces;

    TactHullGroupArrays groups;
    TactHullGroups      shown; // these arrays as the public struct points to them
} Hull;

/// What is needed only while the hull is made.
typedef struct Work {
    TactArena memory;
    int      *vertex;   // point -> vertex of the hull, or -1        (points)
    int      *number;   // edge of the graph -> edge of the hull     (edges of the graph)
    int      *loops;    // vertices of all polygons                  (edges)
    Polygon  *polygons; //                                           (faces)
} Work;

static void lay_out_hull(Hull *hull)
{
    const TactHull *size = &hull->hull;
    hull->vertices = tact_arena_take(&hull->memory, (size_t)size->vertex_count, sizeof(TactVec3));
    hull->source = tact_arena_take(&hull->memory, (size_t)size->vertex_count, sizeof(int));
    hull->vertex_edge = tact_arena_take(&hull->memory, (size_t)size->vertex_count, sizeof(int));
    hull->edges = tact_arena_take(&hull->memory, (size_t)size->edge_count, sizeof(TactHullEdge));
    hull->faces = tact_arena_take(&hull->memory, (size_t)size->face_count, sizeof(TactHullFace));
    size_t groups = (size_t)tact_hull_group_count(size->vertex_count);
    size_t all = TACT_HULL_GROUP * groups, room = TACT_HULL_GROUP_ROOM(groups);
    hull->groups.vertex = tact_arena_take(&hull->memory, all, sizeof(int));
    hull->groups.x = tact_arena_take(&hull->memory, all, sizeof(double));
    hull->groups.y = tact_arena_take(&hull->memory, all, sizeof(double));
    hull->groups.z = tact_arena_take(&hull->memory, all, sizeof(double));
    hull->groups.box = tact_arena_take(&hull->memory, 6 * room, sizeof(double));
}

static void lay_out_work(Work *work, const TactHullGraph *graph, const TactHull *size)
{
    work->vertex = tact_arena_take(&work->memory, (size_t)graph->point_count, sizeof(int));
    work->number = tact_arena_take(&work->memory, (size_t)graph->edge_count, sizeof(int));
    work->loops = tact_arena_take(&work->memory, (size_t)size->edge_count, sizeof(int));
    work->polygons = tact_arena_take(&work->memory, (size_t)size->face_count, sizeof(Polygon));
}

/// Numbers of vertices, edges and faces; marks points that are vertices in the spare array.
static void count_parts(const TactHullGraph *graph, TactHull *size)
{
    int *used = graph->spare;
    memset(used, 0, (size_t)graph->point_count * sizeof(int));
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->link[i] >= 0) {
            size->edge_count++;
            size->vertex_count += !used[graph->origin[i]];
            used[graph->origin[i]] = 1;
        }
    }
    for (int i = 0; i < graph->face_count; i++) {
        size->face_count += graph->region[i] == i;
    }
}

static void name_vertices(const TactHullGraph *graph, Work *work, Hull *hull,
                          const TactVec3 *points)
{
    int count = 0;
    for (int i = 0; i < graph->point_count; i++) {
        work->vertex[i] = -1;
        if (graph->spare[i]) {
            work->vertex[i] = count;
            hull->source[count] = i;
            hull->vertices[count] = points[i];
            count++;
        }
    }
}

static int compare_polygons(const void *a, const void *b)
{
    const Polygon *x = a;
    const Polygon *y = b;
    for (int i = 0; i < x->count && i < y->count; i++) {
        if (x->loop[i] != y->loop[i]) {
            return x->loop[i] < y->loop[i] ? -1 : 1;
        }
    }
    return x->count < y->count ? -1 : x->count > y->count;
}

/// Each polygon from its least vertex on, and all of them in order.
static void order_polygons(const TactHullGraph *graph, Work *work, int face_count)
{
    int *known = graph->spare; // an edge of each region
    int  polygons = 0;
    int  used = 0;
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->link[i] >= 0) {
            known[graph->region[graph->face[i]]] = i;
        }
    }
    for (int i = 0; i < graph->face_count; i++) {
        if (graph->region[i] != i) {
            continue;
        }
        int start = known[i];
        for (int edge = graph->link[start]; edge != known[i]; edge = graph->link[edge]) {
            if (graph->origin[edge] < graph->origin[start]) {
                start = edge;
            }
        }
        Polygon *polygon = &work->polygons[polygons++];
        *polygon = (Polygon){work->loops + used, graph->length[i], start};
        int edge = start;
        do {
            work->loops[used++] = work->vertex[graph->origin[edge]];
            edge = graph->link[edge];
        } while (edge != start);
    }
    qsort(work->polygons, (size_t)face_count, sizeof *work->polygons, compare_polygons);
}

static void write_faces(const TactHullGraph *graph, Work *work, Hull *hull)
{
    int edges = 0;
    for (int i = 0; i < hull->hull.face_count; i++) {
        const Polygon *polygon = &work->polygons[i];
        hull->faces[i] = (TactHullFace){.first = edges, .count = polygon->count};
        int edge = polygon->start;
        for (int k = 0; k < polygon->count; k++, edge = graph->link[edge]) {
            work->number[edge] = edges;
            hull->edges[edges++] = (TactHullEdge){.origin = polygon->loop[k], .face = i};
        }
    }
    for (int i = 0; i < graph->edge_count; i++) {
        if (graph->link[i] >= 0) {
            hull->edges[work->number[i]].twin = work->number[graph->mate[i]];
        }
    }
    for (int i = edges - 1; i >= 0; i--) {
        hull->vertex_edge[hull->edges[i].origin] = i;
    }
}

/// Twice the area vector of a polygon, in coordinates around the middle.
static TactVec3 area_of(const TactHullGraph *graph, const Hull *hull, const TactHullFace *face)
{
    const TactVec3     *x = graph->points;
    const TactHullEdge *edge = &hull->edges[face->first];
    TactVec3            first = x[hull->source[edge[0].origin]];
    TactVec3            area = {0, 0, 0};
    for (int k = 1; k + 1 < face->count; k++) {
        TactVec3 a = tact_vec3_subtract(x[hull->source[edge[k].origin]], first);
        TactVec3 b = tact_vec3_subtract(x[hull->source[edge[k + 1].origin]], first);
        area = tact_vec3_add(area, tact_vec3_cross(a, b));
    }
    return area;
}

/// Puts the plane of a face at the highest point of all along a normal; returns how far below it
/// the lowest corner lies.
static double lay_plane(const TactHullGraph *graph, const Hull *hull, TactVec3 normal,
                        const TactVec3 *points, TactHullFace *face)
{
    const TactVec3 *x = graph->points;
    int             first = hull->source[hull->edges[face->first].origin];
    double          height = tact_hull_graph_climb(graph, normal, first);
    double          lowest = height;
    for (int k = 0; k < face->count; k++) {
        int corner = hull->source[hull->edges[face->first + k].origin];
        lowest = fmin(lowest, tact_vec3_dot(normal, x[corner]));
    }
    face->normal = normal;
    face->offset =
        tact_vec3_dot(normal, points[first]) + (height - tact_vec3_dot(normal, x[first]));
    return height - lowest;
}

/// The normal of a polygon is that of its area, or, if that lies closer to the corners (a sliver
/// has no better one), the one that qhull has for its largest part.
static void write_planes(const TactHullGraph *graph, const Work *work, Hull *hull,
                         const TactVec3 *points)
{
    for (int i = 0; i < hull->hull.face_count; i++) {
        TactHullFace *face = &hull->faces[i];
        TactHullFace  other = *face;
        TactVec3      normal = tact_vec3_normalise(area_of(graph, hull, face));
        int           part = graph->region[graph->face[work->polygons[i].start]];
        double        depth = lay_plane(graph, hull, normal, points, face);
        if (lay_plane(graph, hull, graph->normal[part], points, &other) < depth) {
            *face = other;
        }
    }
}

static void publish_groups(Hull *hull)
{
    const TactHullGroupArrays *arrays = &hull->groups;
    TactHullGroups            *groups = &hull->shown;
    *groups = (TactHullGroups){.count = tact_hull_group_count(hull->hull.vertex_count),
                               .vertex = arrays->vertex,
                               .x = arrays->x,
                               .y = arrays->y,
                               .z = arrays->z,
                               .box = arrays->box,
                               .lower = hull->vertices[0],
                               .upper = hull->vertices[0]};
    hull->hull.groups = groups;
    for (int i = 1; i < hull->hull.vertex_count; i++) {
        TactVec3 v = hull->vertices[i], *low = &groups->lower, *high = &groups->upper;
        *low = (TactVec3){fmin(low->x, v.x), fmin(low->y, v.y), fmin(low->z, v.z)};
        *high = (TactVec3){fmax(high->x, v.x), fmax(high->y, v.y), fmax(high->z, v.z)};
    }
}

/// The arrays that were written, as the public struct shows them.
static TactStatus publish(Hull *hull)
{
    TACT_TRY(tact_hull_make_groups(hull->vertices, hull->hull.vertex_count, &hull->groups));
    publish_groups(hull);
    hull->hull.vertices = hull->vertices;
    hull->hull.source = hull->source;
    hull->hull.vertex_edge = hull->vertex_edge;
    hull->hull.edges = hull->edges;
    hull->hull.faces = hull->faces;
    return TACT_OK;
}

static TactStatus build(const TactHullGraph *graph, const TactVec3 *points, Hull *hull)
{
    Work work = {0};
    count_parts(graph, &hull->hull);
    lay_out_hull(hull);
    TACT_TRY(tact_arena_create(&hull->memory));
    lay_out_hull(hull);
    lay_out_work(&work, graph, &hull->hull);
    TACT_TRY(tact_arena_create(&work.memory));
    lay_out_work(&work, graph, &hull->hull);

    name_vertices(graph, &work, hull, points);
    order_polygons(graph, &work, hull->hull.face_count);
    write_faces(graph, &work, hull);
    write_planes(graph, &work, hull, points);
    tact_arena_destroy(&work.memory);

    return publish(hull);
}

// ---------------------------------------------------------------------------------------------
// The calls

static TactStatus make_hull(const TactVec3 *points, int count, const TactHullConfig *config,
                            TactVec3 *centred, TactHullLoops *loops, Hull *hull)
{
    double diagonal = centre(points, count, centred);
    double thin = config->merge_tol > flat_tol ? config->merge_tol : flat_tol;
    TACT_TRY(check_shape(centred, count, diagonal, thin * diagonal));
    TACT_TRY(tact_hull_loops_create(centred, count, config->max_vertices, loops));
    TactHullGraph graph;
    TACT_TRY(tact_hull_graph_create(centred, count, loops, &graph));
    double tol = config->merge_tol * diagonal;
    if (tol > 0 && tact_hull_graph_join(&graph, tol)) {
        hull->hull.merge_tol = tol;
    }
    TactStatus status = build(&graph, points, hull);
    tact_hull_graph_destroy(&graph);
    return status;
}

TactStatus tact_hull_create(const TactVec3 *points, int point_count, const TactHullConfig *config,
                            TactHull **hull)
{
    if (!hull) {
        return tact_fail(TACT_BAD_ARGUMENT, "a hull needs a place to be put");
    }
    *hull = NULL;
    TACT_TRY(check_arguments(points, point_count, config));
    void *block = NULL;
    void *centred = NULL;
    TACT_TRY(tact_allocate(1, sizeof(Hull), &block));
    Hull         *made = block;
    TactHullLoops loops = {0};
    TactStatus    status = tact_allocate((size_t)point_count, sizeof(TactVec3), &centred);
    if (status == TACT_OK) {
        status = make_hull(points, point_count, config, centred, &loops, made);
    }
    tact_hull_loops_destroy(&loops);
    tact_release(centred);
    if (status != TACT_OK) {
        tact_hull_destroy(&made->hull);
        return status;
    }
    *hull = &made->hull;
    return TACT_OK;
}

void tact_hull_destroy(TactHull *hull)
{
    if (hull) {
        Hull *whole = (Hull *)hull;
        tact_arena_destroy(&whole->memory);
        tact_release(whole);
    }
}

TactStatus tact_hull_triangles(const TactHull *hull, const int *names, TactTriangle **triangles,
                               int *count)
{
    // A polygon of n sides has n - 2 triangles.
    void *block;
    *count = hull->edge_count - 2 * hull->face_count;
    TACT_TRY(tact_allocate((size_t)*count, sizeof(TactTriangle), &block));
    *triangles = block;
    int used = 0;
    for (int i = 0; i < hull->face_count; i++) {
        const TactHullEdge *edge = &hull->edges[hull->faces[i].first];
        for (int k = 1; k + 1 < hull->faces[i].count; k++) {
            int *vertex = (*triangles)[used++].vertex;
            vertex[0] = names ? names[edge[0].origin] : edge[0].origin;
            vertex[1] = names ? names[edge[k].origin] : edge[k].origin;
            vertex[2] = names ? names[edge[k + 1].origin] : edge[k + 1].origin;
        }
    }
    return TACT_OK;
}

TactStatus tact_hull_to_mesh(const TactHull *hull, TactMesh **mesh)
{
    if (!hull || !mesh) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "hull to mesh: the hull or the pointer for the mesh is NULL");
    }
    TactTriangle *triangles = NULL;
    int           count = 0;
    *mesh = NULL;
    TACT_TRY(tact_hull_triangles(hull, NULL, &triangles, &count));
    TactStatus status =
        tact_mesh_create(hull->vertices, hull->vertex_count, triangles, count, mesh);
    tact_release(triangles);
    return status;
}

// ---------------------------------------------------------------------------------------------
// From another

static bool is_among(int x, int count)
{
    return x >= 0 && x < count;
}

/// Is every edge the way back of its twin, between faces that follow one another?
static bool is_one_surface(const TactHull *h)
{
    int  edges = 0;
    bool fine = h->vertex_count >= 4 && h->face_count >= 4 && h->edge_count >= 12 &&
                h->vertex_count - h->edge_count / 2 + h->face_count == 2;
    for (int f = 0; f < h->face_count && fine; f++) {
        const TactHullFace *face = &h->faces[f];
        fine = face->first == edges && face->count >= 3 && face->count <= h->edge_count - edges;
        for (int k = 0; k < face->count && fine; k++) {
            const TactHullEdge *edge = &h->edges[edges + k];
            fine = edge->face == f && is_among(edge->origin, h->vertex_count) &&
                   is_among(edge->twin, h->edge_count);
        }
        edges += fine ? face->count : 0;
    }
    fine = fine && edges == h->edge_count;
    for (int e = 0; e < h->edge_count && fine; e++) {
        int twin = h->edges[e].twin;
        fine = twin != e && h->edges[twin].twin == e &&
               h->edges[tact_hull_next(h, e)].origin == h->edges[twin].origin;
    }
    for (int v = 0; v < h->vertex_count && fine; v++) {
        fine = is_among(h->vertex_edge[v], h->edge_count) &&
               h->edges[h->vertex_edge[v]].origin == v && h->source[v] >= 0;
    }
    return fine;
}

static TactStatus restore(const TactHull *given, Hull *hull)
{
    size_t v = (size_t)given->vertex_count;
    lay_out_hull(hull);
    TACT_TRY(tact_arena_create(&hull->memory));
    lay_out_hull(hull);
    memcpy(hull->vertices, given->vertices, v * sizeof *hull->vertices);
    memcpy(hull->source, given->source, v * sizeof *hull->source);
    memcpy(hull->vertex_edge, given->vertex_edge, v * sizeof *hull->vertex_edge);
    memcpy(hull->edges, given->edges, (size_t)given->edge_count * sizeof *hull->edges);
    memcpy(hull->faces, given->faces, (size_t)given->face_count * sizeof *hull->faces);
    return publish(hull);
}

TactStatus tact_hull_restore(const TactHull *given, TactHull **hull)
{
    void *block = NULL;
    *hull = NULL;
    TACT_TRY(tact_mesh_check_points(given->vertices, given->vertex_count));
    if (!is_one_surface(given)) {
        return tact_fail(TACT_BAD_INPUT, "a convex hull is not one closed surface");
    }
    TACT_TRY(tact_allocate(1, sizeof(Hull), &block));
    Hull *own = block;
    own->hull = (TactHull){.vertex_count = given->vertex_count,
                           .edge_count = given->edge_count,
                           .face_count = given->face_count,
                           .merge_tol = given->merge_tol};
    TactStatus status = restore(given, own);
    if (status != TACT_OK) {
        tact_arena_destroy(&own->memory);
        tact_release(own);
        return status;
    }
    *hull = &own->hull;
    return TACT_OK;
}
