// Cylinders with spheres, capsules and each other (collide/pair: rod.c, convex_pair.c), by one
// lane.
#ifndef TACT_GPU_TOUCH_CYLINDER_H
#define TACT_GPU_TOUCH_CYLINDER_H

#include "gpu/touch/touch_convex.h"

// As in collide/pair/rod.c: of the size, axes nearer than that cross.
#define TACT_STEP_AXES_CROSS 1e-6

/// A sphere and a cylinder. 0: the middle of the sphere is inside.
TACT_LANE int tact_step_sphere_cylinder(const TactStepSolid *a, const TactStepSolid *b,
                                        double margin, TactStepTouches *to)
{
    TactStepClosest closest;
    TactVec3        r = tact_vec3_subtract(a->pose.position, b->pose.position);
    TactVec3        x = tact_mat3_apply_transpose(b->R, r);
    double          across = sqrt(x.x * x.x + x.y * x.y), radius = b->geom->size[0];
    double          share = across > radius ? radius / across : 1;
    TactVec3        near = {share * x.x, share * x.y, tact_step_within(x.z, b->geom->size[1])};
    TactVec3        on = tact_step_solid_place(b, near);
    double          D = tact_vec3_norm(tact_vec3_subtract(on, a->pose.position));
    if (a->round - D < -margin) {
        return 1;
    }
    if (!(D > TACT_STEP_SAME_DEPTH * (a->size + b->size))) {
        return 0;
    }
    tact_step_set_closest(a, b, a->pose.position, on, &closest);
    return tact_step_touch_closest(a, b, &closest, margin, to);
}

/// A capsule or cylinder a and a cylinder b as rods.
typedef struct TactStepCutRods {
    TactStepRods rods;
    int          cut_a; // a is a cylinder
} TactStepCutRods;

/// Nearest points where the side of every cylinder has them, not its rim or cap (rod.c has why). 0:
/// another method has to be asked.
TACT_LANE int tact_step_sides_closest(const TactStepCutRods *of, TactStepClosest *closest)
{
    const TactStepRod *a = &of->rods.a, *b = &of->rods.b;
    double             room_a = a->half - fabs(of->rods.s), room_b = b->half - fabs(of->rods.t);
    TactVec3           from = tact_step_rod_at(a, of->rods.s), to = tact_step_rod_at(b, of->rods.t);
    TactVec3           apart = tact_vec3_subtract(to, from);
    double             D = tact_vec3_norm(apart), size = a->half + b->half + a->radius + b->radius;
    double             room = of->cut_a && room_a < room_b ? room_a : room_b;
    double             inside = (of->cut_a ? a->radius : 0) + b->radius - D;
    if (!(D > TACT_STEP_AXES_CROSS * size) || !(room > 0 && room >= inside)) {
        return 0;
    }
    closest->normal = tact_vec3_scale(1 / D, apart);
    closest->depth = a->radius + b->radius - D;
    closest->on_a = tact_vec3_add_scaled(from, a->radius, closest->normal);
    closest->on_b = tact_vec3_add_scaled(to, -b->radius, closest->normal);
    return 1;
}

/// One end of the line, if it is within reach.
TACT_LANE void tact_step_add_cut_end(const TactStepCutRods *of, int end, int at,
                                     const TactStepClosest *closest, double margin, double length,
                                     TactStepTouches *to)
{
    const TactStepRod *a = &of->rods.a, *b = &of->rods.b;
    double             s, t, most = a->radius + b->radius + margin;
    int                beside = tact_step_line_end(&of->rods, end, &s, &t);
    TactVec3           from = tact_step_rod_at(a, s), there = tact_step_rod_at(b, t);
    TactVec3           apart = tact_vec3_subtract(there, from);
    double             D = tact_vec3_norm(apart);
    if (!beside || D * D > (1 + TACT_STEP_SAME_DEPTH) * most * most ||
        !(tact_vec3_dot(apart, closest->normal) > TACT_STEP_SIDEWAYS * D)) {
        return;
    }
    TactVec3 n = tact_vec3_scale(1 / D, apart);
    TactVec3 on_a = tact_vec3_add_scaled(from, a->radius, tact_step_rod_side(a, of->cut_a, n));
    TactVec3 on_b = tact_vec3_add_scaled(there, -b->radius, tact_step_rod_side(b, 1, n));
    double   depth = tact_vec3_dot(n, tact_vec3_subtract(on_a, on_b));
    depth = depth < closest->depth ? depth : closest->depth;
    TactVec3 point = tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
    TactVec3 away = tact_vec3_subtract(point, tact_step_midway(closest));
    if (depth < -margin ||
        (at != TACT_STEP_BETWEEN && tact_vec3_norm(away) <= 10 * TACT_STEP_TOUCH_TOL * length)) {
        return;
    }
    tact_step_add_touch(to, point, n, depth, 1 + end);
}

/// The ends of the line along which two rods lie upon each other, and the nearest points.
TACT_LANE void tact_step_add_cut_line(const TactStepCutRods *of, const TactStepClosest *closest,
                                      double margin, TactStepTouches *to)
{
    double longer = tact_step_larger(of->rods.a.half, of->rods.b.half), deepest = -INFINITY;
    int    at = tact_step_end_of(&of->rods, 2 * TACT_STEP_TOUCH_TOL * longer);
    TACT_ROLLED
    for (int end = TACT_STEP_LOW; end <= TACT_STEP_HIGH; end++) {
        if (end == at) {
            tact_step_add_touch(to, tact_step_midway(closest), closest->normal, closest->depth,
                                1 + end);
        } else {
            tact_step_add_cut_end(of, end, at, closest, margin, 2 * longer, to);
        }
    }
    TACT_ROLLED
    for (int k = 0; k < to->count; k++) {
        deepest = tact_step_larger(deepest, to->items[k].depth);
    }
    if (at == TACT_STEP_BETWEEN &&
        !(deepest >= closest->depth - TACT_STEP_SAME_DEPTH * 2 * longer)) {
        tact_step_add_touch(to, tact_step_midway(closest), closest->normal, closest->depth, 3);
    }
}

/// Does a cylinder show its cap along a normal?
TACT_LANE int tact_step_shows_cap(const TactStepRod *rod, int cut, TactVec3 normal)
{
    return cut && fabs(tact_vec3_dot(rod->axis, normal)) > TACT_STEP_SHOWS_CAP;
}

/// A capsule or cylinder and a cylinder. 0: left to the processor.
TACT_LANE int tact_step_rod_cylinder(const TactStepSolid *a, const TactStepSolid *b, double margin,
                                     TactStepTouches *to)
{
    TactStepCutRods of;
    TactStepClosest closest;
    of.cut_a = a->type == TACT_STEP_CYLINDER;
    of.rods.a = tact_step_rod(a->geom, &a->pose);
    of.rods.b = tact_step_rod(b->geom, &b->pose);
    of.rods.a.half = a->geom->size[1];
    of.rods.b.half = b->geom->size[1];
    tact_step_nearest(&of.rods);
    if (!tact_step_sides_closest(&of, &closest)) {
        int found = tact_step_find_closest(a, b, margin, &closest);
        if (found != TACT_STEP_NEAR) {
            return found == TACT_STEP_FAR;
        }
    }
    if (closest.depth < -margin) {
        return 1;
    }
    TactStepRod *rod_a = &of.rods.a, *rod_b = &of.rods.b;
    if (tact_step_shows_cap(rod_a, of.cut_a, closest.normal) ||
        tact_step_shows_cap(rod_b, 1, closest.normal)) {
        return tact_step_touch_closest(a, b, &closest, margin, to);
    }
    // on the surface of a cylinder beside the axis, of a capsule along the normal from it
    TactVec3 on_a =
        tact_vec3_add_scaled(closest.on_a, of.cut_a ? 0 : -rod_a->radius, closest.normal);
    of.rods.s = tact_vec3_dot(rod_a->axis, tact_vec3_subtract(on_a, rod_a->middle));
    of.rods.t = tact_vec3_dot(rod_b->axis, tact_vec3_subtract(closest.on_b, rod_b->middle));
    tact_step_add_cut_line(&of, &closest, margin, to);
    return 1;
}

#endif
