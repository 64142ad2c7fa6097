// The rows J of a problem, straight from its data: contacts and joint rows alike.
//
// A source is a contact, or contact_count + row. Component 0 of a contact is its normal, 1 and 2
// its tangents. A unilateral row has component 0, a motor component 1, a bilateral row 0.
#ifndef TACT_CONTACT_PROBLEM_ROWS_H
#define TACT_CONTACT_PROBLEM_ROWS_H

#include <tact/contact.h>

/// Bodies of a source.
void tact_rows_bodies(const TactContactProblem *problem, int source, int *a, int *b);

/// Entries of one row on one body, linear before angular. false: 0.             (6)
bool tact_rows_body_part(const TactContactProblem *problem, int source, int component, int body,
                         double part[6]);

/// J of a problem given by M; NULL where the row has no such component.      (nv)
const double *tact_rows_generalized(const TactContactProblem *problem, int source, int component);

/// x += factor * J_row'                                                         (dof)
void tact_rows_add(const TactContactProblem *problem, int source, int component, double factor,
                   double *x);

/// J_row v                                                                      (dof)
double tact_rows_dot(const TactContactProblem *problem, int source, int component, const double *v);

/// Applied forces, the gyroscopic ones included.                                (dof)
void tact_rows_forces(const TactContactProblem *problem, double *f);

/// Velocity before the step.                                                    (dof)
void tact_rows_velocity(const TactContactProblem *problem, double *v);

/// target - zeta error / h of a row                                  [Arechavaleta, 10]
double tact_rows_target(const TactContactProblem *problem, int row);

#endif
