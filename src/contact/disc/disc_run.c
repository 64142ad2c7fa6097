// What the methods do with patches: `reduced` and `structural` pivots on the linked system, `nsgs`
// sweeps and Newton, `lcp` the assembled LCP, `ladder` all of them until an answer is certified.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/status.h"
#include "contact/disc/disc.h"
#include "contact/disc/disc_work.h"
#include "contact/ladder/ladder.h"
#include "contact/pivot/pivot.h"

enum {
    NEWTON_STEPS = 30,
    WARM_STEPS = 8, // from the last answer
    FIRST_NEWTON = 4,
    FEW_SWEEPS = 64,
    MOST_CORRECTIONS = 6
};

// The room's own error is judged more strictly than the certificate, which has another scale.
static const double STRICTER = 1e-2;
// And an error up to so many times that is worth a certificate.
static const double NEARLY = 1e3;
// The tolerance of the next attempt, where the certificate did not accept an answer.
static const double FINER = 1e-2;

// ---------------------------------------------------------------------------------------------
// Rungs

/// One run over an expanded problem.
typedef struct Climb {
    TactMethod              *method;
    const TactContactConfig *config;
    TactAttempt             *attempt;
    TactContactReport       *report;
    TactDiscWork            *work;
    double                   tol; // of the room's own error
} Climb;

/// Cells, where a rung needs them: from the impulses that stand in p. false: there is no memory.
static bool need_cells(const Climb *climb)
{
    TactDiscWork *work = climb->work;
    climb->attempt->status = tact_disc_grow_cells(climb->method);
    if (climb->attempt->status != TACT_OK) {
        return false;
    }
    if (!work->has_cells) {
        tact_cells_begin(&work->cells, climb->attempt->system, climb->attempt->certifier->patches,
                         climb->attempt->cone);
        tact_cells_take(&work->cells, climb->attempt->p);
        work->has_cells = true;
    }
    return true;
}

/// What was judged last is kept by a ladder if it is the best so far.
static void keep_best(const Climb *climb)
{
    TactDiscWork *work = climb->work;
    double        error = climb->report->certificate.error;
    if (work->best && error < work->best_error) {
        work->best_error = error;
        memcpy(work->best, climb->attempt->p,
               3 * (size_t)climb->attempt->system->item_count * sizeof(double));
    }
}

/// No rung holds: the best answer, certified as what it is.
static void return_best(const Climb *climb)
{
    if (climb->work->best_error < climb->report->certificate.error) {
        memcpy(climb->attempt->p, climb->work->best,
               3 * (size_t)climb->attempt->system->item_count * sizeof(double));
        climb->attempt->kernel = NULL;
        tact_attempt_judge(climb->attempt, TACT_OUTCOME_LIMIT);
    }
}

/// Certifies x.
static bool judge_cells(const Climb *climb, TactContactOutcome ended)
{
    TactCells *cells = &climb->work->cells;
    tact_cells_give(cells, cells->x, climb->attempt->p);
    tact_attempt_judge(climb->attempt, ended);
    keep_best(climb);
    return climb->report->outcome == TACT_OUTCOME_SOLVED;
}

/// Tells what was judged last as a rung.
static void tell_rung(const Climb *climb, const char *name, int pivots)
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
static bool correct_offsets(const Climb *climb)
{
    const TactAttempt *attempt = climb->attempt;
    if (!attempt->problem->W ||
        !tact_defect_correct(attempt->system, attempt->problem, attempt->p)) {
        return false;
    }
    if (climb->work->has_cells) {
        tact_cells_offsets(&climb->work->cells);
    }
    if (attempt->link) {
        tact_disc_link_offsets(attempt->link, attempt->system);
    }
    return true;
}

/// Newton with one rho, and on with what W has beside its factor, or with a finer tolerance, where
/// the certificate asks for more.
static bool try_newton(const Climb *climb, double rho, int steps)
{
    TactCells *cells = &climb->work->cells;
    double     tol = climb->tol;
    bool       attempt_W = climb->attempt->problem->W != NULL;
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        cells->best_error = HUGE_VAL;
        // What is only nearly good enough for the room may be so for the certificate.
        if (!tact_cells_newton(cells, rho, steps, tol, &climb->report->turns) &&
            (k == 0 || attempt_W) && cells->best_error > NEARLY * climb->tol) {
            return false;
        }
        if (judge_cells(climb, TACT_OUTCOME_SOLVED)) {
            return true;
        }
        tol *= correct_offsets(climb) ? 1 : FINER;
    }
    return false;
}

/// Step lengths and compliances of Newton, from one try to the next.
static double vary_newton(TactCells *cells, int try)
{
    static const double rho[] = {1, 10, 0.1, 100};
    static const double compliance[] = {1e-9, 1e-11, 1e-7}; // the usual one, less, more
    cells->compliance = compliance[try / 4 % 3];
    return rho[try % 4];
}

/// Sweeps, with a try of Newton after 4, 8, 16, ... of them.
static TactContactOutcome sweeps(const Climb *climb, int most)
{
    TactCells *cells = &climb->work->cells;
    int        next = FIRST_NEWTON, tries = 0;
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
        if (try_newton(climb, vary_newton(cells, tries++), NEWTON_STEPS)) {
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
    bool          circle = climb->config->cone == TACT_CONE_CIRCLE;
    tact_cells_lcp_begin(lcp, cells->count);
    for (int k = 0; k < (circle ? climb->config->max_turns : 1); k++) {
        TactContactOutcome ended = tact_cells_lcp_solve(lcp, cells, climb->report);
        if (ended != TACT_OUTCOME_SOLVED) {
            return judge_cells(climb, ended);
        }
        if (judge_cells(climb, ended)) {
            return true;
        }
        memcpy(cells->start, cells->x, bytes);
        for (int r = 0; r < (k < 2 ? 12 : 4); r++) {
            if (try_newton(climb, vary_newton(cells, r), NEWTON_STEPS)) {
                return true;
            }
            memcpy(cells->x, cells->start, bytes);
        }
        tact_cells_lcp_turn(lcp, cells);
    }
    return judge_cells(climb, TACT_OUTCOME_LIMIT);
}

static bool sweep_rung(const Climb *climb, int most)
{
    bool solved = sweeps(climb, most) == TACT_OUTCOME_SOLVED;
    if (!solved) {
        judge_cells(climb, TACT_OUTCOME_LIMIT);
    }
    tell_rung(climb, "nsgs", climb->report->pivots);
    return solved;
}

/// Newton from the last answer; where states go round and round a few sweeps before it; then from
/// nothing, with one step length after the other.
static bool newton_rung(const Climb *climb)
{
    TactCells *cells = &climb->work->cells;
    size_t     bytes = TACT_CELL_MOST * (size_t)cells->count * sizeof(double);
    bool       solved =
        try_newton(climb, vary_newton(cells, 0), climb->attempt->warm ? WARM_STEPS : NEWTON_STEPS);
    for (int k = 0; k < 3 && !solved; k++) {
        for (int sweep = 0; sweep < 4 << k; sweep++) {
            tact_cells_sweep(cells);
        }
        climb->report->iterations += 4 << k;
        solved = try_newton(climb, vary_newton(cells, 0), NEWTON_STEPS);
    }
    for (int k = climb->attempt->warm ? 0 : 1; k < 4 && !solved; k++) {
        memset(cells->x, 0, bytes);
        solved = try_newton(climb, vary_newton(cells, k), NEWTON_STEPS);
    }
    if (!solved) {
        judge_cells(climb, TACT_OUTCOME_LIMIT);
        memset(cells->x, 0, bytes);
    }
    tell_rung(climb, "newton", 0);
    return solved;
}

/// `reduced` or `structural` on the linked system; certified.
static bool run_pivots(const Climb *climb, TactContactOutcome *ended)
{
    TactAttempt *attempt = climb->attempt;
    TactAttempt  inner = *attempt;
    inner.system = &attempt->link->system;
    inner.p = attempt->link->p;
    *ended = tact_method_run(&climb->work->pivot, &inner);
    attempt->kernel = inner.kernel;
    attempt->steady = inner.steady;
    attempt->missed = inner.missed;
    tact_disc_link_give(attempt->link, attempt->system, attempt->p);
    tact_attempt_judge(attempt, *ended);
    keep_best(climb);
    return climb->report->outcome == TACT_OUTCOME_SOLVED;
}

/// The same, and again with what W has beside its factor.
static TactContactOutcome solve_by_pivots(const Climb *climb)
{
    TactContactOutcome ended = TACT_OUTCOME_SOLVED;
    double             error = HUGE_VAL;
    bool               solved = run_pivots(climb, &ended);
    if (!solved && climb->attempt->steady) { // the states may not be the last ones after all
        climb->attempt->missed = 1;
        solved = run_pivots(climb, &ended);
    }
    for (int k = 0; k < MOST_CORRECTIONS && !solved; k++) {
        solved = k > 0 && run_pivots(climb, &ended);
        if (solved || !(climb->report->certificate.error < error / 2)) {
            break;
        }
        error = climb->report->certificate.error;
        climb->attempt->warm = false;
        if (!correct_offsets(climb)) {
            break;
        }
    }
    return ended;
}

/// The first rung: last step's basis, or one from nothing. Where it fails, its answer is none for
/// the others to start from.
static bool pivot_rung(const Climb *climb)
{
    TactAttempt *attempt = climb->attempt;
    if (!attempt->link) {
        return false;
    }
    if (attempt->link->system.item_count > TACT_DISC_MOST_PIVOTING) {
        tact_disc_link_give(attempt->link, attempt->system, attempt->p);
        return false;
    }
    attempt->status = tact_disc_grow_pivot(climb->method);
    if (attempt->status != TACT_OK) {
        return false;
    }
    solve_by_pivots(climb);
    bool solved = climb->report->outcome == TACT_OUTCOME_SOLVED;
    tell_rung(climb, "reduced", 0);
    if (!solved) {
        attempt->kernel = NULL;
        attempt->steady = NULL;
        attempt->warm = false;
        memset(attempt->p, 0, 3 * (size_t)attempt->system->item_count * sizeof(double));
    }
    return solved;
}

/// Large problems: the proximal path and the method for piles (contact/ladder). Where they fail,
/// what they have found is what the others start from; a draft is left there.
static bool spring_rungs(const Climb *climb)
{
    TactAttempt *attempt = climb->attempt;
    attempt->status = tact_disc_grow_springs(climb->method);
    if (attempt->status != TACT_OK) {
        return false;
    }
    TactAttempt inner = *attempt;
    inner.whole = attempt->system;
    inner.whole_p = attempt->p;
    inner.system = &attempt->link->system;
    inner.p = attempt->link->p;
    tact_disc_link_bind(attempt->link);
    tact_method_run(&climb->work->springs, &inner);
    tact_disc_link_unbind(attempt->link);
    attempt->status = inner.status;
    attempt->settled = inner.settled;
    attempt->missed = inner.missed;
    attempt->drafted = inner.drafted;
    attempt->kernel = NULL;
    attempt->warm = false;
    keep_best(climb);
    return climb->report->outcome == TACT_OUTCOME_SOLVED;
}

/// Newton's method, sweeps and the LCP.
static TactContactOutcome climb_cells(const Climb *climb)
{
    if (!need_cells(climb)) {
        return TACT_OUTCOME_LIMIT;
    }
    if (newton_rung(climb)) {
        return TACT_OUTCOME_SOLVED;
    }
    if (sweep_rung(climb, FEW_SWEEPS)) {
        return TACT_OUTCOME_SOLVED;
    }
    climb->attempt->status = tact_disc_grow_lcp(climb->method);
    if (climb->attempt->status != TACT_OK) {
        return TACT_OUTCOME_LIMIT;
    }
    int  pivots = climb->report->pivots;
    bool pivoted = pivot(climb);
    tell_rung(climb, "lcp", pivots);
    if (pivoted || sweep_rung(climb, climb->config->max_sweeps)) {
        return TACT_OUTCOME_SOLVED;
    }
    return TACT_OUTCOME_LIMIT;
}

/// Rungs that come after the springs of a large problem share a budget.
static TactContactOutcome climb_rest(const Climb *climb)
{
    TactBudget rest;
    tact_budget_begin(&rest, tact_ladder_rest(climb->work->springs.work), 0);
    bool               few = climb->attempt->link->system.item_count <= TACT_DISC_MOST_PIVOTING;
    TactContactOutcome ended = few && pivot_rung(climb) ? TACT_OUTCOME_SOLVED : climb_cells(climb);
    tact_budget_end(&rest);
    return ended;
}

static TactContactOutcome ladder(const Climb *climb)
{
    const TactAttempt *attempt = climb->attempt;
    bool         springs = climb->work->springs.entry && attempt->link && !attempt->problem->W;
    TactDiscSize size = springs ? tact_disc_size(&attempt->link->system) : TACT_DISC_TINY;
    bool         large = size == TACT_DISC_LARGE;
    bool         solved = large ? spring_rungs(climb)
                                : pivot_rung(climb) || (size == TACT_DISC_SMALL && spring_rungs(climb));
    if (solved) {
        return TACT_OUTCOME_SOLVED;
    }
    if (attempt->drafted) {
        return TACT_OUTCOME_LIMIT;
    }
    return large ? climb_rest(climb) : climb_cells(climb);
}

static TactContactOutcome solve_lcp(const Climb *climb)
{
    TactCellsLcp      *lcp = &climb->work->lcp;
    TactContactOutcome ended = TACT_OUTCOME_SOLVED;
    tact_cells_lcp_begin(lcp, climb->work->cells.count);
    for (int k = 0; k < MOST_CORRECTIONS; k++) {
        ended = tact_cells_lcp_solve(lcp, &climb->work->cells, climb->report);
        if (judge_cells(climb, ended) || ended != TACT_OUTCOME_SOLVED || !correct_offsets(climb)) {
            break;
        }
    }
    return ended;
}

static TactContactOutcome disc_run(TactMethod *method, TactAttempt *attempt)
{
    TactDiscWork *work = method->work;
    Climb         climb = {
                method, &method->config, attempt, attempt->report, work, STRICTER * method->config.tol};
    TactContactOutcome outcome;
    attempt->report->outcome = TACT_OUTCOME_LIMIT; // until an answer is certified
    work->has_cells = false;
    work->best_error = HUGE_VAL;
    if (attempt->problem->W) {
        tact_defect_begin(attempt->defect, attempt->system);
    }
    if (attempt->link && !work->pivot.entry) {
        tact_disc_link_give(attempt->link, attempt->system, attempt->p);
    }
    if (!work->pivot.entry && !need_cells(&climb)) {
        return TACT_OUTCOME_LIMIT;
    }
    switch (method->config.method) {
    case TACT_METHOD_REDUCED:
    case TACT_METHOD_STRUCTURAL: outcome = solve_by_pivots(&climb); break;
    case TACT_METHOD_NSGS: outcome = sweeps(&climb, method->config.max_sweeps); break;
    case TACT_METHOD_LCP: outcome = solve_lcp(&climb); break;
    default: outcome = ladder(&climb); break;
    }
    if (attempt->report->outcome != TACT_OUTCOME_SOLVED && work->has_cells) {
        judge_cells(&climb, outcome);
        return_best(&climb);
    }
    if (attempt->problem->W) {
        tact_defect_end(attempt->defect, attempt->system);
    }
    return outcome;
}

const TactContactMethodEntry tact_contact_disc = {
    .info = {.name = "disc",
             .source = "Alart and Curnier 1991; Lloyd 2004, with spinning and rolling",
             .takes = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_CIRCLE |
                      TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W | TACT_CONTACT_TAKES_PATCHES},
    .corrects = true,
    .certifies = true,
    .layout = tact_disc_layout,
    .create = tact_disc_create,
    .destroy = tact_disc_destroy,
    .run = disc_run,
};
