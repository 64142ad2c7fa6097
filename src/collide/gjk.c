// The nearest point of a difference of convex sets to the origin [Gilbert, Johnson, Keerthi 1988;
// closest points of simplices as in Ericson, Real-Time Collision Detection, 5.1].
#include "collide/gjk.h"

#include <math.h>

enum { MOST_ROUNDS = 128 };
static const double CLOSE = 1e-14; // relative: when the lower bound has met the distance
// Below this weight rounding may have the sign wrong, so that sides are looked at too.
static const double SLENDER = 1e-3;

TactDifference tact_difference_support(const TactConvex *a, const TactConvex *b, TactVec3 direction)
{
    TactDifference d;
    d.on_a = tact_convex_support(a, direction);
    d.on_b = tact_convex_support(b, tact_vec3_negate(direction));
    d.w = tact_vec3_subtract(d.on_a, d.on_b);
    return d;
}

/// Keeps the vertices whose weights are given.
static void keep(TactSimplex *s, int count, const int *which, const double *weight)
{
    TactSimplex kept = {.count = count, .size = s->size};
    for (int i = 0; i < count; i++) {
        kept.vertex[i] = s->vertex[which[i]];
        kept.weight[i] = weight[i];
    }
    *s = kept;
}

static TactVec3 nearest_point(const TactSimplex *s)
{
    TactVec3 p = {0, 0, 0};
    for (int i = 0; i < s->count; i++) {
        p = tact_vec3_add_scaled(p, s->weight[i], s->vertex[i].w);
    }
    return p;
}

static void nearest_on_segment(TactSimplex *s)
{
    TactVec3 a = s->vertex[0].w, ab = tact_vec3_subtract(s->vertex[1].w, a);
    double   square = tact_vec3_dot(ab, ab), t = -tact_vec3_dot(a, ab);
    if (t <= 0 || !(square > 0)) {
        keep(s, 1, (int[]){0}, (double[]){1});
    } else if (t >= square) {
        keep(s, 1, (int[]){1}, (double[]){1});
    } else {
        keep(s, 2, (int[]){0, 1}, (double[]){1 - t / square, t / square});
    }
}

static double square_of_nearest(const TactSimplex *s)
{
    TactVec3 p = nearest_point(s);
    return tact_vec3_dot(p, p);
}

/// Twice the area of (p, q, r) seen along axis k.
static double area_along(TactVec3 p, TactVec3 q, TactVec3 r, int k)
{
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(q, p), tact_vec3_subtract(r, p));
    return k == 0 ? n.x : k == 1 ? n.y : n.z;
}

/// Weights are areas seen along the axis that shows most of the triangle, with the origin's foot as
/// a corner: differences of near points, which slender triangles need [Montanari et al. 2017].
static void nearest_on_triangle(TactSimplex *s)
{
    TactVec3 a = s->vertex[0].w, b = s->vertex[1].w, c = s->vertex[2].w;
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(b, a), tact_vec3_subtract(c, a));
    double   square = tact_vec3_dot(n, n), weight[3] = {-1, -1, -1}, whole = 0;
    if (square > 0) {
        TactVec3 foot = tact_vec3_scale(tact_vec3_dot(a, n) / square, n);
        int      k = fabs(n.x) >= fabs(n.y) ? 0 : 1;
        k = fabs(k == 0 ? n.x : n.y) >= fabs(n.z) ? k : 2;
        whole = k == 0 ? n.x : k == 1 ? n.y : n.z;
        weight[0] = area_along(foot, b, c, k) / whole;
        weight[1] = area_along(foot, c, a, k) / whole;
        weight[2] = area_along(foot, a, b, k) / whole;
    }
    TactSimplex best = *s;
    double      least = INFINITY;
    bool        inside = weight[0] > 0 && weight[1] > 0 && weight[2] > 0;
    if (inside) {
        double sum = weight[0] + weight[1] + weight[2];
        for (int i = 0; i < 3; i++) {
            best.weight[i] = weight[i] / sum;
        }
        least = square_of_nearest(&best);
    }
    for (int i = 0; i < 3; i++) { // is the foot beyond the side opposite to vertex i?
        if (!(weight[i] > SLENDER)) {
            TactSimplex side = *s;
            keep(&side, 2, (int[]){(i + 1) % 3, (i + 2) % 3}, (double[]){0, 0});
            nearest_on_segment(&side);
            double square_here = square_of_nearest(&side);
            if (square_here < least) {
                least = square_here;
                best = side;
            }
        }
    }
    *s = best;
}

/// Is the origin surely on the same side of the plane of three vertices as the fourth?
static bool is_inside(const TactSimplex *s, int i, int j, int k, int opposite)
{
    TactVec3 a = s->vertex[i].w;
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(s->vertex[j].w, a),
                                 tact_vec3_subtract(s->vertex[k].w, a));
    double   origin = -tact_vec3_dot(a, n);
    double   fourth = tact_vec3_dot(tact_vec3_subtract(s->vertex[opposite].w, a), n);
    return origin * fourth > 0 && fabs(fourth) > 1e-13 * tact_vec3_norm(n) * s->size;
}

/// The nearest of the four sides, unless the origin is inside of all: of a flat tetrahedron
/// rounding cannot tell which sides it is beyond.
static void nearest_on_tetrahedron(TactSimplex *s)
{
    static const int sides[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    TactSimplex      best = *s;
    double           least = INFINITY;
    bool             inside = true;
    for (int f = 0; f < 4 && inside; f++) {
        inside = is_inside(s, sides[f][0], sides[f][1], sides[f][2], sides[f][3]);
    }
    for (int f = 0; f < 4 && !inside; f++) {
        TactSimplex side = *s;
        keep(&side, 3, sides[f], (double[]){0, 0, 0});
        nearest_on_triangle(&side);
        double square = square_of_nearest(&side);
        if (square < least) {
            least = square;
            best = side;
        }
    }
    *s = best;
}

static void reduce(TactSimplex *s)
{
    switch (s->count) {
    case 0:
    case 1: s->weight[0] = 1; break;
    case 2: nearest_on_segment(s); break;
    case 3: nearest_on_triangle(s); break;
    default: nearest_on_tetrahedron(s); break;
    }
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
static double run(const TactConvex *a, const TactConvex *b, double enough, TactSimplex *s,
                  double *bound)
{
    double tiny = 1e-13 * s->size;
    reduce(s);
    if (s->count == 4) {
        return 0;
    }
    TactVec3 v = nearest_point(s);
    double   distance = tact_vec3_norm(v);
    for (int round = 0; round < MOST_ROUNDS && distance > tiny; round++) {
        TactDifference next = tact_difference_support(a, b, tact_vec3_negate(v));
        *bound = fmax(*bound, tact_vec3_dot(v, next.w) / distance); // nothing is nearer
        if (*bound > enough || distance - *bound <= CLOSE * distance || has_vertex(s, next.w)) {
            break;
        }
        TactSimplex before = *s;
        s->vertex[s->count++] = next;
        reduce(s);
        if (s->count == 4 && !(*bound > tiny)) {
            return 0;
        }
        TactVec3 nearer = nearest_point(s);
        double   length = tact_vec3_norm(nearer);
        if (s->count == 4 || !(length <= distance)) { // rounding: no progress
            *s = before;
            break;
        }
        bool stuck = length == distance; // but the direction may be a better one
        v = nearer;
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
    *s = (TactSimplex){.size = a->size + b->size};
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
    return tact_vec3_dot(v, w) / distance >= distance - 1e-12 * s->size;
}

/// Newton's method instead, where it can be proven.
static bool refine(const TactConvex *a, const TactConvex *b, const TactSimplex *s, double *distance,
                   TactVec3 *on_a, TactVec3 *on_b)
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
    for (double turn = 1e-2; turn > 1e-9 && distance - *bound > 1e-12 * scale; turn *= 0.1) {
        TactVec3    n = tact_vec3_scale(-1 / distance, nearest_point(s));
        TactSimplex around;
        *bound = fmax(*bound, -tact_direction_polish(a, b, &n));
        look_around(a, b, n, turn, &around);
        double nearer = run(a, b, INFINITY, &around, bound);
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
    *s = (TactSimplex){.count = 1, .size = scale};
    s->vertex[0] = tact_difference_support(a, b, towards);
    double distance = run(a, b, enough, s, &bound);
    if (bound <= enough && distance > 1e-9 * scale &&
        (distance - bound > 1e-12 * scale || !is_proven(a, b, s, distance))) {
        if (refine(a, b, s, &distance, on_a, on_b)) {
            return distance;
        }
        distance = run_again(a, b, distance, s, &bound);
    }
    find_points(s, on_a, on_b);
    if (bound > enough) {
        return bound;
    }
    // So near that the direction is not known to 1e-4 is as good as touching.
    return distance < 1e-5 * scale && distance - bound > 1e-8 * distance ? 0 : distance;
}
