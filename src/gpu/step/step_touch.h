// Where geoms of a world touch: planes, spheres, capsules and boxes in closed form. The points of
// src/collide, for one pair by one lane; names of points are small numbers here.
#ifndef TACT_GPU_STEP_TOUCH_H
#define TACT_GPU_STEP_TOUCH_H

#include "gpu/step/step_room.h"
#include "gpu/touch/touch.h"

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

/// An ellipsoid b with a plane, a rod or a box a: one point. 0: left to the processor.
TACT_HD int tact_step_touch_ellipsoid(const TactStepGeom *a, const TactTransform *pose_a,
                                      const TactStepGeom *b, const TactTransform *pose_b,
                                      double skin, double margin, TactStepTouches *to)
{
    TactVec3 c = tact_transform_point_back(*pose_b, pose_a->position);
    TactQuat turn = tact_quat_multiply(tact_quat_conjugate(pose_b->rotation), pose_a->rotation);
    TactMat3 R = tact_step_quat_to_mat3(turn);
    TactVec3 z = {R.m[0][2], R.m[1][2], R.m[2][2]};
    TactStepNearest near;
    double          radius = 0, along = 0;
    int             found = 1;
    if (a->type == TACT_STEP_PLANE) {
        double far;
        near.out = tact_vec3_negate(z);
        near.on = tact_step_furthest_of(b->size, near.out, &far);
        near.distance = tact_vec3_dot(z, tact_vec3_subtract(near.on, c));
    } else if (a->type == TACT_STEP_BOX) {
        found = tact_step_nearest_to_box(b->size, c, &R, a->size, &near);
    } else if (a->type == TACT_STEP_CAPSULE) {
        radius = a->size[0];
        found = tact_step_nearest_to_segment(b->size, c, z, a->size[1], &near, &along);
    } else {
        radius = a->size[0];
        found = tact_step_nearest_of(b->size, c, &near);
    }
    if (!found) {
        return 0;
    }
    double depth = radius - near.distance;
    if (depth + skin >= -margin) {
        TactVec3 point = tact_vec3_add_scaled(near.on, -0.5 * depth, near.out);
        TactVec3 normal = tact_quat_rotate(pose_b->rotation, tact_vec3_negate(near.out));
        tact_step_add_touch(to, tact_transform_point(*pose_b, point), normal, depth + skin, 0);
    }
    return 1;
}

/// Points of two geoms, a of the type that comes first. 0: left to the processor.
TACT_HD int tact_step_collide_ordered(const TactStepGeom *a, const TactTransform *pose_a,
                                      const TactStepGeom *b, const TactTransform *pose_b,
                                      double skin, double margin, TactStepTouches *to)
{
    if (b->type == TACT_STEP_ELLIPSOID) {
        return tact_step_touch_ellipsoid(a, pose_a, b, pose_b, skin, margin, to);
    }
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

/// Are the boxes around two geoms further apart than that, along one of the fifteen axes that can
/// part them (collide/pair/box.c)? a may be a plane.
TACT_HD int tact_step_parted(const TactStepGeom *a, const TactTransform *pose_a,
                             const TactStepGeom *b, const TactTransform *pose_b, double margin)
{
    TactVec3 r = tact_vec3_subtract(tact_transform_point(*pose_b, b->middle),
                                    tact_transform_point(*pose_a, a->middle));
    TactQuat back = tact_quat_conjugate(pose_a->rotation);
    TactMat3 R = tact_step_quat_to_mat3(tact_quat_multiply(back, pose_b->rotation));
    TactVec3 to = tact_quat_rotate_back(pose_a->rotation, r);
    double   d[3] = {to.x, to.y, to.z}, most = -INFINITY;
    if (a->type == TACT_STEP_PLANE) {
        double low = b->half[0] * fabs(R.m[2][0]) + b->half[1] * fabs(R.m[2][1]) +
                     b->half[2] * fabs(R.m[2][2]);
        return to.z - low > margin;
    }
    for (int k = 0; k < 3; k++) { // faces of a, and of b
        double of_a = a->half[k], of_b = b->half[k], e = 0;
        for (int j = 0; j < 3; j++) {
            of_a += b->half[j] * fabs(R.m[k][j]);
            of_b += a->half[j] * fabs(R.m[j][k]);
            e += d[j] * R.m[j][k];
        }
        most = tact_step_larger(most, tact_step_larger(fabs(d[k]) - of_a, fabs(e) - of_b));
    }
    for (int i = 0; i < 3; i++) { // edges
        int u = (i + 1) % 3, v = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int    x = (j + 1) % 3, y = (j + 2) % 3;
            double square = R.m[u][j] * R.m[u][j] + R.m[v][j] * R.m[v][j];
            double reach = a->half[u] * fabs(R.m[v][j]) + a->half[v] * fabs(R.m[u][j]) +
                           b->half[x] * fabs(R.m[i][y]) + b->half[y] * fabs(R.m[i][x]);
            double apart = fabs(d[v] * R.m[u][j] - d[u] * R.m[v][j]) - reach;
            most = square > 1e-6 ? tact_step_larger(most, apart / sqrt(square)) : most;
        }
    }
    return most > margin;
}

/// How near a pair is looked at.
TACT_HD double tact_step_margin(const TactStepPlaces *places, const TactStepPair *pair)
{
    return places->reach[pair->a] + places->reach[pair->b];
}

/// Points of a pair closer than margin, or overlapping; names are those of the world. Bits of why a
/// world is left.
TACT_LANE_CALL int tact_step_collide(const TactStepModel *model, int number,
                                     const TactStepPlaces *places, TactStepTouches *to)
{
    const TactStepPair  *pair = &model->pairs[number];
    const TactStepGeom  *a = &model->geoms[pair->a], *b = &model->geoms[pair->b];
    const TactTransform *pose_a = &places->poses[pair->a], *pose_b = &places->poses[pair->b];
    double               margin = tact_step_margin(places, pair);
    int                  swapped = a->type > b->type, done, why = TACT_STEP_LEFT_CROSSED;
    to->count = 0;
    if (pair->other) {
        int parted = tact_step_parted(swapped ? b : a, swapped ? pose_b : pose_a, swapped ? a : b,
                                      swapped ? pose_a : pose_b, margin + pair->skin);
        return parted ? 0 : TACT_STEP_LEFT_SHAPE;
    }
#if TACT_STEP_MORE
    if (tact_step_is_more(swapped ? b : a, swapped ? a : b)) {
        why = TACT_STEP_LEFT_SHAPE;
        done = tact_step_collide_more(model, swapped ? b : a, swapped ? pose_b : pose_a,
                                      swapped ? a : b, swapped ? pose_a : pose_b, pair->skin,
                                      margin, to);
    } else
#endif
    {
        done =
            tact_step_collide_ordered(swapped ? b : a, swapped ? pose_b : pose_a, swapped ? a : b,
                                      swapped ? pose_a : pose_b, pair->skin, margin, to);
    }
    TACT_ROLLED
    for (int k = 0; k < to->count && k < TACT_STEP_MAX_TOUCHES; k++) {
        TactStepHeld *touch = &to->items[k];
        touch->normal = swapped ? tact_vec3_negate(touch->normal) : touch->normal;
        touch->name = TACT_STEP_NAMES * number + touch->name + 1;
    }
    return done && to->count <= TACT_STEP_MAX_TOUCHES ? 0 : why;
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
