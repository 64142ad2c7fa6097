// lemke: the path with least index on ties, with its known weaknesses.
#define METHOD TACT_LCP_METHOD_LEMKE
#include "lcp/pivoting.h"

static void murtys_problem_of_size_n_takes_2_to_the_n_pivots(void **state)
{
    (void)state;
    // Murty 1978: M_ii = 1, M_ij = 2 above the diagonal, q = -1 all: z = (0, ..., 0, 1)
    for (int n = 1; n <= 10; n++) {
        Owned owned = new_problem(n);
        for (int i = 0; i < n; i++) {
            owned.q[i] = -1;
            for (int j = i; j < n; j++) {
                owned.M[i * n + j] = i == j ? 1 : 2;
            }
        }
        TactLcpConfig config = tact_lcp_config_default(METHOD);
        config.max_pivots = 1 << n;
        Solved solved = solve_from(&config, &owned.problem, NULL);
        assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(solved.report.pivots, 1 << n);
        assert_true(max_abs(n - 1, solved.z) == 0 && solved.z[n - 1] == 1);

        config.max_pivots = (1 << n) - 1;
        solved = solve_from(&config, &owned.problem, NULL);
        assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_LIMIT);
        assert_int_equal(solved.report.pivots, (1 << n) - 1);
        free_problem(&owned);
    }
}

static void least_index_on_ties_can_cycle(void **state)
{
    (void)state;
    // M is strictly copositive, so that every q has a solution and a path without ties finds it
    // [Cottle, Pang, Stone 4.4]. Found by trying small integers.
    TactLcpProblem problem = {
        .n = 3, .M = (double[]){1, 0, 0, 2, 1, 1, 1, 2, 1}, .q = (double[]){-1, -2, -2}};
    Solved solved = solve_plainly(&problem);
    assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_CYCLE);
    assert_true(solved.report.index >= 0);
}

static void a_ray_that_starts_at_a_solution_is_one(void **state)
{
    (void)state;
    // z0 has come down to 0 but is not the one that leaves: z = (1, 0, 2), w = 0.
    TactLcpProblem problem = {
        .n = 3, .M = (double[]){2, -2, -1, 1, 1, 0, -1, -2, 0}, .q = (double[]){0, -1, 1}};
    Solved solved = solve_plainly(&problem);
    assert_int_equal(solved.report.ended, TACT_LCP_OUTCOME_RAY);
    assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_SOLVED);
}

static void z0_leaves_first_when_tied(void **state)
{
    (void)state;
    // z0 and w_1 reach 0 together: one pivot for z0 to enter, one for it to leave.
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, 0, 0, 1}, .q = (double[]){0, -1}};
    assert_int_equal(must_solve(&problem).report.pivots, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PIVOTING_TESTS,
        cmocka_unit_test(murtys_problem_of_size_n_takes_2_to_the_n_pivots),
        cmocka_unit_test(least_index_on_ties_can_cycle),
        cmocka_unit_test(a_ray_that_starts_at_a_solution_is_one),
        cmocka_unit_test(z0_leaves_first_when_tied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
