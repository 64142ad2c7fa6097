// The last rung of `ladder`: small problems in quadruple precision. Contacts that face each other
// hold each other with impulses up to 1e8 times what the motion asks for, and what a double has
// left of a velocity then is rounding.
#include <string.h>

#include "base/budget.h"
#include "contact/ladder/ladder.h"

// Of the LCP that a path is followed in: it has about as many pivots as there are unknowns.
enum { MOST_UNKNOWNS = 480 };

// Steps of Newton from the best answer so far, and from the answer of a path; turns of the circle.
enum { STEPS = 40, STEPS_OF_TURN = 15, TURNS = 8 };

// Paths from nothing, and by how much the pyramids that stand for circles are turned for each.
enum { PATHS = 3 };

// Operations that all of them may take, about two seconds of them.
static const double MOST_WORK = 5e7;

// Softness of paths, of W_ii. Where contacts hold each other with impulses that no double resolves,
// the exact answer, rounded, obeys no law; one whose contacts give way by less than the tolerance
// does, with impulses that are smaller by far. How soft is not known beforehand.
static const double SOFT[] = {5e-9,  5e-11, 1e-12, 1e-13, 1e-14, 1e-15,
                              1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-22};
enum { SOFTER = sizeof SOFT / sizeof *SOFT, SOFTEST = 2 };

static const double TURN = 0.19634954084936207;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

void tact_ladder_layout_quad(TactLadderQuad *quad, const TactContactCapacity *capacity,
                             TactArena *arena)
{
    TactContactCapacity own = *capacity;
    own.contacts = smaller(own.contacts, TACT_LADDER_MOST_QUAD);
    own.rows = smaller(own.rows, TACT_LADDER_MOST_QUAD);
    own.dof = smaller(own.dof, TACT_LADDER_MOST_QUAD_DOF);
    tact_quad_system_layout(&quad->system, &own, arena);
    tact_quad_newton_layout(&quad->newton, &own, arena);
    tact_quad_turning_layout(&quad->turning, &own, MOST_UNKNOWNS, arena);
    tact_certify_fine_layout(&quad->fine, &own, arena);
}

/// Impulses of an answer in the order of the items.
static void take_impulses(const TactAttempt *attempt, double *p)
{
    const TactSystem *system = attempt->system;
    for (int i = 0; i < system->item_count; i++) {
        const TactItem *item = &system->items[i];
        double         *own = p + 3 * (size_t)i;
        if (item->kind == TACT_ITEM_CONTACT) {
            memcpy(own, attempt->answer.impulse + 3 * (size_t)item->source, 3 * sizeof *own);
        } else {
            own[0] = own[1] = own[2] = 0;
            int row = item->kind == TACT_ITEM_MOTOR;
            own[row] = attempt->answer.row_impulse[item->source];
            if (row && item->owner > 0) { // its part of what it resists for others too (join.c)
                own[row] /= system->joined[item->owner - 1].part;
            }
        }
    }
}

/// Rounds what stands in the system, with a low part or without, and certifies it.
static bool judge_quad(TactClimb *climb, bool ended)
{
    TactAttempt    *attempt = climb->attempt;
    TactLadderQuad *quad = &climb->ladder->reserve.quad;
    double          best = climb->facts.best_error, *low = attempt->answer.low;
    tact_quad_system_answer(&quad->system, &attempt->answer);
    take_impulses(attempt, attempt->p);
    if (quad->low) {
        tact_quad_system_low(&quad->system, &attempt->answer, low);
        quad->fine.low = low;
        attempt->certifier->fine = &quad->fine;
    }
    climb->facts.best_error =
        0; // what is not solved is no better: its motion is not that of doubles
    bool solved = tact_ladder_judge_answer(climb, ended ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT);
    climb->facts.best_error = best;
    attempt->certifier->fine = NULL;
    if (quad->low && !solved) {
        memset(low, 0, (size_t)quad->system.n * sizeof *low);
    }
    return solved;
}

static bool polish_quad(TactClimb *climb, double rho, int most)
{
    TactAttempt    *attempt = climb->attempt;
    TactLadderQuad *quad = &climb->ladder->reserve.quad;
    bool            ended =
        tact_quad_newton_run(&quad->newton, &quad->system, rho, most, &attempt->report->turns);
    return judge_quad(climb, ended);
}

/// Newton from the best answer so far.
static bool from_best(TactClimb *climb)
{
    static const double rho[] = {1, 10, 0.1};
    TactAttempt        *attempt = climb->attempt;
    TactLadder         *ladder = climb->ladder;
    TactLadderQuad     *quad = &ladder->reserve.quad;
    for (size_t k = 0; k < sizeof rho / sizeof *rho && climb->facts.best_error < HUGE_VAL &&
                       !tact_budget_is_over();
         k++) {
        tact_system_answer(attempt->system, attempt->problem, ladder->best, &attempt->answer);
        tact_quad_system_set(&quad->system, attempt->answer.impulse, attempt->answer.row_impulse);
        if (polish_quad(climb, rho[k], STEPS)) {
            return true;
        }
    }
    return false;
}

/// Lemke's path, from nothing; for the circle turned, with Newton from every answer.
static bool from_nothing(TactClimb *climb, int path)
{
    TactAttempt    *attempt = climb->attempt;
    TactLadderQuad *quad = &climb->ladder->reserve.quad;
    bool            circle = quad->system.cone == TACT_CONE_CIRCLE;
    tact_quad_turning_begin(&quad->turning, &quad->system, circle ? TURN * path : 0);
    for (int k = 0; k < (circle ? TURNS : 1) && quad->work < MOST_WORK; k++) {
        int  before = attempt->report->pivots;
        bool ended =
            tact_quad_turning_solve(&quad->turning, &quad->system, path, &attempt->report->pivots);
        double n = quad->turning.lemke.n;
        quad->work += n * n * (attempt->report->pivots - before);
        if (ended && judge_quad(climb, true)) {
            return true;
        }
        tact_quad_turning_turn(&quad->turning, &quad->system);
        if (polish_quad(climb, 1, STEPS_OF_TURN)) {
            return true;
        }
        if (!ended) {
            break;
        }
    }
    return false;
}

/// The same with contacts that give way a little; if its answer will not do, it is where Newton's
/// method begins, on contacts as they are.
static bool from_softness(TactClimb *climb, double soft, int path)
{
    TactAttempt    *attempt = climb->attempt;
    TactLadderQuad *quad = &climb->ladder->reserve.quad;
    int             before = attempt->report->pivots, turns = attempt->report->turns;
    tact_quad_system_soften(&quad->system, soft);
    tact_quad_turning_begin(&quad->turning, &quad->system, 0);
    bool ended =
        tact_quad_turning_solve(&quad->turning, &quad->system, path, &attempt->report->pivots);
    double n = quad->turning.lemke.n, m = quad->system.n;
    quad->work += n * n * (attempt->report->pivots - before);
    if (!ended || judge_quad(climb, true)) {
        return ended;
    }
    tact_quad_system_soften(&quad->system, 0);
    bool solved = polish_quad(climb, 1, STEPS);
    quad->work += m * m * m / 3 * (attempt->report->turns - turns);
    return solved;
}

/// All of them, for the pyramid: first all that are softer, then the softest by other paths.
static bool from_soft_contacts(TactClimb *climb)
{
    TactLadderQuad *quad = &climb->ladder->reserve.quad;
    bool            solved = false;
    for (int k = 0; k < SOFTER + SOFTEST * (PATHS - 1) && !solved && quad->work < MOST_WORK &&
                    !tact_budget_is_over();
         k++) {
        int other = k - SOFTER, path = other < 0 ? 0 : 1 + other / SOFTEST;
        solved = from_softness(climb, SOFT[other < 0 ? k : other % SOFTEST], path);
    }
    return solved;
}

/// All starts, for answers with a low part or without.
static bool try_all(TactClimb *climb, bool low)
{
    TactLadderQuad *quad = &climb->ladder->reserve.quad;
    quad->low = low;
    quad->work = 0;
    tact_quad_system_soften(&quad->system, 0);
    bool solved = from_best(climb);
    for (int path = 0; path < PATHS && !solved && !tact_budget_is_over(); path++) {
        solved = from_nothing(climb, path);
    }
    quad->work = 0;
    return solved || (quad->system.cone != TACT_CONE_CIRCLE && from_soft_contacts(climb));
}

bool tact_ladder_quad(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    double       items = climb->facts.size, dof = climb->facts.dof;
    if (tact_budget_spend(TACT_QUAD_WORK * 9 * items * items * (dof + 1)) ||
        !tact_quad_system_build(&climb->ladder->reserve.quad.system, attempt->problem,
                                climb->method->config.cone)) {
        return false;
    }
    attempt->kernel = NULL; // its basis is not that of the answer
    return try_all(climb, false) || (attempt->answer.low && try_all(climb, true));
}
