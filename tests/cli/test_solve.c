// The program, driven from outside: `tact solve`, its JSON, its exit status, its complaints.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "cli/program.h"
#include "io/scratch.h"

// w = [2 1; 1 2] z - [5 6]: z = (4/3, 7/3), w = 0.
static const char two[] = "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n";
// w = -1 for every z.
static const char none[] = "1\n0\n1\n1\n1 1\n0\n-1\n";
// u + v - 1 = 0, v >= 0, w = -u + v + 3 >= 0: u = 1, v = 0, w = 2.
static const char mixed[] = "0\n1\n1\n1\n1\n1\n1\n-1\n-1\n3\n";

static int setup(void **state)
{
    if (tact_scratch_setup(state) != 0) {
        return -1;
    }
    tact_scratch_write("two.dat", two);
    tact_scratch_write("none.dat", none);
    tact_scratch_write("mixed.dat", mixed);
    tact_scratch_write("bad.dat", "2\n0\n2\n2\n2 2\n2 1\n1 x\n-5 -6\n");
    tact_scratch_write("M.mtx", "%%MatrixMarket matrix array real general\n2 2\n2\n0\n0\n2\n");
    tact_scratch_write("q.mtx", "%%MatrixMarket matrix array real general\n2 1\n-4\n-4\n");
    tact_scratch_write("lo.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n-1\n");
    tact_scratch_write("hi.mtx", "%%MatrixMarket matrix array real general\n2 1\ninf\n1\n");
    return 0;
}

// ---------------------------------------------------------------------------------------------
// JSON

static void one_file_is_one_object_with_the_fields_of_the_design(void **state)
{
    (void)state;
    tact_program_expect(0, "solve two.dat --method lemke-lex --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(tact_json_is(tact_program_out, "file", "two.dat"));
    assert_true(tact_json_is(tact_program_out, "kind", "lcp"));
    assert_true(tact_json_number(tact_program_out, "n") == 2);
    assert_int_equal(tact_json_count(tact_program_out, "results"), 1);
    assert_true(tact_json_is(tact_program_out, "results.0.method", "lemke-lex"));
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "solved"));
    assert_true(tact_json_is(tact_program_out, "results.0.status", "ok"));
    assert_true(tact_json_number(tact_program_out, "results.0.residual") < 1e-14);
    assert_true(tact_json_number(tact_program_out, "results.0.pivots") > 0);
    assert_true(tact_json_number(tact_program_out, "results.0.iterations") >= 0);
    assert_true(tact_json_number(tact_program_out, "results.0.time_us") > 0);
    assert_true(tact_json_number(tact_program_out, "results.0.solves") >= 5);
    assert_true(tact_json_number(tact_program_out, "results.0.scale") == 6);
    assert_int_equal(tact_json_count(tact_program_out, "results.0.z"), 2);
    assert_true(fabs(tact_json_number(tact_program_out, "results.0.z.0") - 4.0 / 3) < 1e-15);
    assert_true(fabs(tact_json_number(tact_program_out, "results.0.z.1") - 7.0 / 3) < 1e-15);
    assert_string_equal(tact_program_err, "");
}

static void several_files_are_one_object_too(void **state)
{
    (void)state;
    tact_program_expect(0, "solve two.dat mixed.dat M.mtx q.mtx --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_int_equal(tact_json_count(tact_program_out, "files"), 3);
    assert_true(tact_json_is(tact_program_out, "files.0.kind", "lcp"));
    assert_true(tact_json_is(tact_program_out, "files.1.kind", "mlcp"));
    assert_true(fabs(tact_json_number(tact_program_out, "files.1.results.0.z.0") - 1) < 1e-12);
    assert_true(tact_json_is(tact_program_out, "files.2.file", "M.mtx"));
    assert_true(tact_json_number(tact_program_out, "files.2.results.0.z.1") == 2);
}

static void a_bad_file_is_in_the_object_as_well(void **state)
{
    (void)state;
    tact_program_expect(2, "solve bad.dat --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_non_null(tact_json_find(tact_program_out, "error"));
    assert_null(tact_json_find(tact_program_out, "results"));
    tact_program_words(tact_program_err, "bad.dat:7: expected number 2 of the 2 of column 1");
    tact_program_expect(2, "solve two.dat bad.dat not-there.dat --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(tact_json_is(tact_program_out, "files.0.results.0.outcome", "solved"));
    tact_program_words(tact_program_err, "not-there.dat: cannot be opened");
}

static void a_name_that_is_not_utf8_still_gives_an_object(void **state)
{
    (void)state;
    tact_scratch_write("\xff\xfe.dat", two);
    tact_program_expect(0, "solve \xff\xfe.dat --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(tact_json_is(tact_program_out, "file", "??.dat"));
    tact_program_expect(2, "solve \xfe\xff.dat --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_true(tact_json_is(tact_program_out, "error",
                             "??.dat: cannot be opened: No such file or directory"));
}

static void every_method_of_the_table_is_run_by_all(void **state)
{
    (void)state;
    tact_program_run("solve two.dat --method all --json");
    assert_true(tact_json_is_valid(tact_program_out));
    int count = 0;
    for (int i = 0; i < TACT_LCP_METHOD_COUNT; i++) {
        const TactLcpMethodInfo *info = tact_lcp_method_info((TactLcpMethod)i);
        if (info) {
            char path[40];
            snprintf(path, sizeof path, "results.%d.method", count++);
            assert_true(tact_json_is(tact_program_out, path, info->name));
            snprintf(path, sizeof path, "results.%d.outcome", count - 1);
            assert_true(tact_json_is(tact_program_out, path, "solved")); // M is positive definite
        }
    }
    assert_int_equal(tact_json_count(tact_program_out, "results"), count);
}

static void a_method_that_cannot_take_a_problem_is_refused_with_a_reason(void **state)
{
    (void)state;
    tact_program_expect(0, "solve M.mtx q.mtx lo.mtx hi.mtx --method lemke,enumerate --json");
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "refused"));
    assert_true(tact_json_is(tact_program_out, "results.0.status", "unsupported"));
    assert_non_null(tact_json_find(tact_program_out, "results.0.reason"));
    assert_null(tact_json_find(tact_program_out, "results.0.z"));
    assert_true(tact_json_is(tact_program_out, "results.1.outcome", "solved"));
    assert_true(tact_json_number(tact_program_out, "results.1.z.0") == 2);
    assert_true(tact_json_number(tact_program_out, "results.1.z.1") == 1);
    tact_program_expect(1, "solve M.mtx q.mtx lo.mtx hi.mtx --method lemke --json");
}

static void without_a_method_the_program_says_which_one_ran(void **state)
{
    (void)state;
    tact_program_expect(0, "solve two.dat --json");
    assert_true(strncmp(tact_json_find(tact_program_out, "method_chosen"), "true", 4) == 0);
    assert_true(tact_json_is(tact_program_out, "results.0.method", "lemke-lex"));
    tact_program_expect(0, "solve two.dat");
    tact_program_words(tact_program_out, "lemke-lex was chosen");
}

static void a_tolerance_that_nothing_meets_proves_nothing(void **state)
{
    (void)state;
    // 4/3 and 7/3 are no doubles: the error is not 0.
    tact_program_expect(1, "solve two.dat --method lemke --tol 1e-300 --json");
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "unverified"));
    tact_program_expect(0, "solve two.dat --method lemke --tol=1e-6 --repeat 3 --json");
    assert_true(tact_json_number(tact_program_out, "results.0.tolerance") == 1e-6);
    assert_true(tact_json_number(tact_program_out, "results.0.solves") == 3);
}

// ---------------------------------------------------------------------------------------------
// Exit status and words

static void an_unsolved_problem_gives_one(void **state)
{
    (void)state;
    tact_program_expect(1, "solve none.dat --method lemke --json");
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "ray"));
    tact_program_expect(1, "solve none.dat two.dat");
    tact_program_words(tact_program_out,
                       "2 problems: 1 solved and proven, 1 not solved, 0 not read");
    tact_program_words(tact_program_out,
                       "ray: there is no solution, or none that this method can reach");
}

static void bad_use_gives_two_and_a_hint(void **state)
{
    (void)state;
    tact_program_expect(2, "");
    tact_program_words(tact_program_err, "usage: tact VERB");
    tact_program_expect(2, "slove two.dat");
    tact_program_words(tact_program_err, "did you mean 'solve'?");
    tact_program_expect(2, "solve");
    tact_program_words(tact_program_err, "two.dat");
    assert_string_equal(tact_program_out, "");
    tact_program_expect(2, "solve two.dat --methd all");
    tact_program_words(tact_program_err, "did you mean '--method'?");
    tact_program_expect(2, "solve two.dat --method lemek");
    tact_program_words(tact_program_err, "did you mean 'lemke'?");
    tact_program_expect(2, "solve two.dat --method xyzzy");
    tact_program_words(tact_program_err, "there are: lemke lemke-lex");
    tact_program_expect(2, "solve two.dat --method");
    tact_program_words(tact_program_err, "--method needs a value");
    tact_program_expect(2, "solve two.dat --tol -1");
    tact_program_expect(2, "solve two.dat --tol 0");
    tact_program_expect(2, "solve two.dat --tol 1e3");
    tact_program_expect(2, "solve two.dat --tol 1e-3x");
    tact_program_expect(2, "solve two.dat --max-pivots 0");
    tact_program_expect(2, "solve two.dat --json=yes");
    tact_program_expect(2, "solve two.dat --storage thin");
    tact_program_expect(2, "solve M.mtx");
    tact_program_words(tact_program_err, "M.mtx q.mtx lo.mtx hi.mtx");
    tact_program_expect(2, "solve two.dat mixed.dat --output z.mtx");
    tact_program_expect(2, "solve .");
    tact_program_words(tact_program_err, "is a directory");
}

static void help_and_version_go_to_standard_output(void **state)
{
    (void)state;
    const char *const line[] = {"--help", "solve --help", "solve two.dat -h", "--version"};
    const char *const words[] = {"usage: tact VERB", "exit status", "methods", "tact 0."};
    for (int i = 0; i < 4; i++) {
        tact_program_expect(0, line[i]);
        tact_program_words(tact_program_out, words[i]);
        assert_string_equal(tact_program_err, "");
    }
}

static void the_table_has_no_colours_outside_a_terminal(void **state)
{
    (void)state;
    tact_program_expect(0, "solve two.dat mixed.dat --method all");
    assert_null(strchr(tact_program_out, '\033'));
    tact_program_words(tact_program_out,
                       "method      outcome      residual  pivots  iterations   time [us]");
    tact_program_words(tact_program_out, "1.33333333333333");
    tact_program_words(tact_program_out, "free");
}

static void warnings_go_to_standard_error_and_into_the_object(void **state)
{
    (void)state;
    tact_scratch_write("tail.dat", "1\n0\n1\n1\n1 1\n2\n-1\n0.5 0\n");
    tact_program_expect(0, "solve tail.dat --json");
    assert_true(tact_json_is_valid(tact_program_out));
    assert_int_equal(tact_json_count(tact_program_out, "warnings"), 1);
    tact_program_words(tact_program_err,
                       "warning: tail.dat:8: what follows the problem is ignored");
}

// ---------------------------------------------------------------------------------------------
// Files that are written

static void a_problem_written_as_matrix_market_is_the_same_problem(void **state)
{
    (void)state;
    tact_program_expect(0, "solve mixed.dat --write-mtx copy --output z.mtx");
    tact_program_expect(0, "solve copy_M.mtx copy_q.mtx copy_lo.mtx copy_hi.mtx --json");
    assert_true(tact_json_is(tact_program_out, "kind", "mlcp"));
    assert_true(fabs(tact_json_number(tact_program_out, "results.0.z.0") - 1) < 1e-12);
    char *z = tact_scratch_read(tact_scratch_path("z.mtx"));
    assert_non_null(z);
    assert_true(strncmp(z, "%%MatrixMarket matrix array real general\n2 1\n1\n0\n", 49) == 0);
    free(z);
    tact_program_expect(1, "solve none.dat --method lemke --output none.mtx");
    assert_null(tact_scratch_read(tact_scratch_path("none.mtx")));
    tact_program_expect(2, "solve two.dat --output /not/there/z.mtx");
    tact_program_words(tact_program_err, "/not/there/z.mtx: cannot be written");
    tact_program_expect(2, "solve two.dat --write-mtx /not/there/p");
}

static void a_problem_saved_as_dat_is_the_same_problem(void **state)
{
    (void)state;
    tact_program_expect(0, "solve mixed.dat --save again.dat");
    tact_program_expect(0, "solve again.dat --json");
    assert_true(tact_json_is(tact_program_out, "kind", "mlcp"));
    assert_true(fabs(tact_json_number(tact_program_out, "results.0.z.0") - 1) < 1e-12);
    tact_program_expect(2, "solve two.dat --save /not/there/p.dat");
    tact_program_words(tact_program_err, "/not/there/p.dat: cannot be written");
}

static void output_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    if (system("test -w /dev/full") == 0) {
        tact_program_expect(2, "solve two.dat --json >/dev/full");
        tact_program_words(tact_program_err, "could not be written");
    }
}

static void standard_input_is_a_file(void **state)
{
    (void)state;
    tact_program_expect(0, "solve - --json <two.dat");
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "solved"));
}

static void a_budget_ends_a_solve_with_a_limit(void **state)
{
    (void)state;
    tact_program_expect(1, "solve " TACT_SOURCE_DIR
                           "/examples/two.dat --json --repeat 1 --max-work 1");
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "limit"));
    assert_memory_equal(tact_json_find(tact_program_out, "results.0.reproducible"), "true", 4);
    tact_program_expect(1, "solve " TACT_SOURCE_DIR
                           "/examples/two.dat --json --repeat 1 --max-time 1e-12");
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "limit"));
    assert_memory_equal(tact_json_find(tact_program_out, "results.0.reproducible"), "false", 5);
}

enum { SPARSE = 20000 }; // unknowns: 3.2 GB if the matrix were dense

static void write_offset(const char *line)
{
    char *q = calloc(1, 6 * SPARSE + 100);
    assert_non_null(q);
    size_t used =
        (size_t)snprintf(q, 100, "%%%%MatrixMarket matrix array real general\n%d 1\n", (int)SPARSE);
    for (int i = 0; i < SPARSE; i++) {
        used += (size_t)snprintf(q + used, 10, "%s\n", i == 0 ? "-1" : line);
    }
    tact_scratch_write("q.mtx", q);
    free(q);
}

static void a_small_file_takes_no_gigabytes(void **state)
{
    (void)state;
    // Blocks of one unknown: w_1 = 2 z_1 - 1, and w_i = q_i of the others.
    tact_scratch_write("M.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                "20000 20000 1\n1 1 2\n");
    write_offset("1");
    tact_program_expect(0, "solve M.mtx q.mtx --json");
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "solved"));
    write_offset("-1"); // nothing makes w_2 positive
    tact_program_expect(1, "solve M.mtx q.mtx --json");
    assert_true(tact_json_is(tact_program_out, "results.0.outcome", "ray"));
}

static void a_sparse_matrix_of_one_large_block_is_not_made_dense(void **state)
{
    (void)state;
    char  *M = calloc(1, 20 * SPARSE + 100);
    size_t used = 0;
    assert_non_null(M);
    used = (size_t)snprintf(M, 100, "%%%%MatrixMarket matrix coordinate real general\n%d %d %d\n",
                            (int)SPARSE, (int)SPARSE, SPARSE - 1);
    for (int i = 1; i < SPARSE; i++) {
        used += (size_t)snprintf(M + used, 24, "%d %d 1\n", i, i + 1);
    }
    tact_scratch_write("M.mtx", M);
    free(M);
    write_offset("1");
    tact_program_expect(1, "solve M.mtx q.mtx --json");
    assert_true(tact_json_is(tact_program_out, "results.1.outcome", "refused"));
    tact_program_words(tact_program_out, "would be made dense");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_is_one_object_with_the_fields_of_the_design),
        cmocka_unit_test(several_files_are_one_object_too),
        cmocka_unit_test(a_bad_file_is_in_the_object_as_well),
        cmocka_unit_test(a_name_that_is_not_utf8_still_gives_an_object),
        cmocka_unit_test(every_method_of_the_table_is_run_by_all),
        cmocka_unit_test(a_method_that_cannot_take_a_problem_is_refused_with_a_reason),
        cmocka_unit_test(without_a_method_the_program_says_which_one_ran),
        cmocka_unit_test(a_tolerance_that_nothing_meets_proves_nothing),
        cmocka_unit_test(an_unsolved_problem_gives_one),
        cmocka_unit_test(bad_use_gives_two_and_a_hint),
        cmocka_unit_test(help_and_version_go_to_standard_output),
        cmocka_unit_test(the_table_has_no_colours_outside_a_terminal),
        cmocka_unit_test(warnings_go_to_standard_error_and_into_the_object),
        cmocka_unit_test(a_problem_written_as_matrix_market_is_the_same_problem),
        cmocka_unit_test(a_problem_saved_as_dat_is_the_same_problem),
        cmocka_unit_test(output_that_cannot_be_written_is_an_error),
        cmocka_unit_test(standard_input_is_a_file),
        cmocka_unit_test(a_budget_ends_a_solve_with_a_limit),
        cmocka_unit_test(a_small_file_takes_no_gigabytes),
        cmocka_unit_test(a_sparse_matrix_of_one_large_block_is_not_made_dense),
    };
    return cmocka_run_group_tests(tests, setup, tact_program_teardown);
}
