// The last of an error, made even over the items.
//
// Near its end a path can be left with velocities that no force removes before some contact gives
// way: what is stuck is asked for a motion that its loops do not allow, by c'u = b, c being forces
// that balance each other. Springs share b out so that sum u_i^2 / k_i is least: u_i = lambda k_i
// c_i, which leaves most of it to a few items, while hundreds have next to none. What counts is the
// largest u_i over its scale. So springs are made softer where the error is small,
//
//     k_i = eps w_i e_i,    e_i <- e_i sqrt(worst / error_i),    1 <= e_i <= 30             (9)
//
// and a stage or two later the same b is on all of them: its largest part is a half or a third.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "contact/proximal/proximal_internal.h"

static const double NEAR = 4;        // over tol: error from which on it is tried,
static const double NEARER = 0.7;    //   times the error at the last try
static const double EVEN_EPS = 1e-5; // of the springs
static const double SOFTER = 8;      // times eps after a stage that failed,
static const double SOFTEST = 1e-3;  //   at most
static const double MOST_EASE = 30;  // of an item
static const double WORSE = 3;       // times the least error: it is left
static const double EXACT = 0.05;    // |g| over |y - y0| that ends a stage, over the error,
static const double FINEST = 1e-12;  //   at least

enum { ROUNDS = 12, MOST_STEPS = 8 };

/// Softness of the springs after a measure of the error; error: the largest of it.
static void ease_items(TactProximal *proximal, double error, bool first)
{
    int    items = proximal->coupling->system->item_count;
    double least = HUGE_VAL;
    for (int i = 0; i < items; i++) {
        TactProximalItem *item = &proximal->items[i];
        double            own = proximal->residual[i] / proximal->scale[i];
        double            ratio = own > 0 ? fmin(error / own, MOST_EASE * MOST_EASE) : MOST_EASE;
        item->ease = first ? ratio : item->ease * sqrt(ratio);
        least = fmin(least, item->ease);
    }
    for (int i = 0; i < items; i++) {
        proximal->items[i].ease = fmin(proximal->items[i].ease / least, MOST_EASE);
    }
}

static void ease_none(TactProximal *proximal)
{
    for (int i = 0; i < proximal->coupling->system->item_count; i++) {
        proximal->items[i].ease = 1;
    }
}

/// Stages with springs of (9) from p and its motion, both those of the last stage. True: p is good.
static bool run_even(TactProximal *proximal, double error, double tol, double *p)
{
    size_t impulses = 3 * (size_t)proximal->coupling->system->item_count * sizeof(double);
    size_t motion = (size_t)proximal->coupling->system->dof * sizeof(double);
    double eps = EVEN_EPS, least = error;
    bool   measured = true;
    for (int k = 0, steps; k < ROUNDS && eps <= SOFTEST && !tact_budget_is_over(); k++) {
        if (measured) {
            ease_items(proximal, error, k == 0);
        }
        double exact = fmax(EXACT * fmin(error, eps), FINEST);
        measured = tact_proximal_stage(proximal, eps, exact, MOST_STEPS, &steps);
        if (!measured) {
            tact_proximal_set_motion(proximal, proximal->kept);
            eps *= SOFTER;
            continue;
        }
        memcpy(p, proximal->p, impulses);
        memcpy(proximal->kept, proximal->y, motion);
        tact_proximal_set_centres(proximal, p);
        error = tact_proximal_error(proximal, p);
        if (error <= tact_coupling_tolerance(proximal->coupling, proximal->scale, tol)) {
            return true;
        }
        least = fmin(least, error);
        if (!(error <= WORSE * least)) {
            break;
        }
    }
    return false;
}

bool tact_proximal_even(TactProximal *proximal, double error, double tol, double *p)
{
    size_t impulses = 3 * (size_t)proximal->coupling->system->item_count * sizeof(double);
    size_t motion = (size_t)proximal->coupling->system->dof * sizeof(double);
    double limit = tact_coupling_tolerance(proximal->coupling, proximal->scale, tol);
    if (!proximal->even.tried || !(error <= NEAR * limit) ||
        error > NEARER * proximal->even.error) {
        return false;
    }
    proximal->even.error = error;
    memcpy(proximal->best, p, impulses);
    memcpy(proximal->even.kept, proximal->kept, motion);
    bool good = run_even(proximal, error, tol, p);
    ease_none(proximal);
    if (!good) {
        memcpy(p, proximal->best, impulses);
        memcpy(proximal->kept, proximal->even.kept, motion);
        tact_proximal_set_motion(proximal, proximal->kept);
        tact_proximal_set_centres(proximal, p);
    }
    return good;
}
