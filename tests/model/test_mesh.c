// Making meshes: checks, cleaning, and what is noticed.
#include "model/shapes.h"

static void a_box_is_taken_as_it_is(void **state)
{
    (void)state;
    TactMesh               *mesh = make_box(1, 2, 3);
    const TactMeshFindings *found = &mesh->findings;
    assert_int_equal(mesh->vertex_count, 8);
    assert_int_equal(mesh->triangle_count, 12);
    assert_memory_equal(mesh->triangles, box_triangles, sizeof box_triangles);
    assert_int_equal(found->merged_vertices, 0);
    assert_int_equal(found->unused_vertices, 0);
    assert_int_equal(found->degenerate_triangles, 0);
    assert_int_equal(found->edges, 18); // V - E + F = 2
    assert_int_equal(found->boundary_edges, 0);
    assert_int_equal(found->crowded_edges, 0);
    assert_int_equal(found->twisted_edges, 0);
    assert_true(found->watertight);
    assert_true(found->oriented);
    tact_mesh_destroy(mesh);
    tact_mesh_destroy(NULL);
}

static void equal_vertices_become_the_first_of_them(void **state)
{
    (void)state;
    TactVec3     corner[8];
    TactVec3     soup[36];
    TactTriangle triangles[12];
    box_corners(1, 1, 1, corner);
    for (int i = 0; i < 36; i++) {
        soup[i] = corner[box_triangles[i / 3].vertex[i % 3]];
        triangles[i / 3].vertex[i % 3] = i;
    }
    TactMesh *mesh = make_mesh(soup, 36, triangles, 12);
    assert_int_equal(mesh->vertex_count, 8);
    assert_int_equal(mesh->findings.merged_vertices, 28);
    assert_true(mesh->findings.watertight);
    // In the order in which they come first: 0 2 3 1 4 5 7 6.
    static const int order[8] = {0, 2, 3, 1, 4, 5, 7, 6};
    for (int i = 0; i < 8; i++) {
        assert_vec3_near(mesh->vertices[i], corner[order[i]], 0);
    }
    tact_mesh_destroy(mesh);
}

static void zero_and_minus_zero_are_one_place(void **state)
{
    (void)state;
    TactVec3     vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, -0.0}, {0, 0, 1}};
    TactTriangle triangles[] = {{{0, 2, 1}}, {{3, 1, 4}}, {{0, 4, 2}}, {{1, 2, 4}}};
    TactMesh    *mesh = make_mesh(vertices, 5, triangles, 4);
    assert_int_equal(mesh->vertex_count, 4);
    assert_true(mesh->findings.watertight);
    assert_false(signbit(mesh->vertices[0].x));
    tact_mesh_destroy(mesh);
}

static void triangles_without_area_are_dropped(void **state)
{
    (void)state;
    TactVec3     vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}, {1, 0, 0}};
    TactTriangle triangles[] = {
        {{0, 0, 1}}, // a vertex twice
        {{0, 1, 2}}, //
        {{1, 4, 2}}, // two vertices at one place
        {{0, 1, 3}}, // on a line
    };
    TactMesh *mesh = make_mesh(vertices, 5, triangles, 4);
    assert_int_equal(mesh->triangle_count, 1);
    assert_int_equal(mesh->findings.degenerate_triangles, 3);
    assert_int_equal(mesh->findings.unused_vertices, 1); // (2, 0, 0)
    tact_mesh_destroy(mesh);
}

static void a_thin_triangle_stays_as_long_as_it_has_a_normal(void **state)
{
    (void)state;
    TactVec3     vertices[] = {{1, 0, 0}, {2, 0, 0}, {1.5, 1e-9, 0}};
    TactTriangle triangle = {{0, 1, 2}};
    TactMesh    *mesh = make_mesh(vertices, 3, &triangle, 1);
    assert_int_equal(mesh->triangle_count, 1);
    tact_mesh_destroy(mesh);
}

// One side of a tetrahedron has a vertex more on an edge than its neighbour, with a triangle of no
// area between them: no gap, though the triangle goes.
static void a_sliver_that_closes_a_gap_leaves_the_mesh_watertight(void **state)
{
    (void)state;
    TactVec3     vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0}};
    TactTriangle triangles[] = {{{0, 2, 4}}, {{4, 2, 1}}, {{0, 1, 3}},
                                {{0, 4, 1}}, {{0, 3, 2}}, {{1, 2, 3}}};
    TactMesh    *mesh = make_mesh(vertices, 5, triangles, 6);
    assert_int_equal(mesh->triangle_count, 5);
    assert_int_equal(mesh->findings.degenerate_triangles, 1);
    assert_true(mesh->findings.watertight);
    assert_true(mesh->findings.oriented);
    assert_near(properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1).volume, 1.0 / 6, 1e-16);
    tact_mesh_destroy(mesh);
}

static void a_hole_is_noticed(void **state)
{
    (void)state;
    TactVec3           corner[8];
    TactMeshProperties properties;
    box_corners(1, 1, 1, corner);
    TactMesh *mesh = make_mesh(corner, 8, box_triangles, 11);
    assert_false(mesh->findings.watertight);
    assert_int_equal(mesh->findings.boundary_edges, 3);
    assert_true(mesh->findings.oriented);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &properties),
                     TACT_BAD_INPUT);
    assert_said("3 of its 18 edges");
    tact_mesh_destroy(mesh);
}

static void a_triangle_the_wrong_way_round_is_noticed(void **state)
{
    (void)state;
    TactVec3           corner[8];
    TactTriangle       triangles[12];
    TactMeshProperties properties;
    box_corners(1, 1, 1, corner);
    memcpy(triangles, box_triangles, sizeof triangles);
    triangles[4] = (TactTriangle){{0, 5, 1}};
    TactMesh *mesh = make_mesh(corner, 8, triangles, 12);
    assert_true(mesh->findings.watertight);
    assert_false(mesh->findings.oriented);
    assert_int_equal(mesh->findings.twisted_edges, 3);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &properties),
                     TACT_BAD_INPUT);
    assert_said("opposite orientations");
    tact_mesh_destroy(mesh);
}

static void a_mesh_that_is_inside_out_is_noticed(void **state)
{
    (void)state;
    TactVec3           corner[8];
    TactMeshProperties properties;
    box_corners(-1, 1, 1, corner);
    TactMesh *mesh = make_mesh(corner, 8, box_triangles, 12);
    assert_true(mesh->findings.watertight);
    assert_true(mesh->findings.oriented);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &properties),
                     TACT_BAD_INPUT);
    assert_said("inside out");
    tact_mesh_destroy(mesh);
}

// Two cubes with one edge in common: four triangles at it, two in each direction. Their volume is
// well defined.
static void two_boxes_at_an_edge_are_watertight(void **state)
{
    (void)state;
    TactVec3     corner[16];
    TactTriangle triangles[24];
    box_corners(1, 1, 1, corner);
    for (int i = 0; i < 8; i++) {
        corner[8 + i] = tact_vec3_add(corner[i], (TactVec3){2, 2, 0});
    }
    for (int i = 0; i < 12; i++) {
        triangles[i] = box_triangles[i];
        for (int k = 0; k < 3; k++) {
            triangles[12 + i].vertex[k] = 8 + box_triangles[i].vertex[k];
        }
    }
    TactMesh *mesh = make_mesh(corner, 16, triangles, 24);
    assert_int_equal(mesh->findings.merged_vertices, 2);
    assert_int_equal(mesh->findings.crowded_edges, 1);
    assert_true(mesh->findings.watertight);
    assert_true(mesh->findings.oriented);
    assert_near(properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1).volume, 16, 1e-14);
    tact_mesh_destroy(mesh);
}

static void vertices_alone_make_a_mesh_of_their_hull(void **state)
{
    (void)state;
    TactVec3 corner[9];
    box_corners(1, 2, 3, corner);
    corner[8] = (TactVec3){0.1, 0.2, 0.3};
#ifdef TACT_HAVE_QHULL
    TactMesh *mesh = make_mesh(corner, 9, NULL, 0);
    assert_int_equal(mesh->vertex_count, 9);
    assert_int_equal(mesh->triangle_count, 12);
    assert_int_equal(mesh->findings.unused_vertices, 1);
    assert_true(mesh->findings.watertight);
    assert_near(properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1).volume, 48, 1e-13);
    tact_mesh_destroy(mesh);
#else
    TactMesh *mesh = NULL;
    assert_int_equal(tact_mesh_create(corner, 9, NULL, 0, &mesh), TACT_UNSUPPORTED);
#endif
}

static void refuse(const TactVec3 *vertices, int vertex_count, const TactTriangle *triangles,
                   int triangle_count, TactStatus status, const char *words)
{
    TactMesh *mesh = (TactMesh *)1;
    assert_int_equal(tact_mesh_create(vertices, vertex_count, triangles, triangle_count, &mesh),
                     status);
    assert_said(words);
    assert_true(status == TACT_BAD_ARGUMENT || mesh == NULL);
}

static void bad_input_is_refused_with_its_index(void **state)
{
    (void)state;
    TactVec3     good[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    TactVec3     nan_y[] = {{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}};
    TactVec3     far[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, -2e30}};
    TactTriangle one = {{0, 1, 2}};
    TactTriangle three = {{0, 1, 3}};
    TactTriangle negative = {{0, -1, 2}};
    TactTriangle line = {{0, 1, 1}};
    refuse(nan_y, 3, &one, 1, TACT_BAD_INPUT, "vertex 1: y is nan");
    refuse(far, 3, &one, 1, TACT_BAD_INPUT, "vertex 2: z is -2e+30");
    refuse(good, 3, &three, 1, TACT_BAD_INPUT, "triangle 0: there is no vertex 3");
    refuse(good, 3, &negative, 1, TACT_BAD_INPUT, "triangle 0: there is no vertex -1");
    refuse(good, 3, &line, 1, TACT_BAD_INPUT, "no triangle has an area");
    refuse(good, 0, &one, 1, TACT_BAD_INPUT, "no vertices");
    refuse(good, 3, &one, 0, TACT_BAD_INPUT, "no triangles");
    refuse(NULL, 3, &one, 1, TACT_BAD_ARGUMENT, "needs vertices");
    refuse(good, -1, &one, 1, TACT_BAD_ARGUMENT, "needs vertices");
    refuse(good, 3, NULL, 1, TACT_BAD_ARGUMENT, "needs vertices");
    assert_int_equal(tact_mesh_create(good, 3, &one, 1, NULL), TACT_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_taken_as_it_is),
        cmocka_unit_test(equal_vertices_become_the_first_of_them),
        cmocka_unit_test(zero_and_minus_zero_are_one_place),
        cmocka_unit_test(triangles_without_area_are_dropped),
        cmocka_unit_test(a_thin_triangle_stays_as_long_as_it_has_a_normal),
        cmocka_unit_test(a_sliver_that_closes_a_gap_leaves_the_mesh_watertight),
        cmocka_unit_test(a_hole_is_noticed),
        cmocka_unit_test(a_triangle_the_wrong_way_round_is_noticed),
        cmocka_unit_test(a_mesh_that_is_inside_out_is_noticed),
        cmocka_unit_test(two_boxes_at_an_edge_are_watertight),
        cmocka_unit_test(vertices_alone_make_a_mesh_of_their_hull),
        cmocka_unit_test(bad_input_is_refused_with_its_index),
    };
    return cmocka_run_group_tests_name("model/mesh", tests, NULL, NULL);
}
