// Create, solve, destroy: the frame around every method. A method never certifies its own answer.
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/status.h"
#include "lcp/solver.h"
#include "linalg/lapack.h"

// ---------------------------------------------------------------------------------------------
// Create and destroy

static TactStatus check_lcp_config(const TactLcpConfig *config)
{
    if (!config || config->cookie != TACT_LCP_COOKIE) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "the config does not come from tact_lcp_config_default()");
    }
    if (!(config->residual_tol > 0) || !(config->pivot_tol > 0) || !(config->lex_tol >= 0) ||
        !(config->search_eps > 0) || !(config->search_error > 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "a tolerance of the config is negative, zero or NaN");
    }
    if (!(config->residual_tol <= TACT_LCP_LARGEST_TOL)) {
        return tact_fail(TACT_BAD_ARGUMENT, "the tolerance is %g: at most %g may be called solved",
                         config->residual_tol, TACT_LCP_LARGEST_TOL);
    }
    if (config->max_pivots < 0 || config->search_nodes < 0 || config->friction_passes < 1 ||
        config->max_iterations < 0 || config->pgs_sweeps < 1 || config->sm_steps < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "a count of the config is out of range");
    }
    if (!(config->max_work >= 0) || !(config->max_time >= 0)) {
        return tact_fail(TACT_BAD_ARGUMENT, "the budget of the config: %g operations, %g s",
                         config->max_work, config->max_time);
    }
    return TACT_OK;
}

static void solver_layout(TactLcpSolver *solver, TactArena *arena)
{
    size_t n = (size_t)solver->max_n;
    solver->basis = tact_arena_take(arena, n, sizeof *solver->basis);
    solver->start_z_memory = tact_arena_take(arena, n, sizeof(double));
    solver->start_basis_memory = tact_arena_take(arena, n, sizeof(unsigned char));
    solver->method->layout(solver, arena);
}

TactStatus tact_lcp_solver_create(int max_n, const TactLcpConfig *config, TactLcpSolver **solver)
{
    if (!solver) {
        return tact_fail(TACT_BAD_ARGUMENT, "solver: the pointer for the result is NULL");
    }
    *solver = NULL;
    TACT_TRY(check_lcp_config(config));
    const TactLcpMethodEntry *method = tact_lcp_method_entry(config->method);
    if (!method) {
        return tact_fail(TACT_BAD_ARGUMENT, "there is no LCP method %d", (int)config->method);
    }
    if (max_n < 0) {
        return tact_fail(TACT_BAD_ARGUMENT, "max_n is %d", max_n);
    }
    if (method->info.max_n > 0 && max_n > method->info.max_n) {
        return tact_fail(TACT_UNSUPPORTED, "method '%s' cannot take n = %d (at most %d)",
                         method->info.name, max_n, method->info.max_n);
    }
    if (config->storage == TACT_LCP_STORAGE_SPARSE &&
        !(method->info.takes & TACT_LCP_TAKES_SPARSE)) {
        return tact_fail(TACT_UNSUPPORTED, "method '%s' cannot take a sparse matrix",
                         method->info.name);
    }
    if (max_n >= TACT_LAPACK_LU_FROM) {
        tact_lapack_prepare();
    }

    TactLcpSolver *created;
    void          *block;
    TACT_TRY(tact_allocate(1, sizeof *created, &block));
    created = block;
    created->config = *config;
    created->method = method;
    created->max_n = max_n;
    solver_layout(created, &created->arena);
    TactStatus status = tact_arena_create(&created->arena);
    if (status != TACT_OK) {
        tact_release(created);
        return status;
    }
    solver_layout(created, &created->arena);
    *solver = created;
    return TACT_OK;
}

void tact_lcp_solver_destroy(TactLcpSolver *solver)
{
    if (solver) {
        tact_arena_destroy(&solver->arena);
        tact_release(solver);
    }
}

// ---------------------------------------------------------------------------------------------
// Start

TactStatus tact_lcp_solver_set_start(TactLcpSolver *solver, int n, const double *z,
                                     const unsigned char *basis)
{
    if (!solver || n < 0 || n > solver->max_n) {
        return tact_fail(TACT_BAD_ARGUMENT, "a start for n = %d does not fit this solver", n);
    }
    for (int i = 0; z && i < n; i++) {
        if (!isfinite(z[i])) {
            return tact_fail(TACT_BAD_INPUT, "the start's z[%d] is %g", i, z[i]);
        }
    }
    for (int i = 0; basis && i < n; i++) {
        if (basis[i] > TACT_LCP_STATE_AT_HI) {
            return tact_fail(TACT_BAD_INPUT, "the start's basis[%d] is %d, not a state", i,
                             basis[i]);
        }
    }
    size_t count = (size_t)n;
    solver->start_n = n;
    solver->start_z = z ? solver->start_z_memory : NULL;
    solver->start_basis = basis ? solver->start_basis_memory : NULL;
    if (z && n > 0) {
        memcpy(solver->start_z, z, count * sizeof *z);
    }
    if (basis && n > 0) {
        memcpy(solver->start_basis, basis, count);
    }
    return TACT_OK;
}

static void forget_start(TactLcpSolver *solver)
{
    solver->start_n = 0;
    solver->start_z = NULL;
    solver->start_basis = NULL;
}

TactStatus tact_lcp_solver_get_basis(const TactLcpSolver *solver, unsigned char *basis)
{
    if (!solver || !basis) {
        return tact_fail(TACT_BAD_ARGUMENT, "solver or basis is NULL");
    }
    memcpy(basis, solver->basis, (size_t)solver->n);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// What the method cannot take

static TactStatus refuse_entry(const TactLcpSolver *solver, const char *what, int i)
{
    return tact_fail(TACT_UNSUPPORTED, "method '%s' cannot take %s (row %d)",
                     solver->method->info.name, what, i);
}

// Entries of a matrix that agree to so many digits are the same: files have rounded them.
static const double SYMMETRIC = 1e-9;

static bool differ(double a, double b)
{
    return fabs(a - b) > SYMMETRIC * (fabs(a) + fabs(b));
}

static bool is_symmetric_dense(int n, const double *M, int *row)
{
    enum { BLOCK = 16 };
    for (int i0 = 0; i0 < n; i0 += BLOCK) {
        for (int j0 = 0; j0 <= i0; j0 += BLOCK) {
            for (int i = i0; i < n && i < i0 + BLOCK; i++) {
                for (int j = j0; j < i && j < j0 + BLOCK; j++) {
                    if (differ(M[(size_t)i * (size_t)n + (size_t)j],
                               M[(size_t)j * (size_t)n + (size_t)i])) {
                        *row = i;
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

double tact_lcp_csr_entry(const TactLcpCsr *M, int i, int j)
{
    int lo = M->row_start[i];
    int hi = M->row_start[i + 1];
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (M->column[middle] < j) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    return lo < M->row_start[i + 1] && M->column[lo] == j ? M->value[lo] : 0;
}

static bool is_symmetric_csr(int n, const TactLcpCsr *M, int *row)
{
    for (int i = 0; i < n; i++) {
        for (int k = M->row_start[i]; k < M->row_start[i + 1]; k++) {
            if (differ(M->value[k], tact_lcp_csr_entry(M, M->column[k], i))) {
                *row = i;
                return false;
            }
        }
    }
    return true;
}

bool tact_lcp_is_symmetric(const TactLcpProblem *problem, int *row)
{
    if (problem->n == 0) {
        return true;
    }
    return problem->M ? is_symmetric_dense(problem->n, problem->M, row)
                      : is_symmetric_csr(problem->n, problem->M_csr, row);
}

static double diagonal(const TactLcpProblem *problem, int i)
{
    size_t n = (size_t)problem->n;
    return problem->M ? problem->M[(size_t)i * (n + 1)] : tact_lcp_csr_entry(problem->M_csr, i, i);
}

static TactStatus check_form(const TactLcpSolver *solver, const TactLcpProblem *problem)
{
    unsigned takes = solver->method->info.takes;
    int      n = problem->n;
    if (problem->M_csr && solver->config.storage != TACT_LCP_STORAGE_SPARSE && n > 0) {
        return tact_fail(TACT_UNSUPPORTED,
                         "this solver was created for dense matrices, and M is sparse");
    }
    if (problem->M && solver->config.storage == TACT_LCP_STORAGE_SPARSE && n > 0) {
        return tact_fail(TACT_UNSUPPORTED,
                         "this solver was created for sparse matrices, and M is dense");
    }
    for (int i = 0; i < n && (problem->lo || problem->hi || problem->f_index); i++) {
        double lo = problem->lo ? problem->lo[i] : 0;
        double hi = problem->hi ? problem->hi[i] : HUGE_VAL;
        if (problem->f_index && problem->f_index[i] >= 0) {
            if (!(takes & TACT_LCP_TAKES_FRICTION)) {
                return refuse_entry(solver, "a friction index", i);
            }
        } else if (isinf(lo) && isinf(hi)) {
            if (!(takes & TACT_LCP_TAKES_FREE)) {
                return refuse_entry(solver, "a free variable", i);
            }
        } else if ((isinf(lo) || !isinf(hi)) && !(takes & TACT_LCP_TAKES_UPPER)) {
            return refuse_entry(solver, "an upper bound", i);
        }
    }
    if (!(takes & TACT_LCP_TAKES_ZERO_DIAGONAL)) {
        for (int i = 0; i < n; i++) {
            if (!(diagonal(problem, i) > 0)) {
                return refuse_entry(solver, "a diagonal entry that is not positive", i);
            }
        }
    }
    int row = 0;
    if (!(takes & TACT_LCP_TAKES_ASYMMETRIC) && !tact_lcp_is_symmetric(problem, &row)) {
        return refuse_entry(solver, "a matrix that is not symmetric", row);
    }
    return TACT_OK;
}

static TactStatus check_cover(const TactLcpSolver *solver, int n)
{
    const double *cover = solver->config.cover;
    for (int i = 0; cover && i < n; i++) {
        if (!(cover[i] > 0) || isinf(cover[i])) {
            return tact_fail(TACT_BAD_INPUT, "cover[%d] is %g, not positive", i, cover[i]);
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Solve

/// Rounding may leave z a last bit outside [lo, hi], divergence anywhere; friction rows come after
/// their normals.
static void project(const TactLcpProblem *problem, double *z)
{
    for (int pass = 0; pass < (problem->f_index ? 2 : 1); pass++) {
        for (int i = 0; i < problem->n; i++) {
            bool friction = problem->f_index && problem->f_index[i] >= 0;
            if (friction != (pass == 1)) {
                continue;
            }
            double lo = tact_lcp_lo(problem, z, i);
            double hi = tact_lcp_hi(problem, z, i);
            double inside = isfinite(z[i]) ? z[i] : 0;
            z[i] = inside < lo ? lo : inside > hi ? hi : inside;
        }
    }
}

bool tact_lcp_is_certified(const TactLcpSolver *solver, const TactLcpProblem *problem,
                           const double *z, double error)
{
    double least = HUGE_VAL;
    for (int i = 0; i < problem->n; i++) {
        double size = fabs(problem->q[i]);
        least = size < least ? size : least;
    }
    if (!problem->lo && !problem->hi && error <= solver->config.residual_tol * least) {
        return true;
    }
    TactLcpCertificate certificate;
    return tact_lcp_certify(problem, z, &certificate) == TACT_OK &&
           certificate.relative <= solver->config.residual_tol;
}

/// The method, and once more with a finer threshold where the certificate does not hold.
static TactStatus run_certified(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                TactLcpReport *report)
{
    report->ended = TACT_LCP_OUTCOME_SOLVED; // by nobody, if there is nothing to solve
    if (problem->n > 0) {
        report->ended = solver->method->run(solver, problem, z, report);
    }
    forget_start(solver);

    project(problem, z);
    TACT_TRY(tact_lcp_certify(problem, z, &report->certificate));
    if (!(report->certificate.relative <= solver->config.residual_tol) &&
        report->ended == TACT_LCP_OUTCOME_SOLVED && solver->method->run_finer) {
        report->ended = solver->method->run_finer(solver, problem, z, report);
        project(problem, z);
        TACT_TRY(tact_lcp_certify(problem, z, &report->certificate));
    }
    return TACT_OK;
}

/// Of a solve that has not ended: nothing is solved before it is certified.
static TactLcpReport no_report(void)
{
    return (TactLcpReport){.outcome = TACT_LCP_OUTCOME_UNVERIFIED,
                           .ended = TACT_LCP_OUTCOME_UNVERIFIED,
                           .index = -1,
                           .certificate.relative = INFINITY};
}

TactStatus tact_lcp_solve(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                          TactLcpReport *report)
{
    if (report) {
        *report = no_report();
    }
    if (!solver || !problem || !z || !report) {
        return tact_fail(TACT_BAD_ARGUMENT, "solver, problem, z or report is NULL");
    }
    TACT_TRY(tact_lcp_check(problem));
    if (problem->n > solver->max_n) {
        return tact_fail(TACT_BAD_ARGUMENT, "n = %d, but the solver was created for %d", problem->n,
                         solver->max_n);
    }
    TACT_TRY(check_form(solver, problem));
    TACT_TRY(check_cover(solver, problem->n));
    if (solver->start_n != problem->n) {
        forget_start(solver); // a start for another size says nothing about this problem
    }

    solver->n = problem->n;
    TactBudget budget;
    tact_budget_begin(&budget, solver->config.max_work, solver->config.max_time);
    TactStatus status = run_certified(solver, problem, z, report);
    tact_budget_end(&budget);
    report->work = budget.work;
    report->reproducible = !budget.by_clock;
    TACT_TRY(status);
    // NaN is not certified: every comparison with it is false.
    if (report->certificate.relative <= solver->config.residual_tol) {
        report->outcome = TACT_LCP_OUTCOME_SOLVED;
        report->index = -1;
    } else if (report->ended == TACT_LCP_OUTCOME_SOLVED) {
        report->outcome = TACT_LCP_OUTCOME_UNVERIFIED;
        report->index = report->certificate.worst_relative;
    } else {
        report->outcome = report->ended;
    }
    return TACT_OK;
}
