// Anderson mixing: the sweeps of a fixed-point iteration as a Krylov method.
//
// A sweep maps x to g(x) and leaves f = g - x. Of the last changes of f, that combination is taken
// away which makes f least in the norm sum w x^2, and from g the same combination of its changes:
//
//     gamma = argmin |f - dF gamma|,    x+ = g - dG gamma        [Anderson 1965; Walker, Ni 2011]
//
// Where the sweep is smooth, near an answer whose sticking, sliding and open contacts no longer
// change, that is GMRES on the linear part of the sweep.
#ifndef TACT_CONTACT_NEWTON_NSGS_MIX_H
#define TACT_CONTACT_NEWTON_NSGS_MIX_H

#include <stdbool.h>

#include "base/memory.h"

enum { TACT_MIX_MOST = 8 };

typedef struct TactMix {
    int     n;
    int     count;  // changes kept
    int     next;   // the place of the next one
    int     length; // f and g of the last sweep: 0 none, 1 there
    int     plain;  // sweeps to come that are not mixed
    double  last;   // |f|^2 of the last sweep
    double *root;   // sqrt(w)                                    (n)
    double *f;      // sqrt(w) (g - x) of the last sweep          (n)
    double *g;      // g of the last sweep                        (n)
    double *dF;     // changes of f                               (TACT_MIX_MOST x n)
    double *dG;     // changes of g                               (TACT_MIX_MOST x n)
    double  gram[TACT_MIX_MOST * TACT_MIX_MOST]; // dF' dF
} TactMix;

void tact_mix_layout(TactMix *mix, int capacity, TactArena *arena);

/// Forgets everything; n unknowns, of which each three have one weight w.     weight: (n / 3)
void tact_mix_begin(TactMix *mix, int n, const double *weight);

/// Forgets the changes: what led here no longer holds.
void tact_mix_restart(TactMix *mix);

/// x before the sweep, g after it; g becomes the start of the next sweep. False if the sweep went
/// so wrong that it restarted and g is as it was.
bool tact_mix_step(TactMix *mix, const double *x, double *g);

#endif
