// Sensors of all worlds of a batch: on a GPU by a kernel of their own, on threads by simulations.
#include <string.h>

#include "base/status.h"
#include "gpu/world_batch.h"

/// Numbers of the worlds of a part, to the device.
static TactStatus send_numbers(const TactWorldPart *part, const void *host, const void *device,
                               size_t size)
{
    char        message[TACT_GPU_MESSAGE] = "";
    size_t      bytes = (size_t)part->step.worlds.count * size;
    TactGpuRows there = {(void *)device, bytes};
    TactGpuRows here = {(char *)host + (size_t)part->first * size, bytes};
    return part->batch->module->to_device(there, here, bytes, 1, message)
               ? tact_fail(TACT_IO_ERROR, "batch: %s", message)
               : TACT_OK;
}

TactStatus tact_world_part_sense(TactWorldPart *part, bool after)
{
    const TactWorldBatch *batch = part->batch;
    char                  message[TACT_GPU_MESSAGE] = "";
    TACT_TRY(send_numbers(part, batch->time, part->step.senses.time, sizeof *batch->time));
    TACT_TRY(send_numbers(part, batch->stepped, part->step.senses.stepped, sizeof *batch->stepped));
    return batch->module->sense(&part->step, after, message)
               ? tact_fail(TACT_IO_ERROR, "batch: %s", message)
               : TACT_OK;
}

/// Simulations take the arrays as their states.
static TactStatus sense_threads(TactWorldBatch *batch)
{
    const TactModel *model = batch->model;
    for (int i = 0; i < batch->config.worlds; i++) {
        TactSimState *state = tact_sim_view_state(tact_batch_view_world(batch->worlds, i));
        memcpy(state->q, batch->states.q + (size_t)i * (size_t)model->nq,
               (size_t)model->nq * sizeof(double));
        if (model->nv > 0) {
            memcpy(state->v, batch->states.v + (size_t)i * (size_t)model->nv,
                   (size_t)model->nv * sizeof(double));
        }
    }
    return tact_batch_step(batch->worlds, batch->workers,
                           &(TactBatchStep){.sensors = batch->states.sensors});
}

TactStatus tact_world_sense(TactWorldBatch *batch)
{
    if (batch->sensor_size == 0) {
        return TACT_OK;
    }
    if (batch->worlds) {
        return sense_threads(batch);
    }
    for (int k = 0; k < batch->part_count; k++) {
        TACT_TRY(tact_world_part_sense(&batch->parts[k], false));
    }
    return TACT_OK;
}
