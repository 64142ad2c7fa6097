// The published problems in $TACT_SHARED/problems by all methods, checked in exact arithmetic.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <tact/io.h>

#include "oracle/exact_residual.h"

enum { MAX_N = 1000 };

/// The folder of the shared problems; skips the test where there is none.
static void find_folder(const char *kind, char *path, size_t size)
{
    const char *shared = getenv("TACT_SHARED");
    struct stat status;
    snprintf(path, size, "%s/problems/%s", shared ? shared : TACT_SOURCE_DIR "/../shared", kind);
    if (stat(path, &status) != 0) {
        print_message("skipped: there is no %s\n", path);
        skip();
    }
}

typedef struct Tally {
    int files, solved_by_any, answers, wrong;
} Tally;

static bool is_asked(TactLcpMethod method)
{
    return method == TACT_LCP_METHOD_SEARCH || method == TACT_LCP_METHOD_LEMKE_LEX ||
           method == TACT_LCP_METHOD_ENUMERATE;
}

/// True if search, lemke-lex or enumerate solves it.
static bool solve_by_all(const char *name, const TactLcpProblem *problem, Tally *tally)
{
    static double z[MAX_N];
    bool          solved = false;
    assert_true(problem->n <= MAX_N);
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)m);
        if (!info || (info->max_n > 0 && problem->n > info->max_n)) {
            continue;
        }
        TactLcpConfig  config = tact_lcp_config_default((TactLcpMethod)m);
        TactLcpSolver *solver;
        TactLcpReport  report;
        assert_int_equal(tact_lcp_solver_create(problem->n, &config, &solver), TACT_OK);
        TactStatus status = tact_lcp_solve(solver, problem, z, &report);
        tact_lcp_solver_destroy(solver);
        assert_true(status == TACT_OK || status == TACT_UNSUPPORTED);
        if (status != TACT_OK || report.outcome != TACT_LCP_OUTCOME_SOLVED) {
            continue;
        }
        TactOracleResidual residual = tact_oracle_residual(problem, z);
        tally->answers++;
        if (!tact_oracle_accepts(&residual, config.residual_tol)) {
            print_error("%s: %s is wrong by %g\n", name, info->name, residual.weighed);
            tally->wrong++;
        }
        solved = solved || is_asked((TactLcpMethod)m);
    }
    return solved;
}

static Tally solve_folder(const char *kind)
{
    char  folder[4096];
    Tally tally = {0};
    find_folder(kind, folder, sizeof folder);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char         path[8192];
        TactLcpFile *file;
        size_t       length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".dat") != 0) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (tact_lcp_read(path, &file) != TACT_OK) {
            print_message("not read: %s\n", tact_status_message());
            continue;
        }
        TactLcpProblem problem;
        assert_int_equal(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_DENSE, &problem),
                         TACT_OK);
        bool solved = solve_by_all(entry->d_name, &problem, &tally);
        if (!solved) {
            print_message("%s: not solved by search, lemke-lex or enumerate\n", entry->d_name);
        }
        tally.files++;
        tally.solved_by_any += solved;
        tact_lcp_file_destroy(file);
    }
    closedir(directory);
    print_message("%s: %d files, %d of them solved, %d answers, %d of them wrong\n", kind,
                  tally.files, tally.solved_by_any, tally.answers, tally.wrong);
    return tally;
}

static void every_shared_lcp_is_solved_and_no_method_is_wrong(void **state)
{
    (void)state;
    Tally tally = solve_folder("lcp");
    assert_true(tally.files >= 12);
    assert_int_equal(tally.wrong, 0);
    assert_int_equal(tally.solved_by_any, tally.files); // the README says that all have solutions
}

static void no_method_is_wrong_about_a_shared_mixed_lcp(void **state)
{
    (void)state;
    Tally tally = solve_folder("mlcp");
    assert_true(tally.answers > 0);
    assert_int_equal(tally.wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shared_lcp_is_solved_and_no_method_is_wrong),
        cmocka_unit_test(no_method_is_wrong_about_a_shared_mixed_lcp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
