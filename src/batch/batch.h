// Batches inside.
#ifndef TACT_BATCH_BATCH_H
#define TACT_BATCH_BATCH_H

#include <tact/batch.h>

/// "world 3: " before the message of what failed in this thread; returns the status.
TactStatus tact_batch_fail(TactStatus status, int world, int step);

#endif
