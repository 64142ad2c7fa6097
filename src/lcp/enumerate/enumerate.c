// enumerate: all complementary bases, each solved from the raw data.
//
// For a second opinion in tests, and for small problems of any matrix: it finds a solution if there
// is one. The walk goes over all bases once with the basic solution of the singular ones, and if
// that found nothing a second time over all vertices of these.
#include "lcp/enumerate/enumerate.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "lcp/solver.h"

static void set_first_state(TactLcpBasis *basis, int i)
{
    basis->state[i] = TACT_LCP_STATE_AT_LO;
    if (isinf(basis->lo[i])) {
        basis->state[i] = TACT_LCP_STATE_BASIC;
    }
}

static void set_first_basis(TactLcpBasis *basis)
{
    for (int i = 0; i < basis->problem->n; i++) {
        set_first_state(basis, i);
    }
}

/// An odometer: the first variable that has a next state takes it, those before it start again.
static bool next_basis(TactLcpBasis *basis)
{
    for (int i = 0; i < basis->problem->n; i++) {
        if (basis->state[i] == TACT_LCP_STATE_AT_LO && basis->lo[i] != basis->hi[i]) {
            basis->state[i] = TACT_LCP_STATE_BASIC;
            return true;
        }
        if (basis->state[i] == TACT_LCP_STATE_BASIC && !isinf(basis->hi[i])) {
            basis->state[i] = TACT_LCP_STATE_AT_HI;
            return true;
        }
        set_first_state(basis, i);
    }
    return false;
}

static TactLcpEnumeration walk(TactLcpBasis *basis, TactLcpBasisEffort effort)
{
    TactLcpEnumeration enumeration = {0};
    set_first_basis(basis);
    do {
        enumeration.bases++;
        enumeration.open += !tact_lcp_basis_visit(basis, effort);
    } while (!basis->ended && next_basis(basis));
    return enumeration;
}

TactStatus tact_lcp_enumerate_all(const TactLcpProblem *problem, TactLcpBasisFunction *function,
                                  void *context, TactLcpEnumeration *enumeration)
{
    if (!function || !enumeration) {
        return tact_fail(TACT_BAD_ARGUMENT, "function or enumeration is NULL");
    }
    TACT_TRY(tact_lcp_check(problem));
    if (problem->n > TACT_LCP_ENUMERATE_MAX || problem->M_csr || problem->f_index) {
        return tact_fail(TACT_UNSUPPORTED,
                         "only dense problems up to n = %d without friction index are enumerated",
                         TACT_LCP_ENUMERATE_MAX);
    }
    TactLcpBasis basis = {.function = function, .context = context};
    TACT_TRY(tact_lcp_basis_begin(&basis, problem));
    *enumeration = walk(&basis, TACT_LCP_BASIS_EVERY);
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// The method

typedef struct Best {
    const TactLcpProblem *problem;
    double                tolerance; // largest relative error of a solution
    double                error;     // of z
    double                relative;  // of z
    double               *z;
    unsigned char        *basis;
} Best;

/// Error that comes from rounding z itself: eps max_i (|q_i| + sum_j |M_ij z_j|).
static double rounding(const TactLcpProblem *problem, const double *z)
{
    double largest = 0;
    for (int i = 0; i < problem->n; i++) {
        double sum = fabs(problem->q[i]);
        for (int j = 0; j < problem->n; j++) {
            sum += fabs(problem->M[i * problem->n + j] * z[j]);
        }
        largest = fmax(largest, sum);
    }
    return 0x1p-52 * largest;
}

/// Keeps the point with the smallest relative error, the first of several; ends at one that is
/// exact.
static bool keep_best(void *context, const TactLcpBasisPoint *point)
{
    Best  *best = context;
    size_t n = (size_t)best->problem->n;
    if (point->relative < best->relative) {
        best->error = point->error;
        best->relative = point->relative;
        memcpy(best->z, point->z, n * sizeof *best->z);
        memcpy(best->basis, point->basis, n);
    }
    return !(best->relative <= best->tolerance && best->error <= rounding(best->problem, best->z));
}

static void enumerate_layout(TactLcpSolver *solver, TactArena *arena)
{
    (void)solver;
    (void)arena;
}

static TactLcpOutcome enumerate_run(TactLcpSolver *solver, const TactLcpProblem *problem, double *z,
                                    TactLcpReport *report)
{
    Best         best = {.problem = problem,
                         .tolerance = solver->config.residual_tol,
                         .error = HUGE_VAL,
                         .relative = HUGE_VAL,
                         .z = z,
                         .basis = solver->basis};
    TactLcpBasis basis = {.function = keep_best, .context = &best};
    if (tact_lcp_basis_begin(&basis, problem) != TACT_OK) {
        return TACT_LCP_OUTCOME_SINGULAR;
    }
    set_first_basis(&basis);
    for (int i = 0; i < problem->n; i++) {
        z[i] = fmin(fmax(0, basis.lo[i]), basis.hi[i]);
        solver->basis[i] = basis.state[i];
    }
    TactLcpEnumeration enumeration = walk(&basis, TACT_LCP_BASIS_FIRST);
    report->iterations = enumeration.bases;
    if (!(best.relative <= best.tolerance) && enumeration.open > 0) {
        enumeration = walk(&basis, TACT_LCP_BASIS_EVERY);
        report->iterations += enumeration.bases;
    }
    if (best.relative < HUGE_VAL) {
        return TACT_LCP_OUTCOME_SOLVED; // or near it: the certificate decides
    }
    return enumeration.open > 0 ? TACT_LCP_OUTCOME_SINGULAR : TACT_LCP_OUTCOME_RAY;
}

const TactLcpMethodEntry tact_lcp_enumerate = {
    .info = {.name = "enumerate",
             .source = "all complementary bases",
             .guarantee = "any matrix: finds a solution if there is one",
             .takes = TACT_LCP_TAKES_FREE | TACT_LCP_TAKES_UPPER | TACT_LCP_TAKES_ASYMMETRIC |
                      TACT_LCP_TAKES_ZERO_DIAGONAL,
             .max_n = TACT_LCP_ENUMERATE_MAX},
    .layout = enumerate_layout,
    .run = enumerate_run,
};
