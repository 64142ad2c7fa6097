// Two convex shapes: distance of their cores, or depth of their overlap, then the faces that meet.
#include <math.h>

#include "base/status.h"
#include "collide/convex/convex.h"
#include "collide/pair/rod.h"
#include "collide/tolerance.h"

/// 1 - cosine: a normal this near to that of a face is the face's.
static const double ALIGNED = 1e-6;
/// Of the size: how much deeper a face may be that is taken in place of the normal.
static const double SNAP = 1e-7;

double tact_pair_overlap(const TactConvex *a, const TactConvex *b, TactVec3 n)
{
    TactVec3 end = tact_convex_support(a, n);
    TactVec3 begin = tact_convex_support(b, tact_vec3_negate(n));
    return tact_vec3_dot(n, tact_vec3_subtract(end, begin)) + a->radius + b->radius;
}

static bool has_flat_faces(const TactShape *shape)
{
    return shape->type == TACT_SHAPE_BOX || shape->type == TACT_SHAPE_HULL ||
           shape->type == TACT_SHAPE_CYLINDER;
}

/// The faces of both along the normal, once it is what it is to be.
typedef struct Faces {
    TactFace a, b;
    bool     known[2]; // of a and of b
} Faces;

static void snap(const TactConvex *a, const TactConvex *b, double tol, TactVec3 *normal,
                 double *depth, Faces *faces)
{
    faces->known[0] = faces->known[1] = false;
    for (int side = 0; side < 2; side++) {
        const TactConvex *of = side ? b : a;
        TactVec3          out = side ? tact_vec3_negate(*normal) : *normal;
        TactFace         *face = side ? &faces->b : &faces->a;
        if (!has_flat_faces(of->shape)) {
            continue;
        }
        tact_convex_face(of, out, face);
        faces->known[side] = true;
        if (face->count < 3 || tact_vec3_dot(face->normal, out) < 1 - ALIGNED) {
            continue;
        }
        TactVec3 candidate = side ? tact_vec3_negate(face->normal) : face->normal;
        double   along = tact_pair_overlap(a, b, candidate);
        if (along <= *depth + tol * (a->size + b->size)) {
            *normal = candidate;
            *depth = along;
            faces->known[0] = faces->known[1] = false;
            return;
        }
    }
}

void tact_pair_snap(const TactConvex *a, const TactConvex *b, double tol, TactVec3 *normal,
                    double *depth)
{
    Faces faces;
    snap(a, b, tol, normal, depth, &faces);
}

static TactTouch make_closest(TactVec3 on_a, TactVec3 on_b, TactVec3 normal, double depth)
{
    return (TactTouch){tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b)), normal, depth,
                       TACT_FEATURE_CLOSEST};
}

TactStatus tact_pair_add_faces(const TactConvex *a, const TactConvex *b, TactVec3 normal,
                               double depth, TactVec3 on_a, TactVec3 on_b, double margin,
                               TactTouchList *touches)
{
    TactFace  face_a, face_b;
    TactTouch closest = make_closest(on_a, on_b, normal, depth);
    tact_convex_face(a, normal, &face_a);
    tact_convex_face(b, tact_vec3_negate(normal), &face_b);
    return tact_manifold_add(&face_a, &face_b, normal, margin, &closest, touches);
}

/// Two rods, one of them a cylinder at least.
static bool are_rods(const TactShape *a, const TactShape *b)
{
    return tact_shape_is_rod(a) && tact_shape_is_rod(b) &&
           (a->type == TACT_SHAPE_CYLINDER || b->type == TACT_SHAPE_CYLINDER);
}

bool tact_pair_find_normal(const TactConvex *a, const TactConvex *b, double margin,
                           TactVec3 *normal, double *depth, TactVec3 *on_a, TactVec3 *on_b)
{
    if (are_rods(a->shape, b->shape)) {
        TactShapePair pair = {a->shape, b->shape, &a->pose, &b->pose, margin};
        TactRods      rods;
        TactClosest   closest;
        tact_rods_make(&pair, &rods);
        tact_rods_find_nearest(&rods);
        if (tact_rods_find_closest(&rods, &closest)) {
            *normal = closest.normal;
            *depth = closest.depth;
            *on_a = closest.on_a;
            *on_b = closest.on_b;
            return *depth >= -margin;
        }
    }
    TactSimplex simplex;
    double      round = a->radius + b->radius;
    double      distance = tact_gjk(a, b, margin + round, &simplex, on_a, on_b);
    if (distance > margin + round) {
        return false;
    }
    double tiny = TACT_SAME_DEPTH * (a->size + b->size);
    bool   apart = distance > 0 && tact_vec3_norm(tact_vec3_subtract(*on_b, *on_a)) > tiny;
    if (!apart) {
        double overlap = tact_epa(a, b, &simplex, normal, on_a, on_b);
        *depth = round + overlap;
        apart = overlap < -tiny && tact_corners_refine(a, b, &simplex, &distance, on_a, on_b);
    }
    if (apart) {
        TactVec3 way = tact_vec3_subtract(*on_b, *on_a);
        double   length = tact_vec3_norm(way);
        *normal = tact_vec3_scale(1 / length, way);
        *depth = round - length;
    }
    *on_a = tact_vec3_add_scaled(*on_a, a->radius, *normal);
    *on_b = tact_vec3_add_scaled(*on_b, -b->radius, *normal);
    return true;
}

static bool is_long(const TactShape *shape)
{
    return shape->type == TACT_SHAPE_CAPSULE || shape->type == TACT_SHAPE_CYLINDER;
}

/// tact_pair_find_normal() of a box and what is over one of its faces. TACT_OVER_UNKNOWN: it is
/// over none, or neither is a box.
static TactPairOver find_over_face(const TactConvex *a, const TactConvex *b, double margin,
                                   TactVec3 *normal, double *depth, TactVec3 *on_a, TactVec3 *on_b)
{
    bool              first = a->shape->type == TACT_SHAPE_BOX;
    const TactConvex *box = first ? a : b, *other = first ? b : a;
    TactOverFace      over;
    if (box->shape->type != TACT_SHAPE_BOX) {
        return TACT_OVER_UNKNOWN;
    }
    TactPairOver found = tact_pair_over_face(box, other, margin, &over);
    if (found == TACT_OVER_FACE) {
        TactVec3 on_box = tact_vec3_add_scaled(over.on_box, box->radius, over.normal);
        TactVec3 on_other = tact_vec3_add_scaled(over.on_other, -other->radius, over.normal);
        *normal = first ? over.normal : tact_vec3_negate(over.normal);
        *depth = over.depth;
        *on_a = first ? on_box : on_other;
        *on_b = first ? on_other : on_box;
    }
    return found;
}

TactStatus tact_pair_convex_convex(const TactShapePair *pair, TactTouchList *touches)
{
    TactConvex   a = tact_convex_make(pair->a, pair->pose_a);
    TactConvex   b = tact_convex_make(pair->b, pair->pose_b);
    TactVec3     normal, on_a, on_b;
    double       depth = 0;
    TactPairOver found = find_over_face(&a, &b, pair->margin, &normal, &depth, &on_a, &on_b);
    if (found == TACT_OVER_APART ||
        (found == TACT_OVER_UNKNOWN &&
         !tact_pair_find_normal(&a, &b, pair->margin, &normal, &depth, &on_a, &on_b))) {
        return TACT_OK;
    }
    if (is_long(pair->a) && is_long(pair->b) && tact_rods_lie_beside(pair, normal)) {
        TactClosest closest = {normal, depth, on_a, on_b};
        TactRods    rods;
        tact_rods_make(pair, &rods);
        tact_rods_set_closest(&rods, &closest);
        return tact_rods_add_line(&rods, &closest, pair->margin, touches);
    }
    Faces faces;
    snap(&a, &b, SNAP, &normal, &depth, &faces);
    if (!faces.known[0]) {
        tact_convex_face(&a, normal, &faces.a);
    }
    if (!faces.known[1]) {
        tact_convex_face(&b, tact_vec3_negate(normal), &faces.b);
    }
    TactTouch nearest = make_closest(on_a, on_b, normal, depth);
    int       first = touches->count;
    TACT_TRY(tact_manifold_add(&faces.a, &faces.b, normal, pair->margin, &nearest, touches));
    if (is_long(pair->a) && faces.a.count == 2 && faces.b.count >= 3 &&
        (pair->b->type == TACT_SHAPE_BOX || pair->b->type == TACT_SHAPE_HULL)) {
        TactClosest closest = {normal, depth, on_a, on_b};
        return tact_rods_add_edges(pair, &b, &faces.b, &closest, first, touches);
    }
    return TACT_OK;
}
