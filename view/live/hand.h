// The hand of a person in the simulation: a spring that pulls a body, or a torque that turns it.
#ifndef TACT_VIEW_LIVE_HAND_H
#define TACT_VIEW_LIVE_HAND_H

#include <tact/sim.h>

typedef struct TactViewHand {
    bool     holds;
    bool     turns; // a torque instead of a pull
    int      body;
    TactVec3 point;  // in the body's frame
    TactVec3 target; // world frame
    TactVec3 grip;   // where the point was before the last step
    bool     gripped;
} TactViewHand;

/// Hands the pull over to the simulator; to be called after each change of it, and of the
/// simulator. A hand that holds nothing ends it. TACT_BAD_ARGUMENT: the body cannot be pulled.
TactStatus tact_view_hand_apply(const TactViewHand *hand, const TactModel *model, TactSim *sim);

/// Lets go: no force of it is left.
void tact_view_hand_release(TactViewHand *hand, TactSim *sim);

/// Before every step: the torque of a hand that turns.                     (bodies)
void tact_view_hand_turn(TactViewHand *hand, const TactModel *model, TactSim *sim, double timestep,
                         TactTransform *poses);

#endif
