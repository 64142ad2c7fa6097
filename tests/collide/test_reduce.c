// Reduction of points: what supports a body stays.
#include "collide/poses.h"

static TactTouchList make_list(TactTouch *touches, int count)
{
    TactTouchList list = {count, count, touches};
    return list;
}

/// How far a list reaches along a direction.
static double reach_of(const TactTouchList *list, TactVec3 d)
{
    double most = -INFINITY;
    for (int i = 0; i < list->count; i++) {
        most = fmax(most, tact_vec3_dot(d, list->touches[i].point));
    }
    return most;
}

static void points_inside_and_on_the_sides_of_a_square_go(void **state)
{
    (void)state;
    TactTouch touches[25];
    for (int i = 0; i < 25; i++) {
        int x = i % 5, y = i / 5;
        touches[i] = (TactTouch){{x, y, 0}, {0, 0, 1}, 0.001, 1 + (uint64_t)i};
    }
    TactTouchList list = make_list(touches, 25);
    tact_touch_list_reduce(&list, 0, 1e-6);
    assert_int_equal(list.count, 4);
    assert_int_equal(list.touches[0].feature, 1);
    assert_int_equal(list.touches[1].feature, 5);
    assert_int_equal(list.touches[2].feature, 21);
    assert_int_equal(list.touches[3].feature, 25);
}

static void the_support_polygon_of_random_points_stays(void **state)
{
    (void)state;
    Random random = {6};
    for (int k = 0; k < 500; k++) {
        TactTouch touches[40];
        TactQuat  turn = random_rotation(&random);
        TactVec3  n = tact_quat_rotate(turn, (TactVec3){0, 0, 1});
        double    before[32];
        for (int i = 0; i < 40; i++) {
            TactVec3 p = {random_in(&random, -1, 1), random_in(&random, -1, 1), 0};
            touches[i] = (TactTouch){tact_quat_rotate(turn, p), n, 0, 1 + (uint64_t)i};
        }
        TactTouchList list = make_list(touches, 40);
        for (int pass = 0; pass < 2; pass++) {
            for (int d = 0; d < 32; d++) {
                double   angle = 0.19634954084936207 * d;
                TactVec3 along = tact_quat_rotate(turn, (TactVec3){cos(angle), sin(angle), 0});
                if (pass == 0) {
                    before[d] = reach_of(&list, along);
                } else {
                    assert_within(reach_of(&list, along), before[d], 1e-8, "reach");
                }
            }
            if (pass == 0) {
                tact_touch_list_reduce(&list, 0, 0);
                assert_true(list.count >= 3 && list.count < 40);
            }
        }
    }
}

static void near_points_other_normals_and_deep_points_are_told_apart(void **state)
{
    (void)state;
    TactTouch touches[] = {
        {{9, 9, 9}, {0, 0, 1}, 0, 7},    // before first: not looked at
        {{0, 0, 0}, {0, 0, 1}, 0, 1},    //
        {{1e-5, 0, 0}, {0, 0, 1}, 1, 2}, // deeper than the one beside it
        {{4, 0, 0}, {0, 0, 1}, 0, 3},    //
        {{0, 4, 0}, {0, 0, 1}, 0, 4},    //
        {{1, 1, 0}, {0, 0, 1}, 2, 5},    // inside, but the deepest
        {{1, 1, 0}, {1, 0, 0}, 0, 6},    // another normal
    };
    static const uint64_t left[] = {7, 2, 3, 4, 5, 6};
    TactTouchList         list = make_list(touches, 7);
    tact_touch_list_reduce(&list, 1, 1e-4);
    assert_int_equal(list.count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(list.touches[i].feature, left[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_inside_and_on_the_sides_of_a_square_go),
        cmocka_unit_test(the_support_polygon_of_random_points_stays),
        cmocka_unit_test(near_points_other_normals_and_deep_points_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
