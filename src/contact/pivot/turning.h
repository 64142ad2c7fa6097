// Newton turning: the circular cone from pyramid solves (theory/newton-turning.md).
#ifndef TACT_CONTACT_PIVOT_TURNING_H
#define TACT_CONTACT_PIVOT_TURNING_H

#include "contact/pivot/kernel.h"

/// What the residual is computed in.
typedef struct TactCircleScratch {
    double *y;      // motion                                                (dof)
    double *pushed; // what impulses push                                    (dof)
    double *u;      // out: velocities of the items                          (3 item_count)
} TactCircleScratch;

/// Largest residual of the circular law over the items, each over its own scale: the natural maps
/// of normal and friction with everything in units of the item.
double tact_circle_residual(const TactSystem *system, const double *p,
                            const TactCircleScratch *scratch);

/// The residual at which turning ends.
#define TACT_TURNING_TOL 1e-11

typedef struct TactTurning {
    double           *turn;    // angles found                               (items)
    double           *damping; // of the dampers                             (items)
    double           *best;    // best impulses so far                       (3 items)
    TactVar          *basis;   // (basis)
    TactCircleScratch scratch;
} TactTurning;

void tact_turning_layout(TactTurning *turning, const TactContactCapacity *capacity,
                         TactArena *arena);

/// Where a sequence of turns starts.
typedef struct TactTurningStart {
    bool   from_kernel;  // turns and basis as they stand in the kernel (last step's)
    bool   against_slip; // turn direction 0 against the free slip
    double turn;         // added to all turns
} TactTurningStart;

/// Pyramid solves, each turned by the last one's answer, until the circle's law holds to `tol`.
/// p is the best answer found, whatever the outcome. Counts into report.
TactContactOutcome tact_turning_solve(TactTurning *turning, TactKernel *kernel,
                                      const TactSystem *system, const TactTurningStart *start,
                                      int max_turns, double tol, double *p,
                                      TactContactReport *report);

#endif
