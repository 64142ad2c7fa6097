// The path of a mechanism by a warp: from z0 to the end, or the basis of the last step.
#ifndef TACT_GPU_MECHANISM_PATH_H
#define TACT_GPU_MECHANISM_PATH_H

#include "gpu/mechanism_begin.h"
#include "gpu/mechanism_recall.h"

/// z0 enters for the nu that it lifts to 0 last. 0: no contact approaches.
TACT_LANE int tact_mechanism_start(TactMechanismRoom *room, TactMechanismPath *path)
{
    int    lane = tact_warp_lane(), contact = lane;
    double ratio = lane < path->points ? -room->free[3 * lane] / room->cover[lane] : 0;
    for (int k = 1; k < TACT_WARP; k *= 2) {
        double other = tact_warp_read(ratio, lane ^ k);
        int    its = tact_warp_read_int(contact, lane ^ k);
        int    take = other > ratio || (other == ratio && its < contact);
        ratio = take ? other : ratio;
        contact = take ? its : contact;
    }
    if (!(ratio > 1e-12)) {
        return 0;
    }
    if (lane == 0) {
        room->x[0] = ratio;
        room->pair[0] = -1;
        *tact_mechanism_entry(room, 0, 0) = 1 / room->cover[contact];
    }
    path->size = 1;
    path->pair = contact * TACT_CODE_CONTACT + TACT_MECHANISM_NORMAL;
    path->by_row = 0;
    tact_lane_meet();
    return 1;
}

/// All values after the driving variable has come as far as it can.
TACT_LANE void tact_mechanism_advance(TactMechanismRoom *room, const TactMechanismPath *path,
                                      double far)
{
    int lane = tact_warp_lane();
    for (int k = lane; k < path->size; k += TACT_WARP) {
        room->x[k] += far * room->dx[k];
    }
    for (int r = lane; r < 3 * path->points; r += TACT_WARP) {
        room->u[r] += far * room->du[r];
    }
    tact_lane_meet();
}

/// One pivot.
TACT_LANE TactMechanismOutcome tact_mechanism_pivot(const TactMechanismTask *task,
                                                    TactMechanismRoom       *room,
                                                    TactMechanismPath       *path)
{
    TactBodySweep sweep;
    tact_mechanism_drive(task, room, path);
    tact_mechanism_sweep(task, room, path, &sweep);
    double dz0 = room->dx[0], z0 = room->x[0] > 0 ? room->x[0] : 0, under = sweep.best.under;
    double limit = under > 0 ? (sweep.best.value + task->tie) / under : 1e300;
    int    ends = -dz0 > sweep.tol && z0 <= -dz0 * (limit + TACT_BODY_LEAVE_TIE * (1 + limit));
    int    entering = path->pair, by_row = path->by_row;
    if (!ends && (!(under > 0) || path->pivots >= task->max_pivots ||
                  (!by_row && path->size >= TACT_BASIS))) {
        return TACT_MECHANISM_FAILS;
    }
    double far = ends ? z0 / -dz0 : sweep.best.value / under;
    int    code = ends ? 0 : sweep.best.code, leaving = code >> 1, unknown = code & 1;
    int at = ends ? 0 : unknown ? room->at[tact_pair_contact(leaving)][tact_pair_kind(leaving)] : 0;
    int to = ends || unknown ? at : path->size; // where an unknown that enters is
    path->pivots++;
    tact_lane_meet(); // all have read x
    tact_mechanism_advance(room, path, far);
    if (!ends && !unknown) {
        tact_mechanism_slack_leaves(task, room, path, leaving, -under);
    } else if (by_row) {
        tact_mechanism_shrink(room, path, at, ends ? entering : leaving);
    } else {
        tact_mechanism_replace(room, path, at, ends ? entering : leaving);
    }
    if (!by_row && tact_warp_lane() == 0) {
        room->x[to] = far;
    }
    tact_lane_meet();
    return ends ? TACT_MECHANISM_ENDS : TACT_MECHANISM_GOES_ON;
}

// ---------------------------------------------------------------------------------------------
// End

/// Impulses of the unknowns, and velocities that they give. Contact c belongs to lane c.
TACT_LANE void tact_mechanism_apply(const TactMechanismTask *task, TactMechanismRoom *room,
                                    const TactMechanismPath *path)
{
    int    lane = tact_warp_lane(), own = lane < path->points;
    double push[3] = {0, 0, 0};
    if (own) {
        room->du[3 * lane] = tact_mechanism_gather(task, room, room->x, path, lane, 0, push);
        int at = room->at[lane][TACT_MECHANISM_SLIP];
        room->lambda[lane] = at != TACT_NOWHERE ? room->x[at] : 0;
        TACT_UNROLL for (int k = 0; k < 3; k++)
        {
            room->push[3 * lane + k] = push[k];
        }
    }
    unsigned pushed = tact_warp_vote(push[0] != 0 || push[1] != 0 || push[2] != 0);
    tact_lane_meet();
    tact_mechanism_move(room, path, pushed, room->free, room->u);
}

/// The slack of a position, which should be 0. After tact_mechanism_apply().
TACT_LANE double tact_mechanism_slack(const TactMechanismTask *task, const TactMechanismRoom *room,
                                      int pair)
{
    int           c = tact_pair_contact(pair), kind = tact_pair_kind(pair);
    double        along[3];
    const double *u = room->u + 3 * c;
    tact_pair_direction(&task->directions, pair, along);
    return kind == TACT_MECHANISM_SLIP
               ? room->mu[c] * room->push[3 * c] - room->du[3 * c] // mu theta - sum of phi
               : along[0] * u[0] + along[1] * u[1] + along[2] * u[2] +
                     (kind == TACT_MECHANISM_NORMAL ? 0 : room->lambda[c]);
}

/// x = - G q of a basis without z0, and twice what is left of it.
TACT_LANE void tact_mechanism_settle(const TactMechanismTask *task, TactMechanismRoom *room,
                                     TactMechanismPath *path)
{
    int lane = tact_warp_lane();
    path->by_row = 1; // nothing drives
    for (int k = lane; k < path->size; k += TACT_WARP) {
        room->x[k] = 0;
    }
    tact_lane_meet();
    for (int round = 0; round < 3; round++) {
        tact_mechanism_apply(task, room, path);
        for (int k = lane; k < path->size; k += TACT_WARP) {
            room->line[k] = tact_mechanism_slack(task, room, room->pair[k]);
        }
        tact_lane_meet();
        for (int k = lane; k < path->size; k += TACT_WARP) {
            const double *row = tact_mechanism_entry(room, k, 0);
            double        sum = 0;
            for (int j = 0; j < path->size; j++) {
                sum += row[j] * room->line[j];
            }
            room->x[k] -= sum;
        }
        tact_lane_meet();
    }
    // What rounding leaves below 0 pulls.
    for (int k = lane; k < path->size; k += TACT_WARP) {
        room->x[k] = room->x[k] < 0 && room->x[k] > -1e-9 ? 0 : room->x[k];
    }
    tact_lane_meet();
    tact_mechanism_apply(task, room, path);
}

/// L^-T L^-1 (h f + J'p), in room->motion.
TACT_LANE void tact_mechanism_solve_motion(TactMechanismRoom *room, int n)
{
    int           lane = tact_warp_lane();
    const double *L = room->factor;
    double       *x = room->motion;
    for (int k = 0; k < n; k++) {
        double own = x[k] / L[tact_triangle(k) + k];
        tact_lane_meet();
        for (int j = k + lane; j < n; j += TACT_WARP) {
            x[j] = j == k ? own : x[j] - own * L[tact_triangle(j) + k];
        }
        tact_lane_meet();
    }
    for (int k = n - 1; k >= 0; k--) {
        double own = x[k] / L[tact_triangle(k) + k];
        tact_lane_meet();
        for (int j = lane; j <= k; j += TACT_WARP) {
            x[j] = j == k ? own : x[j] - own * L[tact_triangle(k) + j];
        }
        tact_lane_meet();
    }
}

/// Writes impulses, v+ and the basis.
TACT_LANE void tact_mechanism_finish(const TactMechanismTask *task, TactMechanismRoom *room,
                                     const TactMechanismPath *path)
{
    const TactMechanismProblems *all = &task->problems;
    size_t                       stride = (size_t)all->stride, i = (size_t)path->problem;
    int                          lane = tact_warp_lane(), n = all->dof;
    for (int r = lane; r < 3 * all->contacts; r += TACT_WARP) {
        double p = r < 3 * path->points ? room->push[r] * path->unit * room->scale[r / 3] : 0;
        if (r < 3 * path->points) {
            room->push[r] = p;
        }
        task->answers.impulse[(size_t)r * stride + i] = p;
    }
    for (int c = lane; c < all->contacts; c += TACT_WARP) {
        unsigned state = c < path->points ? room->state[c] : 0;
        task->answers.basis[(size_t)c * stride + i] = state & TACT_MECHANISM_THETA ? state : 0;
    }
    tact_lane_meet();
    for (int k = lane; k < n; k += TACT_WARP) {
        double sum = all->step * all->force[(size_t)k * stride + i];
        for (int r = 0; r < 3 * path->points; r++) {
            if (room->push[r] != 0) {
                sum += room->push[r] * all->J[(size_t)(r * n + k) * stride + i];
            }
        }
        room->motion[k] = sum;
    }
    tact_lane_meet();
    tact_mechanism_solve_motion(room, n);
    for (int k = lane; k < n; k += TACT_WARP) {
        task->answers.velocity[(size_t)k * stride + i] =
            all->velocity[(size_t)k * stride + i] + room->motion[k];
    }
    tact_lane_meet();
}

/// Solves one problem.
TACT_LANE void tact_mechanism_follow(const TactMechanismTask *task, int problem,
                                     TactMechanismRoom *room)
{
    TactMechanismPath    path;
    TactMechanismOutcome outcome = TACT_MECHANISM_ENDS;
    tact_mechanism_take(task, problem, room, &path);
    if (task->warm) {
        outcome = tact_mechanism_recall(task, room, &path);
    } else if (tact_mechanism_start(room, &path)) {
        do {
            outcome = tact_mechanism_pivot(task, room, &path);
        } while (outcome == TACT_MECHANISM_GOES_ON);
    }
    if (outcome == TACT_MECHANISM_ENDS) {
        tact_mechanism_settle(task, room, &path);
        tact_mechanism_finish(task, room, &path);
    }
    if (tact_warp_lane() == 0) {
        int sum = task->attempt > 0 ? task->answers.pivots[problem] : 0;
        sum = sum < 0 ? -sum - 1 : sum;
        sum += path.pivots;
        task->answers.pivots[problem] = outcome == TACT_MECHANISM_ENDS ? sum : -sum - 1;
    }
}

/// All problems of a task, as many at a time as there are warps. counter: of problems taken.
TACT_LANE void tact_mechanism_run(const TactMechanismTask *task, TactMechanismRoom *room,
                                  int *counter)
{
    for (;;) {
        int number = tact_warp_lane() == 0 ? tact_lane_take(counter) : 0;
        number = tact_warp_read_int(number, 0);
        if (number >= *task->list_count) {
            return;
        }
        tact_mechanism_follow(task, task->list ? task->list[number] : number, room);
    }
}

#endif
