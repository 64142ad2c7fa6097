#include "lcp/sweep/sweep.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "lcp/solver.h"
#include "linalg/lane_loops.h"
#include "linalg/vector.h"

static double clamp_row(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

void tact_lcp_sweep_layout(TactLcpSweep *sweep, int max_n, TactArena *arena)
{
    size_t       n = (size_t)max_n;
    TactLcpSweep lent = {
        .w = tact_arena_take(arena, n, sizeof(double)),
        .lo = tact_arena_take(arena, n, sizeof(double)),
        .hi = tact_arena_take(arena, n, sizeof(double)),
        .inverse = tact_arena_take(arena, n, sizeof(double)),
        .weight = tact_arena_take(arena, n, sizeof(double)),
    };
    if (sweep) {
        *sweep = lent;
    }
}

// ---------------------------------------------------------------------------------------------
// Begin

/// c_j = max(1, max_i |M_ij|) and 1 / M_jj
TACT_CLONES static void measure_dense(int n, const double *M, double *weight, double *inverse)
{
    for (int j = 0; j < n; j++) {
        weight[j] = 1;
    }
    for (int i = 0; i < n; i++) {
        const double *row = M + (size_t)i * (size_t)n;
        for (int j = 0; j < n; j++) {
            double entry = fabs(row[j]);
            weight[j] = entry > weight[j] ? entry : weight[j];
        }
        inverse[i] = 1 / row[i];
    }
}

static void measure_csr(int n, const TactLcpCsr *M, double *weight, double *inverse)
{
    for (int j = 0; j < n; j++) {
        weight[j] = 1;
    }
    for (int i = 0; i < n; i++) {
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            int j = M->column[k];
            weight[j] = fmax(weight[j], fabs(M->value[k]));
            if (j == i) {
                inverse[i] = 1 / M->value[k];
            }
        }
    }
}

/// Friction rows into the bounds of the normal forces as they stand.
static void project_friction(const TactLcpProblem *problem, double *z)
{
    for (int i = 0; i < problem->n && problem->f_index; i++) {
        if (problem->f_index[i] >= 0) {
            z[i] = clamp_row(z[i], tact_lcp_lo(problem, z, i), tact_lcp_hi(problem, z, i));
        }
    }
}

void tact_lcp_sweep_begin(TactLcpSweep *sweep, const TactLcpProblem *problem, const double *start,
                          double *z)
{
    int n = problem->n;
    sweep->problem = problem;
    sweep->z = z;
    sweep->scale = tact_lcp_scale(problem);
    sweep->keeps_w = false;
    if (problem->M) {
        measure_dense(n, problem->M, sweep->weight, sweep->inverse);
    } else if (n > 0) {
        measure_csr(n, problem->M_csr, sweep->weight, sweep->inverse);
    }
    for (int i = 0; i < n; i++) {
        sweep->lo[i] = problem->lo ? problem->lo[i] : 0;
        sweep->hi[i] = problem->hi ? problem->hi[i] : HUGE_VAL;
        z[i] = start ? start[i] : 0;
        if (!problem->f_index || problem->f_index[i] < 0) {
            z[i] = clamp_row(z[i], sweep->lo[i], sweep->hi[i]);
        }
    }
    project_friction(problem, z);
}

// ---------------------------------------------------------------------------------------------
// Sweeps

static const double ROUNDING = 0x1p-53;

/// |mid(c (z - hi), w, c (z - lo))|
static inline double row_error(double c, double z, double w, double lo, double hi)
{
    double low = c * (z - hi);
    double high = c * (z - lo);
    double error = w < low ? low : w > high ? high : w;
    return error < 0 ? -error : error;
}

/// Moves z_i to the zero of w_i along its own axis, or to the bound before it. Returns the change;
/// raises *worst to the error of the row. NaN comes out as NaN.
static inline double relax(const TactLcpSweep *sweep, int i, double w, double *worst)
{
    double lo = sweep->lo[i];
    double hi = sweep->hi[i];
    if (sweep->problem->f_index && sweep->problem->f_index[i] >= 0) {
        lo = tact_lcp_lo(sweep->problem, sweep->z, i);
        hi = tact_lcp_hi(sweep->problem, sweep->z, i);
    }
    double z = sweep->z[i];
    double error = row_error(sweep->weight[i], z, w, lo, hi);
    *worst = error <= *worst ? *worst : error;
    double moved = z - w * sweep->inverse[i];
    moved = moved < lo ? lo : moved > hi ? hi : moved;
    sweep->z[i] = moved;
    return moved - z;
}

/// What rounding may do to w when z_i changes.
static inline double drift(const TactLcpSweep *sweep, int i, double change)
{
    return ROUNDING * sweep->weight[i] * fabs(change);
}

// Column i of a symmetric matrix is row i, which lies in one piece: after each change of z_i all
// of w follows, and where z_i stays (at its bound, say) nothing is to be done. Summing row i anew
// instead costs several times as much up to some hundred unknowns: all rows count, and z has just
// been written to.
TACT_CLONES static double sweep_symmetric(TactLcpSweep *sweep)
{
    int           n = sweep->problem->n;
    const double *M = sweep->problem->M;
    double        worst = 0;
    bool          moved = false;
    for (int i = 0; i < n; i++) {
        double change = relax(sweep, i, sweep->w[i], &worst);
        if (change != 0) {
            moved = true;
            sweep->drift += drift(sweep, i, change);
            tact_lanes_axpy(n, change, M + (size_t)i * (size_t)n, sweep->w);
        }
    }
    sweep->moved = moved;
    return worst;
}

/// w += change M_:i
static inline void csr_axpy(const TactLcpCsr *M, int i, double change, double *w)
{
    for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
        w[M->column[k]] += change * M->value[k];
    }
}

static double sweep_symmetric_csr(TactLcpSweep *sweep)
{
    double worst = 0;
    bool   moved = false;
    for (int i = 0; i < sweep->problem->n; i++) {
        double change = relax(sweep, i, sweep->w[i], &worst);
        if (change != 0) {
            moved = true;
            sweep->drift += drift(sweep, i, change);
            csr_axpy(sweep->problem->M_csr, i, change, sweep->w);
        }
    }
    sweep->moved = moved;
    return worst;
}

TACT_CLONES static double sweep_dense(TactLcpSweep *sweep)
{
    int           n = sweep->problem->n;
    const double *M = sweep->problem->M;
    double        worst = 0;
    bool          moved = false;
    for (int i = 0; i < n; i++) {
        double w = sweep->problem->q[i] + tact_lanes_dot(n, M + (size_t)i * (size_t)n, sweep->z);
        sweep->w[i] = w;
        moved |= relax(sweep, i, w, &worst) != 0;
    }
    sweep->moved = moved;
    return worst;
}

/// M_i: z in four lanes
static inline double csr_dot(const TactLcpCsr *M, int i, const double *z)
{
    double lane[4] = {0};
    int    k = M->row_start[i];
    int    end = M->row_start[i + 1];
    for (; k + 4 <= end; k += 4) {
        lane[0] += M->value[k] * z[M->column[k]];
        lane[1] += M->value[k + 1] * z[M->column[k + 1]];
        lane[2] += M->value[k + 2] * z[M->column[k + 2]];
        lane[3] += M->value[k + 3] * z[M->column[k + 3]];
    }
    for (; k < end; k++) {
        lane[0] += M->value[k] * z[M->column[k]];
    }
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

TACT_CLONES static double sweep_csr(TactLcpSweep *sweep)
{
    double worst = 0;
    bool   moved = false;
    for (int i = 0; i < sweep->problem->n; i++) {
        double w = sweep->problem->q[i] + csr_dot(sweep->problem->M_csr, i, sweep->z);
        sweep->w[i] = w;
        moved |= relax(sweep, i, w, &worst) != 0;
    }
    sweep->moved = moved;
    return worst;
}

double tact_lcp_sweep_run(TactLcpSweep *sweep)
{
    if (sweep->keeps_w) {
        return sweep->problem->M ? sweep_symmetric(sweep) : sweep_symmetric_csr(sweep);
    }
    return sweep->problem->M ? sweep_dense(sweep) : sweep_csr(sweep);
}

void tact_lcp_sweep_move(TactLcpSweep *sweep, int i, double value)
{
    int    n = sweep->problem->n;
    double change = value - sweep->z[i];
    sweep->z[i] = value;
    sweep->drift += drift(sweep, i, change);
    if (change != 0 && sweep->problem->M) {
        tact_vec_axpy(n, change, sweep->problem->M + (size_t)i * (size_t)n, sweep->w);
    } else if (change != 0) {
        csr_axpy(sweep->problem->M_csr, i, change, sweep->w);
    }
}

// ---------------------------------------------------------------------------------------------
// Refresh

TACT_CLONES static void refresh_csr(TactLcpSweep *sweep)
{
    const TactLcpCsr *M = sweep->problem->M_csr;
    for (int i = 0; i < sweep->problem->n; i++) {
        double sum = sweep->problem->q[i];
        double rest = 0;
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            double z = sweep->z[M->column[k]];
            double product = M->value[k] * z;
            double next = sum + product;
            double part = next - sum;
            rest += (sum - (next - part)) + (product - part) + fma(M->value[k], z, -product);
            sum = next;
        }
        sweep->w[i] = sum + rest;
    }
}

double tact_lcp_sweep_error(const TactLcpSweep *sweep)
{
    double worst = 0;
    for (int i = 0; i < sweep->problem->n; i++) {
        double lo = tact_lcp_lo(sweep->problem, sweep->z, i);
        double hi = tact_lcp_hi(sweep->problem, sweep->z, i);
        double error = row_error(sweep->weight[i], sweep->z[i], sweep->w[i], lo, hi);
        worst = error <= worst ? worst : error;
    }
    return worst;
}

double tact_lcp_sweep_refresh(TactLcpSweep *sweep)
{
    const TactLcpProblem *problem = sweep->problem;
    int                   n = problem->n;
    project_friction(problem, sweep->z);
    if (problem->M) {
        for (int i = 0; i < n; i++) {
            const double *row = problem->M + (size_t)i * (size_t)n;
            sweep->w[i] = -tact_vec_residual(n, row, sweep->z, -problem->q[i]);
        }
    } else if (n > 0) {
        refresh_csr(sweep);
    }
    sweep->drift = 0;
    return tact_lcp_sweep_error(sweep);
}

void tact_lcp_sweep_settle(TactLcpSweep *sweep, double tolerance)
{
    // The negation also catches NaN.
    if (!(sweep->drift <= tolerance / 10)) {
        tact_lcp_sweep_refresh(sweep);
    }
}

void tact_lcp_sweep_basis(const TactLcpSweep *sweep, unsigned char *basis)
{
    for (int i = 0; i < sweep->problem->n; i++) {
        double z = sweep->z[i];
        basis[i] = TACT_LCP_STATE_BASIC;
        if (z == tact_lcp_lo(sweep->problem, sweep->z, i)) {
            basis[i] = TACT_LCP_STATE_AT_LO;
        } else if (z == tact_lcp_hi(sweep->problem, sweep->z, i)) {
            basis[i] = TACT_LCP_STATE_AT_HI;
        }
    }
}
