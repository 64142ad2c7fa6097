// Motors and loops of a mechanism: rows of J after those of contacts, in kernels that have
// TACT_EXTRA of them.
//
// A motor (dry friction of a joint) has one unknown of two bounds, p = s (theta - m) with
// 0 <= theta <= 2 m, against the slack s u + c z0. Where theta comes to 2 m, s changes its sign and
// theta is counted from there: what is not in the basis is always at 0, and a joint that moves
// needs no position in it.
//
// Loops are taken out before the path begins: docs/theory/gpu.md, (10), (11).
#ifndef TACT_GPU_MECHANISM_EXTRA_H
#define TACT_GPU_MECHANISM_EXTRA_H

#include "gpu/cover.h"
#include "gpu/mechanism/mechanism_moments.h"

// What others leave of the square of a row of length 1 where they imply it.
#define TACT_LOOP_IMPLIED 1e-10
// As c_sigma of the processor's kernel: friction waits for the normals.
#define TACT_MOTOR_COVER 100.0

#if TACT_EXTRA > 0

/// Takes the row b of a loop out of A and u by the symmetric sweep
///
///     A_rc -= A_rb A_bc / A_bb,   u_r -= A_rb u_b / A_bb,   A_rb /= A_bb,   u_b /= A_bb
///
/// which leaves A_bb^-1 A_bc and A_bb^-1 u_b of all loops in their rows. A row that those before it
/// imply is left without an impulse.
TACT_LANE void tact_mechanism_take_loop(TactMechanismRoom *room, int b, int all)
{
    int    lane = tact_warp_lane();
    double own = tact_mechanism_delassus(room, b, b), speed = room->free[b];
    int    good = own > TACT_LOOP_IMPLIED;
    double inverse = good ? tact_lane_inverse(own) : 0;
    TACT_ROLLED for (int r = lane; r < all; r += TACT_WARP)
    {
        room->du[r] = r == b ? 0 : tact_mechanism_delassus(room, r, b) * inverse;
    }
    tact_lane_meet();
    TACT_ROLLED for (int r = lane; r < all; r += TACT_WARP)
    {
        double *row = tact_mechanism_packed(room) + tact_triangle(r), factor = room->du[r] * own;
        room->free[r] = r == b ? speed * inverse : room->free[r] - room->du[r] * speed;
        TACT_ROLLED for (int c = 0; c <= r; c++)
        {
            row[c] = r == b ? room->du[c] : c == b ? room->du[r] : row[c] - factor * room->du[c];
        }
        if (r == b) {
            row[b] = -inverse;
        }
    }
    tact_lane_meet();
}

/// All loops; then items in units of what loops leave of them.
TACT_LANE void tact_mechanism_take_loops(const TactMechanismTask *task, TactMechanismRoom *room,
                                         const TactMechanismPath *path)
{
    int           lane = tact_warp_lane(), first = path->rows, all = path->all;
    const double *target = task->more.target + (size_t)path->problem * (size_t)task->more.loops;
    if (first == all) {
        return;
    }
    TACT_ROLLED for (int r = first + lane; r < all; r += TACT_WARP)
    {
        room->free[r] -= target[r - first] * room->scale[tact_rows_contact(room->rough, r)];
    }
    tact_lane_meet();
    TACT_ROLLED for (int b = first; b < all; b++)
    {
        tact_mechanism_take_loop(room, b, all);
    }
    int items = path->items + path->moments;
    TACT_ROLLED for (int c = lane; c < items; c += TACT_WARP)
    {
        int    row = tact_mechanism_first(room, c);
        double square = tact_mechanism_delassus(room, row, row);
        room->lambda[c] = square > TACT_LOOP_IMPLIED ? tact_lane_inverse_root(square) : 1;
    }
    tact_lane_meet();
    tact_moment_even_out(room, room->lambda);
    TACT_ROLLED for (int c = lane; c < items; c += TACT_WARP)
    {
        room->scale[c] *= room->lambda[c];
    }
    tact_lane_meet();
    TACT_ROLLED for (int r = lane; r < all; r += TACT_WARP)
    {
        double  own = r < first ? room->lambda[tact_rows_contact(room->rough, r)] : 1;
        double *row = tact_mechanism_packed(room) + tact_triangle(r);
        room->free[r] *= own;
        TACT_ROLLED for (int c = 0; c <= r; c++)
        {
            row[c] *= own * (c < first ? room->lambda[tact_rows_contact(room->rough, c)] : 1);
        }
    }
    tact_lane_meet();
}

/// Bounds of motors. A joint that moves fast against its friction has an offset that no impulse of
/// its motor can undo, and says nothing of the size of the others.
TACT_LANE double tact_mechanism_take_motors(const TactMechanismTask *task, TactMechanismRoom *room,
                                            const TactMechanismPath *path, double unit)
{
    const double *bound = task->more.bound + (size_t)path->problem * (size_t)task->more.motors;
    room->list.points = path->points;
    TACT_ROLLED for (int c = path->points + tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        double speed = fabs(room->free[tact_mechanism_first(room, c)]);
        room->mu[c] = bound[c - path->points] * tact_lane_inverse(room->scale[c]);
        room->state[c] = 0;
        room->at[c][TACT_MECHANISM_NORMAL] = TACT_NOWHERE;
        speed = speed < room->mu[c] ? speed : room->mu[c];
        unit = speed > unit ? speed : unit;
    }
    return unit;
}

/// u with all motors at one of their bounds, as room->sign says, and no moments.
TACT_LANE void tact_mechanism_base(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int m = tact_warp_lane(); m < path->moments; m += TACT_WARP)
    {
        room->push[tact_mechanism_first(room, path->items + m)] = 0;
    }
    TACT_ROLLED for (int c = path->points + tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        room->push[tact_mechanism_first(room, c)] = -room->sign[c - path->points] * room->mu[c];
    }
    tact_lane_meet();
    tact_mechanism_move(room, path, 0, room->free, room->u);
}

/// Motors against how their joints move without impulses, where a path begins.
TACT_LANE void tact_mechanism_orient(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int c = path->points + tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        room->sign[c - path->points] = room->free[tact_mechanism_first(room, c)] < 0 ? -1 : 1;
    }
    tact_lane_meet();
    tact_mechanism_base(room, path);
}

/// Impulses of motors to their rows; what rounding leaves beyond bounds is taken off.
TACT_LANE void tact_mechanism_push_motors(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int c = path->points + tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        int    at = room->at[c][TACT_MECHANISM_NORMAL];
        double bound = room->mu[c], theta = at == TACT_NOWHERE ? 0 : room->x[at];
        theta = theta < 0 && theta > -1e-9 ? 0 : theta;
        theta = theta > 2 * bound && theta < 2 * bound + 1e-9 ? 2 * bound : theta;
        room->push[tact_mechanism_first(room, c)] = room->sign[c - path->points] * (theta - bound);
    }
    tact_lane_meet();
}

/// The motor of a pair is counted from its other bound; at: its position, TACT_NOWHERE if it
/// drives.
TACT_LANE void tact_mechanism_turn_over(TactMechanismRoom *room, const TactMechanismPath *path,
                                        int pair, int at)
{
    int lane = tact_warp_lane(), c = tact_pair_contact(pair), basic = at != TACT_NOWHERE;
    int column = basic ? at : 0; // of its slack
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
        if (!basic || k != at) {
            *tact_mechanism_entry(room, k, column) *= -1;
        }
        if (basic && k != at) {
            *tact_mechanism_entry(room, at, k) *= -1;
        }
    }
    if (lane == 0) {
        room->sign[c - path->points] *= -1;
        room->cover[c] *= -1;
        if (basic) {
            room->x[at] = 2 * room->mu[c] - room->x[at];
            room->dx[at] *= -1;
        }
    }
    tact_lane_meet();
}

/// Positions of the motors that stick, after those of contacts, and u with the others at theirs.
TACT_LANE void tact_mechanism_place_motors(const TactMechanismTask *task, TactMechanismRoom *room,
                                           TactMechanismPath *path)
{
    int             lane = tact_warp_lane();
    const unsigned *stored = task->more.basis + (size_t)path->problem * (size_t)task->more.motors;
    TACT_ROLLED for (int first = path->points; first < path->items; first += TACT_WARP)
    {
        int      c = first + lane, own = c < path->items;
        unsigned state = own ? stored[c - path->points] : 0;
        int      sticks = own && (state & TACT_MOTOR_STICKS);
        unsigned votes = tact_warp_vote(sticks);
        int      at = path->size + tact_lane_count_bits(votes & ((1u << lane) - 1));
        if (own) {
            room->sign[c - path->points] = state & TACT_MOTOR_BACK ? -1 : 1;
            room->state[c] = sticks ? TACT_MECHANISM_THETA : 0;
        }
        if (sticks && at < TACT_BASIS) {
            room->pair[at] = c * TACT_CODE_CONTACT;
            room->at[c][TACT_MECHANISM_NORMAL] = (unsigned char)at;
        }
        path->size += tact_lane_count_bits(votes);
    }
    tact_lane_meet();
    tact_moment_recall(task, room, path);
    tact_mechanism_base(room, path);
}

/// Do motors of a recalled basis obey their law? After tact_mechanism_apply().
TACT_LANE int tact_mechanism_motors_hold(const TactMechanismRoom *room,
                                         const TactMechanismPath *path, double tol)
{
    int bad = 0;
    TACT_ROLLED for (int c = path->points + tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        int    at = room->at[c][TACT_MECHANISM_NORMAL];
        double slack = room->sign[c - path->points] * room->u[tact_mechanism_first(room, c)];
        bad |= at == TACT_NOWHERE ? !(slack > -tol) : !(room->x[at] < 2 * room->mu[c] + tol);
    }
    return !bad;
}

/// As before a basis was recalled.
TACT_LANE void tact_mechanism_forget_motors(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int c = path->points + tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        room->state[c] = 0;
        room->at[c][TACT_MECHANISM_NORMAL] = TACT_NOWHERE;
    }
    tact_moment_take(room, path);
    tact_mechanism_orient(room, path);
}

TACT_LANE void tact_mechanism_cover_motors(TactMechanismRoom *room, const TactMechanismPath *path,
                                           int attempt)
{
    TACT_ROLLED for (int c = path->points + tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        room->cover[c] = TACT_MOTOR_COVER * tact_body_cover(c, attempt) / 3;
    }
    tact_lane_meet();
}

/// The motor that z0 lifts last, if that is later than the contact at hand.
TACT_LANE void tact_mechanism_start_motors(const TactMechanismRoom *room,
                                           const TactMechanismPath *path, double *ratio, int *item)
{
    TACT_ROLLED for (int c = path->points + tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        double slack = room->sign[c - path->points] * room->u[tact_mechanism_first(room, c)];
        if (-slack > *ratio * room->cover[c]) {
            *ratio = -slack / room->cover[c];
            *item = c;
        }
    }
}

/// States of motors for the next time, and impulses of loops to their rows:
/// p_b = - A_bb^-1 (u_b + A_bc p_c).
TACT_LANE void tact_mechanism_finish_extra(const TactMechanismTask *task, TactMechanismRoom *room,
                                           const TactMechanismPath *path)
{
    int       lane = tact_warp_lane();
    unsigned *stored = task->more.basis + (size_t)path->problem * (size_t)task->more.motors;
    TACT_ROLLED for (int c = path->points + lane; c < path->items; c += TACT_WARP)
    {
        stored[c - path->points] = room->state[c] & TACT_MECHANISM_THETA ? TACT_MOTOR_STICKS
                                   : room->sign[c - path->points] < 0    ? TACT_MOTOR_BACK
                                                                         : TACT_MOTOR_FORWARD;
    }
    tact_moment_finish(task, room, path);
    TACT_ROLLED for (int b = path->rows + lane; b < path->all; b += TACT_WARP)
    {
        const double *row = tact_mechanism_packed(room) + tact_triangle(b);
        double        sum = -room->free[b];
        TACT_ROLLED for (int c = 0; c < path->rows; c++)
        {
            sum -= row[c] * room->push[c];
        }
        room->push[b] = sum;
    }
    tact_lane_meet();
}

#endif

#endif
