// Is this a problem at all? Sizes, NaN, bounds, indices: with the element at fault.
#include <math.h>

#include "base/status.h"
#include "lcp/solver.h"

/// x * 0 is 0 for a finite x and NaN otherwise, so one sum finds out without a branch.
static bool all_finite(const double *x, size_t count)
{
    double sum[8] = {0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        for (int k = 0; k < 8; k++) {
            sum[k] += x[i + (size_t)k] * 0.0;
        }
    }
    for (; i < count; i++) {
        sum[0] += x[i] * 0.0;
    }
    double total = 0;
    for (int k = 0; k < 8; k++) {
        total += sum[k];
    }
    return total == 0;
}

static TactStatus check_dense(int n, const double *M)
{
    size_t count = (size_t)n * (size_t)n;
    if (all_finite(M, count)) {
        return TACT_OK;
    }
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(M[k])) {
            return tact_fail(TACT_BAD_INPUT, "M[%zu,%zu] is %g", k / (size_t)n, k % (size_t)n,
                             M[k]);
        }
    }
    return TACT_OK;
}

static TactStatus check_sparse(int n, const TactLcpCsr *M)
{
    if (!M->row_start || !M->column || !M->value) {
        return tact_fail(TACT_BAD_ARGUMENT, "the sparse matrix has a NULL array");
    }
    if (M->row_start[0] != 0) {
        return tact_fail(TACT_BAD_INPUT, "row_start[0] is %d, not 0", M->row_start[0]);
    }
    for (int i = 0; i < n; i++) {
        if (M->row_start[i + 1] < M->row_start[i]) {
            return tact_fail(TACT_BAD_INPUT, "row_start[%d] = %d is less than row_start[%d] = %d",
                             i + 1, M->row_start[i + 1], i, M->row_start[i]);
        }
        int previous = -1;
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            if (M->column[k] <= previous || M->column[k] >= n) {
                return tact_fail(TACT_BAD_INPUT,
                                 "row %d: column %d at place %d is out of range or out of order", i,
                                 M->column[k], k);
            }
            previous = M->column[k];
            if (!isfinite(M->value[k])) {
                return tact_fail(TACT_BAD_INPUT, "M[%d,%d] is %g", i, M->column[k], M->value[k]);
            }
        }
    }
    return TACT_OK;
}

static TactStatus check_bounds(const TactLcpProblem *problem, int i)
{
    double lo = problem->lo ? problem->lo[i] : 0;
    double hi = problem->hi ? problem->hi[i] : HUGE_VAL;
    int    f = problem->f_index ? problem->f_index[i] : -1;
    if (f < -1) {
        return tact_fail(TACT_BAD_INPUT, "f_index[%d] = %d is neither a row nor -1", i, f);
    }
    if (f >= 0) {
        if (f >= problem->n || f == i || problem->f_index[f] >= 0) {
            return tact_fail(TACT_BAD_INPUT,
                             "f_index[%d] = %d is not the index of another, frictionless row", i,
                             f);
        }
        if (!problem->hi || !(hi >= 0) || isinf(hi)) {
            return tact_fail(TACT_BAD_INPUT, "hi[%d] = %g is not a friction coefficient", i, hi);
        }
        return TACT_OK;
    }
    // The negation also catches NaN.
    if (!(lo <= hi) || lo == HUGE_VAL || hi == -HUGE_VAL) {
        return tact_fail(TACT_BAD_INPUT, "bounds %d: [%g, %g] is not an interval", i, lo, hi);
    }
    return TACT_OK;
}

TactStatus tact_lcp_check(const TactLcpProblem *problem)
{
    if (!problem) {
        return tact_fail(TACT_BAD_ARGUMENT, "the problem is NULL");
    }
    int n = problem->n;
    if (n < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "n is %d", n);
    }
    if (n == 0) {
        return TACT_OK;
    }
    if (!problem->q || !problem->M == !problem->M_csr) {
        return tact_fail(TACT_BAD_ARGUMENT, "a problem needs q and one of M and M_csr");
    }
    TACT_TRY(problem->M ? check_dense(n, problem->M) : check_sparse(n, problem->M_csr));
    for (int i = 0; i < n; i++) {
        if (!isfinite(problem->q[i])) {
            return tact_fail(TACT_BAD_INPUT, "q[%d] is %g", i, problem->q[i]);
        }
    }
    if (problem->lo || problem->hi || problem->f_index) {
        for (int i = 0; i < n; i++) {
            TACT_TRY(check_bounds(problem, i));
        }
    }
    return TACT_OK;
}
