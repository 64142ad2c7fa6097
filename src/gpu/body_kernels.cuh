// Kernels of one body with TACT_SLOTS contacts a lane. Included by one file for each number of them.
#define TACT_LANES_ONE
#include "gpu/body_kernels.h"
#include "gpu/body_path.h"

enum { GROUPS = 16, THREADS = GROUPS * TACT_GROUP };

static __global__ void __launch_bounds__(THREADS, TACT_BLOCKS) follow(TactBodyTask task, int *counter)
{
    __shared__ TactBodyRoom rooms[GROUPS];
    tact_body_run(&task, &rooms[threadIdx.x / TACT_GROUP], counter);
}

cudaError_t TACT_LAUNCH(const TactBodyTask *task, int *counter, int processors,
                          cudaStream_t stream)
{
    follow<<<processors * TACT_BLOCKS, THREADS, 0, stream>>>(*task, counter);
    return cudaGetLastError();
}
