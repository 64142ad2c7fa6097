// Problems by number, every method on each, every 'solved' checked by an oracle.
//
// Number k: three in four are nasty (nasty.h, seed k), the others are of the families of
// `tact bench` (bench/problems/contact_families.h), one after the other. From number 10^9 on: small
// nasty ones (nasty_make_small()).
#ifndef TESTS_CONTACT_PROOF_RUN_H
#define TESTS_CONTACT_PROOF_RUN_H

#include <stdio.h>

#include "oracle/contact_proof.h"
#include "runs.h"

/// planted, free and none of nasty.h, families, and the first three once more of small problems.
enum { PROOF_SOURCES = 7 };

/// The first number of a small problem.
#define PROOF_SMALL 1000000000L
extern const char *const proof_sources[PROOF_SOURCES];

typedef struct ProofTally {
    long   answers;    // problems that the method takes
    long   answerable; // of these that are known to have an answer for its cone
    long   solved;     // called solved
    long   missed;     // answerable, and not
    long   wrong;      // solved, and contradicted
    long   exact;      // of the solved ones, checked in exact rationals too
    long   low;        // of the solved ones, beyond doubles (TactContactAnswer.low)
    double ratio;      // worst of the solved ones: what is measured over its bound
    double seconds;
} ProofTally;

typedef struct ProofCount {
    ProofTally tally[PROOF_SOURCES][MAX_RUNS];
    long       problems;
    long       planted;        // of these
    long       refused_plants; // not accepted by the oracle, for the pyramid or the circle
} ProofCount;

/// Problems first .. first + count - 1. What is wrong, or missed by the ladder, is written to the
/// folder as JSON and told on stdout; folder NULL: told only.
void proof_run(long first, long count, const char *folder, ProofCount *out);

/// Adds a line for every source and run to a CSV file, with a head where it is new.
bool proof_write(const char *path, long first, long count, const ProofCount *counted);

/// The number after the last that the file knows, of the small ones or the others; without a file
/// the first one.
long proof_next(const char *path, bool small);

/// Adds up all ranges of a file; false: there is none.
bool proof_read(const char *path, ProofCount *sum);

/// A table.
void proof_print(const ProofCount *counted);

/// Solved, wrong and so on of all sources and runs.
ProofTally proof_sum(const ProofCount *counted);

#endif
