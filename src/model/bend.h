// Joints that bend: pieces of a cable against each other.
#ifndef TACT_MODEL_BEND_H
#define TACT_MODEL_BEND_H

#include <tact/model.h>

static inline bool tact_joint_bends(const TactJoint *joint)
{
    return joint->bend[0] != 0 || joint->bend[1] != 0 || joint->bend[2] != 0;
}

#endif
