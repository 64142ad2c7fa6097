// Hulls that were made elsewhere.
#ifndef TACT_MODEL_MESH_MESH_H
#define TACT_MODEL_MESH_MESH_H

#include <tact/mesh.h>

/// A hull from the arrays of another (given->groups is not read). TACT_BAD_INPUT if they are not
/// one closed surface of polygons.
TactStatus tact_hull_restore(const TactHull *given, TactHull **hull);

#endif
