// Cottle and Dantzig's principal pivoting for box LCPs: what its files share.
//
// Every variable is at one of its bounds, at rest inside them (only until it is driven for the
// first time), or clamped: then w_i = 0, and its z follows from the others. The clamped block M_CC
// is kept as LDL'. Names as in Baraff 4: C is the set of clamped indices, NC that of the indices
// which have been clamped or driven before and must stay satisfied, d the driven one.
#ifndef TACT_LCP_DANTZIG_H
#define TACT_LCP_DANTZIG_H

#include "lcp/solver.h"
#include "linalg/ldl.h"

typedef enum TactDantzigState {
    TACT_DANTZIG_LO = TACT_LCP_AT_LO,
    TACT_DANTZIG_CLAMPED = TACT_LCP_BASIC,
    TACT_DANTZIG_HI = TACT_LCP_AT_HI,
    TACT_DANTZIG_REST, // inside [lo, hi], at 0, and not driven yet
} TactDantzigState;

/// Lengths are n, or k for what goes by places of C. Units: s_i z_i and w_i / s_i have none.
typedef struct TactDantzig {
    int           n;
    const double *M;       // (n x n)
    const double *q;       // (n)
    double        tol;     // |w_i| below this is 0
    double        unit;    // largest |q_i / s_i|
    double        size;    // sum_j s_j |z_j| at the last look: s_i times it bounds what w_i is
                           //   summed from
    int            limit;  // pivots
    TactLcpReport *report; // counts
    double        *lo;     // bounds as they are now                               (n)
    double        *hi;     //                                                      (n)
    double        *s;      // sqrt(M_ii)                                           (n)
    double        *r;      // 1 / s_i; 1 where M_ii = 0                            (n)
    double        *up;     // r_i if z_i may be driven up, else 0                  (n)
    double        *down;   // r_i if z_i may be driven down, else 0                (n)
    double        *z;      // outside C; in C after tact_dantzig_restore()         (n)
    double        *w;      // M z + q, and exactly 0 in C                          (n)
    double        *dw;     // M dz                                                 (n)
    double        *work;   //                                                      (n)
    unsigned char *state;  // TactDantzigState                                     (n)
    unsigned char *seen;   // the states at the end of an earlier drive            (n)
    int           *NC;     //                                                      (n)
    int            NC_count;
    int           *C;    // in the order of the factor                           (k)
    double        *C_z;  // z, lo, hi, s of C                                    (k)
    double        *C_lo; //                                                      (k)
    double        *C_hi; //                                                      (k)
    double        *C_s;  //                                                      (k)
    double        *dz;   // of C                                                 (k)
    double        *y;    // L^-1 M_Cd                                            (k)
    double        *v;    // L^-1 M_Ci of a row i that is about to enter C        (k)
    TactLdl        ldl;  // of M_CC; k = ldl.n
    double        *LU;   // friction: the coupled system                         (n x n)
    int           *perm; //                                                      (n)
} TactDantzig;

// ---------------------------------------------------------------------------------------------
// States (dantzig_state.c)

/// out += sum over count rows k of coef_k M_index[k].
void tact_dantzig_add_rows(const TactDantzig *self, int count, const int *index, const double *coef,
                           double *out);

/// Makes a state of a basis (NULL: none). z is set outside C only.
void tact_dantzig_start(TactDantzig *self, const unsigned char *basis);

/// Puts a variable outside C where the state says, as far as its bounds are finite.
void tact_dantzig_place(TactDantzig *self, int i, TactDantzigState state);

/// i becomes the last of C. y = L^-1 M_Ci, pivot its Schur complement.
void tact_dantzig_clamp(TactDantzig *self, int i, double z, const double *y, double pivot);

/// The index at a place of C goes out of it.
void tact_dantzig_unclamp(TactDantzig *self, int place, TactDantzigState state);

/// Factors M_CC anew. Indices that depend on the others leave C.
void tact_dantzig_refactor(TactDantzig *self);

/// Solves M_CC z_C = -q_C - M_CN z_N from the raw data, and computes all of w and z. An index that
/// is outside its bounds then is put on the bound and out of C, which is a pivot.
void tact_dantzig_restore(TactDantzig *self);

// ---------------------------------------------------------------------------------------------
// Drives (dantzig_drive.c)

/// Moves z_d up (direction 1) or down (-1) until w_d = 0 or z_d is at its other bound.
TactLcpOutcome tact_dantzig_drive(TactDantzig *self, int d, double direction);

// ---------------------------------------------------------------------------------------------
// The loop over the drives (dantzig.c)

/// The index that is violated most, and the direction in which it is to be driven; -1: none.
int tact_dantzig_violated(TactDantzig *self, double *direction);

/// Drives what is violated until nothing is.
TactLcpOutcome tact_dantzig_settle(TactDantzig *self);

// ---------------------------------------------------------------------------------------------
// Friction index (dantzig_friction.c)

/// From a settled state with all friction rows at 0: their bounds follow the normal forces, and the
/// rest is solved with them, until they agree.
TactLcpOutcome tact_dantzig_friction(TactDantzig *self, const TactLcpProblem *problem, int passes);

/// True if the states, friction rows at their bounds included, already are those of a solution;
/// then z, w and all bounds are set.
bool tact_dantzig_is_coupled(TactDantzig *self, const TactLcpProblem *problem);

#endif
