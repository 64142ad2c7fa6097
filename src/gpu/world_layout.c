#include "gpu/world_batch.h"

/// A part of a block, in doubles; the block may be NULL.
static void *carve_part(char *block, size_t *used, size_t count, size_t size)
{
    void *out = block ? block + *used : NULL;
    *used += (count * size + 15) / 16 * 16;
    return out;
}

/// Contacts and limits of a world that there is room for, and their rows.
static void put_sizes(const TactStepModel *model, int worlds, double h,
                      TactMechanismProblems *problems)
{
    problems->count = worlds;
    problems->dof = model->nv;
    problems->contacts = TACT_STEP_MAX_CONTACTS;
    problems->rows = TACT_STEP_MOST_ROWS + model->motor_count + model->loop_rows;
    problems->step = h;
}

static size_t place_states(const TactModel *model, int worlds, int sensors, char *block,
                           TactWorldStates *states)
{
    size_t used = 0, P = (size_t)worlds, number = sizeof(double);
    states->q = carve_part(block, &used, P * (size_t)model->nq, number);
    states->v = carve_part(block, &used, P * (size_t)model->nv, number);
    states->ctrl = carve_part(block, &used, P * (size_t)model->actuator_count, number);
    states->sensors = carve_part(block, &used, P * (size_t)sensors, number);
    return used;
}

size_t tact_world_states_bytes(const TactModel *model, int worlds, int sensors)
{
    TactWorldStates states;
    return place_states(model, worlds, sensors, NULL, &states);
}

void tact_world_states_place(const TactModel *model, int worlds, int sensors, void *memory,
                             TactWorldStates *states)
{
    place_states(model, worlds, sensors, memory, states);
}

static size_t place_worlds(const TactStepModel *model, int worlds, char *block, TactStepBatch *step)
{
    size_t          used = 0, P = (size_t)worlds, nv = (size_t)model->nv;
    size_t          motors = (size_t)model->motor_count, loops = (size_t)model->loop_rows;
    size_t          room = TACT_STEP_MAX_CONTACTS, rows = TACT_STEP_MOST_ROWS + motors + loops;
    size_t          number = sizeof(double), integer = sizeof(int);
    TactStepWorlds *w = &step->worlds;
    TactMechanismProblems *p = &step->problems;
    TactBodyAnswers       *a = &step->answers;
    w->count = worlds;
    w->contacts = (int)room;
    w->gain = carve_part(block, &used, P * nv, number);
    w->tau = carve_part(block, &used, P * nv, number);
    w->v_before = carve_part(block, &used, P * nv, number);
    w->held = carve_part(block, &used, P * room, sizeof *w->held);
    w->start = carve_part(block, &used, P * room, sizeof *w->start);
    w->start_count = carve_part(block, &used, P, integer);
    w->round = carve_part(block, &used, P, integer);
    w->kept = carve_part(block, &used, P, integer);
    w->kept_names = carve_part(block, &used, P * room, integer);
    w->kept_basis = carve_part(block, &used, P * room, integer);
    w->left = carve_part(block, &used, P, integer);
    w->more.motors = model->motor_count;
    w->more.loops = model->loop_rows;
    w->more.bound = carve_part(block, &used, P * motors, number);
    w->more.target = carve_part(block, &used, P * loops, number);
    w->more.basis = carve_part(block, &used, P * motors, integer);
    w->loop_start = carve_part(block, &used, P * loops, number);
    w->more.turns = NULL;
    if (model->traits.turns) {
        w->more.turns = carve_part(block, &used, P * room, sizeof *w->more.turns);
        w->more.turn_basis = carve_part(block, &used, 2 * P * room, integer);
        w->kept_turns = carve_part(block, &used, 2 * P * room, integer);
    }
    p->M = carve_part(block, &used, P * (nv * (nv + 1) / 2), number);
    p->velocity = carve_part(block, &used, P * nv, number);
    p->force = carve_part(block, &used, P * nv, number);
    p->J = carve_part(block, &used, P * rows * nv, number);
    p->mu = carve_part(block, &used, P * room, number);
    p->bias = carve_part(block, &used, P * room, number);
    p->active = carve_part(block, &used, P, integer);
    p->rough = carve_part(block, &used, P, integer);
    a->impulse = carve_part(block, &used, P * rows, number);
    a->velocity = carve_part(block, &used, P * nv, number);
    a->error = carve_part(block, &used, P, number);
    a->pivots = carve_part(block, &used, P, integer);
    a->basis = carve_part(block, &used, P * room, integer);
    if (model->sensing.size > 0) {
        step->senses.q_before = carve_part(block, &used, P * (size_t)model->nq, number);
        step->senses.time = carve_part(block, &used, P, number);
        step->senses.stepped = carve_part(block, &used, P, integer);
    }
    step->work = carve_part(block, &used, TACT_STEP_COUNTERS + TACT_STEP_LISTS * P, integer);
    return used;
}

size_t tact_worlds_bytes(const TactStepModel *model, int worlds)
{
    TactStepBatch step;
    return place_worlds(model, worlds, NULL, &step);
}

void tact_worlds_place(const TactStepModel *model, int worlds, void *memory, TactStepBatch *step)
{
    put_sizes(model, worlds, model->h, &step->problems);
    place_worlds(model, worlds, memory, step);
}
