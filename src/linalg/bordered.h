// A small dense matrix of which the leading block is symmetric and positive definite:
//
//     A = | S  B |      S (n x n) = L D L',      the rest by LU with partial pivoting.
//         | C  T |      T - C S^-1 B (m - n)
//
// Row-major, rows ld apart, with room for whole vectors of four, 0 beyond m. Half the work of an LU
// of the whole, and no search for pivots in S. B and C begin at a whole vector: n is a multiple of
// four, unless there are none.
#ifndef TACT_LINALG_BORDERED_H
#define TACT_LINALG_BORDERED_H

/// Factors A in place. Returns -1, or the first pivot that is not larger than smallest: from n on
/// one of those that the LU has exchanged (then what stands in A is of no use). Below the diagonal
/// of S nothing is read, but rows are overwritten there.
///   A  (m x m)    perm  out (m - n)
///   dependent  out: the pivots of S that are too small, each of a row that depends on those before
///              it which are none of them                                          (n)
///   count      out: how many these are; after a NaN there may be more
int tact_bordered_factor(int n, int m, double *A, int ld, int *perm, double smallest,
                         int *dependent, int *count);

/// A x = b, in the place of b, which has room for whole vectors.                    (m)
///   work  (m - n)
void tact_bordered_solve(int n, int m, const double *A, int ld, const int *perm, double *b,
                         double *work);

#endif
