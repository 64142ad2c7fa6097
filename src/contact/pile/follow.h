// The root of a stage that fails (proximal/proximal.h), along a curve that begins at its impulses.
// docs/theory/pile.md
//
// The last stage has left impulses p^ and their motion, y_1 = y0 + C p^, which springs of this
// stage's k would not have. With the least changes r of the velocities that they would,
// p^ = P(p^ - (u + r) / k), the roots of
//
//     g(y, t) = y - y0 - C P(p^ - (C'y + e + t r) / k) - t rho = 0 (1)
//
// are curves. With rho = 0 y_1 is on one of them, at t = 1; where it comes to t = 0 is the root of
// the stage. The law has three pieces (pieces.h), and states of contacts change one at a time: a
// change of rank 3, which needs no factor (changed.h). What the curvature of a slip's direction
// leaves of g becomes t rho: the point is on the curve of that rho then, which ends at the same
// root.
#ifndef TACT_CONTACT_PILE_FOLLOW_H
#define TACT_CONTACT_PILE_FOLLOW_H

#include "contact/pile/changed.h"
#include "contact/pile/fours.h"

typedef struct TactPileFollow {
    TactProximal   *proximal; // lent
    TactPileFours   fours;    // z = p^ - (u + t r) / k of the items
    TactPileChanged changed;  // the matrix
    double          t;
    double         *y;       // of the point                            (dof, whole blocks)
    double         *r;       // changes of velocities                             (3 items)
    double         *rho;     // (dof, whole blocks)
    double         *shift;   // L^-1 of what r does, at the factor      (dof, whole blocks)
    double         *base;    // the same and that of rho                (dof, whole blocks)
    double         *along;   // step along the curve, for dt = 1        (dof, whole blocks)
    double         *half;    // scratch of solves                       (dof, whole blocks)
    double          load;    // mean impulse along the normals of p^
    double          least;   // t so far,
    int             since;   //   and changes since then
    int             first;   // sign of the determinant where the curve began,
    int             sign;    //   and now
    int             newest;  // item whose state has changed last; -1: none
    int             made;    // changes since the factor,
    int             unseen;  //   and since the last rho
    int             changes; // of the last run,
    int             factors; //   and its factors
    double          work;    // operations of a change
} TactPileFollow;

void tact_pile_follow_layout(TactPileFollow *follow, const TactContactCapacity *capacity,
                             TactArena *arena);

/// Does the method take a begun path? Contacts on circles alone, rigid ones, with a factor by
/// blocks.
bool tact_pile_follow_takes(const TactProximal *proximal);

/// Follows the curve of the stage of eps about p. True: y, g and p of the path are those of its
/// end.                                                                            p: (3 items)
bool tact_pile_follow_run(TactPileFollow *follow, TactProximal *proximal, double eps,
                          const double *p);

#endif
