// Semismooth Newton in quadruple precision, on the law of the circle or the pyramid
// (docs/theory/newton-polish.md, eq. 2 and 3, with w = 1): dense, for small problems.
#ifndef TACT_CONTACT_QUAD_QUAD_NEWTON_H
#define TACT_CONTACT_QUAD_QUAD_NEWTON_H

#include "contact/quad/quad_system.h"

typedef struct TactQuadNewton {
    TactQuad *A;     // Jacobian of F, eliminated in place                               (n x n)
    TactQuad *F;     // residuals                                                        (n)
    TactQuad *step;  // change of p                                                      (n)
    TactQuad *trial; //                                                                  (n)
    int      *row;   // order of the pivots                                              (n)
    int      *column;
} TactQuadNewton;

/// Runs twice (base/memory.h).
void tact_quad_newton_layout(TactQuadNewton *newton, const TactContactCapacity *capacity,
                             TactArena *arena);

/// From system->p on; true if the equations hold there at the end as well as quads allow. Whether
/// they do or not, p is the best that was found.
bool tact_quad_newton_run(TactQuadNewton *newton, TactQuadSystem *system, double rho, int max_steps,
                          int *steps);

/// |F| at system->p.
double tact_quad_newton_error(TactQuadNewton *newton, TactQuadSystem *system);

#endif
