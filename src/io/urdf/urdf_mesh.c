// Mesh files of a URDF: where they are, and reading each once.
//
// package://NAME/REST and model://NAME/REST are looked for in urdf_package.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/mesh.h>

#include "base/status.h"
#include "io/urdf/urdf_robot.h"

enum {
    // Convexity is found by looking at every vertex from every triangle; above this many pairs a
    // mesh is taken as it is.
    MOST_PAIRS = 200000000,
};

/// The text behind a prefix; NULL if it does not start with it.
static const char *after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static TactStatus find_file(const TactUrdf *urdf, const TactXmlNode *node, const char *uri,
                            const char **path)
{
    const char *package = after(uri, "package://");
    const char *file = after(uri, "file://");
    package = package ? package : after(uri, "model://");
    if (package) {
        return tact_urdf_find_in_packages(urdf, node, package, path);
    }
    if (!file && strstr(uri, "://")) {
        return tact_xml_fail(node, "filename", TACT_UNSUPPORTED,
                             "'%.120s': only package://, model://, file:// and paths", uri);
    }
    char       *folder = tact_xml_folder(urdf->xml, node->file);
    const char *elsewhere = NULL;
    *path = folder ? tact_xml_join(urdf->xml, folder, file ? file : uri) : NULL;
    if (*path && !tact_urdf_is_file(*path)) {
        TACT_TRY(tact_urdf_find_in_meshdir(urdf, file ? file : uri, &elsewhere));
    }
    *path = elsewhere ? elsewhere : *path;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Reading

/// Closed, and no vertex farther out than rounding of single precision explains.
static bool is_convex(const TactMesh *mesh)
{
    if (!mesh->findings.watertight || !mesh->findings.oriented ||
        (double)mesh->vertex_count * mesh->triangle_count > MOST_PAIRS) {
        return false;
    }
    double size = 0;
    for (int i = 0; i < mesh->vertex_count; i++) {
        TactVec3 v = tact_vec3_subtract(mesh->vertices[i], mesh->vertices[0]);
        size = fmax(size, fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))));
    }
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *corner = mesh->triangles[t].vertex;
        TactVec3   a = mesh->vertices[corner[0]];
        TactVec3   normal =
            tact_vec3_normalise(tact_vec3_cross(tact_vec3_subtract(mesh->vertices[corner[1]], a),
                                                tact_vec3_subtract(mesh->vertices[corner[2]], a)));
        for (int i = 0; i < mesh->vertex_count; i++) {
            TactVec3 to = tact_vec3_subtract(mesh->vertices[i], a);
            if (tact_vec3_dot(normal, to) > 1e-6 * size) {
                return false;
            }
        }
    }
    return true;
}

/// A mesh is called as its file, without folders and ending, if no other one is.
static const char *name_mesh(const TactUrdf *urdf, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    size_t      length = dot ? (size_t)(dot - start) : strlen(start);
    const char *name = tact_xml_pool_copy(&urdf->xml->pool, start, length);
    return name && tact_model_builder_find(urdf->builder, TACT_OBJECT_MESH, name) < 0 ? name : "";
}

static TactStatus read_mesh(TactUrdf *urdf, const TactXmlNode *node, TactUrdfMesh *mesh)
{
    TactMesh  *triangles = NULL;
    TactStatus status = tact_mesh_read(mesh->path, mesh->scale, &triangles);
    mesh->index = -1;
    if (status == TACT_UNSUPPORTED && tact_xml_is(node->parent->parent, "visual")) {
        return TACT_OK; // only looks are lost, and the note says so
    }
    if (status != TACT_OK) {
        char reason[300];
        snprintf(reason, sizeof reason, "%s", tact_status_message());
        return tact_xml_fail(node, "filename", status, "%s", reason);
    }
    mesh->triangles = triangles;
    return tact_model_builder_add_mesh(urdf->builder, name_mesh(urdf, mesh->path), triangles,
                                       tact_xml_source(node), &mesh->index);
}

/// What its hull would make of a mesh.
static void judge_mesh(TactUrdfMesh *mesh)
{
    TactMeshProperties hull, own;
    mesh->judged = true;
    mesh->convex = is_convex(mesh->triangles);
    mesh->hull = tact_mesh_compute_properties(mesh->triangles, TACT_MESH_INERTIA_CONVEX, 1,
                                              &hull) == TACT_OK &&
                 hull.volume > 0;
    bool solid = mesh->hull && tact_mesh_compute_properties(
                                   mesh->triangles, TACT_MESH_INERTIA_EXACT, 1, &own) == TACT_OK;
    mesh->swollen = solid && own.volume > 0 ? hull.volume / own.volume : 0;
}

static bool same_scale(TactVec3 a, TactVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Along x, y and z, or one number for all three.
static TactStatus read_scale(const TactUrdf *urdf, const TactXmlNode *node, double scale[3])
{
    int count = 3;
    TACT_TRY(tact_xml_reals(urdf->xml, node, "scale", 1, 3, scale, &count));
    if (count == 1) {
        scale[1] = scale[2] = scale[0];
    }
    return count != 2 ? TACT_OK
                      : tact_xml_fail(node, "scale", TACT_BAD_INPUT, "it is one number or three");
}

TactStatus tact_urdf_mesh(TactUrdf *urdf, const TactXmlNode *node, const TactUrdfMesh **mesh)
{
    const char   *uri;
    const char   *path = NULL;
    double        scale[3] = {1, 1, 1};
    TactUrdfMesh *found = urdf->meshes;
    TACT_TRY(tact_xml_need(node, "filename", &uri));
    TACT_TRY(read_scale(urdf, node, scale));
    if (scale[0] == 0 || scale[1] == 0 || scale[2] == 0) {
        return tact_xml_fail(node, "scale", TACT_BAD_INPUT, "it must not be zero");
    }
    TACT_TRY(find_file(urdf, node, uri, &path));
    if (!path) {
        return TACT_NO_MEMORY;
    }
    TactVec3 factor = {scale[0], scale[1], scale[2]};
    while (found && (strcmp(found->path, path) != 0 || !same_scale(found->scale, factor))) {
        found = found->next;
    }
    if (!found) {
        found = tact_xml_pool_take(&urdf->xml->pool, 1, sizeof *found);
        if (!found) {
            return TACT_NO_MEMORY;
        }
        *found = (TactUrdfMesh){.path = path, .scale = factor, .next = urdf->meshes};
        TACT_TRY(read_mesh(urdf, node, found));
        urdf->meshes = found;
    }
    *mesh = found;
    if (found->index >= 0 && !found->judged && tact_xml_is(node->parent->parent, "collision")) {
        judge_mesh(found);
    }
    if (found->index < 0 && !tact_xml_is(node->parent->parent, "visual")) {
        return tact_xml_fail(node, "filename", TACT_UNSUPPORTED, "this build cannot read '%.120s'",
                             path);
    }
    if (found->index < 0) {
        return tact_urdf_note(urdf, node, "filename", TACT_VERDICT_IGNORED, false,
                              "this build cannot read such a file: nothing is drawn");
    }
    return TACT_OK;
}
