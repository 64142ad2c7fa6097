// Operations on blocks of six rows, and what one column of a block LU takes from another: for the
// files block_lu*.c, in clones.
#ifndef TACT_LINALG_BLOCK_LU_BLOCK_LU_KERNELS_H
#define TACT_LINALG_BLOCK_LU_BLOCK_LU_KERNELS_H

#include <math.h>

#include "linalg/block_lu/block_lu.h"

enum { ROWS = TACT_BLOCK_ROWS, STRIDE = TACT_BLOCK_STRIDE, SIZE = TACT_BLOCK_SIZE };

#define INLINE __attribute__((always_inline)) static inline

/// A row of a block.
typedef double Row __attribute__((vector_size(64), aligned(8), may_alias));

#define ROW(block, r) (*(Row *)((block) + (r)*STRIDE))
#define CONST_ROW(block, r) (*(const Row *)((block) + (r)*STRIDE))

/// Rows of a block, in registers.
INLINE void load_rows(const double *B, Row rows[ROWS])
{
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++) {
        rows[r] = CONST_ROW(B, r);
    }
}

/// C -= A B
INLINE void subtract_rows(double *restrict C, const double *A, const Row B[ROWS])
{
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++) {
        const double *a = A + r * STRIDE;
        Row           sum = a[0] * B[0];
#pragma GCC unroll 8
        for (int q = 1; q < ROWS; q++) {
            sum += a[q] * B[q];
        }
        ROW(C, r) -= sum;
    }
}

INLINE void subtract_product(double *restrict C, const double *A, const double *B)
{
    Row rows[ROWS];
    load_rows(B, rows);
    subtract_rows(C, A, rows);
}

/// A <- A B
INLINE void multiply(double *A, const double *B)
{
    for (int r = 0; r < ROWS; r++) {
        const double *a = A + r * STRIDE;
        Row           sum = a[0] * CONST_ROW(B, 0);
        for (int q = 1; q < ROWS; q++) {
            sum += a[q] * CONST_ROW(B, q);
        }
        ROW(A, r) = sum;
    }
}

/// In place, by Gauss-Jordan, in registers; false if a pivot is 0 or not finite.
INLINE bool invert(double *A)
{
    Row  a[ROWS];
    bool good = true;
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++) {
        a[r] = ROW(A, r);
    }
#pragma GCC unroll 8
    for (int k = 0; k < ROWS; k++) {
        double pivot = a[k][k];
        good = good && pivot != 0 && isfinite(pivot);
        a[k][k] = 1;
        a[k] *= 1 / pivot;
#pragma GCC unroll 8
        for (int r = 0; r < ROWS; r++) {
            if (r != k) {
                double factor = a[r][k];
                a[r][k] = 0;
                a[r] -= factor * a[k];
            }
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++) {
        ROW(A, r) = a[r];
    }
    return good;
}

/// What column k takes from column j, b being the pair of the two:
///
///     A_jj -= L_jk A_kj,    A_ij -= L_ik A_kj,    A_ji -= L_jk A_ki
///
/// Rows of column k below j are among those of column j: one walk finds them.
INLINE void subtract_column(const TactBlockLu *lu, int k, size_t b, int j)
{
    const double *L_jk = lu->lower + b * SIZE, *U_kj = lu->upper + b * SIZE;
    const int    *row = lu->row;
    size_t        at = lu->start[j], end = lu->start[k + 1];
    Row           U[ROWS];
    load_rows(U_kj, U);
    subtract_rows(lu->diagonal + (size_t)j * SIZE, L_jk, U);
    for (size_t a = b + 1; a < end; a++, at++) {
        while (row[at] != row[a]) {
            at++;
        }
        subtract_rows(lu->lower + at * SIZE, lu->lower + a * SIZE, U);
        subtract_product(lu->upper + at * SIZE, L_jk, lu->upper + a * SIZE);
    }
}

INLINE double dot6(const double *a, const double *x)
{
    return ((a[0] * x[0] + a[1] * x[1]) + (a[2] * x[2] + a[3] * x[3])) +
           (a[4] * x[4] + a[5] * x[5]);
}

/// y -= A x
INLINE void subtract_block(const double *A, const double *x, double *y)
{
    for (int r = 0; r < ROWS; r++) {
        y[r] -= dot6(A + r * STRIDE, x);
    }
}

/// Parts of the way back of a solve, once the shape is there.
void tact_block_lu_divide(TactBlockLu *lu);

/// Right-hand sides by places, in lu->x, and back.                                    x: (6 n)
void tact_block_lu_gather(const TactBlockLu *lu, const double *x);
void tact_block_lu_scatter(const TactBlockLu *lu, double *x);

/// The second half of a solve, of lu->x.
void tact_block_lu_solve_back(const TactBlockLu *lu, TactThreads *threads);

#endif
