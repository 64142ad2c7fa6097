// Nearest points where a curved surface takes part, by Newton's method from where simplices stop.
//
// A simplex comes near to a curved surface by halves, and the nearer the shapes are to each other
// the slower. The nearest points and the normal n from a to b solve
//
//     (q(n) + V y) - (p(n) + U x) = d n,    U'n = 0,    V'n = 0,    |n| = 1               (1)
//
// p, q  furthest points of a along n and of b along -n, smooth in n
// U, V  what is straight there: nothing, an edge, or two sides of a face
// x, y  where on it; d < 0: how deep they overlap
//
// dp/dn and -dq/dn are positive semidefinite, so that Newton's matrix is regular wherever d and the
// radii of curvature, or the straight edges, leave no direction free. Nothing is believed: the
// furthest points of the shapes along n prove d from below, x and y inside of the edges from above.
#include <math.h>

#include "collide/convex/gjk.h"
#include "collide/tolerance.h"

enum { MOST_UNKNOWNS = 5 };          // two of n, d, and two of x and y
static const double UPRIGHT = 1e-12; // 1 - cosine between the axis and the normal of a cap
static const double REGULAR = 1e-14; // least pivot of Newton's matrix, whose rows are of order 1
static const double SETTLED = 1e-9;  // rad: a step after which the next one is rounding
static const double POINTS_MISS = 1e-11; // of the size: by what the points found may be off (1)

typedef enum FeatureKind {
    CORNERS, // of a core that has some: the hull of up to three
    SMOOTH,  // an ellipsoid
    RIM,     // of a cylinder: p runs around it
    SIDE,    // a line of it from rim to rim, which runs around too
    CAP,     //
} FeatureKind;

typedef struct Feature {
    const TactConvex *convex;
    FeatureKind       kind;
    double            outwards; // +1: of a, -1: of b
    double            end;      // RIM, CAP: +1 or -1
    TactVec3          base;     // CORNERS: the first, CAP: its centre
    TactVec3          span[2];  //
    int               count;    // of spans
} Feature;

// ---------------------------------------------------------------------------------------------
// Features

static TactVec3 axis_of(const TactConvex *c)
{
    return tact_convex_turn(c, (TactVec3){0, 0, 1});
}

/// Those of the vertices of a simplex, each once. False: they are all of a tetrahedron.
static bool take_corners(Feature *f, const TactSimplex *s)
{
    f->kind = CORNERS;
    f->count = -1;
    for (int i = 0; i < s->count; i++) {
        TactVec3 v = f->outwards > 0 ? s->vertex[i].on_a : s->vertex[i].on_b;
        bool     known = false;
        for (int k = 0; k <= f->count; k++) {
            TactVec3 w = k == 0 ? f->base : tact_vec3_add(f->base, f->span[k - 1]);
            known = known || tact_vec3_norm(tact_vec3_subtract(v, w)) <= TACT_NO_LENGTH * s->size;
        }
        if (known) {
            continue;
        }
        if (f->count == 2) {
            return false;
        }
        if (f->count < 0) {
            f->base = v;
        } else {
            f->span[f->count] = tact_vec3_subtract(v, f->base);
        }
        f->count++;
    }
    return true;
}

/// A cylinder shows a line of its side if its simplex has points of both rims, a cap if the normal
/// is its axis, else a point of a rim.
static void take_cylinder(Feature *f, const TactSimplex *s, TactVec3 n)
{
    const double *size = f->convex->shape->size;
    TactVec3      axis = axis_of(f->convex);
    bool          low = false, high = false;
    for (int i = 0; i < s->count; i++) {
        TactVec3 v = f->outwards > 0 ? s->vertex[i].on_a : s->vertex[i].on_b;
        double   z = tact_vec3_dot(axis, tact_vec3_subtract(v, f->convex->pose.position));
        low = low || z < 0;
        high = high || z > 0;
    }
    double along = f->outwards * tact_vec3_dot(axis, n);
    f->end = along > 0 ? 1 : -1;
    f->count = 0;
    if (low && high) {
        f->kind = SIDE;
        f->span[f->count++] = tact_vec3_scale(size[1], axis);
    } else if (1 - fabs(along) < UPRIGHT) {
        f->kind = CAP;
        f->base = tact_vec3_add_scaled(f->convex->pose.position, f->end * size[1], axis);
        f->span[0] = tact_convex_turn(f->convex, (TactVec3){size[0], 0, 0});
        f->span[1] = tact_convex_turn(f->convex, (TactVec3){0, size[0], 0});
        f->count = 2;
    } else {
        f->kind = RIM;
    }
}

static bool take_feature(Feature *f, const TactSimplex *s, TactVec3 n)
{
    switch (f->convex->shape->type) {
    case TACT_SHAPE_ELLIPSOID:
        f->kind = SMOOTH;
        f->count = 0;
        return true;
    case TACT_SHAPE_CYLINDER: take_cylinder(f, s, n); return true;
    default: return take_corners(f, s);
    }
}

static bool is_curved(const Feature *f)
{
    return f->kind == SMOOTH || f->kind == RIM || f->kind == SIDE;
}

/// p(n), or q(n), and how it moves with n along two tangents.
static TactVec3 find_point(const Feature *f, TactVec3 n, const TactVec3 t[2], TactVec3 moves[2])
{
    const double *s = f->convex->shape->size;
    TactVec3      d = tact_convex_turn_back(f->convex, tact_vec3_scale(f->outwards, n)), p;
    moves[0] = moves[1] = (TactVec3){0, 0, 0};
    if (!is_curved(f)) {
        return f->base;
    }
    // p = W d / |d|_W with W = diag(w), and dp = W (e - d (d, e)_W / |d|_W^2) / |d|_W
    TactVec3 w = {s[0] * s[0], s[0] * s[0], 0};
    if (f->kind == SMOOTH) {
        w = (TactVec3){s[0] * s[0], s[1] * s[1], s[2] * s[2]};
    }
    TactVec3 wd = {w.x * d.x, w.y * d.y, w.z * d.z};
    double   square = tact_vec3_dot(d, wd), length = sqrt(square);
    p = tact_vec3_scale(1 / length, wd);
    for (int k = 0; k < 2; k++) {
        TactVec3 e = tact_convex_turn_back(f->convex, tact_vec3_scale(f->outwards, t[k]));
        TactVec3 across = tact_vec3_add_scaled(e, -tact_vec3_dot(wd, e) / square, d);
        TactVec3 move = {w.x * across.x, w.y * across.y, w.z * across.z};
        moves[k] = tact_convex_turn(f->convex, tact_vec3_scale(1 / length, move));
    }
    p.z = f->kind == RIM ? f->end * s[1] : p.z;
    return tact_convex_place(f->convex, p);
}

/// Is x in the edge or face?
static bool is_on(const Feature *f, const double *x)
{
    const double tol = TACT_NO_LENGTH; // of the length of the edge
    switch (f->kind) {
    case SIDE: return fabs(x[0]) <= 1 + tol;
    case CAP: return x[0] * x[0] + x[1] * x[1] <= 1 + tol;
    case CORNERS: {
        double sum = 0, least = 0;
        for (int k = 0; k < f->count; k++) {
            sum += x[k];
            least = fmin(least, x[k]);
        }
        return least >= -tol && sum <= 1 + tol;
    }
    default: return true;
    }
}

// ---------------------------------------------------------------------------------------------
// Newton's method

/// Gaussian elimination with rows exchanged; false: singular.
static bool solve_dense(double A[MOST_UNKNOWNS][MOST_UNKNOWNS + 1], int n)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        if (!(fabs(A[best][k]) > REGULAR)) {
            return false;
        }
        for (int j = 0; j <= n; j++) {
            double other = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = other;
        }
        for (int i = 0; i < n; i++) {
            double share = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = k; j <= n && share != 0; j++) {
                A[i][j] -= share * A[k][j];
            }
        }
    }
    return true;
}

typedef struct State {
    Feature  f[2];
    TactVec3 n;
    double   d;
    double   x[2][2]; // of a, of b
    double   size;
} State;

static TactVec3 place(const Feature *f, TactVec3 p, const double *x)
{
    for (int k = 0; k < f->count; k++) {
        p = tact_vec3_add_scaled(p, x[k], f->span[k]);
    }
    return p;
}

/// One step on (1), lengths divided by the size; its length goes to *moved. False: singular.
static bool newton_step(State *s, double *moved)
{
    double   A[MOST_UNKNOWNS][MOST_UNKNOWNS + 1] = {{0}};
    TactVec3 t[2], point[2], moves[2][2];
    int      count = 3 + s->f[0].count + s->f[1].count, column = 3;
    tact_vec3_tangents(s->n, &t[0], &t[1]);
    for (int side = 0; side < 2; side++) {
        point[side] = place(&s->f[side], find_point(&s->f[side], s->n, t, moves[side]), s->x[side]);
    }
    TactVec3 rest = tact_vec3_add_scaled(tact_vec3_subtract(point[1], point[0]), -s->d, s->n);
    TactVec3 columns[MOST_UNKNOWNS];
    for (int k = 0; k < 2; k++) {
        columns[k] = tact_vec3_subtract(moves[1][k], moves[0][k]);
        columns[k] = tact_vec3_add_scaled(columns[k], -s->d, t[k]);
    }
    columns[2] = tact_vec3_scale(-s->size, s->n);
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < s->f[side].count; k++, column++) {
            TactVec3 u = s->f[side].span[k];
            columns[column] = side ? u : tact_vec3_negate(u);
            A[column][0] = tact_vec3_dot(u, t[0]) / s->size;
            A[column][1] = tact_vec3_dot(u, t[1]) / s->size;
            A[column][count] = -tact_vec3_dot(u, s->n) / s->size;
        }
    }
    const TactVec3 rows[3] = {t[0], t[1], s->n};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < count; j++) {
            A[i][j] = tact_vec3_dot(rows[i], columns[j]) / s->size;
        }
        A[i][count] = -tact_vec3_dot(rows[i], rest) / s->size;
    }
    if (!solve_dense(A, count)) {
        return false;
    }
    double u = A[0][count] / A[0][0], v = A[1][count] / A[1][1];
    double turn = sqrt(u * u + v * v), share = turn > 0.1 ? 0.1 / turn : 1;
    s->n = tact_vec3_add_scaled(tact_vec3_add_scaled(s->n, share * u, t[0]), share * v, t[1]);
    s->n = tact_vec3_normalise(s->n);
    s->d += share * s->size * A[2][count] / A[2][2];
    column = 3;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < s->f[side].count; k++, column++) {
            s->x[side][k] += share * A[column][count] / A[column][column];
        }
    }
    *moved = turn;
    return isfinite(s->d) && isfinite(turn);
}

bool tact_nearest_refine(const TactConvex *a, const TactConvex *b, const TactSimplex *simplex,
                         TactNearest *nearest)
{
    State  s = {.n = nearest->normal, .d = nearest->distance, .size = simplex->size};
    double moved = 1, before = INFINITY;
    s.f[0] = (Feature){.convex = a, .outwards = 1};
    s.f[1] = (Feature){.convex = b, .outwards = -1};
    if (!take_feature(&s.f[0], simplex, s.n) || !take_feature(&s.f[1], simplex, s.n) ||
        s.f[0].count + s.f[1].count > 2 || (!is_curved(&s.f[0]) && !is_curved(&s.f[1]))) {
        return false;
    }
    for (int round = 0; round < 30 && moved > TACT_LAST_BITS && (moved > SETTLED || moved < before);
         round++) {
        before = moved;
        if (!newton_step(&s, &moved)) {
            return false;
        }
    }
    if (moved > SETTLED || !is_on(&s.f[0], s.x[0]) || !is_on(&s.f[1], s.x[1])) {
        return false;
    }
    TactVec3 t[2], moves[2];
    tact_vec3_tangents(s.n, &t[0], &t[1]);
    TactVec3 on_a = place(&s.f[0], find_point(&s.f[0], s.n, t, moves), s.x[0]);
    TactVec3 on_b = place(&s.f[1], find_point(&s.f[1], s.n, t, moves), s.x[1]);
    TactVec3 rest = tact_vec3_add_scaled(tact_vec3_subtract(on_b, on_a), -s.d, s.n);
    double   proven = -tact_vec3_dot(tact_difference_support(a, b, s.n).w, s.n);
    if (!(fabs(proven - s.d) <= TACT_SUPPORT_TOL * s.size) ||
        !(tact_vec3_norm(rest) <= POINTS_MISS * s.size)) {
        return false;
    }
    *nearest = (TactNearest){s.d, s.n, on_a, on_b};
    return true;
}
