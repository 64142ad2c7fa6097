// Positions: poses of bodies, centres of mass, inertias in world axes, and the axes of the joints.
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/status.h"
#include "dynamics/workspace.h"
#include "math/wide_pose.h"

/// How many numbers of q a joint has.
static int joint_size(TactJointType type)
{
    switch (type) {
    case TACT_JOINT_FREE: return 7;
    case TACT_JOINT_BALL: return 4;
    case TACT_JOINT_HINGE:
    case TACT_JOINT_SLIDE: break;
    }
    return 1;
}

static TactQuat read_quat(const double *q)
{
    TactQuat quat = {q[0], q[1], q[2], q[3]};
    return tact_quat_normalise(quat);
}

/// Says which number of q is none, or which quaternion is zero.
static TactStatus refuse_position(const TactModel *model, const double *q)
{
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        const double    *x = q + joint->q;
        double           length = 0;
        char             label[64];
        for (int i = 0; i < joint_size(joint->type); i++) {
            if (!isfinite(x[i])) {
                return tact_fail(TACT_BAD_INPUT, "position: %s: q[%d] is %g",
                                 tact_model_label(model, TACT_OBJECT_JOINT, j, label), joint->q + i,
                                 x[i]);
            }
            length += i < joint_size(joint->type) - 4 ? 0 : fabs(x[i]);
        }
        if (joint_size(joint->type) >= 4 && length == 0) {
            return tact_fail(TACT_BAD_INPUT, "position: %s: the quaternion is zero",
                             tact_model_label(model, TACT_OBJECT_JOINT, j, label));
        }
    }
    return TACT_OK;
}

static TactStatus check_position(const TactModel *model, const double *q)
{
    double off = 0; // stays 0 while all are finite
    bool   zero = false;
    for (int i = 0; i < model->nq; i++) {
        off += 0.0 * q[i];
    }
    for (int j = 0; j < model->joint_count; j++) {
        int size = joint_size(model->joints[j].type);
        if (size >= 4) {
            const double *x = q + model->joints[j].q + size - 4;
            zero = zero || (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0);
        }
    }
    return off == 0 && !zero ? TACT_OK : refuse_position(model, q);
}

/// Where the axis of a joint is, before the joints after it on the same body move it on: the motion
/// of the point at the world's origin is turned into that of the centre of mass later.
static void set_axis(TactTwist *axis, TactVec3 direction, TactVec3 anchor)
{
    axis->linear = anchor; // for the time being
    axis->angular = direction;
}

static void set_axes(TactTwist *axis, TactQuat turn, TactVec3 anchor)
{
    TactMat3 R = tact_quat_to_mat3(turn);
    for (int k = 0; k < 3; k++) {
        TactVec3 direction = {R.m[0][k], R.m[1][k], R.m[2][k]};
        set_axis(&axis[k], direction, anchor);
    }
}

/// A product of unit quaternions is one but for rounding: one step of Newton's method restores it.
TACT_WIDE void polish(TactLanes *q)
{
    TactLanes square = *q * *q;
    double    s = 1.5 - 0.5 * (square[0] + square[1] + square[2] + square[3]);
    *q = TACT_LANES_ALL(s) * *q;
}

static bool is_origin(TactVec3 point)
{
    return point.x == 0 && point.y == 0 && point.z == 0;
}

/// Turns a pose about the point of a joint, which stays where it is. Most joints are at the origin
/// of their body.
static void turn_pose(TactTransform *pose, TactQuat turn, TactVec3 place, TactVec3 anchor)
{
    pose->rotation = tact_quat_multiply(pose->rotation, turn);
    pose->position = is_origin(place)
                         ? anchor
                         : tact_vec3_subtract(anchor, tact_quat_rotate(pose->rotation, place));
}

/// Moves the pose of a body by one of its joints that has a quaternion, and notes the joint's axes.
TACT_CALLED_BY_CLONES static void move_by_quat(TactDynamics *d, const TactJoint *joint,
                                               TactTransform *pose)
{
    const double *q = d->q + joint->q;
    TactTwist    *axis = d->axis + joint->dof;
    if (joint->type == TACT_JOINT_FREE) {
        pose->position = (TactVec3){q[0], q[1], q[2]};
        pose->rotation = read_quat(q + 3);
        set_axes(axis + 3, pose->rotation, pose->position);
    } else {
        TactVec3 anchor = is_origin(joint->position) ? pose->position
                                                     : tact_transform_point(*pose, joint->position);
        turn_pose(pose, read_quat(q), joint->position, anchor);
        set_axes(axis, pose->rotation, anchor);
    }
}

/// The same by a hinge: rotation by the angle about its axis.
TACT_WIDE void move_by_hinge(TactDynamics *d, const TactJoint *joint, TactWidePose *pose)
{
    TactTwist *axis = d->axis + joint->dof;
    double     half = 0.5 * (d->q[joint->q] - joint->reference), c = cos(half), s = sin(half);
    TactLanes  own = TACT_WIDE_VEC3(joint->axis), turn = TACT_LANES_ALL(s) * own;
    TactLanes  direction, anchor = pose->position, before = pose->rotation;
    bool       aside = !is_origin(joint->position);
    turn[0] = c;
    if (aside) {
        TactLanes place = TACT_WIDE_VEC3(joint->position), turned;
        tact_wide_rotate(&before, &place, &turned);
        anchor = turned + pose->position;
    }
    tact_wide_rotate(&before, &own, &direction);
    set_axis(axis, (TactVec3){direction[1], direction[2], direction[3]},
             (TactVec3){anchor[1], anchor[2], anchor[3]});
    tact_wide_multiply(&before, &turn, &pose->rotation);
    pose->position = anchor;
    if (aside) {
        TactLanes place = TACT_WIDE_VEC3(joint->position), turned;
        tact_wide_rotate(&pose->rotation, &place, &turned);
        pose->position = anchor - turned;
    }
}

TACT_WIDE void move_by_slide(TactDynamics *d, const TactJoint *joint, TactWidePose *pose)
{
    TactLanes own = TACT_WIDE_VEC3(joint->axis), direction;
    tact_wide_rotate(&pose->rotation, &own, &direction);
    d->axis[joint->dof].linear = (TactVec3){direction[1], direction[2], direction[3]};
    pose->position += TACT_LANES_ALL(d->q[joint->q] - joint->reference) * direction;
}

/// S at the centre of mass: a rotation moves it by w x (com - anchor).
TACT_WIDE void shift_axis(TactTwist *axis, const TactLanes *com)
{
    TactLanes angular = TACT_WIDE_VEC3(axis->angular), moved;
    TactLanes arm = *com - TACT_WIDE_VEC3(axis->linear);
    tact_wide_cross(&angular, &arm, &moved);
    axis->linear = (TactVec3){moved[1], moved[2], moved[3]};
}

TACT_WIDE void finish_axes(TactDynamics *d, const TactLink *link, const TactLanes *com)
{
    for (int j = link->first_joint; j < link->first_joint + link->joint_count; j++) {
        const TactJoint *joint = &d->model->joints[j];
        TactTwist       *axis = d->axis + joint->dof;
        if (joint->type == TACT_JOINT_HINGE) {
            shift_axis(axis, com);
            continue;
        }
        if (joint->type == TACT_JOINT_SLIDE) {
            axis->angular = (TactVec3){0, 0, 0};
            continue;
        }
        if (joint->type == TACT_JOINT_FREE) {
            for (int k = 0; k < 3; k++) {
                axis[k].linear = (TactVec3){k == 0, k == 1, k == 2};
                axis[k].angular = (TactVec3){0, 0, 0};
            }
            axis += 3;
        }
        for (int k = 0; k < 3; k++) {
            shift_axis(&axis[k], com);
        }
    }
}

/// tact_sym3_rotate(), by the columns of a rotation.
TACT_WIDE void rotate_inertia(const TactLanes R[3], const TactMat3 *I, TactSym3 *out)
{
    TactLanes square = TACT_LANES_ALL(0.0), mixed = square; // xx yy zz, xy xz yz
    for (int j = 0; j < 3; j++) {
        TactLanes a = R[0] * TACT_LANES_ALL(I->m[0][j]) + R[1] * TACT_LANES_ALL(I->m[1][j]) +
                      R[2] * TACT_LANES_ALL(I->m[2][j]);
        TactLanes one = __builtin_shufflevector(a, a, 0, 1, 1, 2);
        TactLanes other = __builtin_shufflevector(R[j], R[j], 0, 2, 3, 3);
        square += a * R[j];
        mixed += one * other;
    }
    *out = (TactSym3){square[1], square[2], square[3], mixed[1], mixed[2], mixed[3]};
}

/// Puts the position aside and takes the one before.
static void swap_position(TactDynamics *d)
{
    TactPositionAside *before = d->before, now = *before;
    before->placed = d->placed;
    before->whole = d->whole;
    before->pose = d->pose;
    before->com = d->com;
    before->arm = d->arm;
    before->rotary = d->rotary;
    before->axis = d->axis;
    before->q = d->q;
    d->placed = now.placed;
    d->whole = now.whole;
    d->pose = now.pose;
    d->com = now.com;
    d->arm = now.arm;
    d->rotary = now.rotary;
    d->axis = now.axis;
    d->q = now.q;
}

/// Takes a position that is there or was there before.
static bool take_known(TactDynamics *d, const double *q)
{
    size_t size = (size_t)d->model->nq * sizeof *q;
    if (d->placed > 0 && memcmp(d->q, q, size) == 0) {
        return true;
    }
    if (d->before->placed > 0 && memcmp(d->before->q, q, size) == 0) {
        swap_position(d);
        return true;
    }
    return false;
}

/// Poses, and where the axes of joints are, of the q that is there.
TACT_CLONES static void place_links(TactDynamics *d)
{
    const TactModel *model = d->model;
    TactWidePose     pose = {{1, 0, 0, 0}, {0, 0, 0, 0}};
    tact_wide_write(&pose, &d->pose[0]);
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        TactWidePose    parent = pose; // of the link before
        if (link->parent != l - 1) {
            parent = TACT_WIDE_POSE(&d->pose[d->links[link->parent].body]);
        }
        tact_wide_compose(&parent.rotation, &parent.position, &link->fixed, &pose);
        for (int j = 0; j < link->joint_count; j++) {
            const TactJoint *joint = &model->joints[link->first_joint + j];
            if (joint->type == TACT_JOINT_HINGE) {
                move_by_hinge(d, joint, &pose);
            } else if (joint->type == TACT_JOINT_SLIDE) {
                move_by_slide(d, joint, &pose);
            } else {
                TactTransform moved;
                tact_wide_write(&pose, &moved);
                move_by_quat(d, joint, &moved);
                pose = TACT_WIDE_POSE(&moved);
            }
        }
        polish(&pose.rotation);
        tact_wide_write(&pose, &d->pose[link->body]);
    }
    for (int i = 1; i < model->body_count; i++) {
        const TactLink *link = &d->links[d->link_of[i]];
        if (link->body != i) {
            TactLanes rotation = TACT_LANES_AT(&d->pose[link->body].rotation);
            TactLanes position = TACT_WIDE_VEC3(d->pose[link->body].position);
            tact_wide_compose(&rotation, &position, &d->in_link[i], &pose);
            tact_wide_write(&pose, &d->pose[i]);
        }
    }
}

static TactStatus place_anew(TactDynamics *d, const double *q)
{
    TACT_TRY(check_position(d->model, q));
    swap_position(d);
    memmove(d->q, q, (size_t)d->model->nq * sizeof *q);
    d->placed = ++d->before->last;
    d->whole = false;
    place_links(d);
    return TACT_OK;
}

/// Centres of mass, inertias and axes, of poses that are there.
TACT_CLONES static void complete_position(TactDynamics *d)
{
    for (int l = 1; l < d->link_count; l++) {
        const TactLink *link = &d->links[l];
        TactVec3        in = link->inertia.com;
        TactLanes       q = TACT_LANES_AT(&d->pose[link->body].rotation.w), R[3];
        tact_wide_columns(&q, R);
        TactLanes com =
            R[0] * TACT_LANES_ALL(in.x) + R[1] * TACT_LANES_ALL(in.y) + R[2] * TACT_LANES_ALL(in.z);
        com = TACT_WIDE_VEC3(d->pose[link->body].position) + com;
        d->com[l] = (TactVec3){com[1], com[2], com[3]};
        d->arm[l] = tact_vec3_subtract(d->com[l], d->com[link->parent]);
        rotate_inertia(R, &link->inertia.rotary, &d->rotary[l]);
        finish_axes(d, link, &com);
    }
}

TactStatus tact_dynamics_set_poses(TactDynamics *d, const double *q)
{
    return take_known(d, q) ? TACT_OK : place_anew(d, q);
}

TactStatus tact_dynamics_set_position(TactDynamics *d, const double *q)
{
    TACT_TRY(tact_dynamics_set_poses(d, q));
    if (!d->whole) {
        complete_position(d);
        d->whole = true;
    }
    return TACT_OK;
}

const TactTransform *tact_dynamics_view_poses(const TactDynamics *dynamics)
{
    return dynamics->pose;
}

TactVec3 tact_dynamics_compute_com(const TactDynamics *d, int body)
{
    const TactModel *model = d->model;
    TactVec3         moment = {0, 0, 0};
    double           mass = 0;
    for (int i = body; i < model->body_count && (i == body || model->bodies[i].parent >= body);
         i++) {
        const TactInertia *inertia = &model->bodies[i].inertia;
        moment = tact_vec3_add_scaled(moment, inertia->mass,
                                      tact_transform_point(d->pose[i], inertia->com));
        mass += inertia->mass;
    }
    return mass > 0 ? tact_vec3_scale(1 / mass, moment) : d->pose[body].position;
}
