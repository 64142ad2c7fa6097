// A moment of a run as the page wants it.
#ifndef TACT_VIEW_PROTOCOL_VIEW_FRAME_H
#define TACT_VIEW_PROTOCOL_VIEW_FRAME_H

#include <tact/sim.h>

#include "view/protocol/message.h"

typedef struct TactViewFrame {
    const TactModel      *model;
    const TactSim        *sim; // its contacts
    int                   sleeper_count;
    const TactSimContact *sleepers; // contacts of bodies that sleep              (sleeper_count)
    const TactSimState   *state;
    const TactSimReport  *report;
    const TactDynamics   *dynamics;   // at the state: poses and velocities
    long                  step;       //
    double                step_time;  // of the last step, s
    double                step_cpu;   // CPU time of a step since the last frame, s; 0: not known
    double                thread_cpu; // the same, with all that the thread did besides
    TactSimEnergy         energy;
    const double         *sensors; // NULL: they are not told                      (sensor_size)
} TactViewFrame;

// Sizes and places are those of page/src/types.ts; tests/view/test_layout.sh compares them.

enum {
    TACT_VIEW_POSE_SIZE = 7,     // position, quaternion w x y z
    TACT_VIEW_VELOCITY_SIZE = 6, // of the body's origin; angular
};

/// Where the numbers of a contact stand.
enum {
    TACT_VIEW_CONTACT_GEOM_A,
    TACT_VIEW_CONTACT_GEOM_B,
    TACT_VIEW_CONTACT_POINT_X,
    TACT_VIEW_CONTACT_POINT_Y,
    TACT_VIEW_CONTACT_POINT_Z,
    TACT_VIEW_CONTACT_NORMAL_X,
    TACT_VIEW_CONTACT_NORMAL_Y,
    TACT_VIEW_CONTACT_NORMAL_Z,
    TACT_VIEW_CONTACT_FORCE_X,
    TACT_VIEW_CONTACT_FORCE_Y,
    TACT_VIEW_CONTACT_FORCE_Z,
    TACT_VIEW_CONTACT_DEPTH,
    TACT_VIEW_CONTACT_MU,
    TACT_VIEW_CONTACT_STATE, // 0 open, 1 stick, 2 slide, 3 asleep
    TACT_VIEW_CONTACT_USED,  // |f_t| / (mu f_n)
    TACT_VIEW_CONTACT_NORMAL,
    TACT_VIEW_CONTACT_SLIP_X, // velocity of b against a, tangential
    TACT_VIEW_CONTACT_SLIP_Y,
    TACT_VIEW_CONTACT_SLIP_Z,
    TACT_VIEW_CONTACT_GAP,         // velocity along the normal
    TACT_VIEW_CONTACT_SPIN_MOMENT, // on b about the normal, N m
    TACT_VIEW_CONTACT_ROLL_X,      // moment on b about the tangents, N m
    TACT_VIEW_CONTACT_ROLL_Y,
    TACT_VIEW_CONTACT_ROLL_Z,
    TACT_VIEW_CONTACT_SPIN_RATE, // of b against a about the normal, rad/s
    TACT_VIEW_CONTACT_ROLL_RATE, // about the tangents
    TACT_VIEW_CONTACT_MU_SPIN,   // m
    TACT_VIEW_CONTACT_MU_ROLL,   // m
    TACT_VIEW_CONTACT_SIZE
};

/// Numbers in single precision: poses of all bodies, velocities of all bodies, contacts, sensors,
/// controls. NULL: no memory.
TactViewMessage *tact_view_frame_message(const TactViewFrame *frame);

#endif
