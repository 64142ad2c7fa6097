// The certificate of a contact problem: what it needs of memory, and its parts.
//
// It knows no solver: rows come from points and frames (or J, or W), the dynamics from M v+ without
// a factor, and the law from projections onto the cones. docs/theory/contact-certificate.md has the
// definitions, (1) to (12), that the files certify*.c cite.
#ifndef TACT_CONTACT_CERTIFICATE_CERTIFY_H
#define TACT_CONTACT_CERTIFICATE_CERTIFY_H

#include <tact/contact.h>
#include <tact/math.h>

#include "base/memory.h"
#include "contact/law_lanes.h"
#include "contact/patch.h"

/// Weight in a scale of what others carry beside what the contact itself carries (8).
static const double TACT_CERTIFY_OTHERS = 1e-2;
/// Weight in a scale of how fast the bodies move (8).
static const double TACT_CERTIFY_MOTION = 1e-3;

/// Impulses that do more than so many times what moves the problem hold each other, and what they
/// do beyond that excuses no residual (12): walls that contradict each other by 1e-6 of it are not
/// called solved. With 1e4, the first choice, those by up to 1e-4 were.
static const double TACT_CERTIFY_AMPLIFY = 100;

/// Impulses on a body that are more than 1e4 times what moves its island excuse no residual of its
/// momentum: so many times that momentum at most (6).
static const double TACT_CERTIFY_LOAD = 1e2;

/// Weight in every scale of what moves the problem: 1e-8 of that is rounding (13).
static const double TACT_CERTIFY_ROUNDING = 1e-5;

/// Weight in a scale of how fast the whole mechanism moves: what rounding of other dofs leaves in
/// one that does not move (13).
static const double TACT_CERTIFY_WHOLE = 1e-5;

/// Work of one contact against its law, p_n u_n or the part of friction that does not oppose the
/// slip, is held against so many times the energy of its island (14).
static const double TACT_CERTIFY_GAP = 1e4;

enum {
    TACT_CERTIFY_DIRECTIONS = 8, // of a pyramid where the contact says 0
};

/// What a body feels and how it moves.
typedef struct TactCertifyBody {
    double   impulse[6];   // sum of J' p: force before torque
    double   rest[6];      // what rounding took from it
    double   load;         // sum of |F|, |F| h of the applied one included
    double   moment;       // sum of |r| |F|, applied torque included
    double   push;         // load / m
    double   twist;        // sum of |I^-1 (r x F)|, rad/s
    double   inverse_mass; // 1 / m
    double   inverse[6];   // I^-1: xx yy zz xy xz yz
    TactVec3 spun;         // I^-1 of the applied torque and the gyroscopic term, rad/s^2
    double   speed;        // |v| + |v+|
    double   spin;         // |omega| + |omega+|
    double   free_push;    // of push: the applied force, motors
    double   free_twist;   // of twist: the applied torque, motors
    double   given_speed;  // |v|, of driven ones |v| + |v+|
    double   given_spin;   // |omega|, of driven ones |omega| + |omega+|
    double   motion[2];    // the largest (13) of its contacts, of its rows
} TactCertifyBody;

/// Bodies, or dofs, that impulses couple: what moves them, and their energy (14).
typedef struct TactCertifyIsland {
    double motion[2]; // the largest (13) of its contacts, of its rows
    double fastest;   // largest |v| + |v+| + h |f| / m of its bodies
    double whole;     // of a mechanism: largest sqrt(M_kk) speed_k, h |tau_k| / sqrt(M_kk)
    double energy;    // 1/2 (v'M v + v_free'M v_free + v+'M v+), and |work| of what is given, J
    double created;   // 1/2 (v+'M v+ - v_free'M v_free) less the work of what is given, J
    double power[2];  // with W: sum of p'u_free, of p'u, J
    double gap;       // the largest of a contact or row, J
    int    worst;     // and which one; -1: none
} TactCertifyIsland;

/// Contacts between bodies: how their points move, and their scales.
typedef struct TactCertifyPoints {
    double *normal; // u_n
    double *weight; // (7)
    double *others; // (8), what is not its own impulse
    double *motion; // (13)
    double *own;    // velocity that the impulse of a loaded contact gives to its bodies there
} TactCertifyPoints;

/// A disc of a patch (contact/patch.h): what it misses, and what that is held against.
typedef struct TactCertifyDisc {
    double residual;
    double scale; // (8)
    double floor; // (13)
    int    contact;
} TactCertifyDisc;

/// Work memory.
typedef struct TactCertifier {
    TactCertifyPyramid pyramid;
    TactCertifyBody   *bodies;  // (dof / 6)
    TactCertifyIsland *islands; // (dof or contacts, the larger)
    int               *label;   // island of a body, or of a contact of W: its least index (as many)
    TactCertifyPoints  points;  // (contacts, and three more)
    double (*u)[4];             // of loaded contacts of bodies or mechanisms: n, 1, 2  (contacts)
    double *impulse;            // J' p                                      (dof)
    double *rest;               // what rounding took from it                (dof)
    double *load;               // |J'| |p| + h |tau|                        (dof)
    double *given;              // h |tau|, and |J'| |p| of motors           (dof)
    double *before;             // |v|, of driven ones |v| + |v+|            (dof)
    double *gain;               // v+ - v                                    (dof)
    double *speed;              // |v| + |v+|                                (dof)
    double *residual;           // (9) to (11)                               (contacts + rows)
    double *scale;              // (8)                                       (contacts + rows)
    double *floor;              // (13)                                      (contacts + rows)
    double *inverse;            // of a mechanism: 1 / M_kk                          (dof)
    double *others;             // the share of a dof in the scale of a row (8)      (dof)
    double *motion;             // the same of (13)                                  (dof)
    int    *last;               // of a mechanism: the last dof that one carries     (dof)
    int (*span)[2]; // of a mechanism: the first dof that a row touches, and after the last (rows)
    const TactPatches *patches; // of the problem, which is then the expanded one; NULL: none
    TactCertifyDisc   *discs;   // (3 patches)
    double (*slide)[3];         // u of the contacts of discs          (contacts; without patches 0)
    struct TactCertifyFine *fine; // of an answer with a low part (certify_fine.h); NULL: none
} TactCertifier;

/// Lends the arrays for the largest problem; runs twice (base/memory.h).
void tact_certifier_layout(TactCertifier *certifier, const TactContactCapacity *capacity,
                           TactArena *arena);

/// tact_contact_certify() of a checked problem, without its memory.
void tact_certifier_run(TactCertifier *certifier, const TactContactProblem *problem,
                        TactContactCone cone, const double *impulse, const double *row_impulse,
                        const double *velocity, TactContactCertificate *certificate);

// ---------------------------------------------------------------------------------------------
// Motion: one file a form of the problem

/// A problem and an answer.
typedef struct TactCertifyInput {
    const TactContactProblem *problem;
    TactContactCone           cone;
    const double             *impulse;
    const double             *row_impulse;
    const double             *velocity;
    double                    h;      // step; 1 on the level of accelerations
    bool                      driven; // rows ask for motion: then v+ is one of the things given
} TactCertifyInput;

/// What the residual of a contact or a row is held against.
typedef struct TactCertifyScale {
    double weight; // w, mean of the diagonal of W_ii (7)
    double others; // the part of the scale that is not its own impulse (8)
    double motion; // m: how it moves, and would move without contact forces (13)
    double floor;  // of a mechanism: what rounding elsewhere leaves here (13)
    double own;    // what its own impulse does to its velocity
} TactCertifyScale;

/// Which of two motions: contacts and rows may have different units.
enum { TACT_CERTIFY_CONTACTS, TACT_CERTIFY_ROWS };

/// Islands (certify_energy.c): bodies that impulses couple, contacts that W and impulses couple;
/// a mechanism is one.
void tact_certify_couple(TactCertifier *certifier, const TactCertifyInput *input);

/// Bodies of a contact or row, -1 without; with M 0, with W the contact itself: whose islands it
/// touches.
void tact_certify_sides(const TactCertifyInput *input, int index, int sides[2]);

/// Notes the motion (13) of a contact or row.
void tact_certify_note(TactCertifier *certifier, const TactCertifyInput *input, int index,
                       double motion);

/// What rounding leaves, and what excuses nothing any more, of a contact or row (13).
void tact_certify_bounds(const TactCertifier *certifier, const TactCertifyInput *input, int index,
                         double *least, double *most);

/// Energy of a contact or row with an impulse: its work against the law, and the work of what is
/// given there (14).
void tact_certify_energy(TactCertifier *certifier, const TactCertifyInput *input, int index,
                         double gap, double given);

/// (14) of all islands.
void tact_certify_judge_energy(const TactCertifier *certifier, const TactCertifyInput *input,
                               TactContactCertificate *out);

typedef struct TactCertifyForm {
    /// Sums J' p and says how well the dynamics hold: *worst is the dof of *error, *largest the
    /// largest entry of the residual (5), (6).
    void (*begin)(TactCertifier *certifier, const TactCertifyInput *input, double *largest,
                  double *error, int *worst);
    /// All contacts, where that takes less than one by one; NULL: it does not.
    void (*points)(TactCertifier *certifier, const TactCertifyInput *input);
    /// u_n of a contact; all of u, of one with an impulse.
    double (*normal)(const TactCertifier *certifier, const TactCertifyInput *input, int contact);
    void (*velocity)(const TactCertifier *certifier, const TactCertifyInput *input, int contact,
                     double u[3]);
    void (*scale)(const TactCertifier *certifier, const TactCertifyInput *input, int contact,
                  TactCertifyScale *scale);
    /// J v+ of a row.
    double (*row_velocity)(const TactCertifier *certifier, const TactCertifyInput *input, int row);
    TactCertifyScale (*row_scale)(const TactCertifier *certifier, const TactCertifyInput *input,
                                  int row);
} TactCertifyForm;

/// Adds the impulses of the contacts to certifier->bodies, and fills u.
void tact_certify_push(TactCertifier *certifier, const TactCertifyInput *input);

/// Fills certifier->points.
void tact_certify_points(TactCertifier *certifier, const TactCertifyInput *input);

extern const TactCertifyForm tact_certify_bodies;
extern const TactCertifyForm tact_certify_mechanism;
extern const TactCertifyForm tact_certify_delassus;

/// sum + rest += x, exactly but for the last rounding of rest [Knuth].
static inline void tact_certify_add(double *sum, double *rest, double x)
{
    double total = *sum + x;
    double part = total - *sum;
    *rest += (*sum - (total - part)) + (x - part);
    *sum = total;
}

/// The larger error stays; NaN is the largest of all.
static inline void tact_certify_raise(double value, int index, double *error, int *worst)
{
    if (!(value <= *error)) {
        *error = value == value ? value : 1.0 / 0.0;
        *worst = index;
    }
}

// ---------------------------------------------------------------------------------------------
// Law

/// A cone of impulses, |p_t| <= mu p_n in one of three senses (2). The friction box is a pyramid of
/// four directions at 45 degrees whose corners reach sqrt(2) mu.
typedef struct TactCertifyCone {
    double                    mu;      // of the corners
    double                    stretch; // corners over mu: 1, or sqrt(2) for the box
    const TactCertifyPyramid *pyramid; // NULL: the circle
} TactCertifyCone;

/// The cone of a contact; may compute directions, which stand until the next call.
TactCertifyCone tact_certify_cone(TactCertifier *certifier, TactContactCone kind,
                                  const TactContact *contact);

/// Up to four contacts with an impulse and the same directions, one a lane; lanes beyond count are
/// those of the first once more.
typedef struct TactCertifyFour {
    int                       count;
    int                       contact[4];
    const TactCertifyPyramid *pyramid;     // NULL: the circle
    double                    stretch;     // of the cone
    double                    mu[4];       // of the corners
    double                    friction[4]; // mu of the contact
    double                    p[3][4];
    double u[3][4];         // u_n with bias, restitution and compliance; u_t with surface
    double w[4];            // (7)
    double own[4];          // what p itself does to u
    double scale[4];        // (8) but for that; out: all of it
    bool   dynamic[4];      // friction is dynamic
    double direction[4][2]; // and then of the sliding velocity
    double excess[4];       // out: how far p leaves the cone, N s
    double residual[4];     // out: (9), or (10)
    double gap[4];          // out: |p_n u_n| or p_t'u_t, the larger, J
    double angle[4]; // out: by which friction misses opposing the slip (4); 0 where nothing slides
} TactCertifyFour;

void tact_certify_law(TactCertifyFour *four);

// ---------------------------------------------------------------------------------------------
// Patches: certify_patch.c

/// Residuals, motion and energy of all discs; then, when all motion is noted, their errors.
void tact_certify_patches(TactCertifier *certifier, const TactCertifyForm *form,
                          const TactCertifyInput *input, TactContactCertificate *out);
void tact_certify_judge_patches(const TactCertifier *certifier, const TactCertifyInput *input,
                                TactContactCertificate *out);

#endif
