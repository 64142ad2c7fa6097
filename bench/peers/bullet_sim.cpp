// Bullet: btDiscreteDynamicsWorld with its sequential impulses, ten iterations, as it comes.
//
// A Bullet body has its origin at the centre of mass and the axes of tact's body; the matrix of
// inertia is diagonal in all scenes.
#ifdef TACT_HAVE_BULLET
#include <memory>

#include <btBulletDynamicsCommon.h>

#include "rigid.hpp"

namespace
{

/// Which geoms may touch.
struct Filter : btOverlapFilterCallback {
    const TactSimCase *scene;

    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override
    {
        const auto *i = static_cast<btCollisionObject *>(a->m_clientObject);
        const auto *j = static_cast<btCollisionObject *>(b->m_clientObject);
        if (i->isStaticObject() && j->isStaticObject()) {
            return false;
        }
        // Each body has one geom in all scenes, or the pair is that of the first two.
        return scene->friction(scene->model, i->getUserIndex(), j->getUserIndex()) >= 0;
    }
};

struct Engine {
    const TactSimCase                  *scene;
    btDefaultCollisionConfiguration     configuration;
    btCollisionDispatcher               dispatcher{&configuration};
    btDbvtBroadphase                    broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld             world{&dispatcher, &broadphase, &solver, &configuration};
    Filter                              filter;
    std::vector<std::unique_ptr<btCollisionShape>>  shapes;
    std::vector<std::unique_ptr<btMotionState>>     states;
    std::vector<std::unique_ptr<btRigidBody>>       owned;
    std::vector<std::unique_ptr<btTypedConstraint>> constraints;
    std::vector<btRigidBody *>                      bodies; // nullptr: does not move  (bodies)

    ~Engine()
    {
        for (auto &constraint : constraints) {
            world.removeConstraint(constraint.get());
        }
        for (auto &body : owned) {
            world.removeRigidBody(body.get());
        }
    }
};

btVector3 vector(TactVec3 x)
{
    return {x.x, x.y, x.z};
}

btTransform transform(const TactTransform &pose)
{
    TactQuat r = pose.rotation;
    return btTransform(btQuaternion(r.x, r.y, r.z, r.w), vector(pose.position));
}

btCollisionShape *make_shape(const TactGeom &geom)
{
    const double *s = geom.size;
    switch (geom.type) {
    case TACT_GEOM_PLANE: return new btStaticPlaneShape(btVector3(0, 0, 1), 0);
    case TACT_GEOM_SPHERE: return new btSphereShape(s[0]);
    case TACT_GEOM_CAPSULE: return new btCapsuleShapeZ(s[0], 2 * s[1]);
    case TACT_GEOM_CYLINDER: return new btCylinderShapeZ(btVector3(s[0], s[0], s[1]));
    case TACT_GEOM_BOX: return new btBoxShape(btVector3(s[0], s[1], s[2]));
    default: return nullptr;
    }
}

btRigidBody *add_body(Engine *engine, double mass, const btVector3 &inertia,
                      btCollisionShape *shape, const btTransform &pose, int geom)
{
    engine->states.emplace_back(new btDefaultMotionState(pose));
    btRigidBody::btRigidBodyConstructionInfo info(mass, engine->states.back().get(), shape,
                                                  inertia);
    btRigidBody                             *body = new btRigidBody(info);
    engine->owned.emplace_back(body);
    body->setFriction(std::sqrt(engine->scene->model->geoms[geom].mu)); // the two are multiplied
    body->setUserIndex(geom);
    body->setActivationState(DISABLE_DEACTIVATION);
    engine->world.addRigidBody(body);
    return body;
}

bool is_diagonal(const TactMat3 &I)
{
    double off =
        std::fmax(std::fabs(I.m[0][1]), std::fmax(std::fabs(I.m[0][2]), std::fabs(I.m[1][2])));
    return off <= 1e-9 * (I.m[0][0] + I.m[1][1] + I.m[2][2]);
}

/// A body of one geom, or of several in a compound.
bool add_moving(Engine *engine, int b)
{
    const TactModel   *model = engine->scene->model;
    const TactBody    &body = model->bodies[b];
    const TactInertia &inertia = body.inertia;
    const auto        &I = inertia.rotary.m;
    btCompoundShape   *all = new btCompoundShape();
    engine->shapes.emplace_back(all);
    for (int g = body.first_geom; g < body.first_geom + body.geom_count; g++) {
        btCollisionShape *shape = make_shape(model->geoms[g]);
        if (!shape || !is_diagonal(inertia.rotary)) {
            delete shape;
            return false;
        }
        engine->shapes.emplace_back(shape);
        TactTransform local = model->geoms[g].pose;
        local.position = tact_vec3_subtract(local.position, inertia.com);
        all->addChildShape(transform(local), shape);
    }
    TactTransform pose = engine->scene->poses[b];
    pose.position = tact::mass_point(model, b, pose);
    // A single geom at the centre needs no compound, which would be slower.
    btCollisionShape *shape = all;
    if (body.geom_count == 1 && all->getChildTransform(0).getOrigin().length() == 0 &&
        all->getChildTransform(0).getRotation().getW() == 1) {
        shape = all->getChildShape(0);
    }
    engine->bodies[static_cast<std::size_t>(b)] =
        add_body(engine, inertia.mass, btVector3(I[0][0], I[1][1], I[2][2]), shape, transform(pose),
                 body.first_geom);
    return true;
}

bool add_fixed(Engine *engine, int b)
{
    const TactModel *model = engine->scene->model;
    for (int g = 0; g < model->geom_count; g++) {
        const TactGeom &geom = model->geoms[g];
        if (geom.body != b || geom.visual) {
            continue;
        }
        btCollisionShape *shape = make_shape(geom);
        if (!shape) {
            return false;
        }
        engine->shapes.emplace_back(shape);
        TactTransform pose = tact_transform_multiply(engine->scene->poses[b], geom.pose);
        add_body(engine, 0, btVector3(0, 0, 0), shape, transform(pose), g);
    }
    return true;
}

void add_joint(Engine *engine, int index)
{
    const TactModel *model = engine->scene->model;
    const TactJoint &joint = model->joints[index];
    const TactBody  &body = model->bodies[joint.body];
    btRigidBody     *child = engine->bodies[static_cast<std::size_t>(joint.body)];
    btRigidBody     *parent = engine->bodies[static_cast<std::size_t>(body.parent)];
    TactVec3         in_child = tact_vec3_subtract(joint.position, body.inertia.com);
    // at the start the two anchors, and the two axes, are one
    TactVec3    anchor = tact_transform_point(engine->scene->poses[joint.body], joint.position);
    btTransform to_child = child->getWorldTransform().inverse();
    btTransform to_parent =
        parent ? parent->getWorldTransform().inverse() : btTransform::getIdentity();
    btVector3 in_parent = to_parent * vector(anchor);
    if (joint.type == TACT_JOINT_BALL) {
        engine->constraints.emplace_back(
            parent ? new btPoint2PointConstraint(*child, *parent, vector(in_child), in_parent)
                   : new btPoint2PointConstraint(*child, vector(in_child)));
    } else if (joint.type == TACT_JOINT_HINGE) {
        btVector3 axis = child->getWorldTransform().getBasis() * vector(joint.axis);
        btVector3 in_a = to_child.getBasis() * axis, in_b = to_parent.getBasis() * axis;
        engine->constraints.emplace_back(
            parent ? new btHingeConstraint(*child, *parent, vector(in_child), in_parent, in_a, in_b)
                   : new btHingeConstraint(*child, vector(in_child), in_a));
    } else {
        return;
    }
    engine->world.addConstraint(engine->constraints.back().get());
}

void destroy(void *self)
{
    delete static_cast<Engine *>(self);
}

void *create(const TactSimCase *scene)
{
    if (!tact::takes(scene, "bullet")) {
        return nullptr;
    }
    const TactModel *model = scene->model;
    Engine          *engine = new Engine();
    engine->scene = scene;
    engine->filter.scene = scene;
    engine->bodies.resize(static_cast<std::size_t>(model->body_count));
    engine->world.setGravity(vector(model->options.gravity));
    engine->world.getPairCache()->setOverlapFilterCallback(&engine->filter);
    bool good = true;
    for (int b = 0; b < model->body_count && good; b++) {
        good = tact::moves(model, b) ? add_moving(engine, b) : add_fixed(engine, b);
    }
    for (int j = 0; j < model->joint_count && good; j++) {
        add_joint(engine, j);
    }
    if (!good) {
        std::fprintf(stderr, "bullet: %s has shapes of other kinds\n", scene->path);
        destroy(engine);
        return nullptr;
    }
    return engine;
}

TactQuat rotation(const Engine *engine, int index)
{
    const btRigidBody *body = engine->bodies[static_cast<std::size_t>(index)];
    if (!body) {
        return engine->scene->poses[index].rotation;
    }
    btQuaternion r = body->getWorldTransform().getRotation();
    return {r.w(), r.x(), r.y(), r.z()};
}

void drive(Engine *engine)
{
    const TactModel *model = engine->scene->model;
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint &joint = model->joints[j];
        btRigidBody     *child = engine->bodies[static_cast<std::size_t>(joint.body)];
        const TactBody  &body = model->bodies[joint.body];
        btRigidBody     *parent = engine->bodies[static_cast<std::size_t>(body.parent)];
        if (joint.type == TACT_JOINT_FREE) {
            continue;
        }
        btVector3 rate = child->getAngularVelocity();
        if (parent) {
            rate -= parent->getAngularVelocity();
        }
        btVector3 torque = -joint.damping * rate;
        if (joint.type == TACT_JOINT_HINGE) {
            btVector3 axis = child->getWorldTransform().getBasis() * vector(joint.axis);
            double    angle = tact::hinge_angle(model, j, rotation(engine, body.parent),
                                                rotation(engine, joint.body));
            torque = axis * tact::hinge_torque(engine->scene, j, angle, axis.dot(rate));
        }
        child->applyTorque(torque);
        if (parent) {
            parent->applyTorque(-torque);
        }
    }
}

bool step(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    drive(engine);
    engine->world.stepSimulation(engine->scene->step, 0);
    return true;
}

void get_poses(void *self, TactTransform *poses)
{
    Engine          *engine = static_cast<Engine *>(self);
    const TactModel *model = engine->scene->model;
    for (int b = 0; b < model->body_count; b++) {
        const btRigidBody *body = engine->bodies[static_cast<std::size_t>(b)];
        if (!body) {
            poses[b] = engine->scene->poses[b];
            continue;
        }
        btVector3 p = body->getWorldTransform().getOrigin();
        poses[b].rotation = rotation(engine, b);
        poses[b].position =
            tact_vec3_subtract(TactVec3{p.x(), p.y(), p.z()},
                               tact_quat_rotate(poses[b].rotation, model->bodies[b].inertia.com));
    }
}

int count_contacts(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    int     count = 0;
    for (int m = 0; m < engine->dispatcher.getNumManifolds(); m++) {
        count += engine->dispatcher.getManifoldByIndexInternal(m)->getNumContacts();
    }
    return count;
}

const char *version()
{
    static char text[16];
    std::snprintf(text, sizeof text, "%d", BT_BULLET_VERSION);
    return text;
}

} // namespace

const TactSimPeer tact_peer_bullet_sim = {
    "bullet",  version(),      "stepSimulation, 10 iterations, double precision",
    create,    destroy,        step,
    get_poses, count_contacts, nullptr,
    nullptr,
};
#endif
