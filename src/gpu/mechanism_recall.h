// The basis of the last step: its inverse, by Gauss and Jordan in place, without a path.
#ifndef TACT_GPU_MECHANISM_RECALL_H
#define TACT_GPU_MECHANISM_RECALL_H

#include "gpu/mechanism_exchange.h"

typedef enum TactMechanismOutcome {
    TACT_MECHANISM_GOES_ON,
    TACT_MECHANISM_ENDS, // z0 has left
    TACT_MECHANISM_FAILS
} TactMechanismOutcome;

/// Positions of all unknowns that were basic. Contact c belongs to lane c.
TACT_LANE void tact_mechanism_place(const TactMechanismTask *task, TactMechanismRoom *room,
                                    TactMechanismPath *path)
{
    int      lane = tact_warp_lane(), own = lane < path->points;
    unsigned stored =
        own ? task->answers
                  .basis[(size_t)lane * (size_t)task->problems.stride + (size_t)path->problem]
            : 0;
    // Bits of pairs in their order: theta, lambda, phi_j.
    unsigned bits = (stored & 3) | (stored >> TACT_MECHANISM_PHI_SHIFT << TACT_MECHANISM_FRICTION);
    int      count = tact_lane_count_bits(bits), before = count;
    for (int k = 1; k < TACT_WARP; k *= 2) {
        int other = tact_warp_read_int(before, lane - k);
        before += lane >= k ? other : 0;
    }
    path->size = tact_warp_read_int(before, TACT_WARP - 1);
    int at = before - count;
    if (own) {
        room->state[lane] = stored;
    }
    for (; bits && path->size <= TACT_BASIS; bits &= bits - 1, at++) {
        int kind = tact_lane_first_bit(bits);
        room->pair[at] = lane * TACT_CODE_CONTACT + kind;
        room->at[lane][kind] = (unsigned char)at;
    }
    tact_lane_meet();
}

/// K, a column an unknown.
TACT_LANE void tact_mechanism_assemble(const TactMechanismTask *task, TactMechanismRoom *room,
                                       const TactMechanismPath *path)
{
    for (int b = 0; b < path->size; b++) {
        int unknown = room->pair[b];
        tact_mechanism_respond(task, room, path, unknown);
        for (int k = tact_warp_lane(); k < path->size; k += TACT_WARP) {
            *tact_mechanism_entry(room, k, b) = tact_mechanism_along(task, room, room->pair[k]) +
                                                tact_pair_extra(room, room->pair[k], unknown);
        }
        tact_lane_meet();
    }
}

/// The row from k on with the largest entry of column k.
TACT_LANE int tact_mechanism_find_pivot(TactMechanismRoom *room, int size, int k)
{
    int    lane = tact_warp_lane(), row = k;
    double most = -1;
    for (int a = lane; a < size; a += TACT_WARP) {
        double entry = fabs(*tact_mechanism_entry(room, a, k));
        if (a >= k && entry > most) {
            most = entry;
            row = a;
        }
    }
    for (int step = 1; step < TACT_WARP; step *= 2) {
        double other = tact_warp_read(most, lane ^ step);
        int    its = tact_warp_read_int(row, lane ^ step);
        int    take = other > most || (other == most && its < row);
        most = take ? other : most;
        row = take ? its : row;
    }
    return most > 1e-13 ? row : -1;
}

/// K^-1 in its place; 0: it is singular. room->x: which rows were swapped.
TACT_LANE int tact_mechanism_invert(TactMechanismRoom *room, int size)
{
    int lane = tact_warp_lane();
    for (int k = 0; k < size; k++) {
        int row = tact_mechanism_find_pivot(room, size, k);
        if (row < 0) {
            return 0;
        }
        double pivot = *tact_mechanism_entry(room, row, k), inverse = 1 / pivot;
        tact_lane_meet();
        for (int b = lane; b < size; b += TACT_WARP) {
            double held = *tact_mechanism_entry(room, row, b);
            *tact_mechanism_entry(room, row, b) = *tact_mechanism_entry(room, k, b);
            *tact_mechanism_entry(room, k, b) = b == k ? inverse : held * inverse;
        }
        if (lane == 0) {
            room->x[k] = row;
        }
        tact_lane_meet();
        for (int a = lane; a < size; a += TACT_WARP) {
            room->line[a] = a == k ? 0 : *tact_mechanism_entry(room, a, k);
        }
        tact_lane_meet();
        for (int b = lane; b < size; b += TACT_WARP) {
            double own = *tact_mechanism_entry(room, k, b);
            for (int a = 0; a < size; a++) {
                double *entry = tact_mechanism_entry(room, a, b);
                *entry = a == k ? *entry : (b == k ? 0 : *entry) - room->line[a] * own;
            }
        }
        tact_lane_meet();
    }
    for (int k = size - 1; k >= 0; k--) {
        int column = (int)room->x[k];
        for (int a = lane; a < size; a += TACT_WARP) {
            double held = *tact_mechanism_entry(room, a, column);
            *tact_mechanism_entry(room, a, column) = *tact_mechanism_entry(room, a, k);
            *tact_mechanism_entry(room, a, k) = held;
        }
        tact_lane_meet();
    }
    return 1;
}

TACT_LANE TactMechanismOutcome tact_mechanism_recall(const TactMechanismTask *task,
                                                     TactMechanismRoom       *room,
                                                     TactMechanismPath       *path)
{
    tact_mechanism_place(task, room, path);
    if (path->size > TACT_BASIS) {
        return TACT_MECHANISM_FAILS;
    }
    tact_mechanism_assemble(task, room, path);
    return tact_mechanism_invert(room, path->size) ? TACT_MECHANISM_ENDS : TACT_MECHANISM_FAILS;
}

#endif
