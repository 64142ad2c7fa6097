// Steps that a GPU has left to the processor: the simulation makes them from the same state, a
// world on the next thread that is free. Simulations remember nothing from world to world, but for
// overlaps that nothing can undo, which belong to their world.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "gpu/world_batch.h"

/// Operations of a solve, and of a shift of positions: all other worlds wait for it. What ends
/// there is not certified, and counted.
static const double MOST_WORK = 3e7, LIFT_WORK = 3e6;

TactStatus tact_world_handed_create(TactWorldBatch *batch, const TactSimConfig *config)
{
    int           threads = tact_workers_get_threads(batch->workers);
    TactSimConfig own = *config;
    own.share = TACT_SHARE_VERTEX; // as the GPU tells forces
    own.max_work = config->max_work > 0 ? config->max_work : MOST_WORK;
    batch->handed.locked = pthread_mutex_init(&batch->handed.lock, NULL) == 0;
    if (!batch->handed.locked) {
        return tact_fail(TACT_NO_MEMORY, "batch: there is no lock");
    }
    TACT_TRY(tact_allocate((size_t)threads, sizeof(void *), (void **)&batch->handed.sims));
    for (int k = 0; k < threads; k++) {
        TACT_TRY(tact_sim_create(batch->model, &own, &batch->handed.sims[k]));
        batch->handed.sims[k]->solve.lift_work = LIFT_WORK;
        batch->handed.sims[k]->shapes.only_slide = batch->config.sliding_only;
    }
    return tact_allocate((size_t)batch->config.worlds, sizeof(void *),
                         (void **)&batch->handed.stuck);
}

void tact_world_rows_release(TactWorldRows *rows)
{
    tact_release(rows->q);
    tact_release(rows->v);
    tact_release(rows->ctrl);
    tact_release(rows->sensors);
    tact_release(rows->uncertain);
    tact_release(rows->zeros);
    tact_release(rows->list);
    *rows = (TactWorldRows){0};
}

void tact_world_handed_destroy(TactWorldBatch *batch)
{
    for (int k = 0; batch->handed.sims && k < tact_workers_get_threads(batch->workers); k++) {
        tact_sim_destroy(batch->handed.sims[k]);
    }
    tact_release((void *)batch->handed.sims);
    batch->handed.sims = NULL;
    for (int i = 0; batch->handed.stuck && i < batch->config.worlds; i++) {
        tact_release(batch->handed.stuck[i]);
    }
    tact_release((void *)batch->handed.stuck);
    batch->handed.stuck = NULL;
    if (batch->handed.locked) {
        pthread_mutex_destroy(&batch->handed.lock);
        batch->handed.locked = false;
    }
}

static TactStatus reserve(const TactModel *model, int count, int sensors, TactWorldRows *handed)
{
    size_t room = (size_t)count + (size_t)count / 2, number = sizeof(double);
    if (count <= handed->room) {
        return TACT_OK;
    }
    tact_world_rows_release(handed);
    TACT_TRY(tact_allocate(room * (size_t)model->nq, number, (void **)&handed->q));
    TACT_TRY(tact_allocate(room * (size_t)model->nv, number, (void **)&handed->v));
    TACT_TRY(tact_allocate(room * (size_t)model->actuator_count, number, (void **)&handed->ctrl));
    TACT_TRY(tact_allocate(room * (size_t)sensors, number, (void **)&handed->sensors));
    TACT_TRY(tact_allocate(room, sizeof(bool), (void **)&handed->uncertain));
    TACT_TRY(tact_allocate(room, sizeof(int), (void **)&handed->zeros));
    TACT_TRY(tact_allocate(room, sizeof(int), (void **)&handed->list));
    handed->room = (int)room;
    return TACT_OK;
}

static void copy_row(double *to, const double *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

/// What is stuck in a world, to its simulation or from there.
static void recall_stuck(const TactWorldStuck *stuck, TactSimPositions *positions)
{
    positions->stuck_count = stuck ? stuck->count : 0;
    for (int k = 0; k < positions->stuck_count; k++) {
        positions->stuck[k] = stuck->items[k];
    }
}

static TactStatus keep_stuck(const TactSimPositions *positions, TactWorldStuck **stuck)
{
    if (positions->stuck_count == 0) {
        tact_release(*stuck);
        *stuck = NULL;
        return TACT_OK;
    }
    if (!*stuck) {
        TACT_TRY(tact_allocate(1, sizeof **stuck, (void **)stuck));
    }
    (*stuck)->count = positions->stuck_count;
    for (int k = 0; k < positions->stuck_count; k++) {
        (*stuck)->items[k] = positions->stuck[k];
    }
    return TACT_OK;
}

/// Sensors of a world after its step, to its row.
static TactStatus keep_sensors(const TactWorldPart *part, TactSim *sim, size_t row)
{
    TactSimSensors sensors;
    TACT_TRY(tact_sim_compute_sensors(sim, &sensors));
    copy_row(part->rows.sensors + row * (size_t)sensors.count, sensors.values, sensors.count);
    return TACT_OK;
}

/// One world, from its row to its row. What overlaps has come to it by steps, and was not put
/// there.
static TactStatus make_step(void *context, int worker, int number)
{
    const TactWorldPart *part = context;
    const TactModel     *model = part->batch->model;
    const TactWorldRows *rows = &part->rows;
    TactSim             *sim = part->batch->handed.sims[worker];
    size_t               k = (size_t)number;
    double              *q = rows->q + k * (size_t)model->nq, *v = rows->v + k * (size_t)model->nv;
    TactWorldStuck     **stuck = &part->batch->handed.stuck[part->first + rows->list[k]];
    TactSimReport        report;
    TACT_TRY(tact_world_put_parameters(part->batch, part->first + rows->list[k], sim));
    TACT_TRY(tact_sim_reset(sim, -1));
    copy_row(sim->state.q, q, model->nq);
    copy_row(sim->state.v, v, model->nv);
    copy_row(sim->state.ctrl, rows->ctrl + k * (size_t)model->actuator_count,
             model->actuator_count);
    copy_row(sim->answer.q_end, q, model->nq);
    sim->positions.placed = false;
    sim->state.time = part->batch->time ? part->batch->time[part->first + rows->list[k]] : 0;
    recall_stuck(*stuck, &sim->positions);
    TACT_TRY(tact_sim_step(sim, &report));
    TACT_TRY(keep_stuck(&sim->positions, stuck));
    rows->uncertain[k] = report.certified < report.islands;
    copy_row(q, sim->state.q, model->nq);
    copy_row(v, sim->state.v, model->nv);
    return part->senses ? keep_sensors(part, sim, k) : TACT_OK;
}

/// Rows of an array of the device that belong to the worlds of a list, to or from the host.
static TactStatus move_rows(const TactWorldPart *part, const TactStepCounts *counts, void *device,
                            int entries, double *host, bool pick)
{
    char                 message[TACT_GPU_MESSAGE] = "";
    const TactGpuModule *module = part->batch->module;
    TactGpuPicked        picked = {.device = device,
                                   .entries = entries,
                                   .stride = 1,
                                   .step = (size_t)entries,
                                   .list = part->step.work + counts->list,
                                   .count = counts->left,
                                   .queue = part->step.queue};
    if (entries < 1) {
        return TACT_OK;
    }
    if (pick ? module->pick_doubles(&picked, host, message)
             : module->put_doubles(&picked, host, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    return TACT_OK;
}

/// The rows of what is left, and back.
static TactStatus fetch_rows(TactWorldPart *part, const TactStepCounts *counts)
{
    const TactModel      *model = part->batch->model;
    const TactStepWorlds *worlds = &part->step.worlds;
    TactWorldRows        *rows = &part->rows;
    char                  message[TACT_GPU_MESSAGE] = "";
    TACT_TRY(reserve(model, counts->left, part->batch->sensor_size, rows));
    TACT_TRY(move_rows(part, counts, worlds->q, model->nq, rows->q, true));
    TACT_TRY(move_rows(part, counts, worlds->v, model->nv, rows->v, true));
    TACT_TRY(move_rows(part, counts, worlds->ctrl, model->actuator_count, rows->ctrl, true));
    // The list itself: number k of it is entry 0 of what is k-th in a list of all.
    TactGpuPicked list = {.device = part->step.work + counts->list,
                          .entries = counts->left,
                          .stride = 1,
                          .step = 0,
                          .list = part->step.work + counts->list,
                          .count = 1,
                          .queue = part->step.queue};
    if (part->batch->module->pick_integers(&list, rows->list, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    return TACT_OK;
}

static TactStatus send_rows(const TactWorldPart *part, const TactStepCounts *counts)
{
    const TactModel      *model = part->batch->model;
    const TactStepWorlds *worlds = &part->step.worlds;
    char                  message[TACT_GPU_MESSAGE] = "";
    TACT_TRY(move_rows(part, counts, worlds->q, model->nq, part->rows.q, false));
    TACT_TRY(move_rows(part, counts, worlds->v, model->nv, part->rows.v, false));
    if (part->senses) {
        TACT_TRY(move_rows(part, counts, part->step.senses.values, part->batch->sensor_size,
                           part->rows.sensors, false));
    }
    TactGpuPicked kept = {.device = worlds->kept,
                          .entries = 1,
                          .stride = 1,
                          .step = 1,
                          .list = part->step.work + counts->list,
                          .count = counts->left,
                          .queue = part->step.queue};
    if (part->batch->module->put_integers(&kept, part->rows.zeros, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    return TACT_OK;
}

TactStatus tact_world_hand_over(TactWorldPart *part, const TactStepCounts *counts)
{
    TactWorldBatch       *batch = part->batch;
    TactWorldBatchReport *report = &part->report;
    if (counts->left == 0) {
        return TACT_OK;
    }
    TACT_TRY(fetch_rows(part, counts));
    pthread_mutex_lock(&batch->handed.lock);
    double     begin = tact_time_now();
    TactStatus status = tact_workers_run(batch->workers, counts->left, make_step, part);
    report->seconds_handed += tact_time_now() - begin;
    pthread_mutex_unlock(&batch->handed.lock);
    TACT_TRY(status);
    TACT_TRY(send_rows(part, counts));
    for (int k = 0; k < counts->left; k++) {
        report->uncertified += part->rows.uncertain[k];
    }
    report->handed_over += counts->left;
    return TACT_OK;
}
