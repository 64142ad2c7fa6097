// A world of a batch as a simulation of the processor: what it touches, a recording of it, its
// steps made once more.
#include <string.h>

#include "base/status.h"
#include "gpu/world_batch.h"

static TactStatus fetch_row(const TactWorldBatch *batch, const double *all, int world, int entries,
                            double *out)
{
    char        message[TACT_GPU_MESSAGE] = "";
    size_t      size = (size_t)entries * sizeof *out;
    TactGpuRows there = {(void *)(all + (size_t)world * (size_t)entries), size}, here = {out, size};
    return size > 0 && batch->module->to_host(here, there, size, 1, message)
               ? tact_fail(TACT_IO_ERROR, "batch: %s", message)
               : TACT_OK;
}

TactStatus tact_world_batch_copy(const TactWorldBatch *batch, int world, TactSim *sim)
{
    TACT_NEED(batch && sim, "tact_world_batch_copy");
    const TactModel *model = batch->model;
    if (world < 0 || world >= batch->config.worlds) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: there is no world %d among %d", world,
                         batch->config.worlds);
    }
    if (sim->model->nq != model->nq || sim->model->nv != model->nv ||
        sim->model->actuator_count != model->actuator_count ||
        sim->model->geom_count != model->geom_count) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: the simulation has another model");
    }
    TACT_TRY(tact_world_put_parameters(batch, world, sim));
    TACT_TRY(tact_sim_reset(sim, -1));
    TACT_TRY(fetch_row(batch, batch->states.q, world, model->nq, sim->state.q));
    TACT_TRY(fetch_row(batch, batch->states.v, world, model->nv, sim->state.v));
    TACT_TRY(fetch_row(batch, batch->states.ctrl, world, model->actuator_count, sim->state.ctrl));
    // What overlaps has come to it by steps, and was not put there.
    if (model->nq > 0) {
        memcpy(sim->answer.q_end, sim->state.q, (size_t)model->nq * sizeof(double));
    }
    sim->positions.placed = false;
    sim->shapes.only_slide = batch->config.sliding_only;
    return TACT_OK;
}
