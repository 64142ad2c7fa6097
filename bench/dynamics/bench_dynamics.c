// `tact bench dynamics`: inverse dynamics, mass matrix and forward dynamics of mechanisms, beside
// MuJoCo and DART on the same models.
#include "bench/dynamics/dynamics.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/progress.h"

static const char help_text[] =
    "usage: tact bench dynamics [OPTIONS]\n"
    "\n"
    "Times kinematics, inverse dynamics, the factored mass matrix and forward dynamics without\n"
    "contacts on a humanoid, on chains of 10, 100 and 500 links and on combs of chains of 10, and\n"
    "those of MuJoCo and DART, where they are installed, on the same models and states.\n"
    "\n"
    "  --humanoid FILE  model file ($TACT_SHARED/models/mujoco_humanoid/humanoid.xml if it is\n"
    "                   there, else one of the benchmark's own)\n"
    "  --model NAME     only this model: humanoid, chain-10, ..., comb-500\n"
    "  --rounds N       most rounds of which the best counts (200)\n"
    "  --budget S       seconds a model, engine and column (1)\n"
    "  --csv FILE       write all figures there\n"
    "  --peers PATH     the module of peers (tact-peers.so beside the program); none: no peers\n"
    "  --help           this\n"
    "\n"
    "Columns: poses and axes; velocities; forces of given accelerations (RNEA); mass matrix and\n"
    "factor (CRBA, L'DL); accelerations at known poses and velocities (ABA); all of it from q and\n"
    "v to accelerations; divide and conquer on 1 and 2 threads. Then how far an engine is from "
    "tact\n"
    "in forces, mass matrix and accelerations, relative to the largest; DIFFERS is more than "
    "1e-9.\n"
    "Exit status 1: forces or mass matrices differ.\n";

static const TactDynamicsShape shapes[] = {
    {"humanoid", 0, 0},    {"chain-10", 10, 1},   {"chain-100", 100, 1},
    {"chain-500", 500, 1}, {"comb-100", 100, 10}, {"comb-500", 500, 50},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

typedef struct Options {
    const char *humanoid, *model, *csv, *peers;
    int         rounds;
    double      budget;
} Options;

static int bad(const char *what, const char *word)
{
    return tact_bench_refuse("dynamics", what, word);
}

/// 0: read; 2: bad; -1: only the help was asked for
static int read_options(int argc, char **argv, Options *options)
{
    const TactBenchOption words[] = {
        {"--humanoid", TACT_BENCH_TEXT, &options->humanoid, 0, 0},
        {"--model", TACT_BENCH_TEXT, &options->model, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--peers", TACT_BENCH_TEXT, &options->peers, 0, 0},
        {"--rounds", TACT_BENCH_INTEGER, &options->rounds, 1, 1e4},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 1e-3, 1e4},
        {0},
    };
    *options = (Options){.rounds = 200, .budget = 1};
    return tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "dynamics", .help = help_text, .options = words}, argc,
        argv);
}

static void load_engines(TactDynamicsBench *bench, const Options *options)
{
    TactPeers peers;
    bench->engine[bench->engines++] = &tact_dynamics_own;
    bool none = options->peers && strcmp(options->peers, "none") == 0;
    if (none || !tact_bench_load_peers(options->peers, &peers)) {
        return;
    }
    for (const TactDynamicsPeer *peer = peers.dynamics; peer->name; peer++) {
        if (bench->engines < TACT_DYNAMICS_ENGINES) {
            bench->engine[bench->engines++] = peer;
        }
    }
}

/// The file of a humanoid that is there; NULL: none.
static const char *find_humanoid(const Options *options, char path[PATH_MAX])
{
    const char *shared = getenv("TACT_SHARED");
    if (options->humanoid) {
        return options->humanoid;
    }
    snprintf(path, PATH_MAX, "%s/models/mujoco_humanoid/humanoid.xml", shared ? shared : "");
    return shared && access(path, R_OK) == 0 ? path : NULL;
}

static int run_model(TactDynamicsBench *bench, const TactDynamicsShape *shape,
                     const Options *options)
{
    char        found[PATH_MAX], made[] = "/tmp/tact-bench-XXXXXX.xml";
    const char *path = shape->branches == 0 ? find_humanoid(options, found) : NULL;
    int         model = bench->models++;
    bench->shape[model] = shape;
    if (!path) {
        int handle = mkstemps(made, 4);
        if (handle < 0 || close(handle) != 0 || tact_dynamics_write_model(shape, made) != TACT_OK) {
            return bad("cannot write", made);
        }
    }
    TactStatus status =
        tact_dynamics_run(bench, model, path ? path : made, options->rounds, options->budget);
    if (!path) {
        unlink(made);
    }
    return status == TACT_OK ? 0 : 2;
}

/// 1 if an engine differs from tact in what determines the motion.
static int count_status(const TactDynamicsBench *bench)
{
    for (int m = 0; m < bench->models; m++) {
        for (int e = 1; e < bench->engines; e++) {
            const TactDynamicsCell *cell = &bench->cell[m][e];
            // Accelerations of long chains tell the condition of M, not whether it is right.
            if (cell->taken && !(fmax(cell->error[0], cell->error[1]) <= 1e-9)) {
                return 1;
            }
        }
    }
    return 0;
}

int tact_bench_dynamics(int argc, char **argv)
{
    static TactDynamicsBench bench;
    Options                  options;
    int                      status = read_options(argc, argv, &options);
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    bench = (TactDynamicsBench){0};
    load_engines(&bench, &options);
    for (int s = 0; s < SHAPES; s++) {
        if (options.model && strcmp(options.model, shapes[s].name) != 0) {
            continue;
        }
        tact_bench_progress(options.model ? 0 : s, options.model ? 1 : SHAPES, shapes[s].name);
        status = run_model(&bench, &shapes[s], &options);
        if (status != 0) {
            return status;
        }
        tact_dynamics_print_model(&bench, bench.models - 1);
        fflush(stdout);
    }
    if (bench.models == 0) {
        return bad("there is no model", options.model);
    }
    tact_dynamics_print_growth(&bench);
    tact_dynamics_print_wanted(&bench);
    status = options.csv ? tact_dynamics_write_csv(&bench, options.csv) : 0;
    return status != 0 ? status : count_status(&bench);
}
