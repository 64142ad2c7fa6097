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

/// By how much the law of an item is off, scaled by the item. impulses: of all items, for the load
/// of a moment. scale: of its impulse and its own velocity, in the same units.
double tact_circle_item_residual(const TactSystem *system, int i, const double *u_raw,
                                 const double *impulses, double *scale);

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

/// The same from a path at once, from the basis in scratch.warm and the turns and dampers that
/// stand in the kernel.
TactStatesEnd tact_states_follow(TactTurning *turning, TactKernel *kernel, int count, double tol,
                                 double *p, TactContactReport *report);

/// The same from impulses p alone, where no basis is known, and without pivots.
TactStatesEnd tact_states_solve_from(TactTurning *turning, TactKernel *kernel, double tol,
                                     double *p, TactContactReport *report);

// ---------------------------------------------------------------------------------------------
// steady.c: contacts and rows that stay what they were in the last step, solved without a kernel
// (theory/newton-turning.md, "Steady states")

/// What a basis says of an item.
typedef struct TactSteadyState {
    bool pushes, slides; // theta, lambda
    bool turned;         // against its slip: along its turn, direction 0
    int  directions;     // phi: how many, and which
    int  first, second;
    int  found; // first, as memory has it
} TactSteadyState;

/// Of an unknown x: the impulse of its item is scale along x, and its row is
/// scale along'u + extra x = 0. The normal of a contact that slides, or that has a moment which
/// does, pushes those as well: scale skew x, t1 and t2 of each (TactSteady).
typedef struct TactSteadyUnknown {
    int    item;     // -1: a pad, which is 0
    double along[3]; // n, t1, t2
    double extra;    // 1 / damping of a damper across the slip
    int    first;    // the column of along[0], or of along[1]: products (steady_systems.c)
    bool   single;   // it is 1, and no other counts
} TactSteadyUnknown;

/// States of all items.
typedef struct TactSteadyStates {
    TactSteadyState *of;      // (items)
    double          *turn;    // angles of pyramids                               (items)
    double          *damping; // of the dampers                                   (items)
} TactSteadyStates;

typedef struct TactSteady {
    TactSteadyStates   now;      // of the last answer, and as they turn and change
    TactSteadyStates   next;     // as they are to change                      (steady_change.c)
    TactSteadyStates   best;     // those that came nearest                    (steady_change.c)
    TactSteadyUnknown *unknowns; //                                         (3 items + 4)
    double            *skew;     // of friction that slides: mu times its direction, t1 and t2
                                 //                                             (2 items)
    int    *column;              // first of an item in the products            (items)
    double *products;            // of what follows                       (5 x (3 items + 4))
    int     systems;             // solved
    int     flips;               // items that changed their state
    bool    has_best;            // some states came near
    bool    is_near;             // they stay, and rounding keeps them from the tolerance
} TactSteady;

/// A system of states, in the memory that a kernel lends.
typedef struct TactSteadyWork {
    TactKernel        *room;
    const TactSystem  *system;
    TactSteady        *arrays;
    TactSteadyUnknown *unknowns;
    int                even;  // unknowns without skew, and pads
    int                count; // all of them
    size_t             ld;    // of rows of degrees of freedom
} TactSteadyWork;

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

/// The same, and states that change as in states.c, of a system with motors and without moments,
/// from what memory holds of its items. What is found stands in the kernel, for memory to be stored
/// from: basis, turns, dampers. false: the states that came nearest are to be followed, if there
/// are any (has_best).
bool tact_steady_change(TactSteady *arrays, TactKernel *room, const TactSystem *system,
                        const TactContactMemory *memory, double tol,
                        const TactCircleScratch *scratch, double *p);

/// Takes a system, with the turns and the friction of the states that came nearest, into a kernel.
/// Returns how many unknowns their basis has, which stand in scratch.warm.
int tact_steady_load_best(const TactSteady *arrays, TactKernel *kernel, const TactSystem *system);

/// Leaves basis, turns and dampers of the states in a kernel, for memory to be stored from.
void tact_steady_leave_basis(const TactSteady *arrays, TactKernel *room, const TactSystem *system);

/// Parts of a solve, for steady_systems.c and steady_change.c.
TactSteadyWork tact_steady_begin(TactSteady *arrays, TactKernel *room, const TactSystem *system);
void           tact_steady_list_runs(const TactSteadyWork *steady);
void   tact_steady_read(const TactVar *basis, int count, int items, TactSteadyState *states);
bool   tact_steady_list(TactSteadyWork *steady, double *p, bool *pushed);
double tact_steady_products(const TactSteadyWork *steady, double *out);
void   tact_steady_direction(const TactSteadyWork *steady, int i, int j, double out[2]);

/// One more system with the same factor, from velocities u: impulses p and values x.
void tact_steady_refine(const TactSteadyWork *steady, const double *u, double *p);

/// A residual that one more system with the same factor may make less; it has been tried.
#define TACT_STEADY_NEAR 1e-7

#endif
