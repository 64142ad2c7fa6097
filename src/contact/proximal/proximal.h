// The proximal path: the first rung for large problems. docs/theory/proximal.md
//
// A spring of compliance k_i = eps w_i (w: mean of the diagonal of W_ii) about an impulse p^ at
// every contact changes the law into
//
//     p = P(p^ - u / k),    u = C'y + e,    P(z) = (z_n+, nearest to z_t in the disc mu z_n+) (1)
//
// (pyramid: in its polygon), and the motion is a root of
//
//     g(y) = y - y0 - C p(y) (2)
//
// in as many unknowns as there are degrees of freedom, however many contacts. Newton finds it; then
// p^ = p, eps shrinks, and so on [method of multipliers]: a way that ends where p = p^, the law
// itself. A stage that has no root near is tried again with softer springs, so that loads that have
// to go elsewhere do so in time.
#ifndef TACT_CONTACT_PROXIMAL_PROXIMAL_H
#define TACT_CONTACT_PROXIMAL_PROXIMAL_H

#include "contact/many/many.h"
#include "contact/newton/newton.h"
#include "contact/proximal/columns.h"
#include "linalg/block_lu/block_lu.h"

/// An item at a motion y: dp = c - B du to first order.
typedef struct TactProximalItem {
    double k;         // compliance
    double centre[3]; // p^
    double u[3];      // C'y + e
    double B[9];      // row-major
    double c[3];      // of a polish only
    double slip;      // s^, where slipping lifts (dilatancy.h)
} TactProximalItem;

enum { TACT_PROXIMAL_LANES = 4 };

/// Four items on a line of motions: z of (1), its change, that of u, mu (-1: not a circle), and
/// whether they push along their normal (1; of moments 0). Where slipping lifts, also u_t, what a
/// slip of 1 m/s takes from z_n, and what s^ takes.
typedef struct TactProximalFour {
    double z[3][TACT_PROXIMAL_LANES], d[3][TACT_PROXIMAL_LANES], du[3][TACT_PROXIMAL_LANES],
        mu[TACT_PROXIMAL_LANES], normal[TACT_PROXIMAL_LANES];
    double ut[2][TACT_PROXIMAL_LANES], lift[TACT_PROXIMAL_LANES], lifted[TACT_PROXIMAL_LANES];
} TactProximalFour;

/// A line of motions (proximal_line.c).
typedef struct TactProximalLine {
    int               count; // of fours
    TactProximalFour *fours; //                                                 (items / 4)
    int               other_count;
    int              *others;      // items that are not circles                (items)
    double            start, bend; // dy'(y - y0), dy'dy
    double            slope;       // dy'g at y
    double            t;           // where the impulses are from
} TactProximalLine;

/// The matrix of the groups that have a B alone.
typedef struct TactProximalLoaded {
    TactLoadedGroups groups;
    TactBlockLu      lu;
    TactBlockLu     *factor; // the last one: this, or that of all groups; NULL: that of many
} TactProximalLoaded;

struct TactProximal;

/// Another way to the root of a stage of eps about the impulses p that Newton's method does not
/// find. True: it is there, as tact_proximal_stage() leaves it.
typedef struct TactProximalRescue {
    bool (*run)(void *context, struct TactProximal *proximal, double eps, const double *p);
    void *context;
} TactProximalRescue; // run NULL: there is none

/// Errors over the tolerance.
typedef struct TactProximalPolish {
    double at_once; // of a polish's start that is taken, if it is more than usual
    double first;   // of the start of the last polish,
    double last;    //   and of the best answer it saw
} TactProximalPolish;

typedef struct TactProximal {
    TactCoupling      *coupling;  // weights and cones of the items, lent
    TactBlockLu        lu;        // of I + C B C', blocks of six degrees of freedom
    TactProximalLoaded loaded;    // the same of the groups that have a B
    TactMany          *many;      // the same of many bodies, on threads; NULL: none. Lent
    bool               is_many;   // the matrix is there
    bool               follows;   // u of the items belongs to y
    double             dilatancy; // d of dilatancy.h; 0: Coulomb's law
    TactProximalItem  *items;     // (items)
    double            *p;         // impulses at y                                     (3 items)
    double            *best;      // of a polish         (3 items)
    double            *u;         // velocities at p                                   (3 items)
    double            *scale;     // of the error                                      (items)
    double            *residual;  //                                                   (items)
    double            *y;         // (dof)
    double            *g;         // (2)                                               (dof)
    double             moved2;    // |y - y0|^2 where g is from
    double            *trial;     // (dof)
    double            *kept;      // y to come back to                                 (dof)
    double            *dy;        // (dof, whole blocks)
    double            *sum;       // what one group adds to the matrix                 (support^2)
    double            *f;         // scratch of one group                              (3 support)
    TactProximalLine   line;      //
    TactProximalRescue rescue;
    int                support; // room of sum
    int                steps;   // factors made
    int                most;    // of them, by what one costs
    int                stages;  // values of eps
    double             work;    // operations of a factor of all groups
    TactProximalPolish polish;
} TactProximal;

void tact_proximal_layout(TactProximal *proximal, const TactContactCapacity *capacity,
                          TactArena *arena);

/// Takes a built system with columns, through its coupling (begun). False if there is no room for
/// its fill.
bool tact_proximal_begin(TactProximal *proximal, TactCoupling *coupling);

/// The last steps, from impulses p and a motion y that belong to each other but for little
/// (whitened), with springs of eps = tol / 2 about p. True if the error (coupling.h) came below
/// tol; then p is the answer, else p is the best that was seen.
bool tact_proximal_polish(TactProximal *proximal, const double *y, double tol, int most, double *p);

/// From springs of eps about p to ever stiffer ones, from the motion y. p out: the answer, or the
/// end of the last stage that had one.
bool tact_proximal_run(TactProximal *proximal, const double *y, double eps, double tol, double *p);

// Parts of a path, for methods that go other ways (pile.h).

/// The motion that a stage starts from; without it, the end of the last one.           y: (dof)
void tact_proximal_set_motion(TactProximal *proximal, const double *y);

/// p^ = p of all items.                                                        p: (3 items)
void tact_proximal_set_centres(TactProximal *proximal, const double *p);

/// Newton on (2) from proximal->y with springs of eps, in at most so many steps, until |g| is at
/// most exact times |y - y0|. True if it came to that: y, g and p are then those of the end.
bool tact_proximal_stage(TactProximal *proximal, double eps, double exact, int most, int *steps);

/// Factors I + C B C' with the B of the items. False: no factors left, no budget, or singular.
bool tact_proximal_factor(TactProximal *proximal);

/// Solves with the factor; x holds the right-hand side.                   x: (dof, whole blocks)
void tact_proximal_solve(const TactProximal *proximal, double *x);

/// Both, in less time than one after the other.
bool tact_proximal_factor_and_solve(TactProximal *proximal, double *x);

/// One group: own is a motion on its support, pushed (0 at first) what its items do to the motion.
///                                                                     own, pushed: (size)
typedef void TactProximalGroup(void *context, int group, const double *own, double *pushed);

/// Calls work for all groups, in any order, on threads where there are some; what they push is
/// subtracted from out in the order of the groups. NULL: they push nothing.     y, out: (dof)
void tact_proximal_visit(const TactProximal *proximal, const double *y, TactProximalGroup *work,
                         void *context, double *out);

/// Impulses p as the certificate will judge them: y of the coupling and u, the scale of every item
/// and its residual (coupling.h).                     p, u: (3 items)  scale, residual: (items)
void tact_proximal_judge(const TactProximal *proximal, const double *p, double *u, double *scale,
                         double *residual);

/// Worst residual of p over its scale (tact_proximal_judge()); u, scale and residual are left
/// behind.
double tact_proximal_error(TactProximal *proximal, const double *p);

#endif
