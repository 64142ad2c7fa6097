// Families of contact problems: a problem is a function of (family, seed, directions) alone.
#ifndef TACT_BENCH_PROBLEMS_CONTACT_FAMILIES_H
#define TACT_BENCH_PROBLEMS_CONTACT_FAMILIES_H

#include "bench/problems/contact_scenes.h"

/// What is known of every problem of a family. All of them have a solution (but for rounding).
enum {
    TACT_CASE_FRICTIONLESS = 1 << 0, // mu = 0 everywhere: the velocity is unique
    TACT_CASE_SMALL = 1 << 1,        // few enough contacts to enumerate with four directions
    TACT_CASE_NEAR = 1 << 2,         // geometry disturbed by 1e-12 to 1e-5
};

/// What is done to a shape after it is made.
typedef enum TactCaseMu {
    TACT_CASE_MU_OWN,   // as the shape has it
    TACT_CASE_MU_ZERO,  // none
    TACT_CASE_MU_EQUAL, // one for all contacts, 0 to 2
    TACT_CASE_MU_MIXED, // each its own, 0 to 2, one in five 0
} TactCaseMu;

enum {
    TACT_CASE_TURN = 1 << 0,      // every second seed: the world is turned
    TACT_CASE_DISTURB = 1 << 1,   // points and normals by 1e-12 to 1e-5
    TACT_CASE_DELASSUS = 1 << 2,  // given by W
    TACT_CASE_RESCALE = 1 << 3,   // in random units
    TACT_CASE_BOUNCE = 1 << 4,    // restitution 0 to 1 (normals that all point one way only)
    TACT_CASE_SEPARATE = 1 << 5,  // bias of both signs (the same)
    TACT_CASE_COMPLIANT = 1 << 6, // normals give way
};

typedef struct TactCaseFamily TactCaseFamily;

struct TactCaseFamily {
    const char *name;
    const char *group;
    unsigned    flags; // TACT_CASE_FRICTIONLESS ...
    TactStatus (*make)(const TactCaseFamily *family, TactRandom *random, TactContactCase *out);
    int           size;   // contacts, contacts an interface, joints: see make
    int           bodies; // or fingers
    double        extra;
    const double *masses; // stacks: from the bottom up; NULL: all 1
    TactCaseMu    mu;
    unsigned      options; // TACT_CASE_TURN ...
};

/// All families, in the order of the tables.
const TactCaseFamily *tact_case_families(int *count);

/// NULL if there is none of that name.
const TactCaseFamily *tact_case_family_find(const char *name);

/// TACT_NO_MEMORY is the only failure; free with tact_case_destroy() in any event.
TactStatus tact_case_generate(const TactCaseFamily *family, uint64_t seed, int directions,
                              TactContactCase *out);

#endif
