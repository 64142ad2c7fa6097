// One step of time, in as many parts as it takes.
//
// A step is made as a whole. If it does not resolve what happens in it, because the contacts of its
// end are not found (complete.c), motion without contacts runs away (midpoint.c) or a fast
// mechanism gains energy (balance.c), it is made again in two halves, and each of these if need be,
// down to 1 / 2^MOST_LEVELS of its length. Each part is a step of its own, solved and certified.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/larger.h"
#include "base/status.h"
#include "dynamics/links.h"
#include "sim/sim.h"

enum {
    MOST_LEVELS = TACT_SIM_MOST_LEVELS,
    MOST_TRIES = 64, // of parts: then nothing is divided any more
    MOST_DAMPED = 4, // times that a part is made again with more damping
};

/// Also whether there are any.
static TactStatus check_external(TactSim *sim)
{
    double largest = 0;
    for (int i = 1; i < sim->model->body_count; i++) {
        TactVec3 f = sim->state.external[i].force, t = sim->state.external[i].torque;
        if (!isfinite(f.x) || !isfinite(f.y) || !isfinite(f.z) || !isfinite(t.x) ||
            !isfinite(t.y) || !isfinite(t.z)) {
            char label[64];
            return tact_fail(TACT_BAD_INPUT, "external force: %s: it is not finite",
                             tact_model_label(sim->model, TACT_OBJECT_XBODY, i, label));
        }
        largest = tact_larger(largest, fabs(f.x) + fabs(f.y) + fabs(f.z) + fabs(t.x) + fabs(t.y) +
                                           fabs(t.z));
    }
    sim->free.external = largest > 0 ? sim->state.external : NULL;
    return TACT_OK;
}

bool tact_sim_is_moved(const TactSim *sim)
{
    for (int i = 0; i < sim->model->nq; i++) {
        if (sim->state.q[i] != sim->answer.q_end[i]) {
            return true;
        }
    }
    return false;
}

/// What a part adds to the report of its step.
static void add_report(const TactSimReport *part, TactSimReport *report)
{
    report->rows = part->rows;
    report->islands += part->islands;
    report->certified += part->certified;
    report->error = tact_larger(report->error, part->error);
    report->penetration = tact_larger(report->penetration, part->penetration);
    report->correction = tact_larger(report->correction, part->correction);
    report->damping += part->damping;
    report->loop_error = part->loop_error;
    report->redundant_rows = part->redundant_rows;
    report->implied_rows = part->implied_rows;
    report->implied_error = tact_larger(report->implied_error, part->implied_error);
    for (int k = 0; k < part->rung_count; k++) {
        tact_sim_add_rung(report, part->rungs[k].name, part->rungs[k].count);
    }
}

/// What was tried costs time whether it is taken or not.
static void add_costs(const TactSimReport *part, TactSimReport *report)
{
    report->pivots += part->pivots;
    report->solves += part->solves;
    report->out_of_budget += part->out_of_budget;
    report->out_of_time += part->out_of_time;
    report->solve_time += part->solve_time;
    report->correct_time += part->correct_time;
}

/// Contacts of a part that is not the last: with what they gave over the whole of the step.
static TactStatus keep_contacts(TactSim *sim)
{
    TactSimParts *parts = &sim->parts;
    int           count = parts->contact_count + sim->contact_count;
    double        share = sim->h / sim->config.timestep;
    TACT_TRY(
        tact_sim_reserve_contacts(&parts->contacts, &parts->capacity, parts->contact_count, count));
    for (int k = 0; k < sim->contact_count; k++) {
        TactSimContact *c = &parts->contacts[parts->contact_count++];
        *c = sim->contacts[k];
        for (int r = 0; r < 3; r++) {
            c->force[r] *= share;
            c->moment[r] *= share;
        }
    }
    return TACT_OK;
}

static TactStatus tell_observer(TactSim *sim, double correction)
{
    if (!sim->hooks.observer) {
        return TACT_OK;
    }
    TactSimPart part = {.time = sim->last.time,
                        .h = sim->h,
                        .q = sim->last.q,
                        .v = sim->last.v,
                        .q_after = sim->state.q,
                        .v_after = sim->state.v,
                        .v_solved = sim->answer.v,
                        .v_products = sim->last.v_middle,
                        .correction = correction};
    double      start = tact_time_now();
    TactStatus  status = sim->hooks.observer(sim->hooks.observer_context, sim, &part);
    sim->parts.watched += tact_time_now() - start;
    return status;
}

/// A part becomes the state.
static TactStatus take_part(TactSim *sim, const TactSimReport *part, TactSimReport *report)
{
    const TactModel *model = sim->model;
    memcpy(sim->state.q, sim->answer.q_end, (size_t)model->nq * sizeof *sim->answer.q_end);
    memcpy(sim->state.v, sim->answer.v_end, (size_t)model->nv * sizeof *sim->answer.v_end);
    sim->free.activating = false;
    for (int i = 0; i < model->act_count && !model->options.actuation_off; i++) {
        sim->free.activating = sim->free.activating || sim->state.act[i] != sim->free.act_next[i];
        sim->state.act[i] = sim->free.act_next[i];
    }
    sim->state.time += sim->h;
    sim->last.stepped = true;
    sim->parts.count++;
    add_report(part, report);
    if (sim->h < sim->config.timestep) {
        TACT_TRY(keep_contacts(sim));
    }
    return tell_observer(sim, part->correction);
}

/// Tries a part; one that is divided no further and gains energy is made again with damping.
static TactStatus try_part(TactSim *sim, bool divisible, TactSimReport *part, TactSimReport *report,
                           bool *resolved)
{
    tact_sim_clear_damping(sim);
    for (int again = 0;; again++) {
        memset(part, 0, offsetof(TactSimReport, rungs)); // there are none yet
        sim->parts.tries++;
        TACT_TRY(tact_sim_advance(sim, part, divisible, resolved));
        add_costs(part, report);
        if (divisible || !sim->energy.unbalanced || again == MOST_DAMPED) {
            *resolved = *resolved && again == 0;
            return TACT_OK;
        }
    }
}

/// A part of this level, or two of the next one.
static TactStatus make_part(TactSim *sim, int level, TactSimReport *report)
{
    TactSimReport part;
    int           least = sim->parts.least_level;
    int           most = MOST_TRIES << least;
    bool          divisible = level < MOST_LEVELS && sim->parts.tries < most;
    bool          resolved = true;
    double        h = ldexp(sim->config.timestep, -level);
    if (level < least) {
        TACT_TRY(make_part(sim, level + 1, report));
        return make_part(sim, level + 1, report);
    }
    sim->free.has_gain = sim->free.has_gain && sim->h == h;
    sim->h = h;
    TACT_TRY(try_part(sim, divisible, &part, report, &resolved));
    if (resolved || !divisible) {
        report->unresolved += !resolved;
        return take_part(sim, &part, report);
    }
    TACT_TRY(make_part(sim, level + 1, report));
    return make_part(sim, level + 1, report);
}

/// Times of the step and its parts in seconds, from their ticks.
static void tell_times(TactSim *sim, double ticks, TactSimReport *report)
{
    double tick = tact_tick_rate_read(&sim->parts.rate);
    report->solve_time *= tick;
    report->correct_time *= tick;
    report->collide_time = sim->shapes.ticks * tick;
    report->step_time = fmax(ticks * tick - sim->parts.watched, 0);
}

TactStatus tact_sim_step(TactSim *sim, TactSimReport *report)
{
    TACT_NEED(sim, "tact_sim_step");
    TactSimReport unread;
    report = report ? report : &unread;
    *report = (TactSimReport){0};
    tact_tick_rate_begin(&sim->parts.rate);
    double   time = sim->state.time;
    uint64_t tick = tact_ticks_now();

    if (sim->hooks.controller) {
        TACT_TRY(sim->hooks.controller(sim->hooks.controller_context, sim));
    }
    TACT_TRY(tact_sim_delay_controls(sim));
    bool rests;
    TACT_TRY(tact_sim_step_at_rest(sim, report, &rests));
    if (rests) {
        sim->parts.watched = sim->shapes.ticks = 0;
        TACT_TRY(tell_observer(sim, report->correction));
        tell_times(sim, tact_ticks_since(tick), report);
        return TACT_OK;
    }
    tact_sim_begin_rest(sim);
    sim->last.stepped = false;
    sim->positions.placed = sim->positions.placed || tact_sim_is_moved(sim);
    TACT_TRY(check_external(sim));
    tact_sim_sleep_begin(sim);
    int asleep = sim->sleep.count;
    sim->parts.count = sim->parts.tries = sim->parts.contact_count = 0;
    sim->parts.watched = 0;
    sim->shapes.ticks = 0;
    sim->parts.end = time + sim->config.timestep;
    TACT_TRY(make_part(sim, 0, report));
    sim->free.has_gain = sim->free.has_gain && sim->parts.count == 1;
    sim->state.time = time + sim->config.timestep;
    report->parts = sim->parts.count;
    report->contacts = sim->parts.count > 1 ? sim->parts.contact_count : sim->contact_count;
    report->asleep = sim->sleep.count;
    report->hash = tact_sim_get_hash(sim);
    tact_sim_note_rest(sim, report, asleep);
    tell_times(sim, tact_ticks_since(tick), report);
    return TACT_OK;
}
