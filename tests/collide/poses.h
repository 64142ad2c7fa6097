// Random shapes and poses, and supports written a second time, for the tests of collision.
#ifndef TACT_TESTS_COLLIDE_POSES_H
#define TACT_TESTS_COLLIDE_POSES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <tact/collide.h>

/// splitmix64
typedef struct Random {
    uint64_t state;
} Random;

static inline uint64_t random_bits(Random *random)
{
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline double random_in(Random *random, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(random) >> 11) * 0x1p-53);
}

static inline TactVec3 random_vec3(Random *random, double half)
{
    TactVec3 v;
    v.x = random_in(random, -half, half);
    v.y = random_in(random, -half, half);
    v.z = random_in(random, -half, half);
    return v;
}

static inline TactVec3 random_direction(Random *random)
{
    for (;;) {
        TactVec3 v = random_vec3(random, 1);
        double   n = tact_vec3_norm(v);
        if (n > 0.1 && n <= 1) {
            return tact_vec3_scale(1 / n, v);
        }
    }
}

static inline TactQuat random_rotation(Random *random)
{
    TactVec3 axis = random_direction(random); // first: the order of arguments is not C's
    return tact_quat_from_axis_angle(axis, random_in(random, -3.1, 3.1));
}

static inline TactTransform random_pose(Random *random, double half)
{
    TactTransform pose;
    pose.rotation = random_rotation(random);
    pose.position = random_vec3(random, half);
    return pose;
}

/// Poses a pair: 2,000, or 100,000 with TACT_LONG=1.
static inline int pose_count(void)
{
    const char *wanted = getenv("TACT_LONG");
    return wanted && wanted[0] == '1' ? 100000 : 2000;
}

/// A hull of points on an ellipsoid; NULL in a build without qhull.
static inline TactHull *random_hull(Random *random, int points)
{
    TactVec3       p[256];
    TactHull      *hull = NULL;
    TactHullConfig config = tact_hull_config_default();
    for (int i = 0; i < points; i++) {
        p[i] = random_direction(random);
        p[i] = (TactVec3){0.6 * p[i].x, 0.8 * p[i].y, 0.5 * p[i].z};
    }
    return tact_hull_create(p, points, &config, &hull) == TACT_OK ? hull : NULL;
}

static inline TactShape random_shape(Random *random, TactShapeType type, const TactHull *hull)
{
    TactShape shape = {.type = type, .hull = type == TACT_SHAPE_HULL ? hull : NULL};
    for (int i = 0; i < 3; i++) {
        shape.size[i] = random_in(random, 0.2, 1);
    }
    return shape;
}

static inline const char *shape_name(TactShapeType type)
{
    static const char *const names[TACT_SHAPE_TYPE_COUNT] = {
        [TACT_SHAPE_PLANE] = "plane",     [TACT_SHAPE_SPHERE] = "sphere",
        [TACT_SHAPE_CAPSULE] = "capsule", [TACT_SHAPE_CYLINDER] = "cylinder",
        [TACT_SHAPE_BOX] = "box",         [TACT_SHAPE_ELLIPSOID] = "ellipsoid",
        [TACT_SHAPE_HULL] = "hull",
    };
    return names[type];
}

/// How far a shape reaches along a unit direction of the world: max n'x.
static inline double reach_along(const TactShape *shape, const TactTransform *pose, TactVec3 n)
{
    TactVec3      d = tact_quat_rotate_back(pose->rotation, n);
    const double *s = shape->size;
    double        most = -INFINITY;
    switch (shape->type) {
    case TACT_SHAPE_SPHERE: most = s[0]; break;
    case TACT_SHAPE_CAPSULE: most = s[0] + s[1] * fabs(d.z); break;
    case TACT_SHAPE_CYLINDER: most = s[0] * sqrt(d.x * d.x + d.y * d.y) + s[1] * fabs(d.z); break;
    case TACT_SHAPE_BOX: most = s[0] * fabs(d.x) + s[1] * fabs(d.y) + s[2] * fabs(d.z); break;
    case TACT_SHAPE_ELLIPSOID:
        most = tact_vec3_norm((TactVec3){s[0] * d.x, s[1] * d.y, s[2] * d.z});
        break;
    case TACT_SHAPE_HULL:
        for (int i = 0; i < shape->hull->vertex_count; i++) {
            most = fmax(most, tact_vec3_dot(shape->hull->vertices[i], d));
        }
        break;
    default: break;
    }
    return most + tact_vec3_dot(n, pose->position);
}

/// Overlap along a direction from a to b: how far b must move along it to be free of a.
static inline double overlap_along(const TactShape *a, const TactTransform *pose_a,
                                   const TactShape *b, const TactTransform *pose_b, TactVec3 n)
{
    return reach_along(a, pose_a, n) + reach_along(b, pose_b, tact_vec3_negate(n));
}

/// How far outside of a shape a point is, <= 0 inside; a lower bound for ellipsoids.
static inline double outside_of(const TactShape *shape, const TactTransform *pose, TactVec3 x)
{
    TactVec3      p = tact_transform_point_back(*pose, x);
    const double *s = shape->size;
    double        most = -INFINITY;
    switch (shape->type) {
    case TACT_SHAPE_SPHERE: return tact_vec3_norm(p) - s[0];
    case TACT_SHAPE_CAPSULE: p.z -= fmax(-s[1], fmin(p.z, s[1])); return tact_vec3_norm(p) - s[0];
    case TACT_SHAPE_CYLINDER: return fmax(hypot(p.x, p.y) - s[0], fabs(p.z) - s[1]);
    case TACT_SHAPE_BOX: return fmax(fmax(fabs(p.x) - s[0], fabs(p.y) - s[1]), fabs(p.z) - s[2]);
    case TACT_SHAPE_ELLIPSOID:
        return (tact_vec3_norm((TactVec3){p.x / s[0], p.y / s[1], p.z / s[2]}) - 1) *
               fmin(s[0], fmin(s[1], s[2]));
    case TACT_SHAPE_HULL:
        for (int i = 0; i < shape->hull->face_count; i++) {
            const TactHullFace *face = &shape->hull->faces[i];
            most = fmax(most, tact_vec3_dot(face->normal, p) - face->offset);
        }
        return most;
    default: return p.z; // plane
    }
}

static inline void assert_within(double value, double expected, double tol, const char *what)
{
    if (!(fabs(value - expected) <= tol)) {
        fail_msg("%s: %.17g, expected %.17g within %g", what, value, expected, tol);
    }
}

static inline double deepest_of(const TactTouchList *list)
{
    double most = -INFINITY;
    for (int i = 0; i < list->count; i++) {
        most = fmax(most, list->touches[i].depth);
    }
    return most;
}

#endif
