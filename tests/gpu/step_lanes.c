#include "tests/gpu/step_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "tests/gpu/mechanism_lanes.h"
#include "tests/gpu/step_lanes_world.h"

void step_lanes_create(const TactSim *sim, int allowed, int worlds, StepLanes *lanes)
{
    const TactModel *model = sim->model;
    int              sensors = allowed & TACT_STEP_SENSORS ? model->sensor_size : 0;
    size_t           states = tact_world_states_bytes(model, worlds, sensors);
    TactWorldStates  own;
    *lanes = (StepLanes){0};
    if (tact_step_compile(sim, allowed, &lanes->block)) {
        abort();
    }
    lanes->memory = calloc(1, tact_worlds_bytes(&lanes->block.model, worlds) + states);
    if (!lanes->memory) {
        abort();
    }
    tact_worlds_place(&lanes->block.model, worlds, (char *)lanes->memory + states, &lanes->step);
    lanes->step.worlds.more.circle = sim->config.cone == TACT_CONE_CIRCLE;
    tact_world_states_place(model, worlds, sensors, lanes->memory, &own);
    lanes->step.senses.values = sensors > 0 ? own.sensors : NULL;
    lanes->step.worlds.q = own.q;
    lanes->step.worlds.v = own.v;
    lanes->step.worlds.ctrl = own.ctrl;
    lanes->step.model = lanes->block.model;
    lanes->step.directions = sim->config.directions > 0 ? sim->config.directions : 8;
    lanes->step.tol = sim->config.tol;
    for (int i = 0; i < worlds; i++) {
        memcpy(lanes->step.worlds.q + (size_t)i * (size_t)model->nq, model->q_reference,
               (size_t)model->nq * sizeof(double));
    }
}

void step_lanes_destroy(StepLanes *lanes)
{
    tact_step_release(&lanes->block);
    free(lanes->memory);
}

/// Problem i alone.
static void pick(const TactStepBatch *step, int i, TactMechanismProblems *problems,
                 TactMechanismMore *more, TactBodyAnswers *answers)
{
    const TactMechanismProblems *all = &step->problems;
    TactMechanismOne             one = tact_mechanism_one(all, i);
    size_t                       at = (size_t)i, room = (size_t)all->contacts;
    *problems = *all;
    problems->count = 1;
    problems->M = one.M;
    problems->velocity = one.velocity;
    problems->force = one.force;
    problems->J = one.J;
    problems->mu = one.mu;
    problems->bias = one.bias;
    problems->active = all->active + i;
    problems->rough = all->rough + i;
    answers->impulse = step->answers.impulse + at * (size_t)all->rows;
    answers->velocity = step->answers.velocity + at * (size_t)all->dof;
    answers->error = step->answers.error + i;
    answers->pivots = step->answers.pivots + i;
    answers->basis = step->answers.basis + at * room;
    *more = step->worlds.more;
    more->bound += at * (size_t)more->motors;
    more->target += at * (size_t)more->loops;
    more->basis += at * (size_t)more->motors;
    if (more->turns) {
        more->turns += at * room;
        more->turn_basis += 2 * at * room;
    }
}

/// One try of one problem, by the kernel that has it.
static void try_once(const TactStepBatch *step, int bin, int number,
                     const TactMechanismProblems *problems, const TactMechanismMore *more,
                     const TactBodyAnswers *answers)
{
    int                  nv = step->model.nv, warm = number == 0 ? 2 : 0;
    MechanismLanesSolve *kernel = nv > 32    ? mechanism_lanes_solve_rows_64
                                  : bin == 1 ? mechanism_lanes_solve_rows_24
                                             : mechanism_lanes_solve_rows_48;
    if (!tact_step_has_more(step)) {
        kernel(problems, step->directions, number, warm, answers);
        *answers->error = mechanism_lanes_certify(problems, step->directions, answers, 0);
    } else {
        bool large = nv > 32 || more->motors + more->loops > TACT_STEP_SMALL_EXTRA;
        bool only_circle = more->motors + more->loops == 0 && !more->turns;
        (large         ? mechanism_lanes_solve_more_64
         : only_circle ? mechanism_lanes_solve_circle_48
                       : mechanism_lanes_solve_more_32)(problems, more, step->directions, number,
                                                        warm, answers);
        *answers->error =
            mechanism_lanes_certify_more(problems, more, step->directions, answers, 0);
    }
    *answers->error = answers->pivots[0] < 0 ? (double)INFINITY : *answers->error;
}

/// All tries of one problem.
static void solve(const TactStepBatch *step, int i, TactStepCounts *counts)
{
    TactMechanismProblems problems;
    TactMechanismMore     more;
    TactBodyAnswers       answers;
    int                   number = 0;
    int                   bin =
        tact_step_has_more(step) ? tact_step_bin_more(step, i) : tact_step_bin(&step->problems, i);
    if (bin == 0) {
        return;
    }
    pick(step, i, &problems, &more, &answers);
    counts->solves++;
    for (; number < TACT_STEP_TRIES; number++) {
        try_once(step, bin, number, &problems, &more, &answers);
        if (*answers.error <= step->tol) {
            break;
        }
    }
    counts->first += number == 0;
    counts->retried += number > 0 && number < TACT_STEP_TRIES;
}

void step_lanes_step(StepLanes *lanes, TactStepCounts *counts)
{
    step_lanes_run(&lanes->step, counts);
}

void step_lanes_run(const TactStepBatch *step, TactStepCounts *counts)
{
    StepLanesWorld *own = malloc(sizeof *own);
    bool            more = tact_step_is_larger(step);
    if (!own) {
        abort();
    }
    memset(counts, 0, sizeof *counts);
    memset(own, 0xff, sizeof *own); // what is read before it is written is NaN
    if (step->senses.values) {
        memcpy(step->senses.q_before, step->worlds.q,
               (size_t)step->worlds.count * (size_t)step->model.nq * sizeof(double));
    }
    for (int i = 0; i < step->worlds.count; i++) {
        own->step = step;
        own->world = i;
        tact_warp_run(more ? step_lanes_begin_more : step_lanes_begin, own);
        own->state = step->worlds.left[i] ? TACT_STEP_LEAVE : TACT_STEP_AGAIN;
        for (int k = 0; own->state == TACT_STEP_AGAIN; k++) {
            solve(step, i, counts);
            counts->worlds[k]++;
            tact_warp_run(more ? step_lanes_end_more : step_lanes_end, own);
        }
        counts->list = tact_step_left_list(step->worlds.count);
        if (own->state == TACT_STEP_LEAVE) {
            step->work[counts->list + counts->left++] = i;
        }
        for (int k = 0; k < TACT_STEP_LEFT_REASONS; k++) {
            counts->reasons[k] += own->state == TACT_STEP_LEAVE && (step->worlds.left[i] & 1 << k);
        }
        if (own->state == TACT_STEP_DONE && tact_step_bin_more(step, i) > 0 &&
            (float)step->answers.error[i] > counts->error) {
            counts->error = (float)step->answers.error[i];
        }
    }
    free(own);
}

int step_lanes_touch_ellipsoid(const TactStepGeom *a, const TactTransform *pose_a,
                               const TactStepGeom *b, const TactTransform *pose_b, double margin,
                               TactStepHeld *touch)
{
    TactStepTouches found = {.count = 0};
    int             done = tact_step_collide_ordered(a, pose_a, b, pose_b, 0, margin, &found);
    *touch = found.items[0];
    return done ? found.count : -1;
}
