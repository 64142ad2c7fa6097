// Scaling by powers of two: nothing is rounded, and nothing overflows.
#include "lcp/pivot/equilibrate.h"

#include <float.h>
#include <stdbool.h>

#include "linalg/matrices.h"

enum { MAX_N = 40, LD = 48 };

static double columns[MAX_N * LD];
static double d[MAX_N];

static bool is_power_of_two(double x)
{
    int exponent;
    return isfinite(x) && frexp(x, &exponent) == 0.5;
}

static void a_power_of_two_is_found_below_every_number(void **state)
{
    (void)state;
    assert_true(tact_power_of_two(1) == 1);
    assert_true(tact_power_of_two(1.999) == 1);
    assert_true(tact_power_of_two(-5) == 4);
    assert_true(tact_power_of_two(0.3) == 0.25);
    assert_true(tact_power_of_two(DBL_MAX) == 0x1p1023);
    assert_true(tact_power_of_two(0x1p-1074) == 0x1p-1074);
    assert_true(tact_power_of_two(0) == 1);
    assert_true(tact_power_of_two(HUGE_VAL) == 1);
    assert_true(tact_power_of_two(NAN) == 1);
}

/// columns_j = D M e_j to the last bit: undoing the factors gives M back.
static void assert_nothing_is_rounded(int n, const double *M)
{
    tact_equilibrate(n, M, columns, LD, d);
    for (int i = 0; i < n; i++) {
        assert_true(is_power_of_two(d[i]));
        for (int j = 0; j < n; j++) {
            assert_true(columns[j * LD + i] / d[j] / d[i] == M[i * n + j]);
        }
    }
}

static void a_positive_semidefinite_matrix_gets_a_diagonal_near_1(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(3);
    for (int trial = 0; trial < 100; trial++) {
        int     n = 1 + trial % MAX_N;
        double *M = new_doubles(n * n);
        fill_gram(&random, n, 1 + n / 2, M);
        for (int i = 0; i < n; i++) { // units: S M S is as semidefinite as M
            double unit = pow(10, tact_random_uniform(&random, -60, 60));
            for (int j = 0; j < n; j++) {
                M[i * n + j] *= unit;
                M[j * n + i] *= unit;
            }
        }
        assert_nothing_is_rounded(n, M);
        for (int i = 0; i < n; i++) {
            // 2^e <= 1 / sqrt(M_ii) < 2^(e+1), so d^2 M_ii is in (1/4, 1]; |M_ij|^2 <= M_ii M_jj
            assert_true(columns[i * LD + i] > 0.25 && columns[i * LD + i] <= 1);
            for (int j = 0; j < n; j++) {
                assert_true(fabs(columns[j * LD + i]) <= 1 + 1e-12);
            }
        }
        free(M);
    }
}

static void a_row_without_diagonal_gets_a_largest_entry_near_1(void **state)
{
    (void)state;
    // The last row and column of a friction cone: lambda, with mu and -1.
    const double M[9] = {4e6, 0, -300, 0, 1e-6, 1, 500, -1, 0};
    assert_nothing_is_rounded(3, M);
    double largest = 0;
    for (int j = 0; j < 3; j++) {
        largest = fmax(largest, fmax(fabs(columns[j * LD + 2]), fabs(columns[2 * LD + j])));
    }
    assert_true(largest >= 1 && largest < 2);
}

static void a_small_diagonal_beside_large_entries_does_not_blow_them_up(void **state)
{
    (void)state;
    const double M[4] = {1e-12, 1e3, -1e3, 1e-12};
    assert_nothing_is_rounded(2, M);
    for (int k = 0; k < 4; k++) {
        assert_true(fabs(columns[k / 2 * LD + k % 2]) <= 2);
    }
    assert_true(fabs(columns[LD]) >= 0.25);
}

static void the_zero_matrix_stays_as_it_is(void **state)
{
    (void)state;
    const double M[4] = {0};
    assert_nothing_is_rounded(2, M);
    assert_true(d[0] == 1 && d[1] == 1);
    tact_equilibrate(0, M, columns, LD, d);
}

static void no_entry_a_double_can_have_makes_an_infinite_factor(void **state)
{
    (void)state;
    const double extreme[] = {0x1p-1074, 1e-320, 1e-300, 1, 1e300, DBL_MAX, 0, -1e300};
    const size_t count = sizeof extreme / sizeof *extreme;
    TactRandom   random = tact_random_seed(4);
    for (int trial = 0; trial < 3000; trial++) {
        double M[9];
        for (int k = 0; k < 9; k++) {
            M[k] = extreme[tact_random_next(&random) % count];
        }
        tact_equilibrate(3, M, columns, LD, d);
        for (int i = 0; i < 3; i++) {
            assert_true(is_power_of_two(d[i]));
            assert_true(d[i] >= 0x1p-500 && d[i] <= 0x1p500);
            for (int j = 0; j < 3; j++) {
                assert_true(!isnan(columns[j * LD + i]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_of_two_is_found_below_every_number),
        cmocka_unit_test(a_positive_semidefinite_matrix_gets_a_diagonal_near_1),
        cmocka_unit_test(a_row_without_diagonal_gets_a_largest_entry_near_1),
        cmocka_unit_test(a_small_diagonal_beside_large_entries_does_not_blow_them_up),
        cmocka_unit_test(the_zero_matrix_stays_as_it_is),
        cmocka_unit_test(no_entry_a_double_can_have_makes_an_infinite_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
