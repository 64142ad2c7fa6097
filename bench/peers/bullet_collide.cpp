// Bullet as an engine of collision: the algorithm of its dispatcher for two objects,
// btCollisionWorld with a dynamic bounds tree for many.
#ifdef TACT_HAVE_BULLET
#include "bench/peers/peer.hpp"

#include <memory>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

namespace
{

struct Engine {
    const TactCollideCase                          *bodies;
    btDefaultCollisionConfiguration                 configuration;
    btCollisionDispatcher                           dispatcher{&configuration};
    btDbvtBroadphase                                broadphase;
    btCollisionWorld                                world{&dispatcher, &broadphase, &configuration};
    std::unique_ptr<btTriangleMesh>                 mesh;
    std::unique_ptr<btCollisionShape>               shape;
    std::vector<std::unique_ptr<btCollisionObject>> objects;
    std::vector<btTransform>                        places; // (frames x bodies)
    btCollisionAlgorithm                           *algorithm = nullptr;

    ~Engine()
    {
        if (algorithm) {
            algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(algorithm);
        }
        for (auto &object : objects) {
            world.removeCollisionObject(object.get());
        }
    }
};

btVector3 vector_of(TactVec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

btCollisionShape *make_shape(Engine *engine)
{
    const TactShape *shape = &engine->bodies->shape;
    const TactMesh  *mesh = engine->bodies->mesh;
    const double    *s = shape->size;
    switch (shape->type) {
    case TACT_SHAPE_BOX: return new btBoxShape(btVector3(s[0], s[1], s[2]));
    case TACT_SHAPE_CAPSULE: return new btCapsuleShapeZ(s[0], 2 * s[1]);
    case TACT_SHAPE_HULL: {
        btConvexHullShape *hull = new btConvexHullShape();
        for (int i = 0; i < shape->hull->vertex_count; i++) {
            hull->addPoint(vector_of(shape->hull->vertices[i]), false);
        }
        hull->recalcLocalAabb();
        return hull;
    }
    case TACT_SHAPE_MESH: {
        engine->mesh.reset(new btTriangleMesh());
        for (int t = 0; t < mesh->triangle_count; t++) {
            const int *v = mesh->triangles[t].vertex;
            engine->mesh->addTriangle(vector_of(mesh->vertices[v[0]]),
                                      vector_of(mesh->vertices[v[1]]),
                                      vector_of(mesh->vertices[v[2]]));
        }
        btGImpactMeshShape *impact = new btGImpactMeshShape(engine->mesh.get());
        impact->setMargin(0);
        impact->updateBound();
        btGImpactCollisionAlgorithm::registerAlgorithm(&engine->dispatcher);
        return impact;
    }
    default: return nullptr;
    }
}

void destroy(void *self)
{
    delete static_cast<Engine *>(self);
}

void *create(const TactCollideCase *bodies)
{
    std::unique_ptr<Engine> engine(new Engine());
    engine->bodies = bodies;
    engine->shape.reset(make_shape(engine.get()));
    if (!engine->shape) {
        return nullptr;
    }
    for (int i = 0; i < bodies->frames * bodies->bodies; i++) {
        TactQuat q = bodies->poses[i].rotation;
        engine->places.push_back(
            btTransform(btQuaternion(q.x, q.y, q.z, q.w), vector_of(bodies->poses[i].position)));
    }
    for (int i = 0; i < bodies->bodies; i++) {
        engine->objects.emplace_back(new btCollisionObject());
        engine->objects.back()->setCollisionShape(engine->shape.get());
        engine->objects.back()->setWorldTransform(engine->places[static_cast<std::size_t>(i)]);
        engine->world.addCollisionObject(engine->objects.back().get());
    }
    if (bodies->bodies == 2) {
        btCollisionObjectWrapper a(nullptr, engine->shape.get(), engine->objects[0].get(),
                                   engine->objects[0]->getWorldTransform(), -1, -1);
        btCollisionObjectWrapper b(nullptr, engine->shape.get(), engine->objects[1].get(),
                                   engine->objects[1]->getWorldTransform(), -1, -1);
        engine->algorithm =
            engine->dispatcher.findAlgorithm(&a, &b, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    }
    return engine.release();
}

void collide(Engine *engine, TactCollideFound *found)
{
    btCollisionObject       *one = engine->objects[0].get(), *two = engine->objects[1].get();
    btCollisionObjectWrapper a(nullptr, engine->shape.get(), one, one->getWorldTransform(), -1, -1);
    btCollisionObjectWrapper b(nullptr, engine->shape.get(), two, two->getWorldTransform(), -1, -1);
    btManifoldResult         result(&a, &b);
    btManifoldArray          manifolds;
    engine->algorithm->processCollision(&a, &b, engine->world.getDispatchInfo(), &result);
    engine->algorithm->getAllContactManifolds(manifolds);
    int points = 0;
    for (int i = 0; i < manifolds.size(); i++) {
        points += manifolds[i]->getNumContacts();
        manifolds[i]->clearManifold(); // the next two have nothing to do with these
    }
    found->pairs++;
    found->touching += points > 0;
    found->contacts += points;
}

void run_world(Engine *engine, TactCollidePart part, TactCollideFound *found)
{
    if (part == TACT_COLLIDE_BROAD) {
        engine->world.updateAabbs();
        engine->world.computeOverlappingPairs();
        found->pairs += engine->world.getPairCache()->getNumOverlappingPairs();
        return;
    }
    engine->world.performDiscreteCollisionDetection();
    for (int i = 0; i < engine->dispatcher.getNumManifolds(); i++) {
        int points = engine->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
        found->touching += points > 0;
        found->contacts += points;
    }
}

double time_part(void *self, TactCollidePart part, TactCollideFound *found)
{
    Engine *engine = static_cast<Engine *>(self);
    if ((part == TACT_COLLIDE_PAIRS) != (engine->bodies->bodies == 2)) {
        return HUGE_VAL;
    }
    *found = TactCollideFound();
    const btTransform *place = engine->places.data();
    return tact::time_repeats(1, [=]() mutable {
        for (int f = 0; f < engine->bodies->frames; f++) {
            for (auto &object : engine->objects) {
                object->setWorldTransform(*place++);
            }
            if (part == TACT_COLLIDE_PAIRS) {
                collide(engine, found);
            } else {
                run_world(engine, part, found);
            }
        }
    });
}

const char *version()
{
    static char text[32];
    std::snprintf(text, sizeof text, "%d.%02d", btGetVersion() / 100, btGetVersion() % 100);
    return text;
}

} // namespace

const TactCollidePeer tact_peer_bullet_collide = {
    "bullet",
    version(),
    "setWorldTransform with the dispatcher's algorithm for the pair (GImpact for meshes), into an "
    "empty manifold; btCollisionWorld with btDbvtBroadphase: updateAabbs and "
    "computeOverlappingPairs, or performDiscreteCollisionDetection; margins as they come",
    create,
    destroy,
    time_part,
};
#endif
