// The kernels of one world a warp, of one size. Included by one file for each.
#include "gpu/step/step_again.h"
#include "gpu/step/step_kernels.h"

/// A problem to the list of its bin.
static __device__ void list_problem(const TactStepBatch *batch, int round, int i)
{
    int count = batch->worlds.count;
    int bin = TACT_STEP_MORE && tact_step_has_more(batch) ? tact_step_bin_more(batch, i)
                                                          : tact_step_bin(&batch->problems, i);
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

extern __shared__ double rooms[];

enum { THREADS = TACT_STEP_WARPS * TACT_WARP, ROOMS = TACT_STEP_WARPS * sizeof(TactStepRoom) };

/// As many worlds at a time as a block has warps. own: each has a model of its own.
template <bool own>
static __global__ void __launch_bounds__(THREADS, TACT_STEP_BLOCKS)
    begin(const __grid_constant__ TactStepBatch batch)
{
    int           warp = threadIdx.x / TACT_WARP, count = batch.worlds.count;
    TactStepRoom *room = (TactStepRoom *)rooms + warp;
    for (int first = blockIdx.x * TACT_STEP_WARPS; first < count;
         first += gridDim.x * TACT_STEP_WARPS) {
        int i = first + warp < count ? first + warp : -1;
        const TactStepModel *model = own ? tact_step_model_of(&batch, i < 0 ? 0 : i) : &batch.model;
        tact_step_begin(model, &batch.worlds, &batch.problems, batch.answers.basis, i, room);
        if (threadIdx.x % TACT_WARP == 0 && i >= 0) {
            if (batch.worlds.left[i]) {
                list_left(&batch, i);
            } else {
                list_problem(&batch, 0, i);
            }
        }
        tact_block_meet();
    }
}

/// World number k of a round, bin after bin; -1: there are fewer.
static __device__ int find_world(const TactStepBatch *batch, int round, int k)
{
    int before = 0;
    for (int bin = TACT_STEP_BINS - 1; bin >= 0; bin--) { // large ones first
        int count = batch->work[tact_step_list_counter(round, bin)];
        if (k < before + count) {
            return batch->work[tact_step_list(batch->worlds.count, round, bin) + (k - before)];
        }
        before += count;
    }
    return -1;
}

template <bool own>
static __global__ void __launch_bounds__(THREADS, TACT_STEP_BLOCKS)
    end(const __grid_constant__ TactStepBatch batch, int round)
{
    int           warp = threadIdx.x / TACT_WARP;
    TactStepRoom *room = (TactStepRoom *)rooms + warp;
    for (int first = blockIdx.x * TACT_STEP_WARPS; find_world(&batch, round, first) >= 0;
         first += gridDim.x * TACT_STEP_WARPS) {
        int i = find_world(&batch, round, first + warp);
        const TactStepModel *model = own ? tact_step_model_of(&batch, i < 0 ? 0 : i) : &batch.model;
        int state = tact_step_end(model, &batch.worlds, &batch.problems, &batch.answers, batch.tol,
                                  i, room);
        __syncwarp();
        if (threadIdx.x % TACT_WARP == 0 && i >= 0) {
            if (state == TACT_STEP_AGAIN) {
                list_problem(&batch, round + 1, i);
            } else if (state == TACT_STEP_LEAVE) {
                list_left(&batch, i);
            } else if (batch.problems.active[i] + tact_step_extra(model) > 0) {
                atomicMax(batch.work + TACT_STEP_COUNT_ERROR,
                          __float_as_int((float)batch.answers.error[i]));
            }
        }
        tact_block_meet();
    }
}

/// Rooms beyond 48 kB a block are asked for; as many blocks as there is room for.
template <typename Kernel>
static cudaError_t find_grid(Kernel kernel, int worlds, int processors, int *blocks)
{
    int         needed = (worlds + TACT_STEP_WARPS - 1) / TACT_STEP_WARPS;
    int         most = processors * TACT_STEP_BLOCKS;
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ROOMS);
    *blocks = needed < most ? needed : most;
    return error;
}

cudaError_t TACT_STEP_BEGIN(const TactStepBatch *batch, int processors, cudaStream_t stream)
{
    auto        kernel = batch->models ? begin<true> : begin<false>;
    int         blocks = 0;
    cudaError_t error = find_grid(kernel, batch->worlds.count, processors, &blocks);
    if (error == cudaSuccess) {
        kernel<<<blocks, THREADS, ROOMS, stream>>>(*batch);
        error = cudaGetLastError();
    }
    return error;
}

cudaError_t TACT_STEP_END(const TactStepBatch *batch, int round, int processors,
                          cudaStream_t stream)
{
    auto        kernel = batch->models ? end<true> : end<false>;
    int         blocks = 0;
    cudaError_t error = find_grid(kernel, batch->worlds.count, processors, &blocks);
    if (error == cudaSuccess) {
        kernel<<<blocks, THREADS, ROOMS, stream>>>(*batch, round);
        error = cudaGetLastError();
    }
    return error;
}
