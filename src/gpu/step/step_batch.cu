// A step of all worlds of a batch on a GPU: their beginning, rounds of contact problems and ends.
// Lists are made and read on the device; the host reads counters after a few rounds, and goes on
// while there are worlds in them.
#include <cstdio>
#include <cstring>

#include "gpu/body/body_directions.h"
#include "gpu/mechanism/mechanism_kernels.h"
#include "gpu/step/step_kernels.h"
#include "gpu/step/step_module.h"

namespace {

enum { FIRST_ROUNDS = 3, LEAST_ROUNDS = 2 };

/// Times of the parts of a step, by events.
struct Clock {
    enum { MOST = 64 };
    cudaEvent_t events[MOST];
    int         part[MOST], count;
};

Clock own_clock; // of the device's only stream
bool  has_clock = false;

/// Where large problems are solved, beside the small ones.
struct Beside {
    cudaStream_t stream;
    cudaEvent_t  fork, join;
};

Beside beside;

/// Events and the second stream, once.
cudaError_t prepare()
{
    cudaError_t error = cudaStreamCreateWithFlags(&beside.stream, cudaStreamNonBlocking);
    for (int k = 0; k < Clock::MOST && error == cudaSuccess; k++) {
        error = cudaEventCreate(&own_clock.events[k]);
    }
    cudaEvent_t *events[2] = {&beside.fork, &beside.join};
    for (int k = 0; k < 2 && error == cudaSuccess; k++) {
        error = cudaEventCreateWithFlags(events[k], cudaEventDisableTiming);
    }
    return error;
}

void tick(int part)
{
    if (own_clock.count < Clock::MOST) {
        own_clock.part[own_clock.count] = part;
        cudaEventRecord(own_clock.events[own_clock.count++]);
    }
}

void read_clock(TactStepCounts *counts)
{
    for (int k = 0; k + 1 < own_clock.count; k++) {
        float time = 0;
        cudaEventElapsedTime(&time, own_clock.events[k], own_clock.events[k + 1]);
        counts->parts[own_clock.part[k]] += 1e-3 * time;
        counts->seconds += 1e-3 * time;
    }
}

int report(cudaError_t error, const char *doing, char *message)
{
    if (error != cudaSuccess) {
        std::snprintf(message, TACT_GPU_MESSAGE, "%s: %s", doing, cudaGetErrorString(error));
    }
    return error == cudaSuccess ? 0 : 1;
}

/// All tries of the problems of one bin in a round.
cudaError_t solve_bin(const TactStepBatch &batch, int round, int bin, int processors,
                      cudaStream_t stream)
{
    TactMechanismTask task;
    int               worlds = batch.worlds.count;
    cudaError_t       error = cudaSuccess;
    TactMechanismLaunch *launch = batch.model.nv > 32 ? tact_mechanism_launch_rows_64
                                  : bin == 1          ? tact_mechanism_launch_rows_24
                                                      : tact_mechanism_launch_rows_48;
    task.problems = batch.problems;
    task.answers = batch.answers;
    tact_body_put_directions(batch.directions, &task.directions);
    task.list = batch.work + tact_step_list(worlds, round, bin);
    task.list_count = batch.work + tact_step_list_counter(round, bin);
    for (int number = 0; number < TACT_STEP_TRIES && error == cudaSuccess; number++) {
        int *counter = batch.work + tact_step_try_counter(round, bin, number);
        TactMechanismLists lists = {counter, batch.work + tact_step_fail_list(worlds, bin, number),
                                    counter + 1};
        tact_mechanism_set_rules(&task, number);
        task.warm = number == 0 ? 2 : 0;
        error = launch(&task, batch.tol, &lists, processors, stream);
        task.list = lists.left;
        task.list_count = lists.left_count;
    }
    return error;
}

cudaError_t make_round(const TactStepBatch &batch, int round, int processors)
{
    bool        large = batch.model.nv > 32 || batch.model.link_count > 24 ||
                 batch.model.geom_count > 32;
    cudaError_t error = cudaSuccess;
    tick(1);
    cudaEventRecord(beside.fork, 0);
    cudaStreamWaitEvent(beside.stream, beside.fork, 0);
    error = solve_bin(batch, round, 2, processors, beside.stream);
    if (error == cudaSuccess) {
        error = solve_bin(batch, round, 1, processors, 0);
    }
    cudaEventRecord(beside.join, beside.stream);
    cudaStreamWaitEvent(0, beside.join, 0);
    tick(2);
    if (error == cudaSuccess) {
        error = (large ? tact_step_end_64 : tact_step_end_32)(&batch, round, processors, 0);
    }
    return error;
}

/// Worlds that a round begins with.
int count_round(const int *work, int round)
{
    int count = 0;
    for (int bin = 0; bin < TACT_STEP_BINS; bin++) {
        count += work[tact_step_list_counter(round, bin)];
    }
    return count;
}

void read_counts(const TactStepBatch &batch, const int *work, int rounds, TactStepCounts *counts)
{
    counts->left = work[TACT_STEP_COUNT_LEFT];
    counts->list = tact_step_left_list(batch.worlds.count);
    std::memcpy(&counts->error, &work[TACT_STEP_COUNT_ERROR], sizeof counts->error);
    std::memcpy(counts->reasons, work + TACT_STEP_COUNT_REASONS, sizeof counts->reasons);
    for (int round = 0; round < rounds; round++) {
        for (int bin = 1; bin < TACT_STEP_BINS; bin++) {
            const int *tries = work + tact_step_try_counter(round, bin, 0);
            int        count = work[tact_step_list_counter(round, bin)];
            counts->solves += count;
            counts->first += count - tries[1];
            counts->retried += tries[1] - tries[2 * TACT_STEP_TRIES - 1];
        }
        counts->worlds[round] = count_round(work, round);
    }
}

} // namespace

int tact_step_batch_run(const TactStepBatch *batch, TactStepCounts *counts, char *message)
{
    int  device = 0, processors = 0, rounds = 0, work[TACT_STEP_COUNTERS];
    bool large = batch->model.nv > 32 || batch->model.link_count > 24 ||
                 batch->model.geom_count > 32;
    std::memset(counts, 0, sizeof *counts);
    if (report(cudaGetDevice(&device), "asking for the GPU", message) ||
        report(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
               "asking for its processors", message)) {
        return 1;
    }
    if (!has_clock && report(prepare(), "making events", message)) {
        return 1;
    }
    has_clock = true;
    own_clock.count = 0;
    tick(0);
    cudaError_t error = cudaMemsetAsync(batch->work, 0, TACT_STEP_COUNTERS * sizeof(int));
    if (error == cudaSuccess) {
        error = (large ? tact_step_begin_64 : tact_step_begin_32)(batch, 0);
    }
    while (error == cudaSuccess && rounds < TACT_STEP_MOST_SOLVES) {
        int more = rounds == 0 ? FIRST_ROUNDS : LEAST_ROUNDS;
        for (int k = 0; k < more && rounds < TACT_STEP_MOST_SOLVES && error == cudaSuccess; k++) {
            error = make_round(*batch, rounds++, processors);
        }
        tick(3);
        if (report(error, "starting a kernel", message) ||
            report(cudaMemcpy(work, batch->work, sizeof work, cudaMemcpyDeviceToHost),
                   "stepping on the GPU", message)) {
            return 1;
        }
        if (rounds < TACT_STEP_MOST_SOLVES && count_round(work, rounds) == 0) {
            break;
        }
    }
    if (report(error, "starting a kernel", message)) {
        return 1;
    }
    read_counts(*batch, work, rounds, counts);
    read_clock(counts);
    return 0;
}
