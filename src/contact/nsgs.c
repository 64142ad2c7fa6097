// nsgs: block Gauss-Seidel on the circular cone, each contact solved exactly, sweeps mixed, and a
// Newton polish.                                                       docs/theory/nsgs.md
#include "contact/nsgs.h"

#include <math.h>
#include <string.h>

#include "contact/coupling.h"
#include "contact/nsgs_mix.h"

// The method's own error is judged more strictly than the certificate, which has another scale.
static const double STRICTER = 0.1;

typedef struct Nsgs {
    TactCoupling coupling;
    TactMix      mix;
    double      *u;     // (3 items)
    double      *scale; // of the velocities     (items)
    double      *start; // p before a sweep      (3 items)
    double      *best;  // of the answers of full sweeps, that of least error (3 items)
    double       best_error;
} Nsgs;

static void layout(TactContactSolver *solver, TactArena *arena)
{
    const TactContactCapacity *capacity = &solver->capacity;
    int                        items = capacity->contacts + capacity->rows;
    size_t                     n = 3 * (size_t)items;
    Nsgs                      *nsgs = tact_arena_take(arena, 1, sizeof *nsgs);
    Nsgs                       lent = {
                              .u = tact_arena_take(arena, n, sizeof(double)),
                              .scale = tact_arena_take(arena, (size_t)items, sizeof(double)),
                              .start = tact_arena_take(arena, n, sizeof(double)),
                              .best = tact_arena_take(arena, n, sizeof(double)),
    };
    tact_coupling_layout(&lent.coupling, capacity, arena);
    tact_mix_layout(&lent.mix, 3 * items, arena);
    if (arena->block) {
        *nsgs = lent;
        solver->work = nsgs;
    }
}

/// Error of p from u summed anew; keeps p if it is the best.
static double judge(Nsgs *nsgs, const double *p)
{
    size_t n = 3 * (size_t)nsgs->coupling.system->item_count;
    tact_coupling_move(&nsgs->coupling, p, nsgs->u);
    tact_coupling_scales(&nsgs->coupling, p, nsgs->scale);
    double error = tact_coupling_error(&nsgs->coupling, p, nsgs->u, nsgs->scale, NULL);
    if (error < nsgs->best_error) {
        nsgs->best_error = error;
        memcpy(nsgs->best, p, n * sizeof(double));
    }
    return error;
}

/// One sweep; returns the worst change, each over the scale of its item.
static double sweep(Nsgs *nsgs, double *p)
{
    double worst = 0;
    for (int i = 0; i < nsgs->coupling.system->item_count; i++) {
        double off = tact_coupling_visit(&nsgs->coupling, i, p);
        off = off > 0 ? off / nsgs->scale[i] : 0;
        worst = off > worst ? off : worst;
    }
    return worst;
}

static TactContactOutcome iterate(Nsgs *nsgs, double tolerance, int max_sweeps, double *p,
                                  TactContactReport *report)
{
    size_t n = 3 * (size_t)nsgs->coupling.system->item_count;
    double error = judge(nsgs, p);
    while (!(error <= tolerance)) {
        if (report->iterations == max_sweeps) {
            return TACT_CONTACT_LIMIT;
        }
        memcpy(nsgs->start, p, n * sizeof(double));
        double change = sweep(nsgs, p);
        report->iterations++;
        if (change <= tolerance || report->iterations % 16 == 1) {
            error = judge(nsgs, p);
            if (error <= tolerance) {
                break;
            }
        }
        tact_mix_step(&nsgs->mix, nsgs->start, p);
        tact_coupling_set(&nsgs->coupling, p);
    }
    return TACT_CONTACT_SOLVED;
}

static TactContactOutcome run(TactContactSolver *solver, const TactContactProblem *problem,
                              double *p, TactContactReport *report)
{
    Nsgs  *nsgs = solver->work;
    size_t n = 3 * (size_t)solver->system.item_count;
    tact_coupling_begin(&nsgs->coupling, &solver->system, problem);
    tact_mix_begin(&nsgs->mix, (int)n, nsgs->coupling.weight);
    nsgs->best_error = HUGE_VAL;
    memcpy(nsgs->best, p, n * sizeof(double));
    TactContactOutcome outcome =
        iterate(nsgs, STRICTER * solver->config.tol, solver->config.max_sweeps, p, report);
    memcpy(p, nsgs->best, n * sizeof(double));
    return outcome;
}

const TactContactMethodEntry tact_contact_nsgs = {
    .info = {.name = "nsgs",
             .source = "Jourdan, Alart and Jean 1998, each contact solved exactly; Anderson 1965",
             .takes = TACT_CONTACT_TAKES_CIRCLE | TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W},
    .reads_W = true,
    .layout = layout,
    .run = run,
};
