// What the impulses of contacts do to bodies, and how the contacts move along their frames: four
// contacts with an impulse at a time. Sums are compensated and taken one contact after the other.
#include "base/clones.h"
#include "contact/certificate/certify.h"
#include "contact/problem/problem.h"

/// Up to four contacts between the same bodies.
typedef struct Four {
    int                count;
    int                number[4];  // of a contact
    const TactContact *contact[4]; // beyond count the first once more
    TactWide3          frame[3];
    TactWide3          force;
    TactLanes          load; // |F|
    TactLanes          own;  // velocity that F gives to the bodies there
    TactWide3          u;    // velocity of b against a
} Four;

static void frames_one_by_one(Four *four)
{
    double frame[4][3][3];
    for (int k = 0; k < 4; k++) {
        tact_contact_compute_frame(four->contact[k], frame[k]);
    }
    for (int r = 0; r < 3; r++) {
        four->frame[r].x =
            (TactLanes){frame[0][r][0], frame[1][r][0], frame[2][r][0], frame[3][r][0]};
        four->frame[r].y =
            (TactLanes){frame[0][r][1], frame[1][r][1], frame[2][r][1], frame[3][r][1]};
        four->frame[r].z =
            (TactLanes){frame[0][r][2], frame[1][r][2], frame[2][r][2], frame[3][r][2]};
    }
}

/// sum + rest += x of four sums (tact_certify_add()).
TACT_WIDE void add_compensated(TactLanes *sum, TactLanes *rest, const TactLanes *x)
{
    TactLanes total = *sum + *x, part = total - *sum;
    *rest += (*sum - (total - part)) + (*x - part);
    *sum = total;
}

/// Force, torque and their sizes, one contact after the other.
TACT_WIDE void sum_up(const Four *four, const TactWide3 *force, const TactWide3 *torque,
                      const TactLanes *reach, const TactLanes *turning, TactCertifyBody *body)
{
    TactLanes low[4] = {force->x, force->y, force->z, torque->x};
    TactLanes high[4] = {torque->y, torque->z, four->load, *reach};
    TactLanes by_contact[4], more[4];
    TactLanes sum = TACT_LANES_AT(body->impulse), rest = TACT_LANES_AT(body->rest);
    TactLanes last = {body->impulse[4], body->impulse[5], body->load, body->moment};
    TactLanes last_rest = {body->rest[4], body->rest[5], 0, 0};
    tact_lanes_transpose(low, by_contact);
    tact_lanes_transpose(high, more);
    for (int k = 0; k < four->count; k++) {
        add_compensated(&sum, &rest, &by_contact[k]);
        add_compensated(&last, &last_rest, &more[k]);
        body->twist += (*turning)[k];
    }
    TACT_LANES_PUT(body->impulse) = sum;
    TACT_LANES_PUT(body->rest) = rest;
    body->impulse[4] = last[0];
    body->impulse[5] = last[1];
    body->load = last[2];
    body->moment = last[3];
    body->rest[4] = last_rest[0];
    body->rest[5] = last_rest[1];
}

/// One side: sign is 1 for b, -1 for a.
TACT_WIDE void push_body(TactCertifier *certifier, const TactCertifyInput *input, int k,
                         double sign, Four *four)
{
    TactCertifyBody *body = &certifier->bodies[k];
    const double    *centre = input->problem->bodies[k].position;
    const double    *v = input->velocity + 6 * (size_t)k, *A = body->inverse;
    TactWide3        force = {sign * four->force.x, sign * four->force.y, sign * four->force.z};
    TactWide3        arm = force, torque, turned, moved;
    TactLanes        reach, turning, own;
    TACT_WIDE_GATHER(four->contact, point, &arm);
    arm.x -= centre[0];
    arm.y -= centre[1];
    arm.z -= centre[2];
    four->u.x += sign * (v[0] + (v[4] * arm.z - v[5] * arm.y));
    four->u.y += sign * (v[1] + (v[5] * arm.x - v[3] * arm.z));
    four->u.z += sign * (v[2] + (v[3] * arm.y - v[4] * arm.x));

    tact_wide_cross(&arm, &force, &torque);
    tact_wide_norm(&arm, &reach);
    reach *= four->load;
    turned.x = A[0] * torque.x + A[3] * torque.y + A[4] * torque.z;
    turned.y = A[3] * torque.x + A[1] * torque.y + A[5] * torque.z;
    turned.z = A[4] * torque.x + A[5] * torque.y + A[2] * torque.z;
    tact_wide_norm(&turned, &turning);
    tact_wide_cross(&turned, &arm, &moved);
    moved.x += body->inverse_mass * force.x;
    moved.y += body->inverse_mass * force.y;
    moved.z += body->inverse_mass * force.z;
    tact_wide_norm(&moved, &own);
    four->own += own;
    sum_up(four, &force, &torque, &reach, &turning, body);
}

TACT_WIDE void push_four(TactCertifier *certifier, const TactCertifyInput *input, Four *four)
{
    const TactContact *const *contact = (const TactContact *const *)four->contact;
    const double             *p[4];
    TactLanes                 none = TACT_LANES_ALL(0.0), u[4], by_contact[4];
    for (int k = 0; k < 4; k++) {
        p[k] = input->impulse + 3 * (size_t)four->number[k];
    }
    if (!tact_wide_frames(contact, four->frame)) {
        frames_one_by_one(four);
    }
    const TactWide3 *n = &four->frame[0], *s = &four->frame[1], *t = &four->frame[2];
    TactLanes        pn = {p[0][0], p[1][0], p[2][0], p[3][0]};
    TactLanes        ps = {p[0][1], p[1][1], p[2][1], p[3][1]};
    TactLanes        pt = {p[0][2], p[1][2], p[2][2], p[3][2]};
    four->force.x = pn * n->x + ps * s->x + pt * t->x;
    four->force.y = pn * n->y + ps * s->y + pt * t->y;
    four->force.z = pn * n->z + ps * s->z + pt * t->z;
    tact_wide_norm(&four->force, &four->load);
    four->u = (TactWide3){none, none, none};
    four->own = none;
    if (contact[0]->a >= 0) {
        push_body(certifier, input, contact[0]->a, -1, four);
    }
    if (contact[0]->b >= 0) {
        push_body(certifier, input, contact[0]->b, 1, four);
    }
    tact_wide_dot(n, &four->u, &u[0]);
    tact_wide_dot(s, &four->u, &u[1]);
    tact_wide_dot(t, &four->u, &u[2]);
    u[3] = none;
    tact_lanes_transpose(u, by_contact);
    for (int k = 0; k < four->count; k++) {
        TACT_LANES_PUT(certifier->u[four->number[k]]) = by_contact[k];
        certifier->points.own[four->number[k]] = four->own[k];
    }
}

TACT_CLONES void tact_certify_push(TactCertifier *certifier, const TactCertifyInput *input)
{
    const TactContact *contacts = input->problem->contacts;
    int                count = input->problem->contact_count;
    for (int i = 0; i < count;) {
        Four four;
        four.count = 0;
        for (; i < count && four.count < 4; i++) {
            if (!tact_contact_has_impulse(input->impulse + 3 * (size_t)i)) {
                continue;
            }
            if (four.count > 0 &&
                (contacts[i].a != four.contact[0]->a || contacts[i].b != four.contact[0]->b)) {
                break;
            }
            four.number[four.count] = i;
            four.contact[four.count++] = contacts + i;
        }
        for (int k = four.count; k < 4 && four.count > 0; k++) {
            four.number[k] = four.number[0];
            four.contact[k] = four.contact[0];
        }
        if (four.count > 0) {
            push_four(certifier, input, &four);
        }
    }
}
