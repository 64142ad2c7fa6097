// What follows the solve of a world, by the lanes of a warp: its step is made, or it is solved
// again with contacts that were not right made anew where they touch (sim/touch: complete.c,
// linearise.c) and with velocity products of the velocity that contacts have made
// (sim/free/midpoint.c), or it is left to the processor.
#ifndef TACT_GPU_STEP_AGAIN_H
#define TACT_GPU_STEP_AGAIN_H

#include "gpu/step/step_end.h"

// As in sim/free/midpoint.c, sim/touch: linearise.c, complete.c, touch.h.
#define TACT_STEP_KNOCK 0.02
#define TACT_STEP_KNOCK_TOL 1e-5
#define TACT_STEP_PRESSED 1e-6
#define TACT_STEP_LEAST_TURN 1e-4
#define TACT_STEP_CLOSED 0.5
#define TACT_STEP_SHIFT 1e-3
#define TACT_STEP_ALIKE 0.8
#define TACT_STEP_GAIN 1e-13
enum { TACT_STEP_RELAXED = 3 };

enum { TACT_STEP_DONE, TACT_STEP_AGAIN, TACT_STEP_LEAVE };

// ---------------------------------------------------------------------------------------------
// Contacts made anew

/// A pair from where it is to where it touches. room: links at the beginning, with the velocities
/// about which contacts are made.
typedef struct TactStepMeeting {
    const TactStepModel *model;
    const TactStepRoom  *room;
    int                  link[2];
    TactTransform        from[2], at[2];
    double               before; // how deep the pair was
    double               grown;  // overlap that may be there afterwards
    int                  lifts;
} TactStepMeeting;

/// How fast a contact opens along an axis.
TACT_HD double tact_step_rate(const TactStepMeeting *m, TactVec3 point, TactVec3 axis)
{
    double rate[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        if (m->link[k] > 0) {
            TactVec3 r = tact_vec3_subtract(point, m->room->com[m->link[k]]);
            rate[k] =
                tact_vec3_dot(axis, tact_twist_shift(m->room->velocity[m->link[k]], r).linear);
        }
    }
    return rate[1] - rate[0];
}

TACT_HD TactVec3 tact_step_bring_back(const TactStepMeeting *m, int k, TactVec3 point)
{
    return tact_transform_point(m->from[k], tact_transform_point_back(m->at[k], point));
}

/// The mean of the arms that a point has now and then, of both bodies.
TACT_HD TactVec3 tact_step_common_point(const TactStepMeeting *m, TactVec3 point)
{
    TactVec3 sum = {0, 0, 0};
    int      moving = 0;
    for (int k = 0; k < 2; k++) {
        if (m->link[k] > 0) {
            TactVec3 centre = m->room->com[m->link[k]];
            TactVec3 then =
                tact_transform_point(m->at[k], tact_transform_point_back(m->from[k], centre));
            TactVec3 now = tact_step_bring_back(m, k, point);
            TactVec3 arm =
                tact_vec3_add(tact_vec3_subtract(now, centre), tact_vec3_subtract(point, then));
            sum = tact_vec3_add(sum, tact_vec3_add_scaled(centre, 0.5, arm));
            moving++;
        }
    }
    return tact_vec3_scale(1.0 / moving, sum);
}

/// The same point at the beginning, or the one with the normal most like it; NULL: none.
TACT_HD const TactStepHeld *tact_step_find_before(const TactStepHeld *start, int count,
                                                  const TactStepHeld *touch)
{
    const TactStepHeld *best = NULL;
    double              most = TACT_STEP_ALIKE;
    TACT_ROLLED
    for (int i = 0; i < count; i++) {
        double alike = tact_vec3_dot(start[i].normal, touch->normal);
        alike = alike > TACT_STEP_ALIKE && start[i].name == touch->name ? 2 : alike;
        best = alike > most ? &start[i] : best;
        most = tact_step_larger(most, alike);
    }
    return best;
}

/// Shifts the point of a contact across its normal so that it comes nearer at the rate given.
TACT_HD void tact_step_shift_point(const TactStepMeeting *m, TactStepHeld *c, double wanted)
{
    double   rate = tact_step_rate(m, c->point, c->normal), h = m->model->h;
    TactVec3 none = {0, 0, 0};
    TactVec3 a = m->link[0] > 0 ? m->room->velocity[m->link[0]].angular : none;
    TactVec3 b = m->link[1] > 0 ? m->room->velocity[m->link[1]].angular : none;
    TactVec3 along = tact_vec3_cross(c->normal, tact_vec3_subtract(b, a));
    double   size = tact_vec3_norm(along), most = 2 * h * fabs(rate) + TACT_STEP_SHIFT;
    if (size * h > TACT_STEP_LEAST_TURN) {
        double shift = (wanted - rate) / size;
        shift = shift > most ? most : shift < -most ? -most : shift;
        c->point = tact_vec3_add_scaled(c->point, shift / size, along);
    }
}

/// A contact by (1) of linearise.c of a touch at the end of the step. start: contacts of the pair
/// at the beginning.
TACT_HD TactStepHeld tact_step_make_contact(const TactStepMeeting *m, const TactStepHeld *touch,
                                            const TactStepHeld *start, int count)
{
    TactStepHeld        made = *touch;
    const TactStepHeld *before = tact_step_find_before(start, count, touch);
    double              h = m->model->h, was;
    if (before && before->name == touch->name) {
        was = before->depth;
    } else {
        TactVec3 apart = tact_vec3_subtract(tact_step_bring_back(m, 1, touch->point),
                                            tact_step_bring_back(m, 0, touch->point));
        was = touch->depth - tact_vec3_dot(apart, touch->normal);
        was = m->before == -INFINITY || was < m->before ? was : m->before;
    }
    double rate = (was - touch->depth) / h;
    made.point = tact_step_common_point(m, touch->point);
    if (before) {
        double   now = tact_step_rate(m, made.point, before->normal);
        double   then = tact_step_rate(m, made.point, made.normal);
        double   share = then != now ? (rate - now) / (then - now) : 0.5;
        TactVec3 step = tact_vec3_subtract(made.normal, before->normal);
        share = share > 0 && share < 1 ? share : 0.5;
        made.normal = tact_step_unit(tact_vec3_add_scaled(before->normal, share, step));
    }
    tact_step_shift_point(m, &made, rate);
    made.depth += h * tact_step_rate(m, made.point, made.normal);
    double wanted = tact_step_larger(was, m->grown);
    made.lift = made.depth > wanted && m->lifts ? (made.depth - wanted) / h : 0;
    return made;
}

/// Contacts of a pair that is not right, by one lane: in the place of what is found.
TACT_LANE void tact_step_renew_pair(const TactStepOne *one, const TactStepRoom *room, int number,
                                    TactStepTouches *found)
{
    const TactStepModel *model = one->model;
    const TactStepPair  *pair = &model->pairs[number];
    const TactStepGeom  *geoms[2] = {&model->geoms[pair->a], &model->geoms[pair->b]};
    TactStepMeeting      m;
    int                  first = tact_step_find_pair(room->start_pair, one->start_count, number);
    int                  count = 0;
    m.model = model;
    m.room = room;
    m.before = -INFINITY;
    m.grown = 0.5 * (model->rules.slop + TACT_STEP_CREEP * model->h);
    m.lifts = one->round < TACT_STEP_FLAT;
    for (int k = 0; k < 2; k++) {
        m.link[k] = geoms[k]->link;
        m.from[k] = tact_transform_multiply(room->pose[geoms[k]->link], geoms[k]->pose);
        m.at[k] = room->places.poses[k ? pair->b : pair->a];
    }
    TACT_ROLLED
    for (; first + count < one->start_count && room->start_pair[first + count] == number; count++) {
        m.before = tact_step_larger(m.before, one->start[first + count].depth);
    }
    tact_step_collide(model, number, &room->places, found);
    found->count = found->count < TACT_STEP_MAX_TOUCHES ? found->count : TACT_STEP_MAX_TOUCHES;
    TACT_ROLLED
    for (int k = 0; k < found->count; k++) {
        found->items[k] = tact_step_make_contact(&m, &found->items[k], one->start + first, count);
    }
}

/// The list of contacts and limits anew, in room->fresh and in the order of pairs; returns their
/// number, which may be more than there is room for.
TACT_LANE int tact_step_renew_list(const TactStepOne *one, TactStepRoom *room,
                                   const TactStepJudged *judged)
{
    int             lane = tact_warp_lane(), wrong = judged->wrong_count, all;
    TactStepTouches found;
    found.count = 0;
    if (lane < wrong) {
        tact_step_renew_pair(one, room, room->wrong[lane], &found);
    }
    int before = tact_step_offset(found.count, &all); // new ones of pairs before
    // What stays: limits, and contacts of other pairs.
    int own = lane < one->count ? room->held_pair[lane] : 0;
    int stays =
        lane < one->count && (own < 0 || tact_step_find_pair(room->wrong, wrong, own) == wrong);
    unsigned stay = tact_warp_vote(stays);
    int      place = tact_step_before(stay), ahead = 0;
    TACT_ROLLED
    for (int k = 0; k < wrong; k++) { // of the new ones those that come before
        int count = tact_warp_read_int(found.count, k);
        ahead += own < 0 || room->wrong[k] < own ? count : 0;
    }
    if (stays && place + ahead < TACT_STEP_MAX_CONTACTS) {
        room->fresh[place + ahead] = one->held[lane];
    }
    if (lane < wrong) {
        int behind = 0; // of what stays: contacts of pairs before this one
        TACT_ROLLED
        for (int c = 0; c < one->count; c++) {
            behind += (stay >> c & 1) && room->held_pair[c] >= 0 &&
                      room->held_pair[c] < room->wrong[lane];
        }
        TACT_ROLLED
        for (int k = 0; k < found.count; k++) {
            if (behind + before + k < TACT_STEP_MAX_CONTACTS) {
                room->fresh[behind + before + k] = found.items[k];
            }
        }
    }
    tact_lane_meet();
    return all + tact_lane_count_bits(stay);
}

/// Problem of the new list, with the basis of what was in the old one; 0: there is no room.
TACT_LANE int tact_step_put_list(const TactStepModel *model, const TactStepWorlds *worlds,
                                 const TactMechanismProblems *problems, TactStepRoom *room,
                                 int count, unsigned *basis, int i)
{
    TactStepRows rows = tact_step_rows(model, worlds, problems, i);
    int          lane = tact_warp_lane(), old = problems->active[i], rough = 0;
    unsigned     own = 0;
    rows.count = count;
    if (count > TACT_STEP_MAX_CONTACTS) {
        return 0;
    }
    if (lane < count) {
        int pair = tact_step_pair_of(&room->fresh[lane]);
        rough = pair >= 0 && model->pairs[pair].rough;
        TACT_ROLLED
        for (int j = 0; j < old; j++) {
            own = rows.held[j].name == room->fresh[lane].name ? basis[j] : own;
        }
    }
    rows.rough = tact_lane_count_bits(tact_warp_vote(rough));
#if TACT_STEP_MORE
    int       before;
    unsigned  turns[2] = {0, 0};
    unsigned *stored = rows.turns ? worlds->more.turn_basis + 2 * (rows.held - worlds->held) : NULL;
    rows.moments = tact_step_count_moments(model, room->fresh, count, &before);
    TACT_ROLLED
    for (int j = 0; j < old && stored && lane < count; j++) {
        int same = rows.held[j].name == room->fresh[lane].name;
        turns[0] = same ? stored[2 * j] : turns[0];
        turns[1] = same ? stored[2 * j + 1] : turns[1];
    }
#endif
    if (tact_step_rows_full(&rows)) {
        return 0;
    }
    tact_lane_meet();
    if (lane < count) {
        rows.held[lane] = room->fresh[lane];
        basis[lane] = own;
#if TACT_STEP_MORE
        if (stored) {
            stored[2 * lane] = turns[0];
            stored[2 * lane + 1] = turns[1];
        }
#endif
    }
    tact_lane_meet();
    tact_step_put_rows(model, room, &rows);
    if (lane == 0) {
        ((int *)problems->active)[i] = rows.count;
        ((int *)problems->rough)[i] = rows.rough;
    }
    return 1;
}

// ---------------------------------------------------------------------------------------------
// Velocity products, lifts

/// Do contacts change the velocity of a mechanism by so much that its products are others?
TACT_LANE int tact_step_is_knocked(const TactStepOne *one, const TactStepRoom *room)
{
    const TactStepModel *model = one->model;
    double               most = 0;
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        if (!model->links[model->dofs[i].link].flies) {
            most = tact_step_larger(most, fabs(room->solved[i] - room->v[i] - one->gain[i]));
        }
    }
    return tact_step_most(most) * model->h > TACT_STEP_KNOCK && tact_step_was_solved(one);
}

/// To what part of the velocity its products are found: more closely where loops answer to them.
TACT_LANE double tact_step_products_tol(const TactStepOne *one)
{
    int loops = TACT_STEP_MORE && one->model->loop_count > 0;
    return !loops ? TACT_STEP_KNOCK_TOL : one->count > 0 ? TACT_STEP_PRESSED : TACT_STEP_SETTLED;
}

/// Products at the mean of v and what was solved; 1: they are others, and the problem has them now.
TACT_LANE int tact_step_centre(const TactStepOne *one, TactStepRoom *room, double *gain,
                               double *force)
{
    const TactStepModel *model = one->model;
    int                  lane = tact_warp_lane();
    double               change = 0, size = 0;
    TACT_ROLLED
    for (int k = lane; k < tact_step_entry(model->nv, 0); k += TACT_WARP) {
        room->L[k] = one->M[k];
    }
    TACT_ROLLED
    for (int i = lane; i < model->nv; i += TACT_WARP) {
        room->x[i] = tact_step_still(model, i, 0.5 * (room->v[i] + room->solved[i]));
    }
    tact_lane_meet();
    tact_step_factor(model, room->L);
    tact_step_bias(model, room->x, room, room->impulse);
    TACT_ROLLED
    for (int i = lane; i < model->nv; i += TACT_WARP) {
        room->impulse[i] = model->h * (one->tau[i] - room->impulse[i]);
        room->x[i] = room->impulse[i];
    }
    tact_step_solve(model, room->L, room->x);
    TACT_ROLLED
    for (int i = lane; i < model->nv; i += TACT_WARP) {
        change = tact_step_worse(change, fabs(room->x[i] - gain[i]));
        size = tact_step_larger(size, fabs(room->solved[i]));
    }
    change = tact_step_most(change);
    size = tact_step_most(size);
    if (change <= TACT_STEP_FLOOR + tact_step_products_tol(one) * size) {
        return 0;
    }
    TACT_ROLLED
    for (int i = lane; i < model->nv; i += TACT_WARP) {
        gain[i] = room->x[i];
        force[i] = room->impulse[i] / model->h;
    }
    return 1;
}

/// Is there a lift, and does the world gain energy over the step?
TACT_LANE int tact_step_lifts_give(const TactStepOne *one, const TactStepRoom *room)
{
    const TactStepModel *model = one->model;
    double               gain = 0, size = 0;
    int                  any = 0;
    TACT_ROLLED
    for (int c = tact_warp_lane(); c < one->count; c += TACT_WARP) {
        any = any || one->held[c].lift > 0;
    }
    if (!tact_lane_any(any)) {
        return 0;
    }
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        double momentum = 0;
        TACT_ROLLED
        for (int j = 0; j < model->nv; j++) {
            double M = one->M[i >= j ? tact_step_entry(i, j) : tact_step_entry(j, i)];
            momentum += M * (room->solved[j] - room->v[j]);
        }
        double kinetic = 0.5 * momentum * (room->solved[i] + room->v[i]);
        double work = model->h * one->force[i] * room->solved[i];
        gain += kinetic - work;
        size += fabs(kinetic) + fabs(work);
    }
    gain = tact_step_sum(gain);
    size = tact_step_sum(size);
    return gain > TACT_STEP_GAIN * size;
}

// ---------------------------------------------------------------------------------------------
// All of it

/// What the step keeps for the next one, and where it has come.
TACT_LANE void tact_step_keep(const TactStepWorlds *worlds, int i, const TactStepOne *one,
                              const TactStepRoom *room, const unsigned *basis)
{
    const TactStepModel *model = one->model;
    size_t               at = (size_t)i * (size_t)worlds->contacts, own = (size_t)i;
    int                  lane = tact_warp_lane();
    TACT_ROLLED
    for (int k = lane; k < one->count; k += TACT_WARP) {
        worlds->kept_names[at + (size_t)k] = one->held[k].name;
        worlds->kept_basis[at + (size_t)k] = basis[k];
    }
#if TACT_STEP_MORE
    TACT_ROLLED
    for (int k = lane; k < 2 * one->count && worlds->more.turns; k += TACT_WARP) {
        worlds->kept_turns[2 * at + (size_t)k] = worlds->more.turn_basis[2 * at + (size_t)k];
    }
#endif
    TACT_ROLLED
    for (int k = lane; k < model->nq; k += TACT_WARP) {
        worlds->q[own * (size_t)model->nq + (size_t)k] = room->q_end[k];
    }
    TACT_ROLLED
    for (int k = lane; k < model->nv; k += TACT_WARP) {
        worlds->v[own * (size_t)model->nv + (size_t)k] = room->v_end[k];
    }
    if (lane == 0) {
        worlds->kept[i] = one->count;
    }
}

/// A world is left.
TACT_LANE int tact_step_leave(const TactStepWorlds *worlds, int i, int reasons)
{
    if (tact_warp_lane() == 0) {
        worlds->left[i] = reasons;
    }
    return TACT_STEP_LEAVE;
}

/// Links and geoms where the step ends with a velocity; links are at the end then.
TACT_LANE int tact_step_go_to_end(const TactStepModel *model, const double *v, TactStepRoom *room)
{
    int left = tact_step_integrate(model, v, room);
    tact_step_place(model, room->q_end, room);
    tact_step_set_velocity(model, room->v_end, room);
    tact_step_place_geoms(model, room);
    return left;
}

/// The next round: products, then contacts about the velocity solved. Links are at the beginning;
/// places are those of the end, unless products have been taken.
TACT_LANE int tact_step_go_on(const TactStepWorlds *worlds, const TactStepOne *one,
                              const TactStepJudged *judged, int knocked, int centred,
                              TactStepRoom *room, unsigned *basis, int i)
{
    const TactStepModel *model = one->model;
    int                  round = one->round % TACT_STEP_FLAT;
    int                  relaxed = round >= TACT_STEP_RELAXED && judged->wrong_count > 0;
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->nv; k += TACT_WARP) {
        room->x[k] = relaxed ? 0.5 * (room->solved[k] + one->v_before[k]) : room->solved[k];
        one->v_before[k] = room->x[k];
    }
    tact_lane_meet();
    if (tact_warp_lane() == 0) {
        worlds->round[i] = one->round + 1;
    }
    if (round + 1 >= TACT_STEP_MOST_ROUNDS || judged->wrong_count > TACT_STEP_MOST_WRONG) {
        return tact_step_leave(worlds, i, TACT_STEP_LEFT_DEEPER);
    }
    if (judged->wrong_count == 0) {
        return centred ? TACT_STEP_AGAIN : TACT_STEP_DONE;
    }
    if (relaxed || knocked) {
        tact_step_go_to_end(model, room->x, room);
        tact_step_place(model, room->q, room);
    }
    tact_step_set_velocity(model, room->x, room);
    int count = tact_step_renew_list(one, room, judged);
    if (!tact_step_put_list(model, worlds, one->problems, room, count, basis, i)) {
        return tact_step_leave(worlds, i, TACT_STEP_LEFT_FULL);
    }
    return TACT_STEP_AGAIN;
}

/// Lifts that give energy are taken back.
TACT_LANE int tact_step_flatten(const TactStepWorlds *worlds, const TactMechanismProblems *problems,
                                int count, int i)
{
    size_t at = (size_t)i * (size_t)problems->contacts;
    TACT_ROLLED
    for (int c = tact_warp_lane(); c < count; c += TACT_WARP) {
        if (worlds->held[at + (size_t)c].lift > 0) {
            worlds->held[at + (size_t)c].lift = 0;
            ((double *)problems->bias)[at + (size_t)c] = 0;
        }
    }
    if (tact_warp_lane() == 0) {
        worlds->round[i] += TACT_STEP_FLAT;
    }
    return TACT_STEP_AGAIN;
}

/// The velocity that was solved.
TACT_LANE void tact_step_take_answer(const TactStepOne *one, const TactBodyAnswers *answers, int i,
                                     TactStepRoom *room)
{
    const TactStepModel *model = one->model;
    const double        *velocity = answers->velocity + (size_t)i * (size_t)model->nv;
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->nv; k += TACT_WARP) {
        room->solved[k] = tact_step_was_solved(one) ? velocity[k] : room->v[k] + one->gain[k];
    }
    tact_lane_meet();
    tact_step_stop(model, one->gain, room->solved);
}

/// What is known of a world before it is judged: TACT_STEP_DONE, or what is to be done instead.
TACT_LANE int tact_step_open(const TactStepOne *one, const TactStepWorlds *worlds,
                             const TactMechanismProblems *problems, const TactBodyAnswers *answers,
                             double tol, int i, TactStepRoom *room)
{
    if (tact_step_was_solved(one) && !(answers->error[i] <= tol)) {
        return tact_step_leave(worlds, i, TACT_STEP_LEFT_UNSOLVED);
    }
    tact_step_enter(one->model, worlds, i, room);
    tact_step_take_answer(one, answers, i, room);
    if (one->round > 0 && one->round < TACT_STEP_FLAT && tact_step_lifts_give(one, room)) {
        return tact_step_flatten(worlds, problems, one->count, i);
    }
    return TACT_STEP_DONE;
}

/// What has to be known of a world where it ends.
typedef struct TactStepEnded {
    double turn, has; // how far the fastest joint goes, energy
    int    knocked, watched;
#if TACT_STEP_MORE
    int open; // loops have to close better
#endif
} TactStepEnded;

TACT_LANE int tact_step_is_open(const TactStepEnded *ended)
{
#if TACT_STEP_MORE
    return ended->open;
#else
    (void)ended;
    return 0;
#endif
}

#if TACT_STEP_MORE
/// Do loops close where the step ends? Otherwise their targets are bent. Links are at the end.
TACT_LANE int tact_step_loops_open(const TactStepOne *one, const TactStepWorlds *worlds,
                                   const TactStepRoom *room, int i, TactStepJudged *judged)
{
    int                  open = 0;
    const TactStepModel *model = one->model;
    size_t               at = (size_t)i * (size_t)model->loop_rows;
    double               worst = 0, size = 0, tol = model->rules.loop_tol;
    if (model->loop_count > 0) {
        double bend = tact_step_bend_loops(model, room, worlds->loop_start + at,
                                           (double *)worlds->more.target + at, &worst);
        TACT_ROLLED
        for (int k = tact_warp_lane(); k < model->nv; k += TACT_WARP) {
            size = tact_step_larger(size, fabs(room->solved[k]));
        }
        size = tact_step_most(size);
        open = !(bend <= tact_step_larger(TACT_STEP_FLOOR + TACT_STEP_SETTLED * size,
                                          TACT_STEP_CLOSED * tol / model->h));
        judged->reasons |= !open && worst > tol ? TACT_STEP_LEFT_SUNK : 0;
    }
    return open;
}
#endif

TACT_LANE TactStepEnded tact_step_judge(const TactStepOne *one, TactStepRoom *room,
                                        TactStepJudged *judged)
{
    const TactStepModel *model = one->model;
    TactStepEnded        ended;
    tact_step_judge_pairs(one, room, judged);
    ended.turn = tact_step_largest_turn(model, room->v, room->solved);
    ended.has = tact_step_kinetic(model, room, room->v_end);
    ended.knocked = tact_step_is_knocked(one, room);
    ended.watched = ended.turn > model->rules.fast || !(ended.turn >= 0);
#if TACT_STEP_MORE
    ended.open = 0;
#endif
    if (judged->reasons == 0 && judged->wrong_count == 0) {
        judged->reasons |= tact_step_judge_sunk(one, room->solved);
        judged->reasons |= tact_step_judge_limits(model, room->q_end);
    }
    tact_lane_meet();
    return ended;
}

/// What it takes to go on, with links at the beginning; TACT_STEP_DONE: nothing more.
TACT_LANE int tact_step_look_back(const TactStepOne *one, const TactStepWorlds *worlds,
                                  const TactStepEnded *ended, TactStepJudged *judged,
                                  TactStepRoom *room, unsigned *basis, int i)
{
    size_t at = (size_t)i * (size_t)one->model->nv;
    int    centred = 0;
    if (judged->wrong_count == 0 && judged->fast_count > 0) {
        judged->reasons |= tact_step_judge_ways(one, room, judged);
        tact_lane_meet();
    }
    if (ended->knocked) {
        centred =
            tact_step_centre(one, room, worlds->gain + at, (double *)one->problems->force + at);
    }
    if (centred || tact_step_is_open(ended) || judged->wrong_count > 0) {
        return tact_step_go_on(worlds, one, judged, ended->knocked,
                               centred || tact_step_is_open(ended), room, basis, i);
    }
    if (ended->watched && !tact_step_is_balanced(one, room, ended->turn, ended->has)) {
        judged->reasons |= TACT_STEP_LEFT_UNBALANCED;
    }
    return TACT_STEP_DONE;
}

/// TACT_STEP_DONE: the state is that of the end. TACT_STEP_AGAIN: its problem is to be solved
/// again, from answers->basis. TACT_STEP_LEAVE: worlds->left says why. i < 0: there is no world for
/// this warp, which only keeps step with the others of its block.
TACT_LANE int tact_step_end(const TactStepModel *model, const TactStepWorlds *worlds,
                            const TactMechanismProblems *problems, const TactBodyAnswers *answers,
                            double tol, int i, TactStepRoom *room)
{
    int         state = TACT_STEP_DONE, on = i >= 0;
    TactStepOne one = tact_step_one(model, worlds, problems, answers, on ? i : 0);
    unsigned   *basis = answers->basis + (size_t)(on ? i : 0) * (size_t)problems->contacts;
#if TACT_STEP_MORE
    TactStepEnded ended = {0, 0, 0, 0, 0};
#else
    TactStepEnded ended = {0, 0, 0, 0};
#endif
    TactStepJudged judged = {0, 0, 0, 0, 0, 0, 0};
    if (on) {
        state = tact_step_open(&one, worlds, problems, answers, tol, i, room);
        on = state == TACT_STEP_DONE;
    }
    if (on) {
        judged = tact_step_rules(&one);
        judged.reasons |= tact_step_integrate(model, room->solved, room);
    }
    tact_block_meet();
    if (on) {
        tact_step_place(model, room->q_end, room);
    }
    tact_block_meet();
    if (on) {
        tact_step_set_velocity(model, room->v_end, room);
        tact_step_place_geoms(model, room);
    }
    tact_block_meet();
    if (on) {
        ended = tact_step_judge(&one, room, &judged);
#if TACT_STEP_MORE
        ended.open = tact_step_loops_open(&one, worlds, room, i, &judged);
        ended.knocked = ended.knocked || model->loop_count > 0;
#endif
    }
    tact_block_meet();
    int back = on && judged.reasons == 0 &&
               (ended.knocked || ended.watched || tact_step_is_open(&ended) ||
                judged.fast_count > 0 || judged.wrong_count > 0);
    if (back) {
        tact_step_place(model, room->q, room);
    }
    tact_block_meet();
    if (back) {
        state = tact_step_look_back(&one, worlds, &ended, &judged, room, basis, i);
    }
    if (on && state == TACT_STEP_DONE) {
        if (judged.reasons) {
            return tact_step_leave(worlds, i, judged.reasons);
        }
        tact_step_keep(worlds, i, &one, room, basis);
    }
    return state;
}

#endif
