// The two provers of contact answers.
#ifndef TACT_PROVE_CONTACT_H
#define TACT_PROVE_CONTACT_H

#include <tact/prove.h>

/// Rational, for the pyramid and the friction box. Only with GMP.
TactStatus tact_prove_pyramid(const TactContactProblem *problem, TactContactCone cone,
                              const TactContactAnswer *answer, const TactProofConfig *config,
                              TactProof *proof);

/// By intervals, for the circular cone.
TactStatus tact_prove_circle(const TactContactProblem *problem, const TactContactAnswer *answer,
                             const TactProofConfig *config, TactProof *proof);

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
