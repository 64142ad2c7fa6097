#include "bench/gpu/worlds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/load.h>

#include "bench/gpu/draw.h"

#define TRY(call)                    \
    do {                             \
        TactStatus status_ = (call); \
        if (status_ != TACT_OK) {    \
            return status_;          \
        }                            \
    } while (0)

enum { HELD = 10, CHECKED = 256, COMPARED = 1000, PROCESSOR_WORLDS = 1024, PROCESSOR_STEPS = 20 };

/// One batch with arrays of the host.
typedef struct Run {
    const TactBenchWorldsCase *own;
    TactModel                 *model;
    TactSimConfig              sim;
    TactWorldBatch            *batch;
    int                        worlds;
    TactWorldStates            now, next; // q, v, ctrl; q and v
    double                    *block;
} Run;

// ---------------------------------------------------------------------------------------------
// States and controls

/// Turns a quaternion by up to so much about an axis of its own.
static void tilt(TactDraw *draw, double most, double *q)
{
    double axis[3], half = 0.5 * tact_draw_between(draw, 0, most);
    tact_draw_unit(draw, axis);
    q[0] = cos(half);
    for (int k = 0; k < 3; k++) {
        q[1 + k] = sin(half) * axis[k];
    }
}

/// Where a world begins: near the first keyframe or the reference, not two alike.
static void begin_world(const Run *run, int world)
{
    const TactModel *model = run->model;
    double          *q = run->now.q + (size_t)world * (size_t)model->nq;
    double          *v = run->now.v + (size_t)world * (size_t)model->nv;
    TactDraw         draw = tact_draw_of(11, (uint64_t)world);
    const double    *from =
        run->own->walks && model->keyframe_count > 0 ? model->keyframes[0].q : model->q_reference;
    memcpy(q, from, (size_t)model->nq * sizeof *q);
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        if (joint->type == TACT_JOINT_FREE && !run->own->walks) {
            q[joint->q + 2] += run->own->holds ? 0 : 0.4; // nothing is in the floor
            tilt(&draw, 1.2, q + joint->q + 3);
            for (int k = 0; k < 3; k++) {
                double most = run->own->holds ? 0.05 : 0.5;
                v[joint->dof + k] = tact_draw_between(&draw, -most, most);
            }
        } else if (joint->type == TACT_JOINT_HINGE && joint->limited) {
            double span = joint->range[1] - joint->range[0], own = q[joint->q];
            own += tact_draw_between(&draw, -0.05, 0.05) * span;
            q[joint->q] =
                fmin(fmax(own, joint->range[0] + 0.02 * span), joint->range[1] - 0.02 * span);
        }
    }
}

/// Controls of a step: random ones that are held, or a trot at 2 Hz, every world at its own phase.
static void control_world(const Run *run, int world, int step)
{
    const TactModel *model = run->model;
    double          *ctrl = run->now.ctrl + (size_t)world * (size_t)model->actuator_count;
    TactDraw         draw = tact_draw_of(23 + (uint64_t)step, (uint64_t)world);
    double           time = step * run->sim.timestep, phase = 1e-3 * (world % 1000);
    for (int k = 0; k < model->actuator_count; k++) {
        if (!run->own->walks) {
            const double *range = model->actuators[k].ctrl_range;
            double        low = run->own->holds ? 0.05 : -0.3, high = run->own->holds ? 0.45 : 0.3;
            ctrl[k] = tact_draw_between(&draw, low, high);
            ctrl[k] = run->own->holds ? range[0] + ctrl[k] * (range[1] - range[0]) : ctrl[k];
            continue;
        }
        int    leg = k / 3, part = k % 3; // left and right, front and rear: pairs of a trot
        double swing = 2 * 3.14159265358979 * (2 * time + phase + (leg == 1 || leg == 2 ? 0.5 : 0));
        double home = model->keyframe_count > 0 ? model->keyframes[0].ctrl[k] : 0;
        ctrl[k] = home + (part == 1 ? 0.2 * sin(swing) : part == 2 ? 0.3 * cos(swing) : 0);
    }
}

static TactStatus do_control(void *context, int worker, int task)
{
    const Run *run = ((void **)context)[0];
    int        step = *(int *)((void **)context)[1], end = (task + 1) * 1024;
    (void)worker;
    for (int i = task * 1024; i < end && i < run->worlds; i++) {
        control_world(run, i, step);
    }
    return TACT_OK;
}

static TactStatus send_controls(Run *run, TactWorkers *workers, int step)
{
    void *context[2] = {run, &step};
    TRY(tact_workers_run(workers, (run->worlds + 1023) / 1024, do_control, context));
    return tact_world_batch_send(run->batch, &(TactWorldStates){.ctrl = run->now.ctrl});
}

// ---------------------------------------------------------------------------------------------
// Batches

static void close_run(Run *run)
{
    tact_world_batch_destroy(run->batch);
    free(run->block);
    tact_model_destroy(run->model);
}

static TactStatus open_run(TactDevice device, const char *models, int worlds, Run *run)
{
    char                path[1024];
    TactModelLoadConfig load = tact_model_load_config_default();
    run->worlds = worlds;
    if (run->own->file) {
        snprintf(path, sizeof path, "%s/%s", models, run->own->file);
        TRY(tact_model_load(path, &load, &run->model, NULL));
    } else {
        TRY(tact_bench_worlds_scene(&run->model));
    }
    const TactModel *model = run->model;
    size_t           P = (size_t)worlds, nq = (size_t)model->nq, nv = (size_t)model->nv;
    run->sim = tact_sim_config_default(model);
    run->sim.cone = run->own->cone;
    TactWorldBatchConfig config = tact_world_batch_config_default(device);
    config.worlds = worlds;
    config.sliding_only = !run->own->rolls;
    config.other_shapes = run->own->others;
    config.sensors = run->own->senses;
    size_t sensors = config.sensors ? (size_t)model->sensor_size : 0;
    run->block =
        calloc(P * (2 * nq + 2 * nv + (size_t)model->actuator_count + sensors), sizeof(double));
    if (!run->block) {
        return TACT_NO_MEMORY;
    }
    run->now = (TactWorldStates){
        .q = run->block, .v = run->block + P * nq, .ctrl = run->block + P * (nq + nv)};
    run->next.q = run->now.ctrl + P * (size_t)model->actuator_count;
    run->next.v = run->next.q + P * nq;
    run->next.sensors = config.sensors ? run->next.v + P * nv : NULL;
    TRY(tact_world_batch_create(model, &run->sim, &config, &run->batch));
    for (int i = 0; i < worlds; i++) {
        begin_world(run, i);
    }
    return tact_world_batch_send(run->batch, &run->now);
}

static void add_report(const TactWorldBatchReport *from, TactWorldBatchReport *to)
{
    const long long *part = (const long long *)(const void *)&from->reasons;
    long long       *sum = (long long *)(void *)&to->reasons;
    for (size_t k = 0; k < sizeof from->reasons / sizeof *part; k++) {
        sum[k] += part[k];
    }
    to->steps += from->steps;
    to->solves += from->solves;
    to->first += from->first;
    to->retried += from->retried;
    to->handed_over += from->handed_over;
    to->uncertified += from->uncertified;
    to->error = fmax(to->error, from->error);
    to->seconds += from->seconds;
    to->seconds_begin += from->seconds_begin;
    to->seconds_contact += from->seconds_contact;
    to->seconds_end += from->seconds_end;
    to->seconds_handed += from->seconds_handed;
}

/// Steps from one to another, the time of controls left out.
static TactStatus go(Run *run, TactWorkers *workers, int first, int end, TactWorldBatchReport *sum)
{
    *sum = (TactWorldBatchReport){0};
    for (int step = first; step < end; step += HELD) {
        TactWorldBatchReport report;
        TRY(send_controls(run, workers, step));
        TRY(tact_world_batch_step(run->batch, end - step < HELD ? end - step : HELD, &report));
        add_report(&report, sum);
    }
    return TACT_OK;
}

/// Sensors of a world by both devices.
static void compare_sensors(const Run *run, const Run *other, int world, TactBenchWorldsRow *row)
{
    size_t        size = (size_t)run->model->sensor_size, at = (size_t)world * size;
    const double *x = run->next.sensors + at, *y = other->next.sensors + at;
    double        worst = 0;
    for (size_t k = 0; k < size; k++) {
        double apart = fabs(x[k] - y[k]) / fmax(1, fabs(y[k]));
        worst = apart <= worst ? worst : apart; // NaN is the worst
    }
    row->sensed += worst <= 1e-6;
    row->sensed_worst = worst <= row->sensed_worst ? row->sensed_worst : worst;
}

/// The next step of the first worlds on threads as well.
static TactStatus check(Run *run, const char *models, TactBenchWorldsRow *row)
{
    const TactModel *model = run->model;
    Run              other = {.own = run->own};
    size_t           nq = (size_t)model->nq, nv = (size_t)model->nv;
    int              worlds = run->worlds < CHECKED ? run->worlds : CHECKED;
    TRY(tact_world_batch_fetch(run->batch, &run->now));
    TRY(tact_world_batch_step(run->batch, 1, NULL));
    TRY(tact_world_batch_fetch(run->batch, &run->next));
    TactStatus status = open_run(TACT_DEVICE_CPU, models, worlds, &other);
    status = status == TACT_OK ? tact_world_batch_send(other.batch, &run->now) : status;
    status = status == TACT_OK ? tact_world_batch_step(other.batch, 1, NULL) : status;
    status = status == TACT_OK ? tact_world_batch_fetch(other.batch, &other.now) : status;
    if (run->own->senses && status == TACT_OK) {
        status = tact_world_batch_fetch(other.batch, &other.next);
    }
    for (int i = 0; i < worlds && status == TACT_OK; i++) {
        double apart = 0;
        if (run->own->senses) {
            compare_sensors(run, &other, i, row);
        }
        for (size_t k = (size_t)i * nq; k < (size_t)(i + 1) * nq; k++) {
            apart = fmax(apart, fabs(other.now.q[k] - run->next.q[k]));
        }
        for (size_t k = (size_t)i * nv; k < (size_t)(i + 1) * nv; k++) {
            apart = fmax(apart, run->sim.timestep * fabs(other.now.v[k] - run->next.v[k]));
        }
        row->checked++;
        row->same += apart <= 1e-8;
    }
    close_run(&other);
    return status;
}

/// The first worlds all the way in a small batch on the same device: are their bits the same?
static TactStatus compare_bits(Run *run, TactWorkers *workers, TactDevice device,
                               const char *models, int steps, TactBenchWorldsRow *row)
{
    Run                  other = {.own = run->own};
    TactWorldBatchReport report;
    int                  worlds = run->worlds < COMPARED ? run->worlds : COMPARED;
    size_t               nq = (size_t)run->model->nq, nv = (size_t)run->model->nv;
    TRY(tact_world_batch_fetch(run->batch, &(TactWorldStates){.q = run->next.q, .v = run->next.v}));
    TactStatus status = open_run(device, models, worlds, &other);
    status = status == TACT_OK ? go(&other, workers, 0, steps, &report) : status;
    status = status == TACT_OK ? tact_world_batch_fetch(other.batch, &other.now) : status;
    for (size_t i = 0; i < (size_t)worlds && status == TACT_OK; i++) {
        row->compared++;
        row->equal +=
            memcmp(other.now.q + i * nq, run->next.q + i * nq, nq * sizeof(double)) == 0 &&
            memcmp(other.now.v + i * nv, run->next.v + i * nv, nv * sizeof(double)) == 0;
    }
    close_run(&other);
    return status;
}

/// The same states on threads, a few of them: steps a second.
static TactStatus time_processor(Run *run, TactWorkers *workers, const char *models, int step,
                                 double *rate)
{
    Run                  other = {.own = run->own};
    TactWorldBatchReport report;
    int                  worlds = run->worlds < PROCESSOR_WORLDS ? run->worlds : PROCESSOR_WORLDS;
    TactStatus           status = open_run(TACT_DEVICE_CPU, models, worlds, &other);
    if (status == TACT_OK) {
        status = tact_world_batch_send(other.batch, &run->now); // the first ones
    }
    if (status == TACT_OK) {
        status = go(&other, workers, step, step + 1, &report); // made warm
    }
    if (status == TACT_OK) {
        status = go(&other, workers, step, step + PROCESSOR_STEPS, &report);
        *rate = (double)report.steps / report.seconds;
    }
    close_run(&other);
    return status;
}

static TactStatus write_states(Run *run, const char *states)
{
    size_t count = (size_t)run->worlds * (size_t)run->model->nq;
    TRY(tact_world_batch_fetch(run->batch, &(TactWorldStates){.q = run->next.q}));
    FILE *file = fopen(states, "wb");
    bool  written = file && fwrite(run->next.q, sizeof(double), count, file) == count;
    if (file && fclose(file) != 0) {
        written = false;
    }
    if (!written) {
        fprintf(stderr, "tact bench gpu: %s cannot be written\n", states);
    }
    return written ? TACT_OK : TACT_IO_ERROR;
}

TactStatus tact_bench_worlds_row(TactDevice device, TactWorkers *workers, const char *models,
                                 const char *states, const TactBenchWorldsCase *own,
                                 TactBenchWorldsRow *row)
{
    Run                  run = {.own = own};
    TactWorldBatchReport before;
    *row = (TactBenchWorldsRow){0};
    TactStatus status = open_run(device, models, own->worlds, &run);
    if (status == TACT_OK) {
        int first = (int)(own->begin / run.sim.timestep + 0.5);
        int end = (int)(own->end / run.sim.timestep + 0.5);
        row->steps = end - first;
        status = go(&run, workers, 0, first, &before);
        status = status == TACT_OK ? go(&run, workers, first, end, &row->report) : status;
        if (status == TACT_OK && states) {
            status = write_states(&run, states);
        }
        if (status == TACT_OK && own->begin == 0 && device == TACT_DEVICE_CUDA) {
            status = compare_bits(&run, workers, device, models, end, row);
        }
        status = status == TACT_OK ? check(&run, models, row) : status;
        if (status == TACT_OK && device == TACT_DEVICE_CUDA) {
            status = time_processor(&run, workers, models, end, &row->processor);
        }
    }
    close_run(&run);
    return status;
}
