// `tact run SCENE`: simulate.
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run/run.h"

/// Of a run that was made, or stopped: what it proved.
static int exit_status(const TactRunResult *result)
{
    bool proven = result->certified == result->solves &&
                  result->steps_judged.certified == result->steps_judged.total;
    return result->failed   ? TACT_EXIT_BAD
           : result->signal ? 128 + result->signal // as shells say it
           : proven         ? TACT_EXIT_DONE
                            : TACT_EXIT_UNSOLVED;
}

int tact_cli_run(int argc, char **argv)
{
    TactRunOptions options;
    TactRun        run;
    TactRunResult  result = {0};
    int            status = TACT_EXIT_BAD;
    char         **words = calloc((size_t)argc, sizeof *words); // argv is for the recording
    if (!words) {
        return tact_cli_bad("no memory");
    }
    memcpy(words, argv, (size_t)argc * sizeof *words);
    bool right = tact_run_parse(argc, words, &options);
    free(words);
    if (!right) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        tact_run_help();
        return TACT_EXIT_DONE;
    }
    if (options.output.html && !tact_run_can_write_html()) {
        return TACT_EXIT_BAD;
    }
    if (tact_run_open(&options, &run)) {
        tact_run_simulate(&run, argc, argv, &result);
        status = exit_status(&result);
        if (result.steps > 0 && options.json && tact_run_print_json(&run, &result) != 0) {
            status = TACT_EXIT_BAD;
        } else if (result.steps > 0 && !options.json) {
            tact_run_print(&run, &result);
        }
    }
    free(result.hashes);
    tact_run_close(&run);
    return status;
}
