// The explicit inverse of the basic block and how it follows the basis, as in linalg/exchange.h,
// over whole vectors: X = K^-1 is kept transposed, T[r][c] = X_cr, and T[r][c] = 0 for c from k up
// to a multiple of four, and so are vectors by position. To be inlined.
#ifndef TACT_CONTACT_PIVOT_KERNEL_INVERSE_H
#define TACT_CONTACT_PIVOT_KERNEL_INVERSE_H

#include <stdbool.h>

#include "contact/pivot/kernel_loops.h"

/// x_c -= sum_r f_r T[r][c], i.e. x -= X f                                          (k)
TACT_LOOP void tact_inverse_solve(int k, const double *T, size_t ld, const double *f, double *x)
{
    int c = 0;
    for (; c + 4 < k; c += 8) {
        TactLanes a0 = TACT_LANES_AT(x + c), b0 = TACT_LANES_AT(x + c + 4);
        TactLanes a1 = TACT_LANES_ALL(0.0), b1 = a1;
        int       r = 0;
        for (; r + 2 <= k; r += 2) {
            const double *row = T + (size_t)r * ld + c;
            a0 -= f[r] * TACT_LANES_AT(row);
            b0 -= f[r] * TACT_LANES_AT(row + 4);
            a1 -= f[r + 1] * TACT_LANES_AT(row + ld);
            b1 -= f[r + 1] * TACT_LANES_AT(row + ld + 4);
        }
        if (r < k) {
            const double *row = T + (size_t)r * ld + c;
            a0 -= f[r] * TACT_LANES_AT(row);
            b0 -= f[r] * TACT_LANES_AT(row + 4);
        }
        TACT_LANES_PUT(x + c) = a0 + a1;
        TACT_LANES_PUT(x + c + 4) = b0 + b1;
    }
    for (; c < k; c += 4) {
        TactLanes a0 = TACT_LANES_AT(x + c), a1 = TACT_LANES_ALL(0.0);
        int       r = 0;
        for (; r + 2 <= k; r += 2) {
            a0 -= f[r] * TACT_LANES_AT(T + (size_t)r * ld + c);
            a1 -= f[r + 1] * TACT_LANES_AT(T + (size_t)(r + 1) * ld + c);
        }
        if (r < k) {
            a0 -= f[r] * TACT_LANES_AT(T + (size_t)r * ld + c);
        }
        TACT_LANES_PUT(x + c) = a0 + a1;
    }
}

/// T[r] += f x for one row
TACT_LOOP void tact_inverse_add(int k, double *row, double f, const double *x)
{
    for (int c = 0; c < k; c += 4) {
        TACT_LANES_PUT(row + c) = TACT_LANES_AT(row + c) + f * TACT_LANES_AT(x + c);
    }
}

/// K gains a last row h' and a last column g: x = -X g, u' = h' X, s = K_last,last + h' x != 0.
///
///     X <- [ X - x u' / s    x / s ]
///          [    -u' / s      1 / s ]
TACT_LOOP void tact_inverse_grow(int k, double *T, size_t ld, const double *x, const double *u,
                                 double s)
{
    double    by = 1 / s;
    int       whole = k / 4 * 4;
    bool      opens = k == whole; // a new vector in every row
    TactLanes one = (TactLanes)((TactMask){0, 1, 2, 3} == (int64_t)(k - whole));
    TactLanes end = (TactLanes)((TactMask)one & (TactMask)TACT_LANES_ALL(1.0));
    if (!opens) {
        end += TACT_LANES_AT(x + whole); // 0 from k on
    }
    for (int r = 0; r < k; r++) {
        double *row = T + (size_t)r * ld;
        double  f = -u[r] * by;
        tact_inverse_add(whole, row, f, x);
        TACT_LANES_PUT(row + whole) = opens ? f * end : TACT_LANES_AT(row + whole) + f * end;
    }
    for (int c = 0; c < whole; c += 4) {
        TACT_LANES_PUT(T + (size_t)k * ld + c) = by * TACT_LANES_AT(x + c);
    }
    TACT_LANES_PUT(T + (size_t)k * ld + whole) = by * end;
}

/// Column p of K becomes g: x = -X g, x_p != 0.
TACT_LOOP void tact_inverse_column(int k, double *T, size_t ld, const double *x, int p)
{
    double by = -1 / x[p];
    for (int r = 0; r < k; r++) {
        double *row = T + (size_t)r * ld;
        double  f = row[p] * by;
        tact_inverse_add(k, row, f, x);
        row[p] = f;
    }
}

/// Row p of K becomes h': u' = h' X, u_p != 0.
TACT_LOOP void tact_inverse_row(int k, double *T, size_t ld, const double *u, int p)
{
    double *pivot = T + (size_t)p * ld;
    double  by = 1 / u[p];
    for (int c = 0; c < k; c += 4) {
        TACT_LANES_PUT(pivot + c) = by * TACT_LANES_AT(pivot + c);
    }
    for (int r = 0; r < k; r++) {
        if (r != p) {
            tact_inverse_add(k, T + (size_t)r * ld, -u[r], pivot);
        }
    }
}

/// K loses row p and column l, X_lp != 0. The last row and column of K take their places.
TACT_LOOP void tact_inverse_shrink(int k, double *T, size_t ld, int p, int l)
{
    double *pivot = T + (size_t)p * ld;
    double  by = -1 / pivot[l];
    int     last = k - 1;
    for (int r = 0; r < k; r++) {
        double *row = T + (size_t)r * ld;
        if (r != p) {
            tact_inverse_add(k, row, row[l] * by, pivot);
            row[l] = row[last];
            row[last] = 0;
        }
    }
    for (int c = 0; c < k && p != last; c += 4) {
        TACT_LANES_PUT(pivot + c) = TACT_LANES_AT(T + (size_t)last * ld + c);
    }
}

#endif
