#include "lcp/pivot/equilibrate.h"

#include <math.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"

double tact_power_of_two(double x)
{
    if (x == 0 || !isfinite(x)) {
        return 1;
    }
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

// No factor leaves this range, so that d_i, 1 / d_i and d_i d_j are all finite and not 0.
static const double SMALLEST_FACTOR = 0x1p-500;
static const double LARGEST_FACTOR = 0x1p500;

static double factor_near(double x)
{
    return fmin(fmax(tact_power_of_two(x), SMALLEST_FACTOR), LARGEST_FACTOR);
}

/// d_i = 1 / sqrt(M_ii), rounded to a power of two; 0 where M_ii is not positive.
static int scale_by_diagonal(int n, const double *M, double *d)
{
    int missing = 0;
    for (int i = 0; i < n; i++) {
        double diagonal = M[(size_t)i * (size_t)(n + 1)];
        d[i] = diagonal > 0 ? factor_near(1 / sqrt(diagonal)) : 0;
        missing += d[i] == 0;
    }
    return missing;
}

/// max_j of d_j max(|M_ij|, |M_ji|), where d_j counts as 1 unless it is positive.
static double largest_of_row(int n, const double *M, const double *d, int i)
{
    double largest = 0;
    for (int j = 0; j < n; j++) {
        double a = fabs(M[(size_t)i * (size_t)n + (size_t)j]);
        double b = fabs(M[(size_t)j * (size_t)n + (size_t)i]);
        double dj = d[j] > 0 ? d[j] : 1;
        largest = fmax(largest, dj * fmax(a, b));
    }
    return largest;
}

/// d_i = 1 / max_j d_j max(|M_ij|, |M_ji|) over the scaled j, for the rows without a diagonal.
static void scale_the_rest(int n, const double *M, double *d)
{
    for (int i = 0; i < n; i++) {
        if (d[i] == 0) { // negative: not yet seen by the other rows
            d[i] = -1 / factor_near(largest_of_row(n, M, d, i));
        }
    }
    for (int i = 0; i < n; i++) {
        d[i] = fabs(d[i]);
    }
}

/// Four rows of M at four columns, scaled, as parts of four columns.
///   rows     M + first row * n + first column, rows n apart
///   columns  first column + first row, columns ld apart
TACT_LANES_INLINE void copy_tile(const double *rows, size_t n, const double *d_rows,
                                 const double *d_columns, double *columns, size_t ld)
{
    TactLanes dj = *tact_lanes_at(d_columns);
    TactLanes a = d_rows[0] * *tact_lanes_at(rows) * dj;
    TactLanes b = d_rows[1] * *tact_lanes_at(rows + n) * dj;
    TactLanes c = d_rows[2] * *tact_lanes_at(rows + 2 * n) * dj;
    TactLanes d = d_rows[3] * *tact_lanes_at(rows + 3 * n) * dj;
    TactLanes ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    TactLanes ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    TactLanes cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    TactLanes cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    *(TactLanes *)columns = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
    *(TactLanes *)(columns + ld) = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
    *(TactLanes *)(columns + 2 * ld) = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
    *(TactLanes *)(columns + 3 * ld) = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

/// columns_ji = d_i M_ij d_j. Returns the largest entry.
TACT_CLONES static double copy_scaled(int n, const double *M, double *columns, size_t ld,
                                      const double *d)
{
    size_t size = (size_t)n, whole = size / 4 * 4;
    double largest = 0;
    for (size_t j = 0; j < size; j += j < whole ? 4 : 1) {
        double *column = columns + j * ld;
        size_t  i = 0;
        for (; j < whole && i < whole; i += 4) {
            copy_tile(M + i * size + j, size, d + i, d + j, column + i, ld);
        }
        for (size_t k = 0; k < (j < whole ? 4 : 1); k++, column += ld) {
            for (size_t row = i; row < size; row++) {
                column[row] = d[row] * M[row * size + j + k] * d[j + k];
            }
            largest = fmax(largest, tact_lanes_max_abs(n, column));
        }
    }
    return largest;
}

/// One pass of Ruiz's scaling: d_i /= sqrt(largest entry of row and column i).
static void scale_by_largest(int n, const double *M, double *d)
{
    for (int i = 0; i < n; i++) {
        double largest = d[i] * largest_of_row(n, M, d, i);
        if (largest > 0) {
            d[i] = factor_near(d[i] * tact_power_of_two(1 / sqrt(largest)));
        }
    }
}

void tact_equilibrate(int n, const double *M, double *columns, size_t ld, double *d)
{
    if (scale_by_diagonal(n, M, d) > 0) {
        scale_the_rest(n, M, d);
    }
    // A positive semidefinite matrix has no entry above 4 now (1 but for the rounding of d). In
    // another one a small diagonal may stand beside large entries: then go by the largest.
    if (copy_scaled(n, M, columns, ld, d) > 16) {
        for (int i = 0; i < n; i++) {
            d[i] = 1;
        }
        for (int pass = 0; pass < 4; pass++) {
            scale_by_largest(n, M, d);
        }
        copy_scaled(n, M, columns, ld, d);
    }
}
