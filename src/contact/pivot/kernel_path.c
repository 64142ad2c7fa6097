// Lemke's almost complementary path over the kernel: ratio test, exchange, friction on demand.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "contact/pivot/elimination.h"
#include "contact/pivot/kernel_entries.h"
#include "contact/pivot/kernel_inverse.h"
#include "contact/pivot/kernel_ratio.h"
#include "contact/pivot_rules.h"

// A z0 below this counts as gone although nothing lets it leave.
static const double Z0_GONE = 1e-13;

// ---------------------------------------------------------------------------------------------
// Exchange

static bool is_unknown(TactVar variable)
{
    return variable == TACT_VAR_Z0 || (tact_var_kind(variable) & 4) == 0;
}

static int col_position(const TactKernel *kernel, TactVar variable)
{
    return variable == TACT_VAR_Z0 ? kernel->z0_position : *tact_kernel_position(kernel, variable);
}

TACT_LOOP void step_values(TactKernel *kernel, double step)
{
    tact_loop_step(kernel->k, step, kernel->dz, kernel->z);
    tact_loop_step(kernel->dof, step, kernel->dy, kernel->y);
    tact_loop_step(tact_kernel_row_count(kernel), step, kernel->rate, kernel->value);
}

/// h' K^-1 of a leaving row, whose entries are gathered.
TACT_LOOP const double *row_product(TactKernel *kernel)
{
    tact_loop_dots(kernel->k, kernel->inverse, kernel->ld, kernel->k, kernel->gather,
                   kernel->change);
    return kernel->change;
}

static void remove_position(TactKernel *kernel, int row_position, int position)
{
    int last = kernel->k - 1;
    tact_kernel_forget_row(kernel, kernel->row[row_position]);
    tact_kernel_forget_col(kernel, kernel->col[position]);
    if (row_position != last) {
        tact_kernel_put_row(kernel, row_position, kernel->row[last]);
    }
    if (position != last) {
        kernel->z[position] = kernel->z[last];
        tact_kernel_put_col(kernel, position, kernel->col[last]);
    }
    kernel->k--;
}

/// Brings the inverse to the basis after the exchange; elimination factors anew instead.
TACT_LOOP void update_inverse(TactKernel *kernel, TactVar driving, TactVar leaving, double pivot)
{
    if (kernel->elimination) {
        kernel->elimination->dirty = true;
        return;
    }
    int     k = kernel->k;
    double *T = kernel->inverse;
    // The four exchanges, theory/pivot-kernel.md (6) to (9).
    if (is_unknown(driving) && !is_unknown(leaving)) {
        tact_inverse_grow(k, T, kernel->ld, kernel->dz, row_product(kernel), pivot);
    } else if (is_unknown(driving)) {
        tact_inverse_column(k, T, kernel->ld, kernel->dz, col_position(kernel, leaving));
    } else if (!is_unknown(leaving)) {
        tact_inverse_row(k, T, kernel->ld, row_product(kernel),
                         *tact_kernel_position(kernel, driving));
    } else {
        tact_inverse_shrink(k, T, kernel->ld, *tact_kernel_position(kernel, driving),
                            col_position(kernel, leaving));
    }
}

/// All values a step further, and the inverse of the next basis.
TACT_CLONES static void step_and_update(TactKernel *kernel, TactVar driving, TactVar leaving,
                                        double step)
{
    // Gathered before the values step, so that its parts are in place when they are read.
    if (!is_unknown(leaving) && !kernel->elimination) {
        tact_kernel_put_row_entries(kernel, leaving, kernel->gather);
    }
    double pivot = is_unknown(leaving) ? 0 : kernel->rate[tact_kernel_row_at(kernel, leaving)];
    step_values(kernel, step);
    update_inverse(kernel, driving, leaving, pivot);
}

static void exchange_basic(TactKernel *kernel, TactVar driving, TactVar leaving, double step)
{
    int k = kernel->k;
    step_and_update(kernel, driving, leaving, step);
    // Who stands where, in the same four cases.
    if (is_unknown(driving) && !is_unknown(leaving)) {
        tact_kernel_put_col(kernel, k, driving);
        tact_kernel_put_row(kernel, k, leaving);
        kernel->z[k] = step;
        kernel->k++;
    } else if (is_unknown(driving)) {
        int p = col_position(kernel, leaving);
        tact_kernel_forget_col(kernel, leaving);
        tact_kernel_put_col(kernel, p, driving);
        kernel->z[p] = step;
    } else if (!is_unknown(leaving)) {
        int p = *tact_kernel_position(kernel, driving);
        tact_kernel_forget_row(kernel, driving);
        tact_kernel_put_row(kernel, p, leaving);
    } else {
        remove_position(kernel, *tact_kernel_position(kernel, driving),
                        col_position(kernel, leaving));
    }
    // Vectors are whole: what fills them up is 0.
    for (int c = kernel->k; c % 4 != 0; c++) {
        kernel->z[c] = kernel->col_blocks[c] = 0;
    }
    kernel->pivots++;
}

// ---------------------------------------------------------------------------------------------
// All basic variables: unknowns, then rows

enum { PARTS = 2 };

static void list_parts(const TactKernel *kernel, TactRatioPart parts[PARTS])
{
    parts[0] = (TactRatioPart){kernel->k, kernel->z, kernel->dz, kernel->col_blocks};
    parts[1] = (TactRatioPart){tact_kernel_row_count(kernel), kernel->value, kernel->rate, NULL};
}

static TactVar row_variable(const TactKernel *kernel, int at)
{
    if (at < kernel->at.friction) {
        return tact_var(TACT_VAR_NU, at - kernel->at.nu, 0);
    }
    int i = kernel->active_item[(at - kernel->at.friction) / kernel->at.per_active];
    int j = (at - kernel->at.friction) % kernel->at.per_active;
    return j < kernel->directions ? tact_var(TACT_VAR_SIGMA, i, j) : tact_var(TACT_VAR_GAMMA, i, 0);
}

/// The basic variable of a number that counts through the parts, whole vectors each.
static TactVar variable_at(const TactKernel *kernel, int number)
{
    int unknowns = (kernel->k + 3) / 4 * 4;
    return number < unknowns ? kernel->col[number] : row_variable(kernel, number - unknowns);
}

// ---------------------------------------------------------------------------------------------
// Ratio test

static double rate_at(const TactRatioPart *part, int i)
{
    return part->mask ? part->mask[i] * part->rate[i] : part->rate[i];
}

/// z0 enters: the last value to be lifted to 0 leaves, the largest rate among ties.
static TactVar choose_entry(TactKernel *kernel, double tie, double *step)
{
    TactRatioPart parts[PARTS];
    list_parts(kernel, parts);
    double tol = TACT_PIVOT_TOL * kernel->size;
    double limit = 0;
    for (int k = 0; k < PARTS; k++) {
        for (int i = 0; i < parts[k].n; i++) {
            double rate = rate_at(&parts[k], i);
            if (rate > tol && -parts[k].value[i] - tie > limit * rate) {
                limit = (-parts[k].value[i] - tie) / rate;
            }
        }
    }
    double pivot = tol;
    int    leaving = -1;
    for (int k = 0, first = 0; k < PARTS; first += (parts[k++].n + 3) / 4 * 4) {
        for (int i = 0; i < parts[k].n; i++) {
            double rate = rate_at(&parts[k], i);
            if (rate > pivot && -parts[k].value[i] >= limit * rate) {
                pivot = rate;
                leaving = first + i;
                *step = -parts[k].value[i] / rate;
            }
        }
    }
    return leaving < 0 ? TACT_VAR_NONE : variable_at(kernel, leaving);
}

TACT_CLONES static TactVar choose_leaving(TactKernel *kernel, double tie, double *step)
{
    TactRatioPart parts[PARTS];
    list_parts(kernel, parts);
    double dz0 = kernel->dz[kernel->z0_position];
    double z0 = tact_kernel_z0(kernel);
    double tol = TACT_PIVOT_TOL * kernel->size;
    double limit = tact_ratio_longest_step(parts, PARTS, tol, tie);
    if (dz0 < -tol) {
        double leave = (z0 > 0 ? z0 : 0) / -dz0;
        if (leave <= limit + TACT_PIVOT_LEAVE_TIE * (1 + limit)) {
            *step = leave;
            return TACT_VAR_Z0;
        }
    }
    int number = limit < HUGE_VAL ? tact_ratio_largest_pivot(parts, PARTS, tol, limit) : -1;
    if (number < 0) {
        return TACT_VAR_NONE;
    }
    int                  unknowns = (kernel->k + 3) / 4 * 4;
    const TactRatioPart *part = &parts[number < unknowns ? 0 : 1];
    int                  position = number < unknowns ? number : number - unknowns;
    *step = (part->value[position] > 0 ? part->value[position] : 0) / -part->rate[position];
    return variable_at(kernel, number);
}

TACT_CLONES double tact_kernel_lowest(const TactKernel *kernel)
{
    TactRatioPart parts[PARTS];
    list_parts(kernel, parts);
    return tact_ratio_lowest(parts, PARTS);
}

double tact_kernel_error(const TactKernel *kernel)
{
    double error =
        fmax(-tact_kernel_lowest(kernel), TACT_PIVOT_COVER_SIGMA * fabs(tact_kernel_z0(kernel)));
    for (int r = 0; r < kernel->k; r++) {
        double off = fabs(kernel->value[kernel->row_at[r]]);
        error = off > error || isnan(off) ? off : error;
    }
    // Velocities are differences of what large impulses give: their rounding is no error.
    double largest = 0;
    for (int c = 0; c < kernel->k; c++) {
        largest = fmax(largest, fabs(kernel->z[c]));
    }
    return error / fmax(1, TACT_PIVOT_ERROR_SHARE * largest);
}

// ---------------------------------------------------------------------------------------------
// Path

static void cover_friction(TactKernel *kernel, int active, double sigma)
{
    int    i = kernel->active_item[active];
    int    at = tact_kernel_friction_rows(kernel, active);
    int    d = kernel->system->items[i].directions;
    size_t first = (size_t)i * TACT_MAX_DIRECTIONS;
    for (int j = 0; j < d; j++) {
        bool   nonbasic = kernel->position[TACT_VAR_SIGMA][first + (size_t)j] >= 0;
        double late = 4 * j % d == 0   ? 1
                      : 8 * j % d == 0 ? TACT_PIVOT_COVER_HALFWAY
                                       : TACT_PIVOT_COVER_BETWEEN;
        kernel->direct[at + j] = nonbasic ? 0 : late * sigma;
    }
    kernel->direct[at + kernel->directions] =
        kernel->position[TACT_VAR_GAMMA][i] >= 0 ? 0 : TACT_PIVOT_COVER_GAMMA;
}

/// Friction of a contact that becomes active, with c_sigma so large that no sigma starts below 0
/// [Lloyd04, app. D; eq. 59].
static void activate(TactKernel *kernel, int i)
{
    if (kernel->active[i] >= 0 || kernel->system->items[i].directions == 0) {
        return;
    }
    int active = kernel->active_count;
    tact_kernel_add_friction(kernel, i);
    tact_kernel_make_active(kernel, active);
    // c_sigma, from the slip at the present z0.
    const double *t = kernel->t_value + 2 * active;
    double        z0 = tact_kernel_z0(kernel);
    double        needed = z0 > 0 ? 1.01 * sqrt(t[0] * t[0] + t[1] * t[1]) / z0 : 0;
    cover_friction(kernel, active,
                   needed > TACT_PIVOT_COVER_SIGMA ? needed : TACT_PIVOT_COVER_SIGMA);
    // The new rows are basic; sigma = d' u_t + c_sigma z0, gamma = bound + c_gamma z0.
    size_t first = (size_t)i * TACT_MAX_DIRECTIONS;
    int    at = tact_kernel_friction_rows(kernel, active);
    int    gamma = at + kernel->directions;
    for (int j = 0; j < kernel->system->items[i].directions; j++) {
        kernel->value[at + j] =
            (kernel->cosine[first + (size_t)j] * t[0] + kernel->sine[first + (size_t)j] * t[1]) +
            z0 * kernel->direct[at + j];
    }
    kernel->value[gamma] = kernel->bound[i] + z0 * kernel->direct[gamma];
}

/// The part of the covering vector that makes every basic unknown grow at rate 1 with z0.
TACT_CLONES static void add_basis_cover(TactKernel *kernel)
{
    double *direct = kernel->direct;
    // The motion of all basic unknowns at the rate -1.
    for (int c = 0; c < kernel->k; c++) {
        kernel->dz[c] = -kernel->col_blocks[c];
    }
    for (int c = kernel->k; c % 4 != 0; c++) {
        kernel->dz[c] = 0;
    }
    tact_loop_combine(kernel->dof, kernel->col_rows, kernel->dof_ld, kernel->k, NULL, kernel->dz,
                      kernel->cover_y);
    // What they add to rows directly: gamma, lambda in sigma, compliance in nu.
    for (int c = 0; c < kernel->k; c++) {
        if (kernel->col_gamma[c] != 0) {
            direct[tact_kernel_friction_rows(kernel, kernel->col_active[c]) + kernel->directions] +=
                kernel->col_gamma[c] * kernel->dz[c];
        }
    }
    for (int active = 0; active < kernel->active_count; active++) {
        int i = kernel->active_item[active];
        if (kernel->position[TACT_VAR_LAMBDA][i] >= 0) {
            for (int j = 0; j < kernel->system->items[i].directions; j++) {
                direct[tact_kernel_friction_rows(kernel, active) + j] -= 1;
            }
        }
    }
    for (int i = 0; i < kernel->system->item_count && kernel->has_compliance; i++) {
        double s = kernel->scale[i];
        if (kernel->position[TACT_VAR_THETA][i] >= 0) {
            direct[kernel->at.nu + i] -= s * s * kernel->system->items[i].compliance;
        }
    }
}

/// Rates of the basic variables along z0: c_nu, c_sigma, c_gamma. From a basis with unknowns the
/// column of z0 is minus that of the basis with rates 1 of the unknowns, plus the rates themselves
/// on the basic rows: then every basic variable grows with z0.
static void set_cover(TactKernel *kernel, TactKernelPath *path)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        bool   nonbasic = kernel->position[TACT_VAR_NU][i] >= 0;
        double nu = path->spread ? tact_compact_cover(i) : tact_random_uniform(&path->random, 1, 2);
        kernel->direct[kernel->at.nu + i] =
            nonbasic || kernel->system->items[i].kind == TACT_ITEM_MOTOR ? 0 : nu;
    }
    for (int active = 0; active < kernel->active_count; active++) {
        cover_friction(kernel, active, TACT_PIVOT_COVER_SIGMA);
    }
    memset(kernel->cover_y, 0, kernel->dof_ld * sizeof(double));
    if (kernel->k > 0) {
        add_basis_cover(kernel);
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
            return TACT_OUTCOME_SINGULAR;
        }
        double  step = 0;
        TactVar leaving = entering ? choose_entry(kernel, path->tie, &step)
                                   : choose_leaving(kernel, path->tie, &step);
        if (leaving == TACT_VAR_NONE) {
            return tact_kernel_z0(kernel) <= Z0_GONE ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_RAY;
        }
        double work = (double)(kernel->k + 10) * (double)(kernel->k + 4 * (int)kernel->dof_ld);
        if (pivots >= path->max_pivots || kernel->k + 1 >= kernel->max_k ||
            tact_budget_spend(work)) {
            return TACT_OUTCOME_LIMIT;
        }
        exchange_basic(kernel, driving, leaving, step);
        if (leaving == TACT_VAR_Z0) {
            return TACT_OUTCOME_SOLVED;
        }
        driving = tact_var_complement(leaving);
    }
}
