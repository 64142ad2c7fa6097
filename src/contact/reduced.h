// Lemke's path on a system, cold: the workhorse of `reduced`, the circle and the ladder.
#ifndef TACT_CONTACT_REDUCED_H
#define TACT_CONTACT_REDUCED_H

#include "contact/kernel.h"

/// Tries with other ties and covering vectors until the values of the final basis are not negative.
/// lazily: friction on demand. turn: of the pyramids, NULL: those of the items. Counts into report.
///                                                                      p: out (3 item_count)
TactContactOutcome tact_reduced_solve(TactKernel *kernel, const TactSystem *system, bool lazily,
                                      const double *turn, int max_pivots, double *p,
                                      TactContactReport *report);

#endif
