// The roots of a pile with springs (proximal/proximal.h) as a curve from soft to stiff, followed
// through its folds. docs/theory/pile.md
//
// With the centres p^ held, k_i = w_i / s of stiffness s, the roots of
//
//     g(y, s) = y - y0 - C P(p^ - s u / w) = 0 (1)
//
// are curves. At s = 0 there is one root, y0 + C p^, and no curve that begins there comes back: it
// reaches every s. Where it turns round (a load gives way, and the next root is far away) Newton's
// method for a fixed s finds none; here s goes back for a while.
#ifndef TACT_CONTACT_PILE_CURVE_H
#define TACT_CONTACT_PILE_CURVE_H

#include "contact/pile/pieces.h"
#include "contact/proximal/proximal.h"

/// A point of the curve.
typedef struct TactPilePoint {
    double         stiffness; // s
    double        *y;         // (dof, whole blocks)
    TactPileState *state;     // by which the law is one of three linear pieces    (items)
    double        *beyond;    // how far items are beyond their states, N s        (items)
    int            changed;   // the item whose state has just changed, -1: none
} TactPilePoint;

typedef struct TactPileCurve {
    TactProximal *proximal; // lent
    TactPilePoint now, last;
    double       *z;          // p^ - s u / w                                      (3 items)
    double       *across;     // a step back to the curve                          (dof, blocks)
    double       *along;      // one along it, for ds = s                          (dof, blocks)
    double       *across_u;   // what they do to u, with that of s                 (3 items)
    double       *along_u;    //                                                   (3 items)
    double        load;       // mean of the normal impulses: its unit of impulses
    double        across_s;   // change of s across, over s
    double        across_p;   // largest change of an impulse across
    double        along_p;    //   and along, for ds = s
    double        usual;      // |along|^2 away from folds
    double        reach;      // change of an impulse that a step may make, in loads
    double        step, gone; // the last step, over s, and what it did, in loads
    int           direction;  // 1: s grows along the curve, -1: it falls
    int           steps;      // factors of the last run
    int           changes;    // of states, in it
    int           folds;      // passed
} TactPileCurve;

void tact_pile_curve_layout(TactPileCurve *curve, const TactContactCapacity *capacity,
                            TactArena *arena);

/// Does the method take a begun path? Contacts on circles alone, rigid ones, without threads.
bool tact_pile_curve_takes(const TactProximal *proximal);

/// Follows the curve of the centres p from soft springs to those of eps, with at most so many
/// factors. y = y0 + C p. True: p is that of its end. False: p is as it was.   y: (dof)
bool tact_pile_curve_run(TactPileCurve *curve, TactProximal *proximal, const double *y, double eps,
                         int most, double *p);

#endif
