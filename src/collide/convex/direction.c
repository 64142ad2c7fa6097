// The direction along which two convex sets overlap least, or are furthest apart.
//
// h(n) = max n'w over the difference a - b is the overlap along n; apart, -h is the separation, and
// its maximum the distance. Both are least h over the sphere. Polytopes inside round shapes come
// near it and no further; Newton's method does the rest.
#include <math.h>

#include "collide/convex/gjk.h"
#include "collide/tolerance.h"

typedef struct Search {
    const TactConvex *a, *b;
    TactVec3          normal;
    double            least;
    double            size;
} Search;

static void try_direction(Search *s, TactVec3 n)
{
    double h = tact_vec3_dot(tact_difference_support(s->a, s->b, n).w, n);
    if (h < s->least) {
        s->least = h;
        s->normal = n;
    }
}

/// h in the tangents of n: the support point across n is its gradient there.
static void gradient(const Search *s, TactVec3 n, TactVec3 x, TactVec3 y, double g[2])
{
    TactVec3 w = tact_difference_support(s->a, s->b, n).w;
    g[0] = tact_vec3_dot(x, w);
    g[1] = tact_vec3_dot(y, w);
}

/// Newton's step on h(normalise(n + u x + v y)); downhill at least where h is not convex.
static void find_newton_step(const Search *s, TactVec3 x, TactVec3 y, double *u, double *v)
{
    const double step = 1e-6; // rad: forward differences of a gradient that is good to 1e-12
    TactVec3     n = s->normal;
    double       g[2], gx[2], gy[2], tiny = TACT_SAME_DEPTH * s->size;
    gradient(s, n, x, y, g);
    gradient(s, tact_vec3_add_scaled(n, step, x), x, y, gx);
    gradient(s, tact_vec3_add_scaled(n, step, y), x, y, gy);
    // of h without normalising; dividing by the length takes h off the diagonal
    double a = (gx[0] - g[0]) / step - s->least, c = (gy[1] - g[1]) / step - s->least;
    double b = 0.5 * ((gx[1] - g[1]) + (gy[0] - g[0])) / step, det = a * c - b * b;
    if (!(a > tiny && c > tiny && det > tiny * fmax(a, c))) {
        a = c = fmax(fmax(fabs(a), fabs(c)), s->size);
        b = 0;
        det = a * c;
    }
    *u = -(c * g[0] - b * g[1]) / det;
    *v = -(a * g[1] - b * g[0]) / det;
}

double tact_direction_polish(const TactConvex *a, const TactConvex *b, TactVec3 *normal)
{
    Search s = {a, b, *normal, INFINITY, a->size + b->size};
    try_direction(&s, *normal);
    for (int round = 0; round < 20; round++) {
        TactVec3 n = s.normal, x, y;
        double   before = s.least, u, v;
        tact_vec3_tangents(n, &x, &y);
        find_newton_step(&s, x, y, &u, &v);
        for (int half = 0; half < 8 && s.least >= before; half++) {
            TactVec3 to = tact_vec3_add_scaled(tact_vec3_add_scaled(n, u, x), v, y);
            try_direction(&s, tact_vec3_normalise(to));
            u *= 0.4;
            v *= 0.4;
        }
        if (!(s.least < before - TACT_LAST_BITS * s.size)) {
            break;
        }
    }
    *normal = s.normal;
    return s.least;
}
