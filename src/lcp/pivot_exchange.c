// The four exchanges of a driving and a leaving variable, each a rank-one change of K^-1.
#include <string.h>

#include "base/clones.h"
#include "lcp/pivot.h"
#include "linalg/lanes.h"
#include "linalg/vector.h"

/// rows[r] += factor_r * x for all r except `skip`
TACT_CLONES static void add_outer(int k, double *rows, size_t ld, const double *factor,
                                  const double *x, int skip)
{
    for (int r = 0; r < k; r++) {
        if (r != skip && factor[r] != 0) {
            tact_lanes_axpy(k, factor[r], x, rows + (size_t)r * ld);
        }
    }
}

/// product_r = sum_c rows[r][c] h_c
TACT_CLONES static void rows_times(int k, const double *rows, size_t ld, const double *h,
                                   double *product)
{
    int r = 0;
    for (; r + 4 <= k; r += 4) {
        tact_lanes_dot4(k, rows + (size_t)r * ld, ld, h, product + r);
    }
    for (; r < k; r++) {
        product[r] = tact_lanes_dot(k, rows + (size_t)r * ld, h);
    }
}

void tact_pivot_gather_row(const TactPivot *pivot, int i, double *row)
{
    for (int c = 0; c < pivot->k; c++) {
        row[c] = pivot->columns[(size_t)pivot->col[c] * pivot->ld + (size_t)i];
    }
}

void tact_pivot_row_product(TactPivot *pivot, int i)
{
    double *h = pivot->block;
    tact_pivot_gather_row(pivot, i, h);
    rows_times(pivot->k, pivot->inverse, pivot->ld, h, pivot->product);
}

static void put_col(TactPivot *pivot, int place, int j)
{
    pivot->col[place] = j;
    pivot->col_place[j] = place;
}

static void put_row(TactPivot *pivot, int place, int i)
{
    pivot->row[place] = i;
    pivot->row_place[i] = place;
}

/// z_j enters, w_i leaves: K grows by column g and row h', with s = dw_i its Schur complement.
///
///     K^-1 <- [ K^-1 - dz (h' K^-1) / s     dz / s ]
///             [       -(h' K^-1) / s         1 / s ]
static void grow(TactPivot *pivot, int j, int i)
{
    int    k = pivot->k;
    double s = pivot->dw[i];
    tact_pivot_row_product(pivot, i);
    double *factor = pivot->product;
    for (int r = 0; r < k; r++) {
        factor[r] = -factor[r] / s;
    }
    add_outer(k, pivot->inverse, pivot->ld, factor, pivot->dz, -1);
    double *last = tact_pivot_inverse_row(pivot, k);
    for (int r = 0; r < k; r++) {
        tact_pivot_inverse_row(pivot, r)[k] = factor[r];
        last[r] = pivot->dz[r] / s;
    }
    last[k] = 1 / s;
    put_col(pivot, k, j);
    put_row(pivot, k, i);
    pivot->k++;
}

/// z_j enters, the z at place p leaves: column p of K becomes g, and K^-1 g = -dz.
static void exchange_columns(TactPivot *pivot, int j, int p)
{
    int     k = pivot->k;
    double *factor = pivot->product;
    for (int r = 0; r < k; r++) {
        factor[r] = tact_pivot_inverse_row(pivot, r)[p] / -pivot->dz[p];
    }
    add_outer(k, pivot->inverse, pivot->ld, factor, pivot->dz, -1);
    for (int r = 0; r < k; r++) {
        tact_pivot_inverse_row(pivot, r)[p] = factor[r];
    }
    pivot->col_place[pivot->col[p]] = -1;
    put_col(pivot, p, j);
}

/// w at place p enters, w_i leaves: row p of K becomes h', with (h' K^-1)_p = dw_i.
static void exchange_rows(TactPivot *pivot, int p, int i)
{
    int k = pivot->k;
    tact_pivot_row_product(pivot, i);
    double  s = pivot->dw[i];
    double *factor = pivot->product;
    double *row = tact_pivot_inverse_row(pivot, p);
    for (int c = 0; c < k; c++) {
        row[c] /= s;
    }
    for (int r = 0; r < k; r++) {
        factor[r] = -factor[r];
    }
    add_outer(k, pivot->inverse, pivot->ld, factor, row, p);
    pivot->row_place[pivot->row[p]] = -1;
    put_row(pivot, p, i);
}

/// w at place p enters, the z at place l leaves: K loses row p and column l.
static void shrink(TactPivot *pivot, int p, int l)
{
    int     k = pivot->k;
    double *row = tact_pivot_inverse_row(pivot, p);
    double *factor = pivot->product;
    for (int r = 0; r < k; r++) {
        factor[r] = -tact_pivot_inverse_row(pivot, r)[l] / row[l];
    }
    add_outer(k, pivot->inverse, pivot->ld, factor, row, p);
    pivot->row_place[pivot->row[p]] = -1;
    pivot->col_place[pivot->col[l]] = -1;
    int last = k - 1;
    if (p != last) {
        memcpy(row, tact_pivot_inverse_row(pivot, last), (size_t)k * sizeof(double));
        put_row(pivot, p, pivot->row[last]);
    }
    if (l != last) {
        for (int r = 0; r < last; r++) {
            tact_pivot_inverse_row(pivot, r)[l] = tact_pivot_inverse_row(pivot, r)[last];
        }
        pivot->z[l] = pivot->z[last];
        put_col(pivot, l, pivot->col[last]);
    }
    pivot->k--;
}

void tact_pivot_exchange(TactPivot *pivot, int driving, int leaving, double step)
{
    int n = pivot->n;
    tact_vec_axpy(pivot->k, step, pivot->dz, pivot->z);
    tact_vec_axpy(n, step, pivot->dw, pivot->w);
    if (driving <= n) {
        if (leaving > n) {
            grow(pivot, driving, leaving - n - 1);
            pivot->w[leaving - n - 1] = 0;
        } else {
            exchange_columns(pivot, driving, pivot->col_place[leaving]);
        }
        pivot->z[pivot->col_place[driving]] = step;
    } else {
        int place = pivot->row_place[driving - n - 1];
        if (leaving > n) {
            exchange_rows(pivot, place, leaving - n - 1);
            pivot->w[leaving - n - 1] = 0;
        } else {
            shrink(pivot, place, pivot->col_place[leaving]);
        }
        pivot->w[driving - n - 1] = step;
    }
}
