// Matrix Market files: reading, writing, and both ways to the bit.
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/problem/mtx.h"
#include "io/scratch.h"

#define HEAD "%%MatrixMarket matrix "

static TactStatus parse(const char *text, TactInfinity infinity, TactMatrix *matrix)
{
    TactText source;
    *matrix = (TactMatrix){0};
    TactStatus status = tact_text_copy(&source, "a.mtx", text, strlen(text));
    if (status == TACT_OK) {
        status = tact_mtx_parse(&source, infinity, matrix);
        tact_text_close(&source);
    }
    return status;
}

static void expect(const char *text, int rows, int columns, const double *values)
{
    TactMatrix matrix;
    if (parse(text, TACT_INFINITY_TOO, &matrix) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    assert_int_equal(matrix.rows, rows);
    assert_int_equal(matrix.columns, columns);
    assert_int_equal(tact_matrix_to_dense(&matrix), TACT_OK);
    for (int i = 0; i < rows * columns; i++) {
        assert_true(matrix.dense[i] == values[i]);
    }
    tact_matrix_destroy(&matrix);
}

static void expect_bad(const char *text, TactStatus expected, const char *words)
{
    TactMatrix matrix;
    TactStatus status = parse(text, TACT_FINITE_ONLY, &matrix);
    tact_matrix_destroy(&matrix);
    if (status != expected) {
        fail_msg("status %s instead of %s for: %s", tact_status_name(status),
                 tact_status_name(expected), text);
    }
    tact_scratch_said(words);
}

// ---------------------------------------------------------------------------------------------
// Reading

static void arrays_are_read_column_by_column(void **state)
{
    (void)state;
    expect(HEAD "array real general\n% a comment\n\n2 3\n1\n2\n3\n4\n5\n6\n", 2, 3,
           (double[]){1, 3, 5, 2, 4, 6});
    expect(HEAD "array integer general\r\n2 1\r\n-7\r\n8\r\n", 2, 1, (double[]){-7, 8});
    expect(HEAD "array real general\n2 1\ninf\n-Inf\n", 2, 1, (double[]){HUGE_VAL, -HUGE_VAL});
}

static void entries_count_from_one(void **state)
{
    (void)state;
    expect(HEAD "coordinate real general\n%\n%x\n  % y\n2 3 3\n2 1 4.5\n1 3 -1\n2 3 1e-3\n", 2, 3,
           (double[]){0, 0, -1, 4.5, 0, 1e-3});
    expect("%%matrixmarket MATRIX Coordinate Real General\n1 1 0\n", 1, 1, (double[]){0});
    expect(HEAD "coordinate real general\n1 1 2\n1 1 1\n1 1 2\n", 1, 1, (double[]){3});
}

static void one_triangle_stands_for_two(void **state)
{
    (void)state;
    const double symmetric[] = {1, 2, 3, 2, 4, 5, 3, 5, 6};
    const double skew[] = {0, -2, -3, 2, 0, -5, 3, 5, 0};
    expect(HEAD "array real symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3, 3, symmetric);
    expect(HEAD "coordinate real symmetric\n3 3 6\n1 1 1\n2 1 2\n3 1 3\n2 2 4\n3 2 5\n3 3 6\n", 3,
           3, symmetric);
    expect(HEAD "coordinate real symmetric\n3 3 6\n1 1 1\n1 2 2\n1 3 3\n2 2 4\n2 3 5\n3 3 6\n", 3,
           3, symmetric);
    expect(HEAD "array real skew-symmetric\n3 3\n2\n3\n5\n", 3, 3, skew);
    expect(HEAD "coordinate real skew-symmetric\n3 3 3\n2 1 2\n3 1 3\n3 2 5\n", 3, 3, skew);
}

static void bad_files_are_named_with_their_line(void **state)
{
    (void)state;
    expect_bad("", TACT_BAD_INPUT, "a.mtx:1: the first line ends where '%%MatrixMarket'");
    expect_bad("%%MatrixMarket\nmatrix", TACT_BAD_INPUT, "a.mtx:1: the first line ends");
    expect_bad("2 2\n", TACT_BAD_INPUT, "expected '%%MatrixMarket', found '2'");
    expect_bad("%%MatrixMarket vector array real general\n", TACT_BAD_INPUT, "'matrix'");
    expect_bad(HEAD "coordinate pattern general\n1 1 1\n1 1\n", TACT_UNSUPPORTED, "pattern");
    expect_bad(HEAD "array complex general\n1 1\n1 1\n", TACT_UNSUPPORTED, "complex");
    expect_bad(HEAD "array real hermitian\n1 1\n1\n", TACT_UNSUPPORTED, "hermitian");
    expect_bad(HEAD "array real symmetric\n1 2\n1\n", TACT_BAD_INPUT, "not square");
    expect_bad(HEAD "array real general\n1 2\n1\n", TACT_BAD_INPUT,
               "a.mtx:3: the file ends where entry (1, 2)");
    expect_bad(HEAD "array real general\n1 2\n1\n2\n3\n", TACT_BAD_INPUT,
               "a.mtx:5: expected the end of the file, found '3'");
    expect_bad(HEAD "array real general\n2 1\n1\nnan\n", TACT_BAD_INPUT, "a.mtx:4: entry (2, 1)");
    expect_bad(HEAD "array real general\n2 1\n1\ninf\n", TACT_BAD_INPUT, "is infinite");
    expect_bad(HEAD "array real general\n2 1\n1\n1,5\n", TACT_BAD_INPUT, "found '1,5'");
    expect_bad(HEAD "coordinate real general\n2 2 1\n0 1 1\n", TACT_BAD_INPUT,
               "a.mtx:3: the row of an entry is 0, which is not in 1 ... 2");
    expect_bad(HEAD "coordinate real general\n2 2 1\n1 3 1\n", TACT_BAD_INPUT, "the column");
    expect_bad(HEAD "coordinate real general\n2 2 2\n1 2 1.0000000\n", TACT_BAD_INPUT,
               "ends where");
    expect_bad(HEAD "coordinate real general\n2 2 1\n1 2 1\n2 2 1\n", TACT_BAD_INPUT, "the end");
    expect_bad(HEAD "coordinate real symmetric\n2 2 2\n1 2 1\n2 1 1\n", TACT_BAD_INPUT,
               "entry 2 of the symmetric matrix");
    expect_bad(HEAD "coordinate real skew-symmetric\n2 2 1\n1 1 1\n", TACT_BAD_INPUT,
               "entry 1 of the skew-symmetric matrix");
}

static void a_size_that_the_file_cannot_hold_takes_no_memory(void **state)
{
    (void)state;
    expect_bad(HEAD "array real general\n2000000000 2000000000\n1\n", TACT_BAD_INPUT,
               "the number of rows is 2000000000");
    expect_bad(HEAD "array real general\n1000000 1000000\n1\n", TACT_BAD_INPUT,
               "needs 1000000000000 numbers");
    expect_bad(HEAD "array real symmetric\n1000000 1000000\n1\n", TACT_BAD_INPUT, "needs");
    expect_bad(HEAD "array real general\n2147483646\n0\n", TACT_BAD_INPUT, "rows is");
    expect_bad(HEAD "coordinate real general\n2 2 1000000000\n1 1 1\n", TACT_BAD_INPUT, "needs");
    expect_bad(HEAD "coordinate real general\n2000000000 1 0\n", TACT_BAD_INPUT, "rows is");
    expect_bad(HEAD "array real general\n99999999999 1\n", TACT_BAD_INPUT, "number of rows");
    expect(HEAD "array real general\n0 1000000\n", 0, 1000000, NULL);
}

static void every_truncation_is_survived(void **state)
{
    (void)state;
    static const char *const text[] = {
        HEAD "coordinate real general\n% comment\n2 2 3\n1 1 4\n2 1 5\n2 2 6\n",
        HEAD "array real symmetric\n% comment\n2 2\n4\n5\n6\n"};
    for (int k = 0; k < 2; k++) {
        size_t whole = strlen(text[k]);
        for (size_t size = 0; size < whole; size++) {
            char cut[200];
            snprintf(cut, sizeof cut, "%.*s", (int)size, text[k]);
            TactMatrix matrix;
            TactStatus status = parse(cut, TACT_FINITE_ONLY, &matrix);
            assert_int_equal(status, size + 1 == whole ? TACT_OK : TACT_BAD_INPUT);
            tact_matrix_destroy(&matrix);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Problems

static void four_files_make_a_problem(void **state)
{
    (void)state;
    const char  *M = tact_scratch_write("M.mtx", HEAD "array real general\n2 2\n1\n2\n3\n4\n");
    const char  *q = tact_scratch_write("q.mtx", HEAD "coordinate real general\n1 2 1\n1 2 -5\n");
    const char  *lo = tact_scratch_write("lo.mtx", HEAD "array real general\n2 1\n-inf\n-1\n");
    const char  *hi = tact_scratch_write("hi.mtx", HEAD "array real general\n2 1\ninf\n1\n");
    TactLcpFile *file = NULL;
    assert_int_equal(tact_lcp_read_mtx(M, q, lo, hi, &file), TACT_OK);
    assert_int_equal(file->kind, TACT_LCP_KIND_MLCP);
    assert_memory_equal(file->problem.M, ((double[]){1, 3, 2, 4}), 4 * sizeof(double));
    assert_memory_equal(file->problem.q, ((double[]){0, -5}), 2 * sizeof(double));
    assert_memory_equal(file->problem.lo, ((double[]){-HUGE_VAL, -1}), 2 * sizeof(double));
    assert_memory_equal(file->problem.hi, ((double[]){HUGE_VAL, 1}), 2 * sizeof(double));
    tact_lcp_file_destroy(file);

    assert_int_equal(tact_lcp_read_mtx(M, q, NULL, NULL, &file), TACT_OK);
    assert_int_equal(file->kind, TACT_LCP_KIND_LCP);
    assert_null(file->problem.hi);
    tact_lcp_file_destroy(file);

    file = NULL;
    assert_int_equal(tact_lcp_read_mtx(M, M, NULL, NULL, &file), TACT_BAD_INPUT);
    tact_scratch_said("is 2 x 2, but M is 2 x 2");
    assert_int_equal(tact_lcp_read_mtx(q, q, NULL, NULL, &file), TACT_BAD_INPUT);
    tact_scratch_said("M is 1 x 2, not square");
    assert_int_equal(tact_lcp_read_mtx(M, q, hi, lo, &file), TACT_BAD_INPUT);
    tact_scratch_said("bounds 0: [inf, -inf] is not an interval");
    assert_int_equal(tact_lcp_read_mtx(M, lo, NULL, NULL, &file), TACT_BAD_INPUT);
    tact_scratch_said("is infinite");
    assert_int_equal(tact_lcp_read_mtx(M, "/not/there", NULL, NULL, &file), TACT_IO_ERROR);
    assert_null(file);
}

// ---------------------------------------------------------------------------------------------
// Writing

static const double hard[] = {0.1,
                              -0.0,
                              1.0 / 3.0,
                              DBL_MIN,
                              DBL_TRUE_MIN,
                              DBL_MAX,
                              -1e-300,
                              1 + DBL_EPSILON,
                              -123456789.123456789};

static void what_is_written_is_read_back_to_the_bit(void **state)
{
    (void)state;
    const double   lo[] = {-HUGE_VAL, 0, -0.1};
    TactLcpFile   *file = NULL;
    int            row_start[] = {0, 2, 2, 3};
    int            column[] = {0, 2, 1};
    TactLcpCsr     csr = {row_start, column, hard + 2};
    TactLcpProblem problem = {.n = 3, .M = hard, .q = hard + 3, .lo = lo};
    for (int sparse = 0; sparse < 2; sparse++) {
        problem.M = sparse ? NULL : hard;
        problem.M_csr = sparse ? &csr : NULL;
        assert_int_equal(tact_lcp_write_mtx(&problem, tact_scratch_path("p")), TACT_OK);
        assert_int_equal(
            tact_lcp_read_mtx(tact_scratch_path("p_M.mtx"), tact_scratch_path("p_q.mtx"),
                              tact_scratch_path("p_lo.mtx"), tact_scratch_path("p_hi.mtx"), &file),
            TACT_OK);
        if (sparse) {
            assert_memory_equal(file->problem.M_csr->row_start, row_start, sizeof row_start);
            assert_memory_equal(file->problem.M_csr->column, column, sizeof column);
            assert_memory_equal(file->problem.M_csr->value, hard + 2, 3 * sizeof(double));
        } else {
            assert_memory_equal(file->problem.M, hard, 9 * sizeof(double));
        }
        assert_memory_equal(file->problem.q, hard + 3, 3 * sizeof(double));
        assert_memory_equal(file->problem.lo, lo, 3 * sizeof(double));
        for (int i = 0; i < 3; i++) {
            assert_true(file->problem.hi[i] == HUGE_VAL);
        }
        tact_lcp_file_destroy(file);
    }
}

static void a_comma_as_decimal_point_changes_nothing(void **state)
{
    (void)state;
    static const char *const name[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool                     found = false;
    for (int i = 0; i < 4 && !found; i++) {
        found = setlocale(LC_ALL, name[i]) && strcmp(localeconv()->decimal_point, ",") == 0;
    }
    if (!found) {
        printf("skipped: no locale with a decimal comma is installed\n");
        return;
    }
    const char *path = tact_scratch_path("comma.mtx");
    assert_int_equal(tact_mtx_write(path, 1, 1, (double[]){1.5}), TACT_OK);
    char written[32];
    snprintf(written, sizeof written, "%.1f", 1.5); // the caller's locale is left as it was
    assert_string_equal(written, "1,5");
    char *text = tact_scratch_read(path);
    assert_non_null(strstr(text, "\n1.5\n"));
    free(text);
    expect(HEAD "array real general\n1 1\n1.5\n", 1, 1, (double[]){1.5});
    setlocale(LC_ALL, "C");
}

static void nothing_is_lost_when_writing_fails(void **state)
{
    (void)state;
    const double value = 1;
    assert_int_equal(tact_mtx_write("/not/there/z.mtx", 1, 1, &value), TACT_IO_ERROR);
    tact_scratch_said("/not/there/z.mtx: cannot be written: No such file or directory");
    assert_int_equal(tact_mtx_write(tact_scratch_path("."), 1, 1, &value), TACT_IO_ERROR);
    tact_scratch_said("Is a directory");
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(tact_mtx_write("/dev/full", 1, 1, &value), TACT_IO_ERROR);
        tact_scratch_said("/dev/full: cannot be written: No space left on device");
        struct stat about;
        assert_int_equal(stat("/dev/full", &about), 0);
        assert_true(S_ISCHR(about.st_mode));
    }
    assert_int_equal(tact_mtx_write(NULL, 1, 1, &value), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_mtx_write("x", -1, 1, &value), TACT_BAD_ARGUMENT);
}

static void a_file_is_replaced_as_a_whole_and_a_link_stays_one(void **state)
{
    (void)state;
    const char *path = tact_scratch_write("real.mtx", "precious");
    const char *link = tact_scratch_path("link.mtx");
    assert_int_equal(symlink(path, link), 0);
    int before = tact_scratch_count();
    assert_int_equal(tact_mtx_write(link, 1, 1, (double[]){2}), TACT_OK);
    assert_int_equal(tact_scratch_count(), before); // no draft is left
    struct stat about;
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    char *text = tact_scratch_read(path);
    assert_string_equal(text, HEAD "array real general\n1 1\n2\n");
    free(text);
}

static void what_has_no_place_in_the_files_is_refused(void **state)
{
    (void)state;
    TactLcpProblem problem = {.n = 2,
                              .M = (double[]){1, 0, 0, 1},
                              .q = (double[]){1, 1},
                              .hi = (double[]){1, 1},
                              .f_index = (int[]){-1, 0}};
    assert_int_equal(tact_lcp_write_mtx(&problem, tact_scratch_path("f")), TACT_UNSUPPORTED);
    problem.f_index = NULL;
    problem.q = (double[]){1, NAN};
    assert_int_equal(tact_lcp_write_mtx(&problem, tact_scratch_path("f")), TACT_BAD_INPUT);
    assert_int_not_equal(access(tact_scratch_path("f_M.mtx"), F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_read_column_by_column),
        cmocka_unit_test(entries_count_from_one),
        cmocka_unit_test(one_triangle_stands_for_two),
        cmocka_unit_test(bad_files_are_named_with_their_line),
        cmocka_unit_test(a_size_that_the_file_cannot_hold_takes_no_memory),
        cmocka_unit_test(every_truncation_is_survived),
        cmocka_unit_test(four_files_make_a_problem),
        cmocka_unit_test(what_is_written_is_read_back_to_the_bit),
        cmocka_unit_test(a_comma_as_decimal_point_changes_nothing),
        cmocka_unit_test(nothing_is_lost_when_writing_fails),
        cmocka_unit_test(a_file_is_replaced_as_a_whole_and_a_link_stays_one),
        cmocka_unit_test(what_has_no_place_in_the_files_is_refused),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
