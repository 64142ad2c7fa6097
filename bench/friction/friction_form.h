// A contact problem in the form that other libraries take, and the one opinion of all answers.
#ifndef TACT_BENCH_FRICTION_FRICTION_FORM_H
#define TACT_BENCH_FRICTION_FRICTION_FORM_H

#include <tact/contact.h>

#include "bench/peers.h"

/// u = W p + b with everything in it that does not depend on p. Owns its arrays. With rolling
/// friction a contact has five components, n 1 2 and the moments about 1 and 2, else three.
typedef struct TactFrictionForm {
    int     contacts;
    double *W;       // (size contacts x size contacts); NULL: by blocks that are not 0
    size_t *start;   // first block of a contact's row                           (contacts + 1)
    int    *column;  // contact of a block's columns
    double *value;   // 3 x 3 a block
    double *b;       // (size contacts)
    double *mu;      // (contacts)
    double *mu_roll; // NULL: no rolling friction                       (contacts)
} TactFrictionForm;

/// Problems with fewer contacts are dense to others.
enum { TACT_FRICTION_FEW = 10 };

/// Components of a contact.
static inline int tact_friction_size(const TactFrictionForm *form)
{
    return form->mu_roll ? 5 : 3;
}

/// TACT_UNSUPPORTED for joint rows, accelerations, spinning friction, two coefficients of sliding,
/// ellipsoids, and for rolling friction between bodies; TACT_BAD_INPUT for a mass matrix that is
/// not positive definite, TACT_NO_MEMORY. Free with tact_friction_form_destroy() in any event.
TactStatus tact_friction_form_create(const TactContactProblem *problem, TactFrictionForm *form);
void       tact_friction_form_destroy(TactFrictionForm *form);

/// The form as a problem of tact's: the same matrices that others are given. False if W is dense.
///   contacts  of the problem that it was made of, their mu is read                  (contacts)
///   own       room for as many                                                      (contacts)
bool tact_friction_form_problem(const TactFrictionForm *form, const TactContact *contacts,
                                TactContact *own, TactContactBlocks *blocks,
                                TactContactProblem *problem);

/// The natural map of Coulomb's law, as Siconos measures it:
///
///     |p - P(p - (u + (mu |u_t| + mu_roll |w|) n))| / |b|,    u = W p + b,
///
/// Euclidean norms over all contacts, P the nearest point of the cone |p_t| <= mu p_n, |m| <=
/// mu_roll p_n; not divided if b is 0. Infinity for NaN.
double tact_friction_residual(const TactFrictionForm *form, const double *p);

#endif
