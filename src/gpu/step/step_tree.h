// Trees of links at a state: poses, axes, velocities, velocity products, mass matrix and its
// factor. What src/dynamics computes, for one world by one thread.
#ifndef TACT_GPU_STEP_TREE_H
#define TACT_GPU_STEP_TREE_H

#include "gpu/step/step_model.h"

typedef struct TactStepTree {
    TactTransform pose[TACT_STEP_MAX_LINKS];
    TactVec3      com[TACT_STEP_MAX_LINKS]; // centres of mass
    TactVec3      arm[TACT_STEP_MAX_LINKS]; // from that of the parent
    TactSym3      rotary[TACT_STEP_MAX_LINKS];
    TactTwist     axis[TACT_STEP_MAX_DOF];       // S: motion of the centre of mass for a unit of v
    TactTwist     velocity[TACT_STEP_MAX_LINKS]; // of the centre of mass
    TactWrench    force[TACT_STEP_MAX_LINKS];
} TactStepTree;

/// M_ij with i >= j, by rows up to the diagonal.
TACT_HD int tact_step_entry(int i, int j)
{
    return i * (i + 1) / 2 + j;
}

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
    for (int k = 0; k < turns; k++) {
        axis[k].linear = tact_vec3_cross(axis[k].angular, tact_vec3_subtract(com, axis[k].linear));
    }
}

/// Positions: all but velocities and forces.
TACT_HD void tact_step_place(const TactStepModel *model, const double *q, TactStepTree *tree)
{
    TactTransform origin = {{1, 0, 0, 0}, {0, 0, 0}};
    TactVec3      none = {0, 0, 0};
    tree->pose[0] = origin;
    tree->com[0] = none;
    for (int l = 1; l < model->link_count; l++) {
        const TactStepLink *link = &model->links[l];
        TactTransform       pose = tact_transform_multiply(tree->pose[link->parent], link->fixed);
        for (int j = link->first_joint; j < link->first_joint + link->joint_count; j++) {
            const TactStepJoint *joint = &model->joints[j];
            tact_step_move(joint, q + joint->q, tree->axis + joint->dof, &pose);
        }
        pose.rotation = tact_step_quat_normalise(pose.rotation);
        TactMat3 R = tact_step_quat_to_mat3(pose.rotation);
        tree->pose[l] = pose;
        tree->com[l] = tact_vec3_add(pose.position, tact_mat3_apply(R, link->com));
        tree->arm[l] = tact_vec3_subtract(tree->com[l], tree->com[link->parent]);
        tree->rotary[l] = tact_sym3_rotate(&R, &link->rotary);
        for (int j = link->first_joint; j < link->first_joint + link->joint_count; j++) {
            const TactStepJoint *joint = &model->joints[j];
            tact_step_finish_axes(joint, tree->com[l], tree->axis + joint->dof);
        }
    }
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
    for (int k = first; k < end; k++) {
        motion = tact_twist_add_scaled(motion, qd[k], S[k]);
    }
    *product = tact_twist_add(*product, tact_twist_times(before, motion));
    *velocity = tact_twist_add(before, motion);
}

/// Velocities, and the velocity of a link over its joints with its product c.
TACT_HD TactTwist tact_step_pass(const TactStepModel *model, int l, const double *v,
                                 TactStepTree *tree)
{
    const TactStepLink *link = &model->links[l];
    TactTwist           none = {{0, 0, 0}, {0, 0, 0}}, product = none;
    TactTwist           velocity =
        link->parent > 0 ? tact_twist_shift(tree->velocity[link->parent], tree->arm[l]) : none;
    for (int j = link->first_joint; j < link->first_joint + link->joint_count; j++) {
        const TactStepJoint *joint = &model->joints[j];
        tact_step_add_joint(joint, tree->axis + joint->dof, v + joint->dof, &velocity, &product);
    }
    tree->velocity[l] = velocity;
    return product;
}

TACT_HD void tact_step_set_velocity(const TactStepModel *model, const double *v, TactStepTree *tree)
{
    for (int l = 1; l < model->link_count; l++) {
        tact_step_pass(model, l, v, tree);
    }
}

/// Inverse dynamics without accelerations: forces of velocity products and weight, by the
/// recursive Newton-Euler algorithm (dynamics/recursion.c). Free bodies that fly have no spin here.
TACT_HD void tact_step_bias(const TactStepModel *model, const double *v, TactStepTree *tree,
                            double *bias)
{
    TactTwist acceleration[TACT_STEP_MAX_LINKS],
        rest = {tact_vec3_negate(model->gravity), {0, 0, 0}};
    acceleration[0] = rest;
    for (int l = 1; l < model->link_count; l++) {
        const TactStepLink *link = &model->links[l];
        TactTwist           c = tact_step_pass(model, l, v, tree), V = tree->velocity[l];
        TactTwist a = tact_twist_add(tact_twist_shift(acceleration[link->parent], tree->arm[l]), c);
        TactSym3  I = tree->rotary[l];
        TactWrench f = {
            tact_vec3_scale(link->mass,
                            tact_vec3_add(a.linear, tact_vec3_cross(V.angular, V.linear))),
            tact_vec3_add(tact_sym3_apply(I, a.angular),
                          tact_vec3_cross(V.angular, tact_sym3_apply(I, V.angular))),
        };
        acceleration[l] = a;
        tree->force[l] = f;
    }
    for (int l = model->link_count - 1; l > 0; l--) {
        const TactStepLink *link = &model->links[l];
        TactWrench          f = tree->force[l];
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            bias[i] = tact_wrench_dot(f, tree->axis[i]);
        }
        if (link->parent > 0) {
            tree->force[link->parent] =
                tact_wrench_add(tree->force[link->parent], tact_wrench_shift(f, tree->arm[l]));
        }
    }
}

/// Mass, centre and rotational inertia of a link with all that it carries.
typedef struct TactStepComposite {
    double   mass;
    TactVec3 com;
    TactSym3 rotary;
} TactStepComposite;

TACT_HD void tact_step_compose(const TactStepModel *model, const TactStepTree *tree,
                               TactStepComposite *all)
{
    for (int l = 1; l < model->link_count; l++) {
        all[l].mass = model->links[l].mass;
        all[l].com = tree->com[l];
        all[l].rotary = tree->rotary[l];
    }
    for (int l = model->link_count - 1; l > 0; l--) {
        int p = model->links[l].parent;
        if (p == 0) {
            continue;
        }
        double   m = all[l].mass, n = all[p].mass, sum = m + n, share = sum > 0 ? m / sum : 0;
        TactVec3 r = tact_vec3_subtract(all[l].com, all[p].com);
        all[p].mass = sum;
        all[p].com = tact_vec3_add_scaled(all[p].com, share, r);
        all[p].rotary = tact_sym3_add(tact_sym3_add(all[p].rotary, all[l].rotary),
                                      tact_sym3_point_mass(n * share, r));
    }
}

/// M by rows up to the diagonal, with `added` on it; entries of dofs of other branches are 0.
TACT_HD void tact_step_mass(const TactStepModel *model, const TactStepTree *tree,
                            const double *added, double *M)
{
    TactStepComposite all[TACT_STEP_MAX_LINKS];
    tact_step_compose(model, tree, all);
    for (int k = 0; k < tact_step_entry(model->nv, 0); k++) {
        M[k] = 0;
    }
    for (int l = 1; l < model->link_count; l++) {
        const TactStepLink *link = &model->links[l];
        TactVec3            r = tact_vec3_subtract(all[l].com, tree->com[l]);
        for (int i = link->first_dof; i < link->first_dof + link->dof_count; i++) {
            TactTwist  v = tact_twist_shift(tree->axis[i], r);
            TactWrench momentum = {tact_vec3_scale(all[l].mass, v.linear),
                                   tact_sym3_apply(all[l].rotary, v.angular)};
            TactWrench F = tact_wrench_shift(momentum, r);
            int        at = l, last = i;
            while (at > 0) {
                for (int j = last; j >= model->links[at].first_dof; j--) {
                    M[tact_step_entry(i, j)] = tact_wrench_dot(F, tree->axis[j]);
                }
                F = tact_wrench_shift(F, tree->arm[at]);
                at = model->links[at].parent;
                last = model->links[at].first_dof + model->links[at].dof_count - 1;
            }
            M[tact_step_entry(i, i)] += model->dofs[i].armature + added[i];
        }
    }
}

/// M = L'DL in its place, from the last dof to the first, along ancestors alone; 1 / D on the
/// diagonal. 0: M is not positive definite.
TACT_HD int tact_step_factor(const TactStepModel *model, double *L)
{
    int good = 1;
    for (int k = model->nv - 1; k >= 0; k--) {
        const short *above = model->above + model->dofs[k].first;
        int          count = model->dofs[k].above;
        double      *row = L + tact_step_entry(k, 0), inverse = 1 / row[k];
        good = good && inverse > 0 && inverse < 1e300;
        for (int p = 0; p < count; p++) {
            double *other = L + tact_step_entry(above[p], 0), a = row[above[p]] * inverse;
            for (int r = p; r < count; r++) { // the ancestors of that one
                other[above[r]] -= a * row[above[r]];
            }
        }
        for (int p = 0; p < count; p++) {
            row[above[p]] *= inverse;
        }
        row[k] = inverse;
    }
    return good;
}

/// x = M^-1 x
TACT_HD void tact_step_solve(const TactStepModel *model, const double *L, double *x)
{
    for (int k = model->nv - 1; k >= 0; k--) {
        const short  *above = model->above + model->dofs[k].first;
        const double *row = L + tact_step_entry(k, 0);
        double        own = x[k];
        for (int p = 0; p < model->dofs[k].above; p++) {
            x[above[p]] -= row[above[p]] * own;
        }
    }
    for (int k = 0; k < model->nv; k++) {
        const short  *above = model->above + model->dofs[k].first;
        const double *row = L + tact_step_entry(k, 0);
        double        sum = x[k] * row[k];
        for (int p = 0; p < model->dofs[k].above; p++) {
            sum -= row[above[p]] * x[above[p]];
        }
        x[k] = sum;
    }
}

#endif
