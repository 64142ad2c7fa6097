// Polyhedra that are all but touching.
//
// Differences of corners have lost the digits that the corners themselves have, so that simplices
// of differences stop. From there on corners are kept, up to three of each core, and the nearest
// points of the triangles, edges or points that they make are known to rounding. The
// furthest corners along the direction between these points come in until they are there already:
// then no other is nearer.
#include "collide/convex/gjk.h"
#include "collide/mesh/mesh.h"

enum { MOST_ROUNDS = 16 };
/// Relative: a corner that lies so much beyond the nearest points shows that their direction is but
/// rounding.
static const double ROUNDED = 1e-3;

typedef struct Corners {
    int      count; // 1 to 3
    TactVec3 v[3];
} Corners;

static bool has_corner(const Corners *c, TactVec3 v)
{
    bool known = false;
    for (int i = 0; i < c->count; i++) {
        known = known || (c->v[i].x == v.x && c->v[i].y == v.y && c->v[i].z == v.z);
    }
    return known;
}

static TactMeshTriangle make_triangle(const Corners *c)
{
    TactMeshTriangle t = {.v = {c->v[0], c->v[c->count > 1 ? 1 : 0], c->v[c->count > 2 ? 2 : 0]}};
    t.normal = tact_vec3_normalise(
        tact_vec3_cross(tact_vec3_subtract(t.v[1], t.v[0]), tact_vec3_subtract(t.v[2], t.v[0])));
    return t;
}

static double find_corners_nearest(const Corners *a, const Corners *b, TactVec3 *on_a,
                                   TactVec3 *on_b)
{
    TactMeshTriangle s = make_triangle(a), t = make_triangle(b);
    return tact_triangles_nearest(&s, &t, on_a, on_b);
}

/// Takes in a corner; of four, the three remain that are nearest to the other core.
static void take_corner(Corners *c, const Corners *other, TactVec3 v)
{
    if (has_corner(c, v)) {
        return;
    }
    if (c->count < 3) {
        c->v[c->count++] = v;
        return;
    }
    TactVec3 on_c, on_other;
    Corners  best = *c;
    double   least = find_corners_nearest(c, other, &on_c, &on_other);
    for (int i = 0; i < 3; i++) {
        Corners with = *c;
        with.v[i] = v;
        double here = find_corners_nearest(&with, other, &on_c, &on_other);
        if (here < least) {
            least = here;
            best = with;
        }
    }
    *c = best;
}

/// The corners of a round.
typedef struct Round {
    Corners a, b;
} Round;

static bool is_same(const Corners *c, const Corners *d)
{
    bool same = c->count == d->count;
    for (int i = 0; i < c->count && same; i++) {
        same = c->v[i].x == d->v[i].x && c->v[i].y == d->v[i].y && c->v[i].z == d->v[i].z;
    }
    return same;
}

/// Were these the corners of an earlier round? Then all that follows has been tried.
static bool comes_again(const Round *rounds, int count)
{
    const Round *last = &rounds[count - 1];
    for (int k = count - 2; k >= 0; k--) {
        if (is_same(&rounds[k].a, &last->a) && is_same(&rounds[k].b, &last->b)) {
            return true;
        }
    }
    return false;
}

/// An ellipsoid has none: every direction has a furthest point of its own.
static bool has_corners(const TactConvex *convex)
{
    return convex->shape->type != TACT_SHAPE_ELLIPSOID;
}

bool tact_corners_refine(const TactConvex *a, const TactConvex *b, const TactSimplex *simplex,
                         double *distance, TactVec3 *on_a, TactVec3 *on_b)
{
    Corners of_a = {0}, of_b = {0};
    Round   rounds[MOST_ROUNDS];
    if (!has_corners(a) || !has_corners(b)) {
        return false;
    }
    for (int i = 0; i < simplex->count; i++) {
        take_corner(&of_a, &of_b, simplex->vertex[i].on_a);
        take_corner(&of_b, &of_a, simplex->vertex[i].on_b);
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        TactVec3 p, q;
        rounds[round] = (Round){of_a, of_b};
        if (comes_again(rounds, round + 1)) {
            return false;
        }
        double here = find_corners_nearest(&of_a, &of_b, &p, &q);
        if (!(here > 0)) {
            return false;
        }
        TactVec3       n = tact_vec3_scale(1 / here, tact_vec3_subtract(q, p));
        TactDifference next = tact_difference_support(a, b, n);
        if (has_corner(&of_a, next.on_a) && has_corner(&of_b, next.on_b)) {
            if (here + tact_vec3_dot(next.w, n) > ROUNDED * here) {
                return false;
            }
            *distance = here;
            *on_a = p;
            *on_b = q;
            return true;
        }
        take_corner(&of_a, &of_b, next.on_a);
        take_corner(&of_b, &of_a, next.on_b);
    }
    return false;
}
