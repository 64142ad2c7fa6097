// What engines of free rigid bodies and joints between them share: which models they take, and the
// forces of actuators and dampers on hinges.
#ifndef TACT_BENCH_PEERS_RIGID_HPP
#define TACT_BENCH_PEERS_RIGID_HPP

#include <cstdio>
#include <vector>

#include "bench/peers/peer.hpp"

namespace tact
{

/// Does the body move?
inline bool moves(const TactModel *model, int body)
{
    return body > 0 && model->bodies[model->bodies[body].carrier].joint_count > 0;
}

/// At most one joint a body, free, ball or hinge; bodies without one are fixed to the world.
inline bool takes(const TactSimCase *scene, const char *name)
{
    const TactModel *model = scene->model;
    bool             good = model->equality_count + model->tendon_count == 0;
    for (int b = 1; b < model->body_count; b++) {
        const TactBody &body = model->bodies[b];
        good = good && body.joint_count <= 1 && (body.joint_count == 1 || !moves(model, b));
    }
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint &joint = model->joints[j];
        good = good && joint.type != TACT_JOINT_SLIDE && !joint.limited && joint.armature == 0;
    }
    for (int i = 0; i < model->actuator_count; i++) {
        good = good && model->actuators[i].transmission == TACT_TRANSMISSION_JOINT;
    }
    if (!good) {
        std::fprintf(stderr, "%s: %s has joints of other kinds\n", name, scene->path);
    }
    return good;
}

/// Angle of a hinge, from the rotations of its body and of that body's parent.
inline double hinge_angle(const TactModel *model, int joint, TactQuat parent, TactQuat child)
{
    const TactJoint &hinge = model->joints[joint];
    TactQuat         at_rest = tact_quat_multiply(parent, model->bodies[hinge.body].pose.rotation);
    TactQuat         turn = tact_quat_multiply(tact_quat_conjugate(at_rest), child);
    double           sine = tact_vec3_dot(hinge.axis, TactVec3{turn.x, turn.y, turn.z});
    return hinge.reference + 2 * std::atan2(turn.w < 0 ? -sine : sine, std::fabs(turn.w));
}

/// Torque of actuators and of the damper on a hinge at this angle and rate.
inline double hinge_torque(const TactSimCase *scene, int joint, double angle, double rate)
{
    const TactModel *model = scene->model;
    double           torque = -model->joints[joint].damping * rate;
    for (int i = 0; i < model->actuator_count; i++) {
        const TactActuator &a = model->actuators[i];
        if (a.target == joint) {
            double length = a.gear[0] * angle, speed = a.gear[0] * rate;
            double gain = a.gain[0] + a.gain[1] * length + a.gain[2] * speed;
            double bias = a.bias[0] + a.bias[1] * length + a.bias[2] * speed;
            torque += a.gear[0] * (gain * scene->ctrl[i] + bias);
        }
    }
    return torque;
}

/// World frame of the mass of a body, given that of the body.
inline TactVec3 mass_point(const TactModel *model, int body, const TactTransform &pose)
{
    return tact_transform_point(pose, model->bodies[body].inertia.com);
}

} // namespace tact

#endif
