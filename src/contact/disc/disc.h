// Room "disc": problems with patches (contact/patch.h), by sweeps, by Newton's method and by
// the assembled LCP. docs/theory/spin-roll.md
#ifndef TACT_CONTACT_DISC_DISC_H
#define TACT_CONTACT_DISC_DISC_H

#include "contact/solver.h"

/// Lends the arrays of what solves problems with patches; runs twice (base/memory.h). Nothing
/// without patches.
void tact_disc_layout(TactContactSolver *solver, TactArena *arena);

/// What is needed beside the arena: the solver of the LCP.
TactStatus tact_disc_create(TactContactSolver *solver);
void       tact_disc_destroy(TactContactSolver *solver);

/// What the method of the solver does with an expanded problem; as run() of TactContactMethodEntry.
TactContactOutcome tact_disc_run(TactContactSolver *solver, const TactContactProblem *problem,
                                 double *p, TactContactReport *report);

#endif
