#include "lcp/pivot/pivot.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "lcp/pivot/equilibrate.h"
#include "linalg/lane_loops.h"
#include "linalg/lu.h"
#include "linalg/rank.h"
#include "linalg/vector.h"

// Drift of a column, relative to its size: refined above the first, factored anew above the second.
static const double DRIFT_REFINE = 1e-13;
static const double DRIFT_REFACTOR = 1e-12;

// A refinement that leaves more than this part of the error does not contract.
static const double CONTRACTS = 1e-3;

// Error of the values above which they are refined.
static const double VALUE_REFINE = 1e-13;

void tact_pivot_layout(TactPivot *pivot, int max_n, TactArena *arena)
{
    size_t  n = (size_t)max_n;
    size_t  ld = (n + 8) / 8 * 8; // n + 1, rounded up to whole cache lines
    double *columns = tact_arena_take(arena, (n + 1) * ld, sizeof(double));
    double *inverse = tact_arena_take(arena, (n + 1) * ld, sizeof(double));
    double *block = tact_arena_take(arena, (n + 1) * ld, sizeof(double));
    double *values = tact_arena_take(arena, 9 * ld, sizeof(double));
    int    *places = tact_arena_take(arena, 6 * ld, sizeof(int));
    bool   *flags = tact_arena_take(arena, 2 * ld, sizeof(bool));
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
        .ratio = values + 7 * ld,
        .col = places,
        .row = places + ld,
        .col_place = places + 2 * ld,
        .row_place = places + 3 * ld,
        .permutation = places + 4 * ld,
        .list = places + 5 * ld,
        .is_free = flags,
        .is_dropped = flags + ld,
    };
}

static double *column_of_variable(const TactPivot *pivot, int j)
{
    return pivot->columns + (size_t)j * pivot->ld;
}

/// The larger of two, NaN if one is: fmax() would hide it.
static double larger_of(double a, double b)
{
    return b > a || isnan(b) ? b : a;
}

/// pivot->q = q + M lo, as z is counted from its lower bounds; those of free variables are 0.
static void load_offset(TactPivot *pivot, const TactLcpProblem *problem)
{
    int     n = problem->n;
    double *lo = pivot->w;
    bool    shifted = false;
    for (int j = 0; j < n; j++) {
        lo[j] = problem->lo && isfinite(problem->lo[j]) ? problem->lo[j] : 0;
        shifted = shifted || lo[j] != 0;
    }
    for (int i = 0; i < n; i++) {
        double        q = problem->q[i];
        const double *row = problem->M + (size_t)i * (size_t)n;
        pivot->q[i] = shifted ? -tact_vec_residual(n, row, lo, -q) : q;
    }
}

void tact_pivot_load(TactPivot *pivot, const TactLcpProblem *problem)
{
    int n = problem->n;
    pivot->n = n;
    pivot->k = 0;
    pivot->refactors = 0;
    tact_equilibrate(n, problem->M, pivot->columns, pivot->ld, pivot->scale);

    load_offset(pivot, problem);
    double largest = 0;
    for (int i = 0; i < n; i++) {
        pivot->q[i] *= pivot->scale[i];
        largest = fmax(largest, fabs(pivot->q[i]));
    }
    pivot->q_scale = tact_power_of_two(largest);
    for (int i = 0; i < n; i++) {
        pivot->q[i] /= pivot->q_scale;
        pivot->is_free[i] = problem->lo && isinf(problem->lo[i]);
        pivot->is_dropped[i] = false;
    }
    pivot->is_free[n] = false;
    memset(column_of_variable(pivot, n), 0, (size_t)n * sizeof(double));
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

/// y_c -= sum_r factor_r rows[r][c]
TACT_CLONES static void subtract_rows(int k, const double *rows, size_t ld, const double *factor,
                                      double *y)
{
    int r = 0;
    for (; r + 4 <= k; r += 4) {
        double minus[4] = {-factor[r], -factor[r + 1], -factor[r + 2], -factor[r + 3]};
        tact_lanes_axpy4(k, minus, rows + (size_t)r * ld, ld, y);
    }
    for (; r < k; r++) {
        tact_lanes_axpy(k, -factor[r], rows + (size_t)r * ld, y);
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
        const double *column = column_of_variable(pivot, pivot->col[c]);
        double       *row = pivot->block + (size_t)c * pivot->ld;
        for (int r = 0; r < k; r++) {
            row[r] = column[pivot->row[r]];
        }
    }
    int ld = (int)pivot->ld;
    // Never LAPACK: its bits differ from one machine to the next.
    if (tact_lu_factor_small(k, pivot->block, ld, pivot->permutation, TACT_SINGULAR_BASIS) >= 0) {
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
        bool in = pivot->is_free[j] || (basic && basic[j] == TACT_LCP_STATE_BASIC);
        pivot->col_place[j] = pivot->row_place[j] = in ? pivot->k : -1;
        if (in) {
            pivot->col[pivot->k] = pivot->row[pivot->k] = j;
            pivot->k++;
        }
    }
    return tact_pivot_refactor(pivot);
}

/// c_i = d_i cover_i, the largest near 1; 1 without a cover.
static void load_cover(const TactPivot *pivot, const double *cover, double *c)
{
    int    n = pivot->n;
    double largest = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, cover ? cover[i] : 1);
    }
    double unit = tact_power_of_two(largest);
    largest = 0;
    for (int i = 0; i < n; i++) {
        c[i] = cover ? cover[i] / unit * pivot->scale[i] : 1;
        largest = fmax(largest, pivot->is_free[i] ? 0 : c[i]);
    }
    unit = tact_power_of_two(largest);
    for (int i = 0; i < n; i++) {
        c[i] /= unit;
    }
}

void tact_pivot_cover(TactPivot *pivot, const double *cover, TactRandom *random)
{
    // The rates r that the basic variables shall have along z0 give
    //     c_row = -K r_col,    c_b = r_b - M_(b,col) r_col
    int     n = pivot->n;
    double *c = column_of_variable(pivot, n);
    double *minus_rate = pivot->dz;
    load_cover(pivot, cover, c);
    for (int i = 0; i < n; i++) {
        double factor = random ? tact_random_uniform(random, 1, 2) : 1;
        int    place = pivot->col_place[i];
        if (place < 0) {
            c[i] *= pivot->is_dropped[i] ? 0 : factor;
        } else {
            c[i] = 0;
            minus_rate[place] = pivot->is_free[i] ? 0 : -factor;
        }
    }
    add_columns(n, pivot->columns, pivot->ld, pivot->k, pivot->col, minus_rate, c);
}

// ---------------------------------------------------------------------------------------------
// Column of a driving variable

/// What dw has at the rows of non-basic w, less what it should have: 0 everywhere but for rounding.
static double column_drift(TactPivot *pivot, int driving, double *residual)
{
    double drift = 0;
    for (int r = 0; r < pivot->k; r++) {
        double target = driving == pivot->n + 1 + pivot->row[r] ? 1 : 0;
        residual[r] = pivot->dw[pivot->row[r]] - target;
        drift = larger_of(drift, fabs(residual[r]));
    }
    pivot->column_size = fmax(1, tact_vec_max_abs(pivot->k, pivot->dz));
    return drift / pivot->column_size;
}

static void compute_column(TactPivot *pivot, int driving)
{
    int n = pivot->n;
    int k = pivot->k;
    if (driving > n) { // w_i: dz = K^-1 e_i
        const double *row = tact_pivot_inverse_row(pivot, pivot->row_place[driving - n - 1]);
        memcpy(pivot->dz, row, (size_t)k * sizeof(double));
        memset(pivot->dw, 0, (size_t)n * sizeof(double));
    } else { // z_j: dz = -K^-1 M_(row,j)
        const double *column = column_of_variable(pivot, driving);
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
    double *residual = pivot->product;
    compute_column(pivot, driving);
    double drift = column_drift(pivot, driving, residual);
    if (!(drift <= DRIFT_REFINE)) { // or NaN
        refine_column(pivot, residual);
        drift = column_drift(pivot, driving, residual);
    }
    if (!(drift <= DRIFT_REFACTOR)) {
        pivot->refactors++;
        if (!tact_pivot_refactor(pivot)) {
            return false;
        }
        compute_column(pivot, driving);
        column_drift(pivot, driving, residual);
        refine_column(pivot, residual);
        drift = column_drift(pivot, driving, residual);
    }
    for (int r = 0; r < pivot->k; r++) {
        pivot->dw[pivot->row[r]] = 0; // the driving w itself never blocks
    }
    return isfinite(drift);
}

// ---------------------------------------------------------------------------------------------
// End

/// w = q + [M c] z. Returns the largest |w| at the rows of non-basic w, and all of them in
/// residual.
static double renew_w(TactPivot *pivot, double *residual)
{
    memcpy(pivot->w, pivot->q, (size_t)pivot->n * sizeof(double));
    add_columns(pivot->n, pivot->columns, pivot->ld, pivot->k, pivot->col, pivot->z, pivot->w);
    double error = 0;
    for (int r = 0; r < pivot->k; r++) {
        residual[r] = pivot->w[pivot->row[r]];
        error = larger_of(error, fabs(residual[r]));
    }
    return error;
}

double tact_pivot_renew_values(TactPivot *pivot)
{
    double *residual = pivot->product;
    double  error = renew_w(pivot, residual);
    if (!(error <= VALUE_REFINE)) {
        subtract_rows(pivot->k, pivot->inverse, pivot->ld, residual, pivot->z);
        error = renew_w(pivot, residual);
    }
    for (int r = 0; r < pivot->k; r++) {
        pivot->w[pivot->row[r]] = 0;
    }
    return error / fmax(1, tact_vec_max_abs(pivot->k, pivot->z));
}

/// q_i + M_(i,col) z in double-double arithmetic.
static double exact_row(const TactPivot *pivot, int i)
{
    double hi = pivot->q[i];
    double lo = 0;
    for (int c = 0; c < pivot->k; c++) {
        double a = column_of_variable(pivot, pivot->col[c])[i];
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
        largest = larger_of(largest, fabs(residual[r]));
    }
    subtract_rows(pivot->k, pivot->inverse, pivot->ld, residual, pivot->z);
    return largest;
}

/// What the rounding of z alone leaves of |K z + q_row|: 2^-53 |K| |z|, with |K_ij| <= 4.
static double unavoidable_residual(const TactPivot *pivot)
{
    double sum = 1;
    for (int c = 0; c < pivot->k; c++) {
        sum += fabs(pivot->z[c]);
    }
    return 0x1p-51 * sum;
}

bool tact_pivot_finish(TactPivot *pivot)
{
    // Two refinements with the updated inverse; if they do not contract, two with a new one.
    double first = refine_values(pivot);
    double second = refine_values(pivot);
    if (!(second <= CONTRACTS * first || second <= unavoidable_residual(pivot))) {
        pivot->refactors++;
        if (!tact_pivot_refactor(pivot)) {
            return false;
        }
        refine_values(pivot);
        second = refine_values(pivot);
    }
    return isfinite(second);
}

void tact_pivot_write(const TactPivot *pivot, const TactLcpProblem *problem, double *z,
                      unsigned char *basis)
{
    int q_exponent = ilogb(pivot->q_scale);
    for (int j = 0; j < pivot->n; j++) {
        int place = pivot->col_place[j];
        basis[j] = place >= 0 ? TACT_LCP_STATE_BASIC : TACT_LCP_STATE_AT_LO;
        z[j] = problem->lo && isfinite(problem->lo[j]) ? problem->lo[j] : 0;
        if (place >= 0) { // the product of both scales may overflow where z_j does not
            z[j] += scalbn(pivot->z[place], ilogb(pivot->scale[j]) + q_exponent);
        }
    }
}
