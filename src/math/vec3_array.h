// Vectors that stand in arrays of numbers: x y z.
#ifndef TACT_MATH_VEC3_ARRAY_H
#define TACT_MATH_VEC3_ARRAY_H

#include <tact/math.h>

static inline TactVec3 tact_vec3_at(const double *x)
{
    return (TactVec3){x[0], x[1], x[2]};
}

static inline void tact_vec3_put(TactVec3 v, double *x)
{
    x[0] = v.x;
    x[1] = v.y;
    x[2] = v.z;
}

#endif
