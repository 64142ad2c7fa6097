// pgs-sm against closed forms, enumerate, pgs, and problems made to lead it in circles.
#include "bench/problems/families.h"
#include "problems.h"

static TactLcpReport pgs_sm(const TactLcpProblem *problem, double *z)
{
    TactLcpReport report;
    assert_int_equal(solve(TACT_LCP_METHOD_PGS_SM, problem, z, &report), TACT_OK);
    return report;
}

static Owned conditioned_problem(TactRandom *random, int n, double condition)
{
    Owned owned = new_problem(n);
    fill_conditioned(random, n, condition, owned.M);
    fill_random(random, n, owned.q);
    set_random_bounds(random, &owned);
    return owned;
}

/// M of rank r, q = -M x + gaps with x > 0, gaps > 0: solvable, but no face of more than r
/// variables has w = 0.
static Owned inconsistent_problem(TactRandom *random, int n, int r, double gap, double *x)
{
    Owned owned = new_problem(n);
    fill_gram(random, n, r, owned.M);
    for (int i = 0; i < n; i++) {
        x[i] = fabs(tact_random_normal(random));
    }
    for (int i = 0; i < n; i++) {
        owned.q[i] = gap * fabs(tact_random_normal(random));
        for (int j = 0; j < n; j++) {
            owned.q[i] -= owned.M[i * n + j] * x[j];
        }
    }
    return owned;
}

// ---------------------------------------------------------------------------------------------
// Solutions

static void every_kind_of_bound_is_met(void **state)
{
    (void)state;
    // w = 2 z + q in [lo, hi]: z = mid(lo, -q/2, hi).
    const double lo[] = {0, 0, -INF, -INF, -1, 2, -INF};
    const double hi[] = {INF, INF, 1, INF, 1, 2, -3};
    const double q[] = {-6, 6, -6, 3, 6, 1, 0};
    double       M[49] = {0};
    double       z[7];
    for (int i = 0; i < 7; i++) {
        M[i * 7 + i] = 2;
    }
    TactLcpProblem problem = {.n = 7, .M = M, .q = q, .lo = lo, .hi = hi};
    assert_int_equal(pgs_sm(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    for (int i = 0; i < 7; i++) {
        assert_true(z[i] == fmin(fmax(-q[i] / 2, lo[i]), hi[i]));
    }
}

static void ill_conditioned_problems_have_the_solution_that_enumerate_finds(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(51);
    for (int trial = 0; trial < 300; trial++) {
        int           n = 1 + trial % 8;
        Owned         owned = conditioned_problem(&random, n, 1e6);
        double        z[8], expected[8];
        TactLcpReport report;
        assert_int_equal(solve(TACT_LCP_METHOD_ENUMERATE, &owned.problem, expected, &report),
                         TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(pgs_sm(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        for (int i = 0; i < n; i++) { // error <= 1e-9 scale, and the inverse is at most 1e6
            assert_true(fabs(z[i] - expected[i]) <= 1e-3 * n * report.certificate.scale);
        }
        free_problem(&owned);
    }
}

static void large_ill_conditioned_problems_need_few_sweeps(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(52);
    double     z[PROBLEM_MAX];
    for (int trial = 0; trial < 20; trial++) {
        Owned         owned = conditioned_problem(&random, 60, 1e8);
        TactLcpReport report = pgs_sm(&owned.problem, z);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(report.iterations <= 100);
        free_problem(&owned);
    }
}

static void pgs_needs_a_hundred_times_the_sweeps_on_a_stack(void **state)
{
    (void)state;
    const TactFamily *family = tact_family_find("frictionless-soft-50");
    assert_non_null(family);
    double z[PROBLEM_MAX];
    for (uint64_t seed = 1; seed <= 5; seed++) {
        TactFamilyProblem generated;
        TactLcpReport     with, without;
        assert_int_equal(tact_family_generate(family, seed, &generated), TACT_OK);
        with = pgs_sm(&generated.problem, z);
        assert_int_equal(with.outcome, TACT_LCP_OUTCOME_SOLVED);
        TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
        config.max_iterations = 100 * with.iterations;
        assert_int_equal(solve_with(config, &generated.problem, NULL, z, &without), TACT_OK);
        assert_int_equal(without.outcome, TACT_LCP_OUTCOME_LIMIT);
        tact_family_problem_destroy(&generated);
    }
}

static void problems_on_which_projection_alone_goes_in_circles_are_solved(void **state)
{
    (void)state;
    // Found by switching off the descent: the stages then repeat with a period of two.
    const struct {
        const char *family;
        uint64_t    seeds[4];
    } circles[] = {{"frictionless-ratio-5", {4, 6, 15, 18}}, {"box-ratio-4", {1, 2, 17, 18}}};
    double z[PROBLEM_MAX];
    for (int k = 0; k < 8; k++) {
        TactFamilyProblem generated;
        const TactFamily *family = tact_family_find(circles[k / 4].family);
        assert_non_null(family);
        assert_int_equal(tact_family_generate(family, circles[k / 4].seeds[k % 4], &generated),
                         TACT_OK);
        TactLcpReport report = pgs_sm(&generated.problem, z);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(report.iterations <= 100);
        tact_family_problem_destroy(&generated);
    }
}

static void friction_follows_the_normal_force_of_the_moment(void **state)
{
    (void)state;
    // Normal force 4, friction coefficient 0.5: the push of 9 is held back by 2.
    TactLcpProblem problem = {.n = 2,
                              .M = (double[]){1, 0, 0, 1},
                              .q = (double[]){-4, -9},
                              .lo = (double[]){0, 0},
                              .hi = (double[]){INF, 0.5},
                              .f_index = (int[]){-1, 0}};
    double         z[2];
    assert_int_equal(pgs_sm(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 4 && z[1] == 2);
    problem.q = (double[]){4, -9}; // a separating contact has no friction
    assert_int_equal(pgs_sm(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 0 && z[1] == 0);
    // Sticking: normal force 4, push of 1 within 2, M couples them.
    problem.M = (double[]){2, 1, 1, 2};
    problem.q = (double[]){-7, -2}; // z = (4, -1): w_2 = 0
    assert_int_equal(pgs_sm(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(fabs(z[0] - 4) < 1e-8 && fabs(z[1] + 1) < 1e-8);
}

static void what_it_calls_its_end_survives_the_last_projection_of_friction(void **state)
{
    (void)state;
    // An SM stage freezes friction bounds, and the normal forces it finds may take them back: on
    // these problems that once undid the last digits of a finished solution.
    const struct {
        const char *family;
        uint64_t    seed;
    } late[] = {{"index-block-4", 329}, {"index-stack-2", 68}, {"index-stack-2", 151}};
    double z[PROBLEM_MAX];
    for (int k = 0; k < 3; k++) {
        TactFamilyProblem generated;
        assert_int_equal(
            tact_family_generate(tact_family_find(late[k].family), late[k].seed, &generated),
            TACT_OK);
        assert_int_equal(pgs_sm(&generated.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        tact_family_problem_destroy(&generated);
    }
}

// ---------------------------------------------------------------------------------------------
// Redundant contacts

static void redundant_contacts_with_gaps_that_do_not_fit_are_solved(void **state)
{
    (void)state;
    // w_1 = z_1 + z_2 - 1, w_2 = w_1 + g: only z = (1, 0). From (1/2, 1/2) a sweep moves by g / 2.
    for (int digits = 1; digits <= 7; digits++) {
        double         gap = pow(10, -digits);
        TactLcpProblem problem = {
            .n = 2, .M = (double[]){1, 1, 1, 1}, .q = (double[]){-1, -1 + gap}};
        TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS_SM);
        TactLcpReport report;
        double        z[2];
        assert_int_equal(solve_with(config, &problem, (double[]){0.5, 0.5}, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(report.iterations <= 10);
        assert_true(fabs(z[0] - 1) < 1e-9 && z[1] == 0);
    }

    TactRandom random = tact_random_seed(53);
    for (int trial = 0; trial < 100; trial++) {
        int           n = 5 + trial % 36;
        double        x[64], z[64];
        Owned         owned = inconsistent_problem(&random, n, 1 + n / 4, pow(10, -trial % 9), x);
        TactLcpReport report;
        assert_int_equal(solve_with(tact_lcp_config_default(TACT_LCP_METHOD_PGS_SM), &owned.problem,
                                    trial % 2 ? x : NULL, z, &report),
                         TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        free_problem(&owned);
    }
}

static void a_ray_is_reported_where_nothing_ends_the_fall_of_phi(void **state)
{
    (void)state;
    // w_1 + w_2 = -2 for all z.
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, -1, -1, 1}, .q = (double[]){-1, -1}};
    double         z[2];
    TactLcpReport  report = pgs_sm(&problem, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_RAY);
    assert_in_range(report.index, 0, 1);
    assert_true(isfinite(z[0]) && isfinite(z[1]) && z[0] >= 0 && z[1] >= 0);
    // With an upper bound there is a solution: z_1 at it, z_2 = z_1 + 1.
    problem.hi = (double[]){5, INF};
    assert_int_equal(pgs_sm(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 5 && fabs(z[1] - 6) < 1e-8);
}

// ---------------------------------------------------------------------------------------------
// Sparse

/// Bodies in a chain, masses up to 1000 apart: tridiagonal.
static Owned chain_problem(TactRandom *random, int n)
{
    Owned   owned = new_problem(n);
    double *inverse_mass = new_doubles(n + 1);
    for (int i = 0; i <= n; i++) {
        inverse_mass[i] = pow(10, tact_random_uniform(random, -3, 0));
    }
    for (int i = 0; i < n; i++) {
        owned.M[i * n + i] = inverse_mass[i] + inverse_mass[i + 1];
        if (i > 0) {
            owned.M[i * n + i - 1] = owned.M[(i - 1) * n + i] = -inverse_mass[i];
        }
        owned.q[i] = tact_random_normal(random);
    }
    free(inverse_mass);
    return owned;
}

static void sparse_and_dense_matrices_give_the_same_solution(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(54);
    for (int trial = 0; trial < 30; trial++) {
        int    n = 10 + 3 * trial;
        Owned  owned = chain_problem(&random, n);
        double dense_z[PROBLEM_MAX], sparse_z[PROBLEM_MAX];
        if (trial % 2) {
            set_random_bounds(&random, &owned);
        }
        TactLcpProblem sparse = to_csr(&owned);
        TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_PGS_SM);
        TactLcpReport  report;
        config.residual_tol = 1e-11;
        assert_int_equal(solve_with(config, &owned.problem, NULL, dense_z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(solve_with(config, &sparse, NULL, sparse_z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(report.refactors, 0); // conjugate gradients have no factor
        double size = 1 + max_abs(n, dense_z);
        for (int i = 0; i < n; i++) {
            assert_true(fabs(dense_z[i] - sparse_z[i]) <= 1e-5 * size);
        }
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// Start, limits, refusals

static void a_start_at_the_solution_needs_no_sweep(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(55);
    for (int trial = 0; trial < 20; trial++) {
        Owned         owned = conditioned_problem(&random, 20, 1e4);
        double        z[20], again[20];
        TactLcpReport report;
        assert_int_equal(pgs_sm(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(solve_with(tact_lcp_config_default(TACT_LCP_METHOD_PGS_SM), &owned.problem,
                                    z, again, &report),
                         TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(report.iterations, 0);
        assert_memory_equal(z, again, sizeof z);
        free_problem(&owned);
    }
}

static void the_limit_of_sweeps_is_kept(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(56);
    Owned         owned = conditioned_problem(&random, 60, 1e8);
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS_SM);
    TactLcpReport report;
    double        z[60];
    for (int limit = 0; limit < 4; limit++) {
        config.max_iterations = limit;
        assert_int_equal(solve_with(config, &owned.problem, NULL, z, &report), TACT_OK);
        assert_int_equal(report.ended, TACT_LCP_OUTCOME_LIMIT);
        assert_int_equal(report.iterations, limit);
        for (int i = 0; i < 60; i++) {
            assert_true(z[i] >= owned.lo[i] && z[i] <= owned.hi[i]);
        }
    }
    free_problem(&owned);
}

static void without_subspace_steps_it_is_pgs(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(57);
    Owned         owned = conditioned_problem(&random, 20, 100);
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS_SM);
    TactLcpReport report, expected_report;
    double        z[20], expected[20];
    config.sm_steps = 0;
    assert_int_equal(solve_with(config, &owned.problem, NULL, z, &report), TACT_OK);
    assert_int_equal(solve(TACT_LCP_METHOD_PGS, &owned.problem, expected, &expected_report),
                     TACT_OK);
    assert_int_equal(report.iterations, expected_report.iterations);
    assert_int_equal(report.refactors, 0);
    assert_memory_equal(z, expected, sizeof z);
    free_problem(&owned);
}

static void an_indefinite_matrix_is_never_called_solved_wrongly(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(58);
    int        solved = 0;
    for (int trial = 0; trial < 200; trial++) {
        int    n = 2 + trial % 9;
        Owned  owned = new_problem(n);
        double z[16];
        fill_random(&random, n * n, owned.M);
        for (int i = 0; i < n; i++) {
            owned.M[i * n + i] = 1; // positive diagonal, eigenvalues of both signs
            for (int j = 0; j < i; j++) {
                owned.M[i * n + j] = owned.M[j * n + i];
            }
        }
        fill_random(&random, n, owned.q);
        set_random_bounds(&random, &owned);
        TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS_SM);
        TactLcpReport report;
        config.max_iterations = 500;
        assert_int_equal(solve_with(config, &owned.problem, NULL, z, &report), TACT_OK);
        for (int i = 0; i < n; i++) {
            assert_true(isfinite(z[i]) && z[i] >= owned.lo[i] && z[i] <= owned.hi[i]);
        }
        if (report.outcome == TACT_LCP_OUTCOME_SOLVED) {
            solved++;
            for (int i = 0; i < n; i++) { // once more without the certificate
                long double w = owned.q[i];
                for (int j = 0; j < n; j++) {
                    w += (long double)owned.M[i * n + j] * z[j];
                }
                double limit = 1e-8 * (1 + max_abs(n, owned.q) + max_abs(n, z));
                assert_true(w >= -limit || z[i] >= owned.hi[i] - limit);
                assert_true(w <= limit || z[i] <= owned.lo[i] + limit);
            }
        }
        free_problem(&owned);
    }
    assert_true(solved > 0);
}

static void what_it_cannot_take_is_refused_with_the_row(void **state)
{
    (void)state;
    double         z[2];
    TactLcpReport  report;
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, 2, 0, 1}, .q = (double[]){-1, -1}};
    assert_int_equal(solve(TACT_LCP_METHOD_PGS_SM, &problem, z, &report), TACT_UNSUPPORTED);
    assert_non_null(strstr(tact_status_message(), "symmetric (row 1)"));
    problem.M = (double[]){1, 0, 0, 0};
    assert_int_equal(solve(TACT_LCP_METHOD_PGS_SM, &problem, z, &report), TACT_UNSUPPORTED);
    assert_non_null(strstr(tact_status_message(), "row 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_bound_is_met),
        cmocka_unit_test(ill_conditioned_problems_have_the_solution_that_enumerate_finds),
        cmocka_unit_test(large_ill_conditioned_problems_need_few_sweeps),
        cmocka_unit_test(pgs_needs_a_hundred_times_the_sweeps_on_a_stack),
        cmocka_unit_test(problems_on_which_projection_alone_goes_in_circles_are_solved),
        cmocka_unit_test(friction_follows_the_normal_force_of_the_moment),
        cmocka_unit_test(what_it_calls_its_end_survives_the_last_projection_of_friction),
        cmocka_unit_test(redundant_contacts_with_gaps_that_do_not_fit_are_solved),
        cmocka_unit_test(a_ray_is_reported_where_nothing_ends_the_fall_of_phi),
        cmocka_unit_test(sparse_and_dense_matrices_give_the_same_solution),
        cmocka_unit_test(a_start_at_the_solution_needs_no_sweep),
        cmocka_unit_test(the_limit_of_sweeps_is_kept),
        cmocka_unit_test(without_subspace_steps_it_is_pgs),
        cmocka_unit_test(an_indefinite_matrix_is_never_called_solved_wrongly),
        cmocka_unit_test(what_it_cannot_take_is_refused_with_the_row),
    };
    return cmocka_run_group_tests_name("lcp/pgs-sm", tests, NULL, NULL);
}
