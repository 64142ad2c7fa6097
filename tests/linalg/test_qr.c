// QR against what defines the answer: A'(A x - b) = 0, and x in the range of A'.
#include "linalg/qr.h"

#include "linalg/matrices.h"

typedef struct Least {
    double *A, *b, *x;
    int     m, n, rank;
} Least;

/// A = L R of the given rank with random L (m x rank), R (rank x n); b arbitrary.
static Least random_least(TactRandom *random, int m, int n, int rank)
{
    Least   least = {.A = new_doubles(m * n), .b = new_doubles(m), .x = new_doubles(n), m, n, rank};
    double *L = new_doubles(m * rank), *R = new_doubles(rank * n);
    fill_random(random, m * rank, L);
    fill_random(random, rank * n, R);
    fill_random(random, m, least.b);
    for (int i = 0; i < m * n; i++) {
        for (int k = 0; k < rank; k++) {
            least.A[i] += L[i / n * rank + k] * R[k * n + i % n];
        }
    }
    free(L);
    free(R);
    return least;
}

static void free_least(Least *least)
{
    free(least->A);
    free(least->b);
    free(least->x);
}

static int solve_copy(const Least *least, double tol)
{
    int     m = least->m, n = least->n;
    double *A = new_doubles(m * n), *b = new_doubles(m);
    double *work = new_doubles(TACT_QR_WORK(m, n));
    int    *perm = calloc((size_t)n + 1, sizeof *perm);
    assert_non_null(perm);
    memcpy(A, least->A, (size_t)(m * n) * sizeof *A);
    memcpy(b, least->b, (size_t)m * sizeof *b);
    int rank = tact_qr_least(m, n, A, n, b, tol, least->x, work, perm);
    free(A);
    free(b);
    free(work);
    free(perm);
    return rank;
}

/// max |A'(A x - b)|, which is 0 for a least-squares solution.
static double normal_residual(const Least *least)
{
    double worst = 0;
    for (int j = 0; j < least->n; j++) {
        double sum = 0;
        for (int i = 0; i < least->m; i++) {
            double r = -least->b[i];
            for (int k = 0; k < least->n; k++) {
                r += least->A[i * least->n + k] * least->x[k];
            }
            sum += least->A[i * least->n + j] * r;
        }
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void every_rank_gives_the_least_squares_solution(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    for (int trial = 0; trial < 300; trial++) {
        int   m = 1 + (int)(tact_random_next(&random) % 40);
        int   n = 1 + (int)(tact_random_next(&random) % 40);
        int   most = m < n ? m : n;
        int   rank = 1 + (int)(tact_random_next(&random) % (unsigned)most);
        Least least = random_least(&random, m, n, rank);
        assert_int_equal(solve_copy(&least, 1e-11), rank);
        assert_true(normal_residual(&least) <= 1e-10 * (m + n) * (m + n));
        free_least(&least);
    }
}

static void the_solution_is_the_shortest(void **state)
{
    (void)state;
    // x is of least norm if it is in the range of A': x = A'z has |x|^2 = z'A x, so solving
    // A'z = x by the same code must leave nothing.
    TactRandom random = tact_random_seed(6);
    for (int trial = 0; trial < 100; trial++) {
        int   m = 1 + trial % 17, n = m + trial % 23, rank = 1 + trial % m;
        Least least = random_least(&random, m, n, rank);
        solve_copy(&least, 1e-11);
        Least back = {
            .A = new_doubles(n * m), .b = new_doubles(n), .x = new_doubles(m), .m = n, .n = m};
        for (int i = 0; i < n; i++) {
            back.b[i] = least.x[i];
            for (int j = 0; j < m; j++) {
                back.A[i * m + j] = least.A[j * n + i];
            }
        }
        solve_copy(&back, 1e-11);
        for (int i = 0; i < n; i++) {
            double left = back.b[i];
            for (int j = 0; j < m; j++) {
                left -= back.A[i * m + j] * back.x[j];
            }
            assert_true(fabs(left) <= 1e-10);
        }
        free_least(&back);
        free_least(&least);
    }
}

static void graded_columns_do_not_hide_the_rank(void **state)
{
    (void)state;
    // Columns of lengths 1 ... 1e-6 in random order, each twice: rank n / 2. The shortest solution
    // of a consistent system gives both of a pair the same.
    TactRandom random = tact_random_seed(8);
    for (int trial = 0; trial < 50; trial++) {
        int   half = 2 + trial % 20, n = 2 * half, m = n + trial % 5;
        Least least = random_least(&random, m, half, half);
        Least twice = {
            .A = new_doubles(m * n), .b = new_doubles(m), .x = new_doubles(n), .m = m, .n = n};
        for (int j = 0; j < half; j++) {
            double scale = pow(10, tact_random_uniform(&random, -6, 0));
            for (int i = 0; i < m; i++) {
                double entry = scale * least.A[i * half + j];
                twice.A[i * n + j] = twice.A[i * n + n - 1 - j] = entry;
                twice.b[i] += 2 * entry;
            }
        }
        assert_int_equal(solve_copy(&twice, 1e-11), half);
        for (int j = 0; j < n; j++) { // all ones
            assert_true(fabs(twice.x[j] - 1) <= 1e-7);
        }
        free_least(&twice);
        free_least(&least);
    }
}

static void two_equal_columns_share_the_solution(void **state)
{
    (void)state;
    // x_0 + x_1 = 4 in both rows: the shortest is (2, 2)
    Least least = {.A = new_doubles(4), .b = new_doubles(2), .x = new_doubles(2), .m = 2, .n = 2};
    for (int i = 0; i < 4; i++) {
        least.A[i] = 1;
    }
    least.b[0] = least.b[1] = 4;
    assert_int_equal(solve_copy(&least, 1e-11), 1);
    assert_true(fabs(least.x[0] - 2) < 1e-15 && fabs(least.x[1] - 2) < 1e-15);
    free_least(&least);
}

static void a_zero_matrix_has_rank_zero_and_the_solution_zero(void **state)
{
    (void)state;
    Least least = {.A = new_doubles(6), .b = new_doubles(2), .x = new_doubles(3), .m = 2, .n = 3};
    least.b[0] = 1;
    least.x[1] = 7;
    assert_int_equal(solve_copy(&least, 1e-11), 0);
    assert_true(least.x[0] == 0 && least.x[1] == 0 && least.x[2] == 0);
    free_least(&least);
}

static void small_singular_values_are_cut_at_the_tolerance(void **state)
{
    (void)state;
    // diag(1, 1e-6, 1e-12): three ranks by tolerance; b = (1, 1, 1)
    const double tol[] = {1e-13, 1e-9, 1e-3};
    Least least = {.A = new_doubles(9), .b = new_doubles(3), .x = new_doubles(3), .m = 3, .n = 3};
    least.A[0] = 1, least.A[4] = 1e-6, least.A[8] = 1e-12;
    least.b[0] = least.b[1] = least.b[2] = 1;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(solve_copy(&least, tol[k]), 3 - k);
        assert_true(fabs(least.x[0] - 1) < 1e-15);
        assert_true(k == 2 ? least.x[1] == 0 : fabs(least.x[1] - 1e6) < 1e-8);
        assert_true(k > 0 ? least.x[2] == 0 : fabs(least.x[2] - 1e12) < 1e-2);
    }
    free_least(&least);
}

static void a_well_conditioned_system_is_solved_to_rounding(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(7);
    for (int n = 1; n <= 150; n = n * 3 / 2 + 1) {
        Least least = {.A = new_doubles(n * n), .b = new_doubles(n), .x = new_doubles(n), n, n, n};
        double *expected = new_doubles(n);
        fill_conditioned(&random, n, 1e3, least.A);
        fill_random(&random, n, expected);
        for (int i = 0; i < n * n; i++) {
            least.b[i / n] += least.A[i] * expected[i % n];
        }
        assert_int_equal(solve_copy(&least, 1e-11), n);
        for (int i = 0; i < n; i++) {
            assert_true(fabs(least.x[i] - expected[i]) <= 1e-11);
        }
        free(expected);
        free_least(&least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rank_gives_the_least_squares_solution),
        cmocka_unit_test(the_solution_is_the_shortest),
        cmocka_unit_test(graded_columns_do_not_hide_the_rank),
        cmocka_unit_test(two_equal_columns_share_the_solution),
        cmocka_unit_test(a_zero_matrix_has_rank_zero_and_the_solution_zero),
        cmocka_unit_test(small_singular_values_are_cut_at_the_tolerance),
        cmocka_unit_test(a_well_conditioned_system_is_solved_to_rounding),
    };
    return cmocka_run_group_tests_name("linalg/qr", tests, NULL, NULL);
}
