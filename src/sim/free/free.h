// Room "free": how a tree moves without contacts and rows. Forces of the step, velocity products at
// the middle of it, prescribed joints, the flight of free bodies, and the energy of all that.
#ifndef TACT_SIM_FREE_FREE_H
#define TACT_SIM_FREE_FREE_H

#include <tact/dynamics.h>
#include <tact/sim.h>

#include "base/memory.h"
#include "sim/island/island.h"

/// What a muscle's curves are measured by (muscle.c).
typedef struct TactMuscleRest {
    double force;     // largest active one, N
    double length[2]; // range of its transmission, m
} TactMuscleRest;

/// Bodies that are moved from outside: their free joints are led (mocap.c).
typedef struct TactMocap {
    int tree;
    int body, q, dof;
} TactMocap;

typedef struct TactMocaps {
    int          count;
    TactMocap   *bodies; //                                                          (mocaps)
    double      *q;      // at the end of the part                                 (7 mocaps)
    double      *v;      // that takes them there                                  (6 mocaps)
    int         *joints; //                                                          (mocaps)
    TactLeadings led;    // the same for the rows
} TactMocaps;

/// Generalized forces of the fluid around that do no work in a fluid at rest (fluid.c).
typedef struct TactSimFluid {
    bool    lifts;    // are there any?
    double *lift;     // of the step                                                    (nv)
    double *proposed; // for the next iterate of v                                      (nv)
    double *expected; // for the velocity a step is expected to end with                (nv)
    double *first;    // that islands were solved with at first                         (nv)
    double *way;      // of v in the last round of repetition                           (nv)
} TactSimFluid;

/// The free motion that islands were solved with at first (midpoint.c).
typedef struct TactSimFirst {
    double *v;       //                                                                 (nv)
    double *impulse; //                                                                 (nv)
    double *middle;  //                                                                 (nv)
} TactSimFirst;

/// The free motion of a step: (M + h D) (v - v_start) = h (tau - bias).
/// Controls on their way (delay.c).
typedef struct TactSimDelays {
    size_t  count; // of all samples
    double *ctrl;  // what reaches an actuator with a delay in this step            (actuators)
    size_t *first; // sample of an actuator                                         (actuators)
    double *time;  // of the samples of an actuator, the oldest first               (samples)
    double *value; //                                                               (samples)
} TactSimDelays;

typedef struct TactSimFree {
    TactAssembly     *loops;    // closes loops between the stages of Runge-Kutta; NULL: none
    const TactWrench *external; // of the state, NULL if all of them are 0               (bodies)
    double           *tau;      // all forces but those of constraints                   (nv)
    double           *added;    // to the diagonal of M: implicit springs, dampers, actuators (nv)
    double           *v;        // after the step                                        (nv)
    double           *impulse;  // that takes the velocity there: M (v - v_start)        (nv)
    bool    ran_away;    // velocity products of the mean velocity were not found (midpoint.c)
    bool    plain;       // islands are being solved with loops as at the beginning of the step
    bool    has_gain;    // is `gain` that of the last step?
    double *gain;        // v - v_start of the last step                          (nv)
    double *gain_before; // of the step before that                       (nv)
    double  shrink;      // by what a round of repetition brought v nearer, for a
                         // largest velocity of 1; 1 / 0: not known (midpoint.c)
    double         *gain_expected;    // of this one, from those two; 0: not known     (nv)
    double         *proposed;         // the next iterate of v (midpoint.c)            (nv)
    double         *proposed_impulse; //                                               (nv)
    double         *expected;         // that of the velocity a step is expected to end with (nv)
    double         *expected_impulse; //                                               (nv)
    bool            has_expected;     // are these there?
    TactSimFirst    first;            // what islands were solved with at first
    TactSimFluid    fluid;            // around
    double         *site_J;           // of an actuator on a site                      (6 nv)
    double         *drive_J;          // slope of an actuator's length                 (nv)
    bool            carries;          // is gravity compensation a force of actuators somewhere?
    double         *carried;          // by gravity compensation                       (nv)
    double         *act_next;         // activations after the part                    (act_count)
    bool            activating;       // the last part has changed an activation
    TactMuscleRest *muscles;          //                                               (actuators)
    TactSimDelays   delays;           // of controls
    TactMocaps      mocaps;           // bodies that are moved from outside
} TactSimFree;

/// A free body that flies by itself between impulses (flight.c).
typedef struct TactFlyer {
    int      tree;
    int      dof; // first of its six
    int      q;   // first of its seven coordinates
    TactVec3 com; // in the body's frame
    TactMat3 I;   // about that, body axes
} TactFlyer;

typedef struct TactSimFlight {
    int        count;
    TactFlyer *flyers; //                                                                (bodies)
    bool      *flies;  // is a tree one of them?                                         (bodies)
} TactSimFlight;

/// Energies of trees, as far as they are watched (balance.c, dissipate.c).
typedef struct TactSimWatch {
    double  fast;        // rad or m in a step from which on energies are watched
    bool    unbalanced;  // the last part gained energy
    bool    has_passive; // is there a mechanism among the passive trees?
    bool   *passive;     // free of the world, and driven by nothing                     (trees)
    double *damping;     // shares of the free motion; 1: no damping                     (trees)
    double *allowed;     // kinetic energies                                             (trees)
    double *kinetic;     // scratch                                                      (trees)
    double *before;      // kinetic, and of weight, at the beginning of the step         (trees)
    double *after;       // at its end                                                   (trees)
    double *q_lifted;    // with overlaps taken out                                      (nq)
    double  damped;      // J that damping takes in the part of a step at hand
} TactSimWatch;

/// A spring from a body to a place (drag.c).
typedef struct TactSimDragging {
    bool        on;
    TactSimDrag asked;
    TactVec3    force; // of the step, without its implicit part
    double      mass;  // of that: it acts as a mass at the point, kg
} TactSimDragging;

typedef struct TactSimMotion TactSimMotion;

void tact_sim_mocaps_layout(TactMocaps *mocaps, const TactModel *model, TactArena *arena);
void tact_sim_find_mocaps(TactSim *sim);
/// state.mocap from state.q.
void tact_sim_start_mocaps(TactSim *sim);
/// Where mocap bodies have to be at the end of the part; and there they are.
TactStatus tact_sim_lead_mocaps(TactSim *sim);
void       tact_sim_place_mocaps(TactSim *sim);

void tact_sim_free_layout(TactSimFree *free, const TactModel *model, TactArena *arena);

/// Generalized forces that move the mechanism at the state in the workspace, to tau; with their
/// implicit parts in added, or without (actuation.c).
TactStatus tact_sim_actuate(TactSim *sim);
TactStatus tact_sim_actuate_explicitly(TactSim *sim);
/// Length and rate of an actuator at the state in the workspace.
void tact_sim_actuator_motion(const TactSim *sim, int actuator, double *length, double *rate);

/// Adds the generalized force of a unit of an actuator to last.actuation (actuation.c).
void tact_sim_push(TactSim *sim, int actuator);
/// What acts in place of the control of an actuator with an activation, and what becomes of that
/// (activation.c).
double tact_sim_activate(TactSim *sim, int actuator, double ctrl);

/// Controls with a delay (delay.c): none on their way; those that arrive in the step to come, and
/// the ones of that step sent; what acts as the control of an actuator; is one still to arrive?
void tact_sim_delays_layout(TactSimDelays *delays, const TactModel *model, TactArena *arena);
void tact_sim_reset_delays(TactSim *sim);
/// TACT_BAD_INPUT: a control is no number, and none is kept.
TactStatus tact_sim_delay_controls(TactSim *sim);
/// The same of a control that is there.
TactStatus tact_sim_check_control(const TactSim *sim, int actuator, double ctrl);
double     tact_sim_get_control(const TactSim *sim, int actuator);
bool       tact_sim_is_delaying(const TactSim *sim, int actuator);

/// What a motor with brushes does (motor.c): the force of its current, which may be limited, and
/// that of its cogging and friction, which may not; and how they change with length and rate.
typedef struct TactMotorForce {
    double electric, by_length, by_rate;
    double mechanic, mechanic_by_rate;
} TactMotorForce;

/// A servo for a whole turn (turn.c): adds to last.actuation and, with a step h that is not 0, to
/// last.actuation_added. u: its controls.
void tact_sim_turn(TactSim *sim, int index, const double u[4], double h);

/// Its activations after the step are written to free.act_next. u: controls by TactMotorInput.
TactMotorForce tact_sim_run_motor(TactSim *sim, int actuator, double u[4], double length,
                                  double rate);
/// Does its activation change?
bool tact_sim_is_activating(const TactSim *sim, int actuator);
/// Gain and bias of a muscle; forces and ranges of all of them, which moves the workspace
/// (muscle.c).
void       tact_sim_find_muscle(const TactSim *sim, int actuator, double length, double rate,
                                double *gain, double *bias);
TactStatus tact_sim_measure_muscles(TactSim *sim);

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

/// The fluid around, where it is taken at the end of the step (fluid.c): not with Runge-Kutta.
void tact_sim_fluid_layout(TactSimFluid *fluid, size_t nv, TactArena *arena);
bool tact_sim_has_fluid(const TactSim *sim);
/// When the other forces are known: M, and the drag of the step in it and in the forces. Velocities
/// in the workspace are those of the beginning again.
TactStatus tact_sim_settle_fluid(TactSim *sim);
/// M + h D as the step has it, and its factor, at the position of its beginning.
void tact_sim_compute_mass(TactSim *sim);
/// The lift at a velocity, to fluid.proposed. Moves the workspace.                      (nv)
TactStatus tact_sim_propose_lift(TactSim *sim, const double *v);
/// Adds what the fluid did in the last step that may give energy: all of it in wind, and lift. (nv)
void tact_sim_add_wind(const TactSim *sim, double *force);
/// By which share of the way from free.v to free.proposed repetition goes on with lift, after the
/// share of the round before.
double tact_sim_relax_lift(TactSim *sim, int round, double share);
/// From what the drag is at the beginning of a step to what it is at the end: force += that, for a
/// mean acceleration.                                                              (nv) (nv)
void tact_sim_add_last_drag(const TactSim *sim, const double *acceleration, double *force);

/// Where prescribed joints have to be at the end of the step; and there they are (prescribe.c).
void tact_sim_prescribe(TactSim *sim);
void tact_sim_place_prescribed(TactSim *sim);
void tact_sim_motion_destroy(TactSimMotion *motion);
/// The motion that the model's custom asks for, if there is one.
#define TACT_SIM_MOTION_WORD "tact_motion"
TactStatus tact_sim_motion_load(TactSim *sim);
/// Takes the joints to where the motion has them at the present time.
void tact_sim_motion_start(TactSim *sim);

/// Semi-implicit Euler: the free velocity with velocity products at the mean velocity of the step,
/// and the answer with loops that are closed at its end, by as many solves as it takes
/// (midpoint.c).
TactStatus tact_sim_centre_products(TactSim *sim);
TactStatus tact_sim_centre_loops(TactSim *sim);
/// Is an island solved with loops that are to close at the end of the step, though contacts may not
/// let them? If that has no answer, it is solved again with loops as at its beginning.
bool tact_sim_tries_loops(const TactSim *sim, const TactSimIsland *island);
/// Before the first solve: both for islands with loops as if their velocity changed as it did in
/// the last step, from where fewer solves are needed.
TactStatus tact_sim_predict_loops(TactSim *sim);
/// After the last: of trees with loops the gain of a step is what their loops have left of it.
void tact_sim_keep_loop_gain(TactSim *sim);

/// Free bodies: their room, and who they are (flight.c).
void tact_sim_flyers_layout(TactSim *sim, const TactModel *model, TactArena *arena);
void tact_sim_find_flyers(TactSim *sim);
/// From the solved velocity to where they are and how fast at the end of the step.
void tact_sim_fly(TactSim *sim);
/// No spin of theirs in velocities that products are taken of: flight has its own.         (nv)
void tact_sim_still_flyers(const TactSim *sim, double *v);

void tact_sim_watch_layout(TactSimWatch *watch, const TactModel *model, TactArena *arena);
/// Adds the kinetic energy of each tree at the state in the workspace (balance.c).       (trees)
void tact_sim_add_kinetic(const TactSim *sim, double *energy);
/// From how fast a turn on, rad or m in a step, trees are watched.      carried: scratch (bodies)
double tact_sim_fast(const TactModel *model, const TactDynamics *dynamics, double *carried);
/// Does every island keep its energy balance, where something turns fast? If not, the damping of
/// its trees grows by what it lacks.
TactStatus tact_sim_check_balance(TactSim *sim, bool *holds);
/// The free motion with the damping of its trees; no damping.
void tact_sim_damp_free_motion(TactSim *sim);
void tact_sim_clear_damping(TactSim *sim);

/// Contacts give no energy to mechanisms that nothing drives (dissipate.c): who these are, once;
/// their energies at the beginning of a step; and at its end, when its contacts are complete, the
/// damping that takes what they have gained, solved with the contacts again.
void tact_sim_find_passive(TactSim *sim);
/// Tells if springs and servos are too stiff for explicit steps of this length (explicit.c).
TactStatus tact_sim_judge_explicit(TactSim *sim);
void       tact_sim_note_energies(TactSim *sim);
TactStatus tact_sim_dissipate(TactSim *sim, bool *resolved);
/// Makes the shift of positions smaller where it would lift trees that nothing drives by more than
/// the energy that the step has taken from them.
TactStatus tact_sim_pay_lifts(TactSim *sim);

#endif
