// The meshes of real robots, and the seeds of the fuzz targets.
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/mesh.h>

#include "io/scratch.h"

static const TactVec3 metres = {1, 1, 1};

/// All files that fit one of the patterns in the folder of models.
static glob_t find_models(void)
{
    static const char *const patterns[] = {"*/*.obj", "*/*.stl", "*/assets/*.obj",
                                           "*/assets/*.stl"};

    glob_t      found = {0};
    const char *shared = getenv("TACT_SHARED");
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char pattern[600];
        snprintf(pattern, sizeof pattern, "%s/models/%s",
                 shared ? shared : TACT_SOURCE_DIR "/../shared", patterns[i]);
        glob(pattern, i ? GLOB_APPEND : 0, NULL, &found);
    }
    return found;
}

#ifdef TACT_HAVE_QHULL

/// No vertex beyond a plane of the hull.
static void check_hull(const TactMesh *mesh, const char *path)
{
    TactHullConfig     config = tact_hull_config_default();
    TactHull          *hull = NULL;
    TactMeshProperties convex;
    if (tact_hull_create(mesh->vertices, mesh->vertex_count, &config, &hull) != TACT_OK ||
        tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_CONVEX, 1, &convex) != TACT_OK) {
        fail_msg("%s: %s", path, tact_status_message());
    }
    for (int f = 0; f < hull->face_count; f++) {
        const TactHullFace *face = &hull->faces[f];
        for (int i = 0; i < mesh->vertex_count; i++) {
            double beyond = tact_vec3_dot(face->normal, mesh->vertices[i]) - face->offset;
            if (!(beyond <= 1e-7 * hull->merge_tol)) {
                fail_msg("%s: vertex %d is %g beyond face %d", path, i, beyond, f);
            }
        }
    }
    TactMesh          *skin = NULL;
    TactMeshProperties polygons;
    assert_int_equal(tact_hull_to_mesh(hull, &skin), TACT_OK);
    assert_int_equal(tact_mesh_compute_properties(skin, TACT_MESH_INERTIA_EXACT, 1, &polygons),
                     TACT_OK);
    // Joining faces moves the surface by the tolerance at most.
    assert_true(fabs(polygons.volume - convex.volume) <= convex.area * hull->merge_tol);
    tact_mesh_destroy(skin);
    tact_hull_destroy(hull);
}

#endif

static void all_meshes_of_the_models_are_read_and_have_hulls(void **state)
{
    (void)state;
    glob_t found = find_models();
    if (found.gl_pathc == 0) {
        printf("skipped: there are no models\n");
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char        *path = found.gl_pathv[i];
        TactMesh          *mesh = NULL;
        TactMeshProperties legacy;
        if (tact_mesh_read(path, metres, &mesh) != TACT_OK) {
            fail_msg("%s: %s", path, tact_status_message());
        }
        if (tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_LEGACY, 1, &legacy) != TACT_OK) {
            if (!strstr(tact_status_message(), "flat")) { // a floor of two triangles has no volume
                fail_msg("%s: %s", path, tact_status_message());
            }
            printf("%s: %s\n", path, tact_status_message());
            tact_mesh_destroy(mesh);
            continue;
        }
        assert_true(legacy.volume > 0);
#ifdef TACT_HAVE_QHULL
        check_hull(mesh, path);
#endif
        tact_mesh_destroy(mesh);
    }
    globfree(&found);
}

static void seeds_are_read_or_refused_with_their_name(void **state)
{
    (void)state;
    glob_t found = {0};
    assert_int_equal(glob(TACT_SOURCE_DIR "/tests/fuzz/corpus/mesh_*/*", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 10);
    int read = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        TactMesh *mesh = NULL;
        if (tact_mesh_read(found.gl_pathv[i], metres, &mesh) == TACT_OK) {
            read++;
        } else {
            assert_null(mesh);
            tact_scratch_said(found.gl_pathv[i]);
        }
        tact_mesh_destroy(mesh);
    }
    assert_true(read >= 5);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_meshes_of_the_models_are_read_and_have_hulls),
        cmocka_unit_test(seeds_are_read_or_refused_with_their_name),
    };
    return cmocka_run_group_tests_name("io/mesh_shared", tests, NULL, NULL);
}
