// Cottle and Dantzig's principal pivoting for box LCPs: what its files share.
//
// Every variable is at one of its bounds, at rest inside them (at 0, until it is driven for the
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
    TACT_DANTZIG_REST, // inside [lo, hi], where it was put: not driven yet, or dependent on C
} TactDantzigState;

/// Lengths are n, or k for what goes by places of C. Units: s_i z_i and w_i / s_i have none.
typedef struct TactDantzig {
    int           n;
    const double *M;       // (n x n)
    const double *q;       // (n)
    bool   polishing;      // a row that depends on C is not driven if what is wrong may be rounding
    double coarse;         // violations to be driven away
    double fine;           // violations to be driven away if that can be done
    double residual;       // largest |w_i / s_i| in C when the values were last restored
    double unit;           // largest |q_i / s_i|
    double size;           // sum_j s_j |z_j|: s_i times it bounds what w_i is summed from
    double outside;        // the part of it that is not in C, when the values were last restored
    double moved;          // the same sum over all steps since then
    int    limit;          // pivots
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
    double *bound;   // friction: bounds that are kept, and those that their answer asks for  (n)
    double *target;  // (n)
    double *saved_z; // (n)
    unsigned char *saved_state; // (n)
    int           *NC;          //                                                      (n)
    int            NC_count;
    int           *muted; // dependent on C, consistent, and not to be driven     (n)
    int            muted_count;
    int           *C;     // in the order of the factor                           (k)
    double        *C_z;   // z, lo, hi, s of C                                    (k)
    double        *C_lo;  //                                                      (k)
    double        *C_hi;  //                                                      (k)
    double        *C_s;   //                                                      (k)
    double        *dz;    // of C                                                 (k)
    double        *y;     // L^-1 M_Cd                                            (k)
    double        *v;     // L^-1 M_Ci of a row i that is about to enter C        (k)
    TactLdl        ldl;   // of M_CC; k = ldl.n
    double        *LU;    // friction: the coupled system                         (n x n)
    int           *place; // friction: of an index in C (n)
    int           *perm;  //                                                      (n)
} TactDantzig;

// ---------------------------------------------------------------------------------------------
// States (dantzig_state.c)

/// out += sum over count rows k of coef_k M_index[k].
void tact_dantzig_add_rows(const TactDantzig *self, int count, const int *index, const double *coef,
                           double *out);

/// sum_k |a_k b_k|                                                                  (count)
double tact_dantzig_sum_abs(int count, const double *a, const double *b);

/// Makes a state of a basis (NULL: none). A basic variable that is 0 in z (NULL: unknown), inside
/// its bounds, is at rest there. z is set outside C only.
void tact_dantzig_start(TactDantzig *self, const unsigned char *basis, const double *z);

/// Puts a variable outside C where the state says, as far as its bounds are finite.
void tact_dantzig_place(TactDantzig *self, int i, TactDantzigState state);

/// Leaves a variable outside C where it is, at rest if that is inside its bounds.
void tact_dantzig_rest(TactDantzig *self, int i);

/// i becomes the last of C. y = L^-1 M_Ci, pivot its Schur complement.
void tact_dantzig_clamp(TactDantzig *self, int i, double z, const double *y, double pivot);

/// The index at a place of C goes out of it.
void tact_dantzig_unclamp(TactDantzig *self, int place, TactDantzigState state);

/// A row that is not to be driven while C stays as it is; and all of them again.
void tact_dantzig_mute(TactDantzig *self, int i);
void tact_dantzig_unmute(TactDantzig *self);

/// Factors M_CC anew. Indices that depend on the others leave C.
void tact_dantzig_refactor(TactDantzig *self);

/// Solves M_CC z_C = -q_C - M_CN z_N from the raw data, and computes all of w and z. An index that
/// is outside its bounds then is put on the bound and out of C, which is a pivot.
void tact_dantzig_restore(TactDantzig *self);

/// Keeps a restored state; goes back to it.
void tact_dantzig_save(TactDantzig *self);
void tact_dantzig_revert(TactDantzig *self);

// ---------------------------------------------------------------------------------------------
// Drives (dantzig_drive.c)

/// Moves z_d up (direction 1) or down (-1) until w_d = 0 or z_d is at its other bound.
TactLcpOutcome tact_dantzig_drive(TactDantzig *self, int d, double direction);

// ---------------------------------------------------------------------------------------------
// The loop over the drives (dantzig.c)

/// The index that is violated most, by more than tol and by more than rounding, and the direction
/// in which it is to be driven; -1: none.
int tact_dantzig_violated(TactDantzig *self, double tol, double *direction);

/// Drives what is violated until nothing is.
TactLcpOutcome tact_dantzig_settle(TactDantzig *self);

// ---------------------------------------------------------------------------------------------
// Friction index (dantzig_friction.c)

/// From a state with all friction rows at 0 and settled, or from that of a start: solves with the
/// bounds of the last answer, until they agree with it, at most so many times.
TactLcpOutcome tact_dantzig_friction(TactDantzig *self, const TactLcpProblem *problem, int count);

#endif
