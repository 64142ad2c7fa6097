// Volume, area and inertia of the simple shapes, in closed form.
#ifndef TACT_MODEL_SHAPE_H
#define TACT_MODEL_SHAPE_H

#include <tact/model.h>

/// A shape of mass 1 about its centre, along its own axes, which are principal axes.
typedef struct TactShapeMass {
    double   measure; // volume, m^3; of a shell the area, m^2; 0: it has no mass
    TactVec3 moments; // principal moments of inertia at mass 1, m^2
} TactShapeMass;

/// Sphere, capsule, cylinder, box and ellipsoid; nothing (measure 0) for other types.
TactShapeMass tact_shape_solid(TactGeomType type, const double size[3]);

/// The surface alone, of the same thickness everywhere.
TactShapeMass tact_shape_shell(TactGeomType type, const double size[3]);

#endif
