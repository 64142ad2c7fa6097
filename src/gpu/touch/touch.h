// The face of the room: points of two geoms, by one lane. All but step_touch.h, which chooses, are
// the methods of src/collide once more.
//
//     touch_rod.h          spheres and capsules with each other
//     touch_ellipsoid.h    an ellipsoid with planes, spheres, capsules and boxes
//     touch_face.h         furthest points of solids, and what of a surface faces a direction
//     touch_manifold.h     the region that two faces share
//     touch_gjk.h, touch_epa.h     nearest points of two solids, and the depth of their overlap
//     touch_convex.h       two solids: nearest points, faces, capsules beside edges
//     touch_box.h, touch_cylinder.h, touch_mesh.h     what boxes, cylinders and meshes have of
//                          their own
//     touch_ray.h          where a ray meets a geom
//     touch_shapes.h       which pairs there are in kernels with TACT_STEP_MORE
#ifndef TACT_GPU_TOUCH_TOUCH_H
#define TACT_GPU_TOUCH_TOUCH_H

#include "gpu/touch/touch_ellipsoid.h"
#include "gpu/touch/touch_ray.h"
#include "gpu/touch/touch_shapes.h"

#endif
