// The law of contact checked from the raw problem in long double: a second opinion that shares no
// line with the library's certificate, and measures in another way.
//
// Velocities are not taken from the answer: v = v0 + M^-1 (h f + J'p) is solved anew, and u = J v.
// The law is then taken apart. With w the mean of the diagonal of a contact's block of
// J M^-1 J', and s = |J| (|v_free| + |M^-1| |J'| |p|), the size of all that adds up to u,
//
//     max(-u_n, -w p_n, min(|u_n|, w |p_n|), w |p_t - P(p_t - u_t / w)|) / s
//
// (for bodies |v_free| of each has 1e-5 of the largest in it: a body at rest among others that
// move) where P projects, in the plane, onto the disc, polygon or square of radius mu max(p_n, 0).
#ifndef TESTS_ORACLE_CONTACT_LAW_H
#define TESTS_ORACLE_CONTACT_LAW_H

#include <stdbool.h>
#include <tact/contact.h>

/// What stays the same for all answers of a problem.
typedef struct TactOracleContact {
    const TactContactProblem *problem;
    int                       nv;     // 0: given by W
    int                       rows;   // 3 contacts + joint rows
    long double              *J;      // (rows x nv)
    long double              *Y;      // M^-1 J', transposed                  (rows x nv)
    long double              *B;      // |J|; |r| for the turning part of r x n  (rows x nv)
    long double              *S;      // |M^-1| B', transposed                (rows x nv)
    long double              *M;      // (nv x nv)
    long double              *v_free; // (nv)
    long double              *added;  // bias and restitution                 (contacts)
    long double              *v;      // scratch                              (nv)
    long double              *size;   // scratch: |v_free| + S'|p|; of bodies, halves   (nv)
} TactOracleContact;

typedef struct TactOracleVerdict {
    double law;    // as above, over all contacts and joint rows; infinity for NaN
    double strict; // the same over w |p| + s / 100
    double motion; // worst part of |v+ answered - v| over |v_free| + |M^-1| |J'| |p|
    int    worst;  // contact, or contacts + row, of law
} TactOracleVerdict;

/// Level of velocities only. False: no memory, or M is not positive definite.
bool tact_oracle_contact_begin(TactOracleContact *oracle, const TactContactProblem *problem);
void tact_oracle_contact_end(TactOracleContact *oracle);

TactOracleVerdict tact_oracle_contact_check(TactOracleContact *oracle, TactContactCone cone,
                                            const double *impulse, const double *row_impulse,
                                            const double *velocity);

/// |a - b| over |v_free|, both in the norm of M.
double tact_oracle_contact_distance(const TactOracleContact *oracle, const double *a,
                                    const double *b);

#endif
