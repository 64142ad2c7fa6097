// How the points of contacts between bodies move in an answer, and what their residuals are held
// against: four contacts at a time.
//
// Velocities of a point are summed in plain double: what rounding makes of them, a few 1e-16 of
// |v| + |omega| |r|, is below 1e-12 of the scale (8).
#include "base/clones.h"
#include "contact/certificate/certify.h"
#include "contact/problem/problem.h"

/// Figures of four contacts.
typedef struct Four {
    TactWide3 point;
    TactWide3 u; // velocity of b against a
    TactLanes weight, others, motion;
} Four;

/// The share of one body: sign is 1 on the side of b, -1 on that of a.
///
/// w is the mean of n' W_ii n over all directions n of a contact (7): a body gives it 1 / m and,
/// with A its inverse inertia and r the arm, (|r|^2 tr A - r'A r) / 3.
TACT_WIDE void add_body_velocity(const TactCertifier *certifier, const TactCertifyInput *input,
                                 int k, double sign, Four *four)
{
    const TactCertifyBody *body = &certifier->bodies[k];
    const double          *centre = input->problem->bodies[k].position;
    const double          *v = input->velocity + 6 * (size_t)k, *A = body->inverse;
    const double          *before = input->problem->bodies[k].velocity;
    const double          *spun = input->problem->bodies[k].omega;
    TactLanes              rx = four->point.x - centre[0], ry = four->point.y - centre[1];
    TactLanes              rz = four->point.z - centre[2], r, speed;
    TactLanes              vx = v[0] + (v[4] * rz - v[5] * ry);
    TactLanes              vy = v[1] + (v[5] * rx - v[3] * rz);
    TactLanes              vz = v[2] + (v[3] * ry - v[4] * rx);
    TactLanes              moving = vx * vx + vy * vy + vz * vz;
    four->u.x += sign * vx;
    four->u.y += sign * vy;
    four->u.z += sign * vz;
    if (input->problem->level == TACT_LEVEL_VELOCITY) {
        vx = before[0] + (spun[1] * rz - spun[2] * ry);
        vy = before[1] + (spun[2] * rx - spun[0] * rz);
        vz = before[2] + (spun[0] * ry - spun[1] * rx);
        moving += vx * vx + vy * vy + vz * vz;
    }
    tact_wide_root(&moving, &speed);

    TactLanes square = rx * rx + ry * ry + rz * rz;
    tact_wide_root(&square, &r);
    TactLanes turning = square * (A[0] + A[1] + A[2]) - (rx * (A[0] * rx + A[3] * ry + A[4] * rz) +
                                                         ry * (A[3] * rx + A[1] * ry + A[5] * rz) +
                                                         rz * (A[4] * rx + A[5] * ry + A[2] * rz));
    four->weight += body->inverse_mass + turning / 3;
    four->others += TACT_CERTIFY_OTHERS * (body->push + r * body->twist) +
                    TACT_CERTIFY_MOTION * speed +
                    TACT_CERTIFY_ROUNDING * (body->speed + r * body->spin);
    four->motion += body->free_push + body->given_speed + r * (body->free_twist + body->given_spin);
}

/// 1 / |n| of each. Normals come with length 1 but for rounding (frame.h).
TACT_WIDE void inverse_lengths(const TactLanes *square, TactLanes *out)
{
    TactLanes off = *square - 1;
    TactMask  unit = TACT_LANES_ABS(off) < TACT_CONTACT_NEAR_UNIT;
    *out = 1.5 - 0.5 * *square;
    if (!(unit[0] & unit[1] & unit[2] & unit[3])) {
        TactLanes root;
        tact_wide_root(square, &root);
        *out = TACT_LANES_SELECT(unit, *out, 1 / root);
    }
}

/// Contacts between the same bodies, from contact i on.
TACT_WIDE void put_four(const TactCertifier *certifier, const TactCertifyInput *input,
                        const TactContact *const contact[4], int i)
{
    const TactCertifyPoints *out = &certifier->points;
    TactLanes                none = TACT_LANES_ALL(0.0), square, length, along;
    TactWide3                n = {none, none, none}, point = n;
    TACT_WIDE_GATHER(contact, point, &point);
    TACT_WIDE_GATHER(contact, normal, &n);
    Four four = {point, {none, none, none}, none, none, none};
    if (contact[0]->a >= 0) {
        add_body_velocity(certifier, input, contact[0]->a, -1, &four);
    }
    if (contact[0]->b >= 0) {
        add_body_velocity(certifier, input, contact[0]->b, 1, &four);
    }
    tact_wide_dot(&n, &n, &square);
    tact_wide_dot(&n, &four.u, &along);
    inverse_lengths(&square, &length);
    TACT_LANES_PUT(out->normal + i) = length * along;
    TACT_LANES_PUT(out->weight + i) = four.weight;
    TACT_LANES_PUT(out->others + i) = four.others;
    TACT_LANES_PUT(out->motion + i) = four.motion;
}

TACT_CLONES void tact_certify_points(TactCertifier *certifier, const TactCertifyInput *input)
{
    const TactContact *contacts = input->problem->contacts;
    int                count = input->problem->contact_count;
    for (int i = 0, end; i < count; i = end) {
        const TactContact *four[4] = {contacts + i, contacts + i, contacts + i, contacts + i};
        for (end = i + 1; end < i + 4 && end < count && contacts[end].a == contacts[i].a &&
                          contacts[end].b == contacts[i].b;
             end++) {
            four[end - i] = contacts + end;
        }
        // Where there are fewer, what follows is written again, or is beyond the last.
        put_four(certifier, input, four, i);
    }
}
