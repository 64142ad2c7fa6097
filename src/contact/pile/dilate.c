#include "contact/pile/dilate.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"

static const double START = 0.05;   // d of the interior points, and of the first stage
static const double LARGEST = 0.3;  // d
static const double LEAST = 0.003;  //
static const double MORE = 4;       // times d, and eps, after a stage that failed
static const double EASY_EPS = 0.1; // times eps after a stage of a few steps,
static const double EASY_D = 0.5;   //   times d
static const double USUAL_EPS = 0.3, USUAL_D = 0.7; // the same after one of some more
static const double FIRST_EPS = 1e-3;
static const double SOFTEST = 1, STIFFEST = 1e-8; // eps, and at least
static const double TIED = 3;                     //   so many times the error,
static const double TIED_MOST = 1e-3;             //   if that is not more than this
static const double EXACT = 0.05;    // |g| over |y - y0| that ends a stage, over eps or the error,
static const double FINEST = 1e-12;  //   at least,
static const double COARSEST = 1e-4; //   at most
static const double NEAR = 1e-7;     // error from which on Coulomb's law is tried as it is
static const double NEARER = 0.1;    // error over the last that is worth another try
static const double PATH_EPS = 1e-4; // springs of that

enum {
    INTERIORS = 3,     // interior points, each with the slips of the last
    FIRST_STEPS = 40,  // of the first stage
    MOST_STEPS = 12,   // of the others
    EASY = 3,          // steps of an easy one,
    USUAL = 6,         //   of a usual one
    PATH_FACTORS = 60, // of Coulomb's law
    MOST_STAGES = 1500,
};

void tact_pile_dilate_layout(TactPileDilate *dilate, const TactContactCapacity *capacity,
                             TactArena *arena)
{
    size_t         items = (size_t)capacity->contacts + (size_t)capacity->rows;
    TactPileDilate lent = {
        .slip = tact_arena_take(arena, items, sizeof(double)),
        .y = tact_arena_take(arena, (size_t)capacity->dof, sizeof(double)),
        .kept = tact_arena_take(arena, 3 * items, sizeof(double)),
        .best = tact_arena_take(arena, 3 * items, sizeof(double)),
    };
    if (arena->block) {
        *dilate = lent;
    }
}

bool tact_pile_dilate_takes(const TactProximal *proximal)
{
    const TactSystem *system = proximal->coupling->system;
    bool              takes = !system->has_moments;
    for (int i = 0; i < system->item_count && takes; i++) {
        const TactItem *item = &system->items[i];
        takes = item->kind != TACT_ITEM_CONTACT ||
                (item->compliance == 0 && proximal->coupling->cones[i].count == 0);
    }
    return takes;
}

static size_t impulses(const TactPileDilate *dilate)
{
    return 3 * (size_t)dilate->proximal->coupling->system->item_count * sizeof(double);
}

static size_t motion(const TactPileDilate *dilate)
{
    return (size_t)dilate->proximal->coupling->system->dof * sizeof(double);
}

/// Error of p by Coulomb's law, and whether it is good enough; keeps the best p.
static bool measure_stage(TactPileDilate *dilate, double tol, const double *p)
{
    TactProximal *proximal = dilate->proximal;
    dilate->error = tact_proximal_error(proximal, p);
    double over = dilate->error / tact_coupling_tolerance(proximal->coupling, proximal->scale, tol);
    if (over < dilate->best_error) {
        dilate->best_error = over;
        memcpy(dilate->best, p, impulses(dilate));
    }
    return over <= 1;
}

/// |u_t| of all items at a motion.
static void find_slips(TactPileDilate *dilate, const double *y)
{
    const TactSystem *system = dilate->proximal->coupling->system;
    for (int i = 0; i < system->item_count; i++) {
        double u[3];
        tact_system_pull(system, i, y, u);
        dilate->slip[i] = hypot(u[1] + system->e[3 * i + 1], u[2] + system->e[3 * i + 2]);
    }
}

/// Interior points, each with the slips of the last one, which the stages start from.
static void find_start(TactPileDilate *dilate, const double *before, double *p)
{
    TactProximal *proximal = dilate->proximal;
    find_slips(dilate, before);
    for (int k = 0; k < INTERIORS && !tact_budget_is_over(); k++) {
        tact_interior_run_dilatant(dilate->interior, proximal, START, dilate->slip, p);
        find_slips(dilate, dilate->interior->y);
    }
    memcpy(dilate->y, dilate->interior->y, motion(dilate));
    for (int i = 0; i < proximal->coupling->system->item_count; i++) {
        proximal->items[i].slip = dilate->slip[i];
    }
}

/// Back to the end of the last stage that had one.
static void go_back(TactPileDilate *dilate, const double *p)
{
    tact_proximal_set_motion(dilate->proximal, dilate->y);
    tact_proximal_set_centres(dilate->proximal, p);
}

/// One stage. True if it has a root: p, y and all slips are then those.
static bool run_stage(TactPileDilate *dilate, int most, int *steps, double *p)
{
    TactProximal *proximal = dilate->proximal;
    double        exact = fmin(fmax(EXACT * fmin(dilate->error, dilate->eps), FINEST), COARSEST);
    dilate->stages++;
    if (!tact_proximal_stage(proximal, dilate->eps, exact, most, steps)) {
        dilate->failures++;
        return false;
    }
    memcpy(p, proximal->p, impulses(dilate));
    memcpy(dilate->y, proximal->y, motion(dilate));
    tact_proximal_set_centres(proximal, p);
    for (int i = 0; i < proximal->coupling->system->item_count; i++) {
        TactProximalItem *item = &proximal->items[i];
        item->slip = sqrt(item->u[1] * item->u[1] + item->u[2] * item->u[2]);
    }
    return true;
}

/// Coulomb's law as it is, by a short path of ever stiffer springs. False: all is as it was.
static bool try_path(TactPileDilate *dilate, double tol, double *p)
{
    TactProximal *proximal = dilate->proximal;
    int           most = proximal->most;
    double        d = proximal->dilatancy, error = dilate->error;
    memcpy(dilate->kept, p, impulses(dilate));
    proximal->dilatancy = 0;
    proximal->most = proximal->steps + PATH_FACTORS < most ? proximal->steps + PATH_FACTORS : most;
    bool ended = tact_proximal_run(proximal, dilate->y, PATH_EPS, tol, p);
    bool solved = measure_stage(dilate, tol, p) && ended;
    proximal->most = most;
    proximal->dilatancy = d;
    if (!solved) {
        memcpy(p, dilate->kept, impulses(dilate));
        dilate->error = error;
        go_back(dilate, p);
    }
    return solved;
}

/// Springs and d after a stage of so many steps.
static void adapt(TactPileDilate *dilate, int steps)
{
    double *d = &dilate->proximal->dilatancy;
    double  stiffest = fmin(fmax(TIED * dilate->error, STIFFEST), TIED_MOST);
    if (steps <= EASY) {
        dilate->eps = fmax(EASY_EPS * dilate->eps, stiffest);
        *d = fmax(EASY_D * *d, LEAST);
    } else if (steps <= USUAL) {
        dilate->eps = fmax(USUAL_EPS * dilate->eps, stiffest);
        *d = fmax(USUAL_D * *d, LEAST);
    }
}

/// Stages, one after the other.
static bool run_stages(TactPileDilate *dilate, double tol, double *p)
{
    TactProximal *proximal = dilate->proximal;
    double        near = NEAR;
    while (dilate->stages < MOST_STAGES && proximal->steps < proximal->most &&
           !tact_budget_is_over()) {
        int steps;
        if (!run_stage(dilate, dilate->stages == 0 ? FIRST_STEPS : MOST_STEPS, &steps, p)) {
            go_back(dilate, p);
            dilate->eps = fmin(MORE * dilate->eps, SOFTEST);
            proximal->dilatancy = fmin(MORE * proximal->dilatancy, LARGEST);
            continue;
        }
        if (measure_stage(dilate, tol, p)) {
            return true;
        }
        if (dilate->error < near) {
            near = NEARER * dilate->error;
            if (try_path(dilate, tol, p)) {
                return true;
            }
        }
        adapt(dilate, steps);
    }
    return false;
}

bool tact_pile_dilate_run(TactPileDilate *dilate, TactInterior *interior, TactProximal *proximal,
                          const double *before, double tol, int most, double *p)
{
    int usual = proximal->most;
    dilate->proximal = proximal;
    dilate->interior = interior;
    dilate->best_error = HUGE_VAL;
    dilate->error = 1;
    dilate->eps = FIRST_EPS;
    dilate->stages = dilate->failures = 0;
    memcpy(dilate->best, p, impulses(dilate));
    proximal->most = proximal->steps + most;
    find_start(dilate, before, p);
    proximal->dilatancy = START;
    go_back(dilate, p);
    bool solved = run_stages(dilate, tol, p);
    proximal->dilatancy = 0;
    proximal->follows = false;
    proximal->most = usual;
    memcpy(p, dilate->best, impulses(dilate));
    return solved;
}
