#include <tact/math.h>

TactVec3 tact_vec3_normalise(TactVec3 a)
{
    // Divided by its largest entry first, so that no square overflows or vanishes.
    double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (largest == 0) {
        return a;
    }
    TactVec3 b = {a.x / largest, a.y / largest, a.z / largest};
    return tact_vec3_scale(1 / tact_vec3_norm(b), b);
}

void tact_vec3_tangents(TactVec3 normal, TactVec3 *t1, TactVec3 *t2)
{
    // The axis farthest from the normal, made orthogonal to it: its length is at least sqrt(2/3).
    double   x = fabs(normal.x);
    double   y = fabs(normal.y);
    double   z = fabs(normal.z);
    TactVec3 axis = {0, 0, 0};
    if (x <= y && x <= z) {
        axis.x = 1;
    } else if (y <= z) {
        axis.y = 1;
    } else {
        axis.z = 1;
    }
    *t1 = tact_vec3_normalise(tact_vec3_add_scaled(axis, -tact_vec3_dot(axis, normal), normal));
    *t2 = tact_vec3_cross(normal, *t1);
}
