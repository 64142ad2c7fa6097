// Batches of mechanisms with their arrays on the host, and what the processor says of the answers.
#ifndef TACT_BENCH_GPU_MECHANISMS_H
#define TACT_BENCH_GPU_MECHANISMS_H

#include "bench/gpu/bodies_report.h"
#include "bench/gpu/mechanism_mix.h"

typedef struct TactBenchMechanismCase {
    TactMechanismKind kind;
    int               contacts, directions, count;
    double            change; // since the step whose bases a warm start has; below 0: cold
    TactContactCone   cone;
} TactBenchMechanismCase;

typedef struct TactBenchMechanisms {
    TactBenchMechanismCase own;
    double                 tol;
    TactMechanismArrays    drawn;
    TactMechanismProblems  problems; // the same arrays
    TactBodyAnswers        answers;
    double                *block; // of all of these
    TactContactBatch      *batch;
} TactBenchMechanisms;

TactStatus tact_bench_mechanisms_create(TactDevice device, const TactBenchMechanismCase *own,
                                        TactBenchMechanisms *mechanisms);
void       tact_bench_mechanisms_destroy(TactBenchMechanisms *mechanisms);

/// Draws all problems by threads, and sends them. change: see tact_mechanism_mix_draw().
TactStatus tact_bench_mechanisms_send(TactBenchMechanisms *mechanisms, TactWorkers *workers,
                                      double change);

/// Solves the first problems by the processor's `reduced`, and certifies the answers.
TactStatus tact_bench_mechanisms_check(const TactBenchMechanisms *mechanisms, TactWorkers *workers,
                                       int count, TactBenchCheck *check);

/// Draws, solves, and lets the processor check the first answers.
TactStatus tact_bench_mechanisms_row(TactDevice device, TactWorkers *workers,
                                     const TactBenchMechanismCase *own, TactBenchRow *row);

/// As tact_bench_bodies_repeat().
TactStatus tact_bench_mechanisms_repeat(TactDevice device, TactWorkers *workers,
                                        const TactBenchMechanismCase *own, bool *same);

#endif
