// A pivot of a mechanism: the inverse of its basis changes by one rank.
//
// With K = M[slacks, unknowns] of the basis, G = K^-1, and rates dx of the unknowns, there are four
// exchanges (docs/theory/gpu.md, (6) to (9)): what drives is an unknown or a slack, and so is what
// leaves.
#ifndef TACT_GPU_MECHANISM_EXCHANGE_H
#define TACT_GPU_MECHANISM_EXCHANGE_H

#include "gpu/mechanism/mechanism_sweep.h"

TACT_LANE unsigned tact_pair_bit(int pair)
{
    int kind = tact_pair_kind(pair);
    return kind == TACT_MECHANISM_NORMAL ? TACT_MECHANISM_THETA
           : kind == TACT_MECHANISM_SLIP
               ? TACT_MECHANISM_LAMBDA
               : (unsigned)TACT_MECHANISM_PHI << (kind - TACT_MECHANISM_FRICTION);
}

/// A pair has its unknown at a position of the basis.
TACT_LANE void tact_mechanism_put(TactMechanismRoom *room, int pair, int at)
{
    if (tact_warp_lane() == 0) {
        int contact = tact_pair_contact(pair);
        room->pair[at] = pair;
        room->at[contact][tact_pair_kind(pair)] = (unsigned char)at;
        room->state[contact] |= tact_pair_bit(pair);
    }
}

/// It has none any more: it is 0, or what z0 takes of it.
TACT_LANE void tact_mechanism_drop(TactMechanismRoom *room, const TactMechanismPath *path, int pair)
{
    if (tact_warp_lane() == 0) {
        int contact = tact_pair_contact(pair);
        room->at[contact][tact_pair_kind(pair)] = TACT_NOWHERE;
        room->state[contact] &= ~tact_pair_bit(pair);
        int taken =
            path->may_resume && path->resumed && (room->early[contact] & TACT_MECHANISM_LAMBDA);
        if (tact_pair_kind(pair) == TACT_MECHANISM_SLIP && !taken) {
            room->lambda[contact] = 0;
        }
    }
}

/// What the impulses that z0 takes would add to a slack. After tact_mechanism_respond().
TACT_LANE double tact_mechanism_taken(const TactMechanismRoom *room, const TactMechanismPath *path,
                                      int slack)
{
    int    lane = tact_warp_lane();
    double sum = 0;
    if (lane < path->points) {
        unsigned early = room->early[lane];
        int      kinds = TACT_MECHANISM_FRICTION + TACT_BODY_MAX_DIRECTIONS;
        TACT_ROLLED for (int kind = 0; kind < kinds && early; kind++)
        {
            int pair = lane * TACT_CODE_CONTACT + kind;
            if (tact_pair_is_early(early, kind)) {
                sum += tact_mechanism_along(room, pair) + tact_pair_extra(room, slack, pair);
            }
        }
        sum *= room->cover[lane];
    }
    for (int k = 1; k < TACT_WARP; k *= 2) {
        sum += tact_warp_read(sum, lane ^ k);
    }
    return sum;
}

/// room->line = the row of a slack: what the unknowns of the basis add to it.
TACT_LANE void tact_mechanism_row(TactMechanismRoom *room, const TactMechanismPath *path, int slack)
{
    tact_mechanism_respond(room, path, slack);
    double taken = path->may_resume && path->resumed ? tact_mechanism_taken(room, path, slack) : 0;
    TACT_ROLLED for (int k = tact_warp_lane(); k < path->size; k += TACT_WARP)
    {
        room->line[k] = k == 0 ? tact_pair_cover(room, path, slack) - taken
                               : tact_mechanism_along(room, room->pair[k]) +
                                     tact_pair_extra(room, slack, room->pair[k]);
    }
    tact_lane_meet();
}

/// A column of G less dx times a factor, several rows at a time.
TACT_LANE void tact_mechanism_reduce(const TactMechanismRoom *room, double *column, double *to,
                                     int size, double factor)
{
    int a = 0;
    TACT_ROLLED for (; a + TACT_AT_ONCE <= size; a += TACT_AT_ONCE)
    {
        double entry[TACT_AT_ONCE];
        TACT_UNROLL for (int j = 0; j < TACT_AT_ONCE; j++)
        {
            entry[j] = column[(a + j) * TACT_ACROSS] - room->dx[a + j] * factor;
        }
        TACT_UNROLL for (int j = 0; j < TACT_AT_ONCE; j++)
        {
            to[(a + j) * TACT_ACROSS] = entry[j];
        }
    }
    TACT_ROLLED for (; a < size; a++)
    {
        to[a * TACT_ACROSS] = column[a * TACT_ACROSS] - room->dx[a] * factor;
    }
}

/// A slack leaves. inverse: 1 / its rate. Its column takes position 0; that of the driving pair
/// goes to the new position if its unknown drives.
TACT_LANE void tact_mechanism_slack_leaves(TactMechanismRoom *room, TactMechanismPath *path,
                                           int slack, double inverse)
{
    int size = path->size, grows = !path->by_row, lane = tact_warp_lane();
    tact_mechanism_row(room, path, slack);
    TACT_ROLLED for (int b = lane; b < size; b += TACT_WARP)
    {
        double *column = tact_mechanism_entry(room, 0, b);
        double  factor = tact_mechanism_dot(column, TACT_ACROSS, room->line, size) * inverse;
        int     to = b == 0 ? size : b;
        if (b > 0 || grows) {
            tact_mechanism_reduce(room, column, tact_mechanism_entry(room, 0, to), size, factor);
        }
        if (grows) {
            *tact_mechanism_entry(room, size, to) = -factor;
        }
    }
    tact_lane_meet();
    TACT_ROLLED for (int a = lane; a < size; a += TACT_WARP)
    {
        *tact_mechanism_entry(room, a, 0) = room->dx[a] * inverse;
    }
    if (grows) {
        if (lane == 0) {
            *tact_mechanism_entry(room, size, 0) = inverse;
        }
        tact_mechanism_put(room, path->pair, size);
        path->size++;
    }
    path->pair = slack;
    path->by_row = 0;
    tact_lane_meet();
}

/// The unknown at a position leaves, and that of the driving pair takes its place. Slacks change
/// places too, but for z0, which has none.
TACT_LANE void tact_mechanism_replace(TactMechanismRoom *room, TactMechanismPath *path, int at,
                                      int leaving)
{
    int    lane = tact_warp_lane(), size = path->size;
    double inverse = tact_lane_inverse(room->dx[at]);
    TACT_ROLLED for (int b = lane; b < size; b += TACT_WARP)
    {
        double *column = tact_mechanism_entry(room, 0, b), factor = column[at * TACT_ACROSS];
        factor *= inverse;
        tact_mechanism_reduce(room, column, column, size, factor);
        column[at * TACT_ACROSS] = -factor;
    }
    tact_lane_meet();
    TACT_ROLLED for (int a = lane; a < size && at > 0; a += TACT_WARP)
    {
        double *here = tact_mechanism_entry(room, a, at), *there = tact_mechanism_entry(room, a, 0);
        double  held = *here;
        *here = *there;
        *there = held;
    }
    if (at > 0) {
        tact_mechanism_drop(room, path, leaving);
    }
    tact_mechanism_put(room, path->pair, at);
    path->pair = leaving;
    path->by_row = 1;
    tact_lane_meet();
}

/// The unknown at a position leaves as the slack of position 0 enters: the basis shrinks. The slack
/// of what leaves takes position 0, and the last position its place.
TACT_LANE void tact_mechanism_shrink(TactMechanismRoom *room, TactMechanismPath *path, int at,
                                     int leaving)
{
    int    lane = tact_warp_lane(), size = path->size, last = size - 1;
    double inverse = tact_lane_inverse(room->dx[at]);
    TACT_ROLLED for (int b = lane; b < size; b += TACT_WARP)
    {
        double *column = tact_mechanism_entry(room, 0, b);
        if (b > 0) {
            tact_mechanism_reduce(room, column, column, size, column[at * TACT_ACROSS] * inverse);
        }
    }
    tact_lane_meet();
    TACT_ROLLED for (int a = lane; a < size; a += TACT_WARP)
    {
        double *here = tact_mechanism_entry(room, a, at);
        *tact_mechanism_entry(room, a, 0) = *here;
        *here = *tact_mechanism_entry(room, a, last);
    }
    if (at > 0) {
        tact_mechanism_drop(room, path, leaving);
    }
    tact_lane_meet();
    TACT_ROLLED for (int b = lane; b < last && at < last; b += TACT_WARP)
    {
        *tact_mechanism_entry(room, at, b) = *tact_mechanism_entry(room, last, b);
    }
    if (at < last) {
        tact_mechanism_put(room, room->pair[last], at);
        if (lane == 0) {
            room->x[at] = room->x[last];
        }
    }
    path->size = last;
    path->pair = leaving;
    path->by_row = 1;
    tact_lane_meet();
}

#endif
