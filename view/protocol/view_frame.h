// A moment of a run as the page wants it.
#ifndef TACT_VIEW_PROTOCOL_VIEW_FRAME_H
#define TACT_VIEW_PROTOCOL_VIEW_FRAME_H

#include <tact/sim.h>

#include "view/protocol/message.h"

typedef struct TactViewFrame {
    const TactModel     *model;
    const TactSim       *sim; // its contacts
    const TactSimState  *state;
    const TactSimReport *report;
    const TactDynamics  *dynamics;   // at the state: poses and velocities
    long                 step;       //
    double               step_time;  // of the last step, s
    double               step_cpu;   // CPU time of a step since the last frame, s; 0: not known
    double               thread_cpu; // the same, with all that the thread did besides
    TactSimEnergy        energy;
    const double        *sensors; // NULL: they are not told                      (sensor_size)
} TactViewFrame;

/// Numbers in single precision: 7 a body (position, quaternion), 6 a body (velocity of its origin,
/// angular velocity), 20 a contact, sensors, controls.
/// NULL: no memory.
TactViewMessage *tact_view_frame_message(const TactViewFrame *frame);

#endif
