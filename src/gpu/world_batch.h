// Worlds in batches inside: what both devices share, and what a GPU leaves to the processor.
#ifndef TACT_GPU_WORLD_BATCH_H
#define TACT_GPU_WORLD_BATCH_H

#include <tact/batch.h>
#include <tact/world_batch.h>

#include "gpu/module.h"
#include "gpu/step/step.h"

/// Overlaps of a world that nothing can undo (sim/stuck.c): what the processor remembers of it.
typedef struct TactWorldStuck {
    int          count;
    TactSimStuck items[TACT_SIM_MOST_STUCK];
} TactWorldStuck;

/// Simulations of the processor that make steps for a GPU, one a thread, and rows of the worlds
/// that are left.
typedef struct TactWorldHanded {
    TactSim        **sims;      // (threads)
    int              room;      // worlds
    double          *q, *v;     // (room x nq), (room x nv)
    double          *ctrl;      // (room x actuators)
    bool            *uncertain; // (room)
    int             *zeros;     // (room)
    int             *list;  // which worlds they are                                        (room)
    TactWorldStuck **stuck; // of each world; NULL: nothing is                       (worlds)
} TactWorldHanded;

struct TactWorldBatch {
    const TactModel     *model;
    TactWorldBatchConfig config;
    const TactGpuModule *module;
    TactWorkers         *workers;
    TactBatch           *worlds; // of the processor; NULL on a GPU
    void                *memory; // of the device
    void                *constants;
    TactStepBlock        block; // the model as the GPU reads it
    TactStepBatch        step;  // arrays of the device; on a processor q, v, ctrl of worlds
    TactWorldHanded      handed;
};

/// Steps of worlds that the GPU has left (world_handed.c).
TactStatus tact_world_handed_create(TactWorldBatch *batch, const TactSimConfig *config);
void       tact_world_handed_destroy(TactWorldBatch *batch);
TactStatus tact_world_hand_over(TactWorldBatch *batch, const TactStepCounts *counts,
                                TactWorldBatchReport *report);

/// Bytes of the arrays of all worlds, and where they are in a block (world_layout.c).
size_t tact_worlds_bytes(const TactModel *model, TactDevice device, int worlds);
void   tact_worlds_place(const TactModel *model, TactDevice device, int worlds, double h,
                         void *memory, TactStepBatch *step);

#endif
