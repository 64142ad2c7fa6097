// Vectors, matrices, quaternions, rigid transforms and spatial (6-D) algebra.
//
// Conventions: matrices are row-major; quaternions are w x y z; six numbers are linear first, then
// angular (as the velocity of a free joint), so (v, w) for motion and (f, t) for force. A transform
// (R, p) takes coordinates of a child frame to those of its parent: x' = R x + p.
//
// Nothing here fails or asserts: NaN in gives NaN out. Where a formula has no value (the direction
// of a zero vector), the comment of the function says what it returns.
#ifndef TACT_MATH_H
#define TACT_MATH_H

#include <math.h>
#include <stdbool.h>
#include <tact/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TactVec3 {
    double x, y, z;
} TactVec3;

typedef struct TactMat3 {
    double m[3][3]; // m[row][column]
} TactMat3;

/// w + x i + y j + z k; a rotation if its norm is 1, and then q and -q are the same one.
typedef struct TactQuat {
    double w, x, y, z;
} TactQuat;

/// A child frame in its parent's coordinates: x' = R x + p.
typedef struct TactTransform {
    TactQuat rotation; // R, of norm 1
    TactVec3 position; // p
} TactTransform;

/// Velocity of a rigid body in the axes of some frame: of the point at its origin, and angular.
typedef struct TactTwist {
    TactVec3 linear;
    TactVec3 angular;
} TactTwist;

/// Force on a rigid body in the axes of some frame, and moment about its origin. Momentum too.
typedef struct TactWrench {
    TactVec3 force;
    TactVec3 torque;
} TactWrench;

/// Mass distribution of a rigid body in the axes of some frame.
typedef struct TactInertia {
    double   mass;
    TactVec3 com;    // centre of mass
    TactMat3 rotary; // rotational inertia about the centre of mass, symmetric
} TactInertia;

// ---------------------------------------------------------------------------------------------
// Vectors

static inline TactVec3 tact_vec3_add(TactVec3 a, TactVec3 b)
{
    TactVec3 sum = {a.x + b.x, a.y + b.y, a.z + b.z};
    return sum;
}

static inline TactVec3 tact_vec3_subtract(TactVec3 a, TactVec3 b)
{
    TactVec3 difference = {a.x - b.x, a.y - b.y, a.z - b.z};
    return difference;
}

static inline TactVec3 tact_vec3_scale(double s, TactVec3 a)
{
    TactVec3 product = {s * a.x, s * a.y, s * a.z};
    return product;
}

/// a + s b
static inline TactVec3 tact_vec3_add_scaled(TactVec3 a, double s, TactVec3 b)
{
    return tact_vec3_add(a, tact_vec3_scale(s, b));
}

static inline TactVec3 tact_vec3_negate(TactVec3 a)
{
    TactVec3 negative = {-a.x, -a.y, -a.z};
    return negative;
}

static inline double tact_vec3_dot(TactVec3 a, TactVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline TactVec3 tact_vec3_cross(TactVec3 a, TactVec3 b)
{
    TactVec3 product = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return product;
}

/// |a|; accurate while 1e-150 < |a| < 1e150.
static inline double tact_vec3_norm(TactVec3 a)
{
    return sqrt(tact_vec3_dot(a, a));
}

/// a / |a| for any length that a double can hold; zero for a zero vector, NaN for an infinite one.
TACT_API TactVec3 tact_vec3_normalise(TactVec3 a);

/// Two unit vectors that make a right-handed frame with a unit normal: t2 = normal x t1.
TACT_API void tact_vec3_tangents(TactVec3 normal, TactVec3 *t1, TactVec3 *t2);

// ---------------------------------------------------------------------------------------------
// Matrices

TACT_API TactMat3 tact_mat3_identity(void);
TACT_API TactMat3 tact_mat3_diagonal(TactVec3 diagonal);
TACT_API TactMat3 tact_mat3_from_columns(TactVec3 a, TactVec3 b, TactVec3 c);

/// [a] with [a] b = a x b
TACT_API TactMat3 tact_mat3_skew(TactVec3 a);

/// a b'
TACT_API TactMat3 tact_mat3_outer(TactVec3 a, TactVec3 b);
TACT_API TactMat3 tact_mat3_add(TactMat3 A, TactMat3 B);
TACT_API TactMat3 tact_mat3_scale(double s, TactMat3 A);
TACT_API TactMat3 tact_mat3_transpose(TactMat3 A);
TACT_API TactMat3 tact_mat3_multiply(TactMat3 A, TactMat3 B);
TACT_API double   tact_mat3_determinant(TactMat3 A);

/// Inverse by cofactors; false, and inverse untouched, if the determinant is 0 or not finite.
TACT_API bool tact_mat3_invert(TactMat3 A, TactMat3 *inverse);

/// A v
static inline TactVec3 tact_mat3_apply(TactMat3 A, TactVec3 v)
{
    TactVec3 product = {
        A.m[0][0] * v.x + A.m[0][1] * v.y + A.m[0][2] * v.z,
        A.m[1][0] * v.x + A.m[1][1] * v.y + A.m[1][2] * v.z,
        A.m[2][0] * v.x + A.m[2][1] * v.y + A.m[2][2] * v.z,
    };
    return product;
}

/// A' v
static inline TactVec3 tact_mat3_apply_transpose(TactMat3 A, TactVec3 v)
{
    TactVec3 product = {
        A.m[0][0] * v.x + A.m[1][0] * v.y + A.m[2][0] * v.z,
        A.m[0][1] * v.x + A.m[1][1] * v.y + A.m[2][1] * v.z,
        A.m[0][2] * v.x + A.m[1][2] * v.y + A.m[2][2] * v.z,
    };
    return product;
}

// ---------------------------------------------------------------------------------------------
// Quaternions. Rotations must have norm 1. Every product drifts from it by rounding, so normalise a
// quaternion from time to time when integrating for long.

static inline TactQuat tact_quat_identity(void)
{
    TactQuat one = {1, 0, 0, 0};
    return one;
}

/// a b: rotates by b first, then by a.
static inline TactQuat tact_quat_multiply(TactQuat a, TactQuat b)
{
    TactQuat product = {
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    };
    return product;
}

/// The inverse rotation.
static inline TactQuat tact_quat_conjugate(TactQuat q)
{
    TactQuat conjugate = {q.w, -q.x, -q.y, -q.z};
    return conjugate;
}

/// R(q) v
static inline TactVec3 tact_quat_rotate(TactQuat q, TactVec3 v)
{
    TactVec3 u = {q.x, q.y, q.z};
    TactVec3 t = tact_vec3_scale(2, tact_vec3_cross(u, v));
    return tact_vec3_add(tact_vec3_add_scaled(v, q.w, t), tact_vec3_cross(u, t));
}

/// R(q)' v
static inline TactVec3 tact_quat_rotate_back(TactQuat q, TactVec3 v)
{
    return tact_quat_rotate(tact_quat_conjugate(q), v);
}

/// q / |q| for any length that a double can hold; the identity for a zero quaternion, NaN for an
/// infinite one.
TACT_API TactQuat tact_quat_normalise(TactQuat q);

/// Rotation by an angle about an axis of any length; the identity for a zero axis.
TACT_API TactQuat tact_quat_from_axis_angle(TactVec3 axis, double angle);

/// Unit axis and angle in [0, pi]; the x axis for no rotation.
TACT_API void tact_quat_to_axis_angle(TactQuat q, TactVec3 *axis, double *angle);

/// Exponential map: rotation by the angle |r| about r.
TACT_API TactQuat tact_quat_exp(TactVec3 r);

/// Its inverse, the rotation vector of the shorter way: |r| <= pi. Takes q of any length but zero,
/// for which it is zero; NaN for an infinite one.
TACT_API TactVec3 tact_quat_log(TactQuat q);

/// From a to b along the shorter great circle, at constant speed: a at t = 0, +-b at t = 1.
TACT_API TactQuat tact_quat_slerp(TactQuat a, TactQuat b, double t);

TACT_API TactMat3 tact_quat_to_mat3(TactQuat q);

/// The rotation of a matrix whose columns are orthonormal and right-handed, with w >= 0.
TACT_API TactQuat tact_quat_from_mat3(TactMat3 R);

/// Three rotations, angles in rad, about the axes that the letters name: x y z turn with the body,
/// X Y Z stay in space, as in MJCF ("xyz" is its default). TACT_BAD_ARGUMENT for other letters.
TACT_API TACT_NODISCARD TactStatus tact_quat_from_euler(const char *sequence, TactVec3 angles,
                                                        TactQuat *q);

// ---------------------------------------------------------------------------------------------
// Transforms

static inline TactTransform tact_transform_identity(void)
{
    TactTransform one = {{1, 0, 0, 0}, {0, 0, 0}};
    return one;
}

/// a b: takes b's child frame to a's parent frame.
static inline TactTransform tact_transform_multiply(TactTransform a, TactTransform b)
{
    TactTransform product = {
        tact_quat_multiply(a.rotation, b.rotation),
        tact_vec3_add(a.position, tact_quat_rotate(a.rotation, b.position)),
    };
    return product;
}

static inline TactTransform tact_transform_invert(TactTransform a)
{
    TactTransform inverse = {
        tact_quat_conjugate(a.rotation),
        tact_vec3_negate(tact_quat_rotate_back(a.rotation, a.position)),
    };
    return inverse;
}

/// R x + p, of a point
static inline TactVec3 tact_transform_point(TactTransform a, TactVec3 x)
{
    return tact_vec3_add(tact_quat_rotate(a.rotation, x), a.position);
}

/// R'(x - p)
static inline TactVec3 tact_transform_point_back(TactTransform a, TactVec3 x)
{
    return tact_quat_rotate_back(a.rotation, tact_vec3_subtract(x, a.position));
}

/// Exponential map: pose of a body that starts at the identity and moves with a constant twist in
/// its own axes for one unit of time.
TACT_API TactTransform tact_transform_exp(TactTwist motion);

/// Its inverse, of the shorter way: |angular| <= pi.
TACT_API TactTwist tact_transform_log(TactTransform a);

// ---------------------------------------------------------------------------------------------
// Spatial algebra

static inline TactTwist tact_twist_add(TactTwist a, TactTwist b)
{
    TactTwist sum = {tact_vec3_add(a.linear, b.linear), tact_vec3_add(a.angular, b.angular)};
    return sum;
}

static inline TactTwist tact_twist_scale(double s, TactTwist a)
{
    TactTwist product = {tact_vec3_scale(s, a.linear), tact_vec3_scale(s, a.angular)};
    return product;
}

static inline TactWrench tact_wrench_add(TactWrench a, TactWrench b)
{
    TactWrench sum = {tact_vec3_add(a.force, b.force), tact_vec3_add(a.torque, b.torque)};
    return sum;
}

static inline TactWrench tact_wrench_scale(double s, TactWrench a)
{
    TactWrench product = {tact_vec3_scale(s, a.force), tact_vec3_scale(s, a.torque)};
    return product;
}

/// Power f'v + t'w; does not depend on the frame.
static inline double tact_wrench_dot(TactWrench f, TactTwist v)
{
    return tact_vec3_dot(f.force, v.linear) + tact_vec3_dot(f.torque, v.angular);
}

/// The same motion seen from the parent frame: w' = R w, v' = R v + p x w'.
TACT_API TactTwist tact_twist_transform(TactTransform a, TactTwist v);
/// The same motion seen from the child frame.
TACT_API TactTwist tact_twist_transform_back(TactTransform a, TactTwist v);
/// The same force seen from the parent frame: f' = R f, t' = R t + p x f'.
TACT_API TactWrench tact_wrench_transform(TactTransform a, TactWrench f);
/// The same force seen from the child frame.
TACT_API TactWrench tact_wrench_transform_back(TactTransform a, TactWrench f);

/// Rate of change of a motion b that is fixed in a body moving with a: (w x v_b + v x w_b, w x w_b)
TACT_API TactTwist tact_twist_cross(TactTwist a, TactTwist b);
/// Rate of change of a force f that is fixed in a body moving with a: (w x f, w x t + v x f)
TACT_API TactWrench tact_twist_cross_wrench(TactTwist a, TactWrench f);

/// Momentum I v: linear m (v + w x c), and about the origin.
TACT_API TactWrench tact_inertia_apply(TactInertia inertia, TactTwist v);
/// The same body seen from the parent frame.
TACT_API TactInertia tact_inertia_transform(TactTransform a, TactInertia inertia);
/// Two bodies welded together. Without any mass, the centre is the origin.
TACT_API TactInertia tact_inertia_add(TactInertia a, TactInertia b);
/// The 6 x 6 matrix I of momentum = I (v, w): rows and columns linear first, row-major.
TACT_API void tact_inertia_to_matrix(TactInertia inertia, double matrix[36]);

#ifdef __cplusplus
}
#endif
#endif
