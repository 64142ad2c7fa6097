// The path of kernel_compact.h for one width of vectors: TACT_WIDTH lanes, with TactVec, VEC_* and
// the masks defined by who includes this. Element-wise loops and minima give the same bits for
// every width, and sums have an order that does not depend on it.
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "contact/kernel_compact_slots.h"

#define VEC_LOOP __attribute__((always_inline)) static inline
#define VEC_AT(pointer) (*(const TactVec *)(pointer))
#define VEC_PUT(pointer) (*(TactVec *)(pointer))

// Drift of a column, relative to its size: refined above the first, given up above the second.
static const double DRIFT_REFINE = 1e-13;
static const double DRIFT_MOST = 1e-12;

// Rates smaller than this, relative to the column, do not block.
static const double PIVOT_TOL = 1e-9;

// z0 wins ties.
static const double LEAVE_TIE = 1e-10;

// Values that are off by no more than this are not refined once more; they are of order 1.
static const double REFINED = 2e-15;

// A basic value above this counts as not negative.
static const double FEASIBLE = -1e-12;

/// Places, or slots, in whole vectors of eight.
VEC_LOOP int whole(int count)
{
    return (count + 7) / 8 * 8;
}

/// Where the list of rows ends.
VEC_LOOP int end_of(const TactCompact *c)
{
    return c->sigma + (c->slot_count << c->shift);
}

// ---------------------------------------------------------------------------------------------
// Motions

/// Motion of an unknown, or of the row that it is the complement of; lambda and gamma have none.
VEC_LOOP void put_motion(const TactCompact *c, TactCompactVar variable, double *out)
{
    int at = variable >> 1;
    if (at < c->gamma) {
        const double *n = c->system->columns + c->system->column[at];
        for (int p = 0; p < 8; p += TACT_WIDTH) { // what follows the six is not read
            VEC_PUT(out + p) = c->scale[at] * VEC_AT(n + p);
        }
    } else if (at < c->sigma) {
        for (int p = 0; p < 8; p += TACT_WIDTH) {
            VEC_PUT(out + p) = VEC_ALL(0.0);
        }
    } else {
        int    j = at - c->sigma;
        int    slot = j >> c->shift;
        double a = c->cosine[j], b = c->sine[j];
        for (int p = 0; p < 8; p += TACT_WIDTH) {
            VEC_PUT(out + p) =
                a * VEC_AT(c->tangent[slot][0] + p) + b * VEC_AT(c->tangent[slot][1] + p);
        }
    }
}

/// The place of a column in the tables, its motion and gammas from its record.
VEC_LOOP void put_col(TactCompact *c, int place, TactCompactVar variable)
{
    int at = variable >> 1;
    int slot = tact_compact_slot(c, variable);
    c->col[place] = variable;
    for (int s = 0; s < TACT_COMPACT_DOF; s++) {
        c->col_motion[s][place] = c->records[place][s];
    }
    bool lambda = at >= c->gamma && at < c->sigma;
    c->col_lambda_slot[place] = lambda ? slot : -1;
    c->col_gamma_slot[place] = lambda ? -1 : slot;
    c->col_gamma[place] = slot < 0 ? 0 : at < c->gamma ? c->mu[slot] : -1;
    if (lambda) {
        c->lambda[slot] = place;
    }
}

VEC_LOOP void forget_col(TactCompact *c, TactCompactVar variable)
{
    int at = variable >> 1;
    if (at >= c->gamma && at < c->sigma) {
        c->lambda[at - c->gamma] = TACT_COMPACT_NONE;
    }
}

VEC_LOOP void put_row(TactCompact *c, int place, TactCompactVar variable, const double *motion)
{
    int at = variable >> 1;
    int slot = tact_compact_slot(c, variable);
    c->row[place] = variable;
    c->row_place[at] = place;
    c->held[at] = 1;
    for (int s = 0; s < TACT_COMPACT_DOF; s++) {
        c->row_motion[s][place] = motion[s];
    }
    c->row_gamma_slot[place] = at >= c->gamma && at < c->sigma ? slot : -1;
    c->row_sigma_slot[place] = at >= c->sigma ? slot : -1;
}

/// A driving unknown as place k: record and lambda.
VEC_LOOP void put_driving(TactCompact *c, TactCompactVar variable)
{
    int     at = variable >> 1;
    int     slot = tact_compact_slot(c, variable);
    double *record = c->records[c->k];
    bool    lambda = at >= c->gamma && at < c->sigma;
    double  gamma = lambda ? 0 : at < c->gamma && slot >= 0 ? c->mu[slot] : -1;
    put_motion(c, variable, record);
    for (int p = 0; p < whole(c->slot_count); p += TACT_WIDTH) {
        TactVec here = VEC_ALL((double)slot);
        TactVec own = VEC_ALL(gamma), none = VEC_ALL(0.0);
        VEC_PUT(record + 8 + p) = VEC_SELECT(VEC_EQUAL(VEC_NUMBERS + p, here), own, none);
    }
    if (lambda) {
        c->lambda[slot] = c->k;
    }
}

// ---------------------------------------------------------------------------------------------
// Column of a driving variable

/// out = sum_c amount_c record_c over n places: motion, then gammas.
VEC_LOOP void combine(const TactCompact *c, int n, const double *amount, double *out)
{
    const double *record = c->records[0];
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        TactVec a = VEC_ALL(0.0), b = a, e = a, f = a;
        int     k = 0;
        for (; k + 2 <= n; k += 2) {
            const double *even = record + (size_t)k * TACT_COMPACT_RECORD + p;
            const double *odd = even + TACT_COMPACT_RECORD;
            a += amount[k] * VEC_AT(even);
            b += amount[k] * VEC_AT(even + 8);
            e += amount[k + 1] * VEC_AT(odd);
            f += amount[k + 1] * VEC_AT(odd + 8);
        }
        if (k < n) {
            const double *even = record + (size_t)k * TACT_COMPACT_RECORD + p;
            a += amount[k] * VEC_AT(even);
            b += amount[k] * VEC_AT(even + 8);
        }
        VEC_PUT(out + p) = a + e;
        VEC_PUT(out + 8 + p) = b + f;
    }
    for (int p = 8; p < whole(c->slot_count); p += TACT_WIDTH) {
        TactVec b = VEC_ALL(0.0);
        for (int k = 0; k < n; k++) {
            b += amount[k] * VEC_AT(record + (size_t)k * TACT_COMPACT_RECORD + 8 + p);
        }
        VEC_PUT(out + 8 + p) = b;
    }
}

/// sum over the degrees of freedom of factor_s table[s][p]: even ones, then odd ones.
#define VEC_MOTION(factor, table, ld, p)                                                      \
    (((factor)[0] * VEC_AT((table) + (p)) + (factor)[2] * VEC_AT((table) + 2 * (ld) + (p))) + \
     (factor)[4] * VEC_AT((table) + 4 * (ld) + (p))) +                                        \
        (((factor)[1] * VEC_AT((table) + (ld) + (p)) +                                        \
          (factor)[3] * VEC_AT((table) + 3 * (ld) + (p))) +                                   \
         (factor)[5] * VEC_AT((table) + 5 * (ld) + (p)))

/// M(row, unknown) of all non-basic rows for the driving unknown at place k.
VEC_LOOP void put_column(TactCompact *c, TactCompactVar driving)
{
    int           at = driving >> 1;
    int           slot = tact_compact_slot(c, driving);
    bool          lambda = at >= c->gamma && at < c->sigma;
    const double *m = c->records[c->k];
    const double *slots = lambda ? c->row_sigma_slot : c->row_gamma_slot;
    TactVec       here = VEC_ALL(slot < 0 ? -2.0 : (double)slot);
    TactVec       more = VEC_ALL(lambda ? 1 : at < c->gamma ? (slot < 0 ? 0 : c->mu[slot]) : -1.0);
    TactVec       none = VEC_ALL(0.0);
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        VEC_PUT(c->entries + p) = VEC_MOTION(m, c->row_motion[0], TACT_COMPACT_PLACES, p) +
                                  VEC_SELECT(VEC_EQUAL(slots + p, here), more, none);
    }
}

/// x = -K^-1 entries, and dz with 1 at place k.
VEC_LOOP void solve_column(TactCompact *c)
{
    const double *f = c->entries;
    TactVec       one = VEC_ALL(1.0), driving = VEC_ALL((double)c->k);
    for (int p = 0; p < whole(c->k + 1); p += TACT_WIDTH) {
        TactVec a = VEC_ALL(0.0), b = a;
        int     r = 0;
        for (; r + 2 <= c->k && p < whole(c->k); r += 2) {
            a -= f[r] * VEC_AT(c->inverse[r] + p);
            b -= f[r + 1] * VEC_AT(c->inverse[r + 1] + p);
        }
        if (r < c->k && p < whole(c->k)) {
            a -= f[r] * VEC_AT(c->inverse[r] + p);
        }
        a += b;
        VEC_PUT(c->x + p) = a;
        VEC_PUT(c->dz + p) = VEC_SELECT(VEC_EQUAL(VEC_NUMBERS + p, driving), one, a);
    }
}

/// x = dz = K^-1 e of a driving row.
VEC_LOOP void take_column(TactCompact *c, int place)
{
    TactVec none = VEC_ALL(0.0);
    for (int p = 0; p < whole(c->k + 1); p += TACT_WIDTH) {
        TactVec a = p < whole(c->k) ? VEC_AT(c->inverse[place] + p) : none;
        VEC_PUT(c->x + p) = a;
        VEC_PUT(c->dz + p) = a;
    }
}

VEC_LOOP double size_of(const TactCompact *c)
{
    TactVec largest = VEC_ALL(1.0);
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        TactVec v = VEC_ABS(VEC_AT(c->x + p));
        largest = VEC_MAX(v, largest);
    }
    return VEC_LARGEST(largest);
}

// ---------------------------------------------------------------------------------------------
// Rates and the first pass of the ratio test [Harris 1973]

/// The smallest ratio so far of each lane, as numerator and denominator: divisions are slow.
typedef struct Ratio {
    TactVec over, under;
} Ratio;

/// Further entries: (max(value, 0) + tie) / under where under > tol.
VEC_LOOP void meet(const double *value, const TactVec *under, const TactVec *tol,
                   const TactVec *tie, Ratio *best)
{
    TactVec    zero = VEC_ALL(0.0), v = VEC_AT(value);
    TactVec    over = VEC_MAX(v, zero) + *tie;
    TactMaskOf less =
        VEC_BOTH(VEC_GREATER(*under, *tol), VEC_GREATER(best->over * *under, over * best->under));
    best->over = VEC_SELECT(less, over, best->over);
    best->under = VEC_SELECT(less, *under, best->under);
}

/// What a sweep over all rows finds on its way.
typedef struct Sweep {
    double  size; // of the column
    double  step; // the longest that leaves no value below -tie
    TactVec off;  // largest |rate| of a non-basic row
} Sweep;

VEC_LOOP void put_rate(TactCompact *c, int at, const TactVec *rate, TactVec *off)
{
    TactVec miss = VEC_ABS(*rate) * VEC_AT(c->held + at);
    VEC_PUT(c->rate + at) = *rate;
    *off = VEC_MAX(miss, *off);
}

/// Rates of all rows along dz, and how far they let it go.
VEC_LOOP void sweep_rates(TactCompact *c, double tie_of, Sweep *sweep)
{
    const double *dz = c->dz, *dy = c->dy;
    TactVec       tol = VEC_ALL(PIVOT_TOL * sweep->size), tie = VEC_ALL(tie_of);
    Ratio         none = {VEC_ALL(HUGE_VAL), VEC_ALL(1.0)};
    Ratio         unknowns = none, normals = none, sigmas = none;
    TactVec       off = VEC_ALL(0.0), off_sigma = off;
    combine(c, c->k + 1, dz, c->dy);
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        TactVec under = -(VEC_AT(c->x + p) * VEC_AT(c->blocks + p));
        meet(c->z + p, &under, &tol, &tie, &unknowns);
    }
    for (int i = 0; i < c->gamma; i += TACT_WIDTH) {
        TactVec rate =
            dz[0] * VEC_AT(c->cover + i) + (VEC_MOTION(dy, c->normals, (size_t)c->gamma, i));
        TactVec under = -rate;
        put_rate(c, i, &rate, &off);
        meet(c->value + i, &under, &tol, &tie, &normals);
    }
    double t[2][TACT_COMPACT_SLOTS];
    for (int p = 0; p < whole(c->slot_count); p += TACT_WIDTH) {
        TactVec rate = VEC_AT(dy + 8 + p), under = -rate;
        put_rate(c, c->gamma + p, &rate, &off);
        meet(c->value + c->gamma + p, &under, &tol, &tie, &unknowns);
        VEC_PUT(t[0] + p) = VEC_MOTION(dy, c->tangents[0][0], (size_t)TACT_COMPACT_SLOTS, p);
        VEC_PUT(t[1] + p) = VEC_MOTION(dy, c->tangents[1][0], (size_t)TACT_COMPACT_SLOTS, p);
    }
    int j = 0;
    for (int slot = 0; slot < c->slot_count; slot++) {
        double base = dz[c->lambda[slot]] + dz[0] * c->c_sigma[slot];
        for (int end = (slot + 1) << c->shift; j < end; j += TACT_WIDTH) {
            TactVec rate = (t[0][slot] * VEC_AT(c->cosine + j) + t[1][slot] * VEC_AT(c->sine + j)) +
                           base * VEC_AT(c->used + j);
            TactVec under = -rate;
            put_rate(c, c->sigma + j, &rate, &off_sigma);
            meet(c->value + c->sigma + j, &under, &tol, &tie, &sigmas);
        }
    }
    TactVec a = unknowns.over / unknowns.under;
    TactVec b = normals.over / normals.under;
    TactVec e = sigmas.over / sigmas.under;
    a = VEC_MIN(a, b);
    a = VEC_MIN(a, e);
    sweep->step = VEC_LEAST(a);
    sweep->off = VEC_MAX(off, off_sigma);
}

/// Is the column right: non-basic rows 0, and a driving one 1?
VEC_LOOP bool is_accurate(const TactCompact *c, TactCompactVar driving, const Sweep *sweep,
                          double tol)
{
    double off = VEC_LARGEST(sweep->off);
    double own = driving & 1 ? fabs(c->rate[driving >> 1] - 1) : 0;
    return off <= tol * sweep->size && own <= tol * sweep->size;
}

/// The column of a driving variable and how far it can go. false: it has drifted too far.
VEC_LOOP bool put_rates(TactCompact *c, TactCompactVar driving, double tie, Sweep *sweep)
{
    if (driving & 1) {
        take_column(c, c->row_place[driving >> 1]);
    } else {
        put_driving(c, driving);
        put_column(c, driving);
        solve_column(c);
    }
    sweep->size = size_of(c);
    sweep_rates(c, tie, sweep);
    if (is_accurate(c, driving, sweep, DRIFT_REFINE)) {
        return true;
    }
    // One step of refinement.
    double x[TACT_COMPACT_PLACES], driven = driving & 1 ? 0 : 1;
    memcpy(x, c->x, sizeof x);
    for (int r = 0; r < c->k; r++) {
        c->entries[r] = c->rate[c->row[r] >> 1] - (c->row[r] == driving ? 1 : 0);
    }
    solve_column(c);
    for (int p = 0; p < c->k; p++) {
        c->x[p] += x[p];
        c->dz[p] = c->x[p];
    }
    c->dz[c->k] = driven;
    sweep->size = size_of(c);
    sweep_rates(c, tie, sweep);
    return is_accurate(c, driving, sweep, DRIFT_MOST);
}

// ---------------------------------------------------------------------------------------------
// Second pass: the largest pivot among the rows that this step brings to 0

typedef struct Pivot {
    TactVec pivot, number;
} Pivot;

VEC_LOOP void take(const double *value, const TactVec *pivot, const TactVec *limit,
                   const TactVec *number, Pivot *best)
{
    TactMaskOf more =
        VEC_BOTH(VEC_GREATER(*pivot, best->pivot), VEC_NOT_GREATER(VEC_AT(value), *limit * *pivot));
    best->pivot = VEC_SELECT(more, *pivot, best->pivot);
    best->number = VEC_SELECT(more, *number, best->number);
}

/// The place that leaves, or PLACES and where a row stands; -1: none. Its pivot, -rate.
VEC_LOOP int find_pivot(const TactCompact *c, const Sweep *sweep, double *found)
{
    TactVec limit = VEC_ALL(sweep->step), infinite = VEC_ALL(HUGE_VAL);
    Pivot   unknowns = {VEC_ALL(PIVOT_TOL * sweep->size), infinite};
    Pivot   normals = unknowns, sigmas = unknowns;
    TactVec number = VEC_AT(VEC_NUMBERS);
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        TactVec pivot = -(VEC_AT(c->x + p) * VEC_AT(c->blocks + p)), own = number + (double)p;
        take(c->z + p, &pivot, &limit, &own, &unknowns);
    }
    number += (double)TACT_COMPACT_PLACES;
    for (int i = 0; i < c->gamma + whole(c->slot_count); i += TACT_WIDTH) {
        TactVec pivot = -VEC_AT(c->rate + i), own = number + (double)i;
        take(c->value + i, &pivot, &limit, &own, &normals);
    }
    for (int i = c->sigma; i < end_of(c); i += TACT_WIDTH) {
        TactVec pivot = -VEC_AT(c->rate + i), own = number + (double)i;
        take(c->value + i, &pivot, &limit, &own, &sigmas);
    }
    TactVec most = VEC_MAX(unknowns.pivot, normals.pivot);
    most = VEC_MAX(most, sigmas.pivot);
    double  largest = VEC_LARGEST(most);
    TactVec all = VEC_ALL(largest);
    TactVec first = VEC_SELECT(VEC_SAME(unknowns.pivot, all), unknowns.number, infinite);
    TactVec second = VEC_SELECT(VEC_SAME(normals.pivot, all), normals.number, infinite);
    TactVec third = VEC_SELECT(VEC_SAME(sigmas.pivot, all), sigmas.number, infinite);
    first = VEC_MIN(first, second);
    first = VEC_MIN(first, third);
    double least = VEC_LEAST(first);
    *found = largest;
    return least < HUGE_VAL ? (int)least : -1;
}

// ---------------------------------------------------------------------------------------------
// Exchange

/// M(row, unknown) of all basic unknowns, for a row of this motion.
VEC_LOOP void put_row_entries(TactCompact *c, TactCompactVar row, const double *m)
{
    int     at = row >> 1;
    int     slot = tact_compact_slot(c, row);
    bool    gamma = at >= c->gamma && at < c->sigma;
    TactVec here = VEC_ALL(slot < 0 ? -2.0 : (double)slot), none = VEC_ALL(0.0);
    TactVec cover = VEC_ALL(at < c->gamma ? c->cover[at]
                            : gamma       ? TACT_COMPACT_COVER_GAMMA
                                          : c->c_sigma[slot]);
    TactVec first = VEC_ALL(0.0), one = VEC_ALL(1.0);
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        TactVec       entry = VEC_MOTION(m, c->col_motion[0], TACT_COMPACT_PLACES, p);
        TactVec       more = gamma ? VEC_AT(c->col_gamma + p) : one;
        const double *slots = gamma ? c->col_gamma_slot : c->col_lambda_slot;
        if (at >= c->gamma) {
            entry += VEC_SELECT(VEC_EQUAL(slots + p, here), more, none);
        }
        entry += VEC_SELECT(VEC_EQUAL(VEC_NUMBERS + p, first), cover, none);
        VEC_PUT(c->entries + p) = entry;
    }
}

/// change = by entries' K^-1, four rows of the inverse at a time, eight lanes a sum.
VEC_LOOP void put_row_product(TactCompact *c, double by)
{
    for (int r = 0; r < c->k; r += 4) {
        TactLanes four[4];
        for (int q = 0; q < 4; q++) {
            const double *row = c->inverse[r + q];
            VEC_HALVES(row, c->entries, whole(c->k), four[q]);
        }
        TactLanes turned[4];
        tact_lanes_transpose(four, turned);
        TACT_LANES_PUT(c->change + r) = by * ((turned[0] + turned[2]) + (turned[1] + turned[3]));
    }
}

/// K gains a row and the driving column: s = -pivot.
///
///     X <- [ X - x u' / s    x / s ]
///          [    -u' / s      1 / s ]
VEC_LOOP void grow(TactCompact *c, double pivot)
{
    put_row_product(c, 1 / pivot); // -u / s
    TactVec by = VEC_ALL(-1 / pivot);
    for (int p = 0; p < whole(c->k + 1); p += TACT_WIDTH) {
        TactVec x = VEC_AT(c->dz + p);
        bool    fresh = p >= whole(c->k);
        for (int r = 0; r < c->k; r++) {
            double *row = c->inverse[r] + p;
            VEC_PUT(row) = fresh ? c->change[r] * x : VEC_AT(row) + c->change[r] * x;
        }
        VEC_PUT(c->inverse[c->k] + p) = by * x;
    }
}

/// The driving column takes the place l of K: x_l = -pivot.
VEC_LOOP void replace_column(TactCompact *c, int l, double pivot)
{
    double  by = 1 / pivot;
    TactVec own = VEC_ALL((double)l);
    for (int r = 0; r < c->k; r++) {
        c->change[r] = c->inverse[r][l] * by;
    }
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        TactVec    x = VEC_AT(c->x + p);
        TactMaskOf here = VEC_EQUAL(VEC_NUMBERS + p, own);
        for (int r = 0; r < c->k; r++) {
            TactVec f = VEC_ALL(c->change[r]);
            TactVec moved = VEC_AT(c->inverse[r] + p) + f * x;
            VEC_PUT(c->inverse[r] + p) = VEC_SELECT(here, f, moved);
        }
    }
}

/// Another row takes the place q of K: u_q = -pivot.
VEC_LOOP void replace_row(TactCompact *c, int q, double pivot)
{
    put_row_product(c, -1);
    TactVec by = VEC_ALL(-1 / pivot);
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        TactVec x = by * VEC_AT(c->x + p);
        for (int r = 0; r < c->k; r++) {
            VEC_PUT(c->inverse[r] + p) = VEC_AT(c->inverse[r] + p) + c->change[r] * x;
        }
        VEC_PUT(c->inverse[q] + p) = x;
    }
}

/// K loses row q and column l, X_lq = -pivot. The last row and column take their places.
VEC_LOOP void shrink(TactCompact *c, int q, int l, double pivot)
{
    double  by = 1 / pivot;
    int     last = c->k - 1;
    TactVec left = VEC_ALL((double)l), end = VEC_ALL((double)last), none = VEC_ALL(0.0);
    double  moved[TACT_COMPACT_PLACES];
    for (int r = 0; r < c->k; r++) {
        c->change[r] = c->inverse[r][l] * by;
        moved[r] = c->inverse[r][last] + c->change[r] * c->x[last];
    }
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        TactVec    x = VEC_AT(c->x + p);
        TactMaskOf here = VEC_EQUAL(VEC_NUMBERS + p, left), gone = VEC_EQUAL(VEC_NUMBERS + p, end);
        for (int r = 0; r < c->k; r++) {
            TactVec with = VEC_AT(c->inverse[r] + p) + c->change[r] * x;
            TactVec other = VEC_ALL(moved[r]);
            with = VEC_SELECT(here, other, with);
            VEC_PUT(c->inverse[r] + p) = VEC_SELECT(gone, none, with);
        }
        VEC_PUT(c->inverse[q] + p) = VEC_AT(c->inverse[last] + p);
    }
}

/// All values a step further.
VEC_LOOP void step_values(TactCompact *c, double step)
{
    for (int p = 0; p < whole(c->k + 1); p += TACT_WIDTH) {
        VEC_PUT(c->z + p) = VEC_AT(c->z + p) + step * VEC_AT(c->dz + p);
    }
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        VEC_PUT(c->y + p) = VEC_AT(c->y + p) + step * VEC_AT(c->dy + p);
    }
    for (int i = 0; i < c->gamma + whole(c->slot_count); i += TACT_WIDTH) {
        VEC_PUT(c->value + i) = VEC_AT(c->value + i) + step * VEC_AT(c->rate + i);
    }
    for (int i = c->sigma; i < end_of(c); i += TACT_WIDTH) {
        VEC_PUT(c->value + i) = VEC_AT(c->value + i) + step * VEC_AT(c->rate + i);
    }
}

VEC_LOOP void copy_record(TactCompact *c, int from, int to)
{
    for (int p = 0; p < 8 + whole(c->slot_count); p += TACT_WIDTH) {
        VEC_PUT(c->records[to] + p) = VEC_AT(c->records[from] + p);
    }
}

/// What leaves: a basic unknown at a place, or a row.
typedef struct Leaving {
    int            place; // -1: a row
    TactCompactVar variable;
    double         pivot, step;
} Leaving;

/// A row leaves the basic variables. Tables are written before the inverse: by the time they are
/// read as vectors, their numbers have arrived.
VEC_LOOP void lose_row(TactCompact *c, TactCompactVar driving, const Leaving *leaving)
{
    double motion[8];
    put_motion(c, leaving->variable, motion);
    put_row_entries(c, leaving->variable, motion);
    if (driving & 1) {
        int q = c->row_place[driving >> 1];
        put_row(c, q, leaving->variable, motion);
        step_values(c, leaving->step);
        replace_row(c, q, leaving->pivot);
    } else {
        put_col(c, c->k, driving);
        put_row(c, c->k, leaving->variable, motion);
        step_values(c, leaving->step);
        grow(c, leaving->pivot);
        c->k++;
    }
}

/// A basic unknown becomes non-basic.
VEC_LOOP void lose_col(TactCompact *c, TactCompactVar driving, const Leaving *leaving)
{
    int l = leaving->place;
    forget_col(c, leaving->variable);
    if (driving & 1) {
        int q = c->row_place[driving >> 1], last = c->k - 1;
        step_values(c, leaving->step);
        shrink(c, q, l, leaving->pivot);
        if (q != last) {
            double motion[8];
            for (int s = 0; s < TACT_COMPACT_DOF; s++) {
                motion[s] = c->row_motion[s][last];
            }
            put_row(c, q, c->row[last], motion);
        }
        if (l != last) {
            copy_record(c, last, l);
            put_col(c, l, c->col[last]);
        }
        c->z[l] = c->z[last];
        c->z[last] = 0;
        c->k--;
    } else {
        copy_record(c, c->k, l);
        put_col(c, l, driving);
        step_values(c, leaving->step);
        replace_column(c, l, leaving->pivot);
        c->z[l] = c->z[c->k];
        c->z[c->k] = 0;
    }
}

VEC_LOOP void exchange(TactCompact *c, TactCompactVar driving, const Leaving *leaving)
{
    if (leaving->place < 0) {
        lose_row(c, driving, leaving);
    } else {
        lose_col(c, driving, leaving);
    }
    c->pivots++;
}

// ---------------------------------------------------------------------------------------------
// Path

/// z0 enters: the last nu to be lifted to 0 leaves, the largest rate among ties. -1: none is below.
VEC_LOOP int choose_entry(const TactCompact *c, double tie)
{
    double limit = 0, pivot = PIVOT_TOL;
    int    leaving = -1;
    for (int i = 0; i < c->system->item_count; i++) {
        if (-c->value[i] - tie > limit * c->cover[i]) {
            limit = (-c->value[i] - tie) / c->cover[i];
        }
    }
    for (int i = 0; i < c->system->item_count; i++) {
        if (c->cover[i] > pivot && -c->value[i] >= limit * c->cover[i]) {
            pivot = c->cover[i];
            leaving = i;
        }
    }
    return leaving;
}

/// The first exchange, of z0 and nu_i.
VEC_LOOP void enter(TactCompact *c, int i)
{
    double step = -c->value[i] / c->cover[i];
    double motion[8];
    for (int p = 0; p < TACT_COMPACT_RECORD; p += TACT_WIDTH) {
        VEC_PUT(c->records[0] + p) = VEC_ALL(0.0);
    }
    for (int s = 0; s < TACT_COMPACT_DOF; s++) {
        c->col_motion[s][0] = 0;
    }
    c->col[0] = TACT_COMPACT_Z0;
    c->col_gamma[0] = 0;
    c->col_gamma_slot[0] = c->col_lambda_slot[0] = -1;
    put_motion(c, 2 * i + 1, motion);
    put_row(c, 0, 2 * i + 1, motion);
    for (int p = 0; p < c->gamma; p += TACT_WIDTH) {
        VEC_PUT(c->value + p) = VEC_AT(c->value + p) + step * VEC_AT(c->cover + p);
    }
    c->z[0] = step;
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        VEC_PUT(c->inverse[0] + p) = VEC_ALL(0.0);
    }
    c->inverse[0][0] = 1 / c->cover[i];
    c->k = 1;
    c->pivots = 1;
}

/// Who leaves along the driving column. false: nobody does, a ray.
VEC_LOOP bool choose_leaving(const TactCompact *c, const Sweep *sweep, Leaving *leaving)
{
    double limit = sweep->step, dz0 = c->dz[0], z0 = c->z[0];
    if (dz0 < -PIVOT_TOL * sweep->size) {
        double leave = (z0 > 0 ? z0 : 0) / -dz0;
        if (leave <= limit + LEAVE_TIE * (1 + limit)) {
            *leaving = (Leaving){0, TACT_COMPACT_Z0, -dz0, leave};
            return true;
        }
    }
    double pivot;
    int    number = limit < HUGE_VAL ? find_pivot(c, sweep, &pivot) : -1;
    if (number < 0) {
        return false;
    }
    bool   row = number >= TACT_COMPACT_PLACES;
    int    at = number - TACT_COMPACT_PLACES;
    double value = row ? c->value[at] : c->z[number];
    leaving->place = row ? -1 : number;
    leaving->variable = row ? 2 * at + 1 : c->col[number];
    leaving->pivot = pivot;
    leaving->step = (value > 0 ? value : 0) / pivot;
    return true;
}

// ---------------------------------------------------------------------------------------------
// End

/// All values from z, without z0. Returns the largest of the non-basic rows.
VEC_LOOP double put_values(TactCompact *c)
{
    const double *y = c->y;
    TactVec       off = VEC_ALL(0.0);
    double        t[2][TACT_COMPACT_SLOTS];
    combine(c, c->k, c->z, c->y);
    for (int i = 0; i < c->gamma; i += TACT_WIDTH) {
        TactVec value = VEC_AT(c->offset + i) + (VEC_MOTION(y, c->normals, (size_t)c->gamma, i));
        TactVec miss = VEC_ABS(value) * VEC_AT(c->held + i);
        VEC_PUT(c->value + i) = value;
        off = VEC_MAX(miss, off);
    }
    for (int p = 0; p < whole(c->slot_count); p += TACT_WIDTH) {
        TactVec gamma = VEC_AT(y + 8 + p);
        TactVec miss = VEC_ABS(gamma) * VEC_AT(c->held + c->gamma + p);
        VEC_PUT(c->value + c->gamma + p) = gamma;
        off = VEC_MAX(miss, off);
        for (int q = 0; q < 2; q++) {
            VEC_PUT(t[q] + p) = VEC_AT(c->tangent_offset[q] + p) +
                                (VEC_MOTION(y, c->tangents[q][0], (size_t)TACT_COMPACT_SLOTS, p));
        }
    }
    int j = 0;
    for (int slot = 0; slot < c->slot_count; slot++) {
        double lambda = c->lambda[slot] < TACT_COMPACT_NONE ? c->z[c->lambda[slot]] : 0;
        for (int end = (slot + 1) << c->shift; j < end; j += TACT_WIDTH) {
            TactVec value =
                (t[0][slot] * VEC_AT(c->cosine + j) + t[1][slot] * VEC_AT(c->sine + j)) +
                lambda * VEC_AT(c->used + j);
            TactVec miss = VEC_ABS(value) * VEC_AT(c->held + c->sigma + j);
            VEC_PUT(c->value + c->sigma + j) = value;
            off = VEC_MAX(miss, off);
        }
    }
    return VEC_LARGEST(off);
}

/// Refines the values once or twice. Are they right?
VEC_LOOP bool end_path(TactCompact *c, double accurate)
{
    double off = put_values(c);
    for (int pass = 0; pass < 2 && !(off <= REFINED); pass++) {
        for (int r = 0; r < c->k; r++) {
            c->entries[r] = c->value[c->row[r] >> 1];
        }
        solve_column(c);
        for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
            VEC_PUT(c->z + p) = VEC_AT(c->z + p) + VEC_AT(c->x + p);
        }
        off = put_values(c);
    }
    TactVec low = VEC_ALL(0.0), large = low, sum = low; // sum: NaN if there is one
    for (int p = 0; p < whole(c->k); p += TACT_WIDTH) {
        TactVec v = VEC_AT(c->z + p), size = VEC_ABS(v);
        low = VEC_MIN(v, low);
        large = VEC_MAX(size, large);
        sum += 0.0 * v;
    }
    for (int i = 0; i < end_of(c); i += TACT_WIDTH) { // beyond the slots gammas are 0
        TactVec v = VEC_AT(c->value + i);
        low = VEC_MIN(v, low);
        sum += 0.0 * v;
    }
    double  largest = VEC_LARGEST(large);
    double  scale = 1e-4 * largest > 1 ? 1e-4 * largest : 1; // as tact_kernel_error() has it
    TactVec zero = VEC_ALL(0.0);
    sum = VEC_SELECT(VEC_SAME(sum, zero), zero, VEC_ALL(1.0));
    double error = -VEC_LEAST(low);
    error = off > error ? off : error;
    return error <= accurate * scale && VEC_LARGEST(sum) == 0;
}

VEC_LOOP bool follow(TactCompact *c, const TactCompactInput *input)
{
    TactVec low = VEC_ALL(0.0);
    for (int i = 0; i < c->gamma; i += TACT_WIDTH) {
        TactVec v = VEC_AT(c->offset + i);
        VEC_PUT(c->value + i) = v;
        low = VEC_MIN(v, low);
    }
    if (VEC_LEAST(low) >= FEASIBLE) {
        return true;
    }
    int i = choose_entry(c, input->tie);
    if (i < 0) {
        return false;
    }
    enter(c, i);
    TactCompactVar driving = 2 * i;
    while (c->pivots <= input->max_pivots && c->k + 1 < TACT_COMPACT_PLACES) {
        if (!(driving & 1) && driving < 2 * c->gamma && !tact_compact_activate(c, driving >> 1)) {
            return false;
        }
        if (driving & 1) {
            c->held[driving >> 1] = 0;
        }
        Sweep   sweep;
        Leaving leaving;
        if (!put_rates(c, driving, input->tie, &sweep) || !choose_leaving(c, &sweep, &leaving)) {
            return false;
        }
        exchange(c, driving, &leaving);
        if (leaving.variable == TACT_COMPACT_Z0) {
            return end_path(c, input->accurate);
        }
        driving = leaving.variable ^ 1;
    }
    return false;
}
