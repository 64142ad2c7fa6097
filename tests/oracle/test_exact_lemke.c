// The reference itself: closed forms and counts known from the literature.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/problems/families.h"
#include "oracle/exact_lemke.h"
#include "oracle/exact_residual.h"

static void lemke_solves_a_problem_of_two_unknowns(void **state)
{
    (void)state;
    // M z + q = 0 with z = (4/3, 7/3): 2 z0 + z1 = 5, z0 + 2 z1 = 6
    double         M[] = {2, 1, 1, 2}, q[] = {-5, -6}, z[2];
    TactLcpProblem problem = {.n = 2, .M = M, .q = q};
    assert_int_equal(tact_oracle_lemke(&problem, 100, z, NULL), TACT_ORACLE_SOLVED);
    assert_true(fabs(z[0] - 4.0 / 3) <= 1e-15);
    assert_true(fabs(z[1] - 7.0 / 3) <= 1e-15);
}

static void lemke_needs_no_pivot_when_q_is_not_negative(void **state)
{
    (void)state;
    double         M[] = {-1}, q[] = {0}, z[1] = {7};
    int            pivots = -1;
    TactLcpProblem problem = {.n = 1, .M = M, .q = q};
    assert_int_equal(tact_oracle_lemke(&problem, 100, z, &pivots), TACT_ORACLE_SOLVED);
    assert_int_equal(pivots, 0);
    assert_true(z[0] == 0);
}

static void lemke_ends_on_a_ray_when_no_solution_exists(void **state)
{
    (void)state;
    double         M[] = {0}, q[] = {-1}, z[1]; // w = -1 for all z
    TactLcpProblem problem = {.n = 1, .M = M, .q = q};
    assert_int_equal(tact_oracle_lemke(&problem, 100, z, NULL), TACT_ORACLE_RAY);
}

/// Kostreva's example of cycling under the least-index rule: the lexicographic rule ends.
static void lemke_does_not_cycle_on_ties(void **state)
{
    (void)state;
    double         M[] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, q[] = {-1, -1, -1}, z[3];
    TactLcpProblem problem = {.n = 3, .M = M, .q = q};
    assert_int_equal(tact_oracle_lemke(&problem, 100, z, NULL), TACT_ORACLE_SOLVED);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(z[i] - 1.0 / 3) <= 1e-15); // the matrix is circulant: 3 z_i = 1
    }
}

/// Murty and Fathi: 2^n pivots, and the solution of Murty's problems is q's first entry.
static void lemke_takes_two_to_the_n_pivots_where_it_should(void **state)
{
    (void)state;
    const char *names[] = {"murty-5", "murty-10", "fathi-5", "fathi-10"};
    for (int k = 0; k < 4; k++) {
        TactFamilyProblem made;
        assert_int_equal(tact_family_generate(tact_family_find(names[k]), 3, &made), TACT_OK);
        int    n = made.problem.n, pivots;
        double z[16];
        assert_int_equal(tact_oracle_lemke(&made.problem, 5000, z, &pivots), TACT_ORACLE_SOLVED);
        assert_int_equal(pivots, 1 << n);
        if (k < 2) {
            assert_true(z[0] == -made.q[0]);
            assert_true(z[1] == 0);
        }
        TactOracleResidual residual = tact_oracle_residual(&made.problem, z);
        assert_true(residual.natural <= 1e-15 * residual.scale);
        tact_family_problem_destroy(&made);
    }
}

static void residual_of_a_wrong_answer_is_its_distance(void **state)
{
    (void)state;
    double         M[] = {2}, q[] = {-4}, lo[] = {-1}, hi[] = {1};
    TactLcpProblem standard = {.n = 1, .M = M, .q = q};
    TactLcpProblem box = {.n = 1, .M = M, .q = q, .lo = lo, .hi = hi};
    // z = 2 solves; at z = 3, w = 2 and z - w = 1: |3 - 1| = 2; weighed by c = 2: w = 2 again.
    assert_true(tact_oracle_residual(&standard, (double[]){2}).natural == 0);
    assert_true(tact_oracle_residual(&standard, (double[]){3}).natural == 2);
    assert_true(tact_oracle_residual(&standard, (double[]){3}).scale == 4);
    // In [-1, 1] the upper bound solves: w = -2. At 0.5, w = -3: mid(-1, 3.5, 1) = 1.
    assert_true(tact_oracle_residual(&box, (double[]){1}).natural == 0);
    assert_true(tact_oracle_residual(&box, (double[]){0.5}).natural == 0.5);
    assert_true(tact_oracle_residual(&box, (double[]){0.5}).weighed == 1);
    assert_true(tact_oracle_residual(&box, (double[]){1.25}).outside == 0.25);
    assert_true(isinf(tact_oracle_residual(&box, (double[]){(double)NAN}).natural));
}

static void residual_sees_what_rounding_hides(void **state)
{
    (void)state;
    // 1e16 + 1 - 1e16 in doubles is 0; exactly it is 1.
    double         M[] = {1e16, 1, -1e16, 0, 1, 0, 0, 0, 1}, q[] = {0, -1, -1}, z[] = {1, 1, 1};
    TactLcpProblem problem = {.n = 3, .M = M, .q = q};
    assert_true(tact_oracle_residual(&problem, z).natural == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lemke_solves_a_problem_of_two_unknowns),
        cmocka_unit_test(lemke_needs_no_pivot_when_q_is_not_negative),
        cmocka_unit_test(lemke_ends_on_a_ray_when_no_solution_exists),
        cmocka_unit_test(lemke_does_not_cycle_on_ties),
        cmocka_unit_test(lemke_takes_two_to_the_n_pivots_where_it_should),
        cmocka_unit_test(residual_of_a_wrong_answer_is_its_distance),
        cmocka_unit_test(residual_sees_what_rounding_hides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
