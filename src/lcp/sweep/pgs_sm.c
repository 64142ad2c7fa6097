// pgs-sm: projected Gauss-Seidel with subspace minimisation. [Arechavaleta, III.B, corrected: A2,
// A3, with bounds; after Morales, Nocedal and Smelyanskiy 2008]
//
// Sweeps guess which variables rest at which bound; a solve on the face of the others says what
// these are worth. With phi(z) = z'M z / 2 + q'z, whose gradient is w:
//
//     PGS stage   k_PGS sweeps
//     SM stage    F = {i : lo_i < z_i < hi_i}; k_SM times: minimise phi on F, project onto the box,
//                 and let what arrived at a bound leave F
//
// Projection may raise phi, and then the two stages can go in circles for ever. A stage that raised
// it is undone and made again in steps that end at the first bound they meet; every REGULAR-th
// stage goes on like this to the minimum of its face, so that a positive definite problem ends.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "lcp/solver.h"
#include "lcp/sweep/subspace.h"
#include "lcp/sweep/sweep.h"
#include "linalg/vector.h"

// Every so many SM stages one goes on to the minimum of its face.
enum { REGULAR = 8 };

// Steps of a descent on a sparse problem, where each is a new run of conjugate gradients.
enum { MAX_SPARSE_STEPS = 10 };

// Of the error reached, what is asked for next where a row is not certified yet; how often.
static const double TIGHTER = 0.1;
enum { MOST_TIGHTENED = 16 };

// Smallest slope of phi along a ray, relative to the scale of w and the size of the ray.
static const double RAY_SLOPE = 1e-6;

// Entries of a null vector that are rounding, relative to the largest.
static const double NOTHING = 1e-10;

typedef struct Work {
    TactLcpSweep    sweep;
    TactLcpSubspace subspace;
    double         *lo;       // bounds, those of friction rows frozen for one SM stage   (n)
    double         *hi;       //                                                          (n)
    double         *z_before; // where the SM stage began                                 (n)
    double         *w_before; //                                                          (n)
    double          drift_before;
    double          tolerance; // largest error of a solution
    int             ray;       // a variable of a ray along which phi falls for ever; -1: none
} Work;

static void pgs_sm_layout(TactLcpSolver *solver, TactArena *arena)
{
    size_t n = (size_t)solver->max_n;
    Work  *work = solver->work = tact_arena_take(arena, 1, sizeof(Work));
    tact_lcp_sweep_layout(work ? &work->sweep : NULL, solver->max_n, arena);
    tact_lcp_subspace_layout(work ? &work->subspace : NULL, solver->max_n, solver->config.storage,
                             arena);
    double *lent[4];
    for (int k = 0; k < 4; k++) {
        lent[k] = tact_arena_take(arena, n, sizeof(double));
    }
    if (work) {
        work->lo = lent[0];
        work->hi = lent[1];
        work->z_before = lent[2];
        work->w_before = lent[3];
    }
}

// ---------------------------------------------------------------------------------------------
// SM stage

static bool is_inside(const Work *work, int i)
{
    return work->sweep.z[i] > work->lo[i] && work->sweep.z[i] < work->hi[i];
}

static void find_face(Work *work)
{
    for (int i = 0; i < work->sweep.problem->n; i++) {
        work->subspace.free[i] = is_inside(work, i);
    }
}

static void begin_stage(Work *work)
{
    TactLcpSweep         *sweep = &work->sweep;
    const TactLcpProblem *problem = sweep->problem;
    size_t                bytes = (size_t)problem->n * sizeof(double);
    memcpy(work->z_before, sweep->z, bytes);
    memcpy(work->w_before, sweep->w, bytes);
    work->drift_before = sweep->drift;
    for (int i = 0; i < problem->n; i++) {
        work->lo[i] = tact_lcp_lo(problem, sweep->z, i);
        work->hi[i] = tact_lcp_hi(problem, sweep->z, i);
    }
    find_face(work);
}

static void undo_stage(Work *work)
{
    size_t bytes = (size_t)work->sweep.problem->n * sizeof(double);
    memcpy(work->sweep.z, work->z_before, bytes);
    memcpy(work->sweep.w, work->w_before, bytes);
    work->sweep.drift = work->drift_before;
    find_face(work);
}

/// phi(z) - phi(z_before) = (z - z_before)'(w + w_before) / 2
static double change_of_phi(const Work *work)
{
    double sum = 0;
    for (int i = 0; i < work->sweep.problem->n; i++) {
        sum += (work->sweep.z[i] - work->z_before[i]) * (work->sweep.w[i] + work->w_before[i]);
    }
    return sum / 2;
}

/// Moves z_F to the minimum of the face and projects it. Returns how many variables left F.
static int project_step(Work *work)
{
    TactLcpSubspace *subspace = &work->subspace;
    int              left = 0;
    for (int a = 0; a < subspace->rank; a++) {
        int    i = subspace->index[a];
        double z = work->sweep.z[i] + subspace->step[a];
        z = z < work->lo[i] ? work->lo[i] : z > work->hi[i] ? work->hi[i] : z;
        tact_lcp_sweep_move(&work->sweep, i, z);
        subspace->free[i] = is_inside(work, i);
        left += !subspace->free[i];
    }
    return left;
}

/// Moves the variables index[0 .. count) along step until the first of them meets a bound, or by
/// `longest`. Returns whether one did; if nothing ends the step, nothing moves.
static bool truncate_step(Work *work, int count, double longest)
{
    TactLcpSubspace *subspace = &work->subspace;
    double           length = longest;
    int              first = -1;
    for (int a = 0; a < count; a++) {
        int    i = subspace->index[a];
        double step = subspace->step[a];
        double room = (step < 0 ? work->lo[i] : work->hi[i]) - work->sweep.z[i];
        if (step != 0 && room / step < length) {
            length = room / step;
            first = a;
        }
    }
    if (isinf(length)) {
        return false;
    }
    for (int a = 0; a < count; a++) {
        int    i = subspace->index[a];
        double bound = subspace->step[a] < 0 ? work->lo[i] : work->hi[i];
        double z = work->sweep.z[i] + length * subspace->step[a];
        z = z < work->lo[i] ? work->lo[i] : z > work->hi[i] ? work->hi[i] : z;
        tact_lcp_sweep_move(&work->sweep, i, a == first ? bound : z);
        subspace->free[i] = is_inside(work, i);
    }
    return first >= 0;
}

/// A dependent variable with w_i != 0 where all others of F have w = 0: along the null vector that
/// it belongs to, phi falls in a straight line. Returns its place in the index; -1: none.
static int find_slope(const Work *work)
{
    const TactLcpSubspace *subspace = &work->subspace;
    int                    steepest = -1;
    double                 slope = work->tolerance;
    for (int a = subspace->rank; a < subspace->count; a++) {
        double w = fabs(work->sweep.w[subspace->index[a]]);
        if (w > slope) {
            slope = w;
            steepest = a;
        }
    }
    return steepest;
}

/// Follows the null vector of index[a] downhill. Returns whether a bound was met. If none is, phi
/// falls for ever: a ray, unless its slope may be rounding, or bounds follow a normal force that
/// may yet change.
static bool follow_null_vector(Work *work, int a)
{
    TactLcpSubspace *subspace = &work->subspace;
    int              i = subspace->index[a];
    double           w = work->sweep.w[i];
    tact_lcp_subspace_null(subspace, a);
    double largest = fmax(1, tact_vec_max_abs(subspace->rank, subspace->step));
    for (int b = 0; b < subspace->rank; b++) {
        double step = subspace->step[b];
        subspace->step[b] = fabs(step) <= NOTHING * largest ? 0 : w > 0 ? -step : step;
    }
    // The variable itself moves as the one after the last of the factor.
    subspace->index[a] = subspace->index[subspace->rank];
    subspace->index[subspace->rank] = i;
    subspace->step[subspace->rank] = w > 0 ? -1 : 1;
    bool met = truncate_step(work, subspace->rank + 1, HUGE_VAL);
    if (!met && !work->sweep.problem->f_index &&
        fabs(w) > RAY_SLOPE * largest * work->sweep.scale) {
        work->ray = i;
    }
    return met;
}

/// Minimises phi on F in steps that end at the first bound met, which leaves F: each lowers phi.
static void descend(Work *work)
{
    TactLcpSubspace *subspace = &work->subspace;
    int              most = work->sweep.problem->M ? 2 * work->sweep.problem->n : MAX_SPARSE_STEPS;
    tact_lcp_subspace_set(subspace);
    for (int k = 0; k < most; k++) {
        tact_lcp_subspace_solve(subspace, work->sweep.w, work->tolerance / 10);
        bool met = truncate_step(work, subspace->rank, 1);
        tact_lcp_sweep_settle(&work->sweep, work->tolerance);
        if (!met && tact_lcp_subspace_admit(subspace, work->sweep.w, work->tolerance) == 0) {
            int a = find_slope(work);
            if (a < 0 || !follow_null_vector(work, a)) {
                return;
            }
        }
        tact_lcp_subspace_shrink(subspace);
    }
}

/// One SM stage; `regular` ones go on to the minimum of their face.
static void minimise(Work *work, int steps, bool regular)
{
    TactLcpSubspace *subspace = &work->subspace;
    int              left = 1;
    begin_stage(work);
    for (int k = 0; k < steps && left > 0; k++) {
        tact_lcp_subspace_set(subspace);
        tact_lcp_subspace_solve(subspace, work->sweep.w, work->tolerance / 10);
        left = project_step(work);
        tact_lcp_sweep_settle(&work->sweep, work->tolerance);
        left += left == 0 ? tact_lcp_subspace_admit(subspace, work->sweep.w, work->tolerance) : 0;
    }
    // The negation also catches NaN.
    if (!(change_of_phi(work) <= 0)) {
        undo_stage(work);
        descend(work);
    } else if (find_slope(work) >= 0 || (regular && left > 0)) {
        descend(work);
    }
}

// ---------------------------------------------------------------------------------------------
// The method

/// Sweeps until one of them sees nothing wrong. Returns the error, that of a fresh w if it is
/// small.
static double sweep_stage(Work *work, int sweeps, int max_iterations, TactLcpReport *report)
{
    double error = HUGE_VAL;
    for (int k = 0; k < sweeps && report->iterations < max_iterations; k++) {
        error = tact_lcp_sweep_run(&work->sweep);
        report->iterations++;
        if (error <= work->tolerance || !work->sweep.moved) {
            return tact_lcp_sweep_refresh(&work->sweep);
        }
        if (!(error <= TACT_LCP_SWEEP_DIVERGED * work->sweep.scale)) {
            return HUGE_VAL;
        }
    }
    return error;
}

static TactLcpOutcome iterate_pgs_sm(Work *work, const TactLcpConfig *config, TactLcpReport *report)
{
    double error = tact_lcp_sweep_refresh(&work->sweep);
    for (int stage = 0; !(error <= work->tolerance); stage++) {
        double operations = (double)config->pgs_sweeps * tact_lcp_sweep_work(&work->sweep);
        if (report->iterations >= config->max_iterations || tact_budget_spend(operations)) {
            return TACT_LCP_OUTCOME_LIMIT;
        }
        error = sweep_stage(work, config->pgs_sweeps, config->max_iterations, report);
        if (isinf(error)) {
            return TACT_LCP_OUTCOME_LIMIT;
        }
        if (error <= work->tolerance || config->sm_steps == 0) {
            continue;
        }
        bool regular = stage % REGULAR == REGULAR - 1;
        minimise(work, config->sm_steps, regular);
        error = tact_lcp_sweep_error(&work->sweep);
        if (error <= work->tolerance) {
            error = tact_lcp_sweep_refresh(&work->sweep);
        }
        if (work->ray >= 0 && !(error <= work->tolerance)) {
            report->index = work->ray;
            return TACT_LCP_OUTCOME_RAY;
        }
    }
    return TACT_LCP_OUTCOME_SOLVED;
}

static TactLcpOutcome pgs_sm_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                 TactLcpReport *report)
{
    Work *work = solver->work;
    tact_lcp_sweep_begin(&work->sweep, problem, solver->start_z, z);
    work->sweep.keeps_w = true; // solve.c has refused what is not symmetric
    tact_lcp_subspace_begin(&work->subspace, problem, work->sweep.inverse);
    work->tolerance = solver->config.residual_tol * work->sweep.scale;
    work->ray = -1;
    // One tolerance for all rows, tightened while the certificate, which has one a row, asks for
    // it.
    TactLcpOutcome outcome = iterate_pgs_sm(work, &solver->config, report);
    for (int k = 0; k < MOST_TIGHTENED && outcome == TACT_LCP_OUTCOME_SOLVED &&
                    !tact_lcp_is_certified(solver, problem, z, work->tolerance);
         k++) {
        work->tolerance = TIGHTER * fmin(work->tolerance, tact_lcp_sweep_error(&work->sweep));
        outcome = iterate_pgs_sm(work, &solver->config, report);
    }
    report->refactors = work->subspace.factors;
    tact_lcp_sweep_basis(&work->sweep, solver->basis);
    return outcome;
}

const TactLcpMethodEntry tact_lcp_pgs_sm = {
    .info = {.name = "pgs-sm",
             .source = "Arechavaleta, Lopez-Damian and Morales 2009, III.B, with bounds",
             .guarantee = "symmetric positive definite; semidefinite if solvable",
             .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_UPPER | TACT_LCP_TAKES_FRICTION |
                      TACT_LCP_TAKES_SPARSE},
    .layout = pgs_sm_layout,
    .run = pgs_sm_run,
};
