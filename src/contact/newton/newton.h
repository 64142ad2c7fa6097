// Semismooth Newton on the law of the circular cone or the pyramid, from a point that is already
// near: the polish behind nsgs, and the last resort of other methods. docs/theory/newton-polish.md
//
// Each item is open, sticks or slides, by the impulse it would have after a step of rho along its
// velocity [Alart, Curnier 1991]:
//
//     a = p_n - rho u_n / w,    q = p_t - rho u_t / w        (w: mean of the diagonal of W_ii)
//     a <= 0:         p = 0
//     |q| <= mu a:    u = 0
//     else:           u_n = 0,  p_t = mu a q / |q|
//
// (pyramid: p_t is the point of the polygon mu a P nearest to q) and one step solves these
// equations, linearised.
//
// Unknowns are impulses here. Other Newton methods have other unknowns, and so other matrices:
// proximal/ the motion (sparse, for piles), pivot/turning.h the angles of pyramids, between
// pivots, assembled/box_newton.h the impulses of a friction box together with its bounds, share/
// the dual of a projection, and quad/quad_newton.h these equations again in 113 bits, dense.
#ifndef TACT_CONTACT_NEWTON_NEWTON_H
#define TACT_CONTACT_NEWTON_NEWTON_H

#include "contact/newton/coupling.h"
#include "contact/newton/newton_order.h"
#include "linalg/envelope.h"

/// The linearised equations of one item. Its change is dp = T x + d, and for every unknown x_k one
/// equation E_k du + direct_k x_k = right_k holds, du being the change of its velocity.
typedef struct TactNewtonItem {
    int    unknowns; // 0 .. 3
    int    first;    // place of the first one among all
    double T[3][3];  // [unknown][component]
    double E[3][3];  // [equation][component]
    double d[3];
    double direct[3]; // 0: a constraint
    double right[3];
} TactNewtonItem;

/// What the path of newton_path.c works with.
typedef struct TactNewtonPath {
    double *q;      // impulses that give the motion            (3 items)
    double *trial;  // (3 items)
    double *start;  // p as it came in                          (3 items)
    double *centre; // p^: impulses of the last stage           (3 items)
    double *slack;  // s: mu |u_t| of the last stage            (items)
    double *slope;  // P' of the projections                    (items x 3 x 3)
} TactNewtonPath;

typedef struct TactNewton {
    TactCoupling    coupling;
    bool            full; // few degrees of freedom that nearly all act on each other: no order
    TactNewtonOrder order;
    TactEnvelope    envelope; // of the matrix of a proximal step
    TactFronts     *fronts;   // of that of a problem given by blocks; NULL: there are none. Lent
    TactThreads    *threads;  // that share its factor; NULL: the caller alone. Lent
    int            *sizes;    // unknowns of an item                                    (items)
    bool            is_sparse;
    TactNewtonItem *items; // (items)
    double         *F;     // residuals of the equations, in units of sqrt(energy)  (3 items)
    double         *u;     // W p + b                                                (3 items)
    double         *scale; // (items)
    double         *root;  // 1 / sqrt(w)   (items)
    double         *start; // p as it came in                                        (3 items)
    double         *trial; // (3 items)
    double         *dp;    // (3 items)
    int             unknowns;
    double          work;       // operations of a proximal step of all items
    double          compliance; // of a constraint in a proximal step, in units of w
    double         *x;          // right-hand side, then the unknowns                 (nodes)
    int             capacity;   // unknowns that a least-squares step has room for
    double         *matrix;     // (capacity x capacity)
    double         *dense;      // of few degrees of freedom: K, rows padded          (dof x dof)
    double         *right;      // (capacity)
    double         *scratch;    // (TACT_QR_WORK(capacity, capacity), 2 dof)
    int            *perm;       // (capacity)
    TactNewtonPath  path;
} TactNewton;

/// How the linear system of a step is solved.
typedef enum TactNewtonSolve {
    TACT_NEWTON_PROXIMAL, // constraints made slightly compliant: sparse LU, in the space of motions
                          //   unless the problem is given by W
    TACT_NEWTON_LEAST,    // least squares of least norm by dense QR, rank cut at 1e-11
} TactNewtonSolve;

void tact_newton_layout(TactNewton *newton, const TactContactCapacity *capacity, TactArena *arena);

/// Takes a built system and its problem.
void tact_newton_begin(TactNewton *newton, const TactSystem *system,
                       const TactContactProblem *problem, TactContactCone cone);

/// One step more from an answer p, unless its error is at most tol: kept if the error is less then.
void tact_newton_finish(TactNewton *newton, double tol, double *p, int *steps);

/// The factor of a matrix with the pattern of a problem given by blocks, in newton->fronts. Says
/// what memory it takes before it takes it. False if there is none, or if the matrix is singular.
bool tact_newton_factor_sparse(TactNewton *newton, const TactFrontValues *values);

/// One step without compliance from an answer p, kept if it is still one. Contacts that hardly move
/// whatever acts on them leave a motion open that the error does not see; this settles it. Nothing
/// happens where such a step is dear.
void tact_newton_refine(TactNewton *newton, double tol, double *p, int *steps);

/// Steps with one rho and one way to solve until the error (coupling.h) is at most tol. True if it
/// is; then p is the answer, else p is as it was. *steps is added to.
bool tact_newton_run(TactNewton *newton, TactNewtonSolve solve, double rho, int max_steps,
                     double tol, double *p, int *steps);

/// The path from soft to stiff contacts with tries of Newton on the way. True if a try came to its
/// end, else p is as it was.
bool tact_newton_path(TactNewton *newton, double tol, double *p, int *steps);

/// Error of p (coupling.h).
double tact_newton_error(TactNewton *newton, const double *p);

/// Newton from p with several rho, the path, other compliances, then both rho of circle.md by least
/// squares, of which a step costs as much as a hundred others.
bool tact_newton_polish(TactNewton *newton, double tol, double *p, int *steps);

#include "contact/newton/nsgs.h"
#include "contact/newton/one_contact.h"
#include "contact/newton/pyramid.h"

#endif
