// Contact scenes whose answers can be worked out by hand.
#ifndef TESTS_CONTACT_SCENES_H
#define TESTS_CONTACT_SCENES_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tact/contact.h>
// clang-format on

enum { SCENE_BODIES = 8, SCENE_CONTACTS = 16, SCENE_ROWS = 8 };

/// A problem over arrays of its own. Because it points into itself it is made in place.
typedef struct Scene {
    TactContactProblem problem;
    TactContactBody    bodies[SCENE_BODIES];
    TactContact        contacts[SCENE_CONTACTS];
    TactContactRow     rows[SCENE_ROWS];
} Scene;

static const double GRAVITY = 9.81;

static inline void scene_clear(Scene *scene)
{
    *scene = (Scene){0};
    scene->problem = (TactContactProblem){
        .step = 0.01,
        .bodies = scene->bodies,
        .contacts = scene->contacts,
        .rows = scene->rows,
    };
}

/// A cube of side 2 r and even density, with gravity.
static inline TactContactBody *scene_add_cube(Scene *scene, double mass, double r, double x,
                                              double y, double z)
{
    TactContactBody *body = &scene->bodies[scene->problem.body_count++];
    double           inertia = 2.0 / 3 * mass * r * r;
    *body = (TactContactBody){
        .mass = mass,
        .inertia = {inertia, inertia, inertia},
        .position = {x, y, z},
        .force = {0, 0, -mass * GRAVITY},
    };
    return body;
}

static inline TactContact *scene_add_contact(Scene *scene, int a, int b, double x, double y,
                                             double z, double mu)
{
    TactContact *contact = &scene->contacts[scene->problem.contact_count++];
    *contact = (TactContact){.a = a, .b = b, .point = {x, y, z}, .normal = {0, 0, 1}, .mu = mu};
    return contact;
}

/// A cube of 2 kg and side 2 m at rest on the plane z = 0, on its four corners.
static inline void scene_block_on_plane(Scene *scene)
{
    scene_clear(scene);
    scene_add_cube(scene, 2, 1, 0, 0, 1);
    for (int k = 0; k < 4; k++) {
        scene_add_contact(scene, -1, 0, k % 2 ? 1 : -1, k / 2 ? 1 : -1, 0, 0.5);
    }
}

/// A mass on the plane z = 0 whose only contact lies at its centre, so that it does not turn.
static inline void scene_particle(Scene *scene, double mass, double mu)
{
    scene_clear(scene);
    scene_add_cube(scene, mass, 1, 0, 0, 0);
    scene_add_contact(scene, -1, 0, 0, 0, 0, mu);
}

static inline TactContactRow *scene_add_row(Scene *scene, TactContactRowKind kind, int a, int b)
{
    TactContactRow *row = &scene->rows[scene->problem.row_count++];
    *row = (TactContactRow){.kind = kind, .a = a, .b = b};
    return row;
}

/// The part of a point's velocity along a world axis, of b against a.
static inline void scene_set_axis(const Scene *scene, TactContactRow *row, const double point[3],
                                  int axis)
{
    for (int side = 0; side < 2; side++) {
        int     body = side ? row->b : row->a;
        double *J = side ? row->J_b : row->J_a;
        double  sign = side ? 1 : -1;
        if (body >= 0) {
            const double *x = scene->bodies[body].position;
            double        r[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
            int           i = (axis + 1) % 3, j = (axis + 2) % 3;
            J[axis] = sign;
            // (r x e_axis) has r_j at i and -r_i at j.
            J[3 + i] = sign * r[j];
            J[3 + j] = -sign * r[i];
        }
    }
}

/// A sliding cube on the plane that carries a second one on a ball joint at (0, 0, 2.5), which
/// drifts and is given redundantly; a motor turns one against the other, and a limit stops the
/// upper one.
static inline void scene_arm(Scene *scene)
{
    scene_block_on_plane(scene);
    scene->bodies[0].velocity[0] = 0.3;
    scene->bodies[0].velocity[1] = -0.2;
    scene_add_cube(scene, 0.5, 0.4, 0.1, 0, 3)->velocity[1] = -0.1;
    const double pin[3] = {0, 0, 2.5};
    for (int axis = 0; axis < 3; axis++) {
        TactContactRow *row = scene_add_row(scene, TACT_ROW_BILATERAL, 0, 1);
        scene_set_axis(scene, row, pin, axis);
        row->error = 1e-3;
        row->zeta = 0.2;
    }
    TactContactRow *again = scene_add_row(scene, TACT_ROW_BILATERAL, 0, 1);
    scene_set_axis(scene, again, pin, 2);
    again->error = 1e-3;
    again->zeta = 0.2;
    TactContactRow *motor = scene_add_row(scene, TACT_ROW_MOTOR, 0, 1);
    motor->J_a[5] = -1;
    motor->J_b[5] = 1;
    motor->target = 3;
    motor->force_max = 2;
    TactContactRow *limit = scene_add_row(scene, TACT_ROW_UNILATERAL, -1, 1);
    limit->J_b[3] = 1;
    limit->target = 0.1;
}

#endif
