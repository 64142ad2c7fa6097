// Every verb where memory lacks: each allocation of a run fails once, and then all from it on.
//
// What must hold: the program ends by itself, either as if nothing had happened (the allocation was
// of no matter) or with status 2 and a message that names memory; JSON is whole or not there; and
// no more blocks are left at the end than an undisturbed run leaves.
//
// TACT_STARVE_STRIDE=N looks at every N-th allocation only.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/clones.h"
#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

// A program with a sanitizer takes that much longer to begin.
#ifdef TACT_SANITIZED
enum { SLOWER = 40 };
#else
enum { SLOWER = 1 };
#endif

typedef struct Verb {
    const char *arguments; // %s: folder of the sources
    int         stride;    // where there are very many allocations
    bool        json;      // standard output is JSON or empty
    bool        own;       // allocations of libraries do not fail
} Verb;

typedef struct Run {
    int  status; // exit status; -1: a signal
    long asked;  // allocations
    long held;   // blocks at the end
} Run;

static Run starve(const Verb *verb, const char *arguments, long at, int on)
{
    char        command[3000];
    const char *build = getenv("TACT_BUILD");
    Run         run = {.status = -1, .asked = -1, .held = -1};
    remove(tact_scratch_path("report"));
    snprintf(command, sizeof command,
             "cd '%s' && ASAN_OPTIONS=verify_asan_link_order=0:allocator_may_return_null=1:detect_"
             "leaks=0 LD_PRELOAD='%s/tests/tact-starve.so' TACT_STARVE_AT=%ld TACT_STARVE_ON=%d "
             "TACT_STARVE_OWN=%d TACT_STARVE_REPORT='%s' </dev/null >'%s' "
             "2>'%s' '%s' %s",
             tact_scratch_path("."), build ? build : TACT_SOURCE_DIR "/build", at, on, verb->own,
             tact_scratch_path("report"), tact_scratch_path("out"), tact_scratch_path("err"),
             tact_program_path(), arguments);
    int status = system(command); // a signal of the program is 128 and more for the shell
    tact_program_forget();
    tact_program_out = tact_scratch_read(tact_scratch_path("out"));
    tact_program_err = tact_scratch_read(tact_scratch_path("err"));
    assert_non_null(tact_program_out);
    assert_non_null(tact_program_err);
    if (WIFEXITED(status) && WEXITSTATUS(status) < 128) {
        run.status = WEXITSTATUS(status);
    }
    char *report = tact_scratch_read(tact_scratch_path("report"));
    if (report) {
        sscanf(report, "%ld %ld", &run.asked, &run.held);
    }
    free(report);
    return run;
}

static void judge(const Verb *verb, const char *arguments, const Run *honest, long at, int on)
{
    Run         run = starve(verb, arguments, at, on);
    const char *out = tact_program_out, *err = tact_program_err, *what = NULL;
    bool        told = strstr(err, "memory") || strstr(out, "memory");
    if (strstr(err, "Sanitizer") || strstr(err, "runtime error")) {
        what = "a sanitizer complains";
    } else if (run.status < 0) {
        what = "it was ended by a signal";
    } else if (run.status != honest->status && run.status != 2) {
        what = "another exit status";
    } else if (run.status == 2 && !told) {
        what = "memory is not named";
    } else if (verb->json && out[0] && !tact_json_is_valid(out)) {
        what = "half of the JSON";
    } else if (run.status == honest->status && verb->json && !out[0]) {
        what = "no JSON, and no failure";
    } else if (run.held > honest->held) {
        what = "blocks are left";
    }
    if (what) {
        fail_msg("tact %s, allocation %ld%s of %ld: %s (status %d, %ld blocks left, %ld usually)"
                 "\n%.800s\n%.2000s",
                 arguments, at, on ? " and all later ones" : "", honest->asked, what, run.status,
                 run.held, honest->held, out, err);
    }
}

/// Members of the JSON of an undisturbed run: those of one that claims to be undisturbed.
static void compare(const char *arguments, long at, int members)
{
    if (tact_json_count(tact_program_out, "") != members) {
        fail_msg("tact %s, allocation %ld: fields are missing\n%.800s", arguments, at,
                 tact_program_out);
    }
}

static void starve_verb(const Verb *verb)
{
    char        arguments[1500];
    const char *wanted = getenv("TACT_STARVE_STRIDE");
    long        stride = wanted ? strtol(wanted, NULL, 10) : SLOWER * verb->stride;
    snprintf(arguments, sizeof arguments, verb->arguments, TACT_SOURCE_DIR, TACT_SOURCE_DIR);
    Run honest = starve(verb, arguments, 0, 0);
    if (honest.status < 0 || honest.status == 2 || honest.asked < 10) {
        fail_msg("tact %s: status %d, %ld allocations\n%s", arguments, honest.status, honest.asked,
                 tact_program_err);
    }
    int members = verb->json ? tact_json_count(tact_program_out, "") : 0;
    for (int on = 0; on < 2; on++) {
        for (long at = 1; at <= honest.asked; at += on ? 3 * stride : stride) {
            judge(verb, arguments, &honest, at, on);
            if (verb->json && tact_program_err[0] == '\0' && !strstr(tact_program_out, "memory")) {
                compare(arguments, at, members);
            }
        }
    }
    printf("tact %s: %ld allocations, every %ld\n", arguments, honest.asked, stride);
}

static void solve_says_where_memory_lacks(void **state)
{
    (void)state;
    const Verb verbs[] = {
        {"solve --json --repeat 1 %s/examples/slope.json", 1, true, false},
        {"solve --json --repeat 1 %s/examples/bounded_M.mtx %s/examples/bounded_q.mtx", 1, true,
         false},
        {"solve --json --repeat 1 %s/examples/rectifier.dat", 1, true, false},
        {"solve --repeat 1 %s/examples/slope.json --save saved.json", 1, false, false},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        starve_verb(&verbs[i]);
    }
}

/// HDF5 itself does not survive every lack of memory; what is asked for around it is ours.
static void hdf5_files_are_read_and_written_or_memory_is_named(void **state)
{
    (void)state;
    tact_program_run("solve " TACT_SOURCE_DIR "/examples/slope.json --save starve.hdf5");
    if (strstr(tact_program_err, "HDF5")) {
        printf("skipped: no HDF5\n");
        return;
    }
    const Verb verbs[] = {
        {"solve --json --repeat 1 starve.hdf5", 1, true, true},
        {"solve --repeat 1 %s/examples/slope.json --save again.hdf5", 1, false, true},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        starve_verb(&verbs[i]);
    }
}

static void proofs_shares_and_certificates_say_where_memory_lacks(void **state)
{
    (void)state;
    tact_program_expect(0, "solve --json --repeat 1 " TACT_SOURCE_DIR "/examples/slope.json");
    tact_scratch_write("answer.json", tact_program_out);
    const Verb verbs[] = {
        {"solve --json --repeat 1 --prove %s/examples/slope.json", 29, true, false},
        {"solve --json --repeat 1 --share least --range %s/examples/slope.json", 1, true, false},
        {"solve --json --certify answer.json %s/examples/slope.json", 1, true, false},
        {"run --json --time 0.004 --prove %s/scenes/slope.xml", 41, true, false},
        {"contacts --json --share least --range %s/scenes/slope.xml", 3, true, false},
        {"convert %s/scenes/slope.xml converted.xml", 2, false, false},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        starve_verb(&verbs[i]);
    }
}

static void check_and_info_say_where_memory_lacks(void **state)
{
    (void)state;
    const Verb verbs[] = {
        {"check --json %s/scenes/slope.xml", 1, true, false},
        {"check --json --all %s/tests/models/mjcf/everything.xml", 41, true, false},
        {"info --json %s/scenes/slope.xml", 1, true, false},
        {"info --json %s/tests/models/urdf/everything.urdf", 7, true, false},
        {"info %s/scenes/slope.xml", 1, false, false},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        starve_verb(&verbs[i]);
    }
}

static void run_and_contacts_say_where_memory_lacks(void **state)
{
    (void)state;
    const Verb verbs[] = {
        {"run --json --time 0.01 %s/scenes/slope.xml", 1, true, false},
        {"run --json --time 0.01 --certify steps %s/scenes/slope.xml", 2, true, false},
        {"run --time 0.01 --record a.tact --csv a.csv %s/scenes/slope.xml", 1, false, false},
        {"contacts --json %s/scenes/slope.xml", 2, true, false},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        starve_verb(&verbs[i]);
    }
}

static void recordings_are_not_called_damaged_where_memory_lacks(void **state)
{
    (void)state;
    tact_program_expect(0,
                        "run --time 0.02 --record whole.tact " TACT_SOURCE_DIR "/scenes/slope.xml");
    const Verb verbs[] = {
        {"info --json whole.tact", 1, true, false},
        {"check --json whole.tact", 1, true, false},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        starve_verb(&verbs[i]);
        assert_null(strstr(tact_program_out, "damaged"));
    }
}

/// Tables are begun anew each time; what is there of one is whole lines, and goes on.
static void sweeps_say_where_memory_lacks(void **state)
{
    (void)state;
    tact_scratch_write("starve.json",
                       "{\"format\": \"tact-sweep/1\", \"scene\": \"" TACT_SOURCE_DIR
                       "/scenes/slope.xml\", \"trials\": 3, \"time\": 0.004, \"vary\": {\"mu\": "
                       "{\"path\": \"geom/0/friction\", \"uniform\": [0.1, 1]}, \"gravity/2\": "
                       "{\"normal\": [-9, 1]}}, \"sampling\": \"sobol\", \"measure\": {\"x\": "
                       "\"/bodies/block/pos/0\"}}");
    const Verb verbs[] = {
        {"sweep starve.json --json --threads 1 --restart --out starve.csv", 1, true, false},
        {"sweep starve.json --json --threads 2 --restart --out starve.csv", 5, true, false},
        {"sweep starve.json --threads 1 --restart --out starve.csv --plot starve.svg", 3, false,
         false},
        {"sweep starve.json --json --trial 1", 3, true, false},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
        starve_verb(&verbs[i]);
    }
}

int main(void)
{
#if defined TACT_SANITIZED && !(defined __SANITIZE_ADDRESS__ && !defined __clang__)
    printf("skipped: this sanitizer has a heap that cannot be reached\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solve_says_where_memory_lacks),
        cmocka_unit_test(hdf5_files_are_read_and_written_or_memory_is_named),
        cmocka_unit_test(proofs_shares_and_certificates_say_where_memory_lacks),
        cmocka_unit_test(check_and_info_say_where_memory_lacks),
        cmocka_unit_test(run_and_contacts_say_where_memory_lacks),
        cmocka_unit_test(recordings_are_not_called_damaged_where_memory_lacks),
        cmocka_unit_test(sweeps_say_where_memory_lacks),
    };
    return cmocka_run_group_tests_name("cli/starve", tests, tact_scratch_setup,
                                       tact_program_teardown);
}
