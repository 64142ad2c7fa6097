// What every mesh that was read must keep, for the fuzz targets of mesh files.
#ifndef TESTS_FUZZ_MESH_CHECK_H
#define TESTS_FUZZ_MESH_CHECK_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <tact/mesh.h>

enum { LARGEST = 3000 }; // vertices of a mesh whose hull is made

static inline void require(int truth)
{
    if (!truth) {
        abort();
    }
}

static inline void check_hull(const TactMesh *mesh)
{
    TactHullConfig config = tact_hull_config_default();
    TactHull      *hull = NULL;
    TactMesh      *skin = NULL;
    if (tact_hull_create(mesh->vertices, mesh->vertex_count, &config, &hull) != TACT_OK) {
        require(hull == NULL);
        require(tact_status_message()[0] != '\0');
        return;
    }
    require(2 * hull->vertex_count - hull->edge_count + 2 * hull->face_count == 4);
    for (int i = 0; i < hull->edge_count; i++) {
        require(tact_hull_target(hull, i) == hull->edges[tact_hull_next(hull, i)].origin);
    }
    for (int i = 0; i < hull->face_count; i++) {
        require(fabs(tact_vec3_norm(hull->faces[i].normal) - 1) < 1e-12);
        require(isfinite(hull->faces[i].offset));
    }
    require(tact_hull_to_mesh(hull, &skin) == TACT_OK);
    require(skin->findings.watertight && skin->findings.oriented);
    tact_mesh_destroy(skin);
    tact_hull_destroy(hull);
}

static inline void check_mesh(const TactMesh *mesh)
{
    require(mesh->triangle_count > 0 && mesh->vertex_count >= 3);
    for (int i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            int vertex = mesh->triangles[i].vertex[k];
            require(vertex >= 0 && vertex < mesh->vertex_count);
            require(vertex != mesh->triangles[i].vertex[(k + 1) % 3]);
        }
    }
    for (int kind = TACT_MESH_INERTIA_LEGACY; kind <= TACT_MESH_INERTIA_SHELL; kind++) {
        TactMeshProperties properties;
        if (kind != TACT_MESH_INERTIA_CONVEX &&
            tact_mesh_compute_properties(mesh, (TactMeshInertia)kind, 1, &properties) == TACT_OK) {
            require(properties.volume > 0 || kind == TACT_MESH_INERTIA_SHELL);
            require(isfinite(properties.inertia.rotary.m[0][0]));
        }
    }
    if (mesh->vertex_count <= LARGEST) {
        check_hull(mesh);
    }
}

static inline void check_file(const char *name, const uint8_t *data, size_t size)
{
    TactVec3  scale = {1, -2, 0.5};
    TactMesh *mesh = NULL;
    if (tact_mesh_read_memory(name, data, size, scale, &mesh) != TACT_OK) {
        require(mesh == NULL);
        require(tact_status_message()[0] != '\0');
        return;
    }
    check_mesh(mesh);
    tact_mesh_destroy(mesh);
}

#endif
