// Rotations and poses in four lanes, to be inlined into clones (base/clones.h): the products of
// math.h, in their order, and so their bits.
//
// A quaternion is w x y z; a vector has its x y z in the same lanes, and anything in the first.
#ifndef TACT_MATH_WIDE_POSE_H
#define TACT_MATH_WIDE_POSE_H

#include <tact/math.h>

#include "base/lanes.h"

typedef struct TactWidePose {
    TactLanes rotation;
    TactLanes position;
} TactWidePose;

#define TACT_WIDE_VEC3(v) ((TactLanes){0, (v).x, (v).y, (v).z})
/// A pose that may just have been written.
#define TACT_WIDE_POSE(pose) \
    ((TactWidePose){TACT_LANES_AT(&(pose)->rotation.w), TACT_WIDE_VEC3((pose)->position)})
/// Position of a transform that has not just been written: with the number before it.
#define TACT_WIDE_POSITION(pose) TACT_LANES_AT(&(pose)->rotation.z)
#define TACT_WIDE_YZX(v) __builtin_shufflevector(v, v, 0, 2, 3, 1)
#define TACT_WIDE_ZXY(v) __builtin_shufflevector(v, v, 0, 3, 1, 2)

/// tact_vec3_cross()
TACT_WIDE void tact_wide_cross(const TactLanes *a, const TactLanes *b, TactLanes *out)
{
    *out = TACT_WIDE_YZX(*a) * TACT_WIDE_ZXY(*b) - TACT_WIDE_ZXY(*a) * TACT_WIDE_YZX(*b);
}

/// tact_vec3_norm()
TACT_WIDE double tact_wide_norm(const TactLanes *v)
{
    TactLanes square = *v * *v;
    return sqrt(square[1] + square[2] + square[3]);
}

/// tact_quat_multiply()
TACT_WIDE void tact_wide_multiply(const TactLanes *a, const TactLanes *b, TactLanes *out)
{
    const TactMask minus = {INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    const TactMask x = {-1, 0, -1, 0}, y = {-1, 0, 0, -1}, z = {-1, -1, 0, 0};
    TactLanes      bx = __builtin_shufflevector(*b, *b, 1, 0, 3, 2);
    TactLanes      by = __builtin_shufflevector(*b, *b, 2, 3, 0, 1);
    TactLanes      bz = __builtin_shufflevector(*b, *b, 3, 2, 1, 0);
    bx = (TactLanes)((TactMask)bx ^ (minus & x));
    by = (TactLanes)((TactMask)by ^ (minus & y));
    bz = (TactLanes)((TactMask)bz ^ (minus & z));
    *out = TACT_LANES_ALL((*a)[0]) * *b + TACT_LANES_ALL((*a)[1]) * bx +
           TACT_LANES_ALL((*a)[2]) * by + TACT_LANES_ALL((*a)[3]) * bz;
}

/// tact_quat_rotate()
TACT_WIDE void tact_wide_rotate(const TactLanes *q, const TactLanes *v, TactLanes *out)
{
    TactLanes yzx = TACT_WIDE_YZX(*q), zxy = TACT_WIDE_ZXY(*q);
    TactLanes t = 2 * (yzx * TACT_WIDE_ZXY(*v) - zxy * TACT_WIDE_YZX(*v));
    *out = (*v + TACT_LANES_ALL((*q)[0]) * t) + (yzx * TACT_WIDE_ZXY(t) - zxy * TACT_WIDE_YZX(t));
}

/// The columns of tact_quat_to_mat3().
TACT_WIDE void tact_wide_columns(const TactLanes *q, TactLanes column[3])
{
    TactLanes square = *q * *q, mixed = *q * TACT_WIDE_YZX(*q);
    TactLanes turned = TACT_LANES_ALL((*q)[0]) * TACT_WIDE_ZXY(*q);
    TactLanes d = 1 - 2 * (TACT_WIDE_YZX(square) + TACT_WIDE_ZXY(square));
    TactLanes plus = 2 * (mixed + turned), minus = 2 * (mixed - turned); // xy yz zx, wz wx wy
    TactLanes a = __builtin_shufflevector(plus, minus, 0, 1, 2, 7);
    TactLanes b = __builtin_shufflevector(minus, plus, 0, 1, 6, 6);
    TactLanes c = __builtin_shufflevector(plus, minus, 0, 3, 6, 3);
    column[0] = __builtin_shufflevector(d, a, 0, 1, 5, 7);
    column[1] = __builtin_shufflevector(d, b, 0, 5, 2, 6);
    column[2] = __builtin_shufflevector(d, c, 0, 5, 6, 3);
}

/// tact_transform_multiply(), of the pose with this rotation and position
TACT_WIDE void tact_wide_compose(const TactLanes *rotation, const TactLanes *position,
                                 const TactTransform *b, TactWidePose *out)
{
    TactLanes turn = TACT_LANES_AT(&b->rotation.w), place = TACT_WIDE_POSITION(b), turned;
    tact_wide_rotate(rotation, &place, &turned);
    tact_wide_multiply(rotation, &turn, &out->rotation);
    out->position = *position + turned;
}

TACT_WIDE void tact_wide_write(const TactWidePose *pose, TactTransform *out)
{
    TACT_LANES_PUT(&out->rotation.z) = pose->position; // its first lane is written over
    TACT_LANES_PUT(&out->rotation.w) = pose->rotation;
}

#endif
