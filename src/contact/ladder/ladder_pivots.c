// Rungs of `ladder` that pivot: last step's basis, `reduced` from nothing and from other pyramids,
// one island after the other.
#include "contact/ladder/ladder.h"

#include <math.h>
#include <string.h>

#include "base/larger.h"
#include "contact/pivot/pivot.h"

// Solves with what the factor of W leaves out (defect.h).
enum { MOST_CORRECTIONS = 6 };

// By how much the rung `rotated` turns its pyramids: pi / 16, half way between directions of eight.
static const double ROTATION = 0.19634954084936207;

TactContactOutcome tact_ladder_turn(TactClimb *climb, TactTurningStart start)
{
    TactAttempt *attempt = climb->attempt;
    TactLadder  *ladder = climb->ladder;
    return tact_turning_solve(&ladder->turning, &ladder->kernel, attempt->system, &start,
                              climb->method->config.max_turns, TACT_TURNING_TOL, attempt->p,
                              attempt->report);
}

/// Does nothing come nearer by itself, and nothing drive? Then there are no impulses.
static bool is_left_alone(const TactSystem *system)
{
    for (int i = 0; i < system->item_count; i++) {
        if (system->items[i].kind == TACT_ITEM_MOTOR ||
            (system->items[i].kind != TACT_ITEM_MOMENT && !(system->b[3 * i] >= 0))) {
            return false;
        }
    }
    return true;
}

// Where the states of impulses led nowhere so many times in a row, they are tried again after so
// many solves: what stands on flat feet has nearly the same impulses step by step, and Newton's
// method finds them.
enum { PATIENCE = 4, TRY_AGAIN = 8, MOST_MISSED = PATIENCE + TRY_AGAIN };

/// From the impulses of an answer that has no basis.
static TactStatesEnd try_states(TactClimb *climb)
{
    TactAttempt  *attempt = climb->attempt;
    TactKernel   *kernel = &climb->ladder->kernel;
    TactStatesEnd end = TACT_STATES_FAILED;
    int           missed = attempt->memory->missed;
    if (missed < PATIENCE || missed == MOST_MISSED) {
        tact_kernel_load(kernel, attempt->system);
        end = tact_states_solve_from(&climb->ladder->turning, kernel, TACT_TURNING_TOL, attempt->p,
                                     attempt->report);
    }
    missed = missed < MOST_MISSED ? missed + 1 : PATIENCE;
    attempt->missed = end == TACT_STATES_FAILED ? missed : 0;
    return end;
}

// Where rounding keeps the answer of steady states from the tolerance of their residual, as where
// contacts share a load, so many answers of the same states come before the next try.
enum { STEADY_AGAIN = 64 };

static bool has_motors(const TactSystem *system)
{
    for (int i = 0; i < system->item_count; i++) {
        if (system->items[i].kind == TACT_ITEM_MOTOR) {
            return true;
        }
    }
    return false;
}

/// Where the last answer had the states of the one before it.
static bool steady_states(TactClimb *climb)
{
    TactAttempt                    *attempt = climb->attempt;
    TactLadder                     *ladder = climb->ladder;
    const struct TactContactMemory *memory = attempt->memory;
    if (!memory->is_same || memory->basis_count < 0 || memory->missed > 0 ||
        ladder->steady.has_best || ladder->steady.is_near) {
        return false;
    }
    attempt->kernel = NULL;
    double residual = tact_steady_solve(&ladder->steady, &ladder->kernel, attempt->system, memory,
                                        TACT_TURNING_TOL, &ladder->turning.scratch, attempt->p);
    attempt->report->turns += ladder->steady.systems;
    bool solved = residual <= TACT_TURNING_TOL && tact_ladder_judge(climb, TACT_OUTCOME_SOLVED);
    attempt->steady = solved ? &ladder->steady : NULL;
    attempt->missed = solved ? 0 : residual <= TACT_STEADY_NEAR ? STEADY_AGAIN : 1;
    return solved;
}

// Answers with a basis, one after the other, before their states are changed without a kernel: what
// stands on flat feet has a few between many that have none.
enum { SETTLED = 16 };

/// States of a system with motors, that change; without a kernel.
static bool change_states(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    TactLadder  *ladder = climb->ladder;
    ladder->steady.has_best = ladder->steady.is_near = false;
    attempt->missed = attempt->memory->missed;
    if (attempt->memory->based < SETTLED || attempt->memory->missed > 1 ||
        attempt->system->has_moments || !has_motors(attempt->system)) {
        return false;
    }
    attempt->kernel = &ladder->kernel;
    bool solved =
        tact_steady_change(&ladder->steady, &ladder->kernel, attempt->system, attempt->memory,
                           TACT_TURNING_TOL, &ladder->turning.scratch, attempt->p);
    attempt->report->turns += ladder->steady.systems;
    bool near = !solved && ladder->steady.is_near;
    attempt->missed = near ? STEADY_AGAIN : 0;
    ladder->steady.has_best = ladder->steady.has_best && !solved && !near;
    return solved && tact_ladder_judge(climb, TACT_OUTCOME_SOLVED);
}

/// What memory is told of an answer from a basis, of which so many items have changed their state.
static int count_missed(int missed, TactStatesEnd end, int flips)
{
    if (end == TACT_STATES_FAILED) {
        return 0; // what other rungs find is another answer
    }
    return flips > 0 ? tact_larger_int(missed, 1) : missed > 0 ? missed - 1 : 0;
}

/// The circle: mostly without a pivot, where states alone lead to its answer.
static bool last_states(TactClimb *climb)
{
    TactAttempt  *attempt = climb->attempt;
    TactTurning  *turning = &climb->ladder->turning;
    TactKernel   *kernel = &climb->ladder->kernel;
    TactStatesEnd end;
    if (is_left_alone(attempt->system)) {
        attempt->kernel = NULL;
        memset(attempt->p, 0, 3 * (size_t)attempt->system->item_count * sizeof(double));
        return tact_ladder_judge(climb, TACT_OUTCOME_SOLVED);
    }
    if (change_states(climb) || steady_states(climb)) {
        return true;
    }
    attempt->kernel = kernel;
    bool near = climb->ladder->steady.has_best;
    int  count = near ? tact_steady_load_best(&climb->ladder->steady, kernel, attempt->system)
                      : tact_reduced_recall(kernel, attempt->system, attempt->memory);
    if (near) {
        end = tact_states_follow(turning, kernel, count, TACT_TURNING_TOL, attempt->p,
                                 attempt->report);
        attempt->missed = 0;
    } else if (count >= 0) {
        tact_memory_recall_damping(attempt->memory, kernel->items.damping);
        end = tact_states_solve(turning, kernel, kernel->scratch.warm, count, TACT_TURNING_TOL,
                                attempt->p, attempt->report);
        attempt->missed = count_missed(attempt->missed, end, turning->flips);
    } else {
        end = try_states(climb);
    }
    if (end == TACT_STATES_FAILED) {
        return false;
    }
    TactTurningStart   start = {.from_kernel = true};
    TactContactOutcome ended =
        end == TACT_STATES_FOLLOWED ? tact_ladder_turn(climb, start) : TACT_OUTCOME_SOLVED;
    if (end == TACT_STATES_SOLVED_SOFTLY) {
        attempt->kernel = NULL; // no basis: the next step begins with its impulses
    }
    return tact_ladder_judge(climb, ended);
}

bool tact_ladder_last_basis(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    TactLadder  *ladder = climb->ladder;
    attempt->kernel = &ladder->kernel;
    if (climb->method->config.cone == TACT_CONE_CIRCLE) {
        return last_states(climb);
    }
    if (climb->method->config.cone == TACT_CONE_PYRAMID &&
        tact_reduced_keep_basis(&ladder->kernel, attempt->system, attempt->memory, attempt->p)) {
        return tact_ladder_judge(climb, TACT_OUTCOME_SOLVED);
    }
    if (!tact_reduced_try_basis(&ladder->kernel, attempt->system, attempt->memory,
                                attempt->report)) {
        return false;
    }
    tact_kernel_impulses(&ladder->kernel, true, attempt->p);
    return tact_ladder_judge(climb, TACT_OUTCOME_SOLVED);
}

static TactContactOutcome run_reduced(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    TactLadder  *ladder = climb->ladder;
    attempt->kernel = &ladder->kernel;
    if (climb->method->config.cone == TACT_CONE_CIRCLE) {
        return tact_ladder_turn(climb, (TactTurningStart){0});
    }
    return tact_reduced_solve(&ladder->kernel, attempt->system, NULL,
                              climb->method->config.max_pivots, attempt->p, attempt->report);
}

/// A W that is not quite symmetric: its symmetric part, and again with what that leaves out.
bool tact_ladder_reduced_W(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    bool         solved = false;
    double       error = HUGE_VAL;
    tact_defect_begin(attempt->defect, attempt->system);
    for (int k = 0; k < MOST_CORRECTIONS && attempt->report->certificate.error < error / 2; k++) {
        error = attempt->report->certificate.error;
        if (!tact_defect_correct(attempt->system, attempt->problem, attempt->p)) {
            break;
        }
        solved = tact_ladder_judge(climb, run_reduced(climb));
        if (solved) {
            break;
        }
    }
    tact_defect_end(attempt->defect, attempt->system);
    return solved;
}

bool tact_ladder_reduced(TactClimb *climb)
{
    bool solved = tact_ladder_judge(climb, run_reduced(climb));
    climb->attempt->missed = solved ? 1 : climb->attempt->missed; // its basis is a new one
    return solved;
}

/// Newton turning from another pyramid than that of the problem.
static bool run_turned(TactClimb *climb, TactTurningStart start)
{
    TactAttempt *attempt = climb->attempt;
    attempt->kernel = &climb->ladder->kernel;
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
    TactAttempt *attempt = climb->attempt;
    TactIslands *islands = &climb->ladder->islands;
    tact_islands_find(islands, attempt->system);
    return islands->count > 1 && largest_island(islands, attempt->system) <=
                                     tact_ladder_most_pivoting(&climb->method->capacity);
}

/// `reduced` for one island after the other.
bool tact_ladder_islands(TactClimb *climb)
{
    TactAttempt       *attempt = climb->attempt;
    TactLadder        *ladder = climb->ladder;
    TactIslands       *islands = &ladder->islands;
    TactContactOutcome ended = TACT_OUTCOME_SOLVED;
    for (int k = 0; k < islands->count; k++) {
        const TactSystem  *part = tact_islands_take(islands, attempt->system, k);
        TactTurningStart   start = {0};
        TactContactOutcome own = TACT_OUTCOME_LIMIT;
        memset(islands->p, 0, 3 * (size_t)part->item_count * sizeof(double));
        if (climb->method->config.cone == TACT_CONE_CIRCLE) {
            own = tact_turning_solve(&ladder->turning, &ladder->kernel, part, &start,
                                     climb->method->config.max_turns, TACT_TURNING_TOL, islands->p,
                                     attempt->report);
        } else {
            own = tact_reduced_solve(&ladder->kernel, part, NULL, climb->method->config.max_pivots,
                                     islands->p, attempt->report);
        }
        tact_islands_put(islands, attempt->p);
        ended = own == TACT_OUTCOME_SOLVED ? ended : own;
    }
    return tact_ladder_judge(climb, ended);
}
