// A world of which all sleeps, or stands still: its step is the one before, a timestep later.
//
// A step is a function of the state, the controls and forces, of what the free motion remembers
// (midpoint.c), and of the answer of the step before, from which its solves begin. Once all of that
// has the bits that it had in the step before, from which nothing moved, there is nothing to
// compute: time goes on. What is compared is a few numbers a body; a change of any wakes sleepers
// as in every other step (sleep.c).
//
// Sleepers were put to rest, and have no contact problem any more. A world that stands still is
// awake: all its velocities are 0 and stay so to the last bit, as those of a mechanism that is
// wedged, or lies on its limits, without forces that a solve would have to round. Its contact
// problems were solved and certified in the step before, bit by bit the same, and its report tells
// them again.
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

static bool all_zero(const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        if (x[i] != 0) {
            return false;
        }
    }
    return true;
}

/// Has the last step moved nothing, and may the next be left out? Mocap bodies are led while they
/// are awake.
static bool stood_still(const TactSim *sim)
{
    const TactModel *model = sim->model;
    return !sim->config.compute_still && sim->last.stepped && sim->sleep.count == 0 &&
           model->mocap_count == 0 && same_numbers(sim->state.q, sim->last.q, model->nq) &&
           same_numbers(sim->state.v, sim->last.v, model->nv) &&
           all_zero(sim->state.v, model->nv) && !(sim->config.sleep_time > 0); // else it will sleep
}

void tact_sim_begin_rest(TactSim *sim)
{
    TactSimRest *rest = &sim->sleep.rest;
    rest->still = stood_still(sim);
    if (rest->still) {
        tact_sim_note_forces(sim);
    }
}

/// Was this step the same as the one before, but for the times that it took?
static bool is_same_report(const TactSimReport *a, const TactSimReport *b)
{
    bool same = a->hash == b->hash && a->contacts == b->contacts && a->rows == b->rows &&
                a->islands == b->islands && a->certified == b->certified && a->error == b->error &&
                a->solves == b->solves && a->pivots == b->pivots &&
                a->penetration == b->penetration && a->correction == b->correction &&
                a->damping == b->damping && a->loop_error == b->loop_error &&
                a->unresolved == b->unresolved && a->rung_count == b->rung_count;
    for (int k = 0; k < a->rung_count && same; k++) {
        same = a->rungs[k].name == b->rungs[k].name && a->rungs[k].count == b->rungs[k].count;
    }
    return same;
}

/// What contacts and rows give: from it the next solves begin.
static uint64_t hash_forces(const TactSim *sim)
{
    uint64_t hash =
        tact_sim_hash_numbers(TACT_SIM_HASH, sim->last.row_impulse, sim->last.row_count);
    for (int i = 0; i < sim->contact_count; i++) {
        hash = tact_sim_hash_numbers(hash, sim->contacts[i].force, 3);
        hash = tact_sim_hash_numbers(hash, sim->contacts[i].moment, 3);
    }
    return hash;
}

void tact_sim_note_rest(TactSim *sim, const TactSimReport *report, int asleep)
{
    TactSimRest *rest = &sim->sleep.rest;
    bool         sleeps = asleep > 0 && asleep == sim->sleep.count && all_sleep(sim);
    bool         stands = rest->still && stood_still(sim);
    uint64_t     forces = stands ? hash_forces(sim) : 0;
    if ((!sleeps && !stands) || sim->parts.tries != 1 || sim->free.activating ||
        report->out_of_time > 0 ||
        !same_numbers(sim->free.gain, sim->free.gain_before, sim->model->nv)) {
        rest->calm = 0;
        return;
    }
    bool same = !stands || (forces == rest->forces && is_same_report(report, &rest->report));
    rest->calm = same ? rest->calm + (rest->calm < 2) : 1;
    rest->forces = forces;
    rest->report = *report;
    rest->placed = sim->dynamics->placed;
    rest->moved = sim->dynamics->moved;
}

/// Is a control on its way that is another?
static bool has_delayed(const TactSim *sim)
{
    bool any = false;
    for (int i = 0; i < sim->model->actuator_count && sim->free.delays.count > 0; i++) {
        any = any || tact_sim_is_delaying(sim, i);
    }
    return any;
}

/// Is all that a step depends on as it was in the last one?
static bool is_unchanged(const TactSim *sim)
{
    const TactModel    *model = sim->model;
    const TactSimState *state = &sim->state;
    const TactSimSleep *sleep = &sim->sleep;
    bool                actuated = !model->options.actuation_off;
    return same_numbers(state->q, sleep->rest.still ? sim->last.q : sleep->q, model->nq) &&
           same_numbers(state->q, sim->answer.q_end, model->nq) &&
           same_numbers(state->v, sim->last.v, model->nv) &&
           same_numbers(state->ctrl, sleep->ctrl, model->actuator_count) && !has_delayed(sim) &&
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
    report->repeated = true;
    sim->last.time = time;
    sim->last.stepped = true;
    sim->share.done = sim->share.done && sim->sleep.rest.still; // the same forces, shared once
    sim->state.time = sim->parts.end;
    return TACT_OK;
}
