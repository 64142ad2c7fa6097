// A problem of a mechanism on its way to a warp: M = L L', J L'^-1, the Delassus matrix and the
// velocities of contacts without impulses.
#ifndef TACT_GPU_MECHANISM_BEGIN_H
#define TACT_GPU_MECHANISM_BEGIN_H

#include "gpu/mechanism/mechanism_extra.h"

/// Begins to copy an array to the room.
TACT_LANE void tact_mechanism_fetch(double *to, const double *from, int count)
{
    TACT_ROLLED for (int k = tact_warp_lane(); k < count; k += TACT_WARP)
    {
        tact_lane_fetch(to + k, from + k);
    }
}

#if TACT_DOFS <= 32

/// M = L L'; lane j has row j, shifted by one column at every step. Below 0 on its diagonal: M is
/// not positive definite, and NaN follows. Lanes read beyond the end of a column: only entries of
/// columns that do not exist follow from it. Meanwhile rows of J begin to come to Y's place.
TACT_LANE void tact_mechanism_factor(const TactMechanismOne *one, int n, int rows,
                                     TactMechanismRoom *room)
{
    int    lane = tact_warp_lane();
    double a[TACT_DOFS];
    tact_mechanism_fetch(room->scratch, one->M, tact_triangle(n));
    tact_lane_fetched();
    TACT_UNROLL for (int c = 0; c < TACT_DOFS; c++)
    {
        a[c] = c <= lane && lane < n ? room->scratch[tact_triangle(lane) + c] : 0;
    }
    tact_lane_meet();
    tact_mechanism_fetch(room->scratch, one->J, rows * n);
    TACT_ROLLED for (int k = 0; k < n; k++)
    {
        double *column = tact_mechanism_factor_of(room) + tact_mechanism_column(k);
        double  inverse = tact_lane_inverse_root(tact_warp_read(a[0], k)), own = a[0] * inverse;
        if (lane >= k && lane < n) {
            column[lane - k] = lane == k ? inverse : own;
        }
        tact_lane_meet();
        tact_mechanism_shift(a, own, column, n - k);
        tact_lane_meet(); // before the next column is written
    }
}

/// Y = L^-1 J' by columns, Y_kr at [k * outline + r]; the last column: L^-1 h f. A lane has a row
/// of J, or two. room->free: J v.
TACT_LANE void tact_mechanism_whiten(const TactMechanismOne *one, int n, int rows, double step,
                                     TactMechanismRoom *room)
{
    int    lane = tact_warp_lane(), at = lane;
    double b[TACT_PASSES][TACT_DOFS];
    (void)one;
    tact_lane_fetched(); // J; and f in room->line
    TACT_UNROLL for (int pass = 0; pass < TACT_PASSES; pass++, at += TACT_WARP)
    {
        double sum = 0;
        TACT_UNROLL for (int c = 0; c < TACT_DOFS; c++)
        {
            double entry = c < n && at < rows ? room->scratch[at * n + c] : 0;
            sum += c < n ? entry * room->motion[c] : 0;
            b[pass][c] = c < n && at == rows ? step * room->line[c] : entry;
        }
        if (at < rows) {
            room->free[at] = sum;
        }
    }
    tact_lane_meet();
    TACT_UNROLL for (int pass = 0; pass < TACT_PASSES; pass++)
    {
        int r = lane + pass * TACT_WARP;
        TACT_ROLLED for (int k = 0; k < n; k++)
        {
            const double *column = tact_mechanism_factor_of(room) + tact_mechanism_column(k);
            double        y = b[pass][0] * column[0];
            if (r <= rows) {
                room->scratch[k * TACT_OUTLINE + r] = y;
            }
            tact_mechanism_shift(b[pass], y, column, n - k);
        }
    }
    tact_lane_meet();
}

#else

/// The same where a lane cannot hold a row.
TACT_LANE void tact_mechanism_factor(const TactMechanismOne *one, int n, int rows,
                                     TactMechanismRoom *room)
{
    int lane = tact_warp_lane();
    (void)rows;
    tact_lane_fetched(); // v, for tact_mechanism_whiten()
    double *L = tact_mechanism_factor_of(room);
    TACT_ROLLED for (int k = 0; k < n; k++)
    {
        TACT_ROLLED for (int j = k + lane; j < n; j += TACT_WARP)
        {
            L[tact_mechanism_column(k) + j - k] = one->M[tact_triangle(j) + k];
        }
    }
    tact_lane_meet();
    for (int k = 0; k < n; k++) {
        double *column = L + tact_mechanism_column(k);
        double  inverse = tact_lane_inverse_root(column[0]);
        tact_lane_meet();
        TACT_ROLLED for (int j = k + lane; j < n; j += TACT_WARP)
        {
            column[j - k] = j == k ? inverse : column[j - k] * inverse;
        }
        tact_lane_meet();
        TACT_ROLLED for (int j = k + 1 + lane; j < n; j += TACT_WARP)
        {
            double factor = column[j - k];
            for (int c = k + 1; c <= j; c++) {
                L[tact_mechanism_column(c) + j - c] -= factor * column[c - k];
            }
        }
        tact_lane_meet();
    }
}

TACT_LANE void tact_mechanism_whiten(const TactMechanismOne *one, int n, int rows, double step,
                                     TactMechanismRoom *room)
{
    double *Y = room->scratch;
    TACT_ROLLED for (int r = tact_warp_lane(); r <= rows; r += TACT_WARP)
    {
        const double *from = r < rows ? one->J + r * n : one->force;
        double        times = r < rows ? 1 : step, free = 0;
        for (int k = 0; k < n; k++) {
            free += from[k] * room->motion[k];
            Y[k * TACT_OUTLINE + r] = times * from[k];
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

/// One over the length of the normal of every item, in L^-1 J'.
TACT_LANE void tact_mechanism_measure(int n, int items, TactMechanismRoom *room)
{
    TACT_ROLLED for (int c = tact_warp_lane(); c < items; c += TACT_WARP)
    {
        const double *at = room->scratch + tact_mechanism_first(room, c);
        double        square = 0;
        TACT_UNROLL_EIGHT for (int k = 0; k < n; k++)
        {
            square += at[k * TACT_OUTLINE] * at[k * TACT_OUTLINE];
        }
        room->scale[c] = square > 0 ? tact_lane_inverse_root(square) : 1;
    }
    tact_lane_meet();
#if TACT_EXTRA > 0
    tact_moment_even_out(room, room->scale);
#endif
}

/// A = Y'Y, and u without impulses, rows of an item over the length of its normal. By squares of
/// eight rows; what is read beyond the last row goes nowhere.
TACT_LANE void tact_mechanism_couple(int n, int rows, int items, TactMechanismRoom *room)
{
    enum { SIDE = 8, STEPS = TACT_DOFS / 4 };
    int           lane = tact_warp_lane(), row = lane / 4, part = lane % 4;
    const double *Y = room->scratch + row;
    tact_mechanism_measure(n, items, room);
    TACT_ROLLED for (int i = 0; i <= rows; i += SIDE)
    {
        int    r = i + row; // rows: that of the force
        double own[STEPS], scale = r < rows ? room->scale[tact_rows_contact(room->rough, r)] : 1;
        TACT_UNROLL for (int step = 0; step < STEPS; step++)
        {
            int k = 4 * step + part;
            own[step] = k < n ? Y[k * TACT_OUTLINE + i] : 0;
        }
        TACT_ROLLED for (int j = 0; j <= i && j < rows; j += SIDE)
        {
            double sum[2][2] = {{0, 0}, {0, 0}};
            TACT_UNROLL for (int step = 0; step < STEPS; step++)
            {
                int    k = 4 * step + part;
                double other = k < n ? Y[k * TACT_OUTLINE + j] : 0;
                tact_warp_product(own[step], other, sum[step % 2]);
            }
            TACT_UNROLL for (int side = 0; side < 2; side++)
            {
                int    c = j + 2 * part + side;
                double entry = sum[0][side] + sum[1][side];
                if (c <= r && c < rows) {
                    entry *= scale * room->scale[tact_rows_contact(room->rough, c)];
                }
                if (c <= r && r < rows) {
                    tact_mechanism_packed(room)[tact_triangle(r) + c] = entry;
                } else if (r == rows && c < rows) {
                    room->answer[c] = entry;
                }
            }
        }
    }
    tact_lane_meet();
    TACT_ROLLED for (int r = lane; r < rows; r += TACT_WARP)
    {
        double scale = room->scale[tact_rows_contact(room->rough, r)];
        room->free[r] = room->free[r] * scale + room->answer[r];
    }
    tact_lane_meet();
}

/// The problem in units of its fastest approach: gaps that are far from closing do not count.
TACT_LANE void tact_mechanism_take(const TactMechanismTask *task, int problem,
                                   TactMechanismRoom *room, TactMechanismPath *path)
{
    const TactMechanismProblems *all = &task->problems;
    TactMechanismOne             one = tact_mechanism_one(all, problem);
    int                          lane = tact_warp_lane(), n = all->dof;
    double                       unit = 0;
    path->problem = problem;
    path->points = tact_mechanism_points(all, problem);
    int rough = tact_mechanism_rough(all, problem, path->points);
    path->rows = path->points + 2 * rough;
    path->items = path->points;
    path->all = path->rows;
    path->moments = 0;
    room->rough = rough;
#if TACT_EXTRA > 0
    path->items += task->more.motors;
    if (!tact_moment_list(task, room, path)) {
        path->points = -1;
        return;
    }
    path->rows += task->more.motors + path->moments;
    path->all = path->rows + task->more.loops;
#endif
    path->pivots = path->size = path->by_row = path->pair = path->resumed = 0;
    path->limit = task->max_pivots;
    tact_mechanism_fetch(room->motion, one.velocity, n);
#if TACT_DOFS <= 32
    tact_mechanism_fetch(room->line, one.force, n); // for tact_mechanism_whiten()
#endif
    tact_mechanism_factor(&one, n, path->all, room);
    tact_lane_meet();
    TACT_ROLLED for (int k = lane; k < tact_mechanism_column(n); k += TACT_WARP)
    {
        path->factor[k] = tact_mechanism_factor_of(room)[k];
    }
    tact_mechanism_whiten(&one, n, path->all, all->step, room);
    tact_mechanism_couple(n, path->all, TACT_MORE ? path->all - 2 * rough : path->points, room);
#if TACT_EXTRA > 0
    tact_mechanism_take_loops(task, room, path);
#endif
    TACT_ROLLED for (int j = lane; j < TACT_BODY_MAX_DIRECTIONS; j += TACT_WARP)
    {
        room->cosine[j] = task->directions.cosine[j];
        room->sine[j] = task->directions.sine[j];
    }
    TACT_ROLLED for (int c = lane; c < path->points; c += TACT_WARP)
    {
        int first = tact_mechanism_first(room, c);
        room->free[first] += one.bias ? one.bias[c] * room->scale[c] : 0;
        double size = -room->free[first];
        unit = size > unit ? size : unit;
        room->mu[c] = one.mu[c];
        room->state[c] = 0;
        for (int k = 0; k < TACT_PAIRS; k++) {
            room->at[c][k] = TACT_NOWHERE;
        }
    }
#if TACT_EXTRA > 0
    unit = tact_mechanism_take_motors(task, room, path, unit);
    tact_moment_take(room, path);
#endif
    unit = tact_mechanism_largest(unit);
    path->unit = unit > 0 ? unit : 1;
    tact_lane_meet();
    TACT_ROLLED for (int r = lane; r < path->all; r += TACT_WARP)
    {
        room->free[r] /= path->unit;
        room->u[r] = room->free[r];
    }
#if TACT_EXTRA > 0
    TACT_ROLLED for (int c = path->points + lane; c < path->items; c += TACT_WARP)
    {
        room->mu[c] /= path->unit;
    }
    tact_lane_meet();
    tact_mechanism_orient(room, path);
#endif
    tact_lane_meet();
}

#endif
