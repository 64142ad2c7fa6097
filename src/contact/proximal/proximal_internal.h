// What the files proximal*.c share.
#ifndef TACT_CONTACT_PROXIMAL_PROXIMAL_INTERNAL_H
#define TACT_CONTACT_PROXIMAL_PROXIMAL_INTERNAL_H

#include "base/lanes.h"
#include "contact/proximal/proximal.h"

/// x = P(z) of an item and its derivative D, row-major.
void tact_proximal_law(const TactProximal *proximal, int i, const double z[3], double x[3],
                       double D[9]);

/// y on a group's support.                                                              (size)
static inline void tact_proximal_gather(const double *y, const int *support, int size, double *own)
{
    for (int s = 0; s < size; s++) {
        own[s] = y[support[s]];
    }
}

#define TACT_PROXIMAL_INLINE __attribute__((always_inline)) static inline

/// u = C_i'y of one item, y on its group's support.
TACT_PROXIMAL_INLINE void tact_proximal_pull(const double *C, int size, const double *y,
                                             double u[3])
{
    for (int c = 0; c < 3; c++, C += size) {
        TactLanes four = TACT_LANES_ALL(0.0);
        double    rest = 0;
        int       s = 0;
        for (; s + 4 <= size; s += 4) {
            four += TACT_LANES_AT(C + s) * TACT_LANES_AT(y + s);
        }
        for (; s < size; s++) {
            rest += C[s] * y[s];
        }
        u[c] = ((four[0] + four[1]) + (four[2] + four[3])) + rest;
    }
}

/// y += C_i p of one item, y on its group's support.
TACT_PROXIMAL_INLINE void tact_proximal_push(const double *C, int size, const double p[3],
                                             double *restrict y)
{
    const double *n = C, *t1 = C + size, *t2 = C + 2 * size;
    for (int s = 0; s < size; s++) {
        y[s] += (n[s] * p[0] + t1[s] * p[1]) + t2[s] * p[2];
    }
}

/// The line from y along dy, at the u of the last evaluation; and dy'g at y + t dy, which lies on
/// it (proximal_line.c).
void   tact_proximal_line_layout(TactProximalLine *line, int items, TactArena *arena);
void   tact_proximal_line_begin(TactProximal *proximal);
double tact_proximal_line_slope(const TactProximal *proximal, double t);

/// Factors I + C B C' and solves for dy, which holds the right-hand side.
bool tact_proximal_direction(TactProximal *proximal);

#endif
