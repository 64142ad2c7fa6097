// Moments of a run to go back to, bit for bit: a snapshot after some frames and after every
// intervention of a person; steps between them are made again.
#ifndef TACT_VIEW_LIVE_HISTORY_H
#define TACT_VIEW_LIVE_HISTORY_H

#include <tact/sim.h>

#include "view/live/hand.h"

/// All that makes the steps to come what they are.
typedef struct TactViewMoment {
    long          step;
    TactSimConfig config; // of the simulator that the snapshot belongs to
    TactViewHand  hand;
    size_t        size;
    void         *snapshot;
} TactViewMoment;

typedef struct TactViewHistory {
    int             next;    // where the next one goes
    int             count;   //
    int             skipped; // frames since the last one that was kept
    size_t          bytes;   // of all snapshots
    TactViewMoment *moments; // a ring                                  (TACT_VIEW_MOST_MOMENTS)
} TactViewHistory;

enum { TACT_VIEW_MOST_MOMENTS = 6000 };

TactStatus tact_view_history_create(TactViewHistory *history);
void       tact_view_history_destroy(TactViewHistory *history);

/// Keeps the present state of every few frames; the moment says whose it is. Moments of later steps
/// are forgotten, and the oldest ones when there are too many. No memory: it is not kept.
void tact_view_history_add(TactViewHistory *history, const TactSim *sim, TactViewMoment moment);

/// The same after an intervention: it is not skipped, and takes the place of one of the same step.
void tact_view_history_must_add(TactViewHistory *history, const TactSim *sim,
                                TactViewMoment moment);

/// Moments of this step and of later ones are no longer true.
void tact_view_history_forget(TactViewHistory *history, long step);

/// The last moment before a step, or the oldest; NULL: there is none. Lent until the next change.
const TactViewMoment *tact_view_history_find(const TactViewHistory *history, long step);

#endif
