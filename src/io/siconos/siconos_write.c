// Writing Siconos's text files; siconos.c and contact_siconos.c say what stands where in them.
//
// Numbers have 17 digits, which a double survives to the bit, in sparse matrices too, which Siconos
// itself prints with six. A Delassus matrix is written in blocks of one contact by another, those
// that are zero left out; M and H of a global problem, and the matrix of a sparse LCP, as triplets.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <tact/io.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/output.h"
#include "io/problem/problem.h"

enum { DENSE = 0, SPARSE_BLOCK = 1, SPARSE = 2, TRIPLET = 1 };

// ---------------------------------------------------------------------------------------------
// Matrices and vectors

static void put_vector(FILE *file, const double *values, size_t count)
{
    for (size_t i = 0; i < count && !ferror(file); i++) {
        fprintf(file, "%.16e%c", values[i], i + 1 < count ? ' ' : '\n');
    }
}

/// A printed line is a column.
static void put_dense(FILE *file, int n, const double *M)
{
    fprintf(file, "%d\n%d\n%d\n%d\t%d\n", DENSE, n, n, n, n);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n && !ferror(file); i++) {
            fprintf(file, "%.16e%c", M[(size_t)i * (size_t)n + (size_t)j], i + 1 < n ? ' ' : '\n');
        }
    }
}

/// "3-by-3 ..." is read by Siconos; the line above it says anything.
static void put_triplet_head(FILE *file, int rows, int columns, size_t count)
{
    fprintf(file, "%d\n%d\n%d\n%d\n", SPARSE, rows, columns, TRIPLET);
    fprintf(file, "CSparse Version 3.2.0, with all digits\n");
    fprintf(file, "triplet: %d-by-%d, nzmax: %zu nnz: %zu\n", rows, columns, count, count);
}

static void put_list(FILE *file, const TactMatrix *matrix)
{
    put_triplet_head(file, matrix->rows, matrix->columns, matrix->count);
    for (size_t k = 0; k < matrix->count && !ferror(file); k++) {
        const TactEntry *entry = &matrix->entry[k];
        fprintf(file, "    %d %d : %.16e\n", entry->row, entry->column, entry->value);
    }
}

static void put_csr(FILE *file, int n, const TactLcpCsr *M)
{
    put_triplet_head(file, n, n, n > 0 ? (size_t)M->row_start[n] : 0);
    for (int i = 0; i < n && !ferror(file); i++) {
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            fprintf(file, "    %d %d : %.16e\n", i, M->column[k], M->value[k]);
        }
    }
}

static void put_lcp_matrix(FILE *file, const TactLcpProblem *problem)
{
    if (problem->M_csr) {
        put_csr(file, problem->n, problem->M_csr);
    } else {
        put_dense(file, problem->n, problem->M);
    }
}

// ---------------------------------------------------------------------------------------------
// Sparse block

/// Is the block of contact i by contact j to be written? Those on the diagonal always.
static bool has_block(const TactMatrix *W, int d, int i, int j)
{
    size_t n = (size_t)W->rows;
    for (int r = 0; r < d; r++) {
        const double *row = W->dense + (size_t)(d * i + r) * n + (size_t)d * (size_t)j;
        for (int c = 0; c < d; c++) {
            if (row[c] != 0) {
                return true;
            }
        }
    }
    return i == j;
}

static void put_ends(FILE *file, int count, int d)
{
    for (int i = 1; i <= count; i++) {
        fprintf(file, "%d%c", d * i, i < count ? ' ' : '\n');
    }
}

static void put_pattern(FILE *file, const TactMatrix *W, int d, const int *start)
{
    int count = W->rows / d;
    fprintf(file, "%d\n%d\n%d\n%d\n%d\n%d\n", SPARSE_BLOCK, W->rows, W->rows, start[count], count,
            count);
    put_ends(file, count, d);
    put_ends(file, count, d);
    fprintf(file, "%d\n%d\n", count + 1, start[count]);
    for (int i = 0; i <= count; i++) {
        fprintf(file, "%d%c", start[i], i < count ? ' ' : '\n');
    }
    for (int i = 0, k = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            if (has_block(W, d, i, j)) {
                fprintf(file, "%d%c", j, ++k < start[count] ? ' ' : '\n');
            }
        }
    }
}

/// Block after block: its number, then its columns.
static void put_blocks(FILE *file, const TactMatrix *W, int d)
{
    int    count = W->rows / d;
    size_t n = (size_t)W->rows;
    for (int i = 0, k = 0; i < count; i++) {
        for (int j = 0; j < count && !ferror(file); j++) {
            if (!has_block(W, d, i, j)) {
                continue;
            }
            fprintf(file, "%d\n", k++);
            for (int c = d * j; c < d * (j + 1); c++) {
                for (int r = d * i; r < d * (i + 1); r++) {
                    fprintf(file, "%.16e\n", W->dense[(size_t)r * n + (size_t)c]);
                }
            }
        }
    }
}

/// W as a list, in which the d x d entries of a block follow each other, row after row of blocks.
static TactStatus put_listed_blocks(FILE *file, const TactMatrix *W, int d)
{
    int    count = W->rows / d;
    size_t each = (size_t)(d * d), blocks = W->count / each;
    if (blocks > INT_MAX) {
        return tact_fail(TACT_UNSUPPORTED, "Siconos's files have no place for %zu blocks", blocks);
    }
    fprintf(file, "%d\n%d\n%d\n%zu\n%d\n%d\n", SPARSE_BLOCK, W->rows, W->rows, blocks, count,
            count);
    put_ends(file, count, d);
    put_ends(file, count, d);
    fprintf(file, "%d\n%zu\n0", count + 1, blocks);
    size_t k = 0;
    for (int i = 0; i < count; i++) {
        while (k < blocks && W->entry[each * k].row / d == i) {
            k++;
        }
        fprintf(file, " %zu", k);
    }
    for (k = 0; k < blocks; k++) {
        fprintf(file, "%c%d", k > 0 ? ' ' : '\n', W->entry[each * k].column / d);
    }
    fputc('\n', file);
    for (k = 0; k < blocks && !ferror(file); k++) {
        fprintf(file, "%zu\n", k);
        for (int e = 0; e < d * d; e++) { // its columns
            fprintf(file, "%.16e\n", W->entry[each * k + (size_t)(d * (e % d) + e / d)].value);
        }
    }
    return TACT_OK;
}

static TactStatus put_sparse_block(FILE *file, const TactMatrix *W, int d)
{
    if (!W->dense) {
        return put_listed_blocks(file, W, d);
    }
    int   count = W->rows / d;
    void *block;
    TACT_TRY(tact_allocate((size_t)count + 1, sizeof(int), &block));
    int *start = block;
    start[0] = 0;
    for (int i = 0; i < count; i++) {
        start[i + 1] = start[i];
        for (int j = 0; j < count; j++) {
            start[i + 1] += has_block(W, d, i, j);
        }
    }
    put_pattern(file, W, d, start);
    put_blocks(file, W, d);
    tact_release(start);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// LCPs

static bool is_free(const TactLcpProblem *problem, int i)
{
    return problem->lo && problem->lo[i] == -HUGE_VAL;
}

/// Siconos has variables >= 0 and free ones, and no other bounds.
static TactStatus check_bounds(const TactLcpProblem *problem, int *free_count)
{
    *free_count = 0;
    if (problem->f_index) {
        return tact_fail(TACT_UNSUPPORTED, "Siconos's files have no place for friction indices");
    }
    for (int i = 0; i < problem->n; i++) {
        double lo = problem->lo ? problem->lo[i] : 0;
        double hi = problem->hi ? problem->hi[i] : HUGE_VAL;
        if (hi != HUGE_VAL || (lo != 0 && lo != -HUGE_VAL)) {
            return tact_fail(TACT_UNSUPPORTED,
                             "variable %d: its bounds are %g and %g, and Siconos's files have "
                             "only 0 and inf, or -inf and inf",
                             i, lo, hi);
        }
        *free_count += is_free(problem, i);
    }
    return TACT_OK;
}

/// Ends of the runs of free and of other variables, then a flag for each: 1 for complementarity.
static void put_runs(FILE *file, const TactLcpProblem *problem)
{
    fprintf(file, "0");
    for (int i = 1; i <= problem->n; i++) {
        if (i == problem->n || is_free(problem, i) != is_free(problem, i - 1)) {
            fprintf(file, " %d", i);
        }
    }
    fprintf(file, "\n");
    for (int i = 0; i < problem->n; i++) {
        if (i == 0 || is_free(problem, i) != is_free(problem, i - 1)) {
            fprintf(file, "%d ", !is_free(problem, i));
        }
    }
    fprintf(file, "\n");
}

TactStatus tact_lcp_write_dat(const TactLcpProblem *problem, const char *path)
{
    int free_count;
    if (!path) {
        return tact_fail(TACT_BAD_ARGUMENT, "path is NULL");
    }
    TACT_TRY(tact_lcp_check(problem));
    TACT_TRY(check_bounds(problem, &free_count));
    TactOutput output;
    TACT_TRY(tact_output_open(&output, path));
    if (free_count > 0) {
        fprintf(output.stream, "1\n0\n%d\n%d\n", free_count, problem->n - free_count);
        put_runs(output.stream, problem);
    } else {
        fprintf(output.stream, "%d\n", problem->n);
    }
    put_lcp_matrix(output.stream, problem);
    put_vector(output.stream, problem->q, (size_t)problem->n);
    return tact_output_close(&output);
}

// ---------------------------------------------------------------------------------------------
// Friction problems

static TactStatus put_friction(FILE *file, const TactContactProblem *problem,
                               const TactFrictionMatrices *friction)
{
    size_t count = (size_t)problem->contact_count;
    fprintf(file, "%d\n%d\n", friction->dimension, problem->contact_count);
    if (tact_contact_has_W(problem)) {
        TACT_TRY(put_sparse_block(file, &friction->W, friction->dimension));
        put_vector(file, friction->q, (size_t)friction->W.rows);
    } else {
        put_list(file, &friction->M);
        put_list(file, &friction->H);
        put_vector(file, friction->f, (size_t)friction->M.rows);
        put_vector(file, friction->w, (size_t)friction->H.columns);
    }
    put_vector(file, friction->mu, count);
    if (friction->mu_roll) {
        put_vector(file, friction->mu_roll, count);
    }
    return TACT_OK;
}

TactStatus tact_contact_write_dat(const TactContactProblem *problem, const char *path)
{
    TactFrictionMatrices friction;
    TactOutput           output;
    if (!path) {
        return tact_fail(TACT_BAD_ARGUMENT, "path is NULL");
    }
    TACT_TRY(tact_contact_check(problem));
    if (problem->row_count > 0) {
        return tact_fail(TACT_UNSUPPORTED,
                         "Siconos's text files have no rows of joints; write .hdf5 or .json");
    }
    TACT_TRY(tact_friction_make(problem, "a Siconos file", &friction));
    TactStatus status = tact_output_open(&output, path);
    if (status == TACT_OK) {
        status = put_friction(output.stream, problem, &friction);
        if (status == TACT_OK) {
            status = tact_output_close(&output);
        } else {
            tact_output_discard(&output);
        }
    }
    tact_friction_destroy(&friction);
    return status;
}
