// The kernel of mechanisms of one size. Included by one file for each.
#define TACT_LANES_ONE
#include "gpu/mechanism_kernels.h"
#include "gpu/mechanism_path.h"

enum { THREADS = TACT_BLOCK_WARPS * TACT_WARP };

static __global__ void __launch_bounds__(THREADS, TACT_BLOCKS)
    follow(TactMechanismTask task, double *factors, int *counter)
{
    extern __shared__ double rooms[];
    int warp = threadIdx.x / TACT_WARP, number = blockIdx.x * TACT_BLOCK_WARPS + warp;
    tact_mechanism_run(&task, (TactMechanismRoom *)rooms + warp,
                       factors + (size_t)number * TACT_FACTOR, counter);
}

cudaError_t TACT_LAUNCH(const TactMechanismTask *task, int *counter, int processors,
                        cudaStream_t stream)
{
    int     blocks = processors * TACT_BLOCKS;
    size_t  size = TACT_BLOCK_WARPS * sizeof(TactMechanismRoom);
    double *factors = nullptr;
    // Rooms beyond 48 kB a block are asked for.
    cudaError_t error =
        cudaFuncSetAttribute(follow, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)size);
    if (error == cudaSuccess) {
        error = cudaMallocAsync(
            &factors, (size_t)blocks * TACT_BLOCK_WARPS * TACT_FACTOR * sizeof(double), stream);
    }
    if (error != cudaSuccess) {
        return error;
    }
    follow<<<blocks, THREADS, size, stream>>>(*task, factors, counter);
    error = cudaGetLastError();
    cudaError_t freed = cudaFreeAsync(factors, stream);
    return error != cudaSuccess ? error : freed;
}
