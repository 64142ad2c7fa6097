// Contact problems given by matrices, as FCLIB and Siconos have them, and what tact makes of them.
//
//   local    u = W r + V l + q,    V' r + R l + s = 0                                           (1)
//   global   M v = H r + G l + f,  u = H' v + w,  G' v + b = 0                                  (2)
//
// with an impulse r in the cone of every contact, normal first, in 2 or 3 dimensions, or in 3 with
// two moments against rolling. V, R, s and
// G, b are optional. (1) becomes a problem given by W, from which l is eliminated; (2) becomes a
// problem given by M with a step of 1 s, v = 0 before it, tau = f and a bilateral row for every
// column of G; the parts of w are the bias and the surface velocity of a contact.
#ifndef TACT_IO_PROBLEM_CONTACT_MATRIX_H
#define TACT_IO_PROBLEM_CONTACT_MATRIX_H

#include "io/problem/contact_file.h"
#include "io/problem/matrix.h"

typedef struct TactFrictionMatrices {
    const char *name;      // of the file, for messages
    int         dimension; // d: 2 or 3; 5: 3 with two moments that resist rolling
    TactMatrix  W;         // (d nc x d nc)
    TactMatrix  V;         // (d nc x nl)
    TactMatrix  R;         // (nl x nl)
    TactMatrix  M;         // (nv x nv)
    TactMatrix  H;         // (nv x d nc)
    TactMatrix  G;         // (nv x nl)
    double     *q;         // (d nc)
    double     *s;         // (nl)
    double     *f;         // (nv)
    double     *w;         // (d nc)
    double     *b;         // (nl)
    double     *mu;        // (nc)
    double     *mu_roll;   // with five components; NULL: none   (nc)
} TactFrictionMatrices;

void tact_friction_destroy(TactFrictionMatrices *friction);

/// How many contacts nr components are; TACT_BAD_INPUT if they are not a multiple of d,
/// TACT_UNSUPPORTED if no solver takes so many.
TactStatus tact_friction_count(const TactFrictionMatrices *friction, int components, int *contacts);

/// (1) and (2) into the parts of a problem. Sizes have been checked: arrays fit each other.
TactStatus tact_friction_local(const TactFrictionMatrices *friction, TactContactParts *parts);
TactStatus tact_friction_global(const TactFrictionMatrices *friction, TactContactParts *parts);

/// The matrices of a checked problem: (1) if it is given by W, otherwise (2), with the impulses of
/// the step for r. TACT_UNSUPPORTED if they cannot hold something that the answer depends on; the
/// message names the format. Destroyed by the caller if it returns TACT_OK.
TactStatus tact_friction_make(const TactContactProblem *problem, const char *format,
                              TactFrictionMatrices *friction);

#endif
