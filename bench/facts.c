#define _GNU_SOURCE // getloadavg()
#include "bench/facts.h"

#include <stdlib.h>
#include <tact/base.h>
#include <unistd.h>

void tact_bench_write_facts(FILE *stream, const char *before)
{
#ifdef __clang__
    const char *compiler = "clang " __clang_version__;
#else
    const char *compiler = "gcc " __VERSION__;
#endif
    double load[3];
    fprintf(stream, "%stact %s\n", before, tact_version());
    fprintf(stream, "%scompiler: %s\n", before, compiler);
    if (getloadavg(load, 3) == 3) {
        fprintf(stream, "%sload at the end: %.1f, %.1f, %.1f in 1, 5, 15 minutes; %ld processors\n",
                before, load[0], load[1], load[2], sysconf(_SC_NPROCESSORS_ONLN));
    }
}
