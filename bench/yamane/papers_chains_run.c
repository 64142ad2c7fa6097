// A chain of Yamane and Nakamura's paper, stepped and watched.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/watch.h"
#include "bench/yamane/papers_chains.h"

static const double EVERY = 0.01; // s from entry to entry of a trace

static double *take(int count)
{
    return calloc((size_t)count, sizeof(double));
}

static TactStatus make_trace(double duration, TactChainsTrace *trace)
{
    trace->room = (int)(duration / EVERY) + 2;
    trace->time = take(trace->room);
    trace->hand = take(trace->room);
    trace->loop_error = take(trace->room);
    trace->energy = take(trace->room);
    return trace->time && trace->hand && trace->loop_error && trace->energy ? TACT_OK
                                                                            : TACT_NO_MEMORY;
}

/// The hand's servo, softer: forces of Runge-Kutta are explicit, and 20,000 N s/m on 0.2 kg would
/// need steps below 2.8 * 0.2 / 20,000 s = 28 us.
static TactStatus soften_hand(TactChains *chains)
{
    const double gain[3] = {100, 0, 0}, bias[3] = {0, 0, -100}; // N s/m
    if (chains->model->actuator_count == 0) {
        return TACT_OK;
    }
    TactStatus status = tact_sim_set(chains->sim, "actuator/hand/gain", gain, 3);
    return status == TACT_OK ? tact_sim_set(chains->sim, "actuator/hand/bias", bias, 3) : status;
}

TactStatus tact_chains_open(TactPapers *papers, const TactChainsColumn *column,
                            const TactChainsWay *way, TactChains *chains)
{
    *chains = (TactChains){.papers = papers, .column = column};
    TactStatus status = tact_papers_load_scene(papers, column->scene, &chains->model);
    if (status == TACT_OK) {
        TactSimConfig config = tact_sim_config_default(chains->model);
        config.timestep = column->step;
        config.cone = way->cone;
        config.method = way->method;
        config.integrator = way->integrator;
        if (way->method == TACT_METHOD_LCP) {
            config.lcp_method = way->lcp_method;
            config.start = TACT_START_FRICTIONLESS;
            config.fallback = TACT_FALLBACK_FRICTIONLESS;
        }
        status = tact_sim_create(chains->model, &config, &chains->sim);
    }
    if (status == TACT_OK && chains->model->keyframe_count > 0) {
        status = tact_sim_reset(chains->sim, 0);
    }
    if (status == TACT_OK && way->integrator == TACT_INTEGRATOR_RK4) {
        status = soften_hand(chains);
    }
    status = status == TACT_OK ? tact_dynamics_create(chains->model, &chains->dynamics) : status;
    status = status == TACT_OK ? make_trace(column->duration, &chains->trace) : status;
    chains->state = status == TACT_OK ? tact_sim_view_state(chains->sim) : NULL;
    return status;
}

void tact_chains_close(TactChains *chains)
{
    free(chains->trace.time);
    free(chains->trace.hand);
    free(chains->trace.loop_error);
    free(chains->trace.energy);
    tact_iabi_destroy(chains->iabi);
    free(chains->before);
    tact_dynamics_destroy(chains->dynamics);
    tact_sim_destroy(chains->sim);
    tact_model_destroy(chains->model);
}

// ---------------------------------------------------------------------------------------------
// Errors, from nothing but the poses of bodies

/// Largest distance between the two points of a loop.
static double find_loop_error(const TactModel *model, const TactTransform *poses)
{
    double worst = 0;
    for (int i = 0; i < model->equality_count; i++) {
        const TactEquality *equality = &model->equalities[i];
        TactVec3            a = tact_transform_point(poses[equality->a], equality->anchor_a);
        TactVec3            b = tact_transform_point(poses[equality->b], equality->anchor_b);
        worst = fmax(worst, tact_vec3_norm(tact_vec3_subtract(a, b)));
    }
    return worst;
}

/// Largest distance of a ball or hinge from where its parent has it.
static double find_joint_error(const TactModel *model, const TactTransform *poses)
{
    double worst = 0;
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        const TactBody  *body = &model->bodies[joint->body];
        if (joint->type == TACT_JOINT_BALL || joint->type == TACT_JOINT_HINGE) {
            TactVec3 place = tact_transform_point(body->pose, joint->position);
            TactVec3 a = tact_transform_point(poses[body->parent], place);
            TactVec3 b = tact_transform_point(poses[joint->body], joint->position);
            worst = fmax(worst, tact_vec3_norm(tact_vec3_subtract(a, b)));
        }
    }
    return worst;
}

// ---------------------------------------------------------------------------------------------
// Steps

static void count_contacts(TactChains *chains)
{
    int                   count = 0;
    const TactSimContact *contacts = tact_sim_view_contacts(chains->sim, &count);
    chains->contacts += count;
    for (int i = 0; i < count; i++) {
        chains->active += contacts[i].force[0] > 0;
    }
}

static TactStatus add_to_trace(TactChains *chains, double loop_error)
{
    TactChainsTrace *trace = &chains->trace;
    double           now = chains->state->time;
    int              k = trace->count;
    trace->loop_error[k] = fmax(trace->loop_error[k], loop_error);
    if (now < (k + 1) * EVERY - 1e-9 || k + 1 >= trace->room) {
        return TACT_OK;
    }
    TactSimForces forces;
    TactSimEnergy energy;
    TactStatus    status = tact_sim_compute_forces(chains->sim, &forces);
    status = status == TACT_OK ? tact_sim_compute_energy(chains->sim, &energy) : status;
    if (status == TACT_OK) {
        trace->time[k] = now;
        trace->hand[k] = chains->model->actuator_count > 0 ? forces.actuator_force[0] : 0;
        trace->energy[k] = energy.kinetic;
        trace->count++;
    }
    return status;
}

TactStatus tact_chains_watch_iabi(TactChains *chains, int every)
{
    size_t count = (size_t)(chains->model->nq + chains->model->nv);
    chains->iabi_every = every;
    chains->before = calloc(count, sizeof *chains->before);
    return chains->before ? tact_iabi_create(chains->model, &chains->iabi) : TACT_NO_MEMORY;
}

/// What the inverse inertias make of the step that begins at chains->before.
static TactStatus look(TactChains *chains, const TactSimReport *report)
{
    if (!chains->iabi || chains->steps % chains->iabi_every != 0) {
        return TACT_OK;
    }
    return tact_iabi_look(chains->iabi, chains->sim, report, chains->before,
                          chains->before + chains->model->nq);
}

static TactStatus step(TactChains *chains)
{
    if (chains->iabi) {
        const TactModel *model = chains->model;
        memcpy(chains->before, chains->state->q, (size_t)model->nq * sizeof(double));
        memcpy(chains->before + model->nq, chains->state->v, (size_t)model->nv * sizeof(double));
    }
    TactSimReport report;
    TactWatch     watch = tact_watch_start();
    TactStatus    status = tact_sim_step(chains->sim, &report);
    double        seconds = tact_watch_stop(&watch);
    if (status != TACT_OK) {
        return status;
    }
    status = look(chains, &report);
    if (status != TACT_OK) {
        return status;
    }
    // What a busy machine does besides is left out of the solves as it is of the step.
    double share = report.step_time > 0 ? fmin(1, seconds / report.step_time) : 1;
    chains->steps++;
    chains->seconds += seconds;
    if (report.contacts > 0) {
        chains->frames++;
        chains->all_lcp += share * report.solve_time;
        chains->lcp +=
            share * (report.solve_time - report.correct_time) * report.islands / report.solves;
        chains->simulation += seconds;
        count_contacts(chains);
    }
    chains->failures += report.certified < report.islands;
    chains->error = fmax(chains->error, report.error);
    chains->penetration = fmax(chains->penetration, report.penetration);
    status = tact_dynamics_set_position(chains->dynamics, chains->state->q);
    if (status == TACT_OK) {
        const TactTransform *poses = tact_dynamics_view_poses(chains->dynamics);
        double               loop_error = find_loop_error(chains->model, poses);
        chains->loop_error = fmax(chains->loop_error, loop_error);
        chains->joint_error = fmax(chains->joint_error, find_joint_error(chains->model, poses));
        status = add_to_trace(chains, loop_error);
    }
    return status;
}

TactStatus tact_chains_run(TactChains *chains, double until)
{
    TactStatus status = TACT_OK;
    while (status == TACT_OK && chains->state->time < until - 0.5 * chains->column->step) {
        status = step(chains);
    }
    return status;
}

double tact_chains_capstan(double T0, double mu, double w, double angle)
{
    double B = w * (1 - mu * mu) / (1 + mu * mu), C = -2 * mu * w / (1 + mu * mu);
    return (T0 - C) * exp(mu * angle) + B * sin(angle) + C * cos(angle);
}
