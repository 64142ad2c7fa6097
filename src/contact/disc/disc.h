// Room "disc": problems with patches (contact/patch.h), by sweeps, by Newton's method and by the
// assembled LCP. docs/theory/spin-roll.md
#ifndef TACT_CONTACT_DISC_DISC_H
#define TACT_CONTACT_DISC_DISC_H

#include "contact/disc/link.h"
#include "contact/method.h"

/// Does the method take discs of up to two dimensions only?
bool tact_disc_only_pivots(const TactContactConfig *config);

/// What `reduced`, `structural`, `ladder`, `nsgs` and `lcp` (by the config) do with an expanded
/// problem. attempt->certifier has its patches.
extern const TactContactMethodEntry tact_contact_disc;

#endif
