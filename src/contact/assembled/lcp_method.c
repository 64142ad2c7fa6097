// lcp: the assembled LCP by any method of lcp.h that takes it. The slow and plain way: what the
// other methods must agree with, and what every method of lcp.h can be compared on.
#include <limits.h>
#include <string.h>

#include "base/status.h"
#include "contact/assembled/assemble.h"
#include "contact/method.h"

/// What the two-step start keeps: the part of the LCP that is solved at a time.
typedef struct Part {
    int            n;     // its unknowns
    int           *full;  // which unknown of the LCP each of them is                (n)
    double        *A;     // (n x n)
    double        *q;     // (n)
    double        *z;     // (n)
    unsigned char *basis; // (n)
    bool          *rubs;  // items whose friction takes part                        (items)
} Part;

typedef struct Work {
    TactAssembleMap map;
    double         *A;      // (n x n)
    double         *q;      // (n)
    double         *z;      // (n)
    unsigned char  *basis;  // (n)
    Part            part;   //
    TactLcpSolver  *solver; // of the LCP
    TactLcpSolver  *first;  // of the problem without friction; NULL: nobody asks for it
} Work;

static void part_layout(Part *part, size_t most, size_t items, TactArena *arena)
{
    part->full = tact_arena_take(arena, most, sizeof *part->full);
    part->A = tact_arena_take(arena, most, most * sizeof(double));
    part->q = tact_arena_take(arena, most, sizeof(double));
    part->z = tact_arena_take(arena, most, sizeof(double));
    part->basis = tact_arena_take(arena, most, sizeof *part->basis);
    part->rubs = tact_arena_take(arena, items, sizeof *part->rubs);
}

/// Is the problem without friction looked at, before the LCP or after it?
static bool has_parts(const TactContactConfig *config)
{
    return config->start == TACT_START_FRICTIONLESS ||
           config->fallback == TACT_FALLBACK_FRICTIONLESS;
}

static void lcp_layout(TactMethod *method, TactArena *arena)
{
    size_t             most = tact_assemble_most(&method->capacity);
    size_t             items = (size_t)method->capacity.contacts + (size_t)method->capacity.rows;
    bool               parts = has_parts(&method->config);
    Work              *work = tact_arena_take(arena, 1, sizeof(Work));
    TactAssemblePlace *places = tact_arena_take(arena, items, sizeof *places);
    // A product that overflows makes the arena fail, as it should.
    double        *A = tact_arena_take(arena, most, most * sizeof(double));
    double        *q = tact_arena_take(arena, most, sizeof(double));
    double        *z = tact_arena_take(arena, most, sizeof(double));
    unsigned char *basis = tact_arena_take(arena, most, sizeof(unsigned char));
    Part           part = {0};
    part_layout(&part, parts ? most : 0, parts ? items : 0, arena);
    if (arena->block) {
        *work =
            (Work){.map = {.places = places}, .A = A, .q = q, .z = z, .basis = basis, .part = part};
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
    if (has_parts(&method->config)) {
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

// ---------------------------------------------------------------------------------------------
// Two steps [Yamane, IV-C]
//
// The problem without friction tells which normals are active; the LCP starts from the basis in
// which these are. Friction takes part where the normal is active, and where it becomes so on the
// way: a contact that does not press has theta = 0, so phi = 0 and lambda = max(0, -slip), whatever
// the rest does. With its rows and columns left out the answer is the same, and no pivot is spent
// on them.

/// Unknowns of the part: all normals, and the friction of the items that rub.
static void part_choose(Work *work)
{
    Part *part = &work->part;
    part->n = 0;
    for (int j = 0; j < work->map.thetas; j++) {
        part->full[part->n++] = j;
    }
    for (int i = 0; i < work->map.system->item_count; i++) {
        const TactAssemblePlace *place = &work->map.places[i];
        for (int k = 0; k < place->directions && part->rubs[i]; k++) {
            part->full[part->n++] = place->phi + k;
        }
        if (place->directions > 0 && part->rubs[i]) {
            part->full[part->n++] = place->lambda;
        }
    }
}

/// A solution of the part from the basis of the LCP, which is brought up to date with z.
static TactLcpOutcome part_solve(Work *work, TactLcpSolver *solver, TactContactReport *report)
{
    Part  *part = &work->part;
    size_t n = (size_t)part->n;
    for (size_t i = 0; i < n; i++) {
        const double *row = work->A + (size_t)part->full[i] * (size_t)work->map.n;
        for (size_t j = 0; j < n; j++) {
            part->A[i * n + j] = row[part->full[j]];
        }
        part->q[i] = work->q[part->full[i]];
        part->basis[i] = work->basis[part->full[i]];
    }
    TactLcpProblem lcp = {.n = part->n, .M = part->A, .q = part->q};
    TactLcpReport  inner;
    // A basis that cannot be set is none: the part is solved from cold.
    tact_status_ignore(tact_lcp_solver_set_start(solver, part->n, NULL, part->basis));
    if (tact_lcp_solve(solver, &lcp, part->z, &inner) != TACT_OK ||
        tact_lcp_solver_get_basis(solver, part->basis) != TACT_OK) {
        return TACT_LCP_OUTCOME_SINGULAR;
    }
    for (size_t i = 0; i < n; i++) {
        work->z[part->full[i]] = part->z[i];
        work->basis[part->full[i]] = part->basis[i];
    }
    report->pivots += inner.pivots;
    report->iterations += inner.iterations;
    report->refactors += inner.refactors;
    return inner.outcome;
}

/// Friction for those that press and have none yet. Returns how many.
static int part_add_friction(Work *work)
{
    int added = 0;
    for (int i = 0; i < work->map.system->item_count; i++) {
        const TactAssemblePlace *place = &work->map.places[i];
        bool                     presses = place->theta < 0 || work->z[place->theta] > 0;
        if (place->directions > 0 && presses && !work->part.rubs[i]) {
            work->part.rubs[i] = true;
            added++;
        }
    }
    return added;
}

/// false: a part has no solution, or none is found; then the LCP starts cold.
static bool solve_in_two_steps(Work *work, TactContactReport *report)
{
    memset(work->z, 0, (size_t)work->map.n * sizeof *work->z);
    memset(work->basis, TACT_LCP_STATE_AT_LO, (size_t)work->map.n);
    memset(work->part.rubs, 0, (size_t)work->map.system->item_count * sizeof *work->part.rubs);
    TactLcpSolver *solver = work->first;
    do {
        part_choose(work);
        if (part_solve(work, solver, report) != TACT_LCP_OUTCOME_SOLVED) {
            return false;
        }
        solver = work->solver;
    } while (part_add_friction(work) > 0);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Without friction [Yamane, V-A]

/// Impulses without friction, but with the motors and the dry friction of joints; false: none.
static bool solve_without_friction(Work *work, TactContactReport *report)
{
    memset(work->z, 0, (size_t)work->map.n * sizeof *work->z);
    memset(work->basis, TACT_LCP_STATE_AT_LO, (size_t)work->map.n);
    bool motors = false;
    for (int i = 0; i < work->map.system->item_count; i++) {
        work->part.rubs[i] = work->map.places[i].theta < 0;
        motors = motors || work->part.rubs[i];
    }
    part_choose(work);
    // dantzig takes no lambdas
    return part_solve(work, motors ? work->solver : work->first, report) == TACT_LCP_OUTCOME_SOLVED;
}

/// Where the answer with friction does not hold, the one without takes its place, if there is one.
/// Both are rungs of the report; how the method ended stays what it was.
static void fall_back(Work *work, TactAttempt *attempt, TactContactOutcome ended)
{
    TactContactReport *report = attempt->report;
    tact_attempt_judge(attempt, ended);
    if (report->outcome == TACT_OUTCOME_SOLVED) {
        return;
    }
    report->rungs[report->rung_count++] = (TactContactRung){.name = "lcp",
                                                            .outcome = report->outcome,
                                                            .pivots = report->pivots,
                                                            .error = report->certificate.error};
    int before = report->pivots;
    if (solve_without_friction(work, report)) {
        tact_assemble_impulse(&work->map, work->z, attempt->p);
        tact_attempt_judge(attempt, ended);
        report->rungs[report->rung_count++] = (TactContactRung){.name = "frictionless",
                                                                .outcome = report->outcome,
                                                                .pivots = report->pivots - before,
                                                                .error = report->certificate.error};
    }
}

// ---------------------------------------------------------------------------------------------

/// The LCP in two steps, or from cold where these find nothing or are not asked for.
static TactContactOutcome solve_lcp(TactMethod *method, TactAttempt *attempt)
{
    Work              *work = method->work;
    TactContactReport *report = attempt->report;
    if (method->config.start == TACT_START_FRICTIONLESS && solve_in_two_steps(work, report)) {
        tact_assemble_impulse(&work->map, work->z, attempt->p);
        return TACT_OUTCOME_SOLVED;
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

static TactContactOutcome lcp_run(TactMethod *method, TactAttempt *attempt)
{
    Work *work = method->work;
    tact_assemble_number(&work->map, attempt->system, attempt->problem, method->config.cone);
    tact_assemble_lcp(&work->map, work->A, work->q);
    if (method->config.cfm > 0) {
        tact_assemble_soften(&work->map, method->config.cfm, work->A);
    }
    TactContactOutcome ended = solve_lcp(method, attempt);
    if (method->config.fallback == TACT_FALLBACK_FRICTIONLESS) {
        fall_back(work, attempt, ended);
    }
    return ended;
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
