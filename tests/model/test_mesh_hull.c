// Convex hulls against an oracle that knows no hull: every plane, every edge, every point.
#include "model/shapes.h"

#ifdef TACT_HAVE_QHULL

static TactHull *make_hull(const TactVec3 *points, int count, double merge_tol)
{
    TactHullConfig config = tact_hull_config_default();
    TactHull      *hull = NULL;
    config.merge_tol = merge_tol;
    if (tact_hull_create(points, count, &config, &hull) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return hull;
}

static TactVec3 area_of(const TactHull *hull, const TactHullFace *face)
{
    TactVec3        sum = {0, 0, 0};
    const TactVec3 *x = hull->vertices;
    TactVec3        first = x[hull->edges[face->first].origin];
    for (int k = 1; k + 1 < face->count; k++) {
        TactVec3 a = tact_vec3_subtract(x[hull->edges[face->first + k].origin], first);
        TactVec3 b = tact_vec3_subtract(x[hull->edges[face->first + k + 1].origin], first);
        sum = tact_vec3_add_scaled(sum, 0.5, tact_vec3_cross(a, b));
    }
    return sum;
}

/// No point beyond a plane by more than rounding; no corner of a face below it by more than the
/// tolerance that the hull says.
static void check_planes(const TactHull *hull, const TactVec3 *points, int count, double rounding)
{
    for (int f = 0; f < hull->face_count; f++) {
        const TactHullFace *face = &hull->faces[f];
        assert_near(tact_vec3_norm(face->normal), 1, 1e-14);
        assert_true(tact_vec3_dot(face->normal, area_of(hull, face)) > 0);
        for (int i = 0; i < count; i++) {
            assert_true(tact_vec3_dot(face->normal, points[i]) <= face->offset + rounding);
        }
        for (int k = 0; k < face->count; k++) {
            TactVec3 x = hull->vertices[hull->edges[face->first + k].origin];
            double   below = face->offset - tact_vec3_dot(face->normal, x);
            assert_true(below <= 3 * hull->merge_tol + rounding);
        }
    }
}

/// A closed surface of simple polygons in the order that the header promises.
static void check_surface(const TactHull *hull, const TactVec3 *points)
{
    int edges = 0;
    assert_int_equal(2 * hull->vertex_count - hull->edge_count + 2 * hull->face_count, 4);
    for (int f = 0; f < hull->face_count; f++) {
        const TactHullFace *face = &hull->faces[f];
        assert_int_equal(face->first, edges);
        assert_true(face->count >= 3);
        edges += face->count;
        for (int e = face->first; e < edges; e++) {
            const TactHullEdge *edge = &hull->edges[e];
            assert_int_equal(edge->face, f);
            assert_int_equal(hull->edges[edge->twin].twin, e);
            assert_true(hull->edges[edge->twin].face != f);
            assert_int_equal(tact_hull_target(hull, e),
                             hull->edges[tact_hull_next(hull, e)].origin);
            assert_true(e == face->first || edge->origin > hull->edges[face->first].origin);
        }
        if (f > 0) { // two faces share two vertices at most, so three of them tell all apart
            const TactHullEdge *a = &hull->edges[hull->faces[f - 1].first];
            const TactHullEdge *b = &hull->edges[face->first];
            int                 k = 0;
            while (a[k].origin == b[k].origin) {
                k++;
            }
            assert_true(k < 3 && a[k].origin < b[k].origin);
        }
    }
    assert_int_equal(edges, hull->edge_count);
    int around = 0;
    for (int v = 0; v < hull->vertex_count; v++) {
        assert_vec3_near(hull->vertices[v], points[hull->source[v]], 0);
        assert_true(v == 0 || hull->source[v] > hull->source[v - 1]);
        int edge = hull->vertex_edge[v];
        do {
            assert_int_equal(hull->edges[edge].origin, v);
            around++;
            edge = tact_hull_next_around(hull, edge);
        } while (edge != hull->vertex_edge[v]);
    }
    assert_int_equal(around, hull->edge_count);
}

static void check_hull(const TactHull *hull, const TactVec3 *points, int count, double rounding)
{
    check_surface(hull, points);
    check_planes(hull, points, count, rounding);
}

static double volume_of(const TactHull *hull)
{
    TactMesh *mesh = NULL;
    assert_int_equal(tact_hull_to_mesh(hull, &mesh), TACT_OK);
    assert_true(mesh->findings.watertight);
    assert_true(mesh->findings.oriented);
    double volume = properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1).volume;
    tact_mesh_destroy(mesh);
    return volume;
}

// ---------------------------------------------------------------------------------------------
// Random points

/// Six times the volume of the tetrahedron a b c d, with the sign of its orientation.
static double orient(TactVec3 a, TactVec3 b, TactVec3 c, TactVec3 d)
{
    return tact_vec3_dot(tact_vec3_cross(tact_vec3_subtract(b, a), tact_vec3_subtract(c, a)),
                         tact_vec3_subtract(d, a));
}

/// Three points are a face if all others lie on one side of their plane: O(n^4).
static double volume_by_force(const TactVec3 *x, int n)
{
    TactVec3 middle = {0, 0, 0};
    double   volume = 0;
    for (int i = 0; i < n; i++) {
        middle = tact_vec3_add_scaled(middle, 1.0 / n, x[i]);
    }
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j < n; j++) {
            for (int k = j + 1; k < n; k++) {
                int above = 0;
                int below = 0;
                for (int l = 0; l < n; l++) {
                    double side = l == i || l == j || l == k ? 0 : orient(x[i], x[j], x[k], x[l]);
                    above += side > 0;
                    below += side < 0;
                }
                if (above == 0 || below == 0) {
                    volume += fabs(orient(x[i], x[j], x[k], middle)) / 6;
                }
            }
        }
    }
    return volume;
}

static void random_points_have_the_volume_that_brute_force_finds(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(2);
    TactVec3   x[30];
    for (int run = 0; run < 60; run++) {
        int n = 4 + run % 27;
        for (int i = 0; i < n; i++) {
            x[i] = random_point(&random);
        }
        TactHull *hull = make_hull(x, n, run % 2 ? 1e-6 : 0);
        check_hull(hull, x, n, 1e-14);
        assert_near(volume_of(hull), volume_by_force(x, n), 1e-13);
        tact_hull_destroy(hull);
    }
}

static void a_thousand_points_in_a_ball_and_on_a_sphere_are_enclosed(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    TactVec3   x[1000];
    for (int run = 0; run < 6; run++) {
        for (int i = 0; i < 1000; i++) {
            x[i] = (TactVec3){tact_random_normal(&random), tact_random_normal(&random),
                              tact_random_normal(&random)};
            x[i] = run % 2 ? tact_vec3_normalise(x[i]) : x[i];
            x[i] = tact_vec3_add(tact_vec3_scale(run < 4 ? 1 : 1e-3, x[i]),
                                 (TactVec3){run < 2 ? 0 : 100, 0, 0});
        }
        TactHull *hull = make_hull(x, 1000, 1e-6);
        check_hull(hull, x, 1000, 1e-12);
        // On a sphere all are vertices, but for points closer together than the tolerance.
        assert_true(run % 2 == 0 || hull->vertex_count > 990);
        tact_hull_destroy(hull);
    }
}

static void the_same_points_give_the_same_hull(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(4);
    TactVec3   x[200];
    for (int i = 0; i < 200; i++) {
        x[i] = random_point(&random);
    }
    TactHull *one = make_hull(x, 200, 1e-6);
    TactHull *two = make_hull(x, 200, 1e-6);
    assert_int_equal(one->face_count, two->face_count);
    assert_int_equal(one->edge_count, two->edge_count);
    assert_memory_equal(one->edges, two->edges, (size_t)one->edge_count * sizeof *one->edges);
    assert_memory_equal(one->faces, two->faces, (size_t)one->face_count * sizeof *one->faces);
    tact_hull_destroy(one);
    tact_hull_destroy(two);
}

// ---------------------------------------------------------------------------------------------
// Polygons

/// Numbers of faces by their numbers of sides.
static void count_sides(const TactHull *hull, int sides[65])
{
    memset(sides, 0, 65 * sizeof(int));
    for (int f = 0; f < hull->face_count; f++) {
        sides[hull->faces[f].count < 64 ? hull->faces[f].count : 64]++;
    }
}

static void a_box_has_six_sides_however_it_is_turned_and_rounded(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    for (int run = 0; run < 100; run++) {
        TactVec3      x[8];
        int           sides[65];
        TactTransform move = random_transform(&random);
        box_corners(0.1, 0.2, 0.3, x);
        for (int i = 0; i < 8; i++) {
            x[i] = tact_transform_point(move, x[i]);
            x[i] = (TactVec3){(float)x[i].x, (float)x[i].y, (float)x[i].z}; // as STL has it
        }
        TactHull *hull = make_hull(x, 8, 1e-6);
        check_hull(hull, x, 8, 1e-14);
        count_sides(hull, sides);
        assert_int_equal(hull->face_count, 6);
        assert_int_equal(sides[4], 6);
        assert_int_equal(hull->vertex_count, 8);
        tact_hull_destroy(hull);
    }
}

// Points on a grid: 8 corners are vertices, all others lie on sides and edges.
static void points_on_sides_and_edges_of_a_cube_are_not_vertices(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(6);
    TactVec3   x[216];
    for (int run = 0; run < 20; run++) {
        TactTransform move = run ? random_transform(&random) : tact_transform_identity();
        int           sides[65];
        for (int i = 0; i < 216; i++) {
            x[i] = (TactVec3){i % 6, i / 6 % 6, i / 36 % 6};
            x[i] = tact_transform_point(move, tact_vec3_scale(0.1, x[i]));
            if (run > 10) {
                x[i] = (TactVec3){(float)x[i].x, (float)x[i].y, (float)x[i].z};
            }
        }
        TactHull *hull = make_hull(x, 216, 1e-6);
        check_hull(hull, x, 216, 1e-13);
        count_sides(hull, sides);
        assert_int_equal(hull->vertex_count, 8);
        assert_int_equal(sides[4], 6);
        assert_near(volume_of(hull), 0.125, 1e-7);
        tact_hull_destroy(hull);
    }
}

static void a_cylinder_has_two_lids_and_as_many_sides(void **state)
{
    (void)state;
    enum { N = 48 };
    TactRandom   random = tact_random_seed(7);
    const double pi = acos(-1);
    for (int run = 0; run < 20; run++) {
        TactVec3      x[2 * N];
        int           sides[65];
        TactTransform move = random_transform(&random);
        for (int i = 0; i < 2 * N; i++) {
            double angle = 2 * pi * (i / 2) / N;
            x[i] = (TactVec3){cos(angle), sin(angle), i % 2 ? 1 : -1};
            x[i] = tact_transform_point(move, x[i]);
            x[i] = (TactVec3){(float)x[i].x, (float)x[i].y, (float)x[i].z};
        }
        TactHull *hull = make_hull(x, 2 * N, 1e-6);
        check_hull(hull, x, 2 * N, 1e-13);
        count_sides(hull, sides);
        assert_int_equal(sides[4], N);
        assert_int_equal(sides[N], 2);
        assert_int_equal(hull->vertex_count, 2 * N);
        assert_near(volume_of(hull), N * sin(2 * pi / N), 1e-5);
        tact_hull_destroy(hull);
    }
}

static void without_tolerance_only_rounding_joins_faces(void **state)
{
    (void)state;
    TactVec3 x[8];
    box_corners(1, 1, 1, x);
    TactHull *hull = make_hull(x, 8, 0);
    assert_int_equal(hull->face_count, 6);
    assert_near(hull->merge_tol, 0, 0);
    tact_hull_destroy(hull);
    x[7].x += 1e-9; // three of its sides are two triangles each
    hull = make_hull(x, 8, 0);
    check_hull(hull, x, 8, 1e-14);
    assert_true(hull->face_count > 6);
    tact_hull_destroy(hull);
    hull = make_hull(x, 8, 1e-6);
    assert_int_equal(hull->face_count, 6);
    tact_hull_destroy(hull);
}

// A plate as thin as the least that is accepted keeps its two sides apart.
static void a_thin_plate_has_two_sides(void **state)
{
    (void)state;
    TactVec3 x[8];
    box_corners(1, 1, 3e-6, x);
    TactHull *hull = make_hull(x, 8, 1e-6);
    check_hull(hull, x, 8, 1e-14);
    assert_int_equal(hull->face_count, 6);
    tact_hull_destroy(hull);
}

// Grids with noise of every size between rounding and the tolerance, and beyond: whatever the
// faces are, the surface is closed and nothing lies outside.
static void noisy_grids_make_closed_hulls(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(8);
    TactVec3   x[343];
    for (int run = 0; run < 200; run++) {
        double        noise = pow(10, -17 + run / 20.0 * 1.5);
        TactTransform move = random_transform(&random);
        for (int i = 0; i < 343; i++) {
            TactVec3 grid = {i % 7, i / 7 % 7, i / 49};
            x[i] = tact_vec3_add_scaled(grid, noise, random_point(&random));
            x[i] = tact_transform_point(move, x[i]);
        }
        TactHull *hull = make_hull(x, 343, run % 3 ? 1e-6 : 0);
        check_hull(hull, x, 343, 1e-13);
        tact_hull_destroy(hull);
    }
}

// A hull that is there weighs what the mesh weighs inside its hull; joining faces of a box that was
// stored in single precision changes that by the tolerance.
static void a_hull_weighs_as_much_as_the_mesh_inside_it(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(11);
    TactTransform move = random_transform(&random);
    TactVec3      x[8];
    box_corners(1, 2, 3, x);
    for (int i = 0; i < 8; i++) {
        x[i] = tact_transform_point(move, x[i]);
        x[i] = (TactVec3){(float)x[i].x, (float)x[i].y, (float)x[i].z};
    }
    TactMesh          *mesh = make_mesh(x, 8, box_triangles, 12);
    TactMeshProperties convex = properties_of(mesh, TACT_MESH_INERTIA_CONVEX, 2);
    TactHull          *hull = make_hull(x, 8, 1e-6);
    TactMeshProperties joined;
    assert_int_equal(tact_hull_compute_properties(hull, 2, &joined), TACT_OK);
    assert_near(joined.inertia.mass, convex.inertia.mass, convex.area * hull->merge_tol);
    assert_near(joined.inertia.mass, 96, 1e-4);
    assert_vec3_near(joined.inertia.com, move.position, 1e-6);
    assert_int_equal(tact_hull_compute_properties(NULL, 1, &joined), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_hull_compute_properties(hull, NAN, &joined), TACT_BAD_ARGUMENT);
    tact_hull_destroy(hull);
    tact_mesh_destroy(mesh);
}

// ---------------------------------------------------------------------------------------------
// Limits and errors

static void a_limit_of_vertices_is_kept(void **state)
{
    (void)state;
    TactRandom     random = tact_random_seed(9);
    TactHullConfig config = tact_hull_config_default();
    TactVec3       x[300];
    for (int i = 0; i < 300; i++) {
        x[i] = tact_vec3_normalise(random_point(&random));
    }
    for (int limit = 4; limit < 60; limit += 7) {
        TactHull *hull = NULL;
        config.max_vertices = limit;
        assert_int_equal(tact_hull_create(x, 300, &config, &hull), TACT_OK);
        check_surface(hull, x);
        assert_true(hull->vertex_count <= limit);
        assert_true(hull->vertex_count >= limit - 2); // on a sphere hardly any is covered again
        tact_hull_destroy(hull);
    }
}

static void refuse(const TactVec3 *points, int count, TactStatus status, const char *words)
{
    TactHullConfig config = tact_hull_config_default();
    TactHull      *hull = NULL;
    assert_int_equal(tact_hull_create(points, count, &config, &hull), status);
    assert_null(hull);
    assert_said(words);
}

static void points_without_a_volume_are_refused(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(10);
    TactTransform move = random_transform(&random);
    TactVec3      plane[100];
    TactVec3      line[100];
    TactVec3      place[100];
    for (int i = 0; i < 100; i++) {
        TactVec3 x = random_point(&random);
        plane[i] = tact_transform_point(move, (TactVec3){x.x, x.y, 0});
        line[i] = tact_transform_point(move, (TactVec3){x.x, 0, 0});
        place[i] = move.position;
    }
    refuse(plane, 100, TACT_BAD_INPUT, "lie in a plane");
    refuse(line, 100, TACT_BAD_INPUT, "lie on a line");
    refuse(place, 100, TACT_BAD_INPUT, "at one place");
    refuse(plane, 3, TACT_BAD_INPUT, "at least 4 points");
    refuse(plane, 0, TACT_BAD_INPUT, "at least 4 points");
    plane[7].z = INFINITY;
    refuse(plane, 100, TACT_BAD_INPUT, "vertex 7: z is inf");
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    TactHullConfig config = tact_hull_config_default();
    TactHull      *hull = NULL;
    TactVec3       x[8];
    box_corners(1, 1, 1, x);
    assert_int_equal(tact_hull_create(x, 8, NULL, &hull), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_hull_create(x, 8, &config, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_hull_create(NULL, 8, &config, &hull), TACT_BAD_ARGUMENT);
    config.max_vertices = 3;
    assert_int_equal(tact_hull_create(x, 8, &config, &hull), TACT_BAD_ARGUMENT);
    config = tact_hull_config_default();
    config.merge_tol = NAN;
    assert_int_equal(tact_hull_create(x, 8, &config, &hull), TACT_BAD_ARGUMENT);
    config = (TactHullConfig){.merge_tol = 1e-6};
    assert_int_equal(tact_hull_create(x, 8, &config, &hull), TACT_BAD_ARGUMENT);
    assert_said("tact_hull_config_default");
    assert_int_equal(tact_hull_to_mesh(NULL, NULL), TACT_BAD_ARGUMENT);
    tact_hull_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_points_have_the_volume_that_brute_force_finds),
        cmocka_unit_test(a_thousand_points_in_a_ball_and_on_a_sphere_are_enclosed),
        cmocka_unit_test(the_same_points_give_the_same_hull),
        cmocka_unit_test(a_box_has_six_sides_however_it_is_turned_and_rounded),
        cmocka_unit_test(points_on_sides_and_edges_of_a_cube_are_not_vertices),
        cmocka_unit_test(a_cylinder_has_two_lids_and_as_many_sides),
        cmocka_unit_test(without_tolerance_only_rounding_joins_faces),
        cmocka_unit_test(a_thin_plate_has_two_sides),
        cmocka_unit_test(noisy_grids_make_closed_hulls),
        cmocka_unit_test(a_hull_weighs_as_much_as_the_mesh_inside_it),
        cmocka_unit_test(a_limit_of_vertices_is_kept),
        cmocka_unit_test(points_without_a_volume_are_refused),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests_name("model/mesh_hull", tests, NULL, NULL);
}

#else

int main(void)
{
    printf("skipped: this build has no qhull\n");
    return 0;
}

#endif
