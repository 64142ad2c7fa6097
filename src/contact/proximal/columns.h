// The columns of one item, on what its group touches: velocities of a motion, motions of impulses.
#ifndef TACT_CONTACT_PROXIMAL_COLUMNS_H
#define TACT_CONTACT_PROXIMAL_COLUMNS_H

#include "base/lanes.h"

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
    TactLanes four[4] = {{0}}, sum[4];
    double    rest[3] = {0};
    for (int c = 0; c < 3; c++, C += size) {
        int s = 0;
        for (; s + 4 <= size; s += 4) {
            four[c] += TACT_LANES_AT(C + s) * TACT_LANES_AT(y + s);
        }
        for (; s < size; s++) {
            rest[c] += C[s] * y[s];
        }
    }
    tact_lanes_transpose(four, sum); // all three sums of four lanes at once
    TactLanes all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    for (int c = 0; c < 3; c++) {
        u[c] = all[c] + rest[c];
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

#endif
