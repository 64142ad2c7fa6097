// One problem of a batch as contact.h has it, and its answer by the processor.
#ifndef TACT_GPU_BODY_RAW_H
#define TACT_GPU_BODY_RAW_H

#include <tact/contact_batch.h>

#include "gpu/module.h"

typedef struct TactBodyRaw {
    TactContactBody    body;
    TactContact        contacts[TACT_BODY_MAX_CONTACTS];
    TactContactProblem problem; // points to these
} TactBodyRaw;

/// Problem i of arrays of the host.
void tact_body_raw_read(const TactBodyProblems *problems, int i, int directions, TactBodyRaw *raw);

/// Solves it, and writes impulses, velocity, error and pivots; the basis is cleared. Not an error
/// if it is not certified: then the error says so.
TactStatus tact_body_raw_solve(TactContactSolver *solver, const TactBodyRaw *raw,
                               const TactBodyAnswers *answers, int stride, int i, bool *certified);

/// A solver for such problems.
TactStatus tact_body_raw_create(TactContactMethod method, const TactBodyBatch *batch,
                                TactContactSolver **solver);

#endif
