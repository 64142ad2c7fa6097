// Where geoms of a world touch: planes, spheres, capsules and boxes in closed form. The points of
// src/collide, for one pair by one lane; names of points are small numbers here.
#ifndef TACT_GPU_STEP_TOUCH_H
#define TACT_GPU_STEP_TOUCH_H

#include "gpu/step/step_tree.h"

/// Points of two geoms; more than these: the world is left to the processor.
enum { TACT_STEP_MAX_TOUCHES = 8 };

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

TACT_HD void tact_step_plane_rod(const TactTransform *plane, const TactStepRod *rod, double skin,
                                 double margin, TactStepTouches *to)
{
    TactVec3 n = tact_step_quat_z(plane->rotation);
    double   along = tact_vec3_dot(rod->axis, n);
    int      steep = rod->half == 0 || fabs(along) > TACT_STEP_STEEP;
    // seen from below: the end that is lower, or both
    TACT_ROLLED
    for (int end = TACT_STEP_LOW; end <= TACT_STEP_HIGH; end++) {
        int lower = along > 0 || rod->half == 0 ? TACT_STEP_LOW : TACT_STEP_HIGH;
        if (steep && end != lower) {
            continue;
        }
        double   place = end == TACT_STEP_HIGH ? rod->half : -rod->half;
        TactVec3 corner = tact_vec3_add_scaled(tact_step_rod_at(rod, place), -rod->radius, n);
        tact_step_touch_plane(plane->position, n, corner, skin, margin, end, to);
    }
}

/// Corners of the face that looks down.
TACT_HD void tact_step_plane_box(const TactTransform *plane, const TactStepGeom *box,
                                 const TactTransform *pose, double skin, double margin,
                                 TactStepTouches *to)
{
    TactVec3      n = tact_step_quat_z(plane->rotation);
    TactVec3      d = tact_quat_rotate_back(pose->rotation, tact_vec3_negate(n));
    const double *s = box->size;
    double        along[3] = {d.x, d.y, d.z};
    int           k = fabs(d.x) >= fabs(d.y) ? 0 : 1;
    k = fabs(along[k]) >= fabs(d.z) ? k : 2;
    int u = (k + 1) % 3, v = (k + 2) % 3;
    for (int i = 0; i < 4; i++) {
        double x[3];
        x[k] = along[k] >= 0 ? s[k] : -s[k];
        x[u] = i & 1 ? s[u] : -s[u];
        x[v] = i & 2 ? s[v] : -s[v];
        int      feature = (x[0] > 0) + 2 * (x[1] > 0) + 4 * (x[2] > 0);
        TactVec3 corner = tact_transform_point(*pose, tact_step_read(x));
        tact_step_touch_plane(plane->position, n, corner, skin, margin, feature, to);
    }
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

/// A sphere and a box: the nearest point of the box, or the nearest face where its middle is
/// inside.
TACT_HD void tact_step_sphere_box(const TactStepRod *ball, const TactStepGeom *box,
                                  const TactTransform *pose, double skin, double margin,
                                  TactStepTouches *to)
{
    TactVec3 local = tact_transform_point_back(*pose, ball->middle);
    double   x[3] = {local.x, local.y, local.z}, near[3], most = -INFINITY;
    int      face = 0, inside = 1;
    for (int k = 0; k < 3; k++) {
        near[k] = tact_step_within(x[k], box->size[k]);
        inside = inside && near[k] == x[k];
        double out = fabs(x[k]) - box->size[k];
        face = out > most ? k : face;
        most = out > most ? out : most;
    }
    double   n[3] = {0, 0, 0}; // from the ball to the box
    TactVec3 normal, way = tact_vec3_subtract(tact_step_read(near), local);
    double   D = inside ? most : tact_vec3_norm(way);
    n[face] = x[face] >= 0 ? -1 : 1;
    normal = inside ? tact_step_read(n) : tact_vec3_scale(1 / D, way);
    near[face] = inside ? -n[face] * box->size[face] : near[face];
    double depth = ball->radius + skin - D;
    if (depth >= -margin) {
        TactVec3 out = tact_quat_rotate(pose->rotation, normal);
        TactVec3 on_a = tact_vec3_add_scaled(ball->middle, ball->radius, out);
        TactVec3 on_b = tact_transform_point(*pose, tact_step_read(near));
        tact_step_add_touch(to, tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b)), out, depth, 0);
    }
}

/// Points of two geoms, a of the type that comes first. 0: left to the processor.
TACT_HD int tact_step_collide_ordered(const TactStepGeom *a, const TactTransform *pose_a,
                                      const TactStepGeom *b, const TactTransform *pose_b,
                                      double skin, double margin, TactStepTouches *to)
{
    if (a->type == TACT_STEP_PLANE && b->type == TACT_STEP_BOX) {
        tact_step_plane_box(pose_a, b, pose_b, skin, margin, to);
        return 1;
    }
    TactStepRods rods;
    rods.skin = skin;
    rods.b = tact_step_rod(b, pose_b);
    if (a->type == TACT_STEP_PLANE) {
        tact_step_plane_rod(pose_a, &rods.b, skin, margin, to);
        return 1;
    }
    rods.a = tact_step_rod(a, pose_a);
    if (b->type == TACT_STEP_BOX) {
        tact_step_sphere_box(&rods.a, b, pose_b, skin, margin, to);
        return 1;
    }
    return tact_step_round_round(&rods, margin, to);
}

/// How near a pair is looked at.
TACT_HD double tact_step_margin(const TactStepPlaces *places, const TactStepPair *pair)
{
    return places->reach[pair->a] + places->reach[pair->b];
}

/// Points of a pair closer than margin, or overlapping; names are those of the world.
TACT_LANE_CALL int tact_step_collide(const TactStepModel *model, int number,
                                     const TactStepPlaces *places, TactStepTouches *to)
{
    const TactStepPair  *pair = &model->pairs[number];
    const TactStepGeom  *a = &model->geoms[pair->a], *b = &model->geoms[pair->b];
    const TactTransform *pose_a = &places->poses[pair->a], *pose_b = &places->poses[pair->b];
    double               margin = tact_step_margin(places, pair);
    int                  swapped = a->type > b->type;
    to->count = 0;
    int done =
        tact_step_collide_ordered(swapped ? b : a, swapped ? pose_b : pose_a, swapped ? a : b,
                                  swapped ? pose_a : pose_b, pair->skin, margin, to);
    TACT_ROLLED
    for (int k = 0; k < to->count && k < TACT_STEP_MAX_TOUCHES; k++) {
        TactStepHeld *touch = &to->items[k];
        touch->normal = swapped ? tact_vec3_negate(touch->normal) : touch->normal;
        touch->name = 16 * number + touch->name + 1;
    }
    return done && to->count <= TACT_STEP_MAX_TOUCHES;
}

/// Poses of geoms, and how far they may come in the step.
TACT_LANE void tact_step_place_geoms(const TactStepModel *model, TactStepRoom *room)
{
    double          g = model->h * tact_vec3_norm(model->gravity);
    TactStepPlaces *places = &room->places;
    TACT_ROLLED
    for (int k = tact_warp_lane(); k < model->geom_count; k += TACT_WARP) {
        const TactStepGeom *geom = &model->geoms[k];
        TactTransform       pose = tact_transform_multiply(room->pose[geom->link], geom->pose);
        TactVec3            middle = tact_transform_point(pose, geom->middle);
        places->poses[k] = pose;
        places->middle[k] = middle;
        places->reach[k] = 0;
        if (geom->link > 0) {
            TactTwist now = tact_twist_shift(room->velocity[geom->link],
                                             tact_vec3_subtract(middle, room->com[geom->link]));
            places->reach[k] = model->h * (tact_vec3_norm(now.linear) +
                                           geom->radius * tact_vec3_norm(now.angular) + g);
        }
    }
    tact_lane_meet();
}

/// May points of a pair be within margin? By balls around geoms.
TACT_HD int tact_step_is_near(const TactStepModel *model, const TactStepPair *pair,
                              const TactStepPlaces *places)
{
    const TactStepGeom  *a = &model->geoms[pair->a], *b = &model->geoms[pair->b];
    const TactTransform *poses = places->poses;
    TactVec3 apart = tact_vec3_subtract(places->middle[pair->b], places->middle[pair->a]);
    double   most = tact_step_margin(places, pair) + pair->skin;
    if (a->type == TACT_STEP_PLANE || b->type == TACT_STEP_PLANE) {
        int    first = a->type == TACT_STEP_PLANE;
        double high =
            tact_vec3_dot(tact_step_quat_z(poses[first ? pair->a : pair->b].rotation), apart);
        return (first ? high : -high) <= most + (first ? b : a)->radius;
    }
    most += a->radius + b->radius;
    return tact_vec3_dot(apart, apart) <= most * most;
}

#endif
