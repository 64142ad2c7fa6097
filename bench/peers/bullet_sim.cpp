// Bullet: btDiscreteDynamicsWorld with its sequential impulses, ten iterations, as it comes, or 50.
//
// A Bullet body has its origin at the centre of mass and the axes of tact's body where inertia is
// diagonal in these, else its principal axes.
#ifdef TACT_HAVE_BULLET
#include <memory>

#include <btBulletDynamicsCommon.h>

#include "bench/peers/rigid.hpp"

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
    std::vector<btTransform> frames; // of Bullet's body in tact's                     (bodies)

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

/// Its margin stands around a hull: that of the others is inside of them.
btCollisionShape *make_hull(const TactHull *hull)
{
    btConvexHullShape *shape = new btConvexHullShape();
    for (int i = 0; i < hull->vertex_count; i++) {
        shape->addPoint(vector(hull->vertices[i]), false);
    }
    shape->recalcLocalAabb();
    shape->setMargin(1e-3);
    return shape;
}

btCollisionShape *make_shape(const TactModel *model, const TactGeom &geom)
{
    const double *s = geom.size;
    switch (geom.type) {
    case TACT_GEOM_PLANE: return new btStaticPlaneShape(btVector3(0, 0, 1), 0);
    case TACT_GEOM_SPHERE: return new btSphereShape(s[0]);
    case TACT_GEOM_CAPSULE: return new btCapsuleShapeZ(s[0], 2 * s[1]);
    case TACT_GEOM_CYLINDER: return new btCylinderShapeZ(btVector3(s[0], s[0], s[1]));
    case TACT_GEOM_BOX: return new btBoxShape(btVector3(s[0], s[1], s[2]));
    case TACT_GEOM_CONVEX: return make_hull(model->meshes[geom.mesh].hull);
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
    if (!engine->scene->sleeps) {
        body->setActivationState(DISABLE_DEACTIVATION);
    }
    engine->world.addRigidBody(body);
    return body;
}

bool is_diagonal(const TactMat3 &I)
{
    double off =
        std::fmax(std::fabs(I.m[0][1]), std::fmax(std::fabs(I.m[0][2]), std::fabs(I.m[1][2])));
    return off <= 1e-9 * (I.m[0][0] + I.m[1][1] + I.m[2][2]);
}

/// Frame of Bullet's body in tact's, and the principal moments along its axes.
btTransform principal_frame(const TactInertia &inertia, btVector3 *moments)
{
    const auto &I = inertia.rotary.m;
    btTransform frame(btMatrix3x3::getIdentity(), vector(inertia.com));
    btMatrix3x3 matrix(I[0][0], I[0][1], I[0][2], I[1][0], I[1][1], I[1][2], I[2][0], I[2][1],
                       I[2][2]);
    if (!is_diagonal(inertia.rotary)) {
        matrix.diagonalize(frame.getBasis(), 1e-15, 100);
    }
    *moments = btVector3(matrix[0][0], matrix[1][1], matrix[2][2]);
    return frame;
}

/// A body of one geom, or of several in a compound.
bool add_moving(Engine *engine, int b)
{
    const TactModel   *model = engine->scene->model;
    const TactBody    &body = model->bodies[b];
    const TactInertia &inertia = body.inertia;
    btCompoundShape   *all = new btCompoundShape();
    btVector3          moments;
    btTransform        frame = principal_frame(inertia, &moments);
    engine->shapes.emplace_back(all);
    engine->frames[static_cast<std::size_t>(b)] = frame;
    for (int g = body.first_geom; g < body.first_geom + body.geom_count; g++) {
        btCollisionShape *shape = make_shape(model, model->geoms[g]);
        if (!shape) {
            return false;
        }
        engine->shapes.emplace_back(shape);
        all->addChildShape(frame.inverse() * transform(model->geoms[g].pose), shape);
    }
    // A single geom at the centre needs no compound, which would be slower.
    btCollisionShape *shape = all;
    if (body.geom_count == 1 && all->getChildTransform(0).getOrigin().length() == 0 &&
        all->getChildTransform(0).getRotation().getW() == 1) {
        shape = all->getChildShape(0);
    }
    btRigidBody *made = add_body(engine, inertia.mass, moments, shape,
                                 transform(engine->scene->poses[b]) * frame, body.first_geom);
    if (engine->scene->twists) {
        made->setLinearVelocity(vector(engine->scene->twists[b].linear));
        made->setAngularVelocity(vector(engine->scene->twists[b].angular));
    }
    engine->bodies[static_cast<std::size_t>(b)] = made;
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
        btCollisionShape *shape = make_shape(model, geom);
        if (!shape) {
            return false;
        }
        engine->shapes.emplace_back(shape);
        TactTransform pose = tact_transform_multiply(engine->scene->poses[b], geom.pose);
        add_body(engine, 0, btVector3(0, 0, 0), shape, transform(pose), g);
    }
    return true;
}

/// World frame of tact's body.
btTransform place(const Engine *engine, int index)
{
    std::size_t at = static_cast<std::size_t>(index);
    return engine->bodies[at]->getWorldTransform() * engine->frames[at].inverse();
}

btVector3 world_axis(const Engine *engine, const TactJoint &joint)
{
    return place(engine, joint.body).getBasis() * vector(joint.axis);
}

void add_joint(Engine *engine, int index)
{
    const TactModel *model = engine->scene->model;
    const TactJoint &joint = model->joints[index];
    const TactBody  &body = model->bodies[joint.body];
    btRigidBody     *child = engine->bodies[static_cast<std::size_t>(joint.body)];
    btRigidBody     *parent = engine->bodies[static_cast<std::size_t>(body.parent)];
    // at the start the two anchors, and the two axes, are one
    TactVec3    anchor = tact_transform_point(engine->scene->poses[joint.body], joint.position);
    btTransform to_child = child->getWorldTransform().inverse();
    btTransform to_parent =
        parent ? parent->getWorldTransform().inverse() : btTransform::getIdentity();
    btVector3 in_child = to_child * vector(anchor), in_parent = to_parent * vector(anchor);
    if (joint.type == TACT_JOINT_BALL) {
        engine->constraints.emplace_back(
            parent ? new btPoint2PointConstraint(*child, *parent, in_child, in_parent)
                   : new btPoint2PointConstraint(*child, in_child));
    } else if (joint.type == TACT_JOINT_HINGE) {
        btVector3 axis = world_axis(engine, joint);
        btVector3 in_a = to_child.getBasis() * axis, in_b = to_parent.getBasis() * axis;
        engine->constraints.emplace_back(
            parent ? new btHingeConstraint(*child, *parent, in_child, in_parent, in_a, in_b)
                   : new btHingeConstraint(*child, in_child, in_a));
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
    engine->frames.resize(static_cast<std::size_t>(model->body_count));
    if (scene->hard) {
        engine->world.getSolverInfo().m_numIterations = 50;
    }
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
    btQuaternion r = place(engine, index).getRotation();
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
            btVector3 axis = world_axis(engine, joint);
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

void *create_thorough(const TactSimCase *scene)
{
    Engine *engine = static_cast<Engine *>(create(scene));
    if (engine) {
        engine->world.getSolverInfo().m_numIterations = 50;
    }
    return engine;
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
        btVector3 p = place(engine, b).getOrigin();
        poses[b] = {rotation(engine, b), {p.x(), p.y(), p.z()}};
    }
}

void get_motion(void *self, TactTransform *poses, TactTwist *twists)
{
    Engine *engine = static_cast<Engine *>(self);
    get_poses(self, poses);
    for (std::size_t b = 0; b < engine->bodies.size(); b++) {
        twists[b] = {};
        if (engine->bodies[b]) {
            btVector3 v = engine->bodies[b]->getLinearVelocity();
            btVector3 w = engine->bodies[b]->getAngularVelocity();
            twists[b] = {{v.x(), v.y(), v.z()}, {w.x(), w.y(), w.z()}};
        }
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
    "bullet",
    version(),
    "stepSimulation, 10 iterations, double precision",
    create,
    destroy,
    step,
    get_poses,
    count_contacts,
    nullptr,
    get_motion,
    "50 iterations, split impulse, hulls with a margin of 1 mm; no ellipsoids",
};

const TactSimPeer tact_peer_bullet_50 = {
    "bullet-50",     version(),      "stepSimulation, 50 iterations, double precision",
    create_thorough, destroy,        step,
    get_poses,       count_contacts, nullptr,
    get_motion,      nullptr,
};
#endif
