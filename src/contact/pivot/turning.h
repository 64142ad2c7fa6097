// Newton turning: the circular cone from pyramid solves (theory/newton-turning.md).
#ifndef TACT_CONTACT_PIVOT_TURNING_H
#define TACT_CONTACT_PIVOT_TURNING_H

#include "contact/pivot/memory.h"

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

/// The same; tol where it is plain that it is no larger.
double tact_circle_residual_within(const TactSystem *system, const double *p, double tol,
                                   const TactCircleScratch *scratch);

/// The residual at which turning ends.
#define TACT_TURNING_TOL 1e-11

typedef struct TactTurning {
    double           *turn;         // angles found                               (items)
    double           *damping;      // of the dampers                             (items)
    double           *best;         // best impulses so far                       (3 items)
    double           *kept_turn;    // turns and dampers of the best states       (items)
    double           *kept_damping; //                                            (items)
    TactVar          *basis;        // (basis)
    TactCircleScratch scratch;
    int               flips; // of the last tact_states_solve(): items that changed their state
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

/// The same for the answer that stands in the kernel, whose impulses are p; tol where it is plain
/// that it is no larger.
double tact_turning_residual(const TactKernel *kernel, const double *p, double tol,
                             const TactCircleScratch *scratch);

/// A contact that carries nothing but rounding carries nothing.                    p: (3 items)
void tact_turning_drop_pulls(const TactSystem *system, double *p);

/// What an item's friction is to do next, from q = p_t - rho u_t and R = mu p_n, scaled.
typedef struct TactTurningSlip {
    double radius; // R
    double q[2];
    double damping; // across q: rho R / (|q| - R); 0 inside
    double speed;   // |u_t|, in units of the offset
    bool   slips;   // u_t is more than rounding
    bool   inside;  // |q| <= R: it sticks
} TactTurningSlip;

/// u, p: velocities and impulses of all items. Slip below `slow`, scaled, weighs as much as load.
TactTurningSlip tact_turning_judge(const TactKernel *kernel, int i, double rounding, double slow,
                                   const double *u, const double *p);

/// Scaled slip that is rounding of the impulses has no direction.
double tact_turning_rounding(const TactKernel *kernel);

/// Can friction of an item point anywhere in a plane?
bool tact_turning_has_directions(const TactItem *item);

/// Scaled slip below this would hardly turn friction against it.
#define TACT_TURNING_SLOW 1e-5

/// Values that are off by no more than this, scaled, are those of a tie: the state stays.
#define TACT_TURNING_TIE 1e-10

/// Slip of so much of the largest impulse, in the same units, is rounding of it.
#define TACT_TURNING_ROUNDS 1e-14

// ---------------------------------------------------------------------------------------------
// states.c: from the states of the last step, each contact open, sticking or sliding, one linear
// system for all of them, and new states from its answer (theory/newton-turning.md, "States")

typedef enum TactStatesEnd {
    TACT_STATES_SOLVED,        // the law of the circle holds; p are the impulses
    TACT_STATES_SOLVED_SOFTLY, // the same, but unknowns depend on each other: there is no basis
    TACT_STATES_FOLLOWED,      // the pyramids of the states that came nearest are solved, by pivots
    TACT_STATES_FAILED,
} TactStatesEnd;

/// From the basis, of `count` unknowns, and the turns that stand in the kernel, whose items have
/// their friction; to a residual of `tol`. Solved or followed: the kernel has the basis of it.
/// Counts turns and pivots into report.
TactStatesEnd tact_states_solve(TactTurning *turning, TactKernel *kernel, const TactVar *basis,
                                int count, double tol, double *p, TactContactReport *report);

/// The same from impulses p alone, where no basis is known, and without pivots.
TactStatesEnd tact_states_solve_from(TactTurning *turning, TactKernel *kernel, double tol,
                                     double *p, TactContactReport *report);

// ---------------------------------------------------------------------------------------------
// steady.c: contacts and rows that stay what they were in the last step, solved without a kernel
// (theory/newton-turning.md, "Steady states")

typedef struct TactSteady {
    struct TactSteadyState   *states;   // of the last answer, and as they turn   (items)
    struct TactSteadyUnknown *unknowns; //                                  (3 items + 4)
    double                   *turn;     // angles of pyramids                     (items)
    double                   *damping;  // of the dampers                         (items)
    double                   *skew;     // of friction that slides: mu times its direction, t1 and
                                        //   t2                                   (2 items)
    int systems;                        // solved
} TactSteady;

void tact_steady_layout(TactSteady *steady, const TactContactCapacity *capacity, TactArena *arena);

/// Linear systems for the states that memory holds, whose items are those of the system, each in
/// its place: one, and one more each time that friction turns against its slip. Returns the
/// residual of the answer p in the law of the circle, tol where it is plain that it is no larger;
/// infinite: the states do not stay, or are none of which this knows the system. The kernel lends
/// its memory, and is left without a basis.
double tact_steady_solve(TactSteady *arrays, TactKernel *room, const TactSystem *system,
                         const TactContactMemory *memory, double tol,
                         const TactCircleScratch *scratch, double *p);

/// How friction has turned in the last solve, for the memory that it was made from.
void tact_steady_remember(const TactSteady *arrays, TactContactMemory *memory);

/// A residual that one more system with the same factor may make less; it has been tried.
#define TACT_STEADY_NEAR 1e-7

#endif
