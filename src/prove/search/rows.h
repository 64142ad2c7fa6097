// Rows of numbers of two or four doubles, a part of all of them after the other: the loops that a
// search spends its time in. The same bits on every machine: a sum has four lanes, element i in
// lane i % 4.
#ifndef TACT_PROVE_SEARCH_ROWS_H
#define TACT_PROVE_SEARCH_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "prove/search/four.h"

typedef struct TactRow {
    double *part[4]; // of every number; parts 2 and 3 are NULL if there are two
} TactRow;

static inline TactFour tact_row_get(TactRow row, int i)
{
    if (!row.part[2]) {
        return (TactFour){{row.part[0][i], row.part[1][i], 0, 0}};
    }
    return (TactFour){{row.part[0][i], row.part[1][i], row.part[2][i], row.part[3][i]}};
}

static inline void tact_row_set(TactRow row, int i, TactFour x)
{
    for (int k = 0; k < 4 && row.part[k]; k++) {
        row.part[k][i] = x.x[k];
    }
}

/// Part of a row, or a row of a matrix whose rows stand one after the other.
static inline TactRow tact_row_at(TactRow row, size_t first)
{
    for (int k = 0; k < 4 && row.part[k]; k++) {
        row.part[k] += first;
    }
    return row;
}

/// A row in memory of parts * n doubles.
static inline TactRow tact_row_in(double *memory, size_t n, int parts)
{
    TactRow row = {{NULL, NULL, NULL, NULL}};
    for (int k = 0; k < parts; k++) {
        row.part[k] = memory + (size_t)k * n;
    }
    return row;
}

void tact_row_clear(int n, TactRow row);

/// y += factor x                                                                  (n)
void tact_row_add(int n, TactRow y, TactFour factor, TactRow x);

/// x'y                                                                            (n)
TactFour tact_row_dot(int n, TactRow x, TactRow y);

/// (A, I) becomes (I, A^-1), by Gauss-Jordan; false: A is singular.                   (n x 2n)
bool tact_row_invert(int n, TactRow A);

#endif
