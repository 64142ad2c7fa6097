// Rods: a segment with a ball (sphere, capsule) or a disc (cylinder) moved along it.
#ifndef TACT_COLLIDE_ROD_H
#define TACT_COLLIDE_ROD_H

#include "collide/convex.h"

typedef struct TactRod {
    TactVec3 middle, axis;
    double   half, radius;
    bool     cut; // a cylinder: its ends are flat
} TactRod;

static inline bool tact_shape_is_rod(const TactShape *shape)
{
    return shape->type == TACT_SHAPE_SPHERE || shape->type == TACT_SHAPE_CAPSULE ||
           shape->type == TACT_SHAPE_CYLINDER;
}

static inline TactRod tact_rod_make(const TactShape *shape, const TactTransform *pose)
{
    TactQuat q = pose->rotation;
    TactVec3 z = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                  1 - 2 * (q.x * q.x + q.y * q.y)};
    return (TactRod){pose->position, z, shape->type == TACT_SHAPE_SPHERE ? 0 : shape->size[1],
                     shape->size[0], shape->type == TACT_SHAPE_CYLINDER};
}

static inline TactVec3 tact_rod_at(const TactRod *rod, double along)
{
    return tact_vec3_add_scaled(rod->middle, along, rod->axis);
}

/// Two rods as they are to each other: r from the middle of a to that of b.
typedef struct TactRods {
    TactRod a, b;
    double  uv, ur, vr; // products of the axes u of a, v of b, and r
    double  s, t;       // the nearest points of the two segments, along their axes
} TactRods;

static inline double tact_rod_clamp(const TactRod *rod, double along)
{
    along = along < rod->half ? along : rod->half;
    return along > -rod->half ? along : -rod->half;
}

/// The points p + s u and q + t v of two lines are nearest where
///
///     s = u'r + t u'v,    t = s u'v - v'r,    so    s = (u'r - u'v v'r) / (1 - (u'v)^2),
///
/// each kept within its segment [Ericson, Real-Time Collision Detection, 5.1.9].
static inline TactRods tact_rods_make(const TactRod *a, const TactRod *b)
{
    TactVec3 r = tact_vec3_subtract(b->middle, a->middle);
    TactRods rods = {.a = *a,
                     .b = *b,
                     .uv = tact_vec3_dot(a->axis, b->axis),
                     .ur = tact_vec3_dot(a->axis, r),
                     .vr = tact_vec3_dot(b->axis, r)};
    TactVec3 across = tact_vec3_cross(a->axis, b->axis);
    double   sine2 = tact_vec3_dot(across, across);
    rods.s = sine2 > 0 ? tact_rod_clamp(a, (rods.ur - rods.uv * rods.vr) / sine2) : 0;
    rods.t = tact_rod_clamp(b, rods.s * rods.uv - rods.vr);
    rods.s = tact_rod_clamp(a, rods.ur + rods.t * rods.uv);
    return rods;
}

/// What is known of two shapes that are near each other.
typedef struct TactClosest {
    TactVec3 normal; // from a to b
    double   depth;
    TactVec3 on_a, on_b;
} TactClosest;

/// Nearest points in closed form where the side of every cylinder has them, not its rim or cap.
/// False: another method has to be asked.
bool tact_rods_find_closest(const TactRods *rods, TactClosest *closest);

/// Is the contact with a normal one of sides, not of the cap of a cylinder?
bool tact_rods_lie_beside(const TactRods *rods, TactVec3 normal);

/// Adds the points of two rods side by side, neither of them a sphere: the ends of the line along
/// which they lie upon each other, as far as they are within margin, and the nearest points.
TactStatus tact_rods_add_line(const TactRods *rods, const TactClosest *closest, double margin,
                              TactTouchList *touches);

#endif
