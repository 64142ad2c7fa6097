// Rays: a convex shape is what is left of the line between where it enters and where it leaves.
#include <math.h>

#include "collide/convex/convex.h"
#include "collide/mesh/mesh.h"
#include "collide/tolerance.h"
#include "collide/world.h"

typedef struct Span {
    double   in, out; // parameters along the ray
    TactVec3 normal;  // of the surface at in
} Span;

static void miss(Span *span)
{
    span->in = INFINITY;
    span->out = -INFINITY;
}

/// Cuts off what lies beyond n'x <= offset.
static void cut_plane(Span *span, TactVec3 o, TactVec3 d, TactVec3 n, double offset)
{
    double along = tact_vec3_dot(n, d), above = tact_vec3_dot(n, o) - offset;
    if (along < 0 && -above / along > span->in) {
        span->in = -above / along;
        span->normal = n;
    } else if (along > 0) {
        span->out = fmin(span->out, -above / along);
    } else if (along == 0 && above > 0) {
        miss(span);
    }
}

/// Cuts off what lies outside of |W(x - c)| <= 1, W diagonal; a weight of 0 makes a tube.
static void cut_round(Span *span, TactVec3 o, TactVec3 d, TactVec3 c, TactVec3 w)
{
    TactVec3 r = tact_vec3_subtract(o, c);
    TactVec3 p = {w.x * r.x, w.y * r.y, w.z * r.z}, u = {w.x * d.x, w.y * d.y, w.z * d.z};
    double   a = tact_vec3_dot(u, u), b = tact_vec3_dot(p, u), e = tact_vec3_dot(p, p) - 1;
    double   root = b * b - a * e;
    if (!(a > 0) || !(root >= 0)) {
        if (a > 0 || e > 0) {
            miss(span);
        }
        return;
    }
    double in = (-b - sqrt(root)) / a;
    span->out = fmin(span->out, (-b + sqrt(root)) / a);
    if (in > span->in) {
        TactVec3 x = tact_vec3_add_scaled(p, in, u);
        span->in = in;
        span->normal = tact_vec3_normalise((TactVec3){w.x * x.x, w.y * x.y, w.z * x.z});
    }
}

static Span whole(void)
{
    Span span = {-INFINITY, INFINITY, {0, 0, 0}};
    return span;
}

static void cut_slab(Span *span, TactVec3 o, TactVec3 d, TactVec3 axis, double half)
{
    cut_plane(span, o, d, axis, half);
    cut_plane(span, o, d, tact_vec3_negate(axis), half);
}

/// A tube and two balls: where any of them is entered first.
static Span capsule_span(const double *s, TactVec3 o, TactVec3 d)
{
    double rate = 1 / s[0];
    Span   best = whole();
    cut_round(&best, o, d, (TactVec3){0, 0, 0}, (TactVec3){rate, rate, 0});
    cut_slab(&best, o, d, (TactVec3){0, 0, 1}, s[1]);
    for (int end = -1; end <= 1; end += 2) {
        Span ball = whole();
        cut_round(&ball, o, d, (TactVec3){0, 0, end * s[1]}, (TactVec3){rate, rate, rate});
        if (ball.in <= ball.out) {
            Span earlier = best.in > best.out || ball.in < best.in ? ball : best;
            earlier.out = best.in > best.out ? ball.out : fmax(best.out, ball.out);
            best = earlier;
        }
    }
    return best;
}

static Span convex_span(const TactShape *shape, TactVec3 o, TactVec3 d)
{
    static const TactVec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, origin = {0, 0, 0};
    const double         *s = shape->size;
    Span                  span = whole();
    switch (shape->type) {
    case TACT_SHAPE_PLANE: cut_plane(&span, o, d, z, 0); break;
    case TACT_SHAPE_SPHERE:
        cut_round(&span, o, d, origin, (TactVec3){1 / s[0], 1 / s[0], 1 / s[0]});
        break;
    case TACT_SHAPE_ELLIPSOID:
        cut_round(&span, o, d, origin, (TactVec3){1 / s[0], 1 / s[1], 1 / s[2]});
        break;
    case TACT_SHAPE_CAPSULE: return capsule_span(s, o, d);
    case TACT_SHAPE_CYLINDER:
        cut_round(&span, o, d, origin, (TactVec3){1 / s[0], 1 / s[0], 0});
        cut_slab(&span, o, d, z, s[1]);
        break;
    case TACT_SHAPE_BOX:
        cut_slab(&span, o, d, x, s[0]);
        cut_slab(&span, o, d, y, s[1]);
        cut_slab(&span, o, d, z, s[2]);
        break;
    default:
        for (int i = 0; i < shape->hull->face_count; i++) {
            cut_plane(&span, o, d, shape->hull->faces[i].normal, shape->hull->faces[i].offset);
        }
    }
    return span;
}

// ---------------------------------------------------------------------------------------------
// Meshes

/// Where a ray enters bounds, >= 0; INFINITY: nowhere.
static double enter_bounds(TactVec3 lower, TactVec3 upper, TactVec3 o, TactVec3 d)
{
    const double l[3] = {lower.x, lower.y, lower.z}, u[3] = {upper.x, upper.y, upper.z};
    const double from[3] = {o.x, o.y, o.z}, along[3] = {d.x, d.y, d.z};
    double       in = 0, out = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (along[k] == 0) {
            out = from[k] < l[k] || from[k] > u[k] ? -INFINITY : out;
            continue;
        }
        double p = (l[k] - from[k]) / along[k], q = (u[k] - from[k]) / along[k];
        in = fmax(in, fmin(p, q));
        out = fmin(out, fmax(p, q));
    }
    // rounding must not lose what lies in a side of the bounds
    return in <= out + TACT_NO_LENGTH * fabs(out) ? in : INFINITY;
}

/// A triangle that is entered from its front before best is.
static void enter_triangle(const TactMeshTree *tree, int i, TactVec3 o, TactVec3 d,
                           TactRayHit *best)
{
    const int *v = tree->mesh->triangles[i].vertex;
    TactVec3   n = tree->normals[i], a = tree->mesh->vertices[v[0]];
    double     along = tact_vec3_dot(n, d);
    double     t = along < 0 ? tact_vec3_dot(n, tact_vec3_subtract(a, o)) / along : -1;
    bool       inside = t >= 0 && t < best->t;
    for (int k = 0; k < 3 && inside; k++) {
        TactVec3 from = tree->mesh->vertices[v[k]], to = tree->mesh->vertices[v[(k + 1) % 3]];
        TactVec3 at = tact_vec3_subtract(tact_vec3_add_scaled(o, t, d), from);
        TactVec3 side = tact_vec3_cross(tact_vec3_subtract(to, from), at);
        inside = tact_vec3_dot(n, side) >= 0;
    }
    if (inside) {
        *best = (TactRayHit){true, t, n};
    }
}

/// Nodes are entered in the order of the ray, and not at all beyond the first hit.
static void enter_node(const TactMeshTree *tree, int index, TactVec3 o, TactVec3 d,
                       TactRayHit *best)
{
    const TactMeshNode *node = &tree->nodes[index];
    for (int i = 0; i < node->count; i++) {
        enter_triangle(tree, tree->order[node->first + i], o, d, best);
    }
    if (node->count > 0) {
        return;
    }
    double t[2];
    for (int k = 0; k < 2; k++) {
        const TactMeshNode *part = &tree->nodes[node->first + k];
        t[k] = enter_bounds(part->lower, part->upper, o, d);
    }
    for (int k = 0; k < 2; k++) {
        int which = t[0] <= t[1] ? k : 1 - k;
        if (t[which] < best->t) {
            enter_node(tree, node->first + which, o, d, best);
        }
    }
}

static TactRayHit mesh_ray(const TactMeshTree *tree, TactVec3 o, TactVec3 d)
{
    TactRayHit best = {.t = INFINITY};
    enter_node(tree, 0, o, d, &best);
    best.t = best.hit ? best.t : 0;
    return best;
}

// ---------------------------------------------------------------------------------------------
// Any shape, and all of a world

TactRayHit tact_shape_cast_ray(const TactShape *shape, const TactTransform *pose, TactVec3 origin,
                               TactVec3 direction)
{
    TactVec3   o = tact_transform_point_back(*pose, origin);
    TactVec3   d = tact_quat_rotate_back(pose->rotation, direction);
    TactRayHit hit = {0};
    if (!(tact_vec3_norm(d) > 0)) {
        return hit;
    }
    if (shape->type == TACT_SHAPE_MESH) {
        hit = mesh_ray(shape->mesh, o, d);
    } else {
        Span span = convex_span(shape, o, d);
        if (span.in <= span.out && span.out >= 0) {
            TactVec3 back = tact_vec3_normalise(tact_vec3_negate(d));
            hit = (TactRayHit){true, fmax(span.in, 0), span.in > 0 ? span.normal : back};
        }
    }
    hit.normal = tact_quat_rotate(pose->rotation, hit.normal);
    return hit;
}

typedef struct Cast {
    const TactWorldShape *shapes;
    const TactTransform  *poses;
    const TactRay        *ray;
    TactVec3              direction; // of length 1
    TactWorldHit          best;
} Cast;

/// Returns how far the ray goes on.
static double meet_shape(void *context, int i, double most)
{
    Cast *c = context;
    if (c->ray->filter && !c->ray->filter(c->ray->context, i)) {
        return most;
    }
    TactVec3   o = c->ray->origin;
    TactRayHit hit = tact_shape_cast_ray(&c->shapes[i].shape, &c->poses[i], o, c->direction);
    bool nearer = hit.t < c->best.distance || (hit.t == c->best.distance && i < c->best.shape);
    if (!hit.hit || hit.t > most || !nearer) {
        return most;
    }
    c->best = (TactWorldHit){i, hit.t, tact_vec3_add_scaled(o, hit.t, c->direction), hit.normal};
    return hit.t;
}

TactWorldHit tact_world_cast_ray(TactWorld *world, const TactTransform *poses, const TactRay *ray)
{
    int        count, plane_count;
    const int *planes = tact_world_view_planes(world, &plane_count);
    double     length = tact_vec3_norm(ray->direction);
    double     most = ray->reach > 0 ? ray->reach : INFINITY;
    Cast       cast = {.shapes = tact_world_view_shapes(world, &count),
                       .poses = poses,
                       .ray = ray,
                       .direction = tact_vec3_scale(1 / length, ray->direction),
                       .best = {.shape = -1, .distance = INFINITY}};
    if (!(length > 0)) {
        return cast.best;
    }
    for (int i = 0; i < plane_count; i++) {
        most = meet_shape(&cast, planes[i], most);
    }
    tact_tree_visit_ray(tact_world_place(world, poses), ray->origin, cast.direction, most,
                        meet_shape, &cast);
    return cast.best;
}
