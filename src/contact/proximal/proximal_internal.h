// What the files proximal*.c share.
#ifndef TACT_CONTACT_PROXIMAL_PROXIMAL_INTERNAL_H
#define TACT_CONTACT_PROXIMAL_PROXIMAL_INTERNAL_H

#include "contact/proximal/columns.h"
#include "contact/proximal/proximal.h"

/// x = P(z) of an item and its derivative D, row-major.
void tact_proximal_law(const TactProximal *proximal, int i, const double z[3], double x[3],
                       double D[9]);

/// The same of a contact, from its z.
void tact_proximal_contact_law(const TactPyramid *cone, const double z[3], double x[3],
                               double D[9]);

/// Impulses of an item; of a moment with the load of its contact in front.      p: (3 items)
static inline void tact_proximal_read(const TactProximal *proximal, int i, const double *p,
                                      double own[3])
{
    const TactItem *item = &proximal->coupling->system->items[i];
    own[0] = p[3 * (item->kind == TACT_ITEM_MOMENT ? item->owner : i)];
    own[1] = p[3 * i + 1];
    own[2] = p[3 * i + 2];
}

/// The line from y along dy, at the u of the last evaluation; and dy'g at y + t dy, which lies on
/// it (proximal_line.c).
void   tact_proximal_line_layout(TactProximalLine *line, int items, TactArena *arena);
void   tact_proximal_line_begin(TactProximal *proximal);
double tact_proximal_line_slope(const TactProximal *proximal, double t);

/// Impulses at y + t dy; and u of the items there, after the last of them.
void tact_proximal_line_impulses(TactProximal *proximal, double t);
void tact_proximal_line_take(TactProximal *proximal);

/// Factors I + C B C' and solves for dy, which holds the right-hand side.
bool tact_proximal_direction(TactProximal *proximal);

#endif
