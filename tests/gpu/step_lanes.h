// Whole steps by the GPU's code on a processor: one world after the other, its contact problems by
// the lanes of a warp.
#ifndef TACT_TESTS_GPU_STEP_LANES_H
#define TACT_TESTS_GPU_STEP_LANES_H

#include "gpu/world_batch.h"

typedef struct StepLanes {
    TactStepBlock block;
    void         *memory;
    TactStepBatch step; // its arrays are the host's
} StepLanes;

/// Arrays for worlds of a simulation's model, which must have passed tact_step_check().
void step_lanes_create(const TactSim *sim, int worlds, StepLanes *lanes);
void step_lanes_destroy(StepLanes *lanes);

/// One step of all worlds; those that are left keep their state, and worlds.left says why.
void step_lanes_step(StepLanes *lanes, TactStepCounts *counts);

/// The same of a batch, with the list of those that are left.
void step_lanes_run(const TactStepBatch *step, TactStepCounts *counts);

/// A device whose kernels run by lanes on the processor (tact_gpu_use_module()).
extern const TactGpuModule step_lanes_module;

#endif
