// Parts of the fluid around: what it does to a box or an ellipsoid at the velocity that is set.
#ifndef TACT_DYNAMICS_FLUID_H
#define TACT_DYNAMICS_FLUID_H

#include "dynamics/workspace.h"

/// Against velocities v and w in axes of its own, the drag is -c_i v_i and -e_i w_i at the centre.
typedef struct TactFluidPart {
    int        body, link;
    TactVec3   centre;
    TactVec3   axis[3];    // world
    double     v[3], w[3]; // against the fluid
    double     linear[3];  // c, N s/m; not negative
    double     angular[3]; // e, N m s
    TactWrench lift;       // world axes, about the centre: all but drag
    int        next_body, next_geom;
    bool       on_geoms; // have there been ellipsoids of this body?
} TactFluidPart;

static inline TactFluidPart tact_fluid_first(void)
{
    return (TactFluidPart){.next_body = 1};
}

/// The next part there is; false: there is none (fluid.c).
bool tact_fluid_next(const TactDynamics *d, TactFluidPart *part);
/// Axes and velocities of a part whose body, link and centre are known; axes: columns in the body's
/// frame (fluid.c).
void tact_fluid_place(const TactDynamics *d, TactFluidPart *part, const TactMat3 *axes);

/// What does not depend on the motion; and the part of a geom (fluid_ellipsoid.c).
void tact_fluid_measure(const TactGeom *geom, TactFluidEllipsoid *e);
void tact_fluid_find_geom(const TactDynamics *dynamics, int index, TactFluidPart *part);

#endif
