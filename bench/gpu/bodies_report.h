// Rows of the table of batches: one-body problems, cold and warm.
#ifndef TACT_BENCH_GPU_BODIES_REPORT_H
#define TACT_BENCH_GPU_BODIES_REPORT_H

#include "bench/gpu/bodies.h"

typedef struct TactBenchCase {
    TactMixKind     kind;
    TactContactCone cone;
    int             contacts, directions, count;
    double          change; // since the step whose bases a warm start has; below 0: cold
} TactBenchCase;

typedef struct TactBenchRow {
    TactContactBatchReport report;
    double                 seconds; // of the device: median of three, of a warm start one
    double                 rate;    // certified problems a second
    double                 pivots;  // mean
    int                    most_pivots;
    TactBenchCheck         check; // of cold ones
} TactBenchRow;

/// Draws, solves, and lets the processor check the first answers.
TactStatus tact_bench_bodies_row(TactDevice device, TactWorkers *workers, const TactBenchCase *own,
                                 TactBenchRow *row);

/// Are the answers of a second run, and of a batch of the first quarter, the same to the last bit?
/// What the device has handed over is the processor's, and as the others.
TactStatus tact_bench_bodies_repeat(TactDevice device, const TactBenchCase *own, bool *same);

#endif
