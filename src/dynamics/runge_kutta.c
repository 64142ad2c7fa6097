// Runge-Kutta of order 4 on the manifold of positions [Munthe-Kaas, 1999].
//
// The position during a step is q = q_0 exp(u) with u in the tangent space of q_0. Where u is a
// rotation and w its angular velocity in the child frame, u does not change by w but by
//
//     du/dt = w + u x w / 2 + u x (u x w) / 12 + O(u^4 w),                                  (1)
//
// and with these terms the order is 4 for rotations too. Everything else is a vector space.
#include <string.h>

#include "base/status.h"
#include "dynamics/workspace.h"

/// (1) for the three dofs of a rotation.
static void correct_rotation(const double *u, const double *w, double *slope)
{
    TactVec3 a = {u[0], u[1], u[2]}, b = {w[0], w[1], w[2]};
    TactVec3 once = tact_vec3_cross(a, b), twice = tact_vec3_cross(a, once);
    TactVec3 sum = tact_vec3_add_scaled(tact_vec3_add_scaled(b, 0.5, once), 1.0 / 12, twice);
    slope[0] = sum.x;
    slope[1] = sum.y;
    slope[2] = sum.z;
}

static void position_slope(const TactModel *model, const double *u, const double *v, double *slope)
{
    memcpy(slope, v, (size_t)model->nv * sizeof *slope);
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        if (joint->type == TACT_JOINT_FREE || joint->type == TACT_JOINT_BALL) {
            int i = joint->dof + (joint->type == TACT_JOINT_FREE ? 3 : 0);
            correct_rotation(u + i, v + i, slope + i);
        }
    }
}

/// Slopes of stage k, at the position q_0 exp(u) and the velocity v.
static TactStatus run_stage(TactDynamics *d, int k, const double *u, const double *v,
                            const TactSmooth *smooth)
{
    tact_dynamics_integrate(d->model, d->rk4->start_q, u, 1, d->rk4->stage_q);
    TACT_TRY(tact_dynamics_set_position(d, d->rk4->stage_q));
    TACT_TRY(tact_dynamics_set_velocity(d, v));
    double *tau = smooth->force ? d->rk4->stage_tau : NULL;
    if (tau) {
        TACT_TRY(smooth->force(smooth->context, d, tau));
    }
    if (smooth->loops) {
        TactAssemblyInput input = {.tau = tau, .external = smooth->external};
        TACT_TRY(tact_assembly_close_loops(smooth->loops, &input, smooth->loop_rate,
                                           d->rk4->slope_v[k], NULL));
    } else {
        tact_dynamics_compute_forward(d, tau, smooth->external, NULL, d->rk4->slope_v[k]);
    }
    position_slope(d->model, u, v, d->rk4->slope[k]);
    return TACT_OK;
}

TactStatus tact_dynamics_step_rk4(TactDynamics *d, double h, const TactSmooth *smooth, double *q,
                                  double *v)
{
    static const double node[4] = {0, 0.5, 0.5, 1};
    static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

    TactSmooth none = {0};
    int        nv = d->model->nv;
    memcpy(d->rk4->start_q, q, (size_t)d->model->nq * sizeof *q);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < nv; i++) {
            d->rk4->stage_position[i] = k == 0 ? 0 : h * node[k] * d->rk4->slope[k - 1][i];
            d->rk4->stage_velocity[i] =
                k == 0 ? v[i] : v[i] + h * node[k] * d->rk4->slope_v[k - 1][i];
        }
        TACT_TRY(run_stage(d, k, d->rk4->stage_position, d->rk4->stage_velocity,
                           smooth ? smooth : &none));
    }
    for (int i = 0; i < nv; i++) {
        double u = 0, a = 0;
        for (int k = 0; k < 4; k++) {
            u += weight[k] * d->rk4->slope[k][i];
            a += weight[k] * d->rk4->slope_v[k][i];
        }
        d->rk4->stage_position[i] = u;
        v[i] += h * a;
    }
    tact_dynamics_integrate(d->model, d->rk4->start_q, d->rk4->stage_position, h, q);
    return TACT_OK;
}
