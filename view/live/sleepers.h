// What the page goes on to show of bodies that sleep: the contacts of the last frame in which they
// were awake. The simulator lists none of them.
#ifndef TACT_VIEW_LIVE_SLEEPERS_H
#define TACT_VIEW_LIVE_SLEEPERS_H

#include <tact/sim.h>

typedef struct TactViewSleepers {
    TactSimContact *kept;  // contacts of sleepers                             (count)
    long           *since; // step of the first frame in which each slept      (count)
    TactSimContact *last;  // all contacts of the last frame                   (last_count)
    int             count, room, since_room;
    int             last_count, last_room;
    TactSim        *awake; // in which nobody sleeps, for what holds them; NULL: not made yet
} TactViewSleepers;

void tact_view_sleepers_destroy(TactViewSleepers *sleepers);

/// Once for every frame, after its step. What has woken is left out, and what has fallen asleep
/// since the last frame is kept. No memory: it is not.
void tact_view_sleepers_update(TactViewSleepers *sleepers, const TactSim *sim, long step);

/// Patches of a step from the present state in which nobody sleeps, those of sleepers among them;
/// none if nobody does. Lent until the next call.
TactStatus tact_view_sleepers_patches(TactViewSleepers *sleepers, TactSim *sim,
                                      const TactSimConfig *config, TactSimPatches *patches);

/// The run is back at a step: what fell asleep after it does not sleep there.
void tact_view_sleepers_rewind(TactViewSleepers *sleepers, const TactSim *sim, long step);

#endif
