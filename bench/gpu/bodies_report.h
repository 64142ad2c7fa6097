// Rows of the table of batches: one-body problems, cold and warm.
#ifndef TACT_BENCH_GPU_BODIES_REPORT_H
#define TACT_BENCH_GPU_BODIES_REPORT_H

#include "bench/gpu/bodies.h"

typedef struct TactBenchCase {
    TactMixKind kind;
    int         contacts, directions, count;
    double      change; // since the step whose bases a warm start has; below 0: cold
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

#endif
