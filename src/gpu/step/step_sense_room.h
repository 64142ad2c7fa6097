// What the lanes of a warp share that read the sensors of a world, and motions of frames.
#ifndef TACT_GPU_SENSE_ROOM_H
#define TACT_GPU_SENSE_ROOM_H

#include "gpu/step/step_again.h"

/// A contact of the last step: what it does to b, and a feels the opposite.
typedef struct TactSenseContact {
    TactVec3 point, normal, force, moment;
    double   push; // of the normal; 0: none
    int      geom[2];
} TactSenseContact;

typedef struct TactSenseRoom {
    TactStepRoom     step;
    TactSenseContact contacts[TACT_STEP_MAX_CONTACTS];
    int              moments; // rows of moments of these
} TactSenseRoom;

/// What lanes read of the world they are at.
typedef struct TactSenseWorld {
    TactStepOne          one;
    const TactSenseRoom *room;
    const double        *ctrl;
    double               time;
} TactSenseWorld;

TACT_LANE TactTransform tact_sense_pose(const TactStepRoom *room, const TactStepPlace *place)
{
    return tact_transform_multiply(room->pose[place->link], place->pose);
}

TACT_LANE TactTwist tact_sense_velocity(const TactStepRoom *room, int link, TactVec3 point)
{
    return tact_twist_shift(room->velocity[link], tact_vec3_subtract(point, room->com[link]));
}

/// Acceleration of a point of a link, gravity as if upwards: a + dw x r + w x v.
TACT_LANE TactTwist tact_sense_acceleration(const TactStepRoom *room, int link, TactVec3 point)
{
    TactTwist a = tact_twist_shift(room->balance.acceleration[link],
                                   tact_vec3_subtract(point, room->com[link]));
    TactTwist v = tact_sense_velocity(room, link, point);
    a.linear = tact_vec3_add(a.linear, tact_vec3_cross(v.angular, v.linear));
    return a;
}

#endif
