// Budgets of every method: 'limit' where it is too small, the same bits where it is large enough.
#include "problems.h"

enum { N = 80 };

static Owned make_problem(uint64_t seed, double condition)
{
    TactRandom random = tact_random_seed(seed);
    Owned      owned = new_problem(N);
    fill_conditioned(&random, N, condition, owned.M);
    fill_random(&random, N, owned.q);
    return owned;
}

/// Those of unlimited work that the problem is not too large for.
static bool takes(TactLcpMethod method)
{
    return tact_lcp_method_info(method)->max_n == 0;
}

static void a_large_budget_changes_no_bit(void **state)
{
    (void)state;
    Owned owned = make_problem(7, 1e3);
    FOR_EACH_METHOD(method)
    {
        if (!takes(method)) {
            continue;
        }
        TactLcpConfig config = tact_lcp_config_default(method);
        TactLcpReport first, second;
        double        z[2][N];
        assert_int_equal(solve_with(config, &owned.problem, NULL, z[0], &first), TACT_OK);
        assert_true(first.work > 0 && first.reproducible);
        config.max_work = 2 * first.work;
        config.max_time = 1000;
        assert_int_equal(solve_with(config, &owned.problem, NULL, z[1], &second), TACT_OK);
        assert_memory_equal(z[0], z[1], sizeof z[0]);
        assert_int_equal(first.outcome, second.outcome);
        assert_true(first.work == second.work && second.reproducible);
    }
    free_problem(&owned);
}

static void a_small_budget_is_a_limit_with_a_point_that_is_certified(void **state)
{
    (void)state;
    Owned owned = make_problem(8, 1e3);
    FOR_EACH_METHOD(method)
    {
        if (!takes(method)) {
            continue;
        }
        TactLcpConfig      config = tact_lcp_config_default(method);
        TactLcpReport      whole, report, again;
        TactLcpCertificate certificate;
        double             z[2][N];
        assert_int_equal(solve_with(config, &owned.problem, NULL, z[0], &whole), TACT_OK);
        config.max_work = whole.work / 4;
        assert_int_equal(solve_with(config, &owned.problem, NULL, z[0], &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_LIMIT);
        assert_true(report.reproducible && report.work < whole.work);
        for (int i = 0; i < N; i++) {
            assert_true(z[0][i] >= 0);
        }
        assert_int_equal(tact_lcp_certify(&owned.problem, z[0], &certificate), TACT_OK);
        assert_true(certificate.error == report.certificate.error);
        assert_int_equal(solve_with(config, &owned.problem, NULL, z[1], &again), TACT_OK);
        assert_memory_equal(z[0], z[1], sizeof z[0]);
    }
    free_problem(&owned);
}

static void the_clock_is_kept_within_a_factor_of_two(void **state)
{
    (void)state;
    Owned         owned = make_problem(9, 1e14); // Gauss-Seidel never comes to its end
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    TactLcpReport report;
    double        z[N];
    config.max_iterations = 2000000000;
    config.residual_tol = 1e-16;
    config.max_time = 0.25;
    double least = HUGE_VAL; // what else the machine does is not the solver's
    for (int trial = 0; trial < 5; trial++) {
        double begin = tact_time_now();
        assert_int_equal(solve_with(config, &owned.problem, NULL, z, &report), TACT_OK);
        least = fmin(least, tact_time_now() - begin);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_LIMIT);
        assert_false(report.reproducible);
    }
    assert_true(least >= 0.25 && least < 0.5);
    free_problem(&owned);
}

static void a_budget_that_is_none_is_refused(void **state)
{
    (void)state;
    TactLcpSolver *solver = NULL;
    for (int k = 0; k < 4; k++) {
        TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
        *(k < 2 ? &config.max_work : &config.max_time) = k % 2 ? NAN : -1;
        assert_int_equal(tact_lcp_solver_create(3, &config, &solver), TACT_BAD_ARGUMENT);
        assert_null(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_budget_changes_no_bit),
        cmocka_unit_test(a_small_budget_is_a_limit_with_a_point_that_is_certified),
        cmocka_unit_test(the_clock_is_kept_within_a_factor_of_two),
        cmocka_unit_test(a_budget_that_is_none_is_refused),
    };
    return cmocka_run_group_tests_name("lcp/budget", tests, NULL, NULL);
}
