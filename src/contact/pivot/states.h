// The circle from the states of the last step: each contact open, sticking or sliding, one linear
// system for all of them, and new states from its answer (theory/newton-turning.md, "States").
#ifndef TACT_CONTACT_PIVOT_STATES_H
#define TACT_CONTACT_PIVOT_STATES_H

#include "contact/pivot/turning.h"

typedef enum TactStatesEnd {
    TACT_STATES_SOLVED,   // the law of the circle holds; p are the impulses
    TACT_STATES_FOLLOWED, // the pyramids of the states that came nearest are solved, by pivots
    TACT_STATES_FAILED,
} TactStatesEnd;

/// From the basis, of `count` unknowns, and the turns that stand in the kernel, whose items have
/// their friction; to a residual of `tol`. Solved or followed: the kernel has the basis of it.
/// Counts turns and pivots into report.
TactStatesEnd tact_states_solve(TactTurning *turning, TactKernel *kernel, const TactVar *basis,
                                int count, double tol, double *p, TactContactReport *report);

/// The same from impulses p alone, where no basis is known, and without pivots.
TactStatesEnd tact_states_solve_from(TactTurning *turning, TactKernel *kernel, double tol,
                                     double *p, TactContactReport *report);

#endif
