// `ladder` inside: what its rungs share. A rung runs a method, certifies what came out, and says
// whether the problem is solved.
//
// Few problems need more than the first rungs, and the others take most of the memory: they are the
// reserve, which a sparing solver makes only when a problem asks for it
// (tact_contact_solver_complete()). So it does with the kernel if it is made for problems that are
// too large for pivots, and meets a smaller one.
#ifndef TACT_CONTACT_LADDER_LADDER_H
#define TACT_CONTACT_LADDER_LADDER_H

#include "contact/newton/newton.h"
#include "contact/pile/pile.h"
#include "contact/pivot/pivot.h"
#include "contact/problem/problem.h"
#include "contact/quad/quad.h"
#include "contact/solver.h"

/// Quadruple precision (ladder_quad.c).
typedef struct TactLadderQuad {
    bool                named;    // the rung stands in the report
    TactContactCapacity capacity; // of problems that it takes
    double              work;     // operations of its paths so far
    TactQuadSystem      system;
    TactQuadNewton      newton;
    TactQuadTurning     turning;
} TactLadderQuad;

/// Work of the methods beyond the first rungs; NULL where a method is not for this size.
typedef struct TactLadderReserve {
    bool           made;
    TactArena      arena; // of a sparing solver
    TactNewton     newton;
    void          *search; // lcp twice
    void          *lemke;
    void          *box;
    void          *nsgs;
    void          *baraff;
    TactLadderQuad quad;
} TactLadderReserve;

typedef struct TactLadder {
    TactKernel        kernel;
    bool              pivots;       // the kernel has been made
    bool              wants_kernel; // the last problem needed it
    TactArena         kernel_arena; // of a sparing solver for large problems
    TactTurning       turning;
    TactIslands       islands;  // these three of solvers made for large problems
    TactProximal      proximal; //
    TactPileSolver    pile;     //
    double           *motion;   // of the coupling's scales                          (items)
    TactCoupling      coupling; //
    double           *before;   // motion before the step, whitened                  (dof)
    double           *last;     // impulses of the last step                         (3 items)
    double           *best;     // impulses of the smallest certified error          (3 items)
    double            best_error;
    TactLadderReserve reserve;
    bool              resumes; // a problem whose first rungs are done, in a solver that was
    TactContactReport done;    //   completed for it; what they reported
} TactLadder;

typedef struct TactClimb {
    TactContactSolver        *solver;
    const TactContactProblem *problem;
    double                   *p;
    TactContactReport        *report;
    int                       pivots; // before the rung
} TactClimb;

/// Certifies what stands in p, writes the rung down (NULL: as one with the last) and keeps the
/// best. true: solved.
bool tact_ladder_judge(TactClimb *climb, const char *name, TactContactOutcome ended);
/// The same of impulses and velocities that stand in solver->answer; p has the same impulses.
bool tact_ladder_judge_answer(TactClimb *climb, const char *name, TactContactOutcome ended);

/// Pivots are for what is small: where many degrees of freedom can move, the kernel has room for
/// few contacts only.
int  tact_ladder_most_pivoting(const TactContactCapacity *capacity);
bool tact_ladder_is_small(const TactSystem *system);
/// Is the proximal path for problems of this size?
bool tact_ladder_is_large(const TactContactCapacity *capacity, int items, int dof);

/// Pivots (ladder_pivots.c).
TactContactOutcome tact_ladder_turn(TactClimb *climb, TactTurningStart start);
bool               tact_ladder_basis(TactClimb *climb);
bool               tact_ladder_reduced(TactClimb *climb);
bool               tact_ladder_turned(TactClimb *climb);
bool               tact_ladder_islands(TactClimb *climb);

/// Large problems (ladder_large.c). false of begin: the problem is not for it.
bool tact_ladder_begin_proximal(TactClimb *climb);
bool tact_ladder_warm(TactClimb *climb);
bool tact_ladder_bodies(TactClimb *climb);         // the proximal path and `pile`, in either order
bool tact_ladder_proximal_again(TactClimb *climb); // from the best answer so far

/// The reserve (ladder_reserve.c).
void       tact_ladder_layout_reserve(TactContactSolver *solver, TactLadderReserve *reserve,
                                      TactArena *arena);
TactStatus tact_ladder_create_reserve(TactContactSolver *solver);
void       tact_ladder_destroy_parts(TactContactSolver *solver); // and the kernel, if it is apart
bool       tact_ladder_newton(TactClimb *climb, const char *name);
bool       tact_ladder_baraff(TactClimb *climb);
bool       tact_ladder_search(TactClimb *climb);
bool       tact_ladder_pgs_sm(TactClimb *climb);
bool       tact_ladder_last(TactClimb *climb, bool pivoting, bool large);

/// Quadruple precision (ladder_quad.c).
void tact_ladder_layout_quad(TactLadderQuad *quad, const TactContactCapacity *capacity,
                             TactArena *arena);
bool tact_ladder_quad(TactClimb *climb);

extern const TactContactMethodEntry tact_contact_ladder;

#endif
