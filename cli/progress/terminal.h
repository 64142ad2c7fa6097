// A line at the bottom of a terminal that gives way to whatever else is printed.
#ifndef TACT_CLI_TERMINAL_H
#define TACT_CLI_TERMINAL_H

#include <stdbool.h>

/// False if standard error is no terminal that could show the line. Otherwise standard output and
/// standard error, where they are terminals, erase the line before they print.
bool tact_terminal_open(void);

/// Erases the line, and leaves the streams as they were.
void tact_terminal_close(void);

/// Columns that the line may take.
int tact_terminal_get_width(void);

/// Draws the line, cut off at the width of the terminal, unless something half printed stands
/// there.
void tact_terminal_draw(const char *text);

#endif
