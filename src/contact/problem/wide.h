// Four contacts between bodies at a time: vectors and frames. What is done to each is what
// frame.c does to one, to the last bit.
#ifndef TACT_CONTACT_PROBLEM_WIDE_H
#define TACT_CONTACT_PROBLEM_WIDE_H

#include <math.h>
#include <string.h>
#include <tact/contact.h>

#include "base/lanes.h"
#include "contact/problem/frame.h"

/// A vector of each of four contacts.
typedef struct TactWide3 {
    TactLanes x, y, z;
} TactWide3;

/// A field of each of four contacts.
#define TACT_WIDE_OF(contact, field)                                            \
    ((TactLanes){(contact)[0]->field, (contact)[1]->field, (contact)[2]->field, \
                 (contact)[3]->field})

TACT_WIDE void tact_wide_gather(const double *a, const double *b, const double *c, const double *d,
                                TactWide3 *out)
{
    out->x = (TactLanes){a[0], b[0], c[0], d[0]};
    out->y = (TactLanes){a[1], b[1], c[1], d[1]};
    out->z = (TactLanes){a[2], b[2], c[2], d[2]};
}

/// A field that is a vector, of each of four contacts.
#define TACT_WIDE_GATHER(contact, field, out)                                       \
    tact_wide_gather((contact)[0]->field, (contact)[1]->field, (contact)[2]->field, \
                     (contact)[3]->field, out)

TACT_WIDE void tact_wide_dot(const TactWide3 *a, const TactWide3 *b, TactLanes *out)
{
    *out = a->x * b->x + a->y * b->y + a->z * b->z;
}

TACT_WIDE void tact_wide_cross(const TactWide3 *a, const TactWide3 *b, TactWide3 *out)
{
    out->x = a->y * b->z - a->z * b->y;
    out->y = a->z * b->x - a->x * b->z;
    out->z = a->x * b->y - a->y * b->x;
}

TACT_WIDE void tact_wide_norm(const TactWide3 *a, TactLanes *out)
{
    TactLanes square;
    tact_wide_dot(a, a, &square);
    tact_wide_root(&square, out);
}

/// Is there no tangent given?
static inline bool tact_wide_has_no_tangent(const TactContact *contact)
{
    uint64_t bits[3];
    memcpy(bits, contact->tangent, sizeof bits);
    return (bits[0] | bits[1] | bits[2]) == 0;
}

/// Is |x| small in all four?
TACT_WIDE bool tact_wide_is_small(const TactLanes *x)
{
    TactMask small = TACT_LANES_ABS(*x) < TACT_CONTACT_NEAR_UNIT;
    return (small[0] & small[1] & small[2] & small[3]) != 0;
}

TACT_WIDE void tact_wide_scale(const TactLanes *by, TactWide3 *x)
{
    x->x *= *by;
    x->y *= *by;
    x->z *= *by;
}

/// Given tangents that have length 1 and lie across the normals but for rounding. false: others.
TACT_WIDE bool tact_wide_across(const TactContact *const contact[4], const TactWide3 *n,
                                TactWide3 *t)
{
    TactLanes part, square;
    TACT_WIDE_GATHER(contact, tangent, t);
    tact_wide_dot(t, n, &part);
    tact_wide_dot(t, t, &square);
    TactLanes off = square - 1;
    if (!tact_wide_is_small(&part) || !tact_wide_is_small(&off)) {
        return false;
    }
    t->x += -part * n->x;
    t->y += -part * n->y;
    t->z += -part * n->z;
    tact_wide_dot(t, t, &square);
    square = 1.5 - 0.5 * square;
    tact_wide_scale(&square, t);
    return true;
}

/// tact_contact_compute_frame() of nearly all contacts, with normals of length 1 but for rounding
/// and no tangents given, or such as the simulator gives. false: these are others.
TACT_WIDE bool tact_wide_frames(const TactContact *const contact[4], TactWide3 frame[3])
{
    TactWide3 n;
    TactLanes square, length;
    TACT_WIDE_GATHER(contact, normal, &n);
    tact_wide_dot(&n, &n, &square);
    TactLanes off = square - 1;
    bool      plain = true;
    for (int k = 0; k < 4; k++) {
        plain = plain && tact_wide_has_no_tangent(contact[k]);
    }
    if (!tact_wide_is_small(&off)) {
        return false;
    }
    length = 1.5 - 0.5 * square;
    tact_wide_scale(&length, &n);
    if (!plain) {
        bool across = tact_wide_across(contact, &n, &frame[1]);
        frame[0] = n;
        tact_wide_cross(&n, &frame[1], &frame[2]);
        return across;
    }
    TactLanes one = TACT_LANES_ALL(1.0), none = TACT_LANES_ALL(0.0);
    TactMask  along_x = TACT_LANES_ABS(n.x) <= 0.9;
    TactLanes part = TACT_LANES_SELECT(along_x, n.x, n.y);
    TactWide3 t = {TACT_LANES_SELECT(along_x, one, none) + -part * n.x,
                   TACT_LANES_SELECT(along_x, none, one) + -part * n.y, -part * n.z};
    tact_wide_norm(&t, &length);
    length = 1 / length;
    t.x *= length;
    t.y *= length;
    t.z *= length;
    frame[0] = n;
    frame[1] = t;
    tact_wide_cross(&n, &t, &frame[2]);
    return true;
}

#endif
