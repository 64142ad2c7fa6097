// What the paths of both widths share: variables, and the friction of a contact that becomes
// active.
#ifndef TACT_CONTACT_COMPACT_KERNEL_COMPACT_ACTIVE_H
#define TACT_CONTACT_COMPACT_KERNEL_COMPACT_ACTIVE_H

#include "base/lanes.h"
#include "contact/compact/kernel_compact.h"

#define TACT_COMPACT_Z0 (-2)

/// 0, 1, 2, ...
extern const double tact_compact_numbers[TACT_COMPACT_POSITIONS];

/// Number of the active contact that a variable belongs to; -1: its contact has no friction.
static inline int tact_compact_active_of(const TactCompact *compact, TactCompactVar variable)
{
    int at = variable >> 1;
    return at < compact->rows.gamma   ? compact->contacts.active[at]
           : at < compact->rows.sigma ? at - compact->rows.gamma
                                      : (at - compact->rows.sigma) >> compact->rows.shift;
}

/// Friction of a contact whose theta becomes the driving variable, with c_sigma so large that no
/// sigma starts below 0 [Lloyd04, app. D; eq. 59]. false: there is no room for another.
bool tact_compact_activate(TactCompact *compact, int item);

/// Cosines and sines of an active contact's directions, 0 beyond them.
void tact_compact_put_directions(TactCompact *compact, int active, const TactItem *item);

#endif
