// `tact manual`: manual pages, and what shells complete, from the tables of verbs and options.
#ifndef TACT_CLI_MANUAL_H
#define TACT_CLI_MANUAL_H

#include "cli/verbs.h"

/// The page of the program, or of one verb, as man reads it.
void tact_manual_print(const TactCliVerbLine *verb);

typedef enum TactShell { TACT_BASH, TACT_ZSH, TACT_FISH } TactShell;

/// A file that makes a shell complete verbs, options, their words and files.
void tact_manual_complete(TactShell shell);

#endif
