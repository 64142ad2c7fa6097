// Rungs of `ladder` in reserve: methods for what the first rungs leave.
#include <math.h>
#include <string.h>

#include "contact/ladder/ladder.h"

extern const TactContactMethodEntry tact_contact_lcp;
extern const TactContactMethodEntry tact_contact_box;
extern const TactContactMethodEntry tact_contact_baraff;

// Sweeps of a large problem that the proximal path could not solve.
enum { LARGE_SWEEPS = 300 };

// Tolerance of the finer rungs, over the one asked for: where contacts hold each other with large
// impulses, energy asks for more digits of a velocity than its law does. And their sweeps.
static const double FINER[] = {1e-3, 1e-6};
enum { FINER_SWEEPS = 600 };

// Newton is asked for more than the certificate, which has another scale.
static const double NEWTON_TOL = 0.01;

/// Semismooth Newton from the best answer so far.
bool tact_ladder_newton(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    memcpy(climb->p, ladder->best, 3 * (size_t)solver->system.item_count * sizeof(double));
    tact_newton_begin(&ladder->reserve.newton, &solver->system, climb->problem,
                      solver->config.cone);
    bool polished = tact_newton_polish(&ladder->reserve.newton, NEWTON_TOL * solver->config.tol,
                                       climb->p, &climb->report->turns);
    solver->kernel = NULL; // its basis is not that of the answer
    return tact_ladder_judge(climb, polished ? TACT_CONTACT_SOLVED : TACT_CONTACT_LIMIT);
}

/// Lets another method run on the same system; its answer is then polished for the asked cone.
static TactContactOutcome run_part(TactClimb *climb, const TactContactMethodEntry *method,
                                   void *work, TactLcpMethod lcp_method, TactContactCone cone)
{
    TactContactSolver *solver = climb->solver;
    TactLent           lent = tact_ladder_lend(solver, work, lcp_method, cone);
    TactContactOutcome ended = method->run(solver, climb->problem, climb->p, climb->report);
    tact_ladder_take_back(solver, lent);
    return ended;
}

/// Baraff's order of events finds other answers than a path from nothing.
bool tact_ladder_baraff(TactClimb *climb)
{
    TactLadder *ladder = climb->solver->work;
    memset(climb->p, 0, 3 * (size_t)climb->solver->system.item_count * sizeof(double));
    climb->solver->kernel = NULL;
    return tact_ladder_judge(climb, run_part(climb, &tact_contact_baraff, ladder->reserve.baraff,
                                             TACT_LCP_DANTZIG, TACT_CONTACT_CIRCLE));
}

/// The assembled LCP by one of its methods.
static bool run_lcp(TactClimb *climb, void *work, TactLcpMethod method)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    solver->kernel = &ladder->kernel;
    TactContactOutcome ended =
        run_part(climb, &tact_contact_lcp, work, method, TACT_CONTACT_PYRAMID);
    if (solver->config.cone == TACT_CONTACT_CIRCLE && ended == TACT_CONTACT_SOLVED) {
        // The pyramid's answer as a basis, then turns from it.
        ended = tact_guess_solve(&ladder->kernel, &solver->system, climb->p, climb->report);
        if (ended == TACT_CONTACT_SOLVED) {
            ended = tact_ladder_turn(climb, (TactTurningStart){.from_kernel = true});
        }
    }
    return tact_ladder_judge(climb, ended);
}

bool tact_ladder_search(TactClimb *climb)
{
    TactLadder *ladder = climb->solver->work;
    return run_lcp(climb, ladder->reserve.search, TACT_LCP_SEARCH);
}

bool tact_ladder_lemke(TactClimb *climb)
{
    TactLadder *ladder = climb->solver->work;
    return run_lcp(climb, ladder->reserve.lemke, TACT_LCP_LEMKE_LEX);
}

/// The friction box suggests a basis; Lemke's path leads on from it.
bool tact_ladder_pgs_sm(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    bool               circle = solver->config.cone == TACT_CONTACT_CIRCLE;
    // The basis is that of the answer, but of the pyramid it has not been remembered so far.
    bool keeps_basis = circle || climb->facts.best_error == HUGE_VAL;
    solver->kernel = keeps_basis ? &ladder->kernel : NULL;
    run_part(climb, &tact_contact_box, ladder->reserve.box, TACT_LCP_PGS_SM, TACT_CONTACT_BOX_CONE);
    TactContactOutcome ended =
        tact_guess_solve(&ladder->kernel, &solver->system, climb->p, climb->report);
    if (circle && ended == TACT_CONTACT_SOLVED) {
        ended = tact_ladder_turn(climb, (TactTurningStart){.from_kernel = true});
    }
    return tact_ladder_judge(climb, ended);
}

/// Sweeps from what stands in p.
static bool run_nsgs(TactClimb *climb)
{
    TactLadder *ladder = climb->solver->work;
    climb->solver->kernel = NULL; // its basis is not that of the answer
    TactContactOutcome ended = run_part(climb, &tact_contact_nsgs, ladder->reserve.nsgs,
                                        TACT_LCP_PGS_SM, climb->solver->config.cone);
    return tact_ladder_judge(climb, ended);
}

/// From the best answer so far. Where the proximal path has tried, many sweeps would hardly do
/// better.
bool tact_ladder_nsgs(TactClimb *climb)
{
    TactContactConfig *config = &climb->solver->config;
    TactLadder        *ladder = climb->solver->work;
    int                sweeps = config->max_sweeps;
    bool               few = climb->facts.large && !climb->facts.small;
    if (climb->facts.best_error < HUGE_VAL) {
        memcpy(climb->p, ladder->best,
               3 * (size_t)climb->solver->system.item_count * sizeof(double));
    }
    config->max_sweeps = few && sweeps > LARGE_SWEEPS ? LARGE_SWEEPS : sweeps;
    bool solved = run_nsgs(climb);
    config->max_sweeps = sweeps;
    return solved;
}

bool tact_ladder_nsgs_anew(TactClimb *climb)
{
    memset(climb->p, 0, 3 * (size_t)climb->solver->system.item_count * sizeof(double));
    return run_nsgs(climb);
}

/// nsgs and Newton with finer tolerances than the certificate's.
static bool run_finer(TactClimb *climb, bool from_best, double finer)
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
    TactContactOutcome ended =
        run_part(climb, &tact_contact_nsgs, ladder->reserve.nsgs, TACT_LCP_PGS_SM, config.cone);
    solver->config = config;
    return tact_ladder_judge(climb, ended);
}

/// Contacts that face each other: as finely as doubles allow, from the best answer and from
/// nothing.
bool tact_ladder_nsgs_fine(TactClimb *climb)
{
    for (int k = 0; k < 2; k++) {
        if (run_finer(climb, true, FINER[k]) || run_finer(climb, false, FINER[k])) {
            return true;
        }
    }
    return false;
}
