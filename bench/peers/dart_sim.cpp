// DART: World::step with its boxed LCP (Dantzig, then PGS) and FCL, as it comes. One skeleton a
// tree; forces of servos and dampers are given to its joints.
#ifdef TACT_HAVE_DART
#include <cstdio>

#include <dart/collision/CollisionResult.hpp>
#include <dart/config.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/simulation/World.hpp>

#include "bench/peers/dart_skeleton.hpp"

namespace
{

using namespace dart::dynamics;

struct Engine {
    const TactSimCase         *scene;
    dart::simulation::WorldPtr world;
    std::vector<tact::Place>   places; // (bodies)
    std::vector<Joint *>       joints; // of the model                                  (joints)
};

/// FCL knows no planes, which are thick boxes here, and no capsules.
ShapePtr make_shape(const TactGeom &geom)
{
    const double *s = geom.size;
    switch (geom.type) {
    case TACT_GEOM_PLANE: return std::make_shared<BoxShape>(Eigen::Vector3d(20, 20, 1));
    case TACT_GEOM_SPHERE: return std::make_shared<SphereShape>(s[0]);
    case TACT_GEOM_CYLINDER: return std::make_shared<CylinderShape>(s[0], 2 * s[1]);
    case TACT_GEOM_BOX:
        return std::make_shared<BoxShape>(Eigen::Vector3d(2 * s[0], 2 * s[1], 2 * s[2]));
    default: return nullptr;
    }
}

bool add_geom(const TactGeom &geom, BodyNode *node, const Eigen::Isometry3d &pose)
{
    ShapePtr shape = geom.visual ? nullptr : make_shape(geom);
    if (!shape) {
        return geom.visual;
    }
    auto             *made = node->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    Eigen::Isometry3d local = pose * tact::isometry(geom.pose);
    if (geom.type == TACT_GEOM_PLANE) {
        local.translate(Eigen::Vector3d(0, 0, -0.5));
    }
    made->setRelativeTransform(local);
    made->getDynamicsAspect()->setFrictionCoeff(geom.mu);
    made->getDynamicsAspect()->setRestitutionCoeff(0);
    return true;
}

/// What is fixed to the world: one skeleton that does not move.
bool add_ground(Engine *engine)
{
    const TactModel *model = engine->scene->model;
    SkeletonPtr      ground = Skeleton::create("ground");
    BodyNode        *node = ground->createJointAndBodyNodePair<WeldJoint>().second;
    bool             good = true, any = false;
    for (int g = 0; g < model->geom_count; g++) {
        const TactGeom &geom = model->geoms[g];
        if (model->bodies[model->bodies[geom.body].carrier].joint_count == 0) {
            good = good && add_geom(geom, node, tact::isometry(engine->scene->poses[geom.body]));
            any = true;
        }
    }
    ground->setMobile(false);
    if (any) {
        engine->world->addSkeleton(ground);
    }
    return good;
}

/// A tree of bodies from its root on.
bool add_tree(Engine *engine, int root)
{
    const TactModel *model = engine->scene->model;
    SkeletonPtr      skeleton = Skeleton::create("tree" + std::to_string(root));
    bool             good = true;
    for (int b = root; b < model->body_count && good; b++) {
        const TactBody &body = model->bodies[b];
        if (body.root != root) {
            break;
        }
        tact::Place &at = engine->places[static_cast<std::size_t>(b)];
        at = b == root ? tact::Place{nullptr, Eigen::Isometry3d::Identity()}
                       : engine->places[static_cast<std::size_t>(body.parent)];
        at.pose = at.pose * tact::isometry(body.pose);
        std::size_t before = skeleton->getNumBodyNodes();
        good = tact::add_body(skeleton, model, body, &at);
        for (int j = 0; j < body.joint_count && good; j++) {
            engine->joints[static_cast<std::size_t>(body.first_joint + j)] =
                skeleton->getJoint(before + static_cast<std::size_t>(j));
        }
        for (int g = body.first_geom; g < body.first_geom + body.geom_count && good; g++) {
            good = at.node ? add_geom(model->geoms[g], at.node, at.pose) : true;
        }
    }
    if (skeleton->getNumBodyNodes() > 0) {
        engine->world->addSkeleton(skeleton);
    }
    return good;
}

void set_state(Engine *engine)
{
    const TactModel *model = engine->scene->model;
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint &joint = model->joints[j];
        Joint           *made = engine->joints[static_cast<std::size_t>(j)];
        const double    *q = engine->scene->q + joint.q;
        if (joint.type == TACT_JOINT_FREE) {
            made->setPositions(FreeJoint::convertToPositions(
                tact::isometry({{q[3], q[4], q[5], q[6]}, {q[0], q[1], q[2]}})));
        } else if (joint.type == TACT_JOINT_BALL) {
            made->setPositions(BallJoint::convertToPositions(
                Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()));
        } else {
            made->setPosition(0, q[0] - joint.reference);
        }
        for (std::size_t k = 0; k < made->getNumDofs() && joint.type != TACT_JOINT_FREE; k++) {
            made->setDampingCoefficient(k, joint.damping);
        }
        if (joint.limited && joint.type == TACT_JOINT_HINGE) {
            made->setPositionLowerLimit(0, joint.range[0] - joint.reference);
            made->setPositionUpperLimit(0, joint.range[1] - joint.reference);
            made->setLimitEnforcement(true);
        }
    }
}

void destroy(void *self)
{
    delete static_cast<Engine *>(self);
}

void *create(const TactSimCase *scene)
{
    const TactModel *model = scene->model;
    Engine          *engine = new Engine{scene, dart::simulation::World::create(), {}, {}};
    engine->places.resize(static_cast<std::size_t>(model->body_count),
                          {nullptr, Eigen::Isometry3d::Identity()});
    engine->joints.resize(static_cast<std::size_t>(model->joint_count));
    engine->world->setTimeStep(scene->step);
    engine->world->setGravity(tact::vector(model->options.gravity));
    bool good = model->equality_count + model->tendon_count == 0 && add_ground(engine);
    for (int b = 1; b < model->body_count && good; b++) {
        bool moves = false;
        for (int k = b; k < model->body_count && model->bodies[k].root == b; k++) {
            moves = moves || model->bodies[k].joint_count > 0;
        }
        good = model->bodies[b].parent != 0 || !moves || add_tree(engine, b);
    }
    if (!good) {
        std::fprintf(stderr, "dart: %s has joints or shapes of other kinds\n", scene->path);
        destroy(engine);
        return nullptr;
    }
    set_state(engine);
    return engine;
}

/// Motors and servos; dampers are its own.
void drive(Engine *engine)
{
    const TactModel *model = engine->scene->model;
    for (int i = 0; i < model->actuator_count; i++) {
        const TactActuator &a = model->actuators[i];
        if (a.transmission != TACT_TRANSMISSION_JOINT) {
            continue;
        }
        const TactJoint &joint = model->joints[a.target];
        Joint           *made = engine->joints[static_cast<std::size_t>(a.target)];
        double           length = a.gear[0] * (joint.reference + made->getPosition(0));
        double           speed = a.gear[0] * made->getVelocity(0);
        double           gain = a.gain[0] + a.gain[1] * length + a.gain[2] * speed;
        double           bias = a.bias[0] + a.bias[1] * length + a.bias[2] * speed;
        made->setForce(0, a.gear[0] * (gain * engine->scene->ctrl[i] + bias));
    }
}

bool step(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    drive(engine);
    engine->world->step();
    return true;
}

void get_poses(void *self, TactTransform *poses)
{
    Engine          *engine = static_cast<Engine *>(self);
    const TactModel *model = engine->scene->model;
    for (int b = 0; b < model->body_count; b++) {
        const tact::Place &at = engine->places[static_cast<std::size_t>(b)];
        poses[b] = engine->scene->poses[b];
        if (at.node) {
            Eigen::Isometry3d  pose = at.node->getWorldTransform() * at.pose;
            Eigen::Quaterniond r(pose.linear());
            Eigen::Vector3d    p = pose.translation();
            poses[b] = {{r.w(), r.x(), r.y(), r.z()}, {p.x(), p.y(), p.z()}};
        }
    }
}

int count_contacts(void *self)
{
    return static_cast<int>(
        static_cast<Engine *>(self)->world->getLastCollisionResult().getNumContacts());
}

} // namespace

const TactSimPeer tact_peer_dart_sim = {
    "dart",    DART_VERSION,   "World::step, FCL, Dantzig then PGS",
    create,    destroy,        step,
    get_poses, count_contacts, nullptr,
    nullptr,   nullptr,
};
#endif
