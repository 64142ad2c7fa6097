// What an experiment wants, and whether it came out: one word for it, and the exit status.
#ifndef TACT_BENCH_WANTED_H
#define TACT_BENCH_WANTED_H

#include <stdbool.h>

/// "holds" or "MISSED", which is counted.
const char *tact_bench_wanted(bool holds);

/// How many wanted lines were missed so far: `tact bench` ends with status 1 if any was.
int tact_bench_count_missed(void);

#endif
