// The end of a step of one world, by one thread: where the answer of its contact problem takes it,
// and whether that is right. What is not is left to the processor, whose simulation divides steps,
// completes contacts and puts positions right.
#ifndef TACT_GPU_STEP_END_H
#define TACT_GPU_STEP_END_H

#include "gpu/step/step_begin.h"

enum { TACT_STEP_FLIGHT_ROUNDS = 20 };

// As in sim/free: flight.c, balance.c, midpoint.c; sim/island/problem.c; sim/touch/judge_pairs.c.
#define TACT_STEP_TURN 0.2
#define TACT_STEP_FLIGHT_SETTLED 4e-16
#define TACT_STEP_FAST_JOINT 0.1
#define TACT_STEP_KNOCK 0.02
#define TACT_STEP_AT_REST 1e-11
#define TACT_STEP_FAST_GEOM 0.3
#define TACT_STEP_NO_PUSH 1e-9
#define TACT_STEP_ROUNDED 1e-9

// ---------------------------------------------------------------------------------------------
// Where it ends

/// x with (I - [m]x s) x = b, by Cramer's rule.
TACT_HD TactVec3 tact_step_solve_shifted(const TactMat3 *I, TactVec3 m, double s, TactVec3 b)
{
    TactVec3 row[3] = {{I->m[0][0], I->m[0][1] + s * m.z, I->m[0][2] - s * m.y},
                       {I->m[1][0] - s * m.z, I->m[1][1], I->m[1][2] + s * m.x},
                       {I->m[2][0] + s * m.y, I->m[2][1] - s * m.x, I->m[2][2]}};
    TactVec3 c[3] = {tact_vec3_cross(row[1], row[2]), tact_vec3_cross(row[2], row[0]),
                     tact_vec3_cross(row[0], row[1])};
    double   inverse = 1 / tact_vec3_dot(row[0], c[0]);
    TactVec3 x = tact_vec3_scale(b.x, c[0]);
    x = tact_vec3_add_scaled(x, b.y, c[1]);
    x = tact_vec3_add_scaled(x, b.z, c[2]);
    return tact_vec3_scale(inverse, x);
}

/// One turn of a free body by the time h (sim/free/flight.c, (1)).
TACT_HD void tact_step_turn(const TactMat3 *I, double h, TactQuat *R, TactVec3 *w)
{
    TactVec3 m = tact_mat3_apply(*I, *w), next = *w, none = {0, 0, 0};
    TactQuat Q = {1, 0, 0, 0};
    double   size = tact_vec3_norm(*w), before = INFINITY;
    for (int round = 0; round < TACT_STEP_FLIGHT_ROUNDS; round++) {
        Q = tact_step_quat_exp(tact_vec3_scale(0.5 * h, tact_vec3_add(*w, next)));
        TactVec3 m_next = tact_quat_rotate_back(Q, m);
        TactVec3 off = tact_vec3_subtract(m_next, tact_mat3_apply(*I, next));
        TactVec3 step = tact_step_solve_shifted(I, m_next, 0.5 * h, off);
        double   change = tact_vec3_norm(step);
        next = tact_vec3_add(next, step);
        if (!(change > TACT_STEP_FLIGHT_SETTLED * size) || !(change < before)) {
            break;
        }
        before = change;
    }
    *w = tact_step_solve_shifted(I, none, 0, tact_quat_rotate_back(Q, m));
    *R = tact_step_quat_normalise(tact_quat_multiply(*R, Q));
}

/// A free body from the solved velocity v to where it is and how fast at the end. 0: too fast.
TACT_HD int tact_step_fly(const TactStepModel *model, const TactStepLink *link, const double *q,
                          const double *v, double *q_end, double *v_end)
{
    TactVec3 w = tact_step_read(v + 3), c = link->com;
    double   h = model->h, angle = h * tact_vec3_norm(w);
    if (angle == 0) {
        return 1;
    }
    if (!(angle <= TACT_STEP_TURN)) {
        return 0;
    }
    TactQuat R = tact_step_read_quat(q + 3);
    TactVec3 arm = tact_quat_rotate(R, c);
    TactVec3 speed = tact_vec3_add(tact_step_read(v), tact_quat_rotate(R, tact_vec3_cross(w, c)));
    TactVec3 centre = tact_vec3_add_scaled(tact_vec3_add(tact_step_read(q), arm), h, speed);
    tact_step_turn(&link->rotary, h, &R, &w);
    q_end[3] = R.w;
    q_end[4] = R.x;
    q_end[5] = R.y;
    q_end[6] = R.z;
    tact_step_write(w, v_end + 3);
    if (c.x != 0 || c.y != 0 || c.z != 0) {
        tact_step_write(tact_vec3_subtract(centre, tact_quat_rotate(R, c)), q_end);
        tact_step_write(tact_vec3_subtract(speed, tact_quat_rotate(R, tact_vec3_cross(w, c))),
                        v_end);
    }
    return 1;
}

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

/// q moved along h v; free bodies fly. Bits of why a world is left.
TACT_HD int tact_step_integrate(const TactStepModel *model, const double *q, const double *v,
                                double *q_end, double *v_end)
{
    int left = 0;
    for (int i = 0; i < model->nv; i++) {
        v_end[i] = v[i];
    }
    for (int j = 0; j < model->joint_count; j++) {
        const TactStepJoint *joint = &model->joints[j];
        const double        *x = q + joint->q, *u = v + joint->dof;
        double              *next = q_end + joint->q;
        if (joint->type == TACT_STEP_FREE) {
            for (int k = 0; k < 3; k++) {
                next[k] = x[k] + model->h * u[k];
            }
            tact_step_rotate(x + 3, u + 3, model->h, next + 3);
        } else if (joint->type == TACT_STEP_BALL) {
            tact_step_rotate(x, u, model->h, next);
        } else {
            next[0] = x[0] + model->h * u[0];
        }
    }
    for (int l = 1; l < model->link_count; l++) {
        const TactStepLink *link = &model->links[l];
        if (link->flies) {
            int at = model->joints[link->first_joint].q, dof = link->first_dof;
            left |= tact_step_fly(model, link, q + at, v + dof, q_end + at, v_end + dof)
                        ? 0
                        : TACT_STEP_LEFT_FAST;
        }
    }
    return left;
}

// ---------------------------------------------------------------------------------------------
// Whether that is right

/// Contacts of the step as they were solved.
typedef struct TactStepHeld {
    const int    *names;
    const double *depth;   // at the beginning
    const double *impulse; // n 1 2 of each
    int           count;
    double        push; // a smaller impulse is none
} TactStepHeld;

/// Speeds: joints of mechanisms that turn too far, and contacts that change too much.
TACT_HD int tact_step_judge_speed(const TactStepModel *model, const double *v, const double *gain,
                                  const double *v_end)
{
    int left = 0;
    for (int l = 1; l < model->link_count; l++) {
        const TactStepLink *link = &model->links[l];
        int                 moves = model->joints[link->first_joint].type == TACT_STEP_FREE ? 3 : 0;
        for (int k = 0; k < link->dof_count && !link->flies; k++) {
            int    i = link->first_dof + k;
            double most = tact_step_worse(fabs(v[i]), fabs(v_end[i]));
            left |=
                k >= moves && !(model->h * most <= TACT_STEP_FAST_JOINT) ? TACT_STEP_LEFT_FAST : 0;
            left |= !(model->h * fabs(v_end[i] - v[i] - gain[i]) <= TACT_STEP_KNOCK)
                        ? TACT_STEP_LEFT_KNOCKED
                        : 0;
        }
    }
    return left;
}

/// One pair at the end of the step.
TACT_HD int tact_step_judge_pair(const TactStepModel *model, int number, const TactStepHeld *held,
                                 const TactStepTouches *found)
{
    double before = -INFINITY, deepest = -INFINITY;
    int    left = 0;
    for (int k = 0; k < found->count; k++) {
        deepest = tact_step_larger(deepest, found->items[k].depth);
    }
    for (int c = 0; c < held->count; c++) {
        before = held->names[c] > 0 && (held->names[c] - 1) / 16 == number
                     ? tact_step_larger(before, held->depth[c])
                     : before;
    }
    double allowed = tact_step_larger(before, model->rules.overlap_left);
    left |= deepest > allowed * (1 + TACT_STEP_ROUNDED) ? TACT_STEP_LEFT_DEEPER : 0;
    for (int c = 0; c < held->count && before > -INFINITY; c++) {
        if (held->names[c] <= 0 || (held->names[c] - 1) / 16 != number ||
            !(held->impulse[3 * c] > held->push)) {
            continue;
        }
        double own = deepest;
        for (int k = 0; k < found->count; k++) {
            own = found->items[k].name == held->names[c] ? found->items[k].depth : own;
        }
        left |= own < -model->rules.gap_left ? TACT_STEP_LEFT_HOVERS : 0;
    }
    return left;
}

/// All pairs at the end, whose tree is given; bits of why a world is left.
TACT_HD int tact_step_judge_pairs(const TactStepModel *model, const TactStepTree *tree,
                                  const TactStepHeld *held)
{
    TactTransform   poses[TACT_STEP_MAX_GEOMS];
    TactVec3        middle[TACT_STEP_MAX_GEOMS];
    double          reach[TACT_STEP_MAX_GEOMS];
    TactStepTouches found;
    int             left = 0;
    tact_step_place_geoms(model, tree, poses, middle, reach);
    for (int k = 0; k < model->geom_count; k++) {
        left |= reach[k] > TACT_STEP_FAST_GEOM * model->geoms[k].radius ? TACT_STEP_LEFT_FAST : 0;
    }
    for (int p = 0; p < model->pair_count; p++) {
        const TactStepPair *pair = &model->pairs[p];
        double              margin = reach[pair->a] + reach[pair->b];
        int                 near = tact_step_is_near(model, pair, poses, middle, margin);
        found.count = 0;
        if (near && !tact_step_collide(model, p, poses, margin, &found)) {
            left |= TACT_STEP_LEFT_CROSSED;
            continue;
        }
        int held_too = 0;
        for (int c = 0; c < held->count; c++) {
            held_too = held_too || (held->names[c] > 0 && (held->names[c] - 1) / 16 == p);
        }
        if (near || held_too) {
            left |= tact_step_judge_pair(model, p, held, &found);
        }
    }
    return left;
}

/// Contacts that are deeper than steps make them; u_n of each from J and v.
TACT_HD int tact_step_judge_sunk(const TactStepModel *model, const TactStepHeld *held,
                                 const double *J, const double *v)
{
    double worst = -INFINITY;
    for (int c = 0; c < held->count; c++) {
        double u = 0;
        for (int i = 0; i < model->nv; i++) {
            u += J[(size_t)(3 * c) * (size_t)model->nv + (size_t)i] * v[i];
        }
        worst = held->names[c] > 0 ? tact_step_larger(worst, held->depth[c] - model->h * u) : worst;
    }
    return worst > model->rules.overlap_made ? TACT_STEP_LEFT_SUNK : 0;
}

/// A world whose answer is rest but for rounding is at rest (sim/island/problem.c).
TACT_HD void tact_step_stop(const TactStepModel *model, const double *gain, double *v)
{
    double most = 0, added = 0;
    for (int i = 0; i < model->nv; i++) {
        most = tact_step_worse(most, fabs(v[i]));
        added = tact_step_larger(added, fabs(gain[i]));
    }
    for (int i = 0; i < model->nv && most <= TACT_STEP_AT_REST * added; i++) {
        v[i] = 0;
    }
}

/// What the step keeps for the next one.
TACT_HD void tact_step_keep(const TactStepWorlds *worlds, int i, const unsigned *basis)
{
    size_t at = (size_t)i * (size_t)worlds->contacts;
    worlds->kept[i] = worlds->found[i];
    for (int k = 0; k < worlds->found[i]; k++) {
        worlds->kept_names[at + (size_t)k] = worlds->names[at + (size_t)k];
        worlds->kept_basis[at + (size_t)k] = basis[at + (size_t)k];
    }
}

/// The state after the step, if it is right; else worlds->left says why not, and it stays.
TACT_HD void tact_step_end(const TactStepModel *model, const TactStepWorlds *worlds,
                           const TactMechanismProblems *problems, const TactBodyAnswers *answers,
                           double tol, int i)
{
    TactStepTree  tree;
    size_t        nv = (size_t)model->nv, at = (size_t)i, room = (size_t)problems->contacts;
    double       *q = worlds->q + at * (size_t)model->nq, *v = worlds->v + at * nv;
    const double *gain = worlds->gain + at * nv;
    double        solved[TACT_STEP_MAX_DOF], v_end[TACT_STEP_MAX_DOF];
    double        q_end[TACT_STEP_MAX_DOF + TACT_STEP_MAX_LINKS];
    TactStepHeld  held = {worlds->names + at * room, worlds->depth + at * room,
                          answers->impulse + at * 3 * room, worlds->found[i], 0};
    if (!worlds->left[i] && held.count > 0 && !(answers->error[i] <= tol)) {
        worlds->left[i] = TACT_STEP_LEFT_UNSOLVED;
    }
    if (worlds->left[i]) {
        return;
    }
    for (int c = 0; c < held.count; c++) {
        held.push = tact_step_larger(held.push, TACT_STEP_NO_PUSH * held.impulse[3 * c]);
    }
    for (int k = 0; k < model->nv; k++) {
        solved[k] = held.count > 0 ? answers->velocity[at * nv + (size_t)k] : v[k] + gain[k];
    }
    tact_step_stop(model, gain, solved);
    int left = tact_step_integrate(model, q, solved, q_end, v_end);
    left |= tact_step_judge_speed(model, v, gain, solved);
    left |= tact_step_judge_sunk(model, &held, problems->J + at * 3 * room * nv, solved);
    tact_step_place(model, q_end, &tree);
    tact_step_set_velocity(model, v_end, &tree);
    left |= tact_step_judge_pairs(model, &tree, &held);
    worlds->left[i] = left;
    if (left) {
        return;
    }
    for (int k = 0; k < model->nq; k++) {
        q[k] = q_end[k];
    }
    for (int k = 0; k < model->nv; k++) {
        v[k] = v_end[k];
    }
    tact_step_keep(worlds, i, answers->basis);
}

#endif
