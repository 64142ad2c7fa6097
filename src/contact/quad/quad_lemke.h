// Lemke's path in quadruple precision on a dense dictionary, for LCPs with free unknowns:
//
//     w = A z + q,   0 <= z_i _|_ w_i >= 0,   or z_i free and w_i = 0
//
// Ties are broken by an offset that is disturbed by 1e-20 of itself, at random: quads tell all of
// them apart, and the answer is that of the offset as it is. docs/theory/quadruple.md
//
// It shares no code with the paths in doubles: those keep an inverse of the basic block and watch
// its drift, which 113 bits make needless at these sizes.
#ifndef TACT_CONTACT_QUAD_QUAD_LEMKE_H
#define TACT_CONTACT_QUAD_QUAD_LEMKE_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/quad.h"

typedef struct TactQuadLemke {
    int       n;       // unknowns
    int       stride;  // columns that there is room for
    int       columns; // that are left; the last one is the artificial variable z_0
    TactQuad *T;       // basic variables over nonbasic ones              (n x (n + 1))
    TactQuad *q;       // values of the basic variables                   (n)
    TactQuad *disturbed;
    int      *basic;    // z_i is i, w_i is -1 - i, z_0 is n               (n)
    int      *nonbasic; //                                                 (n + 1)
    bool     *free;     //                                                 (n)
    TactQuad *z;        // out                                             (n)
    int       pivots;
} TactQuadLemke;

/// Runs twice (base/memory.h).
void tact_quad_lemke_layout(TactQuadLemke *lemke, int n, TactArena *arena);

/// A row of T is that of A, with lemke->stride entries, and q the offset; both are overwritten.
/// Paths of other numbers start from other covering vectors, and may end elsewhere. False: a ray,
/// or out of pivots.
bool tact_quad_lemke_solve(TactQuadLemke *lemke, int path, int max_pivots);

#endif
