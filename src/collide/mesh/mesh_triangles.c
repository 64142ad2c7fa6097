// Nearest points of triangles: of a corner and a face, or of two edges. To rounding, however near
// the triangles are to each other. And where they cross.
#include "collide/mesh/mesh_triangles.h"

#include <math.h>

bool tact_triangle_holds(const TactMeshTriangle *t, TactVec3 x, double tol)
{
    for (int i = 0; i < 3; i++) {
        TactVec3 edge = tact_vec3_subtract(t->v[i < 2 ? i + 1 : 0], t->v[i]);
        TactVec3 in = tact_vec3_cross(t->normal, edge); // as long as the edge
        double   left = tact_vec3_dot(in, tact_vec3_subtract(x, t->v[i]));
        if (left < 0 && left * left > tol * tol * tact_vec3_dot(edge, edge)) {
            return false;
        }
    }
    return true;
}

static TactVec3 nearest_on_edge(TactVec3 x, TactVec3 p, TactVec3 q)
{
    TactVec3 way = tact_vec3_subtract(q, p);
    double   square = tact_vec3_dot(way, way), along = tact_vec3_dot(way, tact_vec3_subtract(x, p));
    double   share = square > 0 ? along / square : 0;
    return tact_vec3_add_scaled(p, share < 0 ? 0 : share > 1 ? 1 : share, way);
}

static double square_of(TactVec3 p, TactVec3 q)
{
    TactVec3 apart = tact_vec3_subtract(p, q);
    return tact_vec3_dot(apart, apart);
}

TactVec3 tact_triangle_nearest(const TactMeshTriangle *t, TactVec3 x)
{
    double   height = tact_vec3_dot(t->normal, tact_vec3_subtract(x, t->v[0]));
    TactVec3 best = tact_vec3_add_scaled(x, -height, t->normal);
    double   least = INFINITY;
    if (tact_vec3_dot(t->normal, t->normal) > 0 && tact_triangle_holds(t, best, 0)) {
        return best;
    }
    for (int i = 0; i < 3; i++) {
        TactVec3 here = nearest_on_edge(x, t->v[i], t->v[i < 2 ? i + 1 : 0]);
        double   square = square_of(here, x);
        if (square < least) {
            least = square;
            best = here;
        }
    }
    return best;
}

/// Points of the lines p + s u and q + r v that are nearest to each other; false unless both are
/// inside of the edges.
static bool find_inside(TactVec3 p, TactVec3 u, TactVec3 q, TactVec3 v, TactVec3 *on_p,
                        TactVec3 *on_q)
{
    TactVec3 w = tact_vec3_subtract(q, p), n = tact_vec3_cross(u, v);
    double   square = tact_vec3_dot(n, n);
    double   s = tact_vec3_dot(tact_vec3_cross(w, v), n);
    double   r = tact_vec3_dot(tact_vec3_cross(w, u), n);
    if (!(s > 0 && s < square && r > 0 && r < square)) {
        return false;
    }
    *on_p = tact_vec3_add_scaled(p, s / square, u);
    *on_q = tact_vec3_add_scaled(q, r / square, v);
    return true;
}

double tact_triangles_nearest(const TactMeshTriangle *a, const TactMeshTriangle *b, TactVec3 *on_a,
                              TactVec3 *on_b)
{
    double least = INFINITY;
    for (int i = 0; i < 6; i++) {
        TactVec3 corner = i < 3 ? a->v[i] : b->v[i - 3];
        TactVec3 foot = tact_triangle_nearest(i < 3 ? b : a, corner);
        double   square = square_of(corner, foot);
        if (square < least) {
            least = square;
            *on_a = i < 3 ? corner : foot;
            *on_b = i < 3 ? foot : corner;
        }
    }
    for (int k = 0; k < 9; k++) {
        int      i = k / 3, j = k % 3;
        TactVec3 u = tact_vec3_subtract(a->v[i < 2 ? i + 1 : 0], a->v[i]);
        TactVec3 v = tact_vec3_subtract(b->v[j < 2 ? j + 1 : 0], b->v[j]), p, q;
        if (find_inside(a->v[i], u, b->v[j], v, &p, &q) && square_of(p, q) < least) {
            least = square_of(p, q);
            *on_a = p;
            *on_b = q;
        }
    }
    return sqrt(least);
}

/// The line in which triangle b passes through the plane of a; false: it does not.
static bool find_line(const TactMeshTriangle *a, const TactMeshTriangle *b, TactVec3 line[2])
{
    double h[3];
    int    count = 0;
    for (int i = 0; i < 3; i++) {
        h[i] = tact_vec3_dot(a->normal, tact_vec3_subtract(b->v[i], a->v[0]));
    }
    for (int i = 0; i < 3 && count < 2; i++) {
        int j = i < 2 ? i + 1 : 0;
        if ((h[i] < 0) != (h[j] < 0)) {
            TactVec3 way = tact_vec3_subtract(b->v[j], b->v[i]);
            line[count++] = tact_vec3_add_scaled(b->v[i], h[i] / (h[i] - h[j]), way);
        }
    }
    return count == 2;
}

bool tact_triangles_cross(const TactMeshTriangle *a, const TactMeshTriangle *b, TactVec3 *middle)
{
    TactVec3 line[2];
    double   from = 0, to = 1;
    if (!find_line(a, b, line)) {
        return false;
    }
    for (int i = 0; i < 3; i++) { // the part that is left of each side of a
        TactVec3 edge = tact_vec3_subtract(a->v[i < 2 ? i + 1 : 0], a->v[i]);
        TactVec3 in = tact_vec3_cross(a->normal, edge);
        double   p = tact_vec3_dot(in, tact_vec3_subtract(line[0], a->v[i]));
        double   q = tact_vec3_dot(in, tact_vec3_subtract(line[1], a->v[i]));
        if (p < 0 && q < 0) {
            return false;
        }
        if (p < 0) {
            from = fmax(from, p / (p - q));
        } else if (q < 0) {
            to = fmin(to, p / (p - q));
        }
    }
    TactVec3 way = tact_vec3_subtract(line[1], line[0]);
    *middle = tact_vec3_add_scaled(line[0], 0.5 * (from + to), way);
    return from <= to;
}
