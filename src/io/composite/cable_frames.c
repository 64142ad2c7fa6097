// Frames along a line of vertices, with as little twist as the bends allow [Bergou et al., Discrete
// Elastic Rods, 2008]. With the unit vectors t of the pieces,
//
//     first:  b ~ t_0 x t_1,  n ~ b x t_0 ;    then:  n turns with t_(i-1) into t_i,  b ~ t_i x n .
//
// Where the first two pieces are in line, b and n are nothing, and stay so: what is left of a
// rotation with the columns t, 0, 0 is then a turn of x into t that MuJoCo has, and so have we.
#include <math.h>

#include "io/composite/composite.h"

static const double NOTHING = 1e-14;

/// Of length 1, or as it is where it has none.
static TactVec3 unit(TactVec3 v)
{
    double length = tact_vec3_norm(v);
    return length > NOTHING ? tact_vec3_scale(1 / length, v) : v;
}

/// The quaternion of columns that need not be a rotation's, in the order of cases by which it is
/// found: w the largest, or else z.
static TactQuat quat_of_columns(TactVec3 x, TactVec3 y, TactVec3 z)
{
    TactQuat q;
    double   trace = x.x + y.y + z.z;
    if (trace > 0) {
        q.w = 0.5 * sqrt(1 + trace);
        q.x = 0.25 * (y.z - z.y) / q.w;
        q.y = 0.25 * (z.x - x.z) / q.w;
        q.z = 0.25 * (x.y - y.x) / q.w;
    } else if (x.x > y.y && x.x > z.z) {
        q.x = 0.5 * sqrt(1 + x.x - y.y - z.z);
        q.w = 0.25 * (y.z - z.y) / q.x;
        q.y = 0.25 * (y.x + x.y) / q.x;
        q.z = 0.25 * (z.x + x.z) / q.x;
    } else if (y.y > z.z) {
        q.y = 0.5 * sqrt(1 - x.x + y.y - z.z);
        q.w = 0.25 * (z.x - x.z) / q.y;
        q.x = 0.25 * (y.x + x.y) / q.y;
        q.z = 0.25 * (z.y + y.z) / q.y;
    } else {
        q.z = 0.5 * sqrt(1 - x.x - y.y + z.z);
        q.w = 0.25 * (x.y - y.x) / q.z;
        q.x = 0.25 * (z.x + x.z) / q.z;
        q.y = 0.25 * (z.y + y.z) / q.z;
    }
    return tact_quat_normalise(q);
}

void tact_composite_frames(const TactVec3 *vertices, int count, TactQuat *rotations,
                           double *lengths)
{
    TactVec3 n = {0, 0, 0}, before = {0, 0, 0};
    for (int i = 0; i + 1 < count; i++) {
        TactVec3 edge = tact_vec3_subtract(vertices[i + 1], vertices[i]), t = unit(edge), b;
        if (i == 0) {
            TactVec3 next = count > 2 ? unit(tact_vec3_subtract(vertices[2], vertices[1]))
                                      : (TactVec3){0, 0, 0};
            b = unit(tact_vec3_cross(t, next));
            n = unit(tact_vec3_cross(b, t));
        } else {
            b = tact_vec3_cross(before, t);
            double angle = atan2(tact_vec3_norm(b), tact_vec3_dot(before, t));
            b = unit(b);
            n = unit(tact_quat_rotate(tact_quat_exp(tact_vec3_scale(angle, b)), n));
            b = unit(tact_vec3_cross(t, n));
        }
        rotations[i] = quat_of_columns(t, n, b);
        lengths[i] = tact_vec3_norm(edge);
        before = t;
    }
}
