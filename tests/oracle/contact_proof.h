// Is 'solved' true? The statements of docs/theory/contact-certificate.md ("What it implies") taken
// one by one from the facts of an answer, each against its bound. No line is shared with the
// certificate.
#ifndef TESTS_ORACLE_CONTACT_PROOF_H
#define TESTS_ORACLE_CONTACT_PROOF_H

#include "oracle/contact_facts.h"

typedef enum ProofPart {
    PROOF_DYNAMICS, // M (v+ - v) = h f + J'p of every body, (5) and (6)
    PROOF_APPROACH, // no contact approaches: statement 3
    PROOF_CONE,     // no impulse leaves its cone: statement 4
    PROOF_OPPOSES,  // contacts do not push where they open, friction opposes the slip
    PROOF_ROWS,     // joint rows, limits, motors
    PROOF_WORK,     // no contact or row works against its law: statement 2
    PROOF_ENERGY,   // no island gains what nothing gives it: statement 1
    PROOF_PARTS
} ProofPart;

extern const char *const contact_proof_parts[PROOF_PARTS];

typedef struct ContactProof {
    double ratio[PROOF_PARTS]; // worst of each over its bound; infinity for NaN
    double worst;              // of all: above 1 the answer is wrong
    int    part;
} ContactProof;

/// The bounds of an answer that is called solved at a tolerance.
ContactProof contact_proof(const TactContactProblem *problem, TactContactCone cone,
                           const ContactAnswer *answer, const ContactFacts *facts, double tol);

#endif
