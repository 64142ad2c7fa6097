// Random contact problems made from their answers.
//
// Bodies and contacts are drawn at random; v+ is a common rigid motion (contacts stick) to which
// the last body adds a motion of its own (its contacts slide); impulses are drawn from the cone;
// the applied forces are then what makes the dynamics hold.
#ifndef TESTS_CONTACT_MADE_H
#define TESTS_CONTACT_MADE_H

#include "scenes.h"

typedef struct Made {
    Scene  scene;
    double p[3 * SCENE_CONTACTS];
    double v[6 * SCENE_BODIES];
} Made;

typedef struct MadeKind {
    TactContactCone cone;
    double          ratio; // of masses, from the first body to the last
    double          speed; // of the common motion, m/s
} MadeKind;

static inline void made_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// I = R' diag R by three Jacobi turns of a diagonal one.
static inline void made_random_inertia(TactRandom *random, double mass, double inertia[6])
{
    double A[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
        A[k][k] = mass * tact_random_uniform(random, 0.05, 1);
    }
    for (int turn = 0; turn < 3; turn++) {
        int    i = turn, j = (turn + 1) % 3;
        double t = tact_random_uniform(random, 0, 3), c = cos(t), s = sin(t);
        for (int k = 0; k < 3; k++) {
            double x = A[i][k], y = A[j][k];
            A[i][k] = c * x - s * y, A[j][k] = s * x + c * y;
        }
        for (int k = 0; k < 3; k++) {
            double x = A[k][i], y = A[k][j];
            A[k][i] = c * x - s * y, A[k][j] = s * x + c * y;
        }
    }
    double six[6] = {A[0][0], A[1][1], A[2][2], A[0][1], A[0][2], A[1][2]};
    memcpy(inertia, six, sizeof six);
}

static inline void made_draw_bodies(TactRandom *random, const MadeKind *kind, Made *made)
{
    enum { BODIES = 4 };
    double V[3], turn[3];
    for (int i = 0; i < 3; i++) {
        V[i] = kind->speed * tact_random_normal(random);
        turn[i] = kind->speed * tact_random_normal(random);
    }
    for (int k = 0; k < BODIES; k++) {
        TactContactBody *body = &made->scene.bodies[made->scene.problem.body_count++];
        double          *v = made->v + 6 * k;
        body->mass = pow(kind->ratio, (double)k / (BODIES - 1));
        made_random_inertia(random, body->mass, body->inertia);
        for (int i = 0; i < 3; i++) {
            body->position[i] = tact_random_uniform(random, -1, 1);
        }
        made_cross(turn, body->position, v);
        for (int i = 0; i < 3; i++) {
            v[i] += V[i];
            v[3 + i] = turn[i];
            if (k == BODIES - 1) { // the last one slides
                v[i] += tact_random_normal(random);
                v[3 + i] += tact_random_normal(random);
            }
            body->velocity[i] = v[i] + 0.01 * tact_random_normal(random);
            body->omega[i] = v[3 + i] + 0.01 * tact_random_normal(random);
        }
    }
}

static inline void made_relative_velocity(const Made *made, const TactContact *contact, double u[3])
{
    double frame[3][3], speed[3] = {0};
    tact_contact_compute_frame(contact, frame);
    for (int side = 0; side < 2; side++) {
        int           body = side ? contact->b : contact->a;
        const double *v = made->v + 6 * body;
        double        arm[3], turning[3];
        for (int i = 0; i < 3; i++) {
            arm[i] = contact->point[i] - made->scene.bodies[body].position[i];
        }
        made_cross(v + 3, arm, turning);
        for (int i = 0; i < 3; i++) {
            speed[i] += (side ? 1 : -1) * (v[i] + turning[i]);
        }
    }
    for (int k = 0; k < 3; k++) {
        u[k] = 0;
        for (int i = 0; i < 3; i++) {
            u[k] += frame[k][i] * speed[i];
        }
    }
}

/// Friction that obeys the law: inside the cone for stick, along the direction that opposes slip
/// most otherwise. Pyramids have their direction 0 there.
static inline void made_draw_friction(TactRandom *random, const MadeKind *kind,
                                      TactContact *contact, bool slides, const double u[3],
                                      double p[3])
{
    double most = contact->mu * p[0];
    if (!slides) {
        double angle = tact_random_uniform(random, 0, 6),
               part = tact_random_uniform(random, 0, 0.7);
        p[1] = part * most * cos(angle);
        p[2] = part * most * sin(angle);
    } else if (kind->cone == TACT_CONE_BOX) {
        p[1] = u[1] > 0 ? -most : most;
        p[2] = u[2] > 0 ? -most : most;
    } else {
        double speed = hypot(u[1], u[2]);
        p[1] = -most * u[1] / speed;
        p[2] = -most * u[2] / speed;
        contact->turn = atan2(p[2], p[1]);
    }
}

static inline void made_draw_contacts(TactRandom *random, const MadeKind *kind, Made *made)
{
    int bodies = made->scene.problem.body_count;
    for (int i = 0; i < 12; i++) {
        int          a = i % bodies, b = (a + 1 + i / bodies % (bodies - 1)) % bodies;
        double       x = tact_random_uniform(random, -1, 1), y = tact_random_uniform(random, -1, 1);
        TactContact *contact = scene_add_contact(&made->scene, a, b, x, y, x * y, 0.5);
        double       angle = tact_random_uniform(random, 0, 6);
        contact->normal[0] = 0.6 * cos(angle);
        contact->normal[1] = 0.6 * sin(angle);
        contact->normal[2] = 0.8;
        bool    slides = a == bodies - 1 || b == bodies - 1;
        double *p = made->p + 3 * i;
        double  u[3] = {0, 0, 0};
        if (slides) {
            made_relative_velocity(made, contact, u);
            contact->bias = -u[0];
        }
        if (i % 4 == 3) { // open
            contact->bias = slides ? contact->bias + 0.1 : 0.1;
            continue;
        }
        double mass = fmin(made->scene.bodies[a].mass, made->scene.bodies[b].mass);
        p[0] = mass * GRAVITY * 0.01 * tact_random_uniform(random, 0.1, 1);
        made_draw_friction(random, kind, contact, slides, u, p);
    }
}

/// J' p of a body, added to out.
static inline void made_add_impulse(const Made *made, int body, const double *p, double out[6])
{
    for (int i = 0; i < made->scene.problem.contact_count; i++) {
        const TactContact *contact = &made->scene.contacts[i];
        if (contact->a != body && contact->b != body) {
            continue;
        }
        double frame[3][3], force[3] = {0}, arm[3], moment[3];
        tact_contact_compute_frame(contact, frame);
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                force[j] += (contact->b == body ? 1 : -1) * frame[k][j] * p[3 * i + k];
            }
            arm[j] = contact->point[j] - made->scene.bodies[body].position[j];
        }
        made_cross(arm, force, moment);
        for (int j = 0; j < 3; j++) {
            out[j] += force[j];
            out[3 + j] += moment[j];
        }
    }
}

static inline void made_times_inertia(const double A[6], const double x[3], double out[3])
{
    out[0] = A[0] * x[0] + A[3] * x[1] + A[4] * x[2];
    out[1] = A[3] * x[0] + A[1] * x[1] + A[5] * x[2];
    out[2] = A[4] * x[0] + A[5] * x[1] + A[2] * x[2];
}

/// The applied force with which M (v+ - v) = h f + J' p.
static inline void made_set_forces(Made *made)
{
    for (int k = 0; k < made->scene.problem.body_count; k++) {
        TactContactBody *body = &made->scene.bodies[k];
        double           impulse[6] = {0}, dw[3], gained[3], spin[3], gyro[3];
        made_add_impulse(made, k, made->p, impulse);
        for (int i = 0; i < 3; i++) {
            dw[i] = made->v[6 * k + 3 + i] - body->omega[i];
        }
        made_times_inertia(body->inertia, dw, gained);
        made_times_inertia(body->inertia, body->omega, spin);
        made_cross(body->omega, spin, gyro);
        for (int i = 0; i < 3; i++) {
            double dv = made->v[6 * k + i] - body->velocity[i];
            body->force[i] = (body->mass * dv - impulse[i]) / made->scene.problem.step;
            body->torque[i] = (gained[i] - impulse[3 + i]) / made->scene.problem.step + gyro[i];
        }
    }
}

static inline void made_create(TactRandom *random, const MadeKind *kind, Made *made)
{
    *made = (Made){0};
    scene_clear(&made->scene);
    made_draw_bodies(random, kind, made);
    made_draw_contacts(random, kind, made);
    made_set_forces(made);
}

/// Change of v+ of a body by an impulse: M^-1 of it, by Cramer's rule.
static inline void made_add_velocity(const TactContactBody *body, const double impulse[6],
                                     double v[6])
{
    const double *A = body->inertia;
    double        M[3][3] = {{A[0], A[3], A[4]}, {A[3], A[1], A[5]}, {A[4], A[5], A[2]}};
    double        c[3], det;
    made_cross(M[1], M[2], c);
    det = M[0][0] * c[0] + M[0][1] * c[1] + M[0][2] * c[2];
    for (int k = 0; k < 3; k++) {
        double inverse_row[3]; // M is symmetric
        made_cross(M[(k + 1) % 3], M[(k + 2) % 3], inverse_row);
        v[k] += impulse[k] / body->mass;
        v[3 + k] += (inverse_row[0] * impulse[3] + inverse_row[1] * impulse[4] +
                     inverse_row[2] * impulse[5]) /
                    det;
    }
}

#endif
