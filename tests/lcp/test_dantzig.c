// dantzig against closed forms, all states of small problems, and rational arithmetic.
#include "lcp/dantzig/dantzig.h"

#include "contacts.h"
#include "oracle/exact_lemke.h"

static TactLcpReport dantzig(const TactLcpProblem *problem, double *z)
{
    TactLcpReport report;
    assert_int_equal(solve(TACT_LCP_METHOD_DANTZIG, problem, z, &report), TACT_OK);
    return report;
}

/// w = M z + q
static void multiply(const TactLcpProblem *problem, const double *z, double *w)
{
    int n = problem->n;
    for (int i = 0; i < n; i++) {
        long double sum = problem->q[i];
        for (int j = 0; j < n; j++) {
            sum += (long double)problem->M[i * n + j] * z[j];
        }
        w[i] = (double)sum;
    }
}

// ---------------------------------------------------------------------------------------------
// Closed forms

static void one_unknown_is_driven_to_its_place(void **state)
{
    (void)state;
    // w = 2 z + q in [lo, hi]: z = mid(lo, -q/2, hi).
    const double bounds[][2] = {{0, INF}, {-INF, 1},  {-INF, INF}, {-1, 1},
                                {1, 2},   {0.5, 0.5}, {-9, -8},    {-INF, -3}};
    const double q[] = {-6, -1, 0, 1, 6, 100};
    for (int b = 0; b < 8; b++) {
        for (int k = 0; k < 6; k++) {
            TactLcpProblem problem = {
                .n = 1, .M = (double[]){2}, .q = &q[k], .lo = &bounds[b][0], .hi = &bounds[b][1]};
            double z;
            assert_int_equal(dantzig(&problem, &z).outcome, TACT_LCP_OUTCOME_SOLVED);
            assert_true(z == fmin(fmax(-q[k] / 2, bounds[b][0]), bounds[b][1]));
        }
    }
}

static void pivots_and_drives_are_counted(void **state)
{
    (void)state;
    // Driving z_1 up (q_1 is lowest) takes 1 pivot; then z_0 lets z_1 go down, and needs 1 more.
    TactLcpProblem problem = {.n = 2, .M = (double[]){2, 1, 1, 2}, .q = (double[]){-5, -6}};
    double         z[2];
    TactLcpReport  report = dantzig(&problem, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_int_equal(report.pivots, 2);
    assert_int_equal(report.iterations, 2);
    assert_int_equal(report.index, -1);
    assert_true(fabs(z[0] - 4.0 / 3) <= 1e-15 && fabs(z[1] - 7.0 / 3) <= 1e-15); // -M^-1 q

    // Nothing to do: no pivot.
    problem.q = (double[]){1, 2};
    report = dantzig(&problem, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_int_equal(report.pivots, 0);
    assert_int_equal(report.iterations, 0);
    assert_true(z[0] == 0 && z[1] == 0);
}

static void an_index_leaves_when_its_force_would_become_negative(void **state)
{
    (void)state;
    // w_1 is violated most, but in the solution only z_0 acts: z = (1, 0), w = (0, 3 - 2.5).
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, 3, 3, 10}, .q = (double[]){-1, -2.5}};
    double         z[2];
    TactLcpReport  report = dantzig(&problem, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 1 && z[1] == 0);
}

// ---------------------------------------------------------------------------------------------
// All states of small problems

/// Solves M_BB z_B = -(q + M_B: z_rest) for one assignment of states. False if it is no solution.
static bool try_states(const TactLcpProblem *problem, const int *states, double *z)
{
    enum { MAX = 8 };
    int    n = problem->n, basic[MAX], count = 0;
    double A[MAX * MAX], b[MAX], x[MAX], w[MAX];
    for (int i = 0; i < n; i++) {
        z[i] = states[i] == 0 ? problem->lo[i] : states[i] == 2 ? problem->hi[i] : 0;
        if (isinf(z[i])) {
            return false;
        }
        basic[count] = i;
        count += states[i] == 1;
    }
    for (int k = 0; k < count; k++) {
        b[k] = -problem->q[basic[k]];
        for (int j = 0; j < n; j++) {
            b[k] -= problem->M[basic[k] * n + j] * z[j];
        }
        for (int l = 0; l < count; l++) {
            A[k * count + l] = problem->M[basic[k] * n + basic[l]];
        }
    }
    reference_solution(count, A, count, b, x);
    for (int k = 0; k < count; k++) {
        z[basic[k]] = x[k];
    }
    multiply(problem, z, w);
    for (int i = 0; i < n; i++) {
        bool fixed = problem->lo[i] == problem->hi[i];
        bool inside = z[i] >= problem->lo[i] - 1e-12 && z[i] <= problem->hi[i] + 1e-12;
        bool sign = fixed || (states[i] == 0   ? w[i] >= -1e-12
                              : states[i] == 2 ? w[i] <= 1e-12
                                               : true);
        if (!inside || !sign) {
            return false;
        }
    }
    return true;
}

static void random_bounds_give_the_solution_that_trying_all_states_gives(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(61);
    for (int repeat = 0; repeat < 400; repeat++) {
        int    n = 1 + (int)(tact_random_next(&random) % 6);
        Owned  owned = new_problem(n);
        double z[8], expected[8];
        int    states[8] = {0};
        bool   found = false;
        fill_gram(&random, n, n + 2, owned.M);
        fill_random(&random, n, owned.q);
        set_random_bounds(&random, &owned);
        int assignments = (int)(pow(3, n) + 0.5);
        for (int code = 0; code < assignments && !found; code++) {
            for (int i = 0, rest = code; i < n; i++, rest /= 3) {
                states[i] = rest % 3;
            }
            found = try_states(&owned.problem, states, expected);
        }
        assert_true(found);
        assert_int_equal(dantzig(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        for (int i = 0; i < n; i++) { // M is positive definite: there is one solution
            assert_true(fabs(z[i] - expected[i]) <= 1e-9 * (1 + fabs(expected[i])));
        }
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// Larger problems

static void random_problems_with_all_kinds_of_bounds_are_solved(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(62);
    for (int repeat = 0; repeat < 200; repeat++) {
        int     n = 1 + (int)(tact_random_next(&random) % 120);
        Owned   owned = new_problem(n);
        double *z = new_doubles(n);
        fill_gram(&random, n, n + 3, owned.M);
        fill_random(&random, n, owned.q);
        set_random_bounds(&random, &owned);
        TactLcpReport report = dantzig(&owned.problem, z);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(report.ended, TACT_LCP_OUTCOME_SOLVED);
        free(z);
        free_problem(&owned);
    }
}

static void ill_conditioned_problems_are_certified_too(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(63);
    for (int repeat = 0; repeat < 60; repeat++) {
        int     n = 4 + (int)(tact_random_next(&random) % 60);
        Owned   owned = new_problem(n);
        double *z = new_doubles(n);
        double *x = new_doubles(n);
        fill_conditioned(&random, n, pow(10, 6 + repeat % 7), owned.M);
        for (int i = 0; i < n; i++) { // q = -M x + w with x'w = 0: the size of z is known
            bool acts = tact_random_next(&random) % 2 == 0;
            x[i] = acts ? tact_random_uniform(&random, 0, 1) : 0;
            owned.q[i] = acts ? 0 : tact_random_uniform(&random, 0, 1);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                owned.q[i] -= owned.M[i * n + j] * x[j];
            }
        }
        assert_int_equal(dantzig(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        free(z);
        free(x);
        free_problem(&owned);
    }
}

static void answers_agree_with_rational_arithmetic(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(64);
    for (int repeat = 0; repeat < 30; repeat++) {
        int    n = 2 + (int)(tact_random_next(&random) % 12);
        Owned  owned = new_problem(n);
        double z[16], exact[16];
        fill_gram(&random, n, n, owned.M);
        fill_random(&random, n, owned.q);
        assert_int_equal(tact_oracle_lemke(&owned.problem, 1000, exact, NULL), TACT_ORACLE_SOLVED);
        assert_int_equal(dantzig(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        double w[16], exact_w[16];
        multiply(&owned.problem, z, w);
        multiply(&owned.problem, exact, exact_w);
        for (int i = 0; i < n; i++) { // w is unique for every positive semidefinite M
            assert_true(fabs(w[i] - exact_w[i]) <= 1e-9 * max_abs(n, owned.q));
        }
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// Singular matrices

static void redundant_contacts_are_always_solved(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(65);
    for (int repeat = 0; repeat < 1000; repeat++) {
        int    n = 2 + (int)(tact_random_next(&random) % 39);
        int    rank = 1 + (int)(tact_random_next(&random) % 6);
        Owned  owned = new_problem(n);
        double z[64];
        fill_redundant(&random, rank, &owned);
        TactLcpReport report = dantzig(&owned.problem, z);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(report.ended, TACT_LCP_OUTCOME_SOLVED);
        free_problem(&owned);
    }
}

static void four_equal_contacts_under_one_load_need_one_force(void **state)
{
    (void)state;
    // A block on four feet, without rotation: four times the same row. w = (sum z - 8) for all.
    double M[16], q[4] = {-8, -8, -8, -8}, z[4];
    for (int i = 0; i < 16; i++) {
        M[i] = 1;
    }
    TactLcpProblem problem = {.n = 4, .M = M, .q = q};
    TactLcpReport  report = dantzig(&problem, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] + z[1] + z[2] + z[3] == 8);
    assert_int_equal(report.pivots, 1);
}

static void a_dependent_row_takes_over_where_another_meets_its_upper_bound(void **state)
{
    (void)state;
    // The same four feet, each good for 3: two are full, the rest of 8 is in the third.
    double         M[16], q[4] = {-8, -8, -8, -8}, hi[4] = {3, 3, 3, 3}, z[4];
    double         lo[4] = {0};
    TactLcpProblem problem = {.n = 4, .M = M, .q = q, .lo = lo, .hi = hi};
    for (int i = 0; i < 16; i++) {
        M[i] = 1;
    }
    assert_int_equal(dantzig(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(fabs(z[0] + z[1] + z[2] + z[3] - 8) <= 1e-14);
    hi[0] = hi[1] = hi[2] = hi[3] = 1; // not enough: all are full, w = 4 - 8 < 0
    assert_int_equal(dantzig(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 1 && z[1] == 1 && z[2] == 1 && z[3] == 1);
}

static void clamped_indices_leave_one_by_one_at_their_upper_bounds(void **state)
{
    (void)state;
    // M = [I -c; -c' 1], c = 0.02: first z_i = 1 for i < N. Then z_N is driven, z_i = 1 + 0.02 z_N
    // follow, and reach hi_i = 1 + 0.0004 (i + 1) one after the other before w_N is 0: a drive and
    // a pivot for each, a pivot for each that leaves, and the last one.
    enum { N = 40 };
    double M[(N + 1) * (N + 1)] = {0}, q[N + 1], lo[N + 1] = {0}, hi[N + 1], z[N + 1], sum = 0;
    for (int i = 0; i < N; i++) {
        M[i * (N + 1) + i] = 1;
        M[i * (N + 1) + N] = M[N * (N + 1) + i] = -0.02;
        q[i] = -1;
        hi[i] = 1 + 0.0004 * (i + 1);
        sum += 0.02 * hi[i];
    }
    M[N * (N + 1) + N] = 1;
    q[N] = -0.1;
    hi[N] = INF;
    TactLcpProblem problem = {.n = N + 1, .M = M, .q = q, .lo = lo, .hi = hi};
    TactLcpReport  report = dantzig(&problem, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    for (int i = 0; i < N; i++) {
        assert_true(z[i] == hi[i]);
    }
    assert_true(fabs(z[N] - 0.1 - sum) < 1e-14);
    assert_int_equal(report.iterations, N + 1);
    assert_int_equal(report.pivots, 2 * N + 1);
}

static void zero_rows_keep_w_equal_to_q(void **state)
{
    (void)state;
    double         M[] = {0, 0, 0, 0, 2, 0, 0, 0, 0}, q[] = {1, -4, 0}, z[3];
    TactLcpProblem problem = {.n = 3, .M = M, .q = q};
    assert_int_equal(dantzig(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 0 && z[1] == 2 && z[2] == 0);
    q[0] = -1; // w_0 = -1 whatever z is: only an upper bound makes that a solution
    TactLcpReport report = dantzig(&problem, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_RAY);
    assert_int_equal(report.index, 0);
    problem.lo = (double[]){0, 0, 0};
    problem.hi = (double[]){7, INF, INF};
    assert_int_equal(dantzig(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] == 7 && z[1] == 2);
}

// ---------------------------------------------------------------------------------------------
// Rays

static void a_problem_without_solution_ends_in_a_ray(void **state)
{
    (void)state;
    double         z[2];
    TactLcpProblem nothing = {.n = 1, .M = (double[]){0}, .q = (double[]){-1}}; // w = -1
    TactLcpReport  report = dantzig(&nothing, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_RAY);
    assert_int_equal(report.index, 0);

    // Two walls that come closer: w_0 + w_1 = -2 for all z.
    TactLcpProblem walls = {.n = 2, .M = (double[]){1, -1, -1, 1}, .q = (double[]){-1, -1}};
    report = dantzig(&walls, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_RAY);
    assert_in_range(report.index, 0, 1);

    // Two equations that contradict each other: z_0 + z_1 = 1 and = 2.
    TactLcpProblem equations = {.n = 2,
                                .M = (double[]){1, 1, 1, 1},
                                .q = (double[]){-1, -2},
                                .lo = (double[]){-INF, -INF},
                                .hi = (double[]){INF, INF}};
    assert_int_equal(dantzig(&equations, z).outcome, TACT_LCP_OUTCOME_RAY);
}

static void an_indefinite_matrix_is_never_called_solved_wrongly(void **state)
{
    (void)state;
    double         z[2];
    TactLcpProblem down = {.n = 1, .M = (double[]){-1}, .q = (double[]){-1}}; // w = -z - 1
    assert_int_equal(dantzig(&down, z).outcome, TACT_LCP_OUTCOME_RAY);
    TactRandom random = tact_random_seed(66);
    for (int repeat = 0; repeat < 300; repeat++) {
        int    n = 2 + (int)(tact_random_next(&random) % 10);
        Owned  owned = new_problem(n);
        double answer[16], w[16];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                owned.M[i * n + j] = owned.M[j * n + i] = tact_random_normal(&random);
            }
        }
        fill_random(&random, n, owned.q);
        TactLcpReport report = dantzig(&owned.problem, answer);
        multiply(&owned.problem, answer, w);
        for (int i = 0; i < n; i++) {
            assert_true(answer[i] >= 0);
            assert_true(report.outcome != TACT_LCP_OUTCOME_SOLVED ||
                        fabs(fmin(answer[i], w[i])) <= 1e-8 * max_abs(n, owned.q));
        }
        free_problem(&owned);
    }
}

static void running_out_of_pivots_is_reported(void **state)
{
    (void)state;
    TactLcpConfig config = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
    config.max_pivots = 1;
    TactLcpProblem problem = {.n = 2, .M = (double[]){2, 1, 1, 2}, .q = (double[]){-5, -6}};
    TactLcpReport  report;
    double         z[2];
    assert_int_equal(solve_with(config, &problem, NULL, z, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_LIMIT);
    assert_int_equal(report.pivots, 1);
    assert_int_equal(report.index, 0);
}

// ---------------------------------------------------------------------------------------------
// Free variables

static void free_variables_alone_are_a_linear_system(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(67);
    for (int n = 1; n <= 40; n += 3) {
        Owned   owned = new_problem(n);
        double *z = new_doubles(n), *expected = new_doubles(n), *b = new_doubles(n);
        fill_conditioned(&random, n, 100, owned.M);
        fill_random(&random, n, owned.q);
        owned.problem.lo = owned.lo;
        owned.problem.hi = owned.hi;
        for (int i = 0; i < n; i++) {
            owned.lo[i] = -INF;
            b[i] = -owned.q[i];
        }
        reference_solution(n, owned.M, n, b, expected);
        TactLcpReport report = dantzig(&owned.problem, z);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_int_equal(report.pivots, 0); // one factor, no pivot
        for (int i = 0; i < n; i++) {
            assert_true(fabs(z[i] - expected[i]) <= 1e-12 * (1 + max_abs(n, expected)));
        }
        free(z);
        free(expected);
        free(b);
        free_problem(&owned);
    }
}

static void redundant_equations_beside_contacts_are_solved(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(68);
    for (int repeat = 0; repeat < 300; repeat++) {
        int    n = 4 + (int)(tact_random_next(&random) % 30);
        Owned  owned = new_problem(n);
        double z[64];
        fill_redundant(&random, 6, &owned);
        owned.problem.lo = owned.lo;
        owned.problem.hi = owned.hi;
        for (int i = 0; i < n; i += 2 + repeat % 3) { // more than six of them are dependent
            owned.lo[i] = -INF;
        }
        assert_int_equal(dantzig(&owned.problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// What it cannot take

static void matrices_that_are_not_symmetric_are_refused(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2, .M = (double[]){1, 2, -2, 1}, .q = (double[]){-1, -1}};
    TactLcpReport  report;
    double         z[2];
    assert_int_equal(solve(TACT_LCP_METHOD_DANTZIG, &problem, z, &report), TACT_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unknown_is_driven_to_its_place),
        cmocka_unit_test(pivots_and_drives_are_counted),
        cmocka_unit_test(an_index_leaves_when_its_force_would_become_negative),
        cmocka_unit_test(random_bounds_give_the_solution_that_trying_all_states_gives),
        cmocka_unit_test(random_problems_with_all_kinds_of_bounds_are_solved),
        cmocka_unit_test(ill_conditioned_problems_are_certified_too),
        cmocka_unit_test(answers_agree_with_rational_arithmetic),
        cmocka_unit_test(redundant_contacts_are_always_solved),
        cmocka_unit_test(four_equal_contacts_under_one_load_need_one_force),
        cmocka_unit_test(a_dependent_row_takes_over_where_another_meets_its_upper_bound),
        cmocka_unit_test(clamped_indices_leave_one_by_one_at_their_upper_bounds),
        cmocka_unit_test(zero_rows_keep_w_equal_to_q),
        cmocka_unit_test(a_problem_without_solution_ends_in_a_ray),
        cmocka_unit_test(an_indefinite_matrix_is_never_called_solved_wrongly),
        cmocka_unit_test(running_out_of_pivots_is_reported),
        cmocka_unit_test(free_variables_alone_are_a_linear_system),
        cmocka_unit_test(redundant_equations_beside_contacts_are_solved),
        cmocka_unit_test(matrices_that_are_not_symmetric_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
