// Fewer points with the same support polygon [Yamane and Nakamura, IV-C].
#include <math.h>

#include "collide/convex/convex.h"
#include "collide/tolerance.h"

/// Points of one normal are corners of their convex hull, or not needed. Marks: feature 0.
typedef struct Group {
    TactTouch *touches;
    int        first, count;
    TactVec3   x, y, normal;
} Group;

static bool is_member(const Group *g, int i)
{
    return g->touches[i].feature != 0 &&
           tact_vec3_dot(g->touches[i].normal, g->normal) > TACT_SAME_NORMAL;
}

/// Of two points nearer than distance, the less deep one goes.
static void remove_near(const Group *g, double distance)
{
    for (int i = g->first; i < g->count; i++) {
        for (int k = g->first; k < g->count && is_member(g, i); k++) {
            const TactTouch *p = &g->touches[i], *q = &g->touches[k];
            TactVec3         apart = tact_vec3_subtract(p->point, q->point);
            bool             less = p->depth < q->depth || (p->depth == q->depth && k < i);
            if (k != i && is_member(g, k) && less && tact_vec3_norm(apart) <= distance) {
                g->touches[i].feature = 0;
            }
        }
    }
}

/// Is some line through point i such that all others are strictly on one side? The widest angle
/// between directions to neighbours is then more than half a turn: looked for from each direction.
static bool is_corner(const Group *g, int i)
{
    TactVec3 p = g->touches[i].point;
    bool     alone = true;
    for (int k = g->first; k < g->count; k++) {
        if (k == i || !is_member(g, k)) {
            continue;
        }
        // Is everything to the left of the line from i to k, or beyond k on it?
        TactVec3 d = tact_vec3_subtract(g->touches[k].point, p);
        double   dx = tact_vec3_dot(g->x, d), dy = tact_vec3_dot(g->y, d);
        double   length = hypot(dx, dy);
        bool     all = length > 0;
        alone = false;
        for (int m = g->first; m < g->count && all; m++) {
            if (m == i || m == k || !is_member(g, m)) {
                continue;
            }
            TactVec3 e = tact_vec3_subtract(g->touches[m].point, p);
            double   ex = tact_vec3_dot(g->x, e), ey = tact_vec3_dot(g->y, e);
            double   left = (dx * ey - dy * ex) / length,
                   tol = TACT_SAME_DEPTH * fmax(length, hypot(ex, ey));
            all = left > tol || (left >= -tol && dx * ex + dy * ey > 0);
        }
        if (all) {
            return true;
        }
    }
    return alone;
}

void tact_touch_list_reduce(TactTouchList *list, int first, double distance)
{
    Group g = {.touches = list->touches, .first = first, .count = list->count};
    int   kept = first;
    for (int i = first; i < list->count; i++) {
        bool seen = false; // the normal of an earlier point
        g.normal = list->touches[i].normal;
        for (int k = first; k < i && !seen; k++) {
            seen = tact_vec3_dot(list->touches[k].normal, g.normal) > TACT_SAME_NORMAL;
        }
        if (seen) {
            continue;
        }
        tact_vec3_tangents(g.normal, &g.x, &g.y);
        remove_near(&g, distance);
        double deepest = -INFINITY;
        for (int k = first; k < list->count; k++) {
            deepest = is_member(&g, k) && is_corner(&g, k) ? fmax(deepest, list->touches[k].depth)
                                                           : deepest;
        }
        for (int k = first; k < list->count; k++) { // removing what is no corner makes none
            if (is_member(&g, k) && list->touches[k].depth <= deepest && !is_corner(&g, k)) {
                list->touches[k].feature = 0;
            }
        }
    }
    for (int i = first; i < list->count; i++) {
        if (list->touches[i].feature != 0) {
            list->touches[kept++] = list->touches[i];
        }
    }
    list->count = kept;
}
