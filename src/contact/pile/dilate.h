// Piles that jam: contacts lift as they slip at first, and ever less. docs/theory/pile.md
//
// With the law of proximal/dilatancy.h a jam has one answer, or few: what slips lifts, and a body
// between others comes no further than they let it. A stage after the other puts s^ to the slip
// that was found, so that what may slip does so faster from stage to stage, and p^ to the impulses.
// Where both stay as they are, the answer is one of Coulomb's law, whatever d is. Where a stage has
// no root near, springs are made softer and d larger; d = 0 has the folds of Coulomb's law.
#ifndef TACT_CONTACT_PILE_DILATE_H
#define TACT_CONTACT_PILE_DILATE_H

#include "contact/pile/interior.h"
#include "contact/proximal/proximal.h"

typedef struct TactPileDilate {
    TactProximal *proximal;         // lent
    TactInterior *interior;         // lent
    double       *slip;             // s^ of the interior points                         (items)
    double       *y;                // motion at the end of the last stage that had one  (dof)
    double       *kept;             // impulses before a path                            (3 items)
    double       *best;             // of the smallest error                             (3 items)
    double        best_error;       // over the tolerance
    double        error;            // of the last stage, the worst over the scales
    double        eps;              // compliance of the springs, in units of w
    int           stages, failures; // of the last run
} TactPileDilate;

void tact_pile_dilate_layout(TactPileDilate *dilate, const TactContactCapacity *capacity,
                             TactArena *arena);

/// Does the method take a begun path? Rigid contacts on circles, without moments; rows of joints
/// and motors as they are.
bool tact_pile_dilate_takes(const TactProximal *proximal);

/// From the slips of a motion, that before the step, with at most so many factors. True if the
/// error (coupling.h) came below tol; p is the answer, or the best that was seen.
///                                                                before: (dof)  p: (3 items)
bool tact_pile_dilate_run(TactPileDilate *dilate, TactInterior *interior, TactProximal *proximal,
                          const double *before, double tol, int most, double *p);

#endif
