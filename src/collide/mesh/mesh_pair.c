// Meshes as they are: triangle by triangle, with normals that do not depend on how a face was cut.
//
// A triangle takes part with its own normal, or with one that the surface allows at the edge or
// corner where it touches (tact_mesh_tree_allows): so an edge inside of a flat face, or in a
// concave corner, never gives a normal. Points are corners of the region that a triangle shares
// with the other face; those on edges inside of a flat face are left out, and what two triangles
// both found is kept once. What is behind a triangle does not touch it.
#include <math.h>

#include "base/status.h"
#include "collide/convex/convex.h"
#include "collide/manifold.h"
#include "collide/mesh/mesh.h"
#include "collide/mesh/mesh_corner.h"
#include "collide/mesh/mesh_pair.h"
#include "collide/mesh/mesh_settle.h"
#include "collide/tolerance.h"

// ---------------------------------------------------------------------------------------------
// Points found twice

void tact_touches_remove_doubles(TactTouchList *list, int first, double tol)
{
    int kept = first;
    for (int i = first; i < list->count; i++) {
        TactTouch touch = list->touches[i];
        uint64_t  lowest = touch.feature & 1; // of one that made its normal: mesh_settle.h
        bool      known = false, crossing = tact_touch_is_crossing(&touch); // each is one
        for (int k = first; k < kept && !known && !crossing; k++) {
            TactVec3 apart = tact_vec3_subtract(list->touches[k].point, touch.point);
            known = tact_vec3_dot(list->touches[k].normal, touch.normal) > TACT_SAME_NORMAL &&
                    tact_vec3_dot(apart, apart) <= tol * tol;
            if (known && touch.depth > list->touches[k].depth) {
                touch.feature = list->touches[k].feature;
                list->touches[k] = touch;
            }
            list->touches[k].feature |= known ? lowest : 0;
        }
        if (!known) {
            list->touches[kept++] = touch;
        }
    }
    list->count = kept;
}

// ---------------------------------------------------------------------------------------------
// Plane

TactStatus tact_pair_plane_mesh(const TactShapePair *pair, TactTouchList *touches)
{
    const TactMeshTree *tree = pair->b->mesh;
    TactVec3            normal = tact_quat_rotate(pair->pose_a->rotation, (TactVec3){0, 0, 1});
    TactVec3            n = tact_quat_rotate_back(pair->pose_b->rotation, normal);
    TactVec3 between = tact_vec3_subtract(pair->pose_b->position, pair->pose_a->position);
    double   offset = tact_vec3_dot(normal, between);
    for (int i = 0; i < tree->mesh->vertex_count; i++) {
        double depth = -offset - tact_vec3_dot(n, tree->mesh->vertices[i]);
        if (tree->corner[i] && depth >= -pair->margin) {
            TactVec3  at = tact_transform_point(*pair->pose_b, tree->mesh->vertices[i]);
            TactTouch touch = {tact_vec3_add_scaled(at, 0.5 * depth, normal), normal, depth,
                               1 + (uint64_t)i};
            TACT_TRY(tact_touch_list_add(touches, touch));
        }
    }
    return TACT_OK;
}

// ---------------------------------------------------------------------------------------------
// Convex shape

typedef struct Visit {
    TactConvex     mesh;
    TactConvex     other;
    double         margin;
    TactTouchList *touches;
    bool           refused; // a triangle overlaps along a normal that the surface does not allow
    bool           any;     // second visit, for want of an overlap: the surface is not asked
    TactTouch      closest; // the deepest that may have to be added; its depth is -INFINITY before
} Visit;

/// Do a triangle and the shape come within margin of each other, and where?
static bool find_nearest_of_triangle(const TactConvex *a, const TactConvex *b, double margin,
                                     TactVec3 *normal, double *depth, TactVec3 *on_a,
                                     TactVec3 *on_b)
{
    TactCornerFound found = TACT_CORNER_UNSURE;
    if (b->shape->type == TACT_SHAPE_BOX) {
        found = tact_corner_find(a, b, margin, normal, depth, on_a, on_b);
    }
    return found == TACT_CORNER_UNSURE
               ? tact_pair_find_normal(a, b, margin, normal, depth, on_a, on_b)
               : found == TACT_CORNER_TOUCHES;
}

/// The nearest points of a triangle: no name of a crossing (mesh_settle.h), so that those of an
/// edge or corner that triangles share are kept once.
static uint64_t name_closest(int index)
{
    return (uint64_t)3 << 62 | TACT_FEATURE_CLOSEST | (2 * (uint64_t)index + 1);
}

static TactStatus visit_convex(void *context, int index)
{
    Visit              *visit = context;
    const TactMeshTree *tree = visit->mesh.shape->mesh;
    const TactConvex   *b = &visit->other;
    TactConvex          a = tact_convex_make_triangle(&visit->mesh, index);
    TactVec3            own = tact_convex_turn(&a, tree->normals[index]), n, on_a, on_b;
    double              depth = 0;
    if (!find_nearest_of_triangle(&a, b, visit->margin, &n, &depth, &on_a, &on_b)) {
        return TACT_OK;
    }
    TactTouch closest = {tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b)), n, depth,
                         name_closest(index)};
    if (depth < 0 && depth > visit->closest.depth) {
        visit->closest = closest;
    }
    bool flat = tact_vec3_dot(n, own) > TACT_SAME_NORMAL;
    if (!flat) {
        TactMeshNormal kind = tact_mesh_tree_judge(tree, index, tact_convex_turn_back(&a, n));
        if (kind == TACT_MESH_ELSEWHERE) {
            return TACT_OK;
        }
        bool deep = kind == TACT_MESH_REFUSED && depth > 0;
        visit->refused = visit->refused || deep;
        if (visit->any && deep && tact_vec3_dot(n, own) > 0) {
            return tact_touch_list_add(visit->touches, closest);
        }
        flat = kind == TACT_MESH_REFUSED;
        // Its own normal instead, unless that is more than twice as deep, or the shape passes
        // across the triangle: what its neighbours have to do with.
        double along = flat ? tact_pair_overlap(&a, b, own) : 0;
        if (flat && ((deep && along > 2 * depth) ||
                     (tact_vec3_dot(n, own) < 0.1 && along > visit->margin))) {
            return TACT_OK;
        }
    }
    if (visit->any) {
        return TACT_OK;
    }
    n = flat ? own : n;
    TactVec3 from = tact_convex_support(&a, n);
    if (tact_vec3_dot(n, tact_vec3_subtract(b->middle, from)) <= 0) {
        return TACT_OK; // behind it
    }
    TactFace face_a, face_b;
    tact_convex_face(&a, n, &face_a);
    tact_convex_face(b, tact_vec3_negate(n), &face_b);
    int before = visit->touches->count;
    TACT_TRY(tact_manifold_add(&face_a, &face_b, n, visit->margin, flat ? NULL : &closest,
                               visit->touches));
    // All but along its own normal and yet beside it: the neighbour leaves that to this triangle.
    if (visit->touches->count == before && depth > visit->closest.depth &&
        tact_vec3_dot(closest.normal, own) > TACT_SAME_NORMAL) {
        visit->closest = closest;
    }
    return TACT_OK;
}

/// Bounds of a convex shape in the frame of a mesh, wider by margin.
static void find_window(const TactShape *shape, const TactTransform *pose,
                        const TactTransform *frame, double margin, TactVec3 *lower, TactVec3 *upper)
{
    TactTransform seen = tact_transform_multiply(tact_transform_invert(*frame), *pose);
    TactVec3      rim = {margin, margin, margin};
    tact_shape_compute_bounds(shape, &seen, lower, upper);
    *lower = tact_vec3_subtract(*lower, rim);
    *upper = tact_vec3_add(*upper, rim);
}

static bool has_depth(const TactTouchList *list, int first, double depth)
{
    bool some = false;
    for (int i = first; i < list->count; i++) {
        some = some || list->touches[i].depth >= depth;
    }
    return some;
}

/// The nearest points of shapes apart, or of an overlap that triangles left to each other, are
/// among the points, where no triangle took its contact for its own.
static TactStatus add_closest(Visit *visit, int first)
{
    double   size = visit->mesh.size + visit->other.size, depth = visit->closest.depth;
    TactFace face;
    if (!(depth >= -visit->margin) ||
        has_depth(visit->touches, first, depth - TACT_SAME_DEPTH * size)) {
        return TACT_OK;
    }
    tact_convex_face(&visit->other, tact_vec3_negate(visit->closest.normal), &face);
    return has_depth(visit->touches, first, depth - face.slack - TACT_SAME_DEPTH * size)
               ? TACT_OK
               : tact_touch_list_add(visit->touches, visit->closest);
}

TactStatus tact_pair_mesh_convex(const TactShapePair *pair, TactTouchList *touches)
{
    Visit    visit = {.mesh = tact_convex_make(pair->a, pair->pose_a),
                      .other = tact_convex_make(pair->b, pair->pose_b),
                      .margin = pair->margin,
                      .touches = touches,
                      .closest = {.depth = -INFINITY}};
    TactVec3 lower, upper;
    int      first = touches->count;
    find_window(pair->b, pair->pose_b, pair->pose_a, pair->margin, &lower, &upper);
    TACT_TRY(tact_mesh_tree_visit(pair->a->mesh, lower, upper, visit_convex, &visit));
    if (visit.refused && !has_depth(touches, first, 0)) {
        visit.any = true;
        TACT_TRY(tact_mesh_tree_visit(pair->a->mesh, lower, upper, visit_convex, &visit));
    }
    tact_touches_remove_doubles(touches, first,
                                TACT_SAME_POINT * (visit.mesh.size + visit.other.size));
    return add_closest(&visit, first);
}
