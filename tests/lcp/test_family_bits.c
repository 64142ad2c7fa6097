// The same bits, again and everywhere: every method on a problem of every family. The digests go
// to bits.txt in the build directory, where tools/run-tests compares those of all builds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/problems/families.h"

enum { SEED = 7 };

typedef struct Digest {
    TactStatus    status;
    TactLcpReport report;
    uint64_t      hash; // of z and the report's counts
} Digest;

/// Fowler, Noll and Vo's hash, version 1a
static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    }
    return hash;
}

static const uint64_t empty_hash = 0xcbf29ce484222325u;

static Digest solve(TactLcpSolver *solver, const TactLcpProblem *problem)
{
    size_t  n = (size_t)problem->n;
    Digest  digest = {.hash = empty_hash};
    double *z = calloc(n + 1, sizeof *z);
    assert_non_null(z);
    digest.status = tact_lcp_solve(solver, problem, z, &digest.report);
    const TactLcpReport *report = &digest.report;
    const int            counts[] = {(int)report->outcome, report->pivots, report->iterations,
                                     report->refactors};
    const double         figures[] = {report->certificate.residual, report->certificate.error,
                                      report->certificate.scale};
    digest.hash = add_bytes(digest.hash, z, n * sizeof *z);
    digest.hash = add_bytes(digest.hash, counts, sizeof counts);
    digest.hash = add_bytes(digest.hash, figures, sizeof figures);
    free(z);
    return digest;
}

static TactLcpSolver *new_solver(TactLcpMethod method, int n)
{
    TactLcpConfig config = tact_lcp_config_default(method);
    config.max_iterations = 300; // the bits of the first sweeps are as good as those of the last
    config.search_nodes = 300;
    TactLcpSolver *solver = NULL;
    return tact_lcp_solver_create(n, &config, &solver) == TACT_OK
               ? solver
               : NULL; // the method does not take that size
}

static FILE *open_record(void)
{
    char        path[4096];
    const char *build = getenv("TACT_BUILD");
    snprintf(path, sizeof path, "%s/bits.txt", build ? build : ".");
    return fopen(path, "w");
}

static void a_solver_gives_the_same_bits_new_and_used(void **state)
{
    (void)state;
    int               count;
    const TactFamily *families = tact_families(&count);
    FILE             *record = open_record();
    assert_non_null(record);
    for (int f = 0; f < count; f++) {
        TactFamilyProblem first;
        TactFamilyProblem other;
        assert_int_equal(tact_family_generate(&families[f], SEED, &first), TACT_OK);
        assert_int_equal(tact_family_generate(&families[f], SEED + 1, &other), TACT_OK);
        int n = first.problem.n > other.problem.n ? first.problem.n : other.problem.n;
        for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
            TactLcpSolver *solver = new_solver((TactLcpMethod)m, n);
            if (!solver) {
                continue;
            }
            Digest digest = solve(solver, &first.problem);
            solve(solver, &other.problem);
            Digest again = solve(solver, &first.problem);
            assert_int_equal(again.status, digest.status);
            if (digest.status == TACT_OK) {
                assert_int_equal(again.hash, digest.hash);
                fprintf(record, "%-28s %-10s %-10s %016llx\n", families[f].name,
                        tact_lcp_method_info((TactLcpMethod)m)->name,
                        tact_lcp_outcome_name(digest.report.outcome),
                        (unsigned long long)digest.hash);
            } else {
                assert_int_equal(digest.status, TACT_UNSUPPORTED);
            }
            tact_lcp_solver_destroy(solver);
        }
        tact_family_problem_destroy(&first);
        tact_family_problem_destroy(&other);
    }
    assert_int_equal(fclose(record), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solver_gives_the_same_bits_new_and_used),
    };
    return cmocka_run_group_tests_name("lcp/family_bits", tests, NULL, NULL);
}
