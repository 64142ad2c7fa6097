// Penetration: a polytope inside the difference of two convex sets that grows towards the side of
// it that is nearest to the origin [van den Bergen 2001].
#include <math.h>

#include "collide/gjk.h"

enum { MOST_VERTICES = 160, MOST_FACES = 2 * MOST_VERTICES, MOST_HORIZON = MOST_FACES };
static const double CONVERGED = 1e-11; // of the size of the shapes

typedef struct Side {
    int      vertex[3]; // counter-clockwise seen from outside
    TactVec3 normal;
    double   distance; // of its plane from the origin
    bool     gone;
} Side;

typedef struct Polytope {
    TactDifference vertex[MOST_VERTICES];
    int            vertex_count;
    Side           side[MOST_FACES];
    int            side_count;
    double         size;
} Polytope;

/// False if the three vertices are on a line.
static bool add_side(Polytope *p, int i, int j, int k)
{
    TactVec3 a = p->vertex[i].w;
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(p->vertex[j].w, a),
                                 tact_vec3_subtract(p->vertex[k].w, a));
    double   length = tact_vec3_norm(n);
    if (p->side_count == MOST_FACES || !(length > 1e-30 * p->size * p->size)) {
        return false;
    }
    n = tact_vec3_scale(1 / length, n);
    p->side[p->side_count++] = (Side){{i, j, k}, n, tact_vec3_dot(n, a), false};
    return true;
}

/// A fourth vertex off the plane of three, in whichever direction there is one.
static bool complete(Polytope *p, const TactConvex *a, const TactConvex *b)
{
    static const TactVec3 axes[6] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                     {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    for (int k = 0; k < 6 && p->vertex_count < 4; k++) {
        TactDifference next = tact_difference_support(a, b, axes[k]);
        TactVec3       from = tact_vec3_subtract(next.w, p->vertex[0].w);
        double         tol = 1e-12 * p->size;
        bool           fresh = tact_vec3_norm(from) > tol;
        if (p->vertex_count >= 2 && fresh) {
            TactVec3 edge = tact_vec3_subtract(p->vertex[1].w, p->vertex[0].w);
            fresh = tact_vec3_norm(tact_vec3_cross(edge, from)) > tol * tact_vec3_norm(edge);
        }
        if (p->vertex_count >= 3 && fresh) {
            TactVec3 n = tact_vec3_cross(tact_vec3_subtract(p->vertex[1].w, p->vertex[0].w),
                                         tact_vec3_subtract(p->vertex[2].w, p->vertex[0].w));
            fresh = fabs(tact_vec3_dot(n, from)) > tol * tact_vec3_norm(n);
        }
        if (fresh) {
            p->vertex[p->vertex_count++] = next;
        }
    }
    if (p->vertex_count == 3) { // along the normal of what there is, either way
        TactVec3 n = tact_vec3_cross(tact_vec3_subtract(p->vertex[1].w, p->vertex[0].w),
                                     tact_vec3_subtract(p->vertex[2].w, p->vertex[0].w));
        for (int way = 0; way < 2 && p->vertex_count == 3; way++) {
            TactDifference next = tact_difference_support(a, b, way ? tact_vec3_negate(n) : n);
            TactVec3       from = tact_vec3_subtract(next.w, p->vertex[0].w);
            if (fabs(tact_vec3_dot(n, from)) > 1e-12 * p->size * tact_vec3_norm(n)) {
                p->vertex[p->vertex_count++] = next;
            }
        }
    }
    return p->vertex_count == 4;
}

static bool make_tetrahedron(Polytope *p)
{
    TactVec3 a = p->vertex[0].w;
    TactVec3 n = tact_vec3_cross(tact_vec3_subtract(p->vertex[1].w, a),
                                 tact_vec3_subtract(p->vertex[2].w, a));
    bool     outwards = tact_vec3_dot(n, tact_vec3_subtract(p->vertex[3].w, a)) < 0;
    int      i = outwards ? 1 : 2, j = outwards ? 2 : 1;
    return add_side(p, 0, i, j) && add_side(p, 0, j, 3) && add_side(p, j, i, 3) &&
           add_side(p, i, 0, 3);
}

static int nearest_side(const Polytope *p)
{
    int best = -1;
    for (int i = 0; i < p->side_count; i++) {
        if (!p->side[i].gone && (best < 0 || p->side[i].distance < p->side[best].distance)) {
            best = i;
        }
    }
    return best;
}

/// Removes what a new vertex sees and closes the hole towards it. False if rounding got in the way.
static bool grow(Polytope *p, TactDifference vertex)
{
    int edges[MOST_HORIZON][2], count = 0, apex = p->vertex_count;
    if (apex == MOST_VERTICES) {
        return false;
    }
    p->vertex[p->vertex_count++] = vertex;
    for (int f = 0; f < p->side_count; f++) {
        Side *side = &p->side[f];
        if (side->gone || tact_vec3_dot(side->normal, vertex.w) <= side->distance) {
            continue;
        }
        side->gone = true;
        for (int e = 0; e < 3; e++) {
            int i = side->vertex[e], j = side->vertex[(e + 1) % 3], twin = -1;
            for (int k = 0; k < count; k++) {
                twin = edges[k][0] == j && edges[k][1] == i ? k : twin;
            }
            if (twin >= 0) { // seen from both sides: inside the hole
                edges[twin][0] = edges[count - 1][0];
                edges[twin][1] = edges[count - 1][1];
                count--;
            } else if (count < MOST_HORIZON) {
                edges[count][0] = i;
                edges[count++][1] = j;
            } else {
                return false;
            }
        }
    }
    int kept = 0;
    for (int f = 0; f < p->side_count; f++) {
        if (!p->side[f].gone) {
            p->side[kept++] = p->side[f];
        }
    }
    p->side_count = kept;
    for (int k = 0; k < count; k++) {
        if (!add_side(p, edges[k][0], edges[k][1], apex)) {
            return false;
        }
    }
    return count >= 3;
}

/// Points of the two surfaces at the place of a side that is nearest to the origin.
static void find_points(const Polytope *p, const Side *side, TactVec3 *on_a, TactVec3 *on_b)
{
    const TactDifference *v[3] = {&p->vertex[side->vertex[0]], &p->vertex[side->vertex[1]],
                                  &p->vertex[side->vertex[2]]};
    TactVec3              foot = tact_vec3_scale(side->distance, side->normal);
    double                weight[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        TactVec3 j = tact_vec3_subtract(v[(i + 1) % 3]->w, foot);
        TactVec3 k = tact_vec3_subtract(v[(i + 2) % 3]->w, foot);
        weight[i] = fmax(tact_vec3_dot(side->normal, tact_vec3_cross(j, k)), 0);
        sum += weight[i];
    }
    *on_a = *on_b = (TactVec3){0, 0, 0};
    for (int i = 0; i < 3; i++) {
        double share = sum > 0 ? weight[i] / sum : 1.0 / 3;
        *on_a = tact_vec3_add_scaled(*on_a, share, v[i]->on_a);
        *on_b = tact_vec3_add_scaled(*on_b, share, v[i]->on_b);
    }
}

double tact_epa(const TactConvex *a, const TactConvex *b, const TactSimplex *start,
                TactVec3 *normal, TactVec3 *on_a, TactVec3 *on_b)
{
    Polytope p = {.size = a->size + b->size};
    for (int i = 0; i < start->count; i++) {
        p.vertex[p.vertex_count++] = start->vertex[i];
    }
    if ((p.vertex_count < 4 && !complete(&p, a, b)) || !make_tetrahedron(&p)) {
        // Flat: the sets touch without a volume in common.
        *normal = tact_vec3_normalise(tact_vec3_subtract(b->pose.position, a->pose.position));
        if (!(tact_vec3_norm(*normal) > 0)) {
            *normal = (TactVec3){0, 0, 1};
        }
        *on_a = start->vertex[0].on_a;
        *on_b = start->vertex[0].on_b;
        return 0;
    }
    Side best = p.side[nearest_side(&p)];
    for (;;) {
        int            nearest = nearest_side(&p);
        TactDifference next;
        if (nearest < 0) {
            break;
        }
        best = p.side[nearest];
        find_points(&p, &best, on_a, on_b);
        next = tact_difference_support(a, b, best.normal);
        if (tact_vec3_dot(next.w, best.normal) - best.distance <= CONVERGED * p.size ||
            !grow(&p, next)) {
            break;
        }
    }
    // a - b reaches no further than `distance` along the normal: moving b that far parts them.
    *normal = best.normal;
    return fmax(best.distance, 0);
}
