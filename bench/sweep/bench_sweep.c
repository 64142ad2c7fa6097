// `tact bench sweep`: what a trial costs beside its steps, what threads and ranks bring.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/csv.h"
#include "bench/scene_file.h"
#include "bench/sweep/sweep.h"
#include "bench/wanted.h"

static const char help_text[] =
    "usage: tact bench sweep [OPTIONS]\n"
    "\n"
    "Trials of the Barrett hand and the glass: what one costs beside its steps (set, read, write), "
    "what\n"
    "two threads bring, short trials against a shell loop of tact run, and ranks whose trials "
    "sleep.\n"
    "\n"
    "  --trials N       grasps for the first two (100)\n"
    "  --ranks N        at most, of the last: 4, 16, 64, ... (64)\n"
    "  --scenes FOLDER  where grasp-plastic.xml and pinch.xml are\n"
    "  --csv FILE       write all figures there\n"
    "  --help           this\n"
    "\n"
    "Processor time counts where it can, so that other work on the machine matters little.\n";

typedef struct Options {
    const char *scenes, *csv;
    int         trials, ranks;
} Options;

typedef struct Bench {
    Options options;
    FILE   *csv; // NULL: none
    char    folder[64];
} Bench;

// ---------------------------------------------------------------------------------------------
// Clocks

static double usage_of(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double tact_bench_process_time(void)
{
    return usage_of(RUSAGE_SELF);
}

double tact_bench_children_time(void)
{
    return usage_of(RUSAGE_CHILDREN);
}

double tact_bench_thread_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// ---------------------------------------------------------------------------------------------

static void note_figure(const Bench *bench, const char *what, double value, const char *unit,
                        const char *wanted)
{
    printf("  %-58s %12.5g %s%s%s\n", what, value, unit, wanted[0] ? "   wanted " : "", wanted);
    if (bench->csv) {
        fprintf(bench->csv, "%s,%.9g,%s\n", what, value, unit);
    }
}

static int bad_status(void)
{
    fprintf(stderr, "tact bench sweep: %s\n", tact_status_message());
    return 2;
}

/// A sweep of a scene, with words that follow.
static TactSweep *open_sweep(const Bench *bench, const char *scene, int trials, double time,
                             const char *rest)
{
    char       path[PATH_MAX], text[PATH_MAX + 1024];
    TactSweep *sweep = NULL;
    tact_bench_find_scene(bench->options.scenes, scene, path, sizeof path);
    char *whole = realpath(path, NULL);
    snprintf(text, sizeof text,
             "{\"format\": \"tact-sweep/1\", \"scene\": \"%s\", \"trials\": %d, \"time\": %g, %s}",
             whole ? whole : path, trials, time, rest);
    free(whole);
    if (tact_sweep_read_memory("bench", text, strlen(text), &sweep) != TACT_OK) {
        bad_status();
    }
    return sweep;
}

static const char GRASP[] =
    "\"seed\": 1, \"sampling\": \"sobol\", \"vary\": {"
    "\"friction\": {\"path\": \"geom/glass/friction\", \"uniform\": [0.2, 1.0]},"
    "\"mass\": {\"path\": \"body/glass/mass\", \"uniform\": [0.1, 0.5]},"
    "\"x\": {\"path\": \"qpos/glass/0\", \"normal\": [0, 0.005]},"
    "\"y\": {\"path\": \"qpos/glass/1\", \"normal\": [0, 0.005]},"
    "\"force\": {\"path\": [\"ctrl/close1\", \"ctrl/close2\", \"ctrl/close3\"],"
    " \"uniform\": [0.5, 1.5], \"apply\": \"times\"}},"
    "\"stop\": [{\"outcome\": \"slipped\", \"moved\": \"glass\", \"against\": \"palm\","
    " \"since\": 0.8, \"above\": 0.01}],"
    "\"measure\": {\"height\": \"/bodies/glass/pos/2\","
    " \"slip\": {\"moved\": \"glass\", \"against\": \"palm\", \"since\": 0.8, \"of\": \"max\"}}";

static const char PINCH[] =
    "\"seed\": 1, \"vary\": {\"mu\": {\"path\": [\"geom/left/friction\", \"geom/right/friction\","
    " \"geom/capsule/friction\"], \"uniform\": [0.02, 0.2]}},"
    "\"measure\": {\"z\": \"/bodies/capsule/pos/2\"}";

static const char *table_path(const Bench *bench, const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", bench->folder, name);
    return path;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Each trial by a clock around it and its row's writing, less the clocks of its steps. Both are
/// hit alike by other work; the median is not moved by trials that were interrupted in between.
static int measure_overhead(const Bench *bench)
{
    int             trials = bench->options.trials;
    TactSweep      *sweep = open_sweep(bench, "grasp-plastic.xml", trials, 1.5, GRASP);
    TactSweepWorld *world = NULL;
    TactSweepTable *table = NULL;
    double         *shares = calloc((size_t)trials, sizeof *shares);
    double          steps = 0, all = 0, written = 0;
    if (!sweep || !shares || tact_sweep_world_create(sweep, &world) != TACT_OK ||
        tact_sweep_table_open(sweep, table_path(bench, "overhead.csv"), &table) != TACT_OK) {
        free(shares);
        return bad_status();
    }
    TactStatus status = TACT_OK;
    for (int i = 0; i < trials && status == TACT_OK; i++) {
        TactSweepRow row;
        double       begun = tact_time_now();
        status = tact_sweep_world_run(world, i, NULL, &row);
        double made = tact_time_now();
        status =
            status == TACT_OK ? tact_sweep_table_add(table, i, row.text, strlen(row.text)) : status;
        double ended = tact_time_now();
        shares[i] = (ended - begun - row.step_time) / row.step_time;
        steps += row.step_time;
        all += ended - begun;
        written += ended - made;
    }
    qsort(shares, (size_t)trials, sizeof *shares, ascending);
    bool fine = shares[trials / 2] < 0.02;
    note_figure(bench, "grasp: ms a trial by the clock", 1e3 * all / trials, "ms", "");
    note_figure(bench, "grasp: beside its steps, median of trials", 100 * shares[trials / 2], "%",
                fine ? "< 2 %: holds" : "< 2 %: MISSED");
    note_figure(bench, "grasp: beside their steps, all trials", 100 * (all - steps) / steps, "%",
                "");
    note_figure(bench, "grasp: us to write a row", 1e6 * written / trials, "us", "");
    tact_bench_wanted(fine);
    tact_sweep_world_destroy(world);
    TactStatus closed = tact_sweep_table_close(table);
    tact_sweep_destroy(sweep);
    free(shares);
    return status == TACT_OK && closed == TACT_OK ? 0 : bad_status();
}

static TactStatus run_threads(const Bench *bench, const TactSweep *sweep, int threads,
                              double *elapsed, double *processor)
{
    TactWorkers *workers = NULL;
    TactSweepRun run = tact_sweep_run_default();
    run.path = table_path(bench, "threads.csv");
    TactStatus status = tact_workers_create(threads, &workers);
    double     begun = tact_time_now(), before = tact_bench_process_time();
    status = status == TACT_OK ? tact_sweep_run(sweep, workers, &run) : status;
    *elapsed = tact_time_now() - begun;
    *processor = tact_bench_process_time() - before;
    tact_workers_destroy(workers);
    unlink(table_path(bench, "threads.csv"));
    unlink(table_path(bench, "threads.csv.sweep"));
    return status;
}

static int measure_threads(const Bench *bench)
{
    TactSweep *sweep = open_sweep(bench, "grasp-plastic.xml", bench->options.trials, 1.5, GRASP);
    enum { ROUNDS = 3 };
    double elapsed[2] = {INFINITY, INFINITY}, processor[2] = {INFINITY, INFINITY};
    for (int i = 0; i < 2 * ROUNDS; i++) { // one after the other, the best of each
        double wall, time;
        if (!sweep || run_threads(bench, sweep, i % 2 + 1, &wall, &time) != TACT_OK) {
            tact_sweep_destroy(sweep);
            return bad_status();
        }
        elapsed[i % 2] = fmin(elapsed[i % 2], wall);
        processor[i % 2] = fmin(processor[i % 2], time);
    }
    // Two threads that take no more processor time than one are done in half the time, where two
    // processors are free.
    double gain = 2 * processor[0] / processor[1];
    bool   fine = gain >= 1.9;
    note_figure(bench, "grasp: two threads against one, by the clock", elapsed[0] / elapsed[1],
                "times", "");
    note_figure(bench, "grasp: two threads against one, by processor time", gain, "times",
                fine ? ">= 1.9: holds" : ">= 1.9: MISSED");
    tact_bench_wanted(fine);
    tact_sweep_destroy(sweep);
    return 0;
}

/// 20 ms of simulated time, against a shell that runs the program again and again.
static int measure_short(const Bench *bench, const char *name, const char *scene, const char *rest)
{
    enum { SHORT = 1000, LOOPED = 50 };
    char       path[PATH_MAX], program[PATH_MAX], command[3 * PATH_MAX], what[80];
    TactSweep *sweep = open_sweep(bench, scene, SHORT, 0.02, rest);
    double     elapsed, processor;
    ssize_t    length = readlink("/proc/self/exe", program, sizeof program - 1);
    TactStatus status =
        sweep && length > 0 ? run_threads(bench, sweep, 1, &elapsed, &processor) : TACT_BAD_INPUT;
    tact_sweep_destroy(sweep);
    if (status != TACT_OK) {
        return bad_status();
    }
    program[length] = '\0';
    tact_bench_find_scene(bench->options.scenes, scene, path, sizeof path);
    snprintf(command, sizeof command,
             "i=0; while [ $i -lt %d ]; do '%s' run '%s' --time 0.02 --json >/dev/null || exit 1; "
             "i=$((i + 1)); done",
             LOOPED, program, path);
    double before = tact_bench_children_time();
    if (system(command) != 0) {
        fprintf(stderr, "tact bench sweep: the shell loop failed\n");
        return 2;
    }
    double looped = (tact_bench_children_time() - before) / LOOPED, swept = processor / SHORT;
    bool   fine = looped / swept >= 10;
    snprintf(what, sizeof what, "20 ms of the %s: ms a trial of a sweep", name);
    note_figure(bench, what, 1e3 * swept, "ms", "");
    snprintf(what, sizeof what, "20 ms of the %s: ms a tact run of a shell loop", name);
    note_figure(bench, what, 1e3 * looped, "ms", "");
    snprintf(what, sizeof what, "20 ms of the %s: sweep against shell loop", name);
    note_figure(bench, what, looped / swept, "times", fine ? ">= 10: holds" : ">= 10: MISSED");
    tact_bench_wanted(fine);
    return 0;
}

/// Ranks whose trials sleep take no processor: what is lost is what the protocol loses.
static int measure_ranks(const Bench *bench)
{
    static const double PAUSE = 0.2;
    enum { TRIALS_A_RANK = 20 };
    for (int ranks = 4; ranks <= bench->options.ranks; ranks *= 4) {
        int               trials = ranks * TRIALS_A_RANK;
        TactSweep        *sweep = open_sweep(bench, "pinch.xml", trials, 0.002, PINCH);
        TactRanksMeasured m;
        char              name[80];
        snprintf(name, sizeof name, "ranks%d.csv", ranks);
        TactStatus status =
            sweep ? tact_bench_run_ranks(sweep, table_path(bench, name), ranks, PAUSE, &m)
                  : TACT_BAD_INPUT;
        tact_sweep_destroy(sweep);
        if (status != TACT_OK) {
            return bad_status();
        }
        snprintf(name, sizeof name, "%d ranks that sleep 0.2 s a trial: efficiency", ranks);
        note_figure(bench, name, 100 * PAUSE * TRIALS_A_RANK / m.elapsed, "%", "");
        snprintf(name, sizeof name, "%d ranks that sleep: processor time of rank 0's messages",
                 ranks);
        note_figure(bench, name, 100 * m.lead_time / m.elapsed, "%", "");
    }
    return 0;
}

/// Trials of one step by four ranks, as fast as they come: what a row costs rank 0.
static int measure_messages(const Bench *bench)
{
    enum { TRIALS = 20000, RANKS = 4 };
    TactSweep        *sweep = open_sweep(bench, "pinch.xml", TRIALS, 0.002, PINCH);
    TactRanksMeasured m;
    TactStatus        status =
        sweep ? tact_bench_run_ranks(sweep, table_path(bench, "messages.csv"), RANKS, 0, &m)
                     : TACT_BAD_INPUT;
    tact_sweep_destroy(sweep);
    if (status != TACT_OK) {
        return bad_status();
    }
    note_figure(bench, "rank 0: us for a row of another rank, message and write",
                1e6 * m.lead_time / (TRIALS - m.lead_trials), "us", "");
    struct stat about;
    if (stat(table_path(bench, "messages.csv"), &about) == 0) {
        note_figure(bench, "bytes of a row", (double)about.st_size / TRIALS, "B", "");
    }
    return 0;
}

int tact_bench_sweep(int argc, char **argv)
{
    Bench                 bench = {.options = {.trials = 100, .ranks = 64},
                                   .folder = "/tmp/tact-bench-sweep-XXXXXX"};
    const TactBenchOption words[] = {
        {"--trials", TACT_BENCH_INTEGER, &bench.options.trials, 1, 1e6},
        {"--ranks", TACT_BENCH_INTEGER, &bench.options.ranks, 0, 1024},
        {"--scenes", TACT_BENCH_TEXT, &bench.options.scenes, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &bench.options.csv, 0, 0},
        {0},
    };
    int status = tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "sweep", .help = help_text, .options = words}, argc,
        argv);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    if (!mkdtemp(bench.folder)) {
        return tact_bench_refuse("sweep", "cannot make the folder", bench.folder);
    }
    if (bench.options.csv && !(bench.csv = tact_bench_csv_open(bench.options.csv))) {
        return 2;
    }
    if (bench.csv) {
        fprintf(bench.csv, "what,value,unit\n");
    }
    status = measure_overhead(&bench);
    status = status == 0 ? measure_threads(&bench) : status;
    status = status == 0 ? measure_short(&bench, "grasp", "grasp-plastic.xml", GRASP) : status;
    status = status == 0 ? measure_short(&bench, "pinch", "pinch.xml", PINCH) : status;
    status = status == 0 ? measure_messages(&bench) : status;
    status = status == 0 ? measure_ranks(&bench) : status;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", bench.folder);
    status = system(command) == 0 ? status : 2;
    int closed = bench.csv ? tact_bench_csv_close(bench.csv, bench.options.csv) : 0;
    return status != 0 ? status : closed;
}
