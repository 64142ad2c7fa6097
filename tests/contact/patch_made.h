// Random problems with contacts that resist sliding, spinning and rolling: single bodies, stacks
// and grasps, all combinations of coefficients, zeros included.
#ifndef TESTS_CONTACT_PATCH_MADE_H
#define TESTS_CONTACT_PATCH_MADE_H

#include <stdint.h>
#include <tact/contact.h>

#include "contact/patch_law.h"

typedef struct PatchMade {
    TactContactProblem problem;
    TactContactBody    bodies[PATCH_BODIES];
    TactContact        contacts[PATCH_CONTACTS];
} PatchMade;

void patch_make(PatchMade *made, uint64_t seed);

/// Has a contact one bound for sliding and turning? It is round: no pyramid has it.
bool patch_has_ellipsoid(const TactContactProblem *problem);

/// An answer of the ladder.
typedef struct PatchSolved {
    double            p[3 * PATCH_CONTACTS], m[3 * PATCH_CONTACTS], v[6 * PATCH_BODIES];
    TactContactAnswer answer;
} PatchSolved;

/// False: not solved. An error fails the test.
bool patch_solve(const TactContactProblem *problem, TactContactCone cone, PatchSolved *solved);

/// W = J M^-1 J' and u_free = J (v + h M^-1 f): six rows of a contact that resists spinning or
/// rolling, three of another. n: rows of all, patch_count_rows().
void   patch_make_delassus(const TactContactProblem *problem, size_t n, double *W, double *u_free);
size_t patch_count_rows(const TactContactProblem *problem);

#endif
