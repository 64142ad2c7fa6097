// search: where one path fails, another one does not.
#define METHOD TACT_LCP_METHOD_SEARCH
#include "lcp/pivoting.h"

static void what_makes_least_index_cycle_is_solved(void **state)
{
    (void)state;
    TactLcpProblem problem = {
        .n = 3, .M = (double[]){1, 0, 0, 2, 1, 1, 1, 2, 1}, .q = (double[]){-1, -2, -2}};
    Solved solved = must_solve(&problem);
    assert_true(solved.z[0] == 1 && solved.z[1] == 0 && solved.z[2] == 1);
}

static void another_root_escapes_the_exponential_path(void **state)
{
    (void)state;
    // Murty's problem: 2^n pivots with the covering vector 1 for lemke, hence 65536 here.
    enum { N = 16 };
    Owned owned = new_problem(N);
    for (int i = 0; i < N; i++) {
        owned.q[i] = -1;
        for (int j = i; j < N; j++) {
            owned.M[i * N + j] = i == j ? 1 : 2;
        }
    }
    Solved solved = must_solve(&owned.problem);
    assert_true(max_abs(N - 1, solved.z) == 0 && solved.z[N - 1] == 1);
    assert_true(solved.report.iterations < 4 * N + 2000);
    free_problem(&owned);
}

static void another_basis_escapes_the_ray(void **state)
{
    (void)state;
    // A game of two players with the payoffs 1 and 2: M = [0 A; A 0], q = -1. With any covering
    // vector the first variable driven from z = 0 meets nothing that blocks.
    TactLcpProblem problem = {.n = 4,
                              .M = (double[]){0, 0, 1, 2, 0, 0, 2, 1, 1, 2, 0, 0, 2, 1, 0, 0},
                              .q = (double[]){-1, -1, -1, -1}};
    double         z[4];
    TactLcpReport  lemke;
    assert_int_equal(solve(TACT_LCP_METHOD_LEMKE_LEX, &problem, z, &lemke), TACT_OK);
    assert_int_equal(lemke.outcome, TACT_LCP_OUTCOME_RAY);
    assert_int_equal(lemke.pivots, 1);
    must_solve(&problem);
}

static void the_node_limit_is_kept_and_reported(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(50);
    Owned      owned = new_problem(20);
    fill_spd(&random, 20, &owned);
    int needed = must_solve(&owned.problem).report.iterations;
    assert_true(needed > 5);
    for (int nodes = 1; nodes < needed; nodes++) {
        TactLcpConfig config = tact_lcp_config_default(METHOD);
        config.search_nodes = nodes;
        Solved solved = solve_from(&config, &owned.problem, NULL);
        assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_LIMIT);
        assert_int_equal(solved.report.iterations, nodes);
        assert_int_equal(solved.report.pivots, nodes - 1); // the root is no pivot
    }
    TactLcpConfig config = tact_lcp_config_default(METHOD);
    config.search_nodes = needed;
    assert_int_equal(solve_from(&config, &owned.problem, NULL).report.outcome,
                     TACT_LCP_OUTCOME_SOLVED);
    free_problem(&owned);
}

static void without_ties_it_goes_the_way_of_lemke(void **state)
{
    (void)state;
    // One candidate at each node: as many pivots as lemke, one node more.
    TactRandom random = tact_random_seed(51);
    for (int trial = 0; trial < 100; trial++) {
        int   n = 2 + trial % 30;
        Owned owned = new_problem(n);
        fill_spd(&random, n, &owned);
        double        z[MAX_N];
        TactLcpReport lemke;
        assert_int_equal(solve(TACT_LCP_METHOD_LEMKE, &owned.problem, z, &lemke), TACT_OK);
        Solved solved = must_solve(&owned.problem);
        assert_int_equal(solved.report.pivots, lemke.pivots);
        assert_int_equal(solved.report.iterations, lemke.pivots > 0 ? lemke.pivots + 1 : 0);
        free_problem(&owned);
    }
}

static void what_spoils_nothing_goes_before_what_spoils_a_little(void **state)
{
    (void)state;
    // With a wide eps many pivots that leave a value down to -0.05 are candidates; the path of
    // lemke spoils none, costs nothing, and is followed to its end.
    TactRandom    random = tact_random_seed(52);
    TactLcpConfig config = tact_lcp_config_default(METHOD);
    config.search_eps = 0.05;
    for (int trial = 0; trial < 100; trial++) {
        int   n = 2 + trial % 30;
        Owned owned = new_problem(n);
        fill_spd(&random, n, &owned);
        double        z[MAX_N];
        TactLcpReport lemke;
        assert_int_equal(solve(TACT_LCP_METHOD_LEMKE, &owned.problem, z, &lemke), TACT_OK);
        Solved solved = solve_from(&config, &owned.problem, NULL);
        assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(solved.report.pivots, lemke.pivots);
        free_problem(&owned);
    }
}

static void an_answer_is_certified_before_the_search_ends(void **state)
{
    (void)state;
    // Nothing passes a tolerance of 1e-30 of a system with thirds: it never says 'solved', tries
    // its other roots, and comes to an end.
    TactLcpProblem problem = {.n = 2, .M = (double[]){2, 1, 1, 2}, .q = (double[]){-5, -6}};
    TactLcpConfig  config = tact_lcp_config_default(METHOD);
    config.residual_tol = 1e-30;
    Solved solved = solve_from(&config, &problem, NULL);
    assert_int_not_equal(solved.report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(solved.report.iterations > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PIVOTING_TESTS,
        cmocka_unit_test(what_makes_least_index_cycle_is_solved),
        cmocka_unit_test(another_root_escapes_the_exponential_path),
        cmocka_unit_test(another_basis_escapes_the_ray),
        cmocka_unit_test(the_node_limit_is_kept_and_reported),
        cmocka_unit_test(without_ties_it_goes_the_way_of_lemke),
        cmocka_unit_test(what_spoils_nothing_goes_before_what_spoils_a_little),
        cmocka_unit_test(an_answer_is_certified_before_the_search_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
