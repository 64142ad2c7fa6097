// The linear system of one Newton step: from the equations of the items to the change of p.
#ifndef TACT_CONTACT_NEWTON_STEP_H
#define TACT_CONTACT_NEWTON_STEP_H

#include "contact/newton.h"

/// newton->dp from newton->items. False if the matrix is singular or has no room.
bool tact_newton_step(TactNewton *newton, TactNewtonSolve solve);

#endif
