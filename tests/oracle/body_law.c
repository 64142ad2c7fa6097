#include "oracle/body_law.h"

#include <math.h>
#include <stdlib.h>

typedef long double Real;

// Part of the fastest body's speed that belongs to the size of a body at rest.
static const Real REST = 1e-5L;

typedef struct Body {
    Real inverse[3][3]; // I^-1
    Real before[6];     // v, omega
    Real after[6];      // with all impulses
    Real push, twist;   // sums of magnitudes: |v_free| + |p| / m, |omega_free| + |I^-1| |r| |p|
} Body;

static void cross(const Real a[3], const Real b[3], Real out[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

static Real dot(const Real a[3], const Real b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void times(Real A[3][3], const Real x[3], Real out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = dot(A[i], x);
    }
}

/// Rows of cofactors over the determinant, A symmetric.
static void invert(Real A[3][3], Real inverse[3][3])
{
    cross(A[1], A[2], inverse[0]);
    cross(A[2], A[0], inverse[1]);
    cross(A[0], A[1], inverse[2]);
    Real det = dot(A[0], inverse[0]);
    for (int i = 0; i < 9; i++) {
        inverse[i / 3][i % 3] /= det;
    }
}

static void begin_body(const TactContactBody *raw, Real h, Body *body)
{
    const double *I = raw->inertia;
    Real          A[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    Real          spin[3], gyro[3], torque[3], turn[3];
    invert(A, body->inverse);
    for (int i = 0; i < 3; i++) {
        body->before[i] = (Real)raw->velocity[i];
        body->before[3 + i] = (Real)raw->omega[i];
    }
    times(A, body->before + 3, spin);
    cross(body->before + 3, spin, gyro);
    for (int i = 0; i < 3; i++) {
        torque[i] = (Real)raw->torque[i] - gyro[i];
        body->after[i] = body->before[i] + h * (Real)raw->force[i] / (Real)raw->mass;
    }
    times(body->inverse, torque, turn);
    for (int i = 0; i < 3; i++) {
        body->after[3 + i] = body->before[3 + i] + h * turn[i];
    }
    body->push = sqrtl(dot(body->after, body->after));
    body->twist = sqrtl(dot(body->after + 3, body->after + 3));
}

/// Normal and tangents, as the problem has them.
static void frame_of(const TactContact *contact, Real frame[3][3])
{
    double rounded[3][3];
    tact_contact_compute_frame(contact, rounded);
    for (int i = 0; i < 9; i++) {
        frame[i / 3][i % 3] = (Real)rounded[i / 3][i % 3];
    }
}

static void arm_of(const TactContactProblem *problem, const TactContact *contact, int body,
                   Real arm[3])
{
    for (int i = 0; i < 3; i++) {
        arm[i] = (Real)contact->point[i] - (Real)problem->bodies[body].position[i];
    }
}

/// Adds the impulse of a contact to its bodies.
static void push(const TactContactProblem *problem, const TactContact *contact, const double p[3],
                 Body *bodies)
{
    Real frame[3][3], impulse[3] = {0, 0, 0};
    frame_of(contact, frame);
    for (int i = 0; i < 9; i++) {
        impulse[i % 3] += frame[i / 3][i % 3] * (Real)p[i / 3];
    }
    for (int side = 0; side < 2; side++) {
        int  b = side ? contact->b : contact->a;
        Real sign = side ? 1 : -1, arm[3], moment[3], turn[3];
        if (b < 0) {
            continue;
        }
        arm_of(problem, contact, b, arm);
        cross(arm, impulse, moment);
        times(bodies[b].inverse, moment, turn);
        for (int i = 0; i < 3; i++) {
            bodies[b].after[i] += sign * impulse[i] / (Real)problem->bodies[b].mass;
            bodies[b].after[3 + i] += sign * turn[i];
        }
        bodies[b].push += sqrtl(dot(impulse, impulse)) / (Real)problem->bodies[b].mass;
        bodies[b].twist += sqrtl(dot(turn, turn));
    }
}

/// What a contact needs of its bodies.
typedef struct Place {
    Real u[3];   // after the step
    Real before; // u_n before it
    Real w;      // mean of the diagonal of its block of W
    Real size;
} Place;

static void add_side(const TactContactProblem *problem, const TactContact *contact, int b,
                     const Body *body, Real sign, Place *place)
{
    Real frame[3][3], arm[3], inverse[3][3];
    frame_of(contact, frame);
    arm_of(problem, contact, b, arm);
    for (int i = 0; i < 9; i++) {
        inverse[i / 3][i % 3] = body->inverse[i / 3][i % 3];
    }
    for (int c = 0; c < 3; c++) {
        Real moment[3], turn[3];
        cross(arm, frame[c], moment);
        times(inverse, moment, turn);
        place->w += (1 / (Real)problem->bodies[b].mass + dot(moment, turn)) / 3;
        place->u[c] += sign * (dot(frame[c], body->after) + dot(moment, body->after + 3));
        if (c == 0) {
            place->before += sign * (dot(frame[0], body->before) + dot(moment, body->before + 3));
        }
    }
    place->size += body->push + sqrtl(dot(arm, arm)) * body->twist;
}

static Real judge(const TactContact *contact, const double raw[3], Place *place)
{
    Real p[3] = {(Real)raw[0], (Real)raw[1], (Real)raw[2]}, w = place->w;
    Real normal = place->u[0] + (Real)contact->bias + (Real)contact->compliance * p[0];
    normal += (Real)contact->restitution * fminl(place->before, 0);
    Real q[2], radius = (Real)contact->mu * fmaxl(p[0], 0);
    for (int c = 0; c < 2; c++) {
        q[c] = p[c + 1] - (place->u[c + 1] + (Real)contact->surface[c]) / w;
    }
    Real length = sqrtl(q[0] * q[0] + q[1] * q[1]), part = length > radius ? radius / length : 1;
    Real friction = w * hypotl(p[1] - part * q[0], p[2] - part * q[1]);
    Real worst = fmaxl(fmaxl(-normal, -w * p[0]), fminl(fabsl(normal), w * fabsl(p[0])));
    worst = fmaxl(worst, friction);
    return worst == 0 ? 0 : isfinite(worst) ? worst / place->size : HUGE_VALL;
}

double tact_oracle_body_law(const TactContactProblem *problem, const double *impulse)
{
    Body *bodies = calloc((size_t)problem->body_count + 1, sizeof *bodies);
    Real  worst = 0, fastest = 0;
    if (!bodies) {
        return HUGE_VAL;
    }
    for (int b = 0; b < problem->body_count; b++) {
        begin_body(&problem->bodies[b], (Real)problem->step, &bodies[b]);
        fastest = fmaxl(fastest, bodies[b].push);
    }
    for (int b = 0; b < problem->body_count; b++) {
        bodies[b].push += REST * fastest;
    }
    for (int i = 0; i < problem->contact_count; i++) {
        push(problem, &problem->contacts[i], impulse + 3 * i, bodies);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const TactContact *contact = &problem->contacts[i];
        Place              place = {0};
        if (contact->a >= 0) {
            add_side(problem, contact, contact->a, &bodies[contact->a], -1, &place);
        }
        if (contact->b >= 0) {
            add_side(problem, contact, contact->b, &bodies[contact->b], 1, &place);
        }
        Real own = judge(contact, impulse + 3 * i, &place);
        worst = own <= worst ? worst : own;
    }
    free(bodies);
    return (double)worst;
}
