// Penetration: a polytope inside the difference of two convex sets that grows towards the side of
// it that is nearest to the origin [van den Bergen 2001].
//
// Every direction n that was asked for gives an upper bound of the depth, h(n) = max n'w over the
// difference, and the nearest side a lower one. The direction of the least h is the answer, so it
// parts the shapes whatever rounding did to the polytope; round shapes, which no polytope meets
// exactly, are finished by Newton's method on h over the sphere.
#include <math.h>

#include "collide/convex/gjk.h"
#include "collide/tolerance.h"

enum { MOST_VERTICES = 128, MOST_SIDES = 2 * MOST_VERTICES };
/// Of the size of the shapes.
static const double CONVERGED = 1e-11;
static const double NO_AREA = 1e-30;  // of the square of the size: vertices on a line
static const double SPOILT = 1e-7;    // points that miss the normal by more are no answer
static const double FIRST_GAP = 1e-4; // how far apart b is moved then, at first

/// Edge e of a side goes from vertex e to the next, and has side next[e] beyond it.
typedef struct Side {
    int      vertex[3]; // counter-clockwise seen from outside
    int      next[3];
    int      back[3]; // which edge of next[e] it is
    TactVec3 normal;
} Side;

typedef struct Polytope {
    const TactConvex *a, *b;
    TactDifference    vertex[MOST_VERTICES];
    int               vertex_count;
    Side              side[MOST_SIDES];
    double            distance[MOST_SIDES]; // of the planes from the origin; INFINITY: side is gone
    int               side_count;
    int               unused[MOST_SIDES]; // sides that are gone
    int               unused_count;
    int               horizon[MOST_SIDES][2]; // side beyond, and its edge
    int               horizon_count;
    double            size;
    TactVec3          normal; // of the least h so far
    double            least;  // that h
} Polytope;

static TactDifference ask_support(Polytope *p, TactVec3 n)
{
    TactDifference next = tact_difference_support(p->a, p->b, n);
    double         h = tact_vec3_dot(next.w, n);
    if (h < p->least) {
        p->least = h;
        p->normal = n;
    }
    return next;
}

/// -1 if the three vertices are on a line or there is no room.
static int add_side(Polytope *p, int i, int j, int k)
{
    TactVec3 a = p->vertex[i].w;
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(p->vertex[j].w, a),
                                 tact_vec3_subtract(p->vertex[k].w, a));
    double   length = tact_vec3_norm(n);
    if (!(length > NO_AREA * p->size * p->size) ||
        (p->unused_count == 0 && p->side_count == MOST_SIDES)) {
        return -1;
    }
    int at = p->unused_count > 0 ? p->unused[--p->unused_count] : p->side_count++;
    n = tact_vec3_scale(1 / length, n);
    p->side[at] = (Side){.vertex = {i, j, k}, .normal = n};
    p->distance[at] = tact_vec3_dot(n, a);
    return at;
}

static bool is_gone(const Polytope *p, int side)
{
    return p->distance[side] == INFINITY;
}

static void remove_side(Polytope *p, int side)
{
    p->distance[side] = INFINITY;
    p->unused[p->unused_count++] = side;
}

static void link_sides(Polytope *p, int f, int e, int g, int d)
{
    p->side[f].next[e] = g;
    p->side[f].back[e] = d;
    p->side[g].next[d] = f;
    p->side[g].back[d] = e;
}

// ---------------------------------------------------------------------------------------------
// The first tetrahedron

/// How far a point is off the span of the vertices so far; n is a normal of three of them.
static double off_span(const Polytope *p, TactVec3 w)
{
    TactVec3 from = tact_vec3_subtract(w, p->vertex[0].w);
    if (p->vertex_count == 1) {
        return tact_vec3_norm(from);
    }
    TactVec3 edge = tact_vec3_normalise(tact_vec3_subtract(p->vertex[1].w, p->vertex[0].w));
    if (p->vertex_count == 2) {
        return tact_vec3_norm(tact_vec3_cross(edge, from));
    }
    TactVec3 n = tact_vec3_normalise(
        tact_vec3_cross(edge, tact_vec3_subtract(p->vertex[2].w, p->vertex[0].w)));
    return fabs(tact_vec3_dot(n, from));
}

/// A direction that leaves the span of the vertices so far.
static TactVec3 leave_span(const Polytope *p)
{
    TactVec3 x, y, edge;
    if (p->vertex_count == 1) {
        return (TactVec3){1, 0, 0};
    }
    edge = tact_vec3_normalise(tact_vec3_subtract(p->vertex[1].w, p->vertex[0].w));
    if (p->vertex_count == 2) {
        tact_vec3_tangents(edge, &x, &y);
        return x;
    }
    return tact_vec3_normalise(
        tact_vec3_cross(edge, tact_vec3_subtract(p->vertex[2].w, p->vertex[0].w)));
}

/// Adds vertices until four span a volume. False: the difference is flat.
static bool complete(Polytope *p)
{
    static const TactVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    while (p->vertex_count < 4) {
        TactDifference best = {0};
        double         most = 0;
        for (int k = 0; k < 8; k++) {
            TactVec3       d = k < 2 ? leave_span(p) : axes[k / 2 - 1];
            TactDifference next = ask_support(p, k % 2 ? tact_vec3_negate(d) : d);
            double         off = off_span(p, next.w);
            if (off > most) {
                most = off;
                best = next;
            }
        }
        if (!(most > TACT_NO_LENGTH * p->size)) {
            return false;
        }
        p->vertex[p->vertex_count++] = best;
    }
    return true;
}

static bool make_tetrahedron(Polytope *p)
{
    TactVec3 a = p->vertex[0].w;
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(p->vertex[1].w, a),
                                 tact_vec3_subtract(p->vertex[2].w, a));
    bool     outwards = tact_vec3_dot(n, tact_vec3_subtract(p->vertex[3].w, a)) < 0;
    int      i = outwards ? 1 : 2, j = outwards ? 2 : 1;
    if (add_side(p, 0, i, j) < 0 || add_side(p, 0, j, 3) < 0 || add_side(p, j, i, 3) < 0 ||
        add_side(p, i, 0, 3) < 0) {
        return false;
    }
    link_sides(p, 0, 0, 3, 0); // 0-i
    link_sides(p, 0, 1, 2, 0); // i-j
    link_sides(p, 0, 2, 1, 0); // j-0
    link_sides(p, 1, 1, 2, 2); // j-3
    link_sides(p, 2, 1, 3, 2); // i-3
    link_sides(p, 3, 1, 1, 2); // 0-3
    return true;
}

/// A difference without a volume: across it, to the side of b's middle if both are as good.
static double flat_normal(Polytope *p, TactVec3 *normal)
{
    TactVec3 towards = tact_vec3_subtract(p->b->middle, p->a->middle);
    TactVec3 n = tact_vec3_normalise(towards);
    if (p->vertex_count >= 3) {
        n = leave_span(p);
        n = tact_vec3_dot(n, towards) < 0 ? tact_vec3_negate(n) : n;
    } else if (p->vertex_count == 2) {
        TactVec3 edge = tact_vec3_normalise(tact_vec3_subtract(p->vertex[1].w, p->vertex[0].w));
        n = tact_vec3_add_scaled(towards, -tact_vec3_dot(towards, edge), edge);
        n = tact_vec3_norm(n) > TACT_SAME_DEPTH * p->size ? tact_vec3_normalise(n) : leave_span(p);
    }
    n = tact_vec3_norm(n) > 0 ? n : (TactVec3){0, 0, 1};
    p->least = INFINITY;
    ask_support(p, n);
    double here = p->least;
    ask_support(p, tact_vec3_negate(n));
    if (p->least > here - TACT_LAST_BITS * p->size) {
        p->least = here;
        p->normal = n;
    }
    *normal = p->normal;
    return p->least;
}

// ---------------------------------------------------------------------------------------------
// Growing

static int nearest_side(const Polytope *p)
{
    double least = INFINITY;
    int    best = -1;
    for (int i = 0; i < p->side_count; i++) {
        bool less = p->distance[i] < least;
        least = less ? p->distance[i] : least;
        best = less ? i : best;
    }
    return best;
}

/// Removes what w sees, from side f entered through its edge e on; the rest is the horizon.
static void remove_seen(Polytope *p, TactVec3 w, int f, int e)
{
    const Side *side = &p->side[f];
    if (is_gone(p, f)) {
        return;
    }
    if (tact_vec3_dot(side->normal, w) - p->distance[f] > -TACT_SUPPORT_TOL * p->size) {
        remove_side(p, f);
        for (int k = 1; k < 3; k++) {
            remove_seen(p, w, side->next[(e + k) % 3], side->back[(e + k) % 3]);
        }
    } else if (p->horizon_count < MOST_SIDES) {
        p->horizon[p->horizon_count][0] = f;
        p->horizon[p->horizon_count++][1] = e;
    }
}

/// Removes what a new vertex sees and closes the hole towards it. False if rounding got in the way.
static bool grow_polytope(Polytope *p, int seen, TactDifference vertex)
{
    int starts_at[MOST_VERTICES], made[MOST_SIDES], apex = p->vertex_count;
    if (apex == MOST_VERTICES) {
        return false;
    }
    p->vertex[p->vertex_count++] = vertex;
    p->horizon_count = 0;
    remove_side(p, seen);
    for (int e = 0; e < 3; e++) {
        remove_seen(p, vertex.w, p->side[seen].next[e], p->side[seen].back[e]);
    }
    for (int i = 0; i < apex; i++) {
        starts_at[i] = -1;
    }
    for (int k = 0; k < p->horizon_count; k++) {
        int         f = p->horizon[k][0], e = p->horizon[k][1];
        const Side *beyond = &p->side[f];
        int         from = beyond->vertex[(e + 1) % 3], to = beyond->vertex[e];
        made[k] = add_side(p, from, to, apex);
        if (made[k] < 0 || starts_at[from] >= 0) {
            return false;
        }
        starts_at[from] = made[k];
        link_sides(p, made[k], 0, f, e);
    }
    for (int k = 0; k < p->horizon_count; k++) {
        int neighbour = starts_at[p->side[made[k]].vertex[1]];
        if (neighbour < 0) {
            return false;
        }
        link_sides(p, made[k], 1, neighbour, 2);
    }
    return p->horizon_count >= 3;
}

// ---------------------------------------------------------------------------------------------
// Nearest points

/// Points of the two surfaces where the least direction meets a side, and by how much of its size
/// it passes outside.
static double find_points(const Polytope *p, int index, TactVec3 *on_a, TactVec3 *on_b)
{
    const Side           *side = &p->side[index];
    const TactDifference *v[3] = {&p->vertex[side->vertex[0]], &p->vertex[side->vertex[1]],
                                  &p->vertex[side->vertex[2]]};
    TactVec3              foot = tact_vec3_scale(p->distance[index], side->normal);
    double                weight[3], sum = 0, miss = 0;
    for (int i = 0; i < 3; i++) {
        TactVec3 j = tact_vec3_subtract(v[(i + 1) % 3]->w, foot);
        TactVec3 k = tact_vec3_subtract(v[(i + 2) % 3]->w, foot);
        weight[i] = tact_vec3_dot(side->normal, tact_vec3_cross(j, k));
        miss = fmax(miss, -weight[i]);
        weight[i] = fmax(weight[i], 0);
        sum += weight[i];
    }
    *on_a = *on_b = (TactVec3){0, 0, 0};
    for (int i = 0; i < 3; i++) {
        double share = sum > 0 ? weight[i] / sum : 1.0 / 3;
        *on_a = tact_vec3_add_scaled(*on_a, share, v[i]->on_a);
        *on_b = tact_vec3_add_scaled(*on_b, share, v[i]->on_b);
    }
    return sum > 0 ? miss / sum : 1;
}

/// By how much two points miss being depth * normal apart.
static double find_miss(const Polytope *p, TactVec3 on_a, TactVec3 on_b)
{
    TactVec3 apart = tact_vec3_subtract(on_a, on_b);
    return tact_vec3_norm(tact_vec3_add_scaled(apart, -p->least, p->normal));
}

/// Newton's method from a side (nearest.c), where that is proven and parts the shapes as soon.
static bool refine_side(Polytope *p, const Side *side, TactVec3 *on_a, TactVec3 *on_b)
{
    TactSimplex simplex = {.count = 3, .size = p->size};
    TactNearest nearest = {.distance = -p->least, .normal = p->normal};
    for (int i = 0; i < 3; i++) {
        simplex.vertex[i] = p->vertex[side->vertex[i]];
    }
    if (!tact_nearest_refine(p->a, p->b, &simplex, &nearest) ||
        !(-nearest.distance <= p->least + TACT_NO_LENGTH * p->size)) {
        return false;
    }
    p->least = -nearest.distance;
    p->normal = nearest.normal;
    *on_a = nearest.on_a;
    *on_b = nearest.on_b;
    return true;
}

/// A face of the difference is many sides: the one that the normal passes through has the points.
/// Round shapes have them where they face the normal. Where rounding spoilt both, b is moved out
/// until it is just free: then they are the nearest points of sets that are apart.
static void find_side_nearest(Polytope *p, TactVec3 *on_a, TactVec3 *on_b)
{
    const Side *through = NULL;
    double      least = 2;
    for (int i = 0; i < p->side_count; i++) {
        TactVec3 here_a, here_b;
        if (!is_gone(p, i) && p->distance[i] <= p->least + TACT_SAME_DEPTH * p->size) {
            double miss = find_points(p, i, &here_a, &here_b);
            if (miss < least) {
                least = miss;
                through = &p->side[i];
                *on_a = here_a;
                *on_b = here_b;
            }
        }
    }
    TactDifference last = tact_difference_support(p->a, p->b, p->normal);
    if (least > 1 || find_miss(p, last.on_a, last.on_b) < find_miss(p, *on_a, *on_b)) {
        *on_a = last.on_a;
        *on_b = last.on_b;
    }
    bool curved = tact_convex_is_curved(p->a) || tact_convex_is_curved(p->b);
    if (through && (curved || find_miss(p, *on_a, *on_b) > TACT_NO_LENGTH * p->size) &&
        refine_side(p, through, on_a, on_b)) {
        return;
    }
    for (double gap = FIRST_GAP; gap < 1 && find_miss(p, *on_a, *on_b) > SPOILT * p->size;
         gap *= 10) {
        TactConvex  free = *p->b;
        TactSimplex simplex;
        TactVec3    move = tact_vec3_scale(p->least + gap * p->size, p->normal), at_a, at_b;
        free.pose.position = tact_vec3_add(free.pose.position, move);
        tact_gjk(p->a, &free, INFINITY, &simplex, &at_a, &at_b);
        at_b = tact_vec3_subtract(at_b, move);
        if (find_miss(p, at_a, at_b) < find_miss(p, *on_a, *on_b)) {
            *on_a = at_a;
            *on_b = at_b;
        }
    }
}

double tact_epa(const TactConvex *a, const TactConvex *b, const TactSimplex *start,
                TactVec3 *normal, TactVec3 *on_a, TactVec3 *on_b)
{
    Polytope p;
    bool     exact = false; // a polytope met the difference
    p.a = a;
    p.b = b;
    p.vertex_count = p.side_count = p.unused_count = p.horizon_count = 0;
    p.size = a->size + b->size;
    p.least = INFINITY;
    p.normal = (TactVec3){0, 0, 1};
    for (int i = 0; i < start->count; i++) {
        p.vertex[p.vertex_count] = start->vertex[i];
        if (i == 0 || off_span(&p, start->vertex[i].w) > TACT_NO_LENGTH * p.size) {
            p.vertex_count++;
        }
    }
    if (!complete(&p) || !make_tetrahedron(&p)) {
        *on_a = *on_b = (TactVec3){0, 0, 0};
        for (int i = 0; i < start->count; i++) {
            double share = start->count < 4 ? start->weight[i] : 0.25;
            *on_a = tact_vec3_add_scaled(*on_a, share, start->vertex[i].on_a);
            *on_b = tact_vec3_add_scaled(*on_b, share, start->vertex[i].on_b);
        }
        return flat_normal(&p, normal);
    }
    for (;;) {
        int nearest = nearest_side(&p);
        if (nearest < 0) {
            break;
        }
        const Side    *side = &p.side[nearest];
        double         lower = p.distance[nearest];
        TactDifference next = ask_support(&p, side->normal);
        if (p.least - lower <= CONVERGED * p.size) {
            p.normal = tact_vec3_dot(next.w, side->normal) <= p.least ? side->normal : p.normal;
            exact = true;
            break;
        }
        if (!grow_polytope(&p, nearest, next)) {
            break;
        }
    }
    if (!exact) {
        p.least = tact_direction_polish(a, b, &p.normal);
    }
    find_side_nearest(&p, on_a, on_b);
    *normal = p.normal;
    return p.least;
}
