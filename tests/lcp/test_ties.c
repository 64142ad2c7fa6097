// Small integers: exact ties at almost every pivot. lemke, lemke-lex and search against all
// complementary bases (enumerate) and an exact residual.
#include "lcp/problems.h"
#include "oracle/exact_residual.h"

enum { MAX_N = 8, METHODS = 3, TRIALS = 5000 };

static const TactLcpMethod methods[METHODS] = {TACT_LCP_METHOD_LEMKE, TACT_LCP_METHOD_LEMKE_LEX,
                                               TACT_LCP_METHOD_SEARCH};

typedef struct Opinion {
    bool           exists; // enumerate has a solution
    TactLcpOutcome outcome[METHODS];
} Opinion;

static TactLcpSolver *solvers[METHODS + 1];

static int open_solvers(void **state)
{
    (void)state;
    for (int m = 0; m <= METHODS; m++) {
        TactLcpConfig config =
            tact_lcp_config_default(m < METHODS ? methods[m] : TACT_LCP_METHOD_ENUMERATE);
        if (tact_lcp_solver_create(MAX_N, &config, &solvers[m]) != TACT_OK) {
            return 1;
        }
    }
    return 0;
}

static int close_solvers(void **state)
{
    (void)state;
    for (int m = 0; m <= METHODS; m++) {
        tact_lcp_solver_destroy(solvers[m]);
    }
    return 0;
}

/// Asks everybody. What is called solved is checked in integers.
static Opinion ask(const TactLcpProblem *problem)
{
    Opinion       opinion = {0};
    double        z[MAX_N];
    TactLcpReport report;
    for (int m = 0; m <= METHODS; m++) {
        assert_int_equal(tact_lcp_solve(solvers[m], problem, z, &report), TACT_OK);
        if (report.outcome == TACT_LCP_OUTCOME_SOLVED) {
            TactOracleResidual residual = tact_oracle_residual(problem, z);
            assert_true(tact_oracle_accepts(&residual, 1e-9));
        }
        if (m < METHODS) {
            opinion.outcome[m] = report.outcome;
        } else {
            opinion.exists = report.outcome == TACT_LCP_OUTCOME_SOLVED;
        }
    }
    return opinion;
}

static int small(TactRandom *random, int least, int most)
{
    return least + (int)(tact_random_next(random) % (uint64_t)(most - least + 1));
}

static void fill_small(TactRandom *random, int count, int least, int most, double *x)
{
    for (int i = 0; i < count; i++) {
        x[i] = small(random, least, most);
    }
}

/// G G' with r columns of G, and with a skew part if asked for: positive semidefinite.
static void fill_semidefinite(TactRandom *random, int n, int r, int skew, double *M)
{
    double G[MAX_N * MAX_N];
    fill_small(random, n * r, -2, 2, G);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < r; k++) {
                sum += G[i * r + k] * G[j * r + k];
            }
            double turn = i == j ? 0 : small(random, -skew, skew);
            M[i * n + j] = sum + turn;
            M[j * n + i] = sum - turn;
        }
    }
}

// ---------------------------------------------------------------------------------------------

static void any_matrix_gives_a_true_answer_or_none(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(60);
    int        solved[METHODS] = {0}, exists = 0;
    for (int trial = 0; trial < 2 * TRIALS; trial++) {
        int   n = 1 + trial % 6;
        Owned owned = new_problem(n);
        fill_small(&random, n * n, -2, 2, owned.M);
        fill_small(&random, n, -2, 2, owned.q);
        Opinion opinion = ask(&owned.problem);
        exists += opinion.exists;
        for (int m = 0; m < METHODS; m++) {
            solved[m] += opinion.outcome[m] == TACT_LCP_OUTCOME_SOLVED;
        }
        free_problem(&owned);
    }
    print_message("%d of %d have a solution; lemke finds %d, lemke-lex %d, search %d\n", exists,
                  2 * TRIALS, solved[0], solved[1], solved[2]);
    assert_true(solved[0] > TRIALS / 4 && solved[0] <= exists);
    assert_true(solved[2] * 100 >= exists * 95); // no theorem says so: other roots do it
}

/// Lemke's theorem: with a copositive-plus matrix a feasible problem is solved, and a ray proves
/// that there is nothing to solve.
static void assert_decided(const TactLcpProblem *problem, int *unsolvable, int *limits)
{
    Opinion opinion = ask(problem);
    *unsolvable += !opinion.exists;
    for (int m = 1; m < METHODS; m++) {
        if (opinion.exists) {
            assert_int_equal(opinion.outcome[m], TACT_LCP_OUTCOME_SOLVED);
        } else if (opinion.outcome[m] == TACT_LCP_OUTCOME_LIMIT) {
            assert_int_equal(m, 2); // lemke-lex always decides
            *limits += 1;
        } else {
            assert_int_equal(opinion.outcome[m], TACT_LCP_OUTCOME_RAY);
        }
    }
}

static void semidefinite_problems_are_solved_or_proven_unsolvable(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(61);
    int        unsolvable = 0, limits = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int   n = 1 + trial % MAX_N;
        Owned owned = new_problem(n);
        fill_semidefinite(&random, n, 1 + n / 2, trial % 3, owned.M);
        fill_small(&random, n, -2, 2, owned.q);
        assert_decided(&owned.problem, &unsolvable, &limits);
        free_problem(&owned);
    }
    print_message("%d of %d have no solution; search ran out of nodes on %d of them\n", unsolvable,
                  TRIALS, limits);
    assert_true(unsolvable > TRIALS / 50);
    assert_true(limits * 20 < unsolvable);
}

static void strictly_copositive_problems_are_always_solved(void **state)
{
    (void)state;
    // No negative entry and a positive diagonal: a solution exists for every q.
    TactRandom random = tact_random_seed(62);
    int        unsolvable = 0, limits = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int   n = 1 + trial % 6;
        Owned owned = new_problem(n);
        fill_small(&random, n * n, 0, 2, owned.M);
        fill_small(&random, n, -2, 1, owned.q);
        for (int i = 0; i < n; i++) {
            owned.M[i * n + i] = small(&random, 1, 2);
        }
        assert_decided(&owned.problem, &unsolvable, &limits);
        free_problem(&owned);
    }
    assert_int_equal(unsolvable, 0);
}

static void mixed_semidefinite_problems_are_solved_if_they_can_be(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(63);
    int        exists = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int   n = 2 + trial % (MAX_N - 1);
        Owned owned = new_problem(n);
        fill_semidefinite(&random, n, 1 + n / 2, trial % 3, owned.M);
        fill_small(&random, n, -2, 2, owned.q);
        owned.problem.lo = owned.lo;
        for (int i = 0; i < n; i++) {
            owned.lo[i] = tact_random_next(&random) % 3 == 0 ? -INF : small(&random, -1, 1);
        }
        Opinion opinion = ask(&owned.problem);
        exists += opinion.exists;
        for (int m = 1; m < METHODS && opinion.exists; m++) {
            assert_int_equal(opinion.outcome[m], TACT_LCP_OUTCOME_SOLVED);
        }
        free_problem(&owned);
    }
    assert_true(exists > TRIALS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_matrix_gives_a_true_answer_or_none),
        cmocka_unit_test(semidefinite_problems_are_solved_or_proven_unsolvable),
        cmocka_unit_test(strictly_copositive_problems_are_always_solved),
        cmocka_unit_test(mixed_semidefinite_problems_are_solved_if_they_can_be),
    };
    return cmocka_run_group_tests(tests, open_solvers, close_solvers);
}
