// Rollouts: a simulation a thread, which one world after the other is set into.
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "batch/batch.h"

/// A thread's simulation.
typedef struct Seat {
    TactSim *sim; // NULL: not made yet
} Seat;

typedef struct Run {
    const TactModel     *model;
    const TactSimConfig *config;
    const TactRollout   *rollout;
    int                  every, hold, frames, controls;
    int                  numbers; // of all parameters of a world
    Seat       *seats;   // of the workers                                              (threads)
    atomic_bool stopped; // the watch has ended it
} Run;

TactStatus tact_batch_fail(TactStatus status, int world, int step)
{
    char message[480];
    snprintf(message, sizeof message, "%s", tact_status_message());
    return step < 0 ? tact_fail(status, "world %d: %s", world, message)
                    : tact_fail(status, "world %d, step %d: %s", world, step, message);
}

static void copy(double *to, const double *from, size_t count)
{
    if (count > 0) {
        memcpy(to, from, count * sizeof *to);
    }
}

/// State and parameters of a world.
static TactStatus start_world(const Run *run, TactSim *sim, int world)
{
    const TactRollout *r = run->rollout;
    size_t             w = (size_t)world;
    const double      *values = r->values + w * (size_t)run->numbers;
    for (int i = 0; i < r->parameter_count; i++) {
        const TactParameter *parameter = NULL;
        int                  index = 0;
        TACT_TRY(tact_parameter_find(run->model, r->paths[i], &parameter, &index));
        TACT_TRY(tact_sim_set(sim, r->paths[i], values, parameter->count));
        values += parameter->count;
    }
    TACT_TRY(tact_sim_reset(sim, -1));
    TactSimState *state = tact_sim_view_state(sim);
    size_t        nq = (size_t)run->model->nq, nv = (size_t)run->model->nv;
    if (r->q) {
        copy(state->q, r->q + w * nq, nq);
    }
    if (r->v) {
        copy(state->v, r->v + w * nv, nv);
    }
    return TACT_OK;
}

static TactStatus write_frame(const Run *run, TactSim *sim, int world, int frame)
{
    const TactRollout  *r = run->rollout;
    const TactModel    *model = run->model;
    const TactSimState *state = tact_sim_view_state(sim);
    size_t place = (size_t)world * (size_t)run->frames + (size_t)frame, nq = (size_t)model->nq;
    size_t nv = (size_t)model->nv, sensors = (size_t)model->sensor_size;
    if (r->q_out) {
        copy(r->q_out + place * nq, state->q, nq);
    }
    if (r->v_out) {
        copy(r->v_out + place * nv, state->v, nv);
    }
    if (r->sensors_out && sensors > 0) {
        TactSimSensors sensed;
        TACT_TRY(tact_sim_compute_sensors(sim, &sensed));
        copy(r->sensors_out + place * sensors, sensed.values, sensors);
    }
    return TACT_OK;
}

static void note(TactRolloutWorld *world, const TactSimReport *report)
{
    world->solves += report->islands;
    world->certified += report->certified;
    world->contacts = report->contacts > world->contacts ? report->contacts : world->contacts;
    world->error = report->error > world->error ? report->error : world->error;
    world->penetration =
        report->penetration > world->penetration ? report->penetration : world->penetration;
    world->hash = report->hash;
}

static TactStatus ask_watch(Run *run, int worker)
{
    const TactRollout *r = run->rollout;
    if (worker == 0 && r->watch) {
        TactStatus status = r->watch(r->context);
        if (status != TACT_OK) {
            atomic_store(&run->stopped, true);
            return status;
        }
    }
    return TACT_OK;
}

static TactStatus roll(Run *run, int worker, int world)
{
    const TactRollout *r = run->rollout;
    TactSim           *sim = run->seats[worker].sim;
    TactSimState      *state = tact_sim_view_state(sim);
    size_t             actuators = (size_t)run->model->actuator_count;
    TactRolloutWorld   told = {.hash = tact_sim_get_hash(sim)};
    for (int i = 0; i < r->steps && !atomic_load(&run->stopped); i++) {
        TACT_TRY(ask_watch(run, worker));
        if (r->ctrl && i % run->hold == 0) {
            size_t place = (size_t)world * (size_t)run->controls + (size_t)(i / run->hold);
            copy(state->ctrl, r->ctrl + place * actuators, actuators);
        }
        TactSimReport report;
        TactStatus    status = tact_sim_step(sim, &report);
        if (status != TACT_OK) {
            return tact_batch_fail(status, world, i);
        }
        note(&told, &report);
        if ((i + 1) % run->every == 0) {
            TACT_TRY(write_frame(run, sim, world, i / run->every));
        }
    }
    if (r->worlds_out) {
        r->worlds_out[world] = told;
    }
    return TACT_OK;
}

static TactStatus do_world(void *context, int worker, int world)
{
    Run *run = context;
    if (!run->seats[worker].sim) {
        TACT_TRY(tact_sim_create(run->model, run->config, &run->seats[worker].sim));
    }
    TactStatus status = start_world(run, run->seats[worker].sim, world);
    return status == TACT_OK ? roll(run, worker, world) : tact_batch_fail(status, world, -1);
}

static TactStatus check_rollout(Run *run)
{
    const TactRollout *r = run->rollout;
    if (r->worlds < 0 || r->steps < 0 || r->every < 0 || r->hold < 0 || r->parameter_count < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "rollout: a count is negative");
    }
    if (r->parameter_count > 0 && (!r->paths || !r->values)) {
        return tact_fail(TACT_BAD_ARGUMENT, "rollout: paths or values of parameters are NULL");
    }
    run->every = r->every > 0 ? r->every : 1;
    run->hold = r->hold > 0 ? r->hold : 1;
    run->frames = r->steps / run->every;
    run->controls = r->steps / run->hold + (r->steps % run->hold > 0);
    for (int i = 0; i < r->parameter_count; i++) {
        const TactParameter *parameter = NULL;
        int                  index = 0;
        TACT_TRY(tact_parameter_find(run->model, r->paths[i], &parameter, &index));
        run->numbers += parameter->count;
    }
    return TACT_OK;
}

TactStatus tact_rollout_run(TactWorkers *workers, const TactModel *model,
                            const TactSimConfig *config, const TactRollout *rollout)
{
    TACT_NEED(model && config && rollout, "tact_rollout_run");
    Run run = {.model = model, .config = config, .rollout = rollout};
    TACT_TRY(check_rollout(&run));
    int threads = tact_workers_get_threads(workers);
    TACT_TRY(tact_allocate((size_t)threads, sizeof *run.seats, (void **)&run.seats));
    TactStatus status = tact_workers_run(workers, rollout->worlds, do_world, &run);
    for (int i = 0; i < threads; i++) {
        tact_sim_destroy(run.seats[i].sim);
    }
    tact_release(run.seats);
    return status;
}
