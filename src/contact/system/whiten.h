// M = G G': from velocities to whitened coordinates y = G' v, and back.
//
//   bodies   G = diag(sqrt(m) 1, L) of each body, L L' = inertia
//   M        M = L' D L along the tree [Featherstone], G = L' sqrt(D): solves touch only the dofs
//            between a contact and the root
//   W        W = C' C by Cholesky with pivoting: the rank of W is the number of dofs
#ifndef TACT_CONTACT_SYSTEM_WHITEN_H
#define TACT_CONTACT_SYSTEM_WHITEN_H

#include <tact/contact.h>

#include "base/memory.h"

// So many degrees of freedom are bits of a word.
enum { TACT_WHITENER_BITS = 64 };

typedef struct TactWhitener {
    int     dof;    // before bilateral rows are projected out
    double *body;   // 1 / sqrt(m), L row by row, 1 / its diagonal  (10 a body)
    double *factor; // M: L below the diagonal, D on it, (dof x dof); W: C, row-major (dof x 3 nc)
    const double *mass;    // M: that factor, or the one that was given
    double       *root;    // M: sqrt(D)                                            (dof)
    double       *inverse; // M: 1 / sqrt(D)                                       (dof)
    int          *parent;  // dof before this one in the tree                     (dof)
    int          *run;     // from here to a dof each is the parent of the next   (dof)
    int          *order;   // scratch: pivots of W                                (3 nc)
    uint64_t      above[TACT_WHITENER_BITS]; // M of so many dofs at most: this one, its parent, ...
} TactWhitener;

void tact_whitener_layout(TactWhitener *whitener, const TactContactCapacity *capacity,
                          TactArena *arena);

/// TACT_BAD_INPUT if a mass matrix is not positive definite, or W not semidefinite.
TactStatus tact_whitener_factor(TactWhitener *whitener, const TactContactProblem *problem);

/// 1 / sqrt(m), L row by row, 1 / its diagonal of one body.                 (10)
const double *tact_whitener_of_body(const TactWhitener *whitener, int body);

/// f <- G^-1 f of one body: force before torque.                            (6)
void tact_whitener_body(const TactWhitener *whitener, int body, double f[6]);

/// f <- G^-1 f                                                              (dof)
void tact_whitener_force(const TactWhitener *whitener, const TactContactProblem *problem,
                         double *f);
/// The same of four, side by side: M only.                                 (dof x 4)
void tact_whitener_force_four(const TactWhitener *whitener, double *f);

/// The same where f is 0 but for these dofs, which are given with all above them; at most
/// TACT_WHITENER_BITS dofs.
void tact_whitener_force_four_of(const TactWhitener *whitener, uint64_t dofs, double *f);

/// The same of eight, side by side: each as by four.                       (dof x 8)
void tact_whitener_force_eight_of(const TactWhitener *whitener, uint64_t dofs, double *f);

/// v <- G' v                                                                (dof)
void tact_whitener_velocity(const TactWhitener *whitener, const TactContactProblem *problem,
                            double *v);
/// y <- G'^-1 y                                                             (dof)
void tact_whitener_back(const TactWhitener *whitener, const TactContactProblem *problem, double *y);

#endif
