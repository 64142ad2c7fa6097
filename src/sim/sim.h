// The simulation inside: one struct, split by who owns what.
//
//     free/     how trees move without contacts: forces, velocity products, flight, energy
//     touch/    contacts of the step: shapes, touches, the set of contacts completed, bounces
//     island/   trees that touch, their contact problems, solvers, threads, sleeping
//     readout/  what is asked about a step: forces, sensors, explanations, recordings
//
// and here the step itself: step.c divides it into parts, advance.c makes one of them, positions.c
// says where it ends, correct.c takes out what overlaps, rest.c goes on where all sleeps.
// docs/architecture.md has the picture.
#ifndef TACT_SIM_SIM_H
#define TACT_SIM_SIM_H

#include <tact/sim.h>

#include "base/memory.h"
#include "base/ticks.h"
#include "sim/free/free.h"
#include "sim/island/island.h"
#include "sim/touch/touch.h"

enum { TACT_SIM_MOST_LEVELS = 8 }; // of halving a step

/// The parts that a step was divided into (step.c).
typedef struct TactSimParts {
    int             count;
    int             tries;       // parts that were begun
    double          watched;     // s that observers took
    TactTickRate    rate;        // of all steps
    double          end;         // of the step, s
    int             least_level; // 2^this parts: springs are too stiff for fewer (explicit.c)
    int             contact_count, capacity;
    TactSimContact *contacts; // of all parts, if there is more than one                (capacity)
} TactSimParts;

/// Where the step ends: what its islands made of the free motion.
typedef struct TactSimAnswer {
    double *v;           // solved, at the positions of the beginning                   (nv)
    double *v_end;       // what becomes of it over the step: that of flyers turns      (nv)
    double *q_end;       //                                                             (nq)
    double *kept_target; // of rows of islands whose answer stands                      (rows)
} TactSimAnswer;

enum { TACT_SIM_MOST_STUCK = 256 }; // pairs; what is beyond them is tried again in every step

/// Positions put right (correct.c).
typedef struct TactSimPositions {
    double      *shift;  // of coordinates, as a velocity                                    (nv)
    bool         sunk;   // something overlaps deeper than steps make it: it comes out
    bool         placed; // since the state was set from outside, something has been sunk
    int          stuck_count;
    TactSimStuck stuck[TACT_SIM_MOST_STUCK]; // overlaps that nothing can undo (stuck.c)
} TactSimPositions;

/// Numbers that a function needs for itself, and leaves behind as they are.
typedef struct TactSimScratch {
    double *a, *b; //                                                                   (nv)
} TactSimScratch;

/// Who is asked before a step, and told after its parts.
typedef struct TactSimHooks {
    TactSimController *controller; // NULL: none
    void              *controller_context;
    TactSimObserver   *observer; // NULL: none
    void              *observer_context;
} TactSimHooks;

typedef struct TactSimReadout TactSimReadout;

/// Forces of least norm, of the last part (readout/share.c).
typedef struct TactSimShared {
    TactSim       *self; // the simulation, for questions about what nobody may change
    bool           done; // contacts and rows have the forces that are told
    TactSimSharing found;
} TactSimShared;

/// What a step leaves behind for those who ask about it: the state that it began with, and what
/// acted. Forces are those of the beginning; (M + h D) takes them to the end of the step.
typedef struct TactSimLast {
    bool           stepped;         // false: there was no step yet
    double         time;            // at which it began
    double        *q;               //                                                   (nq)
    double        *v;               //                                                   (nv)
    double        *v_middle;        // at which velocity products were taken             (nv)
    double        *actuation;       // of actuators                                      (nv)
    double        *actuation_added; // their share of TactSimFree.added                  (nv)
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

struct TactSim {
    const TactModel *model;
    TactModel       *own; // the model, once a parameter was set; NULL: it is the one given
    TactSimConfig    config;
    TactDynamics    *dynamics; // the workspace: at the beginning of the step, or at its end
    TactArena        arena;
    TactSimState     state;
    double           h; // length of the part of a step at hand, or of the last one
    TactSimHooks     hooks;
    TactSimScratch   scratch;

    // free/
    TactSimFree     free;
    TactSimFlight   flight;
    TactSimWatch    energy;
    TactSimDragging drag;
    TactSimMotion  *motion; // of prescribed joints; NULL: none

    // touch/
    TactSimShapes   shapes;
    TactSimBounce   bounce;
    TactSimComplete complete;
    int             contact_count;
    int             contact_capacity;
    TactSimContact *contacts; // of the part at hand                                  (capacity)

    // island/
    TactRows       rows;
    TactSimIslands islands;
    TactSimSolve   solve;
    TactSimSleep   sleep;

    // the step
    TactSimParts     parts;
    TactSimAnswer    answer;
    TactSimPositions positions;
    TactSimLast      last;

    TactSimShared   share;
    TactSimReadout *readout; // made when somebody asks (readout/forces.c)
};

/// From the state to its end a time h later. resolved: false if h is too long for what happens; if
/// it is divisible the part is then to be made again in two (advance.c).
TactStatus tact_sim_advance(TactSim *sim, TactSimReport *report, bool divisible, bool *resolved);
/// Rows and islands of the step whose contacts are known and whose state is set (advance.c).
TactStatus tact_sim_make_islands(TactSim *sim);
/// Velocities of all islands whose answer does not stand (advance.c).
TactStatus tact_sim_solve_motion(TactSim *sim);
/// Where the step ends (positions.c).
void tact_sim_finish_positions(TactSim *sim);
/// Takes loop errors and penetration out of the end (correct.c).
TactStatus tact_sim_correct(TactSim *sim, TactSimReport *report);
/// Before a step: does the world stand still, and what pushes it (rest.c)?
void tact_sim_begin_rest(TactSim *sim);
/// What a step was like of which as many trees slept at the beginning as now (rest.c).
void tact_sim_note_rest(TactSim *sim, const TactSimReport *report, int asleep);
/// Makes a step of a world that sleeps or stands still and in which nothing has changed; done:
/// false if it is none, and has to be made as any other (rest.c).
TactStatus tact_sim_step_at_rest(TactSim *sim, TactSimReport *report, bool *done);
/// The hash of these numbers after those that the first argument is the hash of, or of none
/// (hash.c).
#define TACT_SIM_HASH 0xcbf29ce484222325u
uint64_t tact_sim_hash_numbers(uint64_t hash, const double *x, int n);
/// Were coordinates set from outside since the last step (step.c)?
bool tact_sim_is_moved(const TactSim *sim);

/// Restitution of geoms; TACT_BAD_INPUT if a custom of the model cannot be (config.c).  (geoms)
TactStatus tact_sim_read_restitution(const TactModel *model, const TactSimConfig *config,
                                     double *restitution);
TactStatus tact_sim_check_config(const TactSimConfig *config);

/// tau += J' w for a wrench on a body about a point (readout/forces.c).
void tact_sim_add_wrench(const TactSim *sim, int body, TactVec3 point, TactWrench wrench,
                         double *tau);
/// Arrays of the read-out; frees them (readout/forces.c).
void tact_sim_readout_destroy(TactSimReadout *readout);

// ---------------------------------------------------------------------------------------------
// stuck.c

/// Is the pair of a contact among those that nothing can part?
bool tact_sim_is_stuck(const TactSim *sim, const TactSimContact *contact);

/// Do joints move a contact along its normal enough to undo this overlap?          J: (n)
bool tact_sim_can_part(int n, const double *J, double excess);

/// The shift of an island was not found: marks the contacts that stand in the way.
void tact_sim_judge_lift(TactSim *sim, const TactProblemArrays *arrays,
                         const TactSimIsland *island);

/// Before a correction: pairs that have moved are looked at again. After it: those that are marked
/// are kept.
void tact_sim_keep_stuck(TactSim *sim);
void tact_sim_note_stuck(TactSim *sim);

#endif
