// Kernels of one body with TACT_SLOTS contacts a lane. Included by one file for each number of them
// and each cone.
#define TACT_LANES_ONE
#include "gpu/body/body_kernels.h"
#include "gpu/body/body_path.h"

enum { GROUPS = 16, THREADS = GROUPS * TACT_GROUP };

static __global__ void __launch_bounds__(THREADS, TACT_BLOCKS) 
    follow(const __grid_constant__ TactBodyTask task, int *counter)
{
    __shared__ TactBodyRoom rooms[GROUPS];
    tact_body_run(&task, &rooms[threadIdx.x / TACT_GROUP], 0, 0, counter);
}

/// Bases that are given, without a path.
static __global__ void __launch_bounds__(THREADS, TACT_BLOCKS) 
    keep(const __grid_constant__ TactBodyTask task, int *counter)
{
    __shared__ TactBodyRoom rooms[GROUPS];
    tact_body_run(&task, &rooms[threadIdx.x / TACT_GROUP], 1, 0, counter);
}

/// Paths that resume from the bases that are given.
static __global__ void __launch_bounds__(THREADS, TACT_BLOCKS) 
    resume(const __grid_constant__ TactBodyTask task, int *counter)
{
    __shared__ TactBodyRoom rooms[GROUPS];
    tact_body_run(&task, &rooms[threadIdx.x / TACT_GROUP], 0, 1, counter);
}

cudaError_t TACT_LAUNCH(const TactBodyTask *task, int *counter, int processors,
                          cudaStream_t stream)
{
    int blocks = processors * TACT_BLOCKS;
    if (task->warm == TACT_WARM_GIVEN) {
        keep<<<blocks, THREADS, 0, stream>>>(*task, counter);
    } else if (task->warm == TACT_WARM_RESUME) {
        resume<<<blocks, THREADS, 0, stream>>>(*task, counter);
    } else {
        follow<<<blocks, THREADS, 0, stream>>>(*task, counter);
    }
    return cudaGetLastError();
}
