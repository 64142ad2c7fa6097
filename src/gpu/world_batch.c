// Worlds in batches: on threads each world is a simulation of its own; on a GPU arrays and kernels.
#include "gpu/world_batch.h"

#include <string.h>

#include "base/memory.h"
#include "base/status.h"

static const uint32_t COOKIE = 0x7ac7b0d5u;

TactWorldBatchConfig tact_world_batch_config_default(TactDevice device)
{
    return (TactWorldBatchConfig){.device = device, .worlds = 1, .cookie = COOKIE};
}

static TactStatus check_worlds(const TactWorldBatchConfig *config)
{
    if (config->cookie != COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "batch: the config was not made by tact_world_batch_config_default()");
    }
    if (config->worlds < 1) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d worlds are too few", config->worlds);
    }
    return TACT_OK;
}

static TactStatus fail(TactStatus status, const char *message)
{
    return tact_fail(status, "batch: %s", message);
}

// ---------------------------------------------------------------------------------------------
// Copies

/// An array of all worlds, between the device and the host.
static TactStatus copy_array(const TactWorldBatch *batch, double *device, double *host, int entries,
                             bool to_device)
{
    char   message[TACT_GPU_MESSAGE] = "";
    size_t size = (size_t)batch->config.worlds * (size_t)entries * sizeof(double);
    if (!host || size == 0) {
        return TACT_OK;
    }
    TactGpuRows there = {device, size}, here = {host, size};
    int         failed = to_device ? batch->module->to_device(there, here, size, 1, message)
                                   : batch->module->to_host(here, there, size, 1, message);
    return failed ? fail(TACT_IO_ERROR, message) : TACT_OK;
}

static TactStatus copy_states(const TactWorldBatch *batch, const TactWorldStates *host,
                              bool to_device)
{
    const TactModel       *model = batch->model;
    const TactWorldStates *w = &batch->states;
    TACT_TRY(copy_array(batch, w->q, host->q, model->nq, to_device));
    TACT_TRY(copy_array(batch, w->v, host->v, model->nv, to_device));
    if (!to_device) {
        TACT_TRY(copy_array(batch, w->sensors, host->sensors, batch->sensor_size, false));
    }
    return copy_array(batch, w->ctrl, host->ctrl, model->actuator_count, to_device);
}

TactStatus tact_world_batch_send(TactWorldBatch *batch, const TactWorldStates *states)
{
    TACT_NEED(batch && states, "tact_world_batch_send");
    if (states->sensors) {
        return fail(TACT_BAD_ARGUMENT, "sensors are read, and not sent");
    }
    return copy_states(batch, states, true);
}

TactStatus tact_world_batch_fetch(const TactWorldBatch *batch, const TactWorldStates *states)
{
    TACT_NEED(batch && states, "tact_world_batch_fetch");
    if (states->sensors && !batch->config.sensors) {
        return fail(TACT_BAD_ARGUMENT, "its config does not ask for sensors");
    }
    return copy_states(batch, states, false);
}

void tact_world_batch_view(TactWorldBatch *batch, TactWorldStates *states)
{
    if (batch && states) {
        *states = batch->states;
    }
}

/// Rows of the reference where worlds are chosen; the others as they are.
static void put_reference(const TactModel *model, int worlds, const unsigned char *which, double *q,
                          double *v)
{
    size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
    for (size_t i = 0; i < (size_t)worlds; i++) {
        if (!which || which[i]) {
            memcpy(q + i * nq, model->q_reference, nq * sizeof *q);
            memset(v + i * nv, 0, nv * sizeof *v);
        }
    }
}

/// What worlds remember of their last step is only where the next one begins: it need not go.
TactStatus tact_world_batch_reset(TactWorldBatch *batch, const unsigned char *which)
{
    TACT_NEED(batch, "tact_world_batch_reset");
    const TactModel *model = batch->model;
    size_t           P = (size_t)batch->config.worlds, nq = (size_t)model->nq;
    double          *block = NULL;
    TACT_TRY(tact_allocate(P * (nq + (size_t)model->nv), sizeof *block, (void **)&block));
    TactWorldStates host = {.q = block, .v = block + P * nq};
    TactStatus      status = which ? copy_states(batch, &host, false) : TACT_OK;
    if (status == TACT_OK) {
        put_reference(model, batch->config.worlds, which, host.q, host.v);
        status = copy_states(batch, &host, true);
    }
    for (int i = 0; i < batch->config.worlds && status == TACT_OK; i++) {
        if (batch->worlds && (!which || which[i])) {
            status = tact_sim_reset(tact_batch_view_world(batch->worlds, i), -1);
        }
        if (batch->handed.stuck && batch->handed.stuck[i] && (!which || which[i])) {
            batch->handed.stuck[i]->count = 0;
        }
        if (batch->time && (!which || which[i])) {
            batch->time[i] = batch->stepped[i] = 0;
        }
    }
    tact_release(block);
    return status == TACT_OK ? tact_world_sense(batch) : status;
}

// ---------------------------------------------------------------------------------------------
// Made and destroyed

/// Memory of the device, cleared.
static TactStatus take_memory(const TactGpuModule *module, size_t size, const void *content,
                              void **memory)
{
    char message[TACT_GPU_MESSAGE] = "";
    if (module->take(size, memory, message)) {
        return fail(TACT_NO_MEMORY, message);
    }
    TactGpuRows there = {*memory, size}, here = {(void *)content, size};
    return module->to_device(there, here, size, 1, message) ? fail(TACT_IO_ERROR, message)
                                                            : TACT_OK;
}

/// The model as the GPU reads it, simulations for what it leaves, and parts of worlds.
static TactStatus prepare_gpu(TactWorldBatch *batch, const TactSimConfig *config)
{
    TactSim *sim = NULL;
    TACT_TRY(tact_sim_create(batch->model, config, &sim));
    TactStatus status = tact_step_check(sim, tact_world_allowed(&batch->config));
    if (status == TACT_OK) {
        status = tact_step_compile(sim, tact_world_allowed(&batch->config), &batch->block);
    }
    tact_sim_destroy(sim);
    TACT_TRY(status);
    TACT_TRY(take_memory(batch->module, batch->block.size, batch->block.memory, &batch->constants));
    TACT_TRY(tact_world_handed_create(batch, config));
    if (batch->sensor_size > 0) {
        size_t worlds = (size_t)batch->config.worlds;
        TACT_TRY(tact_allocate(worlds, sizeof *batch->time, (void **)&batch->time));
        TACT_TRY(tact_allocate(worlds, sizeof *batch->stepped, (void **)&batch->stepped));
    }
    return tact_world_parts_create(batch, config);
}

static TactStatus prepare_threads(TactWorldBatch *batch, const TactSimConfig *config)
{
    TACT_TRY(tact_batch_create(batch->model, config, batch->config.worlds, &batch->worlds));
    for (int i = 0; i < batch->config.worlds; i++) {
        tact_batch_view_world(batch->worlds, i)->shapes.only_slide = batch->config.sliding_only;
    }
    return TACT_OK;
}

/// States of all worlds, at 0: controls are what nobody else writes.
static TactStatus take_states(TactWorldBatch *batch)
{
    const TactModel *model = batch->model;
    int              worlds = batch->config.worlds;
    size_t           size = tact_world_states_bytes(model, worlds, batch->sensor_size);
    void            *zeros = NULL;
    TACT_TRY(tact_allocate(size, 1, &zeros));
    TactStatus status = take_memory(batch->module, size, zeros, &batch->memory);
    tact_release(zeros);
    tact_world_states_place(model, worlds, batch->sensor_size, batch->memory, &batch->states);
    return status;
}

static TactStatus prepare(TactWorldBatch *batch, const TactSimConfig *config)
{
    TACT_TRY(tact_gpu_find_module(batch->config.device, &batch->module));
    TACT_TRY(tact_workers_create(batch->config.threads, &batch->workers));
    TACT_TRY(take_states(batch));
    TACT_TRY(batch->config.device == TACT_DEVICE_CPU ? prepare_threads(batch, config)
                                                     : prepare_gpu(batch, config));
    return tact_world_batch_reset(batch, NULL);
}

TactStatus tact_world_batch_create(const TactModel *model, const TactSimConfig *sim,
                                   const TactWorldBatchConfig *config, TactWorldBatch **batch)
{
    TACT_NEED(model && sim && config && batch, "tact_world_batch_create");
    *batch = NULL;
    TACT_TRY(check_worlds(config));
    TactWorldBatch *made = NULL;
    TACT_TRY(tact_allocate(1, sizeof *made, (void **)&made));
    made->model = model;
    made->config = *config;
    made->sensor_size = config->sensors ? model->sensor_size : 0;
    TactStatus status = prepare(made, sim);
    if (status != TACT_OK) {
        tact_world_batch_destroy(made);
        return status;
    }
    *batch = made;
    return TACT_OK;
}

void tact_world_batch_destroy(TactWorldBatch *batch)
{
    if (!batch) {
        return;
    }
    if (batch->memory) {
        batch->module->give(batch->memory);
    }
    if (batch->constants) {
        batch->module->give(batch->constants);
    }
    if (batch->module) {
        tact_world_parameters_destroy(batch);
    }
    tact_world_parts_destroy(batch);
    tact_world_handed_destroy(batch);
    tact_step_release(&batch->block);
    tact_release(batch->time);
    tact_release(batch->stepped);
    tact_batch_destroy(batch->worlds);
    tact_workers_destroy(batch->workers);
    tact_release(batch);
}

// ---------------------------------------------------------------------------------------------
// Steps

/// Simulations take the arrays as their states, and write theirs there.
static TactStatus step_threads(TactWorldBatch *batch, TactSimReport *reports,
                               TactWorldBatchReport *report)
{
    const TactModel       *model = batch->model;
    const TactWorldStates *w = &batch->states;
    size_t                 nq = (size_t)model->nq, nv = (size_t)model->nv;
    for (int i = 0; i < batch->config.worlds; i++) {
        TactSimState *state = tact_sim_view_state(tact_batch_view_world(batch->worlds, i));
        memcpy(state->q, w->q + (size_t)i * nq, nq * sizeof *w->q);
        if (nv > 0) {
            memcpy(state->v, w->v + (size_t)i * nv, nv * sizeof *w->v);
        }
    }
    TactBatchStep step = {.steps = 1, .ctrl = w->ctrl, .q = w->q, .v = w->v, .reports = reports};
    TACT_TRY(tact_batch_step(batch->worlds, batch->workers, &step));
    for (int i = 0; i < batch->config.worlds; i++) {
        report->solves += reports[i].solves;
        report->first += reports[i].solves;
        report->uncertified += reports[i].certified < reports[i].islands;
        report->error = reports[i].error > report->error ? reports[i].error : report->error;
    }
    return TACT_OK;
}

TactStatus tact_world_batch_step(TactWorldBatch *batch, int steps, TactWorldBatchReport *report)
{
    TACT_NEED(batch, "tact_world_batch_step");
    TactWorldBatchReport unread;
    TactSimReport       *reports = NULL;
    TactStatus           status = TACT_OK;
    report = report ? report : &unread;
    *report = (TactWorldBatchReport){0};
    if (steps < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d steps", steps);
    }
    if (batch->worlds) {
        TACT_TRY(tact_allocate((size_t)batch->config.worlds, sizeof *reports, (void **)&reports));
    }
    double begin = tact_time_now();
    for (int k = 0; k < steps && status == TACT_OK && batch->worlds; k++) {
        status = step_threads(batch, reports, report);
    }
    status = batch->worlds ? status : tact_world_parts_step(batch, steps, report);
    for (int i = 0; batch->stepped && steps > 0 && i < batch->config.worlds; i++) {
        batch->stepped[i] = 1;
    }
    if (status == TACT_OK && (batch->worlds || steps == 0)) {
        status = tact_world_sense(batch);
    }
    report->steps = (long long)steps * batch->config.worlds;
    report->seconds = tact_time_now() - begin;
    tact_release(reports);
    return status;
}
