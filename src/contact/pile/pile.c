#include "contact/pile/pile.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"

static const double NEAR_EPS = 1e-3;     // eps of the path from the start
static const double CURVE_EPS = 1e-7;    // eps at the end of a curve,
static const double CURVE_STIFFER = 0.1; //   times that of the curves after the first
static const double JAM_WORK = 1.5e11;   // operations of the factors of all kicks and curves,
static const double FOLLOW_WORK = 4e11;  //   of paths whose stages are followed,
static const double DILATE_WORK = 1e11;  //   and of contacts that lift

static const double KICK_EPS[] = {1e-4, 1e-6, 1e-3, 1e-5}; // of kicks in turn

enum {
    NEAR_FACTORS = 60,      // of the path from the start,
    MANY_NEAR_FACTORS = 40, //   of many bodies, whose drafts are left there
    PATH_FACTORS = 400,     // of a kick,
    KICKS = 8,
    CURVES = 3,            // one after the other,
    CURVE_FACTORS = 1200,  // of each,
    BEHIND_FACTORS = 60,   // and of the path behind it
    JAM_FACTORS = 3680,    // of all kicks and curves
    FOLLOW_FACTORS = 4000, // of paths whose stages are followed
    DILATE_FACTORS = 1500, // of contacts that lift
};

void tact_pile_layout(TactPileSolver *pile, const TactContactCapacity *capacity, TactArena *arena)
{
    size_t         items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactPileSolver lent = {
        .y = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double)),
        .kept = tact_arena_take(arena, 3 * items, sizeof(double)),
        .best = tact_arena_take(arena, 3 * items, sizeof(double)),
    };
    tact_interior_layout(&lent.interior, capacity, arena);
    tact_pile_curve_layout(&lent.curve, capacity, arena);
    tact_pile_dilate_layout(&lent.dilate, capacity, arena);
    tact_pile_follow_layout(&lent.follow, capacity, arena);
    if (arena->block) {
        *pile = lent;
    }
}

static size_t impulses(const TactPileSolver *pile)
{
    return 3 * (size_t)pile->coupling->system->item_count * sizeof(double);
}

static size_t motion(const TactPileSolver *pile)
{
    return (size_t)pile->coupling->system->dof * sizeof(double);
}

/// The worst error of p; keeps the best p. True if it is good enough.
static bool measure(TactPileSolver *pile, double tol, const double *p)
{
    TactProximal *proximal = pile->proximal;
    double        error = tact_proximal_error(proximal, p);
    double        over = error / tact_coupling_tolerance(pile->coupling, proximal->scale, tol);
    memcpy(pile->y, pile->coupling->y, motion(pile));
    if (over < pile->best_error) {
        pile->best_error = over;
        memcpy(pile->best, p, impulses(pile));
    }
    return over <= 1;
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

static bool rescue(void *context, TactProximal *proximal, double eps, const double *p)
{
    return tact_pile_follow_run(context, proximal, eps, p);
}

/// Paths whose stages are followed to their root where they fail, from the best impulses, where the
/// method takes the problem.
static bool run_followed(TactPileSolver *pile, double tol, double *p)
{
    TactProximal *proximal = pile->proximal;
    bool          solved = false;
    if (tact_budget_is_over() || !tact_pile_follow_takes(proximal)) {
        return false;
    }
    memcpy(p, pile->best, impulses(pile));
    tact_proximal_error(proximal, p);
    memcpy(pile->y, pile->coupling->y, motion(pile));
    int factors = (int)fmin(FOLLOW_WORK / proximal->work, FOLLOW_FACTORS);
    proximal->most = proximal->steps + factors;
    proximal->rescue = (TactProximalRescue){rescue, &pile->follow};
    for (int k = 0; k < KICKS && !solved && proximal->steps < proximal->most; k++) {
        solved = run_path(pile, KICK_EPS[k % 4], factors, tol, p);
        if (tact_budget_is_over()) {
            break;
        }
    }
    proximal->rescue.run = NULL;
    return solved;
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
    pile->curves_ended = pile->curves_tried = 0;
}

bool tact_pile_run(TactPileSolver *pile, TactProximal *proximal, double tol, double *p)
{
    begin(pile, proximal);
    memcpy(pile->best, p, impulses(pile));
    tact_interior_run(&pile->interior, proximal, p);
    measure(pile, tol, p);
    memcpy(pile->y, pile->interior.y, motion(pile));
    run_path(pile, NEAR_EPS, proximal->is_many ? MANY_NEAR_FACTORS : NEAR_FACTORS, tol, p);
    return finish(pile, p);
}

int tact_pile_jam_factors(const TactProximal *proximal)
{
    return (int)fmin(JAM_WORK / proximal->work, JAM_FACTORS);
}

bool tact_pile_kick(TactPileSolver *pile, TactProximal *proximal, const TactPileJam *jam, double *p)
{
    bool curves = tact_pile_curve_takes(proximal);
    int  usual = proximal->most;
    begin(pile, proximal);
    proximal->most = proximal->steps + jam->most;
    double tol = jam->tol;
    bool   solved = measure(pile, tol, p);
    for (int k = jam->is_near ? 1 : 0; k < KICKS && !solved && proximal->steps < proximal->most;
         k++) {
        solved = run_path(pile, KICK_EPS[k % 4], PATH_FACTORS, tol, p) ||
                 (curves && run_curves(pile, tol, p));
        if (tact_budget_is_over()) {
            break;
        }
    }
    if (!solved && !run_followed(pile, tol, p)) {
        run_dilate(pile, jam->before, tol, p);
    }
    proximal->most = usual;
    return finish(pile, p);
}
