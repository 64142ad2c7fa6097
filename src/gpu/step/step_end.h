// The end of a step of one world, by the lanes of a warp: where the answer of its contact problem
// takes it, and whether that is right (sim/touch: complete.c, judge_pairs.c).
#ifndef TACT_GPU_STEP_END_H
#define TACT_GPU_STEP_END_H

#include "gpu/step/step_begin.h"

enum { TACT_STEP_LOOKS = 8 };

// Of a free body, rad: several turns of turn.h.
#define TACT_STEP_MOST_TURN 1.0

// As in sim/free: balance.c, midpoint.c; sim/island/problem.c; sim/touch/judge_pairs.c.
#define TACT_STEP_TOO_FAST 0.5
#define TACT_STEP_FLUCTUATION 1.05
#define TACT_STEP_LITTLE 1.02
#define TACT_STEP_FAST 0.1
#define TACT_STEP_AT_REST 1e-11
#define TACT_STEP_FAST_GEOM 0.3
#define TACT_STEP_NO_PUSH 1e-9
#define TACT_STEP_ROUNDED 1e-9
#define TACT_STEP_CREEP 0.008
#define TACT_STEP_WORST 0.04
#define TACT_STEP_GROWTH 3e-4
#define TACT_STEP_HOVER 0.02
#define TACT_STEP_FAR_IN 0.25
#define TACT_STEP_ASIDE 0.04
#define TACT_STEP_LIMIT 1e-9

// ---------------------------------------------------------------------------------------------
// Where it ends

TACT_HD void tact_step_rotate(const double *q, const double *w, double h, double *next)
{
    TactVec3 angle = {h * w[0], h * w[1], h * w[2]};
    TactQuat turned = tact_step_quat_normalise(
        tact_quat_multiply(tact_step_read_quat(q), tact_step_quat_exp(angle)));
    next[0] = turned.w;
    next[1] = turned.x;
    next[2] = turned.y;
    next[3] = turned.z;
}

/// One joint moved along h v.
TACT_LANE void tact_step_move_joint(const TactStepModel *model, const TactStepJoint *joint,
                                    const double *x, const double *u, double *next)
{
    int moves = joint->type == TACT_STEP_FREE ? 3 : joint->type == TACT_STEP_BALL ? 0 : 1;
    TACT_ROLLED
    for (int k = 0; k < moves; k++) {
        next[k] = x[k] + model->h * u[k];
    }
    if (joint->type == TACT_STEP_FREE || joint->type == TACT_STEP_BALL) {
        tact_step_rotate(x + moves, u + moves, model->h, next + moves);
    }
}

/// room->q moved along h v to room->q_end and v_end; free bodies fly. Bits of why a world is left.
TACT_LANE_CALL int tact_step_integrate(const TactStepModel *model, const double *v,
                                       TactStepRoom *room)
{
    int left = 0, lane = tact_warp_lane();
    TACT_ROLLED
    for (int i = lane; i < model->nv; i += TACT_WARP) {
        room->v_end[i] = v[i];
    }
    TACT_ROLLED
    for (int j = lane; j < model->joint_count; j += TACT_WARP) {
        const TactStepJoint *joint = &model->joints[j];
        tact_step_move_joint(model, joint, room->q + joint->q, v + joint->dof,
                             room->q_end + joint->q);
    }
    tact_lane_meet();
    TACT_ROLLED
    for (int l = 1 + lane; l < model->link_count; l += TACT_WARP) {
        const TactStepLink *link = &model->links[l];
        if (link->flies) {
            int    at = model->joints[link->first_joint].q, dof = link->first_dof;
            double turn = model->h * tact_vec3_norm(tact_step_read(v + dof + 3));
            if (turn <= TACT_STEP_MOST_TURN) {
                tact_turn_fly(link->com, &link->rotary, model->h, room->q + at, v + dof,
                              room->q_end + at, room->v_end + dof);
            } else {
                left = TACT_STEP_LEFT_FAST;
            }
        }
    }
    tact_lane_meet();
    return tact_step_join(left);
}

// ---------------------------------------------------------------------------------------------
// Whether that is right

/// A world at the end of a solve.
typedef struct TactStepOne {
    const TactStepModel         *model;
    const TactMechanismProblems *problems;
    const double                *gain, *force, *tau, *M, *J;
    const TactStepHeld          *held, *start;
    const double                *impulse; // of rows
    double                      *v_before;
    int                          count, rough, start_count, round;
} TactStepOne;

TACT_LANE TactStepOne tact_step_one(const TactStepModel *model, const TactStepWorlds *worlds,
                                    const TactMechanismProblems *problems,
                                    const TactBodyAnswers *answers, int i)
{
    TactStepOne one;
    size_t      nv = (size_t)model->nv, at = (size_t)i, room = (size_t)problems->contacts;
    one.model = model;
    one.problems = problems;
    one.gain = worlds->gain + at * nv;
    one.tau = worlds->tau + at * nv;
    one.v_before = worlds->v_before + at * nv;
    one.force = problems->force + at * nv;
    one.M = problems->M + at * (nv * (nv + 1) / 2);
    one.J = problems->J + at * (size_t)problems->rows * nv;
    one.held = worlds->held + at * room;
    one.start = worlds->start + at * room;
    one.impulse = answers->impulse + at * (size_t)problems->rows;
    one.count = problems->active[i];
    one.rough = problems->rough[i];
    one.start_count = worlds->start_count[i];
    one.round = worlds->round[i];
    return one;
}

/// Was there a problem to solve?
TACT_LANE int tact_step_was_solved(const TactStepOne *one)
{
    return one->count + tact_step_extra(one->model) > 0;
}

/// Rules for pairs, and how many are not right: their lists are in the room.
typedef struct TactStepJudged {
    double left, grow,
        gap;     // overlap that is left alone, its growth, a gap at which a contact may push
    double push; // a smaller impulse is none
    int    reasons;
    int    wrong_count, fast_count; // fast: whose way is looked at too
} TactStepJudged;

/// Every round settles for less.
TACT_LANE TactStepJudged tact_step_rules(const TactStepOne *one)
{
    TactStepJudged judged;
    double         slop = one->model->rules.slop, h = one->model->h, most = 0;
    double         worse = 1 + 0.5 * (one->round % TACT_STEP_FLAT);
    double         creep = worse * TACT_STEP_CREEP, hover = worse * TACT_STEP_HOVER;
    TACT_ROLLED
    for (int c = tact_warp_lane(); c < one->count; c += TACT_WARP) {
        most = one->held[c].name > 0
                   ? tact_step_larger(most, one->impulse[tact_rows_first(one->rough, c)])
                   : most;
    }
    judged.left = slop + (creep < TACT_STEP_WORST ? creep : TACT_STEP_WORST) * h;
    judged.grow = (worse - 1) * TACT_STEP_GROWTH * h;
    judged.gap = slop + (hover < TACT_STEP_WORST ? hover : TACT_STEP_WORST) * h;
    judged.push = TACT_STEP_NO_PUSH * tact_step_most(most);
    judged.reasons = judged.wrong_count = judged.fast_count = 0;
    return judged;
}

/// Does a contact of the pair push across a gap? at: the first of its contacts.
TACT_LANE int tact_step_hovers(const TactStepOne *one, int at, int number, double deepest,
                               const TactStepTouches *found, const TactStepJudged *judged)
{
    int hovers = 0;
    TACT_ROLLED
    for (int c = at; c < one->count && tact_step_pair_of(&one->held[c]) == number; c++) {
        double own = deepest;
        TACT_ROLLED
        for (int k = 0; k < found->count; k++) {
            own = found->items[k].name == one->held[c].name ? found->items[k].depth : own;
        }
        hovers = hovers || (one->impulse[tact_rows_first(one->rough, c)] > judged->push &&
                            own < -judged->gap);
    }
    return hovers;
}

/// What is said of a pair, a bit each.
enum { TACT_STEP_PAIR_WRONG = 1, TACT_STEP_PAIR_FAST = 2, TACT_STEP_PAIR_FAR_IN = 4 };

/// One pair at the end of the step. at: its first contact; before: how deep it was at the
/// beginning.
TACT_LANE int tact_step_judge_pair(const TactStepOne *one, int number, int at, double before,
                                   const TactStepTouches *found, const TactStepPlaces *places,
                                   const TactStepJudged *judged)
{
    const TactStepModel *model = one->model;
    const TactStepPair  *pair = &model->pairs[number];
    const TactStepGeom  *a = &model->geoms[pair->a], *b = &model->geoms[pair->b];
    double               deepest = -INFINITY, way = tact_step_margin(places, pair);
    TACT_ROLLED
    for (int k = 0; k < found->count; k++) {
        deepest = tact_step_larger(deepest, found->items[k].depth);
    }
    double allowed = tact_step_larger(before + judged->grow, judged->left);
    int    deep = deepest > allowed * (1 + TACT_STEP_ROUNDED);
    int    wrong = deep || tact_step_hovers(one, at, number, deepest, found, judged);
    // where it touches on the way is looked for
    int    far_in = deep && deepest > TACT_STEP_FAR_IN * way && before < -judged->left;
    double speed =
        tact_step_larger(places->reach[pair->a] / a->radius, places->reach[pair->b] / b->radius);
    int plane = a->type == TACT_STEP_PLANE || b->type == TACT_STEP_PLANE;
    int fast = !wrong && speed > (plane ? TACT_STEP_TOO_FAST : TACT_STEP_FAST_GEOM);
    return (wrong ? TACT_STEP_PAIR_WRONG : 0) | (fast ? TACT_STEP_PAIR_FAST : 0) |
           (far_in ? TACT_STEP_PAIR_FAR_IN : 0);
}

/// Is a pair in a list? The first place, or the count.
TACT_LANE int tact_step_find_pair(const short *list, int count, int pair)
{
    int at = 0;
    while (at < count && list[at] != pair) {
        at++;
    }
    return at;
}

/// Pairs that are near at the end, or were contacts; returns their number.
TACT_LANE int tact_step_find_near(const TactStepOne *one, TactStepRoom *room)
{
    const TactStepModel *model = one->model;
    int                  lane = tact_warp_lane(), near = 0;
    TACT_ROLLED
    for (int k = lane; k < TACT_STEP_MAX_CONTACTS; k += TACT_WARP) {
        room->start_pair[k] =
            (short)(k < one->start_count ? tact_step_pair_of(&one->start[k]) : -1);
        room->held_pair[k] = (short)(k < one->count ? tact_step_pair_of(&one->held[k]) : -1);
    }
    tact_lane_meet();
    TACT_ROLLED
    for (int first = 0; first < model->pair_count; first += TACT_WARP) {
        int p = first + lane, looked = 0;
        if (p < model->pair_count) {
            looked =
                tact_step_is_near(model, &model->pairs[p], &room->places) ||
                tact_step_find_pair(room->start_pair, one->start_count, p) < one->start_count ||
                tact_step_find_pair(room->held_pair, one->count, p) < one->count;
        }
        near = tact_step_add_near(room, near, p, looked);
    }
    tact_lane_meet();
    return near;
}

/// Adds pairs to a list in their order, as far as there is room.
TACT_LANE int tact_step_list_pair(short *list, int count, int pair, int is)
{
    unsigned votes = tact_warp_vote(is);
    int      at = count + tact_step_before(votes);
    if (is && at < TACT_STEP_MOST_WRONG) {
        list[at] = (short)pair;
    }
    return count + tact_lane_count_bits(votes);
}

/// All pairs at the end.
TACT_LANE void tact_step_judge_pairs(const TactStepOne *one, TactStepRoom *room,
                                     TactStepJudged *judged)
{
    const TactStepModel *model = one->model;
    int                  lane = tact_warp_lane(), near = tact_step_find_near(one, room);
    judged->reasons |= near > TACT_STEP_MOST_NEAR ? TACT_STEP_LEFT_FULL : 0;
    TACT_ROLLED
    for (int first = 0; first < near && first < TACT_STEP_MOST_NEAR; first += TACT_WARP) {
        int p = -1, said = 0, reasons = 0;
        if (first + lane < near && first + lane < TACT_STEP_MOST_NEAR) {
            TactStepTouches found;
            double          before = -INFINITY;
            p = room->near[first + lane];
            TACT_ROLLED
            for (int c = tact_step_find_pair(room->start_pair, one->start_count, p);
                 c < one->start_count && room->start_pair[c] == p; c++) {
                before = tact_step_larger(before, one->start[c].depth);
            }
            int at = tact_step_find_pair(room->held_pair, one->count, p);
            reasons = tact_step_collide(model, p, &room->places, &found);
            if (!reasons && (found.count > 0 || at < one->count || before > -INFINITY)) {
                said = tact_step_judge_pair(one, p, at, before, &found, &room->places, judged);
            }
        }
        reasons |= said & TACT_STEP_PAIR_FAR_IN ? TACT_STEP_LEFT_DEEPER : 0;
        judged->reasons |= tact_step_join(reasons);
        judged->wrong_count = tact_step_list_pair(room->wrong, judged->wrong_count, p,
                                                  (said & TACT_STEP_PAIR_WRONG) != 0);
        judged->fast_count = tact_step_list_pair(room->fast, judged->fast_count, p,
                                                 (said & TACT_STEP_PAIR_FAST) != 0);
    }
    tact_lane_meet();
}

/// A rod between its poses at the beginning and at the end of the step.
TACT_HD TactStepRod tact_step_rod_between(const TactStepGeom *geom, const TactTransform *from,
                                          const TactTransform *to, double time)
{
    TactStepRod a = tact_step_rod(geom, from), b = tact_step_rod(geom, to);
    TactVec3    step = tact_vec3_subtract(b.middle, a.middle);
    TactVec3    turn = tact_vec3_subtract(b.axis, a.axis);
    a.middle = tact_vec3_add_scaled(a.middle, time, step);
    a.axis = tact_step_unit(tact_vec3_add_scaled(a.axis, time, turn));
    return a;
}

/// (w h)^2 / 8 of a rotation, by 1 - cos(w h / 2).
TACT_HD double tact_step_bend(TactQuat from, TactQuat to)
{
    return 1 - fabs(from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z);
}

/// By how much points of a geom may be beside the line between their places: r (w h)^2 / 8.
TACT_HD double tact_step_aside(const TactStepGeom *geom, TactQuat from, TactQuat to)
{
    double part = tact_step_bend(from, to);
    return 1.5 * geom->radius * (part < TACT_STEP_ASIDE ? part : TACT_STEP_ASIDE);
}

/// Does a fast pair go without overlapping on the way? Links are at the beginning.
TACT_LANE int tact_step_way_holds(const TactStepOne *one, const TactStepRoom *room, int number,
                                  double left)
{
    const TactStepModel  *model = one->model;
    const TactStepPair   *pair = &model->pairs[number];
    const TactStepGeom   *a = &model->geoms[pair->a], *b = &model->geoms[pair->b];
    const TactStepPlaces *places = &room->places;
    TactTransform         from_a = tact_transform_multiply(room->pose[a->link], a->pose);
    TactTransform         from_b = tact_transform_multiply(room->pose[b->link], b->pose);
    TactStepRods          rods;
    double                allowed = left;
    int                   holds = a->type <= TACT_STEP_CAPSULE && b->type <= TACT_STEP_CAPSULE;
    if (a->type == TACT_STEP_PLANE || b->type == TACT_STEP_PLANE) {
        // Points that are above a plane at both ends go below it by what they bend at the most.
        double most = TACT_STEP_TOO_FAST * TACT_STEP_TOO_FAST / 8;
        return tact_step_bend(from_a.rotation, places->poses[pair->a].rotation) <= most &&
               tact_step_bend(from_b.rotation, places->poses[pair->b].rotation) <= most;
    }
    TACT_ROLLED
    for (int c = 0; c < one->start_count; c++) {
        allowed = tact_step_pair_of(&one->start[c]) == number
                      ? tact_step_larger(allowed, one->start[c].depth)
                      : allowed;
    }
    allowed += tact_step_aside(a, from_a.rotation, places->poses[pair->a].rotation) +
               tact_step_aside(b, from_b.rotation, places->poses[pair->b].rotation);
    TACT_ROLLED
    for (int k = 1; k < TACT_STEP_LOOKS && holds; k++) {
        double time = (double)k / TACT_STEP_LOOKS;
        rods.a = tact_step_rod_between(a, &from_a, &places->poses[pair->a], time);
        rods.b = tact_step_rod_between(b, &from_b, &places->poses[pair->b], time);
        tact_step_nearest(&rods);
        TactVec3 apart = tact_vec3_subtract(tact_step_rod_at(&rods.b, rods.t),
                                            tact_step_rod_at(&rods.a, rods.s));
        double   depth = rods.a.radius + rods.b.radius + pair->skin - tact_vec3_norm(apart);
        holds = depth <= allowed;
    }
    return holds;
}

/// All pairs whose way is looked at.
TACT_LANE int tact_step_judge_ways(const TactStepOne *one, const TactStepRoom *room,
                                   const TactStepJudged *judged)
{
    int holds = judged->fast_count <= TACT_STEP_MOST_WRONG;
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < judged->fast_count && holds; k += TACT_WARP) {
        holds = tact_step_way_holds(one, room, room->fast[k], judged->left);
    }
    return tact_lane_any(!holds) ? TACT_STEP_LEFT_FAST : 0;
}

/// Contacts that are deeper than steps make them; u_n of each from J and v.
TACT_LANE int tact_step_judge_sunk(const TactStepOne *one, const double *v)
{
    const TactStepModel *model = one->model;
    double               worst = -INFINITY;
    TACT_ROLLED
    for (int c = 0; c < one->count; c++) {
        const double *J = one->J + tact_rows_first(one->rough, c) * model->nv;
        double        u = 0;
        TACT_ROLLED
        for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
            u += J[i] * v[i];
        }
        u = tact_step_sum(u);
        worst = one->held[c].name > 0 ? tact_step_larger(worst, one->held[c].depth - model->h * u)
                                      : worst;
    }
    return worst > model->rules.overlap_made ? TACT_STEP_LEFT_SUNK : 0;
}

/// Limits that are exceeded at the end: positions are put right.
TACT_LANE int tact_step_judge_limits(const TactStepModel *model, const double *q)
{
    double worst = 0;
    TACT_ROLLED
    for (int j = tact_warp_lane(); j < model->joint_count; j += TACT_WARP) {
        const TactStepJoint *joint = &model->joints[j];
        if (joint->limited) {
            worst = tact_step_larger(worst, joint->limit[0] - q[joint->q]);
            worst = tact_step_larger(worst, q[joint->q] - joint->limit[1]);
        }
    }
    TACT_ROLLED
    for (int t = tact_warp_lane(); t < model->tendon_count; t += TACT_WARP) {
        const TactStepTendon *tendon = &model->tendons[t];
        if (tendon->limited) {
            double length = tact_step_tendon(model, tendon, q, 1);
            worst = tact_step_larger(worst, tendon->limit[0] - length);
            worst = tact_step_larger(worst, length - tendon->limit[1]);
        }
    }
    return tact_lane_any(worst > TACT_STEP_LIMIT) ? TACT_STEP_LEFT_SUNK : 0;
}

/// A world whose answer is rest but for rounding is at rest (sim/island/problem.c).
TACT_LANE void tact_step_stop(const TactStepModel *model, const double *gain, double *v)
{
    double most = 0, added = 0;
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        most = tact_step_worse(most, fabs(v[i]));
        added = tact_step_larger(added, fabs(gain[i]));
    }
    most = tact_step_most(most);
    added = tact_step_most(added);
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv && most <= TACT_STEP_AT_REST * added;
         i += TACT_WARP) {
        v[i] = 0;
    }
    tact_lane_meet();
}

// ---------------------------------------------------------------------------------------------
// The energy of fast joints (sim/free/balance.c)

/// How far the fastest joint of a mechanism goes.
TACT_LANE double tact_step_largest_turn(const TactStepModel *model, const double *v,
                                        const double *solved)
{
    double most = 0;
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        const TactStepLink *link = &model->links[model->dofs[i].link];
        int                 moves = model->joints[link->first_joint].type == TACT_STEP_FREE ? 3 : 0;
        if (!link->flies && i >= link->first_dof + moves) {
            most = tact_step_worse(most, tact_step_worse(fabs(v[i]), fabs(solved[i])));
        }
    }
    return model->h * tact_step_most(most);
}

/// Kinetic energy of a tree whose velocities are set. What flies keeps its own.
TACT_LANE double tact_step_kinetic(const TactStepModel *model, const TactStepRoom *room,
                                   const double *v)
{
    double twice = 0;
    TACT_ROLLED
    for (int l = 1 + tact_warp_lane(); l < model->link_count; l += TACT_WARP) {
        const TactStepLink *link = &model->links[l];
        TactTwist           u = room->velocity[l];
        if (!link->flies) {
            twice += link->mass * tact_vec3_dot(u.linear, u.linear) +
                     tact_vec3_dot(u.angular, tact_sym3_apply(room->rotary[l], u.angular));
        }
        TACT_ROLLED
        for (int i = link->first_dof; i < link->first_dof + link->dof_count && !link->flies; i++) {
            twice += model->dofs[i].armature * v[i] * v[i];
        }
    }
    return 0.5 * tact_step_sum(twice);
}

/// Does a world keep the balance (1) of balance.c? Links are at the beginning; has: its energy at
/// the end.
TACT_LANE int tact_step_is_balanced(const TactStepOne *one, TactStepRoom *room, double turn,
                                    double has)
{
    const TactStepModel *model = one->model;
    double               work = 0;
    double               factor = turn > TACT_STEP_TOO_FAST            ? 1
                                  : model->rules.fast < TACT_STEP_FAST ? TACT_STEP_LITTLE
                                                                       : TACT_STEP_FLUCTUATION;
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        room->x[i] = 0;
    }
    tact_lane_meet();
    tact_step_bias(model, room->x, room, room->impulse);
    tact_step_set_velocity(model, room->v, room);
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        double weight = room->impulse[i];
        work += 0.5 * model->h * (room->v[i] + room->solved[i]) * (one->tau[i] - weight);
    }
    work = tact_step_sum(work);
    double allowed = tact_step_kinetic(model, room, room->v) + tact_step_larger(0, work);
    return !(has > factor * allowed);
}

#endif
