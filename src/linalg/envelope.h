// LU without pivoting of a sparse matrix kept in its envelope:
//
//     A = L U,    L unit lower.
//
// Row i of L and column i of U reach from first[i] to i, whatever zeros they have in between, and
// fill stays inside. All sums run along contiguous memory. Meant for matrices with a large (block)
// diagonal, ordered so that the envelope is narrow.
#ifndef TACT_LINALG_ENVELOPE_H
#define TACT_LINALG_ENVELOPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct TactEnvelope {
    int     n;
    int     most;     // rows there is room for
    size_t  room;     // entries of L, and of U, there is room for
    int    *first;    // first column of row i in L, first row of column i in U   (n)
    size_t *start;    // where row i of L and column i of U start                 (n + 1)
    double *L;        // rows below the diagonal, one after the other             (room)
    double *U;        // columns above the diagonal, one after the other          (room)
    double *diagonal; // of A, then of U                                          (n)
} TactEnvelope;

/// Lends the arrays for at most so many rows and entries; runs twice (base/memory.h).
void tact_envelope_layout(TactEnvelope *envelope, int most, size_t room, TactArena *arena);

/// Shapes the envelope of an n x n matrix, all entries 0; first[i] <= i of envelope->first must be
/// set. False if there is no room.
bool tact_envelope_shape(TactEnvelope *envelope, int n);

/// Floating-point operations of a factor of this shape.
double tact_envelope_work(const TactEnvelope *envelope);

/// Entry (i, j), which must lie in the envelope.
static inline double *tact_envelope_at(const TactEnvelope *envelope, int i, int j)
{
    if (i == j) {
        return envelope->diagonal + i;
    }
    int     outer = i > j ? i : j;
    int     inner = i > j ? j : i;
    double *part = i > j ? envelope->L : envelope->U;
    return part + envelope->start[outer] + (inner - envelope->first[outer]);
}

/// Factors in place. Returns -1, or the first row whose pivot is 0 or not finite.
int tact_envelope_factor(TactEnvelope *envelope);

/// A x = b with the factor; x holds b.                                            (n)
void tact_envelope_solve(const TactEnvelope *envelope, double *x);

#endif
