// Steps of the module of CUDA.
#ifndef TACT_GPU_STEP_MODULE_H
#define TACT_GPU_STEP_MODULE_H

#include "gpu/module.h"
#include "gpu/step/step_batch.h"

/// One step of all worlds; those that are left have the state that they began with. 0, or 1 with a
/// message.
int tact_step_batch_run(const TactStepBatch *batch, TactStepCounts *counts, char *message);

#endif
