// Every method on every family: what is called solved is solved, and how often each one fails.
//
//     test_lcp_families [PROBLEMS]             2000 without an argument, 100000 with TACT_LONG=1
//     test_lcp_families --seeds FIRST COUNT    a range of seeds of every family: shares are only
//     printed
//
// Each answer is checked by the oracle in exact arithmetic, not by the library's certificate.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/problems/families.h"
#include "oracle/exact_residual.h"

enum { MAX_FAMILIES = 128, MAX_N = 512, MAX_WORKERS = 2, OUTCOMES = TACT_LCP_OUTCOME_SINGULAR + 1 };

typedef struct Tally {
    int    problems; // that the method takes
    int    outcome[OUTCOMES];
    int    wrong;       // called solved, and not accepted by the oracle
    int    modest;      // not called solved, and yet accepted by the oracle
    int    broken;      // the call returned an error other than "unsupported"
    double worst;       // largest relative error among those called solved
    int    failed_seed; // of the last problem not solved
} Tally;

typedef struct Worker {
    Tally tally[MAX_FAMILIES][TACT_LCP_METHOD_COUNT];
    int   done;
    int   finished;
} Worker;

static int     problem_count = 2000;
static int     first_seed; // of every family
static int     worker_count = 1;
static Worker *workers; // shared between the processes
static Tally   total[MAX_FAMILIES][TACT_LCP_METHOD_COUNT];

// ---------------------------------------------------------------------------------------------
// Running

typedef struct Solvers {
    TactLcpSolver *solver[TACT_LCP_METHOD_COUNT];
    int            max_n[TACT_LCP_METHOD_COUNT];
} Solvers;

static TactLcpConfig config_of(TactLcpMethod method)
{
    TactLcpConfig config = tact_lcp_config_default(method);
    // Here it is counted whether the sweeps end in a wrong answer, not how far they get.
    config.max_iterations = method == TACT_LCP_METHOD_PGS ? 1000 : config.max_iterations;
    return config;
}

static TactLcpSolver *solver_for(Solvers *solvers, TactLcpMethod method, int n)
{
    const TactLcpMethodInfo *info = tact_lcp_method_info(method);
    if (!info || (info->max_n > 0 && n > info->max_n)) {
        return NULL;
    }
    if (!solvers->solver[method] || solvers->max_n[method] < n) {
        TactLcpConfig config = config_of(method);
        tact_lcp_solver_destroy(solvers->solver[method]);
        solvers->solver[method] = NULL;
        if (tact_lcp_solver_create(n, &config, &solvers->solver[method]) != TACT_OK) {
            fprintf(stderr, "%s: %s\n", info->name, tact_status_message());
            exit(1);
        }
        solvers->max_n[method] = n;
    }
    return solvers->solver[method];
}

static void solve_one(TactLcpSolver *solver, const TactLcpProblem *problem, int seed, Tally *tally)
{
    double        z[MAX_N];
    TactLcpReport report;
    TactStatus    status = tact_lcp_solve(solver, problem, z, &report);
    if (status == TACT_UNSUPPORTED) {
        return;
    }
    tally->problems++;
    if (status != TACT_OK) {
        tally->broken++;
        return;
    }
    TactOracleResidual residual = tact_oracle_residual(problem, z);
    bool               accepted = tact_oracle_accepts(&residual, 1e-9);
    tally->outcome[report.outcome]++;
    if (report.outcome == TACT_LCP_OUTCOME_SOLVED) {
        tally->wrong += !accepted;
        tally->worst = fmax(tally->worst, residual.weighed / residual.scale);
    } else {
        tally->modest += accepted;
        tally->failed_seed = seed;
    }
}

/// Problem k belongs to family k mod count, with seed k / count.
static void work(Worker *worker, int first, int stride)
{
    int               count;
    const TactFamily *families = tact_families(&count);
    Solvers           solvers = {0};
    for (int k = first; k < problem_count; k += stride) {
        TactFamilyProblem made;
        int               family = k % count, seed = first_seed + k / count;
        if (tact_family_generate(&families[family], (uint64_t)seed, &made) != TACT_OK ||
            made.problem.n > MAX_N) {
            exit(1);
        }
        for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
            TactLcpSolver *solver = solver_for(&solvers, (TactLcpMethod)m, made.problem.n);
            if (solver) {
                solve_one(solver, &made.problem, seed, &worker->tally[family][m]);
            }
        }
        tact_family_problem_destroy(&made);
        worker->done++;
    }
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        tact_lcp_solver_destroy(solvers.solver[m]);
    }
    worker->finished = 1;
}

static void add_up(const Worker *worker)
{
    for (int f = 0; f < MAX_FAMILIES; f++) {
        for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
            const Tally *part = &worker->tally[f][m];
            Tally       *sum = &total[f][m];
            sum->problems += part->problems;
            for (int k = 0; k < OUTCOMES; k++) {
                sum->outcome[k] += part->outcome[k];
            }
            sum->wrong += part->wrong;
            sum->modest += part->modest;
            sum->broken += part->broken;
            sum->worst = fmax(sum->worst, part->worst);
            sum->failed_seed = part->failed_seed ? part->failed_seed : sum->failed_seed;
        }
    }
}

static int failures(const Tally *tally)
{
    return tally->problems - tally->outcome[TACT_LCP_OUTCOME_SOLVED];
}

// ---------------------------------------------------------------------------------------------
// Printing

static void print_table(void)
{
    int               count;
    const TactFamily *families = tact_families(&count);
    printf("not solved / problems (largest relative error of what was called solved)\n%-24s", "");
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)m);
        if (info) {
            printf("%20s", info->name);
        }
    }
    printf("\n");
    for (int f = 0; f < count; f++) {
        printf("%-24s", families[f].name);
        for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
            const Tally *tally = &total[f][m];
            if (!tact_lcp_method_info((TactLcpMethod)m)) {
                continue;
            }
            char cell[64] = "-";
            if (tally->problems > 0) {
                snprintf(cell, sizeof cell, "%d/%d (%.0e)", failures(tally), tally->problems,
                         tally->worst);
            }
            printf("%20s", cell);
        }
        printf("\n");
    }
}

static void print_outcomes(void)
{
    for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)m);
        if (!info) {
            continue;
        }
        Tally sum = {0};
        for (int f = 0; f < MAX_FAMILIES; f++) {
            const Tally *tally = &total[f][m];
            sum.problems += tally->problems;
            sum.wrong += tally->wrong;
            sum.modest += tally->modest;
            sum.worst = fmax(sum.worst, tally->worst);
            for (int k = 0; k < OUTCOMES; k++) {
                sum.outcome[k] += tally->outcome[k];
            }
        }
        printf("%-10s %6d problems:", info->name, sum.problems);
        for (int k = 0; k < OUTCOMES; k++) {
            printf(" %s %d,", tact_lcp_outcome_name((TactLcpOutcome)k), sum.outcome[k]);
        }
        printf(" wrong 'solved' %d, worst %.1e\n", sum.wrong, sum.worst);
    }
}

// ---------------------------------------------------------------------------------------------
// Sentences

static void no_method_calls_a_wrong_answer_solved(void **state)
{
    (void)state;
    int               count;
    const TactFamily *families = tact_families(&count);
    int               wrong = 0, solved = 0;
    for (int f = 0; f < count; f++) {
        for (int m = 0; m < TACT_LCP_METHOD_COUNT; m++) {
            if (total[f][m].wrong > 0 || total[f][m].broken > 0) {
                print_error("%s on %s: %d wrong, %d errors\n",
                            tact_lcp_method_info((TactLcpMethod)m)->name, families[f].name,
                            total[f][m].wrong, total[f][m].broken);
            }
            wrong += total[f][m].wrong + total[f][m].broken;
            solved += total[f][m].outcome[TACT_LCP_OUTCOME_SOLVED];
        }
    }
    assert_true(solved > problem_count); // there was something to be wrong about
    assert_int_equal(wrong, 0);
}

/// Geometry moved by 1e-12 to 1e-4: some of these have no solution once M and q are rounded (the
/// exact Lemke ends on a ray, e.g. near-peg-16, seeds 3 and 4), so they stand apart.
static bool is_near(const TactFamily *family)
{
    return strcmp(family->group, "near") == 0;
}

static void search_solves_99_9_percent_of_every_contact_family(void **state)
{
    (void)state;
    int               count, misses = 0;
    const TactFamily *families = tact_families(&count);
    for (int f = 0; f < count; f++) {
        const Tally *tally = &total[f][TACT_LCP_METHOD_SEARCH];
        if (!(families[f].flags & TACT_FAMILY_CONTACT) || is_near(&families[f])) {
            continue;
        }
        if (failures(tally) * 1000 > tally->problems) {
            print_error("search fails on %d of %d of %s (seed %d)\n", failures(tally),
                        tally->problems, families[f].name, tally->failed_seed);
            misses++;
        }
    }
    assert_int_equal(misses, 0);
}

static void search_solves_99_percent_of_disturbed_contacts(void **state)
{
    (void)state;
    int               count, failed = 0, problems = 0;
    const TactFamily *families = tact_families(&count);
    for (int f = 0; f < count; f++) {
        if (is_near(&families[f])) {
            failed += failures(&total[f][TACT_LCP_METHOD_SEARCH]);
            problems += total[f][TACT_LCP_METHOD_SEARCH].problems;
        }
    }
    print_message("search fails on %d of %d\n", failed, problems);
    assert_true(failed * 100 < problems);
}

static void lemke_lex_fails_on_fewer_than_1_percent_of_ordinary_families(void **state)
{
    (void)state;
    int               count, failed = 0, problems = 0;
    const TactFamily *families = tact_families(&count);
    for (int f = 0; f < count; f++) {
        if (families[f].flags & TACT_FAMILY_ORDINARY) {
            failed += failures(&total[f][TACT_LCP_METHOD_LEMKE_LEX]);
            problems += total[f][TACT_LCP_METHOD_LEMKE_LEX].problems;
        }
    }
    print_message("lemke-lex fails on %d of %d\n", failed, problems);
    assert_true(problems > 0);
    assert_true(failed * 100 < problems);
}

// ---------------------------------------------------------------------------------------------

static void watch(int alive)
{
    bool terminal = isatty(STDERR_FILENO);
    for (int elapsed = 0; alive > 0; elapsed++) {
        int done = 0;
        while (waitpid(-1, NULL, WNOHANG) > 0) {
            alive--;
        }
        for (int k = 0; k < worker_count; k++) {
            done += workers[k].done;
        }
        if (terminal || elapsed % 60 == 0) {
            fprintf(stderr, "%s%d of %d problems%s", terminal ? "\r" : "", done, problem_count,
                    terminal ? "" : "\n");
        }
        sleep(alive > 0 ? 1 : 0);
    }
    fprintf(stderr, "\n");
}

static void run(void)
{
    size_t size = (size_t)worker_count * sizeof *workers;
    workers = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (workers == MAP_FAILED) {
        exit(1);
    }
    if (worker_count == 1) {
        work(&workers[0], 0, 1);
    } else {
        fflush(stdout);
        for (int k = 0; k < worker_count; k++) {
            if (fork() == 0) {
                work(&workers[k], k, worker_count);
                _exit(0);
            }
        }
        watch(worker_count);
    }
    for (int k = 0; k < worker_count; k++) {
        if (!workers[k].finished) {
            fprintf(stderr, "a worker died after %d problems\n", workers[k].done);
            exit(1);
        }
        add_up(&workers[k]);
    }
}

int main(int argc, char **argv)
{
    const char *wish = getenv("TACT_LONG");
    if (wish && strcmp(wish, "") != 0 && strcmp(wish, "0") != 0) {
        problem_count = 100000;
    }
    bool range = argc == 4 && strcmp(argv[1], "--seeds") == 0;
    if (range) {
        int families;
        tact_families(&families);
        first_seed = atoi(argv[2]);
        problem_count = atoi(argv[3]) * families;
    } else if (argc > 1) {
        problem_count = atoi(argv[1]);
    }
    worker_count = problem_count > 10000 ? MAX_WORKERS : 1;
    run();
    print_table();
    print_outcomes();
    fflush(stdout);
    if (range) { // families are too short for shares of a thousandth
        const struct CMUnitTest wrong[] = {
            cmocka_unit_test(no_method_calls_a_wrong_answer_solved),
        };
        return cmocka_run_group_tests(wrong, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_method_calls_a_wrong_answer_solved),
        cmocka_unit_test(search_solves_99_9_percent_of_every_contact_family),
        cmocka_unit_test(search_solves_99_percent_of_disturbed_contacts),
        cmocka_unit_test(lemke_lex_fails_on_fewer_than_1_percent_of_ordinary_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
