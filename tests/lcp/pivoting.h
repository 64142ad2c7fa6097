// What lemke, lemke-lex and search have in common: each is tested on all of it. A test program
// defines METHOD and includes this.
#ifndef TESTS_LCP_PIVOTING_H
#define TESTS_LCP_PIVOTING_H

#include <float.h>

#include "lcp/problems.h"
#include "oracle/exact_residual.h"

enum { MAX_N = 40 };

typedef struct Solved {
    double        z[MAX_N];
    unsigned char basis[MAX_N];
    TactLcpReport report;
} Solved;

static void assert_inside(const TactLcpProblem *problem, const double *z)
{
    for (int i = 0; i < problem->n; i++) {
        assert_true(z[i] >= (problem->lo ? problem->lo[i] : 0));
        assert_true(z[i] <= (problem->hi ? problem->hi[i] : INF));
    }
}

/// Solves from a basis (NULL: none). What is called solved must be, whoever asks.
static Solved solve_from(const TactLcpConfig *config, const TactLcpProblem *problem,
                         const unsigned char *basis)
{
    Solved         solved = {0};
    TactLcpSolver *solver;
    assert_true(problem->n <= MAX_N);
    assert_int_equal(tact_lcp_solver_create(problem->n + 3, config, &solver), TACT_OK);
    if (basis) {
        assert_int_equal(tact_lcp_solver_set_start(solver, problem->n, NULL, basis), TACT_OK);
    }
    assert_int_equal(tact_lcp_solve(solver, problem, solved.z, &solved.report), TACT_OK);
    assert_int_equal(tact_lcp_solver_get_basis(solver, solved.basis), TACT_OK);
    tact_lcp_solver_destroy(solver);
    assert_inside(problem, solved.z);
    if (solved.report.outcome == TACT_LCP_OUTCOME_SOLVED) {
        TactOracleResidual residual = tact_oracle_residual(problem, solved.z);
        assert_true(tact_oracle_accepts(&residual, config->residual_tol));
        assert_int_equal(solved.report.index, -1);
    }
    return solved;
}

static Solved solve_plainly(const TactLcpProblem *problem)
{
    TactLcpConfig config = tact_lcp_config_default(METHOD);
    return solve_from(&config, problem, NULL);
}

/// Solves and insists on an answer.
static Solved must_solve(const TactLcpProblem *problem)
{
    Solved solved = solve_plainly(problem);
    assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_SOLVED);
    return solved;
}

static void fill_spd(TactRandom *random, int n, Owned *owned)
{
    fill_gram(random, n, n + 2, owned->M);
    for (int i = 0; i < n; i++) {
        owned->M[i * n + i] += 0.1;
    }
    fill_random(random, n, owned->q);
}

static double distance(int n, const double *a, const double *b)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(a[i] - b[i]));
    }
    return largest;
}

// ---------------------------------------------------------------------------------------------
// Closed forms

static void a_scalar_problem_has_its_textbook_solution(void **state)
{
    (void)state;
    const double q[] = {-3, 0, 5}, expected[] = {1.5, 0, 0}; // z = max(0, -q/m)
    for (int k = 0; k < 3; k++) {
        TactLcpProblem problem = {.n = 1, .M = (double[]){2}, .q = &q[k]};
        assert_true(must_solve(&problem).z[0] == expected[k]);
    }
}

static void a_2x2_positive_definite_problem_has_its_solution(void **state)
{
    (void)state;
    // 2a + b = 5, a + 2b = 6: a = 4/3, b = 7/3. The second has w_1 = 1, z_2 = 2.
    TactLcpProblem problem = {.n = 2, .M = (double[]){2, 1, 1, 2}, .q = (double[]){-5, -6}};
    Solved         solved = must_solve(&problem);
    assert_true(fabs(solved.z[0] - 4.0 / 3) < 1e-15 && fabs(solved.z[1] - 7.0 / 3) < 1e-15);
    problem.q = (double[]){-1, -4};
    solved = must_solve(&problem);
    assert_true(solved.z[0] == 0 && solved.z[1] == 2);
    assert_int_equal(solved.basis[0], TACT_LCP_STATE_AT_LO);
    assert_int_equal(solved.basis[1], TACT_LCP_STATE_BASIC);
}

static void random_10x10_positive_definite_problems_agree_with_enumerate(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(30);
    for (int trial = 0; trial < 200; trial++) {
        Owned         owned = new_problem(10);
        double        expected[10];
        TactLcpReport report;
        fill_spd(&random, 10, &owned);
        assert_int_equal(solve(TACT_LCP_METHOD_ENUMERATE, &owned.problem, expected, &report),
                         TACT_OK);
        assert_true(distance(10, must_solve(&owned.problem).z, expected) < 1e-9);
        free_problem(&owned);
    }
}

static void an_empty_problem_is_solved(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 0};
    assert_int_equal(must_solve(&problem).report.pivots, 0);
}

static void nothing_is_done_when_q_is_not_negative(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2, .M = (double[]){-1, -3, 5, 0}, .q = (double[]){0, 2}};
    Solved         solved = must_solve(&problem);
    assert_int_equal(solved.report.pivots, 0);
    assert_true(solved.z[0] == 0 && solved.z[1] == 0);
    problem = (TactLcpProblem){.n = 2, .M = (double[]){0, 0, 0, 0}, .q = (double[]){0, 0}};
    assert_int_equal(must_solve(&problem).report.pivots, 0);
}

static void a_problem_without_a_solution_is_a_ray(void **state)
{
    (void)state;
    // w = -1 for all z; w = -z - 1; w_1 + w_2 = -2 for all z.
    TactLcpProblem problems[] = {
        {.n = 1, .M = (double[]){0}, .q = (double[]){-1}},
        {.n = 1, .M = (double[]){-1}, .q = (double[]){-1}},
        {.n = 2, .M = (double[]){1, -1, -1, 1}, .q = (double[]){-1, -1}},
    };
    for (int k = 0; k < 3; k++) {
        Solved solved = solve_plainly(&problems[k]);
        assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_RAY);
        assert_int_equal(solved.report.ended, TACT_LCP_OUTCOME_RAY);
    }
}

// ---------------------------------------------------------------------------------------------
// Free variables and lower bounds

static void equations_alone_are_solved_without_a_pivot(void **state)
{
    (void)state;
    enum { N = 7 };
    TactRandom random = tact_random_seed(31);
    Owned      owned = new_problem(N);
    double     minus_q[N], expected[N];
    fill_random(&random, N * N, owned.M);
    fill_random(&random, N, owned.q);
    for (int i = 0; i < N; i++) {
        owned.lo[i] = -INF;
        minus_q[i] = -owned.q[i];
    }
    owned.problem.lo = owned.lo; // hi is not given: it is infinite
    reference_solution(N, owned.M, N, minus_q, expected);
    Solved solved = must_solve(&owned.problem);
    assert_int_equal(solved.report.pivots, 0);
    assert_true(distance(N, solved.z, expected) < 1e-12);
    free_problem(&owned);
}

/// min |x|^2 / 2 with a multiple of x_1 + x_2 = sum, x >= 0, twice if n = 4: the multipliers are
/// free and their block is 0.
static Solved solve_least_norm(int n, double sum, double sum_again)
{
    const double M3[9] = {1, 0, -1, 0, 1, -1, 1, 1, 0};
    const double M4[16] = {1, 0, -1, -2, 0, 1, -1, -2, 1, 1, 0, 0, 2, 2, 0, 0};
    const double q[4] = {0, 0, -sum, -2 * sum_again};
    const double lo[4] = {0, 0, -INF, -INF};
    return solve_plainly(&(TactLcpProblem){.n = n, .M = n == 3 ? M3 : M4, .q = q, .lo = lo});
}

static void free_variables_with_a_singular_block_are_solved(void **state)
{
    (void)state;
    Solved solved = solve_least_norm(3, 1, 0);
    assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(solved.z[0] == 0.5 && solved.z[1] == 0.5 && solved.z[2] == 0.5);
    // Nothing with x >= 0 has the sum -1.
    assert_int_not_equal(solve_least_norm(3, -1, 0).report.outcome, TACT_LCP_OUTCOME_SOLVED);
}

static void an_equation_that_is_given_twice_does_no_harm(void **state)
{
    (void)state;
    Solved solved = solve_least_norm(4, 1, 1);
    assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(fabs(solved.z[0] - 0.5) < 1e-15 && fabs(solved.z[1] - 0.5) < 1e-15);
    assert_true(fabs(solved.z[2] + 2 * solved.z[3] - 0.5) < 1e-15);

    solved = solve_least_norm(4, 1, 2); // x_1 + x_2 = 1 and = 2
    assert_int_equal(solved.report.outcome, TACT_LCP_OUTCOME_SINGULAR);
    assert_int_equal(solved.report.index, 3);
}

/// min x'Hx/2 + g'x with A x = b, x >= 0: z = (x, multipliers). b = A x for some x > 0.
static Owned new_quadratic(TactRandom *random, int variables, int equations, bool doubled)
{
    int    n = variables + equations;
    Owned  owned = new_problem(n);
    double H[MAX_N * MAX_N];
    fill_gram(random, variables, variables / 2 + 1, H);
    fill_random(random, n, owned.q);
    owned.problem.lo = owned.lo;
    for (int i = 0; i < variables; i++) {
        for (int j = 0; j < variables; j++) {
            owned.M[i * n + j] = H[i * variables + j];
        }
    }
    for (int e = variables; e < n; e++) {
        owned.lo[e] = -INF;
        owned.q[e] = 0;
        for (int j = 0; j < variables; j++) {
            bool   copy = doubled && e == n - 1 && equations > 1;
            double a = copy ? 2 * owned.M[(e - 1) * n + j] : tact_random_normal(random);
            owned.M[e * n + j] = a;
            owned.M[j * n + e] = -a;
            owned.q[e] -= a * (1 + j);
        }
    }
    for (int i = 0; i < variables; i++) { // bounded below: g in the range of H, plus something >= 0
        double g = tact_random_uniform(random, 0, 1);
        for (int j = 0; j < variables; j++) {
            g += H[i * variables + j] * (j % 3 - 1);
        }
        owned.q[i] = g;
    }
    return owned;
}

static void quadratic_programs_with_equations_are_solved(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(32);
    for (int trial = 0; trial < 300; trial++) {
        int   variables = 2 + trial % 20;
        int   equations = 1 + trial % 4 * (variables > 8);
        Owned owned = new_quadratic(&random, variables, equations, trial % 3 == 0);
        must_solve(&owned.problem);
        free_problem(&owned);
    }
}

static void lower_bounds_only_move_the_origin(void **state)
{
    (void)state;
    enum { N = 9 };
    TactRandom random = tact_random_seed(33);
    for (int trial = 0; trial < 100; trial++) {
        Owned owned = new_problem(N);
        fill_spd(&random, N, &owned);
        fill_random(&random, N, owned.lo);
        if (trial % 2) {
            owned.lo[trial % N] = -INF;
        }
        owned.problem.lo = owned.lo;
        Solved shifted = must_solve(&owned.problem);

        double lo[N], q[N];
        for (int i = 0; i < N; i++) {
            lo[i] = isinf(owned.lo[i]) ? -INF : 0;
            q[i] = owned.q[i];
            for (int j = 0; j < N; j++) {
                q[i] += isinf(owned.lo[j]) ? 0 : owned.M[i * N + j] * owned.lo[j];
            }
        }
        Solved plain = must_solve(&(TactLcpProblem){.n = N, .M = owned.M, .q = q, .lo = lo});
        for (int i = 0; i < N; i++) {
            double moved = plain.z[i] + (isinf(owned.lo[i]) ? 0 : owned.lo[i]);
            assert_true(fabs(shifted.z[i] - moved) < 1e-12);
        }
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// Start from a basis

static void the_final_basis_is_a_start_without_a_pivot(void **state)
{
    (void)state;
    TactRandom    random = tact_random_seed(34);
    TactLcpConfig config = tact_lcp_config_default(METHOD);
    for (int trial = 0; trial < 100; trial++) {
        int   n = 1 + trial % 30;
        Owned owned = new_problem(n);
        fill_spd(&random, n, &owned);
        Solved cold = must_solve(&owned.problem);
        Solved warm = solve_from(&config, &owned.problem, cold.basis);
        assert_int_equal(warm.report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(warm.report.pivots, 0);
        assert_int_equal(warm.report.iterations, 0);
        assert_memory_equal(warm.basis, cold.basis, (size_t)n);
        assert_true(distance(n, warm.z, cold.z) <= 1e-14 * (1 + max_abs(n, cold.z)));
        free_problem(&owned);
    }
}

static void a_small_change_costs_fewer_pivots_from_the_last_basis(void **state)
{
    (void)state;
    enum { N = 30 };
    TactRandom    random = tact_random_seed(35);
    TactLcpConfig config = tact_lcp_config_default(METHOD);
    int           cold_pivots = 0, warm_pivots = 0;
    for (int trial = 0; trial < 50; trial++) {
        Owned owned = new_problem(N);
        fill_spd(&random, N, &owned);
        Solved before = must_solve(&owned.problem);
        for (int i = 0; i < N; i++) {
            owned.q[i] += 0.01 * tact_random_normal(&random);
        }
        Solved cold = must_solve(&owned.problem);
        Solved warm = solve_from(&config, &owned.problem, before.basis);
        assert_int_equal(warm.report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(distance(N, warm.z, cold.z) < 1e-10);
        cold_pivots += cold.report.pivots;
        warm_pivots += warm.report.pivots;
        free_problem(&owned);
    }
    assert_true(warm_pivots * 4 < cold_pivots);
}

static void a_wrong_basis_is_a_detour_and_no_more(void **state)
{
    (void)state;
    enum { N = 12 };
    TactRandom    random = tact_random_seed(36);
    TactLcpConfig config = tact_lcp_config_default(METHOD);
    for (int trial = 0; trial < 200; trial++) {
        Owned         owned = new_problem(N);
        unsigned char basis[N];
        fill_spd(&random, N, &owned);
        for (int i = 0; i < N; i++) {
            basis[i] = (unsigned char)(tact_random_next(&random) % 3); // AT_HI among them
        }
        Solved warm = solve_from(&config, &owned.problem, basis);
        assert_int_equal(warm.report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(distance(N, warm.z, must_solve(&owned.problem).z) < 1e-10);
        free_problem(&owned);
    }
}

static void a_singular_basis_is_no_start_and_no_harm(void **state)
{
    (void)state;
    enum { N = 12 };
    TactRandom    random = tact_random_seed(37);
    TactLcpConfig config = tact_lcp_config_default(METHOD);
    unsigned char basis[N];
    memset(basis, TACT_LCP_STATE_BASIC, N);
    for (int trial = 0; trial < 50; trial++) {
        Owned owned = new_problem(N);
        fill_gram(&random, N, 4, owned.M); // rank 4, and q = M v - something: feasible
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                owned.q[i] -= owned.M[i * N + j] * (j % 4 - 1);
            }
            owned.q[i] += tact_random_uniform(&random, 0, 1) * (i % 2);
        }
        Solved warm = solve_from(&config, &owned.problem, basis);
        assert_int_equal(warm.report.outcome, TACT_LCP_OUTCOME_SOLVED);
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// Covering vector

static void a_covering_vector_must_be_positive(void **state)
{
    (void)state;
    const double wrong[] = {0, -1, NAN, INF};
    for (int k = 0; k < 4; k++) {
        double         cover[3] = {1, wrong[k], 1}, z[3];
        TactLcpProblem problem = {
            .n = 3, .M = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, .q = (double[]){-1, -1, -1}};
        TactLcpConfig config = tact_lcp_config_default(METHOD);
        TactLcpReport report;
        config.cover = cover;
        assert_int_equal(solve_with(config, &problem, NULL, z, &report), TACT_BAD_INPUT);
        assert_non_null(strstr(tact_status_message(), "cover[1]"));
    }
}

static void only_the_ratios_of_a_covering_vector_count(void **state)
{
    (void)state;
    enum { N = 8 };
    TactRandom random = tact_random_seed(38);
    for (int trial = 0; trial < 60; trial++) {
        Owned         owned = new_problem(N);
        TactLcpConfig config = tact_lcp_config_default(METHOD);
        double        cover[N];
        int           pivots[5];
        fill_spd(&random, N, &owned);
        Solved plain = must_solve(&owned.problem);
        for (int k = 0; k < 5; k++) {
            TactRandom same = tact_random_seed((uint64_t)trial);
            for (int i = 0; i < N; i++) {
                cover[i] = tact_random_uniform(&same, 0.5, 2) * ldexp(1, 250 * (k - 2));
            }
            config.cover = cover;
            Solved covered = solve_from(&config, &owned.problem, NULL);
            assert_int_equal(covered.report.outcome, TACT_LCP_OUTCOME_SOLVED);
            assert_true(distance(N, covered.z, plain.z) < 1e-10);
            pivots[k] = covered.report.pivots;
            assert_int_equal(pivots[k], pivots[0]);
        }
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// Sizes of numbers

static void units_do_not_matter(void **state)
{
    (void)state;
    enum { N = 8 };
    TactRandom random = tact_random_seed(39);
    for (int trial = 0; trial < 100; trial++) {
        Owned owned = new_problem(N);
        fill_spd(&random, N, &owned);
        Solved plain = must_solve(&owned.problem);
        // w and z in units 2^-u_i and 2^u_i: the equilibrated problem is the same, to the bit.
        int unit[N];
        for (int i = 0; i < N; i++) {
            unit[i] = (int)(tact_random_next(&random) % 60) - 30;
        }
        for (int i = 0; i < N; i++) {
            owned.q[i] = ldexp(owned.q[i], unit[i]);
            for (int j = 0; j < N; j++) {
                owned.M[i * N + j] = ldexp(owned.M[i * N + j], unit[i] + unit[j]);
            }
        }
        Solved scaled = solve_plainly(&owned.problem);
        assert_int_equal(scaled.report.pivots, plain.report.pivots);
        for (int i = 0; i < N; i++) {
            assert_true(scaled.z[i] == ldexp(plain.z[i], -unit[i]));
        }
        free_problem(&owned);
    }
}

static void numbers_near_the_ends_of_the_range_are_solved(void **state)
{
    (void)state;
    const double size[] = {1e-290, 1e-150, 1e150, 1e290};
    for (int k = 0; k < 4; k++) {
        for (int l = 0; l < 4; l++) {
            double M[4] = {2 * size[k], size[k], size[k], 2 * size[k]};
            double q[2] = {-5 * size[l], -6 * size[l]};
            double ratio = size[l] / size[k];
            if (!(ratio > 1e-300 && ratio < 1e300)) {
                continue; // z itself has no place in a double
            }
            Solved solved = solve_plainly(&(TactLcpProblem){.n = 2, .M = M, .q = q});
            assert_true(fabs(solved.z[0] / ratio - 4.0 / 3) < 1e-14);
            assert_true(fabs(solved.z[1] / ratio - 7.0 / 3) < 1e-14);
        }
    }
}

static void any_finite_numbers_end_in_an_answer_or_none(void **state)
{
    (void)state;
    // Overflow, underflow and NaN on the way: no crash, no hang, nothing wrong called solved.
    const double extreme[] = {1e300, -1e300, DBL_MAX, 1e-300, -1e-300, 0x1p-1074, 1e160, 1, -1, 0};
    const uint64_t count = sizeof extreme / sizeof *extreme;
    TactRandom     random = tact_random_seed(40);
    for (int trial = 0; trial < 3000; trial++) {
        double M[16], q[4], lo[4];
        for (int k = 0; k < 16; k++) {
            M[k] = extreme[tact_random_next(&random) % count];
        }
        for (int k = 0; k < 4; k++) {
            q[k] = extreme[tact_random_next(&random) % count];
            lo[k] = trial % 3 == 1   ? (k == 0 ? -INF : 0)
                    : trial % 3 == 2 ? extreme[tact_random_next(&random) % count]
                                     : 0;
        }
        solve_plainly(&(TactLcpProblem){.n = 1 + trial % 4, .M = M, .q = q, .lo = lo});
    }
}

static void the_same_solver_gives_the_same_bits_again(void **state)
{
    (void)state;
    enum { N = 20 };
    TactRandom     random = tact_random_seed(41);
    TactLcpConfig  config = tact_lcp_config_default(METHOD);
    TactLcpSolver *solver;
    Owned          owned = new_problem(N), other = new_problem(N - 7);
    double         first[N], again[N], between[N];
    TactLcpReport  report, report_again;
    fill_spd(&random, N, &owned);
    fill_gram(&random, N - 7, 3, other.M);
    fill_random(&random, N - 7, other.q);
    assert_int_equal(tact_lcp_solver_create(N, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, &owned.problem, first, &report), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, &other.problem, between, &report_again), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, &owned.problem, again, &report_again), TACT_OK);
    assert_memory_equal(first, again, sizeof first);
    assert_int_equal(report.pivots, report_again.pivots);
    tact_lcp_solver_destroy(solver);
    free_problem(&owned);
    free_problem(&other);
}

static void *allocate_at_most_256_mb(void *context, size_t size)
{
    (void)context;
    return size <= (size_t)1 << 28 ? malloc(size) : NULL;
}

static void release_plainly(void *context, void *block)
{
    (void)context;
    free(block);
}

static void a_workspace_beyond_all_memory_is_refused(void **state)
{
    (void)state;
    const TactAllocator small = {.allocate = allocate_at_most_256_mb, .release = release_plainly};
    tact_allocator_set(&small);
    TactLcpConfig  config = tact_lcp_config_default(METHOD);
    TactLcpSolver *solver;
    const int      sizes[] = {INT32_MAX, INT32_MAX - 7, 100000000};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(tact_lcp_solver_create(sizes[k], &config, &solver), TACT_NO_MEMORY);
        assert_null(solver);
    }
    config.max_pivots = INT32_MAX; // counts beyond reason do not make memory of that size
    config.search_nodes = INT32_MAX;
    assert_int_equal(tact_lcp_solver_create(10, &config, &solver), TACT_OK);
    tact_lcp_solver_destroy(solver);
    tact_allocator_set(NULL);
}

// clang-format off
#define PIVOTING_TESTS                                                              \
    cmocka_unit_test(a_scalar_problem_has_its_textbook_solution),                   \
    cmocka_unit_test(a_2x2_positive_definite_problem_has_its_solution),             \
    cmocka_unit_test(random_10x10_positive_definite_problems_agree_with_enumerate), \
    cmocka_unit_test(an_empty_problem_is_solved),                                   \
    cmocka_unit_test(nothing_is_done_when_q_is_not_negative),                       \
    cmocka_unit_test(a_problem_without_a_solution_is_a_ray),                        \
    cmocka_unit_test(equations_alone_are_solved_without_a_pivot),                   \
    cmocka_unit_test(free_variables_with_a_singular_block_are_solved),              \
    cmocka_unit_test(an_equation_that_is_given_twice_does_no_harm),                 \
    cmocka_unit_test(quadratic_programs_with_equations_are_solved),                 \
    cmocka_unit_test(lower_bounds_only_move_the_origin),                            \
    cmocka_unit_test(the_final_basis_is_a_start_without_a_pivot),                   \
    cmocka_unit_test(a_small_change_costs_fewer_pivots_from_the_last_basis),        \
    cmocka_unit_test(a_wrong_basis_is_a_detour_and_no_more),                        \
    cmocka_unit_test(a_singular_basis_is_no_start_and_no_harm),                     \
    cmocka_unit_test(a_covering_vector_must_be_positive),                           \
    cmocka_unit_test(only_the_ratios_of_a_covering_vector_count),                   \
    cmocka_unit_test(units_do_not_matter),                                          \
    cmocka_unit_test(numbers_near_the_ends_of_the_range_are_solved),                \
    cmocka_unit_test(any_finite_numbers_end_in_an_answer_or_none),                  \
    cmocka_unit_test(the_same_solver_gives_the_same_bits_again),                    \
    cmocka_unit_test(a_workspace_beyond_all_memory_is_refused)
// clang-format on

#endif
