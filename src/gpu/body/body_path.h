// The path of one body by eight lanes: a problem after the other, from z0 to the end or from the
// basis of the last step.
#ifndef TACT_GPU_BODY_PATH_H
#define TACT_GPU_BODY_PATH_H

#include "gpu/body/body_resume.h"
#include "gpu/body/body_turn.h"
#include "gpu/cover.h"

/// Values below this are negative: a path that ends there has failed, and a basis of the last step
/// does not hold. Whether what is above is an answer the certificate says.
#define TACT_BODY_NEGATIVE (-1e-7)

// ---------------------------------------------------------------------------------------------
// Begin

/// I^-1 = L L' as 00 10 11 20 21 22; inverse: 1 / L_kk.
TACT_LANE void tact_body_factor(const double A[6], double L[6], double inverse[3])
{
    inverse[0] = tact_lane_inverse_root(A[0]);
    L[0] = A[0] * inverse[0];
    L[1] = A[3] * inverse[0];
    L[3] = A[4] * inverse[0];
    double second = A[1] - L[1] * L[1];
    inverse[1] = tact_lane_inverse_root(second);
    L[2] = second * inverse[1];
    L[4] = (A[5] - L[3] * L[1]) * inverse[1];
    double third = A[2] - L[3] * L[3] - L[4] * L[4];
    inverse[2] = tact_lane_inverse_root(third);
    L[5] = third * inverse[2];
}

/// L' x
TACT_LANE void tact_body_whiten(const double L[6], const double x[3], double out[3])
{
    out[0] = L[0] * x[0] + L[1] * x[1] + L[3] * x[2];
    out[1] = L[2] * x[1] + L[4] * x[2];
    out[2] = L[5] * x[2];
}

/// An impulse along an axis through a contact point, as a motion.
TACT_LANE void tact_body_column(const double whiten[7], const double arm[3], const double axis[3],
                                double out[6])
{
    double moment[3];
    tact_body_cross(arm, axis, moment);
    tact_body_whiten(whiten + 1, moment, out + 3);
    TACT_UNROLL for (int k = 0; k < 3; k++)
    {
        out[k] = whiten[0] * axis[k];
    }
}

/// The contacts of this lane, and y without impulses. warm: with their stored states.
TACT_LANE void tact_body_take(const TactBodyTask *task, int problem, int warm, TactBodyRoom *room,
                              TactBodyItem items[TACT_SLOTS])
{
    const TactBodyProblems *all = &task->problems;
    int                     lane = tact_lane_number();
    TactBodyMotion          body;
    double                  whiten[7], start[6], inverse[3], *L = whiten + 1;
    tact_body_load(all, problem, &body);
    whiten[0] = tact_lane_inverse_root(body.mass);
    tact_body_factor(body.inverse, L, inverse);
    TACT_UNROLL for (int k = 0; k < 3; k++)
    {
        start[k] = body.free[k] * (body.mass * whiten[0]);
    }
    start[3] = body.free[3] * inverse[0];
    start[4] = (body.free[4] - L[1] * start[3]) * inverse[1];
    start[5] = (body.free[5] - L[3] * start[3] - L[4] * start[4]) * inverse[2];
    if (lane == 0) {
        TACT_UNROLL for (int k = 0; k < 6; k++)
        {
            room->start[k] = start[k];
        }
        TACT_UNROLL for (int k = 0; k < 7; k++)
        {
            room->whiten[k] = whiten[k];
        }
    }
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        TactBodyItem *item = &items[slot];
        int           contact = slot * TACT_GROUP + lane;
        item->state = 0;
        if (contact < all->contacts) {
            TactBodyContact raw;
            tact_body_load_contact(all, body.centre, problem, contact, &raw);
            tact_body_column(whiten, raw.arm, raw.frame[0], item->n);
            tact_body_column(whiten, raw.arm, raw.frame[1], item->s);
            tact_body_column(whiten, raw.arm, raw.frame[2], item->t);
            double scale = tact_lane_inverse_root(tact_body_along(item->n, item->n));
            TACT_UNROLL for (int k = 0; k < 6; k++)
            {
                item->n[k] *= scale;
                item->s[k] *= scale;
                item->t[k] *= scale;
            }
            item->scale = scale;
            item->bias = scale * raw.bias;
            item->mu = raw.mu;
            item->cover = tact_body_cover(contact, task->attempt);
            item->c_sigma = TACT_BODY_COVER_SIGMA;
            item->turn[0] = 1;
            item->turn[1] = item->damping = 0;
            if (warm) {
                item->state =
                    task->answers.basis[(size_t)contact * (size_t)all->stride + (size_t)problem];
                tact_body_unpack_turn(item);
            }
        } else { // no contact: it never approaches
            TACT_UNROLL for (int k = 0; k < 6; k++)
            {
                item->n[k] = item->s[k] = item->t[k] = 0;
            }
            item->scale = item->cover = item->c_sigma = item->turn[0] = 1;
            item->bias = item->mu = item->turn[1] = item->damping = 0;
        }
    }
}

/// nu of a contact without impulses.
TACT_LANE double tact_body_offset(const TactBodyRoom *room, const TactBodyItem *item)
{
    return tact_body_along(item->n, room->start) + item->bias;
}

/// Largest of the group.
TACT_LANE double tact_body_largest(double x)
{
    int lane = tact_lane_number();
    for (int k = 1; k < TACT_GROUP; k *= 2) {
        double other = tact_lane_read(x, lane ^ k);
        x = other > x ? other : x;
    }
    return x;
}

/// z0 enters for the nu that it lifts to 0 last; its theta drives. All lanes of a warp; those that
/// do not begin keep their path.
TACT_LANE void tact_body_begin(const TactBodyTask *task, TactBodyRoom *room,
                               TactBodyItem items[TACT_SLOTS], int begins, TactBodyPath *path)
{
    int    lane = tact_lane_number(), contact = 0;
    double least = 0;
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        double ratio = begins ? -tact_body_offset(room, &items[slot]) / items[slot].cover : 0;
        if (ratio > least) {
            least = ratio;
            contact = slot * TACT_GROUP + lane;
        }
    }
    for (int k = 1; k < TACT_GROUP; k *= 2) {
        double other = tact_lane_read(least, lane ^ k);
        int    its = tact_lane_read_int(contact, lane ^ k);
        int    take = other > least || (other == least && its < contact);
        least = take ? other : least;
        contact = take ? its : contact;
    }
    if (begins) {
        TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
        {
            items[slot].state = 0;
        }
        // Where no contact approaches there is nothing to do: the empty basis is the answer.
        path->phase = least > 1e-12 ? TACT_BODY_FOLLOW : TACT_BODY_FINISH;
        path->contact = contact;
        path->kind = TACT_PAIR_NORMAL;
        path->by_row = 0;
        path->limit = path->pivots + task->max_pivots;
        path->limit = path->limit < task->all_pivots ? path->limit : task->all_pivots;
        path->kept = 0;
        if (path->may_resume) {
            tact_body_forget_early(room, items, path);
        }
    }
}

/// The next problem of a group that has none. warm: it begins with its stored basis.
TACT_LANE void tact_body_refill(const TactBodyTask *task, int next, int warm, TactBodyRoom *room,
                                TactBodyItem items[TACT_SLOTS], TactBodyPath *path)
{
    int wants = path->phase == TACT_BODY_IDLE, begins = wants && next < *task->list_count;
    if (wants) {
        path->phase = TACT_BODY_EMPTY;
    }
    if (begins) {
        path->problem = task->list ? task->list[next] : next;
        path->pivots = path->turns = path->kept = 0;
        tact_body_take(task, path->problem, warm, room, items);
    }
    tact_lane_meet();
    double unit = 0;
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        double size = begins ? fabs(tact_body_offset(room, &items[slot])) : 0;
        unit = size > unit ? size : unit;
    }
    unit = tact_body_largest(unit);
    unit = unit > 0 ? unit : 1;
    tact_lane_meet();
    if (begins) {
        double inverse = 1 / unit;
        path->unit = unit;
        if (tact_lane_number() < 6) {
            room->start[tact_lane_number()] *= inverse;
#if TACT_CIRCLE
            room->raw[tact_lane_number()] = room->start[tact_lane_number()];
#endif
        }
        TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
        {
            items[slot].bias *= inverse;
        }
    }
    tact_lane_meet();
    if (begins && warm) {
        path->kept = path->may_resume;
        path->resumed = 0;
        path->phase = TACT_BODY_FINISH;
        path->contact = -1;
        path->kind = TACT_PAIR_NORMAL;
        path->by_row = 0;
    } else if (begins) {
        path->phase = TACT_BODY_BEGIN;
    }
}

// ---------------------------------------------------------------------------------------------
// A pivot

/// The driving variable enters, another leaves: only states change.
TACT_LANE void tact_body_exchange(TactBodyItem items[TACT_SLOTS], const TactBodyLeaving *leaving,
                                  int z0_leaves, TactBodyPath *path)
{
    int lane = tact_lane_number(), contact = leaving->code >> 6;
    int kind = (leaving->code >> 1) & 31, unknown = leaving->code & 1;
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        int own = slot * TACT_GROUP + lane;
        if (own == path->contact && !path->by_row) {
            items[slot].state |= tact_body_bit(path->kind);
        }
        if (own == contact && unknown && !z0_leaves) {
            items[slot].state &= ~tact_body_bit(kind);
        }
    }
    path->pivots++;
    path->contact = z0_leaves ? -1 : contact;
    path->kind = z0_leaves ? TACT_PAIR_NORMAL : kind;
    path->by_row = z0_leaves ? 0 : unknown;
    path->phase = z0_leaves ? TACT_BODY_FINISH : TACT_BODY_FOLLOW;
}

/// Decides by what a sweep found. least_pivot: of the kernel.
TACT_LANE void tact_body_decide(const TactBodyTask *task, const TactBodyRoom *room,
                                TactBodyItem items[TACT_SLOTS], const TactBodySweep *sweep,
                                float least_pivot, TactBodyPath *path)
{
    int singular = !(least_pivot > TACT_BODY_SINGULAR);
    if (path->phase == TACT_BODY_FINISH) {
        path->phase =
            singular || !(sweep->least >= TACT_BODY_NEGATIVE) ? TACT_BODY_FAILED : TACT_BODY_DONE;
    } else if (path->phase == TACT_BODY_FOLLOW) {
        const TactBodyLeaving *first = &sweep->best;
        double                 dz0 = room->dx[0], z0 = room->x[0] > 0 ? room->x[0] : 0;
        double limit = first->under > 0 ? (first->value + task->tie) / first->under : 1e300;
        int leaves = -dz0 > sweep->tol && z0 <= -dz0 * (limit + TACT_BODY_LEAVE_TIE * (1 + limit));
        if (singular || (!leaves && !(first->under > 0)) || path->pivots >= path->limit) {
            path->phase = TACT_BODY_FAILED;
        } else {
            tact_body_exchange(items, first, leaves, path);
        }
    }
}

/// One pivot of every group of the warp, or the end of its path. given: there is no path, only
/// bases.
TACT_LANE void tact_body_pivot(const TactBodyTask *task, TactBodyRoom *room,
                               TactBodyItem items[TACT_SLOTS], int given, TactBodyPath *path)
{
    const TactBodyDirections *directions = &task->directions;
    int                       lane = tact_lane_number(), count = 0, all, first[TACT_SLOTS];
    int works = path->phase == TACT_BODY_FOLLOW || path->phase == TACT_BODY_FINISH;
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        first[slot] = count;
        count += works ? tact_body_unknowns(items[slot].state) : 0;
    }
    int    before = tact_body_before(count, &all);
    int    fits = all < TACT_BODY_KERNEL;
    double slide[6] = {0, 0, 0, 0, 0, 0};
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        int contact = slot * TACT_GROUP + lane, own = contact == path->contact;
        first[slot] += 1 + before;
        if (works && fits) {
            int x = tact_body_eliminated(items[slot].state);
            tact_body_put_unknowns(room, &items[slot], directions, path, own, first[slot]);
            if (own) {
                tact_body_put_pair(room, &items[slot], directions, path, first[slot]);
            }
            if (x >= 0) {
                double c_gamma = tact_body_cover_gamma(&items[slot], path);
                double c = c_gamma * directions->cosine[x], s = c_gamma * directions->sine[x];
                TACT_UNROLL for (int k = 0; k < 6; k++)
                {
                    slide[k] += c * items[slot].s[k] + s * items[slot].t[k];
                }
            }
        }
    }
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        room->slide[lane][k] = slide[k];
    }
    all = works && fits ? all : 0;
    int sizes = tact_lane_most(all + 1);
    tact_lane_meet();
    float         least_pivot = tact_body_solve(room, path, all, sizes, given);
    TactBodySweep sweep = {{0, 0, 1 << 30}, 0, 1, task->tie};
    TACT_ROLLED for (int k = 0; k <= all && !given; k++)
    {
        double size = fabs(room->dx[k]);
        sweep.tol = size > sweep.tol ? size : sweep.tol;
    }
    sweep.tol *= task->pivot_tol;
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        int contact = slot * TACT_GROUP + lane;
        if (works && fits && contact < task->problems.contacts) {
            tact_body_sweep(room, &items[slot], directions, path, contact, contact == path->contact,
                            first[slot], given, &sweep);
        }
    }
    tact_body_agree(&sweep);
    // A basis that is only looked at, and is one: where it does not hold a path resumes from it.
    int sound = works && fits && path->phase == TACT_BODY_FINISH && !path->resumed &&
                least_pivot > TACT_BODY_SINGULAR;
    if (works && !fits) {
        path->phase = TACT_BODY_FAILED;
    } else if (works) {
        tact_body_decide(task, room, items, &sweep, least_pivot, path);
    }
    int failed = works && path->phase == TACT_BODY_FAILED;
    if (path->may_resume) {
        // On the pyramid: it holds, and was refused.
        int refused = !TACT_CIRCLE && works && path->phase == TACT_BODY_DONE && path->pivots == 0;
        path->phase = refused ? TACT_BODY_FAILED : path->phase;
        failed |= refused;
        sound &= !refused;
        int resumes = failed && sound;
        if (tact_lane_any(resumes)) {
            tact_body_resume(room, items, directions, &sweep.best, resumes, path);
        }
        failed = failed && !resumes;
    }
    if ((TACT_CIRCLE || path->may_resume) && !given) {
        // The basis that was given or set by a turn does not hold: a path from the beginning,
        // turned as it is.
        path->phase = failed && path->kept ? TACT_BODY_BEGIN : path->phase;
    }
#if TACT_CIRCLE
    if (tact_lane_any(works && path->phase == TACT_BODY_DONE)) {
        tact_body_turn(room, items, directions, first, works && path->phase == TACT_BODY_DONE,
                       path);
    }
#endif
}

// ---------------------------------------------------------------------------------------------
// End

/// Impulses of a contact and its basis.
TACT_LANE void tact_body_put_contact(const TactBodyTask *task, const TactBodyRoom *room,
                                     const TactBodyItem *item, const TactBodyPath *path,
                                     int contact, int first)
{
    const TactBodyDirections *directions = &task->directions;
    size_t   stride = (size_t)task->problems.stride, problem = (size_t)path->problem;
    unsigned state = item->state, phis = tact_body_phis(state);
    int      theta = (int)(state & TACT_BODY_THETA), at = first + theta;
    double   unit = path->unit * item->scale, push = theta ? room->x[first] : 0, t1 = 0, t2 = 0;
    push = push > 0 ? push : 0;
    if (theta) {
        TactBodyFriction friction = tact_body_friction(room, item, path, 0, first);
        int              x = tact_body_eliminated(state);
        TACT_ROLLED for (unsigned left = phis; left; left &= left - 1)
        {
            int    j = tact_lane_first_bit(left);
            double phi = j == x ? friction.first : room->x[at];
            phi = phi > 0 ? phi : 0;
            at += j == x ? 0 : 1;
            t1 += phi * directions->cosine[j];
            t2 += phi * directions->sine[j];
        }
#if TACT_CIRCLE
        t2 -= item->damping * tact_body_along(item->t, room->y);
        double across = t2;
        t2 = item->turn[1] * t1 + item->turn[0] * across;
        t1 = item->turn[0] * t1 - item->turn[1] * across;
#endif
    }
    size_t to = 3 * (size_t)contact * stride + problem;
    task->answers.impulse[to] = unit * push;
    task->answers.impulse[to + stride] = unit * t1;
    task->answers.impulse[to + 2 * stride] = unit * t2;
    if (task->answers.basis) {
        task->answers.basis[(size_t)contact * stride + problem] =
            theta ? state | tact_body_pack_turn(item) : 0;
    }
}

/// Writes the answers of the groups that have one, or that failed.
TACT_LANE void tact_body_finish(const TactBodyTask *task, const TactBodyRoom *room,
                                const TactBodyItem items[TACT_SLOTS], TactBodyPath *path)
{
    int lane = tact_lane_number(), count = 0, all, first[TACT_SLOTS];
    int done = path->phase == TACT_BODY_DONE, failed = path->phase == TACT_BODY_FAILED;
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        first[slot] = count;
        count += done ? tact_body_unknowns(items[slot].state) : 0;
    }
    int before = tact_body_before(count, &all);
    if (done) {
        size_t stride = (size_t)task->problems.stride, problem = (size_t)path->problem;
        TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
        {
            int contact = slot * TACT_GROUP + lane;
            if (contact < task->problems.contacts) {
                tact_body_put_contact(task, room, &items[slot], path, contact,
                                      1 + before + first[slot]);
            }
        }
        if (lane < 3) {
            const double *L = room->whiten + 1, *y = room->y + 3;
            double        spin = lane == 0   ? L[0] * y[0]
                                 : lane == 1 ? L[1] * y[0] + L[2] * y[1]
                                             : L[3] * y[0] + L[4] * y[1] + L[5] * y[2];
            task->answers.velocity[(size_t)lane * stride + problem] =
                path->unit * room->whiten[0] * room->y[lane];
            task->answers.velocity[((size_t)lane + 3) * stride + problem] = path->unit * spin;
        }
    }
    if ((done || failed) && lane == 0) {
        int sum = task->attempt > 0 ? task->answers.pivots[path->problem] : 0;
        sum = sum < 0 ? -sum - 1 : sum;
        task->answers.pivots[path->problem] = done ? sum + path->pivots : -(sum + path->pivots) - 1;
    }
    if (done || failed) {
        path->phase = TACT_BODY_IDLE;
    }
}

/// All problems of a task, as many at a time as there are groups. given: task->warm is
/// TACT_WARM_GIVEN, where that is known beforehand: there is no path. may_resume: paths resume.
/// counter: of problems taken.
TACT_LANE void tact_body_run(const TactBodyTask *task, TactBodyRoom *room, int given,
                             int may_resume, int *counter)
{
    TactBodyItem items[TACT_SLOTS];
    TactBodyPath path = {TACT_BODY_IDLE, 0, 0, -1, TACT_PAIR_NORMAL, 0, 1, 0, 0, 0, may_resume, 0};
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        items[slot].state = 0;
    }
    for (;;) {
        int wants = path.phase == TACT_BODY_IDLE;
        if (tact_lane_any(wants)) {
            int number = wants && tact_lane_number() == 0 ? tact_lane_take(counter) : 0;
            tact_body_refill(task, tact_lane_read_int(number, 0), given || may_resume, room, items,
                             &path);
        }
        if (!given && tact_lane_any(path.phase == TACT_BODY_BEGIN)) {
            tact_body_begin(task, room, items, path.phase == TACT_BODY_BEGIN, &path);
        }
        if (!tact_lane_any(path.phase != TACT_BODY_EMPTY)) {
            return;
        }
        tact_body_pivot(task, room, items, given, &path);
        if (tact_lane_any(path.phase == TACT_BODY_DONE || path.phase == TACT_BODY_FAILED)) {
            tact_body_finish(task, room, items, &path);
        }
    }
}

#endif
