// Problems of which it is plain that they have no answer: two contacts, or two joint rows, that are
// each other's opposite to the last bit and ask for more than one motion can give, or contacts of
// which one asks a single degree of freedom for what another does not allow.
//
//     u_i = x + b_i,   u_j = -x + b_j   for the same x = J_i v of every motion v
//
// Both are >= 0 for some x if and only if b_i + b_j >= 0; two rows of a joint with the same J need
// the same target. No friction, no impulse changes that. Contacts that face each other but for
// rounding are not meant: an answer may be found for those.
#include <math.h>

#include "contact/ladder/ladder.h"
#include "contact/problem/problem.h"

// Certified error, of the tolerance, from which on a contradiction is no matter of rounding.
static const double HOPELESS = 1e3;

/// Are n numbers those of another row, times sign?
static bool is_copy(const double *a, const double *b, int n, double sign)
{
    for (int k = 0; k < n; k++) {
        if (a[k] != sign * b[k]) {
            return false;
        }
    }
    return true;
}

/// Do two contacts between the same bodies face each other at one point?
static bool bodies_face(const TactContact *one, const TactContact *other)
{
    return one->a == other->a && one->b == other->b && is_copy(one->point, other->point, 3, 1) &&
           is_copy(one->normal, other->normal, 3, -1);
}

static bool face(const TactContactProblem *problem, int i, int j)
{
    const TactContact *one = &problem->contacts[i], *other = &problem->contacts[j];
    if (problem->bodies) {
        return bodies_face(one, other);
    }
    if (problem->M) {
        return is_copy(one->J, other->J, problem->nv, -1);
    }
    if (!problem->W) { // large: the rungs that ask this are for small ones
        return false;
    }
    size_t n = 3 * (size_t)problem->contact_count;
    return is_copy(problem->W + 3 * (size_t)i * n, problem->W + 3 * (size_t)j * n, (int)n, -1);
}

static bool contacts_contradict(const TactContactProblem *problem, int i, int j)
{
    const TactContact *one = &problem->contacts[i], *other = &problem->contacts[j];
    double             sum = one->bias + other->bias;
    if (tact_contact_has_W(problem)) {
        sum += problem->u_free[3 * i] + problem->u_free[3 * j];
    }
    return sum < 0 && one->compliance == 0 && other->compliance == 0 && face(problem, i, j);
}

/// One degree of freedom, as a door's: every rigid contact asks its velocity to be above or below
/// something, u = J v + bias >= 0. Does one ask for more than another allows?
static bool is_caught(const TactContactProblem *problem)
{
    double least = -HUGE_VAL, most = HUGE_VAL;
    if (!problem->M || problem->nv != 1) {
        return false;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        double             J = contact->J[0], end = -contact->bias / J;
        if (contact->compliance > 0) {
            continue;
        }
        if (J == 0 && contact->bias < 0) {
            return true;
        }
        least = J > 0 && end > least ? end : least;
        most = J < 0 && end < most ? end : most;
    }
    return least > most;
}

static double asked(const TactContactProblem *problem, const TactContactRow *row)
{
    return row->target - row->zeta * row->error / problem->step;
}

static bool rows_contradict(const TactContactProblem *problem, int i, int j)
{
    const TactContactRow *one = &problem->rows[i], *other = &problem->rows[j];
    if (one->kind != TACT_ROW_BILATERAL || other->kind != TACT_ROW_BILATERAL ||
        asked(problem, one) == asked(problem, other)) {
        return false;
    }
    if (problem->M) {
        return is_copy(one->J, other->J, problem->nv, 1);
    }
    return one->a == other->a && one->b == other->b && is_copy(one->J_a, other->J_a, 6, 1) &&
           is_copy(one->J_b, other->J_b, 6, 1);
}

bool tact_ladder_is_hopeless(const TactClimb *climb)
{
    const TactContactProblem *problem = climb->attempt->problem;
    if (!(climb->facts.best_error > HOPELESS * climb->method->config.tol)) {
        return false;
    }
    if (is_caught(problem)) {
        return true;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        for (int j = 0; j < i; j++) {
            if (contacts_contradict(problem, i, j)) {
                return true;
            }
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        for (int j = 0; j < i; j++) {
            if (rows_contradict(problem, i, j)) {
                return true;
            }
        }
    }
    return false;
}
