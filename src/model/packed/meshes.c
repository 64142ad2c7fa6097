#include "model/packed/meshes.h"

#include "base/status.h"
#include "model/mesh/mesh.h"

/// Arrays of a mesh or a hull that are written, or read to be handed on.
static void pack_points(TactPack *pack, const TactVec3 *points, int count)
{
    for (int k = 0; k < count && !pack->wrong; k++) {
        TactVec3 room;
        tact_pack_vec3(pack, tact_pack_thing(pack, points, (size_t)k, sizeof room, &room));
    }
}

static void pack_integers(TactPack *pack, const int *integers, size_t count)
{
    for (size_t k = 0; k < count && !pack->wrong; k++) {
        int room;
        tact_pack_int(pack, tact_pack_thing(pack, integers, k, sizeof room, &room));
    }
}

static void pack_face(TactPack *pack, TactHullFace *face)
{
    tact_pack_vec3(pack, &face->normal);
    tact_pack_number(pack, &face->offset);
    tact_pack_int(pack, &face->first);
    tact_pack_int(pack, &face->count);
}

/// Three ints a triangle, and an edge of a hull.
_Static_assert(sizeof(TactTriangle) == 3 * sizeof(int), "vertices");
_Static_assert(sizeof(TactHullEdge) == 3 * sizeof(int), "origin, twin, face");

static void pack_hull(TactPack *pack, TactHull *hull)
{
    tact_pack_count(pack, &hull->vertex_count);
    tact_pack_count(pack, &hull->edge_count);
    tact_pack_count(pack, &hull->face_count);
    tact_pack_number(pack, &hull->merge_tol);
    if (tact_pack_reads(pack)) {
        hull->vertices = tact_pack_take(pack, hull->vertex_count, sizeof *hull->vertices);
        hull->source = tact_pack_take(pack, hull->vertex_count, sizeof *hull->source);
        hull->vertex_edge = tact_pack_take(pack, hull->vertex_count, sizeof *hull->vertex_edge);
        hull->edges = tact_pack_take(pack, hull->edge_count, sizeof *hull->edges);
        hull->faces = tact_pack_take(pack, hull->face_count, sizeof *hull->faces);
    }
    pack_points(pack, hull->vertices, hull->vertex_count);
    pack_integers(pack, hull->source, (size_t)hull->vertex_count);
    pack_integers(pack, hull->vertex_edge, (size_t)hull->vertex_count);
    pack_integers(pack, (const int *)hull->edges, 3 * (size_t)hull->edge_count);
    for (int k = 0; k < hull->face_count && !pack->wrong; k++) {
        TactHullFace room;
        pack_face(pack, tact_pack_thing(pack, hull->faces, (size_t)k, sizeof room, &room));
    }
}

TactStatus tact_pack_mesh(TactPack *pack, TactModelMesh *mesh)
{
    bool     reads = tact_pack_reads(pack), has_hull = !reads && mesh->hull;
    TactMesh surface = {0};
    TactHull hull = {0};
    if (!reads) {
        surface = *mesh->mesh;
        hull = has_hull ? *mesh->hull : hull;
    }
    tact_pack_text(pack, &mesh->name);
    tact_pack_count(pack, &surface.vertex_count);
    tact_pack_count(pack, &surface.triangle_count);
    tact_pack_bool(pack, &has_hull);
    if (reads) {
        mesh->mesh = NULL;
        mesh->hull = NULL;
        surface.vertices = tact_pack_take(pack, surface.vertex_count, sizeof(TactVec3));
        surface.triangles = tact_pack_take(pack, surface.triangle_count, sizeof(TactTriangle));
    }
    pack_points(pack, surface.vertices, surface.vertex_count);
    pack_integers(pack, (const int *)surface.triangles, 3 * (size_t)surface.triangle_count);
    if (has_hull) {
        pack_hull(pack, &hull);
    }
    if (pack->mode != TACT_PACK_READ || pack->wrong) {
        return TACT_OK;
    }
    TactMesh *made = NULL;
    TACT_TRY(tact_mesh_create(surface.vertices, surface.vertex_count, surface.triangles,
                              surface.triangle_count, &made));
    mesh->mesh = made;
    TactHull *own = NULL;
    if (has_hull) {
        TACT_TRY(tact_hull_restore(&hull, &own));
    }
    mesh->hull = own;
    return TACT_OK;
}
