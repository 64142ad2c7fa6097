// `tact sweep SWEEP.json`: many trials of a scene.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/run/run.h"
#include "cli/signals.h"
#include "cli/sweep/sweep.h"

/// Two texts in one; to be freed, NULL: no memory. keep: bytes of the first one.
static char *join(const char *text, size_t keep, const char *ending)
{
    size_t size = strlen(ending) + 1;
    char  *joined = malloc(keep + size);
    if (joined) {
        memcpy(joined, text, keep);
        memcpy(joined + keep, ending, size);
    }
    return joined;
}

/// The name of the table: as given, or that of the sweep in this folder; to be freed.
static char *name_table(const TactSweepOptions *options)
{
    if (options->out) {
        return join(options->out, strlen(options->out), "");
    }
    const char *base = tact_cli_base_name(options->file), *dot = strrchr(base, '.');
    bool        json = dot && strcmp(dot, ".json") == 0;
    return join(base, json ? (size_t)(dot - base) : strlen(base), ".csv");
}

/// --restart
static bool remove_table(const char *table)
{
    char *ahead = join(table, strlen(table), ".sweep");
    bool  gone =
        ahead && (unlink(table) == 0 || errno == ENOENT) && (unlink(ahead) == 0 || errno == ENOENT);
    if (!gone) {
        tact_cli_bad("--restart: %s: %s", table, strerror(errno));
    }
    free(ahead);
    return gone;
}

/// What is asked for besides the table, from the table.
static int tell_all(TactSweepTold *told)
{
    const TactSweepOptions *options = told->options;
    TactSweepResults       *results = NULL;
    int                     status = TACT_EXIT_BAD, row;
    if (tact_sweep_results_read(told->sweep, told->table, &results) != TACT_OK) {
        return tact_cli_bad("%s", tact_status_message());
    }
    told->results = results;
    bool done = true;
    if (options->hdf5 &&
        tact_sweep_results_write_hdf5(told->sweep, results, options->hdf5) != TACT_OK) {
        tact_cli_bad("--hdf5: %s", tact_status_message());
        done = false;
    }
    if (options->plot && told->plan->varied_count == 0) {
        tact_cli_bad("--plot: nothing varies in this sweep");
        done = false;
    }
    done = done && (!options->plot || tact_sweep_write_plot(told, options->plot));
    done = done && (!options->html || tact_sweep_write_page(told, options->html));
    if (done && options->json) {
        done = tact_sweep_print_json(told) == 0;
    } else if (done) {
        tact_sweep_print(told, stdout);
    }
    if (done) {
        status = tact_sweep_find_failed(told, &row, 1) > 0 ? TACT_EXIT_UNSOLVED : TACT_EXIT_DONE;
    }
    tact_sweep_results_destroy(results);
    return status;
}

/// All trials that the table lacks. link NULL: there are no ranks.
static int make_all(TactSweepTold *told, TactSweepLink *link)
{
    const TactSweepOptions *options = told->options;
    TactWorkers            *workers = NULL;
    TactSweepRun            run = tact_sweep_run_default();
    bool                    leads = !link || link->rank == 0;
    int                     threads = options->threads > 0 ? options->threads : link ? 1 : 0;
    run.path = told->table;
    run.failures = told->failures;
    run.pause = options->pause;
    run.link = link;
    run.watch = leads ? tact_sweep_progress : NULL;
    run.context = (void *)told->plan;
    if (tact_workers_create(threads + (link ? 1 : 0), &workers) != TACT_OK) {
        return tact_cli_bad("%s", tact_status_message());
    }
    tact_sweep_progress_begin(!leads);
    double     begun = tact_time_now();
    TactStatus status = tact_sweep_run(told->sweep, workers, &run);
    told->elapsed = tact_time_now() - begun;
    told->made = run.added;
    told->lost = run.lost;
    tact_sweep_progress_end();
    tact_workers_destroy(workers);
    if (status != TACT_OK && tact_cli_signal()) {
        fprintf(stderr, "tact: ended; the same command goes on from %s\n", told->table);
        return 128 + tact_cli_signal();
    }
    if (status != TACT_OK) {
        tact_cli_bad("%s", tact_status_message());
        if (!link && tact_sweep_is_task()) {
            fprintf(stderr, "tact: tasks of srun are ranks with srun --mpi=pmix\n");
        }
        return TACT_EXIT_BAD;
    }
    return leads ? tell_all(told) : TACT_EXIT_DONE;
}

static int sweep_all(const TactSweepOptions *options, const TactSweep *sweep)
{
    TactSweepLink link;
    bool          ranks = options->mpi || tact_sweep_is_rank();
    char         *table = name_table(options);
    char *failures = table && !options->failures ? join(table, strlen(table), ".failures") : NULL;
    TactSweepTold told = {.options = options,
                          .sweep = sweep,
                          .plan = tact_sweep_view_plan(sweep),
                          .table = table,
                          .failures = options->failures ? options->failures : failures};
    int           status = TACT_EXIT_BAD;
    if (!table || !told.failures) {
        status = tact_cli_bad("no memory");
    } else if (options->look) {
        status = tell_all(&told);
    } else if (!ranks || tact_sweep_open_ranks(options, &link)) {
        bool leads = !ranks || link.rank == 0;
        if (!options->restart || !leads || remove_table(table)) {
            status = make_all(&told, ranks ? &link : NULL);
        }
        if (ranks) {
            tact_sweep_close_ranks(&link, told.lost, status);
        }
    }
    free(table);
    free(failures);
    return status;
}

int tact_cli_sweep(int argc, char **argv)
{
    TactSweepOptions options;
    TactSweep       *sweep = NULL;
    if (!tact_sweep_parse(argc, argv, &options)) {
        return TACT_EXIT_BAD;
    }
    if (options.help) {
        tact_sweep_help();
        return TACT_EXIT_DONE;
    }
    if (tact_sweep_read(options.file, &sweep) != TACT_OK) {
        return tact_cli_bad("%s", tact_status_message());
    }
    int status =
        options.trial ? tact_sweep_make_trial(&options, sweep) : sweep_all(&options, sweep);
    tact_sweep_destroy(sweep);
    return status;
}
