// The pyramid, and the circle by Newton turning (docs/theory/newton-turning.md), on Lemke's path in
// quadruple precision.
#ifndef TACT_CONTACT_QUAD_QUAD_TURNING_H
#define TACT_CONTACT_QUAD_QUAD_TURNING_H

#include "contact/quad/quad_lemke.h"
#include "contact/quad/quad_system.h"

typedef struct TactQuadTurning {
    TactQuadLemke lemke;
    double       *turn;    // angle of direction 0                                 (contacts)
    TactQuad     *damping; // 1 / c of the damper across it; 0: none               (contacts)
    int          *first;   // unknown of a contact or row                          (contacts + rows)
    TactQuad     *pull;    // g'W of an unknown's impulses g                       (n)
} TactQuadTurning;

/// For LCPs of so many unknowns at most. Runs twice (base/memory.h).
void tact_quad_turning_layout(TactQuadTurning *turning, const TactContactCapacity *capacity,
                              int max_unknowns, TactArena *arena);

/// Directions as the problem has them, turned by so much, and no dampers.
void tact_quad_turning_begin(TactQuadTurning *turning, const TactQuadSystem *system, double turn);

/// The LCP of the present directions into system->p, by a path of quad_lemke.h; false: no answer,
/// or too many unknowns.
/// Adds to pivots.
bool tact_quad_turning_solve(TactQuadTurning *turning, TactQuadSystem *system, int path,
                             int *pivots);

/// Circle: turns sliding contacts against the slip of system->p, and gives them dampers.
void tact_quad_turning_turn(TactQuadTurning *turning, TactQuadSystem *system);

#endif
