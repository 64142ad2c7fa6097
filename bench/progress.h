// How far an experiment is, for the program's line on the terminal.
#ifndef TACT_BENCH_PROGRESS_H
#define TACT_BENCH_PROGRESS_H

/// Shows a share, 0 .. 1, and a few words. The program hands it over.
typedef void TactBenchTell(double share, const char *words);
void         tact_bench_set_progress(TactBenchTell *to);

/// `done` of `total` parts are done; words: what comes next.
void tact_bench_progress(int done, int total, const char *words);

/// The same as a share, 0 .. 1.
void tact_bench_progress_share(double share, const char *words);

/// Experiments that are made of others: what is told from now on is about part `part` of `parts`.
void tact_bench_progress_within(int part, int parts);

#endif
