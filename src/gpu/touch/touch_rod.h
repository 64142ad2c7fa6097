// Points of two geoms, and spheres and capsules with each other (collide/pair: round.c, rod.c).
#ifndef TACT_GPU_TOUCH_ROD_H
#define TACT_GPU_TOUCH_ROD_H

#include "gpu/step_model.h"

/// Points of two geoms; more than these: the world is left to the processor.
enum { TACT_STEP_MAX_TOUCHES = TACT_STEP_MORE ? 20 : 8 };

typedef struct TactStepTouches {
    int          count;
    TactStepHeld items[TACT_STEP_MAX_TOUCHES];
} TactStepTouches;

// As in collide/tolerance.h, collide/convex/face.c and collide/pair/rod.h.
#define TACT_STEP_SAME_DEPTH 1e-9
#define TACT_STEP_TOUCH_TOL 1e-9
#define TACT_STEP_STEEP 0.8
#define TACT_STEP_SIDEWAYS 0.5

enum { TACT_STEP_LOW, TACT_STEP_HIGH, TACT_STEP_BETWEEN }; // features of rods

TACT_HD void tact_step_add_touch(TactStepTouches *to, TactVec3 point, TactVec3 normal, double depth,
                                 int feature)
{
    if (to->count < TACT_STEP_MAX_TOUCHES) {
        TactStepHeld touch = {point, normal, depth, 0, feature, 0};
        to->items[to->count] = touch;
    }
    to->count++;
}

/// A point of a body at a plane.
TACT_HD void tact_step_touch_plane(TactVec3 origin, TactVec3 normal, TactVec3 corner, double skin,
                                   double margin, int feature, TactStepTouches *to)
{
    double depth = -tact_vec3_dot(normal, tact_vec3_subtract(corner, origin)) + skin;
    if (depth >= -margin) {
        TactVec3 point = tact_vec3_add_scaled(corner, 0.5 * (depth - skin), normal);
        tact_step_add_touch(to, point, normal, depth, feature);
    }
}

/// A segment with a ball moved along it.
typedef struct TactStepRod {
    TactVec3 middle, axis;
    double   half, radius;
} TactStepRod;

TACT_HD TactStepRod tact_step_rod(const TactStepGeom *geom, const TactTransform *pose)
{
    TactStepRod rod;
    rod.middle = pose->position;
    rod.axis = tact_step_quat_z(pose->rotation);
    rod.radius = geom->size[0];
    rod.half = geom->type == TACT_STEP_CAPSULE ? geom->size[1] : 0;
    return rod;
}

TACT_HD TactVec3 tact_step_rod_at(const TactStepRod *rod, double along)
{
    return tact_vec3_add_scaled(rod->middle, along, rod->axis);
}

/// Two rods as they are to each other (collide/pair/rod.h).
typedef struct TactStepRods {
    TactStepRod a, b;
    double      uv, ur, vr, rr;
    double      s, t; // nearest points
    TactVec3    normal;
    double      depth, skin;
} TactStepRods;

TACT_HD double tact_step_within(double along, double half)
{
    along = along < half ? along : half;
    return along > -half ? along : -half;
}

/// Nearest points of the axes; the square of the sine between them.
TACT_HD double tact_step_nearest(TactStepRods *rods)
{
    TactVec3 u = rods->a.axis, v = rods->b.axis, across = tact_vec3_cross(u, v);
    TactVec3 r = tact_vec3_subtract(rods->b.middle, rods->a.middle);
    double   sine2 = tact_vec3_dot(across, across);
    rods->uv = tact_vec3_dot(u, v);
    rods->ur = tact_vec3_dot(u, r);
    rods->vr = tact_vec3_dot(v, r);
    rods->rr = tact_vec3_dot(r, r);
    double s = sine2 > 0 ? (rods->ur - rods->uv * rods->vr) / sine2 : 0;
    s = tact_step_within(s, rods->a.half);
    rods->t = tact_step_within(s * rods->uv - rods->vr, rods->b.half);
    rods->s = tact_step_within(rods->ur + rods->t * rods->uv, rods->a.half);
    return sine2;
}

/// Where the line along which they lie beside each other ends (tact_rods_find_end()).
TACT_HD int tact_step_line_end(const TactStepRods *rods, int end, double *s, double *t)
{
    double sign = end == TACT_STEP_HIGH ? 1 : -1, turned = rods->uv >= 0 ? sign : -sign;
    double end_a = sign * rods->a.half, end_b = turned * rods->b.half;
    double foot_a = rods->ur + end_b * rods->uv, foot_b = end_a * rods->uv - rods->vr;
    double x = rods->a.half - fabs(foot_a), y = rods->b.half - fabs(foot_b);
    double share = x > 0 && y > 0 ? y / (x + y) : y > 0 ? 1 : 0;
    *s = x > 0 || y > 0 ? share * end_a + (1 - share) * foot_a : end_a;
    *t = x > 0 || y > 0 ? share * foot_b + (1 - share) * end_b : end_b;
    return x > 0 || y > 0 || (sign * foot_a > 0 && turned * foot_b > 0);
}

/// Midway between the surfaces along n at places of the axes.
TACT_HD TactVec3 tact_step_between(const TactStepRods *rods, double s, double t, TactVec3 n)
{
    TactVec3 on_a = tact_vec3_add_scaled(tact_step_rod_at(&rods->a, s), rods->a.radius, n);
    TactVec3 on_b = tact_vec3_add_scaled(tact_step_rod_at(&rods->b, t), -rods->b.radius, n);
    return tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
}

/// One end of the line, if it is within reach.
TACT_HD void tact_step_add_end(const TactStepRods *rods, int end, double margin, double same,
                               TactStepTouches *to)
{
    double   s, t;
    int      beside = tact_step_line_end(rods, end, &s, &t);
    TactVec3 apart =
        tact_vec3_subtract(tact_step_rod_at(&rods->b, t), tact_step_rod_at(&rods->a, s));
    double D = tact_vec3_norm(apart), depth = rods->a.radius + rods->b.radius + rods->skin - D;
    if (!beside || !(depth >= -margin) ||
        !(tact_vec3_dot(apart, rods->normal) > TACT_STEP_SIDEWAYS * D)) {
        return;
    }
    TactVec3 n = tact_vec3_scale(1 / D, apart), point = tact_step_between(rods, s, t, n);
    TactVec3 nearest = tact_step_between(rods, rods->s, rods->t, rods->normal);
    TactVec3 away = tact_vec3_subtract(point, nearest);
    if (same > 0 && tact_vec3_dot(away, away) <= same * same) {
        return; // a line without length
    }
    tact_step_add_touch(to, point, n, depth < rods->depth ? depth : rods->depth, end);
}

/// The end of the line at which the nearest points are.
TACT_HD int tact_step_end_of(const TactStepRods *rods, double tol)
{
    if (fabs(rods->s) >= rods->a.half - tol) {
        return rods->s > 0 ? TACT_STEP_HIGH : TACT_STEP_LOW;
    }
    if (fabs(rods->t) >= rods->b.half - tol) {
        return (rods->t > 0) == (rods->uv >= 0) ? TACT_STEP_HIGH : TACT_STEP_LOW;
    }
    return TACT_STEP_BETWEEN;
}

/// Spheres and capsules with each other (collide/pair/round.c, rod.c). 0: axes cross, which is left
/// to the processor.
TACT_HD int tact_step_round_round(TactStepRods *rods, double margin, TactStepTouches *to)
{
    tact_step_nearest(rods);
    TactVec3 apart = tact_vec3_subtract(tact_step_rod_at(&rods->b, rods->t),
                                        tact_step_rod_at(&rods->a, rods->s));
    double   round = rods->a.radius + rods->b.radius, D = tact_vec3_norm(apart);
    rods->depth = round + rods->skin - D;
    if (!(rods->depth >= -margin)) {
        return 1;
    }
    if (!(D > TACT_STEP_SAME_DEPTH * (round + rods->a.half + rods->b.half))) {
        return 0;
    }
    rods->normal = tact_vec3_scale(1 / D, apart);
    TactVec3 middle = tact_step_between(rods, rods->s, rods->t, rods->normal);
    if (rods->a.half == 0 || rods->b.half == 0) {
        tact_step_add_touch(to, middle, rods->normal, rods->depth, TACT_STEP_LOW);
        return 1;
    }
    double longer = rods->a.half > rods->b.half ? rods->a.half : rods->b.half, deepest = -INFINITY;
    int    at = tact_step_end_of(rods, 2 * TACT_STEP_TOUCH_TOL * longer);
    TACT_ROLLED
    for (int end = TACT_STEP_LOW; end <= TACT_STEP_HIGH; end++) {
        if (end == at) {
            tact_step_add_touch(to, middle, rods->normal, rods->depth, end);
        } else {
            double same = at != TACT_STEP_BETWEEN ? 20 * TACT_STEP_TOUCH_TOL * longer : 0;
            tact_step_add_end(rods, end, margin, same, to);
        }
    }
    TACT_ROLLED
    for (int k = 0; k < to->count && k < TACT_STEP_MAX_TOUCHES; k++) {
        deepest = to->items[k].depth > deepest ? to->items[k].depth : deepest;
    }
    if (at == TACT_STEP_BETWEEN && !(deepest >= rods->depth - 2 * TACT_STEP_SAME_DEPTH * longer)) {
        tact_step_add_touch(to, middle, rods->normal, rods->depth, TACT_STEP_BETWEEN);
    }
    return 1;
}

#endif
