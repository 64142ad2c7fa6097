// The law of contacts that resist sliding, spinning and rolling in exact rationals, written from
// its definition and apart from the library: a second opinion on rational proofs. Free bodies, with
// gyroscopic torque, restitution, compliance and moving surfaces.
//
//     M (v+ - v) = h (f - gyroscopic) + J' (p, m)
//     0 <= p_n _|_ u_n >= 0
//     every part of friction, x_k = p_k / mu_k: x in p_n P and -x'(mu u) = p_n max_j -d_j'(mu u)
#ifndef TESTS_PROVE_EXACT_PATCH_H
#define TESTS_PROVE_EXACT_PATCH_H

#include <stdbool.h>
#include <tact/prove.h>

/// Does the exact solution of a rational proof obey all of it?
bool exact_patch_holds(const TactContactProblem *problem, const TactProof *proof);

/// The same with entry i of a part changed by a unit in the last place of its denominator.
bool exact_patch_holds_forged(const TactContactProblem *problem, const TactProof *proof,
                              TactProofPart part, int i);

#endif
