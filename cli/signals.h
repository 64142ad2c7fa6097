// Ctrl-C and SIGTERM: the solve under way ends with the best answer it has, a second one the
// program.
#ifndef TACT_CLI_SIGNALS_H
#define TACT_CLI_SIGNALS_H

void tact_cli_catch_signals(void);

/// The signal that came; 0: none.
int tact_cli_signal(void);

#endif
