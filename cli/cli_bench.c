// The verb `bench`: all of it is in bench/.
#include <string.h>

#include "cli/cli.h"
#include "cli/run/run.h"

#ifdef TACT_HAVE_BENCH
#include "bench/bench.h"

bool tact_cli_has_bench(void)
{
    return true;
}

int tact_cli_bench(int argc, char **argv)
{
    if (strcmp(tact_cli_viewer(), "yes") == 0) {
        tact_bench_set_page(tact_run_write_html);
    }
    return tact_bench_main(argc, argv);
}

#else

bool tact_cli_has_bench(void)
{
    return false;
}

int tact_cli_bench(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return tact_cli_bad("this program was built without its benchmarks");
}

#endif
