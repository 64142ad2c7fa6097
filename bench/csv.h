// Files of figures: what they depend on first, as comments, then a line of names and the rows.
#ifndef TACT_BENCH_CSV_H
#define TACT_BENCH_CSV_H

#include <stdio.h>

/// Opens the file and writes the facts; NULL, and said on standard error, if it cannot be written.
FILE *tact_bench_csv_open(const char *path);
/// 0, or 2, the program's exit status, if not all of it could be written; that is said too.
int tact_bench_csv_close(FILE *file, const char *path);

#endif
