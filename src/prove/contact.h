// The two provers of contact answers.
#ifndef TACT_PROVE_CONTACT_H
#define TACT_PROVE_CONTACT_H

#include <tact/prove.h>

#include "contact/patch.h"

/// What is to be proved, or an island of it. Where contacts resist spinning or rolling, or have two
/// coefficients, provers see the expanded problem (contact/patch.h); what a proof holds is about
/// the given one.
typedef struct TactProveTask {
    const TactContactProblem *given;
    const TactContactAnswer  *given_answer; // NULL: none is needed
    const TactContactProblem *problem;      // given, or the expanded one
    const TactContactAnswer  *answer;       // of it
    const TactPatches        *patches;      // NULL: none
    TactContactCone           cone;
    TactProofConfig           config;
    TactProof                *proof;
} TactProveTask;

/// Discs of its patches; none without.
typedef struct TactProveDiscs {
    int             count;
    const TactDisc *at; // (count)
} TactProveDiscs;

static inline TactProveDiscs tact_task_discs(const TactProveTask *task)
{
    return task->patches ? (TactProveDiscs){task->patches->disc_count, task->patches->discs}
                         : (TactProveDiscs){0, NULL};
}

/// Memory of the expanded problem of a task.
typedef struct TactProvePatches {
    TactPatches       patches;
    TactContactAnswer answer;
    TactArena         arena;
} TactProvePatches;

/// Expands the problem of a task, and its answer, if it has patches. The memory is released in any
/// case.
TactStatus tact_task_expand(TactProveTask *task, TactProvePatches *memory);
void       tact_task_release(TactProvePatches *memory);

/// Contact, or contact_count + row, of the given problem that a state belongs to.
int tact_task_owner(const TactProveTask *task, int state);

/// Variable of the laws, without those of the motion, of an entry of IMPULSE, ROW_IMPULSE or
/// MOMENT; -1: it is 0.
int tact_task_place(const TactProveTask *task, TactProofPart part, int i);

/// Rational, for the pyramid and the friction box. Only with GMP.
TactStatus tact_prove_pyramid(const TactProveTask *task);

/// Adds exact ranges to a proof of it. Only with GMP.
TactStatus tact_pyramid_find_ranges(const TactProveTask *task);

/// By intervals, for the circular cone.
TactStatus tact_prove_circle(const TactProveTask *task);

/// A prover of one whole problem, or of an island of it.
typedef TactStatus TactContactProver(const TactContactProblem *problem, TactContactCone cone,
                                     const TactContactAnswer *answer, const TactProofConfig *config,
                                     TactProof *proof);

/// Proves a problem island by island: parts that share no body, no degree of freedom and no entry
/// of W. *divided is false, and nothing is done, where there is one only.
TactStatus tact_prove_islands(const TactContactProblem *problem, TactContactCone cone,
                              const TactContactAnswer *answer, const TactProofConfig *config,
                              TactContactProver *prover, TactProof *proof, bool *divided);

/// Judges a solution whose parts are set: how far it is from the answer, and whether that is near
/// enough. Impulses at contacts and rows that are not unique, by the rank of the active rows, may
/// be others than in the answer if velocities are the same.
TactStatus tact_prove_judge(const TactContactProblem *problem, const TactContactAnswer *answer,
                            const TactProofConfig *config, TactProof *proof);

/// Largest |x_i|.                                                                (count)
double tact_prove_largest(const double *x, int count);

/// Largest entry of the velocities before and after the step, and of what the impulses of contacts
/// and rows do where they act.
double tact_prove_largest_speed(const TactContactProblem *problem, const TactContactAnswer *answer);

#endif
