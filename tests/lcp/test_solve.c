// The frame around every method: what it refuses, what it keeps, what it promises.
#include "problems.h"
// clang-format off
#include <stdio.h>
// clang-format on

static const double SPD[9] = {4, 1, 0, 1, 3, 1, 0, 1, 5};
static const double Q[3] = {-1, 2, -3};

static TactLcpProblem standard_problem(void)
{
    return (TactLcpProblem){.n = 3, .M = SPD, .q = Q};
}

static TactLcpSolver *new_solver(TactLcpMethod method, int max_n)
{
    TactLcpConfig  config = tact_lcp_config_default(method);
    TactLcpSolver *solver = NULL;
    assert_int_equal(tact_lcp_solver_create(max_n, &config, &solver), TACT_OK);
    assert_non_null(solver);
    return solver;
}

// ---------------------------------------------------------------------------------------------
// Create

static TactStatus create_status(int max_n, const TactLcpConfig *config)
{
    TactLcpSolver *solver = (TactLcpSolver *)&solver; // must be overwritten
    TactStatus     status = tact_lcp_solver_create(max_n, config, &solver);
    assert_true((status == TACT_OK) == (solver != NULL));
    tact_lcp_solver_destroy(solver);
    return status;
}

static void a_config_that_does_not_come_from_its_default_is_refused(void **state)
{
    (void)state;
    TactLcpConfig config = {.method = TACT_LCP_METHOD_PGS, .residual_tol = 1e-9};
    assert_int_equal(create_status(3, &config), TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "tact_lcp_config_default"));
    assert_int_equal(create_status(3, NULL), TACT_BAD_ARGUMENT);
    config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    assert_int_equal(create_status(3, &config), TACT_OK);
    assert_int_equal(tact_lcp_solver_create(3, &config, NULL), TACT_BAD_ARGUMENT);
}

static void values_of_the_config_out_of_range_are_refused(void **state)
{
    (void)state;
    const double bad[] = {-1, NAN};
    for (int k = 0; k < 2; k++) {
        for (int field = 0; field < 5; field++) {
            TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
            double       *fields[] = {&config.residual_tol, &config.pivot_tol, &config.lex_tol,
                                      &config.search_eps, &config.search_error};
            *fields[field] = bad[k];
            assert_int_equal(create_status(3, &config), TACT_BAD_ARGUMENT);
        }
    }
    for (int field = 0; field < 6; field++) {
        TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
        int *fields[] = {&config.max_pivots,     &config.search_nodes, &config.friction_passes,
                         &config.max_iterations, &config.pgs_sweeps,   &config.sm_steps};
        *fields[field] = -1;
        assert_int_equal(create_status(3, &config), TACT_BAD_ARGUMENT);
    }
}

static void sizes_and_methods_that_are_not_there_are_refused(void **state)
{
    (void)state;
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    assert_int_equal(create_status(-1, &config), TACT_BAD_ARGUMENT);
    config = tact_lcp_config_default((TactLcpMethod)99);
    assert_int_equal(create_status(3, &config), TACT_BAD_ARGUMENT);
    FOR_EACH_METHOD(method)
    {
        int max_n = tact_lcp_method_info(method)->max_n;
        config = tact_lcp_config_default(method);
        assert_int_equal(create_status(0, &config), TACT_OK);
        if (max_n > 0) {
            assert_int_equal(create_status(max_n, &config), TACT_OK);
            assert_int_equal(create_status(max_n + 1, &config), TACT_UNSUPPORTED);
        }
        bool takes_sparse = tact_lcp_method_info(method)->takes & TACT_LCP_TAKES_SPARSE;
        config.storage = TACT_LCP_STORAGE_SPARSE;
        assert_int_equal(create_status(3, &config), takes_sparse ? TACT_OK : TACT_UNSUPPORTED);
    }
    tact_lcp_solver_destroy(NULL);
}

// ---------------------------------------------------------------------------------------------
// Memory

static int blocks_left; // that the allocator will give
static int blocks_out;

static void *give(void *context, size_t size)
{
    (void)context;
    if (blocks_left-- <= 0) {
        return NULL;
    }
    blocks_out++;
    return malloc(size);
}

static void take_back(void *context, void *block)
{
    (void)context;
    blocks_out -= block != NULL;
    free(block);
}

static void no_memory_is_told_and_nothing_is_lost(void **state)
{
    (void)state;
    TactAllocator allocator = {give, take_back, NULL};
    tact_allocator_set(&allocator);
    FOR_EACH_METHOD(method)
    {
        TactLcpConfig config = tact_lcp_config_default(method);
        TactStatus    status = TACT_NO_MEMORY;
        for (int blocks = 0; status == TACT_NO_MEMORY; blocks++) {
            assert_true(blocks < 10);
            blocks_left = blocks;
            status = create_status(5, &config);
            assert_int_equal(blocks_out, 0);
        }
        assert_int_equal(status, TACT_OK);
    }
    tact_allocator_set(NULL);
}

static void a_workspace_beyond_the_address_space_is_no_memory(void **state)
{
    (void)state;
    FOR_EACH_METHOD(method)
    {
        const TactLcpMethodInfo *info = tact_lcp_method_info(method);
        TactLcpConfig            config = tact_lcp_config_default(method);
        if (info->max_n == 0 && method != TACT_LCP_METHOD_PGS) { // pgs needs n doubles, not n^2
            assert_int_equal(create_status(INT32_MAX, &config), TACT_NO_MEMORY);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// What a solve refuses

static void missing_arguments_and_too_large_problems_are_refused(void **state)
{
    (void)state;
    TactLcpProblem problem = standard_problem();
    TactLcpSolver *solver = new_solver(TACT_LCP_METHOD_PGS, 2);
    TactLcpReport  report;
    double         z[3];
    assert_int_equal(tact_lcp_solve(NULL, &problem, z, &report), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_solve(solver, NULL, z, &report), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_solve(solver, &problem, NULL, &report), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_solve(solver, &problem, z, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_BAD_ARGUMENT);
    assert_non_null(strstr(tact_status_message(), "n = 3"));
    problem.n = -1;
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_BAD_ARGUMENT);
    tact_lcp_solver_destroy(solver);
}

static void a_wrong_problem_is_refused_as_check_refuses_it(void **state)
{
    (void)state;
    TactLcpProblem problem = standard_problem();
    TactLcpReport  report;
    double         z[3];
    problem.q = (double[]){1, NAN, 1};
    FOR_EACH_METHOD(method)
    {
        assert_int_equal(solve(method, &problem, z, &report), TACT_BAD_INPUT);
        assert_non_null(strstr(tact_status_message(), "q[1]"));
    }
}

static void a_solver_for_one_storage_refuses_the_other(void **state)
{
    (void)state;
    Owned         owned = new_problem(2);
    TactLcpReport report;
    double        z[2];
    owned.M[0] = owned.M[3] = 1;
    TactLcpProblem sparse = to_csr(&owned);
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    for (int k = 0; k < 2; k++) {
        TactLcpSolver *solver;
        config.storage = k == 0 ? TACT_LCP_STORAGE_DENSE : TACT_LCP_STORAGE_SPARSE;
        assert_int_equal(tact_lcp_solver_create(2, &config, &solver), TACT_OK);
        assert_int_equal(tact_lcp_solve(solver, &owned.problem, z, &report),
                         k == 0 ? TACT_OK : TACT_UNSUPPORTED);
        assert_int_equal(tact_lcp_solve(solver, &sparse, z, &report),
                         k == 1 ? TACT_OK : TACT_UNSUPPORTED);
        tact_lcp_solver_destroy(solver);
    }
    free_problem(&owned);
}

static void every_form_is_taken_or_refused_as_the_table_says(void **state)
{
    (void)state;
    static const double lo_free[3] = {0, -INF, 0}, hi_none[3] = {INF, INF, INF};
    static const double lo_zero[3] = {0, 0, 0}, hi_one[3] = {INF, 2, INF};
    static const double lo_below[3] = {0, -INF, 0}, hi_half[3] = {INF, INF, 0.5};
    static const int    friction[3] = {-1, -1, 0};
    static const double skew[9] = {4, 1, 0, 2, 3, 1, 0, 1, 5};
    static const double hollow[9] = {4, 1, 1, 1, 0, 1, 1, 1, 5};
    static const double negative[9] = {4, 1, 1, 1, -3, 1, 1, 1, 5};
    const struct {
        unsigned       bit;
        int            row; // that the refusal names
        TactLcpProblem problem;
    } forms[] = {
        {TACT_LCP_TAKES_FREE, 1, {.n = 3, .M = SPD, .q = Q, .lo = lo_free, .hi = hi_none}},
        {TACT_LCP_TAKES_FREE, 1, {.n = 3, .M = SPD, .q = Q, .lo = lo_free}},
        {TACT_LCP_TAKES_UPPER, 1, {.n = 3, .M = SPD, .q = Q, .lo = lo_zero, .hi = hi_one}},
        {TACT_LCP_TAKES_UPPER, 1, {.n = 3, .M = SPD, .q = Q, .hi = hi_one}},
        {TACT_LCP_TAKES_UPPER, 1, {.n = 3, .M = SPD, .q = Q, .lo = lo_below, .hi = hi_one}},
        {TACT_LCP_TAKES_FRICTION,
         2,
         {.n = 3, .M = SPD, .q = Q, .hi = hi_half, .f_index = friction}},
        {TACT_LCP_TAKES_ASYMMETRIC, 1, {.n = 3, .M = skew, .q = Q}},
        {TACT_LCP_TAKES_ZERO_DIAGONAL, 1, {.n = 3, .M = hollow, .q = Q}},
        {TACT_LCP_TAKES_ZERO_DIAGONAL, 1, {.n = 3, .M = negative, .q = Q}},
    };
    FOR_EACH_METHOD(method)
    {
        const TactLcpMethodInfo *info = tact_lcp_method_info(method);
        for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
            TactLcpReport report;
            double        z[3];
            char          row[16];
            TactStatus    status = solve(method, &forms[k].problem, z, &report);
            assert_int_equal(status, info->takes & forms[k].bit ? TACT_OK : TACT_UNSUPPORTED);
            if (status == TACT_UNSUPPORTED) {
                snprintf(row, sizeof row, "(row %d)", forms[k].row);
                assert_non_null(strstr(tact_status_message(), info->name));
                assert_non_null(strstr(tact_status_message(), row));
            }
        }
    }
}

static void rounding_does_not_make_a_matrix_asymmetric(void **state)
{
    (void)state;
    double         M[9];
    double         z[3];
    TactLcpReport  report;
    TactLcpProblem problem = standard_problem();
    memcpy(M, SPD, sizeof M);
    M[1] *= 1 + 1e-14;
    problem.M = M;
    FOR_EACH_METHOD(method)
    {
        assert_int_equal(solve(method, &problem, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    }
}

// ---------------------------------------------------------------------------------------------
// What a solve promises

static void every_method_solves_the_standard_problem(void **state)
{
    (void)state;
    // z = (1/4, 0, 3/5), w = (0, 2 + 1/4 + 3/5, 0)
    TactLcpProblem problem = standard_problem();
    FOR_EACH_METHOD(method)
    {
        TactLcpReport report;
        double        z[3];
        assert_int_equal(solve(method, &problem, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(report.index, -1);
        assert_true(fabs(z[0] - 0.25) < 1e-8 && z[1] == 0 && fabs(z[2] - 0.6) < 1e-8);
        assert_true(report.certificate.scale == 3);
        assert_true(report.certificate.error <= 3e-9);
    }
}

static void a_problem_without_unknowns_is_solved(void **state)
{
    (void)state;
    FOR_EACH_METHOD(method)
    {
        TactLcpReport  report;
        double         z = 7;
        TactLcpProblem problem = {.n = 0};
        assert_int_equal(solve(method, &problem, &z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(z == 7);
    }
}

static void lower_bounds_other_than_0_are_met_by_every_method(void **state)
{
    (void)state;
    // y = z - lo turns it into the standard problem with q + M lo: w is the same.
    static const double lo[3] = {-1, 0.5, 2};
    double              shifted_q[3];
    for (int i = 0; i < 3; i++) {
        shifted_q[i] = Q[i];
        for (int j = 0; j < 3; j++) {
            shifted_q[i] += SPD[i * 3 + j] * lo[j];
        }
    }
    TactLcpProblem problem = {.n = 3, .M = SPD, .q = Q, .lo = lo};
    TactLcpProblem shifted = {.n = 3, .M = SPD, .q = shifted_q};
    FOR_EACH_METHOD(method)
    {
        TactLcpReport report;
        double        z[3], y[3];
        assert_int_equal(solve(method, &problem, z, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(solve(method, &shifted, y, &report), TACT_OK);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(z[i] - lo[i] - y[i]) < 1e-8);
        }
    }
}

/// Symmetric, any sign of the eigenvalues, positive diagonal; bounds as far as the method takes
/// them.
static Owned random_problem(TactRandom *random, int n, unsigned takes)
{
    Owned owned = new_problem(n);
    fill_random(random, n * n, owned.M);
    fill_random(random, n, owned.q);
    for (int i = 0; i < n; i++) {
        owned.M[i * n + i] = fabs(owned.M[i * n + i]) + 0.1;
        for (int j = 0; j < i; j++) {
            owned.M[i * n + j] = owned.M[j * n + i];
        }
    }
    set_random_bounds(random, &owned);
    for (int i = 0; i < n; i++) {
        bool free_variable = isinf(owned.lo[i]) && isinf(owned.hi[i]);
        bool upper = !free_variable && (isinf(owned.lo[i]) || !isinf(owned.hi[i]));
        if ((free_variable && !(takes & TACT_LCP_TAKES_FREE)) ||
            (upper && !(takes & TACT_LCP_TAKES_UPPER))) {
            owned.lo[i] = 0.25;
            owned.hi[i] = INF;
        }
    }
    return owned;
}

static void z_is_inside_its_bounds_whatever_the_outcome(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(71);
    int        unsolved = 0;
    FOR_EACH_METHOD(method)
    {
        for (int trial = 0; trial < 200; trial++) {
            enum { N = 8 };
            Owned         owned = random_problem(&random, N, tact_lcp_method_info(method)->takes);
            TactLcpConfig config = tact_lcp_config_default(method);
            TactLcpReport report;
            double        z[N];
            config.max_iterations = 1 + trial % 3; // few, so that all fail now and then
            config.max_pivots = 1 + trial % 5;
            config.search_nodes = 1 + trial % 5;
            for (int i = 0; i < N; i++) {
                z[i] = NAN; // all of it is written
            }
            assert_int_equal(solve_with(config, &owned.problem, NULL, z, &report), TACT_OK);
            unsolved += report.outcome != TACT_LCP_OUTCOME_SOLVED;
            for (int i = 0; i < N; i++) {
                assert_true(isfinite(z[i]) && z[i] >= owned.lo[i] && z[i] <= owned.hi[i]);
            }
            TactLcpCertificate certificate;
            assert_int_equal(tact_lcp_certify(&owned.problem, z, &certificate), TACT_OK);
            assert_true(certificate.error == report.certificate.error);
            assert_true(certificate.scale == report.certificate.scale);
            assert_int_equal(report.outcome == TACT_LCP_OUTCOME_SOLVED,
                             certificate.error <= 1e-9 * certificate.scale);
            assert_true(report.index >= -1 && report.index < N);
            free_problem(&owned);
        }
    }
    assert_true(unsolved > 100);
}

static void what_cannot_be_certified_is_unverified(void **state)
{
    (void)state;
    // 3 z = 1 has no solution in doubles: the best z leaves w = 2^-54 or so.
    TactLcpProblem problem = {.n = 1, .M = (double[]){3}, .q = (double[]){-1}};
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_ENUMERATE);
    TactLcpReport  report;
    double         z;
    config.residual_tol = 1e-30;
    assert_int_equal(solve_with(config, &problem, NULL, &z, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_UNVERIFIED);
    assert_int_equal(report.ended, TACT_LCP_OUTCOME_SOLVED);
    assert_int_equal(report.index, 0);
    assert_true(fabs(z - 1.0 / 3) < 1e-16);
}

static void the_config_is_copied(void **state)
{
    (void)state;
    TactLcpProblem problem = standard_problem();
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_PGS);
    TactLcpSolver *solver;
    TactLcpReport  report;
    double         z[3];
    assert_int_equal(tact_lcp_solver_create(3, &config, &solver), TACT_OK);
    config.max_iterations = 0;
    config.residual_tol = 1e-30;
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    tact_lcp_solver_destroy(solver);
}

static void solving_twice_gives_the_same_bits(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(72);
    FOR_EACH_METHOD(method)
    {
        TactLcpSolver *solver = new_solver(method, 12);
        for (int trial = 0; trial < 20; trial++) {
            Owned owned =
                random_problem(&random, 6 + trial % 6, tact_lcp_method_info(method)->takes);
            TactLcpReport first, second;
            double        z[12], again[12];
            assert_int_equal(tact_lcp_solve(solver, &owned.problem, z, &first), TACT_OK);
            assert_int_equal(tact_lcp_solve(solver, &owned.problem, again, &second), TACT_OK);
            assert_memory_equal(z, again, (size_t)owned.problem.n * sizeof *z);
            assert_int_equal(first.outcome, second.outcome);
            assert_int_equal(first.pivots, second.pivots);
            assert_int_equal(first.iterations, second.iterations);
            free_problem(&owned);
        }
        tact_lcp_solver_destroy(solver);
    }
}

// ---------------------------------------------------------------------------------------------
// Start and basis

static void wrong_starts_are_refused(void **state)
{
    (void)state;
    TactLcpSolver *solver = new_solver(TACT_LCP_METHOD_PGS, 3);
    double         z[4] = {0, 0, 0, 0};
    unsigned char  basis[3] = {0, 1, 2};
    assert_int_equal(tact_lcp_solver_set_start(NULL, 3, z, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_solver_set_start(solver, 4, z, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_solver_set_start(solver, -1, z, NULL), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_solver_set_start(solver, 3, z, basis), TACT_OK);
    assert_int_equal(tact_lcp_solver_set_start(solver, 0, NULL, NULL), TACT_OK);
    z[1] = NAN;
    assert_int_equal(tact_lcp_solver_set_start(solver, 3, z, basis), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "z[1]"));
    z[1] = INF;
    assert_int_equal(tact_lcp_solver_set_start(solver, 3, z, basis), TACT_BAD_INPUT);
    z[1] = 0;
    basis[2] = 3;
    assert_int_equal(tact_lcp_solver_set_start(solver, 3, z, basis), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "basis[2]"));
    tact_lcp_solver_destroy(solver);
}

static int sweeps(TactLcpSolver *solver, const TactLcpProblem *problem)
{
    TactLcpReport report;
    double        z[8];
    assert_int_equal(tact_lcp_solve(solver, problem, z, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    return report.iterations;
}

static void a_start_serves_once_and_only_its_own_size(void **state)
{
    (void)state;
    const double   solution[3] = {0.25, 0, 0.6};
    TactLcpProblem problem = standard_problem();
    TactLcpProblem smaller = {.n = 2, .M = (double[]){4, 1, 1, 3}, .q = (double[]){-1, -2}};
    TactLcpSolver *solver = new_solver(TACT_LCP_METHOD_PGS, 3);
    int            cold = sweeps(solver, &problem);
    int            smaller_cold = sweeps(solver, &smaller);
    assert_true(cold > 1 && smaller_cold > 1);

    assert_int_equal(tact_lcp_solver_set_start(solver, 3, solution, NULL), TACT_OK);
    assert_int_equal(sweeps(solver, &problem), 0);
    assert_int_equal(sweeps(solver, &problem), cold);

    assert_int_equal(tact_lcp_solver_set_start(solver, 3, solution, NULL), TACT_OK);
    assert_int_equal(sweeps(solver, &smaller), smaller_cold);
    assert_int_equal(sweeps(solver, &problem), cold); // forgotten, not put off

    // It was copied: what the caller does to it afterwards does not matter.
    double z[3] = {0.25, 0, 0.6};
    assert_int_equal(tact_lcp_solver_set_start(solver, 3, z, NULL), TACT_OK);
    z[0] = 1e9;
    assert_int_equal(sweeps(solver, &problem), 0);
    tact_lcp_solver_destroy(solver);
}

static void any_basis_may_be_the_start_of_any_method(void **state)
{
    (void)state;
    TactLcpProblem problem = standard_problem();
    FOR_EACH_METHOD(method)
    {
        TactLcpSolver *solver = new_solver(method, 3);
        for (int code = 0; code < 27; code++) {
            unsigned char basis[3] = {(unsigned char)(code % 3), (unsigned char)(code / 3 % 3),
                                      (unsigned char)(code / 9)};
            TactLcpReport report;
            double        z[3];
            assert_int_equal(tact_lcp_solver_set_start(solver, 3, NULL, basis), TACT_OK);
            assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
            assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        }
        tact_lcp_solver_destroy(solver);
    }
}

static void the_basis_of_the_last_solve_can_be_asked_for(void **state)
{
    (void)state;
    TactLcpProblem problem = standard_problem();
    FOR_EACH_METHOD(method)
    {
        TactLcpSolver *solver = new_solver(method, 5);
        TactLcpReport  report;
        double         z[3];
        unsigned char  basis[5] = {9, 9, 9, 9, 9};
        assert_int_equal(tact_lcp_solver_get_basis(solver, NULL), TACT_BAD_ARGUMENT);
        assert_int_equal(tact_lcp_solver_get_basis(NULL, basis), TACT_BAD_ARGUMENT);
        assert_int_equal(tact_lcp_solver_get_basis(solver, basis), TACT_OK); // none yet
        assert_int_equal(basis[0], 9);
        assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
        assert_int_equal(tact_lcp_solver_get_basis(solver, basis), TACT_OK);
        assert_int_equal(basis[0], TACT_LCP_STATE_BASIC);
        assert_int_equal(basis[1], TACT_LCP_STATE_AT_LO);
        assert_int_equal(basis[2], TACT_LCP_STATE_BASIC);
        assert_int_equal(basis[3], 9); // nothing beyond n
        tact_lcp_solver_destroy(solver);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_config_that_does_not_come_from_its_default_is_refused),
        cmocka_unit_test(values_of_the_config_out_of_range_are_refused),
        cmocka_unit_test(sizes_and_methods_that_are_not_there_are_refused),
        cmocka_unit_test(no_memory_is_told_and_nothing_is_lost),
        cmocka_unit_test(a_workspace_beyond_the_address_space_is_no_memory),
        cmocka_unit_test(missing_arguments_and_too_large_problems_are_refused),
        cmocka_unit_test(a_wrong_problem_is_refused_as_check_refuses_it),
        cmocka_unit_test(a_solver_for_one_storage_refuses_the_other),
        cmocka_unit_test(every_form_is_taken_or_refused_as_the_table_says),
        cmocka_unit_test(rounding_does_not_make_a_matrix_asymmetric),
        cmocka_unit_test(every_method_solves_the_standard_problem),
        cmocka_unit_test(a_problem_without_unknowns_is_solved),
        cmocka_unit_test(lower_bounds_other_than_0_are_met_by_every_method),
        cmocka_unit_test(z_is_inside_its_bounds_whatever_the_outcome),
        cmocka_unit_test(what_cannot_be_certified_is_unverified),
        cmocka_unit_test(the_config_is_copied),
        cmocka_unit_test(solving_twice_gives_the_same_bits),
        cmocka_unit_test(wrong_starts_are_refused),
        cmocka_unit_test(a_start_serves_once_and_only_its_own_size),
        cmocka_unit_test(any_basis_may_be_the_start_of_any_method),
        cmocka_unit_test(the_basis_of_the_last_solve_can_be_asked_for),
    };
    return cmocka_run_group_tests_name("lcp/solve", tests, NULL, NULL);
}
