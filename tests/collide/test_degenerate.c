// Poses that random ones never are: no NaN, no endless loop, a unit normal, a depth that is right.
#include "collide/poses.h"

static const TactShapeType types[] = {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE,   TACT_SHAPE_CYLINDER,
                                      TACT_SHAPE_BOX,    TACT_SHAPE_ELLIPSOID, TACT_SHAPE_HULL};
enum { TYPES = sizeof types / sizeof types[0] };

static TactHull *cube(double half)
{
    TactVec3       p[8];
    TactHull      *hull = NULL;
    TactHullConfig config = tact_hull_config_default();
    for (int i = 0; i < 8; i++) {
        p[i] = (TactVec3){i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half};
    }
    return tact_hull_create(p, 8, &config, &hull) == TACT_OK ? hull : NULL;
}

static TactShape make(TactShapeType type, double scale, const TactHull *hull)
{
    TactShape shape = {
        .type = type, .size = {scale, scale, scale}, .hull = type == TACT_SHAPE_HULL ? hull : NULL};
    return shape;
}

/// Depth along the normal is what shapes have along it; nothing in the list is worse than a number.
static void check(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                  const TactTransform *pose_b, double scale)
{
    char          name[96];
    TactDistance  d;
    TactTouchList list = {0};
    snprintf(name, sizeof name, "%s-%s, scale %g, at %g %g %g", shape_name(a->type),
             shape_name(b->type), scale, pose_b->position.x, pose_b->position.y,
             pose_b->position.z);
    assert_int_equal(tact_shape_compute_distance(a, pose_a, b, pose_b, &d), TACT_OK);
    assert_within(tact_vec3_norm(d.normal), 1, 1e-12, name);
    // Distances tell a turn of the normal by sqrt(eps) from none only in their last digit; the
    // separation along it changes by that times the size, 2 scale. Lines all but parallel do this.
    assert_within(-overlap_along(a, pose_a, b, pose_b, d.normal), d.distance, 3e-8 * scale, name);
    assert_true(isfinite(d.on_a.x + d.on_a.y + d.on_a.z + d.on_b.x + d.on_b.y + d.on_b.z));
    assert_int_equal(tact_collide(a, pose_a, b, pose_b, 0.01 * scale, &list), TACT_OK);
    if (d.distance < 0.009 * scale && list.count == 0) {
        fail_msg("%s: distance %g and no point", name, d.distance);
    }
    for (int i = 0; i < list.count; i++) {
        const TactTouch *t = &list.touches[i];
        assert_within(tact_vec3_norm(t->normal), 1, 1e-12, name);
        assert_true(isfinite(t->depth) && isfinite(t->point.x + t->point.y + t->point.z));
        if (!(t->depth <= -d.distance + 1e-6 * scale)) {
            fail_msg("%s: point %d has depth %g, shapes have %g", name, i, t->depth, -d.distance);
        }
    }
    assert_true(list.count <= 64);
    tact_touch_list_destroy(&list);
}

static void poses_on_a_grid_are_handled_at_all_scales(void **state)
{
    (void)state;
    static const double at[] = {0, 1e-12, 1e-6, 0.5, 1, 1.9999999, 2, 2.0000001, 2.5};
    enum { AT = sizeof at / sizeof at[0] };
    for (double scale = 1e-4; scale < 2e4; scale *= 100) {
        TactHull *hull = cube(scale);
        for (int i = 0; i < TYPES; i++) {
            for (int j = 0; j < TYPES; j++) {
                TactShape a = make(types[i], scale, hull), b = make(types[j], scale, hull);
                if (!hull && (types[i] == TACT_SHAPE_HULL || types[j] == TACT_SHAPE_HULL)) {
                    continue;
                }
                for (int k = 0; k < AT * AT * AT; k += 2) {
                    double        turn = k % 3 == 0 ? 0 : k % 3 == 1 ? 0.78539816339744831 : 1e-9;
                    TactVec3      axis = {k % 5 == 0, k % 5 == 1, k % 5 > 1};
                    TactTransform pose_a = tact_transform_identity(), pose_b;
                    pose_b.rotation = tact_quat_from_axis_angle(axis, turn);
                    pose_b.position = (TactVec3){scale * at[k % AT], scale * at[k / AT % AT],
                                                 scale * at[k / AT / AT]};
                    check(&a, &pose_a, &b, &pose_b, scale);
                }
            }
        }
        tact_hull_destroy(hull);
    }
}

static void one_inside_the_other_and_very_different_sizes_are_handled(void **state)
{
    (void)state;
    Random    random = {4};
    TactHull *large = cube(1), *small = cube(1e-4);
    for (int i = 0; i < TYPES; i++) {
        for (int j = 0; j < TYPES && large && small; j++) {
            TactShape a = make(types[i], 1, large), b = make(types[j], 1e-4, small);
            for (int k = 0; k < 40; k++) {
                TactTransform pose_a = random_pose(&random, 0.1);
                TactTransform pose_b = random_pose(&random, k % 2 ? 0.4 : 1.2);
                pose_b.position = k == 0 ? pose_a.position : pose_b.position;
                check(&a, &pose_a, &b, &pose_b, 1);
                check(&b, &pose_b, &a, &pose_a, 1);
            }
        }
    }
    tact_hull_destroy(large);
    tact_hull_destroy(small);
}

static void far_from_the_origin_only_rounding_is_lost(void **state)
{
    (void)state;
    Random random = {12};
    for (int i = 0; i < TYPES - 1; i++) {
        for (int j = i; j < TYPES - 1; j++) {
            for (int k = 0; k < 50; k++) {
                TactShape     a = random_shape(&random, types[i], NULL);
                TactShape     b = random_shape(&random, types[j], NULL);
                TactTransform pose_a = random_pose(&random, 0.7),
                              pose_b = random_pose(&random, 0.7);
                TactDistance here, there;
                assert_int_equal(tact_shape_compute_distance(&a, &pose_a, &b, &pose_b, &here),
                                 TACT_OK);
                pose_a.position.x += 1e4;
                pose_b.position.x += 1e4;
                assert_int_equal(tact_shape_compute_distance(&a, &pose_a, &b, &pose_b, &there),
                                 TACT_OK);
                assert_within(there.distance, here.distance, 1e-10, shape_name(types[j]));
            }
        }
    }
}

static void edges_that_cross_exactly_touch_in_one_point(void **state)
{
    (void)state;
    // Two cubes on edge, turned against each other: the edges cross at the origin.
    const double  quarter = 0.78539816339744831, high = sqrt(2.0);
    TactShape     box = {.type = TACT_SHAPE_BOX, .size = {1, 1, 1}};
    TactTransform low = {tact_quat_from_axis_angle((TactVec3){1, 0, 0}, quarter), {0, 0, -high}};
    TactTransform top = {tact_quat_from_axis_angle((TactVec3){0, 1, 0}, quarter), {0, 0, high}};
    TactTouchList list = {0};
    assert_int_equal(tact_collide(&box, &low, &box, &top, 1e-6, &list), TACT_OK);
    assert_int_equal(list.count, 1);
    assert_within(tact_vec3_norm(list.touches[0].point), 0, 1e-12, "point");
    assert_within(list.touches[0].normal.z, 1, 1e-12, "normal");
    assert_within(list.touches[0].depth, 0, 1e-12, "depth");
    tact_touch_list_destroy(&list);
}

static void capsules_whose_axes_cross_part_across_both(void **state)
{
    (void)state;
    TactShape     capsule = {.type = TACT_SHAPE_CAPSULE, .size = {0.1, 1}};
    TactTransform a = tact_transform_identity(), b = a;
    TactDistance  d;
    b.rotation = tact_quat_from_axis_angle((TactVec3){1, 0, 0}, 1.5707963267948966);
    b.position = (TactVec3){0, 0.3, 0.2}; // in the plane x = 0 of both axes
    assert_int_equal(tact_shape_compute_distance(&capsule, &a, &capsule, &b, &d), TACT_OK);
    assert_within(d.distance, -0.2, 1e-12, "depth");
    assert_within(fabs(d.normal.x), 1, 1e-9, "normal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poses_on_a_grid_are_handled_at_all_scales),
        cmocka_unit_test(one_inside_the_other_and_very_different_sizes_are_handled),
        cmocka_unit_test(far_from_the_origin_only_rounding_is_lost),
        cmocka_unit_test(edges_that_cross_exactly_touch_in_one_point),
        cmocka_unit_test(capsules_whose_axes_cross_part_across_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
