// A world of which all sleeps: its step is the one before, a timestep later.
//
// A step is a function of the state, the controls and forces, and of what the free motion remembers
// (midpoint.c). Once all of that has the bits that it had in the step before, from which nothing
// moved, there is nothing to compute: time goes on. What is compared is a few numbers a body; a
// change of any wakes sleepers as in every other step (sleep.c).
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

static bool same_numbers(const double *a, const double *b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/// Does everything that can move sleep?
static bool all_sleep(const TactSim *sim)
{
    int moving = 0;
    for (int t = 0; t < sim->islands.tree_count; t++) {
        moving += sim->islands.first_dof[t + 1] > sim->islands.first_dof[t];
    }
    return sim->sleep.count > 0 && sim->sleep.count == moving;
}

void tact_sim_note_rest(TactSim *sim, const TactSimReport *report, int asleep)
{
    TactSimRest *rest = &sim->sleep.rest;
    if (asleep == 0 || asleep != sim->sleep.count || !all_sleep(sim) || sim->parts.tries != 1 ||
        !same_numbers(sim->free.gain, sim->free.gain_before, sim->model->nv)) {
        rest->calm = 0;
        return;
    }
    rest->calm += rest->calm < 2;
    rest->report = *report;
    rest->placed = sim->dynamics->placed;
    rest->moved = sim->dynamics->moved;
}

/// Is all that a step depends on as it was in the last one?
static bool is_unchanged(const TactSim *sim)
{
    const TactModel    *model = sim->model;
    const TactSimState *state = &sim->state;
    const TactSimSleep *sleep = &sim->sleep;
    bool                actuated = !model->options.actuation_off;
    return same_numbers(state->q, sleep->q, model->nq) &&
           same_numbers(state->q, sim->answer.q_end, model->nq) &&
           same_numbers(state->v, sim->last.v, model->nv) &&
           same_numbers(state->ctrl, sleep->ctrl, model->actuator_count) &&
           same_numbers(state->applied, sleep->applied, model->nv) &&
           (!actuated || same_numbers(state->act, sim->free.act_next, model->act_count)) &&
           memcmp(state->external, sleep->external,
                  (size_t)model->body_count * sizeof *state->external) == 0 &&
           sim->sleep.rest.placed == sim->dynamics->placed &&
           sim->sleep.rest.moved == sim->dynamics->moved;
}

TactStatus tact_sim_step_at_rest(TactSim *sim, TactSimReport *report, bool *done)
{
    // two steps alike: what the free motion remembers of both is that of the next
    *done = sim->sleep.rest.calm >= 2 && sim->last.stepped && !sim->motion && !sim->drag.on &&
            is_unchanged(sim);
    if (!*done) {
        return TACT_OK;
    }
    double time = sim->state.time;
    int    asleep = sim->sleep.count;
    sim->parts.end = time + sim->config.timestep;
    TACT_TRY(tact_sim_lead_mocaps(sim));
    *done = sim->sleep.count == asleep; // a mocap body that is to move has woken
    if (!*done) {
        return TACT_OK;
    }
    *report = sim->sleep.rest.report;
    report->solve_time = report->correct_time = 0;
    sim->last.time = time;
    sim->last.stepped = true;
    sim->share.done = false;
    sim->state.time = sim->parts.end;
    return TACT_OK;
}
