// Siconos's text files: all storages, both kinds, and what is wrong with bad ones.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scratch.h"
#include "io/siconos_samples.h"

static TactStatus read_string(const char *text, TactLcpFile **file)
{
    return tact_lcp_read_memory("p.dat", text, strlen(text), file);
}

/// Reads a text that must be good, listening.
static TactLcpFile *read_good(const char *text)
{
    TactLcpFile *file = NULL;
    tact_scratch_listen();
    if (read_string(text, &file) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return file;
}

static void expect_bad(const char *text, TactStatus expected, const char *words)
{
    TactLcpFile *file = NULL;
    TactStatus   status = read_string(text, &file);
    if (status != expected) {
        fail_msg("status %s instead of %s for: %s", tact_status_name(status),
                 tact_status_name(expected), text);
    }
    assert_null(file);
    tact_scratch_said(words);
}

static void expect_matrix(TactLcpFile *file, const double *M, const double *q, int n)
{
    TactLcpProblem problem;
    assert_int_equal(tact_lcp_file_get_problem(file, TACT_LCP_STORAGE_DENSE, &problem), TACT_OK);
    assert_int_equal(problem.n, n);
    for (int i = 0; i < n * n; i++) {
        assert_true(problem.M[i] == M[i]);
    }
    for (int i = 0; i < n; i++) {
        assert_true(problem.q[i] == q[i]);
    }
}

// ---------------------------------------------------------------------------------------------
// LCP

static void every_storage_gives_the_same_problem(void **state)
{
    (void)state;
    const char *const text[] = {sample_dense, sample_block,   sample_triplet,
                                sample_csc,   sample_csr_col, sample_csr_row};
    for (int k = 0; k < 6; k++) {
        TactLcpFile *file = read_good(text[k]);
        assert_int_equal(file->kind, TACT_LCP_KIND_LCP);
        assert_int_equal(file->nonzeros, 7);
        assert_true((file->problem.M != NULL) == (k == 0));
        assert_null(file->problem.lo);
        assert_null(file->order);
        assert_int_equal(tact_scratch_warnings(), 0);
        expect_matrix(file, sample_M, sample_q, 3);
        tact_lcp_file_destroy(file);
    }
}

static void half_a_triplet_is_one_triangle_of_a_symmetric_matrix(void **state)
{
    (void)state;
    const double M[] = {4, 2, 2, 5};
    const double q[] = {-1, -1};
    for (int lower = 0; lower < 2; lower++) {
        char text[400];
        snprintf(text, sizeof text,
                 "2\n2\n2\n2\n4\n" CSPARSE "triplet: 2-by-2, nzmax: 3 nnz: 3\n    0 0 : 4\n"
                 "    %d %d : 2\n    1 1 : 5\n-1 -1",
                 lower, 1 - lower);
        TactLcpFile *file = read_good(text);
        expect_matrix(file, M, q, 2);
        tact_lcp_file_destroy(file);
    }
    expect_bad("2\n2\n2\n2\n4\n" CSPARSE "triplet: 2-by-2, nzmax: 4 nnz: 4\n0 0 : 4\n0 1 : 2\n"
               "1 0 : 2\n1 1 : 5\n-1 -1",
               TACT_BAD_INPUT, "both sides of the diagonal");
}

static void repeated_triplets_are_added_up(void **state)
{
    (void)state;
    TactLcpFile *file = read_good("2\n2\n2\n2\n1\n" CSPARSE "triplet: 2-by-2, nzmax: 4 nnz: 4\n"
                                  "1 1 : 5\n0 0 : 4\n1 1 : 0.5\n1 0 : 0\n-1 -1");
    assert_true(tact_scratch_heard("more than once"));
    expect_matrix(file, (double[]){4, 0, 0, 5.5}, (double[]){-1, -1}, 2);
    assert_int_equal(file->nonzeros, 2);
    tact_lcp_file_destroy(file);
}

static void numbers_may_be_broken_over_lines_anyhow(void **state)
{
    (void)state;
    TactLcpFile *file = read_good("\xef\xbb\xbf 3 0\r\n3 3 3 3 4\n\n2 0\t-1 5 8 0 3\v6 -1 2\n-3");
    expect_matrix(file, sample_M, sample_q, 3);
    tact_lcp_file_destroy(file);
}

static void six_printed_digits_are_warned_of(void **state)
{
    (void)state;
    const char *const value[] = {"0.333333", "0.33", "0.33333333333333331"};
    for (int k = 0; k < 3; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "1\n2\n1\n1\n1\n" CSPARSE "triplet: 1-by-1, nzmax: 1 nnz: 1\n    0 0 : %s\n-1",
                 value[k]);
        TactLcpFile *file = read_good(text);
        assert_int_equal(tact_scratch_heard("six digits"), k == 0);
        tact_lcp_file_destroy(file);
    }
}

static void numbers_behind_the_problem_are_warned_of_and_remarks_are_not(void **state)
{
    (void)state;
    TactLcpFile *file = read_good("1\n0\n1\n1\n1 1\n2\n-1\n\n0.5 0\n");
    assert_int_equal(tact_scratch_warnings(), 1);
    assert_true(tact_scratch_heard("p.dat:9: what follows the problem is ignored, from '0.5' on"));
    tact_lcp_file_destroy(file);
    file = read_good("1\n0\n1\n1\n1 1\n2\n-1\n\nfrom a book\n");
    assert_int_equal(tact_scratch_warnings(), 0);
    tact_lcp_file_destroy(file);
}

static void an_empty_problem_is_a_problem(void **state)
{
    (void)state;
    const char *const text[] = {"0 0 0 0 0 0", "0 1 0 0",
                                ("0 2 0 0 1\nCSparse\ntriplet: 0-by-0, "
                                 "nzmax: 0 nnz: 0\n")};
    for (int k = 0; k < 3; k++) {
        TactLcpFile *file = read_good(text[k]);
        assert_int_equal(file->problem.n, 0);
        tact_lcp_file_destroy(file);
    }
}

// ---------------------------------------------------------------------------------------------
// MLCP

static void a_mixed_problem_has_its_free_variables_first(void **state)
{
    (void)state;
    const char *const text[] = {mixed_both, mixed_first, mixed_second, mixed_moved};
    for (int k = 0; k < 4; k++) {
        TactLcpFile *file = read_good(text[k]);
        assert_int_equal(tact_scratch_warnings(), 0);
        assert_int_equal(file->kind, TACT_LCP_KIND_MLCP);
        expect_matrix(file, mixed_M, mixed_q, 3);
        for (int i = 0; i < 3; i++) {
            assert_true(file->problem.lo[i] == (i == 0 ? -HUGE_VAL : 0));
            assert_true(file->problem.hi[i] == HUGE_VAL);
        }
        if (k == 3) {
            assert_memory_equal(file->order, ((int[]){1, 0, 2}), 3 * sizeof(int));
        } else {
            assert_null(file->order);
        }
        tact_lcp_file_destroy(file);
    }
}

static void a_mixed_problem_may_be_sparse_and_out_of_order(void **state)
{
    (void)state;
    TactLcpFile *file = read_good("1\n0\n1\n1\n0 1 2 \n1 0 \n2\n2\n2\n1\n" CSPARSE
                                  "triplet: 2-by-2, nzmax: 3 nnz: 3\n0 0 : 7\n0 1 : 6\n1 1 : 5\n"
                                  "-3 -4 \n");
    assert_non_null(file->problem.M_csr);
    expect_matrix(file, (double[]){5, 0, 6, 7}, (double[]){-4, -3}, 2);
    tact_lcp_file_destroy(file);
}

static void two_storages_that_disagree_are_warned_of(void **state)
{
    (void)state;
    char  text[sizeof mixed_both];
    char *place = strcpy(text, mixed_both) + strlen(mixed_both);
    while (*--place != '9') { // the last number, b_1 = -9
    }
    *place = '8';
    TactLcpFile *file = read_good(text);
    assert_true(tact_scratch_heard("two different problems"));
    expect_matrix(file, mixed_M, (double[]){-7, 8, -8}, 3); // storage2
    tact_lcp_file_destroy(file);
}

static void more_rows_than_unknowns_need_the_second_storage(void **state)
{
    (void)state;
    static const char first[] = "1\n1\n0 1 2 \n0 1 \n0\n3\n2\n3 2\n1 -1 1\n-1 -1 1\n0 1\n";
    char              text[200];
    snprintf(text, sizeof text, "1\n1\n%s1 \n1 \n-1 \n1 \n0 \n-1 ", first);
    TactLcpFile *file = read_good(text);
    assert_true(tact_scratch_heard("storage1 has 3 rows for 2 unknowns"));
    expect_matrix(file, (double[]){1, -1, 1, 1}, (double[]){0, -1}, 2);
    tact_lcp_file_destroy(file);

    snprintf(text, sizeof text, "1\n0\n%s", first);
    expect_bad(text, TACT_UNSUPPORTED, "no square problem");
}

static void one_equation_and_one_complementarity_are_not_an_lcp_with_one_unknown(void **state)
{
    (void)state;
    TactLcpFile *file = read_good("1 0 1 1  0 1 2  0 1  0 2 2 2 2  1 2 3 4  5 6");
    assert_int_equal(file->kind, TACT_LCP_KIND_MLCP);
    assert_int_equal(file->problem.n, 2);
    tact_lcp_file_destroy(file);
    const char *const single[] = {"1 0 1 1 1 1 2 -1",                          // dense
                                  "1 1 1 1  1 1 1  1 1  2 1  0 1  0  0 2  -1", // one block
                                  "1 1 1 1  0 1 1  1 1  2 0  0 0  -1"};        // no block
    for (int k = 0; k < 3; k++) {
        file = read_good(single[k]);
        assert_int_equal(file->kind, TACT_LCP_KIND_LCP);
        assert_int_equal(file->problem.n, 1);
        expect_matrix(file, (double[]){k < 2 ? 2 : 0}, (double[]){-1}, 1);
        tact_lcp_file_destroy(file);
    }
}

// ---------------------------------------------------------------------------------------------
// Bad files

static void a_bad_number_is_named_with_its_line(void **state)
{
    (void)state;
    expect_bad("2\n0\n2\n2\n2 2\n1 0\n0 x\n1 1\n", TACT_BAD_INPUT,
               "p.dat:7: expected number 2 of the 2 of column 1 of the matrix (a number), found "
               "'x'");
    expect_bad("2\n0\n2\n2\n2 2\n1 0\n0 nan\n1 1\n", TACT_BAD_INPUT, "p.dat:7: number 2");
    expect_bad("2\n0\n2\n2\n2 2\n1 0\n0 -nan(7)\n1 1\n", TACT_BAD_INPUT, "NaN");
    expect_bad("2\n0\n2\n2\n2 2\n1 0\n0 inf\n1 1\n", TACT_BAD_INPUT, "is infinite");
    expect_bad("2\n0\n2\n2\n2 2\n1 0\n0 1e999\n1 1\n", TACT_BAD_INPUT, "range of a double");
    expect_bad("2\n0\n2\n2\n2 2\n1 0\n0 1,5\n1 1\n", TACT_BAD_INPUT, "found '1,5'");
    expect_bad("2.0\n0\n2\n2\n2 2\n1 0\n0 1\n1 1\n", TACT_BAD_INPUT, "p.dat:1:");
    expect_bad("2\n0\n2\n2\n2 2\n1 0\n0 1\n1\n", TACT_BAD_INPUT,
               "the file ends where number 2 of the 2 of q");
}

static void sizes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    expect_bad("2\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n", TACT_BAD_INPUT, "3 x 3");
    expect_bad("2\n0\n2\n2\n2 3\n1 0\n0 1\n1 1\n", TACT_BAD_INPUT, "columns, once more is 3");
    expect_bad("2\n7\n2\n2\n2 2\n1 0\n0 1\n1 1\n", TACT_BAD_INPUT, "storage of the matrix");
    expect_bad("-2\n0\n2\n2\n", TACT_BAD_INPUT, "size of the problem");
    expect_bad("99999999999999999999\n", TACT_BAD_INPUT, "size of the problem");
    expect_bad("1\n1\n1\n2\n0 2 3 \n0 1 \n0\n3\n3\n3 3\n1 4 0 2 5 2 3 6 7 -7 8 -9\n" MIXED_2,
               TACT_BAD_INPUT, "more than n = 1 equations");
    expect_bad("1\n0\n2\n0\n0 2 \n2 \n", TACT_BAD_INPUT, "flag of a block");
    expect_bad("1\n0\n2\n0\n0 2 \n1 \n", TACT_BAD_INPUT, "or m = 0 complementarities");
    expect_bad("1\n0\n2\n1\n0 2 2 3\n", TACT_BAD_INPUT, "end of a block of rows");
    expect_bad("0\n1\n1\n1\n1 2\n3 4\n5\n", TACT_BAD_INPUT,
               "p.dat:7: the file ends where number 1 of the 1 of b");
}

static void a_size_that_the_file_cannot_hold_takes_no_memory(void **state)
{
    (void)state;
    expect_bad("2000000000 0 2000000000 2000000000 2000000000 2000000000 1 2 3", TACT_BAD_INPUT,
               "the dense matrix needs 4000000000000000000 numbers");
    expect_bad("2000000000 1 2000000000 2000000000 1 2000000000 1 1", TACT_BAD_INPUT, "needs");
    expect_bad("2000000000 1 2000000000 2000000000 2000000000 1 1 2000000000 2000000000 2 "
               "2000000000 0 2000000000 0 0",
               TACT_BAD_INPUT, "needs 2000000000 numbers");
    expect_bad("2000000000 2 2000000000 2000000000 1\nCSparse\ntriplet: 2000000000-by-2000000000, "
               "nzmax: 1 nnz: 2000000000\n0 0 : 1\n",
               TACT_BAD_INPUT, "the sparse matrix needs");
    expect_bad("2000000000 2 2000000000 2000000000 1\nCSparse\ntriplet: 2000000000-by-2000000000, "
               "nzmax: 1 nnz: 1\n0 0 : 1\n1 2",
               TACT_BAD_INPUT, "q needs 2000000000 numbers");
    expect_bad("1 0 1000000000 1000000000 0 1000000000 2000000000 0 1", TACT_BAD_INPUT,
               "needs 2000000000 numbers");
    expect_bad("0 1 1000000000 1000000000 1", TACT_BAD_INPUT, "A, B, C, D, a, b needs");
    // An empty matrix with many columns takes no time either.
    expect_bad("0 0 0 2147483646 0 2147483646", TACT_BAD_INPUT, "0 x 2147483646");
    // One block, counted often.
    expect_bad("4 1 4 4 3 1 1 4 4 2 3 0 3 0 0 0 0 1 2 3", TACT_BAD_INPUT,
               "the sparse block matrix needs");
}

static void bad_blocks_are_refused(void **state)
{
    (void)state;
    expect_bad("2 1 2 2 1 1 1 3 2 2 1 0 1 0 0 1 2 3 4 5 6", TACT_BAD_INPUT, "is 3");
    expect_bad("2 1 2 2 1 1 1 1 2 2 1 0 1 0 0 1 2 3 4 5 6", TACT_BAD_INPUT, "the last is 1");
    expect_bad("2 1 2 2 1 2 1 2 1 2 2 1 0 1 0 0 1 2 3 4 5", TACT_BAD_INPUT, "1 comes after 2");
    expect_bad("2 1 2 2 1 1 1 2 2 3 1 0 1 0 0 1 2 3 4 5 6", TACT_BAD_INPUT, "row pointers is 3");
    expect_bad("2 1 2 2 1 1 1 2 2 2 2 0 1 0 0 1 2 3 4 5 6", TACT_BAD_INPUT, "block indices is 2");
    expect_bad("2 1 2 2 1 1 1 2 2 2 1 1 1 0 0 1 2 3 4 5 6", TACT_BAD_INPUT, "ascend from 0");
    expect_bad("2 1 2 2 1 1 1 2 2 2 1 0 0 0 0 1 2 3 4 5 6", TACT_BAD_INPUT, "end at 0");
    expect_bad("2 1 2 2 1 1 1 2 2 2 1 0 1 1 0 1 2 3 4 5 6", TACT_BAD_INPUT, "block column is 1");
    expect_bad("2 1 2 2 1 1 1 2 2 2 1 0 1 0 1 1 2 3 4 5 6", TACT_BAD_INPUT, "number of the block");
    expect_bad("2 1 2 2 1 1 0 2 2 2 1 0 1 0 0 1 2 3 4 5 6", TACT_BAD_INPUT, "the last is 0");
}

static void bad_sparse_matrices_are_refused(void **state)
{
    (void)state;
#define SPARSE "2 2 2 2 "
    expect_bad(SPARSE "5\n", TACT_BAD_INPUT, "origin of the sparse matrix");
    expect_bad(SPARSE "1\ntriplet: 2-by-2\n", TACT_BAD_INPUT, "'CSparse Version ...'");
    expect_bad(SPARSE "2\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n", TACT_BAD_INPUT,
               "origin given above");
    expect_bad(SPARSE "1\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\n", TACT_BAD_INPUT,
               "origin given above");
    expect_bad(SPARSE "2\nCSparse\ncsr: 2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\n", TACT_BAD_INPUT,
               "origin given above");
    expect_bad(SPARSE "1\nCSparse\ntriplet: 2-by-3, nzmax: 1 nnz: 1\n", TACT_BAD_INPUT, "2-by-2");
    expect_bad(SPARSE "1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 2 : 1\n1 1", TACT_BAD_INPUT,
               "the column of an entry is 2");
    expect_bad(SPARSE "1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 1 : nan\n1 1",
               TACT_BAD_INPUT, "NaN");
    expect_bad(SPARSE "2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\nrow 0 : locations 0 to 0\n"
                      "0 : 1\n",
               TACT_BAD_INPUT, "expected 'col', found 'row'");
    expect_bad(SPARSE "2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 1 : locations 0 to 0\n",
               TACT_BAD_INPUT, "row or column is 1");
    expect_bad(SPARSE "2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 1\n",
               TACT_BAD_INPUT, "last location is 1");
    expect_bad(SPARSE "2\nCSparse\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to -1\n"
                      "col 1 : locations 0 to -1\n1 1",
               TACT_BAD_INPUT, "nnz is 1, but 0 entries are there");
#undef SPARSE
}

static void other_files_are_told_apart(void **state)
{
    (void)state;
    expect_bad("", TACT_BAD_INPUT, "the file is empty");
    expect_bad(" \n\n", TACT_BAD_INPUT, "the file is empty");
    expect_bad("3 1 0 3 3 3 1 0 0 0 1 0 0 0 1 1 1 1 0.3", TACT_UNSUPPORTED, "friction problem");
    expect_bad("{\"format\": \"tact-contact/1\"}", TACT_UNSUPPORTED, "JSON");
    expect_bad("%%MatrixMarket matrix array real general\n1 1\n1\n", TACT_BAD_INPUT, "M.mtx q.mtx");
    expect_bad("<mujoco/>", TACT_BAD_INPUT, "p.dat:1: expected the size of the problem");
    TactLcpFile *file = NULL;
    assert_int_equal(tact_lcp_read_memory("p.dat", "2\n0\0", 4, &file), TACT_BAD_INPUT);
    tact_scratch_said("p.dat:2: is not a text file");
    assert_int_equal(tact_lcp_read_memory("p.dat", "\x89HDF\r\n\x1a\n\0", 9, &file),
                     TACT_UNSUPPORTED);
    tact_scratch_said("HDF5");
}

static void binary_garbage_is_refused_in_print(void **state)
{
    (void)state;
    char       bytes[4096];
    TactRandom random = tact_random_seed(7);
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            bytes[i] = (char)tact_random_next(&random);
        }
        TactLcpFile *file = NULL;
        TactStatus   status = tact_lcp_read_memory("p.dat", bytes, sizeof bytes, &file);
        assert_true(status == TACT_BAD_INPUT);
        for (const char *c = tact_status_message(); *c; c++) {
            assert_true(*c >= ' ' && *c <= '~');
        }
    }
}

static void paths_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    TactLcpFile *file = NULL;
    assert_int_equal(tact_lcp_read(tact_scratch_path("not-there"), &file), TACT_IO_ERROR);
    tact_scratch_said("not-there: cannot be opened: No such file");
    assert_int_equal(tact_lcp_read(tact_scratch_path("."), &file), TACT_IO_ERROR);
    tact_scratch_said("is a directory");
    assert_int_equal(tact_lcp_read(tact_scratch_write("none.dat", ""), &file), TACT_BAD_INPUT);
    tact_scratch_said("none.dat:1: the file is empty");
    assert_int_equal(tact_lcp_read(NULL, &file), TACT_BAD_ARGUMENT);
    assert_int_equal(tact_lcp_read("x", NULL), TACT_BAD_ARGUMENT);
    assert_null(file);
}

/// A file that ends too early is an error with a line, except where only white space, or only
/// digits of the last number, are missing.
static void every_truncation_is_survived(void **state)
{
    (void)state;
    const char *const text[] = {sample_dense,   sample_block,   sample_triplet, sample_csc,
                                sample_csr_col, sample_csr_row, mixed_both,     mixed_first,
                                mixed_second,   mixed_moved};
    for (int k = 0; k < 10; k++) {
        size_t whole = strlen(text[k]);
        size_t last = whole; // start of the last number
        while (last > 0 && text[k][last - 1] <= ' ') {
            last--;
        }
        while (last > 0 && text[k][last - 1] > ' ') {
            last--;
        }
        for (size_t size = 0; size <= whole; size++) {
            TactLcpFile *file = NULL;
            TactStatus   status = tact_lcp_read_memory("p.dat", text[k], size, &file);
            if (size <= last) {
                assert_int_equal(status, TACT_BAD_INPUT);
                tact_scratch_said("p.dat:");
            }
            if (size == whole) {
                assert_int_equal(status, TACT_OK);
            }
            tact_lcp_file_destroy(file);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_storage_gives_the_same_problem),
        cmocka_unit_test(half_a_triplet_is_one_triangle_of_a_symmetric_matrix),
        cmocka_unit_test(repeated_triplets_are_added_up),
        cmocka_unit_test(numbers_may_be_broken_over_lines_anyhow),
        cmocka_unit_test(six_printed_digits_are_warned_of),
        cmocka_unit_test(numbers_behind_the_problem_are_warned_of_and_remarks_are_not),
        cmocka_unit_test(an_empty_problem_is_a_problem),
        cmocka_unit_test(a_mixed_problem_has_its_free_variables_first),
        cmocka_unit_test(a_mixed_problem_may_be_sparse_and_out_of_order),
        cmocka_unit_test(two_storages_that_disagree_are_warned_of),
        cmocka_unit_test(more_rows_than_unknowns_need_the_second_storage),
        cmocka_unit_test(one_equation_and_one_complementarity_are_not_an_lcp_with_one_unknown),
        cmocka_unit_test(a_bad_number_is_named_with_its_line),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(a_size_that_the_file_cannot_hold_takes_no_memory),
        cmocka_unit_test(bad_blocks_are_refused),
        cmocka_unit_test(bad_sparse_matrices_are_refused),
        cmocka_unit_test(other_files_are_told_apart),
        cmocka_unit_test(binary_garbage_is_refused_in_print),
        cmocka_unit_test(paths_that_cannot_be_read_are_named),
        cmocka_unit_test(every_truncation_is_survived),
    };
    return cmocka_run_group_tests(tests, tact_scratch_setup, tact_scratch_teardown);
}
