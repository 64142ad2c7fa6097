// The certificate of mechanisms, a warp a problem.
#define TACT_LANES_ONE
#include "gpu/body_directions.h"
#include "gpu/mechanism_certificate.h"
#include "gpu/mechanism_kernels.h"

enum { WARPS = 4, BLOCKS = 6 }; // of a block; of a multiprocessor

static __global__ void __launch_bounds__(WARPS *TACT_WARP, BLOCKS)
    certify(TactMechanismProblems problems, TactBodyAnswers answers, TactCertifyPyramid pyramid,
            double tol, const int *list, const int *list_count, int *left, int *left_count)
{
    __shared__ TactMechanismJudge judges[WARPS];
    extern __shared__ double      raws[];
    int     warp = threadIdx.x / TACT_WARP, count = *list_count;
    double *raw = raws + warp * tact_mechanism_raw_size(&problems);
    for (int k = blockIdx.x * WARPS + warp; k < count; k += gridDim.x * WARPS) {
        int    i = list ? list[k] : k;
        double error = answers.pivots[i] < 0 ? INFINITY
                                             : tact_mechanism_certify(&problems, &answers, i,
                                                                      &pyramid, &judges[warp], raw);
        if (threadIdx.x % TACT_WARP == 0) {
            answers.error[i] = error;
            if (!(error <= tol)) {
                left[atomicAdd(left_count, 1)] = i;
            }
        }
    }
}

cudaError_t tact_mechanism_launch_certify(const TactMechanismTask *task, int directions, double tol,
                                          int *left, int *left_count, int processors)
{
    size_t      size = WARPS * sizeof(double) * (size_t)tact_mechanism_raw_size(&task->problems);
    cudaError_t error =
        cudaFuncSetAttribute(certify, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)size);
    if (error != cudaSuccess) {
        return error;
    }
    certify<<<processors * BLOCKS, WARPS * TACT_WARP, size>>>(
        task->problems, task->answers, tact_body_pyramid(directions), tol, task->list,
        task->list_count, left, left_count);
    return cudaGetLastError();
}
