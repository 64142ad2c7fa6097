// The nearest points of two solids apart (collide/convex/gjk.c), for one lane: the point of their
// difference a - b that is nearest to the origin [Gilbert, Johnson, Keerthi 1988]. What is not
// proved nearest by supports, and what overlaps, is left to other methods.
#ifndef TACT_GPU_TOUCH_GJK_H
#define TACT_GPU_TOUCH_GJK_H

#include "gpu/touch/touch_face.h"
#include "gpu/touch/touch_rod.h"

enum { TACT_STEP_GJK_ROUNDS = 64 };

// As in collide/convex/gjk.c, collide/tolerance.h.
#define TACT_STEP_GJK_CLOSE 1e-14
#define TACT_STEP_GJK_SUPPORT 1e-13
#define TACT_STEP_GJK_PROVED 1e-12
#define TACT_STEP_GJK_FLAT 1e-26
#define TACT_STEP_GJK_NEAR 1e-5
#define TACT_STEP_GJK_UNKNOWN 1e-8

/// Corners of the difference, the points that make them, and weights of the nearest point.
typedef struct TactStepSimplex {
    int      count;
    TactVec3 w[4], on_a[4], on_b[4];
    double   weight[4];
} TactStepSimplex;

/// The nearest point of a part of a simplex: which corners carry it, a bit each.
typedef struct TactStepCarried {
    int      which;
    double   weight[4];
    TactVec3 point;
    double   square;
} TactStepCarried;

/// Is a point nearer than what is known? Then it is that. i, j, k may be the same.
TACT_LANE void tact_step_carry(const TactStepSimplex *s, int i, int j, int k, TactVec3 weight,
                               TactStepCarried *best)
{
    TactVec3 p = tact_vec3_scale(weight.x, s->w[i]);
    p = tact_vec3_add_scaled(p, weight.y, s->w[j]);
    p = tact_vec3_add_scaled(p, weight.z, s->w[k]);
    double square = tact_vec3_dot(p, p);
    if (square < best->square) {
        best->square = square;
        best->point = p;
        best->which = 1 << i | (weight.y > 0 ? 1 << j : 0) | (weight.z > 0 ? 1 << k : 0);
        best->weight[i] = weight.x;
        if (weight.y > 0) {
            best->weight[j] = weight.y;
        }
        if (weight.z > 0) {
            best->weight[k] = weight.z;
        }
    }
}

/// Corners, and the inside of a segment.
TACT_LANE void tact_step_carry_segment(const TactStepSimplex *s, int i, int j,
                                       TactStepCarried *best)
{
    TactVec3 way = tact_vec3_subtract(s->w[j], s->w[i]);
    double   square = tact_vec3_dot(way, way), t = -tact_vec3_dot(s->w[i], way);
    TactVec3 weight = {1, 0, 0};
    if (t > 0 && t < square) {
        weight.y = t / square;
        weight.x = 1 - weight.y;
    }
    tact_step_carry(s, t >= square && square > 0 ? j : i, j, i, weight, best);
}

/// Twice the area of (o, p, q), seen along axis k.
TACT_LANE double tact_step_area(TactVec3 o, TactVec3 p, TactVec3 q, int k)
{
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(p, o), tact_vec3_subtract(q, o));
    return k == 0 ? n.x : k == 1 ? n.y : n.z;
}

/// The inside of a triangle and its sides. Weights are areas seen along the axis that shows most of
/// it, with the origin's foot as a corner, which slender triangles need.
TACT_LANE void tact_step_carry_triangle(const TactStepSimplex *s, int i, int j, int k,
                                        TactStepCarried *best)
{
    TactVec3 a = s->w[i], b = s->w[j], c = s->w[k];
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(b, a), tact_vec3_subtract(c, a));
    double   square = tact_vec3_dot(n, n);
    if (square > 0) {
        int axis = fabs(n.x) >= fabs(n.y) ? 0 : 1;
        axis = fabs(axis == 0 ? n.x : n.y) >= fabs(n.z) ? axis : 2;
        double   whole = axis == 0 ? n.x : axis == 1 ? n.y : n.z;
        TactVec3 o = tact_vec3_scale(tact_vec3_dot(a, n) / square, n);
        TactVec3 weight = {tact_step_area(o, b, c, axis) / whole,
                           tact_step_area(o, c, a, axis) / whole,
                           tact_step_area(o, a, b, axis) / whole};
        if (weight.x > 0 && weight.y > 0 && weight.z > 0) {
            weight = tact_vec3_scale(1 / (weight.x + weight.y + weight.z), weight);
            tact_step_carry(s, i, j, k, weight, best);
        }
    }
    tact_step_carry_segment(s, i, j, best);
    tact_step_carry_segment(s, j, k, best);
    tact_step_carry_segment(s, k, i, best);
}

/// Is the origin on the side of the fourth corner of the plane of three?
TACT_LANE int tact_step_within_side(const TactStepSimplex *s, int i, int j, int k, int fourth,
                                    double size)
{
    TactVec3 a = s->w[i];
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(s->w[j], a), tact_vec3_subtract(s->w[k], a));
    double   origin = -tact_vec3_dot(a, n);
    double   high = tact_vec3_dot(tact_vec3_subtract(s->w[fourth], a), n);
    return origin * high > 0 &&
           high * high > TACT_STEP_GJK_FLAT * tact_vec3_dot(n, n) * size * size;
}

/// The nearest point of a simplex of up to four corners; 0: the origin is inside.
TACT_LANE_CALL int tact_step_carry_simplex(const TactStepSimplex *s, double size,
                                           TactStepCarried *best)
{
    int inside = s->count == 4;
    best->square = INFINITY;
    best->which = 1;
    TACT_ROLLED
    for (int k = 0; k < 4 && s->count == 4; k++) { // sides, without corner k
        int i = k == 0 ? 1 : 0, j = k <= 1 ? 2 : 1, l = k <= 2 ? 3 : 2;
        inside = inside && tact_step_within_side(s, i, j, l, k, size);
    }
    if (inside) {
        return 0;
    }
    TACT_ROLLED
    for (int k = s->count == 4 ? 0 : 3; k < 4; k++) {
        int i = k == 0 ? 1 : 0, j = k <= 1 ? 2 : 1, l = k <= 2 ? 3 : 2;
        tact_step_carry_triangle(s, i, s->count > 1 ? j : 0, s->count > 2 ? l : 0, best);
    }
    return 1;
}

/// Keeps the corners that carry the nearest point.
TACT_LANE void tact_step_keep_carried(const TactStepCarried *best, TactStepSimplex *s)
{
    int kept = 0;
    TACT_ROLLED
    for (int i = 0; i < s->count; i++) {
        if (best->which >> i & 1) {
            s->w[kept] = s->w[i];
            s->on_a[kept] = s->on_a[i];
            s->on_b[kept] = s->on_b[i];
            s->weight[kept++] = best->weight[i];
        }
    }
    s->count = kept;
}

/// Adds the corner of the difference that is furthest along a direction; 0: it is there.
TACT_LANE int tact_step_add_support(const TactStepSolid *a, const TactStepSolid *b, TactVec3 d,
                                    TactStepSimplex *s)
{
    TactVec3 on_a = tact_step_furthest(a, d), on_b = tact_step_furthest(b, tact_vec3_negate(d));
    TactVec3 w = tact_vec3_subtract(on_a, on_b);
    int      known = 0;
    TACT_ROLLED
    for (int i = 0; i < s->count; i++) {
        known = known || (s->w[i].x == w.x && s->w[i].y == w.y && s->w[i].z == w.z);
    }
    s->w[s->count] = w;
    s->on_a[s->count] = on_a;
    s->on_b[s->count] = on_b;
    return !known;
}

/// The nearest points of both cores.
TACT_LANE void tact_step_simplex_points(const TactStepSimplex *s, TactVec3 *on_a, TactVec3 *on_b)
{
    TactVec3 p = {0, 0, 0}, q = {0, 0, 0};
    TACT_ROLLED
    for (int i = 0; i < s->count; i++) {
        p = tact_vec3_add_scaled(p, s->weight[i], s->on_a[i]);
        q = tact_vec3_add_scaled(q, s->weight[i], s->on_b[i]);
    }
    *on_a = p;
    *on_b = q;
}

/// The direction from a to b across a simplex, to the last digits however near the origin is; v:
/// its nearest point.
TACT_LANE TactVec3 tact_step_simplex_normal(const TactStepSimplex *s, TactVec3 v)
{
    TactVec3 e = tact_vec3_subtract(s->w[s->count > 1 ? 1 : 0], s->w[0]), n = v;
    if (s->count == 3) {
        n = tact_vec3_cross(e, tact_vec3_subtract(s->w[2], s->w[0]));
        n = tact_vec3_dot(n, v) < 0 ? tact_vec3_negate(n) : n;
    } else if (s->count == 2) {
        n = tact_vec3_add_scaled(v, -tact_vec3_dot(v, e) / tact_vec3_dot(e, e), e);
    }
    return tact_vec3_scale(-1 / tact_vec3_norm(n), n);
}

/// What is known of two cores.
enum { TACT_STEP_FAR, TACT_STEP_NEAR, TACT_STEP_UNKNOWN };

/// Are cores apart, and by no more than enough? TACT_STEP_UNKNOWN: they overlap, with a distance of
/// 0, or it was not proved.
TACT_LANE_CALL int tact_step_gjk(const TactStepSolid *a, const TactStepSolid *b, double enough,
                                 TactStepSimplex *s, TactVec3 *normal, double *distance)
{
    double          size = a->size + b->size, bound = 0, tiny = TACT_STEP_GJK_SUPPORT * size;
    TactStepCarried best;
    TactVec3        towards = tact_vec3_subtract(b->middle, a->middle), x = {1, 0, 0};
    int             last = 0;
    s->count = 0;
    tact_step_add_support(a, b, tact_vec3_dot(towards, towards) > 0 ? towards : x, s);
    s->count = 1;
    s->weight[0] = 1;
    best.point = s->w[0];
    *distance = tact_vec3_norm(s->w[0]);
    TACT_ROLLED
    for (int round = 0; round<TACT_STEP_GJK_ROUNDS && * distance> tiny && !last; round++) {
        TactVec3 v = best.point;
        int      fresh = tact_step_add_support(a, b, tact_vec3_negate(v), s);
        bound = tact_step_larger(bound, tact_vec3_dot(v, s->w[s->count]) / *distance);
        if (bound > enough) {
            return TACT_STEP_FAR;
        }
        if (*distance - bound <= TACT_STEP_GJK_CLOSE * *distance || !fresh) {
            break;
        }
        s->count++;
        int outside = tact_step_carry_simplex(s, size, &best);
        if (!outside && !(bound > tiny)) {
            *distance = 0;
            return TACT_STEP_UNKNOWN;
        }
        double length = outside ? sqrt(best.square) : INFINITY;
        if (!(length <= *distance)) { // rounding: no progress
            s->count--;
            break;
        }
        last = length == *distance;
        tact_step_keep_carried(&best, s);
        *distance = length;
    }
    if (!(*distance > TACT_STEP_SAME_DEPTH * size)) {
        *distance = 0;
        return TACT_STEP_UNKNOWN;
    }
    *normal = tact_step_simplex_normal(s, best.point);
    *distance = -tact_vec3_dot(*normal, s->w[0]);
    tact_step_add_support(a, b, *normal, s);
    double off = *distance + tact_vec3_dot(*normal, s->w[s->count]); // from what is proved
    return *distance > TACT_STEP_SAME_DEPTH * size && off <= TACT_STEP_GJK_PROVED * size &&
                   (*distance >= TACT_STEP_GJK_NEAR * size ||
                    off <= TACT_STEP_GJK_UNKNOWN * *distance)
               ? TACT_STEP_NEAR
               : TACT_STEP_UNKNOWN;
}

#endif
