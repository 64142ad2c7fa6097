// Furthest points of convex shapes.
#include "collide/convex/convex.h"
#include "collide/mesh/mesh.h"

#include <math.h>

#include "collide/convex/hull.h"
#include "math/hull_groups.h"

static double largest_of(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static double box_size(const TactHullGroups *groups)
{
    return 0.5 * tact_vec3_norm(tact_vec3_subtract(groups->upper, groups->lower));
}

TactConvex tact_convex_make(const TactShape *shape, const TactTransform *pose)
{
    TactConvex convex = {.shape = shape,
                         .pose = *pose,
                         .R = tact_quat_to_mat3(pose->rotation),
                         .middle = pose->position};
    switch (shape->type) {
    case TACT_SHAPE_SPHERE:
    case TACT_SHAPE_CAPSULE: convex.radius = shape->size[0]; break;
    default: break;
    }
    convex.size = shape->type == TACT_SHAPE_HULL      ? box_size(shape->hull->groups)
                  : shape->type == TACT_SHAPE_MESH    ? shape->mesh->size
                  : shape->type == TACT_SHAPE_SPHERE  ? shape->size[0]
                  : shape->type == TACT_SHAPE_CAPSULE ? shape->size[0] + shape->size[1]
                                                      : largest_of(shape->size, 3);
    return convex;
}

TactConvex tact_convex_make_triangle(const TactConvex *mesh, int triangle)
{
    const TactMesh *m = mesh->shape->mesh->mesh;
    const int      *v = m->triangles[triangle].vertex;
    TactConvex      convex = *mesh;
    convex.triangle = triangle;
    convex.size = 0;
    for (int i = 0; i < 3; i++) {
        TactVec3 edge = tact_vec3_subtract(m->vertices[v[(i + 1) % 3]], m->vertices[v[i]]);
        convex.size = fmax(convex.size, tact_vec3_norm(edge));
    }
    // Its middle, not the origin of the mesh, is where searches start.
    TactVec3 sum = tact_vec3_add(m->vertices[v[0]], m->vertices[v[1]]);
    convex.middle =
        tact_convex_place(mesh, tact_vec3_scale(1.0 / 3, tact_vec3_add(sum, m->vertices[v[2]])));
    return convex;
}

static TactVec3 triangle_support(const TactConvex *convex, TactVec3 d)
{
    const TactMesh *mesh = convex->shape->mesh->mesh;
    const int      *v = mesh->triangles[convex->triangle].vertex;
    TactVec3        best = mesh->vertices[v[0]];
    double          most = tact_vec3_dot(best, d);
    for (int i = 1; i < 3; i++) {
        double along = tact_vec3_dot(mesh->vertices[v[i]], d);
        if (along > most) {
            most = along;
            best = mesh->vertices[v[i]];
        }
    }
    return best;
}

static TactVec3 ellipsoid_support(const double a[3], TactVec3 d)
{
    TactVec3 scaled = {a[0] * d.x, a[1] * d.y, a[2] * d.z};
    double   length = tact_vec3_norm(scaled);
    if (!(length > 0)) {
        return (TactVec3){a[0], 0, 0};
    }
    return (TactVec3){a[0] * scaled.x / length, a[1] * scaled.y / length, a[2] * scaled.z / length};
}

TactVec3 tact_convex_support(const TactConvex *convex, TactVec3 direction)
{
    const TactShape *shape = convex->shape;
    const double    *s = shape->size;
    TactVec3         d = tact_convex_turn_back(convex, direction), p = {0, 0, 0};
    switch (shape->type) {
    case TACT_SHAPE_CAPSULE: p.z = copysign(s[1], d.z); break;
    case TACT_SHAPE_CYLINDER: {
        double across = hypot(d.x, d.y);
        p.x = across > 0 ? s[0] * d.x / across : s[0];
        p.y = across > 0 ? s[0] * d.y / across : 0;
        p.z = copysign(s[1], d.z);
        break;
    }
    case TACT_SHAPE_BOX:
        p = (TactVec3){copysign(s[0], d.x), copysign(s[1], d.y), copysign(s[2], d.z)};
        break;
    case TACT_SHAPE_ELLIPSOID: p = ellipsoid_support(s, d); break;
    case TACT_SHAPE_HULL: {
        double along;
        p = shape->hull->vertices[tact_hull_furthest(shape->hull, d, &along)];
        break;
    }
    case TACT_SHAPE_MESH: p = triangle_support(convex, d); break;
    default: break; // a sphere: its centre
    }
    return tact_convex_place(convex, p);
}
