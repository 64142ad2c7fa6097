#include "contact/kernel_loops.h"

#include <math.h>

#include "base/clones.h"
#include "base/lanes4.h"

TACT_CLONES void tact_loop_nu(int n, const TactNuLoop *loop, double *value, double *rate)
{
    TactLanes z0 = TACT_LANES_ALL(loop->z0);
    TactLanes dz0 = TACT_LANES_ALL(loop->dz0);
    for (int i = 0; i < n; i += 4) {
        TactLanes cover = TACT_LANES_AT(loop->cover + i) + TACT_LANES_AT(loop->cover_more + i);
        TactLanes mask = TACT_LANES_AT(loop->mask + i);
        TACT_LANES_PUT(value + i) = mask * (TACT_LANES_AT(loop->value + i) + z0 * cover);
        TACT_LANES_PUT(rate + i) = mask * (TACT_LANES_AT(loop->rate + i) + dz0 * cover);
    }
}

TACT_CLONES void tact_loop_sigma(int n, const TactSigmaLoop *loop, double *value, double *rate)
{
    TactLanes t1 = TACT_LANES_ALL(loop->t1), dt1 = TACT_LANES_ALL(loop->dt1);
    TactLanes t2 = TACT_LANES_ALL(loop->t2), dt2 = TACT_LANES_ALL(loop->dt2);
    TactLanes lambda = TACT_LANES_ALL(loop->lambda), dlambda = TACT_LANES_ALL(loop->dlambda);
    TactLanes z0 = TACT_LANES_ALL(loop->z0), dz0 = TACT_LANES_ALL(loop->dz0);
    for (int j = 0; j < n; j += 4) {
        TactLanes c = TACT_LANES_AT(loop->c + j);
        TactLanes s = TACT_LANES_AT(loop->s + j);
        TactLanes cover = TACT_LANES_AT(loop->cover + j);
        TactLanes mask = TACT_LANES_AT(loop->mask + j);
        TACT_LANES_PUT(value + j) = mask * ((c * t1 + s * t2) + (lambda + z0 * cover));
        TACT_LANES_PUT(rate + j) = mask * ((c * dt1 + s * dt2) + (dlambda + dz0 * cover));
    }
}

TACT_CLONES double tact_loop_longest_step(int n, const double *value, const double *rate,
                                          double tol, double tie)
{
    TactLanes least = TACT_LANES_ALL(HUGE_VAL);
    TactLanes zero = TACT_LANES_ALL(0.0);
    TactLanes slack = TACT_LANES_ALL(tie);
    TactLanes floor = TACT_LANES_ALL(-tol);
    for (int i = 0; i < n; i += 4) {
        TactLanes v = TACT_LANES_AT(value + i);
        TactLanes r = TACT_LANES_AT(rate + i);
        TactMask  blocks = r < floor;
        TactLanes held = TACT_LANES_SELECT(v > zero, v, zero);
        TactLanes step = (held + slack) / -r;
        step = TACT_LANES_SELECT(blocks, step, least);
        least = TACT_LANES_SELECT(step < least, step, least);
    }
    double a = least[0] < least[1] ? least[0] : least[1];
    double b = least[2] < least[3] ? least[2] : least[3];
    return a < b ? a : b;
}

TACT_CLONES int tact_loop_largest_pivot(int n, const double *value, const double *rate, double tol,
                                        double limit)
{
    TactLanes best = TACT_LANES_ALL(0.0);
    TactLanes zero = TACT_LANES_ALL(0.0);
    TactLanes floor = TACT_LANES_ALL(tol);
    TactLanes step = TACT_LANES_ALL(limit);
    for (int i = 0; i < n; i += 4) {
        TactLanes pivot = -TACT_LANES_AT(rate + i);
        TactMask  allowed = (pivot > floor) & (TACT_LANES_AT(value + i) <= step * pivot);
        pivot = TACT_LANES_SELECT(allowed, pivot, zero);
        best = TACT_LANES_SELECT(pivot > best, pivot, best);
    }
    double a = best[0] > best[1] ? best[0] : best[1];
    double b = best[2] > best[3] ? best[2] : best[3];
    double largest = a > b ? a : b;
    if (largest == 0) {
        return -1;
    }
    int i = 0;
    while (!(-rate[i] == largest && value[i] <= limit * largest)) {
        i++;
    }
    return i;
}
