// Shapes and poses of `tact bench collide`.
//
// Pairs are a third each of bodies apart (by up to 0.2), just touching (overlap up to 0.01) and
// overlapping (0.01 to 0.2), where shapes are about 1 wide; for tori a quarter of that, and every
// other pair is linked. A direction and two rotations are drawn at random; then b comes along the
// direction until the wanted distance is met.
#include <math.h>
#include <stdlib.h>

#include "bench/collide/collide.h"

static const double PI = 3.14159265358979323846;

static TactVec3 draw_direction(TactRandom *random)
{
    TactVec3 v;
    v.x = tact_random_normal(random);
    v.y = tact_random_normal(random);
    v.z = tact_random_normal(random);
    return tact_vec3_normalise(v);
}

static TactQuat draw_rotation(TactRandom *random)
{
    TactVec3 axis = draw_direction(random);
    return tact_quat_from_axis_angle(axis, tact_random_uniform(random, -PI, PI));
}

// ---------------------------------------------------------------------------------------------
// Shapes

static TactStatus make_hull(TactRandom *random, TactCollideMade *made)
{
    TactVec3       points[64];
    TactHullConfig config = tact_hull_config_default();
    for (int i = 0; i < 64; i++) {
        TactVec3 v = draw_direction(random);
        points[i] = (TactVec3){0.6 * v.x, 0.5 * v.y, 0.4 * v.z};
    }
    TactStatus status = tact_hull_create(points, 64, &config, &made->hull);
    made->bodies.shape = (TactShape){.type = TACT_SHAPE_HULL, .hull = made->hull};
    return status;
}

enum { AROUND = 50, ACROSS = 20 }; // 2,000 triangles
static const double LARGE = 0.5, SMALL = 0.1;

static TactStatus make_torus(TactCollideMade *made)
{
    static TactVec3     vertices[AROUND * ACROSS];
    static TactTriangle triangles[2 * AROUND * ACROSS];
    for (int i = 0; i < AROUND * ACROSS; i++) {
        int    u = i % AROUND, v = i / AROUND, next = (u + 1) % AROUND;
        int    below = v * AROUND, above = (v + 1) % ACROSS * AROUND;
        double a = 2 * PI * u / AROUND, b = 2 * PI * v / ACROSS, r = LARGE + SMALL * cos(b);
        vertices[i] = (TactVec3){r * cos(a), r * sin(a), SMALL * sin(b)};
        triangles[2 * i] = (TactTriangle){{below + u, below + next, above + next}};
        triangles[2 * i + 1] = (TactTriangle){{below + u, above + next, above + u}};
    }
    TactStatus status =
        tact_mesh_create(vertices, AROUND * ACROSS, triangles, 2 * AROUND * ACROSS, &made->mesh);
    if (status == TACT_OK) {
        status = tact_mesh_tree_create(made->mesh, &made->tree);
    }
    made->bodies.mesh = made->mesh;
    made->bodies.shape = (TactShape){.type = TACT_SHAPE_MESH, .mesh = made->tree};
    return status;
}

static TactStatus make_shape(const TactCollideSpec *spec, TactRandom *random, TactCollideMade *made)
{
    TactShape *shape = &made->bodies.shape;
    switch (spec->kind) {
    case TACT_COLLIDE_CAPSULES:
        *shape = (TactShape){.type = TACT_SHAPE_CAPSULE, .size = {0.25, 0.5}};
        return TACT_OK;
    case TACT_COLLIDE_HULLS: return make_hull(random, made);
    case TACT_COLLIDE_TORI: return make_torus(made);
    case TACT_COLLIDE_PILE:
        *shape = (TactShape){.type = TACT_SHAPE_BOX, .size = {0.5, 0.5, 0.5}};
        return TACT_OK;
    default: *shape = (TactShape){.type = TACT_SHAPE_BOX, .size = {0.6, 0.5, 0.4}}; return TACT_OK;
    }
}

// ---------------------------------------------------------------------------------------------
// Poses of pairs

/// Distance of two tori: of their core circles, one of them in 512 points, less both tubes.
static double tori_distance(const TactTransform *a, const TactTransform *b)
{
    double least = INFINITY;
    for (int i = 0; i < 512; i++) {
        double   angle = 2 * PI * i / 512;
        TactVec3 p = {LARGE * cos(angle), LARGE * sin(angle), 0};
        p = tact_transform_point_back(*a, tact_transform_point(*b, p));
        double across = sqrt(p.x * p.x + p.y * p.y) - LARGE;
        least = fmin(least, sqrt(across * across + p.z * p.z));
    }
    return least - 2 * SMALL;
}

static double distance_of(const TactCollideSpec *spec, const TactShape *shape,
                          const TactTransform *a, const TactTransform *b)
{
    TactDistance distance;
    if (spec->kind == TACT_COLLIDE_TORI) {
        return tori_distance(a, b);
    }
    return tact_shape_compute_distance(shape, a, shape, b, &distance) == TACT_OK ? distance.distance
                                                                                 : 0;
}

/// Moves b from where it is free of a along a direction to the first place where the distance is
/// the wanted one.
static void approach(const TactCollideSpec *spec, const TactShape *shape, TactVec3 direction,
                     double wanted, const TactTransform *a, TactTransform *b)
{
    TactVec3 from = b->position;
    double   step = 0.02, low = 0, high = 0;
    do {
        low = high;
        high += step;
        b->position = tact_vec3_add_scaled(from, high, direction);
    } while (distance_of(spec, shape, a, b) > wanted);
    for (int k = 0; k < 30; k++) {
        double middle = 0.5 * (low + high);
        b->position = tact_vec3_add_scaled(from, middle, direction);
        if (distance_of(spec, shape, a, b) > wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

static void draw_pair(const TactCollideSpec *spec, const TactShape *shape, TactRandom *random,
                      int frame, TactTransform *pose)
{
    double   wanted = frame % 3 == 0   ? tact_random_uniform(random, 0, 0.2)
                      : frame % 3 == 1 ? tact_random_uniform(random, -0.01, 0)
                                       : tact_random_uniform(random, -0.2, -0.01);
    TactVec3 direction = draw_direction(random);
    pose[0].rotation = draw_rotation(random);
    pose[1].rotation = draw_rotation(random);
    pose[0].position = tact_vec3_scale(3, draw_direction(random));
    if (spec->kind != TACT_COLLIDE_TORI || frame % 2 == 0) {
        pose[1].position = tact_vec3_add_scaled(pose[0].position, -2.5, direction);
    } else { // linked: b around a point of the core of a, across it
        TactQuat across = tact_quat_from_axis_angle((TactVec3){1, 0, 0}, 0.5 * PI);
        pose[1].rotation = tact_quat_multiply(pose[0].rotation, across);
        pose[1].position = tact_transform_point(pose[0], (TactVec3){LARGE, 0, 0});
    }
    // Tubes have a radius of 0.1.
    wanted *= spec->kind == TACT_COLLIDE_TORI ? 0.25 : 1;
    approach(spec, shape, direction, wanted, &pose[0], &pose[1]);
}

// ---------------------------------------------------------------------------------------------
// Poses of a pile

/// Unit boxes in a cubic grid 1 apart, turned a little and shifted by up to 0.05, swinging by 0.02.
static void draw_pile(const TactCollideSpec *spec, TactRandom *random, TactTransform *poses)
{
    int side = (int)lround(cbrt(spec->bodies));
    for (int i = 0; i < spec->bodies; i++) {
        TactVec3 axis = draw_direction(random), swing = draw_direction(random);
        double   angle = tact_random_uniform(random, -0.1, 0.1);
        double   phase = tact_random_uniform(random, 0, 2 * PI);
        int      row = i / side, layer = row / side;
        TactVec3 at = {i % side, row % side, layer};
        TactVec3 shift = tact_vec3_scale(0.05, draw_direction(random));
        for (int f = 0; f < spec->frames; f++) {
            double         wave = sin(2 * PI * f / spec->frames + phase);
            TactTransform *pose = &poses[(size_t)f * (size_t)spec->bodies + (size_t)i];
            pose->rotation = tact_quat_from_axis_angle(axis, angle + 0.02 * wave);
            pose->position = tact_vec3_add_scaled(tact_vec3_add(at, shift), 0.02 * wave, swing);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// All of it

void tact_collide_drop(TactCollideMade *made)
{
    tact_mesh_tree_destroy(made->tree);
    tact_mesh_destroy(made->mesh);
    tact_hull_destroy(made->hull);
    free(made->poses);
    *made = (TactCollideMade){0};
}

TactStatus tact_collide_make(const TactCollideSpec *spec, TactCollideMade *made)
{
    TactRandom random = tact_random_seed(1);
    *made = (TactCollideMade){.bodies = {.bodies = spec->bodies, .frames = spec->frames}};
    made->poses = calloc((size_t)spec->bodies * (size_t)spec->frames, sizeof *made->poses);
    TactStatus status = made->poses ? make_shape(spec, &random, made) : TACT_NO_MEMORY;
    if (status != TACT_OK) {
        tact_collide_drop(made);
        return status;
    }
    if (spec->kind == TACT_COLLIDE_PILE) {
        draw_pile(spec, &random, made->poses);
    }
    for (int f = 0; f < spec->frames && spec->kind != TACT_COLLIDE_PILE; f++) {
        draw_pair(spec, &made->bodies.shape, &random, f, made->poses + 2 * f);
    }
    made->bodies.poses = made->poses;
    return TACT_OK;
}
