// Intersection of two convex polygons, each of which may be a segment or a point.
//
// Both faces are seen along the normal. The corners of the region that they share are
//
//     corners of a inside b,    corners of b inside a,    crossings of a side of a with one of b,
//
// up to eight for two squares [Lloyd04, figure 2]. Each has a name made of the features that make
// it, so that it is the same contact in the next step. Its depth is how far the surface of a stands
// out above that of b there, along the normal.
#include "collide/manifold.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/status.h"
#include "collide/tolerance.h"

TactStatus tact_touch_list_reserve(TactTouchList *list, int more)
{
    if (list->capacity - list->count >= more) {
        return TACT_OK;
    }
    int        room = list->capacity + more > 2 * list->capacity ? list->capacity + more + 16
                                                                 : 2 * list->capacity;
    TactTouch *larger = NULL;
    TACT_TRY(tact_allocate((size_t)room, sizeof *larger, (void **)&larger));
    for (int i = 0; i < list->count; i++) {
        larger[i] = list->touches[i];
    }
    tact_release(list->touches);
    list->touches = larger;
    list->capacity = room;
    return TACT_OK;
}

TactStatus tact_touch_list_add(TactTouchList *list, TactTouch touch)
{
    if (list->count == list->capacity) {
        TACT_TRY(tact_touch_list_reserve(list, 1));
    }
    list->touches[list->count++] = touch;
    return TACT_OK;
}

void tact_touch_list_clear(TactTouchList *list)
{
    list->count = 0;
}

void tact_touch_list_destroy(TactTouchList *list)
{
    tact_release(list->touches);
    *list = (TactTouchList){0};
}

/// A face in the plane across the normal: corners (x, y), and height z = g_x x + g_y y + c of its
/// plane, or of its line.
typedef struct Flat {
    const TactFace *face;
    double          x[TACT_MOST_CORNERS], y[TACT_MOST_CORNERS], z[TACT_MOST_CORNERS];
    double          g_x, g_y, c;
    double          turn; // +1: counter-clockwise seen from the tip of the normal
} Flat;

typedef struct View {
    TactVec3 origin, x, y, z; // z is the normal
    double   length;          // size of the faces: for tolerances
} View;

static double length_of(double x, double y)
{
    return sqrt(x * x + y * y);
}

static const double TOUCH = TACT_TOUCH_TOL;
static const double STEEPEST = 1e-3;    // cosine: a face seen from its side rises no faster
static const double LEAST_FACE = 1e-12; // m: faces that are points have a size for tolerances

static void flatten(const View *view, const TactFace *face, Flat *flat)
{
    flat->face = face;
    for (int i = 0; i < face->count; i++) {
        TactVec3 r = tact_vec3_subtract(face->corners[i], view->origin);
        flat->x[i] = tact_vec3_dot(view->x, r);
        flat->y[i] = tact_vec3_dot(view->y, r);
        flat->z[i] = tact_vec3_dot(view->z, r);
    }
    flat->g_x = flat->g_y = 0;
    if (face->count >= 3) {
        double n_z = tact_vec3_dot(view->z, face->normal);
        flat->turn = n_z >= 0 ? 1 : -1;
        n_z = fabs(n_z) > STEEPEST ? n_z : copysign(STEEPEST, n_z);
        flat->g_x = -tact_vec3_dot(view->x, face->normal) / n_z;
        flat->g_y = -tact_vec3_dot(view->y, face->normal) / n_z;
    } else if (face->count == 2) {
        double dx = flat->x[1] - flat->x[0], dy = flat->y[1] - flat->y[0];
        double square = dx * dx + dy * dy;
        double slope = square > 0 ? (flat->z[1] - flat->z[0]) / square : 0;
        flat->g_x = slope * dx;
        flat->g_y = slope * dy;
        flat->turn = 1;
    } else {
        flat->turn = 1;
    }
    flat->c = flat->z[0] - flat->g_x * flat->x[0] - flat->g_y * flat->y[0];
}

static double height(const Flat *flat, double x, double y)
{
    return flat->g_x * x + flat->g_y * y + flat->c;
}

/// Is (x, y) inside a polygon, or on a segment or point?
static bool is_inside(const Flat *flat, double x, double y, double tol)
{
    int n = flat->face->count;
    if (n == 1) {
        return length_of(x - flat->x[0], y - flat->y[0]) <= tol;
    }
    if (n == 2) {
        double dx = flat->x[1] - flat->x[0], dy = flat->y[1] - flat->y[0],
               length = length_of(dx, dy);
        if (!(length > tol)) {
            return length_of(x - flat->x[0], y - flat->y[0]) <= tol;
        }
        double along = ((x - flat->x[0]) * dx + (y - flat->y[0]) * dy) / length;
        double across = ((x - flat->x[0]) * dy - (y - flat->y[0]) * dx) / length;
        return fabs(across) <= tol && along >= -tol && along <= length + tol;
    }
    for (int i = 0; i < n; i++) {
        int    j = i + 1 < n ? i + 1 : 0;
        double dx = flat->x[j] - flat->x[i], dy = flat->y[j] - flat->y[i];
        double left = flat->turn * (dx * (y - flat->y[i]) - dy * (x - flat->x[i]));
        if (left < -tol * length_of(dx, dy)) {
            return false;
        }
    }
    return true;
}

typedef struct Adder {
    const View    *view;
    const Flat    *a, *b;
    double         margin;
    TactTouchList *touches;
    int            first; // of this manifold in the list
} Adder;

/// Features i and j, and the faces of meshes that they belong to: one corner may touch several.
static uint64_t name_of(const Adder *adder, uint32_t kind, uint32_t i, uint32_t j)
{
    uint64_t faces = (uint64_t)adder->a->face->id << 32 | adder->b->face->id;
    if (faces != 0) {
        uint64_t x = (faces ^ ((uint64_t)i << 32 | j)) * 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30) ^ j) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27) ^ i) * 0x94d049bb133111ebu;
        return (uint64_t)(kind + 1) << 62 | x >> 2 | 1;
    }
    return tact_touch_name(kind, i, j);
}

/// One corner of the region, unless it is too high above b, or there already.
static TactStatus add_point(const Adder *adder, double x, double y, uint64_t feature)
{
    const View *view = adder->view;
    double      top = height(adder->a, x, y), bottom = height(adder->b, x, y);
    double      depth = top - bottom, middle = 0.5 * (top + bottom);
    if (!(depth >= -adder->margin)) {
        return TACT_OK;
    }
    TactVec3 point = tact_vec3_add_scaled(view->origin, x, view->x);
    point = tact_vec3_add_scaled(point, y, view->y);
    point = tact_vec3_add_scaled(point, middle, view->z);
    for (int i = adder->first; i < adder->touches->count; i++) {
        TactVec3 apart = tact_vec3_subtract(adder->touches->touches[i].point, point);
        if (tact_vec3_norm(apart) <= 10 * TOUCH * view->length) {
            return TACT_OK;
        }
    }
    TactTouch touch = {point, view->z, depth, feature};
    return tact_touch_list_add(adder->touches, touch);
}

/// Corners of one face that lie inside the other. swapped: the face is b.
static TactStatus add_corners(const Adder *adder, const Flat *of, const Flat *inside, uint32_t kind)
{
    double tol = TOUCH * adder->view->length;
    for (int i = 0; i < of->face->count; i++) {
        bool hidden = i < 3 && (of->face->hidden_corners >> i & 1);
        if (!hidden && is_inside(inside, of->x[i], of->y[i], tol)) {
            TACT_TRY(add_point(adder, of->x[i], of->y[i],
                               name_of(adder, kind, of->face->corner_ids[i], 0)));
        }
    }
    return TACT_OK;
}

static int side_count(const TactFace *face)
{
    return face->count == 1 ? 0 : face->count == 2 ? 1 : face->count;
}

/// Proper crossings of sides: both ends of each on different sides of the other.
static TactStatus add_crossings(const Adder *adder)
{
    const Flat *a = adder->a, *b = adder->b;
    double      tol = TOUCH * adder->view->length;
    for (int i = 0; i < side_count(a->face); i++) {
        int    k = i + 1 < a->face->count ? i + 1 : 0;
        double ax = a->x[k] - a->x[i], ay = a->y[k] - a->y[i], along = length_of(ax, ay);
        if (i < 3 && (a->face->hidden_sides >> i & 1)) {
            continue;
        }
        for (int j = 0; j < side_count(b->face); j++) {
            int l = j + 1 < b->face->count ? j + 1 : 0;
            if (j < 3 && (b->face->hidden_sides >> j & 1)) {
                continue;
            }
            double bx = b->x[l] - b->x[j], by = b->y[l] - b->y[j], length = length_of(bx, by);
            double rx = b->x[j] - a->x[i], ry = b->y[j] - a->y[i];
            double cross = ax * by - ay * bx;
            if (fabs(cross) <= TOUCH * along * length) {
                continue; // parallel: their ends are corners
            }
            double s = (rx * by - ry * bx) / cross, t = (rx * ay - ry * ax) / cross;
            if (s * along > tol && (1 - s) * along > tol && t * length > tol &&
                (1 - t) * length > tol) {
                TACT_TRY(add_point(adder, a->x[i] + s * ax, a->y[i] + s * ay,
                                   name_of(adder, TACT_TOUCH_CROSSING, a->face->side_ids[i],
                                           b->face->side_ids[j])));
            }
        }
    }
    return TACT_OK;
}

static double face_size(const TactFace *face)
{
    double most = 0;
    for (int i = 1; i < face->count; i++) {
        most = fmax(most, tact_vec3_norm(tact_vec3_subtract(face->corners[i], face->corners[0])));
    }
    return most;
}

TactStatus tact_manifold_add(const TactFace *a, const TactFace *b, TactVec3 normal, double margin,
                             const TactTouch *closest, TactTouchList *touches)
{
    if (closest && a->count == 1 && b->count == 1) {
        return tact_touch_list_add(touches, *closest);
    }
    View view = {.origin = closest ? closest->point : a->corners[0], .z = normal};
    Flat flat_a, flat_b;
    tact_vec3_tangents(normal, &view.x, &view.y);
    view.length = fmax(fmax(face_size(a), face_size(b)), LEAST_FACE);
    flatten(&view, a, &flat_a);
    flatten(&view, b, &flat_b);
    Adder adder = {&view, &flat_a, &flat_b, margin, touches, touches->count};
    TACT_TRY(add_corners(&adder, &flat_a, &flat_b, TACT_TOUCH_CORNER_A));
    TACT_TRY(add_corners(&adder, &flat_b, &flat_a, TACT_TOUCH_CORNER_B));
    TACT_TRY(add_crossings(&adder));
    double deepest = -margin;
    for (int i = adder.first; i < touches->count; i++) {
        deepest = fmax(deepest, touches->touches[i].depth);
    }
    // The nearest points are part of the contact: a smooth shape has them between its corners.
    double slack = a->slack + b->slack + TACT_SAME_DEPTH * view.length;
    if (closest && (touches->count == adder.first || deepest < closest->depth - slack)) {
        TACT_TRY(tact_touch_list_add(touches, *closest));
    }
    return TACT_OK;
}
