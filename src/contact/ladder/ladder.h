// `ladder` inside: the table of rungs, what is known of a problem when they are chosen, and what
// they share. docs/theory/ladder.md
//
// A rung is a line of the table in rungs.c: its name, when it is tried, what memory it needs, and
// the function that runs a method and certifies what came out. ladder.c walks the table.
//
// Few problems need more than the first rungs, and the others take most of the memory: they are the
// reserve. A lazy ladder makes it, the kernel of the pivots, and what piles that move need, when a
// rung asks for it.
#ifndef TACT_CONTACT_LADDER_LADDER_H
#define TACT_CONTACT_LADDER_LADDER_H

#include "contact/method.h"
#include "contact/newton/newton.h"
#include "contact/pile/pile.h"
#include "contact/pivot/pivot.h"
#include "contact/problem/problem.h"
#include "contact/proximal/proximal.h"
#include "contact/quad/quad.h"

// ---------------------------------------------------------------------------------------------
// Memory

/// Quadruple precision (ladder_quad.c).
typedef struct TactLadderQuad {
    double          work; // operations of its paths so far
    TactQuadSystem  system;
    TactQuadNewton  newton;
    TactQuadTurning turning;
    TactCertifyFine fine; // certificate of answers that doubles do not hold
    bool            low;  // answers have a low part
} TactLadderQuad;

/// The methods beyond the first rungs, each with a config of its own; those that are not for this
/// size are never laid out.
typedef struct TactLadderReserve {
    bool           made;
    TactArena      arena;  // of a lazy ladder
    TactMethod     search; // lcp twice
    TactMethod     lemke;
    TactMethod     box;
    TactMethod     nsgs;
    TactMethod     baraff;
    TactLadderQuad quad;
} TactLadderReserve;

typedef struct TactLadder {
    TactKernel          kernel;
    bool                has_kernel;   // it has been made,
    TactContactCapacity kernel_room;  //   for so much
    TactArena           kernel_arena; // of a lazy ladder for large problems
    TactPileSolver      pile;         // of ladders made for large problems
    bool                has_pile;     // it has been made
    TactArena           pile_arena;   // of a lazy ladder
    TactNewton          newton;
    bool                has_newton;   // it has been made
    TactArena           newton_arena; // of a lazy ladder
    TactTurning         turning;
    TactSteady          steady;
    TactIslands         islands;    // of ladders made for large problems
    TactProximal        proximal;   // made at once in those
    bool                has_path;   // it has been made, with what follows,
    TactArena           path_arena; //   of a lazy ladder for small problems
    TactMany            many;       // of the path, if the bodies are many
    double             *motion;     // of the coupling's scales                          (items)
    TactCoupling        coupling;   //
    double             *before;     // motion before the step, whitened                  (dof)
    double             *last;       // impulses of the last step                         (3 items)
    double             *best;       // impulses of the smallest certified error          (3 items)
    TactLadderReserve   reserve;
} TactLadder;

// ---------------------------------------------------------------------------------------------
// Rungs

/// What is known of a problem when a rung is chosen.
typedef struct TactLadderFacts {
    int             size;       // contacts and rows
    int             dof;        // degrees of freedom
    int             made_for;   // contacts and rows that the solver has room for
    TactContactCone cone;       // that is asked for
    bool            columns;    // C is built: not of a large W
    bool            given_W;    // the problem is given by W
    bool            warm;       // the last step's impulses are known
    bool            based;      //   and its basis
    bool            small;      // small enough for pivots, and C is built
    bool            large;      // large enough for the proximal path, which takes it
    bool            divides;    // not small, but parts that share nothing are
    bool            cheap;      // a factor of the proximal path is: it may be tried more than once
    double          best_error; // least certified error of the rungs so far; HUGE_VAL: none
    double          polished;   // that which Newton's method was last tried from; HUGE_VAL: none
} TactLadderFacts;

/// The memory of a rung, beside what every ladder has.
typedef enum TactRungMemory {
    TACT_RUNG_LIGHT,   // nothing
    TACT_RUNG_KERNEL,  // the kernel of the pivots
    TACT_RUNG_NEWTON,  // Newton's method
    TACT_RUNG_PILE,    // the method for piles that move
    TACT_RUNG_PATH,    // the proximal path, in ladders made for small problems
    TACT_RUNG_RESERVE, // the methods that few problems need
    TACT_RUNG_LAST,    // the same; not tried where there is plainly no answer
} TactRungMemory;

typedef struct TactClimb {
    TactMethod         *method; // the ladder: its config and capacity,
    TactLadder         *ladder; //   and its memory
    TactAttempt        *attempt;
    TactLadderFacts     facts;
    TactContactCapacity need;   // of the problem
    const char         *name;   // of the rung, until it stands in the report
    int                 pivots; // before the rung
} TactClimb;

/// A line of the table. `run` certifies what it finds (tact_ladder_judge()). true: solved.
typedef struct TactRung {
    const char    *name;  // at most 11 characters: recordings have room for no more
    const char    *tried; // `when` in words: the last column of the table in the theory page
    TactRungMemory needs;
    bool (*when)(const TactLadderFacts *facts);
    bool (*run)(TactClimb *climb);
} TactRung;

/// Rungs; those of them, the first, that are for large problems; and the ones of these that begin
/// with the last step's impulses.
enum { TACT_LADDER_RUNGS = 27, TACT_LADDER_LARGE_RUNGS = 6, TACT_LADDER_WARM_RUNGS = 1 };
extern const TactRung tact_ladder_rungs[TACT_LADDER_RUNGS];

/// Certifies what stands in p, writes the rung down (once, however often it is called) and keeps
/// the best. true: solved.
bool tact_ladder_judge(TactClimb *climb, TactContactOutcome ended);
/// The same of impulses and velocities that stand in attempt->answer; p has the same impulses.
bool tact_ladder_judge_answer(TactClimb *climb, TactContactOutcome ended);

/// Pivots (ladder_pivots.c).
TactContactOutcome tact_ladder_turn(TactClimb *climb, TactTurningStart start);
bool               tact_ladder_last_basis(TactClimb *climb);
bool               tact_ladder_reduced(TactClimb *climb);
bool               tact_ladder_reduced_W(TactClimb *climb);
bool               tact_ladder_from_slip(TactClimb *climb);
bool               tact_ladder_rotated(TactClimb *climb);
bool               tact_ladder_islands(TactClimb *climb);
/// Does the problem fall apart into islands that are each small enough for pivots?
bool tact_ladder_divides(TactClimb *climb);

/// Large problems (ladder_large.c). false of begin: the problem is not for the proximal path.
bool tact_ladder_begin_proximal(TactClimb *climb);
bool tact_ladder_is_cheap(const TactLadder *ladder);
/// Operations of all rungs together that come after those for large problems.
double tact_ladder_rest(const TactLadder *ladder);
bool   tact_ladder_warm_start(TactClimb *climb);
bool   tact_ladder_proximal(TactClimb *climb);
bool   tact_ladder_proximal_anew(TactClimb *climb);
bool   tact_ladder_proximal_small(TactClimb *climb); // where pivots have failed
bool   tact_ladder_pile(TactClimb *climb);
bool   tact_ladder_proximal_more(TactClimb *climb); // from the best answer so far

/// Newton's method (ladder_newton.c): a few steps from the last step's impulses, a few from the
/// best answer so far, all that it has.
bool tact_ladder_last_answer(TactClimb *climb);
bool tact_ladder_polish(TactClimb *climb);
bool tact_ladder_newton(TactClimb *climb);

/// The reserve (ladder_reserve.c), and quadruple precision (ladder_quad.c).
bool tact_ladder_baraff(TactClimb *climb);
bool tact_ladder_search(TactClimb *climb);
bool tact_ladder_lemke(TactClimb *climb);
bool tact_ladder_pgs_sm(TactClimb *climb);
bool tact_ladder_nsgs(TactClimb *climb);
bool tact_ladder_nsgs_anew(TactClimb *climb);
bool tact_ladder_nsgs_fine(TactClimb *climb);
bool tact_ladder_quad(TactClimb *climb);
/// Is it plain that there is no answer (ladder_hopeless.c)?
bool tact_ladder_is_hopeless(const TactClimb *climb);

// ---------------------------------------------------------------------------------------------
// Sizes (ladder_memory.c)

enum {
    TACT_LADDER_MOST_LCP = 64,       // contacts above which the dense LCP is not worth trying,
    TACT_LADDER_MOST_BOX = 300,      //   the dense friction box,
    TACT_LADDER_MOST_QUAD = 32,      //   and quadruple precision,
    TACT_LADDER_MOST_QUAD_DOF = 200, //   and its degrees of freedom
    TACT_LADDER_PILE_DOF = 150, // degrees of freedom from which on `pile` comes before the path
};

/// Pivots are for what is small: where many degrees of freedom can move, the kernel has room for
/// few contacts only.
int  tact_ladder_most_pivoting(const TactContactCapacity *capacity);
bool tact_ladder_is_small(const TactSystem *system);
/// Is the proximal path for problems of this size?
bool tact_ladder_is_large(const TactContactCapacity *capacity, int items, int dof);

void       tact_ladder_layout(TactMethod *method, TactArena *arena);
TactStatus tact_ladder_create(TactMethod *method);
/// Makes the memory of a rung for a problem of that size, if that has not been done.
TactStatus tact_ladder_grow(TactMethod *method, TactRungMemory memory,
                            const TactContactCapacity *need);
void       tact_ladder_destroy(TactMethod *method);

void tact_ladder_layout_quad(TactLadderQuad *quad, const TactContactCapacity *capacity,
                             TactArena *arena);

extern const TactContactMethodEntry tact_contact_ladder;

#endif
