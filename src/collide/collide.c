// Which function two shapes go to. The table has each pair once; the other order is turned round.
#include "base/status.h"
#include "collide/pair/pair.h"

/// The function for (a, b), or NULL if it is to be asked for (b, a). Two planes never touch.
static TactPairFunction *find_function(TactShapeType a, TactShapeType b)
{
    if (b == TACT_SHAPE_PLANE) {
        return NULL;
    }
    if (a == TACT_SHAPE_PLANE) {
        return b == TACT_SHAPE_MESH ? tact_pair_plane_mesh : tact_pair_plane_convex;
    }
    if (a == TACT_SHAPE_MESH) {
        return b == TACT_SHAPE_MESH ? tact_pair_mesh_mesh : tact_pair_mesh_convex;
    }
    if (b == TACT_SHAPE_MESH) {
        return NULL;
    }
    if (a == TACT_SHAPE_BOX && b == TACT_SHAPE_BOX) {
        return tact_pair_box_box;
    }
    if (a > b) {
        return NULL;
    }
    return b <= TACT_SHAPE_CAPSULE ? tact_pair_round_round : tact_pair_convex_convex;
}

TactStatus tact_collide(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                        const TactTransform *pose_b, double margin, TactTouchList *touches)
{
    if (!a || !b || !pose_a || !pose_b || !touches || !(margin >= 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "collide: a shape, pose or list is NULL, or margin < 0");
    }
    TactPairFunction *function = find_function(a->type, b->type);
    int               first = touches->count;
    if (function) {
        TactShapePair pair = {a, b, pose_a, pose_b, margin};
        return function(&pair, touches);
    }
    function = find_function(b->type, a->type);
    if (!function) {
        return TACT_OK;
    }
    TactShapePair pair = {b, a, pose_b, pose_a, margin};
    TACT_TRY(function(&pair, touches));
    for (int i = first; i < touches->count; i++) {
        touches->touches[i].normal = tact_vec3_negate(touches->touches[i].normal);
    }
    return TACT_OK;
}
