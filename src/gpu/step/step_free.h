// Motion of a world without contacts: actuators, springs, dampers, and velocity products at the
// mean velocity of the step. What sim/free does, for one world by one thread.
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
    for (int k = tendon->first; k < tendon->first + tendon->count; k++) {
        const TactStepTerm *term = &model->terms[k];
        sum += term->coefficient * x[of_q ? term->q : term->dof];
    }
    return sum;
}

/// Adds the force of an actuator to tau, and its implicit part to added (sim/free/actuation.c).
TACT_HD void tact_step_drive(const TactStepModel *model, const TactStepActuator *a, double ctrl,
                             const double *q, const double *v, double *tau, double *added)
{
    double length, rate, h = model->h;
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
    double implicit = -(h * f_v + h * h * f_q) * a->gear * a->gear;
    double within = a->force_limited ? tact_step_clamp(force, a->force_range) : force;
    if (within != force) {
        force = within;
    } else if (a->tendon < 0 && implicit > 0) {
        added[a->dof] += implicit;
        force += h * f_q * rate;
    }
    if (a->tendon < 0) {
        tau[a->dof] += a->gear * force;
        return;
    }
    const TactStepTendon *tendon = &model->tendons[a->tendon];
    for (int k = tendon->first; k < tendon->first + tendon->count; k++) {
        tau[model->terms[k].dof] += a->gear * model->terms[k].coefficient * force;
    }
}

/// All forces but weight and velocity products, and what stands on the diagonal of M for them.
TACT_HD void tact_step_forces(const TactStepModel *model, const double *ctrl, const double *q,
                              const double *v, double *tau, double *added)
{
    double h = model->h;
    for (int i = 0; i < model->nv; i++) {
        tau[i] = added[i] = 0;
    }
    for (int k = 0; k < model->actuator_count; k++) {
        tact_step_drive(model, &model->actuators[k], ctrl[k], q, v, tau, added);
    }
    for (int j = 0; j < model->joint_count; j++) {
        const TactStepJoint *joint = &model->joints[j];
        double               within = tact_step_clamp(tau[joint->dof], joint->force_range);
        if (joint->force_limited && within != tau[joint->dof]) {
            tau[joint->dof] = within;
            added[joint->dof] = 0;
        }
    }
    for (int i = 0; i < model->nv; i++) {
        const TactStepDof *dof = &model->dofs[i];
        double             k = dof->stiffness;
        tau[i] -= dof->damping * v[i];
        added[i] += h * dof->damping;
        if (k > 0) {
            tau[i] -= k * (q[dof->q] - dof->rest) + h * k * v[i];
            added[i] += h * h * k;
        }
    }
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
        for (int k = tendon->first; k < tendon->first + tendon->count; k++) {
            tau[model->terms[k].dof] += model->terms[k].coefficient * force;
        }
    }
}

/// No spin of free bodies where velocity products are taken: flight has its own.
TACT_HD void tact_step_still(const TactStepModel *model, double *v)
{
    for (int l = 1; l < model->link_count; l++) {
        for (int k = 3; k < 6 && model->links[l].flies; k++) {
            v[model->links[l].first_dof + k] = 0;
        }
    }
}

/// (M + h D) (v_free - v) = h (tau - bias at the mean of v and v_free), by repetition. impulse: its
/// right side; gain: v_free - v, on entry that of the last step. 0: it does not settle.
TACT_HD int tact_step_free(const TactStepModel *model, const double *v, const double *tau,
                           const double *L, TactStepTree *tree, double *gain, double *impulse)
{
    double middle[TACT_STEP_MAX_DOF], before = INFINITY;
    for (int round = 0; round < TACT_STEP_ROUNDS; round++) {
        double change = 0, size = 0;
        for (int i = 0; i < model->nv; i++) {
            middle[i] = v[i] + 0.5 * gain[i];
        }
        tact_step_still(model, middle);
        tact_step_bias(model, middle, tree, impulse);
        for (int i = 0; i < model->nv; i++) {
            middle[i] = impulse[i] = model->h * (tau[i] - impulse[i]);
        }
        tact_step_solve(model, L, middle);
        for (int i = 0; i < model->nv; i++) {
            change = tact_step_worse(change, fabs(middle[i] - gain[i]));
            size = tact_step_larger(size, fabs(v[i] + middle[i]));
            gain[i] = middle[i];
        }
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
