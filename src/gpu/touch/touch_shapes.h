// Pairs that kernels with TACT_STEP_MORE have: planes, spheres, capsules, cylinders, boxes,
// ellipsoids, hulls and meshes with each other, but for those that all kernels have, planes with
// meshes and meshes with each other. The points of src/collide, by one lane; what is not found for
// certain is left to the processor. Depths are those of surfaces: skins come at the end.
#ifndef TACT_GPU_TOUCH_SHAPES_H
#define TACT_GPU_TOUCH_SHAPES_H

#include "gpu/touch/touch_rod.h"

#if TACT_STEP_MORE
#include "gpu/touch/touch_box.h"
#include "gpu/touch/touch_cylinder.h"
#include "gpu/touch/touch_mesh.h"

/// Corners of the face that looks down (collide/pair/plane.c). 0: it has too many.
TACT_LANE int tact_step_plane_solid(const TactTransform *plane, const TactStepSolid *b,
                                    double margin, TactStepTouches *to)
{
    TactStepFace face;
    TactVec3     n = tact_step_quat_z(plane->rotation), down = tact_vec3_negate(n);
    TactVec3     lowest = tact_step_furthest(b, down);
    double       depth = -tact_vec3_dot(n, tact_vec3_subtract(lowest, plane->position));
    if (depth < -margin) {
        return 1;
    }
    if (!tact_step_face(b, down, &face)) {
        return 0;
    }
    double least = depth - face.slack - TACT_STEP_SAME_DEPTH * b->size;
    int    found = 0; // the lowest point itself
    TACT_ROLLED
    for (int i = 0; i < face.count; i++) {
        double here = -tact_vec3_dot(n, tact_vec3_subtract(face.corners[i], plane->position));
        found = found || (here >= least && here >= -margin);
        tact_step_touch_plane(plane->position, n, face.corners[i], 0, margin, face.ids[i], to);
    }
    if (!found) {
        tact_step_touch_plane(plane->position, n, lowest, 0, margin, TACT_STEP_CLOSEST, to);
    }
    return 1;
}

/// Is a pair one of these? a is of the type that comes first.
TACT_LANE int tact_step_is_more(const TactStepGeom *a, const TactStepGeom *b)
{
    return b->type == TACT_STEP_CYLINDER || b->type == TACT_STEP_HULL ||
           b->type == TACT_STEP_MESH ||
           (b->type == TACT_STEP_BOX && a->type >= TACT_STEP_CAPSULE) ||
           (b->type == TACT_STEP_ELLIPSOID &&
            (a->type == TACT_STEP_CYLINDER || a->type == TACT_STEP_ELLIPSOID));
}

/// Two solids, a of the type that comes first. 0: left to the processor.
TACT_LANE int tact_step_solid_solid(const TactStepSolid *a, const TactStepSolid *b, double margin,
                                    TactStepTouches *to)
{
    if (b->type == TACT_STEP_MESH) {
        int done = tact_step_mesh_solid(b, a, margin, to);
        TACT_ROLLED
        for (int k = 0; k < to->count && k < TACT_STEP_MAX_TOUCHES; k++) {
            to->items[k].normal = tact_vec3_negate(to->items[k].normal);
        }
        return done;
    }
    if (b->type == TACT_STEP_CYLINDER) {
        return a->type == TACT_STEP_SPHERE ? tact_step_sphere_cylinder(a, b, margin, to)
                                           : tact_step_rod_cylinder(a, b, margin, to);
    }
    if (b->type == TACT_STEP_BOX && a->type != TACT_STEP_CYLINDER) {
        return a->type == TACT_STEP_BOX ? tact_step_box_box(a, b, margin, to)
                                        : tact_step_capsule_box(a, b, margin, to);
    }
    return tact_step_convex_convex(a, b, margin, to);
}

/// Points of such a pair. 0: left to the processor.
TACT_LANE int tact_step_collide_more(const TactStepModel *model, const TactStepGeom *a,
                                     const TactTransform *pose_a, const TactStepGeom *b,
                                     const TactTransform *pose_b, double skin, double margin,
                                     TactStepTouches *to)
{
    TactStepSolid of_a, of_b;
    int           done;
    tact_step_solid(model, b, pose_b, &of_b);
    if (a->type == TACT_STEP_PLANE) {
        done = tact_step_plane_solid(pose_a, &of_b, margin + skin, to);
    } else {
        tact_step_solid(model, a, pose_a, &of_a);
        done = tact_step_solid_solid(&of_a, &of_b, margin + skin, to);
    }
    TACT_ROLLED
    for (int k = 0; k < to->count && k < TACT_STEP_MAX_TOUCHES; k++) {
        to->items[k].depth += skin;
    }
    return done;
}

#endif
#endif
