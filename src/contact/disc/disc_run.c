// What the methods do with patches: `nsgs` sweeps and Newton, `lcp` the assembled LCP, `ladder` all
// of them until an answer is certified.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/status.h"
#include "contact/disc/cells_lcp.h"
#include "contact/disc/disc.h"

// Unknowns of the LCP that the ladder tries.
enum { MOST_LCP = 600 };

enum { NEWTON_STEPS = 30, FIRST_NEWTON = 4, FEW_SWEEPS = 64, MOST_CORRECTIONS = 6 };

// The room's own error is judged more strictly than the certificate, which has another scale.
static const double STRICTER = 1e-2;

typedef struct Work {
    TactCells    cells;
    TactCellsLcp lcp;
} Work;

static bool wants_lcp(const TactContactSolver *solver)
{
    return solver->config.method == TACT_METHOD_LCP || solver->config.method == TACT_METHOD_LADDER;
}

static int lcp_room(const TactContactSolver *solver)
{
    size_t most = tact_cells_lcp_most(&solver->capacity);
    if (!wants_lcp(solver)) {
        return 0;
    }
    return solver->config.method == TACT_METHOD_LADDER && most > MOST_LCP ? MOST_LCP : (int)most;
}

void tact_disc_layout(TactContactSolver *solver, TactArena *arena)
{
    bool takes = solver->method->info.takes & TACT_CONTACT_TAKES_PATCHES;
    tact_patch_layout(&solver->patches, &solver->capacity, arena);
    solver->disc = NULL;
    if (solver->capacity.patches == 0 || !takes) {
        return;
    }
    Work *work = tact_arena_take(arena, 1, sizeof *work);
    Work  lent = {0};
    tact_cells_layout(&lent.cells, &solver->capacity, arena);
    tact_cells_lcp_layout(&lent.lcp, &solver->capacity, lcp_room(solver), arena);
    if (arena->block) {
        *work = lent;
        solver->disc = work;
    }
}

TactStatus tact_disc_create(TactContactSolver *solver)
{
    Work *work = solver->disc;
    if (!work || work->lcp.most == 0) {
        return TACT_OK;
    }
    bool          ladder = solver->config.method == TACT_METHOD_LADDER;
    TactLcpConfig config =
        tact_lcp_config_default(ladder ? TACT_LCP_METHOD_LEMKE_LEX : solver->config.lcp_method);
    config.max_pivots = solver->config.max_pivots;
    config.lex_tol = solver->config.lex_tol;
    return tact_lcp_solver_create(work->lcp.most, &config, &work->lcp.solver);
}

void tact_disc_destroy(TactContactSolver *solver)
{
    Work *work = solver->disc;
    if (work) {
        tact_lcp_solver_destroy(work->lcp.solver);
    }
}

// ---------------------------------------------------------------------------------------------
// Rungs

/// One run over an expanded problem.
typedef struct Climb {
    TactContactSolver        *solver;
    const TactContactProblem *problem;
    double                   *p;
    TactContactReport        *report;
    Work                     *work;
    double                    tol; // of the room's own error
} Climb;

/// Certifies x.
static bool judge(const Climb *climb, TactContactOutcome ended)
{
    TactCells *cells = &climb->work->cells;
    tact_cells_give(cells, cells->x, climb->p);
    tact_contact_judge(climb->solver, climb->problem, climb->p, ended, climb->report);
    return climb->report->outcome == TACT_OUTCOME_SOLVED;
}

/// Tells what was judged last as a rung.
static void tell(const Climb *climb, const char *name, int pivots)
{
    TactContactReport *report = climb->report;
    if (report->rung_count < TACT_CONTACT_MAX_RUNGS) {
        report->rungs[report->rung_count++] = (TactContactRung){.name = name,
                                                                .outcome = report->outcome,
                                                                .pivots = report->pivots - pivots,
                                                                .error = report->certificate.error};
    }
}

/// What the factor of a W that is not quite symmetric leaves out, at the present answer. False:
/// nothing.
static bool correct(const Climb *climb)
{
    TactSystem *system = &climb->solver->system;
    if (!climb->problem->W || !tact_defect_correct(system, climb->problem, climb->p)) {
        return false;
    }
    tact_cells_offsets(&climb->work->cells);
    return true;
}

/// Newton with one rho, and on with what W has beside its factor, or with a finer tolerance, where
/// the certificate asks for more.
static bool newton(const Climb *climb, double rho)
{
    TactCells *cells = &climb->work->cells;
    double     tol = climb->tol;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        cells->best_error = HUGE_VAL;
        if (!tact_cells_newton(cells, rho, NEWTON_STEPS, tol, &climb->report->turns) && k == 0) {
            return false;
        }
        if (judge(climb, TACT_OUTCOME_SOLVED)) {
            return true;
        }
        tol *= correct(climb) ? 1 : 1e-2;
    }
    return false;
}

/// Sweeps, with a try of Newton after 4, 8, 16, ... of them.
static TactContactOutcome sweeps(const Climb *climb, int most)
{
    static const double rho[] = {1, 10, 0.1, 100};
    TactCells          *cells = &climb->work->cells;
    int                 next = FIRST_NEWTON, tries = 0;
    tact_cells_move(cells);
    tact_cells_error(cells);
    for (int k = 1; k <= most; k++) {
        if (tact_budget_spend(cells->sweep_work)) {
            break;
        }
        tact_cells_sweep(cells);
        climb->report->iterations++;
        if (k < next) {
            continue;
        }
        next *= 2;
        memcpy(cells->start, cells->x, TACT_CELL_MOST * (size_t)cells->count * sizeof(double));
        if (newton(climb, rho[tries++ % 4])) {
            return TACT_OUTCOME_SOLVED;
        }
        memcpy(cells->x, cells->start, TACT_CELL_MOST * (size_t)cells->count * sizeof(double));
        tact_cells_move(cells);
    }
    return TACT_OUTCOME_LIMIT;
}

/// The pyramid by pivoting; of the circle, pyramids that are turned until Newton holds.
static bool pivot(const Climb *climb)
{
    TactCells    *cells = &climb->work->cells;
    TactCellsLcp *lcp = &climb->work->lcp;
    size_t        bytes = TACT_CELL_MOST * (size_t)cells->count * sizeof(double);
    bool          circle = climb->solver->config.cone == TACT_CONE_CIRCLE;
    tact_cells_lcp_begin(lcp, cells->count);
    for (int k = 0; k < (circle ? climb->solver->config.max_turns : 1); k++) {
        TactContactOutcome ended = tact_cells_lcp_solve(lcp, cells, climb->report);
        if (ended != TACT_OUTCOME_SOLVED) {
            return judge(climb, ended);
        }
        if (judge(climb, ended)) {
            return true;
        }
        memcpy(cells->start, cells->x, bytes);
        for (int r = 0; r < 2; r++) {
            if (newton(climb, r == 0 ? 1 : 10)) {
                return true;
            }
            memcpy(cells->x, cells->start, bytes);
        }
        tact_cells_lcp_turn(lcp, cells);
    }
    return judge(climb, TACT_OUTCOME_LIMIT);
}

static bool sweep_rung(const Climb *climb, int most)
{
    bool solved = sweeps(climb, most) == TACT_OUTCOME_SOLVED;
    if (!solved) {
        judge(climb, TACT_OUTCOME_LIMIT);
    }
    tell(climb, "nsgs", climb->report->pivots);
    return solved;
}

static TactContactOutcome ladder(const Climb *climb)
{
    TactCells *cells = &climb->work->cells;
    if (newton(climb, 1)) {
        tell(climb, "newton", 0);
        return TACT_OUTCOME_SOLVED;
    }
    judge(climb, TACT_OUTCOME_LIMIT);
    tell(climb, "newton", 0);
    memset(cells->x, 0, TACT_CELL_MOST * (size_t)cells->count * sizeof(double));
    if (sweep_rung(climb, FEW_SWEEPS)) {
        return TACT_OUTCOME_SOLVED;
    }
    int  pivots = climb->report->pivots;
    bool pivoted = pivot(climb);
    tell(climb, "lcp", pivots);
    if (pivoted || sweep_rung(climb, climb->solver->config.max_sweeps)) {
        return TACT_OUTCOME_SOLVED;
    }
    return TACT_OUTCOME_LIMIT;
}

TactContactOutcome tact_disc_run(TactContactSolver *solver, const TactContactProblem *problem,
                                 double *p, TactContactReport *report)
{
    Work              *work = solver->disc;
    Climb              climb = {solver, problem, p, report, work, STRICTER * solver->config.tol};
    TactContactOutcome outcome = TACT_OUTCOME_LIMIT;
    tact_cells_begin(&work->cells, &solver->system, &solver->patches, solver->config.cone);
    tact_cells_take(&work->cells, p);
    if (problem->W) {
        tact_defect_begin(&solver->defect, &solver->system);
    }
    switch (solver->config.method) {
    case TACT_METHOD_NSGS: outcome = sweeps(&climb, solver->config.max_sweeps); break;
    case TACT_METHOD_LCP:
        tact_cells_lcp_begin(&work->lcp, work->cells.count);
        outcome = tact_cells_lcp_solve(&work->lcp, &work->cells, report);
        break;
    default: outcome = ladder(&climb); break;
    }
    if (problem->W) {
        tact_defect_end(&solver->defect, &solver->system);
    }
    if (outcome != TACT_OUTCOME_SOLVED || solver->config.method == TACT_METHOD_LCP) {
        tact_cells_give(&work->cells, work->cells.x, p);
        solver->judged = false;
    }
    return outcome;
}
