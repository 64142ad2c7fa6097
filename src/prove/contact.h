// The two provers of contact answers.
#ifndef TACT_PROVE_CONTACT_H
#define TACT_PROVE_CONTACT_H

#include <tact/prove.h>

/// Rational, for the pyramid and the friction box. Only with GMP.
TactStatus tact_prove_pyramid(const TactContactProblem *problem, TactContactCone cone,
                              const TactContactAnswer *answer, const TactProofConfig *config,
                              TactProof *proof);

/// Adds exact ranges to a proof of it. Only with GMP.
TactStatus tact_pyramid_find_ranges(const TactContactProblem *problem, TactContactCone cone,
                                    const TactProofConfig *config, TactProof *proof);

/// By intervals, for the circular cone.
TactStatus tact_prove_circle(const TactContactProblem *problem, const TactContactAnswer *answer,
                             const TactProofConfig *config, TactProof *proof);

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
