// Lloyd's reduced system: K x = f with friction and lambda eliminated [Lloyd04, 5.1, app. A].
//
// Every contact whose lambda is basic has a basic phi_x. Its row of gamma gives phi_x, its row of
// sigma gives lambda [Lloyd04, eqs. 38, 41]:
//
//     phi_x  = mu theta - sum phi_k + c_gamma z0 - f_gamma
//     lambda = -d_x' v + f_x - c_x z0
//
// What is left has the unknowns theta, phi_k, z0 and the rows nu, sigma_k - sigma_x and that of
// w_r [Lloyd04, eqs. 42, 44, 47]: at most dof + 1 of them, a small matrix that is factored anew for
// every basis, "without having to do factorization updates in which round-off error can
// accumulate". Dampers, where there are any, add a row each.
#ifndef TACT_CONTACT_PIVOT_ELIMINATION_H
#define TACT_CONTACT_PIVOT_ELIMINATION_H

#include "contact/pivot/kernel.h"

typedef struct TactElimination {
    int     size;        // of the reduced system
    int     most;        // largest size met
    bool    dirty;       // the basis has changed since it was factored
    int    *x_col;       // position of phi_x of an item, -1: lambda is not basic       (items)
    int    *col;         // reduced unknowns: positions of the kernel's                 (max_k)
    int    *row;         // reduced rows: positions of the kernel's                     (max_k)
    double *col_motion;  // N*, D*, c*: over all degrees of freedom            (max_k + 1 x dof)
    double *matrix;      // its LU                                                   (max_k x ld)
    int    *permutation; // (max_k)
    double *f;           // right-hand side, then solution                           (2 max_k)
    double *motion;      // (dof)
    double *full;        // solution by position of the kernel                           (max_k)
} TactElimination;

void tact_elimination_layout(TactElimination *elimination, const TactContactCapacity *capacity,
                             int max_k, TactArena *arena);

/// Factors the reduced system of the kernel's basis. false: singular, or a basic lambda without a
/// basic phi (which app. C excludes while z0 > 0).
bool tact_elimination_factor(TactElimination *elimination, const TactKernel *kernel);

/// x -= K^-1 f                                        f: by position in row; x: by position in col
void tact_elimination_solve(TactElimination *elimination, const TactKernel *kernel, const double *f,
                            double *x);

#endif
