// Simulation: a model, its state, and steps of time.
//
// One step of length h, on the level of velocities:
//
//     (M + h D) (v+ - v) = h (tau - bias) + J' p,      q+ = q moved by h v+
//
// with D implicit springs, dampers and actuators on joints, and velocity products (bias) at the
// mean of v and v+, or with all smooth forces over the step by Runge-Kutta of order 4; contacts,
// loops, couplings, limits and dry friction of the joints in one contact problem for every island
// of bodies that touch, solved and certified by contact.h. The contacts of a step include all that
// touch at its end; a step that is too long for this is divided. Free bodies receive their impulses
// at the beginning of the step and then move with constant angular momentum. Loop errors and deep
// overlaps are corrected in the positions alone, and reported.
//
// The normal of a contact points from a to b; forces act on b, and their opposites on a.
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

/// How a contact rebounds. Its restitution e is the larger one of its two geoms.
typedef enum TactRestitutionLaw {
    TACT_RESTITUTION_LAW_NEWTON,     // it separates with e times the speed of approach
    TACT_RESTITUTION_LAW_POISSON,    // its normal impulse is 1 + e times what stops the approach
    TACT_RESTITUTION_LAW_SEQUENTIAL, // pairs of bodies collide one after the other, by Newton's
                                     //   law: in a row of balls that touch, one comes in and one
                                     //   leaves
} TactRestitutionLaw;

TACT_API const char               *tact_restitution_law_name(TactRestitutionLaw value);
TACT_API TACT_NODISCARD TactStatus tact_restitution_law_find(const char         *name,
                                                             TactRestitutionLaw *value);

typedef struct TactSimConfig {
    double              timestep;        // h, s
    TactIntegrator      integrator;      // of the smooth motion
    TactContactMethod   method;          //
    TactContactCone     cone;            // circle unless asked otherwise
    TactLcpMethod       lcp_method;      // of the method lcp (default: lemke-lex),
    double              lex_tol;         //   and its threshold
    TactContactStart    start;           // of reduced, structural, lcp
    TactContactFallback fallback;        // of lcp
    double              cfm;             // of lcp, box, (m/s) / (N s)
    double              tol;             // largest certified error that counts as solved
    int                 directions;      // of pyramids; 0: 8
    double              slop;            // penetration that is not corrected, m
    double              correction;      // share of the excess that is corrected in a step, 0 .. 1
    double              loop_tol;        // loop errors are corrected down to this, m or rad (Euler)
    double              friction_scale;  // factor of all friction coefficients of contacts (1)
    double              restitution;     // default, for geoms without their own, 0 .. 1
    TactRestitutionLaw  restitution_law; //
    double              stiffness;       // of every contact point, N/m; 0: rigid (default)
    double              damping;         // of every contact point with stiffness, N s/m
    TactContactShare    share; // forces reported for redundant contacts; does not change the motion
    int                 threads; // threads that solve islands, including the caller's, 1 .. 64;
                                 //   results are bitwise identical. A custom allocator must be
                                 //   thread-safe
    double sleep_time;           // islands at rest for this long fall asleep, s; 0: never
    double sleep_speed;          // a velocity below this counts as rest, m/s or rad/s
    bool   compute_still;        // steps of a world that stands still are computed too, as when
                                 //   time is measured; results are bitwise identical (false)
    double max_work;             // limit of each solve, operations (contact.h); 0: unlimited. The
                     //   solves of an island in one step take 1.5 times that at most. The
                     //   default, 1e11, takes seconds in a large pile, and minutes where
                     //   no method succeeds
    double max_time;  // limit of each solve, s; 0: unlimited. A run in which it ends a
                      //   solve is not reproducible
    int max_contacts; // in a step; with more, its solves end after 1e4 operations a contact,
                      //   with their best answers and out_of_budget. 0: any number
    uint32_t cookie;  // set by tact_sim_config_default(); do not write
    double   zeta;    // < 0 (default): loops close at the end of every step. 0 .. 1: their rows
                      //   hold at its beginning and remove this share of their error in a step
                      //   [Arechavaleta, 10]: they drift (Euler)
} TactSimConfig;

/// Takes integrator and step from the model, and the rest from its custom fields: tact_method,
/// tact_cone, tact_directions, tact_restitution, tact_restitution_law, tact_stiffness (N/m, N s/m).
TACT_API TactSimConfig tact_sim_config_default(const TactModel *model);

typedef struct TactSim TactSim;

/// Starts at rest at the model's reference, or on the motion that its custom field tact_motion
/// names. The model must outlive the simulation.
TACT_API TACT_NODISCARD TactStatus tact_sim_create(const TactModel     *model,
                                                   const TactSimConfig *config, TactSim **sim);
TACT_API void                      tact_sim_destroy(TactSim *sim);

TACT_API const TactModel     *tact_sim_view_model(const TactSim *sim);
TACT_API const TactSimConfig *tact_sim_view_config(const TactSim *sim);

/// Changes the config from the next step on. timestep, method, cone, lcp_method, lex_tol, start,
/// fallback, cfm, directions, tol, friction_scale, slop, correction, loop_tol, max_work, max_time,
/// max_contacts, share and compute_still may differ.
/// TACT_BAD_ARGUMENT, and nothing is changed, if another field differs, or if tact_sim_create()
/// would refuse the config.
TACT_API TACT_NODISCARD TactStatus tact_sim_set_config(TactSim *sim, const TactSimConfig *config);

/// Sets a parameter of the model (parameter.h: "geom/finger/friction") from the next step on, in
/// this simulation alone: tact_sim_view_model() then returns a private copy. Sleeping bodies wake
/// up; results of the last step are discarded. Create certifiers and recorders afterwards. A
/// snapshot can be restored only with the parameters it was saved with. TACT_UNSUPPORTED for dry
/// friction on a joint that had none, because that needs a new row. (count)
TACT_API TACT_NODISCARD TactStatus tact_sim_set(TactSim *sim, const char *path,
                                                const double *values, int count);
TACT_API TACT_NODISCARD TactStatus tact_sim_get(const TactSim *sim, const char *path,
                                                double *values, int count);

/// May be written between steps; lent for the life of the simulation.
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

/// Poses of bodies, geoms and sites in the present state, world frame, and velocities of the bodies
/// at their origins. The world is body 0.
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

/// Adds a force at a point of the world to state.external of a body, where it remains until
/// overwritten. TACT_BAD_ARGUMENT if there is no such body, or a number is not finite.
TACT_API TACT_NODISCARD TactStatus tact_sim_apply_force(TactSim *sim, int body, TactVec3 force,
                                                        TactVec3 point);

/// Sets the state of a keyframe, or the reference if keyframe is -1; discards the last step.
TACT_API TACT_NODISCARD TactStatus tact_sim_reset(TactSim *sim, int keyframe);

/// A contact of the last step.
typedef struct TactSimContact {
    int              geom[2];       // a, b
    int              body[2];       //
    uint64_t         id;            // persists while the same features touch
    TactVec3         point;         // between the two surfaces, on a plane; world frame
    TactVec3         normal;        // from a to b
    TactVec3         tangent[2];    //
    double           depth;         // > 0: overlap, < 0: gap, m, at the start of the step
    double           mu;            //
    double           restitution;   // 0: none
    double           bounce;        // required speed of separation, m/s; 0: no impact
    double           lift;          // the same, where its surfaces rotate into each other, m/s
    double           force[3];      // on b along normal and tangents, N
    double           velocity[3];   // of b against a after the step, m/s
    TactContactState state;         //
    double           friction_used; // |f_t| / (mu f_n), clipped to 1 within the tolerance
    bool             stuck;         // its geoms overlap, and no joint can separate them
    double           mu2;           // along tangent 2; usually mu
    double           mu_spin;       // against spinning, m
    double           mu_roll;       // against rolling, m
    double           moment[3];     // on b about normal and tangents, N m
    double           spin[3];       // of b against a about these, rad/s; 0 without coefficients
    double           spin_used;     // |m_n| / (mu_spin f_n)
    double           roll_used;     // |(m_1, m_2)| / (mu_roll f_n)
} TactSimContact;

/// Contacts of the last step. A divided step lists the contacts of all its parts, those of the last
/// part at the end, with forces averaged over the whole step; everything else is that of the last
/// part. Forces of redundant contacts follow config.share, at least in the last part; they are
/// computed by the first query after a step, which may allocate.
TACT_API const TactSimContact *tact_sim_view_contacts(const TactSim *sim, int *count);

/// Does this body sleep (config.sleep_time)? It does not move, and its contacts are not listed.
TACT_API bool tact_sim_is_asleep(const TactSim *sim, int body);

/// Two geoms that overlap and that no joint can separate: the overlap is not corrected.
typedef struct TactSimStuck {
    int    geom[2];
    double depth; // when it was first found, m
} TactSimStuck;

/// All such pairs found in the last steps; lent until the next step.
TACT_API const TactSimStuck *tact_sim_view_stuck(const TactSim *sim, int *count);

// ---------------------------------------------------------------------------------------------
// Queries of the geoms that can touch, in the present state. Visual geoms have no shape; with
// contacts disabled no geom has one.

/// The first hit of a ray.
typedef struct TactSimHit {
    int      geom;     // -1: nothing
    double   distance; // m; INFINITY: nothing
    TactVec3 point;    // world frame
    TactVec3 normal;   // of the surface, of length 1
} TactSimHit;

/// The ray's filter, if set, is called with geoms.
TACT_API TACT_NODISCARD TactStatus tact_sim_cast_ray(TactSim *sim, const TactRay *ray,
                                                     TactSimHit *hit);

/// Distance and nearest points of two geoms, or depth of their overlap (collide.h).
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_distance(TactSim *sim, int geom_a, int geom_b,
                                                             TactDistance *distance);

// ---------------------------------------------------------------------------------------------
// Steps

/// Number of islands whose answer comes from this rung of the ladder, or from the method itself.
typedef struct TactSimRung {
    const char *name;
    int         count;
} TactSimRung;

typedef struct TactSimReport {
    int    contacts;           // points of the step
    int    rows;               // loops, limits, dry friction
    int    asleep;             // sleeping trees, whose contacts are not listed
    int    islands;            // contact problems solved
    int    certified;          // how many of these are certified
    double error;              // worst certified error
    double penetration;        // deepest contact at the start of the step, m
    double loop_error;         // worst loop or coupling after the step, m or rad
    int    redundant_rows;     // bilateral rows that others imply
    int    implied_rows;       // rows of loops that others imply up to the digits of the file: left
                               //   out; determined when the simulation is created
    double      implied_error; // their largest error after the step, m or rad
    int         parts;         // number of parts of the step; 1: not divided
    int         unresolved;    // parts too long for their motion that could not be divided further
    double      correction;    // largest shift of a coordinate beyond its velocity, m or rad
    double      damping;       // energy removed from mechanisms that contacts would have added, J
    int         pivots;        //
    int         solves;        // including repeated ones, for loops
    int         out_of_budget; // solves ended by max_work or max_time
    int         out_of_time;   // solves ended by max_time: the step is not reproducible
    double      solve_time;    // of all solves, including those of position corrections, s
    double      correct_time;  // of position corrections, s
    double      collide_time;  // of finding contacts, s
    double      step_time;     // of the whole step without observers, s
    uint64_t    hash;          // of q and v after the step
    bool        repeated;      // told again, not computed: all sleeps, or stands still to the bit
    int         rung_count;
    TactSimRung rungs[TACT_CONTACT_MAX_RUNGS]; //
} TactSimReport;

/// One step. TACT_BAD_INPUT with the joint's or actuator's name if the state or control is not
/// finite. If a contact problem cannot be certified, the report says so, and the step continues
/// with the answer of smallest error.
TACT_API TACT_NODISCARD TactStatus tact_sim_step(TactSim *sim, TactSimReport *report);

/// Hash of the bits of q and v.
TACT_API uint64_t tact_sim_get_hash(const TactSim *sim);

// ---------------------------------------------------------------------------------------------
// Control

/// Called at the beginning of every step. It may write the state of tact_sim_view_state() and read
/// results of the last step. A status other than TACT_OK cancels the step.
typedef TactStatus TactSimController(void *context, TactSim *sim);

/// NULL: none.
TACT_API void tact_sim_set_controller(TactSim *sim, TactSimController *controller, void *context);

/// A part of a step: the whole step, unless fast motion made it necessary to divide it. Each part
/// is a step of its own length, from the state before it to the state after it.
typedef struct TactSimPart {
    double        time;       // at its beginning, s
    double        h;          // its length, s
    const double *q, *v;      // before                                             (nq), (nv)
    const double *q_after;    //                                                    (nq)
    const double *v_after;    //                                                    (nv)
    const double *v_solved;   // velocity from the contact problems, at q. Free bodies then fly on,
                              //   to v_after; for all others it is v_after         (nv)
    const double *v_products; // velocity used for the velocity products            (nv)
    double        correction; // largest shift of a coordinate beyond its velocity: overlaps and
                              //   loop errors corrected, m or rad
} TactSimPart;

/// Called after every part of a step. Contacts and read-out are those of the part. A status other
/// than TACT_OK is returned by tact_sim_step(), but the step is completed.
typedef TactStatus TactSimObserver(void *context, TactSim *sim, const TactSimPart *part);

/// NULL: none.
TACT_API void tact_sim_set_observer(TactSim *sim, TactSimObserver *observer, void *context);

typedef enum TactInterpolation {
    TACT_INTERPOLATION_LINEAR, // constant velocity between samples
    TACT_INTERPOLATION_CUBIC,  // natural cubic spline: continuous up to accelerations
} TactInterpolation;

TACT_API const char               *tact_interpolation_name(TactInterpolation value);
TACT_API TACT_NODISCARD TactStatus tact_interpolation_find(const char        *name,
                                                           TactInterpolation *value);

/// Sampled positions of some joints. Before the first sample and after the last one they stand
/// still.
typedef struct TactMotion {
    int     count;
    double *time; // ascending, s                                             (count)
    int     joint_count;
    int    *joints;   // hinges and slides, each once                         (joint_count)
    double *position; // rad or m                                     (count x joint_count)
    TactInterpolation interpolation;
} TactMotion;

/// Reads a motion from a CSV file: a line `time,JOINT,JOINT,...`, then a line for every sample;
/// lines that begin with # are skipped. The interpolation is cubic. TACT_BAD_INPUT with file:line
/// and the fault: unknown or repeated joints, joints without a single position, values beyond a
/// limit, times that do not ascend. Destroy it with tact_motion_destroy().
TACT_API TACT_NODISCARD TactStatus tact_motion_read(const TactModel *model, const char *path,
                                                    TactMotion **motion);
TACT_API void                      tact_motion_destroy(TactMotion *motion);

/// From now on the joints follow the motion exactly, with whatever force it takes [Yamane-Nakamura:
/// high gain]: at the end of every step they are where the motion prescribes. This call, and every
/// reset, sets their position and velocity to those of the motion. Their limits and dry friction do
/// not act; actuators on them only change the reported force. NULL: no motion any more. Copies the
/// motion. TACT_BAD_ARGUMENT if the motion is invalid.
TACT_API TACT_NODISCARD TactStatus tact_sim_set_motion(TactSim *sim, const TactMotion *motion);

/// A spring from a point of a body to a fixed place, e.g. for dragging with the mouse:
///
///     force on the body = -stiffness (x - target) - damping dx/dt
///
/// evaluated at the end of the step (implicitly), so that it is stable at any stiffness.
typedef struct TactSimDrag {
    int      body;
    TactVec3 point;     // in the body's frame
    TactVec3 target;    // world frame
    double   stiffness; // N/m
    double   damping;   // N s/m
} TactSimDrag;

/// NULL: no drag any more. TACT_BAD_ARGUMENT if the body cannot move, or a number is invalid.
TACT_API TACT_NODISCARD TactStatus tact_sim_set_drag(TactSim *sim, const TactSimDrag *drag);

// ---------------------------------------------------------------------------------------------
// Certificates of steps (verify.h): every part of every step is verified from the states before and
// after it. This does not change the results.
//
//     tact_sim_certifier_create(sim, NULL, &certifier);
//     tact_sim_set_observer(sim, tact_sim_certifier_observe, certifier);
//     tact_sim_step(sim, &report);
//     TactSimStepCertificate step = tact_sim_certifier_take(certifier);

typedef struct TactSimCertifier TactSimCertifier;

/// The certificate of all parts since the last one was taken. States are those of the first part
/// that is not certified, or of the last part; lent until the next step.
typedef struct TactSimStepCertificate {
    int                 parts;       // of the step; 0: no step was made
    TactStepCertificate certificate; // for each law, the worst of the parts
    double              correction;  // largest of its parts, m or rad
    double              time, h;     // of the part whose states these are, s
    const double       *q, *v;       // before it                                 (nq), (nv)
    const double       *q_after;     //                                           (nq)
    const double       *v_after;     //                                           (nv)
} TactSimStepCertificate;

/// For the simulation's model, which must outlive the certifier. config NULL: the default.
TACT_API TACT_NODISCARD TactStatus tact_sim_certifier_create(const TactSim          *sim,
                                                             const TactVerifyConfig *config,
                                                             TactSimCertifier      **certifier);
TACT_API void                      tact_sim_certifier_destroy(TactSimCertifier *certifier);

/// A TactSimObserver whose context is the certifier. A step that is not certified is not an error.
TACT_API TACT_NODISCARD TactStatus tact_sim_certifier_observe(void *certifier, TactSim *sim,
                                                              const TactSimPart *part);

/// After a step.
TACT_API TactSimStepCertificate tact_sim_certifier_take(TactSimCertifier *certifier);

// ---------------------------------------------------------------------------------------------
// Read-out: results of the last step. Points and axes are those of its beginning; forces are
// impulses divided by its length. TACT_BAD_ARGUMENT if no step was made since the last reset. The
// first query of each kind allocates.
//
// Each writes one result through its last argument: an array of the caller, of the length given
// beside the function, or a struct, whose pointers are lent until the next step.

/// Forces of least norm in the last part of the step, of contacts and of loops and couplings that
/// hold the same thing more than once. Islands of more than 4000 contacts keep the forces that the
/// method found.
typedef struct TactSimSharing {
    int    unique; // islands with contacts and nothing to share
    int    shared; // with forces of least norm, certified
    int    kept;   // with the forces that the method found
    int    steps;  // of Newton's method
    double error;  // worst certified error of those that are shared
    double time;   // in total, s
} TactSimSharing;

/// Computes the forces of least norm, unless that has been done since the step.
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_sharing(TactSim *sim, TactSimSharing *sharing);

/// For every contact: the range of normal forces that give the same motion, N. For contacts of
/// earlier parts of a divided step, and of islands of more than 600 contacts, the range is the
/// reported force, and exact is false. (contacts)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_ranges(TactSim *sim, TactContactRange *ranges);

/// The force of a contact on its body b, world frame; its opposite acts on a.
TACT_API TactVec3 tact_sim_contact_get_force(const TactSimContact *contact);

/// Its moment on b, in addition to that of the force at the point, N m, world frame.
TACT_API TactVec3 tact_sim_contact_get_moment(const TactSimContact *contact);

/// For every contact: its state, and whether its force is unique. In islands of more than 600
/// contacts uniqueness is not determined: none counts as unique, and the group is -1.  (contacts)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_diagnosis(TactSim              *sim,
                                                              TactContactDiagnosis *diagnosis);

/// Sum over all contacts between two bodies. World frame, each about its body's centre of mass.
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

/// Sum over all contacts of a body: world frame, about its centre of mass.              (bodies)
TACT_API TACT_NODISCARD TactStatus tact_sim_compute_wrenches(TactSim *sim, TactWrench *wrenches);

/// A row of the last step: a loop, a coupling, a limit, dry friction, a prescribed motion.
typedef struct TactSimRow {
    TactObject type;  // equality, joint or tendon
    int        index; //
    int        part;  // connect and weld: 0 .. 5; others: 0 lower limit, 1 upper limit, 2 dry
                      //   friction, 3 prescribed motion
    double force;     // N or N m; for connect and weld on b along the world's axes
} TactSimRow;

typedef struct TactSimRows {
    int               count;
    const TactSimRow *rows; //                                                         (count)
} TactSimRows;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_rows(TactSim *sim, TactSimRows *rows);

/// Generalized forces that acted in the step, implicit ones evaluated at its end, and the
/// acceleration they caused:
///
///     M acceleration + bias = actuators + passive + applied + contacts + loops + limits + friction
///
/// With Runge-Kutta, actuators, passive and applied are those of the beginning of the step, and
/// bias includes their change during the step.
typedef struct TactSimForces {
    const double     *acceleration;   // (v+ - v) / h                                   (nv)
    const double     *inertia;        // M acceleration                                 (nv)
    const double     *bias;           // Coriolis, centrifugal, minus gravity           (nv)
    const double     *actuators;      //                                                (nv)
    const double     *passive;        // springs, dampers, gravity compensation         (nv)
    const double     *applied;        // state.applied, state.external, drag            (nv)
    const double     *contacts;       //                                                (nv)
    const double     *loops;          // equalities, and prescribed motion              (nv)
    const double     *limits;         //                                                (nv)
    const double     *friction;       // dry friction of joints and tendons             (nv)
    const double     *actuator_force; // scalar force of each                           (actuators)
    const TactWrench *joint;          // wrench of the parent on each body through its joints,
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
    TACT_SIM_LOAD_SPRINGS,  // springs, dampers, gravity compensation
    TACT_SIM_LOAD_APPLIED,  // state.applied, state.external, the drag
    TACT_SIM_LOAD_MOTION,   // inertia of the velocity before the step, Coriolis, gyroscopic terms
    TACT_SIM_LOAD_FRICTION, // of sliding contacts, and of joints at their bound
    TACT_SIM_LOAD_TARGETS,  // closing gaps, restitution, rows with a target velocity
    TACT_SIM_LOAD_COUNT
} TactSimLoad;

TACT_API const char               *tact_sim_load_name(TactSimLoad value);
TACT_API TACT_NODISCARD TactStatus tact_sim_load_find(const char *name, TactSimLoad *value);

/// The contacts of two geoms with a common normal: the force they carry together, and its causes.
/// The share of a load is the answer of the contact problem to that load alone with the active set
/// held fixed; shares add up to the whole.
typedef struct TactSimPatch {
    int              geom[2];
    int              body[2];
    int              contact_count;
    TactVec3         normal; // from a to b
    double           mu;     //
    TactContactState state;  // slide if one contact slides, else stick if one sticks, else open
    double           slip;   // fastest of its contacts, m/s
    double           worst;  // largest friction_used of one contact
    bool             unique; // the force of every contact is unique
    bool             normal_unique; // the sum of normal forces is unique; if not, it has no shares
    bool             net_unique;    // the whole sum is unique; if not, `needed` has no shares
    bool             explained;     // shares were computed; false if the island is too large
    double           normal_force;  // sum on b along the normal, N
    TactVec3         friction;      // sum on b across it, N, world frame
    double           friction_used; // |friction| / (mu normal_force)
    double           needed; // friction required to hold, N: |friction| where it sticks; where it
                             //   slides, against all loads except that of the motion
    double needed_shares[TACT_SIM_LOAD_COUNT]; // along the friction required, N
    double normal_shares[TACT_SIM_LOAD_COUNT]; // of the normal force, N
} TactSimPatch;

typedef struct TactSimPatches {
    int                 count;
    const TactSimPatch *patches;
    const int          *of_contact; // patch of a contact; -1: the contact is of an earlier part of
                                    //   a divided step                                 (contacts)
} TactSimPatches;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_patches(TactSim *sim, TactSimPatches *patches);

/// Writes some sentences: how near the patch is to slipping, or why it slips.               text:
/// (size)
TACT_API void tact_sim_explain_patch(const TactModel *model, const TactSimPatch *patch, char *text,
                                     size_t size);

/// Values of all sensors, in the layout of the model. Sensors of position and velocity read the
/// present state; those of acceleration and force read the last step, and are 0 before the first.
/// Accelerations include gravity as in MuJoCo: at rest they are g upwards.
typedef struct TactSimSensors {
    int           count;  // the model's sensor_size
    const double *values; // sensor k begins at its address                            (count)
} TactSimSensors;

TACT_API TACT_NODISCARD TactStatus tact_sim_compute_sensors(TactSim *sim, TactSimSensors *sensors);

/// Receives the contact problem of one island of the last step.
typedef TactStatus TactSimProblemFunction(void *context, const TactContactProblem *problem,
                                          double error);

/// Visits the islands of the last step, with the certified error of each: the problem as it was
/// solved, e.g. for another method. The problem is lent until the function returns. Stops at the
/// first status other than TACT_OK.
TACT_API TACT_NODISCARD TactStatus tact_sim_visit_problems(TactSim                *sim,
                                                           TactSimProblemFunction *function,
                                                           void                   *context);
/// The same, with the answer: impulse, row_impulse and velocity; u is NULL.
typedef TactStatus TactSimAnswerFunction(void *context, const TactContactProblem *problem,
                                         const TactContactAnswer *answer, double error);
TACT_API TACT_NODISCARD TactStatus tact_sim_visit_answers(TactSim               *sim,
                                                          TactSimAnswerFunction *function,
                                                          void                  *context);
/// Visits only problems that are not certified.
TACT_API TACT_NODISCARD TactStatus tact_sim_visit_failures(TactSim                *sim,
                                                           TactSimProblemFunction *function,
                                                           void                   *context);

// ---------------------------------------------------------------------------------------------
// Snapshots: everything that determines the coming steps. Continuing from one is bitwise
// reproducible, in this simulation or in another one with the same model and config (and any number
// of threads). Controllers, motions and drags are not included: set them again after restoring. A
// snapshot can be read by the same version of tact only.

/// Present size of a snapshot, bytes.
TACT_API size_t tact_sim_snapshot_get_size(const TactSim *sim);
/// Into a buffer of the caller, of at least that size. Allocates nothing.
TACT_API TACT_NODISCARD TactStatus tact_sim_snapshot_save(const TactSim *sim, void *bytes,
                                                          size_t size);
/// size: as saved. TACT_BAD_INPUT, without any change, if the snapshot is damaged or belongs to
/// another model or config. Contacts and read-out of the last step are discarded.
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
    double      every;        // simulated time between frames of the recording, s, rounded to whole
                              //   steps; 0: every step
    double             flush; // as in TactRecordConfig
    const char        *scene; // as in TactRecordRun
    int                word_count; //
    const char *const *words;      //                                                  (word_count)
    uint32_t           cookie;     // set by tact_sim_record_config_default(); do not write
} TactSimRecordConfig;

/// Default: 60 frames a second.
TACT_API TactSimRecordConfig tact_sim_record_config_default(void);

typedef struct TactSimRecorder TactSimRecorder;

/// Opens the files and writes the present state. The simulation must outlive the recorder.
TACT_API TACT_NODISCARD TactStatus tact_sim_recorder_create(TactSim                   *sim,
                                                            const TactSimRecordConfig *config,
                                                            TactSimRecorder          **recorder);
/// Call it after every step. TACT_IO_ERROR if a file cannot be written.
TACT_API TACT_NODISCARD TactStatus tact_sim_recorder_add(TactSimRecorder     *recorder,
                                                         const TactSimReport *report);
/// Writes the last state, if that has not been done, and closes the files. Returns the first error
/// that occurred on them, including earlier ones.
TACT_API TACT_NODISCARD TactStatus tact_sim_recorder_destroy(TactSimRecorder *recorder);

#ifdef __cplusplus
}
#endif
#endif
