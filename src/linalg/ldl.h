// LDL' of a symmetric positive definite matrix that grows and shrinks by a row and column:
//
//     A = L D L',    L unit lower.
//
// L is kept by columns (row j of U = L' holds column j of L), because then the update of a removal,
// the forward solve and the backward solve all run along contiguous memory.
#ifndef TACT_LINALG_LDL_H
#define TACT_LINALG_LDL_H

#include <stdbool.h>

#include "base/memory.h"

typedef struct TactLdl {
    int     capacity;
    int     ld;   // distance of the rows of U
    int     n;    // rows in the factor now
    double *U;    // L', upper triangle without its unit diagonal, zeros behind  (n x n)
    double *d;    // D                                               (n)
    double *inv;  // D^-1                                            (n)
    double *work; // (2 ld)
} TactLdl;

/// Lends the arrays for at most capacity rows out of an arena (memory.h: call it twice).
void tact_ldl_layout(TactLdl *ldl, int capacity, TactArena *arena);

/// The factor of A_index,index: n rows and columns of a symmetric matrix, in the order of index.
/// An index whose pivot is not larger than tol times its diagonal entry depends on those before it
/// and is left out: the first ldl->n entries of index, which is reordered, are those factored.
///   A  rows ld apart; the upper triangle in the order of index is read    index  in and out (n)
void tact_ldl_factor(TactLdl *ldl, int n, const double *A, int ld, int *index, double tol);

/// y = L^-1 a. y may be a.                                                            (n)
void tact_ldl_forward(const TactLdl *ldl, const double *a, double *y);

/// x = L'^-1 D^-1 y. x may be y.                                                      (n)
void tact_ldl_backward(const TactLdl *ldl, const double *y, double *x);

/// A x = b. x may be b.                                                               (n)
void tact_ldl_solve(const TactLdl *ldl, const double *b, double *x);

/// diagonal - y' D^-1 y: what a row with y = L^-1 a and this diagonal entry would have as its pivot
/// (its Schur complement).
double tact_ldl_pivot(const TactLdl *ldl, const double *y, double diagonal);

/// A new last row and column: y = L^-1 a of its entries a, and its pivot.             (n)
void tact_ldl_append(TactLdl *ldl, const double *y, double pivot);

/// A new row and column before the given place (0 <= place <= n). False, and nothing changes, if
/// its pivot as the last row would not be larger than tol * diagonal.
///   a  its entries with the rows there are (n)
bool tact_ldl_insert(TactLdl *ldl, int place, const double *a, double diagonal, double tol);

/// Removes row and column place.
void tact_ldl_remove(TactLdl *ldl, int place);

/// How far updates have taken the factor away from A_index,index: max_i |(A - L D L') v|_i /
/// (|A| |v|)_i for v_j = 1, -1, 1 ... A few units of rounding for a fresh factor. O(n^2).
double tact_ldl_drift(const TactLdl *ldl, const double *A, int ld, const int *index);

#endif
