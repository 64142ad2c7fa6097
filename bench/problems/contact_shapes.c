// Shapes of free bodies that scenes.h does not have. Loads are velocities and forces.
#include <math.h>

#include "bench/problems/contact_scenes.h"

static const double pi = 3.14159265358979323846;
static const double gravity = 9.81; // m/s^2

static double uniform(TactRandom *random, double lo, double hi)
{
    return tact_random_uniform(random, lo, hi);
}

static int below(TactRandom *random, int count)
{
    return (int)(tact_random_next(random) % (uint64_t)count);
}

static void random_vector(TactRandom *random, double size, double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = size * tact_random_normal(random);
    }
}

/// Weight, a random wrench of so many weights, and for half of the draws a velocity.
static void load(TactRandom *random, TactContactBody *body, double strength, double size)
{
    double speed = uniform(random, -0.2, 0.2);
    speed = speed > 0 ? speed : 0;
    double weight = gravity * body->mass;
    random_vector(random, strength * weight, body->force);
    random_vector(random, strength * weight * size, body->torque);
    random_vector(random, speed, body->velocity);
    random_vector(random, speed / size, body->omega);
    body->force[2] -= weight;
}

// ---------------------------------------------------------------------------------------------
// Grasp

/// A finger pad at an angle around the object: contacts on a small circle, all with one normal.
static void add_pad(TactContactCase *out, TactRandom *random, int finger, int contacts,
                    double angle, double radius, double mu)
{
    double normal[3] = {-cos(angle), -sin(angle), 0};
    double across[3] = {-sin(angle), cos(angle), 0};
    double size = contacts > 1 ? 0.01 : 0, height = uniform(random, -0.01, 0.01);
    for (int i = 0; i < contacts; i++) {
        double turn = 2 * pi * (double)i / (double)contacts;
        double point[3];
        for (int k = 0; k < 3; k++) {
            point[k] = -radius * normal[k] + size * cos(turn) * across[k];
        }
        point[2] += height + size * sin(turn);
        tact_case_add_contact(out, finger, 0, point, normal, mu);
    }
}

/// Five bilateral rows that leave a finger its way along the push; redundant: the first two again.
static void add_rails(TactContactCase *out, int finger, const double push[3], double force)
{
    double across[3] = {-push[1], push[0], 0}, up[3] = {0, 0, 1};
    for (int i = 0; i < 7; i++) {
        TactContactRow *row = tact_case_add_row(out, TACT_ROW_BILATERAL, -1, finger);
        if (i % 5 < 2) {
            tact_case_point_row(out, row, out->bodies[finger].position, i % 5 ? up : across);
        } else {
            double axis[3] = {i == 2, i == 3, i == 4};
            tact_case_turn_row(row, axis);
        }
    }
    TactContactRow *motor = tact_case_add_row(out, TACT_ROW_MOTOR, -1, finger);
    tact_case_point_row(out, motor, out->bodies[finger].position, push);
    motor->target = 1;
    motor->force_max = force;
}

TactStatus tact_case_grasp(TactRandom *random, const TactGrasp *grasp, TactContactCase *out)
{
    TactCaseSize size = {
        .bodies = 1 + grasp->fingers,
        .contacts = grasp->fingers * grasp->contacts_each,
        .rows = grasp->rails ? 8 * grasp->fingers : 0,
    };
    TactStatus status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    const double radius = 0.04, origin[3] = {0, 0, 0};
    double       mass = pow(10, uniform(random, -1, 1));
    double       mu = uniform(random, 0.3, 1.5);
    // From fingers that must let it slip to fingers that hold it well.
    double           push = mass * gravity * uniform(random, 0.2, 4) / mu;
    TactContactBody *object =
        tact_case_add_box(out, mass, (double[]){radius, radius, radius}, origin);
    load(random, object, uniform(random, 0, 0.5), radius);
    for (int f = 0; f < grasp->fingers; f++) {
        double           angle = 2 * pi * (double)f / (double)grasp->fingers;
        double           inwards[3] = {-cos(angle), -sin(angle), 0};
        double           centre[3] = {-2 * radius * inwards[0], -2 * radius * inwards[1], 0};
        double           half[3] = {0.02, 0.02, 0.03};
        TactContactBody *finger = tact_case_add_box(out, uniform(random, 0.05, 0.5), half, centre);
        add_pad(out, random, 1 + f, grasp->contacts_each, angle, radius, mu);
        if (grasp->rails) {
            add_rails(out, 1 + f, inwards, push);
        } else {
            for (int i = 0; i < 3; i++) {
                finger->force[i] = push * inwards[i];
            }
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Wedge, rod

TactStatus tact_case_wedge(TactRandom *random, int contacts, TactContactCase *out)
{
    TactCaseSize size = {.bodies = 1, .contacts = contacts};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    const double     r = 0.05, half[3] = {r, 0.7 * r, 1.3 * r};
    double           rise = uniform(random, -0.2, 0.6), mu = uniform(random, 0.2, 2);
    TactContactBody *body = tact_case_add_box(out, 1, half, (double[]){0, 0, 0});
    load(random, body, uniform(random, 0, 1), r);
    for (int i = 0; i < contacts; i++) {
        double angle = 2 * pi * (double)i / (double)contacts;
        double normal[3] = {-cos(angle), -sin(angle), rise};
        double height = contacts > 3 ? (i % 2 ? 0.5 : -0.5) * r : 0;
        double point[3] = {r * cos(angle), r * sin(angle), height};
        tact_case_add_contact(out, -1, 0, point, normal, mu);
    }
    return TACT_OK;
}

TactStatus tact_case_rod(TactRandom *random, int contacts, TactContactCase *out)
{
    TactCaseSize size = {.bodies = 1, .contacts = contacts};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    double l = 0.5, tilt = uniform(random, 0.2, 1.4), mu = uniform(random, 0.8, 2);
    double axis[3] = {cos(tilt), 0, sin(tilt)}, up[3] = {0, 0, 1}, wall[3] = {-1, 0, 0};
    double thick = 0.02;
    // Half sides of a box along its own axis, turned about y by the tilt.
    TactContactBody *body =
        tact_case_add_box(out, 1, (double[]){l, thick, thick}, (double[]){0, 0, 0});
    double I = body->inertia[0], J = body->inertia[2];
    body->inertia[0] = I * axis[0] * axis[0] + J * axis[2] * axis[2];
    body->inertia[2] = I * axis[2] * axis[2] + J * axis[0] * axis[0];
    body->inertia[4] = (I - J) * axis[0] * axis[2];
    // The tip slides, most often into the floor, and is about to approach it.
    double spin = tact_random_normal(random), slide = 2 * tact_random_normal(random);
    body->velocity[0] = slide;
    body->velocity[1] = 0.1 * tact_random_normal(random);
    body->velocity[2] = -spin * l * axis[0] - uniform(random, 0, 0.2);
    body->omega[1] = spin;
    body->force[2] = -gravity;
    for (int end = 0; end < contacts; end++) {
        double point[3];
        for (int i = 0; i < 3; i++) {
            point[i] = (end ? l : -l) * axis[i];
        }
        tact_case_add_contact(out, -1, 0, point, end ? wall : up, mu);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Pile

TactStatus tact_case_pile(TactRandom *random, const TactPile *pile, TactContactCase *out)
{
    TactCaseSize size = {.bodies = pile->bodies, .contacts = pile->contacts};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    const double r = 0.1;
    double       strength = uniform(random, 0, 1), half = 0.5 * log(pile->ratio);
    for (int k = 0; k < pile->bodies; k++) {
        double sides[3], centre[3];
        for (int i = 0; i < 3; i++) {
            sides[i] = r * uniform(random, 0.3, 1);
            centre[i] = i < 2 ? uniform(random, -2 * r, 2 * r) : r * (double)(k + 1);
        }
        double mass = exp(uniform(random, -half, half));
        load(random, tact_case_add_box(out, mass, sides, centre), strength, r);
    }
    for (int i = 0; i < pile->contacts; i++) {
        // Every body rests on something, then contacts wherever they fall.
        int    b = i < pile->bodies ? i : below(random, pile->bodies);
        int    a = below(random, b + 1) - 1;
        double normal[3], point[3];
        for (int k = 0; k < 3; k++) {
            double from =
                a < 0 ? out->bodies[b].position[k] - (k == 2 ? r : 0) : out->bodies[a].position[k];
            double way = out->bodies[b].position[k] - from;
            normal[k] = way + 0.3 * r * tact_random_normal(random);
            point[k] = from + 0.5 * way + 0.5 * r * tact_random_normal(random);
        }
        tact_case_add_contact(out, a, b, point, normal, uniform(random, 0, 1));
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Chain

/// A ball joint between two links: three rows that have drifted by the same small vector. With
/// `again` the first one stands twice.
static void add_ball_joint(TactContactCase *out, TactRandom *random, int k, const double pin[3],
                           bool again)
{
    double drift[3];
    random_vector(random, 1e-4, drift);
    for (int i = 0; i < (again ? 4 : 3); i++) {
        double          axis[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        TactContactRow *row = tact_case_add_row(out, TACT_ROW_BILATERAL, k, k + 1);
        tact_case_point_row(out, row, pin, axis);
        row->error = drift[i % 3];
        row->zeta = 0.2;
    }
}

TactStatus tact_case_chain(TactRandom *random, int bodies, TactContactCase *out)
{
    TactCaseSize size = {.bodies = bodies, .contacts = 4 * bodies, .rows = 6 * bodies};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    const double r = 0.05, half[3] = {r, 0.6 * r, 0.4 * r}, up[3] = {0, 0, 1};
    double       mu = uniform(random, 0.1, 1), strength = uniform(random, 0, 1);
    for (int k = 0; k < bodies; k++) {
        double centre[3] = {2.2 * r * (double)k, 0, half[2]};
        load(random, tact_case_add_box(out, uniform(random, 0.5, 2), half, centre), strength, r);
        for (int i = 0; i < 4; i++) {
            double point[3] = {centre[0] + (i % 2 ? half[0] : -half[0]), i / 2 ? half[1] : -half[1],
                               0};
            tact_case_add_contact(out, -1, k, point, up, mu);
        }
    }
    for (int k = 0; k + 1 < bodies; k++) {
        double pin[3] = {2.2 * r * ((double)k + 0.5), 0, half[2]}, z[3] = {0, 0, 1};
        add_ball_joint(out, random, k, pin, k % 3 == 0);
        TactContactRow *motor = tact_case_add_row(out, TACT_ROW_MOTOR, k, k + 1);
        tact_case_turn_row(motor, z);
        motor->target = tact_random_normal(random);
        motor->force_max = uniform(random, 0, 0.5);
        TactContactRow *limit = tact_case_add_row(out, TACT_ROW_UNILATERAL, k, k + 1);
        tact_case_turn_row(limit, z);
        limit->target = -uniform(random, 0, 0.5);
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Few contacts

TactStatus tact_case_few(TactRandom *random, int contacts, TactContactCase *out)
{
    int          bodies = 1 + below(random, 2);
    TactCaseSize size = {.bodies = bodies, .contacts = contacts};
    TactStatus   status = tact_case_create(&size, out);
    if (status != TACT_OK) {
        return status;
    }
    const double r = 0.1;
    double       strength = uniform(random, 0, 1);
    for (int k = 0; k < bodies; k++) {
        double half[3] = {r, uniform(random, 0.2, 1) * r, uniform(random, 0.2, 1) * r};
        double centre[3] = {0, 0, 2 * r * (double)k + r};
        load(random, tact_case_add_box(out, uniform(random, 0.2, 5), half, centre), strength, r);
    }
    for (int i = 0; i < contacts; i++) {
        int    b = i % bodies;
        double normal[3], point[3];
        random_vector(random, 0.5, normal);
        normal[2] = 1;
        for (int k = 0; k < 3; k++) {
            point[k] = k == 2 ? 2 * r * (double)b : uniform(random, -r, r);
        }
        tact_case_add_contact(out, b - 1, b, point, normal, uniform(random, 0, 1));
    }
    return TACT_OK;
}
