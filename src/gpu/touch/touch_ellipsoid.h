// Where an ellipsoid is nearest to a point, a segment or a box, by one lane. A point goes by the
// secular equation; a line by that of the ellipse that is the ellipsoid's shadow along it; a box by
// its face that parts them most, or where the lowest point is not above that face by its edges.
// What is not proved nearest by supports is left to the processor.
#ifndef TACT_GPU_TOUCH_ELLIPSOID_H
#define TACT_GPU_TOUCH_ELLIPSOID_H

#include "gpu/step_math.h"

enum { TACT_STEP_SECULAR_ROUNDS = 60 };

// Of the least half-axis: what is deeper, or not nearest by more, is the processor's.
#define TACT_STEP_DEEP_IN 0.5
#define TACT_STEP_NEAREST_TOL 1e-9

/// The nearest point of an ellipsoid, in its own frame.
typedef struct TactStepNearest {
    TactVec3 on;       // of its surface
    TactVec3 out;      // normal there
    double   distance; // negative: inside
} TactStepNearest;

/// x with sum (a_i y_i / (t + a_i^2))^2 = 1, x_i = a_i^2 y_i / (t + a_i^2): t by Newton's method
/// from the left of the root, where the sum is convex. 0: deep inside.
TACT_HD int tact_step_nearest_of(const double a[3], TactVec3 point, TactStepNearest *to)
{
    double y[3] = {point.x, point.y, point.z}, x[3], t = -INFINITY, size = 0, least = INFINITY;
    for (int i = 0; i < 3; i++) {
        t = tact_step_larger(t, a[i] * fabs(y[i]) - a[i] * a[i]);
        least = a[i] < least ? a[i] : least;
    }
    if (!(t > -TACT_STEP_DEEP_IN * least * least)) {
        return 0;
    }
    TACT_ROLLED
    for (int round = 0; round < TACT_STEP_SECULAR_ROUNDS; round++) {
        double sum = -1, slope = 0;
        for (int i = 0; i < 3; i++) {
            double part = a[i] * y[i] / (t + a[i] * a[i]);
            sum += part * part;
            slope += 2 * part * part / (t + a[i] * a[i]);
        }
        double step = sum / slope;
        t += step;
        if (!(step > 1e-16 * (fabs(t) + least * least))) {
            break;
        }
    }
    for (int i = 0; i < 3; i++) {
        x[i] = a[i] * a[i] * y[i] / (t + a[i] * a[i]);
        size += (x[i] / (a[i] * a[i])) * (x[i] / (a[i] * a[i]));
    }
    size = sqrt(size);
    to->on = tact_step_read(x);
    to->distance = t * size;
    for (int i = 0; i < 3; i++) {
        x[i] /= size * a[i] * a[i];
    }
    to->out = tact_step_read(x);
    return 1;
}

/// The point furthest along a direction, and how far that is.
TACT_HD TactVec3 tact_step_furthest_of(const double a[3], TactVec3 d, double *far)
{
    TactVec3 scaled = {a[0] * a[0] * d.x, a[1] * a[1] * d.y, a[2] * a[2] * d.z};
    *far = sqrt(tact_vec3_dot(scaled, d));
    return tact_vec3_scale(1 / *far, scaled);
}

/// The nearest point to a segment c + s e, |s| <= half. along: s. 0: deep inside.
TACT_HD int tact_step_nearest_to_segment(const double a[3], TactVec3 c, TactVec3 e, double half,
                                         TactStepNearest *to, double *along)
{
    // The shadow along e: x' S^-1 x = 1 with S_ij = u_i' A^2 u_j, turned to its axes.
    TactVec3 x = {1, 0, 0}, y = {0, 1, 0}, some = fabs(e.x) < 0.75 ? x : y;
    TactVec3 u = tact_step_unit(tact_vec3_add_scaled(some, -tact_vec3_dot(some, e), e));
    TactVec3 v = tact_vec3_cross(e, u);
    TactVec3 au = {a[0] * a[0] * u.x, a[1] * a[1] * u.y, a[2] * a[2] * u.z};
    TactVec3 av = {a[0] * a[0] * v.x, a[1] * a[1] * v.y, a[2] * a[2] * v.z};
    double   uu = tact_vec3_dot(u, au), uv = tact_vec3_dot(u, av), vv = tact_vec3_dot(v, av);
    double   turn = 0.5 * atan2(2 * uv, uu - vv), s = sin(turn), k = cos(turn);
    TactVec3 p = tact_vec3_add_scaled(tact_vec3_scale(k, u), s, v);
    TactVec3 q = tact_vec3_add_scaled(tact_vec3_scale(-s, u), k, v);
    double   first = sqrt(k * k * uu + 2 * s * k * uv + s * s * vv);
    double   second = sqrt(s * s * uu - 2 * s * k * uv + k * k * vv);
    double   axes[3] = {first, second, tact_step_larger(first, second)}, far;
    TactVec3 seen = {tact_vec3_dot(c, p), tact_vec3_dot(c, q), 0};
    if (tact_step_nearest_of(axes, seen, to)) {
        to->out = tact_vec3_add_scaled(tact_vec3_scale(to->out.x, p), to->out.y, q);
        to->on = tact_step_furthest_of(a, to->out, &far);
        *along = tact_vec3_dot(tact_vec3_subtract(to->on, c), e);
    } else {
        *along = -tact_vec3_dot(c, e); // a line through its middle: at that end, or too deep
        if (fabs(*along) <= half) {
            return 0;
        }
    }
    if (fabs(*along) <= half) {
        return 1;
    }
    *along = *along > 0 ? half : -half;
    return tact_step_nearest_of(a, tact_vec3_add_scaled(c, *along, e), to);
}

/// The nearest point to a box; c: its middle, R: its axes as columns, both in the ellipsoid's
/// frame. 0: not found.
TACT_HD int tact_step_nearest_to_box(const double a[3], TactVec3 c, const TactMat3 *R,
                                     const double half[3], TactStepNearest *to)
{
    double   most = -INFINITY, out[2], far, sign = 1, along;
    TactVec3 axis[3];
    int      face = 0;
    for (int k = 0; k < 3; k++) {
        TactVec3 own = {R->m[0][k], R->m[1][k], R->m[2][k]};
        double   from = -tact_vec3_dot(c, own); // the ellipsoid's middle along that axis
        axis[k] = own;
        tact_step_furthest_of(a, own, &far);
        double apart = fabs(from) - half[k] - far;
        sign = apart > most ? (from >= 0 ? 1 : -1) : sign;
        face = apart > most ? k : face;
        most = apart > most ? apart : most;
    }
    int      u = (face + 1) % 3, v = (face + 2) % 3, found = 0;
    TactVec3 n = tact_vec3_scale(-sign, face == 0 ? axis[0] : face == 1 ? axis[1] : axis[2]);
    TactVec3 axis_u = u == 0 ? axis[0] : u == 1 ? axis[1] : axis[2];
    TactVec3 axis_v = v == 0 ? axis[0] : v == 1 ? axis[1] : axis[2];
    double   half_u = u == 0 ? half[0] : u == 1 ? half[1] : half[2];
    double   half_v = v == 0 ? half[0] : v == 1 ? half[1] : half[2];
    double   half_n = face == 0 ? half[0] : face == 1 ? half[1] : half[2];
    TactVec3 lowest = tact_step_furthest_of(a, n, &far), r = tact_vec3_subtract(lowest, c);
    out[0] = tact_vec3_dot(r, axis_u);
    out[1] = tact_vec3_dot(r, axis_v);
    to->on = lowest;
    to->out = n;
    to->distance = most;
    if (fabs(out[0]) <= half_u && fabs(out[1]) <= half_v) {
        return 1;
    }
    TactVec3 top = tact_vec3_add_scaled(c, -half_n, n); // the middle of that face
    to->distance = INFINITY;
    for (int k = 0; k < 2; k++) { // the edges beyond which it is
        TactStepNearest one;
        double          beside = k == 0 ? half_u : half_v, length = k == 0 ? half_v : half_u;
        TactVec3        across = k == 0 ? axis_u : axis_v, edge = k == 0 ? axis_v : axis_u;
        if (fabs(out[k]) <= beside) {
            continue;
        }
        TactVec3 middle = tact_vec3_add_scaled(top, out[k] > 0 ? beside : -beside, across);
        if (tact_step_nearest_to_segment(a, middle, edge, length, &one, &along) &&
            one.distance < to->distance) {
            *to = one;
            found = 1;
        }
    }
    // Nearest, if nothing of the box is nearer along that normal.
    double reach = tact_vec3_dot(to->out, c);
    for (int k = 0; k < 3; k++) {
        reach -= half[k] * fabs(tact_vec3_dot(to->out, axis[k]));
    }
    double least = a[0] < a[1] ? a[0] : a[1];
    least = least < a[2] ? least : a[2];
    double held = tact_vec3_dot(to->out, to->on) + to->distance;
    return found && held - reach <= TACT_STEP_NEAREST_TOL * least;
}

#endif
