#include "tests/gpu/step_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/step/step_again.h"
#include "tests/gpu/mechanism_lanes.h"

void step_lanes_create(const TactSim *sim, int worlds, StepLanes *lanes)
{
    const TactModel *model = sim->model;
    size_t           size = tact_worlds_bytes(model, worlds);
    size_t           states = tact_world_states_bytes(model, worlds);
    TactWorldStates  own;
    *lanes = (StepLanes){0};
    lanes->memory = calloc(1, size + states);
    if (!lanes->memory || tact_step_compile(sim, &lanes->block)) {
        abort();
    }
    tact_worlds_place(model, worlds, sim->config.timestep, (char *)lanes->memory + states,
                      &lanes->step);
    tact_world_states_place(model, worlds, lanes->memory, &own);
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
                 TactBodyAnswers *answers)
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
}

/// All tries of one problem.
static void solve(const TactStepBatch *step, int i, TactStepCounts *counts)
{
    TactMechanismProblems problems;
    TactBodyAnswers       answers;
    int                   bin = tact_step_bin(&step->problems, i), number = 0;
    MechanismLanesSolve  *kernel = step->model.nv > 32 ? mechanism_lanes_solve_rows_64
                                   : bin == 1          ? mechanism_lanes_solve_rows_24
                                                       : mechanism_lanes_solve_rows_48;
    if (bin == 0) {
        return;
    }
    pick(step, i, &problems, &answers);
    counts->solves++;
    for (; number < TACT_STEP_TRIES; number++) {
        kernel(&problems, step->directions, number, number == 0 ? 2 : 0, &answers);
        *answers.error = answers.pivots[0] < 0
                             ? INFINITY
                             : mechanism_lanes_certify(&problems, step->directions, &answers, 0);
        if (*answers.error <= step->tol) {
            break;
        }
    }
    counts->first += number == 0;
    counts->retried += number > 0 && number < TACT_STEP_TRIES;
}

/// A world and the room of its warp.
typedef struct Own {
    const TactStepBatch *step;
    int                  world, state;
    TactStepRoom         room;
} Own;

static const TactStepModel *model_of(const TactStepBatch *step, int world)
{
    return step->models ? tact_step_model_of(step, world) : &step->model;
}

static void begin(void *argument)
{
    Own                 *own = argument;
    const TactStepBatch *step = own->step;
    tact_step_begin(model_of(step, own->world), &step->worlds, &step->problems, step->answers.basis,
                    own->world, &own->room);
}

static void end(void *argument)
{
    Own                 *own = argument;
    const TactStepBatch *step = own->step;
    own->state = tact_step_end(model_of(step, own->world), &step->worlds, &step->problems,
                               &step->answers, step->tol, own->world, &own->room);
}

void step_lanes_step(StepLanes *lanes, TactStepCounts *counts)
{
    step_lanes_run(&lanes->step, counts);
}

void step_lanes_run(const TactStepBatch *step, TactStepCounts *counts)
{
    Own *own = malloc(sizeof *own);
    if (!own) {
        abort();
    }
    memset(counts, 0, sizeof *counts);
    memset(own, 0xff, sizeof *own); // what is read before it is written is NaN
    for (int i = 0; i < step->worlds.count; i++) {
        own->step = step;
        own->world = i;
        tact_warp_run(begin, own);
        own->state = step->worlds.left[i] ? TACT_STEP_LEAVE : TACT_STEP_AGAIN;
        for (int k = 0; own->state == TACT_STEP_AGAIN; k++) {
            solve(step, i, counts);
            counts->worlds[k]++;
            tact_warp_run(end, own);
        }
        counts->list = tact_step_left_list(step->worlds.count);
        if (own->state == TACT_STEP_LEAVE) {
            step->work[counts->list + counts->left++] = i;
        }
        for (int k = 0; k < TACT_STEP_LEFT_REASONS; k++) {
            counts->reasons[k] += own->state == TACT_STEP_LEAVE && (step->worlds.left[i] & 1 << k);
        }
        if (own->state == TACT_STEP_DONE && step->problems.active[i] > 0 &&
            (float)step->answers.error[i] > counts->error) {
            counts->error = (float)step->answers.error[i];
        }
    }
    free(own);
}
