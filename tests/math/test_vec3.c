#include "reference.h"

static void cross_is_the_sum_over_the_permutation_symbol(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        TactVec3     a = random_vec3(&random);
        TactVec3     b = random_vec3(&random);
        const double u[3] = {a.x, a.y, a.z};
        const double v[3] = {b.x, b.y, b.z};
        long double  w[3] = {0};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                for (int k = 0; k < 3; k++) {
                    int sign = (i - j) * (j - k) * (k - i) / 2;
                    w[i] += (long double)sign * u[j] * v[k];
                }
            }
        }
        TactVec3 expected = {(double)w[0], (double)w[1], (double)w[2]};
        assert_close(vec3_distance(tact_vec3_cross(a, b), expected), TIGHT);
    }
}

static void sums_and_products_go_entry_by_entry(void **state)
{
    (void)state;
    TactVec3 a = {1, -2, 3};
    TactVec3 b = {10, 20, -30};
    assert_close(vec3_distance(tact_vec3_add(a, b), (TactVec3){11, 18, -27}), 0);
    assert_close(vec3_distance(tact_vec3_subtract(a, b), (TactVec3){-9, -22, 33}), 0);
    assert_close(vec3_distance(tact_vec3_scale(2, a), (TactVec3){2, -4, 6}), 0);
    assert_close(vec3_distance(tact_vec3_add_scaled(a, 0.5, b), (TactVec3){6, 8, -12}), 0);
    assert_close(vec3_distance(tact_vec3_negate(a), (TactVec3){-1, 2, -3}), 0);
    assert_true(tact_vec3_dot(a, b) == 10 - 40 - 90);
    assert_true(tact_vec3_norm((TactVec3){2, 3, 6}) == 7);
}

static void normalise_gives_the_direction_at_every_length(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(2);
    const double lengths[] = {1, 1e-3, 1e3, 1e-160, 1e160, 1e-300, 1e300, 1e-307, 1.5e308};
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            TactVec3    a = tact_vec3_scale(lengths[k], random_vec3(&random));
            long double length = hypotl(hypotl(a.x, a.y), a.z);
            TactVec3    expected = {(double)(a.x / length), (double)(a.y / length),
                                    (double)(a.z / length)};
            assert_close(vec3_distance(tact_vec3_normalise(a), expected), 4 * DBL_EPSILON);
        }
    }
}

static void normalise_keeps_a_zero_vector_zero(void **state)
{
    (void)state;
    assert_close(vec3_distance(tact_vec3_normalise((TactVec3){0, 0, 0}), (TactVec3){0, 0, 0}), 0);
    assert_close(vec3_distance(tact_vec3_normalise((TactVec3){0, -0.0, 0}), (TactVec3){0, 0, 0}),
                 0);
}

static void normalise_reaches_the_smallest_number(void **state)
{
    (void)state;
    double   tiny = 4.9406564584124654e-324;
    TactVec3 unit = tact_vec3_normalise((TactVec3){0, -tiny, 0});
    assert_close(vec3_distance(unit, (TactVec3){0, -1, 0}), 0);
}

static void normalise_of_what_is_not_finite_is_nan(void **state)
{
    (void)state;
    assert_true(vec3_is_nan(tact_vec3_normalise((TactVec3){1, INFINITY, 0})));
    assert_true(vec3_is_nan(tact_vec3_normalise((TactVec3){1, NAN, 0})));
    assert_true(isnan(tact_vec3_normalise((TactVec3){0, NAN, 0}).y));
}

static void tangents_make_a_right_handed_frame(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    for (int round = 0; round < ROUNDS; round++) {
        TactVec3 n = tact_vec3_normalise(random_vec3(&random));
        if (round < 27) { // all axes and diagonals but zero
            n = (TactVec3){round % 3 - 1, round / 3 % 3 - 1, round / 9 - 1};
            n = tact_vec3_normalise(n);
            if (round == 13) {
                continue;
            }
        }
        TactVec3 t1;
        TactVec3 t2;
        tact_vec3_tangents(n, &t1, &t2);
        assert_close(fabs(tact_vec3_dot(n, t1)), TIGHT);
        assert_close(fabs(tact_vec3_dot(n, t2)), TIGHT);
        assert_close(fabs(tact_vec3_dot(t1, t2)), TIGHT);
        assert_close(fabs(tact_vec3_norm(t1) - 1), TIGHT);
        assert_close(vec3_distance(tact_vec3_cross(t1, t2), n), TIGHT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_is_the_sum_over_the_permutation_symbol),
        cmocka_unit_test(sums_and_products_go_entry_by_entry),
        cmocka_unit_test(normalise_gives_the_direction_at_every_length),
        cmocka_unit_test(normalise_keeps_a_zero_vector_zero),
        cmocka_unit_test(normalise_reaches_the_smallest_number),
        cmocka_unit_test(normalise_of_what_is_not_finite_is_nan),
        cmocka_unit_test(tangents_make_a_right_handed_frame),
    };
    return cmocka_run_group_tests_name("math/vec3", tests, NULL, NULL);
}
