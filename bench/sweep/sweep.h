// Room "sweep": what many trials cost.
#ifndef TACT_BENCH_SWEEP_SWEEP_H
#define TACT_BENCH_SWEEP_SWEEP_H

#include <tact/sweep.h>

/// Processor time, s: of this thread, of this process, of the programs that it has run.
double tact_bench_thread_time(void);
double tact_bench_process_time(void);
double tact_bench_children_time(void);

/// Ranks as threads of this process, with mailboxes instead of MPI.
typedef struct TactMail TactMail;

TactMail     *tact_mail_create(int ranks); // NULL: no memory
void          tact_mail_destroy(TactMail *mail);
TactSweepLink tact_mail_link(TactMail *mail, int rank);

typedef struct TactRanksMeasured {
    double elapsed;     // s, wall clock
    double lead_time;   // s, processor time of the thread of rank 0 that has the messages
    int    lead_trials; // that rank 0 made itself
} TactRanksMeasured;

/// A sweep by so many ranks, each with one thread whose trials wait for `pause` s.
TactStatus tact_bench_run_ranks(const TactSweep *sweep, const char *path, int ranks, double pause,
                                TactRanksMeasured *measured);

#endif
