// Depth of the overlap of two solids (collide/convex/epa.c), for one lane: a polytope inside their
// difference that grows towards the side of it that is nearest to the origin [van den Bergen 2001].
// Sides are a plain list: what a new corner sees is taken out, and edges that are left of it alone
// are the horizon. A polytope never meets a curved surface: from a side that is near, Newton's
// method ends there (touch_nearest.h), and the polytope grows on until no other side can be nearer.
#ifndef TACT_GPU_TOUCH_EPA_H
#define TACT_GPU_TOUCH_EPA_H

#include "gpu/touch/touch_nearest.h"

enum {
    TACT_STEP_EPA_CORNERS = 40,
    TACT_STEP_EPA_SIDES = 80,
    TACT_STEP_EPA_EDGES = 48,
    TACT_STEP_EPA_RINGS = 4,
};

// As in collide/convex/epa.c, collide/tolerance.h; of the size of the solids.
#define TACT_STEP_EPA_CONVERGED 1e-11
#define TACT_STEP_EPA_NO_AREA 1e-30
#define TACT_STEP_EPA_SPOILT 1e-7
#define TACT_STEP_EPA_GAP 1e-4
// From how near on Newton's method is tried, and the cosine of what is one direction to it.
#define TACT_STEP_EPA_TRY 0.1
#define TACT_STEP_EPA_AROUND (1 - 1e-3)

typedef struct TactStepPolytope {
    int           corners, sides, edges;
    double        size, least; // least h(n) so far
    TactVec3      normal;      // that n
    TactVec3      w[TACT_STEP_EPA_CORNERS], on_a[TACT_STEP_EPA_CORNERS];
    TactVec3      out[TACT_STEP_EPA_SIDES];
    double        distance[TACT_STEP_EPA_SIDES];
    unsigned char corner[TACT_STEP_EPA_SIDES][3]; // counter-clockwise seen from outside
    unsigned char edge[TACT_STEP_EPA_EDGES][2];
} TactStepPolytope;

/// Adds the corner that is furthest along a direction.
TACT_LANE void tact_step_epa_ask(const TactStepSolid *a, const TactStepSolid *b, TactVec3 n,
                                 TactStepPolytope *p)
{
    TactVec3 on_a = tact_step_furthest(a, n), on_b = tact_step_furthest(b, tact_vec3_negate(n));
    p->on_a[p->corners] = on_a;
    p->w[p->corners] = tact_vec3_subtract(on_a, on_b);
    double h = tact_vec3_dot(p->w[p->corners], n);
    p->normal = h < p->least ? n : p->normal;
    p->least = h < p->least ? h : p->least;
}

/// 0: there is no room, or three corners are on a line.
TACT_LANE int tact_step_epa_side(TactStepPolytope *p, int i, int j, int k)
{
    TactVec3 a = p->w[i];
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(p->w[j], a), tact_vec3_subtract(p->w[k], a));
    double   length = tact_vec3_norm(n);
    int      at = p->sides;
    if (at == TACT_STEP_EPA_SIDES || !(length > TACT_STEP_EPA_NO_AREA * p->size * p->size)) {
        return 0;
    }
    p->out[at] = tact_vec3_scale(1 / length, n);
    p->distance[at] = tact_vec3_dot(p->out[at], a);
    p->corner[at][0] = (unsigned char)i;
    p->corner[at][1] = (unsigned char)j;
    p->corner[at][2] = (unsigned char)k;
    p->sides++;
    return 1;
}

/// How far a corner is off the span of the first ones.
TACT_LANE double tact_step_epa_off(const TactStepPolytope *p, TactVec3 w)
{
    TactVec3 from = tact_vec3_subtract(w, p->w[0]);
    TactVec3 n = from;
    if (p->corners >= 2) {
        TactVec3 edge = tact_step_unit(tact_vec3_subtract(p->w[1], p->w[0]));
        n = tact_vec3_cross(edge, from);
        if (p->corners >= 3) {
            TactVec3 up = tact_vec3_cross(edge, tact_vec3_subtract(p->w[2], p->w[0]));
            return fabs(tact_vec3_dot(tact_step_unit(up), from));
        }
    }
    return tact_vec3_norm(n);
}

/// Corners until four span a volume. 0: the difference is flat.
TACT_LANE int tact_step_epa_complete(const TactStepSolid *a, const TactStepSolid *b,
                                     TactStepPolytope *p)
{
    while (p->corners < 4) {
        double   most = 0;
        TactVec3 best_w = p->w[0], best_a = p->on_a[0], leave = {1, 0, 0};
        if (p->corners >= 2) {
            TactVec3 edge = tact_step_unit(tact_vec3_subtract(p->w[1], p->w[0]));
            leave = tact_step_tangent(edge);
            if (p->corners == 3) {
                TactVec3 other = tact_vec3_subtract(p->w[2], p->w[0]);
                leave = tact_step_unit(tact_vec3_cross(edge, other));
            }
        }
        TACT_ROLLED
        for (int k = 0; k < 8; k++) {
            TactVec3 axis = {k / 2 == 1 ? 1.0 : 0.0, k / 2 == 2 ? 1.0 : 0.0,
                             k / 2 == 3 ? 1.0 : 0.0};
            TactVec3 d = k < 2 ? leave : axis;
            tact_step_epa_ask(a, b, k % 2 ? tact_vec3_negate(d) : d, p);
            double off = tact_step_epa_off(p, p->w[p->corners]);
            best_w = off > most ? p->w[p->corners] : best_w;
            best_a = off > most ? p->on_a[p->corners] : best_a;
            most = tact_step_larger(most, off);
        }
        if (!(most > TACT_STEP_GJK_PROVED * p->size)) {
            return 0;
        }
        p->w[p->corners] = best_w;
        p->on_a[p->corners++] = best_a;
    }
    return 1;
}

/// The first four sides. 0: it has none.
TACT_LANE int tact_step_epa_begin(const TactStepSolid *a, const TactStepSolid *b,
                                  const TactStepSimplex *s, TactStepPolytope *p)
{
    p->corners = p->sides = 0;
    p->size = a->size + b->size;
    p->least = INFINITY;
    p->normal = s->w[0];
    TACT_ROLLED
    for (int i = 0; i < s->count; i++) {
        p->w[p->corners] = s->w[i];
        p->on_a[p->corners] = s->on_a[i];
        p->corners +=
            i == 0 || tact_step_epa_off(p, s->w[i]) > TACT_STEP_GJK_PROVED * p->size ? 1 : 0;
    }
    if (!tact_step_epa_complete(a, b, p)) {
        return 0;
    }
    TactVec3 n =
        tact_vec3_cross(tact_vec3_subtract(p->w[1], p->w[0]), tact_vec3_subtract(p->w[2], p->w[0]));
    int outwards = tact_vec3_dot(n, tact_vec3_subtract(p->w[3], p->w[0])) < 0;
    int i = outwards ? 1 : 2, j = outwards ? 2 : 1;
    return tact_step_epa_side(p, 0, i, j) && tact_step_epa_side(p, 0, j, 3) &&
           tact_step_epa_side(p, j, i, 3) && tact_step_epa_side(p, i, 0, 3);
}

/// An edge of a side that is taken out: the same one backwards is no part of the horizon, nor is
/// this. 0: there is no room.
TACT_LANE int tact_step_epa_edge(TactStepPolytope *p, int from, int to)
{
    TACT_ROLLED
    for (int k = 0; k < p->edges; k++) {
        if (p->edge[k][0] == to && p->edge[k][1] == from) {
            p->edges--;
            p->edge[k][0] = p->edge[p->edges][0];
            p->edge[k][1] = p->edge[p->edges][1];
            return 1;
        }
    }
    if (p->edges == TACT_STEP_EPA_EDGES) {
        return 0;
    }
    p->edge[p->edges][0] = (unsigned char)from;
    p->edge[p->edges++][1] = (unsigned char)to;
    return 1;
}

/// The polytope with the corner that comes next. 0: there is no room, or rounding got in the way.
TACT_LANE int tact_step_epa_grow(TactStepPolytope *p)
{
    int      apex = p->corners, kept = 0, fits = 1;
    TactVec3 w = p->w[apex];
    p->edges = 0;
    TACT_ROLLED
    for (int f = 0; f < p->sides; f++) {
        int i = p->corner[f][0], j = p->corner[f][1], k = p->corner[f][2];
        if (tact_vec3_dot(p->out[f], w) - p->distance[f] > -TACT_STEP_GJK_SUPPORT * p->size) {
            fits = fits && tact_step_epa_edge(p, i, j) && tact_step_epa_edge(p, j, k) &&
                   tact_step_epa_edge(p, k, i);
            continue;
        }
        p->out[kept] = p->out[f];
        p->distance[kept] = p->distance[f];
        p->corner[kept][0] = (unsigned char)i;
        p->corner[kept][1] = (unsigned char)j;
        p->corner[kept++][2] = (unsigned char)k;
    }
    p->sides = kept;
    p->corners++;
    TACT_ROLLED
    for (int e = 0; e < p->edges && fits; e++) {
        fits = tact_step_epa_side(p, p->edge[e][0], p->edge[e][1], apex);
    }
    return fits && p->edges >= 3 && p->corners < TACT_STEP_EPA_CORNERS;
}

/// Points of the two surfaces where the normal passes through a side; returns by how much of its
/// size it passes outside.
TACT_LANE double tact_step_epa_points(const TactStepPolytope *p, int f, TactVec3 *on_a,
                                      TactVec3 *on_b)
{
    TactVec3 foot = tact_vec3_scale(p->distance[f], p->out[f]), x = {0, 0, 0}, y = {0, 0, 0};
    double   sum = 0, miss = 0;
    TACT_ROLLED
    for (int i = 0; i < 3; i++) {
        int      own = p->corner[f][i], next = p->corner[f][(i + 1) % 3];
        int      last = p->corner[f][(i + 2) % 3];
        TactVec3 j = tact_vec3_subtract(p->w[next], foot), k = tact_vec3_subtract(p->w[last], foot);
        double   weight = tact_vec3_dot(p->out[f], tact_vec3_cross(j, k));
        miss = tact_step_larger(miss, -weight);
        weight = weight > 0 ? weight : 0;
        sum += weight;
        x = tact_vec3_add_scaled(x, weight, p->on_a[own]);
        y = tact_vec3_add_scaled(y, weight, tact_vec3_subtract(p->on_a[own], p->w[own]));
    }
    *on_a = tact_vec3_scale(1 / sum, x);
    *on_b = tact_vec3_scale(1 / sum, y);
    return sum > 0 ? miss / sum : 1;
}

/// By how much two points miss being depth * normal apart.
TACT_LANE double tact_step_epa_miss(TactVec3 on_a, TactVec3 on_b, TactVec3 normal, double depth)
{
    TactVec3 apart = tact_vec3_subtract(on_a, on_b);
    return tact_vec3_norm(tact_vec3_add_scaled(apart, -depth, normal));
}

/// The nearest points once b is moved out until it is just free. 0: not found.
TACT_LANE int tact_step_epa_free(const TactStepSolid *a, const TactStepSolid *b, TactVec3 normal,
                                 double depth, TactVec3 *on_a, TactVec3 *on_b)
{
    TactStepSolid   moved = *b;
    TactStepSimplex simplex;
    TactVec3        n;
    double          distance, gap = depth + TACT_STEP_EPA_GAP * (a->size + b->size);
    moved.pose.position = tact_vec3_add_scaled(b->pose.position, gap, normal);
    moved.middle = tact_vec3_add_scaled(b->middle, gap, normal); // b is no triangle
    if (tact_step_gjk(a, &moved, INFINITY, &simplex, &n, &distance) != TACT_STEP_NEAR) {
        return 0;
    }
    tact_step_simplex_points(&simplex, on_a, on_b);
    *on_b = tact_vec3_add_scaled(*on_b, -gap, normal);
    return 1;
}

/// What Newton's method found from a side, with points of the surfaces.
typedef struct TactStepOut {
    int      found;
    TactVec3 normal, on_a, on_b;
    double   depth;
} TactStepOut;

/// Is the overlap along all directions around one no less? Newton's method is blind for what begins
/// beyond the part of the surface that it follows.
TACT_LANE int tact_step_is_least(const TactStepSolid *a, const TactStepSolid *b, TactVec3 normal,
                                 double depth, double tol)
{
    TactVec3 x = tact_step_tangent(normal), y = tact_vec3_cross(normal, x);
    int      least = 1;
    TACT_ROLLED
    for (int k = 0; k < 8 * TACT_STEP_EPA_RINGS && least; k++) {
        double   turn = k < 8 ? 1e-2 : k < 16 ? 1e-3 : k < 24 ? 1e-4 : 1e-5;
        double   u = k % 8 < 3 ? 1 : k % 8 < 6 ? -1 : 0, v = k % 3 == 0 ? 1 : k % 3 == 1 ? -1 : 0;
        TactVec3 n = tact_vec3_add_scaled(normal, turn * u, x);
        n = tact_step_unit(tact_vec3_add_scaled(n, turn * v, y));
        TactVec3 on_a = tact_step_furthest(a, n), on_b = tact_step_furthest(b, tact_vec3_negate(n));
        least = tact_vec3_dot(n, tact_vec3_subtract(on_a, on_b)) >= depth - tol;
    }
    return least;
}

/// Newton's method from a side, where it parts the solids as soon as all that is known.
TACT_LANE void tact_step_epa_refine(const TactStepSolid *a, const TactStepSolid *b,
                                    const TactStepPolytope *p, int f, TactStepOut *out)
{
    TactStepSimplex s;
    TactVec3        normal = p->out[f], on_a, on_b;
    double          distance = -p->distance[f];
    s.count = 3;
    TACT_ROLLED
    for (int i = 0; i < 3; i++) {
        int k = p->corner[f][i];
        s.w[i] = p->w[k];
        s.on_a[i] = p->on_a[k];
        s.on_b[i] = tact_vec3_subtract(p->on_a[k], p->w[k]);
    }
    double tol = TACT_STEP_GJK_PROVED * p->size;
    if (tact_step_refine(a, b, &s, &normal, &distance, &on_a, &on_b) &&
        -distance <= p->least + tol && tact_step_is_least(a, b, normal, -distance, tol)) {
        TactStepOut found = {1, normal, on_a, on_b, -distance};
        *out = found;
    }
}

/// The side that is nearest to the origin, but for those that face where Newton's method ended; -1:
/// there is none.
TACT_LANE int tact_step_epa_nearest(const TactStepPolytope *p, const TactStepOut *out)
{
    int    nearest = -1;
    double lower = INFINITY;
    TACT_ROLLED
    for (int f = 0; f < p->sides; f++) {
        int other = !out->found || tact_vec3_dot(p->out[f], out->normal) < TACT_STEP_EPA_AROUND;
        nearest = other && p->distance[f] < lower ? f : nearest;
        lower = other && p->distance[f] < lower ? p->distance[f] : lower;
    }
    return nearest;
}

/// Grows a polytope until the least depth is known: that of a side, or what Newton's method found.
/// 0: not found.
TACT_LANE int tact_step_epa_run(const TactStepSolid *a, const TactStepSolid *b, TactStepPolytope *p,
                                TactStepOut *out)
{
    int    curved = tact_step_is_curved(a) || tact_step_is_curved(b), good = 1;
    double next = TACT_STEP_EPA_TRY * p->size; // of gaps: the one to try Newton's method at
    out->found = 0;
    out->depth = 0;
    while (good) {
        int    nearest = tact_step_epa_nearest(p, out);
        double lower = nearest < 0 ? INFINITY : p->distance[nearest];
        if (out->found && !(lower < out->depth - TACT_STEP_SAME_DEPTH * p->size)) {
            return 1;
        }
        if (nearest < 0) { // not a number
            return 0;
        }
        TactVec3 n = p->out[nearest];
        tact_step_epa_ask(a, b, n, p);
        out->found = out->found && p->least >= out->depth - TACT_STEP_GJK_PROVED * p->size;
        double gap = p->least - lower;
        if (curved && !out->found && gap <= next) {
            next = 0.3 * gap;
            tact_step_epa_refine(a, b, p, nearest, out);
            if (out->found) {
                continue;
            }
        }
        if (!out->found && gap <= TACT_STEP_EPA_CONVERGED * p->size) {
            p->normal = tact_vec3_dot(p->w[p->corners], n) <= p->least ? n : p->normal;
            return 1;
        }
        good = tact_step_epa_grow(p);
    }
    return 0;
}

/// Overlap of two cores along the direction of the least, and points of their surfaces. 0: not
/// found, or not to the last digits.
TACT_LANE_CALL int tact_step_epa(const TactStepSolid *a, const TactStepSolid *b,
                                 const TactStepSimplex *start, TactVec3 *normal, double *depth,
                                 TactVec3 *on_a, TactVec3 *on_b)
{
    TactStepPolytope p;
    TactStepOut      out;
    double           least_miss = 2; // no side has it
    *on_a = *on_b = a->middle;
    if (!tact_step_epa_begin(a, b, start, &p) || !tact_step_epa_run(a, b, &p, &out)) {
        return 0;
    }
    if (out.found) {
        *normal = out.normal;
        *depth = out.depth;
        *on_a = out.on_a;
        *on_b = out.on_b;
        return 1;
    }
    TACT_ROLLED
    for (int f = 0; f < p.sides; f++) { // a face of the difference is many sides
        TactVec3 x, y;
        if (tact_vec3_dot(p.out[f], p.normal) > 1 - TACT_STEP_SAME_DEPTH) {
            double miss = tact_step_epa_points(&p, f, &x, &y);
            *on_a = miss < least_miss ? x : *on_a;
            *on_b = miss < least_miss ? y : *on_b;
            least_miss = miss < least_miss ? miss : least_miss;
        }
    }
    *normal = p.normal;
    *depth = p.least;
    double most = TACT_STEP_EPA_SPOILT * p.size;
    return (least_miss <= 1 && tact_step_epa_miss(*on_a, *on_b, p.normal, p.least) <= most) ||
           (tact_step_epa_free(a, b, p.normal, p.least, on_a, on_b) &&
            tact_step_epa_miss(*on_a, *on_b, p.normal, p.least) <= most);
}

#endif
