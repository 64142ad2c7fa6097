// Sweeps: many trials of one scene, with quantities that vary, and a row of figures for each.
//
//     TactSweep *sweep = NULL;
//     tact_sweep_read("grasp.json", &sweep);              // "format": "tact-sweep/1"
//     TactWorkers *workers = NULL;
//     tact_workers_create(0, &workers);
//     TactSweepRun run = tact_sweep_run_default();
//     run.path = "grasp.csv";
//     tact_sweep_run(sweep, workers, &run);
//
// What a trial is follows from the sweep and its number alone: its draws, its motion, its row. The
// rows stand in the file in the order of the trials, with the same bytes for any number of threads
// and ranks, and whether or not the sweep was ended in between. Needs jansson and libxml2.
#ifndef TACT_SWEEP_H
#define TACT_SWEEP_H

#include <stdbool.h>
#include <tact/base.h>
#include <tact/batch.h>
#include <tact/model.h>
#include <tact/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TactSweep TactSweep;

/// Reads a sweep and loads its scene, which is looked for from the folder of the file.
/// TACT_IO_ERROR, TACT_BAD_INPUT with the file and the place in its JSON, TACT_UNSUPPORTED in a
/// build without jansson.
TACT_API TACT_NODISCARD TactStatus tact_sweep_read(const char *path, TactSweep **sweep);
/// The same from memory; name stands for the path.
TACT_API TACT_NODISCARD TactStatus tact_sweep_read_memory(const char *name, const char *text,
                                                          size_t size, TactSweep **sweep);
TACT_API void                      tact_sweep_destroy(TactSweep *sweep);

/// What a sweep does. Columns of its table: trial, what varies, outcome, time, what is measured,
/// unverified (contact problems that are not certified), problem (in words).
typedef struct TactSweepPlan {
    const char        *scene; // its file
    int                trials;
    int                grid;         // points of the grid of lists and ranges; 1: there is none
    double             time;         // of a trial, s, at most
    int                column_count; //
    const char *const *columns;      //                                             (column_count)
    int                first_varied, varied_count;                                     // columns
    int                first_measured, measured_count;                                 //
    int                outcome_column, time_column, unverified_column, problem_column; //
    int                outcome_count; // 0: the time was up; the last one: "failed"
    const char *const *outcomes;      //                                            (outcome_count)
    int      worst_column; // the worst trials are the largest of it, or least; -1: none are named
    bool     worst_least;  //
    uint64_t identity;     // of the sweep, its scene and the version of tact
} TactSweepPlan;

TACT_API const TactSweepPlan *tact_sweep_view_plan(const TactSweep *sweep);
TACT_API const TactModel     *tact_sweep_view_model(const TactSweep *sweep);

/// The values of what varies in a trial.                                           (varied_count)
TACT_API TACT_NODISCARD TactStatus tact_sweep_draw(const TactSweep *sweep, int trial,
                                                   double *values);

// ---------------------------------------------------------------------------------------------
// One trial after the other

/// A simulation in which trials are made: one a thread.
typedef struct TactSweepWorld TactSweepWorld;

/// The sweep must outlive it.
TACT_API TACT_NODISCARD TactStatus tact_sweep_world_create(const TactSweep *sweep,
                                                           TactSweepWorld **world);
TACT_API void                      tact_sweep_world_destroy(TactSweepWorld *world);

/// What became of a trial; lent until the world makes the next one.
typedef struct TactSweepRow {
    int           trial;
    int           outcome;    // which of the plan's
    int           unverified; // contact problems that are not certified
    const double *values;     // a number a column; NaN: there is none             (column_count)
    const char   *problem;    // why it failed; "": it did not
    const char   *text;       // the line of the table, with its end
    double        step_time;  // s, of all steps
} TactSweepRow;

typedef struct TactSweepTrial {
    const char
        *failures; // folder for contact problems that are not certified, one file each of the
                   //   first step that has some; NULL: they are not kept
    const TactSimRecordConfig *record; // NULL: it is not recorded
} TactSweepTrial;

/// Makes a trial. A step that is refused, values that cannot be, and contact problems that are not
/// certified make a row with the outcome "failed"; what is returned other than TACT_OK is what no
/// trial can help: memory, and files that cannot be written. how: NULL, nothing is kept.
TACT_API TACT_NODISCARD TactStatus tact_sweep_world_run(TactSweepWorld *world, int trial,
                                                        const TactSweepTrial *how,
                                                        TactSweepRow         *row);

// ---------------------------------------------------------------------------------------------
// The table: a CSV file that grows in the order of the trials

typedef struct TactSweepTable TactSweepTable;

/// Opens the table of a sweep, or begins it. What is there of it counts: each of its trials is made
/// once. Rows that come before their turn are kept in the file PATH.sweep. TACT_BAD_INPUT if it is
/// the table of another sweep.
TACT_API TACT_NODISCARD TactStatus tact_sweep_table_open(const TactSweep *sweep, const char *path,
                                                         TactSweepTable **table);
/// Is there a row of this trial?
TACT_API bool tact_sweep_table_has(const TactSweepTable *table, int trial);
TACT_API int  tact_sweep_table_count(const TactSweepTable *table);
/// Adds the line of a trial, which a second time changes nothing. TACT_IO_ERROR, and the table is
/// as it was, if it cannot be written.
TACT_API TACT_NODISCARD TactStatus tact_sweep_table_add(TactSweepTable *table, int trial,
                                                        const char *text, size_t size);
TACT_API TACT_NODISCARD TactStatus tact_sweep_table_close(TactSweepTable *table);

// ---------------------------------------------------------------------------------------------
// All trials

/// Other processes that make trials of the same sweep: MPI, or any messages from one to one. Rank 0
/// writes the table. A message is whole or not there.
typedef struct TactSweepLink {
    void *context;
    int   rank, ranks;
    /// May keep the bytes until it returns only. TACT_IO_ERROR: it cannot be sent.
    TactStatus (*send)(void *context, int to, const void *bytes, size_t size);
    /// A message that has come, lent until the next call; *size 0: none has. Does not wait.
    TactStatus (*receive)(void *context, int *from, const void **bytes, size_t *size);
    double silence; // s after which a rank that says nothing counts as lost; 0: 10
} TactSweepLink;

/// How far it is; told by the caller's thread between its trials, a few times a second. What is
/// returned other than TACT_OK ends the sweep, which can be gone on with.
typedef struct TactSweepProgress {
    int    trials, done; // of all
    int    before;       // of these: rows that were there
    int    outcomes[8];  // rows of this run by outcome, the last place counts all others
    double elapsed;      // s
    int    lost;         // ranks
} TactSweepProgress;

typedef TactStatus TactSweepWatch(void *context, const TactSweepProgress *progress);

typedef struct TactSweepRun {
    const char          *path;     // of the table; of rank 0 only
    const char          *failures; // folder, as in TactSweepTrial
    double               pause;    // s that every trial waits besides: to try schedulers with
    const TactSweepLink *link;     // NULL: there are no other ranks
    TactSweepWatch      *watch;    // NULL: none
    void                *context;  // of it
    double               step_time, trial_time; // out: s of the trials of this process, all threads
    int                  made;                  // out: trials of this process
    int                  added;                 // out: rows of the table in this run; of rank 0
    int                  lost;                  // out: ranks that were lost
    uint32_t             cookie;                // set by tact_sweep_run_default(); do not write
} TactSweepRun;

TACT_API TactSweepRun tact_sweep_run_default(void);

/// Makes the trials that the table lacks, on all threads (workers NULL: the caller's). With a link
/// every rank calls it, and the caller's thread has messages alone, so that there are two threads
/// at the least; those other than 0 return when rank 0 lets them go.
TACT_API TACT_NODISCARD TactStatus tact_sweep_run(const TactSweep *sweep, TactWorkers *workers,
                                                  TactSweepRun *run);

// ---------------------------------------------------------------------------------------------
// What came out

/// A table that is read, whole or as far as it goes.
typedef struct TactSweepResults {
    int           count;        // rows
    int           column_count; //
    const double *values;       // the outcome as its number, the problem as 0 or 1
                                //                                       (count x column_count)
} TactSweepResults;

TACT_API TACT_NODISCARD TactStatus tact_sweep_results_read(const TactSweep *sweep, const char *path,
                                                           TactSweepResults **results);
TACT_API void                      tact_sweep_results_destroy(TactSweepResults *results);
/// One dataset a column. TACT_UNSUPPORTED in a build without HDF5.
TACT_API TACT_NODISCARD TactStatus tact_sweep_results_write_hdf5(const TactSweep        *sweep,
                                                                 const TactSweepResults *results,
                                                                 const char             *path);

/// A share of trials with its interval of 95 % [Wilson27].
typedef struct TactSweepShare {
    int    count, of;
    double share, lo, hi;
} TactSweepShare;

TACT_API TactSweepShare tact_sweep_share(int count, int of);

/// Of one column, over the rows that have a number.
typedef struct TactSweepMoments {
    int    count;
    double mean, deviation; // standard deviation of a trial
    double lo, hi;          // interval of 95 % of the mean, by the normal distribution
    double least, largest;
    int    least_trial, largest_trial;
} TactSweepMoments;

TACT_API TactSweepMoments tact_sweep_results_moments(const TactSweepResults *results, int column);

#ifdef __cplusplus
}
#endif
#endif
