// OBJ files, and polygons cut into triangles.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/mesh.h>

#include "io/mesh/mesh_parts.h"
#include "io/scratch.h"

static const TactVec3 metres = {1, 1, 1};

static TactMesh *read_text(const char *text)
{
    TactMesh *mesh = NULL;
    if (tact_mesh_read_memory("part.obj", text, strlen(text), metres, &mesh) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return mesh;
}

static TactMeshProperties solid_of(const TactMesh *mesh)
{
    TactMeshProperties solid = {0};
    if (tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &solid) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return solid;
}

#define CUBE_VERTICES "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"

#define QUADRANGLES "f 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"

static void a_cube_of_quadrangles_in_every_notation(void **state)
{
    (void)state;
    static const char *const faces[] = {
        "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n",
        "f 1/1 3/1 4/1 2/1\nf 5//1 6//1 8//1 7//1\nf 1/2/3 2/2/3 6/2/3 5/2/3\n" QUADRANGLES,
        "f -8 -6 -5 -7\nf -4 -3 -1 -2\nf -8/1/1 -7 -3 -4\n" QUADRANGLES,
        "f 1 3 \\\n 4 2\nf 5 6 8 7 \r\nf\t1 2 6 5\nf 3 7 8\\\r\n4\nf 1 5 7 3\nf 2 4 8 6",
    };
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "# a cube\nmtllib none.mtl\no cube\nvn 0 0 1\nvt 0 0\n" CUBE_VERTICES
                 "usemtl red\ns off\ng side\n%s",
                 faces[i]);
        tact_scratch_listen();
        TactMesh *mesh = read_text(text);
        assert_int_equal(mesh->vertex_count, 8);
        assert_int_equal(mesh->triangle_count, 12);
        assert_true(fabs(solid_of(mesh).volume - 1) < 1e-15);
        assert_int_equal(tact_scratch_warnings(), 0);
        tact_mesh_destroy(mesh);
    }
}

static void weights_and_colours_of_vertices_are_passed_over(void **state)
{
    (void)state;
    TactMesh *mesh = read_text("v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1.0\nv 0 0 1\n"
                               "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    assert_true(fabs(solid_of(mesh).volume - 1.0 / 6) < 1e-15);
    tact_mesh_destroy(mesh);
}

static void lines_points_and_unknown_words_are_told_once(void **state)
{
    (void)state;
    tact_scratch_listen();
    TactMesh *mesh = read_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\np 1\ncurv 0 1\nf 1 2 3\n");
    assert_int_equal(mesh->triangle_count, 1);
    assert_int_equal(tact_scratch_warnings(), 1);
    assert_true(tact_scratch_heard("part.obj:4: 'l' is passed over"));
    tact_mesh_destroy(mesh);
}

static void vertices_without_faces_make_a_hull(void **state)
{
    (void)state;
#ifdef TACT_HAVE_QHULL
    TactMesh *mesh = read_text(CUBE_VERTICES);
    assert_true(fabs(solid_of(mesh).volume - 1) < 1e-15);
    tact_mesh_destroy(mesh);
#endif
}

static void errors_have_their_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"v 0 0\n", "part.obj:1: the line ends where z of a vertex was expected"},
        {"#\n\nv 0 0 x\n", "part.obj:3: expected z of a vertex (a number), found 'x'"},
        {"v 0 nan 0\n", "part.obj:1: y of a vertex is not a number"},
        {"v 0 1e400 0\n", "part.obj:1: y of a vertex exceeds"},
        {"v 0 1e31 0\nv 0 0 0\nv 1 0 0\nf 1 2 3\n", "part.obj: vertex 0: y is 1e+31"},
        {"v 0 0 0\nf 1 1\n", "part.obj:2: a face has 2 vertices"},
        {"v 0 0 0\nf\n", "part.obj:2: a face has 0 vertices"},
        {"v 0 0 0\nf 1 \\\n 1 2\n", "part.obj:3: a face has vertex 2, but there are 1 so far"},
        {"v 0 0 0\nf 1 0 1\n", "part.obj:2: a face has vertex 0"},
        {"v 0 0 0\nf 1 -2 1\n", "part.obj:2: a face has vertex -2"},
        {"v 0 0 0\nf 1 a 1\n", "part.obj:2: expected a vertex of a face (an integer), found 'a'"},
        {"v 0 0 0\nf 1 /1 1\n", "part.obj:2: expected a vertex of a face, found '/1'"},
        {"v 0 0 0\nf 1 99999999999 1\n", "part.obj:2: a vertex of a face is 99999999999"},
        {"# nothing\n", "part.obj: has no vertices"},
        {"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "part.obj: no triangle has an area"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TactMesh *mesh = NULL;
        assert_int_equal(
            tact_mesh_read_memory("part.obj", cases[i][0], strlen(cases[i][0]), metres, &mesh),
            TACT_BAD_INPUT);
        assert_null(mesh);
        tact_scratch_said(cases[i][1]);
    }
    TactMesh *mesh = NULL;
    assert_int_equal(tact_mesh_read_memory("part.obj", "v 0 0 0\0", 8, metres, &mesh),
                     TACT_BAD_INPUT);
    tact_scratch_said("zero byte");
}

// ---------------------------------------------------------------------------------------------
// Polygons

static double shoelace(const TactVec3 *x, const int *loop, int n)
{
    double area = 0;
    for (int i = 0; i < n; i++) {
        TactVec3 a = x[loop[i]];
        TactVec3 b = x[loop[(i + 1) % n]];
        area += (a.x * b.y - a.y * b.x) / 2;
    }
    return area;
}

/// Cuts a plane polygon and checks that its triangles, none turned over, fill it.
static void check_cut(const TactVec3 *x, int n)
{
    TactMeshParts parts = {0};
    int           list[64];
    int           loop[64];
    for (int i = 0; i < n; i++) {
        assert_int_equal(tact_mesh_parts_add_vertex(&parts, x[i]), TACT_OK);
        list[i] = loop[i] = i;
    }
    assert_int_equal(tact_mesh_parts_add_polygon(&parts, list, n), TACT_OK);
    assert_int_equal(parts.triangle_count, n - 2);
    double area = 0;
    for (int i = 0; i < parts.triangle_count; i++) {
        double part = shoelace(x, parts.triangles[i].vertex, 3);
        assert_true(part >= -1e-15);
        area += part;
    }
    assert_true(fabs(area - shoelace(x, loop, n)) < 1e-13);
    tact_mesh_parts_destroy(&parts);
}

static void quadrangles_are_cut_along_the_diagonal_inside(void **state)
{
    (void)state;
    // An arrowhead, started at each of its corners.
    static const TactVec3 arrow[4] = {{0, 0, 0}, {2, -1, 0}, {0.5, 0, 0}, {2, 1, 0}};
    for (int start = 0; start < 4; start++) {
        TactVec3 x[4];
        for (int i = 0; i < 4; i++) {
            x[i] = arrow[(start + i) % 4];
        }
        check_cut(x, 4);
    }
}

static void quadrangles_are_cut_along_the_shorter_diagonal(void **state)
{
    (void)state;
    for (int turn = 0; turn < 2; turn++) {
        TactMeshParts parts = {0};
        int           list[4] = {turn, 1 + turn, 2 + turn, (3 + turn) % 4};
        TactVec3      x[4] = {{0, 0, 0}, {1, -3, 0}, {2, 0, 0}, {1, 3, 0}}; // 0 2 is shorter
        for (int i = 0; i < 4; i++) {
            assert_int_equal(tact_mesh_parts_add_vertex(&parts, x[i]), TACT_OK);
        }
        assert_int_equal(tact_mesh_parts_add_polygon(&parts, list, 4), TACT_OK);
        for (int i = 0; i < 2; i++) {
            const int *v = parts.triangles[i].vertex;
            assert_int_equal((v[0] == 0) + (v[1] == 0) + (v[2] == 0), 1);
            assert_int_equal((v[0] == 2) + (v[1] == 2) + (v[2] == 2), 1);
        }
        tact_mesh_parts_destroy(&parts);
    }
}

static void stars_combs_and_convex_polygons_are_filled(void **state)
{
    (void)state;
    const double pi = acos(-1);
    for (int n = 5; n <= 60; n++) {
        TactVec3 star[64];
        TactVec3 comb[64];
        TactVec3 round[64];
        int      even = n - n % 2;
        for (int i = 0; i < n; i++) {
            double angle = 2 * pi * i / n;
            double radius = i % 2 ? 0.3 : 1;
            star[i] = (TactVec3){radius * cos(angle), radius * sin(angle), 0};
            round[i] = (TactVec3){cos(angle), sin(angle), 0};
            comb[i] = (TactVec3){i, i % 2 ? 5 : 1, 0};
        }
        // A comb: teeth upwards, then back along the bottom.
        for (int i = 0; i < even - 2; i++) {
            comb[i] = (TactVec3){even - i, i % 2 ? 5 : 1, 0};
        }
        comb[even - 2] = (TactVec3){0, 0, 0};
        comb[even - 1] = (TactVec3){even, 0, 0};
        check_cut(star, n);
        check_cut(round, n);
        if (even >= 6) {
            check_cut(comb, even);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Numbers

static void numbers_are_read_as_strtod_reads_them(void **state)
{
    (void)state;
    static const char *const plain[] = {
        "0",
        "-0",
        "1",
        "-1.5",
        ".5",
        "5.",
        "+3",
        "1e5",
        "1E-5",
        "1e+22",
        "1e23",
        "1e-22",
        "1e-23",
        "123456789012345678",
        "9007199254740993",
        "0.1234567890123456789",
        "1.7976931348623157e308",
        "4.9e-324",
        "2.2250738585072011e-308",
        "00000000000000000000001",
        "1e0000000000005",
        "14.16401000",
        "-0.000001",
        "6.02214076e23",
        "0x1p3",
    };
    TactRandom random = tact_random_seed(1);
    TactText   text;
    assert_int_equal(tact_text_copy(&text, "n", "", 0), TACT_OK);
    for (int i = 0; i < 5000; i++) {
        char        made[64];
        const char *word = plain[i % (int)(sizeof plain / sizeof *plain)];
        if (i >= 100) {
            double value = tact_random_uniform(&random, -1, 1) *
                           pow(10, floor(tact_random_uniform(&random, -25, 25)));
            snprintf(made, sizeof made, "%.*g", 1 + i % 18, value);
            word = made;
        }
        double value = 0;
        assert_int_equal(tact_mesh_real(&text, (TactWord){word, strlen(word)}, "x", &value),
                         TACT_OK);
        double expected = strtod(word, NULL);
        assert_memory_equal(&value, &expected, sizeof value);
    }
    static const char *const wrong[] = {"", "-", ".", "e5", "1e", "1e+", "1x", "--1", "1.2.3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double value = 0;
        assert_int_equal(tact_mesh_real(&text, (TactWord){wrong[i], strlen(wrong[i])}, "x", &value),
                         TACT_BAD_INPUT);
    }
    tact_text_close(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_of_quadrangles_in_every_notation),
        cmocka_unit_test(weights_and_colours_of_vertices_are_passed_over),
        cmocka_unit_test(lines_points_and_unknown_words_are_told_once),
        cmocka_unit_test(vertices_without_faces_make_a_hull),
        cmocka_unit_test(errors_have_their_line),
        cmocka_unit_test(quadrangles_are_cut_along_the_diagonal_inside),
        cmocka_unit_test(quadrangles_are_cut_along_the_shorter_diagonal),
        cmocka_unit_test(stars_combs_and_convex_polygons_are_filled),
        cmocka_unit_test(numbers_are_read_as_strtod_reads_them),
    };
    return cmocka_run_group_tests_name("io/mesh_obj", tests, tact_scratch_setup,
                                       tact_scratch_teardown);
}
