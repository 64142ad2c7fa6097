// Distance and overlap of two shapes.
#include <math.h>

#include "base/status.h"
#include "collide/gjk.h"
#include "collide/pair.h"

static void plane_distance(const TactTransform *plane, const TactConvex *b, TactDistance *out)
{
    TactVec3 n = tact_quat_rotate(plane->rotation, (TactVec3){0, 0, 1}), down = tact_vec3_negate(n);
    out->normal = n;
    out->on_b = tact_vec3_add_scaled(tact_convex_support(b, down), b->radius, down);
    out->distance = tact_vec3_dot(n, tact_vec3_subtract(out->on_b, plane->position));
    out->on_a = tact_vec3_add_scaled(out->on_b, -out->distance, n);
}

TactStatus tact_shape_distance(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                               const TactTransform *pose_b, TactDistance *distance)
{
    if (!a || !b || !pose_a || !pose_b || !distance) {
        return tact_fail(TACT_BAD_ARGUMENT, "distance: a shape, pose or the result is NULL");
    }
    if (a->type == TACT_SHAPE_PLANE && b->type == TACT_SHAPE_PLANE) {
        return tact_fail(TACT_UNSUPPORTED, "distance: two planes have none");
    }
    if (a->type == TACT_SHAPE_MESH || b->type == TACT_SHAPE_MESH) {
        return tact_fail(TACT_UNSUPPORTED, "distance: not of meshes yet");
    }
    TactConvex convex_a = tact_convex_make(a, pose_a), convex_b = tact_convex_make(b, pose_b);
    if (a->type == TACT_SHAPE_PLANE) {
        plane_distance(pose_a, &convex_b, distance);
        return TACT_OK;
    }
    if (b->type == TACT_SHAPE_PLANE) {
        plane_distance(pose_b, &convex_a, distance);
        TactVec3 on_a = distance->on_a;
        distance->on_a = distance->on_b;
        distance->on_b = on_a;
        distance->normal = tact_vec3_negate(distance->normal);
        return TACT_OK;
    }
    double depth = 0;
    tact_pair_find_normal(&convex_a, &convex_b, INFINITY, &distance->normal, &depth,
                          &distance->on_a, &distance->on_b);
    tact_pair_snap(&convex_a, &convex_b, 1e-12, &distance->normal, &depth);
    distance->distance = -depth;
    return TACT_OK;
}

bool tact_shape_overlap(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                        const TactTransform *pose_b)
{
    TactDistance distance;
    return tact_shape_distance(a, pose_a, b, pose_b, &distance) == TACT_OK && distance.distance < 0;
}
