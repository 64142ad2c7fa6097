// `dantzig`: Cottle and Dantzig's principal pivoting [Baraff94, 4] for box LCPs.
//
// docs/theory/dantzig.md says why it ends, also on singular matrices. In short: for symmetric
// positive semidefinite M, w is the gradient of f(z) = z'M z / 2 + q'z, and every drive makes f
// smaller, so no state at the end of a drive comes back.
#include "lcp/dantzig/dantzig.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "linalg/lane_loops.h"
#include "linalg/vector.h"

// Rows are driven until none is violated by more than COARSE times the tolerance of the
// certificate, and then, as long as that makes it better, FINE times.
static const double COARSE = 0.7;
static const double FINE = 1e-3;

// How often tolerances are tightened by FINE.
enum { MOST_TIGHTENED = 5 };

// w smaller than this, relative to what it is summed from, is rounding.
static const double NOISE = 0x1p-52;

// Violations smaller than this, relative to all that was moved since the values were restored from
// the raw data, may come from w_C, which is not quite 0 any more.
static const double STALE = 1e-11;

// ---------------------------------------------------------------------------------------------
// Workspace

static void dantzig_layout(TactLcpSolver *solver, TactArena *arena)
{
    TactDantzig    *self = tact_arena_take(arena, 1, sizeof *self);
    TactDantzig     sized = {0};
    size_t          n = (size_t)solver->max_n;
    double        **vectors[] = {&sized.lo,
                                 &sized.hi,
                                 &sized.s,
                                 &sized.r,
                                 &sized.z,
                                 &sized.outer.w,
                                 &sized.outer.dw,
                                 &sized.outer.up,
                                 &sized.outer.down,
                                 &sized.outer.r,
                                 &sized.clamped.z,
                                 &sized.clamped.lo,
                                 &sized.clamped.hi,
                                 &sized.clamped.s,
                                 &sized.clamped.dz,
                                 &sized.clamped.y,
                                 &sized.clamped.v,
                                 &sized.all_w,
                                 &sized.saved.z,
                                 &sized.probe,
                                 &sized.work,
                                 &sized.friction.bound,
                                 &sized.friction.target};
    int           **lists[] = {&sized.place,        &sized.outer.index,   &sized.clamped.index,
                               &sized.clamped.row,  &sized.guarded.index, &sized.muted.index,
                               &sized.friction.perm};
    unsigned char **states[] = {&sized.state, &sized.seen, &sized.saved.state};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        *vectors[k] = tact_arena_take(arena, n, sizeof(double));
    }
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        *lists[k] = tact_arena_take(arena, n, sizeof(int));
    }
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        *states[k] = tact_arena_take(arena, n, sizeof(unsigned char));
    }
    sized.ld = (n + 7) / 8 * 8;
    sized.MCN = tact_arena_take(arena, n * sized.ld, sizeof(double));
    sized.friction.LU = tact_arena_take(arena, n * n, sizeof(double));
    tact_ldl_layout(&sized.ldl, solver->max_n, arena);
    if (arena->block) {
        *self = sized;
        solver->work = self;
    }
}

static void load_problem(TactDantzig *self, const TactLcpSolver *solver,
                         const TactLcpProblem *problem, TactLcpReport *report)
{
    int n = problem->n;
    self->n = n;
    self->M = problem->M;
    self->q = problem->q;
    self->report = report;
    self->coarse = COARSE * solver->config.residual_tol * tact_lcp_scale(problem);
    self->fine = FINE / COARSE * self->coarse;
    self->limit = solver->config.max_pivots > 0 ? solver->config.max_pivots : 50 * n + 100;
    self->sums.unit = 0;
    self->polishing = false;
    for (int i = 0; i < n; i++) {
        bool   friction = problem->f_index && problem->f_index[i] >= 0;
        double diagonal = self->M[(size_t)i * ((size_t)n + 1)];
        // Without a start friction rows are held at 0 until the normal forces are known; with one,
        // it says where they are, and any room will do.
        double room = solver->start_basis ? 1 : 0;
        self->lo[i] = friction ? -room : problem->lo ? problem->lo[i] : 0;
        self->hi[i] = friction ? room : problem->hi ? problem->hi[i] : HUGE_VAL;
        self->s[i] = diagonal > 0 ? sqrt(diagonal) : 0;
        self->r[i] = diagonal > 0 ? 1 / self->s[i] : 1;
        double unit = fabs(self->q[i]) * self->r[i];
        self->sums.unit = unit > self->sums.unit ? unit : self->sums.unit;
    }
}

static void write(const TactDantzig *self, double *z, unsigned char *basis)
{
    for (int i = 0; i < self->n; i++) {
        z[i] = self->z[i];
        basis[i] = self->state[i] == TACT_DANTZIG_REST ? TACT_LCP_STATE_BASIC : self->state[i];
    }
    for (int k = 0; k < self->ldl.n; k++) {
        z[self->clamped.index[k]] = self->clamped.z[k];
    }
}

// ---------------------------------------------------------------------------------------------
// The loop over the drives

/// out_c = max(-up_c w_c, down_c w_c) - tol r_c: by how much the row at place c of N is violated,
/// without a unit. Returns the largest.
TACT_CLONES static double violations(const TactDantzig *self, double tol, double *out)
{
    const double *w = self->outer.w, *up = self->outer.up, *down = self->outer.down,
                 *r = self->outer.r;
    int       c = 0, count = self->outer.count;
    TactLanes most = {0};
    for (; c + 4 <= count; c += 4) {
        TactLanes at = *tact_lanes_at(w + c);
        TactLanes rise = -at * *tact_lanes_at(up + c), fall = at * *tact_lanes_at(down + c);
        TactLanes violation = TACT_LANES_SELECT(rise > fall, rise, fall);
        violation -= tol * *tact_lanes_at(r + c);
        most = TACT_LANES_SELECT(violation > most, violation, most);
        *(TactLanes *)(out + c) = violation;
    }
    double result = fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
    for (; c < count; c++) {
        double rise = -w[c] * up[c], fall = w[c] * down[c];
        out[c] = (rise > fall ? rise : fall) - tol * r[c];
        result = out[c] > result ? out[c] : result;
    }
    return result;
}

/// The index that is violated most, by more than tol and by more than rounding, and the direction
/// in which it is to be driven; -1: none.
static int find_violated(TactDantzig *self, double tol, double *direction)
{
    double noise = fmax(STALE * self->sums.moved, NOISE * self->sums.size);
    double most = violations(self, tol, self->work);
    if (!(most > noise)) {
        return -1;
    }
    int c = 0;
    while (self->work[c] != most) {
        c++;
    }
    *direction = self->outer.w[c] < 0 ? 1 : -1;
    return self->outer.index[c];
}

/// Whether the states at the end of a drive were there before. f falls with every drive, so if they
/// were, rounding is stronger than what is gained. An earlier one is kept for comparison, the next
/// always twice as far on [Brent 1980].
static bool has_returned(TactDantzig *self, int drives)
{
    if (drives > 1 && memcmp(self->state, self->seen, (size_t)self->n) == 0) {
        return true;
    }
    if ((drives & (drives - 1)) == 0) {
        memcpy(self->seen, self->state, (size_t)self->n);
    }
    return false;
}

/// Drives what is violated by more than tol, until nothing is.
static TactLcpOutcome drive_all(TactDantzig *self, double tol)
{
    int drives = 0, returns = 0;
    for (;;) {
        double direction = 0;
        bool   restored = self->sums.moved == 0;
        self->sums.size = self->sums.outside +
                          tact_dantzig_sum_abs(self->ldl.n, self->clamped.s, self->clamped.z);
        int d = find_violated(self, tol, &direction);
        if (d < 0 && restored) {
            return TACT_LCP_OUTCOME_SOLVED;
        }
        if (d < 0) {
            tact_dantzig_restore(self);
            continue;
        }
        int            pivots = self->report->pivots;
        TactLcpOutcome outcome = tact_dantzig_drive(self, d, direction);
        self->report->iterations++;
        bool returned = outcome == TACT_LCP_OUTCOME_SOLVED && self->report->pivots > pivots &&
                        has_returned(self, ++drives);
        if ((outcome == TACT_LCP_OUTCOME_RAY && !restored) || (returned && returns++ == 0)) {
            // Perhaps it was only rounding: once more from a fresh factor.
            tact_dantzig_refactor(self);
            tact_dantzig_restore(self);
        } else if (returned || outcome != TACT_LCP_OUTCOME_SOLVED) {
            self->report->index = d;
            return returned ? TACT_LCP_OUTCOME_CYCLE : outcome;
        }
    }
}

/// The largest error of a restored state, without a unit.
static double error_of(TactDantzig *self)
{
    tact_dantzig_unmute(self);
    return fmax(self->sums.residual, violations(self, 0, self->work));
}

// Where M is singular but for rounding, a violation that the certificate would not mind may take
// forces without end to remove.
TactLcpOutcome tact_dantzig_settle(TactDantzig *self)
{
    double         direction;
    TactLcpOutcome outcome = drive_all(self, self->coarse);
    if (outcome != TACT_LCP_OUTCOME_SOLVED || find_violated(self, self->fine, &direction) < 0) {
        return outcome;
    }
    double error = error_of(self);
    tact_dantzig_save(self);
    self->polishing = true;
    outcome = drive_all(self, self->fine);
    self->polishing = false;
    if (outcome != TACT_LCP_OUTCOME_SOLVED || !(error_of(self) <= error)) {
        tact_dantzig_revert(self);
    }
    self->report->index = -1;
    return TACT_LCP_OUTCOME_SOLVED;
}

/// All rows within the tolerances as they stand, friction included.
static TactLcpOutcome settle_all(TactDantzig *self, const TactLcpSolver *solver,
                                 const TactLcpProblem *problem, bool started)
{
    TactLcpOutcome outcome = TACT_LCP_OUTCOME_SOLVED;
    if (!problem->f_index || !started) {
        tact_dantzig_restore(self);
        outcome = tact_dantzig_settle(self);
    }
    if (problem->f_index && outcome == TACT_LCP_OUTCOME_SOLVED) {
        outcome = tact_dantzig_friction(self, problem, solver->config.friction_passes);
    }
    return outcome;
}

static TactLcpOutcome dantzig_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                  TactLcpReport *report)
{
    TactDantzig         *self = solver->work;
    const unsigned char *basis = solver->start_basis;
    double               fine = FINE * solver->config.residual_tol * tact_lcp_scale(problem);
    if (tact_dantzig_is_small(solver, problem) &&
        tact_dantzig_small(problem, fine, z, solver->basis, report) &&
        tact_lcp_is_certified(solver, problem, z, fine)) {
        return TACT_LCP_OUTCOME_SOLVED;
    }
    load_problem(self, solver, problem, report);
    tact_dantzig_start(self, basis, solver->start_z);
    TactLcpOutcome outcome = settle_all(self, solver, problem, basis != NULL);
    write(self, z, solver->basis);
    // One tolerance for all rows, tightened while the certificate, which has one a row, asks for
    // it.
    for (int k = 0; k < MOST_TIGHTENED && outcome == TACT_LCP_OUTCOME_SOLVED && !problem->f_index &&
                    !tact_lcp_is_certified(solver, problem, z, self->coarse);
         k++) {
        self->coarse = self->fine;
        self->fine *= FINE;
        outcome = settle_all(self, solver, problem, false);
        write(self, z, solver->basis);
    }
    return outcome;
}

const TactLcpMethodEntry tact_lcp_dantzig = {
    .info = {.name = "dantzig",
             .source = "Baraff 1994, section 4; Cottle and Dantzig 1968",
             .guarantee = "symmetric positive semidefinite",
             .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_UPPER | TACT_LCP_TAKES_FRICTION |
                      TACT_LCP_TAKES_ZERO_DIAGONAL},
    .layout = dantzig_layout,
    .run = dantzig_run,
};
