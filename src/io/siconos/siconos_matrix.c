// MATRIX of Siconos's text files: dense and sparse block storage.
#include <limits.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/status.h"
#include "io/siconos/siconos.h"

// ---------------------------------------------------------------------------------------------
// Dense: "rows columns", then the numbers column by column, so that a printed line is a column.

static TactStatus read_dense(TactText *text, const TactMatrix *size, TactMatrix *matrix)
{
    int rows = size->rows;
    int columns = size->columns;
    int again;
    TACT_TRY(tact_text_int(text, "the number of rows, once more", rows, rows, &again));
    TACT_TRY(tact_text_int(text, "the number of columns, once more", columns, columns, &again));
    size_t count = (size_t)rows * (size_t)columns;
    TACT_TRY(tact_text_holds(text, count, "the dense matrix"));
    TACT_TRY(tact_matrix_create_dense(matrix, rows, columns));
    for (int j = 0; j < columns && rows > 0; j++) {
        char what[48];
        snprintf(what, sizeof what, "column %d of the matrix", j);
        TACT_TRY(tact_text_reals(text, what, (size_t)rows, (size_t)columns, matrix->dense + j));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Sparse block

typedef struct Blocks {
    int  count;       // of blocks
    int  block_rows;  //
    int  block_cols;  //
    int *row_end;     // last row of a block row, exclusive: cumulative      (block_rows)
    int *col_end;     // the same for columns                               (block_cols)
    int  filled_rows; // number of row pointers, at most block_rows + 1
    int *row_start;   // first block of a block row                         (filled_rows)
    int *column;      // block column of a block                            (count)
} Blocks;

static void destroy_blocks(Blocks *blocks)
{
    tact_release(blocks->row_end);
    tact_release(blocks->col_end);
    tact_release(blocks->row_start);
    tact_release(blocks->column);
}

static TactStatus read_ints(TactText *text, const char *what, int count, int hi, int **array)
{
    TACT_TRY(tact_text_holds(text, (size_t)count, what));
    void *block;
    TACT_TRY(tact_allocate((size_t)count, sizeof(int), &block));
    *array = block;
    for (int i = 0; i < count; i++) {
        TACT_TRY(tact_text_int(text, what, 0, hi, &(*array)[i]));
    }
    return TACT_OK;
}

/// Ascending ends, the last of which is the size.
static TactStatus read_ends(TactText *text, const char *what, int count, int size, int **end)
{
    TACT_TRY(read_ints(text, what, count, size, end));
    for (int i = 0; i < count; i++) {
        if (i > 0 && (*end)[i] < (*end)[i - 1]) {
            return tact_text_fail(text, TACT_BAD_INPUT, "%s: %d comes after %d", what, (*end)[i],
                                  (*end)[i - 1]);
        }
    }
    int last = count > 0 ? (*end)[count - 1] : 0;
    if (last != size) {
        return tact_text_fail(text, TACT_BAD_INPUT, "%s: the last is %d, but the matrix has %d",
                              what, last, size);
    }
    return TACT_OK;
}

static TactStatus read_pattern(TactText *text, const TactMatrix *size, Blocks *blocks)
{
    int filled;
    TACT_TRY(tact_text_int(text, "the number of blocks", 0, INT_MAX, &blocks->count));
    TACT_TRY(tact_text_int(text, "the number of block rows", 0, INT_MAX - 1, &blocks->block_rows));
    TACT_TRY(tact_text_int(text, "the number of block columns", 0, INT_MAX, &blocks->block_cols));
    TACT_TRY(
        read_ends(text, "ends of block rows", blocks->block_rows, size->rows, &blocks->row_end));
    TACT_TRY(read_ends(text, "ends of block columns", blocks->block_cols, size->columns,
                       &blocks->col_end));
    TACT_TRY(tact_text_int(text, "the number of row pointers", 1, blocks->block_rows + 1,
                           &blocks->filled_rows));
    TACT_TRY(
        tact_text_int(text, "the number of block indices", blocks->count, blocks->count, &filled));
    TACT_TRY(
        read_ints(text, "a row pointer", blocks->filled_rows, blocks->count, &blocks->row_start));
    for (int i = 0; i < blocks->filled_rows; i++) {
        if (blocks->row_start[i] < (i > 0 ? blocks->row_start[i - 1] : 0) ||
            (i == 0 && blocks->row_start[i] != 0)) {
            return tact_text_fail(text, TACT_BAD_INPUT,
                                  "row pointer %d is %d: they must ascend from 0", i,
                                  blocks->row_start[i]);
        }
    }
    if (blocks->row_start[blocks->filled_rows - 1] != blocks->count) {
        return tact_text_fail(text, TACT_BAD_INPUT,
                              "the row pointers end at %d, but there are %d blocks",
                              blocks->row_start[blocks->filled_rows - 1], blocks->count);
    }
    return read_ints(text, "the block column", filled, blocks->block_cols - 1, &blocks->column);
}

/// How many numbers all blocks have; fails where the file cannot hold them.
static TactStatus count_values(const TactText *text, const Blocks *blocks, size_t *total)
{
    *total = 0;
    for (int i = 0; i + 1 < blocks->filled_rows; i++) {
        size_t rows = (size_t)(blocks->row_end[i] - (i > 0 ? blocks->row_end[i - 1] : 0));
        for (int k = blocks->row_start[i]; k < blocks->row_start[i + 1]; k++) {
            int    j = blocks->column[k];
            size_t columns = (size_t)(blocks->col_end[j] - (j > 0 ? blocks->col_end[j - 1] : 0));
            *total += rows * columns;
            TACT_TRY(tact_text_holds(text, *total, "the sparse block matrix"));
        }
    }
    return TACT_OK;
}

static TactStatus read_block(TactText *text, const Blocks *blocks, int i, int k, TactMatrix *matrix)
{
    int  j = blocks->column[k];
    int  row = i > 0 ? blocks->row_end[i - 1] : 0;
    int  column = j > 0 ? blocks->col_end[j - 1] : 0;
    int  number;
    char what[48];
    TACT_TRY(tact_text_int(text, "the number of the block", k, k, &number));
    snprintf(what, sizeof what, "block %d", k);
    for (int c = column; c < blocks->col_end[j]; c++) {
        for (int r = row; r < blocks->row_end[i]; r++) {
            double value;
            TACT_TRY(tact_text_real(text, what, TACT_FINITE_ONLY, &value));
            matrix->entry[matrix->count++] = (TactEntry){r, c, value};
        }
    }
    return TACT_OK;
}

static TactStatus read_values(TactText *text, const TactMatrix *size, const Blocks *blocks,
                              TactMatrix *matrix)
{
    size_t total;
    TACT_TRY(count_values(text, blocks, &total));
    TACT_TRY(tact_matrix_create_list(matrix, size->rows, size->columns, total));
    for (int i = 0; i + 1 < blocks->filled_rows; i++) {
        for (int k = blocks->row_start[i]; k < blocks->row_start[i + 1]; k++) {
            TACT_TRY(read_block(text, blocks, i, k, matrix));
        }
    }
    return TACT_OK;
}

static TactStatus read_sparse_block(TactText *text, const TactMatrix *size, TactMatrix *matrix)
{
    Blocks     blocks = {0};
    TactStatus status = read_pattern(text, size, &blocks);
    if (status == TACT_OK) {
        status = read_values(text, size, &blocks, matrix);
    }
    destroy_blocks(&blocks);
    return status;
}

// ---------------------------------------------------------------------------------------------
// All storages

TactStatus tact_siconos_matrix(TactText *text, TactMatrix *matrix, int *storage)
{
    TactMatrix size = {0};
    TACT_TRY(tact_text_int(text, "the storage of the matrix (0 dense, 1 sparse block, 2 sparse)", 0,
                           2, storage));
    TACT_TRY(tact_text_int(text, "the number of rows", 0, INT_MAX - 1, &size.rows));
    TACT_TRY(tact_text_int(text, "the number of columns", 0, INT_MAX - 1, &size.columns));
    switch (*storage) {
    case 0: return read_dense(text, &size, matrix);
    case 1: return read_sparse_block(text, &size, matrix);
    default: *matrix = size; return tact_siconos_sparse(text, matrix);
    }
}
