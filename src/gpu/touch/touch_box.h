// Boxes with capsules and with each other, by one lane.
#ifndef TACT_GPU_TOUCH_BOX_H
#define TACT_GPU_TOUCH_BOX_H

#include "gpu/touch/touch_convex.h"

// As in collide/pair/box.c.
#define TACT_STEP_AS_DEEP 1e-7
#define TACT_STEP_PARALLEL 1e-6

// ---------------------------------------------------------------------------------------------
// A capsule and a box

/// How fast half the square of the distance to a box grows along a line, in its frame.
TACT_LANE double tact_step_box_slope(const double x[3], const double u[3], const double s[3],
                                     double t)
{
    double slope = 0;
    TACT_UNROLL
    for (int k = 0; k < 3; k++) {
        double at = x[k] + t * u[k];
        slope += (at - tact_step_within(at, s[k])) * u[k];
    }
    return slope;
}

/// The place of a segment that is nearest to a box: where the slope is 0, which is linear between
/// the places where the segment passes the planes of faces.
TACT_LANE double tact_step_segment_box(const double x[3], const double u[3], const double s[3],
                                       double half)
{
    double low = -half, high = half;
    double at_low = tact_step_box_slope(x, u, s, low), at_high = tact_step_box_slope(x, u, s, high);
    if (at_low >= 0 || at_high <= 0) {
        return at_low >= 0 ? low : high;
    }
    TACT_ROLLED
    for (int k = 0; k < 6; k++) {
        double t = ((k % 2 ? s[k / 2] : -s[k / 2]) - x[k / 2]) / u[k / 2]; // may be infinite
        if (t > low && t < high) {
            double slope = tact_step_box_slope(x, u, s, t);
            low = slope <= 0 ? t : low;
            at_low = slope <= 0 ? slope : at_low;
            high = slope <= 0 ? high : t;
            at_high = slope <= 0 ? at_high : slope;
        }
    }
    return low - (high - low) * at_low / (at_high - at_low);
}

/// 0: the axis is in the box, which is left to the processor.
TACT_LANE int tact_step_capsule_box(const TactStepSolid *a, const TactStepSolid *b, double margin,
                                    TactStepTouches *to)
{
    TactStepClosest closest;
    TactVec3        r = tact_vec3_subtract(a->pose.position, b->pose.position);
    TactVec3        z = {a->R.m[0][2], a->R.m[1][2], a->R.m[2][2]}, on;
    double          x[3], u[3];
    tact_step_write(tact_mat3_apply_transpose(b->R, r), x);
    tact_step_write(tact_mat3_apply_transpose(b->R, z), u);
    double   t = tact_step_segment_box(x, u, b->geom->size, a->geom->size[1]);
    TactVec3 from = tact_vec3_add_scaled(a->pose.position, t, z);
    tact_step_nearest_of_box(b, from, &on);
    double D = tact_vec3_norm(tact_vec3_subtract(on, from));
    if (a->round - D < -margin) {
        return 1;
    }
    if (!(D > TACT_STEP_SAME_DEPTH * (a->size + b->size))) {
        return 0;
    }
    tact_step_set_closest(a, b, from, on, &closest);
    return tact_step_touch_closest(a, b, &closest, margin, to);
}

// ---------------------------------------------------------------------------------------------
// Two boxes (collide/pair/box.c)

/// The axis that parts two boxes most.
typedef struct TactStepParting {
    TactVec3 normal; // from a to b
    double   separation, size;
    int      edge; // 3 i + j of axes of a and b that cross; 9: a face
} TactStepParting;

TACT_LANE TactVec3 tact_step_column(const TactMat3 *R, int k)
{
    TactVec3 axis = {R->m[0][k], R->m[1][k], R->m[2][k]};
    return axis;
}

/// 0: some axis parts them by more than margin.
TACT_LANE int tact_step_part_boxes(const TactStepSolid *a, const TactStepSolid *b, double margin,
                                   TactStepParting *to)
{
    const double *s = a->geom->size, *t = b->geom->size;
    TactVec3      r = tact_vec3_subtract(b->pose.position, a->pose.position);
    double        R[3][3], d[3], e[3], value[9], size = a->size + b->size, bonus;
    double        most = -INFINITY, most_b = -INFINITY, largest = -INFINITY;
    int           face = 0, face_b = 0, edge = 9;
    bonus = TACT_STEP_SAME_DEPTH * size;
    tact_step_write(tact_mat3_apply_transpose(a->R, r), d);
    tact_step_write(tact_mat3_apply_transpose(b->R, r), e);
    TACT_ROLLED
    for (int k = 0; k < 9; k++) {
        R[k / 3][k % 3] =
            tact_vec3_dot(tact_step_column(&a->R, k / 3), tact_step_column(&b->R, k % 3));
    }
    TACT_ROLLED
    for (int k = 0; k < 3; k++) {
        double of_a = t[0] * fabs(R[k][0]) + t[1] * fabs(R[k][1]) + t[2] * fabs(R[k][2]);
        double of_b = s[0] * fabs(R[0][k]) + s[1] * fabs(R[1][k]) + s[2] * fabs(R[2][k]);
        of_a = fabs(d[k]) - (s[k] + of_a);
        of_b = fabs(e[k]) - (t[k] + of_b);
        face = of_a > most ? k : face;
        most = of_a > most ? of_a : most;
        face_b = of_b > most_b ? k : face_b;
        most_b = of_b > most_b ? of_b : most_b;
    }
    face = most_b > most + bonus ? 3 + face_b : face;
    most = most_b > most + bonus ? most_b : most;
    TACT_ROLLED
    for (int k = 0; k < 9; k++) {
        int i = k / 3, j = k % 3, u = (i + 1) % 3, v = (i + 2) % 3, x = (j + 1) % 3,
            y = (j + 2) % 3;
        double square = R[u][j] * R[u][j] + R[v][j] * R[v][j];
        double reach = s[u] * fabs(R[v][j]) + s[v] * fabs(R[u][j]) + t[x] * fabs(R[i][y]) +
                       t[y] * fabs(R[i][x]);
        double apart = fabs(d[v] * R[u][j] - d[u] * R[v][j]) - reach;
        value[k] = square > TACT_STEP_PARALLEL * TACT_STEP_PARALLEL ? apart / sqrt(square)
                                                                    : -(double)INFINITY;
        largest = tact_step_larger(largest, value[k]);
    }
    TACT_ROLLED
    for (int k = 8; k >= 0 && largest > most + bonus; k--) { // the first that is as good
        edge = value[k] >= largest - bonus ? k : edge;
    }
    to->edge = edge;
    to->size = size;
    to->separation = edge < 9 ? largest : most;
    TactVec3 n = face < 3 ? tact_step_column(&a->R, face) : tact_step_column(&b->R, face - 3);
    if (edge < 9) {
        n = tact_step_unit(
            tact_vec3_cross(tact_step_column(&a->R, edge / 3), tact_step_column(&b->R, edge % 3)));
    }
    to->normal = tact_vec3_dot(n, r) < 0 ? tact_vec3_negate(n) : n;
    return !(to->separation > margin);
}

/// Midway between the edges that cross, else between the corners that are furthest on.
TACT_LANE TactVec3 tact_step_cross_edges(const TactStepSolid *a, const TactStepSolid *b,
                                         const TactStepParting *parting)
{
    TactVec3 on_a = tact_step_furthest(a, parting->normal);
    TactVec3 on_b = tact_step_furthest(b, tact_vec3_negate(parting->normal));
    if (parting->edge < 9) {
        TactVec3 u = tact_step_column(&a->R, parting->edge / 3);
        TactVec3 v = tact_step_column(&b->R, parting->edge % 3);
        TactVec3 r = tact_vec3_subtract(on_b, on_a);
        double   uv = tact_vec3_dot(u, v), ur = tact_vec3_dot(u, r), vr = tact_vec3_dot(v, r);
        double   det = 1 - uv * uv;
        on_a = tact_vec3_add_scaled(on_a, (ur - uv * vr) / det, u);
        on_b = tact_vec3_add_scaled(on_b, (uv * ur - vr) / det, v);
    }
    return tact_vec3_scale(0.5, tact_vec3_add(on_a, on_b));
}

/// 0: left to the processor.
TACT_LANE int tact_step_box_box(const TactStepSolid *a, const TactStepSolid *b, double margin,
                                TactStepTouches *to)
{
    TactStepParting parting;
    TactStepFace    face_a, face_b;
    double          length;
    if (!tact_step_part_boxes(a, b, margin, &parting)) {
        return 1;
    }
    tact_step_face(a, parting.normal, &face_a);
    tact_step_face(b, tact_vec3_negate(parting.normal), &face_b);
    double deepest = tact_step_add_region(&face_a, &face_b, parting.normal, face_a.corners[0],
                                          margin, &length, to);
    if (deepest >= -parting.separation - TACT_STEP_AS_DEEP * parting.size) {
        return 1;
    }
    if (parting.separation > 0) { // apart, and nearest at a corner
        to->count = 0;
        return tact_step_convex_convex(a, b, margin, to);
    }
    tact_step_add_touch(to, tact_step_cross_edges(a, b, &parting), parting.normal,
                        -parting.separation, TACT_STEP_CLOSEST);
    return 1;
}

#endif
