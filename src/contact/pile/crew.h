// Spots of a pile, solved side by side by threads: the same bits as one after the other.
//
// A spot reads and writes the motion of its bodies and of those beside them, and the impulses of
// its own items. Those that have no body in common may be solved at once. Each spot comes after
// the earlier ones with which it shares a body, which is what one after the other does: only the
// order of spots that do not know of each other is left open.
#ifndef TACT_CONTACT_PILE_CREW_H
#define TACT_CONTACT_PILE_CREW_H

#include "base/threads.h"
#include "contact/pile/local.h"

typedef struct TactPileCrew {
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
} TactPileCrew;

void tact_pile_crew_layout(TactPileCrew *crew, const TactContactCapacity *capacity,
                           TactArena *arena);
void tact_pile_crew_destroy(TactPileCrew *crew);

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
int tact_pile_crew_solve(TactPileCrew *crew, const TactPileRound *round);

#endif
