#include "lcp/pivot.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "lcp/equilibrate.h"
#include "linalg/lu.h"

// Drift of a column, relative to its size: refined above the first, factored anew above the second.
static const double DRIFT_REFINE = 1e-13;
static const double DRIFT_REFACTOR = 1e-12;

// A kernel block whose best pivot is below this, equilibrated, counts as singular.
static const double SINGULAR_TOL = 1e-14;

void tact_pivot_layout(TactPivot *pivot, int max_n, TactArena *arena)
{
    size_t  n = (size_t)max_n;
    size_t  ld = (n + 8) / 8 * 8; // n + 1, rounded up to whole cache lines
    double *columns = tact_arena_take(arena, (n + 1) * ld, sizeof(double));
    double *inverse = tact_arena_take(arena, (n + 1) * ld, sizeof(double));
    double *block = tact_arena_take(arena, (n + 1) * ld, sizeof(double));
    double *values = tact_arena_take(arena, 7 * ld, sizeof(double));
    int    *places = tact_arena_take(arena, 5 * ld, sizeof(int));
    bool   *is_free = tact_arena_take(arena, ld, sizeof(bool));
    if (!arena->block) {
        return;
    }
    *pivot = (TactPivot){
        .ld = ld,
        .columns = columns,
        .inverse = inverse,
        .block = block,
        .q = values,
        .scale = values + ld,
        .z = values + 2 * ld,
        .w = values + 3 * ld,
        .dz = values + 4 * ld,
        .dw = values + 5 * ld,
        .product = values + 6 * ld,
        .col = places,
        .row = places + ld,
        .col_place = places + 2 * ld,
        .row_place = places + 3 * ld,
        .permutation = places + 4 * ld,
        .is_free = is_free,
    };
}

static double *column_of(const TactPivot *pivot, int j)
{
    return pivot->columns + (size_t)j * pivot->ld;
}

static double *inverse_row(const TactPivot *pivot, int place)
{
    return pivot->inverse + (size_t)place * pivot->ld;
}

void tact_pivot_load(TactPivot *pivot, const TactLcpProblem *problem)
{
    int n = problem->n;
    pivot->n = n;
    pivot->k = 0;
    pivot->refactors = 0;
    tact_equilibrate(n, problem->M, pivot->columns, pivot->ld, pivot->scale);

    double largest = 0;
    for (int i = 0; i < n; i++) {
        double        q = problem->q[i];
        const double *row = problem->M + (size_t)i * (size_t)n;
        for (int j = 0; problem->lo && j < n; j++) {
            if (problem->lo[j] != 0 && isfinite(problem->lo[j])) {
                q += row[j] * problem->lo[j];
            }
        }
        pivot->q[i] = pivot->scale[i] * q;
        largest = fmax(largest, fabs(pivot->q[i]));
    }
    pivot->q_scale = tact_power_of_two(largest);
    for (int i = 0; i < n; i++) {
        pivot->q[i] /= pivot->q_scale;
        pivot->is_free[i] = problem->lo && problem->hi && isinf(problem->lo[i]);
    }
    pivot->is_free[n] = false;
    memset(column_of(pivot, n), 0, (size_t)n * sizeof(double));
}

// ---------------------------------------------------------------------------------------------
// Kernels

/// y += sum over p < count of factor[p] * column[index[p]], four columns at a time so that y is
/// read and written less often.
TACT_CLONES static void add_columns(int n, const double *columns, size_t ld, int count,
                                    const int *index, const double *factor, double *restrict y)
{
    int p = 0;
    for (; p + 4 <= count; p += 4) {
        const double *a = columns + (size_t)index[p] * ld;
        const double *b = columns + (size_t)index[p + 1] * ld;
        const double *c = columns + (size_t)index[p + 2] * ld;
        const double *d = columns + (size_t)index[p + 3] * ld;
        double        fa = factor[p], fb = factor[p + 1], fc = factor[p + 2], fd = factor[p + 3];
        for (int i = 0; i < n; i++) {
            y[i] = (((y[i] + fa * a[i]) + fb * b[i]) + fc * c[i]) + fd * d[i];
        }
    }
    for (; p < count; p++) {
        const double *a = columns + (size_t)index[p] * ld;
        double        fa = factor[p];
        for (int i = 0; i < n; i++) {
            y[i] += fa * a[i];
        }
    }
}

/// y -= (factor of each row) * rows, i.e. y_c -= sum_r factor_r rows[r][c]
TACT_CLONES static void subtract_rows(int k, const double *rows, size_t ld, const double *factor,
                                      double *restrict y)
{
    for (int r = 0; r < k; r++) {
        const double *a = rows + (size_t)r * ld;
        double        f = factor[r];
        if (f != 0) {
            for (int c = 0; c < k; c++) {
                y[c] -= f * a[c];
            }
        }
    }
}

/// rows[r] += factor_r * x for all r except `skip`
TACT_CLONES static void add_outer(int rows_count, int k, double *restrict rows, size_t ld,
                                  const double *factor, const double *restrict x, int skip)
{
    for (int r = 0; r < rows_count; r++) {
        double *a = rows + (size_t)r * ld;
        double  f = factor[r];
        if (r != skip && f != 0) {
            for (int c = 0; c < k; c++) {
                a[c] += f * x[c];
            }
        }
    }
}

/// product_r = sum_c rows[r][c] h_c, in four fixed lanes
TACT_CLONES static void rows_times(int k, const double *restrict rows, size_t ld,
                                   const double *restrict h, double *restrict product)
{
    for (int r = 0; r < k; r++) {
        const double *a = rows + (size_t)r * ld;
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
        product[r] = sum;
    }
}

// ---------------------------------------------------------------------------------------------
// Basis and values

/// z_col = -K^-1 q_row, w = q + M z; with one step of refinement on the rows of non-basic w.
static void compute_values(TactPivot *pivot)
{
    int n = pivot->n;
    int k = pivot->k;
    memset(pivot->z, 0, (size_t)k * sizeof(double));
    memcpy(pivot->w, pivot->q, (size_t)n * sizeof(double));
    for (int pass = 0; pass < 2 && k > 0; pass++) {
        double *residual = pivot->product;
        for (int r = 0; r < k; r++) {
            residual[r] = pivot->w[pivot->row[r]];
        }
        double *change = pivot->dz;
        memset(change, 0, (size_t)k * sizeof(double));
        subtract_rows(k, pivot->inverse, pivot->ld, residual, change);
        add_columns(n, pivot->columns, pivot->ld, k, pivot->col, change, pivot->w);
        for (int c = 0; c < k; c++) {
            pivot->z[c] += change[c];
        }
    }
    for (int r = 0; r < k; r++) {
        pivot->w[pivot->row[r]] = 0;
    }
}

bool tact_pivot_refactor(TactPivot *pivot)
{
    int k = pivot->k;
    // K transposed: its inverse is what we keep, and its rows are parts of contiguous columns.
    for (int c = 0; c < k; c++) {
        const double *column = column_of(pivot, pivot->col[c]);
        double       *row = pivot->block + (size_t)c * pivot->ld;
        for (int r = 0; r < k; r++) {
            row[r] = column[pivot->row[r]];
        }
    }
    int ld = (int)pivot->ld;
    if (tact_lu_factor(k, pivot->block, ld, pivot->permutation, SINGULAR_TOL) >= 0) {
        return false;
    }
    tact_lu_invert(k, pivot->block, ld, pivot->permutation, pivot->inverse, ld);
    compute_values(pivot);
    return true;
}

bool tact_pivot_set_basis(TactPivot *pivot, const unsigned char *basic)
{
    pivot->k = 0;
    pivot->col_place[pivot->n] = -1;
    for (int j = 0; j < pivot->n; j++) {
        bool in = pivot->is_free[j] || (basic && basic[j] == TACT_LCP_BASIC);
        pivot->col_place[j] = pivot->row_place[j] = in ? pivot->k : -1;
        if (in) {
            pivot->col[pivot->k] = pivot->row[pivot->k] = j;
            pivot->k++;
        }
    }
    return tact_pivot_refactor(pivot);
}

void tact_pivot_cover(TactPivot *pivot, const double *cover, TactRandom *random)
{
    int     n = pivot->n;
    double *c = column_of(pivot, n);
    bool    only_free = true;
    for (int p = 0; p < pivot->k; p++) {
        only_free = only_free && pivot->is_free[pivot->col[p]];
    }
    // Rates wanted of the basic variables: r > 0 where one can block, 0 for a free z. Then
    //     c_row = -K r_col,    c_b = r_b - M_(b,col) r_col
    double *rate_z = pivot->dz;
    for (int i = 0; i < n; i++) {
        double rate = random ? tact_random_uniform(random, 1, 2) : 1;
        int    place = pivot->col_place[i];
        c[i] = place < 0 ? rate * (cover && only_free ? pivot->scale[i] * cover[i] : 1) : 0;
        if (place >= 0) {
            rate_z[place] = pivot->is_free[i] ? 0 : -rate;
        }
    }
    add_columns(n, pivot->columns, pivot->ld, pivot->k, pivot->col, rate_z, c);
}

// ---------------------------------------------------------------------------------------------
// Column of a driving variable

/// What dw should be at the rows of non-basic w, subtracted: 0 everywhere but for rounding.
static double column_drift(const TactPivot *pivot, int driving, double *residual)
{
    double drift = 0;
    for (int r = 0; r < pivot->k; r++) {
        double target = driving == pivot->n + 1 + pivot->row[r] ? 1 : 0;
        residual[r] = pivot->dw[pivot->row[r]] - target;
        drift = fmax(drift, fabs(residual[r]));
    }
    return drift;
}

double tact_pivot_column_size(const TactPivot *pivot)
{
    double size = 1;
    for (int c = 0; c < pivot->k; c++) {
        size = fmax(size, fabs(pivot->dz[c]));
    }
    return size;
}

static void compute_column(TactPivot *pivot, int driving)
{
    int n = pivot->n;
    int k = pivot->k;
    if (driving > n) { // w_i: dz = K^-1 e_i
        const double *row = inverse_row(pivot, pivot->row_place[driving - n - 1]);
        memcpy(pivot->dz, row, (size_t)k * sizeof(double));
        memset(pivot->dw, 0, (size_t)n * sizeof(double));
    } else { // z_j: dz = -K^-1 M_(row,j)
        const double *column = column_of(pivot, driving);
        double       *gathered = pivot->product;
        for (int r = 0; r < k; r++) {
            gathered[r] = column[pivot->row[r]];
        }
        memset(pivot->dz, 0, (size_t)k * sizeof(double));
        subtract_rows(k, pivot->inverse, pivot->ld, gathered, pivot->dz);
        memcpy(pivot->dw, column, (size_t)n * sizeof(double));
    }
    add_columns(n, pivot->columns, pivot->ld, k, pivot->col, pivot->dz, pivot->dw);
}

static void refine_column(TactPivot *pivot, const double *residual)
{
    int     k = pivot->k;
    double *change = pivot->block; // free while no factorisation runs
    memset(change, 0, (size_t)k * sizeof(double));
    subtract_rows(k, pivot->inverse, pivot->ld, residual, change);
    add_columns(pivot->n, pivot->columns, pivot->ld, k, pivot->col, change, pivot->dw);
    for (int c = 0; c < k; c++) {
        pivot->dz[c] += change[c];
    }
}

bool tact_pivot_column(TactPivot *pivot, int driving)
{
    compute_column(pivot, driving);
    double *residual = pivot->product;
    double  drift = column_drift(pivot, driving, residual);
    if (!(drift <= DRIFT_REFINE * tact_pivot_column_size(pivot))) {
        refine_column(pivot, residual);
        drift = column_drift(pivot, driving, residual);
        if (!(drift <= DRIFT_REFACTOR * tact_pivot_column_size(pivot))) {
            pivot->refactors++;
            if (!tact_pivot_refactor(pivot)) {
                return false;
            }
            compute_column(pivot, driving);
            column_drift(pivot, driving, residual);
            refine_column(pivot, residual);
        }
    }
    for (int r = 0; r < pivot->k; r++) {
        pivot->dw[pivot->row[r]] = 0; // the driving w itself never blocks
    }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Exchange

void tact_pivot_row_product(TactPivot *pivot, int i)
{
    int     k = pivot->k;
    double *h = pivot->block;
    for (int c = 0; c < k; c++) {
        h[c] = column_of(pivot, pivot->col[c])[i];
    }
    rows_times(k, pivot->inverse, pivot->ld, h, pivot->product);
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
    add_outer(k, k, pivot->inverse, pivot->ld, factor, pivot->dz, -1);
    double *last = inverse_row(pivot, k);
    for (int r = 0; r < k; r++) {
        inverse_row(pivot, r)[k] = factor[r];
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
        factor[r] = inverse_row(pivot, r)[p] / -pivot->dz[p];
    }
    add_outer(k, k, pivot->inverse, pivot->ld, factor, pivot->dz, -1);
    for (int r = 0; r < k; r++) {
        inverse_row(pivot, r)[p] = factor[r];
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
    double *row = inverse_row(pivot, p);
    for (int c = 0; c < k; c++) {
        row[c] /= s;
    }
    for (int r = 0; r < k; r++) {
        factor[r] = -factor[r];
    }
    add_outer(k, k, pivot->inverse, pivot->ld, factor, row, p);
    pivot->row_place[pivot->row[p]] = -1;
    put_row(pivot, p, i);
}

/// w at place p enters, the z at place l leaves: K loses row p and column l.
static void shrink(TactPivot *pivot, int p, int l)
{
    int     k = pivot->k;
    double *row = inverse_row(pivot, p);
    double *factor = pivot->product;
    for (int r = 0; r < k; r++) {
        factor[r] = -inverse_row(pivot, r)[l] / row[l];
    }
    add_outer(k, k, pivot->inverse, pivot->ld, factor, row, p);
    pivot->row_place[pivot->row[p]] = -1;
    pivot->col_place[pivot->col[l]] = -1;
    int last = k - 1;
    if (p != last) {
        memcpy(row, inverse_row(pivot, last), (size_t)k * sizeof(double));
        put_row(pivot, p, pivot->row[last]);
    }
    if (l != last) {
        for (int r = 0; r < last; r++) {
            inverse_row(pivot, r)[l] = inverse_row(pivot, r)[last];
        }
        pivot->z[l] = pivot->z[last];
        put_col(pivot, l, pivot->col[last]);
    }
    pivot->k--;
}

void tact_pivot_exchange(TactPivot *pivot, int driving, int leaving, double step)
{
    int n = pivot->n;
    for (int c = 0; c < pivot->k; c++) {
        pivot->z[c] += step * pivot->dz[c];
    }
    for (int i = 0; i < n; i++) {
        pivot->w[i] += step * pivot->dw[i];
    }
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

double tact_pivot_renew_values(TactPivot *pivot)
{
    memcpy(pivot->w, pivot->q, (size_t)pivot->n * sizeof(double));
    add_columns(pivot->n, pivot->columns, pivot->ld, pivot->k, pivot->col, pivot->z, pivot->w);
    double error = 0;
    for (int r = 0; r < pivot->k; r++) {
        error = fmax(error, fabs(pivot->w[pivot->row[r]]));
        pivot->w[pivot->row[r]] = 0;
    }
    return error;
}

// ---------------------------------------------------------------------------------------------
// End

/// q_i + M_(i,col) z in double-double arithmetic.
static double exact_row(const TactPivot *pivot, int i)
{
    double hi = pivot->q[i];
    double lo = 0;
    for (int c = 0; c < pivot->k; c++) {
        double a = column_of(pivot, pivot->col[c])[i];
        double product = a * pivot->z[c];
        double product_error = fma(a, pivot->z[c], -product);
        double sum = hi + product;
        double part = sum - hi;
        lo += ((hi - (sum - part)) + (product - part)) + product_error;
        hi = sum;
    }
    return hi + lo;
}

/// z -= K^-1 (K z + q_row), the bracket without rounding. Returns its largest entry before.
TACT_CLONES static double refine_values(TactPivot *pivot)
{
    double  largest = 0;
    double *residual = pivot->product;
    for (int r = 0; r < pivot->k; r++) {
        residual[r] = exact_row(pivot, pivot->row[r]);
        largest = fmax(largest, fabs(residual[r]));
    }
    subtract_rows(pivot->k, pivot->inverse, pivot->ld, residual, pivot->z);
    return largest;
}

bool tact_pivot_finish(TactPivot *pivot)
{
    // Two refinements with the updated inverse; if they do not contract, two with a new one.
    double first = refine_values(pivot);
    double second = refine_values(pivot);
    if (!(second <= 1e-3 * first || second <= 1e-15)) {
        if (!tact_pivot_refactor(pivot)) {
            return false;
        }
        refine_values(pivot);
        refine_values(pivot);
    }
    return true;
}

void tact_pivot_write(const TactPivot *pivot, const TactLcpProblem *problem, double *z,
                      unsigned char *basis)
{
    for (int j = 0; j < pivot->n; j++) {
        double lo = problem->lo && isfinite(problem->lo[j]) ? problem->lo[j] : 0;
        int    place = pivot->col_place[j];
        basis[j] = place >= 0 ? TACT_LCP_BASIC : TACT_LCP_AT_LO;
        z[j] = lo + (place >= 0 ? pivot->scale[j] * pivot->q_scale * pivot->z[place] : 0);
    }
}
