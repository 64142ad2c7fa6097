// A contact problem in quadruple precision, from the raw data: impulses of contacts that face each
// other may be 1e8 times what the motion asks for, and then the velocities that are left of them
// have no digit in a double.
//
//     u = W p + b        rows n, 1, 2 of every contact, then the joint rows
//
// Rows are scaled by powers of two, which round nothing: u / s and p s, with s^2 about the mean of
// the diagonal of a contact's block of W.
#ifndef TACT_CONTACT_QUAD_QUAD_SYSTEM_H
#define TACT_CONTACT_QUAD_QUAD_SYSTEM_H

#include <tact/contact.h>

#include "base/memory.h"
#include "base/quad.h"

typedef struct TactQuadSystem {
    const TactContactProblem *problem;
    TactContactCone           cone;
    int                       n;      // 3 contacts + rows
    int                       dof;    // 0: given by W
    TactQuad                 *J;      // as it is                                        (n x dof)
    TactQuad                 *Y;      // M^-1 J', transposed                             (n x dof)
    TactQuad                 *W;      // scaled, compliance on the diagonal              (n x n)
    TactQuad                 *b;      // scaled                                          (n)
    TactQuad                 *v_free; // v + h M^-1 f                                    (dof)
    TactQuad                 *M;      // of a mechanism: its Cholesky factor             (dof x dof)
    TactQuad                 *p;      // the answer, scaled                              (n)
    TactQuad                 *u;      // W p + b                                         (n)
    TactQuad                 *given;  // bias and restitution of contacts                (n)
    double                   *scale;  // s                                               (n)
    TactQuad                 *soft;   // that has been added to the diagonal of W        (n)
} TactQuadSystem;

/// Runs twice (base/memory.h).
void tact_quad_system_layout(TactQuadSystem *system, const TactContactCapacity *capacity,
                             TactArena *arena);

/// Level of velocities. False: M is not positive definite.
bool tact_quad_system_build(TactQuadSystem *system, const TactContactProblem *problem,
                            TactContactCone cone);

/// W_ii becomes larger by a part of it, of the mean of its contact: contacts that hold each other
/// give way by that part of what their impulses do. 0: as it is.
void tact_quad_system_soften(TactQuadSystem *system, double part);

/// u = W p + b of impulses, scaled.                                              p, u: (n)
void tact_quad_system_move(const TactQuadSystem *system, const TactQuad *p, TactQuad *u);

/// Sets p from impulses of contacts and rows as they are.
void tact_quad_system_set(TactQuadSystem *system, const double *impulse, const double *row_impulse);

/// Rounds p, and the motion that belongs to it before it is rounded, to an answer.
void tact_quad_system_answer(const TactQuadSystem *system, const TactContactAnswer *answer);

/// What that rounding took from p: of impulses, then of row impulses.             (n)
void tact_quad_system_low(const TactQuadSystem *system, const TactContactAnswer *answer,
                          double *low);

/// Directions of friction of a contact that the cone has, and their turn; circle: none.
int tact_quad_directions(const TactQuadSystem *system, int contact);

#endif
