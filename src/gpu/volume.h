// Rays through the volume of a site: where they enter and leave it (collide/ray.c).
#ifndef TACT_GPU_VOLUME_H
#define TACT_GPU_VOLUME_H

#include "gpu/step_model.h"

/// Parameters along a ray between which it is inside; in > out: nowhere.
typedef struct TactVolumeSpan {
    double in, out;
} TactVolumeSpan;

/// Cuts off what lies beyond |x| <= half of one coordinate.
TACT_HD void tact_volume_cut_slab(double o, double d, double half, TactVolumeSpan *span)
{
    double a = (-half - o) / d, b = (half - o) / d;
    if (d == 0) {
        span->out = fabs(o) > half ? -INFINITY : span->out;
        return;
    }
    span->in = tact_step_larger(span->in, a < b ? a : b);
    span->out = -tact_step_larger(-span->out, -(a < b ? b : a));
}

/// Cuts off what lies outside of |W x| <= 1, W diagonal; a weight of 0 makes a tube.
TACT_HD void tact_volume_cut_round(TactVec3 o, TactVec3 d, TactVec3 w, TactVolumeSpan *span)
{
    TactVec3 p = {w.x * o.x, w.y * o.y, w.z * o.z}, u = {w.x * d.x, w.y * d.y, w.z * d.z};
    double   a = tact_vec3_dot(u, u), b = tact_vec3_dot(p, u), e = tact_vec3_dot(p, p) - 1;
    double   root = b * b - a * e;
    if (!(a > 0) || !(root >= 0)) {
        span->out = a > 0 || e > 0 ? -INFINITY : span->out;
        return;
    }
    span->in = tact_step_larger(span->in, (-b - sqrt(root)) / a);
    span->out = -tact_step_larger(-span->out, -(-b + sqrt(root)) / a);
}

/// Does the ray come through a span? inside: does it begin there?
TACT_HD int tact_volume_meets(TactVolumeSpan span, int inside)
{
    return span.in <= span.out && span.out >= 0 && (!inside || span.in <= 0);
}

/// Does a ray meet a volume in its own frame, or begin inside of it? Of a capsule a tube and two
/// balls.
TACT_HD int tact_volume_is_met(int volume, const double *s, TactVec3 o, TactVec3 d, int inside)
{
    TactVolumeSpan span = {-INFINITY, INFINITY};
    double         rate = 1 / s[0];
    TactVec3       ball = {rate, rate, rate}, tube = {rate, rate, 0};
    int            meets = 0;
    if (volume == TACT_SENSE_CAPSULE) {
        for (int end = -1; end <= 1; end += 2) {
            TactVolumeSpan own = span;
            TactVec3       from = {o.x, o.y, o.z - end * s[1]};
            tact_volume_cut_round(from, d, ball, &own);
            meets = meets || tact_volume_meets(own, inside);
        }
    }
    if (volume == TACT_SENSE_BALL) {
        tact_volume_cut_round(o, d, ball, &span);
    } else if (volume == TACT_SENSE_ELLIPSOID) {
        TactVec3 w = {rate, 1 / s[1], 1 / s[2]};
        tact_volume_cut_round(o, d, w, &span);
    } else if (volume == TACT_SENSE_BOX) {
        tact_volume_cut_slab(o.x, d.x, s[0], &span);
        tact_volume_cut_slab(o.y, d.y, s[1], &span);
        tact_volume_cut_slab(o.z, d.z, s[2], &span);
    } else { // capsules and cylinders
        tact_volume_cut_round(o, d, tube, &span);
        tact_volume_cut_slab(o.z, d.z, s[1], &span);
    }
    return meets || tact_volume_meets(span, inside);
}

#endif
