// STL files: binary and ASCII, sound and broken.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <tact/mesh.h>

#include "io/scratch.h"

static const TactVec3 metres = {1, 1, 1};

// ---------------------------------------------------------------------------------------------
// Making files

/// Corner tetrahedron 0 e1 e2 e3, outwards.
static const float tetrahedron[4][3][3] = {
    {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
    {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},
    {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}},
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
};

static void put_u32(unsigned char *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (unsigned char)(value >> 8 * i);
    }
}

static void put_f32(unsigned char *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(bytes, bits);
}

enum { SIZE = 84 + 4 * 50 };

/// The tetrahedron with a header that says it has so many triangles.
static void make_binary(unsigned char bytes[SIZE], const char *header, uint32_t count)
{
    memset(bytes, 0, SIZE);
    memcpy(bytes, header, strlen(header));
    put_u32(bytes + 80, count);
    for (int i = 0; i < 36; i++) {
        const float *value = &tetrahedron[i / 9][i / 3 % 3][i % 3];
        put_f32(bytes + 84 + i / 9 * 50 + 12 + i % 9 * 4, *value);
    }
}

static const char ascii[] = "solid made by hand\n"
                            " facet normal 0 0 -1\n  outer loop\n   vertex 0 0 0\n   vertex 0 1 0\n"
                            "   vertex 1 0 0\n  endloop\n endfacet\n"
                            " facet normal nan nan nan\n  outer loop\n   vertex 0 0 0\n"
                            "   vertex 1e0 0 0\n   vertex 0 0 1.0\n  endloop\n endfacet\n"
                            " FACET NORMAL -1 0 0\n  OUTER LOOP\n   VERTEX 0 0 0\n   VERTEX 0 0 1\n"
                            "   VERTEX 0 10.00e-1 0\n  ENDLOOP\n ENDFACET\n"
                            " facet normal 1 1 1\r\n  outer loop\r\n   vertex 1 0 0\r\n"
                            "   vertex 0 1 0\r\n   vertex 0 0 +1\r\n  endloop\r\n endfacet\r\n"
                            "endsolid made by hand\n";

// ---------------------------------------------------------------------------------------------
// Reading

static TactMesh *read_bytes(const void *bytes, size_t size)
{
    TactMesh *mesh = NULL;
    if (tact_mesh_read_memory("part.stl", bytes, size, metres, &mesh) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return mesh;
}

static void refuse(const void *bytes, size_t size, const char *words)
{
    TactMesh *mesh = (TactMesh *)1;
    assert_int_equal(tact_mesh_read_memory("part.stl", bytes, size, metres, &mesh), TACT_BAD_INPUT);
    assert_null(mesh);
    tact_scratch_said("part.stl");
    tact_scratch_said(words);
}

static void check_tetrahedron(TactMesh *mesh)
{
    TactMeshProperties solid;
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->triangle_count, 4);
    assert_int_equal(mesh->findings.merged_vertices, 8);
    assert_true(mesh->findings.watertight);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &solid),
                     TACT_OK);
    assert_true(fabs(solid.volume - 1.0 / 6) < 1e-15);
    tact_mesh_destroy(mesh);
}

static void a_binary_file_is_read(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    make_binary(bytes, "anything", 4);
    check_tetrahedron(read_bytes(bytes, SIZE));
}

static void a_binary_file_may_begin_with_solid(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    make_binary(bytes, "solid facet normal 0 0 0", 4);
    memset(bytes + 30, ' ', 50); // no zero byte in its header
    check_tetrahedron(read_bytes(bytes, SIZE));
}

static void an_ascii_file_is_read(void **state)
{
    (void)state;
    check_tetrahedron(read_bytes(ascii, sizeof ascii - 1));
}

static void several_solids_are_one_mesh(void **state)
{
    (void)state;
    char text[2 * sizeof ascii];
    snprintf(text, sizeof text, "%s%s", ascii, ascii);
    TactMesh *mesh = read_bytes(text, strlen(text));
    assert_int_equal(mesh->triangle_count, 8);
    assert_int_equal(mesh->findings.merged_vertices, 20);
    tact_mesh_destroy(mesh);
}

static void a_file_is_read_by_its_path_and_scaled(void **state)
{
    (void)state;
    TactMesh   *mesh = NULL;
    const char *path = tact_scratch_write("Tetrahedron.STL", ascii);
    assert_int_equal(tact_mesh_read(path, (TactVec3){2, 3, -4}, &mesh), TACT_OK);
    TactMeshProperties solid;
    // A mirror image: still outwards.
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &solid),
                     TACT_OK);
    assert_true(fabs(solid.volume - 4) < 1e-14);
    assert_true(fabs(solid.inertia.com.z + 1) < 1e-15);
    tact_mesh_destroy(mesh);
}

static void a_wrong_number_of_triangles_is_refused_or_told(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    make_binary(bytes, "", 5);
    refuse(bytes, SIZE, "it has 5 triangles, it says, but 284 bytes hold only 4");
    make_binary(bytes, "", 0xffffffff);
    refuse(bytes, SIZE, "4294967295 triangles");
    make_binary(bytes, "", 0);
    refuse(bytes, SIZE, "has no triangles");
    make_binary(bytes, "", 3);
    tact_scratch_listen();
    TactMesh *mesh = read_bytes(bytes, SIZE);
    assert_int_equal(mesh->triangle_count, 3);
    assert_true(tact_scratch_heard("part.stl: 50 bytes behind its 3 triangles are not read"));
    tact_mesh_destroy(mesh);
}

static void truncated_files_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    make_binary(bytes, "x", 4);
    for (size_t size = 1; size < SIZE; size++) {
        refuse(bytes, size, size < 84 ? "too few" : "ends too early");
    }
    TactMesh *mesh = NULL;
    assert_int_equal(tact_mesh_read_memory("part.stl", bytes, 0, metres, &mesh), TACT_BAD_INPUT);
    tact_scratch_said("is empty");
    // What an ASCII file lacks is noticed up to its last facet.
    tact_scratch_listen();
    const char *last = strstr(ascii, "endfacet\r\nendsolid");
    for (size_t size = 6; size <= (size_t)(last - ascii); size++) {
        int        warnings = tact_scratch_warnings();
        TactStatus status = tact_mesh_read_memory("part.stl", ascii, size, metres, &mesh);
        if (status == TACT_OK) {
            assert_int_equal(tact_scratch_warnings(), warnings + 1);
        } else {
            assert_null(mesh);
        }
        tact_mesh_destroy(mesh);
        mesh = NULL;
    }
    assert_true(tact_scratch_heard("ends without endsolid"));
}

static void values_that_are_not_finite_are_refused_with_their_triangle(void **state)
{
    (void)state;
    unsigned char bytes[SIZE];
    make_binary(bytes, "", 4);
    put_u32(bytes + 84 + 2 * 50 + 24, 0x7fc00000); // NaN
    refuse(bytes, SIZE, "triangle 3: vertex 2 is (nan, 0, 1)");
    put_u32(bytes + 84 + 2 * 50 + 24, 0x7f800000); // infinity
    refuse(bytes, SIZE, "triangle 3: vertex 2 is (inf, 0, 1)");
    make_binary(bytes, "", 4);
    put_u32(bytes + 84, 0x7fc00000); // a normal does not matter
    check_tetrahedron(read_bytes(bytes, SIZE));
}

static void errors_in_ascii_have_their_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 zero\n",
         "part.stl:4: expected z of a vertex (a number), found 'zero'"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 nan 0\n", "part.stl:4: y of a vertex is"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 1e999 0 0\n", "part.stl:4: x of a vertex"},
        {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\n",
         "part.stl:5: expected vertex, found 'endloop'"},
        {"solid\nfacet\nnormal 0 0 1\nloop\n", "part.stl:4: expected outer, found 'loop'"},
        {"solid\nfacets\n", "part.stl:2: expected facet or endsolid, found 'facets'"},
        {"solid\nendsolid\n", "part.stl: has no triangles"},
        {"solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 2 0 0 endloop "
         "endfacet endsolid\n",
         "part.stl: no triangle has an area"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refuse(cases[i][0], strlen(cases[i][0]), cases[i][1]);
    }
}

static void wrong_calls_and_files_are_refused(void **state)
{
    (void)state;
    TactMesh *mesh = NULL;
    assert_int_equal(tact_mesh_read(tact_scratch_path("none.stl"), metres, &mesh), TACT_IO_ERROR);
    tact_scratch_said("none.stl: cannot be opened");
    assert_int_equal(tact_mesh_read(tact_scratch_path("part.step"), metres, &mesh),
                     TACT_UNSUPPORTED);
    tact_scratch_said(".stl, .obj, .dae and .msh");
    assert_int_equal(tact_mesh_read_memory("stl", "x", 1, metres, &mesh), TACT_UNSUPPORTED);
    assert_int_equal(tact_mesh_read(NULL, metres, &mesh), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_mesh_read("a.stl", metres, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_mesh_read("a.stl", (TactVec3){1, 0, 1}, &mesh), TACT_BAD_ARGUMENT);
    tact_scratch_said("the scale is (1, 0, 1)");
    assert_int_equal(tact_mesh_read("a.stl", (TactVec3){1, NAN, 1}, &mesh), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_mesh_read_memory("a.stl", NULL, 5, metres, &mesh), TACT_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_binary_file_is_read),
        cmocka_unit_test(a_binary_file_may_begin_with_solid),
        cmocka_unit_test(an_ascii_file_is_read),
        cmocka_unit_test(several_solids_are_one_mesh),
        cmocka_unit_test(a_file_is_read_by_its_path_and_scaled),
        cmocka_unit_test(a_wrong_number_of_triangles_is_refused_or_told),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(values_that_are_not_finite_are_refused_with_their_triangle),
        cmocka_unit_test(errors_in_ascii_have_their_line),
        cmocka_unit_test(wrong_calls_and_files_are_refused),
    };
    return cmocka_run_group_tests_name("io/mesh_stl", tests, tact_scratch_setup,
                                       tact_scratch_teardown);
}
