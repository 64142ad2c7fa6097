// Bullet's GJK and EPA, in double precision: distance of cores, or penetration with the ball around
// them.
#include <memory>

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include "collide/peers.h"

static btTransform place(const TactTransform *pose)
{
    btQuaternion q(pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w);
    return btTransform(q.normalized(),
                       btVector3(pose->position.x, pose->position.y, pose->position.z));
}

static std::unique_ptr<btConvexShape> make_shape(const TactShape *s)
{
    const double *x = s->size;
    switch (s->type) {
    case TACT_SHAPE_SPHERE: return std::make_unique<btSphereShape>(x[0]);
    case TACT_SHAPE_CAPSULE: return std::make_unique<btCapsuleShapeZ>(x[0], 2 * x[1]);
    case TACT_SHAPE_CYLINDER: {
        auto shape = std::make_unique<btCylinderShapeZ>(btVector3(x[0], x[0], x[1]));
        shape->setMargin(0);
        return shape;
    }
    case TACT_SHAPE_BOX: {
        auto shape = std::make_unique<btBoxShape>(btVector3(x[0], x[1], x[2]));
        shape->setMargin(0);
        return shape;
    }
    case TACT_SHAPE_HULL: {
        auto shape = std::make_unique<btConvexHullShape>();
        for (int i = 0; i < s->hull->vertex_count; i++) {
            TactVec3 v = s->hull->vertices[i];
            shape->addPoint(btVector3(v.x, v.y, v.z), false);
        }
        shape->recalcLocalAabb();
        shape->setMargin(0);
        return shape;
    }
    default: return nullptr;
    }
}

static double radius_of(const TactShape *s)
{
    return s->type == TACT_SHAPE_SPHERE || s->type == TACT_SHAPE_CAPSULE ? s->size[0] : 0;
}

bool ask_bullet(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                const TactTransform *pose_b, PeerAnswer *answer)
{
    auto                      one = make_shape(a), two = make_shape(b);
    btGjkEpaSolver2::sResults results;
    if (!one || !two) {
        return false;
    }
    btTransform at_a = place(pose_a), at_b = place(pose_b);
    btVector3   guess = at_b.getOrigin() - at_a.getOrigin();
    bool        apart = btGjkEpaSolver2::Distance(one.get(), at_a, two.get(), at_b, guess, results);
    if (!apart && !btGjkEpaSolver2::Penetration(one.get(), at_a, two.get(), at_b, guess, results)) {
        return false;
    }
    // The normal of its EPA is in the frame of a: both are taken from the points.
    btVector3 n = results.witnesses[1] - results.witnesses[0];
    double    length = n.length();
    if (!(length > 1e-9)) {
        return false;
    }
    answer->distance = apart ? length - radius_of(a) - radius_of(b) : -length;
    answer->normal[0] = answer->normal[1] =
        TactVec3{n.x() / length, n.y() / length, n.z() / length};
    return true;
}
