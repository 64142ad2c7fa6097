// What the long test of the contact methods counts, family by family and run by run.
#ifndef TESTS_CONTACT_FAMILIES_RUN_H
#define TESTS_CONTACT_FAMILIES_RUN_H

#include "bench/problems/contact_families.h"
#include "runs.h"

enum {
    MAX_FAMILIES = 96,
    MAX_RUNG_NAMES = 24,
    OUTCOMES = TACT_OUTCOME_UNBOUNDED + 1,
    MAX_KEPT = 8
};

// Largest errors, by the check of tests/oracle/contact_law.h, of an answer that is called solved at
// 1e-8. The strict measure and the certificate take the cone's excess and the slip together in
// other ways: by a factor of up to 1 + mu.
static const double CONTRADICTED = 1e-8;
static const double CONTRADICTED_STRICTLY = 3e-8;

/// One family, one run.
typedef struct Tally {
    int    problems; // that the method takes
    int    outcome[OUTCOMES];
    int    wrong;   // called solved, and not accepted by the oracle
    int    broken;  // the call returned an error other than "unsupported"
    double law;     // worst of what was called solved, by the oracle
    double strict;  //
    double motion;  //
    double error;   // worst of what was called solved, by the certificate
    double seconds; // of all solves
    double longest; // of one
    long   pivots;  //
    int    kept;    // seeds not solved or wrong, the first few
    int    seed[MAX_KEPT];
    int    smooth;   // frictionless problems besides those that give the reference
    int    compared; // velocities of them compared with those of the ladder
    double apart;    // largest distance of two
    int    apart_seed;
    int    only;   // problems that have one answer
    int    unique; // answers compared with it
    int    missed; // that are another
    double miss;   // largest distance
    int    miss_seed;
    int    warm; // second solves of the same problem, without pivots and by the last basis
    int    again;
} Tally;

typedef struct RungTally {
    char   name[40];
    int    tried[2]; // pyramid, circle
    int    solved[2];
    double seconds[2]; // of the solves that it ended, all rungs together
    double longest[2];
} RungTally;

typedef struct Count {
    Tally     tally[MAX_FAMILIES][MAX_RUNS];
    RungTally rung[MAX_RUNG_NAMES];
    int       done;
    int       finished;
} Count;

/// Only runs whose name starts so; "": all.
extern const char *families_only_runs;

/// The first seed of every family (0); a range of a long run begins elsewhere.
extern int families_first;

/// Which problems: seeds [families_first, families_first + seeds) of a family whose number modulo
/// stride is first.
typedef struct Share {
    int first;
    int stride;
} Share;

/// Solves so many problems of a family by every run and counts.
void families_run(const TactCaseFamily *family, int index, int seeds, Share share, Count *count);

/// Adds a count to another.
void families_add(const Count *part, Count *sum);

/// Directions of the pyramids for a seed.
int families_directions(const TactCaseFamily *family, int seed);

#endif
