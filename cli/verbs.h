// The table of verbs: the program, its manual and the completion of shells are made from it.
#ifndef TACT_CLI_VERBS_H
#define TACT_CLI_VERBS_H

#include "cli/cli.h"
#include "cli/options.h"

enum { TACT_CLI_MOST_VERBS = 16 };

typedef struct TactCliVerbLine {
    const char  *name;
    TactCliVerb *run;
    const char  *arguments;                  // "SCENE"
    const char  *says;                       // '\n' and spaces before what goes on in --help
    const TactOptionTable *(*options)(void); // NULL: it has a table of its own kind
    const char *files;  // endings of files that it reads, for shells: "xml urdf"
    bool        listed; // in --help of the program
} TactCliVerbLine;

/// Those that this program was built with.                                             (count)
const TactCliVerbLine *tact_cli_verbs(int *count);

#endif
