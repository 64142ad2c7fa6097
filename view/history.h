// The last states of a run, to go back to.
#ifndef TACT_VIEW_HISTORY_H
#define TACT_VIEW_HISTORY_H

#include <tact/sim.h>

typedef struct TactViewHistory {
    int     capacity; // states that are kept
    int     next;     // where the next one goes
    int     count;
    int     nq, nv, nu;
    long   *steps;  //                                          (capacity)
    double *times;  //                                          (capacity)
    double *states; // q, v, controls                           (capacity x (nq + nv + nu))
} TactViewHistory;

TactStatus tact_view_history_create(TactViewHistory *history, const TactModel *model);
void       tact_view_history_destroy(TactViewHistory *history);

/// Keeps a state; those of later steps are forgotten.
void tact_view_history_add(TactViewHistory *history, const TactSimState *state, long step);

/// Back to the last state at or before a step, or the oldest. TACT_BAD_ARGUMENT: there is none.
TactStatus tact_view_history_restore(TactViewHistory *history, TactSim *sim, long wanted,
                                     long *step);

#endif
