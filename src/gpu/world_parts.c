// Parts of a batch on a GPU: each has a thread that asks for its steps, a queue of the device, and
// arrays of its own. Worlds do not know of each other, so parts need not keep in step: while one
// waits for the processor, or for the last rounds of a few worlds, the device works on the others.
#include "base/status.h"
#include "gpu/world_batch.h"

static TactStatus fail(TactStatus status, const char *message)
{
    return tact_fail(status, "batch: %s", message);
}

static TactStatus create_part(TactWorldBatch *batch, const TactSimConfig *config, int first,
                              int end, TactWorldPart *part)
{
    const TactModel     *model = batch->model;
    const TactGpuModule *module = batch->module;
    char                 message[TACT_GPU_MESSAGE] = "";
    int                  worlds = end - first;
    size_t               size = tact_worlds_bytes(&batch->block.model, worlds), at = (size_t)first;
    part->batch = batch;
    part->first = first;
    if (module->open_queue(&part->step.queue, message)) {
        return fail(TACT_IO_ERROR, message);
    }
    if (module->take(size, &part->memory, message)) {
        return fail(TACT_NO_MEMORY, message);
    }
    if (module->clear(part->memory, size, message)) {
        return fail(TACT_IO_ERROR, message);
    }
    tact_worlds_place(&batch->block.model, worlds, part->memory, &part->step);
    part->step.worlds.more.circle = config->cone == TACT_CONE_CIRCLE;
    part->step.worlds.q = batch->states.q + at * (size_t)model->nq;
    part->step.worlds.v = batch->states.v + at * (size_t)model->nv;
    part->step.worlds.ctrl = batch->states.ctrl + at * (size_t)model->actuator_count;
    if (batch->sensor_size > 0) {
        part->step.senses.values = batch->states.sensors + at * (size_t)batch->sensor_size;
    }
    part->step.model = tact_step_move_model(&batch->block, batch->constants);
    part->step.directions = config->directions > 0 ? config->directions : 8;
    part->step.tol = config->tol;
    return TACT_OK;
}

/// Worlds of a part at the least: fewer do not fill a device.
static int least = 16384;

void tact_world_parts_set_least(int worlds)
{
    least = worlds;
}

TactStatus tact_world_parts_create(TactWorldBatch *batch, const TactSimConfig *config)
{
    long long worlds = batch->config.worlds;
    long long parts = worlds / least;
    parts = parts < 1 ? 1 : parts > TACT_WORLD_MOST_PARTS ? TACT_WORLD_MOST_PARTS : parts;
    TACT_TRY(tact_workers_create((int)parts, &batch->drivers));
    for (int k = 0; k < (int)parts; k++) {
        batch->part_count = k + 1;
        TACT_TRY(create_part(batch, config, (int)(worlds * k / parts),
                             (int)(worlds * (k + 1) / parts), &batch->parts[k]));
    }
    return TACT_OK;
}

void tact_world_parts_destroy(TactWorldBatch *batch)
{
    for (int k = 0; k < batch->part_count; k++) {
        TactWorldPart *part = &batch->parts[k];
        if (part->memory) {
            batch->module->give(part->memory);
        }
        batch->module->close_queue(part->step.queue);
        tact_world_rows_release(&part->rows);
    }
    tact_workers_destroy(batch->drivers);
    batch->part_count = 0;
    batch->drivers = NULL;
}

// ---------------------------------------------------------------------------------------------
// Steps

static void add_reasons(const int *from, TactWorldBatchReasons *to)
{
    to->full += from[0];
    to->crossed += from[1];
    to->runaway += from[2];
    to->unsolved += from[3];
    to->fast += from[4];
    to->unbalanced += from[5];
    to->deeper += from[6];
    to->sunk += from[7];
    to->shape += from[8];
}

static TactStatus step_part(TactWorldPart *part)
{
    char                  message[TACT_GPU_MESSAGE] = "";
    TactStepCounts        counts;
    TactWorldBatchReport *report = &part->report;
    if (part->batch->module->step(&part->step, &counts, message)) {
        return fail(TACT_IO_ERROR, message);
    }
    report->solves += counts.solves;
    report->first += counts.first;
    report->retried += counts.retried;
    report->error = counts.error > report->error ? (double)counts.error : report->error;
    report->seconds_begin += counts.parts[0];
    report->seconds_contact += counts.parts[1];
    report->seconds_end += counts.parts[2];
    add_reasons(counts.reasons, &report->reasons);
    TACT_TRY(tact_world_hand_over(part, &counts));
    for (int i = 0; part->batch->time && i < part->step.worlds.count; i++) {
        part->batch->time[part->first + i] += part->step.model.h;
    }
    return TACT_OK;
}

/// All steps of one part.
typedef struct Task {
    TactWorldBatch *batch;
    int             steps;
} Task;

static TactStatus run_part(void *context, int worker, int number)
{
    const Task    *task = context;
    TactWorldPart *part = &task->batch->parts[number];
    (void)worker;
    part->report = (TactWorldBatchReport){0};
    for (int k = 0; k < task->steps; k++) {
        part->senses = part->batch->sensor_size > 0 && k == task->steps - 1;
        TACT_TRY(step_part(part));
    }
    return part->senses && task->steps > 0 ? tact_world_part_sense(part, true) : TACT_OK;
}

static void add_report(const TactWorldBatchReport *from, TactWorldBatchReport *to)
{
    const long long *part = (const long long *)(const void *)&from->reasons;
    long long       *sum = (long long *)(void *)&to->reasons;
    for (size_t k = 0; k < sizeof from->reasons / sizeof *part; k++) {
        sum[k] += part[k];
    }
    to->solves += from->solves;
    to->first += from->first;
    to->retried += from->retried;
    to->handed_over += from->handed_over;
    to->uncertified += from->uncertified;
    to->error = from->error > to->error ? from->error : to->error;
    to->seconds_begin += from->seconds_begin;
    to->seconds_contact += from->seconds_contact;
    to->seconds_end += from->seconds_end;
    to->seconds_handed += from->seconds_handed;
}

TactStatus tact_world_parts_step(TactWorldBatch *batch, int steps, TactWorldBatchReport *report)
{
    Task task = {batch, steps};
    TACT_TRY(tact_workers_run(batch->drivers, batch->part_count, run_part, &task));
    for (int k = 0; k < batch->part_count; k++) {
        add_report(&batch->parts[k].report, report);
    }
    return TACT_OK;
}
