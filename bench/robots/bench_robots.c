#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/progress.h"
#include "bench/robots/robots.h"

static const char help_text[] =
    "usage: tact bench robots [OPTIONS] [FILE...]\n"
    "\n"
    "Model files that others wrote, from their first keyframe on: is the file accepted, is it\n"
    "honoured in full (full; rigid: all but softness; part), how many contact problems are\n"
    "certified of all, how fast does anything move, how many steps stood still to the last bit "
    "and\n"
    "were not computed, and microseconds of the processor a step (all steps count).\n"
    "\n"
    "  --folder DIR  where the files are (models/ of TACT_SHARED)\n"
    "  --all         parts of scenes too, not only the scenes\n"
    "  --keyframes W first, or all: a row for each keyframe of a file (tact alone)\n"
    "  --time S      how long each is simulated (2)\n"
    "  --computed    every step, also those of a world that stands still to the last bit, which\n"
    "                are left out else (still: how many of the steps were)\n"
    "  --budget S    of the processor, for each run (60)\n"
    "  --rounds N    of which the best counts (1)\n"
    "  --peers       MuJoCo beside it: its library, or where that does not know the file the\n"
    "                package for Node (marked n); ratio: its time over tact's,\n"
    "                and the geometric means of that at the end\n"
    "  --module FILE peers' module (beside the program)\n"
    "  --csv FILE    write all figures there\n"
    "  --help        this\n"
    "\n"
    "Exit status 1: a run did not end, or a contact problem was not certified.\n";

enum { MOST_FILES = 4096 };

static int take_file(void *context, const char *word)
{
    TactRobotsOptions *options = context;
    if (options->file_count == MOST_FILES) {
        return tact_bench_refuse("robots", "too many files at", word);
    }
    options->files[options->file_count] = strdup(word);
    return options->files[options->file_count++] ? 0 : 2;
}

static int read_options(int argc, char **argv, TactRobotsOptions *options)
{
    const TactBenchOption words[] = {
        {"--folder", TACT_BENCH_TEXT, &options->folder, 0, 0},
        {"--all", TACT_BENCH_FLAG, &options->all, 0, 0},
        {"--keyframes", TACT_BENCH_TEXT, &options->keyframes, 0, 0},
        {"--time", TACT_BENCH_NUMBER, &options->time, 0, 1e6},
        {"--computed", TACT_BENCH_FLAG, &options->computed, 0, 0},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 1e-3, 1e6},
        {"--rounds", TACT_BENCH_INTEGER, &options->rounds, 1, 100},
        {"--peers", TACT_BENCH_FLAG, &options->peers, 0, 0},
        {"--module", TACT_BENCH_TEXT, &options->module, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {0},
    };
    return tact_bench_read_options(&(TactBenchOptionList){.experiment = "robots",
                                                          .help = help_text,
                                                          .options = words,
                                                          .file = take_file,
                                                          .context = options},
                                   argc, argv);
}

/// Files of the folder, where none is named. 0, or the exit status.
static int find_files(TactRobotsOptions *options)
{
    static char folder[4096];
    const char *shared = getenv("TACT_SHARED");
    if (options->file_count > 0) {
        return 0;
    }
    if (!options->folder && shared && strlen(shared) + sizeof "/models" < sizeof folder) {
        snprintf(folder, sizeof folder, "%s/models", shared);
        options->folder = folder;
    }
    if (!options->folder) {
        return tact_bench_refuse("robots", "name files, or a", "--folder");
    }
    free(options->files);
    options->files = tact_robots_find(options->folder, options->all, &options->file_count);
    return options->files && options->file_count > 0
               ? 0
               : tact_bench_refuse("robots", "there are no model files in", options->folder);
}

static const char *short_name(const char *path, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    if (length > 0 && strncmp(path, folder, length) == 0) {
        path += length;
        return path + (*path == '/');
    }
    return path;
}

/// The faster one of two rounds, with what went wrong in either.
static void keep_best(const TactRobotRun *round, TactRobotRun *best)
{
    if (!best->loaded || (round->finished && round->seconds < best->seconds)) {
        *best = *round;
    }
}

static int run_robot(TactRobotsOptions *options, TactRobot *robot)
{
    options->keyframe = robot->keyframe;
    for (int k = 0; k < options->rounds; k++) {
        TactRobotRun round = {0};
        tact_robots_run_own(robot->path, options, &round);
        keep_best(&round, &robot->own);
        if (options->peers && robot->own.loaded && robot->own.nv > 0 && robot->keyframe == 0) {
            TactRobotRun  other = {0};
            TactRobotPeer by = tact_robots_run_peer(robot->path, options, &other);
            if (by != TACT_ROBOT_PEER_NONE) {
                keep_best(&other, &robot->peer);
                robot->by = by;
            }
        }
    }
    tact_robots_print(robot);
    return robot->own.loaded && (!robot->own.finished || robot->own.certified < robot->own.solves);
}

/// Room for one robot more; NULL: no memory.
static TactRobot *add_robot(TactRobot **robots, int *count)
{
    TactRobot *larger = realloc(*robots, (size_t)(*count + 1) * sizeof *larger);
    if (!larger) {
        return NULL;
    }
    *robots = larger;
    larger[*count] = (TactRobot){0};
    return &larger[(*count)++];
}

/// All keyframes of a file that are asked for; 1: something is not right.
static int run_file(TactRobotsOptions *options, const char *path, TactRobot **robots, int *count)
{
    bool all = strcmp(options->keyframes, "all") == 0;
    int  failed = 0, keyframes = 1;
    for (int k = 0; k < keyframes; k++) {
        TactRobot *robot = add_robot(robots, count);
        if (!robot) {
            return 1;
        }
        robot->path = path;
        robot->name = short_name(path, options->folder);
        robot->keyframe = k;
        failed = run_robot(options, robot) || failed;
        keyframes = all && robot->own.keyframes > 1 ? robot->own.keyframes : 1;
    }
    return failed;
}

int tact_bench_robots(int argc, char **argv)
{
    TactRobotsOptions options = {.time = 2, .budget = 60, .rounds = 1, .keyframes = "first"};
    options.files = calloc(MOST_FILES, sizeof *options.files);
    int status = options.files ? read_options(argc, argv, &options) : 2;
    if (status == 0 && strcmp(options.keyframes, "first") != 0 &&
        strcmp(options.keyframes, "all") != 0) {
        status = tact_bench_refuse("robots", "keyframes are first or all, not", options.keyframes);
    }
    status = status == 0 ? find_files(&options) : status;
    TactRobot *robots = NULL;
    int        failed = 0, count = 0;
    if (status == 0) {
        tact_robots_print_head();
        for (int i = 0; i < options.file_count; i++) {
            tact_bench_progress(i, options.file_count,
                                short_name(options.files[i], options.folder));
            failed = run_file(&options, options.files[i], &robots, &count) || failed;
        }
        tact_robots_print_sum(robots, count);
        status = options.csv ? tact_robots_write_csv(options.csv, robots, count) : 0;
    }
    free(robots);
    tact_robots_free(options.files, options.file_count);
    return status < 0 ? 0 : status > failed ? status : failed;
}
