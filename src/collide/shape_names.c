// Names of shapes.
#include <tact/collide.h>

#include "base/words.h"

TACT_WORDS(
    TactShapeType, shape_type,
    "shape", [TACT_SHAPE_PLANE] = "plane", [TACT_SHAPE_SPHERE] = "sphere",
    [TACT_SHAPE_CAPSULE] = "capsule", [TACT_SHAPE_CYLINDER] = "cylinder", [TACT_SHAPE_BOX] = "box",
    [TACT_SHAPE_ELLIPSOID] = "ellipsoid", [TACT_SHAPE_HULL] = "hull", [TACT_SHAPE_MESH] = "mesh")
