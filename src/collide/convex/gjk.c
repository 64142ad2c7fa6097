// The nearest point of a difference of convex sets to the origin [Gilbert, Johnson, Keerthi 1988;
// closest points of simplices as in Ericson, Real-Time Collision Detection, 5.1].
#include "collide/convex/gjk.h"
#include "collide/tolerance.h"

#include <math.h>

enum { MOST_ROUNDS = 128 };
static const double CLOSE = 1e-14; // relative: when the lower bound has met the distance
// Below this weight rounding may have the sign wrong, so that sides are looked at too.
static const double SLENDER = 1e-3;
/// Squares of heights in units of the size: of a tetrahedron that is flat, of one that is not, and
/// of an origin that is clear of a plane.
static const double FLAT = 1e-26, THICK = 1e-8, CLEAR = 1e-20;
/// Angles about the best direction from which a slender simplex starts again, rad.
static const double FIRST_TURN = 1e-2, LAST_TURN = 1e-9;
/// Of the size: shapes so near that rounding may turn the direction between them; and how far the
/// bound is then below the distance, relative.
static const double NEAR = 1e-5, UNKNOWN = 1e-8;

TactDifference tact_difference_support(const TactConvex *a, const TactConvex *b, TactVec3 direction)
{
    TactDifference d;
    d.on_a = tact_convex_support(a, direction);
    d.on_b = tact_convex_support(b, tact_vec3_negate(direction));
    d.w = tact_vec3_subtract(d.on_a, d.on_b);
    return d;
}

// ---------------------------------------------------------------------------------------------
// The point of a simplex that is nearest to the origin

/// Which vertices carry it, in rising order, and their weights.
typedef struct Nearest {
    int      count; // 4: the origin is inside, and nothing else is set
    int      which[3];
    double   weight[3];
    TactVec3 point;
    double   square; // of its distance
} Nearest;

static void set_point(const TactDifference *v, Nearest *near)
{
    TactVec3 p = {0, 0, 0};
    for (int i = 0; i < near->count; i++) {
        p = tact_vec3_add_scaled(p, near->weight[i], v[near->which[i]].w);
    }
    near->point = p;
    near->square = tact_vec3_dot(p, p);
}

static void nearest_on_segment(const TactDifference *v, int i, int j, Nearest *near)
{
    TactVec3 a = v[i].w, ab = tact_vec3_subtract(v[j].w, a);
    double   square = tact_vec3_dot(ab, ab), t = -tact_vec3_dot(a, ab);
    if (t <= 0 || !(square > 0)) {
        *near = (Nearest){.count = 1, .which = {i}, .weight = {1}};
    } else if (t >= square) {
        *near = (Nearest){.count = 1, .which = {j}, .weight = {1}};
    } else {
        double share = t / square;
        *near = (Nearest){.count = 2, .which = {i, j}, .weight = {1 - share, share}};
    }
    set_point(v, near);
}

/// Twice the area of (p, q, r) in a plane.
static double area_of(const double p[2], const double q[2], const double r[2])
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

/// The two coordinates that follow k.
static void drop(TactVec3 v, int k, double out[2])
{
    out[0] = k == 0 ? v.y : k == 1 ? v.z : v.x;
    out[1] = k == 0 ? v.z : k == 1 ? v.x : v.y;
}

/// Weights are areas seen along the axis that shows most of the triangle, with the origin's foot as
/// a corner: differences of near points, which slender triangles need [Montanari et al. 2017].
static void find_weights(const TactDifference *v, const int which[3], double weight[3])
{
    TactVec3 a = v[which[0]].w, b = v[which[1]].w, c = v[which[2]].w;
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(b, a), tact_vec3_subtract(c, a));
    double   square = tact_vec3_dot(n, n), p[2], q[2], r[2], o[2];
    if (!(square > 0)) {
        weight[0] = weight[1] = weight[2] = -1;
        return;
    }
    int k = fabs(n.x) >= fabs(n.y) ? 0 : 1;
    k = fabs(k == 0 ? n.x : n.y) >= fabs(n.z) ? k : 2;
    double whole = k == 0 ? n.x : k == 1 ? n.y : n.z;
    drop(a, k, p);
    drop(b, k, q);
    drop(c, k, r);
    drop(tact_vec3_scale(tact_vec3_dot(a, n) / square, n), k, o);
    weight[0] = area_of(o, q, r) / whole;
    weight[1] = area_of(o, r, p) / whole;
    weight[2] = area_of(o, p, q) / whole;
}

static void nearest_on_triangle(const TactDifference *v, int i, int j, int k, Nearest *near)
{
    static const int sides[3][2] = {{1, 2}, {0, 2}, {0, 1}}; // opposite to each vertex
    const int        which[3] = {i, j, k};
    double           weight[3];
    near->square = INFINITY;
    find_weights(v, which, weight);
    if (weight[0] > 0 && weight[1] > 0 && weight[2] > 0) {
        double sum = weight[0] + weight[1] + weight[2];
        *near = (Nearest){.count = 3,
                          .which = {i, j, k},
                          .weight = {weight[0] / sum, weight[1] / sum, weight[2] / sum}};
        set_point(v, near);
    }
    for (int e = 0; e < 3; e++) { // is the foot beyond the side opposite to vertex e?
        if (!(weight[e] > SLENDER)) {
            Nearest side;
            nearest_on_segment(v, which[sides[e][0]], which[sides[e][1]], &side);
            if (side.square < near->square) {
                *near = side;
            }
        }
    }
}

/// Where the origin is to the plane of three vertices.
typedef enum Whereabouts {
    BEYOND, // not on the side of the fourth
    UNSURE, // so flat, or so near, that rounding may have it wrong
    WITHIN, // on the side of the fourth, in a tetrahedron that may be all but flat
    DEEP,   // so, and surely not near the plane
} Whereabouts;

static Whereabouts locate(const TactDifference *v, const int side[4], double size)
{
    TactVec3 a = v[side[0]].w;
    TactVec3 n =
        tact_vec3_cross(tact_vec3_subtract(v[side[1]].w, a), tact_vec3_subtract(v[side[2]].w, a));
    double origin = -tact_vec3_dot(a, n);
    double fourth = tact_vec3_dot(tact_vec3_subtract(v[side[3]].w, a), n);
    double unit = tact_vec3_dot(n, n) * size * size, high = fourth * fourth;
    bool   within = origin * fourth > 0 && high > FLAT * unit;
    if (!(high > THICK * unit)) {
        return within ? WITHIN : UNSURE;
    }
    return !within ? BEYOND : origin * origin > CLEAR * unit ? DEEP : WITHIN;
}

/// The nearest of the sides that the origin is beyond, unless it is inside of all: of a flat
/// tetrahedron rounding cannot tell which these are, and all are looked at.
static void nearest_on_tetrahedron(const TactDifference *v, double size, Nearest *near)
{
    static const int sides[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    Whereabouts      where[4];
    bool             inside = true, solid = true;
    for (int f = 0; f < 4; f++) {
        where[f] = locate(v, sides[f], size);
        inside = inside && where[f] >= WITHIN;
        solid = solid && where[f] != UNSURE;
    }
    near->count = 4;
    near->square = INFINITY;
    for (int f = 0; f < 4 && !inside; f++) {
        if (!(solid && where[f] == DEEP)) {
            Nearest side;
            nearest_on_triangle(v, sides[f][0], sides[f][1], sides[f][2], &side);
            if (side.square < near->square) {
                *near = side;
            }
        }
    }
}

static void find_simplex_nearest(const TactDifference *v, int count, double size, Nearest *near)
{
    switch (count) {
    case 1:
        *near = (Nearest){.count = 1, .which = {0}, .weight = {1}};
        set_point(v, near);
        break;
    case 2: nearest_on_segment(v, 0, 1, near); break;
    case 3: nearest_on_triangle(v, 0, 1, 2, near); break;
    default: nearest_on_tetrahedron(v, size, near); break;
    }
}

/// Keeps the vertices that carry the nearest point.
static void keep_nearest(TactSimplex *s, const Nearest *near)
{
    for (int i = 0; i < near->count; i++) {
        if (near->which[i] != i) {
            s->vertex[i] = s->vertex[near->which[i]];
        }
        s->weight[i] = near->weight[i];
    }
    s->count = near->count;
}

// ---------------------------------------------------------------------------------------------
// Distance

static TactVec3 nearest_point(const TactSimplex *s)
{
    TactVec3 p = {0, 0, 0};
    for (int i = 0; i < s->count; i++) {
        p = tact_vec3_add_scaled(p, s->weight[i], s->vertex[i].w);
    }
    return p;
}

static bool has_vertex(const TactSimplex *s, TactVec3 w)
{
    for (int i = 0; i < s->count; i++) {
        TactVec3 v = s->vertex[i].w;
        if (v.x == w.x && v.y == w.y && v.z == w.z) {
            return true;
        }
    }
    return false;
}

static void find_points(const TactSimplex *s, TactVec3 *on_a, TactVec3 *on_b)
{
    *on_a = *on_b = (TactVec3){0, 0, 0};
    for (int i = 0; i < s->count; i++) {
        *on_a = tact_vec3_add_scaled(*on_a, s->weight[i], s->vertex[i].on_a);
        *on_b = tact_vec3_add_scaled(*on_b, s->weight[i], s->vertex[i].on_b);
    }
}

/// From a first simplex on. bound: what the distance is at least.
static double descend(const TactConvex *a, const TactConvex *b, double enough, TactSimplex *s,
                      double *bound)
{
    double  tiny = TACT_SUPPORT_TOL * s->size;
    Nearest near;
    find_simplex_nearest(s->vertex, s->count, s->size, &near);
    if (near.count == 4) {
        return 0;
    }
    keep_nearest(s, &near);
    TactVec3 v = near.point;
    double   distance = sqrt(near.square);
    for (int round = 0; round < MOST_ROUNDS && distance > tiny; round++) {
        TactDifference next = tact_difference_support(a, b, tact_vec3_negate(v));
        double         here = tact_vec3_dot(v, next.w) / distance;
        *bound = here > *bound ? here : *bound; // nothing is nearer
        if (*bound > enough || distance - *bound <= CLOSE * distance || has_vertex(s, next.w)) {
            break;
        }
        s->vertex[s->count] = next;
        find_simplex_nearest(s->vertex, s->count + 1, s->size, &near);
        if (near.count == 4 && !(*bound > tiny)) {
            s->count = 4;
            return 0;
        }
        double length = sqrt(near.square);
        if (near.count == 4 || !(length <= distance)) { // rounding: no progress
            break;
        }
        bool stuck = length == distance; // but the direction may be a better one
        keep_nearest(s, &near);
        v = near.point;
        distance = length;
        if (stuck) {
            break;
        }
    }
    return distance > tiny ? distance : 0;
}

/// What faces a direction, seen from four sides: of an edge or a face of the difference all
/// corners.
static void look_around(const TactConvex *a, const TactConvex *b, TactVec3 n, double turn,
                        TactSimplex *s)
{
    TactVec3 t[2];
    tact_vec3_tangents(n, &t[0], &t[1]);
    s->count = 0;
    s->size = a->size + b->size;
    for (int k = 0; k < 4; k++) {
        TactVec3       d = tact_vec3_add_scaled(n, k & 1 ? turn : -turn, t[k / 2]);
        TactDifference next = tact_difference_support(a, b, d);
        if (!has_vertex(s, next.w)) {
            s->vertex[s->count++] = next;
        }
    }
}

/// Does the direction to the nearest point itself prove the distance, or only an earlier one?
static bool is_proven(const TactConvex *a, const TactConvex *b, const TactSimplex *s,
                      double distance)
{
    TactVec3 v = nearest_point(s);
    TactVec3 w = tact_difference_support(a, b, tact_vec3_negate(v)).w;
    return tact_vec3_dot(v, w) / distance >= distance - TACT_NO_LENGTH * s->size;
}

/// Newton's method instead, where it can be proven.
static bool refine_simplex(const TactConvex *a, const TactConvex *b, const TactSimplex *s,
                           double *distance, TactVec3 *on_a, TactVec3 *on_b)
{
    TactNearest nearest = {.distance = *distance};
    nearest.normal = tact_vec3_scale(-1 / *distance, nearest_point(s));
    if (!tact_nearest_refine(a, b, s, &nearest) || !(nearest.distance > 0)) {
        return false;
    }
    *distance = nearest.distance;
    *on_a = nearest.on_a;
    *on_b = nearest.on_b;
    return true;
}

/// Between round shapes simplices become so slender that rounding stops them: starts again from
/// what is around the best direction, nearer and nearer.
static double run_again(const TactConvex *a, const TactConvex *b, double distance, TactSimplex *s,
                        double *bound)
{
    double scale = a->size + b->size;
    for (double turn = FIRST_TURN; turn > LAST_TURN && distance - *bound > TACT_NO_LENGTH * scale;
         turn *= 0.1) {
        TactVec3    n = tact_vec3_scale(-1 / distance, nearest_point(s));
        TactSimplex around;
        *bound = fmax(*bound, -tact_direction_polish(a, b, &n));
        look_around(a, b, n, turn, &around);
        double nearer = descend(a, b, INFINITY, &around, bound);
        if (nearer > 0 && nearer < distance) {
            *s = around;
            distance = nearer;
        }
    }
    return distance;
}

double tact_gjk(const TactConvex *a, const TactConvex *b, double enough, TactSimplex *s,
                TactVec3 *on_a, TactVec3 *on_b)
{
    TactVec3 towards = tact_vec3_subtract(b->middle, a->middle);
    double   bound = 0, scale = a->size + b->size;
    if (!(tact_vec3_dot(towards, towards) > 0)) {
        towards = (TactVec3){1, 0, 0};
    }
    s->count = 1;
    s->size = scale;
    s->vertex[0] = tact_difference_support(a, b, towards);
    double distance = descend(a, b, enough, s, &bound);
    if (bound <= enough && distance > TACT_SAME_DEPTH * scale) {
        bool proven = distance - bound <= TACT_NO_LENGTH * scale && is_proven(a, b, s, distance);
        bool curved = tact_convex_is_curved(a) || tact_convex_is_curved(b);
        if ((curved || !proven) && refine_simplex(a, b, s, &distance, on_a, on_b)) {
            return distance;
        }
        distance = proven ? distance : run_again(a, b, distance, s, &bound);
    }
    find_points(s, on_a, on_b);
    if (bound > enough) {
        return bound;
    }
    // So near that the direction is not known to 1e-4 is as good as touching: the square of that is
    // what its cosine, and with it the bound, is off by.
    if (distance > 0 && distance < NEAR * scale && distance - bound > UNKNOWN * distance &&
        !tact_corners_refine(a, b, s, &distance, on_a, on_b)) {
        return 0;
    }
    return distance;
}
