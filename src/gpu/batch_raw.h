// One problem of a batch as contact.h has it, and its answer by the processor.
#ifndef TACT_GPU_BATCH_RAW_H
#define TACT_GPU_BATCH_RAW_H

#include <tact/contact_batch.h>

#include "gpu/module.h"

typedef struct TactBodyRaw {
    TactContactBody    body;
    TactContact        contacts[TACT_BODY_MAX_CONTACTS];
    TactContactProblem problem; // points to these
} TactBodyRaw;

/// Problem i of arrays of the host.
void tact_body_raw_read(const TactBodyProblems *problems, int i, int directions, TactBodyRaw *raw);

typedef struct TactMechanismRaw {
    double             M[TACT_MECHANISM_MAX_DOF * TACT_MECHANISM_MAX_DOF];
    TactContact        contacts[TACT_MECHANISM_MAX_CONTACTS];
    TactContactProblem problem; // points to these, and to the arrays of problems
} TactMechanismRaw;

void tact_mechanism_raw_read(const TactMechanismProblems *problems, int i, int directions,
                             TactMechanismRaw *raw);

/// Solves a problem, and writes impulses, velocity, error and pivots; the basis is cleared. Not an
/// error if it is not certified: then the error says so.
TactStatus tact_batch_raw_solve(TactContactSolver *solver, const TactContactProblem *problem,
                                const TactBodyBatch *batch, int i, bool *certified);

/// A solver for the problems of a batch.
TactStatus tact_batch_raw_create(TactContactMethod method, const TactBodyBatch *batch,
                                 TactContactSolver **solver);

#endif
