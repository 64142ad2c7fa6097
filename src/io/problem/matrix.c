#include "io/problem/matrix.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"

TactStatus tact_matrix_create_dense(TactMatrix *matrix, int rows, int columns)
{
    void *block;
    TACT_TRY(tact_allocate((size_t)rows * (size_t)columns, sizeof *matrix->dense, &block));
    *matrix = (TactMatrix){.rows = rows, .columns = columns, .dense = block};
    return TACT_OK;
}

TactStatus tact_matrix_create_list(TactMatrix *matrix, int rows, int columns, size_t count)
{
    void *block;
    TACT_TRY(tact_allocate(count, sizeof *matrix->entry, &block));
    *matrix = (TactMatrix){.rows = rows, .columns = columns, .entry = block};
    return TACT_OK;
}

void tact_matrix_destroy(TactMatrix *matrix)
{
    tact_release(matrix->dense);
    tact_release(matrix->entry);
    *matrix = (TactMatrix){0};
}

// ---------------------------------------------------------------------------------------------
// The other triangle

static TactStatus check_triangle(const TactMatrix *matrix, double sign, size_t *fault)
{
    int side = 0; // of the first entry off the diagonal: 1 below, -1 above
    for (size_t k = 0; k < matrix->count; k++) {
        const TactEntry *entry = &matrix->entry[k];
        int              here = (entry->row > entry->column) - (entry->row < entry->column);
        *fault = k;
        if (here == 0 && sign < 0 && entry->value != 0) {
            return tact_fail(TACT_BAD_INPUT, "a skew-symmetric matrix has a zero diagonal");
        }
        if (here != 0 && side != 0 && here != side) {
            return tact_fail(TACT_BAD_INPUT,
                             "a symmetric matrix is given by one triangle, not by parts of both");
        }
        side = side == 0 ? here : side;
    }
    return TACT_OK;
}

TactStatus tact_matrix_mirror(TactMatrix *matrix, double sign, size_t *fault)
{
    TACT_TRY(check_triangle(matrix, sign, fault));
    void *block;
    TACT_TRY(tact_allocate(2 * matrix->count, sizeof *matrix->entry, &block));
    TactEntry *both = block;
    size_t     count = 0;
    for (size_t k = 0; k < matrix->count; k++) {
        TactEntry entry = matrix->entry[k];
        both[count++] = entry;
        if (entry.row != entry.column) {
            both[count++] = (TactEntry){entry.column, entry.row, sign * entry.value};
        }
    }
    tact_release(matrix->entry);
    matrix->entry = both;
    matrix->count = count;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Dense

TactStatus tact_matrix_to_dense(TactMatrix *matrix)
{
    if (matrix->dense) {
        return TACT_OK;
    }
    TactMatrix dense;
    TACT_TRY(tact_matrix_create_dense(&dense, matrix->rows, matrix->columns));
    for (size_t k = 0; k < matrix->count; k++) {
        TactEntry entry = matrix->entry[k];
        dense.dense[(size_t)entry.row * (size_t)dense.columns + (size_t)entry.column] +=
            entry.value;
    }
    tact_matrix_destroy(matrix);
    *matrix = dense;
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Compressed rows

/// Stable counting sort of the entries by row or by column; start has room for size + 1.
static void sort_entries(const TactEntry *from, size_t count, bool by_row, int size, size_t *start,
                         TactEntry *to)
{
    memset(start, 0, ((size_t)size + 1) * sizeof *start);
    for (size_t k = 0; k < count; k++) {
        start[(by_row ? from[k].row : from[k].column) + 1]++;
    }
    for (int i = 0; i < size; i++) {
        start[i + 1] += start[i];
    }
    for (size_t k = 0; k < count; k++) {
        to[start[by_row ? from[k].row : from[k].column]++] = from[k];
    }
}

/// Sorted entries into CSR.
static void compress(const TactMatrix *matrix, const TactEntry *sorted, int *row_start, int *column,
                     double *value, size_t *repeated)
{
    int    used = 0;
    size_t k = 0;
    *repeated = 0;
    for (int i = 0; i < matrix->rows; i++) {
        while (k < matrix->count && sorted[k].row == i) {
            int    j = sorted[k].column;
            double sum = sorted[k++].value;
            while (k < matrix->count && sorted[k].row == i && sorted[k].column == j) {
                sum += sorted[k++].value;
                ++*repeated;
            }
            if (sum != 0) {
                column[used] = j;
                value[used++] = sum;
            }
        }
        row_start[i + 1] = used;
    }
}

static TactStatus dense_entries(const TactMatrix *matrix, TactMatrix *list)
{
    size_t total = (size_t)matrix->rows * (size_t)matrix->columns;
    size_t count = 0;
    for (size_t k = 0; k < total; k++) {
        count += matrix->dense[k] != 0;
    }
    TACT_TRY(tact_matrix_create_list(list, matrix->rows, matrix->columns, count));
    for (size_t k = 0; k < total; k++) {
        if (matrix->dense[k] != 0) {
            list->entry[list->count++] =
                (TactEntry){(int)(k / (size_t)matrix->columns), (int)(k % (size_t)matrix->columns),
                            matrix->dense[k]};
        }
    }
    return TACT_OK;
}

/// The three arrays of a CSR matrix with room for count entries.
static TactStatus create_csr(int rows, size_t count, int **row_start, int **column, double **value)
{
    void      *block[3] = {0};
    TactStatus status = tact_allocate((size_t)rows + 1, sizeof(int), &block[0]);
    if (status == TACT_OK) {
        status = tact_allocate(count, sizeof(int), &block[1]);
    }
    if (status == TACT_OK) {
        status = tact_allocate(count, sizeof(double), &block[2]);
    }
    if (status != TACT_OK) {
        for (int i = 0; i < 3; i++) {
            tact_release(block[i]);
        }
        return status;
    }
    *row_start = block[0];
    *column = block[1];
    *value = block[2];
    return TACT_OK;
}

static TactStatus list_to_csr(const TactMatrix *matrix, TactLcpCsr *csr, size_t *repeated)
{
    if (matrix->count > INT_MAX) {
        return tact_fail(TACT_UNSUPPORTED, "the matrix has %zu entries, more than %d",
                         matrix->count, INT_MAX);
    }
    int        larger = matrix->rows > matrix->columns ? matrix->rows : matrix->columns;
    TactArena  arena = {0};
    size_t    *start = NULL;
    TactEntry *once = NULL;
    TactEntry *twice = NULL;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            TACT_TRY(tact_arena_create(&arena));
        }
        start = tact_arena_take(&arena, (size_t)larger + 1, sizeof *start);
        once = tact_arena_take(&arena, matrix->count, sizeof *once);
        twice = tact_arena_take(&arena, matrix->count, sizeof *twice);
    }
    int       *row_start = NULL;
    int       *column = NULL;
    double    *value = NULL;
    TactStatus status = create_csr(matrix->rows, matrix->count, &row_start, &column, &value);
    if (status == TACT_OK) {
        sort_entries(matrix->entry, matrix->count, false, matrix->columns, start, once);
        sort_entries(once, matrix->count, true, matrix->rows, start, twice);
        compress(matrix, twice, row_start, column, value, repeated);
        *csr = (TactLcpCsr){.row_start = row_start, .column = column, .value = value};
    }
    tact_arena_destroy(&arena);
    return status;
}

TactStatus tact_matrix_to_csr(const TactMatrix *matrix, TactLcpCsr *csr, size_t *repeated)
{
    if (!matrix->dense) {
        return list_to_csr(matrix, csr, repeated);
    }
    TactMatrix list;
    TACT_TRY(dense_entries(matrix, &list));
    TactStatus status = list_to_csr(&list, csr, repeated);
    tact_matrix_destroy(&list);
    return status;
}

// ---------------------------------------------------------------------------------------------
// Order

static TactStatus permute_list(TactMatrix *matrix, const int *order)
{
    void *block;
    TACT_TRY(tact_allocate((size_t)matrix->rows, sizeof(int), &block));
    int *place = block; // the inverse: number i becomes number place[i]
    for (int i = 0; i < matrix->rows; i++) {
        place[order[i]] = i;
    }
    for (size_t k = 0; k < matrix->count; k++) {
        matrix->entry[k].row = place[matrix->entry[k].row];
        matrix->entry[k].column = place[matrix->entry[k].column];
    }
    tact_release(place);
    return TACT_OK;
}

TactStatus tact_matrix_permute(TactMatrix *matrix, const int *order)
{
    if (!matrix->dense) {
        return permute_list(matrix, order);
    }
    size_t     n = (size_t)matrix->rows;
    TactMatrix moved;
    TACT_TRY(tact_matrix_create_dense(&moved, matrix->rows, matrix->columns));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            moved.dense[i * n + j] = matrix->dense[(size_t)order[i] * n + (size_t)order[j]];
        }
    }
    tact_matrix_destroy(matrix);
    *matrix = moved;
    return TACT_OK;
}
