#include "contact/pivot/reduced.h"

#include <math.h>

// Values that a step of the path brings this close to 0 are ties. A basis that the path would end
// on is also kept: no basic value is further below 0.
static const double TIE = 1e-10;

// An answer whose values are off by more is none.
static const double ACCURATE = 1e-9;

// Impulses below this part of the largest are none; friction this close to the cone slides.
static const double NONE = 1e-9;
static const double SLIDES = 1e-6;

bool tact_guess_follow(TactKernel *kernel, const TactVar *basis, int count,
                       TactContactReport *report)
{
    if (!tact_kernel_set_basis(kernel, basis, count)) {
        return false;
    }
    double tie = TIE * kernel->items.share;
    if (tact_kernel_lowest(kernel) >= -tie) {
        return true;
    }
    TactKernelPath path = {
        .lazily = !kernel->elimination,
        .max_pivots = 30 + 10 * kernel->system->item_count,
        .tie = tie,
        .random = tact_random_seed(7),
    };
    int  before = kernel->pivots;
    bool solved = tact_kernel_follow(kernel, &path) == TACT_OUTCOME_SOLVED;
    report->pivots += kernel->pivots - before;
    if (solved) {
        tact_kernel_refine(kernel);
    }
    return solved && tact_kernel_error(kernel) < ACCURATE;
}

/// Largest friction of an item.
static double most_friction(const TactKernel *kernel, int i, const double *impulses)
{
    const TactItem *item = &kernel->system->items[i];
    switch (item->kind) {
    case TACT_ITEM_MOTOR: return item->bound;
    case TACT_ITEM_MOMENT: return item->mu * impulses[3 * item->owner];
    default: return kernel->items.mu[i] * impulses[3 * i];
    }
}

/// phi and lambda that a tangential impulse suggests. Returns how many.
static int guess_friction(const TactKernel *kernel, int i, const double *impulses, TactVar *basis)
{
    const double *p = impulses + 3 * i;
    int           d = kernel->system->items[i].directions;
    double        angle = atan2(p[2], p[1]) - kernel->items.turn[i];
    double        step = 6.283185307179586 / d;
    double        position = angle / step;
    int           below = (int)floor(position);
    double        part = position - floor(position);
    int           first = ((below % d) + d) % d;
    int           second = (first + 1) % d;
    // Shares of the two directions next to it: |p_t| = a d_first + b d_second.
    double length = sqrt(p[1] * p[1] + p[2] * p[2]);
    double a = length * sin((1 - part) * step) / sin(step);
    double b = length * sin(part * step) / sin(step);
    double most = most_friction(kernel, i, impulses);
    if (a + b >= most * (1 - SLIDES)) {
        basis[0] = tact_var(TACT_VAR_PHI, i, a >= b ? first : second);
        basis[1] = tact_var(TACT_VAR_LAMBDA, i, 0);
        return 2;
    }
    basis[0] = tact_var(TACT_VAR_PHI, i, first);
    if (d == 2) {
        basis[0] = tact_var(TACT_VAR_PHI, i, p[1] >= 0 ? 0 : 1);
        return 1;
    }
    basis[1] = tact_var(TACT_VAR_PHI, i, second);
    return 2;
}

TactContactOutcome tact_guess_solve(TactKernel *kernel, const TactSystem *system, double *p,
                                    TactContactReport *report)
{
    double largest = 0;
    for (int i = 0; i < 3 * system->item_count; i++) {
        largest = fmax(largest, fabs(p[i]));
    }
    tact_kernel_load(kernel, system);
    int count = 0;
    for (int i = 0; i < system->item_count; i++) {
        bool motor = system->items[i].kind == TACT_ITEM_MOTOR;
        bool moment = system->items[i].kind == TACT_ITEM_MOMENT;
        int  load = moment ? system->items[i].owner : i;
        bool finite = isfinite(p[3 * i]) && isfinite(p[3 * i + 1]) && isfinite(p[3 * i + 2]);
        if (motor) { // its law needs its rows, whatever it does
            tact_kernel_add_friction(kernel, i);
        }
        if (!finite || (!motor && p[3 * load] <= NONE * largest)) {
            continue;
        }
        if (count + 3 > kernel->basis.max_k) {
            return TACT_OUTCOME_LIMIT;
        }
        if (!motor && !moment) {
            kernel->scratch.warm[count++] = tact_var(TACT_VAR_THETA, i, 0);
        }
        tact_kernel_add_friction(kernel, i);
        if (kernel->items.active[i] >= 0) {
            count += guess_friction(kernel, i, p, kernel->scratch.warm + count);
        }
    }
    bool solved = tact_guess_follow(kernel, kernel->scratch.warm, count, report);
    if (solved) {
        tact_kernel_impulses(kernel, true, p);
    }
    report->refactors += kernel->refactors;
    return solved ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_SINGULAR;
}
