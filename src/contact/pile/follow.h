// The root of a stage that fails (proximal/proximal.h), along a curve that begins at its impulses.
// docs/theory/pile.md
//
// The last stage has left impulses p^ and their motion, y_1 = y0 + C p^, which springs of this
// stage's k would not have. With the least changes r of the velocities that they would,
// p^ = P(p^ - (u + r) / k), the roots of
//
//     g(y, t) = y - y0 - C P(p^ - (C'y + e + t r) / k) = 0 (1)
//
// are curves. y_1 is on one of them, at t = 1; where it comes to t = 0 is the root of the stage.
// The law has three pieces (pieces.h), and states of contacts change one at a time: a change of
// rank 3, which needs no factor.
#ifndef TACT_CONTACT_PILE_FOLLOW_H
#define TACT_CONTACT_PILE_FOLLOW_H

#include "contact/pile/pieces.h"
#include "contact/proximal/proximal.h"

enum {
    TACT_PILE_CHANGED = 20, // items whose state may differ from that of the factor
    TACT_PILE_CHANGED_COLUMNS = 3 * TACT_PILE_CHANGED,
};

/// A point of the curve.
typedef struct TactPileFollowed {
    double         t;
    double        *y;      // (dof, whole blocks)
    TactPileState *state;  // by which the law is one of three smooth pieces         (items)
    int            newest; // item whose state has changed last, -1: none
} TactPileFollowed;

/// A = A_0 + sum_i C_i (B_i - B_0i) C_i' over items whose state is another one since A_0 was
/// factored.
typedef struct TactPileChanged {
    int     count;
    int     item[TACT_PILE_CHANGED];
    double  B[9 * TACT_PILE_CHANGED]; // B_0 of these
    int    *slot;                     // of an item; -1: its state is that of A_0   (items)
    double *columns;                  // A_0^-1 C_i               (CHANGED_COLUMNS x dof, blocks)
    double *G;                        // C_i' A_0^-1 C_j               (CHANGED_COLUMNS squared)
    double *K;                        // I + (B - B_0) G, and its factor                (the same)
    double *felt;                     // r_i and what the curve of A_0 does    (CHANGED_COLUMNS)
    double *right, *q;                // of a system with K                    (CHANGED_COLUMNS)
    int    *perm;                     //                                       (CHANGED_COLUMNS)
} TactPileChanged;

typedef struct TactPileFollow {
    TactProximal    *proximal; // lent
    TactPileFollowed now, last;
    TactPileChanged  changed;
    double          *r;           // changes of velocities                         (3 items)
    double          *z;           // p^ - (u + t r) / k                            (3 items)
    double          *du;          // what a step does to u + t r                   (3 items)
    double          *across;      // a step back to the curve                (dof, whole blocks)
    double          *along;       // one along it, for dt = 1                (dof, whole blocks)
    double          *base;        // the same with the states of the factor  (dof, whole blocks)
    double           load;        // mean of the normal impulses: its unit of impulses
    double           across_t;    // change of t across
    double           across_p;    // largest change of an impulse across
    double           along_p;     //   and along, for dt = 1
    int              first, sign; // of the determinant: where it began, and of the factor
    int              reach;       // changes from one factor to the next
    int              made;        //   since the last one
    int              changes;     // of the last run,
    int              factors;     //   and its factors
    double           solve_work;  // operations of a solve
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
