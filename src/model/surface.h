// Surfaces that move in their bodies.
#ifndef TACT_MODEL_SURFACE_H
#define TACT_MODEL_SURFACE_H

#include <tact/model.h>

/// Velocity that the surface of a geom has against its body at a point, world frame; pose is that
/// of the geom in the world.
static inline TactVec3 tact_surface_velocity(const TactGeom *geom, TactTransform pose,
                                             TactVec3 point)
{
    const double *s = geom->surface_velocity;
    TactVec3      arm = tact_transform_point_back(pose, point), turn = {s[3], s[4], s[5]};
    TactVec3      v = tact_vec3_add((TactVec3){s[0], s[1], s[2]}, tact_vec3_cross(turn, arm));
    return tact_quat_rotate(pose.rotation, v);
}

/// Does the surface of any geom move in its body?
static inline bool tact_surfaces_move(const TactModel *model)
{
    bool moves = false;
    for (int i = 0; i < 6 * model->geom_count; i++) {
        moves = moves || model->geoms[i / 6].surface_velocity[i % 6] != 0;
    }
    return moves;
}

#endif
