// Simulation: a model, its state, and steps of time.
//
// One step of length h, on the level of velocities:
//
//     (M + h D) (v+ - v) = h (tau - bias) + J' p,      q+ = q moved by h v+
//
// with D implicit springs, dampers and actuators on joints, and velocity products (bias) at the
// mean of v and v+, or with all smooth forces over the step by Runge-Kutta of order 4; contacts,
// loops, couplings, limits and dry friction of the joints in one contact problem for every island
// of bodies that touch, solved and certified by contact.h. What touches at the end of the step is a
// contact of it; a step that is too long for that is divided. Free bodies take their impulses at
// the beginning and then fly, with their angular momentum. Loop errors and deep overlaps are taken
// out of the positions alone, and reported.
//
// A contact between a and b has its normal from a to b; forces are those on b, minus them act on a.
#ifndef TACT_SIM_H
#define TACT_SIM_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/collide.h>
#include <tact/contact.h>
#include <tact/dynamics.h>
#include <tact/math.h>
#include <tact/model.h>
#include <tact/parameter.h>
#include <tact/record.h>
#include <tact/verify.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a contact does that is hit. Of two geoms the larger restitution e counts.
typedef enum TactRestitutionLaw {
    TACT_RESTITUTION_LAW_NEWTON,     // it comes apart with e times the speed of approach
    TACT_RESTITUTION_LAW_POISSON,    // its normal impulse is 1 + e times what stops the approach
    TACT_RESTITUTION_LAW_SEQUENTIAL, // pairs of bodies are hit one after the other, by Newton's
                                     // law: of
                                     //   balls in a row that touch, one comes in and one goes out
} TactRestitutionLaw;

TACT_API const char               *tact_restitution_law_name(TactRestitutionLaw value);
TACT_API TACT_NODISCARD TactStatus tact_restitution_law_find(const char         *name,
                                                             TactRestitutionLaw *value);

typedef struct TactSimConfig {
    double             timestep;   // h, s
    TactIntegrator     integrator; // of the motion between contacts
    TactContactMethod  method;     //
    TactContactCone    cone;       // circle unless asked otherwise
    double             tol;        // largest certified error called solved
    int                directions; // of pyramids; 0: 8
    double             slop;       // penetration that is left alone, m
    double             correction; // share of what exceeds it that is taken out in a step, 0 .. 1
    double             loop_tol;   // loop errors are taken out down to this, m or rad (Euler)
    double             friction_scale;  // all friction coefficients of contacts times this (1)
    double             restitution;     // of geoms of which the model says nothing else, 0 .. 1
    TactRestitutionLaw restitution_law; //
    double             stiffness;       // of every contact point, N/m; 0: rigid, as is the default
    double             damping;         // of every contact point with stiffness, N s/m
    TactContactShare   share;   // forces that are told of redundant contacts; changes no motion
    int                threads; // that solve islands, with the caller, 1 .. 64; the bits are the
                                //   same for all. An allocator of your own must bear them
    double sleep_time;          // islands that rested for this long fall asleep, s; 0: none
    double sleep_speed;         // below which a velocity counts as rest, m/s or rad/s
    double max_work;            // of each solve, operations (contact.h); 0: any. 1e11, seconds for
                                //   a large pile and minutes where nothing helps, by default
    double max_time;            // of each solve, s; 0: any. Runs in which it ends one are not
                                //   reproducible
    uint32_t cookie;            // set by tact_sim_config_default(); do not write
} TactSimConfig;

/// With the model's integrator and step, and what its customs ask for: tact_method, tact_cone,
/// tact_directions, tact_restitution, tact_restitution_law, tact_stiffness (N/m, N s/m).
TACT_API TactSimConfig tact_sim_config_default(const TactModel *model);

typedef struct TactSim TactSim;

/// Starts at the model's reference, at rest, or on the motion that its custom tact_motion names.
/// The model must outlive it.
TACT_API TACT_NODISCARD TactStatus tact_sim_create(const TactModel     *model,
                                                   const TactSimConfig *config, TactSim **sim);
TACT_API void                      tact_sim_destroy(TactSim *sim);

TACT_API const TactModel     *tact_sim_view_model(const TactSim *sim);
TACT_API const TactSimConfig *tact_sim_view_config(const TactSim *sim);

/// From the next step on: timestep, method, cone, directions, tol, friction_scale, slop,
/// correction, loop_tol, max_work, max_time and share may be others than those of the simulation.
/// TACT_BAD_ARGUMENT, and nothing is changed, if another field is, or if the config could not have
/// been created with.
TACT_API TACT_NODISCARD TactStatus tact_sim_set_config(TactSim *sim, const TactSimConfig *config);

/// Sets a parameter of the model (parameter.h: "geom/finger/friction") from the next step on, in
/// this simulation alone: tact_sim_view_model() is then a copy of its own. Sleeping bodies wake up;
/// read-out of the last step is forgotten. Certifiers and recorders are to be made after it. A
/// snapshot goes with the parameters it was saved with. TACT_UNSUPPORTED for dry friction where
/// there was none, which needs a row of its own.                                       (count)
TACT_API TACT_NODISCARD TactStatus tact_sim_set(TactSim *sim, const char *path,
                                                const double *values, int count);
TACT_API TACT_NODISCARD TactStatus tact_sim_get(const TactSim *sim, const char *path,
                                                double *values, int count);

/// What may be written between steps; lent for the life of the simulation.
typedef struct TactSimState {
    double        *q;        //                                                          (nq)
    double        *v;        //                                                          (nv)
    double        *ctrl;     // of actuators                                             (actuators)
    double        *act;      // activations of actuators that have one               (act_count)
    double        *applied;  // generalized forces, N or N m                             (nv)
    TactWrench    *external; // on bodies: world frame, about their centres of mass      (bodies)
    double         time;     // s
    TactTransform *mocap; // where mocap bodies shall be at the end of the next step; they go there
                          //   with the velocity that it takes                       (mocaps)
} TactSimState;

TACT_API TactSimState *tact_sim_view_state(TactSim *sim);

/// Where bodies, geoms and sites are at the present state, world frame; and how the bodies move:
/// velocities of their origins. The world is body 0.
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_poses(TactSim       *sim,
                                                          TactTransform *poses); // (bodies)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_velocities(TactSim   *sim,
                                                               TactTwist *twists); // (bodies)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_geom_poses(TactSim       *sim,
                                                               TactTransform *poses); // (geoms)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_site_poses(TactSim       *sim,
                                                               TactTransform *poses); // (sites)

/// Where a mocap body shall be at the end of the next step: sets state.mocap by the body.
/// TACT_BAD_ARGUMENT if it is none, or a number is not finite.
TACT_API TACT_NODISCARD TactStatus tact_sim_move_body(TactSim *sim, int body, TactTransform pose);

/// Adds a force at a point of the world to state.external of a body, where it stays until it is
/// written again. TACT_BAD_ARGUMENT if there is no such body, or a number is not finite.
TACT_API TACT_NODISCARD TactStatus tact_sim_apply_force(TactSim *sim, int body, TactVec3 force,
                                                        TactVec3 point);

/// The state of a keyframe, or the reference if keyframe is -1; forgets the last step.
TACT_API TACT_NODISCARD TactStatus tact_sim_reset(TactSim *sim, int keyframe);

/// A contact of the last step.
typedef struct TactSimContact {
    int              geom[2];       // a, b
    int              body[2];       //
    uint64_t         id;            // the same from step to step while the features are
    TactVec3         point;         // between the two surfaces, world frame
    TactVec3         normal;        // from a to b
    TactVec3         tangent[2];    //
    double           depth;         // > 0: overlap, < 0: gap, m, at the start of the step
    double           mu;            //
    double           restitution;   // 0: none
    double           bounce;        // speed at which it has to come apart, m/s; 0: it was not hit
    double           lift;          // the same because its surfaces turn into each other, m/s
    double           force[3];      // on b along normal and tangents, N
    double           velocity[3];   // of b against a after the step, m/s
    TactContactState state;         //
    double           friction_used; // |f_t| / (mu f_n); what the tolerance leaves beyond 1 is 1
    bool             stuck;         // its geoms overlap, and nothing can part them
    double           mu2;           // along tangent 2; as mu, mostly
    double           mu_spin;       // against spinning, m
    double           mu_roll;       // against rolling, m
    double           moment[3];     // on b about normal and tangents, N m
    double           spin[3];       // of b against a about these, rad/s; 0 without coefficients
    double           spin_used;     // |m_n| / (mu_spin f_n)
    double           roll_used;     // |(m_1, m_2)| / (mu_roll f_n)
} TactSimContact;

/// Of a step that was divided: the contacts of all its parts, those of the last one at the end,
/// with forces as means over the whole step. All else that is read out is of the last part. Forces
/// of redundant contacts are those that config.share asks for, in the last part at least; they are
/// found by the first question after a step, which may allocate.
TACT_API const TactSimContact *tact_sim_view_contacts(const TactSim *sim, int *count);

/// Two geoms that overlap, and that no joint can part: they are left as they are.
typedef struct TactSimStuck {
    int    geom[2];
    double depth; // when it was found out, m
} TactSimStuck;

/// Of these all that the last steps have met; lent until the next step.
TACT_API const TactSimStuck *tact_sim_view_stuck(const TactSim *sim, int *count);

// ---------------------------------------------------------------------------------------------
// Questions about the geoms that can touch, at the present state: visual ones have no shape, and
// with contacts switched off none has

/// What a ray hits first.
typedef struct TactSimHit {
    int      geom;     // -1: nothing
    double   distance; // m; INFINITY: nothing
    TactVec3 point;    // world frame
    TactVec3 normal;   // of the surface, of length 1
} TactSimHit;

/// The ray's filter, if there is one, is asked about geoms.
TACT_API TACT_NODISCARD TactStatus tact_sim_cast_ray(TactSim *sim, const TactRay *ray,
                                                     TactSimHit *hit);

/// Distance and nearest points of two geoms, or depth of their overlap (collide.h).
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_distance(TactSim *sim, int geom_a, int geom_b,
                                                             TactDistance *distance);

// ---------------------------------------------------------------------------------------------
// Steps

/// How many islands a rung of the ladder, or the method itself, answered last.
typedef struct TactSimRung {
    const char *name;
    int         count;
} TactSimRung;

typedef struct TactSimReport {
    int    contacts;           // points of the step
    int    rows;               // loops, limits, dry friction
    int    asleep;             // trees that sleep: their contacts are not listed
    int    islands;            // contact problems solved
    int    certified;          // of these
    double error;              // worst certified error
    double penetration;        // deepest contact at the start of the step, m
    double loop_error;         // worst loop or coupling after the step, m or rad
    int    redundant_rows;     // bilateral rows that others imply
    int    implied_rows;       // of loops, which others imply but for the digits of the file: left
                               //   out; fixed when the simulation is made
    double      implied_error; // how far these are off after the step, at the most, m or rad
    int         parts;         // that the step was divided into; 1: none
    int         unresolved;    // parts that are too long for their motion, and divided no further
    double      correction;    // largest shift of a coordinate beyond its velocity, m or rad
    double      damping;       // energy taken from mechanisms that contacts must not give them, J
    int         pivots;        //
    int         solves;        // of these problems: loops repeat them
    int         out_of_budget; // of these: max_work or max_time ended them
    int         out_of_time;   // of these: it was the clock, and the step is not reproducible
    double      solve_time;    // s, of all solves, and of those that put positions right
    double      correct_time;  // s, of the latter
    double      step_time;     // s, of the whole step without observers
    uint64_t    hash;          // of q and v after the step
    int         rung_count;
    TactSimRung rungs[TACT_CONTACT_MAX_RUNGS]; //
} TactSimReport;

/// One step. TACT_BAD_INPUT with the joint's or actuator's name if the state or control is not
/// finite. A problem that cannot be certified is told in the report: the step goes on with the
/// answer of smallest error.
TACT_API TACT_NODISCARD TactStatus tact_sim_step(TactSim *sim, TactSimReport *report);

/// Of q and v: the same bits give the same hash.
TACT_API uint64_t tact_sim_get_hash(const TactSim *sim);

// ---------------------------------------------------------------------------------------------
// Control

/// Called at the beginning of every step: may write what tact_sim_view_state() lends, and read what
/// the last step did. What it returns other than TACT_OK ends the step, which is not made.
typedef TactStatus TactSimController(void *context, TactSim *sim);

/// NULL: none.
TACT_API void tact_sim_set_controller(TactSim *sim, TactSimController *controller, void *context);

/// A part of a step: all of it, unless the step was divided where something fast met. Each part is
/// a step of its own length, from the state before it to the one after it.
typedef struct TactSimPart {
    double        time;       // at which it began, s
    double        h;          // its length, s
    const double *q, *v;      // before                                             (nq), (nv)
    const double *q_after;    //                                                    (nq)
    const double *v_after;    //                                                    (nv)
    const double *v_solved;   // of the contact problems, at q: that of a free body flies on to
                              //   v_after, any other is v_after                    (nv)
    const double *v_products; // at which velocity products were taken              (nv)
    double        correction; // largest shift of a coordinate beyond its velocity: overlaps and
                              //   loop errors that are taken out, m or rad
} TactSimPart;

/// Called after every part of a step. Contacts and read-out are those of the part. What it returns
/// other than TACT_OK is returned by the step, which is made all the same.
typedef TactStatus TactSimObserver(void *context, TactSim *sim, const TactSimPart *part);

/// NULL: none.
TACT_API void tact_sim_set_observer(TactSim *sim, TactSimObserver *observer, void *context);

typedef enum TactInterpolation {
    TACT_INTERPOLATION_LINEAR, // constant velocity between moments
    TACT_INTERPOLATION_CUBIC,  // natural cubic spline: positions, velocities, accelerations go over
} TactInterpolation;

TACT_API const char               *tact_interpolation_name(TactInterpolation value);
TACT_API TACT_NODISCARD TactStatus tact_interpolation_find(const char        *name,
                                                           TactInterpolation *value);

/// Where some joints are, moment by moment. Before the first moment and after the last one they
/// stand still.
typedef struct TactMotion {
    int     count;
    double *time; // ascending, s                                             (count)
    int     joint_count;
    int    *joints;   // hinges and slides, each once                         (joint_count)
    double *position; // rad or m, moment by moment                   (count x joint_count)
    TactInterpolation interpolation;
} TactMotion;

/// Reads a motion from a CSV file: a line `time,JOINT,JOINT,...`, then a line for every moment;
/// lines that begin with # are skipped. Cubic. TACT_BAD_INPUT with file:line and what is wrong:
/// joints that do not exist, are given twice or have no single position, values beyond a limit,
/// time that does not ascend. To be destroyed.
TACT_API TACT_NODISCARD TactStatus tact_motion_read(const TactModel *model, const char *path,
                                                    TactMotion **motion);
TACT_API void                      tact_motion_destroy(TactMotion *motion);

/// From now on the joints follow the motion exactly, whatever force it takes [Yamane-Nakamura: high
/// gain]: at the end of every step they are where the motion has them. They are taken there at once
/// in the present state, and whenever it is reset, and have its velocity. Their limits and dry
/// friction are not looked at; actuators on them do nothing but add to the force that is told.
/// NULL: no motion any more. Copies the motion. TACT_BAD_ARGUMENT if it cannot be.
TACT_API TACT_NODISCARD TactStatus tact_sim_set_motion(TactSim *sim, const TactMotion *motion);

/// A spring from a point of a body to a place, as a mouse pulls:
///
///     force on the body = -stiffness (x - target) - damping dx/dt
///
/// as at the end of the step, so that it never blows up.
typedef struct TactSimDrag {
    int      body;
    TactVec3 point;     // in the body's frame
    TactVec3 target;    // world frame
    double   stiffness; // N/m
    double   damping;   // N s/m
} TactSimDrag;

/// NULL: no drag any more. TACT_BAD_ARGUMENT if the body does not move, or a number cannot be.
TACT_API TACT_NODISCARD TactStatus tact_sim_set_drag(TactSim *sim, const TactSimDrag *drag);

// ---------------------------------------------------------------------------------------------
// Certificates of steps (verify.h): every part of every step is judged anew from the states before
// and after it. Watching changes no result.
//
//     tact_sim_certifier_create(sim, NULL, &certifier);
//     tact_sim_set_observer(sim, tact_sim_certifier_observe, certifier);
//     tact_sim_step(sim, &report);
//     TactSimStepCertificate step = tact_sim_certifier_take(certifier);

typedef struct TactSimCertifier TactSimCertifier;

/// The certificate of all parts since the last one was taken. States are those of the first part
/// that is not certified, or of the last part; lent until the next step.
typedef struct TactSimStepCertificate {
    int                 parts;       // of the step; 0: there was no step
    TactStepCertificate certificate; // law by law the worst of its parts
    double              correction;  // largest of its parts, m or rad
    double              time, h;     // of the part whose states these are, s
    const double       *q, *v;       // before it                                 (nq), (nv)
    const double       *q_after;     //                                           (nq)
    const double       *v_after;     //                                           (nv)
} TactSimStepCertificate;

/// Of the simulation's model, which must outlive it. config NULL: the default.
TACT_API TACT_NODISCARD TactStatus tact_sim_certifier_create(const TactSim          *sim,
                                                             const TactVerifyConfig *config,
                                                             TactSimCertifier      **certifier);
TACT_API void                      tact_sim_certifier_destroy(TactSimCertifier *certifier);

/// A TactSimObserver whose context is the certifier. What is not certified is no error.
TACT_API TACT_NODISCARD TactStatus tact_sim_certifier_observe(void *certifier, TactSim *sim,
                                                              const TactSimPart *part);

/// After a step.
TACT_API TactSimStepCertificate tact_sim_certifier_take(TactSimCertifier *certifier);

// ---------------------------------------------------------------------------------------------
// Read-out: what the last step did. Places and axes are those of its beginning, forces are impulses
// over its length. TACT_BAD_ARGUMENT if there was no step since the state was reset. These are
// questions, not steps: the first of a kind allocates.
//
// Each writes one thing, through its last argument: an array of yours, whose length the header
// gives, or a struct. What a struct points to is lent until the next step.

/// What became of forces of least norm in the last part of the step, of which contacts were asked
/// for. Islands of more than 4000 contacts keep what the method found.
typedef struct TactSimSharing {
    int    unique; // islands with nothing to share
    int    shared; // with forces of least norm, certified
    int    kept;   // whose forces are what the method found
    int    steps;  // of Newton's method
    double error;  // worst certified error of those that are shared
    double time;   // s, of all of it
} TactSimSharing;

/// Shares, if that was not done yet.
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_sharing(TactSim *sim, TactSimSharing *sharing);

/// For every contact: between what its normal force may lie while the motion stays, N. Contacts of
/// earlier parts of a divided step, and of islands of more than 600 contacts, have the force they
/// have, and exact is false.                                                          (contacts)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_ranges(TactSim *sim, TactContactRange *ranges);

/// World frame: the force of a contact on its body b; minus it acts on a.
TACT_API TactVec3 tact_sim_contact_get_force(const TactSimContact *contact);

/// Its moment on b, beside that of the force at the point, N m, world frame.
TACT_API TactVec3 tact_sim_contact_get_moment(const TactSimContact *contact);

/// For every contact: what it does, and whether its force is the only one possible. That is not
/// found out in islands of more than 600 contacts: then none is unique, in group -1.  (contacts)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_diagnosis(TactSim              *sim,
                                                              TactContactDiagnosis *diagnosis);

/// All contacts between two bodies together. World frame, each about its body's centre of mass.
typedef struct TactSimPair {
    int        body[2]; // a < b
    int        contact_count;
    TactWrench on_a, on_b;
} TactSimPair;

typedef struct TactSimPairs {
    int                count;
    const TactSimPair *pairs; //                                                       (count)
} TactSimPairs;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_pairs(TactSim *sim, TactSimPairs *pairs);

/// Of all contacts of a body: world frame, about its centre of mass.                    (bodies)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_wrenches(TactSim *sim, TactWrench *wrenches);

/// A row of the last step: a loop, a coupling, a limit, dry friction, a motion that is prescribed.
typedef struct TactSimRow {
    TactObject type;  // equality, joint or tendon
    int        index; //
    int        part;  // 0 .. 5 of connect and weld; of the others 0 lower, 1 upper limit, 2 dry
                      //   friction, 3 prescribed
    double force;     // N or N m; of connect and weld on b along the world's axes
} TactSimRow;

typedef struct TactSimRows {
    int               count;
    const TactSimRow *rows; //                                                         (count)
} TactSimRows;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_rows(TactSim *sim, TactSimRows *rows);

/// Generalized forces that acted in the step, implicit ones as at its end, and the motion they
/// made:
///
///     M acceleration + bias = actuators + passive + applied + contacts + loops + limits + friction
///
/// With Runge-Kutta, actuators, passive and applied are those of the beginning of the step, and
/// bias has what they change in it.
typedef struct TactSimForces {
    const double     *acceleration;   // (v+ - v) / h                                   (nv)
    const double     *inertia;        // M acceleration                                 (nv)
    const double     *bias;           // Coriolis, centrifugal, minus gravity           (nv)
    const double     *actuators;      //                                                (nv)
    const double     *passive;        // springs, dampers, weight that is carried       (nv)
    const double     *applied;        // state.applied, state.external, the drag        (nv)
    const double     *contacts;       //                                                (nv)
    const double     *loops;          // equalities, and motion that is prescribed      (nv)
    const double     *limits;         //                                                (nv)
    const double     *friction;       // dry friction of joints and tendons             (nv)
    const double     *actuator_force; // scalar force of each                           (actuators)
    const TactWrench *joint;          // what the parent does to each body through its joints,
                                      //   about the body's origin, world frame         (bodies)
} TactSimForces;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_forces(TactSim *sim, TactSimForces *forces);

/// J, of the present state.
typedef struct TactSimEnergy {
    double kinetic;
    double potential; // of gravity and springs
} TactSimEnergy;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_energy(TactSim *sim, TactSimEnergy *energy);

/// Where a load comes from.
typedef enum TactSimLoad {
    TACT_SIM_LOAD_GRAVITY,
    TACT_SIM_LOAD_ACTUATORS,
    TACT_SIM_LOAD_SPRINGS,  // and dampers, and weight that is carried
    TACT_SIM_LOAD_APPLIED,  // state.applied, state.external, the drag
    TACT_SIM_LOAD_MOTION,   // inertia: of the velocity before the step, Coriolis, gyroscopic
    TACT_SIM_LOAD_FRICTION, // of contacts that slide, and of joints at their bound
    TACT_SIM_LOAD_TARGETS,  // gaps that close, restitution, rows that ask for a velocity
    TACT_SIM_LOAD_COUNT
} TactSimLoad;

TACT_API const char               *tact_sim_load_name(TactSimLoad value);
TACT_API TACT_NODISCARD TactStatus tact_sim_load_find(const char *name, TactSimLoad *value);

/// The contacts of two geoms that share a normal: what they carry together, and why. Each load's
/// share is the answer of the same contact problem to that load alone, with those contacts and rows
/// active that are; shares add up to the whole.
typedef struct TactSimPatch {
    int              geom[2];
    int              body[2];
    int              contact_count;
    TactVec3         normal; // from a to b
    double           mu;     //
    TactContactState state;  // slides if one does, sticks if one does, else open
    double           slip;   // fastest of its contacts, m/s
    double           worst;  // largest friction used by one contact
    bool             unique; // is the force of each contact the only one possible?
    bool normal_unique;  // is the sum of normal forces? If not, it is one of many answers, and has
                         //   no shares
    bool     net_unique; // is the whole sum? If not, what is needed has no shares
    bool     explained;  // are there shares? Not if the island is too large for it
    double   normal_force;  // sum on b along the normal, N
    TactVec3 friction;      // sum on b across it, N, world frame
    double   friction_used; // |friction| / (mu normal_force)
    double   needed;        // what friction needs to be to hold here, against all loads but that
                            //   of the motion where it slides, N; where it sticks |friction|
    double needed_shares[TACT_SIM_LOAD_COUNT]; // along what is needed, N
    double normal_shares[TACT_SIM_LOAD_COUNT]; // of the normal force, N
} TactSimPatch;

typedef struct TactSimPatches {
    int                 count;
    const TactSimPatch *patches;
    const int          *of_contact; // which patch a contact belongs to; -1: it is of an earlier
                                    //   part of a divided step                         (contacts)
} TactSimPatches;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_patches(TactSim *sim, TactSimPatches *patches);

/// Some sentences: how near the patch is to slipping, or why it slips.               text: (size)
TACT_API void tact_sim_explain_patch(const TactModel *model, const TactSimPatch *patch, char *text,
                                     size_t size);

/// Values of all sensors, as the model lays them out. What positions and velocities say is that of
/// the present state; accelerations and forces are those of the last step, 0 if there was none.
/// Accelerations have gravity as MuJoCo's do: at rest they are g upwards.
typedef struct TactSimSensors {
    int           count;  // the model's sensor_size
    const double *values; // sensor k begins at its address                            (count)
} TactSimSensors;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_sensors(TactSim *sim, TactSimSensors *sensors);

/// Told of a contact problem: that of the last step in one island.
typedef TactStatus TactSimProblemFunction(void *context, const TactContactProblem *problem,
                                          double error);

/// Goes through the islands of the last step, with the certified error of each: the problem as it
/// was solved, for another method to solve it too. The problem is lent until the function returns.
/// Stops at what the function refuses.
TACT_API TACT_NODISCARD TactStatus tact_sim_visit_problems(TactSim                *sim,
                                                           TactSimProblemFunction *function,
                                                           void                   *context);
/// The same, told with the answer: impulse, row_impulse and velocity; u is NULL.
typedef TactStatus TactSimAnswerFunction(void *context, const TactContactProblem *problem,
                                         const TactContactAnswer *answer, double error);
TACT_API TACT_NODISCARD TactStatus tact_sim_visit_answers(TactSim               *sim,
                                                          TactSimAnswerFunction *function,
                                                          void                  *context);
/// Only those that are not certified.
TACT_API TACT_NODISCARD TactStatus tact_sim_visit_failures(TactSim                *sim,
                                                           TactSimProblemFunction *function,
                                                           void                   *context);

// ---------------------------------------------------------------------------------------------
// Snapshots: all that makes the steps to come what they are. Going on from one gives the same bits,
// in this simulation or in another one of the same model and config (of any number of threads).
// Controllers, motions and drags are not in it: whoever restores sets them again. A snapshot is for
// the same version of tact.

/// Bytes that a snapshot takes now.
TACT_API size_t tact_sim_snapshot_get_size(const TactSim *sim);
/// Into a buffer of the caller, of at least that size. Allocates nothing.
TACT_API TACT_NODISCARD TactStatus tact_sim_snapshot_save(const TactSim *sim, void *bytes,
                                                          size_t size);
/// size: as it was saved. TACT_BAD_INPUT if it is damaged, or of another model or config: then the
/// simulation is what it was. Contacts and read-out of the last step are forgotten.
TACT_API TACT_NODISCARD TactStatus tact_sim_snapshot_restore(TactSim *sim, const void *bytes,
                                                             size_t size);
/// The same with a file.
TACT_API TACT_NODISCARD TactStatus tact_sim_snapshot_write(const TactSim *sim, const char *path);
TACT_API TACT_NODISCARD TactStatus tact_sim_snapshot_read(TactSim *sim, const char *path);

// ---------------------------------------------------------------------------------------------
// Recording: frames of a simulation into a recording (record.h), CSV files, or both

typedef struct TactSimRecordConfig {
    const char *path;         // of the recording; NULL: none
    const char *csv;          // a line for every step; NULL: none
    const char *csv_contacts; // a line for every contact of every step; NULL: none
    double      every; // s of simulated time from frame to frame of the recording, rounded to
                       //   whole steps; 0: every step
    double             flush;      // as in TactRecordConfig
    const char        *scene;      // as in TactRecordRun
    int                word_count; //
    const char *const *words;      //                                                  (word_count)
    uint32_t           cookie;     // set by tact_sim_record_config_default(); do not write
} TactSimRecordConfig;

/// 60 frames a second.
TACT_API TactSimRecordConfig tact_sim_record_config_default(void);

typedef struct TactSimRecorder TactSimRecorder;

/// Begins the files with the present state. The simulation must outlive the recorder.
TACT_API TACT_NODISCARD TactStatus tact_sim_recorder_create(TactSim                   *sim,
                                                            const TactSimRecordConfig *config,
                                                            TactSimRecorder          **recorder);
/// After every step. TACT_IO_ERROR if a file cannot be written.
TACT_API TACT_NODISCARD TactStatus tact_sim_recorder_add(TactSimRecorder     *recorder,
                                                         const TactSimReport *report);
/// Records the last state, if it is not there yet, and closes the files. Returns what went wrong
/// with them first, be it earlier.
TACT_API TACT_NODISCARD TactStatus tact_sim_recorder_destroy(TactSimRecorder *recorder);

#ifdef __cplusplus
}
#endif
#endif
