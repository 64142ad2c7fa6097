// A world inside.
#ifndef TACT_COLLIDE_WORLD_H
#define TACT_COLLIDE_WORLD_H

#include "collide/tree.h"

const TactWorldShape *tact_world_view_shapes(const TactWorld *world, int *count);

/// Shapes that are planes, which are not in the tree.
const int *tact_world_view_planes(const TactWorld *world, int *count);

/// The tree of all other shapes at these poses: moves the leaves that they have left, if any pose
/// is not that of the last call. (count)
const TactTree *tact_world_place(TactWorld *world, const TactTransform *poses);

/// Bounds that have the true ones in them and are found at once, wider by a rim: of a hull those of
/// the box around it. Returns whether they are the true ones (shape.c).
bool tact_shape_compute_rough_bounds(const TactShape *shape, const TactTransform *pose, double rim,
                                     TactBounds *bounds);

#endif
