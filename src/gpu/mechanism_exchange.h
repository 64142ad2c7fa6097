// A pivot of a mechanism: the inverse of its basis changes by one rank.
//
// With K = M[slacks, unknowns] of the basis, G = K^-1, and rates dx of the unknowns, there are four
// exchanges (docs/theory/gpu.md, (6) to (9)): what drives is an unknown or a slack, and so is what
// leaves.
#ifndef TACT_GPU_MECHANISM_EXCHANGE_H
#define TACT_GPU_MECHANISM_EXCHANGE_H

#include "gpu/mechanism_sweep.h"

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

TACT_LANE void tact_mechanism_drop(TactMechanismRoom *room, int pair)
{
    if (tact_warp_lane() == 0) {
        int contact = tact_pair_contact(pair);
        room->at[contact][tact_pair_kind(pair)] = TACT_NOWHERE;
        room->state[contact] &= ~tact_pair_bit(pair);
    }
}

/// room->line = the row of a slack: what the unknowns of the basis add to it.
TACT_LANE void tact_mechanism_row(const TactMechanismTask *task, TactMechanismRoom *room,
                                  const TactMechanismPath *path, int slack)
{
    tact_mechanism_respond(task, room, path, slack);
    for (int k = tact_warp_lane(); k < path->size; k += TACT_WARP) {
        room->line[k] = k == 0 ? tact_pair_cover(room, slack)
                               : tact_mechanism_along(task, room, room->pair[k]) +
                                     tact_pair_extra(room, slack, room->pair[k]);
    }
    tact_lane_meet();
}

/// (line' G)_b
TACT_LANE double tact_mechanism_line_times(TactMechanismRoom *room, int size, int b)
{
    double sum = 0;
    for (int a = 0; a < size; a++) {
        sum += room->line[a] * *tact_mechanism_entry(room, a, b);
    }
    return sum;
}

/// A slack leaves. rate: of that slack. Its column takes position 0; that of the driving pair goes
/// to the new position if its unknown drives.
TACT_LANE void tact_mechanism_slack_leaves(const TactMechanismTask *task, TactMechanismRoom *room,
                                           TactMechanismPath *path, int slack, double rate)
{
    int    size = path->size, grows = !path->by_row;
    double inverse = 1 / rate;
    tact_mechanism_row(task, room, path, slack);
    for (int b = tact_warp_lane(); b < size; b += TACT_WARP) {
        double factor = tact_mechanism_line_times(room, size, b) * inverse;
        int    to = b == 0 ? size : b;
        for (int a = 0; a < size; a++) {
            double *entry = tact_mechanism_entry(room, a, b), rest = *entry - room->dx[a] * factor;
            if (b > 0) {
                *entry = rest;
            } else {
                *entry = room->dx[a] * inverse;
                if (grows) {
                    *tact_mechanism_entry(room, a, size) = rest;
                }
            }
        }
        if (grows) {
            *tact_mechanism_entry(room, size, to) = -factor;
            if (b == 0) {
                *tact_mechanism_entry(room, size, 0) = inverse;
            }
        }
    }
    if (grows) {
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
    double inverse = 1 / room->dx[at];
    for (int b = lane; b < size; b += TACT_WARP) {
        double factor = *tact_mechanism_entry(room, at, b) * inverse;
        for (int a = 0; a < size; a++) {
            double *entry = tact_mechanism_entry(room, a, b);
            *entry = a == at ? -factor : *entry - room->dx[a] * factor;
        }
    }
    tact_lane_meet();
    for (int a = lane; a < size && at > 0; a += TACT_WARP) {
        double *here = tact_mechanism_entry(room, a, at), *there = tact_mechanism_entry(room, a, 0);
        double  held = *here;
        *here = *there;
        *there = held;
    }
    if (at > 0) {
        tact_mechanism_drop(room, leaving);
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
    double inverse = 1 / room->dx[at];
    for (int b = lane; b < size; b += TACT_WARP) {
        double factor = *tact_mechanism_entry(room, at, b) * inverse;
        for (int a = 0; a < size && b > 0; a++) {
            *tact_mechanism_entry(room, a, b) -= a == at ? 0 : room->dx[a] * factor;
        }
    }
    tact_lane_meet();
    for (int a = lane; a < size; a += TACT_WARP) {
        double *here = tact_mechanism_entry(room, a, at);
        *tact_mechanism_entry(room, a, 0) = *here;
        *here = *tact_mechanism_entry(room, a, last);
    }
    if (at > 0) {
        tact_mechanism_drop(room, leaving);
    }
    tact_lane_meet();
    for (int b = lane; b < last && at < last; b += TACT_WARP) {
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
