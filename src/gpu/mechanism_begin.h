// A problem of a mechanism on its way to a warp: M = L L', J L'^-1, the Delassus matrix and the
// velocities of contacts without impulses.
#ifndef TACT_GPU_MECHANISM_BEGIN_H
#define TACT_GPU_MECHANISM_BEGIN_H

#include "gpu/body_cover.h"
#include "gpu/mechanism_room.h"

/// L, in the place of M. Below 0 on its diagonal: M is not positive definite, and NaN follows.
TACT_LANE void tact_mechanism_factor(const TactMechanismProblems *all, int i,
                                     TactMechanismRoom *room)
{
    int     lane = tact_warp_lane(), n = all->dof;
    double *L = room->factor;
    for (int k = lane; k < tact_triangle(n); k += TACT_WARP) {
        L[k] = all->M[(size_t)k * (size_t)all->stride + (size_t)i];
    }
    tact_lane_meet();
    for (int k = 0; k < n; k++) {
        double root = sqrt(L[tact_triangle(k) + k]), inverse = 1 / root;
        tact_lane_meet();
        for (int j = k + lane; j < n; j += TACT_WARP) {
            double *entry = &L[tact_triangle(j) + k];
            *entry = j == k ? root : *entry * inverse;
        }
        tact_lane_meet();
        for (int j = k + 1 + lane; j < n; j += TACT_WARP) {
            double *row = L + tact_triangle(j), factor = row[k];
            int     at = tact_triangle(k + 1) + k;
            for (int c = k + 1; c <= j; c++) {
                row[c] -= factor * L[at];
                at += c + 1;
            }
        }
        tact_lane_meet();
    }
}

/// Y = L^-1 J' by columns, Y_kr at [k * outline + r]; the last column: L^-1 h f.
TACT_LANE void tact_mechanism_whiten(const TactMechanismProblems *all, int i, int rows,
                                     TactMechanismRoom *room)
{
    int           lane = tact_warp_lane(), n = all->dof;
    size_t        stride = (size_t)all->stride;
    const double *L = room->factor;
    double       *Y = room->inverse;
    for (int r = lane; r <= rows; r += TACT_WARP) {
        const double *from = r == rows ? all->force + i : all->J + (size_t)(r * n) * stride + i;
        double        times = r == rows ? all->step : 1;
        for (int k = 0; k < n; k++) {
            const double *row = L + tact_triangle(k);
            double        sum = times * from[(size_t)k * stride];
            for (int j = 0; j < k; j++) {
                sum -= row[j] * Y[j * TACT_OUTLINE + r];
            }
            Y[k * TACT_OUTLINE + r] = sum / row[k];
        }
    }
    tact_lane_meet();
    // L'v + L^-1 h f: the free motion
    for (int k = lane; k < n; k += TACT_WARP) {
        double sum = Y[k * TACT_OUTLINE + rows];
        for (int j = k; j < n; j++) {
            sum += L[tact_triangle(j) + k] * all->velocity[(size_t)j * stride + (size_t)i];
        }
        room->motion[k] = sum;
    }
    tact_lane_meet();
}

/// A = Y'Y and u = Y'y, rows of a contact over the length of its normal.
TACT_LANE void tact_mechanism_couple(const TactMechanismProblems *all, int rows,
                                     TactMechanismRoom *room)
{
    int           lane = tact_warp_lane(), n = all->dof;
    const double *Y = room->inverse;
    for (int r = lane; r < rows; r += TACT_WARP) {
        double sum = 0, square = 0;
        int    normal = r - r % 3;
        for (int k = 0; k < n; k++) {
            sum += Y[k * TACT_OUTLINE + r] * room->motion[k];
            square += Y[k * TACT_OUTLINE + normal] * Y[k * TACT_OUTLINE + normal];
        }
        double scale = square > 0 ? 1 / sqrt(square) : 1;
        room->free[r] = sum * scale;
        if (r == normal) {
            room->scale[r / 3] = scale;
        }
    }
    tact_lane_meet();
    for (int r = lane; r < rows; r += TACT_WARP) {
        double own = room->scale[r / 3], *row = room->delassus + tact_triangle(r);
        for (int c = 0; c <= r; c += 4) {
            double        sum[4] = {0, 0, 0, 0};
            const double *at = Y;
            for (int k = 0; k < n; k++, at += TACT_OUTLINE) {
                double mine = at[r];
                TACT_UNROLL for (int j = 0; j < 4; j++)
                {
                    sum[j] += mine * at[c + j < rows ? c + j : r];
                }
            }
            TACT_UNROLL for (int j = 0; j < 4; j++)
            {
                if (c + j <= r) {
                    row[c + j] = sum[j] * own * room->scale[(c + j) / 3];
                }
            }
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
    tact_mechanism_whiten(all, problem, 3 * path->points, room);
    tact_mechanism_couple(all, 3 * path->points, room);
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
