// Corners of triangles at faces of boxes in closed form: no point of the triangle is nearer, no
// direction parts them sooner. The oracle has points and directions only.
#include "collide/convex/convex.h"
#include "collide/mesh/mesh_corner.h"
#include "collide/meshes.h"
#include "collide/pair/pair.h"

static const double MARGIN = 0.05;

typedef struct Tally {
    int touching, apart, deep, beside, unsure;
} Tally;

/// How far a point is off a box; 0 inside.
static double off_box(const TactConvex *box, TactVec3 point)
{
    TactVec3      p = tact_transform_point_back(box->pose, point);
    const double *s = box->shape->size;
    TactVec3      out = {fmax(fabs(p.x) - s[0], 0), fmax(fabs(p.y) - s[1], 0),
                         fmax(fabs(p.z) - s[2], 0)};
    return tact_vec3_norm(out);
}

/// Furthest of the triangle along n, less the first of the box.
static double overlap_by_corners(const TactVec3 v[3], const TactConvex *box, TactVec3 n)
{
    const double *s = box->shape->size;
    double        end = -INFINITY, begin = INFINITY;
    for (int i = 0; i < 3; i++) {
        end = fmax(end, tact_vec3_dot(n, v[i]));
    }
    for (int i = 0; i < 8; i++) {
        TactVec3 corner = {i & 1 ? s[0] : -s[0], i & 2 ? s[1] : -s[1], i & 4 ? s[2] : -s[2]};
        begin = fmin(begin, tact_vec3_dot(n, tact_transform_point(box->pose, corner)));
    }
    return end - begin;
}

static TactVec3 point_of(const TactVec3 v[3], Random *random)
{
    double   a = random_in(random, 0, 1), b = random_in(random, 0, 1);
    TactVec3 p = v[0];
    if (a + b > 1) {
        a = 1 - a;
        b = 1 - b;
    }
    p = tact_vec3_add_scaled(p, a, tact_vec3_subtract(v[1], v[0]));
    return tact_vec3_add_scaled(p, b, tact_vec3_subtract(v[2], v[0]));
}

static void check_touch(const TactVec3 v[3], const TactConvex *a, const TactConvex *box, TactVec3 n,
                        double depth, TactVec3 on_a, TactVec3 on_b, Random *random)
{
    assert_true(fabs(tact_vec3_norm(n) - 1) < 1e-14);
    assert_true(depth >= -MARGIN);
    assert_true(fabs(overlap_by_corners(v, box, n) - depth) < 1e-13);
    TactVec3 apart = tact_vec3_subtract(on_a, on_b);
    assert_true(tact_vec3_norm(tact_vec3_add_scaled(apart, -depth, n)) < 1e-14);
    assert_true(off_box(box, on_b) < 1e-14);
    for (int i = 0; i < 60; i++) {
        if (depth < 0) {
            assert_true(off_box(box, point_of(v, random)) >= -depth - 1e-13);
        } else {
            TactVec3 other =
                i % 2 ? random_direction(random)
                      : tact_vec3_normalise(tact_vec3_add_scaled(n, 0.1, random_direction(random)));
            assert_true(overlap_by_corners(v, box, other) >= depth - 1e-13);
        }
    }
    // And as the search that it stands for says.
    TactVec3 normal, at_a, at_b;
    double   found = 0;
    assert_true(tact_pair_find_normal(a, box, MARGIN, &normal, &found, &at_a, &at_b));
    assert_true(fabs(found - depth) < 1e-10);
    assert_true(tact_vec3_dot(normal, n) > 1 - 1e-9);
}

static void check_beside(const TactVec3 v[3], const TactConvex *box, Random *random)
{
    for (int i = 0; i < 60; i++) {
        assert_true(off_box(box, point_of(v, random)) > MARGIN);
    }
}

static void try_triangle(Random *random, Tally *tally)
{
    TactShape     shape = {.type = TACT_SHAPE_BOX};
    TactTransform pose = random_pose(random, 1), own = random_pose(random, 1);
    for (int i = 0; i < 3; i++) {
        shape.size[i] = random_in(random, 0.05, 1);
    }
    // A corner near a face, the others anywhere, most of them further out.
    int      k = (int)(random_bits(random) % 3);
    double   sigma = random_bits(random) % 2 ? 1 : -1, p[3][3];
    TactVec3 v[3];
    begin();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            p[i][j] = random_in(random, -1.2, 1.2) * shape.size[j];
        }
        double out = i == 0                    ? random_in(random, -0.05, 0.07)
                     : random_bits(random) % 8 ? random_in(random, 0, 0.5)
                                               : random_in(random, -0.3, 0);
        p[i][k] = sigma * (shape.size[k] + out);
        v[i] = tact_transform_point(pose, (TactVec3){p[i][0], p[i][1], p[i][2]});
    }
    add_triangle(tact_transform_point_back(own, v[0]), tact_transform_point_back(own, v[1]),
                 tact_transform_point_back(own, v[2]));
    Made       made = finish();
    TactConvex mesh = tact_convex_make(&made.shape, &own), box = tact_convex_make(&shape, &pose);
    TactConvex a = tact_convex_make_triangle(&mesh, 0);
    TactVec3   n, on_a, on_b;
    double     depth = 0;
    switch (tact_corner_find(&a, &box, MARGIN, &n, &depth, &on_a, &on_b)) {
    case TACT_CORNER_TOUCHES:
        tally->touching++;
        tally->apart += depth < 0;
        tally->deep += depth > 0;
        check_touch(v, &a, &box, n, depth, on_a, on_b, random);
        break;
    case TACT_CORNER_BESIDE:
        tally->beside++;
        check_beside(v, &box, random);
        break;
    case TACT_CORNER_UNSURE: tally->unsure++; break;
    }
    drop(&made);
}

static void corners_are_nearest_or_deepest(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    Random random = {24};
    Tally  tally = {0};
    for (int i = 0; i < COUNT; i++) {
        try_triangle(&random, &tally);
    }
    printf("%d triangles: %d apart, %d deep, %d beside, %d left to the search\n", COUNT,
           tally.apart, tally.deep, tally.beside, tally.unsure);
    assert_true(tally.apart > COUNT / 20 && tally.deep > COUNT / 20 && tally.beside > COUNT / 20);
    assert_true(tally.unsure < 2 * COUNT / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(corners_are_nearest_or_deepest)};
    return cmocka_run_group_tests_name("collide/corner", tests, NULL, NULL);
}
