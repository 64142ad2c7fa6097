// nsgs: block Gauss-Seidel on the circular cone or the pyramid, each contact solved exactly, sweeps
// mixed, and a Newton polish. docs/theory/nsgs.md
#include "contact/newton/nsgs.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "contact/admm/admm.h"
#include "contact/newton/newton.h"
#include "contact/newton/nsgs_mix.h"

// The method's own error is judged more strictly than the certificate, which has another scale.
static const double STRICTER = 0.1;

enum {
    FIRST_POLISH = 8,     // sweeps before Newton is tried at all
    POLISH_STEPS = 30,    // of one try, at most
    STEPS_GUESSED = 2,    // of one try, mostly
    JUDGE_EVERY = 16,     // sweeps between two errors that nobody asked for
    CHEAP_STEP = 20,      // sweeps that a step of Newton's method costs at least,
    EARLY_STEP = 200,     //   and at most, where a tower is tried early
    MANY = 1000,          // contacts: alternating directions are tried first
    WEAK_ITERATIONS = 30, // of alternating directions
    STIFF_ITERATIONS = 600,
};

// Springs of alternating directions, in units of w; contacts of a tower that do not push, at most.
static const double WEAK_RHO = 0.01, STIFF_RHO = 0.1, OPEN_SHARE = 0.3;

typedef struct Nsgs {
    TactNewton newton; // and the coupling
    TactMix    mix;
    TactAdmm   admm;  // of a problem given by blocks
    double    *u;     // (3 items)
    double    *scale; // of the velocities                                      (items)
    double    *start; // p before a sweep                                       (3 items)
    double    *best;  // of the answers of full sweeps, that of least error     (3 items)
    double     best_error;
    double     sweep_work; // operations of a sweep
    double     work;       // done in sweeps since Newton was tried last
    int        tries;      // of Newton
} Nsgs;

static void nsgs_layout(TactMethod *method, TactArena *arena)
{
    const TactContactCapacity *capacity = &method->capacity;
    int                        items = capacity->contacts + capacity->rows;
    size_t                     n = 3 * (size_t)items;
    Nsgs                      *nsgs = tact_arena_take(arena, 1, sizeof *nsgs);
    Nsgs                       lent = {
                              .u = tact_arena_take(arena, n, sizeof(double)),
                              .scale = tact_arena_take(arena, (size_t)items, sizeof(double)),
                              .start = tact_arena_take(arena, n, sizeof(double)),
                              .best = tact_arena_take(arena, n, sizeof(double)),
    };
    tact_newton_layout(&lent.newton, capacity, arena);
    tact_mix_layout(&lent.mix, 3 * items, arena);
    tact_admm_layout(&lent.admm, capacity, arena);
    if (arena->block) {
        *nsgs = lent;
        method->work = nsgs;
    }
}

static TactStatus nsgs_create(TactMethod *method)
{
    Nsgs *nsgs = method->work;
    return method->capacity.blocks > 0 ? tact_fronts_create(&nsgs->newton.fronts) : TACT_OK;
}

static void nsgs_destroy(TactMethod *method)
{
    Nsgs *nsgs = method->work;
    tact_fronts_destroy(nsgs->newton.fronts);
}

/// Operations of a sweep: the exact solution of an item counts as much as some 100 of them.
static double count_work(const TactCoupling *coupling)
{
    const TactSystem *system = coupling->system;
    double            work = 100.0 * system->item_count;
    if (coupling->has_blocks) {
        return work + 18.0 * coupling->start[system->item_count];
    }
    for (int i = 0; i < system->item_count; i++) {
        work += 12.0 * system->groups[system->items[i].group].size;
    }
    return work;
}

/// Error of p from u summed anew, over what may be left of it; keeps p if it is the best.
static double judge_sweep(Nsgs *nsgs, double tolerance, const double *p)
{
    TactCoupling *coupling = &nsgs->newton.coupling;
    tact_coupling_move(coupling, p, nsgs->u);
    tact_coupling_scales(coupling, p, nsgs->scale);
    double error = tact_coupling_error(coupling, p, nsgs->u, nsgs->scale, NULL) /
                   tact_coupling_tolerance(coupling, nsgs->scale, tolerance);
    tact_budget_tell_error(error * tolerance);
    if (error < nsgs->best_error) {
        nsgs->best_error = error;
        memcpy(nsgs->best, p, 3 * (size_t)coupling->system->item_count * sizeof(double));
    }
    return error;
}

/// One sweep; returns the worst change, each over the scale of its item.
static double sweep(Nsgs *nsgs, double *p)
{
    double worst = 0;
    for (int i = 0; i < nsgs->newton.coupling.system->item_count; i++) {
        double off = tact_coupling_visit(&nsgs->newton.coupling, i, p);
        off = off > 0 ? off / nsgs->scale[i] : 0;
        worst = off > worst ? off : worst;
    }
    nsgs->work += nsgs->sweep_work;
    return worst;
}

/// One try of Newton, each time another one.
static bool try_newton(Nsgs *nsgs, int try, double tolerance, double *p, int *steps)
{
    static const double rho[] = {10, 1, 100, 3};
    static const double compliance[] = {1e-9, 1e-10, 1e-8, 1e-11};
    TactNewtonSolve     solve = try % 8 < 4 ? TACT_NEWTON_PROXIMAL : TACT_NEWTON_LEAST;
    nsgs->newton.compliance = compliance[try / 8 % 4];
    if (try % 4 == 1 && tact_newton_path(&nsgs->newton, tolerance, p, steps)) {
        return true;
    }
    return tact_newton_run(&nsgs->newton, solve, rho[try % 4], POLISH_STEPS, tolerance, p, steps);
}

/// Alternating directions: a few with weak springs from nothing, which do where nearly all contacts
/// stick, or many with stiffer ones from p. p is the better of what was and what they find.
static bool alternate(Nsgs *nsgs, bool stiff, double tolerance, double *p,
                      TactContactReport *report)
{
    size_t n = 3 * (size_t)nsgs->newton.coupling.system->item_count;
    double error = judge_sweep(nsgs, tolerance, p);
    memcpy(nsgs->start, p, n * sizeof(double));
    if (!stiff) {
        memset(p, 0, n * sizeof(double));
    }
    tact_admm_begin(&nsgs->admm, &nsgs->newton, stiff ? STIFF_RHO : WEAK_RHO, p);
    bool solved = tact_admm_run(&nsgs->admm, stiff ? STIFF_ITERATIONS : WEAK_ITERATIONS, tolerance,
                                p, &report->iterations);
    if (!(judge_sweep(nsgs, tolerance, p) < error)) {
        memcpy(p, nsgs->start, n * sizeof(double));
    }
    return solved;
}

/// May this be a tower at rest? Few contacts do not push, and a step of Newton's method is worth
/// many sweeps, but not too many.
static bool is_tower(const Nsgs *nsgs, const double *p)
{
    int    items = nsgs->newton.coupling.system->item_count, open = 0;
    double sweeps = nsgs->newton.work / nsgs->sweep_work;
    if (!nsgs->newton.is_sparse || sweeps < CHEAP_STEP || sweeps > EARLY_STEP) {
        return false;
    }
    for (int i = 0; i < items; i++) {
        open += p[3 * i] == 0;
    }
    return open <= OPEN_SHARE * items;
}

/// Is it time for the next try? Where the sweeps since the last one have cost as much as it will
/// the two together cost at most a few times what the better one would have cost alone. The first
/// one of a sparse problem may cost more: alternating directions are the answer for towers.
static bool is_time(const Nsgs *nsgs, const double *p)
{
    double step = nsgs->newton.work;
    return step > 0 && (nsgs->work >= STEPS_GUESSED * (nsgs->tries + 1) * step ||
                        (nsgs->tries == 0 && is_tower(nsgs, p)));
}

/// Newton from p, of a sparse problem every fourth time after alternating directions.
static bool polish(Nsgs *nsgs, double tolerance, double *p, TactContactReport *report)
{
    if (!is_time(nsgs, p)) {
        return false;
    }
    nsgs->work = 0;
    int  try = nsgs->tries++;
    bool tower = try == 0 && is_tower(nsgs, p);
    bool many = nsgs->newton.coupling.system->item_count >= MANY;
    bool solved = ((tower || (nsgs->newton.is_sparse && try % 4 == (many ? 0 : 3))) &&
                   alternate(nsgs, !tower, tolerance, p, report)) ||
                  try_newton(nsgs, try, tolerance, p, &report->turns);
    tact_coupling_set(&nsgs->newton.coupling, p);
    return solved;
}

static TactContactOutcome sweep_until_solved(Nsgs *nsgs, double tolerance, int max_sweeps,
                                             double *p, TactContactReport *report)
{
    size_t n = 3 * (size_t)nsgs->newton.coupling.system->item_count;
    double error = judge_sweep(nsgs, tolerance, p);
    for (int sweeps = 1; !(error <= 1); sweeps++) {
        if (sweeps > max_sweeps || tact_budget_spend(nsgs->sweep_work)) {
            return TACT_OUTCOME_LIMIT;
        }
        memcpy(nsgs->start, p, n * sizeof(double));
        double change = sweep(nsgs, p);
        report->iterations++;
        if (change <= tolerance || sweeps % JUDGE_EVERY == 1) {
            error = judge_sweep(nsgs, tolerance, p);
            if (error <= 1) {
                break;
            }
        }
        tact_mix_step(&nsgs->mix, nsgs->start, p);
        tact_coupling_set(&nsgs->newton.coupling, p);
        if (sweeps >= FIRST_POLISH && polish(nsgs, tolerance, p, report)) {
            error = judge_sweep(nsgs, tolerance, p);
        }
    }
    return TACT_OUTCOME_SOLVED;
}

static TactContactOutcome nsgs_run(TactMethod *method, TactAttempt *attempt)
{
    Nsgs              *nsgs = method->work;
    TactContactReport *report = attempt->report;
    double            *p = attempt->p;
    double             tolerance = STRICTER * method->config.tol;
    size_t             n = 3 * (size_t)attempt->system->item_count;
    tact_newton_begin(&nsgs->newton, attempt->system, attempt->problem, method->config.cone);
    tact_coupling_set(&nsgs->newton.coupling, p);
    tact_mix_begin(&nsgs->mix, (int)n, nsgs->newton.coupling.weight);
    nsgs->best_error = HUGE_VAL;
    nsgs->sweep_work = count_work(&nsgs->newton.coupling);
    nsgs->work = 0;
    nsgs->tries = 0;
    memcpy(nsgs->best, p, n * sizeof(double));
    TactContactOutcome outcome =
        sweep_until_solved(nsgs, tolerance, method->config.max_sweeps, p, report);
    memcpy(p, nsgs->best, n * sizeof(double));
    if (outcome == TACT_OUTCOME_SOLVED && nsgs->tries > 0) {
        tact_newton_refine(&nsgs->newton, tolerance, p, &report->turns);
    }
    return outcome;
}

const TactContactMethodEntry tact_contact_nsgs = {
    .info = {.name = "nsgs",
             .source = "Jourdan, Alart and Jean 1998, each contact solved exactly; Anderson 1965",
             .takes = TACT_CONTACT_TAKES_CIRCLE | TACT_CONTACT_TAKES_ROWS | TACT_CONTACT_TAKES_W |
                      TACT_CONTACT_TAKES_PATCHES | TACT_CONTACT_TAKES_BLOCKS},
    .reads_W = true,
    .refines = true,
    .layout = nsgs_layout,
    .create = nsgs_create,
    .destroy = nsgs_destroy,
    .run = nsgs_run,
};
