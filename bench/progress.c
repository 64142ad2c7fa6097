#include "bench/progress.h"

#include <stddef.h>

static TactBenchTell *tell; // NULL: nobody asks
static int            outer, outers = 1;

void tact_bench_set_progress(TactBenchTell *to)
{
    tell = to;
}

void tact_bench_progress(int done, int total, const char *words)
{
    tact_bench_progress_share(total > 0 ? (double)done / total : 0, words);
}

void tact_bench_progress_share(double share, const char *words)
{
    if (tell) {
        tell((outer + share) / outers, words);
    }
}

void tact_bench_progress_within(int part, int parts)
{
    outer = part;
    outers = parts > 0 ? parts : 1;
}
