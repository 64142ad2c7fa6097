// Making a simulation, and setting its state.
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "dynamics/links.h"
#include "sim/readout/readout.h"

/// What is kept of a step.
static void layout_last(TactSim *sim, const TactModel *model, TactArena *arena)
{
    size_t       nv = (size_t)model->nv, actuators = (size_t)model->actuator_count;
    size_t       rows = (size_t)sim->rows.capacity;
    TactSimLast *last = &sim->last;
    last->q = tact_arena_take(arena, (size_t)model->nq, sizeof(double));
    last->v = tact_arena_take(arena, nv, sizeof(double));
    last->v_middle = tact_arena_take(arena, nv, sizeof(double));
    last->actuation = tact_arena_take(arena, nv, sizeof(double));
    last->actuation_added = tact_arena_take(arena, nv, sizeof(double));
    last->actuator_force = tact_arena_take(arena, actuators, sizeof(double));
    last->actuator_slope = tact_arena_take(arena, actuators, sizeof(double));
    last->actuator_rate = tact_arena_take(arena, actuators, sizeof(double));
    last->passive = tact_arena_take(arena, nv, sizeof(double));
    last->applied = tact_arena_take(arena, nv, sizeof(double));
    last->external = tact_arena_take(arena, (size_t)model->body_count, sizeof *last->external);
    last->row_sources = tact_arena_take(arena, rows, sizeof *last->row_sources);
    last->row_impulse = tact_arena_take(arena, rows, sizeof(double));
    last->row_target = tact_arena_take(arena, rows, sizeof(double));
}

static void layout_state(TactSimState *state, const TactModel *model, TactArena *arena)
{
    size_t nv = (size_t)model->nv;
    state->q = tact_arena_take(arena, (size_t)model->nq, sizeof(double));
    state->v = tact_arena_take(arena, nv, sizeof(double));
    state->ctrl = tact_arena_take(arena, (size_t)model->actuator_count, sizeof(double));
    state->act = tact_arena_take(arena, (size_t)model->act_count, sizeof(double));
    state->applied = tact_arena_take(arena, nv, sizeof(double));
    state->external = tact_arena_take(arena, (size_t)model->body_count, sizeof(TactWrench));
    state->mocap = tact_arena_take(arena, (size_t)model->mocap_count, sizeof *state->mocap);
}

/// The end of the step, its correction, and scratch.
static void layout_answer(TactSim *sim, const TactModel *model, TactArena *arena)
{
    size_t nv = (size_t)model->nv;
    sim->answer.v = tact_arena_take(arena, nv, sizeof(double));
    sim->answer.v_end = tact_arena_take(arena, nv, sizeof(double));
    sim->answer.q_end = tact_arena_take(arena, (size_t)model->nq, sizeof(double));
    sim->answer.kept_target = tact_arena_take(arena, (size_t)sim->rows.capacity, sizeof(double));
    sim->positions.shift = tact_arena_take(arena, nv, sizeof(double));
    sim->scratch.a = tact_arena_take(arena, nv, sizeof(double));
    sim->scratch.b = tact_arena_take(arena, nv, sizeof(double));
}

static void layout_sim(TactSim *sim, const TactModel *model, TactArena *arena)
{
    size_t bodies = (size_t)model->body_count;
    layout_state(&sim->state, model, arena);
    tact_sim_mocaps_layout(&sim->free.mocaps, model, arena);
    tact_sim_free_layout(&sim->free, model, arena);
    tact_sim_flyers_layout(sim, model, arena);
    tact_sim_watch_layout(&sim->energy, model, arena);
    tact_sim_shapes_layout(&sim->shapes, model, arena);
    sim->bounce.restitution = tact_arena_take(arena, (size_t)model->geom_count, sizeof(double));
    tact_sim_complete_layout(&sim->complete, model, arena);
    tact_sim_sleep_layout(&sim->sleep, model, arena);
    tact_rows_layout(&sim->rows, model, arena);
    tact_sim_islands_layout(&sim->islands, model, sim->rows.capacity, arena);
    sim->solve.solvers = tact_arena_take(arena, bodies, sizeof *sim->solve.solvers);
    sim->solve.correctors = tact_arena_take(arena, bodies, sizeof *sim->solve.correctors);
    layout_answer(sim, model, arena);
    layout_last(sim, model, arena);
}

static bool has_loops(const TactModel *model)
{
    bool loops = false;
    for (int i = 0; i < model->equality_count; i++) {
        TactEqualityType type = model->equalities[i].type;
        loops = loops || (model->equalities[i].active &&
                          (type == TACT_EQUALITY_CONNECT || type == TACT_EQUALITY_WELD));
    }
    return loops && !model->options.equality_off;
}

TactStatus tact_sim_create(const TactModel *model, const TactSimConfig *config, TactSim **sim)
{
    TACT_TRY(tact_sim_create_sparing(model, config, sim));
    TactStatus status = tact_sim_reserve(*sim);
    if (status != TACT_OK) {
        tact_sim_destroy(*sim);
        *sim = NULL;
    }
    return status;
}

TactStatus tact_sim_create_sparing(const TactModel *model, const TactSimConfig *config,
                                   TactSim **sim)
{
    if (!model || !config || !sim) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: model, config or result is NULL");
    }
    *sim = NULL;
    TACT_TRY(tact_sim_check_config(config));
    TactSim *s = NULL;
    TACT_TRY(tact_allocate(1, sizeof *s, (void **)&s));
    s->model = model;
    s->config = *config;
    s->share.self = s;
    s->h = config->timestep;
    layout_sim(s, model, &s->arena);
    TactStatus status = tact_arena_create(&s->arena);
    if (status == TACT_OK) {
        layout_sim(s, model, &s->arena);
        tact_sim_islands_find_trees(&s->islands, model);
        status = tact_sim_read_restitution(model, config, s->bounce.restitution);
        for (int i = 0; i < model->geom_count; i++) {
            s->bounce.any = s->bounce.any || s->bounce.restitution[i] > 0;
        }
    }
    if (status == TACT_OK) {
        status = tact_dynamics_create(model, &s->dynamics);
    }
    if (status == TACT_OK) {
        s->energy.fast = tact_sim_fast(model, s->dynamics, s->energy.kinetic);
        tact_sim_find_mocaps(s);
        tact_sim_find_flyers(s);
        tact_sim_find_passive(s);
        status = tact_sim_measure_muscles(s);
    }
    if (status == TACT_OK) {
        status = tact_sim_judge_explicit(s);
    }
    if (status == TACT_OK && has_loops(model)) {
        status = tact_rows_find_implied(&s->rows, s->dynamics);
    }
    for (int i = 0; i < model->equality_count && status == TACT_OK; i++) {
        if (model->equalities[i].via && s->config.integrator == TACT_INTEGRATOR_RK4) {
            status = tact_fail(TACT_UNSUPPORTED,
                               "simulation: maximal coordinates are integrated by Euler's method");
        }
    }
    if (status == TACT_OK && s->config.integrator == TACT_INTEGRATOR_RK4 && has_loops(model) &&
        tact_dynamics_has_tendon_inertia(model)) {
        status = tact_fail(TACT_UNSUPPORTED, "simulation: loops beside tendons with armature are "
                                             "integrated by Euler's method, not by rk4");
    }
    if (status == TACT_OK && s->config.integrator == TACT_INTEGRATOR_RK4 && has_loops(model)) {
        status = tact_assembly_create(s->dynamics, 1, &s->free.loops);
    }
    if (status == TACT_OK) {
        status = tact_sim_contacts_create(s);
    }
    if (status == TACT_OK) {
        status = tact_sim_threads_create(s);
    }
    if (status == TACT_OK) {
        status = tact_sim_reset(s, -1);
    }
    if (status == TACT_OK) {
        status = tact_sim_motion_load(s);
    }
    if (status != TACT_OK) {
        tact_sim_destroy(s);
        return status;
    }
    *sim = s;
    return TACT_OK;
}

void tact_sim_destroy(TactSim *sim)
{
    if (!sim) {
        return;
    }
    for (int i = 0; sim->solve.solvers && i < sim->model->body_count; i++) {
        tact_contact_solver_destroy(sim->solve.solvers[i].solver);
        tact_contact_solver_destroy(sim->solve.correctors[i].solver);
    }
    tact_release(sim->islands.contacts);
    tact_sim_readout_destroy(sim->readout);
    tact_sim_motion_destroy(sim->motion);
    tact_sim_contacts_destroy(sim);
    tact_sim_complete_destroy(&sim->complete);
    tact_release(sim->parts.contacts);
    tact_arena_destroy(&sim->solve.arrays.arena);
    tact_sim_threads_destroy(sim->solve.threads);
    tact_assembly_destroy(sim->free.loops);
    tact_dynamics_destroy(sim->dynamics);
    tact_arena_destroy(&sim->arena);
    tact_model_destroy(sim->own);
    tact_release(sim);
}

TactSimState *tact_sim_view_state(TactSim *sim)
{
    return &sim->state;
}

const TactSimContact *tact_sim_view_contacts(const TactSim *sim, int *count)
{
    // Without memory they have the forces that the method found.
    if (tact_sim_share(sim->share.self) != TACT_OK) {
        sim->share.self->share.found.kept += sim->islands.count;
    }
    bool divided = sim->parts.count > 1;
    *count = divided ? sim->parts.contact_count : sim->contact_count;
    return divided ? sim->parts.contacts : sim->contacts;
}

TactStatus tact_sim_reset(TactSim *sim, int keyframe)
{
    TACT_NEED(sim, "tact_sim_reset");
    const TactModel *model = sim->model;
    if (keyframe < -1 || keyframe >= model->keyframe_count) {
        return tact_fail(TACT_BAD_ARGUMENT, "simulation: there is no keyframe %d", keyframe);
    }
    const TactKeyframe *key = keyframe >= 0 ? &model->keyframes[keyframe] : NULL;
    size_t              nv = (size_t)model->nv, number = sizeof(double);
    memcpy(sim->state.q, key ? key->q : model->q_reference, (size_t)model->nq * number);
    memset(sim->state.v, 0, nv * number);
    memset(sim->state.ctrl, 0, (size_t)model->actuator_count * number);
    memset(sim->state.act, 0, (size_t)model->act_count * number);
    memset(sim->state.applied, 0, nv * number);
    memset(sim->state.external, 0, (size_t)model->body_count * sizeof *sim->state.external);
    sim->state.time = 0;
    if (key) {
        memcpy(sim->state.v, key->v, nv * number);
        memcpy(sim->state.ctrl, key->ctrl, (size_t)model->actuator_count * number);
        memcpy(sim->state.act, key->act, (size_t)model->act_count * number);
        sim->state.time = key->time;
    }
    tact_sim_reset_delays(sim);
    tact_sim_motion_start(sim);
    tact_sim_start_mocaps(sim);
    sim->contact_count = 0;
    sim->parts.count = 0;
    sim->free.has_gain = sim->positions.sunk = false;
    sim->positions.placed = true;
    sim->positions.stuck_count = 0;
    sim->last.stepped = false;
    sim->last.row_count = 0;
    tact_sim_sleep_reset(sim);
    for (int i = 0; i < model->body_count; i++) {
        if (sim->solve.solvers[i].solver) {
            tact_contact_solver_forget(sim->solve.solvers[i].solver);
        }
        if (sim->solve.correctors[i].solver) {
            tact_contact_solver_forget(sim->solve.correctors[i].solver);
        }
    }
    return TACT_OK;
}
