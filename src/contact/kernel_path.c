// Lemke's almost complementary path over the kernel: ratio test, exchange, friction on demand.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "contact/kernel_internal.h"
#include "linalg/exchange.h"

// Rates smaller than this, relative to the column, do not block.
static const double PIVOT_TOL = 1e-9;

// z0 wins ties; below the second it counts as gone although nothing lets it leave.
static const double LEAVE_TIE = 1e-10;
static const double Z0_GONE = 1e-13;

// Covering vector: a large c_sigma postpones friction until the normals are settled.
static const double COVER_SIGMA = 100;
static const double COVER_GAMMA = 0.01;

// ---------------------------------------------------------------------------------------------
// Exchange

static bool is_unknown(TactVar variable)
{
    return variable == TACT_VAR_Z0 || (tact_var_kind(variable) & 4) == 0;
}

static int col_place(const TactKernel *kernel, TactVar variable)
{
    return variable == TACT_VAR_Z0 ? kernel->z0_place : *tact_kernel_place(kernel, variable);
}

TACT_CLONES static void add_scaled(int n, double a, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        y[i] += a * x[i];
    }
}

static void step_values(TactKernel *kernel, double step)
{
    add_scaled(kernel->k, step, kernel->dz, kernel->z);
    add_scaled(3 * kernel->system->stride, step, kernel->rate.n, kernel->value.n);
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        kernel->value.lambda[i] += step * kernel->rate.lambda[i];
        kernel->value.gamma[i] += step * kernel->rate.gamma[i];
    }
}

/// h' K^-1 of a leaving row.
static const double *row_product(TactKernel *kernel, TactVar row)
{
    tact_kernel_row_entries(kernel, row, kernel->gather);
    tact_exchange_row_product(kernel->k, kernel->inverse, kernel->ld, kernel->gather,
                              kernel->change);
    return kernel->change;
}

static void remove_place(TactKernel *kernel, int row_place, int place)
{
    int last = kernel->k - 1;
    tact_kernel_forget_row(kernel, kernel->row[row_place]);
    tact_kernel_forget_col(kernel, kernel->col[place]);
    if (row_place != last) {
        tact_kernel_put_row(kernel, row_place, kernel->row[last]);
    }
    if (place != last) {
        kernel->z[place] = kernel->z[last];
        tact_kernel_put_col(kernel, place, kernel->col[last]);
    }
    kernel->k--;
}

static void exchange(TactKernel *kernel, TactVar driving, TactVar leaving, double step)
{
    int     k = kernel->k;
    double *T = kernel->inverse;
    step_values(kernel, step);
    if (is_unknown(driving) && !is_unknown(leaving)) {
        double        dz0 = tact_kernel_z0_rate(kernel, driving);
        double        s = tact_kernel_row_value(kernel, &kernel->rate, kernel->dz, dz0, leaving);
        const double *u = row_product(kernel, leaving);
        tact_exchange_grow(k, T, kernel->ld, kernel->dz, u, s);
        tact_kernel_put_col(kernel, k, driving);
        tact_kernel_put_row(kernel, k, leaving);
        kernel->z[k] = step;
        kernel->k++;
    } else if (is_unknown(driving)) {
        int p = col_place(kernel, leaving);
        tact_exchange_column(k, T, kernel->ld, kernel->dz, p);
        tact_kernel_forget_col(kernel, leaving);
        tact_kernel_put_col(kernel, p, driving);
        kernel->z[p] = step;
    } else if (!is_unknown(leaving)) {
        int p = *tact_kernel_place(kernel, driving);
        tact_exchange_row(k, T, kernel->ld, row_product(kernel, leaving), p);
        tact_kernel_forget_row(kernel, driving);
        tact_kernel_put_row(kernel, p, leaving);
    } else {
        int p = *tact_kernel_place(kernel, driving);
        int l = col_place(kernel, leaving);
        tact_exchange_shrink(k, T, kernel->ld, p, l);
        remove_place(kernel, p, l);
    }
    if (leaving >= 0 && tact_var_kind(leaving) == TACT_VAR_LAMBDA) {
        kernel->value.lambda[tact_var_item(leaving)] = 0;
        kernel->rate.lambda[tact_var_item(leaving)] = 0;
    }
    kernel->pivots++;
}

// ---------------------------------------------------------------------------------------------
// All basic variables in one flat list: unknowns, nu, then sigma and gamma of the items with
// friction. What is not basic, or may have any sign, has rate 0 and does not block.

TACT_CLONES static void flatten_masked(int n, const double *restrict x, double cover_factor,
                                       const double *restrict cover,
                                       const double *restrict cover_more,
                                       const double *restrict mask, double *restrict out)
{
    for (int i = 0; i < n; i++) {
        out[i] = mask[i] * (x[i] + cover_factor * (cover[i] + cover_more[i]));
    }
}

/// sigma of one item: c t1 + s t2 + (lambda + cover)
static inline void flatten_sigma(const TactKernel *kernel, int i, const TactRowValues *values,
                                 double z0, double *restrict out)
{
    size_t        first = tact_kernel_directions(i);
    const double *c = kernel->cosine + first;
    const double *s = kernel->sine + first;
    const double *mask = kernel->sigma_basic + first;
    const double *cover = kernel->cover_sigma + first;
    int           d = (kernel->system->items[i].directions + 3) / 4 * 4;
    double        t1 = values->t1[i] + z0 * kernel->cover.t1[i];
    double        t2 = values->t2[i] + z0 * kernel->cover.t2[i];
    double        lambda = values->lambda[i] + z0 * kernel->cover.lambda[i];
    for (int j = 0; j < d; j++) {
        out[j] = mask[j] * ((c[j] * t1 + s[j] * t2) + (lambda + z0 * cover[j]));
    }
}

TACT_CLONES static int flatten_friction(const TactKernel *kernel, const TactRowValues *values,
                                        double z0, double *out)
{
    int used = 0;
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        flatten_sigma(kernel, i, values, z0, out + used);
        used += (kernel->system->items[i].directions + 3) / 4 * 4;
    }
    for (int f = 0; f < kernel->friction_count; f++) {
        int    i = kernel->with_friction[f];
        double cover = kernel->cover_gamma[i] + kernel->cover.gamma[i];
        bool   basic = kernel->place[TACT_VAR_GAMMA][i] < 0;
        out[used++] = basic ? values->gamma[i] + z0 * cover : 0;
    }
    return used;
}

/// Values or rates of all basic variables. Returns how many entries.
static int flatten(const TactKernel *kernel, const double *z, const TactRowValues *values,
                   double z0, double *out)
{
    int k = kernel->k;
    for (int c = 0; c < k; c++) {
        TactVar variable = kernel->col[c];
        bool    any_sign = variable == TACT_VAR_Z0 || tact_var_kind(variable) == TACT_VAR_DAMPER;
        out[c] = any_sign ? 0 : z[c];
    }
    int items = kernel->system->item_count;
    flatten_masked(items, values->n, z0, kernel->cover_nu, kernel->cover.n, kernel->nu_basic,
                   out + k);
    return k + items + flatten_friction(kernel, values, z0, out + k + items);
}

/// The variable of an entry of the flat list.
static TactVar variable_at(const TactKernel *kernel, int entry)
{
    if (entry < kernel->k) {
        return kernel->col[entry];
    }
    entry -= kernel->k;
    if (entry < kernel->system->item_count) {
        return tact_var(TACT_VAR_NU, entry, 0);
    }
    entry -= kernel->system->item_count;
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        int d = (kernel->system->items[i].directions + 3) / 4 * 4;
        if (entry < d) {
            return tact_var(TACT_VAR_SIGMA, i, entry);
        }
        entry -= d;
    }
    return tact_var(TACT_VAR_GAMMA, kernel->with_friction[entry], 0);
}

// ---------------------------------------------------------------------------------------------
// Ratio test in two passes [Harris 1973]: how far without any value below -tie, then the largest
// pivot among the rows that this step brings to 0.

TACT_CLONES static double longest_step(int n, const double *value, const double *rate, double tol,
                                       double tie)
{
    double least[8];
    for (int l = 0; l < 8; l++) {
        least[l] = HUGE_VAL;
    }
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        for (int l = 0; l < 8; l++) {
            double held = value[i + l] > 0 ? value[i + l] : 0;
            double step = (held + tie) / -rate[i + l];
            step = rate[i + l] < -tol ? step : HUGE_VAL;
            least[l] = step < least[l] ? step : least[l];
        }
    }
    for (; i < n; i++) {
        double held = value[i] > 0 ? value[i] : 0;
        if (rate[i] < -tol) {
            double step = (held + tie) / -rate[i];
            least[0] = step < least[0] ? step : least[0];
        }
    }
    double step = least[0];
    for (int l = 1; l < 8; l++) {
        step = least[l] < step ? least[l] : step;
    }
    return step;
}

/// Largest pivot among the entries that reach 0 by the step `limit`; -1: none.
static int largest_pivot(int n, const double *value, const double *rate, double tol, double limit)
{
    int    best = -1;
    double pivot = tol;
    for (int i = 0; i < n; i++) {
        if (-rate[i] > pivot && value[i] <= limit * -rate[i]) {
            best = i;
            pivot = -rate[i];
        }
    }
    return best;
}

/// z0 enters: the last value to be lifted to 0 leaves, the largest rate among ties.
static TactVar choose_entry(TactKernel *kernel, double tie, double *step)
{
    double *value = kernel->flat_value;
    double *rate = kernel->flat_rate;
    int     n = flatten(kernel, kernel->z, &kernel->value, 0, value);
    flatten(kernel, kernel->dz, &kernel->rate, 1, rate);
    double tol = PIVOT_TOL * tact_kernel_column_size(kernel);
    double limit = 0;
    for (int i = 0; i < n; i++) {
        if (rate[i] > tol && -value[i] - tie > limit * rate[i]) {
            limit = (-value[i] - tie) / rate[i];
        }
    }
    int best = -1;
    for (int i = 0; i < n; i++) {
        if (rate[i] > tol && -value[i] >= limit * rate[i] && (best < 0 || rate[i] > rate[best])) {
            best = i;
        }
    }
    if (best < 0) {
        return TACT_VAR_NONE;
    }
    *step = -value[best] / rate[best];
    return variable_at(kernel, best);
}

static TactVar choose_leaving(TactKernel *kernel, double tie, double *step)
{
    double *value = kernel->flat_value;
    double *rate = kernel->flat_rate;
    double  dz0 = kernel->dz[kernel->z0_place];
    double  z0 = tact_kernel_z0(kernel);
    int     n = flatten(kernel, kernel->z, &kernel->value, z0, value);
    flatten(kernel, kernel->dz, &kernel->rate, dz0, rate);
    double tol = PIVOT_TOL * tact_kernel_column_size(kernel);
    double limit = longest_step(n, value, rate, tol, tie);
    if (dz0 < -tol) {
        double leave = (z0 > 0 ? z0 : 0) / -dz0;
        if (leave <= limit + LEAVE_TIE * (1 + limit)) {
            *step = leave;
            return TACT_VAR_Z0;
        }
    }
    int best = limit < HUGE_VAL ? largest_pivot(n, value, rate, tol, limit) : -1;
    if (best < 0) {
        return TACT_VAR_NONE;
    }
    *step = (value[best] > 0 ? value[best] : 0) / -rate[best];
    return variable_at(kernel, best);
}

double tact_kernel_lowest(TactKernel *kernel)
{
    int n = flatten(kernel, kernel->z, &kernel->value, tact_kernel_z0(kernel), kernel->flat_value);
    double lowest = 0;
    for (int i = 0; i < n; i++) {
        lowest = kernel->flat_value[i] < lowest ? kernel->flat_value[i] : lowest;
    }
    return lowest;
}

// ---------------------------------------------------------------------------------------------
// Path

static void cover_friction(TactKernel *kernel, int i, double sigma)
{
    size_t first = tact_kernel_directions(i);
    for (int j = 0; j < kernel->system->items[i].directions; j++) {
        bool held = kernel->place[TACT_VAR_SIGMA][first + (size_t)j] >= 0;
        kernel->cover_sigma[first + (size_t)j] = held ? 0 : sigma;
    }
    kernel->cover_gamma[i] = kernel->place[TACT_VAR_GAMMA][i] >= 0 ? 0 : COVER_GAMMA;
}

/// Friction of a contact that becomes active, with c_sigma so large that no sigma starts below 0
/// [Lloyd04, app. D; eq. 59].
static void activate(TactKernel *kernel, int i)
{
    if (kernel->friction[i] || kernel->system->items[i].directions == 0) {
        return;
    }
    tact_kernel_add_friction(kernel, i);
    double z0 = tact_kernel_z0(kernel);
    double t1 = kernel->value.t1[i] + kernel->cover.t1[i] * z0;
    double t2 = kernel->value.t2[i] + kernel->cover.t2[i] * z0;
    double needed = z0 > 0 ? 1.01 * sqrt(t1 * t1 + t2 * t2) / z0 : 0;
    cover_friction(kernel, i, needed > COVER_SIGMA ? needed : COVER_SIGMA);
}

/// Rates of the basic variables along z0: random for nu, COVER_SIGMA, COVER_GAMMA. From a basis
/// with unknowns the column of z0 is minus that of the basis with rates 1 of the unknowns, plus
/// the rates themselves on the basic rows: then every basic variable grows with z0.
static void set_cover(TactKernel *kernel, TactKernelPath *path)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        double nu = tact_random_uniform(&path->random, 1, 2);
        kernel->cover_nu[i] = kernel->place[TACT_VAR_NU][i] >= 0 ? 0 : nu;
        if (kernel->friction[i]) {
            cover_friction(kernel, i, COVER_SIGMA);
        }
    }
    for (int c = 0; c < kernel->k; c++) {
        kernel->dz[c] = tact_var_kind(kernel->col[c]) == TACT_VAR_DAMPER ? 0 : -1;
    }
    if (kernel->k > 0) {
        tact_kernel_rows(kernel, kernel->dz, TACT_VAR_NONE, false, &kernel->cover);
    }
}

TactContactOutcome tact_kernel_follow(TactKernel *kernel, TactKernelPath *path)
{
    set_cover(kernel, path);
    TactVar driving = TACT_VAR_Z0;
    for (int pivots = 0;; pivots++) {
        bool entering = driving == TACT_VAR_Z0;
        if (path->lazily && !entering && tact_var_kind(driving) == TACT_VAR_THETA) {
            activate(kernel, tact_var_item(driving));
        }
        if (!tact_kernel_column(kernel, driving)) {
            return TACT_CONTACT_SINGULAR;
        }
        double  step = 0;
        TactVar leaving = entering ? choose_entry(kernel, path->tie, &step)
                                   : choose_leaving(kernel, path->tie, &step);
        if (leaving == TACT_VAR_NONE) {
            return tact_kernel_z0(kernel) <= Z0_GONE ? TACT_CONTACT_SOLVED : TACT_CONTACT_RAY;
        }
        if (pivots >= path->max_pivots || kernel->k + 1 >= kernel->max_k) {
            return TACT_CONTACT_LIMIT;
        }
        exchange(kernel, driving, leaving, step);
        if (leaving == TACT_VAR_Z0) {
            return TACT_CONTACT_SOLVED;
        }
        driving = tact_var_complement(leaving);
    }
}
