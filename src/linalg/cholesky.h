// Cholesky of a small dense symmetric positive semidefinite matrix, row-major, rows ld apart:
//
//     A = U'U,    U upper, in the place of the upper triangle of A.
//
// A row whose pivot is not larger than tol times its diagonal entry depends on those before it: it
// is dropped (its row of U and its pivot become 0), and a solve leaves its unknown at 0. For a
// consistent system that is a solution, a basic one.
#ifndef TACT_LINALG_CHOLESKY_H
#define TACT_LINALG_CHOLESKY_H

/// Factors A in place and returns the rank. Reads both triangles, keeps the lower one.
///   A  (n x n), rows ld apart    work  (n)
int tact_cholesky_factor(int n, double *A, int ld, double tol, double *work);

/// The same by the own kernel, whatever the size; reads the upper triangle only.
int tact_cholesky_factor_small(int n, double *A, int ld, double tol);

/// A x = b; x may be b.                                                              (n)
void tact_cholesky_solve(int n, const double *U, int ld, const double *b, double *x);

#endif
