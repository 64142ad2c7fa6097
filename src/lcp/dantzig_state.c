// Dantzig: states, the factor of the clamped block, and values from the raw data.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "lcp/dantzig.h"
#include "linalg/lanes.h"
#include "linalg/vector.h"

// A pivot of a fresh factor not larger than this, relative to its diagonal entry, is rounding.
static const double DEPENDENT = 1e-13;

// w_C is refined while it is larger than this, relative to what it is summed from, and while that
// helps.
static const double REFINED = 4 * 0x1p-52;

// An index of C this far outside its bounds, relative to all of z, is still taken to be on them.
static const double OUTSIDE = 1e-13;

enum { MAX_REFINEMENTS = 4 };

// ---------------------------------------------------------------------------------------------
// Sums of rows

enum { ROWS = 8 };

/// y += a_0 x_0 + ... + a_7 x_7, one after the other.
TACT_LANES_INLINE void add_eight(int n, const double *a, const double *const *x, double *y)
{
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        TactLanes sum = *tact_lanes_at(y + i);
        sum += a[0] * *tact_lanes_at(x[0] + i);
        sum += a[1] * *tact_lanes_at(x[1] + i);
        sum += a[2] * *tact_lanes_at(x[2] + i);
        sum += a[3] * *tact_lanes_at(x[3] + i);
        sum += a[4] * *tact_lanes_at(x[4] + i);
        sum += a[5] * *tact_lanes_at(x[5] + i);
        sum += a[6] * *tact_lanes_at(x[6] + i);
        sum += a[7] * *tact_lanes_at(x[7] + i);
        *(TactLanes *)(y + i) = sum;
    }
    for (; i < n; i++) {
        double sum = y[i];
        for (int r = 0; r < ROWS; r++) {
            sum += a[r] * x[r][i];
        }
        y[i] = sum;
    }
}

TACT_CLONES static void add_rows(int n, const double *M, int count, const int *index,
                                 const double *coef, double *out)
{
    int k = 0;
    for (; k + ROWS <= count; k += ROWS) {
        const double *rows[ROWS];
        double        a[ROWS];
        for (int r = 0; r < ROWS; r++) {
            rows[r] = M + (size_t)index[k + r] * (size_t)n;
            a[r] = coef[k + r];
        }
        add_eight(n, a, rows, out);
    }
    for (; k < count; k++) {
        tact_lanes_axpy(n, coef[k], M + (size_t)index[k] * (size_t)n, out);
    }
}

void tact_dantzig_add_rows(const TactDantzig *self, int count, const int *index, const double *coef,
                           double *out)
{
    add_rows(self->n, self->M, count, index, coef, out);
}

TACT_CLONES double tact_dantzig_sum_abs(int count, const double *a, const double *b)
{
    TactLanes sum = {0};
    int       i = 0;
    for (; i + 4 <= count; i += 4) {
        TactLanes product = *tact_lanes_at(a + i) * *tact_lanes_at(b + i);
        sum += TACT_LANES_ABS(product);
    }
    double total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    for (; i < count; i++) {
        total += fabs(a[i] * b[i]);
    }
    return total;
}

// ---------------------------------------------------------------------------------------------
// States

/// In which directions a variable outside C may be driven.
static void open_ways(TactDantzig *self, int i)
{
    int  state = self->state[i];
    bool fixed = !(self->lo[i] < self->hi[i]);
    self->up[i] = state == TACT_DANTZIG_HI || fixed ? 0 : self->r[i];
    self->down[i] = state == TACT_DANTZIG_LO || fixed ? 0 : self->r[i];
}

void tact_dantzig_place(TactDantzig *self, int i, TactDantzigState state)
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

void tact_dantzig_mute(TactDantzig *self, int i)
{
    self->muted[self->muted_count++] = i;
    self->up[i] = self->down[i] = 0;
}

void tact_dantzig_unmute(TactDantzig *self)
{
    while (self->muted_count > 0) {
        int i = self->muted[--self->muted_count];
        if (self->state[i] != TACT_DANTZIG_CLAMPED) {
            open_ways(self, i);
        }
    }
}

void tact_dantzig_clamp(TactDantzig *self, int i, double z, const double *y, double pivot)
{
    int k = self->ldl.n;
    self->C[k] = i;
    self->C_z[k] = z;
    self->C_lo[k] = self->lo[i];
    self->C_hi[k] = self->hi[i];
    self->C_s[k] = self->s[i];
    self->state[i] = TACT_DANTZIG_CLAMPED;
    self->up[i] = self->down[i] = 0;
    self->w[i] = 0;
    tact_ldl_append(&self->ldl, y, pivot);
}

void tact_dantzig_unclamp(TactDantzig *self, int place, TactDantzigState state)
{
    int     i = self->C[place];
    size_t  after = (size_t)(self->ldl.n - 1 - place);
    double *arrays[] = {self->C_z, self->C_lo, self->C_hi, self->C_s};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++) {
        double *at = arrays[a] + place;
        memmove(at, at + 1, after * sizeof *at);
    }
    memmove(self->C + place, self->C + place + 1, after * sizeof *self->C);
    tact_ldl_remove(&self->ldl, place);
    tact_dantzig_place(self, i, state);
    self->NC[self->NC_count++] = i;
}

/// Factors the first count indices of C. Those that depend on the others go where they rest, or to
/// the nearer bound if they have been somewhere.
static void factor(TactDantzig *self, int count, bool rest)
{
    tact_ldl_factor(&self->ldl, count, self->M, self->n, self->C, DEPENDENT);
    for (int k = self->ldl.n; k < count; k++) {
        int    i = self->C[k];
        double from_lo = self->z[i] - self->lo[i];
        double from_hi = self->hi[i] - self->z[i];
        tact_dantzig_place(self, i,
                           rest                 ? TACT_DANTZIG_REST
                           : from_lo <= from_hi ? TACT_DANTZIG_LO
                                                : TACT_DANTZIG_HI);
    }
    for (int k = 0; k < self->ldl.n; k++) {
        int i = self->C[k];
        self->C_z[k] = self->z[i];
        self->C_lo[k] = self->lo[i];
        self->C_hi[k] = self->hi[i];
        self->C_s[k] = self->s[i];
    }
}

void tact_dantzig_refactor(TactDantzig *self)
{
    int count = self->ldl.n;
    for (int k = 0; k < count; k++) {
        self->z[self->C[k]] = self->C_z[k];
    }
    factor(self, count, false);
    self->report->refactors++;
    self->report->pivots += count - self->ldl.n;
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
    return basis && basis[i] == TACT_LCP_BASIC && self->lo[i] < self->hi[i] && !at_rest;
}

// Free variables come first in the factor: what depends on them alone, depends on them for good.
void tact_dantzig_start(TactDantzig *self, const unsigned char *basis, const double *z)
{
    int count = 0;
    self->NC_count = self->muted_count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < self->n; i++) {
            bool is_free = isinf(self->lo[i]) && isinf(self->hi[i]);
            if (is_free != (pass == 0)) {
                continue;
            }
            if (is_clamped_at_start(self, basis, z, i)) {
                self->C[count++] = i;
                self->state[i] = TACT_DANTZIG_CLAMPED;
                self->up[i] = self->down[i] = 0;
            } else {
                bool at_bound = basis && basis[i] != TACT_LCP_BASIC;
                int  state = at_bound ? basis[i] : TACT_DANTZIG_REST;
                tact_dantzig_place(self, i, (TactDantzigState)state);
            }
        }
    }
    factor(self, count, true);
}

void tact_dantzig_rest(TactDantzig *self, int i)
{
    if (self->lo[i] < self->z[i] && self->z[i] < self->hi[i]) {
        self->state[i] = TACT_DANTZIG_REST;
    }
    open_ways(self, i);
}

void tact_dantzig_save(TactDantzig *self)
{
    memcpy(self->saved_z, self->z, (size_t)self->n * sizeof *self->z);
    memcpy(self->saved_state, self->state, (size_t)self->n * sizeof *self->state);
}

void tact_dantzig_revert(TactDantzig *self)
{
    int count = 0;
    memcpy(self->z, self->saved_z, (size_t)self->n * sizeof *self->z);
    memcpy(self->state, self->saved_state, (size_t)self->n * sizeof *self->state);
    self->NC_count = self->muted_count = 0;
    for (int i = 0; i < self->n; i++) {
        if (self->state[i] == TACT_DANTZIG_CLAMPED) {
            self->C[count++] = i;
            self->up[i] = self->down[i] = 0;
        } else {
            open_ways(self, i);
        }
    }
    factor(self, count, false);
    tact_dantzig_restore(self);
}

// ---------------------------------------------------------------------------------------------
// Values from the raw data

/// w = q + M z over what is outside C.
static void sum_outside(TactDantzig *self)
{
    int    n = self->n;
    int    index[4];
    double coef[4];
    int    count = 0;
    memcpy(self->w, self->q, (size_t)n * sizeof *self->w);
    for (int i = 0; i < n; i++) {
        if (self->z[i] != 0 && self->state[i] != TACT_DANTZIG_CLAMPED) {
            index[count] = i;
            coef[count++] = self->z[i];
        }
        if (count == 4 || (i == n - 1 && count > 0)) {
            tact_dantzig_add_rows(self, count, index, coef, self->w);
            count = 0;
        }
    }
}

static void measure_size(TactDantzig *self)
{
    double clamped = tact_dantzig_sum_abs(self->ldl.n, self->C_s, self->C_z);
    self->size = tact_dantzig_sum_abs(self->n, self->s, self->z);
    self->outside = fmax(self->size - clamped, 0);
}

/// w_C = M_C: z + q_C in double-double. Returns the largest |w_i / s_i|.
static double residual_of_clamped(const TactDantzig *self, double *residual)
{
    double worst = 0;
    for (int k = 0; k < self->ldl.n; k++) {
        size_t i = (size_t)self->C[k];
        residual[k] =
            -tact_vec_residual(self->n, self->M + i * (size_t)self->n, self->z, -self->q[i]);
        worst = fmax(worst, fabs(residual[k]) / self->s[i]);
    }
    return worst;
}

/// z_C -= M_CC^-1 residual
static void correct(TactDantzig *self, double *residual)
{
    tact_ldl_solve(&self->ldl, residual, residual);
    for (int k = 0; k < self->ldl.n; k++) {
        self->C_z[k] -= residual[k];
        self->z[self->C[k]] = self->C_z[k];
    }
}

static void solve_clamped(TactDantzig *self)
{
    double *residual = self->work;
    for (int k = 0; k < self->ldl.n; k++) {
        residual[k] = self->w[self->C[k]];
        self->C_z[k] = 0;
    }
    correct(self, residual);
    double last = HUGE_VAL;
    for (int step = 0; step < MAX_REFINEMENTS; step++) {
        measure_size(self);
        self->residual = residual_of_clamped(self, residual);
        if (self->residual <= REFINED * (self->unit + self->size) || self->residual > 0.5 * last) {
            break;
        }
        last = self->residual;
        correct(self, residual);
    }
}

/// Indices outside their bounds leave C; false if there are none.
static bool drop_outsiders(TactDantzig *self)
{
    bool   dropped = false;
    double slack = OUTSIDE * (self->unit + self->size);
    for (int k = self->ldl.n - 1; k >= 0; k--) {
        bool below = (self->C_lo[k] - self->C_z[k]) * self->C_s[k] > slack;
        bool above = (self->C_z[k] - self->C_hi[k]) * self->C_s[k] > slack;
        if (below || above) {
            tact_dantzig_unclamp(self, k, below ? TACT_DANTZIG_LO : TACT_DANTZIG_HI);
            self->report->pivots++;
            dropped = true;
        }
    }
    return dropped;
}

void tact_dantzig_restore(TactDantzig *self)
{
    tact_dantzig_unmute(self);
    do {
        sum_outside(self);
        solve_clamped(self);
    } while (drop_outsiders(self));
    tact_dantzig_add_rows(self, self->ldl.n, self->C, self->C_z, self->w);
    for (int k = 0; k < self->ldl.n; k++) {
        self->w[self->C[k]] = 0;
    }
    self->moved = 0;
}
