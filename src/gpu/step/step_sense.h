// Sensors of a world by the lanes of a warp, a lane a sensor: of forces and accelerations of the
// last step (sim/readout/forces.c), then of the present state. In kernels of their own.
#ifndef TACT_GPU_SENSE_H
#define TACT_GPU_SENSE_H

#include "gpu/step/step_batch.h"
#include "gpu/step/step_sense_forces.h"
#include "gpu/step/step_sense_state.h"

// As in sim/readout/forces.c.
#define TACT_SENSE_SAME 1e-12

// ---------------------------------------------------------------------------------------------
// The last step

/// Moments of contacts that resist spinning and rolling: their impulses are over mu_k.
TACT_LANE void tact_sense_find_moments(const TactStepOne *one, TactSenseRoom *room)
{
    const TactStepModel *model = one->model;
    int                  lane = tact_warp_lane(), before;
    room->moments = tact_step_count_moments(model, one->held, one->count, &before);
    if (lane < one->count && tact_step_turns(model, &one->held[lane])) {
        const TactStepHeld *held = &one->held[lane];
        const TactStepPair *pair = &model->pairs[tact_step_pair_of(held)];
        TactSenseContact   *c = &room->contacts[lane];
        TactVec3            n = held->normal, t = tact_step_tangent(n);
        double              rate = 1 / model->h;
        const double *m = one->impulse + one->count + 2 * one->rough + model->motor_count + before;
        if (pair->spin > 0) {
            c->moment = tact_vec3_scale(rate * pair->spin * *m++, n);
        }
        if (pair->roll > 0) {
            double roll = rate * pair->roll;
            c->moment = tact_vec3_add_scaled(c->moment, roll * m[0], t);
            c->moment = tact_vec3_add_scaled(c->moment, roll * m[1], tact_vec3_cross(n, t));
        }
    }
    tact_lane_meet();
}

/// Contacts of the last step. Links are at its beginning.
TACT_LANE void tact_sense_find_contacts(const TactStepOne *one, TactSenseRoom *room)
{
    const TactStepModel *model = one->model;
    double               rate = 1 / model->h;
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < one->count; k += TACT_WARP) {
        const TactStepHeld *held = &one->held[k];
        int                 number = tact_step_pair_of(held);
        TactSenseContact   *c = &room->contacts[k];
        const double       *p = one->impulse + tact_rows_first(one->rough, k);
        TactVec3            none = {0, 0, 0};
        c->push = 0;
        if (number >= 0) {
            const TactStepPair *pair = &model->pairs[number];
            TactVec3            n = held->normal, t = tact_step_tangent(n);
            c->point = tact_step_put_on_plane(model, &room->step, pair, held);
            c->normal = n;
            c->push = rate * p[0];
            c->force = tact_vec3_scale(c->push, n);
            c->moment = none;
            c->geom[0] = pair->a;
            c->geom[1] = pair->b;
            if (k < one->rough) {
                c->force = tact_vec3_add_scaled(c->force, rate * p[1], t);
                c->force = tact_vec3_add_scaled(c->force, rate * p[2], tact_vec3_cross(n, t));
            }
        }
    }
    tact_lane_meet();
    tact_sense_find_moments(one, room);
}

/// How far velocity products at room->x are from those that the step was made with.
TACT_LANE double tact_sense_products_off(const TactStepOne *one, TactStepRoom *room, double *size)
{
    double off = 0, largest = 0;
    tact_step_bias(one->model, room->x, room, room->impulse);
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < one->model->nv; i += TACT_WARP) {
        double bias = one->tau[i] - one->force[i];
        off = tact_step_larger(off, fabs(room->impulse[i] - bias));
        largest = tact_step_larger(largest, fabs(bias));
    }
    *size = tact_step_most(largest);
    return tact_step_most(off);
}

/// The velocity of products to room->x: the mean of those before and after the step, or that of
/// the free motion.
TACT_LANE void tact_sense_choose_products(const TactStepOne *one, TactStepRoom *room)
{
    int    nv = one->model->nv, lane = tact_warp_lane();
    double size = 0, off[2] = {0, 0};
    for (int k = 0; k < 3; k++) { // mean, free motion, the better one
        int free = k == 1 || (k == 2 && !(off[0] <= TACT_SENSE_SAME * size || off[0] <= off[1]));
        tact_lane_meet();
        TACT_ROLLED
        for (int i = lane; i < nv; i += TACT_WARP) {
            double gain = free ? one->gain[i] : room->solved[i] - room->v[i];
            room->x[i] = tact_step_still(one->model, i, room->v[i] + 0.5 * gain);
        }
        tact_lane_meet();
        if (k < 2) {
            off[k] = tact_sense_products_off(one, room, &size);
        }
    }
}

/// Velocities and accelerations of all links by room->x and room->gain.
TACT_LANE void tact_sense_move(const TactStepModel *model, TactStepRoom *room)
{
    TactTwist *a = room->balance.acceleration, rest = {tact_vec3_negate(model->gravity), {0, 0, 0}};
    tact_step_follow(model, room->x, room, a);
    TACT_ROLLED
    for (int l = 1 + tact_warp_lane(); l < model->link_count; l += TACT_WARP) {
        const TactStepLink *link = &model->links[l];
        TACT_ROLLED
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            a[l] = tact_twist_add_scaled(a[l], room->gain[i], room->axis[i]);
        }
    }
    if (tact_warp_lane() == 0) {
        a[0] = rest;
    }
    tact_lane_meet();
    tact_step_accelerate(model, room);
    tact_lane_meet();
}

/// The motion that bodies feel: that of the forces, but with the spin of free bodies, which the
/// step has in their flight. v: at the end.
TACT_LANE void tact_sense_put_flight(const TactStepModel *model, const double *v,
                                     TactStepRoom *room)
{
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        if (model->links[model->dofs[i].link].flies) {
            room->x[i] = 0.5 * (room->solved[i] + v[i]);
            room->gain[i] = (v[i] - room->v[i]) / model->h;
        }
    }
    tact_lane_meet();
}

// ---------------------------------------------------------------------------------------------
// All of them

/// Sensors of one pass, of the motion that is set; silent: zeros.
TACT_LANE void tact_sense_pass(const TactSenseWorld *world, int pass, int silent, double *values)
{
    const TactStepModel *model = world->one.model;
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->sensing.count; k += TACT_WARP) {
        const TactStepSensor *s = &model->sensing.sensors[k];
        double               *x = values + s->address;
        if (s->pass != pass) {
            continue;
        }
        TACT_ROLLED
        for (int j = 0; j < s->size; j++) {
            x[j] = 0;
        }
        if (!silent && pass == TACT_SENSE_STATE) {
            tact_sense_state(world, s, x);
        } else if (!silent) {
            tact_sense_forces(world, s, x);
        }
        TACT_ROLLED
        for (int j = 0; j < s->size && s->cutoff > 0; j++) {
            x[j] = x[j] > s->cutoff ? s->cutoff : x[j] < -s->cutoff ? -s->cutoff : x[j];
        }
    }
    tact_lane_meet();
}

/// Is there a sensor of forces or accelerations?
TACT_LANE int tact_sense_has_forces(const TactStepModel *model)
{
    int has = 0;
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->sensing.count; k += TACT_WARP) {
        has = has || model->sensing.sensors[k].pass != TACT_SENSE_STATE;
    }
    return tact_lane_any(has);
}

/// The state to read: where the last step began, or the present one.
TACT_LANE void tact_sense_enter(const TactStepModel *model, const double *q, const double *v,
                                TactStepRoom *room)
{
    tact_lane_meet();
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->nq; k += TACT_WARP) {
        room->q[k] = q[k];
    }
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->nv; k += TACT_WARP) {
        room->v[k] = v[k];
    }
    tact_lane_meet();
    tact_step_place(model, room->q, room);
}

/// Values of all sensors of world i. after: a step has just been made; otherwise those of forces
/// and accelerations stay, and are zeros of a world without a step.
TACT_LANE void tact_sense(const TactStepBatch *batch, const TactStepModel *model, int after, int i,
                          TactSenseRoom *room)
{
    size_t         at = (size_t)i, nq = (size_t)model->nq, nv = (size_t)model->nv;
    TactStepRoom  *step = &room->step;
    TactSenseWorld world;
    double        *values = batch->senses.values + at * (size_t)model->sensing.size;
    const double  *v_end = batch->worlds.v + at * nv;
    world.one = tact_step_one(model, &batch->worlds, &batch->problems, &batch->answers, i);
    world.room = room;
    world.ctrl = batch->worlds.ctrl + at * (size_t)model->actuator_count;
    world.time = batch->senses.time[i];
    if (after && tact_sense_has_forces(model)) {
        tact_sense_enter(model, batch->senses.q_before + at * nq,
                         batch->problems.velocity + at * nv, step);
        tact_step_take_answer(&world.one, &batch->answers, i, step);
        tact_sense_find_contacts(&world.one, room);
        tact_sense_choose_products(&world.one, step);
        TACT_ROLLED
        for (int k = tact_warp_lane(); k < model->nv; k += TACT_WARP) {
            step->gain[k] = (step->solved[k] - step->v[k]) / model->h;
        }
        tact_lane_meet();
        tact_sense_move(model, step);
        tact_sense_pass(&world, TACT_SENSE_FORCES, 0, values);
        tact_sense_put_flight(model, v_end, step);
        tact_sense_move(model, step);
        tact_sense_pass(&world, TACT_SENSE_FELT, 0, values);
    } else if (!after && !batch->senses.stepped[i]) {
        tact_sense_pass(&world, TACT_SENSE_FORCES, 1, values);
        tact_sense_pass(&world, TACT_SENSE_FELT, 1, values);
    }
    tact_sense_enter(model, batch->worlds.q + at * nq, v_end, step);
    tact_step_set_velocity(model, step->v, step);
    tact_lane_meet();
    tact_sense_pass(&world, TACT_SENSE_STATE, 0, values);
}

#endif
