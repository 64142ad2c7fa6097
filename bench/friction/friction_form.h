// A contact problem in the form that other libraries take, and the one opinion of all answers.
#ifndef TACT_BENCH_FRICTION_FRICTION_FORM_H
#define TACT_BENCH_FRICTION_FRICTION_FORM_H

#include <tact/contact.h>

#include "bench/peers.h"

/// u = W p + b with everything in it that does not depend on p. Owns its arrays.
typedef struct TactFrictionForm {
    int     contacts;
    double *W;  // (3 contacts x 3 contacts)
    double *b;  // (3 contacts)
    double *mu; // (contacts)
} TactFrictionForm;

/// TACT_UNSUPPORTED for joint rows and for accelerations, TACT_BAD_INPUT for a mass matrix that is
/// not positive definite, TACT_NO_MEMORY. Free with tact_friction_form_destroy() in any event.
TactStatus tact_friction_form_create(const TactContactProblem *problem, TactFrictionForm *form);
void       tact_friction_form_destroy(TactFrictionForm *form);

/// The natural map of Coulomb's law, as Siconos measures it:
///
///     |p - P(p - (u + mu |u_t| n))| / |b|,    u = W p + b,
///
/// Euclidean norms over all contacts, P the nearest point of the cone |p_t| <= mu p_n; not divided
/// if b is 0. Infinity for NaN.
double tact_friction_residual(const TactFrictionForm *form, const double *p);

#endif
