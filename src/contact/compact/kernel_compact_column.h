// The path of kernel_compact.h for one width of vectors, TACT_WIDTH lanes, with TactVec, TactMaskOf
// and VEC_* defined by who includes this. Element-wise loops and minima give the same bits for
// every width, and sums have an order that does not depend on it.
//
// First part: the column of a driving variable, the rates of all rows along it, and how far they
// let it go.
#ifndef TACT_CONTACT_COMPACT_KERNEL_COMPACT_COLUMN_H
#define TACT_CONTACT_COMPACT_KERNEL_COMPACT_COLUMN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "contact/compact/kernel_compact_active.h"
#include "contact/pivot_rules.h"

#define VEC_LOOP __attribute__((always_inline)) static inline
#define VEC_AT(pointer) (*(const TactVec *)(pointer))
#define VEC_PUT(pointer) (*(TactVec *)(pointer))
#if defined(__clang__)
#define VEC_UNROLL _Pragma("clang loop unroll(full)")
#else
#define VEC_UNROLL _Pragma("GCC unroll 8")
#endif

/// Positions, or active contacts, in whole vectors of eight.
VEC_LOOP int whole(int count)
{
    return (count + 7) / 8 * 8;
}

/// Local copies of sizes and pointers, so that the compiler need not load them again after a store.
typedef struct View {
    TactCompact  *c;
    int           k;
    int           positions;    // k in whole vectors
    int           rows;         // of the inverse: k in fours
    int           with_driving; // k + 1 in whole vectors
    int           actives;      // in whole vectors
    int           active_count, shift;
    int           gamma, sigma, end; // of the list of rows
    double       *value, *rate, *nonbasic;
    const double *normals, *cover, *cosine, *sine, *used;
} View;

VEC_LOOP void look(TactCompact *c, View *v)
{
    v->c = c;
    v->k = c->basis.k;
    v->positions = whole(c->basis.k);
    v->rows = (c->basis.k + 3) / 4 * 4;
    v->with_driving = whole(c->basis.k + 1);
    v->actives = whole(c->friction.count);
    v->active_count = c->friction.count;
    v->shift = c->rows.shift;
    v->gamma = c->rows.gamma;
    v->sigma = c->rows.sigma;
    v->end = c->rows.sigma + (c->friction.count << c->rows.shift);
    v->value = c->rows.value;
    v->rate = c->rows.rate;
    v->nonbasic = c->rows.nonbasic;
    v->normals = c->contacts.normals;
    v->cover = c->contacts.cover;
    v->cosine = c->friction.cosine;
    v->sine = c->friction.sine;
    v->used = c->friction.used;
}

// ---------------------------------------------------------------------------------------------
// Motions

/// Motion of an unknown, or of the row that it is the complement of; lambda and gamma have none.
VEC_LOOP void put_motion(const TactCompact *c, TactCompactVar variable, double *out)
{
    int at = variable >> 1;
    if (at < c->rows.gamma) {
        const double *n = c->contacts.columns + 3 * TACT_COMPACT_DOF * (size_t)at;
        for (int p = 0; p < 8; p += TACT_WIDTH) { // what follows the six is not read
            VEC_PUT(out + p) = c->contacts.scale[at] * VEC_AT(n + p);
        }
    } else if (at < c->rows.sigma) {
        for (int p = 0; p < 8; p += TACT_WIDTH) {
            VEC_PUT(out + p) = VEC_ALL(0.0);
        }
    } else {
        int    j = at - c->rows.sigma;
        int    active = j >> c->rows.shift;
        double a = c->friction.cosine[j], b = c->friction.sine[j];
        for (int p = 0; p < 8; p += TACT_WIDTH) {
            VEC_PUT(out + p) = a * VEC_AT(c->friction.tangent[active][0] + p) +
                               b * VEC_AT(c->friction.tangent[active][1] + p);
        }
    }
}

/// The position of a column in the tables, its motion and gammas from its effect.
VEC_LOOP void put_col(TactCompact *c, int position, TactCompactVar variable)
{
    int at = variable >> 1;
    int active = tact_compact_active_of(c, variable);
    c->basis.col[position] = variable;
    for (int s = 0; s < TACT_COMPACT_DOF; s++) {
        c->basis.col_motion[s][position] = c->basis.effects[position][s];
    }
    bool lambda = at >= c->rows.gamma && at < c->rows.sigma;
    c->basis.col_lambda_of[position] = lambda ? active : -1;
    c->basis.col_gamma_of[position] = lambda ? -1 : active;
    c->basis.col_gamma[position] = active < 0           ? 0
                                   : at < c->rows.gamma ? c->friction.mu[active]
                                                        : -1;
    if (lambda) {
        c->friction.lambda[active] = position;
    }
}

VEC_LOOP void forget_col(TactCompact *c, TactCompactVar variable)
{
    int at = variable >> 1;
    if (at >= c->rows.gamma && at < c->rows.sigma) {
        c->friction.lambda[at - c->rows.gamma] = TACT_COMPACT_NONE;
    }
}

VEC_LOOP void put_row(TactCompact *c, int position, TactCompactVar variable, const double *motion)
{
    int at = variable >> 1;
    int active = tact_compact_active_of(c, variable);
    c->basis.row[position] = variable;
    c->rows.position[at] = position;
    c->rows.nonbasic[at] = 1;
    for (int s = 0; s < TACT_COMPACT_DOF; s++) {
        c->basis.row_motion[s][position] = motion[s];
    }
    c->basis.row_gamma_of[position] = at >= c->rows.gamma && at < c->rows.sigma ? active : -1;
    c->basis.row_sigma_of[position] = at >= c->rows.sigma ? active : -1;
}

/// Effect of an unknown at a position, and where a lambda stands.
VEC_LOOP void put_effect(const View *v, TactCompactVar variable, int position)
{
    TactCompact *c = v->c;
    int          at = variable >> 1;
    int          active = tact_compact_active_of(c, variable);
    double      *effect = c->basis.effects[position];
    bool         lambda = at >= v->gamma && at < v->sigma;
    double       gamma = lambda ? 0 : at < v->gamma && active >= 0 ? c->friction.mu[active] : -1;
    TactVec      here = VEC_ALL((double)active), own = VEC_ALL(gamma), none = VEC_ALL(0.0);
    put_motion(c, variable, effect);
    for (int p = 0; p < v->actives; p += TACT_WIDTH) {
        VEC_PUT(effect + 8 + p) = VEC_SELECT(VEC_EQUAL(VEC_NUMBERS + p, here), own, none);
    }
    if (lambda) {
        c->friction.lambda[active] = position;
    }
}

// ---------------------------------------------------------------------------------------------
// Column of a driving variable

/// out = sum_c amount_c effect_c over whole vectors of positions: motion, then gammas. A sum has
/// four parts, or two.
VEC_LOOP void combine(const View *v, int positions, const double *amount, double *out)
{
    const double *effects = v->c->basis.effects[0];
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        TactVec motion[4] = {VEC_ALL(0.0), VEC_ALL(0.0), VEC_ALL(0.0), VEC_ALL(0.0)};
        TactVec gamma[2] = {VEC_ALL(0.0), VEC_ALL(0.0)};
        for (int k = 0; k < positions; k += 8) {
            VEC_UNROLL for (int q = 0; q < 8; q++)
            {
                const double *effect = effects + (size_t)(k + q) * TACT_COMPACT_EFFECT + p;
                motion[q % 4] += amount[k + q] * VEC_AT(effect);
                gamma[q % 2] += amount[k + q] * VEC_AT(effect + 8);
            }
        }
        VEC_PUT(out + p) = (motion[0] + motion[2]) + (motion[1] + motion[3]);
        VEC_PUT(out + 8 + p) = gamma[0] + gamma[1];
    }
    for (int p = 8; p < v->actives; p += TACT_WIDTH) {
        TactVec b = VEC_ALL(0.0);
        for (int k = 0; k < positions; k++) {
            b += amount[k] * VEC_AT(effects + (size_t)k * TACT_COMPACT_EFFECT + 8 + p);
        }
        VEC_PUT(out + 8 + p) = b;
    }
}

/// sum over the degrees of freedom of factor_s table[s][p]: even ones, then odd ones.
// The table is the first row of an array of rows: its type must not hide the others.
#define VEC_TABLE(table) ((const double *)(const void *)(table))
#define VEC_TERM(factor, table, ld, p, s) \
    ((factor)[s] * VEC_AT(VEC_TABLE(table) + (s) * (ld) + (p)))
#define VEC_MOTION(factor, table, ld, p)                                        \
    (((VEC_TERM(factor, table, ld, p, 0) + VEC_TERM(factor, table, ld, p, 2)) + \
      VEC_TERM(factor, table, ld, p, 4)) +                                      \
     ((VEC_TERM(factor, table, ld, p, 1) + VEC_TERM(factor, table, ld, p, 3)) + \
      VEC_TERM(factor, table, ld, p, 5)))

/// M(row, unknown) of all non-basic rows for an unknown whose effect is at a position.
VEC_LOOP void put_column(const View *v, TactCompactVar driving, int position, double *out)
{
    TactCompact  *c = v->c;
    int           at = driving >> 1;
    int           active = tact_compact_active_of(c, driving);
    bool          lambda = at >= v->gamma && at < v->sigma;
    const double *m = c->basis.effects[position];
    const double *actives = lambda ? c->basis.row_sigma_of : c->basis.row_gamma_of;
    TactVec       here = VEC_ALL(active < 0 ? -2.0 : (double)active);
    TactVec       more = VEC_ALL(lambda          ? 1
                                 : at < v->gamma ? (active < 0 ? 0 : c->friction.mu[active])
                                                 : -1.0);
    TactVec       none = VEC_ALL(0.0);
    for (int p = 0; p < v->positions; p += TACT_WIDTH) {
        VEC_PUT(out + p) = VEC_MOTION(m, c->basis.row_motion[0], TACT_COMPACT_POSITIONS, p) +
                           VEC_SELECT(VEC_EQUAL(actives + p, here), more, none);
    }
}

/// x = -K^-1 entries, and dz with 1 at position k. A sum has four parts. Rows beyond k are 0.
VEC_LOOP void solve_column(const View *v)
{
    TactCompact  *c = v->c;
    const double *f = c->scratch.entries;
    TactVec       one = VEC_ALL(1.0), driving = VEC_ALL((double)v->k);
    for (int p = 0; p < v->with_driving; p += TACT_WIDTH) {
        TactVec part[4] = {VEC_ALL(0.0), VEC_ALL(0.0), VEC_ALL(0.0), VEC_ALL(0.0)};
        for (int r = 0; r < v->rows; r += 4) {
            VEC_UNROLL for (int q = 0; q < 4; q++)
            {
                part[q] -= f[r + q] * VEC_AT(c->basis.inverse[r + q] + p);
            }
        }
        TactVec sum = (part[0] + part[2]) + (part[1] + part[3]);
        VEC_PUT(c->basis.x + p) = sum;
        VEC_PUT(c->basis.dz + p) = VEC_SELECT(VEC_EQUAL(VEC_NUMBERS + p, driving), one, sum);
    }
}

/// x = dz = K^-1 e of a driving row.
VEC_LOOP void take_column(const View *v, int position)
{
    TactCompact *c = v->c;
    for (int p = 0; p < v->with_driving; p += TACT_WIDTH) {
        TactVec a = VEC_AT(c->basis.inverse[position] + p);
        VEC_PUT(c->basis.x + p) = a;
        VEC_PUT(c->basis.dz + p) = a;
    }
}

VEC_LOOP double size_of(const View *v)
{
    TactVec largest = VEC_ALL(1.0);
    for (int p = 0; p < v->positions; p += TACT_WIDTH) {
        TactVec x = VEC_ABS(VEC_AT(v->c->basis.x + p));
        largest = VEC_MAX(x, largest);
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

VEC_LOOP void put_rate(const View *v, int at, const TactVec *rate, TactVec *off)
{
    TactVec miss = VEC_ABS(*rate) * VEC_AT(v->nonbasic + at);
    VEC_PUT(v->rate + at) = *rate;
    *off = VEC_MAX(miss, *off);
}

/// What the sigmas of an active contact are made of.
typedef struct SigmaParts {
    double t1, t2; // tangential velocities
    double base;   // lambda, and z0 with what it covers
} SigmaParts;

VEC_LOOP void sweep_sigmas(const View *v, int active, const SigmaParts *own, const TactVec *tol,
                           const TactVec *tie, Ratio *best, TactVec *off)
{
    int end = (active + 1) << v->shift;
    for (int j = active << v->shift; j < end; j += TACT_WIDTH) {
        TactVec rate = (own->t1 * VEC_AT(v->cosine + j) + own->t2 * VEC_AT(v->sine + j)) +
                       own->base * VEC_AT(v->used + j);
        TactVec under = -rate;
        put_rate(v, v->sigma + j, &rate, off);
        meet(v->value + v->sigma + j, &under, tol, tie, best);
    }
}

/// Rates of all rows along dz, and how far they let it go.
VEC_LOOP void sweep_rates(const View *v, double tie_of, Sweep *sweep)
{
    TactCompact  *c = v->c;
    const double *dz = c->basis.dz, *dy = c->basis.dy;
    TactVec       tol = VEC_ALL(TACT_PIVOT_TOL * sweep->size), tie = VEC_ALL(tie_of);
    Ratio         none = {VEC_ALL(HUGE_VAL), VEC_ALL(1.0)};
    Ratio         unknowns = none, normals = none, sigmas = none, others = none;
    TactVec       off = VEC_ALL(0.0), off_sigma = off;
    combine(v, v->with_driving, dz, c->basis.dy);
    for (int p = 0; p < v->positions; p += TACT_WIDTH) {
        TactVec under = -(VEC_AT(c->basis.x + p) * VEC_AT(c->basis.blocks + p));
        meet(c->basis.z + p, &under, &tol, &tie, &unknowns);
    }
    _Alignas(64) double t[2][TACT_COMPACT_ACTIVE];
    for (int p = 0; p < v->actives; p += TACT_WIDTH) {
        TactVec rate = VEC_AT(dy + 8 + p), under = -rate;
        VEC_PUT(t[0] + p) =
            VEC_MOTION(dy, c->friction.tangents[0][0], (size_t)TACT_COMPACT_ACTIVE, p);
        VEC_PUT(t[1] + p) =
            VEC_MOTION(dy, c->friction.tangents[1][0], (size_t)TACT_COMPACT_ACTIVE, p);
        put_rate(v, v->gamma + p, &rate, &off);
        meet(v->value + v->gamma + p, &under, &tol, &tie, &unknowns);
    }
    double dz0 = dz[0];
    for (int i = 0; i < v->gamma; i += TACT_WIDTH) {
        TactVec rate = dz0 * VEC_AT(v->cover + i) + VEC_MOTION(dy, v->normals, (size_t)v->gamma, i);
        TactVec under = -rate;
        put_rate(v, i, &rate, &off);
        meet(v->value + i, &under, &tol, &tie, &normals);
    }
    for (int active = 0; active < v->active_count; active += 2) { // two at a time: they do not wait
        SigmaParts even = {t[0][active], t[1][active],
                           dz[c->friction.lambda[active]] + dz0 * c->friction.c_sigma[active]};
        sweep_sigmas(v, active, &even, &tol, &tie, &sigmas, &off_sigma);
        if (active + 1 < v->active_count) {
            int        next = active + 1;
            SigmaParts odd = {t[0][next], t[1][next],
                              dz[c->friction.lambda[next]] + dz0 * c->friction.c_sigma[next]};
            sweep_sigmas(v, next, &odd, &tol, &tie, &others, &off);
        }
    }
    TactVec a = unknowns.over / unknowns.under;
    TactVec b = normals.over / normals.under;
    TactVec e = sigmas.over / sigmas.under;
    TactVec f = others.over / others.under;
    a = VEC_MIN(a, b);
    e = VEC_MIN(e, f);
    a = VEC_MIN(a, e);
    sweep->step = VEC_LEAST(a);
    sweep->off = VEC_MAX(off, off_sigma);
}

/// Is the column right: non-basic rows 0, and a driving one 1?
VEC_LOOP bool is_accurate(const View *v, TactCompactVar driving, const Sweep *sweep, double tol)
{
    double off = VEC_LARGEST(sweep->off);
    double own = driving & 1 ? fabs(v->rate[driving >> 1] - 1) : 0;
    return off <= tol * sweep->size && own <= tol * sweep->size;
}

/// One step of refinement. false: that was not enough.
VEC_LOOP bool refine_rates(const View *v, TactCompactVar driving, double tie, Sweep *sweep)
{
    TactCompact *c = v->c;
    double       x[TACT_COMPACT_POSITIONS];
    memcpy(x, c->basis.x, sizeof x);
    for (int r = 0; r < v->k; r++) {
        c->scratch.entries[r] =
            v->rate[c->basis.row[r] >> 1] - (c->basis.row[r] == driving ? 1 : 0);
    }
    solve_column(v);
    for (int p = 0; p < v->k; p++) {
        c->basis.x[p] += x[p];
        c->basis.dz[p] = c->basis.x[p];
    }
    c->basis.dz[v->k] = driving & 1 ? 0 : 1;
    sweep->size = size_of(v);
    sweep_rates(v, tie, sweep);
    return is_accurate(v, driving, sweep, TACT_PIVOT_DRIFT_MOST);
}

/// The column of a driving variable and how far it can go. false: it has drifted too far.
VEC_LOOP bool put_rates(const View *v, TactCompactVar driving, double tie, Sweep *sweep)
{
    if (driving & 1) {
        take_column(v, v->c->rows.position[driving >> 1]);
    } else {
        put_effect(v, driving, v->k);
        put_column(v, driving, v->k, v->c->scratch.entries);
        solve_column(v);
    }
    sweep->size = size_of(v);
    sweep_rates(v, tie, sweep);
    return is_accurate(v, driving, sweep, TACT_PIVOT_DRIFT_REFINE) ||
           refine_rates(v, driving, tie, sweep);
}

#endif
