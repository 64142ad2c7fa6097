// The linear system of one Newton step: from the equations of the items to the change of p.
#ifndef TACT_CONTACT_NEWTON_NEWTON_STEP_H
#define TACT_CONTACT_NEWTON_NEWTON_STEP_H

#include "contact/newton/newton.h"

/// Finds out what a proximal step of all items costs: newton->work, 0 if there is no room.
void tact_newton_step_begin(TactNewton *newton);

/// newton->dp from newton->items. False if the matrix is singular or has no room.
bool tact_newton_step(TactNewton *newton, TactNewtonSolve solve);

/// direct_ik: compliance of the constraints, and of the friction where it is about to become one;
/// where W is not at hand, that of the contact itself too.
double tact_newton_direct(const TactNewton *newton, int i, int k);

/// (3) of few degrees of freedom, as a dense matrix first (newton_dense.c). The room that it needs
/// in a solver made for so many; has the system few?
size_t tact_newton_dense_room(int dof);
bool   tact_newton_is_dense(const TactNewton *newton);
void   tact_newton_assemble_dense(TactNewton *newton);

/// (1) of a problem given by blocks (newton_sparse.c). False: it is not, or there is no memory. The
/// unknowns of newton->items into newton->x; false if the matrix is singular.
bool tact_newton_begin_sparse(TactNewton *newton);
bool tact_newton_solve_sparse(TactNewton *newton);

/// Do most degrees of freedom, of few, act on each other? Then there is no order, and no envelope:
/// dy of (3) by LU of the dense matrix. false: it is singular.                       dy: out (dof)
bool tact_newton_is_full(const TactCoupling *coupling);
bool tact_newton_solve_full(TactNewton *newton, double *dy);

#endif
