// Alternating directions on a problem given by blocks of W: one factor, many solves.
//
// With slacks s_i = mu |u_t| of the last iteration (de Saxce's change of variables) and springs of
// stiffness k_i = rho w_i between impulses x that obey the dynamics and impulses z that lie in
// their cones [Boyd11; Acary18]:
//
//     (W + K) x = K (z - xi) - b - s n,    z = P(x + xi),    xi <- xi + x - z
//
// At the end x = z, and -K xi = u + s n. Every contact that sticks is solved by the factor at once,
// however long the chain of contacts that carries it. docs/theory/admm.md
#ifndef TACT_CONTACT_ADMM_ADMM_H
#define TACT_CONTACT_ADMM_ADMM_H

#include "contact/newton/newton.h"

typedef struct TactAdmm {
    TactNewton *newton; // its coupling, its fronts; lent
    double      rho;
    double     *x;     // impulses that obey the dynamics                         (3 items)
    double     *z;     // impulses in their cones                                 (3 items)
    double     *xi;    // what holds them together, N s                           (3 items)
    double     *u;     // (3 items)
    double     *scale; // (items)
    double     *slack; // (items)
    double     *best;  // of the z that were judged                               (3 items)
    double      best_error;
    double      work; // operations of an iteration
} TactAdmm;

void tact_admm_layout(TactAdmm *admm, const TactContactCapacity *capacity, TactArena *arena);

/// Begins with the impulses p. newton is begun on a problem given by blocks.
void tact_admm_begin(TactAdmm *admm, TactNewton *newton, double rho, const double *p);

/// Goes on for so many iterations at most, and ends when the error (coupling.h) is at most tol:
/// then true. p becomes the best answer so far, *iterations is added to.
bool tact_admm_run(TactAdmm *admm, int most, double tol, double *p, int *iterations);

#endif
