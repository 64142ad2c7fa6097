// `tact run`: its options, a run, and what it found out.
#ifndef TACT_CLI_RUN_H
#define TACT_CLI_RUN_H

#include <tact/load.h>
#include <tact/sim.h>

#include "options.h"

typedef struct TactRunOptions {
    const char     *file;
    TactOptionTexts packages;
    double          time;              // s
    double          dt;                // s; 0: the model's
    const char     *method, *keyframe; // NULL: not given
    int             cone, integrator;  // < 0: not given
    const char     *record, *csv, *csv_contacts, *html;
    double          record_every; // s; < 0: not given
    int             hash_every;   // steps; 0: never
    bool            strict, json, help;
} TactRunOptions;

/// A scene that is simulated as the options say.
typedef struct TactRun {
    const TactRunOptions *options;
    TactModel            *model;
    TactModelNotes       *notes;
    TactSim              *sim;
    double                dt;    // s
    long                  steps; // that the time takes
} TactRun;

typedef struct TactRunHash {
    long     step;
    uint64_t hash;
} TactRunHash;

/// Sums over the steps of a run.
typedef struct TactRunResult {
    long         steps;    // made
    int          signal;   // that ended it before its time; 0: none
    bool         failed;   // a step was refused, or a file could not be written
    long         contacts; // of all steps
    int          contacts_max;
    long         solves, certified;
    double       error_max, penetration_max, loop_error_max;
    double       solve_time, step_time; // s
    double      *solve_times;           // of every step, s                             (steps)
    int          rung_count;
    TactSimRung  rungs[TACT_CONTACT_MAX_RUNGS];
    uint64_t     hash;
    int          hash_count;
    TactRunHash *hashes; //                                                        (hash_count)
} TactRunResult;

/// False if the words are wrong: said on standard error already.
bool tact_run_parse(int argc, char **argv, TactRunOptions *options);
void tact_run_help(void);

/// Loads the scene and sets its start; false: said on standard error. To be closed in any case.
bool tact_run_open(const TactRunOptions *options, TactRun *run);
void tact_run_close(TactRun *run);
/// One step; false, said on standard error, if it is refused.
bool tact_run_step(TactRun *run, TactSimReport *report);

/// All steps, or as many as there are until a signal ends them; words are those of the command
/// line.
void tact_run_simulate(TactRun *run, int argc, char **argv, TactRunResult *result);

/// From here on Ctrl-C does not end the program but is told, once; 0: none came.
void tact_run_catch_signals(void);
int  tact_run_signal(void);

/// A line on standard error, if that is a terminal: how far the run is.
void tact_run_progress(const TactRun *run, long step, const TactSimReport *report);
void tact_run_progress_end(void);

void tact_run_print(const TactRun *run, const TactRunResult *result);
int  tact_run_print_json(const TactRun *run, const TactRunResult *result);

#endif
