// The beginning and the end of a step of one world on a processor: lane code that is compiled with
// TACT_STEP_MORE and without.
#ifndef TACT_TESTS_GPU_STEP_LANES_WORLD_H
#define TACT_TESTS_GPU_STEP_LANES_WORLD_H

#include "gpu/step/step_again.h"
#include "tests/gpu/step_lanes.h"

/// A world and the room of its warp.
typedef struct StepLanesWorld {
    const TactStepBatch *step;
    int                  world, state;
    TactStepRoom         room;
} StepLanesWorld;

void step_lanes_begin(void *world), step_lanes_end(void *world);
void step_lanes_begin_more(void *world), step_lanes_end_more(void *world);

#endif
