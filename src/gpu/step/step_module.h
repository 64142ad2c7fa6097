// Steps of the module of CUDA.
#ifndef TACT_GPU_STEP_MODULE_H
#define TACT_GPU_STEP_MODULE_H

#include "gpu/module.h"
#include "gpu/step/step_batch.h"

/// Streams, events and counters of one queue.
int  tact_step_queue_open(void **queue, char *message);
void tact_step_queue_close(void *queue);

/// The stream of a queue, as cudaStream_t; NULL of none.
void *tact_step_queue_stream(void *queue);

/// One step of all worlds; those that are left have the state that they began with. 0, or 1 with a
/// message.
int tact_step_batch_run(const TactStepBatch *batch, TactStepCounts *counts, char *message);

/// Sensors of all worlds, after a step or of the states as they are; in the queue.
int tact_step_batch_sense(const TactStepBatch *batch, int after, char *message);

#endif
