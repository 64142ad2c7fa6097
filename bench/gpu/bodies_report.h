// Rows of the table of batches.
#ifndef TACT_BENCH_GPU_BODIES_REPORT_H
#define TACT_BENCH_GPU_BODIES_REPORT_H

#include <stdio.h>

#include "bench/gpu/bodies.h"

#define TACT_BENCH_BODIES_COLUMNS                                                              \
    "start,kind,contacts,directions,problems,ms,million_a_second,kept,first,certified,"        \
    "handed_over,unsolved,pivots,most_pivots,checked,refused,worst_error,certificates_differ," \
    "same_velocity,processor_solved,processor_million_a_second\n"

typedef struct TactBenchCase {
    int  contacts, directions, count;
    bool warm; // warm rows as well
} TactBenchCase;

TactStatus tact_bench_report_bodies(FILE *out, TactDevice device, TactWorkers *workers,
                                    TactMixKind kind, const TactBenchCase *size);

#endif
