// The table of a sweep: whatever the order of rows, and wherever it was ended, the same bytes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sweep/sweep.h"

enum { TRIALS = 60 };

static const char file[] =
    "{\"format\": \"tact-sweep/1\", \"scene\": \"" TACT_SOURCE_DIR "/scenes/pinch.xml\","
    " \"trials\": 60, \"seed\": 7, \"time\": 0.01,"
    " \"vary\": {\"body/capsule/mass\": {\"normal\": [0.045, 0.02]}, \"gravity/2\": [-9.81, -1.6], "
    "\"sim/friction_scale\": [1, 0]},"
    " \"stop\": [{\"outcome\": \"fell, as \\\"said\\\"\", \"moved\": \"capsule\", \"above\": "
    "1e-6}],"
    " \"measure\": {\"z\": {\"pointer\": \"/bodies/capsule/pos/2\", \"at\": [0, 0.01]}}}";

static TactSweep *sweep;
static char       folder[] = "/tmp/tact-table-XXXXXX";
static char      *lines[TRIALS]; // of the trials
static char      *expected;      // the whole table

static char *name_file(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char *read_file(const char *path)
{
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    assert_non_null(stream);
    assert_non_null(text);
    size_t size = fread(text, 1, (1 << 20) - 1, stream);
    text[size] = 0;
    fclose(stream);
    return text;
}

static int set_up(void **state)
{
    (void)state;
    TactStatus status = tact_sweep_read_memory("sweep.json", file, sizeof file - 1, &sweep);
    if (status == TACT_UNSUPPORTED) {
        return 0; // tests skip
    }
    if (status != TACT_OK) {
        print_message("%s\n", tact_status_message());
        return -1;
    }
    TactSweepWorld *world = NULL;
    char            header[4096];
    expected = calloc(1, 1 << 20);
    size_t used = tact_sweep_print_header(sweep, header, sizeof header);
    if (!mkdtemp(folder) || !expected || tact_sweep_world_create(sweep, &world) != TACT_OK) {
        return -1;
    }
    memcpy(expected, header, used);
    for (int i = 0; i < TRIALS; i++) {
        TactSweepRow row;
        if (tact_sweep_world_run(world, i, NULL, &row) != TACT_OK) {
            return -1;
        }
        lines[i] = strdup(row.text);
        strcat(expected, lines[i]);
    }
    tact_sweep_world_destroy(world);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < TRIALS; i++) {
        free(lines[i]);
    }
    free(expected);
    tact_sweep_destroy(sweep);
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static void need_sweep(void)
{
    if (!sweep) {
        print_message("skipped: a build without jansson\n");
        skip();
    }
}

static void ok(TactStatus status)
{
    if (status != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
}

static void expect_whole(const char *path)
{
    char  ahead[300], first[64];
    char *text = read_file(path);
    assert_string_equal(text, expected);
    free(text);
    snprintf(ahead, sizeof ahead, "%s.sweep", path);
    text = read_file(ahead);
    snprintf(first, sizeof first, "tact-sweep/1 %016llx\n",
             (unsigned long long)tact_sweep_view_plan(sweep)->identity);
    assert_string_equal(text, first);
    free(text);
    unlink(path);
    unlink(ahead);
}

static void rows_in_any_order_with_ends_in_between_make_one_table(void **state)
{
    (void)state;
    need_sweep();
    for (uint64_t seed = 0; seed < 30; seed++) {
        TactRandom      random = tact_random_seed(seed);
        int             order[TRIALS];
        TactSweepTable *table = NULL;
        char           *path = name_file("any.csv");
        for (int i = 0; i < TRIALS; i++) {
            int k = (int)tact_random_uniform(&random, 0, i + 1);
            order[i] = order[k];
            order[k] = i;
        }
        ok(tact_sweep_table_open(sweep, path, &table));
        for (int i = 0; i < TRIALS; i++) {
            int trial = order[i];
            assert_false(tact_sweep_table_has(table, trial));
            ok(tact_sweep_table_add(table, trial, lines[trial], strlen(lines[trial])));
            ok(tact_sweep_table_add(table, trial, lines[trial], strlen(lines[trial]))); // no change
            assert_true(tact_sweep_table_has(table, trial));
            assert_int_equal(tact_sweep_table_count(table), i + 1);
            if (tact_random_uniform(&random, 0, 1) < 0.1) {
                ok(tact_sweep_table_close(table));
                ok(tact_sweep_table_open(sweep, path, &table));
                assert_int_equal(tact_sweep_table_count(table), i + 1);
            }
        }
        ok(tact_sweep_table_close(table));
        expect_whole(path);
    }
}

static void what_was_cut_off_anywhere_is_made_again(void **state)
{
    (void)state;
    need_sweep();
    char   path[256], ahead[300];
    size_t size = strlen(expected);
    snprintf(path, sizeof path, "%s", name_file("cut.csv"));
    snprintf(ahead, sizeof ahead, "%s.sweep", path);
    for (size_t cut = 0; cut <= size; cut += 1 + size / 97) {
        TactSweepTable *table = NULL;
        ok(tact_sweep_table_open(sweep, path, &table));
        for (int i = 0; i < TRIALS; i++) {
            ok(tact_sweep_table_add(table, i, lines[i], strlen(lines[i])));
        }
        ok(tact_sweep_table_close(table));
        assert_int_equal(truncate(path, (off_t)cut), 0);
        ok(tact_sweep_table_open(sweep, path, &table));
        int missing = 0;
        for (int i = TRIALS - 1; i >= 0; i--) {
            if (!tact_sweep_table_has(table, i)) {
                missing++;
                ok(tact_sweep_table_add(table, i, lines[i], strlen(lines[i])));
            }
        }
        assert_true(cut == size ? missing == 0 : missing > 0);
        ok(tact_sweep_table_close(table));
        expect_whole(path);
    }
}

static void rows_ahead_that_were_cut_off_are_made_again(void **state)
{
    (void)state;
    need_sweep();
    char path[256], ahead[300];
    snprintf(path, sizeof path, "%s", name_file("ahead.csv"));
    snprintf(ahead, sizeof ahead, "%s.sweep", path);
    TactSweepTable *table = NULL;
    ok(tact_sweep_table_open(sweep, path, &table));
    for (int i = 5; i < 10; i++) {
        ok(tact_sweep_table_add(table, i, lines[i], strlen(lines[i])));
    }
    ok(tact_sweep_table_close(table));
    char *text = read_file(ahead);
    assert_int_equal(truncate(ahead, (off_t)strlen(text) - 3), 0);
    free(text);
    ok(tact_sweep_table_open(sweep, path, &table));
    assert_true(tact_sweep_table_has(table, 8));
    assert_false(tact_sweep_table_has(table, 9));
    for (int i = 0; i < TRIALS; i++) {
        ok(tact_sweep_table_add(table, i, lines[i], strlen(lines[i])));
    }
    ok(tact_sweep_table_close(table));
    expect_whole(path);
}

static void a_table_of_another_sweep_is_refused_and_left_alone(void **state)
{
    (void)state;
    need_sweep();
    static const char *const texts[] = {"a,b\n1,2\n", "trial,other\n", "no end"};
    char                    *path = name_file("other.csv");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        TactSweepTable *table = NULL;
        FILE           *stream = fopen(path, "w");
        assert_non_null(stream);
        fputs(texts[i], stream);
        fclose(stream);
        assert_int_equal(tact_sweep_table_open(sweep, path, &table), TACT_BAD_INPUT);
        assert_non_null(strstr(tact_status_message(), "other.csv"));
        assert_null(table);
        char *text = read_file(path);
        assert_string_equal(text, texts[i]);
        free(text);
    }
}

static void a_row_is_read_as_it_was_written(void **state)
{
    (void)state;
    need_sweep();
    const TactSweepPlan *plan = tact_sweep_view_plan(sweep);
    TactSweepWorld      *world = NULL;
    ok(tact_sweep_world_create(sweep, &world));
    bool stopped = false;
    for (int i = 0; i < TRIALS; i++) {
        TactSweepRow row;
        double       values[64];
        ok(tact_sweep_world_run(world, i, NULL, &row));
        assert_string_equal(row.text, lines[i]); // the same world, again
        assert_true(tact_sweep_read_row(sweep, row.text, strlen(row.text) - 1, values));
        for (int k = 0; k < plan->column_count; k++) {
            assert_true(values[k] == row.values[k] || (isnan(values[k]) && isnan(row.values[k])));
        }
        stopped = stopped || row.outcome == 1;
        // A draw of the normal distribution that is no mass is told, and counted as failed.
        double mass = values[plan->first_varied];
        assert_int_equal(row.outcome == plan->outcome_count - 1, !(mass > 0));
        assert_int_equal(row.problem[0] != 0, !(mass > 0));
    }
    assert_true(stopped);
    tact_sweep_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_any_order_with_ends_in_between_make_one_table),
        cmocka_unit_test(what_was_cut_off_anywhere_is_made_again),
        cmocka_unit_test(rows_ahead_that_were_cut_off_are_made_again),
        cmocka_unit_test(a_table_of_another_sweep_is_refused_and_left_alone),
        cmocka_unit_test(a_row_is_read_as_it_was_written),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
