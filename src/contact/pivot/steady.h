// Steady states: contacts and rows that stay what they were in the last step, solved without a
// kernel (theory/newton-turning.md, "Steady states").
#ifndef TACT_CONTACT_PIVOT_STEADY_H
#define TACT_CONTACT_PIVOT_STEADY_H

#include "contact/pivot/memory.h"
#include "contact/pivot/turning.h"

typedef struct TactSteady {
    struct TactSteadyState   *states;   // of the last answer                     (items)
    struct TactSteadyUnknown *unknowns; //                                  (3 items + 4)
} TactSteady;

void tact_steady_layout(TactSteady *steady, const TactContactCapacity *capacity, TactArena *arena);

/// One linear system for the states that memory holds, whose items are those of the system, each in
/// its place. Returns the residual of its answer p in the law of the circle, tol where it is plain
/// that it is no larger; infinite: the states are none of which this knows the system. The kernel
/// lends its memory, and is left without a basis.
double tact_steady_solve(const TactSteady *steady, TactKernel *room, const TactSystem *system,
                         const TactContactMemory *memory, double tol,
                         const TactCircleScratch *scratch, double *p);

/// A residual that one more system with the same factor may make less; it has been tried.
#define TACT_STEADY_NEAR 1e-7

#endif
