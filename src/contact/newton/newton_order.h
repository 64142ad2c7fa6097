// The order in which the unknowns of a Newton step stand, so that the envelope of their matrix is
// narrow: breadth-first from one end of every island to the other [Cuthill, McKee 1969].
//
// Nodes are the degrees of freedom of the motion, neighbours if an item touches both; or, for a
// problem given by W, the items, neighbours if their block of W is not 0.
#ifndef TACT_CONTACT_NEWTON_NEWTON_ORDER_H
#define TACT_CONTACT_NEWTON_NEWTON_ORDER_H

#include "contact/newton/coupling.h"

typedef struct TactNewtonOrder {
    int  count;
    int *node;        // node at a place                            (count)
    int *place;       // place of a node; -1: not yet reached       (count)
    int *touch_start; // first group that touches a dof       (dof + 1)
    int *touch;       // groups                               (as long as system->support)
    int *done;        // pass in which a group was reached    (groups)
} TactNewtonOrder;

void tact_newton_order_layout(TactNewtonOrder *order, const TactContactCapacity *capacity,
                              TactArena *arena);

void tact_newton_order_begin(TactNewtonOrder *order, const TactCoupling *coupling);

#endif
