// Bodies of the hot vector loops, to be inlined into functions that carry TACT_CLONES.
//
// They are written with four-lane vectors, so that they are fast at every level of optimisation,
// and their bits do not depend on the instruction set: element-wise loops do the same operations
// on each element in any width, and a sum always has the same eight lanes, element i in lane i % 8.
#ifndef TACT_LINALG_LANE_LOOPS_H
#define TACT_LINALG_LANE_LOOPS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/lanes.h"

#define TACT_LANES_INLINE __attribute__((always_inline)) static inline

TACT_LANES_INLINE const TactLanes *tact_lanes_at(const double *x)
{
    return (const TactLanes *)x;
}

/// The eight lanes of a sum, added in a fixed order.
TACT_LANES_INLINE double tact_lanes_sum(const double *lane)
{
    double s0 = lane[0] + lane[4];
    double s1 = lane[1] + lane[5];
    double s2 = lane[2] + lane[6];
    double s3 = lane[3] + lane[7];
    return (s0 + s2) + (s1 + s3);
}

/// x'y
TACT_LANES_INLINE double tact_lanes_dot(int n, const double *x, const double *y)
{
    TactLanes a = {0}, b = {0};
    int       i = 0;
    for (; i + 8 <= n; i += 8) {
        a += *tact_lanes_at(x + i) * *tact_lanes_at(y + i);
        b += *tact_lanes_at(x + i + 4) * *tact_lanes_at(y + i + 4);
    }
    bool half = i + 4 <= n;
    if (half) {
        a += *tact_lanes_at(x + i) * *tact_lanes_at(y + i);
        i += 4;
    }
    if (i < n) { // up to three, in the lanes that come next
        TactLanes last = {x[i] * y[i], 0, 0, 0};
        last[1] = i + 1 < n ? x[i + 1] * y[i + 1] : 0;
        last[2] = i + 2 < n ? x[i + 2] * y[i + 2] : 0;
        if (half) {
            b += last;
        } else {
            a += last;
        }
    }
    TactLanes sum = a + b;
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/// out_r = x_r'y for the four rows x_r = x + r ld: the bits of four calls of dot, in less time.
TACT_LANES_INLINE void tact_lanes_dot4(int n, const double *x, size_t ld, const double *y,
                                       double *out)
{
    const double *x0 = x, *x1 = x + ld, *x2 = x + 2 * ld, *x3 = x + 3 * ld;
    TactLanes     a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    int           i = 0;
    for (; i + 8 <= n; i += 8) {
        TactLanes y0 = *tact_lanes_at(y + i);
        TactLanes y1 = *tact_lanes_at(y + i + 4);
        a0 += *tact_lanes_at(x0 + i) * y0;
        b0 += *tact_lanes_at(x0 + i + 4) * y1;
        a1 += *tact_lanes_at(x1 + i) * y0;
        b1 += *tact_lanes_at(x1 + i + 4) * y1;
        a2 += *tact_lanes_at(x2 + i) * y0;
        b2 += *tact_lanes_at(x2 + i + 4) * y1;
        a3 += *tact_lanes_at(x3 + i) * y0;
        b3 += *tact_lanes_at(x3 + i + 4) * y1;
    }
    double lane[4][8] = {{a0[0], a0[1], a0[2], a0[3], b0[0], b0[1], b0[2], b0[3]},
                         {a1[0], a1[1], a1[2], a1[3], b1[0], b1[1], b1[2], b1[3]},
                         {a2[0], a2[1], a2[2], a2[3], b2[0], b2[1], b2[2], b2[3]},
                         {a3[0], a3[1], a3[2], a3[3], b3[0], b3[1], b3[2], b3[3]}};
    for (int k = 0; i + k < n; k++) {
        lane[0][k] += x0[i + k] * y[i + k];
        lane[1][k] += x1[i + k] * y[i + k];
        lane[2][k] += x2[i + k] * y[i + k];
        lane[3][k] += x3[i + k] * y[i + k];
    }
    for (int r = 0; r < 4; r++) {
        out[r] = tact_lanes_sum(lane[r]);
    }
}

/// y += a x
TACT_LANES_INLINE void tact_lanes_axpy(int n, double a, const double *restrict x,
                                       double *restrict y)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        *(TactLanes *)(y + i) += a * *tact_lanes_at(x + i);
    }
    for (; i < n; i++) {
        y[i] += a * x[i];
    }
}

/// y = (((y + a_0 x_0) + a_1 x_1) + a_2 x_2) + a_3 x_3 with x_r = x + r ld: the bits of four calls
/// of axpy, with a quarter of the stores.
TACT_LANES_INLINE void tact_lanes_axpy4(int n, const double *a, const double *restrict x, size_t ld,
                                        double *restrict y)
{
    const double *x0 = x, *x1 = x + ld, *x2 = x + 2 * ld, *x3 = x + 3 * ld;
    double        a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    int           i = 0;
    for (; i + 4 <= n; i += 4) {
        TactLanes sum = *tact_lanes_at(y + i);
        sum += a0 * *tact_lanes_at(x0 + i);
        sum += a1 * *tact_lanes_at(x1 + i);
        sum += a2 * *tact_lanes_at(x2 + i);
        sum += a3 * *tact_lanes_at(x3 + i);
        *(TactLanes *)(y + i) = sum;
    }
    for (; i < n; i++) {
        double sum = y[i];
        sum += a0 * x0[i];
        sum += a1 * x1[i];
        sum += a2 * x2[i];
        sum += a3 * x3[i];
        y[i] = sum;
    }
}

/// x *= a
TACT_LANES_INLINE void tact_lanes_scale(int n, double a, double *x)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        *(TactLanes *)(x + i) *= a;
    }
    for (; i < n; i++) {
        x[i] *= a;
    }
}

/// max_i |x_i|; 0 for n = 0. A NaN counts for nothing.
TACT_LANES_INLINE double tact_lanes_max_abs(int n, const double *x)
{
    TactLanes a = {0}, b = {0};
    int       i = 0;
    for (; i + 8 <= n; i += 8) {
        TactLanes u = TACT_LANES_ABS(*tact_lanes_at(x + i));
        TactLanes v = TACT_LANES_ABS(*tact_lanes_at(x + i + 4));
        a = TACT_LANES_SELECT(u > a, u, a);
        b = TACT_LANES_SELECT(v > b, v, b);
    }
    a = TACT_LANES_SELECT(b > a, b, a);
    double largest = 0;
    for (int k = 0; k < 4; k++) {
        largest = a[k] > largest ? a[k] : largest;
    }
    for (; i < n; i++) {
        largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
    }
    return largest;
}

#endif
