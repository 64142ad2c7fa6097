// Every contact method on every family: what is called solved is solved, and the ladder solves all.
//
//     test_contact_families [PROBLEMS [FAMILY [RUN]]]
//     test_contact_families --seeds FIRST COUNT     a range of seeds of every family
//
// 2000 problems without an argument, one or two of each family under a sanitizer, 100000 with
// TACT_LONG=1, and besides a fifth of that with geometry disturbed by 1e-12 to 1e-5. FAMILY - means
// all, RUN the runs whose name starts so, e.g. ladder. Each answer is checked by
// tests/oracle/contact_law.h, not by the library's certificate.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clones.h"
#include "families_run.h"

enum { MAX_WORKERS = 2 };

#ifdef TACT_SANITIZED
static int problem_count = 72;
#else
static int problem_count = 2000;
#endif
static int         worker_count = 1;
static const char *only_family;
static Count      *workers; // shared between the processes
static Count       total;
static Run         runs[MAX_RUNS];
static int         run_count;

// ---------------------------------------------------------------------------------------------
// Running

static bool is_near(const TactCaseFamily *family)
{
    return family->flags & TACT_CASE_NEAR;
}

/// Problems are spread evenly over the ordinary families, and a fifth as many over the near ones.
static int seeds_of(const TactCaseFamily *family)
{
    int                   count, alike = 0;
    const TactCaseFamily *families = tact_case_families(&count);
    if (only_family) {
        return strcmp(only_family, family->name) == 0 ? problem_count : 0;
    }
    for (int f = 0; f < count; f++) {
        alike += is_near(&families[f]) == is_near(family);
    }
    int wanted = is_near(family) ? problem_count / 5 : problem_count;
    return (wanted + alike - 1) / alike;
}

static int all_problems(void)
{
    int                   count, sum = 0;
    const TactCaseFamily *families = tact_case_families(&count);
    for (int f = 0; f < count; f++) {
        sum += seeds_of(&families[f]);
    }
    return sum;
}

static void work(Share share, Count *count)
{
    int                   families_count;
    const TactCaseFamily *families = tact_case_families(&families_count);
    for (int f = 0; f < families_count; f++) {
        families_run(&families[f], f, seeds_of(&families[f]), share, count);
    }
    count->finished = 1;
}

static void watch(int alive)
{
    bool terminal = isatty(STDERR_FILENO);
    int  all = all_problems();
    for (int elapsed = 0; alive > 0; elapsed++) {
        int done = 0;
        while (waitpid(-1, NULL, WNOHANG) > 0) {
            alive--;
        }
        for (int k = 0; k < worker_count; k++) {
            done += workers[k].done;
        }
        if (terminal || elapsed % 60 == 0) {
            fprintf(stderr, "%s%d of %d problems%s", terminal ? "\r" : "", done, all,
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
        work((Share){0, 1}, &workers[0]);
    } else {
        fflush(stdout);
        for (int k = 0; k < worker_count; k++) {
            if (fork() == 0) {
                work((Share){k, worker_count}, &workers[k]);
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
        families_add(&workers[k], &total);
    }
}

// ---------------------------------------------------------------------------------------------
// Printing

static int failures(const Tally *tally)
{
    return tally->problems - tally->outcome[TACT_OUTCOME_SOLVED];
}

static void print_families(void)
{
    int                   count;
    const TactCaseFamily *families = tact_case_families(&count);
    printf("not solved / problems, mean time in us\n%-20s", "");
    for (int r = 0; r < run_count; r++) {
        printf("%20s", runs[r].name);
    }
    printf("\n");
    for (int f = 0; f < count; f++) {
        if (seeds_of(&families[f]) == 0) {
            continue;
        }
        printf("%-20s", families[f].name);
        for (int r = 0; r < run_count; r++) {
            const Tally *tally = &total.tally[f][r];
            char         cell[64] = "-";
            if (tally->problems > 0) {
                snprintf(cell, sizeof cell, "%d/%d %.0f", failures(tally), tally->problems,
                         1e6 * tally->seconds / tally->problems);
            }
            printf("%20s", cell);
        }
        printf("\n");
    }
}

static Tally sum_of(int run, bool near)
{
    int                   count;
    const TactCaseFamily *families = tact_case_families(&count);
    Count                *sum = calloc(1, sizeof *sum), *part = calloc(1, sizeof *part);
    if (!sum || !part) {
        exit(1);
    }
    for (int f = 0; f < count; f++) {
        if (is_near(&families[f]) == near) {
            part->tally[0][0] = total.tally[f][run];
            families_add(part, sum);
        }
    }
    Tally tally = sum->tally[0][0];
    free(sum);
    free(part);
    return tally;
}

static void print_runs(bool near)
{
    printf("\n%s\n", near ? "geometry disturbed by 1e-12 to 1e-5" : "all other families");
    for (int r = 0; r < run_count; r++) {
        Tally sum = sum_of(r, near);
        if (sum.problems == 0) {
            continue;
        }
        printf("%-18s %6d problems:", runs[r].name, sum.problems);
        for (int k = 0; k < OUTCOMES; k++) {
            if (sum.outcome[k] > 0) {
                printf(" %s %d,", tact_contact_outcome_name((TactContactOutcome)k), sum.outcome[k]);
            }
        }
        printf(" wrong 'solved' %d, error %.1e, oracle: law %.1e, strict %.1e, motion %.1e; mean "
               "%.0f us, longest %.1f ms, %.1f pivots",
               sum.wrong, sum.error, sum.law, sum.strict, sum.motion,
               1e6 * sum.seconds / sum.problems, 1e3 * sum.longest,
               (double)sum.pivots / sum.problems);
        if (sum.again > 0) {
            printf("; warm without a pivot %d of %d", sum.warm, sum.again);
        }
        printf("\n");
    }
}

static void print_rungs(void)
{
    printf("\nrungs of the ladder: solved / tried, mean and longest time of what each solved, with "
           "the rungs before it\n");
    printf("%-30s %35s %35s\n", "", "pyramid", "circle");
    for (int i = 0; i < MAX_RUNG_NAMES && total.rung[i].name[0] != '\0'; i++) {
        const RungTally *rung = &total.rung[i];
        printf("%-30s", rung->name);
        for (int k = 0; k < 2; k++) {
            int solved = rung->solved[k];
            printf(" %6d / %6d %8.0f us %6.0f ms", solved, rung->tried[k],
                   solved > 0 ? 1e6 * rung->seconds[k] / solved : 0, 1e3 * rung->longest[k]);
        }
        printf("\n");
    }
}

static void print_seeds(int run)
{
    int                   count;
    const TactCaseFamily *families = tact_case_families(&count);
    for (int f = 0; f < count; f++) {
        const Tally *tally = &total.tally[f][run];
        if (failures(tally) > 0 || tally->wrong > 0) {
            printf("%s: %d of %d of %s, seeds", runs[run].name, failures(tally) + tally->wrong,
                   tally->problems, families[f].name);
            for (int k = 0; k < tally->kept; k++) {
                printf(" %d", tally->seed[k]);
            }
            printf("\n");
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Sentences

static int run_named(const char *name)
{
    for (int r = 0; r < run_count; r++) {
        if (strcmp(runs[r].name, name) == 0) {
            return r;
        }
    }
    fail_msg("there is no run '%s'", name);
    return -1;
}

static void no_method_calls_a_wrong_answer_solved(void **state)
{
    (void)state;
    int wrong = 0, solved = 0;
    for (int r = 0; r < run_count; r++) {
        for (int f = 0; f < MAX_FAMILIES; f++) {
            const Tally *tally = &total.tally[f][r];
            wrong += tally->wrong + tally->broken;
            solved += tally->outcome[TACT_OUTCOME_SOLVED];
        }
        if (sum_of(r, false).wrong + sum_of(r, true).wrong > 0) {
            print_seeds(r);
        }
    }
    assert_true(solved > problem_count); // there was something to be wrong about
    assert_int_equal(wrong, 0);
}

static void the_ladder_solves_every_pyramid(void **state)
{
    (void)state;
    int   run_index = run_named("ladder pyramid");
    Tally sum = sum_of(run_index, false);
    print_seeds(run_index);
    assert_true(sum.problems > 0 || only_family);
    assert_int_equal(failures(&sum), 0);
}

static void the_ladder_solves_9999_of_10000_circles(void **state)
{
    (void)state;
    int   run_index = run_named("ladder circle");
    Tally sum = sum_of(run_index, false);
    print_seeds(run_index);
    print_message("not solved: %d of %d\n", failures(&sum), sum.problems);
    // Of a range that is shorter than that, one.
    int allowed = families_first > 0 ? (sum.problems + 9999) / 10000 : sum.problems / 10000;
    assert_true(failures(&sum) <= allowed);
}

static void the_ladder_solves_every_disturbed_problem(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        Tally sum = sum_of(run_named(k ? "ladder circle" : "ladder pyramid"), true);
        assert_true(sum.problems > 0 || only_family);
        assert_int_equal(failures(&sum), 0);
    }
}

static const char *family_name(int f)
{
    int count;
    return tact_case_families(&count)[f].name;
}

/// Both kinds of families of one run.
static Count *sum_all(int run)
{
    Count *sum = calloc(1, sizeof *sum), *part = calloc(1, sizeof *part);
    assert_true(sum && part);
    for (int f = 0; f < MAX_FAMILIES; f++) {
        part->tally[0][0] = total.tally[f][run];
        families_add(part, sum);
    }
    free(part);
    return sum;
}

static void frictionless_velocities_of_all_methods_agree(void **state)
{
    (void)state;
    int misses = 0;
    for (int r = 0; r < run_count; r++) {
        Count       *sum = sum_all(r);
        const Tally *all = &sum->tally[0][0];
        for (int f = 0; f < MAX_FAMILIES; f++) {
            const Tally *tally = &total.tally[f][r];
            if (tally->apart > 1e-9) {
                print_error("%s on %s: velocities differ by %.1e (seed %d)\n", runs[r].name,
                            family_name(f), tally->apart, tally->apart_seed);
                misses++;
            }
        }
        print_message("%-18s %5d of %5d velocities compared, apart by at most %.1e\n", runs[r].name,
                      all->compared, all->smooth, all->apart);
        // The first run is what the others are compared with.
        assert_true(all->compared > 0 || r == 0 || only_family || families_only_runs[0]);
        free(sum);
    }
    assert_int_equal(misses, 0);
}

static void where_there_is_one_answer_every_method_gives_it(void **state)
{
    (void)state;
    int missed = 0;
    for (int r = 0; r < run_count; r++) {
        Count       *sum = sum_all(r);
        const Tally *all = &sum->tally[0][0];
        for (int f = 0; f < MAX_FAMILIES; f++) {
            const Tally *tally = &total.tally[f][r];
            if (tally->missed > 0) {
                print_error("%s on %s: %d of %d are another, by %.1e (seed %d)\n", runs[r].name,
                            family_name(f), tally->missed, tally->unique, tally->miss,
                            tally->miss_seed);
            }
        }
        print_message("%-18s %5d of %5d answers compared, apart by at most %.1e\n", runs[r].name,
                      all->unique, all->only, all->miss);
        assert_true(all->unique > 0 || only_family || families_only_runs[0]);
        assert_int_equal(all->unique, all->only);
        missed += all->missed;
        free(sum);
    }
    assert_int_equal(missed, 0);
}

/// COUNT seeds of every ordinary family, from FIRST on.
static void take_range(const char *first, const char *count)
{
    int                   family_count, ordinary = 0;
    const TactCaseFamily *families = tact_case_families(&family_count);
    for (int f = 0; f < family_count; f++) {
        ordinary += !is_near(&families[f]);
    }
    families_first = atoi(first);
    problem_count = atoi(count) * ordinary;
}

int main(int argc, char **argv)
{
    bool        range = argc == 4 && strcmp(argv[1], "--seeds") == 0;
    const char *wish = getenv("TACT_LONG");
    if (wish && strcmp(wish, "") != 0 && strcmp(wish, "0") != 0) {
        problem_count = 100000;
    }
    if (range) {
        take_range(argv[2], argv[3]);
        argc = 1;
    }
    if (argc > 1) {
        problem_count = atoi(argv[1]);
    }
    only_family = argc > 2 && strcmp(argv[2], "-") != 0 ? argv[2] : NULL;
    families_only_runs = argc > 3 ? argv[3] : "";
    worker_count = problem_count > 10000 ? MAX_WORKERS : 1;
    run_count = runs_list(runs);
    run();
    print_families();
    print_runs(false);
    print_runs(true);
    print_rungs();
    fflush(stdout);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_method_calls_a_wrong_answer_solved),
        cmocka_unit_test(the_ladder_solves_every_pyramid),
        cmocka_unit_test(the_ladder_solves_9999_of_10000_circles),
        cmocka_unit_test(the_ladder_solves_every_disturbed_problem),
        cmocka_unit_test(frictionless_velocities_of_all_methods_agree),
        cmocka_unit_test(where_there_is_one_answer_every_method_gives_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
