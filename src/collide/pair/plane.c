// A plane with anything convex: the corners of the face that looks down.
#include <math.h>

#include "base/status.h"
#include "collide/manifold.h"
#include "collide/pair/pair.h"
#include "collide/tolerance.h"

TactStatus tact_pair_plane_convex(const TactShapePair *pair, TactTouchList *touches)
{
    TactConvex b = tact_convex_make(pair->b, pair->pose_b);
    TactVec3   normal = tact_quat_rotate(pair->pose_a->rotation, (TactVec3){0, 0, 1});
    TactVec3   down = tact_vec3_negate(normal);
    TactVec3   lowest = tact_vec3_add_scaled(tact_convex_support(&b, down), b.radius, down);
    TactVec3   origin = pair->pose_a->position;
    double     depth = -tact_vec3_dot(normal, tact_vec3_subtract(lowest, origin));
    if (depth < -pair->margin) {
        return TACT_OK;
    }
    TactFace face;
    tact_convex_face(&b, down, &face);
    bool found = false; // the lowest point itself, which an ellipsoid has between corners
    for (int i = 0; i < face.count; i++) {
        double here = -tact_vec3_dot(normal, tact_vec3_subtract(face.corners[i], origin));
        if (here >= -pair->margin) {
            TactTouch touch = {tact_vec3_add_scaled(face.corners[i], 0.5 * here, normal), normal,
                               here, 1 + (uint64_t)face.corner_ids[i]};
            found = found || here >= depth - face.slack - TACT_SAME_DEPTH * b.size;
            TACT_TRY(tact_touch_list_add(touches, touch));
        }
    }
    if (!found) {
        TactTouch touch = {tact_vec3_add_scaled(lowest, 0.5 * depth, normal), normal, depth,
                           TACT_FEATURE_CLOSEST};
        TACT_TRY(tact_touch_list_add(touches, touch));
    }
    return TACT_OK;
}
