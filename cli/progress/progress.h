// How far the program is: a line on the terminal, once something takes longer than a second.
//
// The line goes to standard error, only if that is a terminal, and not with --quiet. A thread draws
// it, so that it also lives while the library works on one large thing; what the program prints
// meanwhile pushes it aside.
#ifndef TACT_CLI_PROGRESS_H
#define TACT_CLI_PROGRESS_H

#include <stdbool.h>

/// From now on the line is drawn where it is wanted.
void tact_progress_begin(void);

/// No line any more: at the end of the program, or where it begins to wait for people.
void tact_progress_end(void);

/// --quiet: no line, whoever begins one.
void tact_progress_silence(void);

/// A new stage, of which nobody knows how long it takes: "reading robot.xml". The line says for how
/// long it has been going on.
__attribute__((format(printf, 1, 2))) void tact_progress_stage(const char *format, ...);

/// Is news wanted now? Ten times a second at most, and never without a line: cheap enough for every
/// step of a loop.
bool tact_progress_due(void);

/// The share of the work that is done, 0 .. 1, and a few words about it. The time left follows from
/// how fast the share has grown in this stage.
__attribute__((format(printf, 2, 3))) void tact_progress_tell(double share, const char *format,
                                                              ...);

#endif
