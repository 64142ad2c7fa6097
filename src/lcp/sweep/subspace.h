// Steps within a face of the box: the variables of F move, the others stay at their bounds.
//
//     M_FF step = -w_F,    so that z_F + step solves M_FF z_F = -(q_F + M_FA z_A)
//                                                    [Arechavaleta, eq. 4, corrected: A2]
//
// Dense: an LDL' factor that is updated when few variables come or go. Variables whose row depends
// on the others (redundant contacts) are left out of it: they do not move. Sparse: conjugate
// gradients.
#ifndef TACT_LCP_SWEEP_SUBSPACE_H
#define TACT_LCP_SWEEP_SUBSPACE_H

#include <tact/lcp.h>

#include "base/memory.h"
#include "linalg/ldl.h"

typedef struct TactLcpSubspace {
    const TactLcpProblem *problem;
    const double         *inverse;   // 1 / M_ii                                               (n)
    unsigned char        *free;      // in: 1 if the variable is in F                          (n)
    int                   count;     // variables of F
    int                   rank;      // the first rank of index move, the others depend on them
    int                  *index;     // F                                                  (count)
    double               *step;      // out: of the variables index[0 .. rank)              (rank)
    int                   factors;   // LDL' factors made anew
    int                   updates;   // rows that came or went since then
    bool                  loosened;  // rows went: others may no longer depend on the rest
    TactLdl               ldl;       // dense: factor of the first rank rows of index
    unsigned char        *place;     // dense: where a variable stands in index                (n)
    double               *row;       // dense: a row of M_FF                                   (n)
    double               *residual;  // sparse: of conjugate gradients                         (n)
    double               *direction; // sparse:                                                (n)
    double               *product;   // sparse:                                                (n)
} TactLcpSubspace;

void tact_lcp_subspace_layout(TactLcpSubspace *subspace, int max_n, TactLcpStorage storage,
                              TactArena *arena);
void tact_lcp_subspace_begin(TactLcpSubspace *subspace, const TactLcpProblem *problem,
                             const double *inverse);

/// Makes F what `free` says.
void tact_lcp_subspace_set(TactLcpSubspace *subspace);

/// The same where F only lost variables. Rows found dependent stay so for the moment, which is
/// cheaper; tact_lcp_subspace_admit() knows more once w_F is zero but for these.
void tact_lcp_subspace_shrink(TactLcpSubspace *subspace);

/// Dense: lets rows with |w_i| > tolerance that were found dependent into the factor, if they are
/// no longer. Returns how many.
int tact_lcp_subspace_admit(TactLcpSubspace *subspace, const double *w, double tolerance);

/// The step of F from w = M z + q. Conjugate gradients end at |w_F| <= tolerance.
void tact_lcp_subspace_solve(TactLcpSubspace *subspace, const double *w, double tolerance);

/// Dense: the direction in which the dependent variable index[a] (rank <= a < count) grows by 1 and
/// M_FF does not change w_F: step = -M_RR^-1 M_R,index[a].
void tact_lcp_subspace_null(TactLcpSubspace *subspace, int a);

/// Conjugate gradients on M_FF, preconditioned by its diagonal (subspace_cg.c).
void tact_lcp_subspace_cg(TactLcpSubspace *subspace, const double *w, double tolerance);

#endif
