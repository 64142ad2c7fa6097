// Where a pile is not solved: bad items, the bodies they touch, and parts of these that hang
// together.
#ifndef TACT_CONTACT_PILE_SPOTS_H
#define TACT_CONTACT_PILE_SPOTS_H

#include "contact/system/system.h"

/// A body, or whatever six degrees of freedom make a block.
enum { TACT_PILE_NODE = 6 };

typedef struct TactPileSpots {
    int  nodes;  //
    int  count;  // of spots
    int *marked; // is a node in a spot?                                     (nodes)
    int *next;   // scratch of a ring                                        (nodes)
    int *root;   // of the tree that joins nodes                             (nodes)
    int *named;  // spot of a root, -1: none                                 (nodes)
    int *items;  // of a spot                                                (nodes)
    int *of;     // spot of a group, -1: none                                (groups)
    int *start;  // first group of a spot in group                           (nodes + 1)
    int *group;  // groups, one spot after the other                         (groups)
} TactPileSpots;

void tact_pile_spots_layout(TactPileSpots *spots, const TactContactCapacity *capacity,
                            TactArena *arena);

/// Items with more than a part of the largest bad are bad; the part is the least of a list, from
/// entry `from` on, with which no spot has more than `most` items; then rings of neighbours. A spot
/// has all items of its bodies.                                                bad: (items)
void tact_pile_spots_find(TactPileSpots *spots, const TactSystem *system, const double *bad,
                          int from, int rings, int most);

#endif
