// LU against textbook elimination in long double, and against the identities it must fulfil.
#include "linalg/lu.h"

#include "matrices.h"

enum { PAD = 3 }; // rows are n + PAD apart, and the padding must stay as it is

typedef struct Case {
    int     n;
    int     ld;
    double *A;
    double *LU;
    int    *perm;
    double *b;
    double *x;
    double *exact;
    double *work;
} Case;

static Case new_case(TactRandom *random, int n, double condition)
{
    Case    c = {.n = n, .ld = n + PAD};
    double *square = new_doubles(n * n);
    if (condition > 0) {
        fill_conditioned(random, n, condition, square);
    } else {
        fill_random(random, n * n, square);
    }
    c.A = new_doubles(n * c.ld);
    c.LU = new_doubles(n * c.ld);
    c.perm = calloc((size_t)n + 1, sizeof *c.perm);
    c.b = new_doubles(n);
    c.x = new_doubles(n);
    c.exact = new_doubles(n);
    c.work = new_doubles(2 * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < c.ld; j++) {
            c.A[i * c.ld + j] = j < n ? square[i * n + j] : 0.125;
        }
    }
    memcpy(c.LU, c.A, (size_t)(n * c.ld) * sizeof *c.A);
    fill_random(random, n, c.b);
    free(square);
    return c;
}

static void free_case(Case *c)
{
    free(c->A);
    free(c->LU);
    free(c->perm);
    free(c->b);
    free(c->x);
    free(c->exact);
    free(c->work);
}

static void factors_multiply_to_the_permuted_matrix(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(1);
    for (int s = 0; s < TEST_SIZES; s++) {
        Case c = new_case(&random, test_sizes[s], 0);
        int  n = c.n, ld = c.ld;
        assert_int_equal(tact_lu_factor(n, c.LU, ld, c.perm, 0), -1);
        double worst = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k <= i && k <= j; k++) {
                    sum += (k == i ? 1 : c.LU[i * ld + k]) * c.LU[k * ld + j];
                }
                worst = fmax(worst, fabs(sum - c.A[c.perm[i] * ld + j]));
                if (j < i) { // partial pivoting: no multiplier exceeds 1
                    assert_true(fabs(c.LU[i * ld + j]) <= 1);
                }
            }
            for (int j = n; j < ld; j++) {
                assert_true(c.LU[i * ld + j] == 0.125);
            }
        }
        assert_true(worst <= 1e-14 * (n + 1));
        free_case(&c);
    }
}

static void solve_and_transposed_solve_leave_backward_errors_of_rounding(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(2);
    const double conditions[] = {0, 1e4, 1e8, 1e12, 1e15};
    for (int s = 0; s < TEST_SIZES; s++) {
        for (int k = 0; k < 5; k++) {
            Case c = new_case(&random, test_sizes[s], conditions[k]);
            int  n = c.n, ld = c.ld;
            assert_int_equal(tact_lu_factor(n, c.LU, ld, c.perm, 0), -1);
            tact_lu_solve(n, c.LU, ld, c.perm, c.b, c.x);
            double scale = max_abs(n, c.x) * max_abs(n * n, c.A) * (n + 1) + max_abs(n, c.b);
            assert_true(residual(n, c.A, ld, c.x, c.b) <= 1e-14 * scale);

            double *At = new_doubles(n * ld);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    At[i * ld + j] = c.A[j * ld + i];
                }
            }
            memcpy(c.work, c.b, (size_t)n * sizeof *c.b);
            tact_lu_solve_transposed(n, c.LU, ld, c.perm, c.work, c.x);
            scale = max_abs(n, c.x) * max_abs(n * n, c.A) * (n + 1) + max_abs(n, c.b);
            assert_true(residual(n, At, ld, c.x, c.b) <= 1e-14 * scale);
            free(At);
            free_case(&c);
        }
    }
}

static void refinement_reaches_the_solution_of_the_textbook_in_long_double(void **state)
{
    (void)state;
    TactRandom   random = tact_random_seed(3);
    const double conditions[] = {0, 1e4, 1e8, 1e11};
    for (int s = 0; s < TEST_SIZES; s++) {
        for (int k = 0; k < 4; k++) {
            Case c = new_case(&random, test_sizes[s], conditions[k]);
            int  n = c.n;
            reference_solution(n, c.A, c.ld, c.b, c.exact);
            assert_int_equal(tact_lu_factor(n, c.LU, c.ld, c.perm, 0), -1);
            tact_lu_solve(n, c.LU, c.ld, c.perm, c.b, c.x);
            for (int step = 0; step < 4; step++) {
                tact_lu_refine(n, c.A, c.LU, c.ld, c.perm, c.b, c.x, c.work);
            }
            double condition = fmax(conditions[k], 1e6);
            for (int i = 0; i < n; i++) { // the reference has 19 digits, less the condition
                double tol = (1e-15 + 1e-17 * condition) * max_abs(n, c.exact);
                assert_true(fabs(c.x[i] - c.exact[i]) <= tol);
            }
            free_case(&c);
        }
    }
}

static void inverse_times_matrix_is_one(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(4);
    for (int s = 0; s < TEST_SIZES; s++) {
        Case    c = new_case(&random, test_sizes[s], s % 2 ? 1e3 : 0);
        int     n = c.n, ld = c.ld;
        double *inverse = new_doubles(n * (n + 1));
        assert_int_equal(tact_lu_factor(n, c.LU, ld, c.perm, 0), -1);
        tact_lu_invert(n, c.LU, ld, c.perm, inverse, n + 1);
        double scale = max_abs(n * (n + 1), inverse) * (n + 1);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                long double sum = i == j ? -1 : 0;
                for (int k = 0; k < n; k++) {
                    sum += (long double)inverse[i * (n + 1) + k] * c.A[k * ld + j];
                }
                assert_true(fabsl(sum) <= 1e-13 * scale);
            }
            assert_true(inverse[i * (n + 1) + n] == 0);
        }
        free(inverse);
        free_case(&c);
    }
}

static void a_singular_matrix_is_reported_with_its_column(void **state)
{
    (void)state;
    // Column 2 is the sum of columns 0 and 1: three pivots cannot be found.
    double A[] = {1, 2, 3, 1, 4, 1, 5, 0, 2, 2, 4, 7, 1, 0, 1, 5};
    int    perm[4];
    assert_int_equal(tact_lu_factor(4, A, 4, perm, 1e-12), 2);
    double zero[4] = {0};
    assert_int_equal(tact_lu_factor(2, zero, 2, perm, 0), 0);
    double small[4] = {1, 0, 0, 1e-10};
    assert_int_equal(tact_lu_factor(2, small, 2, perm, 1e-9), 1);
    double fine[4] = {1, 0, 0, 1e-10};
    assert_int_equal(tact_lu_factor(2, fine, 2, perm, 1e-11), -1);
    assert_int_equal(tact_lu_factor(0, NULL, 0, NULL, 1e-9), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_multiply_to_the_permuted_matrix),
        cmocka_unit_test(solve_and_transposed_solve_leave_backward_errors_of_rounding),
        cmocka_unit_test(refinement_reaches_the_solution_of_the_textbook_in_long_double),
        cmocka_unit_test(inverse_times_matrix_is_one),
        cmocka_unit_test(a_singular_matrix_is_reported_with_its_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
