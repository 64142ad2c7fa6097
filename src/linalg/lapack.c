#include "linalg/lapack.h"

#include <stddef.h>

#include "base/library.h"

#ifdef TACT_HAVE_LAPACK

// The Fortran symbols, called directly: LAPACKE would allocate to transpose.
void dgetrf_(const int *m, const int *n, double *A, const int *ld, int *ipiv, int *info);
void dpotrf_(const char *uplo, const int *n, double *A, const int *ld, int *info, size_t length);

// Present in OpenBLAS only.
__attribute__((weak)) void openblas_set_num_threads(int count);
__attribute__((weak)) int  openblas_get_num_threads(void);

#define CALLS(X) X(dgetrf_) X(dpotrf_)
#define THREAD_CALLS(X) X(openblas_set_num_threads) X(openblas_get_num_threads)

#ifdef TACT_LAPACK_FILE
TACT_LIBRARY_LATER(lapack, TACT_LAPACK_FILE, CALLS)
TACT_LIBRARY_LATER(threads, TACT_LAPACK_FILE, THREAD_CALLS)
#else
TACT_LIBRARY_LINKED(lapack, CALLS)
TACT_LIBRARY_LINKED(threads, THREAD_CALLS)
#endif

void tact_lapack_prepare(void)
{
    lapack_load();
    threads_load();
}

/// False: there is no LAPACK.
static bool is_ready(void)
{
    if (!lapack_load()) {
        return false;
    }
    if (threads_load() && threads.openblas_set_num_threads && threads.openblas_get_num_threads &&
        threads.openblas_get_num_threads() != 1) {
        threads.openblas_set_num_threads(1);
    }
    return true;
}

/// A := A' in square blocks.
static void transpose(int n, double *A, size_t ld)
{
    enum { BLOCK = 8 };
    for (int i0 = 0; i0 < n; i0 += BLOCK) {
        for (int j0 = 0; j0 <= i0; j0 += BLOCK) {
            for (int i = i0; i < n && i < i0 + BLOCK; i++) {
                for (int j = j0; j < i && j < j0 + BLOCK; j++) {
                    double *a = A + (size_t)i * ld + (size_t)j;
                    double *b = A + (size_t)j * ld + (size_t)i;
                    double  t = *a;
                    *a = *b;
                    *b = t;
                }
            }
        }
    }
}

bool tact_lapack_lu(int n, double *A, int ld, int *perm)
{
    int info;
    if (!is_ready()) {
        return false;
    }
    transpose(n, A, (size_t)ld);
    lapack.dgetrf_(&n, &n, A, &ld, perm, &info);
    transpose(n, A, (size_t)ld);
    // LAPACK lists swaps, from 1: row j with row k >= j. Read from the last to the first, each one
    // exchanges the names j and k in the permutation of the rows after j.
    for (int j = n - 1; j >= 0; j--) {
        int k = perm[j] - 1;
        for (int i = j + 1; i < n; i++) {
            perm[i] = perm[i] == k ? j : perm[i];
        }
        perm[j] = k;
    }
    return true;
}

bool tact_lapack_cholesky(int n, double *A, int ld)
{
    int info;
    if (!is_ready()) {
        return false;
    }
    lapack.dpotrf_("L", &n, A, &ld, &info, 1); // our upper triangle is the lower one of Fortran
    return info == 0;
}

#else

void tact_lapack_prepare(void)
{
}

bool tact_lapack_lu(int n, double *A, int ld, int *perm)
{
    (void)n, (void)A, (void)ld, (void)perm;
    return false;
}

bool tact_lapack_cholesky(int n, double *A, int ld)
{
    (void)n, (void)A, (void)ld;
    return false;
}

#endif
