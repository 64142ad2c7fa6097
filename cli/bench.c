// The verb `bench`: all of it is in bench/.
#include "cli.h"

#if __has_include("bench.h")
#include "bench.h"

bool tact_cli_has_bench(void)
{
    return true;
}

int tact_cli_bench(int argc, char **argv)
{
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
