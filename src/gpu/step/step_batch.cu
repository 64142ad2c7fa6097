// A step of all worlds of a batch on a GPU: their beginning, rounds of contact problems and ends.
// Lists are made and read on the device; the host reads counters after a few rounds, and goes on
// while there are worlds in them.
#include <cstdio>
#include <cstring>
#include <new>

#include "gpu/body/body_directions.h"
#include "gpu/mechanism/mechanism_kernels.h"
#include "gpu/step/step_kernels.h"
#include "gpu/step/step_module.h"

namespace {

enum { FIRST_ROUNDS = 3, LEAST_ROUNDS = 2 };

/// Streams of one queue, times of the parts of a step by events, and where counters are read to.
struct Queue {
    enum { MOST = 64 };
    // Of first rounds, and of those that follow: these have few worlds and go before the first
    // ones of other queues. Large problems are solved beside the small ones.
    cudaStream_t stream, beside, urgent, beside_urgent;
    cudaEvent_t  fork, join, read;
    cudaEvent_t  events[MOST];
    int          part[MOST], count;
    int         *work; // of the host, (TACT_STEP_COUNTERS)
};

/// All of it. Streams wait for what others ask of the device before, and those wait for them.
cudaError_t prepare(Queue *queue)
{
    int           least = 0, most = 0;
    cudaStream_t *streams[4] = {&queue->stream, &queue->beside, &queue->urgent,
                                &queue->beside_urgent};
    cudaError_t   error = cudaDeviceGetStreamPriorityRange(&least, &most);
    for (int k = 0; k < 4 && error == cudaSuccess; k++) {
        error = cudaStreamCreateWithPriority(streams[k], cudaStreamDefault, k < 2 ? least : most);
    }
    if (error == cudaSuccess) {
        error = cudaMallocHost(&queue->work, TACT_STEP_COUNTERS * sizeof(int));
    }
    for (int k = 0; k < Queue::MOST && error == cudaSuccess; k++) {
        error = cudaEventCreate(&queue->events[k]);
    }
    cudaEvent_t *events[2] = {&queue->fork, &queue->join};
    for (int k = 0; k < 2 && error == cudaSuccess; k++) {
        error = cudaEventCreateWithFlags(events[k], cudaEventDisableTiming);
    }
    if (error == cudaSuccess) { // the thread that waits leaves its processor to others
        error = cudaEventCreateWithFlags(&queue->read,
                                         cudaEventDisableTiming | cudaEventBlockingSync);
    }
    return error;
}

void tick(Queue *queue, int part, cudaStream_t stream)
{
    if (queue->count < Queue::MOST) {
        queue->part[queue->count] = part;
        cudaEventRecord(queue->events[queue->count++], stream);
    }
}

void read_clock(const Queue *queue, TactStepCounts *counts)
{
    for (int k = 0; k + 1 < queue->count; k++) {
        float time = 0;
        cudaEventElapsedTime(&time, queue->events[k], queue->events[k + 1]);
        counts->parts[queue->part[k]] += 1e-3 * time;
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
    int extra = batch.worlds.more.motors + batch.worlds.more.loops;
    bool large = batch.model.nv > 32 || extra > TACT_STEP_SMALL_EXTRA;
    bool only_circle = extra == 0 && !batch.worlds.more.turns;
    TactMechanismLaunch *more = large         ? tact_mechanism_launch_more_64
                                : only_circle ? tact_mechanism_launch_circle_48
                                              : tact_mechanism_launch_more_32;
    TactMechanismLaunch *launch = tact_step_has_more(&batch) ? more
                                  : batch.model.nv > 32 ? tact_mechanism_launch_rows_64
                                  : bin == 1          ? tact_mechanism_launch_rows_24
                                                      : tact_mechanism_launch_rows_48;
    task.problems = batch.problems;
    task.more = batch.worlds.more;
    task.answers = batch.answers;
    tact_body_put_directions(batch.directions, &task.directions);
    task.list = batch.work + tact_step_list(worlds, round, bin);
    task.list_count = batch.work + tact_step_list_counter(round, bin);
    for (int number = 0; number < TACT_STEP_TRIES && error == cudaSuccess; number++) {
        int *counter = batch.work + tact_step_try_counter(round, bin, number);
        TactMechanismLists lists = {counter, batch.work + tact_step_fail_list(worlds, bin, number),
                                    counter + 1};
        tact_mechanism_set_rules(&task, number);
        task.warm = number == 0 ? TACT_WARM_RESUME : 0;
        error = launch(&task, batch.tol, &lists, processors, stream);
        task.list = lists.left;
        task.list_count = lists.left_count;
    }
    return error;
}

/// Kernels of the size of a model.
struct Size {
    TactStepLaunchBegin *begin;
    TactStepLaunchEnd   *end;
};

Size find_size(const TactStepBatch &batch)
{
    const TactStepModel &model = batch.model;
    if (tact_step_is_larger(&batch)) {
        bool small = model.nv <= 32 && model.link_count <= 24 && model.geom_count <= 32;
        return small ? Size{tact_step_begin_more_32, tact_step_end_more_32}
                     : Size{tact_step_begin_more_64, tact_step_end_more_64};
    }
    if (model.nv <= 28 && model.link_count <= 16 && model.geom_count <= 24) {
        return {tact_step_begin_28, tact_step_end_28};
    }
    if (model.nv <= 32 && model.link_count <= 24 && model.geom_count <= 32) {
        return {tact_step_begin_32, tact_step_end_32};
    }
    return {tact_step_begin_64, tact_step_end_64};
}

cudaError_t make_round(const TactStepBatch &batch, Queue *queue, int round, int processors)
{
    cudaError_t error = cudaSuccess;
    cudaStream_t stream = round == 0 ? queue->stream : queue->urgent;
    cudaStream_t beside = round == 0 ? queue->beside : queue->beside_urgent;
    if (round == 1) { // after the first
        cudaEventRecord(queue->fork, queue->stream);
        cudaStreamWaitEvent(stream, queue->fork, 0);
    }
    tick(queue, 1, stream);
    cudaEventRecord(queue->fork, stream);
    cudaStreamWaitEvent(beside, queue->fork, 0);
    error = solve_bin(batch, round, 2, processors, beside);
    if (error == cudaSuccess) {
        error = solve_bin(batch, round, 1, processors, stream);
    }
    cudaEventRecord(queue->join, beside);
    cudaStreamWaitEvent(stream, queue->join, 0);
    tick(queue, 2, stream);
    if (error == cudaSuccess) {
        error = find_size(batch).end(&batch, round, processors, stream);
    }
    return error;
}

/// Counters as they are after all that was asked for.
cudaError_t read_work(const TactStepBatch &batch, Queue *queue)
{
    cudaError_t error = cudaMemcpyAsync(queue->work, batch.work, TACT_STEP_COUNTERS * sizeof(int),
                                        cudaMemcpyDeviceToHost, queue->urgent);
    if (error == cudaSuccess) {
        error = cudaEventRecord(queue->read, queue->urgent);
    }
    return error == cudaSuccess ? cudaEventSynchronize(queue->read) : error;
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

int tact_step_queue_open(void **queue, char *message)
{
    Queue *made = new (std::nothrow) Queue();
    *queue = made;
    return made ? report(prepare(made), "making a queue", message)
                : report(cudaErrorMemoryAllocation, "making a queue", message);
}

void tact_step_queue_close(void *queue)
{
    Queue *own = (Queue *)queue;
    if (!own) {
        return;
    }
    cudaEvent_t *const events[3] = {&own->fork, &own->join, &own->read};
    for (int k = 0; k < Queue::MOST + 3; k++) {
        cudaEvent_t event = k < 3 ? *events[k] : own->events[k - 3];
        if (event) {
            cudaEventDestroy(event);
        }
    }
    for (cudaStream_t stream : {own->stream, own->beside, own->urgent, own->beside_urgent}) {
        if (stream) {
            cudaStreamDestroy(stream);
        }
    }
    cudaFreeHost(own->work);
    delete own;
}

void *tact_step_queue_stream(void *queue)
{
    return queue ? (void *)((Queue *)queue)->stream : nullptr;
}

int tact_step_batch_run(const TactStepBatch *batch, TactStepCounts *counts, char *message)
{
    Queue *queue = (Queue *)batch->queue;
    int    device = 0, processors = 0, rounds = 0;
    std::memset(counts, 0, sizeof *counts);
    if (report(cudaGetDevice(&device), "asking for the GPU", message) ||
        report(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
               "asking for its processors", message)) {
        return 1;
    }
    queue->count = 0;
    tick(queue, 0, queue->stream);
    cudaError_t error =
        cudaMemsetAsync(batch->work, 0, TACT_STEP_COUNTERS * sizeof(int), queue->stream);
    if (error == cudaSuccess && batch->senses.values) {
        size_t size = (size_t)batch->worlds.count * (size_t)batch->model.nq * sizeof(double);
        error = cudaMemcpyAsync(batch->senses.q_before, batch->worlds.q, size,
                                cudaMemcpyDeviceToDevice, queue->stream);
    }
    if (error == cudaSuccess) {
        error = find_size(*batch).begin(batch, processors, queue->stream);
    }
    while (error == cudaSuccess && rounds < TACT_STEP_MOST_SOLVES) {
        int more = rounds == 0 ? FIRST_ROUNDS : LEAST_ROUNDS;
        for (int k = 0; k < more && rounds < TACT_STEP_MOST_SOLVES && error == cudaSuccess; k++) {
            error = make_round(*batch, queue, rounds++, processors);
        }
        tick(queue, 3, queue->urgent);
        if (report(error, "starting a kernel", message) ||
            report(read_work(*batch, queue), "stepping on the GPU", message)) {
            return 1;
        }
        if (rounds < TACT_STEP_MOST_SOLVES && count_round(queue->work, rounds) == 0) {
            break;
        }
    }
    if (report(error, "starting a kernel", message)) {
        return 1;
    }
    read_counts(*batch, queue->work, rounds, counts);
    read_clock(queue, counts);
    return 0;
}

int tact_step_batch_sense(const TactStepBatch *batch, int after, char *message)
{
    const TactStepModel &model = batch->model;
    Queue               *queue = (Queue *)batch->queue;
    int                  device = 0, processors = 0;
    if (report(cudaGetDevice(&device), "asking for the GPU", message) ||
        report(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
               "asking for its processors", message)) {
        return 1;
    }
    bool small = model.nv <= 32 && model.link_count <= 24 && model.geom_count <= 32;
    cudaError_t error = (small ? tact_step_sense_32 : tact_step_sense_64)(batch, after, processors,
                                                                          queue->stream);
    return report(error, "starting the kernel of sensors", message) ||
           report(cudaStreamSynchronize(queue->stream), "reading sensors", message);
}
