#include "linalg/lu.h"

#include "base/clones.h"
#include "linalg/lane_loops.h"
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

/// The row that column j is eliminated with: the largest entry on or below the diagonal; -1: none.
TACT_LANES_INLINE int find_column_pivot(const Lu *lu, int j)
{
    const double *column = lu->A + (size_t)j;
    int           best = -1;
    double        largest = lu->smallest;
    for (int i = j; i < lu->n; i++) {
        double entry = fabs(column[(size_t)i * lu->ld]);
        if (entry > largest) {
            largest = entry;
            best = i;
        }
    }
    return best;
}

/// Eliminates column j in a row of the panel that starts there and ends before end.
TACT_LANES_INLINE void eliminate_row(const double *pivot, double *row, int j, int end)
{
    double l = row[j] / pivot[j];
    row[j] = l;
    for (int k = j + 1; k < end; k++) {
        row[k] -= l * pivot[k];
    }
}

/// The same in four rows of a panel of four columns, of which t is eliminated.
TACT_LANES_INLINE void eliminate_four(const TactLanes *pivot, double *row, size_t ld, int t)
{
    const TactMask places = {0, 1, 2, 3};
    TactMask       own = places == (int64_t)t, right = places > (int64_t)t;
    TactLanes      entry = {row[t], row[ld + (size_t)t], row[2 * ld + (size_t)t],
                            row[3 * ld + (size_t)t]};
    TactLanes      l = entry / (*pivot)[t];
    for (size_t q = 0; q < 4; q++) {
        TactLanes *at = (TactLanes *)(row + q * ld);
        TactLanes  all = {l[q], l[q], l[q], l[q]};
        TactLanes  rest = *at - l[q] * *pivot;
        TactLanes  kept = TACT_LANES_SELECT(own, all, *at);
        *at = TACT_LANES_SELECT(right, rest, kept);
    }
}

/// Eliminates column j below row j, in the columns [first, end) of its panel only. Returns j if it
/// is singular, else -1.
TACT_LANES_INLINE int factor_column(const Lu *lu, int first, int j, int end)
{
    int best = find_column_pivot(lu, j);
    if (best < 0) {
        return j;
    }
    if (best != j) {
        swap_rows(lu, best, j);
    }
    const double *pivot = lu->A + (size_t)j * lu->ld;
    int           i = j + 1;
    if (end - first == PANEL) {
        TactLanes four = *tact_lanes_at(pivot + first);
        for (; i + 4 <= lu->n; i += 4) {
            eliminate_four(&four, lu->A + (size_t)i * lu->ld + (size_t)first, lu->ld, j - first);
        }
    }
    for (; i < lu->n; i++) {
        eliminate_row(pivot, lu->A + (size_t)i * lu->ld, j, end);
    }
    return -1;
}

/// row -= l_0 U_0 + l_1 U_1 + l_2 U_2 + l_3 U_3, one after the other, in the columns [end, n); n is
/// 4 at least.
TACT_LANES_INLINE void subtract_four(const Lu *lu, int j, int end, double *row)
{
    const double *u0 = lu->A + (size_t)j * lu->ld, *u1 = u0 + lu->ld, *u2 = u1 + lu->ld,
                 *u3 = u2 + lu->ld;
    double l0 = -row[j], l1 = -row[j + 1], l2 = -row[j + 2], l3 = -row[j + 3];
    int    k = end;
    for (; k + 4 <= lu->n; k += 4) {
        TactLanes sum = *tact_lanes_at(row + k);
        sum += l0 * *tact_lanes_at(u0 + k);
        sum += l1 * *tact_lanes_at(u1 + k);
        sum += l2 * *tact_lanes_at(u2 + k);
        sum += l3 * *tact_lanes_at(u3 + k);
        *(TactLanes *)(row + k) = sum;
    }
    if (k < lu->n) { // the last four columns, of which those before k are done
        int       last = lu->n - 4;
        TactMask  left = (TactMask){0, 1, 2, 3} >= (int64_t)(k - last);
        TactLanes before = *tact_lanes_at(row + last), sum = before;
        sum += l0 * *tact_lanes_at(u0 + last);
        sum += l1 * *tact_lanes_at(u1 + last);
        sum += l2 * *tact_lanes_at(u2 + last);
        sum += l3 * *tact_lanes_at(u3 + last);
        *(TactLanes *)(row + last) = TACT_LANES_SELECT(left, sum, before);
    }
}

/// Applies the pivots of the panel of columns [j, end) to the columns from end on.
TACT_LANES_INLINE void update_rest(const Lu *lu, int j, int end)
{
    double *A = lu->A;
    size_t  ld = lu->ld;
    int     rest = lu->n - end;
    for (int i = j + 1; i < end; i++) {
        double *row = A + (size_t)i * ld;
        for (int k = j; k < i; k++) {
            tact_lanes_axpy(rest, -row[k], A + (size_t)k * ld + (size_t)end, row + end);
        }
    }
    for (int i = end; i < lu->n; i++) { // only a panel of four has rows below it
        subtract_four(lu, j, end, A + (size_t)i * ld);
    }
}

TACT_CLONES static int factor_pivoting(const Lu *lu)
{
    for (int j = 0; j < lu->n; j += PANEL) {
        int end = j + PANEL < lu->n ? j + PANEL : lu->n;
        for (int k = j; k < end; k++) {
            int singular = factor_column(lu, j, k, end);
            if (singular >= 0) {
                return singular;
            }
        }
        update_rest(lu, j, end);
    }
    return -1;
}

TACT_CLONES static double largest_entry(int n, const double *A, int ld)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        double entry = tact_lanes_max_abs(n, A + (size_t)i * (size_t)ld);
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
    return factor_pivoting(&lu);
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
