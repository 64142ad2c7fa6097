// The table of small problems against the factor: the same algorithm in two forms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lcp/dantzig/dantzig.h"

enum { MOST = 40, PROBLEMS = 3000 };

typedef struct Problem {
    TactLcpProblem lcp;
    double         M[MOST * MOST], q[MOST], lo[MOST], hi[MOST];
} Problem;

/// M = G'G of rank at most `rank`, rows scaled by up to 10^spread, some of them twice; q = G'y is
/// in its range, so that there is a solution.
static void draw(TactRandom *random, int n, int rank, double spread, Problem *out)
{
    double G[MOST][MOST], y[MOST];
    for (int k = 0; k < rank; k++) {
        y[k] = tact_random_normal(random);
    }
    for (int i = 0; i < n; i++) {
        double size = pow(10, tact_random_uniform(random, 0, spread));
        bool   again = i > 0 && tact_random_next(random) % 5 == 0 && rank < n;
        for (int k = 0; k < rank; k++) {
            G[i][k] = again ? G[i - 1][k] : size * tact_random_normal(random);
        }
    }
    for (int i = 0; i < n; i++) {
        out->q[i] = 0;
        out->lo[i] = 0;
        out->hi[i] = HUGE_VAL;
        for (int k = 0; k < rank; k++) {
            out->q[i] += G[i][k] * y[k];
        }
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++) {
                sum += G[i][k] * G[j][k];
            }
            out->M[i * n + j] = sum;
        }
    }
    out->lcp = (TactLcpProblem){.n = n, .M = out->M, .q = out->q};
}

/// Largest |w_i - w'_i| / sqrt(M_ii) of two answers, relative to the largest |q_i| / sqrt(M_ii): w
/// is unique where z is not.
static double distance(const Problem *problem, const double *a, const double *b)
{
    int    n = problem->lcp.n;
    double apart = 0, size = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0, s = sqrt(problem->M[i * (n + 1)]);
        for (int j = 0; j < n; j++) {
            sum += problem->M[i * n + j] * (a[j] - b[j]);
        }
        apart = fmax(apart, fabs(sum) / s);
        size = fmax(size, fabs(problem->q[i]) / s);
    }
    return apart / size;
}

static void table_and_factor_give_the_same_w(void **state)
{
    (void)state;
    TactRandom     random = tact_random_seed(11);
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
    TactLcpSolver *solver;
    double         worst = 0;
    assert_int_equal(tact_lcp_solver_create(MOST, &config, &solver), TACT_OK);
    for (int trial = 0; trial < PROBLEMS; trial++) {
        static Problem problem;
        TactLcpReport  small, large;
        double         z[MOST], z_large[MOST];
        int            n = 1 + trial % MOST, rank = trial % 3 ? n : n < 6 ? n : 6;
        draw(&random, n, rank, trial % 2, &problem);
        assert_int_equal(tact_lcp_solve(solver, &problem.lcp, z, &small), TACT_OK);
        problem.lcp.lo = problem.lo; // bounds that are given go the long way
        problem.lcp.hi = problem.hi;
        assert_int_equal(tact_lcp_solve(solver, &problem.lcp, z_large, &large), TACT_OK);
        assert_int_equal(small.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(large.outcome, TACT_LCP_OUTCOME_SOLVED);
        worst = fmax(worst, distance(&problem, z, z_large));
    }
    print_message("%d problems, n = 1 to %d: w differ by at most %.1e\n", (int)PROBLEMS, (int)MOST,
                  worst);
    assert_true(worst <= 1e-9);
    tact_lcp_solver_destroy(solver);
}

static void the_table_does_nearly_all_of_them_alone(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(12);
    int        alone[2] = {0}, count[2] = {0};
    for (int trial = 0; trial < PROBLEMS; trial++) {
        static Problem problem;
        TactLcpReport  report = {0};
        double         z[MOST];
        unsigned char  basis[MOST];
        bool           deficient = trial % 3 == 0;
        int            n = 8 + trial % (MOST - 7);
        draw(&random, n, deficient ? 6 : n, 0, &problem);
        double tol = 1e-12 * tact_lcp_scale(&problem.lcp);
        count[deficient]++;
        alone[deficient] += tact_dantzig_small(&problem.lcp, tol, z, basis, &report);
    }
    print_message("of full rank %d of %d, of rank 6 %d of %d\n", alone[0], count[0], alone[1],
                  count[1]);
    assert_true(alone[0] == count[0] && 10 * alone[1] >= 9 * count[1]);
}

static void what_the_table_leaves_is_solved_all_the_same(void **state)
{
    (void)state;
    // M_22 - M_21 M_12 / M_11 = 0: the second row depends on the first, and asks for more.
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, -1, -1, 1}, .q = (double[]){-1, 0.5}};
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
    TactLcpSolver *solver;
    TactLcpReport  report = {0};
    double         z[2];
    unsigned char  basis[2];
    assert_false(tact_dantzig_small(&problem, 1e-12, z, basis, &report));
    assert_int_equal(tact_lcp_solver_create(2, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    // w_1 + w_2 = -0.5 for all z.
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_RAY);
    tact_lcp_solver_destroy(solver);
}

static void limits_starts_and_bounds_go_the_long_way(void **state)
{
    (void)state;
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
    double         q[2] = {-1, -1}, M[4] = {1, 0, 0, 1}, z[2];
    TactLcpProblem problem = {.n = 2, .M = M, .q = q};
    TactLcpSolver *solver;
    TactLcpReport  report;
    unsigned char  basis[2];
    assert_int_equal(tact_lcp_solver_create(2, &config, &solver), TACT_OK);
    assert_true(tact_dantzig_is_small(solver, &problem));
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    assert_int_equal(report.pivots, 2);
    assert_int_equal(tact_lcp_solver_get_basis(solver, basis), TACT_OK);
    assert_int_equal(basis[0], TACT_LCP_STATE_BASIC);
    assert_int_equal(tact_lcp_solver_set_start(solver, 2, z, basis), TACT_OK);
    assert_false(tact_dantzig_is_small(solver, &problem));
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    assert_int_equal(report.pivots, 0);
    problem.hi = (double[]){0.5, 2};
    assert_false(tact_dantzig_is_small(solver, &problem));
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    assert_true(z[0] == 0.5 && z[1] == 1);
    tact_lcp_solver_destroy(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_and_factor_give_the_same_w),
        cmocka_unit_test(the_table_does_nearly_all_of_them_alone),
        cmocka_unit_test(what_the_table_leaves_is_solved_all_the_same),
        cmocka_unit_test(limits_starts_and_bounds_go_the_long_way),
    };
    return cmocka_run_group_tests_name("lcp/dantzig_small", tests, NULL, NULL);
}
