// From the answer of the pyramid to that of the circle: Newton's method on the states of contacts
// and motors (docs/theory/newton-turning.md, States), in kernels that have TACT_EXTRA.
//
// A contact that slides along -s has p_t = mu p_n s + t delta with t across s and a damper in the
// row of delta, t'u_t + delta / c = 0. All that pushes makes one linear system for how its impulses
// change; unknowns that depend on those before them keep their values, so that redundant contacts
// share their load as the pyramid's answer does.
//
// Moments against spinning and rolling (docs/theory/spin-roll.md) are discs without a normal: one
// that moves has the bound mu_m p_n of its contact, whose load brings it along, and of rolling the
// same damper across. They have states of their own, OPEN while their contact has no friction.
#ifndef TACT_GPU_MECHANISM_CIRCLE_H
#define TACT_GPU_MECHANISM_CIRCLE_H

#include "gpu/mechanism/mechanism_recall.h"

#if TACT_EXTRA > 0

/// After so many rounds the worst item alone changes its state: what goes round in circles by
/// several of them often ends then.
enum { TACT_CIRCLE_ROUNDS = 24, TACT_CIRCLE_BOLD = 8 };

// Of the largest impulse or approach: what is rounding.
#define TACT_CIRCLE_TOL 1e-11
// A pivot below this has an unknown that depends on those before it.
#define TACT_CIRCLE_DEPENDENT 1e-9
// 1 / c of a contact that has no load yet.
#define TACT_CIRCLE_LOOSE 1e9
// A slip below this has no direction: that of the impulse stays.
#define TACT_CIRCLE_STILL 1e-10
// Items whose value is off by this part of the worst change their states, and the others do not.
#define TACT_CIRCLE_SHARE 0.3

/// Of a contact; a motor is OPEN at its bound, and STICKS.
typedef enum TactCircleState {
    TACT_CIRCLE_OPEN,
    TACT_CIRCLE_STICKS,
    TACT_CIRCLE_SLIDES,
    TACT_CIRCLE_PUSHES, // without friction
} TactCircleState;

/// Is an item the first row of a moment, or the second one of rolling, which has nothing of its
/// own?
TACT_LANE int tact_circle_is_moment(const TactMechanismPath *path, int c)
{
    return c >= path->items;
}

TACT_LANE int tact_circle_is_second(const TactMechanismRoom *room, int c)
{
    return tact_moment_kind(room, c) == TACT_MOMENT_SECOND;
}

/// Friction of an item: its rows, of which there may be one, and its bound.
typedef struct TactCircleDisc {
    int    first, wide;
    double bound;
} TactCircleDisc;

TACT_LANE TactCircleDisc tact_circle_disc(const TactMechanismRoom *room,
                                          const TactMechanismPath *path, int c)
{
    TactCircleDisc disc;
    int            moment = tact_circle_is_moment(path, c);
    int            load = moment ? room->list.moment_of[c - path->items] : c;
    disc.first = tact_mechanism_first(room, c) + (moment ? 0 : 1);
    disc.wide = moment ? tact_mechanism_width(room, c) : 2;
    disc.bound = room->mu[c] * room->push[tact_mechanism_first(room, load)];
    return disc;
}

TACT_LANE double tact_circle_length(const TactCircleDisc *disc, const double *x)
{
    double y = disc->wide > 1 ? x[disc->first + 1] : 0;
    return sqrt(x[disc->first] * x[disc->first] + y * y);
}

/// room->lambda, gamma: s of an item that slides; dgamma: 1 / c; state: TactCircleState.
TACT_LANE void tact_circle_turn(TactMechanismRoom *room, const TactMechanismPath *path, int c)
{
    TactCircleDisc disc = tact_circle_disc(room, path, c);
    double        *p = room->push + disc.first, *u = room->u + disc.first, R = disc.bound;
    double         slip = tact_circle_length(&disc, room->u), load = R / room->mu[c];
    double         rho = load > 1 ? load : 1, q[2] = {0, 0};
    rho = slip > TACT_CIRCLE_STILL && slip < 1e-5 && R > rho * slip ? R / slip : rho;
    for (int k = 0; k < disc.wide; k++) {
        q[k] = p[k] - rho * u[k];
    }
    double size = sqrt(q[0] * q[0] + q[1] * q[1]),
           loose = R > 1e-9 * size ? (size - R) / (rho * R) : TACT_CIRCLE_LOOSE;
    if (!(size > 0)) {
        return;
    }
    room->lambda[c] = q[0] / size;
    room->gamma[c] = q[1] / size;
    room->dgamma[c] = size > R ? loose : 0;
    for (int k = 0; k < disc.wide; k++) {
        p[k] = R * q[k] / size;
    }
}

/// The state that a moment should have, by that of its contact.
TACT_LANE unsigned tact_circle_next_moment(const TactMechanismRoom *room,
                                           const TactMechanismPath *path, int c, double tol,
                                           double *off)
{
    TactCircleDisc disc = tact_circle_disc(room, path, c);
    unsigned state = room->state[c], holds = room->state[room->list.moment_of[c - path->items]];
    double   slip = tact_circle_length(&disc, room->u);
    const double *u = room->u + disc.first;
    *off = 0;
    if (holds != TACT_CIRCLE_STICKS && holds != TACT_CIRCLE_SLIDES) {
        return TACT_CIRCLE_OPEN;
    }
    if (state == TACT_CIRCLE_OPEN) {
        *off = slip;
        return slip > tol ? TACT_CIRCLE_SLIDES : TACT_CIRCLE_STICKS;
    }
    double along = room->lambda[c] * u[0] + (disc.wide > 1 ? room->gamma[c] * u[1] : 0);
    *off = state == TACT_CIRCLE_STICKS ? tact_circle_length(&disc, room->push) - disc.bound : along;
    return !(*off > tol)                 ? state
           : state == TACT_CIRCLE_STICKS ? TACT_CIRCLE_SLIDES
                                         : TACT_CIRCLE_STICKS;
}

/// The state that an item should have, and by how much it is off where that is another.
TACT_LANE unsigned tact_circle_next(const TactMechanismRoom *room, const TactMechanismPath *path,
                                    int c, double tol, double *off)
{
    int           first = tact_mechanism_first(room, c);
    unsigned      state = room->state[c];
    const double *p = room->push + first, *u = room->u + first;
    *off = 0;
    if (c >= path->points) {
        double sign = room->sign[c - path->points], over = fabs(p[0]) - room->mu[c];
        *off = state == TACT_CIRCLE_OPEN ? -sign * u[0] : over;
        return *off > tol ? (unsigned)(state == TACT_CIRCLE_OPEN) : state;
    }
    double slip = c < room->rough ? sqrt(u[1] * u[1] + u[2] * u[2]) : 0;
    if (state == TACT_CIRCLE_OPEN) {
        int slides = c < room->rough && room->mu[c] > 0 && slip > tol;
        *off = -u[0];
        return *off > tol ? (slides ? TACT_CIRCLE_SLIDES : TACT_CIRCLE_PUSHES) : state;
    }
    if (p[0] < -tol) {
        *off = -p[0];
        return TACT_CIRCLE_OPEN;
    }
    if (c >= room->rough || !(room->mu[c] > 0)) {
        return TACT_CIRCLE_PUSHES;
    }
    double R = room->mu[c] * p[0], size = sqrt(p[1] * p[1] + p[2] * p[2]);
    if (state == TACT_CIRCLE_STICKS) {
        *off = size - R;
        return *off > tol ? TACT_CIRCLE_SLIDES : state;
    }
    // Along s it slides back: it sticks. One that pushed without friction slides against its slip.
    double along = room->lambda[c] * u[1] + room->gamma[c] * u[2];
    *off = state == TACT_CIRCLE_PUSHES ? slip : along;
    return state == TACT_CIRCLE_PUSHES ? (slip > tol ? TACT_CIRCLE_SLIDES : TACT_CIRCLE_STICKS)
           : along > tol               ? TACT_CIRCLE_STICKS
                                       : state;
}

/// How far friction is from its law.
TACT_LANE double tact_circle_disc_miss(const TactMechanismRoom *room, const TactMechanismPath *path,
                                       int c)
{
    TactCircleDisc disc = tact_circle_disc(room, path, c);
    const double  *p = room->push + disc.first, *u = room->u + disc.first;
    double         q[2] = {0, 0}, off[2] = {0, 0};
    for (int k = 0; k < disc.wide; k++) {
        q[k] = p[k] - u[k];
    }
    double size = sqrt(q[0] * q[0] + q[1] * q[1]);
    double bound = disc.bound > 0 ? disc.bound : 0, part = size > bound ? bound / size : 1;
    for (int k = 0; k < disc.wide; k++) {
        off[k] = p[k] - part * q[k];
    }
    return sqrt(off[0] * off[0] + off[1] * off[1]);
}

/// How far an item is from its law, in units of the problem.
TACT_LANE double tact_circle_miss(const TactMechanismRoom *room, const TactMechanismPath *path,
                                  int c)
{
    int           first = tact_mechanism_first(room, c);
    const double *p = room->push + first, *u = room->u + first;
    if (c >= path->points) {
        double m = room->mu[c], x = p[0] - u[0];
        return fabs(p[0] - (x > m ? m : x < -m ? -m : x));
    }
    double miss = fabs(p[0] < u[0] ? p[0] : u[0]);
    return c < room->rough && p[0] > 0
               ? tact_mechanism_bigger(miss, tact_circle_disc_miss(room, path, c))
               : miss;
}

/// Unknowns of an item.
TACT_LANE int tact_circle_width(const TactMechanismRoom *room, const TactMechanismPath *path, int c)
{
    unsigned state = room->state[c];
    if (tact_circle_is_moment(path, c)) {
        int wide = tact_circle_is_second(room, c) ? 0 : tact_mechanism_width(room, c);
        return state == TACT_CIRCLE_STICKS                ? wide
               : state == TACT_CIRCLE_SLIDES && wide == 2 ? 1
                                                          : 0;
    }
    return state == TACT_CIRCLE_OPEN     ? 0
           : c >= path->points           ? 1
           : state == TACT_CIRCLE_STICKS ? 3
           : state == TACT_CIRCLE_SLIDES ? 2
                                         : 1;
}

/// Positions of all unknowns; 0: there is no room for them.
TACT_LANE int tact_circle_place(TactMechanismRoom *room, TactMechanismPath *path)
{
    int lane = tact_warp_lane();
    path->size = 0;
    TACT_ROLLED for (int first = 0; first < path->items + path->moments; first += TACT_WARP)
    {
        int c = first + lane, has = c < path->items + path->moments;
        int own = has ? tact_circle_width(room, path, c) : 0;
        int before = own;
        for (int k = 1; k < TACT_WARP; k *= 2) {
            int other = tact_warp_read_int(before, lane - k);
            before += lane >= k ? other : 0;
        }
        int all = tact_warp_read_int(before, TACT_WARP - 1);
        for (int k = 0; k < own; k++) {
            int at = path->size + before - own + k;
            if (at < TACT_BASIS) {
                room->pair[at] = c * TACT_CODE_CONTACT + k;
            }
        }
        path->size += all;
    }
    tact_lane_meet();
    return path->size <= TACT_BASIS;
}

/// Parts of an unknown along n 1 2 of its item: of its impulse, and of the velocity in its row.
TACT_LANE void tact_circle_parts(const TactMechanismRoom *room, int pair, double push[3],
                                 double row[3])
{
    int    c = tact_pair_contact(pair), k = tact_pair_kind(pair);
    int    moment = c >= room->list.first_moment;
    int    slides = (c < room->list.points || moment) && room->state[c] == TACT_CIRCLE_SLIDES;
    double s[2] = {room->lambda[c], room->gamma[c]};
    for (int j = 0; j < 3; j++) {
        push[j] = row[j] = j == k ? 1 : 0;
    }
    if (slides && moment) {
        push[0] = row[0] = -s[1];
        push[1] = row[1] = s[0];
    } else if (slides && k == 0) {
        push[1] = room->mu[c] * s[0];
        push[2] = room->mu[c] * s[1];
    } else if (slides) {
        push[1] = row[1] = -s[1];
        push[2] = row[2] = s[0];
    }
}

/// The position of the load of a moment's contact.
TACT_LANE int tact_circle_load(const TactMechanismRoom *room, const TactMechanismPath *path, int m)
{
    int at = 0, code = room->list.moment_of[m - path->items] * TACT_CODE_CONTACT;
    TACT_ROLLED for (int k = 0; k < path->size; k++)
    {
        at = room->pair[k] == code ? k : at;
    }
    return at;
}

/// The system for the change of impulses: K in its place, what rows lack in room->line.
TACT_LANE void tact_circle_assemble(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int a = tact_warp_lane(); a < path->size; a += TACT_WARP)
    {
        double push[3], row[3], other[3];
        int    pair = room->pair[a], c = tact_pair_contact(pair);
        int    first = tact_mechanism_first(room, c), width = tact_mechanism_width(room, c);
        double sum = 0;
        tact_circle_parts(room, pair, push, row);
        for (int j = 0; j < width; j++) {
            sum -= row[j] * room->u[first + j];
        }
        room->line[a] = sum;
        TACT_ROLLED for (int b = 0; b < path->size; b++)
        {
            int at = tact_pair_contact(room->pair[b]), there = tact_mechanism_first(room, at);
            int wide = tact_mechanism_width(room, at);
            tact_circle_parts(room, room->pair[b], push, other);
            double entry = 0;
            for (int j = 0; j < width; j++) {
                for (int k = 0; k < wide; k++) {
                    if (row[j] != 0 && push[k] != 0) {
                        entry +=
                            row[j] * push[k] * tact_mechanism_delassus(room, first + j, there + k);
                    }
                }
            }
            *tact_mechanism_entry(room, a, b) = entry;
        }
        // loads bring along the moments that are at their bounds
        TACT_ROLLED for (int m = path->items; m < path->items + path->moments; m++)
        {
            if (tact_circle_is_second(room, m) || room->state[m] != TACT_CIRCLE_SLIDES) {
                continue;
            }
            int    at = tact_circle_load(room, path, m), there = tact_mechanism_first(room, m);
            double entry = 0;
            for (int j = 0; j < width; j++) {
                for (int k = 0; k < tact_mechanism_width(room, m); k++) {
                    double part = room->mu[m] * (k ? room->gamma[m] : room->lambda[m]);
                    entry += row[j] != 0 ? row[j] * part *
                                               tact_mechanism_delassus(room, first + j, there + k)
                                         : 0;
                }
            }
            *tact_mechanism_entry(room, a, at) += entry;
        }
        int across = c < path->points ? tact_pair_kind(pair) == 1 : c >= path->items;
        if (across && room->state[c] == TACT_CIRCLE_SLIDES) {
            *tact_mechanism_entry(room, a, a) += room->dgamma[c];
        }
    }
    tact_lane_meet();
}

/// Solves it by Gauss and Jordan into room->dx; unknowns without a pivot do not change. room->x:
/// which row a column has, -1: none.
TACT_LANE void tact_circle_solve(TactMechanismRoom *room, const TactMechanismPath *path)
{
    int                lane = tact_warp_lane(), size = path->size;
    unsigned long long used = 0;
    TACT_ROLLED for (int k = 0; k < size; k++)
    {
        int    row = -1;
        double most = TACT_CIRCLE_DEPENDENT;
        TACT_ROLLED for (int a = lane; a < size; a += TACT_WARP)
        {
            double entry = fabs(*tact_mechanism_entry(room, a, k));
            if (!(used >> a & 1) && entry > most) {
                most = entry;
                row = a;
            }
        }
        for (int step = 1; step < TACT_WARP; step *= 2) {
            double other = tact_warp_read(most, lane ^ step);
            int    its = tact_warp_read_int(row, lane ^ step);
            int    take = its >= 0 && (row < 0 || other > most || (other == most && its < row));
            most = take ? other : most;
            row = take ? its : row;
        }
        if (lane == 0) {
            room->x[k] = row;
        }
        if (row >= 0) {
            double inverse = 1 / *tact_mechanism_entry(room, row, k), own = room->line[row];
            used |= 1ull << row;
            tact_lane_meet();
            TACT_ROLLED for (int a = lane; a < size; a += TACT_WARP)
            {
                double factor = a == row ? 0 : *tact_mechanism_entry(room, a, k) * inverse;
                TACT_ROLLED for (int b = k; b < size && factor != 0; b++)
                {
                    *tact_mechanism_entry(room, a, b) -=
                        factor * *tact_mechanism_entry(room, row, b);
                }
                room->line[a] -= factor * own;
            }
        }
        tact_lane_meet();
    }
    TACT_ROLLED for (int k = lane; k < size; k += TACT_WARP)
    {
        int row = (int)room->x[k];
        room->dx[k] = row < 0 ? 0 : room->line[row] / *tact_mechanism_entry(room, row, k);
    }
    tact_lane_meet();
}

/// Impulses changed by what was solved, and the velocities that they give.
TACT_LANE void tact_circle_advance(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int a = tact_warp_lane(); a < path->size; a += TACT_WARP)
    {
        double push[3], row[3];
        int    pair = room->pair[a], c = tact_pair_contact(pair);
        int    first = tact_mechanism_first(room, c);
        if (tact_pair_kind(pair) == 0) { // all unknowns of an item, one after the other
            int count = tact_circle_width(room, path, c);
            for (int k = 0; k < count; k++) {
                tact_circle_parts(room, pair + k, push, row);
                for (int j = 0; j < tact_mechanism_width(room, c); j++) {
                    room->push[first + j] += room->dx[a + k] * push[j];
                }
            }
        }
    }
    tact_lane_meet();
    TACT_ROLLED for (int m = path->items + tact_warp_lane(); m < path->items + path->moments;
                     m += TACT_WARP)
    {
        if (!tact_circle_is_second(room, m) && room->state[m] == TACT_CIRCLE_SLIDES) {
            double change = room->mu[m] * room->dx[tact_circle_load(room, path, m)];
            int    first = tact_mechanism_first(room, m);
            room->push[first] += change * room->lambda[m];
            if (tact_mechanism_width(room, m) > 1) {
                room->push[first + 1] += change * room->gamma[m];
            }
        }
    }
    tact_lane_meet();
}

/// u of the impulses as they are.
TACT_LANE void tact_circle_move(TactMechanismRoom *room, const TactMechanismPath *path)
{
    int           lane = tact_warp_lane(), own = lane < path->points;
    const double *p = room->push + (own ? tact_mechanism_first(room, lane) : 0);
    int           rough = own && lane < room->rough;
    unsigned pushed = tact_warp_vote(own && (p[0] != 0 || (rough && (p[1] != 0 || p[2] != 0))));
    tact_mechanism_move(room, path, pushed, room->free, room->u);
}

/// The states of an answer of the pyramid. A contact that slides along one of its directions, or
/// between two of them, is turned against its slip.
TACT_LANE void tact_circle_begin(TactMechanismRoom *room, const TactMechanismPath *path)
{
    TACT_ROLLED for (int c = tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        unsigned      basis = room->state[c], state = TACT_CIRCLE_OPEN;
        int           first = tact_mechanism_first(room, c);
        const double *p = room->push + first, *u = room->u + first;
        if (c >= path->points) {
            state = basis & TACT_MECHANISM_THETA ? TACT_CIRCLE_STICKS : TACT_CIRCLE_OPEN;
        } else if (p[0] > 0) {
            int    rough = c < room->rough && room->mu[c] > 0;
            double slip = rough ? sqrt(u[1] * u[1] + u[2] * u[2]) : 0;
            state = !rough                   ? TACT_CIRCLE_PUSHES
                    : slip > TACT_CIRCLE_TOL ? TACT_CIRCLE_SLIDES
                                             : TACT_CIRCLE_STICKS;
            if (state == TACT_CIRCLE_SLIDES) {
                room->lambda[c] = -u[1] / slip;
                room->gamma[c] = -u[2] / slip;
            }
        }
        room->kept[c] = basis;
        room->state[c] = state;
    }
    tact_lane_meet();
    TACT_ROLLED for (int c = path->items + tact_warp_lane(); c < path->items + path->moments;
                     c += TACT_WARP)
    {
        int load = room->list.moment_of[c - path->items];
        room->kept[c] = room->state[c];
        room->state[c] = TACT_CIRCLE_OPEN;
        if (!tact_circle_is_second(room, c) && room->state[load] != TACT_CIRCLE_OPEN) {
            TactCircleDisc disc = tact_circle_disc(room, path, c);
            double         slip = tact_circle_length(&disc, room->u);
            room->state[c] = slip > TACT_CIRCLE_TOL ? TACT_CIRCLE_SLIDES : TACT_CIRCLE_STICKS;
            room->lambda[c] = slip > TACT_CIRCLE_TOL ? -room->u[disc.first] / slip : 0;
            room->gamma[c] =
                slip > TACT_CIRCLE_TOL && disc.wide > 1 ? -room->u[disc.first + 1] / slip : 0;
        }
    }
    tact_lane_meet();
}

/// The same of moments, after those of contacts; worst: how far the worst item of all is off.
TACT_LANE void tact_circle_judge_moments(TactMechanismRoom *room, const TactMechanismPath *path,
                                         double tol, double least)
{
    double off;
    TACT_ROLLED for (int c = path->items + tact_warp_lane(); c < path->items + path->moments;
                     c += TACT_WARP)
    {
        if (tact_circle_is_second(room, c)) {
            continue;
        }
        unsigned next = tact_circle_next_moment(room, path, c, tol, &off), was = room->state[c];
        int      begins = was == TACT_CIRCLE_OPEN || next == TACT_CIRCLE_OPEN;
        room->state[c] = next != was && (begins || off >= least) ? next : was;
        if (room->state[c] == TACT_CIRCLE_OPEN) {
            TactCircleDisc disc = tact_circle_disc(room, path, c);
            for (int k = 0; k < disc.wide; k++) {
                room->push[disc.first + k] = 0;
            }
        } else if (room->state[c] == TACT_CIRCLE_SLIDES) {
            tact_circle_turn(room, path, c);
        }
    }
    tact_lane_meet();
}

/// Changes the states of the items that are off most, and turns those that slide; the worst miss.
/// share: of the worst, what is off by less stays.
TACT_LANE double tact_circle_judge(TactMechanismRoom *room, const TactMechanismPath *path,
                                   double share)
{
    double worst = 0, miss = 0, size = 1, off;
    TACT_ROLLED for (int c = tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        size = tact_mechanism_bigger(size, fabs(room->push[tact_mechanism_first(room, c)]));
    }
    double tol = TACT_CIRCLE_TOL * tact_mechanism_largest(size);
    TACT_ROLLED for (int c = tact_warp_lane(); c < path->items; c += TACT_WARP)
    {
        unsigned next = tact_circle_next(room, path, c, tol, &off);
        worst = next != room->state[c] ? tact_mechanism_bigger(worst, off) : worst;
        miss = tact_mechanism_bigger(miss, tact_circle_miss(room, path, c));
    }
    TACT_ROLLED for (int c = path->items + tact_warp_lane(); c < path->items + path->moments;
                     c += TACT_WARP)
    {
        if (!tact_circle_is_second(room, c)) {
            unsigned next = tact_circle_next_moment(room, path, c, tol, &off);
            worst = next != room->state[c] ? tact_mechanism_bigger(worst, off) : worst;
            miss = tact_mechanism_bigger(miss, tact_circle_disc_miss(room, path, c));
        }
    }
    worst = tact_mechanism_largest(worst);
    miss = tact_mechanism_largest(miss) / tol;
    TACT_ROLLED for (int c = tact_warp_lane(); c < path->items && miss > 1; c += TACT_WARP)
    {
        double  *p = room->push + tact_mechanism_first(room, c);
        unsigned next = tact_circle_next(room, path, c, tol, &off), was = room->state[c];
        if (next != was && off >= share * worst) {
            room->state[c] = next;
            if (c >= path->points && next == TACT_CIRCLE_OPEN) {
                room->sign[c - path->points] = p[0] > 0 ? -1 : 1;
                p[0] = p[0] > 0 ? room->mu[c] : -room->mu[c];
            } else if (next == TACT_CIRCLE_OPEN) {
                p[0] = 0;
                p[1] = c < room->rough ? 0 : p[1];
                p[2] = c < room->rough ? 0 : p[2];
            }
        }
        if (c < path->points && room->state[c] == TACT_CIRCLE_SLIDES) {
            tact_circle_turn(room, path, c);
        }
    }
    tact_lane_meet();
    if (miss > 1) {
        tact_circle_judge_moments(room, path, tol, share * worst);
    }
    return miss;
}

/// From the pyramid's impulses in room->push to the circle's; 0: they were not found.
TACT_LANE int tact_mechanism_round_off(TactMechanismRoom *room, TactMechanismPath *path)
{
    int    found = 0;
    double miss;
    tact_circle_move(room, path);
    tact_circle_begin(room, path);
    TACT_ROLLED for (int round = 0; round < TACT_CIRCLE_ROUNDS && !found; round++)
    {
        miss = tact_circle_judge(room, path, round < TACT_CIRCLE_BOLD ? TACT_CIRCLE_SHARE : 1);
        tact_circle_move(room, path);
        found = miss <= 1;
        if (!found && !tact_circle_place(room, path)) {
            break;
        }
        if (!found) {
            tact_circle_assemble(room, path);
            tact_circle_solve(room, path);
            tact_circle_advance(room, path);
            tact_circle_move(room, path);
        }
    }
    TACT_ROLLED for (int c = tact_warp_lane(); c < path->items + path->moments; c += TACT_WARP)
    {
        unsigned sticks = room->state[c] == TACT_CIRCLE_STICKS;
        int      motor = c >= path->points && c < path->items;
        room->state[c] = !motor ? room->kept[c] : sticks ? TACT_MECHANISM_THETA : 0;
    }
    tact_lane_meet();
    return found;
}

#endif

#endif
