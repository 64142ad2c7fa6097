// Rungs of `ladder` for large problems: the proximal path, from the last step's impulses and whole,
// and the method for piles that move.
#include "contact/ladder/ladder.h"

#include <math.h>
#include <string.h>

#include "contact/problem/problem.h"

// Newton from the last step's impulses before the whole path.
enum { WARM_STEPS = 8 };

// Impulses are mended if no more than a part of the items is off by more than this, with springs
// and factors of so much. (Of 12 solves of 1000 boxes that were made again 11 were mended within
// 300 factors, after 144 in the mean, and none of 8 within 60; from nothing they take some 1,000.
// Of 94 first solves of a step, whose answer may be a draft, 10 were within 300; but with 60
// there, falls have had more problems that are not solved: 55 and 37 beside 24 and 26.)
static const double OFF = 1e-4, FEW_OFF = 0.25, MEND_EPS = 3e-2;
enum { MEND_FACTORS = 60, MANY_MEND_FACTORS = 300 };

// A polish that leaves more of the error than this has not made the impulses better. They are then
// taken as they come while their error is at most so many times as large, and so much of the
// tolerance.
static const double HARDLY_BETTER = 0.9, AS_GOOD = 1.001, MOST_SETTLED = 0.1;

// Compliance of the first springs of the path, in units of w: about the last step's impulses, about
// 0, and about the best answer so far, in the two paths from there.
static const double WARM_EPS = 2e-2, COLD_EPS = 0.1, MORE_EPS[] = {1e-6, 1e-4};

// Factors that a path may take where it is tried more than once: those that came to their end took
// up to 1,900.
enum { CHEAP_STEPS = 2000 };

// Factors of a path of few bodies: before `pile` is tried (of 2,214 paths of 64 boxes that fell
// 2,153 came to their end within 120, 22 between there and 300), and after it.
enum { FIRST_FACTORS = 120, FEW_FACTORS = 300 };

// Rungs that measure their own error do so more strictly than the certificate.
static const double STRICTER = 0.8;
// By how much they do where that was not enough.
static const double FINER = 0.1;
// Springs and factors of the path that does so.
static const double FINER_EPS = 1e-7;
enum { FINER_FACTORS = 60 };

// Kicks are judged so often; by how much their answers get better from one time to the next.
enum { JUDGED = 4 };
static const double LEAST_REFUSAL = 1.2, MOST_REFUSAL = 5;

// What all rungs that are not for large problems may do together with one, in factors of the path,
// and in operations at least and at most. A pile of 64 boxes has been seen to spend minutes there.
static const double REST_FACTORS = 2000, LEAST_REST = 2e9, MOST_REST = 2e10;

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

/// Makes the proximal path ready; false if it does not take the problem.
static bool begin_path(TactClimb *climb)
{
    TactAttempt      *attempt = climb->attempt;
    TactLadder       *ladder = climb->ladder;
    const TactSystem *system = attempt->system;
    TactCoupling     *coupling = &ladder->coupling;
    tact_coupling_begin(coupling, system, attempt->problem, climb->method->config.cone,
                        ladder->motion);
    set_before(ladder, attempt->whole ? attempt->whole : system, attempt->problem);
    ladder->proximal.many = &ladder->many;
    ladder->many.threads = attempt->threads;
    ladder->many.thread_count = attempt->threads ? tact_threads_get_count(attempt->threads) : 1;
    return tact_proximal_begin(&ladder->proximal, coupling);
}

bool tact_ladder_begin_proximal(TactClimb *climb)
{
    const TactSystem *system = climb->attempt->system;
    bool              large = climb->method->springs ||
                 tact_ladder_is_large(&system->capacity, system->item_count, system->dof);
    return system->columns_built && !climb->attempt->problem->W && large && begin_path(climb);
}

static void count_proximal(TactClimb *climb)
{
    TactAttempt  *attempt = climb->attempt;
    TactProximal *proximal = &climb->ladder->proximal;
    attempt->report->turns += proximal->steps;
    attempt->report->iterations += proximal->stages;
    proximal->steps = proximal->stages = 0;
}

/// Polishes the last step's impulses. Where that has not made them better in the last step, they
/// are taken as they are while they are as good as then: a heap at rest needs no factor.
static bool polish_last(TactClimb *climb)
{
    TactAttempt  *attempt = climb->attempt;
    TactProximal *proximal = &climb->ladder->proximal;
    double        settled = attempt->memory->settled;
    proximal->polish.at_once = fmin(AS_GOOD * settled, MOST_SETTLED);
    bool ended = tact_proximal_polish(proximal, climb->ladder->before,
                                      STRICTER * climb->method->config.tol, WARM_STEPS, attempt->p);
    proximal->polish.at_once = 0;
    if (proximal->steps > 0) {
        settled = proximal->polish.last >= HARDLY_BETTER * proximal->polish.first
                      ? proximal->polish.last
                      : 0;
    }
    attempt->settled = ended ? settled : 0;
    return ended;
}

/// Certifies the end of a path. What is right by the path's measure, and by the certificate's only
/// nearly, gets a few steps more.
static bool judge_path(TactClimb *climb, bool ended)
{
    TactAttempt *attempt = climb->attempt;
    TactLadder  *ladder = climb->ladder;
    if (tact_ladder_judge(climb, ended ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT)) {
        return true;
    }
    if (!ended) {
        return false;
    }
    int most = ladder->proximal.most;
    tact_coupling_set(&ladder->coupling, attempt->p);
    ladder->proximal.most = FINER_FACTORS;
    ended = tact_proximal_run(&ladder->proximal, ladder->coupling.y, FINER_EPS,
                              FINER * climb->method->config.tol, attempt->p);
    ladder->proximal.most = most;
    count_proximal(climb);
    return tact_ladder_judge(climb, ended ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT);
}

/// How many items are off, of p.
static int count_off(TactClimb *climb, const double *p)
{
    TactProximal     *proximal = &climb->ladder->proximal;
    TactCoupling     *coupling = &climb->ladder->coupling;
    const TactSystem *system = coupling->system;
    int               count = 0;
    tact_coupling_move(coupling, p, proximal->u);
    tact_coupling_scales(coupling, p, proximal->scale);
    for (int i = 0; i < system->item_count; i++) {
        double residual = tact_coupling_residual(coupling, i, p + 3 * i, proximal->u + 3 * i);
        count += !(residual <= OFF * proximal->scale[i]);
    }
    return count;
}

/// The path from impulses of which most are right: a step that is solved again because it has found
/// more contacts.
static bool mend_last(TactClimb *climb)
{
    TactAttempt  *attempt = climb->attempt;
    TactLadder   *ladder = climb->ladder;
    TactProximal *proximal = &ladder->proximal;
    int           most = proximal->most;
    int           own = proximal->is_many ? MANY_MEND_FACTORS : MEND_FACTORS;
    proximal->most = own < most ? own : most;
    bool ended = tact_proximal_run(proximal, ladder->coupling.y, MEND_EPS,
                                   STRICTER * climb->method->config.tol, attempt->p);
    proximal->most = most;
    attempt->settled = 0;
    return ended;
}

/// The last step's impulses with a few steps of Newton, where they are near; with a short path,
/// where most of them are.
bool tact_ladder_warm_start(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    TactLadder  *ladder = climb->ladder;
    size_t       size = 3 * (size_t)attempt->system->item_count * sizeof(double);
    memcpy(ladder->last, attempt->p, size);
    if (attempt->resumes) {
        return false;
    }
    bool ended = polish_last(climb);
    // A draft of many bodies is gone on with by kicks.
    bool draft = attempt->memory->drafted && ladder->proximal.is_many;
    if (!ended && !draft &&
        count_off(climb, ladder->last) <= FEW_OFF * attempt->system->item_count) {
        memcpy(attempt->p, ladder->last, size);
        ended = mend_last(climb);
    }
    count_proximal(climb);
    if (ended && tact_ladder_judge(climb, TACT_OUTCOME_SOLVED)) {
        return true;
    }
    attempt->settled = 0;
    memcpy(attempt->p, ladder->last, size); // the basis rung starts from there
    return false;
}

/// The path from impulses and the motion that is with them; they may be those of climb.
static bool run_path(TactClimb *climb, const double *p, const double *y, double eps)
{
    TactAttempt *attempt = climb->attempt;
    TactLadder  *ladder = climb->ladder;
    size_t       size = 3 * (size_t)attempt->system->item_count * sizeof(double);
    if (p) {
        memcpy(attempt->p, p, size);
    } else {
        memset(attempt->p, 0, size);
    }
    attempt->kernel = NULL; // its basis is not that of the answer
    bool ended = tact_proximal_run(&ladder->proximal, y, eps, STRICTER * climb->method->config.tol,
                                   attempt->p);
    count_proximal(climb);
    return judge_path(climb, ended);
}

double tact_ladder_rest(const TactLadder *ladder)
{
    return fmin(fmax(REST_FACTORS * ladder->proximal.work, LEAST_REST), MOST_REST);
}

bool tact_ladder_is_cheap(const TactLadder *ladder)
{
    return ladder->proximal.most >= CHEAP_STEPS;
}

/// The path from nothing or the last step's impulses; of few bodies one of so many factors.
static bool run_first_path(TactClimb *climb, bool warm, int factors)
{
    TactLadder *ladder = climb->ladder;
    int         most = ladder->proximal.most;
    if (climb->facts.dof < TACT_LADDER_PILE_DOF && factors < most) {
        ladder->proximal.most = factors;
    }
    bool solved =
        run_path(climb, warm ? ladder->last : NULL, ladder->before, warm ? WARM_EPS : COLD_EPS);
    ladder->proximal.most = most;
    return solved;
}

bool tact_ladder_proximal(TactClimb *climb)
{
    return run_first_path(climb, climb->facts.warm, FIRST_FACTORS);
}

bool tact_ladder_proximal_anew(TactClimb *climb)
{
    return run_first_path(climb, false, FEW_FACTORS);
}

bool tact_ladder_proximal_small(TactClimb *climb)
{
    if (!begin_path(climb)) {
        return false;
    }
    return run_first_path(climb, false, FEW_FACTORS);
}

/// Piles that move.
static bool run_pile(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    TactLadder  *ladder = climb->ladder;
    attempt->kernel = NULL; // its basis is not that of the answer
    bool ended = tact_pile_run(&ladder->pile, &ladder->proximal,
                               STRICTER * climb->method->config.tol, attempt->p);
    count_proximal(climb);
    return judge_path(climb, ended);
}

/// What the certificate found, over what it may be, of an answer that the path's measure took.
static double find_refusal(const TactClimb *climb)
{
    double over = climb->attempt->report->certificate.error / climb->method->config.tol;
    return fmin(fmax(over, LEAST_REFUSAL), MOST_REFUSAL);
}

/// Kicks from what that has left. Scales of some contacts are smaller in the certificate: where it
/// refuses their answer, they go on from there to one that is as much better as it says.
static bool run_kicks(TactClimb *climb)
{
    TactAttempt  *attempt = climb->attempt;
    TactLadder   *ladder = climb->ladder;
    TactProximal *proximal = &ladder->proximal;
    TactPileJam   jam = {.before = ladder->before,
                         .tol = STRICTER * climb->method->config.tol,
                         .most = tact_pile_jam_factors(proximal)};
    attempt->kernel = NULL; // its basis is not that of the answer
    for (int k = 0; k < JUDGED && jam.most > 0; k++) {
        int  first = proximal->steps;
        bool ended = tact_pile_kick(&ladder->pile, proximal, &jam, attempt->p);
        jam.most -= proximal->steps - first;
        count_proximal(climb);
        if (tact_ladder_judge(climb, ended ? TACT_OUTCOME_SOLVED : TACT_OUTCOME_LIMIT)) {
            return true;
        }
        if (!ended) {
            break;
        }
        jam.tol /= find_refusal(climb);
        jam.is_near = true;
    }
    return false;
}

/// A draft is left where it is jammed, and gone on with there; one of many bodies also where other
/// contacts were found.
bool tact_ladder_pile(TactClimb *climb)
{
    TactAttempt *attempt = climb->attempt;
    bool         found_others = attempt->memory->drafted && !attempt->drafts;
    bool         goes_on = attempt->resumes || (found_others && climb->ladder->proximal.is_many);
    if (!goes_on && run_pile(climb)) {
        return true;
    }
    attempt->drafted = attempt->drafts && climb->ladder->pile.best_error > 1;
    return !attempt->drafted && run_kicks(climb);
}

bool tact_ladder_proximal_more(TactClimb *climb)
{
    TactLadder *ladder = climb->ladder;
    for (size_t k = 0; k < sizeof MORE_EPS / sizeof MORE_EPS[0]; k++) {
        tact_coupling_set(&ladder->coupling, ladder->best);
        if (run_path(climb, ladder->best, ladder->coupling.y, MORE_EPS[k])) {
            return true;
        }
    }
    return false;
}
