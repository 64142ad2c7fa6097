// Four contacts at once of the interior-point method: the same formulas as interior_item.h has for
// one with friction, and the same bits.
#ifndef TACT_CONTACT_PILE_INTERIOR_FOURS_H
#define TACT_CONTACT_PILE_INTERIOR_FOURS_H

#include "contact/pile/interior.h"

/// x and z of all items on the central path, at that gap; lists the items that are not cones.
void tact_interior_fours_begin(TactInterior *interior, double gap);

/// p of all items.
void tact_interior_fours_impulses(TactInterior *interior);

/// With u = C'y + e of all items: their scaling and B. False if x or z of one has left its cone.
bool tact_interior_fours_linearise(TactInterior *interior);

/// h of all items for the target of the solve in hand; corrected by the step that is there, if it
/// corrects.
void tact_interior_fours_aim(TactInterior *interior);

/// dx and dz for du of all items, and how far each of them may go, times a part: in
/// interior->reach. False if one may go nowhere.
bool tact_interior_fours_move(TactInterior *interior, double part);

/// Mean of x'z after a step; items that may not go as far go their own way.
double tact_interior_fours_gap(const TactInterior *interior, double step);
void   tact_interior_fours_take(TactInterior *interior, double step);

#endif
