// Dry friction, loops and couplings of a model, as kernels read them.
#include <string.h>

#include "dynamics/links.h"
#include "gpu/step/step_compile.h"

int tact_step_fill_motors(const TactModel *model, TactStepMotor *motors)
{
    int count = 0;
    for (int i = 0; i < model->nv && !model->options.friction_off; i++) {
        if (model->dofs[i].friction > 0) {
            if (motors) {
                motors[count] = (TactStepMotor){i, -1, model->dofs[i].friction};
            }
            count++;
        }
    }
    for (int t = 0; t < model->tendon_count && !model->options.friction_off; t++) {
        if (model->tendons[t].friction > 0) {
            if (motors) {
                motors[count] = (TactStepMotor){-1, t, model->tendons[t].friction};
            }
            count++;
        }
    }
    return count;
}

/// Length of a fixed tendon with all joints at their reference.
static double tendon_reference(const TactModel *model, int tendon)
{
    const TactTendon *t = &model->tendons[tendon];
    double            length = 0;
    for (int k = 0; k < t->count; k++) {
        length += t->coefficients[k] * model->joints[t->joints[k]].reference;
    }
    return length;
}

/// Parts of an equality that are rows, a bit each: what others imply is none.
static unsigned find_parts(const TactSim *sim, int index)
{
    TactEqualityType type = sim->model->equalities[index].type;
    int              count = type == TACT_EQUALITY_CONNECT ? 3 : type == TACT_EQUALITY_WELD ? 6 : 1;
    unsigned         parts = 0;
    for (int r = 0; r < count; r++) {
        parts |= sim->rows.implied[6 * index + r] ? 0 : 1u << r;
    }
    return parts;
}

static void put_bodies(const TactSim *sim, const TactEquality *from, TactStepLoop *loop)
{
    const TactDynamics *d = sim->dynamics;
    int                 bodies[2] = {from->a, from->b};
    for (int k = 0; k < 2; k++) {
        loop->body[k] = bodies[k];
        loop->of[k] = d->link_of[bodies[k]];
        loop->place[k] = d->in_link[bodies[k]];
    }
    loop->type = from->type == TACT_EQUALITY_WELD ? TACT_STEP_WELD : TACT_STEP_CONNECT;
    loop->anchor[0] = from->anchor_a;
    loop->anchor[1] = from->anchor_b;
    loop->turn = from->relative.rotation;
}

static void put_coupling(const TactModel *model, const TactEquality *from, TactStepLoop *loop)
{
    bool tendons = from->type == TACT_EQUALITY_TENDON;
    int  sides[2] = {from->a, from->b};
    loop->type = tendons ? TACT_STEP_TENDONS : TACT_STEP_JOINTS;
    memcpy(loop->polynomial, from->polynomial, sizeof from->polynomial);
    for (int k = 0; k < 2; k++) {
        loop->of[k] = sides[k];
        loop->reference[k] = sides[k] < 0 ? 0
                             : tendons    ? tendon_reference(model, sides[k])
                                          : model->joints[sides[k]].reference;
    }
}

int tact_step_fill_loops(const TactSim *sim, TactStepLoop *loops, int *rows)
{
    const TactModel *model = sim->model;
    int              count = 0;
    *rows = 0;
    for (int i = 0; i < model->equality_count && !model->options.equality_off; i++) {
        const TactEquality *from = &model->equalities[i];
        unsigned            parts = from->active ? find_parts(sim, i) : 0;
        if (parts == 0) {
            continue;
        }
        TactStepLoop loop = {.parts = parts, .first_row = *rows};
        if (from->type == TACT_EQUALITY_CONNECT || from->type == TACT_EQUALITY_WELD) {
            put_bodies(sim, from, &loop);
        } else {
            put_coupling(model, from, &loop);
        }
        if (loops) {
            loops[count] = loop;
        }
        count++;
        for (; parts; parts &= parts - 1) {
            ++*rows;
        }
    }
    return count;
}
