// Newton's method for a friction box that follows its own normals: where bounds taken from the last
// normals go to and fro, or away, the equations of the box and of its bounds are solved as one.
//
//     F_i(z) = z_i - clamp(z_i - w_i, lo_i, hi_i) = 0,    w = G z + g,    hi_i = -lo_i = r_i z_j
//
// for a friction i of the normal j. F is linear piece by piece; each step solves the piece that z
// lies in, in the least-norm sense where contacts are redundant.
#ifndef TACT_CONTACT_ASSEMBLED_BOX_NEWTON_H
#define TACT_CONTACT_ASSEMBLED_BOX_NEWTON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/// One box, scaled. Bounds of frictions do not count: they are those of their normals.
typedef struct TactBoxProblem {
    int           n;
    const double *G;       //                                           (n x n)
    const double *g;       //                                           (n)
    const double *lo, *hi; //                                          (n)
    const bool   *held;    // keeps its value                           (n)
} TactBoxProblem;

typedef struct TactBoxNewton {
    int    *normal; // of a friction, -1: its bounds are fixed         (n)
    double *ratio;  // r: mu, in the scaled unknowns                   (n)
    // The piece: what is free (F = w), and what follows its normal.
    int     free_count;
    int    *place; // among the free ones, or -1                     (n)
    double *slope; // dz_i / dz_j of what slides, else 0             (n)
    double *F, *w; //                                                (n)
    double *z;     //                                                (n)
    double *A;     // of the free ones                               (free x free)
    double *b, *x; //                                                (free)
    double *scratch;
    int    *perm;
} TactBoxNewton;

void tact_box_newton_layout(TactBoxNewton *newton, size_t n, TactArena *arena);

/// From z to a zero of F. False, and z as it was, if there is none within a few steps. normal and
/// ratio are to be set before.                                        z  in and out (n)
bool tact_box_newton(TactBoxNewton *newton, const TactBoxProblem *box, double *z);

#endif
