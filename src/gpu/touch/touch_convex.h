// Two convex solids (collide/pair: convex_pair.c, rod_edge.c): their nearest points, then the faces
// that meet there, and the ends of a capsule beside edges. By one lane.
#ifndef TACT_GPU_TOUCH_CONVEX_H
#define TACT_GPU_TOUCH_CONVEX_H

#include "gpu/touch/touch_epa.h"
#include "gpu/touch/touch_manifold.h"

// As in collide/pair: convex_pair.c, rod_edge.c.
#define TACT_STEP_ALIGNED (1 - 1e-6)
#define TACT_STEP_SNAP 1e-7
#define TACT_STEP_TINY 1e-6
#define TACT_STEP_SAME_PLACE 1e-3
#define TACT_STEP_ON_FACE (1 - 1e-9)

// ---------------------------------------------------------------------------------------------
// Faces

/// Overlap along a direction from a to b.
TACT_LANE double tact_step_overlap(const TactStepSolid *a, const TactStepSolid *b, TactVec3 n)
{
    TactVec3 end = tact_step_furthest(a, n), begin = tact_step_furthest(b, tact_vec3_negate(n));
    return tact_vec3_dot(n, tact_vec3_subtract(end, begin)) + a->round + b->round;
}

/// Both faces along the normal, which becomes that of a face where it all but is. 0: one has too
/// many corners.
TACT_LANE int tact_step_meet_faces(const TactStepSolid *a, const TactStepSolid *b,
                                   TactStepClosest *closest, TactStepFace *face_a,
                                   TactStepFace *face_b)
{
    int snapped = 0, fits = 1;
    TACT_ROLLED
    for (int k = 0; k < 4 && fits; k++) { // as the normal is, and once more with that of a face
        const TactStepSolid *of = k % 2 ? b : a;
        TactStepFace        *face = k % 2 ? face_b : face_a;
        TactVec3             out = k % 2 ? tact_vec3_negate(closest->normal) : closest->normal;
        if (k >= 2 && !snapped) {
            break;
        }
        fits = tact_step_face(of, out, face);
        if (k >= 2 || snapped || !fits || !tact_step_is_flat_sided(of->geom) || face->count < 3 ||
            tact_vec3_dot(face->normal, out) < TACT_STEP_ALIGNED) {
            continue;
        }
        TactVec3 flat = k % 2 ? tact_vec3_negate(face->normal) : face->normal;
        double   along = tact_step_overlap(a, b, flat);
        if (along <= closest->depth + TACT_STEP_SNAP * (a->size + b->size)) {
            closest->normal = flat;
            closest->depth = along;
            snapped = 1;
            k = 1;
        }
    }
    return fits;
}

// ---------------------------------------------------------------------------------------------
// A capsule beside an edge

/// The point of a box that is nearest to one outside; 0: it is inside.
TACT_LANE int tact_step_nearest_of_box(const TactStepSolid *box, TactVec3 from, TactVec3 *on)
{
    const double *s = box->geom->size;
    TactVec3 x = tact_mat3_apply_transpose(box->R, tact_vec3_subtract(from, box->pose.position));
    TactVec3 near = {tact_step_within(x.x, s[0]), tact_step_within(x.y, s[1]),
                     tact_step_within(x.z, s[2])};
    *on = tact_step_solid_place(box, near);
    return near.x != x.x || near.y != x.y || near.z != x.z;
}

/// The point of a box or hull that is nearest to one outside; 0: it is inside, or further than
/// that.
TACT_LANE int tact_step_nearest_of_solid(const TactStepSolid *b, TactVec3 from, double enough,
                                         TactVec3 *on)
{
    if (b->geom->type == TACT_STEP_BOX) {
        return tact_step_nearest_of_box(b, from, on);
    }
    TactStepSolid   point = *b;
    TactStepSimplex simplex;
    TactVec3        on_a, normal;
    double          distance;
    tact_step_point_solid(from, &point);
    if (tact_step_gjk(&point, b, enough, &simplex, &normal, &distance) != TACT_STEP_NEAR) {
        return 0;
    }
    tact_step_simplex_points(&simplex, &on_a, on);
    return 1;
}

/// The point at an end of the line: by its name, or else by its place; -1: there is none.
TACT_LANE int tact_step_find_end_point(const TactStepTouches *to, const TactStepRod *rod,
                                       double place, int name)
{
    int there = -1;
    TACT_ROLLED
    for (int i = 0; i < to->count && i < TACT_STEP_MAX_TOUCHES; i++) {
        TactVec3 r = tact_vec3_subtract(to->items[i].point, rod->middle);
        if (to->items[i].name == name) {
            return i;
        }
        there = fabs(tact_vec3_dot(rod->axis, r) - place) <= TACT_STEP_SAME_PLACE * rod->half
                    ? i
                    : there;
    }
    return there;
}

/// A point that was found on the face itself.
TACT_LANE int tact_step_on_face(const TactStepTouches *to, int at, TactVec3 normal)
{
    return at >= 0 && fabs(tact_vec3_dot(to->items[at].normal, normal)) > TACT_STEP_ON_FACE;
}

/// What of a rod is furthest from its axis along n; cut: a cylinder, whose ends are flat.
TACT_LANE TactVec3 tact_step_rod_side(const TactStepRod *rod, int cut, TactVec3 n)
{
    TactVec3 out = tact_vec3_add_scaled(n, -tact_vec3_dot(n, rod->axis), rod->axis);
    return cut ? tact_step_unit(out) : n;
}

/// The point of the polyhedron nearest to a point of the axis, and how deep the rod is in it along
/// that way. 0: not within margin, or the point itself is inside.
TACT_LANE int tact_step_point_beside(const TactStepRod *rod, int cut, TactVec3 from,
                                     const TactStepSolid *b, const TactStepClosest *closest,
                                     double margin, TactStepHeld *touch)
{
    TactVec3 on_b;
    int      outside = tact_step_nearest_of_solid(b, from, rod->radius + margin, &on_b);
    TactVec3 way = tact_vec3_subtract(on_b, from);
    double   D = tact_vec3_norm(way), depth = rod->radius - D;
    TactVec3 n = tact_vec3_scale(1 / D, way);
    if (!outside || !(depth < rod->radius * (1 - TACT_STEP_TINY)) || depth < -margin ||
        !(tact_vec3_dot(n, closest->normal) > TACT_STEP_SIDEWAYS)) {
        return 0;
    }
    TactVec3 on_a = tact_vec3_add_scaled(from, rod->radius, tact_step_rod_side(rod, cut, n));
    depth = tact_vec3_dot(n, tact_vec3_subtract(on_a, on_b));
    touch->point = tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
    touch->normal = n;
    touch->depth = depth < closest->depth ? depth : closest->depth;
    return depth >= -margin;
}

/// One end of the line with an edge, or what was known of it if that is deeper.
TACT_LANE void tact_step_add_beside(const TactStepRods *rods, int cut, int end,
                                    const TactStepSolid *b, TactVec3 face,
                                    const TactStepClosest *closest, double margin,
                                    TactStepTouches *to)
{
    double       s, t, most = rods->a.radius + margin;
    int          beside = tact_step_line_end(rods, end, &s, &t), name = 1 + end;
    TactVec3     from = tact_step_rod_at(&rods->a, s);
    TactVec3     apart = tact_vec3_subtract(tact_step_rod_at(&rods->b, t), from);
    TactStepHeld touch = {from, from, 0, 0, name, 0};
    if (!beside || tact_vec3_dot(apart, apart) > (1 + TACT_STEP_TINY) * most * most) {
        return;
    }
    int at = tact_step_find_end_point(to, &rods->a, s, name);
    if (tact_step_on_face(to, at, face) ||
        !tact_step_point_beside(&rods->a, cut, from, b, closest, margin, &touch)) {
        return;
    }
    if (at < 0) {
        tact_step_add_touch(to, touch.point, touch.normal, touch.depth, name);
    } else if (touch.depth > to->items[at].depth) { // than the gap to the face behind the edge
        to->items[at] = touch;
    } else if (to->items[at].name == TACT_STEP_CLOSEST) {
        to->items[at].name = name;
    }
}

/// The ends of the lines of a capsule or cylinder a with the edges of the face of b along which it
/// lies.
TACT_LANE void tact_step_add_edges(const TactStepSolid *a, const TactStepSolid *b,
                                   const TactStepFace *face, const TactStepClosest *closest,
                                   double margin, TactStepTouches *to)
{
    TactStepRods rods;
    int          flat = 1, cut = a->type == TACT_STEP_CYLINDER;
    rods.a = tact_step_rod(a->geom, &a->pose);
    rods.a.half = a->geom->size[1];
    TACT_ROLLED
    for (int end = 0; end < 2; end++) {
        double place = end ? rods.a.half : -rods.a.half;
        int    at = tact_step_find_end_point(to, &rods.a, place, 1 + end);
        flat = flat && tact_step_on_face(to, at, face->normal);
    }
    TACT_ROLLED
    for (int i = 0; i < face->count && !flat; i++) {
        TactVec3 from = face->corners[i], next = face->corners[i + 1 < face->count ? i + 1 : 0];
        TactVec3 way = tact_vec3_subtract(next, from);
        double   length = tact_vec3_norm(way);
        if (!(length > TACT_STEP_TINY * b->size)) {
            continue;
        }
        rods.b.middle = tact_vec3_add_scaled(from, 0.5, way);
        rods.b.axis = tact_vec3_scale(1 / length, way);
        rods.b.half = 0.5 * length;
        rods.b.radius = 0;
        tact_step_nearest(&rods);
        TACT_ROLLED
        for (int end = 0; end < 2 && fabs(rods.uv) > TACT_STEP_SIDEWAYS; end++) {
            tact_step_add_beside(&rods, cut, end, b, face->normal, closest, margin, to);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// All of it

/// Points of two solids whose nearest points are known. 0: left to the processor.
TACT_LANE_CALL int tact_step_touch_closest(const TactStepSolid *a, const TactStepSolid *b,
                                           TactStepClosest *closest, double margin,
                                           TactStepTouches *to)
{
    TactStepFace face_a, face_b;
    if (!tact_step_meet_faces(a, b, closest, &face_a, &face_b)) {
        return 0;
    }
    int rod = a->type == TACT_STEP_CAPSULE || a->type == TACT_STEP_CYLINDER;
    int beside = rod && face_a.count == 2 && face_b.count >= 3 &&
                 (b->geom->type == TACT_STEP_BOX || b->geom->type == TACT_STEP_HULL);
    tact_step_add_faces(&face_a, &face_b, closest, margin, to);
    if (beside) {
        tact_step_face(b, tact_vec3_negate(closest->normal), &face_b); // corners in the world again
        tact_step_add_edges(a, b, &face_b, closest, margin, to);
    }
    return 1;
}

/// Nearest points of surfaces from those of cores.
TACT_LANE void tact_step_set_closest(const TactStepSolid *a, const TactStepSolid *b, TactVec3 on_a,
                                     TactVec3 on_b, TactStepClosest *closest)
{
    TactVec3 way = tact_vec3_subtract(on_b, on_a);
    double   length = tact_vec3_norm(way);
    closest->normal = tact_vec3_scale(1 / length, way);
    closest->depth = a->round + b->round - length;
    closest->on_a = tact_vec3_add_scaled(on_a, a->round, closest->normal);
    closest->on_b = tact_vec3_add_scaled(on_b, -b->round, closest->normal);
}

/// Nearest points, or the least overlap, of two solids: TACT_STEP_FAR, TACT_STEP_NEAR, or
/// TACT_STEP_UNKNOWN: what is not found for certain.
TACT_LANE_CALL int tact_step_find_closest(const TactStepSolid *a, const TactStepSolid *b,
                                          double margin, TactStepClosest *closest)
{
    TactStepSimplex simplex;
    TactVec3        on_a, on_b;
    double          distance, enough = margin + a->round + b->round;
    int             found = tact_step_gjk(a, b, enough, &simplex, &closest->normal, &distance);
    int             curved = tact_step_is_curved(a) || tact_step_is_curved(b), refined = 0;
    if (curved && found != TACT_STEP_FAR && distance > 0) {
        refined = tact_step_refine(a, b, &simplex, &closest->normal, &distance, &on_a, &on_b) &&
                  distance > 0;
        found = refined ? TACT_STEP_NEAR : found;
    }
    if (found == TACT_STEP_FAR || (found == TACT_STEP_NEAR && distance > enough)) {
        return TACT_STEP_FAR;
    }
    if (found == TACT_STEP_NEAR && !refined) {
        tact_step_simplex_points(&simplex, &on_a, &on_b);
    } else if (found != TACT_STEP_NEAR) {
        if (!tact_step_epa(a, b, &simplex, &closest->normal, &distance, &on_a, &on_b) ||
            distance < -TACT_STEP_SAME_DEPTH * (a->size + b->size)) {
            return TACT_STEP_UNKNOWN;
        }
        distance = -distance;
    }
    closest->depth = a->round + b->round - distance;
    closest->on_a = tact_vec3_add_scaled(on_a, a->round, closest->normal);
    closest->on_b = tact_vec3_add_scaled(on_b, -b->round, closest->normal);
    return TACT_STEP_NEAR;
}

/// Two solids. 0: left to the processor.
TACT_LANE int tact_step_convex_convex(const TactStepSolid *a, const TactStepSolid *b, double margin,
                                      TactStepTouches *to)
{
    TactStepClosest closest;
    int             found = tact_step_find_closest(a, b, margin, &closest);
    return found == TACT_STEP_NEAR ? tact_step_touch_closest(a, b, &closest, margin, to)
                                   : found == TACT_STEP_FAR;
}

#endif
