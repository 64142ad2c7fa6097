// One spot of a pile as a problem of its own: all items of some bodies, between these and the
// bodies beside them; what other items do to them is held.
#ifndef TACT_CONTACT_PILE_LOCAL_H
#define TACT_CONTACT_PILE_LOCAL_H

#include "contact/pile/spots.h"
#include "contact/pivot/pivot.h"
#include "contact/proximal/proximal.h"

/// Items and nodes of a spot at most.
enum { TACT_PILE_LOCAL_ITEMS = 120, TACT_PILE_LOCAL_NODES = 160 };
/// Those of a spot that may be pivoted.
enum { TACT_PILE_PIVOT_ITEMS = 40, TACT_PILE_PIVOT_NODES = 20 };

typedef struct TactPileLocal {
    TactSystem   part;     // its own: items, groups, support, column, e, b, y0
    TactCoupling coupling; // its own: weight, cones, y, load, motion
    TactProximal proximal;
    TactKernel   kernel;
    TactTurning  turning;
    int          most_items, most_nodes; // there is room for
    int         *place;                  // of a node of the pile in the part, -1: not there (nodes)
    int         *node;                   // of the pile, for each of the part     (most_nodes)
    int         *item;                   // of the pile, for each of the part     (most_items)
    double      *p;                      // (3 most_items)
    double      *u;                      // (3 most_items)
    double      *scale;                  // (most_items)
    int          factors;                // of all that were tried,
    int          pivots;                 //   and pivots
} TactPileLocal;

void tact_pile_local_layout(TactPileLocal *local, const TactContactCapacity *capacity,
                            TactArena *arena);

/// Solves a spot to tol, from p and, where that does not lead there, by pivots. y = y0 + C p comes
/// in and goes out with the p of the spot. False: not solved, and p and y are as they were.
bool tact_pile_local_solve(TactPileLocal *local, const TactCoupling *pile,
                           const TactPileSpots *spots, int spot, double tol, double *p, double *y);

#endif
