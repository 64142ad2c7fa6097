// A path of a mechanism that resumes from the basis of the last step where that does not hold: as
// gpu/body/body_resume.h, with the inverse of the basis (docs/theory/gpu.md, (12) to (14)).
//
// z0 takes e of every unknown that was basic and gives e to every slack that was not 0. Impulses
// and velocities are kept as they are without that: an unknown is its value in the basis less e z0.
#ifndef TACT_GPU_MECHANISM_RESUME_H
#define TACT_GPU_MECHANISM_RESUME_H

#include "gpu/mechanism/mechanism_cover.h"
#include "gpu/mechanism/mechanism_recall.h"

// Pivots of a path that resumes; what takes more begins anew.
#define TACT_MECHANISM_RESUME_PIVOTS 16

/// What a path resumes with: the variable that is most negative for its e.
typedef struct TactMechanismWorst {
    double ratio; // z0
    int    code;  // pair * 2; + 1: the unknown
} TactMechanismWorst;

TACT_LANE void tact_mechanism_look(const TactMechanismRoom *room, double value, int code,
                                   TactMechanismWorst *worst)
{
    double ratio = -value / room->cover[tact_pair_contact(code / 2)];
    if (ratio > worst->ratio) {
        worst->ratio = ratio;
        worst->code = code;
    }
}

/// Of all variables of the basis. After tact_mechanism_apply(); contact c belongs to lane c.
TACT_LANE TactMechanismWorst tact_mechanism_find_worst(const TactMechanismTask *task,
                                                       const TactMechanismRoom *room,
                                                       const TactMechanismPath *path)
{
    TactMechanismWorst worst = {0, 1 << 30};
    int                lane = tact_warp_lane(), pair = lane * TACT_CODE_CONTACT;
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
        tact_mechanism_look(room, room->x[k], 2 * room->pair[k] + 1, &worst);
    }
    if (lane < path->points) {
        const double *u = room->u + tact_mechanism_first(room, lane);
        unsigned      state = room->state[lane];
        int           active = (state & TACT_MECHANISM_ACTIVE) != 0;
        if (!(state & TACT_MECHANISM_THETA)) {
            tact_mechanism_look(room, u[0], 2 * (pair + TACT_MECHANISM_NORMAL), &worst);
        }
        if (active && !(state & TACT_MECHANISM_LAMBDA)) {
            tact_mechanism_look(room, room->gamma[lane], 2 * (pair + TACT_MECHANISM_SLIP), &worst);
        }
        TACT_ROLLED for (int j = 0; j < task->directions.count && active; j++)
        {
            if (!(state & (unsigned)TACT_MECHANISM_PHI << j)) {
                double sigma = room->cosine[j] * u[1] + room->sine[j] * u[2] + room->lambda[lane];
                tact_mechanism_look(room, sigma, 2 * (pair + TACT_MECHANISM_FRICTION + j), &worst);
            }
        }
    }
    for (int k = 1; k < TACT_WARP; k *= 2) {
        double ratio = tact_warp_read(worst.ratio, lane ^ k);
        int    code = tact_warp_read_int(worst.code, lane ^ k);
        int    take = ratio > worst.ratio || (ratio == worst.ratio && code < worst.code);
        worst.ratio = take ? ratio : worst.ratio;
        worst.code = take ? code : worst.code;
    }
    return worst;
}

/// e of the unknown at a position.
TACT_LANE double tact_mechanism_early_part(const TactMechanismRoom *room, int at)
{
    return room->cover[tact_pair_contact(room->pair[at])];
}

/// Position `from` becomes `to`, which is free, in rows, columns and lists. count: positions.
TACT_LANE void tact_mechanism_move_position(TactMechanismRoom *room, int from, int to, int count)
{
    int lane = tact_warp_lane();
    TACT_ROLLED for (int b = lane; b < count; b += TACT_WARP)
    {
        *tact_mechanism_entry(room, to, b) = *tact_mechanism_entry(room, from, b);
    }
    tact_lane_meet();
    TACT_ROLLED for (int a = lane; a < count || a == to; a += TACT_WARP)
    {
        *tact_mechanism_entry(room, a, to) = *tact_mechanism_entry(room, a, from);
    }
    if (lane == 0) {
        int pair = room->pair[from];
        room->pair[to] = pair;
        room->x[to] = room->x[from];
        room->at[tact_pair_contact(pair)][tact_pair_kind(pair)] = (unsigned char)to;
    }
    tact_lane_meet();
}

/// All unknowns move by e z0, and entries of G with them: G - e row / by, where `row` (room->line)
/// is what z0 follows. Its own row is - row / by. Positions 1 to size.
TACT_LANE void tact_mechanism_bring_in(TactMechanismRoom *room, int size, double inverse)
{
    int lane = tact_warp_lane();
    TACT_ROLLED for (int b = 1 + lane; b <= size; b += TACT_WARP)
    {
        double part = room->line[b] * inverse;
        TACT_ROLLED for (int a = 1; a <= size; a++)
        {
            *tact_mechanism_entry(room, a, b) -= tact_mechanism_early_part(room, a) * part;
        }
        *tact_mechanism_entry(room, 0, b) = -part;
    }
    tact_lane_meet();
}

/// A slack leaves as z0 enters; its unknown drives (13).
TACT_LANE void tact_mechanism_resume_at_slack(TactMechanismRoom *room, TactMechanismPath *path,
                                              int slack)
{
    int    lane = tact_warp_lane(), size = path->size;
    double inverse = 1 / room->cover[tact_pair_contact(slack)];
    tact_mechanism_respond(room, path, slack);
    TACT_ROLLED for (int k = 1 + lane; k <= size; k += TACT_WARP)
    {
        room->dx[k] =
            tact_mechanism_along(room, room->pair[k]) + tact_pair_extra(room, slack, room->pair[k]);
    }
    tact_lane_meet();
    TACT_ROLLED for (int b = 1 + lane; b <= size; b += TACT_WARP)
    {
        double sum = 0;
        TACT_ROLLED for (int a = 1; a <= size; a++)
        {
            sum += room->dx[a] * *tact_mechanism_entry(room, a, b);
        }
        room->line[b] = sum;
    }
    tact_lane_meet();
    tact_mechanism_bring_in(room, size, inverse);
    TACT_ROLLED for (int a = lane; a <= size; a += TACT_WARP)
    {
        *tact_mechanism_entry(room, a, 0) =
            a == 0 ? inverse : tact_mechanism_early_part(room, a) * inverse;
    }
    path->size = size + 1;
    path->by_row = 0;
    tact_lane_meet();
}

/// The unknown at a position leaves as z0 enters; its slack drives (14).
TACT_LANE void tact_mechanism_resume_at_unknown(TactMechanismRoom *room, TactMechanismPath *path,
                                                int at, int leaving)
{
    int    lane = tact_warp_lane(), size = path->size;
    double inverse = 1 / tact_mechanism_early_part(room, at);
    TACT_ROLLED for (int b = 1 + lane; b <= size; b += TACT_WARP)
    {
        room->line[b] = *tact_mechanism_entry(room, at, b);
    }
    tact_lane_meet();
    tact_mechanism_bring_in(room, size, inverse);
    TACT_ROLLED for (int a = lane; a <= size; a += TACT_WARP)
    {
        *tact_mechanism_entry(room, a, 0) = *tact_mechanism_entry(room, a, at);
    }
    tact_lane_meet();
    tact_mechanism_drop(room, path, leaving);
    tact_lane_meet();
    if (at < size) {
        tact_mechanism_move_position(room, size, at, size + 1);
    }
    path->by_row = 1;
    tact_lane_meet();
}

/// After a basis was recalled and does not hold; 0: no path can resume from it.
TACT_LANE int tact_mechanism_resume(const TactMechanismTask *task, TactMechanismRoom *room,
                                    TactMechanismPath *path)
{
    int lane = tact_warp_lane(), own = lane < path->points;
    if (path->size + 1 > TACT_BASIS || !tact_mechanism_invert_recalled(room, path)) {
        return 0;
    }
    if (own) {
        room->cover[lane] = task->cover[lane];
        room->sigma[lane] = task->c_sigma;
        room->early[lane] = room->state[lane];
    }
    room->right = task->right;
    room->halfway = task->halfway;
    tact_lane_meet();
    TactMechanismWorst worst = tact_mechanism_find_worst(task, room, path);
    if (!(worst.ratio > 0)) {
        return 0;
    }
    if (path->size > 0) { // position 0 is that of z0
        tact_mechanism_move_position(room, 0, path->size, path->size);
    }
    int pair = worst.code / 2, size = path->size;
    path->resumed = 1;
    int at = worst.code & 1 ? room->at[tact_pair_contact(pair)][tact_pair_kind(pair)] : 0;
    TACT_ROLLED for (int k = 1 + lane; k <= size; k += TACT_WARP)
    {
        room->x[k] += tact_mechanism_early_part(room, k) * worst.ratio;
    }
    if (own && (room->state[lane] & TACT_MECHANISM_ACTIVE)) {
        int slides = (room->state[lane] & TACT_MECHANISM_LAMBDA) != 0;
        room->gamma[lane] = slides ? 0 : room->gamma[lane] + room->cover[lane] * worst.ratio;
    }
    tact_lane_meet();
    if (at > 0) {
        tact_mechanism_resume_at_unknown(room, path, at, pair);
    } else {
        tact_mechanism_resume_at_slack(room, path, pair);
    }
    if (lane == 0) {
        room->x[0] = worst.ratio;
        room->pair[0] = -1;
    }
    path->pair = pair;
    path->limit = path->pivots + TACT_MECHANISM_RESUME_PIVOTS;
    tact_lane_meet();
    return 1;
}

#endif
