// enumerate against closed forms, theorems, and an exact oracle in rational numbers.
#include "lcp/enumerate/enumerate.h"

#include "problems.h"
// clang-format off
#include <gmp.h>
// clang-format on

static TactLcpReport enumerate(const TactLcpProblem *problem, double *z)
{
    TactLcpReport report;
    assert_int_equal(solve(TACT_LCP_METHOD_ENUMERATE, problem, z, &report), TACT_OK);
    return report;
}

static void a_scalar_problem_has_its_textbook_solution(void **state)
{
    (void)state;
    // w = m z + q: z = max(0, -q/m) for m > 0.
    const double q[] = {-3, 0, 5}, expected[] = {1.5, 0, 0};
    for (int k = 0; k < 3; k++) {
        TactLcpProblem problem = {.n = 1, .M = (double[]){2}, .q = &q[k]};
        double         z = -1;
        assert_int_equal(enumerate(&problem, &z).outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(z == expected[k]);
    }
}

static void every_kind_of_bound_is_met(void **state)
{
    (void)state;
    // w = 2 z + q in [lo, hi]: z = mid(lo, -q/2, hi).
    const double bounds[][2] = {{0, INF}, {-INF, 1}, {-INF, INF}, {-1, 1}, {0.5, 0.5}, {-9, -8}};
    const double q[] = {-6, -1, 0, 1, 6, 100};
    for (int b = 0; b < 6; b++) {
        for (int k = 0; k < 6; k++) {
            TactLcpProblem problem = {
                .n = 1, .M = (double[]){2}, .q = &q[k], .lo = &bounds[b][0], .hi = &bounds[b][1]};
            double z;
            assert_int_equal(enumerate(&problem, &z).outcome, TACT_LCP_OUTCOME_SOLVED);
            assert_true(z == fmin(fmax(-q[k] / 2, bounds[b][0]), bounds[b][1]));
        }
    }
}

static void the_final_basis_says_where_each_variable_is(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 3,
                              .M = (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
                              .q = (double[]){1, -1, -9},
                              .lo = (double[]){0, 0, 0},
                              .hi = (double[]){INF, INF, 2}};
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_ENUMERATE);
    TactLcpSolver *solver;
    TactLcpReport  report;
    double         z[3];
    unsigned char  basis[3];
    assert_int_equal(tact_lcp_solver_create(3, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, &problem, z, &report), TACT_OK);
    assert_int_equal(tact_lcp_solver_get_basis(solver, basis), TACT_OK);
    tact_lcp_solver_destroy(solver);
    assert_true(z[0] == 0 && z[1] == 1 && z[2] == 2);
    assert_int_equal(basis[0], TACT_LCP_STATE_AT_LO);
    assert_int_equal(basis[1], TACT_LCP_STATE_BASIC);
    assert_int_equal(basis[2], TACT_LCP_STATE_AT_HI);
}

static void a_problem_without_a_solution_is_a_ray_after_all_bases(void **state)
{
    (void)state;
    enum { N = 5 };
    // The last row says w = -1 for all z; the others are fine.
    double M[N * N] = {0};
    double q[N] = {1, -1, 1, -1, -1};
    double z[N];
    for (int i = 0; i < N - 1; i++) {
        M[i * N + i] = 1;
    }
    TactLcpReport report = enumerate(&(TactLcpProblem){.n = N, .M = M, .q = q}, z);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_RAY);
    assert_int_equal(report.iterations, 1 << N);
}

static void a_solution_that_only_a_singular_basis_has_is_found(void **state)
{
    (void)state;
    // w_1 = z_2 - 1, w_2 = 0: any z_2 >= 1 with z_1 = 0, and z_2 = 1 with any z_1 >= 0.
    TactLcpProblem problem = {.n = 2, .M = (double[]){0, 1, 0, 0}, .q = (double[]){-1, 0}};
    double         z[2];
    assert_int_equal(enumerate(&problem, z).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(z[0] >= 0 && z[1] >= 1 && z[0] * (z[1] - 1) == 0);

    // w_1 = z_1 + z_2 - 2 = 0 = w_2, w_3 = 1 - z_1 >= 0, w_4 = 1 - z_2 >= 0: only z = (1, 1, 0, 0),
    // neither a basic solution of {1, 2} nor one of {1} or {2}.
    double M[16] = {1, 1, 0, 0, 1, 1, 0, 0, -1, 0, -9, 0, 0, -1, 0, -9};
    double q[4] = {-2, -2, 1, 1};
    double y[4];
    problem = (TactLcpProblem){.n = 4, .M = M, .q = q};
    assert_int_equal(enumerate(&problem, y).outcome, TACT_LCP_OUTCOME_SOLVED);
    assert_true(fabs(y[0] - 1) < 1e-15 && fabs(y[1] - 1) < 1e-15 && y[2] == 0 && y[3] == 0);
}

// ---------------------------------------------------------------------------------------------
// How many solutions

typedef struct Count {
    int    n;
    int    different;
    double z[16][TACT_LCP_ENUMERATE_MAX];
} Count;

static bool count_different(void *context, const TactLcpBasisPoint *point)
{
    Count *count = context;
    if (point->error > 1e-9) {
        return true;
    }
    for (int k = 0; k < count->different; k++) {
        double distance = 0;
        for (int i = 0; i < count->n; i++) {
            distance = fmax(distance, fabs(point->z[i] - count->z[k][i]));
        }
        if (distance < 1e-6) {
            return true;
        }
    }
    assert_true(count->different < 16);
    memcpy(count->z[count->different++], point->z, (size_t)count->n * sizeof(double));
    return true;
}

static int number_of_solutions(const TactLcpProblem *problem)
{
    Count              count = {.n = problem->n};
    TactLcpEnumeration enumeration;
    assert_int_equal(tact_lcp_enumerate_all(problem, count_different, &count, &enumeration),
                     TACT_OK);
    assert_int_equal(enumeration.open, 0);
    return count.different;
}

static void all_solutions_are_counted(void **state)
{
    (void)state;
    // (1, 0), (0, 1) and (1/3, 1/3)
    TactLcpProblem three = {.n = 2, .M = (double[]){1, 2, 2, 1}, .q = (double[]){-1, -1}};
    assert_int_equal(number_of_solutions(&three), 3);
    // z_1 + z_2 = 1: the two ends of a segment
    TactLcpProblem segment = {.n = 2, .M = (double[]){1, 1, 1, 1}, .q = (double[]){-1, -1}};
    assert_int_equal(number_of_solutions(&segment), 2);
    // z = 0 and z = 1 of w = 1 - z
    TactLcpProblem two = {.n = 1, .M = (double[]){-1}, .q = (double[]){1}};
    assert_int_equal(number_of_solutions(&two), 2);
    TactLcpProblem none = {.n = 1, .M = (double[]){-1}, .q = (double[]){-1}};
    assert_int_equal(number_of_solutions(&none), 0);
}

static void a_positive_definite_matrix_has_exactly_one_solution(void **state)
{
    (void)state;
    // Samelson, Thrall and Wesler: M is a P-matrix if and only if every q has exactly one solution.
    TactRandom random = tact_random_seed(20);
    for (int trial = 0; trial < 200; trial++) {
        int   n = 1 + trial % 8;
        Owned owned = new_problem(n);
        fill_gram(&random, n, n + 2, owned.M);
        for (int i = 0; i < n; i++) {
            owned.M[i * n + i] += 0.1;
            for (int j = 0; j < i; j++) { // a skew part keeps it positive definite
                double skew = tact_random_normal(&random);
                owned.M[i * n + j] += skew;
                owned.M[j * n + i] -= skew;
            }
        }
        fill_random(&random, n, owned.q);
        if (trial % 2) {
            set_random_bounds(&random, &owned);
        }
        assert_int_equal(number_of_solutions(&owned.problem), 1);
        double        z[8];
        TactLcpReport report = enumerate(&owned.problem, z);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        assert_true(report.certificate.error <= 1e-13 * report.certificate.scale);
        free_problem(&owned);
    }
}

static void redundant_contacts_are_solved(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(21);
    for (int trial = 0; trial < 30; trial++) {
        int   n = 4 + trial % 11;
        Owned owned = new_problem(n);
        fill_gram(&random, n, 3, owned.M); // rank 3, and q in the range of M: feasible
        double v[TACT_LCP_ENUMERATE_MAX];
        fill_random(&random, n, v);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                owned.q[i] += owned.M[i * n + j] * v[j];
            }
        }
        double        z[TACT_LCP_ENUMERATE_MAX];
        TactLcpReport report = enumerate(&owned.problem, z);
        assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
        free_problem(&owned);
    }
}

// ---------------------------------------------------------------------------------------------
// An exact oracle: an LCP is solvable if and only if q lies in a complementary cone, that is
// (Caratheodory) in a cone of linearly independent columns out of I and -M, one a variable at most.

enum { SMALL = 3 };

/// Is q = sum of x_k column_k with x >= 0, the columns being independent?
static bool is_in_cone(int columns, mpq_t A[SMALL][SMALL + 1])
{
    bool  inside = true;
    int   row = 0;
    mpq_t factor, product;
    mpq_inits(factor, product, NULL);
    for (int c = 0; c < columns && inside; c++) {
        int p = row;
        while (p < SMALL && mpq_sgn(A[p][c]) == 0) {
            p++;
        }
        if (p == SMALL) {
            inside = false; // dependent: a smaller set of columns has the same cone
            break;
        }
        for (int j = 0; j <= columns; j++) {
            mpq_swap(A[p][j], A[row][j]);
        }
        for (int i = 0; i < SMALL; i++) {
            if (i == row || mpq_sgn(A[i][c]) == 0) {
                continue;
            }
            mpq_div(factor, A[i][c], A[row][c]);
            for (int j = 0; j <= columns; j++) {
                mpq_mul(product, factor, A[row][j]);
                mpq_sub(A[i][j], A[i][j], product);
            }
        }
        row++;
    }
    for (int i = 0; i < SMALL && inside; i++) {
        if (i < columns) {
            inside = mpq_sgn(A[i][columns]) * mpq_sgn(A[i][i]) >= 0;
        } else {
            inside = mpq_sgn(A[i][columns]) == 0;
        }
    }
    mpq_clears(factor, product, NULL);
    return inside;
}

static bool is_solvable(const int *M, const int *q)
{
    mpq_t A[SMALL][SMALL + 1];
    bool  solvable = false;
    for (int i = 0; i < SMALL; i++) {
        for (int j = 0; j <= SMALL; j++) {
            mpq_init(A[i][j]);
        }
    }
    for (int code = 0; code < 27 && !solvable; code++) {
        // Digit j of code: 0 no column of variable j, 1 that of w_j, 2 that of z_j.
        int columns = 0;
        int digits = code;
        for (int j = 0; j < SMALL; j++, digits /= 3) {
            if (digits % 3 > 0) {
                for (int i = 0; i < SMALL; i++) {
                    mpq_set_si(A[i][columns], digits % 3 == 1 ? i == j : -M[i * SMALL + j], 1);
                }
                columns++;
            }
        }
        for (int i = 0; i < SMALL; i++) {
            mpq_set_si(A[i][columns], q[i], 1);
        }
        solvable = is_in_cone(columns, A);
    }
    for (int i = 0; i < SMALL; i++) {
        for (int j = 0; j <= SMALL; j++) {
            mpq_clear(A[i][j]);
        }
    }
    return solvable;
}

static void solved_and_ray_are_what_rational_arithmetic_says(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(22);
    int        solvable = 0;
    for (int trial = 0; trial < 20000; trial++) {
        int    M[SMALL * SMALL], q[SMALL];
        double M_double[SMALL * SMALL], q_double[SMALL], z[SMALL];
        for (int k = 0; k < SMALL * SMALL; k++) {
            M[k] = (int)(tact_random_next(&random) % 3) - 1;
            M_double[k] = M[k];
        }
        for (int i = 0; i < SMALL; i++) {
            q[i] = (int)(tact_random_next(&random) % 5) - 3;
            q_double[i] = q[i];
        }
        TactLcpProblem problem = {.n = SMALL, .M = M_double, .q = q_double};
        TactLcpReport  report = enumerate(&problem, z);
        bool           expected = is_solvable(M, q);
        solvable += expected;
        assert_int_equal(report.outcome, expected ? TACT_LCP_OUTCOME_SOLVED : TACT_LCP_OUTCOME_RAY);
    }
    assert_true(solvable > 5000 && solvable < 15000); // the sample has both in plenty
}

static void what_it_cannot_take_is_refused(void **state)
{
    (void)state;
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_ENUMERATE);
    TactLcpSolver *solver;
    assert_int_equal(tact_lcp_solver_create(15, &config, &solver), TACT_UNSUPPORTED);
    TactLcpProblem friction = {.n = 2,
                               .M = (double[]){1, 0, 0, 1},
                               .q = (double[]){-1, -1},
                               .lo = (double[]){0, 0},
                               .hi = (double[]){INF, 0.5},
                               .f_index = (int[]){-1, 0}};
    double         z[2];
    TactLcpReport  report;
    assert_int_equal(solve(TACT_LCP_METHOD_ENUMERATE, &friction, z, &report), TACT_UNSUPPORTED);
    TactLcpEnumeration enumeration;
    Count              count = {.n = 2};
    assert_int_equal(tact_lcp_enumerate_all(&friction, count_different, &count, &enumeration),
                     TACT_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scalar_problem_has_its_textbook_solution),
        cmocka_unit_test(every_kind_of_bound_is_met),
        cmocka_unit_test(the_final_basis_says_where_each_variable_is),
        cmocka_unit_test(a_problem_without_a_solution_is_a_ray_after_all_bases),
        cmocka_unit_test(a_solution_that_only_a_singular_basis_has_is_found),
        cmocka_unit_test(all_solutions_are_counted),
        cmocka_unit_test(a_positive_definite_matrix_has_exactly_one_solution),
        cmocka_unit_test(redundant_contacts_are_solved),
        cmocka_unit_test(solved_and_ray_are_what_rational_arithmetic_says),
        cmocka_unit_test(what_it_cannot_take_is_refused),
    };
    return cmocka_run_group_tests_name("lcp/enumerate", tests, NULL, NULL);
}
