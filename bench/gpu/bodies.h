// A batch of one-body problems with its arrays on the host, and what the processor says of its
// answers.
#ifndef TACT_BENCH_GPU_BODIES_H
#define TACT_BENCH_GPU_BODIES_H

#include <stdbool.h>
#include <tact/batch.h>
#include <tact/contact_batch.h>

#include "bench/gpu/body_mix.h"

typedef struct TactBenchBodies {
    int               count, contacts, directions;
    TactContactCone   cone;
    double            tol;
    TactMixArrays     drawn;
    TactBodyProblems  problems; // the same arrays
    TactBodyAnswers   answers;
    double           *block; // of all of these
    TactContactBatch *batch;
} TactBenchBodies;

/// TACT_NO_MEMORY, or what tact_contact_batch_create() says.
TactStatus tact_bench_bodies_create(TactDevice device, TactContactCone cone, int count,
                                    int contacts, int directions, TactBenchBodies *bodies);
void       tact_bench_bodies_destroy(TactBenchBodies *bodies);

/// What the processor says of the first answers.
typedef struct TactBenchCheck {
    int    checked;
    int    refused;    // certified by the device, and refused by tact_contact_certify()
    double worst;      // largest error of those that are certified
    double difference; // largest relative difference of the two certificates, errors above 1e-14
    int    same;       // velocity as the processor's own answer, to 1e-8 of the free one
    int    solved;     // by the processor's own solver, `reduced`
    double seconds;    // of that, all threads
} TactBenchCheck;

TactStatus tact_bench_bodies_check(const TactBenchBodies *bodies, TactWorkers *workers, int count,
                                   TactBenchCheck *check);

#endif
