#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <tact/base.h>

static volatile sig_atomic_t came;

static void remember_signal(int signal)
{
    came = signal;
    tact_interrupt_raise(); // a solve may take long
}

void tact_cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = remember_signal};
    action.sa_flags = (int)SA_RESETHAND; // a second one ends the program at once
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int tact_cli_signal(void)
{
    return came;
}
