// `ladder`: last step's basis, then one method after the other until an answer is certified.
//
// Every rung (rungs.c) is certified from the raw problem before it counts, and reported with why it
// was left. If none holds, the best answer found is returned as what it is.
#include "contact/ladder/ladder.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"

bool tact_ladder_judge(TactClimb *climb, TactContactOutcome ended)
{
    tact_attempt_write(climb->attempt);
    return tact_ladder_judge_answer(climb, ended);
}

bool tact_ladder_judge_answer(TactClimb *climb, TactContactOutcome ended)
{
    TactAttempt       *attempt = climb->attempt;
    TactContactReport *report = attempt->report;
    tact_attempt_judge_answer(attempt, ended);

    // The rung is written down when it has an answer, and once.
    if (climb->name && report->rung_count < TACT_CONTACT_MAX_RUNGS) {
        report->rungs[report->rung_count++] = (TactContactRung){.name = climb->name};
    }
    climb->name = NULL;
    TactContactRung *rung = &report->rungs[report->rung_count - 1];
    rung->outcome = report->outcome;
    rung->pivots += report->pivots - climb->pivots;
    rung->error = report->certificate.error;
    climb->pivots = report->pivots;

    // The best so far: what later rungs start from, and what is returned if none holds.
    tact_budget_tell_error(report->certificate.error);
    if (report->certificate.error < climb->facts.best_error) {
        climb->facts.best_error = report->certificate.error;
        memcpy(climb->ladder->best, attempt->p,
               3 * (size_t)attempt->system->item_count * sizeof(double));
    }
    return report->outcome == TACT_OUTCOME_SOLVED;
}

/// The facts before the first rung. Makes the proximal path ready, where it may be needed.
static TactLadderFacts find_facts(TactClimb *climb)
{
    const TactAttempt         *attempt = climb->attempt;
    const TactSystem          *system = attempt->system;
    const TactContactCapacity *room = &climb->method->capacity;
    const TactContactCapacity *need = &climb->need;

    TactLadderFacts facts = {
        .size = need->contacts + need->rows,
        .dof = need->dof,
        .made_for = room->contacts + room->rows,
        .cone = climb->method->config.cone,
        .columns = system->columns_built,
        .given_W = tact_contact_has_W(attempt->problem),
        .warm = attempt->warm,
        .based = attempt->warm && attempt->memory->basis_count >= 0,
        .small = system->columns_built && !climb->method->springs && tact_ladder_is_small(system),
        .large = tact_ladder_begin_proximal(climb),
        .best_error = HUGE_VAL,
        .polished = HUGE_VAL,
    };
    facts.cheap = facts.large && tact_ladder_is_cheap(climb->ladder);
    return facts;
}

// Operations of the last rungs: with less left of a budget they are not begun. Sweeps to a
// millionth of the tolerance and Newton's method beside them took 0.7 s of a robot whose contacts
// contradict each other, and was left a hundredth of that.
static const double LAST_WORK = 1e8;

/// Memory for the rung; false if it cannot be had, or if the budget is over and there is an answer,
/// or if the last rungs would look for what there is not, or take more than is left.
/// Within a rung the methods themselves watch it.
static bool prepare_rung(TactClimb *climb, const TactRung *rung)
{
    bool last = rung->needs == TACT_RUNG_LAST;
    bool first = rung->needs < TACT_RUNG_RESERVE && climb->facts.best_error == HUGE_VAL;
    if ((!first && tact_budget_is_over()) ||
        (last && (tact_budget_left().work < LAST_WORK || tact_ladder_is_hopeless(climb)))) {
        return false;
    }
    climb->attempt->status =
        tact_ladder_grow(climb->method, last ? TACT_RUNG_RESERVE : rung->needs, &climb->need);
    return climb->attempt->status == TACT_OK;
}

/// No rung holds: the best answer, certified as what it is.
static TactContactOutcome return_best(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    if (climb->facts.best_error < HUGE_VAL) {
        memcpy(attempt->p, climb->ladder->best,
               3 * (size_t)attempt->system->item_count * sizeof(double));
    }
    attempt->kernel = NULL;
    if (attempt->status == TACT_OK) {
        tact_attempt_judge(attempt, TACT_OUTCOME_LIMIT);
    }
    return TACT_OUTCOME_LIMIT;
}

/// Tries rungs first .. end - 1 until one has an answer that is certified. False: none has.
/// *stopped: no other is to be tried.
static bool climb_rungs(TactClimb *climb, int first, int end, bool *stopped)
{
    for (int k = first; k < end && !*stopped; k++) {
        const TactRung *rung = &tact_ladder_rungs[k];
        if (!rung->when(&climb->facts)) {
            continue;
        }
        if (!prepare_rung(climb, rung)) {
            *stopped = true;
            break;
        }
        climb->name = rung->name;
        if (rung->run(climb)) {
            return true;
        }
        *stopped = climb->attempt->drafted;
    }
    return false;
}

/// The rungs that come after those for large problems; with a large one they share a budget.
static bool climb_rest(TactClimb *climb, bool *stopped)
{
    if (!climb->facts.large) {
        return climb_rungs(climb, TACT_LADDER_LARGE_RUNGS, TACT_LADDER_RUNGS, stopped);
    }
    TactBudget rest;
    tact_budget_begin(&rest, tact_ladder_rest(climb->ladder), 0);
    bool solved = climb_rungs(climb, TACT_LADDER_LARGE_RUNGS, TACT_LADDER_RUNGS, stopped);
    tact_budget_end(&rest);
    return solved;
}

/// The rungs for large problems, and for those that divide. Islands are looked for where the last
/// step's impulses are not the answer: at rest they are.
static bool climb_first(TactClimb *climb, bool *stopped)
{
    TactLadderFacts *facts = &climb->facts;
    if (facts->large && climb_rungs(climb, 0, TACT_LADDER_WARM_RUNGS, stopped)) {
        return true;
    }
    facts->divides =
        facts->columns && !facts->small && !climb->method->springs && tact_ladder_divides(climb);
    return (facts->large || facts->divides) &&
           climb_rungs(climb, TACT_LADDER_WARM_RUNGS, TACT_LADDER_LARGE_RUNGS, stopped);
}

static TactContactOutcome ladder_run(TactMethod *method, TactAttempt *attempt)
{
    TactClimb climb = {.method = method, .ladder = method->work, .attempt = attempt};
    bool      stopped = false;
    climb.need = attempt->need ? *attempt->need : tact_contact_get_capacity(attempt->problem);
    climb.facts = find_facts(&climb);
    if (climb_first(&climb, &stopped) || (!method->springs && climb_rest(&climb, &stopped))) {
        return TACT_OUTCOME_SOLVED;
    }
    return return_best(&climb);
}

/// A large problem given by W is left to the sweeps: factoring W would cost more than solving.
static bool wants_columns(const TactContactProblem *problem)
{
    return !tact_contact_has_W(problem) ||
           (problem->W && problem->contact_count <= TACT_LADDER_MOST_LCP);
}

const TactContactMethodEntry tact_contact_ladder = {
    .info =
        {
            .name = "ladder",
            .source = "tact: last basis, reduced, search, pgs-sm, nsgs",
            .takes = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_CIRCLE |
                     TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W | TACT_CONTACT_TAKES_PATCHES |
                     TACT_CONTACT_TAKES_BLOCKS,
        },
    .corrects = true,
    .certifies = true,
    .wants_columns = wants_columns,
    .layout = tact_ladder_layout,
    .create = tact_ladder_create,
    .destroy = tact_ladder_destroy,
    .run = ladder_run,
};
