// A moment of a run as the page wants it.
#ifndef TACT_VIEW_FRAME_H
#define TACT_VIEW_FRAME_H

#include <tact/sim.h>

#include "message.h"

typedef struct TactViewFrame {
    const TactModel     *model;
    const TactSim       *sim; // its contacts
    const TactSimState  *state;
    const TactSimReport *report;
    const TactTransform *poses; //                                               (bodies)
    long                 step;
    double               step_time; // s
    TactSimEnergy        energy;
    const double        *sensors; // NULL: they are not told                      (sensor_size)
} TactViewFrame;

/// Numbers in single precision: 7 a body (position, quaternion), 20 a contact, sensors, controls.
/// NULL: no memory.
TactViewMessage *tact_view_frame_message(const TactViewFrame *frame);

#endif
