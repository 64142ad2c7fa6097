// Piles that move: hundreds or thousands of contacts of bodies that tumble. docs/theory/pile.md
//
// An interior-point method gives a start (interior.h), and a path of ever stiffer springs goes on
// from there (proximal/proximal.h). A pile that jams is kicked: paths from where the last one has
// come to, with springs that begin softer or stiffer, in turn with curves from soft to stiff
// springs that are followed through their folds (curve.h). After these, stages that fail are
// followed to their root (follow.h). What is jammed still is solved with contacts that lift as they
// slip, ever less (dilate.h).
#ifndef TACT_CONTACT_PILE_PILE_H
#define TACT_CONTACT_PILE_PILE_H

#include "contact/pile/curve.h"
#include "contact/pile/dilate.h"
#include "contact/pile/follow.h"
#include "contact/pile/interior.h"
#include "contact/proximal/proximal.h"

typedef struct TactPileSolver {
    TactCoupling  *coupling; // lent
    TactProximal  *proximal; // lent
    TactInterior   interior;
    TactPileCurve  curve;
    TactPileDilate dilate;
    TactPileFollow follow;
    double        *y;          // motion of p                                       (dof)
    double        *kept;       // impulses at the end of a curve                    (3 items)
    double        *best;       // of the smallest error                             (3 items)
    double         best_error; // over the tolerance
    int            curves_ended, curves_tried;
} TactPileSolver;

void tact_pile_layout(TactPileSolver *pile, const TactContactCapacity *capacity, TactArena *arena);

/// From nothing, through a begun proximal path. True if the error (coupling.h) came below tol; p is
/// the answer, or the best that was seen.                                      p: (3 items)
bool tact_pile_run(TactPileSolver *pile, TactProximal *proximal, double tol, double *p);

/// A problem whose path has jammed.
typedef struct TactPileJam {
    const double *before;  // the motion before the step                               (dof)
    double        tol;     // of the error (coupling.h)
    int           most;    // factors of all kicks and curves
    bool          is_near; // p is nearly good enough: springs of the first kick are stiff
} TactPileJam;

/// From impulses that tact_pile_run() has left, of this problem or of one with nearly the same
/// contacts: kicks and curves, then contacts that lift as they slip, from the slips of the motion
/// before the step.
bool tact_pile_kick(TactPileSolver *pile, TactProximal *proximal, const TactPileJam *jam,
                    double *p);

/// Factors that all kicks and curves of a problem may take.
int tact_pile_jam_factors(const TactProximal *proximal);

#endif
