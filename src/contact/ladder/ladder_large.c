// Rungs of `ladder` for large problems: the proximal path, from the last step's impulses and whole.
#include "contact/ladder/ladder.h"

#include <math.h>
#include <string.h>

#include "contact/problem/problem.h"

// Newton from the last step's impulses before the whole path.
enum { WARM_STEPS = 8 };

// Compliance of the first springs of the path, in units of w: about the last step's impulses, or 0.
static const double WARM_EPS = 1e-3, COLD_EPS = 0.1;

// Factors that a path may take where it is tried more than once: those that came to their end took
// up to 1,900.
enum { CHEAP_STEPS = 2000 };

// Rungs that measure their own error do so more strictly than the certificate.
static const double STRICTER = 0.8;

/// The motion before the step, whitened: what the proximal path starts from.
static void set_before(TactLadder *ladder, const TactSystem *system,
                       const TactContactProblem *problem)
{
    if (system->bilateral.rank == 0 && problem->level == TACT_LEVEL_VELOCITY) {
        tact_rows_velocity(problem, ladder->before);
        tact_whitener_velocity(&system->whitener, problem, ladder->before);
    } else {
        memcpy(ladder->before, system->y0, (size_t)system->dof * sizeof(double));
    }
}

/// Makes the proximal path ready; false if the problem is not for it.
bool tact_ladder_begin_proximal(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    const TactSystem  *system = &solver->system;
    TactCoupling      *coupling = &ladder->coupling;
    if (!system->columns_built ||
        !tact_ladder_is_large(&system->capacity, system->item_count, system->dof)) {
        return false;
    }
    tact_coupling_begin(coupling, system, climb->problem, solver->config.cone);
    set_before(ladder, system, climb->problem);
    return tact_proximal_begin(&ladder->proximal, coupling);
}

static void count_proximal(TactClimb *climb)
{
    TactProximal *proximal = &((TactLadder *)climb->solver->work)->proximal;
    climb->report->turns += proximal->steps;
    climb->report->iterations += proximal->stages;
    proximal->steps = proximal->stages = 0;
}

/// The last step's impulses with a few steps of Newton.
bool tact_ladder_warm(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    size_t             size = 3 * (size_t)solver->system.item_count * sizeof(double);
    if (!solver->warm) {
        return false;
    }
    memcpy(ladder->last, climb->p, size);
    bool ended = tact_proximal_polish(&ladder->proximal, ladder->before,
                                      STRICTER * solver->config.tol, WARM_STEPS, climb->p);
    count_proximal(climb);
    if (ended && tact_ladder_judge(climb, "warm", TACT_OUTCOME_SOLVED)) {
        return true;
    }
    memcpy(climb->p, ladder->last, size); // the basis rung starts from there
    return false;
}

/// The path from impulses and the motion that is with them; they may be those of climb.
static bool run_path(TactClimb *climb, const char *name, const double *p, const double *y,
                     double eps)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    size_t             size = 3 * (size_t)solver->system.item_count * sizeof(double);
    if (p) {
        memcpy(climb->p, p, size);
    } else {
        memset(climb->p, 0, size);
    }
    solver->kernel = NULL; // its basis is not that of the answer
    bool ended =
        tact_proximal_run(&ladder->proximal, y, eps, STRICTER * solver->config.tol, climb->p);
    count_proximal(climb);
    return tact_ladder_judge(climb, name, ended ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT);
}

/// May a path of the usual length be tried more than once?
static bool is_cheap(const TactLadder *ladder)
{
    return ladder->proximal.most >= CHEAP_STEPS;
}

bool tact_ladder_proximal(TactClimb *climb)
{
    TactLadder *ladder = climb->solver->work;
    bool        warm = climb->solver->warm;
    if (warm && run_path(climb, "proximal", ladder->last, ladder->before, WARM_EPS)) {
        return true;
    }
    return (!warm || is_cheap(ladder)) &&
           run_path(climb, warm ? "proximal, from nothing" : "proximal", NULL, ladder->before,
                    COLD_EPS);
}

bool tact_ladder_proximal_again(TactClimb *climb)
{
    static const double eps[] = {1e-6, 1e-4};
    TactLadder         *ladder = climb->solver->work;
    for (size_t k = 0; k < sizeof eps / sizeof eps[0]; k++) {
        if (!is_cheap(ladder) || !(ladder->best_error < HUGE_VAL)) {
            break;
        }
        tact_coupling_set(&ladder->coupling, ladder->best);
        if (run_path(climb, "proximal, from there", ladder->best, ladder->coupling.y, eps[k])) {
            return true;
        }
    }
    return false;
}
