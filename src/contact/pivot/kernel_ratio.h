// The ratio test in two passes [Harris 1973], four lanes at a time: how far without any value below
// -tie, then the largest pivot among the rows that this step brings to 0. To be inlined.
#ifndef TACT_CONTACT_PIVOT_KERNEL_RATIO_H
#define TACT_CONTACT_PIVOT_KERNEL_RATIO_H

#include "contact/pivot/kernel_loops.h"

/// A part of the list of basic variables. Beyond n, up to a whole vector, rates are 0.
typedef struct TactRatioPart {
    int           n;
    const double *value, *rate;
    const double *mask; // rates are multiplied by it; NULL: 1
} TactRatioPart;

TACT_LOOP double tact_ratio_least(const TactLanes *x)
{
    double a = (*x)[0] < (*x)[1] ? (*x)[0] : (*x)[1];
    double b = (*x)[2] < (*x)[3] ? (*x)[2] : (*x)[3];
    return a < b ? a : b;
}

/// The smallest ratio so far of four lanes, as numerator and denominator: divisions are slow.
typedef struct TactRatioBest {
    TactLanes over, under;
} TactRatioBest;

/// Four more entries: (max(value, 0) + tie) / -rate where rate < -tol.
TACT_LOOP void tact_ratio_meet(const double *value, const double *rate, const double *mask,
                               double tol, double tie, TactRatioBest *best)
{
    TactLanes zero = TACT_LANES_ALL(0.0);
    TactLanes v = TACT_LANES_AT(value);
    TactLanes under = -TACT_LANES_AT(rate);
    if (mask) {
        under *= TACT_LANES_AT(mask);
    }
    TactLanes over = TACT_LANES_SELECT(v > zero, v, zero) + tie;
    TactMask  less = (under > tol) & (over * best->under < best->over * under);
    best->over = TACT_LANES_SELECT(less, over, best->over);
    best->under = TACT_LANES_SELECT(less, under, best->under);
}

/// First pass: min over rate < -tol of (max(value, 0) + tie) / -rate; infinity if there is none.
TACT_LOOP double tact_ratio_longest_step(const TactRatioPart *parts, int count, double tol,
                                         double tie)
{
    TactRatioBest even = {TACT_LANES_ALL(HUGE_VAL), TACT_LANES_ALL(1.0)};
    TactRatioBest odd = even;
    for (int k = 0; k < count; k++) {
        const double *value = parts[k].value, *rate = parts[k].rate, *mask = parts[k].mask;
        int           i = 0;
        for (; i + 4 < parts[k].n; i += 8) {
            tact_ratio_meet(value + i, rate + i, mask ? mask + i : NULL, tol, tie, &even);
            tact_ratio_meet(value + i + 4, rate + i + 4, mask ? mask + i + 4 : NULL, tol, tie,
                            &odd);
        }
        if (i < parts[k].n) {
            tact_ratio_meet(value + i, rate + i, mask ? mask + i : NULL, tol, tie, &even);
        }
    }
    TactLanes a = even.over / even.under;
    TactLanes b = odd.over / odd.under;
    TactLanes least = TACT_LANES_SELECT(a < b, a, b);
    return tact_ratio_least(&least);
}

/// The largest pivot so far of four lanes, and its number.
typedef struct TactRatioPivot {
    TactLanes pivot, number;
} TactRatioPivot;

/// Four more entries of these numbers: -rate where value <= limit * -rate.
TACT_LOOP void tact_ratio_take(const double *value, const double *rate, const double *mask,
                               double limit, const TactLanes *numbers, TactRatioPivot *best)
{
    TactLanes pivot = -TACT_LANES_AT(rate);
    if (mask) {
        pivot *= TACT_LANES_AT(mask);
    }
    TactMask more = (pivot > best->pivot) & (TACT_LANES_AT(value) <= limit * pivot);
    best->pivot = TACT_LANES_SELECT(more, pivot, best->pivot);
    best->number = TACT_LANES_SELECT(more, *numbers, best->number);
}

/// Second pass: the entry with the largest -rate > tol among those with value <= limit * -rate, the
/// first of equals; its number with all parts counted through, each rounded up to whole vectors.
/// -1: none.
TACT_LOOP int tact_ratio_largest_pivot(const TactRatioPart *parts, int count, double tol,
                                       double limit)
{
    TactRatioPivot even = {TACT_LANES_ALL(tol), TACT_LANES_ALL(HUGE_VAL)};
    TactRatioPivot odd = even;
    TactLanes      numbers = {0, 1, 2, 3};
    for (int k = 0; k < count; k++) {
        const double *value = parts[k].value, *rate = parts[k].rate, *mask = parts[k].mask;
        int           i = 0;
        for (; i + 4 < parts[k].n; i += 8) {
            TactLanes next = numbers + 4;
            tact_ratio_take(value + i, rate + i, mask ? mask + i : NULL, limit, &numbers, &even);
            tact_ratio_take(value + i + 4, rate + i + 4, mask ? mask + i + 4 : NULL, limit, &next,
                            &odd);
            numbers = next + 4;
        }
        if (i < parts[k].n) {
            tact_ratio_take(value + i, rate + i, mask ? mask + i : NULL, limit, &numbers, &even);
            numbers += 4;
        }
    }
    TactLanes lanes = TACT_LANES_SELECT(even.pivot > odd.pivot, even.pivot, odd.pivot);
    double    a = lanes[0] > lanes[1] ? lanes[0] : lanes[1];
    double    b = lanes[2] > lanes[3] ? lanes[2] : lanes[3];
    TactLanes largest = TACT_LANES_ALL(a > b ? a : b);
    TactLanes none = TACT_LANES_ALL(HUGE_VAL);
    TactLanes first = TACT_LANES_SELECT(even.pivot == largest, even.number, none);
    TactLanes second = TACT_LANES_SELECT(odd.pivot == largest, odd.number, none);
    first = TACT_LANES_SELECT(first < second, first, second);
    double best = tact_ratio_least(&first);
    return best < HUGE_VAL ? (int)best : -1;
}

/// The lowest value, 0 at most; -infinity if one is NaN.
TACT_LOOP double tact_ratio_lowest(const TactRatioPart *parts, int count)
{
    TactLanes lowest = TACT_LANES_ALL(0.0);
    TactMask  nan = {0, 0, 0, 0};
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < parts[k].n; i += 4) {
            TactLanes v = TACT_LANES_AT(parts[k].value + i);
            if (parts[k].mask) {
                v *= TACT_LANES_AT(parts[k].mask + i);
            }
            lowest = TACT_LANES_SELECT(v < lowest, v, lowest);
            nan |= v != v; // NOLINT(misc-redundant-expression): only NaN differs from itself
        }
    }
    return nan[0] | nan[1] | nan[2] | nan[3] ? -HUGE_VAL : tact_ratio_least(&lowest);
}

#endif
