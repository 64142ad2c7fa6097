// Volume, centre and inertia against closed forms.
#include "model/shapes.h"

// Box of half sides a, b, c: m/3 (b^2 + c^2) and so on.
static void a_box_has_the_inertia_of_a_box(void **state)
{
    (void)state;
    TactMesh *mesh = make_box(0.5, 1, 2);
    for (int kind = TACT_MESH_INERTIA_LEGACY; kind <= TACT_MESH_INERTIA_CONVEX; kind++) {
#ifndef TACT_HAVE_QHULL
        if (kind == TACT_MESH_INERTIA_CONVEX) {
            continue;
        }
#endif
        TactMeshProperties box = properties_of(mesh, (TactMeshInertia)kind, 3);
        assert_near(box.volume, 8, 1e-14);
        assert_near(box.area, 28, 1e-13);
        assert_near(box.inertia.mass, 24, 1e-13);
        assert_vec3_near(box.inertia.com, (TactVec3){0, 0, 0}, 1e-15);
        TactVec3 diagonal = {24.0 / 3 * 5, 24.0 / 3 * 4.25, 24.0 / 3 * 1.25};
        assert_mat3_near(box.inertia.rotary, tact_mat3_diagonal(diagonal), 1e-13);
    }
    tact_mesh_destroy(mesh);
}

// Hollow cube of side 2: six plates of area 4. A plate at distance 1 along x, of mass m: m (1/3 +
// 1/3) about x, m (1/3 + 1) about y and z. About x: 2 m 2/3 + 4 m 4/3 = 20/3 m.
static void a_shell_has_the_inertia_of_its_plates(void **state)
{
    (void)state;
    TactMesh          *mesh = make_box(1, 1, 1);
    TactMeshProperties shell = properties_of(mesh, TACT_MESH_INERTIA_SHELL, 0.5);
    double             moment = 20.0 / 3 * 2;
    assert_near(shell.volume, 0, 0);
    assert_near(shell.area, 24, 1e-13);
    assert_near(shell.inertia.mass, 12, 1e-14);
    assert_mat3_near(shell.inertia.rotary, tact_mat3_diagonal((TactVec3){moment, moment, moment}),
                     1e-13);
    tact_mesh_destroy(mesh);
}

// Corner tetrahedron 0, e1, e2, e3: V = 1/6, centre (1/4, 1/4, 1/4), about the centre of mass with
// m = 1: diagonal 3/40, products: integral of x y = 1/120 - 1/6/16, so I_xy = -(1/20 - 1/16) =
// 1/80.
static void a_tetrahedron_has_its_closed_form(void **state)
{
    (void)state;
    TactVec3           vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    TactTriangle       triangles[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};
    TactMesh          *mesh = make_mesh(vertices, 4, triangles, 4);
    TactMeshProperties solid = properties_of(mesh, TACT_MESH_INERTIA_EXACT, 6);
    TactMat3           expected = {{{3.0 / 40, 1.0 / 80, 1.0 / 80},
                                    {1.0 / 80, 3.0 / 40, 1.0 / 80},
                                    {1.0 / 80, 1.0 / 80, 3.0 / 40}}};
    assert_near(solid.volume, 1.0 / 6, 1e-16);
    assert_near(solid.area, 1.5 + sqrt(3) / 2, 1e-15);
    assert_near(solid.inertia.mass, 1, 1e-15);
    assert_vec3_near(solid.inertia.com, (TactVec3){0.25, 0.25, 0.25}, 1e-15);
    assert_mat3_near(solid.inertia.rotary, expected, 1e-15);
    tact_mesh_destroy(mesh);
}

// Of a tetrahedron with corners x_i and centre c, m = 1: integral of (x-c)(x-c)' is the sum of
// (x_i - c)(x_i - c)' / 20. Moved by a rigid motion the tensor turns with it.
static void random_tetrahedra_agree_with_their_corners_and_turn_with_them(void **state)
{
    (void)state;
    static const TactTriangle triangles[] = {{{0, 2, 1}}, {{0, 1, 3}}, {{0, 3, 2}}, {{1, 2, 3}}};

    TactRandom random = tact_random_seed(1);
    for (int n = 0; n < 200; n++) {
        TactVec3 x[4];
        TactVec3 c = {0, 0, 0};
        for (int i = 0; i < 4; i++) {
            x[i] = random_point(&random);
            c = tact_vec3_add_scaled(c, 0.25, x[i]);
        }
        TactVec3 a = tact_vec3_subtract(x[1], x[0]);
        TactVec3 b = tact_vec3_subtract(x[2], x[0]);
        double   det = tact_vec3_dot(tact_vec3_cross(a, b), tact_vec3_subtract(x[3], x[0]));
        if (fabs(det) < 1e-2) {
            continue;
        }
        if (det < 0) {
            TactVec3 swapped = x[1];
            x[1] = x[2];
            x[2] = swapped;
        }
        TactMat3 S = {{{0}}};
        for (int i = 0; i < 4; i++) {
            TactVec3 r = tact_vec3_subtract(x[i], c);
            S = tact_mat3_add(S, tact_mat3_scale(0.05, tact_mat3_outer(r, r)));
        }
        double        trace = S.m[0][0] + S.m[1][1] + S.m[2][2];
        TactInertia   expected = {1, c,
                                  tact_mat3_add(tact_mat3_diagonal((TactVec3){trace, trace, trace}),
                                                tact_mat3_scale(-1, S))};
        TactTransform move = random_transform(&random);
        for (int moved = 0; moved < 2; moved++) {
            TactMesh          *mesh = make_mesh(x, 4, triangles, 4);
            TactMeshProperties solid = properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1);
            assert_near(solid.volume, fabs(det) / 6, 1e-14);
            tact_mesh_properties_set_mass(&solid, 1);
            assert_near(solid.inertia.mass, 1, 0);
            assert_vec3_near(solid.inertia.com, expected.com, 1e-13);
            assert_mat3_near(solid.inertia.rotary, expected.rotary, 1e-13);
            tact_mesh_destroy(mesh);
            for (int i = 0; i < 4; i++) {
                x[i] = tact_transform_point(move, x[i]);
            }
            expected = tact_inertia_transform(move, expected);
        }
    }
}

// Octahedron |x| + |y| + |z| <= r: V = 4/3 r^3, I = m r^2 / 5.
static void an_octahedron_far_away_keeps_its_inertia(void **state)
{
    (void)state;
    static const TactTriangle triangles[8] = {
        {{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}},
        {{2, 0, 5}}, {{1, 2, 5}}, {{3, 1, 5}}, {{0, 3, 5}},
    };

    TactVec3 vertices[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    TactVec3 far = {1024, -2048, 4096}; // the sums are exact
    for (int i = 0; i < 6; i++) {
        vertices[i] = tact_vec3_add(vertices[i], far);
    }
    TactMesh          *mesh = make_mesh(vertices, 6, triangles, 8);
    TactMeshProperties solid = properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1);
    double             moment = 4.0 / 15;
    assert_near(solid.volume, 4.0 / 3, 1e-12);
    assert_vec3_near(solid.inertia.com, far, 1e-12);
    assert_mat3_near(solid.inertia.rotary, tact_mat3_diagonal((TactVec3){moment, moment, moment}),
                     1e-12);
    tact_mesh_destroy(mesh);
}

/// Triangles of a sphere of n meridians and m parallels, as a function of n and m.
static TactMesh *make_globe(int n, int m)
{
    static TactVec3     vertices[4000];
    static TactTriangle triangles[8000];

    int          count = 0;
    const double pi = acos(-1);
    vertices[0] = (TactVec3){0, 0, 1};
    vertices[1] = (TactVec3){0, 0, -1};
    for (int i = 1; i < m; i++) {
        for (int k = 0; k < n; k++) {
            double down = pi * i / m;
            double round = 2 * pi * k / n;
            vertices[2 + (i - 1) * n + k] =
                (TactVec3){sin(down) * cos(round), sin(down) * sin(round), cos(down)};
        }
    }
    for (int k = 0; k < n; k++) {
        int next = (k + 1) % n;
        int last = 2 + (m - 2) * n;
        triangles[count++] = (TactTriangle){{0, 2 + k, 2 + next}};
        triangles[count++] = (TactTriangle){{1, last + next, last + k}};
        for (int i = 0; i + 2 < m; i++) {
            int a = 2 + i * n;
            triangles[count++] = (TactTriangle){{a + k, a + n + k, a + n + next}};
            triangles[count++] = (TactTriangle){{a + k, a + n + next, a + next}};
        }
    }
    return make_mesh(vertices, 2 + (m - 1) * n, triangles, count);
}

// Between parallels the polyhedron is a frustum over regular n-gons of radii r, R and height h:
// V = A_n h (r^2 + r R + R^2) / 3 with A_n = n/2 sin(2 pi / n).
static void a_globe_has_the_volume_of_its_frusta(void **state)
{
    (void)state;
    const double pi = acos(-1);
    int          n = 24;
    int          m = 12;
    double       expected = 0;
    for (int i = 0; i < m; i++) {
        double r = sin(pi * i / m);
        double R = sin(pi * (i + 1) / m);
        double h = cos(pi * i / m) - cos(pi * (i + 1) / m);
        expected += n / 2.0 * sin(2 * pi / n) * h * (r * r + r * R + R * R) / 3;
    }
    TactMesh *mesh = make_globe(n, m);
    assert_true(mesh->findings.watertight);
    assert_near(properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1).volume, expected, 1e-14);
    assert_near(properties_of(mesh, TACT_MESH_INERTIA_LEGACY, 1).volume, expected, 1e-14);
    tact_mesh_destroy(mesh);
}

// A polyhedron inside the unit ball converges to it quadratically: errors of V, A and I fall by 4
// when both numbers double.
static void finer_globes_converge_to_the_ball(void **state)
{
    (void)state;
    const double pi = acos(-1);
    double       error[2][3];
    for (int k = 0; k < 2; k++) {
        TactMesh          *mesh = make_globe(40 << k, 20 << k);
        TactMeshProperties solid = properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1);
        TactMeshProperties shell = properties_of(mesh, TACT_MESH_INERTIA_SHELL, 1);
        error[k][0] = 4 * pi / 3 - solid.volume;
        error[k][1] = 4 * pi - shell.inertia.mass;
        error[k][2] = 8 * pi / 15 - solid.inertia.rotary.m[2][2];
        tact_mesh_destroy(mesh);
    }
    for (int i = 0; i < 3; i++) {
        assert_near(error[0][i] / error[1][i], 4, 0.1);
    }
}

/// A cup: a box with half sides 1 1 1, hollowed from above down to z = 0 by one of 0.5 0.5.
static TactMesh *make_cup(void)
{
    TactVec3 vertices[16];
    box_corners(1, 1, 1, vertices);
    box_corners(0.5, 0.5, 0.5, vertices + 8);
    for (int i = 8; i < 16; i++) {
        vertices[i].z += 0.5; // from 0 to 1
    }
    static const TactTriangle triangles[28] = {
        {{0, 2, 3}},   {{0, 3, 1}},    {{0, 1, 5}},    {{0, 5, 4}},    {{2, 6, 7}},
        {{2, 7, 3}},   {{0, 4, 6}},    {{0, 6, 2}},    {{1, 3, 7}},    {{1, 7, 5}}, // outside
        {{4, 5, 13}},  {{4, 13, 12}},  {{5, 7, 15}},   {{5, 15, 13}},  {{7, 6, 14}},
        {{7, 14, 15}}, {{6, 4, 12}},   {{6, 12, 14}}, // rim
        {{8, 9, 11}},  {{8, 11, 10}},  {{8, 12, 13}},  {{8, 13, 9}},   {{9, 13, 15}},
        {{9, 15, 11}}, {{11, 15, 14}}, {{11, 14, 10}}, {{10, 14, 12}}, {{10, 12, 8}}, // inside
    };
    return make_mesh(vertices, 16, triangles, 28);
}

// V = 8 - 1, its hull 8; I_zz = 8 * 2/3 - 1 * (1/12 + 1/12).
static void a_cup_is_less_than_its_hull_and_legacy_is_neither(void **state)
{
    (void)state;
    TactMesh *mesh = make_cup();
    assert_true(mesh->findings.watertight);
    assert_true(mesh->findings.oriented);
    TactMeshProperties exact = properties_of(mesh, TACT_MESH_INERTIA_EXACT, 1);
    assert_near(exact.volume, 7, 1e-14);
    assert_vec3_near(exact.inertia.com, (TactVec3){0, 0, -0.5 / 7}, 1e-15);
    assert_near(exact.inertia.rotary.m[2][2], 16.0 / 3 - 1.0 / 6, 1e-13);
#ifdef TACT_HAVE_QHULL
    TactMeshProperties hull = properties_of(mesh, TACT_MESH_INERTIA_CONVEX, 1);
    assert_near(hull.volume, 8, 1e-14);
    assert_near(hull.area, 24, 1e-13);
    assert_vec3_near(hull.inertia.com, (TactVec3){0, 0, 0}, 1e-15);
#endif
    // Areas: bottom 4 at -1, sides 16 at 0, rim 3 at 1, the hollow's floor 1 at 0, its sides 4 at
    // 1/2. So the middle of the surface lies at s = (-4 + 3 + 2) / 28. From there the pyramids are:
    // bottom 4 (1 + s)/3, sides 16/3, rim 3 (1 - s)/3, floor 1 |0 - s|/3, inner sides 4 * 0.5 / 3.
    // 'legacy' adds them all up for the centre of mass; then again from that centre.
    double s = 1.0 / 28;
    double part[5] = {4 * (1 + s) / 3, 16.0 / 3, 3 * (1 - s) / 3, s / 3, 2.0 / 3};
    double height[5] = {-1, 0, 1, 0, 0.5};
    double sum = 0;
    double com = 0;
    for (int i = 0; i < 5; i++) {
        sum += part[i];
        com += part[i] * (0.75 * height[i] + 0.25 * s);
    }
    com /= sum;
    TactMeshProperties legacy = properties_of(mesh, TACT_MESH_INERTIA_LEGACY, 1);
    assert_near(legacy.inertia.com.z, com, 1e-15);
    assert_near(legacy.volume, 4 * (1 + com) / 3 + 16.0 / 3 + (1 - com) + fabs(com) / 3 + 2.0 / 3,
                1e-14);
    tact_mesh_destroy(mesh);
}

static void an_open_box_has_no_exact_volume(void **state)
{
    (void)state;
    TactVec3           corner[8];
    TactMeshProperties properties;
    box_corners(1, 1, 1, corner);
    TactMesh *mesh = make_mesh(corner, 8, box_triangles + 2, 10); // without its bottom
    assert_int_equal(mesh->findings.boundary_edges, 4);
    assert_near(properties_of(mesh, TACT_MESH_INERTIA_SHELL, 1).inertia.mass, 20, 1e-13);
    assert_true(properties_of(mesh, TACT_MESH_INERTIA_LEGACY, 1).volume > 6);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, &properties),
                     TACT_BAD_INPUT);
    tact_mesh_destroy(mesh);
}

// The box [-1, 1]^3 without its bottom: areas 4 at z = 1 and 16 at 0, so the middle of the surface
// lies at s = 1/5. Pyramids from there: top 4 (1 - s) / 3, sides 16 / 3; the bottom's is missing.
static void an_open_box_is_closed_towards_the_middle(void **state)
{
    (void)state;
    TactVec3 corner[8];
    box_corners(1, 1, 1, corner);
    TactMesh          *mesh = make_mesh(corner, 8, box_triangles + 2, 10);
    TactMeshProperties closed = properties_of(mesh, TACT_MESH_INERTIA_CLOSED, 1);
    double             s = 0.2;
    double             top = 4 * (1 - s) / 3;
    double             com = (top * (0.75 + 0.25 * s) + 16.0 / 3 * 0.25 * s) / (top + 16.0 / 3);
    assert_near(closed.inertia.com.z, com, 1e-15);
    assert_near(closed.volume, 4 * (1 - com) / 3 + 16.0 / 3, 1e-14);
    tact_mesh_destroy(mesh);

    mesh = make_box(1, 2, 3); // nothing to close
    TactMeshProperties box = properties_of(mesh, TACT_MESH_INERTIA_CLOSED, 1);
    assert_near(box.volume, 48, 1e-13);
    tact_mesh_destroy(mesh);
}

static void a_flat_sheet_has_a_shell_but_no_volume(void **state)
{
    (void)state;
    TactVec3           vertices[] = {{0, 0, 5}, {1, 0, 5}, {1, 1, 5}, {0, 1, 5}};
    TactTriangle       triangles[] = {{{0, 1, 2}}, {{0, 2, 3}}};
    TactMeshProperties properties;
    TactMesh          *mesh = make_mesh(vertices, 4, triangles, 2);
    TactMeshProperties shell = properties_of(mesh, TACT_MESH_INERTIA_SHELL, 12);
    assert_near(shell.inertia.rotary.m[0][0], 1, 1e-14); // m a^2 / 12
    assert_near(shell.inertia.rotary.m[2][2], 2, 1e-14);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_LEGACY, 1, &properties),
                     TACT_BAD_INPUT);
    assert_said("flat");
    tact_mesh_destroy(mesh);
}

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    TactMesh          *mesh = make_box(1, 1, 1);
    TactMeshProperties p;
    assert_int_equal(tact_mesh_compute_properties(NULL, TACT_MESH_INERTIA_EXACT, 1, &p),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, 1, NULL),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, -1, &p),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_mesh_compute_properties(mesh, TACT_MESH_INERTIA_EXACT, NAN, &p),
                     TACT_BAD_ARGUMENT);
    assert_int_equal(tact_mesh_compute_properties(mesh, (TactMeshInertia)9, 1, &p),
                     TACT_BAD_ARGUMENT);
    tact_mesh_destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_the_inertia_of_a_box),
        cmocka_unit_test(a_shell_has_the_inertia_of_its_plates),
        cmocka_unit_test(a_tetrahedron_has_its_closed_form),
        cmocka_unit_test(random_tetrahedra_agree_with_their_corners_and_turn_with_them),
        cmocka_unit_test(an_octahedron_far_away_keeps_its_inertia),
        cmocka_unit_test(a_globe_has_the_volume_of_its_frusta),
        cmocka_unit_test(finer_globes_converge_to_the_ball),
        cmocka_unit_test(a_cup_is_less_than_its_hull_and_legacy_is_neither),
        cmocka_unit_test(an_open_box_has_no_exact_volume),
        cmocka_unit_test(an_open_box_is_closed_towards_the_middle),
        cmocka_unit_test(a_flat_sheet_has_a_shell_but_no_volume),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests_name("model/mesh_properties", tests, NULL, NULL);
}
