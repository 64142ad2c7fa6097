#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <tact/io.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/mesh/mesh.h"
#include "io/mesh/mesh_parts.h"

typedef TactStatus Parser(const char *name, const char *bytes, size_t size, TactMeshParts *parts);

static TactStatus find_parser(const char *name, Parser **parser)
{
    static const struct {
        const char *ending;
        Parser     *parser;
    } known[] = {{".stl", tact_stl_parse},
                 {".obj", tact_obj_parse},
                 {".dae", tact_dae_parse},
                 {".msh", tact_msh_parse}};

    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof known / sizeof *known; i++) {
        if (strcasecmp(ending, known[i].ending) == 0) {
            *parser = known[i].parser;
            return TACT_OK;
        }
    }
    return tact_fail(TACT_UNSUPPORTED,
                     "%s: is not a mesh by its name: .stl, .obj, .dae and .msh are read", name);
}

static TactStatus check(const char *name, TactVec3 scale, TactMesh **mesh)
{
    if (!name || !mesh) {
        return tact_fail(TACT_BAD_ARGUMENT, "a mesh file needs a name, and the mesh a place");
    }
    *mesh = NULL;
    if (!isfinite(scale.x) || !isfinite(scale.y) || !isfinite(scale.z) || scale.x == 0 ||
        scale.y == 0 || scale.z == 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "%s: the scale is (%g, %g, %g)", name, scale.x, scale.y,
                         scale.z);
    }
    return TACT_OK;
}

/// A mirror image has its triangles the other way round.
static void scale_parts(TactMeshParts *parts, TactVec3 scale)
{
    for (int i = 0; i < parts->vertex_count; i++) {
        TactVec3 *v = &parts->vertices[i];
        *v = (TactVec3){scale.x * v->x, scale.y * v->y, scale.z * v->z};
    }
    if ((scale.x < 0) != ((scale.y < 0) != (scale.z < 0))) {
        for (int i = 0; i < parts->triangle_count; i++) {
            int *vertex = parts->triangles[i].vertex;
            int  second = vertex[1];
            vertex[1] = vertex[2];
            vertex[2] = second;
        }
    }
}

/// What the making of a mesh says does not name the file.
static TactStatus name_file(TactStatus status, const char *name)
{
    char what[400];
    snprintf(what, sizeof what, "%s", tact_status_message());
    return tact_fail(status, "%s: %s", name, what);
}

/// objects NULL: all of them.
static TactStatus read_bytes(const char *name, const void *bytes, size_t size, TactVec3 scale,
                             TactMesh **mesh, int *objects)
{
    Parser       *parser = NULL;
    TactMeshParts parts = {0};
    TACT_TRY(check(name, scale, mesh));
    if (!bytes && size > 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "%s: there are no bytes", name);
    }
    TACT_TRY(find_parser(name, &parser));
    if (size == 0 || size > TACT_IO_MAX_BYTES) {
        return tact_fail(TACT_BAD_INPUT, size ? "%s: is longer than %zu bytes" : "%s: is empty",
                         name, TACT_IO_MAX_BYTES);
    }
    TactStatus status = parser(name, bytes, size, &parts);
    if (status == TACT_OK) {
        if (objects) {
            *objects = parts.objects;
            parts.triangle_count = parts.objects > 1 ? parts.first_triangles : parts.triangle_count;
        }
        scale_parts(&parts, scale);
        status = tact_mesh_create(parts.vertices, parts.vertex_count, parts.triangles,
                                  parts.triangle_count, mesh);
        if (status != TACT_OK) {
            status = name_file(status, name);
        }
    }
    tact_mesh_parts_destroy(&parts);
    return status;
}

TactStatus tact_mesh_read_memory(const char *name, const void *bytes, size_t size, TactVec3 scale,
                                 TactMesh **mesh)
{
    return read_bytes(name, bytes, size, scale, mesh, NULL);
}

static TactStatus read_file(const char *path, TactVec3 scale, TactMesh **mesh, int *objects)
{
    Parser *parser = NULL;
    char   *block = NULL;
    size_t  size = 0;
    TACT_TRY(check(path, scale, mesh));
    TACT_TRY(find_parser(path, &parser));
    TactStatus status = tact_file_load(path, &block, &size);
    if (status == TACT_OK) {
        status = read_bytes(path, block, size, scale, mesh, objects);
    }
    tact_release(block);
    return status;
}

TactStatus tact_mesh_read(const char *path, TactVec3 scale, TactMesh **mesh)
{
    return read_file(path, scale, mesh, NULL);
}

TactStatus tact_mesh_read_first(const char *path, TactVec3 scale, TactMesh **mesh, int *objects)
{
    return read_file(path, scale, mesh, objects);
}
