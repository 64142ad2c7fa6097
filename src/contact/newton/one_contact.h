// The exact solution of one contact on the circular cone, others held fixed:
//
//     u = W p + b,    0 <= p_n _|_ u_n >= 0,    |p_t| <= mu p_n,    p_t = -mu p_n u_t / |u_t| if
//     u_t is not 0.
//
// W is the contact's own 3 x 3 block of the Delassus matrix (compliance added to W_nn), positive
// semidefinite, need not be quite symmetric; b is the relative velocity without its impulse.
#ifndef TACT_CONTACT_NEWTON_ONE_CONTACT_H
#define TACT_CONTACT_NEWTON_ONE_CONTACT_H

#include <stdbool.h>

/// What of a contact does not depend on b.
typedef struct TactOneContact {
    double W[9];       // row-major
    double inverse[9]; // of W; of W + k (projector on its null space) if the rank is below 3
    double axis[3];    // rank 2: unit null vector; rank 1: unit vector that spans the range
    double mu;
    int    rank;
} TactOneContact;

typedef enum TactOneContactState {
    TACT_ONE_CONTACT_OPEN,  // p = 0
    TACT_ONE_CONTACT_STICK, // u = 0
    TACT_ONE_CONTACT_SLIDE, // u_n = 0, |p_t| = mu p_n
    TACT_ONE_CONTACT_NONE,  // no impulse of the cone will do
} TactOneContactState;

///   W  (3 x 3)
void tact_one_contact_prepare(TactOneContact *one, const double *W, double mu);

/// Where several impulses will do (mu |W_tn| > W_nn, as in Painleve's rod), the first of: 0, the
/// sticking one, the sliding one near the p that comes in, the sliding one of least p_n. Where the
/// sticking one is not unique (rank below 3), that of least norm or next to it in the cone.
///   b  (n, 1, 2)    p  in: a guess, or 0; out: the impulse; NONE leaves it as it is
TactOneContactState tact_one_contact_solve(const TactOneContact *one, const double b[3],
                                           double p[3]);

/// W p + b = 0; where that is not unique (rank below 3), p is that of least norm. False if there is
/// none. Knows no cone.
bool tact_one_contact_hold(const TactOneContact *one, const double b[3], double p[3]);

/// 0 <= p _|_ W p + b >= 0. A W of 0 gives 0.
double tact_one_contact_unilateral(double W, double b);

/// p in [-bound, bound] that brings W p + b to 0 or as near as it can. A W of 0 gives 0.
double tact_one_contact_motor(double W, double b, double bound);

#endif
