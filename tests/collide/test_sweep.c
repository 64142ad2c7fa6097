// Shapes on their ways against the same ways in 400 steps: whoever comes within the margin is
// found, and whoever stays further away than what a step can hide is not.
#include "collide/sweep.h"

#include "collide/poses.h"

enum { SAMPLES = 400 };

static TactSweep draw_sweep(Random *random, const TactShape *shape)
{
    TactSweep     s = {.shape = shape, .from = random_pose(random, 1), .middle = {0, 0, 0}};
    TactVec3      lower, upper, half;
    TactTransform here = tact_transform_identity();
    tact_shape_compute_bounds(shape, &here, &lower, &upper);
    half = tact_vec3_scale(0.5, tact_vec3_subtract(upper, lower));
    s.radius = tact_vec3_norm(half);
    s.move = random_vec3(random, 1.5);
    s.turn = random_vec3(random, 2);
    return s;
}

/// Two shapes on their ways, and how far any of their points may come together.
typedef struct Ways {
    TactShape one, two;
    TactSweep a, b;
    double    most;
} Ways;

static void draw_ways(Random *random, TactShapeType one, TactShapeType two, Ways *out)
{
    out->one = random_shape(random, one, NULL);
    out->two = random_shape(random, two, NULL);
    for (int i = 0; i < 3; i++) {
        out->one.size[i] *= 0.3;
        out->two.size[i] *= 0.3;
    }
    out->a = draw_sweep(random, &out->one);
    out->b = draw_sweep(random, &out->two);
    out->most = tact_vec3_norm(tact_vec3_subtract(out->a.move, out->b.move)) +
                out->a.radius * tact_vec3_norm(out->a.turn) +
                out->b.radius * tact_vec3_norm(out->b.turn);
}

static double distance_at(const TactSweep *a, const TactSweep *b, double time)
{
    TactTransform at_a = tact_sweep_at(a, time), at_b = tact_sweep_at(b, time);
    TactDistance  d;
    assert_int_equal(tact_shape_compute_distance(a->shape, &at_a, b->shape, &at_b, &d), TACT_OK);
    return d.distance;
}

static double least_distance(const TactSweep *a, const TactSweep *b)
{
    double least = INFINITY;
    for (int i = 0; i <= SAMPLES; i++) {
        least = fmin(least, distance_at(a, b, (double)i / SAMPLES));
    }
    return least;
}

static void ways_that_come_near_are_told_from_those_that_pass_by(void **state)
{
    (void)state;
    static const TactShapeType types[] = {TACT_SHAPE_SPHERE, TACT_SHAPE_CAPSULE, TACT_SHAPE_BOX,
                                          TACT_SHAPE_CYLINDER, TACT_SHAPE_ELLIPSOID};
    const double               margin = 0.01;
    Random                     random = {260};
    int                        meet = 0, pass = 0, unsure = 0;
    for (int k = 0; k < pose_count() / 8; k++) {
        Ways ways;
        draw_ways(&random, types[k % 5], types[k / 5 % 5], &ways);
        double least = least_distance(&ways.a, &ways.b);
        double when = 0, other = 0;
        bool   near = tact_sweeps_meet(&ways.a, &ways.b, margin, &when);
        if (least <= margin) {
            meet++;
            assert_true(near);
        } else if (least - ways.most / SAMPLES > margin) { // half a step to either side would do
            pass++;
            assert_false(near);
        } else {
            unsure++;
        }
        assert_int_equal(tact_sweeps_meet(&ways.b, &ways.a, margin, &other), near);
    }
    print_message("%d meet, %d pass by, of %d the steps cannot tell\n", meet, pass, unsure);
    assert_true(meet > 10 && pass > 100);
}

static void a_way_of_no_length_is_a_distance(void **state)
{
    (void)state;
    TactShape ball = {.type = TACT_SHAPE_SPHERE, .size = {0.5}};
    TactSweep a = {.shape = &ball, .from = tact_transform_identity(), .radius = 0.5}, b = a;
    double    when = 0;
    b.from.position.x = 1.1;
    assert_false(tact_sweeps_meet(&a, &b, 0.09, &when));
    assert_true(tact_sweeps_meet(&a, &b, 0.11, &when));
    a.move.x = 0.2; // it needs 0.05 of that to be within 0.05
    assert_true(tact_sweeps_meet(&a, &b, 0.05, &when));
    assert_within(when, 0.25, 1e-6, "time");
}

/// Shapes that are apart at first are held where they overlap by the depth asked for, with a tenth
/// to spare, and not before they could: they never overlap by more until then but for what they do
/// between two looks. Those that are not held come no nearer than that at any sample.
static void shapes_are_held_where_they_overlap_by_a_depth(void **state)
{
    (void)state;
    static const TactShapeType types[] = {TACT_SHAPE_CAPSULE, TACT_SHAPE_BOX, TACT_SHAPE_CYLINDER};
    const double               depth = 1e-3, look = 0.005;
    Random                     random = {261};
    int                        held = 0, free = 0;
    for (int k = 0; k < pose_count() / 8; k++) {
        Ways ways;
        draw_ways(&random, types[k % 3], types[k / 3 % 3], &ways);
        if (distance_at(&ways.a, &ways.b, 0) < depth) {
            continue;
        }
        double time = tact_sweeps_hold(&ways.a, &ways.b, depth, 1, look);
        for (int i = 0; i <= SAMPLES; i++) {
            assert_true(distance_at(&ways.a, &ways.b, time * i / SAMPLES) >=
                        -1.1 * depth - ways.most * look);
        }
        if (time < 1) {
            double d = distance_at(&ways.a, &ways.b, time);
            assert_true(d >= -1.1 * depth && d <= -depth);
        }
        held += time < 1;
        free += time == 1;
    }
    print_message("%d held, %d free\n", held, free);
    assert_true(held > 10 && free > 100);
}

static void what_touches_at_first_is_held_only_if_it_goes_in_further(void **state)
{
    (void)state;
    TactShape wall = {.type = TACT_SHAPE_BOX, .size = {1, 1, 1}};
    TactShape ball = {.type = TACT_SHAPE_SPHERE, .size = {0.5}};
    TactSweep a = {.shape = &wall, .from = tact_transform_identity()};
    TactSweep b = {.shape = &ball, .from = tact_transform_identity(), .radius = 0.5};
    b.from.position.x = 1.499;      // in by 1e-3
    b.move = (TactVec3){0.1, 1, 0}; // out
    assert_true(tact_sweeps_hold(&a, &b, 1e-4, 1e-2, 0.01) == 1);
    b.move = (TactVec3){0, 1, 0}; // along
    assert_true(tact_sweeps_hold(&a, &b, 1e-4, 1e-2, 0.01) == 1);
    b.move = (TactVec3){-0.1, 0, 0}; // in: by 1e-2 more at the time 0.1
    assert_within(tact_sweeps_hold(&a, &b, 1e-4, 1e-2, 0.01), 0.1, 6e-3, "time");
}

/// Two balls on lines 0.7 beside each other are nearest when they are abreast.
static void balls_that_pass_are_nearest_when_they_are_abreast(void **state)
{
    (void)state;
    TactShape ball = {.type = TACT_SHAPE_SPHERE, .size = {0.25}};
    TactSweep a = {.shape = &ball, .from = tact_transform_identity(), .radius = 0.25}, b = a;
    b.from.position = (TactVec3){1.2, 0.7, 0};
    a.move.x = 3;
    b.move.x = -1;
    assert_within(tact_sweeps_find_nearest(&a, &b, 0.1), 0.3, 1e-7, "time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_that_come_near_are_told_from_those_that_pass_by),
        cmocka_unit_test(a_way_of_no_length_is_a_distance),
        cmocka_unit_test(shapes_are_held_where_they_overlap_by_a_depth),
        cmocka_unit_test(what_touches_at_first_is_held_only_if_it_goes_in_further),
        cmocka_unit_test(balls_that_pass_are_nearest_when_they_are_abreast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
