#include "linalg/bordered.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/clones.h"
#include "base/lanes.h"
#include "linalg/lu.h"

#define INLINE __attribute__((always_inline)) static inline

enum { PANEL = 4 };

/// row -= sum_t l_t rows_t, one after the other, in the columns [from, m) in whole vectors.
INLINE void subtract_rows(int from, int m, int count, const double *l, const double *rows,
                          size_t ld, double *row)
{
    for (int c = from; c < m; c += 4) {
        TactLanes sum = TACT_LANES_AT(row + c);
        for (int t = 0; t < count; t++) {
            sum -= TACT_LANES_ALL(l[t]) * TACT_LANES_AT(rows + (size_t)t * ld + c);
        }
        TACT_LANES_PUT(row + c) = sum;
    }
}

/// Rows that depend on others.
typedef struct Dependent {
    int  count;
    int *rows; //                                                                     (n)
} Dependent;

/// A row without a pivot takes no part in what follows. false: it is NaN, which would spread.
INLINE bool leave_out(int r, int m, double *row, Dependent *dependent)
{
    bool number = row[r] == row[r];
    dependent->rows[dependent->count++] = r;
    for (int c = r / 4 * 4; c < m; c += 4) {
        TACT_LANES_PUT(row + c) = TACT_LANES_ALL(0.0);
    }
    return number;
}

/// Pivots j .. j + count - 1 of S among themselves: rows of L'D, and 1 / D on the diagonal. What
/// is left of the diagonal is written and never read. false: one is too small, and it ends here.
INLINE bool factor_panel(int j, int count, int m, double *A, size_t ld, double smallest,
                         double *inverse, Dependent *dependent)
{
    for (int k = 0; k < count; k++) {
        double *row = A + (size_t)(j + k) * ld;
        inverse[k] = 0;
        if (!(row[j + k] > smallest)) { // also of NaN
            if (!leave_out(j + k, m, row, dependent)) {
                return false;
            }
            continue;
        }
        inverse[k] = 1 / row[j + k];
        for (int i = k + 1; i < count; i++) {
            double l = row[j + i] * inverse[k];
            subtract_rows(j, m, 1, &l, row, ld, row + (size_t)(i - k) * ld);
        }
        row[j + k] = inverse[k];
    }
    return true;
}

/// Takes a panel of four off a row of S: its factors stand above it.
INLINE void eliminate_above(int j, int i, int m, double *A, size_t ld, const double *inverse)
{
    const double *rows = A + (size_t)j * ld;
    double        l[PANEL];
    for (int t = 0; t < PANEL; t++) {
        l[t] = rows[(size_t)t * ld + (size_t)i] * inverse[t];
    }
    subtract_rows(i / 4 * 4, m, PANEL, l, rows, ld, A + (size_t)i * ld);
}

/// Takes a panel of four off a row of C, which keeps the factors.
INLINE void eliminate_below(int j, int i, int m, double *A, size_t ld, const double *inverse)
{
    const double *rows = A + (size_t)j * ld;
    double       *row = A + (size_t)i * ld;
    double        l[PANEL];
    for (int t = 0; t < PANEL; t++) {
        double left = row[j + t];
        for (int s = 0; s < t; s++) {
            left -= l[s] * rows[(size_t)s * ld + (size_t)(j + t)];
        }
        l[t] = row[j + t] = left * inverse[t];
    }
    subtract_rows(j + PANEL, m, PANEL, l, rows, ld, row);
}

TACT_CLONES static void factor_block(int n, int m, double *A, size_t ld, double smallest,
                                     Dependent *dependent)
{
    for (int j = 0; j < n; j += PANEL) {
        double inverse[PANEL] = {0};
        int    count = n - j < PANEL ? n - j : PANEL;
        if (!factor_panel(j, count, m, A, ld, smallest, inverse, dependent)) {
            return;
        }
        for (int i = j + PANEL; i < n; i++) {
            eliminate_above(j, i, m, A, ld, inverse);
        }
        for (int i = n; i < m; i++) {
            eliminate_below(j, i, m, A, ld, inverse);
        }
    }
}

int tact_bordered_factor(int n, int m, double *A, int ld, int *perm, double smallest,
                         int *dependent, int *count)
{
    Dependent left_out = {0, dependent};
    factor_block(n, m, A, (size_t)ld, smallest, &left_out);
    *count = left_out.count;
    if (left_out.count > 0) {
        return dependent[0];
    }
    if (n == m) {
        return -1;
    }
    double *T = A + (size_t)n * (size_t)ld + (size_t)n;
    int     failed = tact_lu_factor_small(m - n, T, ld, perm, 0);
    for (int i = 0; i < m - n && failed < 0; i++) {
        failed = fabs(T[(size_t)i * (size_t)ld + (size_t)i]) > smallest ? -1 : i;
    }
    return failed < 0 ? -1 : n + failed;
}

/// L y = b over S. y is not divided by D.
INLINE void go_down(int n, const double *A, size_t ld, double *b)
{
    for (int j = 0; j < n; j += PANEL) {
        const double *rows = A + (size_t)j * ld;
        int           count = n - j < PANEL ? n - j : PANEL;
        double        t[PANEL] = {0};
        for (int k = 0; k < count; k++) {
            t[k] = b[j + k] * rows[(size_t)k * ld + (size_t)(j + k)];
            for (int i = k + 1; i < count; i++) {
                b[j + i] -= t[k] * rows[(size_t)k * ld + (size_t)(j + i)];
            }
        }
        subtract_rows(j + PANEL, n, PANEL, t, rows, ld, b);
    }
}

/// sum_c a_c x_c over the columns [from, to) in whole vectors, in four partial sums.
INLINE double dot(int from, int to, const double *a, const double *x)
{
    TactLanes sum = TACT_LANES_ALL(0.0);
    for (int c = from; c < to; c += 4) {
        sum += TACT_LANES_AT(a + c) * TACT_LANES_AT(x + c);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// D L' x = y over S, with what B takes.
INLINE void go_up(int n, int m, const double *A, size_t ld, double *b)
{
    for (int j = (n - 1) / PANEL * PANEL; j >= 0; j -= PANEL) {
        int count = n - j < PANEL ? n - j : PANEL;
        for (int k = count - 1; k >= 0; k--) {
            const double *row = A + (size_t)(j + k) * ld;
            double        left = b[j + k] - dot(j + PANEL, m, row, b);
            for (int i = k + 1; i < count; i++) {
                left -= row[j + i] * b[j + i];
            }
            b[j + k] = left * row[j + k];
        }
    }
}

TACT_CLONES void tact_bordered_solve(int n, int m, const double *A, int ld_in, const int *perm,
                                     double *b, double *work)
{
    size_t ld = (size_t)ld_in;
    for (int i = m; i % 4 != 0; i++) {
        b[i] = 0;
    }
    go_down(n, A, ld, b);
    if (m > n) {
        for (int i = n; i < m; i++) {
            b[i] -= dot(0, n, A + (size_t)i * ld, b);
        }
        tact_lu_solve(m - n, A + (size_t)n * ld + (size_t)n, ld_in, perm, b + n, work);
        for (int i = n; i < m; i++) {
            b[i] = work[i - n];
        }
    }
    go_up(n, m, A, ld, b);
}
