// Worlds that stay, stepped together.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "batch/batch.h"
#include "sim/sim.h"

typedef struct World {
    TactSim *sim;
} World;

struct TactBatch {
    const TactModel *model;
    int              count;
    World           *worlds; //                                                          (count)
};

TactStatus tact_batch_create(const TactModel *model, const TactSimConfig *config, int worlds,
                             TactBatch **batch)
{
    TACT_NEED(model && config && batch, "tact_batch_create");
    *batch = NULL;
    if (worlds < 1) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d worlds are too few", worlds);
    }
    TactBatch *made = NULL;
    TACT_TRY(tact_allocate(1, sizeof *made, (void **)&made));
    made->model = model;
    TactStatus status = tact_allocate((size_t)worlds, sizeof *made->worlds, (void **)&made->worlds);
    while (status == TACT_OK && made->count < worlds) {
        status = tact_sim_create_sparing(model, config, &made->worlds[made->count].sim);
        made->count += status == TACT_OK;
    }
    if (status != TACT_OK) {
        tact_batch_destroy(made);
        return status;
    }
    *batch = made;
    return TACT_OK;
}

void tact_batch_destroy(TactBatch *batch)
{
    if (!batch) {
        return;
    }
    for (int i = 0; i < batch->count; i++) {
        tact_sim_destroy(batch->worlds[i].sim);
    }
    tact_release(batch->worlds);
    tact_release(batch);
}

int tact_batch_get_count(const TactBatch *batch)
{
    return batch ? batch->count : 0;
}

TactSim *tact_batch_view_world(TactBatch *batch, int world)
{
    return batch && world >= 0 && world < batch->count ? batch->worlds[world].sim : NULL;
}

typedef struct Run {
    TactBatch           *batch;
    const TactBatchStep *step;
} Run;

static void put(double *to, const double *from, int world, int count)
{
    if (to && count > 0) {
        memcpy(to + (size_t)world * (size_t)count, from, (size_t)count * sizeof *to);
    }
}

static TactStatus write_out(const Run *run, int world)
{
    const TactModel     *model = run->batch->model;
    const TactBatchStep *step = run->step;
    TactSim             *sim = run->batch->worlds[world].sim;
    const TactSimState  *state = tact_sim_view_state(sim);
    put(step->q, state->q, world, model->nq);
    put(step->v, state->v, world, model->nv);
    if (step->sensors && model->sensor_size > 0) {
        TactSimSensors sensed;
        TACT_TRY(tact_sim_compute_sensors(sim, &sensed));
        put(step->sensors, sensed.values, world, model->sensor_size);
    }
    return TACT_OK;
}

static TactStatus do_world(void *context, int worker, int world)
{
    const Run           *run = context;
    const TactBatchStep *step = run->step;
    TactSim             *sim = run->batch->worlds[world].sim;
    size_t               actuators = (size_t)run->batch->model->actuator_count;
    bool                 stands = step->skip && step->skip[world];
    TactSimReport        report = {0};
    (void)worker;
    if (step->ctrl && actuators > 0 && !stands) {
        memcpy(tact_sim_view_state(sim)->ctrl, step->ctrl + (size_t)world * actuators,
               actuators * sizeof(double));
    }
    for (int i = 0; i < step->steps && !stands; i++) {
        TactStatus status = tact_sim_step(sim, &report);
        if (status != TACT_OK) {
            return tact_batch_fail(status, world, i);
        }
    }
    if (step->reports) {
        step->reports[world] = report;
    }
    TactStatus status = write_out(run, world);
    return status == TACT_OK ? TACT_OK : tact_batch_fail(status, world, -1);
}

TactStatus tact_batch_step(TactBatch *batch, TactWorkers *workers, const TactBatchStep *step)
{
    TACT_NEED(batch && step, "tact_batch_step");
    if (step->steps < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %d steps", step->steps);
    }
    Run run = {batch, step};
    return tact_workers_run(workers, batch->count, do_world, &run);
}
