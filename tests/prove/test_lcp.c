// Proofs of LCPs: what is right is proved, what is not is not, and the row in the way is named.
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <gmp.h>
#include <math.h>
#include <string.h>
#include <tact/prove.h>

enum { MOST = 40 };

static void get(const TactProof *proof, int i, mpq_t x)
{
    char text[20000];
    assert_true(tact_proof_get_exact(proof, TACT_PROOF_PART_Z, i, text, sizeof text) < sizeof text);
    assert_int_equal(mpq_set_str(x, text, 10), 0);
}

/// z >= 0, w = M z + q >= 0, z w = 0 in rationals, straight from the definition.
static void assert_solves(const TactLcpProblem *problem, const TactProof *proof)
{
    mpq_t z, w, entry;
    mpq_inits(z, w, entry, NULL);
    for (int i = 0; i < problem->n; i++) {
        mpq_set_d(w, problem->q[i]);
        for (int j = 0; j < problem->n; j++) {
            get(proof, j, z);
            mpq_set_d(entry, problem->M[i * problem->n + j]);
            mpq_mul(entry, entry, z);
            mpq_add(w, w, entry);
        }
        get(proof, i, z);
        assert_true(mpq_sgn(z) >= 0 && mpq_sgn(w) >= 0);
        assert_true(mpq_sgn(z) == 0 || mpq_sgn(w) == 0);
    }
    mpq_clears(z, w, entry, NULL);
}

static TactProof *prove(const TactLcpProblem *problem, const double *z)
{
    TactProof *proof = NULL;
    assert_int_equal(tact_prove_lcp(problem, z, NULL, &proof), TACT_OK);
    return proof;
}

/// M = B B' + something that is not symmetric; q at random.
static void draw(TactRandom *random, int n, double *M, double *q)
{
    double B[MOST * MOST];
    for (int k = 0; k < n * n; k++) {
        B[k] = tact_random_normal(random);
    }
    for (int i = 0; i < n; i++) {
        q[i] = tact_random_normal(random);
        for (int j = 0; j < n; j++) {
            M[i * n + j] = i == j ? 0.1 : 0.1 * (B[i * n + j] - B[j * n + i]);
            for (int k = 0; k < n; k++) {
                M[i * n + j] += B[i * n + k] * B[j * n + k];
            }
        }
    }
}

static void solve(const TactLcpProblem *problem, double *z)
{
    TactLcpConfig  config = tact_lcp_config_default(TACT_LCP_METHOD_LEMKE_LEX);
    TactLcpSolver *solver = NULL;
    TactLcpReport  report;
    assert_int_equal(tact_lcp_solver_create(problem->n, &config, &solver), TACT_OK);
    assert_int_equal(tact_lcp_solve(solver, problem, z, &report), TACT_OK);
    assert_int_equal(report.outcome, TACT_LCP_OUTCOME_SOLVED);
    tact_lcp_solver_destroy(solver);
}

static void random_answers_are_proved_and_their_exact_solutions_solve_the_problem(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(4);
    for (int n = 1; n <= MOST; n += 3) {
        double         M[MOST * MOST], q[MOST], z[MOST];
        TactLcpProblem problem = {.n = n, .M = M, .q = q};
        draw(&random, n, M, q);
        solve(&problem, z);
        TactProof             *proof = prove(&problem, z);
        const TactProofReport *report = tact_proof_view_report(proof);
        assert_true(report->proved && report->unique && report->blocked_count == 0);
        assert_int_equal(report->kind, TACT_PROOF_KIND_RATIONAL);
        assert_true(report->radius < 1e-9);
        assert_solves(&problem, proof);
        for (int i = 0; i < n; i++) {
            double lo, hi;
            assert_true(tact_proof_get_bounds(proof, TACT_PROOF_PART_Z, i, &lo, &hi));
            assert_true(lo <= hi && lo <= z[i] + report->radius && hi >= z[i] - report->radius);
        }
        tact_proof_destroy(proof);
    }
}

static void planted_wrong_answers_are_not_proved(void **state)
{
    (void)state;
    TactRandom random = tact_random_seed(5);
    for (int trial = 0; trial < 60; trial++) {
        enum { N = 10 };
        double         M[N * N], q[N], z[N], w;
        TactLcpProblem problem = {.n = N, .M = M, .q = q};
        draw(&random, N, M, q);
        solve(&problem, z);
        // Another basis: an unknown that is positive is set to 0, or one at 0 is raised.
        int i = trial % N;
        w = z[i];
        z[i] = w > 0 ? 0 : 0.5;
        TactProof *proof = prove(&problem, z);
        assert_false(tact_proof_view_report(proof)->proved);
        assert_true(tact_proof_view_report(proof)->blocked_count > 0);
        assert_true(strlen(tact_proof_view_report(proof)->why) > 20);
        // What is there is the nearest exact solution, and says so.
        assert_int_equal(tact_proof_count(proof, TACT_PROOF_PART_Z),
                         tact_proof_view_report(proof)->found ? N : 0);
        tact_proof_destroy(proof);
    }
}

static void a_basis_wrong_by_rounding_only_is_set_right(void **state)
{
    (void)state;
    // w = z - 1e-13 at z = 0: the answer says z = 0, the exact solution has z = 1e-13 > 0.
    double         M[4] = {1, 0, 0, 1}, q[2] = {-1e-13, -1};
    TactLcpProblem problem = {.n = 2, .M = M, .q = q};
    TactProof     *proof = prove(&problem, (double[]){0, 1});
    assert_true(tact_proof_view_report(proof)->proved);
    assert_int_equal(tact_proof_view_report(proof)->changed, 1);
    assert_solves(&problem, proof);
    tact_proof_destroy(proof);
}

static void a_singular_basis_with_consistent_rows_is_proved_but_not_unique(void **state)
{
    (void)state;
    double         M[4] = {1, 1, 1, 1}, q[2] = {-1, -1};
    TactLcpProblem problem = {.n = 2, .M = M, .q = q};
    TactProof     *proof = prove(&problem, (double[]){0.3, 0.7});
    assert_true(tact_proof_view_report(proof)->proved);
    assert_false(tact_proof_view_report(proof)->unique);
    assert_int_equal(tact_proof_view_report(proof)->rank, 1);
    assert_solves(&problem, proof);
    tact_proof_destroy(proof);
}

static void a_problem_without_solution_is_blocked_by_the_row_that_contradicts(void **state)
{
    (void)state;
    // w_0 = z_0 - z_1 - 1, w_1 = -z_0 + z_1 - 1: the sum of both is -2, whatever z.
    double         M[4] = {1, -1, -1, 1}, q[2] = {-1, -1};
    TactLcpProblem problem = {.n = 2, .M = M, .q = q};
    TactProof     *proof = prove(&problem, (double[]){2, 2});
    assert_false(tact_proof_view_report(proof)->proved);
    assert_true(tact_proof_view_report(proof)->blocked_count > 0);
    tact_proof_destroy(proof);
}

static void bounds_free_unknowns_and_friction_rows_are_proved(void **state)
{
    (void)state;
    // z_0 normal, z_1 friction with mu 0.5 pushed by 3: at its bound 0.5 z_0; z_2 free; z_3 at hi.
    double M[16] = {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1};
    double q[4] = {-2, -3, 1, -9}, lo[4] = {0, 0, -INFINITY, -1},
           hi[4] = {INFINITY, 0.5, INFINITY, 4};
    int            f_index[4] = {-1, 0, -1, -1};
    TactLcpProblem problem = {.n = 4, .M = M, .q = q, .lo = lo, .hi = hi, .f_index = f_index};
    TactProof     *proof = prove(&problem, (double[]){1, 0.5, -1.0 / 3, 4});
    mpq_t          x;
    mpq_init(x);
    assert_true(tact_proof_view_report(proof)->proved);
    get(proof, 2, x);
    assert_int_equal(mpq_cmp_si(x, -1, 3), 0);
    get(proof, 1, x);
    assert_int_equal(mpq_cmp_si(x, 1, 2), 0);
    mpq_clear(x);
    tact_proof_destroy(proof);
}

static void friction_is_proved_at_both_of_its_bounds_and_between(void **state)
{
    (void)state;
    // z_0 = 1, |z_1| <= z_0 / 2 pushed by q_1: z_1 = mid(-1/2, -q_1, 1/2); other answers are wrong.
    double              M[4] = {2, 0, 0, 1}, lo[2] = {0, 0}, hi[2] = {INFINITY, 0.5};
    int                 f_index[2] = {-1, 0};
    static const double pushes[] = {-3, -0.25, 0.25, 3};
    for (int k = 0; k < 4; k++) {
        double         q[2] = {-2, pushes[k]};
        TactLcpProblem problem = {.n = 2, .M = M, .q = q, .lo = lo, .hi = hi, .f_index = f_index};
        double         right = fmin(fmax(-pushes[k], -0.5), 0.5);
        for (int other = 0; other < 4; other++) {
            double     z = fmin(fmax(-pushes[other], -0.5), 0.5);
            TactProof *proof = prove(&problem, (double[]){1, z});
            assert_int_equal(tact_proof_view_report(proof)->proved, z == right);
            if (z == right) {
                mpq_t x;
                mpq_init(x);
                get(proof, 1, x);
                assert_int_equal(mpq_cmp_si(x, (long)(4 * right), 4), 0);
                mpq_clear(x);
            }
            tact_proof_destroy(proof);
        }
    }
}

static void what_is_no_answer_is_refused(void **state)
{
    (void)state;
    TactProof      *proof = NULL;
    double          one = 1, bad = NAN;
    TactLcpProblem  problem = {.n = 1, .M = &one, .q = &one};
    TactProofConfig config = {0};
    assert_int_equal(tact_prove_lcp(&problem, &bad, NULL, &proof), TACT_BAD_INPUT);
    assert_non_null(strstr(tact_status_message(), "z[0]"));
    assert_int_equal(tact_prove_lcp(&problem, &one, &config, &proof), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_prove_lcp(&problem, NULL, NULL, &proof), TACT_BAD_ARGUMENT);
    assert_null(proof);
    tact_proof_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_answers_are_proved_and_their_exact_solutions_solve_the_problem),
        cmocka_unit_test(planted_wrong_answers_are_not_proved),
        cmocka_unit_test(a_basis_wrong_by_rounding_only_is_set_right),
        cmocka_unit_test(a_singular_basis_with_consistent_rows_is_proved_but_not_unique),
        cmocka_unit_test(a_problem_without_solution_is_blocked_by_the_row_that_contradicts),
        cmocka_unit_test(bounds_free_unknowns_and_friction_rows_are_proved),
        cmocka_unit_test(friction_is_proved_at_both_of_its_bounds_and_between),
        cmocka_unit_test(what_is_no_answer_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
