// tact sweep, run from outside: the same bytes for any number of threads, trials by their numbers,
// sweeps that are ended and gone on with, and clear words for what cannot be.
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef TACT_HAVE_HDF5
#include <hdf5.h>
#endif

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

#define HEAD "\"format\": \"tact-sweep/1\", \"scene\": \"" TACT_SOURCE_DIR "/scenes/pinch.xml\""
#define MU                                                                  \
    "\"mu\": {\"path\": [\"geom/left/friction\", \"geom/right/friction\", " \
    "\"geom/capsule/friction\"], \"uniform\": [0.01, 0.1]}"

static const char pinch[] =
    "{" HEAD ", \"trials\": 40, \"seed\": 5, \"time\": 0.1, \"vary\": {" MU
    ", \"qpos/2/0\": {\"uniform\": [-1e-3, 1e-3], \"apply\": \"add\"}"
    ", \"turn/2/z\": {\"normal\": [0, 0.1]}},"
    " \"stop\": [{\"outcome\": \"slipped\", \"moved\": \"capsule\", \"above\": 1e-3}],"
    " \"measure\": {\"z\": \"/bodies/capsule/pos/2\", \"slip\": {\"moved\": \"capsule\", \"of\": "
    "\"max\"}},"
    " \"worst\": \"slip\"}";

static void need_json(void)
{
    tact_program_run("--version");
    if (strstr(tact_program_out, "jansson: no")) {
        print_message("skipped: a build without jansson\n");
        skip();
    }
}

static char *run(int status, const char *format, const char *a, const char *b)
{
    char words[2048];
    snprintf(words, sizeof words, format, a, b);
    tact_program_expect(status, words);
    return tact_program_out;
}

static void same_bytes(const char *a, const char *b)
{
    char *x = tact_scratch_read(a), *y = tact_scratch_read(b);
    assert_non_null(x);
    assert_non_null(y);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

static void tables_are_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    need_json();
    char sweep[512], one[512], other[512];
    snprintf(sweep, sizeof sweep, "%s", tact_scratch_write("pinch.json", pinch));
    snprintf(one, sizeof one, "%s", tact_scratch_path("one.csv"));
    run(0, "sweep %s --threads 1 --out %s", sweep, one);
    for (int threads = 2; threads <= 5; threads++) {
        char name[32], format[64];
        snprintf(name, sizeof name, "threads%d.csv", threads);
        snprintf(other, sizeof other, "%s", tact_scratch_path(name));
        snprintf(format, sizeof format, "sweep %%s --out %%s --threads %d", threads);
        run(0, format, sweep, other);
        same_bytes(one, other);
    }
    // Made already: nothing is made again, and the figures are the same.
    char *told = run(0, "sweep %s --out %s --json", sweep, one);
    assert_true(tact_json_is_valid(told));
    assert_true(tact_json_number(told, "made") == 0);
    assert_true(tact_json_number(told, "rows") == 40);
    double held = tact_json_number(told, "outcomes.held.count");
    double slipped = tact_json_number(told, "outcomes.slipped.count");
    assert_true(held > 0 && slipped > 0 && held + slipped == 40);
}

static void a_trial_is_the_same_from_its_number_alone(void **state)
{
    (void)state;
    need_json();
    char sweep[512], table[512];
    snprintf(sweep, sizeof sweep, "%s", tact_scratch_write("pinch.json", pinch));
    snprintf(table, sizeof table, "%s", tact_scratch_path("alone.csv"));
    run(0, "sweep %s --threads 2 --out %s", sweep, table);
    char *text = tact_scratch_read(table), *line = strchr(text, '\n') + 1;
    for (int trial = 0; trial < 40; trial++, line = strchr(line, '\n') + 1) {
        double mu, shift, turn, time, z, slip;
        char   word[64], number[16];
        int    k;
        assert_int_equal(sscanf(line, "%d,%lf,%lf,%lf,%63[^,],%lf,%lf,%lf", &k, &mu, &shift, &turn,
                                word, &time, &z, &slip),
                         8);
        if (trial % 7 != 0) {
            continue;
        }
        snprintf(number, sizeof number, "%d", trial);
        char *told = run(0, "sweep %s --json --trial %s", sweep, number);
        assert_true(tact_json_is(told, "outcome", word));
        assert_true(tact_json_number(told, "values.mu") == mu);
        assert_true(tact_json_number(told, "values.z") == z);
        assert_true(tact_json_number(told, "values.slip") == slip);
        assert_true(tact_json_number(told, "values.time") == time);
    }
    free(text);
}

/// A sweep that varies nothing is the run of its scene: every pointer says what the report does.
static void pointers_say_what_the_report_of_a_run_says(void **state)
{
    static const char *const pointers[] = {"/time",
                                           "/dt",
                                           "/steps",
                                           "/dof",
                                           "/contacts/mean",
                                           "/contacts/max",
                                           "/solves/total",
                                           "/solves/certified",
                                           "/solves/unverified",
                                           "/solves/out_of_budget",
                                           "/residual_max",
                                           "/penetration_max",
                                           "/loop_error_max",
                                           "/correction_max",
                                           "/damping_energy",
                                           "/divided_steps",
                                           "/unresolved_steps",
                                           "/bodies/glass/pos/0",
                                           "/bodies/glass/pos/2",
                                           "/bodies/glass/quat/1",
                                           "/bodies/palm/vel/2",
                                           "/bodies/distal1/omega/2",
                                           "/joints/lift/qpos/0",
                                           "/joints/glass/qpos/6",
                                           "/joints/glass/qvel/4",
                                           "/joints/proximal3/qvel/0"};
    enum { COUNT = sizeof pointers / sizeof *pointers };
    char text[8192], sweep[512], *report;
    int  used = 0;
    (void)state;
    need_json();
    used += snprintf(text, sizeof text,
                     "{\"format\": \"tact-sweep/1\", \"scene\": \"%s/scenes/grasp.xml\", \"time\": "
                     "0.2, \"measure\": {",
                     TACT_SOURCE_DIR);
    for (int i = 0; i < COUNT; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s\"m%d\": \"%s\"",
                         i > 0 ? ", " : "", i, pointers[i]);
    }
    snprintf(text + used, sizeof text - (size_t)used, "}}");
    snprintf(sweep, sizeof sweep, "%s", tact_scratch_write("report.json", text));
    report = strdup(run(0, "run %s/scenes/grasp.xml --time 0.2 --json%s", TACT_SOURCE_DIR, ""));
    char *told = run(0, "sweep %s --trial 0 --json%s", sweep, "");
    for (int i = 0; i < COUNT; i++) {
        char path[256], name[32];
        snprintf(path, sizeof path, "%s", pointers[i] + 1);
        for (char *c = path; *c; c++) {
            *c = *c == '/' ? '.' : *c;
        }
        snprintf(name, sizeof name, "values.m%d", i);
        double wanted = tact_json_number(report, path), is = tact_json_number(told, name);
        if (!(wanted == is)) {
            fail_msg("%s: %.17g, and %.17g in the report", pointers[i], is, wanted);
        }
    }
    free(report);
}

/// Ends the sweep by a signal that cannot be caught, as often as it takes.
static void a_killed_sweep_goes_on(void **state)
{
    (void)state;
    need_json();
    char sweep[512], whole[512], killed[512];
    snprintf(sweep, sizeof sweep, "%s", tact_scratch_write("pinch.json", pinch));
    snprintf(whole, sizeof whole, "%s", tact_scratch_path("whole.csv"));
    snprintf(killed, sizeof killed, "%s", tact_scratch_path("killed.csv"));
    run(0, "sweep %s --threads 2 --out %s", sweep, whole);
    int kills = 0;
    for (int i = 0; i < 40; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (!freopen("/dev/null", "w", stdout)) {
                _exit(126);
            }
            execl(tact_program_path(), "tact", "sweep", sweep, "--out", killed, "--threads", "2",
                  "--pause", "0.01", NULL);
            _exit(127);
        }
        usleep(60000 + 7000 * (unsigned)i);
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        kills += WIFSIGNALED(status);
        if (WIFEXITED(status)) {
            assert_int_equal(WEXITSTATUS(status), 0);
            break;
        }
    }
    assert_true(kills > 0);
    run(0, "sweep %s --out %s", sweep, killed);
    same_bytes(whole, killed);
}

static void what_is_not_certified_is_counted_and_kept(void **state)
{
    (void)state;
    need_json();
    char sweep[512], table[512], problem[600];
    // A budget of one operation: no problem is solved.
    snprintf(sweep, sizeof sweep, "%s",
             tact_scratch_write("budget.json",
                                "{" HEAD ", \"trials\": 3, \"time\": 0.004, \"vary\": {" MU
                                "}, \"sim\": {\"max_work\": 1, \"method\": \"nsgs\"}}"));
    snprintf(table, sizeof table, "%s", tact_scratch_path("budget.csv"));
    char *told = run(1, "sweep %s --out %s --json", sweep, table);
    assert_true(tact_json_number(told, "outcomes.failed.count") == 3);
    assert_int_equal(tact_json_count(told, "failed"), 3);
    char *text = tact_scratch_read(table);
    assert_non_null(strstr(text, "contact problems are not certified"));
    free(text);
    snprintf(problem, sizeof problem, "%s.failures/trial-000000002-step-000001-0.json", table);
    tact_program_words(run(0, "solve %s --method nsgs%s", problem, ""), "solved");
    snprintf(problem, sizeof problem, "rm -rf %s.failures", table);
    assert_int_equal(system(problem), 0);
}

static void grids_run_through_all_points(void **state)
{
    (void)state;
    need_json();
    char sweep[512], table[512];
    snprintf(sweep, sizeof sweep, "%s",
             tact_scratch_write("grid.json",
                                "{" HEAD ", \"time\": 0.002, \"vary\": {\"body/capsule/mass\": "
                                "[0.1, 0.2], \"ctrl/left\": {\"range\": [1, 100], \"count\": 3, "
                                "\"log\": true}}}"));
    snprintf(table, sizeof table, "%s", tact_scratch_path("grid.csv"));
    run(0, "sweep %s --out %s", sweep, table);
    char *text = tact_scratch_read(table);
    tact_program_words(text, "\n0,0.1,1,");
    tact_program_words(text, "\n1,0.1,10");
    tact_program_words(text, "\n2,0.1,100,");
    tact_program_words(text, "\n3,0.2,1,");
    tact_program_words(text, "\n5,0.2,100,");
    assert_null(strstr(text, "\n6,"));
    free(text);
}

static void expect_words(const char *name, const char *const *words)
{
    char *text = tact_scratch_read(tact_scratch_path(name));
    assert_non_null(text);
    for (int i = 0; words[i]; i++) {
        tact_program_words(text, words[i]);
    }
    free(text);
}

static void pictures_and_pages_are_whole(void **state)
{
    (void)state;
    need_json();
    char words[2048];
    snprintf(words, sizeof words, "sweep %s --out %s --plot %s --html %s",
             tact_scratch_write("pinch.json", pinch), tact_scratch_path("told.csv"),
             tact_scratch_path("told.svg"), tact_scratch_path("told.html"));
    tact_program_expect(0, words);
    expect_words("told.svg", (const char *const[]){"<svg ", ">mu</text>", "</svg>\n", NULL});
    expect_words("told.html", (const char *const[]){"<svg ", "Worst trials", "--trial ",
                                                    "</html>\n", "95 % interval", NULL});
    // What a table has so far is told without a trial.
    snprintf(words, sizeof words, "sweep %s --out %s --look --json",
             tact_scratch_path("pinch.json"), tact_scratch_path("told.csv"));
    tact_program_expect(0, words);
    assert_true(tact_json_number(tact_program_out, "rows") == 40);
}

#ifdef TACT_HAVE_HDF5
static void a_dataset_of_hdf5_is_a_column_of_the_table(void **state)
{
    (void)state;
    need_json();
    char   words[2048], table[512];
    double z[40], trial[40], outcome[40];
    snprintf(table, sizeof table, "%s", tact_scratch_path("columns.csv"));
    snprintf(words, sizeof words, "sweep %s --out %s --hdf5 %s",
             tact_scratch_write("pinch.json", pinch), table, tact_scratch_path("columns.h5"));
    tact_program_expect(0, words);
    hid_t             file = H5Fopen(tact_scratch_path("columns.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    double *const     into[] = {z, trial, outcome};
    const char *const names[] = {"z", "trial", "outcome"};
    assert_true(file >= 0);
    for (int i = 0; i < 3; i++) {
        hid_t set = H5Dopen2(file, names[i], H5P_DEFAULT), space = H5Dget_space(set);
        assert_true(set >= 0 && H5Sget_simple_extent_npoints(space) == 40);
        assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, into[i]) >= 0);
        H5Sclose(space);
        H5Dclose(set);
    }
    H5Fclose(file);
    char *text = tact_scratch_read(table), *line = strchr(text, '\n') + 1;
    for (int i = 0; i < 40; i++, line = strchr(line, '\n') + 1) {
        double mu, shift, turn, time, height;
        char   word[64];
        int    k;
        assert_int_equal(sscanf(line, "%d,%lf,%lf,%lf,%63[^,],%lf,%lf", &k, &mu, &shift, &turn,
                                word, &time, &height),
                         7);
        assert_true(trial[i] == k && z[i] == height);
        assert_true(outcome[i] == (strcmp(word, "held") == 0 ? 0 : 1));
    }
    free(text);
}
#endif

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"{", "wrong.json:1:"},
        {"{\"format\": \"tact-sweep/2\"}", "format: is \"tact-sweep/2\""},
        {"{" HEAD "}", "time: is missing"},
        {"{" HEAD ", \"time\": -1}", "time: is -1"},
        {"{" HEAD ", \"tme\": 1}", "tme: is not known"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"body/cup/mass\": [1]}}",
         "vary.body/cup/mass: parameter 'body/cup/mass': the model has no body 'cup'"},
        {"{" HEAD
         ", \"time\": 1, \"vary\": {\"mu\": {\"path\": [\"geom/left/frction\"], \"list\": [1]}}}",
         "vary.mu.path[0]: parameter 'geom/left/frction'"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"qpos/2/3\": [1]}}", "vary turn/2/x"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"qpos/2\": [1]}}", "has 7 numbers"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"qvel/hip\": [1]}}", "the model has no joint 'hip'"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"ctrl/hip\": [1]}}",
         "the model has no actuator 'hip'"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"gravity\": [1]}}", "'gravity' has 3 numbers"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"sim/tol\": [1]}}", "friction_scale and timestep"},
        {"{" HEAD
         ", \"time\": 1, \"trials\": 3, \"vary\": {\"gravity/2\": {\"uniform\": [1, -1]}}}",
         "vary.gravity/2.uniform: runs from 1 to -1"},
        {"{" HEAD ", \"time\": 1, \"trials\": 3, \"vary\": {\"gravity/2\": {\"normal\": [1, 0]}}}",
         "vary.gravity/2.normal: has the standard deviation 0"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"gravity/2\": {\"uniform\": [-1, 1]}}}",
         "trials: is missing"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"gravity/2\": {\"log\": true, \"range\": [-1, 1], "
         "\"count\": 3}}}",
         "a logarithm needs more than 0"},
        {"{" HEAD ", \"time\": 1, \"vary\": {\"gravity/2\": {\"list\": [1], \"uniform\": [0, 1]}}}",
         "has both list and uniform"},
        {"{" HEAD ", \"time\": 1, \"measure\": {\"z\": \"/bodies/cup/pos/2\"}}",
         "measure.z: '/bodies/cup/pos/2': the model has no body 'cup'"},
        {"{" HEAD ", \"time\": 1, \"measure\": {\"z\": \"/bodies/left/pos/3\"}}", "pos/0 to 2"},
        {"{" HEAD ", \"time\": 1, \"measure\": {\"t\": \"/step_us/mean\"}}",
         "is read from a clock"},
        {"{" HEAD ", \"time\": 1, \"measure\": {\"t\": {\"sensor\": \"force\"}}}",
         "measure.t.sensor: the model has no sensor 'force'"},
        {"{" HEAD ", \"time\": 1, \"measure\": {\"time\": \"/time\"}}",
         "two columns are called 'time'"},
        {"{" HEAD ", \"time\": 1, \"stop\": [{\"pointer\": \"/time\"}]}",
         "stop[0]: needs a number"},
        {"{" HEAD ", \"time\": 1, \"stop\": [{\"pointer\": \"/time\", \"above\": 1, \"outcome\": "
         "\"failed\"}]}",
         "cannot be an outcome"},
        {"{" HEAD ", \"time\": 1, \"sim\": {\"cone\": \"square\"}}", "sim.cone: "},
        {"{" HEAD ", \"time\": 1, \"sim\": {\"timestep\": -1}}", "sim: "},
        {"{" HEAD ", \"time\": 1, \"keyframe\": \"held\"}", "has no keyframe 'held'"},
        {"{" HEAD ", \"time\": 1, \"ctrl\": {\"left\": [[0, 1], [0, 2]]}}",
         "ctrl.left[1]: time does not ascend"},
        {"{\"format\": \"tact-sweep/1\", \"scene\": \"none.xml\", \"time\": 1}", "none.xml"},
        {"{" HEAD ", \"time\": 1, \"worst\": \"slip\"}",
         "nothing that is measured is called 'slip'"},
    };
    (void)state;
    need_json();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[600];
        snprintf(words, sizeof words, "sweep %s", tact_scratch_write("wrong.json", cases[i].text));
        tact_program_expect(2, words);
        tact_program_words(tact_program_err, cases[i].words);
    }
    char words[600];
    snprintf(words, sizeof words, "sweep %s --trial 40", tact_scratch_write("pinch.json", pinch));
    tact_program_expect(2, words);
    tact_program_words(tact_program_err, "none of the trials 0 to 39");
}

static void trials_that_cannot_be_are_told_and_the_sweep_goes_on(void **state)
{
    (void)state;
    need_json();
    char sweep[512], table[512];
    snprintf(sweep, sizeof sweep, "%s",
             tact_scratch_write("cannot.json",
                                "{" HEAD ", \"time\": 0.004, \"vary\": {\"body/capsule/mass\": "
                                "[0.04, -1], \"sim/timestep\": [0.002, 1e-15]}}"));
    snprintf(table, sizeof table, "%s", tact_scratch_path("cannot.csv"));
    char *told = run(1, "sweep %s --out %s --json", sweep, table);
    assert_true(tact_json_number(told, "outcomes.failed.count") == 3);
    assert_true(tact_json_number(told, "outcomes.held.count") == 1);
    char *text = tact_scratch_read(table);
    tact_program_words(text, "\n0,0.04,0.002,held,");
    tact_program_words(text, "a timestep of 1e-15 s is too short for a trial of 0.004 s");
    tact_program_words(text, "\n2,-1,0.002,failed,");
    tact_program_words(text, "body/capsule/mass");
    free(text);
    // Rows stand in the order of their trials: a table that says otherwise is none of this sweep.
    text = tact_scratch_read(table);
    char *row = strstr(text, "\n3,");
    assert_non_null(row);
    row[1] = '9';
    tact_scratch_write("cannot.csv", text);
    free(text);
    run(2, "sweep %s --out %s --look", sweep, table);
    tact_program_words(tact_program_err, "cannot.csv:5: this is not a row of this sweep");
}

/// Tasks of srun that are no ranks of MPI meet at the table.
static void a_second_writer_is_refused(void **state)
{
    (void)state;
    need_json();
    char sweep[512], table[512], ahead[600];
    snprintf(sweep, sizeof sweep, "%s", tact_scratch_write("pinch.json", pinch));
    snprintf(table, sizeof table, "%s", tact_scratch_path("shared.csv"));
    snprintf(ahead, sizeof ahead, "%s.sweep", table);
    int first = open(ahead, O_RDWR | O_CREAT, 0666);
    assert_true(first >= 0 && flock(first, LOCK_EX) == 0);
    setenv("SLURM_STEP_NUM_TASKS", "2", 1);
    run(2, "sweep %s --out %s", sweep, table);
    unsetenv("SLURM_STEP_NUM_TASKS");
    tact_program_words(tact_program_err, "shared.csv: another process is writing it");
    tact_program_words(tact_program_err, "srun --mpi=pmix");
    close(first);
    run(0, "sweep %s --out %s", sweep, table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(a_trial_is_the_same_from_its_number_alone),
        cmocka_unit_test(pointers_say_what_the_report_of_a_run_says),
        cmocka_unit_test(a_killed_sweep_goes_on),
        cmocka_unit_test(what_is_not_certified_is_counted_and_kept),
        cmocka_unit_test(grids_run_through_all_points),
        cmocka_unit_test(pictures_and_pages_are_whole),
#ifdef TACT_HAVE_HDF5
        cmocka_unit_test(a_dataset_of_hdf5_is_a_column_of_the_table),
#endif
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(a_second_writer_is_refused),
        cmocka_unit_test(trials_that_cannot_be_are_told_and_the_sweep_goes_on),
    };
    int failed = cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
    tact_program_teardown(NULL);
    return failed;
}
