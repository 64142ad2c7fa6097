// Which function two shapes go to. CONTRIBUTING.md, "Adding a collision pair", has all that belongs
// to one.
#include "base/larger.h"
#include "base/status.h"
#include "collide/pair/pair.h"

/// [a][b]: each pair once, in the order in which its function takes the two; the other order stays
/// empty, and tact_collide() turns the pair round. Two planes have none: they never touch. The test
/// collide/pairs fails where a pair is missing, or stands here in both orders.
// clang-format off
static TactPairFunction *const table[TACT_SHAPE_TYPE_COUNT][TACT_SHAPE_TYPE_COUNT] = {
    [TACT_SHAPE_PLANE] = {
        [TACT_SHAPE_SPHERE] = tact_pair_plane_convex,
        [TACT_SHAPE_CAPSULE] = tact_pair_plane_convex,
        [TACT_SHAPE_CYLINDER] = tact_pair_plane_convex,
        [TACT_SHAPE_BOX] = tact_pair_plane_convex,
        [TACT_SHAPE_ELLIPSOID] = tact_pair_plane_convex,
        [TACT_SHAPE_HULL] = tact_pair_plane_convex,
        [TACT_SHAPE_MESH] = tact_pair_plane_mesh,
    },
    [TACT_SHAPE_SPHERE] = {
        [TACT_SHAPE_SPHERE] = tact_pair_round_round,
        [TACT_SHAPE_CAPSULE] = tact_pair_round_round,
        [TACT_SHAPE_CYLINDER] = tact_pair_convex_convex,
        [TACT_SHAPE_BOX] = tact_pair_convex_convex,
        [TACT_SHAPE_ELLIPSOID] = tact_pair_convex_convex,
        [TACT_SHAPE_HULL] = tact_pair_convex_convex,
    },
    [TACT_SHAPE_CAPSULE] = {
        [TACT_SHAPE_CAPSULE] = tact_pair_round_round,
        [TACT_SHAPE_CYLINDER] = tact_pair_convex_convex,
        [TACT_SHAPE_BOX] = tact_pair_convex_convex,
        [TACT_SHAPE_ELLIPSOID] = tact_pair_convex_convex,
        [TACT_SHAPE_HULL] = tact_pair_convex_convex,
    },
    [TACT_SHAPE_CYLINDER] = {
        [TACT_SHAPE_CYLINDER] = tact_pair_convex_convex,
        [TACT_SHAPE_BOX] = tact_pair_convex_convex,
        [TACT_SHAPE_ELLIPSOID] = tact_pair_convex_convex,
        [TACT_SHAPE_HULL] = tact_pair_convex_convex,
    },
    [TACT_SHAPE_BOX] = {
        [TACT_SHAPE_BOX] = tact_pair_box_box,
        [TACT_SHAPE_ELLIPSOID] = tact_pair_convex_convex,
        [TACT_SHAPE_HULL] = tact_pair_convex_convex,
    },
    [TACT_SHAPE_ELLIPSOID] = {
        [TACT_SHAPE_ELLIPSOID] = tact_pair_convex_convex,
        [TACT_SHAPE_HULL] = tact_pair_convex_convex,
    },
    [TACT_SHAPE_HULL] = {
        [TACT_SHAPE_HULL] = tact_pair_convex_convex,
    },
    [TACT_SHAPE_MESH] = {
        [TACT_SHAPE_SPHERE] = tact_pair_mesh_convex,
        [TACT_SHAPE_CAPSULE] = tact_pair_mesh_convex,
        [TACT_SHAPE_CYLINDER] = tact_pair_mesh_convex,
        [TACT_SHAPE_BOX] = tact_pair_mesh_convex,
        [TACT_SHAPE_ELLIPSOID] = tact_pair_mesh_convex,
        [TACT_SHAPE_HULL] = tact_pair_mesh_convex,
        [TACT_SHAPE_MESH] = tact_pair_mesh_mesh,
    },
};
// clang-format on

TactPairFunction *tact_pair_find(TactShapeType a, TactShapeType b)
{
    return (unsigned)a < TACT_SHAPE_TYPE_COUNT && (unsigned)b < TACT_SHAPE_TYPE_COUNT ? table[a][b]
                                                                                      : NULL;
}

/// Points of surfaces without skins.
static TactStatus collide_surfaces(const TactShapePair *given, TactTouchList *touches)
{
    TactPairFunction *function = tact_pair_find(given->a->type, given->b->type);
    int               first = touches->count;
    if (function) {
        return function(given, touches);
    }
    function = tact_pair_find(given->b->type, given->a->type);
    if (!function) {
        bool planes = given->a->type == TACT_SHAPE_PLANE && given->b->type == TACT_SHAPE_PLANE;
        return planes ? TACT_OK
                      : tact_fail(TACT_UNSUPPORTED, "collide: no function for shapes %d and %d",
                                  (int)given->a->type, (int)given->b->type);
    }
    TactShapePair pair = {given->b, given->a, given->pose_b, given->pose_a, given->margin};
    TACT_TRY(function(&pair, touches));
    for (int i = first; i < touches->count; i++) {
        touches->touches[i].normal = tact_vec3_negate(touches->touches[i].normal);
    }
    return TACT_OK;
}

TactStatus tact_collide(const TactShape *a, const TactTransform *pose_a, const TactShape *b,
                        const TactTransform *pose_b, double margin, TactTouchList *touches)
{
    if (!a || !b || !pose_a || !pose_b || !touches || !(margin >= 0)) {
        return tact_fail(TACT_BAD_ARGUMENT,
                         "collide: a shape, pose or list is NULL, or margin < 0");
    }
    double        skin = a->skin + b->skin;
    int           first = touches->count, kept = first;
    TactShapePair pair = {a, b, pose_a, pose_b, tact_larger(0, margin + skin)};
    TACT_TRY(collide_surfaces(&pair, touches));
    for (int i = first; i < touches->count && skin != 0; i++) {
        touches->touches[kept] = touches->touches[i];
        touches->touches[kept].depth += skin;
        kept += skin > 0 || touches->touches[kept].depth >= -margin;
    }
    touches->count = skin != 0 ? kept : touches->count;
    return TACT_OK;
}
