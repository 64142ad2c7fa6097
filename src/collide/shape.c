// Shapes: what is wrong with one, and the box around it.
#include <math.h>

#include "base/status.h"
#include "collide/convex/convex.h"
#include "collide/mesh/mesh.h"
#include "collide/world.h"
#include "math/hull_groups.h"

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
    if (!(shape->skin >= 0) || !isfinite(shape->skin)) {
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

static double root(double square)
{
    return square > 0 ? sqrt(square) : 0;
}

/// How far a shape that is symmetric about its middle reaches along axis k of the world, whose row
/// of the rotation is r.
static double half_of(const TactShape *shape, const double r[3])
{
    const double *s = shape->size;
    switch (shape->type) {
    case TACT_SHAPE_SPHERE: return s[0];
    case TACT_SHAPE_CAPSULE: return s[0] + s[1] * fabs(r[2]);
    case TACT_SHAPE_CYLINDER: return s[0] * root(r[0] * r[0] + r[1] * r[1]) + s[1] * fabs(r[2]);
    case TACT_SHAPE_BOX: return s[0] * fabs(r[0]) + s[1] * fabs(r[1]) + s[2] * fabs(r[2]);
    default: { // ellipsoid
        double x = s[0] * r[0], y = s[1] * r[1], z = s[2] * r[2];
        return root(x * x + y * y + z * z);
    }
    }
}

static void symmetric_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                             TactVec3 *upper)
{
    TactMat3 R = tact_quat_to_mat3(pose->rotation);
    TactVec3 half = {half_of(shape, R.m[0]), half_of(shape, R.m[1]), half_of(shape, R.m[2])};
    *lower = tact_vec3_subtract(pose->position, half);
    *upper = tact_vec3_add(pose->position, half);
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

/// Around a box from low to high in the frame of the shape.
static void box_bounds(TactVec3 low, TactVec3 high, const TactTransform *pose, TactVec3 *lower,
                       TactVec3 *upper)
{
    TactShape box = {
        .type = TACT_SHAPE_BOX,
        .size = {0.5 * (high.x - low.x), 0.5 * (high.y - low.y), 0.5 * (high.z - low.z)}};
    TactTransform at = *pose;
    at.position = tact_transform_point(*pose, tact_vec3_scale(0.5, tact_vec3_add(low, high)));
    symmetric_bounds(&box, &at, lower, upper);
}

/// Around the box of the whole tree.
static void mesh_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                        TactVec3 *upper)
{
    const TactMeshNode *root_node = &shape->mesh->nodes[0];
    box_bounds(root_node->lower, root_node->upper, pose, lower, upper);
}

void tact_shape_compute_bounds(const TactShape *shape, const TactTransform *pose, TactVec3 *lower,
                               TactVec3 *upper)
{
    if (shape->type == TACT_SHAPE_PLANE) {
        plane_bounds(pose, lower, upper);
    } else if (shape->type == TACT_SHAPE_MESH) {
        mesh_bounds(shape, pose, lower, upper);
    } else if (shape->type == TACT_SHAPE_HULL) {
        hull_bounds(shape, pose, lower, upper);
    } else {
        symmetric_bounds(shape, pose, lower, upper);
    }
}

bool tact_shape_compute_rough_bounds(const TactShape *shape, const TactTransform *pose,
                                     TactVec3 *lower, TactVec3 *upper)
{
    const double rounding = 1e-12; // of the size and the place
    if (shape->type != TACT_SHAPE_HULL) {
        tact_shape_compute_bounds(shape, pose, lower, upper);
        return true;
    }
    TactVec3 low = shape->hull->groups->lower, high = shape->hull->groups->upper;
    box_bounds(low, high, pose, lower, upper);
    double most =
        rounding * (tact_vec3_norm(low) + tact_vec3_norm(high) + tact_vec3_norm(pose->position));
    TactVec3 rim = {most, most, most};
    *lower = tact_vec3_subtract(*lower, rim);
    *upper = tact_vec3_add(*upper, rim);
    return false;
}
