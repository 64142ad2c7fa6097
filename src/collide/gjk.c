// The nearest point of a difference of convex sets to the origin [Gilbert, Johnson, Keerthi 1988;
// closest points of simplices as in Ericson, Real-Time Collision Detection, 5.1].
#include "collide/gjk.h"

#include <math.h>

enum { MOST_ROUNDS = 128 };
static const double CLOSE = 1e-14; // relative: when the lower bound has met the distance

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
    TactSimplex kept = {.count = count};
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

static void nearest_on_triangle(TactSimplex *s)
{
    TactVec3 a = s->vertex[0].w, b = s->vertex[1].w, c = s->vertex[2].w;
    TactVec3 ab = tact_vec3_subtract(b, a), ac = tact_vec3_subtract(c, a);
    double   d1 = -tact_vec3_dot(ab, a), d2 = -tact_vec3_dot(ac, a);
    double   d3 = -tact_vec3_dot(ab, b), d4 = -tact_vec3_dot(ac, b);
    double   d5 = -tact_vec3_dot(ab, c), d6 = -tact_vec3_dot(ac, c);
    double   va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0) {
        keep(s, 1, (int[]){0}, (double[]){1});
    } else if (d3 >= 0 && d4 <= d3) {
        keep(s, 1, (int[]){1}, (double[]){1});
    } else if (d6 >= 0 && d5 <= d6) {
        keep(s, 1, (int[]){2}, (double[]){1});
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        double t = d1 / (d1 - d3);
        keep(s, 2, (int[]){0, 1}, (double[]){1 - t, t});
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        double t = d2 / (d2 - d6);
        keep(s, 2, (int[]){0, 2}, (double[]){1 - t, t});
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double t = (d4 - d3) / (d4 - d3 + d5 - d6);
        keep(s, 2, (int[]){1, 2}, (double[]){1 - t, t});
    } else {
        double sum = va + vb + vc;
        s->weight[0] = va / sum;
        s->weight[1] = vb / sum;
        s->weight[2] = vc / sum;
    }
}

/// Does the origin lie on the other side of the plane of three vertices than the fourth?
static bool is_outside(const TactSimplex *s, int i, int j, int k, int opposite)
{
    TactVec3 a = s->vertex[i].w;
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(s->vertex[j].w, a),
                                 tact_vec3_subtract(s->vertex[k].w, a));
    double   origin = -tact_vec3_dot(a, n);
    double   fourth = tact_vec3_dot(tact_vec3_subtract(s->vertex[opposite].w, a), n);
    return origin * fourth <= 0; // a flat tetrahedron is outside of everything
}

/// The nearest of the four sides that the origin lies beyond; none: it is inside.
static void nearest_on_tetrahedron(TactSimplex *s)
{
    static const int sides[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    TactSimplex      best = {0};
    double           least = INFINITY;
    for (int f = 0; f < 4; f++) {
        const int *v = sides[f];
        if (is_outside(s, v[0], v[1], v[2], v[3])) {
            TactSimplex side = *s;
            keep(&side, 3, v, (double[]){0, 0, 0});
            nearest_on_triangle(&side);
            TactVec3 p = nearest_point(&side);
            double   square = tact_vec3_dot(p, p);
            if (square < least) {
                least = square;
                best = side;
            }
        }
    }
    if (best.count > 0) {
        *s = best;
    }
}

static void reduce(TactSimplex *s)
{
    switch (s->count) {
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

double tact_gjk(const TactConvex *a, const TactConvex *b, double enough, TactSimplex *s,
                TactVec3 *on_a, TactVec3 *on_b)
{
    TactVec3 v = tact_vec3_subtract(a->pose.position, b->pose.position);
    double   scale = a->size + b->size, tiny = 1e-13 * scale;
    if (!(tact_vec3_dot(v, v) > 0)) {
        v = (TactVec3){1, 0, 0};
    }
    *s = (TactSimplex){.count = 1};
    s->vertex[0] = tact_difference_support(a, b, tact_vec3_negate(v));
    s->weight[0] = 1;
    v = s->vertex[0].w;
    double distance = tact_vec3_norm(v);
    for (int round = 0; round < MOST_ROUNDS && distance > tiny; round++) {
        TactDifference next = tact_difference_support(a, b, tact_vec3_negate(v));
        double         bound = tact_vec3_dot(v, next.w) / distance; // nothing is nearer
        if (bound > enough) {
            distance = bound;
            break;
        }
        if (distance - bound <= CLOSE * distance || has_vertex(s, next.w)) {
            break;
        }
        TactSimplex before = *s;
        s->vertex[s->count++] = next;
        reduce(s);
        if (s->count == 4) {
            find_points(s, on_a, on_b);
            return 0;
        }
        TactVec3 nearer = nearest_point(s);
        double   length = tact_vec3_norm(nearer);
        if (!(length < distance)) { // rounding: no progress
            *s = before;
            break;
        }
        v = nearer;
        distance = length;
    }
    find_points(s, on_a, on_b);
    return distance > tiny ? distance : 0;
}
