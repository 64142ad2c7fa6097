// pgs against closed forms and against enumerate.
#include "problems.h"

static TactLcpReport pgs(const TactLcpProblem *problem, double *z)
{
    TactLcpReport report;
    assert_int_equal(solve(TACT_LCP_METHOD_PGS, problem, z, &report), TACT_OK);
    return report;
}

/// Symmetric positive definite of the given condition number, with bounds of all kinds.
static Owned conditioned_problem(TactRandom *random, int n, double condition)
{
    Owned owned = new_problem(n);
    fill_conditioned(random, n, condition, owned.M);
    fill_random(random, n, owned.q);
    set_random_bounds(random, &owned);
    return owned;
}

static void a_diagonal_matrix_needs_one_sweep_and_one_to_see_it(void **state)
{
    (void)state;
    // z_i = mid(lo_i, -q_i / m_i, hi_i)
    const double lo[] = {0, 0, -INF, -INF, -1, 2, -INF};
    const double hi[] = {INF, INF, 1, INF, 1, 2, -3};
    const double q[] = {-6, 6, -6, 3, 6, 1, 0};
    double       M[49] = {0};
    double       z[7];
    for (int i = 0; i < 7; i++) {
        M[i * 7 + i] = 2;
    }
    TactLcpReport report = pgs(&(TactLcpProblem){.n = 7, .M = M, .q = q, .lo = lo, .hi = hi}, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_int_equal(report.iterations, 2);
    for (int i = 0; i < 7; i++) {
        assert_true(z[i] == fmin(fmax(-q[i] / 2, lo[i]), hi[i]));
    }
}

static void two_coupled_unknowns_have_their_textbook_solution(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2, .M = (double[]){2, 1, 1, 2}, .q = (double[]){-5, -6}};
    double         z[2];
    assert_int_equal(pgs(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(fabs(z[0] - 4.0 / 3) < 1e-8 && fabs(z[1] - 7.0 / 3) < 1e-8);
}

static void random_problems_have_the_solution_that_enumerate_finds(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(41);
    for (int trial = 0; trial < 300; trial++) {
        int           n = 1 + trial % 8;
        Owned         owned = conditioned_problem(&random, n, 50);
        double        z[8], expected[8];
        TactLcpReport report;
        assert_int_equal(solve(TACT_LCP_METHOD_ENUMERATE, &owned.problem, expected, &report),
                         TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(pgs(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        for (int i = 0; i < n; i++) { // error <= 1e-9 scale, and the inverse is at most 50
            assert_true(fabs(z[i] - expected[i]) <= 50e-9 * n * report.certificate.scale);
        }
        free_problem(&owned);
    }
}

static void sparse_and_dense_matrices_give_the_same_solution(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(42);
    for (int trial = 0; trial < 30; trial++) {
        int    n = 10 + trial;
        Owned  owned = new_problem(n);
        double dense_z[64], sparse_z[64];
        for (int i = 0; i < n; i++) { // a chain: tridiagonal, diagonally dominant
            owned.M[i * n + i] = 2.5;
            if (i > 0) {
                owned.M[i * n + i - 1] = owned.M[(i - 1) * n + i] = -1;
            }
        }
        fill_random(&random, n, owned.q);
        set_random_bounds(&random, &owned);
        TactLcpProblem sparse = to_csr(&owned);
        TactLcpReport  dense_report = pgs(&owned.problem, dense_z);
        TactLcpReport  sparse_report = pgs(&sparse, sparse_z);
        assert_int_equal(dense_report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(sparse_report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(dense_report.iterations, sparse_report.iterations);
        for (int i = 0; i < n; i++) { // the same sweeps, sums in another order
            assert_true(fabs(dense_z[i] - sparse_z[i]) <= 1e-13 * (1 + fabs(dense_z[i])));
        }
        free_problem(&owned);
    }
}

static void a_diagonally_dominant_matrix_need_not_be_symmetric(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(43);
    for (int trial = 0; trial < 100; trial++) {
        int    n = 2 + trial % 7;
        Owned  owned = new_problem(n);
        double z[8], sparse_z[8], expected[8];
        fill_random(&random, n * n, owned.M);
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += i == j ? 0 : fabs(owned.M[i * n + j]);
            }
            owned.M[i * n + i] = 1 + sum;
        }
        fill_random(&random, n, owned.q);
        set_random_bounds(&random, &owned);
        TactLcpReport report;
        assert_int_equal(solve(TACT_LCP_METHOD_ENUMERATE, &owned.problem, expected, &report),
                         TACT_OK);
        TactLcpProblem sparse = to_csr(&owned);
        assert_int_equal(pgs(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(pgs(&sparse, sparse_z).outcome, TACT_LCP_OUTCOME_SOLVED);
        for (int i = 0; i < n; i++) {
            assert_true(fabs(z[i] - expected[i]) <= 1e-8 * report.certificate.scale);
            assert_true(fabs(sparse_z[i] - expected[i]) <= 1e-8 * report.certificate.scale);
        }
        free_problem(&owned);
    }
}

static void redundant_contacts_are_solved(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(44);
    for (int trial = 0; trial < 20; trial++) {
        int    n = 12 + trial;
        Owned  owned = new_problem(n);
        double z[40], v[40];
        fill_gram(&random, n, 6, owned.M); // rank 6
        fill_random(&random, n, v);
        for (int i = 0; i < n; i++) { // w = M (z + v): z = 0 where v >= 0, so it is feasible
            for (int j = 0; j < n; j++) {
                owned.q[i] += owned.M[i * n + j] * v[j];
            }
        }
        assert_int_equal(pgs(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        free_problem(&owned);
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
    assert_int_equal(pgs(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 4 && z[1] == 2);
    // The normal force may stand after its friction row.
    problem.q = (double[]){-9, -4};
    problem.lo = (double[]){0, 0};
    problem.hi = (double[]){0.5, INF};
    problem.f_index = (int[]){1, -1};
    assert_int_equal(pgs(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 2 && z[1] == 4);
    // A separating contact has no friction.
    problem.q = (double[]){-9, 4};
    assert_int_equal(pgs(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 0 && z[1] == 0);
}

static void a_diagonal_that_is_not_positive_is_refused_with_its_row(void **state)
{
    (void)state;
    double        z[3];
    TactLcpReport report;
    const double  diagonals[] = {0, -1};
    for (int k = 0; k < 2; k++) {
        Owned owned = new_problem(3);
        owned.M[0] = owned.M[4] = 1;
        owned.M[8] = diagonals[k];
        assert_int_equal(solve(TACT_LCP_METHOD_PGS, &owned.problem, z, &report), TACT_UNSUPPORTED);
        assert_non_null(strstr(tact_status_message(), "row 2"));
        TactLcpProblem sparse = to_csr(&owned); // where a zero is not even stored
        assert_int_equal(solve(TACT_LCP_METHOD_PGS, &sparse, z, &report), TACT_UNSUPPORTED);
        assert_non_null(strstr(tact_status_message(), "row 2"));
        free_problem(&owned);
    }
}

static void a_start_at_the_solution_needs_no_sweep(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(45);
    for (int trial = 0; trial < 20; trial++) {
        Owned  owned = conditioned_problem(&random, 20, 100);
        double z[20], again[20];
        assert_int_equal(pgs(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        TactLcpReport report;
        assert_int_equal(solve_with(tact_lcp_config_default(TACT_LCP_METHOD_PGS), &owned.problem, z,
                                    again, &report),
                         TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(report.iterations, 0);
        assert_memory_equal(z, again, sizeof z);
        free_problem(&owned);
    }
}

static void a_start_outside_the_bounds_is_moved_inside(void **state)
{
    (void)state;
    TactLcpProblem problem = {
        .n = 2, .M = (double[]){1, 0, 0, 1}, .q = (double[]){-9, 5}, .hi = (double[]){3, 3}};
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    TactLcpReport report;
    double        z[2];
    config.max_iterations = 0;
    assert_int_equal(solve_with(config, &problem, (double[]){77, -77}, z, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED); // (3, 0) is the solution
    assert_true(z[0] == 3 && z[1] == 0);
}

static void the_limit_of_sweeps_is_kept(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(46);
    Owned         owned = conditioned_problem(&random, 30, 1e6);
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    TactLcpReport report;
    double        z[30];
    for (int limit = 0; limit < 4; limit++) {
        config.max_iterations = limit;
        assert_int_equal(solve_with(config, &owned.problem, NULL, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_LIMIT);
        assert_int_equal(report.iterations, limit);
        for (int i = 0; i < 30; i++) {
            assert_true(z[i] >= owned.lo[i] && z[i] <= owned.hi[i]);
        }
    }
    free_problem(&owned);
}

static void divergence_ends_early_with_a_finite_point(void **state)
{
    (void)state;
    // Indefinite: each sweep triples z twice.
    TactLcpProblem problem = {
        .n = 2, .M = (double[]){1, 3, 3, 1}, .q = (double[]){-1, 1}, .lo = (double[]){-INF, -INF}};
    double        z[2];
    TactLcpReport report = pgs(&problem, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_LIMIT);
    assert_true(report.iterations < 100);
    assert_true(isfinite(z[0]) && isfinite(z[1]));

    // One sweep is enough to overflow.
    enum { N = 400 };
    Owned   owned = new_problem(N);
    double *far = new_doubles(N);
    owned.problem.lo = owned.lo;
    for (int i = 0; i < N; i++) {
        owned.q[i] = -1;
        owned.lo[i] = -INF;
        for (int j = 0; j <= i; j++) {
            owned.M[i * N + j] = i == j ? 1 : 10;
        }
    }
    report = pgs(&owned.problem, far);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_LIMIT);
    for (int i = 0; i < N; i++) {
        assert_true(isfinite(far[i]));
    }
    free(far);
    free_problem(&owned);
}

static void a_tolerance_near_rounding_is_reached(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(47);
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    config.residual_tol = 1e-14;
    for (int trial = 0; trial < 20; trial++) {
        Owned         owned = conditioned_problem(&random, 25, 20);
        double        z[25];
        TactLcpReport report;
        assert_int_equal(solve_with(config, &owned.problem, NULL, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        free_problem(&owned);
    }
}

static void the_basis_is_read_off_the_point(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 3,
                              .M = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
                              .q = (double[]){1, -1, -9},
                              .hi = (double[]){INF, INF, 2}};
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    TactLcpSolver *solver;
    TactLcpReport  report;
    double         z[3];
    unsigned char  basis[3];
    assert_int_equal(tact_lcp_solver_create(3, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    assert_int_equal(tact_lcp_solver_get_basis(solver, basis), TACT_OK);
    tact_lcp_solver_destroy(solver);
    assert_int_equal(basis[0], TACT_LCP_STATE_AT_LO);
    assert_int_equal(basis[1], TACT_LCP_STATE_BASIC);
    assert_int_equal(basis[2], TACT_LCP_STATE_AT_HI);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_diagonal_matrix_needs_one_sweep_and_one_to_see_it),
        cmocka_unit_test(two_coupled_unknowns_have_their_textbook_solution),
        cmocka_unit_test(random_problems_have_the_solution_that_enumerate_finds),
        cmocka_unit_test(sparse_and_dense_matrices_give_the_same_solution),
        cmocka_unit_test(a_diagonally_dominant_matrix_need_not_be_symmetric),
        cmocka_unit_test(redundant_contacts_are_solved),
        cmocka_unit_test(friction_follows_the_normal_force_of_the_moment),
        cmocka_unit_test(a_diagonal_that_is_not_positive_is_refused_with_its_row),
        cmocka_unit_test(a_start_at_the_solution_needs_no_sweep),
        cmocka_unit_test(a_start_outside_the_bounds_is_moved_inside),
        cmocka_unit_test(the_limit_of_sweeps_is_kept),
        cmocka_unit_test(divergence_ends_early_with_a_finite_point),
        cmocka_unit_test(a_tolerance_near_rounding_is_reached),
        cmocka_unit_test(the_basis_is_read_off_the_point),
    };
    return cmocka_run_group_tests_name("lcp/pgs", tests, NULL, NULL);
}
