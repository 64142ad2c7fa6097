// How free bodies move in an answer: from masses, points and frames.
//
// Velocities of a point are summed in plain double: what rounding makes of them, a few 1e-16 of
// |v| + |omega| |r|, is below 1e-12 of the scale (8). Sums over contacts are compensated.
#include <math.h>
#include <tact/math.h>

#include "base/clones.h"
#include "base/lanes4.h"
#include "contact/certify.h"
#include "contact/frame.h"

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

static void invert(const double A[6], double inverse[6])
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

static TactVec3 arm_of(const TactContactProblem *problem, int body, const TactContact *contact)
{
    return tact_vec3_subtract(vec3(contact->point), vec3(problem->bodies[body].position));
}

// ---------------------------------------------------------------------------------------------
// Impulses

/// What the applied force does in one step, and how fast the body moves.
static void begin_body(const TactCertifyInput *input, int k, TactCertifyBody *body)
{
    const TactContactBody *raw = &input->problem->bodies[k];
    const double          *after = input->velocity + 6 * (size_t)k;
    *body = (TactCertifyBody){.inverse_mass = 1 / raw->mass};
    invert(raw->inertia, body->inverse);

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
    body->twist = input->h * tact_vec3_norm(times(body->inverse, torque));
    body->free_push = body->load * body->inverse_mass;
    body->free_twist = body->twist;
    body->speed = tact_vec3_norm(vec3(after));
    body->spin = tact_vec3_norm(vec3(after + 3));
    body->given_speed = input->driven ? body->speed : 0;
    body->given_spin = input->driven ? body->spin : 0;
    if (input->problem->level == TACT_CONTACT_VELOCITY) {
        double linear = tact_vec3_norm(vec3(raw->velocity)), angular = tact_vec3_norm(omega);
        body->speed += linear;
        body->spin += angular;
        body->given_speed += linear;
        body->given_spin += angular;
    }
}

/// Force and torque of an impulse on a body; load is |F| and reach |r| |F|, of which the torque may
/// be little.
static void push(TactCertifyBody *body, TactVec3 force, TactVec3 torque, double load, double reach)
{
    tact_certify_add(&body->impulse[0], &body->rest[0], force.x);
    tact_certify_add(&body->impulse[1], &body->rest[1], force.y);
    tact_certify_add(&body->impulse[2], &body->rest[2], force.z);
    tact_certify_add(&body->impulse[3], &body->rest[3], torque.x);
    tact_certify_add(&body->impulse[4], &body->rest[4], torque.y);
    tact_certify_add(&body->impulse[5], &body->rest[5], torque.z);
    body->load += load;
    body->moment += reach;
    body->twist += tact_vec3_norm(times(body->inverse, torque));
}

static void push_contact(TactCertifier *certifier, const TactCertifyInput *input, int i)
{
    const TactContact *contact = &input->problem->contacts[i];
    const double      *p = input->impulse + 3 * (size_t)i;
    double(*frame)[3] = certifier->frames[i];
    tact_contact_frame(contact, frame);
    TactVec3 force = tact_vec3_scale(p[0], vec3(frame[0]));
    force = tact_vec3_add_scaled(force, p[1], vec3(frame[1]));
    force = tact_vec3_add_scaled(force, p[2], vec3(frame[2]));
    double load = tact_vec3_norm(force);
    for (int side = 0; side < 2; side++) {
        int body = side ? contact->b : contact->a;
        if (body >= 0) {
            TactVec3 arm = arm_of(input->problem, body, contact);
            TactVec3 own = side ? force : tact_vec3_negate(force);
            push(&certifier->bodies[body], own, tact_vec3_cross(arm, own), load,
                 tact_vec3_norm(arm) * load);
        }
    }
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
            push(own, force, torque, tact_vec3_norm(force), tact_vec3_norm(torque));
            if (row->kind == TACT_CONTACT_MOTOR) { // given, as applied forces are
                own->free_push += tact_vec3_norm(force) * own->inverse_mass;
                own->free_twist += tact_vec3_norm(times(own->inverse, torque));
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Dynamics

/// Largest entry of M (v+ - v) - h f - J' p of a body, and the errors (6) of its two halves.
/// fastest is the speed of the fastest body.
static void check_body(const TactCertifyInput *input, int k, const TactCertifyBody *body,
                       double fastest, double *largest, double error[2])
{
    const TactContactBody *raw = &input->problem->bodies[k];
    const double          *after = input->velocity + 6 * (size_t)k;
    TactVec3               dv = vec3(after);
    TactVec3               dw = vec3(after + 3);
    if (input->problem->level == TACT_CONTACT_VELOCITY) {
        dv = tact_vec3_subtract(dv, vec3(raw->velocity));
        dw = tact_vec3_subtract(dw, vec3(raw->omega));
    }
    TactVec3 linear = tact_vec3_scale(raw->mass, dv);
    TactVec3 angular = times(raw->inertia, dw);
    double   gained[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    double   square[2] = {0, 0};
    for (int i = 0; i < 6; i++) {
        double residual = (gained[i] - body->impulse[i]) - body->rest[i];
        *largest = fmax(*largest, fabs(residual));
        square[i / 3] += residual * residual;
    }
    double turning = raw->inertia[0] + raw->inertia[1] + raw->inertia[2]; // >= |I|
    double least = TACT_CERTIFY_ROUNDING * raw->mass * fastest;
    double scale[2] = {
        TACT_CERTIFY_OTHERS * body->load + TACT_CERTIFY_MOTION * raw->mass * body->speed + least,
        TACT_CERTIFY_OTHERS * body->moment + TACT_CERTIFY_MOTION * turning * body->spin +
            least * sqrt(turning / raw->mass),
    };
    for (int half = 0; half < 2; half++) {
        double size = sqrt(square[half]);
        error[half] = size == 0 ? 0 : size / scale[half];
    }
}

static void begin(TactCertifier *certifier, const TactCertifyInput *input, double *largest,
                  double *error, int *worst)
{
    const TactContactProblem *problem = input->problem;
    for (int k = 0; k < problem->body_count; k++) {
        begin_body(input, k, &certifier->bodies[k]);
    }
    for (int i = 0; i < problem->contact_count; i++) {
        const double *p = input->impulse + 3 * (size_t)i;
        if (p[0] != 0 || p[1] != 0 || p[2] != 0) {
            push_contact(certifier, input, i);
        }
    }
    for (int i = 0; i < problem->row_count; i++) {
        push_row(certifier, input, i);
    }
    double fastest = 0;
    for (int k = 0; k < problem->body_count; k++) {
        const TactCertifyBody *body = &certifier->bodies[k];
        fastest = fmax(fastest, body->free_push + body->speed);
    }
    for (int k = 0; k < problem->body_count; k++) {
        double           halves[2];
        TactCertifyBody *body = &certifier->bodies[k];
        body->push = body->load * body->inverse_mass;
        check_body(input, k, body, fastest, largest, halves);
        for (int half = 0; half < 2; half++) {
            tact_certify_raise(halves[half], 6 * k + 3 * half, error, worst);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Points

/// Velocity of b against a at a contact.
static TactVec3 relative_velocity(const TactCertifyInput *input, const TactContact *contact)
{
    TactVec3 u[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int side = 0; side < 2; side++) {
        int body = side ? contact->b : contact->a;
        if (body >= 0) {
            const double *after = input->velocity + 6 * (size_t)body;
            TactVec3      arm = arm_of(input->problem, body, contact);
            u[side] = tact_vec3_add(vec3(after), tact_vec3_cross(vec3(after + 3), arm));
        }
    }
    return tact_vec3_subtract(u[1], u[0]);
}

static double normal(const TactCertifyInput *input, int i)
{
    const TactContact *contact = &input->problem->contacts[i];
    TactVec3           n = vec3(contact->normal);
    double             length = tact_contact_inverse_length(tact_vec3_dot(n, n));
    return length * tact_vec3_dot(n, relative_velocity(input, contact));
}

/// Entry k of a vector of each of four contacts.
#define FOUR(contact, field, k)                                                       \
    ((TactLanes){(contact)[0].field[k], (contact)[1].field[k], (contact)[2].field[k], \
                 (contact)[3].field[k]})

/// normal() of four contacts between the same bodies: the same operations on each. false: a normal
/// is not of length 1.
TACT_CLONES static bool four_normals(const TactCertifyInput *input, const TactContact *contact,
                                     double *out)
{
    TactLanes none = TACT_LANES_ALL(0.0);
    TactLanes u[2][3] = {{none, none, none}, {none, none, none}};
    TactLanes x = FOUR(contact, point, 0), y = FOUR(contact, point, 1);
    TactLanes z = FOUR(contact, point, 2);
    for (int side = 0; side < 2; side++) {
        int body = side ? contact->b : contact->a;
        if (body >= 0) {
            const double *v = input->velocity + 6 * (size_t)body;
            const double *centre = input->problem->bodies[body].position;
            TactLanes     rx = x - centre[0], ry = y - centre[1], rz = z - centre[2];
            u[side][0] = v[0] + (v[4] * rz - v[5] * ry);
            u[side][1] = v[1] + (v[5] * rx - v[3] * rz);
            u[side][2] = v[2] + (v[3] * ry - v[4] * rx);
        }
    }
    TactLanes nx = FOUR(contact, normal, 0), ny = FOUR(contact, normal, 1);
    TactLanes nz = FOUR(contact, normal, 2);
    TactLanes square = nx * nx + ny * ny + nz * nz;
    TactMask  unit = TACT_LANES_ABS(square - 1) < 1e-8;
    TACT_LANES_PUT(out) =
        (1.5 - 0.5 * square) *
        (nx * (u[1][0] - u[0][0]) + ny * (u[1][1] - u[0][1]) + nz * (u[1][2] - u[0][2]));
    return unit[0] & unit[1] & unit[2] & unit[3];
}

static void normals(const TactCertifyInput *input, double *u)
{
    const TactContact *contact = input->problem->contacts;
    int                count = input->problem->contact_count;
    for (int i = 0; i < count;) {
        bool four = i + 4 <= count;
        for (int k = i + 1; k < i + 4 && four; k++) {
            four = contact[k].a == contact[i].a && contact[k].b == contact[i].b;
        }
        if (four && four_normals(input, contact + i, u + i)) {
            i += 4;
        } else {
            u[i] = normal(input, i);
            i++;
        }
    }
}

static void velocity(const TactCertifier *certifier, const TactCertifyInput *input, int i,
                     double u[3])
{
    TactVec3 relative = relative_velocity(input, &input->problem->contacts[i]);
    for (int k = 0; k < 3; k++) {
        u[k] = tact_vec3_dot(vec3(certifier->frames[i][k]), relative);
    }
}

/// The mean of n' W_ii n over all directions n of a contact: a body gives it 1 / m and, with A its
/// inverse inertia and r the arm, (|r|^2 tr A - r'A r) / 3.
static TactCertifyScale scale(const TactCertifier *certifier, const TactCertifyInput *input, int i)
{
    const TactContact *contact = &input->problem->contacts[i];
    TactCertifyScale   out = {0};
    for (int side = 0; side < 2; side++) {
        int k = side ? contact->b : contact->a;
        if (k >= 0) {
            const TactCertifyBody *body = &certifier->bodies[k];
            const double          *A = body->inverse;
            TactVec3               arm = arm_of(input->problem, k, contact);
            double                 square = tact_vec3_dot(arm, arm);
            double                 r = sqrt(square);
            double                 trace = A[0] + A[1] + A[2];
            double                 turning = square * trace - tact_vec3_dot(arm, times(A, arm));
            double                 speed = body->speed + r * body->spin;
            double                 weight = body->inverse_mass + turning / 3;
            double                 motion =
                body->free_push + body->given_speed + r * (body->free_twist + body->given_spin);
            out.weight += weight;
            out.others +=
                TACT_CERTIFY_OTHERS * (body->push + r * body->twist) + TACT_CERTIFY_MOTION * speed;
            out.motion += motion;
        }
    }
    return out;
}

static double row_velocity(const TactCertifyInput *input, int i)
{
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
    .begin = begin,
    .normals = normals,
    .normal = normal,
    .velocity = velocity,
    .scale = scale,
    .row_velocity = row_velocity,
    .row_scale = row_scale,
};
