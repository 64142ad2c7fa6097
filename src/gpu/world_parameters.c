// Parameters that differ from world to world (tact/parameter.h). On threads every world is a
// simulation, which has its own; on a GPU every world then has a compiled model of its own, made by
// the simulations that also make the steps which the GPU leaves.
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "gpu/world_batch.h"

enum { PIECE = 1024 }; // worlds that are sent at a time

void tact_world_parameters_destroy(TactWorldBatch *batch)
{
    for (int k = 0; k < batch->parameter_count; k++) {
        tact_release(batch->parameters[k].path);
        tact_release(batch->parameters[k].values);
    }
    batch->parameter_count = 0;
    if (batch->models) {
        batch->module->give(batch->models);
        batch->models = NULL;
    }
}

TactStatus tact_world_put_parameters(const TactWorldBatch *batch, int world, TactSim *sim)
{
    for (int k = 0; k < batch->parameter_count; k++) {
        const TactWorldParameter *own = &batch->parameters[k];
        TACT_TRY(tact_sim_set(sim, own->path, own->values + (size_t)world * (size_t)own->count,
                              own->count));
    }
    return TACT_OK;
}

/// A copy of the values, in the place of those that the path had before.
static TactStatus keep_values(TactWorldBatch *batch, const char *path, const double *values,
                              int count)
{
    size_t numbers = (size_t)batch->config.worlds * (size_t)count, length = strlen(path) + 1;
    int    k = 0;
    while (k < batch->parameter_count && strcmp(batch->parameters[k].path, path) != 0) {
        k++;
    }
    if (k == TACT_WORLD_MOST_PARAMETERS) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: more than %d parameters", k);
    }
    TactWorldParameter *own = &batch->parameters[k];
    if (k == batch->parameter_count) {
        *own = (TactWorldParameter){.count = count};
        TACT_TRY(tact_allocate(length, 1, (void **)&own->path));
        TactStatus status = tact_allocate(numbers, sizeof *own->values, (void **)&own->values);
        if (status != TACT_OK) {
            tact_release(own->path);
            return status;
        }
        memcpy(own->path, path, length);
        batch->parameter_count++;
    }
    memcpy(own->values, values, numbers * sizeof *values);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Models of a GPU

/// A piece of worlds whose models are made.
typedef struct Piece {
    TactWorldBatch *batch;
    int             first;
    char           *rows; // of the host
} Piece;

static TactStatus make_model(void *context, int worker, int number)
{
    const Piece    *piece = context;
    TactWorldBatch *batch = piece->batch;
    int             world = piece->first + number;
    TactSim        *sim = batch->handed.sims[worker];
    char           *row = piece->rows + (size_t)number * batch->model_size;
    char *there = (char *)batch->models + (size_t)world * batch->model_size + TACT_STEP_HEAD;
    TactStepBlock block = {0};
    TACT_TRY(tact_world_put_parameters(batch, world, sim));
    TACT_TRY(tact_step_check(sim, tact_world_allowed(&batch->config)));
    TACT_TRY(tact_step_compile(sim, tact_world_allowed(&batch->config), &block));
    bool fits = block.size == batch->block.size;
    if (fits) {
        TactStepModel moved = tact_step_move_model(&block, there);
        memcpy(row, &moved, sizeof moved);
        memcpy(row + TACT_STEP_HEAD, block.memory, block.size);
    }
    tact_step_release(&block);
    return fits ? TACT_OK
                : tact_fail(TACT_UNSUPPORTED, "batch: world %d would be another model", world);
}

static TactStatus send_piece(TactWorldBatch *batch, int first, char *rows)
{
    char   message[TACT_GPU_MESSAGE] = "";
    int    count = batch->config.worlds - first < PIECE ? batch->config.worlds - first : PIECE;
    Piece  piece = {batch, first, rows};
    size_t size = (size_t)count * batch->model_size;
    TACT_TRY(tact_workers_run(batch->workers, count, make_model, &piece));
    TactGpuRows there = {(char *)batch->models + (size_t)first * batch->model_size, size};
    TactGpuRows here = {rows, size};
    return batch->module->to_device(there, here, size, 1, message)
               ? tact_fail(TACT_IO_ERROR, "batch: %s", message)
               : TACT_OK;
}

static TactStatus make_models(TactWorldBatch *batch)
{
    char   message[TACT_GPU_MESSAGE] = "";
    size_t worlds = (size_t)batch->config.worlds;
    char  *rows = NULL;
    batch->model_size = TACT_STEP_HEAD + (batch->block.size + 15) / 16 * 16;
    if (!batch->models &&
        batch->module->take(worlds * batch->model_size, &batch->models, message)) {
        return tact_fail(TACT_NO_MEMORY, "batch: %s", message);
    }
    TACT_TRY(tact_allocate(PIECE, batch->model_size, (void **)&rows));
    TactStatus status = TACT_OK;
    for (int first = 0; first < batch->config.worlds && status == TACT_OK; first += PIECE) {
        status = send_piece(batch, first, rows);
    }
    tact_release(rows);
    for (int k = 0; k < batch->part_count && status == TACT_OK; k++) {
        TactWorldPart *part = &batch->parts[k];
        part->step.models = (char *)batch->models + (size_t)part->first * batch->model_size;
        part->step.model_size = batch->model_size;
    }
    return status;
}

TactStatus tact_world_batch_set(TactWorldBatch *batch, const char *path, const double *values,
                                int count)
{
    TACT_NEED(batch && path && values, "tact_world_batch_set");
    const TactParameter *parameter = NULL;
    int                  index = 0;
    TACT_TRY(tact_parameter_find(batch->model, path, &parameter, &index));
    if (count != parameter->count) {
        return tact_fail(TACT_BAD_ARGUMENT, "batch: %s has %d numbers a world, not %d", path,
                         parameter->count, count);
    }
    for (int i = 0; batch->worlds && i < batch->config.worlds; i++) {
        TACT_TRY(tact_sim_set(tact_batch_view_world(batch->worlds, i), path,
                              values + (size_t)i * (size_t)count, count));
    }
    TACT_TRY(keep_values(batch, path, values, count));
    return batch->worlds ? TACT_OK : make_models(batch);
}
