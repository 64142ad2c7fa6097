// `reduced`: Lemke's path on the contact LCP that starts without friction and gives a contact its
// friction when it first becomes active [Lloyd04, 5.3 and app. D], over an inverse that follows the
// basis. `structural`: all friction from the start [Lloyd04, 5.1, 5.2 and app. A], over the reduced
// system of at most dof + 1 rows, factored anew for every basis.
#include "contact/reduced.h"

#include "contact/elimination.h"
#include "contact/memory.h"
#include "contact/solver.h"
#include "contact/turning.h"

// A basic value above this counts as not negative; values are of order 1.
static const double FEASIBLE = -1e-12;

// Values that a step brings this close to 0 are ties: the first try, and those after a failure.
static const double TIES[] = {1e-10, 1e-9, 1e-11, 1e-8};

enum { TRIES = sizeof TIES / sizeof TIES[0] };

typedef struct Reduced {
    TactKernel      kernel;
    TactElimination elimination;
    TactTurning     turning;
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

TactContactOutcome tact_reduced_solve(TactKernel *kernel, const TactSystem *system,
                                      const double *turn, int max_pivots, double *p,
                                      TactContactReport *report)
{
    TactContactOutcome outcome = TACT_CONTACT_SOLVED;
    bool               lazily = !kernel->elimination;
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

bool tact_reduced_try_basis(TactKernel *kernel, const TactSystem *system,
                            const TactContactMemory *memory)
{
    TactVar *basis = kernel->warm;
    int      count = tact_memory_recall_basis(memory, basis);
    if (count < 0 || count > kernel->max_k) {
        return false;
    }
    start(kernel, system, !kernel->elimination, NULL);
    tact_memory_recall_turns(memory, kernel->turn);
    for (int c = 0; c < count; c++) {
        tact_kernel_add_friction(kernel, tact_var_item(basis[c]));
    }
    return tact_kernel_set_basis(kernel, basis, count) && tact_kernel_lowest(kernel) >= FEASIBLE;
}

static TactContactOutcome run(TactContactSolver *solver, const TactContactProblem *problem,
                              double *p, TactContactReport *report)
{
    (void)problem;
    Reduced    *reduced = solver->work;
    TactKernel *kernel = &reduced->kernel;
    solver->kernel = kernel;
    bool kept = solver->warm && tact_reduced_try_basis(kernel, &solver->system, solver->memory);
    if (solver->config.cone == TACT_CONTACT_CIRCLE) {
        TactTurningStart from = {.from_kernel = kept};
        return tact_turning_solve(&reduced->turning, kernel, &solver->system, &from,
                                  solver->config.max_turns, TACT_TURNING_TOL, p, report);
    }
    if (kept) {
        tact_kernel_impulses(kernel, true, p);
        return TACT_CONTACT_SOLVED;
    }
    return tact_reduced_solve(kernel, &solver->system, NULL, solver->config.max_pivots, p, report);
}

static void layout(TactContactSolver *solver, TactArena *arena)
{
    Reduced *reduced = tact_arena_take(arena, 1, sizeof *reduced);
    Reduced  sized = {0};
    tact_kernel_layout(&sized.kernel, &solver->capacity, arena);
    tact_turning_layout(&sized.turning, &solver->capacity, arena);
    if (arena->block) {
        *reduced = sized;
        solver->work = reduced;
    }
}

static void layout_structural(TactContactSolver *solver, TactArena *arena)
{
    layout(solver, arena);
    Reduced        *reduced = solver->work;
    TactElimination sized = {0};
    int             max_k = tact_kernel_max_basic(&solver->capacity);
    tact_elimination_layout(&sized, &solver->capacity, max_k, arena);
    if (arena->block) {
        reduced->elimination = sized;
        reduced->kernel.elimination = &reduced->elimination;
    }
}

enum {
    TAKES = TACT_CONTACT_TAKES_PYRAMID | TACT_CONTACT_TAKES_CIRCLE | TACT_CONTACT_TAKES_ROWS |
            TACT_CONTACT_TAKES_W
};

const TactContactMethodEntry tact_contact_reduced = {
    .info = {.name = "reduced", .source = "Lloyd 2004, 5.3", .takes = TAKES},
    .layout = layout,
    .run = run,
};

const TactContactMethodEntry tact_contact_structural = {
    .info = {.name = "structural", .source = "Lloyd 2004, 5.1, 5.2, A", .takes = TAKES},
    .layout = layout_structural,
    .run = run,
};
