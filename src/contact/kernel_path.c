// Lemke's almost complementary path over the kernel: ratio test, exchange, friction on demand.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "contact/elimination.h"
#include "contact/kernel_internal.h"
#include "contact/kernel_loops.h"
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

/// Brings the inverse to the basis after the exchange; elimination factors anew instead.
static void update_inverse(TactKernel *kernel, TactVar driving, TactVar leaving)
{
    if (kernel->elimination) {
        kernel->elimination->dirty = true;
        return;
    }
    int     k = kernel->k;
    double *T = kernel->inverse;
    if (is_unknown(driving) && !is_unknown(leaving)) {
        double        dz0 = tact_kernel_z0_rate(kernel, driving);
        double        s = tact_kernel_row_value(kernel, &kernel->rate, kernel->dz, dz0, leaving);
        const double *u = row_product(kernel, leaving);
        tact_exchange_grow(k, T, kernel->ld, kernel->dz, u, s);
    } else if (is_unknown(driving)) {
        tact_exchange_column(k, T, kernel->ld, kernel->dz, col_place(kernel, leaving));
    } else if (!is_unknown(leaving)) {
        tact_exchange_row(k, T, kernel->ld, row_product(kernel, leaving),
                          *tact_kernel_place(kernel, driving));
    } else {
        tact_exchange_shrink(k, T, kernel->ld, *tact_kernel_place(kernel, driving),
                             col_place(kernel, leaving));
    }
}

static void exchange(TactKernel *kernel, TactVar driving, TactVar leaving, double step)
{
    int k = kernel->k;
    step_values(kernel, step);
    update_inverse(kernel, driving, leaving);
    if (is_unknown(driving) && !is_unknown(leaving)) {
        tact_kernel_put_col(kernel, k, driving);
        tact_kernel_put_row(kernel, k, leaving);
        kernel->z[k] = step;
        kernel->k++;
    } else if (is_unknown(driving)) {
        int p = col_place(kernel, leaving);
        tact_kernel_forget_col(kernel, leaving);
        tact_kernel_put_col(kernel, p, driving);
        kernel->z[p] = step;
    } else if (!is_unknown(leaving)) {
        int p = *tact_kernel_place(kernel, driving);
        tact_kernel_forget_row(kernel, driving);
        tact_kernel_put_row(kernel, p, leaving);
    } else {
        remove_place(kernel, *tact_kernel_place(kernel, driving), col_place(kernel, leaving));
    }
    if (leaving >= 0 && tact_var_kind(leaving) == TACT_VAR_LAMBDA) {
        kernel->value.lambda[tact_var_item(leaving)] = 0;
        kernel->rate.lambda[tact_var_item(leaving)] = 0;
    }
    kernel->pivots++;
}

// ---------------------------------------------------------------------------------------------
// All basic variables in one flat list: unknowns, nu, then sigma and gamma of the items with
// friction, each part padded to whole vectors. What is not basic, or may have any sign, has value
// and rate 0 and does not block.

static int whole(int count)
{
    return (count + 3) / 4 * 4;
}

static void flatten_sigma(TactKernel *kernel, int i, double z0, double dz0, int at)
{
    size_t        first = tact_kernel_directions(i);
    double        c1 = kernel->cover.t1[i], c2 = kernel->cover.t2[i];
    double        cl = kernel->cover.lambda[i];
    TactSigmaLoop loop = {
        .c = kernel->cosine + first,
        .s = kernel->sine + first,
        .cover = kernel->cover_sigma + first,
        .mask = kernel->sigma_basic + first,
        .t1 = kernel->value.t1[i] + z0 * c1,
        .t2 = kernel->value.t2[i] + z0 * c2,
        .lambda = kernel->value.lambda[i] + z0 * cl,
        .dt1 = kernel->rate.t1[i] + dz0 * c1,
        .dt2 = kernel->rate.t2[i] + dz0 * c2,
        .dlambda = kernel->rate.lambda[i] + dz0 * cl,
        .z0 = z0,
        .dz0 = dz0,
    };
    tact_loop_sigma(whole(kernel->system->items[i].directions), &loop, kernel->flat_value + at,
                    kernel->flat_rate + at);
}

static int flatten_unknowns(TactKernel *kernel)
{
    int k = whole(kernel->k);
    for (int c = 0; c < k; c++) {
        TactVar variable = c < kernel->k ? kernel->col[c] : TACT_VAR_Z0;
        bool    any_sign = variable == TACT_VAR_Z0 || tact_var_kind(variable) == TACT_VAR_DAMPER;
        kernel->flat_value[c] = any_sign ? 0 : kernel->z[c];
        kernel->flat_rate[c] = any_sign ? 0 : kernel->dz[c];
    }
    return k;
}

/// Returns the number of entries.
static int flatten(TactKernel *kernel, double z0, double dz0)
{
    int        at = flatten_unknowns(kernel);
    int        items = whole(kernel->system->item_count);
    TactNuLoop nu = {
        .value = kernel->value.n,
        .rate = kernel->rate.n,
        .cover = kernel->cover_nu,
        .cover_more = kernel->cover.n,
        .mask = kernel->nu_basic,
        .z0 = z0,
        .dz0 = dz0,
    };
    tact_loop_nu(items, &nu, kernel->flat_value + at, kernel->flat_rate + at);
    at += items;
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        flatten_sigma(kernel, i, z0, dz0, at);
        at += whole(kernel->system->items[i].directions);
    }
    for (int f = 0; f < whole(kernel->friction_count); f++) {
        int    i = f < kernel->friction_count ? kernel->with_friction[f] : -1;
        bool   basic = i >= 0 && kernel->place[TACT_VAR_GAMMA][i] < 0;
        double cover = basic ? kernel->cover_gamma[i] + kernel->cover.gamma[i] : 0;
        kernel->flat_value[at + f] = basic ? kernel->value.gamma[i] + z0 * cover : 0;
        kernel->flat_rate[at + f] = basic ? kernel->rate.gamma[i] + dz0 * cover : 0;
    }
    return at + whole(kernel->friction_count);
}

/// The variable of an entry of the flat list.
static TactVar variable_at(const TactKernel *kernel, int entry)
{
    if (entry < kernel->k) {
        return kernel->col[entry];
    }
    entry -= whole(kernel->k);
    if (entry < kernel->system->item_count) {
        return tact_var(TACT_VAR_NU, entry, 0);
    }
    entry -= whole(kernel->system->item_count);
    for (int f = 0; f < kernel->friction_count; f++) {
        int i = kernel->with_friction[f];
        int d = whole(kernel->system->items[i].directions);
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

/// z0 enters: the last value to be lifted to 0 leaves, the largest rate among ties.
static TactVar choose_entry(TactKernel *kernel, double tie, double *step)
{
    const double *value = kernel->flat_value;
    const double *rate = kernel->flat_rate;
    int           n = flatten(kernel, 0, 1);
    double        tol = PIVOT_TOL * tact_kernel_column_size(kernel);
    double        limit = 0;
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
    const double *value = kernel->flat_value;
    const double *rate = kernel->flat_rate;
    double        dz0 = kernel->dz[kernel->z0_place];
    double        z0 = tact_kernel_z0(kernel);
    int           n = flatten(kernel, z0, dz0);
    double        tol = PIVOT_TOL * tact_kernel_column_size(kernel);
    double        limit = tact_loop_longest_step(n, value, rate, tol, tie);
    if (dz0 < -tol) {
        double leave = (z0 > 0 ? z0 : 0) / -dz0;
        if (leave <= limit + LEAVE_TIE * (1 + limit)) {
            *step = leave;
            return TACT_VAR_Z0;
        }
    }
    int best = limit < HUGE_VAL ? tact_loop_largest_pivot(n, value, rate, tol, limit) : -1;
    if (best < 0) {
        return TACT_VAR_NONE;
    }
    *step = (value[best] > 0 ? value[best] : 0) / -rate[best];
    return variable_at(kernel, best);
}

double tact_kernel_lowest(TactKernel *kernel)
{
    int    n = flatten(kernel, tact_kernel_z0(kernel), 0);
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
