// Where a ray meets shapes (collide/ray.c), by one lane: a convex shape is what is left of the line
// between where it enters and where it leaves.
#ifndef TACT_GPU_TOUCH_RAY_H
#define TACT_GPU_TOUCH_RAY_H

#include "gpu/touch/touch_rod.h"

#define TACT_RAY_FAR 1e300
#define TACT_RAY_ROUNDING 1e-12 // of lengths, as TACT_NO_LENGTH of collide/tolerance.h

enum { TACT_RAY_NODES = 64 }; // of a tree that are still to be looked at

/// Along a ray o + t d: what lies between in and out is left.
typedef struct TactRaySpan {
    TactVec3 o, d;
    double   in, out;
} TactRaySpan;

/// Cuts off what lies beyond n'x <= offset.
TACT_LANE void tact_ray_cut_plane(TactRaySpan *span, TactVec3 n, double offset)
{
    double along = tact_vec3_dot(n, span->d), above = tact_vec3_dot(n, span->o) - offset;
    double t = along != 0 ? -above / along : 0;
    if (along < 0 && t > span->in) {
        span->in = t;
    } else if (along > 0 && t < span->out) {
        span->out = t;
    } else if (along == 0 && above > 0) {
        span->in = TACT_RAY_FAR;
        span->out = -TACT_RAY_FAR;
    }
}

/// Cuts off what lies outside of |W(x - c)| <= 1, W diagonal; a weight of 0 makes a tube.
TACT_LANE void tact_ray_cut_round(TactRaySpan *span, TactVec3 c, TactVec3 w)
{
    TactVec3 r = tact_vec3_subtract(span->o, c), d = span->d;
    TactVec3 p = {w.x * r.x, w.y * r.y, w.z * r.z}, u = {w.x * d.x, w.y * d.y, w.z * d.z};
    double   a = tact_vec3_dot(u, u), b = tact_vec3_dot(p, u), e = tact_vec3_dot(p, p) - 1;
    double   square = b * b - a * e;
    if (a > 0 && square >= 0) {
        double root = sqrt(square), in = (-b - root) / a, out = (-b + root) / a;
        span->in = in > span->in ? in : span->in;
        span->out = out < span->out ? out : span->out;
    } else if (a > 0 || e > 0) {
        span->in = TACT_RAY_FAR;
        span->out = -TACT_RAY_FAR;
    }
}

/// Cuts off what is beyond half to both sides along axis 0, 1 or 2.
TACT_LANE void tact_ray_cut_slab(TactRaySpan *span, int axis, double half)
{
    TactVec3 n = {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
    tact_ray_cut_plane(span, n, half);
    tact_ray_cut_plane(span, tact_vec3_negate(n), half);
}

/// The other of two spans, if it is entered first; where both are left. Of what has no span the
/// other one stays.
TACT_LANE void tact_ray_join(TactRaySpan *span, const TactRaySpan *other)
{
    int none = span->in > span->out;
    if (other->in <= other->out) {
        span->in = none || other->in < span->in ? other->in : span->in;
        span->out = none || other->out > span->out ? other->out : span->out;
    }
}

/// A tube and two balls.
TACT_LANE void tact_ray_cut_capsule(TactRaySpan *span, const double *size)
{
    double      rate = 1 / size[0];
    TactVec3    tube = {rate, rate, 0}, ball = {rate, rate, rate}, middle = {0, 0, 0};
    TactRaySpan whole = *span;
    tact_ray_cut_round(span, middle, tube);
    tact_ray_cut_slab(span, 2, size[1]);
    TACT_ROLLED
    for (int end = -1; end <= 1; end += 2) {
        TactRaySpan own = whole;
        TactVec3    centre = {0, 0, end * size[1]};
        tact_ray_cut_round(&own, centre, ball);
        tact_ray_join(span, &own);
    }
}

TACT_LANE void tact_ray_cut_hull(const TactStepHulls *hulls, int number, TactRaySpan *span)
{
    const TactStepHull *hull = &hulls->hulls[number];
    const TactVec3     *corners = hulls->corners + hull->first_corner;
    TACT_ROLLED
    for (int i = 0; i < hull->sides; i++) {
        const TactStepSide *side = &hulls->sides[hull->first_side + i];
        TactVec3            corner = corners[hulls->edges[hull->first_edge + side->first].origin];
        tact_ray_cut_plane(span, side->normal, tact_vec3_dot(side->normal, corner));
    }
}

// ---------------------------------------------------------------------------------------------
// Meshes

/// Where a ray enters bounds, >= 0; TACT_RAY_FAR: nowhere.
TACT_LANE double tact_ray_enter_bounds(const TactRaySpan *ray, const TactStepNode *node)
{
    TactVec3     lower = node->lower, upper = node->upper;
    const double l[3] = {lower.x, lower.y, lower.z}, u[3] = {upper.x, upper.y, upper.z};
    const double from[3] = {ray->o.x, ray->o.y, ray->o.z};
    const double along[3] = {ray->d.x, ray->d.y, ray->d.z};
    double       in = 0, out = TACT_RAY_FAR;
    TACT_UNROLL for (int k = 0; k < 3; k++)
    {
        if (along[k] == 0) {
            out = from[k] < l[k] || from[k] > u[k] ? -TACT_RAY_FAR : out;
        } else {
            double p = (l[k] - from[k]) / along[k], q = (u[k] - from[k]) / along[k];
            double low = p < q ? p : q, high = p < q ? q : p;
            in = low > in ? low : in;
            out = high < out ? high : out;
        }
    }
    return in <= out + TACT_RAY_ROUNDING * fabs(out) ? in : TACT_RAY_FAR;
}

/// Where a triangle is entered from its front, if that is before best.
TACT_LANE double tact_ray_enter_triangle(const TactRaySpan *ray, const TactVec3 *vertices,
                                         const TactStepTriangle *triangle, double best)
{
    TactVec3 n = triangle->normal, a = vertices[triangle->vertex[0]];
    double   along = tact_vec3_dot(n, ray->d);
    double   t = along < 0 ? tact_vec3_dot(n, tact_vec3_subtract(a, ray->o)) / along : -1;
    int      inside = t >= 0 && t < best;
    TACT_ROLLED
    for (int k = 0; k < 3 && inside; k++) {
        TactVec3 from = vertices[triangle->vertex[k]];
        TactVec3 to = vertices[triangle->vertex[k < 2 ? k + 1 : 0]];
        TactVec3 at = tact_vec3_subtract(tact_vec3_add_scaled(ray->o, t, ray->d), from);
        inside = tact_vec3_dot(n, tact_vec3_cross(tact_vec3_subtract(to, from), at)) >= 0;
    }
    return inside ? t : best;
}

/// The first triangle that is entered; TACT_RAY_FAR: none. Of two parts of the tree the nearer one
/// first, and none beyond what is found.
TACT_LANE double tact_ray_enter_mesh(const TactStepMeshes *meshes, int number,
                                     const TactRaySpan *ray)
{
    const TactStepMesh *mesh = &meshes->meshes[number];
    const TactVec3     *vertices = meshes->vertices + mesh->first_vertex;
    const TactStepNode *nodes = meshes->nodes + mesh->first_node;
    int                 later[TACT_RAY_NODES], count = 1;
    double              best = TACT_RAY_FAR;
    later[0] = 0;
    TACT_ROLLED
    while (count > 0) {
        const TactStepNode *node = &nodes[later[--count]];
        TACT_ROLLED
        for (int i = 0; i < node->count; i++) {
            int at = mesh->first_triangle + node->first + i;
            best = tact_ray_enter_triangle(ray, vertices, &meshes->triangles[at], best);
        }
        if (node->count == 0) {
            double first = tact_ray_enter_bounds(ray, &nodes[node->first]);
            double second = tact_ray_enter_bounds(ray, &nodes[node->first + 1]);
            int    turned = second < first;
            double near = turned ? second : first, far = turned ? first : second;
            if (far < best && count < TACT_RAY_NODES) {
                later[count++] = node->first + !turned;
            }
            if (near < best && count < TACT_RAY_NODES) {
                later[count++] = node->first + turned;
            }
        }
    }
    return best;
}

// ---------------------------------------------------------------------------------------------

/// Where a ray of length 1 meets a geom, >= 0; TACT_RAY_FAR: nowhere.
TACT_LANE double tact_ray_meet(const TactStepModel *model, const TactStepGeom *geom,
                               const TactTransform *pose, TactVec3 origin, TactVec3 direction)
{
    const double *s = geom->size;
    TactVec3      middle = {0, 0, 0}, up = {0, 0, 1}, round = {1 / s[0], 1 / s[0], 1 / s[0]};
    TactRaySpan   span = {tact_transform_point_back(*pose, origin),
                          tact_quat_rotate_back(pose->rotation, direction), -TACT_RAY_FAR,
                          TACT_RAY_FAR};
    switch (geom->type) {
    case TACT_STEP_PLANE: tact_ray_cut_plane(&span, up, 0); break;
    case TACT_STEP_ELLIPSOID:
        round.y = 1 / s[1];
        round.z = 1 / s[2];
        tact_ray_cut_round(&span, middle, round);
        break;
    case TACT_STEP_SPHERE: tact_ray_cut_round(&span, middle, round); break;
    case TACT_STEP_CAPSULE: tact_ray_cut_capsule(&span, s); break;
    case TACT_STEP_CYLINDER:
        round.z = 0;
        tact_ray_cut_round(&span, middle, round);
        tact_ray_cut_slab(&span, 2, s[1]);
        break;
    case TACT_STEP_BOX:
        TACT_ROLLED
        for (int k = 0; k < 3; k++) {
            tact_ray_cut_slab(&span, k, s[k]);
        }
        break;
    case TACT_STEP_HULL: tact_ray_cut_hull(&model->solids.hulls, geom->hull, &span); break;
    default: return tact_ray_enter_mesh(&model->solids.meshes, geom->hull, &span);
    }
    int hit = span.in <= span.out && span.out >= 0;
    return !hit ? TACT_RAY_FAR : span.in > 0 ? span.in : 0;
}

#endif
