#include "linalg/exchange.h"

#include <string.h>

#include "base/clones.h"

TACT_CLONES void tact_exchange_solve(int k, const double *T, size_t ld, const double *f, double *y)
{
    int r = 0;
    for (; r + 4 <= k; r += 4) {
        const double *a = T + (size_t)r * ld;
        const double *b = a + ld;
        const double *c = b + ld;
        const double *d = c + ld;
        double        fa = f[r], fb = f[r + 1], fc = f[r + 2], fd = f[r + 3];
        for (int i = 0; i < k; i++) {
            y[i] = (((y[i] - fa * a[i]) - fb * b[i]) - fc * c[i]) - fd * d[i];
        }
    }
    for (; r < k; r++) {
        const double *a = T + (size_t)r * ld;
        double        fa = f[r];
        for (int i = 0; i < k; i++) {
            y[i] -= fa * a[i];
        }
    }
}

TACT_CLONES void tact_exchange_row_product(int k, const double *T, size_t ld, const double *h,
                                           double *u)
{
    for (int r = 0; r < k; r++) {
        const double *a = T + (size_t)r * ld;
        double        lane[4] = {0};
        int           c = 0;
        for (; c + 4 <= k; c += 4) {
            for (int l = 0; l < 4; l++) {
                lane[l] += a[c + l] * h[c + l];
            }
        }
        double sum = (lane[0] + lane[1]) + (lane[2] + lane[3]);
        for (; c < k; c++) {
            sum += a[c] * h[c];
        }
        u[r] = sum;
    }
}

/// T[r] += f_r x for one row.
static inline void add_row_multiple(int k, double *restrict row, double f, const double *restrict x)
{
    for (int c = 0; c < k; c++) {
        row[c] += f * x[c];
    }
}

TACT_CLONES void tact_exchange_grow(int k, double *T, size_t ld, const double *x, const double *u,
                                    double s)
{
    double *last = T + (size_t)k * ld;
    for (int r = 0; r < k; r++) {
        double *row = T + (size_t)r * ld;
        double  f = -u[r] / s;
        add_row_multiple(k, row, f, x);
        row[k] = f;
    }
    for (int c = 0; c < k; c++) {
        last[c] = x[c] / s;
    }
    last[k] = 1 / s;
}

TACT_CLONES void tact_exchange_column(int k, double *T, size_t ld, const double *x, int p)
{
    for (int r = 0; r < k; r++) {
        double *row = T + (size_t)r * ld;
        double  f = row[p] / -x[p];
        add_row_multiple(k, row, f, x);
        row[p] = f;
    }
}

TACT_CLONES void tact_exchange_row(int k, double *T, size_t ld, const double *u, int p)
{
    double *pivot = T + (size_t)p * ld;
    for (int c = 0; c < k; c++) {
        pivot[c] /= u[p];
    }
    for (int r = 0; r < k; r++) {
        if (r != p) {
            add_row_multiple(k, T + (size_t)r * ld, -u[r], pivot);
        }
    }
}

TACT_CLONES void tact_exchange_shrink(int k, double *T, size_t ld, int p, int l)
{
    double *pivot = T + (size_t)p * ld;
    for (int r = 0; r < k; r++) {
        double *row = T + (size_t)r * ld;
        if (r != p) {
            add_row_multiple(k, row, -row[l] / pivot[l], pivot);
        }
    }
    int last = k - 1;
    if (p != last) {
        memcpy(pivot, T + (size_t)last * ld, (size_t)k * sizeof(double));
    }
    for (int r = 0; r < last && l != last; r++) {
        T[(size_t)r * ld + (size_t)l] = T[(size_t)r * ld + (size_t)last];
    }
}
