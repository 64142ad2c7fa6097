// Steps that a GPU has left to the processor: the simulation makes them from the same state, a world
// on the next thread that is free. Simulations remember nothing from world to world.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "gpu/world_batch.h"

TactStatus tact_world_handed_create(TactWorldBatch *batch, const TactSimConfig *config)
{
    int threads = tact_workers_get_threads(batch->workers);
    TACT_TRY(tact_allocate((size_t)threads, sizeof *batch->handed.sims,
                           (void **)&batch->handed.sims));
    for (int k = 0; k < threads; k++) {
        TACT_TRY(tact_sim_create(batch->model, config, &batch->handed.sims[k]));
    }
    return TACT_OK;
}

static void release_rows(TactWorldHanded *handed)
{
    tact_release(handed->q);
    tact_release(handed->v);
    tact_release(handed->ctrl);
    tact_release(handed->uncertain);
    tact_release(handed->zeros);
    handed->q = handed->v = handed->ctrl = NULL;
    handed->uncertain = NULL;
    handed->zeros = NULL;
    handed->room = 0;
}

void tact_world_handed_destroy(TactWorldBatch *batch)
{
    for (int k = 0; batch->handed.sims && k < tact_workers_get_threads(batch->workers); k++) {
        tact_sim_destroy(batch->handed.sims[k]);
    }
    tact_release((void *)batch->handed.sims);
    batch->handed.sims = NULL;
    release_rows(&batch->handed);
}

static TactStatus reserve(const TactModel *model, int count, TactWorldHanded *handed)
{
    size_t room = (size_t)count + (size_t)count / 2, number = sizeof(double);
    if (count <= handed->room) {
        return TACT_OK;
    }
    release_rows(handed);
    TACT_TRY(tact_allocate(room * (size_t)model->nq, number, (void **)&handed->q));
    TACT_TRY(tact_allocate(room * (size_t)model->nv, number, (void **)&handed->v));
    TACT_TRY(tact_allocate(room * (size_t)model->actuator_count, number, (void **)&handed->ctrl));
    TACT_TRY(tact_allocate(room, sizeof(bool), (void **)&handed->uncertain));
    TACT_TRY(tact_allocate(room, sizeof(int), (void **)&handed->zeros));
    handed->room = (int)room;
    return TACT_OK;
}

static void copy(double *to, const double *from, int count)
{
    if (count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

/// One world, from its row to its row. What overlaps has come to it by steps, and was not put there.
static TactStatus make_step(void *context, int worker, int number)
{
    TactWorldBatch  *batch = context;
    const TactModel *model = batch->model;
    TactWorldHanded *handed = &batch->handed;
    TactSim         *sim = handed->sims[worker];
    size_t           k = (size_t)number;
    double          *q = handed->q + k * (size_t)model->nq, *v = handed->v + k * (size_t)model->nv;
    TactSimReport    report;
    TACT_TRY(tact_sim_reset(sim, -1));
    copy(sim->state.q, q, model->nq);
    copy(sim->state.v, v, model->nv);
    copy(sim->state.ctrl, handed->ctrl + k * (size_t)model->actuator_count, model->actuator_count);
    copy(sim->answer.q_end, q, model->nq);
    sim->positions.placed = false;
    TACT_TRY(tact_sim_step(sim, &report));
    handed->uncertain[k] = report.certified < report.islands;
    copy(q, sim->state.q, model->nq);
    copy(v, sim->state.v, model->nv);
    return TACT_OK;
}

/// Rows of an array of the device that belong to the worlds of a list, to or from the host.
static TactStatus move_rows(const TactWorldBatch *batch, const TactStepCounts *counts, void *device,
                            int entries, double *host, bool pick)
{
    char          message[TACT_GPU_MESSAGE] = "";
    TactGpuPicked picked = {.device = device,
                            .entries = entries,
                            .stride = 1,
                            .step = (size_t)entries,
                            .list = batch->step.work + counts->list,
                            .count = counts->left};
    if (entries < 1) {
        return TACT_OK;
    }
    if (pick ? batch->module->pick_doubles(&picked, host, message)
             : batch->module->put_doubles(&picked, host, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    return TACT_OK;
}

TactStatus tact_world_hand_over(TactWorldBatch *batch, const TactStepCounts *counts,
                                TactWorldBatchReport *report)
{
    const TactModel      *model = batch->model;
    const TactStepWorlds *worlds = &batch->step.worlds;
    TactWorldHanded      *handed = &batch->handed;
    char                  message[TACT_GPU_MESSAGE] = "";
    if (counts->left == 0) {
        return TACT_OK;
    }
    double begin = tact_time_now();
    TACT_TRY(reserve(model, counts->left, handed));
    TACT_TRY(move_rows(batch, counts, worlds->q, model->nq, handed->q, true));
    TACT_TRY(move_rows(batch, counts, worlds->v, model->nv, handed->v, true));
    TACT_TRY(move_rows(batch, counts, worlds->ctrl, model->actuator_count, handed->ctrl, true));
    TACT_TRY(tact_workers_run(batch->workers, counts->left, make_step, batch));
    TACT_TRY(move_rows(batch, counts, worlds->q, model->nq, handed->q, false));
    TACT_TRY(move_rows(batch, counts, worlds->v, model->nv, handed->v, false));
    TactGpuPicked kept = {.device = worlds->kept,
                          .entries = 1,
                          .stride = 1,
                          .step = 1,
                          .list = batch->step.work + counts->list,
                          .count = counts->left};
    if (batch->module->put_integers(&kept, handed->zeros, message)) {
        return tact_fail(TACT_IO_ERROR, "batch: %s", message);
    }
    for (int k = 0; k < counts->left; k++) {
        report->uncertified += handed->uncertain[k];
    }
    report->handed_over += counts->left;
    report->seconds_handed += tact_time_now() - begin;
    return TACT_OK;
}
