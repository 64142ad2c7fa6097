// LU with partial pivoting of a small dense matrix, row-major, rows ld apart:
//
//     P A = L U,    (P A)_i = A_perm[i],    L unit lower, U upper, both in the place of A.
#ifndef TACT_LINALG_LU_H
#define TACT_LINALG_LU_H

/// Factors A in place. Returns -1, or the first column in which no pivot is larger than
/// pivot_tol * max |A_ij| (then what stands in A is of no use).
///   A     (n x n), rows ld apart    perm  out (n)
int tact_lu_factor(int n, double *A, int ld, int *perm, double pivot_tol);

/// The same by the own kernel, whatever the size; tact_lu_factor() uses it below the size from
/// which LAPACK is faster.
int tact_lu_factor_small(int n, double *A, int ld, int *perm, double pivot_tol);

/// A x = b. b and x do not overlap.                                                 (n)
void tact_lu_solve(int n, const double *LU, int ld, const int *perm, const double *b, double *x);

/// A' x = b. b is destroyed; b and x do not overlap.                                (n)
void tact_lu_solve_transposed(int n, const double *LU, int ld, const int *perm, double *b,
                              double *x);

/// inverse = A^-1.   inverse  out (n x n), rows ld_inverse apart; not the array of LU
void tact_lu_invert(int n, const double *LU, int ld, const int *perm, double *inverse,
                    int ld_inverse);

/// One step of iterative refinement of A x = b, x += A^-1 (b - A x), with the residual summed in
/// double-double against the original matrix. Returns max |dx_i|.
///   A  original, (n x n), rows ld apart    LU  its factor, rows ld apart too
///   b  (n)    x  in and out (n)    work  (2 n)
double tact_lu_refine(int n, const double *A, const double *LU, int ld, const int *perm,
                      const double *b, double *x, double *work);

#endif
