// Distances where meshes and height fields take part, against all triangles with all others.
#include <tact/model.h>

#include "collide/meshes.h"
#include "collide/triangles.h"

/// A chain of fixtures: a mesh that is convex, one that is not, an open one, and a field of hills.
enum { RING, CONVEX, OPEN, HILLS, MESHES };

typedef struct Fixture {
    Made meshes[MESHES];
} Fixture;

static Soup soup_a, soup_b;

static Made make_open(void)
{
    begin(); // a bent sheet of four triangles
    add_quad((TactVec3){-0.5, -0.5, 0}, (TactVec3){0, -0.5, 0.2}, (TactVec3){0, 0.5, 0.2},
             (TactVec3){-0.5, 0.5, 0});
    add_quad((TactVec3){0, -0.5, 0.2}, (TactVec3){0.6, -0.4, 0}, (TactVec3){0.5, 0.5, -0.1},
             (TactVec3){0, 0.5, 0.2});
    return finish();
}

static Made make_hills(void)
{
    double          height[5 * 4];
    Random          random = {14};
    TactHeightField field = {
        .rows = 5, .columns = 4, .half = {0.7, 0.8}, .top = 0.5, .base = 0.2, .height = height};
    TactMesh *mesh = NULL;
    for (int i = 0; i < 5 * 4; i++) {
        height[i] = random_in(&random, 0, 1);
    }
    assert_int_equal(tact_heightfield_to_mesh(&field, &mesh), TACT_OK);
    assert_true(mesh->findings.watertight && mesh->findings.oriented);
    return make_ready(mesh);
}

/// The distance and points agree with each other, and the points are on the meshes.
static void check_points(const TactDistance *d, const char *name)
{
    TactVec3 apart = tact_vec3_subtract(d->on_b, d->on_a);
    assert_within(tact_vec3_norm(d->normal), 1, 1e-12, name);
    assert_within(tact_vec3_norm(tact_vec3_add_scaled(apart, -d->distance, d->normal)), 0, 1e-9,
                  name);
}

static void meshes_are_as_far_apart_as_their_nearest_triangles(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < MESHES; i++) {
        for (int j = i; j < MESHES; j++) {
            Random random = {60 + (uint64_t)(MESHES * i + j)};
            int    apart = 0, crossing = 0, inside = 0;
            for (int k = 0; k < pose_count() / 8; k++) {
                TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
                const Made   *a = &f->meshes[i], *b = &f->meshes[j];
                TactDistance  d;
                char          name[64];
                snprintf(name, sizeof name, "meshes %d-%d, pose %d", i, j, k);
                place_triangles(a->mesh, &pose_a, &soup_a);
                place_triangles(b->mesh, &pose_b, &soup_b);
                double gap = soup_gap(&soup_a, &soup_b);
                assert_int_equal(
                    tact_shape_compute_distance(&a->shape, &pose_a, &b->shape, &pose_b, &d),
                    TACT_OK);
                check_points(&d, name);
                assert_int_equal(tact_shape_overlaps(&a->shape, &pose_a, &b->shape, &pose_b),
                                 d.distance < 0);
                bool held = (a->mesh->findings.watertight &&
                             is_inside_soup(&soup_a, soup_b.triangles[0].v[0])) ||
                            (b->mesh->findings.watertight &&
                             is_inside_soup(&soup_b, soup_a.triangles[0].v[0]));
                if (gap == 0) {
                    crossing++;
                    if (!(d.distance <= 0)) {
                        fail_msg("%s: surfaces cross, but distance %g", name, d.distance);
                    }
                } else if (held) {
                    inside++;
                    assert_true(d.distance < 0);
                } else {
                    apart++;
                    assert_within(d.distance, gap, 1e-11, name);
                    assert_within(distance_to_soup(d.on_a, &soup_a), 0, 1e-12, name);
                    assert_within(distance_to_soup(d.on_b, &soup_b), 0, 1e-12, name);
                }
            }
            assert_true(apart > 5 && crossing > 5);
            (void)inside;
        }
    }
}

static void
meshes_are_as_far_from_convex_shapes_as_a_search_over_their_triangles_tells(void **state)
{
    Fixture                   *f = *state;
    static const TactShapeType types[] = {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE,
                                          TACT_SHAPE_CYLINDER, TACT_SHAPE_BOX,
                                          TACT_SHAPE_ELLIPSOID};
    const double               tol = 2e-8; // of the oracle, which is from above
    for (int i = 0; i < MESHES; i++) {
        for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
            Random random = {90 + (uint64_t)(10 * i) + t};
            int    apart = 0, crossing = 0;
            for (int k = 0; k < pose_count() / 40; k++) {
                TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
                TactShape     b = random_shape(&random, types[t], NULL);
                const Made   *a = &f->meshes[i];
                TactDistance  d;
                char          name[64];
                snprintf(name, sizeof name, "mesh %d-%s, pose %d", i, shape_name(b.type), k);
                place_triangles(a->mesh, &pose_a, &soup_a);
                double gap = soup_shape_gap(&soup_a, &b, &pose_b);
                assert_int_equal(tact_shape_compute_distance(&a->shape, &pose_a, &b, &pose_b, &d),
                                 TACT_OK);
                check_points(&d, name);
                bool held =
                    a->mesh->findings.watertight && is_inside_soup(&soup_a, pose_b.position);
                if (gap > tol && !held) {
                    apart++;
                    if (!(d.distance <= gap + 1e-11 && d.distance >= gap - tol - 1e-11)) {
                        fail_msg("%s: %.12g, expected %.12g", name, d.distance, gap);
                    }
                    assert_within(distance_to_soup(d.on_a, &soup_a), 0, 1e-12, name);
                    assert_within(distance_to_shape(&b, &pose_b, d.on_b), 0, 1e-9, name);
                } else if (gap == 0 || held) {
                    crossing++;
                    if (!(d.distance <= 0)) {
                        fail_msg("%s: they overlap, but distance %g", name, d.distance);
                    }
                }
            }
            assert_true(apart > 5 && crossing > 1);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Closed forms

static void a_mesh_of_a_box_is_as_far_from_a_ball_as_the_box(void **state)
{
    (void)state;
    const double half[3] = {0.5, 0.4, 0.3};
    Random       random = {71};
    Made         mesh = make_box(half, 3);
    TactShape    box = {.type = TACT_SHAPE_BOX, .size = {0.5, 0.4, 0.3}};
    int          inside = 0;
    for (int k = 0; k < pose_count(); k++) {
        TactShape     ball = {.type = TACT_SHAPE_SPHERE, .size = {random_in(&random, 0.01, 0.4)}};
        TactTransform pose_a = random_pose(&random, 0.4), pose_b = random_pose(&random, 0.4);
        TactDistance  d, e;
        assert_int_equal(tact_shape_compute_distance(&mesh.shape, &pose_a, &ball, &pose_b, &d),
                         TACT_OK);
        assert_int_equal(tact_shape_compute_distance(&box, &pose_a, &ball, &pose_b, &e), TACT_OK);
        assert_within(d.distance, e.distance, 1e-11, "ball in, at or outside of a box");
        inside += outside_of(&box, &pose_a, pose_b.position) < 0;
        // the other way round
        TactDistance back;
        assert_int_equal(tact_shape_compute_distance(&ball, &pose_b, &mesh.shape, &pose_a, &back),
                         TACT_OK);
        assert_true(back.distance == d.distance && back.normal.x == -d.normal.x &&
                    back.on_a.x == d.on_b.x);
    }
    assert_true(inside > pose_count() / 10);
    drop(&mesh);
}

static void a_box_inside_of_a_ring_of_walls_is_outside_of_the_mesh(void **state)
{
    (void)state;
    Made          ring = make_torus(1, 0.2, 24, 12);
    TactShape     ball = {.type = TACT_SHAPE_SPHERE, .size = {0.3}};
    TactTransform at = tact_transform_identity();
    TactDistance  d;
    assert_int_equal(tact_shape_compute_distance(&ring.shape, &at, &ball, &at, &d), TACT_OK);
    // in the hole, 0.8 from the innermost edges, at the apothem of a side of 24
    assert_within(d.distance, 0.8 * cos(3.14159265358979323846 / 24) - 0.3, 1e-12, "in the hole");
    TactTransform tube = at;
    tube.position.x = 1; // in the tube: 12 sides of 0.2, 24 around
    ball.size[0] = 0.05;
    assert_int_equal(tact_shape_compute_distance(&ring.shape, &at, &ball, &tube, &d), TACT_OK);
    assert_true(d.distance < -0.15 && d.distance > -0.26);
    drop(&ring);
}

static void a_plane_is_as_far_as_the_lowest_vertex(void **state)
{
    Fixture  *f = *state;
    Random    random = {72};
    TactShape plane = {.type = TACT_SHAPE_PLANE};
    for (int k = 0; k < pose_count(); k++) {
        const Made   *mesh = &f->meshes[k % MESHES];
        TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        TactDistance  d;
        double        least = INFINITY;
        place_triangles(mesh->mesh, &pose_b, &soup_b);
        for (int i = 0; i < 3 * soup_b.count; i++) {
            TactVec3 p = tact_transform_point_back(pose_a, soup_b.triangles[i / 3].v[i % 3]);
            least = fmin(least, p.z);
        }
        assert_int_equal(tact_shape_compute_distance(&plane, &pose_a, &mesh->shape, &pose_b, &d),
                         TACT_OK);
        assert_within(d.distance, least, 1e-12, "plane");
        check_points(&d, "plane");
    }
}

static void two_planes_have_no_distance(void **state)
{
    (void)state;
    TactShape     plane = {.type = TACT_SHAPE_PLANE};
    TactTransform at = tact_transform_identity();
    TactDistance  d;
    assert_int_equal(tact_shape_compute_distance(&plane, &at, &plane, &at, &d), TACT_UNSUPPORTED);
    assert_false(tact_shape_overlaps(&plane, &at, &plane, &at));
}

// ---------------------------------------------------------------------------------------------
// What must not change anything

static TactShape other_shape(const Fixture *f, Random *random, int k)
{
    static const TactShapeType types[] = {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE,
                                          TACT_SHAPE_CYLINDER, TACT_SHAPE_BOX,
                                          TACT_SHAPE_ELLIPSOID};
    return k % 9 < MESHES ? f->meshes[k % 9].shape
                          : random_shape(random, types[k % 9 - MESHES], NULL);
}

static void exchange_and_motion_change_no_distance_and_paths_are_continuous(void **state)
{
    Fixture *f = *state;
    Random   random = {73};
    for (int k = 0; k < pose_count(); k++) {
        TactShape     a = f->meshes[k / 9 % MESHES].shape, b = other_shape(f, &random, k);
        TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1.5);
        TactTransform move = random_pose(&random, 2);
        TactTransform moved_a = tact_transform_multiply(move, pose_a);
        TactTransform moved_b = tact_transform_multiply(move, pose_b);
        TactDistance  d, e, m, s;
        assert_int_equal(tact_shape_compute_distance(&a, &pose_a, &b, &pose_b, &d), TACT_OK);
        assert_int_equal(tact_shape_compute_distance(&b, &pose_b, &a, &pose_a, &e), TACT_OK);
        assert_int_equal(tact_shape_compute_distance(&a, &moved_a, &b, &moved_b, &m), TACT_OK);
        pose_b.position = tact_vec3_add_scaled(pose_b.position, 0.01, random_direction(&random));
        assert_int_equal(tact_shape_compute_distance(&a, &pose_a, &b, &pose_b, &s), TACT_OK);
        assert_int_equal(d.distance > 0, e.distance > 0);
        if (d.distance > 0) {
            assert_within(e.distance, d.distance, 1e-11, "exchange");
            assert_within(m.distance, d.distance, 1e-11, "motion");
        }
        if (d.distance > 0 && s.distance > 0) { // 1-Lipschitz
            assert_true(fabs(s.distance - d.distance) <= 0.01 + 1e-11);
        }
    }
}

// ---------------------------------------------------------------------------------------------

static int set_up(void **state)
{
    static Fixture fixture;
    fixture.meshes[RING] = make_torus(0.6, 0.2, 6, 4);
    fixture.meshes[CONVEX] = make_prism(0.5, 0.4, 5);
    fixture.meshes[OPEN] = make_open();
    fixture.meshes[HILLS] = make_hills();
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < MESHES; i++) {
        drop(&f->meshes[i]);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_as_far_apart_as_their_nearest_triangles),
        cmocka_unit_test(
            meshes_are_as_far_from_convex_shapes_as_a_search_over_their_triangles_tells),
        cmocka_unit_test(a_mesh_of_a_box_is_as_far_from_a_ball_as_the_box),
        cmocka_unit_test(a_box_inside_of_a_ring_of_walls_is_outside_of_the_mesh),
        cmocka_unit_test(a_plane_is_as_far_as_the_lowest_vertex),
        cmocka_unit_test(two_planes_have_no_distance),
        cmocka_unit_test(exchange_and_motion_change_no_distance_and_paths_are_continuous),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
