// lcp: the assembled LCP by any method of lcp.h that takes it. The slow and plain way: what the
// other methods must agree with, and what every method of lcp.h can be compared on.
#include <limits.h>

#include "base/status.h"
#include "contact/assemble.h"
#include "contact/solver.h"

typedef struct Work {
    TactAssembleMap map;
    double         *A;      // (n x n)
    double         *q;      // (n)
    double         *z;      // (n)
    TactLcpSolver  *solver; // of the LCP
} Work;

static void layout(TactContactSolver *solver, TactArena *arena)
{
    size_t             most = tact_assemble_most(&solver->capacity);
    size_t             items = (size_t)solver->capacity.contacts + (size_t)solver->capacity.rows;
    Work              *work = tact_arena_take(arena, 1, sizeof(Work));
    TactAssemblePlace *places = tact_arena_take(arena, items, sizeof *places);
    // A product that overflows makes the arena fail, as it should.
    double *A = tact_arena_take(arena, most, most * sizeof(double));
    double *q = tact_arena_take(arena, most, sizeof(double));
    double *z = tact_arena_take(arena, most, sizeof(double));
    if (arena->block) {
        *work = (Work){.map = {.places = places}, .A = A, .q = q, .z = z};
    }
    solver->work = work;
}

static TactStatus create(TactContactSolver *solver)
{
    Work                    *work = solver->work;
    TactLcpConfig            config = tact_lcp_config_default(solver->config.lcp_method);
    const TactLcpMethodInfo *info = tact_lcp_method_info(config.method);
    unsigned                 needs = TACT_LCP_TAKES_ASYMMETRIC | TACT_LCP_TAKES_ZERO_DIAGONAL;
    if (!info || (info->takes & needs) != needs) {
        return tact_fail(TACT_UNSUPPORTED,
                         "the LCP of a contact problem is not symmetric and has zeros on its "
                         "diagonal: '%s' cannot take it",
                         info ? info->name : "(none)");
    }
    size_t most = tact_assemble_most(&solver->capacity);
    if (most > INT_MAX) {
        return tact_fail(TACT_NO_MEMORY, "an LCP of %zu unknowns", most);
    }
    config.max_pivots = solver->config.max_pivots;
    return tact_lcp_solver_create((int)most, &config, &work->solver);
}

static void destroy(TactContactSolver *solver)
{
    Work *work = solver->work;
    tact_lcp_solver_destroy(work->solver);
}

static TactContactOutcome outcome_of(const TactLcpReport *report)
{
    switch (report->outcome) {
    case TACT_LCP_RAY: return TACT_CONTACT_RAY;
    case TACT_LCP_LIMIT: return TACT_CONTACT_LIMIT;
    case TACT_LCP_CYCLE: return TACT_CONTACT_CYCLE;
    case TACT_LCP_SINGULAR: return TACT_CONTACT_SINGULAR;
    case TACT_LCP_SOLVED:
    case TACT_LCP_UNVERIFIED: break;
    }
    return TACT_CONTACT_SOLVED;
}

static TactContactOutcome run(TactContactSolver *solver, const TactContactProblem *problem,
                              double *p, TactContactReport *report)
{
    Work *work = solver->work;
    tact_assemble_number(&work->map, &solver->system, problem, solver->config.cone);
    tact_assemble_lcp(&work->map, work->A, work->q);

    TactLcpProblem lcp = {.n = work->map.n, .M = work->A, .q = work->q};
    TactLcpReport  inner;
    if (tact_lcp_solve(work->solver, &lcp, work->z, &inner) != TACT_OK) {
        return TACT_CONTACT_SINGULAR; // an entry overflowed
    }
    tact_assemble_impulse(&work->map, work->z, p);
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
                     TACT_CONTACT_TAKES_W,
        },
    .reads_W = true,
    .layout = layout,
    .create = create,
    .destroy = destroy,
    .run = run,
};
