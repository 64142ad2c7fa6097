// What the figures of a run depend on and what a reader can have too; nothing that names a machine.
#ifndef TACT_BENCH_FACTS_H
#define TACT_BENCH_FACTS_H

#include <stdio.h>

/// Lines of version, compiler and load (mean number of processes that wanted to run in the last
/// minutes: 1 is this one alone), each after `before`.
void tact_bench_write_facts(FILE *stream, const char *before);

#endif
