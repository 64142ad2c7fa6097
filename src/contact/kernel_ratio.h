// The ratio test in two passes [Harris 1973], four lanes at a time: how far without any value below
// -tie, then the largest pivot among the rows that this step brings to 0. To be inlined.
#ifndef TACT_CONTACT_KERNEL_RATIO_H
#define TACT_CONTACT_KERNEL_RATIO_H

#include "contact/kernel_loops.h"

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

/// First pass: min over rate < -tol of (max(value, 0) + tie) / -rate; infinity if there is none.
TACT_LOOP double tact_ratio_longest_step(const TactRatioPart *parts, int count, double tol,
                                         double tie)
{
    TactLanes least = TACT_LANES_ALL(HUGE_VAL);
    TactLanes zero = TACT_LANES_ALL(0.0);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < parts[k].n; i += 4) {
            TactLanes v = TACT_LANES_AT(parts[k].value + i);
            TactLanes r = TACT_LANES_AT(parts[k].rate + i);
            if (parts[k].mask) {
                r *= TACT_LANES_AT(parts[k].mask + i);
            }
            TactLanes step = (TACT_LANES_SELECT(v > zero, v, zero) + tie) / -r;
            least = TACT_LANES_SELECT((r < -tol) & (step < least), step, least);
        }
    }
    return tact_ratio_least(&least);
}

/// Second pass: the entry with the largest -rate > tol among those with value <= limit * -rate, the
/// first of equals; its number with all parts counted through, each rounded up to whole vectors.
/// -1: none.
TACT_LOOP int tact_ratio_largest_pivot(const TactRatioPart *parts, int count, double tol,
                                       double limit)
{
    TactLanes best = TACT_LANES_ALL(tol);
    TactLanes place = TACT_LANES_ALL(HUGE_VAL);
    TactLanes at = {0, 1, 2, 3};
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < parts[k].n; i += 4) {
            TactLanes pivot = -TACT_LANES_AT(parts[k].rate + i);
            if (parts[k].mask) {
                pivot *= TACT_LANES_AT(parts[k].mask + i);
            }
            TactMask better = (pivot > best) & (TACT_LANES_AT(parts[k].value + i) <= limit * pivot);
            best = TACT_LANES_SELECT(better, pivot, best);
            place = TACT_LANES_SELECT(better, at, place);
            at += 4;
        }
    }
    double largest = best[0] > best[1] ? best[0] : best[1];
    largest = best[2] > largest ? best[2] : largest;
    largest = best[3] > largest ? best[3] : largest;
    TactLanes all = TACT_LANES_ALL(HUGE_VAL);
    place = TACT_LANES_SELECT(best == largest, place, all);
    double first = tact_ratio_least(&place);
    return first < HUGE_VAL ? (int)first : -1;
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
