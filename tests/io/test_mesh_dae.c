// COLLADA files: transforms, unit and up_axis.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tact/mesh.h>

#include "io/scratch.h"

static const TactVec3 metres = {1, 1, 1};

/// A tetrahedron 0, 2 e1, 3 e2, 4 e3 under a node with a transform.
static void write_dae(char *text, size_t size, const char *asset, const char *transform)
{
    snprintf(text, size,
             "<?xml version=\"1.0\"?>\n"
             "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
             "<asset><created>2000-01-01T00:00:00Z</created>%s</asset>\n"
             "<library_geometries><geometry id=\"g\"><mesh>\n"
             "<source id=\"p\"><float_array id=\"a\" count=\"12\">0 0 0 2 0 0 0 3 0 0 0 4"
             "</float_array><technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\">"
             "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
             "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>\n"
             "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n"
             "<triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
             "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>\n"
             "</mesh></geometry></library_geometries>\n"
             "<library_visual_scenes><visual_scene id=\"s\"><node>%s"
             "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>\n"
             "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n",
             asset, transform);
}

#ifdef TACT_HAVE_ASSIMP

static TactMeshProperties read_solid(const char *asset, const char *transform)
{
    char      text[4000];
    TactMesh *mesh = NULL;
    write_dae(text, sizeof text, asset, transform);
    if (tact_mesh_read_memory("part.dae", text, strlen(text), metres, &mesh) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    TactMeshProperties solid = {0};
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->triangle_count, 4);
    if (tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &solid) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    tact_mesh_destroy(mesh);
    return solid;
}

/// Centre and volume, single precision as assimp has it.
static void check(TactMeshProperties solid, double volume, double x, double y, double z)
{
    double scale = 1e-6 * fmax(1, fmax(fabs(x), fmax(fabs(y), fabs(z))));
    assert_true(fabs(solid.volume / volume - 1) < 1e-6);
    assert_true(fabs(solid.inertia.com.x - x) < scale);
    assert_true(fabs(solid.inertia.com.y - y) < scale);
    assert_true(fabs(solid.inertia.com.z - z) < scale);
}

static void coordinates_are_those_of_the_file_whatever_is_up(void **state)
{
    (void)state;
    check(read_solid("", ""), 4, 0.5, 0.75, 1);
    check(read_solid("<up_axis>X_UP</up_axis>", ""), 4, 0.5, 0.75, 1);
    check(read_solid("<up_axis>Y_UP</up_axis>", ""), 4, 0.5, 0.75, 1);
    check(read_solid("<up_axis>Z_UP</up_axis>", ""), 4, 0.5, 0.75, 1);
}

static void the_unit_is_applied(void **state)
{
    (void)state;
    check(read_solid("<unit name=\"centimetre\" meter=\"0.01\"/>", ""), 4e-6, 0.005, 0.0075, 0.01);
    check(read_solid("<unit meter=\"0.0254\"/><up_axis>Z_UP</up_axis>", ""),
          4 * 0.0254 * 0.0254 * 0.0254, 0.0127, 0.01905, 0.0254);
}

static void transforms_of_the_scene_are_applied(void **state)
{
    (void)state;
    check(read_solid("<up_axis>Z_UP</up_axis>",
                     "<translate>1 2 3</translate><rotate>0 0 1 90</rotate>"),
          4, 1 - 0.75, 2.5, 4);
    check(read_solid("<unit meter=\"0.001\"/>", "<scale>2 2 2</scale>"), 32e-9, 1e-3, 1.5e-3, 2e-3);
    // A mirror image is turned outwards again.
    check(read_solid("", "<scale>-1 1 1</scale>"), 4, -0.5, 0.75, 1);
}

static void broken_files_are_refused(void **state)
{
    (void)state;
    char        text[4000];
    TactMesh   *mesh = NULL;
    static char deep[20000];
    assert_int_equal(tact_mesh_read_memory("part.dae", "<COLLADA>", 9, metres, &mesh),
                     TACT_BAD_INPUT);
    tact_scratch_said("part.dae: ");
    write_dae(text, sizeof text, "", "");
    for (size_t size = 10; size < strlen(text); size += 97) {
        assert_int_not_equal(tact_mesh_read_memory("part.dae", text, size, metres, &mesh), TACT_OK);
        assert_null(mesh);
    }
    for (size_t i = 0; i + 6 < sizeof deep; i += 6) {
        memcpy(deep + i, "<node>", 6);
    }
    assert_int_equal(tact_mesh_read_memory("part.dae", deep, strlen(deep), metres, &mesh),
                     TACT_UNSUPPORTED);
    tact_scratch_said("nested deeper than 200");
}

#else

static void collada_needs_assimp(void **state)
{
    (void)state;
    char      text[4000];
    TactMesh *mesh = NULL;
    write_dae(text, sizeof text, "", "");
    assert_int_equal(tact_mesh_read_memory("part.dae", text, strlen(text), metres, &mesh),
                     TACT_UNSUPPORTED);
    tact_scratch_said("needs assimp");
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TACT_HAVE_ASSIMP
        cmocka_unit_test(coordinates_are_those_of_the_file_whatever_is_up),
        cmocka_unit_test(the_unit_is_applied),
        cmocka_unit_test(transforms_of_the_scene_are_applied),
        cmocka_unit_test(broken_files_are_refused),
#else
        cmocka_unit_test(collada_needs_assimp),
#endif
    };
    return cmocka_run_group_tests_name("io/mesh_dae", tests, NULL, NULL);
}
