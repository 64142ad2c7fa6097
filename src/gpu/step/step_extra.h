// Rows of a world besides contacts and limits: dry friction of joints and tendons, loops and
// couplings (sim/island/joint_rows.c). In kernels that are compiled with TACT_STEP_MORE.
#ifndef TACT_GPU_STEP_EXTRA_H
#define TACT_GPU_STEP_EXTRA_H

#include "gpu/step/step_free.h"

// As in sim/island/joint_rows.c.
#define TACT_STEP_SAME 1e-12
#define TACT_STEP_LOOP_ROUNDING 1e-13

/// Rows of motors and loops, which every world of a model has.
TACT_HD int tact_step_extra(const TactStepModel *model)
{
    return TACT_STEP_MORE ? model->motor_count + model->loop_rows : 0;
}

#if TACT_STEP_MORE

TACT_HD double tact_step_polynomial(const double c[5], double x, double *slope)
{
    *slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
    return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}

/// A coordinate of a coupling, or the length of its tendon, less the reference. k: 0 y, 1 x.
TACT_HD double tact_step_coupled(const TactStepModel *model, const TactStepLoop *loop, int k,
                                 const double *q)
{
    int of = loop->of[k];
    return of < 0 ? 0
           : loop->type == TACT_STEP_TENDONS
               ? tact_step_tendon(model, &model->tendons[of], q, 1) - loop->reference[k]
               : q[model->joints[of].q] - loop->reference[k];
}

TACT_HD TactTransform tact_step_loop_end(const TactStepRoom *room, const TactStepLoop *loop, int k)
{
    return tact_transform_multiply(room->pose[loop->of[k]], loop->place[k]);
}

/// What parts of a loop are off; links are where q says.
TACT_HD void tact_step_loop_error(const TactStepModel *model, const TactStepRoom *room,
                                  const TactStepLoop *loop, const double *q, double error[6])
{
    if (loop->type >= TACT_STEP_JOINTS) {
        double slope;
        error[0] =
            tact_step_coupled(model, loop, 0, q) -
            tact_step_polynomial(loop->polynomial, tact_step_coupled(model, loop, 1, q), &slope);
        return;
    }
    TactTransform a = tact_step_loop_end(room, loop, 0), b = tact_step_loop_end(room, loop, 1);
    TactVec3      gap = tact_vec3_subtract(tact_transform_point(b, loop->anchor[1]),
                                           tact_transform_point(a, loop->anchor[0]));
    tact_step_write(tact_quat_rotate_back(a.rotation, gap), error);
    if (loop->type == TACT_STEP_WELD) {
        TactQuat wanted = tact_quat_multiply(a.rotation, loop->turn);
        TactQuat turn = tact_quat_multiply(b.rotation, tact_quat_conjugate(wanted));
        tact_step_write(tact_quat_rotate_back(a.rotation, tact_step_quat_log(turn)), error + 3);
    }
}

/// J of the parts of a connect or weld that are rows, a lane a column.
TACT_LANE void tact_step_put_loop(const TactStepModel *model, const TactStepRoom *room,
                                  const TactStepLoop *loop, double *J)
{
    unsigned long long by_a = model->links[loop->of[0]].moved_by;
    unsigned long long by_b = model->links[loop->of[1]].moved_by;
    TactTransform      a = tact_step_loop_end(room, loop, 0), b = tact_step_loop_end(room, loop, 1);
    TactVec3           point = tact_transform_point(b, loop->anchor[1]);
    double             own[TACT_STEP_SLOTS][6], largest = 0;
    TACT_UNROLL for (int slot = 0; slot < TACT_STEP_SLOTS; slot++)
    {
        int    i = tact_warp_lane() + slot * TACT_WARP, on = i < model->nv;
        double sign = on ? (double)((int)(by_b >> i & 1) - (int)(by_a >> i & 1)) : 0;
        for (int r = 0; r < 6; r++) {
            own[slot][r] = 0;
        }
        if (sign != 0) {
            TactVec3  arm = tact_vec3_subtract(point, room->com[model->dofs[i].link]);
            TactTwist moved = tact_twist_shift(room->axis[i], arm);
            largest = tact_step_larger(largest, fabs(moved.linear.x));
            largest = tact_step_larger(largest, fabs(moved.linear.y));
            largest = tact_step_larger(largest, fabs(moved.linear.z));
            largest = tact_step_larger(largest, fabs(moved.angular.x));
            largest = tact_step_larger(largest, fabs(moved.angular.y));
            largest = tact_step_larger(largest, fabs(moved.angular.z));
            tact_step_write(tact_vec3_scale(sign, tact_quat_rotate_back(a.rotation, moved.linear)),
                            own[slot]);
            tact_step_write(tact_vec3_scale(sign, tact_quat_rotate_back(a.rotation, moved.angular)),
                            own[slot] + 3);
        }
    }
    double least = TACT_STEP_LOOP_ROUNDING * tact_step_most(largest);
    TACT_UNROLL for (int slot = 0; slot < TACT_STEP_SLOTS; slot++)
    {
        int i = tact_warp_lane() + slot * TACT_WARP, row = 0;
        TACT_UNROLL for (int r = 0; r < 6; r++)
        {
            if (loop->parts >> r & 1) {
                if (i < model->nv) {
                    J[row * model->nv + i] = fabs(own[slot][r]) > least ? own[slot][r] : 0;
                }
                row++;
            }
        }
    }
}

/// Coefficient of a dof in the coordinate or tendon of a coupling.
TACT_LANE double tact_step_coupling_part(const TactStepModel *model, const TactStepLoop *loop,
                                         int k, int dof)
{
    int of = loop->of[k];
    return of < 0 ? 0
           : loop->type == TACT_STEP_TENDONS
               ? tact_step_coefficient(model, &model->tendons[of], dof)
               : (model->joints[of].dof == dof ? 1 : 0);
}

/// J and bounds of motors, then, after the rows of moments, J of loops, into the rows that follow
/// those of contacts. Links are at the beginning of the step.
TACT_LANE_CALL void tact_step_put_extra(const TactStepModel *model, const TactStepRoom *room,
                                        int moments, double *J, double *bound)
{
    int nv = model->nv;
    TACT_ROLLED
    for (int k = 0; k < model->motor_count; k++) {
        const TactStepMotor *motor = &model->motors[k];
        TACT_ROLLED
        for (int i = tact_warp_lane(); i < nv; i += TACT_WARP) {
            J[k * nv + i] = motor->tendon < 0
                                ? (motor->dof == i ? 1 : 0)
                                : tact_step_coefficient(model, &model->tendons[motor->tendon], i);
        }
        if (tact_warp_lane() == 0) {
            bound[k] = model->h * motor->friction;
        }
    }
    J += (model->motor_count + moments) * nv;
    TACT_ROLLED
    for (int l = 0; l < model->loop_count; l++) {
        const TactStepLoop *loop = &model->loops[l];
        double             *rows = J + loop->first_row * nv, slope;
        if (loop->type < TACT_STEP_JOINTS) {
            tact_step_put_loop(model, room, loop, rows);
            continue;
        }
        tact_step_polynomial(loop->polynomial, tact_step_coupled(model, loop, 1, room->q), &slope);
        TACT_ROLLED
        for (int i = tact_warp_lane(); i < nv; i += TACT_WARP) {
            rows[i] = tact_step_coupling_part(model, loop, 0, i) -
                      slope * tact_step_coupling_part(model, loop, 1, i);
        }
    }
    tact_lane_meet();
}

/// Loops where a step begins: what they are off, and no motion asked for yet.
TACT_LANE void tact_step_begin_loops(const TactStepModel *model, const TactStepRoom *room,
                                     double *start, double *target)
{
    TACT_ROLLED
    for (int l = tact_warp_lane(); l < model->loop_count; l += TACT_WARP) {
        const TactStepLoop *loop = &model->loops[l];
        double              error[6];
        int                 row = loop->first_row;
        tact_step_loop_error(model, room, loop, room->q, error);
        TACT_ROLLED
        for (int r = 0; r < 6; r++) {
            if (loop->parts >> r & 1) {
                start[row] = error[r];
                target[row++] = 0;
            }
        }
    }
    tact_lane_meet();
}

/// Adds to the targets of loops what they lack at the end, where links are; returns the largest
/// change. What is within the tolerance of positions at the beginning is closed at the end. worst:
/// how far a loop is open there.
TACT_LANE double tact_step_bend_loops(const TactStepModel *model, const TactStepRoom *room,
                                      const double *start, double *target, double *worst)
{
    double change = 0, open = 0;
    TACT_ROLLED
    for (int l = tact_warp_lane(); l < model->loop_count; l += TACT_WARP) {
        const TactStepLoop *loop = &model->loops[l];
        double              error[6];
        int                 row = loop->first_row;
        tact_step_loop_error(model, room, loop, room->q_end, error);
        TACT_ROLLED
        for (int r = 0; r < 6; r++) {
            if (loop->parts >> r & 1) {
                double wanted = fabs(start[row]) <= model->rules.loop_tol ? 0 : start[row];
                double off = wanted - error[r],
                       step = fabs(off) > TACT_STEP_SAME ? off / model->h : 0;
                target[row++] += step;
                change = tact_step_worse(change, fabs(step));
                open = tact_step_worse(open, fabs(error[r]));
            }
        }
    }
    *worst = tact_step_most(open);
    return tact_step_most(change);
}

#endif

#endif
