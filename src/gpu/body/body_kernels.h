// Launching the kernels of one body: one function for each number of contacts a lane, and each
// cone.
#ifndef TACT_GPU_BODY_KERNELS_H
#define TACT_GPU_BODY_KERNELS_H

#include <cuda_runtime.h>

#include "gpu/body/body.h"

/// Follows the paths of a task; counter: 0, on the device.
typedef cudaError_t TactBodyLaunch(const TactBodyTask *task, int *counter, int processors,
                                   cudaStream_t stream);

TactBodyLaunch tact_body_launch_8, tact_body_launch_16, tact_body_launch_32;
TactBodyLaunch tact_body_launch_8_circle, tact_body_launch_16_circle, tact_body_launch_32_circle;

#endif
