// What a proof holds, and how provers fill it in.
#ifndef TACT_PROVE_PROOF_H
#define TACT_PROVE_PROOF_H

#include <tact/prove.h>

#include "prove/rational/rational.h"

struct TactProof {
    TactProofReport report;
    int            *blocked; // (report.blocked_count)
    int             room;    // of blocked
    const int      *source;  // of an island: contact, contact_count + row of the whole problem;
    int             whole;   //   contact_count of that. NULL: the problem is whole
    int             count[TACT_PROOF_PART_COUNT];
    double         *bounds[TACT_PROOF_PART_COUNT]; // lo, hi of every entry               (2 count)
#ifdef TACT_HAVE_GMP
    mpq_t *exact[TACT_PROOF_PART_COUNT]; // NULL: none                           (count)
#endif
};

TactStatus tact_proof_create(TactProofKind kind, TactProof **proof);
TactStatus tact_proof_check_config(const TactProofConfig *config, TactProofConfig *copy);

/// Room for the entries of a part: bounds, and exact values for a rational proof.
TactStatus tact_proof_make_part(TactProof *proof, TactProofPart part, int count);

/// Forgets all parts, for another try.
void tact_proof_forget(TactProof *proof);

/// Names a contact, row or unknown that stands in the way, once.
void tact_proof_block(TactProof *proof, int owner);

/// Forgets the ranges alone (TACT_PROOF_PART_LEAST and so on).
void tact_proof_forget_ranges(TactProof *proof);

/// Number of a contact, or of a row, as whoever asks for the proof counts them, for a sentence.
///   owner  contact, contacts + row of the problem that is proved
int tact_proof_number(const TactProof *proof, int contacts, int owner);

/// Sets the sentence, and returns false: `return tact_proof_not(...)`.
__attribute__((format(printf, 2, 3))) bool tact_proof_not(TactProof *proof, const char *format,
                                                          ...);

#ifdef TACT_HAVE_GMP
/// Sets an exact entry, and its bounds.
void tact_proof_set_exact(TactProof *proof, TactProofPart part, int i, const mpz_t numerator,
                          const mpz_t denominator);
/// An end of a range that is not bounded: +infinity (sign 1) or -infinity.
void tact_proof_set_infinite(TactProof *proof, TactProofPart part, int i, int sign);
void tact_proof_set_double(TactProof *proof, TactProofPart part, int i, double value);
#endif

#endif
