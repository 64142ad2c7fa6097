// Pairs that have closed forms, written out here.
#include "collide/poses.h"

static double clamp(double x, double low, double high)
{
    return fmax(low, fmin(x, high));
}

/// Squared distance of the segments p + s u, q + t v with |s| <= a, |t| <= b: the least of the four
/// ends against the other segment and of the lines if both feet are inside.
static double segment_distance(TactVec3 p, TactVec3 u, double a, TactVec3 q, TactVec3 v, double b)
{
    double   least = INFINITY;
    TactVec3 r = tact_vec3_subtract(q, p);
    double   uv = tact_vec3_dot(u, v), ur = tact_vec3_dot(u, r), vr = tact_vec3_dot(v, r);
    for (int k = 0; k < 4; k++) {
        double s = k & 1 ? a : -a, t = k & 1 ? b : -b;
        if (k < 2) {
            t = clamp(uv * s - vr, -b, b);
        } else {
            s = clamp(uv * t + ur, -a, a);
        }
        TactVec3 d = tact_vec3_add_scaled(tact_vec3_add_scaled(r, t, v), -s, u);
        least = fmin(least, tact_vec3_norm(d));
    }
    double det = 1 - uv * uv, s = (ur - uv * vr) / det, t = (uv * ur - vr) / det;
    if (det > 1e-12 && fabs(s) <= a && fabs(t) <= b) {
        TactVec3 d = tact_vec3_add_scaled(tact_vec3_add_scaled(r, t, v), -s, u);
        least = fmin(least, tact_vec3_norm(d));
    }
    return least;
}

static TactVec3 axis_of(const TactTransform *pose)
{
    return tact_quat_rotate(pose->rotation, (TactVec3){0, 0, 1});
}

static void spheres_and_capsules_have_the_distance_of_their_axes(void **state)
{
    (void)state;
    Random        random = {11};
    TactTouchList list = {0};
    for (int k = 0; k < pose_count(); k++) {
        TactShape a = random_shape(&random, k & 1 ? TACT_SHAPE_SPHERE : TACT_SHAPE_CAPSULE, NULL);
        TactShape b = random_shape(&random, k & 2 ? TACT_SHAPE_SPHERE : TACT_SHAPE_CAPSULE, NULL);
        TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        TactDistance  d;
        double        half_a = a.type == TACT_SHAPE_CAPSULE ? a.size[1] : 0;
        double        half_b = b.type == TACT_SHAPE_CAPSULE ? b.size[1] : 0;
        double apart = segment_distance(pose_a.position, axis_of(&pose_a), half_a, pose_b.position,
                                        axis_of(&pose_b), half_b) -
                       a.size[0] - b.size[0];
        assert_int_equal(tact_shape_compute_distance(&a, &pose_a, &b, &pose_b, &d), TACT_OK);
        assert_within(d.distance, apart, 1e-11, "distance");
        tact_touch_list_clear(&list);
        assert_int_equal(tact_collide(&a, &pose_a, &b, &pose_b, 0.02, &list), TACT_OK);
        assert_int_equal(list.count > 0, apart <= 0.02);
        if (list.count > 0) {
            assert_within(deepest_of(&list), -apart, 5e-7, "depth");
        }
    }
    tact_touch_list_destroy(&list);
}

static void a_sphere_in_or_near_a_box_has_the_distance_of_its_centre(void **state)
{
    (void)state;
    Random random = {12};
    for (int k = 0; k < pose_count(); k++) {
        TactShape     box = random_shape(&random, TACT_SHAPE_BOX, NULL);
        TactShape     ball = random_shape(&random, TACT_SHAPE_SPHERE, NULL);
        TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        TactVec3      p = tact_transform_point_back(pose_a, pose_b.position);
        TactVec3 out = {fabs(p.x) - box.size[0], fabs(p.y) - box.size[1], fabs(p.z) - box.size[2]};
        TactVec3 beyond = {fmax(out.x, 0), fmax(out.y, 0), fmax(out.z, 0)};
        double   inside = fmin(fmax(out.x, fmax(out.y, out.z)), 0);
        TactDistance d;
        assert_int_equal(tact_shape_compute_distance(&box, &pose_a, &ball, &pose_b, &d), TACT_OK);
        assert_within(d.distance, tact_vec3_norm(beyond) + inside - ball.size[0], 1e-11,
                      "distance");
    }
}

static void the_distance_of_a_plane_is_how_far_a_shape_reaches(void **state)
{
    (void)state;
    Random        random = {13};
    TactHull     *hull = random_hull(&random, 30);
    TactShape     plane = {.type = TACT_SHAPE_PLANE};
    TactTouchList list = {0};
    for (int type = TACT_SHAPE_SPHERE; type < (hull ? TACT_SHAPE_HULL + 1 : TACT_SHAPE_HULL);
         type++) {
        for (int k = 0; k < pose_count(); k++) {
            TactShape     b = random_shape(&random, (TactShapeType)type, hull);
            TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
            TactVec3      n = axis_of(&pose_a);
            double        depth =
                reach_along(&b, &pose_b, tact_vec3_negate(n)) + tact_vec3_dot(n, pose_a.position);
            TactDistance d;
            assert_int_equal(tact_shape_compute_distance(&plane, &pose_a, &b, &pose_b, &d),
                             TACT_OK);
            assert_within(d.distance, -depth, 1e-12, "distance");
            tact_touch_list_clear(&list);
            assert_int_equal(tact_collide(&plane, &pose_a, &b, &pose_b, 0, &list), TACT_OK);
            if (depth > 1e-12) {
                // a cap that lies flat has 16 points of its rim (face.c)
                double tol = type == TACT_SHAPE_CYLINDER ? 4e-5 : 2e-9;
                assert_within(deepest_of(&list), depth, tol, shape_name(b.type));
            } else if (depth < -1e-12) {
                assert_int_equal(list.count, 0);
            }
        }
    }
    tact_touch_list_destroy(&list);
    tact_hull_destroy(hull);
}

/// Ellipsoids whose axes are the same are balls: one point, and normals to the last digits, however
/// near they are.
static void round_ellipsoids_touch_as_balls_do(void **state)
{
    static const double depths[5] = {-1e-2, -1e-5, 0, 1e-5, 1e-2};
    (void)state;
    Random        random = {31};
    TactTouchList list = {0};
    double        worst = 0;
    for (int k = 0; k < pose_count(); k++) {
        double        r = 0.1 + 0.001 * (k % 7), s = 0.08 + 0.002 * (k % 11), depth = depths[k % 5];
        TactShape     a = {.type = TACT_SHAPE_ELLIPSOID, .size = {r, r, r}};
        TactShape     b = {.type = TACT_SHAPE_ELLIPSOID, .size = {s, s, s}};
        TactTransform pose_a = random_pose(&random, 1), pose_b = random_pose(&random, 1);
        TactVec3      n = axis_of(&pose_b);
        pose_b.position = tact_vec3_add_scaled(pose_a.position, r + s - depth, n);
        tact_touch_list_clear(&list);
        assert_int_equal(tact_collide(&a, &pose_a, &b, &pose_b, 0.02, &list), TACT_OK);
        assert_int_equal(list.count, 1);
        assert_within(list.touches[0].depth, depth, 1e-12, "depth");
        worst = fmax(worst, tact_vec3_norm(tact_vec3_subtract(list.touches[0].normal, n)));
    }
    assert_true(worst <= 1e-8);
    tact_touch_list_destroy(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_and_capsules_have_the_distance_of_their_axes),
        cmocka_unit_test(round_ellipsoids_touch_as_balls_do),
        cmocka_unit_test(a_sphere_in_or_near_a_box_has_the_distance_of_its_centre),
        cmocka_unit_test(the_distance_of_a_plane_is_how_far_a_shape_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
