// Skeletons of DART from a model. A body with several joints becomes several, those between
// massless.
#ifndef TACT_BENCH_PEERS_DART_SKELETON_HPP
#define TACT_BENCH_PEERS_DART_SKELETON_HPP

#include <string>

#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>

#include "bench/peers/peer.hpp"

namespace tact
{

using namespace dart::dynamics;

/// Where the children of a body are attached: bodies without joints and mass are no nodes.
struct Place {
    BodyNode         *node; // nullptr: the world
    Eigen::Isometry3d pose; // in the node
};

inline Eigen::Vector3d vector(TactVec3 x)
{
    return {x.x, x.y, x.z};
}

inline Eigen::Isometry3d isometry(const TactTransform &pose)
{
    Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
    TactQuat          r = pose.rotation;
    T.linear() = Eigen::Quaterniond(r.w, r.x, r.y, r.z).toRotationMatrix();
    T.translation() = vector(pose.position);
    return T;
}

inline Inertia inertia(const TactInertia &of)
{
    Eigen::Matrix3d rotary;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            rotary(i, j) = of.rotary.m[i][j];
        }
    }
    return Inertia(of.mass, vector(of.com), rotary);
}

template <typename Properties>
void place(Properties *to, const Eigen::Isometry3d &pose, TactVec3 anchor)
{
    Eigen::Isometry3d joint = Eigen::Isometry3d::Identity();
    joint.translation() = vector(anchor);
    to->mT_ParentBodyToJoint = pose * joint;
    to->mT_ChildBodyToJoint = joint;
}

template <typename Type>
BodyNode *add_node(const SkeletonPtr &skeleton, BodyNode *parent,
                   typename Type::Properties properties)
{
    std::string name = std::to_string(skeleton->getNumBodyNodes());
    properties.mName = name;
    BodyNode::Properties body{BodyNode::AspectProperties(name)};
    return skeleton->createJointAndBodyNodePair<Type>(parent, properties, body).second;
}

template <typename Type>
BodyNode *add_axis(const SkeletonPtr &skeleton, const Place &at, const TactJoint &joint)
{
    typename Type::Properties properties;
    place(&properties, at.pose, joint.position);
    properties.mAxis = vector(joint.axis);
    return add_node<Type>(skeleton, at.node, properties);
}

inline BodyNode *add_joint(const SkeletonPtr &skeleton, const Place &at, const TactJoint &joint)
{
    switch (joint.type) {
    case TACT_JOINT_FREE: return add_node<FreeJoint>(skeleton, nullptr, {});
    case TACT_JOINT_HINGE: return add_axis<RevoluteJoint>(skeleton, at, joint);
    case TACT_JOINT_SLIDE: return add_axis<PrismaticJoint>(skeleton, at, joint);
    case TACT_JOINT_BALL: {
        BallJoint::Properties properties;
        place(&properties, at.pose, joint.position);
        return add_node<BallJoint>(skeleton, at.node, properties);
    }
    default: return nullptr;
    }
}

/// A body at `at`, its frame in the node there, with all its joints. False: a joint it has not.
inline bool add_body(const SkeletonPtr &skeleton, const TactModel *model, const TactBody &body,
                     Place *at)
{
    if (body.joint_count == 0 && body.inertia.mass > 0) {
        WeldJoint::Properties properties;
        place(&properties, at->pose, TactVec3{0, 0, 0});
        *at = {add_node<WeldJoint>(skeleton, at->node, properties), Eigen::Isometry3d::Identity()};
    }
    for (int j = 0; j < body.joint_count; j++) {
        BodyNode *node = add_joint(skeleton, *at, model->joints[body.first_joint + j]);
        if (!node) {
            return false;
        }
        node->setInertia(
            Inertia(1e-14, Eigen::Vector3d::Zero(), 1e-14 * Eigen::Matrix3d::Identity()));
        *at = {node, Eigen::Isometry3d::Identity()};
    }
    if (body.inertia.mass > 0) {
        at->node->setInertia(inertia(body.inertia));
    }
    return true;
}

} // namespace tact

#endif
