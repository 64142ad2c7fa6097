// The path of kernel_compact.h for one width of vectors, TACT_WIDTH lanes, with TactVec, TactMaskOf
// and VEC_* defined by who includes this. Element-wise loops and minima give the same bits for
// every width, and sums have an order that does not depend on it.
//
// First part: the column of a driving variable, the rates of all rows along it, and how far they
// let it go.
#ifndef TACT_CONTACT_KERNEL_COMPACT_COLUMN_H
#define TACT_CONTACT_KERNEL_COMPACT_COLUMN_H

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
#define VEC_TERM(factor, table, ld, p, s) ((factor)[s] * VEC_AT((table) + (s) * (ld) + (p)))
#define VEC_MOTION(factor, table, ld, p)                                        \
    (((VEC_TERM(factor, table, ld, p, 0) + VEC_TERM(factor, table, ld, p, 2)) + \
      VEC_TERM(factor, table, ld, p, 4)) +                                      \
     ((VEC_TERM(factor, table, ld, p, 1) + VEC_TERM(factor, table, ld, p, 3)) + \
      VEC_TERM(factor, table, ld, p, 5)))

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
            dz[0] * VEC_AT(c->cover + i) + VEC_MOTION(dy, c->normals, (size_t)c->gamma, i);
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

#endif
