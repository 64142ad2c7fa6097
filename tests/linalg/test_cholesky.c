// Cholesky against the textbook loop in long double, and its rule for dependent rows.
#include "linalg/cholesky.h"

#include "matrices.h"

/// U of A = U'U, entry by entry, as it is defined.
static void reference_cholesky(int n, const double *A, long double *U)
{
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            long double sum = A[i * n + j];
            for (int k = 0; k < i; k++) {
                sum -= U[k * n + i] * U[k * n + j];
            }
            U[i * n + j] = i == j ? sqrtl(sum) : sum / U[i * n + i];
        }
    }
}

static void factor_agrees_with_the_textbook_and_keeps_the_lower_triangle(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(31);
    for (int s = 0; s < TEST_SIZES; s++) {
        int          n = test_sizes[s], ld = n + 2;
        double      *A = new_doubles(n * n), *U = new_doubles(n * ld), *work = new_doubles(n);
        long double *expected = calloc((size_t)(n * n + 1), sizeof *expected);
        fill_conditioned(&random, n, 1e4, A);
        for (int i = 0; i < n; i++) {
            memcpy(U + i * ld, A + i * n, (size_t)n * sizeof *A);
        }
        reference_cholesky(n, A, expected);
        assert_int_equal(tact_cholesky_factor(n, U, ld, 1e-12, work), n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                if (j < i) {
                    assert_true(U[i * ld + j] == A[i * n + j]);
                } else {
                    assert_true(fabsl(U[i * ld + j] - expected[i * n + j]) <= 1e-11);
                }
            }
        }
        free(A);
        free(U);
        free(work);
        free(expected);
    }
}

static void solve_leaves_backward_errors_of_rounding(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(32);
    const double conditions[] = {1, 1e4, 1e8, 1e12};
    for (int s = 0; s < TEST_SIZES; s++) {
        for (int k = 0; k < 4; k++) {
            int     n = test_sizes[s];
            double *A = new_doubles(n * n), *U = new_doubles(n * n), *work = new_doubles(n);
            double *b = new_doubles(n), *x = new_doubles(n);
            fill_conditioned(&random, n, conditions[k], A);
            fill_random(&random, n, b);
            memcpy(U, A, (size_t)(n * n) * sizeof *A);
            assert_int_equal(tact_cholesky_factor(n, U, n, 1e-16, work), n);
            tact_cholesky_solve(n, U, n, b, x);
            double scale = max_abs(n, x) * max_abs(n * n, A) * (n + 1) + max_abs(n, b);
            assert_true(residual(n, A, n, x, b) <= 1e-14 * scale);
            free(A);
            free(U);
            free(work);
            free(b);
            free(x);
        }
    }
}

static void dependent_rows_are_dropped_and_consistent_systems_still_solved(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(33);
    for (int s = 0; s < TEST_SIZES; s++) {
        int     n = test_sizes[s];
        int     rank = n < 6 ? n : s % 2 ? 6 : n / 2;
        double *A = new_doubles(n * n), *U = new_doubles(n * n), *work = new_doubles(n);
        double *b = new_doubles(n), *x = new_doubles(n), *y = new_doubles(n);
        fill_gram(&random, n, rank > 0 ? rank : 1, A);
        fill_random(&random, n, y);
        for (int i = 0; i < n; i++) { // b = A y is consistent
            for (int j = 0; j < n; j++) {
                b[i] += A[i * n + j] * y[j];
            }
        }
        memcpy(U, A, (size_t)(n * n) * sizeof *A);
        assert_int_equal(tact_cholesky_factor(n, U, n, 1e-10, work), rank);
        tact_cholesky_solve(n, U, n, b, x);
        int zeros = 0;
        for (int i = 0; i < n; i++) {
            zeros += U[i * n + i] == 0;
            assert_true(U[i * n + i] != 0 || x[i] == 0);
        }
        assert_int_equal(zeros, n - rank);
        double scale = max_abs(n, x) * max_abs(n * n, A) * (n + 1) + max_abs(n, b);
        assert_true(residual(n, A, n, x, b) <= 1e-12 * scale);
        free(A);
        free(U);
        free(work);
        free(b);
        free(x);
        free(y);
    }
}

static void a_zero_or_negative_diagonal_is_dropped(void **state)
{
    (void)state;
    double A[] = {0, 0, 0, 0, 4, 2, 0, 2, 1}; // row 0 is zero, row 2 is half of row 1
    double work[3], x[3];
    assert_int_equal(tact_cholesky_factor(3, A, 3, 1e-12, work), 1);
    tact_cholesky_solve(3, A, 3, (double[]){0, 8, 4}, x);
    assert_true(x[0] == 0 && x[1] == 2 && x[2] == 0);
    double negative[] = {-1};
    assert_int_equal(tact_cholesky_factor(1, negative, 1, 1e-12, work), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factor_agrees_with_the_textbook_and_keeps_the_lower_triangle),
        cmocka_unit_test(solve_leaves_backward_errors_of_rounding),
        cmocka_unit_test(dependent_rows_are_dropped_and_consistent_systems_still_solved),
        cmocka_unit_test(a_zero_or_negative_diagonal_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
