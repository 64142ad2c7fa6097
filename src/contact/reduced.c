// `reduced`: Lemke's path on the contact LCP that starts without friction and gives a contact its
// friction when it first becomes active [Lloyd04, 5.3 and app. D]. `structural`: the same path with
// all friction from the start [Lloyd04, 5.1, 5.2].
#include "contact/solver.h"

#include "contact/memory.h"

#include "contact/reduced.h"

// A basic value above this counts as not negative; values are of order 1.
static const double FEASIBLE = -1e-12;

// Values that a step brings this close to 0 are ties: the first try, and those after a failure.
static const double TIES[] = {1e-10, 1e-9, 1e-11, 1e-8};

enum { TRIES = sizeof TIES / sizeof TIES[0] };

static void layout(TactContactSolver *solver, TactArena *arena)
{
    TactKernel *kernel = tact_arena_take(arena, 1, sizeof *kernel);
    TactKernel  sized = {0};
    tact_kernel_layout(&sized, &solver->capacity, arena);
    if (arena->block) {
        *kernel = sized;
        solver->work = kernel;
    }
}

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

TactContactOutcome tact_reduced_solve(TactKernel *kernel, const TactSystem *system, bool lazily,
                                      const double *turn, int max_pivots, double *p,
                                      TactContactReport *report)
{
    TactContactOutcome outcome = TACT_CONTACT_SOLVED;
    int                most = max_pivots > 0 ? max_pivots : 50 * (10 * system->item_count + 10);
    for (int attempt = 0; attempt < TRIES; attempt++) {
        TactKernelPath path = {
            .lazily = lazily,
            .max_pivots = most,
            .tie = TIES[attempt],
            .random = tact_random_seed((uint64_t)attempt + 1),
        };
        start(kernel, system, lazily, turn);
        tact_kernel_set_basis(kernel, NULL, 0);
        outcome = TACT_CONTACT_SOLVED;
        if (tact_kernel_lowest(kernel) < FEASIBLE) {
            outcome = tact_kernel_follow(kernel, &path);
            tact_kernel_refine(kernel);
        }
        report->pivots += kernel->pivots;
        report->refactors += kernel->refactors;
        if (outcome == TACT_CONTACT_SOLVED && tact_kernel_lowest(kernel) > -1e-9) {
            break;
        }
    }
    tact_kernel_impulses(kernel, true, p);
    return outcome;
}

/// Last step's basis, if it is still right: one factor, one check, no pivot.
static bool try_basis(TactContactSolver *solver, TactKernel *kernel, bool lazily, double *p)
{
    start(kernel, &solver->system, lazily, NULL);
    TactVar *basis = kernel->warm;
    int      count = tact_memory_recall_basis(solver->memory, basis);
    if (count < 0 || count > kernel->max_k) {
        return false;
    }
    for (int c = 0; c < count; c++) {
        tact_kernel_add_friction(kernel, tact_var_item(basis[c]));
    }
    if (!tact_kernel_set_basis(kernel, basis, count) || tact_kernel_lowest(kernel) < FEASIBLE) {
        return false;
    }
    tact_kernel_impulses(kernel, true, p);
    return true;
}

static TactContactOutcome run(TactContactSolver *solver, bool lazily, double *p,
                              TactContactReport *report)
{
    TactKernel *kernel = solver->work;
    solver->kernel = kernel;
    if (solver->warm && try_basis(solver, kernel, lazily, p)) {
        return TACT_CONTACT_SOLVED;
    }
    return tact_reduced_solve(kernel, &solver->system, lazily, NULL, solver->config.max_pivots, p,
                              report);
}

static TactContactOutcome run_reduced(TactContactSolver *solver, const TactContactProblem *problem,
                                      double *p, TactContactReport *report)
{
    (void)problem;
    return run(solver, true, p, report);
}

static TactContactOutcome run_structural(TactContactSolver        *solver,
                                         const TactContactProblem *problem, double *p,
                                         TactContactReport *report)
{
    (void)problem;
    return run(solver, false, p, report);
}

const TactContactMethodEntry tact_contact_reduced = {
    .info =
        {
            .name = "reduced",
            .source = "Lloyd 2004, 5.3",
            .takes = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W,
        },
    .layout = layout,
    .run = run_reduced,
};

const TactContactMethodEntry tact_contact_structural = {
    .info =
        {
            .name = "structural",
            .source = "Lloyd 2004, 5.1, 5.2",
            .takes = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W,
        },
    .layout = layout,
    .run = run_structural,
};
