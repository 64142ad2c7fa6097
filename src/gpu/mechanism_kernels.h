// Launching the kernels of mechanisms: one function for each size, and the certificate.
#ifndef TACT_GPU_MECHANISM_KERNELS_H
#define TACT_GPU_MECHANISM_KERNELS_H

#include <cuda_runtime.h>

#include "gpu/mechanism.h"

/// Follows the paths of a task; counter: 0, on the device.
typedef cudaError_t TactMechanismLaunch(const TactMechanismTask *task, int *counter, int processors,
                                        cudaStream_t stream);

// Up to 8 contacts and 32 degrees of freedom; 16 and 32; 16 and 64.
TactMechanismLaunch tact_mechanism_launch_8, tact_mechanism_launch_16, tact_mechanism_launch_64;

/// Errors of the answers of a task; the problems that are not certified are listed.
cudaError_t tact_mechanism_launch_certify(const TactMechanismTask *task, int directions, double tol,
                                          int *left, int *left_count, int processors);

#endif
