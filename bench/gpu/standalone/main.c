// The table of batches as a program of its own, for machines that have nothing but a compiler.
//
//     tact_gpu_table [--quick] [--problems N]
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/bodies_report.h"

int main(int argc, char **argv)
{
    static const TactBenchCase cases[] = {
        {8, 8, 1000000, true},  {4, 8, 1000000, true}, {16, 8, 1000000, true},
        {8, 4, 1000000, false}, {8, 8, 100000, false}, {8, 8, 10000, false},
        {8, 8, 4000000, false}, {32, 8, 200000, false},
    };
    int          quick = 0, problems = 0; // N of each row, instead of its own
    for (int k = 1; k < argc; k++) {
        quick |= strcmp(argv[k], "--quick") == 0;
        if (strcmp(argv[k], "--problems") == 0 && k + 1 < argc) {
            problems = (int)strtol(argv[k + 1], NULL, 10);
        }
    }
    int          count = quick ? 3 : (int)(sizeof cases / sizeof *cases);
    TactWorkers *workers = NULL;
    TactStatus   status = tact_workers_create(0, &workers);
    if (!status) {
        printf(TACT_BENCH_BODIES_COLUMNS);
    }
    for (int k = 0; k < count && !status; k++) {
        TactBenchCase size = cases[k];
        size.count = problems > 0 ? problems : size.count;
        status = tact_bench_report_bodies(stdout, TACT_DEVICE_CUDA, workers, TACT_MIX_ALL, &size);
    }
    for (int kind = 0; kind < TACT_MIX_KINDS && !quick; kind++) {
        for (int k = 0; k < 3 && !status; k++) {
            TactBenchCase size = cases[k];
            size.warm = size.contacts == 8;
            size.count = problems > 0 ? problems : size.count;
            status = tact_bench_report_bodies(stdout, TACT_DEVICE_CUDA, workers, (TactMixKind)kind,
                                              &size);
        }
    }
    if (status) {
        fprintf(stderr, "%s\n", tact_status_message());
    }
    tact_workers_destroy(workers);
    return status ? 1 : 0;
}
