// The corners of the region where two faces lie upon each other (collide/manifold.c), for one lane.
#ifndef TACT_GPU_TOUCH_MANIFOLD_H
#define TACT_GPU_TOUCH_MANIFOLD_H

#include "gpu/touch/touch_face.h"
#include "gpu/touch/touch_rod.h"

#define TACT_STEP_STEEPEST 1e-3
#define TACT_STEP_LEAST_FACE 1e-12

/// Names of points by what made them: a corner of a, one of b, or sides that cross; and of the
/// nearest points. Sides of boxes have numbers below 72, so that no two of their crossings share a
/// name; of hulls some do, which costs a warm start.
enum {
    TACT_STEP_CORNER_B = 4096,
    TACT_STEP_CROSSING = 8192,
    TACT_STEP_CROSSINGS = 57000,
    TACT_STEP_CLOSEST = TACT_STEP_NAMES - 2,
};

TACT_LANE int tact_step_name_crossing(int i, int j)
{
    return TACT_STEP_CROSSING + (i * 251 + j) % TACT_STEP_CROSSINGS;
}

/// What is known of two geoms that are near each other.
typedef struct TactStepClosest {
    TactVec3 normal; // from a to b
    double   depth;
    TactVec3 on_a, on_b;
} TactStepClosest;

TACT_LANE TactVec3 tact_step_midway(const TactStepClosest *c)
{
    return tact_vec3_scale(0.5, tact_vec3_add(c->on_a, c->on_b));
}

typedef struct TactStepView {
    TactVec3 origin, x, y, z; // z is the normal
    double   length;          // size of the faces: for tolerances
    double   margin;
    int      first; // of the points
} TactStepView;

TACT_LANE double tact_step_length(double x, double y)
{
    return sqrt(x * x + y * y);
}

TACT_LANE double tact_step_face_size(const TactStepFace *face)
{
    double most = 0;
    TACT_ROLLED
    for (int i = 1; i < face->count; i++) {
        TactVec3 r = tact_vec3_subtract(face->corners[i], face->corners[0]);
        most = tact_step_larger(most, tact_vec3_norm(r));
    }
    return most;
}

/// Corners as they are seen, and the plane or line of a face.
TACT_LANE void tact_step_see_face(const TactStepView *view, TactStepFace *face)
{
    TACT_ROLLED
    for (int i = 0; i < face->count; i++) {
        TactVec3 r = tact_vec3_subtract(face->corners[i], view->origin);
        TactVec3 seen = {tact_vec3_dot(view->x, r), tact_vec3_dot(view->y, r),
                         tact_vec3_dot(view->z, r)};
        face->corners[i] = seen;
    }
    TactVec3 first = face->corners[0];
    face->g_x = face->g_y = 0;
    face->turn = 1;
    if (face->count >= 3) {
        double n_z = tact_vec3_dot(view->z, face->normal);
        face->turn = n_z >= 0 ? 1 : -1;
        n_z = fabs(n_z) > TACT_STEP_STEEPEST ? n_z : copysign(TACT_STEP_STEEPEST, n_z);
        face->g_x = -tact_vec3_dot(view->x, face->normal) / n_z;
        face->g_y = -tact_vec3_dot(view->y, face->normal) / n_z;
    } else if (face->count == 2) {
        TactVec3 way = tact_vec3_subtract(face->corners[1], first);
        double   square = way.x * way.x + way.y * way.y;
        double   slope = square > 0 ? way.z / square : 0;
        face->g_x = slope * way.x;
        face->g_y = slope * way.y;
    }
    face->high = first.z - face->g_x * first.x - face->g_y * first.y;
}

/// Is (x, y) inside a polygon, or on a segment or point?
TACT_LANE int tact_step_is_inside(const TactStepFace *face, double x, double y, double tol)
{
    int      n = face->count;
    TactVec3 first = face->corners[0];
    if (n < 3) {
        TactVec3 way = tact_vec3_subtract(face->corners[n - 1], first);
        double   length = tact_step_length(way.x, way.y);
        if (!(length > tol)) {
            return tact_step_length(x - first.x, y - first.y) <= tol;
        }
        double along = ((x - first.x) * way.x + (y - first.y) * way.y) / length;
        double across = ((x - first.x) * way.y - (y - first.y) * way.x) / length;
        return fabs(across) <= tol && along >= -tol && along <= length + tol;
    }
    int inside = 1;
    TACT_ROLLED
    for (int i = 0; i < n && inside; i++) {
        TactVec3 p = face->corners[i], way = face->corners[i + 1 < n ? i + 1 : 0];
        way = tact_vec3_subtract(way, p);
        double left = face->turn * (way.x * (y - p.y) - way.y * (x - p.x));
        inside = !(left < -tol * tact_step_length(way.x, way.y));
    }
    return inside;
}

/// One corner of the region, unless it is too high above b, or there already.
TACT_LANE void tact_step_add_seen(const TactStepView *view, const TactStepFace *a,
                                  const TactStepFace *b, double x, double y, int feature,
                                  TactStepTouches *to)
{
    double top = a->g_x * x + a->g_y * y + a->high, bottom = b->g_x * x + b->g_y * y + b->high;
    double depth = top - bottom, middle = 0.5 * (top + bottom);
    if (!(depth >= -view->margin)) {
        return;
    }
    TactVec3 point = tact_vec3_add_scaled(view->origin, x, view->x);
    point = tact_vec3_add_scaled(point, y, view->y);
    point = tact_vec3_add_scaled(point, middle, view->z);
    TACT_ROLLED
    for (int i = view->first; i < to->count && i < TACT_STEP_MAX_TOUCHES; i++) {
        TactVec3 apart = tact_vec3_subtract(to->items[i].point, point);
        if (tact_vec3_norm(apart) <= 10 * TACT_STEP_TOUCH_TOL * view->length) {
            return;
        }
    }
    tact_step_add_touch(to, point, view->z, depth, feature);
}

/// Corners of one face that lie inside the other.
TACT_LANE void tact_step_add_corners(const TactStepView *view, const TactStepFace *a,
                                     const TactStepFace *b, int of_b, TactStepTouches *to)
{
    const TactStepFace *of = of_b ? b : a, *in = of_b ? a : b;
    double              tol = TACT_STEP_TOUCH_TOL * view->length;
    TACT_ROLLED
    for (int i = 0; i < of->count; i++) {
        TactVec3 c = of->corners[i];
        int      hidden = i < 3 && (of->hidden_corners >> i & 1);
        if (!hidden && tact_step_is_inside(in, c.x, c.y, tol)) {
            int name = of->ids[i] + (of_b ? TACT_STEP_CORNER_B : 0);
            tact_step_add_seen(view, a, b, c.x, c.y, name, to);
        }
    }
}

/// Where side i of a crosses side j of b, both within their ends.
TACT_LANE void tact_step_add_crossing(const TactStepView *view, const TactStepFace *a, int i,
                                      const TactStepFace *b, int j, TactStepTouches *to)
{
    TactVec3 p = a->corners[i], q = b->corners[j], r = tact_vec3_subtract(q, p);
    TactVec3 u = tact_vec3_subtract(a->corners[i + 1 < a->count ? i + 1 : 0], p);
    TactVec3 v = tact_vec3_subtract(b->corners[j + 1 < b->count ? j + 1 : 0], q);
    double   along = tact_step_length(u.x, u.y), length = tact_step_length(v.x, v.y);
    double   cross = u.x * v.y - u.y * v.x, tol = TACT_STEP_TOUCH_TOL * view->length;
    if (fabs(cross) <= TACT_STEP_TOUCH_TOL * along * length) {
        return; // parallel: their ends are corners
    }
    double s = (r.x * v.y - r.y * v.x) / cross, t = (r.x * u.y - r.y * u.x) / cross;
    if (s * along > tol && (1 - s) * along > tol && t * length > tol && (1 - t) * length > tol) {
        tact_step_add_seen(view, a, b, p.x + s * u.x, p.y + s * u.y,
                           tact_step_name_crossing(a->sides[i], b->sides[j]), to);
    }
}

TACT_LANE int tact_step_side_count(const TactStepFace *face)
{
    return face->count == 1 ? 0 : face->count == 2 ? 1 : face->count;
}

/// Adds the points of two faces along a normal from a to b, and changes the faces; returns how deep
/// the deepest is. origin: what is nearest to it is known best.
TACT_LANE_CALL double tact_step_add_region(TactStepFace *a, TactStepFace *b, TactVec3 normal,
                                           TactVec3 origin, double margin, double *length,
                                           TactStepTouches *to)
{
    TactStepView view;
    double       deepest = -INFINITY;
    view.origin = origin;
    view.z = normal;
    view.x = tact_step_tangent(normal);
    view.y = tact_vec3_cross(normal, view.x);
    view.margin = margin;
    view.first = to->count;
    view.length = tact_step_larger(tact_step_face_size(a), tact_step_face_size(b));
    view.length = tact_step_larger(view.length, TACT_STEP_LEAST_FACE);
    tact_step_see_face(&view, a);
    tact_step_see_face(&view, b);
    tact_step_add_corners(&view, a, b, 0, to);
    tact_step_add_corners(&view, a, b, 1, to);
    TACT_ROLLED
    for (int k = 0; k < tact_step_side_count(a) * tact_step_side_count(b); k++) {
        int sides = tact_step_side_count(b), i = k / sides, j = k % sides;
        if (!(i < 3 && (a->hidden_sides >> i & 1))) {
            tact_step_add_crossing(&view, a, i, b, j, to);
        }
    }
    TACT_ROLLED
    for (int k = view.first; k < to->count && k < TACT_STEP_MAX_TOUCHES; k++) {
        deepest = tact_step_larger(deepest, to->items[k].depth);
    }
    *length = view.length;
    return deepest;
}

/// The same with the nearest points, where none is as deep.
TACT_LANE void tact_step_add_faces(TactStepFace *a, TactStepFace *b, const TactStepClosest *closest,
                                   double margin, TactStepTouches *to)
{
    double   length, slack = a->slack + b->slack;
    TactVec3 middle = tact_step_midway(closest);
    if (a->count == 1 && b->count == 1) {
        tact_step_add_touch(to, middle, closest->normal, closest->depth, TACT_STEP_CLOSEST);
        return;
    }
    double deepest = tact_step_add_region(a, b, closest->normal, middle, margin, &length, to);
    slack += TACT_STEP_SAME_DEPTH * length;
    if (to->count == 0 || deepest < closest->depth - slack) {
        tact_step_add_touch(to, middle, closest->normal, closest->depth, TACT_STEP_CLOSEST);
    }
}

#endif
