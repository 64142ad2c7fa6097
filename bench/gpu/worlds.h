// Whole worlds of a robot in a batch: steps a second, and how they compare with the simulation.
#ifndef TACT_BENCH_GPU_WORLDS_H
#define TACT_BENCH_GPU_WORLDS_H

#include <tact/batch.h>
#include <tact/world_batch.h>

/// A robot, what it does, and a part of that.
typedef struct TactBenchWorldsCase {
    const char     *name, *file; // below the folder of models
    bool            walks; // a trot about its first keyframe; else it falls, with random controls
    double          begin, end; // the part that is timed, s
    int             worlds;
    bool            holds;  // a hand: neither, its fingers close by random controls
    bool            others; // pairs whose points a GPU does not find are the processor's
    TactContactCone cone;
    bool            senses; // sensors are read after every call, of ten steps
    bool rolls; // contacts resist spinning and rolling as the model says; else only sliding
} TactBenchWorldsCase;

typedef struct TactBenchWorldsRow {
    int                  steps; // of each world
    TactWorldBatchReport report;
    int                  checked, same; // worlds whose next step the simulation made too; to 1e-8
    double               processor;     // steps a second by all threads; 0: not asked
    int    sensed; // worlds whose sensors after that step are those of the simulation, to 1e-6
    double sensed_worst; // of all, as a part of 1 and the value
    int compared, equal; // worlds that a small batch has stepped all the way too; to the same bits
} TactBenchWorldsRow;

/// Two boxes and a capsule above a plane.
TactStatus tact_bench_worlds_scene(TactModel **model);

/// Steps until the part is over. models: the folder. states: a file for the positions of all worlds
/// then, worlds x nq in the machine's doubles; NULL: none.
TactStatus tact_bench_worlds_row(TactDevice device, TactWorkers *workers, const char *models,
                                 const char *states, const TactBenchWorldsCase *own,
                                 TactBenchWorldsRow *row);

#endif
