// Distance and overlap of any two shapes.
#include <math.h>

#include "base/status.h"
#include "collide/mesh/mesh.h"
#include "collide/tolerance.h"

static TactStatus plane_distance(const TactShapePair *pair, TactDistance *out)
{
    if (pair->b->type == TACT_SHAPE_MESH) {
        tact_plane_mesh_distance(pair, out);
        return TACT_OK;
    }
    TactConvex b = tact_convex_make(pair->b, pair->pose_b);
    TactVec3   n = tact_quat_rotate(pair->pose_a->rotation, (TactVec3){0, 0, 1});
    TactVec3   down = tact_vec3_negate(n);
    out->normal = n;
    out->on_b = tact_vec3_add_scaled(tact_convex_support(&b, down), b.radius, down);
    out->distance = tact_vec3_dot(n, tact_vec3_subtract(out->on_b, pair->pose_a->position));
    out->on_a = tact_vec3_add_scaled(out->on_b, -out->distance, n);
    return TACT_OK;
}

/// By how much the nearest points miss being depth * normal apart.
static double miss_of(const TactDistance *d, TactVec3 normal, double depth)
{
    TactVec3 apart = tact_vec3_subtract(d->on_a, d->on_b);
    return tact_vec3_norm(tact_vec3_add_scaled(apart, -depth, normal));
}

/// The normal becomes that of a face where that proves more, or the same and is the direction from
/// point to point as well: beside an edge of the face it need not be.
static TactStatus convex_distance(const TactShapePair *pair, TactDistance *out)
{
    TactConvex a = tact_convex_make(pair->a, pair->pose_a);
    TactConvex b = tact_convex_make(pair->b, pair->pose_b);
    double     depth = 0;
    tact_pair_find_normal(&a, &b, INFINITY, &out->normal, &depth, &out->on_a, &out->on_b);
    TactVec3 flat = out->normal;
    double   along = depth, tol = TACT_NO_LENGTH * (a.size + b.size);
    tact_pair_snap(&a, &b, TACT_NO_LENGTH, &flat, &along);
    if (along < tact_pair_overlap(&a, &b, out->normal) - tol ||
        miss_of(out, flat, along) <= miss_of(out, out->normal, depth) + tol) {
        out->normal = flat;
        depth = along;
    }
    out->distance = -depth;
    return TACT_OK;
}

typedef TactStatus DistanceFunction(const TactShapePair *pair, TactDistance *out);

/// The function for (a, b), or NULL if it is to be asked for (b, a).
static DistanceFunction *find_function(TactShapeType a, TactShapeType b)
{
    if (a == TACT_SHAPE_PLANE) {
        return plane_distance;
    }
    if (a == TACT_SHAPE_MESH && b != TACT_SHAPE_PLANE) {
        return b == TACT_SHAPE_MESH ? tact_mesh_mesh_distance : tact_mesh_convex_distance;
    }
    return b == TACT_SHAPE_PLANE || b == TACT_SHAPE_MESH ? NULL : convex_distance;
}

/// Of surfaces without skins.
static TactStatus surface_distance(const TactShapePair *given, TactDistance *distance)
{
    DistanceFunction *function = find_function(given->a->type, given->b->type);
    if (function) {
        return function(given, distance);
    }
    TactShapePair pair = {given->b, given->a, given->pose_b, given->pose_a, 0};
    TACT_TRY(find_function(given->b->type, given->a->type)(&pair, distance));
    *distance = (TactDistance){distance->distance, distance->on_b, distance->on_a,
                               tact_vec3_negate(distance->normal)};
    return TACT_OK;
}

TactStatus tact_shape_compute_distance(const TactShape *a, const TactTransform *pose_a,
                                       const TactShape *b, const TactTransform *pose_b,
                                       TactDistance *distance)
{
    if (!a || !b || !pose_a || !pose_b || !distance) {
        return tact_fail(TACT_BAD_ARGUMENT, "distance: a shape, pose or the result is NULL");
    }
    if (a->type == TACT_SHAPE_PLANE && b->type == TACT_SHAPE_PLANE) {
        return tact_fail(TACT_UNSUPPORTED, "distance: two planes have none");
    }
    TactShapePair pair = {a, b, pose_a, pose_b, 0};
    TACT_TRY(surface_distance(&pair, distance));
    if (a->skin != 0 || b->skin != 0) {
        distance->distance -= a->skin + b->skin;
        distance->on_a = tact_vec3_add_scaled(distance->on_a, a->skin, distance->normal);
        distance->on_b = tact_vec3_add_scaled(distance->on_b, -b->skin, distance->normal);
    }
    return TACT_OK;
}

bool tact_shape_overlaps(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                         const TactTransform *pose_b)
{
    TactDistance distance;
    return tact_shape_compute_distance(a, pose_a, b, pose_b, &distance) == TACT_OK &&
           distance.distance < 0;
}
