// Elimination modulo the prime p = 2^61 - 1: which columns and rows of an integer matrix are
// independent, and the factors of the block they share.
//
// Rank modulo p is never above the true rank, so a block that is regular modulo p is regular. That
// a row is not among the chosen ones proves nothing: whoever uses it checks that the row holds.
#ifndef TACT_PROVE_RATIONAL_MODULAR_H
#define TACT_PROVE_RATIONAL_MODULAR_H

#include <stdint.h>
#include <tact/base.h>

#define TACT_MODULAR_PRIME UINT64_C(2305843009213693951)

__extension__ typedef unsigned __int128 TactWord128;

/// x modulo p, for x < 2^128.
static inline uint64_t tact_modular_reduce(TactWord128 x)
{
    uint64_t low = (uint64_t)x & TACT_MODULAR_PRIME;
    uint64_t middle = (uint64_t)(x >> 61) & TACT_MODULAR_PRIME;
    uint64_t sum = low + middle + (uint64_t)(x >> 122);
    sum = (sum & TACT_MODULAR_PRIME) + (sum >> 61);
    return sum >= TACT_MODULAR_PRIME ? sum - TACT_MODULAR_PRIME : sum;
}

static inline uint64_t tact_modular_multiply(uint64_t a, uint64_t b)
{
    return tact_modular_reduce((TactWord128)a * b);
}

typedef struct TactModular {
    int       rows, columns; // of the matrix
    int       rank;
    uint64_t *a;      // in: the matrix; then the multipliers and U       (rows x columns)
    uint64_t *lu;     // L (unit diagonal) and U of the block             (rank x rank)
    uint64_t *pivot;  // 1 / U_kk                                         (rank)
    int      *row;    // row k of the block is this row of the matrix     (rows; the rest follows)
    int      *column; // the same of columns                              (columns)
} TactModular;

TactStatus tact_modular_create(int rows, int columns, TactModular *modular);
void       tact_modular_destroy(TactModular *modular);

/// Factors what stands in a. Columns are tried in the order given, and for each of them rows in the
/// order given: the first that are independent are taken.       (columns), (rows); NULL: 0, 1, 2
void tact_modular_factor(TactModular *modular, const int *column_order, const int *row_order);

/// x = block^-1 x                                                            (rank)
void tact_modular_solve(const TactModular *modular, uint64_t *x);

#endif
