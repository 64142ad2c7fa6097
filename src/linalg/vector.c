#include "linalg/vector.h"

#include "base/clones.h"
#include "linalg/lane_loops.h"

TACT_CLONES void tact_vec_axpy(int n, double a, const double *x, double *y)
{
    tact_lanes_axpy(n, a, x, y);
}

TACT_CLONES void tact_vec_axpy4(int n, const double *a, const double *x, int ld, double *y)
{
    tact_lanes_axpy4(n, a, x, (size_t)ld, y);
}

TACT_CLONES double tact_vec_dot(int n, const double *x, const double *y)
{
    return tact_lanes_dot(n, x, y);
}

TACT_CLONES void tact_vec_dot4(int n, const double *x, int ld, const double *y, double *out)
{
    tact_lanes_dot4(n, x, (size_t)ld, y, out);
}

TACT_CLONES void tact_vec_scale(int n, double a, double *x)
{
    tact_lanes_scale(n, a, x);
}

TACT_CLONES double tact_vec_max_abs(int n, const double *x)
{
    return tact_lanes_max_abs(n, x);
}

// ---------------------------------------------------------------------------------------------
// Residuals

/// hi + lo += x, where |lo| is of the order of the rounding errors of hi [Knuth's two-sum].
static inline void two_sum(double *hi, double *lo, double x)
{
    double sum = *hi + x;
    double part = sum - *hi;
    *lo += (*hi - (sum - part)) + (x - part);
    *hi = sum;
}

/// Four lanes of double-double sums of a'x: element i goes to lane i % 4. n: a multiple of 4.
TACT_LANES_INLINE void dot_lanes(int n, const double *a, const double *x, TactLanes *high,
                                 TactLanes *low)
{
    TactLanes hi = {0}, lo = {0};
    for (int i = 0; i < n; i += 4) {
        TactLanes u = *tact_lanes_at(a + i);
        TactLanes v = *tact_lanes_at(x + i);
        TactLanes product = u * v;
        TactLanes product_error;
        for (int k = 0; k < 4; k++) {
            product_error[k] = fma(u[k], v[k], -product[k]);
        }
        TactLanes sum = hi + product;
        TactLanes part = sum - hi;
        lo += ((hi - (sum - part)) + (product - part)) + product_error;
        hi = sum;
    }
    *high = hi;
    *low = lo;
}

/// The lanes are added in order, then the elements that fill none.
TACT_LANES_INLINE double residual(int n, const double *a, const double *x, double b)
{
    TactLanes hi, lo;
    int       i = n / 4 * 4;
    dot_lanes(i, a, x, &hi, &lo);
    double total = b;
    double error = 0;
    for (int k = 0; k < 4; k++) {
        two_sum(&total, &error, -hi[k]);
        error -= lo[k];
    }
    for (; i < n; i++) {
        double product = a[i] * x[i];
        error -= fma(a[i], x[i], -product);
        two_sum(&total, &error, -product);
    }
    return total + error;
}

TACT_CLONES double tact_vec_residual(int n, const double *a, const double *x, double b)
{
    return residual(n, a, x, b);
}

/// two_sum() in four lanes.
TACT_LANES_INLINE void add_lanes(TactLanes *hi, TactLanes *lo, const TactLanes *x)
{
    TactLanes sum = *hi + *x;
    TactLanes part = sum - *hi;
    *lo += (*hi - (sum - part)) + (*x - part);
    *hi = sum;
}

/// residual() of four rows: the same sums, the last of them side by side.
TACT_LANES_INLINE void residual4(int n, const double *const rows[4], const double *x,
                                 const TactLanes *b, double *r)
{
    TactLanes hi[4], lo[4], total = *b, error = {0};
    int       whole = n / 4 * 4;
    for (int q = 0; q < 4; q++) {
        dot_lanes(whole, rows[q], x, &hi[q], &lo[q]);
    }
    for (int k = 0; k < 4 && whole > 0; k++) {
        TactLanes part = {-hi[0][k], -hi[1][k], -hi[2][k], -hi[3][k]};
        add_lanes(&total, &error, &part);
        error -= (TactLanes){lo[0][k], lo[1][k], lo[2][k], lo[3][k]};
    }
    for (int i = whole; i < n; i++) {
        TactLanes product, product_error;
        for (size_t q = 0; q < 4; q++) {
            double a = rows[q][i];
            product[q] = -(a * x[i]);
            product_error[q] = fma(a, x[i], product[q]);
        }
        error -= product_error;
        add_lanes(&total, &error, &product);
    }
    *(TactLanes *)r = total + error;
}

TACT_CLONES void tact_vec_residual4(int n, const double *const a[4], const double *x, double *r)
{
    TactLanes none = TACT_LANES_ALL(0.0);
    residual4(n, a, x, &none, r);
}

TACT_CLONES void tact_mat_residual(int m, int n, const double *A, int ld, const double *x,
                                   const double *b, double *r)
{
    int i = 0;
    for (; i + 4 <= m; i += 4) {
        const double *first = A + (size_t)i * (size_t)ld;
        size_t        next = (size_t)ld;
        const double *rows[4] = {first, first + next, first + 2 * next, first + 3 * next};
        residual4(n, rows, x, tact_lanes_at(b + i), r + i);
    }
    for (; i < m; i++) {
        r[i] = residual(n, A + (size_t)i * (size_t)ld, x, b[i]);
    }
}

TACT_CLONES void tact_mat_times(int m, int n, const double *A, int ld, const double *x, double *y)
{
    int i = 0;
    for (; i + 4 <= m; i += 4) {
        tact_lanes_dot4(n, A + (size_t)i * (size_t)ld, (size_t)ld, x, y + i);
    }
    for (; i < m; i++) {
        y[i] = tact_lanes_dot(n, A + (size_t)i * (size_t)ld, x);
    }
}
