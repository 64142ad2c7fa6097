// Trees of links at a state: poses, axes, velocities, velocity products, mass matrix and its
// factor. What src/dynamics computes, for one world by the lanes of a warp: a lane a link, level by
// level from the root where links follow each other, or a lane a dof.
#ifndef TACT_GPU_STEP_TREE_H
#define TACT_GPU_STEP_TREE_H

#include "gpu/step/step_room.h"

TACT_HD void tact_step_set_axes(TactTwist *axis, TactQuat turn, TactVec3 anchor)
{
    TactMat3 R = tact_step_quat_to_mat3(turn);
    for (int k = 0; k < 3; k++) {
        axis[k].linear = anchor;
        axis[k].angular.x = R.m[0][k];
        axis[k].angular.y = R.m[1][k];
        axis[k].angular.z = R.m[2][k];
    }
}

/// Moves the pose of a link by one of its joints; axes hold their anchors for the time being.
TACT_HD void tact_step_move(const TactStepJoint *joint, const double *q, TactTwist *axis,
                            TactTransform *pose)
{
    TactVec3 anchor = tact_transform_point(*pose, joint->position);
    TactVec3 direction = tact_quat_rotate(pose->rotation, joint->axis);
    if (joint->type == TACT_STEP_FREE) {
        pose->position = tact_step_read(q);
        pose->rotation = tact_step_read_quat(q + 3);
        tact_step_set_axes(axis + 3, pose->rotation, pose->position);
        return;
    }
    if (joint->type == TACT_STEP_SLIDE) {
        pose->position = tact_vec3_add_scaled(pose->position, q[0] - joint->reference, direction);
        axis->linear = direction;
        return;
    }
    if (joint->type == TACT_STEP_BALL) {
        pose->rotation = tact_quat_multiply(pose->rotation, tact_step_read_quat(q));
        tact_step_set_axes(axis, pose->rotation, anchor);
    } else {
        double   half = 0.5 * (q[0] - joint->reference), s = sin(half);
        TactQuat turn = {cos(half), s * joint->axis.x, s * joint->axis.y, s * joint->axis.z};
        pose->rotation = tact_quat_multiply(pose->rotation, turn);
        axis->linear = anchor;
        axis->angular = direction;
    }
    pose->position = tact_vec3_subtract(anchor, tact_quat_rotate(pose->rotation, joint->position));
}

/// S at the centre of mass: a rotation moves it by w x (com - anchor).
TACT_HD void tact_step_finish_axes(const TactStepJoint *joint, TactVec3 com, TactTwist *axis)
{
    TactVec3 none = {0, 0, 0};
    int      turns = joint->type == TACT_STEP_HINGE ? 1 : 3;
    if (joint->type == TACT_STEP_SLIDE) {
        axis->angular = none;
        return;
    }
    if (joint->type == TACT_STEP_FREE) {
        for (int k = 0; k < 3; k++) {
            TactVec3 along = {k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
            axis[k].linear = along;
            axis[k].angular = none;
        }
        axis += 3;
    }
    TACT_ROLLED
    for (int k = 0; k < turns; k++) {
        axis[k].linear = tact_vec3_cross(axis[k].angular, tact_vec3_subtract(com, axis[k].linear));
    }
}

/// Axes from the frame of the parent to the world's; a parent that is the world has none.
TACT_LANE void tact_step_turn_axes(const TactStepModel *model, const TactStepLink *link,
                                   TactStepRoom *room)
{
    TactTransform parent = room->pose[link->parent];
    TACT_ROLLED
    for (int i = link->first_dof; i < link->first_dof + link->dof_count && link->parent > 0; i++) {
        TactTwist *axis = &room->axis[i];
        if (model->joints[model->dofs[i].joint].type == TACT_STEP_SLIDE) {
            axis->linear = tact_quat_rotate(parent.rotation, axis->linear);
        } else {
            axis->linear = tact_transform_point(parent, axis->linear);
            axis->angular = tact_quat_rotate(parent.rotation, axis->angular);
        }
    }
}

/// What follows from the pose of a link.
TACT_LANE void tact_step_finish(const TactStepModel *model, int l, TactStepRoom *room)
{
    const TactStepLink *link = &model->links[l];
    TactTransform       pose = room->pose[l];
    TactMat3            R = tact_step_quat_to_mat3(pose.rotation);
    TactVec3            com = tact_vec3_add(pose.position, tact_mat3_apply(R, link->com));
    room->com[l] = com;
    room->rotary[l] = tact_sym3_rotate(&R, &link->rotary);
    tact_step_turn_axes(model, link, room);
    TACT_ROLLED
    for (int j = link->first_joint; j < link->first_joint + link->joint_count; j++) {
        const TactStepJoint *joint = &model->joints[j];
        tact_step_finish_axes(joint, com, room->axis + joint->dof);
    }
}

/// Positions: all but velocities and forces. Links take what their joints do in the frame of the
/// parent all at once, and only then follow each other.
TACT_LANE_CALL void tact_step_place(const TactStepModel *model, const double *q, TactStepRoom *room)
{
    int           lane = tact_warp_lane();
    TactTransform origin = {{1, 0, 0, 0}, {0, 0, 0}};
    TactVec3      none = {0, 0, 0};
    TactTwist     still = {{0, 0, 0}, {0, 0, 0}};
    TACT_ROLLED
    for (int l = lane; l < model->link_count; l += TACT_WARP) {
        const TactStepLink *link = &model->links[l];
        TactTransform       pose = link->fixed;
        TACT_ROLLED
        for (int j = link->first_joint; j < link->first_joint + link->joint_count; j++) {
            const TactStepJoint *joint = &model->joints[j];
            tact_step_move(joint, q + joint->q, room->axis + joint->dof, &pose);
        }
        pose.rotation = tact_step_quat_normalise(pose.rotation);
        room->pose[l] = l > 0 ? pose : origin;
    }
    if (lane == 0) {
        room->com[0] = none;
        room->velocity[0] = still;
    }
    tact_lane_meet();
    TACT_ROLLED
    for (int level = 2; level <= model->traits.levels; level++) {
        TACT_ROLLED
        for (int l = lane; l < model->link_count; l += TACT_WARP) {
            if (model->links[l].level == level) {
                TactTransform pose =
                    tact_transform_multiply(room->pose[model->links[l].parent], room->pose[l]);
                pose.rotation = tact_step_quat_normalise(pose.rotation);
                room->pose[l] = pose;
            }
        }
        tact_lane_meet();
    }
    TACT_ROLLED
    for (int l = lane; l < model->link_count; l += TACT_WARP) {
        if (l > 0) {
            tact_step_finish(model, l, room);
        }
    }
    tact_lane_meet();
}

/// One joint of dynamics/velocity.c, (1).
TACT_HD void tact_step_add_joint(const TactStepJoint *joint, const TactTwist *S, const double *qd,
                                 TactTwist *velocity, TactTwist *product)
{
    TactTwist before = *velocity, motion = {{0, 0, 0}, {0, 0, 0}};
    int       first = 0, end = joint->type == TACT_STEP_BALL ? 3 : 1;
    if (joint->type == TACT_STEP_FREE) {
        before.linear = tact_vec3_add(before.linear, tact_step_read(qd));
        first = 3;
        end = 6;
    }
    TACT_ROLLED
    for (int k = first; k < end; k++) {
        motion = tact_twist_add_scaled(motion, qd[k], S[k]);
    }
    *product = tact_twist_add(*product, tact_twist_times(before, motion));
    *velocity = tact_twist_add(before, motion);
}

/// From the centre of mass of the parent to a link's own.
TACT_LANE TactVec3 tact_step_arm(const TactStepModel *model, int l, const TactStepRoom *room)
{
    return tact_vec3_subtract(room->com[l], room->com[model->links[l].parent]);
}

/// Velocities. What the joints of a link add to that of its parent is taken all at once; links
/// then follow each other. Where products are wanted: of the joints of a link among each other,
/// to `products`.
TACT_LANE void tact_step_follow(const TactStepModel *model, const double *v, TactStepRoom *room,
                                TactTwist *products)
{
    int       lane = tact_warp_lane();
    TactTwist none = {{0, 0, 0}, {0, 0, 0}};
    TACT_ROLLED
    for (int l = 1 + lane; l < model->link_count; l += TACT_WARP) {
        const TactStepLink *link = &model->links[l];
        TactTwist           velocity = none, product = none;
        TACT_ROLLED
        for (int j = link->first_joint; j < link->first_joint + link->joint_count; j++) {
            const TactStepJoint *joint = &model->joints[j];
            tact_step_add_joint(joint, room->axis + joint->dof, v + joint->dof, &velocity,
                                &product);
        }
        room->velocity[l] = velocity;
        if (products) {
            products[l] = product;
        }
    }
    tact_lane_meet();
    TACT_ROLLED
    for (int level = 2; level <= model->traits.levels; level++) {
        TACT_ROLLED
        for (int l = lane; l < model->link_count; l += TACT_WARP) {
            if (model->links[l].level == level) {
                TactTwist from = tact_twist_shift(room->velocity[model->links[l].parent],
                                                  tact_step_arm(model, l, room));
                room->velocity[l] = tact_twist_add(from, room->velocity[l]);
            }
        }
        tact_lane_meet();
    }
}

TACT_LANE_CALL void tact_step_set_velocity(const TactStepModel *model, const double *v,
                                           TactStepRoom *room)
{
    tact_step_follow(model, v, room, NULL);
}

/// The force that a link takes, of its acceleration without that of joints.
TACT_LANE TactWrench tact_step_take(const TactStepModel *model, int l, const TactStepRoom *room)
{
    TactTwist  V = room->velocity[l], a = room->balance.acceleration[l];
    TactSym3   I = room->rotary[l];
    TactWrench f = {
        tact_vec3_scale(model->links[l].mass,
                        tact_vec3_add(a.linear, tact_vec3_cross(V.angular, V.linear))),
        tact_vec3_add(tact_sym3_apply(I, a.angular),
                      tact_vec3_cross(V.angular, tact_sym3_apply(I, V.angular))),
    };
    return f;
}

/// Accelerations without those of joints: products of a link's joints with the velocity that its
/// parent gives it, and among each other; from the root on they add up.
TACT_LANE void tact_step_accelerate(const TactStepModel *model, TactStepRoom *room)
{
    int        lane = tact_warp_lane();
    TactTwist *a = room->balance.acceleration, rest = {tact_vec3_negate(model->gravity), {0, 0, 0}};
    TACT_ROLLED
    for (int l = 1 + lane; l < model->link_count; l += TACT_WARP) {
        int parent = model->links[l].parent;
        if (parent > 0) {
            TactTwist from =
                tact_twist_shift(room->velocity[parent], tact_step_arm(model, l, room));
            TactTwist own = tact_twist_add_scaled(room->velocity[l], -1, from);
            a[l] = tact_twist_add(a[l], tact_twist_times(from, own));
        } else {
            a[l] = tact_twist_add(a[l], rest);
        }
    }
    tact_lane_meet();
    TACT_ROLLED
    for (int level = 2; level <= model->traits.levels; level++) {
        TACT_ROLLED
        for (int l = lane; l < model->link_count; l += TACT_WARP) {
            if (model->links[l].level == level) {
                TactTwist from =
                    tact_twist_shift(a[model->links[l].parent], tact_step_arm(model, l, room));
                a[l] = tact_twist_add(from, a[l]);
            }
        }
        tact_lane_meet();
    }
}

/// Inverse dynamics without accelerations: forces of velocity products and weight, by the
/// recursive Newton-Euler algorithm (dynamics/recursion.c), where a dof adds up the forces of all
/// links that it moves. Free bodies that fly have no spin here. bias may be v.
TACT_LANE_CALL void tact_step_bias(const TactStepModel *model, const double *v, TactStepRoom *room,
                                   double *bias)
{
    int lane = tact_warp_lane();
    tact_step_follow(model, v, room, room->balance.acceleration);
    tact_step_accelerate(model, room);
    TACT_ROLLED
    for (int l = 1 + lane; l < model->link_count; l += TACT_WARP) {
        room->balance.force[l] = tact_step_take(model, l, room);
    }
    tact_lane_meet();
    TACT_ROLLED
    for (int i = lane; i < model->nv; i += TACT_WARP) {
        const TactStepLink *link = &model->links[model->dofs[i].link];
        TactVec3            own = room->com[model->dofs[i].link];
        TactWrench          F = {{0, 0, 0}, {0, 0, 0}};
        TACT_ROLLED
        for (int k = 0; k < link->below_count; k++) {
            int l = model->below[link->first_below + k];
            F = tact_wrench_add(F, tact_wrench_shift(room->balance.force[l],
                                                     tact_vec3_subtract(room->com[l], own)));
        }
        bias[i] = tact_wrench_dot(F, room->axis[i]);
    }
    tact_lane_meet();
}

/// Links with all that they carry.
TACT_LANE void tact_step_compose(const TactStepModel *model, TactStepRoom *room)
{
    TACT_ROLLED
    for (int l = tact_warp_lane(); l < model->link_count; l += TACT_WARP) {
        const TactStepLink *link = &model->links[l];
        TactStepComposite   sum = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
        TACT_ROLLED
        for (int k = 0; k < link->below_count; k++) {
            int    m = model->below[link->first_below + k];
            double mass = model->links[m].mass;
            sum.mass += mass;
            sum.com =
                tact_vec3_add_scaled(sum.com, mass, tact_vec3_subtract(room->com[m], room->com[l]));
        }
        sum.com = tact_vec3_add_scaled(room->com[l], sum.mass > 0 ? 1 / sum.mass : 0, sum.com);
        TACT_ROLLED
        for (int k = 0; k < link->below_count && l > 0; k++) {
            int m = model->below[link->first_below + k];
            sum.rotary =
                tact_sym3_add(tact_sym3_add(sum.rotary, room->rotary[m]),
                              tact_sym3_point_mass(model->links[m].mass,
                                                   tact_vec3_subtract(room->com[m], sum.com)));
        }
        room->all[l] = sum;
    }
    tact_lane_meet();
}

/// M by rows up to the diagonal, with room->added on it; entries of dofs of other branches are 0.
TACT_LANE_CALL void tact_step_mass(const TactStepModel *model, TactStepRoom *room)
{
    double *M = room->L;
    tact_step_compose(model, room);
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < tact_step_entry(model->nv, 0); k += TACT_WARP) {
        M[k] = 0;
    }
    tact_lane_meet();
    TACT_ROLLED
    for (int i = tact_warp_lane(); i < model->nv; i += TACT_WARP) {
        int        l = model->dofs[i].link, at = l, last = i;
        TactVec3   r = tact_vec3_subtract(room->all[l].com, room->com[l]);
        TactTwist  v = tact_twist_shift(room->axis[i], r);
        TactWrench momentum = {tact_vec3_scale(room->all[l].mass, v.linear),
                               tact_sym3_apply(room->all[l].rotary, v.angular)};
        TactWrench F = tact_wrench_shift(momentum, r);
        while (at > 0) {
            TACT_ROLLED
            for (int j = last; j >= model->links[at].first_dof; j--) {
                M[tact_step_entry(i, j)] = tact_wrench_dot(F, room->axis[j]);
            }
            F = tact_wrench_shift(F, tact_step_arm(model, at, room));
            at = model->links[at].parent;
            last = model->links[at].first_dof + model->links[at].dof_count - 1;
        }
        M[tact_step_entry(i, i)] += model->dofs[i].armature + room->added[i];
    }
    tact_lane_meet();
}

/// M = L'DL in its place, from the last dof to the first, along ancestors alone; 1 / D on the
/// diagonal. 0: M is not positive definite.
TACT_LANE_CALL int tact_step_factor(const TactStepModel *model, double *L)
{
    enum { ACROSS = 8, DOWN = TACT_WARP / ACROSS };
    int good = 1, lane = tact_warp_lane();
    TACT_ROLLED
    for (int k = model->nv - 1; k >= 0; k--) {
        const short *above = model->above + model->dofs[k].first;
        int          count = model->dofs[k].above;
        double      *row = L + tact_step_entry(k, 0), inverse = tact_lane_inverse(row[k]);
        good = good && inverse > 0 && inverse < 1e300;
        TACT_ROLLED
        for (int p = lane / ACROSS; p < count; p += DOWN) {
            double *other = L + tact_step_entry(above[p], 0), a = row[above[p]] * inverse;
            TACT_ROLLED
            for (int r = p + lane % ACROSS; r < count; r += ACROSS) { // the ancestors of that one
                other[above[r]] -= a * row[above[r]];
            }
        }
        tact_lane_meet();
        TACT_ROLLED
        for (int p = lane; p < count; p += TACT_WARP) {
            row[above[p]] *= inverse;
        }
        if (lane == 0) {
            row[k] = inverse;
        }
    }
    tact_lane_meet();
    return good;
}

/// x = M^-1 x. A lane holds its own unknowns; entries of other branches are 0.
TACT_LANE_CALL void tact_step_solve(const TactStepModel *model, const double *L, double *x)
{
    double own[TACT_STEP_SLOTS];
    int    lane = tact_warp_lane();
    TACT_UNROLL
    for (int s = 0; s < TACT_STEP_SLOTS; s++) {
        int i = lane + s * TACT_WARP;
        own[s] = i < model->nv ? x[i] : 0;
    }
    TACT_ROLLED
    for (int k = model->nv - 1; k > 0; k--) {
        const double *row = L + tact_step_entry(k, 0);
        double        known = tact_warp_read(own[k / TACT_WARP % TACT_STEP_SLOTS], k % TACT_WARP);
        TACT_UNROLL
        for (int s = 0; s < TACT_STEP_SLOTS; s++) {
            int i = lane + s * TACT_WARP;
            own[s] -= i < k ? row[i] * known : 0;
        }
    }
    TACT_UNROLL
    for (int s = 0; s < TACT_STEP_SLOTS; s++) {
        int i = lane + s * TACT_WARP;
        own[s] *= i < model->nv ? L[tact_step_entry(i, i)] : 0;
    }
    for (int k = 0; k < model->nv - 1; k++) {
        double known = tact_warp_read(own[k / TACT_WARP % TACT_STEP_SLOTS], k % TACT_WARP);
        TACT_UNROLL
        for (int s = 0; s < TACT_STEP_SLOTS; s++) {
            int i = lane + s * TACT_WARP;
            own[s] -= i > k && i < model->nv ? L[tact_step_entry(i, k)] * known : 0;
        }
    }
    TACT_UNROLL
    for (int s = 0; s < TACT_STEP_SLOTS; s++) {
        int i = lane + s * TACT_WARP;
        if (i < model->nv) {
            x[i] = own[s];
        }
    }
    tact_lane_meet();
}

#endif
