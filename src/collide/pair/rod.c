// Capsules and cylinders side by side: the line along which they touch, by its two ends.
//
// Where two rods are all but parallel the nearest points run from end to end with the slightest
// turn. What stays is the piece of each that lies beside the other:
//
//      a   |=====================|            u: axis of a, v: of b, u'v >= 0
//      b          |========================|
//                low           high
//
// Its high end is the end of a if that has its foot on b, or the end of b if that has its foot on
// a; of the few places where both have, or none, see tact_rods_find_end(). There the surfaces have
// a gap and a normal of their own, along the line from axis to axis. The point is there as soon as
// the gap is within the margin, at whatever angle the axes are; the nearest points are a third one
// where they are nearer than both ends.
#include "collide/pair/rod.h"

#include <math.h>

#include "base/status.h"
#include "collide/tolerance.h"

/// Cosine to the axis of a cylinder beyond which it shows its cap (face.c).
static const double STEEP = 0.7;
/// Of the size: axes nearer than this cross, and have no direction from one to the other.
static const double CROSSING = 1e-6;

enum { LOW, HIGH, NEITHER };

static bool shows_cap(const TactShape *shape, const TactTransform *pose, TactVec3 normal)
{
    return shape->type == TACT_SHAPE_CYLINDER &&
           fabs(tact_vec3_dot(tact_rod_make(shape, pose).axis, normal)) > STEEP;
}

bool tact_rods_lie_beside(const TactShapePair *pair, TactVec3 normal)
{
    return !shows_cap(pair->a, pair->pose_a, normal) && !shows_cap(pair->b, pair->pose_b, normal);
}

/// With a_n = n'u and b_n = n'v, the overlap along any direction n is
///
///     h(n) >= l_a |a_n| + l_b |b_n| + r_a sqrt(1 - a_n^2) + r_b sqrt(1 - b_n^2) - D n'm
///
/// l   how far the nearest point of an axis is from its end; without sqrt, and l = 0, of a capsule
/// D   distance of the axes, m its direction, across the axis of every cylinder, so that
///     n'm <= sqrt(1 - c^2) with c the larger of |a_n| and |b_n| of cylinders
///
/// So of two cylinders h >= l c + (r_a + r_b - D) sqrt(1 - c^2), whose least is at c = 0 or c = 1:
/// m is the direction of least overlap if l >= r_a + r_b - D. Of a cylinder b and a capsule or
/// sphere the same follows with r_b - D instead. Apart, nearest points are nearest.
bool tact_rods_find_closest(const TactRods *rods, TactClosest *closest)
{
    const TactRod *a = &rods->a, *b = &rods->b;
    double         room_a = a->half - fabs(rods->s), room_b = b->half - fabs(rods->t);
    TactVec3       from = tact_rod_at(a, rods->s), to = tact_rod_at(b, rods->t);
    TactVec3       apart = tact_vec3_subtract(to, from);
    double         D = tact_vec3_norm(apart), size = a->half + b->half + a->radius + b->radius;
    double         room = a->cut && b->cut ? fmin(room_a, room_b) : a->cut ? room_a : room_b;
    double         inside = (a->cut ? a->radius : 0) + (b->cut ? b->radius : 0) - D;
    if (!(D > CROSSING * size) || !(room > 0 && room >= inside)) {
        return false;
    }
    closest->normal = tact_vec3_scale(1 / D, apart);
    closest->depth = a->radius + b->radius - D;
    closest->on_a = tact_vec3_add_scaled(from, a->radius, closest->normal);
    closest->on_b = tact_vec3_add_scaled(to, -b->radius, closest->normal);
    return true;
}

// ---------------------------------------------------------------------------------------------
// The line

///     x   how far the foot of the end of b is within a
///     y   how far the foot of the end of a is within b
///
/// Where both are within (ends side by side, axes crossing) the two pairs are mixed in proportion,
/// so that nothing jumps when one foot leaves the other rod; where none is, ends face each other.
bool tact_rods_find_end(const TactRods *rods, int end, double *s, double *t)
{
    double sign = end == HIGH ? 1 : -1, turned = rods->uv >= 0 ? sign : -sign;
    double end_a = sign * rods->a.half, end_b = turned * rods->b.half;
    double foot_a = rods->ur + end_b * rods->uv, foot_b = end_a * rods->uv - rods->vr;
    double x = rods->a.half - fabs(foot_a), y = rods->b.half - fabs(foot_b);
    double share = x > 0 && y > 0 ? y / (x + y) : y > 0 ? 1 : 0; // of the end of a
    *s = x > 0 || y > 0 ? share * end_a + (1 - share) * foot_a : end_a;
    *t = x > 0 || y > 0 ? share * foot_b + (1 - share) * end_b : end_b;
    return x > 0 || y > 0 || (sign * foot_a > 0 && turned * foot_b > 0);
}

/// All but its name: into the list, as copies of it would wait for each other.
static void write_touch(TactVec3 on_a, TactVec3 on_b, TactVec3 n, double depth, TactTouch *touch)
{
    touch->point = tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
    touch->normal = n;
    touch->depth = depth;
}

/// The point between the surfaces at two places of the axes; false: it is not within reach. No
/// surfaces are nearer to each other than balls around the axes.
static bool make_end(const TactRods *rods, int end, const TactClosest *closest, double margin,
                     TactTouch *touch)
{
    const TactRod *a = &rods->a, *b = &rods->b;
    double         s, t, most = a->radius + b->radius + margin;
    if (!tact_rods_find_end(rods, end, &s, &t) ||
        tact_rods_square(rods, s, t) > (1 + TACT_SAME_DEPTH) * most * most) {
        return false;
    }
    TactVec3 from = tact_rod_at(a, s), to = tact_rod_at(b, t);
    TactVec3 apart = tact_vec3_subtract(to, from);
    double   D = tact_vec3_norm(apart);
    if (!(tact_vec3_dot(apart, closest->normal) > TACT_ROD_SIDEWAYS * D)) {
        return false;
    }
    TactVec3 n = tact_vec3_scale(1 / D, apart);
    TactVec3 on_a = tact_vec3_add_scaled(from, a->radius, tact_rod_side(a, n));
    TactVec3 on_b = tact_vec3_add_scaled(to, -b->radius, tact_rod_side(b, n));
    double   depth = tact_vec3_dot(n, tact_vec3_subtract(on_a, on_b));
    depth = depth < closest->depth ? depth : closest->depth;
    write_touch(on_a, on_b, n, depth, touch);
    return depth >= -margin;
}

void tact_rods_set_closest(TactRods *rods, const TactClosest *closest)
{
    const TactRod *a = &rods->a, *b = &rods->b;
    // on the surface of a cylinder beside the axis, of a capsule along the normal from it
    TactVec3 on_a = tact_vec3_add_scaled(closest->on_a, a->cut ? 0 : -a->radius, closest->normal);
    TactVec3 on_b = tact_vec3_add_scaled(closest->on_b, b->cut ? 0 : b->radius, closest->normal);
    rods->s = tact_vec3_dot(a->axis, tact_vec3_subtract(on_a, a->middle));
    rods->t = tact_vec3_dot(b->axis, tact_vec3_subtract(on_b, b->middle));
}

static double longer_half(const TactRods *rods)
{
    return rods->a.half > rods->b.half ? rods->a.half : rods->b.half;
}

/// The end of the line that the nearest points are at; NEITHER: they are between.
static int find_closest_end(const TactRods *rods)
{
    double tol = 2 * TACT_TOUCH_TOL * longer_half(rods);
    if (fabs(rods->s) >= rods->a.half - tol) {
        return rods->s > 0 ? HIGH : LOW;
    }
    if (fabs(rods->t) >= rods->b.half - tol) {
        return (rods->t > 0) == (rods->uv >= 0) ? HIGH : LOW;
    }
    return NEITHER;
}

/// Is a point at the nearest ones, as that of a line without length is?
static bool is_same_touch(const TactTouch *touch, const TactClosest *closest, double length)
{
    TactVec3 middle = tact_vec3_scale(0.5, tact_vec3_add(closest->on_a, closest->on_b));
    TactVec3 away = tact_vec3_subtract(touch->point, middle);
    double   tol = 10 * TACT_TOUCH_TOL * length;
    return tact_vec3_dot(away, away) <= tol * tol;
}

TactStatus tact_rods_add_line(const TactRods *rods, const TactClosest *closest, double margin,
                              TactTouchList *touches)
{
    double length = 2 * longer_half(rods), deepest = -INFINITY;
    int    at = find_closest_end(rods);
    if (touches->capacity - touches->count < 3) {
        TACT_TRY(tact_touch_list_reserve(touches, 3));
    }
    for (int end = LOW; end <= HIGH; end++) {
        TactTouch *touch = &touches->touches[touches->count];
        if (end == at) {
            write_touch(closest->on_a, closest->on_b, closest->normal, closest->depth, touch);
        } else if (!make_end(rods, end, closest, margin, touch) ||
                   (at != NEITHER && is_same_touch(touch, closest, length))) {
            continue;
        }
        touch->feature = TACT_ROD_END(end);
        deepest = touch->depth > deepest ? touch->depth : deepest;
        touches->count++;
    }
    if (at == NEITHER && !(deepest >= closest->depth - TACT_SAME_DEPTH * length)) {
        TactTouch *touch = &touches->touches[touches->count++];
        write_touch(closest->on_a, closest->on_b, closest->normal, closest->depth, touch);
        touch->feature = TACT_ROD_BETWEEN;
    }
    return TACT_OK;
}
