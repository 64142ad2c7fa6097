// What the verbs of the program share.
#ifndef TACT_CLI_H
#define TACT_CLI_H

#include <stdbool.h>
#include <stdio.h>

enum {
    TACT_EXIT_DONE = 0,     // done and proven
    TACT_EXIT_UNSOLVED = 1, // done, but something was not solved
    TACT_EXIT_BAD = 2,      // bad use or bad input
};

/// A verb gets its own name as argv[0] and returns the exit status.
typedef int TactCliVerb(int argc, char **argv);

int tact_cli_solve(int argc, char **argv);
int tact_cli_check(int argc, char **argv);
int tact_cli_convert(int argc, char **argv);
int tact_cli_info(int argc, char **argv);
int tact_cli_run(int argc, char **argv);
int tact_cli_contacts(int argc, char **argv);
int tact_cli_sweep(int argc, char **argv);
int tact_cli_bench(int argc, char **argv);
int tact_cli_view(int argc, char **argv);
int tact_cli_manual(int argc, char **argv);

/// The tables of options (cli/options.h).
typedef struct TactOptionTable TactOptionTable;
const TactOptionTable         *tact_cli_run_options(void);
const TactOptionTable         *tact_cli_contacts_options(void);
const TactOptionTable         *tact_cli_sweep_options(void);
const TactOptionTable         *tact_cli_solve_options(void);
const TactOptionTable         *tact_cli_check_options(void);
const TactOptionTable         *tact_cli_info_options(void);
const TactOptionTable         *tact_cli_convert_options(void);
const TactOptionTable         *tact_cli_view_options(void);
const TactOptionTable         *tact_cli_manual_options(void);

/// Was the program built with its viewer? For --version.
const char *tact_cli_viewer(void);
/// "yes" or "no": is there the module that makes ranks of MPI? (sweep/sweep_ranks.c)
const char *tact_cli_mpi(void);
/// Was the program built with its benchmarks?
bool tact_cli_has_bench(void);

/// Says on standard error what is wrong ("tact: ..."), and returns TACT_EXIT_BAD.
__attribute__((format(printf, 1, 2))) int tact_cli_bad(const char *format, ...);

/// The name most like the word, or NULL if none is near. The list ends with NULL.
const char *tact_cli_nearest(const char *word, const char *const *names);

/// The file name without its folders.
const char *tact_cli_base_name(const char *path);

typedef enum TactCliColour { TACT_PLAIN, TACT_BOLD, TACT_DIM, TACT_RED, TACT_GREEN } TactCliColour;

/// The escape sequence that switches a colour on, and off (TACT_PLAIN): "" unless the stream is a
/// terminal and NO_COLOR is not set.
const char *tact_cli_colour(FILE *stream, TactCliColour colour);

#endif
