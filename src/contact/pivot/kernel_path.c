// Lemke's almost complementary path over the kernel: ratio test, exchange, friction on demand.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "contact/pivot/elimination.h"
#include "contact/pivot/kernel_entries.h"
#include "contact/pivot/kernel_inverse.h"
#include "contact/pivot/kernel_loops.h"
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
    return variable == TACT_VAR_Z0 ? kernel->basis.z0_position
                                   : *tact_kernel_position(kernel, variable);
}

TACT_LOOP void step_values(TactKernel *kernel, double step)
{
    tact_loop_step(kernel->basis.k, step, kernel->basis.dz, kernel->basis.z);
    tact_loop_step(kernel->space.dof, step, kernel->motions.dy, kernel->motions.y);
    tact_loop_step(tact_kernel_row_count(kernel), step, kernel->rows.rate, kernel->rows.value);
}

/// h' K^-1 of a leaving row, whose entries are gathered.
TACT_LOOP const double *row_product(TactKernel *kernel)
{
    tact_loop_dots(kernel->basis.k, kernel->factor.inverse, kernel->basis.ld, kernel->basis.k,
                   kernel->scratch.gather, kernel->scratch.change);
    return kernel->scratch.change;
}

static void remove_position(TactKernel *kernel, int row_position, int position)
{
    int last = kernel->basis.k - 1;
    tact_kernel_forget_row(kernel, kernel->basis.row[row_position]);
    tact_kernel_forget_col(kernel, kernel->basis.col[position]);
    if (row_position != last) {
        tact_kernel_put_row(kernel, row_position, kernel->basis.row[last]);
    }
    if (position != last) {
        kernel->basis.z[position] = kernel->basis.z[last];
        tact_kernel_put_col(kernel, position, kernel->basis.col[last]);
    }
    kernel->basis.k--;
}

/// Brings the inverse to the basis after the exchange; elimination factors anew instead.
TACT_LOOP void update_inverse(TactKernel *kernel, TactVar driving, TactVar leaving, double pivot)
{
    if (kernel->elimination) {
        kernel->elimination->dirty = true;
        return;
    }
    int     k = kernel->basis.k;
    double *T = kernel->factor.inverse;
    // The four exchanges, theory/pivot-kernel.md (6) to (9).
    if (is_unknown(driving) && !is_unknown(leaving)) {
        tact_inverse_grow(k, T, kernel->basis.ld, kernel->basis.dz, row_product(kernel), pivot);
    } else if (is_unknown(driving)) {
        tact_inverse_column(k, T, kernel->basis.ld, kernel->basis.dz,
                            col_position(kernel, leaving));
    } else if (!is_unknown(leaving)) {
        tact_inverse_row(k, T, kernel->basis.ld, row_product(kernel),
                         *tact_kernel_position(kernel, driving));
    } else {
        tact_inverse_shrink(k, T, kernel->basis.ld, *tact_kernel_position(kernel, driving),
                            col_position(kernel, leaving));
    }
}

/// All values a step further, and the inverse of the next basis.
TACT_CLONES static void step_and_update(TactKernel *kernel, TactVar driving, TactVar leaving,
                                        double step)
{
    // Gathered before the values step, so that its parts are in place when they are read.
    if (!is_unknown(leaving) && !kernel->elimination) {
        tact_kernel_put_row_entries(kernel, leaving, kernel->scratch.gather);
    }
    double pivot = is_unknown(leaving) ? 0 : kernel->rows.rate[tact_kernel_row_at(kernel, leaving)];
    step_values(kernel, step);
    update_inverse(kernel, driving, leaving, pivot);
}

static void exchange_basic(TactKernel *kernel, TactVar driving, TactVar leaving, double step)
{
    int k = kernel->basis.k;
    step_and_update(kernel, driving, leaving, step);
    // Who stands where, in the same four cases.
    if (is_unknown(driving) && !is_unknown(leaving)) {
        tact_kernel_put_col(kernel, k, driving);
        tact_kernel_put_row(kernel, k, leaving);
        kernel->basis.z[k] = step;
        kernel->basis.k++;
    } else if (is_unknown(driving)) {
        int p = col_position(kernel, leaving);
        tact_kernel_forget_col(kernel, leaving);
        tact_kernel_put_col(kernel, p, driving);
        kernel->basis.z[p] = step;
    } else if (!is_unknown(leaving)) {
        int p = *tact_kernel_position(kernel, driving);
        tact_kernel_forget_row(kernel, driving);
        tact_kernel_put_row(kernel, p, leaving);
    } else {
        remove_position(kernel, *tact_kernel_position(kernel, driving),
                        col_position(kernel, leaving));
    }
    // Vectors are whole: what fills them up is 0.
    for (int c = kernel->basis.k; c % 4 != 0; c++) {
        kernel->basis.z[c] = kernel->basis.col_blocks[c] = 0;
    }
    kernel->pivots++;
}

// ---------------------------------------------------------------------------------------------
// All basic variables: unknowns, then rows

enum { PARTS = 2 };

static void list_parts(const TactKernel *kernel, TactRatioPart parts[PARTS])
{
    parts[0] = (TactRatioPart){kernel->basis.k, kernel->basis.z, kernel->basis.dz,
                               kernel->basis.col_blocks};
    parts[1] =
        (TactRatioPart){tact_kernel_row_count(kernel), kernel->rows.value, kernel->rows.rate, NULL};
}

static TactVar row_variable(const TactKernel *kernel, int at)
{
    if (at < kernel->rows.friction) {
        return tact_var(TACT_VAR_NU, at - kernel->rows.nu, 0);
    }
    int i = kernel->friction.item[(at - kernel->rows.friction) / kernel->rows.per_active];
    int j = (at - kernel->rows.friction) % kernel->rows.per_active;
    return j < kernel->friction.directions ? tact_var(TACT_VAR_SIGMA, i, j)
                                           : tact_var(TACT_VAR_GAMMA, i, 0);
}

/// The basic variable of a number that counts through the parts, whole vectors each.
static TactVar variable_at(const TactKernel *kernel, int number)
{
    int unknowns = (kernel->basis.k + 3) / 4 * 4;
    return number < unknowns ? kernel->basis.col[number] : row_variable(kernel, number - unknowns);
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
    double tol = TACT_PIVOT_TOL * kernel->basis.size;
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
    double dz0 = kernel->basis.dz[kernel->basis.z0_position];
    double z0 = tact_kernel_z0(kernel);
    double tol = TACT_PIVOT_TOL * kernel->basis.size;
    double limit = tact_ratio_longest_step(parts, PARTS, tol, tie);
    if (dz0 < -tol) {
        double leave = (z0 > 0 ? z0 : 0) / -dz0;
        if (leave <= limit + TACT_PIVOT_LEAVE_TIE * (kernel->items.share + limit)) {
            *step = leave;
            return TACT_VAR_Z0;
        }
    }
    int number = limit < HUGE_VAL ? tact_ratio_largest_pivot(parts, PARTS, tol, limit) : -1;
    if (number < 0) {
        return TACT_VAR_NONE;
    }
    int                  unknowns = (kernel->basis.k + 3) / 4 * 4;
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
    for (int r = 0; r < kernel->basis.k; r++) {
        double off = fabs(kernel->rows.value[kernel->basis.row_at[r]]);
        error = off > error || isnan(off) ? off : error;
    }
    // Velocities are differences of what large impulses give: their rounding is no error.
    double largest = 0;
    for (int c = 0; c < kernel->basis.k; c++) {
        largest = fmax(largest, fabs(kernel->basis.z[c]));
    }
    return error / fmax(1, TACT_PIVOT_ERROR_SHARE * largest);
}

// ---------------------------------------------------------------------------------------------
// Path

static void cover_friction(TactKernel *kernel, int active, double sigma)
{
    int    i = kernel->friction.item[active];
    int    at = tact_kernel_friction_rows(kernel, active);
    int    d = kernel->system->items[i].directions;
    size_t first = (size_t)i * TACT_MAX_DIRECTIONS;
    for (int j = 0; j < d; j++) {
        bool   nonbasic = kernel->basis.position[TACT_VAR_SIGMA][first + (size_t)j] >= 0;
        double late = 4 * j % d == 0   ? 1
                      : 8 * j % d == 0 ? TACT_PIVOT_COVER_HALFWAY
                                       : TACT_PIVOT_COVER_BETWEEN;
        kernel->rows.direct[at + j] = nonbasic ? 0 : late * sigma;
    }
    kernel->rows.direct[at + kernel->friction.directions] =
        kernel->basis.position[TACT_VAR_GAMMA][i] >= 0 ? 0 : TACT_PIVOT_COVER_GAMMA;
}

/// Friction of an item that becomes active, with c_sigma so large that no sigma starts below 0
/// [Lloyd04, app. D; eq. 59].
static void activate_item(TactKernel *kernel, int i)
{
    if (kernel->items.active[i] >= 0 || kernel->system->items[i].directions == 0) {
        return;
    }
    int active = kernel->friction.count;
    tact_kernel_add_item_friction(kernel, i);
    tact_kernel_make_active(kernel, active);
    // c_sigma, from the slip at the present z0.
    const double *t = kernel->friction.t_value + 2 * active;
    double        z0 = tact_kernel_z0(kernel);
    double        needed = z0 > 0 ? 1.01 * sqrt(t[0] * t[0] + t[1] * t[1]) / z0 : 0;
    cover_friction(kernel, active,
                   needed > TACT_PIVOT_COVER_SIGMA ? needed : TACT_PIVOT_COVER_SIGMA);
    // The new rows are basic; sigma = d' u_t + c_sigma z0, gamma = bound + c_gamma z0.
    size_t first = (size_t)i * TACT_MAX_DIRECTIONS;
    int    at = tact_kernel_friction_rows(kernel, active);
    int    gamma = at + kernel->friction.directions;
    for (int j = 0; j < kernel->system->items[i].directions; j++) {
        kernel->rows.value[at + j] = (kernel->friction.cosine[first + (size_t)j] * t[0] +
                                      kernel->friction.sine[first + (size_t)j] * t[1]) +
                                     z0 * kernel->rows.direct[at + j];
    }
    kernel->rows.value[gamma] = kernel->items.bound[i] + z0 * kernel->rows.direct[gamma];
}

static void activate(TactKernel *kernel, int i)
{
    int last = i + tact_kernel_moments(kernel, i);
    do {
        activate_item(kernel, i);
    } while (++i <= last);
}

/// The part of the covering vector that makes every basic unknown grow at rate 1 with z0.
TACT_CLONES static void add_basis_cover(TactKernel *kernel)
{
    double *direct = kernel->rows.direct;
    // The motion of all basic unknowns at the rate -1.
    for (int c = 0; c < kernel->basis.k; c++) {
        kernel->basis.dz[c] = -kernel->basis.col_blocks[c];
    }
    for (int c = kernel->basis.k; c % 4 != 0; c++) {
        kernel->basis.dz[c] = 0;
    }
    tact_loop_combine(kernel->space.dof, kernel->motions.col_rows, kernel->space.ld,
                      kernel->basis.k, NULL, kernel->basis.dz, kernel->motions.cover_y);
    // What they add to rows directly: gamma, lambda in sigma, compliance in nu.
    for (int c = 0; c < kernel->basis.k; c++) {
        if (kernel->basis.col_gamma[c] != 0) {
            direct[tact_kernel_friction_rows(kernel, kernel->basis.col_active[c]) +
                   kernel->friction.directions] += kernel->basis.col_gamma[c] * kernel->basis.dz[c];
        }
    }
    for (int active = 0; active < kernel->friction.count; active++) {
        int i = kernel->friction.item[active];
        int theta = kernel->basis.position[TACT_VAR_THETA][tact_kernel_owner(kernel, i)];
        if (theta >= 0 && kernel->system->items[i].kind == TACT_ITEM_MOMENT) {
            direct[tact_kernel_friction_rows(kernel, active) + kernel->friction.directions] +=
                kernel->items.mu[i] * kernel->basis.dz[theta];
        }
        if (kernel->basis.position[TACT_VAR_LAMBDA][i] >= 0) {
            for (int j = 0; j < kernel->system->items[i].directions; j++) {
                direct[tact_kernel_friction_rows(kernel, active) + j] -= 1;
            }
        }
    }
    for (int i = 0; i < kernel->system->item_count && kernel->items.has_compliance; i++) {
        double s = kernel->items.scale[i];
        if (kernel->basis.position[TACT_VAR_THETA][i] >= 0) {
            direct[kernel->rows.nu + i] -= s * s * kernel->system->items[i].compliance;
        }
    }
}

/// Rates of the basic variables along z0: c_nu, c_sigma, c_gamma. From a basis with unknowns the
/// column of z0 is minus that of the basis with rates 1 of the unknowns, plus the rates themselves
/// on the basic rows: then every basic variable grows with z0.
static void set_cover(TactKernel *kernel, TactKernelPath *path)
{
    for (int i = 0; i < kernel->system->item_count; i++) {
        bool   nonbasic = kernel->basis.position[TACT_VAR_NU][i] >= 0;
        double nu = path->spread ? tact_compact_cover(i) : tact_random_uniform(&path->random, 1, 2);
        kernel->rows.direct[kernel->rows.nu + i] =
            nonbasic || kernel->system->items[i].kind >= TACT_ITEM_MOTOR ? 0 : nu;
    }
    for (int active = 0; active < kernel->friction.count; active++) {
        cover_friction(kernel, active, TACT_PIVOT_COVER_SIGMA);
    }
    memset(kernel->motions.cover_y, 0, kernel->space.ld * sizeof(double));
    if (kernel->basis.k > 0) {
        add_basis_cover(kernel);
    }
}

/// Is a variable that was chosen to leave in the basis? Where the inverse is lost in rounding, a
/// row that is not has a rate as well, and would leave once more.
static bool is_basic(const TactKernel *kernel, TactVar leaving)
{
    return is_unknown(leaving) ? col_position(kernel, leaving) >= 0
                               : *tact_kernel_position(kernel, leaving) < 0;
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
        if (!is_basic(kernel, leaving)) {
            return TACT_OUTCOME_SINGULAR;
        }
        double work =
            (double)(kernel->basis.k + 10) * (double)(kernel->basis.k + 4 * (int)kernel->space.ld);
        if (pivots >= path->max_pivots || kernel->basis.k + 1 >= kernel->basis.max_k ||
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
