// Rates of all variables of a mechanism as one of them drives, and the ratio test over them.
#ifndef TACT_GPU_MECHANISM_SWEEP_H
#define TACT_GPU_MECHANISM_SWEEP_H

#include "gpu/mechanism/mechanism_room.h"
#include "gpu/ratio.h"

/// A times the direction of a pair: velocities that its unknown gives to all contacts.
TACT_LANE void tact_mechanism_respond(TactMechanismRoom *room, const TactMechanismPath *path,
                                      int pair)
{
    double along[3];
    int    contact = tact_pair_contact(pair), first = tact_mechanism_first(room, contact);
    int    rough = tact_mechanism_is_rough(room, contact);
    tact_pair_direction(room, pair, along);
    TACT_ROLLED for (int r = tact_warp_lane(); r < path->rows; r += TACT_WARP)
    {
        double sum = along[0] * tact_mechanism_delassus(room, r, first);
        if (rough) {
            sum += along[1] * tact_mechanism_delassus(room, r, first + 1);
            sum += along[2] * tact_mechanism_delassus(room, r, first + 2);
        }
#if TACT_EXTRA > 0
        else if (along[1] != 0) { // rolling
            sum += along[1] * tact_mechanism_delassus(room, r, first + 1);
        }
#endif
        room->answer[r] = sum;
    }
    tact_lane_meet();
}

/// What room->answer is along a pair.
TACT_LANE double tact_mechanism_along(const TactMechanismRoom *room, int pair)
{
    double        along[3];
    int           contact = tact_pair_contact(pair);
    const double *answer = room->answer + tact_mechanism_first(room, contact);
    tact_pair_direction(room, pair, along);
    double across =
        tact_mechanism_is_rough(room, contact) ? along[1] * answer[1] + along[2] * answer[2] : 0;
#if TACT_EXTRA > 0
    if (tact_moment_kind(room, contact) == TACT_MOMENT_ROLL) {
        across = along[1] * answer[1];
    }
#endif
    return along[0] * answer[0] + across;
}

/// A row or column of G times a line, in several sums: what takes time is waiting for the room.
TACT_LANE double tact_mechanism_dot(const double *a, int step, const double *line, int size)
{
    double sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    int    k = 0;
    TACT_ROLLED for (; k + TACT_AT_ONCE <= size; k += TACT_AT_ONCE)
    {
        TACT_UNROLL for (int j = 0; j < TACT_AT_ONCE; j++)
        {
            sum[j] += a[(k + j) * step] * line[k + j];
        }
    }
    TACT_ROLLED for (; k < size; k++)
    {
        sum[0] += a[k * step] * line[k];
    }
    double low = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return TACT_AT_ONCE > 4 ? low + ((sum[4] + sum[5]) + (sum[6] + sum[7])) : low;
}

/// dx of all basic unknowns.
TACT_LANE void tact_mechanism_drive(TactMechanismRoom *room, const TactMechanismPath *path)
{
    int lane = tact_warp_lane();
    if (!path->by_row) {
        tact_mechanism_respond(room, path, path->pair);
        TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
        {
            int slack = k == 0 ? path->pair : room->pair[k];
            room->line[k] =
                tact_mechanism_along(room, slack) + tact_pair_extra(room, slack, path->pair);
        }
        tact_lane_meet();
    }
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
        const double *row = tact_mechanism_entry(room, k, 0);
        room->dx[k] = path->by_row ? row[0] : -tact_mechanism_dot(row, 1, room->line, path->size);
    }
    tact_lane_meet();
}

/// Rate of an unknown: that of a basic one, 1 of the driving one, or 0.
TACT_LANE double tact_mechanism_rate(const TactMechanismRoom *room, const double *rates,
                                     const TactMechanismPath *path, int pair)
{
    int at = room->at[tact_pair_contact(pair)][tact_pair_kind(pair)];
    return at != TACT_NOWHERE ? rates[at] : pair == path->pair && !path->by_row ? 1 : 0;
}

/// Sum of the friction of a contact, and its impulses n 1 2. rates: dx, or x where nothing drives.
TACT_LANE double tact_mechanism_gather(const TactMechanismRoom *room, const double *rates,
                                       const TactMechanismPath *path, int contact, double out[3])
{
    int      code = contact * TACT_CODE_CONTACT;
    unsigned phis = room->state[contact] >> TACT_MECHANISM_PHI_SHIFT;
    double   sum = 0;
    if (!path->by_row && tact_pair_contact(path->pair) == contact &&
        tact_pair_kind(path->pair) >= TACT_MECHANISM_FRICTION) {
        phis |= 1u << (tact_pair_kind(path->pair) - TACT_MECHANISM_FRICTION);
    }
    out[0] = tact_mechanism_rate(room, rates, path, code + TACT_MECHANISM_NORMAL);
    out[1] = out[2] = 0;
    if (path->may_resume && path->resumed) { // what z0 takes
        double   part = room->cover[contact] * rates[0];
        unsigned early = room->early[contact];
        out[0] -= early & TACT_MECHANISM_THETA ? part : 0;
        TACT_ROLLED for (early >>= TACT_MECHANISM_PHI_SHIFT; early; early &= early - 1)
        {
            int j = tact_lane_first_bit(early);
            sum -= part;
            out[1] -= part * room->cosine[j];
            out[2] -= part * room->sine[j];
        }
    }
    TACT_ROLLED for (; phis; phis &= phis - 1)
    {
        int    j = tact_lane_first_bit(phis);
        double phi = tact_mechanism_rate(room, rates, path, code + TACT_MECHANISM_FRICTION + j);
        sum += phi;
        out[1] += phi * room->cosine[j];
        out[2] += phi * room->sine[j];
    }
    return sum;
}

#ifdef TACT_ALL_ROUGH

/// out = A push (+ start), of the contacts that are pushed. A lane has the three rows of a contact
/// and every second (fourth) of those that are pushed: nine entries of A at a time.
TACT_LANE void tact_mechanism_move(TactMechanismRoom *room, const TactMechanismPath *path,
                                   unsigned pushed, const double *start, double *out)
{
    enum { PARTS = TACT_WARP / TACT_POINTS };
    const double *A = tact_mechanism_packed(room);
    int           lane = tact_warp_lane(), own = lane % TACT_POINTS, part = lane / TACT_POINTS;
    unsigned      left = own < path->points ? pushed : 0;
    double        sum[3] = {0, 0, 0};
    left &= (PARTS == 2 ? 0x55555555u : 0x11111111u) << part;
    TACT_ROLLED for (; left; left &= left - 1)
    {
        // at_k: row k of the block below the diagonal. This one is across, if it is above it.
        int           other = tact_lane_first_bit(left), under = own > other, across = own < other;
        int           high = 3 * (across ? other : own), low = 3 * (across ? own : other);
        const double *at_0 = A + tact_triangle(high) + low, *at_1 = at_0 + high + 1;
        const double *at_2 = at_1 + high + 2, *push = room->push + 3 * other;
        sum[0] += at_0[0] * push[0];
        sum[0] += *(under ? at_0 + 1 : at_1) * push[1];
        sum[0] += *(under ? at_0 + 2 : at_2) * push[2];
        sum[1] += *(across ? at_0 + 1 : at_1) * push[0];
        sum[1] += at_1[1] * push[1];
        sum[1] += *(under ? at_1 + 2 : at_2 + 1) * push[2];
        sum[2] += *(across ? at_0 + 2 : at_2) * push[0];
        sum[2] += *(across ? at_1 + 2 : at_2 + 1) * push[1];
        sum[2] += at_2[2] * push[2];
    }
    TACT_UNROLL for (int k = 0; k < 3; k++)
    {
        TACT_UNROLL for (int step = TACT_POINTS; step < TACT_WARP; step *= 2)
        {
            sum[k] += tact_warp_read(sum[k], lane ^ step);
        }
        if (lane < path->points) {
            out[3 * lane + k] = sum[k] + (start ? start[3 * lane + k] : 0);
        }
    }
    tact_lane_meet();
}

#else

/// out = A push (+ start), of the contacts that are pushed.
TACT_LANE void tact_mechanism_move(TactMechanismRoom *room, const TactMechanismPath *path,
                                   unsigned pushed, const double *start, double *out)
{
    unsigned rough = room->rough < 32 ? (1u << room->rough) - 1 : ~0u;
    TACT_ROLLED for (int r = tact_warp_lane(); r < path->rows; r += TACT_WARP)
    {
        double        sum[3] = {start ? start[r] : 0, 0, 0};
        const double *A = tact_mechanism_packed(room);
        TACT_ROLLED for (unsigned left = pushed & rough; left; left &= left - 1)
        {
            // Row r up to its diagonal, and column r from there on.
            int           first = 3 * tact_lane_first_bit(left);
            const double *row = A + tact_triangle(r) + first, *push = room->push + first;
            const double *column = A + tact_triangle(first) + r;
            sum[0] += *(r >= first ? row : column) * push[0];
            sum[1] += *(r > first ? row + 1 : column + first + 1) * push[1];
            sum[2] += *(r > first + 1 ? row + 2 : column + 2 * first + 3) * push[2];
        }
        TACT_ROLLED for (unsigned left = pushed & ~rough; left; left &= left - 1)
        {
            int first = tact_mechanism_first(room, tact_lane_first_bit(left));
            sum[0] += tact_mechanism_delassus(room, r, first) * room->push[first];
        }
#if TACT_EXTRA > 0
        TACT_ROLLED for (int k = path->points; k < path->items + path->moments; k++) // and motors
        {
            int first = tact_mechanism_first(room, k);
            sum[0] += tact_mechanism_delassus(room, r, first) * room->push[first];
        }
#endif
        out[r] = sum[0] + (sum[1] + sum[2]);
    }
    tact_lane_meet();
}

#endif

/// Friction of a contact whose theta becomes the driving variable, with c_sigma so large that no
/// sigma starts below 0 [Lloyd04, app. D].
TACT_LANE void tact_mechanism_activate(TactMechanismRoom *room, const TactMechanismPath *path,
                                       int contact)
{
    if (path->pair == contact * TACT_CODE_CONTACT + TACT_MECHANISM_NORMAL && !path->by_row &&
        !(room->state[contact] & TACT_MECHANISM_ACTIVE) && room->mu[contact] > 0) {
        int    first = tact_mechanism_first(room, contact);
        double u1 = room->u[first + 1], u2 = room->u[first + 2], z0 = room->x[0];
        double needed = z0 > 0 ? 1.01 * sqrt(u1 * u1 + u2 * u2) / z0 : 0;
        room->sigma[contact] = needed > room->sigma[contact] ? needed : room->sigma[contact];
        room->gamma[contact] = TACT_MECHANISM_COVER_GAMMA * z0;
        room->lambda[contact] = 0;
        room->state[contact] |= TACT_MECHANISM_ACTIVE;
    }
}

/// Impulses of a contact to their rows.
TACT_LANE void tact_mechanism_put_push(TactMechanismRoom *room, int contact, const double push[3])
{
    int first = tact_mechanism_first(room, contact), width = tact_mechanism_width(room, contact);
    TACT_UNROLL for (int k = 0; k < 3; k++)
    {
        if (k < width) {
            room->push[first + k] = push[k];
        }
    }
}

#if TACT_EXTRA > 0
/// Sum of the friction of a moment, and its impulses along its rows. rates: dx, or x where nothing
/// drives.
TACT_LANE double tact_moment_gather(const TactMechanismRoom *room, const double *rates,
                                    const TactMechanismPath *path, int item, double out[2])
{
    int      code = item * TACT_CODE_CONTACT + TACT_MECHANISM_FRICTION;
    unsigned phis = room->state[item] >> TACT_MECHANISM_PHI_SHIFT;
    double   sum = 0, along[3];
    if (!path->by_row && tact_pair_contact(path->pair) == item &&
        tact_pair_kind(path->pair) >= TACT_MECHANISM_FRICTION) {
        phis |= 1u << (tact_pair_kind(path->pair) - TACT_MECHANISM_FRICTION);
    }
    out[0] = out[1] = 0;
    TACT_ROLLED for (; phis; phis &= phis - 1)
    {
        int    j = tact_lane_first_bit(phis);
        double phi = tact_mechanism_rate(room, rates, path, code + j);
        tact_pair_direction(room, code + j, along);
        sum += phi;
        out[0] += phi * along[0];
        out[1] += phi * along[1];
    }
    return sum;
}

/// What the variables of an item are counted in where they are held against ties: moments in their
/// bounds, which are some hundredths of those of sliding and less.
TACT_LANE double tact_item_weight(const TactMechanismRoom *room, int item)
{
    return item >= room->list.first_moment ? tact_lane_inverse(room->mu[item]) : 1;
}

/// Impulses of a moment to its rows.
TACT_LANE void tact_moment_put_push(TactMechanismRoom *room, int item, const double push[2])
{
    int first = tact_mechanism_first(room, item);
    room->push[first] = push[0];
    if (tact_moment_kind(room, item) == TACT_MOMENT_ROLL) {
        room->push[first + 1] = push[1];
    }
}

/// Friction of a moment of a contact whose theta becomes the driving variable.
TACT_LANE void tact_moment_activate(TactMechanismRoom *room, const TactMechanismPath *path,
                                    int item, int contact)
{
    if (path->pair == contact * TACT_CODE_CONTACT + TACT_MECHANISM_NORMAL && !path->by_row &&
        !(room->state[item] & TACT_MECHANISM_ACTIVE)) {
        const double *u = room->u + tact_mechanism_first(room, item);
        int           roll = tact_moment_kind(room, item) == TACT_MOMENT_ROLL;
        double        z0 = room->x[0], size = roll ? sqrt(u[0] * u[0] + u[1] * u[1]) : fabs(u[0]);
        double        needed = z0 > 0 ? 1.01 * size / z0 : 0;
        room->sigma[item] = needed > room->sigma[item] ? needed : room->sigma[item];
        room->gamma[item] = TACT_MECHANISM_COVER_GAMMA * z0;
        room->lambda[item] = 0;
        room->state[item] |= TACT_MECHANISM_ACTIVE;
    }
}

/// Rates of the impulses of moments, and of their gammas: mu theta - sum of phi.
TACT_LANE void tact_moment_drive(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int m = tact_warp_lane(); m < path->moments; m += TACT_WARP)
    {
        int    item = path->items + m, contact = room->list.moment_of[m], code = contact;
        double push[2];
        if (room->list.moment_kind[m] == TACT_MOMENT_SECOND) {
            continue;
        }
        code = code * TACT_CODE_CONTACT + TACT_MECHANISM_NORMAL;
        tact_moment_activate(room, path, item, contact);
        double sum = tact_moment_gather(room, room->dx, path, item, push);
        double load = tact_mechanism_rate(room, room->dx, path, code);
        room->dgamma[item] = room->mu[item] * load - sum + TACT_MECHANISM_COVER_GAMMA * room->dx[0];
        room->dlambda[item] = tact_mechanism_rate(room, room->dx, path,
                                                  item * TACT_CODE_CONTACT + TACT_MECHANISM_SLIP);
        tact_moment_put_push(room, item, push);
    }
}

/// gamma and sigma of the moments that are active, a direction a lane.
TACT_LANE void tact_moment_sweep(const TactMechanismTask *task, const TactMechanismRoom *room,
                                 const TactMechanismPath *path, TactBodySweep *sweep)
{
    int count = task->directions.count;
    TACT_ROLLED for (int k = tact_warp_lane(); k < count * path->moments; k += TACT_WARP)
    {
        int m = k / count, j = k - m * count, item = path->items + m;
        int pair = item * TACT_CODE_CONTACT + TACT_MECHANISM_FRICTION + j;
        int slip = item * TACT_CODE_CONTACT + TACT_MECHANISM_SLIP, kind = room->list.moment_kind[m];
        unsigned state = room->state[item];
        if (kind == TACT_MOMENT_SECOND || !(state & TACT_MECHANISM_ACTIVE)) {
            continue;
        }
        double weight = tact_item_weight(room, item);
        if (j == 0 && !(state & TACT_MECHANISM_LAMBDA) && path->pair != slip) {
            tact_body_meet(sweep, weight * room->gamma[item], weight * room->dgamma[item],
                           2 * slip);
        }
        if ((kind == TACT_MOMENT_ROLL || j < 2) && !(state & (unsigned)TACT_MECHANISM_PHI << j) &&
            pair != path->pair) {
            int    first = tact_mechanism_first(room, item), next = kind == TACT_MOMENT_ROLL;
            double along[3], cover = tact_pair_cover(room, path, pair);
            tact_pair_direction(room, pair, along);
            double value = along[0] * room->u[first] + along[1] * room->u[first + next];
            double rate = along[0] * room->du[first] + along[1] * room->du[first + next];
            value += room->lambda[item] + cover * room->x[0];
            rate += room->dlambda[item] + cover * room->dx[0];
            tact_body_meet(sweep, weight * value, weight * rate, 2 * pair);
        }
    }
}
#endif

/// Rates of impulses and velocities of all contacts; of a contact nu, gamma are swept. Contact c
/// belongs to lane c.
TACT_LANE void tact_mechanism_sweep_contacts(TactMechanismRoom *room, const TactMechanismPath *path,
                                             TactBodySweep *sweep)
{
    int    lane = tact_warp_lane(), own = lane < path->points, code = lane * TACT_CODE_CONTACT;
    double push[3] = {0, 0, 0};
    if (own) {
        tact_mechanism_activate(room, path, lane);
        double rate = tact_mechanism_gather(room, room->dx, path, lane, push);
        room->dgamma[lane] = room->mu[lane] * push[0] - rate +
                             tact_pair_cover(room, path, code + TACT_MECHANISM_SLIP) * room->dx[0];
        room->dlambda[lane] = tact_mechanism_rate(room, room->dx, path, code + TACT_MECHANISM_SLIP);
        if (path->may_resume && path->resumed && (room->early[lane] & TACT_MECHANISM_LAMBDA)) {
            room->dlambda[lane] -= room->cover[lane] * room->dx[0];
        }
        tact_mechanism_put_push(room, lane, push);
    }
#if TACT_EXTRA > 0
    TACT_ROLLED for (int c = path->points + lane; c < path->items; c += TACT_WARP)
    {
        double rate = tact_mechanism_rate(room, room->dx, path, c * TACT_CODE_CONTACT);
        room->push[tact_mechanism_first(room, c)] = tact_item_sign(room, c) * rate;
    }
    tact_moment_drive(room, path);
#endif
    unsigned pushed = tact_warp_vote(own && (push[0] != 0 || push[1] != 0 || push[2] != 0));
    tact_lane_meet();
    tact_mechanism_move(room, path, pushed, NULL, room->du);
    if (own) {
        unsigned state = room->state[lane];
        int      first = tact_mechanism_first(room, lane);
        if (!(state & TACT_MECHANISM_THETA) && path->pair != code + TACT_MECHANISM_NORMAL) {
            double cover = tact_pair_cover(room, path, code + TACT_MECHANISM_NORMAL);
            tact_body_meet(sweep, room->u[first] + cover * room->x[0],
                           room->du[first] + cover * room->dx[0],
                           2 * (code + TACT_MECHANISM_NORMAL));
        }
        if ((state & TACT_MECHANISM_ACTIVE) && !(state & TACT_MECHANISM_LAMBDA) &&
            path->pair != code + TACT_MECHANISM_SLIP) {
            tact_body_meet(sweep, room->gamma[lane], room->dgamma[lane],
                           2 * (code + TACT_MECHANISM_SLIP));
        }
    }
#if TACT_EXTRA > 0
    TACT_ROLLED for (int c = path->points + lane; c < path->items; c += TACT_WARP)
    {
        double sign = tact_item_sign(room, c);
        int    first = tact_mechanism_first(room, c), pair = c * TACT_CODE_CONTACT;
        if (!(room->state[c] & TACT_MECHANISM_THETA) && path->pair != pair) {
            tact_body_meet(sweep, sign * room->u[first] + room->cover[c] * room->x[0],
                           sign * room->du[first] + room->cover[c] * room->dx[0], 2 * pair);
        } else if (path->pair == pair && !path->by_row) { // it drives, up to its other bound
            tact_body_meet(sweep, 2 * room->mu[c], -1, TACT_CODE_UPPER + 2 * pair + 1);
        }
    }
#endif
}

/// sigma of the active contacts, a direction a lane.
TACT_LANE void tact_mechanism_sweep_friction(const TactMechanismTask *task,
                                             const TactMechanismRoom *room,
                                             const TactMechanismPath *path, TactBodySweep *sweep)
{
    int count = task->directions.count, times = 65536 / count + 1; // k / count, k < 256
    TACT_ROLLED for (int k = tact_warp_lane(); k < count * room->rough; k += TACT_WARP)
    {
        int      c = (k * times) >> 16, j = k - c * count, pair = c * TACT_CODE_CONTACT;
        unsigned state = room->state[c];
        pair += TACT_MECHANISM_FRICTION + j;
        if ((state & TACT_MECHANISM_ACTIVE) && !(state & (unsigned)TACT_MECHANISM_PHI << j) &&
            pair != path->pair) {
            int    first = tact_mechanism_first(room, c);
            double cosine = room->cosine[j], sine = room->sine[j];
            double cover = tact_pair_cover(room, path, pair);
            double value = cosine * room->u[first + 1] + sine * room->u[first + 2];
            double rate = cosine * room->du[first + 1] + sine * room->du[first + 2];
            value += room->lambda[c] + cover * room->x[0];
            rate += room->dlambda[c] + cover * room->dx[0];
            tact_body_meet(sweep, value, rate, 2 * pair);
        }
    }
}

/// The first to leave of all lanes: of those that block before anyone may have fallen below 0 by a
/// tie, the one with the largest rate (Harris), the lowest lane if rates agree to six digits.
TACT_LANE void tact_mechanism_agree(TactBodySweep *sweep)
{
    int    lane = tact_warp_lane(), blocks = sweep->best.under > 0;
    double inverse = tact_lane_inverse(blocks ? sweep->best.under : 1);
    double bound = tact_warp_least(blocks ? (sweep->best.value + sweep->tie) * inverse : 1e300);
    int    early = blocks && sweep->best.value * inverse <= bound;
    int    key = early ? (tact_lane_float_bits((float)sweep->best.under) & ~31) | (31 - lane) : 0;
    int    winner = 31 - (tact_lane_most(key) & 31);
    sweep->best.value = tact_warp_read(sweep->best.value, winner);
    sweep->best.under = tact_warp_read(sweep->best.under, winner);
    sweep->best.code = tact_warp_read_int(sweep->best.code, winner);
}

/// The variable that leaves first, the same in all lanes.
TACT_LANE void tact_mechanism_sweep(const TactMechanismTask *task, TactMechanismRoom *room,
                                    const TactMechanismPath *path, TactBodySweep *sweep)
{
    int   lane = tact_warp_lane();
    float most = 0;
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
        float size = (float)fabs(room->dx[k]);
        most = size > most ? size : most;
    }
    sweep->best.value = sweep->best.under = 0;
    sweep->best.code = 1 << 30;
    sweep->least = 1;
    sweep->tie = task->tie;
    sweep->tol = task->pivot_tol * tact_lane_float(tact_lane_most(tact_lane_float_bits(most)));
    TACT_ROLLED for (int k = lane; k < path->size; k += TACT_WARP)
    {
#if TACT_EXTRA > 0
        int    item = k > 0 ? tact_pair_contact(room->pair[k]) : 0;
        double weight = tact_item_weight(room, item);
        if (k > 0) {
            tact_body_meet(sweep, weight * room->x[k], weight * room->dx[k], 2 * room->pair[k] + 1);
        }
#else
        if (k > 0) {
            tact_body_meet(sweep, room->x[k], room->dx[k], 2 * room->pair[k] + 1);
        }
#endif
#if TACT_EXTRA > 0
        if (k > 0 && item >= path->points && item < path->items) { // a motor
            double bound = 2 * room->mu[tact_pair_contact(room->pair[k])];
            tact_body_meet(sweep, bound - room->x[k], -room->dx[k],
                           TACT_CODE_UPPER + 2 * room->pair[k] + 1);
        }
#endif
    }
    tact_mechanism_sweep_contacts(room, path, sweep);
    tact_mechanism_sweep_friction(task, room, path, sweep);
#if TACT_EXTRA > 0
    tact_moment_sweep(task, room, path, sweep);
#endif
    tact_mechanism_agree(sweep);
}

#endif
