// The last rung of `ladder`: small problems in quadruple precision. Contacts that face each other
// hold each other with impulses up to 1e8 times what the motion asks for, and what a double has
// left of a velocity then is rounding.
#include <string.h>

#include "contact/ladder/ladder.h"

// Above these sizes it takes too long: a path has about as many pivots as there are unknowns.
enum { MOST_ITEMS = 32, MOST_DOF = 200, MOST_UNKNOWNS = 480 };

// Steps of Newton from the best answer so far, and from the answer of a path; turns of the circle.
enum { STEPS = 40, STEPS_OF_TURN = 15, TURNS = 8 };

// Paths from nothing, and by how much the pyramids that stand for circles are turned for each.
enum { PATHS = 3 };

// Operations that all of them may take, about two seconds of them.
static const double MOST_WORK = 5e7;

static const double TURN = 0.19634954084936207;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

void tact_ladder_layout_quad(TactLadderQuad *quad, const TactContactCapacity *capacity,
                             TactArena *arena)
{
    TactContactCapacity own = *capacity;
    own.contacts = smaller(own.contacts, MOST_ITEMS);
    own.rows = smaller(own.rows, MOST_ITEMS);
    own.dof = smaller(own.dof, MOST_DOF);
    quad->capacity = own;
    tact_quad_system_layout(&quad->system, &own, arena);
    tact_quad_newton_layout(&quad->newton, &own, arena);
    tact_quad_turning_layout(&quad->turning, &own, MOST_UNKNOWNS, arena);
}

/// Is the problem small enough?
static bool fits(const TactLadderQuad *quad, const TactContactProblem *problem)
{
    TactContactCapacity need = tact_contact_get_capacity(problem);
    return need.contacts <= quad->capacity.contacts && need.rows <= quad->capacity.rows &&
           need.contacts + need.rows <= MOST_ITEMS && need.dof <= quad->capacity.dof;
}

/// Impulses of an answer in the order of the items.
static void take_impulses(const TactContactSolver *solver, double *p)
{
    const TactSystem *system = &solver->system;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        double         *own = p + 3 * (size_t)i;
        if (item->kind == TACT_ITEM_CONTACT) {
            memcpy(own, solver->answer.impulse + 3 * (size_t)item->source, 3 * sizeof *own);
        } else {
            own[0] = own[1] = own[2] = 0;
            own[item->kind == TACT_ITEM_MOTOR] = solver->answer.row_impulse[item->source];
        }
    }
}

/// Rounds what stands in the system, and certifies it.
static bool judge(TactClimb *climb, bool ended)
{
    TactContactSolver *solver = climb->solver;
    TactLadder        *ladder = solver->work;
    bool               first = !ladder->reserve.quad.named;
    double             best = ladder->best_error;
    tact_quad_system_answer(&ladder->reserve.quad.system, &solver->answer);
    take_impulses(solver, climb->p);
    ladder->reserve.quad.named = true;
    ladder->best_error = 0; // what is not solved is no better: its motion is not that of doubles
    bool solved = tact_ladder_judge_answer(climb, first ? "quadruple" : NULL,
                                           ended ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT);
    ladder->best_error = best;
    return solved;
}

static bool polish(TactClimb *climb, double rho, int most)
{
    TactLadderQuad *quad = &((TactLadder *)climb->solver->work)->reserve.quad;
    bool            ended =
        tact_quad_newton_run(&quad->newton, &quad->system, rho, most, &climb->report->turns);
    return judge(climb, ended);
}

/// Newton from the best answer so far.
static bool from_best(TactClimb *climb)
{
    static const double rho[] = {1, 10, 0.1};
    TactContactSolver  *solver = climb->solver;
    TactLadder         *ladder = solver->work;
    TactLadderQuad     *quad = &ladder->reserve.quad;
    for (size_t k = 0; k < sizeof rho / sizeof *rho && ladder->best_error < HUGE_VAL; k++) {
        tact_system_answer(&solver->system, climb->problem, ladder->best, &solver->answer);
        tact_quad_system_set(&quad->system, solver->answer.impulse, solver->answer.row_impulse);
        if (polish(climb, rho[k], STEPS)) {
            return true;
        }
    }
    return false;
}

/// Lemke's path, from nothing; for the circle turned, with Newton from every answer.
static bool from_nothing(TactClimb *climb, int path)
{
    TactLadderQuad *quad = &((TactLadder *)climb->solver->work)->reserve.quad;
    bool            circle = quad->system.cone == TACT_CONE_CIRCLE;
    tact_quad_turning_begin(&quad->turning, &quad->system, circle ? TURN * path : 0);
    for (int k = 0; k < (circle ? TURNS : 1) && quad->work < MOST_WORK; k++) {
        int  before = climb->report->pivots;
        bool ended =
            tact_quad_turning_solve(&quad->turning, &quad->system, path, &climb->report->pivots);
        double n = quad->turning.lemke.n;
        quad->work += n * n * (climb->report->pivots - before);
        if (ended && judge(climb, true)) {
            return true;
        }
        tact_quad_turning_turn(&quad->turning, &quad->system);
        if (polish(climb, 1, STEPS_OF_TURN)) {
            return true;
        }
        if (!ended) {
            break;
        }
    }
    return false;
}

bool tact_ladder_quad(TactClimb *climb)
{
    TactContactSolver *solver = climb->solver;
    TactLadderQuad    *quad = &((TactLadder *)solver->work)->reserve.quad;
    quad->named = false;
    quad->work = 0;
    if (!fits(quad, climb->problem) ||
        !tact_quad_system_build(&quad->system, climb->problem, solver->config.cone)) {
        return false;
    }
    solver->kernel = NULL; // its basis is not that of the answer
    bool solved = from_best(climb);
    for (int path = 0; path < PATHS && !solved; path++) {
        solved = from_nothing(climb, path);
    }
    return solved;
}
