// Joint rows projected out: an orthonormal basis of what they hold, by Householder reflections.
//
// In raw whitened coordinates x the rows ask B' x+ = t, B = G^-1 J'. With column pivoting
//
//     B P = Q [R; 0],    Q = H_1 H_2 ... H_r S
//
// the first r coordinates of Q' x are fixed by t, the others are free: they are the y of the
// system. A reflection turns a row onto the coordinate in which it is largest, and S puts these
// coordinates first: so it mixes nothing that the row does not touch, and what moves in other trees
// stays apart. Rows that others imply have no pivot; they are counted and given no impulse.
#ifndef TACT_CONTACT_SYSTEM_BILATERAL_H
#define TACT_CONTACT_SYSTEM_BILATERAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct TactBilateral {
    int       dof;   // raw
    int       count; // rows given
    int       rank;
    double   *rows;    // B', then the reflectors: row k is column k of B         (count x dof)
    int      *first;   // entries of a reflector before this one are 0            (count)
    int      *end;     // and from this one on                                    (count)
    double   *beta;    // of the reflectors                                       (count)
    double   *R;       // R', row by row as the rows were given                   (count x count)
    double   *diag;    // of R                                                    (count)
    int      *order;   // row at each pivot                                       (count)
    int      *lead;    // coordinate at each pivot                                (count)
    bool     *held;    // is a coordinate a lead?                                 (dof)
    int      *free;    // the coordinates that are none, in order                 (dof)
    uint64_t  leads;   // the leads as bits; of 64 dofs at most
    uint64_t *touched; // coordinates that a reflector mixes, as bits; of 64 dofs at most (count)
    double   *fixed;   // a: the first rank coordinates of Q' x+                  (count)
    double   *kept;    // scratch                                                 (count)
} TactBilateral;

void tact_bilateral_layout(TactBilateral *bilateral, int dof, int rows, TactArena *arena);

/// Factors the rows that stand in bilateral->rows.
void tact_bilateral_factor(TactBilateral *bilateral);

/// a = R'^-1 P' t: where the rows put the first rank coordinates.             target: (count)
void tact_bilateral_fix(TactBilateral *bilateral, const double *target);

/// x <- Q' x: the held coordinates first, the free ones after.                (dof)
void tact_bilateral_rotate(const TactBilateral *bilateral, double *x);
/// The free coordinates alone of four columns side by side, of 64 dofs at most. What the rows hold
/// is 0, and not what rounding leaves of it.
///   touched  coordinates in which a column may have entries    x: (dof x 4), the first free ones
void tact_bilateral_rotate_four(const TactBilateral *bilateral, uint64_t touched, double *x);
/// Free coordinates, as bits of the order they get, in which columns that touch these have entries.
uint64_t tact_bilateral_spread(const TactBilateral *bilateral, uint64_t touched);

/// x <- Q x                                                                   (dof)
void tact_bilateral_rotate_back(const TactBilateral *bilateral, double *x);

/// Impulses of the rows that move the held coordinates by `change`: B lambda = Q (change, 0).
///   change  destroyed (rank)    impulse  out, 0 for redundant rows (count)
void tact_bilateral_impulse(const TactBilateral *bilateral, double *change, double *impulse);

#endif
