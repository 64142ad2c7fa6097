// The simulation inside.
#ifndef TACT_SIM_SIM_H
#define TACT_SIM_SIM_H

#include <tact/collide.h>
#include <tact/sim.h>

#include "base/memory.h"
#include "collide/sweep.h"
#include "sim/rows.h"

/// How an island was solved: by the last of its solves, all of which cost time and pivots.
typedef struct TactSimSolved {
    const char *rung; // that answered; NULL: none was asked
    bool        certified;
    double      error;
    int         redundant_rows;
    int         pivots;
    int         solves;                     // loops take some
    int         out_of_budget, out_of_time; // of these
    double      time;                       // s, of all of them
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
    int           *rows;     // island by island                                         (rows)
    int            contact_capacity;
    int            idle_rows; // bilateral rows that move nothing: redundant
} TactSimIslands;

/// The arrays of one contact problem, and the solver that remembers its last answer.
typedef struct TactSimSolver {
    TactContactSolver  *solver;
    TactContactCapacity capacity;
} TactSimSolver;

/// Whose mass matrix stands in the arrays: zeros where it has none need not be written again.
typedef struct TactFilled {
    int tree, trees, dofs; // the first one of the island; 0 dofs: nobody's
} TactFilled;

typedef struct TactProblemArrays {
    TactFilled       filled;
    TactArena        arena;
    size_t           size;
    double          *M;        //                                                      (n x n)
    double          *factor;   // L'DL of that, along the tree                         (n x n)
    int             *parent;   //                                                      (n)
    int             *dofs;     // of the model                                         (n)
    double          *v, *tau;  //                                                      (n)
    double          *velocity; // answer                                               (n)
    TactContactBody *bodies;   // of an island of free bodies                          (trees)
    TactContact     *contacts; //
    double          *J;     //                                                      (3 contacts x n)
    TactContactRow  *rows;  //
    double          *row_J; //                                                      (rows x n)
    double          *impulse, *row_impulse, *u;
    double          *work; // of the model's dofs; only where something bounces    (nv)
} TactProblemArrays;

/// Touches of the shapes at the poses that were asked about last.
typedef struct TactSimCollided {
    bool             known;
    TactTransform   *pose;  //                                                          (geoms)
    double          *reach; //                                                          (geoms)
    bool            *rests; //                                                          (geoms)
    TactWorldTouches found; // lent by the world
} TactSimCollided;

/// Two geoms that have contacts in the step, or should have.
typedef struct TactHeldPair {
    int    geom[2];
    double depth;        // of the deepest contact at the beginning; -INFINITY: there was none
    int    first, count; // contacts
    int    start_first, start_count; // those that the step began with
    int    end_first, end_count;     // touches where it ends
    bool   wrong;                    // these are not what they should be
    bool   passed;                   // they touch on the way, and need not at the end
    bool   hopeless;                 // and nothing but a shorter step can help
    bool   lifts;                    // they may push apart without making energy
    double time; // of the step at which it touches: where its contacts are linearised
} TactHeldPair;

/// The contact set while it is completed (complete.c).
typedef struct TactSimComplete {
    int             count, capacity;
    TactHeldPair   *pairs; // in the order of their geoms                               (capacity)
    int             contact_count, contact_capacity;
    TactSimContact *contacts; // of the next round                            (contact_capacity)
    int             start_capacity;
    TactSimContact *start;      // that the step began with, once a pair is wrong (start_capacity)
    bool            relaxed;    // the end of the step is not where its touches were found
    bool           *tree_wrong; // has a pair that is                                    (trees)
    double         *v_before;   // about which pairs were linearised                     (nv)
    TactSimSolved  *solved;     // of the islands before, by their first tree            (trees)
} TactSimComplete;

/// The parts that a step was divided into (step.c).
typedef struct TactSimParts {
    int             count;
    int             tries;   // parts that were begun
    double          watched; // s that observers took
    int             contact_count, capacity;
    TactSimContact *contacts; // of all parts, if there is more than one                (capacity)
} TactSimParts;

typedef struct TactSimReadout TactSimReadout;
typedef struct TactSimMotion  TactSimMotion;

/// What a step leaves behind for those who ask about it: the state that it began with, and what
/// acted. Forces are those of the beginning; (M + h D) takes them to the end of the step.
typedef struct TactSimLast {
    bool           stepped;         // false: there was no step yet
    double         time;            // at which it began
    double        *q;               //                                                   (nq)
    double        *v;               //                                                   (nv)
    double        *v_middle;        // at which velocity products were taken             (nv)
    double        *actuation;       // of actuators                                      (nv)
    double        *actuation_added; // their share of TactSim.added                      (nv)
    double        *actuator_force;  // scalar force of each                              (actuators)
    double        *actuator_slope;  // how it changes with the rate, where implicit      (actuators)
    double        *actuator_rate;   // at the beginning                                  (actuators)
    double        *passive;         // springs, dampers, weight that is carried          (nv)
    double        *applied;         // and the drag, without its implicit part           (nv)
    TactWrench    *external;        //                                                   (bodies)
    int            row_count;       //
    TactRowSource *row_sources;     //                                                   (rows)
    double        *row_impulse;     //                                                   (rows)
    double        *row_target;      // as it was asked for in the end                    (rows)
} TactSimLast;

typedef struct TactSimThreads TactSimThreads;

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
} TactSimSleep;

/// A free body that flies by itself between impulses (flight.c).
typedef struct TactFlyer {
    int      tree;
    int      dof; // first of its six
    int      q;   // first of its seven coordinates
    TactVec3 com; // in the body's frame
    TactMat3 I;   // about that, body axes
} TactFlyer;

struct TactSim {
    const TactModel *model;
    TactSimConfig    config;
    TactDynamics    *dynamics;
    TactAssembly    *loops; // closes loops between the stages of Runge-Kutta; NULL: there are none
    TactArena        arena;
    TactSimState     state;
    double           h; // length of the part of a step at hand, or of the last one
    TactSimParts     parts;

    const TactWrench *external; // of the state, NULL if all of them are 0            (bodies)

    double *tau;         // all forces but those of constraints                          (nv)
    double *bias;        //                                                              (nv)
    double *added;       // to the diagonal of M: implicit springs, dampers, actuators   (nv)
    double *v_free;      // after the step, without contacts and rows                  (nv)
    double *impulse;     // that takes v there: M (v_free - v)                         (nv)
    bool    sunk;        // something overlaps deeper than steps make it: it comes out (correct.c)
    bool    unbalanced;  // the last part gained energy (balance.c)
    bool    ran_away;    // products at the mean velocity were not found (midpoint.c)
    bool    has_gain;    // is the next one known?
    double *gain;        // v_free - v of the last step of Euler's (midpoint.c)        (nv)
    double *gain_before; // of the step before that                               (nv)
    double *first_v;     // the free motion that islands were solved with at first (midpoint.c) (nv)
    double *first_impulse; //                                                         (nv)
    double *first_middle;  //                                                         (nv)
    double *v_next;        // solved, at the positions of the beginning                  (nv)
    double *v_end;         // what becomes of it over the step: that of flyers turns     (nv)
    double *q_next;        //                                                              (nq)
    double *site_J;        // of an actuator on a site                                     (6 nv)
    double *kept_target;   // of rows                                                  (rows)
    double *correction;    // of positions, as a velocity                                (nv)

    int        flyer_count;
    TactFlyer *flyers; //                                                               (bodies)
    bool      *flies;  // is a tree one of them?                                        (bodies)

    double  fast;         // rad or m in a step from which on energies are watched
    double *tree_damping; // shares of the free motion; 1: no damping                     (trees)
    double *tree_allowed; // kinetic energies                                             (trees)
    double *tree_energy;  //                                                              (trees)

    TactRows       rows;
    int           *row_tree; // a tree that a row moves; -1: none                           (rows)
    TactSimIslands islands;

    TactWorld      *world;           // of the geoms that may touch
    TactMeshTree  **mesh_trees;      // NULL where no geom that touches is that mesh    (meshes)
    TactMeshTree  **field_trees;     // the same of height fields                 (heightfields)
    TactMesh      **field_meshes;    // their surfaces                            (heightfields)
    int             shape_count;     //
    int            *geom_of_shape;   //                                                 (geoms)
    TactVec3       *shape_middle;    // in its frame                                    (geoms)
    double         *shape_radius;    // around it                                       (geoms)
    int            *shape_of_geom;   //                                                 (geoms)
    TactTransform  *shape_pose;      // at the beginning of the step                    (geoms)
    double         *reach;           // how far it may come in the step                 (geoms)
    TactTransform  *end_pose;        // at its end                                      (geoms)
    double         *end_reach;       // from there on                                   (geoms)
    TactSimCollided collided;        //
    TactSimComplete complete;        //
    TactTouchList   ahead;           // of a fast pair, where it will touch
    TactTransform  *query_body_pose; // at the present state, for questions           (bodies)
    TactTransform  *query_pose;      // of shapes                                     (geoms)
    int            *local;           // place of a dof in its island                    (nv)
    int            *body_place;      // place of a tree among the bodies of its island  (bodies)

    double            *restitution; // of geoms                                  (geoms)
    bool               bounces;     // is one of them not 0?
    TactSimController *controller;
    TactSimMotion     *motion;     // NULL: none (prescribe.c)
    bool               drags;      //
    TactSimDrag        drag;       //
    TactVec3           drag_force; // of the step, without its implicit part
    double             drag_mass;  // of that: it acts as a mass at the point, kg
    void              *controller_context;
    TactSimObserver   *observer; // NULL: none
    void              *observer_context;

    int             contact_count;
    int             contact_capacity;
    TactSimContact *contacts; //                                                      (capacity)

    TactSimSleep    sleep;
    TactSimLast     last;
    TactSimReadout *readout; // made when somebody asks (forces.c)

    TactSimSolver    *solvers;    // of the island whose first tree it is                (trees)
    TactSimSolver    *correctors; // the same for corrections of positions            (trees)
    TactProblemArrays arrays;
    TactSimThreads   *threads; // NULL: one
};

/// Generalized forces that move the mechanism at the state in the workspace, to tau; with their
/// implicit parts in added, or without (actuation.c).
TactStatus tact_sim_actuate(TactSim *sim);
TactStatus tact_sim_actuate_explicitly(TactSim *sim);

/// Length and rate of an actuator at the state in the workspace.
void tact_sim_actuator_motion(const TactSim *sim, int actuator, double *length, double *rate);

/// The shape of a geom that is not a visual mesh (contacts.c).
TactShape tact_sim_make_shape(const TactSim *sim, const TactGeom *geom);
/// The way of a shape in the step ahead, at its present velocity and with what gravity adds to it.
TactSweep tact_sim_find_way(const TactSim *sim, int shape, const TactShape *its);
/// Shapes of the geoms, once; and where they touch now (contacts.c).
TactStatus tact_sim_contacts_create(TactSim *sim);
void       tact_sim_contacts_destroy(TactSim *sim);
TactStatus tact_sim_find_contacts(TactSim *sim, TactSimReport *report);
/// Poses of the shapes at the state in the workspace, and how far they may come in a step. (geoms)
void tact_sim_place_shapes(const TactSim *sim, TactTransform *pose, double *reach);
/// All touches there; the same question again costs nothing.
TactStatus tact_sim_collide(TactSim *sim, const TactTransform *pose, const double *reach,
                            TactWorldTouches *found);
/// A contact of two geoms; the number that it has in every step; room for more.
void       tact_sim_make_contact(const TactSim *sim, int geom_a, int geom_b, const TactTouch *touch,
                                 TactSimContact *contact);
uint64_t   tact_sim_contact_id(int geom_a, int geom_b, uint64_t feature);
TactStatus tact_sim_reserve_contacts(TactSimContact **contacts, int *capacity, int count,
                                     int needed);

/// The contact set completed after the first solve (complete.c): begin notes which pairs there are;
/// then the step is solved until all that touches at its end is a contact and all that pushes
/// touches. resolved: false if that did not end. The workspace is left at the end of the step if it
/// did, and else at its beginning.
void tact_sim_complete_layout(TactSimComplete *complete, const TactModel *model, TactArena *arena);
void tact_sim_complete_destroy(TactSimComplete *complete);
TactStatus tact_sim_complete_begin(TactSim *sim);
/// Marks the pairs that are not right where the step ends, and puts those in that have no contacts
/// yet. wrong: how many there are; hopeless: how many of them nothing but a shorter step can help.
/// Rounds after the first TACT_SIM_RELAXED settle for less and less (judge_pairs.c).
enum { TACT_SIM_RELAXED = 3 };
TactStatus tact_sim_judge_pairs(TactSim *sim, const TactWorldTouches *found, int round, int *wrong,
                                int *hopeless);
TactStatus tact_sim_complete(TactSim *sim, bool *resolved);
/// Does a shape belong to what cannot move?
bool tact_sim_is_fixed(const TactSim *sim, int shape);
/// Overlap at the end of a step that is left alone, and gap at which a contact may push, m.
double tact_sim_overlap_left(const TactSim *sim);
/// The deepest that steps make themselves, m.
double tact_sim_overlap_made(const TactSim *sim);
double tact_sim_gap_left(const TactSim *sim);

/// Two shapes on their paths from the beginning of the step to its end (linearise.c).
typedef struct TactPaths {
    TactShape shapes[2];
    TactSweep ways[2];
} TactPaths;

void tact_sim_find_paths(const TactSim *sim, const int shape[2], TactPaths *paths);
/// Contacts of a pair, where it touches, to the end of the list of the next round.
TactStatus tact_sim_linearise(TactSim *sim, TactHeldPair *pair);
/// Velocities of all islands whose answer does not stand (advance.c).
TactStatus tact_sim_solve_motion(TactSim *sim);
/// From the state to q_next and v_end a time h later. resolved: false if h is too long for what
/// happens; if it is divisible the part is then to be made again in two.
TactStatus tact_sim_advance(TactSim *sim, TactSimReport *report, bool divisible, bool *resolved);
/// Adds islands that a rung has answered to the report (problem.c).
void tact_sim_add_rung(TactSimReport *report, const char *name, int count);

/// Trees and their dofs, once (islands.c).
void tact_sim_islands_layout(TactSimIslands *islands, const TactModel *model, int rows,
                             TactArena *arena);
void tact_sim_islands_find_trees(TactSimIslands *islands, const TactModel *model);
/// Islands of the present contacts and rows.
TactStatus tact_sim_islands_find(TactSim *sim);

/// Restitution of geoms; TACT_BAD_INPUT if a custom of the model cannot be (config.c).  (geoms)
TactStatus tact_sim_read_restitution(const TactModel *model, const TactSimConfig *config,
                                     double *restitution);
TactStatus tact_sim_check_config(const TactSimConfig *config);

/// tau += J' w for a wrench on a body about a point (forces.c).
void tact_sim_add_wrench(const TactSim *sim, int body, TactVec3 point, TactWrench wrench,
                         double *tau);

/// The drag at the state in the workspace, and none; its generalized force added to tau, its mass
/// added to M; both done to the free motion (drag.c).
void tact_sim_find_drag(TactSim *sim);
void tact_sim_pause_drag(TactSim *sim);
void tact_sim_drag_free_motion(TactSim *sim);
void tact_sim_add_drag(const TactSim *sim, double *tau);
void tact_sim_add_drag_mass(TactSim *sim);
/// Where the drag pulls, world frame; and its force on the body at the end of the last step.
TactVec3 tact_sim_drag_point(const TactSim *sim);
TactVec3 tact_sim_last_drag(const TactSim *sim, const double *acceleration);

/// Where prescribed joints have to be at the end of the step; and there they are (prescribe.c).
void tact_sim_prescribe(TactSim *sim);
void tact_sim_place_prescribed(TactSim *sim);
void tact_sim_motion_destroy(TactSimMotion *motion);
/// The motion that the model's custom asks for, if there is one.
#define TACT_SIM_MOTION_WORD "tact_motion"
TactStatus tact_sim_motion_load(TactSim *sim);
/// Takes the joints to where the motion has them at the present time.
void tact_sim_motion_start(TactSim *sim);

/// Which contacts are hit in the step, and how fast they come apart by Newton's law (impact.c).
void tact_sim_choose_bounces(TactSim *sim);
/// Gap, bounce and compliance of a contact.
void tact_sim_set_contact_law(const TactSim *sim, const TactSimContact *c, TactContact *contact);
/// Is a contact of the island hit?
bool tact_sim_island_bounces(const TactSim *sim, const TactSimIsland *island);
/// Solves the problem of such an island, in the arrays of the simulation.
TactStatus tact_sim_solve_bounces(TactSim *sim, const TactSimIsland *island,
                                  TactContactSolver *solver, const TactContactProblem *problem,
                                  const TactContactAnswer *answer, TactContactReport *report);
/// Velocity of a body's point along an axis with velocities v.
double tact_sim_point_rate(const TactSim *sim, int body, TactVec3 point, TactVec3 axis,
                           const double *v);
/// How fast a contact opens along an axis with velocities v.
double tact_sim_contact_rate(const TactSim *sim, const TactSimContact *c, TactVec3 axis,
                             const double *v);

/// Arrays of the read-out; frees them (forces.c).
void tact_sim_readout_destroy(TactSimReadout *readout);

/// What a solve is for.
typedef enum TactSolveKind {
    TACT_SOLVE_MOTION,     // v+ of the step
    TACT_SOLVE_CORRECTION, // a shift of positions: no motion, no friction
} TactSolveKind;

/// The contact problem of an island, in the arrays of the simulation (problem.c).
TactStatus tact_sim_make_problem(TactSim *sim, int index, TactSolveKind kind,
                                 TactContactProblem *problem);

/// Rows and islands of the step whose contacts are known and whose state is set (advance.c).
TactStatus tact_sim_make_islands(TactSim *sim);

/// Makes a solver that is large enough for this, and remembers what the one before it did: how
/// large a solver is changes no answer (problem.c).
TactStatus tact_sim_grow_solver(const TactSim *sim, TactSolveKind kind,
                                const TactContactCapacity *need, TactSimSolver *slot);

/// Solves a problem that was made; a solver that needs more memory for it gets that (problem.c).
TactStatus tact_sim_solve_problem(TactContactSolver *solver, const TactContactProblem *problem,
                                  const TactContactAnswer *answer, TactContactReport *report);

/// Solves one island; writes the velocities of its dofs to v, and how it went to the island
/// (problem.c).
TactStatus tact_sim_solve_island(TactSim *sim, int index, TactSolveKind kind, double *v);

/// Adds how the islands were solved to the report, of a correction only the time (problem.c).
void tact_sim_tell_islands(const TactSim *sim, TactSolveKind kind, TactSimReport *report);

/// Solves all islands, on as many threads as the config says (threads.c).
TactStatus tact_sim_threads_create(TactSim *sim);
void       tact_sim_threads_destroy(TactSimThreads *threads);
TactStatus tact_sim_solve_islands(TactSim *sim, TactSolveKind kind, double *v);

/// Islands that are nothing but free bodies (free_bodies.c).
bool tact_sim_island_is_free(const TactSim *sim, const TactSimIsland *island);
void tact_sim_fill_bodies(TactSim *sim, const TactSimIsland *island, TactSolveKind kind);
void tact_sim_read_bodies(const TactSim *sim, const TactSimIsland *island, double *v);
/// The other way: from v to the velocities of the bodies, 6 each.
void tact_sim_write_bodies(const TactSim *sim, const TactSimIsland *island, const double *v,
                           double *velocity);

/// Semi-implicit Euler: v_free with velocity products at the mean velocity of the step, and v_next
/// with loops that are closed at its end, by as many solves as it takes (midpoint.c).
TactStatus tact_sim_centre_products(TactSim *sim);
TactStatus tact_sim_centre_loops(TactSim *sim);
/// Before the first solve: both for islands with loops as if their velocity stayed what it is, from
/// where fewer solves are needed.
TactStatus tact_sim_predict_loops(TactSim *sim);

/// Free bodies: their room, and who they are (flight.c).
void tact_sim_flyers_layout(TactSim *sim, const TactModel *model, TactArena *arena);
void tact_sim_find_flyers(TactSim *sim);
/// From v_next to where they are and how fast at the end of the step: q_next, v_end.
void tact_sim_fly(TactSim *sim);
/// No spin of theirs in velocities that products are taken of: flight has its own.         (nv)
void tact_sim_still_flyers(const TactSim *sim, double *v);

/// Where the step ends, to q_next and v_end (positions.c).
void tact_sim_finish_positions(TactSim *sim);
/// From how fast a turn on, rad or m in a step, trees are watched.      carried: scratch (bodies)
double tact_sim_fast(const TactModel *model, const TactDynamics *dynamics, double *carried);
/// Does every island keep its energy balance, where something turns fast (balance.c)? If not, the
/// damping of its trees grows by what it lacks.
TactStatus tact_sim_check_balance(TactSim *sim, bool *holds);
/// The free motion with the damping of its trees; no damping.
void tact_sim_damp_free_motion(TactSim *sim);
void tact_sim_clear_damping(TactSim *sim);

/// Takes loop errors and penetration out of q_next (correct.c).
TactStatus tact_sim_correct(TactSim *sim, TactSimReport *report);

/// Sleeping (sleep.c). In a step: rest is counted, and what was disturbed from outside wakes; pairs
/// of sleepers are not collided, and their rows belong to no island; what is touched wakes (then
/// contacts and islands are to be found again); islands that have rested fall asleep (then islands
/// are to be found again); sleepers are kept where they are.
void tact_sim_sleep_layout(TactSimSleep *sleep, const TactModel *model, TactArena *arena);
void tact_sim_sleep_reset(TactSim *sim);
void tact_sim_sleep_begin(TactSim *sim);
void tact_sim_wake(TactSim *sim, int tree);
bool tact_sim_body_sleeps(const TactSim *sim, int body);
bool tact_sim_row_sleeps(const TactSim *sim, int row);
bool tact_sim_wake_touched(TactSim *sim);
bool tact_sim_fall_asleep(TactSim *sim);
void tact_sim_freeze_sleepers(TactSim *sim);

#endif
