// box: friction bounded by a box whose size comes from normal impulses that are known already:
// those of the last step, or of a solve without friction. [Arechavaleta, IV.C, corrected: A5 to A8]
//
//     0 <= c_n _|_ G_n z + g_n >= 0,    |beta| <= mu c~_n,  each beta against its own slip
//
// is a box LCP with a symmetric matrix. With the normals it gives as the next c~_n it is solved
// again until they are the same: then the answer obeys the box of its own normals.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/status.h"
#include "contact/assembled/assemble.h"
#include "contact/assembled/box_newton.h"
#include "contact/method.h"
#include "lcp/pivot/pivot.h"
#include "linalg/vector.h"

// Friction that misses its box by less than this obeys it; by STALLED, if it gets no better any
// more.
static const double SAME = 1e-12;
static const double STALLED = 1e-9;
// How much of the largest impulse belongs to the size of a small one.
static const double SHARE = 1e-3;

// Outer iterations within which a mismatch should halve; otherwise bounds take smaller steps.
enum { PATIENCE = 8 };

// Sweeps of pgs and pgs-sm a box, for every box allowed.
enum { INNER_SWEEPS = 50 };
static const double LEAST_PART = 1.0 / 16;

typedef struct Work {
    TactAssembleBox box;
    double         *G;     // D G D                                   (n x n)
    double         *g;     // D g, what the skew part of G adds included (n)
    double         *g_own; // D g                                     (n)
    double         *lo;    // over D                                  (n)
    double         *hi;    // over D                                  (n)
    double         *z;     // over D                                  (n)
    double         *d;     // powers of two                           (n)
    double         *p;     // impulses that give the bounds           (3 items)
    unsigned char  *basis; // of the last box                         (n)
    bool           *held;  // nothing moves it: its row of G is 0     (n)
    TactBoxNewton   newton;
    bool            has_basis;
    bool            skew; // G is not symmetric: G has its symmetric part
    TactLcpSolver  *solver;
} Work;

static size_t most_unknowns(const TactContactCapacity *capacity)
{
    return 3 * (size_t)capacity->contacts + (size_t)capacity->rows;
}

static void box_layout(TactMethod *method, TactArena *arena)
{
    size_t most = most_unknowns(&method->capacity);
    size_t items = (size_t)method->capacity.contacts + (size_t)method->capacity.rows;
    Work  *work = tact_arena_take(arena, 1, sizeof(Work));
    Work   sized = {
          .box = {.first = tact_arena_take(arena, items, sizeof(int)),
                  .slide = tact_arena_take(arena, items, sizeof(int))},
          .G = tact_arena_take(arena, most, most * sizeof(double)),
          .g = tact_arena_take(arena, most, sizeof(double)),
          .g_own = tact_arena_take(arena, most, sizeof(double)),
          .lo = tact_arena_take(arena, most, sizeof(double)),
          .hi = tact_arena_take(arena, most, sizeof(double)),
          .z = tact_arena_take(arena, most, sizeof(double)),
          .d = tact_arena_take(arena, most, sizeof(double)),
          .p = tact_arena_take(arena, 3 * items, sizeof(double)),
          .basis = tact_arena_take(arena, most, 1),
          .held = tact_arena_take(arena, most, sizeof(bool)),
    };
    tact_box_newton_layout(&sized.newton, most, arena);
    if (arena->block) {
        *work = sized;
        method->work = work;
    }
}

static TactStatus box_create(TactMethod *method)
{
    Work                    *work = method->work;
    TactLcpConfig            config = tact_lcp_config_default(method->config.lcp_method);
    const TactLcpMethodInfo *info = tact_lcp_method_info(config.method);
    if (!info || !(info->takes & TACT_LCP_TAKES_UPPER)) {
        return tact_fail(TACT_UNSUPPORTED, "a friction box has upper bounds: '%s' cannot take them",
                         info ? info->name : "(none)");
    }
    size_t most = most_unknowns(&method->capacity);
    if (most > INT_MAX) {
        return tact_fail(TACT_NO_MEMORY, "a friction box of %zu unknowns", most);
    }
    config.residual_tol = SAME; // of one box: what its friction is judged by as well
    // Whoever wants few boxes wants none of them too exactly.
    int sweeps =
        INNER_SWEEPS * (method->config.max_sweeps < 1000 ? method->config.max_sweeps : 1000);
    config.max_iterations = sweeps < config.max_iterations ? sweeps : config.max_iterations;
    config.max_pivots = method->config.max_pivots;
    return tact_lcp_solver_create((int)most, &config, &work->solver);
}

static void box_destroy(TactMethod *method)
{
    Work *work = method->work;
    tact_lcp_solver_destroy(work->solver);
}

// ---------------------------------------------------------------------------------------------
// One box

/// G becomes its symmetric part. True if it was not.
static bool make_symmetric(double *G, size_t n)
{
    bool skew = false;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double *below = G + i * n + j, *above = G + j * n + i;
            skew = skew || *below != *above;
            *below = *above = (*below + *above) / 2;
        }
    }
    return skew;
}

/// Brings the diagonal near 1, so that light contacts count as much as heavy ones. What nothing
/// moves (the second tangent in the plane, a contact that joints hold) has a row of zeros: it gets
/// a diagonal, and its impulse is a bound.
static void equilibrate(Work *work)
{
    size_t n = (size_t)work->box.n;
    for (size_t i = 0; i < n; i++) {
        double diagonal = work->G[i * n + i];
        work->d[i] = diagonal > 0 ? 1 / tact_power_of_two(sqrt(diagonal)) : 1;
        work->held[i] = !(diagonal > 0);
        work->G[i * n + i] = work->held[i] ? 1 : diagonal;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            work->G[i * n + j] *= work->d[i] * work->d[j];
        }
        work->g_own[i] *= work->d[i];
    }
}

/// What the skew part of G does with the impulses p, and the bound of what nothing moves: against
/// its velocity.
static void set_offsets(Work *work, const double *p)
{
    size_t n = (size_t)work->box.n;
    memset(work->g, 0, n * sizeof(double));
    if (work->skew) {
        tact_assemble_box_skew(&work->box, p, work->g);
    }
    for (size_t i = 0; i < n; i++) {
        work->g[i] = work->g_own[i] + work->d[i] * work->g[i];
        if (work->held[i]) {
            double u = work->g_own[i];
            double z = u > 0 ? work->lo[i] : u < 0 && !isinf(work->hi[i]) ? work->hi[i] : 0;
            work->lo[i] = work->hi[i] = z;
            work->g[i] = 0;
        }
    }
}

/// Solves the box of the normals in work->p, starting from p, into p. With redundant contacts a
/// pivoting method must start from its last basis too, or it goes from vertex to vertex for ever.
static TactLcpOutcome solve_box(Work *work, double *p, TactContactReport *report)
{
    int n = work->box.n;
    tact_assemble_box_bounds(&work->box, work->p, work->lo, work->hi);
    tact_assemble_box_unknowns(&work->box, p, work->z);
    for (int i = 0; i < n; i++) {
        work->lo[i] /= work->d[i];
        work->hi[i] /= work->d[i];
        work->z[i] /= work->d[i];
    }
    set_offsets(work, p);
    TactLcpProblem       lcp = {.n = n, .M = work->G, .q = work->g, .lo = work->lo, .hi = work->hi};
    TactLcpReport        inner;
    const unsigned char *basis = work->has_basis ? work->basis : NULL;
    if (tact_lcp_solver_set_start(work->solver, n, work->z, basis) != TACT_OK ||
        tact_lcp_solve(work->solver, &lcp, work->z, &inner) != TACT_OK) {
        return TACT_LCP_OUTCOME_SINGULAR; // a number overflowed
    }
    work->has_basis = tact_lcp_solver_get_basis(work->solver, work->basis) == TACT_OK;
    tact_assemble_box_impulse(&work->box, work->z, work->d, p);
    report->pivots += inner.pivots;
    report->refactors += inner.refactors;
    return inner.outcome;
}

// ---------------------------------------------------------------------------------------------
// Outer iterations

/// How far friction is from obeying the box of the normals that came with it: its natural map,
/// scaled, over its own size and a part of the largest. z is that of the last box, lo and hi are
/// overwritten.
static double find_mismatch(Work *work, const double *p)
{
    size_t n = (size_t)work->box.n;
    double worst = 0, largest = 0;
    if (work->skew) {
        set_offsets(work, p);
    }
    tact_assemble_box_bounds(&work->box, p, work->lo, work->hi);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(work->z[i]));
    }
    for (size_t i = 0; i < n; i++) {
        double hi = work->hi[i] / work->d[i];
        if (!isinf(hi) && !work->held[i]) {
            double w = work->g[i] + tact_vec_dot((int)n, work->G + i * n, work->z);
            double below = work->z[i] - hi, above = work->z[i] + hi;
            double miss = fabs(w < below ? below : w > above ? above : w);
            worst = fmax(worst, miss == 0 ? 0 : miss / (hi + SHARE * largest));
        }
    }
    return worst;
}

/// The normals of the next bounds: a part of the way from the last ones to those that came out.
static void move_bounds(Work *work, const double *p, double part)
{
    for (int i = 0; i < work->box.system->item_count; i++) {
        work->p[3 * i] += part * (p[3 * i] - work->p[3 * i]);
    }
}

/// The normal and the scaled coefficient of every friction.
static void couple(Work *work)
{
    for (int k = 0; k < work->box.n; k++) {
        work->newton.normal[k] = -1;
    }
    for (int i = 0; i < work->box.system->item_count; i++) {
        const TactItem *item = &work->box.system->items[i];
        int             normal = work->box.first[i], slide = work->box.slide[i];
        for (int k = slide; item->kind == TACT_ITEM_CONTACT && slide >= 0 && k < slide + 2; k++) {
            work->newton.normal[k] = work->held[k] ? -1 : normal;
            work->newton.ratio[k] = item->mu * work->d[normal] / work->d[k];
        }
    }
}

/// Bounds that do not settle by themselves: Newton's method from the last box, whose normals give
/// the next bounds. False: it finds none.
static bool find_bounds(Work *work, double *p)
{
    size_t n = (size_t)work->box.n;
    for (size_t i = 0; i < n; i++) { // those of motors; find_mismatch() left them unscaled
        work->lo[i] /= work->d[i];
        work->hi[i] /= work->d[i];
    }
    TactBoxProblem box = {.n = (int)n,
                          .G = work->G,
                          .g = work->g,
                          .lo = work->lo,
                          .hi = work->hi,
                          .held = work->held};
    if (!tact_box_newton(&work->newton, &box, work->z)) {
        return false;
    }
    tact_assemble_box_impulse(&work->box, work->z, work->d, p);
    move_bounds(work, p, 1);
    return true;
}

static TactContactOutcome outcome_of(TactLcpOutcome outcome)
{
    switch (outcome) {
    case TACT_LCP_OUTCOME_RAY: return TACT_OUTCOME_RAY;
    case TACT_LCP_OUTCOME_LIMIT: return TACT_OUTCOME_LIMIT;
    case TACT_LCP_OUTCOME_CYCLE: return TACT_OUTCOME_CYCLE;
    case TACT_LCP_OUTCOME_SINGULAR: return TACT_OUTCOME_SINGULAR;
    case TACT_LCP_OUTCOME_SOLVED:
    case TACT_LCP_OUTCOME_UNVERIFIED: break;
    }
    return TACT_OUTCOME_SOLVED;
}

static TactContactOutcome box_run(TactMethod *method, TactAttempt *attempt)
{
    Work                     *work = method->work;
    const TactContactProblem *problem = attempt->problem;
    TactContactReport        *report = attempt->report;
    double                   *p = attempt->p;
    size_t                    size = 3 * (size_t)attempt->system->item_count * sizeof(double);
    tact_assemble_box_number(&work->box, attempt->system, problem);
    tact_assemble_box(&work->box, work->G, work->g_own);
    for (size_t i = 0, n = (size_t)work->box.n; i < n; i++) { // [Arechavaleta, IV-C]: G + CFM
        work->G[i * n + i] += method->config.cfm;
    }
    work->skew = problem->W && make_symmetric(work->G, (size_t)work->box.n);
    equilibrate(work);
    couple(work);
    work->has_basis = false;
    if (work->box.n == 0) {
        return TACT_OUTCOME_SOLVED;
    }
    if (!attempt->warm) {
        memset(work->p, 0, size);
        solve_box(work, p, report); // bounds 0: without friction
    }
    memcpy(work->p, p, size);
    double part = 1, before = HUGE_VAL;
    for (int k = 0; k < method->config.max_sweeps && !tact_budget_is_over(); k++) {
        TactLcpOutcome inner = solve_box(work, p, report);
        double         mismatch = find_mismatch(work, p);
        report->iterations++;
        if (mismatch <= SAME || inner == TACT_LCP_OUTCOME_SINGULAR) {
            return outcome_of(inner);
        }
        if (k % PATIENCE == PATIENCE - 1) {
            if (mismatch > before / 2 && mismatch <= STALLED) {
                return outcome_of(inner); // as well as the inner method can
            }
            if (find_bounds(work, p)) {
                continue;
            }
            // Bounds that go to and fro meet on the way.
            part = mismatch > before / 2 ? fmax(part / 2, LEAST_PART) : part;
            before = mismatch;
        }
        move_bounds(work, p, part);
    }
    return TACT_OUTCOME_LIMIT;
}

const TactContactMethodEntry tact_contact_box = {
    .info =
        {
            .name = "box",
            .source = "Arechavaleta et al., IV",
            .takes = TACT_CONTACT_TAKES_BOX | TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W,
        },
    .is_dense = true,
    .reads_W = true,
    .layout = box_layout,
    .create = box_create,
    .destroy = box_destroy,
    .run = box_run,
};
