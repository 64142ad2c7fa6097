// What follows the solve of a world, by one thread: its step is made, or it is solved again with
// contacts that were not right made anew where they touch (sim/touch: complete.c, linearise.c) and
// with velocity products of the velocity that contacts have made (sim/free/midpoint.c), or it is
// left to the processor.
#ifndef TACT_GPU_STEP_AGAIN_H
#define TACT_GPU_STEP_AGAIN_H

#include "gpu/step/step_end.h"

// As in sim/free/midpoint.c, sim/touch: linearise.c, complete.c, touch.h.
#define TACT_STEP_KNOCK 0.02
#define TACT_STEP_KNOCK_TOL 1e-5
#define TACT_STEP_LEAST_TURN 1e-4
#define TACT_STEP_SHIFT 1e-3
#define TACT_STEP_ALIKE 0.8
#define TACT_STEP_GAIN 1e-13
enum { TACT_STEP_RELAXED = 3 };

enum { TACT_STEP_DONE, TACT_STEP_AGAIN, TACT_STEP_LEAVE };

// ---------------------------------------------------------------------------------------------
// Contacts made anew

/// A pair from where it is to where it touches. tree: at the beginning, with the velocities about
/// which contacts are made.
typedef struct TactStepMeeting {
    const TactStepModel *model;
    const TactStepTree  *tree;
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
            TactVec3 r = tact_vec3_subtract(point, m->tree->com[m->link[k]]);
            rate[k] =
                tact_vec3_dot(axis, tact_twist_shift(m->tree->velocity[m->link[k]], r).linear);
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
            TactVec3 centre = m->tree->com[m->link[k]];
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
    TactVec3 a = m->link[0] > 0 ? m->tree->velocity[m->link[0]].angular : none;
    TactVec3 b = m->link[1] > 0 ? m->tree->velocity[m->link[1]].angular : none;
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

/// A list of contacts as it grows.
typedef struct TactStepFresh {
    TactStepHeld items[TACT_STEP_MAX_CONTACTS];
    int          count;
} TactStepFresh;

TACT_HD void tact_step_add_fresh(TactStepFresh *fresh, const TactStepHeld *contact)
{
    if (fresh->count < TACT_STEP_MAX_CONTACTS) {
        fresh->items[fresh->count] = *contact;
    }
    fresh->count++;
}

/// Contacts of a pair that is not right.
TACT_HD void tact_step_renew_pair(const TactStepOne *one, const TactStepTree *tree,
                                  const TactStepPlaces *places, int number, TactStepFresh *fresh)
{
    const TactStepModel *model = one->model;
    const TactStepPair  *pair = &model->pairs[number];
    const TactStepGeom  *geoms[2] = {&model->geoms[pair->a], &model->geoms[pair->b]};
    TactStepMeeting      m;
    TactStepTouches      found;
    int                  first = 0, count = 0;
    m.model = model;
    m.tree = tree;
    m.before = -INFINITY;
    m.grown = 0.5 * (model->rules.slop + TACT_STEP_CREEP * model->h);
    m.lifts = one->round < TACT_STEP_FLAT;
    for (int k = 0; k < 2; k++) {
        m.link[k] = geoms[k]->link;
        m.from[k] = tact_transform_multiply(tree->pose[geoms[k]->link], geoms[k]->pose);
        m.at[k] = places->poses[k ? pair->b : pair->a];
    }
    while (first < one->start_count && tact_step_pair_of(&one->start[first]) < number) {
        first++;
    }
    for (; first + count < one->start_count &&
           tact_step_pair_of(&one->start[first + count]) == number;
         count++) {
        m.before = tact_step_larger(m.before, one->start[first + count].depth);
    }
    tact_step_collide(model, number, places->poses, places->reach[pair->a] + places->reach[pair->b],
                      &found);
    for (int k = 0; k < found.count && k < TACT_STEP_MAX_TOUCHES; k++) {
        TactStepHeld made = tact_step_make_contact(&m, &found.items[k], one->start + first, count);
        tact_step_add_fresh(fresh, &made);
    }
}

/// The list of contacts and limits anew.
TACT_HD void tact_step_renew_list(const TactStepOne *one, const TactStepTree *tree,
                                  const TactStepPlaces *places, const TactStepJudged *judged,
                                  TactStepFresh *fresh)
{
    int at = 0;
    fresh->count = 0;
    for (int k = 0; k < judged->wrong_count; k++) {
        int number = judged->wrong[k];
        for (; at < one->count && one->held[at].name > 0 &&
               tact_step_pair_of(&one->held[at]) <= number;
             at++) {
            if (tact_step_pair_of(&one->held[at]) < number) {
                tact_step_add_fresh(fresh, &one->held[at]);
            }
        }
        tact_step_renew_pair(one, tree, places, number, fresh);
    }
    for (; at < one->count; at++) {
        tact_step_add_fresh(fresh, &one->held[at]);
    }
}

/// A limit of the list again.
TACT_HD void tact_step_put_limit(TactStepRows *rows, const TactStepHeld *limit)
{
    const TactStepModel *model = rows->model;
    int                  k = -1 - limit->name, t = k - 2 * model->joint_count;
    double               sign = k % 2 ? -1 : 1;
    double              *J = tact_step_add_row(rows, limit, 0, 1);
    if (J && t < 0) {
        J[model->joints[k / 2].dof] = sign;
    } else if (J) {
        const TactStepTendon *tendon = &model->tendons[t / 2];
        for (int e = tendon->first; e < tendon->first + tendon->count; e++) {
            J[model->terms[e].dof] += sign * model->terms[e].coefficient;
        }
    }
}

/// Problem of the new list, with the basis of what was in the old one; 0: there is no room.
TACT_HD int tact_step_put_list(const TactStepModel *model, const TactStepWorlds *worlds,
                               const TactMechanismProblems *problems, const TactStepTree *tree,
                               const TactStepFresh *fresh, unsigned *basis, int i)
{
    TactStepRows rows = tact_step_rows(model, worlds, problems, tree, i);
    int          names[TACT_STEP_MAX_CONTACTS], count = problems->active[i];
    unsigned     states[TACT_STEP_MAX_CONTACTS];
    if (fresh->count > TACT_STEP_MAX_CONTACTS) {
        return 0;
    }
    for (int k = 0; k < count; k++) {
        names[k] = rows.held[k].name;
        states[k] = basis[k];
    }
    for (int k = 0; k < fresh->count; k++) {
        if (fresh->items[k].name > 0) {
            tact_step_add_contact(&rows, &fresh->items[k]);
        } else {
            tact_step_put_limit(&rows, &fresh->items[k]);
        }
    }
    if (rows.count > rows.room || rows.used > rows.room_rows) {
        return 0;
    }
    for (int k = 0; k < rows.count; k++) {
        basis[k] = 0;
        for (int j = 0; j < count; j++) {
            basis[k] = names[j] == fresh->items[k].name ? states[j] : basis[k];
        }
    }
    ((int *)problems->active)[i] = rows.count;
    ((int *)problems->rough)[i] = rows.rough;
    return 1;
}

// ---------------------------------------------------------------------------------------------
// Velocity products, lifts

/// Do contacts change the velocity of a mechanism by so much that its products are others?
TACT_HD int tact_step_is_knocked(const TactStepOne *one, const double *solved)
{
    const TactStepModel *model = one->model;
    double               most = 0;
    for (int l = 1; l < model->link_count; l++) {
        const TactStepLink *link = &model->links[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count && !link->flies; i++) {
            most = tact_step_larger(most, fabs(solved[i] - one->v[i] - one->gain[i]));
        }
    }
    return most * model->h > TACT_STEP_KNOCK && one->count > 0;
}

/// Products at the mean of v and what was solved; 1: they are others, and the problem has them now.
TACT_HD int tact_step_centre(const TactStepOne *one, TactStepTree *tree, const double *solved,
                             double *gain, double *force)
{
    const TactStepModel *model = one->model;
    int                  entries = tact_step_entry(model->nv, 0);
    double               L[TACT_STEP_MAX_DOF * (TACT_STEP_MAX_DOF + 1) / 2];
    double               next[TACT_STEP_MAX_DOF], impulse[TACT_STEP_MAX_DOF], change = 0, size = 0;
    for (int k = 0; k < entries; k++) {
        L[k] = one->M[k];
    }
    tact_step_factor(model, L);
    for (int i = 0; i < model->nv; i++) {
        next[i] = 0.5 * (one->v[i] + solved[i]);
    }
    tact_step_still(model, next);
    tact_step_bias(model, next, tree, impulse);
    for (int i = 0; i < model->nv; i++) {
        next[i] = impulse[i] = model->h * (one->tau[i] - impulse[i]);
    }
    tact_step_solve(model, L, next);
    for (int i = 0; i < model->nv; i++) {
        change = tact_step_worse(change, fabs(next[i] - gain[i]));
        size = tact_step_larger(size, fabs(solved[i]));
    }
    if (change <= TACT_STEP_FLOOR + TACT_STEP_KNOCK_TOL * size) {
        return 0;
    }
    for (int i = 0; i < model->nv; i++) {
        gain[i] = next[i];
        force[i] = impulse[i] / model->h;
    }
    return 1;
}

/// Is there a lift, and does the world gain energy over the step?
TACT_HD int tact_step_lifts_give(const TactStepOne *one, const double *solved)
{
    const TactStepModel *model = one->model;
    double               gain = 0, size = 0;
    int                  any = 0;
    for (int c = 0; c < one->count; c++) {
        any = any || one->held[c].lift > 0;
    }
    for (int i = 0; i < model->nv && any; i++) {
        double momentum = 0;
        for (int j = 0; j < model->nv; j++) {
            double M = one->M[i >= j ? tact_step_entry(i, j) : tact_step_entry(j, i)];
            momentum += M * (solved[j] - one->v[j]);
        }
        double kinetic = 0.5 * momentum * (solved[i] + one->v[i]);
        double work = model->h * one->force[i] * solved[i];
        gain += kinetic - work;
        size += fabs(kinetic) + fabs(work);
    }
    return any && gain > TACT_STEP_GAIN * size;
}

// ---------------------------------------------------------------------------------------------
// All of it

/// What the step keeps for the next one.
TACT_HD void tact_step_keep(const TactStepWorlds *worlds, int i, const TactStepOne *one,
                            const unsigned *basis)
{
    size_t at = (size_t)i * (size_t)worlds->contacts;
    worlds->kept[i] = one->count;
    for (int k = 0; k < one->count; k++) {
        worlds->kept_names[at + (size_t)k] = one->held[k].name;
        worlds->kept_basis[at + (size_t)k] = basis[k];
    }
}

/// The next round: products, then contacts about the velocity `solved`.
TACT_HD int tact_step_go_on(const TactStepWorlds *worlds, const TactStepOne *one,
                            const TactStepJudged *judged, int centred, const double *solved,
                            TactStepTree *tree, TactStepPlaces *places, unsigned *basis, int i)
{
    const TactStepModel *model = one->model;
    double               about[TACT_STEP_MAX_DOF], v_end[TACT_STEP_MAX_DOF];
    double               q_end[TACT_STEP_MAX_DOF + TACT_STEP_MAX_LINKS];
    TactStepFresh        fresh;
    int                  round = one->round % TACT_STEP_FLAT;
    int                  relaxed = round >= TACT_STEP_RELAXED && judged->wrong_count > 0;
    for (int k = 0; k < model->nv; k++) {
        about[k] = relaxed ? 0.5 * (solved[k] + one->v_before[k]) : solved[k];
        one->v_before[k] = about[k];
    }
    worlds->round[i] = one->round + 1;
    if (round + 1 >= TACT_STEP_MOST_ROUNDS || judged->wrong_count > TACT_STEP_MOST_WRONG) {
        worlds->left[i] = TACT_STEP_LEFT_DEEPER;
        return TACT_STEP_LEAVE;
    }
    if (judged->wrong_count == 0) {
        return centred ? TACT_STEP_AGAIN : TACT_STEP_DONE;
    }
    if (relaxed) {
        tact_step_integrate(model, one->q, about, q_end, v_end);
        tact_step_place(model, q_end, tree);
        tact_step_set_velocity(model, v_end, tree);
        tact_step_place_geoms(model, tree, places->poses, places->middle, places->reach);
        tact_step_place(model, one->q, tree);
    }
    tact_step_set_velocity(model, about, tree);
    tact_step_renew_list(one, tree, places, judged, &fresh);
    if (!tact_step_put_list(model, worlds, one->problems, tree, &fresh, basis, i)) {
        worlds->left[i] = TACT_STEP_LEFT_FULL;
        return TACT_STEP_LEAVE;
    }
    return TACT_STEP_AGAIN;
}

/// Lifts that give energy are taken back.
TACT_HD int tact_step_flatten(const TactStepWorlds *worlds, const TactMechanismProblems *problems,
                              int count, int i)
{
    size_t at = (size_t)i * (size_t)problems->contacts;
    for (int c = 0; c < count; c++) {
        if (worlds->held[at + (size_t)c].lift > 0) {
            worlds->held[at + (size_t)c].lift = 0;
            ((double *)problems->bias)[at + (size_t)c] = 0;
        }
    }
    worlds->round[i] += TACT_STEP_FLAT;
    return TACT_STEP_AGAIN;
}

/// TACT_STEP_DONE: the state is that of the end. TACT_STEP_AGAIN: its problem is to be solved
/// again, from answers->basis. TACT_STEP_LEAVE: worlds->left says why.
TACT_HD int tact_step_end(const TactStepModel *model, const TactStepWorlds *worlds,
                          const TactMechanismProblems *problems, const TactBodyAnswers *answers,
                          double tol, int i)
{
    TactStepTree   tree;
    TactStepPlaces places;
    TactStepOne    one = tact_step_one(model, worlds, problems, answers, i);
    size_t         nv = (size_t)model->nv, at = (size_t)i, room = (size_t)problems->contacts;
    unsigned      *basis = answers->basis + at * room;
    double         solved[TACT_STEP_MAX_DOF], v_end[TACT_STEP_MAX_DOF];
    double         q_end[TACT_STEP_MAX_DOF + TACT_STEP_MAX_LINKS];
    if (!worlds->left[i] && one.count > 0 && !(answers->error[i] <= tol)) {
        worlds->left[i] = TACT_STEP_LEFT_UNSOLVED;
    }
    if (worlds->left[i]) {
        return TACT_STEP_LEAVE;
    }
    for (int k = 0; k < model->nv; k++) {
        solved[k] = one.count > 0 ? answers->velocity[at * nv + (size_t)k] : one.v[k] + one.gain[k];
    }
    tact_step_stop(model, one.gain, solved);
    if (one.round > 0 && one.round < TACT_STEP_FLAT && tact_step_lifts_give(&one, solved)) {
        return tact_step_flatten(worlds, problems, one.count, i);
    }

    // Where it ends.
    TactStepJudged judged = tact_step_rules(&one);
    judged.reasons |= tact_step_integrate(model, one.q, solved, q_end, v_end);
    tact_step_place(model, q_end, &tree);
    tact_step_set_velocity(model, v_end, &tree);
    tact_step_place_geoms(model, &tree, places.poses, places.middle, places.reach);
    tact_step_judge_pairs(&one, &places, &judged);
    double turn = tact_step_largest_turn(model, one.v, solved);
    double has = tact_step_kinetic(model, &tree, v_end);
    int    knocked = tact_step_is_knocked(&one, solved), centred = 0;
    if (judged.reasons == 0 && judged.wrong_count == 0) {
        judged.reasons |= tact_step_judge_sunk(&one, solved);
        judged.reasons |= tact_step_judge_limits(model, q_end);
    }

    // What it takes to go on.
    int watched = turn > model->rules.fast || !(turn >= 0);
    int fast = judged.fast_count > 0;
    if (judged.reasons == 0 && (knocked || watched || fast || judged.wrong_count > 0)) {
        tact_step_place(model, one.q, &tree);
        centred = knocked && tact_step_centre(&one, &tree, solved, worlds->gain + at * nv,
                                              (double *)problems->force + at * nv);
        if (centred || judged.wrong_count > 0) {
            return tact_step_go_on(worlds, &one, &judged, centred, solved, &tree, &places, basis,
                                   i);
        }
        judged.reasons |= fast ? tact_step_judge_ways(&one, &tree, &places, &judged) : 0;
        judged.reasons |= watched && !tact_step_is_balanced(&one, &tree, solved, turn, has)
                              ? TACT_STEP_LEFT_UNBALANCED
                              : 0;
    }
    worlds->left[i] = judged.reasons;
    if (judged.reasons) {
        return TACT_STEP_LEAVE;
    }
    for (int k = 0; k < model->nq; k++) {
        worlds->q[at * (size_t)model->nq + (size_t)k] = q_end[k];
    }
    for (int k = 0; k < model->nv; k++) {
        worlds->v[at * nv + (size_t)k] = v_end[k];
    }
    tact_step_keep(worlds, i, &one, basis);
    return TACT_STEP_DONE;
}

#endif
