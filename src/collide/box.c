// Two boxes: the fifteen axes that can part them [Gottschalk et al. 1996], in b's frame seen from
// a.
#include <math.h>

#include "base/status.h"
#include "collide/pair.h"

static const double PREFER_FACES =
    1e-9; // of the size: an edge must be that much better than a face

typedef struct Best {
    double   separation;     // largest so far
    TactVec3 axis;           // world, from a to b
    int      edge_a, edge_b; // axes of the edges that cross; -1: a face
} Best;

static void try_axis(Best *best, TactVec3 axis, double projection, double radius, double bonus,
                     int edge_a, int edge_b)
{
    double separation = fabs(projection) - radius;
    if (separation > best->separation + bonus) {
        best->separation = separation;
        best->axis = projection < 0 ? tact_vec3_negate(axis) : axis;
        best->edge_a = edge_a;
        best->edge_b = edge_b;
    }
}

static double get(TactVec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static TactVec3 column(const TactMat3 *R, int i)
{
    TactVec3 c = {R->m[0][i], R->m[1][i], R->m[2][i]};
    return c;
}

/// Nearest points: of two edges that cross where they do, else the corners that are furthest on.
static void find_points(const TactConvex *a, const TactConvex *b, const Best *best, TactVec3 *on_a,
                        TactVec3 *on_b)
{
    *on_a = tact_convex_support(a, best->axis);
    *on_b = tact_convex_support(b, tact_vec3_negate(best->axis));
    if (best->edge_a < 0) {
        return;
    }
    // p + s u nearest to q + t v: (q - p + t v - s u) is along the axis
    TactVec3 u = column(&a->R, best->edge_a), v = column(&b->R, best->edge_b);
    TactVec3 r = tact_vec3_subtract(*on_b, *on_a);
    double   uv = tact_vec3_dot(u, v), ur = tact_vec3_dot(u, r), vr = tact_vec3_dot(v, r);
    double   det = 1 - uv * uv;
    *on_a = tact_vec3_add_scaled(*on_a, (ur - uv * vr) / det, u);
    *on_b = tact_vec3_add_scaled(*on_b, (uv * ur - vr) / det, v);
}

TactStatus tact_pair_box_box(const TactShapePair *pair, TactTouchList *touches)
{
    TactConvex    a = tact_convex_make(pair->a, pair->pose_a);
    TactConvex    b = tact_convex_make(pair->b, pair->pose_b);
    const double *s = pair->a->size, *t = pair->b->size;
    TactVec3      between = tact_vec3_subtract(b.pose.position, a.pose.position);
    TactVec3      d = tact_convex_turn_back(&a, between), e = tact_convex_turn_back(&b, between);
    double        R[3][3], A[3][3]; // axes of b in a, and their absolute values
    Best          best = {.separation = -INFINITY};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            R[i][j] = tact_vec3_dot(column(&a.R, i), column(&b.R, j));
            A[i][j] = fabs(R[i][j]);
        }
    }
    for (int i = 0; i < 3; i++) {
        double radius = s[i] + t[0] * A[i][0] + t[1] * A[i][1] + t[2] * A[i][2];
        try_axis(&best, column(&a.R, i), get(d, i), radius, 0, -1, -1);
    }
    double bonus = PREFER_FACES * (a.size + b.size);
    for (int j = 0; j < 3; j++) {
        double radius = t[j] + s[0] * A[0][j] + s[1] * A[1][j] + s[2] * A[2][j];
        try_axis(&best, column(&b.R, j), get(e, j), radius, bonus, -1, -1);
    }
    if (best.separation > pair->margin) {
        return TACT_OK;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int      u = (i + 1) % 3, v = (i + 2) % 3, x = (j + 1) % 3, y = (j + 2) % 3;
            TactVec3 axis = tact_vec3_cross(column(&a.R, i), column(&b.R, j));
            double   length = tact_vec3_norm(axis);
            if (length < 1e-6) {
                continue; // parallel: a face does as well
            }
            double projection = tact_vec3_dot(axis, between) / length;
            double radius =
                (s[u] * A[v][j] + s[v] * A[u][j] + t[x] * A[i][y] + t[y] * A[i][x]) / length;
            try_axis(&best, tact_vec3_scale(1 / length, axis), projection, radius, bonus, i, j);
        }
    }
    if (best.separation > pair->margin) {
        return TACT_OK;
    }
    TactVec3 on_a, on_b;
    int      first = touches->count;
    find_points(&a, &b, &best, &on_a, &on_b);
    TACT_TRY(tact_pair_add_faces(&a, &b, best.axis, -best.separation, on_a, on_b, pair->margin,
                                 touches));
    for (int i = first; i < touches->count && best.separation > 0; i++) {
        if (touches->touches[i].feature == TACT_FEATURE_CLOSEST) {
            // Apart, and nearest where no faces or edges lie upon each other: the fifteen axes do
            // not have the distance of corners.
            touches->count = first;
            return tact_pair_convex_convex(pair, touches);
        }
    }
    return TACT_OK;
}
