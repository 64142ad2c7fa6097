// Families of LCPs: the same problems for tests, benchmarks and whoever tunes a method.
//
// A problem is a function of (family, seed) and of nothing else.
#ifndef TACT_BENCH_PROBLEMS_FAMILIES_H
#define TACT_BENCH_PROBLEMS_FAMILIES_H

#include <tact/lcp.h>

/// What is known of every problem of a family.
enum {
    TACT_FAMILY_SOLVABLE = 1 << 0, // a solution exists (but for the rounding of M and q)
    TACT_FAMILY_UNIQUE = 1 << 1,   // and no other
    TACT_FAMILY_ORDINARY = 1 << 2, // no disturbed geometry, no mass ratio beyond 1:1000, nothing
                                   //   made to be difficult
    TACT_FAMILY_CONTACT = 1 << 3,  // rigid bodies in contact
};

/// A problem that owns its arrays; `problem` points into them.
typedef struct TactFamilyProblem {
    TactLcpProblem problem;
    double        *M;        // (n x n)
    double        *q;        // (n)
    double        *lo;       // NULL: all 0                    (n)
    double        *hi;       // NULL: all +infinity            (n)
    int           *f_index;  // NULL: none                     (n)
    int            contacts; // 0: not a contact problem
    int            bodies;
} TactFamilyProblem;

typedef struct TactFamily TactFamily;

struct TactFamily {
    const char *name;
    const char *group; // spd, bounds, frictionless, box, friction, near, hard
    unsigned    flags; // TACT_FAMILY_*
    TactStatus (*make)(const TactFamily *family, TactRandom *random, TactFamilyProblem *out);
    int           size;   // unknowns, contacts, or contacts an interface: see make
    int           bodies; // stacks: their number
    const double *masses; // stacks: from the bottom up; NULL: all 1                  (bodies)
    double        extra;  // what else make needs
};

/// All families, in the order of the tables.
const TactFamily *tact_families(int *count);

/// NULL if there is none of that name.
const TactFamily *tact_family_find(const char *name);

/// TACT_NO_MEMORY is the only failure. Free with tact_family_problem_destroy().
TactStatus tact_family_generate(const TactFamily *family, uint64_t seed, TactFamilyProblem *out);
void       tact_family_problem_destroy(TactFamilyProblem *problem);

#endif
