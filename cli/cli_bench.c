// The verb `bench`: all of it is in bench/.
#include <string.h>

#include "cli/cli.h"
#include "cli/run/run.h"

#ifdef TACT_HAVE_BENCH
#include "bench/bench.h"
#include "bench/progress.h"
#include "cli/progress/progress.h"

bool tact_cli_has_bench(void)
{
    return true;
}

static void tell_share(double share, const char *words)
{
    tact_progress_tell(share, "%s", words);
}

/// --quiet, which the experiments do not know, is taken out of the words; returns how many stay.
static int take_quiet(int argc, char **argv)
{
    int count = 0;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--quiet") == 0) {
            tact_progress_silence();
        } else {
            argv[count++] = argv[i];
        }
    }
    return count;
}

int tact_cli_bench(int argc, char **argv)
{
    if (strcmp(tact_cli_viewer(), "yes") == 0) {
        tact_bench_set_page(tact_run_write_html);
    }
    tact_progress_stage("bench %s", argc > 1 ? argv[1] : "");
    tact_bench_set_progress(tell_share);
    return tact_bench_main(take_quiet(argc, argv), argv);
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
