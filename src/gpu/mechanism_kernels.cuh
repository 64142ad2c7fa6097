// The kernel of mechanisms of one size. Included by one file for each.
#define TACT_LANES_ONE
#include "gpu/mechanism_kernels.h"
#include "gpu/mechanism_path.h"

enum { WARPS = 4, THREADS = WARPS * TACT_WARP };

static __global__ void __launch_bounds__(THREADS) follow(TactMechanismTask task, int *counter)
{
    extern __shared__ double rooms[];
    tact_mechanism_run(&task, (TactMechanismRoom *)rooms + threadIdx.x / TACT_WARP, counter);
}

cudaError_t TACT_LAUNCH(const TactMechanismTask *task, int *counter, int processors,
                        cudaStream_t stream)
{
    int    blocks = 0;
    size_t size = WARPS * sizeof(TactMechanismRoom);
    // Rooms beyond 48 kB a block are asked for.
    cudaError_t error =
        cudaFuncSetAttribute(follow, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)size);
    if (error == cudaSuccess) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, follow, THREADS, size);
    }
    if (error != cudaSuccess) {
        return error;
    }
    follow<<<processors * (blocks > 0 ? blocks : 1), THREADS, size, stream>>>(*task, counter);
    return cudaGetLastError();
}
