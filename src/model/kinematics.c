// Where bodies stand.
#include <tact/model.h>

static TactQuat read_quat(const double *q)
{
    TactQuat quat = {q[0], q[1], q[2], q[3]};
    return tact_quat_normalise(quat);
}

/// Turns a body about an anchor that is fixed in it (and, for this joint, in the world).
static void turn_about(TactTransform *pose, TactVec3 anchor, TactQuat by)
{
    TactVec3 fixed = tact_transform_point(*pose, anchor);
    pose->rotation = tact_quat_multiply(pose->rotation, by);
    pose->position = tact_vec3_subtract(fixed, tact_quat_rotate(pose->rotation, anchor));
}

static void move_joint(const TactJoint *joint, const double *q, TactTransform *pose)
{
    const double *own = q + joint->q;
    switch (joint->type) {
    case TACT_JOINT_FREE:
        pose->position = (TactVec3){own[0], own[1], own[2]};
        pose->rotation = read_quat(own + 3);
        break;
    case TACT_JOINT_BALL: turn_about(pose, joint->position, read_quat(own)); break;
    case TACT_JOINT_HINGE:
        turn_about(pose, joint->position,
                   tact_quat_from_axis_angle(joint->axis, own[0] - joint->reference));
        break;
    case TACT_JOINT_SLIDE: {
        TactVec3 axis = tact_quat_rotate(pose->rotation, joint->axis);
        pose->position = tact_vec3_add_scaled(pose->position, own[0] - joint->reference, axis);
        break;
    }
    }
}

void tact_model_compute_poses(const TactModel *model, const double *q, TactTransform *poses)
{
    poses[0] = tact_transform_identity();
    for (int i = 1; i < model->body_count; i++) {
        const TactBody *body = &model->bodies[i];
        TactTransform   pose = tact_transform_multiply(poses[body->parent], body->pose);
        for (int j = 0; j < body->joint_count; j++) {
            move_joint(&model->joints[body->first_joint + j], q, &pose);
        }
        pose.rotation = tact_quat_normalise(pose.rotation);
        poses[i] = pose;
    }
}
