// Vectors and rotations for code that runs on a processor and on a GPU: those of tact/math.h, whose
// inline functions are compiled for the GPU too, and scalar forms of what is a function there.
#ifndef TACT_GPU_STEP_MATH_H
#define TACT_GPU_STEP_MATH_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tact/base.h>

#include "gpu/lanes.h"

#ifdef __CUDACC__
#define inline __host__ __device__ __inline__
#endif
#include <tact/math.h>

#include "dynamics/spatial.h"
#ifdef __CUDACC__
#undef inline
#endif

TACT_HD double tact_step_larger(double a, double b)
{
    return a > b ? a : b;
}

/// NaN is larger than all.
TACT_HD double tact_step_worse(double a, double b)
{
    return b <= a ? a : b;
}

TACT_HD TactVec3 tact_step_unit(TactVec3 a)
{
    return tact_vec3_scale(1 / tact_vec3_norm(a), a);
}

/// The first tangent as sim/touch/contacts.c has it.
TACT_HD TactVec3 tact_step_tangent(TactVec3 n)
{
    TactVec3 x = {1, 0, 0}, y = {0, 1, 0}, axis = fabs(n.x) < 0.75 ? x : y;
    return tact_step_unit(tact_vec3_add_scaled(axis, -tact_vec3_dot(axis, n), n));
}

TACT_HD TactQuat tact_step_quat_normalise(TactQuat q)
{
    double   s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    TactQuat unit = {s * q.w, s * q.x, s * q.y, s * q.z};
    return unit;
}

/// The rotation by a vector, as tact_quat_exp().
TACT_HD TactQuat tact_step_quat_exp(TactVec3 r)
{
    double   angle = tact_vec3_norm(r), s = angle == 0 ? 0.5 : sin(0.5 * angle) / angle;
    TactQuat q = {cos(0.5 * angle), s * r.x, s * r.y, s * r.z};
    return q;
}

TACT_HD TactMat3 tact_step_quat_to_mat3(TactQuat q)
{
    double   xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double   xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double   wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    TactMat3 R = {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
                   {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
                   {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
    return R;
}

/// The rotation vector, as tact_quat_log().
TACT_HD TactVec3 tact_step_quat_log(TactQuat q)
{
    q = tact_step_quat_normalise(q);
    double   sign = q.w < 0 ? -1 : 1, sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double   s = sign * (sine == 0 ? 2 : 2 * atan2(sine, sign * q.w) / sine);
    TactVec3 r = {s * q.x, s * q.y, s * q.z};
    return r;
}

/// The z axis of a frame.
TACT_HD TactVec3 tact_step_quat_z(TactQuat q)
{
    TactVec3 z = {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                  1 - 2 * (q.x * q.x + q.y * q.y)};
    return z;
}

TACT_HD TactQuat tact_step_read_quat(const double *q)
{
    TactQuat quat = {q[0], q[1], q[2], q[3]};
    return tact_step_quat_normalise(quat);
}

TACT_HD TactVec3 tact_step_read(const double *x)
{
    TactVec3 v = {x[0], x[1], x[2]};
    return v;
}

TACT_HD void tact_step_write(TactVec3 v, double *x)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

#define TACT_TURN TACT_HD
#define TACT_TURN_EXP tact_step_quat_exp
#define TACT_TURN_NORMALISE tact_step_quat_normalise
#include "math/turn.h"

#endif
