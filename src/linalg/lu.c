#include "linalg/lu.h"

#include "base/clones.h"
#include "linalg/lanes.h"
#include "linalg/lapack.h"
#include "linalg/vector.h"

// ---------------------------------------------------------------------------------------------
// Factor: right-looking, four columns at a time, so that the update of what is left reads and
// writes it once for four pivots.

enum { PANEL = 4 };

typedef struct Lu {
    int     n;
    size_t  ld;
    double *A;
    int    *perm;
    double  smallest; // pivots must be larger
} Lu;

TACT_LANES_INLINE void swap_rows(const Lu *lu, int i, int k)
{
    double *a = lu->A + (size_t)i * lu->ld;
    double *b = lu->A + (size_t)k * lu->ld;
    for (int j = 0; j < lu->n; j++) {
        double t = a[j];
        a[j] = b[j];
        b[j] = t;
    }
    int t = lu->perm[i];
    lu->perm[i] = lu->perm[k];
    lu->perm[k] = t;
}

/// Eliminates column j below row j, in the columns of the panel only (up to end).
TACT_LANES_INLINE int factor_column(const Lu *lu, int j, int end)
{
    double *A = lu->A;
    size_t  ld = lu->ld;
    int     best = -1;
    double  largest = lu->smallest;
    for (int i = j; i < lu->n; i++) {
        double entry = fabs(A[(size_t)i * ld + (size_t)j]);
        if (entry > largest) {
            largest = entry;
            best = i;
        }
    }
    if (best < 0) {
        return j;
    }
    if (best != j) {
        swap_rows(lu, best, j);
    }
    const double *pivot = A + (size_t)j * ld;
    for (int i = j + 1; i < lu->n; i++) {
        double *row = A + (size_t)i * ld;
        double  l = row[j] / pivot[j];
        row[j] = l;
        for (int k = j + 1; k < end; k++) {
            row[k] -= l * pivot[k];
        }
    }
    return -1;
}

/// Applies the pivots of the panel of columns [j, end) to the columns from end on.
TACT_LANES_INLINE void update_rest(const Lu *lu, int j, int end)
{
    double *A = lu->A;
    size_t  ld = lu->ld;
    int     rest = lu->n - end;
    for (int i = j + 1; i < lu->n; i++) {
        double *row = A + (size_t)i * ld;
        int     pivots = i < end ? i - j : end - j;
        double  minus[PANEL];
        for (int k = 0; k < pivots; k++) {
            minus[k] = -row[j + k];
        }
        const double *U = A + (size_t)j * ld + (size_t)end;
        if (pivots == PANEL) {
            tact_lanes_axpy4(rest, minus, U, ld, row + end);
        } else {
            for (int k = 0; k < pivots; k++) {
                tact_lanes_axpy(rest, minus[k], U + (size_t)k * ld, row + end);
            }
        }
    }
}

TACT_CLONES static int factor(const Lu *lu)
{
    for (int j = 0; j < lu->n; j += PANEL) {
        int end = j + PANEL < lu->n ? j + PANEL : lu->n;
        for (int k = j; k < end; k++) {
            int singular = factor_column(lu, k, end);
            if (singular >= 0) {
                return singular;
            }
        }
        update_rest(lu, j, end);
    }
    return -1;
}

static double largest_entry(int n, const double *A, int ld)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double entry = tact_vec_max_abs(n, A + (size_t)i * (size_t)ld);
        largest = entry > largest ? entry : largest;
    }
    return largest;
}

int tact_lu_factor_small(int n, double *A, int ld, int *perm, double pivot_tol)
{
    for (int i = 0; i < n; i++) {
        perm[i] = i;
    }
    Lu lu = {.n = n,
             .ld = (size_t)ld,
             .A = A,
             .perm = perm,
             .smallest = pivot_tol * largest_entry(n, A, ld)};
    return factor(&lu);
}

int tact_lu_factor(int n, double *A, int ld, int *perm, double pivot_tol)
{
    if (n < TACT_LAPACK_LU_FROM) {
        return tact_lu_factor_small(n, A, ld, perm, pivot_tol);
    }
    double smallest = pivot_tol * largest_entry(n, A, ld);
    if (!tact_lapack_lu(n, A, ld, perm)) {
        return tact_lu_factor_small(n, A, ld, perm, pivot_tol);
    }
    for (int j = 0; j < n; j++) {
        if (!(fabs(A[(size_t)j * ((size_t)ld + 1)]) > smallest)) {
            return j;
        }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Solve

TACT_CLONES void tact_lu_solve(int n, const double *LU, int ld, const int *perm, const double *b,
                               double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = b[perm[i]] - tact_lanes_dot(i, LU + (size_t)i * (size_t)ld, x);
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = LU + (size_t)i * (size_t)ld;
        x[i] = (x[i] - tact_lanes_dot(n - 1 - i, row + i + 1, x + i + 1)) / row[i];
    }
}

// A' = U' L' P: the rows of U and L are now the columns, hence axpy instead of dot.
TACT_CLONES void tact_lu_solve_transposed(int n, const double *LU, int ld, const int *perm,
                                          double *b, double *x)
{
    for (int i = 0; i < n; i++) {
        const double *row = LU + (size_t)i * (size_t)ld;
        b[i] /= row[i];
        tact_lanes_axpy(n - 1 - i, -b[i], row + i + 1, b + i + 1);
    }
    for (int i = n - 1; i >= 0; i--) {
        tact_lanes_axpy(i, -b[i], LU + (size_t)i * (size_t)ld, b);
    }
    for (int i = 0; i < n; i++) {
        x[perm[i]] = b[i];
    }
}

// ---------------------------------------------------------------------------------------------
// Inverse: A^-1 = U^-1 L^-1 P

/// Rows first .. first + count - 1 of X, times minus[], onto a row; all of the given length.
TACT_LANES_INLINE void subtract_rows(int length, int count, const double *factor_row,
                                     const double *X, size_t ld, double *row)
{
    int k = 0;
    for (; k + 4 <= count; k += 4) {
        double minus[4] = {-factor_row[k], -factor_row[k + 1], -factor_row[k + 2],
                           -factor_row[k + 3]};
        tact_lanes_axpy4(length, minus, X + (size_t)k * ld, ld, row);
    }
    for (; k < count; k++) {
        tact_lanes_axpy(length, -factor_row[k], X + (size_t)k * ld, row);
    }
}

/// X := X P, where column j of X goes to column perm[j].
static void permute_columns(int n, double *X, size_t ld, const int *perm)
{
    // y[j] = x[perm[j]] is a product of n swaps (j, k); in reverse order they undo it.
    for (int j = n - 1; j >= 0; j--) {
        int k = perm[j];
        while (k < j) {
            k = perm[k];
        }
        for (int i = 0; k != j && i < n; i++) {
            double *row = X + (size_t)i * ld;
            double  t = row[j];
            row[j] = row[k];
            row[k] = t;
        }
    }
}

TACT_CLONES static void invert_triangles(int n, const double *LU, size_t ld, double *X, size_t ld_x)
{
    for (int i = 0; i < n; i++) { // X = L^-1: row i has i + 1 entries
        double *row = X + (size_t)i * ld_x;
        for (int j = 0; j < n; j++) {
            row[j] = j == i ? 1 : 0;
        }
        subtract_rows(i, i, LU + (size_t)i * ld, X, ld_x, row);
    }
    for (int i = n - 1; i >= 0; i--) { // X = U^-1 X
        double       *row = X + (size_t)i * ld_x;
        const double *u = LU + (size_t)i * ld + (size_t)i;
        subtract_rows(n, n - 1 - i, u + 1, row + ld_x, ld_x, row);
        for (int j = 0; j < n; j++) {
            row[j] /= u[0];
        }
    }
}

void tact_lu_invert(int n, const double *LU, int ld, const int *perm, double *inverse,
                    int ld_inverse)
{
    invert_triangles(n, LU, (size_t)ld, inverse, (size_t)ld_inverse);
    permute_columns(n, inverse, (size_t)ld_inverse, perm);
}

double tact_lu_refine(int n, const double *A, const double *LU, int ld, const int *perm,
                      const double *b, double *x, double *work)
{
    double *residual = work;
    double *dx = work + n;
    tact_mat_residual(n, n, A, ld, x, b, residual);
    tact_lu_solve(n, LU, ld, perm, residual, dx);
    tact_vec_axpy(n, 1, dx, x);
    return tact_vec_max_abs(n, dx);
}
