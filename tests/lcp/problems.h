// Random problems, and a solve in one call, for the tests of lcp.
#ifndef TESTS_LCP_PROBLEMS_H
#define TESTS_LCP_PROBLEMS_H

#include "linalg/matrices.h"
// clang-format off
#include <tact/lcp.h>
// clang-format on

enum { PROBLEM_MAX = 200 };

/// Every method that is there.
#define FOR_EACH_METHOD(method)                                                             \
    for (TactLcpMethod method = (TactLcpMethod)0; method < TACT_LCP_METHOD_COUNT; method++) \
        if (tact_lcp_method_info(method))

static const double INF = HUGE_VAL;

/// A problem that owns its arrays.
typedef struct Owned {
    TactLcpProblem problem;
    double        *M, *q, *lo, *hi;
    TactLcpCsr     csr;
    int           *row_start, *column;
    double        *value;
} Owned;

static inline Owned new_problem(int n)
{
    Owned owned = {
        .M = new_doubles(n * n), .q = new_doubles(n), .lo = new_doubles(n), .hi = new_doubles(n)};
    for (int i = 0; i < n; i++) {
        owned.hi[i] = INF;
    }
    owned.problem = (TactLcpProblem){.n = n, .M = owned.M, .q = owned.q};
    return owned;
}

static inline void free_problem(Owned *owned)
{
    free(owned->M);
    free(owned->q);
    free(owned->lo);
    free(owned->hi);
    free(owned->row_start);
    free(owned->column);
    free(owned->value);
}

/// Lets every variable be standard, bounded on both sides, above only, free, or fixed.
static inline void set_random_bounds(TactRandom *random, Owned *owned)
{
    owned->problem.lo = owned->lo;
    owned->problem.hi = owned->hi;
    for (int i = 0; i < owned->problem.n; i++) {
        double a = tact_random_uniform(random, -1, 1);
        double b = tact_random_uniform(random, 0, 1);
        switch (tact_random_next(random) % 6) {
        case 0:
        case 1: owned->lo[i] = 0, owned->hi[i] = INF; break;
        case 2: owned->lo[i] = a, owned->hi[i] = a + b; break;
        case 3: owned->lo[i] = -INF, owned->hi[i] = a; break;
        case 4: owned->lo[i] = -INF, owned->hi[i] = INF; break;
        default: owned->lo[i] = owned->hi[i] = a; break;
        }
    }
}

/// The same problem with its matrix in CSR, zeros left out.
static inline TactLcpProblem to_csr(Owned *owned)
{
    int n = owned->problem.n;
    owned->row_start = calloc((size_t)n + 1, sizeof *owned->row_start);
    owned->column = calloc((size_t)(n * n + 1), sizeof *owned->column);
    owned->value = new_doubles(n * n);
    assert_true(owned->row_start && owned->column);
    int k = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (owned->M[i * n + j] != 0) {
                owned->column[k] = j;
                owned->value[k++] = owned->M[i * n + j];
            }
        }
        owned->row_start[i + 1] = k;
    }
    owned->csr = (TactLcpCsr){owned->row_start, owned->column, owned->value};
    TactLcpProblem problem = owned->problem;
    problem.M = NULL;
    problem.M_csr = &owned->csr;
    return problem;
}

/// Creates, solves from the given start (NULL: none), destroys.
static inline TactStatus solve_with(TactLcpConfig config, const TactLcpProblem *problem,
                                    const double *start, double *z, TactLcpReport *report)
{
    TactLcpSolver *solver = NULL;
    config.storage = problem->M_csr ? TACT_LCP_STORAGE_SPARSE : TACT_LCP_STORAGE_DENSE;
    TactStatus status = tact_lcp_solver_create(problem->n, &config, &solver);
    if (status == TACT_OK && start) {
        status = tact_lcp_solver_set_start(solver, problem->n, start, NULL);
    }
    if (status == TACT_OK) {
        status = tact_lcp_solve(solver, problem, z, report);
    }
    tact_lcp_solver_destroy(solver);
    return status;
}

static inline TactStatus solve(TactLcpMethod method, const TactLcpProblem *problem, double *z,
                               TactLcpReport *report)
{
    return solve_with(tact_lcp_config_default(method), problem, NULL, z, report);
}

#endif
