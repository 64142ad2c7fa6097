// The frame of a contact between bodies, and how its bodies move before the step.
#include "contact/problem/frame.h"

#include <math.h>
#include <tact/math.h>

static TactVec3 vec3(const double *x)
{
    return (TactVec3){x[0], x[1], x[2]};
}

/// Tangents cannot turn continuously over the whole sphere of normals. Here they follow the x axis,
/// and the y axis within 26 degrees of it: the two circles where they jump are far from the walls
/// and floors of a scene and from slopes of 30, 45 and 60 degrees, where a last bit of the normal
/// must not turn the frame.
static TactVec3 choose_tangent(TactVec3 normal)
{
    bool     along_x = fabs(normal.x) <= 0.9;
    TactVec3 axis = {along_x ? 1 : 0, along_x ? 0 : 1, 0};
    double   part = along_x ? normal.x : normal.y;
    TactVec3 t = tact_vec3_add_scaled(axis, -part, normal);
    return tact_vec3_scale(1 / sqrt(tact_vec3_dot(t, t)), t);
}

/// The part of x across a unit normal, made unit. The second pass takes out what rounding left of
/// the normal when x lies close to it.
static TactVec3 across(TactVec3 x, TactVec3 normal)
{
    double part = tact_vec3_dot(x, normal), square = tact_vec3_dot(x, x);
    if (fabs(part) < TACT_CONTACT_NEAR_UNIT && fabs(square - 1) < TACT_CONTACT_NEAR_UNIT) {
        x = tact_vec3_add_scaled(x, -part, normal); // it was that but for rounding: no root
        return tact_vec3_scale(1.5 - 0.5 * tact_vec3_dot(x, x), x);
    }
    x = tact_vec3_normalise(x);
    for (int pass = 0; pass < 2; pass++) {
        x = tact_vec3_add_scaled(x, -tact_vec3_dot(x, normal), normal);
        x = tact_vec3_normalise(x);
    }
    return x;
}

void tact_contact_compute_frame(const TactContact *contact, double frame[3][3])
{
    TactVec3 n = vec3(contact->normal);
    TactVec3 t = vec3(contact->tangent);
    n = tact_vec3_scale(tact_contact_inverse_length(tact_vec3_dot(n, n)), n);
    bool     given = t.x != 0 || t.y != 0 || t.z != 0;
    TactVec3 t1 = given ? across(t, n) : choose_tangent(n);
    TactVec3 t2 = tact_vec3_cross(n, t1);
    // One by one: loops over a copy make compilers load what was just stored in parts.
    frame[0][0] = n.x, frame[0][1] = n.y, frame[0][2] = n.z;
    frame[1][0] = t1.x, frame[1][1] = t1.y, frame[1][2] = t1.z;
    frame[2][0] = t2.x, frame[2][1] = t2.y, frame[2][2] = t2.z;
}

// ---------------------------------------------------------------------------------------------
// Before the step

/// sign (v + omega x arm) of a body at a contact point along the rows of a frame; |v|, |omega|
/// |arm| into size.
static void add_body_point(const TactContactBody *body, const TactContact *contact, double sign,
                           double frame[3][3], double u[3], double size[3])
{
    TactVec3 arm = tact_vec3_subtract(vec3(contact->point), vec3(body->position));
    TactVec3 turning = tact_vec3_cross(vec3(body->omega), arm);
    TactVec3 speed = tact_vec3_add(vec3(body->velocity), turning);
    double   most = tact_vec3_norm(vec3(body->velocity)) +
                  tact_vec3_norm(vec3(body->omega)) * tact_vec3_norm(arm);
    for (int k = 0; k < 3; k++) {
        u[k] += sign * tact_vec3_dot(vec3(frame[k]), speed);
        size[k] += most;
    }
}

void tact_contact_velocity(const TactContactProblem *problem, int contact, double u[3],
                           double size[3])
{
    const TactContact *c = &problem->contacts[contact];
    for (int k = 0; k < 3; k++) {
        u[k] = size[k] = 0;
    }
    if (problem->M) {
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < problem->nv; i++) {
                double part = c->J[(size_t)k * (size_t)problem->nv + (size_t)i] * problem->v[i];
                u[k] += part;
                size[k] += fabs(part);
            }
        }
    } else if (problem->bodies) {
        double frame[3][3];
        tact_contact_compute_frame(c, frame);
        if (c->a >= 0) {
            add_body_point(&problem->bodies[c->a], c, -1, frame, u, size);
        }
        if (c->b >= 0) {
            add_body_point(&problem->bodies[c->b], c, 1, frame, u, size);
        }
    }
    for (int k = 0; k < 2 && !problem->W; k++) {
        u[1 + k] += c->surface[k];
        size[1 + k] += fabs(c->surface[k]);
    }
}

void tact_contact_add_point(const TactContactBody *body, const TactContact *contact, double sign,
                            double u[3])
{
    double frame[3][3], size[3] = {0, 0, 0};
    tact_contact_compute_frame(contact, frame);
    add_body_point(body, contact, sign, frame, u, size);
}

// Slip below this part of the velocities that it is the difference of has no direction.
static const double SLIPS = 1e-9;

bool tact_contact_slides(const TactContactProblem *problem, int contact, double direction[2])
{
    double u[3], size[3];
    tact_contact_velocity(problem, contact, u, size);
    double speed = hypot(u[1], u[2]);
    if (!(speed > SLIPS * (size[1] + size[2]))) {
        return false;
    }
    direction[0] = u[1] / speed;
    direction[1] = u[2] / speed;
    return true;
}
