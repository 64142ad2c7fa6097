// The path of kernel_compact.h, third part: from z0 to the end.
#ifndef TACT_CONTACT_COMPACT_KERNEL_COMPACT_PATH_H
#define TACT_CONTACT_COMPACT_KERNEL_COMPACT_PATH_H

#include "contact/compact/kernel_compact_exchange.h"
#include "contact/pivot_rules.h"

// ---------------------------------------------------------------------------------------------
// Path

/// z0 enters: the last nu to be lifted to 0 leaves, the largest rate among ties. -1: none is below.
VEC_LOOP int choose_entry(const TactCompact *c, double tie)
{
    double limit = 0, pivot = TACT_PIVOT_TOL;
    int    leaving = -1;
    for (int i = 0; i < c->system->item_count; i++) {
        if (-c->rows.value[i] - tie > limit * c->contacts.cover[i]) {
            limit = (-c->rows.value[i] - tie) / c->contacts.cover[i];
        }
    }
    for (int i = 0; i < c->system->item_count; i++) {
        if (c->contacts.cover[i] > pivot && -c->rows.value[i] >= limit * c->contacts.cover[i]) {
            pivot = c->contacts.cover[i];
            leaving = i;
        }
    }
    return leaving;
}

/// The first exchange, of z0 and nu_i.
VEC_LOOP void enter(TactCompact *c, int i)
{
    double              step = -c->rows.value[i] / c->contacts.cover[i];
    _Alignas(64) double motion[8];
    for (int p = 0; p < TACT_COMPACT_EFFECT; p += TACT_WIDTH) {
        VEC_PUT(c->basis.effects[0] + p) = VEC_ALL(0.0);
    }
    for (int s = 0; s < TACT_COMPACT_DOF; s++) {
        c->basis.col_motion[s][0] = 0;
    }
    c->basis.col[0] = TACT_COMPACT_Z0;
    c->basis.col_gamma[0] = 0;
    c->basis.col_gamma_of[0] = c->basis.col_lambda_of[0] = -1;
    put_motion(c, 2 * i + 1, motion);
    put_row(c, 0, 2 * i + 1, motion);
    for (int p = 0; p < c->rows.gamma; p += TACT_WIDTH) {
        VEC_PUT(c->rows.value + p) =
            VEC_AT(c->rows.value + p) + step * VEC_AT(c->contacts.cover + p);
    }
    c->basis.z[0] = step;
    c->basis.inverse[0][0] = 1 / c->contacts.cover[i];
    c->basis.k = 1;
    c->pivots = 1;
}

/// Who leaves along the driving column. false: nobody does, a ray. No row that has left already
/// does: put_rates() gives up where the rate of one is above DRIFT_MOST of the column, and a pivot
/// is at least PIVOT_TOL of it, a thousand times as much.
VEC_LOOP bool choose_leaving(const View *v, const Sweep *sweep, Leaving *leaving)
{
    const TactCompact *c = v->c;
    double             limit = sweep->step, dz0 = c->basis.dz[0], z0 = c->basis.z[0];
    if (dz0 < -TACT_PIVOT_TOL * sweep->size) {
        double leave = (z0 > 0 ? z0 : 0) / -dz0;
        if (leave <= limit + TACT_PIVOT_LEAVE_TIE * (1 + limit)) {
            *leaving = (Leaving){0, TACT_COMPACT_Z0, -dz0, leave};
            return true;
        }
    }
    int number = limit < HUGE_VAL ? find_compact_pivot(v, sweep) : -1;
    if (number < 0) {
        return false;
    }
    bool   row = number >= TACT_COMPACT_POSITIONS;
    int    at = number - TACT_COMPACT_POSITIONS;
    double value = row ? v->value[at] : c->basis.z[number];
    double pivot = -(row ? v->rate[at] : c->basis.x[number]);
    leaving->position = row ? -1 : number;
    leaving->variable = row ? 2 * at + 1 : c->basis.col[number];
    leaving->pivot = pivot;
    leaving->step = (value > 0 ? value : 0) / pivot;
    return true;
}

// ---------------------------------------------------------------------------------------------
// End

/// All values from z, without z0. Returns the largest of the non-basic rows.
VEC_LOOP double put_values(const View *v)
{
    TactCompact        *c = v->c;
    const double       *y = c->basis.y;
    TactVec             off = VEC_ALL(0.0);
    _Alignas(64) double t[2][TACT_COMPACT_ACTIVE];
    combine(v, v->positions, c->basis.z, c->basis.y);
    for (int i = 0; i < v->gamma; i += TACT_WIDTH) {
        TactVec value =
            VEC_AT(c->contacts.offset + i) + VEC_MOTION(y, v->normals, (size_t)v->gamma, i);
        TactVec miss = VEC_ABS(value) * VEC_AT(v->nonbasic + i);
        VEC_PUT(v->value + i) = value;
        off = VEC_MAX(miss, off);
    }
    for (int p = 0; p < v->actives; p += TACT_WIDTH) {
        TactVec gamma = VEC_AT(y + 8 + p);
        TactVec miss = VEC_ABS(gamma) * VEC_AT(v->nonbasic + v->gamma + p);
        VEC_PUT(v->value + v->gamma + p) = gamma;
        off = VEC_MAX(miss, off);
        for (int q = 0; q < 2; q++) {
            VEC_PUT(t[q] + p) =
                VEC_AT(c->friction.tangent_offset[q] + p) +
                VEC_MOTION(y, c->friction.tangents[q][0], (size_t)TACT_COMPACT_ACTIVE, p);
        }
    }
    for (int active = 0, j = 0; active < v->active_count; active++) {
        double lambda = c->friction.lambda[active] < TACT_COMPACT_NONE
                            ? c->basis.z[c->friction.lambda[active]]
                            : 0;
        double t1 = t[0][active], t2 = t[1][active];
        for (int end = (active + 1) << v->shift; j < end; j += TACT_WIDTH) {
            TactVec value = (t1 * VEC_AT(v->cosine + j) + t2 * VEC_AT(v->sine + j)) +
                            lambda * VEC_AT(v->used + j);
            TactVec miss = VEC_ABS(value) * VEC_AT(v->nonbasic + v->sigma + j);
            VEC_PUT(v->value + v->sigma + j) = value;
            off = VEC_MAX(miss, off);
        }
    }
    return VEC_LARGEST(off);
}

/// Refines the values once or twice. Are they right?
VEC_LOOP bool end_path(TactCompact *c, double accurate)
{
    View v;
    look(c, &v);
    double off = put_values(&v);
    for (int pass = 0; pass < 2 && !(off <= TACT_PIVOT_REFINED); pass++) {
        for (int r = 0; r < v.k; r++) {
            c->scratch.entries[r] = v.value[c->basis.row[r] >> 1];
        }
        solve_column(&v);
        for (int p = 0; p < v.positions; p += TACT_WIDTH) {
            VEC_PUT(c->basis.z + p) = VEC_AT(c->basis.z + p) + VEC_AT(c->basis.x + p);
        }
        off = put_values(&v);
    }
    TactVec low = VEC_ALL(0.0), large = low, sum = low; // sum: NaN if there is one
    for (int p = 0; p < v.positions; p += TACT_WIDTH) {
        TactVec x = VEC_AT(c->basis.z + p), size = VEC_ABS(x);
        low = VEC_MIN(x, low);
        large = VEC_MAX(size, large);
        sum += 0.0 * x;
    }
    for (int i = 0; i < v.end; i += TACT_WIDTH) { // beyond the active ones gammas are 0
        TactVec x = VEC_AT(v.value + i);
        low = VEC_MIN(x, low);
        sum += 0.0 * x;
    }
    double  largest = VEC_LARGEST(large);
    double  share = TACT_PIVOT_ERROR_SHARE * largest;
    double  scale = share > 1 ? share : 1; // as tact_kernel_error() has it
    TactVec zero = VEC_ALL(0.0);
    sum = VEC_SELECT(VEC_SAME(sum, zero), zero, VEC_ALL(1.0));
    double error = -VEC_LEAST(low);
    error = off > error ? off : error;
    return error <= accurate * scale && VEC_LARGEST(sum) == 0;
}

VEC_LOOP bool follow_compact(TactCompact *c, const TactCompactInput *input)
{
    // Without impulses nu is the offset: nothing to do if none is negative.
    TactVec low = VEC_ALL(0.0);
    for (int i = 0; i < c->rows.gamma; i += TACT_WIDTH) {
        TactVec v = VEC_AT(c->contacts.offset + i);
        VEC_PUT(c->rows.value + i) = v;
        low = VEC_MIN(v, low);
    }
    if (VEC_LEAST(low) >= TACT_PIVOT_FEASIBLE) {
        return true;
    }
    // z0 enters for the nu that it lifts to 0 last; the complement of that one drives.
    int i = choose_entry(c, input->tie);
    if (i < 0) {
        return false;
    }
    enter(c, i);
    TactCompactVar driving = 2 * i;
    while (c->pivots <= input->max_pivots && c->basis.k + 1 < TACT_COMPACT_POSITIONS) {
        // A theta that drives makes its contact active; a row that drives becomes basic.
        if (!(driving & 1) && driving < 2 * c->rows.gamma &&
            !tact_compact_activate(c, driving >> 1)) {
            return false;
        }
        if (driving & 1) {
            c->rows.nonbasic[driving >> 1] = 0;
        }
        // Column, ratio test, exchange, until z0 leaves.
        View    v;
        Sweep   sweep;
        Leaving leaving;
        look(c, &v);
        if (!put_rates(&v, driving, input->tie, &sweep) || !choose_leaving(&v, &sweep, &leaving)) {
            return false;
        }
        exchange_compact(&v, driving, &leaving);
        if (leaving.variable == TACT_COMPACT_Z0) {
            return end_path(c, input->accurate);
        }
        driving = leaving.variable ^ 1;
    }
    return false;
}

#endif
