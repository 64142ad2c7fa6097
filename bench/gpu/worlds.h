// Whole worlds of a robot in a batch: steps a second, and how they compare with the simulation.
#ifndef TACT_BENCH_GPU_WORLDS_H
#define TACT_BENCH_GPU_WORLDS_H

#include <tact/batch.h>
#include <tact/world_batch.h>

/// A robot, what it does, and a part of that.
typedef struct TactBenchWorldsCase {
    const char *name, *file; // below the folder of models
    bool        walks;       // a trot about its first keyframe; else it falls, with random controls
    double      begin, end;  // the part that is timed, s
    int         worlds;
    bool        holds; // a hand with a ball: neither, its fingers close by random controls. Pairs
                       // whose points a GPU does not find are the processor's
} TactBenchWorldsCase;

typedef struct TactBenchWorldsRow {
    int                  steps; // of each world
    TactWorldBatchReport report;
    int                  checked, same; // worlds whose next step the simulation made too; to 1e-8
    double               processor;     // steps a second by all threads; 0: not asked
    int compared, equal; // worlds that a small batch has stepped all the way too; to the same bits
} TactBenchWorldsRow;

/// Steps until the part is over. models: the folder.
TactStatus tact_bench_worlds_row(TactDevice device, TactWorkers *workers, const char *models,
                                 const TactBenchWorldsCase *own, TactBenchWorldsRow *row);

#endif
