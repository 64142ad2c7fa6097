// The certificate of one body against the world, recomputed from the raw problem: what
// tact_contact_certify() says of it, as scalar code for C and C++ (CUDA). The law is that of
// contact/law_lanes.h; equations are those of docs/theory/contact-certificate.md.
#ifndef TACT_GPU_BODY_CERTIFICATE_H
#define TACT_GPU_BODY_CERTIFICATE_H

#ifndef TACT_LANES_ONE
#error "define TACT_LANES_ONE first: this file is scalar code"
#endif

#include "contact/law_lanes.h"
#include "gpu/body/body.h"
#include "gpu/judge.h"

/// What a body feels and how it moves, as TactCertifyBody.
typedef struct TactBodyFelt {
    double impulse[6], rest[6];
    double load, moment;            // sums of |F|, |r| |F|
    double push, twist;             // velocities: load / m, sum of |I^-1 r x F|
    double free_push, free_twist;   // of these what is applied
    double speed, spin;             // |v| + |v+|, |omega| + |omega+|
    double given_speed, given_spin; // |v|, |omega|
} TactBodyFelt;

TACT_HD void tact_body_feel(const TactBodyMotion *body, const double after[6], TactBodyFelt *felt)
{
    double turned[3];
    tact_body_times(body->inverse, body->force + 3, turned);
    for (int k = 0; k < 6; k++) {
        felt->impulse[k] = body->force[k];
        felt->rest[k] = 0;
    }
    felt->load = tact_body_norm(body->force);
    felt->moment = body->moment;
    felt->twist = tact_body_norm(turned);
    felt->free_push = felt->load / body->mass;
    felt->free_twist = felt->twist;
    felt->given_speed = tact_body_norm(body->before);
    felt->given_spin = tact_body_norm(body->before + 3);
    felt->speed = felt->given_speed + tact_body_norm(after);
    felt->spin = felt->given_spin + tact_body_norm(after + 3);
    felt->push = 0;
}

/// The answer of one contact.
typedef struct TactBodyTouch {
    TactBodyContact raw;
    double          p[3];
    int             loaded;
} TactBodyTouch;

TACT_HD void tact_body_load_touch(const TactBodyProblems *all, const TactBodyAnswers *answers,
                                  const double centre[3], int i, int contact, TactBodyTouch *touch)
{
    size_t stride = (size_t)all->stride, at = 3 * (size_t)contact * stride + (size_t)i;
    tact_body_load_contact(all, centre, i, contact, &touch->raw);
    touch->loaded = 0;
    for (int k = 0; k < 3; k++) {
        touch->p[k] = answers->impulse[at + (size_t)k * stride];
        touch->loaded |= touch->p[k] != 0;
    }
}

/// What the impulse of a contact does to the body.
typedef struct TactBodyPush {
    double force[3], torque[3];
    double turned; // |I^-1 torque|
    double own;    // velocity that it gives to the body at the contact
} TactBodyPush;

TACT_HD TactBodyPush tact_body_find_push(const TactBodyMotion *body, const TactBodyTouch *touch)
{
    TactBodyPush out;
    double       turned[3], moved[3];
    for (int k = 0; k < 3; k++) {
        out.force[k] = touch->p[0] * touch->raw.frame[0][k] + touch->p[1] * touch->raw.frame[1][k] +
                       touch->p[2] * touch->raw.frame[2][k];
    }
    tact_body_cross(touch->raw.arm, out.force, out.torque);
    tact_body_times(body->inverse, out.torque, turned);
    tact_body_cross(turned, touch->raw.arm, moved);
    for (int k = 0; k < 3; k++) {
        moved[k] += out.force[k] / body->mass;
    }
    out.turned = tact_body_norm(turned);
    out.own = tact_body_norm(moved);
    return out;
}

/// Adds the impulse of a contact.
TACT_HD void tact_body_feel_contact(const TactBodyMotion *body, const TactBodyTouch *touch,
                                    TactBodyFelt *felt)
{
    TactBodyPush push = tact_body_find_push(body, touch);
    double       size = tact_body_norm(push.force);
    for (int k = 0; k < 3; k++) {
        tact_body_add(&felt->impulse[k], &felt->rest[k], push.force[k]);
        tact_body_add(&felt->impulse[3 + k], &felt->rest[3 + k], push.torque[k]);
    }
    felt->load += size;
    felt->moment += tact_body_norm(touch->raw.arm) * size;
    felt->twist += push.turned;
}

/// (5), (6): error of the two halves of the dynamics.
TACT_HD double tact_body_judge_dynamics(const TactBodyMotion *body, const double after[6],
                                        const TactBodyFelt *felt)
{
    double dv[3], dw[3], angular[3], square[2] = {0, 0}, worst = 0;
    for (int k = 0; k < 3; k++) {
        dv[k] = after[k] - body->before[k];
        dw[k] = after[3 + k] - body->before[3 + k];
    }
    tact_body_times(body->inertia, dw, angular);
    for (int k = 0; k < 3; k++) {
        double linear = (body->mass * dv[k] - felt->impulse[k]) - felt->rest[k];
        double turn = (angular[k] - felt->impulse[3 + k]) - felt->rest[3 + k];
        square[0] += linear * linear;
        square[1] += turn * turn;
    }
    double turning = body->inertia[0] + body->inertia[1] + body->inertia[2];
    double fastest = felt->free_push + felt->speed, radius = sqrt(turning / body->mass);
    double least = TACT_BODY_ROUNDING * body->mass * fastest;
    double most = TACT_BODY_LOAD * body->mass * fastest;
    double scale[2] = {
        fmin(TACT_BODY_OTHERS * felt->load, most) + TACT_BODY_MOTION * body->mass * felt->speed +
            least,
        fmin(TACT_BODY_OTHERS * felt->moment, most * radius) +
            TACT_BODY_MOTION * turning * felt->spin + least * radius,
    };
    for (int half = 0; half < 2; half++) {
        double size = sqrt(square[half]), error = size == 0 ? 0 : size / scale[half];
        worst = !(error <= worst) ? error : worst;
    }
    return worst;
}

TACT_HD double tact_body_kinetic(const TactBodyMotion *body, const double a[6], const double b[6])
{
    double spin[3];
    tact_body_times(body->inertia, b + 3, spin);
    return 0.5 * (body->mass * tact_body_dot(a, b) + tact_body_dot(a + 3, spin));
}

TACT_HD void tact_body_begin_energy(const TactBodyMotion *body, const double after[6],
                                    TactBodyEnergy *energy)
{
    double less[6], sum[6];
    for (int k = 0; k < 6; k++) {
        less[k] = after[k] - body->free[k];
        sum[k] = after[k] + body->free[k];
    }
    energy->created = tact_body_kinetic(body, less, sum);
    energy->all = tact_body_kinetic(body, body->before, body->before) +
                  tact_body_kinetic(body, body->free, body->free) +
                  tact_body_kinetic(body, after, after);
    energy->gap = 0;
}

/// u of a contact: n, 1, 2, bias included.
TACT_HD void tact_body_slip(const double after[6], const TactBodyContact *contact, double u[3])
{
    double velocity[3];
    tact_body_cross(after + 3, contact->arm, velocity);
    for (int k = 0; k < 3; k++) {
        velocity[k] += after[k];
    }
    for (int k = 0; k < 3; k++) {
        u[k] = tact_body_dot(contact->frame[k], velocity);
    }
    u[0] += contact->bias;
}

/// m of (13): how a contact moves without contact forces.
TACT_HD double tact_body_find_motion(const TactBodyFelt *felt, const TactBodyContact *contact)
{
    return felt->free_push + felt->given_speed +
           tact_body_norm(contact->arm) * (felt->free_twist + felt->given_spin) +
           fabs(contact->bias);
}

/// (7), (8): weight of a contact, and its scale but for what its own impulse does.
TACT_HD double tact_body_weigh(const TactBodyMotion *body, const double after[6],
                               const TactBodyFelt *felt, const TactBodyContact *contact,
                               double *scale)
{
    const double *r = contact->arm, *A = body->inverse;
    double        now[3], before[3], turned[3], moving = 0;
    tact_body_cross(after + 3, r, now);
    tact_body_cross(body->before + 3, r, before);
    for (int k = 0; k < 3; k++) {
        now[k] += after[k];
        before[k] += body->before[k];
        moving += now[k] * now[k] + before[k] * before[k];
    }
    tact_body_times(A, r, turned);
    double square = tact_body_dot(r, r), arm = sqrt(square);
    *scale = TACT_BODY_OTHERS * (felt->push + arm * felt->twist + fabs(contact->bias)) +
             TACT_BODY_MOTION * sqrt(moving) +
             TACT_BODY_ROUNDING * (felt->speed + arm * felt->spin);
    return 1 / body->mass + (square * (A[0] + A[1] + A[2]) - tact_body_dot(r, turned)) / 3;
}

/// (9), (12): error of a contact; its energies are added. motion: the largest (13) of all.
TACT_HD double tact_body_judge_contact(const TactBodyMotion *body, const double after[6],
                                       const TactBodyFelt *felt, const TactBodyTouch *touch,
                                       const TactCertifyPyramid *pyramid, double motion,
                                       TactBodyEnergy *energy)
{
    double u[3], scale, residual, lift, gap;
    double weight = tact_body_weigh(body, after, felt, &touch->raw, &scale);
    tact_body_slip(after, &touch->raw, u);
    if (!touch->loaded) {
        residual = u[0] < 0 ? -u[0] : 0;
    } else {
        TactCertifyCones cones;
        cones.mu = touch->raw.mu;
        cones.stretch = 1;
        cones.pyramid = touch->raw.mu > 0 ? pyramid : NULL;
        double push = weight * tact_body_norm(touch->p), given = -touch->p[0] * touch->raw.bias;
        tact_law_support(&cones, u + 1, &lift);
        tact_law_miss(&cones, touch->p, u, &weight, &push, &lift, &residual);
        tact_law_work(touch->p, u, &gap);
        scale += tact_body_find_push(body, touch).own;
        energy->gap = !(gap <= energy->gap) ? gap : energy->gap;
        energy->all += fabs(given);
        energy->created -= given;
    }
    scale += TACT_BODY_ROUNDING * motion;
    scale = scale < TACT_BODY_AMPLIFY * motion ? scale : TACT_BODY_AMPLIFY * motion;
    return residual == 0 ? 0 : residual / scale;
}

/// Where nothing of its own moves the contacts, the body does.
TACT_HD double tact_body_move(const TactBodyMotion *body, const TactBodyFelt *felt)
{
    double turning = body->inertia[0] + body->inertia[1] + body->inertia[2];
    return felt->free_push + felt->given_speed +
           (felt->free_twist + felt->given_spin) * sqrt(turning / body->mass);
}

/// `error` of an answer; NaN or infinity anywhere makes it infinite. pyramid NULL: the circle.
TACT_HD double tact_body_certify(const TactBodyProblems *all, const TactBodyAnswers *answers, int i,
                                 const TactCertifyPyramid *pyramid)
{
    double         after[6], u[3], unfinite = 0, motion = 0;
    TactBodyMotion body;
    TactBodyFelt   felt;
    TactBodyEnergy energy;
    TactBodyTouch  touch;
    tact_body_load(all, i, &body);
    for (int k = 0; k < 6; k++) {
        after[k] = answers->velocity[(size_t)k * (size_t)all->stride + (size_t)i];
        unfinite += 0 * after[k];
    }
    tact_body_feel(&body, after, &felt);
    TACT_ROLLED for (int c = 0; c < all->contacts; c++)
    {
        tact_body_load_touch(all, answers, body.centre, i, c, &touch);
        unfinite += 0 * touch.p[0] + 0 * touch.p[1] + 0 * touch.p[2];
        tact_body_slip(after, &touch.raw, u);
        if (touch.loaded) {
            tact_body_feel_contact(&body, &touch, &felt);
        }
        if (touch.loaded || u[0] < 0) {
            double own = tact_body_find_motion(&felt, &touch.raw);
            motion = own > motion ? own : motion;
        }
    }
    felt.push = felt.load / body.mass;
    motion = motion == 0 ? tact_body_move(&body, &felt) : motion;
    double error = tact_body_judge_dynamics(&body, after, &felt);
    tact_body_begin_energy(&body, after, &energy);
    TACT_ROLLED for (int c = 0; c < all->contacts; c++)
    {
        tact_body_load_touch(all, answers, body.centre, i, c, &touch);
        double own = tact_body_judge_contact(&body, after, &felt, &touch, pyramid, motion, &energy);
        error = !(own <= error) ? own : error;
    }
    double created = energy.created > 0 ? energy.created / energy.all : 0;
    double gap = energy.gap > 0 ? energy.gap / (TACT_BODY_GAP * energy.all) : 0;
    error = !(created <= error) ? created : error;
    error = !(gap <= error) ? gap : error;
    int finite = unfinite == 0 && error == error && energy.all * 0 == 0;
    return finite ? error : (double)INFINITY;
}

#endif
