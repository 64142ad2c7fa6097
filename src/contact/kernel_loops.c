#include "contact/kernel_loops.h"

#include <math.h>

#include "base/clones.h"
#include "base/lanes4.h"

TACT_CLONES void tact_loop_combine(int n, const double *rows, size_t ld, int count,
                                   const int *index, const double *factor, double *out)
{
    for (int p = 0; p < n; p += 4) {
        TactLanes sum = TACT_LANES_ALL(0.0);
        for (int s = 0; s < count; s++) {
            size_t row = (size_t)(index ? index[s] : s);
            sum += TACT_LANES_ALL(factor[s]) * TACT_LANES_AT(rows + row * ld + p);
        }
        TACT_LANES_PUT(out + p) = sum;
    }
}

TACT_CLONES void tact_loop_dots(int count, const double *rows, size_t ld, int n, const double *x,
                                double *out)
{
    for (int s = 0; s < count; s++) {
        const double *row = rows + (size_t)s * ld;
        TactLanes     sum = TACT_LANES_ALL(0.0);
        for (int p = 0; p < n; p += 4) {
            sum += TACT_LANES_AT(row + p) * TACT_LANES_AT(x + p);
        }
        out[s] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

TACT_CLONES void tact_loop_normals(int n, const double *columns, size_t ld, int count,
                                   const double *y, double factor, const double *more,
                                   const double *base, double *out)
{
    TactLanes scale = TACT_LANES_ALL(factor);
    int       i = 0;
    for (; i + 8 <= n; i += 8) {
        TactLanes a = scale * TACT_LANES_AT(more + i);
        TactLanes b = scale * TACT_LANES_AT(more + i + 4);
        if (base) {
            a += TACT_LANES_AT(base + i);
            b += TACT_LANES_AT(base + i + 4);
        }
        for (int s = 0; s < count; s++) {
            TactLanes f = TACT_LANES_ALL(y[s]);
            a += f * TACT_LANES_AT(columns + (size_t)s * ld + i);
            b += f * TACT_LANES_AT(columns + (size_t)s * ld + i + 4);
        }
        TACT_LANES_PUT(out + i) = a;
        TACT_LANES_PUT(out + i + 4) = b;
    }
    for (; i < n; i += 4) {
        TactLanes a = scale * TACT_LANES_AT(more + i);
        if (base) {
            a += TACT_LANES_AT(base + i);
        }
        for (int s = 0; s < count; s++) {
            a += TACT_LANES_ALL(y[s]) * TACT_LANES_AT(columns + (size_t)s * ld + i);
        }
        TACT_LANES_PUT(out + i) = a;
    }
}

TACT_CLONES void tact_loop_sigma(int n, const TactSigmaLoop *loop, double *out)
{
    TactLanes t1 = TACT_LANES_ALL(loop->t1);
    TactLanes t2 = TACT_LANES_ALL(loop->t2);
    TactLanes lambda = TACT_LANES_ALL(loop->lambda);
    TactLanes factor = TACT_LANES_ALL(loop->factor);
    for (int j = 0; j < n; j += 4) {
        TACT_LANES_PUT(out + j) =
            (TACT_LANES_AT(loop->c + j) * t1 + TACT_LANES_AT(loop->s + j) * t2) +
            (lambda + factor * TACT_LANES_AT(loop->direct + j));
    }
}

TACT_CLONES void tact_loop_step(int n, double a, const double *x, double *y)
{
    TactLanes factor = TACT_LANES_ALL(a);
    for (int i = 0; i < n; i += 4) {
        TACT_LANES_PUT(y + i) = TACT_LANES_AT(y + i) + factor * TACT_LANES_AT(x + i);
    }
}

TACT_CLONES double tact_loop_longest_step(const TactLoopPart *parts, int count, double tol,
                                          double tie)
{
    TactLanes least = TACT_LANES_ALL(HUGE_VAL);
    TactLanes zero = TACT_LANES_ALL(0.0);
    TactLanes slack = TACT_LANES_ALL(tie);
    TactLanes floor = TACT_LANES_ALL(-tol);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < parts[k].n; i += 4) {
            TactLanes v = TACT_LANES_AT(parts[k].value + i);
            TactLanes r = TACT_LANES_AT(parts[k].rate + i);
            if (parts[k].mask) {
                r *= TACT_LANES_AT(parts[k].mask + i);
            }
            TactLanes held = TACT_LANES_SELECT(v > zero, v, zero);
            TactLanes step = (held + slack) / -r;
            step = TACT_LANES_SELECT(r < floor, step, least);
            least = TACT_LANES_SELECT(step < least, step, least);
        }
    }
    double a = least[0] < least[1] ? least[0] : least[1];
    double b = least[2] < least[3] ? least[2] : least[3];
    return a < b ? a : b;
}

TACT_CLONES int tact_loop_largest_pivot(const TactLoopPart *parts, int count, double tol,
                                        double limit, TactLoopEntry *entry)
{
    TactLanes zero = TACT_LANES_ALL(0.0);
    TactLanes floor = TACT_LANES_ALL(tol);
    TactLanes step = TACT_LANES_ALL(limit);
    double    largest = 0;
    entry->part = -1;
    for (int k = 0; k < count; k++) {
        TactLanes best = zero;
        for (int i = 0; i < parts[k].n; i += 4) {
            TactLanes pivot = -TACT_LANES_AT(parts[k].rate + i);
            if (parts[k].mask) {
                pivot *= TACT_LANES_AT(parts[k].mask + i);
            }
            TactMask allowed =
                (pivot > floor) & (TACT_LANES_AT(parts[k].value + i) <= step * pivot);
            pivot = TACT_LANES_SELECT(allowed, pivot, zero);
            best = TACT_LANES_SELECT(pivot > best, pivot, best);
        }
        double a = best[0] > best[1] ? best[0] : best[1];
        double b = best[2] > best[3] ? best[2] : best[3];
        double part = a > b ? a : b;
        if (part > largest) {
            largest = part;
            entry->part = k;
        }
    }
    if (entry->part < 0) {
        return 0;
    }
    const TactLoopPart *part = &parts[entry->part];
    int                 i = 0;
    while (!(-part->rate[i] == largest && part->value[i] <= limit * largest &&
             !(part->mask && part->mask[i] == 0))) {
        i++;
    }
    entry->place = i;
    return 1;
}

TACT_CLONES double tact_loop_lowest(const TactLoopPart *parts, int count)
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
    if (nan[0] | nan[1] | nan[2] | nan[3]) {
        return -HUGE_VAL;
    }
    double a = lowest[0] < lowest[1] ? lowest[0] : lowest[1];
    double b = lowest[2] < lowest[3] ? lowest[2] : lowest[3];
    return a < b ? a : b;
}
