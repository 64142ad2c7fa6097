// Many small contact problems at a time, on a processor's threads or on a GPU: one free body
// against the world each, or a mechanism or island of several bodies each. Structure of arrays over
// problems; every answer is certified, and what a GPU does not solve is handed to the processor's
// ladder and counted.
//
//     TactContactBatchConfig config = tact_contact_batch_config_default(TACT_DEVICE_CUDA);
//     config.problems = 100000;
//     config.contacts = 8;
//     tact_contact_batch_create(&config, &batch);
//     tact_contact_batch_send(batch, &problems);
//     tact_contact_batch_solve(batch, false, &report);
//     tact_contact_batch_fetch(batch, &answers);
//
// Code for one device runs on the other. The laws are the same on both, and so is the certificate;
// where a problem has several answers they may choose different ones.
#ifndef TACT_CONTACT_BATCH_H
#define TACT_CONTACT_BATCH_H

#include <stdint.h>
#include <tact/base.h>
#include <tact/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TactDevice {
    TACT_DEVICE_CPU,
    TACT_DEVICE_CUDA, // an NVIDIA GPU of compute capability 9.0 or later
} TactDevice;

TACT_API const char               *tact_device_name(TactDevice value);
TACT_API TACT_NODISCARD TactStatus tact_device_find(const char *name, TactDevice *value);

/// Devices of a kind that this library can use. 0: tact_status_message() says why.
TACT_API int tact_device_count(TactDevice device);

// ---------------------------------------------------------------------------------------------
// Problems and answers. Of bodies, entry k of problem i is at [k * stride + i]; of mechanisms, at
// [i * entries + k]: a problem lies in one piece

enum {
    TACT_BODY_MAX_CONTACTS = 32,
    TACT_BODY_MAX_DIRECTIONS = 16,
    TACT_MECHANISM_MAX_CONTACTS = 16,
    TACT_MECHANISM_MAX_DOF = 64,
};

typedef struct TactBodyProblems {
    int           count;    // problems
    int           stride;   // of the arrays, >= count
    int           contacts; // of each problem
    double        step;     // h, s
    const double *mass;     // kg                                                     (1)
    const double *inertia;  // xx yy zz xy xz yz about the centre of mass, kg m^2     (6)
    const double *centre;   // of mass, m                                             (3)
    const double *velocity; // of the centre, m/s, and omega, rad/s                   (6)
    const double *force;    // applied, N, and torque, N m                            (6)
    const double *point;    // m                                             (3 contacts)
    const double *normal;   // unit, from the world to the body              (3 contacts)
    const double *mu;       // coefficient of friction                         (contacts)
    const double *bias;     // m/s, added to u_n; NULL: 0                      (contacts)
} TactBodyProblems;

/// Mechanisms, or islands of several bodies, by M (v+ - v) = h f + J' p.
typedef struct TactMechanismProblems {
    int           count;    // problems
    int           dof;      // nv, of each problem
    int           contacts; // of each problem, at most
    double        step;     // h, s
    const double *M;        // by rows, up to the diagonal: 00 10 11 20 ...  (nv (nv + 1) / 2)
    const double *velocity; // v                                                         (nv)
    const double *force;    // f, bias forces included                                   (nv)
    const double *J;        // rows n 1 2 of the relative velocity             (3 contacts nv)
    const double *mu;       // coefficient of friction; 0: a limit, or no friction  (contacts)
    const double *bias;     // m/s, added to u_n; NULL: 0                           (contacts)
    const int    *active;   // contacts that a problem has, the first ones; NULL: all      (1)
    const int    *rough;    // of these, the first ones have friction and three rows of J, the
                            //   others one; NULL: all have three. What is sent has NULL      (1)
    int rows;               // of J that there is room for; 0: 3 contacts
} TactMechanismProblems;

typedef struct TactBodyAnswers {
    double   *impulse;  // p_n p_1 p_2, N s                                  (3 contacts)
    double   *velocity; // v+                                      (6, or dof of a mechanism)
    double   *error;    // of the certificate                                         (1)
    int      *pivots;   // all tries added up; below 0: none came to its end          (1)
    unsigned *basis;    // where a warm start begins                           (contacts)
} TactBodyAnswers;

// ---------------------------------------------------------------------------------------------
// Batches

typedef struct TactContactBatchConfig {
    TactDevice device;
    int        problems;        // most at a time, >= 1
    int        contacts;        // of each, 1 .. TACT_BODY_MAX_CONTACTS; of mechanisms, 1 ..
                                //   TACT_MECHANISM_MAX_CONTACTS
    int             directions; // of the friction pyramid: even, 4 .. TACT_BODY_MAX_DIRECTIONS
    int             retries;    // with other covering vectors on a GPU, 0 .. 5
    int             threads;    // of the processor; 0: all
    double          tol;        // of the certificate, at most 1e-3
    TactContactCone cone;       // the pyramid, or the circle (which starts from the pyramid)
    int             dof;        // 0: one body each; of mechanisms, 1 .. TACT_MECHANISM_MAX_DOF
    uint32_t        cookie;     // set by tact_contact_batch_config_default(); do not write
} TactContactBatchConfig;

TACT_API TactContactBatchConfig tact_contact_batch_config_default(TactDevice device);

typedef struct TactContactBatch TactContactBatch;

/// TACT_UNSUPPORTED without such a device; TACT_NO_MEMORY without room on it.
TACT_API TACT_NODISCARD TactStatus tact_contact_batch_create(const TactContactBatchConfig *config,
                                                             TactContactBatch            **batch);
TACT_API void                      tact_contact_batch_destroy(TactContactBatch *batch);

/// Copies problems from the host's arrays to the device; NaN, masses and inertias are not checked:
/// what is wrong there has no certified answer.
TACT_API TACT_NODISCARD TactStatus tact_contact_batch_send(TactContactBatch       *batch,
                                                           const TactBodyProblems *problems);

/// The same of a batch whose config has dof > 0.
TACT_API TACT_NODISCARD TactStatus
tact_contact_batch_send_mechanisms(TactContactBatch *batch, const TactMechanismProblems *problems);

/// How the problems of a batch ended: count = first + retried + handed_over + unsolved.
typedef struct TactContactBatchReport {
    int    count;
    int    kept;        // of first: the basis of the last solve still held
    int    first;       // certified at the first try
    int    retried;     // certified by another covering vector
    int    handed_over; // certified by the processor's ladder
    int    unsolved;    // not certified
    double seconds;     // of the device
} TactContactBatchReport;

/// warm: starts from the bases of the last solve, problem by problem.
TACT_API TACT_NODISCARD TactStatus tact_contact_batch_solve(TactContactBatch *batch, bool warm,
                                                            TactContactBatchReport *report);

/// Copies the answers to the host's arrays of a stride (not read of mechanisms); those that are
/// NULL are left out.
TACT_API TACT_NODISCARD TactStatus tact_contact_batch_fetch(const TactContactBatch *batch,
                                                            int                     stride,
                                                            const TactBodyAnswers  *answers);

/// The device's own arrays, to be read and written there between solves. NULL: not wanted.
TACT_API void tact_contact_batch_view(TactContactBatch *batch, TactBodyProblems *problems,
                                      TactBodyAnswers *answers);
TACT_API void tact_contact_batch_view_mechanisms(TactContactBatch      *batch,
                                                 TactMechanismProblems *problems,
                                                 TactBodyAnswers       *answers);

#ifdef __cplusplus
}
#endif
#endif
