// pgs: projected Gauss-Seidel. [Arechavaleta, III.A, corrected: A1, A3, with bounds]
//
//     for i = 1 ... n:    z_i := mid(lo_i, z_i - w_i / M_ii, hi_i),    w = M z + q of the moment.
//
// A sweep measures every row on its way. What it saw is the error of a z that moved meanwhile, so
// the end is only believed after w was summed anew.
#include "base/budget.h"
#include "lcp/solver.h"
#include "lcp/sweep/sweep.h"

// Of the error reached, what is asked for next where a row is not certified yet.
static const double TIGHTER = 0.1;

static void pgs_layout(TactLcpSolver *solver, TactArena *arena)
{
    solver->work = tact_arena_take(arena, 1, sizeof(TactLcpSweep));
    tact_lcp_sweep_layout(solver->work, solver->max_n, arena);
}

/// The tolerance is one for all rows, and shrinks while the certificate, which has one a row, asks
/// for more.
static TactLcpOutcome iterate_pgs(const TactLcpSolver *solver, TactLcpSweep *sweep,
                                  TactLcpReport *report)
{
    double tolerance = solver->config.residual_tol * sweep->scale;
    int    max_iterations = solver->config.max_iterations;
    double error = tact_lcp_sweep_refresh(sweep);
    bool   fresh = true;
    for (;;) {
        if (error <= tolerance) {
            if (tact_lcp_is_certified(solver, sweep->problem, sweep->z, error)) {
                return TACT_LCP_OUTCOME_SOLVED;
            }
            tolerance = TIGHTER * error;
        }
        if (report->iterations == max_iterations || tact_budget_spend(tact_lcp_sweep_work(sweep))) {
            return TACT_LCP_OUTCOME_LIMIT;
        }
        error = tact_lcp_sweep_run(sweep);
        report->iterations++;
        // The negation also catches NaN.
        if (!(error <= TACT_LCP_SWEEP_DIVERGED * sweep->scale)) {
            return TACT_LCP_OUTCOME_LIMIT;
        }
        if (!sweep->moved && fresh) {
            return TACT_LCP_OUTCOME_SOLVED; // a fixed point of the rounded sweep: nothing better
                                            // comes
        }
        fresh = error <= tolerance || !sweep->moved;
        if (fresh) {
            error = tact_lcp_sweep_refresh(sweep);
        }
        tact_lcp_sweep_settle(sweep, tolerance);
    }
}

static TactLcpOutcome pgs_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                              TactLcpReport *report)
{
    TactLcpSweep *sweep = solver->work;
    int           row;
    tact_lcp_sweep_begin(sweep, problem, solver->start_z, z);
    sweep->keeps_w = problem->M && tact_lcp_is_symmetric(problem, &row);
    TactLcpOutcome outcome = iterate_pgs(solver, sweep, report);
    tact_lcp_sweep_basis(sweep, solver->basis);
    return outcome;
}

const TactLcpMethodEntry tact_lcp_pgs = {
    .info = {.name = "pgs",
             .source = "Arechavaleta, Lopez-Damian and Morales 2009, III.A, with bounds",
             .guarantee = "symmetric positive definite; semidefinite if solvable; H-matrices with "
                          "a positive diagonal",
             .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_UPPER | TACT_LCP_TAKES_FRICTION |
                      TACT_LCP_TAKES_SPARSE | TACT_LCP_TAKES_ASYMMETRIC},
    .layout = pgs_layout,
    .run = pgs_run,
};
