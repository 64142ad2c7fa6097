// Nearest points where a cylinder or an ellipsoid takes part, by Newton's method from a simplex or
// a side of EPA (collide/convex/nearest.c, whose (1) it solves), for one lane. Furthest points
// prove what it finds.
#ifndef TACT_GPU_TOUCH_NEAREST_H
#define TACT_GPU_TOUCH_NEAREST_H

#include "gpu/touch/touch_gjk.h"

enum { TACT_STEP_NEWTON_ROUNDS = 30, TACT_STEP_UNKNOWNS = 5 };

// As in collide/convex/nearest.c.
#define TACT_STEP_UPRIGHT 1e-12
#define TACT_STEP_REGULAR 1e-14
#define TACT_STEP_NEWTON_SETTLED 1e-9
#define TACT_STEP_POINTS_MISS 1e-11
#define TACT_STEP_LAST_BITS 1e-15

enum { TACT_STEP_CORNERS, TACT_STEP_SMOOTH, TACT_STEP_RIM, TACT_STEP_BESIDE, TACT_STEP_CAP };

/// What of a solid has the nearest point: corners, or a part of a curved surface.
typedef struct TactStepFeature {
    const TactStepSolid *solid;
    int                  kind;
    int                  count;    // of spans
    double               outwards; // +1: of a, -1: of b
    double               end;      // of a rim or cap: +1 or -1
    TactVec3             base;     // corners: the first; of a cap its centre
    TactVec3             span[2];
    double               x[2]; // where on the spans
} TactStepFeature;

/// Two solids and their nearest points.
typedef struct TactStepNewton {
    TactStepFeature f[2];
    TactVec3        n;
    double          d;
    double          size;
} TactStepNewton;

/// Does a solid have a curved core?
TACT_LANE int tact_step_is_curved(const TactStepSolid *solid)
{
    return solid->type == TACT_STEP_CYLINDER || solid->type == TACT_STEP_ELLIPSOID;
}

// ---------------------------------------------------------------------------------------------
// Features

TACT_LANE TactVec3 tact_step_simplex_on(const TactStepSimplex *s, const TactStepFeature *f, int i)
{
    return f->outwards > 0 ? s->on_a[i] : s->on_b[i];
}

/// Those of the vertices of a simplex, each once. 0: they are all of a tetrahedron.
TACT_LANE int tact_step_take_corners(TactStepFeature *f, const TactStepSimplex *s, double size)
{
    f->kind = TACT_STEP_CORNERS;
    f->count = -1;
    TACT_ROLLED
    for (int i = 0; i < s->count; i++) {
        TactVec3 v = tact_step_simplex_on(s, f, i);
        int      known = 0;
        TACT_ROLLED
        for (int k = 0; k <= f->count; k++) {
            TactVec3 w = k == 0 ? f->base : tact_vec3_add(f->base, f->span[k - 1]);
            double   apart = tact_vec3_norm(tact_vec3_subtract(v, w));
            known = known || apart <= TACT_STEP_GJK_PROVED * size;
        }
        if (known) {
            continue;
        }
        if (f->count == 2) {
            return 0;
        }
        if (f->count < 0) {
            f->base = v;
        } else {
            f->span[f->count] = tact_vec3_subtract(v, f->base);
        }
        f->count++;
    }
    return 1;
}

/// A line of the side if the simplex has points of both rims, a cap if the normal is the axis, else
/// a point of a rim.
TACT_LANE void tact_step_take_cylinder(TactStepFeature *f, const TactStepSimplex *s, TactVec3 n)
{
    const TactStepSolid *solid = f->solid;
    const double        *size = solid->geom->size;
    TactVec3             axis = {solid->R.m[0][2], solid->R.m[1][2], solid->R.m[2][2]};
    TactVec3             x = {size[0], 0, 0}, y = {0, size[0], 0};
    int                  low = 0, high = 0;
    TACT_ROLLED
    for (int i = 0; i < s->count; i++) {
        TactVec3 from = tact_vec3_subtract(tact_step_simplex_on(s, f, i), solid->pose.position);
        double   z = tact_vec3_dot(axis, from);
        low = low || z < 0;
        high = high || z > 0;
    }
    double along = f->outwards * tact_vec3_dot(axis, n);
    f->end = along > 0 ? 1 : -1;
    f->kind = TACT_STEP_RIM;
    f->count = 0;
    if (low && high) {
        f->kind = TACT_STEP_BESIDE;
        f->span[0] = tact_vec3_scale(size[1], axis);
        f->count = 1;
    } else if (1 - fabs(along) < TACT_STEP_UPRIGHT) {
        f->kind = TACT_STEP_CAP;
        f->base = tact_vec3_add_scaled(solid->pose.position, f->end * size[1], axis);
        f->span[0] = tact_mat3_apply(solid->R, x);
        f->span[1] = tact_mat3_apply(solid->R, y);
        f->count = 2;
    }
}

/// 0: corners that are no face.
TACT_LANE int tact_step_take_feature(TactStepFeature *f, const TactStepSolid *solid,
                                     const TactStepSimplex *s, TactVec3 n, double outwards,
                                     double size)
{
    f->solid = solid;
    f->outwards = outwards;
    f->x[0] = f->x[1] = 0;
    if (solid->type == TACT_STEP_ELLIPSOID) {
        f->kind = TACT_STEP_SMOOTH;
        f->count = 0;
        return 1;
    }
    if (solid->type == TACT_STEP_CYLINDER) {
        tact_step_take_cylinder(f, s, n);
        return 1;
    }
    return tact_step_take_corners(f, s, size);
}

TACT_LANE int tact_step_bends(const TactStepFeature *f)
{
    return f->kind == TACT_STEP_SMOOTH || f->kind == TACT_STEP_RIM || f->kind == TACT_STEP_BESIDE;
}

/// The furthest point along n, where x says on its spans, and how it moves with n along tangents.
TACT_LANE TactVec3 tact_step_feature_point(const TactStepFeature *f, TactVec3 n,
                                           const TactVec3 t[2], TactVec3 moves[2])
{
    const double   *s = f->solid->geom->size;
    const TactMat3 *R = &f->solid->R;
    TactVec3        zero = {0, 0, 0}, at = f->base;
    moves[0] = moves[1] = zero;
    if (tact_step_bends(f)) {
        TactVec3 d = tact_mat3_apply_transpose(*R, tact_vec3_scale(f->outwards, n));
        TactVec3 w = {s[0] * s[0], s[0] * s[0], 0}, ww = {s[0] * s[0], s[1] * s[1], s[2] * s[2]};
        w = f->kind == TACT_STEP_SMOOTH ? ww : w;
        TactVec3 wd = {w.x * d.x, w.y * d.y, w.z * d.z};
        double   square = tact_vec3_dot(d, wd), length = sqrt(square);
        TactVec3 p = tact_vec3_scale(1 / length, wd);
        TACT_ROLLED
        for (int k = 0; k < 2; k++) {
            TactVec3 e = tact_mat3_apply_transpose(*R, tact_vec3_scale(f->outwards, t[k]));
            TactVec3 across = tact_vec3_add_scaled(e, -tact_vec3_dot(wd, e) / square, d);
            TactVec3 move = {w.x * across.x, w.y * across.y, w.z * across.z};
            moves[k] = tact_mat3_apply(*R, tact_vec3_scale(1 / length, move));
        }
        p.z = f->kind == TACT_STEP_RIM ? f->end * s[1] : p.z;
        at = tact_step_solid_place(f->solid, p);
    }
    TACT_ROLLED
    for (int k = 0; k < f->count; k++) {
        at = tact_vec3_add_scaled(at, f->x[k], f->span[k]);
    }
    return at;
}

/// Is the point in the edge or face?
TACT_LANE int tact_step_on_feature(const TactStepFeature *f)
{
    const double tol = TACT_STEP_GJK_PROVED;
    double       x = f->count > 0 ? f->x[0] : 0, y = f->count > 1 ? f->x[1] : 0;
    return f->kind == TACT_STEP_BESIDE    ? fabs(x) <= 1 + tol
           : f->kind == TACT_STEP_CAP     ? x * x + y * y <= 1 + tol
           : f->kind == TACT_STEP_CORNERS ? x >= -tol && y >= -tol && x + y <= 1 + tol
                                          : 1;
}

// ---------------------------------------------------------------------------------------------
// Newton's method

/// Elimination with rows exchanged, the diagonal not divided by; 0: singular.
TACT_LANE int tact_step_solve_dense(double A[TACT_STEP_UNKNOWNS][TACT_STEP_UNKNOWNS + 1], int n)
{
    TACT_ROLLED
    for (int k = 0; k < n; k++) {
        int best = k;
        TACT_ROLLED
        for (int i = k + 1; i < n; i++) {
            best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        }
        if (!(fabs(A[best][k]) > TACT_STEP_REGULAR)) {
            return 0;
        }
        TACT_ROLLED
        for (int j = 0; j <= n; j++) {
            double other = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = other;
        }
        TACT_ROLLED
        for (int i = 0; i < n; i++) {
            double share = i == k ? 0 : A[i][k] / A[k][k];
            TACT_ROLLED
            for (int j = k; j <= n; j++) {
                A[i][j] -= share * A[k][j];
            }
        }
    }
    return 1;
}

/// The system of one step, lengths divided by the size; returns the number of unknowns.
TACT_LANE int tact_step_newton_system(const TactStepNewton *s, const TactVec3 t[2],
                                      double A[TACT_STEP_UNKNOWNS][TACT_STEP_UNKNOWNS + 1])
{
    TactVec3 moves[2], columns[TACT_STEP_UNKNOWNS], rest = tact_vec3_scale(-s->d, s->n);
    int      count = 3 + s->f[0].count + s->f[1].count, column = 3;
    columns[0] = tact_vec3_scale(-s->d, t[0]);
    columns[1] = tact_vec3_scale(-s->d, t[1]);
    columns[2] = tact_vec3_scale(-s->size, s->n);
    TACT_ROLLED
    for (int side = 0; side < 2; side++) {
        const TactStepFeature *f = &s->f[side];
        double                 sign = side ? 1 : -1;
        rest = tact_vec3_add_scaled(rest, sign, tact_step_feature_point(f, s->n, t, moves));
        columns[0] = tact_vec3_add_scaled(columns[0], sign, moves[0]);
        columns[1] = tact_vec3_add_scaled(columns[1], sign, moves[1]);
        TACT_ROLLED
        for (int k = 0; k < f->count; k++) {
            TactVec3 u = f->span[k];
            columns[column] = tact_vec3_scale(sign, u);
            TACT_ROLLED
            for (int j = 2; j < count; j++) {
                A[column][j] = 0;
            }
            A[column][0] = tact_vec3_dot(u, t[0]) / s->size;
            A[column][1] = tact_vec3_dot(u, t[1]) / s->size;
            A[column++][count] = -tact_vec3_dot(u, s->n) / s->size;
        }
    }
    TACT_ROLLED
    for (int i = 0; i < 3; i++) {
        TactVec3 row = i < 2 ? t[i] : s->n;
        TACT_ROLLED
        for (int j = 0; j < count; j++) {
            A[i][j] = tact_vec3_dot(row, columns[j]) / s->size;
        }
        A[i][count] = -tact_vec3_dot(row, rest) / s->size;
    }
    return count;
}

/// One step; returns by how much it turned the normal, or -1: singular.
TACT_LANE double tact_step_newton_step(TactStepNewton *s)
{
    double   A[TACT_STEP_UNKNOWNS][TACT_STEP_UNKNOWNS + 1];
    TactVec3 t[2];
    int      column = 3;
    t[0] = tact_step_tangent(s->n);
    t[1] = tact_vec3_cross(s->n, t[0]);
    int count = tact_step_newton_system(s, t, A);
    if (!tact_step_solve_dense(A, count)) {
        return -1;
    }
    double u = A[0][count] / A[0][0], v = A[1][count] / A[1][1];
    double turn = sqrt(u * u + v * v), share = turn > 0.1 ? 0.1 / turn : 1;
    s->n = tact_vec3_add_scaled(tact_vec3_add_scaled(s->n, share * u, t[0]), share * v, t[1]);
    s->n = tact_step_unit(s->n);
    s->d += share * s->size * A[2][count] / A[2][2];
    TACT_ROLLED
    for (int side = 0; side < 2; side++) {
        TACT_ROLLED
        for (int k = 0; k < s->f[side].count; k++, column++) {
            s->f[side].x[k] += share * A[column][count] / A[column][column];
        }
    }
    return fabs(s->d) < INFINITY && turn < INFINITY ? turn : -1;
}

/// Nearest points of two cores, or those of their least overlap, near a normal and a distance,
/// which may be negative, from a simplex of one to three corners. 0: not proved, and nothing is
/// changed.
TACT_LANE_CALL int tact_step_refine(const TactStepSolid *a, const TactStepSolid *b,
                                    const TactStepSimplex *simplex, TactVec3 *normal,
                                    double *distance, TactVec3 *on_a, TactVec3 *on_b)
{
    TactStepNewton s;
    TactVec3       t[2], moves[2];
    double         moved = 1, before = INFINITY;
    s.n = *normal;
    s.d = *distance;
    s.size = a->size + b->size;
    if (!tact_step_take_feature(&s.f[0], a, simplex, s.n, 1, s.size) ||
        !tact_step_take_feature(&s.f[1], b, simplex, s.n, -1, s.size) ||
        s.f[0].count + s.f[1].count > 2 ||
        !(tact_step_bends(&s.f[0]) || tact_step_bends(&s.f[1]))) {
        return 0;
    }
    TACT_ROLLED
    for (int round = 0; round < TACT_STEP_NEWTON_ROUNDS && moved > TACT_STEP_LAST_BITS &&
                        (moved > TACT_STEP_NEWTON_SETTLED || moved < before);
         round++) {
        before = moved;
        moved = tact_step_newton_step(&s);
    }
    if (moved < 0 || moved > TACT_STEP_NEWTON_SETTLED || !tact_step_on_feature(&s.f[0]) ||
        !tact_step_on_feature(&s.f[1])) {
        return 0;
    }
    t[0] = tact_step_tangent(s.n);
    t[1] = tact_vec3_cross(s.n, t[0]);
    TactVec3 p = tact_step_feature_point(&s.f[0], s.n, t, moves);
    TactVec3 q = tact_step_feature_point(&s.f[1], s.n, t, moves);
    TactVec3 rest = tact_vec3_add_scaled(tact_vec3_subtract(q, p), -s.d, s.n);
    TactVec3 end = tact_step_furthest(a, s.n), begin = tact_step_furthest(b, tact_vec3_negate(s.n));
    double   proved = tact_vec3_dot(s.n, tact_vec3_subtract(begin, end));
    if (!(fabs(proved - s.d) <= TACT_STEP_GJK_SUPPORT * s.size) ||
        !(tact_vec3_norm(rest) <= TACT_STEP_POINTS_MISS * s.size)) {
        return 0;
    }
    *normal = s.n;
    *distance = s.d;
    *on_a = p;
    *on_b = q;
    return 1;
}

#endif
