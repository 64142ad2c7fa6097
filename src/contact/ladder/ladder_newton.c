// Rungs of `ladder` by semismooth Newton steps: from the last step's impulses, from an answer that
// a rung before has nearly found, and with all that the method has.
//
// Where contacts share a load in more ways than one, or a small dry friction stands beside large
// forces, pivots end within 1e-6 of an answer and not at it. A few steps of Newton's method do the
// rest; and in the next step, which starts with impulses and no basis, they do all of it.
#include <string.h>

#include "contact/ladder/ladder.h"

// Newton is asked for more than the certificate, which has another scale.
static const double NEWTON_TOL = 0.01;

// Where that is reached, one more step may bring it to rounding: what is certified and no better
// lets the energy of a robot that comes to rest rise by 1e-12 J.
static const double FINE_TOL = 1e-4;

// Most steps, of which three are expected. A path of the pivots from nothing costs as much as
// twenty of a robot with dry friction in all joints.
enum { STEPS_FROM_LAST = 20, STEPS_FROM_NEAR = 40 };

// A basis whose answer is so near that it takes no more than this to put it right is remembered:
// the next step begins with it, and not with impulses alone.
enum { FEW_PIVOTS = 10, FEW_STEPS = 6 };

static TactNewton *begin_newton(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    TactNewton  *newton = &climb->ladder->newton;
    tact_newton_begin(newton, attempt->system, attempt->problem, climb->method->config.cone);
    attempt->kernel = NULL; // its basis is not that of the answer
    return newton;
}

static void start_from_best(const TactClimb *climb)
{
    const TactAttempt *attempt = climb->attempt;
    memcpy(attempt->p, climb->ladder->best,
           3 * (size_t)attempt->system->item_count * sizeof(double));
}

/// Steps from what stands in p.
static bool run_few(TactClimb *climb, int most)
{
    TactAttempt *attempt = climb->attempt;
    TactNewton  *newton = begin_newton(climb);
    double       tol = climb->method->config.tol;
    int         *turns = &attempt->report->turns;
    bool         found =
        tact_newton_run(newton, TACT_NEWTON_PROXIMAL, 1, most, NEWTON_TOL * tol, attempt->p, turns);
    if (found) {
        tact_newton_finish(newton, FINE_TOL * tol, attempt->p, turns);
    }
    return tact_ladder_judge(climb, found ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT);
}

bool tact_ladder_last_answer(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    tact_memory_recall_again(attempt->memory, attempt->system, attempt->p);
    bool solved = run_few(climb, STEPS_FROM_LAST);
    climb->facts.polished = climb->facts.best_error; // they did not help from there
    return solved;
}

bool tact_ladder_polish(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    TactKernel  *kernel =
        climb->facts.based && attempt->report->pivots <= FEW_PIVOTS ? attempt->kernel : NULL;
    int before = attempt->report->turns;
    climb->facts.polished = climb->facts.best_error;
    start_from_best(climb);
    bool solved = run_few(climb, STEPS_FROM_NEAR);
    attempt->kernel = solved && attempt->report->turns - before <= FEW_STEPS ? kernel : NULL;
    return solved;
}

bool tact_ladder_newton(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    start_from_best(climb);
    bool polished = tact_newton_polish(begin_newton(climb), NEWTON_TOL * climb->method->config.tol,
                                       attempt->p, &attempt->report->turns);
    return tact_ladder_judge(climb, polished ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT);
}
