// Moving a position along a velocity, and the velocity between two positions.
//
// Rotations move along the exponential map: q exp(h w) with w in the child frame, which is how a
// ball and the rotation of a free joint have it.
#include <tact/dynamics.h>

static TactQuat get_quat(const double *q)
{
    TactQuat quat = {q[0], q[1], q[2], q[3]};
    return tact_quat_normalise(quat);
}

static void integrate_rotation(const double *q, const double *w, double h, double *next)
{
    TactVec3 angle = {h * w[0], h * w[1], h * w[2]};
    TactQuat turned = tact_quat_normalise(tact_quat_multiply(get_quat(q), tact_quat_exp(angle)));
    next[0] = turned.w;
    next[1] = turned.x;
    next[2] = turned.y;
    next[3] = turned.z;
}

void tact_dynamics_integrate(const TactModel *model, const double *q, const double *v, double h,
                             double *next)
{
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        int              a = joint->q, i = joint->dof;
        switch (joint->type) {
        case TACT_JOINT_FREE:
            for (int k = 0; k < 3; k++) {
                next[a + k] = q[a + k] + h * v[i + k];
            }
            integrate_rotation(q + a + 3, v + i + 3, h, next + a + 3);
            break;
        case TACT_JOINT_BALL: integrate_rotation(q + a, v + i, h, next + a); break;
        case TACT_JOINT_HINGE:
        case TACT_JOINT_SLIDE: next[a] = q[a] + h * v[i]; break;
        }
    }
}

static void turn_between(const double *q, const double *next, double *w)
{
    TactVec3 angle =
        tact_quat_log(tact_quat_multiply(tact_quat_conjugate(get_quat(q)), get_quat(next)));
    w[0] = angle.x;
    w[1] = angle.y;
    w[2] = angle.z;
}

void tact_dynamics_differentiate(const TactModel *model, const double *q, const double *next,
                                 double *v)
{
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint *joint = &model->joints[j];
        int              a = joint->q, i = joint->dof;
        switch (joint->type) {
        case TACT_JOINT_FREE:
            for (int k = 0; k < 3; k++) {
                v[i + k] = next[a + k] - q[a + k];
            }
            turn_between(q + a + 3, next + a + 3, v + i + 3);
            break;
        case TACT_JOINT_BALL: turn_between(q + a, next + a, v + i); break;
        case TACT_JOINT_HINGE:
        case TACT_JOINT_SLIDE: v[i] = next[a] - q[a]; break;
        }
    }
}
