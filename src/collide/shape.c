// Shapes: what is wrong with one, and the box around it.
#include <math.h>

#include "base/status.h"
#include "collide/convex.h"
#include "collide/mesh_tree.h"

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
    if ((shape->type == TACT_SHAPE_HULL && !shape->hull) ||
        (shape->type == TACT_SHAPE_MESH && !shape->mesh) ||
        (shape->type == TACT_SHAPE_HEIGHTFIELD && !shape->field)) {
        return tact_fail(TACT_BAD_ARGUMENT, "shape: its hull, mesh or height field is NULL");
    }
    return TACT_OK;
}

static TactVec3 least(TactVec3 a, TactVec3 b)
{
    return (TactVec3){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}

static TactVec3 most(TactVec3 a, TactVec3 b)
{
    return (TactVec3){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
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

/// The box around a box given by its corners in the shape's frame.
static void turned_bounds(TactVec3 a, TactVec3 b, const TactTransform *pose, TactVec3 *lower,
                          TactVec3 *upper)
{
    TactVec3 middle = tact_vec3_scale(0.5, tact_vec3_add(a, b));
    TactVec3 half = tact_vec3_scale(0.5, tact_vec3_subtract(b, a));
    TactMat3 R = tact_quat_to_mat3(pose->rotation);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            R.m[i][j] = fabs(R.m[i][j]);
        }
    }
    TactVec3 reach = tact_mat3_apply(R, half), centre = tact_transform_point(*pose, middle);
    *lower = tact_vec3_subtract(centre, reach);
    *upper = tact_vec3_add(centre, reach);
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
    switch (shape->type) {
    case TACT_SHAPE_PLANE: plane_bounds(pose, lower, upper); break;
    case TACT_SHAPE_MESH: {
        TactVec3 a, b;
        tact_mesh_tree_bounds(shape->mesh, &a, &b);
        turned_bounds(a, b, pose, lower, upper);
        break;
    }
    case TACT_SHAPE_HEIGHTFIELD: {
        const TactHeightGrid *field = shape->field;
        TactVec3              a = {-field->half[0], -field->half[1], -field->base};
        TactVec3              b = {field->half[0], field->half[1], field->top};
        turned_bounds(least(a, b), most(a, b), pose, lower, upper);
        break;
    }
    default: convex_bounds(shape, pose, lower, upper); break;
    }
}
