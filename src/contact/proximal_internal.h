// What the files proximal*.c share.
#ifndef TACT_CONTACT_PROXIMAL_INTERNAL_H
#define TACT_CONTACT_PROXIMAL_INTERNAL_H

#include "contact/proximal.h"

/// x = P(z) of an item and its derivative D, row-major.
void tact_proximal_law(const TactProximal *proximal, int i, const double z[3], double x[3],
                       double D[9]);

/// u = C'y + e of an item.
void tact_proximal_velocity(const TactProximal *proximal, int i, const double *y, double u[3]);

/// Factors I + C B C' and solves for dy, which holds the right-hand side; du of all items.
bool tact_proximal_direction(TactProximal *proximal);

#endif
