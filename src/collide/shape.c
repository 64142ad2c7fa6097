// Shapes: what is wrong with one, and the box around it.
#include <math.h>

#include "base/clones.h"
#include "base/status.h"
#include "collide/convex/convex.h"
#include "collide/mesh/mesh.h"
#include "collide/world.h"
#include "math/hull_groups.h"
#include "math/wide_pose.h"

static const int sizes[TACT_SHAPE_TYPE_COUNT] = {
    [TACT_SHAPE_SPHERE] = 1, [TACT_SHAPE_CAPSULE] = 2,   [TACT_SHAPE_CYLINDER] = 2,
    [TACT_SHAPE_BOX] = 3,    [TACT_SHAPE_ELLIPSOID] = 3,
};

TactStatus tact_shape_check(const TactShape *shape)
{
    if (!shape || shape->type < 0 || shape->type >= TACT_SHAPE_TYPE_COUNT) {
        return tact_fail(TACT_BAD_ARGUMENT, "shape: it is NULL, or its type is unknown");
    }
    for (int i = 0; i < sizes[shape->type]; i++) {
        if (!(shape->size[i] > 0) || !isfinite(shape->size[i])) {
            return tact_fail(TACT_BAD_INPUT, "shape: size[%d] is %g", i, shape->size[i]);
        }
    }
    if (!isfinite(shape->skin)) {
        return tact_fail(TACT_BAD_INPUT, "shape: its skin is %g", shape->skin);
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

/// How far a shape that is symmetric about its middle reaches along the axes of the world: by the
/// columns of its rotation.
TACT_WIDE void half_of(TactShapeType type, const double s[3], const TactLanes c[3], TactLanes *half)
{
    TactLanes square;
    switch (type) {
    case TACT_SHAPE_SPHERE: *half = TACT_LANES_ALL(s[0]); break;
    case TACT_SHAPE_CAPSULE: *half = s[0] + s[1] * TACT_LANES_ABS(c[2]); break;
    case TACT_SHAPE_CYLINDER:
        square = c[0] * c[0] + c[1] * c[1];
        tact_wide_root(&square, half);
        *half = s[0] * *half + s[1] * TACT_LANES_ABS(c[2]);
        break;
    case TACT_SHAPE_BOX:
        *half =
            s[0] * TACT_LANES_ABS(c[0]) + s[1] * TACT_LANES_ABS(c[1]) + s[2] * TACT_LANES_ABS(c[2]);
        break;
    default: // ellipsoid
        square = (s[0] * c[0]) * (s[0] * c[0]) + (s[1] * c[1]) * (s[1] * c[1]) +
                 (s[2] * c[2]) * (s[2] * c[2]);
        tact_wide_root(&square, half);
    }
}

/// Bounds of a symmetric shape whose middle is there, wider by a rim.
TACT_CLONES static void symmetric_bounds(TactShapeType type, const double size[3],
                                         const TactQuat *rotation, TactVec3 middle, double rim,
                                         TactBounds *bounds)
{
    TactLanes q = TACT_LANES_AT(&rotation->w), place = TACT_WIDE_VEC3(middle), columns[3], half;
    tact_wide_columns(&q, columns);
    half_of(type, size, columns, &half);
    TactLanes lower = (place - half) - rim, upper = (place + half) + rim;
    bounds->lower = (TactVec3){lower[1], lower[2], lower[3]};
    bounds->upper = (TactVec3){upper[1], upper[2], upper[3]};
}

static void hull_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                        TactVec3 *upper)
{
    TactMat3 R = tact_quat_to_mat3(pose->rotation);
    double   low[3], high[3];
    for (int k = 0; k < 3; k++) {
        TactVec3 d = {R.m[k][0], R.m[k][1], R.m[k][2]};
        tact_hull_furthest(shape->hull, d, &high[k]);
        tact_hull_furthest(shape->hull, tact_vec3_negate(d), &low[k]);
    }
    *lower = tact_vec3_subtract(pose->position, (TactVec3){low[0], low[1], low[2]});
    *upper = tact_vec3_add(pose->position, (TactVec3){high[0], high[1], high[2]});
}

/// Around a box from low to high in the frame of the shape, and wider by a rim.
static void box_bounds(TactVec3 low, TactVec3 high, const TactTransform *pose, double rim,
                       TactBounds *bounds)
{
    double   half[3] = {0.5 * (high.x - low.x), 0.5 * (high.y - low.y), 0.5 * (high.z - low.z)};
    TactVec3 middle = tact_transform_point(*pose, tact_vec3_scale(0.5, tact_vec3_add(low, high)));
    symmetric_bounds(TACT_SHAPE_BOX, half, &pose->rotation, middle, rim, bounds);
}

void tact_shape_compute_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                               TactVec3 *upper)
{
    TactBounds bounds;
    if (shape->type == TACT_SHAPE_PLANE) {
        plane_bounds(pose, lower, upper);
    } else if (shape->type == TACT_SHAPE_HULL) {
        hull_bounds(shape, pose, lower, upper);
    } else {
        tact_shape_compute_rough_bounds(shape, pose, 0, &bounds);
        *lower = bounds.lower;
        *upper = bounds.upper;
    }
}

bool tact_shape_compute_rough_bounds(const TactShape *shape, const TactTransform *pose, double rim,
                                     TactBounds *bounds)
{
    const double rounding = 1e-12; // of the size and the place
    if (shape->type == TACT_SHAPE_PLANE) {
        plane_bounds(pose, &bounds->lower, &bounds->upper);
        *bounds = tact_bounds_widen(bounds, rim);
    } else if (shape->type == TACT_SHAPE_MESH) { // around the box of the whole tree
        const TactMeshNode *all = &shape->mesh->nodes[0];
        box_bounds(all->lower, all->upper, pose, rim, bounds);
    } else if (shape->type == TACT_SHAPE_HULL) {
        TactVec3 low = shape->hull->groups->lower, high = shape->hull->groups->upper;
        double   most = rounding *
                      (tact_vec3_norm(low) + tact_vec3_norm(high) + tact_vec3_norm(pose->position));
        box_bounds(low, high, pose, most, bounds);
        *bounds = tact_bounds_widen(bounds, rim);
    } else {
        symmetric_bounds(shape->type, shape->size, &pose->rotation, pose->position, rim, bounds);
    }
    return shape->type != TACT_SHAPE_HULL;
}
