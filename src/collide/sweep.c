// Conservative advancement: shapes a distance d apart along n stay apart for at least d / v, where
// v is the most by which points of a come nearer to points of b along n.
#include "collide/sweep.h"
#include "collide/tolerance.h"

enum { MOST_ROUNDS = 64 };

TactTransform tact_sweep_at(const TactSweep *s, double time)
{
    TactTransform at;
    TactQuat      turned = tact_quat_exp(tact_vec3_scale(time, s->turn));
    TactVec3 middle = tact_vec3_add_scaled(tact_transform_point(s->from, s->middle), time, s->move);
    at.rotation = tact_quat_multiply(turned, s->from.rotation);
    at.position = tact_vec3_subtract(middle, tact_quat_rotate(at.rotation, s->middle));
    return at;
}

/// The most by which points of a and b come nearer to each other along n in a time of 1: one that
/// turns about w goes n'(w x r) = r'(n x w) along n.
static double find_nearing(const TactSweep *a, const TactSweep *b, TactVec3 n)
{
    double spin = a->radius * tact_vec3_norm(tact_vec3_cross(n, a->turn)) +
                  b->radius * tact_vec3_norm(tact_vec3_cross(n, b->turn));
    return tact_vec3_dot(n, tact_vec3_subtract(a->move, b->move)) + spin;
}

static bool find_distance(const TactSweep *a, const TactSweep *b, double time, TactDistance *d)
{
    TactTransform at_a = tact_sweep_at(a, time), at_b = tact_sweep_at(b, time);
    return tact_shape_compute_distance(a->shape, &at_a, b->shape, &at_b, d) == TACT_OK;
}

bool tact_sweeps_meet(const TactSweep *a, const TactSweep *b, double margin, double *time)
{
    double tol = TACT_SAME_DEPTH * (a->radius + b->radius);
    *time = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        TactDistance d;
        if (!find_distance(a, b, *time, &d) || !(d.distance > margin + tol)) {
            return true;
        }
        double nearing = find_nearing(a, b, d.normal);
        if (!(nearing * (1 - *time) > d.distance - margin)) {
            return false; // the plane between them keeps them apart to the end
        }
        *time += (d.distance - margin) / nearing;
    }
    return true;
}

double tact_sweeps_find_nearest(const TactSweep *a, const TactSweep *b, double from)
{
    const double golden = 0.61803398874989485;
    double       low = from, high = 1;
    for (int i = 0; i < 50; i++) {
        double       left = high - golden * (high - low), right = low + golden * (high - low);
        TactDistance d, e;
        if (!find_distance(a, b, left, &d) || !find_distance(a, b, right, &e)) {
            break;
        }
        low = d.distance < e.distance ? low : left;
        high = d.distance < e.distance ? right : high;
    }
    return 0.5 * (low + high);
}

/// A time between low and high at which they overlap by depth, or a little less; at low they do
/// not, at high by more.
static double find_last(const TactSweep *a, const TactSweep *b, double depth, double low,
                        double high)
{
    for (int i = 0; i < 30; i++) {
        TactDistance d;
        double       middle = 0.5 * (low + high);
        bool         free = find_distance(a, b, middle, &d) && d.distance >= -depth;
        if (free && d.distance <= -0.95 * depth) {
            return middle;
        }
        low = free ? middle : low;
        high = free ? high : middle;
    }
    return low;
}

double tact_sweeps_hold(const TactSweep *a, const TactSweep *b, double depth, double more,
                        double look)
{
    double       time = 0, before = 0;
    TactDistance d;
    if (!find_distance(a, b, 0, &d)) {
        return 1;
    }
    more = d.distance < depth ? more : 0.1 * depth;
    depth = d.distance < -depth ? more - d.distance : more + depth;
    for (;;) {
        if (d.distance < -depth) {
            return find_last(a, b, depth, before, time);
        }
        double nearing = find_nearing(a, b, d.normal), room = d.distance + depth;
        if (time >= 1 || !(nearing * (1 - time) > room)) {
            return 1;
        }
        before = time;
        time += room / nearing > look ? room / nearing : look;
        time = time < 1 ? time : 1;
        if (!find_distance(a, b, time, &d)) {
            return 1;
        }
    }
}
