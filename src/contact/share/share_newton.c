// Newton's method for the dual of a projection: g(l) = C p(l) - c = 0, p_i(l) = P_i(x_i +
// C_i'l/s_i).
//
// g is the gradient of a convex function d(l) (share.h, 2), its derivative is H = C V C' / s, which
// is singular wherever sets have corners or motions are held by nothing: a part of the diagonal of
// C C' / s that shrinks with g is added to it. A step is shortened until d or |g| has come down.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/larger.h"
#include "contact/share/share.h"

enum {
    MOST_STEPS = 60,
    MOST_HALVINGS = 30,
    MOST_AGAIN = 3,
};

static const double EXACT = 5e-14;   // of the load: g that is rounding
static const double ENOUGH = 1e-10;  // g that will do where rounding allows no less
static const double UNLOADED = 1e-3; // of the largest load: less is none
static const double LEAST_ADDED = 1e-9;
static const double STRICTLY_ADDED = 1e-12; // to the diagonal
static const double MOST_ADDED = 1e-5;
static const double DESCENT = 1e-4; // Armijo's share
static const double SMALLER = 0.9;  // |g| that counts as progress
static const double SHORT = 0.3;    // a step after which more is added
static const double MORE = 100;
static const double ROUNDING = 1e-9; // of the dual's value

// ---------------------------------------------------------------------------------------------
// The function

/// The set of an item; where directions are asked for, those in which it goes on for ever.
static TactShareSet set_of(const TactShare *share, int k)
{
    TactShareSet set = share->active[k].set;
    if (share->dual.recedes) {
        set.normal = set.bound = 0;
    }
    return set;
}

static void start_sum(const TactShare *share, double *g)
{
    for (int j = 0; j < share->system->dof; j++) {
        g[j] = share->dual.recedes ? 0 : -share->sums.c[j];
    }
}

/// z = x + C'l / s of an item.
static void pull(const TactShare *share, const TactShareItem *a, const double *l, double z[3])
{
    tact_system_pull(share->system, a->item, l, z);
    for (int r = 0; r < 3; r++) {
        z[r] = a->centre[r] + z[r] / a->weight;
    }
}

/// p and V of an active item, with those that belong to its patch.
static void move_item(TactShare *share, int k, const double *l)
{
    TactShareItem *a = &share->active[k];
    TactShareSet   set = set_of(share, k);
    double         z[3][3], V[9];
    if (a->patch >= 0) {
        for (int m = 0; m <= a->moments; m++) {
            pull(share, a + m, l, z[m]);
        }
        tact_share_move_patch(share, k, z, &share->dual.changed);
        return;
    }
    pull(share, a, l, z[0]);
    tact_share_project(&set, z[0], a->p, V);
    for (int r = 0; r < 9; r++) {
        share->dual.changed = share->dual.changed || V[r] != a->V[r];
        a->V[r] = V[r];
    }
}

/// p, V and g at l; returns the dual's value (to be made small).
static double evaluate_dual(TactShare *share, const double *l, double *g)
{
    const TactSystem *system = share->system;
    double            value = 0;
    start_sum(share, g);
    for (int k = 0; k < share->count; k++) {
        TactShareItem *a = &share->active[k];
        double         square = 0;
        if (system->items[a->item].kind != TACT_ITEM_MOMENT) { // which go with their contact
            move_item(share, k, l);
        }
        for (int r = 0; r < 3; r++) {
            square += (a->p[r] - a->centre[r]) * (a->p[r] - a->centre[r]);
        }
        value -= 0.5 * a->weight * square;
        tact_system_push(system, a->item, a->p, g);
    }
    for (int j = 0; j < system->dof; j++) {
        value += l[j] * g[j];
    }
    return value;
}

/// g at l = 0 with the sets replaced by their linear hulls: what the first step takes to 0.
static void start_at_hulls(TactShare *share)
{
    const TactSystem *system = share->system;
    start_sum(share, share->dual.g);
    for (int k = 0; k < share->count; k++) {
        TactShareItem *a = &share->active[k];
        const double  *V = a->V, *x = a->centre;
        double         p[3];
        if (a->patch >= 0) {
            tact_share_start_patch(share, k);
            for (int m = 0; m <= a->moments; m++) {
                tact_system_push(system, a[m].item, a[m].p, share->dual.g);
            }
            k += a->moments;
            continue;
        }
        tact_share_hull(&a->set, a->V);
        for (int r = 0; r < 3; r++) {
            p[r] = V[3 * r] * x[0] + V[3 * r + 1] * x[1] + V[3 * r + 2] * x[2];
        }
        p[0] += set_of(share, k).normal; // of soft contacts alone
        tact_system_push(system, a->item, p, share->dual.g);
    }
}

/// Worst entry of g over the load that passes through its degree of freedom, and over how much
/// larger impulses are than those of the answer.
static double error_of(const TactShare *share, const double *g)
{
    const double *load = share->dual.recedes ? share->sums.reach : share->sums.load;
    double        worst = 0, most = 0;
    for (int j = 0; j < share->system->dof; j++) {
        most = tact_larger(most, load[j]);
    }
    for (int j = 0; j < share->system->dof && most > 0; j++) {
        worst = fmax(worst, fabs(g[j]) / (load[j] + UNLOADED * most));
    }
    return worst / share->dual.size;
}

static double slope_of(const TactShare *share)
{
    double sum = 0;
    for (int j = 0; j < share->system->dof; j++) {
        sum += share->dual.g[j] * share->dual.step[j];
    }
    return sum;
}

static void swap(double **a, double **b)
{
    double *other = *a;
    *a = *b;
    *b = other;
}

/// A step along share->dual.step, as long as it may be; its length, 0: there is no progress.
static double go(TactShare *share, double *value, double *error)
{
    double slope = slope_of(share), length = 1;
    for (int k = 0; k < MOST_HALVINGS; k++, length /= 2) {
        for (int j = 0; j < share->system->dof; j++) {
            share->dual.trial[j] = share->dual.l[j] + length * share->dual.step[j];
        }
        double there = evaluate_dual(share, share->dual.trial, share->dual.next_g);
        double miss = error_of(share, share->dual.next_g);
        bool   less = miss <= SMALLER * *error && there <= *value + ROUNDING * fabs(*value);
        if (less || (*error > ENOUGH && there <= *value + DESCENT * length * slope)) {
            swap(&share->dual.l, &share->dual.trial);
            swap(&share->dual.g, &share->dual.next_g);
            *value = there;
            *error = miss;
            return length;
        }
        if (*error <= ENOUGH) {
            return 0; // rounding
        }
    }
    return 0;
}

bool tact_share_nearest(TactShare *share)
{
    size_t bytes = (size_t)share->system->dof * sizeof(double);
    double least = share->strict ? STRICTLY_ADDED : LEAST_ADDED;
    tact_share_dual_begin(share);
    start_at_hulls(share);
    if (!tact_share_dual_step(share, least)) {
        return false;
    }
    memcpy(share->dual.l, share->dual.step, bytes);
    double value = evaluate_dual(share, share->dual.l, share->dual.g),
           error = error_of(share, share->dual.g);
    double length = 1, more = 1;
    int    again = 0;
    for (int k = 0; error > EXACT && k < MOST_STEPS && length > 0; k++) {
        double added = fmin(MOST_ADDED, fmax(least, error * error));
        length = tact_share_dual_step(share, fmin(added * more, MOST_ADDED))
                     ? go(share, &value, &error)
                     : 0;
        more = length < SHORT ? MORE * more : fmax(1, more / MORE);
        if (length == 0 && again++ < MOST_AGAIN && added * more < MOST_ADDED) {
            length = 1; // with more added
        }
    }
    evaluate_dual(share, share->dual.l,
                  share->dual.g); // what was tried last need not be what stands
    return error <= ENOUGH;
}
