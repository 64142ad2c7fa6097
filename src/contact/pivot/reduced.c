// `reduced`: Lemke's path on the contact LCP that starts without friction and gives a contact its
// friction when it first becomes active [Lloyd04, 5.3 and app. D], over an inverse that follows the
// basis. `structural`: all friction from the start [Lloyd04, 5.1, 5.2 and app. A], over the reduced
// system of at most dof + 1 rows, factored anew for every basis.
#include "contact/pivot/reduced.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/larger.h"
#include "contact/method.h"
#include "contact/pivot/elimination.h"
#include "contact/pivot/memory.h"
#include "contact/pivot/turning.h"
#include "contact/pivot_rules.h"

// Values of an answer that are off by no more than this are right.
static const double ACCURATE = 1e-11;

// Values that a step brings this close to 0 are ties: the first try, and those after a failure.
static const double TIES[] = {1e-10, 1e-9, 1e-11, 1e-8};

enum { TRIES = sizeof TIES / sizeof TIES[0] };

// Operations of the factors of one path of `structural`, some 10 s, and its fewest pivots.
static const double MOST_WORK = 3e10;
enum { LEAST_PIVOTS = 20 };

typedef struct Reduced {
    TactKernel      kernel;
    TactElimination elimination;
    TactTurning     turning;
    TactSteady      steady; // of linked systems
} Reduced;

static void start(TactKernel *kernel, const TactSystem *system, bool lazily, const double *turn)
{
    tact_kernel_load(kernel, system);
    for (int i = 0; i < system->item_count; i++) {
        if (turn) {
            tact_kernel_turn(kernel, i, turn[i], 0);
        }
        if (!lazily || system->items[i].kind == TACT_ITEM_MOTOR) {
            tact_kernel_add_friction(kernel, i);
        }
    }
}

/// Ties leave values a little below 0. From the basis found, with ever smaller ties, Lemke's path
/// takes a few pivots to one where they are not; the best basis is kept. false: it is singular.
static bool clean_up(TactKernel *kernel)
{
    static const double ties[] = {1e-13, 1e-12, 1e-14};
    double              error = tact_kernel_error(kernel);
    for (size_t t = 0; t < sizeof ties / sizeof ties[0] && error > ACCURATE; t++) {
        TactVar *basis = kernel->scratch.warm;
        int      count = tact_kernel_basis(kernel, basis);
        if (kernel->basis.z0_position >= 0 && !tact_kernel_set_basis(kernel, basis, count)) {
            return false;
        }
        TactKernelPath path = {
            .lazily = !kernel->elimination,
            .max_pivots = 20 + 2 * kernel->basis.k,
            .tie = ties[t],
            .random = tact_random_seed((uint64_t)t + 11),
        };
        bool solved = tact_kernel_follow(kernel, &path) == TACT_OUTCOME_SOLVED;
        if (solved) {
            tact_kernel_refine(kernel);
        }
        if (solved && tact_kernel_error(kernel) < error) {
            error = tact_kernel_error(kernel);
        } else if (!tact_kernel_set_basis(kernel, basis, count)) {
            return false;
        }
    }
    return true;
}

/// Every basis of `structural` is factored anew: large systems are left before that takes minutes.
static int most_pivots(const TactKernel *kernel, const TactSystem *system, int asked)
{
    int    most = asked > 0 ? asked : 150 * (system->item_count + 1);
    double factor = (double)system->dof * system->dof * system->dof;
    if (asked > 0 || !kernel->elimination || !(factor * most > MOST_WORK)) {
        return most;
    }
    return MOST_WORK / factor < LEAST_PIVOTS ? LEAST_PIVOTS : (int)(MOST_WORK / factor);
}

static bool is_one_body(const TactSystem *system)
{
    return system->group_count == 1 && system->groups[0].size == TACT_COMPACT_DOF;
}

/// One path from the empty basis.
static TactContactOutcome attempt_path(TactKernel *kernel, const TactSystem *system,
                                       const double *turn, int attempt, int max_pivots)
{
    bool           lazily = !kernel->elimination;
    TactKernelPath path = {
        .lazily = lazily,
        .spread = attempt == 0 && is_one_body(system),
        .max_pivots = most_pivots(kernel, system, max_pivots),
        .tie = TIES[attempt],
        .random = tact_random_seed((uint64_t)attempt + 1),
    };
    start(kernel, system, lazily, turn);
    path.tie *= kernel->items.share;
    if (!tact_kernel_set_basis(kernel, NULL, 0)) {
        return TACT_OUTCOME_LIMIT; // the system is too large
    }
    if (tact_kernel_lowest(kernel) >= TACT_PIVOT_FEASIBLE) {
        return TACT_OUTCOME_SOLVED;
    }
    TactContactOutcome outcome = tact_kernel_follow(kernel, &path);
    tact_kernel_refine(kernel);
    if (outcome == TACT_OUTCOME_SOLVED && tact_kernel_error(kernel) > ACCURATE &&
        !clean_up(kernel)) {
        outcome = TACT_OUTCOME_SINGULAR;
    }
    return outcome;
}

static TactCompactInput scale_for_compact(TactKernel *kernel, const TactSystem *system)
{
    tact_kernel_scale(kernel, system);
    return (TactCompactInput){
        .normals = kernel->items.normals,
        .offset = kernel->items.offset,
        .scale = kernel->items.scale,
        .offset_stride = (size_t)system->stride,
        .tie = TIES[0],
        .accurate = ACCURATE,
    };
}

/// Leaves nothing in the kernel but the basis, which stands in col.
static void leave_basis(TactKernel *kernel, const TactSystem *system, int count)
{
    kernel->basis.k = count;
    kernel->basis.z0_position = -1;
    for (int i = 0; i < system->item_count; i++) {
        kernel->items.turn[i] = system->items[i].turn;
    }
}

/// The answer of one body.
static void take_compact(TactKernel *kernel, const TactSystem *system, double *p)
{
    const TactCompact *compact = kernel->compact;
    for (int c = 0; c < compact->basis.k; c++) {
        kernel->basis.col[c] = tact_compact_unknown(compact, c);
    }
    leave_basis(kernel, system, compact->basis.k);
    tact_compact_impulses(compact, kernel->items.q_scale, p);
}

/// The path of one body.
static bool try_compact(TactKernel *kernel, const TactSystem *system, int max_pivots, double *p,
                        TactContactReport *report)
{
    TactCompactInput input = scale_for_compact(kernel, system);
    input.max_pivots = most_pivots(kernel, system, max_pivots);
    bool solved = tact_compact_solve(kernel->compact, system, &input) &&
                  kernel->compact->basis.k <= kernel->basis.max_k;
    report->pivots += kernel->compact->pivots;
    tact_budget_spend((double)kernel->compact->pivots * 16 * (double)system->item_count);
    if (solved) {
        take_compact(kernel, system, p);
    }
    return solved;
}

bool tact_reduced_keep_basis(TactKernel *kernel, const TactSystem *system,
                             const TactContactMemory *memory, double *p)
{
    int count = tact_memory_recall_basis(memory, system, kernel->scratch.warm);
    if (count < 0 || count > kernel->basis.max_k || kernel->elimination ||
        !tact_compact_takes(system)) {
        return false;
    }
    TactCompactInput input = scale_for_compact(kernel, system);
    if (!tact_compact_keep(kernel->compact, system, &input, kernel->scratch.warm, count)) {
        return false;
    }
    memcpy(kernel->basis.col, kernel->scratch.warm, (size_t)count * sizeof *kernel->basis.col);
    leave_basis(kernel, system, count);
    tact_compact_kept_impulses(kernel->compact, kernel->items.q_scale, p);
    return true;
}

TactContactOutcome tact_reduced_solve(TactKernel *kernel, const TactSystem *system,
                                      const double *turn, int max_pivots, double *p,
                                      TactContactReport *report)
{
    TactContactOutcome outcome = TACT_OUTCOME_SOLVED;
    double             best = HUGE_VAL;
    int                best_count = -1;
    if (!turn && !kernel->elimination && tact_compact_takes(system) &&
        try_compact(kernel, system, max_pivots, p, report)) {
        return TACT_OUTCOME_SOLVED;
    }
    for (int attempt = 0; attempt < TRIES; attempt++) {
        outcome = attempt_path(kernel, system, turn, attempt, max_pivots);
        report->pivots += kernel->pivots;
        report->refactors += kernel->refactors;
        double error = outcome == TACT_OUTCOME_SOLVED ? tact_kernel_error(kernel) : HUGE_VAL;
        if (error <= ACCURATE) {
            tact_kernel_impulses(kernel, true, p);
            return TACT_OUTCOME_SOLVED;
        }
        if (error < best) {
            best = error;
            best_count = tact_kernel_basis(kernel, kernel->scratch.best);
        }
        if (outcome == TACT_OUTCOME_LIMIT && kernel->elimination) {
            break;
        }
    }
    // None is accurate: the best of them, if there is one.
    if (best_count >= 0) {
        start(kernel, system, !kernel->elimination, turn);
        for (int c = 0; c < best_count; c++) {
            tact_kernel_add_friction(kernel, tact_var_item(kernel->scratch.best[c]));
        }
        outcome = tact_kernel_set_basis(kernel, kernel->scratch.best, best_count)
                      ? TACT_OUTCOME_SOLVED
                      : TACT_OUTCOME_SINGULAR;
    }
    tact_kernel_impulses(kernel, true, p);
    return outcome;
}

int tact_reduced_recall(TactKernel *kernel, const TactSystem *system,
                        const TactContactMemory *memory)
{
    TactVar *basis = kernel->scratch.warm;
    int      count = tact_memory_recall_basis(memory, system, basis);
    if (count < 0 || count > kernel->basis.max_k) {
        return -1;
    }
    start(kernel, system, !kernel->elimination, NULL);
    tact_memory_recall_turns(memory, kernel->items.turn);
    for (int c = 0; c < count; c++) {
        tact_kernel_add_friction(kernel, tact_var_item(basis[c]));
    }
    return count;
}

bool tact_reduced_try_basis(TactKernel *kernel, const TactSystem *system,
                            const TactContactMemory *memory, TactContactReport *report)
{
    int count = tact_reduced_recall(kernel, system, memory);
    return count >= 0 && tact_guess_follow(kernel, kernel->scratch.warm, count, report);
}

/// Yamane's two steps: Lemke's path without friction, then from the contacts that it found active,
/// now with their friction.
static bool try_frictionless(TactKernel *kernel, const TactSystem *system,
                             TactContactReport *report)
{
    TactKernelPath path = {
        .spread = is_one_body(system),
        .max_pivots = 50 * (system->item_count + 1),
        .tie = TIES[0],
        .random = tact_random_seed(1),
    };
    start(kernel, system, true, NULL);
    tact_kernel_set_basis(kernel, NULL, 0);
    if (tact_kernel_lowest(kernel) < TACT_PIVOT_FEASIBLE &&
        tact_kernel_follow(kernel, &path) != TACT_OUTCOME_SOLVED) {
        return false;
    }
    int count = tact_kernel_basis(kernel, kernel->scratch.best);
    for (int i = 0; i < system->item_count && kernel->elimination; i++) {
        tact_kernel_add_friction(kernel, i);
    }
    for (int c = 0; c < count; c++) {
        tact_kernel_add_friction(kernel, tact_var_item(kernel->scratch.best[c]));
    }
    report->pivots += kernel->pivots;
    return tact_guess_follow(kernel, kernel->scratch.best, count, report);
}

// As in the ladder: so many answers of the same states come before the next try where rounding
// keeps that of steady states from the tolerance.
enum { STEADY_AGAIN = 64 };

/// Contacts of a mechanism that is linked, with their moments, that stay what they were: without a
/// kernel. Free bodies, which fall on heaps, have few such steps.
static bool keep_states(Reduced *reduced, TactMethod *method, TactAttempt *attempt)
{
    const TactContactMemory *memory = attempt->memory;
    if (!attempt->warm || !attempt->problem->M || method->config.cone != TACT_CONE_CIRCLE ||
        attempt->missed > 0 || memory->missed > 0 || !memory->is_same || memory->basis_count < 0 ||
        reduced->kernel.elimination) {
        return false;
    }
    double residual = tact_steady_solve(&reduced->steady, &reduced->kernel, attempt->system, memory,
                                        TACT_TURNING_TOL, &reduced->turning.scratch, attempt->p);
    attempt->report->turns += reduced->steady.systems;
    attempt->steady = residual <= TACT_TURNING_TOL ? &reduced->steady : NULL;
    attempt->missed = attempt->steady ? 0 : residual <= TACT_STEADY_NEAR ? STEADY_AGAIN : 1;
    return attempt->steady != NULL;
}

static TactContactOutcome run_kernel(TactMethod *method, TactAttempt *attempt)
{
    Reduced                 *reduced = method->work;
    TactKernel              *kernel = &reduced->kernel;
    const TactSystem        *system = attempt->system;
    const TactContactConfig *config = &method->config;
    TactContactReport       *report = attempt->report;
    double                  *p = attempt->p;
    attempt->kernel = kernel;

    // Last step's basis, if its values are still not negative; else a path from it.
    if (attempt->warm && config->cone == TACT_CONE_PYRAMID &&
        tact_reduced_keep_basis(kernel, system, attempt->memory, p)) {
        return TACT_OUTCOME_SOLVED;
    }
    bool kept = attempt->warm && tact_reduced_try_basis(kernel, system, attempt->memory, report);
    if (!kept && config->start == TACT_START_FRICTIONLESS) {
        kept = try_frictionless(kernel, system, report);
    }

    // The circle by pyramids that turn; the pyramid by one path.
    if (config->cone == TACT_CONE_CIRCLE) {
        TactTurningStart from = {.from_kernel = kept};
        return tact_turning_solve(&reduced->turning, kernel, system, &from, config->max_turns,
                                  TACT_TURNING_TOL, p, report);
    }
    if (kept) {
        tact_kernel_impulses(kernel, true, p);
        return TACT_OUTCOME_SOLVED;
    }
    return tact_reduced_solve(kernel, system, NULL, config->max_pivots, p, report);
}

/// What memory is told: of an answer whose states have not changed, less.
static int count_missed(int missed, bool pivoted)
{
    return pivoted ? tact_larger_int(missed, 1) : missed > 0 ? missed - 1 : 0;
}

static TactContactOutcome reduced_run(TactMethod *method, TactAttempt *attempt)
{
    if (!attempt->system->has_moments) {
        return run_kernel(method, attempt);
    }
    attempt->kernel = NULL;
    attempt->steady = NULL;
    if (keep_states(method->work, method, attempt)) {
        return TACT_OUTCOME_SOLVED;
    }
    int                missed = tact_larger_int(attempt->missed, attempt->memory->missed);
    int                pivots = attempt->report->pivots;
    TactContactOutcome outcome = run_kernel(method, attempt);
    attempt->missed = count_missed(missed, attempt->report->pivots > pivots);
    return outcome;
}

static void reduced_layout(TactMethod *method, TactArena *arena)
{
    Reduced *reduced = tact_arena_take(arena, 1, sizeof *reduced);
    Reduced  sized = {0};
    tact_kernel_layout(&sized.kernel, &method->capacity, arena);
    tact_turning_layout(&sized.turning, &method->capacity, arena);
    tact_steady_layout(&sized.steady, &method->capacity, arena);
    if (arena->block) {
        *reduced = sized;
        method->work = reduced;
    }
}

static void structural_layout(TactMethod *method, TactArena *arena)
{
    reduced_layout(method, arena);
    Reduced        *reduced = method->work;
    TactElimination sized = {0};
    int             max_k = tact_kernel_max_basic(&method->capacity);
    tact_elimination_layout(&sized, &method->capacity, max_k, arena);
    if (arena->block) {
        reduced->elimination = sized;
        reduced->kernel.elimination = &reduced->elimination;
    }
}

enum {
    TAKES = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_CIRCLE | TACT_CONTACT_TAKES_ROWS |
            TACT_CONTACT_TAKES_W | TACT_CONTACT_TAKES_PATCHES
};

const TactContactMethodEntry tact_contact_reduced = {
    .info = {.name = "reduced", .source = "Lloyd 2004, 5.3", .takes = TAKES},
    .layout = reduced_layout,
    .run = reduced_run,
};

const TactContactMethodEntry tact_contact_structural = {
    .info = {.name = "structural", .source = "Lloyd 2004, 5.1, 5.2, A", .takes = TAKES},
    .layout = structural_layout,
    .run = reduced_run,
};
