// Rods: a segment with a ball (sphere, capsule) or a disc (cylinder) moved along it.
#ifndef TACT_COLLIDE_PAIR_ROD_H
#define TACT_COLLIDE_PAIR_ROD_H

#include "collide/manifold.h"
#include "collide/pair/pair.h"

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
    double  uv, ur, vr, rr; // products of the axes u of a, v of b, and r
    double  s, t;           // the nearest points of the two segments, along their axes
} TactRods;

/// The products, of known rods.
static inline void tact_rods_relate(TactRods *rods)
{
    TactVec3 u = rods->a.axis, v = rods->b.axis;
    TactVec3 r = tact_vec3_subtract(rods->b.middle, rods->a.middle);
    rods->uv = tact_vec3_dot(u, v);
    rods->ur = tact_vec3_dot(u, r);
    rods->vr = tact_vec3_dot(v, r);
    rods->rr = tact_vec3_dot(r, r);
}

/// All but s and t.
static inline void tact_rods_make(const TactShapePair *pair, TactRods *rods)
{
    rods->a = tact_rod_make(pair->a, pair->pose_a);
    rods->b = tact_rod_make(pair->b, pair->pose_b);
    tact_rods_relate(rods);
}

static inline double tact_rod_clamp(const TactRod *rod, double along)
{
    along = along < rod->half ? along : rod->half;
    return along > -rod->half ? along : -rod->half;
}

/// The points p + s u and q + t v of two lines are nearest where
///
///     s = u'r + t u'v,    t = s u'v - v'r,    so    s = (u'r - u'v v'r) / (1 - (u'v)^2),
///
/// each kept within its segment [Ericson, Real-Time Collision Detection, 5.1.9]. Returns the square
/// of the sine between the axes.
static inline double tact_rods_find_nearest(TactRods *rods)
{
    TactVec3 across = tact_vec3_cross(rods->a.axis, rods->b.axis);
    double   sine2 = tact_vec3_dot(across, across);
    double   s = sine2 > 0 ? (rods->ur - rods->uv * rods->vr) / sine2 : 0;
    rods->t = tact_rod_clamp(&rods->b, tact_rod_clamp(&rods->a, s) * rods->uv - rods->vr);
    rods->s = tact_rod_clamp(&rods->a, rods->ur + rods->t * rods->uv);
    return sine2;
}

/// What is known of two shapes that are near each other.
typedef struct TactClosest {
    TactVec3 normal; // from a to b
    double   depth;
    TactVec3 on_a, on_b;
} TactClosest;

/// Nearest points of two rods, one a cylinder at least, in closed form, where the side of every
/// cylinder has them, not its rim or cap. False: another method has to be asked.
bool tact_rods_find_closest(const TactRods *rods, TactClosest *closest);

/// Cosine to the normal of the nearest points: an end that turns off further is not part of a line.
/// Of rods that touch it is further away than their radii.
#define TACT_ROD_SIDEWAYS 0.5

/// Names of points: of the ends of the line, 0 the low one, as seen along the axis of a; and of
/// nearest points between them.
#define TACT_ROD_END(end) tact_touch_name(TACT_TOUCH_CORNER_A, 1 + (uint32_t)(end), 0)
#define TACT_ROD_BETWEEN tact_touch_name(TACT_TOUCH_CROSSING, 3, 3)

/// Is the contact with a normal one of sides, not of the cap of a cylinder?
bool tact_rods_lie_beside(const TactShapePair *pair, TactVec3 normal);

/// What of a rod is furthest from its axis along n, of length 1.
static inline TactVec3 tact_rod_side(const TactRod *rod, TactVec3 n)
{
    if (!rod->cut) {
        return n;
    }
    return tact_vec3_normalise(tact_vec3_add_scaled(n, -tact_vec3_dot(n, rod->axis), rod->axis));
}

/// Squared distance of the points of the axes at s and t.
static inline double tact_rods_square(const TactRods *rods, double s, double t)
{
    double along = s * rods->ur - t * rods->vr + s * t * rods->uv;
    return rods->rr + s * s + t * t - 2 * along;
}

/// Where the line ends, 0 the low end: places along both axes. False: they do not lie beside each
/// other.
bool tact_rods_find_end(const TactRods *rods, int end, double *s, double *t);

/// Makes s and t the places of nearest points that may have been found otherwise.
void tact_rods_set_closest(TactRods *rods, const TactClosest *closest);

/// Adds the points of two rods side by side, neither of them a sphere: the ends of the line along
/// which they lie upon each other, as far as they are within margin, and the nearest points, which
/// are those at s and t.
TactStatus tact_rods_add_line(const TactRods *rods, const TactClosest *closest, double margin,
                              TactTouchList *touches);

/// Adds the ends of the lines of a rod, pair->a, with the edges of a face of the polyhedron b along
/// which it lies: those within the margin that are not among the points from index first on
/// (rod_edge.c).
TactStatus tact_rods_add_edges(const TactShapePair *pair, const TactConvex *b, const TactFace *face,
                               const TactClosest *closest, int first, TactTouchList *touches);

#endif
