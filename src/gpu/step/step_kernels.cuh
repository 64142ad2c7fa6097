// The kernels of one world a thread, of one size. Included by one file for each.
#include "gpu/step/step_again.h"
#include "gpu/step/step_kernels.h"

enum { THREADS = 128 };

/// A problem to the list of its bin.
static __device__ void list_problem(const TactStepBatch *batch, int round, int i)
{
    int count = batch->worlds.count, bin = tact_step_bin(&batch->problems, i);
    int place = atomicAdd(batch->work + tact_step_list_counter(round, bin), 1);
    batch->work[tact_step_list(count, round, bin) + place] = i;
}

/// A world to those that are left to the processor.
static __device__ void list_left(const TactStepBatch *batch, int i)
{
    int place = atomicAdd(batch->work + TACT_STEP_COUNT_LEFT, 1);
    batch->work[tact_step_left_list(batch->worlds.count) + place] = i;
    for (int k = 0; k < TACT_STEP_LEFT_REASONS; k++) {
        if (batch->worlds.left[i] & 1 << k) {
            atomicAdd(batch->work + TACT_STEP_COUNT_REASONS + k, 1);
        }
    }
}

static __global__ void __launch_bounds__(THREADS, TACT_STEP_BLOCKS) begin(const __grid_constant__ TactStepBatch batch)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= batch.worlds.count) {
        return;
    }
    tact_step_begin(&batch.model, &batch.worlds, &batch.problems, batch.answers.basis, i);
    if (batch.worlds.left[i]) {
        list_left(&batch, i);
    } else {
        list_problem(&batch, 0, i);
    }
}

static __global__ void __launch_bounds__(THREADS, TACT_STEP_BLOCKS)
    end(const __grid_constant__ TactStepBatch batch, int round)
{
    int        worlds = batch.worlds.count, before = 0;
    const int *list = nullptr;
    int        number = blockIdx.x * THREADS + threadIdx.x;
    for (int bin = 0; bin < TACT_STEP_BINS && !list; bin++) {
        int count = batch.work[tact_step_list_counter(round, bin)];
        if (number < before + count) {
            list = batch.work + tact_step_list(worlds, round, bin) + (number - before);
        }
        before += count;
    }
    if (!list) {
        return;
    }
    int i = *list;
    int state = tact_step_end(&batch.model, &batch.worlds, &batch.problems, &batch.answers,
                              batch.tol, i);
    if (state == TACT_STEP_AGAIN) {
        list_problem(&batch, round + 1, i);
    } else if (state == TACT_STEP_LEAVE) {
        list_left(&batch, i);
    } else if (batch.problems.active[i] > 0) {
        atomicMax(batch.work + TACT_STEP_COUNT_ERROR, __float_as_int((float)batch.answers.error[i]));
    }
}

cudaError_t TACT_STEP_BEGIN(const TactStepBatch *batch, cudaStream_t stream)
{
    begin<<<(batch->worlds.count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*batch);
    return cudaGetLastError();
}

cudaError_t TACT_STEP_END(const TactStepBatch *batch, int round, int processors,
                          cudaStream_t stream)
{
    (void)processors;
    end<<<(batch->worlds.count + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*batch, round);
    return cudaGetLastError();
}
