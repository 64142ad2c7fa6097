// Rungs of `ladder` that pivot: last step's basis, `reduced` from nothing and from other pyramids,
// one island after the other.
#include "contact/ladder/ladder.h"

#include <math.h>
#include <string.h>

#include "contact/pivot/pivot.h"

// Solves with what the factor of W leaves out (defect.h).
enum { MOST_CORRECTIONS = 6 };

// By how much the rung `rotated` turns its pyramids: pi / 16, half way between directions of eight.
static const double ROTATION = 0.19634954084936207;

TactContactOutcome tact_ladder_turn(TactClimb *climb, TactTurningStart start)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    return tact_turning_solve(&ladder->turning, &ladder->kernel, &solver->system, &start,
                              solver->config.max_turns, TACT_TURNING_TOL, climb->p, climb->report);
}

bool tact_ladder_last_basis(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    solver->kernel = &ladder->kernel;
    if (solver->config.cone == TACT_CONTACT_PYRAMID &&
        tact_reduced_keep_basis(&ladder->kernel, &solver->system, solver->memory, climb->p)) {
        return tact_ladder_judge(climb, TACT_CONTACT_SOLVED);
    }
    if (!tact_reduced_try_basis(&ladder->kernel, &solver->system, solver->memory, climb->report)) {
        return false;
    }
    TactContactOutcome ended = TACT_CONTACT_SOLVED;
    if (solver->config.cone == TACT_CONTACT_CIRCLE) {
        ended = tact_ladder_turn(climb, (TactTurningStart){.from_kernel = true});
    } else {
        tact_kernel_impulses(&ladder->kernel, true, climb->p);
    }
    return tact_ladder_judge(climb, ended);
}

static TactContactOutcome run_reduced(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    solver->kernel = &ladder->kernel;
    if (solver->config.cone == TACT_CONTACT_CIRCLE) {
        return tact_ladder_turn(climb, (TactTurningStart){0});
    }
    return tact_reduced_solve(&ladder->kernel, &solver->system, NULL, solver->config.max_pivots,
                              climb->p, climb->report);
}

/// A W that is not quite symmetric: its symmetric part, and again with what that leaves out.
bool tact_ladder_reduced_W(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    bool               solved = false;
    double             error = HUGE_VAL;
    tact_defect_begin(&solver->defect, &solver->system);
    for (int k = 0; k < MOST_CORRECTIONS && climb->report->certificate.error < error / 2; k++) {
        error = climb->report->certificate.error;
        if (!tact_defect_correct(&solver->system, climb->problem, climb->p)) {
            break;
        }
        solved = tact_ladder_judge(climb, run_reduced(climb));
        if (solved) {
            break;
        }
    }
    tact_defect_end(&solver->defect, &solver->system);
    return solved;
}

bool tact_ladder_reduced(TactClimb *climb)
{
    return tact_ladder_judge(climb, run_reduced(climb));
}

/// Newton turning from another pyramid than that of the problem.
static bool run_turned(TactClimb *climb, TactTurningStart start)
{
    TactContactSolver *solver = climb->solver;
    solver->kernel = &((TactLadder *)solver->work)->kernel;
    return tact_ladder_judge(climb, tact_ladder_turn(climb, start));
}

bool tact_ladder_from_slip(TactClimb *climb)
{
    return run_turned(climb, (TactTurningStart){.against_slip = true});
}

bool tact_ladder_rotated(TactClimb *climb)
{
    return run_turned(climb, (TactTurningStart){.turn = ROTATION});
}

/// Items of the largest island.
static int largest_island(const TactIslands *islands, const TactSystem *system)
{
    int most = 0;
    for (int k = 0; k < islands->count; k++) {
        int count = 0;
        for (int g = islands->start[k]; g < islands->start[k + 1]; g++) {
            count += system->groups[islands->group[g]].count;
        }
        most = count > most ? count : most;
    }
    return most;
}

bool tact_ladder_divides(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactIslands       *islands = &((TactLadder *)solver->work)->islands;
    tact_islands_find(islands, &solver->system);
    return islands->count > 1 &&
           largest_island(islands, &solver->system) <= tact_ladder_most_pivoting(&solver->capacity);
}

/// `reduced` for one island after the other.
bool tact_ladder_islands(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    TactIslands       *islands = &ladder->islands;
    TactContactOutcome ended = TACT_CONTACT_SOLVED;
    for (int k = 0; k < islands->count; k++) {
        const TactSystem  *part = tact_islands_take(islands, &solver->system, k);
        TactTurningStart   start = {0};
        TactContactOutcome own = TACT_CONTACT_LIMIT;
        memset(islands->p, 0, 3 * (size_t)part->item_count * sizeof(double));
        if (solver->config.cone == TACT_CONTACT_CIRCLE) {
            own = tact_turning_solve(&ladder->turning, &ladder->kernel, part, &start,
                                     solver->config.max_turns, TACT_TURNING_TOL, islands->p,
                                     climb->report);
        } else {
            own = tact_reduced_solve(&ladder->kernel, part, NULL, solver->config.max_pivots,
                                     islands->p, climb->report);
        }
        tact_islands_put(islands, climb->p);
        ended = own == TACT_CONTACT_SOLVED ? ended : own;
    }
    return tact_ladder_judge(climb, ended);
}
