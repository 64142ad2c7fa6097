// Meshes that are deep in each other: there are points, and they push apart.
#include "collide/meshes.h"

static const double large = 0.5, small = 0.1, pi = 3.14159265358979323846;

/// Distance of the smooth tori: of their core circles, one of them in 720 points, less both tubes.
static double smooth_distance(const TactTransform *a, const TactTransform *b)
{
    double least = INFINITY;
    for (int i = 0; i < 720; i++) {
        double   angle = 2 * pi * i / 720;
        TactVec3 p = {large * cos(angle), large * sin(angle), 0};
        p = tact_transform_point_back(*a, tact_transform_point(*b, p));
        least = fmin(least, hypot(hypot(p.x, p.y) - large, p.z));
    }
    return least - 2 * small;
}

/// Sum of normals, each as much as it is deep.
static TactVec3 find_push(const TactTouchList *list)
{
    TactVec3 sum = {0, 0, 0};
    for (int i = 0; i < list->count; i++) {
        assert_within(tact_vec3_norm(list->touches[i].normal), 1, 1e-12, "normal");
        assert_true(list->touches[i].depth >= 0);
        sum = tact_vec3_add_scaled(sum, list->touches[i].depth, list->touches[i].normal);
    }
    return tact_vec3_normalise(sum);
}

static void tori_deep_in_each_other_are_pushed_apart(void **state)
{
    (void)state;
    Random        random = {51};
    Made          ring = make_torus(large, small, 50, 20);
    TactTouchList list = {0};
    int           deep = 0, freed = 0;
    for (int k = 0; k < 200; k++) {
        // Linked, then b comes along some direction until the tubes overlap by a good part.
        TactTransform a = random_pose(&random, 1), b = a;
        TactVec3      way = random_direction(&random);
        double        wanted = -random_in(&random, 0.01, 0.6 * small);
        TactQuat      across = tact_quat_from_axis_angle((TactVec3){1, 0, 0}, pi / 2);
        b.rotation = tact_quat_multiply(a.rotation, across);
        b.position = tact_transform_point(a, (TactVec3){large, 0, 0});
        while (smooth_distance(&a, &b) > wanted) {
            b.position = tact_vec3_add_scaled(b.position, 0.002, way);
        }
        tact_touch_list_clear(&list);
        assert_int_equal(tact_collide(&ring.shape, &a, &ring.shape, &b, 0, &list), TACT_OK);
        assert_true(list.count > 0);
        TactTransform moved = b;
        moved.position = tact_vec3_add_scaled(b.position, 0.002, find_push(&list));
        deep++;
        freed += smooth_distance(&a, &moved) > smooth_distance(&a, &b);
    }
    print_message("%d overlap, %d are pushed apart\n", deep, freed);
    assert_true(freed * 20 >= deep * 19);
    tact_touch_list_destroy(&list);
    drop(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tori_deep_in_each_other_are_pushed_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
