// Certificates of steps: did a step of time obey mechanics?
//
// A step is verified from the model, the states before and after it and the forces that are said to
// have acted, by code that shares nothing with the solvers or the simulator. Four laws:
//
//     momentum   velocities change by the impulses of the forces alone
//     position   positions follow the velocities
//     contact    no overlap grows, no force acts across a gap, forces stay in the friction cone
//     energy     it changes by the work of the forces, and only driving forces add any
//
// Equations, bounds, and the limits of a certificate: docs/theory/step-certificate.md.
#ifndef TACT_VERIFY_H
#define TACT_VERIFY_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/math.h>
#include <tact/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------
// A step

/// A contact that carried a force.
typedef struct TactStepContact {
    int      geom[2]; // a, b
    TactVec3 point;   // where the force acts, world frame, at the beginning of the step
    TactVec3 normal;  // unit, from a to b
    TactVec3 force;   // on b, mean over the step, N, world frame; minus it acts on a
    double   mu;      // friction coefficient; < 0: the cone is not checked
    double   bounce;  // required speed of separation, m/s; 0: not an impact
    TactVec3 moment;  // on b, mean over the step, N m, world frame; minus it acts on a
    double   mu_spin; // bound of the moment about the normal over the normal force, m
    double   mu_roll; // the same about the tangents, m
} TactStepContact;

/// Arrays are read during the call only.
typedef struct TactStep {
    double        h;          // length, s
    double        whole;      // length of the step that it is a part of, s; 0: h
    const double *q, *v;      // state before                                       (nq), (nv)
    const double *q_after;    //                                                    (nq)
    const double *v_after;    //                                                    (nv)
    const double *v_products; // velocity at which Coriolis and centrifugal terms of mechanisms
                              //   were taken                                       (nv)
    const double *forces;     // generalized: all but gravity, inertia and contacts (nv)
    const double *force_size; // sums of the absolute values of their terms: large forces of loops
                              //   may cancel, and leave rounding; NULL: |forces|   (nv)
    const double *driving;    // the part of these that may add energy: actuators, applied forces,
                              //   loops, prescribed motion, a fluid that moves     (nv)
    int                    contact_count;
    const TactStepContact *contacts;   //                                           (contact_count)
    double                 slop;       // overlap that is tolerated, m
    double                 correction; // largest shift of a coordinate beyond its velocity, m or
                                       //   rad: removal of overlaps and loop errors
    TactIntegrator integrator;         // RK4: only the contact law is judged
    bool           soft;               // contacts are springs: overlap and energy are not judged
    const bool    *asleep;     // bodies whose tree sleeps: must not move; NULL: none     (bodies)
    const bool    *prescribed; // dofs whose position is given: not judged; NULL: none        (nv)
} TactStep;

// ---------------------------------------------------------------------------------------------
// Its certificate

typedef enum TactStepLaw {
    TACT_STEP_LAW_MOMENTUM,
    TACT_STEP_LAW_POSITION,
    TACT_STEP_LAW_CONTACT,
    TACT_STEP_LAW_ENERGY,
    TACT_STEP_LAW_COUNT
} TactStepLaw;

TACT_API const char               *tact_step_law_name(TactStepLaw value);
TACT_API TACT_NODISCARD TactStatus tact_step_law_find(const char *name, TactStepLaw *value);

/// The equation that was closest to its bound, or furthest beyond it.
typedef enum TactStepCheck {
    TACT_STEP_CHECK_NONE,             // nothing to verify
    TACT_STEP_CHECK_LINEAR_MOMENTUM,  // of a free body, N s
    TACT_STEP_CHECK_ANGULAR_MOMENTUM, // of a free body about its centre of mass, N m s
    TACT_STEP_CHECK_JOINT_FORCE,      // equation of motion of a dof, N or N m
    TACT_STEP_CHECK_PATH,             // centre of mass of a free body, m
    TACT_STEP_CHECK_ROTATION,         // of a free body, rad
    TACT_STEP_CHECK_COORDINATE,       // of a joint, m or rad
    TACT_STEP_CHECK_ASLEEP,           // coordinate or velocity of a joint that sleeps
    TACT_STEP_CHECK_OVERLAP,          // growth of an overlap, m
    TACT_STEP_CHECK_TOUCH,            // gap across which a force acts, m
    TACT_STEP_CHECK_PULL,             // normal force that pulls, N
    TACT_STEP_CHECK_CONE,             // friction beyond mu times the normal force, N
    TACT_STEP_CHECK_BALANCE,          // energy of a tree against the work done on it, J
    TACT_STEP_CHECK_RISE,             // energy that no driving force supplied, J
} TactStepCheck;

TACT_API const char               *tact_step_check_name(TactStepCheck value);
TACT_API TACT_NODISCARD TactStatus tact_step_check_find(const char *name, TactStepCheck *value);

typedef struct TactStepFinding {
    bool          judged;   // false: the law does not apply to this step
    bool          holds;    // every residual is within its bound; true if not judged
    TactStepCheck check;    // the worst one, by residual / bound
    double        residual; // of it
    double        bound;    //
    TactObject    type;     // what it is about: a body, a joint or two geoms
    int           index[2]; // of the body or joint, or of both geoms; else -1
} TactStepFinding;

typedef struct TactStepCertificate {
    bool            certified; // all laws that are judged hold
    TactStepFinding laws[TACT_STEP_LAW_COUNT];
} TactStepCertificate;

/// One sentence about the worst finding of a law: which body, joint or pair, by how much.
/// Truncated to the size of the buffer, which is returned.
TACT_API const char *tact_step_certificate_explain(const TactModel           *model,
                                                   const TactStepCertificate *certificate,
                                                   TactStepLaw law, char *text, size_t size);

/// For each law the worse finding of two: the certificate of both steps together.
TACT_API void tact_step_certificate_merge(TactStepCertificate       *certificate,
                                          const TactStepCertificate *other);

// ---------------------------------------------------------------------------------------------
// The verifier

typedef struct TactVerifyConfig {
    double   tol;          // momentum, position and energy, relative to the terms added (1e-9)
    double   depth_tol;    // growth of an overlap, gap at a force: m (1e-5),
    double   depth_speed;  //   and m per second of step (0.05): 6e-5 m at 1 ms
    double   cone_tol;     // of the cone, relative to the largest contact force (1e-6)
    double   energy_share; // tolerated error of the integrator, relative to the energy (0.05)
    uint32_t cookie;       // set by tact_verify_config_default(); do not write
} TactVerifyConfig;

TACT_API TactVerifyConfig tact_verify_config_default(void);

typedef struct TactVerifier TactVerifier;

/// The workspace of one model, which must outlive it. config NULL: the default.
TACT_API TACT_NODISCARD TactStatus tact_verifier_create(const TactModel        *model,
                                                        const TactVerifyConfig *config,
                                                        TactVerifier          **verifier);
TACT_API void                      tact_verifier_destroy(TactVerifier *verifier);

/// Verifies one step. Collision at its beginning is skipped if the last step ended in this state.
/// Allocates only while its lists of overlaps grow. TACT_BAD_INPUT if a number is not finite,
/// TACT_BAD_ARGUMENT if an array is missing or a contact names a geom that does not exist.
TACT_API TACT_NODISCARD TactStatus tact_verifier_certify(TactVerifier        *verifier,
                                                         const TactStep      *step,
                                                         TactStepCertificate *certificate);

#ifdef __cplusplus
}
#endif
#endif
