#include "contact/pile/pile.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"

static const double MODERATE = 3e-4;     // eps of the stages, in units of w
static const double SOFTER = 4;          // times eps after a stage that failed
static const double STIFFER = 0.3;       // times eps after an easy one
static const double SOFTEST = 1;         //
static const double EXACT = 0.02;        // |g| over |y - y0| that ends a stage, over the error,
static const double FINEST = 1e-12;      //   at least,
static const double COARSEST = 1e-4;     //   at most
static const double SLOW = 0.1;          // error over the last: stages that do not do better
static const double SMALL = 1e-4;        // error from which on that counts
static const double STALE = 0.3;         // error over that of the last round: rings grow
static const double LOCAL_TOL = 0.3;     // tolerance of a spot over that of the pile
static const double NEAR_EPS = 1e-3;     // eps of the path from the start
static const double NEARLY = 1e-6;       // error from which on stages are made stiffer,
static const double STIFF = 0.1;         //   by that,
static const double STIFFEST = 1e-7;     //   down to that eps
static const double KICK_EPS = 1e-3;     // eps of the stages after a kick
static const double DILATE_WORK = 1e11;  // operations of all their factors
static const double CURVE_EPS = 1e-7;    // eps at the end of a curve,
static const double CURVE_STIFFER = 0.1; //   times that of the curves after the first

enum {
    MOST_STEPS = 8,     // of a stage
    EASY = 4,           // steps of an easy one
    STAGES = 3,         // before spots are looked at
    STIFF_STAGES = 6,   // at the end
    RINGS = 3,          // 0, 1, 2
    FROM_FAILED = 2,    // entry of the list of parts (spots.c) after a stage that failed
    HOPELESS = 2,       // rounds in a row in which a spot was not solved; kicked: no spot was
    NEAR_FACTORS = 150, // of the path from the start,
    FACTORS = 10,       // of stages and spots before the kicks,
    KICK_FACTORS = 60,  // after a kick,
    PATH_FACTORS = 400, // and of the kick itself
    KICKS = 8,
    JAM_FACTORS = KICKS * (PATH_FACTORS + KICK_FACTORS), // of all kicks and curves
    CURVES = 3,                                          // one after the other,
    CURVE_FACTORS = 1200,                                // of each,
    BEHIND_FACTORS = 60,                                 // and of the path behind it
    MOST_ROUNDS = 200,
    DILATE_FACTORS = 2500, // of contacts that lift,
};

void tact_pile_layout(TactPileSolver *pile, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t         items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactPileSolver lent = {
        .u = tact_arena_take(arena, 3 * items, sizeof(double)),
        .scale = tact_arena_take(arena, items, sizeof(double)),
        .bad = tact_arena_take(arena, items, sizeof(double)),
        .y = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double)),
        .kept = tact_arena_take(arena, 3 * items, sizeof(double)),
        .best = tact_arena_take(arena, 3 * items, sizeof(double)),
    };
    tact_interior_layout(&lent.interior, capacity, arena);
    tact_pile_spots_layout(&lent.spots, capacity, arena);
    tact_pile_local_layout(&lent.local, capacity, arena);
    tact_pile_parallel_layout(&lent.parallel, capacity, arena);
    tact_pile_curve_layout(&lent.curve, capacity, arena);
    tact_pile_dilate_layout(&lent.dilate, capacity, arena);
    if (arena->block) {
        *pile = lent;
    }
}

void tact_pile_destroy(TactPileSolver *pile)
{
    tact_pile_parallel_destroy(&pile->parallel);
}

static size_t impulses(const TactPileSolver *pile)
{
    return 3 * (size_t)pile->coupling->system->item_count * sizeof(double);
}

static size_t motion(const TactPileSolver *pile)
{
    return (size_t)pile->coupling->system->dof * sizeof(double);
}

// ---------------------------------------------------------------------------------------------
// Error

/// Errors of all items, the worst, and the merit; keeps the best p. True if it is good enough.
static bool measure(TactPileSolver *pile, double tol, const double *p)
{
    TactCoupling     *coupling = pile->coupling;
    const TactSystem *system = coupling->system;
    tact_proximal_judge(pile->proximal, p, pile->u, pile->scale, pile->bad);
    memcpy(pile->y, coupling->y, motion(pile));
    pile->error = pile->merit = 0;
    for (int i = 0; i < system->item_count; i++) {
        double residual = pile->bad[i];
        pile->bad[i] = residual == 0 ? 0 : residual / pile->scale[i];
        pile->merit += residual * residual / coupling->weight[i];
        pile->error = pile->bad[i] <= pile->error ? pile->error : pile->bad[i]; // also NaN
    }
    pile->allowed = tact_coupling_tolerance(coupling, pile->scale, tol);
    double over = pile->error / pile->allowed;
    if (over < pile->best_error) {
        pile->best_error = over;
        memcpy(pile->best, p, impulses(pile));
    }
    return over <= 1;
}

// ---------------------------------------------------------------------------------------------
// Stages

/// What is bad about an item is the part of |g| that its bodies have, the lesser of them.
static void blame(TactPileSolver *pile)
{
    const TactSystem *system = pile->coupling->system;
    const double     *g = pile->proximal->g;
    double            worst = 0;
    for (int k = 0; k < system->group_count; k++) {
        const TactItemGroup *group = &system->groups[k];
        const int           *support = system->support + group->support;
        double               lesser = HUGE_VAL, sum = 0;
        for (int s = 0; s < group->size; s++) {
            int node = support[s] / TACT_PILE_NODE;
            sum += g[support[s]] * g[support[s]];
            if (s + 1 == group->size || support[s + 1] / TACT_PILE_NODE != node) {
                lesser = fmin(lesser, sum);
                worst = fmax(worst, sum);
                sum = 0;
            }
        }
        for (int i = group->first; i < group->first + group->count; i++) {
            pile->bad[i] = group->size > 0 ? lesser : 0;
        }
    }
    for (int i = 0; i < system->item_count; i++) {
        pile->bad[i] = worst > 0 ? sqrt(pile->bad[i] / worst) : 0;
    }
}

/// A few stages, the first of them of at most so many steps. True: solved. Otherwise spots are
/// next: pile->failed says why.
static bool run_stages(TactPileSolver *pile, double *eps, int first, double tol, double *p)
{
    TactProximal *proximal = pile->proximal;
    pile->failed = false;
    for (int k = 0; k < STAGES; k++) {
        int    steps = 0;
        double before = pile->error;
        double exact = fmin(fmax(EXACT * pile->error, FINEST), COARSEST);
        tact_proximal_set_motion(proximal, pile->y);
        tact_proximal_set_centres(proximal, p);
        if (!tact_proximal_stage(proximal, *eps, exact, k == 0 ? first : MOST_STEPS, &steps)) {
            *eps = fmin(SOFTER * *eps, SOFTEST);
            pile->failed = true;
            blame(pile);
            return false;
        }
        memcpy(p, proximal->p, impulses(pile));
        if (measure(pile, tol, p)) {
            return true;
        }
        if (steps <= EASY) {
            *eps = fmax(MODERATE, STIFFER * *eps);
        }
        if (pile->error > SLOW * before && pile->error < SMALL) {
            break;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Rounds

/// Solves the bad spots. Returns how many.
static int solve_spots(TactPileSolver *pile, int rings, double tol, double *p)
{
    const TactMany *many = pile->proximal->many;
    tact_pile_spots_find(&pile->spots, pile->coupling->system, pile->bad,
                         pile->failed ? FROM_FAILED : 0, rings, pile->local.most_items);
    TactPileRound round = {.pile = pile->coupling,
                           .spots = &pile->spots,
                           .local = &pile->local,
                           .threads = many ? many->threads : NULL,
                           .tol = LOCAL_TOL * tol,
                           .p = p,
                           .y = pile->y};
    int           solved = tact_pile_parallel_solve(&pile->parallel, &round);
    pile->spots_tried += pile->spots.count;
    pile->spots_solved += solved;
    return solved;
}

/// A path of ever stiffer springs from p; its end is kept even if it is worse.
static bool run_path(TactPileSolver *pile, double eps, int factors, double tol, double *p)
{
    TactProximal *proximal = pile->proximal;
    int           most = proximal->most;
    proximal->most = proximal->steps + factors < most ? proximal->steps + factors : most;
    bool ended = tact_proximal_run(proximal, pile->y, eps, tol, p);
    proximal->most = most;
    return measure(pile, tol, p) && ended;
}

/// Where little is left, and stages leave it as it is: loads that go from one contact to the other,
/// by a small part in each of them, until one lets go. Stages that are ever stiffer take larger
/// parts.
static bool run_stiff(TactPileSolver *pile, double eps, double tol, double *p)
{
    TactProximal *proximal = pile->proximal;
    for (int k = 0; k < STIFF_STAGES && pile->error < NEARLY; k++) {
        int    steps = 0;
        double exact = fmax(EXACT * pile->error, FINEST);
        eps = fmax(STIFF * eps, STIFFEST);
        tact_proximal_set_motion(proximal, pile->y);
        tact_proximal_set_centres(proximal, p);
        if (!tact_proximal_stage(proximal, eps, exact, MOST_STEPS, &steps)) {
            return false;
        }
        memcpy(p, proximal->p, impulses(pile));
        if (measure(pile, tol, p)) {
            return true;
        }
    }
    return false;
}

/// Stages and spots in turn.
static bool run_levels(TactPileSolver *pile, double eps, int factors, double tol, double *p)
{
    TactProximal *proximal = pile->proximal;
    int           most = proximal->most;
    int           rings = 0, hopeless = 0;
    bool          solved = measure(pile, tol, p);
    double        last = HUGE_VAL;
    proximal->most = proximal->steps + factors < most ? proximal->steps + factors : most;
    for (int round = 0; round < MOST_ROUNDS && !solved && hopeless < HOPELESS; round++) {
        solved = run_stages(pile, &eps, MOST_STEPS, tol, p);
        if (solved || proximal->steps >= proximal->most || tact_budget_is_over()) {
            break;
        }
        double error = pile->error, merit = pile->merit;
        rings = error > STALE * last ? (rings + 1) % RINGS : 0;
        last = error;
        memcpy(pile->kept, p, impulses(pile));
        int done = solve_spots(pile, rings, tol, p);
        hopeless =
            4 * done >= 3 * pile->spots.count || (pile->kicked && done > 0) ? 0 : hopeless + 1;
        bool failed = pile->failed;
        solved = measure(pile, tol, p);
        if (!solved && (error > SMALL || failed) && pile->merit > merit) {
            memcpy(p, pile->kept, impulses(pile));
            measure(pile, tol, p);
        }
    }
    solved = solved || (pile->kicked && run_stiff(pile, MODERATE, tol, p));
    proximal->most = most;
    return solved;
}

/// Curves from soft springs about p to stiff ones, each from the end of the last, and a short path
/// from there. p: the end of the last curve that had one.
static bool run_curves(TactPileSolver *pile, double tol, double *p)
{
    double eps = CURVE_EPS;
    for (int k = 0; k < CURVES && !tact_budget_is_over(); k++) {
        measure(pile, tol, p);
        pile->curves_tried++;
        if (!tact_pile_curve_run(&pile->curve, pile->proximal, pile->y, eps, CURVE_FACTORS, p)) {
            return false;
        }
        pile->curves_ended++;
        if (measure(pile, tol, p)) {
            return true;
        }
        memcpy(pile->kept, p, impulses(pile));
        if (run_path(pile, eps, BEHIND_FACTORS, tol, p)) {
            return true;
        }
        memcpy(p, pile->kept, impulses(pile));
        eps = CURVE_STIFFER * CURVE_EPS;
    }
    measure(pile, tol, p);
    return false;
}

/// Contacts that lift as they slip, where the method takes the problem.
static bool run_dilate(TactPileSolver *pile, const double *before, double tol, double *p)
{
    TactProximal *proximal = pile->proximal;
    double        factors = fmin(DILATE_WORK / proximal->work, DILATE_FACTORS);
    if (tact_budget_is_over() || !tact_pile_dilate_takes(proximal)) {
        return false;
    }
    tact_pile_dilate_run(&pile->dilate, &pile->interior, proximal, before, tol, (int)factors, p);
    return measure(pile, tol, p);
}

/// p becomes the best that was seen.
static bool finish(TactPileSolver *pile, double *p)
{
    memcpy(p, pile->best, impulses(pile));
    return pile->best_error <= 1;
}

static void begin(TactPileSolver *pile, TactProximal *proximal)
{
    pile->proximal = proximal;
    pile->coupling = proximal->coupling;
    pile->best_error = HUGE_VAL;
    pile->failed = pile->kicked = false;
    pile->local.factors = 0;
    pile->spots_solved = pile->spots_tried = 0;
    pile->curves_ended = pile->curves_tried = 0;
}

bool tact_pile_run(TactPileSolver *pile, TactProximal *proximal, double tol, double *p)
{
    begin(pile, proximal);
    memcpy(pile->best, p, impulses(pile));
    tact_interior_run(&pile->interior, proximal, p);
    measure(pile, tol, p);
    memcpy(pile->y, pile->interior.y, motion(pile));
    if (!run_path(pile, NEAR_EPS, NEAR_FACTORS, tol, p)) {
        memcpy(p, pile->best, impulses(pile));
        run_levels(pile, MODERATE, FACTORS, tol, p);
    }
    return finish(pile, p);
}

bool tact_pile_kick(TactPileSolver *pile, TactProximal *proximal, const double *before, double tol,
                    double *p)
{
    static const double eps[] = {1e-4, 1e-6, 1e-3, 1e-5};
    bool                curves = tact_pile_curve_takes(proximal);
    int                 usual = proximal->most;
    begin(pile, proximal);
    pile->kicked = true;
    proximal->most = proximal->steps + JAM_FACTORS < usual ? proximal->steps + JAM_FACTORS : usual;
    bool solved = measure(pile, tol, p) || (curves && run_curves(pile, tol, p));
    int  start = proximal->steps;
    solved = solved || run_dilate(pile, before, tol, p);
    proximal->most += proximal->steps - start; // these are counted by themselves
    for (int k = 0; k < KICKS && !solved && proximal->steps < proximal->most; k++) {
        solved = (curves && run_curves(pile, tol, p)) ||
                 run_path(pile, eps[k % 4], PATH_FACTORS, tol, p) ||
                 run_levels(pile, KICK_EPS, KICK_FACTORS, tol, p);
        if (tact_budget_is_over()) {
            break;
        }
    }
    proximal->most = usual;
    return finish(pile, p);
}
