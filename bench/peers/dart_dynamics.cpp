// DART: Skeleton's inverse dynamics, mass matrix and forward dynamics.
//
// DART's free joint has the velocity (angular, linear), both in the body's frame; with R
// the rotation of the body and w its angular velocity there,
//
//     v = (w, R' p'),   dv/dt = (dw/dt, R' p'' - w x R' p').
#ifdef TACT_HAVE_DART
#include <cstdio>

#include <dart/config.hpp>

#include "bench/peers/dart_skeleton.hpp"

namespace
{

using namespace dart::dynamics;
using namespace tact;

/// DART computes nothing anew for positions, velocities and accelerations that it has already. So
/// each is of two states in turn, which are so close that it does not matter which one is meant.
struct Turn {
    Eigen::VectorXd value[2]; // the first is that of the case                          (nv)
    int             now;

    const Eigen::VectorXd &next()
    {
        now = 1 - now;
        return value[now];
    }

    void set(const Eigen::VectorXd &x)
    {
        value[0] = x;
        value[1] = x.array() + 1e-7;
        now = 0;
    }
};

struct Engine {
    const TactDynamicsCase *state;
    SkeletonPtr             skeleton;
    Turn                    q, v, a;
    double                  sum; // keeps what is computed from being left out
};

bool has_free(const TactModel *model)
{
    return model->joint_count > 0 && model->joints[0].type == TACT_JOINT_FREE;
}

Eigen::Isometry3d free_pose(const TactDynamicsCase *state)
{
    const double *q = state->q;
    return isometry({{q[3], q[4], q[5], q[6]}, {q[0], q[1], q[2]}});
}

void set_state(Engine *engine)
{
    const TactDynamicsCase *state = engine->state;
    int                     nv = state->model->nv;
    Eigen::VectorXd         q = Eigen::VectorXd::Zero(nv);
    Eigen::VectorXd         v = Eigen::Map<const Eigen::VectorXd>(state->v, nv);
    Eigen::VectorXd         a = Eigen::Map<const Eigen::VectorXd>(state->a, nv);
    for (int j = 0; j < state->model->joint_count; j++) {
        const TactJoint &joint = state->model->joints[j];
        if (joint.type != TACT_JOINT_FREE) {
            q[joint.dof] = state->q[joint.q] - joint.reference;
        }
    }
    if (has_free(state->model)) {
        Eigen::Isometry3d pose = free_pose(state);
        Eigen::Matrix3d   R = pose.linear();
        Eigen::Vector3d   w = v.segment<3>(3), along = R.transpose() * v.head<3>();
        Eigen::Vector3d   turning = a.segment<3>(3), acceleration = R.transpose() * a.head<3>();
        q.head<6>() = FreeJoint::convertToPositions(pose);
        v.head<6>() << w, along;
        a.head<6>() << turning, acceleration - w.cross(along);
    }
    engine->q.set(q);
    engine->v.set(v);
    engine->a.set(a);
}

void *create(const TactDynamicsCase *state)
{
    const TactModel   *model = state->model;
    SkeletonPtr        skeleton = Skeleton::create("model");
    std::vector<Place> places(static_cast<std::size_t>(model->body_count),
                              Place{nullptr, Eigen::Isometry3d::Identity()});
    for (int b = 1; b < model->body_count; b++) {
        const TactBody &body = model->bodies[b];
        Place          &at = places[static_cast<std::size_t>(b)];
        at = places[static_cast<std::size_t>(body.parent)];
        at.pose = at.pose * isometry(body.pose);
        if (!add_body(skeleton, model, body, &at)) {
            std::fprintf(stderr, "dart: %s has joints of other types\n", state->path);
            return nullptr;
        }
    }
    for (int j = 0; j < model->joint_count; j++) {
        TactJointType type = model->joints[j].type;
        if (type == TACT_JOINT_BALL || (j > 0 && type == TACT_JOINT_FREE)) {
            std::fprintf(stderr, "dart: %s has balls, or several free bodies\n", state->path);
            return nullptr;
        }
    }
    skeleton->setGravity(vector(model->options.gravity));
    Engine *engine = new Engine{state, skeleton, {}, {}, {}, 0};
    set_state(engine);
    return engine;
}

void destroy(void *self)
{
    delete static_cast<Engine *>(self);
}

/// What depends on the position only through the inertias is to be computed anew.
void forget(const SkeletonPtr &skeleton)
{
    for (std::size_t tree = 0; tree < skeleton->getNumTrees(); tree++) {
        skeleton->dirtyArticulatedInertia(tree);
    }
}

void update_position(Engine *engine)
{
    engine->skeleton->setPositions(engine->q.next());
    for (std::size_t b = 0; b < engine->skeleton->getNumBodyNodes(); b++) {
        engine->sum += engine->skeleton->getBodyNode(b)->getWorldTransform()(0, 3);
    }
}

void update_velocity(Engine *engine)
{
    engine->skeleton->setVelocities(engine->v.next());
    for (std::size_t b = 0; b < engine->skeleton->getNumBodyNodes(); b++) {
        engine->sum += engine->skeleton->getBodyNode(b)->getSpatialVelocity()[0];
    }
}

void inverse(Engine *engine)
{
    engine->skeleton->setAccelerations(engine->a.next());
    engine->skeleton->computeInverseDynamics();
}

void mass(Engine *engine)
{
    forget(engine->skeleton);
    engine->sum += engine->skeleton->getMassMatrix()(0, 0);
}

void accelerate(Engine *engine)
{
    forget(engine->skeleton);
    engine->skeleton->computeForwardDynamics();
}

void forward(Engine *engine)
{
    engine->skeleton->setPositions(engine->q.next());
    engine->skeleton->setVelocities(engine->v.next());
    engine->skeleton->computeForwardDynamics();
}

double time_part(void *self, TactDynamicsPart part, int repeats)
{
    static void (*const parts[TACT_PART_COUNT])(Engine *) = {
        update_position, update_velocity, inverse, mass, accelerate, forward, nullptr, nullptr,
    };
    if (!parts[part]) {
        return HUGE_VAL;
    }
    // Kinematics is known before, and nothing of the part itself.
    Engine *engine = static_cast<Engine *>(self);
    update_position(engine);
    update_velocity(engine);
    return tact::time_repeats(repeats, [=] { parts[part](engine); });
}

/// The map of velocities P, v of DART = P v of tact.
Eigen::MatrixXd map_velocity(const TactDynamicsCase *state)
{
    Eigen::MatrixXd P = Eigen::MatrixXd::Identity(state->model->nv, state->model->nv);
    if (has_free(state->model)) {
        P.topLeftCorner<6, 6>().setZero();
        P.block<3, 3>(0, 3).setIdentity();
        P.block<3, 3>(3, 0) = free_pose(state).linear().transpose();
    }
    return P;
}

void get(void *self, TactDynamicsValues *values)
{
    Engine                     *engine = static_cast<Engine *>(self);
    SkeletonPtr                &skeleton = engine->skeleton;
    int                         nv = engine->state->model->nv;
    Eigen::Map<Eigen::VectorXd> tau(values->tau, nv), qacc(values->qacc, nv);
    Eigen::Map<Eigen::MatrixXd> M(values->M, nv, nv);
    Eigen::MatrixXd             P = map_velocity(engine->state);

    skeleton->setPositions(engine->q.value[0]);
    skeleton->setVelocities(engine->v.value[0]);
    M = P.transpose() * skeleton->getMassMatrix() * P;
    skeleton->setAccelerations(engine->a.value[0]);
    skeleton->computeInverseDynamics();
    tau = P.transpose() * skeleton->getForces();
    skeleton->setForces(Eigen::VectorXd::Zero(nv));
    skeleton->computeForwardDynamics();
    qacc = skeleton->getAccelerations();
    if (has_free(engine->state->model)) {
        Eigen::Vector3d turning = qacc.head<3>(), w = engine->v.value[0].head<3>();
        Eigen::Vector3d along = qacc.segment<3>(3) + w.cross(engine->v.value[0].segment<3>(3));
        qacc.head<6>() << free_pose(engine->state).linear() * along, turning;
    }
}

} // namespace

const TactDynamicsPeer tact_peer_dart_dynamics = {
    "dart",
    DART_VERSION,
    "Skeleton: setPositions and setVelocities with what they change, computeInverseDynamics, "
    "getMassMatrix without a factor, computeForwardDynamics",
    0,
    create,
    destroy,
    time_part,
    get,
};
#endif
