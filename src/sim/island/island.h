// Room "island": trees that touch each other, and the contact problem of each such island. Rows of
// joints and loops, union-find, arrays of a problem, its solver, threads, sleeping.
#ifndef TACT_SIM_ISLAND_ISLAND_H
#define TACT_SIM_ISLAND_ISLAND_H

#include <tact/contact.h>
#include <tact/sim.h>

#include "base/memory.h"
#include "base/threads.h"
#include "sim/island/joint_rows.h"

/// How an island was solved: by the last of its solves, all of which cost time and pivots.
typedef struct TactSimSolved {
    const char *rung; // that answered; NULL: none was asked
    bool        certified;
    double      error;
    int         redundant_rows;
    int         pivots;
    int         solves;                     // loops take some
    int         out_of_budget, out_of_time; // of these
    double      ticks;                      // of all of them (base/ticks.h)
    double      work;                       // of all of them, operations (base/budget.h)
    double      push;                       // largest normal force of its contacts, N
    double      depth;                      // of the deepest of them at the end, to first order, m
    bool        draft;                      // it was left so: asked again (complete.c)
    bool        told;                       // these two are known
} TactSimSolved;

/// One contact problem in the making: its dofs are those of the trees that touch.
typedef struct TactSimIsland {
    int           first_tree; // in TactSimIslands.trees
    int           tree_count;
    int           dof_count;
    int           contact_count;
    int           row_count;
    int           first_contact; // in TactSimIslands.contacts
    int           first_row;     // in TactSimIslands.rows
    bool          again;         // solved again, with the velocity that it gave (midpoint.c)
    bool          repeats;       // made of the same rows in the last solve (midpoint.c)
    bool          keep;          // its answer stands: not solved again (complete.c)
    TactSimSolved solved;
} TactSimIsland;

/// Which trees touch each other. A tree is a body on the world with all that it carries.
typedef struct TactSimIslands {
    int            tree_count;
    int           *tree_of_body; // -1: it does not move                                 (bodies)
    int           *first_dof;    // dofs of a tree are contiguous                        (trees + 1)
    int           *joined;       // union-find                                           (trees)
    int           *island_of;    // of a tree; -1: touched by nothing                    (trees)
    int            count;
    TactSimIsland *islands;  //                                                          (trees)
    int           *trees;    // island by island, ascending                              (trees)
    int           *contacts; // island by island                                         (contacts)
    int           *contact_tree; // a tree that a contact moves, behind these            (contacts)
    int           *rows;         // island by island                                         (rows)
    int            contact_capacity;
    int            idle_rows;  // bilateral rows that move nothing: redundant
    int           *local;      // place of a dof in its island                           (nv)
    int           *body_place; // place of a tree among the bodies of its island         (bodies)
    int           *row_tree;   // a tree that a row moves; -1: none                      (rows)
} TactSimIslands;

/// The solver that remembers the last answer of an island.
typedef struct TactSimSolver {
    TactContactSolver  *solver;
    TactContactCapacity capacity;
} TactSimSolver;

/// Whose mass matrix stands in the arrays: zeros where it has none need not be written again.
typedef struct TactFilled {
    int tree, trees, dofs; // the first one of the island; 0 dofs: nobody's
} TactFilled;

/// Sizes of a problem; n = 0 where bodies stand for the matrix.
typedef struct TactProblemSize {
    size_t dof, n, bodies, contacts, rows, work;
    size_t sides; // rows of J that a contact has: 3, or 6 where one resists spinning or rolling
} TactProblemSize;

/// The arrays of one contact problem. Every thread has its own.
typedef struct TactProblemArrays {
    TactFilled          filled;
    TactArena           arena;
    size_t              size;
    TactProblemSize     laid;     // sizes that the arrays are laid out for
    int                 patches;  // contacts that resist spinning or rolling, or have a mu2
    TactContactCapacity need;     // of the problem, once an island is solved
    double             *M;        //                                                      (n x n)
    double             *factor;   // L'DL of that, along the tree                         (n x n)
    int                *parent;   //                                                      (n)
    int                *dofs;     // of the model                                         (n)
    double             *v, *tau;  //                                                      (n)
    double             *velocity; // answer                                               (n)
    TactContactBody    *bodies;   // of an island of free bodies                          (trees)
    TactContact        *contacts; //
    double         *J; //                                                      (3 or 6 contacts x n)
    TactContactRow *rows;  //
    double         *row_J; //                                                      (rows x n)
    double         *impulse, *row_impulse, *u;
    double         *moment, *spin; // of contacts that resist spinning or rolling (3 contacts)
    double         *work;          // only where something bounces               (2 nv + 5 contacts)
} TactProblemArrays;

typedef struct TactSimThreads TactSimThreads;

/// What solves the problems of islands.
typedef struct TactSimSolve {
    TactSimSolver    *solvers;    // of the island whose first tree it is                (trees)
    TactSimSolver    *correctors; // the same for corrections of positions               (trees)
    TactProblemArrays arrays;     // of the thread that steps
    TactSimThreads   *threads;    // NULL: one
    TactThreads      *lent;       // to the island in hand, which is large; NULL: none
    double lift_work; // operations after which a shift of positions is taken for none; 0: 1e8
} TactSimSolve;

/// A world of which all sleeps, or stands still (rest.c).
typedef struct TactSimRest {
    bool          still;         // nobody sleeps, and the step before this one moved nothing
    int           calm;          // steps in a row that were alike, from 0 to 2
    uint64_t      placed, moved; // numbers of the workspace after the last of them
    uint64_t      forces;        // hash of those of that one, where the world stands still
    TactSimReport report;        // of that
} TactSimRest;

/// Who sleeps (sleep.c).
typedef struct TactSimSleep {
    int         count;       // trees that are asleep
    bool       *asleep;      //                                                          (trees)
    int        *group;       // the first tree of the island that fell asleep with it    (trees)
    int        *still;       // steps for which a tree has rested                        (trees)
    bool       *ready;       // scratch, of groups                                       (trees)
    bool       *shape_rests; // for collision                                         (geoms)
    double     *q;           // of sleepers; of others where they were when they began to rest  (nq)
    double     *ctrl;        // of the last step                                         (actuators)
    double     *applied;     //                                                          (nv)
    TactWrench *external;    //                                                          (bodies)
    TactSimRest rest;        // of a world of which all sleeps, or stands still
} TactSimSleep;

/// What a solve is for.
typedef enum TactSolveKind {
    TACT_SOLVE_MOTION,     // v+ of the step
    TACT_SOLVE_CORRECTION, // a shift of positions: no motion, no friction
} TactSolveKind;

/// Trees and their dofs, once (islands.c).
void tact_sim_islands_layout(TactSimIslands *islands, const TactModel *model, int rows,
                             TactArena *arena);
void tact_sim_islands_find_trees(TactSimIslands *islands, const TactModel *model);
/// Islands of the present contacts and rows.
TactStatus tact_sim_islands_find(TactSim *sim);

/// Solvers and arrays of a world of few trees, for its first contacts (reserve.c).
TactStatus tact_sim_reserve(TactSim *sim);
/// tact_sim_create() without these: one of many worlds (create.c).
TactStatus tact_sim_create_sparing(const TactModel *model, const TactSimConfig *config,
                                   TactSim **sim);
/// Arrays for problems of this size, and of half as many contacts and rows again (problem.c).
TactStatus tact_sim_reserve_arrays(TactProblemArrays *arrays, TactProblemSize size);
/// An error where a dof has no mass of its own in the factor of the mass matrix (problem.c).
TactStatus tact_sim_check_mass(const TactSim *sim);
/// The contact problem of an island, in these arrays (problem.c).
TactStatus tact_sim_make_problem(TactSim *sim, TactProblemArrays *arrays, int index,
                                 TactSolveKind kind, TactContactProblem *problem);
/// Makes a solver that is large enough for this, and remembers what the one before it did: how
/// large a solver is changes no answer (problem.c).
TactStatus tact_sim_grow_solver(const TactSim *sim, TactSolveKind kind,
                                const TactContactCapacity *need, TactSimSolver *slot);
/// Solves a problem that was made in these arrays; a solver that needs more memory for it gets that
/// (problem.c).
TactStatus tact_sim_solve_problem(TactContactSolver *solver, const TactProblemArrays *arrays,
                                  const TactContactProblem *problem,
                                  const TactContactAnswer *answer, TactContactReport *report);
/// Solves one island in these arrays; writes the velocities of its dofs to v, and how it went to
/// the island (problem.c).
TactStatus tact_sim_solve_island(TactSim *sim, TactProblemArrays *arrays, int index,
                                 TactSolveKind kind, double *v);
/// The same of an island of which a contact is hit: what bounces comes apart (touch/impact.c).
TactStatus tact_sim_solve_bounces(TactSim *sim, TactProblemArrays *arrays,
                                  const TactSimIsland *island, TactContactSolver *solver,
                                  const TactContactProblem *problem,
                                  const TactContactAnswer *answer, TactContactReport *report);
/// What is told of a contact from its impulse and velocity; largest is that of the island, for what
/// the tolerance leaves (problem.c).
void tact_sim_tell_contact(const TactSim *sim, const double p[3], const double u[3], double largest,
                           TactSimContact *c);
/// The same of its moment and relative angular velocity; push is its normal impulse (problem.c).
void tact_sim_tell_turns(const TactSim *sim, const double m[3], const double w[3], double push,
                         TactSimContact *c);
/// Adds how the islands were solved to the report, of a correction only the time (problem.c).
void tact_sim_tell_islands(const TactSim *sim, TactSolveKind kind, TactSimReport *report);
/// Adds islands that a rung has answered to the report (problem.c).
void tact_sim_add_rung(TactSimReport *report, const char *name, int count);

/// Solves all islands, on as many threads as the config says (threads.c).
TactStatus tact_sim_threads_create(TactSim *sim);
void       tact_sim_threads_destroy(TactSimThreads *threads);
TactStatus tact_sim_solve_islands(TactSim *sim, TactSolveKind kind, double *v);

/// Islands that are nothing but free bodies (free_bodies.c).
bool tact_sim_island_is_free(const TactSim *sim, const TactSimIsland *island);
void tact_sim_fill_bodies(const TactSim *sim, const TactSimIsland *island, TactSolveKind kind,
                          TactProblemArrays *arrays);
void tact_sim_read_bodies(const TactSim *sim, const TactProblemArrays *arrays,
                          const TactSimIsland *island, double *v);
/// The other way: from v to the velocities of the bodies, 6 each.
void tact_sim_write_bodies(const TactSim *sim, const TactSimIsland *island, const double *v,
                           double *velocity);

/// Sleeping (sleep.c). In a step: rest is counted, and what was disturbed from outside wakes; pairs
/// of sleepers are not collided, and their rows belong to no island; what is touched wakes (then
/// contacts and islands are to be found again); islands that have rested fall asleep (then islands
/// are to be found again); sleepers are kept where they are.
void tact_sim_sleep_layout(TactSimSleep *sleep, const TactModel *model, TactArena *arena);
void tact_sim_sleep_reset(TactSim *sim);
void tact_sim_sleep_begin(TactSim *sim);
/// From now on these are the forces that a sleeper is used to.
void tact_sim_note_forces(TactSim *sim);
void tact_sim_wake(TactSim *sim, int tree);
bool tact_sim_body_sleeps(const TactSim *sim, int body);
bool tact_sim_row_sleeps(const TactSim *sim, int row);
bool tact_sim_wake_touched(TactSim *sim);
bool tact_sim_fall_asleep(TactSim *sim);
void tact_sim_freeze_sleepers(TactSim *sim);

#endif
