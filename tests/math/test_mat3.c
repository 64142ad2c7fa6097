#include "reference.h"

static void widen(TactMat3 A, long double *W)
{
    for (int i = 0; i < 9; i++) {
        W[i] = A.m[i / 3][i % 3];
    }
}

static TactMat3 narrow(const long double *W)
{
    TactMat3 A;
    for (int i = 0; i < 9; i++) {
        A.m[i / 3][i % 3] = (double)W[i];
    }
    return A;
}

static void multiply_agrees_with_three_loops(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        TactMat3    A = random_mat3(&random);
        TactMat3    B = random_mat3(&random);
        long double a[9], b[9], c[9];
        widen(A, a);
        widen(B, b);
        multiply(3, a, b, c);
        assert_close(mat3_distance(tact_mat3_multiply(A, B), narrow(c)), TIGHT);
    }
}

static void apply_is_a_product_with_a_column(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(2);
    TactVec3   zero = {0, 0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        TactMat3 A = random_mat3(&random);
        TactVec3 v = random_vec3(&random);
        TactMat3 Av = tact_mat3_multiply(A, tact_mat3_from_columns(v, zero, zero));
        TactMat3 Tv =
            tact_mat3_multiply(tact_mat3_transpose(A), tact_mat3_from_columns(v, zero, zero));
        TactVec3 first = {Av.m[0][0], Av.m[1][0], Av.m[2][0]};
        TactVec3 second = {Tv.m[0][0], Tv.m[1][0], Tv.m[2][0]};
        assert_close(vec3_distance(tact_mat3_apply(A, v), first), TIGHT);
        assert_close(vec3_distance(tact_mat3_apply_transpose(A, v), second), TIGHT);
    }
}

static void skew_and_outer_do_what_their_products_say(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    for (int round = 0; round < ROUNDS; round++) {
        TactVec3 a = random_vec3(&random);
        TactVec3 b = random_vec3(&random);
        TactVec3 c = random_vec3(&random);
        assert_close(vec3_distance(tact_mat3_apply(tact_mat3_skew(a), b), tact_vec3_cross(a, b)),
                     TIGHT);
        assert_close(vec3_distance(tact_mat3_apply(tact_mat3_outer(a, b), c),
                                   tact_vec3_scale(tact_vec3_dot(b, c), a)),
                     TIGHT);
    }
}

static void transpose_add_scale_and_diagonal_by_hand(void **state)
{
    (void)state;
    TactMat3 A = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
    TactMat3 T = {{{1, 4, 7}, {2, 5, 8}, {3, 6, 9}}};
    TactMat3 twice = {{{2, 4, 6}, {8, 10, 12}, {14, 16, 18}}};
    TactMat3 D = {{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};
    assert_close(mat3_distance(tact_mat3_transpose(A), T), 0);
    assert_close(mat3_distance(tact_mat3_add(A, A), twice), 0);
    assert_close(mat3_distance(tact_mat3_scale(2, A), twice), 0);
    assert_close(mat3_distance(tact_mat3_diagonal((TactVec3){1, 2, 3}), D), 0);
    assert_close(mat3_distance(tact_mat3_multiply(tact_mat3_identity(), A), A), 0);
}

static void determinant_is_multiplicative_and_alternating(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(4);
    for (int round = 0; round < ROUNDS; round++) {
        TactMat3 A = random_mat3(&random);
        TactMat3 B = random_mat3(&random);
        TactMat3 swapped = A;
        memcpy(swapped.m[0], A.m[1], sizeof A.m[0]);
        memcpy(swapped.m[1], A.m[0], sizeof A.m[0]);
        double a = tact_mat3_determinant(A);
        double b = tact_mat3_determinant(B);
        assert_close(fabs(tact_mat3_determinant(tact_mat3_multiply(A, B)) - a * b), TIGHT);
        assert_close(fabs(tact_mat3_determinant(swapped) + a), TIGHT);
    }
    assert_true(tact_mat3_determinant(tact_mat3_diagonal((TactVec3){2, 3, 4})) == 24);
}

static void inverse_times_the_matrix_is_the_identity(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    for (int round = 0; round < ROUNDS; round++) {
        TactMat3 A = random_mat3(&random);
        TactMat3 inverse;
        assert_true(tact_mat3_invert(A, &inverse));
        // Cofactors are right to a few last bits of |A|^2, so the product to those of |A|^3 / det.
        double tolerance = TIGHT / fabs(tact_mat3_determinant(A)) + TIGHT;
        assert_close(mat3_distance(tact_mat3_multiply(A, inverse), tact_mat3_identity()),
                     tolerance);
        assert_close(mat3_distance(tact_mat3_multiply(inverse, A), tact_mat3_identity()),
                     tolerance);
    }
}

static void a_singular_matrix_has_no_inverse(void **state)
{
    (void)state;
    const TactMat3 mark = {{{7, 7, 7}, {7, 7, 7}, {7, 7, 7}}};
    const TactMat3 cases[] = {
        {{{0}}},
        {{{1, 2, 3}, {2, 4, 6}, {1, 1, 1}}},
        {{{1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}},
        {{{1e200, 0, 0}, {0, 1e200, 0}, {0, 0, 1e200}}}, // its determinant is no double
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TactMat3 inverse = mark;
        assert_false(tact_mat3_invert(cases[i], &inverse));
        assert_close(mat3_distance(inverse, mark), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiply_agrees_with_three_loops),
        cmocka_unit_test(apply_is_a_product_with_a_column),
        cmocka_unit_test(skew_and_outer_do_what_their_products_say),
        cmocka_unit_test(transpose_add_scale_and_diagonal_by_hand),
        cmocka_unit_test(determinant_is_multiplicative_and_alternating),
        cmocka_unit_test(inverse_times_the_matrix_is_the_identity),
        cmocka_unit_test(a_singular_matrix_has_no_inverse),
    };
    return cmocka_run_group_tests_name("math/mat3", tests, NULL, NULL);
}
