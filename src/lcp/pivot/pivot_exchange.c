// The four exchanges of a driving and a leaving variable, each a rank-one change of K^-1.
#include "base/clones.h"
#include "lcp/pivot/pivot.h"
#include "linalg/exchange.h"
#include "linalg/lane_loops.h"
#include "linalg/vector.h"

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
static void grow_inverse(TactPivot *pivot, int j, int i)
{
    tact_pivot_row_product(pivot, i);
    tact_exchange_grow(pivot->k, pivot->inverse, pivot->ld, pivot->dz, pivot->product,
                       pivot->dw[i]);
    put_col(pivot, pivot->k, j);
    put_row(pivot, pivot->k, i);
    pivot->k++;
}

/// z_j enters, the z at place p leaves: column p of K becomes g, and K^-1 g = -dz.
static void exchange_columns(TactPivot *pivot, int j, int p)
{
    tact_exchange_column(pivot->k, pivot->inverse, pivot->ld, pivot->dz, p);
    pivot->col_place[pivot->col[p]] = -1;
    put_col(pivot, p, j);
}

/// w at place p enters, w_i leaves: row p of K becomes h', with (h' K^-1)_p = dw_i.
static void exchange_rows(TactPivot *pivot, int p, int i)
{
    tact_pivot_row_product(pivot, i);
    pivot->product[p] = pivot->dw[i];
    tact_exchange_row(pivot->k, pivot->inverse, pivot->ld, pivot->product, p);
    pivot->row_place[pivot->row[p]] = -1;
    put_row(pivot, p, i);
}

/// w at place p enters, the z at place l leaves: K loses row p and column l.
static void shrink(TactPivot *pivot, int p, int l)
{
    int last = pivot->k - 1;
    tact_exchange_shrink(pivot->k, pivot->inverse, pivot->ld, p, l);
    pivot->row_place[pivot->row[p]] = -1;
    pivot->col_place[pivot->col[l]] = -1;
    if (p != last) {
        put_row(pivot, p, pivot->row[last]);
    }
    if (l != last) {
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
            grow_inverse(pivot, driving, leaving - n - 1);
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
