// The simulation behind a page: a model, its simulator, its history, and a hand that pulls.
#ifndef TACT_VIEW_LIVE_VIEW_RUN_H
#define TACT_VIEW_LIVE_VIEW_RUN_H

#include <tact/sim.h>

#include "view/protocol/protocol.h"
#include "view/view.h"

typedef struct TactViewRun TactViewRun;

/// method, cone: NULL for the simulator's own; sleep: as TactViewOptions has it. The message says
/// what is wrong with a file.
TactStatus tact_view_run_create(const char *file, const char *method, const char *cone,
                                TactContactShare share, double sleep, TactViewRun **created);
void       tact_view_run_destroy(TactViewRun *run);

double tact_view_run_time(const TactViewRun *run);
double tact_view_run_timestep(const TactViewRun *run);
double tact_view_run_sleep(const TactViewRun *run); // s of rest before bodies sleep; 0: none does
long   tact_view_run_steps(const TactViewRun *run); // that were made

/// One step. What cannot be proven goes on, and is told in the frame.
TactStatus tact_view_run_step(TactViewRun *run);

/// RESET, REWIND, CONTROL, DRAG, RELEASE, METHOD, CONE, FRICTION. An index or a name that is not
/// there is TACT_BAD_ARGUMENT, and nothing changes. REWIND makes the step again that it goes back
/// to, bit for bit.
TactStatus tact_view_run_command(TactViewRun *run, const TactViewCommand *command);

/// What a step took of the simulation's thread since the last frame, s of CPU time: what others do
/// on the machine is not in it.
typedef struct TactViewRunCost {
    double step;   // the steps themselves
    double thread; // all that the thread did
} TactViewRunCost;

/// Messages of the present state; NULL: no memory. A frame also becomes part of the history.
TactViewMessage *tact_view_run_scene(const TactViewRun *run);
TactViewMessage *tact_view_run_state(const TactViewRun *run, bool paused, double speed);
TactViewMessage *tact_view_run_frame(TactViewRun *run, TactViewRunCost cost);

/// What is said of every patch of contacts of the last step; none if there was no step. Of bodies
/// that sleep it is what a step would say in which they do not.
TactViewMessage *tact_view_run_words(TactViewRun *run, TactViewExplain *explain);

#endif
