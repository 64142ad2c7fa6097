// What the factor of a given W leaves out.
//
// Files of other programs have a W that is not quite symmetric, and not quite semidefinite. The
// system has the columns C of W = C'C + R: the symmetric part of W, cut at its rank. For impulses p
// that are nearly right, R p is nearly what it is for the right ones, so that it can go into the
// offsets, and the system is solved again:
//
//     u = C'C p+ + (e + R p)
//
// Where p+ = p, that is u of the W that was given. For problems given by W whose columns are built.
#ifndef TACT_CONTACT_CERTIFICATE_DEFECT_H
#define TACT_CONTACT_CERTIFICATE_DEFECT_H

#include "contact/system/system.h"

typedef struct TactDefect {
    double *e; // of the system as built                                         (3 items)
    double *b; // of the system as built                                         (3 items)
} TactDefect;

void tact_defect_layout(TactDefect *defect, const TactContactCapacity *capacity, TactArena *arena);

/// Keeps the offsets of the system.
void tact_defect_begin(TactDefect *defect, const TactSystem *system);

/// Puts R p into the offsets of the system. True if that changes a velocity by more than rounding.
bool tact_defect_correct(TactSystem *system, const TactContactProblem *problem, const double *p);

/// Gives the system its own offsets back.
void tact_defect_end(const TactDefect *defect, TactSystem *system);

#endif
