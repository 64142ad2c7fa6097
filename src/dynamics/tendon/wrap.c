// Around a circle in the plane, and from there around a sphere and a cylinder.
//
// From a point x outside of a circle of radius r, the two tangents touch it at
//
//     t = (r^2 x +- r sqrt(|x|^2 - r^2) Jx) / |x|^2 ,      J a quarter turn.                 (1)
//
// A sphere is met in the plane through its centre and both points; a cylinder in the plane across
// its axis, and the way rises along the axis evenly with its length in that plane. A tendon that
// has to go through a geom (the point that says the side is inside of it) and would miss it bends
// at the one point of the circle that makes it shortest.
#include "dynamics/tendon/wrap.h"

#include <math.h>

static const double TINY = 1e-15;

typedef struct Point {
    double x, y;
} Point;

static double dot_in_plane(Point a, Point b)
{
    return a.x * b.x + a.y * b.y;
}

static double distance(Point a, Point b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

/// (1) with one of its signs.
static Point tangent(Point p, double r, double sign)
{
    double square = dot_in_plane(p, p), s = sign * r * sqrt(fmax(0, square - r * r));
    return (Point){(r * r * p.x - s * p.y) / square, (r * r * p.y + s * p.x) / square};
}

static double cross_in_plane(Point a, Point b)
{
    return a.x * b.y - a.y * b.x;
}

/// Do the straight pieces a b and c d cross?
static bool pieces_cross(Point a, Point b, Point c, Point d)
{
    Point  u = {b.x - a.x, b.y - a.y}, v = {d.x - c.x, d.y - c.y}, w = {c.x - a.x, c.y - a.y};
    double det = cross_in_plane(u, v);
    if (fabs(det) < TINY) {
        return false;
    }
    double s = cross_in_plane(w, v) / det, t = cross_in_plane(w, u) / det;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

/// The point of the straight way that is next to the centre.
static Point nearest(Point a, Point b)
{
    Point  way = {b.x - a.x, b.y - a.y};
    double square = dot_in_plane(way, way);
    double s = square > TINY ? -dot_in_plane(a, way) / square : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return (Point){a.x + s * way.x, a.y + s * way.y};
}

/// Both tangents of one sense; how good they are: far on the side that is wanted, or short.
typedef struct Choice {
    Point  on, off;
    double good;
} Choice;

static Choice choose(Point from, Point to, double r, const Point *side, double sign)
{
    Choice c = {tangent(from, r, -sign), tangent(to, r, sign), 0};
    if (side) {
        Point  sum = {c.on.x + c.off.x, c.on.y + c.off.y};
        double size = hypot(sum.x, sum.y);
        c.good = size > TINY ? dot_in_plane(sum, *side) / size : 0;
    } else {
        c.good = -distance(c.on, c.off);
    }
    if (pieces_cross(from, c.on, to, c.off)) {
        c.good = -10000;
    }
    return c;
}

/// Length on the circle from a to b in the sense that (1) went with this sign.
static double arc(Point a, Point b, double r, double sign)
{
    double angle = acos(fmax(-1, fmin(1, dot_in_plane(a, b) / (r * r))));
    double turn = cross_in_plane(a, b);
    bool   other = sign > 0 ? turn > 0 : turn < 0; // with + it goes clockwise
    return r * (other ? 2 * 3.14159265358979323846 - angle : angle);
}

/// Around a circle; side is a unit vector or NULL. False: straight on.
static bool around(Point from, Point to, double r, const Point *side, Point *on, Point *off,
                   double *length)
{
    if (dot_in_plane(from, from) < r * r || dot_in_plane(to, to) < r * r) {
        return false;
    }
    Point near = nearest(from, to);
    if (dot_in_plane(near, near) > r * r && (!side || dot_in_plane(*side, near) >= 0)) {
        return false;
    }
    Choice plus = choose(from, to, r, side, 1), minus = choose(from, to, r, side, -1);
    bool   first = plus.good > minus.good;
    Choice best = first ? plus : minus;
    if (pieces_cross(from, best.on, to, best.off)) {
        return false;
    }
    *on = best.on;
    *off = best.off;
    *length = arc(best.on, best.off, r, first ? 1 : -1);
    return true;
}

/// Slope of |from - c(a)| + |c(a) - to| over the angle a.
static double slope(Point from, Point to, double r, double a)
{
    Point c = {r * cos(a), r * sin(a)}, t = {-sin(a), cos(a)};
    Point u = {c.x - from.x, c.y - from.y}, v = {c.x - to.x, c.y - to.y};
    return dot_in_plane(u, t) / hypot(u.x, u.y) + dot_in_plane(v, t) / hypot(v.x, v.y);
}

/// Through a circle that the straight way misses: it bends at one point.
static bool through(Point from, Point to, double r, Point *on, Point *off, double *length)
{
    Point near = nearest(from, to);
    if (dot_in_plane(from, from) < r * r || dot_in_plane(to, to) < r * r ||
        dot_in_plane(near, near) <= r * r) {
        return false;
    }
    double low = atan2(from.y, from.x),
           turn = atan2(cross_in_plane(from, to), dot_in_plane(from, to));
    double high = low + turn;
    for (int k = 0; k < 100; k++) { // the slope ascends from the one to the other
        double middle = 0.5 * (low + high);
        bool   beyond = (slope(from, to, r, middle) > 0) == (turn > 0);
        low = beyond ? low : middle;
        high = beyond ? middle : high;
    }
    *on = *off = (Point){r * cos(low), r * sin(low)};
    *length = 0;
    return true;
}

/// Two unit vectors of the plane that is looked at.
static bool find_plane(const TactWrap *wrap, TactVec3 *e, TactVec3 *f)
{
    *e = (TactVec3){1, 0, 0};
    *f = (TactVec3){0, 1, 0};
    if (wrap->cylinder) {
        return true;
    }
    if (!(tact_vec3_norm(wrap->from) > TINY)) {
        return false;
    }
    *e = tact_vec3_normalise(wrap->from);
    TactVec3 normal = tact_vec3_cross(wrap->from, wrap->to);
    double   size = tact_vec3_norm(normal);
    if (size < 1e-10 * tact_vec3_norm(wrap->from) * tact_vec3_norm(wrap->to)) {
        // through the centre: any plane will do; that of the side, if there is one
        normal = wrap->has_side ? tact_vec3_cross(*e, wrap->side) : (TactVec3){0, 0, 0};
        if (!(tact_vec3_norm(normal) > 1e-10)) {
            TactVec3 axis = fabs(e->x) < 0.75 ? (TactVec3){1, 0, 0} : (TactVec3){0, 1, 0};
            normal = tact_vec3_cross(*e, axis);
        }
    }
    normal = tact_vec3_normalise(normal);
    *f = tact_vec3_cross(normal, *e);
    return true;
}

static Point to_plane(TactVec3 p, TactVec3 e, TactVec3 f)
{
    return (Point){tact_vec3_dot(p, e), tact_vec3_dot(p, f)};
}

static TactVec3 lift(Point p, TactVec3 e, TactVec3 f)
{
    return tact_vec3_add(tact_vec3_scale(p.x, e), tact_vec3_scale(p.y, f));
}

bool tact_wrap_find(TactWrap *wrap)
{
    TactVec3 e, f;
    Point  on = {0, 0}, off = {0, 0}, side = {0, 0}; // gcc with -fsanitize=thread sees no other way
    double length = 0;
    if (!(wrap->radius > TINY) || !find_plane(wrap, &e, &f)) {
        return false;
    }
    Point from = to_plane(wrap->from, e, f), to = to_plane(wrap->to, e, f);
    if (wrap->has_side) {
        side = to_plane(wrap->side, e, f);
    }
    double out = hypot(side.x, side.y);
    // from the middle of the geom, for endless cylinders too, as MuJoCo has it
    bool inside = wrap->has_side && tact_vec3_norm(wrap->side) < wrap->radius;
    bool sided = wrap->has_side && out > TINY;
    if (sided) {
        side = (Point){side.x / out, side.y / out};
    }
    if (inside ? !through(from, to, wrap->radius, &on, &off, &length)
               : !around(from, to, wrap->radius, sided ? &side : NULL, &on, &off, &length)) {
        return false;
    }
    wrap->on = lift(on, e, f);
    wrap->off = lift(off, e, f);
    wrap->length = length;
    if (wrap->cylinder) {
        double before = distance(from, on), after = distance(off, to);
        double all = before + length + after, rise = wrap->to.z - wrap->from.z;
        wrap->on.z = all > 0 ? wrap->from.z + rise * before / all : wrap->from.z;
        wrap->off.z = all > 0 ? wrap->from.z + rise * (before + length) / all : wrap->to.z;
        wrap->length = hypot(length, wrap->off.z - wrap->on.z);
    }
    return true;
}
