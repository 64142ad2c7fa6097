// Values and rates of all basic variables of a contact, and the ratio test over them. Of each pair
// one variable is basic, but for the pair that the driving variable belongs to.
#ifndef TACT_GPU_BODY_SWEEP_H
#define TACT_GPU_BODY_SWEEP_H

#include "gpu/body/body_system.h"
#include "gpu/cover.h"
#include "gpu/ratio.h"

TACT_LANE double tact_body_along(const double a[6], const double *b)
{
    double sum = 0;
    TACT_UNROLL for (int k = 0; k < 6; k++)
    {
        sum += a[k] * b[k];
    }
    return sum;
}

/// A variable of a contact. Of a basis that is only looked at, the most negative one for its e is
/// what a path that resumes begins with.
TACT_LANE void tact_body_pass(const TactBodyItem *item, const TactBodyPath *path,
                              TactBodySweep *sweep, double value, double rate, int code)
{
    if (path->may_resume && path->phase == TACT_BODY_FINISH) {
        rate = value < 0 ? value * tact_lane_inverse(item->cover) : 0;
        sweep->least = value < sweep->least ? value : sweep->least;
        value = 0;
    }
    tact_body_meet(sweep, value, rate, code);
}

/// Friction impulses of a contact, their sum, and their rates; phi_x apart.
typedef struct TactBodyFriction {
    double sum, rate_sum;     // of the phi in the kernel
    double first, rate_first; // phi_x
} TactBodyFriction;

TACT_LANE TactBodyFriction tact_body_friction(const TactBodyRoom *room, const TactBodyItem *item,
                                              const TactBodyPath *path, int own, int first)
{
    TactBodyFriction out = {0, 0, 0, 0};
    int              theta = (int)(item->state & TACT_BODY_THETA);
    int              end = first + tact_body_unknowns(item->state);
    TACT_ROLLED for (int k = first + theta; k < end; k++)
    {
        out.sum += room->x[k];
        out.rate_sum += room->dx[k];
    }
    double drives = own && !path->by_row ? 1 : 0;
    out.rate_sum += path->kind >= TACT_PAIR_FRICTION ? drives : 0;
    double push = theta ? room->x[first] : 0, rate = theta ? room->dx[first] : 0;
    rate += path->kind == TACT_PAIR_NORMAL ? drives : 0;
    // gamma, or phi_x where that is 0
    double c_gamma = tact_body_cover_gamma(item, path);
    out.first = item->mu * push + c_gamma * room->x[0] - out.sum;
    out.rate_first = item->mu * rate + c_gamma * room->dx[0] - out.rate_sum;
    return out;
}

/// The variables of one contact. first: number of its first unknown; own: it has the pair of the
/// driving variable; given: of a basis that was given only values are looked at.
TACT_LANE void tact_body_sweep(const TactBodyRoom *room, TactBodyItem *item,
                               const TactBodyDirections *directions, const TactBodyPath *path,
                               int contact, int own, int first, int given, TactBodySweep *sweep)
{
    double   z0 = room->x[0], dz0 = given ? 0 : room->dx[0];
    unsigned state = item->state, phis = tact_body_phis(state);
    int      theta = (int)(state & TACT_BODY_THETA), code = contact * 64;
    double   c_nu = tact_body_cover_nu(item, path);
    double   nu = tact_body_along(item->n, room->y) + item->bias + c_nu * z0;
    double   dnu = given ? 0 : tact_body_along(item->n, room->dy) + c_nu * dz0;
    if (!(own && path->kind == TACT_PAIR_NORMAL)) {
        tact_body_pass(item, path, sweep, theta ? room->x[first] : nu,
                       given   ? 0
                       : theta ? room->dx[first]
                               : dnu,
                       code + 2 * TACT_PAIR_NORMAL + theta);
    }
    double u1 = tact_body_along(item->s, room->y), u2 = tact_body_along(item->t, room->y);
    // Friction of a contact whose theta becomes the driving variable, with c_sigma so large that no
    // sigma starts below 0 [Lloyd04, app. D].
    if (own && path->kind == TACT_PAIR_NORMAL && !path->by_row && !(state & TACT_BODY_ACTIVE) &&
        item->mu > 0) {
        double needed = z0 > 0 ? 1.01 * sqrt(u1 * u1 + u2 * u2) / z0 : 0;
        item->c_sigma = needed > TACT_BODY_COVER_SIGMA ? needed : TACT_BODY_COVER_SIGMA;
        item->state = state |= TACT_BODY_ACTIVE;
        if (path->may_resume) {
            item->c_gamma = TACT_BODY_COVER_GAMMA;
        }
    }
    if (!(state & TACT_BODY_ACTIVE)) {
        return;
    }
    double           du1 = given ? 0 : tact_body_along(item->s, room->dy);
    double           du2 = given ? 0 : tact_body_along(item->t, room->dy);
    TactBodyFriction friction = tact_body_friction(room, item, path, own, first);
    int              x = tact_body_eliminated(state), slides = (state & TACT_BODY_LAMBDA) != 0;
    double           lambda = 0, dlambda = 0;
    if (slides) { // lambda from the row of phi_x, or of the pair
        int at = x >= 0 ? x : path->kind - TACT_PAIR_FRICTION;
        at = at > 0 ? at : 0; // of a basis that is no basis
        double c = directions->cosine[at], s = directions->sine[at];
        double c_sigma = tact_body_cover_sigma(item, path, at);
        lambda = -(c * u1 + s * u2) - c_sigma * z0;
        dlambda = -(c * du1 + s * du2) - c_sigma * dz0;
        dlambda += x < 0 && path->by_row ? 1 : 0;
    }
    if (slides || !(own && path->kind == TACT_PAIR_SLIP)) {
        double rate = slides ? dlambda : friction.rate_first;
        tact_body_pass(item, path, sweep, slides ? lambda : friction.first, given ? 0 : rate,
                       code + 2 * TACT_PAIR_SLIP + slides);
    } else {
        dlambda = path->by_row ? 0 : 1;
    }
    int at = first + theta;
    for (int j = 0; j < directions->count; j++) {
        double c_sigma = tact_body_cover_sigma(item, path, j);
        double value = directions->cosine[j] * u1 + directions->sine[j] * u2;
        double rate = directions->cosine[j] * du1 + directions->sine[j] * du2;
        value += lambda + c_sigma * z0;
        rate += dlambda + c_sigma * dz0;
        int basic = (int)(phis >> j & 1);
        if (basic) {
            value = j == x ? friction.first : room->x[at];
            rate = j == x ? friction.rate_first : room->dx[at];
            at += j == x ? 0 : 1;
        }
        if (!(own && path->kind == TACT_PAIR_FRICTION + j)) {
            tact_body_pass(item, path, sweep, value, given ? 0 : rate,
                           code + 2 * (TACT_PAIR_FRICTION + j) + basic);
        }
    }
}

/// The first to leave of all lanes, and the least value.
TACT_LANE void tact_body_agree(TactBodySweep *sweep)
{
    int lane = tact_lane_number();
    TACT_ROLLED for (int k = 1; k < TACT_GROUP; k *= 2)
    {
        TactBodyLeaving other;
        other.value = tact_lane_read(sweep->best.value, lane ^ k);
        other.under = tact_lane_read(sweep->best.under, lane ^ k);
        other.code = tact_lane_read_int(sweep->best.code, lane ^ k);
        double least = tact_lane_read(sweep->least, lane ^ k);
        sweep->least = least < sweep->least ? least : sweep->least;
        if (tact_body_is_before(&other, &sweep->best, sweep->tie)) {
            sweep->best = other;
        }
    }
}

#endif
