// Piles that move: hundreds or thousands of contacts of bodies that tumble. docs/theory/pile.md
//
// An interior-point method gives a start (interior.h). From there the whole pile takes stages of
// the method of multipliers at a moderate stiffness; what they leave is local, and is solved
// exactly, a few bodies at a time, with all other impulses held (spots.h, local.h). Where that
// jams, the curve from soft to stiff springs is followed through its folds (curve.h), or contacts
// lift as they slip, ever less (dilate.h); what is jammed still is kicked: a path of ever stiffer
// springs (proximal/proximal.h) leads elsewhere, and so on.
#ifndef TACT_CONTACT_PILE_PILE_H
#define TACT_CONTACT_PILE_PILE_H

#include "contact/pile/curve.h"
#include "contact/pile/dilate.h"
#include "contact/pile/interior.h"
#include "contact/pile/local.h"
#include "contact/pile/parallel.h"
#include "contact/pile/spots.h"
#include "contact/proximal/proximal.h"

typedef struct TactPileSolver {
    TactCoupling    *coupling; // lent
    TactProximal    *proximal; // lent
    TactInterior     interior;
    TactPileSpots    spots;
    TactPileLocal    local;
    TactPileParallel parallel;
    TactPileCurve    curve;
    TactPileDilate   dilate;
    double          *u;     // velocities at p                                   (3 items)
    double          *scale; // of the errors                                     (items)
    double          *bad;   // what is bad about an item: its error over the tolerance, or its part
                            //   of a stage that failed                          (items)
    double *y;              // motion of p                                       (dof)
    double *kept;           // impulses before a round                           (3 items)
    double *best;           // of the smallest error                             (3 items)
    double  best_error;     // over the tolerance
    double  error;          // of p, the worst over the scales
    double  allowed;        // error: what is asked for
    double  merit;          // sum of residual^2 / w
    bool    failed;         // the last stage did
    bool    kicked;         // it is tact_pile_kick() that runs: more patience
    int     spots_solved, spots_tried; // of all rounds
    int     curves_ended, curves_tried;
} TactPileSolver;

void tact_pile_layout(TactPileSolver *pile, const TactContactCapacity *capacity, TactArena *arena);

/// What threads have made it take beside the arena.
void tact_pile_destroy(TactPileSolver *pile);

/// From nothing, through a begun proximal path. True if the error (coupling.h) came below tol; p is
/// the answer, or the best that was seen.                                      p: (3 items)
bool tact_pile_run(TactPileSolver *pile, TactProximal *proximal, double tol, double *p);

/// From impulses that tact_pile_run() has left: contacts that lift as they slip, from the slips of
/// the motion before the step, curves and kicks.                                before: (dof)
bool tact_pile_kick(TactPileSolver *pile, TactProximal *proximal, const double *before, double tol,
                    double *p);

#endif
