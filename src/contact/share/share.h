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
#include "contact/disc/disc.h"
#include "contact/system/system.h"
#include "linalg/block_lu/block_lu.h"

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

typedef enum TactShareDiscKind {
    TACT_SHARE_DISC_ROUND,   // holds: the disc of its axes
    TACT_SHARE_DISC_CORNERS, // holds, on a pyramid: a polygon in these axes
    TACT_SHARE_DISC_POINT,   // moves: a
    TACT_SHARE_DISC_SEGMENT, // moves across an edge of the polygon: from a to b
} TactShareDiscKind;

/// What a disc of a patch allows for a load of 1.
typedef struct TactShareDisc {
    TactShareDiscKind kind;
    int               dim;
    int               at[TACT_DISC_MOST];   // components: 1 2 sliding, 3 spinning, 4 5 rolling
    double            axis[TACT_DISC_MOST]; // in the units of the norm: mu, and 1 for moments
    double            a[TACT_DISC_MOST], b[TACT_DISC_MOST];
    int               directions;
    double            turn;
} TactShareDisc;

enum { TACT_SHARE_PARTS = 6 }; // n 1 2, spin, roll 1 2

/// The set of a contact with discs of its own (share_patch.c): all are bounded by one load. In the
/// coordinates q = p / unit, in which the norm is |q|.
typedef struct TactSharePatch {
    int           disc_count;
    TactShareDisc discs[3];
    double        unit[TACT_SHARE_PARTS];  // 1, and mu of moments
    int           entry[TACT_SHARE_PARTS]; // which of its items has the component; -1: none
    int           component[TACT_SHARE_PARTS];
    bool          soft; // p_n is given
    double        normal;
    double        V[TACT_SHARE_PARTS * TACT_SHARE_PARTS]; // of p, not of q
} TactSharePatch;

/// q = P(z), and its derivative V.          z, q: (TACT_SHARE_PARTS), V: (as of the patch)
void tact_share_project_patch(const TactSharePatch *patch, const double *z, double *q, double *V);

/// V of the linear hull of the set, and what q is there without a centre.
void tact_share_hull_patch(const TactSharePatch *patch, double *V, double *q);

/// An item whose impulse may change.
typedef struct TactShareItem {
    int          item;   // of the system
    double       weight; // s
    TactShareSet set;
    double       centre[3]; // x
    double       p[3];
    double       V[9];
    int          moments; // items after this one that belong to its patch
    int          patch;   // of share->patches, -1: none; of the first of its items
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
    double *stiff; // diagonal of C C' / s; 0: nothing moves it                   (dof)
} TactShareSums;

/// Degrees of freedom of a dense matrix at most.
enum { TACT_SHARE_MOST_DENSE = 96 };

/// Newton's method for (2).
typedef struct TactShareDual {
    bool        recedes; // directions of F are asked for: C p = 0, p in K for ever
    double      size;    // of impulses, over those of the answer
    double     *l;       // (2)                                                   (dof)
    double     *trial;   // l after a step of some length                         (dof)
    double     *g;       // (2)                                                   (dof)
    double     *next_g;  // g there                                               (dof)
    double     *step;    //                                           (dof, whole blocks)
    TactBlockLu lu;      // of C V C' / s, unless it is dense
    bool        dense;   // (share_matrix.c)
    int         reached; // degrees of freedom of the dense one
    int        *order;   // which they are                                        (dof)
    int        *place;   // of a degree of freedom in it, -1: held                (dof)
    int        *kept;    // scratch of one group                              (support)
    double     *compact; // likewise: columns of an item                    (3 support)
    double     *A;       // the dense one                             (reached x reached)
    bool        changed; // V is not that of the factor
    double      added;   // to the diagonal of the factor
    int         factors; // made since its beginning: steps of Newton
    int         support; // most of a group
    double     *sum;     // scratch of one group                              (support^2)
} TactShareDual;

/// A problem with patches (contact/patch.h): the expanded one, and its items.
typedef struct TactShareExpanded {
    TactPatches     patches;
    TactDiscLink    link; // bare: what is shared
    double         *p;    // of the items of the expanded system                (3 items)
    TactSharePatch *sets; // of contacts with discs                             (patches)
    int             count;
} TactShareExpanded;

/// Impulses that were found, and their certificate.
typedef struct TactShareFound {
    double       *p;           // of the items                                    (3 items)
    double       *impulse;     //                                                 (3 contacts)
    double       *row_impulse; //                                                 (rows)
    double       *moment;      // with patches                                    (3 contacts)
    double       *velocity;    //                                                 (dof)
    double       *columns;     // of few items, to tell whether they depend on each other (30 dof)
    TactCertifier certifier;
} TactShareFound;

typedef struct TactShare {
    const TactContactProblem *problem; // the expanded one, with patches
    const TactContactProblem *asked;   // as it is given
    TactContactCone           cone;
    TactSystem               *system; // own, or that of a solver; with patches the linked one
    TactSystem                own;
    bool                      strict; // contacts that creep have the impulse of the answer
    TactShareGiven            given;
    int                       count;
    TactShareItem            *active; // items whose impulse may change              (items)
    TactShareSums             sums;
    TactShareDual             dual;
    TactShareFound            found;
    TactShareExpanded         expanded;
} TactShare;

/// Is there an answer to share?
TactStatus tact_share_check(const TactContactProblem *problem, const TactContactAnswer *answer);

/// Lends the arrays for the largest problem; runs twice (base/memory.h).
void tact_share_layout(TactShare *share, const TactContactCapacity *capacity, TactArena *arena);

/// Memory for one checked problem, from an empty arena that the caller destroys. TACT_UNSUPPORTED
/// for the friction box with moments or two coefficients.
TactStatus tact_share_create(TactShare *share, const TactContactProblem *problem,
                             TactContactCone cone, TactArena *arena);

/// The sets (1) of a checked problem and its answer.
TactStatus tact_share_begin(TactShare *share, const TactContactProblem *problem,
                            TactContactCone cone, const TactContactAnswer *answer);
/// The same on a system that was built for the problem already, with its columns. No patches.
void tact_share_begin_on(TactShare *share, TactSystem *system, const TactContactProblem *problem,
                         TactContactCone cone, const TactContactAnswer *answer);

/// Impulses below this part of the largest, scaled, are none.
#define TACT_SHARE_LOADED 1e-12
/// Slip and separation below this part of the motion of the contact's bodies are none: what the
/// tolerance of the answer leaves, and, where the certificate does not bear that, rounding.
#define TACT_SHARE_MOVES 1e-9
#define TACT_SHARE_STRICTLY 1e-11
/// Slip of contacts that stick but for the tolerance of the answer, likewise.
#define TACT_SHARE_CREEPS 1e-7
/// An impulse this near to a set, over its length, is in it but for rounding; is in it at all.
#define TACT_SHARE_EXACT 1e-12
#define TACT_SHARE_NEAR 1e-3

/// Expands a problem and builds its items.
TactStatus tact_share_expand(TactShare *share, const TactContactProblem *problem);
/// The impulses of the linked items from an answer; with W the offsets follow.
void tact_share_take(TactShare *share, const TactContactAnswer *answer);
/// impulse, row_impulse, moment and velocity of share->found from its p.
void tact_share_give(TactShare *share);
/// Is item i one of a patch, the first? Lists its items with the set that its state allows, unless
/// its impulse is what it is.
bool tact_share_is_patch(const TactShare *share, int i);
void tact_share_list_patch(TactShare *share, int i, double largest);

/// A direction in which items from one on may change.
typedef struct TactShareColumn {
    int    item; // of the system, the first
    int    count;
    double along[9]; // n 1 2 of each
} TactShareColumn;

/// Columns of the linear hull of an active patch; how many.          columns: (TACT_SHARE_PARTS)
int tact_share_count_patch(const TactShare *share, const TactShareItem *item,
                           TactShareColumn *columns);

/// p and V of an active patch and its moments, from z of each.
void tact_share_move_patch(TactShare *share, int k, double (*z)[3], bool *changed);
/// The same with its hull: p there.
void tact_share_start_patch(TactShare *share, int k);
/// sum += C V C' over the support of its group.                          sum: (size x size)
void tact_share_assemble_patch(const TactShare *share, int k, int size, double *sum);

/// The sets of all items, from their states; weights, and the sums of (1).
void tact_share_list(TactShare *share);
/// c, what passes through every degree of freedom, and the diagonal of C C' / s, of the active
/// items.
void tact_share_sum(TactShare *share);

/// Is it certain that there is nothing to share? A cheap question, that may be answered no.
bool tact_share_is_unique(const TactShare *share);

/// Room for the matrix of Newton's method; false if there is none.
bool tact_share_shape(TactShare *share);

/// No factor yet, for sets that may be others than those of the last time.
void tact_share_dual_begin(TactShare *share);
/// step = -(H + added)^-1 g; false: H has no factor.
bool tact_share_dual_step(TactShare *share, double added);

/// The point of F nearest to the centres, to the items. False if it was not found.
bool tact_share_nearest(TactShare *share);

/// tact_contact_share() of a checked problem, without its memory.
TactStatus tact_share_run(TactShare *share, const TactContactProblem *problem, TactContactCone cone,
                          double tol, const TactContactAnswer *answer, TactContactSharing *sharing);
TactStatus tact_share_run_on(TactShare *share, TactSystem *system,
                             const TactContactProblem *problem, TactContactCone cone, double tol,
                             const TactContactAnswer *answer, TactContactSharing *sharing);

#endif
