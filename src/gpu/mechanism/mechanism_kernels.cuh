// The kernels of mechanisms of one size: paths, and the certificate. Included by one file for each.
#define TACT_LANES_ONE
#include "gpu/body/body_directions.h"
#include "gpu/mechanism/mechanism_certificate.h"
#include "gpu/mechanism/mechanism_kernels.h"
#include "gpu/mechanism/mechanism_path.h"

enum { THREADS = TACT_BLOCK_WARPS * TACT_WARP };

static __global__ void __launch_bounds__(THREADS, TACT_BLOCKS)
    follow(const __grid_constant__ TactMechanismTask task, double *factors, int *counter)
{
    extern __shared__ TACT_ALIGNED double rooms[];
    int warp = threadIdx.x / TACT_WARP, number = blockIdx.x * TACT_BLOCK_WARPS + warp;
    tact_mechanism_run(&task, 0, (TactMechanismRoom *)rooms + warp,
                       factors + (size_t)number * TACT_FACTOR, counter);
}

#ifdef TACT_RESUMES
/// Paths that resume from the bases that are given.
static __global__ void __launch_bounds__(THREADS, TACT_BLOCKS)
    resume(const __grid_constant__ TactMechanismTask task, double *factors, int *counter)
{
    extern __shared__ TACT_ALIGNED double rooms[];
    int warp = threadIdx.x / TACT_WARP, number = blockIdx.x * TACT_BLOCK_WARPS + warp;
    tact_mechanism_run(&task, 1, (TactMechanismRoom *)rooms + warp,
                       factors + (size_t)number * TACT_FACTOR, counter);
}
#endif

static cudaError_t follow_all(const TactMechanismTask *task, int *counter, int processors,
                              cudaStream_t stream)
{
    int     blocks = processors * TACT_BLOCKS;
    size_t  size = TACT_BLOCK_WARPS * sizeof(TactMechanismRoom);
    double *factors = nullptr;
#ifdef TACT_RESUMES
    auto kernel = task->warm == TACT_WARM_RESUME ? resume : follow;
#else
    auto kernel = follow; // with a path from the beginning
#endif
    // Rooms beyond 48 kB a block are asked for.
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)size);
    if (error == cudaSuccess) {
        error = cudaMallocAsync(
            &factors, (size_t)blocks * TACT_BLOCK_WARPS * TACT_FACTOR * sizeof(double), stream);
    }
    if (error != cudaSuccess) {
        return error;
    }
    kernel<<<blocks, THREADS, size, stream>>>(*task, factors, counter);
    error = cudaGetLastError();
    cudaError_t freed = cudaFreeAsync(factors, stream);
    return error != cudaSuccess ? error : freed;
}

enum { JUDGES = 4, JUDGE_THREADS = JUDGES * TACT_WARP };

/// Those that are not certified are listed.
static __global__ void __launch_bounds__(JUDGE_THREADS, TACT_JUDGE_BLOCKS)
    certify(const __grid_constant__ TactMechanismTask task,
            const __grid_constant__ TactCertifyPyramid pyramid, double tol, int *left,
            int *left_count)
{
    extern __shared__ double judges[];
    int                      warp = threadIdx.x / TACT_WARP, count = *task.list_count;
    TactMechanismJudge      *judge = (TactMechanismJudge *)judges + warp;
    for (int k = blockIdx.x * JUDGES + warp; k < count; k += gridDim.x * JUDGES) {
        int    i = task.list ? task.list[k] : k;
        double error = INFINITY;
        if (task.answers.pivots[i] >= 0) {
#if TACT_EXTRA > 0
            error = tact_mechanism_certify(&task.problems, &task.more, &task.answers, i,
                                           task.more.circle ? nullptr : &pyramid, judge);
#else
            error = tact_mechanism_certify(&task.problems, nullptr, &task.answers, i, &pyramid,
                                           judge);
#endif
        }
        if (threadIdx.x % TACT_WARP == 0) {
            task.answers.error[i] = error;
            if (!(error <= tol)) {
                left[atomicAdd(left_count, 1)] = i;
            }
        }
    }
}

static cudaError_t certify_all(const TactMechanismTask *task, double tol, int *left,
                               int *left_count, int processors, cudaStream_t stream)
{
    size_t      size = JUDGES * sizeof(TactMechanismJudge);
    cudaError_t error =
        cudaFuncSetAttribute(certify, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)size);
    if (error != cudaSuccess) {
        return error;
    }
    certify<<<processors * TACT_JUDGE_BLOCKS, JUDGE_THREADS, size, stream>>>(
        *task, tact_body_pyramid(task->directions.count), tol, left, left_count);
    return cudaGetLastError();
}

cudaError_t TACT_LAUNCH(const TactMechanismTask *task, double tol, const TactMechanismLists *lists,
                        int processors, cudaStream_t stream)
{
    cudaError_t error = follow_all(task, lists->counter, processors, stream);
    return error != cudaSuccess
               ? error
               : certify_all(task, tol, lists->left, lists->left_count, processors, stream);
}
