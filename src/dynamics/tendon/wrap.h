// The shortest way from a point to another around a circle, sphere or endless cylinder.
#ifndef TACT_DYNAMICS_WRAP_H
#define TACT_DYNAMICS_WRAP_H

#include <stdbool.h>
#include <tact/math.h>

/// All in the frame of the geom: a sphere, or a cylinder along z.
typedef struct TactWrap {
    bool     cylinder;
    double   radius;
    TactVec3 from, to;
    bool     has_side; // it goes around on the side of a point, or through the geom if that is
    TactVec3 side;     //   inside it
    TactVec3 on, off;  // out: where it comes to the surface, and where it leaves it
    double   length;   // out: of the way between them, on the surface
} TactWrap;

/// False: the geom is not in the way, and the way is straight.
bool tact_wrap_find(TactWrap *wrap);

#endif
