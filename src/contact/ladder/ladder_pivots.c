// Rungs of `ladder` that pivot: last step's basis, `reduced` from nothing and from other pyramids,
// one island after the other.
#include "contact/ladder/ladder.h"

#include <math.h>
#include <string.h>

#include "contact/pivot/pivot.h"

// Solves with what the factor of W leaves out (defect.h).
enum { MOST_CORRECTIONS = 6 };

TactContactOutcome tact_ladder_turn(TactClimb *climb, TactTurningStart start)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    return tact_turning_solve(&ladder->turning, &ladder->kernel, &solver->system, &start,
                              solver->config.max_turns, TACT_TURNING_TOL, climb->p, climb->report);
}

bool tact_ladder_basis(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    if (solver->warm && solver->config.cone == TACT_CONE_PYRAMID &&
        tact_reduced_keep_basis(&ladder->kernel, &solver->system, solver->memory, climb->p)) {
        return tact_ladder_judge(climb, "basis", TACT_OUTCOME_SOLVED);
    }
    if (!solver->warm ||
        !tact_reduced_try_basis(&ladder->kernel, &solver->system, solver->memory, climb->report)) {
        return false;
    }
    TactContactOutcome ended = TACT_OUTCOME_SOLVED;
    if (solver->config.cone == TACT_CONE_CIRCLE) {
        ended = tact_ladder_turn(climb, (TactTurningStart){.from_kernel = true});
    } else {
        tact_kernel_impulses(&ladder->kernel, true, climb->p);
    }
    return tact_ladder_judge(climb, "basis", ended);
}

static TactContactOutcome run_reduced(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    if (solver->config.cone == TACT_CONE_CIRCLE) {
        return tact_ladder_turn(climb, (TactTurningStart){0});
    }
    return tact_reduced_solve(&ladder->kernel, &solver->system, NULL, solver->config.max_pivots,
                              climb->p, climb->report);
}

/// A W that is not quite symmetric: its symmetric part, and again with what that leaves out.
static bool rung_corrected(TactClimb *climb)
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
        solved =
            tact_ladder_judge(climb, k == 0 ? "reduced, W as given" : NULL, run_reduced(climb));
        if (solved) {
            break;
        }
    }
    tact_defect_end(&solver->defect, &solver->system);
    return solved;
}

bool tact_ladder_reduced(TactClimb *climb)
{
    bool solved = tact_ladder_judge(climb, "reduced", run_reduced(climb));
    return solved || (climb->problem->W && rung_corrected(climb));
}

/// Newton turning from other pyramids.
bool tact_ladder_turned(TactClimb *climb)
{
    return tact_ladder_judge(climb, "reduced, against the slip",
                             tact_ladder_turn(climb, (TactTurningStart){.against_slip = true})) ||
           tact_ladder_judge(
               climb, "reduced, turned by 11 degrees",
               tact_ladder_turn(climb, (TactTurningStart){.turn = 0.19634954084936207}));
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

/// `reduced` for one island after the other, if all of them are small enough.
bool tact_ladder_islands(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    TactIslands       *islands = &ladder->islands;
    TactContactOutcome ended = TACT_OUTCOME_SOLVED;
    tact_islands_find(islands, &solver->system);
    if (islands->count < 2 ||
        largest_island(islands, &solver->system) > tact_ladder_most_pivoting(&solver->capacity)) {
        return false;
    }
    ladder->wants_kernel = !ladder->pivots;
    for (int k = 0; k < islands->count && ladder->pivots; k++) {
        const TactSystem  *part = tact_islands_take(islands, &solver->system, k);
        TactTurningStart   start = {0};
        TactContactOutcome own = TACT_OUTCOME_LIMIT;
        memset(islands->p, 0, 3 * (size_t)part->item_count * sizeof(double));
        if (solver->config.cone == TACT_CONE_CIRCLE) {
            own = tact_turning_solve(&ladder->turning, &ladder->kernel, part, &start,
                                     solver->config.max_turns, TACT_TURNING_TOL, islands->p,
                                     climb->report);
        } else {
            own = tact_reduced_solve(&ladder->kernel, part, NULL, solver->config.max_pivots,
                                     islands->p, climb->report);
        }
        tact_islands_put(islands, climb->p);
        ended = own == TACT_OUTCOME_SOLVED ? ended : own;
    }
    return ladder->pivots && tact_ladder_judge(climb, "islands", ended);
}
