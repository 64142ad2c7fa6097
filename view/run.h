// The simulation behind a page: a model, its simulator, its history, and a hand that pulls.
#ifndef TACT_VIEW_RUN_H
#define TACT_VIEW_RUN_H

#include <tact/sim.h>

#include "command.h"
#include "message.h"

typedef struct TactViewRun TactViewRun;

/// method, cone: NULL for the simulator's own. The message says what is wrong with a file.
TactStatus tact_view_run_create(const char *file, const char *method, const char *cone,
                                TactViewRun **created);
void       tact_view_run_destroy(TactViewRun *run);

double tact_view_run_time(const TactViewRun *run);
double tact_view_run_timestep(const TactViewRun *run);

/// One step. What cannot be proven goes on, and is told in the frame.
TactStatus tact_view_run_step(TactViewRun *run);

/// RESET, REWIND, CONTROL, DRAG, RELEASE, METHOD, CONE, FRICTION. An index or a name that is not
/// there is TACT_BAD_ARGUMENT, and nothing changes.
TactStatus tact_view_run_command(TactViewRun *run, const TactViewCommand *command);

/// Messages of the present state; NULL: no memory. A frame also becomes part of the history.
TactViewMessage *tact_view_run_scene(const TactViewRun *run);
TactViewMessage *tact_view_run_state(const TactViewRun *run, bool paused, double speed);
TactViewMessage *tact_view_run_frame(TactViewRun *run);

#endif
