// Distances of triangles by closed forms and all against all: an oracle that knows no tree, no
// simplices and nothing else of the library.
#ifndef TACT_TESTS_COLLIDE_TRIANGLES_H
#define TACT_TESTS_COLLIDE_TRIANGLES_H

#include "collide/poses.h"

typedef struct Corners {
    TactVec3 v[3];
    TactVec3 middle;
    double   radius; // of a ball around it
} Corners;

static inline double clamp_to(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline double distance_to_segment(TactVec3 x, TactVec3 p, TactVec3 q)
{
    TactVec3 d = tact_vec3_subtract(q, p), r = tact_vec3_subtract(x, p);
    double   square = tact_vec3_dot(d, d);
    double   t = square > 0 ? clamp_to(tact_vec3_dot(r, d) / square, 0, 1) : 0;
    return tact_vec3_norm(tact_vec3_add_scaled(r, -t, d));
}

/// Its plane where the foot is inside, else the nearest of three sides.
static inline double distance_to_triangle(TactVec3 x, const Corners *t)
{
    TactVec3 n =
        tact_vec3_cross(tact_vec3_subtract(t->v[1], t->v[0]), tact_vec3_subtract(t->v[2], t->v[0]));
    double length = tact_vec3_norm(n), least = INFINITY;
    bool   inside = length > 0;
    for (int i = 0; i < 3; i++) {
        TactVec3 p = t->v[i], q = t->v[(i + 1) % 3];
        TactVec3 side = tact_vec3_cross(n, tact_vec3_subtract(q, p));
        inside = inside && tact_vec3_dot(side, tact_vec3_subtract(x, p)) >= 0;
        least = fmin(least, distance_to_segment(x, p, q));
    }
    return inside ? fabs(tact_vec3_dot(n, tact_vec3_subtract(x, t->v[0]))) / length : least;
}

/// Of two segments: ends against the other, and the lines where both feet are inside.
static inline double segment_gap(TactVec3 p, TactVec3 q, TactVec3 r, TactVec3 s)
{
    TactVec3 u = tact_vec3_subtract(q, p), v = tact_vec3_subtract(s, r);
    TactVec3 w = tact_vec3_subtract(r, p), n = tact_vec3_cross(u, v);
    double   square = tact_vec3_dot(n, n);
    double   least = fmin(fmin(distance_to_segment(p, r, s), distance_to_segment(q, r, s)),
                          fmin(distance_to_segment(r, p, q), distance_to_segment(s, p, q)));
    if (square > 0) {
        double a = tact_vec3_dot(tact_vec3_cross(w, v), n) / square;
        double b = tact_vec3_dot(tact_vec3_cross(w, u), n) / square;
        if (a >= 0 && a <= 1 && b >= 0 && b <= 1) {
            least = fmin(least, fabs(tact_vec3_dot(w, n)) / sqrt(square));
        }
    }
    return least;
}

/// Does a segment pass through a triangle?
static inline bool passes_through(TactVec3 p, TactVec3 q, const Corners *t)
{
    TactVec3 n =
        tact_vec3_cross(tact_vec3_subtract(t->v[1], t->v[0]), tact_vec3_subtract(t->v[2], t->v[0]));
    double above = tact_vec3_dot(n, tact_vec3_subtract(p, t->v[0]));
    double below = tact_vec3_dot(n, tact_vec3_subtract(q, t->v[0]));
    if (above * below > 0 || above == below) {
        return false;
    }
    TactVec3 d = tact_vec3_subtract(q, p);
    double   volume[3];
    for (int i = 0; i < 3; i++) { // of the segment with each side: one sign
        TactVec3 a = tact_vec3_subtract(t->v[i], p), b = tact_vec3_subtract(t->v[(i + 1) % 3], p);
        volume[i] = tact_vec3_dot(d, tact_vec3_cross(a, b));
    }
    return (volume[0] >= 0 && volume[1] >= 0 && volume[2] >= 0) ||
           (volume[0] <= 0 && volume[1] <= 0 && volume[2] <= 0);
}

static inline double segment_triangle_gap(TactVec3 p, TactVec3 q, const Corners *t)
{
    double least = fmin(distance_to_triangle(p, t), distance_to_triangle(q, t));
    if (passes_through(p, q, t)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        least = fmin(least, segment_gap(p, q, t->v[i], t->v[(i + 1) % 3]));
    }
    return least;
}

static inline double triangle_gap(const Corners *s, const Corners *t)
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        least = fmin(least, segment_triangle_gap(s->v[i], s->v[(i + 1) % 3], t));
        least = fmin(least, segment_triangle_gap(t->v[i], t->v[(i + 1) % 3], s));
    }
    return least;
}

enum { MOST_TRIANGLES = 4096 };

/// The triangles of a mesh in the world.
typedef struct Soup {
    int     count;
    Corners triangles[MOST_TRIANGLES];
} Soup;

static inline void place_triangles(const TactMesh *mesh, const TactTransform *pose, Soup *soup)
{
    assert_true(mesh->triangle_count <= MOST_TRIANGLES);
    soup->count = mesh->triangle_count;
    for (int i = 0; i < mesh->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            soup->triangles[i].v[k] =
                tact_transform_point(*pose, mesh->vertices[mesh->triangles[i].vertex[k]]);
        }
        Corners *c = &soup->triangles[i];
        c->middle =
            tact_vec3_scale(1.0 / 3, tact_vec3_add(c->v[0], tact_vec3_add(c->v[1], c->v[2])));
        c->radius = 0;
        for (int k = 0; k < 3; k++) {
            c->radius = fmax(c->radius, tact_vec3_norm(tact_vec3_subtract(c->v[k], c->middle)));
        }
    }
}

static inline double soup_gap(const Soup *a, const Soup *b)
{
    double least = INFINITY;
    for (int i = 0; i < a->count; i++) {
        for (int k = 0; k < b->count; k++) {
            const Corners *s = &a->triangles[i], *t = &b->triangles[k];
            double         between = tact_vec3_norm(tact_vec3_subtract(s->middle, t->middle));
            if (between - s->radius - t->radius < least) {
                least = fmin(least, triangle_gap(s, t));
            }
        }
    }
    return least;
}

static inline double distance_to_soup(TactVec3 x, const Soup *soup)
{
    double least = INFINITY;
    for (int i = 0; i < soup->count; i++) {
        least = fmin(least, distance_to_triangle(x, &soup->triangles[i]));
    }
    return least;
}

// ---------------------------------------------------------------------------------------------
// Convex shapes against points

/// Distance of a point outside from an ellipsoid: the root of
/// sum (a_i p_i / (t + a_i^2))^2 = 1, t > 0, by halving.
static inline double distance_to_ellipsoid(const double a[3], TactVec3 x)
{
    const double p[3] = {x.x, x.y, x.z};
    double       low = 0, high = tact_vec3_norm(x) * fmax(a[0], fmax(a[1], a[2]));
    for (int k = 0; k < 60; k++) {
        double t = 0.5 * (low + high), sum = 0;
        for (int i = 0; i < 3; i++) {
            double share = a[i] * p[i] / (t + a[i] * a[i]);
            sum += share * share;
        }
        *(sum > 1 ? &low : &high) = t;
    }
    TactVec3 apart = {p[0] * low / (low + a[0] * a[0]), p[1] * low / (low + a[1] * a[1]),
                      p[2] * low / (low + a[2] * a[2])};
    return tact_vec3_norm(apart);
}

/// Distance of a point from a sphere, capsule, cylinder, box or ellipsoid; 0 inside.
static inline double distance_to_shape(const TactShape *shape, const TactTransform *pose,
                                       TactVec3 x)
{
    TactVec3      p = tact_transform_point_back(*pose, x);
    const double *s = shape->size;
    switch (shape->type) {
    case TACT_SHAPE_SPHERE: return fmax(0, tact_vec3_norm(p) - s[0]);
    case TACT_SHAPE_CAPSULE:
        p.z -= clamp_to(p.z, -s[1], s[1]);
        return fmax(0, tact_vec3_norm(p) - s[0]);
    case TACT_SHAPE_CYLINDER:
        return hypot(fmax(0, hypot(p.x, p.y) - s[0]), fmax(0, fabs(p.z) - s[1]));
    case TACT_SHAPE_BOX:
        return tact_vec3_norm((TactVec3){fmax(0, fabs(p.x) - s[0]), fmax(0, fabs(p.y) - s[1]),
                                         fmax(0, fabs(p.z) - s[2])});
    default:
        if (tact_vec3_norm((TactVec3){p.x / s[0], p.y / s[1], p.z / s[2]}) <= 1) {
            return 0;
        }
        return distance_to_ellipsoid(s, p);
    }
}

/// f(u) of the least over v, or over u: golden section, which a convex function allows.
typedef struct Line {
    const TactShape     *shape;
    const TactTransform *pose;
    TactVec3             from, along;
    const Corners       *triangle; // of the outer search
} Line;

static inline double least_along(const Line *line, double (*value)(const Line *line, double t))
{
    const double golden = 0.6180339887498949;
    double       low = 0, high = 1, a = 1 - golden, b = golden;
    double       at_a = value(line, a), at_b = value(line, b), least = fmin(at_a, at_b);
    for (int k = 0; k < 40 && least > 0; k++) { // 0.618^40 = 4e-9
        if (at_a < at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = value(line, a);
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = value(line, b);
        }
        least = fmin(least, fmin(at_a, at_b));
    }
    return fmin(least, fmin(value(line, 0), value(line, 1)));
}

static inline double inner_value(const Line *line, double t)
{
    return distance_to_shape(line->shape, line->pose,
                             tact_vec3_add_scaled(line->from, t, line->along));
}

/// The least on the line from side 0-1 to side 0-2, parallel to side 1-2.
static inline double outer_value(const Line *line, double t)
{
    const TactVec3 *v = line->triangle->v;
    Line            inner = *line;
    inner.from = tact_vec3_add_scaled(v[0], t, tact_vec3_subtract(v[1], v[0]));
    inner.along = tact_vec3_scale(t, tact_vec3_subtract(v[2], v[1]));
    return least_along(&inner, inner_value);
}

/// The distance of a convex shape is a convex function over a triangle. To within 1e-8 of the size.
static inline double soup_shape_gap(const Soup *soup, const TactShape *shape,
                                    const TactTransform *pose)
{
    double least = INFINITY;
    for (int i = 0; i < soup->count && least > 0; i++) {
        const Corners *c = &soup->triangles[i];
        if (distance_to_shape(shape, pose, c->middle) - c->radius < least) {
            Line line = {.shape = shape, .pose = pose, .triangle = c};
            least = fmin(least, least_along(&line, outer_value));
        }
    }
    return least;
}

/// Is a point inside of a closed mesh: does a ray cross it an odd number of times? Rays near an
/// edge count with another direction.
static inline bool is_inside_soup(const Soup *soup, TactVec3 x)
{
    Random random = {17};
    int    votes = 0;
    for (int round = 0; round < 5; round++) {
        TactVec3 far = tact_vec3_add_scaled(x, 1e3, random_direction(&random));
        int      crossings = 0;
        for (int i = 0; i < soup->count; i++) {
            crossings += passes_through(x, far, &soup->triangles[i]);
        }
        votes += crossings % 2;
    }
    return votes >= 3;
}

#endif
