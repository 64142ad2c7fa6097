// What a GPU makes of scenes whose answer is known, beside the processor.
#ifndef TACT_BENCH_GPU_TRUTH_H
#define TACT_BENCH_GPU_TRUTH_H

#include <tact/world_batch.h>

/// A scene in sixteen worlds that differ by the direction of the first velocity.
typedef struct TactBenchTruthCase {
    const char     *name, *file; // below the folder of models
    TactContactCone cone;
    int             steps;
    double          speed; // of the first free body, along a direction of each world's own, m/s
    bool            alike; // all worlds go equally far
    double          lift;  // the first free body begins this much above the model's reference, m;
                           //   0: at the first keyframe, if there is one
} TactBenchTruthCase;

typedef struct TactBenchTruthRow {
    int    worlds, handed_over, uncertified;
    double apart;  // from the processor's q and h v, at most, m and rad
    double way;    // of the first free body in the first world, m
    double spread; // of that way over all worlds, m
    double energy; // kinetic and potential, apart from the processor's, of the mechanism's m g 1 m
} TactBenchTruthRow;

TactStatus tact_bench_truth_row(TactDevice device, const char *models,
                                const TactBenchTruthCase *own, TactBenchTruthRow *row);

#endif
