// The loops of the kernel, four lanes at a time, to be inlined into functions that carry
// TACT_CLONES. Arrays have room up to a multiple of four, and what stands there does no harm: it is
// 0 wherever a sum runs over it.
#ifndef TACT_CONTACT_PIVOT_KERNEL_LOOPS_H
#define TACT_CONTACT_PIVOT_KERNEL_LOOPS_H

#include <math.h>
#include <stddef.h>

#include "base/clones.h"
#include "base/lanes.h"

#define TACT_LOOP __attribute__((always_inline)) static inline

/// out_p = sum_s factor_s rows[index_s][p] over count rows, ld apart; index NULL: 0, 1, 2, ...  (n)
/// A sum has two halves: even s and odd s.
TACT_LOOP void tact_loop_combine(int n, const double *rows, size_t ld, int count, const int *index,
                                 const double *factor, double *out)
{
    int p = 0;
    for (; p + 4 < n; p += 8) {
        TactLanes a0 = TACT_LANES_ALL(0.0), b0 = a0, a1 = a0, b1 = a0;
        int       s = 0;
        for (; s + 2 <= count; s += 2) {
            const double *even = rows + (size_t)(index ? index[s] : s) * ld + p;
            const double *odd = rows + (size_t)(index ? index[s + 1] : s + 1) * ld + p;
            a0 += factor[s] * TACT_LANES_AT(even);
            b0 += factor[s] * TACT_LANES_AT(even + 4);
            a1 += factor[s + 1] * TACT_LANES_AT(odd);
            b1 += factor[s + 1] * TACT_LANES_AT(odd + 4);
        }
        if (s < count) {
            const double *even = rows + (size_t)(index ? index[s] : s) * ld + p;
            a0 += factor[s] * TACT_LANES_AT(even);
            b0 += factor[s] * TACT_LANES_AT(even + 4);
        }
        TACT_LANES_PUT(out + p) = a0 + a1;
        TACT_LANES_PUT(out + p + 4) = b0 + b1;
    }
    for (; p < n; p += 4) {
        TactLanes a0 = TACT_LANES_ALL(0.0), a1 = a0;
        int       s = 0;
        for (; s + 2 <= count; s += 2) {
            const double *even = rows + (size_t)(index ? index[s] : s) * ld + p;
            const double *odd = rows + (size_t)(index ? index[s + 1] : s + 1) * ld + p;
            a0 += factor[s] * TACT_LANES_AT(even);
            a1 += factor[s + 1] * TACT_LANES_AT(odd);
        }
        if (s < count) {
            a0 += factor[s] * TACT_LANES_AT(rows + (size_t)(index ? index[s] : s) * ld + p);
        }
        TACT_LANES_PUT(out + p) = a0 + a1;
    }
}

/// out_r = sum_p rows[r][p] x_p for count rows, ld apart; rows or x are 0 beyond n. Four rows at a
/// time; out has room for whole vectors, and so have the rows.
TACT_LOOP void tact_loop_dots(int count, const double *rows, size_t ld, int n, const double *x,
                              double *out)
{
    for (int r = 0; r < count; r += 4) {
        const double *row = rows + (size_t)r * ld;
        TactLanes     a = TACT_LANES_ALL(0.0), b = a, c = a, d = a;
        for (int p = 0; p < n; p += 4) {
            TactLanes y = TACT_LANES_AT(x + p);
            a += TACT_LANES_AT(row + p) * y;
            b += TACT_LANES_AT(row + ld + p) * y;
            c += TACT_LANES_AT(row + 2 * ld + p) * y;
            d += TACT_LANES_AT(row + 3 * ld + p) * y;
        }
        TactLanes ab =
            __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
        TactLanes cd =
            __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
        TACT_LANES_PUT(out + r) = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
                                  __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    }
}

/// Runs of rows: from first to before end.
typedef struct TactLoopRuns {
    int        count;
    const int *first, *end;
} TactLoopRuns;

/// out_p = sum_s factor_s rows[s][p] over runs of rows, ld apart. A sum has two halves: even and
/// odd s of every run. (n)
TACT_LOOP void tact_loop_combine_runs(int n, const double *rows, size_t ld,
                                      const TactLoopRuns *runs, const double *factor, double *out)
{
    int p = 0;
    for (; p + 4 < n; p += 8) {
        TactLanes a0 = TACT_LANES_ALL(0.0), b0 = a0, a1 = a0, b1 = a0;
        for (int r = 0; r < runs->count; r++) {
            int           s = runs->first[r], end = runs->end[r];
            const double *row = rows + (size_t)s * ld + p;
            for (; s + 2 <= end; s += 2, row += 2 * ld) {
                a0 += factor[s] * TACT_LANES_AT(row);
                b0 += factor[s] * TACT_LANES_AT(row + 4);
                a1 += factor[s + 1] * TACT_LANES_AT(row + ld);
                b1 += factor[s + 1] * TACT_LANES_AT(row + ld + 4);
            }
            if (s < end) {
                a0 += factor[s] * TACT_LANES_AT(row);
                b0 += factor[s] * TACT_LANES_AT(row + 4);
            }
        }
        TACT_LANES_PUT(out + p) = a0 + a1;
        TACT_LANES_PUT(out + p + 4) = b0 + b1;
    }
    for (; p < n; p += 4) {
        TactLanes a0 = TACT_LANES_ALL(0.0), a1 = a0;
        for (int r = 0; r < runs->count; r++) {
            int           s = runs->first[r], end = runs->end[r];
            const double *row = rows + (size_t)s * ld + p;
            for (; s + 2 <= end; s += 2, row += 2 * ld) {
                a0 += factor[s] * TACT_LANES_AT(row);
                a1 += factor[s + 1] * TACT_LANES_AT(row + ld);
            }
            if (s < end) {
                a0 += factor[s] * TACT_LANES_AT(row);
            }
        }
        TACT_LANES_PUT(out + p) = a0 + a1;
    }
}

/// Vectors p and, if wide, p + 4 of the next function.
TACT_LOOP void tact_loop_combine_two(const double *rows, size_t ld, const TactLoopRuns *runs,
                                     const double *const factor[2], double *const out[2], int p,
                                     bool wide)
{
    const double *f = factor[0], *g = factor[1];
    TactLanes     a0 = TACT_LANES_ALL(0.0), b0 = a0, a1 = a0, b1 = a0, c0 = a0, d0 = a0, c1 = a0,
              d1 = a0;
    for (int r = 0; r < runs->count; r++) {
        int           s = runs->first[r], end = runs->end[r];
        const double *row = rows + (size_t)s * ld + p;
        for (; s + 2 <= end; s += 2, row += 2 * ld) {
            TactLanes even = TACT_LANES_AT(row), odd = TACT_LANES_AT(row + ld);
            a0 += f[s] * even;
            b0 += g[s] * even;
            a1 += f[s + 1] * odd;
            b1 += g[s + 1] * odd;
            if (wide) {
                TactLanes even4 = TACT_LANES_AT(row + 4), odd4 = TACT_LANES_AT(row + ld + 4);
                c0 += f[s] * even4;
                d0 += g[s] * even4;
                c1 += f[s + 1] * odd4;
                d1 += g[s + 1] * odd4;
            }
        }
        if (s < end) {
            a0 += f[s] * TACT_LANES_AT(row);
            b0 += g[s] * TACT_LANES_AT(row);
            if (wide) {
                c0 += f[s] * TACT_LANES_AT(row + 4);
                d0 += g[s] * TACT_LANES_AT(row + 4);
            }
        }
    }
    TACT_LANES_PUT(out[0] + p) = a0 + a1;
    TACT_LANES_PUT(out[1] + p) = b0 + b1;
    if (wide) {
        TACT_LANES_PUT(out[0] + p + 4) = c0 + c1;
        TACT_LANES_PUT(out[1] + p + 4) = d0 + d1;
    }
}

/// tact_loop_combine_runs() with two sets of factors over the same runs: the bits of two calls.
TACT_LOOP void tact_loop_combine_runs2(int n, const double *rows, size_t ld,
                                       const TactLoopRuns *runs, const double *const factor[2],
                                       double *const out[2])
{
    int p = 0;
    for (; p + 4 < n; p += 8) {
        tact_loop_combine_two(rows, ld, runs, factor, out, p, true);
    }
    if (p < n) {
        tact_loop_combine_two(rows, ld, runs, factor, out, p, false);
    }
}

/// Four rows of n numbers to columns beside each other, ld apart; rows have room for whole vectors.
TACT_LOOP void tact_loop_transpose(const double *const rows[4], int n, size_t ld, double *columns)
{
    for (int j = 0; j < n; j += 4) {
        TactLanes in[4], out[4];
        for (int k = 0; k < 4; k++) {
            in[k] = TACT_LANES_AT(rows[k] + j);
        }
        tact_lanes_transpose(in, out);
        for (int k = 0; k < 4 && j + k < n; k++) {
            TACT_LANES_PUT(columns + (size_t)(j + k) * ld) = out[k];
        }
    }
}

/// a'x in four partial sums; a or x is 0 beyond n.
TACT_LOOP double tact_loop_dot(int n, const double *a, const double *x)
{
    TactLanes sum = TACT_LANES_ALL(0.0);
    for (int p = 0; p < n; p += 4) {
        sum += TACT_LANES_AT(a + p) * TACT_LANES_AT(x + p);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// out_i = sum_s columns[s][i] y_s + factor * more_i + (base ? base_i : 0)                     (n)
TACT_LOOP void tact_loop_normals(int n, const double *columns, size_t ld, int count,
                                 const double *y, double factor, const double *more,
                                 const double *base, double *out)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        TactLanes a = factor * TACT_LANES_AT(more + i);
        TactLanes b = factor * TACT_LANES_AT(more + i + 4);
        if (base) {
            a += TACT_LANES_AT(base + i);
            b += TACT_LANES_AT(base + i + 4);
        }
        for (int s = 0; s < count; s++) {
            a += y[s] * TACT_LANES_AT(columns + (size_t)s * ld + i);
            b += y[s] * TACT_LANES_AT(columns + (size_t)s * ld + i + 4);
        }
        TACT_LANES_PUT(out + i) = a;
        TACT_LANES_PUT(out + i + 4) = b;
    }
    for (; i < n; i += 4) {
        TactLanes a = factor * TACT_LANES_AT(more + i);
        if (base) {
            a += TACT_LANES_AT(base + i);
        }
        for (int s = 0; s < count; s++) {
            a += y[s] * TACT_LANES_AT(columns + (size_t)s * ld + i);
        }
        TACT_LANES_PUT(out + i) = a;
    }
}

/// t_1, t_2 = sum_s pairs[s][1, 2] y_s, with y doubled: y_s, y_s; vectors of two pairs.
TACT_LOOP void tact_loop_tangents(int vectors, const double *pairs, const double *twice,
                                  double t[2])
{
    TactLanes a = TACT_LANES_ALL(0.0);
    for (int v = 0; v < vectors; v++) {
        a += TACT_LANES_AT(pairs + 4 * v) * TACT_LANES_AT(twice + 4 * v);
    }
    t[0] = a[0] + a[2];
    t[1] = a[1] + a[3];
}

/// sigma_j = c_j t1 + s_j t2 + lambda + factor * direct_j                                      (n)
typedef struct TactSigmaLoop {
    const double *c, *s, *direct;
    double        t1, t2, lambda, factor;
} TactSigmaLoop;

TACT_LOOP void tact_loop_sigma(int n, const TactSigmaLoop *loop, double *out)
{
    for (int j = 0; j < n; j += 4) {
        TACT_LANES_PUT(out + j) =
            (loop->t1 * TACT_LANES_AT(loop->c + j) + loop->t2 * TACT_LANES_AT(loop->s + j)) +
            (loop->lambda + loop->factor * TACT_LANES_AT(loop->direct + j));
    }
}

/// y += a x                                                                                    (n)
TACT_LOOP void tact_loop_step(int n, double a, const double *x, double *y)
{
    for (int i = 0; i < n; i += 4) {
        TACT_LANES_PUT(y + i) = TACT_LANES_AT(y + i) + a * TACT_LANES_AT(x + i);
    }
}

/// max(1, |x_i|)                                                                               (n)
TACT_LOOP double tact_loop_size(int n, const double *x)
{
    TactLanes largest = TACT_LANES_ALL(1.0);
    for (int i = 0; i < n; i += 4) {
        TactLanes v = TACT_LANES_ABS(TACT_LANES_AT(x + i));
        largest = TACT_LANES_SELECT(v > largest, v, largest);
    }
    double a = largest[0] > largest[1] ? largest[0] : largest[1];
    double b = largest[2] > largest[3] ? largest[2] : largest[3];
    return a > b ? a : b;
}

// ---------------------------------------------------------------------------------------------
// The ratio test in two passes [Harris 1973]: how far without any value below -tie, then the
// largest pivot among the rows that this step brings to 0

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
