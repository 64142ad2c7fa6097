// A problem of a mechanism on its way to a warp: M = L L', J L'^-1, the Delassus matrix and the
// velocities of contacts without impulses.
#ifndef TACT_GPU_MECHANISM_BEGIN_H
#define TACT_GPU_MECHANISM_BEGIN_H

#include "gpu/body_cover.h"
#include "gpu/mechanism_room.h"

#if TACT_DOFS <= 32

/// M = L L'; lane j has row j, shifted by one column at every step. Below 0 on its diagonal: M is
/// not positive definite, and NaN follows.
TACT_LANE void tact_mechanism_factor(const TactMechanismProblems *all, int i,
                                     TactMechanismRoom *room)
{
    int    lane = tact_warp_lane(), n = all->dof;
    double a[TACT_DOFS];
    TACT_UNROLL for (int c = 0; c < TACT_DOFS; c++)
    {
        a[c] = c <= lane && lane < n
                   ? all->M[(size_t)(tact_triangle(lane) + c) * (size_t)all->stride + (size_t)i]
                   : 0;
    }
    TACT_ROLLED for (int k = 0; k < n; k++)
    {
        double *column = tact_mechanism_factor_of(room) + tact_mechanism_column(k);
        double  inverse = tact_lane_inverse_root(tact_warp_read(a[0], k)), own = a[0] * inverse;
        if (lane >= k && lane < n) {
            column[lane - k] = lane == k ? inverse : own;
        }
        tact_lane_meet();
        TACT_UNROLL for (int c = 1; c < TACT_DOFS; c++)
        {
            a[c - 1] = a[c] - own * column[c];
        }
        a[TACT_DOFS - 1] = 0;
    }
}

/// Y = L^-1 J' by columns, Y_kr at [k * outline + r]; the last column: L^-1 h f. A lane has a row
/// of J. room->free: J v.
TACT_LANE void tact_mechanism_whiten(const TactMechanismProblems *all, int i, int rows,
                                     TactMechanismRoom *room)
{
    int     lane = tact_warp_lane(), n = all->dof;
    size_t  stride = (size_t)all->stride;
    double *Y = room->scratch;
    for (int k = lane; k < TACT_DOFS; k += TACT_WARP) {
        room->motion[k] = k < n ? all->velocity[(size_t)k * stride + (size_t)i] : 0;
    }
    tact_lane_meet();
    TACT_ROLLED for (int first = 0; first <= rows; first += TACT_WARP)
    {
        int           r = first + lane;
        const double *from = r < rows ? all->J + (size_t)(r * n) * stride + i : all->force + i;
        double        b[TACT_DOFS], sum = 0;
        TACT_UNROLL for (int c = 0; c < TACT_DOFS; c++)
        {
            b[c] = c < n && r <= rows ? from[(size_t)c * stride] : 0;
            sum += b[c] * room->motion[c];
            b[c] *= r < rows ? 1 : all->step;
        }
        if (r < rows) {
            room->free[r] = sum;
        }
        TACT_ROLLED for (int k = 0; k < n; k++)
        {
            const double *column = tact_mechanism_factor_of(room) + tact_mechanism_column(k);
            double        y = b[0] * column[0];
            if (r <= rows) {
                Y[k * TACT_OUTLINE + r] = y;
            }
            TACT_UNROLL for (int c = 1; c < TACT_DOFS; c++)
            {
                b[c - 1] = b[c] - y * column[c];
            }
            b[TACT_DOFS - 1] = 0;
        }
    }
    tact_lane_meet();
}

#else

/// The same where a lane cannot hold a row.
TACT_LANE void tact_mechanism_factor(const TactMechanismProblems *all, int i,
                                     TactMechanismRoom *room)
{
    int     lane = tact_warp_lane(), n = all->dof;
    double *L = tact_mechanism_factor_of(room);
    for (int k = 0; k < n; k++) {
        for (int j = k + lane; j < n; j += TACT_WARP) {
            L[tact_mechanism_column(k) + j - k] =
                all->M[(size_t)(tact_triangle(j) + k) * (size_t)all->stride + (size_t)i];
        }
    }
    tact_lane_meet();
    for (int k = 0; k < n; k++) {
        double *column = L + tact_mechanism_column(k);
        double  inverse = tact_lane_inverse_root(column[0]);
        tact_lane_meet();
        for (int j = k + lane; j < n; j += TACT_WARP) {
            column[j - k] = j == k ? inverse : column[j - k] * inverse;
        }
        tact_lane_meet();
        for (int j = k + 1 + lane; j < n; j += TACT_WARP) {
            double factor = column[j - k];
            for (int c = k + 1; c <= j; c++) {
                L[tact_mechanism_column(c) + j - c] -= factor * column[c - k];
            }
        }
        tact_lane_meet();
    }
}

TACT_LANE void tact_mechanism_whiten(const TactMechanismProblems *all, int i, int rows,
                                     TactMechanismRoom *room)
{
    int     lane = tact_warp_lane(), n = all->dof;
    size_t  stride = (size_t)all->stride;
    double *Y = room->scratch;
    for (int k = lane; k < n; k += TACT_WARP) {
        room->motion[k] = all->velocity[(size_t)k * stride + (size_t)i];
    }
    tact_lane_meet();
    for (int r = lane; r <= rows; r += TACT_WARP) {
        const double *from = r < rows ? all->J + (size_t)(r * n) * stride + i : all->force + i;
        double        times = r < rows ? 1 : all->step, free = 0;
        for (int k = 0; k < n; k++) {
            double entry = from[(size_t)k * stride];
            free += entry * room->motion[k];
            Y[k * TACT_OUTLINE + r] = times * entry;
        }
        if (r < rows) {
            room->free[r] = free;
        }
        for (int k = 0; k < n; k++) {
            const double *column = tact_mechanism_factor_of(room) + tact_mechanism_column(k);
            double        y = Y[k * TACT_OUTLINE + r] * column[0];
            Y[k * TACT_OUTLINE + r] = y;
            for (int c = k + 1; c < n; c++) {
                Y[c * TACT_OUTLINE + r] -= y * column[c - k];
            }
        }
    }
    tact_lane_meet();
}

#endif

/// A = Y'Y, and u without impulses, rows of a contact over the length of its normal.
TACT_LANE void tact_mechanism_couple(const TactMechanismProblems *all, int rows,
                                     TactMechanismRoom *room)
{
    int           lane = tact_warp_lane(), n = all->dof;
    const double *Y = room->scratch;
    for (int r = lane; r < rows; r += TACT_WARP) {
        double *row = tact_mechanism_packed(room) + tact_triangle(r);
        TACT_ROLLED for (int c = 0; c <= rows; c += 4)
        {
            double        sum[4] = {0, 0, 0, 0};
            const double *at = Y;
            TACT_UNROLL_FOUR for (int k = 0; k < n; k++)
            {
                double mine = at[r];
                TACT_UNROLL for (int j = 0; j < 4; j++)
                {
                    sum[j] += mine * at[c + j];
                }
                at += TACT_OUTLINE;
            }
            TACT_UNROLL for (int j = 0; j < 4; j++)
            {
                if (c + j <= r) {
                    row[c + j] = sum[j];
                } else if (c + j == rows) {
                    room->free[r] += sum[j];
                }
            }
        }
    }
    tact_lane_meet();
    for (int c = lane; 3 * c < rows; c += TACT_WARP) {
        double square = tact_mechanism_delassus(room, 3 * c, 3 * c);
        room->scale[c] = square > 0 ? tact_lane_inverse_root(square) : 1;
    }
    tact_lane_meet();
    for (int r = lane; r < rows; r += TACT_WARP) {
        double own = room->scale[r / 3], *row = tact_mechanism_packed(room) + tact_triangle(r);
        room->free[r] *= own;
        for (int c = 0; c <= r; c++) {
            row[c] *= own * room->scale[c / 3];
        }
    }
    tact_lane_meet();
}

/// The problem in units of its largest offset. Contacts that nothing moves have offsets of 0.
TACT_LANE void tact_mechanism_take(const TactMechanismTask *task, int problem,
                                   TactMechanismRoom *room, TactMechanismPath *path)
{
    const TactMechanismProblems *all = &task->problems;
    int                          lane = tact_warp_lane();
    size_t                       stride = (size_t)all->stride, i = (size_t)problem;
    double                       unit = 0;
    path->problem = problem;
    path->points = tact_mechanism_points(all, problem);
    path->pivots = path->size = path->by_row = path->pair = 0;
    tact_mechanism_factor(all, problem, room);
    tact_lane_meet();
    for (int k = lane; k < tact_mechanism_column(all->dof); k += TACT_WARP) {
        path->factor[k] = tact_mechanism_factor_of(room)[k];
    }
    tact_mechanism_whiten(all, problem, 3 * path->points, room);
    tact_mechanism_couple(all, 3 * path->points, room);
    for (int j = lane; j < TACT_BODY_MAX_DIRECTIONS; j += TACT_WARP) {
        room->cosine[j] = task->directions.cosine[j];
        room->sine[j] = task->directions.sine[j];
    }
    for (int c = lane; c < path->points; c += TACT_WARP) {
        double bias = all->bias ? all->bias[(size_t)c * stride + i] : 0;
        room->free[3 * c] += bias * room->scale[c];
        double size = fabs(room->free[3 * c]);
        unit = size > unit ? size : unit;
        room->mu[c] = all->mu[(size_t)c * stride + i];
        room->cover[c] = tact_body_cover(c, task->attempt);
        room->sigma[c] = TACT_BODY_COVER_SIGMA;
        room->state[c] = 0;
        for (int k = 0; k < TACT_PAIRS; k++) {
            room->at[c][k] = TACT_NOWHERE;
        }
    }
    unit = tact_mechanism_largest(unit);
    path->unit = unit > 0 ? unit : 1;
    tact_lane_meet();
    for (int r = lane; r < 3 * path->points; r += TACT_WARP) {
        room->free[r] /= path->unit;
        room->u[r] = room->free[r];
    }
    tact_lane_meet();
}

#endif
