// The path of a mechanism by a warp: from z0 to the end, or the basis of the last step.
#ifndef TACT_GPU_MECHANISM_PATH_H
#define TACT_GPU_MECHANISM_PATH_H

#include "gpu/mechanism/mechanism_begin.h"
#include "gpu/mechanism/mechanism_circle.h"
#include "gpu/mechanism/mechanism_resume.h"

// A recalled basis may be so far from an answer, in units of the largest offset; the certificate
// decides.
#define TACT_MECHANISM_HOLDS 1e-9

/// z0 enters for the nu that it lifts to 0 last. 0: no contact approaches.
TACT_LANE int tact_mechanism_start(TactMechanismRoom *room, TactMechanismPath *path)
{
    int           lane = tact_warp_lane(), contact = lane;
    const double *start = TACT_MORE ? room->u : room->free; // with motors at their bounds
    double        ratio =
        lane < path->points ? -start[tact_mechanism_first(room, lane)] / room->cover[lane] : 0;
#if TACT_EXTRA > 0
    tact_mechanism_start_motors(room, path, &ratio, &contact);
#endif
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
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
        room->x[k] += far * room->dx[k];
    }
    TACT_ROLLED for (int r = lane; r < path->rows; r += TACT_WARP)
    {
        room->u[r] += far * room->du[r];
    }
    TACT_ROLLED for (int c = lane; c < path->points; c += TACT_WARP)
    {
        room->gamma[c] += far * room->dgamma[c];
        room->lambda[c] += far * room->dlambda[c];
    }
#if TACT_EXTRA > 0
    tact_moment_advance(room, path, far);
#endif
    tact_lane_meet();
}

/// One pivot.
TACT_LANE TactMechanismOutcome tact_mechanism_pivot(const TactMechanismTask *task,
                                                    TactMechanismRoom       *room,
                                                    TactMechanismPath       *path)
{
    TactBodySweep sweep;
    tact_mechanism_drive(room, path);
    tact_mechanism_sweep(task, room, path, &sweep);
    double dz0 = room->dx[0], z0 = room->x[0] > 0 ? room->x[0] : 0, under = sweep.best.under;
    double quick = tact_lane_inverse(under > 0 ? under : 1);
    double limit = under > 0 ? (sweep.best.value + task->tie) * quick : 1e300;
    int    ends = -dz0 > sweep.tol && z0 <= -dz0 * (limit + TACT_BODY_LEAVE_TIE * (1 + limit));
    int    entering = path->pair, by_row = path->by_row;
    if (!ends &&
        (!(under > 0) || path->pivots >= path->limit || (!by_row && path->size >= TACT_BASIS))) {
        return TACT_MECHANISM_FAILS;
    }
    double far = ends ? z0 / -dz0 : sweep.best.value * quick;
    int    code = ends ? 0 : sweep.best.code & ~TACT_CODE_UPPER;
    int    leaving = code >> 1, unknown = code & 1;
    int at = ends ? 0 : unknown ? room->at[tact_pair_contact(leaving)][tact_pair_kind(leaving)] : 0;
    int to = ends || unknown ? at : path->size; // where an unknown that enters is
    path->pivots++;
    tact_lane_meet(); // all have read x
    tact_mechanism_advance(room, path, far);
#if TACT_EXTRA > 0
    if (!ends && (sweep.best.code & TACT_CODE_UPPER)) {
        tact_mechanism_turn_over(room, path, leaving, at);
        if (at == TACT_NOWHERE) { // the driving one: its slack drives now
            path->by_row = 1;
            return TACT_MECHANISM_GOES_ON;
        }
    }
#endif
    if (!ends && !unknown) {
#if TACT_EXTRA > 0
        quick *= tact_item_weight(room, tact_pair_contact(leaving)); // 1 / its own rate
#endif
        tact_mechanism_slack_leaves(room, path, leaving, -quick);
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
TACT_LANE void tact_mechanism_apply(TactMechanismRoom *room, const TactMechanismPath *path)
{
    int    lane = tact_warp_lane(), own = lane < path->points;
    double push[3] = {0, 0, 0};
    if (own) {
        double sum = tact_mechanism_gather(room, room->x, path, lane, push);
        int    at = room->at[lane][TACT_MECHANISM_SLIP];
        room->gamma[lane] = room->mu[lane] * push[0] - sum;
        room->lambda[lane] = at != TACT_NOWHERE ? room->x[at] : 0;
        tact_mechanism_put_push(room, lane, push);
    }
    unsigned pushed = tact_warp_vote(push[0] != 0 || push[1] != 0 || push[2] != 0);
#if TACT_EXTRA > 0
    tact_mechanism_push_motors(room, path);
    tact_moment_apply(room, path);
#endif
    tact_lane_meet();
    tact_mechanism_move(room, path, pushed, room->free, room->u);
}

/// The slack of a position, which should be 0. After tact_mechanism_apply().
TACT_LANE double tact_mechanism_slack(const TactMechanismRoom *room, int pair)
{
    int           c = tact_pair_contact(pair), kind = tact_pair_kind(pair);
    double        along[3];
    const double *u = room->u + tact_mechanism_first(room, c);
    tact_pair_direction(room, pair, along);
#if TACT_EXTRA > 0
    if (kind >= TACT_MECHANISM_FRICTION && tact_moment_kind(room, c) >= 0) {
        return along[0] * u[0] + (along[1] != 0 ? along[1] * u[1] : 0) + room->lambda[c];
    }
#endif
    return kind == TACT_MECHANISM_SLIP     ? room->gamma[c]
           : kind == TACT_MECHANISM_NORMAL ? along[0] * u[0]
                                           : along[1] * u[1] + along[2] * u[2] + room->lambda[c];
}

/// What the path has left of errors is taken out by G once.
TACT_LANE void tact_mechanism_settle(TactMechanismRoom *room, const TactMechanismPath *path)
{
    int lane = tact_warp_lane();
    tact_mechanism_apply(room, path);
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
        room->line[k] = tact_mechanism_slack(room, room->pair[k]);
    }
    tact_lane_meet();
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
        const double *row = tact_mechanism_entry(room, k, 0);
        room->x[k] -= tact_mechanism_dot(row, 1, room->line, path->size);
    }
    tact_lane_meet();
}

/// Impulses; what rounding leaves of them below 0 would pull.
TACT_LANE void tact_mechanism_push(TactMechanismRoom *room, const TactMechanismPath *path)
{
    int lane = tact_warp_lane();
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
        room->x[k] = room->x[k] < 0 && room->x[k] > -1e-9 ? 0 : room->x[k];
    }
    tact_lane_meet();
    if (lane < path->points) {
        double push[3];
        tact_mechanism_gather(room, room->x, path, lane, push);
        tact_mechanism_put_push(room, lane, push);
    }
#if TACT_EXTRA > 0
    tact_mechanism_push_motors(room, path);
    tact_moment_apply(room, path);
#endif
    tact_lane_meet();
}

#if TACT_DOFS <= 32

/// L^-T L^-1 (h f + J'p), in room->motion; a lane has a degree of freedom.
TACT_LANE void tact_mechanism_solve_motion(TactMechanismRoom *room, int n)
{
    int           lane = tact_warp_lane();
    const double *L = tact_mechanism_factor_of(room);
    double        x = lane < n ? room->motion[lane] : 0;
    TACT_ROLLED for (int k = 0; k < n; k++)
    {
        const double *column = L + tact_mechanism_column(k);
        double        own = tact_warp_read(x, k) * column[0];
        x = lane == k ? own : lane > k ? x - own * column[lane - k] : x;
    }
    int mine = tact_mechanism_column(lane) - lane; // of L_k,lane is number mine + k
    TACT_ROLLED for (int k = n - 1; k >= 0; k--)
    {
        double own = tact_warp_read(x, k) * L[tact_mechanism_column(k)];
        x = lane == k ? own : lane < k ? x - own * L[mine + k] : x;
    }
    if (lane < n) {
        room->motion[lane] = x;
    }
    tact_lane_meet();
}

#else

TACT_LANE void tact_mechanism_solve_motion(TactMechanismRoom *room, int n)
{
    int           lane = tact_warp_lane();
    const double *L = tact_mechanism_factor_of(room);
    double       *x = room->motion;
    for (int k = 0; k < n; k++) {
        const double *column = L + tact_mechanism_column(k);
        double        own = x[k] * column[0];
        tact_lane_meet();
        TACT_ROLLED for (int j = k + lane; j < n; j += TACT_WARP)
        {
            x[j] = j == k ? own : x[j] - own * column[j - k];
        }
        tact_lane_meet();
    }
    for (int k = n - 1; k >= 0; k--) {
        double own = x[k] * L[tact_mechanism_column(k)];
        tact_lane_meet();
        TACT_ROLLED for (int j = lane; j <= k; j += TACT_WARP)
        {
            x[j] = j == k ? own : x[j] - own * L[tact_mechanism_column(j) + k - j];
        }
        tact_lane_meet();
    }
}

#endif

/// Writes impulses, v+ and the basis.
TACT_LANE void tact_mechanism_finish(const TactMechanismTask *task, TactMechanismRoom *room,
                                     const TactMechanismPath *path)
{
    const TactMechanismProblems *all = &task->problems;
    TactMechanismOne             one = tact_mechanism_one(all, path->problem);
    size_t                       i = (size_t)path->problem, contacts = (size_t)all->contacts;
    int                          lane = tact_warp_lane(), n = all->dof;
    size_t                       room_rows = (size_t)tact_mechanism_room_rows(all);
#if TACT_EXTRA > 0
    tact_mechanism_finish_extra(task, room, path);
#endif
    TACT_ROLLED for (int r = lane; r < (int)room_rows; r += TACT_WARP)
    {
        double p = 0;
        if (r < path->all) {
            p = room->push[r] * path->unit * room->scale[tact_rows_contact(room->rough, r)];
            room->push[r] = p;
        }
        task->answers.impulse[i * room_rows + (size_t)r] = p;
    }
    TACT_ROLLED for (int c = lane; c < all->contacts; c += TACT_WARP)
    {
        unsigned state = c < path->points ? room->state[c] : 0;
        task->answers.basis[i * contacts + (size_t)c] = state & TACT_MECHANISM_THETA ? state : 0;
    }
    tact_lane_meet();
    tact_mechanism_fetch(tact_mechanism_factor_of(room), path->factor, tact_mechanism_column(n));
    TACT_ROLLED for (int k = lane; k < n; k += TACT_WARP)
    {
        double sum = all->step * one.force[k];
        TACT_UNROLL_EIGHT for (int r = 0; r < path->all; r++)
        {
            sum += room->push[r] * one.J[r * n + k];
        }
        room->motion[k] = sum;
    }
    tact_lane_fetched();
    tact_mechanism_solve_motion(room, n);
    TACT_ROLLED for (int k = lane; k < n; k += TACT_WARP)
    {
        task->answers.velocity[i * (size_t)n + (size_t)k] = one.velocity[k] + room->motion[k];
    }
    tact_lane_meet();
}

/// Is the basis that was recalled an answer, but for rounding? Contact c belongs to lane c.
TACT_LANE int tact_mechanism_holds(const TactMechanismTask *task, TactMechanismRoom *room,
                                   TactMechanismPath *path)
{
    int lane = tact_warp_lane(), bad = 0, count = task->directions.count;
    path->by_row = 1; // nothing drives
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
#if TACT_EXTRA > 0
        double weight = tact_item_weight(room, tact_pair_contact(room->pair[k]));
        bad |= !(weight * room->x[k] > -TACT_MECHANISM_HOLDS);
#else
        bad |= !(room->x[k] > -TACT_MECHANISM_HOLDS);
#endif
    }
    tact_mechanism_apply(room, path);
    if (lane < path->points) {
        const double *u = room->u + tact_mechanism_first(room, lane);
        int           pushes = (room->state[lane] & TACT_MECHANISM_THETA) != 0;
        bad |= !pushes && !(u[0] > -TACT_MECHANISM_HOLDS);
        bad |= pushes && !(room->gamma[lane] > -TACT_MECHANISM_HOLDS);
        TACT_ROLLED for (int j = 0; j < count && pushes && lane < room->rough; j++)
        {
            double sigma = room->cosine[j] * u[1] + room->sine[j] * u[2] + room->lambda[lane];
            bad |= room->mu[lane] > 0 && !(sigma > -TACT_MECHANISM_HOLDS);
        }
    }
#if TACT_EXTRA > 0
    bad |= !tact_mechanism_motors_hold(room, path, TACT_MECHANISM_HOLDS);
    bad |= !tact_moments_hold(task, room, path, TACT_MECHANISM_HOLDS);
#endif
    path->by_row = 0;
    return !tact_lane_any(bad);
}

/// As it was before a basis was recalled.
TACT_LANE void tact_mechanism_forget(const TactMechanismTask *task, TactMechanismRoom *room,
                                     TactMechanismPath *path)
{
    int lane = tact_warp_lane();
    tact_lane_meet();
    TACT_ROLLED for (int c = lane; c < path->points; c += TACT_WARP)
    {
        room->state[c] = 0;
        for (int k = 0; k < TACT_PAIRS; k++) {
            room->at[c][k] = TACT_NOWHERE;
        }
    }
    TACT_ROLLED for (int r = lane; r < path->rows; r += TACT_WARP)
    {
        room->u[r] = room->free[r];
    }
    path->size = path->resumed = 0;
    path->limit = path->pivots + task->max_pivots;
    tact_lane_meet();
#if TACT_EXTRA > 0
    tact_mechanism_forget_motors(room, path);
#endif
}

/// Solves one problem.
TACT_LANE void tact_mechanism_follow(const TactMechanismTask *task, int problem, int may_resume,
                                     TactMechanismRoom *room, double *factor)
{
    TactMechanismPath    path;
    TactMechanismOutcome outcome = TACT_MECHANISM_ENDS;
    path.factor = factor;
    path.may_resume = may_resume;
    tact_mechanism_take(task, problem, room, &path);
#if TACT_EXTRA > 0
    if (path.points < 0) { // more moments than there is room for
        if (tact_warp_lane() == 0) {
            task->answers.pivots[problem] = -1;
        }
        return;
    }
#endif
    int cold = !task->warm, resumes = 0;
    if (task->warm) {
        outcome = tact_mechanism_recall(task, room, &path);
        cold = task->warm == TACT_WARM_RESUME &&
               !(outcome == TACT_MECHANISM_ENDS && tact_mechanism_holds(task, room, &path));
        resumes = path.may_resume && cold && outcome == TACT_MECHANISM_ENDS &&
                  tact_mechanism_resume(task, room, &path);
    }
    while (cold) { // from the basis that was recalled, or from the beginning; once each
        int goes = resumes;
        if (!resumes) {
            outcome = TACT_MECHANISM_ENDS;
            if (task->warm) {
                tact_mechanism_forget(task, room, &path);
            }
            tact_mechanism_set_cover(task, room, &path);
            goes = tact_mechanism_start(room, &path);
        }
        while (goes) {
            outcome = tact_mechanism_pivot(task, room, &path);
            goes = outcome == TACT_MECHANISM_GOES_ON;
        }
        cold = resumes && outcome != TACT_MECHANISM_ENDS;
        resumes = 0;
    }
    path.resumed = 0; // z0 takes nothing any more
    if (outcome == TACT_MECHANISM_ENDS) {
        path.by_row = 1; // nothing drives
        if (path.pivots > 0) {
            tact_mechanism_settle(room, &path);
        }
        tact_mechanism_push(room, &path);
#if TACT_EXTRA > 0
        if (task->more.circle && !tact_mechanism_round_off(room, &path)) {
            outcome = TACT_MECHANISM_FAILS;
        }
#endif
        tact_mechanism_finish(task, room, &path);
    }
    if (tact_warp_lane() == 0) {
        int sum = task->attempt > 0 ? task->answers.pivots[problem] : 0;
        sum = sum < 0 ? -sum - 1 : sum;
        sum += path.pivots;
        task->answers.pivots[problem] = outcome == TACT_MECHANISM_ENDS ? sum : -sum - 1;
    }
}

/// All problems of a task, as many at a time as there are warps. may_resume: paths resume from
/// bases that do not hold. factor: memory of this warp (TACT_FACTOR); counter: of problems taken.
TACT_LANE void tact_mechanism_run(const TactMechanismTask *task, int may_resume,
                                  TactMechanismRoom *room, double *factor, int *counter)
{
    for (;;) {
        int number = tact_warp_lane() == 0 ? tact_lane_take(counter) : 0;
        number = tact_warp_read_int(number, 0);
        if (number >= *task->list_count) {
            return;
        }
        tact_mechanism_follow(task, task->list ? task->list[number] : number, may_resume, room,
                              factor);
    }
}

#endif
