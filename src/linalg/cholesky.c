#include "linalg/cholesky.h"

#include <string.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"
#include "linalg/lapack.h"
#include "linalg/triangular.h"
#include "linalg/vector.h"

// Row j of U, all at once: U_j = (A_j - sum_c U_cj U_c) / U_jj over the rows c < j, in the columns
// from j on.
TACT_LANES_INLINE void eliminate_column(int n, int j, double *A, size_t ld)
{
    double *row = A + (size_t)j * ld + (size_t)j;
    int     c = 0;
    for (; c + 4 <= j; c += 4) {
        const double *U = A + (size_t)c * ld + (size_t)j;
        double        minus[4] = {-U[0], -U[ld], -U[2 * ld], -U[3 * ld]};
        tact_lanes_axpy4(n - j, minus, U, ld, row);
    }
    for (; c < j; c++) {
        const double *U = A + (size_t)c * ld + (size_t)j;
        tact_lanes_axpy(n - j, -U[0], U, row);
    }
}

TACT_CLONES static int factor_columns(int n, double *A, size_t ld, double tol)
{
    int rank = 0;
    for (int j = 0; j < n; j++) {
        double *row = A + (size_t)j * ld + (size_t)j;
        double  smallest = tol * row[0];
        eliminate_column(n, j, A, ld);
        if (row[0] > 0 && row[0] > smallest) {
            double pivot = sqrt(row[0]);
            tact_lanes_scale(n - 1 - j, 1 / pivot, row + 1);
            row[0] = pivot;
            rank++;
        } else {
            memset(row, 0, (size_t)(n - j) * sizeof *row);
        }
    }
    return rank;
}

/// True if LAPACK factored A and no row is to be dropped; otherwise A is as it was.
static bool factor_by_lapack(int n, double *A, size_t ld, double tol, double *diagonal)
{
    if (n < TACT_LAPACK_CHOLESKY_FROM) {
        return false;
    }
    for (int j = 0; j < n; j++) {
        diagonal[j] = A[(size_t)j * (ld + 1)];
    }
    bool fine = tact_lapack_cholesky(n, A, (int)ld);
    for (int j = 0; j < n && fine; j++) {
        double pivot = A[(size_t)j * (ld + 1)];
        fine = pivot * pivot > tol * diagonal[j];
    }
    for (int j = 0; j < n && !fine; j++) {
        A[(size_t)j * (ld + 1)] = diagonal[j];
        for (int i = j + 1; i < n; i++) {
            A[(size_t)j * ld + (size_t)i] = A[(size_t)i * ld + (size_t)j];
        }
    }
    return fine;
}

int tact_cholesky_factor_small(int n, double *A, int ld, double tol)
{
    return factor_columns(n, A, (size_t)ld, tol);
}

int tact_cholesky_factor(int n, double *A, int ld, double tol, double *work)
{
    if (factor_by_lapack(n, A, (size_t)ld, tol, work)) {
        return n;
    }
    return tact_cholesky_factor_small(n, A, ld, tol);
}

// Rows that were dropped are zero, with their pivots: their unknowns are 0, whatever is on the
// right-hand side there.
static void solve_with_dropped_rows(int n, const double *U, size_t ld, double *x)
{
    for (int j = 0; j < n; j++) {
        const double *row = U + (size_t)j * ld + (size_t)j;
        x[j] = row[0] > 0 ? x[j] / row[0] : 0;
        tact_vec_axpy(n - 1 - j, -x[j], row + 1, x + j + 1);
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *row = U + (size_t)j * ld + (size_t)j;
        double        sum = x[j] - tact_vec_dot(n - 1 - j, row + 1, x + j + 1);
        x[j] = row[0] > 0 ? sum / row[0] : 0;
    }
}

void tact_cholesky_solve(int n, const double *U, int ld, const double *b, double *x)
{
    if (x != b && n > 0) {
        memcpy(x, b, (size_t)n * sizeof *x);
    }
    for (int j = 0; j < n; j++) {
        if (!(U[(size_t)j * ((size_t)ld + 1)] > 0)) {
            solve_with_dropped_rows(n, U, (size_t)ld, x);
            return;
        }
    }
    tact_upper_solve_transposed(n, U, ld, x);
    tact_upper_solve(n, U, ld, x);
}
