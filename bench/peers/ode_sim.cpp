// ODE: dWorldStep and dWorldQuickStep, with its own collision.
//
// An ODE body has its origin at the centre of mass and the axes of tact's body.
#ifdef TACT_HAVE_ODE
#include <cstdarg>
#include <cstdint>
#include <deque>

#include <ode/ode.h>

#include "bench/peers/rigid.hpp"

namespace
{

/// A hull as ODE wants it; it keeps no copy.
struct Hull {
    std::vector<dReal>    planes, points;
    std::vector<unsigned> polygons;
};

struct Engine {
    const TactSimCase    *scene;
    dWorldID              world;
    dSpaceID              space;
    dJointGroupID         group;
    std::vector<dBodyID>  bodies; // nullptr: it does not move                        (bodies)
    std::vector<dJointID> joints; // nullptr: free                                    (joints)
    std::vector<dGeomID>  geoms;
    int                   contacts;
    bool                  quick;
    std::deque<Hull>      hulls;
};

void set_mass(dBodyID body, const TactInertia &inertia)
{
    const auto &I = inertia.rotary.m;
    dMass       mass;
    dMassSetParameters(&mass, inertia.mass, 0, 0, 0, I[0][0], I[1][1], I[2][2], I[0][1], I[0][2],
                       I[1][2]);
    dBodySetMass(body, &mass);
}

void add_bodies(Engine *engine)
{
    const TactModel *model = engine->scene->model;
    for (int b = 0; b < model->body_count; b++) {
        const TactTransform &pose = engine->scene->poses[b];
        if (!tact::moves(model, b)) {
            engine->bodies.push_back(nullptr);
            continue;
        }
        dBodyID body = dBodyCreate(engine->world);
        set_mass(body, model->bodies[b].inertia);
        TactVec3          p = tact::mass_point(model, b, pose);
        const dQuaternion r = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
        dBodySetPosition(body, p.x, p.y, p.z);
        dBodySetQuaternion(body, r);
        if (engine->scene->twists) {
            TactTwist v = engine->scene->twists[b];
            dBodySetLinearVel(body, v.linear.x, v.linear.y, v.linear.z);
            dBodySetAngularVel(body, v.angular.x, v.angular.y, v.angular.z);
        }
        engine->bodies.push_back(body);
    }
}

void add_joints(Engine *engine)
{
    const TactModel *model = engine->scene->model;
    for (int j = 0; j < model->joint_count; j++) {
        const TactJoint     &joint = model->joints[j];
        const TactTransform &pose = engine->scene->poses[joint.body];
        TactVec3             anchor = tact_transform_point(pose, joint.position);
        TactVec3             axis = tact_quat_rotate(pose.rotation, joint.axis);
        dBodyID              child = engine->bodies[static_cast<std::size_t>(joint.body)];
        dBodyID parent = engine->bodies[static_cast<std::size_t>(model->bodies[joint.body].parent)];
        dJointID made = nullptr;
        if (joint.type == TACT_JOINT_BALL) {
            made = dJointCreateBall(engine->world, nullptr);
            dJointAttach(made, child, parent);
            dJointSetBallAnchor(made, anchor.x, anchor.y, anchor.z);
        } else if (joint.type == TACT_JOINT_HINGE) {
            made = dJointCreateHinge(engine->world, nullptr);
            dJointAttach(made, child, parent);
            dJointSetHingeAnchor(made, anchor.x, anchor.y, anchor.z);
            dJointSetHingeAxis(made, axis.x, axis.y, axis.z);
        }
        engine->joints.push_back(made);
    }
}

unsigned as_unsigned(int number)
{
    return static_cast<unsigned>(number);
}

dGeomID make_hull(Engine *engine, const TactHull *hull)
{
    engine->hulls.emplace_back();
    Hull &made = engine->hulls.back();
    for (int i = 0; i < hull->vertex_count; i++) {
        TactVec3 x = hull->vertices[i];
        made.points.insert(made.points.end(), {x.x, x.y, x.z});
    }
    for (int f = 0; f < hull->face_count; f++) {
        const TactHullFace &face = hull->faces[f];
        TactVec3            n = face.normal;
        made.planes.insert(made.planes.end(), {n.x, n.y, n.z, face.offset});
        made.polygons.push_back(as_unsigned(face.count));
        for (int e = face.first; e < face.first + face.count; e++) {
            made.polygons.push_back(as_unsigned(hull->edges[e].origin));
        }
    }
    return dCreateConvex(engine->space, made.planes.data(), as_unsigned(hull->face_count),
                         made.points.data(), as_unsigned(hull->vertex_count), made.polygons.data());
}

dGeomID make_geom(Engine *engine, const TactGeom &geom, const TactTransform &world)
{
    const double *s = geom.size;
    switch (geom.type) {
    case TACT_GEOM_PLANE: {
        TactVec3 n = tact_quat_rotate(world.rotation, TactVec3{0, 0, 1});
        return dCreatePlane(engine->space, n.x, n.y, n.z, tact_vec3_dot(n, world.position));
    }
    case TACT_GEOM_SPHERE: return dCreateSphere(engine->space, s[0]);
    case TACT_GEOM_CAPSULE: return dCreateCapsule(engine->space, s[0], 2 * s[1]);
    case TACT_GEOM_CYLINDER: return dCreateCylinder(engine->space, s[0], 2 * s[1]);
    case TACT_GEOM_BOX: return dCreateBox(engine->space, 2 * s[0], 2 * s[1], 2 * s[2]);
    case TACT_GEOM_CONVEX: return make_hull(engine, engine->scene->model->meshes[geom.mesh].hull);
    default: return nullptr;
    }
}

bool add_geoms(Engine *engine)
{
    const TactModel *model = engine->scene->model;
    for (int g = 0; g < model->geom_count; g++) {
        const TactGeom      &geom = model->geoms[g];
        const TactTransform &pose = engine->scene->poses[geom.body];
        TactTransform        world = tact_transform_multiply(pose, geom.pose);
        dGeomID              made = geom.visual ? nullptr : make_geom(engine, geom, world);
        dBodyID              body = engine->bodies[static_cast<std::size_t>(geom.body)];
        engine->geoms.push_back(made);
        if (!made) {
            if (!geom.visual) {
                return false;
            }
            continue;
        }
        dGeomSetData(made, reinterpret_cast<void *>(static_cast<std::intptr_t>(g)));
        TactVec3 offset =
            tact_vec3_subtract(geom.pose.position, model->bodies[geom.body].inertia.com);
        TactQuat    r = body ? geom.pose.rotation : world.rotation;
        dQuaternion turn = {r.w, r.x, r.y, r.z};
        if (body) {
            dGeomSetBody(made, body);
            dGeomSetOffsetPosition(made, offset.x, offset.y, offset.z);
            dGeomSetOffsetQuaternion(made, turn);
        } else if (geom.type != TACT_GEOM_PLANE) {
            dGeomSetPosition(made, world.position.x, world.position.y, world.position.z);
            dGeomSetQuaternion(made, turn);
        }
    }
    return true;
}

void destroy(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    dJointGroupDestroy(engine->group);
    dSpaceDestroy(engine->space);
    dWorldDestroy(engine->world);
    delete engine;
}

/// Its solver's complaints are many; what comes of them is measured.
void say_nothing(int, const char *, va_list)
{
}

void *create(const TactSimCase *scene, bool quick)
{
    static bool ready = false;
    if (!tact::takes(scene, "ode")) {
        return nullptr;
    }
    if (!ready) {
        dInitODE2(0);
        dSetMessageHandler(say_nothing);
        ready = true;
    }
    Engine *engine =
        new Engine{scene, dWorldCreate(), nullptr, dJointGroupCreate(0), {}, {}, {}, 0, quick, {}};
    TactVec3 g = scene->model->options.gravity;
    engine->space = dHashSpaceCreate(nullptr);
    dWorldSetGravity(engine->world, g.x, g.y, g.z);
    dWorldSetAutoDisableFlag(engine->world, scene->sleeps ? 1 : 0);
    if (scene->hard) {
        dWorldSetQuickStepNumIterations(engine->world, 100);
    }
    add_bodies(engine);
    add_joints(engine);
    if (!add_geoms(engine)) {
        std::fprintf(stderr, "ode: %s has shapes of other kinds\n", scene->path);
        destroy(engine);
        return nullptr;
    }
    return engine;
}

void *create_step(const TactSimCase *scene)
{
    return create(scene, false);
}

void *create_quick(const TactSimCase *scene)
{
    return create(scene, true);
}

/// Friction as a pyramid along two axes (dContactApprox1), no restitution.
void near(void *data, dGeomID a, dGeomID b)
{
    enum { MOST = 16 };
    Engine          *engine = static_cast<Engine *>(data);
    const TactModel *model = engine->scene->model;
    int              i = static_cast<int>(reinterpret_cast<std::intptr_t>(dGeomGetData(a)));
    int              j = static_cast<int>(reinterpret_cast<std::intptr_t>(dGeomGetData(b)));
    dBodyID          body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    double           mu = body_a || body_b ? engine->scene->friction(model, i, j) : -1;
    if (mu < 0) {
        return;
    }
    dContactGeom found[MOST];
    int          count = dCollide(a, b, MOST, found, sizeof found[0]);
    for (int k = 0; k < count; k++) {
        dContact contact = {};
        contact.geom = found[k];
        contact.surface.mode = dContactApprox1;
        contact.surface.mu = mu;
        dJointAttach(dJointCreateContact(engine->world, engine->group, &contact), body_a, body_b);
    }
    engine->contacts += count;
}

void drive(Engine *engine)
{
    const TactModel *model = engine->scene->model;
    for (int j = 0; j < model->joint_count; j++) {
        dJointID         made = engine->joints[static_cast<std::size_t>(j)];
        const TactJoint &joint = model->joints[j];
        if (joint.type == TACT_JOINT_HINGE) {
            double angle = joint.reference + dJointGetHingeAngle(made);
            double rate = dJointGetHingeAngleRate(made);
            dJointAddHingeTorque(made, tact::hinge_torque(engine->scene, j, angle, rate));
        } else if (joint.type == TACT_JOINT_BALL && joint.damping > 0) {
            dBodyID      child = dJointGetBody(made, 0), parent = dJointGetBody(made, 1);
            const dReal *w = dBodyGetAngularVel(child);
            const dReal  still[3] = {0, 0, 0};
            const dReal *u = parent ? dBodyGetAngularVel(parent) : still;
            double       d = joint.damping;
            const double t[3] = {d * (u[0] - w[0]), d * (u[1] - w[1]), d * (u[2] - w[2])};
            dBodyAddTorque(child, t[0], t[1], t[2]);
            if (parent) {
                dBodyAddTorque(parent, -t[0], -t[1], -t[2]);
            }
        }
    }
}

bool step(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    engine->contacts = 0;
    dSpaceCollide(engine->space, engine, near);
    drive(engine);
    int good = engine->quick ? dWorldQuickStep(engine->world, engine->scene->step)
                             : dWorldStep(engine->world, engine->scene->step);
    dJointGroupEmpty(engine->group);
    return good != 0;
}

void get_poses(void *self, TactTransform *poses)
{
    Engine          *engine = static_cast<Engine *>(self);
    const TactModel *model = engine->scene->model;
    for (int b = 0; b < model->body_count; b++) {
        std::size_t at = static_cast<std::size_t>(b);
        if (!engine->bodies[at]) {
            poses[b] = engine->scene->poses[b];
            continue;
        }
        const dReal *p = dBodyGetPosition(engine->bodies[at]);
        const dReal *r = dBodyGetQuaternion(engine->bodies[at]);
        poses[b].rotation = {r[0], r[1], r[2], r[3]};
        poses[b].position =
            tact_vec3_subtract(TactVec3{p[0], p[1], p[2]},
                               tact_quat_rotate(poses[b].rotation, model->bodies[b].inertia.com));
    }
}

void get_motion(void *self, TactTransform *poses, TactTwist *twists)
{
    Engine *engine = static_cast<Engine *>(self);
    get_poses(self, poses);
    for (std::size_t b = 0; b < engine->bodies.size(); b++) {
        twists[b] = {};
        if (engine->bodies[b]) {
            const dReal *v = dBodyGetLinearVel(engine->bodies[b]);
            const dReal *w = dBodyGetAngularVel(engine->bodies[b]);
            twists[b] = {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
        }
    }
}

int count_contacts(void *self)
{
    return static_cast<Engine *>(self)->contacts;
}

} // namespace

const TactSimPeer tact_peer_ode_step = {
    "ode",
    dODE_VERSION,
    "dSpaceCollide and dWorldStep (Dantzig), friction pyramid",
    create_step,
    destroy,
    step,
    get_poses,
    count_contacts,
    nullptr,
    get_motion,
    "dWorldStep as it comes (ERP 0.2, CFM 1e-10), 16 points a pair; no ellipsoids",
};

const TactSimPeer tact_peer_ode_quick = {
    "ode-quick",
    dODE_VERSION,
    "dSpaceCollide and dWorldQuickStep, 20 iterations",
    create_quick,
    destroy,
    step,
    get_poses,
    count_contacts,
    nullptr,
    get_motion,
    "dWorldQuickStep, 100 iterations; no ellipsoids",
};
#endif
