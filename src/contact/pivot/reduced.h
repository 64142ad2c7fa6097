// Lemke's path on a system: the workhorse of `reduced`, `structural`, the circle and the ladder.
#ifndef TACT_CONTACT_PIVOT_REDUCED_H
#define TACT_CONTACT_PIVOT_REDUCED_H

#include "contact/pivot/kernel.h"
#include "contact/pivot/memory.h"

/// Cold. Tries with other ties and covering vectors until the values of the final basis are not
/// negative. Friction comes on demand, or, with elimination, is there from the start.
/// turn: of the pyramids, NULL: those of the items. Counts into report. p: out (3 item_count)
TactContactOutcome tact_reduced_solve(TactKernel *kernel, const TactSystem *system,
                                      const double *turn, int max_pivots, double *p,
                                      TactContactReport *report);

/// Takes a system with the turns of the last step, and the friction of its basis. Returns how many
/// unknowns that basis has, which stand in scratch.warm; -1: there is none.
int tact_reduced_recall(TactKernel *kernel, const TactSystem *system,
                        const TactContactMemory *memory);

/// Last step's basis: one factor, one check, and no pivot if it is still right; otherwise Lemke's
/// path from it. Counts into report.
bool tact_reduced_try_basis(TactKernel *kernel, const TactSystem *system,
                            const TactContactMemory *memory, TactContactReport *report);

/// The same basis for the pyramid of one body (kernel_compact.h), without a path: is it still
/// right? p: out (3 item_count)
bool tact_reduced_keep_basis(TactKernel *kernel, const TactSystem *system,
                             const TactContactMemory *memory, double *p);

// ---------------------------------------------------------------------------------------------
// guess.c: from impulses that are nearly right to a basis, and along Lemke's path from it

/// Makes the basis that the impulses suggest (open, sticking between two directions, sliding along
/// one) the kernel's, and follows Lemke's path from it if its values are not right yet.
TactContactOutcome tact_guess_solve(TactKernel *kernel, const TactSystem *system, double *p,
                                    TactContactReport *report);

/// The kernel's basis as it is if its values are not negative, otherwise along Lemke's path.
bool tact_guess_follow(TactKernel *kernel, const TactVar *basis, int count,
                       TactContactReport *report);

#endif
