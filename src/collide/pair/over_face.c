// A shape over a face of a box: the pair of a box and anything else that mostly occurs, as things
// lie on boxes and fingers close on them.
//
// Let p be the point of the other core that is furthest along -n, with n the outward normal of a
// face, and s its height over the plane of that face. No point of the other is lower. So
//
//   s >= 0, p over the face:           nothing is nearer than s, and p and its foot are s apart
//   s < 0, and no face is nearer to p: overlap(m) >= h_box(m) - m p >= -s along every direction m,
//                                      and along n it is -s
//
// In both cases n is the normal and s the distance, or less the depth, of the cores: exactly, with
// one support point, where GJK and EPA take tens. Otherwise those decide.
#include <math.h>

#include "collide/convex/convex.h"
#include "collide/pair/pair.h"

static double entry(TactVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The face of the box that a point is furthest out of, or least far within: its axis, and on which
/// side of it the point is.
static int find_face(const double *half, TactVec3 point, double *side)
{
    int    axis = 0;
    double most = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double out = fabs(entry(point, i)) - half[i];
        if (out > most) {
            most = out;
            axis = i;
        }
    }
    *side = entry(point, axis) < 0 ? -1 : 1;
    return axis;
}

/// Is a point at this height over a face (below 0: under it) no nearer to the other ones?
static bool is_over(const double *half, TactVec3 point, int axis, double height)
{
    double within = height < 0 ? -height : 0;
    for (int i = 0; i < 3; i++) {
        bool in = i == axis ? within <= half[i] : fabs(entry(point, i)) <= half[i] - within;
        if (!in) {
            return false;
        }
    }
    return true;
}

TactPairOver tact_pair_over_face(const TactConvex *box, const TactConvex *other, double margin,
                                 TactOverFace *over)
{
    const double *half = box->shape->size;
    double        side, round = box->radius + other->radius;
    TactVec3      from = box->pose.position;
    TactVec3      middle = tact_convex_turn_back(box, tact_vec3_subtract(other->middle, from));
    int           axis = find_face(half, middle, &side);
    TactVec3      local = {axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
    over->normal = tact_convex_turn(box, local);
    over->on_other = tact_convex_support(other, tact_vec3_negate(over->normal));
    TactVec3 point = tact_convex_turn_back(box, tact_vec3_subtract(over->on_other, from));
    double   height = side * entry(point, axis) - half[axis];
    if (height > margin + round) {
        return TACT_OVER_APART;
    }
    over->depth = round - height;
    over->on_box = tact_vec3_add_scaled(over->on_other, -height, over->normal);
    return is_over(half, point, axis, height) ? TACT_OVER_FACE : TACT_OVER_UNKNOWN;
}
