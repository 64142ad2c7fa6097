// The rows of a matrix that depend on others, and the point of least norm among all that give the
// same sum of rows.
//
//     x* = arg min |x|   with   A' x* = A' x,        x* = x - Z'(Z Z')^-1 Z x (1)
//
// Z has a row for each row of A that others imply, row_d = sum_j y_j row_j: 1 at d, -y_j at j.
#ifndef TACT_LINALG_ROW_SPACE_H
#define TACT_LINALG_ROW_SPACE_H

#include "base/memory.h"

typedef struct TactRowSpace {
    int     count, width;
    int     rank;
    double *rows;   // A, then an orthonormal basis of its rows                  (count x width)
    double *R;      // A = R basis, by rows of A; the basis in the order of pivots (count x count)
    double *length; // of the rows                                               (count)
    double *Z;      // (1)                                                (count - rank x count)
    double *G;      // factor of Z Z'                            (count - rank x count - rank)
    double *t;      // scratch                                                   (count)
    int    *order;  // row at each pivot, then those that depend on them         (count)
} TactRowSpace;

/// Lends the arrays; runs twice (base/memory.h).
void tact_row_space_layout(TactRowSpace *space, int count, int width, TactArena *arena);

/// Factors the matrix in space->rows, whose columns may have any units. Returns how many of its
/// rows depend on others: have a part outside of their span of no more than tol of their length.
int tact_row_space_factor(TactRowSpace *space, double tol);

/// x <- x*                                                                       (count)
void tact_row_space_project(const TactRowSpace *space, double *x);

#endif
