// `tact bench sim`: whole simulations by tact and by other engines, in one run.
#define _GNU_SOURCE // mkstemps()
#include "bench/sim/sim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/bench_options.h"
#include "bench/engines.h"
#include "bench/progress.h"
#include "bench/scene_file.h"

static const char help_text[] =
    "usage: tact bench sim [OPTIONS]\n"
    "\n"
    "Steps of whole simulations by tact and by MuJoCo, ODE, Bullet and DART, on one thread. Every\n"
    "step is computed, also of what stands still.\n"
    "\n"
    "  --scene NAME     only this scene: humanoid, chain, stack, hand, pile-64, ...\n"
    "  --scenes FOLDER  where chain.xml, stack.xml and hand.xml are (scenes beside the program's\n"
    "                   folder, or here)\n"
    "  --rounds N       how often a scene is run at most; the best times count (5)\n"
    "  --budget S       seconds an engine and scene (4); one that is still at a step after twice\n"
    "                   that is stopped\n"
    "  --csv FILE       write all figures there\n"
    "  --peers          the other engines too\n"
    "  --engines LIST   of them only these, names between commas: bullet,ode-quick\n"
    "  --module PATH    where they are (tact-peers.so beside the program)\n"
    "  --help           this\n"
    "\n"
    "The humanoid is that of $TACT_SHARED/models or ../shared/models, and left out where it is "
    "not.\n"
    "Exit status 1: a contact problem of tact was not certified.\n";

static const TactSimScene scenes[] = {
    {"humanoid", "models/mujoco_humanoid/humanoid.xml", 0, 5, 0.005, false, "falls for 5 s at 5 ms",
     0, false},
    {"chain", "chain.xml", 0, 5, 0, false, "25 links over a rod", 0, false},
    {"stack", "stack.xml", 0, 5, 0, true, "ten cubes", 0, false},
    {"hand", "hand.xml", 0, 5, 0, true, "three fingers hold a ball", 0, false},
    {"pile-64", NULL, 4, 0.5, 0.005, true, "settled boxes", 0, false},
    {"pile-216", NULL, 6, 0.5, 0.005, true, "settled boxes", 0, false},
    {"pile-1000", NULL, 10, 0.5, 0.005, true, "settled boxes", 0, false},
};

enum { SCENES = sizeof scenes / sizeof scenes[0] };

typedef struct Options {
    const char *scene, *scenes, *csv, *module, *engines;
    bool        peers;
    int         rounds;
    double      budget;
} Options;

static int bad(const char *what, const char *word)
{
    return tact_bench_refuse("sim", what, word);
}

/// 0: read; 2: bad; -1: only the help was asked for
static int read_options(int argc, char **argv, Options *options)
{
    const TactBenchOption words[] = {
        {"--scene", TACT_BENCH_TEXT, &options->scene, 0, 0},
        {"--scenes", TACT_BENCH_TEXT, &options->scenes, 0, 0},
        {"--csv", TACT_BENCH_TEXT, &options->csv, 0, 0},
        {"--module", TACT_BENCH_TEXT, &options->module, 0, 0},
        {"--engines", TACT_BENCH_TEXT, &options->engines, 0, 0},
        {"--peers", TACT_BENCH_FLAG, &options->peers, 0, 0},
        {"--rounds", TACT_BENCH_INTEGER, &options->rounds, 1, 1e5},
        {"--budget", TACT_BENCH_NUMBER, &options->budget, 1e-3, 1e5},
        {0},
    };
    *options = (Options){.rounds = 5, .budget = 4};
    return tact_bench_read_options(
        &(TactBenchOptionList){.experiment = "sim", .help = help_text, .options = words}, argc,
        argv);
}

/// The file of a scene that is there; false, with a word about it, if it is not.
static bool find_file(const TactSimScene *scene, const Options *options, char path[PATH_MAX])
{
    const char *shared = getenv("TACT_SHARED");
    if (strchr(scene->file, '/')) {
        snprintf(path, PATH_MAX, "%s/%s", shared ? shared : "../shared", scene->file);
    } else {
        tact_bench_find_scene(options->scenes, scene->file, path, PATH_MAX);
    }
    bool there = access(path, R_OK) == 0;
    if (!there) {
        printf("\n%s: skipped, %s is not there\n", scene->name, path);
    }
    return there;
}

static int run_scene(TactSimBench *bench, const TactSimScene *scene, const Options *options)
{
    char path[PATH_MAX], made[] = "/tmp/tact-bench-XXXXXX.xml";
    if (scene->file && !find_file(scene, options, path)) {
        return 0;
    }
    if (!scene->file) {
        int handle = mkstemps(made, 4);
        if (handle < 0 || close(handle) != 0 ||
            tact_sim_write_pile(scene->boxes, made) != TACT_OK) {
            return bad("cannot write", made);
        }
    }
    bench->scene[bench->scenes] = scene;
    TactStatus status = tact_sim_bench_run(bench, bench->scenes, scene->file ? path : made,
                                           options->rounds, options->budget);
    if (!scene->file) {
        unlink(made);
    }
    if (status == TACT_OK) {
        tact_sim_print_scene(bench, bench->scenes++);
        fflush(stdout);
    }
    return status == TACT_OK ? 0 : 2;
}

int tact_bench_sim(int argc, char **argv)
{
    static TactSimBench bench;
    Options             options;
    int                 status = read_options(argc, argv, &options), found = 0;
    if (status != 0) {
        return status < 0 ? 0 : status;
    }
    bench = (TactSimBench){0};
    tact_sim_count_memory(true);
    bench.engines = tact_bench_load_engines(&(TactBenchEngines){.own = &tact_sim_own,
                                                                .peers = options.peers,
                                                                .module = options.module,
                                                                .only = options.engines},
                                            bench.engine, TACT_SIM_ENGINES);
    for (int s = 0; s < SCENES && status == 0; s++) {
        if (!options.scene || strcmp(options.scene, scenes[s].name) == 0) {
            found++;
            tact_bench_progress(options.scene ? 0 : s, options.scene ? 1 : SCENES, scenes[s].name);
            status = run_scene(&bench, &scenes[s], &options);
        }
    }
    tact_sim_count_memory(false);
    if (found == 0) {
        return bad("there is no scene", options.scene);
    }
    tact_sim_print_scaling(&bench);
    tact_sim_print_wanted(&bench);
    if (status == 0 && options.csv) {
        status = tact_sim_write_csv(&bench, options.csv);
    }
    for (int s = 0; s < bench.scenes && status == 0; s++) {
        status = bench.own[s].certified < bench.own[s].solves;
    }
    return status;
}
