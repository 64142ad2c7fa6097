// The circular cone by Newton turning (docs/theory/newton-turning.md): after a pyramid solve every
// contact that slides is turned until its direction 0 opposes the slip, and gets a damper across
// it; then the basis is solved again, until the circle's law holds.
//
// Turning is a rotation of a contact's tangents. Dampers c along t change how the body moves,
// y = (I + sum c t t')^-1 (y0 + C x): columns and y0 are multiplied by that inverse.
#ifndef TACT_GPU_BODY_TURN_H
#define TACT_GPU_BODY_TURN_H

#include "gpu/body/body_sweep.h"

// Turning ends when friction misses its law by no more than this part, or after so many turns.
#define TACT_BODY_TURNED 1e-11
#define TACT_BODY_MAX_TURNS 12

// Slip below the first is rounding; below the second it is slow (3. of the algorithm).
#define TACT_BODY_NO_SLIP 1e-9
#define TACT_BODY_SLOW_SLIP 1e-5

// Largest damping.
#define TACT_BODY_MAX_DAMPING 1e9

/// Turns s towards t.
TACT_LANE void tact_body_rotate(TactBodyItem *item, double cosine, double sine)
{
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        double s = item->s[k], t = item->t[k];
        item->s[k] = cosine * s + sine * t;
        item->t[k] = cosine * t - sine * s;
    }
    double c = item->turn[0], s = item->turn[1];
    item->turn[0] = c * cosine - s * sine;
    item->turn[1] = s * cosine + c * sine;
}

/// The angle in the state that is stored, and back: near enough to begin with.
TACT_LANE unsigned tact_body_pack_turn(const TactBodyItem *item)
{
#if TACT_CIRCLE
    float part = atan2f((float)item->turn[1], (float)item->turn[0]);
    int   number = (int)floorf(part * (TACT_BODY_TURN_PARTS / 6.2831853f) + 0.5f);
    number &= TACT_BODY_TURN_PARTS - 1;
    return (unsigned)number << TACT_BODY_TURN_SHIFT;
#else
    (void)item;
    return 0;
#endif
}

TACT_LANE void tact_body_unpack_turn(TactBodyItem *item)
{
#if TACT_CIRCLE
    unsigned number = item->state >> TACT_BODY_TURN_SHIFT;
    if (number != 0) {
        double cosine, sine;
        tact_lane_turn(number * (1.0 / TACT_BODY_TURN_PARTS), &cosine, &sine);
        tact_body_rotate(item, cosine, sine);
    }
#endif
    item->state &= (1u << TACT_BODY_TURN_SHIFT) - 1;
}

#if TACT_CIRCLE

/// Where a contact that slides is to look, and its damper.
typedef struct TactBodyAim {
    double cosine, sine; // in its present frame
    double damping;
    double miss; // of its friction, over its load
    int    turns;
} TactBodyAim;

/// (5) of newton-turning.md.
TACT_LANE TactBodyAim tact_body_aim(const TactBodyRoom *room, const TactBodyItem *item,
                                    const TactBodyDirections *directions, const TactBodyPath *path,
                                    int first)
{
    TactBodyAim aim = {1, 0, 0, 0, 0};
    unsigned    state = item->state;
    int         theta = (int)(state & TACT_BODY_THETA), at = first + theta;
    if (!theta || !(state & TACT_BODY_LAMBDA)) {
        // It does not slide any more: without its damper.
        aim.miss = item->damping > 0 ? 1 : 0;
        return aim;
    }
    TactBodyFriction friction = tact_body_friction(room, item, path, 0, first);
    int              x = tact_body_eliminated(state);
    double           p1 = 0, p2 = 0, push = room->x[first], limit = item->mu * push;
    TACT_ROLLED for (unsigned left = tact_body_phis(state); left; left &= left - 1)
    {
        int    j = tact_lane_first_bit(left);
        double phi = j == x ? friction.first : room->x[at];
        at += j == x ? 0 : 1;
        p1 += phi * directions->cosine[j];
        p2 += phi * directions->sine[j];
    }
    double u1 = tact_body_along(item->s, room->y), u2 = tact_body_along(item->t, room->y);
    double slip = sqrt(u1 * u1 + u2 * u2), load = limit > 1 ? limit : 1;
    p2 -= item->damping * u2;
    if (!(slip > TACT_BODY_NO_SLIP / load) || !(push > 0)) {
        return aim;
    }
    double rho = push > 1 ? push : 1;
    rho = slip < TACT_BODY_SLOW_SLIP && limit / slip > rho ? limit / slip : rho;
    double q1 = p1 - rho * u1, q2 = p2 - rho * u2, length = sqrt(q1 * q1 + q2 * q2);
    double part = length > limit ? limit / length : 1;
    double off1 = p1 - part * q1, off2 = p2 - part * q2;
    aim.miss = sqrt(off1 * off1 + off2 * off2) / load;
    aim.cosine = q1 / length;
    aim.sine = q2 / length;
    aim.damping = length > limit ? rho * limit / (length - limit) : 0;
    aim.damping = aim.damping < TACT_BODY_MAX_DAMPING ? aim.damping : TACT_BODY_MAX_DAMPING;
    aim.turns = length > 0;
    return aim;
}

/// The inverse of a symmetric positive definite matrix, a row of it in each of the first six lanes.
TACT_LANE void tact_body_invert_rows(double a[6])
{
    int lane = tact_lane_number();
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        double inverse = 1 / a[k], factor = a[k];
        if (lane == k) {
            TACT_UNROLL for (int j = 0; j < 6; j++)
            {
                a[j] = j == k ? inverse : a[j] * inverse;
            }
        }
        TACT_UNROLL for (int j = 0; j < 6; j++)
        {
            double pivot = tact_lane_read(a[j], k);
            if (lane != k) {
                a[j] = j == k ? -factor * pivot : a[j] - factor * pivot;
            }
        }
    }
}

/// (I + sum of damping t t')^-1, and y without impulses. The groups that turn; all lanes of a warp.
TACT_LANE void tact_body_spread(TactBodyRoom *room, const TactBodyItem items[TACT_SLOTS], int turns)
{
    int    lane = tact_lane_number();
    double a[6];
    TACT_UNROLL for (int j = 0; j < 6; j++)
    {
        a[j] = lane == j ? 1 : 0;
    }
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        double root = turns ? sqrt(items[slot].damping) : 0;
        TACT_UNROLL for (int k = 0; k < 6; k++)
        {
            room->slide[lane][k] = root * items[slot].t[k];
        }
        tact_lane_meet();
        TACT_ROLLED for (int k = 0; k < TACT_GROUP && lane < 6; k++)
        {
            TACT_UNROLL for (int j = 0; j < 6; j++)
            {
                a[j] += room->slide[k][lane] * room->slide[k][j];
            }
        }
        tact_lane_meet();
    }
    tact_body_invert_rows(a);
    if (turns && lane < 6) {
        double start = 0;
        TACT_UNROLL for (int j = 0; j < 6; j++)
        {
            room->spread[lane][j] = a[j];
            start += a[j] * room->raw[j];
        }
        room->start[lane] = start;
    }
    tact_lane_meet();
}

/// Turns the contacts of the groups that have an answer on the pyramid, but not yet on the circle:
/// these go on. first: number of the first unknown of the contacts of this lane.
TACT_LANE void tact_body_turn(TactBodyRoom *room, TactBodyItem items[TACT_SLOTS],
                              const TactBodyDirections *directions, const int first[TACT_SLOTS],
                              int answered, TactBodyPath *path)
{
    TactBodyAim aims[TACT_SLOTS];
    double      miss = 0;
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        TactBodyAim none = {1, 0, 0, 0, 0};
        aims[slot] =
            answered ? tact_body_aim(room, &items[slot], directions, path, first[slot]) : none;
        miss = aims[slot].miss > miss ? aims[slot].miss : miss;
    }
    for (int k = 1; k < TACT_GROUP; k *= 2) {
        double other = tact_lane_read(miss, tact_lane_number() ^ k);
        miss = other > miss ? other : miss;
    }
    int turns = answered && miss > TACT_BODY_TURNED && path->turns < TACT_BODY_MAX_TURNS;
    TACT_UNROLL for (int slot = 0; slot < TACT_SLOTS; slot++)
    {
        unsigned slides = TACT_BODY_THETA | TACT_BODY_LAMBDA;
        if (turns && (items[slot].state & slides) != slides) {
            items[slot].damping = 0;
        }
        if (turns && aims[slot].turns) {
            tact_body_rotate(&items[slot], aims[slot].cosine, aims[slot].sine);
            items[slot].damping = aims[slot].damping;
            items[slot].state =
                TACT_BODY_THETA | TACT_BODY_LAMBDA | TACT_BODY_ACTIVE | TACT_BODY_PHI;
        }
    }
    tact_lane_meet();
    tact_body_spread(room, items, turns);
    if (turns) {
        path->turns++;
        path->kept = 1;
        path->resumed = 0;
        path->phase = TACT_BODY_FINISH;
        path->contact = -1;
        path->kind = TACT_PAIR_NORMAL;
        path->by_row = 0;
    }
}

#endif
#endif
