// Reading a sweep file: its parts.
#ifndef TACT_SWEEP_READ_H
#define TACT_SWEEP_READ_H

#include "io/problem/problem.h"
#include "sweep/sweep.h"

/// A text; missing is an error.
TactStatus tact_sweep_read_text(const TactJson *json, const char **text);
/// Fails if an object has members that nobody reads, with what there is.
TactStatus tact_sweep_refuse_unknown(const TactJson *object, const char *const *keys);
/// Fails with the place in the file and the message of what failed before.
TactStatus tact_sweep_fail_at(const TactJson *json);

/// "vary"; then the grid of its lists.
TactStatus tact_sweep_read_vary(TactSweep *sweep, const TactJson *vary);
/// "measure"
TactStatus tact_sweep_read_measures(TactSweep *sweep, const TactJson *measure);
/// "stop" and "otherwise"
TactStatus tact_sweep_read_stops(TactSweep *sweep, const TactJson *stop, const TactJson *otherwise);
/// "ctrl"
TactStatus tact_sweep_read_schedules(TactSweep *sweep, const TactJson *ctrl);
/// "sim": fields of TactSimConfig
TactStatus tact_sweep_read_config(TactSweep *sweep, const TactJson *sim);

/// A quantity: a text, which is a JSON pointer, or an object with pointer, sensor, moved or turned.
TactStatus tact_sweep_read_quantity(TactSweep *sweep, const TactJson *json, TactQuantity *quantity);

/// A copy of a text in memory of the library.
TactStatus tact_sweep_copy_text(const char *text, char **copy);
/// Adds a column, or the words of an outcome and their number.
TactStatus tact_sweep_add_column(TactSweep *sweep, const char *name);
TactStatus tact_sweep_add_outcome(TactSweep *sweep, const char *name, int *outcome);

#endif
