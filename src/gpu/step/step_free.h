// Motion of a world without contacts: actuators, springs, dampers, and velocity products at the
// mean velocity of the step. What sim/free does, for one world by the lanes of a warp.
#ifndef TACT_GPU_STEP_FREE_H
#define TACT_GPU_STEP_FREE_H

#include "gpu/step/step_tree.h"

enum { TACT_STEP_ROUNDS = 12 }; // of the repetition that finds velocity products

// As in sim/free/midpoint.c.
#define TACT_STEP_SETTLED 1e-8
#define TACT_STEP_FLOOR 1e-13

TACT_HD double tact_step_clamp(double x, const double range[2])
{
    return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

TACT_HD double tact_step_tendon(const TactStepModel *model, const TactStepTendon *tendon,
                                const double *x, int of_q)
{
    double sum = 0;
    TACT_ROLLED
    for (int k = tendon->first; k < tendon->first + tendon->count; k++) {
        const TactStepTerm *term = &model->terms[k];
        sum += term->coefficient * x[of_q ? term->q : term->dof];
    }
    return sum;
}

/// The force of an actuator; implicit: its part of M (sim/free/actuation.c).
TACT_LANE double tact_step_run_actuator(const TactStepModel *model, const TactStepActuator *a,
                                        double ctrl, const double *q, const double *v,
                                        double *implicit)
{
    double length, rate, h = model->h;
    *implicit = 0;
    if (a->tendon >= 0) {
        length = a->gear * tact_step_tendon(model, &model->tendons[a->tendon], q, 1);
        rate = a->gear * tact_step_tendon(model, &model->tendons[a->tendon], v, 0);
    } else {
        length = a->gear * q[model->dofs[a->dof].q];
        rate = a->gear * v[a->dof];
    }
    ctrl = a->ctrl_limited ? tact_step_clamp(ctrl, a->ctrl_range) : ctrl;
    double gain = a->gain[0] + a->gain[1] * length + a->gain[2] * rate;
    double force = gain * ctrl + a->bias[0] + a->bias[1] * length + a->bias[2] * rate;
    double f_q = a->gain[1] * ctrl + a->bias[1], f_v = a->gain[2] * ctrl + a->bias[2];
    double part = -(h * f_v + h * h * f_q) * a->gear * a->gear;
    double within = a->force_limited ? tact_step_clamp(force, a->force_range) : force;
    if (within != force) {
        force = within;
    } else if (a->tendon < 0 && part > 0) {
        *implicit = part;
        force += h * f_q * rate;
    }
    return force;
}

/// The coefficient of a dof in a tendon.
TACT_LANE double tact_step_coefficient(const TactStepModel *model, const TactStepTendon *tendon,
                                       int dof)
{
    double sum = 0;
    TACT_ROLLED
    for (int k = tendon->first; k < tendon->first + tendon->count; k++) {
        sum += model->terms[k].dof == dof ? model->terms[k].coefficient : 0;
    }
    return sum;
}

/// Forces of tendons on a dof.
TACT_LANE double tact_step_pull(const TactStepModel *model, const double *q, const double *v,
                                int dof)
{
    double sum = 0;
    TACT_ROLLED
    for (int t = 0; t < model->tendon_count; t++) {
        const TactStepTendon *tendon = &model->tendons[t];
        if (tendon->stiffness == 0 && tendon->damping == 0) {
            continue;
        }
        double length = tact_step_tendon(model, tendon, q, 1);
        double over = length - tendon->spring[1], under = length - tendon->spring[0];
        double stretch = over > 0 ? over : under < 0 ? under : 0;
        double force =
            -tendon->stiffness * stretch - tendon->damping * tact_step_tendon(model, tendon, v, 0);
        sum += tact_step_coefficient(model, tendon, dof) * force;
    }
    return sum;
}

/// The force of all actuators on a dof, and their part of M there.
TACT_LANE double tact_step_drive(const TactStepModel *model, const double *ctrl, const double *q,
                                 const double *v, int i, double *added)
{
    const TactStepDof   *dof = &model->dofs[i];
    const TactStepJoint *joint = &model->joints[dof->joint];
    double               tau = 0;
    *added = 0;
    TACT_ROLLED
    for (int d = dof->first_drive; d < dof->first_drive + dof->drive_count; d++) {
        const TactStepActuator *a = &model->actuators[model->drives[d]];
        double                  implicit, force;
        force = a->gear * tact_step_run_actuator(model, a, ctrl[model->drives[d]], q, v, &implicit);
        tau += a->tendon < 0 ? force
                             : force * tact_step_coefficient(model, &model->tendons[a->tendon], i);
        *added += implicit;
    }
    double within = tact_step_clamp(tau, joint->force_range);
    if (joint->force_limited && within != tau) {
        tau = within;
        *added = 0;
    }
    return tau;
}

/// All forces but weight and velocity products, and what stands on the diagonal of M for them: a
/// lane a dof.
TACT_LANE void tact_step_forces(const TactStepModel *model, const double *ctrl, TactStepRoom *room)
{
    const double *q = room->q, *v = room->v;
    double        h = model->h;
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        const TactStepDof *dof = &model->dofs[i];
        double             added, tau = tact_step_drive(model, ctrl, q, v, i, &added);
        double             k = dof->stiffness;
        tau -= dof->damping * v[i];
        added += h * (dof->damping > 0 ? dof->damping : 0);
        if (k != 0) {
            double late = k > 0 ? h : 0; // at the end of the step
            tau -= k * (q[dof->q] - dof->rest) + late * k * v[i];
            added += late * h * k;
        }
        room->tau[i] = tau + tact_step_pull(model, q, v, i);
        room->added[i] = added;
    }
    tact_lane_meet();
}

/// No spin of free bodies where velocity products are taken: flight has its own.
TACT_LANE double tact_step_still(const TactStepModel *model, int dof, double v)
{
    const TactStepLink *link = &model->links[model->dofs[dof].link];
    return link->flies && dof >= link->first_dof + 3 ? 0 : v;
}

/// (M + h D) (v_free - v) = h (tau - bias at the mean of v and v_free), by repetition.
/// room->impulse: its right side; room->gain: v_free - v, on entry that of the last step. 0: it
/// does not settle.
TACT_LANE int tact_step_free(const TactStepModel *model, TactStepRoom *room)
{
    double before = INFINITY;
    int    lane = tact_warp_lane();
    TACT_ROLLED
    for (int round = 0; round < TACT_STEP_ROUNDS; round++) {
        double change = 0, size = 0;
        TACT_ROLLED
        for (int i = lane; i < model->nv; i += TACT_WARP) {
            room->x[i] = tact_step_still(model, i, room->v[i] + 0.5 * room->gain[i]);
        }
        tact_lane_meet();
        tact_step_bias(model, room->x, room, room->impulse);
        TACT_ROLLED
        for (int i = lane; i < model->nv; i += TACT_WARP) {
            room->impulse[i] = model->h * (room->tau[i] - room->impulse[i]);
            room->x[i] = room->impulse[i];
        }
        tact_step_solve(model, room->L, room->x);
        TACT_ROLLED
        for (int i = lane; i < model->nv; i += TACT_WARP) {
            change = tact_step_worse(change, fabs(room->x[i] - room->gain[i]));
            size = tact_step_larger(size, fabs(room->v[i] + room->x[i]));
            room->gain[i] = room->x[i];
        }
        change = tact_step_most(change);
        size = tact_step_most(size);
        // What is left after this change: it shrinks by as much in every round.
        double left = round > 0 && change <= 0.5 * before ? change * (change / before) : change;
        if (left <= TACT_STEP_FLOOR + TACT_STEP_SETTLED * size) {
            return 1;
        }
        if (!(change < 10 * before)) {
            return 0;
        }
        before = change;
    }
    return 0;
}

#endif
