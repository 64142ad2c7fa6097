// Capsules and cylinders beside an edge of a polyhedron: the ends of their line.
//
// Seen along the normal a rod and an edge that are all but parallel cross in one point, and the
// face behind the edge tells of one half of the rod only. The edge is a rod of radius 0: the line
// ends where it does with two rods (rod.c). There the nearest point of the polyhedron, which may be
// on one of the faces beside the edge, gives the gap and the normal.
#include <math.h>

#include "base/status.h"
#include "collide/pair/rod.h"

/// Of the size: what is nothing, and what is one place along a rod.
static const double TINY = 1e-6, SAME = 1e-3;
/// Cosine: a normal that was taken from the face itself, but for rounding.
static const double ON_FACE = 1 - 1e-9;

/// What a rod is beside of: its face along the normal of the nearest points.
typedef struct Polyhedron {
    const TactConvex  *convex;
    const TactFace    *face;
    const TactClosest *closest;
    double             margin;
} Polyhedron;

/// Side i of a face as a rod; false: it has no length.
static bool make_edge(const TactFace *face, int i, double tol, TactRod *edge)
{
    TactVec3 from = face->corners[i], to = face->corners[i + 1 < face->count ? i + 1 : 0];
    TactVec3 way = tact_vec3_subtract(to, from);
    double   length = tact_vec3_norm(way);
    if (!(length > tol)) {
        return false;
    }
    *edge = (TactRod){tact_vec3_add_scaled(from, 0.5, way), tact_vec3_scale(1 / length, way),
                      0.5 * length, 0, false};
    return true;
}

/// The point at an end of the line: by its name, or else by its place; NULL: there is none.
static TactTouch *find_point(TactTouchList *touches, int first, const TactRod *rod, double place,
                             uint64_t name)
{
    TactTouch *there = NULL;
    for (int i = first; i < touches->count; i++) {
        TactTouch *t = &touches->touches[i];
        double     along = tact_vec3_dot(rod->axis, tact_vec3_subtract(t->point, rod->middle));
        if (t->feature == name) {
            return t;
        }
        there = fabs(along - place) <= SAME * rod->half ? t : there;
    }
    return there;
}

/// The point of the polyhedron nearest to a point of the axis, and how deep the rod is in it along
/// that way; false: not within margin, or the point itself is inside.
static bool make_point(const TactRod *rod, TactVec3 from, const Polyhedron *p, TactTouch *touch)
{
    const TactShape     point = {.type = TACT_SHAPE_SPHERE, .size = {rod->radius}};
    const TactTransform at = {{1, 0, 0, 0}, from};
    TactConvex          ball = tact_convex_make(&point, &at);
    TactVec3            n, on_ball, on_b;
    double              depth;
    if (!tact_pair_find_normal(&ball, p->convex, p->margin, &n, &depth, &on_ball, &on_b) ||
        !(depth < rod->radius * (1 - TINY)) ||
        !(tact_vec3_dot(n, p->closest->normal) > TACT_ROD_SIDEWAYS)) {
        return false;
    }
    TactVec3 on_a = tact_vec3_add_scaled(from, rod->radius, tact_rod_side(rod, n));
    depth = tact_vec3_dot(n, tact_vec3_subtract(on_a, on_b));
    touch->point = tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
    touch->normal = n;
    touch->depth = depth < p->closest->depth ? depth : p->closest->depth;
    return depth >= -p->margin;
}

/// A point that was found on the face itself.
static bool is_flat(const TactTouch *touch, const TactFace *face)
{
    return touch && fabs(tact_vec3_dot(touch->normal, face->normal)) > ON_FACE;
}

/// The ends of the line with one edge, or what was known of them if that is deeper.
static TactStatus add_ends(const TactRods *rods, const Polyhedron *p, int first,
                           TactTouchList *touches)
{
    double most = rods->a.radius + p->margin;
    for (int end = 0; end < 2; end++) {
        double    s, t;
        TactTouch touch = {.feature = TACT_ROD_END(end)};
        if (!tact_rods_find_end(rods, end, &s, &t) ||
            tact_rods_square(rods, s, t) > (1 + TINY) * most * most) {
            continue;
        }
        TactTouch *known = find_point(touches, first, &rods->a, s, touch.feature);
        if (is_flat(known, p->face) || !make_point(&rods->a, tact_rod_at(&rods->a, s), p, &touch)) {
            continue;
        }
        if (!known) {
            TACT_TRY(tact_touch_list_add(touches, touch));
        } else if (touch.depth > known->depth) { // than the gap to the face behind the edge
            *known = touch;
        } else if (known->feature == TACT_FEATURE_CLOSEST) {
            known->feature = touch.feature;
        }
    }
    return TACT_OK;
}

TactStatus tact_rods_add_edges(const TactShapePair *pair, const TactConvex *b, const TactFace *face,
                               const TactClosest *closest, int first, TactTouchList *touches)
{
    Polyhedron p = {b, face, closest, pair->margin};
    TactRods   rods = {.a = tact_rod_make(pair->a, pair->pose_a)};
    bool       lies_flat = true;
    for (int end = 0; end < 2; end++) {
        double place = end ? rods.a.half : -rods.a.half;
        lies_flat = lies_flat &&
                    is_flat(find_point(touches, first, &rods.a, place, TACT_ROD_END(end)), face);
    }
    for (int i = 0; i < face->count && !lies_flat; i++) {
        if (make_edge(face, i, TINY * b->size, &rods.b)) {
            tact_rods_relate(&rods);
            if (fabs(rods.uv) > TACT_ROD_SIDEWAYS) {
                TACT_TRY(add_ends(&rods, &p, first, touches));
            }
        }
    }
    return TACT_OK;
}
