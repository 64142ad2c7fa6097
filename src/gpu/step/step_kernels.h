// Launching the kernels of one world a warp: one function for each size.
#ifndef TACT_GPU_STEP_KERNELS_H
#define TACT_GPU_STEP_KERNELS_H

#include <cuda_runtime.h>

#include "gpu/step/step_batch.h"

/// Begins steps of all worlds, and lists their problems.
typedef cudaError_t TactStepLaunchBegin(const TactStepBatch *batch, int processors,
                                        cudaStream_t stream);

/// Ends those of a round.
typedef cudaError_t TactStepLaunchEnd(const TactStepBatch *batch, int round, int processors,
                                      cudaStream_t stream);

/// Sensors of all worlds.
typedef cudaError_t TactStepLaunchSense(const TactStepBatch *batch, int after, int processors,
                                        cudaStream_t stream);

// Up to 16 links, 28 degrees of freedom and 24 geoms; 24, 32 and 32; TACT_STEP_MAX_*.
TactStepLaunchBegin tact_step_begin_28, tact_step_begin_32, tact_step_begin_64;
TactStepLaunchEnd   tact_step_end_28, tact_step_end_32, tact_step_end_64;

// The same with dry friction of joints, loops, or the circle.
TactStepLaunchBegin tact_step_begin_more_32, tact_step_begin_more_64;
TactStepLaunchEnd   tact_step_end_more_32, tact_step_end_more_64;

// Of models with or without these.
TactStepLaunchSense tact_step_sense_32, tact_step_sense_64;

#endif
