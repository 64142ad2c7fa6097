// From impulses that are nearly right to a basis, and along Lemke's path from it.
#ifndef TACT_CONTACT_PIVOT_GUESS_H
#define TACT_CONTACT_PIVOT_GUESS_H

#include "contact/pivot/kernel.h"

/// Makes the basis that the impulses suggest (open, sticking between two directions, sliding along
/// one) the kernel's, and follows Lemke's path from it if its values are not right yet.
TactContactOutcome tact_guess_solve(TactKernel *kernel, const TactSystem *system, double *p,
                                    TactContactReport *report);

/// The kernel's basis as it is if its values are not negative, otherwise along Lemke's path.
bool tact_guess_follow(TactKernel *kernel, const TactVar *basis, int count,
                       TactContactReport *report);

#endif
