// The path of kernel_compact.h, second part: who leaves, and the exchange.
#ifndef TACT_CONTACT_COMPACT_KERNEL_COMPACT_EXCHANGE_H
#define TACT_CONTACT_COMPACT_KERNEL_COMPACT_EXCHANGE_H

#include "contact/compact/kernel_compact_column.h"

// ---------------------------------------------------------------------------------------------
// Second pass: the largest pivot among the rows that this step brings to 0

// The last bits of a pivot are where it stands, counted from the end: the largest of them is found
// with its position, and of those that agree to 1e-12 the first.
enum { POSITION_BITS = TACT_COMPACT_ROWS - 1 };

/// Pivots of this position and the following ones, where this step brings their values to 0.
VEC_LOOP void collect_pivots(const double *value, const TactVec *pivot, const TactVec *limit,
                             int position, TactVec *best)
{
    TactVec none = VEC_ALL(0.0);
    TactVec marked = (TactVec)(((TactInts)*pivot & ~(int64_t)POSITION_BITS) |
                               ((int64_t)(POSITION_BITS - position) - VEC_LANES));
    TactVec found = VEC_SELECT(VEC_NOT_GREATER(VEC_AT(value), *limit * *pivot), marked, none);
    *best = VEC_MAX(found, *best);
}

/// The position that leaves, or POSITIONS and where a row stands; -1: none.
VEC_LOOP int find_compact_pivot(const View *v, const Sweep *sweep)
{
    const TactCompact *c = v->c;
    TactVec            limit = VEC_ALL(sweep->step);
    TactVec            unknowns = VEC_ALL(0.0), normals = unknowns, sigmas = unknowns;
    for (int p = 0; p < v->positions; p += TACT_WIDTH) {
        TactVec pivot = -(VEC_AT(c->basis.x + p) * VEC_AT(c->basis.blocks + p));
        collect_pivots(c->basis.z + p, &pivot, &limit, p, &unknowns);
    }
    for (int i = 0; i < v->gamma + v->actives; i += TACT_WIDTH) {
        TactVec pivot = -VEC_AT(v->rate + i);
        collect_pivots(v->value + i, &pivot, &limit, TACT_COMPACT_POSITIONS + i, &normals);
    }
    for (int i = v->sigma; i < v->end; i += TACT_WIDTH) {
        TactVec pivot = -VEC_AT(v->rate + i);
        collect_pivots(v->value + i, &pivot, &limit, TACT_COMPACT_POSITIONS + i, &sigmas);
    }
    normals = VEC_MAX(unknowns, normals);
    sigmas = VEC_MAX(normals, sigmas);
    double  largest = VEC_LARGEST(sigmas);
    int64_t bits;
    memcpy(&bits, &largest, sizeof bits);
    return largest > TACT_PIVOT_TOL * sweep->size ? POSITION_BITS - (int)(bits & POSITION_BITS)
                                                  : -1;
}

// ---------------------------------------------------------------------------------------------
// Exchange

/// M(row, unknown) of all basic unknowns, for a row of this motion.
VEC_LOOP void put_row_entries(const View *v, TactCompactVar row, const double *m)
{
    TactCompact  *c = v->c;
    int           at = row >> 1;
    int           active = tact_compact_active_of(c, row);
    bool          gamma = at >= v->gamma && at < v->sigma;
    const double *actives = gamma ? c->basis.col_gamma_of : c->basis.col_lambda_of;
    const double *more = gamma ? c->basis.col_gamma : c->basis.ones;
    TactVec       here = VEC_ALL(at < v->gamma ? -2.0 : (double)active), none = VEC_ALL(0.0);
    TactVec       cover = VEC_ALL(at < v->gamma ? v->cover[at]
                                  : gamma       ? TACT_PIVOT_COVER_GAMMA
                                                : c->friction.c_sigma[active]);
    for (int p = 0; p < v->positions; p += TACT_WIDTH) {
        TactVec entry = VEC_MOTION(m, c->basis.col_motion[0], TACT_COMPACT_POSITIONS, p);
        entry += VEC_SELECT(VEC_EQUAL(actives + p, here), VEC_AT(more + p), none);
        entry += VEC_SELECT(VEC_EQUAL(VEC_NUMBERS + p, none), cover, none);
        VEC_PUT(c->scratch.entries + p) = entry;
    }
}

/// change = by entries' K^-1, four rows of the inverse at a time, eight lanes a sum.
VEC_LOOP void put_row_product(const View *v, double by)
{
    TactCompact *c = v->c;
    for (int r = 0; r < v->rows; r += 4) {
        TactLanes four[4], turned[4];
        VEC_QUAD(c->basis.inverse[r], c->scratch.entries, v->positions, four);
        tact_lanes_transpose(four, turned);
        TACT_LANES_PUT(c->scratch.change + r) =
            by * ((turned[0] + turned[2]) + (turned[1] + turned[3]));
    }
}

/// K gains a row and the driving column: s = -pivot.
///
///     X <- [ X - x u' / s    x / s ]
///          [    -u' / s      1 / s ]
VEC_LOOP void grow_inverse(const View *v, double pivot)
{
    TactCompact *c = v->c;
    put_row_product(v, 1 / pivot); // -u / s
    TactVec by = VEC_ALL(-1 / pivot);
    for (int p = 0; p < v->with_driving; p += TACT_WIDTH) {
        TactVec x = VEC_AT(c->basis.dz + p);
        for (int r = 0; r < v->rows; r += 4) {
            VEC_UNROLL for (int q = 0; q < 4; q++)
            {
                double *row = c->basis.inverse[r + q] + p;
                VEC_PUT(row) = VEC_AT(row) + c->scratch.change[r + q] * x;
            }
        }
        VEC_PUT(c->basis.inverse[v->k] + p) = by * x;
    }
}

/// The driving column takes position l of K: x_l = -pivot.
VEC_LOOP void replace_column(const View *v, int l, double pivot)
{
    TactCompact *c = v->c;
    double       by = 1 / pivot;
    TactVec      own = VEC_ALL((double)l);
    for (int r = 0; r < v->k; r++) {
        c->scratch.change[r] = c->basis.inverse[r][l] * by;
    }
    for (int p = 0; p < v->positions; p += TACT_WIDTH) {
        TactVec    x = VEC_AT(c->basis.x + p);
        TactMaskOf here = VEC_EQUAL(VEC_NUMBERS + p, own);
        for (int r = 0; r < v->k; r++) {
            TactVec f = VEC_ALL(c->scratch.change[r]);
            TactVec moved = VEC_AT(c->basis.inverse[r] + p) + f * x;
            VEC_PUT(c->basis.inverse[r] + p) = VEC_SELECT(here, f, moved);
        }
    }
}

/// Another row takes position q of K: u_q = -pivot.
VEC_LOOP void replace_row(const View *v, int position, double pivot)
{
    TactCompact *c = v->c;
    put_row_product(v, -1);
    TactVec by = VEC_ALL(-1 / pivot);
    for (int p = 0; p < v->positions; p += TACT_WIDTH) {
        TactVec x = by * VEC_AT(c->basis.x + p);
        for (int r = 0; r < v->rows; r += 4) {
            VEC_UNROLL for (int q = 0; q < 4; q++)
            {
                double *row = c->basis.inverse[r + q] + p;
                VEC_PUT(row) = VEC_AT(row) + c->scratch.change[r + q] * x;
            }
        }
        VEC_PUT(c->basis.inverse[position] + p) = x;
    }
}

/// K loses row q and column l, X_lq = -pivot. The last row and column take their places, and leave
/// zeros.
VEC_LOOP void shrink(const View *v, int q, int l, double pivot)
{
    TactCompact *c = v->c;
    double       by = 1 / pivot, moved[TACT_COMPACT_POSITIONS];
    int          last = v->k - 1;
    TactVec      left = VEC_ALL((double)l), end = VEC_ALL((double)last), none = VEC_ALL(0.0);
    for (int r = 0; r < v->k; r++) {
        c->scratch.change[r] = c->basis.inverse[r][l] * by;
        moved[r] = c->basis.inverse[r][last] + c->scratch.change[r] * c->basis.x[last];
    }
    for (int p = 0; p < v->positions; p += TACT_WIDTH) {
        TactVec    x = VEC_AT(c->basis.x + p);
        TactMaskOf here = VEC_EQUAL(VEC_NUMBERS + p, left), gone = VEC_EQUAL(VEC_NUMBERS + p, end);
        for (int r = 0; r < v->k; r++) {
            TactVec with = VEC_AT(c->basis.inverse[r] + p) + c->scratch.change[r] * x;
            TactVec other = VEC_ALL(moved[r]);
            with = VEC_SELECT(here, other, with);
            VEC_PUT(c->basis.inverse[r] + p) = VEC_SELECT(gone, none, with);
        }
        VEC_PUT(c->basis.inverse[q] + p) = VEC_AT(c->basis.inverse[last] + p);
        VEC_PUT(c->basis.inverse[last] + p) = none;
    }
}

/// All values a step further.
VEC_LOOP void step_values(const View *v, double step)
{
    TactCompact *c = v->c;
    for (int p = 0; p < v->with_driving; p += TACT_WIDTH) {
        VEC_PUT(c->basis.z + p) = VEC_AT(c->basis.z + p) + step * VEC_AT(c->basis.dz + p);
    }
    for (int p = 0; p < 8; p += TACT_WIDTH) {
        VEC_PUT(c->basis.y + p) = VEC_AT(c->basis.y + p) + step * VEC_AT(c->basis.dy + p);
    }
    for (int i = 0; i < v->gamma + v->actives; i += TACT_WIDTH) {
        VEC_PUT(v->value + i) = VEC_AT(v->value + i) + step * VEC_AT(v->rate + i);
    }
    for (int i = v->sigma; i < v->end; i += TACT_WIDTH) {
        VEC_PUT(v->value + i) = VEC_AT(v->value + i) + step * VEC_AT(v->rate + i);
    }
}

VEC_LOOP void copy_effect(const View *v, int from, int to)
{
    for (int p = 0; p < 8 + v->actives; p += TACT_WIDTH) {
        VEC_PUT(v->c->basis.effects[to] + p) = VEC_AT(v->c->basis.effects[from] + p);
    }
}

/// What leaves: a basic unknown at a position, or a row.
typedef struct Leaving {
    int            position; // -1: a row
    TactCompactVar variable;
    double         pivot, step;
} Leaving;

/// A row leaves the basic variables. Tables are written before the inverse: by the time they are
/// read as vectors, their numbers have arrived.
VEC_LOOP void lose_row(const View *v, TactCompactVar driving, const Leaving *leaving)
{
    TactCompact        *c = v->c;
    _Alignas(64) double motion[8];
    put_motion(c, leaving->variable, motion);
    put_row_entries(v, leaving->variable, motion);
    if (driving & 1) {
        int q = c->rows.position[driving >> 1];
        put_row(c, q, leaving->variable, motion);
        step_values(v, leaving->step);
        replace_row(v, q, leaving->pivot);
    } else {
        put_col(c, v->k, driving);
        put_row(c, v->k, leaving->variable, motion);
        step_values(v, leaving->step);
        grow_inverse(v, leaving->pivot);
        c->basis.k = v->k + 1;
    }
}

/// A basic unknown becomes non-basic.
VEC_LOOP void lose_col(const View *v, TactCompactVar driving, const Leaving *leaving)
{
    TactCompact *c = v->c;
    int          l = leaving->position;
    forget_col(c, leaving->variable);
    if (driving & 1) {
        int q = c->rows.position[driving >> 1], last = v->k - 1;
        step_values(v, leaving->step);
        shrink(v, q, l, leaving->pivot);
        if (q != last) {
            _Alignas(64) double motion[8];
            for (int s = 0; s < TACT_COMPACT_DOF; s++) {
                motion[s] = c->basis.row_motion[s][last];
            }
            put_row(c, q, c->basis.row[last], motion);
        }
        if (l != last) {
            copy_effect(v, last, l);
            put_col(c, l, c->basis.col[last]);
        }
        c->basis.z[l] = c->basis.z[last];
        c->basis.z[last] = 0;
        c->basis.k = last;
    } else {
        copy_effect(v, v->k, l);
        put_col(c, l, driving);
        step_values(v, leaving->step);
        replace_column(v, l, leaving->pivot);
        c->basis.z[l] = c->basis.z[v->k];
        c->basis.z[v->k] = 0;
    }
}

VEC_LOOP void exchange_compact(const View *v, TactCompactVar driving, const Leaving *leaving)
{
    if (leaving->position < 0) {
        lose_row(v, driving, leaving);
    } else {
        lose_col(v, driving, leaving);
    }
    v->c->pivots++;
}

#endif
