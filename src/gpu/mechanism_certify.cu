// The certificate of mechanisms, a thread a problem.
#define TACT_LANES_ONE
#include "gpu/body_directions.h"
#include "gpu/mechanism_certificate.h"
#include "gpu/mechanism_kernels.h"

static __global__ void __launch_bounds__(128)
    certify(TactMechanismProblems problems, TactBodyAnswers answers, TactCertifyPyramid pyramid,
            double tol, const int *list, const int *list_count, int *left, int *left_count)
{
    int count = *list_count;
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += gridDim.x * blockDim.x) {
        int    i = list ? list[k] : k;
        double error = answers.pivots[i] < 0
                           ? INFINITY
                           : tact_mechanism_certify(&problems, &answers, i, &pyramid);
        answers.error[i] = error;
        if (!(error <= tol)) {
            left[atomicAdd(left_count, 1)] = i;
        }
    }
}

cudaError_t tact_mechanism_launch_certify(const TactMechanismTask *task, int directions, double tol,
                                          int *left, int *left_count, int processors)
{
    certify<<<processors * 16, 128>>>(task->problems, task->answers, tact_body_pyramid(directions),
                                      tol, task->list, task->list_count, left, left_count);
    return cudaGetLastError();
}
