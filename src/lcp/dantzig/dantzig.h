// Cottle and Dantzig's principal pivoting for box LCPs: what its files share.
//
// Every variable is at one of its bounds, at rest inside them (at 0, until it is driven for the
// first time), or clamped: then w_i = 0, and its z follows from the others. Names as in Baraff 4:
// C is the set of clamped indices, d the driven one, NC the set of those which have been clamped or
// driven before and must stay satisfied. N is all that is not in C.
//
// contact/baraff has the same drive for contacts: there friction slides along a direction that is
// frozen, so that its matrix is not symmetric, and what is kept is an inverse and not LDL'.
//
// M_CC is kept as LDL', and M_CN in rows of its own, so that a step costs k^2 + k (n - k)
// multiplications. Units: s_i z_i and w_i / s_i have none.
#ifndef TACT_LCP_DANTZIG_DANTZIG_H
#define TACT_LCP_DANTZIG_DANTZIG_H

#include "lcp/solver.h"
#include "linalg/ldl.h"

typedef enum TactDantzigState {
    TACT_DANTZIG_LO = TACT_LCP_STATE_AT_LO,
    TACT_DANTZIG_CLAMPED = TACT_LCP_STATE_BASIC,
    TACT_DANTZIG_HI = TACT_LCP_STATE_AT_HI,
    TACT_DANTZIG_REST, // inside [lo, hi], where it was put: not driven yet, or dependent on C
} TactDantzigState;

/// Indices of N: their z stands at a bound. By place in N                              (n - k)
typedef struct TactDantzigOuter {
    int    *index;
    int     count;
    double *w;    // M z + q
    double *dw;   // M dz
    double *up;   // r_i if z_i may be driven up, else 0
    double *down; // r_i if z_i may be driven down, else 0
    double *r;    // 1 / s_i
} TactDantzigOuter;

/// Indices of C: their w is 0. By place in C, which is the order of the factor             (k)
typedef struct TactDantzigClamped {
    int    *index;
    double *z;
    double *lo;
    double *hi;
    double *s;
    double *dz;
    double *y;   // L^-1 M_Cd
    double *v;   // L^-1 M_Ci of a row i that is about to enter C
    int    *row; // of MCN; behind those in use come the others                        (n)
} TactDantzigClamped;

typedef struct TactDantzigList {
    int *index; // (n)
    int  count;
} TactDantzigList;

/// What rounding is held against.
typedef struct TactDantzigSums {
    double unit;     // largest |q_i / s_i|
    double residual; // largest |w_i / s_i| in C when the values were last restored
    double size;     // sum_j s_j |z_j|: s_i times it bounds what w_i is summed from
    double outside;  // the part of it that is in N, when the values were last restored
    double moved;    // the same sum over all steps since then
} TactDantzigSums;

typedef struct TactDantzigFriction {
    double *bound;  // bounds that are kept,                                           (n)
    double *target; //   and those that their answer asks for                         (n)
    double *LU;     // the coupled system                                              (n x n)
    int    *perm;   //                                                                 (n)
} TactDantzigFriction;

/// An answer that is kept while a better one is tried.
typedef struct TactDantzigSaved {
    double        *z;     // (n)
    unsigned char *state; // (n)
} TactDantzigSaved;

typedef struct TactDantzig {
    int           n;
    const double *M; // (n x n)
    const double *q; // (n)

    double coarse;          // violations to be driven away
    double fine;            // violations to be driven away if that can be done
    bool   polishing;       // it is: dependent rows are not driven if what is wrong may be rounding
    bool   known;           // z_C and w belong to the sets: false after a start until restored
    int    limit;           // pivots
    TactLcpReport  *report; // counts
    TactDantzigSums sums;

    // By index                                                                        (n)
    double        *lo; // bounds as they are now
    double        *hi;
    double        *s;     // sqrt(M_ii)
    double        *r;     // 1 / s_i; 1 where M_ii = 0
    double        *z;     // in N; in C only after tact_dantzig_restore()
    double        *all_w; // M z + q, or M dz, of all rows: scratch
    double        *probe; // sum_C +-M_i
    unsigned char *state; // TactDantzigState
    unsigned char *seen;  // the states at the end of an earlier drive
    int           *place; // in C or in N

    TactDantzigOuter    outer;
    TactDantzigClamped  clamped;
    TactLdl             ldl; // of M_CC; k = ldl.n
    double             *MCN; // M_CN, by row[place in C] and by place in N            (n x ld)
    size_t              ld;
    double             *work;    // (n)
    TactDantzigList     guarded; // NC
    TactDantzigList     muted;   // dependent on C, consistent, and not to be driven
    TactDantzigSaved    saved;
    TactDantzigFriction friction;
} TactDantzig;

// ---------------------------------------------------------------------------------------------
// Sets and states (dantzig_sets.c)

/// Makes sets of a basis (NULL: none). A basic variable that is 0 in z (NULL: unknown), inside its
/// bounds, is at rest there.
void tact_dantzig_start(TactDantzig *self, const unsigned char *basis, const double *z);

/// Puts a variable of N where the state says, as far as its bounds are finite.
void tact_dantzig_put(TactDantzig *self, int i, TactDantzigState state);

/// Leaves a variable of N where it is, at rest if that is inside its bounds.
void tact_dantzig_rest(TactDantzig *self, int i);

/// i becomes the last of C. y = L^-1 M_Ci, pivot its Schur complement.
void tact_dantzig_clamp(TactDantzig *self, int i, const double *y, double pivot);

/// The index at a place of C goes to N, and to NC.
void tact_dantzig_unclamp(TactDantzig *self, int place, TactDantzigState state);

/// A row that is not to be driven while C stays as it is; and all of them again.
void tact_dantzig_mute(TactDantzig *self, int i);
void tact_dantzig_unmute(TactDantzig *self);

/// Factors M_CC anew. Indices that depend on the others leave C.
void tact_dantzig_refactor(TactDantzig *self);

/// Keeps a restored state; goes back to it.
void tact_dantzig_save(TactDantzig *self);
void tact_dantzig_revert(TactDantzig *self);

/// +1 or -1, by index: the weights of the probe.
static inline double tact_dantzig_sign(int i)
{
    return i % 2 ? -1 : 1;
}

// ---------------------------------------------------------------------------------------------
// Values from the raw data (dantzig_values.c)

/// out += sum over count rows k of coef_k rows_index[k], rows ld apart.
///   out  (n, and up to 3 more are written)
void tact_dantzig_add_rows(int n, const double *rows, size_t ld, int count, const int *index,
                           const double *coef, double *out);

/// sum_k |a_k b_k|                                                                     (count)
double tact_dantzig_sum_abs(int count, const double *a, const double *b);

/// Solves M_CC z_C = -q_C - M_CN z_N, and computes all of w and z. An index that is outside its
/// bounds then is put on the bound and out of C, which is a pivot.
void tact_dantzig_restore(TactDantzig *self);

// ---------------------------------------------------------------------------------------------
// Drives (dantzig_drive.c, dantzig_direction.c)

typedef struct TactDantzigDrive {
    int    d;
    double direction; // of z_d, 1 or -1
    double size;      // sum_j s_j |dz_j|
    double curvature; // dz'M dz
    bool   flat;      // which is 0, and so M dz = 0, but for rounding
    double pivot;     // of the row that is about to enter C
    int    zeros;     // steps of length 0 in a row
    int    barred;    // so many at the end of NC would make M_CC singular
} TactDantzigDrive;

/// y = L^-1 M_Ci
void tact_dantzig_eliminate(const TactDantzig *self, int i, double *y);

/// dz, dw, size and curvature, from y = L^-1 M_Cd.
void tact_dantzig_direction(TactDantzig *self, TactDantzigDrive *drive);

/// True if row i may enter C: its pivot is more than rounding. Leaves v and drive->pivot.
bool tact_dantzig_can_enter(TactDantzig *self, TactDantzigDrive *drive, int i);

/// Moves z_d up (direction 1) or down (-1) until w_d = 0 or z_d is at its other bound.
TactLcpOutcome tact_dantzig_drive(TactDantzig *self, int d, double direction);

// ---------------------------------------------------------------------------------------------
// The loop over the drives (dantzig.c)

/// Drives what is violated until nothing is.
TactLcpOutcome tact_dantzig_settle(TactDantzig *self);

// ---------------------------------------------------------------------------------------------
// Small problems (dantzig_small.c)

/// Few unknowns, no bounds but 0, no start, no limit of pivots.
bool tact_dantzig_is_small(const TactLcpSolver *solver, const TactLcpProblem *problem);

/// Drives away what is violated by more than tol. True: z and basis are the answer. False: it needs
/// judgement; only pivots and drives have been counted.
bool tact_dantzig_small(const TactLcpProblem *problem, double tol, double *z, unsigned char *basis,
                        TactLcpReport *report);

// ---------------------------------------------------------------------------------------------
// Friction index (dantzig_friction.c)

/// From a state with all friction rows at 0 and settled, or from that of a start: solves with the
/// bounds of the last answer, until they agree with it, at most so many times.
TactLcpOutcome tact_dantzig_friction(TactDantzig *self, const TactLcpProblem *problem, int count);

#endif
