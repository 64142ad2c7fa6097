// Rungs of `ladder` in reserve: methods for what the first rungs leave.
#include <math.h>
#include <string.h>

#include "contact/ladder/ladder.h"

// Sweeps of a large problem that the proximal path could not solve.
enum { LARGE_SWEEPS = 300 };

// Tolerance of the finer rungs, over the one asked for: where contacts hold each other with large
// impulses, energy asks for more digits of a velocity than its law does. And their sweeps.
static const double FINER[] = {1e-3, 1e-6};
enum { FINER_SWEEPS = 600 };

// ---------------------------------------------------------------------------------------------
// Starts

static void start_from_nothing(const TactAttempt *attempt)
{
    memset(attempt->p, 0, 3 * (size_t)attempt->system->item_count * sizeof(double));
}

static void start_from_best(const TactClimb *climb)
{
    const TactAttempt *attempt = climb->attempt;
    memcpy(attempt->p, climb->ladder->best,
           3 * (size_t)attempt->system->item_count * sizeof(double));
}

// ---------------------------------------------------------------------------------------------
// Baraff

/// Baraff's order of events finds other answers than a path from nothing.
bool tact_ladder_baraff(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    start_from_nothing(attempt);
    attempt->kernel = NULL;
    return tact_ladder_judge(climb, tact_method_run(&climb->ladder->reserve.baraff, attempt));
}

// ---------------------------------------------------------------------------------------------
// The assembled LCP, the friction box: what they find is a basis to pivot from

/// Impulses as a basis (guess.c), then turns from it for the circle.
static TactContactOutcome follow_guess(TactClimb *climb)
{
    TactAttempt       *attempt = climb->attempt;
    TactContactOutcome ended =
        tact_guess_solve(&climb->ladder->kernel, attempt->system, attempt->p, attempt->report);
    if (climb->method->config.cone == TACT_CONE_CIRCLE && ended == TACT_OUTCOME_SOLVED) {
        ended = tact_ladder_turn(climb, (TactTurningStart){.from_kernel = true});
    }
    return ended;
}

/// The LCP is that of the pyramid: its answer is one for that, and a start for the circle.
static bool run_lcp(TactClimb *climb, TactMethod *method)
{
    climb->attempt->kernel = &climb->ladder->kernel;
    TactContactOutcome ended = tact_method_run(method, climb->attempt);
    if (climb->method->config.cone == TACT_CONE_CIRCLE && ended == TACT_OUTCOME_SOLVED) {
        ended = follow_guess(climb);
    }
    return tact_ladder_judge(climb, ended);
}

bool tact_ladder_search(TactClimb *climb)
{
    return run_lcp(climb, &climb->ladder->reserve.search);
}

bool tact_ladder_lemke(TactClimb *climb)
{
    return run_lcp(climb, &climb->ladder->reserve.lemke);
}

/// The friction box suggests a basis; Lemke's path leads on from it.
bool tact_ladder_pgs_sm(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    // The kernel has the basis of the answer. Of the pyramid it is not remembered once Newton has
    // run, so that the next step starts cold; other starts would change what is known to hold.
    bool keeps = climb->facts.cone == TACT_CONE_CIRCLE || climb->facts.best_error == HUGE_VAL;
    attempt->kernel = keeps ? &climb->ladder->kernel : NULL;
    tact_method_run(&climb->ladder->reserve.box, attempt);
    return tact_ladder_judge(climb, follow_guess(climb));
}

// ---------------------------------------------------------------------------------------------
// Sweeps

/// From what stands in p, with so many sweeps at most, to a part of the tolerance.
static bool run_nsgs(TactClimb *climb, int most, double finer)
{
    TactMethod       *nsgs = &climb->ladder->reserve.nsgs;
    TactContactConfig config = nsgs->config;
    nsgs->config.tol *= finer;
    nsgs->config.max_sweeps = config.max_sweeps > most ? most : config.max_sweeps;
    climb->attempt->kernel = NULL; // its basis is not that of the answer
    TactContactOutcome ended = tact_method_run(nsgs, climb->attempt);
    nsgs->config = config;
    return tact_ladder_judge(climb, ended);
}

/// From the best answer so far. Where the proximal path has tried, many sweeps would hardly do
/// better.
bool tact_ladder_nsgs(TactClimb *climb)
{
    bool few = climb->facts.large && !climb->facts.small;
    if (climb->facts.best_error < HUGE_VAL) {
        start_from_best(climb);
    }
    return run_nsgs(climb, few ? LARGE_SWEEPS : climb->method->config.max_sweeps, 1);
}

bool tact_ladder_nsgs_anew(TactClimb *climb)
{
    start_from_nothing(climb->attempt);
    return run_nsgs(climb, climb->method->config.max_sweeps, 1);
}

/// Contacts that face each other: as finely as doubles allow, from the best answer and from
/// nothing.
bool tact_ladder_nsgs_fine(TactClimb *climb)
{
    for (size_t k = 0; k < sizeof FINER / sizeof *FINER; k++) {
        start_from_best(climb);
        if (run_nsgs(climb, FINER_SWEEPS, FINER[k])) {
            return true;
        }
        start_from_nothing(climb->attempt);
        if (run_nsgs(climb, FINER_SWEEPS, FINER[k])) {
            return true;
        }
    }
    return false;
}
