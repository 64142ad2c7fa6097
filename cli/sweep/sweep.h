// `tact sweep`: its options, and what it says about a table.
#ifndef TACT_CLI_SWEEP_SWEEP_H
#define TACT_CLI_SWEEP_SWEEP_H

#include <stdio.h>
#include <tact/sweep.h>

#include "cli/json/json.h"
#include "cli/options.h"

typedef struct TactSweepOptions {
    const char *file;
    const char *out, *failures; // NULL: not given
    const char *hdf5, *plot, *html, *record;
    const char *trial; // NULL: all of them
    int         threads;
    double      pause; // s
    double      silence;
    bool        look, restart, mpi, json, help;
} TactSweepOptions;

/// A sweep that was made, as its table tells it.
typedef struct TactSweepTold {
    const TactSweepOptions *options;
    const TactSweep        *sweep;
    const TactSweepPlan    *plan;
    const TactSweepResults *results;
    const char             *table;    // its path
    const char             *failures; // folder
    int                     made;     // trials, in this run of the program
    int                     lost;     // ranks
    double                  elapsed;  // s
} TactSweepTold;

/// False if the words are wrong: said on standard error already.
bool tact_sweep_parse(int argc, char **argv, TactSweepOptions *options);
void tact_sweep_help(void);

// sweep_trial.c: --trial; returns the exit status
int tact_sweep_make_trial(const TactSweepOptions *options, const TactSweep *sweep);

// sweep_bins.c

/// Trials by the value of a variable.
typedef struct TactSweepBins {
    int    count;
    bool   exact;      // one value each
    double edges[33];  // bin i goes from edge i to i + 1; exact: the value of bin i is edge i
    double lo, hi;     // of all values
    double values[32]; // the middle of each
} TactSweepBins;

TactSweepBins tact_sweep_bins(const TactSweepResults *results, int column, int most);
/// -1: in none.
int tact_sweep_bin_of(const TactSweepBins *bins, double value);

// sweep_print.c, sweep_json.c

/// The trials of which the plan's column is worst; returns how many there are.        (most)
int tact_sweep_find_worst(const TactSweepTold *told, int *rows, int most);
/// Rows of trials that failed; returns how many there are in all.                      (most)
int  tact_sweep_find_failed(const TactSweepTold *told, int *rows, int most);
void tact_sweep_print(const TactSweepTold *told, FILE *stream);
int  tact_sweep_print_json(const TactSweepTold *told);

// sweep_plot.c, sweep_page.c: false, said on standard error, if a file cannot be written
void tact_sweep_draw_plot(const TactSweepTold *told, FILE *file);
bool tact_sweep_write_plot(const TactSweepTold *told, const char *path);
bool tact_sweep_write_page(const TactSweepTold *told, const char *path);

// sweep_progress.c
void       tact_sweep_progress_begin(bool quiet);
TactStatus tact_sweep_progress(void *context, const TactSweepProgress *progress);
void       tact_sweep_progress_end(void);

// sweep_ranks.c: MPI, in a module of its own that is loaded under mpirun

/// Is this a rank of an MPI job?
bool tact_sweep_is_rank(void);
/// Is this one of several tasks of Slurm's srun, as ranks or not?
bool tact_sweep_is_task(void);
/// False: said on standard error.
bool tact_sweep_open_ranks(const TactSweepOptions *options, TactSweepLink *link);
/// Ends the ranks; where some were lost, the process ends here with this status: MPI would wait for
/// them.
void tact_sweep_close_ranks(TactSweepLink *link, int lost, int status);

#endif
