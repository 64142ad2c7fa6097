// The laws of contacts that resist sliding, spinning and rolling, in long double and from the raw
// bodies: knows no solver, no system and no certificate.
//
// Each part of friction must lie within its bound and take the most out of the motion that it can:
// with x_k = p_k / mu_k, v_k = mu_k u_k and the largest -v'y over the disc (or polygon) of size 1,
// s(v), the law is |x| <= p_n and x'v + p_n s(v) = 0; that sum is never negative inside the bound.
#ifndef TESTS_CONTACT_PATCH_LAW_H
#define TESTS_CONTACT_PATCH_LAW_H

#include <tact/contact.h>

enum { PATCH_BODIES = 6, PATCH_CONTACTS = 24 };

/// Worst misses, each over the largest impulse or velocity (term by term) of the problem, or both.
typedef struct PatchMiss {
    double normal;  // p_n < 0, u_n < 0, p_n u_n
    double bound;   // |x| - p_n
    double part;    // x'v + p_n s(v)
    double angular; // the same of spinning and rolling alone, over their own largest values
} PatchMiss;

/// Free bodies without rows.   impulse, moment: (3 nc)
PatchMiss patch_law(const TactContactProblem *problem, TactContactCone cone, const double *impulse,
                    const double *moment);

/// u and the relative angular velocity of all contacts, n 1 2 each, after the step. (nc x 6)
void patch_motion(const TactContactProblem *problem, const double *impulse, const double *moment,
                  long double (*u)[6], long double (*size)[6]);

/// Row r (n, 1, 2, then angular) of J of a contact between bodies.          (6 body_count)
void patch_row(const TactContactProblem *problem, int contact, int r, long double *row);

/// M^-1 f of free bodies, in place.                                         (6 body_count)
void patch_inverse(const TactContactProblem *problem, long double *f);

#endif
