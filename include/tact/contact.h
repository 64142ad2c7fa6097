// Frictional contact problems: bodies or a mechanism, contacts, joint rows; solved and proven.
//
// One step of length h on the level of velocities [Lloyd04, 2; DART, 12-15; Arechavaleta, 13-17]:
//
//     M (v+ - v) = h f + J' p            u = J v+
//
// Every contact has an impulse p = (p_n, p_1, p_2) on body b, minus it on body a, and a relative
// velocity u = (u_n, u_1, u_2) of b against a, both along its normal (from a to b) and tangents:
//
//     0 <= p_n  _|_  u_n + bias >= 0
//     |p_t| <= mu p_n, and p_t opposes u_t with |p_t| = mu p_n where u_t is not 0.
//
// The circle is the true Coulomb cone; the pyramid replaces |p_t| by a sum over d directions, as
// the papers do. Redundant contacts are common: forces are then not unique, and
// tact_contact_diagnose() says at which contacts.
//
// A contact through a patch of some size also resists spinning about its normal and rolling about
// its tangents (docs/theory/spin-roll.md). It has a moment m = (m_n, m_1, m_2) on body b and a
// relative angular velocity w = (w_n, w_1, w_2), with
//
//     |m_n| <= mu_spin p_n,    |(m_1, m_2)| <= mu_roll p_n,
//
// each at its bound and against its angular velocity where that is not 0.
#ifndef TACT_CONTACT_H
#define TACT_CONTACT_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// The problem

/// A free rigid body. World frame; inertia about the centre of mass along world axes.
typedef struct TactContactBody {
    double mass;        // kg, > 0
    double inertia[6];  // ixx iyy izz ixy ixz iyz, kg m^2, positive definite
    double position[3]; // centre of mass, m
    double velocity[3]; // of the centre of mass, m/s
    double omega[3];    // angular velocity, rad/s
    double force[3];    // applied, N
    double torque[3];   // applied, N m; the gyroscopic term -omega x I omega is added to it
} TactContactBody;

/// How the parts of friction share the normal impulse.
typedef enum TactFrictionLaw {
    TACT_FRICTION_LAW_SEPARATE,  // sliding, spinning and rolling have a bound each
    TACT_FRICTION_LAW_ELLIPSOID, // one for all: (p_1/mu)^2 + (p_2/mu2)^2 + (m_n/mu_spin)^2 +
                                 //   (m_1/mu_roll)^2 + (m_2/mu_roll)^2 <= p_n^2. The circle only
} TactFrictionLaw;

TACT_API const char               *tact_friction_law_name(TactFrictionLaw value);
TACT_API TACT_NODISCARD TactStatus tact_friction_law_find(const char *name, TactFrictionLaw *value);

typedef struct TactContact {
    int    a;            // body; -1: the fixed world. Read with bodies only
    int    b;            // body; -1: the fixed world. Read with bodies only
    double point[3];     // m. Read with bodies only
    double normal[3];    // unit, from a to b. Read with bodies only
    double tangent[3];   // tangent 1, any vector not along the normal; 0: chosen from it.
                         //   Tangent 2 = normal x tangent 1. Read with bodies only
    const double *J;     // rows n, 1, 2 of the relative velocity and, of a contact that resists
                         //   spinning or rolling, of the relative angular velocity; NULL with
                         //   bodies or W                             (3 x nv), or (6 x nv)
    double mu;           // coefficient of friction, >= 0
    int    directions;   // of the pyramid: even, >= 4; 0: 8. j lies at turn + 2 pi j / d
    double turn;         // angle of direction 0 from tangent 1, rad
    double restitution;  // e in u_n+ >= -e u_n (Newton), 0 .. 1
    double bias;         // m/s, added to u_n: < 0 asks for separation, > 0 allows approach
    double surface[2];   // m/s along the tangents: velocity of b's surface against a's in addition
                         //   to the bodies' motion, e.g. a conveyor belt. Part of u
    double   compliance; // (m/s) / (N s) along the normal; 0: rigid
    uint64_t id;         // matches a contact with its predecessor in the last step; 0: no memory
    double   mu_spin;    // spinning friction, m, >= 0: |m_n| <= mu_spin p_n
    double   mu_roll;    // rolling friction, m, >= 0: |(m_1, m_2)| <= mu_roll p_n
    double   mu2;        // coefficient along tangent 2; 0: mu. With mu = 0 there is friction along
                         //   tangent 2 only, like a skate
    TactFrictionLaw friction_law;
} TactContact;

typedef enum TactContactRowKind {
    TACT_ROW_BILATERAL,  // joint or loop: J v+ = target, any impulse       [Arechavaleta, 10]
    TACT_ROW_UNILATERAL, // joint limit: J v+ >= target, impulse >= 0       [Arechavaleta, 12]
    TACT_ROW_MOTOR,      // motor or dry friction: |impulse| <= h force_max drives J v+ to target
} TactContactRowKind;

TACT_API const char               *tact_contact_row_kind_name(TactContactRowKind value);
TACT_API TACT_NODISCARD TactStatus tact_contact_row_kind_find(const char         *name,
                                                              TactContactRowKind *value);

typedef struct TactContactRow {
    TactContactRowKind kind;
    int                a;         // body; -1: none. Read with bodies only
    int                b;         // body; -1: none. Read with bodies only
    double             J_a[6];    // linear, angular part on body a. Read with bodies only
    double             J_b[6];    // the same on body b
    const double      *J;         // NULL with bodies                                    (nv)
    double             target;    // m/s or rad/s
    double             error;     // position error, m or rad: target - zeta * error / h is asked
    double             zeta;      // share of the error removed in this step, 0 .. 1
    double             force_max; // motor: N or N m
    uint64_t           id;        // matches a row with its predecessor; 0: that of the same number
} TactContactRow;

/// Whether u are velocities after the step, or accelerations [Baraff94, a = A f + b]. On the
/// acceleration level p are forces, h is not read, bias is the part of the acceleration that does
/// not depend on forces (dJ/dt v), and contacts whose bodies slide have dynamic friction.
typedef enum TactContactLevel { TACT_LEVEL_VELOCITY, TACT_LEVEL_ACCELERATION } TactContactLevel;

TACT_API const char               *tact_contact_level_name(TactContactLevel value);
TACT_API TACT_NODISCARD TactStatus tact_contact_level_find(const char       *name,
                                                           TactContactLevel *value);

/// The Delassus matrix W by those 3 x 3 blocks that are not 0, row after row of blocks.
typedef struct TactContactBlocks {
    const size_t *start;  // first block of a contact's row                 (contact_count + 1)
    const int    *column; // contact of a block's columns, ascending in a row. The diagonal is
                          //   there, and (j, i) where (i, j) is        (start[contact_count])
    const double *value;  // row-major, order n 1 2                 (start[contact_count] x 3 x 3)
} TactContactBlocks;

/// Exactly one of bodies, M and W is given, W as a dense matrix, as blocks, or as both.
typedef struct TactContactProblem {
    double                 step; // h, s, > 0
    TactContactLevel       level;
    int                    body_count;
    const TactContactBody *bodies; // free bodies: nv = 6 body_count, linear before angular
    int                    nv;     // degrees of freedom of M
    const double          *M;      // generalized mass matrix, symmetric positive definite (nv x nv)
    const int    *parent; // dof before this one in the tree, -1: root; NULL: M is dense (nv)
    const double *factor; // M = L'DL along parent: L below the diagonal, D on it, the rest is
                          //   not read; NULL: computed from M                  (nv x nv)
    const double *v;      // generalized velocity                                 (nv)
    const double *tau;    // generalized force, bias forces included              (nv)
    const double *W;      // Delassus matrix, order n 1 2 a contact      (3 nc x 3 nc);
                          //   six rows, n 1 2 and the angular n 1 2, for one that resists
                          //   spinning or rolling
    const double            *u_free; // relative velocities without contact forces  (3 nc), or as W
    int                      contact_count;
    const TactContact       *contacts;
    int                      row_count; // 0 with W
    const TactContactRow    *rows;
    const TactContactBlocks *blocks; // W, sparse; NULL: as W says. Memory and time of ladder and
                                     //   nsgs then follow the blocks. Given with W, the blocks are
                                     //   the problem, and W is a copy for methods on dense
                                     //   matrices. Not for contacts with mu_spin, mu_roll, mu2
} TactContactProblem;

/// Checks sizes, NaN, masses, inertias, unit normals, body indices, mu and directions.
/// TACT_BAD_INPUT with the body, contact or row at fault in the message.
TACT_API TACT_NODISCARD TactStatus tact_contact_check(const TactContactProblem *problem);

/// Degrees of freedom: 6 body_count, nv, or 0 for a problem given by W.
TACT_API int tact_contact_get_dof(const TactContactProblem *problem);

/// Is the problem given by W, dense or as blocks?
static inline bool tact_contact_has_W(const TactContactProblem *problem)
{
    return problem->W || problem->blocks;
}

/// Does the contact resist spinning or rolling? Then it has six rows.
static inline bool tact_contact_has_moments(const TactContact *contact)
{
    return contact->mu_spin != 0 || contact->mu_roll != 0;
}

/// Frame of a contact between bodies: unit normal, tangent 1, tangent 2 = normal x tangent 1.
TACT_API void tact_contact_compute_frame(const TactContact *contact, double frame[3][3]);

// ---------------------------------------------------------------------------------------------
// The answer, and its proof in physical units

/// Arrays of the caller; NULL where not wanted, except impulse.
typedef struct TactContactAnswer {
    double *impulse;     // p_n p_1 p_2 of every contact, N s                          (3 nc)
    double *row_impulse; // of every row, N s or N m s                                 (row_count)
    double *velocity;    // v+, linear before angular with bodies                      (dof)
    double *u;           // relative velocity of every contact after the step, m/s     (3 nc)
    double *moment;      // m_n m_1 m_2 of every contact, N m s; 0 without mu_spin, mu_roll
                         //                                                            (3 nc)
    double *spin;        // relative angular velocity w_n w_1 w_2 after the step, rad/s, of every
                         //   contact that resists spinning or rolling; 0 of others    (3 nc)
    double *low;         // what impulse, then row_impulse, lack beyond doubles: contacts that hold
                         //   each other with 1e10 times what moves them have no answer in doubles
                         //   alone, and are not solved where this is NULL. 0 of all other answers.
                         //   Where it is not 0 the laws hold for impulse + low and the motion of
                         //   these, which velocity is, rounded        (3 nc + row_count)
} TactContactAnswer;

typedef enum TactContactCone {
    TACT_CONE_PYRAMID, // sum of beta_j <= mu p_n over the contact's directions
    TACT_CONE_CIRCLE,  // |p_t| <= mu p_n
    TACT_CONE_BOX,     // |p_1|, |p_2| <= mu p_n, each against its own slip: the friction box
} TactContactCone;

TACT_API const char               *tact_contact_cone_name(TactContactCone value);
TACT_API TACT_NODISCARD TactStatus tact_contact_cone_find(const char *name, TactContactCone *value);

/// Which part of the certificate the error comes from.
typedef enum TactContactLaw {
    TACT_LAW_NONE,
    TACT_LAW_CONTACT,  // law of a contact
    TACT_LAW_ROW,      // law of a joint row
    TACT_LAW_DYNAMICS, // M (v+ - v) = h f + J' p
    TACT_LAW_ENERGY,   // an island gains energy that no bias, motor or target supplies
    TACT_LAW_WORK,     // a contact or row does work against its law
} TactContactLaw;

TACT_API const char               *tact_contact_law_name(TactContactLaw value);
TACT_API TACT_NODISCARD TactStatus tact_contact_law_find(const char *name, TactContactLaw *value);

/// Every number is recomputed from the raw problem by code that shares nothing with the solvers,
/// for the cone asked for. On the acceleration level u is an acceleration and p a force, and the
/// units change accordingly.
typedef struct TactContactCertificate {
    double approach;        // worst -(u_n + bias), restitution and compliance included, m/s
    double pull;            // worst -p_n, N s
    double complementarity; // worst p_n |u_n + bias|, J
    double cone_excess;     // worst |p_t| - mu p_n (pyramid: its gauge), N s
    double slip_angle;      // worst angle between p_t and -u_t where it slides (pyramid: beyond
                            //   the half-angle between directions), rad
    double row_error;       // worst violation of a joint row, m/s
    double dynamics;        // worst entry of M (v+ - v) - h f - J' p, N s
    double energy_created;  // most that an island gains over its free motion, beyond the work of
                            //   bias, restitution, belts, motors and targets, J; 0: none
    double error;           // decides 'solved'. The worst of: the natural-map residual of a contact
                            //   or row, relative to the motion and load of its bodies there; the
                            //   dynamics of a body, relative to its momentum; energy created, and
                            //   work against the law at a contact, relative to the island's energy
    int worst;              // contact with that error, or contact_count + row, or contact_count +
                            //   row_count + dof; -1: none
    TactContactLaw law;     // the law that it violates
    double         spin_excess; // worst |m_n| - mu_spin p_n, N m s
    double         spin_error;  // worst w_n that its friction neither stops nor opposes, rad/s
    double         roll_excess; // worst |(m_1, m_2)| - mu_roll p_n, N m s
    double         roll_error;  // worst (w_1, w_2) likewise, rad/s
} TactContactCertificate;

/// Certifies an answer from any source. row_impulse may be NULL without rows, velocity with W.
/// NaN in the answer gives error = +infinity. Allocates and frees its work memory.
TACT_API TACT_NODISCARD TactStatus tact_contact_certify(const TactContactProblem *problem,
                                                        TactContactCone cone, const double *impulse,
                                                        const double           *row_impulse,
                                                        const double           *velocity,
                                                        TactContactCertificate *certificate);

/// The same for an answer with moments: impulse, row_impulse, velocity and moment are read. moment
/// may be NULL: all 0.
TACT_API TACT_NODISCARD TactStatus tact_contact_certify_answer(const TactContactProblem *problem,
                                                               TactContactCone           cone,
                                                               const TactContactAnswer  *answer,
                                                               TactContactCertificate *certificate);

typedef enum TactContactState {
    TACT_STATE_OPEN,
    TACT_STATE_STICK,
    TACT_STATE_SLIDE
} TactContactState;

TACT_API const char               *tact_contact_state_name(TactContactState value);
TACT_API TACT_NODISCARD TactStatus tact_contact_state_find(const char       *name,
                                                           TactContactState *value);

/// State of a contact, and how close it is to slipping. A contact without load is open.
typedef struct TactContactDiagnosis {
    TactContactState state;
    double           friction_used; // |p_t| / (mu p_n); 0 without normal impulse
    double           slip;          // |u_t|, m/s
    bool             unique;        // true: no other force at this contact gives the same motion
    int              group;         // contacts of one redundant group share it; -1: unique
    double           spin_used;     // |m_n| / (mu_spin p_n); 0 without load or mu_spin. With the
    double           roll_used;     //   ellipsoid, friction_used includes both
    double           spin;          // |w_n|, rad/s, of a contact that resists spinning or rolling
    double           roll;          // |(w_1, w_2)|, rad/s
} TactContactDiagnosis;

/// Diagnoses every contact, using the rank of the active rows; u and velocity of the answer are not
/// read. Of large problems (more than 2e10 operations for the rank: some 1,000 loaded contacts of
/// as many bodies), and of those given by blocks alone, loaded contacts are told as not unique.
/// Allocates and frees its own memory, unlike a solve. (nc)
TACT_API TACT_NODISCARD TactStatus tact_contact_diagnose(const TactContactProblem *problem,
                                                         const TactContactAnswer  *answer,
                                                         TactContactDiagnosis     *diagnosis);

// ---------------------------------------------------------------------------------------------
// Sharing: redundant contacts can carry a load in many ways. All of these give the same motion, and
// a method reports the impulses that it finds first. Among all impulses that give this motion and
// obey the law, those of least norm are unique, as symmetric as the problem, and continuous in
// time.
//
//     norm^2 = sum over contacts of p_n^2 + p_1^2 + p_2^2 + (m_n / mu_spin)^2 + (m_1^2 + m_2^2) /
//              mu_roll^2, and over rows of s p^2
//
// They are the limit of contacts of equal stiffness as that becomes infinite. s makes rows
// comparable: a joint limit, or dry friction that holds, counts as a contact with its inertia.

/// Which impulses are reported.
typedef enum TactContactShare {
    TACT_SHARE_VERTEX, // those that the method found
    TACT_SHARE_LEAST,  // those of least norm
} TactContactShare;

TACT_API const char               *tact_contact_share_name(TactContactShare value);
TACT_API TACT_NODISCARD TactStatus tact_contact_share_find(const char       *name,
                                                           TactContactShare *value);

typedef enum TactContactSharingOutcome {
    TACT_SHARING_OUTCOME_UNIQUE, // no other impulses give this motion: nothing to share
    TACT_SHARING_OUTCOME_FOUND,  // those of least norm, certified
    TACT_SHARING_OUTCOME_KEPT,   // not found, or not certified: the answer is unchanged
} TactContactSharingOutcome;

TACT_API const char *tact_contact_sharing_outcome_name(TactContactSharingOutcome value);
TACT_API TACT_NODISCARD TactStatus
tact_contact_sharing_outcome_find(const char *name, TactContactSharingOutcome *value);

typedef struct TactContactSharing {
    TactContactSharingOutcome outcome;
    int                       steps;       // of Newton's method
    double                    norm_before; // of the given answer, N s
    double                    norm;        // of the new one, N s
    TactContactCertificate    certificate; // if impulses were found
} TactContactSharing;

/// Replaces impulse and row_impulse of a certified answer by those of least norm, if these are
/// certified with an error of at most tol for the same motion: the answer's velocity or, if that is
/// NULL, the velocity that its impulses give. u is not read. Allocates and frees its own memory.
/// sharing may be NULL.
TACT_API TACT_NODISCARD TactStatus tact_contact_share(const TactContactProblem *problem,
                                                      TactContactCone cone, double tol,
                                                      const TactContactAnswer *answer,
                                                      TactContactSharing      *sharing);

/// Normal impulse of a contact, over all impulses that give the same motion, N s.
typedef struct TactContactRange {
    double least;
    double most;  // INFINITY: opposing contacts may squeeze without limit
    bool   exact; // false: the true range is wider
} TactContactRange;

/// The range of every contact of a certified answer; u and velocity are not read. Allocates and
/// frees its own memory. Costs several projections for each contact.                    (nc)
TACT_API TACT_NODISCARD TactStatus tact_contact_compute_ranges(const TactContactProblem *problem,
                                                               TactContactCone           cone,
                                                               const TactContactAnswer  *answer,
                                                               TactContactRange         *range);

// ---------------------------------------------------------------------------------------------
// Methods

typedef enum TactContactMethod {
    TACT_METHOD_LADDER,     // last basis, reduced, search, pgs-sm with polish; each certified
    TACT_METHOD_REDUCED,    // Lloyd 5.3
    TACT_METHOD_STRUCTURAL, // Lloyd 5.1, 5.2
    TACT_METHOD_BARAFF,     // Baraff 5, 6
    TACT_METHOD_BOX,        // friction box, Arechavaleta IV
    TACT_METHOD_NSGS,       // block Gauss-Seidel on the circular cone
    TACT_METHOD_LCP,        // the assembled LCP by a method of lcp.h (config.lcp_method)
    TACT_METHOD_COUNT
} TactContactMethod;

enum {
    TACT_CONTACT_TAKES_PYRAMID = 1 << 0,
    TACT_CONTACT_TAKES_CIRCLE = 1 << 1,
    TACT_CONTACT_TAKES_ROWS = 1 << 2,         // bilateral, unilateral rows, motors
    TACT_CONTACT_TAKES_W = 1 << 3,            // a problem given by W
    TACT_CONTACT_TAKES_ACCELERATION = 1 << 4, // the level of accelerations
    TACT_CONTACT_TAKES_BOX = 1 << 5,          // the friction box as its cone
    TACT_CONTACT_TAKES_PATCHES = 1 << 6,      // mu_spin, mu_roll, mu2, the ellipsoid
    TACT_CONTACT_TAKES_BLOCKS = 1 << 7,       // a problem given by blocks of W alone
};

typedef struct TactContactMethodInfo {
    const char *name; // "ladder", "reduced", ...
    const char *source;
    unsigned    takes;
} TactContactMethodInfo;

TACT_API const TactContactMethodInfo *tact_contact_method_info(TactContactMethod method);
TACT_API const char                  *tact_contact_method_name(TactContactMethod method);
TACT_API TACT_NODISCARD TactStatus    tact_contact_method_find(const char        *name,
                                                               TactContactMethod *method);

/// Where a pivoting method (reduced, structural, lcp) starts when last step's basis does not hold.
typedef enum TactContactStart {
    TACT_START_COLD,         // from no contact
    TACT_START_FRICTIONLESS, // from the active contacts of the problem without friction: the two
                             //   steps of [Yamane, IV-C]
} TactContactStart;

TACT_API const char               *tact_contact_start_name(TactContactStart value);
TACT_API TACT_NODISCARD TactStatus tact_contact_start_find(const char       *name,
                                                           TactContactStart *value);

/// What `lcp` answers where the LCP with friction is not solved.
typedef enum TactContactFallback {
    TACT_FALLBACK_NONE,         // where the method ended
    TACT_FALLBACK_FRICTIONLESS, // the answer without friction, if there is one: nothing penetrates,
                                //   but contacts slip [Yamane, V-A]
} TactContactFallback;

TACT_API const char               *tact_contact_fallback_name(TactContactFallback value);
TACT_API TACT_NODISCARD TactStatus tact_contact_fallback_find(const char          *name,
                                                              TactContactFallback *value);

/// No answer with a larger error may be called solved, whatever tolerance is asked for.
#define TACT_CONTACT_LARGEST_TOL 1e-3

typedef struct TactContactConfig {
    TactContactMethod method;
    TactContactCone   cone;         // default: pyramid; circle or box where that is not taken
    double            tol;          // largest certified error called solved; at most
                                    //   TACT_CONTACT_LARGEST_TOL
    TactLcpMethod       lcp_method; // box: dantzig, pgs or pgs-sm; lcp: any
    double              lex_tol;    // lcp by lemke-lex: its threshold (lcp.h)
    TactContactStart    start;      // of reduced, structural, lcp
    TactContactFallback fallback;   // of lcp. The outcome stays what it was, and so does the
                                    //   certificate's law: with friction
    double
        cfm; // lcp, box: constraint force mixing, (m/s) / (N s), added to the diagonal of normals
             //   and friction. The certificate ignores it: 0, the default, is the problem itself
    int    max_pivots; // a Lemke path; 0: 50 per unknown
    int    max_turns;  // circle: pyramid solves before the fall-backs
    int    max_sweeps; // nsgs, box: sweeps, outer iterations
    double max_work;   // approximate number of operations after which it ends with
                       //   'limit' and its best answer; 0: unlimited
    double max_time;   // the same in seconds; 0: unlimited. Exceeded by at most a factor
                       //   of 2, except while a single large matrix is factored
    uint32_t cookie;   // set by tact_contact_config_default(); do not write
} TactContactConfig;

TACT_API TactContactConfig tact_contact_config_default(TactContactMethod method);

// ---------------------------------------------------------------------------------------------
// Solving

typedef enum TactContactOutcome {
    TACT_OUTCOME_SOLVED,     // certified: error <= tol
    TACT_OUTCOME_UNVERIFIED, // the method ended normally, but the certificate rejects the answer
    TACT_OUTCOME_RAY,        // secondary ray: no solution, or none that this method finds
    TACT_OUTCOME_LIMIT,      // out of pivots, turns, sweeps, work or time
    TACT_OUTCOME_CYCLE,      // a basis was visited twice
    TACT_OUTCOME_SINGULAR,   // a basis is singular
    TACT_OUTCOME_UNBOUNDED,  // baraff: no finite force; the answer is the direction of an impulse
} TactContactOutcome;

TACT_API const char               *tact_contact_outcome_name(TactContactOutcome value);
TACT_API TACT_NODISCARD TactStatus tact_contact_outcome_find(const char         *name,
                                                             TactContactOutcome *value);

/// One attempt: a rung of the ladder, or the method itself.
typedef struct TactContactRung {
    const char        *name;    // e.g. "basis", "reduced", "search"
    TactContactOutcome outcome; // solved, or why the next rung was tried
    int                pivots;
    double             error; // certified
} TactContactRung;

enum { TACT_CONTACT_MAX_RUNGS = 24 };

typedef struct TactContactReport {
    TactContactOutcome outcome;
    TactContactOutcome ended;             // how the method itself ended, before the certificate
    int                pivots;            // of the method that was asked for, all attempts
    int                iterations;        // sweeps (nsgs, box), nodes (search), attempts (baraff),
                                          //   stages (proximal)
    int turns;                            // circle: pyramid solves; nsgs, proximal: Newton steps
    int drives;                           // baraff: forces driven to zero acceleration before any
                                          //   direction is turned, all attempts
    int    refactors;                     // refactorisations because of drift
    int    dof;                           // rows of the kernel at most: dof + 1
    int    redundant_rows;                // bilateral rows that others imply
    double work;                          // approximate operations; reproducible for the same
                                          //   problem and the same last answer
    bool                   out_of_budget; // config.max_work or max_time ended it
    bool                   reproducible;  // false: max_time ended it
    int                    rung_count;
    TactContactRung        rungs[TACT_CONTACT_MAX_RUNGS];
    TactContactCertificate certificate;
} TactContactReport;

typedef struct TactContactSolver TactContactSolver;

/// Size of the largest problem that a solver accepts.
typedef struct TactContactCapacity {
    int contacts;
    int rows;
    int dof;         // of bodies or M; with W: 3 contacts
    int support;     // degrees of freedom that one contact can touch: 12 with bodies and without
                     //   bilateral rows, otherwise dof
    bool dense;      // room for the factor of M or W
    int  directions; // most of a contact's pyramid; 0: 8
    int  patches;    // contacts with mu_spin, mu_roll, mu2 or the ellipsoid. Each takes three more
                     //   rows or, of a problem given by W, one more contact
    size_t blocks;   // of W; 0: as many as a dense W can have
} TactContactCapacity;

TACT_API TactContactCapacity tact_contact_get_capacity(const TactContactProblem *problem);

TACT_API TACT_NODISCARD TactStatus tact_contact_solver_create(const TactContactCapacity *capacity,
                                                              const TactContactConfig   *config,
                                                              TactContactSolver        **solver);
TACT_API void                      tact_contact_solver_destroy(TactContactSolver *solver);

/// Solves one problem. Allocates nothing, but where W is given by blocks: the factor of a sparse
/// matrix takes the memory that its fill needs, and keeps it. Starts from the last answer where
/// contact ids match. Always writes the whole answer, whatever the outcome. After an error the
/// report says UNVERIFIED.
TACT_API TACT_NODISCARD TactStatus tact_contact_solve(TactContactSolver        *solver,
                                                      const TactContactProblem *problem,
                                                      const TactContactAnswer  *answer,
                                                      TactContactReport        *report);

/// One sentence about an answer that is not solved: which contact, row or body violates which law
/// by how much, and what to try. Empty if it is solved. u of the answer may be NULL.   text: (size)
TACT_API void tact_contact_explain(const TactContactProblem *problem,
                                   const TactContactAnswer *answer, const TactContactReport *report,
                                   double tol, char *text, size_t size);

/// Forgets the last answer: the next solve starts cold.
TACT_API void tact_contact_solver_forget(TactContactSolver *solver);

// ---------------------------------------------------------------------------------------------
// The standard form: a contact problem as one LCP w = M z + q, z >= 0, w >= 0, z'w = 0, for any
// method of lcp.h and for programs that know nothing of contacts [Lloyd04, 8; DART, 15]. Unknowns
// are normals (contacts, joint limits), friction along the directions of the pyramids, and lambdas;
// bilateral rows are eliminated, motors have two directions and a lambda (docs/theory/
// standard-form.md).

/// What z is, and with that what M is made of.
typedef enum TactContactForm {
    TACT_FORM_IMPULSE, // impulses, N s; lambda is a speed                  [DART, 15, corrected:
                       // D2]
    TACT_FORM_FORCE,   // forces, N: M has the step where it is J M^-1 J'   [DART, 15, as printed]
    TACT_FORM_SCALED,  // forces, and lambda an acceleration: h times M of the impulses  [DART, 5]
} TactContactForm;

TACT_API const char               *tact_contact_form_name(TactContactForm value);
TACT_API TACT_NODISCARD TactStatus tact_contact_form_find(const char *name, TactContactForm *value);

typedef struct TactContactLcpConfig {
    TactContactForm form;
    TactContactCone cone;     // pyramid, or box: a pyramid of four directions
    bool            balanced; // M <- D M D, q <- D q by powers of two: a diagonal between 1/2 and 2
    double          cfm;      // (m/s) / (N s) on the diagonal of normals and friction, before D
                              //                                        [DART, 5, corrected: D1]
    double   factor;          // the diagonal times 1 + factor, as printed in [DART, 5]; 0: as it is
    uint32_t cookie;          // set by tact_contact_lcp_config_default(); do not write
} TactContactLcpConfig;

/// Impulses on the pyramid, balanced, nothing added to the diagonal.
TACT_API TactContactLcpConfig tact_contact_lcp_config_default(void);

typedef struct TactContactLcp TactContactLcp;

/// The LCP of a problem on the level of velocities without spinning or rolling friction; others are
/// TACT_UNSUPPORTED. The problem must outlive it. config NULL: the default.
TACT_API TACT_NODISCARD TactStatus tact_contact_lcp_create(const TactContactProblem   *problem,
                                                           const TactContactLcpConfig *config,
                                                           TactContactLcp            **lcp);
TACT_API void                      tact_contact_lcp_destroy(TactContactLcp *lcp);

/// Dense, without bounds; lent for the life of the LCP.
TACT_API const TactLcpProblem *tact_contact_lcp_view_problem(const TactContactLcp *lcp);

/// What an answer z of the LCP means: impulses, and whatever else of the answer is not NULL. Proves
/// nothing; tact_contact_certify() does.                                                     (n)
TACT_API TACT_NODISCARD TactStatus tact_contact_lcp_read(const TactContactLcp *lcp, const double *z,
                                                         const TactContactAnswer *answer);

#ifdef __cplusplus
}
#endif
#endif
