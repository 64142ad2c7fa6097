// Motions, forces and inertias of rigid bodies [Featherstone, Rigid Body Dynamics Algorithms, 2008,
// chapter 2], with the linear part first.
#include <tact/math.h>

TactTwist tact_twist_transform(TactTransform a, TactTwist v)
{
    TactVec3 angular = tact_quat_rotate(a.rotation, v.angular);
    TactVec3 linear = tact_quat_rotate(a.rotation, v.linear);
    return (TactTwist){tact_vec3_add(linear, tact_vec3_cross(a.position, angular)), angular};
}

TactTwist tact_twist_transform_back(TactTransform a, TactTwist v)
{
    TactVec3 linear = tact_vec3_subtract(v.linear, tact_vec3_cross(a.position, v.angular));
    return (TactTwist){tact_quat_rotate_back(a.rotation, linear),
                       tact_quat_rotate_back(a.rotation, v.angular)};
}

TactWrench tact_wrench_transform(TactTransform a, TactWrench f)
{
    TactVec3 force = tact_quat_rotate(a.rotation, f.force);
    TactVec3 torque = tact_quat_rotate(a.rotation, f.torque);
    return (TactWrench){force, tact_vec3_add(torque, tact_vec3_cross(a.position, force))};
}

TactWrench tact_wrench_transform_back(TactTransform a, TactWrench f)
{
    TactVec3 torque = tact_vec3_subtract(f.torque, tact_vec3_cross(a.position, f.force));
    return (TactWrench){tact_quat_rotate_back(a.rotation, f.force),
                        tact_quat_rotate_back(a.rotation, torque)};
}

TactTwist tact_twist_cross(TactTwist a, TactTwist b)
{
    return (TactTwist){
        tact_vec3_add(tact_vec3_cross(a.angular, b.linear), tact_vec3_cross(a.linear, b.angular)),
        tact_vec3_cross(a.angular, b.angular)};
}

TactWrench tact_twist_cross_wrench(TactTwist a, TactWrench f)
{
    return (TactWrench){
        tact_vec3_cross(a.angular, f.force),
        tact_vec3_add(tact_vec3_cross(a.angular, f.torque), tact_vec3_cross(a.linear, f.force))};
}

// ---------------------------------------------------------------------------------------------
// Inertia

TactWrench tact_inertia_apply(TactInertia inertia, TactTwist v)
{
    TactVec3 velocity = tact_vec3_add(v.linear, tact_vec3_cross(v.angular, inertia.com));
    TactVec3 momentum = tact_vec3_scale(inertia.mass, velocity);
    return (TactWrench){momentum, tact_vec3_add(tact_mat3_apply(inertia.rotary, v.angular),
                                                tact_vec3_cross(inertia.com, momentum))};
}

/// The lower triangle takes the values of the upper one.
static TactMat3 symmetric(TactMat3 A)
{
    A.m[1][0] = A.m[0][1];
    A.m[2][0] = A.m[0][2];
    A.m[2][1] = A.m[1][2];
    return A;
}

TactInertia tact_inertia_transform(TactTransform a, TactInertia inertia)
{
    TactMat3 R = tact_quat_to_mat3(a.rotation);
    TactMat3 turned =
        tact_mat3_multiply(tact_mat3_multiply(R, inertia.rotary), tact_mat3_transpose(R));
    return (TactInertia){inertia.mass, tact_transform_point(a, inertia.com), symmetric(turned)};
}

/// m (d'd 1 - d d'), the inertia of a point mass at d
static TactMat3 point_inertia(double mass, TactVec3 d)
{
    double square = tact_vec3_dot(d, d);
    return tact_mat3_scale(mass,
                           tact_mat3_add(tact_mat3_diagonal((TactVec3){square, square, square}),
                                         tact_mat3_scale(-1, tact_mat3_outer(d, d))));
}

TactInertia tact_inertia_add(TactInertia a, TactInertia b)
{
    TactInertia sum = {.mass = a.mass + b.mass, .rotary = tact_mat3_add(a.rotary, b.rotary)};
    if (sum.mass == 0) {
        return sum;
    }
    // About the common centre, the two masses are as their reduced mass at the distance between.
    double   share = b.mass / sum.mass;
    TactVec3 between = tact_vec3_subtract(b.com, a.com);
    sum.com = tact_vec3_add_scaled(a.com, share, between);
    sum.rotary = tact_mat3_add(sum.rotary, point_inertia(a.mass * share, between));
    return sum;
}

void tact_inertia_to_matrix(TactInertia inertia, double matrix[36])
{
    // [ m 1      -m [c]       ]
    // [ m [c]     I - m [c][c] ]
    TactMat3 mc = tact_mat3_skew(tact_vec3_scale(inertia.mass, inertia.com));
    TactMat3 about_origin = tact_mat3_add(inertia.rotary, point_inertia(inertia.mass, inertia.com));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            matrix[6 * i + j] = i == j ? inertia.mass : 0;
            matrix[6 * i + 3 + j] = -mc.m[i][j];
            matrix[6 * (i + 3) + j] = mc.m[i][j];
            matrix[6 * (i + 3) + 3 + j] = about_origin.m[i][j];
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Exponential and logarithm of rigid motions
//
//     exp(v, w) = (exp w, V v),   V = 1 + a [w] + b [w]^2,        V^-1 = 1 - [w]/2 + c [w]^2
//     a = (1 - cos t) / t^2,   b = (t - sin t) / t^3,   c = (1 - (t/2) cot(t/2)) / t^2,   t = |w|
//
// For small t the quotients lose digits, and their Taylor series, cut after t^6, do not.

static const double small_angle = 0.1;

/// v + a w x v + b w x (w x v)
static TactVec3 bend(TactVec3 v, double a, double b, TactVec3 w)
{
    TactVec3 wv = tact_vec3_cross(w, v);
    return tact_vec3_add_scaled(tact_vec3_add_scaled(v, a, wv), b, tact_vec3_cross(w, wv));
}

TactTransform tact_transform_exp(TactTwist motion)
{
    double t = tact_vec3_norm(motion.angular);
    double t2 = t * t;
    double a, b;
    if (t < small_angle) {
        a = 1.0 / 2 - t2 * (1.0 / 24 - t2 * (1.0 / 720 - t2 / 40320));
        b = 1.0 / 6 - t2 * (1.0 / 120 - t2 * (1.0 / 5040 - t2 / 362880));
    } else {
        double half = sin(0.5 * t) / t;
        a = 2 * half * half;
        b = (t - sin(t)) / (t * t2);
    }
    return (TactTransform){tact_quat_exp(motion.angular),
                           bend(motion.linear, a, b, motion.angular)};
}

TactTwist tact_transform_log(TactTransform a)
{
    TactVec3 w = tact_quat_log(a.rotation);
    double   t = tact_vec3_norm(w);
    double   t2 = t * t;
    double   c;
    if (t < small_angle) {
        c = 1.0 / 12 + t2 * (1.0 / 720 + t2 * (1.0 / 30240 + t2 / 1209600));
    } else {
        c = (1 - 0.5 * t * cos(0.5 * t) / sin(0.5 * t)) / t2;
    }
    return (TactTwist){bend(a.position, -0.5, c, w), w};
}
