// How the items of a contact problem act on each other, u = W p + b, item by item.
//
// Bodies and mechanisms: W = C'C through the whitened motion y = y0 + C p, kept up to date, so that
// an item costs its support twice. A problem given by W: its blocks that are not 0, row by row, as
// they are (not quite symmetric ones too).
#ifndef TACT_CONTACT_NEWTON_COUPLING_H
#define TACT_CONTACT_NEWTON_COUPLING_H

#include "contact/newton/pyramid.h"
#include "contact/system/system.h"
#include "linalg/front/front.h"

/// A block of W beside the diagonal.
typedef struct TactCouplingBlock {
    double W[12];  // column after column, four entries apart: n, 1, 2 and 0
    int    column; // item
} TactCouplingBlock;

typedef struct TactCoupling {
    const TactSystem *system;
    TactOneContact   *own;     // blocks W_ii, compliance included            (items)
    bool              has_own; // they have been made: tact_coupling_need_own()
    double           *weight;  // mean of the diagonal of W_ii; 1 if it is 0  (items)
    TactPyramid      *cones;   // circles too                                 (items)
    double (*direction)[2];    // of all pyramids             (items x most directions)
    int                most;   // directions of a pyramid that there is room for
    bool               has_blocks;
    bool               is_sparse; // the problem has blocks, whose pattern is this:
    TactPattern        pattern;
    int               *start; // first block of a row                        (items + 1)
    TactCouplingBlock *blocks;
    double            *y;        // y0 + C p                                      (dof)
    double            *load;     // |C| |p|                                       (dof)
    double            *own_load; // the same on the support of a group             (dof)
    double            *motion;   // what the free motion adds to scales; NULL: nothing  (items)
} TactCoupling;

void tact_coupling_layout(TactCoupling *coupling, const TactContactCapacity *capacity,
                          TactArena *arena);

/// Takes the blocks of a built system, and the pyramids or circles of its contacts. p is taken to
/// be 0. With motion, lent here, scales have a thousandth of |C_i'| |y0|, as the certificate's have
/// of the bodies' speed: a contact between bodies that move side by side is not judged by rounding.
/// Bodies only; NULL: nothing.                                                 motion: (items)
void tact_coupling_begin(TactCoupling *coupling, const TactSystem *system,
                         const TactContactProblem *problem, TactContactCone cone, double *motion);

/// Makes the blocks W_ii, where they have not been made yet: for those who need more than weights.
void tact_coupling_need_own(TactCoupling *coupling);

/// Brings y up to date with p, summed anew.                                    p: (3 items)
void tact_coupling_set(TactCoupling *coupling, const double *p);

/// u = W p of all items; a problem given by W only.                             (3 items)
void tact_coupling_multiply(const TactCoupling *coupling, const double *p, double *u);

/// u = W p + b of all items; brings y up to date.                              (3 items)
void tact_coupling_move(TactCoupling *coupling, const double *p, double *u);

/// Solves one item exactly, all others as they are in p. Returns how far u_i was off: the largest
/// entry of W_ii times the change of p_i.
double tact_coupling_visit(TactCoupling *coupling, int item, double *p);

/// W_ij, compliance included.                                                  (3 x 3)
void tact_coupling_block(const TactCoupling *coupling, int i, int j, double W[9]);

/// What the velocity of each item is judged by: w_i |p_i| + a hundredth of |W_i| |p| + |b_i|, the
/// sums of the magnitudes. y is set to p.                                      (items)
void tact_coupling_scales(TactCoupling *coupling, const double *p, double *scale);

// Parts of it, for loops that are shared out: own += |C_i| |p_i| of the items of a group, on its
// support; what each of them feels, the largest component of |C_i'| own; and the scale of one item
// that feels so much.                                       own: (size)  p: (3 items)  felt:
// (items)
void tact_coupling_load_group(const TactSystem *system, const TactItemGroup *group, const double *p,
                              double *restrict own);
void tact_coupling_feel_group(const TactSystem *system, const TactItemGroup *group,
                              const double *own, double *felt);
double tact_coupling_scale(const TactCoupling *coupling, int item, const double p[3], double felt);

/// The error below which the certificate takes p for right (certify.h: impulses that do far more
/// than what moves the problem excuse no residual), for one that is asked for; scales belong to p.
double tact_coupling_tolerance(const TactCoupling *coupling, const double *scale, double tol);

/// What tact_coupling_error() takes the worst of, before it is divided by the scale. p points into
/// the impulses of all items: a moment looks at the load of its contact.               p, u: (3)
double tact_coupling_residual(const TactCoupling *coupling, int item, const double p[3],
                              const double u[3]);

/// Worst residual of the law over the item's scale; the item in *worst if that is not NULL.
/// Of a contact it is w |p - P(p - (u + mu h(u_t) n) / w)| with the projection P onto its cone
/// [natural map with de Saxce's change of variables], h as in pyramid.h.
double tact_coupling_error(const TactCoupling *coupling, const double *p, const double *u,
                           const double *scale, int *worst);

#endif
