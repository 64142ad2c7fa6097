// `ladder`: last step's basis, then one method after the other until an answer is certified.
//
// Every rung is certified from the raw problem before it counts, and reported with why it was
// left. If none holds, the best answer found is returned as what it is.
#include "contact/ladder/ladder.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/status.h"

// Above these sizes the pivoting of the kernel is no longer worth trying. Any number of contacts is
// fine where few degrees of freedom can move.
enum { MOST_CONTACTS = 64, MOST_CONTACTS_PIVOTING = 300, FEW_DOF = 120, MANY_DOF = 1200 };

// Only above this many contacts and degrees of freedom the proximal path has a try.
enum { FEW_CONTACTS = 100, FEW_BODIES_DOF = 150 };

int tact_ladder_most_pivoting(const TactContactCapacity *capacity)
{
    return capacity->dof <= FEW_DOF    ? capacity->contacts + capacity->rows
           : capacity->dof <= MANY_DOF ? MOST_CONTACTS_PIVOTING
           : capacity->contacts + capacity->rows <= MOST_CONTACTS_PIVOTING ? MOST_CONTACTS_PIVOTING
                                                                           : MOST_CONTACTS;
}

bool tact_ladder_is_small(const TactSystem *system)
{
    return system->item_count <= tact_ladder_most_pivoting(&system->capacity);
}

bool tact_ladder_is_large(const TactContactCapacity *capacity, int items, int dof)
{
    bool few = items <= FEW_CONTACTS || dof <= FEW_BODIES_DOF;
    return !few || items > tact_ladder_most_pivoting(capacity);
}

// ---------------------------------------------------------------------------------------------
// Memory

static TactContactCapacity kernel_capacity(const TactContactCapacity *capacity)
{
    TactContactCapacity own = *capacity;
    int                 most = tact_ladder_most_pivoting(capacity);
    own.contacts = own.contacts < most ? own.contacts : most;
    own.rows = own.rows < most ? own.rows : most;
    return own;
}

static void layout(TactContactSolver *solver, TactArena *arena)
{
    const TactContactCapacity *capacity = &solver->capacity;
    TactContactCapacity        kernel = kernel_capacity(capacity);
    size_t                     items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactLadder                *ladder = tact_arena_take(arena, 1, sizeof *ladder);
    TactLadder                 sized = {0};
    sized.pivots = !solver->sparing || (int)items <= tact_ladder_most_pivoting(capacity);
    if (sized.pivots) {
        tact_kernel_layout(&sized.kernel, &kernel, arena);
    }
    tact_turning_layout(&sized.turning, capacity, arena);
    sized.best = tact_arena_take(arena, 3 * items, sizeof(double));
    if (tact_ladder_is_large(capacity, (int)items, capacity->dof)) {
        tact_islands_layout(&sized.islands, capacity, arena);
        tact_proximal_layout(&sized.proximal, capacity, arena);
        tact_coupling_layout(&sized.coupling, capacity, arena);
        sized.before = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double));
        sized.last = tact_arena_take(arena, 3 * items, sizeof(double));
    }
    if (!solver->sparing) {
        tact_ladder_layout_reserve(solver, &sized.reserve, arena);
    }
    if (arena->block) {
        *ladder = sized;
    }
    solver->work = ladder;
}

static TactStatus create(TactContactSolver *solver)
{
    return solver->sparing ? TACT_OK : tact_ladder_create_reserve(solver);
}

static TactStatus make_kernel(TactContactSolver *solver, TactLadder *ladder)
{
    TactContactCapacity capacity = kernel_capacity(&solver->capacity);
    TactArena           arena = {0};
    tact_kernel_layout(&ladder->kernel, &capacity, &arena);
    TACT_TRY(tact_arena_create(&arena));
    tact_kernel_layout(&ladder->kernel, &capacity, &arena);
    ladder->kernel_arena = arena;
    ladder->pivots = true;
    return TACT_OK;
}

static TactStatus complete(TactContactSolver *solver)
{
    TactLadder       *ladder = solver->work;
    TactLadderReserve reserve = {0};
    if (ladder->wants_kernel) {
        return make_kernel(solver, ladder);
    }
    tact_ladder_layout_reserve(solver, &reserve, &reserve.arena);
    solver->work = ladder;
    TACT_TRY(tact_arena_create(&reserve.arena));
    tact_ladder_layout_reserve(solver, &reserve, &reserve.arena);
    solver->work = ladder;
    ladder->reserve = reserve;
    return tact_ladder_create_reserve(solver);
}

// ---------------------------------------------------------------------------------------------
// Rungs

bool tact_ladder_judge(TactClimb *climb, const char *name, TactContactOutcome ended)
{
    tact_system_answer(&climb->solver->system, climb->problem, climb->p, &climb->solver->answer);
    return tact_ladder_judge_answer(climb, name, ended);
}

bool tact_ladder_judge_answer(TactClimb *climb, const char *name, TactContactOutcome ended)
{
    TactContactReport *report = climb->report;
    TactLadder        *ladder = climb->solver->work;
    tact_contact_judge_answer(climb->solver, climb->problem, ended, report);
    if (name && report->rung_count < TACT_CONTACT_MAX_RUNGS) {
        report->rungs[report->rung_count++] = (TactContactRung){.name = name};
    }
    TactContactRung *rung = &report->rungs[report->rung_count - 1];
    rung->outcome = report->outcome;
    rung->pivots += report->pivots - climb->pivots;
    rung->error = report->certificate.error;
    climb->pivots = report->pivots;
    if (report->certificate.error < ladder->best_error) {
        ladder->best_error = report->certificate.error;
        memcpy(ladder->best, climb->p,
               3 * (size_t)climb->solver->system.item_count * sizeof(double));
    }
    return report->outcome == TACT_OUTCOME_SOLVED;
}

/// The first rungs: all that most problems need.
static bool climb_first(TactClimb *climb, bool pivoting, bool large)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    if (large && tact_ladder_warm(climb)) {
        return true;
    }
    if (!pivoting && solver->system.columns_built && tact_ladder_islands(climb)) {
        return true;
    }
    ladder->wants_kernel = ladder->wants_kernel || (pivoting && !ladder->pivots);
    if (ladder->wants_kernel) {
        return false;
    }
    if (!pivoting && large && tact_ladder_proximal(climb)) {
        return true;
    }
    solver->kernel = pivoting ? &ladder->kernel : NULL;
    if (pivoting && (tact_ladder_basis(climb) || tact_ladder_reduced(climb))) {
        return true;
    }
    if (pivoting && large && tact_ladder_proximal(climb)) {
        return true;
    }
    solver->kernel = pivoting ? &ladder->kernel : NULL;
    return pivoting && solver->config.cone == TACT_CONE_CIRCLE && tact_ladder_turned(climb);
}

/// The reserve.
static bool climb_on(TactClimb *climb, bool pivoting, bool large)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    if (tact_budget_is_over()) {
        return false;
    }
    bool circle = solver->config.cone == TACT_CONE_CIRCLE;
    if (pivoting && circle && (tact_ladder_newton(climb, "newton") || tact_ladder_baraff(climb))) {
        return true;
    }
    solver->kernel = pivoting ? &ladder->kernel : NULL;
    return tact_ladder_search(climb) ||
           (pivoting && !circle && tact_ladder_newton(climb, "newton")) ||
           tact_ladder_pgs_sm(climb) || tact_ladder_last(climb, pivoting, large);
}

/// The first rungs are not climbed once more for the same answers when the reserve has been made
/// (of a large problem they take seconds). What comes next starts from the best of them, or anew.
static bool resume(TactLadder *ladder, TactClimb *climb)
{
    bool resumes = ladder->resumes && ladder->reserve.made;
    ladder->resumes = false;
    if (resumes) {
        *climb->report = ladder->done;
        climb->pivots = ladder->done.pivots;
    } else {
        ladder->best_error = HUGE_VAL;
    }
    return resumes;
}

static TactContactOutcome run(TactContactSolver *solver, const TactContactProblem *problem,
                              double *p, TactContactReport *report)
{
    TactLadder *ladder = solver->work;
    TactClimb   climb = {solver, problem, p, report, 0};
    bool        pivoting = solver->system.columns_built && tact_ladder_is_small(&solver->system);
    solver->kernel = NULL;
    ladder->wants_kernel = false;
    bool large = tact_ladder_begin_proximal(&climb);
    if (!resume(ladder, &climb) && climb_first(&climb, pivoting, large)) {
        return TACT_OUTCOME_SOLVED;
    }
    solver->wants_more = (ladder->wants_kernel || !ladder->reserve.made) && !tact_budget_is_over();
    ladder->resumes = solver->wants_more && !ladder->wants_kernel;
    ladder->done = *report;
    if (!solver->wants_more && climb_on(&climb, pivoting, large)) {
        return TACT_OUTCOME_SOLVED;
    }
    if (ladder->best_error < HUGE_VAL) {
        memcpy(p, ladder->best, 3 * (size_t)solver->system.item_count * sizeof(double));
    }
    solver->kernel = NULL;
    solver->judged = false;
    return TACT_OUTCOME_LIMIT;
}

/// A large problem given by W is left to the sweeps: factoring W would cost more than solving.
static bool wants_columns(const TactContactProblem *problem)
{
    return !problem->W || problem->contact_count <= MOST_CONTACTS;
}

const TactContactMethodEntry tact_contact_ladder = {
    .info =
        {
            .name = "ladder",
            .source = "tact: last basis, reduced, search, pgs-sm, nsgs",
            .takes = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_CIRCLE |
                     TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W | TACT_CONTACT_TAKES_PATCHES,
        },
    .corrects = true,
    .wants_columns = wants_columns,
    .layout = layout,
    .create = create,
    .complete = complete,
    .destroy = tact_ladder_destroy_parts,
    .run = run,
};
