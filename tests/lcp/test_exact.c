// Answers of all methods against the exact solution, for families with n <= 40.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/problems/families.h"
#include "oracle/exact_lemke.h"
#include "oracle/exact_residual.h"

enum { MAX_N = 40, SEEDS = 20, FIRST_SEED = 1000000 };

typedef struct Answer {
    bool          taken;
    double        z[MAX_N];
    TactLcpReport report;
} Answer;

static Answer solve(TactLcpMethod method, const TactLcpProblem *problem)
{
    Answer                   answer = {0};
    const TactLcpMethodInfo *info = tact_lcp_method_info(method);
    if (!info || (info->max_n > 0 && problem->n > info->max_n)) {
        return answer;
    }
    TactLcpConfig  config = tact_lcp_config_default(method);
    TactLcpSolver *solver;
    assert_int_equal(tact_lcp_solver_create(problem->n, &config, &solver), TACT_OK);
    TactStatus status = tact_lcp_solve(solver, problem, answer.z, &answer.report);
    assert_true(status == TACT_OK || status == TACT_UNSUPPORTED);
    answer.taken = status == TACT_OK;
    tact_lcp_solver_destroy(solver);
    return answer;
}

typedef void Visit(const TactFamily *family, const TactFamilyProblem *made, const double *exact,
                   int seed);

/// Calls visit with every problem that exact Lemke solves. Returns their number.
static int for_each_solved(unsigned flags, Visit *visit)
{
    int               count, solved = 0;
    const TactFamily *families = tact_families(&count);
    for (int f = 0; f < count; f++) {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            TactFamilyProblem made;
            double            exact[MAX_N];
            assert_int_equal(tact_family_generate(&families[f], (uint64_t)seed, &made), TACT_OK);
            if ((families[f].flags & flags) == flags && made.problem.n <= MAX_N && !made.lo &&
                tact_oracle_lemke(&made.problem, 5000, exact, NULL) == TACT_ORACLE_SOLVED) {
                visit(&families[f], &made, exact, seed);
                solved++;
            }
            tact_family_problem_destroy(&made);
        }
    }
    return solved;
}

// ---------------------------------------------------------------------------------------------

static void compare_with_exact(const TactFamily *family, const TactFamilyProblem *made,
                               const double *exact, int seed)
{
    double largest = 1;
    for (int i = 0; i < made->problem.n; i++) {
        largest = fmax(largest, fabs(exact[i]));
    }
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        Answer answer = solve((TactLcpMethod)m, &made->problem);
        if (!answer.taken || answer.report.outcome != TACT_LCP_OUTCOME_SOLVED) {
            continue;
        }
        double difference = 0;
        for (int i = 0; i < made->problem.n; i++) {
            difference = fmax(difference, fabs(answer.z[i] - exact[i]));
        }
        // A sweeping method stops at a residual; how far z is then depends on M.
        bool   sweeps = m == TACT_LCP_METHOD_PGS || m == TACT_LCP_METHOD_PGS_SM;
        double tolerance = sweeps ? 1e-5 : 1e-9;
        if (!(difference <= tolerance * largest)) {
            print_error("%s on %s, seed %d: z differs by %g of %g\n",
                        tact_lcp_method_info((TactLcpMethod)m)->name, family->name, seed,
                        difference, largest);
            fail();
        }
    }
}

static void every_method_finds_the_exact_solution_where_it_is_unique(void **state)
{
    (void)state;
    assert_true(for_each_solved(TACT_FAMILY_UNIQUE | TACT_FAMILY_ORDINARY, compare_with_exact) >=
                4 * SEEDS);
}

// ---------------------------------------------------------------------------------------------

static struct {
    int taken, solved;
} tally[TACT_LCP_METHOD_COUNT];

static void count_certified(const TactFamily *family, const TactFamilyProblem *made,
                            const double *exact, int seed)
{
    // The exact solution, rounded, satisfies the certificate: there is something to be found.
    TactOracleResidual rounded = tact_oracle_residual(&made->problem, exact);
    if (!tact_oracle_accepts(&rounded, 1e-9)) {
        return;
    }
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        Answer answer = solve((TactLcpMethod)m, &made->problem);
        if (!answer.taken) {
            continue;
        }
        bool solved = answer.report.outcome == TACT_LCP_OUTCOME_SOLVED;
        tally[m].taken++;
        tally[m].solved += solved;
        TactOracleResidual residual = tact_oracle_residual(&made->problem, answer.z);
        assert_true(!solved || tact_oracle_accepts(&residual, 1e-9));
        if (!solved && (m == TACT_LCP_METHOD_SEARCH || m == TACT_LCP_METHOD_ENUMERATE)) {
            print_error("%s on %s, seed %d: %s, and exact Lemke solves it\n",
                        tact_lcp_method_info((TactLcpMethod)m)->name, family->name, seed,
                        tact_lcp_outcome_name(answer.report.outcome));
        }
    }
}

static void pivoting_methods_solve_what_exact_lemke_solves(void **state)
{
    (void)state;
    assert_true(for_each_solved(TACT_FAMILY_ORDINARY, count_certified) >= 10 * SEEDS);
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)m);
        if (info) {
            print_message("%-10s %d of %d\n", info->name, tally[m].solved, tally[m].taken);
        }
    }
    assert_int_equal(tally[TACT_LCP_METHOD_SEARCH].solved, tally[TACT_LCP_METHOD_SEARCH].taken);
    assert_int_equal(tally[TACT_LCP_METHOD_ENUMERATE].solved,
                     tally[TACT_LCP_METHOD_ENUMERATE].taken);
    assert_true(tally[TACT_LCP_METHOD_LEMKE].solved * 100 >=
                tally[TACT_LCP_METHOD_LEMKE].taken * 99);
    assert_true(tally[TACT_LCP_METHOD_LEMKE_LEX].solved * 100 >=
                tally[TACT_LCP_METHOD_LEMKE_LEX].taken * 99);
}

// ---------------------------------------------------------------------------------------------

/// The certificate of the library and the exact residual, on answers good and bad.
static void certificate_agrees_with_exact_arithmetic(void **state)
{
    (void)state;
    int               count, compared = 0;
    const TactFamily *families = tact_families(&count);
    TactRandom        random = tact_random_seed(7);
    for (int f = 0; f < count; f++) {
        TactFamilyProblem made;
        assert_int_equal(tact_family_generate(&families[f], FIRST_SEED, &made), TACT_OK);
        double z[512];
        for (int k = 0; k < 4; k++) {
            for (int i = 0; i < made.problem.n; i++) {
                double x = ldexp(tact_random_normal(&random), 20 * k - 30);
                double lo = made.lo ? made.lo[i] : 0, hi = made.hi ? made.hi[i] : HUGE_VAL;
                z[i] = x < lo ? lo : x > hi ? hi : x;
            }
            // Friction bounds follow the normal force, which comes before its friction.
            for (int i = 0; made.f_index && i < made.problem.n; i++) {
                if (made.f_index[i] >= 0) {
                    z[i] = tact_random_uniform(&random, -1, 1) * made.hi[i] * z[made.f_index[i]];
                }
            }
            TactLcpCertificate certificate;
            assert_int_equal(tact_lcp_certify(&made.problem, z, &certificate), TACT_OK);
            TactOracleResidual exact = tact_oracle_residual(&made.problem, z);
            assert_true(fabs(certificate.residual - exact.natural) <= 1e-12 * exact.natural);
            assert_true(fabs(certificate.error - exact.weighed) <= 1e-12 * exact.weighed);
            assert_true(fabs(certificate.scale - exact.scale) <= 1e-12 * exact.scale);
            compared++;
        }
        tact_family_problem_destroy(&made);
    }
    assert_true(compared >= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_finds_the_exact_solution_where_it_is_unique),
        cmocka_unit_test(pivoting_methods_solve_what_exact_lemke_solves),
        cmocka_unit_test(certificate_agrees_with_exact_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
