// Plain references in long double, and random data, for the tests of math.
#ifndef TACT_TESTS_MATH_REFERENCE_H
#define TACT_TESTS_MATH_REFERENCE_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tact/math.h>

enum { ROUNDS = 2000 };

static const double PI = 3.14159265358979323846;
static const double TIGHT = 1e-14; // for data of the size of 1

static inline double random_unit(TactRandom *random)
{
    return tact_random_uniform(random, -1, 1);
}

static inline TactVec3 random_vec3(TactRandom *random)
{
    double x = random_unit(random);
    double y = random_unit(random);
    double z = random_unit(random);
    return (TactVec3){x, y, z};
}

static inline TactMat3 random_mat3(TactRandom *random)
{
    TactMat3 A;
    for (int i = 0; i < 9; i++) {
        A.m[i / 3][i % 3] = random_unit(random);
    }
    return A;
}

/// Uniform over all rotations.
static inline TactQuat random_quat(TactRandom *random)
{
    double q[4];
    double square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = tact_random_normal(random);
        square += q[i] * q[i];
    }
    double s = 1 / sqrt(square);
    return (TactQuat){s * q[0], s * q[1], s * q[2], s * q[3]};
}

static inline TactTransform random_transform(TactRandom *random)
{
    TactQuat rotation = random_quat(random);
    return (TactTransform){rotation, random_vec3(random)};
}

static inline TactTwist random_twist(TactRandom *random)
{
    TactVec3 linear = random_vec3(random);
    return (TactTwist){linear, random_vec3(random)};
}

static inline TactWrench random_wrench(TactRandom *random)
{
    TactVec3 force = random_vec3(random);
    return (TactWrench){force, random_vec3(random)};
}

/// A body of some point masses: its rotational inertia is one that can exist.
static inline TactInertia random_inertia(TactRandom *random)
{
    TactInertia body = {.mass = tact_random_uniform(random, 0.1, 2), .com = random_vec3(random)};
    for (int k = 0; k < 4; k++) {
        TactVec3 d = random_vec3(random);
        double   mass = tact_random_uniform(random, 0.1, 1);
        double   e[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
                body.rotary.m[i][j] += mass * ((i == j ? square : 0) - e[i] * e[j]);
            }
        }
    }
    return body;
}

static inline double vec3_distance(TactVec3 a, TactVec3 b)
{
    double x = fabs(a.x - b.x);
    double y = fabs(a.y - b.y);
    double z = fabs(a.z - b.z);
    return isnan(x) || isnan(y) || isnan(z) ? NAN : fmax(x, fmax(y, z));
}

static inline double mat3_distance(TactMat3 A, TactMat3 B)
{
    double largest = 0;
    for (int i = 0; i < 9; i++) {
        double d = fabs(A.m[i / 3][i % 3] - B.m[i / 3][i % 3]);
        largest = d > largest || isnan(d) ? d : largest;
    }
    return largest;
}

/// Of quaternions as such.
static inline double quat_distance(TactQuat a, TactQuat b)
{
    return fabs(a.w - b.w) + fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
}

/// Of the rotations they stand for.
static inline double rotation_distance(TactQuat a, TactQuat b)
{
    TactQuat minus = {-b.w, -b.x, -b.y, -b.z};
    return fmin(quat_distance(a, b), quat_distance(a, minus));
}

static inline bool vec3_is_nan(TactVec3 a)
{
    return isnan(a.x) && isnan(a.y) && isnan(a.z);
}

static inline bool quat_is_nan(TactQuat q)
{
    return isnan(q.w) && isnan(q.x) && isnan(q.y) && isnan(q.z);
}

/// The comparison is false for NaN.
#define assert_close(distance, tolerance) assert_true((distance) <= (tolerance))

/// R = 1 + sin t [a] + (1 - cos t) [a]^2 for a unit axis a [Rodrigues]
static inline TactMat3 rodrigues(TactVec3 axis, double angle)
{
    long double a[3] = {axis.x, axis.y, axis.z};
    long double K[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    long double s = sinl(angle);
    long double c = 1 - cosl(angle);
    TactMat3    R;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            long double KK = 0;
            for (int k = 0; k < 3; k++) {
                KK += K[i][k] * K[k][j];
            }
            R.m[i][j] = (double)((i == j) + s * K[i][j] + c * KK);
        }
    }
    return R;
}

/// C = A B for n x n matrices, row-major.
static inline void multiply(int n, const long double *A, const long double *B, long double *C)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            long double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * B[k * n + j];
            }
            C[i * n + j] = sum;
        }
    }
}

#endif
