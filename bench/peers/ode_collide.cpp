// ODE as an engine of collision: dCollide() of two geoms, dSpaceCollide() of many.
#ifdef TACT_HAVE_ODE
#include "bench/peers/peer.hpp"

#include <ode/ode.h>

namespace
{

enum { MOST_BOX = 8, MOST_MESH = 1000 };

/// A place as a geom takes it.
struct Place {
    dVector3 position;
    dMatrix3 rotation;
};

struct Engine {
    const TactCollideCase    *bodies;
    std::vector<Place>        places; // (frames x bodies)
    std::vector<dGeomID>      geoms;
    dSpaceID                  space;
    std::vector<dContactGeom> contacts;
    // of a convex shape or a mesh: ODE copies none of it
    std::vector<double>   planes, points;
    std::vector<unsigned> polygons, indices;
    dTriMeshDataID        mesh;
    TactCollideFound     *found;
    bool                  narrow;
};

unsigned as_unsigned(int i)
{
    return static_cast<unsigned>(i);
}

void copy_points(Engine *engine, const TactVec3 *points, int count)
{
    for (int i = 0; i < count; i++) {
        engine->points.insert(engine->points.end(), {points[i].x, points[i].y, points[i].z});
    }
}

void prepare_hull(Engine *engine, const TactHull *hull)
{
    copy_points(engine, hull->vertices, hull->vertex_count);
    for (int f = 0; f < hull->face_count; f++) {
        const TactHullFace *face = &hull->faces[f];
        engine->planes.insert(engine->planes.end(),
                              {face->normal.x, face->normal.y, face->normal.z, face->offset});
        engine->polygons.push_back(as_unsigned(face->count));
        for (int e = face->first; e < face->first + face->count; e++) {
            engine->polygons.push_back(as_unsigned(hull->edges[e].origin));
        }
    }
}

void prepare_mesh(Engine *engine, const TactMesh *mesh)
{
    copy_points(engine, mesh->vertices, mesh->vertex_count);
    for (int t = 0; t < mesh->triangle_count; t++) {
        for (int v : mesh->triangles[t].vertex) {
            engine->indices.push_back(as_unsigned(v));
        }
    }
    engine->mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(engine->mesh, engine->points.data(), 3 * sizeof(double),
                                mesh->vertex_count, engine->indices.data(),
                                static_cast<int>(engine->indices.size()), 3 * sizeof(unsigned));
}

dGeomID make_geom(Engine *engine, const TactShape *shape)
{
    const double *s = shape->size;
    switch (shape->type) {
    case TACT_SHAPE_BOX: return dCreateBox(engine->space, 2 * s[0], 2 * s[1], 2 * s[2]);
    case TACT_SHAPE_CAPSULE: return dCreateCapsule(engine->space, s[0], 2 * s[1]);
    case TACT_SHAPE_HULL:
        return dCreateConvex(engine->space, engine->planes.data(),
                             as_unsigned(shape->hull->face_count), engine->points.data(),
                             as_unsigned(shape->hull->vertex_count), engine->polygons.data());
    case TACT_SHAPE_MESH:
        return dCreateTriMesh(engine->space, engine->mesh, nullptr, nullptr, nullptr);
    default: return nullptr;
    }
}

/// It complains of every mesh with many contacts.
void say_nothing(int, const char *, va_list)
{
}

void destroy(void *self)
{
    Engine *engine = static_cast<Engine *>(self);
    for (dGeomID geom : engine->geoms) {
        dGeomDestroy(geom);
    }
    if (engine->space) {
        dSpaceDestroy(engine->space);
    }
    if (engine->mesh) {
        dGeomTriMeshDataDestroy(engine->mesh);
    }
    delete engine;
    dCloseODE();
}

void *create(const TactCollideCase *bodies)
{
    dInitODE2(0);
    dSetMessageHandler(say_nothing);
    Engine *engine = new Engine();
    engine->bodies = bodies;
    engine->space =
        bodies->bodies > 2 ? dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ) : nullptr;
    if (engine->space) {
        dSpaceSetCleanup(engine->space, 0);
    }
    engine->contacts.resize(bodies->mesh ? MOST_MESH : MOST_BOX);
    if (bodies->shape.hull) {
        prepare_hull(engine, bodies->shape.hull);
    }
    if (bodies->mesh) {
        prepare_mesh(engine, bodies->mesh);
    }
    for (int i = 0; i < bodies->bodies; i++) {
        dGeomID geom = make_geom(engine, &bodies->shape);
        if (!geom) {
            destroy(engine);
            return nullptr;
        }
        engine->geoms.push_back(geom);
    }
    engine->places.resize(static_cast<std::size_t>(bodies->frames) * engine->geoms.size());
    for (std::size_t k = 0; k < engine->places.size(); k++) {
        const TactTransform *pose = &bodies->poses[k];
        const dQuaternion    q = {pose->rotation.w, pose->rotation.x, pose->rotation.y,
                                  pose->rotation.z};
        dQtoR(q, engine->places[k].rotation);
        engine->places[k].position[0] = pose->position.x;
        engine->places[k].position[1] = pose->position.y;
        engine->places[k].position[2] = pose->position.z;
    }
    return engine;
}

void collide(Engine *engine, dGeomID a, dGeomID b)
{
    int most = static_cast<int>(engine->contacts.size());
    int count = dCollide(a, b, most, engine->contacts.data(), sizeof(dContactGeom));
    engine->found->touching += count > 0;
    engine->found->contacts += count;
}

void meet(void *self, dGeomID a, dGeomID b)
{
    Engine *engine = static_cast<Engine *>(self);
    engine->found->pairs++;
    if (engine->narrow) {
        collide(engine, a, b);
    }
}

double time_part(void *self, TactCollidePart part, TactCollideFound *found)
{
    Engine *engine = static_cast<Engine *>(self);
    if ((part == TACT_COLLIDE_PAIRS) != (engine->bodies->bodies == 2)) {
        return HUGE_VAL;
    }
    *found = TactCollideFound();
    engine->found = found;
    engine->narrow = part == TACT_COLLIDE_WORLD;
    const Place *place = engine->places.data();
    return tact::time_repeats(1, [=]() mutable {
        for (int f = 0; f < engine->bodies->frames; f++) {
            for (dGeomID geom : engine->geoms) {
                dGeomSetPosition(geom, place->position[0], place->position[1], place->position[2]);
                dGeomSetRotation(geom, place->rotation);
                place++;
            }
            if (part == TACT_COLLIDE_PAIRS) {
                found->pairs++;
                collide(engine, engine->geoms[0], engine->geoms[1]);
            } else {
                dSpaceCollide(engine->space, engine, meet);
            }
        }
    });
}

} // namespace

const TactCollidePeer tact_peer_ode_collide = {
    "ode",
    dODE_VERSION,
    "dGeomSetPosition and dGeomSetRotation with dCollide; in a sweep-and-prune space dSpaceCollide "
    "with a callback that counts, or calls dCollide",
    create,
    destroy,
    time_part,
};
#endif
