// lcp: the assembled LCP by any method of lcp.h that takes it. The slow and plain way: what the
// other methods must agree with, and what every method of lcp.h can be compared on.
#include <limits.h>

#include "base/status.h"
#include "contact/assembled/assemble.h"
#include "contact/method.h"

typedef struct Work {
    TactAssembleMap map;
    double         *A;      // (n x n)
    double         *q;      // (n)
    double         *z;      // (n)
    double         *N;      // block of the normals                            (normals x normals)
    unsigned char  *basis;  // (n)
    TactLcpSolver  *solver; // of the LCP
    TactLcpSolver  *first;  // of the problem without friction; NULL: not asked for
} Work;

static void lcp_layout(TactMethod *method, TactArena *arena)
{
    size_t             most = tact_assemble_most(&method->capacity);
    size_t             items = (size_t)method->capacity.contacts + (size_t)method->capacity.rows;
    Work              *work = tact_arena_take(arena, 1, sizeof(Work));
    TactAssemblePlace *places = tact_arena_take(arena, items, sizeof *places);
    // A product that overflows makes the arena fail, as it should.
    double        *A = tact_arena_take(arena, most, most * sizeof(double));
    double        *q = tact_arena_take(arena, most, sizeof(double));
    double        *z = tact_arena_take(arena, most, sizeof(double));
    bool           two_steps = method->config.start == TACT_START_FRICTIONLESS;
    double        *N = tact_arena_take(arena, two_steps ? items * items : 0, sizeof(double));
    unsigned char *basis = tact_arena_take(arena, most, sizeof(unsigned char));
    if (arena->block) {
        *work = (Work){.map = {.places = places}, .A = A, .q = q, .z = z, .N = N, .basis = basis};
        method->work = work;
    }
}

static TactStatus lcp_create(TactMethod *method)
{
    Work                    *work = method->work;
    TactLcpConfig            config = tact_lcp_config_default(method->config.lcp_method);
    const TactLcpMethodInfo *info = tact_lcp_method_info(config.method);
    unsigned                 needs = TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL;
    if (!info || (info->takes & needs) != needs) {
        return tact_fail(TACT_UNSUPPORTED,
                         "the LCP of a contact problem is not symmetric and has zeros on its "
                         "diagonal: '%s' cannot take it",
                         info ? info->name : "(none)");
    }
    size_t most = tact_assemble_most(&method->capacity);
    if (most > INT_MAX) {
        return tact_fail(TACT_NO_MEMORY, "an LCP of %zu unknowns", most);
    }
    config.max_pivots = method->config.max_pivots;
    config.lex_tol = method->config.lex_tol;
    TACT_TRY(tact_lcp_solver_create((int)most, &config, &work->solver));
    if (method->config.start == TACT_START_FRICTIONLESS) {
        TactLcpConfig frictionless = tact_lcp_config_default(TACT_LCP_METHOD_DANTZIG);
        int           normals = method->capacity.contacts + method->capacity.rows;
        TACT_TRY(tact_lcp_solver_create(normals, &frictionless, &work->first));
    }
    return TACT_OK;
}

static void lcp_destroy(TactMethod *method)
{
    Work *work = method->work;
    tact_lcp_solver_destroy(work->solver);
    tact_lcp_solver_destroy(work->first);
}

static TactContactOutcome outcome_of(const TactLcpReport *report)
{
    switch (report->outcome) {
    case TACT_LCP_OUTCOME_RAY: return TACT_OUTCOME_RAY;
    case TACT_LCP_OUTCOME_LIMIT: return TACT_OUTCOME_LIMIT;
    case TACT_LCP_OUTCOME_CYCLE: return TACT_OUTCOME_CYCLE;
    case TACT_LCP_OUTCOME_SINGULAR: return TACT_OUTCOME_SINGULAR;
    case TACT_LCP_OUTCOME_SOLVED:
    case TACT_LCP_OUTCOME_UNVERIFIED: break;
    }
    return TACT_OUTCOME_SOLVED;
}

/// Yamane's two steps: the problem without friction tells which normals are active, and the LCP
/// starts from the basis in which these are.
static void start_frictionless(Work *work, TactContactReport *report)
{
    int           normals = work->map.thetas;
    size_t        n = (size_t)work->map.n;
    TactLcpReport inner;
    for (int i = 0; i < normals; i++) {
        for (int j = 0; j < normals; j++) {
            work->N[i * normals + j] = work->A[(size_t)i * n + (size_t)j];
        }
    }
    TactLcpProblem lcp = {.n = normals, .M = work->N, .q = work->q};
    if (tact_lcp_solve(work->first, &lcp, work->z, &inner) != TACT_OK ||
        inner.outcome != TACT_LCP_OUTCOME_SOLVED ||
        tact_lcp_solver_get_basis(work->first, work->basis) != TACT_OK) {
        return; // then the LCP starts cold
    }
    for (size_t i = (size_t)normals; i < n; i++) {
        work->basis[i] = TACT_LCP_STATE_AT_LO;
    }
    report->pivots += inner.pivots;
    // A basis that cannot be set is none: the LCP starts cold.
    tact_status_ignore(tact_lcp_solver_set_start(work->solver, work->map.n, NULL, work->basis));
}

static TactContactOutcome lcp_run(TactMethod *method, TactAttempt *attempt)
{
    Work              *work = method->work;
    TactContactReport *report = attempt->report;
    tact_assemble_number(&work->map, attempt->system, attempt->problem, method->config.cone);
    tact_assemble_lcp(&work->map, work->A, work->q);

    if (work->first) {
        start_frictionless(work, report);
    }
    TactLcpProblem lcp = {.n = work->map.n, .M = work->A, .q = work->q};
    TactLcpReport  inner;
    if (tact_lcp_solve(work->solver, &lcp, work->z, &inner) != TACT_OK) {
        return TACT_OUTCOME_SINGULAR; // an entry overflowed
    }
    tact_assemble_impulse(&work->map, work->z, attempt->p);
    report->pivots += inner.pivots;
    report->iterations += inner.iterations;
    report->refactors += inner.refactors;
    return outcome_of(&inner);
}

const TactContactMethodEntry tact_contact_lcp = {
    .info =
        {
            .name = "lcp",
            .source = "Lloyd 2004, eq. 8; DART notes, eq. 15",
            .takes = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_BOX | TACT_CONTACT_TAKES_ROWS |
                     TACT_CONTACT_TAKES_W | TACT_CONTACT_TAKES_PATCHES,
        },
    .is_dense = true,
    .reads_W = true,
    .layout = lcp_layout,
    .create = lcp_create,
    .destroy = lcp_destroy,
    .run = lcp_run,
};
