// Lemke's almost complementary path over the kernel: ratio test, exchange, friction on demand.
#include <math.h>
#include <string.h>

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

static void forget_col(TactKernel *kernel, TactVar variable)
{
    if (variable == TACT_VAR_Z0) {
        kernel->z0_place = -1;
    } else {
        *tact_kernel_place(kernel, variable) = -1;
    }
}

static int col_place(const TactKernel *kernel, TactVar variable)
{
    return variable == TACT_VAR_Z0 ? kernel->z0_place : *tact_kernel_place(kernel, variable);
}

static void step_values(TactKernel *kernel, double step)
{
    const TactSystem *system = kernel->system;
    for (int c = 0; c < kernel->k; c++) {
        kernel->z[c] += step * kernel->dz[c];
    }
    int rows = 3 * system->stride;
    for (int i = 0; i < rows; i++) {
        kernel->value.n[i] += step * kernel->rate.n[i];
    }
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
    *tact_kernel_place(kernel, kernel->row[row_place]) = -1;
    forget_col(kernel, kernel->col[place]);
    if (row_place != last) {
        tact_kernel_put_row(kernel, row_place, kernel->row[last]);
    }
    if (place != last) {
        kernel->z[place] = kernel->z[last];
        tact_kernel_put_col(kernel, place, kernel->col[last]);
    }
    kernel->k--;
}

void tact_kernel_exchange(TactKernel *kernel, TactVar driving, TactVar leaving, double step)
{
    int     k = kernel->k;
    double *T = kernel->inverse;
    step_values(kernel, step);
    if (is_unknown(driving) && !is_unknown(leaving)) {
        const double *u = row_product(kernel, leaving);
        double        s = tact_kernel_row_value(kernel, &kernel->rate,
                                                tact_kernel_z0_rate(kernel, driving), leaving);
        tact_exchange_grow(k, T, kernel->ld, kernel->dz, u, s);
        tact_kernel_put_col(kernel, k, driving);
        tact_kernel_put_row(kernel, k, leaving);
        kernel->z[k] = step;
        kernel->k++;
    } else if (is_unknown(driving)) {
        int p = col_place(kernel, leaving);
        tact_exchange_column(k, T, kernel->ld, kernel->dz, p);
        forget_col(kernel, leaving);
        tact_kernel_put_col(kernel, p, driving);
        kernel->z[p] = step;
    } else if (!is_unknown(leaving)) {
        int p = *tact_kernel_place(kernel, driving);
        tact_exchange_row(k, T, kernel->ld, row_product(kernel, leaving), p);
        *tact_kernel_place(kernel, driving) = -1;
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
// Ratio test in two passes [Harris 1973]: how far without any value below -tie, then the largest
// pivot among the rows that this step brings to 0.

typedef struct Ratio {
    bool    entering; // z0 enters: values may be negative
    double  tol;      // smaller rates do not block
    double  tie;
    double  limit;   // first pass: the step
    TactVar leaving; // second pass: the choice
    double  pivot;
    double  step;
} Ratio;

static inline void first_pass(Ratio *ratio, double value, double rate)
{
    if (ratio->entering) {
        // Values must be lifted to 0: the last one to get there leaves.
        if (rate > ratio->tol) {
            double step = (-value - ratio->tie) / rate;
            ratio->limit = step > ratio->limit ? step : ratio->limit;
        }
    } else if (rate < -ratio->tol) {
        double step = ((value > 0 ? value : 0) + ratio->tie) / -rate;
        ratio->limit = step < ratio->limit ? step : ratio->limit;
    }
}

static inline void second_pass(Ratio *ratio, TactVar variable, double value, double rate)
{
    if (ratio->entering) {
        if (rate > ratio->tol && rate > ratio->pivot && -value >= ratio->limit * rate) {
            ratio->pivot = rate;
            ratio->leaving = variable;
            ratio->step = -value / rate;
        }
    } else if (rate < -ratio->tol && -rate > ratio->pivot) {
        double held = value > 0 ? value : 0;
        if (held <= ratio->limit * -rate) {
            ratio->pivot = -rate;
            ratio->leaving = variable;
            ratio->step = held / -rate;
        }
    }
}

/// One pass over all basic variables.
static void pass_over(const TactKernel *kernel, Ratio *ratio, bool second, double z0, double dz0)
{
    for (int c = 0; c < kernel->k; c++) {
        TactVar variable = kernel->col[c];
        if (variable == TACT_VAR_Z0 || tact_var_kind(variable) == TACT_VAR_DAMPER) {
            continue;
        }
        if (second) {
            second_pass(ratio, variable, kernel->z[c], kernel->dz[c]);
        } else {
            first_pass(ratio, kernel->z[c], kernel->dz[c]);
        }
    }
    for (int i = 0; i < kernel->system->item_count; i++) {
        if (kernel->place[TACT_VAR_NU][i] >= 0 ||
            kernel->system->items[i].kind == TACT_ITEM_MOTOR) {
            continue;
        }
        double cover = kernel->cover_nu[i] + kernel->cover.n[i];
        double value = kernel->value.n[i] + cover * z0;
        double rate = kernel->rate.n[i] + cover * dz0;
        if (second) {
            second_pass(ratio, tact_var(TACT_VAR_NU, i, 0), value, rate);
        } else {
            first_pass(ratio, value, rate);
        }
    }
    for (int f = 0; f < kernel->friction_count; f++) {
        int        i = kernel->with_friction[f];
        size_t     first = (size_t)i * TACT_MAX_DIRECTIONS;
        int        d = kernel->system->items[i].directions;
        double     cover = kernel->cover.lambda[i];
        double     direct = kernel->cover_sigma[i];
        double     value0 = kernel->value.lambda[i] + cover * z0;
        double     rate0 = kernel->rate.lambda[i] + cover * dz0;
        double     value1 = kernel->value.t1[i] + kernel->cover.t1[i] * z0;
        double     rate1 = kernel->rate.t1[i] + kernel->cover.t1[i] * dz0;
        double     value2 = kernel->value.t2[i] + kernel->cover.t2[i] * z0;
        double     rate2 = kernel->rate.t2[i] + kernel->cover.t2[i] * dz0;
        const int *place = kernel->place[TACT_VAR_SIGMA] + first;
        for (int j = 0; j < d; j++) {
            if (place[j] >= 0) {
                continue;
            }
            double c = kernel->cosine[first + (size_t)j];
            double s = kernel->sine[first + (size_t)j];
            double covered = kernel->uncovered[i] >> j & 1 ? 0 : direct;
            double value = (c * value1 + s * value2) + (value0 + covered * z0);
            double rate = (c * rate1 + s * rate2) + (rate0 + covered * dz0);
            if (second) {
                second_pass(ratio, tact_var(TACT_VAR_SIGMA, i, j), value, rate);
            } else {
                first_pass(ratio, value, rate);
            }
        }
        if (kernel->place[TACT_VAR_GAMMA][i] < 0) {
            double cover_gamma = kernel->cover_gamma[i] + kernel->cover.gamma[i];
            double value = kernel->value.gamma[i] + cover_gamma * z0;
            double rate = kernel->rate.gamma[i] + cover_gamma * dz0;
            if (second) {
                second_pass(ratio, tact_var(TACT_VAR_GAMMA, i, 0), value, rate);
            } else {
                first_pass(ratio, value, rate);
            }
        }
    }
}

static TactVar choose_leaving(const TactKernel *kernel, bool entering, double tie, double *step)
{
    double dz0 = entering ? 1 : kernel->dz[kernel->z0_place];
    double z0 = tact_kernel_z0(kernel);
    Ratio  ratio = {
         .entering = entering,
         .tol = PIVOT_TOL * tact_kernel_column_size(kernel),
         .tie = tie,
         .limit = entering ? 0 : HUGE_VAL,
         .leaving = TACT_VAR_NONE,
    };
    pass_over(kernel, &ratio, false, z0, dz0);
    if (!entering && dz0 < -ratio.tol) {
        double leave = (z0 > 0 ? z0 : 0) / -dz0;
        if (leave <= ratio.limit + LEAVE_TIE * (1 + ratio.limit)) {
            *step = leave;
            return TACT_VAR_Z0;
        }
    }
    if (ratio.limit == HUGE_VAL) {
        return TACT_VAR_NONE;
    }
    pass_over(kernel, &ratio, true, z0, dz0);
    *step = ratio.step;
    return ratio.leaving;
}

// ---------------------------------------------------------------------------------------------
// Path

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
    kernel->cover_sigma[i] = needed > COVER_SIGMA ? needed : COVER_SIGMA;
    kernel->cover_gamma[i] = COVER_GAMMA;
}

/// Rates of the basic variables along z0: random for nu, COVER_SIGMA, COVER_GAMMA. From a basis
/// with unknowns the column of z0 is minus that of the basis with rates 1 of the unknowns, plus
/// the rates themselves on the basic rows: then every basic variable grows with z0.
static void set_cover(TactKernel *kernel, TactKernelPath *path)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        kernel->cover_nu[i] = tact_random_uniform(&path->random, 1, 2);
        kernel->cover_sigma[i] = COVER_SIGMA;
        kernel->cover_gamma[i] = COVER_GAMMA;
        kernel->uncovered[i] = 0;
    }
    if (kernel->k == 0) {
        return;
    }
    for (int c = 0; c < kernel->k; c++) {
        kernel->dz[c] = tact_var_kind(kernel->col[c]) == TACT_VAR_DAMPER ? 0 : -1;
    }
    tact_kernel_rows(kernel, kernel->dz, TACT_VAR_NONE, false, &kernel->cover);
    for (int i = 0; i < kernel->system->item_count; i++) {
        kernel->cover_nu[i] = kernel->place[TACT_VAR_NU][i] >= 0 ? 0 : kernel->cover_nu[i];
        kernel->cover_gamma[i] = kernel->place[TACT_VAR_GAMMA][i] >= 0 ? 0 : COVER_GAMMA;
        for (int j = 0; kernel->friction[i] && j < kernel->system->items[i].directions; j++) {
            if (*tact_kernel_place(kernel, tact_var(TACT_VAR_SIGMA, i, j)) >= 0) {
                kernel->uncovered[i] |= (uint64_t)1 << j;
            }
        }
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
        TactVar leaving = choose_leaving(kernel, entering, path->tie, &step);
        if (leaving == TACT_VAR_NONE) {
            return tact_kernel_z0(kernel) <= Z0_GONE ? TACT_CONTACT_SOLVED : TACT_CONTACT_RAY;
        }
        if (pivots >= path->max_pivots || kernel->k + 1 >= kernel->max_k) {
            return TACT_CONTACT_LIMIT;
        }
        tact_kernel_exchange(kernel, driving, leaving, step);
        if (leaving == TACT_VAR_Z0) {
            return TACT_CONTACT_SOLVED;
        }
        driving = tact_var_complement(leaving);
    }
}
