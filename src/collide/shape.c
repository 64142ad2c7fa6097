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

void tact_shape_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                       TactVec3 *upper)
{
    if (shape->type == TACT_SHAPE_PLANE) {
        plane_bounds(pose, lower, upper);
    } else {
        convex_bounds(shape, pose, lower, upper);
    }
}
