// Heaps of many bodies that are made in no time, for tests of size and threads.
#ifndef TACT_TESTS_CONTACT_BRICKS_H
#define TACT_TESTS_CONTACT_BRICKS_H

#include <stdlib.h>
#include <tact/base.h>
#include <tact/contact.h>

/// Bricks in a grid, each on two contacts with each neighbour and the ground, all moving.
typedef struct Bricks {
    TactContactProblem problem;
    TactContactBody   *bodies;
    TactContact       *contacts;
} Bricks;

static inline void add_contacts(Bricks *bricks, TactRandom *random, int a, int b, int axis,
                                const double point[3])
{
    for (int k = 0; k < 2; k++) {
        TactContact *contact = &bricks->contacts[bricks->problem.contact_count++];
        *contact = (TactContact){.a = a, .b = b, .mu = 0.5};
        contact->normal[axis] = 1;
        for (int c = 0; c < 3; c++) {
            contact->point[c] = point[c] + (c == axis ? 0 : tact_random_uniform(random, -0.4, 0.4));
        }
    }
}

static inline void make_bricks(Bricks *bricks, uint64_t seed, int side, int high)
{
    TactRandom random = tact_random_seed(seed);
    int        count = side * side * high;
    *bricks = (Bricks){.bodies = calloc((size_t)count, sizeof(TactContactBody)),
                       .contacts = calloc(6 * (size_t)count, sizeof(TactContact))};
    for (int m = 0; m < count; m++) {
        TactContactBody *body = &bricks->bodies[m];
        int              at[3] = {m % side, m / side % side, m / (side * side)};
        int              step[3] = {1, side, side * side};
        double           mass = tact_random_uniform(&random, 0.5, 2);
        *body = (TactContactBody){.mass = mass, .inertia = {mass / 6, mass / 6, mass / 6}};
        for (int k = 0; k < 3; k++) {
            body->position[k] = at[k];
            body->velocity[k] = tact_random_uniform(&random, -0.5, 0.5) - (k == 2);
            body->omega[k] = tact_random_uniform(&random, -0.5, 0.5);
        }
        body->force[2] = -9.81 * mass;
        for (int k = 0; k < 3; k++) {
            double point[3] = {at[0], at[1], at[2]};
            point[k] -= 0.5;
            if (at[k] > 0 || k == 2) {
                add_contacts(bricks, &random, at[k] > 0 ? m - step[k] : -1, m, k, point);
            }
        }
    }
    bricks->problem.step = 0.005;
    bricks->problem.body_count = count;
    bricks->problem.bodies = bricks->bodies;
    bricks->problem.contacts = bricks->contacts;
}

static inline void free_bricks(Bricks *bricks)
{
    free(bricks->bodies);
    free(bricks->contacts);
}

#endif
