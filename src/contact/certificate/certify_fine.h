// An answer that doubles do not hold: its impulses have a low part, p = impulse + low, and the
// motion that belongs to them is worked out here in quadruple precision from the raw problem,
//
//     v(p) = v + M^-1 (h f + J'p),    u = J v(p),    or u = u_free + W p.
//
// Laws are then judged by u, the velocity that is given by the dynamics (5). Contacts that hold
// each other with 1e10 times what the motion asks for have no other answer: rounded to doubles,
// such impulses leave their cones, and their bodies, by more than any tolerance.
// docs/theory/quadruple.md
#ifndef TACT_CONTACT_CERTIFICATE_CERTIFY_FINE_H
#define TACT_CONTACT_CERTIFICATE_CERTIFY_FINE_H

#include "base/memory.h"
#include "base/quad.h"
#include "contact/certificate/certify.h"

typedef struct TactCertifyFine {
    const double *low;  // of impulses, then of row impulses                  (3 contacts + rows)
    TactQuad     *p;    // impulse + low                                      (3 contacts + rows)
    TactQuad     *push; // h f + J'p                                          (dof)
    TactQuad     *v;    // v(p)                                               (dof)
    TactQuad     *u;    // J v(p); of loaded contacts with all that is given  (3 contacts + rows)
    double       *left; // M (v+ - v) - h f - J'p of the velocity given       (dof)
    TactQuad     *M;    // of a mechanism: its Cholesky factor                (dof x dof)
} TactCertifyFine;

/// Runs twice (base/memory.h).
void tact_certify_fine_layout(TactCertifyFine *fine, const TactContactCapacity *capacity,
                              TactArena *arena);

/// False: a problem that it does not take (accelerations, W by blocks alone, M not positive).
bool tact_certify_fine_begin(TactCertifyFine *fine, const TactCertifyInput *input);

/// u of a loaded contact, with added (bias, restitution), compliance and belt.
void tact_certify_fine_velocity(const TactCertifyFine *fine, const TactCertifyInput *input, int i,
                                double added, double u[3]);

/// (9) of a lane.
double tact_certify_fine_residual(const TactCertifyFine *fine, const TactCertifyFour *four,
                                  int lane);

/// With W: p'u_free and p'u of the islands (14).
void tact_certify_fine_power(const TactCertifyFine *fine, const TactCertifyInput *input,
                             TactCertifier *certifier);

#endif
