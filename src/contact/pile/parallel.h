// Spots of a pile, solved side by side by threads: the same bits as one after the other.
//
// A spot reads and writes the motion of its bodies and of those beside them, and the impulses of
// its own items. Those that have no body in common may be solved at once. Each spot comes after
// the earlier ones with which it shares a body, which is what one after the other does: only the
// order of spots that do not know of each other is left open.
#ifndef TACT_CONTACT_PILE_PARALLEL_H
#define TACT_CONTACT_PILE_PARALLEL_H

#include "base/threads.h"
#include "contact/pile/local.h"

typedef struct TactPileParallel {
    TactContactCapacity capacity;
    int                *level;   // of a spot: how many have to be done before, one after another
    int                *order;   // spots, level after level
    int                *first;   // of a level in order
    int                *until;   // of a node: the level from which on it is free
    bool               *done;    // of a spot: it was solved
    double             *spent;   // of a spot: operations
    TactArena           arena;   // of the helpers
    TactPileLocal      *helpers; // of the threads beside the caller
    int                 helper_count;
} TactPileParallel;

void tact_pile_parallel_layout(TactPileParallel *parallel, const TactContactCapacity *capacity,
                               TactArena *arena);
void tact_pile_parallel_destroy(TactPileParallel *parallel);

/// A round in hand.
typedef struct TactPileRound {
    const TactCoupling  *pile;
    const TactPileSpots *spots;
    TactPileLocal       *local;   // of the caller
    TactThreads         *threads; // NULL: the caller alone
    double               tol;
    double              *p, *y; // of the pile; y = y0 + C p comes in and goes out
} TactPileRound;

/// Solves the spots, as local.h says. Returns how many were solved.
int tact_pile_parallel_solve(TactPileParallel *parallel, const TactPileRound *round);

#endif
