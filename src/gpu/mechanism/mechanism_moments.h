// Moments of contacts that resist spinning and rolling: rows of J after those of motors, in kernels
// that have TACT_EXTRA.
//
// A moment is friction without a normal of its own: its gamma has the theta of its contact,
//
//     gamma_m = mu_m theta_c - sum of phi_m                     (docs/theory/spin-roll.md, (8))
//
// and all else is as of sliding. Its variables are those of the first of its rows; the second row
// of rolling has none. Here mu_m is 1 but for the units of rows, and what a path does with moments
// is in mechanism_sweep.h.
#ifndef TACT_GPU_MECHANISM_MOMENTS_H
#define TACT_GPU_MECHANISM_MOMENTS_H

#include "gpu/mechanism/mechanism_sweep.h"

#if TACT_EXTRA > 0

/// Lists the rows of moments; 0: there are more than there is room for. Contact c belongs to lane
/// c. After path->items and path->points.
TACT_LANE int tact_moment_list(const TactMechanismTask *task, TactMechanismRoom *room,
                               TactMechanismPath *path)
{
    int lane = tact_warp_lane(), own = 0, before;
    room->list.first_moment = path->items;
    path->moments = room->list.moments = 0;
    if (!task->more.turns) {
        return 1;
    }
    unsigned char turns = 0;
    if (lane < path->points) {
        turns = task->more
                    .turns[(size_t)path->problem * (size_t)task->problems.contacts + (size_t)lane];
        own = tact_turn_rows(turns);
    }
    before = own;
    for (int k = 1; k < TACT_WARP; k *= 2) {
        int other = tact_warp_read_int(before, lane - k);
        before += lane >= k ? other : 0;
    }
    path->moments = tact_warp_read_int(before, TACT_WARP - 1);
    if (path->moments > TACT_MOMENTS) {
        return 0;
    }
    room->list.moments = path->moments;
    before -= own;
    for (int k = 0; k < own; k++) {
        room->list.moment_of[before + k] = (unsigned char)lane;
        room->list.moment_kind[before + k] = turns & TACT_TURN_SPIN && k == 0 ? TACT_MOMENT_SPIN
                                             : k + 2 == own                   ? TACT_MOMENT_ROLL
                                                                              : TACT_MOMENT_SECOND;
    }
    tact_lane_meet();
    return 1;
}

/// Both rows of rolling have the units of the first.
TACT_LANE void tact_moment_even_out(const TactMechanismRoom *room, double *scale)
{
    TACT_ROLLED for (int m = tact_warp_lane(); m < room->list.moments; m += TACT_WARP)
    {
        if (room->list.moment_kind[m] == TACT_MOMENT_SECOND) {
            scale[room->list.first_moment + m] = scale[room->list.first_moment + m - 1];
        }
    }
    tact_lane_meet();
}

/// Bounds over theta in the units of rows, and no basis.
TACT_LANE void tact_moment_take(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int m = tact_warp_lane(); m < path->moments; m += TACT_WARP)
    {
        int c = path->items + m;
        room->mu[c] = room->scale[room->list.moment_of[m]] * tact_lane_inverse(room->scale[c]);
        room->state[c] = 0;
        for (int k = 0; k < TACT_PAIRS; k++) {
            room->at[c][k] = TACT_NOWHERE;
        }
    }
    tact_lane_meet();
}

TACT_LANE void tact_moment_cover(const TactMechanismTask *task, TactMechanismRoom *room,
                                 const TactMechanismPath *path)
{
    TACT_ROLLED for (int m = tact_warp_lane(); m < path->moments; m += TACT_WARP)
    {
        room->sigma[path->items + m] = task->c_sigma;
    }
}

TACT_LANE void tact_moment_advance(TactMechanismRoom *room, const TactMechanismPath *path,
                                   double far)
{
    TACT_ROLLED for (int m = tact_warp_lane(); m < path->moments; m += TACT_WARP)
    {
        int c = path->items + m;
        if (room->state[c] & TACT_MECHANISM_ACTIVE) {
            room->gamma[c] += far * room->dgamma[c];
            room->lambda[c] += far * room->dlambda[c];
        }
    }
}

/// Impulses of the unknowns, to their rows; gamma and lambda.
TACT_LANE void tact_moment_apply(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int m = tact_warp_lane(); m < path->moments; m += TACT_WARP)
    {
        int    c = path->items + m, at = room->at[c][TACT_MECHANISM_SLIP];
        double push[2];
        if (room->list.moment_kind[m] != TACT_MOMENT_SECOND) {
            double sum = tact_moment_gather(room, room->x, path, c, push);
            int    load = room->at[room->list.moment_of[m]][TACT_MECHANISM_NORMAL];
            room->gamma[c] = (load != TACT_NOWHERE ? room->mu[c] * room->x[load] : 0) - sum;
            room->lambda[c] = at != TACT_NOWHERE ? room->x[at] : 0;
            tact_moment_put_push(room, c, push);
        }
    }
}

/// Is a recalled basis an answer? After tact_mechanism_apply().
TACT_LANE int tact_moments_hold(const TactMechanismTask *task, const TactMechanismRoom *room,
                                const TactMechanismPath *path, double tol)
{
    int bad = 0, count = task->directions.count;
    TACT_ROLLED for (int m = tact_warp_lane(); m < path->moments; m += TACT_WARP)
    {
        int           c = path->items + m, kind = room->list.moment_kind[m];
        const double *u = room->u + tact_mechanism_first(room, c);
        if (kind == TACT_MOMENT_SECOND ||
            !(room->state[room->list.moment_of[m]] & TACT_MECHANISM_THETA)) {
            continue;
        }
        double own = tol * room->mu[c];
        bad |= !(room->gamma[c] > -own);
        TACT_ROLLED for (int j = 0; j < (kind == TACT_MOMENT_SPIN ? 2 : count); j++)
        {
            double along[3];
            tact_pair_direction(room, c * TACT_CODE_CONTACT + TACT_MECHANISM_FRICTION + j, along);
            double sigma = along[0] * u[0] + (along[1] != 0 ? along[1] * u[1] : 0);
            bad |= !(sigma + room->lambda[c] > -own);
        }
    }
    return !bad;
}

/// Which of the two moments of a contact a row begins.
TACT_LANE size_t tact_moment_place(const TactMechanismTask *task, const TactMechanismRoom *room,
                                   const TactMechanismPath *path, int m)
{
    size_t contact =
        (size_t)path->problem * (size_t)task->problems.contacts + room->list.moment_of[m];
    return 2 * contact + (room->list.moment_kind[m] == TACT_MOMENT_SPIN ? 0 : 1);
}

/// Positions of all unknowns of moments that were basic, after those of contacts and motors.
TACT_LANE void tact_moment_recall(const TactMechanismTask *task, TactMechanismRoom *room,
                                  TactMechanismPath *path)
{
    int lane = tact_warp_lane();
    TACT_ROLLED for (int first = 0; first < path->moments; first += TACT_WARP)
    {
        int      m = first + lane, c = path->items + m;
        int      own = m < path->moments && room->list.moment_kind[m] != TACT_MOMENT_SECOND;
        unsigned stored = own ? task->more.turn_basis[tact_moment_place(task, room, path, m)] : 0;
        unsigned bits =
            (stored & 3) | (stored >> TACT_MECHANISM_PHI_SHIFT << TACT_MECHANISM_FRICTION);
        int count = tact_lane_count_bits(bits), before = count;
        for (int k = 1; k < TACT_WARP; k *= 2) {
            int other = tact_warp_read_int(before, lane - k);
            before += lane >= k ? other : 0;
        }
        int all = tact_warp_read_int(before, TACT_WARP - 1), at = path->size + before - count;
        if (m < path->moments) {
            room->state[c] = stored;
        }
        for (; bits; bits &= bits - 1, at++) {
            int kind = tact_lane_first_bit(bits);
            if (at < TACT_BASIS) {
                room->pair[at] = c * TACT_CODE_CONTACT + kind;
                room->at[c][kind] = (unsigned char)at;
            }
        }
        path->size += all;
    }
    tact_lane_meet();
}

/// Their states for the next time.
TACT_LANE void tact_moment_finish(const TactMechanismTask *task, const TactMechanismRoom *room,
                                  const TactMechanismPath *path)
{
    TACT_ROLLED for (int m = tact_warp_lane(); m < path->moments; m += TACT_WARP)
    {
        int loaded = (room->state[room->list.moment_of[m]] & TACT_MECHANISM_THETA) != 0;
        if (room->list.moment_kind[m] != TACT_MOMENT_SECOND) {
            task->more.turn_basis[tact_moment_place(task, room, path, m)] =
                loaded ? room->state[path->items + m] : 0;
        }
    }
}

#endif

#endif
