// Which geoms may touch, and with how much friction.
#include "model/made.h"

/// world (floor) - base (fixed) - arm (hinge) - cover (fixed) - hand (hinge) - finger (hinge), and
/// a ball that is free; one sphere each, in this order.
enum { FLOOR, BASE, ARM, COVER, HAND, FINGER, BALL, COUNT };

typedef struct Robot {
    TactModelBuilder *builder;
    int               body[COUNT], geom[COUNT];
} Robot;

static Robot make_robot(void)
{
    Robot robot = {.builder = made_builder()};
    robot.body[FLOOR] = 0;
    robot.body[BASE] = made_add_body(robot.builder, "base", 0);
    robot.body[ARM] = made_add_body(robot.builder, "arm", robot.body[BASE]);
    robot.body[COVER] = made_add_body(robot.builder, "cover", robot.body[ARM]);
    robot.body[HAND] = made_add_body(robot.builder, "hand", robot.body[COVER]);
    robot.body[FINGER] = made_add_body(robot.builder, "finger", robot.body[HAND]);
    robot.body[BALL] = made_add_body(robot.builder, "ball", 0);
    made_add_joint(robot.builder, "", robot.body[ARM], TACT_JOINT_HINGE);
    made_add_joint(robot.builder, "", robot.body[HAND], TACT_JOINT_HINGE);
    made_add_joint(robot.builder, "", robot.body[FINGER], TACT_JOINT_HINGE);
    made_add_joint(robot.builder, "", robot.body[BALL], TACT_JOINT_FREE);
    for (int i = 0; i < COUNT; i++) {
        robot.geom[i] = made_add_sphere(robot.builder, "", robot.body[i]);
    }
    return robot;
}

static void check_touching(const TactModel *model, const char *const expected[COUNT])
{
    assert_int_equal(model->geom_count, COUNT);
    for (int a = 0; a < COUNT; a++) {
        for (int b = 0; b < COUNT; b++) {
            int pair = 7;
            if (a != b && tact_model_may_touch(model, a, b, &pair) != (expected[a][b] == 'x')) {
                fail_msg("geoms %d and %d: expected %c", a, b, expected[a][b]);
            }
            assert_true(a == b || pair == -1);
        }
    }
}

static void parents_and_children_with_what_is_fixed_to_them_do_not_touch(void **state)
{
    (void)state;
    TactModel *model = made_compile(make_robot().builder);
    // floor and base are fixed to the world: they touch all that moves, also arm and cover.
    const char *const expected[COUNT] = {"..xxxxx", "..xxxxx", "xx...xx", "xx...xx",
                                         "xx....x", "xxxx..x", "xxxxxx."};
    check_touching(model, expected);
    tact_model_destroy(model);
}

static void without_the_parent_filter_only_carriers_count(void **state)
{
    (void)state;
    Robot           robot = make_robot();
    TactModelConfig config = tact_model_config_default();
    config.options.parent_filter_off = true;
    assert_int_equal(tact_model_builder_set_config(robot.builder, &config), TACT_OK);
    TactModel        *model = made_compile(robot.builder);
    const char *const expected[COUNT] = {"..xxxxx", "..xxxxx", "xx..xxx", "xx..xxx",
                                         "xxxx.xx", "xxxxx.x", "xxxxxx."};
    check_touching(model, expected);
    tact_model_destroy(model);
}

static void excludes_are_of_the_two_bodies_alone(void **state)
{
    (void)state;
    Robot robot = make_robot();
    assert_int_equal(tact_model_builder_add_exclude(
                         robot.builder, (TactExclude){robot.body[BALL], robot.body[ARM]}, nowhere),
                     TACT_OK);
    TactModel        *model = made_compile(robot.builder);
    const char *const expected[COUNT] = {"..xxxxx", "..xxxxx", "xx...x.", "xx...xx",
                                         "xx....x", "xxxx..x", "xx.xxx."};
    check_touching(model, expected);
    tact_model_destroy(model);
}

static void a_pair_allows_what_everything_else_forbids_but_not_within_a_carrier(void **state)
{
    (void)state;
    Robot    robot = make_robot();
    TactPair pair = tact_pair_default();
    pair.a = robot.geom[HAND];
    pair.b = robot.geom[ARM]; // parent and child
    assert_int_equal(tact_model_builder_add_pair(robot.builder, &pair, nowhere, NULL), TACT_OK);
    pair.a = robot.geom[COVER];
    pair.b = robot.geom[ARM]; // fixed to each other
    assert_int_equal(tact_model_builder_add_pair(robot.builder, &pair, nowhere, NULL), TACT_OK);
    pair.a = robot.geom[FINGER];
    pair.b = robot.geom[BALL]; // excluded
    assert_int_equal(tact_model_builder_add_pair(robot.builder, &pair, nowhere, NULL), TACT_OK);
    assert_int_equal(
        tact_model_builder_add_exclude(
            robot.builder, (TactExclude){robot.body[FINGER], robot.body[BALL]}, nowhere),
        TACT_OK);
    pair.a = robot.geom[ARM];
    pair.b = robot.geom[HAND]; // again: the first one counts
    assert_int_equal(tact_model_builder_add_pair(robot.builder, &pair, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(robot.builder);
    int        found = 9;
    assert_true(tact_model_may_touch(model, ARM, HAND, &found));
    assert_int_equal(found, 0);
    assert_true(tact_model_may_touch(model, HAND, ARM, NULL));
    assert_false(tact_model_may_touch(model, ARM, COVER, &found));
    assert_int_equal(found, -1);
    assert_true(tact_model_may_touch(model, BALL, FINGER, &found));
    assert_int_equal(found, 2);
    tact_model_destroy(model);
}

static void one_matching_bit_either_way_is_enough(void **state)
{
    (void)state;
    for (int bits = 0; bits < 256; bits++) {
        TactModelBuilder *builder = made_builder();
        int               type[2] = {bits & 3, bits >> 2 & 3};
        int               affinity[2] = {bits >> 4 & 3, bits >> 6 & 3};
        for (int i = 0; i < 2; i++) {
            made_add_joint(builder, "", made_add_body(builder, "", 0), TACT_JOINT_FREE);
            TactGeomDesc geom = tact_geom_default(TACT_GEOM_SPHERE);
            geom.geom.body = i + 1;
            geom.geom.size[0] = 1;
            geom.geom.contact_type = type[i];
            geom.geom.contact_affinity = affinity[i];
            assert_int_equal(tact_model_builder_add_geom(builder, &geom, nowhere, NULL), TACT_OK);
        }
        TactModel *model = made_compile(builder);
        bool       expected = (type[0] & affinity[1]) || (type[1] & affinity[0]);
        assert_int_equal(tact_model_may_touch(model, 0, 1, NULL), expected);
        assert_int_equal(tact_model_may_touch(model, 1, 0, NULL), expected);
        assert_int_equal(model->geoms[0].visual, type[0] == 0 && affinity[0] == 0);
        tact_model_destroy(model);
    }
}

static void a_geom_without_bits_is_visual_unless_a_pair_names_it(void **state)
{
    (void)state;
    TactModelBuilder *builder = made_builder();
    int               body = made_add_body(builder, "", 0);
    made_add_joint(builder, "", body, TACT_JOINT_FREE);
    for (int i = 0; i < 3; i++) {
        TactGeomDesc geom = tact_geom_default(TACT_GEOM_SPHERE);
        geom.geom.body = i < 2 ? body : 0;
        geom.geom.size[0] = 1;
        geom.geom.contact_type = geom.geom.contact_affinity = 0;
        assert_int_equal(tact_model_builder_add_geom(builder, &geom, nowhere, NULL), TACT_OK);
    }
    TactPair pair = tact_pair_default();
    pair.a = 0;
    pair.b = 2;
    assert_int_equal(tact_model_builder_add_pair(builder, &pair, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(builder);
    assert_false(model->geoms[0].visual); // the world's, which was the builder's 2
    assert_false(model->geoms[1].visual);
    assert_true(model->geoms[2].visual);
    tact_model_destroy(model);
}

static double friction(double mu_a, int condim_a, int priority_a, double mu_b, int condim_b,
                       int priority_b)
{
    TactModelBuilder *builder = made_builder();
    TactGeomDesc      geom = tact_geom_default(TACT_GEOM_SPHERE);
    geom.geom.size[0] = 1;
    geom.geom.mu = mu_a;
    geom.geom.condim = condim_a;
    geom.geom.priority = priority_a;
    assert_int_equal(tact_model_builder_add_geom(builder, &geom, nowhere, NULL), TACT_OK);
    geom.geom.mu = mu_b;
    geom.geom.condim = condim_b;
    geom.geom.priority = priority_b;
    assert_int_equal(tact_model_builder_add_geom(builder, &geom, nowhere, NULL), TACT_OK);
    TactModel *model = made_compile(builder);
    double     mu = tact_model_get_friction(model, 0, 1);
    assert_true(mu == tact_model_get_friction(model, 1, 0));
    tact_model_destroy(model);
    return mu;
}

static void friction_is_that_of_the_higher_priority_else_the_larger(void **state)
{
    (void)state;
    assert_true(friction(0.3, 3, 0, 0.7, 3, 0) == 0.7);
    assert_true(friction(0.3, 3, 1, 0.7, 3, 0) == 0.3);
    assert_true(friction(0.3, 3, -1, 0.7, 3, 0) == 0.7);
    assert_true(friction(0.3, 1, 0, 0.7, 3, 0) == 0.7); // the larger condim decides
    assert_true(friction(0.3, 1, 0, 0.7, 1, 0) == 0);
    assert_true(friction(0.3, 1, 2, 0.7, 3, 0) == 0);
    assert_true(friction(0.3, 4, 0, 0.7, 6, 0) == 0.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_and_children_with_what_is_fixed_to_them_do_not_touch),
        cmocka_unit_test(without_the_parent_filter_only_carriers_count),
        cmocka_unit_test(excludes_are_of_the_two_bodies_alone),
        cmocka_unit_test(a_pair_allows_what_everything_else_forbids_but_not_within_a_carrier),
        cmocka_unit_test(one_matching_bit_either_way_is_enough),
        cmocka_unit_test(a_geom_without_bits_is_visual_unless_a_pair_names_it),
        cmocka_unit_test(friction_is_that_of_the_higher_priority_else_the_larger),
    };
    return cmocka_run_group_tests_name("model/contact_rules", tests, NULL, NULL);
}
