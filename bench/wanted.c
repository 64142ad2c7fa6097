#include "bench/wanted.h"

static int missed;

const char *tact_bench_wanted(bool holds)
{
    missed += !holds;
    return holds ? "holds" : "MISSED";
}

int tact_bench_count_missed(void)
{
    return missed;
}
