// Shapes: what is wrong with one, and the box around it.
#include <math.h>

#include "base/status.h"
#include "collide/convex.h"

static const int sizes[TACT_SHAPE_TYPE_COUNT] = {
    [TACT_SHAPE_SPHERE] = 1, [TACT_SHAPE_CAPSULE] = 2,   [TACT_SHAPE_CYLINDER] = 2,
    [TACT_SHAPE_BOX] = 3,    [TACT_SHAPE_ELLIPSOID] = 3,
};

TactStatus tact_shape_check(const TactShape *shape)
{
    if (!shape || shape->type < 0 || shape->type >= TACT_SHAPE_TYPE_COUNT) {
        return tact_fail(TACT_BAD_ARGUMENT, "shape: there is none, or its type is unknown");
    }
    for (int i = 0; i < sizes[shape->type]; i++) {
        if (!(shape->size[i] > 0) || !isfinite(shape->size[i])) {
            return tact_fail(TACT_BAD_INPUT, "shape: size[%d] is %g", i, shape->size[i]);
        }
    }
    if (shape->type == TACT_SHAPE_HULL && !shape->hull) {
        return tact_fail(TACT_BAD_ARGUMENT, "shape: its hull is NULL");
    }
    if (shape->type == TACT_SHAPE_MESH && !shape->mesh) {
        return tact_fail(TACT_BAD_ARGUMENT, "shape: its mesh is NULL");
    }
    return TACT_OK;
}

/// A plane's half space: bounded only where its normal is an axis.
static void plane_bounds(const TactTransform *pose, TactVec3 *lower, TactVec3 *upper)
{
    TactVec3 n = tact_quat_rotate(pose->rotation, (TactVec3){0, 0, 1}), p = pose->position;
    *lower = (TactVec3){-INFINITY, -INFINITY, -INFINITY};
    *upper = (TactVec3){INFINITY, INFINITY, INFINITY};
    upper->x = n.x == 1 ? p.x : upper->x;
    upper->y = n.y == 1 ? p.y : upper->y;
    upper->z = n.z == 1 ? p.z : upper->z;
    lower->x = n.x == -1 ? p.x : lower->x;
    lower->y = n.y == -1 ? p.y : lower->y;
    lower->z = n.z == -1 ? p.z : lower->z;
}

static void convex_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                          TactVec3 *upper)
{
    static const TactVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    TactConvex            convex = tact_convex_make(shape, pose);
    double                low[3], high[3];
    for (int k = 0; k < 3; k++) {
        TactVec3 top = tact_convex_support(&convex, axes[k]);
        TactVec3 bottom = tact_convex_support(&convex, tact_vec3_negate(axes[k]));
        high[k] = tact_vec3_dot(top, axes[k]) + convex.radius;
        low[k] = tact_vec3_dot(bottom, axes[k]) - convex.radius;
    }
    *lower = (TactVec3){low[0], low[1], low[2]};
    *upper = (TactVec3){high[0], high[1], high[2]};
}

/// Around the box of the whole tree.
static void mesh_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                        TactVec3 *upper)
{
    TactVec3  low = shape->mesh->nodes[0].lower, high = shape->mesh->nodes[0].upper;
    TactShape box = {
        .type = TACT_SHAPE_BOX,
        .size = {0.5 * (high.x - low.x), 0.5 * (high.y - low.y), 0.5 * (high.z - low.z)}};
    TactTransform at = *pose;
    at.position = tact_transform_point(*pose, tact_vec3_scale(0.5, tact_vec3_add(low, high)));
    convex_bounds(&box, &at, lower, upper);
}

void tact_shape_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                       TactVec3 *upper)
{
    if (shape->type == TACT_SHAPE_PLANE) {
        plane_bounds(pose, lower, upper);
    } else if (shape->type == TACT_SHAPE_MESH) {
        mesh_bounds(shape, pose, lower, upper);
    } else {
        convex_bounds(shape, pose, lower, upper);
    }
}
