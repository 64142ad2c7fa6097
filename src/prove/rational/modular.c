#include "prove/rational/modular.h"

#include <string.h>

#include "base/memory.h"

TactStatus tact_modular_create(int rows, int columns, TactModular *modular)
{
    size_t     least = (size_t)(rows < columns ? rows : columns) + 1;
    void      *block[5] = {NULL};
    TactStatus status = TACT_OK;
    size_t counts[5] = {(size_t)rows * (size_t)columns + 1, least * least, least, (size_t)rows + 1,
                        (size_t)columns + 1};
    for (int i = 0; i < 5 && status == TACT_OK; i++) {
        status = tact_allocate(counts[i], i < 3 ? sizeof(uint64_t) : sizeof(int), &block[i]);
    }
    *modular = (TactModular){.rows = rows,
                             .columns = columns,
                             .a = block[0],
                             .lu = block[1],
                             .pivot = block[2],
                             .row = block[3],
                             .column = block[4]};
    return status;
}

void tact_modular_destroy(TactModular *modular)
{
    tact_release(modular->a);
    tact_release(modular->lu);
    tact_release(modular->pivot);
    tact_release(modular->row);
    tact_release(modular->column);
    *modular = (TactModular){0};
}

/// x^(p - 2), Fermat.
static uint64_t invert(uint64_t x)
{
    uint64_t power = x, result = 1;
    for (uint64_t e = TACT_MODULAR_PRIME - 2; e > 0; e >>= 1) {
        if (e & 1) {
            result = tact_modular_multiply(result, power);
        }
        power = tact_modular_multiply(power, power);
    }
    return result;
}

/// Clears the column below the pivot in the rows from k + 1 on.
static void eliminate(TactModular *modular, const int *order, int at, int k)
{
    size_t          columns = (size_t)modular->columns;
    int             column = order ? order[at] : at;
    const uint64_t *from = modular->a + (size_t)modular->row[k] * columns;
    for (int i = k + 1; i < modular->rows; i++) {
        uint64_t *row = modular->a + (size_t)modular->row[i] * columns;
        if (row[column] == 0) {
            continue;
        }
        uint64_t factor = tact_modular_multiply(row[column], modular->pivot[k]);
        uint64_t minus = TACT_MODULAR_PRIME - factor;
        row[column] = factor;
        for (int j = at + 1; j < modular->columns; j++) {
            int c = order ? order[j] : j;
            if (from[c] != 0) {
                row[c] = tact_modular_reduce((TactWord128)minus * from[c] + row[c]);
            }
        }
    }
}

void tact_modular_factor(TactModular *modular, const int *column_order, const int *row_order)
{
    int skipped = modular->columns;
    modular->rank = 0;
    for (int i = 0; i < modular->rows; i++) {
        modular->row[i] = row_order ? row_order[i] : i;
    }
    for (int at = 0; at < modular->columns; at++) {
        int column = column_order ? column_order[at] : at, k = modular->rank, i = k;
        while (i < modular->rows &&
               modular->a[(size_t)modular->row[i] * (size_t)modular->columns + (size_t)column] ==
                   0) {
            i++;
        }
        if (i == modular->rows) {
            modular->column[--skipped] = column;
            continue;
        }
        // The rows between keep their order.
        int row = modular->row[i];
        memmove(modular->row + k + 1, modular->row + k, (size_t)(i - k) * sizeof(int));
        modular->row[k] = row;
        modular->column[k] = column;
        modular->rank++;
        modular->pivot[k] =
            invert(modular->a[(size_t)row * (size_t)modular->columns + (size_t)column]);
        eliminate(modular, column_order, at, k);
    }
    size_t rank = (size_t)modular->rank;
    for (size_t i = 0; i < rank; i++) {
        const uint64_t *row = modular->a + (size_t)modular->row[i] * (size_t)modular->columns;
        for (size_t j = 0; j < rank; j++) {
            modular->lu[i * rank + j] = row[modular->column[j]];
        }
    }
}

/// sum of a_j x_j, in parts that do not overflow: each product is below 2^122.
static uint64_t dot(const uint64_t *a, const uint64_t *x, int count)
{
    uint64_t sum = 0;
    for (int j = 0; j < count; j += 32) {
        TactWord128 part = sum;
        int         end = count < j + 32 ? count : j + 32;
        for (int i = j; i < end; i++) {
            part += (TactWord128)a[i] * x[i];
        }
        sum = tact_modular_reduce(part);
    }
    return sum;
}

void tact_modular_solve(const TactModular *modular, uint64_t *x)
{
    int rank = modular->rank;
    for (int i = 0; i < rank; i++) {
        uint64_t known = dot(modular->lu + (size_t)i * (size_t)rank, x, i);
        x[i] = x[i] >= known ? x[i] - known : x[i] + TACT_MODULAR_PRIME - known;
    }
    for (int i = rank - 1; i >= 0; i--) {
        uint64_t known =
            dot(modular->lu + (size_t)i * (size_t)rank + i + 1, x + i + 1, rank - i - 1);
        uint64_t left = x[i] >= known ? x[i] - known : x[i] + TACT_MODULAR_PRIME - known;
        x[i] = tact_modular_multiply(left, modular->pivot[i]);
    }
}
