// The reserve of `ladder`: rungs for what the first ones leave. Methods of their own are lent the
// solver, with their work and their config in the place of its own.
#include "contact/ladder/ladder.h"

#include <math.h>
#include <string.h>

#include "contact/pivot/pivot.h"

extern const TactContactMethodEntry tact_contact_lcp;
extern const TactContactMethodEntry tact_contact_box;
extern const TactContactMethodEntry tact_contact_baraff;

// A start for Lemke's path is all that is asked of the friction box: outer iterations.
enum { BOX_ITERATIONS = 10 };

// Sweeps of a large problem that the proximal path could not solve.
enum { LARGE_SWEEPS = 300 };

// Tolerance of the finer rungs, over the one asked for: where contacts hold each other with large
// impulses, energy asks for more digits of a velocity than its law does. And their sweeps.
static const double FINER[] = {1e-3, 1e-6};
enum { FINER_SWEEPS = 600 };

// Above these sizes the dense LCP, and the dense friction box, are no longer worth trying.
enum { MOST_CONTACTS_LCP = 64, MOST_CONTACTS_BOX = 300 };

static bool has_search(const TactContactSolver *solver)
{
    return solver->capacity.contacts + solver->capacity.rows <= MOST_CONTACTS_LCP;
}

static bool has_box(const TactContactSolver *solver)
{
    return solver->capacity.contacts + solver->capacity.rows <= MOST_CONTACTS_BOX;
}

static bool has_baraff(const TactContactSolver *solver)
{
    return solver->config.cone == TACT_CONE_CIRCLE && has_box(solver);
}
/// Lets a method lay out, create, run or destroy with its own work and config.
typedef struct Lent {
    void             *work;
    TactContactConfig config;
} Lent;

static Lent lend(TactContactSolver *solver, void *work, TactLcpMethod lcp_method,
                 TactContactCone cone)
{
    Lent lent = {solver->work, solver->config};
    solver->work = work;
    solver->config.lcp_method = lcp_method;
    solver->config.cone = cone;
    if (cone == TACT_CONE_BOX && solver->config.max_sweeps > BOX_ITERATIONS) {
        solver->config.max_sweeps = BOX_ITERATIONS;
    }
    return lent;
}

static void take_back(TactContactSolver *solver, Lent lent)
{
    solver->work = lent.work;
    solver->config = lent.config;
}

static void *layout_of(const TactContactMethodEntry *method, TactContactSolver *solver,
                       TactArena *arena)
{
    method->layout(solver, arena);
    return solver->work;
}

void tact_ladder_layout_reserve(TactContactSolver *solver, TactLadderReserve *reserve,
                                TactArena *arena)
{
    tact_newton_layout(&reserve->newton, &solver->capacity, arena);
    if (has_search(solver)) {
        reserve->search = layout_of(&tact_contact_lcp, solver, arena);
        reserve->lemke = layout_of(&tact_contact_lcp, solver, arena);
    }
    if (has_box(solver)) {
        reserve->box = layout_of(&tact_contact_box, solver, arena);
    }
    if (has_baraff(solver)) {
        reserve->baraff = layout_of(&tact_contact_baraff, solver, arena);
    }
    reserve->nsgs = layout_of(&tact_contact_nsgs, solver, arena);
    tact_ladder_layout_quad(&reserve->quad, &solver->capacity, arena);
}

static TactStatus create_part(const TactContactMethodEntry *method, TactContactSolver *solver,
                              void *work, TactLcpMethod lcp_method, TactContactCone cone)
{
    if (!method->create) {
        return TACT_OK;
    }
    Lent       lent = lend(solver, work, lcp_method, cone);
    TactStatus status = method->create(solver);
    take_back(solver, lent);
    return status;
}

static void destroy_part(const TactContactMethodEntry *method, TactContactSolver *solver,
                         void *work)
{
    if (method->destroy && work) {
        void *own = solver->work;
        solver->work = work;
        method->destroy(solver);
        solver->work = own;
    }
}

TactStatus tact_ladder_create_reserve(TactContactSolver *solver)
{
    TactLadderReserve *reserve = &((TactLadder *)solver->work)->reserve;
    TactStatus         status = TACT_OK;
    if (reserve->search) {
        status = create_part(&tact_contact_lcp, solver, reserve->search, TACT_LCP_METHOD_SEARCH,
                             TACT_CONE_PYRAMID);
    }
    if (status == TACT_OK && reserve->lemke) {
        status = create_part(&tact_contact_lcp, solver, reserve->lemke, TACT_LCP_METHOD_LEMKE_LEX,
                             TACT_CONE_PYRAMID);
    }
    if (status == TACT_OK && reserve->box) {
        status = create_part(&tact_contact_box, solver, reserve->box, TACT_LCP_METHOD_PGS_SM,
                             TACT_CONE_BOX);
    }
    if (status == TACT_OK && reserve->baraff) {
        status = create_part(&tact_contact_baraff, solver, reserve->baraff, TACT_LCP_METHOD_DANTZIG,
                             TACT_CONE_CIRCLE);
    }
    reserve->made = status == TACT_OK;
    return status;
}

void tact_ladder_destroy_parts(TactContactSolver *solver)
{
    TactLadder        *ladder = solver->work;
    TactLadderReserve *reserve = &ladder->reserve;
    tact_arena_destroy(&ladder->kernel_arena);
    destroy_part(&tact_contact_lcp, solver, reserve->search);
    destroy_part(&tact_contact_lcp, solver, reserve->lemke);
    destroy_part(&tact_contact_box, solver, reserve->box);
    destroy_part(&tact_contact_nsgs, solver, reserve->nsgs);
    destroy_part(&tact_contact_baraff, solver, reserve->baraff);
    tact_arena_destroy(&reserve->arena);
}

// ---------------------------------------------------------------------------------------------
// Rungs

/// Semismooth Newton from the best answer so far.
bool tact_ladder_newton(TactClimb *climb, const char *name)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    if (ladder->best_error == HUGE_VAL) {
        return false;
    }
    memcpy(climb->p, ladder->best, 3 * (size_t)solver->system.item_count * sizeof(double));
    tact_newton_begin(&ladder->reserve.newton, &solver->system, climb->problem,
                      solver->config.cone);
    bool polished = tact_newton_polish(&ladder->reserve.newton, 0.01 * solver->config.tol, climb->p,
                                       &climb->report->turns);
    solver->kernel = NULL; // its basis is not that of the answer
    return tact_ladder_judge(climb, name, polished ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT);
}

/// Lets another method run on the same system; its answer is then polished for the asked cone.
static TactContactOutcome run_part(TactClimb *climb, const TactContactMethodEntry *method,
                                   void *work, TactLcpMethod lcp_method, TactContactCone cone)
{
    TactContactSolver *solver = climb->solver;
    Lent               lent = lend(solver, work, lcp_method, cone);
    TactContactOutcome ended = method->run(solver, climb->problem, climb->p, climb->report);
    take_back(solver, lent);
    return ended;
}

/// Baraff's order of events finds other answers than a path from nothing.
bool tact_ladder_baraff(TactClimb *climb)
{
    TactLadder *ladder = climb->solver->work;
    if (!ladder->reserve.baraff) {
        return false;
    }
    memset(climb->p, 0, 3 * (size_t)climb->solver->system.item_count * sizeof(double));
    climb->solver->kernel = NULL;
    return tact_ladder_judge(climb, "baraff",
                             run_part(climb, &tact_contact_baraff, ladder->reserve.baraff,
                                      TACT_LCP_METHOD_DANTZIG, TACT_CONE_CIRCLE));
}

/// The assembled LCP by one of its methods.
static bool rung_lcp(TactClimb *climb, void *work, TactLcpMethod method, const char *name)
{
    TactLadder *ladder = climb->solver->work;
    if (!work || !climb->solver->system.columns_built) {
        return false;
    }
    TactContactOutcome ended = run_part(climb, &tact_contact_lcp, work, method, TACT_CONE_PYRAMID);
    if (climb->solver->config.cone == TACT_CONE_CIRCLE && ended == TACT_OUTCOME_SOLVED) {
        // The pyramid's answer as a basis, then turns from it.
        ended = tact_guess_solve(&ladder->kernel, &climb->solver->system, climb->p, climb->report);
        if (ended == TACT_OUTCOME_SOLVED) {
            ended = tact_ladder_turn(climb, (TactTurningStart){.from_kernel = true});
        }
    }
    return tact_ladder_judge(climb, name, ended);
}

bool tact_ladder_search(TactClimb *climb)
{
    TactLadder *ladder = climb->solver->work;
    return rung_lcp(climb, ladder->reserve.search, TACT_LCP_METHOD_SEARCH, "search") ||
           rung_lcp(climb, ladder->reserve.lemke, TACT_LCP_METHOD_LEMKE_LEX, "lemke-lex");
}

bool tact_ladder_pgs_sm(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    if (!ladder->reserve.box || !solver->system.columns_built) {
        return false;
    }
    run_part(climb, &tact_contact_box, ladder->reserve.box, TACT_LCP_METHOD_PGS_SM, TACT_CONE_BOX);
    TactContactOutcome ended =
        tact_guess_solve(&ladder->kernel, &solver->system, climb->p, climb->report);
    if (solver->config.cone == TACT_CONE_CIRCLE && ended == TACT_OUTCOME_SOLVED) {
        ended = tact_ladder_turn(climb, (TactTurningStart){.from_kernel = true});
    }
    return tact_ladder_judge(climb, "pgs-sm", ended);
}

/// From the best answer so far, or from nothing.
static bool run_nsgs(TactClimb *climb, bool from_best, const char *name)
{
    TactLadder *ladder = climb->solver->work;
    size_t      size = 3 * (size_t)climb->solver->system.item_count * sizeof(double);
    if (from_best && ladder->best_error < HUGE_VAL) {
        memcpy(climb->p, ladder->best, size);
    } else if (!from_best) {
        memset(climb->p, 0, size);
    }
    climb->solver->kernel = NULL; // its basis is not that of the answer
    TactContactOutcome ended = run_part(climb, &tact_contact_nsgs, ladder->reserve.nsgs,
                                        TACT_LCP_METHOD_PGS_SM, climb->solver->config.cone);
    return tact_ladder_judge(climb, name, ended);
}

/// nsgs and Newton with finer tolerances than the certificate's.
static bool run_finer(TactClimb *climb, bool from_best, double finer, const char *name)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    size_t             size = 3 * (size_t)solver->system.item_count * sizeof(double);
    TactContactConfig  config = solver->config;
    if (from_best) {
        memcpy(climb->p, ladder->best, size);
    } else {
        memset(climb->p, 0, size);
    }
    solver->config.tol *= finer;
    if (solver->config.max_sweeps > FINER_SWEEPS) {
        solver->config.max_sweeps = FINER_SWEEPS;
    }
    TactContactOutcome ended = run_part(climb, &tact_contact_nsgs, ladder->reserve.nsgs,
                                        TACT_LCP_METHOD_PGS_SM, config.cone);
    solver->config = config;
    return tact_ladder_judge(climb, name, ended);
}

/// Contacts that face each other: as finely as doubles allow, from the best answer and from
/// nothing.
static bool rung_finer(TactClimb *climb)
{
    TactLadder *ladder = climb->solver->work;
    for (int k = 0; k < 2 && ladder->best_error < HUGE_VAL; k++) {
        if (run_finer(climb, true, FINER[k], k ? NULL : "nsgs, finer") ||
            run_finer(climb, false, FINER[k], NULL)) {
            return true;
        }
    }
    return false;
}

/// The last rungs. Where the proximal path has tried, many sweeps would hardly do better.
bool tact_ladder_last(TactClimb *climb, bool pivoting, bool large)
{
    TactContactConfig *config = &climb->solver->config;
    int                sweeps = config->max_sweeps;
    config->max_sweeps = large && !pivoting && sweeps > LARGE_SWEEPS ? LARGE_SWEEPS : sweeps;
    bool solved = run_nsgs(climb, true, "nsgs");
    config->max_sweeps = sweeps;
    if (solved || (large && tact_ladder_proximal_again(climb))) {
        return true;
    }
    return pivoting && (tact_ladder_newton(climb, "newton, from there") ||
                        run_nsgs(climb, false, "nsgs, from nothing") || rung_finer(climb) ||
                        tact_ladder_quad(climb));
}
