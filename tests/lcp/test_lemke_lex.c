// lemke-lex: ties do not lead it astray.
#define METHOD TACT_LCP_METHOD_LEMKE_LEX
#include "bench/problems/families.h"
#include "lcp/pivoting.h"

static void what_makes_least_index_cycle_is_solved(void **state)
{
    (void)state;
    // See least_index_on_ties_can_cycle. z = (1, 0, 1): w = (0, 1, 0).
    TactLcpProblem problem = {
        .n = 3, .M = (double[]){1, 0, 0, 2, 1, 1, 1, 2, 1}, .q = (double[]){-1, -2, -2}};
    Solved solved = must_solve(&problem);
    assert_true(solved.z[0] == 1 && solved.z[1] == 0 && solved.z[2] == 1);
}

static void more_ties_than_are_kept_are_solved(void **state)
{
    (void)state;
    // All rows tie when z0 enters, and again and again after: only 64 tied rows are compared.
    enum { N = 200 };
    Owned          owned = new_problem(N);
    TactLcpConfig  config = tact_lcp_config_default(METHOD);
    TactLcpSolver *solver;
    double         z[N];
    TactLcpReport  report;
    assert_int_equal(tact_lcp_solver_create(N, &config, &solver), TACT_OK);
    for (int rank = 1; rank <= N; rank += 199) { // z_i >= 0 with sum 1, then z = 1
        for (int i = 0; i < N; i++) {
            owned.q[i] = -1;
            for (int j = 0; j < N; j++) {
                owned.M[i * N + j] = rank == 1 || i == j;
            }
        }
        assert_int_equal(tact_lcp_solve(solver, &owned.problem, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        double sum = 0;
        for (int i = 0; i < N; i++) {
            sum += z[i];
        }
        assert_true(sum == rank);
    }
    tact_lcp_solver_destroy(solver);
    free_problem(&owned);
}

static void ties_that_rounding_has_split_are_ties(void **state)
{
    (void)state;
    // A peg between rims: contacts at equal angles, whose ratios are equal but for rounding.
    // lex_tol = 0 sees no tie there; the default does, and needs fewer pivots.
    const TactFamily *family = tact_family_find("peg-8");
    assert_non_null(family);
    int with = 0, without = 0, failed = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        TactFamilyProblem made;
        double            z[200];
        TactLcpReport     report;
        assert_int_equal(tact_family_generate(family, seed, &made), TACT_OK);
        TactLcpConfig config = tact_lcp_config_default(METHOD);
        assert_int_equal(solve_with(config, &made.problem, NULL, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        with += report.pivots;
        config.lex_tol = 0;
        assert_int_equal(solve_with(config, &made.problem, NULL, z, &report), TACT_OK);
        failed += report.outcome != TACT_LCP_OUTCOME_SOLVED;
        without += report.pivots;
        tact_family_problem_destroy(&made);
    }
    print_message("pivots %d; without a threshold %d, and %d of 40 failed\n", with, without,
                  failed);
    assert_true(with < without);
}

static void the_limit_is_reported(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2, .M = (double[]){2, 1, 1, 2}, .q = (double[]){-5, -6}};
    TactLcpConfig  config = tact_lcp_config_default(METHOD);
    config.max_pivots = 1;
    Solved solved = solve_from(&config, &problem, NULL);
    assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_LIMIT);
    assert_int_equal(solved.report.pivots, 1);
    assert_int_equal(solved.report.iterations, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PIVOTING_TESTS,
        cmocka_unit_test(what_makes_least_index_cycle_is_solved),
        cmocka_unit_test(more_ties_than_are_kept_are_solved),
        cmocka_unit_test(ties_that_rounding_has_split_are_ties),
        cmocka_unit_test(the_limit_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
