// The kernel of sensors, of one size. Included by one file for each.
#include "gpu/step/step_kernels.h"
#include "gpu/step/step_sense.h"

extern __shared__ double rooms[];

enum { THREADS = TACT_STEP_WARPS * TACT_WARP, ROOMS = TACT_STEP_WARPS * sizeof(TactSenseRoom) };

/// A world a warp. own: each has a model of its own.
template <bool own>
static __global__ void __launch_bounds__(THREADS, TACT_STEP_BLOCKS)
    sense(const __grid_constant__ TactStepBatch batch, int after)
{
    int            warp = threadIdx.x / TACT_WARP;
    TactSenseRoom *room = (TactSenseRoom *)rooms + warp;
    for (int i = blockIdx.x * TACT_STEP_WARPS + warp; i < batch.worlds.count;
         i += gridDim.x * TACT_STEP_WARPS) {
        if (!after || !batch.worlds.left[i]) {
            tact_sense(&batch, own ? tact_step_model_of(&batch, i) : &batch.model, after, i, room);
        }
    }
}

cudaError_t TACT_STEP_SENSE(const TactStepBatch *batch, int after, int processors,
                            cudaStream_t stream)
{
    auto        kernel = batch->models ? sense<true> : sense<false>;
    int         needed = (batch->worlds.count + TACT_STEP_WARPS - 1) / TACT_STEP_WARPS;
    int         most = processors * TACT_STEP_BLOCKS;
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, ROOMS);
    if (error == cudaSuccess) {
        kernel<<<needed < most ? needed : most, THREADS, ROOMS, stream>>>(*batch, after);
        error = cudaGetLastError();
    }
    return error;
}
