// Every pair of shapes has one function; pairs with a method of their own have the points that the
// general method gives; the furthest vertex of a hull is that of looking at all.
#include "collide/poses.h"

#include "collide/convex/hull.h"
#include "collide/pair/pair.h"

static bool has_closest(const TactTouchList *list)
{
    for (int i = 0; i < list->count; i++) {
        if (list->touches[i].feature == TACT_FEATURE_CLOSEST) {
            return true;
        }
    }
    return false;
}

static void assert_same_points(const TactTouchList *one, const TactTouchList *two, double tol,
                               const char *what)
{
    if (one->count != two->count) {
        fail_msg("%s: %d points, expected %d", what, one->count, two->count);
    }
    for (int i = 0; i < one->count; i++) {
        const TactTouch *p = &one->touches[i], *q = &two->touches[i];
        // Of two single points that meet it does not know what they are.
        if (p->feature != q->feature && q->feature != TACT_FEATURE_CLOSEST) {
            fail_msg("%s: point %d of %d is %llx, expected %llx", what, i, one->count,
                     (unsigned long long)p->feature, (unsigned long long)q->feature);
        }
        assert_within(p->depth, q->depth, tol, what);
        assert_within(tact_vec3_norm(tact_vec3_subtract(p->point, q->point)), 0, tol, what);
        assert_within(tact_vec3_norm(tact_vec3_subtract(p->normal, q->normal)), 0, tol, what);
    }
}

static void faces_of_boxes_share_what_any_two_faces_share(void **state)
{
    (void)state;
    Random        random = {41};
    TactTouchList list = {0}, expected = {0};
    int           touching = 0, compared = 0, points = 0;
    for (int k = 0; k < pose_count(); k++) {
        TactShape     a = random_shape(&random, TACT_SHAPE_BOX, NULL);
        TactShape     b = random_shape(&random, TACT_SHAPE_BOX, NULL);
        TactTransform pose_a = random_pose(&random, 0.6), pose_b = random_pose(&random, 0.6);
        double        margin = k % 2 ? 0.1 : 0;
        if (k % 4 >= 2) { // face upon face, all but parallel
            TactVec3 turn = random_vec3(&random, k % 8 >= 6 ? 1e-3 : 0.05);
            pose_b.rotation = tact_quat_multiply(tact_quat_exp(turn), pose_a.rotation);
        }
        tact_touch_list_clear(&list);
        tact_touch_list_clear(&expected);
        assert_int_equal(tact_collide(&a, &pose_a, &b, &pose_b, margin, &list), TACT_OK);
        if (list.count == 0) {
            continue;
        }
        TactVec3   n = list.touches[0].normal;
        TactConvex one = tact_convex_make(&a, &pose_a), two = tact_convex_make(&b, &pose_b);
        TactVec3   on_a = tact_convex_support(&one, n);
        TactVec3   on_b = tact_convex_support(&two, tact_vec3_negate(n));
        double     depth = overlap_along(&a, &pose_a, &b, &pose_b, n);
        assert_int_equal(tact_pair_add_faces(&one, &two, n, depth, on_a, on_b, margin, &expected),
                         TACT_OK);
        touching++;
        if (!has_closest(&list) && !has_closest(&expected)) {
            assert_same_points(&list, &expected, 1e-9, "box-box");
            compared++;
            points += list.count;
        }
    }
    print_message("%d of %d that touch, %d points\n", compared, touching, points);
    assert_true(compared > touching * 9 / 10 && points > 2 * compared);
    tact_touch_list_destroy(&list);
    tact_touch_list_destroy(&expected);
}

/// Two single points that meet are found as several by the general method, whose tolerance is of
/// the size of the faces.
static void drop_doubles(TactTouchList *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        TactTouch touch = list->touches[i];
        TactVec3  first = list->touches[0].point;
        if (i == 0 || tact_vec3_norm(tact_vec3_subtract(touch.point, first)) > 1e-9) {
            list->touches[kept++] = touch;
        }
    }
    list->count = kept;
}

static void spheres_and_capsules_touch_where_the_general_method_finds(void **state)
{
    (void)state;
    static const TactShapeType types[][2] = {{TACT_SHAPE_SPHERE, TACT_SHAPE_SPHERE},
                                             {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE},
                                             {TACT_SHAPE_CAPSULE, TACT_SHAPE_CAPSULE}};
    Random                     random = {42};
    TactTouchList              list = {0}, expected = {0};
    int                        touching = 0, lines = 0;
    for (int k = 0; k < 3 * pose_count(); k++) {
        TactShape     a = random_shape(&random, types[k % 3][0], NULL);
        TactShape     b = random_shape(&random, types[k % 3][1], NULL);
        TactTransform pose_a = random_pose(&random, 0.9), pose_b = random_pose(&random, 0.9);
        if (k % 12 == 2) { // side by side: they touch along a line
            TactVec3 aside = {a.size[0] + b.size[0] - 0.01, 0, random_in(&random, -0.5, 0.5)};
            pose_b.rotation = pose_a.rotation;
            pose_b.position = tact_transform_point(pose_a, aside);
        }
        TactShapePair pair = {&a, &b, &pose_a, &pose_b, k % 2 ? 0.1 : 0};
        tact_touch_list_clear(&list);
        tact_touch_list_clear(&expected);
        assert_int_equal(tact_pair_round_round(&pair, &list), TACT_OK);
        assert_int_equal(tact_pair_convex_convex(&pair, &expected), TACT_OK);
        drop_doubles(&expected);
        assert_same_points(&list, &expected, 1e-8, shape_name(b.type));
        touching += list.count > 0;
        lines += list.count > 1;
    }
    print_message("%d touch, %d along a line\n", touching, lines);
    assert_true(touching > pose_count() && lines > pose_count() / 8);
    tact_touch_list_destroy(&list);
    tact_touch_list_destroy(&expected);
}

static void every_pair_of_shapes_has_one_function(void **state)
{
    (void)state;
    for (int a = 0; a < TACT_SHAPE_TYPE_COUNT; a++) {
        for (int b = a; b < TACT_SHAPE_TYPE_COUNT; b++) {
            TactShapeType one = (TactShapeType)a, two = (TactShapeType)b;
            int           functions = tact_pair_find(one, two) != NULL;
            functions += a != b && tact_pair_find(two, one) != NULL;
            bool planes = one == TACT_SHAPE_PLANE && two == TACT_SHAPE_PLANE;
            if (functions != (planes ? 0 : 1)) {
                fail_msg("%s and %s: %d functions in the table of src/collide/collide.c",
                         tact_shape_type_name(one), tact_shape_type_name(two), functions);
            }
        }
    }
}

static void a_shape_without_a_function_is_an_error(void **state)
{
    (void)state;
    TactShape     ball = {.type = TACT_SHAPE_SPHERE, .size = {1}};
    TactShape     odd = {.type = TACT_SHAPE_TYPE_COUNT, .size = {1}};
    TactTransform pose = {.rotation = {1, 0, 0, 0}};
    TactTouchList list = {0};
    assert_int_equal(tact_collide(&ball, &pose, &odd, &pose, 0, &list), TACT_UNSUPPORTED);
    assert_int_equal(tact_collide(&odd, &pose, &ball, &pose, 0, &list), TACT_UNSUPPORTED);
    assert_int_equal(list.count, 0);
}

static void the_furthest_vertex_is_that_of_all(void **state)
{
    (void)state;
    static const int counts[] = {4, 15, 16, 17, 64, 65, 120, 700};
    TactHullConfig   config = tact_hull_config_default();
    Random           random = {43};
    TactVec3         points[700];
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        TactHull *hull = NULL;
        for (int i = 0; i < counts[c]; i++) {
            TactVec3 v = random_direction(&random);
            points[i] = (TactVec3){0.5 + v.x, 2 * v.y, 0.3 * v.z};
        }
        if (tact_hull_create(points, counts[c], &config, &hull) != TACT_OK) {
            print_message("skipped: no qhull\n");
            skip();
        }
        for (int k = 0; k < 500; k++) {
            TactVec3 d = tact_vec3_scale(random_in(&random, 0.1, 10), random_direction(&random));
            double   most = -INFINITY, along;
            d = k % 5 == 0 ? (TactVec3){0, k % 2 ? 1 : -1, 0} : d;
            for (int i = 0; i < hull->vertex_count; i++) {
                most = fmax(most, tact_vec3_dot(hull->vertices[i], d));
            }
            int vertex = tact_hull_furthest(hull, d, &along);
            assert_true(along == most && tact_vec3_dot(hull->vertices[vertex], d) == most);
        }
        tact_hull_destroy(hull);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_of_boxes_share_what_any_two_faces_share),
        cmocka_unit_test(spheres_and_capsules_touch_where_the_general_method_finds),
        cmocka_unit_test(every_pair_of_shapes_has_one_function),
        cmocka_unit_test(a_shape_without_a_function_is_an_error),
        cmocka_unit_test(the_furthest_vertex_is_that_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
