// How free bodies move in an answer: from masses, points and frames. Sums over contacts are
// compensated.
#include <math.h>
#include <string.h>
#include <tact/math.h>

#include "base/larger.h"
#include "contact/certificate/certify.h"
#include "contact/certificate/certify_fine.h"

static TactVec3 vec3(const double *x)
{
    return (TactVec3){x[0], x[1], x[2]};
}

/// Symmetric A, xx yy zz xy xz yz, times x.
static TactVec3 times(const double A[6], TactVec3 x)
{
    return (TactVec3){
        A[0] * x.x + A[3] * x.y + A[4] * x.z,
        A[3] * x.x + A[1] * x.y + A[5] * x.z,
        A[4] * x.x + A[5] * x.y + A[2] * x.z,
    };
}

static void invert_inertia(const double A[6], double inverse[6])
{
    double xx = A[1] * A[2] - A[5] * A[5];
    double xy = A[4] * A[5] - A[3] * A[2];
    double xz = A[3] * A[5] - A[4] * A[1];
    double scale = 1 / (A[0] * xx + A[3] * xy + A[4] * xz);
    inverse[0] = scale * xx;
    inverse[1] = scale * (A[0] * A[2] - A[4] * A[4]);
    inverse[2] = scale * (A[0] * A[1] - A[3] * A[3]);
    inverse[3] = scale * xy;
    inverse[4] = scale * xz;
    inverse[5] = scale * (A[3] * A[4] - A[0] * A[5]);
}

// ---------------------------------------------------------------------------------------------
// Impulses

/// What the applied force does in one step, and how fast the body moves.
static void begin_body(const TactCertifyInput *input, int k, TactCertifyBody *body)
{
    const TactContactBody *raw = &input->problem->bodies[k];
    const double          *after = input->velocity + 6 * (size_t)k;
    *body = (TactCertifyBody){.inverse_mass = 1 / raw->mass};
    invert_inertia(raw->inertia, body->inverse);

    // The gyroscopic term is part of the torque.
    TactVec3 omega = vec3(raw->omega);
    TactVec3 spin = times(raw->inertia, omega);
    TactVec3 torque = tact_vec3_subtract(vec3(raw->torque), tact_vec3_cross(omega, spin));
    TactVec3 force = vec3(raw->force);
    double   parts[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int i = 0; i < 6; i++) {
        body->impulse[i] = input->h * parts[i];
    }
    body->load = input->h * tact_vec3_norm(force);
    body->moment = input->h * (tact_vec3_norm(vec3(raw->torque)) +
                               tact_vec3_norm(omega) * tact_vec3_norm(spin));
    body->spun = times(body->inverse, torque);
    body->twist = input->h * tact_vec3_norm(body->spun);
    body->free_push = body->load * body->inverse_mass;
    body->free_twist = body->twist;
    body->speed = tact_vec3_norm(vec3(after));
    body->spin = tact_vec3_norm(vec3(after + 3));
    body->given_speed = input->driven ? body->speed : 0;
    body->given_spin = input->driven ? body->spin : 0;
    if (input->problem->level == TACT_LEVEL_VELOCITY) {
        double linear = tact_vec3_norm(vec3(raw->velocity)), angular = tact_vec3_norm(omega);
        body->speed += linear;
        body->spin += angular;
        body->given_speed += linear;
        body->given_spin += angular;
    }
}

/// Force and torque of a row on a body.
static void push_body(TactCertifyBody *body, TactVec3 force, TactVec3 torque)
{
    tact_certify_add(&body->impulse[0], &body->rest[0], force.x);
    tact_certify_add(&body->impulse[1], &body->rest[1], force.y);
    tact_certify_add(&body->impulse[2], &body->rest[2], force.z);
    tact_certify_add(&body->impulse[3], &body->rest[3], torque.x);
    tact_certify_add(&body->impulse[4], &body->rest[4], torque.y);
    tact_certify_add(&body->impulse[5], &body->rest[5], torque.z);
    body->load += tact_vec3_norm(force);
    body->moment += tact_vec3_norm(torque);
    body->twist += tact_vec3_norm(times(body->inverse, torque));
}

static void push_row(TactCertifier *certifier, const TactCertifyInput *input, int i)
{
    const TactContactRow *row = &input->problem->rows[i];
    double                p = input->row_impulse[i];
    for (int side = 0; side < 2; side++) {
        int           body = side ? row->b : row->a;
        const double *J = side ? row->J_b : row->J_a;
        if (body >= 0) {
            TactVec3         force = tact_vec3_scale(p, vec3(J));
            TactVec3         torque = tact_vec3_scale(p, vec3(J + 3));
            TactCertifyBody *own = &certifier->bodies[body];
            push_body(own, force, torque);
            if (row->kind == TACT_ROW_MOTOR) { // given, as applied forces are
                own->free_push += tact_vec3_norm(force) * own->inverse_mass;
                own->free_twist += tact_vec3_norm(times(own->inverse, torque));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Dynamics

static double least_of(double a, double b)
{
    return a < b ? a : b;
}

/// Largest entry of M (v+ - v) - h f - J' p of a body, and the errors (6) of its two halves.
/// fastest is the speed of the fastest body of its island; fine that residual where impulses have a
/// low part (certify_fine.h), otherwise NULL.
static void check_body(const TactCertifyInput *input, int k, const TactCertifyBody *body,
                       const double *fine, double fastest, double *largest, double error[2])
{
    const TactContactBody *raw = &input->problem->bodies[k];
    const double          *after = input->velocity + 6 * (size_t)k;
    TactVec3               dv = vec3(after);
    TactVec3               dw = vec3(after + 3);
    if (input->problem->level == TACT_LEVEL_VELOCITY) {
        dv = tact_vec3_subtract(dv, vec3(raw->velocity));
        dw = tact_vec3_subtract(dw, vec3(raw->omega));
    }
    TactVec3 linear = tact_vec3_scale(raw->mass, dv);
    TactVec3 angular = times(raw->inertia, dw);
    double   gained[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    double   square[2] = {0, 0};
    double   left[6];
    for (int i = 0; i < 6; i++) {
        left[i] = (gained[i] - body->impulse[i]) - body->rest[i];
    }
    if (fine) {
        memcpy(left, fine, sizeof left);
    }
    for (int i = 0; i < 6; i++) {
        *largest = tact_larger(*largest, fabs(left[i]));
        square[i / 3] += left[i] * left[i];
    }
    double turning = raw->inertia[0] + raw->inertia[1] + raw->inertia[2]; // >= |I|
    double least = TACT_CERTIFY_ROUNDING * raw->mass * fastest;
    // Impulses that hold each other excuse no more than a hundred times what moves the island.
    double radius = sqrt(turning / raw->mass), most = TACT_CERTIFY_LOAD * raw->mass * fastest;
    double scale[2] = {
        least_of(TACT_CERTIFY_OTHERS * body->load, most) +
            TACT_CERTIFY_MOTION * raw->mass * body->speed + least,
        least_of(TACT_CERTIFY_OTHERS * body->moment, most * radius) +
            TACT_CERTIFY_MOTION * turning * body->spin + least * radius,
    };
    for (int half = 0; half < 2; half++) {
        double size = sqrt(square[half]);
        error[half] = size == 0 ? 0 : size / scale[half];
    }
}

/// Kinetic energy of a body before, free and after, and what it gained over the free motion, into
/// its island (14).
static void add_energy(TactCertifier *certifier, const TactCertifyInput *input, int k)
{
    const TactContactBody *raw = &input->problem->bodies[k];
    const TactCertifyBody *body = &certifier->bodies[k];
    TactCertifyIsland     *island = &certifier->islands[certifier->label[k]];
    const double          *after = input->velocity + 6 * (size_t)k;
    TactVec3               before = vec3(raw->velocity), omega = vec3(raw->omega);
    TactVec3               kick = tact_vec3_scale(input->h * body->inverse_mass, vec3(raw->force));
    TactVec3               linear = tact_vec3_add(before, kick);
    TactVec3               angular = tact_vec3_add(omega, tact_vec3_scale(input->h, body->spun));
    TactVec3 dv = tact_vec3_subtract(vec3(after), linear), sv = tact_vec3_add(vec3(after), linear);
    TactVec3 dw = tact_vec3_subtract(vec3(after + 3), angular);
    TactVec3 sw = tact_vec3_add(vec3(after + 3), angular);
    island->created +=
        0.5 * (raw->mass * tact_vec3_dot(dv, sv) + tact_vec3_dot(dw, times(raw->inertia, sw)));
    const TactVec3 v[3] = {before, linear, vec3(after)}, w[3] = {omega, angular, vec3(after + 3)};
    for (int i = 0; i < 3; i++) {
        island->energy += 0.5 * (raw->mass * tact_vec3_dot(v[i], v[i]) +
                                 tact_vec3_dot(w[i], times(raw->inertia, w[i])));
    }
}

static void begin_bodies(TactCertifier *certifier, const TactCertifyInput *input, double *largest,
                         double *error, int *worst)
{
    const TactContactProblem *problem = input->problem;
    for (int k = 0; k < problem->body_count; k++) {
        begin_body(input, k, &certifier->bodies[k]);
    }
    tact_certify_push(certifier, input);
    for (int i = 0; i < problem->row_count; i++) {
        push_row(certifier, input, i);
    }
    tact_certify_couple(certifier, input);
    for (int k = 0; k < problem->body_count; k++) {
        const TactCertifyBody *body = &certifier->bodies[k];
        double                *fastest = &certifier->islands[certifier->label[k]].fastest;
        *fastest = tact_larger(*fastest, body->free_push + body->speed);
    }
    for (int k = 0; k < problem->body_count; k++) {
        double           halves[2];
        TactCertifyBody *body = &certifier->bodies[k];
        body->push = body->load * body->inverse_mass;
        add_energy(certifier, input, k);
        const double *left = certifier->fine ? certifier->fine->left + 6 * (size_t)k : NULL;
        check_body(input, k, body, left, certifier->islands[certifier->label[k]].fastest, largest,
                   halves);
        for (int half = 0; half < 2; half++) {
            tact_certify_raise(halves[half], 6 * k + 3 * half, error, worst);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Points

static double normal(const TactCertifier *certifier, const TactCertifyInput *input, int i)
{
    (void)input;
    return certifier->points.normal[i];
}

static void velocity(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                     double u[3])
{
    (void)input;
    memcpy(u, certifier->u[i], 3 * sizeof *u);
}

static void scale(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                  TactCertifyScale *out)
{
    (void)input;
    out->weight = certifier->points.weight[i];
    out->others = certifier->points.others[i];
    out->motion = certifier->points.motion[i];
    out->floor = 0;
    out->own = certifier->points.own[i];
}

// ---------------------------------------------------------------------------------------------
// Rows

static double row_velocity(const TactCertifier *certifier, const TactCertifyInput *input, int i)
{
    (void)certifier;
    const TactContactRow *row = &input->problem->rows[i];
    double                u = 0;
    for (int side = 0; side < 2; side++) {
        int           k = side ? row->b : row->a;
        const double *J = side ? row->J_b : row->J_a;
        for (int j = 0; j < 6 && k >= 0; j++) {
            u += J[j] * input->velocity[6 * (size_t)k + (size_t)j];
        }
    }
    return u;
}

static TactCertifyScale row_scale(const TactCertifier *certifier, const TactCertifyInput *input,
                                  int i)
{
    const TactContactRow *row = &input->problem->rows[i];
    TactCertifyScale      out = {0};
    for (int side = 0; side < 2; side++) {
        int           k = side ? row->b : row->a;
        const double *J = side ? row->J_b : row->J_a;
        if (k >= 0) {
            const TactCertifyBody *body = &certifier->bodies[k];
            TactVec3               angular = vec3(J + 3);
            double                 l = tact_vec3_norm(vec3(J)), a = tact_vec3_norm(angular);
            double                 speed = l * body->speed + a * body->spin;
            double                 motion = l * (body->free_push + body->given_speed) +
                            a * (body->free_twist + body->given_spin);
            double weight =
                l * l * body->inverse_mass + tact_vec3_dot(angular, times(body->inverse, angular));
            out.weight += weight;
            out.others += TACT_CERTIFY_OTHERS * (l * body->push + a * body->twist) +
                          TACT_CERTIFY_MOTION * speed;
            out.motion += motion;
        }
    }
    return out;
}

const TactCertifyForm tact_certify_bodies = {
    .begin = begin_bodies,
    .points = tact_certify_points,
    .normal = normal,
    .velocity = velocity,
    .scale = scale,
    .row_velocity = row_velocity,
    .row_scale = row_scale,
};
