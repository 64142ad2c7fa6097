// The linear system of one Newton step: from the equations of the items to the change of p.
#ifndef TACT_CONTACT_NEWTON_NEWTON_STEP_H
#define TACT_CONTACT_NEWTON_NEWTON_STEP_H

#include "contact/newton/newton.h"

/// Finds out what a proximal step of all items costs: newton->work, 0 if there is no room.
void tact_newton_step_begin(TactNewton *newton);

/// newton->dp from newton->items. False if the matrix is singular or has no room.
bool tact_newton_step(TactNewton *newton, TactNewtonSolve solve);

#endif
