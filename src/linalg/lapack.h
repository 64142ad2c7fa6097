// LAPACK for what is large enough, on our row-major matrices: nothing is copied or allocated, and
// OpenBLAS keeps to the calling thread. Without LAPACK every call says false and changes nothing.
#ifndef TACT_LINALG_LAPACK_H
#define TACT_LINALG_LAPACK_H

#include <stdbool.h>

// From these sizes on LAPACK is faster than the own kernel (docs/theory/linalg.md, measured).
enum { TACT_LAPACK_LU_FROM = 280, TACT_LAPACK_CHOLESKY_FROM = 160 };

/// Loads LAPACK: where a workspace for matrices as large is made, so that work in it takes no
/// memory.
void tact_lapack_prepare(void);

/// P A = L U in place, as in lu.h, whatever the pivots are; perm (n). True if LAPACK did it.
bool tact_lapack_lu(int n, double *A, int ld, int *perm);

/// A = U'U in place, as in cholesky.h. True if LAPACK did it and found A positive definite.
bool tact_lapack_cholesky(int n, double *A, int ld);

#endif
