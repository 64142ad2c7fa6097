// Linear programs in exact rationals by the two-phase simplex method, written apart from the
// library: a second opinion on ranges of forces.
//
//     least of c'x   with   A x = b,   x >= 0
#ifndef TESTS_ORACLE_EXACT_LP_H
#define TESTS_ORACLE_EXACT_LP_H

#include <gmp.h>
#include <stdbool.h>

typedef enum ExactLpEnd { EXACT_LP_FOUND, EXACT_LP_UNBOUNDED, EXACT_LP_INFEASIBLE } ExactLpEnd;

typedef struct ExactLp {
    int    rows, columns;
    mpq_t *A; // (rows x columns)
    mpq_t *b; // (rows)
    mpq_t *c; // (columns)
} ExactLp;

void exact_lp_create(ExactLp *lp, int rows, int columns);
void exact_lp_destroy(ExactLp *lp);

/// A_ij, by row and column.
static inline mpq_t *exact_lp_at(const ExactLp *lp, int row, int column)
{
    return &lp->A[row * lp->columns + column];
}

/// Does not change the program.
ExactLpEnd exact_lp_solve(const ExactLp *lp, mpq_t least);

#endif
