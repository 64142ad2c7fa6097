// Problems in the plane: rigid bodies of three degrees of freedom (x, z, angle) as a generalized
// mass matrix. Each contact has one tangent; the rows of the other are 0, so that the circle is an
// interval.
#ifndef TESTS_CONTACT_PLANAR_H
#define TESTS_CONTACT_PLANAR_H

#include "scenes.h"

enum { PLANAR_BODIES = 5, PLANAR_CONTACTS = 20, PLANAR_NV = 3 * PLANAR_BODIES };

typedef struct Planar {
    TactContactProblem problem;
    double             M[PLANAR_NV * PLANAR_NV], v[PLANAR_NV], tau[PLANAR_NV];
    double             J[PLANAR_CONTACTS][3 * PLANAR_NV];
    TactContact        contacts[PLANAR_CONTACTS];
    double             position[PLANAR_BODIES][2];
} Planar;

/// So many bodies of mass 1 without gravity, and no contact. It points into itself.
static inline void planar_create(Planar *planar, int bodies, TactContactLevel level)
{
    int nv = 3 * bodies;
    *planar = (Planar){0};
    for (int k = 0; k < nv; k++) {
        planar->M[k * (nv + 1)] = 1;
    }
    planar->problem = (TactContactProblem){
        .step = 0.01,
        .level = level,
        .nv = nv,
        .M = planar->M,
        .v = planar->v,
        .tau = planar->tau,
        .contacts = planar->contacts,
    };
}

/// Mass, inertia and place of a body; it has its weight.
static inline void planar_set_body(Planar *planar, int body, double mass, double inertia,
                                   const double position[2])
{
    int nv = planar->problem.nv, at = 3 * body;
    planar->M[at * (nv + 1)] = planar->M[(at + 1) * (nv + 1)] = mass;
    planar->M[(at + 2) * (nv + 1)] = inertia;
    planar->tau[at + 1] = -mass * GRAVITY;
    memcpy(planar->position[body], position, 2 * sizeof(double));
}

/// Velocity of a point of a body along an axis, turning counted from x to z.
static inline void planar_add_row(const Planar *planar, int body, double sign,
                                  const double point[2], const double axis[2], double *J)
{
    double arm[2] = {point[0] - planar->position[body][0], point[1] - planar->position[body][1]};
    J[3 * body] = sign * axis[0];
    J[3 * body + 1] = sign * axis[1];
    J[3 * body + 2] = sign * (arm[0] * axis[1] - arm[1] * axis[0]);
}

/// A contact whose normal, from a to b, is at an angle from x, and its tangent a quarter turn on.
/// a = -1: the world.
static inline TactContact *planar_add_contact(Planar *planar, int a, int b, const double point[2],
                                              double angle, double mu)
{
    int    i = planar->problem.contact_count++, nv = planar->problem.nv;
    double axes[2][2] = {{cos(angle), sin(angle)}, {-sin(angle), cos(angle)}};
    for (int k = 0; k < 2; k++) {
        double *J = planar->J[i] + k * nv;
        if (a >= 0) {
            planar_add_row(planar, a, -1, point, axes[k], J);
        }
        planar_add_row(planar, b, 1, point, axes[k], J);
    }
    planar->contacts[i] = (TactContact){.J = planar->J[i], .mu = mu};
    return &planar->contacts[i];
}

// ---------------------------------------------------------------------------------------------
// Random ones

typedef struct PlanarKind {
    double           mu; // at most
    TactContactLevel level;
    double           speed; // of everything, at random
} PlanarKind;

static inline void planar_draw(TactRandom *random, const PlanarKind *kind, int bodies, int contacts,
                               Planar *out)
{
    planar_create(out, bodies, kind->level);
    for (int b = 0; b < bodies; b++) {
        double m = pow(10, tact_random_uniform(random, -1, 1));
        double at[2] = {tact_random_uniform(random, -1, 1), tact_random_uniform(random, -1, 1)};
        planar_set_body(out, b, m, m * tact_random_uniform(random, 0.05, 0.5), at);
        for (int k = 3 * b; k < 3 * b + 3; k++) {
            out->tau[k] += m * tact_random_uniform(random, -3, 3);
            out->v[k] = kind->speed * tact_random_normal(random);
        }
    }
    for (int i = 0; i < contacts; i++) {
        int    b = (int)(tact_random_next(random) % (unsigned)bodies);
        int    a = (int)(tact_random_next(random) % (unsigned)(bodies + 1)) - 1;
        double x[2] = {tact_random_uniform(random, -1.5, 1.5),
                       tact_random_uniform(random, -1.5, 1.5)};
        double angle = tact_random_uniform(random, 0, 6.3);
        planar_add_contact(out, a == b ? -1 : a, b, x, angle,
                           tact_random_uniform(random, 0, kind->mu));
    }
}

#endif
