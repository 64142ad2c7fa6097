// Contacts that lift as they slip, for a while: a law between a convex one and Coulomb's.
//
// Of a contact with friction the law (1) of proximal.h becomes, with de Saxce's change of variables
// and the nearest point of the cone K = {|p_t| <= mu p_n},
//
//     p = P_K(p^ - (u + mu s n) / k),    s = (1 - d) |u_t| + d s^                             (7)
//
// A contact that slips lifts by d mu (|u_t| - s^). d = 1 is convex: every stage has one root. d = 0
// is Coulomb's law, and for any d so is (7) where s^ = |u_t| and p^ = p.
#ifndef TACT_CONTACT_PROXIMAL_DILATANCY_H
#define TACT_CONTACT_PROXIMAL_DILATANCY_H

#include <math.h>
#include <string.h>

#include "contact/proximal/proximal.h"

/// Does the item follow (7)?
static inline bool tact_proximal_lifts(const TactProximal *proximal, int i)
{
    return proximal->dilatancy > 0 &&
           proximal->coupling->system->items[i].kind == TACT_ITEM_CONTACT &&
           proximal->coupling->cones[i].mu > 0;
}

/// z of (7) from that of (1), for a stiffness 1 / k.
static inline void tact_proximal_lift(const TactProximal *proximal, int i, double stiffness,
                                      double z[3])
{
    const TactProximalItem *item = &proximal->items[i];
    double slip = sqrt(item->u[1] * item->u[1] + item->u[2] * item->u[2]), d = proximal->dilatancy;
    z[0] -= proximal->coupling->cones[i].mu * stiffness * ((1 - d) * slip + d * item->slip);
}

/// x = P_K(z) and its derivative D, row-major.
static inline void tact_proximal_cone_law(double mu, const double z[3], double x[3], double D[9])
{
    double length = sqrt(z[1] * z[1] + z[2] * z[2]), part = 1 / (1 + mu * mu);
    memset(D, 0, 9 * sizeof(double));
    x[0] = x[1] = x[2] = 0;
    if (mu * length <= -z[0]) {
        return;
    }
    if (length <= mu * z[0]) {
        memcpy(x, z, 3 * sizeof(double));
        D[0] = D[4] = D[8] = 1;
        return;
    }
    double h[2] = {z[1] / length, z[2] / length};
    x[0] = part * (z[0] + mu * length);
    D[0] = part;
    for (int r = 0; r < 2; r++) {
        x[r + 1] = mu * x[0] * h[r];
        D[r + 1] = D[3 * r + 3] = part * mu * h[r];
        for (int c = 0; c < 2; c++) {
            double across = mu * x[0] / length * ((r == c) - h[r] * h[c]);
            D[3 * r + 4 + c] = part * mu * mu * h[r] * h[c] + across;
        }
    }
}

/// B of an item whose normal part listens to u_n alone: it listens to (1 - d) mu |u_t| too.
static inline void tact_proximal_lift_matrix(const TactProximal *proximal, int i, double B[9])
{
    const double *u = proximal->items[i].u;
    double        slip = sqrt(u[1] * u[1] + u[2] * u[2]);
    double        along = (1 - proximal->dilatancy) * proximal->coupling->cones[i].mu;
    for (int r = 0; r < 3 && slip > 0; r++) {
        B[3 * r + 1] += B[3 * r] * along * (u[1] / slip);
        B[3 * r + 2] += B[3 * r] * along * (u[2] / slip);
    }
}

#endif
