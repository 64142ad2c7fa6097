// Dantzig: the friction index. The bounds of friction rows follow the normal forces.
//
// ODE sets them once, from the normal forces without friction, and stops there. Here every answer
// gives new bounds until they agree with it: b = mu z_normal(b). Within one set of states z is an
// affine function of b, so the fixed point of these states is one linear system away, which is a
// step of Newton's method. Where that does not bring the bounds closer to an agreement, they go a
// share of the way to those of the last answer instead.
#include <math.h>
#include <string.h>

#include "lcp/dantzig/dantzig.h"
#include "linalg/lu.h"
#include "linalg/rank.h"
#include "linalg/vector.h"

// Bounds may differ from what they should be by so much that w changes by this, relative to the
// largest violation allowed.
static const double AGREED = 0.1;

// The share of the way, and what it is multiplied with when it has led further off.
static const double SHARE = 0.7;
static const double SHORTER = 0.9;

/// next_i = mu_i z_normal for every friction row i. Returns max_i s_i |b_i - next_i|, with its row.
static double find_targets(const TactDantzig *self, const TactLcpProblem *problem, double *next,
                           int *row)
{
    double worst = -1;
    for (int i = 0; i < self->n; i++) {
        int j = problem->f_index[i];
        if (j >= 0) {
            next[i] = problem->hi[i] * fmax(self->z[j], 0);
            double error = fabs(self->hi[i] - next[i]) * self->s[i];
            if (error > worst) {
                worst = error;
                *row = i;
            }
        }
    }
    return worst;
}

/// New bounds for all friction rows. Those that had no room to move in rest at 0 now.
static void set_bounds(TactDantzig *self, const TactLcpProblem *problem, const double *bound)
{
    for (int i = 0; i < self->n; i++) {
        if (problem->f_index[i] >= 0) {
            bool fixed = !(self->lo[i] < self->hi[i]);
            self->lo[i] = -bound[i];
            self->hi[i] = bound[i];
            if (self->state[i] != TACT_DANTZIG_CLAMPED) {
                int state = fixed ? TACT_DANTZIG_REST : self->state[i];
                tact_dantzig_put(self, i, (TactDantzigState)state);
            }
        }
    }
    for (int k = 0; k < self->ldl.n; k++) {
        self->clamped.lo[k] = self->lo[self->clamped.index[k]];
        self->clamped.hi[k] = self->hi[self->clamped.index[k]];
    }
}

// ---------------------------------------------------------------------------------------------
// The coupled system

/// Column i of M, i outside C, goes to the right-hand side, or to the column of the normal force
/// that z_i follows: then true.
static bool couple(TactDantzig *self, const TactLcpProblem *problem, int i, double *rhs)
{
    int     n = self->n, k = self->ldl.n;
    int     state = self->state[i];
    int     j = problem->f_index[i];
    bool    bound = j >= 0 && state != TACT_DANTZIG_REST && self->lo[i] < self->hi[i];
    bool    follows = bound && self->state[j] == TACT_DANTZIG_CLAMPED;
    double  mu = state == TACT_DANTZIG_HI ? problem->hi[i] : -problem->hi[i];
    double  z = bound && !follows ? mu * fmax(self->z[j], 0) : self->z[i];
    double *K = self->friction.LU + (follows ? self->place[j] : 0);
    for (int c = 0; c < k; c++) {
        double entry = self->M[(size_t)self->clamped.index[c] * (size_t)n + (size_t)i];
        if (follows) {
            K[(size_t)c * (size_t)k] += mu * entry;
        } else {
            rhs[c] -= entry * z;
        }
    }
    return follows;
}

/// Where the states put z if the bounds follow the normal forces: with f the friction rows at a
/// bound and e_j the unit vector of a normal force in C,
///
///     (M_CC + sum_f +-mu_f M_Cf e_j') z_C = -q_C - M_CN z_N,    z_f = +-mu_f z_j.
///
/// Changes z in C; or nothing, if nothing is coupled and z is known, or if the system is singular.
static void solve_coupled(TactDantzig *self, const TactLcpProblem *problem)
{
    int     n = self->n, k = self->ldl.n;
    double *rhs = self->work, *solution = self->all_w;
    bool    coupled = !self->known;
    for (int c = 0; c < k; c++) {
        const double *row = self->M + (size_t)self->clamped.index[c] * (size_t)n;
        double       *K = self->friction.LU + (size_t)c * (size_t)k;
        rhs[c] = -self->q[self->clamped.index[c]];
        for (int j = 0; j < k; j++) {
            K[j] = row[self->clamped.index[j]];
        }
    }
    for (int i = 0; i < n; i++) {
        if (self->state[i] != TACT_DANTZIG_CLAMPED) {
            coupled |= couple(self, problem, i, rhs);
        }
    }
    if (coupled &&
        tact_lu_factor(k, self->friction.LU, k, self->friction.perm, TACT_SINGULAR_FRICTION) < 0) {
        tact_lu_solve(k, self->friction.LU, k, self->friction.perm, rhs, solution);
        for (int c = 0; c < k; c++) {
            self->z[self->clamped.index[c]] = solution[c];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Passes

typedef struct Passes {
    double least; // disagreement of the bounds that are kept
    double share; // of the way to the bounds that their answer asks for
    bool   newton;
} Passes;

/// The bounds of the next pass.
static void advance(TactDantzig *self, const TactLcpProblem *problem, const Passes *passes)
{
    double *next = self->clamped.v;
    if (passes->newton) {
        int row;
        solve_coupled(self, problem);
        find_targets(self, problem, next, &row);
    } else {
        for (int i = 0; i < self->n; i++) {
            next[i] = self->friction.bound[i] +
                      passes->share * (self->friction.target[i] - self->friction.bound[i]);
        }
    }
    set_bounds(self, problem, next);
}

/// Keeps the bounds of a pass, unless they come from Newton's method and are not better.
static void accept(TactDantzig *self, const double *next, double error, Passes *passes)
{
    bool better = error < passes->least;
    if (passes->newton && !better) {
        passes->newton = false;
        return;
    }
    if (!better) {
        passes->share *= SHORTER;
    }
    memcpy(self->friction.bound, self->hi, (size_t)self->n * sizeof *self->friction.bound);
    memcpy(self->friction.target, next, (size_t)self->n * sizeof *self->friction.target);
    passes->least = error;
    passes->newton = true;
}

TactLcpOutcome tact_dantzig_friction(TactDantzig *self, const TactLcpProblem *problem, int count)
{
    Passes passes = {.least = HUGE_VAL, .share = SHARE, .newton = true};
    double s_max = tact_vec_max_abs(self->n, self->s);
    for (int pass = 0; pass < count; pass++) {
        advance(self, problem, &passes);
        tact_dantzig_restore(self);
        TactLcpOutcome outcome = tact_dantzig_settle(self);
        if (outcome != TACT_LCP_OUTCOME_SOLVED) {
            return outcome;
        }
        double error = find_targets(self, problem, self->clamped.v, &self->report->index);
        if (error * s_max <= AGREED * self->coarse) {
            self->report->index = -1;
            return TACT_LCP_OUTCOME_SOLVED;
        }
        accept(self, self->clamped.v, error, &passes);
    }
    return TACT_LCP_OUTCOME_LIMIT;
}
