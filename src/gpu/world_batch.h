// Worlds in batches inside: what both devices share, and what a GPU leaves to the processor.
#ifndef TACT_GPU_WORLD_BATCH_H
#define TACT_GPU_WORLD_BATCH_H

#include <pthread.h>
#include <tact/batch.h>
#include <tact/world_batch.h>

#include "gpu/module.h"
#include "gpu/step/step.h"

/// Overlaps of a world that nothing can undo (sim/stuck.c): what the processor remembers of it.
typedef struct TactWorldStuck {
    int          count;
    TactSimStuck items[TACT_SIM_MOST_STUCK];
} TactWorldStuck;

/// Rows of the worlds that a step has left.
typedef struct TactWorldRows {
    int     room;      // worlds
    double *q, *v;     // (room x nq), (room x nv)
    double *ctrl;      // (room x actuators)
    double *sensors;   // (room x sensor_size); of those that are asked for
    bool   *uncertain; // (room)
    int    *zeros;     // (room)
    int    *list;      // which worlds of the part they are                                (room)
} TactWorldRows;

/// Worlds that a GPU steps together, in a queue of their own: while the processor makes the steps
/// that one part has left, the GPU goes on with the others.
typedef struct TactWorldPart {
    TactWorldBatch      *batch;
    int                  first;  // its first world
    void                *memory; // of the device
    TactStepBatch        step;   // arrays of the device
    TactWorldRows        rows;
    bool                 senses; // sensors are read after this step
    TactWorldBatchReport report;
} TactWorldPart;

enum { TACT_WORLD_MOST_PARTS = 4, TACT_WORLD_MOST_PARAMETERS = 64 };

/// A parameter that differs from world to world.
typedef struct TactWorldParameter {
    char   *path;
    int     count;  // numbers of a world
    double *values; // (worlds x count)
} TactWorldParameter;

/// Simulations of the processor that make steps for a GPU, one a thread.
typedef struct TactWorldHanded {
    TactSim        **sims;   // (threads)
    TactWorldStuck **stuck;  // of each world; NULL: nothing is                       (worlds)
    pthread_mutex_t  lock;   // of the threads: the steps of one part after those of another
    bool             locked; // there is a lock
} TactWorldHanded;

struct TactWorldBatch {
    const TactModel     *model;
    TactWorldBatchConfig config;
    const TactGpuModule *module;
    TactWorkers         *workers;
    TactBatch           *worlds;      // of the processor; NULL on a GPU
    void                *memory;      // of the device
    TactWorldStates      states;      // q, v, ctrl, sensors of all worlds, there
    int                  sensor_size; // numbers of a world; 0: none are asked for
    // Of a GPU
    void           *constants;
    TactStepBlock   block; // the model as the GPU reads it
    int             part_count;
    TactWorldPart   parts[TACT_WORLD_MOST_PARTS];
    TactWorkers    *drivers; // a thread a part
    TactWorldHanded handed;
    double         *time;    // of each world, for sensors                            (worlds)
    int            *stepped; // since it was made or reset; 0: not                    (worlds)
    // Where parameters differ
    TactWorldParameter parameters[TACT_WORLD_MOST_PARAMETERS];
    int                parameter_count;
    void              *models; // of the device: a head and a block a world; NULL: they do not
    size_t             model_size;
};

/// What of the model may be otherwise (tact_step_check()).
static inline int tact_world_allowed(const TactWorldBatchConfig *config)
{
    return (config->sliding_only ? TACT_STEP_ONLY_SLIDE : 0) |
           (config->other_shapes ? TACT_STEP_OTHER_SHAPES : 0) |
           (config->sensors ? TACT_STEP_SENSORS : 0);
}

/// Steps of worlds that the GPU has left (world_handed.c).
TactStatus tact_world_handed_create(TactWorldBatch *batch, const TactSimConfig *config);
void       tact_world_handed_destroy(TactWorldBatch *batch);
void       tact_world_rows_release(TactWorldRows *rows);
TactStatus tact_world_hand_over(TactWorldPart *part, const TactStepCounts *counts);

/// Parameters of one world, to a simulation (world_parameters.c).
TactStatus tact_world_put_parameters(const TactWorldBatch *batch, int world, TactSim *sim);
void       tact_world_parameters_destroy(TactWorldBatch *batch);

/// Parts of a batch on a GPU, and their steps (world_parts.c).
void       tact_world_parts_set_least(int worlds); // of a part, for tests
TactStatus tact_world_parts_create(TactWorldBatch *batch, const TactSimConfig *config);
void       tact_world_parts_destroy(TactWorldBatch *batch);
TactStatus tact_world_parts_step(TactWorldBatch *batch, int steps, TactWorldBatchReport *report);

/// Sensors of the states as they are; of a part after a step (world_sense.c).
TactStatus tact_world_sense(TactWorldBatch *batch);
TactStatus tact_world_part_sense(TactWorldPart *part, bool after);

/// Bytes of the states of all worlds, and where they are in a block (world_layout.c).
/// sensors: numbers of a world, 0: they are not asked for.
size_t tact_world_states_bytes(const TactModel *model, int worlds, int sensors);
void   tact_world_states_place(const TactModel *model, int worlds, int sensors, void *memory,
                               TactWorldStates *states);

/// The same of the arrays that a GPU works with; step->worlds.q, v and ctrl are not among them.
size_t tact_worlds_bytes(const TactStepModel *model, int worlds);
void   tact_worlds_place(const TactStepModel *model, int worlds, void *memory, TactStepBatch *step);

#endif
