// Dantzig: values from the raw data.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "lcp/dantzig/dantzig.h"
#include "linalg/lane_loops.h"
#include "linalg/vector.h"

// w_C is refined while it is larger than this, relative to what it is summed from, and while that
// helps.
static const double REFINED = 4 * 0x1p-52;

// An index of C this far outside its bounds, relative to all of z, is still taken to be on them.
static const double OUTSIDE = 1e-13;

enum { MAX_REFINEMENTS = 4, ROWS = 8 };

// ---------------------------------------------------------------------------------------------
// Sums

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

TACT_CLONES void tact_dantzig_add_rows(int n, const double *rows, size_t ld, int count,
                                       const int *index, const double *coef, double *out)
{
    int k = 0;
    for (; k + ROWS <= count; k += ROWS) {
        const double *x[ROWS];
        double        a[ROWS];
        for (int r = 0; r < ROWS; r++) {
            x[r] = rows + (size_t)index[k + r] * ld;
            a[r] = coef[k + r];
        }
        add_eight(n, a, x, out);
    }
    for (; k < count; k++) {
        tact_lanes_axpy(n, coef[k], rows + (size_t)index[k] * ld, out);
    }
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
// Restore

/// all_w = q + M_:N z_N
static void sum_outside(TactDantzig *self)
{
    size_t n = (size_t)self->n;
    memcpy(self->all_w, self->q, n * sizeof *self->all_w);
    for (int c = 0; c < self->outer.count; c++) {
        size_t i = (size_t)self->outer.index[c];
        if (self->z[i] != 0) {
            tact_vec_axpy(self->n, self->z[i], self->M + i * n, self->all_w);
        }
    }
}

static void measure_size(TactDantzig *self)
{
    double clamped = tact_dantzig_sum_abs(self->ldl.n, self->clamped.s, self->clamped.z);
    self->sums.size = tact_dantzig_sum_abs(self->n, self->s, self->z);
    self->sums.outside = fmax(self->sums.size - clamped, 0);
}

/// w_C = M_C: z + q_C in double-double. Returns the largest |w_i / s_i|.
static double residual_of_clamped(const TactDantzig *self, double *residual)
{
    double worst = 0;
    for (int k = 0; k < self->ldl.n; k++) {
        size_t i = (size_t)self->clamped.index[k];
        residual[k] =
            -tact_vec_residual(self->n, self->M + i * (size_t)self->n, self->z, -self->q[i]);
        double error = fabs(residual[k]) * self->r[i];
        worst = error > worst ? error : worst;
    }
    return worst;
}

/// z_C -= M_CC^-1 residual
static void correct(TactDantzig *self, double *residual)
{
    tact_ldl_solve(&self->ldl, residual, residual);
    for (int k = 0; k < self->ldl.n; k++) {
        self->clamped.z[k] -= residual[k];
        self->z[self->clamped.index[k]] = self->clamped.z[k];
    }
}

static void solve_clamped(TactDantzig *self)
{
    double *residual = self->work;
    for (int k = 0; k < self->ldl.n; k++) {
        residual[k] = self->all_w[self->clamped.index[k]];
        self->clamped.z[k] = 0;
    }
    correct(self, residual);
    double last = HUGE_VAL;
    for (int step = 0; step < MAX_REFINEMENTS; step++) {
        measure_size(self);
        self->sums.residual = residual_of_clamped(self, residual);
        if (self->sums.residual <= REFINED * (self->sums.unit + self->sums.size) ||
            self->sums.residual > 0.5 * last) {
            break;
        }
        last = self->sums.residual;
        correct(self, residual);
    }
}

/// Indices outside their bounds leave C; false if there are none.
static bool drop_outsiders(TactDantzig *self)
{
    bool   dropped = false;
    double slack = OUTSIDE * (self->sums.unit + self->sums.size);
    for (int k = self->ldl.n - 1; k >= 0; k--) {
        bool below = (self->clamped.lo[k] - self->clamped.z[k]) * self->clamped.s[k] > slack;
        bool above = (self->clamped.z[k] - self->clamped.hi[k]) * self->clamped.s[k] > slack;
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
    tact_dantzig_add_rows(self->n, self->M, (size_t)self->n, self->ldl.n, self->clamped.index,
                          self->clamped.z, self->all_w);
    for (int c = 0; c < self->outer.count; c++) {
        self->outer.w[c] = self->all_w[self->outer.index[c]];
    }
    self->sums.moved = 0;
    self->known = true;
}
