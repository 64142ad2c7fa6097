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

enum { SCENE_BODIES = 8, SCENE_CONTACTS = 16, SCENE_ROWS = 4 };

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

#endif
