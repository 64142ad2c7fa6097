// Dantzig: the sets C and N, what is kept for them, and where the variables of N are.
#include <math.h>
#include <string.h>

#include "lcp/dantzig/dantzig.h"
#include "linalg/vector.h"

// A pivot of a fresh factor not larger than this, relative to its diagonal entry, is rounding.
static const double DEPENDENT = 1e-13;

static const double *clamped_row(const TactDantzig *self, int i)
{
    return self->M + (size_t)i * (size_t)self->n;
}

static double *row_at(const TactDantzig *self, int place)
{
    return self->MCN + (size_t)self->clamped.row[place] * self->ld;
}

// ---------------------------------------------------------------------------------------------
// Variables of N

/// In which directions a variable may be driven.
static void open_ways(TactDantzig *self, int i)
{
    int  state = self->state[i], at = self->place[i];
    bool fixed = !(self->lo[i] < self->hi[i]);
    self->outer.up[at] = state == TACT_DANTZIG_HI || fixed ? 0 : self->r[i];
    self->outer.down[at] = state == TACT_DANTZIG_LO || fixed ? 0 : self->r[i];
}

void tact_dantzig_put(TactDantzig *self, int i, TactDantzigState state)
{
    double lo = self->lo[i], hi = self->hi[i];
    if (state == TACT_DANTZIG_HI && isinf(hi)) {
        state = TACT_DANTZIG_LO;
    }
    if (state == TACT_DANTZIG_LO && isinf(lo)) {
        state = isinf(hi) ? TACT_DANTZIG_REST : TACT_DANTZIG_HI;
    }
    if (state == TACT_DANTZIG_REST && lo >= 0) {
        state = TACT_DANTZIG_LO;
    } else if (state == TACT_DANTZIG_REST && hi <= 0) {
        state = TACT_DANTZIG_HI;
    }
    self->state[i] = (unsigned char)state;
    self->z[i] = state == TACT_DANTZIG_LO ? lo : state == TACT_DANTZIG_HI ? hi : 0;
    open_ways(self, i);
}

void tact_dantzig_rest(TactDantzig *self, int i)
{
    if (self->lo[i] < self->z[i] && self->z[i] < self->hi[i]) {
        self->state[i] = TACT_DANTZIG_REST;
    }
    open_ways(self, i);
}

void tact_dantzig_mute(TactDantzig *self, int i)
{
    self->muted.index[self->muted.count++] = i;
    self->outer.up[self->place[i]] = self->outer.down[self->place[i]] = 0;
}

void tact_dantzig_unmute(TactDantzig *self)
{
    while (self->muted.count > 0) {
        int i = self->muted.index[--self->muted.count];
        if (self->state[i] != TACT_DANTZIG_CLAMPED) {
            open_ways(self, i);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// From N to C and back

static void join_outside(TactDantzig *self, int i)
{
    int at = self->outer.count++;
    self->outer.index[at] = i;
    self->outer.r[at] = self->r[i];
    self->outer.w[at] = 0;
    self->place[i] = at;
}

/// The last of N takes the place of i.
static void leave_outside(TactDantzig *self, int i)
{
    int at = self->place[i];
    int last = --self->outer.count;
    self->outer.index[at] = self->outer.index[last];
    self->place[self->outer.index[at]] = at;
    self->outer.w[at] = self->outer.w[last];
    self->outer.up[at] = self->outer.up[last];
    self->outer.down[at] = self->outer.down[last];
    self->outer.r[at] = self->outer.r[last];
    for (int k = 0; k < self->ldl.n; k++) {
        double *row = row_at(self, k);
        row[at] = row[last];
    }
}

/// What is kept by place in C of an index that is in the factor.
static void fill_place(TactDantzig *self, int k)
{
    int           i = self->clamped.index[k];
    const double *row = clamped_row(self, i);
    double       *out = row_at(self, k);
    self->place[i] = k;
    self->clamped.z[k] = self->z[i];
    self->clamped.lo[k] = self->lo[i];
    self->clamped.hi[k] = self->hi[i];
    self->clamped.s[k] = self->s[i];
    for (int c = 0; c < self->outer.count; c++) {
        out[c] = row[self->outer.index[c]];
    }
    tact_vec_axpy(self->n, tact_dantzig_sign(i), row, self->probe);
}

void tact_dantzig_clamp(TactDantzig *self, int i, const double *y, double pivot)
{
    int k = self->ldl.n;
    leave_outside(self, i);
    self->clamped.index[k] = i;
    self->state[i] = TACT_DANTZIG_CLAMPED;
    fill_place(self, k);
    tact_ldl_append(&self->ldl, y, pivot);
}

void tact_dantzig_unclamp(TactDantzig *self, int place, TactDantzigState state)
{
    int     i = self->clamped.index[place];
    int     count = self->ldl.n - 1;
    int     free_row = self->clamped.row[place];
    double *arrays[] = {self->clamped.z, self->clamped.lo, self->clamped.hi, self->clamped.s};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        double *at = arrays[a] + place;
        memmove(at, at + 1, (size_t)(count - place) * sizeof *at);
    }
    for (int k = place; k < count; k++) {
        self->clamped.index[k] = self->clamped.index[k + 1];
        self->clamped.row[k] = self->clamped.row[k + 1];
        self->place[self->clamped.index[k]] = k;
    }
    self->clamped.row[count] = free_row;
    tact_ldl_remove(&self->ldl, place);
    join_outside(self, i);
    const double *row = clamped_row(self, i);
    for (int k = 0; k < count; k++) {
        row_at(self, k)[self->outer.count - 1] = row[self->clamped.index[k]];
    }
    tact_vec_axpy(self->n, -tact_dantzig_sign(i), row, self->probe);
    tact_dantzig_put(self, i, state);
    self->guarded.index[self->guarded.count++] = i;
}

// ---------------------------------------------------------------------------------------------
// All at once

/// Factors the first count indices of C. Those that depend on the others go where they rest, or to
/// the nearer bound if they have been somewhere.
static void factor_clamped(TactDantzig *self, int count, bool rest)
{
    tact_ldl_factor(&self->ldl, count, self->M, self->n, self->clamped.index, DEPENDENT);
    for (int k = self->ldl.n; k < count; k++) {
        int  i = self->clamped.index[k];
        bool low = self->z[i] - self->lo[i] <= self->hi[i] - self->z[i];
        int  state = rest ? TACT_DANTZIG_REST : low ? TACT_DANTZIG_LO : TACT_DANTZIG_HI;
        join_outside(self, i);
        tact_dantzig_put(self, i, (TactDantzigState)state);
    }
    memset(self->probe, 0, (size_t)self->n * sizeof *self->probe);
    for (int k = 0; k < self->ldl.n; k++) {
        fill_place(self, k);
    }
}

void tact_dantzig_refactor(TactDantzig *self)
{
    int count = self->ldl.n;
    for (int k = 0; k < count; k++) {
        self->z[self->clamped.index[k]] = self->clamped.z[k];
    }
    factor_clamped(self, count, false);
    self->report->refactors++;
    self->report->pivots += count - self->ldl.n;
}

static void clear(TactDantzig *self)
{
    self->outer.count = self->guarded.count = self->muted.count = 0;
    for (int i = 0; i < self->n; i++) {
        self->clamped.row[i] = i;
    }
}

/// Free variables are clamped in any case, as far as they are independent.
static bool is_clamped_at_start(const TactDantzig *self, const unsigned char *basis,
                                const double *z, int i)
{
    if (isinf(self->lo[i]) && isinf(self->hi[i])) {
        return true;
    }
    bool inside = self->lo[i] < 0 && 0 < self->hi[i];
    bool at_rest = z && z[i] == 0 && inside;
    return basis && basis[i] == TACT_LCP_STATE_BASIC && self->lo[i] < self->hi[i] && !at_rest;
}

// Free variables come first in the factor: what depends on them alone, depends on them for good.
void tact_dantzig_start(TactDantzig *self, const unsigned char *basis, const double *z)
{
    int count = 0;
    clear(self);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < self->n; i++) {
            bool is_free = isinf(self->lo[i]) && isinf(self->hi[i]);
            if (is_free != (pass == 0)) {
                continue;
            }
            if (is_clamped_at_start(self, basis, z, i)) {
                self->clamped.index[count++] = i;
                self->state[i] = TACT_DANTZIG_CLAMPED;
                self->z[i] = 0;
            } else {
                bool at_bound = basis && basis[i] != TACT_LCP_STATE_BASIC;
                join_outside(self, i);
                int state = at_bound ? basis[i] : TACT_DANTZIG_REST;
                tact_dantzig_put(self, i, (TactDantzigState)state);
            }
        }
    }
    factor_clamped(self, count, true);
    self->known = false;
}

void tact_dantzig_save(TactDantzig *self)
{
    memcpy(self->saved.z, self->z, (size_t)self->n * sizeof *self->z);
    memcpy(self->saved.state, self->state, (size_t)self->n * sizeof *self->state);
}

void tact_dantzig_revert(TactDantzig *self)
{
    int count = 0;
    memcpy(self->z, self->saved.z, (size_t)self->n * sizeof *self->z);
    memcpy(self->state, self->saved.state, (size_t)self->n * sizeof *self->state);
    clear(self);
    for (int i = 0; i < self->n; i++) {
        if (self->state[i] == TACT_DANTZIG_CLAMPED) {
            self->clamped.index[count++] = i;
        } else {
            join_outside(self, i);
            open_ways(self, i);
        }
    }
    factor_clamped(self, count, false);
    tact_dantzig_restore(self);
}
