// Sharing of loads: of all impulses that give the same motion, those of least norm.
//
// docs/theory/sharing.md. The motion y+ = y0 + C p of an answer is kept, and with it the state of
// every contact. Impulses that give it and obey the law there are
//
//     F = { p : C p = c, p_i in K_i },      c = C p0,                                          (1)
//
// K_i a convex set that the state says: a cone where the contact sticks, a ray where it slides, a
// half-line, an interval. The point of F nearest to a centre x, in the norm with weights s_i, is
//
//     p_i = P_i(x_i + C_i' l / s_i)     with l a root of     g(l) = C p(l) - c,                (2)
//
// P_i the projection onto K_i; g is the gradient of a convex function (the dual), and Newton's
// method finds its root. The centre is 0 for the least norm.
#ifndef TACT_CONTACT_SHARE_SHARE_H
#define TACT_CONTACT_SHARE_SHARE_H

#include "contact/certificate/certificate.h"
#include "contact/system/system.h"
#include "linalg/block_lu.h"

typedef enum TactShareKind {
    TACT_SHARE_RAY,      // a (1, r1, r2), a >= 0: slides
    TACT_SHARE_CIRCLE,   // |p_t| <= mu p_n: sticks
    TACT_SHARE_PYRAMID,  // the same for a pyramid
    TACT_SHARE_FACE,     // a face of the pyramid: slides across an edge of the polygon
    TACT_SHARE_PUSH,     // p_n >= 0: no friction, a limit
    TACT_SHARE_INTERVAL, // |p_1| <= bound: a motor or dry friction that holds
    TACT_SHARE_DISC,     // p_n given, |p_t| <= bound: sticks on a soft contact
    TACT_SHARE_POLYGON,  // the same for a pyramid
} TactShareKind;

/// One set K_i.
typedef struct TactShareSet {
    TactShareKind kind;
    double        mu;         // that the corners reach
    int           directions; // of a pyramid
    double        turn;       // angle of direction 0, rad
    double        middle;     // face: angle of the middle of its edge, rad
    double        ray[3];     // ray: (1, r1, r2)
    double        normal;     // disc, polygon: p_n
    double        bound;      // interval, disc, polygon: of |p_1|, |p_t| (polygon: its corners)
} TactShareSet;

/// p = P(z), and its derivative V (symmetric, 0 <= V <= I).
void tact_share_project(const TactShareSet *set, const double z[3], double p[3], double V[9]);

/// V of the linear hull of the set: what Newton begins with.
void tact_share_hull(const TactShareSet *set, double V[9]);

/// An item whose impulse may change.
typedef struct TactShareItem {
    int          item;   // of the system
    double       weight; // s
    TactShareSet set;
    double       centre[3]; // x
    double       p[3];
    double       V[9];
} TactShareItem;

/// The answer as it is given, of all items.
typedef struct TactShareGiven {
    double *length; // |C_k| of the components                                    (3 items)
    double *motion; // what velocities are rounded against                        (3 items)
    double *start;  // p0                                                         (3 items)
    double *u;      //                                                            (3 items)
    double *y;      // y+                                                         (dof)
} TactShareGiven;

/// Sums over the active items, by degree of freedom.
typedef struct TactShareSums {
    double *c;     // (1)                                                         (dof)
    double *load;  // sum |C_i| |p0_i|: the size that rounding is relative to     (dof)
    double *reach; // sum |C_i|                                                   (dof)
    double *stiff; // diagonal of C C' / s                                        (dof)
} TactShareSums;

/// Newton's method for (2).
typedef struct TactShareDual {
    bool        recedes; // directions of F are asked for: C p = 0, p in K for ever
    double      size;    // of impulses, over those of the answer
    double     *l;       // (2)                                                   (dof)
    double     *trial;   // l after a step of some length                         (dof)
    double     *g;       // (2)                                                   (dof)
    double     *next_g;  // g there                                               (dof)
    double     *step;    //                                           (dof, whole blocks)
    TactBlockLu lu;      // of C V C' / s
    bool        changed; // V is not that of the factor
    double      added;   // to the diagonal of the factor
    int         steps;   // of Newton: factors
    int         support; // most of a group
    double     *sum;     // scratch of one group                              (support^2)
} TactShareDual;

/// Impulses that were found, and their certificate.
typedef struct TactShareFound {
    double       *p;           // of the items                                    (3 items)
    double       *impulse;     //                                                 (3 contacts)
    double       *row_impulse; //                                                 (rows)
    double       *velocity;    //                                                 (dof)
    TactCertifier certifier;
} TactShareFound;

typedef struct TactShare {
    const TactContactProblem *problem;
    TactContactCone           cone;
    TactSystem               *system; // own, or that of a solver
    TactSystem                own;
    bool                      strict; // contacts that creep have the impulse of the answer
    TactShareGiven            given;
    int                       count;
    TactShareItem            *active; // items whose impulse may change              (items)
    TactShareSums             sums;
    TactShareDual             dual;
    TactShareFound            found;
} TactShare;

/// Is there an answer to share?
TactStatus tact_share_check(const TactContactProblem *problem, const TactContactAnswer *answer);

/// Lends the arrays for the largest problem; runs twice (base/memory.h).
void tact_share_layout(TactShare *share, const TactContactCapacity *capacity, TactArena *arena);

/// Memory for one checked problem, from an empty arena that the caller destroys. TACT_UNSUPPORTED
/// for contacts with moments or two coefficients.
TactStatus tact_share_create(TactShare *share, const TactContactProblem *problem, TactArena *arena);

/// The sets (1) of a checked problem and its answer.
TactStatus tact_share_begin(TactShare *share, const TactContactProblem *problem,
                            TactContactCone cone, const TactContactAnswer *answer);
/// The same on a system that was built for the problem already, with its columns.
void tact_share_begin_on(TactShare *share, TactSystem *system, const TactContactProblem *problem,
                         TactContactCone cone, const TactContactAnswer *answer);

/// The sets of all items, from their states; weights, and the sums of (1).
void tact_share_list(TactShare *share);
/// c, what passes through every degree of freedom, and the diagonal of C C' / s, of the active
/// items.
void tact_share_sum(TactShare *share);

/// Is it certain that there is nothing to share? A cheap question, that may be answered no.
bool tact_share_is_unique(const TactShare *share);

/// Room for the matrix of Newton's method; false if there is none.
bool tact_share_shape(TactShare *share);

/// The point of F nearest to the centres, to the items. False if it was not found.
bool tact_share_nearest(TactShare *share);

/// tact_contact_share() of a checked problem, without its memory.
TactStatus tact_share_run(TactShare *share, const TactContactProblem *problem, TactContactCone cone,
                          double tol, const TactContactAnswer *answer, TactContactSharing *sharing);
TactStatus tact_share_run_on(TactShare *share, TactSystem *system,
                             const TactContactProblem *problem, TactContactCone cone, double tol,
                             const TactContactAnswer *answer, TactContactSharing *sharing);

#endif
