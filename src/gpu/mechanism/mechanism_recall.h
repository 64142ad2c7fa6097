// The basis of the last step: its inverse, by Gauss and Jordan in place, without a path.
#ifndef TACT_GPU_MECHANISM_RECALL_H
#define TACT_GPU_MECHANISM_RECALL_H

#include "gpu/mechanism/mechanism_exchange.h"

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
                  .basis[(size_t)path->problem * (size_t)task->problems.contacts + (size_t)lane]
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
#if TACT_EXTRA > 0
    tact_mechanism_place_motors(task, room, path);
#endif
}

/// A slack as a sum of two rows of A: nu is one of them, sigma_j two, gamma none.
typedef struct TactMechanismTwo {
    int    row[2];
    double part[2];
} TactMechanismTwo;

TACT_LANE TactMechanismTwo tact_mechanism_split(const TactMechanismRoom *room, int slack)
{
    TactMechanismTwo two;
    double           along[3];
    int              normal = tact_pair_kind(slack) == TACT_MECHANISM_NORMAL,
        first = tact_mechanism_first(room, tact_pair_contact(slack));
    tact_pair_direction(room, slack, along);
#if TACT_EXTRA > 0
    int moment = tact_moment_kind(room, tact_pair_contact(slack));
    if (moment >= 0) {
        two.row[0] = first;
        two.row[1] = moment == TACT_MOMENT_ROLL ? first + 1 : first;
        two.part[0] = along[0];
        two.part[1] = along[1];
        return two;
    }
#endif
    two.row[0] = normal ? first : first + 1;
    two.row[1] = normal ? first : first + 2;
    two.part[0] = normal ? along[0] : along[1];
    two.part[1] = along[2];
    return two;
}

/// The part of an unknown, the same in all lanes, in a slack: K_ab.
TACT_LANE double tact_mechanism_part(const TactMechanismRoom *room, const TactMechanismTwo *two,
                                     int slack, int unknown)
{
    double           sum = tact_pair_extra(room, slack, unknown);
    TactMechanismTwo by = tact_mechanism_split(room, unknown);
    TACT_UNROLL for (int k = 0; k < 2; k++)
    {
        if (by.part[k] != 0) {
            double entry = two->part[0] * tact_mechanism_delassus(room, two->row[0], by.row[k]) +
                           two->part[1] * tact_mechanism_delassus(room, two->row[1], by.row[k]);
            sum += by.part[k] * entry;
        }
    }
    return sum;
}

/// A slack without impulses.
TACT_LANE double tact_mechanism_offset(const TactMechanismRoom *room, int slack)
{
    double        along[3];
    const double *free = TACT_MORE ? room->u : room->free; // with motors at their bounds
    free += tact_mechanism_first(room, tact_pair_contact(slack));
    tact_pair_direction(room, slack, along);
#if TACT_EXTRA > 0
    if (tact_moment_kind(room, tact_pair_contact(slack)) >= 0) {
        return along[0] * free[0] + (along[1] != 0 ? along[1] * free[1] : 0);
    }
#endif
    return tact_pair_kind(slack) == TACT_MECHANISM_NORMAL ? along[0] * free[0]
           : tact_pair_kind(slack) == TACT_MECHANISM_SLIP ? 0
                                                          : along[1] * free[1] + along[2] * free[2];
}

/// The row from k on with the largest entry of column k.
TACT_LANE int tact_mechanism_find_pivot(TactMechanismRoom *room, int size, int k)
{
    int    lane = tact_warp_lane(), row = k;
    double most = -1;
    TACT_ROLLED for (int a = lane; a < size; a += TACT_WARP)
    {
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
        TACT_ROLLED for (int b = lane; b < size; b += TACT_WARP)
        {
            double held = *tact_mechanism_entry(room, row, b);
            *tact_mechanism_entry(room, row, b) = *tact_mechanism_entry(room, k, b);
            *tact_mechanism_entry(room, k, b) = b == k ? inverse : held * inverse;
        }
        if (lane == 0) {
            room->x[k] = row;
        }
        tact_lane_meet();
        TACT_ROLLED for (int a = lane; a < size; a += TACT_WARP)
        {
            room->line[a] = a == k ? 0 : *tact_mechanism_entry(room, a, k);
        }
        tact_lane_meet();
        TACT_ROLLED for (int b = lane; b < size; b += TACT_WARP)
        {
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
        TACT_ROLLED for (int a = lane; a < size; a += TACT_WARP)
        {
            double held = *tact_mechanism_entry(room, a, column);
            *tact_mechanism_entry(room, a, column) = *tact_mechanism_entry(room, a, k);
            *tact_mechanism_entry(room, a, k) = held;
        }
        tact_lane_meet();
    }
    return 1;
}

/// x of a basis whose inverse is known.
TACT_LANE void tact_mechanism_find_values(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int k = tact_warp_lane(); k < path->size; k += TACT_WARP)
    {
        const double *row = tact_mechanism_entry(room, k, 0);
        double        sum = 0;
        for (int j = 0; j < path->size; j++) {
            sum -= row[j] * tact_mechanism_offset(room, room->pair[j]);
        }
        room->x[k] = sum;
    }
    tact_lane_meet();
}

#if TACT_BASIS <= 32

/// The lane whose unused row has the largest entry; *size: that entry.
TACT_LANE int tact_mechanism_choose(double entry, int used, float *size)
{
    int lane = tact_warp_lane();
    int key = used ? 0 : (tact_lane_float_bits((float)fabs(entry)) & ~31) | (31 - lane);
    key = tact_lane_most(key);
    *size = tact_lane_float(key & ~31);
    return 31 - (key & 31);
}

/// Solves K x = - offset by Gauss and Jordan: a lane has a row, shifted by one column at a step.
TACT_LANE int tact_mechanism_solve_basis(TactMechanismRoom *room, const TactMechanismPath *path)
{
    int              lane = tact_warp_lane(), size = path->size, mine = lane < size ? -1 : 0;
    int              slack = lane < size ? room->pair[lane] : 0;
    double           a[TACT_BASIS], b = 0, own = 0; // own: 1 / the pivot of this row
    double          *row = room->line;              // the row of the pivot, b first
    float            least = 1e30f;
    TactMechanismTwo two = tact_mechanism_split(room, slack);
    TACT_ROLLED for (int c = 0; c < size && lane < size; c++)
    {
        *tact_mechanism_entry(room, lane, c) =
            tact_mechanism_part(room, &two, slack, room->pair[c]);
    }
    TACT_UNROLL for (int c = 0; c < TACT_BASIS; c++)
    {
        a[c] = c < size && lane < size ? *tact_mechanism_entry(room, lane, c) : 0;
    }
    if (lane < size) {
        b = -tact_mechanism_offset(room, slack);
    }
    TACT_ROLLED for (int k = 0; k < size; k++)
    {
        float entry;
        int   pivot = tact_mechanism_choose(a[0], mine >= 0, &entry);
        least = entry < least ? entry : least;
        double inverse = tact_lane_inverse(tact_warp_read(a[0], pivot));
        double factor = lane == pivot ? 0 : a[0] * inverse;
        if (lane == pivot) {
            TACT_UNROLL for (int c = 0; c < TACT_BASIS; c += 2)
            {
                if (c < size - k) {
                    tact_lane_put_two(row + c, c == 0 ? b : a[c], a[c + 1]);
                }
            }
            own = inverse;
            mine = k;
        }
        tact_lane_meet();
        b -= factor * row[0];
        tact_mechanism_shift(a, factor, row, size - k);
        tact_lane_meet();
    }
    if (lane < size) {
        room->x[mine] = b * own;
    }
    tact_lane_meet();
    return least > 1e-13f;
}

TACT_LANE TactMechanismOutcome tact_mechanism_recall(const TactMechanismTask *task,
                                                     TactMechanismRoom       *room,
                                                     TactMechanismPath       *path)
{
    tact_mechanism_place(task, room, path);
    if (path->size > TACT_BASIS) {
        return TACT_MECHANISM_FAILS;
    }
    return tact_mechanism_solve_basis(room, path) ? TACT_MECHANISM_ENDS : TACT_MECHANISM_FAILS;
}

/// The inverse of the basis that was recalled: K is still in its place. 0: it is singular.
TACT_LANE int tact_mechanism_invert_recalled(TactMechanismRoom *room, const TactMechanismPath *path)
{
    if (!tact_mechanism_invert(room, path->size)) {
        return 0;
    }
    tact_mechanism_find_values(room, path);
    return 1;
}

#else

/// K, a row a slack.
TACT_LANE void tact_mechanism_assemble(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int a = tact_warp_lane(); a < path->size; a += TACT_WARP)
    {
        TactMechanismTwo two = tact_mechanism_split(room, room->pair[a]);
        for (int b = 0; b < path->size; b++) {
            *tact_mechanism_entry(room, a, b) =
                tact_mechanism_part(room, &two, room->pair[a], room->pair[b]);
        }
    }
    tact_lane_meet();
}

TACT_LANE TactMechanismOutcome tact_mechanism_recall(const TactMechanismTask *task,
                                                     TactMechanismRoom       *room,
                                                     TactMechanismPath       *path)
{
    tact_mechanism_place(task, room, path);
    if (path->size > TACT_BASIS) {
        return TACT_MECHANISM_FAILS;
    }
    tact_mechanism_assemble(room, path);
    if (!tact_mechanism_invert(room, path->size)) {
        return TACT_MECHANISM_FAILS;
    }
    tact_mechanism_find_values(room, path);
    return TACT_MECHANISM_ENDS;
}

/// It was found with its values.
TACT_LANE int tact_mechanism_invert_recalled(TactMechanismRoom *room, const TactMechanismPath *path)
{
    (void)room;
    (void)path;
    return 1;
}

#endif

#endif
