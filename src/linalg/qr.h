// Least squares of least norm by QR with column pivoting, for matrices of any rank:
//
//     A P = Q [R11 R12; 0 0],    [R11 R12] = [T 0] Z,    x = P Z' [T^-1 (Q'b)_1; 0]
//
// Q and Z are products of Householder reflections [Golub, Van Loan, 5.5]. Row-major.
#ifndef TACT_LINALG_QR_H
#define TACT_LINALG_QR_H

/// Doubles and ints that a solve of this size works with.
#define TACT_QR_WORK(m, n) ((m) + 4 * (n))

/// The x of least norm among those of least |A x - b|. Returns the rank: from the first column on
/// that is not longer than tol times the first pivot, all counts as 0.
///   A  (m x n), rows ld apart; destroyed    b  (m); destroyed    x  (n)
///   work  (TACT_QR_WORK(m, n))    perm  (n)
int tact_qr_least(int m, int n, double *A, int ld, double *b, double tol, double *x, double *work,
                  int *perm);

#endif
